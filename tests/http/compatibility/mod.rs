//! Clients of the last release go on working: nothing that its document promised is taken back.
//!
//! `docs/openapi/released.json` is the document of the last release; `CONTRIBUTING.md` says when it is copied anew.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

mod operations;
mod schemas;

use operations::breaking_changes;

fn read(path: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn nothing_is_taken_back_that_was_released() {
    let changes = breaking_changes(&read("docs/openapi/released.json"), &read("openapi.json"));
    assert!(changes.is_empty(), "{changes:#?}");
}

const FORMS: &str = "/paths/~1formalize~1forms";

/// The document with one member replaced, or taken away if it is null.
fn changed(document: &Value, place: &str, with: Value) -> Value {
    let mut document = document.clone();
    let (parent, name) = place.rsplit_once('/').unwrap();
    let name = name.replace("~1", "/");
    let parent = document.pointer_mut(parent);
    let parent = parent.unwrap_or_else(|| panic!("there is no {place}"));
    match parent {
        Value::Object(members) if with.is_null() => {
            members.remove(&name).unwrap();
        }
        Value::Object(members) => {
            members.insert(name, with);
        }
        Value::Array(items) if with.is_null() => {
            items.remove(name.parse().unwrap());
        }
        Value::Array(items) => items.push(with),
        other => panic!("{other} has no members"),
    }
    document
}

/// Checks that each change is noticed, in words that have this one among them.
fn assert_noticed(rows: &[(String, Value, &str)]) {
    let document = read("openapi.json");
    for (place, with, word) in rows {
        let changes = breaking_changes(&document, &changed(&document, place, with.clone()));
        let is_named = changes.iter().any(|change| change.contains(word));
        assert!(is_named, "{place}: no `{word}` in {changes:#?}");
    }
}

/// A query parameter that there is not yet.
fn parameter(is_required: bool) -> Value {
    json!({ "name": "area", "in": "query", "required": is_required, "schema": { "type": "string" } })
}

#[test]
fn what_breaks_whoever_asks_is_noticed() {
    let of_list = |part: &str| format!("{FORMS}/get/{part}");
    let of_create = |part: &str| format!("{FORMS}/post/{part}");
    let of_body = |part: &str| format!("/components/schemas/NewForm/{part}");
    assert_noticed(&[
        (FORMS.to_owned(), Value::Null, "removed"),
        (format!("{FORMS}/post"), Value::Null, "removed"),
        (of_create("operationId"), json!("addForm"), "is called"),
        (
            "/paths/~1healthz/get/security".to_owned(),
            Value::Null,
            "credentials",
        ),
        (of_list("parameters/0"), Value::Null, "removed"),
        (of_list("parameters/-"), parameter(true), "required"),
        (
            of_list("parameters/1/schema/maximum"),
            json!(100),
            "maximum",
        ),
        (
            of_create("requestBody/content/application~1json"),
            Value::Null,
            "application/json",
        ),
        (
            of_body("properties/availableStarts"),
            Value::Null,
            "availableStarts",
        ),
        (
            of_body("properties/availableStarts/nullable"),
            json!(false),
            "null",
        ),
        (
            of_body("properties/name/maxLength"),
            json!(100),
            "maxLength",
        ),
        (of_body("properties/name/pattern"), json!("^x"), "pattern"),
        (of_body("required/-"), json!("dataFeedSchema"), "required"),
        (
            "/components/schemas/SubmissionState/enum/0".to_owned(),
            Value::Null,
            "draft",
        ),
    ]);
}

#[test]
fn what_breaks_whoever_is_answered_is_noticed() {
    let of_answers = |part: &str| format!("{FORMS}/post/responses/{part}");
    let of_form = |part: &str| format!("/components/schemas/Form/{part}");
    let of_details =
        |part: &str| format!("/components/schemas/Problem/properties/relay:errorDetails/{part}");
    assert_noticed(&[
        (of_answers("201"), Value::Null, "201"),
        (of_answers("422"), Value::Null, "422"),
        (of_answers("202"), json!({ "description": "Later." }), "202"),
        (of_answers("201/headers/Location"), Value::Null, "Location"),
        (
            of_answers("403/x-error-ids/0"),
            Value::Null,
            "formalize:forbidden",
        ),
        (of_form("properties/name"), Value::Null, "name"),
        (of_form("properties/name/type"), json!("integer"), "type"),
        (of_form("properties/name/nullable"), json!(true), "null"),
        (
            of_form("properties/dateCreated/format"),
            json!("date"),
            "format",
        ),
        (of_form("required/0"), Value::Null, "identifier"),
        (
            "/components/schemas/SubmissionState/enum/-".to_owned(),
            json!("accepted"),
            "accepted",
        ),
        (
            of_details("oneOf/0/items/type"),
            json!("object"),
            "alternative",
        ),
    ]);
}

#[test]
fn what_breaks_nobody_is_let_through() {
    let document = read("openapi.json");
    let operation = document["paths"]["/formalize/forms"]["get"].clone();
    let of_forms = |part: &str| format!("{FORMS}/{part}");
    let of_schema = |part: &str| format!("/components/schemas/{part}");
    let rows = [
        (
            "/paths/~1formalize~1drafts".to_owned(),
            json!({ "get": operation }),
        ),
        (of_forms("get/description"), json!("Another one.")),
        (of_forms("get/parameters/-"), parameter(false)),
        (of_forms("get/parameters/1/schema/maximum"), Value::Null),
        (
            of_forms("post/responses/409"),
            json!({ "description": "A conflict." }),
        ),
        (
            of_schema("NewForm/properties/colour"),
            json!({ "type": "string" }),
        ),
        (of_schema("NewForm/properties/name/maxLength"), json!(1000)),
        (of_schema("NewForm/required/0"), Value::Null),
        (
            of_schema("Form/properties/colour"),
            json!({ "type": "string" }),
        ),
        (
            of_schema("Form/required/-"),
            json!("numSubmissionsByCurrentUser"),
        ),
        (
            of_schema("Form/properties/availableStarts/nullable"),
            json!(false),
        ),
    ];
    for (place, with) in rows {
        let changes = breaking_changes(&document, &changed(&document, &place, with));
        assert!(changes.is_empty(), "{place}: {changes:#?}");
    }
}
