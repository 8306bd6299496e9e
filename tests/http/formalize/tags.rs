//! Tags of submissions.

use std::sync::Arc;

use formalize_core::Store;
use formalize_tests::on_every_store;
use serde_json::{Value, json};

use crate::support::{App, FORMS, SUBMISSIONS, at, id, items, query, submission};

on_every_store! {
    tags_are_set_and_replaced_whole,
    hidden_tags_are_absent,
    submissions_are_listed_by_tag,
    impossible_tags_are_refused,
}

const TAGS: [&str; 2] = ["new", "Ä & b"];

/// A form with tags, whose submitters may do this with them.
async fn form(app: &App, permissions: Value) -> String {
    let form = app
        .form(json!({
            "availableTags": [{ "identifier": TAGS[0], "name": { "de": "Neu" } }, { "identifier": TAGS[1] }],
            "tagPermissionsForSubmitters": permissions,
            "allowedActionsWhenSubmitted": ["read", "update"],
        }))
        .await;
    app.share_form(
        &id(&form),
        "create_submissions",
        json!({ "userIdentifier": "bob" }),
    )
    .await;
    id(&form)
}

fn body_of(form: &str) -> Value {
    submission(form, "{}")
}

/// The identifiers of a list.
fn ids(list: &Value) -> Vec<String> {
    items(list).iter().map(id).collect()
}

async fn tags_are_set_and_replaced_whole(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app, json!(["read", "add"])).await;
    let read = app.alice().get(&at(FORMS, &form)).await.expect(200);
    let available =
        json!([{ "identifier": "new", "name": { "de": "Neu" } }, { "identifier": "Ä & b" }]);
    assert_eq!(read["availableTags"], available);
    assert_eq!(read["tagPermissionsForSubmitters"], json!(["read", "add"]));
    let listed = app.alice().get(FORMS).await.expect(200);
    assert!(listed["items"][0].get("availableTags").is_none());
    assert_eq!(
        listed["items"][0]["tagPermissionsForSubmitters"],
        json!(["read", "add"])
    );

    let mut body = body_of(&form);
    let made = app.bob().post(SUBMISSIONS, body.clone()).await.expect(201);
    assert_eq!(made["tags"], json!([]));
    assert_eq!(made["grantedTagActions"], json!(["read", "add"]));
    body["tags"] = json!(["Ä & b", "new", "new"]);
    let made = app.bob().post(SUBMISSIONS, body).await.expect(201);
    assert_eq!(made["tags"], json!(["Ä & b", "new"]));
    let path = at(SUBMISSIONS, &id(&made));
    let removed = app.bob().patch(&path, json!({ "tags": ["new"] })).await;
    removed.refuse(403, "formalize:forbidden", json!([]));
    let changed = app
        .alice()
        .patch(&path, json!({ "tags": ["new"] }))
        .await
        .expect(200);
    assert_eq!(changed["tags"], json!(["new"]));
    assert_eq!(
        changed["grantedTagActions"],
        json!(["read", "add", "remove"])
    );
    assert_eq!(
        app.bob().get(&path).await.expect(200)["tags"],
        json!(["new"])
    );

    let form = at(FORMS, &form);
    let change =
        json!({ "availableTags": [], "tagPermissionsForSubmitters": ["remove", "add", "read"] });
    let changed = app.alice().patch(&form, change).await.expect(200);
    assert_eq!(changed["availableTags"], json!([]));
    assert_eq!(
        changed["tagPermissionsForSubmitters"],
        json!(["read", "add", "remove"])
    );
    assert_eq!(
        app.bob().get(&path).await.expect(200)["tags"],
        json!(["new"])
    );
    let changed = app
        .bob()
        .patch(&path, json!({ "tags": [] }))
        .await
        .expect(200);
    assert_eq!(changed["tags"], json!([]));
}

async fn hidden_tags_are_absent(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app, json!([])).await;
    let mut body = body_of(&form);
    body["tags"] = json!([]);
    let made = app.bob().post(SUBMISSIONS, body.clone()).await.expect(201);
    assert!(made.get("tags").is_none(), "{made}");
    assert_eq!(made["grantedTagActions"], json!([]));
    let path = at(SUBMISSIONS, &id(&made));
    app.alice()
        .patch(&path, json!({ "tags": ["new"] }))
        .await
        .expect(200);
    let read = app.bob().get(&path).await.expect(200);
    assert!(read.get("tags").is_none(), "{read}");
    let list = query(SUBMISSIONS, &[("formIdentifier", &form), ("tag", "new")]);
    assert!(ids(&app.bob().get(&list).await.expect(200)).is_empty());
    assert_eq!(ids(&app.alice().get(&list).await.expect(200)), [id(&made)]);
    for tags in [json!([]), json!(["new"])] {
        let refused = app.bob().patch(&path, json!({ "tags": tags })).await;
        refused.refuse(403, "formalize:forbidden", json!([]));
    }
    app.share_form(&form, "read", json!({ "userIdentifier": "bob" }))
        .await;
    let read = app.bob().get(&at(FORMS, &form)).await.expect(200);
    assert!(read.get("availableTags").is_none(), "{read}");
    assert_eq!(read["tagPermissionsForSubmitters"], json!([]));
}

async fn submissions_are_listed_by_tag(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app, json!(["read", "add"])).await;
    let mut made = Vec::new();
    for tags in [
        json!(["new"]),
        json!([]),
        json!(["Ä & b", "new"]),
        json!(["new"]),
    ] {
        let mut body = body_of(&form);
        body["tags"] = tags;
        made.push(id(&app.bob().post(SUBMISSIONS, body).await.expect(201)));
    }
    let of = |tag: &str, more: &[(&str, &str)]| {
        let parameters = [&[("formIdentifier", form.as_str()), ("tag", tag)][..], more].concat();
        query(SUBMISSIONS, &parameters)
    };
    let first = app
        .bob()
        .get(&of("new", &[("perPage", "2")]))
        .await
        .expect(200);
    assert_eq!(ids(&first), [made[0].clone(), made[2].clone()]);
    let cursor = first["nextCursor"].as_str().unwrap();
    let next = of("new", &[("perPage", "2"), ("cursor", cursor)]);
    assert_eq!(
        ids(&app.bob().get(&next).await.expect(200)),
        [made[3].clone()]
    );
    let other = of("Ä & b", &[("perPage", "2"), ("cursor", cursor)]);
    let refused = app.bob().get(&other).await;
    refused.refuse(400, "formalize:invalid-parameter", json!(["cursor"]));
    for (tag, expected) in [
        ("Ä & b", vec![made[2].clone()]),
        ("NEW", vec![]),
        ("", vec![]),
    ] {
        assert_eq!(
            ids(&app.alice().get(&of(tag, &[])).await.expect(200)),
            expected
        );
    }
    let export =
        of("new", &[("format", "json")]).replacen(SUBMISSIONS, "/formalize/submissions/export", 1);
    assert_eq!(app.alice().get(&export).await.expect(200)["count"], 3);
}

async fn impossible_tags_are_refused(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app, json!(["read", "add", "remove"])).await;
    let mut body = body_of(&form);
    body["tags"] = json!(["new", "y", "x"]);
    let refused = app.bob().post(SUBMISSIONS, body.clone()).await;
    refused.refuse(400, "formalize:submission-tags-invalid", json!(["y", "x"]));
    body["tags"] = json!("new");
    let refused = app.bob().post(SUBMISSIONS, body).await;
    refused.refuse(400, "formalize:invalid-request-body", json!(["tags"]));

    let invalid = ["availableTags", "tagPermissionsForSubmitters"];
    for (member, value) in [
        (invalid[0], json!([{ "name": "a" }])),
        (
            invalid[0],
            json!([{ "identifier": "a" }, { "identifier": "a" }]),
        ),
        (invalid[0], json!([{ "identifier": 1 }])),
        (invalid[1], json!(["add"])),
        (invalid[1], json!(["read", "remove"])),
        (invalid[1], json!(["write"])),
    ] {
        let refused = app
            .alice()
            .post(FORMS, json!({ "name": "F", member: value }))
            .await;
        refused.refuse(400, "formalize:form-invalid", json!([member]));
        let refused = app
            .alice()
            .patch(&at(FORMS, &form), json!({ member: value }))
            .await;
        refused.refuse(400, "formalize:form-invalid", json!([member]));
    }
}
