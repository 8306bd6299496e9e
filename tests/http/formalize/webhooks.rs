use std::collections::BTreeSet;
use std::sync::Arc;

use formalize_core::{
    Caller,
    events::EventType,
    webhooks::{AttemptError, NewWebhook, WebhookEvents},
};
use poem::http::Method;
use serde_json::{Value, json};

use crate::openapi::document;
use crate::support::{
    App, FORMS, GRANTS, GROUPS, MEMBERS, NOW, NOWHERE, Receiver, SUBMISSIONS, WEBHOOKS, at, but,
    faults, id, items, query, submission,
};

const SYSTEM: &Caller = &Caller::System;

const INVALID: &str = "formalize:webhook-invalid";
const NOT_FOUND: &str = "formalize:webhook-not-found";
const NO_DELIVERY: &str = "formalize:webhook-delivery-not-found";
const URL: &str = "https://hooks.example.org/formalize";

/// An open form of Alice, and a webhook of it with these members.
async fn hooked(app: &App, members: Value) -> (String, Value) {
    let form = app.open_form(json!({})).await;
    let mut body = json!({ "formIdentifier": form, "url": URL });
    crate::support::merge(&mut body, members);
    let made = app.alice().post(WEBHOOKS, body).await.expect(201);
    (form, made)
}

async fn submit(app: &App, form: &str) -> String {
    let made = app
        .bob()
        .post(SUBMISSIONS, submission(form, r#"{"a":1}"#))
        .await;
    id(&made.expect(201))
}

/// The webhook as every response but those with a secret has it.
fn without_secret(webhook: &Value) -> Value {
    let mut webhook = webhook.clone();
    webhook.as_object_mut().unwrap().remove("secret");
    webhook
}

/// The webhook as it is in lists.
fn in_list(webhook: &Value) -> Value {
    let mut webhook = without_secret(webhook);
    let members = webhook.as_object_mut().unwrap();
    members.remove("numPending");
    members.remove("numDead");
    webhook
}

fn under(webhook: &Value, route: &str) -> String {
    format!("{}/{route}", at(WEBHOOKS, &id(webhook)))
}

#[tokio::test]
async fn a_webhook_is_created() {
    let app = App::new().await;
    let form = app.open_form(json!({})).await;
    let body = json!({
        "formIdentifier": form, "url": "HTTPS://Hooks.Example.org:443/a/../b", "description": "Tickets",
        "eventTypes": ["submission.submitted"], "payload": "thin", "enabled": false,
        "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    });
    let answer = app.alice().post(WEBHOOKS, body).await;
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let made = answer.expect(201);
    let expected = json!({
        "identifier": made["identifier"],
        "formIdentifier": form,
        "url": "https://hooks.example.org/b",
        "description": "Tickets",
        "eventTypes": ["submission.submitted"],
        "payload": "thin",
        "enabled": false,
        "disabledReason": "owner",
        "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "creatorId": "alice",
        "dateCreated": NOW,
        "dateLastSuccess": null,
        "dateLastFailure": null,
        "datePausedUntil": null,
        "numPending": 0,
        "numDead": 0,
    });
    assert_eq!(made, expected);
    let read = app.alice().get(&at(WEBHOOKS, &id(&made))).await.expect(200);
    assert_eq!(read, without_secret(&made));

    let (_, made) = hooked(&app, json!({ "description": null })).await;
    let types = [
        "submission.submitted",
        "submission.updated",
        "submission.deleted",
        "form.updated",
        "form.cleared",
        "form.deleted",
    ];
    for event_type in types {
        assert!(
            made["eventTypes"]
                .as_array()
                .unwrap()
                .contains(&json!(event_type)),
            "{made}"
        );
    }
    assert_eq!(made["eventTypes"].as_array().unwrap().len(), types.len());
    for (member, value) in [
        ("description", json!(null)),
        ("payload", json!("full")),
        ("enabled", json!(true)),
        ("disabledReason", json!(null)),
    ] {
        assert_eq!(made[member], value, "{member}");
    }
    assert!(made["secret"].as_str().unwrap().starts_with("whsec_"));
}

#[tokio::test]
async fn a_webhook_requires_a_form_that_the_caller_manages() {
    let app = App::new().await;
    for (missing, names) in [
        (json!({}), json!(["formIdentifier", "url"])),
        (
            json!({ "formIdentifier": null, "url": URL }),
            json!(["formIdentifier"]),
        ),
        (json!({ "formIdentifier": NOWHERE }), json!(["url"])),
    ] {
        let refused = app.alice().post(WEBHOOKS, missing).await;
        refused.refuse(422, "formalize:required-field-missing", names);
    }
    for nothing in [NOWHERE, "x", ""] {
        let body = json!({ "formIdentifier": nothing, "url": URL });
        let refused = app.alice().post(WEBHOOKS, body).await;
        refused.refuse(404, "formalize:form-not-found", json!([]));
    }
    let (form, made) = hooked(&app, json!({})).await;
    app.share_form(&form, "update", json!({ "userIdentifier": "bob" }))
        .await;
    let path = at(WEBHOOKS, &id(&made));
    let body = json!({ "formIdentifier": form, "url": URL });
    for refused in [
        app.bob().post(WEBHOOKS, body).await,
        app.bob().get(&path).await,
        app.bob().patch(&path, json!({})).await,
        app.bob().delete(&path).await,
        app.bob().post(&under(&made, "test"), json!({})).await,
        app.bob()
            .post(&under(&made, "rotate-secret"), json!({}))
            .await,
        app.bob()
            .post(&under(&made, "resend"), json!({ "since": NOW }))
            .await,
        app.bob().get(&under(&made, "deliveries")).await,
    ] {
        refused.refuse(403, "formalize:forbidden", json!([]));
    }
}

#[tokio::test]
async fn invalid_values_are_named() {
    let app = App::new().await;
    let (form, made) = hooked(&app, json!({})).await;
    let path = at(WEBHOOKS, &id(&made));
    let long = format!("https://example.org/{}", "a".repeat(2048));
    for (member, value) in [
        ("url", json!("")),
        ("url", json!("http://hooks.example.org/")),
        ("url", json!("https://user@hooks.example.org/")),
        ("url", json!("https://hooks.example.org/#x")),
        ("url", json!("https://127.0.0.1/")),
        ("url", json!("https://2130706433/")),
        ("url", json!("https://localhost/")),
        ("url", json!(long)),
        ("description", json!("")),
        ("description", json!("a".repeat(257))),
        ("eventTypes", json!([])),
        ("eventTypes", json!(["draft.created"])),
        ("eventTypes", json!(["group.created"])),
        ("eventTypes", json!(["x"])),
        ("payload", json!("x")),
    ] {
        let mut body = json!({ "formIdentifier": form, "url": URL });
        body[member] = value.clone();
        let refused = app.alice().post(WEBHOOKS, body).await;
        refused.refuse(400, INVALID, json!([member]));
        let refused = app.alice().patch(&path, json!({ member: value })).await;
        refused.refuse(400, INVALID, json!([member]));
    }
    for (types, problem) in [
        (json!("x"), "formalize:invalid-request-body"),
        (json!(["x"]), INVALID),
    ] {
        let changes = json!({ "eventTypes": types });
        let body = json!({ "formIdentifier": form, "url": URL, "eventTypes": types });
        for refused in [
            app.alice().post(WEBHOOKS, body).await,
            app.alice().patch(&path, changes).await,
        ] {
            let reason = refused.problem(400, problem)["detail"].to_string();
            for possible in WebhookEvents::of_all_forms().iter() {
                let name = format!("`{}`", possible.as_str());
                assert!(reason.contains(&name), "{reason}");
            }
        }
    }
    for secret in [
        "",
        "whsec_",
        "whsec_c2hvcnQ=",
        "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    ] {
        let body = json!({ "formIdentifier": form, "url": URL, "secret": secret });
        let refused = app.alice().post(WEBHOOKS, body).await;
        refused.refuse(400, INVALID, json!(["secret"]));
    }
    for member in ["url", "eventTypes"] {
        let refused = app.alice().patch(&path, json!({ member: null })).await;
        refused.refuse(400, INVALID, json!([member]));
    }
    for fixed in ["formIdentifier", "secret", "creatorId", "numPending"] {
        let refused = app.alice().patch(&path, json!({ fixed: "x" })).await;
        refused.refuse(400, "formalize:invalid-request-body", json!([fixed]));
    }
    let read = app.alice().get(&path).await.expect(200);
    assert_eq!(read, without_secret(&made));
}

#[tokio::test]
async fn a_webhook_is_changed_member_by_member() {
    let app = App::new().await;
    let (_, made) = hooked(&app, json!({})).await;
    let path = at(WEBHOOKS, &id(&made));
    let mut expected = without_secret(&made);
    for (member, value) in [
        ("url", json!("https://other.example.org/")),
        ("description", json!("New")),
        ("description", json!(null)),
        ("eventTypes", json!(["form.updated"])),
        ("payload", json!("thin")),
    ] {
        expected[member] = value.clone();
        let changed = app.alice().patch(&path, json!({ member: value })).await;
        assert_eq!(changed.expect(200), expected);
        assert_eq!(app.alice().get(&path).await.expect(200), expected);
    }
    for (enabled, reason) in [(false, json!("owner")), (true, json!(null))] {
        let changed = app
            .alice()
            .patch(&path, json!({ "enabled": enabled }))
            .await;
        let changed = changed.expect(200);
        assert_eq!(
            (&changed["enabled"], &changed["disabledReason"]),
            (&json!(enabled), &reason)
        );
    }
}

#[tokio::test]
async fn the_webhooks_of_managed_forms_are_listed() {
    let app = App::new().await;
    let (form, first) = hooked(&app, json!({})).await;
    let (_, second) = hooked(&app, json!({})).await;
    let page = app.alice().get(WEBHOOKS).await.expect(200);
    assert_eq!(items(&page), &[in_list(&first), in_list(&second)]);
    let of_form = query(WEBHOOKS, &[("formIdentifier", &form)]);
    let page = app.alice().get(&of_form).await.expect(200);
    assert_eq!(items(&page), &[in_list(&first)]);
    for nothing in [NOWHERE, "x"] {
        let path = query(WEBHOOKS, &[("formIdentifier", nothing)]);
        assert!(items(&app.alice().get(&path).await.expect(200)).is_empty());
    }
    for caller in [app.bob(), app.admin()] {
        assert!(items(&caller.get(WEBHOOKS).await.expect(200)).is_empty());
    }
}

#[tokio::test]
async fn a_form_has_a_limited_number_of_webhooks() {
    let app = App::new().await;
    let (form, _) = hooked(&app, json!({})).await;
    let body = json!({ "formIdentifier": form, "url": URL });
    for _ in 1..20 {
        app.alice().post(WEBHOOKS, body.clone()).await.expect(201);
    }
    let refused = app.alice().post(WEBHOOKS, body).await;
    refused.refuse(409, "formalize:webhook-limit-reached", json!([]));
}

#[tokio::test]
async fn a_webhook_is_deleted() {
    let app = App::new().await;
    let (form, made) = hooked(&app, json!({})).await;
    let (other, of_form) = hooked(&app, json!({})).await;
    app.alice()
        .delete(&at(WEBHOOKS, &id(&made)))
        .await
        .expect(204);
    app.alice().delete(&at(FORMS, &other)).await.expect(204);
    for webhook in [made, of_form, json!({ "identifier": "x" })] {
        let path = at(WEBHOOKS, &id(&webhook));
        for refused in [
            app.alice().get(&path).await,
            app.alice().patch(&path, json!({})).await,
            app.alice().delete(&path).await,
            app.alice().post(&under(&webhook, "test"), json!({})).await,
            app.alice()
                .post(&under(&webhook, "rotate-secret"), json!({}))
                .await,
            app.alice()
                .post(&under(&webhook, "resend"), json!({ "since": NOW }))
                .await,
            app.alice().get(&under(&webhook, "deliveries")).await,
            app.alice()
                .get(&under(&webhook, &format!("deliveries/{NOWHERE}")))
                .await,
        ] {
            refused.refuse(404, NOT_FOUND, json!([]));
        }
    }
    let receiver = Receiver::new(Ok(204));
    submit(&app, &form).await;
    receiver.take(&app).await;
    assert!(
        receiver
            .bodies()
            .iter()
            .all(|body| body["type"] == "form.deleted")
    );
}

#[tokio::test]
async fn the_secret_of_a_webhook_is_replaced() {
    let app = App::new().await;
    let (form, made) = hooked(&app, json!({})).await;
    let path = under(&made, "rotate-secret");
    let answer = app
        .alice()
        .post(&path, json!({ "overlapSeconds": 60 }))
        .await;
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let rotated = answer.expect(200);
    assert_ne!(rotated["secret"], made["secret"]);
    assert_eq!(without_secret(&rotated), without_secret(&made));

    let receiver = Receiver::new(Ok(204));
    submit(&app, &form).await;
    receiver.take(&app).await;
    assert_eq!(receiver.signatures(), 2);
    app.travel("2026-11-21T08:01:01Z");
    submit(&app, &form).await;
    receiver.take(&app).await;
    assert_eq!(receiver.signatures(), 1);

    for overlap in [json!(-1), json!(604_801), json!(0.5)] {
        let refused = app
            .alice()
            .post(&path, json!({ "overlapSeconds": overlap }))
            .await;
        refused.refuse(400, INVALID, json!(["overlapSeconds"]));
    }
    // Without a body, the overlap is a day.
    app.alice()
        .request(Method::POST, &path)
        .send()
        .await
        .expect(200);
}

#[tokio::test]
async fn a_webhook_is_tested() {
    for (answer, status, error) in [
        (Ok(204), json!(204), json!(null)),
        (Ok(500), json!(500), json!("status")),
        (
            Err(AttemptError::TargetRefused),
            json!(null),
            json!("target-refused"),
        ),
    ] {
        let receiver = Receiver::new(answer);
        let app = App::new().await.with_courier(Arc::clone(&receiver) as _);
        let (_, made) = hooked(&app, json!({ "enabled": false })).await;
        let path = under(&made, "test");
        let tested = app
            .alice()
            .request(Method::POST, &path)
            .send()
            .await
            .expect(200);
        assert_eq!((&tested["status"], &tested["error"]), (&status, &error));
        assert!(tested["durationMs"].is_u64(), "{tested}");
        let bodies = receiver.bodies();
        assert_eq!(bodies[0]["type"], "webhook.test");
        assert_eq!(bodies[0]["data"]["webhookIdentifier"], made["identifier"]);
        let again = app.alice().post(&path, json!({})).await;
        again.refuse(429, "formalize:too-many-requests", json!([]));
        assert_eq!(again.header("retry-after"), Some("5"));
        let unknown = app.alice().post(&path, json!({ "x": 1 })).await;
        unknown.refuse(400, "formalize:invalid-request-body", json!(["x"]));
        let text = app
            .alice()
            .request(Method::POST, &path)
            .body("{}")
            .send()
            .await;
        text.refuse(415, "formalize:unsupported-media-type", json!([]));
        assert_eq!(receiver.bodies().len(), 1);
        // Clients may declare the type of a body that they do not send.
        for media in ["application/json", "application/x-www-form-urlencoded"] {
            let empty = app
                .alice()
                .request(Method::POST, &path)
                .header("content-type", media)
                .send()
                .await;
            empty.refuse(429, "formalize:too-many-requests", json!([]));
        }
    }
}

#[tokio::test]
async fn deliveries_are_listed_and_read() {
    let app = App::new().await;
    let (form, made) = hooked(&app, json!({})).await;
    let sent = submit(&app, &form).await;
    let receiver = Receiver::new(Ok(500));
    receiver.take(&app).await;
    let path = under(&made, "deliveries");
    let page = app.alice().get(&path).await.expect(200);
    let delivery = &items(&page)[0];
    let expected = json!({
        "identifier": delivery["identifier"],
        "webhookIdentifier": made["identifier"],
        "eventIdentifier": receiver.bodies()[0]["identifier"],
        "eventType": "submission.submitted",
        "submissionIdentifier": sent,
        "state": "pending",
        "numAttempts": 1,
        "dateCreated": NOW,
        "dateNextAttempt": delivery["dateNextAttempt"],
        "dateDone": null,
        "lastStatus": 500,
        "lastError": "status",
    });
    assert_eq!(delivery, &expected);
    let item = format!("{path}/{}", id(delivery));
    let read = app.alice().get(&item).await.expect(200);
    let attempt = &read["attempts"][0];
    assert_eq!(
        (&attempt["date"], &attempt["status"], &attempt["error"]),
        (&json!(NOW), &json!(500), &json!("status"))
    );
    let webhook = app.alice().get(&at(WEBHOOKS, &id(&made))).await.expect(200);
    let expected = but(without_secret(&made), "numPending", json!(1));
    assert_eq!(webhook, but(expected, "dateLastFailure", json!(NOW)));

    for (name, value, count) in [
        ("state", "pending", 1),
        ("state", "dead", 0),
        ("type", "submission.submitted", 1),
        ("type", "form.deleted", 0),
    ] {
        let page = app
            .alice()
            .get(&query(&path, &[(name, value)]))
            .await
            .expect(200);
        assert_eq!(items(&page).len(), count, "{name}={value}");
    }
    for (name, value) in [("state", "x"), ("type", "draft.created")] {
        let refused = app.alice().get(&query(&path, &[(name, value)])).await;
        refused.refuse(400, "formalize:invalid-parameter", json!([name]));
    }
    for nothing in [NOWHERE, "x"] {
        let refused = app.alice().get(&format!("{path}/{nothing}")).await;
        refused.refuse(404, NO_DELIVERY, json!([]));
    }
}

#[tokio::test]
async fn deliveries_are_sent_again() {
    let app = App::new().await;
    let (form, made) = hooked(&app, json!({})).await;
    submit(&app, &form).await;
    let receiver = Receiver::new(Ok(204));
    receiver.take(&app).await;
    let page = app
        .alice()
        .get(&under(&made, "deliveries"))
        .await
        .expect(200);
    let delivery = id(&items(&page)[0]);
    let path = under(&made, "resend");
    let resent = app
        .alice()
        .post(&path, json!({ "deliveries": [delivery] }))
        .await;
    assert_eq!(resent.expect(202), json!({ "queued": 1, "hasMore": false }));
    receiver.take(&app).await;
    let bodies = receiver.bodies();
    assert_eq!(bodies.len(), 2);
    assert_eq!(bodies[0], bodies[1]);
    for (state, queued) in [("dead", 0), ("all", 1)] {
        let body = json!({ "since": "2026-11-21T00:00:00Z", "state": state });
        let resent = app.alice().post(&path, body).await.expect(202);
        assert_eq!(
            resent,
            json!({ "queued": queued, "hasMore": false }),
            "{state}"
        );
    }

    let many: Vec<_> = (0..1001).map(|_| delivery.clone()).collect();
    for (body, names) in [
        (json!({}), json!(["deliveries", "since"])),
        (
            json!({ "deliveries": [delivery], "since": NOW }),
            json!(["deliveries", "since"]),
        ),
        (
            json!({ "deliveries": [delivery], "state": "all" }),
            json!(["deliveries", "state"]),
        ),
        (json!({ "deliveries": [] }), json!(["deliveries"])),
        (json!({ "deliveries": many }), json!(["deliveries"])),
        (json!({ "since": NOW, "state": "x" }), json!(["state"])),
    ] {
        let refused = app.alice().post(&path, body).await;
        refused.refuse(400, INVALID, names);
    }
    for nothing in [NOWHERE, "x"] {
        let body = json!({ "deliveries": [delivery, nothing] });
        let refused = app.alice().post(&path, body).await;
        refused.refuse(404, NO_DELIVERY, json!([]));
    }
    app.alice()
        .patch(&at(WEBHOOKS, &id(&made)), json!({ "enabled": false }))
        .await
        .expect(200);
    let refused = app.alice().post(&path, json!({ "since": NOW })).await;
    refused.refuse(409, "formalize:webhook-disabled", json!([]));
}

#[tokio::test]
async fn a_repeated_creation_does_not_show_the_secret_again() {
    let app = App::new().await;
    let form = app.open_form(json!({})).await;
    let body = json!({ "formIdentifier": form, "url": URL });
    let post = || {
        let request = app.alice().request(Method::POST, WEBHOOKS);
        request.header("idempotency-key", "a").json(&body).send()
    };
    let made = post().await.expect(201);
    let again = post().await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.header("cache-control"), Some("no-store"));
    assert_eq!(again.expect(201), but(made, "secret", json!(null)));
    let page = app.alice().get(WEBHOOKS).await.expect(200);
    assert_eq!(items(&page).len(), 1);
}

#[tokio::test]
async fn a_receiver_that_is_gone_disables_its_webhook() {
    let app = App::new().await;
    let (form, made) = hooked(&app, json!({})).await;
    submit(&app, &form).await;
    Receiver::new(Ok(410)).take(&app).await;
    let webhook = app.alice().get(&at(WEBHOOKS, &id(&made))).await.expect(200);
    for (member, value) in [
        ("enabled", json!(false)),
        ("disabledReason", json!("gone")),
        ("numPending", json!(0)),
        ("numDead", json!(1)),
    ] {
        assert_eq!(webhook[member], value, "{member}");
    }
}

/// The bodies of deliveries are those that the document describes as the callback of `createWebhook`.
#[tokio::test]
async fn deliveries_are_as_documented() {
    let receiver = Receiver::new(Ok(204));
    let app = App::new().await.with_courier(Arc::clone(&receiver) as _);
    let webhooks = app.formalize.webhooks();
    let url = webhooks.parse_url(URL).unwrap();
    let of_all_forms = NewWebhook::of_all_forms(url);
    webhooks.create(SYSTEM, of_all_forms).await.unwrap();
    let change = json!({ "allowedActionsWhenSubmitted": ["read", "update", "delete"] });
    let form = app.open_form(change).await;
    let gone = json!({ "formIdentifier": form, "url": format!("{URL}/gone") });
    let gone = app.alice().post(WEBHOOKS, gone).await.expect(201);
    let form_path = at(FORMS, &form);
    app.alice().patch(&form_path, json!({})).await.expect(200);
    let submitted = submit(&app, &form).await;
    let path = at(SUBMISSIONS, &submitted);
    app.bob().patch(&path, json!({})).await.expect(200);
    app.bob().delete(&path).await.expect(204);
    let all = query(SUBMISSIONS, &[("formIdentifier", &form)]);
    app.alice().delete(&all).await.expect(204);
    let group = app.group("Editors").await;
    let member = json!({ "groupIdentifier": group, "userIdentifier": "bob" });
    let member = app.alice().post(MEMBERS, member).await.expect(201);
    let grant = app.share_group(&group, "read", "carol").await;
    let group = at(GROUPS, &group);
    app.alice().patch(&group, json!({})).await.expect(200);
    for path in [at(GRANTS, &id(&grant)), at(MEMBERS, &id(&member)), group] {
        app.alice().delete(&path).await.expect(204);
    }
    let resources = app.formalize.resources();
    let thing = formalize_tests::world::thing("7");
    resources
        .register(SYSTEM, thing.clone(), None)
        .await
        .unwrap();
    resources.deregister(SYSTEM, &thing).await.unwrap();
    app.alice()
        .post(&under(&gone, "test"), json!({}))
        .await
        .expect(200);
    while webhooks.deliver(&*receiver).await.unwrap() > 0 {}
    app.alice().delete(&form_path).await.expect(204);
    while webhooks.deliver(&*receiver).await.unwrap() > 0 {}

    let document = document(&app).await;
    let described = &document["paths"][WEBHOOKS]["post"]["callbacks"]["event"];
    let described = &described["{$request.body#/url}"]["post"];
    let content = &described["requestBody"]["content"]["application/json"];
    let schema = &content["schema"];
    let mut seen = BTreeSet::new();
    for body in receiver.bodies() {
        assert_eq!(faults(schema, &body), Vec::<String>::new(), "{body}");
        seen.insert(body["type"].clone().to_string());
    }
    let kinds = schema["oneOf"].as_array().unwrap().iter();
    let types = kinds.flat_map(|kind| kind["properties"]["type"]["enum"].as_array().unwrap());
    assert_eq!(seen, types.map(Value::to_string).collect());
    for example in content["examples"].as_object().unwrap().values() {
        assert_eq!(faults(schema, &example["value"]), Vec::<String>::new());
    }
    let requests = receiver.requests();
    for header in described["parameters"].as_array().unwrap() {
        let name = header["name"].as_str().unwrap();
        for request in &*requests {
            let sent = request.headers.iter().find(|(of, _)| *of == name);
            let (_, sent) = sent.unwrap();
            let value = match header["schema"]["type"].as_str() {
                Some("integer") => sent.parse().unwrap(),
                _ => json!(sent),
            };
            assert_eq!(faults(&header["schema"], &value), Vec::<String>::new());
        }
    }
}

/// Who chooses types reads this table.
#[test]
fn the_document_lists_the_types_that_can_be_chosen() {
    let document = include_str!("../../../docs/webhooks.md");
    let section = document.split_once("## Types of events\n").unwrap().1;
    let section = section.split_once("\n## ").unwrap().0;
    let (mut of_form, mut of_all) = (BTreeSet::new(), BTreeSet::new());
    for row in section.lines().filter(|line| line.starts_with("| `")) {
        let types = row.split('|').nth(1).unwrap();
        for name in types.split('`').skip(1).step_by(2) {
            of_all.insert(name);
            if row.contains("a form, all forms") {
                of_form.insert(name);
            }
        }
    }
    let names = |events: &WebhookEvents| -> BTreeSet<&str> {
        events.iter().map(EventType::as_str).collect()
    };
    assert_eq!(of_form, names(&WebhookEvents::of_form()));
    assert_eq!(of_all, names(&WebhookEvents::of_all_forms()));
}
