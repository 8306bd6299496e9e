//! Requests that ask for much work do not keep others waiting.
//!
//! The whole service runs on the one thread of the test: whatever took long on it would keep every other request waiting.

use std::cell::Cell;
use std::future::Future;

use serde_json::{Value, json};

use crate::support::{Answer, App, FORMS, SUBMISSIONS, at, draft, id, submission};

/// How many light requests are answered at least while a heavy one is under way.
const MEANWHILE: usize = 20;

/// Texts that a pattern has to go through from each of their places, which takes long.
const SCHEMA: &str = r#"{"items": {"pattern": "(?=.*b)c"}}"#;

fn costly() -> String {
    json!(vec!["a".repeat(1_000); 15]).to_string()
}

/// Awaits a heavy request, and counts the light ones that are answered meanwhile.
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
            tokio::task::yield_now().await;
        }
        answered
    };
    tokio::join!(heavy, light)
}

async fn form(app: &App) -> String {
    let members = json!({
        "dataFeedSchema": SCHEMA, "allowedSubmissionStates": ["draft", "submitted"],
        "allowedActionsWhenSubmitted": ["manage"],
    });
    let form = app.open_form(members).await;
    // Its validator is known from now on.
    let light = submission(&form, r#"["c"]"#);
    app.bob()
        .post(SUBMISSIONS, light)
        .await
        .problem(400, "formalize:submission-invalid-json");
    form
}

#[tokio::test]
async fn others_are_answered_while_data_is_validated() {
    let app = App::new().await;
    let form = form(&app).await;
    let made = app
        .bob()
        .post(SUBMISSIONS, draft(&form, "[]"))
        .await
        .expect(201);
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
async fn heavy_data_that_is_valid_is_changed_all_the_same() {
    let app = App::new().await;
    let form = form(&app).await;
    let made = app
        .bob()
        .post(SUBMISSIONS, draft(&form, "[]"))
        .await
        .expect(201);
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

#[tokio::test]
async fn others_are_answered_while_a_schema_is_compiled() {
    let app = App::new().await;
    let known = form(&app).await;
    let fields: serde_json::Map<_, _> = (0..2_000)
        .map(|field| {
            (
                format!("field{field}"),
                json!({"type": "string", "pattern": format!("^a{field}")}),
            )
        })
        .collect();
    let schema = json!({ "properties": fields }).to_string();
    let alice = app.alice();
    let created = alice.post(FORMS, json!({ "name": "large", "dataFeedSchema": schema }));
    let (answer, light) = meanwhile(&app, &known, created).await;
    let large = id(&answer.expect(201));
    assert!(light >= MEANWHILE, "{light} light requests meanwhile");
    // Another server compiles it when the first submission comes.
    let again = app.again().await;
    let alice = again.alice();
    let made = alice.post(SUBMISSIONS, submission(&large, "{}"));
    let (answer, light) = meanwhile(&again, &known, made).await;
    answer.expect(201);
    assert!(light >= MEANWHILE, "{light} light requests meanwhile");
}
