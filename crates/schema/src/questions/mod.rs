//! The questions that a form asks, as a tree: what a form renderer needs to know, without interpreting JSON Schema.
//!
//! [`Questions::of`] is a function of a schema, the data entered so far and a language. Which questions apply is
//! decided by the validator that judges submissions, so a question is asked if and only if its answer can matter:
//! conditions (`if`, `dependentSchemas`, …) are evaluated for the data as it is.
//!
//! # Which kind of question
//!
//! | Schema | [`QuestionKind`] |
//! |---|---|
//! | `string` | `Text`; `LongText` if `maxLength` is over 200 or `x-form` asks for a `textarea`; `Email`, `Uri`, `Date`, `Time`, `DateTime` by `format` |
//! | `integer`, `number`, `boolean` | `Integer`, `Number`, `Boolean`; `Consent` for a boolean that must be `true` |
//! | `enum`; `oneOf` or `anyOf` of constants | `Choice` |
//! | `array` of such, with `uniqueItems` | `Choices` |
//! | `object`, other `array`, `prefixItems` | `Group`, `List`, `Row` |
//! | `oneOf` or `anyOf` of other schemas, several types | `Variant`, with the questions of the variant that the data fits |
//! | `const`; `readOnly` | `Const`; `Shown` |
//! | everything else | `Json`: the JSON of this part of the data |
//!
//! A type is inferred from `properties`, `items`, `prefixItems` and `format` where it is not stated. `null` next to other
//! types means that there is no answer; a required choice with `null` among its values offers it. If several sub-schemas
//! describe the same location, they are united; if they contradict each other, the question is `Json`.
//!
//! # Files
//!
//! The groups of files that a schema names in `files` are not part of the data. Each has a [`FileQuestion`] of its own, in
//! [`Questions::files`]. Files in other groups (`additionalFiles`) are not asked for.
//!
//! # Order
//!
//! Questions have the order of the schema's text. Questions that depend on others follow the last of those.
//!
//! # Annotations
//!
//! `localizedName` and `localizedDescription` have texts by language; without them, `title` and `description` are used,
//! or the name of the member in words. `x-form` at a property has `widget` (`textarea`, `radio`, `select`, `hidden`),
//! `hint` (a text, or texts by language) and `autocomplete`; `x-form` of the whole schema has `send`, `thanks` and `closed`,
//! the texts of [`FormTexts`], `autocomplete`, and `files`: for each group of files, `label` and `hint`. Unknown members and values of `x-form` are ignored.
//!
//! # From a page to data
//!
//! [`Answers::of`] makes the data from what a person has entered on a page with these questions ([`Entries`]). Data that is
//! sent back as it was shown keeps its meaning, whatever the schema; only empty texts, objects and lists, `null`, and
//! items of these at the end of a list cannot be told from no answer.
//!
//! # To people who read answers
//!
//! [`Question::shown_answer`] has the labels of what was chosen instead of stored values ([`ShownAnswer`]).
//!
//! # As JSON
//!
//! The types implement `Serialize`: members have the names of the fields in camel case, without `is_` in a question, and
//! empty ones are omitted.
//!
//! # Limits
//!
//! There are at most [`Questions::MAX`] questions in eight levels, and a page with them has at most about 4 MiB beside the
//! answers. What is beyond is asked as JSON, and so are members whose names have more than 1,000 characters. The work is
//! limited like that of one validation.

mod answers;
mod asked;
mod entries;
mod extent;
mod files;
mod limits;
mod problems;
mod shown;
mod time_zone;
pub(crate) mod walk;
mod words;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::schema::{
    Budget, DataSchema, FileAttributeName, Rejection, Violation, judge, parse_json,
};

pub use answers::Answers;
pub use entries::{Entries, InvalidEntry};
pub use extent::Extent;
pub use files::FileQuestion;
pub use limits::Limits;
pub use shown::ShownAnswer;
pub use time_zone::TimeZone;
use walk::{Given, Tree};

/// The questions of a form.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Questions {
    /// The question for the whole data. Its children are the questions of the form.
    #[serde(rename = "question")]
    pub root: Question,
    /// The questions for files, which follow those for the data.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileQuestion>,
    /// Whether everything that the schema asks for has a question. Otherwise a part of it is asked as JSON.
    pub is_complete: bool,
    /// The number of problems that are not in the tree because there are more than [`Questions::MAX_PROBLEMS`].
    pub omitted_problems: usize,
    /// What the page around the questions says, from `x-form` of the whole schema.
    #[serde(skip_serializing_if = "FormTexts::is_empty")]
    pub texts: FormTexts,
}

/// What the page around the questions says, if the schema has texts for it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FormTexts {
    /// The label of the button that submits the answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub send: Option<String>,
    /// What to say after the answers were submitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thanks: Option<String>,
    /// What to say while the form takes no submissions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed: Option<String>,
}

impl FormTexts {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A question about one location in the data.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// The location, as a JSON Pointer; `""` is the whole data.
    pub pointer: String,
    /// The kind of answer.
    pub kind: QuestionKind,
    /// The name of the question. It is empty for the whole data if the schema has no title.
    pub label: String,
    /// An explanation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// A short hint how to answer, from `x-form`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The preferred control, from `x-form`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub widget: Option<Widget>,
    /// A token of the HTML attribute of this name, from `x-form`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autocomplete: Option<String>,
    /// Whether the schema requires an answer.
    #[serde(rename = "required")]
    pub is_required: bool,
    /// Whether people may answer. Otherwise the value is only shown, or sent without being shown.
    #[serde(rename = "editable")]
    pub is_editable: bool,
    /// Whether other questions depend on the answer.
    pub drives: bool,
    /// The JSON of the data at this location, exactly as it was written. Questions with children have none, except that a
    /// variant has the index of its choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Box<RawValue>>,
    /// The value to begin with, from `default`. [`Consent`](QuestionKind::Consent) has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// The possible answers, or the names of the variants.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
    /// Restrictions of the answer.
    #[serde(skip_serializing_if = "Limits::is_empty")]
    pub limits: Limits,
    /// The problems of the data at this location, and at locations in it that have no question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Violation>,
    /// The questions within this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Question>,
}

/// A possible answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// The answer: a string as it is, other values as JSON. If both of two choices would have the same value (`1` and
    /// `"1"`), strings are JSON too. For variants, the index.
    pub value: String,
    /// The text to show.
    pub label: String,
    /// The answer as a value of JSON.
    #[serde(skip)]
    answer: Value,
}

impl Choice {
    /// The label, if the schema gives one.
    pub(crate) fn own_label(&self) -> Option<&str> {
        (self.label != self.value).then_some(self.label.as_str())
    }

    /// The answer to a question for a boolean.
    pub(crate) fn of_boolean(answer: bool) -> Self {
        Self {
            value: answer.to_string(),
            label: answer.to_string(),
            answer: Value::Bool(answer),
        }
    }

    /// The value that the data has if this is chosen.
    pub fn answer(&self) -> &Value {
        &self.answer
    }

    /// Whether a value is this answer.
    pub fn is(&self, value: &Value) -> bool {
        self.answer == *value
    }
}

/// What a question asks for. The [module](self) has the rules.
#[expect(missing_docs, reason = "the names are those of the table above")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QuestionKind {
    Text,
    LongText,
    Email,
    Uri,
    Date,
    Time,
    DateTime,
    Integer,
    Number,
    Boolean,
    Consent,
    Choice,
    Choices,
    Group,
    List,
    Row,
    Variant,
    Const,
    Shown,
    Json,
    /// The JSON of the members of an object that have no question.
    Rest,
}

impl QuestionKind {
    /// The name, as in the REST interface.
    ///
    /// ```
    /// assert_eq!(formalize_schema::questions::QuestionKind::LongText.as_str(), "long-text");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::LongText => "long-text",
            Self::Email => "email",
            Self::Uri => "uri",
            Self::Date => "date",
            Self::Time => "time",
            Self::DateTime => "date-time",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Consent => "consent",
            Self::Choice => "choice",
            Self::Choices => "choices",
            Self::Group => "group",
            Self::List => "list",
            Self::Row => "row",
            Self::Variant => "variant",
            Self::Const => "const",
            Self::Shown => "shown",
            Self::Json => "json",
            Self::Rest => "rest",
        }
    }
}

impl Serialize for QuestionKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A control that the author of the schema prefers.
#[expect(missing_docs, reason = "the names are those of the controls")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Widget {
    Textarea,
    Radio,
    Select,
    Hidden,
}

impl Widget {
    /// The name, as in `x-form` and in the REST interface.
    ///
    /// ```
    /// assert_eq!(formalize_schema::questions::Widget::Radio.as_str(), "radio");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Textarea => "textarea",
            Self::Radio => "radio",
            Self::Select => "select",
            Self::Hidden => "hidden",
        }
    }

    /// Whether a control has this name.
    pub(crate) fn exists(name: &str) -> bool {
        Self::of(name).is_some()
    }

    fn of(name: &str) -> Option<Self> {
        let all = [Self::Textarea, Self::Radio, Self::Select, Self::Hidden];
        all.into_iter().find(|widget| widget.as_str() == name)
    }
}

impl Serialize for Widget {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Questions {
    /// The maximum number of questions.
    pub const MAX: usize = 1_000;

    /// The maximum number of problems in the tree.
    pub const MAX_PROBLEMS: usize = Rejection::MAX_VIOLATIONS;

    /// The questions for data that was entered so far, in a language.
    ///
    /// A form without a schema has one question, for any JSON object. Without data, the questions are those of an empty
    /// form, and there are no problems. `language` is a tag such as `de-AT`; without a text in that language, the first
    /// one in the schema is used.
    ///
    /// # Errors
    ///
    /// A rejection if `data` is not JSON. Data that violates the schema has [problems](Question::problems) instead.
    ///
    /// ```
    /// use formalize_schema::DataSchema;
    /// use formalize_schema::questions::{QuestionKind, Questions};
    ///
    /// let schema = DataSchema::compile(r#"{
    ///     "required": ["email"],
    ///     "properties": {"email": {"format": "email"}, "guests": {"type": "integer"}},
    ///     "if": {"properties": {"guests": {"minimum": 1}}, "required": ["guests"]},
    ///     "then": {"properties": {"firstGuest": {"type": "string"}}}
    /// }"#)?;
    /// let questions = Questions::of(Some(&schema), Some(r#"{"guests": 2}"#), None)?;
    /// let [email, guests, first_guest] = questions.root.children.as_slice() else { panic!() };
    /// assert_eq!(email.kind, QuestionKind::Email);
    /// assert_eq!(email.problems[0].message, "`email` is required");
    /// assert!(guests.drives);
    /// assert_eq!(first_guest.label, "First guest");
    /// # Ok::<(), formalize_schema::Rejection>(())
    /// ```
    pub fn of(
        schema: Option<&DataSchema>,
        data: Option<&str>,
        language: Option<&str>,
    ) -> Result<Self, Rejection> {
        let text = data.unwrap_or("{}").trim();
        let value = parse_json(text)?;
        let mut budget = Budget::checking();
        let tree = Self::unjudged(schema, &value, text, language, None, &mut budget);
        let questions = tree.map(|tree| tree.questions);
        let mut questions = questions.unwrap_or_else(|| Self::incomplete(text));
        questions.files = files::questions(schema, language);
        if data.is_some()
            && let Err(rejection) = judge(schema, &value)
        {
            questions.place_rejection(rejection);
        }
        Ok(questions)
    }

    /// The questions for parsed data, without problems. `entries` decide about variants and the number of items.
    ///
    /// Returns `None` if that exhausts the budget.
    fn unjudged(
        schema: Option<&DataSchema>,
        value: &Value,
        text: &str,
        language: Option<&str>,
        entries: Option<&Entries>,
        budget: &mut Budget,
    ) -> Option<Tree> {
        let Some(schema) = schema else {
            return Some(Tree {
                questions: Self::as_json(text),
                depends_on_data: false,
            });
        };
        let text = serde_json::from_str(text).ok()?;
        let given = Given { value, text };
        let work = |outline| walk::questions(outline, given, language, entries);
        schema.ask(budget, value, work)
    }

    /// One question, for the JSON of the whole data, instead of those that the schema asks.
    fn incomplete(text: &str) -> Self {
        Self {
            is_complete: false,
            ..Self::as_json(text)
        }
    }

    /// Adds the problems of the data to the questions that they are about, or to the nearest ones above.
    ///
    /// ```
    /// use formalize_schema::DataSchema;
    /// use formalize_schema::questions::Questions;
    ///
    /// let schema = DataSchema::compile(r#"{"required": ["a"], "properties": {"a": {"type": "string"}}}"#)?;
    /// let mut questions = Questions::of(Some(&schema), None, None)?;
    /// let rejection = schema.validate(&serde_json::json!({})).unwrap_err();
    /// questions.place_rejection(rejection);
    /// assert_eq!(questions.root.children[0].problems.len(), 1);
    /// # Ok::<(), formalize_schema::Rejection>(())
    /// ```
    pub fn place_rejection(&mut self, rejection: Rejection) {
        self.omitted_problems += rejection.omitted();
        self.place(rejection.into_parts().1);
    }

    /// The same for problems that are not those of a rejection.
    pub fn place(&mut self, problems: Vec<Violation>) {
        problems::place(self, problems);
    }

    /// Adds a problem of files to the question for their group, once. If the group has no question, it is a problem of the
    /// whole.
    ///
    /// ```
    /// use formalize_schema::DataSchema;
    /// use formalize_schema::questions::Questions;
    ///
    /// let schema = DataSchema::compile(r#"{"required": ["name"], "files": {"cv": {"allowedMimeTypes": ["*/*"]}}}"#)?;
    /// let mut questions = Questions::of(Some(&schema), None, None)?;
    /// let problem = schema.validate(&serde_json::json!({})).unwrap_err().violations()[0].clone();
    /// let cv = questions.files[0].attribute.clone();
    /// questions.place_file(&cv, &problem);
    /// assert_eq!(questions.files[0].problems, [problem]);
    /// # Ok::<(), formalize_schema::Rejection>(())
    /// ```
    pub fn place_file(&mut self, group: &FileAttributeName, problem: &Violation) {
        problems::place_file(self, group, problem);
    }

    /// One question, for the JSON of the whole data.
    fn as_json(text: &str) -> Self {
        Self {
            root: Question {
                value: RawValue::from_string(text.to_owned()).ok(),
                is_required: true,
                ..Question::at(String::new(), QuestionKind::Json)
            },
            files: Vec::new(),
            is_complete: true,
            omitted_problems: 0,
            texts: FormTexts::default(),
        }
    }
}

impl Question {
    /// A question without texts, restrictions and children.
    pub(crate) fn at(pointer: String, kind: QuestionKind) -> Self {
        Self {
            pointer,
            kind,
            label: String::new(),
            help: None,
            hint: None,
            widget: None,
            autocomplete: None,
            is_required: false,
            is_editable: true,
            drives: false,
            value: None,
            default: None,
            choices: Vec::new(),
            limits: Limits::default(),
            problems: Vec::new(),
            children: Vec::new(),
        }
    }
}

/// The value of a member of an annotation.
fn member<'v>(annotation: Option<&'v Value>, name: &str) -> Option<&'v Value> {
    annotation
        .and_then(Value::as_object)
        .and_then(|members: &Map<String, Value>| members.get(name))
}

#[cfg(test)]
mod tests;
