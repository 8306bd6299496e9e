//! The fields of submissions that are sent as forms, in any order.

use std::sync::Arc;

use formalize_core::{Store, file_store::FileStoreError};
use formalize_http::middleware::UploadLimits;
use formalize_tests::failing::Failure;
use formalize_tests::{FILE_CAUSE, FileStep, on_every_store};
use poem::http::Method;
use serde_json::{Value, json};

use super::support::{
    Field::{self, File, Text},
    change, form_path, get, item, open_form, refused, submit,
};
use crate::support::{App, NOWHERE, RELAY_BASE, SUBMISSIONS, at, id};

on_every_store![
    the_form_is_found_by_its_path,
    a_state_is_a_number,
    an_absent_state_is_kept,
    data_are_kept_unless_they_are_sent,
    unknown_fields_are_ignored,
    a_part_that_is_at_fault_is_named,
    tags_are_an_array_in_a_text,
    files_may_come_before_the_form,
    strangers_store_nothing_before_the_form,
    nothing_of_a_refused_request_stays,
    files_match_the_rules_of_the_form,
    submissions_are_stored_although_a_connection_was_lost,
];

const DRAFT: Field<'_> = Text("submissionState", "1");

/// The client sends all submissions as forms, so that few at a time would be a limit of submissions.
#[tokio::test]
async fn small_submissions_take_no_place() {
    let app = App::new().await;
    let form = form_path(&form_with_file(&app).await);
    let app = app.uploading_at_relay(UploadLimits {
        at_once: 0,
        ..UploadLimits::default()
    });
    let new = |more: Field<'static>| [Text("form", &form), DRAFT, more];
    let created = submit(app.bob(), &new(Text("dataFeedElement", "{}"))).await;
    let draft = id(&item(&created, 201));
    let changed = change(app.bob(), &draft, &[Text("dataFeedElement", "{}"), DRAFT]).await;
    item(&changed, 200);
    let small = File("f", "f.txt", "text/plain", b"x");
    item(&submit(app.bob(), &new(small)).await, 201);
    item(&change(app.bob(), &draft, &[DRAFT, small]).await, 200);
    let content = vec![b'x'; 256 << 10];
    let text = format!("\"{}\"", "x".repeat(256 << 10));
    let text = [Text("form", &form), DRAFT, Text("dataFeedElement", &text)];
    let large = File("f", "f.txt", "text/plain", &content);
    for refused in [
        submit(app.bob(), &[Text("form", &form), DRAFT, large]).await,
        submit(app.bob(), &text).await,
        change(app.bob(), &draft, &[DRAFT, large]).await,
    ] {
        assert_eq!(refused.status.as_u16(), 429, "{refused}");
        assert_eq!(refused.header("retry-after"), Some("5"));
    }
}

async fn the_form_is_found_by_its_path(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = open_form(&app, json!({})).await;
    let path = form_path(&form);
    let url = format!("{RELAY_BASE}{path}");
    for sent in [&path, &url] {
        let created = item(&submit(app.bob(), &[Text("form", sent), DRAFT]).await, 201);
        assert_eq!(created["form"], path);
    }
    let answer = submit(app.bob(), &[DRAFT]).await;
    refused(
        &answer,
        422,
        "formalize:required-field-missing",
        json!(["form"]),
    );
    let other = format!("https://other.example.org{path}");
    for sent in ["", "x", &form, &other, "/formalize/forms/x"] {
        let answer = submit(app.bob(), &[Text("form", sent), DRAFT]).await;
        refused(
            &answer,
            404,
            "formalize:form-with-id-not-found",
            json!([sent]),
        );
    }
    let nowhere = form_path(NOWHERE);
    let answer = submit(app.bob(), &[DRAFT, Text("form", &nowhere)]).await;
    refused(
        &answer,
        404,
        "formalize:form-with-id-not-found",
        json!([NOWHERE]),
    );
    let created = item(&submit(app.bob(), &[Text("form", &path), DRAFT]).await, 201);
    let changed = item(
        &change(app.bob(), &id(&created), &[Text("form", "x")]).await,
        200,
    );
    assert_eq!(changed["form"], path);
}

async fn a_state_is_a_number(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = open_form(&app, json!({})).await;
    let path = form_path(&form);
    for sent in ["0", "2", "5", "4.0", "draft", " 4", ""] {
        let fields = [Text("form", &path), Text("submissionState", sent)];
        let answer = submit(app.bob(), &fields).await;
        refused(
            &answer,
            400,
            "formalize:submission-state-not-allowed",
            json!([sent]),
        );
    }
    let created = item(&submit(app.bob(), &[Text("form", &path), DRAFT]).await, 201);
    let identifier = id(&created);
    let answer = change(app.bob(), &identifier, &[Text("submissionState", "3")]).await;
    refused(
        &answer,
        400,
        "formalize:submission-state-not-allowed",
        json!(["3"]),
    );
    let changed = item(
        &change(app.bob(), &identifier, &[Text("submissionState", "4")]).await,
        200,
    );
    assert_eq!(changed["submissionState"], 4);
    refused(
        &change(app.bob(), &identifier, &[DRAFT]).await,
        403,
        "",
        json!({}),
    );
    let no_drafts = app.open_form(json!({})).await;
    let answer = submit(app.bob(), &[Text("form", &form_path(&no_drafts)), DRAFT]).await;
    refused(
        &answer,
        400,
        "formalize:submission-state-not-allowed",
        json!(["1"]),
    );
}

async fn an_absent_state_is_kept(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = open_form(&app, json!({})).await;
    let path = form_path(&form);
    for (sent, state) in [("1", 1), ("4", 4)] {
        let fields = [Text("submissionState", sent), Text("form", &path)];
        let created = item(&submit(app.bob(), &fields).await, 201);
        let fields = [Text("dataFeedElement", "[1]"), Text("unknown", "x")];
        let changed = item(&change(app.bob(), &id(&created), &fields).await, 200);
        assert_eq!(changed["submissionState"], state);
        assert_eq!(changed["dataFeedElement"], "[1]");
    }
    let created = item(&submit(app.bob(), &[Text("form", &path)]).await, 201);
    assert_eq!(created["submissionState"], 4);
}

async fn data_are_kept_unless_they_are_sent(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let schema = json!({ "type": "object", "properties": { "a": { "type": "integer" } }, "required": ["a"] });
    let form = open_form(&app, schema).await;
    let path = form_path(&form);
    let fields = [
        Text("dataFeedElement", "{\"a\":1}"),
        DRAFT,
        Text("form", &path),
    ];
    let created = item(&submit(app.bob(), &fields).await, 201);
    let kept = item(&change(app.bob(), &id(&created), &[DRAFT]).await, 200);
    assert_eq!(kept["dataFeedElement"], "{\"a\":1}");
    let invalid = [
        Text("dataFeedElement", "{\"a\":\"x\"}"),
        Text("submissionState", "4"),
    ];
    let answer = change(app.bob(), &id(&created), &invalid).await;
    let details = json!({ "/a": ["must be an integer"] });
    let problem: Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(
        problem["relay:errorDetails"].as_object().unwrap().len(),
        details.as_object().unwrap().len()
    );
    assert!(problem["relay:errorDetails"]["/a"].is_array(), "{answer}");
    // The client escapes slashes twice.
    assert_eq!(problem["detail"], "a: must be an integer");
    assert_eq!(
        problem["relay:errorId"],
        "formalize:submission-data-feed-invalid-schema"
    );
    let answer = submit(app.bob(), &[Text("form", &path)]).await;
    let problem: Value = serde_json::from_slice(&answer.body).unwrap();
    assert!(problem["relay:errorDetails"]["/"].is_array(), "{answer}");
    for text in ["{", "", "{\"a\":1}}"] {
        let fields = [Text("form", &path), Text("dataFeedElement", text), DRAFT];
        let answer = submit(app.bob(), &fields).await;
        refused(&answer, 400, "formalize:submission-invalid-json", json!({}));
    }
    let long = format!("\"{}\"", "x".repeat(1 << 20));
    let fields = [Text("form", &path), Text("dataFeedElement", &long), DRAFT];
    refused(
        &submit(app.bob(), &fields).await,
        413,
        "formalize:payload-too-large",
        json!({}),
    );
    let long = "x".repeat(257 << 10);
    let answer = submit(app.bob(), &[Text("form", &long), DRAFT]).await;
    refused(&answer, 413, "formalize:payload-too-large", json!({}));
}

async fn unknown_fields_are_ignored(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = open_form(&app, json!({})).await;
    let path = form_path(&form);
    let large = "x".repeat(120 << 10);
    let extra = [Text("extra", &large), Text("submittedFiles[x]", &large)];
    let fields = [&[Text("form", &path), DRAFT][..], &extra].concat();
    let created = item(&submit(app.bob(), &fields).await, 201);
    item(&change(app.bob(), &id(&created), &extra[..1]).await, 200);
    // They count like the others.
    for fields in [
        [fields.clone(), vec![Text("more", &large)]].concat(),
        [vec![Text("more", &large)], fields].concat(),
    ] {
        let answer = submit(app.bob(), &fields).await;
        refused(&answer, 413, "formalize:payload-too-large", json!({}));
    }
}

async fn a_part_that_is_at_fault_is_named(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form_path(&open_form(&app, json!({})).await);
    let named = "Content-Disposition: form-data; name=";
    for (head, name) in [
        (
            format!("{named}\"tags\"\r\nContent-Transfer-Encoding: base64").into_bytes(),
            "tags",
        ),
        (
            format!("{named}\"tags\"\r\nContent-Type: multipart/mixed; boundary=y").into_bytes(),
            "tags",
        ),
        ([named.as_bytes(), b"\"ta\xffgs\""].concat(), "ta\u{fffd}gs"),
        (
            [named.as_bytes(), b"\"cv\"; filename=\"\xff.pdf\""].concat(),
            "cv",
        ),
    ] {
        let first = format!("--x\r\n{named}\"form\"\r\n\r\n{form}\r\n--x\r\n");
        let body = [first.as_bytes(), &head, b"\r\n\r\n[]\r\n--x--\r\n"].concat();
        let request = app.bob().at_relay().request(Method::POST, SUBMISSIONS);
        let request = request.header("content-type", "multipart/form-data; boundary=x");
        let answer = request.body(body).send().await;
        refused(
            &answer,
            400,
            "formalize:invalid-request-body",
            json!([name]),
        );
    }
}

async fn tags_are_an_array_in_a_text(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = open_form(&app, json!({})).await;
    let path = form_path(&form);
    for text in ["[]", "null"] {
        let fields = [Text("form", &path), DRAFT, Text("tags", text)];
        let created = item(&submit(app.bob(), &fields).await, 201);
        assert_eq!(created["tags"], json!([]));
        item(
            &change(app.bob(), &id(&created), &[Text("tags", text)]).await,
            200,
        );
    }
    for text in ["", "x", "{}", "[1]", "[", "\"a\""] {
        let fields = [Text("form", &path), DRAFT, Text("tags", text)];
        refused(
            &submit(app.bob(), &fields).await,
            422,
            "formalize:invalid_json",
            json!({}),
        );
    }
}

/// A form whose submitted submissions have one PDF.
async fn form_with_file(app: &App) -> String {
    let rule = json!({ "allowedMimeTypes": ["application/pdf"] });
    open_form(app, json!({ "files": { "cv": rule } })).await
}

const PDF: &[u8] = b"%PDF-1.7 a document";

async fn files_may_come_before_the_form(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form_with_file(&app).await;
    let path = form_path(&form);
    let file = File("cv", "a.pdf", "application/pdf", PDF);
    let (named, data, state) = (
        Text("form", &path),
        Text("dataFeedElement", "{}"),
        Text("submissionState", "4"),
    );
    for fields in [
        [named, data, state, file],
        [file, named, data, state],
        [state, data, file, named],
        [data, file, named, state],
    ] {
        let created = item(&submit(app.bob(), &fields).await, 201);
        assert_eq!(created["submittedFiles"][0]["fileName"], "a.pdf");
        assert_eq!(created["submissionState"], 4);
    }
}

async fn nothing_of_a_refused_request_stays(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form_with_file(&app).await;
    let path = form_path(&form);
    let file = File("cv", "a.pdf", "application/pdf", PDF);
    refused(
        &submit(app.bob(), &[file]).await,
        422,
        "formalize:required-field-missing",
        json!(["form"]),
    );
    let answer = submit(
        app.bob(),
        &[file, Text("form", &path), Text("dataFeedElement", "{")],
    )
    .await;
    refused(&answer, 400, "formalize:submission-invalid-json", json!({}));
    let answer = submit(app.bob(), &[file, Text("form", "x")]).await;
    refused(
        &answer,
        404,
        "formalize:form-with-id-not-found",
        json!(["x"]),
    );
    let twice = [file, Text("form", &path), Text("form", &path)];
    refused(
        &submit(app.bob(), &twice).await,
        400,
        "formalize:invalid-request-body",
        json!(["form"]),
    );
    let long = "a".repeat(256);
    let named = [
        Text("form", &path),
        File("cv", &long, "application/pdf", PDF),
    ];
    let answer = submit(app.bob(), &named).await;
    refused(
        &answer,
        400,
        "formalize:submitted-file-invalid",
        json!(["fileName"]),
    );
    app.travel("2026-11-21T09:00:00.000Z");
    app.formalize.files().sweep().await.unwrap();
    assert_eq!(app.formalize.files().unused().await.unwrap(), []);
    let list = get(app.alice(), &format!("{SUBMISSIONS}?formIdentifier={form}")).await;
    assert_eq!(super::support::members(&list), [] as [Value; 0]);
    let body = b"--x\r\nContent-Disposition: form-data; name=\"form\"\r\n\r\nabc";
    let request = app.bob().at_relay().request(Method::POST, SUBMISSIONS);
    let request = request.header("content-type", "multipart/form-data; boundary=x");
    refused(
        &request.body(&body[..]).send().await,
        400,
        "formalize:invalid-request-body",
        json!({}),
    );
}

async fn files_match_the_rules_of_the_form(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form_with_file(&app).await;
    let path = form_path(&form);
    let broken = "formalize:submission-submitted-files-invalid-schema";
    let (named, data) = (Text("form", &path), Text("dataFeedElement", "{}"));
    refused(
        &submit(app.bob(), &[named, data]).await,
        400,
        broken,
        json!(["cv"]),
    );
    let text = File("cv", "a.txt", "text/plain", b"text");
    let last = [named, data, Text("submissionState", "4"), text];
    let first = [text, named, data, Text("submissionState", "4")];
    for fields in [first, last] {
        let answer = submit(app.bob(), &fields).await;
        refused(&answer, 400, broken, json!(["cv", "text/plain"]));
    }
    let created = item(&submit(app.bob(), &[named, data, DRAFT, text]).await, 201);
    let identifier = id(&created);
    let answer = change(app.bob(), &identifier, &[Text("submissionState", "4")]).await;
    refused(&answer, 400, broken, json!(["cv", "text/plain"]));
    let remove = format!("submittedFiles[{}]", id(&created["submittedFiles"][0]));
    let replaced = [
        File("cv", "a.pdf", "application/pdf", PDF),
        Text(&remove, "null"),
        Text("submissionState", "4"),
    ];
    let changed = item(&change(app.bob(), &identifier, &replaced).await, 200);
    assert_eq!(changed["submittedFiles"].as_array().unwrap().len(), 1);
    assert_eq!(changed["submissionState"], 4);
    assert_eq!(
        item(&get(app.bob(), &at(SUBMISSIONS, &identifier)).await, 200),
        changed
    );
}

/// The connection to the database is lost while a submission is being created or changed.
async fn submissions_are_stored_although_a_connection_was_lost(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form_path(&form_with_file(&app).await);
    let data = Text("dataFeedElement", "{}");
    let file = File("f", "f.txt", "text/plain", b"x");
    for (sent, steps) in [
        (vec![DRAFT, data], ["read", "write", "commit"]),
        (
            vec![DRAFT, data, file],
            ["insert_file", "change_files", "commit"],
        ),
    ] {
        for step in steps {
            app.store.fail_at(step, Failure::DisconnectedOnce);
            let fields = [vec![Text("form", &form)], sent.clone()].concat();
            let made = id(&item(&submit(app.bob(), &fields).await, 201));
            assert!(!app.store.is_failing(), "{step}");

            app.store.fail_at(step, Failure::DisconnectedOnce);
            item(&change(app.bob(), &made, &sent).await, 200);
            assert!(!app.store.is_failing(), "{step}");
        }
    }
}

/// Who may submit to no form cannot fill the disk with files that precede the form.
async fn strangers_store_nothing_before_the_form(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let members = json!({"allowedSubmissionStates": ["draft"]});
    let form = id(&app.form(members).await);
    let holder = json!({"userIdentifier": "bob"});
    app.share_form(&form, "create_submissions", holder).await;
    let form = form_path(&form);
    let file = File("f", "f.txt", "text/plain", b"x");
    let sent = [file, Text("form", &form), DRAFT];
    app.files.fail_at(
        FileStep::PutBegins,
        FileStoreError::Full(FILE_CAUSE.to_owned()),
    );
    let token = app.token("stranger", json!({}), None).await;
    let answer = submit(app.with_token(&token), &sent).await;
    refused(&answer, 403, "", json!({}));
    // Somebody who may submit is asked nothing more, and finds the disk full.
    let answer = submit(app.bob(), &sent).await;
    assert_eq!(answer.status.as_u16(), 507, "{answer}");
    app.files.recover();
    item(&submit(app.bob(), &sent).await, 201);
}
