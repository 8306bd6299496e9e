//! Strict JSON: input that the standard leaves open to interpretation is rejected.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::document_size::DocumentSize;
use super::rejection::Rejection;

/// The maximum nesting of objects and arrays; the outermost is level 1.
///
/// This is the recursion limit of `serde_json`, repeated here for the error message.
const MAX_JSON_DEPTH: usize = 127;

/// Parses one JSON value, strictly.
///
/// In addition to the grammar of RFC 8259, duplicate keys in an object are rejected at any depth: parsers differ in
/// which of the values they keep, so the validated value might not be the one that is used. Keys are compared after
/// unescaping. Numbers outside the range of a double and escapes of lone surrogates are rejected for the same reason.
/// Arrays and objects may be nested at most 127 levels deep.
///
/// ```
/// use formalize_schema::parse_json;
///
/// assert!(parse_json(r#"{"name": "Ada"}"#).is_ok());
/// let refused = parse_json(r#"{"name": "Ada", "n\u0061me": "Eve"}"#).unwrap_err();
/// assert!(refused.messages()[0].contains("`name` occurs twice"));
/// ```
///
/// # Errors
///
/// A rejection with one message and no violations.
pub fn parse_json(text: &str) -> Result<Value, Rejection> {
    parse_json_within(text, MAX_JSON_DEPTH)
}

/// [`parse_json`] with a smaller depth limit.
pub(super) fn parse_json_within(text: &str, max_depth: usize) -> Result<Value, Rejection> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let parsed = StrictValue
        .deserialize(&mut reader)
        .and_then(|value| reader.end().map(|()| value));
    let is_too_deep = match &parsed {
        Ok(value) => max_depth < MAX_JSON_DEPTH && DocumentSize::of(value).depth > max_depth,
        Err(error) => error.to_string().starts_with("recursion limit exceeded"),
    };
    if is_too_deep {
        return Err(Rejection::unreadable(format!(
            "must not be nested deeper than {max_depth} levels"
        )));
    }
    parsed.map_err(|error| Rejection::unreadable(format!("is not valid JSON: {error}")))
}

/// Builds a [`Value`] and rejects duplicate keys, which `Value`'s own deserializer would merge.
struct StrictValue;

impl<'de> DeserializeSeed<'de> for StrictValue {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for StrictValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(StrictValue)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(A::Error::custom(format_args!("key `{key}` occurs twice")));
            }
            let value = members.next_value_seed(StrictValue)?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

/// The members of an object as spelled in a text: keys and values byte for byte, in order.
pub struct SpelledMembers<'a>(
    pub  Vec<(
        &'a serde_json::value::RawValue,
        &'a serde_json::value::RawValue,
    )>,
);

impl<'de> Deserialize<'de> for SpelledMembers<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = SpelledMembers<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(SpelledMembers(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refusal(text: &str) -> String {
        let rejection = parse_json(text).expect_err(text);
        assert!(rejection.violations().is_empty(), "{text}");
        assert_eq!(rejection.messages().len(), 1, "{text}");
        rejection.messages()[0].clone()
    }

    #[test]
    fn parses_every_kind_of_value() {
        let text = r#" {"n":null,"b":[true,false],"i":-1,"u":18446744073709551615,"f":1.5,"s":"\u00e9\u0000"} "#;
        let expected = json!({
            "n": null, "b": [true, false], "i": -1, "u": u64::MAX, "f": 1.5, "s": "é\u{0}"
        });
        assert_eq!(parse_json(text).unwrap(), expected);
    }

    #[test]
    fn agrees_with_serde_json_if_keys_are_unique() {
        for text in [
            "0",
            "\"\"",
            "[]",
            "{}",
            "[[{\"a\":{\"b\":[1]}}]]",
            "1E5",
            "-0.0",
        ] {
            let expected: Value = serde_json::from_str(text).unwrap();
            assert_eq!(parse_json(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn rejects_ambiguous_and_malformed_json() {
        for (text, part) in [
            ("", "EOF"),
            ("{} {}", "trailing characters"),
            ("{\"a\":1,\"a\":1}", "key `a` occurs twice"),
            (
                "[{\"x\":{\"a\":1,\"b\":2,\"\\u0061\":3}}]",
                "key `a` occurs twice",
            ),
            ("1e400", "number out of range"),
            ("\"\\ud800\"", "hex escape"),
            ("\"\\udc00\"", "surrogate"),
            ("\"\u{0}\"", "control character"),
            ("\u{feff}{}", "expected value"),
            ("NaN", "expected"),
            ("[1,]", "trailing comma"),
            ("{'a':1}", "key must be a string"),
        ] {
            let message = refusal(text);
            assert!(message.starts_with("is not valid JSON: "), "{message}");
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    #[test]
    fn the_depth_starts_at_one() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(parse_json(&nested(MAX_JSON_DEPTH)).is_ok());
        let message = refusal(&nested(MAX_JSON_DEPTH + 1));
        assert_eq!(message, "must not be nested deeper than 127 levels");
        assert!(parse_json_within(&nested(3), 3).is_ok());
        assert!(parse_json_within(&nested(4), 3).is_err());
        assert!(
            parse_json_within("[\"[[[[\\\"[[[[\"]", 3).is_ok(),
            "brackets in strings are ignored"
        );
        assert!(
            parse_json_within("[[],[],[],[]]", 2).is_ok(),
            "siblings do not add depth"
        );
    }
}
