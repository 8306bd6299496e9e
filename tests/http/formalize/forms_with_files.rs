//! Submissions that are sent with their files, as `multipart/form-data`.

use std::sync::Arc;

use formalize_core::{Store, files::FileLimits};
use formalize_http::middleware::UploadLimits;
use formalize_tests::failing::Failure;
use formalize_tests::on_every_store;
use poem::http::Method;
use serde_json::{Value, json};

use crate::support::{
    Actor, Answer, App, NOWHERE, SUBMISSIONS, at, draft, each, files, id, items, query, submission,
};

on_every_store![
    a_submission_is_created_with_its_files,
    a_draft_is_submitted_with_its_files,
    files_are_replaced_in_one_request,
    nothing_is_left_of_a_refused_request,
    the_head_must_fit_the_body,
    what_is_known_before_the_body_is_judged_first,
    limits_of_requests_with_files_are_kept,
    forms_are_stored_although_a_connection_was_lost,
];

const PDF: &[u8] = b"%PDF-1.7 a document";

/// A part: its name, the name of its file, its type, and its content.
type Part<'a> = (&'a str, Option<&'a str>, Option<&'a str>, &'a [u8]);

/// The body with these parts.
fn body(parts: &[Part]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, file_name, content_type, content) in parts {
        let file_name = file_name.map(|it| format!("; filename=\"{it}\""));
        let content_type = content_type.map(|it| format!("\r\nContent-Type: {it}"));
        let (file_name, content_type) = (
            file_name.unwrap_or_default(),
            content_type.unwrap_or_default(),
        );
        let head = format!(
            "--x\r\nContent-Disposition: form-data; name=\"{name}\"{file_name}{content_type}\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--x--\r\n");
    body
}

async fn send_body(actor: Actor<'_>, method: Method, path: &str, body: Vec<u8>) -> Answer {
    let form_data = "multipart/form-data; boundary=x";
    let request = actor
        .request(method, path)
        .header("content-type", form_data);
    request.body(body).send().await
}

/// Sends a JSON document with these files.
async fn send(
    actor: Actor<'_>,
    method: Method,
    path: &str,
    json: &Value,
    sent: &[Part<'_>],
) -> Answer {
    let json = json.to_string();
    let first: Part = (
        "submission",
        None,
        Some("application/json"),
        json.as_bytes(),
    );
    let parts = [&[first], sent].concat();
    send_body(actor, method, path, body(&parts)).await
}

/// A form that asks for a CV, and allows photos.
async fn form(app: &App) -> String {
    let schema = json!({ "type": "object", "files": {
        "cv": { "allowedMimeTypes": ["application/pdf"] },
        "photos": { "minNumber": 0, "maxNumber": 3, "allowedMimeTypes": ["text/*"] },
    } });
    let members = json!({
        "allowedSubmissionStates": ["draft", "submitted"],
        "allowedActionsWhenSubmitted": ["read", "update"],
        "dataFeedSchema": schema.to_string(),
    });
    app.open_form(members).await
}

fn submitted_files(shown: &Value) -> Value {
    json!({ "items": shown["submittedFiles"] })
}

/// The number of submissions that Bob has.
async fn submissions(app: &App, form: &str) -> usize {
    let list = query(SUBMISSIONS, &[("formIdentifier", form)]);
    items(&app.bob().get(&list).await.expect(200)).len()
}

const CV: Part = (
    "files.cv",
    Some("Ada \\\"A\\\" C:\\cv.pdf"),
    Some("application/pdf"),
    PDF,
);

async fn a_submission_is_created_with_its_files(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app).await;
    let json = submission(&form, "{}");
    let sent = [
        CV,
        ("files.photos", Some("1.csv"), Some("text/csv"), b"a,b"),
        // An input of a page without a file.
        (
            "files.photos",
            Some(""),
            Some("application/octet-stream"),
            b"",
        ),
        ("files.photos", Some(""), None, b"no name"),
    ];
    let made = send(app.bob(), Method::POST, SUBMISSIONS, &json, &sent).await;
    let shown = made.expect(201);
    assert_eq!(shown["submissionState"], "submitted");
    let found = submitted_files(&shown);
    assert_eq!(each(&found, "fileName"), ["cv.pdf", "1.csv", "file"]);
    assert_eq!(
        each(&found, "fileAttributeName"),
        ["cv", "photos", "photos"]
    );
    assert_eq!(
        each(&found, "mimeType"),
        ["application/pdf", "text/csv", "text/plain"]
    );
    let read = app.bob().get(&at(SUBMISSIONS, &id(&shown))).await;
    assert_eq!(read.expect(200), shown);
    assert_eq!(read.header("etag"), made.header("etag"));
    let cv = at(&files(&id(&shown)), &id(&items(&found)[0]));
    let cv = app.bob().get(&format!("{cv}/content")).await;
    assert_eq!(cv.body, PDF);
    // Without files it is the same as JSON alone.
    let none = send(
        app.bob(),
        Method::POST,
        SUBMISSIONS,
        &draft(&form, "{}"),
        &[],
    )
    .await;
    assert_eq!(none.expect(201)["submittedFiles"], json!([]));
}

async fn a_draft_is_submitted_with_its_files(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app).await;
    let made = app.bob().post(SUBMISSIONS, draft(&form, "{}")).await;
    let path = at(SUBMISSIONS, &id(&made.expect(201)));
    let tag = made.header("etag").unwrap();
    let json = json!({ "dataFeedElement": "{\"a\": 1}" });
    let form_data = "multipart/form-data; boundary=x";
    let whole = json.to_string();
    let parts = [("submission", None, None, whole.as_bytes()), CV];
    let request = |tag: &str| {
        let request = app.bob().request(Method::PATCH, &path);
        let request = request.header("content-type", form_data);
        request.header("if-match", tag).body(body(&parts)).send()
    };
    request("\"other\"")
        .await
        .refuse(412, "formalize:precondition-failed", json!([]));
    let changed = request(tag).await.expect(200);
    assert_eq!(changed["submissionState"], "submitted");
    assert_eq!(changed["dataFeedElement"], "{\"a\": 1}");
    assert_eq!(
        each(&submitted_files(&changed), "fileAttributeName"),
        ["cv"]
    );
}

async fn files_are_replaced_in_one_request(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app).await;
    let json = submission(&form, "{}");
    let made = send(app.bob(), Method::POST, SUBMISSIONS, &json, &[CV]).await;
    let made = made.expect(201);
    let path = at(SUBMISSIONS, &id(&made));
    let old = id(&items(&submitted_files(&made))[0]);
    // Two are too many, and none is too few.
    let second = send(app.bob(), Method::PATCH, &path, &json!({}), &[CV]).await;
    let problem = second.problem(400, "formalize:submission-submitted-files-invalid-schema");
    assert_eq!(problem["violations"][0]["keyword"], "maxNumber");
    let removal = json!({ "filesToRemove": [old] });
    let none = send(app.bob(), Method::PATCH, &path, &removal, &[]).await;
    none.problem(400, "formalize:submission-submitted-files-invalid-schema");
    let replaced = send(app.bob(), Method::PATCH, &path, &removal, &[CV]).await;
    let replaced = submitted_files(&replaced.expect(200));
    assert_eq!(items(&replaced).len(), 1);
    assert_ne!(id(&items(&replaced)[0]), old);
    let again = send(app.bob(), Method::PATCH, &path, &removal, &[CV]).await;
    again.refuse(404, "formalize:submitted-file-not-found", json!([old]));
}

/// Nothing of a refused request is ever visible, and the contents are deleted.
async fn nothing_is_left_of_a_refused_request(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app).await;
    let json = submission(&form, "{}").to_string();
    let first: Part = (
        "submission",
        None,
        Some("application/json; charset=utf-8"),
        json.as_bytes(),
    );
    let invalid = "formalize:invalid-request-body";
    let long = format!("files.{}", "a".repeat(129));
    let long_name = "a".repeat(256);
    for (parts, error, names) in [
        (vec![], invalid, json!(["submission"])),
        (vec![CV], invalid, json!(["submission"])),
        (vec![CV, first], invalid, json!(["submission"])),
        (vec![first, CV, first], invalid, json!(["submission"])),
        (
            vec![first, CV, ("other", Some("a"), None, b"x")],
            invalid,
            json!(["other"]),
        ),
        (
            vec![first, CV, ("files.cv", None, None, b"x")],
            invalid,
            json!(["files.cv"]),
        ),
        (
            vec![("submission", None, Some("text/plain"), b"{}")],
            invalid,
            json!(["submission"]),
        ),
        (vec![("submission", None, None, b"[]")], invalid, json!([])),
        (
            vec![("submission", None, None, b"{\"x\": 1}"), CV],
            invalid,
            json!(["x"]),
        ),
        (
            vec![
                first,
                CV,
                ("files.cv", Some("a"), Some("multipart/mixed"), b""),
            ],
            invalid,
            json!(["files.cv"]),
        ),
        (
            vec![first, CV, (long.as_str(), Some("a"), None, b"x")],
            "formalize:submitted-file-invalid",
            json!(["fileAttributeName"]),
        ),
        (
            vec![
                first,
                CV,
                ("files.cv", Some(long_name.as_str()), None, b"x"),
            ],
            "formalize:submitted-file-invalid",
            json!(["fileName"]),
        ),
    ] {
        let refused = send_body(app.bob(), Method::POST, SUBMISSIONS, body(&parts)).await;
        refused.refuse(400, error, names);
    }
    let whole = body(&[first, CV, ("files.photos", Some("a"), None, b"text")]);
    for length in (0..whole.len() - 4).step_by(23) {
        let cut = whole[..length].to_vec();
        let refused = send_body(app.bob(), Method::POST, SUBMISSIONS, cut).await;
        let problem = refused.problem(400, invalid);
        assert!(problem["relay:errorDetails"].is_array());
    }
    assert_eq!(submissions(&app, &form).await, 0);
    assert_eq!(
        app.formalize.files().sweep().await.unwrap(),
        0,
        "nothing is left"
    );
}

async fn the_head_must_fit_the_body(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app).await;
    let json = submission(&form, "{}").to_string();
    let whole = body(&[("submission", None, None, json.as_bytes()), CV]);
    let invalid = "formalize:invalid-request-body";
    for content_type in [
        "multipart/form-data",
        &format!("multipart/form-data; boundary={}", "x".repeat(71)),
    ] {
        let request = app.bob().request(Method::POST, SUBMISSIONS);
        let request = request
            .header("content-type", content_type)
            .body(whole.clone());
        request.send().await.refuse(400, invalid, json!([]));
    }
    let request = app.bob().request(Method::POST, SUBMISSIONS);
    let request = request.header("content-type", "multipart/form-data; boundary=x");
    let request = request.header("idempotency-key", "1").body(whole.clone());
    request.send().await.refuse(
        400,
        "formalize:invalid-parameter",
        json!(["Idempotency-Key"]),
    );
    let other = app.bob().request(Method::POST, "/formalize/forms");
    let other = other.header("content-type", "multipart/form-data; boundary=x");
    other
        .body(whole)
        .send()
        .await
        .refuse(415, "formalize:unsupported-media-type", json!([]));
    assert_eq!(submissions(&app, &form).await, 0);
}

/// A refusal that does not depend on the body comes before those that do.
async fn what_is_known_before_the_body_is_judged_first(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app).await;
    let made = app.bob().post(SUBMISSIONS, draft(&form, "{}")).await;
    let path = at(SUBMISSIONS, &id(&made.expect(201)));
    let garbage = b"garbage".to_vec();
    let nowhere = at(SUBMISSIONS, NOWHERE);
    for (actor, path, status, error) in [
        (app.anon(), &path, 401, "authentication-required"),
        (app.bob(), &nowhere, 404, "submission-not-found"),
        (app.carol(), &path, 403, "forbidden"),
        (app.bob(), &path, 400, "invalid-request-body"),
    ] {
        let refused = send_body(actor, Method::PATCH, path, garbage.clone()).await;
        refused.refuse(status, &format!("formalize:{error}"), json!([]));
    }
    // What the JSON decides comes before what the files do.
    let json = submission(NOWHERE, "{}");
    let bad: Part = ("files.cv", Some("a"), None, b"no document");
    let unknown = send(app.bob(), Method::POST, SUBMISSIONS, &json, &[bad]).await;
    unknown.refuse(404, "formalize:form-not-found", json!([]));
    let invalid = submission(&form, "1");
    let invalid = send(app.bob(), Method::POST, SUBMISSIONS, &invalid, &[bad]).await;
    invalid.problem(400, "formalize:submission-invalid-json");
    assert_eq!(app.formalize.files().sweep().await.unwrap(), 0);
    let json = submission(&form, "{}");
    let cut = send(app.bob(), Method::POST, SUBMISSIONS, &json, &[bad]).await;
    let problem = cut.problem(400, "formalize:submission-submitted-files-invalid-schema");
    assert_eq!(problem["violations"][0]["keyword"], "allowedMimeTypes");
    assert_eq!(submissions(&app, &form).await, 1);
}

async fn limits_of_requests_with_files_are_kept(store: Arc<dyn Store>) {
    let limits = FileLimits {
        file_size: 1000,
        per_submission: 2,
        creator_quota: Some(2500),
        ..FileLimits::default()
    };
    let uploads = UploadLimits {
        size: 4000,
        ..UploadLimits::default()
    };
    let app = App::with_file_limits(store, limits)
        .await
        .uploading(uploads);
    let form = form(&app).await;
    let json = draft(&form, "{}");
    let of_size = |size: usize| vec![b'x'; size];
    let post = async |contents: &[Vec<u8>]| {
        let sent: Vec<Part> = contents
            .iter()
            .map(|content| ("files.photos", Some("a"), None, content.as_slice()))
            .collect();
        send(app.bob(), Method::POST, SUBMISSIONS, &json, &sent).await
    };
    post(&[of_size(1001)])
        .await
        .refuse(413, "formalize:payload-too-large", json!([]));
    post(&[of_size(1), of_size(1), of_size(1)]).await.refuse(
        400,
        "formalize:submitted-file-invalid",
        json!(["submittedFiles"]),
    );
    post(&[of_size(1000), of_size(1000)]).await.expect(201);
    post(&[of_size(501)])
        .await
        .refuse(403, "formalize:files-quota-exceeded", json!([]));
    post(&[of_size(500)]).await.expect(201);
    let large = [of_size(1000), of_size(1000), of_size(1000), of_size(1000)];
    post(&large)
        .await
        .refuse(413, "formalize:payload-too-large", json!([]));
    // The same without an announced length.
    let whole = body(&[("submission", None, None, &of_size(5000))]);
    let request = app.bob().request(Method::POST, SUBMISSIONS);
    let request = request.header("content-type", "multipart/form-data; boundary=x");
    let request = request.streamed(whole);
    request
        .send()
        .await
        .refuse(413, "formalize:payload-too-large", json!([]));
    assert_eq!(submissions(&app, &form).await, 2);
}

/// The connection to the database is lost while a submission is being created or changed.
async fn forms_are_stored_although_a_connection_was_lost(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app).await;
    let with_file: &[Part] = &[CV];
    for (sent, steps) in [
        (&[][..], ["read", "write", "commit"]),
        (with_file, ["insert_file", "change_files", "commit"]),
    ] {
        for step in steps {
            let before = submissions(&app, &form).await;
            app.store.fail_at(step, Failure::DisconnectedOnce);
            let made = send(
                app.bob(),
                Method::POST,
                SUBMISSIONS,
                &draft(&form, "{}"),
                sent,
            )
            .await;
            let made = at(SUBMISSIONS, &id(&made.expect(201)));
            assert!(!app.store.is_failing(), "{step}");
            assert_eq!(submissions(&app, &form).await, before + 1, "{step}");

            app.store.fail_at(step, Failure::DisconnectedOnce);
            let change = json!({ "submissionState": "draft" });
            let changed = send(app.bob(), Method::PATCH, &made, &change, sent).await;
            let changed = changed.expect(200);
            assert!(!app.store.is_failing(), "{step}");
            let files = items(&submitted_files(&changed)).len();
            assert_eq!(files, 2 * sent.len(), "{step}");
        }
    }
}
