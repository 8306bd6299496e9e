//! Restrictions of an answer, united from all sub-schemas that apply.

use serde::Serialize;
use serde_json::{Number, Value};

use crate::schema::SubSchema;

/// Restrictions of an answer, with the names and meanings of the keywords of JSON Schema 2020-12.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// The minimum number of characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u64>,
    /// The maximum number of characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    /// The least number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<Number>,
    /// The greatest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maximum: Option<Number>,
    /// The number that the answer must exceed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exclusive_minimum: Option<Number>,
    /// The number that the answer must stay below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exclusive_maximum: Option<Number>,
    /// The number of which the answer must be a multiple.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multiple_of: Option<Number>,
    /// The pattern (ECMA-262) that the text must match. If there are several, the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The minimum number of items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_items: Option<u64>,
    /// The maximum number of items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u64>,
}

impl Limits {
    /// Whether there are no restrictions.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the restrictions of a sub-schema; the stricter ones hold.
    pub(super) fn add(&mut self, schema: &SubSchema) {
        let keyword = |name: &str| schema.keywords.get(name);
        let length = |name: &str| {
            let number = keyword(name)?;
            // `2.0` is an integer in JSON Schema.
            number.as_u64().or_else(|| whole(number.as_f64()?))
        };
        let number = |name: &str| match keyword(name) {
            Some(Value::Number(number)) => Some(number.clone()),
            _ => None,
        };
        greater(&mut self.min_length, length("minLength"));
        less(&mut self.max_length, length("maxLength"));
        greater(&mut self.min_items, length("minItems"));
        less(&mut self.max_items, length("maxItems"));
        // In draft-04, `exclusiveMinimum` is a boolean that changes the meaning of `minimum`.
        let is_exclusive = |name: &str| keyword(name) == Some(&Value::Bool(true));
        if is_exclusive("exclusiveMinimum") {
            stricter(&mut self.exclusive_minimum, number("minimum"), f64::gt);
        } else {
            stricter(&mut self.minimum, number("minimum"), f64::gt);
            stricter(
                &mut self.exclusive_minimum,
                number("exclusiveMinimum"),
                f64::gt,
            );
        }
        if is_exclusive("exclusiveMaximum") {
            stricter(&mut self.exclusive_maximum, number("maximum"), f64::lt);
        } else {
            stricter(&mut self.maximum, number("maximum"), f64::lt);
            stricter(
                &mut self.exclusive_maximum,
                number("exclusiveMaximum"),
                f64::lt,
            );
        }
        if self.multiple_of.is_none() {
            self.multiple_of = number("multipleOf");
        }
        if self.pattern.is_none() {
            self.pattern = keyword("pattern")
                .and_then(Value::as_str)
                .map(str::to_owned);
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "only whole numbers in the range are converted"
)]
fn whole(number: f64) -> Option<u64> {
    let is_whole = (0.0..=1e15).contains(&number) && number.fract() == 0.0;
    is_whole.then_some(number as u64)
}

fn greater(held: &mut Option<u64>, stated: Option<u64>) {
    *held = (*held).max(stated);
}

fn less(held: &mut Option<u64>, stated: Option<u64>) {
    if let Some(stated) = stated {
        *held = Some(held.map_or(stated, |held| held.min(stated)));
    }
}

fn stricter(
    held: &mut Option<Number>,
    stated: Option<Number>,
    is_stricter: fn(&f64, &f64) -> bool,
) {
    let replaces = match (held.as_ref(), stated.as_ref()) {
        (Some(held), Some(stated)) => match (stated.as_f64(), held.as_f64()) {
            (Some(stated), Some(held)) => is_stricter(&stated, &held),
            _ => false,
        },
        (None, Some(_)) => true,
        _ => false,
    };
    if replaces {
        *held = stated;
    }
}
