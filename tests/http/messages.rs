//! What refusals say: what is wrong, and what to do.

use poem::http::Method;
use serde_json::{Value, json};

use crate::openapi::document;
use crate::support::{
    Actor, App, BATCH, CHECK, FORMS, GROUPS, NOWHERE, SUBMISSIONS, at, id, submission,
};

/// The title and the detail agree, whatever the route takes.
#[tokio::test]
async fn refused_media_types_name_the_accepted_ones() {
    let app = App::new().await;
    let document = document(&app).await;
    let mut tried = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let Some(content) = operation["requestBody"]["content"].as_object() else {
                continue;
            };
            let segments = path.split('/');
            let segments = segments.map(|one| if one.starts_with('{') { NOWHERE } else { one });
            let path = segments.collect::<Vec<_>>().join("/");
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let is_file = content.contains_key("application/octet-stream");
            let other = if is_file {
                "multipart/form-data"
            } else {
                "text/plain"
            };
            let request = app.alice().request(method, &path);
            let refused = request.header("content-type", other).body("x").send().await;
            let problem: Value = serde_json::from_slice(&refused.body).unwrap();
            assert_eq!(problem["status"], 415, "{path}: {problem}");
            let [title, detail] = ["title", "detail"].map(|name| problem[name].as_str().unwrap());
            assert!(!title.contains('/'), "{title}");
            for media in content.keys() {
                assert!(detail.contains(media.as_str()), "{path}: {detail}");
            }
            tried += 1;
        }
    }
    assert!(tried > 15, "{tried}");
}

async fn refused(actor: Actor<'_>, method: Method, path: &str, body: &Value) -> String {
    let answer = actor.request(method, path).json(body).send().await;
    let problem: Value = serde_json::from_slice(&answer.body).unwrap();
    problem["detail"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_changed_item_is_to_be_read_again() {
    let app = App::new().await;
    let path = at(GROUPS, &app.group("Editors").await);
    let change = json!({ "name": "Authors" });
    for (method, name, tag, detail) in [
        (
            Method::PATCH,
            "if-match",
            "\"old\"",
            "the item has changed since you read it; read it again",
        ),
        (
            Method::DELETE,
            "if-match",
            "\"old\"",
            "the item has changed since you read it; read it again",
        ),
        (
            Method::PATCH,
            "if-none-match",
            "*",
            "the item exists; If-None-Match is only useful for reading",
        ),
    ] {
        let request = app.alice().request(method, &path).json(&change);
        let answer = request.header(name, tag).send().await;
        let problem = answer.problem(412, "authorization:precondition-failed");
        assert_eq!(problem["detail"], detail);
    }
}

#[tokio::test]
async fn refused_tags_are_named() {
    let app = App::new().await;
    let tags = json!([{ "identifier": "seen" }]);
    let members = json!({
        "availableTags": tags, "tagPermissionsForSubmitters": ["read", "add", "remove"],
    });
    let form = app.open_form(members).await;
    let mut new = submission(&form, "{}");
    new["tags"] = json!(["seen", "lost", "found"]);
    let detail = refused(app.alice(), Method::POST, SUBMISSIONS, &new).await;
    assert!(detail.contains("\"lost\" and 1 more"), "{detail}");
}

#[tokio::test]
async fn misspelled_members_are_corrected() {
    let app = App::new().await;
    let form = id(&app.form(json!({})).await);
    for (path, body, expected) in [
        (
            FORMS,
            json!({ "name": "A", "availableStart": "2026-11-21" }),
            "unknown field \"availableStart\", did you mean `availableStarts`?",
        ),
        (
            FORMS,
            json!({ "name": "A", "colour": 1 }),
            "unknown field \"colour\"",
        ),
        (
            BATCH,
            json!({ "formIdentifier": form, "submissions": [{ "dataFeedElemnt": "{}" }] }),
            "submissions/0/dataFeedElemnt is an unknown field, did you mean `dataFeedElement`?",
        ),
        (
            CHECK,
            json!({ "checks": [{ "resourceClass": "A", "acton": "b", "action": "c" }] }),
            "checks/0/acton is an unknown field, did you mean `action`?",
        ),
    ] {
        assert_eq!(
            refused(app.alice(), Method::POST, path, &body).await,
            expected
        );
    }
    // Names of members are the sender's: many and long ones must not take long.
    let many = (0..1000).map(|number| (format!("availableStart{number}"), json!(1)));
    let many = Value::Object(many.collect());
    let detail = refused(app.alice(), Method::POST, FORMS, &many).await;
    assert!(detail.matches("did you mean").count() <= 16, "{detail}");
}
