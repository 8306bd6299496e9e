//! The summary of the submissions of a form. The types describe the document; the library writes the JSON.

use std::borrow::Cow;

use poem_openapi::{
    Object,
    registry::{MetaSchema, MetaSchemaRef},
    types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type},
};
use serde_json::Value;

use formalize_views::OrNull;

use super::questions::Kind;

/// A summary of the submissions of a form.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct SubmissionsSummary {
    /// The number of submissions that were counted.
    pub num_submissions: u64,
    /// Whether these are all submissions. Otherwise they are the newest.
    pub is_complete: bool,
    /// The number of submissions created on each day in UTC, the first day first; at most the last 400 days with submissions.
    pub by_day: Vec<DateCount>,
    /// A summary of the answers to each question, in the order of the columns of an export.
    pub questions: Vec<QuestionSummary>,
}

/// A summary of the answers to a question. Its kind decides which of the optional members it has.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", skip_serializing_if_is_none)]
pub struct QuestionSummary {
    /// The location of the answers, as a JSON Pointer.
    pub pointer: String,
    /// The text of the question; no two questions have the same.
    pub label: String,
    /// The kind of answer.
    pub kind: Kind,
    /// The number of submissions with an answer.
    pub num_answered: u64,
    /// How often each choice was made: the first 50 choices of the schema, or `true` and `false`.
    pub counts: Option<Vec<ChoiceCount>>,
    /// The number of answers that are not counted otherwise.
    pub others: Option<Count>,
    /// The least number; null if it is not told.
    pub least: Option<OrNull<f64>>,
    /// The greatest number; null if it is not told.
    pub greatest: Option<OrNull<f64>>,
    /// The arithmetic mean; null if it is not told.
    pub mean: Option<OrNull<f64>>,
    /// The histogram of the numbers: at most 20 adjacent bins of the same width.
    pub bins: Option<Vec<Bin>>,
    /// How many dates there are of each day. Dates of more than 100 days are counted by month.
    pub by_day: Option<Vec<DateCount>>,
    /// How many dates there are of each month. Dates of more than 100 months are counted by year.
    pub by_month: Option<Vec<DateCount>>,
    /// How many dates there are of each year.
    pub by_year: Option<Vec<DateCount>>,
}

/// How often a choice was made.
#[derive(Debug, Object)]
pub struct ChoiceCount {
    /// The answer: a string as it is, other values as JSON.
    pub value: String,
    /// The text of the choice.
    pub label: String,
    /// The number of answers.
    pub count: Count,
}

/// A bin of a histogram.
#[derive(Debug, Object)]
pub struct Bin {
    /// The lower bound, which is in the bin.
    pub from: f64,
    /// The upper bound, which is not in the bin.
    pub to: f64,
    /// The number of answers.
    pub count: Count,
}

/// How many there are of a date.
#[derive(Debug, Object)]
pub struct DateCount {
    /// The date: `2026-11-21`, `2026-11` or `2026`.
    pub date: String,
    /// How many there are.
    pub count: Count,
}

/// A number, or a text that says why it is not told.
#[derive(Debug)]
pub enum Count {
    /// The number.
    Number(u64),
    /// Why it is not told.
    Text(String),
}

impl Type for Count {
    const IS_REQUIRED: bool = true;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        "count".into()
    }

    fn schema_ref() -> MetaSchemaRef {
        let description = "A number, or a text that says why it is not told: `< 5` if it is below the minimum of the server, \
            `withheld` if another one could be computed from it.";
        MetaSchemaRef::Inline(Box::new(MetaSchema {
            description: Some(description),
            one_of: vec![u64::schema_ref(), String::schema_ref()],
            ..MetaSchema::ANY
        }))
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(self.as_raw_value().into_iter())
    }
}

impl ParseFromJSON for Count {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        match value {
            Some(Value::String(text)) => Ok(Self::Text(text)),
            other => u64::parse_from_json(other)
                .map(Self::Number)
                .map_err(ParseError::propagate),
        }
    }
}

impl ToJSON for Count {
    fn to_json(&self) -> Option<Value> {
        match self {
            Self::Number(number) => number.to_json(),
            Self::Text(text) => text.to_json(),
        }
    }
}
