//! A page shows what the interface would give, and nothing more.

use std::sync::Arc;

use formalize_core::Store;
use formalize_pages::PageSetup;
use formalize_tests::on_every_store;
use serde_json::{Value, json};

use super::Reader;
use crate::support::{App, NOWHERE, SUBMISSIONS, at, draft, id, submission};

on_every_store! {
    pages_give_what_the_interface_gives,
}

const SCHEMA: &str =
    r#"{"properties": {"secret": {"type": "string", "title": "Word that few may read"}}}"#;

/// What somebody could do on pages.
#[derive(Default)]
struct Seen {
    read: usize,
    changed: usize,
    deleted: usize,
    refused: usize,
}

/// For every kind of form, everybody and every submission: the page of a submission, its buttons, and the page of the form.
async fn pages_give_what_the_interface_gives(store: Arc<dyn Store>) {
    let app = App::on_store(store).await.with_pages(PageSetup::default());
    let mut seen = Seen::default();
    for (actions, grant_based) in [
        (json!([]), false),
        (json!(["read"]), false),
        (json!(["read", "update"]), false),
        (json!(["manage"]), false),
        (json!([]), true),
    ] {
        let members = json!({
            "dataFeedSchema": SCHEMA,
            "allowedSubmissionStates": ["draft", "submitted"],
            "allowedActionsWhenSubmitted": actions,
            "grantBasedSubmissionAuthorization": grant_based,
        });
        let form = id(&app.form(members).await);
        for (action, user) in [("create_submissions", "bob"), ("read_submissions", "carol")] {
            let holder = json!({ "userIdentifier": user });
            app.share_form(&form, action, holder).await;
        }
        let data = r#"{"secret": "open sesame"}"#;
        let bob = app.bob();
        let sent = bob
            .post(SUBMISSIONS, submission(&form, data))
            .await
            .expect(201);
        let saved = bob.post(SUBMISSIONS, draft(&form, data)).await.expect(201);
        for user in ["alice", "bob", "carol", "admin", "root", "nobody"] {
            let token = app.token(user, json!({}), None).await;
            let mut reader = Reader::signed_in(&app, user).await;
            for submission in [&id(&sent), &id(&saved), NOWHERE, "x"] {
                compare_submission(&app, &token, &mut reader, submission, &mut seen).await;
            }
            compare_form(&app, &token, &mut reader, &form).await;
        }
    }
    let Seen {
        read,
        changed,
        deleted,
        refused,
    } = seen;
    assert!(
        read > 20 && changed > 5 && deleted > 5 && refused > 20,
        "{read} {changed} {deleted} {refused}"
    );
}

async fn compare_submission(
    app: &App,
    token: &str,
    reader: &mut Reader<'_>,
    submission: &str,
    seen: &mut Seen,
) {
    let shown = app
        .with_token(token)
        .get(&at(SUBMISSIONS, submission))
        .await;
    let page = reader.open(&format!("/s/{submission}")).await;
    let delete = reader.open(&format!("/s/{submission}/delete")).await;
    let context = page.answer.to_string();
    assert_eq!(page.status(), shown.status.as_u16(), "{context}");
    let text = String::from_utf8_lossy(&page.answer.body);
    assert_eq!(
        text.contains("open sesame"),
        page.status() == 200,
        "{context}"
    );
    if page.status() != 200 {
        assert!(!text.contains("Word that few may read") && !text.contains("Newsletter"));
        assert_eq!(delete.status(), page.status(), "{context}");
        seen.refused += 1;
        return;
    }
    let item: Value = shown.expect(200);
    let may = |action: &str| {
        let mut granted = item["grantedActions"].as_array().unwrap().iter();
        granted.any(|granted| granted == action || granted == "manage")
    };
    assert_eq!(page.has("main form"), may("update"), "{context}");
    let has_delete = page.links().iter().any(|link| link.ends_with("/delete"));
    assert_eq!(has_delete, may("delete"), "{context}");
    assert_eq!(delete.status() == 200, may("delete"), "{context}");
    seen.read += 1;
    seen.changed += usize::from(may("update"));
    seen.deleted += usize::from(may("delete"));
}

async fn compare_form(app: &App, token: &str, reader: &mut Reader<'_>, form: &str) {
    let actor = app.with_token(token);
    let page = reader.open(&format!("/f/{form}")).await;
    let made = actor.post(SUBMISSIONS, submission(form, "{}")).await;
    let status = match made.status.as_u16() {
        201 => 200,
        refused => refused,
    };
    assert_eq!(page.status(), status, "{}", page.answer);
    let overview = reader.open("/console").await;
    let is_listed = overview.links().contains(&format!("/f/{form}"));
    assert_eq!(is_listed, status == 200, "{}", overview.answer);
}

/// Whoever may read a submission but not the questions of its form sees the data as the interface returns it.
#[tokio::test]
async fn without_permission_for_the_questions_the_data_is_json() {
    let app = App::new().await.with_pages(PageSetup::default());
    let form = app.form(json!({"dataFeedSchema": SCHEMA})).await;
    let form = id(&form);
    app.share_form(
        &form,
        "read_submissions",
        json!({"userIdentifier": "carol"}),
    )
    .await;
    let data = r#"{"secret": "open sesame"}"#;
    let sent = app
        .alice()
        .post(SUBMISSIONS, submission(&form, data))
        .await
        .expect(201);
    let mut carol = Reader::signed_in(&app, "carol").await;
    let page = carol.open(&format!("/s/{}", id(&sent))).await;
    assert_eq!(page.texts("h1"), ["Answers"]);
    assert_eq!(page.texts("main .value"), [data]);
}
