//! Summaries as JSON.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Number;

use super::{AnswerSummary, Bin, Count, DateUnit, QuestionSummary};

/// The number, or the reason why it is not told as a text.
impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => serializer.serialize_u64(*number),
            Self::Below(_) | Self::Withheld => serializer.collect_str(self),
        }
    }
}

impl Serialize for Bin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(Some(3))?;
        members.serialize_entry("from", &plain(self.from))?;
        members.serialize_entry("to", &plain(self.to))?;
        members.serialize_entry("count", &self.count)?;
        members.end()
    }
}

impl Serialize for QuestionSummary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("pointer", &self.pointer)?;
        members.serialize_entry("label", &self.label)?;
        members.serialize_entry("kind", &self.kind)?;
        members.serialize_entry("numAnswered", &self.num_answered)?;
        match &self.answers {
            AnswerSummary::Choices { counts, others } => {
                members.serialize_entry("counts", counts)?;
                members.serialize_entry("others", others)?;
            }
            AnswerSummary::Numbers(numbers) => {
                for (name, number) in [
                    ("least", numbers.least),
                    ("greatest", numbers.greatest),
                    ("mean", numbers.mean),
                ] {
                    members.serialize_entry(name, &number.and_then(plain))?;
                }
                members.serialize_entry("bins", &numbers.bins)?;
                members.serialize_entry("others", &numbers.others)?;
            }
            AnswerSummary::Dates {
                unit,
                counts,
                others,
            } => {
                let name = match unit {
                    DateUnit::Day => "byDay",
                    DateUnit::Month => "byMonth",
                    DateUnit::Year => "byYear",
                };
                members.serialize_entry(name, counts)?;
                members.serialize_entry("others", others)?;
            }
            AnswerSummary::Untold => {}
        }
        members.end()
    }
}

/// A number without a fraction if it is whole.
fn plain(number: f64) -> Option<Number> {
    const EXACT: f64 = 1e15;
    if number.fract() == 0.0 && number.abs() < EXACT {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "it is whole and below 1e15"
        )]
        let whole = number as i64;
        return Some(whole.into());
    }
    Number::from_f64(number)
}
