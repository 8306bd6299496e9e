//! Users of an OpenID Connect issuer, with the real programs.

use std::process::Output;

use formalize_core::{Clock, SystemClock};
use formalize_tests::issuer::{Behaviour, TestIssuer, TestKey};
use formalize_tests::patience::until;
use formalize_tests::{ServerCommand, binary};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tokio::process::Command;

/// A token that is valid for ten minutes.
fn token(issuer: &TestIssuer, roles: &Value) -> String {
    let now = SystemClock.now().as_millis() / 1000;
    let header = json!({"alg": "ES256", "kid": "first", "typ": "JWT"});
    let claims = json!({
        "iss": issuer.url(), "aud": ["formalize"], "sub": "jane", "exp": now + 600,
        "realm_access": {"roles": roles},
    });
    TestKey::Ec.sign(&header, &claims).unwrap()
}

fn configuration(issuer: &TestIssuer) -> String {
    format!(
        "[policies]\ncreate_forms = '\"staff\" in user.attributes.roles'\n\
         [[issuers]]\nissuer = '{}'\naudience = 'formalize'\n\
         attributes = {{ roles = 'realm_access.roles' }}\n",
        issuer.url()
    )
}

async fn start_issuer() -> TestIssuer {
    TestIssuer::start(&[TestKey::Ec.jwk("first").unwrap()])
        .await
        .unwrap()
}

#[tokio::test]
async fn claims_of_a_token_reach_a_policy() {
    let issuer = start_issuer().await;
    let command = ServerCommand::new().unwrap();
    let command = command.config(&configuration(&issuer)).unwrap();
    let server = command.start().await.unwrap();
    assert_eq!(
        server.admin_token(),
        None,
        "where an issuer knows people, no token is printed"
    );
    // The keys are fetched before the first request.
    until("the keys are fetched", async || issuer.fetches() > 0).await;
    let forms = format!("{}/formalize/forms", server.base_url());
    for (roles, expected) in [
        (json!(["staff"]), StatusCode::CREATED),
        (json!(["guest"]), StatusCode::FORBIDDEN),
        (json!(null), StatusCode::FORBIDDEN),
    ] {
        let request = Client::new()
            .post(&forms)
            .bearer_auth(token(&issuer, &roles))
            .json(&json!({"name": "A form"}));
        let status = request.send().await.unwrap().status();
        assert_eq!(status, expected, "{roles}");
    }
    assert_eq!(issuer.fetches(), 1);
}

/// An issuer may give anybody the name of the administrator of the first start.
#[tokio::test]
async fn with_an_issuer_the_first_administrator_is_ignored() {
    let mut command = ServerCommand::new().unwrap();
    let server = command.start().await.unwrap();
    let admin = server.admin_token().unwrap().to_owned();
    assert!(server.terminate().await.unwrap().success());

    let issuer = start_issuer().await;
    let ignored = "the administrator of the first start is ignored";
    let issuers = configuration(&issuer);
    let administrators = format!("administrators = 'user.id == \"admin\"'\n{issuers}");
    let foreign = formalize(&command, &["groups", "create", "Foreign", "-o", "json"]).await;
    let foreign: Value = serde_json::from_slice(&foreign.stdout).unwrap();
    let foreign = foreign["identifier"].as_str().unwrap();
    let (forbidden, no) = (StatusCode::FORBIDDEN, Some(5));
    for (configuration, warns, status, exit, manages_everything) in [
        (&issuers, true, forbidden, no, false),
        (&administrators, false, StatusCode::CREATED, Some(0), false),
        (&String::new(), false, StatusCode::CREATED, Some(0), true),
    ] {
        command = command.config(configuration).unwrap();
        let server = command.start().await.unwrap();
        let log = server.stderr().unwrap();
        let warning = log.lines().find(|line| line.contains(ignored));
        assert_eq!(warning.is_some(), warns, "{log}");
        assert!(
            warning.is_none_or(|line| line.contains("user=admin")),
            "{log}"
        );
        let groups = format!("{}/authorization/groups", server.base_url());
        let created = Client::new().post(&groups).bearer_auth(&admin);
        let created = created.json(&json!({"name": "A group"})).send().await;
        assert_eq!(created.unwrap().status(), status, "{configuration}");
        let read = Client::new().get(format!("{groups}/{foreign}"));
        let read = read.bearer_auth(&admin).send().await.unwrap();
        assert_eq!(read.status() == StatusCode::OK, manages_everything);
        assert!(server.terminate().await.unwrap().success());

        // The command line reads the same file and decides alike.
        let create = ["--as", "admin", "groups", "create", "Another"];
        let created = formalize(&command, &create).await;
        assert_eq!(created.status.code(), exit, "{created:?}");
        let read = formalize(&command, &["--as", "admin", "groups", "show", foreign]).await;
        assert_eq!(read.status.success(), manages_everything, "{read:?}");
    }
}

/// Runs the command line in the folder of a server.
async fn formalize(server: &ServerCommand, words: &[&str]) -> Output {
    Command::new(binary("formalize").unwrap())
        .args(words)
        .current_dir(server.folder())
        .output()
        .await
        .unwrap()
}

#[tokio::test]
async fn a_server_starts_while_its_issuer_is_down() {
    let issuer = start_issuer().await;
    issuer.behave(Behaviour::Hangs);
    let command = ServerCommand::new().unwrap();
    let command = command.config(&configuration(&issuer)).unwrap();
    let server = command.start().await.unwrap();
    let health = format!("{}/healthz", server.base_url());
    assert_eq!(reqwest::get(health).await.unwrap().status(), 200);
    assert!(server.terminate().await.unwrap().success());
}

#[tokio::test]
async fn both_programs_read_a_file_with_issuers() {
    let issuer = start_issuer().await;
    let command = ServerCommand::new().unwrap();
    let command = command.config(&configuration(&issuer)).unwrap();
    let run = async |program: &str, arguments: &[&str]| {
        let program = binary(program).unwrap();
        let mut program = Command::new(program);
        let program = program.args(arguments).current_dir(command.folder());
        program.output().await.unwrap()
    };
    let shown = run("formalize-server", &["config", "check"]).await;
    let settings = String::from_utf8(shown.stdout).unwrap();
    assert!(
        shown.status.success() && settings.contains(issuer.url()),
        "{settings}"
    );

    let migrated = run("formalize", &["migrate", "up"]).await;
    assert!(migrated.status.success(), "{migrated:?}");
    let created = run("formalize", &["tokens", "create", "--user", "grace"]).await;
    let complaints = String::from_utf8(created.stderr).unwrap();
    assert!(
        created.status.success() && !complaints.contains("issuers"),
        "{complaints}"
    );

    let incomplete = configuration(&issuer).replace("audience = 'formalize'\n", "");
    std::fs::write(command.folder().join("formalize.toml"), incomplete).unwrap();
    for arguments in [&["config", "check"][..], &["serve"]] {
        let refused = run("formalize-server", arguments).await;
        let complaints = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{complaints}");
        assert!(
            complaints.contains("issuers[0].audience: missing"),
            "{complaints}"
        );
    }
}
