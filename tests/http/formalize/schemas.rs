//! Validation of `dataFeedSchema`.

use serde_json::{Value, json};

use crate::support::{App, FORMS, at, id};

/// Checks that a schema is rejected both on creation and on change.
async fn refused_schema(app: &App, schema: &str) -> Value {
    let created = app
        .alice()
        .post(FORMS, json!({ "name": "x", "dataFeedSchema": schema }))
        .await;
    let problem = created.problem(400, "formalize:form-invalid-data-feed-schema");
    let path = at(FORMS, &id(&app.form(json!({})).await));
    let changed = app
        .alice()
        .patch(&path, json!({ "dataFeedSchema": schema }))
        .await;
    assert_eq!(
        changed.problem(400, "formalize:form-invalid-data-feed-schema"),
        problem
    );
    let messages = problem["relay:errorDetails"].as_array().unwrap();
    assert!(
        !messages.is_empty() && messages.iter().all(Value::is_string),
        "{problem}"
    );
    problem
}

#[tokio::test]
async fn invalid_schemas_are_rejected() {
    let app = App::new().await;
    for text in [
        "",
        "{",
        "no",
        "{\"a\": 1, \"a\": 2}",
        "{} {}",
        "{'a': 1}",
        "\u{feff}{}",
        "{\"a\": 01}",
    ] {
        let problem = refused_schema(&app, text).await;
        assert_eq!(problem["violations"], json!([]), "{text}");
    }
    for schema in [
        "[]",
        "3",
        "\"x\"",
        r#"{"type": "strin"}"#,
        r#"{"type": 3}"#,
        r#"{"required": "name"}"#,
        r#"{"minLength": -1}"#,
        r#"{"pattern": "("}"#,
        r#"{"properties": {"a": {"pattern": "[z-a]"}}}"#,
        r##"{"$ref": "#/$defs/missing"}"##,
        r#"{"$ref": "https://example.org/schema.json"}"#,
        r#"{"$ref": "http://json-schema.org/draft-07/schema"}"#,
        r#"{"$ref": "other.json"}"#,
        r#"{"$ref": "file:///etc/passwd"}"#,
        r##"{"$ref": "#"}"##,
        r##"{"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}"##,
        r#"{"$schema": "https://example.org/my-dialect"}"#,
        r#"{"properties": {"a": {"localizedName": "A"}}}"#,
        r#"{"properties": {"a": {"localizedName": {"en": 3}}}}"#,
        r#"{"properties": {"a": {"tableViewVisibleDefault": "true"}}}"#,
    ] {
        refused_schema(&app, schema).await;
    }
}

#[tokio::test]
async fn schemas_are_limited() {
    let app = App::new().await;
    let sized = |bytes: usize| {
        let rest = bytes - r#"{"description":""}"#.len();
        format!(r#"{{"description":"{}"}}"#, "x".repeat(rest))
    };
    app.form(json!({ "dataFeedSchema": sized(1 << 20) })).await;
    refused_schema(&app, &sized((1 << 20) + 1)).await;

    // A property adds two levels, and the schema inside it another one.
    let nested = |levels: usize| {
        let mut schema = "{}".to_owned();
        for _ in 0..levels {
            schema = format!(r#"{{"not":{schema}}}"#);
        }
        schema
    };
    app.form(json!({ "dataFeedSchema": nested(63) })).await;
    refused_schema(&app, &nested(64)).await;

    let doubling = |times: usize| {
        let definitions: Vec<String> = (0..times)
            .map(|at| {
                let next = at + 1;
                format!(r##""d{at}":{{"allOf":[{{"$ref":"#/$defs/d{next}"}},{{"$ref":"#/$defs/d{next}"}}]}}"##)
            })
            .collect();
        format!(
            r##"{{"$ref":"#/$defs/d0","$defs":{{{},"d{times}":{{}}}}}}"##,
            definitions.join(",")
        )
    };
    app.form(json!({ "dataFeedSchema": doubling(8) })).await;
    refused_schema(&app, &doubling(30)).await;
}

#[tokio::test]
async fn schemas_of_all_drafts_are_accepted() {
    let app = App::new().await;
    for schema in [
        "true",
        "false",
        r#"{"$schema": "http://json-schema.org/draft-07/schema"}"#,
        r#"{"$schema": "https://json-schema.org/draft/2020-12/schema#"}"#,
        "{}",
        r#"{"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 3, "exclusiveMinimum": true}"#,
        r#"{"$schema": "http://json-schema.org/draft-06/schema#", "exclusiveMinimum": 3}"#,
        r#"{"$schema": "http://json-schema.org/draft-07/schema#", "if": {}, "then": {}}"#,
        r#"{"$schema": "https://json-schema.org/draft/2019-09/schema", "items": [{}]}"#,
        r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "prefixItems": [{}]}"#,
        r#"{"properties": {"a": {"localizedName": {"en": "A", "de": "Ä"}, "tableViewVisibleDefault": true}}}"#,
        r##"{"$defs": {"tree": {"properties": {"children": {"items": {"$ref": "#/$defs/tree"}}}}}, "$ref": "#/$defs/tree"}"##,
        r#"{"pattern": "^(?=a)(?!b).*$", "unknownKeyword": [1, 2]}"#,
    ] {
        let form = app.form(json!({ "dataFeedSchema": schema })).await;
        assert_eq!(form["dataFeedSchema"], schema);
    }
}
