//! What the first starts on a database tell the operator, until somebody can use the service.

use std::process::Stdio;

use formalize_tests::{ServerCommand, TestDatabase, binary};
use reqwest::StatusCode;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

/// Runs the command line beside a server that has been started with this command, with the same database.
async fn formalize(command: &ServerCommand, database: Option<&str>, words: &[&str]) -> String {
    let mut program = Command::new(binary("formalize").unwrap());
    program.args(words).current_dir(command.folder());
    if let Some(url) = database {
        program.env("FORMALIZE_DATABASE_URL", url);
    }
    let output = program.output().await.unwrap();
    assert!(output.status.success(), "{words:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Starts the server, creates a form with this token, and returns the status with the warnings of the log.
async fn attempt(command: &ServerCommand, token: &str) -> (StatusCode, Vec<String>) {
    let server = command.start().await.unwrap();
    assert_eq!(server.admin_token(), None);
    let forms = format!("{}/formalize/forms", server.base_url());
    let created = reqwest::Client::new().post(forms).bearer_auth(token);
    let created = created.json(&json!({"name": "A form"})).send().await;
    let log = server.stderr().unwrap();
    let warnings = log.lines().filter(|line| line.contains("WARN"));
    let warnings = warnings.map(str::to_owned).collect();
    assert!(server.terminate().await.unwrap().success());
    (created.unwrap().status(), warnings)
}

/// The start says in one line what is missing, step by step, and nothing once somebody can create forms.
async fn each_start_says_what_is_missing(command: ServerCommand, database: Option<&str>) {
    let (status, warnings) = attempt(&command, "fmz_unknown").await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    let [warning] = warnings.as_slice() else {
        panic!("{warnings:?}");
    };
    let setting = "administrators = 'user.id == \"admin\"'";
    let create = "formalize tokens create --user admin";
    assert!(
        warning.contains(setting) && warning.contains(create),
        "{warning}"
    );

    let words: Vec<&str> = create.split(' ').skip(1).collect();
    let token = formalize(&command, database, &words).await;
    let (status, warnings) = attempt(&command, &token).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains(setting) && !warnings[0].contains(create));

    let command = command.config(setting).unwrap();
    let (status, warnings) = attempt(&command, &token).await;
    assert_eq!((status, warnings), (StatusCode::CREATED, Vec::new()));
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn each_start_says_what_is_missing_on_postgresql() {
    let database = TestDatabase::empty().await.unwrap();
    let url = database.url();
    let command = ServerCommand::new().unwrap();
    let command = command.env("FORMALIZE_DATABASE_URL", url);
    each_start_says_what_is_missing(command, Some(url)).await;
}

/// The command line has used the database before the first start, so that start creates no administrator.
#[tokio::test]
async fn each_start_says_what_is_missing_on_a_sqlite_database_in_use() {
    let command = ServerCommand::new().unwrap();
    formalize(&command, None, &["migrate", "up"]).await;
    formalize(&command, None, &["forms", "list"]).await;
    each_start_says_what_is_missing(command, None).await;
}

#[tokio::test]
async fn a_database_that_was_only_migrated_has_a_first_start() {
    let command = ServerCommand::new().unwrap();
    formalize(&command, None, &["migrate", "up"]).await;
    let server = command.start().await.unwrap();
    assert!(server.admin_token().is_some());
    let log = server.stderr().unwrap();
    assert!(!log.contains("WARN"), "{log}");
}

/// Nobody is an administrator, but a policy or a grant lets users create forms.
#[tokio::test]
async fn a_start_without_administrators_is_silent_if_others_create_forms() {
    let creators = "[policies]\ncreate_forms = 'user.id == \"grace\"'";
    let grant = "grants create --action create --resource DbpRelayFormalizeForm --user grace";
    for (configuration, words) in [(creators, "forms list"), ("", grant)] {
        let command = ServerCommand::new().unwrap().config(configuration).unwrap();
        formalize(&command, None, &["migrate", "up"]).await;
        let words: Vec<&str> = words.split(' ').collect();
        formalize(&command, None, &words).await;
        let token = formalize(&command, None, &["tokens", "create", "--user", "grace"]).await;
        let (status, warnings) = attempt(&command, &token).await;
        assert_eq!((status, warnings), (StatusCode::CREATED, Vec::new()));
    }
}

#[tokio::test]
async fn a_start_with_administrators_but_without_tokens_says_how_to_create_one() {
    let command = ServerCommand::new().unwrap();
    let command = command
        .config("administrators = 'user.id == \"grace\"'")
        .unwrap();
    let (_, warnings) = attempt(&command, "fmz_unknown").await;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].contains("formalize tokens create"),
        "{warnings:?}"
    );
}

/// `script` runs the server on a terminal, where the log and the token are in one stream.
#[tokio::test]
async fn on_a_terminal_the_token_follows_the_log() {
    let command = ServerCommand::new().unwrap();
    let program = binary("formalize-server").unwrap();
    let line = format!("{} --listen 127.0.0.1:0", program.display());
    let mut server = Command::new("script")
        .args(["--quiet", "--return", "--command", &line, "/dev/null"])
        .current_dir(command.folder())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap()).lines();
    let mut lines = Vec::new();
    while let Some(line) = output.next_line().await.unwrap() {
        let is_last = line.starts_with("listening on ");
        lines.push(line.trim_end().to_owned());
        if is_last {
            break;
        }
    }
    let block = lines.len().checked_sub(6).unwrap();
    let (log, block) = lines.split_at(block);
    assert!(log.len() >= 2, "{lines:?}");
    assert!(log.iter().all(|line| line.contains("INFO")), "{lines:?}");
    let starts = [
        "",
        "The database is new.",
        "",
        "admin token: fmz_",
        "sign in: http://",
        "listening on http://",
    ];
    for (line, start) in block.iter().zip(starts) {
        assert!(line.starts_with(start), "{lines:?}");
        assert_eq!(line.is_empty(), start.is_empty(), "{lines:?}");
    }
}
