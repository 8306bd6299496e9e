//! Pages of collections, which are sent while they are read.

use std::sync::Arc;

use formalize_core::{Caller, NewSubmission, Store, SubmissionId};
use formalize_tests::failing::Failure;
use formalize_tests::on_every_store;
use futures_util::StreamExt as _;
use poem::http::Method;
use serde_json::{Value, json};

use super::support::{get, members, open_form, refused, success};
use crate::support::{App, FORMS, NOWHERE, SUBMISSIONS, id, query};

on_every_store![
    pages_have_links,
    a_page_is_one_answer_however_large_it_is,
    rows_that_stay_are_sent_once,
    a_list_that_cannot_be_read_to_its_end_breaks_off,
];

/// Creates drafts of the system in a form, so many.
async fn fill(app: &App, form: &str, number: usize) -> Vec<SubmissionId> {
    let submissions = app.formalize.submissions();
    let mut ids = Vec::new();
    for at in 0..number {
        let new = NewSubmission::new(form.parse().unwrap(), format!("{{\"n\":{at}}}"));
        let created = submissions.create(&Caller::System, new).await.unwrap();
        ids.push(created.item.id);
    }
    ids
}

fn list(form: &str, parameters: &[(&str, &str)]) -> String {
    let form = [("formIdentifier", form)];
    query(SUBMISSIONS, &[&form, parameters].concat())
}

async fn pages_have_links(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = open_form(&app, json!({})).await;
    fill(&app, &form, 7).await;
    let path =
        |page: u32| format!("{SUBMISSIONS}?formIdentifier={form}&x=%20&perPage=3&page={page}");
    for (page, number, previous, next) in [
        (1, 3, false, true),
        (2, 3, true, true),
        (3, 1, true, false),
        (4, 0, true, false),
        (4_000_000_000, 0, true, false),
    ] {
        let sent = format!("{SUBMISSIONS}?formIdentifier={form}&page={page}&x=%20&perPage=3");
        let answer = get(app.alice(), &sent).await;
        assert_eq!(members(&answer).len(), number, "{page}");
        let collection = success(&answer, 200);
        assert_eq!(collection["@id"], SUBMISSIONS);
        let view = &collection["hydra:view"];
        let mut expected = json!({ "@id": path(page), "@type": "hydra:PartialCollectionView" });
        if previous {
            expected["hydra:previous"] = json!(path(page - 1));
        }
        if next {
            expected["hydra:next"] = json!(path(page + 1));
        }
        assert_eq!(*view, expected);
        // The links lead to the same page.
        let again = get(app.alice(), view["@id"].as_str().unwrap()).await;
        assert_eq!(again.body, answer.body);
    }
    let exact = get(app.alice(), &list(&form, &[("perPage", "7")])).await;
    assert!(
        success(&exact, 200)["hydra:view"]
            .get("hydra:next")
            .is_none()
    );
    for (name, value) in [
        ("page", "0"),
        ("page", "x"),
        ("perPage", "0"),
        ("perPage", "-1"),
        ("perPage", ""),
    ] {
        let answer = get(app.alice(), &list(&form, &[(name, value)])).await;
        refused(&answer, 400, "formalize:invalid-parameter", json!([name]));
    }
    let answer = get(app.alice(), SUBMISSIONS).await;
    refused(
        &answer,
        400,
        "formalize:required-parameter-missing",
        json!(["formIdentifier"]),
    );
    for form in ["x", NOWHERE] {
        let answer = get(app.alice(), &list(form, &[])).await;
        refused(
            &answer,
            404,
            "formalize:form-with-id-not-found",
            json!([form]),
        );
    }
}

async fn a_page_is_one_answer_however_large_it_is(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = open_form(&app, json!({})).await;
    let ids = fill(&app, &form, 1203).await;
    let expected: Vec<String> = ids.iter().map(ToString::to_string).collect();
    for (size, page, from, to) in [
        ("9999", "1", 0, 1203),
        ("100000", "1", 0, 1203),
        ("1203", "1", 0, 1203),
        ("500", "2", 500, 1000),
        ("601", "2", 601, 1202),
        ("1000", "2", 1000, 1203),
    ] {
        let answer = get(
            app.alice(),
            &list(&form, &[("perPage", size), ("page", page)]),
        )
        .await;
        let found: Vec<String> = members(&answer).iter().map(id).collect();
        assert!(found == expected[from..to], "{size} {page}");
        let next = &success(&answer, 200)["hydra:view"];
        assert_eq!(next.get("hydra:next").is_some(), to < 1203, "{size} {page}");
    }
}

async fn rows_that_stay_are_sent_once(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = open_form(&app, json!({})).await;
    let ids = fill(&app, &form, 1100).await;
    let path = list(&form, &[("perPage", "9999")]);
    let request = app.alice().at_relay().request(Method::GET, &path);
    let response = request.begin().await;
    assert_eq!(response.status().as_u16(), 200);
    let mut pieces = response.into_body().into_bytes_stream();
    let mut text = pieces.next().await.unwrap().unwrap().to_vec();
    // The first batch was read. A row of the next one is deleted, and one is added.
    let submissions = app.formalize.submissions();
    submissions.delete(&Caller::System, ids[700]).await.unwrap();
    let added = fill(&app, &form, 1).await;
    while let Some(piece) = pieces.next().await {
        text.extend_from_slice(&piece.unwrap());
    }
    let collection: Value = serde_json::from_slice(&text).unwrap();
    let rows = collection["hydra:member"].as_array().unwrap();
    let found: Vec<String> = rows.iter().map(id).collect();
    let expected: Vec<String> = ids
        .iter()
        .chain(&added)
        .filter(|id| **id != ids[700])
        .map(ToString::to_string)
        .collect();
    assert!(found == expected);
}

async fn a_list_that_cannot_be_read_to_its_end_breaks_off(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = open_form(&app, json!({})).await;
    fill(&app, &form, 600).await;
    let path = list(&form, &[("perPage", "9999")]);
    let request = app.alice().at_relay().request(Method::GET, &path);
    let response = request.begin().await;
    let mut pieces = response.into_body().into_bytes_stream();
    assert!(pieces.next().await.unwrap().is_ok());
    app.store.fail_at("submissions", Failure::Failed);
    assert!(pieces.next().await.unwrap().is_err());
    app.store.recover();
    app.store.fail_at("submissions", Failure::Failed);
    let answer = get(app.alice(), &path).await;
    refused(
        &answer,
        500,
        "formalize:getting-submission-collection-failed",
        json!({}),
    );
}

#[tokio::test]
async fn a_head_reads_one_row() {
    let app = App::new().await;
    // Two of these are more than a small page has, so that the whole page takes another call.
    let schema = json!({ "$comment": "x".repeat(40_000) }).to_string();
    for _ in 0..2 {
        let form = id(&app.form(json!({ "dataFeedSchema": schema })).await);
        let bob = json!({ "userIdentifier": "bob" });
        app.share_form(&form, "read", bob).await;
    }
    // The token is known from now on.
    success(&get(app.bob(), FORMS).await, 200);
    let calls = async |method| {
        let before = app.store.calls();
        let request = app.bob().at_relay().request(method, FORMS);
        assert_eq!(request.send().await.status.as_u16(), 200);
        app.store.calls() - before
    };
    let of_page = calls(Method::GET).await;
    assert!(calls(Method::HEAD).await < of_page);
}
