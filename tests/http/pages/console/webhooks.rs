//! Webhooks and their deliveries in the console.

use std::sync::Arc;

use formalize_core::{Store, webhooks::AttemptError};
use formalize_pages::PageSetup;
use formalize_tests::on_every_store;
use poem::http::Method;
use serde_json::{Value, json};

use super::{Page, Reader, with_form};
use crate::support::{App, Receiver, SUBMISSIONS, WEBHOOKS, at, draft, id, items, submission};

on_every_store! {
    deliveries_are_listed_and_sent_again,
}

const URL: &str = "https://hooks.example.org/formalize";

/// A webhook of a form of Alice, with these members.
async fn hook(app: &App, form: &str, members: Value) -> String {
    let mut new = json!({"formIdentifier": form, "url": URL});
    crate::support::merge(&mut new, members);
    id(&app.alice().post(WEBHOOKS, new).await.expect(201))
}

async fn submit(app: &App, form: &str) -> String {
    let made = app.alice().post(SUBMISSIONS, submission(form, "{}")).await;
    id(&made.expect(201))
}

async fn stored(app: &App, webhook: &str) -> Value {
    app.alice().get(&at(WEBHOOKS, webhook)).await.expect(200)
}

fn secret_of(page: &Page) -> String {
    let secret = page.all("#secret")[0].attr("value").unwrap();
    assert_eq!(page.answer.header("cache-control"), Some("no-store"));
    assert!(secret.starts_with("whsec_"), "{secret}");
    secret.to_owned()
}

#[tokio::test]
async fn webhooks_are_created_changed_and_deleted() {
    let (app, form) = with_form(json!({})).await;
    let path = format!("/console/forms/{form}/webhooks");
    let mut alice = Reader::signed_in(&app, "alice").await;
    let page = alice.open(&path).await;
    assert!(page.has(".empty"));
    let changes: [(&str, &[&str]); 4] = [
        ("url", &[" HTTPS://Hooks.Example.org:443/a/../b "]),
        ("description", &["Ticket system"]),
        ("eventTypes", &["submission.submitted", "form.cleared"]),
        ("payload", &["thin"]),
    ];
    let created = alice.press_one(&page, "create", &changes).await;
    assert_eq!(created.status(), 200, "{}", created.answer);
    let secret = secret_of(&created);
    let page = alice.open(&path).await;
    let text = String::from_utf8_lossy(&page.answer.body).into_owned();
    assert!(!text.contains(&secret), "the secret is shown once");
    assert_eq!(page.texts(".rows .name"), ["Ticket system"]);
    assert_eq!(page.texts(".rows code"), ["https://hooks.example.org/b"]);
    assert_eq!(
        page.texts(".rows .facts span"),
        ["0 pending", "0 given up", "Enabled"]
    );
    let list = app.alice().get(WEBHOOKS).await.expect(200);
    let webhook = items(&list)[0].clone();
    for (member, value) in [
        ("formIdentifier", json!(form)),
        ("url", json!("https://hooks.example.org/b")),
        ("description", json!("Ticket system")),
        (
            "eventTypes",
            json!(["submission.submitted", "form.cleared"]),
        ),
        ("payload", json!("thin")),
        ("enabled", json!(true)),
    ] {
        assert_eq!(webhook[member], value, "{member}");
    }

    let links = page.links();
    let one = links.iter().find(|link| link.contains("/webhooks/0"));
    let one = one.unwrap();
    let page = alice.open(one).await;
    assert_eq!(page.value("payload").as_deref(), Some("thin"));
    let changes: [(&str, &[&str]); 3] = [
        ("description", &[""]),
        ("eventTypes", &["submission.deleted"]),
        ("enabled", &[]),
    ];
    let saved = alice.press_one(&page, "save", &changes).await;
    let shown = alice.follow(&saved).await;
    assert_eq!(shown.texts("p.note"), ["Your changes are saved."]);
    assert_eq!(shown.texts(".heading .badge"), ["Disabled"]);
    let wrong = alice
        .press_one(&page, "save", &[("url", &["no address"])])
        .await;
    assert_eq!(wrong.status(), 422);
    let url = page.value("url").unwrap();
    let late = alice.press_one(&wrong, "save", &[("url", &[&url])]).await;
    assert_eq!(late.status(), 412);
    let conflict = alice
        .press_one(&page, "save", &[("description", &["Old page"])])
        .await;
    assert_eq!(conflict.status(), 412);
    assert_eq!(
        conflict.texts(".conflict dd"),
        [
            "Stored: Nothing",
            "Entered by you: Old page",
            "Stored: Sent answers were deleted",
            "Entered by you: Answers were sent, All sent answers were deleted",
            "Stored: No",
            "Entered by you: Yes",
        ]
    );
    let now = stored(&app, &id(&webhook)).await;
    for (member, value) in [
        ("description", json!(null)),
        ("eventTypes", json!(["submission.deleted"])),
        ("disabledReason", json!("owner")),
    ] {
        assert_eq!(now[member], value, "{member}");
    }
    // Whoever saves again has seen it.
    alice.press_one(&conflict, "save", &[]).await.leads_to();
    let now = stored(&app, &id(&webhook)).await;
    assert_eq!(now["description"], "Old page");

    let ask = alice.open(&format!("{one}/delete")).await;
    assert_eq!(ask.texts("main code, main bdi"), ["Old page"]);
    assert!(items(&app.alice().get(WEBHOOKS).await.expect(200)).len() == 1);
    let deleted = alice.press_one(&ask, "delete", &[]).await;
    assert_eq!(deleted.leads_to(), path);
    assert!(items(&app.alice().get(WEBHOOKS).await.expect(200)).is_empty());
    assert_eq!(alice.open(one).await.status(), 404);
}

#[tokio::test]
async fn what_is_wrong_is_said_at_the_input() {
    let (app, form) = with_form(json!({})).await;
    let path = format!("/console/forms/{form}/webhooks");
    let webhook = hook(&app, &form, json!({})).await;
    let before = stored(&app, &webhook).await;
    let mut alice = Reader::signed_in(&app, "alice").await;
    let long = format!("https://example.org/{}", "a".repeat(2048));
    for (field, value, message) in [
        ("url", "", "Enter an address such as"),
        ("url", "hooks.example.org", "Enter an address such as"),
        ("url", long.as_str(), "at most 2,048 characters"),
        (
            "url",
            "http://hooks.example.org/",
            "must begin with https://",
        ),
        ("url", "https://user@hooks.example.org/", "a user name"),
        ("url", "https://hooks.example.org/#x", "must not contain #"),
        ("url", "https://127.0.0.1/", "on the public internet"),
        ("url", "https://2130706433/", "on the public internet"),
        ("description", "a\tb", "at most 256 characters"),
        (
            "eventTypes",
            "group.created",
            "Tick at least one box (Answers were sent, Sent answers were changed, Sent answers were deleted, The form was \
             changed, All sent answers were deleted, The form was deleted)",
        ),
        ("payload", "half", "not valid"),
    ] {
        for (path, button) in [
            (path.clone(), "create"),
            (format!("{path}/{webhook}"), "save"),
        ] {
            let page = alice.open(&path).await;
            let entered: [(&str, &[&str]); 2] = [("url", &[URL]), (field, &[value])];
            let changes = if field == "url" {
                &entered[1..]
            } else {
                &entered[..]
            };
            let refused = alice.press_one(&page, button, changes).await;
            assert_eq!(refused.status(), 422, "{value}: {}", refused.answer);
            assert!(refused.texts("title")[0].starts_with("Error: "));
            let link = format!(".summary a[href='#{field}']");
            let said = refused.texts(&link);
            assert!(said[0].contains(message), "{value}: {said:?}");
            let at_input = refused.texts(&format!("[id='{field}.problem']"));
            assert_eq!(at_input, said, "{value}");
            if field == "url" {
                assert_eq!(refused.value(field).as_deref(), Some(value));
            }
        }
    }
    let page = alice.open(&path).await;
    let nothing: [(&str, &[&str]); 2] = [("url", &[URL]), ("eventTypes", &[])];
    let refused = alice.press_one(&page, "create", &nothing).await;
    assert!(refused.has(".summary a[href='#eventTypes']"));
    assert_eq!(stored(&app, &webhook).await, before);

    for _ in 1..20 {
        hook(&app, &form, json!({})).await;
    }
    let refused = alice.press_one(&page, "create", &[("url", &[URL])]).await;
    assert_eq!(refused.status(), 422);
    assert_eq!(
        refused.texts(".summary p"),
        ["A form has at most 20 webhooks. Delete one first."]
    );
    assert_eq!(refused.value("url").as_deref(), Some(URL));
    assert_eq!(refused.texts(".rows .name").len(), 20);
}

/// Saving the same URL does not send what a failing receiver was spared; a new one is tried at once.
#[tokio::test]
async fn only_a_new_address_is_tried_at_once() {
    let (app, form) = with_form(json!({})).await;
    let webhook = hook(&app, &form, json!({})).await;
    let receiver = Receiver::new(Ok(500));
    for _ in 0..7 {
        submit(&app, &form).await;
    }
    receiver.take(&app).await;
    let before = receiver.requests().len();
    assert!(before >= 5, "{before}");
    // All deliveries are due again, but the webhook backs off.
    app.travel("2026-11-21T08:00:20Z");
    let mut alice = Reader::signed_in(&app, "alice").await;
    let path = format!("/console/forms/{form}/webhooks/{webhook}");
    for (url, is_tried) in [(URL, false), ("https://hooks.example.org/other", true)] {
        let page = alice.open(&path).await;
        let changes: [(&str, &[&str]); 2] = [("url", &[url]), ("description", &[url])];
        alice.press_one(&page, "save", &changes).await.leads_to();
        receiver.take(&app).await;
        assert_eq!(receiver.requests().len() > before, is_tried, "{url}");
    }
}

#[tokio::test]
async fn tests_show_what_the_receiver_answered() {
    for (answer, said) in [
        (Ok(204), "The test succeededAccepted with status 204 · "),
        (
            Ok(500),
            "The test failedThe receiver answered with status 500 · ",
        ),
        (
            Err(AttemptError::TargetRefused),
            "The test failedThe receiver has an address that is not allowed · ",
        ),
    ] {
        let receiver = Receiver::new(answer);
        let (app, form) = with_form(json!({})).await;
        let setup = PageSetup {
            clock: app.clock.clone(),
            ..PageSetup::default()
        };
        let app = app.with_pages_and_courier(setup, Arc::clone(&receiver) as _);
        let webhook = hook(&app, &form, json!({"enabled": false})).await;
        let mut alice = Reader::signed_in(&app, "alice").await;
        let page = alice
            .open(&format!("/console/forms/{form}/webhooks/{webhook}"))
            .await;
        let tested = alice.press_one(&page, "test", &[]).await;
        assert_eq!(tested.status(), 200, "{}", tested.answer);
        let note = &tested.texts(".note[role=status]")[0];
        assert!(note.starts_with(said) && note.ends_with(" ms"), "{note}");
        assert_eq!(receiver.bodies()[0]["type"], "webhook.test");
        let again = alice.press_one(&page, "test", &[]).await;
        assert_eq!(again.status(), 422, "{}", again.answer);
        assert!(again.texts(".summary p")[0].contains("Wait five seconds"));
        assert_eq!(receiver.requests().len(), 1);
        app.travel("2026-11-21T08:00:06Z");
        assert_eq!(alice.press_one(&page, "test", &[]).await.status(), 200);
    }
}

#[tokio::test]
async fn secrets_are_replaced_once() {
    let (app, form) = with_form(json!({})).await;
    let webhook = hook(&app, &form, json!({})).await;
    let path = format!("/console/forms/{form}/webhooks/{webhook}");
    let mut alice = Reader::signed_in(&app, "alice").await;
    let page = alice.open(&path).await;
    assert_eq!(page.value("overlapSeconds").as_deref(), Some("86400"));
    let rotated = alice.press_one(&page, "rotate", &[]).await;
    assert_eq!(rotated.status(), 200, "{}", rotated.answer);
    let secret = secret_of(&rotated);
    // A second press of the same button would make the secret that was just shown worthless.
    let twice = alice.press_one(&page, "rotate", &[]).await;
    assert_eq!(twice.status(), 412, "{}", twice.answer);
    assert!(!twice.has("#secret") && !twice.has(".conflict"));
    let receiver = Receiver::new(Ok(204));
    submit(&app, &form).await;
    receiver.take(&app).await;
    assert_eq!(receiver.signatures(), 2);
    let later = alice.open(&path).await;
    let text = String::from_utf8_lossy(&later.answer.body).into_owned();
    assert!(!text.contains(&secret), "the secret is shown once");

    // The page with the new secret can be used again.
    let at_once: [(&str, &[&str]); 1] = [("overlapSeconds", &["0"])];
    let rotated = alice.press_one(&rotated, "rotate", &at_once).await;
    assert_ne!(secret_of(&rotated), secret);
    submit(&app, &form).await;
    receiver.take(&app).await;
    assert_eq!(receiver.signatures(), 1);
    let too_long: [(&str, &[&str]); 1] = [("overlapSeconds", &["604801"])];
    let refused = alice.press_one(&rotated, "rotate", &too_long).await;
    assert!(refused.has(".summary a[href='#overlapSeconds']"));
    for malformed in ["", "x", "-1"] {
        let wrong: [(&str, &[&str]); 1] = [("overlapSeconds", &[malformed])];
        let refused = alice.press_one(&rotated, "rotate", &wrong).await;
        assert_eq!(refused.status(), 400, "{malformed}");
    }
}

async fn deliveries_are_listed_and_sent_again(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let clock = app.clock.clone();
    let app = app.with_pages(PageSetup {
        clock,
        ..PageSetup::default()
    });
    let states = json!({"allowedSubmissionStates": ["draft", "submitted"]});
    let form = id(&app.form(states).await);
    let webhook = hook(&app, &form, json!({})).await;
    let path = format!("/console/forms/{form}/webhooks/{webhook}");
    let mut alice = Reader::signed_in(&app, "alice").await;
    assert!(alice.open(&path).await.has("section .empty"));

    // A delivery that succeeds, and one that fails.
    let delivered = submit(&app, &form).await;
    let receiver = Receiver::new(Ok(204));
    receiver.take(&app).await;
    let failing = Receiver::new(Ok(404));
    let failed = submit(&app, &form).await;
    app.alice()
        .post(SUBMISSIONS, draft(&form, "{}"))
        .await
        .expect(201);
    failing.take(&app).await;
    let page = alice.open(&path).await;
    let row = |submission: &str, rest: &[&str]| {
        let time = "2026-11-21 08:00";
        let mut row = vec![time.to_owned(), "Answers were sent".to_owned()];
        row.push(submission.to_owned());
        row.extend(rest.iter().map(|text| (*text).to_owned()));
        row
    };
    let rows = |page: &Page| -> Vec<Vec<String>> {
        let cells = page.texts("tbody th, tbody td");
        cells.chunks(7).map(<[String]>::to_vec).collect()
    };
    let retried = "The receiver answered with status 404";
    let of_delivered = row(
        &delivered,
        &["Delivered", "1", "", "Accepted with status 204"],
    );
    let of_failed = row(&failed, &["Pending", "1", "2026-11-21 08:00", retried]);
    let expected = [of_failed.clone(), of_delivered.clone()];
    assert_eq!(
        rows(&page),
        expected,
        "the newest first; drafts are private"
    );
    assert!(page.links().contains(&format!("/s/{failed}")));
    assert_eq!(
        page.texts("dl.facts dd")[1..5],
        ["1", "0", "2026-11-21 08:00", "2026-11-21 08:00"]
    );
    for (state, expected) in [
        ("delivered", vec![of_delivered]),
        ("pending", vec![of_failed]),
        ("dead", vec![]),
    ] {
        let page = alice.open(&format!("{path}?state={state}")).await;
        assert_eq!(rows(&page), expected, "{state}");
        assert_eq!(page.value("state").as_deref(), Some(state));
    }
    for wrong in ["state=x", "cursor=x"] {
        assert_eq!(alice.open(&format!("{path}?{wrong}")).await.status(), 400);
    }
    sent_again(&app, &mut alice, (&form, &webhook)).await;
}

/// Disabling a webhook gives up what is pending. Enabled again, it can be sent again: all together, or one by one.
async fn sent_again(app: &App, alice: &mut Reader<'_>, (form, webhook): (&str, &str)) {
    let path = format!("/console/forms/{form}/webhooks/{webhook}");
    assert!(!alice.open(&path).await.has("button[value=resend]"));
    let enable = async |enabled: bool| {
        let change = json!({ "enabled": enabled });
        let webhook = at(WEBHOOKS, webhook);
        app.alice().patch(&webhook, change).await.expect(200);
    };
    enable(false).await;
    let page = alice.open(&format!("{path}?state=dead")).await;
    assert_eq!(page.texts("tbody .badge"), ["Given up"]);
    assert!(!page.has("button[value=resend]"), "it is disabled");
    let mut dead = page.links().into_iter();
    let dead = dead.find(|link| link.contains("/deliveries/"));
    let dead = dead.unwrap();
    let delivery = alice.open(&dead).await;
    assert!(!delivery.has("button[value=resend]"));
    assert_eq!(
        delivery.texts("h2"),
        ["Answers were sent", "Attempts", "What is sent"]
    );
    assert_eq!(
        delivery.texts("tbody td")[0],
        "The receiver answered with status 404"
    );
    enable(true).await;
    let page = alice.open(&path).await;
    let delivery = alice.open(&dead).await;
    enable(false).await;
    for (page, button) in [(&page, "resend"), (&delivery, "resend")] {
        let refused = alice.press_one(page, button, &[]).await;
        assert_eq!(refused.status(), 422, "{}", refused.answer);
        assert!(refused.texts(".summary p")[0].starts_with("The webhook is disabled"));
    }
    enable(true).await;
    let resent = alice.press_one(&page, "resend", &[]).await;
    let shown = alice.follow(&resent).await;
    assert_eq!(shown.texts("p.note"), ["1 delivery is sent again."]);
    assert!(!shown.has("button[value=resend]"), "nothing is dead");
    let pending = alice.open(&dead).await;
    assert_eq!(pending.texts("button[value=resend]"), ["Send now"]);
    let receiver = Receiver::new(Ok(204));
    receiver.take(app).await;
    assert_eq!(receiver.requests().len(), 1);
    // What was delivered can be sent again, too.
    let delivery = alice.open(&dead).await;
    assert_eq!(delivery.texts("tbody tr").len(), 2);
    let resent = alice.press_one(&delivery, "resend", &[]).await;
    let shown = alice.follow(&resent).await;
    assert_eq!(shown.texts("p.note"), ["The event is being sent."]);
    receiver.take(app).await;
    assert_eq!(receiver.bodies()[0], receiver.bodies()[1]);

    // One page has 50.
    for _ in 0..49 {
        submit(app, form).await;
    }
    receiver.take(app).await;
    let first = alice.open(&format!("{path}?state=delivered")).await;
    let mut next = first.links().into_iter();
    let next = next.find(|link| link.contains("cursor="));
    let second = alice.open(&next.unwrap()).await;
    let number = |page: &Page| page.all("tbody tr").len();
    assert_eq!((number(&first), number(&second)), (50, 1));
    let links = [first.links(), second.links()].concat().into_iter();
    let newest_first: Vec<_> = links.filter(|link| link.starts_with("/s/")).collect();
    assert_eq!(newest_first.len(), 51);
    assert!(newest_first.is_sorted_by(|one, next| one > next));
    assert!(second.links().contains(&format!("{path}?state=delivered")));
    // A button on the second page still works.
    let token = second.value("token").unwrap();
    let sent = [("do", "drop"), ("token", &token)];
    let sent = sent.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let unknown = alice.ask(Method::POST, &path, Some(&sent), &[]).await;
    assert_eq!(unknown.status(), 400);
}

#[tokio::test]
async fn the_reason_is_told_why_a_webhook_is_disabled() {
    let (app, form) = with_form(json!({})).await;
    let webhook = hook(&app, &form, json!({})).await;
    submit(&app, &form).await;
    Receiver::new(Ok(410)).take(&app).await;
    let mut alice = Reader::signed_in(&app, "alice").await;
    let path = format!("/console/forms/{form}/webhooks");
    for path in [path.clone(), format!("{path}/{webhook}")] {
        let page = alice.open(&path).await;
        let text: String = page.texts("main").concat();
        assert!(text.contains("wants no more events (status 410)"), "{text}");
        assert!(page.has(".badge.closed"), "{path}");
    }
}
