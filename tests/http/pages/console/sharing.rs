//! Grants on the collection of the submissions of a form, on the page about sharing.

use poem::http::Method;
use serde_json::{Value, json};

use super::{Page, Reader, tabs, with_form};
use crate::support::{App, COLLECTION_CLASS, GRANTS, grant, id, items, query};

/// Grants actions on the submissions of a form.
async fn share_answers(app: &App, form: &str, holder: Value, actions: &[&str]) {
    for action in actions {
        let new = grant(action, COLLECTION_CLASS, Some(form), holder.clone());
        app.alice().post(GRANTS, new).await.expect(201);
    }
}

/// The names and permissions of each row.
fn rows(page: &Page) -> Vec<(String, Vec<String>)> {
    let rows = page.all(".rows li:has(.name)").into_iter();
    let texts = |row: scraper::ElementRef<'_>, selector| -> Vec<String> {
        let selector = scraper::Selector::parse(selector).unwrap();
        let found = row.select(&selector);
        found.map(|element| element.text().collect()).collect()
    };
    rows.map(|row| (texts(row, ".name").concat(), texts(row, ".badge")))
        .collect()
}

fn row(name: &str, rights: &[&str]) -> (String, Vec<String>) {
    let rights = rights.iter().map(|right| (*right).to_owned());
    (name.to_owned(), rights.collect())
}

#[tokio::test]
async fn grants_on_the_answers_are_shown_and_removed() {
    let (app, form) = with_form(json!({})).await;
    let group = app.group("Committee").await;
    let everything = ["create_submissions", "read", "update", "delete"];
    share_answers(&app, &form, json!({"userIdentifier": "bob"}), &everything).await;
    let committee = json!({ "groupIdentifier": group });
    share_answers(&app, &form, committee, &["manage"]).await;
    let path = format!("/console/forms/{form}/sharing");
    let mut alice = Reader::signed_in(&app, "alice").await;
    let page = alice.open(&path).await;
    let words = [
        "Send answers",
        "Delete answers",
        "Read answers",
        "Change answers",
    ];
    let expected = [
        row("alice", &["Manages"]),
        row("bob", &words),
        row("Committee", &["Manages the answers"]),
    ];
    assert_eq!(rows(&page), expected, "{}", page.answer);
    assert_eq!(
        page.texts("#on-answers"),
        ["Permissions on the answers only"]
    );
    let mut german = Reader::signed_in(&app, "alice").await.speaking("de");
    let titles = german.open(&path).await.texts("#on-answers");
    assert_eq!(titles, ["Berechtigungen nur für die Antworten"]);

    // Every button takes back the grant that it stands beside, even the last one of managing.
    let of_answers = [
        ("resourceClass", COLLECTION_CLASS),
        ("resourceIdentifier", &form),
    ];
    let of_answers = query(GRANTS, &of_answers);
    for left in (0..5).rev() {
        let page = alice.open(&path).await;
        let button = page.all("section[aria-labelledby='on-answers'] button")[0];
        let button = button.attr("value").unwrap().to_owned();
        let taken = alice.press_one(&page, &button, &[]).await;
        assert_eq!(taken.leads_to(), path);
        let grants = app.alice().get(&of_answers).await.expect(200);
        assert_eq!(items(&grants).len(), left);
    }
    let page = alice.open(&path).await;
    assert_eq!(rows(&page), [row("alice", &["Manages"])]);
    assert!(!page.has("#on-answers"), "{}", page.answer);
    // The last one of managing the form stays, so there is no button to remove it.
    assert!(!page.has("main .rows button"), "{}", page.answer);
    let button = "access:manage:user:alice";
    let forged = [
        ("token".to_owned(), page.value("token").unwrap()),
        ("do".to_owned(), button.to_owned()),
    ];
    let refused = alice.ask(Method::POST, &path, Some(&forged), &[]).await;
    assert_eq!(refused.status(), 422);
    assert_eq!(rows(&refused), [row("alice", &["Manages"])]);
    app.share_form(&form, "manage", json!({"userIdentifier": "bob"}))
        .await;
    let page = alice.open(&path).await;
    assert_eq!(page.all("button[value*=':manage:']").len(), 2);
    alice.press_one(&page, button, &[]).await.leads_to();
}

/// Links and webhooks of somebody who manages a form no longer stay, unless the box is ticked.
#[tokio::test]
async fn what_a_manager_has_created_can_end_with_the_permission() {
    let (app, form) = with_form(json!({})).await;
    let path = format!("/console/forms/{form}/sharing");
    let links = query("/formalize/form-links", &[("formIdentifier", &form)]);
    let hooks = query("/formalize/webhooks", &[("formIdentifier", &form)]);
    let number = async |list: &str| items(&app.alice().get(list).await.expect(200)).len();
    let mut alice = Reader::signed_in(&app, "alice").await;
    let manager = json!({"userIdentifier": "bob"});
    let create = async || {
        app.share_form(&form, "manage", manager.clone()).await;
        let new = json!({"formIdentifier": form});
        app.bob()
            .post("/formalize/form-links", new)
            .await
            .expect(201);
        let new = json!({
            "formIdentifier": form,
            "url": "https://example.org/hook",
            "eventTypes": ["form.updated"],
        });
        app.bob().post("/formalize/webhooks", new).await.expect(201);
    };
    let new = json!({"formIdentifier": form});
    app.alice()
        .post("/formalize/form-links", new)
        .await
        .expect(201);
    let button = "access:manage:user:bob";
    assert!(
        !alice.open(&path).await.has("input[name=end]"),
        "nobody could be dismissed"
    );
    create().await;
    let page = alice.open(&path).await;
    assert!(page.has("input[name=end]"), "{}", page.answer);
    alice.press_one(&page, button, &[]).await.leads_to();
    assert_eq!((number(&links).await, number(&hooks).await), (2, 1));
    create().await;
    let page = alice.open(&path).await;
    alice
        .press_one(&page, button, &[("end", &["true"])])
        .await
        .leads_to();
    assert_eq!((number(&links).await, number(&hooks).await), (1, 0));
    // The last manager stays, and so does the link.
    let forged = [
        ("token", page.value("token").unwrap()),
        ("do", "access:manage:user:alice".to_owned()),
        ("end", "true".to_owned()),
    ];
    let forged = forged.map(|(name, value)| (name.to_owned(), value));
    let refused = alice.ask(Method::POST, &path, Some(&forged), &[]).await;
    assert_eq!(refused.status(), 422);
    assert_eq!(number(&links).await, 1);
}

/// Whoever manages the answers but not the form shares the answers only.
#[tokio::test]
async fn managers_of_the_answers_see_their_grants_only() {
    let (app, form) = with_form(json!({})).await;
    share_answers(&app, &form, json!({"userIdentifier": "bob"}), &["manage"]).await;
    share_answers(&app, &form, json!({"userIdentifier": "carol"}), &["read"]).await;
    app.share_form(&form, "delete", json!({"userIdentifier": "carol"}))
        .await;
    let path = format!("/console/forms/{form}/sharing");
    let mut bob = Reader::signed_in(&app, "bob").await;
    let page = bob.open(&path).await;
    let expected = [
        row("bob", &["Manages the answers"]),
        row("carol", &["Read answers"]),
    ];
    assert_eq!(rows(&page), expected, "{}", page.answer);
    assert!(tabs(&page, &form).contains(&"/sharing".to_owned()));
    assert!(!page.has("button[value=share], #why, [name=right]"));
    let text = String::from_utf8_lossy(&page.answer.body);
    assert!(!text.contains("Newsletter"), "{text}");

    let mut carol = Reader::signed_in(&app, "carol").await;
    assert_eq!(carol.open(&path).await.status(), 403);
    let answers = carol
        .open(&format!("/console/forms/{form}/submissions"))
        .await;
    assert!(!tabs(&answers, &form).contains(&"/sharing".to_owned()));

    // He can take her permission, and then his own.
    for name in ["carol", "bob"] {
        let page = bob.open(&path).await;
        let label = format!("button[aria-label$='from {name}']");
        let button = page.all(&label)[0].attr("value").unwrap().to_owned();
        assert_eq!(bob.press_one(&page, &button, &[]).await.leads_to(), path);
    }
    assert_eq!(bob.open(&path).await.status(), 403);
}

/// A grant that is not the caller's to remove stays, whatever the button says.
#[tokio::test]
async fn foreign_grants_cannot_be_removed() {
    let (app, form) = with_form(json!({})).await;
    share_answers(&app, &form, json!({"userIdentifier": "bob"}), &["manage"]).await;
    let foreign = app
        .share_form(&form, "read", json!({"userIdentifier": "carol"}))
        .await;
    let path = format!("/console/forms/{form}/sharing");
    let mut bob = Reader::signed_in(&app, "bob").await;
    let page = bob.open(&path).await;
    let mut sent = page.sent();
    sent.push(("do".to_owned(), format!("grant:{}", id(&foreign))));
    let refused = bob.ask(Method::POST, &path, Some(&sent), &[]).await;
    assert_eq!(refused.status(), 403, "{}", refused.answer);
    let grant = format!("{GRANTS}/{}", id(&foreign));
    app.alice().get(&grant).await.expect(200);
}
