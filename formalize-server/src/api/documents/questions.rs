//! The questions of a form. The types describe the document; the library writes the JSON.

use formalize_http::failure::Violation;
use poem_openapi::{Enum, Object, types::Any};
use serde_json::Value;

/// The questions of a form, for data that was entered so far.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", skip_serializing_if_is_none)]
pub struct Questions {
    /// The question for the whole data. Its children are the questions of the form.
    pub question: Question,
    /// The questions for files, which follow those for the data: one for each group that the schema names in `files`.
    pub files: Option<Vec<FileQuestion>>,
    /// Whether everything that the schema asks for has a question. Otherwise a part of it is asked as JSON.
    pub is_complete: bool,
    /// The number of problems that are not in the tree because there are more than 64.
    pub omitted_problems: u32,
    /// What the page around the questions says, from `x-form` of the whole schema.
    pub texts: Option<FormTexts>,
}

/// A question for the files of one group.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", skip_serializing_if_is_none)]
pub struct FileQuestion {
    /// `files`.
    pub kind: FileKind,
    /// The group.
    pub file_attribute_name: String,
    /// The label in `x-form`, else the name of the group in words.
    pub label: String,
    /// A short hint how to answer, from `x-form`.
    pub hint: Option<String>,
    /// Whether there must be at least one file.
    pub required: bool,
    /// The minimum number of files.
    pub min_number: u64,
    /// The maximum number of files.
    pub max_number: u64,
    /// The maximum size of a file in MiB.
    pub max_size_mb: f64,
    /// The types that are allowed: `application/pdf`, `image/*` or `*/*`.
    pub allowed_mime_types: Vec<String>,
}

/// What a question for files asks for.
#[derive(Debug, Enum)]
#[oai(rename_all = "lowercase", rename = "FileQuestionKind")]
pub enum FileKind {
    /// Files.
    Files,
}

/// What the page around the questions says, if the schema has texts for it.
#[derive(Debug, Object)]
#[oai(skip_serializing_if_is_none)]
pub struct FormTexts {
    /// The label of the button that submits the answers.
    pub send: Option<String>,
    /// What to say after the answers were submitted.
    pub thanks: Option<String>,
    /// What to say while the form takes no submissions.
    pub closed: Option<String>,
}

/// A question about one location in the data.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", skip_serializing_if_is_none)]
pub struct Question {
    /// The location, as a JSON Pointer; `""` is the whole data.
    pub pointer: String,
    /// The kind of answer.
    pub kind: Kind,
    /// The name of the question. It is empty for the whole data if the schema has no title.
    pub label: String,
    /// An explanation.
    pub help: Option<String>,
    /// A short hint how to answer, from `x-form`.
    pub hint: Option<String>,
    /// The preferred control, from `x-form`.
    pub widget: Option<Widget>,
    /// A token of the HTML attribute of this name, from `x-form`.
    pub autocomplete: Option<String>,
    /// Whether the schema requires an answer.
    pub required: bool,
    /// Whether people may answer. Otherwise the value is only shown, or sent without being shown.
    pub editable: bool,
    /// Whether other questions depend on the answer.
    pub drives: bool,
    /// The data at this location. Questions with children have none, except that a variant has the index of its choice.
    pub value: Option<Any<Value>>,
    /// The value to begin with, from `default`.
    pub default: Option<Any<Value>>,
    /// The possible answers, or the names of the variants.
    pub choices: Option<Vec<Choice>>,
    /// Restrictions of the answer.
    pub limits: Option<Limits>,
    /// The problems of the data at this location, and at locations in it that have no question.
    pub problems: Option<Vec<Violation>>,
    /// The questions within this one.
    pub children: Option<Vec<Question>>,
}

/// What a question asks for.
#[derive(Debug, Enum)]
#[oai(rename_all = "kebab-case", rename = "QuestionKind")]
pub enum Kind {
    /// A line of text.
    Text,
    /// Several lines of text.
    LongText,
    /// An e-mail address.
    Email,
    /// A URI.
    Uri,
    /// A date.
    Date,
    /// A time of day, with its offset from UTC.
    Time,
    /// A date and time, with its offset from UTC.
    DateTime,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// Yes or no.
    Boolean,
    /// Yes, to something that must be agreed to.
    Consent,
    /// One of the choices.
    Choice,
    /// Some of the choices.
    Choices,
    /// The members of an object: the children.
    Group,
    /// Any number of items: the children.
    List,
    /// A fixed number of items: the children.
    Row,
    /// Which of several descriptions applies: the choices. The children are the questions of the chosen one.
    Variant,
    /// Nothing: the value is given.
    Const,
    /// Nothing: the value is only shown.
    Shown,
    /// The JSON of this part of the data.
    Json,
    /// The JSON of the members of an object that have no question.
    Rest,
}

/// A control that the author of the schema prefers.
#[derive(Debug, Enum)]
#[oai(rename_all = "lowercase", rename = "QuestionWidget")]
pub enum Widget {
    /// Several lines of text.
    Textarea,
    /// A button for each choice.
    Radio,
    /// A list to choose from.
    Select,
    /// None: the value is sent without being shown.
    Hidden,
}

/// A possible answer.
#[derive(Debug, Object)]
#[oai(rename = "QuestionChoice")]
pub struct Choice {
    /// The answer: a string as it is, other values as JSON. If both of two choices would have the same value, strings are
    /// JSON too. For variants, the index.
    pub value: String,
    /// The text to show.
    pub label: String,
}

/// Restrictions of an answer, with the names and meanings of the keywords of JSON Schema 2020-12.
#[derive(Debug, Object)]
#[oai(
    rename_all = "camelCase",
    skip_serializing_if_is_none,
    rename = "QuestionLimits"
)]
pub struct Limits {
    /// The minimum number of characters.
    pub min_length: Option<u64>,
    /// The maximum number of characters.
    pub max_length: Option<u64>,
    /// The least number.
    pub minimum: Option<f64>,
    /// The greatest number.
    pub maximum: Option<f64>,
    /// The number that the answer must exceed.
    pub exclusive_minimum: Option<f64>,
    /// The number that the answer must stay below.
    pub exclusive_maximum: Option<f64>,
    /// The number of which the answer must be a multiple.
    pub multiple_of: Option<f64>,
    /// The pattern (ECMA-262) that the text must match. If there are several, the first.
    pub pattern: Option<String>,
    /// The minimum number of items.
    pub min_items: Option<u64>,
    /// The maximum number of items.
    pub max_items: Option<u64>,
}
