//! Runs the programs of this folder as a reader would.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Output};

use formalize_tests::ServerCommand;
use reqwest::{Client, Method, StatusCode};

/// The output of a program, which must succeed.
fn printed(program: &str) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(program).output().unwrap();
    let errors = String::from_utf8_lossy(&stderr);
    assert!(status.success() && errors.is_empty(), "{status}: {errors}");
    String::from_utf8(stdout).unwrap()
}

#[test]
fn authorize_says_what_bob_may_do() {
    let printed = printed(env!("CARGO_BIN_EXE_authorize"));
    assert_eq!(printed, "Bob may borrow moby-dick\n");
}

/// A client of the application.
struct Person<'a> {
    key: &'a str,
    url: &'a str,
}

impl Person<'_> {
    async fn asks(&self, method: Method, path: &str, body: &'static str) -> (StatusCode, String) {
        let request = Client::new()
            .request(method, format!("{}{path}", self.url))
            .bearer_auth(self.key)
            .header("Content-Type", "application/json")
            .body(body);
        let answer = request.send().await.unwrap();
        (answer.status(), answer.text().await.unwrap())
    }

    async fn posts(&self, path: &str, body: &'static str) -> (StatusCode, String) {
        self.asks(Method::POST, path, body).await
    }

    async fn gets(&self, path: &str) -> String {
        let (status, text) = self.asks(Method::GET, path, "").await;
        assert_eq!(status, StatusCode::OK, "{text}");
        text
    }
}

const DINNER: &str = r#"{"name": "Dinner", "schema": {"required": ["guests"], "properties": {"guests": {"type": "integer"}}}}"#;

#[tokio::test]
async fn the_application_on_axum_has_forms() {
    let command = ServerCommand::new()
        .unwrap()
        .program(env!("CARGO_BIN_EXE_embed_in_axum"));
    let running = command.start().await.unwrap();
    let person = |key| Person {
        key,
        url: running.base_url(),
    };
    let (grace, alice, bob) = (
        person("key-of-grace"),
        person("key-of-alice"),
        person("key-of-bob"),
    );

    let (status, _) = person("a key that nobody has")
        .posts("/forms", DINNER)
        .await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    let (status, _) = alice.posts("/forms", DINNER).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "she is not on the board");
    let (status, created) = grace.posts("/forms", DINNER).await;
    assert_eq!(status, StatusCode::CREATED, "{created}");
    let id = created.split('"').nth(3).unwrap();
    let submissions = format!("/forms/{id}/submissions");

    assert_eq!(
        bob.gets("/forms").await,
        format!(r#"[{{"id":"{id}","name":"Dinner"}}]"#)
    );
    let (status, why) = bob.posts(&submissions, r#"{"guests": "two"}"#).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(why, "invalid data: /guests: must be an integer");
    for (who, data) in [(&alice, r#"{"guests":  1}"#), (&bob, r#"{"guests":  2}"#)] {
        assert_eq!(who.posts(&submissions, data).await.0, StatusCode::CREATED);
    }
    let (status, _) = bob.posts(&submissions, r#"{"guests": 3}"#).await;
    assert_eq!(status, StatusCode::CONFLICT, "he has answered already");
    let (status, _) = bob.posts("/forms/none/submissions", "{}").await;
    assert_eq!(status, StatusCode::NOT_FOUND);

    let (by_alice, by_bob) = (
        r#"{"by":"alice","data":"{\"guests\":  1}"}"#,
        r#"{"by":"bob","data":"{\"guests\":  2}"}"#,
    );
    assert_eq!(
        bob.gets(&submissions).await,
        format!("[{by_bob}]"),
        "his own only"
    );
    assert_eq!(
        grace.gets(&submissions).await,
        format!("[{by_alice},{by_bob}]")
    );
    assert!(running.terminate().await.unwrap().success());

    let again = command.start().await.unwrap();
    let grace = Person {
        key: "key-of-grace",
        url: again.base_url(),
    };
    assert!(
        grace.gets(&submissions).await.contains("alice"),
        "what was submitted is still there"
    );
    assert!(again.terminate().await.unwrap().success());
}
