//! What each kind of person sees, compared with the interface.

use std::sync::Arc;

use formalize_core::Store;
use formalize_pages::PageSetup;
use formalize_tests::on_every_store;
use poem::http::Method;
use serde_json::{Value, json};

use super::{Reader, SCHEMA, tabs, with_form};
use crate::support::{
    App, FORM_LINKS, FORMS, GRANTS, GROUPS, NOWHERE, Receiver, SUBMISSIONS, WEBHOOKS, at, draft,
    each, id, items, query, submission,
};

on_every_store! {
    everybody_sees_what_the_interface_gives,
    groups_are_those_of_the_interface,
}

const PEOPLE: [&str; 11] = [
    "alice", "bob", "carol", "admin", "root", "nobody", "filler", "reader", "editor", "cleaner",
    "remover",
];

/// A form that is shared with people in different ways, with an answer and a draft of Bob.
async fn shared_form(app: &App, members: Value) -> String {
    let mut form =
        json!({"dataFeedSchema": SCHEMA, "allowedSubmissionStates": ["draft", "submitted"]});
    crate::support::merge(&mut form, members);
    let form = id(&app.form(form).await);
    for (user, actions) in [
        ("bob", &["read", "create_submissions"][..]),
        ("filler", &["create_submissions"]),
        ("reader", &["read", "read_submissions"]),
        ("carol", &["read_submissions", "delete_submissions"]),
        ("editor", &["read", "update"]),
        ("cleaner", &["read", "delete_submissions"]),
        ("remover", &["read", "delete"]),
    ] {
        for action in actions {
            app.share_form(&form, action, json!({"userIdentifier": user}))
                .await;
        }
    }
    let webhook = json!({"formIdentifier": form, "url": "https://hooks.example.org/formalize"});
    app.alice().post(WEBHOOKS, webhook).await.expect(201);
    let data = r#"{"name": "open sesame", "town": "Graz"}"#;
    let bob = app.bob();
    bob.post(SUBMISSIONS, submission(&form, data))
        .await
        .expect(201);
    bob.post(SUBMISSIONS, draft(&form, data)).await.expect(201);
    Receiver::new(Ok(204)).take(app).await;
    form
}

async fn everybody_sees_what_the_interface_gives(store: Arc<dyn Store>) {
    let app = App::on_store(store).await.with_pages(PageSetup::default());
    let mut seen = 0;
    for members in [
        json!({}),
        json!({"allowedActionsWhenSubmitted": ["read", "delete"]}),
        json!({"grantBasedSubmissionAuthorization": true, "allowedActionsWhenSubmitted": ["manage"]}),
    ] {
        let form = shared_form(&app, members).await;
        for user in PEOPLE {
            let token = app.token(user, json!({}), None).await;
            let mut reader = Reader::signed_in(&app, user).await;
            seen += compare(&app, &token, &mut reader, &form).await;
            compare_webhooks(&app, &token, &mut reader, &form).await;
            compare_home(&app, &token, &mut reader, &form, user).await;
        }
    }
    assert!(seen > 20, "{seen}");
}

/// Compares the pages about webhooks: those who get them over the interface see them, and nobody else.
async fn compare_webhooks(app: &App, token: &str, reader: &mut Reader<'_>, form: &str) {
    let actor = app.with_token(token);
    let path = format!("/console/forms/{form}/webhooks");
    let of_form = query(WEBHOOKS, &[("formIdentifier", form)]);
    let own = actor.get(&of_form).await.expect(200);
    let all = app.alice().get(&of_form).await.expect(200);
    let webhook = id(&items(&all)[0]);
    let item = actor.get(&at(WEBHOOKS, &webhook)).await;
    let status = item.status.as_u16();
    let list = reader.open(&path).await;
    assert_eq!(list.status(), status, "{}", list.answer);
    let listed = list.links().into_iter();
    let listed: Vec<_> = listed
        .filter_map(|link| link.strip_prefix(&format!("{path}/")).map(str::to_owned))
        .collect();
    assert_eq!(listed, each(&own, "identifier"));
    let deliveries = format!("{}/deliveries", at(WEBHOOKS, &webhook));
    let sent = app.alice().get(&deliveries).await.expect(200);
    let delivery = id(&items(&sent)[0]);
    let sent_to = actor.get(&format!("{deliveries}/{delivery}")).await;
    assert_eq!(sent_to.status.as_u16(), status);
    for rest in [
        String::new(),
        "/delete".to_owned(),
        format!("/deliveries/{delivery}"),
    ] {
        let page = reader.open(&format!("{path}/{webhook}{rest}")).await;
        assert_eq!(page.status(), status, "{rest}: {}", page.answer);
        let text = String::from_utf8_lossy(&page.answer.body);
        assert_eq!(text.contains("hooks.example.org"), status == 200, "{rest}");
    }
}

/// The effective actions on a form.
async fn granted_on(app: &App, token: &str, form: &str) -> Vec<Value> {
    let path = at("/authorization/granted-actions/DbpRelayFormalizeForm", form);
    let granted = app.with_token(token).get(&path).await.expect(200);
    granted["actions"].as_array().unwrap().clone()
}

fn allows(granted: &[Value], action: &str) -> bool {
    granted.iter().any(|one| one == action || one == "manage")
}

/// Compares all pages about a form, and returns how many can be seen.
async fn compare(app: &App, token: &str, reader: &mut Reader<'_>, form: &str) -> usize {
    let actor = app.with_token(token);
    let item = actor.get(&at(FORMS, form)).await;
    let may_read = item.status.as_u16() == 200;
    let granted = granted_on(app, token, form).await;
    let may = |action: &str| allows(&granted, action);
    let of_form = |rest: &str| format!("/console/forms/{form}{rest}");
    let mut seen = 0;
    for (rest, is_shown) in [
        ("", may_read),
        ("/settings", may_read && may("update")),
        ("/delete", may("delete")),
        ("/sharing", may("manage")),
        ("/links", may("manage")),
        ("/webhooks", may("manage")),
        ("/submissions", true),
        ("/summary", true),
        ("/submissions/export?format=csv", true),
        ("/submissions/delete", may("delete_submissions")),
    ] {
        let page = reader.open(&of_form(rest)).await;
        let expected = if is_shown { 200 } else { 403 };
        assert_eq!(page.status(), expected, "{rest}: {}", page.answer);
        let text = String::from_utf8_lossy(&page.answer.body);
        assert!(
            is_shown || !text.contains("Newsletter"),
            "{rest}: {}",
            page.answer
        );
        seen += usize::from(is_shown);
    }
    // The page lists what the interface lists, with buttons for what is allowed.
    let list = format!("{SUBMISSIONS}?formIdentifier={form}");
    let list = actor.get(&list).await.expect(200);
    let expected: Vec<String> = each(&list, "identifier")
        .iter()
        .map(|id| format!("/s/{id}"))
        .collect();
    let page = reader.open(&of_form("/submissions")).await;
    let shown: Vec<String> = page
        .links()
        .into_iter()
        .filter(|link| link.starts_with("/s/"))
        .collect();
    assert_eq!(shown, expected, "{}", page.answer);
    let has = |rest: &str| page.links().contains(&of_form(rest));
    assert_eq!(has("/submissions/delete"), may("delete_submissions"));
    // The summary counts them, and nothing else.
    let summary = reader.open(&of_form("/summary")).await;
    let total = match expected.len() {
        0 => Vec::new(),
        1 => vec!["1 answer".to_owned()],
        number => vec![format!("{number} answers")],
    };
    assert_eq!(summary.texts("h2#total"), total, "{}", summary.answer);
    let tabs_there = tabs(&summary, form);
    let has_tab = |tab: &str| tabs_there.iter().any(|other| other == tab);
    assert_eq!(has_tab("/summary"), has_tab("/submissions"));
    let document = reader
        .open(&of_form("/submissions/export?format=ndjson"))
        .await;
    let lines = String::from_utf8(document.answer.body).unwrap();
    assert_eq!(lines.lines().count(), expected.len(), "{lines}");
    assert_eq!(page.texts("h1") == ["Newsletter"], may_read);
    let knows_questions = may_read || !expected.is_empty();
    assert_eq!(
        page.has("[name=column]"),
        knows_questions,
        "{}",
        page.answer
    );
    if may_read {
        let tabs = tabs(&reader.open(&of_form("")).await, form);
        let has = |tab: &str| tabs.iter().any(|other| other == tab);
        assert_eq!(
            (has("/edit"), has("/settings")),
            (may("update"), may("update"))
        );
        for tab in ["/sharing", "/links", "/webhooks"] {
            assert_eq!(has(tab), may("manage"), "{tab}");
        }
        assert!(has("/submissions") || !may("delete_submissions"));
        // The button that deletes the form is among the settings, or for those without them on the first page.
        let place = if may("update") { "/settings" } else { "" };
        let page = reader.open(&of_form(place)).await;
        assert_eq!(page.links().contains(&of_form("/delete")), may("delete"));
    }
    let of_links = actor
        .get(&format!("{FORM_LINKS}?formIdentifier={form}"))
        .await;
    assert_eq!(of_links.status.as_u16() == 200, may("manage"));
    seen
}

async fn compare_home(app: &App, token: &str, reader: &mut Reader<'_>, form: &str, user: &str) {
    let actor = app.with_token(token);
    let home = reader.open("/console").await;
    let all = items(&actor.get(FORMS).await.expect(200)).clone();
    let with_answers = format!("{FORMS}?whereReadFormSubmissionsGranted=true");
    let with_answers = actor.get(&with_answers).await.expect(200);
    let has = |list: &[Value]| list.iter().any(|item| item["identifier"] == form);
    let granted = granted_on(app, token, form).await;
    let may = |action: &str| allows(&granted, action);
    let shows = |path: String| home.links().contains(&path);
    assert_eq!(
        shows(format!("/f/{form}")),
        may("create_submissions"),
        "{user}"
    );
    let is_managed = has(items(&with_answers)) || has(&all) && may("update");
    assert_eq!(
        shows(format!("/console/forms/{form}")),
        is_managed,
        "{user}"
    );
    let new = actor.post(FORMS, json!({"name": "Another"})).await;
    assert_eq!(
        shows("/console/forms/new".to_owned()),
        new.status.as_u16() == 201,
        "{user}"
    );
    if new.status.as_u16() == 201 {
        let made = id(&new.expect(201));
        actor.delete(&at(FORMS, &made)).await.expect(204);
    }
}

async fn groups_are_those_of_the_interface(store: Arc<dyn Store>) {
    let app = App::on_store(store).await.with_pages(PageSetup::default());
    let group = app.group("Committee").await;
    for (action, user) in [
        ("read", "reader"),
        ("read", "editor"),
        ("update", "editor"),
        ("add_members", "bob"),
        ("delete", "carol"),
    ] {
        app.share_group(&group, action, user).await;
    }
    for user in PEOPLE {
        let token = app.token(user, json!({}), None).await;
        let actor = app.with_token(&token);
        let mut reader = Reader::signed_in(&app, user).await;
        let listed: Vec<String> = each(&actor.get(GROUPS).await.expect(200), "identifier")
            .iter()
            .map(|id| format!("/console/groups/{id}"))
            .collect();
        let page = reader.open("/console/groups").await;
        assert_eq!(page.links(), listed, "{user}");
        let made = actor.post(GROUPS, json!({"name": "Another"})).await;
        assert_eq!(
            page.has("button[value=create]"),
            made.status.as_u16() == 201,
            "{user}"
        );
        if made.status.as_u16() == 201 {
            actor
                .delete(&at(GROUPS, &id(&made.expect(201))))
                .await
                .expect(204);
        }
        let item = actor.get(&at(GROUPS, &group)).await;
        let page = reader.open(&format!("/console/groups/{group}")).await;
        assert_eq!(page.status(), item.status.as_u16(), "{user}");
        if page.status() != 200 {
            continue;
        }
        let item = item.expect(200);
        let may = |action: &str| {
            let mut granted = item["grantedActions"].as_array().unwrap().iter();
            granted.any(|one| one == action || one == "manage")
        };
        assert_eq!(page.has("button[value=add]"), may("add_members"), "{user}");
        assert_eq!(page.has("button[value=rename]"), may("update"), "{user}");
        let path = format!("/console/groups/{group}/delete");
        assert_eq!(page.links().contains(&path), may("delete"), "{user}");
        let ask = reader.open(&path).await;
        assert_eq!(ask.status() == 200, may("delete"), "{user}");
    }
}

#[tokio::test]
async fn what_does_not_exist_is_not_found() {
    let (app, form) = with_form(json!({})).await;
    let mut alice = Reader::signed_in(&app, "alice").await;
    for path in [
        format!("/console/forms/{NOWHERE}"),
        format!("/console/forms/{NOWHERE}/submissions"),
        "/console/forms/x/settings".to_owned(),
        format!("/console/forms/{form}/links/{NOWHERE}"),
        format!("/console/forms/{form}/links/x"),
        format!("/console/forms/{form}/webhooks/{NOWHERE}"),
        format!("/console/forms/{form}/webhooks/x"),
        format!("/console/forms/{form}/webhooks/{NOWHERE}/delete"),
        format!("/console/forms/{form}/webhooks/{NOWHERE}/deliveries/{NOWHERE}"),
        format!("/console/forms/{form}/other"),
        format!("/console/groups/{NOWHERE}"),
        "/console/other".to_owned(),
    ] {
        assert_eq!(alice.open(&path).await.status(), 404, "{path}");
    }
    // A link or a webhook of another form is not found either, though it is hers.
    let other = id(&app.form(json!({})).await);
    let link = json!({"formIdentifier": other});
    let link = id(&app.alice().post(FORM_LINKS, link).await.expect(201));
    let webhook = json!({"formIdentifier": other, "url": "https://hooks.example.org/"});
    let webhook = id(&app.alice().post(WEBHOOKS, webhook).await.expect(201));
    for rest in [
        format!("links/{link}"),
        format!("webhooks/{webhook}"),
        format!("webhooks/{webhook}/delete"),
    ] {
        let path = format!("/console/forms/{form}/{rest}");
        assert_eq!(alice.open(&path).await.status(), 404, "{rest}");
    }
    for delivery in [NOWHERE, "x"] {
        let path = format!("/console/forms/{other}/webhooks/{webhook}/deliveries/{delivery}");
        assert_eq!(alice.open(&path).await.status(), 404, "{delivery}");
    }
}

#[tokio::test]
async fn without_a_session_there_is_no_console() {
    let (app, form) = with_form(json!({})).await;
    let mut anyone = Reader::new(&app);
    for path in [
        "/console",
        &format!("/console/forms/{form}/settings"),
        "/console/tokens",
    ] {
        let page = anyone.open(path).await;
        let encoded = path.replace('/', "%2F");
        assert_eq!(page.leads_to(), format!("/sign-in?return={encoded}"));
    }
}

/// Forms of the console that would change something: the path, and what is sent.
fn forgeries<'a>(
    form: &str,
    [link, webhook, group, row]: [&'a str; 4],
) -> Vec<(String, Vec<(&'static str, &'a str)>)> {
    let of_form = |rest: &str| format!("/console/forms/{form}{rest}");
    vec![
        (
            of_form("/settings"),
            vec![("do", "save"), ("revision", NOWHERE), ("name", "Taken")],
        ),
        (
            of_form("/delete"),
            vec![("do", "delete"), ("confirmation", "Newsletter")],
        ),
        (
            of_form("/submissions/delete"),
            vec![("do", "delete"), ("confirmation", "Newsletter")],
        ),
        (
            of_form("/sharing"),
            vec![
                ("do", "share"),
                ("holder", "dynamic:everybody"),
                ("right", "manage"),
            ],
        ),
        (of_form("/links"), vec![("do", "create")]),
        (
            of_form(&format!("/links/{link}")),
            vec![("do", "revoke"), ("revision", NOWHERE)],
        ),
        (
            of_form("/webhooks"),
            vec![
                ("do", "create"),
                ("url", "https://hooks.example.org/mine"),
                ("eventTypes", "submission.submitted"),
                ("payload", "full"),
            ],
        ),
        (
            of_form(&format!("/webhooks/{webhook}")),
            vec![
                ("do", "save"),
                ("revision", NOWHERE),
                ("url", "https://hooks.example.org/mine"),
            ],
        ),
        (
            of_form(&format!("/webhooks/{webhook}/delete")),
            vec![("do", "delete")],
        ),
        (
            "/console/groups".to_owned(),
            vec![("do", "create"), ("name", "Mine")],
        ),
        (
            format!("/console/groups/{group}"),
            vec![("do", "add"), ("userIdentifier", "eve")],
        ),
        (
            format!("/console/groups/{group}/delete"),
            vec![("do", "delete")],
        ),
        ("/console/tokens".to_owned(), vec![("do", row)]),
    ]
}

/// Nothing is done without the token of the page, for the session and the path, in a request of a page of this service.
#[tokio::test]
async fn forged_requests_change_nothing() {
    let (app, form) = with_form(json!({})).await;
    let alice = app.alice();
    let link = json!({"formIdentifier": form});
    let link = id(&alice.post(FORM_LINKS, link).await.expect(201));
    let webhook = json!({"formIdentifier": form, "url": "https://hooks.example.org/"});
    let webhook = id(&alice.post(WEBHOOKS, webhook).await.expect(201));
    let group = app.group("Committee").await;
    let mut alice_on_pages = Reader::signed_in(&app, "alice").await;
    let mut admin = Reader::signed_in(&app, "admin").await;
    let tokens = alice_on_pages.open("/console/tokens").await;
    let row = tokens
        .all("button[value^='revoke:']")
        .first()
        .map(|row| row.attr("value").unwrap().to_owned());
    let everything = async || {
        let mut all = Vec::new();
        for path in [
            at(FORMS, &form),
            format!("{FORM_LINKS}?formIdentifier={form}"),
            at(WEBHOOKS, &webhook),
            GRANTS.to_owned(),
            GROUPS.to_owned(),
            FORMS.to_owned(),
        ] {
            all.push(alice.get(&path).await.expect(200));
        }
        all
    };
    let before = everything().await;
    for (path, fields) in forgeries(&form, [&link, &webhook, &group, row.as_deref().unwrap()]) {
        let page = alice_on_pages.open(&path).await;
        let own = page.value("token").unwrap();
        let of_another = admin.open("/console/tokens").await.value("token").unwrap();
        let of_another_page = alice_on_pages.open("/console/groups").await;
        let of_another_page = of_another_page.value("token").unwrap();
        let cross_site: &[(&'static str, &str)] = &[("sec-fetch-site", "cross-site")];
        for (token, headers) in [
            (None, &[][..]),
            (Some(&of_another), &[]),
            (
                Some(&of_another_page).filter(|_| path != "/console/groups"),
                &[],
            ),
            (Some(&own), cross_site),
        ] {
            let token = token.map(|token| ("token", token.as_str()));
            let sent = fields.iter().copied().chain(token);
            let sent: Vec<_> = sent
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect();
            let refused = alice_on_pages
                .ask(Method::POST, &path, Some(&sent), headers)
                .await;
            assert_eq!(refused.status(), 403, "{path}: {}", refused.answer);
        }
    }
    assert_eq!(everything().await, before);
}
