//! The members of a JSON object, taken one by one, and everything that is wrong with them.

use std::str::FromStr;

use formalize_core::{Change, Error, Field};
use serde_json::{Map, Number, Value};

use crate::{
    contract::{ErrorKey, Operation},
    failure::{Fault, Refusal},
};

/// How the members of a request body become what the core takes.
pub trait Read {
    /// What the core takes.
    type Value: Send + 'static;

    /// Bodies up to this size are read in well under a millisecond, whatever they say. Larger ones are read apart from
    /// the threads that serve other requests.
    const LIGHT_BYTES: usize = 64 * 1024;

    /// Takes every member of the body, and notes what is wrong with them. Nothing comes back only
    /// if something was noted.
    fn read(members: &mut Members) -> Option<Self::Value>;
}

/// What a member of a JSON object can be.
#[derive(Debug, Clone, PartialEq)]
pub enum Member<T> {
    /// It is not there, or its value was noted as wrong.
    Absent,
    /// It is null.
    Null,
    /// It has this value.
    Value(T),
}

/// The members of a request body that were not taken yet, and what is wrong with the others.
#[derive(Debug)]
pub struct Members {
    values: Map<String, Value>,
    malformed: Vec<String>,
    refusals: Vec<Refusal>,
}

impl Members {
    /// Reads a whole body for an operation.
    ///
    /// # Errors
    ///
    /// One refusal with all that is wrong of one kind: members that are unknown or of the wrong
    /// type; if there are none, the kind that was noted first.
    pub fn read<T: Read>(
        object: Map<String, Value>,
        operation: Operation,
    ) -> Result<T::Value, Refusal> {
        let mut members = Self {
            values: object,
            malformed: Vec::new(),
            refusals: Vec::new(),
        };
        let value = T::read(&mut members);
        match (members.into_refusal(operation), value) {
            (None, Some(value)) => Ok(value),
            (Some(refusal), _) => Err(refusal),
            (None, None) => Err(Refusal::unforeseen("a body was refused without a reason")),
        }
    }

    /// A member as it is; a value of the wrong type is noted.
    pub fn take<T>(&mut self, field: Field, convert: fn(Value) -> Option<T>) -> Member<T> {
        match self.values.remove(field.as_str()) {
            None => Member::Absent,
            Some(Value::Null) => Member::Null,
            Some(value) => convert(value).map_or_else(
                || {
                    self.malformed.push(field.as_str().to_owned());
                    Member::Absent
                },
                Member::Value,
            ),
        }
    }

    /// A member that must be there; null counts as missing.
    pub fn required<T>(&mut self, field: Field, convert: fn(Value) -> Option<T>) -> Option<T> {
        let known_to_be_wrong = self.malformed.len();
        match self.take(field, convert) {
            Member::Value(value) => Some(value),
            Member::Absent if self.malformed.len() > known_to_be_wrong => None,
            Member::Absent | Member::Null => {
                self.note(Refusal::new(Fault::Missing).naming(vec![field.as_str().to_owned()]));
                None
            }
        }
    }

    /// A member that need not be there, but may not be null.
    pub fn optional<T>(&mut self, field: Field, convert: fn(Value) -> Option<T>) -> Option<T> {
        match self.take(field, convert) {
            Member::Value(value) => Some(value),
            Member::Absent => None,
            Member::Null => {
                self.malformed.push(field.as_str().to_owned());
                None
            }
        }
    }

    /// A member for which null says the same as leaving it out.
    pub fn nullable<T>(&mut self, field: Field, convert: fn(Value) -> Option<T>) -> Option<T> {
        match self.take(field, convert) {
            Member::Value(value) => Some(value),
            Member::Absent | Member::Null => None,
        }
    }

    /// A member of a patch that null clears.
    pub fn change<T>(&mut self, field: Field, convert: fn(Value) -> Option<T>) -> Change<T> {
        match self.take(field, convert) {
            Member::Value(value) => Change::Set(value),
            Member::Null => Change::Clear,
            Member::Absent => Change::Keep,
        }
    }

    /// A member of a patch that the record cannot be without: null is a value that cannot be.
    pub fn replacement<T>(&mut self, field: Field, convert: fn(Value) -> Option<T>) -> Option<T> {
        match self.take(field, convert) {
            Member::Value(value) => Some(value),
            Member::Absent => None,
            Member::Null => {
                self.note(Refusal::new(Fault::Invalid).naming(vec![field.as_str().to_owned()]));
                None
            }
        }
    }

    /// What the core makes of a value, or nothing if it refuses it, which is noted.
    pub fn accept<T>(&mut self, result: Result<T, Error>) -> Option<T> {
        result.map_err(|error| self.note(error.into())).ok()
    }

    /// The same for a value that may not be there.
    pub fn accept_some<T>(&mut self, result: Option<Result<T, Error>>) -> Option<T> {
        self.accept(result?)
    }

    /// The identifier that a text is. A text that is not a UUID names no record: it is noted as `missing`.
    pub fn id<T: FromStr>(&mut self, text: Option<String>, missing: Error) -> Option<T> {
        self.accept_some(text.map(|text| text.parse().map_err(|_| missing)))
    }

    /// Notes something that is wrong.
    pub fn note(&mut self, refusal: Refusal) {
        self.refusals.push(refusal);
    }

    fn into_refusal(self, operation: Operation) -> Option<Refusal> {
        let mut malformed = self.malformed;
        malformed.extend(self.values.into_iter().map(|(name, _)| name));
        if !malformed.is_empty() {
            malformed.sort();
            return Some(Refusal::is(ErrorKey::InvalidRequestBody).naming(malformed));
        }
        self.refusals
            .into_iter()
            .reduce(|first, next| first.joined_by(next, operation))
    }
}

/// A string.
pub(super) fn text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// `true` or `false`.
#[expect(
    clippy::needless_pass_by_value,
    reason = "it is used like the others, which take the value apart"
)]
pub(super) fn flag(value: Value) -> Option<bool> {
    value.as_bool()
}

/// An array of strings.
pub(super) fn words(value: Value) -> Option<Vec<String>> {
    match value {
        Value::Array(items) => items.into_iter().map(text).collect(),
        _ => None,
    }
}

/// A number, whole or not.
pub(super) fn number(value: Value) -> Option<Number> {
    match value {
        Value::Number(number) => Some(number),
        _ => None,
    }
}

/// The whole number that a JSON number is, so that `3.0` is 3 and `3.5` is none.
pub(super) fn whole(number: &Number) -> Option<i64> {
    number.as_i64().or_else(|| {
        let float = number.as_f64()?;
        // Every such number is exact, so that its digits are those of the whole number.
        let is_whole = float.fract() == 0.0 && float.abs() < 9e15;
        is_whole
            .then(|| format!("{float:.0}").parse().ok())
            .flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn whole_numbers_may_be_written_with_a_fraction_of_zero() {
        for (value, whole_number) in [
            (json!(3), Some(3)),
            (json!(3.0), Some(3)),
            (json!(-0.0), Some(0)),
            (json!(3e2), Some(300)),
            (json!(3.5), None),
            (json!(1e300), None),
            (json!(u64::MAX), None),
        ] {
            let number = number(value.clone()).unwrap();
            assert_eq!(whole(&number), whole_number, "{value}");
        }
        assert_eq!(number(json!("3")), None);
    }

    #[test]
    fn a_set_is_an_array_of_strings() {
        assert_eq!(
            words(json!(["a", "b"])),
            Some(vec!["a".to_owned(), "b".to_owned()])
        );
        assert_eq!(words(json!(["a", 1])), None);
        assert_eq!(words(json!({"a": 1})), None);
    }
}
