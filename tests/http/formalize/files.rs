//! Files of submissions.

use std::sync::Arc;

use formalize_core::file_store::{FileStore, FileStoreError};
use formalize_core::{Store, files::FileLimits};
use formalize_http::middleware::UploadLimits;
use formalize_tests::on_every_store;
use formalize_tests::{FILE_CAUSE, FileStep};
use poem::http::Method;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;

use crate::support::{
    Answer, App, BASE, EVENTS, NOW, NOWHERE, SUBMISSIONS, at, draft, each, files, id, items, query,
    submission,
};

on_every_store![
    files_are_part_of_their_submission,
    names_are_labels,
    a_file_is_found_only_in_its_submission,
    parts_of_a_content_are_sent,
    known_contents_are_not_sent_again,
    nothing_in_a_file_can_run,
    files_of_a_submitted_submission_match_the_rules,
    a_file_that_cannot_match_is_cut,
    files_are_removed_with_a_change,
    a_change_of_files_can_depend_on_the_revision,
    who_may_not_read_gets_no_body,
    limits_are_kept,
    without_a_store_for_files_the_rest_works,
    a_lost_content_is_an_error_of_the_server,
];

const PDF: &[u8] = b"%PDF-1.7 a document";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

/// A form for drafts and submitted submissions, with these rules for files.
async fn form(app: &App, rules: Value) -> String {
    let members = json!({
        "allowedSubmissionStates": ["draft", "submitted"],
        "allowedActionsWhenSubmitted": ["read", "update"],
        "dataFeedSchema": rules.to_string(),
    });
    app.open_form(members).await
}

/// A draft of Bob.
async fn drafted(app: &App, form: &str) -> String {
    id(&app
        .bob()
        .post(SUBMISSIONS, draft(form, "{}"))
        .await
        .expect(201))
}

async fn read(app: &App, submission: &str) -> Value {
    app.bob()
        .get(&at(SUBMISSIONS, submission))
        .await
        .expect(200)
}

fn content(submission: &str, file: &str) -> String {
    format!("{}/{file}/content", files(submission))
}

/// A content that was read, and its headers.
async fn download(app: &App, path: &str) -> Answer {
    let answer = app.bob().get(path).await;
    assert_eq!(answer.status.as_u16(), 200, "{answer}");
    answer
}

#[tokio::test]
async fn a_file_is_added_read_and_removed() {
    let app = App::new().await;
    let form = form(&app, json!({})).await;
    let submission = drafted(&app, &form).await;
    let added = app.bob().add_file(&submission, "cv", "Ada.pdf", PDF).await;
    let file = added.expect(201);
    let identifier = id(&file);
    let path = at(&files(&submission), &identifier);
    let expected = json!({
        "identifier": identifier,
        "fileAttributeName": "cv",
        "fileName": "Ada.pdf",
        "fileSize": 19,
        "mimeType": "application/pdf",
        "sha256": "e0d6c0bee0fd30b7d2e9ee0f0b8ffb1db0a8a32d09fd0ecb2e0fc25d27a1b5b6",
        "creatorId": "bob",
        "dateCreated": NOW,
        "downloadUrl": format!("{BASE}{path}/content"),
    });
    let hash = file["sha256"].as_str().unwrap().to_owned();
    let expected = crate::support::but(expected, "sha256", json!(hash));
    assert_eq!(file, expected);
    assert_eq!(added.header("etag"), Some(format!("\"{hash}\"").as_str()));
    let got = app.bob().get(&path).await;
    assert_eq!(got.expect(200), expected);
    assert_eq!(got.header("etag"), added.header("etag"));
    let read = download(&app, &format!("{path}/content")).await;
    assert_eq!(read.body, PDF);
    for (name, value) in [
        ("content-type", "application/pdf"),
        ("content-length", "19"),
        ("accept-ranges", "bytes"),
        ("last-modified", "Sat, 21 Nov 2026 08:00:00 GMT"),
        ("cache-control", "private, no-cache"),
        ("x-content-type-options", "nosniff"),
        ("cross-origin-resource-policy", "same-origin"),
        (
            "content-security-policy",
            "default-src 'none'; frame-ancestors 'none'; sandbox",
        ),
        (
            "content-disposition",
            "attachment; filename=\"Ada.pdf\"; filename*=UTF-8''Ada.pdf",
        ),
    ] {
        assert_eq!(read.header(name), Some(value), "{name}");
    }
    assert_eq!(read.header("etag"), added.header("etag"));
    let digest = read.header("repr-digest").unwrap();
    assert!(
        digest.starts_with("sha-256=:") && digest.ends_with("=:"),
        "{digest}"
    );
    app.bob().delete(&path).await.expect(204);
    for path in [path.clone(), format!("{path}/content")] {
        app.bob()
            .get(&path)
            .await
            .refuse(404, "formalize:submitted-file-not-found", json!([]));
    }
    app.bob()
        .delete(&path)
        .await
        .refuse(404, "formalize:submitted-file-not-found", json!([]));
    assert_eq!(app.formalize.files().sweep().await.unwrap(), 1);
}

#[tokio::test]
async fn files_are_listed_page_by_page() {
    let app = App::new().await;
    let form = form(&app, json!({})).await;
    let submission = drafted(&app, &form).await;
    let mut added = Vec::new();
    for (attribute, name) in [("a", "1"), ("b", "2"), ("a", "3"), ("c", "4"), ("a", "5")] {
        let file = app.bob().add_file(&submission, attribute, name, name).await;
        added.push(file.expect(201));
    }
    let list = files(&submission);
    let all = app.bob().get(&list).await.expect(200);
    assert_eq!(items(&all), &added);
    for size in 1..=6 {
        let path = query(&list, &[("perPage", &size.to_string())]);
        assert_eq!(app.bob().walk(&path).await, added, "{size}");
    }
    let of_a = query(&list, &[("fileAttributeName", "a"), ("perPage", "2")]);
    let found = json!({ "items": app.bob().walk(&of_a).await });
    assert_eq!(each(&found, "fileName"), ["1", "3", "5"]);
    for nothing in ["d", "", "a/b"] {
        let path = query(&list, &[("fileAttributeName", nothing)]);
        let page = app.bob().get(&path).await.expect(200);
        assert_eq!(items(&page).len(), 0, "{nothing}");
    }
    let other = query(&list, &[("page", "2"), ("perPage", "2")]);
    let page = app.bob().get(&other).await.expect(200);
    assert_eq!(each(&page, "fileName"), ["3", "4"]);
    let cursor = page["nextCursor"].as_str().unwrap();
    let foreign = query(&list, &[("fileAttributeName", "a"), ("cursor", cursor)]);
    app.bob()
        .get(&foreign)
        .await
        .refuse(400, "formalize:invalid-parameter", json!(["cursor"]));
}

async fn files_are_part_of_their_submission(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app, json!({})).await;
    let submission = drafted(&app, &form).await;
    let before = app.bob().get(&at(SUBMISSIONS, &submission)).await;
    assert_eq!(before.expect(200)["submittedFiles"], json!([]));
    app.travel("2026-11-21T09:00:00Z");
    let first = app.bob().add_file(&submission, "cv", "a", "1").await;
    let second = app.bob().add_file(&submission, "cv", "a", "2").await;
    let added = json!([first.expect(201), second.expect(201)]);
    let after = app.bob().get(&at(SUBMISSIONS, &submission)).await;
    assert_ne!(after.header("etag"), before.header("etag"));
    let shown = after.expect(200);
    assert_eq!(shown["submittedFiles"], added);
    assert_eq!(shown["dateLastModified"], "2026-11-21T09:00:00.000Z");
    let list = query(SUBMISSIONS, &[("formIdentifier", &form)]);
    let list = app.bob().get(&list).await.expect(200);
    assert_eq!(items(&list), std::slice::from_ref(&shown));
    let events = query(EVENTS, &[("include", "item"), ("types", "draft.updated")]);
    let events = app.bob().get(&events).await.expect(200);
    for event in items(&events) {
        assert_eq!(event["item"], shown);
    }
    // The contents are deleted with the submission.
    app.bob()
        .delete(&at(SUBMISSIONS, &submission))
        .await
        .expect(204);
    app.bob().get(&files(&submission)).await.refuse(
        404,
        "formalize:submission-not-found",
        json!([]),
    );
    assert_eq!(app.formalize.files().sweep().await.unwrap(), 2);
}

async fn names_are_labels(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app, json!({})).await;
    let submission = drafted(&app, &form).await;
    for (sent, kept, disposition) in [
        (
            r"C:\Users\Ada\Lebenslauf ä.txt",
            "Lebenslauf ä.txt",
            "attachment; filename=\"Lebenslauf _.txt\"; filename*=UTF-8''Lebenslauf%20%C3%A4.txt",
        ),
        (
            "../../\u{202e}a\r\nb\".txt",
            "ab\".txt",
            "attachment; filename=\"ab_.txt\"; filename*=UTF-8''ab%22.txt",
        ),
        (
            "",
            "file",
            "attachment; filename=\"file\"; filename*=UTF-8''file",
        ),
    ] {
        let file = app.bob().add_file(&submission, "cv", sent, "x").await;
        let file = file.expect(201);
        assert_eq!(file["fileName"], kept);
        let read = download(&app, &content(&submission, &id(&file))).await;
        assert_eq!(read.header("content-disposition"), Some(disposition));
        assert_eq!(
            read.header("content-type"),
            Some("text/plain; charset=utf-8")
        );
    }
    let long = "x".repeat(256);
    for (attribute, name, at_fault) in [
        ("", "a", json!(["fileAttributeName"])),
        ("a/b", "a", json!(["fileAttributeName"])),
        ("a", long.as_str(), json!(["fileName"])),
        (
            "a[0]",
            long.as_str(),
            json!(["fileAttributeName", "fileName"]),
        ),
    ] {
        let refused = app.bob().add_file(&submission, attribute, name, "x").await;
        refused.refuse(400, "formalize:submitted-file-invalid", at_fault);
    }
    let nameless = query(&files(&submission), &[("fileAttributeName", "cv")]);
    let nameless = app.bob().request(Method::POST, &nameless).body("x");
    assert_eq!(nameless.send().await.expect(201)["fileName"], "file");
    for missing in [
        files(&submission),
        query(&files(&submission), &[("fileName", "a")]),
    ] {
        app.bob()
            .request(Method::POST, &missing)
            .body("x")
            .send()
            .await
            .refuse(
                400,
                "formalize:submitted-file-invalid",
                json!(["fileAttributeName"]),
            );
    }
}

async fn a_file_is_found_only_in_its_submission(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app, json!({})).await;
    let (submission, other) = (drafted(&app, &form).await, drafted(&app, &form).await);
    let file = app.bob().add_file(&submission, "cv", "a", "x").await;
    let file = id(&file.expect(201));
    for (submission, file, error) in [
        (other.as_str(), file.as_str(), "submitted-file-not-found"),
        (&submission, NOWHERE, "submitted-file-not-found"),
        (&submission, "x", "submitted-file-not-found"),
        (NOWHERE, &file, "submission-not-found"),
        ("x", &file, "submission-not-found"),
    ] {
        let error = format!("formalize:{error}");
        let path = at(&files(submission), file);
        app.bob().get(&path).await.refuse(404, &error, json!([]));
        app.bob().delete(&path).await.refuse(404, &error, json!([]));
        let path = format!("{path}/content");
        app.bob().get(&path).await.refuse(404, &error, json!([]));
    }
    let nowhere = app.bob().add_file(NOWHERE, "cv", "a", "x").await;
    nowhere.refuse(404, "formalize:submission-not-found", json!([]));
    // Drafts are for their creators.
    for path in [files(&submission), content(&submission, &file)] {
        app.alice()
            .get(&path)
            .await
            .refuse(403, "formalize:forbidden", json!([]));
        app.anon()
            .get(&path)
            .await
            .refuse(401, "formalize:authentication-required", json!([]));
    }
    let refused = app.alice().add_file(&submission, "cv", "a", "x").await;
    refused.refuse(403, "formalize:forbidden", json!([]));
    assert_eq!(
        read(&app, &submission).await["submittedFiles"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

async fn parts_of_a_content_are_sent(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app, json!({})).await;
    let submission = drafted(&app, &form).await;
    let file = app
        .bob()
        .add_file(&submission, "cv", "a", "0123456789")
        .await;
    let file = file.expect(201);
    let tag = format!("\"{}\"", file["sha256"].as_str().unwrap());
    let path = content(&submission, &id(&file));
    let ask = |method: Method, headers: &[(&'static str, &str)]| {
        let mut request = app.bob().request(method, &path);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        request.send()
    };
    for (range, body, part) in [
        ("bytes=0-3", "0123", "bytes 0-3/10"),
        ("bytes=8-", "89", "bytes 8-9/10"),
        ("bytes=-4", "6789", "bytes 6-9/10"),
        ("bytes=5-100", "56789", "bytes 5-9/10"),
    ] {
        let answer = ask(Method::GET, &[("range", range)]).await;
        assert_eq!(answer.status.as_u16(), 206, "{answer}");
        assert_eq!(answer.body, body.as_bytes());
        assert_eq!(answer.header("content-range"), Some(part));
        let length = body.len().to_string();
        assert_eq!(answer.header("content-length"), Some(length.as_str()));
        assert_eq!(answer.header("etag"), Some(tag.as_str()));
    }
    for ignored in [
        "bytes=0-1,3-4",
        "bytes=3-1",
        "lines=1-2",
        "bytes",
        "bytes=x-",
    ] {
        let answer = ask(Method::GET, &[("range", ignored)]).await;
        assert_eq!(answer.status.as_u16(), 200, "{ignored}: {answer}");
        assert_eq!(answer.body, b"0123456789");
    }
    for behind in ["bytes=10-", "bytes=-0"] {
        let answer = ask(Method::GET, &[("range", behind)]).await;
        answer.refuse(416, "formalize:range-not-satisfiable", json!([]));
        assert_eq!(answer.header("content-range"), Some("bytes */10"));
    }
    // Only an unchanged content is continued.
    for (validator, status) in [
        (tag.as_str(), 206),
        ("Sat, 21 Nov 2026 08:00:00 GMT", 206),
        ("\"other\"", 200),
        ("Sat, 21 Nov 2026 08:00:01 GMT", 200),
        ("*", 200),
    ] {
        let headers = [("range", "bytes=0-3"), ("if-range", validator)];
        let answer = ask(Method::GET, &headers).await;
        assert_eq!(answer.status.as_u16(), status, "{validator}: {answer}");
    }
    let head = ask(Method::HEAD, &[("range", "bytes=0-3")]).await;
    assert_eq!(head.status.as_u16(), 200);
    assert_eq!(head.header("content-length"), Some("10"));
    assert_eq!(head.body, b"");
    let empty = app
        .bob()
        .add_file(&submission, "cv", "a", "")
        .await
        .expect(201);
    assert_eq!(empty["mimeType"], "application/x-empty");
    let read = download(&app, &content(&submission, &id(&empty))).await;
    assert_eq!(
        (read.body.len(), read.header("content-length")),
        (0, Some("0"))
    );
}

async fn known_contents_are_not_sent_again(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app, json!({})).await;
    let submission = drafted(&app, &form).await;
    let file = app.bob().add_file(&submission, "cv", "a", "x").await;
    let file = file.expect(201);
    let tag = format!("\"{}\"", file["sha256"].as_str().unwrap());
    let path = content(&submission, &id(&file));
    let ask = |name: &'static str, value: &str| {
        app.bob()
            .request(Method::GET, &path)
            .header(name, value)
            .send()
    };
    for known in [tag.as_str(), "*"] {
        let answer = ask("if-none-match", known).await;
        assert_eq!(answer.status.as_u16(), 304, "{answer}");
        assert_eq!(answer.body, b"");
        assert_eq!(answer.header("etag"), Some(tag.as_str()));
        for absent in ["content-type", "content-length", "content-disposition"] {
            assert_eq!(answer.header(absent), None, "{absent}");
        }
    }
    assert_eq!(ask("if-none-match", "\"other\"").await.status.as_u16(), 200);
    assert_eq!(ask("if-match", &tag).await.status.as_u16(), 200);
    let other = ask("if-match", "\"other\"").await;
    other.refuse(412, "formalize:precondition-failed", json!([]));
    assert_eq!(other.header("etag"), Some(tag.as_str()));
}

async fn nothing_in_a_file_can_run(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app, json!({})).await;
    let submission = drafted(&app, &form).await;
    let sandboxed = "default-src 'none'; frame-ancestors 'none'; sandbox";
    let pdf = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'";
    let octets = "application/octet-stream";
    for (bytes, found, sent, disposition, policy) in [
        (
            &b"<html><script>"[..],
            "text/html",
            octets,
            "attachment",
            sandboxed,
        ),
        (
            b"<svg onload='x'/>",
            "image/svg+xml",
            octets,
            "attachment",
            sandboxed,
        ),
        (
            b"plain",
            "text/plain",
            "text/plain; charset=utf-8",
            "attachment",
            sandboxed,
        ),
        (PNG, "image/png", "image/png", "inline", sandboxed),
        (PDF, "application/pdf", "application/pdf", "inline", pdf),
    ] {
        let path = query(&files(&submission), &[("fileAttributeName", "cv")]);
        let request = app.bob().request(Method::POST, &path);
        let request = request.header("content-type", "image/png").body(bytes);
        let file = request.send().await.expect(201);
        assert_eq!(file["mimeType"], found);
        let path = content(&submission, &id(&file));
        let shown = download(&app, &query(&path, &[("disposition", "inline")])).await;
        assert_eq!(shown.header("content-type"), Some(sent));
        assert_eq!(shown.header("content-security-policy"), Some(policy));
        let value = shown.header("content-disposition").unwrap();
        assert!(value.starts_with(&format!("{disposition};")), "{value}");
        let saved = download(&app, &query(&path, &[("disposition", "attachment")])).await;
        let value = saved.header("content-disposition").unwrap();
        assert!(value.starts_with("attachment;"), "{value}");
        assert_eq!(saved.header("content-security-policy"), Some(sandboxed));
        app.bob()
            .get(&query(&path, &[("disposition", "x")]))
            .await
            .refuse(400, "formalize:invalid-parameter", json!(["disposition"]));
    }
    for (name, value) in [
        ("content-type", "multipart/form-data; boundary=x"),
        ("content-encoding", "gzip"),
    ] {
        let path = query(&files(&submission), &[("fileAttributeName", "cv")]);
        let request = app.bob().request(Method::POST, &path).header(name, value);
        request
            .body("x")
            .send()
            .await
            .refuse(415, "formalize:unsupported-media-type", json!([]));
    }
}

/// A CV is needed, and may be replaced.
fn rules() -> Value {
    json!({ "files": { "cv": {
        "minNumber": 1, "maxNumber": 2, "maxSizeMb": 0.5, "allowedMimeTypes": ["application/pdf"],
    } } })
}

const VIOLATION: &str = "formalize:submission-submitted-files-invalid-schema";

async fn files_of_a_submitted_submission_match_the_rules(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app, rules()).await;
    let refused = app.bob().post(SUBMISSIONS, submission(&form, "{}")).await;
    refused.refuse(400, VIOLATION, json!(["cv"]));
    let submission = drafted(&app, &form).await;
    // Drafts may have files of any kind.
    let text = app.bob().add_file(&submission, "other", "a", "text").await;
    let text = id(&text.expect(201));
    let path = at(SUBMISSIONS, &submission);
    let refused = app.bob().patch(&path, json!({})).await;
    let problem = refused.problem(400, VIOLATION);
    let keywords: Vec<&Value> = problem["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["keyword"])
        .collect();
    assert_eq!(keywords, ["minNumber", "additionalFiles"]);
    let cv = app.bob().add_file(&submission, "cv", "a", PDF).await;
    let cv = id(&cv.expect(201));
    let change = json!({ "filesToRemove": [text] });
    let submitted = app.bob().patch(&path, change).await.expect(200);
    assert_eq!(submitted["submissionState"], "submitted");
    assert_eq!(
        items(&json!({ "items": submitted["submittedFiles"] })).len(),
        1
    );
    // It stays submitted, and must match the rules with each change.
    let only = at(&files(&submission), &cv);
    let removed = app.bob().delete(&only).await;
    removed.refuse(400, VIOLATION, json!(["cv"]));
    app.bob()
        .add_file(&submission, "cv", "b", PDF)
        .await
        .expect(201);
    let third = app.bob().add_file(&submission, "cv", "c", PDF).await;
    let problem = third.problem(400, VIOLATION);
    assert_eq!(problem["violations"][0]["keyword"], "maxNumber");
    app.bob().delete(&only).await.expect(204);
    assert_eq!(
        read(&app, &submission).await["submissionState"],
        "submitted"
    );
}

async fn a_file_that_cannot_match_is_cut(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app, rules()).await;
    let submission = drafted(&app, &form).await;
    app.bob()
        .add_file(&submission, "cv", "a", PDF)
        .await
        .expect(201);
    app.bob()
        .patch(&at(SUBMISSIONS, &submission), json!({}))
        .await
        .expect(200);
    for (attribute, bytes, keyword) in [
        ("other", b"x".to_vec(), "additionalFiles"),
        ("cv", b"text".to_vec(), "allowedMimeTypes"),
        ("cv", [PDF, &vec![0; 600 << 10]].concat(), "maxSizeMb"),
    ] {
        let refused = app
            .bob()
            .add_file(&submission, attribute, "b", bytes.clone())
            .await;
        let problem = refused.problem(400, VIOLATION);
        assert_eq!(problem["violations"][0]["keyword"], keyword);
        // The same without an announced length.
        let path = query(&files(&submission), &[("fileAttributeName", attribute)]);
        let request = app.bob().request(Method::POST, &path).streamed(bytes);
        let problem = request.send().await.problem(400, VIOLATION);
        assert_eq!(problem["violations"][0]["keyword"], keyword);
    }
    app.formalize.files().sweep().await.unwrap();
    assert_eq!(
        read(&app, &submission).await["submittedFiles"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

async fn files_are_removed_with_a_change(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app, json!({})).await;
    let (submission, other) = (drafted(&app, &form).await, drafted(&app, &form).await);
    let mut added = Vec::new();
    for (submission, name) in [(&submission, "a"), (&submission, "b"), (&other, "c")] {
        let file = app.bob().add_file(submission, "cv", name, name).await;
        added.push(id(&file.expect(201)));
    }
    let path = at(SUBMISSIONS, &submission);
    let change = |ids: Value| json!({ "submissionState": "draft", "filesToRemove": ids });
    for unknown in [&added[2], NOWHERE, "x"] {
        let refused = app
            .bob()
            .patch(&path, change(json!([added[0], unknown])))
            .await;
        refused.refuse(404, "formalize:submitted-file-not-found", json!([unknown]));
    }
    for malformed in [json!("x"), json!([1]), Value::Null] {
        let refused = app.bob().patch(&path, change(malformed)).await;
        refused.refuse(
            400,
            "formalize:invalid-request-body",
            json!(["filesToRemove"]),
        );
    }
    let body = json!({ "formIdentifier": form, "filesToRemove": [] });
    app.bob().post(SUBMISSIONS, body).await.refuse(
        400,
        "formalize:invalid-request-body",
        json!(["filesToRemove"]),
    );
    let changed = app
        .bob()
        .patch(&path, change(json!([added[0]])))
        .await
        .expect(200);
    assert_eq!(changed["submissionState"], "draft");
    let left = json!({ "items": changed["submittedFiles"] });
    assert_eq!(each(&left, "fileName"), ["b"]);
}

async fn a_change_of_files_can_depend_on_the_revision(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app, json!({})).await;
    let submission = drafted(&app, &form).await;
    let before = app.bob().get(&at(SUBMISSIONS, &submission)).await;
    let before = before.header("etag").unwrap().to_owned();
    let path = query(&files(&submission), &[("fileAttributeName", "cv")]);
    let add = |tag: &str| {
        let request = app.bob().request(Method::POST, &path);
        request.header("if-match", tag).body("x").send()
    };
    let file = id(&add(&before).await.expect(201));
    let current = app.bob().get(&at(SUBMISSIONS, &submission)).await;
    let current = current.header("etag").unwrap().to_owned();
    let refused = add(&before).await;
    refused.refuse(412, "formalize:precondition-failed", json!([]));
    assert_eq!(refused.header("etag"), Some(current.as_str()));
    let remove = |tag: &str| {
        let path = at(&files(&submission), &file);
        app.bob()
            .request(Method::DELETE, &path)
            .header("if-match", tag)
            .send()
    };
    remove(&before)
        .await
        .refuse(412, "formalize:precondition-failed", json!([]));
    remove(&current).await.expect(204);
}

/// Whoever may update all submissions need not be allowed to read them.
async fn who_may_not_read_gets_no_body(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let rules = json!({ "additionalFiles": { "minNumber": 0, "allowedMimeTypes": ["*/*"] } });
    let form = form(&app, rules).await;
    let to_carol = json!({ "userIdentifier": "carol" });
    app.share_form(&form, "update_submissions", to_carol).await;
    let made = app.bob().post(SUBMISSIONS, submission(&form, "{}")).await;
    let made = id(&made.expect(201));
    let added = app.carol().add_file(&made, "cv", "a", "x").await;
    assert_eq!(added.status.as_u16(), 201, "{added}");
    assert_eq!(added.body, b"");
    let file = read(&app, &made).await["submittedFiles"][0]["identifier"].clone();
    let location = format!("{BASE}{}", at(&files(&made), file.as_str().unwrap()));
    assert_eq!(added.header("location"), Some(location.as_str()));
    let path = at(&files(&made), file.as_str().unwrap());
    app.carol()
        .get(&path)
        .await
        .refuse(403, "formalize:forbidden", json!([]));
    app.carol().delete(&path).await.expect(204);
}

async fn limits_are_kept(store: Arc<dyn Store>) {
    let limits = FileLimits {
        file_size: 100,
        per_submission: 3,
        creator_quota: Some(200),
        ..FileLimits::default()
    };
    let app = App::with_file_limits(store, limits).await;
    let form = form(&app, json!({})).await;
    let submission = drafted(&app, &form).await;
    let large = vec![b'x'; 101];
    let refused = app
        .bob()
        .add_file(&submission, "cv", "a", large.clone())
        .await;
    refused.refuse(413, "formalize:payload-too-large", json!([]));
    let path = query(&files(&submission), &[("fileAttributeName", "cv")]);
    let request = app.bob().request(Method::POST, &path).streamed(large);
    request
        .send()
        .await
        .refuse(413, "formalize:payload-too-large", json!([]));
    for _ in 0..2 {
        let fits = vec![b'x'; 100];
        app.bob()
            .add_file(&submission, "cv", "a", fits)
            .await
            .expect(201);
    }
    let refused = app.bob().add_file(&submission, "cv", "a", "x").await;
    refused.refuse(403, "formalize:files-quota-exceeded", json!([]));
    app.bob()
        .add_file(&submission, "cv", "a", "")
        .await
        .expect(201);
    let refused = app.bob().add_file(&submission, "cv", "a", "").await;
    refused.refuse(
        400,
        "formalize:submitted-file-invalid",
        json!(["submittedFiles"]),
    );
}

async fn without_a_store_for_files_the_rest_works(store: Arc<dyn Store>) {
    let app = App::without_files(store).await;
    let form = form(&app, json!({})).await;
    let submission = drafted(&app, &form).await;
    let refused = app.bob().add_file(&submission, "cv", "a", "x").await;
    refused.refuse(501, "formalize:files-not-configured", json!([]));
    let list = app.bob().get(&files(&submission)).await.expect(200);
    assert!(items(&list).is_empty());
    app.bob()
        .patch(&at(SUBMISSIONS, &submission), json!({}))
        .await
        .expect(200);
}

/// The metadata are read without the contents.
async fn a_lost_content_is_an_error_of_the_server(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app, json!({})).await;
    let submission = drafted(&app, &form).await;
    let file = app.bob().add_file(&submission, "cv", "a", "x").await;
    let file = file.expect(201);
    app.files.delete(id(&file).parse().unwrap()).await.unwrap();
    let lost = app.bob().get(&content(&submission, &id(&file))).await;
    lost.refuse(
        500,
        "formalize:submitted-file-not-found-in-file-storage-backend",
        json!([]),
    );
    let path = at(&files(&submission), &id(&file));
    assert_eq!(app.bob().get(&path).await.expect(200), file);
    assert_eq!(
        read(&app, &submission).await["submittedFiles"],
        json!([file])
    );
    app.bob().delete(&path).await.expect(204);
}

/// The cause of a failure is only logged.
#[tokio::test]
async fn failures_of_the_store_are_told_apart() {
    let app = App::new().await;
    let form = form(&app, json!({})).await;
    let submission = drafted(&app, &form).await;
    let file = app.bob().add_file(&submission, "cv", "a", "x").await;
    let path = content(&submission, &id(&file.expect(201)));
    let cause = || FILE_CAUSE.to_owned();
    for (error, status, put, get) in [
        (
            FileStoreError::Full(cause()),
            507,
            "formalize:insufficient-storage",
            "formalize:insufficient-storage",
        ),
        (
            FileStoreError::Unavailable(cause()),
            503,
            "formalize:service-unavailable",
            "formalize:service-unavailable",
        ),
        (
            FileStoreError::Failed(cause()),
            500,
            "formalize:saving-submitted-file-failed",
            "formalize:getting-submitted-file-failed",
        ),
    ] {
        app.files.fail_at(FileStep::PutBegins, error.clone());
        let refused = app.bob().add_file(&submission, "cv", "a", "x").await;
        refused.refuse(status, put, json!([]));
        assert!(!refused.to_string().contains("/var"), "{refused}");
        if status != 507 {
            app.files.fail_at(FileStep::GetBegins, error);
            let refused = app.bob().get(&path).await;
            refused.refuse(status, get, json!([]));
        }
        app.files.recover();
    }
    assert_eq!(download(&app, &path).await.body, b"x");
}

/// A user has a quarter of the requests that send files at a time. Those that have not sent 256 KiB yet take no place.
#[tokio::test]
async fn few_files_are_sent_at_a_time() {
    const LARGE: usize = 256 << 10;
    let limits = UploadLimits {
        at_once: 2,
        ..UploadLimits::default()
    };
    let app = App::new().await.uploading(limits);
    let form = form(&app, json!({})).await;
    let mut ends = Vec::new();
    let mut begun = Vec::new();
    for actor in [app.bob(), app.carol()] {
        let made = actor.post(SUBMISSIONS, draft(&form, "{}")).await;
        let path = files(&id(&made.expect(201)));
        let path = query(&path, &[("fileAttributeName", "cv")]);
        let (sender, receiver) = tokio::io::duplex(64);
        ends.push(sender);
        begun.push(actor.request(Method::POST, &path).slowly(receiver).send());
    }
    let submission = drafted(&app, &form).await;
    let of_admin = app.admin().post(SUBMISSIONS, draft(&form, "{}")).await;
    let of_admin = id(&of_admin.expect(201));
    let [first, second] = begun.try_into().ok().unwrap();
    let sending = async { tokio::join!(first, second) };
    let large = || vec![b'a'; LARGE];
    let trying = async {
        let admin = app.admin();
        // The others have sent a little.
        for end in &mut ends {
            end.write_all(&[b'a'; 1000]).await.unwrap();
        }
        let added = admin.add_file(&of_admin, "cv", "a", large()).await;
        added.expect(201);
        // A piece is read only when those before it have been counted.
        for end in &mut ends {
            end.write_all(&vec![b'a'; LARGE + (16 << 10)])
                .await
                .unwrap();
        }
        let mine = app.bob().add_file(&submission, "cv", "a", large()).await;
        mine.refuse(429, "formalize:too-many-requests", json!([]));
        assert_eq!(mine.header("retry-after"), Some("5"));
        let other = admin.add_file(&of_admin, "cv", "a", large()).await;
        other.refuse(503, "formalize:service-unavailable", json!([]));
        assert_eq!(other.header("retry-after"), Some("5"));
        let small = admin.add_file(&of_admin, "cv", "a", "x").await;
        small.expect(201);
        drop(ends);
    };
    let ((first, second), ()) = tokio::join!(sending, trying);
    let size = 1000 + LARGE + (16 << 10);
    assert_eq!(first.expect(201)["fileSize"], size);
    assert_eq!(second.expect(201)["fileSize"], size);
    let added = app.admin().add_file(&of_admin, "cv", "a", large()).await;
    added.expect(201);
}

/// A client that stalls gets an answer, and nothing is left of its file.
#[tokio::test]
async fn slow_uploads_are_refused() {
    let limits = UploadLimits {
        timeout: std::time::Duration::from_millis(100),
        ..UploadLimits::default()
    };
    let app = App::new().await.uploading(limits);
    let form = form(&app, json!({})).await;
    let submission = drafted(&app, &form).await;
    let (_sender, receiver) = tokio::io::duplex(64);
    let path = query(&files(&submission), &[("fileAttributeName", "cv")]);
    let request = app.bob().request(Method::POST, &path).slowly(receiver);
    let late = request.send().await;
    late.refuse(408, "formalize:request-timeout", json!([]));
    assert_eq!(late.header("connection"), Some("close"));
    assert_eq!(read(&app, &submission).await["submittedFiles"], json!([]));
    assert_eq!(
        app.formalize.files().sweep().await.unwrap(),
        0,
        "it is gone"
    );
}
