use super::super::DataSchema;
use super::super::references::tests::refused;
use serde_json::{Map, Value, json};

/// `levels` definitions, each of which applies the next one twice through `twice`.
fn doubling(levels: usize, twice: impl Fn(Value) -> Value) -> Value {
    let mut definitions = Map::new();
    for level in 0..levels {
        let next = json!({"$ref": format!("#/$defs/{}", level + 1)});
        definitions.insert(level.to_string(), twice(next));
    }
    definitions.insert(levels.to_string(), json!({"type": "string"}));
    json!({"$ref": "#/$defs/0", "$defs": definitions})
}

fn is_accepted(schema: &Value) -> bool {
    DataSchema::compile(&schema.to_string()).is_ok()
}

#[test]
fn multiplied_references_are_limited() {
    let all: fn(Value) -> Value = |next| json!({"allOf": [next, next]});
    let any = |next: Value| json!({"anyOf": [next, next]});
    let branch = |next: Value| json!({"if": next, "then": next});
    let not = |next: Value| json!({"oneOf": [{"not": next}], "$ref": next["$ref"]});
    let dependent = |next: Value| json!({"dependentSchemas": {"a": next, "b": next}});
    for twice in [all, any, branch, not, dependent] {
        assert!(is_accepted(&doubling(13, twice)));
        let [(pointer, message)] = <[_; 1]>::try_from(refused(&doubling(30, twice))).unwrap();
        assert_eq!(pointer, "");
        assert!(message.contains("100000"), "{message}");
    }
}

#[test]
fn the_limit_is_exact() {
    let schema = |branches: usize| {
        let many = json!({"allOf": vec![json!({}); branches]});
        json!({"allOf": vec![json!({"$ref": "#/$defs/many"}); 41], "$defs": {"many": many}})
    };
    // The root, plus 41 times the reference, its target and the branches of the target.
    assert!(is_accepted(&schema(2_437)));
    assert!(!is_accepted(&schema(2_438)));
}

#[test]
fn the_expensive_location_is_reported() {
    let mut schema = doubling(30, |next| json!({"allOf": [next, next]}));
    let start = schema["$ref"].take();
    schema.as_object_mut().unwrap().remove("$ref");
    schema["properties"] = json!({"a": {"items": {"$ref": start}}});
    let [(pointer, _)] = <[_; 1]>::try_from(refused(&schema)).unwrap();
    assert_eq!(pointer, "/properties/a/items");
}

#[test]
fn unused_definitions_have_no_cost() {
    let mut schema = doubling(30, |next| json!({"allOf": [next, next]}));
    schema.as_object_mut().unwrap().remove("$ref");
    assert!(is_accepted(&schema));
}

#[test]
fn a_step_into_the_data_starts_a_new_count() {
    let step = |next: Value| json!({"properties": {"a": next, "b": next}, "items": next});
    let schema = doubling(60, step);
    let compiled = DataSchema::compile(&schema.to_string()).unwrap();
    assert!(compiled.validate(&json!({"a": {"b": [[]]}})).is_ok());
}

#[test]
fn cycles_need_a_step_into_the_data() {
    let message = "must not refer back to itself without descending into the data";
    for (schema, pointer) in [
        (json!({"$ref": "#"}), "/$ref"),
        (
            json!({"$defs": {"a": {"$ref": "#/$defs/a"}}}),
            "/$defs/a/$ref",
        ),
        (
            json!({"allOf": [{"not": {"$ref": "#"}}]}),
            "/allOf/0/not/$ref",
        ),
        (
            json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"if": {"$ref": "#/$defs/a"}}}}),
            "/$defs/b/if/$ref",
        ),
        (
            json!({"$dynamicAnchor": "a", "anyOf": [{"$dynamicRef": "#a"}]}),
            "/anyOf/0/$dynamicRef",
        ),
        (
            json!({"dependentSchemas": {"a": {"$ref": "#"}}}),
            "/dependentSchemas/a/$ref",
        ),
    ] {
        assert_eq!(
            refused(&schema),
            [(pointer.to_owned(), message.to_owned())],
            "{schema}"
        );
    }
    for schema in [
        json!({"properties": {"a": {"$ref": "#"}}}),
        json!({"items": {"$ref": "#"}}),
        json!({"additionalProperties": {"$ref": "#"}}),
        json!({"patternProperties": {"^a": {"$ref": "#"}}}),
        json!({"prefixItems": [{"$ref": "#"}], "contains": {"$ref": "#"}}),
        json!({"unevaluatedProperties": {"$ref": "#"}, "unevaluatedItems": {"$ref": "#"}}),
        json!({"propertyNames": {"$ref": "#"}}),
    ] {
        assert!(is_accepted(&schema), "{schema}");
    }
}

#[test]
fn siblings_of_a_reference_are_counted_only_if_they_apply() {
    let cycle = |draft: &str| {
        json!({
            "$schema": draft,
            "definitions": {"a": {"$ref": "#/definitions/b", "not": {"$ref": "#/definitions/a"}}, "b": {}}
        })
    };
    assert!(is_accepted(&cycle(
        "http://json-schema.org/draft-07/schema#"
    )));
    assert!(!is_accepted(&cycle(
        "https://json-schema.org/draft/2019-09/schema"
    )));
}

#[test]
fn nested_unevaluated_keywords_multiply() {
    let nested = |levels| {
        doubling(
            levels,
            |next| json!({"unevaluatedProperties": false, "anyOf": [next, true]}),
        )
    };
    assert!(is_accepted(&nested(10)));
    assert!(!is_accepted(&nested(20)));
}

/// A chain of definitions, the last of which has the property `a`.
fn chain(links: usize) -> Value {
    let mut definitions = Map::new();
    for link in 0..links {
        let next = json!({"$ref": format!("#/$defs/{}", link + 1)});
        definitions.insert(link.to_string(), next);
    }
    definitions.insert(links.to_string(), json!({"properties": {"a": true}}));
    json!({"items": {"unevaluatedProperties": false, "$ref": "#/$defs/0"}, "$defs": definitions})
}

#[test]
fn chains_of_sub_schemas_are_limited() {
    // The items, the links and the last definition.
    let compiled = DataSchema::compile(&chain(498).to_string()).unwrap();
    assert_eq!(compiled.validate(&json!([{"a": 1}])), Ok(()));
    assert!(compiled.validate(&json!([{"b": 1}])).is_err());
    let [(pointer, message)] = <[_; 1]>::try_from(refused(&chain(499))).unwrap();
    assert_eq!(pointer, "/items");
    assert_eq!(
        message,
        "must not apply a chain of more than 500 sub-schemas to one location in the data"
    );
}

#[test]
fn counting_takes_linear_time_for_the_largest_schemas() {
    let [(_, message)] = <[_; 1]>::try_from(refused(&chain(9_900))).unwrap();
    assert!(message.contains("500 sub-schemas"), "{message}");
}
