//! `outputValidation=KEYS`: reduces data to the keys that its schema defines.

use std::collections::HashSet;

use serde_json::Value;

use super::json::SpelledMembers;

/// The keys that the top-level `properties` of a schema define.
#[derive(Debug, Default)]
pub(super) struct TopLevelKeys(HashSet<String>);

impl TopLevelKeys {
    pub(super) fn of(schema: &Value) -> Self {
        let properties = schema.get("properties").and_then(Value::as_object);
        Self(properties.map_or_else(HashSet::new, |keys| keys.keys().cloned().collect()))
    }

    /// The members of `element` with these keys, in their original order and spelling.
    ///
    /// The members are copied from the text, since parsing and serializing them would turn `1.00` into `1.0`. The
    /// result is empty for anything but an object.
    pub(super) fn reduce(&self, element: &str) -> String {
        let members = serde_json::from_str::<SpelledMembers<'_>>(element)
            .map(|members| members.0)
            .unwrap_or_default();
        let mut reduced = String::from("{");
        for (key, value) in members {
            let name = serde_json::from_str::<String>(key.get());
            if !name.is_ok_and(|name| self.0.contains(&name)) {
                continue;
            }
            if reduced.len() > 1 {
                reduced.push(',');
            }
            reduced.push_str(key.get());
            reduced.push(':');
            reduced.push_str(value.get());
        }
        reduced.push('}');
        reduced
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keeps_defined_keys_in_order_and_spelling() {
        let keys = TopLevelKeys::of(&json!({"properties": {"a": {}, "é": true, "n": {}}}));
        for (element, expected) in [
            ("{}", "{}"),
            (r#"{"x":1}"#, "{}"),
            (r#"{"n":1.00,"x":[],"a":1e2}"#, r#"{"n":1.00,"a":1e2}"#),
            (
                r#" { "\u0061" : {"a" : "\u0041", "x": 1} , "\u00e9":"\/" } "#,
                r#"{"\u0061":{"a" : "\u0041", "x": 1},"\u00e9":"\/"}"#,
            ),
            (r#"{"a":null}"#, r#"{"a":null}"#),
            (r#"[{"a":1}]"#, "{}"),
            ("\"a\"", "{}"),
            ("null", "{}"),
            ("no json", "{}"),
        ] {
            assert_eq!(keys.reduce(element), expected, "{element}");
        }
    }

    #[test]
    fn a_schema_without_properties_defines_no_keys() {
        for schema in [
            json!({}),
            json!(true),
            json!({"properties": []}),
            json!({"$ref": "#"}),
        ] {
            assert_eq!(TopLevelKeys::of(&schema).reduce(r#"{"a":1}"#), "{}");
        }
    }
}
