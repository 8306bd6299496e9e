use super::super::{DataSchema, patterns, validate_without_schema};
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
fn messages_for_members_and_counts() {
    assert_messages(&[
        (json!({"type": "object"}), json!(1), "must be an object"),
        (
            json!({"type": ["string", "null"]}),
            json!(1),
            "must be null or a string",
        ),
        (json!({"required": ["a"]}), json!({}), "`a` is required"),
        (
            json!({"dependentRequired": {"a": ["b"]}}),
            json!({"a": 1}),
            "`b` is required",
        ),
        (
            json!({"additionalProperties": false}),
            json!({"a": 1}),
            "`a` is an unknown field",
        ),
        (
            json!({"unevaluatedProperties": false}),
            json!({"a": 1}),
            "`a` is an unknown field",
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
            "must have at least 2 fields",
        ),
        (
            json!({"maxProperties": 0}),
            json!({"a": 1}),
            "must have at most 0 fields",
        ),
    ]);
}

#[test]
fn messages_for_values() {
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
fn messages_for_alternatives() {
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
            "`abc` is an invalid name: must be at most 1 character long",
        ),
        (
            json!({"prefixItems": [true], "unevaluatedItems": false}),
            json!([1, 2, 3]),
            "has 2 unexpected items",
        ),
        (
            json!({"contains": {"type": "null"}, "minContains": 2}),
            json!([1]),
            "must contain at least 2 matching items",
        ),
        (
            json!({"contains": {"type": "null"}, "minContains": 2, "maxContains": 3}),
            json!([1]),
            "must contain between 2 and 3 matching items",
        ),
        (
            json!({"contains": {"type": "null"}}),
            json!([1]),
            "must contain at least 1 matching item",
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
            "`c` is an unknown field",
            "`d` is an unknown field",
            "`x` is required",
            "`y` is required",
            "must have at most 1 field",
        ]
    );
}

#[test]
fn violations_have_both_locations() {
    let schema =
        json!({"$defs": {"s": {"type": "string"}}, "properties": {"a/b": {"$ref": "#/$defs/s"}}});
    let refused = compiled(&schema).validate(&json!({"a/b": 1})).unwrap_err();
    assert_eq!(
        refused.violations(),
        [Violation {
            instance_path: "/a~1b".into(),
            schema_path: "/$defs/s/type".into(),
            keyword: "type".into(),
            message: "must be a string".into(),
            params: json!({"type": "string"}).as_object().cloned().unwrap(),
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
fn messages_contain_no_submitted_values() {
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
fn the_order_is_deterministic() {
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

/// A pattern that exceeds the step limit.
const ENDLESS: &str = "^(a|a)*\\1b";

fn endless() -> String {
    "a".repeat(60)
}

#[test]
fn reaching_the_step_limit_is_a_violation_everywhere() {
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
fn without_a_schema_data_must_be_an_object() {
    assert_eq!(validate_without_schema(&json!({"a": 1})), Ok(()));
    for data in [json!(null), json!([]), json!("{}")] {
        let refused = validate_without_schema(&data).unwrap_err();
        assert_eq!(refused.messages(), ["must be an object"]);
        assert_eq!(refused.violations()[0].keyword, "type");
    }
}

#[test]
fn only_cheap_data_is_validated_lightly() {
    let schema = compiled(&json!({"items": {"type": "number", "pattern": "^(?=.*a)(?=.*b)"}}));
    let valid = json!(vec![1; 1_000]);
    assert_eq!(validate_lightly(&schema, &valid), Some(Ok(())));
    let invalid = json!([1, "ab"]);
    let refused = schema.validate(&invalid);
    assert!(refused.is_err());
    assert_eq!(validate_lightly(&schema, &invalid), Some(refused));
    for (expensive, accepted) in [
        (json!(vec![1; 100_000]), true),
        (json!(vec!["ab"; 5_000]), false),
    ] {
        assert_eq!(validate_lightly(&schema, &expensive), None);
        assert_eq!(schema.validate(&expensive).is_ok(), accepted);
    }
    let schema = compiled(&json!({"pattern": ENDLESS}));
    assert_eq!(validate_lightly(&schema, &json!(endless())), None);
}

#[test]
fn violations_within_contains_have_the_location_of_the_schema() {
    let schema = json!({
        "properties": {"a": {"$ref": "#/contains"}, "contains": {"anyOf": [{"type": "null"}]}},
        "contains": {"type": "string", "pattern": "^x"}
    });
    let schema = DataSchema::compile(&schema.to_string()).unwrap();
    let refused = schema
        .validate(&json!({"a": "y", "contains": 1}))
        .unwrap_err();
    let paths: Vec<_> = refused
        .violations()
        .iter()
        .map(|one| one.schema_path.as_str())
        .collect();
    assert_eq!(paths, ["/contains/pattern", "/properties/contains/anyOf"]);
    assert_eq!(refused.violations()[0].params["pattern"], "^x");
}
