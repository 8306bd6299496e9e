//! Expensive requests must not delay others.
//!
//! The whole service runs on the single thread of the test, so any long computation on it would delay every other
//! request.

use std::cell::Cell;
use std::env;
use std::future::Future;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use formalize_core::{OffloadError, offload};
use formalize_pages::PageSetup;
use formalize_tests::patience::in_time;
use poem::http::Method;
use serde_json::{Value, json};
use tokio::task::{JoinHandle, yield_now};

use crate::support::{
    Answer, App, BASE, FORM_LINKS, FORMS, SUBMISSIONS, at, draft, id, submission,
};

/// The time limit for every request in a release build. Debug builds are too slow to check.
const PATIENCE: Duration = Duration::from_millis(100);

/// The number of light requests that must be answered during a heavy one. If it occupied the thread, there would be one at
/// most.
const MEANWHILE: usize = 5;

/// Matching this pattern is expensive because it must be tried from every position of the text.
const SCHEMA: &str = r#"{"items": {"pattern": "(?=.*b)c"}}"#;

fn costly() -> String {
    json!(vec!["a".repeat(1_000); 15]).to_string()
}

/// Awaits a heavy request, and counts the light ones answered meanwhile.
async fn meanwhile(app: &App, form: &str, heavy: impl Future<Output = Answer>) -> (Answer, usize) {
    let done = Cell::new(false);
    let heavy = async {
        let answer = heavy.await;
        done.set(true);
        answer
    };
    let light = async {
        let mut answered = 0;
        while !done.get() {
            app.anon().get("/healthz").await.expect(200);
            app.alice().get(&at(FORMS, form)).await.expect(200);
            answered += 1;
            yield_now().await;
        }
        answered
    };
    tokio::join!(heavy, light)
}

/// A form without submissions, whose schema has not been compiled by this server.
async fn new_form(app: &App) -> String {
    let members = json!({
        "dataFeedSchema": SCHEMA, "allowedSubmissionStates": ["draft", "submitted"],
        "allowedActionsWhenSubmitted": ["manage"],
    });
    app.open_form(members).await
}

async fn form(app: &App) -> String {
    let form = new_form(app).await;
    // From now on the compiled schema is cached.
    let light = submission(&form, r#"["c"]"#);
    app.bob()
        .post(SUBMISSIONS, light)
        .await
        .problem(400, "formalize:submission-invalid-json");
    form
}

async fn new_draft(app: &App, form: &str) -> Value {
    let draft = draft(form, "[]");
    app.bob().post(SUBMISSIONS, draft).await.expect(201)
}

#[tokio::test]
async fn other_requests_are_answered_while_data_is_validated() {
    let app = App::new().await;
    let form = form(&app).await;
    let made = new_draft(&app, &form).await;
    let bob = app.bob();
    let data = costly();
    let path = at(SUBMISSIONS, &id(&made));
    let change: Value = json!({ "dataFeedElement": data });
    for request in [false, true] {
        let heavy = async {
            if request {
                bob.patch(&path, change.clone()).await
            } else {
                bob.post(SUBMISSIONS, submission(&form, &data)).await
            }
        };
        let (answer, light) = meanwhile(&app, &form, heavy).await;
        let problem = answer.problem(400, "formalize:submission-invalid-json");
        assert_eq!(problem["violations"][0]["keyword"], "pattern");
        assert!(light >= MEANWHILE, "{light} light requests meanwhile");
    }
    let kept = app.bob().get(&path).await.expect(200);
    assert_eq!(
        kept["submissionState"], "draft",
        "what was refused has changed nothing"
    );
}

#[tokio::test]
async fn large_valid_data_can_be_changed() {
    let app = App::new().await;
    let form = form(&app).await;
    let made = new_draft(&app, &form).await;
    let data = json!(vec![json!({"k": "x".repeat(2_000)}); 100]).to_string();
    let changed = app
        .bob()
        .patch(
            &at(SUBMISSIONS, &id(&made)),
            json!({ "dataFeedElement": data }),
        )
        .await;
    assert_eq!(changed.expect(200)["dataFeedElement"], data);
}

/// A schema with many patterns.
fn large() -> String {
    let fields: serde_json::Map<_, _> = (0..2_000)
        .map(|field| {
            (
                format!("field{field}"),
                json!({"type": "string", "pattern": format!("^a{field}")}),
            )
        })
        .collect();
    json!({ "properties": fields }).to_string()
}

#[tokio::test]
async fn other_requests_are_answered_while_a_schema_is_compiled() {
    let app = App::new().await;
    let known = form(&app).await;
    let alice = app.alice();
    let created = alice.post(FORMS, json!({ "name": "large", "dataFeedSchema": large() }));
    let (answer, light) = meanwhile(&app, &known, created).await;
    let large = id(&answer.expect(201));
    assert!(light >= MEANWHILE, "{light} light requests meanwhile");
    // Another server compiles it when it gets the first submission.
    let again = app.again().await;
    let alice = again.alice();
    let made = alice.post(SUBMISSIONS, submission(&large, "{}"));
    let (answer, light) = meanwhile(&again, &known, made).await;
    answer.expect(201);
    assert!(light >= MEANWHILE, "{light} light requests meanwhile");
}

/// A response that must arrive within the time limit.
async fn quick(name: &str, ask: impl AsyncFn() -> Answer) -> Answer {
    let mut took = Duration::MAX;
    // Retries, because the machine may have paused.
    for _ in 0..10 {
        let begin = Instant::now();
        let answer = ask().await;
        took = took.min(begin.elapsed());
        if cfg!(debug_assertions) || took <= PATIENCE {
            eprintln!("{name}: {took:?}");
            return answer;
        }
    }
    panic!("{name}: {took:?}");
}

#[tokio::test]
async fn heavy_requests_are_answered_in_time() {
    let app = App::new().await;
    let form = form(&app).await;
    let (alice, bob) = (app.alice(), app.bob());
    let data = submission(&form, &costly());
    quick("costly data", async || {
        bob.post(SUBMISSIONS, data.clone()).await
    })
    .await
    .problem(400, "formalize:submission-invalid-json");
    let filled = json!(vec![json!({"k": "x".repeat(2_000)}); 500]).to_string();
    let data = submission(&form, &filled);
    quick("large data", async || {
        bob.post(SUBMISSIONS, data.clone()).await
    })
    .await
    .expect(201);
    let creation = json!({ "name": "large", "dataFeedSchema": large() });
    quick("a schema of many patterns", async || {
        alice.post(FORMS, creation.clone()).await
    })
    .await
    .expect(201);
    let deep = format!("{{\"name\":{}}}", "[".repeat(1_000_000));
    let deep = json!({ "name": "deep", "dataFeedSchema": deep });
    quick("a schema of nothing but brackets", async || {
        alice.post(FORMS, deep.clone()).await
    })
    .await
    .problem(400, "formalize:form-invalid-data-feed-schema");
}

/// Set in a separate process that runs a single test.
const ALONE: &str = "FORMALIZE_TEST_ALONE";

/// Fills all slots for heavy work and the queue with work that runs until it is told to end.
async fn fill_the_line(end: &Arc<AtomicBool>) -> Vec<JoinHandle<Result<(), OffloadError>>> {
    let mut works = Vec::new();
    for _ in 0..100_000 {
        let end = Arc::clone(end);
        let work = tokio::spawn(offload(move || {
            while !end.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(1));
            }
        }));
        yield_now().await;
        if work.is_finished() {
            assert_eq!(work.await.unwrap(), Err(OffloadError::TooMuchWaiting));
            return works;
        }
        works.push(work);
    }
    panic!("the queue is not bounded");
}

/// The queue belongs to the process, in which other tests may be running.
#[test]
fn a_full_queue_of_heavy_work_is_rejected_at_once() {
    let alone = Command::new(env::current_exe().unwrap())
        .args(["--exact", "hostile::a_full_queue_in_a_separate_process"])
        .env(ALONE, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&alone.stdout);
    assert!(alone.status.success(), "{said}");
    assert!(said.contains("1 passed"), "{said}");
}

/// Does nothing unless [`a_full_queue_of_heavy_work_is_rejected_at_once`] starts it.
#[tokio::test]
async fn a_full_queue_in_a_separate_process() {
    if env::var_os(ALONE).is_none() {
        return;
    }
    let app = App::new().await;
    let form = form(&app).await;
    let plain = app.open_form(json!({ "name": "plain" })).await;
    let light = submission(&plain, "{}");
    app.bob().post(SUBMISSIONS, light.clone()).await.expect(201);
    let saved = draft(&new_form(&app).await, r#"["cb"]"#);
    let saved = at(
        SUBMISSIONS,
        &id(&app.bob().post(SUBMISSIONS, saved).await.expect(201)),
    );
    let end = Arc::new(AtomicBool::new(false));
    let works = fill_the_line(&end).await;
    let (alice, bob) = (app.alice(), app.bob());
    // The first waits with its body, the second with its data.
    let creation = json!({ "name": "another", "dataFeedSchema": SCHEMA });
    for asked in [false, true] {
        let asked = async {
            if asked {
                bob.post(SUBMISSIONS, submission(&form, &costly())).await
            } else {
                alice.post(FORMS, creation.clone()).await
            }
        };
        // It would wait until the work ends.
        let answer = in_time("a full queue rejects at once", asked).await;
        answer.problem(503, "formalize:service-unavailable");
        assert_eq!(answer.header("retry-after"), Some("1"));
    }
    bob.post(SUBMISSIONS, light).await.expect(201);
    // Code that holds locks must not wait in the queue, because all who wait for those locks would wait with it.
    let submitted = bob.patch(&saved, json!({ "submissionState": "submitted" }));
    let submitted = in_time("it does not wait", submitted).await;
    submitted.expect(200);

    end.store(true, Ordering::SeqCst);
    for work in works {
        assert_eq!(work.await.unwrap(), Ok(()));
    }
    alice.post(FORMS, creation).await.expect(201);
    bob.post(SUBMISSIONS, submission(&form, &costly()))
        .await
        .problem(400, "formalize:submission-invalid-json");
}

/// The path of a public link to a form with this schema.
async fn linked(app: &App, schema: &Value) -> String {
    let form = app
        .form(json!({ "dataFeedSchema": schema.to_string() }))
        .await;
    let new = json!({ "formIdentifier": id(&form) });
    let link = app.alice().post(FORM_LINKS, new).await.expect(201);
    let url = link["url"].as_str().unwrap();
    url.strip_prefix(BASE).unwrap().to_owned()
}

#[tokio::test]
async fn a_choice_that_is_sent_thousands_of_times_is_refused() {
    let app = App::new().await.with_pages(PageSetup::default());
    let options: Vec<String> = (0..1_000).map(|at| format!("option {at}")).collect();
    let chosen = json!({ "type": "array", "uniqueItems": true, "items": { "enum": options } });
    let path = linked(&app, &json!({ "properties": { "chosen": chosen } })).await;
    let body = format!("do=show&{}", vec!["%2Fchosen=option+999"; 1_999].join("&"));
    let sent = app.anon().request(Method::POST, &path);
    let sent = sent.header("content-type", "application/x-www-form-urlencoded");
    let refused = sent.body(body).send().await;
    assert_eq!(refused.status.as_u16(), 400, "{refused}");
}
