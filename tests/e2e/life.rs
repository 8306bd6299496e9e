//! Start, shutdown, and endpoints without credentials.

use std::fs;
use std::path::Path;

use formalize_tests::{ServerCommand, TestDatabase, binary};
use serde_json::Value;

use crate::client::Installation;

#[tokio::test]
async fn the_first_start_on_sqlite_creates_an_administrator_once() {
    let command = ServerCommand::new().unwrap();
    let server = command.start().await.unwrap();
    let token = server.admin_token().unwrap().to_owned();
    assert!(token.starts_with("fmz_") && token.len() > 40, "{token}");
    let lines = server.stdout();
    let [first, sign_in, last] = lines.as_slice() else {
        panic!("{lines:?}");
    };
    assert_eq!(*first, format!("admin token: {token}"));
    let code = sign_in.strip_prefix(&format!("sign in: {}/sign-in/first/", server.base_url()));
    assert_eq!(code.unwrap().len(), 40, "{sign_in}");
    assert_eq!(*last, format!("listening on {}", server.base_url()));
    assert!(server.terminate().await.unwrap().success());

    let server = command.start().await.unwrap();
    assert_eq!(server.stdout().len(), 1, "the database has been used");
    let forms = format!("{}/formalize/forms", server.base_url());
    let created = reqwest::Client::new()
        .post(forms)
        .bearer_auth(token)
        .json(&serde_json::json!({"name": "A form"}));
    assert_eq!(
        created.send().await.unwrap().status(),
        201,
        "the administrator stays one"
    );
}

#[tokio::test]
async fn a_server_that_cannot_listen_creates_nothing() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    for line in [
        ["--listen", &taken, "--metrics-listen", "127.0.0.1:0"],
        ["--listen", "127.0.0.1:0", "--metrics-listen", &taken],
    ] {
        let command = ServerCommand::new().unwrap();
        let output = std::process::Command::new(binary("formalize-server").unwrap())
            .args(line)
            .current_dir(command.folder())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(
            error.contains(&format!("error: cannot listen on {taken}: ")),
            "{error}"
        );
        let files = fs::read_dir(command.folder()).unwrap();
        assert_eq!(files.count(), 0, "it has left files behind");
    }
}

#[tokio::test]
async fn no_token_is_printed_with_a_configured_administrator() {
    let command = ServerCommand::new()
        .unwrap()
        .config("administrators = 'user.id == \"grace\"'")
        .unwrap();
    let server = command.start().await.unwrap();
    assert_eq!(server.admin_token(), None);
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn the_first_start_on_postgresql_creates_no_administrator() {
    let database = TestDatabase::empty().await.unwrap();
    let command = ServerCommand::new()
        .unwrap()
        .env("FORMALIZE_DATABASE_URL", database.url());
    let server = command.start().await.unwrap();
    assert_eq!(server.admin_token(), None);
}

#[tokio::test]
async fn endpoints_without_credentials_are_answered() {
    let server = ServerCommand::new().unwrap().start().await.unwrap();
    for path in ["/healthz", "/readyz", "/version", "/openapi.json", "/docs"] {
        let answer = reqwest::get(format!("{}{path}", server.base_url()))
            .await
            .unwrap();
        assert_eq!(answer.status(), 200, "{path}");
    }
    let page = reqwest::get(format!("{}/docs", server.base_url()))
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    let fetched: Vec<&str> = ["src=\"http", "href=\"http", "@import"]
        .into_iter()
        .filter(|tag| page.contains(tag))
        .collect();
    assert!(
        fetched.is_empty(),
        "the documentation loads something from elsewhere: {fetched:?}"
    );
}

#[tokio::test]
async fn the_program_prints_the_reviewed_and_served_document() {
    let server = ServerCommand::new().unwrap().start().await.unwrap();
    let answer: Value = reqwest::get(format!("{}/openapi.json", server.base_url()))
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let program = binary("formalize-server").unwrap();
    let printed = std::process::Command::new(program)
        .arg("openapi")
        .output()
        .unwrap();
    assert!(printed.status.success());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let checked_in = fs::read_to_string(root.join("openapi.json")).unwrap();
    assert_eq!(
        String::from_utf8(printed.stdout).unwrap(),
        checked_in,
        "write it again, see CONTRIBUTING.md"
    );
    assert_eq!(answer, serde_json::from_str::<Value>(&checked_in).unwrap());
}

#[tokio::test]
async fn an_invalid_configuration_stops_the_start() {
    for config in [
        "listne = \"127.0.0.1:0\"",
        "administrators = 'user.id =='",
        "listen = \"nowhere\"",
    ] {
        let command = ServerCommand::new().unwrap().config(config).unwrap();
        let error = command.start().await.err().map(|error| error.to_string());
        assert!(error.is_some(), "{config}");
        let program = binary("formalize-server").unwrap();
        let checked = std::process::Command::new(program)
            .args(["config", "check"])
            .current_dir(command.folder())
            .output()
            .unwrap();
        assert_eq!(checked.status.code(), Some(2), "{config}");
        assert!(!checked.stderr.is_empty(), "{config}");
    }
}

#[tokio::test]
async fn a_token_works_at_once_and_is_revoked_within_a_second() {
    let installation = Installation::on_sqlite().await.unwrap();
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    assert_eq!(client.get("/formalize/forms").await.unwrap().0, 200);
    let tokens = installation
        .cli(&["tokens", "list", "-o", "json"])
        .await
        .unwrap();
    assert!(!tokens.contains("fmz_"), "{tokens}");
    let tokens: Value = serde_json::from_str(&tokens).unwrap();
    let id = tokens[0]["identifier"].as_str().unwrap();
    installation.cli(&["tokens", "revoke", id]).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    assert_eq!(client.get("/formalize/forms").await.unwrap().0, 401);
}
