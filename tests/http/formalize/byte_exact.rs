//! `dataFeedSchema` and `dataFeedElement` are returned byte for byte, and changed only by `KEYS`.

use serde_json::{Value, json};

use crate::support::{App, FORMS, SUBMISSIONS, at, draft, id, items, query, submission};

const ODD: [&str; 9] = [
    "{}",
    " {\t\"a\" :\r\n1.0 ,\n\"b\":1.00, \"c\":1e2, \"d\":1E+2, \"e\":-0, \"f\":-0.0 }\n",
    r#"{"big":12345678901234567890123456789,"small":0.1000000000000000055511151231257827}"#,
    r#"{"z":1,"a":2,"m":3}"#,
    r#"{"escaped":"\u00e9\u00E9\/\ud83d\ude00","plain":"é/😀"}"#,
    "{\"line\":\"\u{2028}\u{2029}\",\"bidi\":\"\u{202e}abc\",\"joined\":\"👩‍👩‍👧‍👦\"}",
    "{\"composed\":\"\u{e9}\",\"decomposed\":\"e\u{301}\",\"\u{e9}\":1,\"e\u{301}\":2}",
    r#"{"":"","nul":"\u0000","quote":"\"\\"}"#,
    r#"{"deep":[[[{"a":[null,true,false]}]]]}"#,
];

#[tokio::test]
async fn data_is_returned_as_sent() {
    let app = App::new().await;
    let members = json!({
        "allowedSubmissionStates": ["draft", "submitted"], "allowedActionsWhenSubmitted": ["manage"],
    });
    let form = app.open_form(members).await;
    for text in ODD {
        let made = app
            .bob()
            .post(SUBMISSIONS, draft(&form, text))
            .await
            .expect(201);
        assert_eq!(made["dataFeedElement"], text);
        let path = at(SUBMISSIONS, &id(&made));
        assert_eq!(
            app.bob().get(&path).await.expect(200)["dataFeedElement"],
            text
        );
        let change = json!({ "dataFeedElement": format!(" {text}") });
        let changed = app.bob().patch(&path, change).await.expect(200);
        assert_eq!(changed["dataFeedElement"], format!(" {text}"));
    }
    let list = app
        .bob()
        .walk(&query(
            SUBMISSIONS,
            &[("formIdentifier", &form), ("perPage", "2")],
        ))
        .await;
    let listed: Vec<&str> = list
        .iter()
        .map(|item| item["dataFeedElement"].as_str().unwrap())
        .collect();
    assert_eq!(listed, ODD.map(|text| format!(" {text}")));
}

#[tokio::test]
async fn schemas_are_returned_as_sent() {
    let app = App::new().await;
    for text in ODD {
        let text = format!(" {{ \"examples\" : [{text}]\t}}");
        let form = app.form(json!({ "dataFeedSchema": text })).await;
        assert_eq!(form["dataFeedSchema"], text);
        let path = at(FORMS, &id(&form));
        assert_eq!(
            app.alice().get(&path).await.expect(200)["dataFeedSchema"],
            text
        );
        let change = json!({ "dataFeedSchema": format!("{text} ") });
        let changed = app.alice().patch(&path, change).await.expect(200);
        assert_eq!(changed["dataFeedSchema"], format!("{text} "));
    }
}

/// Data as a list returns it with the given output validation.
async fn shown(app: &App, schema: Option<&str>, data: Value, output: &str) -> Value {
    let members = json!({
        "dataFeedSchema": schema, "allowedSubmissionStates": ["draft"],
    });
    let form = app.open_form(members).await;
    let mut body = draft(&form, "");
    body["dataFeedElement"] = data;
    app.bob().post(SUBMISSIONS, body).await.expect(201);
    let path = query(
        SUBMISSIONS,
        &[("formIdentifier", &form), ("outputValidation", output)],
    );
    items(&app.bob().get(&path).await.expect(200))[0]["dataFeedElement"].clone()
}

#[tokio::test]
async fn keys_reduces_data_to_what_the_schema_defines() {
    let app = App::new().await;
    let schema = r#"{"properties": {"a": {}, "b": false, "é": {}, "": {}}, "allOf": [{"properties": {"c": {}}}]}"#;
    for (data, reduced) in [
        ("{}", json!({})),
        (r#"{"a":1,"c":2}"#, json!({ "a": 1 })),
        (r#"{"x":{"a":1}}"#, json!({})),
        (r#"{"":1,"A":2}"#, json!({ "": 1 })),
        ("[1,2]", json!({})),
        ("\"a\"", json!({})),
        ("null", json!({})),
    ] {
        let kept = shown(&app, Some(schema), json!(data), "KEYS").await;
        assert_eq!(
            serde_json::from_str::<Value>(kept.as_str().unwrap()).unwrap(),
            reduced,
            "{data}"
        );
        assert_eq!(shown(&app, Some(schema), json!(data), "NONE").await, data);
    }
    for schema in [
        None,
        Some("{}"),
        Some("true"),
        Some(r#"{"properties": {}}"#),
        Some(r#"{"items": {"properties": {"a": {}}}}"#),
    ] {
        assert_eq!(
            shown(&app, schema, json!(r#"{"a":1}"#), "KEYS").await,
            "{}",
            "{schema:?}"
        );
    }
    assert_eq!(
        shown(&app, Some(schema), Value::Null, "KEYS").await,
        Value::Null
    );
    assert_eq!(shown(&app, None, Value::Null, "KEYS").await, Value::Null);
}

#[tokio::test]
async fn keys_keeps_order_and_spelling() {
    let app = App::new().await;
    let schema = r#"{"properties": {"a": {}, "b": {}, "é": {}}}"#;
    let data = "{\"b\":1.00,\"x\":[],\"\\u00e9\":\"\\/\",\"a\":{ \"x\" : 1E+2 }}";
    let kept = shown(&app, Some(schema), json!(data), "KEYS").await;
    assert_eq!(
        kept,
        "{\"b\":1.00,\"\\u00e9\":\"\\/\",\"a\":{ \"x\" : 1E+2 }}"
    );
}

#[tokio::test]
async fn an_item_is_never_reduced() {
    let app = App::new().await;
    let members = json!({ "dataFeedSchema": "{}", "allowedActionsWhenSubmitted": ["read"] });
    let form = app.open_form(members).await;
    let made = app
        .bob()
        .post(SUBMISSIONS, submission(&form, r#"{"a":1}"#))
        .await
        .expect(201);
    let path = query(
        &at(SUBMISSIONS, &id(&made)),
        &[("outputValidation", "KEYS")],
    );
    let refused = app.bob().get(&path).await;
    refused.refuse(
        400,
        "formalize:invalid-parameter",
        json!(["outputValidation"]),
    );
}
