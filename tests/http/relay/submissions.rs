//! Submissions and their files.

use std::sync::Arc;

use formalize_core::Store;
use formalize_tests::on_every_store;
use poem::http::Method;
use serde_json::{Value, json};

use super::support::{
    Field::{File, Text},
    change, delete, form_path, get, item, keys, members, open_form, post, refused, submit, success,
};
use crate::support::{App, NOW, NOWHERE, RELAY_BASE, SUBMISSIONS, at, id, query};

on_every_store![
    a_submission_has_all_its_members,
    json_means_the_same_as_a_form,
    both_interfaces_show_the_same_submission,
    files_are_added_read_and_removed,
    who_may_not_read_a_changed_submission_gets_a_receipt,
    conditions_are_those_of_both_interfaces,
    all_submissions_are_deleted,
];

const PDF: &[u8] = b"%PDF-1.7 a document";

const MEMBERS: [&str; 13] = [
    "@id",
    "@type",
    "creatorId",
    "dataFeedElement",
    "dateCreated",
    "dateLastModified",
    "form",
    "grantedActions",
    "identifier",
    "lastModifiedById",
    "submissionState",
    "submittedFiles",
    "tags",
];

/// The path of the list of a form's submissions.
fn list_of(form: &str) -> String {
    query(
        SUBMISSIONS,
        &[("formIdentifier", form), ("perPage", "9999")],
    )
}

async fn a_submission_has_all_its_members(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = open_form(&app, json!({})).await;
    let data = "{\"a\": 1.0}";
    let path = form_path(&form);
    let fields = [
        Text("form", &path),
        Text("dataFeedElement", data),
        Text("submissionState", "1"),
    ];
    let created = item(&submit(app.bob(), &fields).await, 201);
    let identifier = id(&created);
    let expected = json!({
        "@context": created["@context"],
        "@id": format!("/formalize/submissions/{identifier}"),
        "@type": "https://schema.org/DataFeed",
        "identifier": identifier,
        "creatorId": "bob",
        "lastModifiedById": "bob",
        "dateCreated": NOW,
        "dateLastModified": NOW,
        "form": path,
        "dataFeedElement": data,
        "submissionState": 1,
        "tags": [],
        "submittedFiles": [],
        "grantedActions": created["grantedActions"],
    });
    assert_eq!(created, expected);
    assert!(created["grantedActions"].is_array());
    let list = members(&get(app.bob(), &list_of(&form)).await);
    assert_eq!(keys(&list[0]), MEMBERS);
    let mut element = created.clone();
    element.as_object_mut().unwrap().remove("@context");
    assert_eq!(list, [element]);
    assert_eq!(
        item(&get(app.bob(), &at(SUBMISSIONS, &identifier)).await, 200),
        created
    );
    let empty = item(
        &submit(
            app.bob(),
            &[Text("form", &path), Text("submissionState", "1")],
        )
        .await,
        201,
    );
    assert!(empty.get("dataFeedElement").is_none());
}

async fn json_means_the_same_as_a_form(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = open_form(&app, json!({})).await;
    for (sent, state) in [
        (json!({}), 4),
        (json!({ "submissionState": 1 }), 1),
        (
            json!({ "submissionState": 4.0, "unknown": {}, "@type": "x" }),
            4,
        ),
        (json!({ "submissionState": null, "tags": null }), 4),
        (json!({ "tags": [] }), 4),
    ] {
        let mut body =
            json!({ "form": format!("{RELAY_BASE}{}", form_path(&form)), "dataFeedElement": "{}" });
        crate::support::merge(&mut body, sent);
        let created = item(&post(app.bob(), SUBMISSIONS, &body).await, 201);
        assert_eq!(created["submissionState"], state, "{body}");
    }
    let body = |member: &str, value: Value| {
        let mut body = json!({ "form": form_path(&form), "dataFeedElement": "{}" });
        body[member] = value;
        body
    };
    for (member, value) in [
        ("submissionState", json!("4")),
        ("dataFeedElement", json!({})),
        ("form", json!(1)),
        ("tags", json!("[]")),
        ("tags", json!([1])),
    ] {
        let answer = post(app.bob(), SUBMISSIONS, &body(member, value)).await;
        refused(
            &answer,
            400,
            "formalize:invalid-request-body",
            json!([member]),
        );
    }
    let answer = post(app.bob(), SUBMISSIONS, &body("submissionState", json!(2))).await;
    refused(
        &answer,
        400,
        "formalize:submission-state-not-allowed",
        json!(["2"]),
    );
}

async fn both_interfaces_show_the_same_submission(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = open_form(&app, json!({})).await;
    let path = form_path(&form);
    let text = " {\"z\":1.00, \"e\\u0301\": \"\u{1f600}\"}";
    let fields = [Text("dataFeedElement", text), Text("form", &path)];
    let here = item(&submit(app.bob(), &fields).await, 201);
    let theirs = app
        .bob()
        .get(&at(SUBMISSIONS, &id(&here)))
        .await
        .expect(200);
    assert_eq!(theirs["dataFeedElement"], text);
    assert_eq!(theirs["submissionState"], "submitted");
    let mut actions = theirs["grantedActions"].as_array().unwrap().clone();
    actions.push(json!("read_tags"));
    assert_eq!(json!(actions), here["grantedActions"]);
    let body = crate::support::draft(&form, text);
    let theirs = app.bob().post(SUBMISSIONS, body).await.expect(201);
    let here = item(&get(app.bob(), &at(SUBMISSIONS, &id(&theirs))).await, 200);
    assert_eq!(here["dataFeedElement"], text);
    assert_eq!(here["submissionState"], 1);
    success(
        &delete(app.bob(), &at(SUBMISSIONS, &id(&theirs))).await,
        204,
    );
    let answer = app.bob().get(&at(SUBMISSIONS, &id(&theirs))).await;
    answer.refuse(404, "formalize:submission-not-found", json!([]));
}

async fn files_are_added_read_and_removed(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = open_form(&app, json!({})).await;
    let path = form_path(&form);
    let fields = [
        File(
            "attachments[0]",
            "Lebenslauf \u{e4}.pdf",
            "application/pdf",
            PDF,
        ),
        File("other", "a.txt", "text/plain", b"text"),
        File("empty", "", "application/octet-stream", b""),
        Text("submissionState", "1"),
        Text("dataFeedElement", "{}"),
        Text("form", &path),
    ];
    let created = item(&submit(app.bob(), &fields).await, 201);
    let files = created["submittedFiles"].as_array().unwrap();
    let [first, second] = &files[..] else {
        panic!("{created}");
    };
    let identifier = id(first);
    let url = format!("/formalize/submitted-files/{identifier}");
    assert_eq!(
        *first,
        json!({
            "@id": url,
            "@type": "https://schema.org/DigitalDocument",
            "identifier": identifier,
            "fileAttributeName": "attachments",
            "fileName": "Lebenslauf \u{e4}.pdf",
            "fileSize": PDF.len(),
            "mimeType": "application/pdf",
            "downloadUrl": format!("{RELAY_BASE}{url}/content"),
        })
    );
    assert_eq!(second["fileAttributeName"], "other");
    let mut file = item(&get(app.bob(), &url).await, 200);
    file.as_object_mut().unwrap().remove("@context");
    assert_eq!(file, *first);
    let answer = get(app.bob(), &format!("{url}/content")).await;
    assert_eq!(answer.status.as_u16(), 200, "{answer}");
    assert_eq!(answer.body, PDF);
    assert_eq!(
        answer.header("content-disposition"),
        Some("attachment; filename=\"Lebenslauf _.pdf\"; filename*=UTF-8''Lebenslauf%20%C3%A4.pdf")
    );
    let part = app
        .bob()
        .at_relay()
        .request(Method::GET, &format!("{url}/content"));
    let part = part
        .header("range", "bytes=0-3")
        .header("accept", "text/html")
        .send()
        .await;
    assert_eq!((part.status.as_u16(), &part.body[..]), (206, &b"%PDF"[..]));

    let submission = id(&created);
    files_are_removed(&app, &form, &submission, &identifier).await;
}

/// Removes a file of a submission that has another one.
async fn files_are_removed(app: &App, form: &str, submission: &str, identifier: &str) {
    let path = form_path(form);
    let url = format!("/formalize/submitted-files/{identifier}");
    let remove = format!("submittedFiles[{identifier}]");
    let unknown = format!("submittedFiles[{NOWHERE}]");
    let fields = [
        Text(&remove, "null"),
        Text(&unknown, "null"),
        Text("submittedFiles[x]", "null"),
        File("more", "b.txt", "text/plain", b"more"),
    ];
    let changed = item(&change(app.bob(), submission, &fields).await, 200);
    let names: Vec<&str> = changed["submittedFiles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["fileName"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["a.txt", "b.txt"]);
    refused(
        &get(app.bob(), &url).await,
        404,
        "formalize:submitted-file-not-found",
        json!([identifier]),
    );
    let answer = change(app.bob(), submission, &[Text(&remove, "{}")]).await;
    refused(
        &answer,
        400,
        "formalize:invalid-request-body",
        json!([remove]),
    );
    let theirs = app
        .bob()
        .get(&at(SUBMISSIONS, submission))
        .await
        .expect(200);
    assert_eq!(theirs["submittedFiles"].as_array().unwrap().len(), 2);
    let ignored = [
        Text("form", &path),
        Text("submittedFiles[x]", "{}"),
        Text("submissionState", "1"),
    ];
    item(&submit(app.bob(), &ignored).await, 201);
}

async fn who_may_not_read_a_changed_submission_gets_a_receipt(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let members = json!({
        "allowedSubmissionStates": ["draft", "submitted"],
        "allowedActionsWhenSubmitted": [],
    });
    let form = app.open_form(members).await;
    let path = form_path(&form);
    let fields = [
        Text("form", &path),
        Text("dataFeedElement", "{}"),
        Text("submissionState", "1"),
    ];
    let draft = item(&submit(app.bob(), &fields).await, 201);
    let answer = change(app.bob(), &id(&draft), &[Text("submissionState", "4")]).await;
    let receipt = success(&answer, 200);
    assert_eq!(
        receipt,
        json!({
            "@context": receipt["@context"],
            "@id": draft["@id"],
            "@type": "https://schema.org/DataFeed",
            "identifier": draft["identifier"],
            "form": path,
            "submissionState": 4,
            "grantedActions": [],
            "submittedFiles": [],
            "tags": [],
        })
    );
    let created = item(&submit(app.bob(), &fields[..2]).await, 201);
    assert_eq!(created["submissionState"], 4);
    refused(
        &get(app.bob(), &at(SUBMISSIONS, &id(&created))).await,
        403,
        "",
        json!({}),
    );
}

async fn conditions_are_those_of_both_interfaces(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = open_form(&app, json!({})).await;
    let path = form_path(&form);
    let created = submit(
        app.bob(),
        &[Text("form", &path), Text("dataFeedElement", "{}")],
    )
    .await;
    let identifier = id(&item(&created, 201));
    let place = at(SUBMISSIONS, &identifier);
    let tag = created.header("etag").unwrap();
    let read = |header: &'static str, tag: &str| {
        let request = app.bob().at_relay().request(Method::GET, &place);
        request.header(header, tag).send()
    };
    assert_eq!(read("if-none-match", tag).await.status.as_u16(), 304);
    assert_eq!(read("if-match", tag).await.status.as_u16(), 200);
    // The other interface shows other members, but knows the revision in the tag.
    let request = app
        .bob()
        .request(Method::PATCH, &place)
        .header("if-match", tag);
    let request = request.header("content-type", "application/json");
    request
        .body("{\"dataFeedElement\": \"[]\"}")
        .send()
        .await
        .expect(200);
    let request = app.bob().at_relay().request(Method::DELETE, &place);
    let answer = request.header("if-match", tag).send().await;
    refused(&answer, 412, "formalize:precondition-failed", json!({}));
    let current = get(app.bob(), &place).await;
    assert_eq!(answer.header("etag"), current.header("etag"));
    let request = app.bob().at_relay().request(Method::DELETE, &place);
    let current = current.header("etag").unwrap();
    success(&request.header("if-match", current).send().await, 204);
}

async fn all_submissions_are_deleted(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = open_form(&app, json!({})).await;
    let path = form_path(&form);
    for state in ["1", "4"] {
        item(
            &submit(
                app.bob(),
                &[Text("form", &path), Text("submissionState", state)],
            )
            .await,
            201,
        );
    }
    let all = query(SUBMISSIONS, &[("formIdentifier", &form)]);
    refused(&delete(app.bob(), &all).await, 403, "", json!({}));
    success(&delete(app.alice(), &all).await, 204);
    let left = members(&get(app.bob(), &list_of(&form)).await);
    let states: Vec<&Value> = left.iter().map(|one| &one["submissionState"]).collect();
    assert_eq!(states, [1]);
}
