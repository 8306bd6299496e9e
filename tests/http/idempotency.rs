//! Requests that are sent again with the same `Idempotency-Key`.

use std::sync::Arc;

use formalize_core::Store;
use formalize_http::contract::Operation;
use formalize_tests::failing::Failure;
use formalize_tests::on_every_store;
use poem::http::Method;
use serde_json::{Value, json};

use crate::support::{
    Actor, Answer, App, BATCH, FORM_LINKS, FORMS, GRANTS, GROUPS, MEMBERS, SUBMISSIONS, at, id,
    items, submission,
};

on_every_store![
    a_response_is_sent_again,
    keys_that_cannot_be_used_are_refused,
    a_key_expires,
    other_requests_ignore_keys,
];

const KEY: &str = "idempotency-key";

async fn post(actor: Actor<'_>, path: &str, body: &Value, key: &str) -> Answer {
    let request = actor.request(Method::POST, path).header(KEY, key);
    request.json(body).send().await
}

/// Each creation gets the very same response again, and nothing is created twice.
async fn a_response_is_sent_again(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let group = app.group("Editors").await;
    let form = app.open_form(json!({})).await;
    let holder = json!({ "userIdentifier": "bob", "action": "read", "resourceClass": "DbpRelayAuthorizationGroup",
        "resourceIdentifier": group });
    let schema = "{\"title\": \"\\\"dataFeedSchema\\\":null\", \"type\": \"object\"}";
    let data = "{\"dataFeedElement\": null, \"name\": \"\u{e4}\\n\"}";
    for (path, body) in [
        (GROUPS, json!({ "name": "\"dataFeedElement\":null" })),
        (
            MEMBERS,
            json!({ "groupIdentifier": group, "userIdentifier": "bob" }),
        ),
        (GRANTS, holder),
        (FORMS, json!({ "name": "A", "dataFeedSchema": schema })),
        (FORMS, json!({ "name": "B" })),
        (SUBMISSIONS, submission(&form, data)),
        (SUBMISSIONS, json!({ "formIdentifier": form })),
    ] {
        let key = format!("\"{path} {}\"", body.to_string().len());
        let first = post(app.alice(), path, &body, &key).await;
        let made = first.expect(201);
        assert_eq!(first.header("idempotent-replayed"), None, "{path}");
        // A bare key is the same as a quoted one.
        let again = post(app.alice(), path, &body, key.trim_matches('"')).await;
        assert_eq!(again.status, 201);
        assert_eq!(again.header("idempotent-replayed"), Some("true"), "{path}");
        assert_eq!(again.body, first.body, "{path}");
        for name in ["etag", "location", "content-type"] {
            assert_eq!(again.header(name), first.header(name), "{path}: {name}");
        }
        let read = app.alice().get(&at(path, &id(&made))).await;
        assert_eq!(read.header("etag"), first.header("etag"), "{path}");
        let other = post(app.alice(), path, &json!({}), &key).await;
        assert!(other.status.is_client_error(), "{path}");
    }
    let list = format!("{SUBMISSIONS}?formIdentifier={form}");
    let list = app.alice().get(&list).await.expect(200);
    assert_eq!(items(&list).len(), 2);
    // A request of somebody else with the same key is another one.
    let body = submission(&form, data);
    let key = format!("{SUBMISSIONS} {}", body.to_string().len());
    let by_bob = post(app.bob(), SUBMISSIONS, &body, &key).await;
    by_bob.expect(201);
    assert_eq!(by_bob.header("idempotent-replayed"), None);
}

async fn keys_that_cannot_be_used_are_refused(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let body = json!({ "name": "Editors" });
    for key in ["", "\"\"", "\"open", "\u{e4}", &"x".repeat(256)] {
        let refused = post(app.alice(), GROUPS, &body, key).await;
        refused.refuse(
            400,
            "authorization:invalid-parameter",
            json!(["Idempotency-Key"]),
        );
    }
    let twice = app.alice().request(Method::POST, GROUPS);
    let twice = twice.header(KEY, "a").header(KEY, "a").json(&body);
    twice.send().await.refuse(
        400,
        "authorization:invalid-parameter",
        json!(["Idempotency-Key"]),
    );
    post(app.alice(), GROUPS, &body, "a").await.expect(201);
    let other = json!({ "name": "Readers" });
    let reused = post(app.alice(), GROUPS, &other, "a").await;
    reused.refuse(422, "authorization:idempotency-key-reused", json!([]));
    let reused = post(app.alice(), FORMS, &body, "a").await;
    reused.refuse(422, "formalize:idempotency-key-reused", json!([]));
}

async fn a_key_expires(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let body = json!({ "name": "Editors" });
    let first = post(app.alice(), GROUPS, &body, "a").await.expect(201);
    app.travel("2026-11-22T07:59:59.999Z");
    let again = post(app.alice(), GROUPS, &body, "a").await.expect(201);
    assert_eq!(again, first);
    app.travel("2026-11-22T08:00:00Z");
    let later = post(app.alice(), GROUPS, &body, "a").await;
    assert_ne!(later.expect(201)["identifier"], first["identifier"]);
}

/// The secret of a public link must not be kept, so links are created each time.
async fn other_requests_ignore_keys(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = app.open_form(json!({})).await;
    let body = json!({ "formIdentifier": form });
    let first = post(app.alice(), FORM_LINKS, &body, "a").await.expect(201);
    let second = post(app.alice(), FORM_LINKS, &body, "a").await.expect(201);
    assert_ne!(first["url"], second["url"]);
    let read = app.alice().request(Method::GET, GROUPS).header(KEY, "\"");
    read.send().await.expect(200);
}

/// A request whose key belongs to one that is still being performed, as far as the store can tell.
#[tokio::test]
async fn a_key_in_use_is_refused() {
    let app = App::new().await;
    let form = app.open_form(json!({})).await;
    app.store.fail_at("keep_response", Failure::LockTimeout);
    for (path, body, area) in [
        (GROUPS, json!({ "name": "Editors" }), "authorization"),
        (FORMS, json!({ "name": "A" }), "formalize"),
        (
            BATCH,
            json!({ "formIdentifier": form, "submissions": [{}] }),
            "formalize",
        ),
        (
            BATCH,
            json!({ "formIdentifier": form, "submissions": [{}], "atomic": false }),
            "formalize",
        ),
    ] {
        let refused = post(app.alice(), path, &body, "a").await;
        let error_id = match area {
            "authorization" => "authorization:idempotency-key-in-use",
            _ => "formalize:idempotency-key-in-use",
        };
        refused.refuse(409, error_id, json!([]));
        assert_eq!(refused.header("retry-after"), Some("1"), "{path}");
    }
    app.store.recover();
    let sent = post(app.alice(), GROUPS, &json!({ "name": "Editors" }), "a").await;
    sent.expect(201);
    assert_eq!(sent.header("idempotent-replayed"), None);
}

/// Readers of the document rely on this list.
#[test]
fn the_document_lists_the_requests_with_keys() {
    let document = include_str!("../../docs/idempotency.md");
    let rows = document
        .lines()
        .filter_map(|line| line.strip_prefix("| `POST "));
    let listed: Vec<&str> = rows.filter_map(|rest| rest.split('`').next()).collect();
    let keyed = Operation::ALL.iter().map(|operation| operation.spec());
    let keyed: Vec<&str> = keyed
        .filter(|spec| spec.is_keyed())
        .map(|spec| spec.path)
        .collect();
    assert_eq!(listed, keyed);
}
