//! Data under a schema.

use jsonschema::Validator;
use serde_json::Value;

use super::budget::{self, Budget};
use super::cost::Cost;
use super::extent::Extent;
use super::patterns::{self, Unfinished};
use super::rejection::{Rejection, Violation};
use super::structure::{push_token, read_token};
use super::{DataSchema, compile, messages, stack};

/// Checks data, on a stack that is large enough for its depth and that of the schema.
pub(super) fn validate(schema: &DataSchema, data: &Value) -> Result<(), Rejection> {
    let extent = Extent::of(data);
    let levels = extent.depth.saturating_add(2);
    let validation = Validation {
        schema,
        data,
        extent,
        frames: schema.cost.nesting.saturating_mul(levels),
    };
    stack::with_stack(validation.frames, || validation.run()).unwrap_or_else(|| {
        Err(summary("is nested too deeply to be checked against the schema").into())
    })
}

/// One document under one schema.
struct Validation<'a> {
    schema: &'a DataSchema,
    data: &'a Value,
    extent: Extent,
    /// How deep checks of sub-schemas may nest.
    frames: usize,
}

impl Validation<'_> {
    fn run(&self) -> Result<(), Rejection> {
        let (finished, _) = patterns::watch(|| self.schema.key_patterns.finish_on(self.data));
        if !finished {
            return Err(key_limit_reached().into());
        }
        let validator = self.suitable_validator();
        // The question for yes or no first: the validator remembers answers to it, so that it takes
        // bounded time where a list would not; and almost always the answer is yes.
        let (valid, mut unfinished) = patterns::watch(|| {
            budget::within(Budget::checking(), || validator.is_valid(self.data))
        });
        let mut violations = Vec::new();
        let incomplete = match valid {
            Some(true) => None,
            Some(false) => {
                let (listed, more) = patterns::watch(|| self.list(validator));
                unfinished.extend(more);
                let is_listed = listed.is_some();
                violations.extend(listed.into_iter().flatten());
                (!is_listed).then_some("does not match the schema, in more ways than can be listed")
            }
            None => Some("takes too long to be checked against the schema"),
        };
        // Matches that have taken all the time tell of that themselves.
        let incomplete = incomplete.filter(|_| unfinished.is_empty());
        violations.extend(incomplete.map(summary));
        let unreported = unfinished_violations(&unfinished, self.data, &violations);
        violations.extend(unreported);
        for violation in &mut violations {
            restore_keys(self.schema, &mut violation.schema_path);
        }
        Rejection::if_any(violations)
    }

    /// The validator that charges for its checks, where that could come to anything.
    ///
    /// Both give the same answers; the other one is faster by a third.
    fn suitable_validator(&self) -> &Validator {
        const NEGLIGIBLE: u64 = budget::LISTING / 8;
        /// A schema that nests alternatives checks them again on each level, to list what they miss.
        const USUAL_NESTING: usize = 16;

        let Cost { nesting, ways, .. } = self.schema.cost;
        let values = u64::try_from(self.extent.values).unwrap_or(u64::MAX);
        let repeated = u64::try_from(1 + nesting / USUAL_NESTING).unwrap_or(u64::MAX);
        let cost = budget::cost_of(ways, self.frames, self.extent.depth + 1);
        if cost.saturating_mul(values).saturating_mul(repeated) <= NEGLIGIBLE {
            return &self.schema.validator;
        }
        let charged = self.schema.charged.get_or_init(|| {
            // A schema with ways without bound is compiled like that from the start.
            let needed = ways != u64::MAX;
            let compiled = needed.then(|| compile::compile(&self.schema.text, true).ok());
            compiled.flatten().map(|compiled| compiled.validator)
        });
        charged.as_ref().unwrap_or(&self.schema.validator)
    }

    /// Every violation of invalid data; nothing where they are too many to be listed.
    fn list(&self, validator: &Validator) -> Option<Vec<Violation>> {
        /// Each violation tells the whole way to it, and no person writes so long a one.
        const MAX_NESTING: usize = 1_000;

        let listing = || messages::violations_under(validator, self.data);
        (self.extent.is_describable() && self.schema.cost.nesting <= MAX_NESTING)
            .then(|| budget::within(Budget::listing(self.frames), listing))
            .flatten()
            .filter(|listed| !listed.is_empty())
    }
}

/// The refusal of data with names of members that are not matched within the bounds.
fn key_limit_reached() -> Violation {
    let message = format!(
        "has member names of which matching {}",
        patterns::limit_reached()
    );
    Violation::of_keyword("patternProperties", String::new(), message)
}

fn summary(message: &str) -> Violation {
    Violation::of_keyword("", String::new(), message)
}

/// The violations for matches that were given up, where the validator reports none of its own.
fn unfinished_violations(
    unfinished: &[Unfinished],
    data: &Value,
    reported: &[Violation],
) -> Vec<Violation> {
    let mut violations = Vec::new();
    for one in unfinished {
        let instance_path = place_of(one, data).unwrap_or_default();
        let violation = Violation {
            instance_path,
            schema_path: one.schema_path.clone(),
            keyword: one.keyword.to_owned(),
            message: patterns::limit_reached(),
        };
        let is_same = |other: &Violation| {
            other.message == violation.message
                && other.instance_path == violation.instance_path
                && other.schema_path.starts_with(&violation.schema_path)
        };
        if !reported.iter().chain(&violations).any(is_same) {
            violations.push(violation);
        }
    }
    violations
}

/// The JSON Pointer of the value that a match was about; names of members have none.
fn place_of(unfinished: &Unfinished, value: &Value) -> Option<String> {
    if unfinished.is_about(value) {
        return Some(String::new());
    }
    let (token, below) = match value {
        Value::Array(items) => items.iter().enumerate().find_map(|(index, item)| {
            place_of(unfinished, item).map(|below| (index.to_string(), below))
        })?,
        Value::Object(members) => members.iter().find_map(|(key, member)| {
            place_of(unfinished, member).map(|below| (key.clone(), below))
        })?,
        _ => return None,
    };
    let mut pointer = String::new();
    push_token(&mut pointer, &token);
    Some(pointer + &below)
}

/// Writes keys of `patternProperties` as they stand in the schema, and not as the validator reads them.
fn restore_keys(schema: &DataSchema, schema_path: &mut String) {
    if schema.key_sources.is_empty() || !schema_path.contains("patternProperties") {
        return;
    }
    let tokens = schema_path.split('/').skip(1).map(read_token);
    let mut restored = String::new();
    for token in tokens {
        let source = schema.key_sources.get(&token);
        push_token(&mut restored, source.unwrap_or(&token));
    }
    *schema_path = restored;
}

#[cfg(test)]
mod tests {
    use super::super::{DataSchema, validate_without_schema};
    use super::*;
    use serde_json::json;

    fn compiled(schema: &Value) -> DataSchema {
        let compiled = DataSchema::compile(&schema.to_string());
        compiled.unwrap_or_else(|error| panic!("{schema}: {error}"))
    }

    fn messages(schema: &Value, data: &Value) -> Vec<String> {
        let refused = compiled(schema).validate(data).err();
        refused
            .map(|refused| refused.messages().to_vec())
            .unwrap_or_default()
    }

    fn assert_messages(cases: &[(Value, Value, &str)]) {
        for (schema, data, message) in cases {
            assert_eq!(messages(schema, data), [*message], "{schema}");
        }
    }

    #[test]
    fn members_and_counts_have_words_of_their_own() {
        assert_messages(&[
            (json!({"type": "object"}), json!(1), "must be an object"),
            (
                json!({"type": ["string", "null"]}),
                json!(1),
                "must be null or a string",
            ),
            (json!({"required": ["a"]}), json!({}), "is required: `a`"),
            (
                json!({"dependentRequired": {"a": ["b"]}}),
                json!({"a": 1}),
                "is required: `b`",
            ),
            (
                json!({"additionalProperties": false}),
                json!({"a": 1}),
                "must not have the member `a`",
            ),
            (
                json!({"unevaluatedProperties": false}),
                json!({"a": 1}),
                "must not have the member `a`",
            ),
            (
                json!({"properties": {"a": false}}),
                json!({"a": 1}),
                "/a: must not be present",
            ),
            (
                json!({"minLength": 2}),
                json!("x"),
                "must be at least 2 characters long",
            ),
            (
                json!({"maxLength": 1}),
                json!("xy"),
                "must be at most 1 character long",
            ),
            (
                json!({"minItems": 1}),
                json!([]),
                "must have at least 1 item",
            ),
            (
                json!({"maxItems": 1}),
                json!([1, 2]),
                "must have at most 1 item",
            ),
            (
                json!({"minProperties": 2}),
                json!({}),
                "must have at least 2 members",
            ),
            (
                json!({"maxProperties": 0}),
                json!({"a": 1}),
                "must have at most 0 members",
            ),
        ]);
    }

    #[test]
    fn values_have_words_of_their_own() {
        assert_messages(&[
            (json!({"minimum": 3}), json!(2), "must be at least 3"),
            (json!({"maximum": 3.5}), json!(4), "must be at most 3.5"),
            (
                json!({"exclusiveMinimum": 3}),
                json!(3),
                "must be greater than 3",
            ),
            (
                json!({"exclusiveMaximum": 3}),
                json!(3),
                "must be less than 3",
            ),
            (
                json!({"multipleOf": 3}),
                json!(4),
                "must be a multiple of 3",
            ),
            (
                json!({"uniqueItems": true}),
                json!([1, 1]),
                "must not contain the same item twice",
            ),
            (json!({"const": "x"}), json!("y"), "must be \"x\""),
            (
                json!({"enum": [1, "a", null]}),
                json!(2),
                "must be one of 1, \"a\", null",
            ),
            (
                json!({"format": "email"}),
                json!("x"),
                "must be a valid email address",
            ),
            (
                json!({"format": "uuid"}),
                json!("x"),
                "must be a valid UUID",
            ),
            (
                json!({"pattern": "^a+$"}),
                json!("b"),
                "must match the pattern `^a+$`",
            ),
            (
                json!({"not": {"type": "string"}}),
                json!("b"),
                "must not match the excluded schema",
            ),
            (
                json!({"prefixItems": [true], "items": false}),
                json!([1, 2]),
                "/1: must not be present",
            ),
        ]);
    }

    #[test]
    fn alternatives_have_words_of_their_own() {
        assert_messages(&[
            (
                json!({"anyOf": [{"type": "null"}, {"minLength": 9}]}),
                json!("x"),
                "must match at least one alternative (must be null; must be at least 9 characters long)",
            ),
            (
                json!({"oneOf": [{"type": "null"}, {"properties": {"a": {"type": "null"}}}]}),
                json!({"a": 1}),
                "must match one alternative (must be null; /a: must be null)",
            ),
            (
                json!({"oneOf": [true, true]}),
                json!(1),
                "must match only one alternative, but matches several",
            ),
            (
                json!({"propertyNames": {"maxLength": 1}}),
                json!({"abc": 1}),
                "has the member name `abc`, which must be at most 1 character long",
            ),
            (
                json!({"contains": {"type": "null"}}),
                json!([1]),
                "must contain items of the demanded kind in the demanded number",
            ),
        ]);
    }

    #[test]
    fn long_parts_of_a_schema_are_not_quoted() {
        let long = "x".repeat(200);
        for (schema, message) in [
            (json!({"const": long}), "must be the fixed value"),
            (
                json!({"enum": ["a", long]}),
                "must be one of the 2 allowed values",
            ),
            (json!({"pattern": long}), "must match the pattern"),
            (json!({"enum": vec![json!([]); 1]}), "must be one of []"),
            (
                json!({"anyOf": [{"const": 1}, {"const": 2}, {"const": 3}, {"const": 4}, {"const": 5}]}),
                "must match at least one alternative",
            ),
        ] {
            assert_eq!(messages(&schema, &json!("b")), [message]);
        }
    }

    #[test]
    fn every_violation_is_reported() {
        let schema = json!({
            "properties": {"a": {"type": "string", "minLength": 3}, "b": {"items": {"type": "null"}}},
            "required": ["x", "y"],
            "additionalProperties": false,
            "allOf": [{"maxProperties": 1}, {"properties": {"a": {"pattern": "^q"}}}]
        });
        let data = json!({"a": "s", "b": [1, null, 2], "c": 0, "d": 0});
        let mut messages = messages(&schema, &data);
        messages.sort();
        assert_eq!(
            messages,
            [
                "/a: must be at least 3 characters long",
                "/a: must match the pattern `^q`",
                "/b/0: must be null",
                "/b/2: must be null",
                "is required: `x`",
                "is required: `y`",
                "must have at most 1 member",
                "must not have the member `c`",
                "must not have the member `d`",
            ]
        );
    }

    #[test]
    fn violations_have_both_places() {
        let schema = json!({"$defs": {"s": {"type": "string"}}, "properties": {"a/b": {"$ref": "#/$defs/s"}}});
        let refused = compiled(&schema).validate(&json!({"a/b": 1})).unwrap_err();
        assert_eq!(
            refused.violations(),
            [Violation {
                instance_path: "/a~1b".into(),
                schema_path: "/$defs/s/type".into(),
                keyword: "type".into(),
                message: "must be a string".into(),
            }]
        );
        let schema = json!({"properties": {"a": {"pattern": "^b"}}});
        let refused = compiled(&schema).validate(&json!({"a": "x"})).unwrap_err();
        assert_eq!(refused.violations()[0].schema_path, "/properties/a/pattern");
        assert_eq!(refused.violations()[0].keyword, "pattern");
        let schema = json!({"patternProperties": {"^\\d.~": {"type": "null"}}});
        let refused = compiled(&schema)
            .validate(&json!({"1.~": "x"}))
            .unwrap_err();
        assert_eq!(
            refused.violations()[0].schema_path,
            "/patternProperties/^\\d.~0/type"
        );
    }

    #[test]
    fn no_submitted_value_is_in_a_message() {
        let secret = "geheim-4711";
        let schema = json!({
            "properties": {
                "a": {"format": "email"}, "b": {"pattern": "^x"}, "c": {"enum": [1]}, "d": {"const": 1},
                "e": {"type": "integer"}, "f": {"anyOf": [{"maxLength": 1}, {"type": "null"}]},
                "g": {"not": {"type": "string"}}, "h": {"maxLength": 2}, "i": {"format": "uuid"}
            }
        });
        let data: serde_json::Map<_, _> = ('a'..='i')
            .map(|key| (key.to_string(), json!(secret)))
            .collect();
        let messages = messages(&schema, &data.into());
        assert_eq!(messages.len(), 9);
        assert!(
            messages.iter().all(|message| !message.contains(secret)),
            "{messages:?}"
        );
    }

    #[test]
    fn the_order_is_the_same_each_time() {
        let schema = compiled(
            &json!({"items": {"required": ["a", "b"], "properties": {"c": false, "d": false}}}),
        );
        let data = json!([{"c": 1, "d": 2}, {}]);
        let first = schema.validate(&data);
        assert!(first.is_err());
        for _ in 0..10 {
            assert_eq!(schema.validate(&data), first);
        }
    }

    /// A text on which the pattern takes more steps than it may.
    const ENDLESS: &str = "^(a|a)*\\1b";

    fn endless() -> String {
        "a".repeat(60)
    }

    #[test]
    fn a_bound_on_steps_is_a_violation_wherever_it_is_reached() {
        let pattern = json!({"pattern": ENDLESS});
        let keys = json!({"patternProperties": {ENDLESS: {"type": "null"}}});
        for schema in [
            pattern.clone(),
            json!({"not": pattern}),
            json!({"not": {"not": pattern}}),
            json!({"anyOf": [pattern, {"type": "string"}]}),
            json!({"anyOf": [{"allOf": [pattern, {"maxLength": 1}]}, {"type": "string"}]}),
            json!({"oneOf": [pattern, {"type": "string"}]}),
            json!({"if": pattern, "then": true, "else": true}),
            json!({"if": pattern, "then": {"maxLength": 1}}),
        ] {
            let schema = json!({"properties": {"t": schema}});
            let refused = compiled(&schema)
                .validate(&json!({"t": endless()}))
                .expect_err(&schema.to_string());
            let limit = patterns::limit_reached();
            let reached = |one: &&Violation| one.message == limit;
            let violation = refused.violations().iter().find(reached);
            let violation = violation.unwrap_or_else(|| panic!("{schema}: {refused:?}"));
            assert_eq!(
                (violation.instance_path.as_str(), violation.keyword.as_str()),
                ("/t", "pattern")
            );
            assert!(violation.schema_path.ends_with("/pattern"), "{violation:?}");
        }
        for schema in [
            keys.clone(),
            json!({"not": keys}),
            json!({"anyOf": [keys, true]}),
            json!({"patternProperties": {ENDLESS: true}, "additionalProperties": false}),
            json!({"patternProperties": {ENDLESS: true}, "unevaluatedProperties": false}),
            json!({"propertyNames": pattern}),
            json!({"propertyNames": {"anyOf": [pattern, true]}}),
        ] {
            let refused = compiled(&schema)
                .validate(&json!({endless(): 1}))
                .expect_err(&schema.to_string());
            let text = refused.to_string();
            assert!(text.contains("too many steps"), "{schema}: {text}");
        }
    }

    #[test]
    fn without_a_schema_data_is_an_object() {
        assert_eq!(validate_without_schema(&json!({"a": 1})), Ok(()));
        for data in [json!(null), json!([]), json!("{}")] {
            let refused = validate_without_schema(&data).unwrap_err();
            assert_eq!(refused.messages(), ["must be an object"]);
            assert_eq!(refused.violations()[0].keyword, "type");
        }
    }
}
