//! The params of a violation, with the names used by Ajv, which form renderers know.

use std::cell::Cell;
use std::collections::HashMap;
use std::io;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::{Map, Value, json};

use super::enumeration;

/// The maximum length of a schema value in the params, in bytes of JSON. Longer values are omitted.
const MAX_VALUE: usize = 16 * 1024;

/// The maximum number of bytes written and compared for the violations of one document: each that is listed may be about
/// equal items of a long list.
const MAX_TOTAL: usize = 2 * 1024 * 1024;

pub(super) struct Params {
    left: Cell<usize>,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            left: Cell::new(MAX_TOTAL),
        }
    }
}

impl Params {
    /// The params of an error. `beside` looks up a keyword in the schema that contains the violated one, for what errors
    /// do not carry.
    pub(super) fn of<'s>(
        &self,
        error: &ValidationError<'_>,
        keyword: &str,
        beside: impl Fn(&str) -> Option<&'s Value>,
    ) -> Map<String, Value> {
        use ValidationErrorKind as Kind;
        let stated = || beside(keyword);
        let params = match error.kind() {
            Kind::Required { property } => json!({"missingProperty": property}),
            Kind::PropertyNames { error } => json!({"propertyName": error.instance()}),
            // Several types have the order of the schema.
            Kind::Type {
                kind: several @ TypeKind::Multiple(_),
            } => json!({"type": stated().unwrap_or(&types(several))}),
            Kind::Type { kind } => json!({"type": types(kind)}),
            Kind::Contains => contained(&beside),
            Kind::Format { format } => json!({"format": format}),
            Kind::Constant { expected_value } => self.quoting("allowedValue", expected_value),
            Kind::Enum { options } => self.quoting("allowedValues", options),
            Kind::Custom { keyword, .. } => match (keyword.as_str(), stated()) {
                ("pattern", Some(pattern)) => self.quoting("pattern", pattern),
                ("enum", Some(options)) => self.quoting("allowedValues", options),
                _ => Value::Null,
            },
            Kind::MultipleOf { .. } => stated().map_or(Value::Null, |of| json!({"multipleOf": of})),
            Kind::UniqueItems => self.repetition(error.instance()),
            Kind::OneOfNotValid { .. } => json!({"passingSchemas": null}),
            Kind::OneOfMultipleValid { context } => {
                let branches = context.iter().enumerate();
                let passing = branches.filter(|(_, errors)| errors.is_empty());
                let passing: Vec<_> = passing.map(|(branch, _)| branch).take(2).collect();
                json!({"passingSchemas": passing})
            }
            kind => bound(kind),
        };
        match params {
            Value::Object(params) => params,
            _ => Map::new(),
        }
    }

    /// Charges this many bytes; returns `false` if they exceed the rest of the limit.
    fn take(&self, bytes: usize) -> bool {
        let left = self.left.get().checked_sub(bytes);
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }

    fn quoting(&self, name: &str, value: &Value) -> Value {
        let limit = MAX_VALUE.min(self.left.get());
        let written = quotation(value, limit);
        let bytes = written.as_ref().map_or(limit, String::len);
        if self.take(bytes) && written.is_some() {
            json!({name: value})
        } else {
            Value::Null
        }
    }

    /// The positions of an item and of an equal item before it.
    fn repetition(&self, items: &Value) -> Value {
        let mut seen = HashMap::new();
        for (i, item) in items.as_array().into_iter().flatten().enumerate() {
            let item = enumeration::canonical(item);
            if !self.take(item.len()) {
                break;
            }
            if let Some(j) = seen.insert(item, i) {
                return json!({"i": i, "j": j});
            }
        }
        Value::Null
    }
}

/// How many items must match, and may.
fn contained<'s>(beside: impl Fn(&str) -> Option<&'s Value>) -> Value {
    let mut params = json!({"minContains": beside("minContains").unwrap_or(&json!(1))});
    if let (Some(params), Some(most)) = (params.as_object_mut(), beside("maxContains")) {
        params.insert("maxContains".to_owned(), most.clone());
    }
    params
}

fn bound(kind: &ValidationErrorKind) -> Value {
    use ValidationErrorKind as Kind;
    match kind {
        Kind::Minimum { limit } => json!({"comparison": ">=", "limit": limit}),
        Kind::Maximum { limit } => json!({"comparison": "<=", "limit": limit}),
        Kind::ExclusiveMinimum { limit } => json!({"comparison": ">", "limit": limit}),
        Kind::ExclusiveMaximum { limit } => json!({"comparison": "<", "limit": limit}),
        Kind::MinLength { limit }
        | Kind::MaxLength { limit }
        | Kind::MinItems { limit }
        | Kind::MaxItems { limit }
        | Kind::MinProperties { limit }
        | Kind::MaxProperties { limit } => json!({"limit": limit}),
        Kind::AdditionalItems { limit } => json!({"limit": limit}),
        _ => Value::Null,
    }
}

fn types(kind: &TypeKind) -> Value {
    match kind {
        TypeKind::Single(single) => single.as_str().into(),
        TypeKind::Multiple(several) => several.iter().map(JsonType::as_str).collect(),
    }
}

/// The JSON text of a value, unless it is longer than `limit` bytes.
pub(super) fn quotation(value: &Value, limit: usize) -> Option<String> {
    let mut writer = Bounded {
        text: Vec::new(),
        limit,
    };
    serde_json::to_writer(&mut writer, value).ok()?;
    String::from_utf8(writer.text).ok()
}

/// A text with a maximum length, so that a long value is not serialized to its end.
struct Bounded {
    text: Vec<u8>,
    limit: usize,
}

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.text.len() + bytes.len() > self.limit {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::DataSchema;
    use serde_json::{Value, json};

    /// The keyword and the params of the only violation.
    fn params(schema: &Value, data: &Value) -> (String, Value) {
        let compiled = DataSchema::compile(&schema.to_string()).unwrap();
        let (_, mut violations) = compiled.validate(data).unwrap_err().into_parts();
        assert_eq!(violations.len(), 1, "{schema}");
        let violation = violations.remove(0);
        (violation.keyword, violation.params.into())
    }

    /// The schema, the data, the violated keyword, and its params.
    const CASES: &str = r#"
{"required": ["a"]} | {} | required | {"missingProperty": "a"}
{"dependentRequired": {"a": ["b"]}} | {"a": 1} | dependentRequired | {"missingProperty": "b"}
{"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": {"a": ["b"]}} | {"a": 1} | dependencies | {"missingProperty": "b"}
{"additionalProperties": false} | {"a": 1} | additionalProperties | {"additionalProperty": "a"}
{"unevaluatedProperties": false} | {"a": 1} | unevaluatedProperties | {"unevaluatedProperty": "a"}
{"propertyNames": {"maxLength": 1}} | {"ab": 1} | propertyNames | {"propertyName": "ab"}
{"type": "string"} | 1 | type | {"type": "string"}
{"type": ["null", "string"]} | 1 | type | {"type": ["null", "string"]}
{"type": ["null", "array", "boolean"]} | 1 | type | {"type": ["null", "array", "boolean"]}
{"contains": {"const": 1}} | [] | contains | {"minContains": 1}
{"contains": {"const": 1}, "minContains": 2, "maxContains": 3} | [1] | contains | {"minContains": 2, "maxContains": 3}
{"format": "email"} | "x" | format | {"format": "email"}
{"pattern": "^\\d"} | "x" | pattern | {"pattern": "^\\d"}
{"const": {"a": 1}} | 1 | const | {"allowedValue": {"a": 1}}
{"enum": ["a", 1, {}]} | 2 | enum | {"allowedValues": ["a", 1, {}]}
{"multipleOf": 3} | 4 | multipleOf | {"multipleOf": 3}
{"minimum": 3} | 2 | minimum | {"comparison": ">=", "limit": 3}
{"maximum": 3} | 4 | maximum | {"comparison": "<=", "limit": 3}
{"exclusiveMinimum": 3} | 3 | exclusiveMinimum | {"comparison": ">", "limit": 3}
{"exclusiveMaximum": 3} | 3 | exclusiveMaximum | {"comparison": "<", "limit": 3}
{"minLength": 2} | "a" | minLength | {"limit": 2}
{"maxLength": 2} | "abc" | maxLength | {"limit": 2}
{"minItems": 2} | [] | minItems | {"limit": 2}
{"maxItems": 0} | [1] | maxItems | {"limit": 0}
{"minProperties": 2} | {} | minProperties | {"limit": 2}
{"maxProperties": 0} | {"a": 1} | maxProperties | {"limit": 0}
{"$schema": "http://json-schema.org/draft-07/schema#", "items": [true], "additionalItems": false} | [1, 2] | additionalItems | {"limit": 1}
{"uniqueItems": true} | [0, 1, 2, 1.0] | uniqueItems | {"i": 3, "j": 1}
{"oneOf": [true, false, true]} | 1 | oneOf | {"passingSchemas": [0, 2]}
{"oneOf": [{"type": "null"}]} | 1 | oneOf | {"passingSchemas": null}
{"not": {}} | 1 | not | {}
{"patternProperties": {"^\\d": {"pattern": "b"}}} | {"1": "a"} | pattern | {"pattern": "b"}
"#;

    #[test]
    fn each_keyword_has_the_params_of_ajv() {
        for case in CASES.trim().lines() {
            let parts: Vec<_> = case.split(" | ").collect();
            let json = |part: usize| serde_json::from_str::<Value>(parts[part]).unwrap();
            let expected = (parts[2].to_owned(), json(3));
            assert_eq!(params(&json(0), &json(1)), expected, "{case}");
        }
    }

    #[test]
    fn long_values_are_omitted() {
        for (schema, data) in [
            (json!({"const": "x".repeat(20_000)}), json!(1)),
            (json!({"enum": vec!["x".repeat(1_000); 20]}), json!(1)),
        ] {
            assert_eq!(params(&schema, &data).1, json!({}), "{schema}");
        }
    }
}
