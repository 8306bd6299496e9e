//! Makes the tree of questions, location by location.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::asked::{Answer, Asked, Member, Type, target};
use super::words::{in_language, spelled_out};
use super::{
    Choice, Entries, Extent, FormTexts, Question, QuestionKind, Questions, Widget, member,
};
use crate::schema::{
    Budget, Comparison, DataSchema, Outline, SpelledMembers, SubSchema, push_token, spend_on_asking,
};

/// The maximum number of levels of questions.
const MAX_DEPTH: usize = 8;

/// The maximum number of sub-schemas to look at.
const MAX_STEPS: usize = 100_000;

/// The maximum size of the page with all questions, in bytes, without the answers. The items of a list repeat the texts of
/// one schema, and HTML the names of questions.
const MAX_PAGE: usize = 4 * 1024 * 1024;

/// The maximum length of the name of a member that is asked, in characters. A page has it dozens of times.
const MAX_NAME: usize = 1_000;

/// The length from which a text is long, in characters.
const LONG: u64 = 200;

/// A part of the data: its value, and its JSON as it was written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Given<'d> {
    pub(super) value: &'d Value,
    pub(super) text: &'d RawValue,
}

impl<'d> Given<'d> {
    /// The members of an object.
    pub(super) fn members(self) -> BTreeMap<String, Given<'d>> {
        let Value::Object(values) = self.value else {
            return BTreeMap::new();
        };
        let texts = serde_json::from_str::<SpelledMembers<'d>>(self.text.get());
        let texts = texts.map(|members| members.0).unwrap_or_default();
        texts
            .into_iter()
            .filter_map(|(name, text)| {
                let name: String = serde_json::from_str(name.get()).ok()?;
                let value = values.get(&name)?;
                Some((name, Given { value, text }))
            })
            .collect()
    }

    /// The items of an array.
    pub(super) fn items(self) -> Vec<Given<'d>> {
        let values = self.value.as_array().into_iter().flatten();
        let texts: Vec<&'d RawValue> = serde_json::from_str(self.text.get()).unwrap_or_default();
        let pairs = values.zip(texts);
        pairs.map(|(value, text)| Given { value, text }).collect()
    }
}

/// A location in the data.
pub(super) struct Place<'d, 'o> {
    pointer: String,
    given: Option<Given<'d>>,
    /// The data to compare with conditions, once there is one.
    comparison: Option<Comparison<'o>>,
}

impl<'d, 'o> Place<'d, 'o> {
    fn new(pointer: String, given: Option<Given<'d>>) -> Self {
        Self {
            pointer,
            given,
            comparison: None,
        }
    }

    /// Whether the data here matches a sub-schema. Where there is no data, an empty object is compared.
    pub(super) fn fits(&mut self, walk: &Walk<'o>, schema: usize) -> bool {
        let given = self.given;
        let compare = || {
            let nothing = || Value::Object(Map::new());
            let value = given.map_or_else(nothing, |given| given.value.clone());
            walk.outline.compare(value)
        };
        self.comparison.get_or_insert_with(compare).fits(schema)
    }

    /// Whether the data here is an object with this member.
    pub(super) fn has_member(&self, name: &str) -> bool {
        self.given
            .is_some_and(|given| given.value.get(name).is_some())
    }
}

/// What the walk through schema and data has found.
pub(super) struct Walk<'o> {
    pub(super) outline: &'o Outline,
    language: Option<&'o str>,
    entries: Option<&'o Entries>,
    /// The number of questions that may still be asked.
    left: usize,
    steps_left: usize,
    page_left: usize,
    is_complete: bool,
    /// Whether a list without items has a question for one.
    asks_items: bool,
    /// The pointers of questions on which others depend.
    drivers: BTreeSet<String>,
    /// Whether other data may have other questions.
    depends_on_data: bool,
}

impl<'o> Walk<'o> {
    fn new(outline: &'o Outline, language: Option<&'o str>, entries: Option<&'o Entries>) -> Self {
        Self {
            outline,
            language,
            entries,
            left: Questions::MAX,
            steps_left: MAX_STEPS,
            page_left: MAX_PAGE,
            is_complete: true,
            asks_items: false,
            drivers: BTreeSet::new(),
            depends_on_data: false,
        }
    }
}

impl Walk<'_> {
    /// Counts a step. Returns `false` if there were too many.
    pub(super) fn step(&mut self) -> bool {
        spend_on_asking();
        let left = self.steps_left.checked_sub(1);
        self.steps_left = left.unwrap_or(0);
        self.is_complete &= left.is_some();
        left.is_some()
    }

    /// Counts what a question adds to the page. If that is too much, it is asked as the JSON of the data, and nothing more is
    /// asked. One whose children were counted before keeps these.
    fn count(&mut self, question: &mut Question, given: Option<Given<'_>>) {
        let value = question.value.take();
        let bytes = Extent::of(question).bytes;
        question.value = value;
        if let Some(left) = self.page_left.checked_sub(bytes) {
            self.page_left = left;
            return;
        }
        self.page_left = 0;
        self.left = 0;
        self.is_complete = false;
        question.help = None;
        question.hint = None;
        question.default = None;
        question.limits = super::Limits::default();
        question
            .label
            .truncate(question.label.floor_char_boundary(MAX_NAME));
        if question.children.is_empty() {
            question.kind = QuestionKind::Json;
            question.widget = None;
            question.choices.clear();
            question.value = given.map(|given| given.text.to_owned());
        }
    }

    /// Records the members on which something at a place depends.
    pub(super) fn note_drivers(&mut self, place: &Place<'_, '_>, drivers: &[Vec<&str>]) {
        self.depends_on_data = true;
        for path in drivers {
            let mut pointer = place.pointer.clone();
            for name in path {
                push_token(&mut pointer, name);
            }
            self.drivers.insert(pointer);
        }
    }
}

/// A location to ask about.
struct Subject<'a, 'd> {
    pointer: String,
    schemas: &'a [usize],
    /// The label if the schema has none.
    name: String,
    is_required: bool,
    given: Option<Given<'d>>,
    depth: usize,
    /// The sub-schemas of the enclosing locations without data: beyond data, a recursive schema is asked once.
    absent: &'a [usize],
}

/// The questions for some data.
pub(super) struct Tree {
    pub(super) questions: Questions,
    /// Whether other data may have other questions.
    pub(super) depends_on_data: bool,
}

impl Tree {
    /// Gives the questions of an empty form the values of other data. Returns whether they are the questions for it.
    pub(super) fn fill(&mut self, value: &Value, text: &str) -> bool {
        let given = serde_json::from_str(text).map(|text| Given { value, text });
        !self.depends_on_data
            && given.is_ok_and(|given| fill(&mut self.questions.root, Some(given)))
    }
}

fn fill(question: &mut Question, given: Option<Given<'_>>) -> bool {
    let children = &mut question.children;
    match question.kind {
        QuestionKind::Group => {
            let mut members = given.map(Given::members).unwrap_or_default();
            children.iter_mut().all(|child| {
                if child.kind == QuestionKind::Rest {
                    // It is the last one.
                    child.value = as_object(&members);
                    return true;
                }
                let given = members.remove(&last_token(&child.pointer));
                fill(child, given)
            })
        }
        QuestionKind::List | QuestionKind::Row => {
            let mut items = given.map(Given::items).unwrap_or_default().into_iter();
            children.iter_mut().all(|child| fill(child, items.next()))
        }
        QuestionKind::Variant => children.iter_mut().all(|child| fill(child, given)),
        kind => {
            question.value = given.map(|given| given.text.to_owned());
            keepable(kind, given) == kind
        }
    }
}

/// The questions of a schema.
pub(super) fn questions<'o>(
    outline: &'o Outline,
    given: Given<'_>,
    language: Option<&'o str>,
    entries: Option<&'o Entries>,
) -> Tree {
    let mut walk = Walk::new(outline, language, entries);
    let mut root = walk.question(&Subject {
        pointer: String::new(),
        schemas: &[0],
        name: String::new(),
        is_required: true,
        given: Some(given),
        depth: 0,
        absent: &[],
    });
    mark_drivers(&mut root, &walk.drivers);
    let schema = outline.schema(0);
    let text = |name| walk.form_text(name, schema.into_iter());
    let questions = Questions {
        texts: FormTexts {
            send: text("send"),
            thanks: text("thanks"),
            closed: text("closed"),
        },
        root,
        files: Vec::new(),
        is_complete: walk.is_complete,
        omitted_problems: 0,
    };
    Tree {
        questions,
        depends_on_data: walk.depends_on_data,
    }
}

/// The questions at locations, independent of the answers to others. Each has alternatives, which consist of sub-schemas that
/// apply together. With `items`, lists have the question for an item. Returns none if that would take too long.
pub fn at_locations<'l>(
    schema: &DataSchema,
    language: Option<&str>,
    items: bool,
    locations: impl Iterator<Item = &'l [Vec<usize>]> + Send,
) -> Vec<Question> {
    let work = |outline| {
        let mut walk = Walk::new(outline, language, None);
        walk.asks_items = items;
        locations
            .map(|alternatives| walk.at_location(alternatives))
            .collect()
    };
    let asked = schema.ask(&mut Budget::checking(), &Value::Null, work);
    asked.unwrap_or_default()
}

fn mark_drivers(question: &mut Question, drivers: &BTreeSet<String>) {
    let is_fixed = matches!(question.kind, QuestionKind::Const | QuestionKind::Shown);
    let has_answer =
        !is_fixed && !matches!(question.kind, QuestionKind::Group | QuestionKind::Rest);
    question.drives = question.kind == QuestionKind::Variant
        || (has_answer && drivers.contains(&question.pointer));
    for child in &mut question.children {
        mark_drivers(child, drivers);
    }
}

impl<'o> Walk<'o> {
    /// The question at a location, in any of some alternatives. If they ask for the same kind of answer, it has the
    /// choices of all.
    fn at_location(&mut self, alternatives: &[Vec<usize>]) -> Question {
        let mut each = alternatives.iter().map(|schemas| {
            self.question(&Subject {
                pointer: String::new(),
                schemas,
                name: String::new(),
                is_required: false,
                given: None,
                depth: 0,
                absent: &[],
            })
        });
        let unclear = || Question::at(String::new(), QuestionKind::Json);
        let mut question = each.next().unwrap_or_else(unclear);
        for other in each {
            if other.kind != question.kind {
                return unclear();
            }
            for choice in other.choices {
                let mut known = question.choices.iter();
                if !known.any(|known| known.answer == choice.answer) {
                    question.choices.push(choice);
                }
            }
        }
        question
    }

    fn question(&mut self, subject: &Subject<'_, '_>) -> Question {
        self.left = self.left.saturating_sub(1);
        let mut place = Place::new(subject.pointer.clone(), subject.given);
        let mut asked = Asked::at(self, &mut place, subject.schemas);
        let is_recursive = subject
            .schemas
            .iter()
            .any(|one| subject.absent.contains(one));
        self.depends_on_data |= is_recursive;
        asked.is_unclear |= is_recursive || subject.depth > MAX_DEPTH;
        if asked.is_unclear || asked.variants.is_empty() {
            return self.plain(subject, &asked);
        }
        self.variant(subject, &mut place, asked)
    }

    /// A choice between alternatives, with the questions of the one that the data fits.
    fn variant(
        &mut self,
        subject: &Subject<'_, '_>,
        place: &mut Place<'_, 'o>,
        mut asked: Asked<'o>,
    ) -> Question {
        let [variants] = asked.variants.as_slice() else {
            // Two independent choices at the same location have no question.
            asked.is_unclear = true;
            return self.plain(subject, &asked);
        };
        let variants = variants.clone();
        let chosen = if let Some(chosen) = self.chosen(&subject.pointer) {
            chosen.parse().ok().filter(|at| *at < variants.len())
        } else {
            self.depends_on_data = true;
            let fits = |one: &usize| place.fits(self, *one);
            subject.given.and_then(|_| variants.iter().position(fits))
        };
        let mut question = self.described(subject, &asked, QuestionKind::Variant);
        question.choices = variants
            .iter()
            .enumerate()
            .map(|(at, schema)| Choice {
                value: at.to_string(),
                label: self.name_of_variant(*schema, at),
                answer: Value::Null,
            })
            .collect();
        question.value = chosen.and_then(|at| RawValue::from_string(at.to_string()).ok());
        self.count(&mut question, subject.given);
        if question.kind == QuestionKind::Json {
            return question;
        }
        if let Some(schema) = chosen.and_then(|at| variants.get(at)) {
            asked.variants.clear();
            asked.add(self, place, *schema);
            // Alternatives within alternatives are not unfolded.
            asked.is_unclear |= !asked.variants.is_empty();
        }
        if chosen.is_some() || !asked.members.is_empty() {
            let inner = self.plain(subject, &asked);
            question.children.push(inner);
        }
        question
    }

    /// The variant that a person has chosen, if there was a choice.
    fn chosen(&self, pointer: &str) -> Option<&'o str> {
        self.entries?.variant(pointer)
    }

    /// The title of an alternative, else its type, else its number.
    fn name_of_variant(&self, schema: usize, at: usize) -> String {
        let stated = self.outline.schema(schema).into_iter();
        let named = self.name(stated.chain(target(self.outline, schema)));
        let only_type = || {
            let keywords = &target(self.outline, schema)?.keywords;
            keywords.get("type")?.as_str().map(str::to_owned)
        };
        let number = || at.saturating_add(1).to_string();
        named.or_else(only_type).unwrap_or_else(number)
    }

    /// The question for united sub-schemas without alternatives.
    fn plain(&mut self, subject: &Subject<'_, '_>, asked: &Asked<'o>) -> Question {
        let kind = keepable(self.kind(asked), subject.given);
        let mut question = self.described(subject, asked, kind);
        question.limits = asked.limits.clone();
        let text = subject.given.map(|given| given.text.to_owned());
        match kind {
            QuestionKind::Variant => return self.types(subject, asked, question),
            QuestionKind::Group => self.group(subject, asked, &mut question),
            QuestionKind::List | QuestionKind::Row => self.list(subject, asked, &mut question),
            QuestionKind::Choice => {
                let mut answers = asked.answers.clone().unwrap_or_default();
                // Where no answer is required, `null` is the same as none.
                if subject.is_required && asked.takes_null() {
                    answers.push(Answer::NULL);
                }
                question.choices = self.choices(&answers);
                question.value = text;
            }
            QuestionKind::Choices => {
                let mut place = Place::new(String::new(), None);
                let items = Asked::at(self, &mut place, &asked.items);
                question.choices = self.choices(items.answers.as_deref().unwrap_or_default());
                question.value = text;
            }
            _ => question.value = text,
        }
        self.count(&mut question, subject.given);
        question
    }

    fn kind(&mut self, asked: &Asked<'o>) -> QuestionKind {
        use QuestionKind as Kind;
        if asked.is_unclear || asked.is_forbidden {
            return Kind::Json;
        }
        if asked.keyword("readOnly") == Some(&Value::Bool(true)) {
            return Kind::Shown;
        }
        let is_boolean = asked.only_type() == Some(Type::Boolean);
        let must_be = |value: bool| {
            let value = Value::Bool(value);
            let answers = asked.answers.as_deref();
            asked.constant == Some(&value)
                || answers.is_some_and(|answers| matches!(answers, [only] if only.value == &value))
        };
        if is_boolean && must_be(true) {
            return Kind::Consent;
        }
        if asked.constant.is_some() {
            return Kind::Const;
        }
        if let Some(answers) = &asked.answers {
            return if answers.is_empty() {
                Kind::Json
            } else {
                Kind::Choice
            };
        }
        let several = asked.types.as_ref().is_some_and(|types| types.len() > 1);
        match asked.only_type() {
            None if several => Kind::Variant,
            None => Kind::Json,
            Some(Type::Boolean) => Kind::Boolean,
            Some(Type::Integer) => Kind::Integer,
            Some(Type::Number) => Kind::Number,
            Some(Type::Text) => text_kind(asked),
            Some(Type::Object) if asked.members.is_empty() || has_lines_in_name(asked) => {
                Kind::Json
            }
            Some(Type::Object) => Kind::Group,
            Some(Type::Array) if !asked.prefix.is_empty() => Kind::Row,
            Some(Type::Array) if asked.items.is_empty() => Kind::Json,
            Some(Type::Array) if asked.are_items_unique && self.is_choice(&asked.items) => {
                Kind::Choices
            }
            Some(Type::Array) => Kind::List,
        }
    }

    fn is_choice(&mut self, schemas: &[usize]) -> bool {
        let mut place = Place::new(String::new(), None);
        let items = Asked::at(self, &mut place, schemas);
        let is_choice = items
            .answers
            .as_ref()
            .is_some_and(|answers| !answers.is_empty());
        is_choice && !items.is_unclear && items.variants.is_empty() && items.constant.is_none()
    }

    /// A question with its texts.
    fn described(
        &self,
        subject: &Subject<'_, '_>,
        asked: &Asked<'o>,
        kind: QuestionKind,
    ) -> Question {
        let form = asked.keyword("x-form");
        let text = |name: &str| member(form, name).and_then(Value::as_str);
        let schemas = || asked.schemas.iter().copied();
        let words = |of: fn(&SubSchema) -> &crate::schema::Words| {
            schemas().find_map(|schema| in_language(of(schema), self.language))
        };
        let help = words(|schema| &schema.descriptions);
        let stated = asked.keyword("description").and_then(Value::as_str);
        // Consent is given by ticking a box, so the box is always shown and nothing but a person ticks it.
        let is_consent = kind == QuestionKind::Consent;
        let widget = text("widget").and_then(Widget::of);
        let widget = widget.filter(|widget| !is_consent || *widget != Widget::Hidden);
        let default = asked.constant.or(asked.keyword("default"));
        let is_fixed = matches!(kind, QuestionKind::Const | QuestionKind::Shown);
        Question {
            label: self.name(schemas()).unwrap_or_else(|| subject.name.clone()),
            help: help.or(stated).map(str::to_owned),
            hint: self.form_text("hint", schemas()),
            widget,
            autocomplete: text("autocomplete").map(str::to_owned),
            is_required: subject.is_required,
            is_editable: !is_fixed && widget != Some(Widget::Hidden),
            default: default.filter(|_| !is_consent).cloned(),
            ..Question::at(subject.pointer.clone(), kind)
        }
    }

    /// A text of `x-form`, if the schemas have one.
    fn form_text<'s>(
        &self,
        name: &str,
        mut schemas: impl Iterator<Item = &'s SubSchema>,
    ) -> Option<String> {
        schemas.find_map(|schema| {
            let mut texts = schema.form_texts.iter();
            let (_, words) = texts.find(|(known, _)| *known == name)?;
            in_language(words, self.language).map(str::to_owned)
        })
    }

    /// The name that the schemas give, if any.
    fn name<'s>(&self, mut schemas: impl Iterator<Item = &'s SubSchema>) -> Option<String> {
        schemas.find_map(|schema| {
            let title = || schema.keywords.get("title").and_then(Value::as_str);
            in_language(&schema.names, self.language)
                .or_else(title)
                .map(str::to_owned)
        })
    }

    fn choices(&self, answers: &[Answer<'_>]) -> Vec<Choice> {
        let plain = |value: &Value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        // A string can look like another answer: `1` and `"1"`.
        let mut texts = HashMap::new();
        for answer in answers {
            let count: &mut usize = texts.entry(plain(answer.value)).or_default();
            *count = count.saturating_add(1);
        }
        let is_unique = |text: &str| texts.get(text).is_none_or(|count| *count < 2);
        let choice = |answer: &Answer<'_>| {
            let text = plain(answer.value);
            let name = self.name(answer.schema.into_iter());
            Choice {
                label: name.unwrap_or_else(|| text.clone()),
                answer: answer.value.clone(),
                // An empty text would be no answer.
                value: if is_unique(&text) && !text.is_empty() {
                    text
                } else {
                    answer.value.to_string()
                },
            }
        };
        answers.iter().map(choice).collect()
    }

    /// A choice between types, with the question for the type of the data.
    fn types(
        &mut self,
        subject: &Subject<'_, '_>,
        asked: &Asked<'o>,
        mut question: Question,
    ) -> Question {
        let types: Vec<Type> = asked.types.iter().flatten().copied().collect();
        let given = subject.given.map(|given| given.value);
        let fitting = || given.and_then(|value| types.iter().position(|one| one.is_of(value)));
        let chosen = self.chosen(&subject.pointer);
        self.depends_on_data |= chosen.is_none();
        let chosen = chosen.map_or_else(fitting, |chosen| chosen.parse().ok());
        question.choices = types
            .iter()
            .enumerate()
            .map(|(at, one)| Choice {
                value: at.to_string(),
                label: one.as_str().to_owned(),
                answer: Value::Null,
            })
            .collect();
        question.limits = super::Limits::default();
        let chosen = chosen.and_then(|at| Some((at, *types.get(at)?)));
        question.value = chosen.and_then(|(at, _)| RawValue::from_string(at.to_string()).ok());
        self.count(&mut question, subject.given);
        let Some((_, only)) = chosen.filter(|_| question.kind == QuestionKind::Variant) else {
            return question;
        };
        let mut place = Place::new(subject.pointer.clone(), subject.given);
        let mut narrowed = Asked::at(self, &mut place, subject.schemas);
        narrowed.types = Some(BTreeSet::from([only]));
        let inner = self.plain(subject, &narrowed);
        question.children.push(inner);
        question
    }

    fn group(&mut self, subject: &Subject<'_, '_>, asked: &Asked<'o>, question: &mut Question) {
        let mut given = subject.given.map(Given::members).unwrap_or_default();
        let absent = absent_below(subject);
        let mut is_cut = false;
        for Member { name, schemas } in &asked.members {
            let value = given.get(*name).copied();
            if value.is_none() && self.is_forbidden(schemas) {
                self.depends_on_data = true;
                continue;
            }
            if self.left == 0 {
                is_cut = true;
                break;
            }
            if name.len() > MAX_NAME && name.chars().count() > MAX_NAME {
                is_cut = true;
                continue;
            }
            given.remove(*name);
            let mut pointer = subject.pointer.clone();
            push_token(&mut pointer, name);
            let child = self.question(&Subject {
                pointer,
                schemas,
                name: spelled_out(name),
                is_required: asked.required.contains(name),
                given: value,
                depth: subject.depth.saturating_add(1),
                absent: &absent,
            });
            question.children.push(child);
        }
        is_cut |= asked.has_more_members;
        self.is_complete &= !is_cut;
        if is_cut || asked.takes_other_members {
            let mut rest = Question::at(subject.pointer.clone(), QuestionKind::Rest);
            rest.value = as_object(&given);
            question.children.push(rest);
        }
    }

    /// Whether nothing is allowed for a member.
    fn is_forbidden(&mut self, schemas: &[usize]) -> bool {
        let outline = self.outline;
        schemas
            .iter()
            .any(|schema| outline.schema(*schema).is_some_and(|found| found.is_false))
    }

    fn list(&mut self, subject: &Subject<'_, '_>, asked: &Asked<'o>, question: &mut Question) {
        let given = subject.given.map(Given::items).unwrap_or_default();
        let absent = absent_below(subject);
        let least = asked.limits.min_items.unwrap_or(0);
        let least = usize::try_from(least)
            .unwrap_or(usize::MAX)
            .min(Entries::MAX_ITEMS);
        let entered = self
            .entries
            .and_then(|entries| entries.items(&subject.pointer));
        let count = match (question.kind, entered) {
            (QuestionKind::Row, _) => asked.prefix.len(),
            (_, Some(items)) => items.len(),
            (_, None) => {
                self.depends_on_data = true;
                given.len().max(least).max(usize::from(self.asks_items))
            }
        };
        for at in 0..count {
            if count > Entries::MAX_ITEMS || self.left == 0 {
                // Some items with a question and others without would be confusing to edit.
                self.is_complete = false;
                question.kind = QuestionKind::Json;
                question.children.clear();
                question.value = subject.given.map(|given| given.text.to_owned());
                break;
            }
            let schemas = asked.prefix.get(at).unwrap_or(&asked.items);
            let mut pointer = subject.pointer.clone();
            push_token(&mut pointer, &at.to_string());
            let child = self.question(&Subject {
                pointer,
                schemas,
                name: at.saturating_add(1).to_string(),
                is_required: true,
                given: given.get(at).copied(),
                depth: subject.depth.saturating_add(1),
                absent: &absent,
            });
            question.children.push(child);
        }
    }
}

/// The sub-schemas that must not be asked again below a location, if it has no data.
fn absent_below(subject: &Subject<'_, '_>) -> Vec<usize> {
    if subject.given.is_some() {
        return Vec::new();
    }
    [subject.absent, subject.schemas].concat()
}

/// Whether a member has a name with several lines. Browsers change line breaks to CRLF, also in names.
fn has_lines_in_name(asked: &Asked<'_>) -> bool {
    let mut names = asked.members.iter().map(|member| member.name);
    names.any(|name| name.contains(['\r', '\n']))
}

/// The last token of a JSON Pointer.
pub(super) fn last_token(pointer: &str) -> String {
    let token = pointer.rsplit('/').next().unwrap_or_default();
    // Hardly any name has anything to replace, and looking for it twice takes longer than the copy.
    if token.contains('~') {
        token.replace("~1", "/").replace("~0", "~")
    } else {
        token.to_owned()
    }
}

/// The kind of question for data that the input of a page may not return as it is: inputs of one line remove line
/// breaks, browsers change line breaks to CRLF, and remove the blanks around addresses.
fn keepable(kind: QuestionKind, given: Option<Given<'_>>) -> QuestionKind {
    use QuestionKind as Kind;
    let is_address = matches!(kind, Kind::Email | Kind::Uri);
    let is_line = is_address || matches!(kind, Kind::Date | Kind::Time | Kind::DateTime);
    let text = given
        .and_then(|given| given.value.as_str())
        .unwrap_or_default();
    match kind {
        Kind::Text if text.contains('\n') && !text.contains(['\r', '\0']) => Kind::LongText,
        Kind::Text | Kind::LongText if text.contains(['\r', '\0']) => Kind::Json,
        _ if is_line && text.contains(['\r', '\0', '\n']) => Kind::Json,
        _ if is_address && text.trim() != text => Kind::Json,
        kind => kind,
    }
}

fn text_kind(asked: &Asked<'_>) -> QuestionKind {
    use QuestionKind as Kind;
    match asked.format {
        Some("email" | "idn-email") => Kind::Email,
        Some("uri" | "iri") => Kind::Uri,
        Some("date") => Kind::Date,
        Some("time") => Kind::Time,
        Some("date-time") => Kind::DateTime,
        _ => {
            let widget = member(asked.keyword("x-form"), "widget");
            let is_long = asked.limits.max_length.is_some_and(|most| most > LONG);
            let is_area = widget.and_then(Value::as_str) == Some("textarea");
            if is_long || is_area {
                Kind::LongText
            } else {
                Kind::Text
            }
        }
    }
}

/// The JSON of members without a question; `None` if there are none.
fn as_object(members: &BTreeMap<String, Given<'_>>) -> Option<Box<RawValue>> {
    if members.is_empty() {
        return None;
    }
    let texts: BTreeMap<_, _> = members
        .iter()
        .map(|(name, given)| (name, given.text))
        .collect();
    serde_json::value::to_raw_value(&texts).ok()
}
