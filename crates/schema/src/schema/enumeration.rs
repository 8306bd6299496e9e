//! The keyword `enum`, as a hash lookup instead of a search.
//!
//! The validator uses a table only for enumerations of strings, and compares all others value by value. Checking a
//! hundred thousand numbers in the data against a hundred thousand in the schema would take minutes.

use std::collections::HashSet;

use jsonschema::{Keyword, ValidationError, ValidationOptions};
use serde_json::{Number, Value};

use super::messages;

/// Replaces the validator's own implementation of the keyword.
pub(super) fn register(options: ValidationOptions<'_>) -> ValidationOptions<'_> {
    options.with_keyword("enum", |_, values, _| {
        let listed = values.as_array().map(Vec::as_slice).unwrap_or_default();
        let strings = listed.iter().filter_map(Value::as_str);
        let others = listed.iter().filter(|value| !value.is_string());
        Ok(Box::new(Enumeration {
            strings: strings.map(str::to_owned).collect(),
            others: others.map(canonical).collect(),
            has_arrays: listed.iter().any(Value::is_array),
            has_objects: listed.iter().any(Value::is_object),
            message: messages::enumeration(values),
        }))
    })
}

struct Enumeration {
    strings: HashSet<String>,
    /// The canonical forms of the other values.
    others: HashSet<String>,
    has_arrays: bool,
    has_objects: bool,
    message: String,
}

impl<'i> Keyword<'i> for Enumeration {
    fn validate(&self, value: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(value) {
            Ok(())
        } else {
            Err(ValidationError::custom(self.message.clone()))
        }
    }

    fn is_valid(&self, value: &'i Value) -> bool {
        match value {
            Value::String(text) => self.strings.contains(text),
            Value::Array(_) if !self.has_arrays => false,
            Value::Object(_) if !self.has_objects => false,
            value => self.others.contains(&canonical(value)),
        }
    }
}

/// The canonical form of a value: two values have the same form if and only if they are equal.
pub(super) fn canonical(value: &Value) -> String {
    with_integers(value.clone()).to_string()
}

/// Writes numbers without a fractional part as integers: `1.0` is the same value as `1`.
///
/// Recursion is bounded by the depth of the document.
fn with_integers(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(with_integers).collect(),
        Value::Object(members) => members
            .into_iter()
            .map(|(key, member)| (key, with_integers(member)))
            .collect(),
        Value::Number(number) => integer(&number).unwrap_or(number).into(),
        scalar => scalar,
    }
}

/// The integer equal to a floating-point number. No integer in a document is larger than the type of the result holds.
fn integer(number: &Number) -> Option<Number> {
    let float = number.as_f64().filter(|_| number.is_f64())?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the cast is limited to the range of the type, which exceeds that of `Number`"
    )]
    let integer = (float.fract() == 0.0).then_some(float as i128)?;
    Number::from_i128(integer)
}

#[cfg(test)]
mod tests {
    use super::super::DataSchema;
    use serde_json::json;

    #[test]
    fn enumerations_agree_with_the_validator() {
        let some = [
            json!(1),
            json!(-0.0),
            json!(2.5),
            json!(1e40),
            json!(u64::MAX),
            json!("1"),
            json!("a\"b"),
            json!(null),
            json!(true),
            json!([1, 2.0]),
            json!({"a": {"b": 1}, "c": []}),
        ];
        let schema = json!({ "enum": some });
        let theirs = jsonschema::validator_for(&schema).unwrap();
        let ours = DataSchema::compile(&schema.to_string()).unwrap();
        for data in [
            json!(1.0),
            json!(1),
            json!(0),
            json!(2.5),
            json!(25),
            json!(1e40),
            json!(18_446_744_073_709_551_615_u64),
            json!(18_446_744_073_709_551_615.0),
            json!("1"),
            json!("a\"b"),
            json!("null"),
            json!(null),
            json!(false),
            json!([1.0, 2]),
            json!([2, 1]),
            json!({"c": [], "a": {"b": 1.0}}),
            json!({"a": {"b": 1}}),
            json!({}),
        ] {
            let expected = theirs.is_valid(&data);
            assert_eq!(ours.validate(&data).is_ok(), expected, "{data}");
        }
    }

    #[test]
    fn violations_describe_the_original_enumeration() {
        let values: Vec<_> = (0..200).collect();
        let schema = json!({"properties": {"a": {"enum": values}}});
        let schema = DataSchema::compile(&schema.to_string()).unwrap();
        let refused = schema.validate(&json!({"a": 200})).unwrap_err();
        let [violation] = refused.violations() else {
            panic!("{refused:?}");
        };
        assert_eq!(violation.instance_path, "/a");
        assert_eq!(violation.schema_path, "/properties/a/enum");
        assert_eq!(violation.keyword, "enum");
        assert_eq!(violation.message, "must be one of the 200 allowed values");
    }
}
