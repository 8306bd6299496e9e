//! The first and last lines of a server, in both log formats.

use std::process::Command;

use formalize_tests::{ServerCommand, binary};
use serde_json::{Value, json};

use crate::client::Installation;

fn lines(log: &str) -> Vec<Value> {
    let lines = log.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

#[tokio::test]
async fn everything_but_the_token_and_the_address_is_json() {
    let command = ServerCommand::new().unwrap().arg("--log-format=json");
    let mut server = command.start().await.unwrap();
    let token = format!("admin token: {}", server.admin_token().unwrap());
    let stdout = server.stdout();
    assert_eq!(stdout[0], token);
    assert!(stdout[1].starts_with("sign in: http://"));
    let listening = lines(&stdout[2..].join("\n"));
    assert_eq!(listening.len(), 1);
    assert_eq!(listening[0]["url"], server.base_url());
    server.tell_to_stop().await.unwrap();
    assert!(server.wait().await.unwrap().success());
    assert_eq!(server.stdout().len(), 3);
    let log = lines(&server.stderr().unwrap());
    let migrated = log
        .iter()
        .any(|line| line["message"] == "applied all migrations to a new database");
    assert!(migrated, "{log:?}");
    assert_eq!(log.last().unwrap()["message"], "stopped");
}

#[tokio::test]
async fn the_server_warns_of_pages_without_encryption() {
    let warning = "pages are sent without encryption";
    for (base_url, warns) in [
        ("http://forms.example.org", true),
        ("https://forms.example.org", false),
    ] {
        let command = ServerCommand::new()
            .unwrap()
            .arg(format!("--base-url={base_url}"));
        let server = command.start().await.unwrap();
        let log = server.stderr().unwrap();
        assert_eq!(log.contains(warning), warns, "{log}");
        assert!(server.terminate().await.unwrap().success());
    }
}

#[tokio::test]
async fn the_server_starts_without_trusted_root_certificates_and_warns() {
    let command = ServerCommand::new()
        .unwrap()
        .env("SSL_CERT_FILE", "/nonexistent")
        .env("SSL_CERT_DIR", "/nonexistent");
    let server = command.start().await.unwrap();
    let log = server.stderr().unwrap();
    assert!(
        log.contains("webhooks cannot be sent to https:// URLs"),
        "{log}"
    );
    assert!(server.terminate().await.unwrap().success());
}

#[test]
fn errors_that_end_the_server_are_json() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = format!("listen = '{}'", taken.local_addr().unwrap());
    let json = "log_format = 'json'\n";
    for (config, arguments, code, message) in [
        (format!("{json}{taken}"), "serve", 1, "cannot listen on"),
        (
            format!("{json}lissten = 1"),
            "serve",
            2,
            "lissten: unknown key",
        ),
        (
            "=".to_owned(),
            "--log-format=json",
            2,
            "formalize.toml, line 1",
        ),
    ] {
        let command = ServerCommand::new().unwrap().config(&config).unwrap();
        let output = Command::new(binary("formalize-server").unwrap())
            .args(arguments.split_whitespace())
            .current_dir(command.folder())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
        let log = lines(&String::from_utf8(output.stderr).unwrap());
        let last = log.last().unwrap();
        assert_eq!(last["level"], "ERROR");
        assert!(
            last["message"].as_str().unwrap().contains(message),
            "{last}"
        );
    }
}

#[test]
fn the_first_line_tells_version_database_and_addresses() {
    // Nothing answers at this port, so the start fails after its first line.
    let url = "postgres://alice:hush@127.0.0.1:1/forms";
    let command = ServerCommand::new().unwrap();
    let start = |format: &str| {
        let output = Command::new(binary("formalize-server").unwrap())
            .args(["--listen=127.0.0.1:0", "--metrics-listen=127.0.0.1:0"])
            .args([
                "--database-wait=100ms",
                "--database-url",
                url,
                "--log-format",
                format,
            ])
            .current_dir(command.folder())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let log = start("json");
    assert!(!log.contains("hush"), "{log}");
    let first = &lines(&log)[0];
    assert_eq!(first["message"], "starting");
    assert_eq!(first["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(first["database"], "postgres://alice:***@127.0.0.1:1/forms");
    let metrics = first["metrics"].as_str().unwrap();
    assert!(metrics.starts_with("http://127.0.0.1:") && metrics.ends_with("/metrics"));
    let address = first["address"].as_str().unwrap();
    assert!(address.starts_with("http://127.0.0.1:") && !address.ends_with(":0"));

    let log = start("text");
    assert!(!log.contains("hush"), "{log}");
    let first = log.lines().next().unwrap();
    for part in [
        "starting version=\"",
        " database=postgres://alice:***@127.0.0.1:1/forms ",
        " address=\"http://127.0.0.1:",
        " metrics=\"http://127.0.0.1:",
    ] {
        assert!(first.contains(part), "{part} in {first}");
    }
}

#[tokio::test]
async fn the_server_warns_of_webhooks_without_an_event_log() {
    let warning = "the event log is off, so that webhooks send nothing";
    let installation = Installation::on_sqlite().await.unwrap();
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    let webhook = json!({ "formIdentifier": form, "url": "https://example.org/hook" });
    let (status, answer) = client.post("/formalize/webhooks", &webhook).await.unwrap();
    assert_eq!(status, 201, "{answer}");
    server.terminate().await.unwrap();
    for (is_on, warns) in [("true", false), ("false", true)] {
        let command = installation.command.clone();
        let command = command.env("FORMALIZE_EVENT_LOG", is_on);
        let server = command.start().await.unwrap();
        let log = server.stderr().unwrap();
        assert_eq!(log.contains(warning), warns, "{log}");
        server.terminate().await.unwrap();
    }
}
