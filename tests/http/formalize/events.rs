//! The change feed.

use std::time::Duration;

use formalize_core::{
    Caller,
    events::{EventFilter, FeedRequest},
};
use poem::http::Method;
use serde_json::{Value, json};

use crate::support::{
    App, EVENTS, FORMS, GRANTS, GROUPS, MEMBERS, NOWHERE, SUBMISSIONS, at, id, items, query,
    submission,
};

const INVALID: &str = "formalize:invalid-parameter";

fn types(page: &Value) -> Vec<&str> {
    let items = items(page).iter();
    items.map(|event| event["type"].as_str().unwrap()).collect()
}

fn cursor(page: &Value) -> &str {
    page["nextCursor"].as_str().unwrap()
}

#[tokio::test]
async fn the_feed_has_the_events_of_readable_records() {
    let app = App::new().await;
    let form = app.open_form(json!({})).await;
    let sent = app.bob().post(SUBMISSIONS, submission(&form, "{}")).await;
    let sent = id(&sent.expect(201));
    let page = app.alice().get(EVENTS).await.expect(200);
    let expected = ["form.created", "grant.created", "submission.submitted"];
    assert_eq!(types(&page), expected);
    assert_eq!(
        (&page["perPage"], &page["hasMore"]),
        (&json!(100), &json!(false))
    );
    let event = &items(&page)[2];
    let data = json!({
        "submissionIdentifier": sent, "formIdentifier": form, "creatorId": "bob", "by": "bob",
    });
    assert_eq!(
        (&event["sequence"], &event["version"], &event["data"]),
        (&json!(3), &json!(1), &data)
    );
    assert!(event.get("item").is_none());
    assert_eq!(
        types(&app.carol().get(EVENTS).await.expect(200)),
        ["grant.created"]
    );

    let submission = at(SUBMISSIONS, &sent);
    app.alice().delete(&submission).await.expect(204);
    let page = app.alice().get(EVENTS).await.expect(200);
    assert_eq!(
        types(&page),
        ["form.created", "grant.created", "submission.deleted"]
    );
}

/// The events are those that the library writes as JSON.
#[tokio::test]
async fn an_event_of_each_kind_is_that_of_the_library() {
    let app = App::new().await;
    let form = app.open_form(json!({})).await;
    app.share_form(&form, "read", json!({ "userIdentifier": "bob" }))
        .await;
    let (group, child) = (app.group("a").await, app.group("b").await);
    app.share_form(&form, "read", json!({ "groupIdentifier": group }))
        .await;
    for member in [
        json!({ "userIdentifier": "bob" }),
        json!({ "childGroupIdentifier": child }),
    ] {
        let mut member = member;
        member["groupIdentifier"] = json!(group);
        app.alice().post(MEMBERS, member).await.expect(201);
    }
    app.alice()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    let thing = formalize_tests::world::thing("manual");
    let alice = formalize_tests::world::user_id("alice");
    let resources = app.formalize.resources();
    resources
        .register(&Caller::System, thing, Some(&alice))
        .await
        .unwrap();
    let page = app.alice().get(EVENTS).await.expect(200);
    let everything = EventFilter::default();
    let caller = Caller::user(alice);
    let events = app.formalize.events();
    let listed = events
        .list(&caller, &everything, &FeedRequest::default())
        .await;
    let expected: Vec<Value> = listed
        .unwrap()
        .events
        .iter()
        .map(|shown| shown.event.to_json())
        .collect();
    assert_eq!(expected.len(), 10);
    assert_eq!(*items(&page), expected);
}

#[tokio::test]
async fn the_feed_continues_behind_a_cursor() {
    let app = App::new().await;
    app.group("a").await;
    let begin = query(EVENTS, &[("from", "now"), ("perPage", "1")]);
    let now = app.alice().get(&begin).await;
    assert_eq!(now.next(), None);
    let now = now.expect(200);
    assert_eq!((types(&now).len(), &now["hasMore"]), (0, &json!(false)));
    for name in ["b", "c"] {
        app.group(name).await;
    }
    let next = query(EVENTS, &[("cursor", cursor(&now)), ("perPage", "1")]);
    let first = app.alice().get(&next).await;
    let link = first.next().unwrap();
    let first = first.expect(200);
    assert_eq!(
        (&items(&first)[0]["sequence"], &first["hasMore"]),
        (&json!(2), &json!(true))
    );
    let last = app.alice().get(&link).await.expect(200);
    assert_eq!(
        (&items(&last)[0]["sequence"], &last["hasMore"]),
        (&json!(3), &json!(false))
    );
    let all = app
        .alice()
        .walk(&query(EVENTS, &[("from", "oldest"), ("perPage", "1")]))
        .await;
    assert_eq!(all.len(), 3);

    let foreign = query(EVENTS, &[("cursor", cursor(&now))]);
    app.bob()
        .get(&foreign)
        .await
        .refuse(400, INVALID, json!(["cursor"]));
    let other = query(
        EVENTS,
        &[("cursor", cursor(&now)), ("types", "group.created")],
    );
    app.alice()
        .get(&other)
        .await
        .refuse(400, INVALID, json!(["cursor"]));
    for forged in ["", "0", "é"] {
        let forged = query(EVENTS, &[("cursor", forged)]);
        app.alice()
            .get(&forged)
            .await
            .refuse(400, INVALID, json!(["cursor"]));
    }
}

#[tokio::test]
async fn events_are_filtered_by_form_and_type() {
    let app = App::new().await;
    let (form, _) = (
        app.open_form(json!({})).await,
        app.open_form(json!({})).await,
    );
    app.group("a").await;
    let of_form = async |parameters: &[(&str, &str)]| {
        let page = app
            .alice()
            .get(&query(EVENTS, parameters))
            .await
            .expect(200);
        types(&page).join(" ")
    };
    assert_eq!(
        of_form(&[("formIdentifier", &form)]).await,
        "form.created grant.created"
    );
    for nothing in [NOWHERE, "x", ""] {
        assert_eq!(
            of_form(&[("formIdentifier", nothing)]).await,
            "",
            "{nothing}"
        );
    }
    assert_eq!(
        of_form(&[("types", "group.created,group.deleted")]).await,
        "group.created"
    );
    assert_eq!(of_form(&[("types", "")]).await.split(' ').count(), 5);
    let both = [
        ("formIdentifier", form.as_str()),
        ("types", "form.created,grant.deleted"),
    ];
    assert_eq!(of_form(&both).await, "form.created");
}

#[tokio::test]
async fn invalid_parameters_of_the_feed_are_named() {
    let app = App::new().await;
    for (name, value) in [
        ("types", "form.created,form"),
        ("types", ","),
        ("perPage", "0"),
        ("perPage", "1001"),
        ("from", "newest"),
        ("include", "items"),
        ("page", "1"),
    ] {
        let path = query(EVENTS, &[(name, value)]);
        app.alice()
            .get(&path)
            .await
            .refuse(400, INVALID, json!([name]));
    }
    let both = query(EVENTS, &[("cursor", "x"), ("from", "now")]);
    app.alice()
        .get(&both)
        .await
        .refuse(400, INVALID, json!(["from", "cursor"]));
}

#[tokio::test]
async fn events_come_with_their_records() {
    let app = App::new().await;
    let form = app.open_form(json!({})).await;
    let group = app.group("a").await;
    let member = json!({ "groupIdentifier": group, "userIdentifier": "bob" });
    app.alice().post(MEMBERS, member).await.expect(201);
    let sent = app
        .alice()
        .post(SUBMISSIONS, submission(&form, r#"{"a": 1}"#))
        .await;
    let gone = app.alice().post(SUBMISSIONS, submission(&form, "{}")).await;
    let gone = at(SUBMISSIONS, &id(&gone.expect(201)));
    app.alice().delete(&gone).await.expect(204);
    let with_items = query(EVENTS, &[("include", "item")]);
    let page = app.alice().get(&with_items).await.expect(200);
    let places = [
        (FORMS, "formIdentifier"),
        (GRANTS, "grantIdentifier"),
        (GROUPS, "groupIdentifier"),
        (MEMBERS, "memberIdentifier"),
        (SUBMISSIONS, "submissionIdentifier"),
    ];
    for (event, (path, name)) in items(&page).iter().zip(places) {
        let path = at(path, event["data"][name].as_str().unwrap());
        assert_eq!(
            event["item"],
            app.alice().get(&path).await.expect(200),
            "{event}"
        );
    }
    let deleted = items(&page).last().unwrap();
    assert_eq!(deleted["type"], "submission.deleted");
    assert_eq!(deleted.get("item"), Some(&Value::Null));
    sent.expect(201);
}

#[tokio::test]
async fn a_cursor_expires_with_the_events_behind_it() {
    let app = App::new().await;
    let begin = query(EVENTS, &[("from", "now")]);
    let page = app.alice().get(&begin).await.expect(200);
    app.group("a").await;
    app.travel("2026-11-22T08:00:00.000Z");
    let purged = app.formalize.events().purge(Duration::from_hours(1)).await;
    assert_eq!(purged.unwrap(), 1);
    let next = query(EVENTS, &[("cursor", cursor(&page))]);
    let expired = "formalize:event-cursor-expired";
    app.alice().get(&next).await.refuse(410, expired, json!([]));
}

#[tokio::test]
async fn a_head_reads_one_event() {
    let app = App::new().await;
    let form = app.open_form(json!({})).await;
    let sent = app.bob().post(SUBMISSIONS, submission(&form, "{}")).await;
    sent.expect(201);
    let begin = query(EVENTS, &[("include", "item"), ("perPage", "2")]);
    // The token is known from now on.
    app.alice().get(&begin).await.expect(200);
    let ask = async |method| {
        let before = app.store.calls();
        let answer = app.alice().request(method, &begin).send().await;
        assert_eq!(answer.status.as_u16(), 200);
        (answer, app.store.calls() - before)
    };
    let (got, of_page) = ask(Method::GET).await;
    let (head, of_head) = ask(Method::HEAD).await;
    assert!(got.header("link").is_some());
    assert_eq!(head.header("link"), None);
    assert!(of_head < of_page, "{of_head} and {of_page} calls");
}
