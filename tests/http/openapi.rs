//! Tests of the OpenAPI document.

use std::fs;
use std::path::Path;

use poem::http::Method;
use serde_json::Value;

use crate::support::{App, NOWHERE, faults};

/// The document as it is served.
pub(crate) async fn document(app: &App) -> Value {
    let answer = app.anon().get("/openapi.json").await;
    assert_eq!(answer.status.as_u16(), 200);
    assert_eq!(
        answer.header("content-type"),
        Some("application/json; charset=utf-8")
    );
    serde_json::from_slice(&answer.body).unwrap()
}

/// An operation as the document describes it.
#[derive(Debug)]
pub(crate) struct Described {
    pub(crate) id: String,
    pub(crate) method: Method,
    /// A path whose identifiers do not exist.
    pub(crate) path: String,
    pub(crate) area: &'static str,
    pub(crate) public: bool,
    /// The names of the query parameters.
    pub(crate) parameters: Vec<String>,
    pub(crate) error_ids: Vec<String>,
}

/// Every operation that the document describes.
pub(crate) async fn operations(app: &App) -> Vec<Described> {
    let document = document(app).await;
    let mut described = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            described.push(describe(path, method, operation));
        }
    }
    assert!(described.len() > 30);
    described
}

fn describe(template: &str, method: &str, operation: &Value) -> Described {
    let texts = |value: &Value| -> Vec<String> {
        let values = value.as_array().into_iter().flatten();
        values
            .map(|value| value.as_str().unwrap().to_owned())
            .collect()
    };
    let segments: Vec<&str> = template
        .split('/')
        .map(|segment| {
            if segment.starts_with('{') {
                NOWHERE
            } else {
                segment
            }
        })
        .collect();
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let parameters = parameters
        .filter(|parameter| parameter["in"] == "query")
        .map(|parameter| parameter["name"].as_str().unwrap().to_owned());
    let responses = operation["responses"].as_object().unwrap().values();
    Described {
        id: operation["operationId"].as_str().unwrap().to_owned(),
        method: Method::from_bytes(method.to_uppercase().as_bytes()).unwrap(),
        path: segments.join("/"),
        area: if template.starts_with("/authorization/") {
            "authorization"
        } else {
            "formalize"
        },
        public: operation["security"] == serde_json::json!([]),
        parameters: parameters.collect(),
        error_ids: responses
            .flat_map(|response| texts(&response["x-error-ids"]))
            .collect(),
    }
}

/// getOpenApi
#[tokio::test]
async fn the_document_matches_the_reviewed_one() {
    let app = App::new().await;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../openapi.json");
    let checked_in = fs::read_to_string(path).unwrap_or_default();
    let served = app.anon().get("/openapi.json").await;
    assert!(
        checked_in.as_bytes() == served.body,
        "run `cargo run --bin formalize-server -- openapi > openapi.json` and review what changed"
    );
}

#[tokio::test]
async fn the_document_can_be_parsed_by_tools() {
    let document = document(&App::new().await).await;
    assert!(document["openapi"].as_str().unwrap().starts_with("3."));
    let mut references = Vec::new();
    collect_references(&document, &mut references);
    assert!(!references.is_empty());
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

fn collect_references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            found.extend(
                members
                    .get("$ref")
                    .and_then(Value::as_str)
                    .map(str::to_owned),
            );
            members
                .values()
                .for_each(|member| collect_references(member, found));
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| collect_references(item, found)),
        _ => {}
    }
}

#[tokio::test]
async fn examples_match_their_schemas() {
    let document = document(&App::new().await).await;
    let mut checked = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let responses = operation["responses"].as_object().unwrap().values();
            let bodies = responses.chain(operation.get("requestBody"));
            for media in bodies
                .filter_map(|body| body["content"].as_object())
                .flatten()
            {
                let (media, described) = media;
                // Bytes cannot be shown.
                if described["schema"]["format"] == "binary" {
                    continue;
                }
                for example in described["examples"].as_object().unwrap().values() {
                    let example = match example["$ref"].as_str() {
                        Some(reference) => {
                            document.pointer(reference.trim_start_matches('#')).unwrap()
                        }
                        None => example,
                    };
                    let faults = faults(&described["schema"], &example["value"]);
                    assert!(
                        faults.is_empty(),
                        "{method} {path} {media}: {example}: {faults:?}"
                    );
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 300, "{checked}");
}

/// Responses must have exactly the members that the document describes.
#[tokio::test]
async fn responses_have_the_members_of_the_document() {
    use crate::support::{
        FORMS, GRANTS, GROUPS, MEMBERS, RESOURCES, SUBMISSIONS, query, submission,
    };
    use serde_json::json;
    let app = App::new().await;
    let document = document(&app).await;
    let form = app
        .open_form(json!({ "allowedActionsWhenSubmitted": ["read"] }))
        .await;
    app.alice()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    let group = app.group("Editors").await;
    let member = json!({ "groupIdentifier": group, "userIdentifier": "bob" });
    app.alice().post(MEMBERS, member).await.expect(201);
    for (schema, path, absent) in [
        ("Group", GROUPS.to_owned(), &[][..]),
        (
            "GroupMember",
            query(MEMBERS, &[("groupIdentifier", &group)]),
            &[],
        ),
        ("Resource", RESOURCES.to_owned(), &[]),
        ("ResourceActionGrant", GRANTS.to_owned(), &[]),
        (
            "Form",
            FORMS.to_owned(),
            &["numSubmissionsByCurrentUser", "availableTags", "warnings"],
        ),
        (
            "Submission",
            query(SUBMISSIONS, &[("formIdentifier", &form)]),
            &[],
        ),
    ] {
        let list = app.alice().get(&path).await.expect(200);
        let properties = document["components"]["schemas"][schema]["properties"]
            .as_object()
            .unwrap();
        let mut expected: Vec<&String> = properties
            .keys()
            .filter(|name| !absent.contains(&name.as_str()))
            .collect();
        expected.sort_unstable();
        let mut members: Vec<&String> = list["items"][0].as_object().unwrap().keys().collect();
        members.sort_unstable();
        assert_eq!(members, expected, "{schema}");
    }
}
