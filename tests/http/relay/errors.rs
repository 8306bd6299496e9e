//! Errors that no other test causes.

use formalize_tests::failing::Failure;
use serde_json::{Value, json};

use super::support::{
    Field::Text, delete, form_path, get, item, open_form, patch, refused, submit,
};
use crate::support::{App, FORMS, NOWHERE, SUBMISSIONS, at, id};

#[tokio::test]
async fn failures_of_the_server_have_the_identifiers_of_the_client() {
    let app = App::new().await;
    let form = open_form(&app, json!({})).await;
    let path = form_path(&form);
    let submission = id(&item(&submit(app.bob(), &[Text("form", &path)]).await, 201));
    app.store.fail_at("write", Failure::Failed);
    let answer = patch(app.alice(), &at(FORMS, &form), &json!({ "name": "x" })).await;
    refused(&answer, 500, "formalize:updating-form-failed", json!({}));
    let answer = delete(app.bob(), &at(SUBMISSIONS, &submission)).await;
    refused(&answer, 500, "formalize:submission-not-removed", json!({}));
    app.store.recover();
}

#[tokio::test]
async fn identifiers_that_match_nothing_are_named() {
    let app = App::new().await;
    for identifier in [NOWHERE, "x"] {
        for (path, error) in [
            (FORMS, "formalize:form-with-id-not-found"),
            (SUBMISSIONS, "formalize:submission-not-found"),
            (
                "/formalize/submitted-files",
                "formalize:submitted-file-not-found",
            ),
        ] {
            let answer = get(app.alice(), &at(path, identifier)).await;
            refused(&answer, 404, error, json!([identifier]));
        }
    }
}

#[tokio::test]
async fn caps_and_windows_are_those_of_the_rest_interface() {
    let app = App::new().await;
    let capped = app
        .open_form(json!({ "maxNumSubmissionsPerCreator": 1 }))
        .await;
    let path = form_path(&capped);
    item(&submit(app.bob(), &[Text("form", &path)]).await, 201);
    let answer = submit(app.bob(), &[Text("form", &path)]).await;
    refused(
        &answer,
        403,
        "formalize:max-num-form-submissions-per-creator-reached",
        json!({}),
    );
    let closed = app
        .open_form(json!({ "availabilityEnds": "2026-01-01" }))
        .await;
    let answer = submit(app.bob(), &[Text("form", &form_path(&closed))]).await;
    refused(
        &answer,
        400,
        "formalize:submission-form-currently-not-available",
        json!({}),
    );
    let body = json!({ "grantBasedSubmissionAuthorization": true });
    let answer = patch(app.alice(), &at(FORMS, &capped), &body).await;
    refused(
        &answer,
        409,
        "formalize:form-has-submissions",
        json!(["grantBasedSubmissionAuthorization"]),
    );
}

#[tokio::test]
async fn the_detail_counts_all_other_violations() {
    let app = App::new().await;
    let schema = json!({ "properties": { "a": { "items": { "type": "string" } } } });
    let form = form_path(&open_form(&app, schema).await);
    for (number, more) in [(1, ""), (2, "; and 1 more"), (100, "; and 99 more")] {
        let data = json!({ "a": vec![1; number] }).to_string();
        let fields = [Text("form", &form), Text("dataFeedElement", &data)];
        let refused = submit(app.bob(), &fields).await;
        let problem: Value = serde_json::from_slice(&refused.body).unwrap();
        let detail = format!("a.0: must be a string{more}");
        assert_eq!(problem["detail"], detail);
    }
}
