//! Batches of submissions.

use std::sync::Arc;

use formalize_core::Store;
use formalize_http::config::Rate;
use formalize_http::rate::RateLimits;
use formalize_tests::on_every_store;
use poem::http::Method;
use serde_json::{Value, json};

use crate::support::{
    Actor, Answer, App, BATCH, NOW, NOWHERE, SUBMISSIONS, id, items, query, submission,
};

on_every_store![
    one_refusal_undoes_an_atomic_batch,
    other_batches_create_what_they_can,
    a_dry_run_creates_nothing,
    a_key_of_a_submission_is_used_once,
    a_batch_is_sent_again,
];

fn batch(form: &str, submissions: &[Value]) -> Value {
    json!({ "formIdentifier": form, "submissions": submissions })
}

fn data(data: &str) -> Value {
    json!({ "dataFeedElement": data })
}

fn keyed(key: &str, data: &str) -> Value {
    json!({ "dataFeedElement": data, "key": key })
}

/// A member of each result.
fn each<'v>(answer: &'v Value, member: &str) -> Vec<&'v Value> {
    let results = answer["results"].as_array().unwrap();
    results.iter().map(|result| &result[member]).collect()
}

async fn listed(app: &App, form: &str) -> Vec<String> {
    let parameters = [("formIdentifier", form), ("perPage", "1000")];
    let list = query(SUBMISSIONS, &parameters);
    let list = app.alice().get(&list).await.expect(200);
    items(&list).iter().map(id).collect()
}

async fn post(actor: Actor<'_>, key: &str, body: &Value) -> Answer {
    let request = actor.request(Method::POST, BATCH);
    request
        .header("idempotency-key", key)
        .json(body)
        .send()
        .await
}

#[tokio::test]
async fn a_batch_creates_its_submissions_in_their_order() {
    let app = App::new().await;
    let both = json!({ "allowedSubmissionStates": ["draft", "submitted"] });
    let form = app.open_form(both).await;
    let draft = json!({ "dataFeedElement": "[", "submissionState": "draft" });
    let draft_of_list = json!({ "dataFeedElement": "[]", "submissionState": "draft" });
    let sent = batch(&form, &[data("{}"), draft_of_list, json!({})]);
    let created = app.bob().post(BATCH, sent).await.expect(200);
    assert_eq!(each(&created, "status"), [201, 201, 201]);
    let states = each(&created, "submissionState");
    assert_eq!(states, ["submitted", "draft", "submitted"]);
    assert_eq!(each(&created, "dateCreated"), [NOW; 3]);
    let one = created["results"][0].as_object().unwrap();
    assert_eq!(one.len(), 4, "{created}");
    // A draft is visible only to who created it.
    let identifiers = each(&created, "identifier");
    let list = query(SUBMISSIONS, &[("formIdentifier", &form)]);
    let listed = app.alice().get(&list).await.expect(200);
    let submitted: Vec<_> = items(&listed).iter().map(|it| &it["identifier"]).collect();
    assert_eq!(submitted, [identifiers[0], identifiers[2]]);
    for (number, item) in items(&listed).iter().enumerate() {
        assert_eq!(item["creatorId"], "bob");
        let sent = [json!("{}"), Value::Null];
        assert_eq!(item["dataFeedElement"], sent[number]);
    }
    let malformed = batch(&form, &[draft]);
    let refused = app.bob().post(BATCH, malformed).await;
    refused.problem(400, "formalize:batch-refused");
}

async fn one_refusal_undoes_an_atomic_batch(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let rules =
        json!({ "dataFeedSchema": "{\"required\": [\"a\"]}", "maxNumSubmissionsPerCreator": 2 });
    let form = app.open_form(rules).await;
    let (good, bad) = (data("{\"a\": 1}"), data("{}"));
    let later = json!({ "dataFeedElement": "{\"a\": 1}", "submissionState": "later" });
    let sent = batch(&form, &[good.clone(), bad.clone(), later, good.clone()]);
    let refused = app.bob().post(BATCH, sent).await;
    let problem = refused.problem(400, "formalize:batch-refused");
    assert_eq!(problem["relay:errorDetails"], json!(["1", "2"]));
    assert_eq!(each(&problem, "status"), [424, 400, 400, 424]);
    assert_eq!(problem["results"][0], json!({ "status": 424 }));
    // The error of a submission is the one that it would get alone.
    let alone = submission(&form, "{}");
    let alone = app.bob().post(SUBMISSIONS, alone).await;
    let alone = alone.problem(400, "formalize:submission-invalid-json");
    assert_eq!(problem["results"][1]["error"], alone);
    assert!(listed(&app, &form).await.is_empty());
    // The third one exceeds the cap, but not the refused ones.
    let sent = batch(&form, &[good.clone(), good.clone(), good.clone()]);
    let refused = app.bob().post(BATCH, sent).await;
    let problem = refused.problem(400, "formalize:batch-refused");
    assert_eq!(problem["relay:errorDetails"], json!(["2"]));
    let cap = "formalize:max-num-form-submissions-per-creator-reached";
    assert_eq!(problem["results"][2]["error"]["relay:errorId"], cap);
    assert_eq!(problem["results"][2]["status"], 403);
    let sent = batch(&form, &[good.clone(), good]);
    app.bob().post(BATCH, sent).await.expect(200);
    assert_eq!(listed(&app, &form).await.len(), 2);
}

async fn other_batches_create_what_they_can(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    for cap in [Value::Null, json!(3)] {
        let rules = json!({ "maxNumSubmissions": cap });
        let form = app.open_form(rules).await;
        let mut sent = batch(
            &form,
            &[data("{}"), data("["), data("{}"), data("{}"), data("{}")],
        );
        sent["atomic"] = json!(false);
        let done = app.bob().post(BATCH, sent).await.expect(200);
        let last = if cap.is_null() { 201 } else { 403 };
        assert_eq!(each(&done, "status"), [201, 400, 201, 201, last]);
        let error = &done["results"][1]["error"]["relay:errorId"];
        assert_eq!(error, "formalize:submission-invalid-json");
        let created = if cap.is_null() { 4 } else { 3 };
        assert_eq!(listed(&app, &form).await.len(), created);
        let mut sent = batch(&form, &[data("["), data("{")]);
        sent["atomic"] = json!(false);
        let all_refused = app.bob().post(BATCH, sent).await.expect(200);
        let statuses = each(&all_refused, "status");
        assert_eq!(statuses[0].as_u64().unwrap() / 100, 4);
    }
}

async fn a_dry_run_creates_nothing(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = app
        .open_form(json!({ "maxNumSubmissionsPerCreator": 1 }))
        .await;
    for atomic in [true, false] {
        let mut sent = batch(&form, &[keyed("a", "{}"), keyed("a", "{}")]);
        sent["atomic"] = json!(atomic);
        sent["dryRun"] = json!(true);
        // The idempotency key is ignored.
        for _ in 0..2 {
            let checked = post(app.bob(), "k", &sent).await;
            assert_eq!(checked.header("idempotent-replayed"), None);
            let expected = json!({ "results": [
                { "status": 200, "submissionState": "submitted" },
                { "status": 200, "submissionState": "submitted", "replayed": true },
            ] });
            assert_eq!(checked.expect(200), expected);
        }
        sent["submissions"] = json!([data("{}"), data("{}")]);
        let checked = app.bob().post(BATCH, sent).await;
        if atomic {
            let problem = checked.problem(400, "formalize:batch-refused");
            assert_eq!(each(&problem, "status"), [424, 403]);
        } else {
            assert_eq!(each(&checked.expect(200), "status"), [200, 403]);
        }
    }
    assert!(listed(&app, &form).await.is_empty());
}

async fn a_key_of_a_submission_is_used_once(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = app.open_form(json!({})).await;
    let other_form = app.open_form(json!({})).await;
    for (atomic, key) in [(true, "\u{e4} 1"), (false, "\u{e4} 2")] {
        let send = async |form: &str, items: &[Value]| {
            let mut body = batch(form, items);
            body["atomic"] = json!(atomic);
            app.bob().post(BATCH, body).await
        };
        let twice = [keyed(key, "{}"), keyed(key, "{}")];
        let first = send(&form, &twice).await.expect(200);
        assert_eq!(each(&first, "status"), [201, 201]);
        assert_eq!(each(&first, "replayed"), [&Value::Null, &json!(true)]);
        let made = each(&first, "identifier");
        assert_eq!(made[0], made[1]);
        // Also with the other kind of batch, and after the submission is gone.
        app.alice()
            .delete(&format!("{SUBMISSIONS}/{}", made[0].as_str().unwrap()))
            .await
            .expect(204);
        let mut body = batch(&form, &[keyed(key, "{}"), data("{}")]);
        body["atomic"] = json!(!atomic);
        let again = app.bob().post(BATCH, body).await.expect(200);
        assert_eq!(each(&again, "replayed"), [&json!(true), &Value::Null]);
        assert_eq!(each(&again, "identifier")[0], made[0]);
        // Other data, and another state.
        let state = json!({ "dataFeedElement": "{}", "submissionState": "draft", "key": key });
        for other in [keyed(key, "{ }"), state] {
            let refused = send(&form, &[other]).await;
            let results = if atomic {
                refused.problem(400, "formalize:batch-refused")
            } else {
                refused.expect(200)
            };
            assert_eq!(results["results"][0]["status"], 422);
            let error = &results["results"][0]["error"]["relay:errorId"];
            assert_eq!(error, "formalize:idempotency-key-reused");
        }
        // Keys belong to a form and to a user.
        let elsewhere = send(&other_form, &[keyed(key, "{ }")]).await.expect(200);
        assert_eq!(each(&elsewhere, "replayed"), [&Value::Null]);
        let by_carol = app.carol().post(BATCH, batch(&form, &[keyed(key, "{ }")]));
        assert_eq!(
            each(&by_carol.await.expect(200), "replayed"),
            [&Value::Null]
        );
    }
}

async fn a_batch_is_sent_again(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = app.open_form(json!({ "maxNumSubmissions": 2 })).await;
    let sent = batch(&form, &[data("{}")]);
    let first = post(app.bob(), "atomic", &sent).await;
    let again = post(app.bob(), "\"atomic\"", &sent).await;
    assert_eq!(first.header("idempotent-replayed"), None);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(first.body, again.body);
    let other = batch(&form, &[data("{}"), data("{}")]);
    let reused = post(app.bob(), "atomic", &other).await;
    reused.refuse(422, "formalize:idempotency-key-reused", json!([]));
    // The first one is created, and the second one when there is a place.
    let mut rest = other;
    rest["atomic"] = json!(false);
    let partly = post(app.bob(), "each", &rest).await.expect(200);
    assert_eq!(each(&partly, "status"), [201, 403]);
    let more = json!({ "maxNumSubmissions": 5 });
    let form_url = format!("/formalize/forms/{form}");
    app.alice().patch(&form_url, more).await.expect(200);
    let retried = post(app.bob(), "each", &rest).await.expect(200);
    assert_eq!(each(&retried, "status"), [201, 201]);
    assert_eq!(each(&retried, "replayed"), [&json!(true), &Value::Null]);
    assert_eq!(
        each(&retried, "identifier")[0],
        each(&partly, "identifier")[0]
    );
    assert_eq!(listed(&app, &form).await.len(), 3);
    for (path, body) in [(BATCH, sent), (SUBMISSIONS, submission(&form, "{}"))] {
        let request = app.bob().request(Method::POST, path);
        let request = request.header("idempotency-key", "each").json(&body);
        let reused = request.send().await;
        reused.refuse(422, "formalize:idempotency-key-reused", json!([]));
    }
    assert_eq!(listed(&app, &form).await.len(), 3);
}

#[tokio::test]
async fn malformed_batches_are_refused() {
    let app = App::new().await;
    let form = app.open_form(json!({})).await;
    let required = |names: &[&str]| (422, "formalize:required-field-missing", json!(names));
    let invalid = |names: &[&str]| (400, "formalize:invalid-request-body", json!(names));
    let one = json!([{}]);
    let long = "\u{e4}".repeat(256);
    let rows = [
        (json!({}), required(&["formIdentifier", "submissions"])),
        (
            json!({ "formIdentifier": null, "submissions": one }),
            required(&["formIdentifier"]),
        ),
        (
            json!({ "formIdentifier": form }),
            required(&["submissions"]),
        ),
        (batch(&form, &[]), invalid(&["submissions"])),
        (
            json!({ "formIdentifier": form, "submissions": [{}, 3] }),
            invalid(&["submissions/1"]),
        ),
        (
            json!({ "formIdentifier": form, "submissions": one, "atomic": null, "dryRun": "yes", "x": 1 }),
            invalid(&["atomic", "dryRun", "x"]),
        ),
        (
            batch(&form, &[json!({ "dataFeedElement": {}, "y": 1 })]),
            invalid(&["submissions/0/dataFeedElement", "submissions/0/y"]),
        ),
        (
            batch(&form, &[json!({ "submissionState": null })]),
            invalid(&["submissions/0/submissionState"]),
        ),
        (
            batch(
                &form,
                &[keyed("", "{}"), keyed(&long, "{}"), keyed("a\nb", "{}")],
            ),
            invalid(&[
                "submissions/0/key",
                "submissions/1/key",
                "submissions/2/key",
            ]),
        ),
    ];
    for (body, (status, error, names)) in rows {
        let refused = app.bob().post(BATCH, body).await;
        refused.refuse(status, error, names);
    }
    for nothing in [NOWHERE, "x"] {
        let refused = app.bob().post(BATCH, batch(nothing, &[data("[")])).await;
        refused.refuse(404, "formalize:form-not-found", json!([]));
    }
    let closed = id(&app.form(json!({})).await);
    let refused = app.bob().post(BATCH, batch(&closed, &[data("[")])).await;
    refused.refuse(403, "formalize:forbidden", json!([]));
    assert!(listed(&app, &form).await.is_empty());
}

#[tokio::test]
async fn a_batch_has_a_maximum_size() {
    let app = App::new().await;
    let form = app.open_form(json!({})).await;
    let many = vec![data("{}"); 1_001];
    // The size is judged before missing members.
    for body in [batch(&form, &many), json!({ "submissions": many })] {
        let refused = app.bob().post(BATCH, body).await;
        refused.refuse(413, "formalize:payload-too-large", json!([]));
    }
    assert!(listed(&app, &form).await.is_empty());
    let created = app.bob().post(BATCH, batch(&form, &many[..1_000])).await;
    assert_eq!(each(&created.expect(200), "status"), [201; 1_000]);
    // Too much data in one submission is an error of that submission.
    let mut large = batch(&form, &[data(&format!("\"{}\"", "x".repeat(1 << 20)))]);
    large["atomic"] = json!(false);
    let refused = app.bob().post(BATCH, large).await.expect(200);
    assert_eq!(each(&refused, "status"), [413]);
}

#[tokio::test]
async fn each_hundred_submissions_count_as_a_request() {
    let rate = |text: &str| text.parse::<Rate>().unwrap();
    // Alice creates the form and opens it with two requests.
    let rates = RateLimits::new(rate("5/1h"), rate("off"), Vec::new());
    let app = App::new().await.rated(rates);
    let form = app.open_form(json!({})).await;
    let sent = batch(&form, &vec![data("{}"); 201]);
    app.bob().post(BATCH, sent.clone()).await.expect(200);
    let refused = app.bob().post(BATCH, sent).await;
    refused.refuse(429, "formalize:too-many-requests", json!([]));
    assert_eq!(listed(&app, &form).await.len(), 201);
}
