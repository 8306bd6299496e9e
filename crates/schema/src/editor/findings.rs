//! What is wrong or unusual in a schema.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::reading::Location;
use super::{MAX_CARDS, SchemaText, below, path};
use crate::questions::{Question, QuestionKind, Questions, Widget};
use crate::schema::{Rejection, misspelled};

/// A problem because of which a schema cannot be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong, with the location in the schema as a JSON Pointer.
    pub message: String,
    /// The pointer of the card that it is about.
    pub card: Option<String>,
    /// The line and the column in the text, both from 1. `None` if the text is not JSON; then the message has them.
    pub position: Option<(usize, usize)>,
}

/// Something in a schema that its author may not have meant. It can be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// What it is.
    pub kind: WarningKind,
    /// The pointer of the card, or of the answer; empty for the whole form.
    pub card: String,
    /// The name that it is about, such as that of a member; may be empty.
    pub detail: String,
}

/// What may not have been meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WarningKind {
    /// Pages ignore a member of `x-form`, because of its name or its value.
    FormMember,
    /// A question has no label. Its name is shown instead.
    NoLabel,
    /// A question is asked as JSON.
    AsJson,
    /// There are too many questions, so that some are asked as JSON.
    TooLarge,
    /// The condition of a question can never be met.
    NeverAsked,
    /// A keyword is unknown, and therefore ignored. This one was probably meant.
    Misspelled(&'static str),
    /// The schema has rules about files, but the service takes no files.
    FilesNotTaken,
}

impl Fault {
    /// The faults of a text that was rejected as a schema.
    ///
    /// ```
    /// use formalize_schema::DataSchema;
    /// use formalize_schema::editor::Fault;
    ///
    /// let text = "{\n  \"properties\": {\"age\": {\"minimum\": \"0\"}}\n}";
    /// let rejection = DataSchema::compile(text).unwrap_err();
    /// let fault = &Fault::all(text, &rejection)[0];
    /// assert_eq!(fault.card.as_deref(), Some("/age"));
    /// assert_eq!(fault.position, Some((2, 37)));
    /// ```
    pub fn all(text: &str, rejection: &Rejection) -> Vec<Self> {
        let schema = SchemaText::new(text).ok();
        if rejection.violations().is_empty() {
            let messages = rejection.messages().iter();
            let faults = messages.map(|message| Self {
                message: message.clone(),
                card: None,
                position: None,
            });
            return faults.collect();
        }
        let locations = schema.as_ref().map_or_else(Vec::new, SchemaText::locations);
        let violations = rejection.violations().iter();
        let faults = violations.map(|violation| {
            let place = path(&violation.instance_path);
            let schema = schema.as_ref();
            let card = SchemaText::card_at(&locations, &place);
            let position = schema.and_then(|schema| schema.position(&place));
            Self {
                message: violation.to_string(),
                card,
                position,
            }
        });
        faults.collect()
    }
}

impl SchemaText {
    /// The pointer of the innermost card that contains a place in the schema.
    fn card_at(locations: &[Location], place: &[String]) -> Option<String> {
        let inside = locations
            .iter()
            .filter(|one| place.starts_with(&one.schema()));
        let found = inside.max_by_key(|one| one.object.len())?;
        Some(found.pointer())
    }

    /// The line and column of a place, or of the nearest one above.
    fn position(&self, place: &[String]) -> Option<(usize, usize)> {
        let mut lengths = (0..=place.len()).rev();
        let range = lengths.find_map(|length| self.spelled.find(place.get(..length)?))?;
        Some(self.spelled.position(range.start))
    }

    /// What the author of the schema may not have meant, in the first [`MAX_CARDS`] questions. `questions` are those of an
    /// empty form with this schema.
    ///
    /// ```
    /// use formalize_schema::DataSchema;
    /// use formalize_schema::editor::{SchemaText, WarningKind};
    /// use formalize_schema::questions::Questions;
    ///
    /// let text = r#"{"properties": {"a": {"type": "string", "title": "A", "x-form": {"widget": "map"}}}, "requried": ["a"]}"#;
    /// let questions = Questions::of(Some(&DataSchema::compile(text)?), None, None)?;
    /// let warnings = SchemaText::new(text)?.warnings(&questions);
    /// assert_eq!((warnings[0].kind, &*warnings[0].card), (WarningKind::FormMember, "/a"));
    /// assert_eq!((warnings[1].kind, &*warnings[1].detail), (WarningKind::Misspelled("required"), "requried"));
    /// # Ok::<(), formalize_schema::Rejection>(())
    /// ```
    pub fn warnings(&self, questions: &Questions) -> Vec<Warning> {
        let mut found = Vec::new();
        let mut warn = |kind, card: &str, detail: &str| {
            found.push(Warning {
                kind,
                card: card.to_owned(),
                detail: detail.to_owned(),
            });
        };
        for member in unused(self.value.get("x-form"), root_member_is_used) {
            warn(WarningKind::FormMember, "", &member);
        }
        let locations = self.locations();
        let mut drivers = Drivers {
            schema: self,
            answers: HashMap::new(),
        };
        for location in locations.iter().take(MAX_CARDS) {
            let card = location.pointer();
            let Some(schema) = self.at(&location.schema()) else {
                continue;
            };
            for member in unused(schema.get("x-form"), member_is_used) {
                warn(WarningKind::FormMember, &card, &member);
            }
            let has_label = ["title", "localizedName"]
                .iter()
                .any(|keyword| schema.get(keyword).is_some());
            if !has_label {
                warn(WarningKind::NoLabel, &card, &location.name);
            }
            if drivers.never_ask(location) {
                warn(WarningKind::NeverAsked, &card, &location.name);
            }
        }
        for one in misspelled(&self.value) {
            let card = Self::card_at(&locations, &path(&one.pointer)).unwrap_or_default();
            warn(WarningKind::Misspelled(one.keyword), &card, &one.written);
        }
        // A form without any question is not finished yet.
        let is_empty = locations.is_empty() && self.others().is_empty();
        let mut asked = vec![&questions.root];
        asked.retain(|_| !is_empty);
        while let Some(question) = asked.pop() {
            if matches!(question.kind, QuestionKind::Json | QuestionKind::Rest) {
                warn(WarningKind::AsJson, &question.pointer, &name_of(question));
            }
            asked.extend(question.children.iter().rev());
        }
        if !questions.is_complete {
            warn(WarningKind::TooLarge, "", "");
        }
        found
    }
}

/// The questions on which others depend. The answers of each are read once.
struct Drivers<'a> {
    schema: &'a SchemaText,
    /// The answers that a question can have; `None` if all.
    answers: HashMap<String, Option<HashSet<String>>>,
}

impl Drivers<'_> {
    /// Whether a condition requires an answer that is not among the choices of the other question.
    fn never_ask(&mut self, location: &Location) -> bool {
        let Some(condition) = &location.condition else {
            return false;
        };
        let schema = self.schema;
        let answers = self.answers.entry(condition.question.clone());
        let answers = answers.or_insert_with(|| {
            let driver = below(&[], ["properties", &condition.question]);
            let choices = schema.choices(&driver, &[])?.fields.into_iter();
            Some(choices.map(|choice| choice.value).collect())
        });
        let is_choice = |answer: &String| answers.as_ref().is_none_or(|all| all.contains(answer));
        !condition.answers.iter().any(is_choice)
    }
}

fn name_of(question: &Question) -> String {
    path(&question.pointer).pop().unwrap_or_default()
}

/// The members of an annotation that pages ignore.
fn unused(form: Option<&Value>, is_used: fn(&str, &Value) -> bool) -> Vec<String> {
    match form {
        None => Vec::new(),
        Some(Value::Object(members)) => {
            let unused = members.iter().filter(|(name, value)| !is_used(name, value));
            unused.map(|(name, _)| name.clone()).collect()
        }
        Some(_) => vec!["x-form".to_owned()],
    }
}

fn root_member_is_used(name: &str, value: &Value) -> bool {
    match name {
        "send" | "thanks" | "closed" => is_text(value),
        "autocomplete" => value == "off",
        "files" => are_texts_of_files(value),
        _ => false,
    }
}

/// Whether a value has labels and hints for groups of files, and nothing else.
fn are_texts_of_files(value: &Value) -> bool {
    let is_used = |(name, text): (&String, &Value)| {
        matches!(name.as_str(), "label" | "hint") && is_text(text)
    };
    let are_used = |texts: &Value| {
        texts
            .as_object()
            .is_some_and(|texts| texts.iter().all(is_used))
    };
    value
        .as_object()
        .is_some_and(|groups| groups.values().all(are_used))
}

fn member_is_used(name: &str, value: &Value) -> bool {
    match name {
        "hint" => is_text(value),
        "widget" => value.as_str().is_some_and(Widget::exists),
        "autocomplete" => value.is_string(),
        _ => false,
    }
}

/// Whether a value is a text, or texts by language.
fn is_text(value: &Value) -> bool {
    let are_texts = |texts: &Map<String, Value>| texts.values().all(Value::is_string);
    value.is_string() || value.as_object().is_some_and(are_texts)
}
