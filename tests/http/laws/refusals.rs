//! Requests that would make refusals large.

use std::time::Duration;

use formalize_http::middleware::RequestLimits;
use poem::Response;
use poem::http::Method;
use serde_json::{Map, Value, json};

use crate::openapi::operations;
use crate::support::{App, BATCH, FORMS, SUBMISSIONS, at, draft, id, submission};

/// A large body that is wrong, for any operation.
fn wrong() -> Vec<(&'static str, String)> {
    let long = "n".repeat(60_000);
    let control = "\u{1}".repeat(10_000);
    let unknown: Map<String, Value> = (0..3_000)
        .map(|name| (format!("unknown {name}"), json!(1)))
        .collect();
    let items: Vec<Value> = (0..1_000).map(|_| json!({"n".repeat(50): 1})).collect();
    vec![
        ("unknown members", json!(unknown).to_string()),
        ("a long unknown member", json!({long.clone(): 1}).to_string()),
        ("an escaped unknown member", json!({control.clone(): 1}).to_string()),
        ("long values", json!({"name": long, "action": long, "submissionState": long, "tags": vec![control; 5]}).to_string()),
        ("wrong items", json!({"formIdentifier": 1, "submissions": items, "checks": items, "tags": items}).to_string()),
        ("a repeated member", format!("{{\"{long}\":1,\"{long}\":1}}")),
        ("brackets", "[".repeat(60_000)),
    ]
}

#[tokio::test]
async fn no_operation_has_a_large_refusal() {
    let app = App::new().await;
    for operation in operations(&app).await {
        let (is_post, is_patch) = (
            operation.method == Method::POST,
            operation.method == Method::PATCH,
        );
        if !is_post && !is_patch {
            continue;
        }
        let media = if is_patch {
            "application/merge-patch+json"
        } else {
            "application/json"
        };
        for (what, body) in wrong() {
            let asking = app
                .alice()
                .request(operation.method.clone(), &operation.path);
            // Every answer is checked.
            let answer = asking.header("content-type", media).body(body).send().await;
            assert!(answer.status.as_u16() >= 400, "{what}: {answer}");
        }
    }
}

/// A schema, and data that violates it as often, and at as long places, as possible.
fn violating() -> Vec<(&'static str, Value, String)> {
    let long = "n".repeat(60_000);
    let lists = json!({"additionalProperties": {"items": {"type": "string"}}});
    let members: Map<String, Value> = (0..50_000)
        .map(|name| (name.to_string(), json!(1)))
        .collect();
    vec![
        (
            "items",
            json!({"properties": {"a": {"items": {"type": "string"}}}}),
            json!({"a": vec![1; 200_000]}).to_string(),
        ),
        (
            "a long name",
            lists.clone(),
            json!({long.clone(): vec![1; 1_000]}).to_string(),
        ),
        (
            "escaped names",
            lists,
            json!({"\u{1}".repeat(400): vec![1; 1_000]}).to_string(),
        ),
        (
            "unknown members",
            json!({"additionalProperties": false}),
            json!(members).to_string(),
        ),
        (
            "a required name",
            json!({"required": [long]}),
            "{}".to_owned(),
        ),
        (
            "file rules",
            json!({"files": (0..50).map(|name| (format!("{name}{}", "\u{1f600}".repeat(120)), json!({"allowedMimeTypes": ["text/plain"]}))).collect::<Map<_, _>>()}),
            "{}".to_owned(),
        ),
    ]
}

#[tokio::test]
async fn no_rejected_data_has_a_large_refusal() {
    let app = App::new().await;
    for (what, schema, data) in violating() {
        let form = app
            .open_form(json!({"dataFeedSchema": schema.to_string()}))
            .await;
        let refused = app.bob().post(SUBMISSIONS, submission(&form, &data)).await;
        assert_eq!(refused.status.as_u16(), 400, "{what}: {refused}");
        let problem: Value = serde_json::from_slice(&refused.body).unwrap();
        let violations = problem["violations"].as_array().unwrap();
        assert!((1..=64).contains(&violations.len()), "{what}");
        assert!(
            refused.body.len() < 100 << 10,
            "{what}: {}",
            refused.body.len()
        );
    }
}

#[tokio::test]
async fn no_batch_has_a_large_refusal() {
    let app = App::new().await;
    for (what, schema, data) in violating() {
        let form = app
            .open_form(json!({"dataFeedSchema": schema.to_string()}))
            .await;
        let number = 1_000.min((3 << 20) / data.len());
        let items = vec![json!({"dataFeedElement": data}); number];
        for (is_atomic, is_dry) in [(true, false), (false, false), (false, true), (true, true)] {
            let batch = json!({"formIdentifier": form, "submissions": items, "atomic": is_atomic, "dryRun": is_dry});
            let answer = app.bob().post(BATCH, batch).await;
            // Not only refusals: the results of a batch that is not atomic are 200.
            assert!(
                answer.body.len() <= 256 << 10,
                "{what}: {}",
                answer.body.len()
            );
            let body: Value = serde_json::from_slice(&answer.body).unwrap();
            let results = body["results"].as_array().unwrap();
            assert_eq!(results.len(), number, "{what}");
            let detailed = results
                .iter()
                .filter(|result| result.get("error").is_some())
                .count();
            assert!((1..=64).contains(&detailed), "{what}: {detailed}");
            for result in results {
                let id = result["relay:errorId"]
                    .as_str()
                    .or(result["error"]["relay:errorId"].as_str());
                assert!(
                    id.is_some_and(|id| id.starts_with("formalize:submission-")),
                    "{what}: {result}"
                );
                assert_eq!(result["status"], 400, "{what}");
            }
        }
    }
}

#[tokio::test]
async fn later_results_of_a_batch_have_a_status_and_an_error_id_only() {
    let app = App::new().await;
    let schema = json!({"properties": {"age": {"type": "integer"}}});
    let form = app
        .open_form(json!({"dataFeedSchema": schema.to_string()}))
        .await;
    let items: Vec<Value> = (0..200)
        .map(|number| json!({"dataFeedElement": if number % 2 == 0 { r#"{"age": "x"}"# } else { "{}" }}))
        .collect();
    let batch = json!({"formIdentifier": form, "submissions": items, "atomic": false});
    let done = app.bob().post(BATCH, batch).await.expect(200);
    let refused: Vec<&Value> = done["results"]
        .as_array()
        .unwrap()
        .iter()
        .step_by(2)
        .collect();
    for early in &refused[..64] {
        assert_eq!(early["error"]["violations"][0]["instancePath"], "/age");
    }
    let late = json!({"status": 400, "relay:errorId": "formalize:submission-invalid-json"});
    assert!(
        refused[64..].iter().all(|result| **result == late),
        "{}",
        refused[64]
    );
    assert_eq!(done["results"][199]["status"], 201);
}

#[tokio::test]
async fn no_rejected_schema_has_a_large_refusal() {
    let app = App::new().await;
    let long = "n".repeat(60_000);
    let wrong: Map<String, Value> = (0..9_000)
        .map(|name| (name.to_string(), json!({"type": "x"})))
        .collect();
    for schema in [
        json!({"properties": wrong}),
        json!({"properties": {long.clone(): vec![1; 500]}}),
        json!({"allOf": vec![json!({"$ref": format!("#/{long}")}); 10]}),
        json!({"files": {"a": wrong}}),
    ] {
        let new = json!({"name": "wrong", "dataFeedSchema": schema.to_string()});
        app.alice()
            .post(FORMS, new)
            .await
            .problem(400, "formalize:form-invalid-data-feed-schema");
    }
}

/// A service whose responses have this budget, with a response that uses all of it.
async fn exhausted() -> (App, String, Response) {
    let limits = RequestLimits {
        body: 4 << 20,
        body_timeout: Duration::from_secs(30),
        bodies: 256 << 20,
        responses: 256 << 10,
        page_size: 10_000,
        key_retention: Duration::from_hours(24),
    };
    let app = App::new().await;
    let members = json!({
        "dataFeedSchema": json!({"additionalProperties": {"items": {"type": "string"}}}).to_string(),
        "allowedSubmissionStates": ["draft", "submitted"], "allowedActionsWhenSubmitted": ["manage"],
    });
    let form = app.open_form(members).await;
    let large = json!({"a": vec!["x".repeat(1_000); 300]}).to_string();
    let made = app
        .bob()
        .post(SUBMISSIONS, submission(&form, &large))
        .await
        .expect(201);
    let app = app.with_limited_pages(limits);
    let path = at(SUBMISSIONS, &id(&made));
    let held = app.bob().request(Method::GET, &path).begin().await;
    assert_eq!(held.status().as_u16(), 200);
    (app, form, held)
}

/// Data whose refusal is large.
fn verbose() -> String {
    let names = (0..100).map(|name| (format!("{name:0>450}"), json!([1])));
    json!(names.collect::<Map<_, _>>()).to_string()
}

#[tokio::test]
async fn a_large_refusal_counts_and_is_sent_without_details_instead() {
    let (app, form, held) = exhausted().await;
    let draft = app
        .bob()
        .post(SUBMISSIONS, draft(&form, "{}"))
        .await
        .expect(201);
    let draft = at(SUBMISSIONS, &id(&draft));
    let submit = json!({"dataFeedElement": verbose(), "submissionState": "submitted"});
    let batch = json!({"formIdentifier": form, "submissions": vec![json!({"dataFeedElement": verbose()}); 5]});
    let mut lax = batch.clone();
    lax["atomic"] = json!(false);
    let ask = async || {
        let bob = app.bob();
        [
            bob.post(SUBMISSIONS, submission(&form, &verbose())).await,
            bob.patch(&draft, submit.clone()).await,
            bob.post(BATCH, batch.clone()).await,
            bob.post(BATCH, lax.clone()).await,
        ]
    };
    let brief = ask().await;
    drop(held);
    let detailed = ask().await;
    for (brief, detailed) in brief.iter().zip(&detailed) {
        assert_eq!(brief.status, detailed.status, "{brief}");
        assert!(detailed.body.len() > 64 << 10, "{}", detailed.body.len());
        assert!(brief.body.len() < 2_000, "{brief}");
        let body: Value = serde_json::from_slice(&brief.body).unwrap();
        let is_named =
            body["relay:errorId"].is_string() || body["results"][4]["relay:errorId"].is_string();
        assert!(is_named, "{body}");
    }
    assert_eq!(
        app.bob().get(&draft).await.expect(200)["submissionState"],
        "draft"
    );
}

#[tokio::test]
async fn a_large_page_counts() {
    let (app, _, held) = exhausted().await;
    let questions = (0..900).map(|at| (format!("q{at}"), json!({"type": "string"})));
    let schema = json!({"properties": questions.collect::<Map<_, _>>(), "required": ["q0"]});
    let form = app
        .open_form(json!({"dataFeedSchema": schema.to_string()}))
        .await;
    let cookie = format!("__Host-formalize={}", app.session("bob").await);
    let path = format!("/f/{form}");
    let request = |method| {
        let request = app.anon().request(method, &path);
        request.header("cookie", &cookie)
    };
    assert_eq!(request(Method::GET).send().await.status.as_u16(), 503);
    drop(held);
    let page = request(Method::GET).send().await;
    assert_eq!(page.status.as_u16(), 200);
    assert!(page.body.len() > 64 << 10);

    // A page that says what is wrong keeps its status without memory for the rest.
    let text = String::from_utf8(page.body).unwrap();
    // The first one is for signing out.
    let (_, token) = text.rsplit_once("name=\"token\" value=\"").unwrap();
    let token = token.split_once('"').unwrap().0;
    let send = async || {
        let request = request(Method::POST).header("origin", "https://forms.example.org");
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        let request = request.header("accept-encoding", "gzip");
        let refused = request.body(format!("token={token}&do=send")).send().await;
        assert_eq!(refused.status.as_u16(), 422, "{}", refused.asked);
        refused
    };
    let held = request(Method::GET).begin().await;
    let brief = send().await;
    assert_eq!(brief.header("content-encoding"), None);
    assert!(
        String::from_utf8(brief.body)
            .unwrap()
            .contains("The service is busy")
    );
    drop(held);
    assert_eq!(send().await.header("content-encoding"), Some("gzip"));
}
