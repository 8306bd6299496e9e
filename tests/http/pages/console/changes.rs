//! What people do in the console.

use std::sync::Arc;

use formalize_core::Store;
use formalize_http::config::PageSettings;
use formalize_pages::PageSetup;
use formalize_tests::{failing::Failure, on_every_store};
use poem::http::Method;
use serde_json::json;

use super::{Page, Reader, SCHEMA, with_form};
use crate::support::{
    App, FORM_LINKS, FORMS, GROUPS, MEMBERS, SUBMISSIONS, at, draft, each, id, items, query,
    submission,
};

on_every_store! {
    tokens_are_created_listed_and_revoked,
}

#[tokio::test]
async fn settings_are_saved() {
    let (app, form) = with_form(json!({"availableStarts": "2026-11-01T08:00:00.123Z"})).await;
    let path = format!("/console/forms/{form}/settings");
    let mut alice = Reader::signed_in(&app, "alice").await;
    let page = alice.open(&path).await;
    assert_eq!(
        page.value("availableStarts").as_deref(),
        Some("2026-11-01T08:00")
    );
    let changes: [(&str, &[&str]); 7] = [
        ("name", &[" Registration "]),
        ("contact", &[" Registry "]),
        ("availabilityEnds", &["2026-12-24T18:00"]),
        ("maxNumSubmissionsPerCreator", &["2"]),
        ("maxNumSubmissions", &["300"]),
        ("allowedSubmissionStates", &["draft", "submitted"]),
        ("allowedActionsWhenSubmitted", &["read", "delete"]),
    ];
    let saved = alice.press_one(&page, "save", &changes).await;
    let page = alice.follow(&saved).await;
    assert_eq!(
        (page.status(), page.texts("h1")),
        (200, vec!["Registration".to_owned()])
    );
    assert_eq!(page.texts("p.note"), ["Your changes are saved."]);
    let stored = app.alice().get(&at(FORMS, &form)).await.expect(200);
    // What pages do not show is kept.
    assert_eq!(stored["availableStarts"], "2026-11-01T08:00:00.123Z");
    assert_eq!(stored["availabilityEnds"], "2026-12-24T18:00:00.000Z");
    assert_eq!(stored["contact"], "Registry");
    assert_eq!(stored["maxNumSubmissionsPerCreator"], 2);
    assert_eq!(stored["maxNumSubmissions"], 300);
    assert_eq!(
        stored["allowedSubmissionStates"],
        json!(["draft", "submitted"])
    );
    assert_eq!(
        stored["allowedActionsWhenSubmitted"],
        json!(["read", "delete"])
    );
    let emptied: [(&str, &[&str]); 4] = [
        ("contact", &[""]),
        ("availableStarts", &[""]),
        ("maxNumSubmissions", &[""]),
        ("allowedActionsWhenSubmitted", &[]),
    ];
    alice.press_one(&page, "save", &emptied).await.leads_to();
    let stored = app.alice().get(&at(FORMS, &form)).await.expect(200);
    assert_eq!(
        [
            &stored["availableStarts"],
            &stored["maxNumSubmissions"],
            &stored["contact"]
        ],
        [&json!(null); 3]
    );
    assert_eq!(stored["allowedActionsWhenSubmitted"], json!([]));
}

/// The connection to the database is lost while a page is being submitted.
#[tokio::test]
async fn changes_are_made_although_a_connection_was_lost() {
    let (app, form) = with_form(json!({})).await;
    let mut alice = Reader::signed_in(&app, "alice").await;
    let groups = "/console/groups".to_owned();
    let settings = format!("/console/forms/{form}/settings");
    for (path, button, step) in [
        (groups, "create", "insert_group"),
        (settings, "save", "commit"),
    ] {
        let page = alice.open(&path).await;
        app.store.fail_at(step, Failure::DisconnectedOnce);
        let changed = alice.press_one(&page, button, &[("name", &["New"])]).await;
        assert_eq!(alice.follow(&changed).await.texts("h1"), ["New"], "{step}");
        assert!(!app.store.is_failing(), "{step}");
    }
    assert_eq!(items(&app.alice().get(GROUPS).await.expect(200)).len(), 1);
}

#[tokio::test]
async fn settings_that_are_wrong_are_shown_again() {
    let (app, form) = with_form(json!({})).await;
    let before = app.alice().get(&at(FORMS, &form)).await.expect(200);
    let mut alice = Reader::signed_in(&app, "alice").await;
    let page = alice.open(&format!("/console/forms/{form}/settings")).await;
    for (field, value) in [
        ("name", ""),
        ("name", "  "),
        ("contact", &"x".repeat(201)),
        ("availableStarts", "soon"),
        ("availabilityEnds", "2026-12-24"),
        ("maxNumSubmissions", "many"),
        ("maxNumSubmissionsPerCreator", "-1"),
        ("maxNumSubmissionsPerCreator", "1.5"),
        ("allowedSubmissionStates", "sent"),
    ] {
        let refused = alice.press_one(&page, "save", &[(field, &[value])]).await;
        assert_eq!(refused.status(), 422, "{field}");
        assert!(refused.texts("title")[0].starts_with("Error: "), "{field}");
        assert!(
            refused.has(&format!(".summary a[href='#{field}']")),
            "{field}"
        );
        assert!(refused.has(".problem"), "{field}");
        if field != "allowedSubmissionStates" {
            assert_eq!(refused.value(field).as_deref(), Some(value.trim()));
        }
    }
    let window: [(&str, &[&str]); 2] = [
        ("availableStarts", &["2026-12-24T18:00"]),
        ("availabilityEnds", &["2026-12-24T17:00"]),
    ];
    let refused = alice.press_one(&page, "save", &window).await;
    assert_eq!(
        (refused.status(), refused.all(".summary li").len()),
        (422, 2)
    );
    let none: [(&str, &[&str]); 1] = [("allowedSubmissionStates", &[])];
    assert_eq!(alice.press_one(&page, "save", &none).await.status(), 422);
    assert_eq!(app.alice().get(&at(FORMS, &form)).await.expect(200), before);
}

#[tokio::test]
async fn a_change_in_between_is_shown_beside_the_own_one() {
    let (app, form) = with_form(json!({})).await;
    let mut alice = Reader::signed_in(&app, "alice").await;
    let page = alice.open(&format!("/console/forms/{form}/settings")).await;
    let other = json!({"name": "By another", "maxNumSubmissions": 7});
    app.alice()
        .patch(&at(FORMS, &form), other)
        .await
        .expect(200);
    // A mistake shows the page again, which is still based on what Alice has seen.
    let wrong = alice
        .press_one(&page, "save", &[("maxNumSubmissions", &["many"])])
        .await;
    assert_eq!(wrong.status(), 422);
    let late = alice
        .press_one(&wrong, "save", &[("maxNumSubmissions", &["9"])])
        .await;
    assert_eq!(late.status(), 412);
    let conflict = alice
        .press_one(&page, "save", &[("name", &["By Alice"])])
        .await;
    assert_eq!(conflict.status(), 412, "{}", conflict.answer);
    assert_eq!(conflict.value("name").as_deref(), Some("By Alice"));
    assert_eq!(
        conflict.texts(".conflict dd"),
        [
            "Stored: By another",
            "Entered by you: By Alice",
            "Stored: 7",
            "Entered by you: Nothing"
        ]
    );
    let stored = async || app.alice().get(&at(FORMS, &form)).await.expect(200);
    assert_eq!(stored().await["name"], "By another");
    // Whoever saves again has seen it.
    alice.press_one(&conflict, "save", &[]).await.leads_to();
    let stored = stored().await;
    assert_eq!(
        (&stored["name"], &stored["maxNumSubmissions"]),
        (&json!("By Alice"), &json!(null))
    );
}

#[tokio::test]
async fn much_is_deleted_only_if_the_name_is_entered() {
    let (app, form) = with_form(json!({"allowedSubmissionStates": ["draft", "submitted"]})).await;
    let actor = app.alice();
    for _ in 0..3 {
        actor
            .post(SUBMISSIONS, submission(&form, "{}"))
            .await
            .expect(201);
    }
    actor
        .post(SUBMISSIONS, draft(&form, "{}"))
        .await
        .expect(201);
    let count = async || {
        let list = format!("{SUBMISSIONS}?formIdentifier={form}");
        items(&actor.get(&list).await.expect(200)).len()
    };
    let mut alice = Reader::signed_in(&app, "alice").await;
    let page = alice
        .open(&format!("/console/forms/{form}/submissions/delete"))
        .await;
    let refused = alice
        .press_one(&page, "delete", &[("confirmation", &["newsletter"])])
        .await;
    assert_eq!((refused.status(), count().await), (422, 4));
    let deleted = alice
        .press_one(&page, "delete", &[("confirmation", &["Newsletter"])])
        .await;
    assert_eq!(
        deleted.leads_to(),
        format!("/console/forms/{form}/submissions")
    );
    assert_eq!(count().await, 1, "drafts remain");
    let page = alice.open(&format!("/console/forms/{form}/delete")).await;
    let refused = alice
        .press_one(&page, "delete", &[("confirmation", &[""])])
        .await;
    assert_eq!(refused.status(), 422);
    actor.get(&at(FORMS, &form)).await.expect(200);
    let deleted = alice
        .press_one(&page, "delete", &[("confirmation", &["Newsletter"])])
        .await;
    assert_eq!(deleted.leads_to(), "/console");
    actor
        .get(&at(FORMS, &form))
        .await
        .problem(404, "formalize:form-not-found");
}

/// The service with pages in the time zone of Berlin.
async fn in_berlin() -> (App, String) {
    let app = App::new().await;
    let (clock, mut settings) = (app.clock.clone(), PageSettings::default());
    settings.time_zone = "Europe/Berlin".parse().unwrap();
    let app = app.with_pages(PageSetup {
        clock,
        settings,
        ..PageSetup::default()
    });
    let form = id(&app.form(json!({"dataFeedSchema": SCHEMA})).await);
    (app, form)
}

#[tokio::test]
async fn answers_of_a_period_are_those_of_its_local_days() {
    let (app, form) = in_berlin().await;
    for at in [
        "2026-11-21T22:59:59.999Z",
        "2026-11-21T23:00:00Z",
        "2026-11-22T22:59:59.999Z",
        "2026-11-22T23:00:00Z",
    ] {
        app.travel(at);
        let new = submission(&form, &json!({ "name": at }).to_string());
        app.alice().post(SUBMISSIONS, new).await.expect(201);
    }
    let path = format!("/console/forms/{form}/submissions");
    let mut alice = Reader::signed_in(&app, "alice").await;
    for (parameters, number) in [
        ("from=2026-11-22", 3),
        ("until=2026-11-22", 3),
        ("from=2026-11-22&until=2026-11-22", 2),
        ("from=&until=", 4),
        ("from=2026-11-23&until=2026-11-22", 0),
    ] {
        let page = alice.open(&format!("{path}?{parameters}")).await;
        assert_eq!(page.all("tbody tr").len(), number, "{parameters}");
        let export = format!("{path}/export?{parameters}&format");
        let document = alice.open(&format!("{export}=ndjson")).await;
        let text = String::from_utf8_lossy(&document.answer.body).into_owned();
        assert_eq!(text.lines().count(), number, "{parameters}");
        let workbook = alice.open(&format!("{export}=xlsx")).await;
        assert!(workbook.answer.body.starts_with(b"PK"), "{parameters}");
        for pair in parameters.split('&') {
            let (name, value) = pair.split_once('=').unwrap();
            assert_eq!(page.value(name).as_deref(), Some(value), "{parameters}");
        }
    }
    for wrong in ["from=soon", "until=2026-02-30", "from=2026-11-22T08:00"] {
        let page = alice.open(&format!("{path}?{wrong}")).await;
        assert_eq!(page.status(), 400, "{wrong}");
    }
}

#[tokio::test]
async fn answers_are_filtered_and_paged() {
    let (app, form) = with_form(json!({"allowedSubmissionStates": ["draft", "submitted"]})).await;
    let actor = app.alice();
    for number in 0..51 {
        let data = format!(r#"{{"name": "Person {number}", "town": "Graz"}}"#);
        actor
            .post(SUBMISSIONS, submission(&form, &data))
            .await
            .expect(201);
    }
    let long = "x".repeat(5000);
    let data = json!({"name": long, "town": 7}).to_string();
    actor
        .post(SUBMISSIONS, draft(&form, &data))
        .await
        .expect(201);
    let path = format!("/console/forms/{form}/submissions");
    let mut alice = Reader::signed_in(&app, "alice").await.speaking("de");
    let page = alice
        .open(&format!(
            "{path}?column=%2Ftown&state=submitted&creator=alice&from=2026-01-01&until=2026-12-31"
        ))
        .await;
    assert_eq!(
        page.texts("thead th"),
        ["Erstellt", "Erstellt von", "Status", "Ort"]
    );
    assert_eq!(page.all("tbody tr").len(), 50);
    assert_eq!(page.texts("tbody td:last-child")[0], "Graz");
    let links = page.links();
    let next = links.iter().find(|link| link.contains("cursor=")).unwrap();
    assert!(
        [
            "column=%2Ftown",
            "state=submitted",
            "from=2026-01-01",
            "until=2026-12-31"
        ]
        .iter()
        .all(|kept| next.contains(kept)),
        "{next}"
    );
    let second = alice.open(next).await;
    assert_eq!(second.all("tbody tr").len(), 1);
    let first = second
        .links()
        .into_iter()
        .find(|link| !link.contains("cursor=") && link.contains("state="));
    assert!(first.is_some());

    let all = alice.open(&format!("{path}?state=draft")).await;
    let cells = all.texts("tbody td");
    assert!(
        cells
            .iter()
            .any(|cell| cell.ends_with("x…") && cell.len() < 200),
        "long answers are cut"
    );
    assert!(
        alice
            .open(&format!("{path}?creator=bob"))
            .await
            .has(".empty")
    );
    assert_eq!(
        alice.open(&format!("{path}?state=sent")).await.status(),
        400
    );
    assert_eq!(alice.open(&format!("{path}?cursor=x")).await.status(), 400);
}

#[tokio::test]
async fn answers_are_downloaded_as_they_are_filtered() {
    let (app, form) = with_form(json!({})).await;
    let data = r#"{"name": "Ada", "town": "Graz"}"#;
    let sent = app.alice().post(SUBMISSIONS, submission(&form, data)).await;
    sent.expect(201);
    let path = format!("/console/forms/{form}/submissions");
    let mut alice = Reader::signed_in(&app, "alice").await.speaking("de");
    let filter = [
        ("state", "submitted"),
        ("creator", "alice"),
        ("from", "2026-01-01"),
        ("until", "2026-12-31"),
    ];
    let page = alice.open(&query(&path, &filter)).await;
    let downloads = page.all("form.downloads")[0];
    let action = downloads.attr("action").unwrap();
    assert!(action.ends_with(&format!("{path}/export")), "{action}");
    let hidden = page.all("form.downloads [type=hidden]").into_iter();
    let hidden = hidden.map(|input| (input.attr("name").unwrap(), input.attr("value").unwrap()));
    assert_eq!(hidden.collect::<Vec<_>>(), filter);
    assert!(page.has("form.downloads [name=labels][type=checkbox]"));
    assert!(page.has("form.downloads button[name=format][value=csv]"));
    let export =
        |more: &[(&str, &str)]| query(&format!("{path}/export"), &[&filter[..], more].concat());
    let csv = &export(&[("format", "csv")]);
    let document = alice.open(csv).await;
    let text = String::from_utf8(document.answer.body.clone()).unwrap();
    assert!(text.starts_with("\u{feff}_identifier;"), "{text}");
    assert!(
        text.lines().next().unwrap().contains(";Full name;Ort;"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 2);
    assert_eq!(
        document.answer.header("content-type"),
        Some("text/csv; charset=utf-8")
    );
    let name = document.answer.header("content-disposition").unwrap();
    assert!(
        name.starts_with("attachment; filename=\"Newsletter-2026"),
        "{name}"
    );
    let labelled = export(&[("labels", "true"), ("format", "csv")]);
    let labelled = alice.open(&labelled).await;
    let text = String::from_utf8(labelled.answer.body.clone()).unwrap();
    assert!(
        text.lines().next().unwrap().ends_with(";_notShown"),
        "{text}"
    );
    // Formats without cells have no labels.
    let ndjson = export(&[("labels", "true"), ("format", "ndjson")]);
    assert_eq!(alice.open(&ndjson).await.status(), 200);
    let head = alice.ask(Method::HEAD, csv, None, &[]).await;
    assert_eq!((head.status(), head.answer.body.len()), (200, 0));
    assert_eq!(
        alice
            .open(&format!("{path}/export?format=json"))
            .await
            .status(),
        400
    );
}

#[tokio::test]
async fn new_answers_are_counted_for_those_who_may_read_them() {
    let (app, form) = with_form(json!({"allowedSubmissionStates": ["draft", "submitted"]})).await;
    let actor = app.alice();
    actor
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    app.travel("2026-11-28T07:59:59Z");
    let mut alice = Reader::signed_in(&app, "alice").await;
    let counts = async |alice: &mut Reader<'_>| {
        let overview = alice.open(&format!("/console/forms/{form}")).await;
        let home = alice.open("/console").await.texts(".badge.new");
        (home, overview.texts("dl.facts dd")[0].clone())
    };
    let one = "1 new answer".to_owned();
    assert_eq!(counts(&mut alice).await, (vec![one.clone()], one));
    app.travel("2026-11-28T08:00:01Z");
    assert_eq!(
        counts(&mut alice).await,
        (vec![], "0 new answers".to_owned())
    );
    for _ in 0..2 {
        actor
            .post(SUBMISSIONS, submission(&form, "{}"))
            .await
            .expect(201);
        actor
            .post(SUBMISSIONS, draft(&form, "{}"))
            .await
            .expect(201);
    }
    let two = "2 new answers".to_owned();
    assert_eq!(counts(&mut alice).await, (vec![two.clone()], two));
    app.share_form(&form, "read", json!({"userIdentifier": "bob"}))
        .await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    let overview = bob.open(&format!("/console/forms/{form}")).await;
    assert!(
        !overview.texts("dl.facts dd")[0].contains("new"),
        "he may not read answers"
    );
}

#[tokio::test]
async fn forms_are_shared_with_everybody_and_single_people() {
    let (app, form) = with_form(json!({})).await;
    let group = app.group("Committee").await;
    let path = format!("/console/forms/{form}/sharing");
    let mut alice = Reader::signed_in(&app, "alice").await;
    let holder = format!("group:{group}");
    for (holder, user, right) in [
        ("dynamic:everybody", "", "fill"),
        ("dynamic:staff", "", "read-answers"),
        ("user", "bob", "change-answers"),
        (&*holder, "", "action:delete_submissions"),
    ] {
        let page = alice.open(&path).await;
        let changes: [(&str, &[&str]); 3] = [
            ("holder", &[holder]),
            ("userIdentifier", &[user]),
            ("right", &[right]),
        ];
        let shared = alice.press_one(&page, "share", &changes).await;
        assert_eq!(shared.leads_to(), path, "{holder}");
    }
    let page = alice.open(&path).await;
    assert_eq!(
        page.texts(".rows .name"),
        [
            "alice",
            "Everybody who has signed in",
            "staff",
            "bob",
            "Committee"
        ]
    );
    assert_eq!(
        page.texts(".rows .badge"),
        [
            "Manages",
            "May fill in",
            "May read answers",
            "May change answers",
            "Delete answers"
        ]
    );
    // Bob may now.
    let mut bob = Reader::signed_in(&app, "bob").await;
    assert_eq!(bob.open(&format!("/f/{form}")).await.status(), 200);
    let buttons = page.all("button[value]").into_iter();
    let buttons: Vec<_> = buttons.filter_map(|button| button.attr("value")).collect();
    for button in buttons
        .iter()
        .filter(|button| button.starts_with("access:") || button.starts_with("grant:"))
    {
        let taken = alice.press_one(&page, button, &[]).await;
        if button.contains(":manage:") {
            assert_eq!(taken.status(), 422, "the last manager stays");
            assert!(taken.texts(".summary p")[0].starts_with("Somebody must manage"));
        } else {
            assert_eq!(taken.leads_to(), path, "{button}");
        }
    }
    assert_eq!(alice.open(&path).await.texts(".rows .name"), ["alice"]);
    assert_eq!(bob.open(&format!("/f/{form}")).await.status(), 403);
    for (holder, user, right, field) in [
        ("user", "", "fill", "userIdentifier"),
        ("user", "link:x", "fill", "userIdentifier"),
        ("dynamic:unknown", "", "fill", "dynamicGroupIdentifier"),
        ("group:x", "", "fill", "groupIdentifier"),
    ] {
        let changes: [(&str, &[&str]); 3] = [
            ("holder", &[holder]),
            ("userIdentifier", &[user]),
            ("right", &[right]),
        ];
        let refused = alice.press_one(&page, "share", &changes).await;
        assert_eq!(refused.status(), 422, "{holder}");
        assert!(
            refused.has(&format!(".summary a[href='#{field}']")),
            "{holder}"
        );
    }
}

async fn assert_wrong_settings_of_links_are_refused(alice: &mut Reader<'_>, page: &Page) {
    let wrong: [(&str, &[&str]); 4] = [
        ("label", &["a\tb"]),
        ("expires", &["soon"]),
        ("maxNumSubmissions", &["0"]),
        ("embedOrigins", &["example.org"]),
    ];
    for change in wrong {
        let refused = alice.press_one(page, "save", &[change]).await;
        assert_eq!(refused.status(), 422, "{change:?}");
        assert!(
            refused.has(&format!(".summary a[href='#{}']", change.0)),
            "{change:?}"
        );
    }
}

#[tokio::test]
async fn links_are_created_changed_and_revoked() {
    let (app, form) = with_form(json!({})).await;
    let path = format!("/console/forms/{form}/links");
    let mut alice = Reader::signed_in(&app, "alice").await;
    let page = alice.open(&path).await;
    assert!(page.has(".empty"));
    let changes: [(&str, &[&str]); 4] = [
        ("label", &["Poster"]),
        ("expires", &["2026-12-24T18:00"]),
        ("maxNumSubmissions", &["40"]),
        (
            "embedOrigins",
            &["https://www.example.org\r\n\r\n https://example.org"],
        ),
    ];
    let created = alice.press_one(&page, "create", &changes).await;
    assert_eq!(created.status(), 200, "{}", created.answer);
    assert_eq!(created.answer.header("cache-control"), Some("no-store"));
    let url = created.all("#url")[0].attr("value").unwrap().to_owned();
    let opened = url
        .strip_prefix("https://forms.example.org/service")
        .unwrap();
    assert_eq!(Reader::new(&app).open(opened).await.status(), 200);
    let snippet = created.texts("#snippet")[0].trim().to_owned();
    let expected = format!(
        r#"<script src="https://forms.example.org/service/embed.js" data-link="{url}"></script>"#
    );
    assert_eq!(snippet, expected);
    let code = created.all("svg.code path")[0].attr("d").unwrap();
    assert!(
        code.starts_with("M4 4h1v1h-1z") && code.len() > 5000,
        "{code}"
    );
    let page = alice.open(&path).await;
    let text = String::from_utf8_lossy(&page.answer.body).into_owned();
    assert!(
        !text.contains("/l/fml_") && !page.has("#url"),
        "the address is shown once"
    );
    assert_eq!(page.texts(".rows a"), ["Poster"]);
    assert!(page.texts(".rows .facts")[0].contains("0 of 40 places taken"));
    let overview = alice.open(&format!("/console/forms/{form}")).await;
    assert!(
        overview
            .texts(".rows .facts")
            .contains(&"0 of 40 places taken".to_owned())
    );

    let link = page
        .links()
        .into_iter()
        .find(|link| link.contains("/links/"))
        .unwrap();
    let one = alice.open(&link).await;
    assert_eq!(
        one.value("embedOrigins").unwrap().trim(),
        "https://www.example.org\r\nhttps://example.org"
    );
    assert_wrong_settings_of_links_are_refused(&mut alice, &one).await;
    let saved = alice
        .press_one(
            &one,
            "save",
            &[("label", &["Poster in the hall"]), ("expires", &[""])],
        )
        .await;
    saved.leads_to();
    let wrong = alice
        .press_one(&one, "save", &[("maxNumSubmissions", &["many"])])
        .await;
    assert_eq!(wrong.status(), 422);
    let late = alice
        .press_one(&wrong, "save", &[("maxNumSubmissions", &["9"])])
        .await;
    assert_eq!(late.status(), 412);
    let conflict = alice
        .press_one(&one, "save", &[("label", &["Old page"])])
        .await;
    assert_eq!(conflict.status(), 412);
    assert_eq!(
        conflict.texts(".conflict dd"),
        [
            "Stored: Poster in the hall",
            "Entered by you: Old page",
            "Stored: Nothing",
            "Entered by you: 2026-12-24 18:00"
        ]
    );
    assert_eq!(conflict.value("label").as_deref(), Some("Old page"));
    let stored = app
        .alice()
        .get(&format!("{FORM_LINKS}?formIdentifier={form}"))
        .await
        .expect(200);
    assert_eq!(
        (&items(&stored)[0]["label"], &items(&stored)[0]["expires"]),
        (&json!("Poster in the hall"), &json!(null))
    );
    let one = alice.open(&link).await;
    alice.press_one(&one, "revoke", &[]).await.leads_to();
    assert_eq!(Reader::new(&app).open(opened).await.status(), 404);
}

#[tokio::test]
async fn every_group_can_become_a_member() {
    let (app, _) = with_form(json!({})).await;
    let committee = app.group("Committee").await;
    let path = format!("/console/groups/{committee}");
    let mut alice = Reader::signed_in(&app, "alice").await;
    assert!(!alice.open(&path).await.has("main form.search"));
    for number in 10..45 {
        app.group(&format!("Team {number}")).await;
    }
    let page = alice.open(&path).await;
    let choices = "select[name=childGroupIdentifier] option";
    assert!(!page.texts(choices).contains(&"Team 44".to_owned()));
    assert!(page.has("main form.search input[name=search]"));
    let mut page = alice.open(&format!("{path}?search=team+44")).await;
    assert_eq!(page.texts(choices)[1..], ["Team 44"]);
    // What was searched for is kept with a mistake.
    let wrong = [("userIdentifier", &["link:1"][..])];
    page = alice.press_one(&page, "add", &wrong).await;
    assert_eq!(page.status(), 422);
    assert_eq!(page.value("search").as_deref(), Some("team 44"));
    let group = page.all(choices)[1].attr("value").unwrap().to_owned();
    let added = [
        ("userIdentifier", &[""][..]),
        ("childGroupIdentifier", &[&*group]),
    ];
    let added = alice.press_one(&page, "add", &added).await;
    let page = alice.follow(&added).await;
    assert_eq!(page.texts(".rows .name"), ["Team 44"]);
}

#[tokio::test]
async fn groups_are_managed() {
    let (app, _) = with_form(json!({})).await;
    let mut alice = Reader::signed_in(&app, "alice").await;
    let page = alice.open("/console/groups").await;
    assert_eq!(
        alice
            .press_one(&page, "create", &[("name", &[" "])])
            .await
            .status(),
        422
    );
    let made = alice
        .press_one(&page, "create", &[("name", &["Committee"])])
        .await;
    let path = made.leads_to();
    let trainers = app.group("Trainers").await;
    let page = alice.open(&path).await;
    alice
        .press_one(&page, "add", &[("userIdentifier", &["bob"])])
        .await
        .leads_to();
    alice
        .press_one(&page, "add", &[("childGroupIdentifier", &[&trainers])])
        .await
        .leads_to();
    let again = alice
        .press_one(&page, "add", &[("userIdentifier", &["bob"])])
        .await;
    assert_eq!(
        (again.status(), again.value("userIdentifier").as_deref()),
        (422, Some("bob"))
    );
    for user in ["", "link:x"] {
        let refused = alice
            .press_one(&page, "add", &[("userIdentifier", &[user])])
            .await;
        assert!(refused.has(".summary a[href='#userIdentifier']"), "{user}");
    }
    let page = alice.open(&path).await;
    assert_eq!(page.texts(".rows .name"), ["bob", "Trainers"]);
    let group = path.rsplit('/').next().unwrap().to_owned();
    let members = app
        .alice()
        .get(&query(MEMBERS, &[("groupIdentifier", &group)]))
        .await
        .expect(200);
    let bob = items(&members)
        .iter()
        .find(|member| member["userIdentifier"] == "bob")
        .unwrap();
    let remove = format!("remove:{}", id(bob));
    alice.press_one(&page, &remove, &[]).await.leads_to();
    assert_eq!(
        alice.press_one(&page, &remove, &[]).await.status(),
        422,
        "he is gone"
    );
    alice
        .press_one(&page, "rename", &[("name", &["Board"])])
        .await
        .leads_to();
    let wrong = alice.press_one(&page, "rename", &[("name", &[""])]).await;
    assert_eq!(wrong.status(), 422);
    let late = alice
        .press_one(&wrong, "rename", &[("name", &["CloseReason"])])
        .await;
    assert_eq!(late.status(), 412);
    let conflict = alice
        .press_one(&page, "rename", &[("name", &["Old page"])])
        .await;
    assert_eq!(conflict.status(), 412);
    assert_eq!(
        conflict.texts(".conflict dd"),
        ["Stored: Board", "Entered by you: Old page"]
    );
    let found = alice.open("/console/groups?search=boa").await;
    assert_eq!(found.texts(".rows a"), ["Board"]);
    assert!(
        alice
            .open("/console/groups?search=nothing")
            .await
            .has(".empty")
    );
    let ask = alice.open(&format!("{path}/delete")).await;
    assert_eq!(
        alice.press_one(&ask, "delete", &[]).await.leads_to(),
        "/console/groups"
    );
    let left = app.alice().get(GROUPS).await.expect(200);
    assert_eq!(each(&left, "name"), ["Trainers"]);
}

async fn tokens_are_created_listed_and_revoked(store: Arc<dyn Store>) {
    let app = App::on_store(store).await.with_pages(PageSetup::default());
    let mut bob = Reader::signed_in(&app, "bob").await;
    let page = bob.open("/console/tokens").await;
    assert_eq!(page.texts(".rows .name"), ["API token", "Signed in here"]);
    assert!(!page.has("button[value=create]"), "he is no administrator");
    let token = page.value("token").unwrap();
    let sent = [
        ("do", "create"),
        ("days", "7"),
        ("label", "x"),
        ("token", &token),
    ];
    let sent = sent.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let refused = bob
        .ask(Method::POST, "/console/tokens", Some(&sent), &[])
        .await;
    assert_eq!(refused.status(), 403);

    let mut admin = Reader::signed_in(&app, "admin").await;
    let page = admin.open("/console/tokens").await;
    let wrong = admin
        .press_one(&page, "create", &[("label", &["a\tb"])])
        .await;
    assert!(wrong.has(".summary a[href='#label']"));
    let created = admin
        .press_one(
            &page,
            "create",
            &[("label", &["Nightly report"]), ("days", &["9999"])],
        )
        .await;
    let secret = created.all("#secret")[0].attr("value").unwrap().to_owned();
    let actor = app.with_token(&secret);
    actor.get(FORMS).await.expect(200);
    let page = admin.open("/console/tokens").await;
    assert!(!page.has("#secret") && !String::from_utf8_lossy(&page.answer.body).contains(&secret));
    assert_eq!(
        page.texts(".rows .name").last().map(String::as_str),
        Some("Nightly report")
    );
    let hints = page.texts(".rows .hint");
    // 90 days after the creation.
    assert!(
        hints.last().unwrap().contains("until 2027-02-19"),
        "{hints:?}"
    );

    // Nobody revokes what belongs to somebody else.
    let buttons = page.all(".rows button").into_iter();
    let buttons: Vec<_> = buttons
        .map(|button| button.attr("value").unwrap().to_owned())
        .collect();
    let last = buttons.last().unwrap();
    let token = bob.open("/console/tokens").await.value("token").unwrap();
    let foreign = [("do".to_owned(), last.clone()), ("token".to_owned(), token)];
    let refused = bob
        .ask(Method::POST, "/console/tokens", Some(&foreign), &[])
        .await;
    assert_eq!(
        (refused.status(), refused.texts(".summary p").len()),
        (422, 1)
    );
    actor.get(FORMS).await.expect(200);
    admin.press_one(&page, last, &[]).await.leads_to();
    assert_eq!(actor.get(FORMS).await.status.as_u16(), 401);
    assert_eq!(admin.press_one(&page, last, &[]).await.status(), 422);
}

/// With a policy, those whom it names create tokens, and administrators do not. A token has the attributes of its session.
#[tokio::test]
async fn a_policy_says_who_creates_tokens() {
    let configuration = r#"
        administrators = 'user.id == "admin"'
        [policies]
        create_tokens = '"developer" in user.attributes.roles'
        create_forms = '"developer" in user.attributes.roles'"#;
    let app = App::with(configuration).await;
    let app = app.with_pages(PageSetup::default());
    let mut admin = Reader::signed_in(&app, "admin").await;
    let page = admin.open("/console/tokens").await;
    assert!(!page.has("button[value=create]"));
    let session = formalize_core::tokens::NewSession {
        attributes: serde_json::from_value(json!({"roles": ["developer"]})).unwrap(),
        ..formalize_tests::world::new_session("dora")
    };
    let sessions = app.formalize.sessions();
    let begun = sessions
        .create(&formalize_core::Caller::System, session)
        .await;
    let mut dora = Reader::new(&app);
    dora.cookie = Some(begun.unwrap().1.expose().to_owned());
    let page = dora.open("/console/tokens").await;
    let created = dora.press_one(&page, "create", &[]).await;
    let secret = created.all("#secret")[0].attr("value").unwrap().to_owned();
    let made = app
        .with_token(&secret)
        .post(FORMS, json!({"name": "Mine"}))
        .await;
    made.expect(201);
}
