//! Summaries of the submissions of a form: how many there are, and how often each answer was given.
//!
//! [`SubmissionsService::summary`](crate::SubmissionsService::summary) makes a [`Summary`] of the submissions that a list
//! with the same filter shows. It has a question for each column of an export (see [`export`](crate::export)), whatever the
//! answers to other questions are. What a question asks for is decided as in [`questions`](crate::questions).
//!
//! | [`QuestionKind`] | [`AnswerSummary`] |
//! |---|---|
//! | `Choice`, `Choices`, `Boolean`, `Consent` | [`Choices`](AnswerSummary::Choices): how often each was given |
//! | `Integer`, `Number` | [`Numbers`](AnswerSummary::Numbers): the least, the greatest, the mean, and a histogram |
//! | `Date`, `DateTime` | [`Dates`](AnswerSummary::Dates): how many by day, month or year |
//! | everything else | [`Untold`](AnswerSummary::Untold): only the number of answers, and nothing of their content |
//!
//! An empty string, array or object, and `null`, does not count as an answer.
//!
//! # Small counts
//!
//! A count of few people can tell who they are. So counts from 1 to below a minimum are [`Count::Below`], and if this is only
//! one of the counts of a question, the next smallest is [`Count::Withheld`], because the first could be computed from the
//! others. The numbers of submissions and of answers are always told. If there are fewer answers than the minimum, the least,
//! the greatest and the mean number are not told.
//!
//! # As JSON
//!
//! [`Summary`] implements `Serialize`. Members have the names of the fields in camel case. A count that is not told is a text.
//! A question has `counts` and `others`; or `least`, `greatest`, `mean`, `bins` and `others`; or `byDay`, `byMonth` or `byYear`
//! and `others`.

mod dates;
mod json;
mod numbers;
mod tally;
#[cfg(test)]
mod tests;

use std::fmt;

use formalize_schema::internals::{extent_of_block, extent_of_part};
use formalize_schema::questions::{Extent, QuestionKind};
use serde::Serialize;

pub(crate) use tally::{Leaf, Tally};

/// A summary of the submissions of a form.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// The number of submissions that were counted.
    pub num_submissions: u64,
    /// Whether these are all submissions. Otherwise they are the newest.
    pub is_complete: bool,
    /// The number of submissions created on each day in UTC, the first day first. Days without submissions are omitted, and
    /// so are all but the last [`Summary::MAX_DAYS`].
    pub by_day: Vec<DateCount>,
    /// The questions in the order of the columns of an export.
    pub questions: Vec<QuestionSummary>,
}

impl Summary {
    /// The maximum number of submissions that are counted.
    pub const MAX_SUBMISSIONS: u64 = 100_000;

    /// The maximum number of days in [`Summary::by_day`].
    pub const MAX_DAYS: usize = 400;

    /// The maximum number of choices of a question that are counted one by one. Others are counted together.
    pub const MAX_CHOICES: usize = 50;

    /// The maximum number of bins of a histogram.
    pub const MAX_BINS: usize = 20;

    /// The maximum number of days, months or years in the answers to a question.
    pub const MAX_DATES: usize = 100;

    /// The extent of a page with the summary.
    pub fn extent(&self) -> Extent {
        let days = self.by_day.iter().map(|day| extent_of_part(&day.date));
        let questions = self.questions.iter().map(QuestionSummary::extent);
        days.chain(questions).sum()
    }
}

/// A summary of the answers to a question.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionSummary {
    /// The JSON Pointer of the answers.
    pub pointer: String,
    /// The text of the question; no two questions have the same.
    pub label: String,
    /// The kind of answer.
    pub kind: QuestionKind,
    /// The number of submissions with an answer.
    pub num_answered: u64,
    /// The answers.
    pub answers: AnswerSummary,
}

impl QuestionSummary {
    fn extent(&self) -> Extent {
        let parts: Extent = match &self.answers {
            AnswerSummary::Choices { counts, .. } => {
                let labels = counts.iter().map(|choice| choice.label.as_str());
                labels.map(extent_of_part).sum()
            }
            AnswerSummary::Numbers(numbers) => {
                numbers.bins.iter().map(|_| extent_of_part("")).sum()
            }
            AnswerSummary::Dates { counts, .. } => {
                let dates = counts.iter().map(|one| one.date.as_str());
                dates.map(extent_of_part).sum()
            }
            AnswerSummary::Untold => Extent::default(),
        };
        [extent_of_block([self.label.as_str()]), parts]
            .into_iter()
            .sum()
    }
}

/// What a summary tells of answers.
#[derive(Debug, Clone, PartialEq)]
pub enum AnswerSummary {
    /// How often each choice was made.
    Choices {
        /// The choices of the schema, in its order; `true` and `false` for a boolean.
        counts: Vec<ChoiceCount>,
        /// The number of other answers.
        others: Count,
    },
    /// Numbers.
    Numbers(NumberSummary),
    /// How many dates are in each period.
    Dates {
        /// The unit of the periods: the shortest with at most [`Summary::MAX_DATES`] of them.
        unit: DateUnit,
        /// The periods in which there are dates, the first one first.
        counts: Vec<DateCount>,
        /// The number of other answers.
        others: Count,
    },
    /// Nothing is shown.
    Untold,
}

/// How often a choice was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChoiceCount {
    /// The answer: a string as it is, other values as JSON.
    pub value: String,
    /// The text of the choice.
    pub label: String,
    /// The number of answers.
    pub count: Count,
}

/// A summary of numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberSummary {
    /// The least, if it may be told.
    pub least: Option<f64>,
    /// The greatest, if it may be told.
    pub greatest: Option<f64>,
    /// The arithmetic mean, if it may be told.
    pub mean: Option<f64>,
    /// The histogram: adjacent bins of the same width.
    pub bins: Vec<Bin>,
    /// The number of other answers.
    pub others: Count,
}

/// A bin of a histogram. Its bounds are multiples of its width, which is 1, 2 or 5 times a power of ten.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bin {
    /// The lower bound, which is in the bin.
    pub from: f64,
    /// The upper bound, which is not in the bin.
    pub to: f64,
    /// The number of answers.
    pub count: Count,
}

/// How many there are of a date.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DateCount {
    /// The date: `2026-11-21`, `2026-11` or `2026`.
    pub date: String,
    /// How many there are.
    pub count: Count,
}

/// A unit of dates.
#[expect(missing_docs, reason = "the names are the units")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateUnit {
    Day,
    Month,
    Year,
}

/// A number of submissions or answers, unless it is withheld.
///
/// ```
/// use formalize_core::summary::Count;
///
/// assert_eq!(Count::Number(7).to_string(), "7");
/// assert_eq!(Count::Below(5).to_string(), "< 5");
/// assert_eq!(Count::Withheld.to_string(), "withheld");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// The number.
    Number(u64),
    /// At least one, and fewer than this minimum.
    Below(u64),
    /// At least the minimum, but another count could be computed from the number.
    Withheld,
}

impl Count {
    /// The number, if it is shown.
    ///
    /// ```
    /// use formalize_core::summary::Count;
    ///
    /// assert_eq!((Count::Number(7).number(), Count::Below(5).number()), (Some(7), None));
    /// ```
    pub fn number(self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(number),
            Self::Below(_) | Self::Withheld => None,
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(formatter),
            Self::Below(minimum) => write!(formatter, "< {minimum}"),
            Self::Withheld => formatter.write_str("withheld"),
        }
    }
}

/// The counts of the same question, of which small ones are withheld.
fn told(numbers: &[u64], minimum: u64) -> Vec<Count> {
    let is_small = |number: u64| (1..minimum).contains(&number);
    let tell = |number: &u64| match *number {
        number if is_small(number) => Count::Below(minimum),
        number => Count::Number(number),
    };
    let mut counts: Vec<Count> = numbers.iter().map(tell).collect();
    if numbers.iter().filter(|number| is_small(**number)).count() == 1 {
        let others = counts.iter_mut().filter(|count| count.number() > Some(0));
        if let Some(smallest) = others.min_by_key(|count| count.number()) {
            *smallest = Count::Withheld;
        }
    }
    counts
}
