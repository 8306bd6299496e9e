use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::patience::until;

/// A command that runs a shell script instead of the server.
fn script(text: &str) -> ServerCommand {
    let command = ServerCommand::new().unwrap();
    let program = command.folder().join("program");
    fs::write(&program, format!("#!/bin/sh\n{text}")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    command.program(program)
}

/// Prints what the server prints on its first start, and shuts down cleanly and reports it when it is told to stop.
const SERVER: &str = r#"
    trap 'echo stopped; touch stopped; exit 0' TERM
    echo "$@ $FORMALIZE_LOG_FORMAT" >&2
    echo "admin token: fmz_secret"
    echo "listening on http://127.0.0.1:4711"
    echo "and on"
    while :; do sleep 0.05; done
"#;

#[tokio::test]
async fn a_server_is_started_and_stopped() {
    let command = script(SERVER)
        .arg("--base-url")
        .arg("http://x")
        .env("FORMALIZE_LOG_FORMAT", "json");
    let server = command.start().await.unwrap();
    assert_eq!(server.base_url(), "http://127.0.0.1:4711");
    assert_eq!(server.admin_token(), Some("fmz_secret"));
    assert_eq!(
        server.stderr().unwrap(),
        "--listen 127.0.0.1:0 --base-url http://x json\n"
    );
    let is_read = async || server.stdout().len() == 3;
    until("later output is read", is_read).await;
    assert!(server.id().is_some());
    assert!(server.terminate().await.unwrap().success());
    assert!(command.folder().join("stopped").exists());
}

#[tokio::test]
async fn a_server_can_be_killed_and_started_again_in_its_folder() {
    let command = script(SERVER).config("listen = 1").unwrap();
    let server = command.start().await.unwrap();
    server.kill_9().await.unwrap();
    assert!(!command.folder().join("stopped").exists());
    let again = command.start().await.unwrap();
    assert_eq!(
        fs::read_to_string(command.folder().join("formalize.toml")).unwrap(),
        "listen = 1"
    );
    drop(again);
    assert!(!command.folder().join("stopped").exists());
}

#[tokio::test]
async fn dropping_a_server_ends_its_process() {
    let server = script(SERVER).start().await.unwrap();
    let id = server.id().unwrap();
    drop(server);
    until("the process ends", async || !runs(id).await).await;
}

async fn runs(id: u32) -> bool {
    let asked = Command::new("sh")
        .args(["-c", "kill -0 \"$0\" 2>&1", &id.to_string()])
        .output();
    asked.await.unwrap().status.success()
}

#[tokio::test]
async fn a_server_that_fails_to_start_reports_why() {
    let failing = script("echo 'bad configuration' >&2; exit 2");
    let error = failing.start().await.unwrap_err().to_string();
    let expected =
        "formalize-server does not start: it has ended without listening\nbad configuration\n";
    assert_eq!(error, expected);
}

#[tokio::test]
async fn a_server_that_has_ended_cannot_be_killed() {
    let mut server = script("echo 'listening on http://127.0.0.1:4711'")
        .start()
        .await
        .unwrap();
    assert!(server.wait().await.unwrap().success());
    assert!(server.kill_9().await.is_err());
}

#[tokio::test]
async fn the_real_server_starts_and_stops() {
    let command = ServerCommand::new().unwrap();
    let server = command.start().await.unwrap();
    assert!(
        server.base_url().starts_with("http://127.0.0.1:"),
        "{}",
        server.base_url()
    );
    assert!(server.admin_token().unwrap().starts_with("fmz_"));
    server.kill_9().await.unwrap();
    let again = command.start().await.unwrap();
    assert_eq!(
        again.admin_token(),
        None,
        "the database is the one of the first start"
    );
    assert!(again.terminate().await.unwrap().success());
}

#[test]
fn the_programs_of_the_product_are_built() {
    for name in ["formalize-server", "formalize"] {
        assert!(binary(name).unwrap().is_file(), "{name}");
    }
    assert!(binary("formalize-client").is_err());
}
