//! Filling in forms, as somebody without scripts does it.

use std::sync::Arc;

use formalize_core::Store;
use formalize_pages::PageSetup;
use formalize_tests::on_every_store;
use poem::http::Method;
use serde_json::{Value, json};

use super::Reader;
use crate::support::{App, FORMS, NOW, SUBMISSIONS, at, but, items};

on_every_store! {
    a_page_that_is_sent_twice_creates_one_submission,
    a_page_that_is_sent_twice_is_answered_after_the_last_place,
    a_form_is_filled_in,
    a_draft_is_saved_changed_and_submitted,
    a_change_by_somebody_else_is_not_overwritten,
    closed_forms_say_why,
    a_form_that_fills_up_keeps_what_was_entered,
    what_was_entered_survives_the_end_of_a_session,
}

const SCHEMA: &str = r#"{
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "minLength": 2},
        "age": {"type": "integer", "minimum": 0},
        "team": {"type": "boolean"}
    },
    "if": {"properties": {"team": {"const": true}}, "required": ["team"]},
    "then": {"properties": {"members": {"type": "array", "items": {"type": "string"}, "minItems": 1}}, "required": ["members"]},
    "x-form": {"thanks": "See you at the start.", "closed": {"en": "Registration has ended.", "de": "Die Anmeldung ist beendet."}}
}"#;

async fn paged(store: Arc<dyn Store>) -> App {
    App::on_store(store).await.with_pages(PageSetup::default())
}

fn members() -> Value {
    json!({
        "dataFeedSchema": SCHEMA,
        "allowedSubmissionStates": ["draft", "submitted"],
        "allowedActionsWhenSubmitted": ["read", "update"],
        "contact": "Registry <room 12>",
    })
}

/// The data of the only submission of a form.
async fn data(app: &App, form: &str) -> Value {
    let list = format!("{SUBMISSIONS}?formIdentifier={form}");
    let page = app.bob().get(&list).await.expect(200);
    let [only] = items(&page).as_slice() else {
        panic!("{page}");
    };
    serde_json::from_str(only["dataFeedElement"].as_str().unwrap()).unwrap()
}

async fn a_form_is_filled_in(store: Arc<dyn Store>) {
    let app = paged(store).await;
    let form = app.open_form(members()).await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    let page = bob.open(&format!("/f/{form}?p:/name=B")).await;
    assert_eq!(page.texts("h1"), ["Newsletter"]);
    assert_eq!(
        page.value("/name").as_deref(),
        Some("B"),
        "filled in by the address"
    );
    assert!(!page.has("[name='items:/members']"));
    let contact = ["Contact: Registry <room 12>"];
    assert_eq!(page.texts("form .contact"), contact);

    // The box is ticked, and the page is asked for the questions that follow.
    let mut sent = page.sent();
    sent.extend(
        [("/team", "true"), ("do", "show")]
            .map(|(name, value)| (name.to_owned(), value.to_owned())),
    );
    let page = bob.ask(Method::POST, &page.path, Some(&sent), &[]).await;
    assert_eq!(page.status(), 200);
    assert!(page.has("[name='items:/members']") && page.has("[name='/team'][checked]"));
    let page = bob.press(&page, "add:/members", &[]).await;
    let page = bob
        .press(
            &page,
            "add:/members",
            &[("/members/0", "Ada"), ("/members/1", "Grace")],
        )
        .await;
    let page = bob
        .press(&page, "remove:/members/0", &[("/age", "old")])
        .await;
    assert_eq!(page.value("/members/0").as_deref(), Some("Grace"));

    // Mistakes are shown with everything that was entered, and nothing is stored.
    let page = bob.press(&page, "send", &[]).await;
    assert_eq!(page.status(), 422);
    assert_eq!(
        page.all("title")[0].text().collect::<String>(),
        "Error: Newsletter – formalize"
    );
    let problems = page.texts(".summary li");
    assert_eq!(
        problems,
        [
            "Name – Enter at least 2 characters",
            "Age – Enter a whole number, such as 12"
        ]
    );
    assert_eq!(page.value("/age").as_deref(), Some("old"));
    let list = format!("{SUBMISSIONS}?formIdentifier={form}");
    assert!(items(&app.bob().get(&list).await.expect(200)).is_empty());

    let sent = bob
        .press(&page, "send", &[("/name", "Bob"), ("/age", "42")])
        .await;
    let receipt = bob.follow(&sent).await;
    assert_eq!(receipt.status(), 200);
    let text = receipt.texts("main").join("");
    assert!(text.contains("See you at the start."), "{text}");
    assert_eq!(receipt.texts("main .contact"), contact);
    let expected = json!({"name": "Bob", "age": 42, "team": true, "members": ["Grace"]});
    assert_eq!(data(&app, &form).await, expected);
    let page = app.bob().get(&list).await.expect(200);
    let submission = items(&page)[0]["identifier"].as_str().unwrap();
    assert!(text.contains(submission));
    assert_eq!(
        receipt.links(),
        [format!("/s/{submission}"), format!("/f/{form}")]
    );

    // The receipt says what the address says, and no more.
    let other = bob
        .open(&format!("/f/{form}/sent?submission=%3Cb%3Ex"))
        .await;
    assert!(!other.has("main code") && !other.has("b"));
}

/// A double click, or the way back in the history, must not create another submission.
async fn a_page_that_is_sent_twice_creates_one_submission(store: Arc<dyn Store>) {
    let app = paged(store).await;
    let form = app.open_form(members()).await;
    let list = format!("{SUBMISSIONS}?formIdentifier={form}");
    let mut bob = Reader::signed_in(&app, "bob").await;
    let page = bob.open(&format!("/f/{form}")).await;
    let answers = [("/name", "Bob")];
    let first = bob.press(&page, "send", &answers).await.leads_to();
    assert_eq!(bob.press(&page, "send", &answers).await.leads_to(), first);
    assert_eq!(items(&app.bob().get(&list).await.expect(200)).len(), 1);
    // Other answers on the same page, and the same answers on another one, are other submissions.
    let other = bob.press(&page, "send", &[("/name", "Bea")]).await;
    assert_ne!(other.leads_to(), first);
    let page = bob.open(&format!("/f/{form}")).await;
    assert_ne!(bob.press(&page, "send", &answers).await.leads_to(), first);
    assert_eq!(items(&app.bob().get(&list).await.expect(200)).len(), 3);
}

/// The answer to a page that was sent before is the same although the form takes no other submission by then.
async fn a_page_that_is_sent_twice_is_answered_after_the_last_place(store: Arc<dyn Store>) {
    let app = paged(store).await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    let plain = but(members(), "maxNumSubmissionsPerCreator", json!(1));
    let ending = but(members(), "availabilityEnds", json!("2026-11-21T08:01:00Z"));
    for form in [plain, ending] {
        let form = app.open_form(form).await;
        let page = bob.open(&format!("/f/{form}")).await;
        let answers = [("/name", "Bob")];
        let first = bob.press(&page, "send", &answers).await.leads_to();
        app.travel("2026-11-21T08:02:00Z");
        assert_eq!(bob.press(&page, "send", &answers).await.leads_to(), first);
        let refused = bob.press(&page, "send", &[("/name", "Bea")]).await;
        assert_eq!(refused.status(), 403);
        app.travel(NOW);
    }
}

async fn a_draft_is_saved_changed_and_submitted(store: Arc<dyn Store>) {
    let app = paged(store).await;
    let form = app.open_form(members()).await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    let page = bob.open(&format!("/f/{form}")).await;
    let page = bob.press(&page, "save", &[("/age", "7")]).await;
    let page = bob.follow(&page).await;
    assert_eq!(
        (page.status(), page.texts(".note")),
        (200, vec!["Your draft is saved.".to_owned()])
    );
    assert_eq!(
        data(&app, &form).await,
        json!({"age": 7}),
        "a draft need not be valid"
    );
    let path = page.path.split('?').next().unwrap().to_owned();
    let page = bob.open(&path).await;
    assert_eq!(page.value("/age").as_deref(), Some("7"));
    let refused = bob.press(&page, "send", &[]).await;
    assert_eq!(refused.status(), 422);
    let again = bob.press(&refused, "save", &[("/name", "Bo")]).await;
    let again = bob.follow(&again).await;
    let sent = bob.press(&again, "send", &[("/age", "")]).await;
    assert!(
        sent.leads_to()
            .starts_with(&format!("/f/{form}/sent?submission="))
    );
    assert_eq!(data(&app, &form).await, json!({"name": "Bo"}));

    // It remains one submission, which may be changed.
    let page = bob.open(&path).await;
    assert!(
        page.texts("main button")
            .contains(&"Save changes".to_owned())
    );
    assert!(
        !page.has("[value=save]"),
        "what was submitted cannot become a draft"
    );
    let changed = bob.press(&page, "send", &[("/age", "8")]).await;
    let changed = bob.follow(&changed).await;
    assert_eq!(changed.texts(".note"), ["Your changes are saved."]);
    assert_eq!(data(&app, &form).await, json!({"name": "Bo", "age": 8}));
    let forged = bob.press(&page, "save", &[]).await;
    assert_eq!(
        forged.status(),
        412,
        "the page is older than the submission"
    );
}

async fn a_change_by_somebody_else_is_not_overwritten(store: Arc<dyn Store>) {
    let app = paged(store).await;
    let form = app.open_form(members()).await;
    let new = json!({"formIdentifier": form, "dataFeedElement": r#"{"name": "Bob"}"#});
    let submission = app.bob().post(SUBMISSIONS, new).await.expect(201);
    let id = submission["identifier"].as_str().unwrap();
    let mut bob = Reader::signed_in(&app, "bob").await;
    let page = bob.open(&format!("/s/{id}")).await;
    let other = json!({"dataFeedElement": r#"{"name": "Rob"}"#});
    app.bob()
        .patch(&at(SUBMISSIONS, id), other)
        .await
        .expect(200);
    // A page that is shown again is still based on what Bob has seen.
    let more = bob.press(&page, "show", &[]).await;
    assert_eq!(more.status(), 200);
    let late = bob.press(&more, "send", &[("/name", "Bobby")]).await;
    assert_eq!(late.status(), 412);
    assert_eq!(data(&app, &form).await, json!({"name": "Rob"}));
    let refused = bob.press(&page, "send", &[("/name", "Bobby")]).await;
    assert_eq!(refused.status(), 412);
    assert!(refused.texts(".note")[0].starts_with("Somebody else has changed"));
    assert_eq!(refused.value("/name").as_deref(), Some("Bobby"));
    assert_eq!(data(&app, &form).await, json!({"name": "Rob"}));
    let saved = bob.press(&refused, "send", &[]).await;
    assert_eq!(saved.leads_to(), format!("/s/{id}?changed"));
    assert_eq!(data(&app, &form).await, json!({"name": "Bobby"}));
}

/// The page of a draft keeps it, too.
async fn a_form_that_fills_up_keeps_what_was_entered(store: Arc<dyn Store>) {
    let app = paged(store).await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    let form = app
        .open_form(but(members(), "maxNumSubmissions", json!(1)))
        .await;
    let mut carol = Reader::signed_in(&app, "carol").await;
    let draft = carol.open(&format!("/f/{form}")).await;
    let draft = carol.press(&draft, "save", &[("/name", "Carol")]).await;
    let draft = carol.follow(&draft).await;
    let only_submitted = json!({"allowedSubmissionStates": ["submitted"]});
    app.alice()
        .patch(&at(FORMS, &form), only_submitted)
        .await
        .expect(200);
    let page = bob.open(&format!("/f/{form}")).await;
    let new = json!({"formIdentifier": form, "dataFeedElement": r#"{"name": "First"}"#});
    app.alice().post(SUBMISSIONS, new).await.expect(201);
    let refused = bob.press(&page, "send", &[("/name", "Bob")]).await;
    assert_eq!(refused.status(), 403);
    assert!(
        refused
            .texts(".closed")
            .join("")
            .contains("Nothing was sent")
    );
    assert_eq!(refused.value("/name").as_deref(), Some("Bob"));
    let refused = carol.press(&draft, "send", &[("/name", "Carola")]).await;
    assert_eq!(refused.status(), 403);
    assert_eq!(refused.value("/name").as_deref(), Some("Carola"));
}

async fn closed_forms_say_why(store: Arc<dyn Store>) {
    let app = paged(store).await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    let submitted = but(members(), "allowedSubmissionStates", json!(["submitted"]));
    let ended = json!("2026-11-21T07:00:00Z");
    let form = app
        .open_form(but(submitted.clone(), "availabilityEnds", ended.clone()))
        .await;
    let path = format!("/f/{form}");
    let page = bob.open(&path).await;
    assert_eq!((page.status(), page.has("main form")), (403, false));
    assert!(page.texts("main p")[0].contains("Registration has ended."));
    assert!(
        !page.texts("main").join("").contains("Newsletter"),
        "its name is not told"
    );
    let mut german = Reader::signed_in(&app, "bob").await.speaking("de");
    assert!(german.open(&path).await.texts("main p")[0].contains("Die Anmeldung ist beendet."));

    // A form that closes while it is filled in keeps what was entered.
    let form = app.open_form(submitted.clone()).await;
    let page = bob.open(&format!("/f/{form}")).await;
    app.alice()
        .patch(&at(FORMS, &form), json!({"availabilityEnds": ended}))
        .await
        .expect(200);
    for button in ["send", "show"] {
        let refused = bob
            .press(&page, button, &[("/name", "Bob"), ("/age", "old")])
            .await;
        assert_eq!(refused.status(), 403, "{button}");
        assert_eq!(
            refused.texts(".closed p")[0],
            "Registration has ended.",
            "{button}"
        );
        assert_eq!(refused.value("/name").as_deref(), Some("Bob"));
        assert_eq!(refused.value("/age").as_deref(), Some("old"));
        assert!(refused.has("main .actions button[disabled][value=send]"));
        assert!(!refused.has("main button[value=send]:not([disabled])"));
    }
    let list = format!("{SUBMISSIONS}?formIdentifier={form}");
    assert!(items(&app.bob().get(&list).await.expect(200)).is_empty());

    let plain = but(
        submitted,
        "dataFeedSchema",
        json!(r#"{"properties": {"name": {"type": "string"}}}"#),
    );
    for (member, text) in [
        (
            "maxNumSubmissionsPerCreator",
            "You have sent it as often as is allowed.",
        ),
        ("maxNumSubmissions", "All places are taken."),
    ] {
        let form = app.open_form(but(plain.clone(), member, json!(1))).await;
        let path = format!("/f/{form}");
        let page = bob.open(&path).await;
        let other = bob.open(&path).await;
        let sent = bob.press(&page, "send", &[("/name", "Bob")]).await;
        let receipt = bob.follow(&sent).await;
        assert!(!receipt.links().contains(&path), "no place for another one");
        let refused = bob.press(&other, "send", &[]).await;
        assert_eq!(refused.status(), 403);
        assert_eq!(refused.texts(".closed p")[0], text);
        assert_eq!(bob.open(&path).await.texts("main p"), [text]);
    }

    // Drafts may be saved before a form opens.
    let later = but(members(), "availableStarts", json!("2026-11-22T07:00:00Z"));
    let form = app.open_form(later).await;
    let page = bob.open(&format!("/f/{form}")).await;
    assert!(page.has("[value=save]") && !page.has("[value=send]"));
    assert!(page.texts(".note")[0].contains("You can save a draft."));
    let refused = bob.press(&page, "send", &[("/name", "Bob")]).await;
    assert_eq!(
        (refused.status(), refused.value("/name").as_deref()),
        (403, Some("Bob"))
    );
    let saved = bob.press(&refused, "save", &[]).await;
    assert!(saved.leads_to().ends_with("?saved"));
}

async fn what_was_entered_survives_the_end_of_a_session(store: Arc<dyn Store>) {
    let app = paged(store).await;
    let form = app.open_form(members()).await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    let page = bob.open(&format!("/f/{form}")).await;
    bob.cookie = None;
    let kept = bob.press(&page, "send", &[("/name", "Bob & \"Co\"")]).await;
    assert_eq!(
        (kept.status(), kept.texts("h1")),
        (403, vec!["Your session has ended".to_owned()])
    );
    assert_eq!(kept.value("/name").as_deref(), Some("Bob & \"Co\""));

    // After signing in elsewhere, the page is shown again with the answers, and nothing was sent.
    bob.cookie = Some(app.session("bob").await);
    let sent = kept.sent();
    let again = bob.ask(Method::POST, &kept.path, Some(&sent), &[]).await;
    assert_eq!(again.status(), 403);
    assert_eq!(again.value("/name").as_deref(), Some("Bob & \"Co\""));
    let list = format!("{SUBMISSIONS}?formIdentifier={form}");
    assert!(items(&app.bob().get(&list).await.expect(200)).is_empty());
    bob.press(&again, "send", &[]).await.leads_to();
    assert_eq!(data(&app, &form).await, json!({"name": "Bob & \"Co\""}));
}

#[tokio::test]
async fn times_are_in_the_time_zone_of_the_pages() {
    let mut setup = PageSetup::default();
    setup.settings.time_zone = "Asia/Kathmandu".parse().unwrap();
    let app = App::new().await.with_pages(setup);
    let schema = r#"{"properties": {"at": {"type": "string", "format": "date-time"}}}"#;
    let form = app
        .open_form(but(members(), "dataFeedSchema", json!(schema)))
        .await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    let page = bob.open(&format!("/f/{form}")).await;
    let hint = "The time zone is Asia/Kathmandu.";
    assert!(
        page.texts("main .hint")
            .iter()
            .any(|text| text.contains(hint))
    );
    let entered = [("/at", "2026-12-24T18:00")];
    bob.press(&page, "send", &entered).await.leads_to();
    let at = json!({"at": "2026-12-24T18:00:00+05:45"});
    assert_eq!(data(&app, &form).await, at);
}

#[tokio::test]
async fn a_submission_is_deleted_after_a_question() {
    let app = App::new().await.with_pages(PageSetup::default());
    let form = app
        .open_form(but(
            members(),
            "allowedActionsWhenSubmitted",
            json!(["manage"]),
        ))
        .await;
    let new = json!({"formIdentifier": form, "dataFeedElement": r#"{"name": "Bob"}"#});
    let submission = app.bob().post(SUBMISSIONS, new).await.expect(201);
    let id = submission["identifier"].as_str().unwrap();
    let mut bob = Reader::signed_in(&app, "bob").await;
    let ask = bob.open(&format!("/s/{id}/delete")).await;
    assert!(ask.links().contains(&format!("/s/{id}")));
    app.bob().get(&at(SUBMISSIONS, id)).await.expect(200);
    let forged = bob.ask(Method::POST, &ask.path, Some(&[]), &[]).await;
    assert_eq!(forged.status(), 403);
    app.bob().get(&at(SUBMISSIONS, id)).await.expect(200);
    let sent = ask.sent();
    let deleted = bob.ask(Method::POST, &ask.path, Some(&sent), &[]).await;
    assert_eq!(deleted.leads_to(), "/console");
    app.bob()
        .get(&at(SUBMISSIONS, id))
        .await
        .problem(404, "formalize:submission-not-found");
}

/// A page and the interface judge alike: the page is accepted if and only if the interface accepts its data.
#[tokio::test]
async fn a_page_is_accepted_if_the_interface_accepts_its_data() {
    let app = App::new().await.with_pages(PageSetup::default());
    let schema = r#"{"type": "object", "properties": {
        "n": {"type": "number", "multipleOf": 0.5}, "e": {"type": "string", "format": "email"},
        "c": {"enum": [1, "1", null]}, "j": {"type": ["object", "array"]}}}"#;
    let form = app
        .open_form(but(members(), "dataFeedSchema", json!(schema)))
        .await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    let page = bob.open(&format!("/f/{form}")).await;
    let (mut accepted, mut refused) = (0, 0);
    for (name, text, data) in [
        ("/n", "1.5", json!({"n": 1.5})),
        ("/n", "1.25", json!({"n": 1.25})),
        ("/n", "one", json!({"n": "one"})),
        ("/n", "", json!({})),
        ("/e", "a@example.org", json!({"e": "a@example.org"})),
        ("/e", "a@", json!({"e": "a@"})),
        ("/c", "1", json!({"c": 1})),
        ("/c", "\"1\"", json!({"c": "1"})),
        ("/c", "2", json!({"c": 2})),
    ] {
        let sent = bob.press(&page, "send", &[(name, text)]).await;
        let new = json!({"formIdentifier": form, "dataFeedElement": data.to_string()});
        let made = app.bob().post(SUBMISSIONS, new).await;
        let is_accepted = made.status.as_u16() == 201;
        assert_eq!(
            sent.status(),
            if is_accepted { 303 } else { 422 },
            "{name} {text}"
        );
        accepted += usize::from(is_accepted);
        refused += usize::from(!is_accepted);
    }
    assert!(accepted >= 4 && refused >= 4);
}
