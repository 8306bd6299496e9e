use serde_json::{Value, json};

use super::*;
use crate::schema::{DataSchema, Rejection, compile_stored};

const MIB: u64 = 1024 * 1024;

fn name(name: &str) -> FileAttributeName {
    FileAttributeName::new(name).unwrap()
}

fn compile(schema: &Value) -> Result<FileRules, Rejection> {
    DataSchema::compile(&schema.to_string()).map(|schema| schema.file_rules().clone())
}

fn rules(schema: &Value) -> FileRules {
    compile(schema).unwrap_or_else(|refused| panic!("{schema}: {refused}"))
}

/// The messages for a schema that is refused, each with its location.
fn faults(schema: &Value) -> Vec<String> {
    let refused = compile(schema).expect_err(&schema.to_string());
    refused.messages().to_vec()
}

#[test]
fn defaults_are_those_of_the_interface() {
    let any = json!(["*/*"]);
    for (rule, min, max, bytes) in [
        (json!({"allowedMimeTypes": any}), 1, 1, 10 * MIB),
        (
            json!({"allowedMimeTypes": any, "minNumber": 0}),
            0,
            1,
            10 * MIB,
        ),
        (
            json!({"allowedMimeTypes": any, "minNumber": 3}),
            3,
            3,
            10 * MIB,
        ),
        (
            json!({"allowedMimeTypes": any, "maxNumber": 7.0}),
            1,
            7,
            10 * MIB,
        ),
        (
            json!({"allowedMimeTypes": any, "maxSizeMb": 0.5}),
            1,
            1,
            MIB / 2,
        ),
        (
            json!({"allowedMimeTypes": any, "maxSizeMb": 1e300}),
            1,
            1,
            u64::MAX,
        ),
        (json!({"allowedMimeTypes": any, "maxSizeMb": 1e-9}), 1, 1, 0),
    ] {
        let rules = rules(&json!({"files": {"a": rule}}));
        let rule = rules.of(&name("a")).unwrap();
        let told = (rule.min_number(), rule.max_number(), rule.max_bytes());
        assert_eq!(told, (min, max, bytes), "{rule:?}");
        assert_eq!(rules.of(&name("b")), None);
    }
    let with_others = rules(&json!({"additionalFiles": true}));
    let others = with_others.of(&name("b")).unwrap();
    assert_eq!(
        (others.min_number(), others.max_number(), others.max_bytes()),
        (0, 2, 10 * MIB)
    );
    assert!(others.allows("application/pdf"));
    assert!(!others.allows("application/octet-stream"));
    for none in [
        json!({}),
        json!(true),
        json!({"additionalFiles": false}),
        json!({"files": {}}),
    ] {
        assert_eq!(rules(&none), FileRules::default(), "{none}");
    }
}

#[test]
fn types_are_compared_without_case() {
    let schema = json!({"files": {"a": {"allowedMimeTypes": ["IMAGE/PNG", "Text/*"]}}});
    let rules = rules(&schema);
    let rule = rules.of(&name("a")).unwrap();
    for (mime_type, is_allowed) in [
        ("image/png", true),
        ("image/jpeg", false),
        ("text/csv", true),
        ("text/plain", true),
        ("textual/x", false),
    ] {
        assert_eq!(rule.allows(mime_type), is_allowed, "{mime_type}");
    }
}

#[test]
fn faults_are_reported_where_they_are() {
    let types = json!(["*/*"]);
    let faults_of = |rule: Value| faults(&json!({"files": {"a": rule}}));
    for (rule, expected) in [
        (json!(1), "/files/a: must be an object"),
        (json!({}), "/files/a: `allowedMimeTypes` is required"),
        (
            json!({"allowedMimeTypes": []}),
            "/files/a/allowedMimeTypes: must be an array with at least one type",
        ),
        (
            json!({"allowedMimeTypes": "*/*"}),
            "/files/a/allowedMimeTypes: must be an array with at least one type",
        ),
        (
            json!({"allowedMimeTypes": types, "hobby": 1}),
            "/files/a: `hobby` is an unknown field",
        ),
        (
            json!({"allowedMimeTypes": types, "minNumber": -1}),
            "/files/a/minNumber: must be an integer of at least 0",
        ),
        (
            json!({"allowedMimeTypes": types, "minNumber": 1.5}),
            "/files/a/minNumber: must be an integer of at least 0",
        ),
        (
            json!({"allowedMimeTypes": types, "minNumber": "1"}),
            "/files/a/minNumber: must be an integer of at least 0",
        ),
        (
            json!({"allowedMimeTypes": types, "minNumber": null}),
            "/files/a/minNumber: must be an integer of at least 0",
        ),
        (
            json!({"allowedMimeTypes": types, "minNumber": 0, "maxNumber": 0}),
            "/files/a/maxNumber: must be an integer of at least 1",
        ),
        (
            json!({"allowedMimeTypes": types, "minNumber": 3, "maxNumber": 2}),
            "/files/a/maxNumber: must not be less than minNumber",
        ),
        (
            json!({"allowedMimeTypes": types, "maxSizeMb": 0}),
            "/files/a/maxSizeMb: must be a number above 0",
        ),
        (
            json!({"allowedMimeTypes": types, "maxSizeMb": "1"}),
            "/files/a/maxSizeMb: must be a number above 0",
        ),
    ] {
        assert_eq!(faults_of(rule.clone()), [expected], "{rule}");
    }
    for wrong in [
        "pdf",
        "*",
        "*/pdf",
        "image/",
        "/png",
        "image/png; q=1",
        "image/png ",
        "a/b/c",
        "",
        "ä/b",
        "image/*+xml",
    ] {
        let told = faults_of(json!({"allowedMimeTypes": ["image/png", wrong]}));
        assert_eq!(
            told,
            ["/files/a/allowedMimeTypes/1: must be a type such as application/pdf, image/* or */*"],
            "{wrong}"
        );
    }
    let told = faults_of(json!({"allowedMimeTypes": [1]}));
    assert_eq!(told.len(), 1);
}

#[test]
fn all_faults_are_reported_together() {
    let schema = json!({
        "type": "object",
        "properties": {"x": {"localizedName": 1}},
        "files": {"a[]": {}, "b~": {"minNumber": -1, "x": 1}},
        "additionalFiles": {"maxSizeMb": 0}
    });
    let told = faults(&schema);
    let places: Vec<&str> = told
        .iter()
        .filter_map(|one| one.split_once(": "))
        .map(|(place, _)| place)
        .collect();
    let expected = [
        "/properties/x/localizedName",
        "/files/a[]",
        "/files/b~0",
        "/files/b~0/minNumber",
        "/files/b~0",
        "/additionalFiles/maxSizeMb",
        "/additionalFiles",
    ];
    assert_eq!(places, expected);
    for (schema, place) in [
        (json!({"files": []}), "/files"),
        (json!({"files": null}), "/files"),
        (json!({"additionalFiles": null}), "/additionalFiles"),
        (json!({"additionalFiles": "yes"}), "/additionalFiles"),
    ] {
        assert!(
            faults(&schema)[0].starts_with(&format!("{place}: ")),
            "{schema}"
        );
    }
}

#[test]
fn the_number_of_groups_is_limited() {
    let schema = |number: usize| {
        let rule = json!({"allowedMimeTypes": ["*/*"]});
        let files: serde_json::Map<_, _> = (0..number)
            .map(|index| (format!("a{index}"), rule.clone()))
            .collect();
        json!({"files": files})
    };
    assert_eq!(rules(&schema(50)).declared.len(), 50);
    assert_eq!(
        faults(&schema(51)),
        ["/files: must not have more than 50 names"]
    );
}

/// Only the keywords at the root are rules. Elsewhere they are annotations, or names of fields.
#[test]
fn keywords_below_the_root_are_not_rules() {
    let schema = json!({
        "properties": {"files": {"type": "array"}, "a": {"files": 1, "additionalFiles": "x"}},
        "submissionExport": {"files": 1}
    });
    assert_eq!(rules(&schema), FileRules::default());
}

#[test]
fn schemas_from_before_the_rules_still_work() {
    let schema = json!({"type": "object", "files": "an annotation"}).to_string();
    assert!(DataSchema::compile(&schema).is_err());
    let stored = compile_stored(&schema).unwrap();
    assert_eq!(stored.file_rules(), &FileRules::default());
    assert_eq!(stored.validate(&json!({})), Ok(()));
    assert!(stored.outline().is_some());
    assert!(compile_stored(r#"{"type": "strin"}"#).is_err());
}
