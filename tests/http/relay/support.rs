//! Requests as the client sends them, and what all its responses have in common.

use poem::http::Method;
use serde_json::{Value, json};

use crate::support::{Actor, Answer, App, RELAY_BASE, SUBMISSIONS, at};

/// The media type of responses.
pub(super) const LD_JSON: &str = "application/ld+json; charset=utf-8";
/// The media type of errors.
const PROBLEM: &str = "application/problem+json; charset=utf-8";
/// The boundary of bodies.
const BOUNDARY: &str = "----WebKitFormBoundary7MA4YWxkTrZu0gW";

/// A form field, or a file with its name and type.
#[derive(Clone, Copy)]
pub(super) enum Field<'a> {
    Text(&'a str, &'a str),
    File(&'a str, &'a str, &'a str, &'a [u8]),
}

use Field::{File, Text};

/// A body of `multipart/form-data`.
pub(super) fn form_data(fields: &[Field<'_>]) -> Vec<u8> {
    let mut body = Vec::new();
    for field in fields {
        body.extend_from_slice(format!("--{BOUNDARY}\r\n").as_bytes());
        let (head, content) = match *field {
            Text(name, text) => (
                format!("Content-Disposition: form-data; name=\"{name}\"\r\n\r\n"),
                text.as_bytes(),
            ),
            File(name, file, media, content) => (
                format!(
                    "Content-Disposition: form-data; name=\"{name}\"; filename=\"{file}\"\r\nContent-Type: {media}\r\n\r\n"
                ),
                content,
            ),
        };
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    body
}

/// Sends such a body.
pub(super) async fn send(
    actor: Actor<'_>,
    method: Method,
    path: &str,
    fields: &[Field<'_>],
) -> Answer {
    let media = format!("multipart/form-data; boundary={BOUNDARY}");
    let body = form_data(fields);
    actor
        .at_relay()
        .request(method, path)
        .header("accept", "*/*")
        .header("content-type", &media)
        .header("content-length", &body.len().to_string())
        .body(body)
        .send()
        .await
}

/// Creates a submission as the client does.
pub(super) async fn submit(actor: Actor<'_>, fields: &[Field<'_>]) -> Answer {
    send(actor, Method::POST, SUBMISSIONS, fields).await
}

/// Changes a submission as the client does.
pub(super) async fn change(actor: Actor<'_>, submission: &str, fields: &[Field<'_>]) -> Answer {
    send(actor, Method::PATCH, &at(SUBMISSIONS, submission), fields).await
}

/// Reads something as the client does: it declares a type for the body that it does not send.
pub(super) async fn get(actor: Actor<'_>, path: &str) -> Answer {
    actor
        .at_relay()
        .request(Method::GET, path)
        .header("accept", "*/*")
        .header("content-type", "application/ld+json")
        .send()
        .await
}

/// Sends JSON as the client does.
pub(super) async fn post(actor: Actor<'_>, path: &str, body: &Value) -> Answer {
    actor
        .at_relay()
        .request(Method::POST, path)
        .header("content-type", "application/ld+json")
        .body(body.to_string())
        .send()
        .await
}

/// Changes a form as the client does.
pub(super) async fn patch(actor: Actor<'_>, path: &str, body: &Value) -> Answer {
    actor
        .at_relay()
        .request(Method::PATCH, path)
        .header("content-type", "application/merge-patch+json")
        .body(body.to_string())
        .send()
        .await
}

pub(super) async fn delete(actor: Actor<'_>, path: &str) -> Answer {
    actor
        .at_relay()
        .request(Method::DELETE, path)
        .header("content-type", "application/json")
        .send()
        .await
}

/// The body of a success.
#[track_caller]
pub(super) fn success(answer: &Answer, status: u16) -> Value {
    assert_eq!(answer.status.as_u16(), status, "{answer}");
    if status == 204 {
        assert!(answer.body.is_empty(), "{answer}");
        return Value::Null;
    }
    assert_eq!(answer.header("content-type"), Some(LD_JSON), "{answer}");
    let value: Value = serde_json::from_slice(&answer.body).unwrap();
    assert!(!has_null(&value), "{answer}: no member is null");
    assert!(value.get("error").is_none(), "{answer}");
    assert_eq!(
        value["@context"],
        json!({
            "@vocab": format!("{RELAY_BASE}/docs.jsonld#"),
            "hydra": "http://www.w3.org/ns/hydra/core#",
        }),
        "{answer}"
    );
    value
}

/// The item in a success.
#[track_caller]
pub(super) fn item(answer: &Answer, status: u16) -> Value {
    let item = success(answer, status);
    let tag = answer.header("etag").unwrap_or_default();
    assert!(tag.len() > 2 && tag.starts_with('"'), "{answer}");
    if status == 201 {
        assert_eq!(answer.header("location"), item["@id"].as_str(), "{answer}");
    }
    item
}

/// The elements of a collection.
#[track_caller]
pub(super) fn members(answer: &Answer) -> Vec<Value> {
    let collection = success(answer, 200);
    assert_eq!(collection["@type"], "hydra:Collection", "{answer}");
    assert_eq!(
        keys(&collection),
        ["@context", "@id", "@type", "hydra:member", "hydra:view"],
        "{answer}"
    );
    let members = collection["hydra:member"].as_array().unwrap().clone();
    assert!(
        members
            .iter()
            .all(|member| member.get("@context").is_none()),
        "{answer}"
    );
    members
}

/// Asserts an error with this identifier and these details, and the other members of errors.
#[track_caller]
pub(super) fn refused(answer: &Answer, status: u16, id: &str, details: impl Into<Value>) {
    assert_eq!(answer.status.as_u16(), status, "{answer}");
    assert_eq!(answer.header("content-type"), Some(PROBLEM), "{answer}");
    let error: Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(
        keys(&error),
        [
            "@context",
            "@id",
            "@type",
            "description",
            "detail",
            "hydra:description",
            "hydra:title",
            "relay:errorDetails",
            "relay:errorId",
            "status",
            "title",
            "type",
        ],
        "{answer}"
    );
    assert_eq!(error["@context"], "/contexts/ApiErrorResource");
    assert_eq!(
        error["@id"],
        format!("/api-error-resources/id={status};status={status}")
    );
    assert_eq!(error["@type"], "ApiErrorResource");
    assert_eq!(error["status"], status);
    assert_eq!(error["type"], format!("/errors/{status}"));
    assert_eq!(error["title"], error["hydra:title"]);
    assert_eq!(error["description"], error["hydra:description"]);
    assert_eq!(error["relay:errorId"], id, "{answer}");
    assert_eq!(error["relay:errorDetails"], details.into(), "{answer}");
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(members) => members.values().any(has_null),
        _ => false,
    }
}

/// The names of the members of an object, in alphabetical order.
pub(super) fn keys(object: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = object
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    keys.sort_unstable();
    keys
}

/// The path of a form.
pub(super) fn form_path(form: &str) -> String {
    format!("/formalize/forms/{form}")
}

/// A form for drafts and submitted submissions, which their creators may read and change, with this schema.
pub(super) async fn open_form(app: &App, schema: Value) -> String {
    let members = json!({
        "allowedSubmissionStates": ["draft", "submitted"],
        "allowedActionsWhenSubmitted": ["read", "update", "delete"],
        "dataFeedSchema": schema.to_string(),
    });
    app.open_form(members).await
}
