//! The log of events after a restore.

use std::path::Path;
use std::process::Command;

use formalize_tests::TestDatabase;
use formalize_tests::postgres::program;
use serde_json::json;

use crate::client::{Client, Installation};

/// Runs a program of PostgreSQL.
fn run(name: &str, arguments: &[&str], file: &Path) {
    let mut command = Command::new(program(name).unwrap());
    let output = command.args(arguments).arg(file).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {error}");
}

/// The positions and identifiers of the events behind a cursor, and the cursor behind them.
async fn events(client: &Client, cursor: Option<&str>) -> (Vec<(i64, String)>, String) {
    let mut cursor = cursor.map(str::to_owned);
    let mut all = Vec::new();
    loop {
        let from = cursor.map_or_else(String::new, |cursor| format!("&cursor={cursor}"));
        let path = format!("/formalize/events?perPage=7{from}");
        let (status, page) = client.get(&path).await.unwrap();
        assert_eq!(status, 200, "{page}");
        for event in page["items"].as_array().unwrap() {
            let identifier = event["identifier"].as_str().unwrap().to_owned();
            all.push((event["sequence"].as_i64().unwrap(), identifier));
        }
        let next = page["nextCursor"].as_str().unwrap().to_owned();
        if page["hasMore"] != json!(true) {
            return (all, next);
        }
        cursor = Some(next);
    }
}

const EXPIRED: &str = "formalize:event-cursor-expired";

/// The status and the error of a request for the events behind a cursor.
async fn refused(client: &Client, cursor: &str) -> (u16, String) {
    let path = format!("/formalize/events?cursor={cursor}");
    let (status, problem) = client.get(&path).await.unwrap();
    (
        status,
        problem["relay:errorId"].as_str().unwrap().to_owned(),
    )
}

async fn submit(client: &Client, form: &str, times: usize) {
    for _ in 0..times {
        let (status, created) = client.submit(form, &json!({})).await.unwrap();
        assert_eq!(status, 201, "{created}");
    }
}

/// Also what had no position yet when the backup was made.
#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn a_log_that_was_restored_into_another_cluster_goes_on() {
    let installation = Installation::on_postgres().await.unwrap();
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    submit(&client, &form, 10).await;
    let (before, cursor) = events(&client, None).await;
    submit(&client, &form, 10).await;
    let file = installation.command.folder().join("backup.dump");
    let database = installation.database().unwrap();
    run("pg_dump", &["-Fc", "-d", database.url(), "-f"], &file);
    submit(&client, &form, 1).await;
    let (_, future) = events(&client, Some(&cursor)).await;
    assert!(server.terminate().await.unwrap().success());

    let other = TestDatabase::durable().await.unwrap();
    let restore = ["--no-owner", "--exit-on-error", "-d", other.url()];
    run("pg_restore", &restore, &file);
    let restored = Installation::at(other.url()).await.unwrap();
    let server = restored.command.start().await.unwrap();
    let client = restored.client(&server);
    assert_eq!(refused(&client, &future).await, (410, EXPIRED.to_owned()));
    let (behind, _) = events(&client, Some(&cursor)).await;
    assert_eq!(behind.len(), 10, "nothing is lost or hidden");
    submit(&client, &form, 10).await;
    let (all, cursor) = events(&client, None).await;
    let expected: Vec<_> = before.into_iter().chain(behind).collect();
    assert_eq!(all[..expected.len()], expected, "positions are kept");
    assert_eq!(all.len(), expected.len() + 10);
    let positions: Vec<i64> = all.iter().map(|(position, _)| *position).collect();
    let last = i64::try_from(all.len()).unwrap();
    assert_eq!(positions, (1..=last).collect::<Vec<_>>(), "they are dense");
    assert_eq!(restored.cli(&["verify", "-o", "json"]).await.unwrap(), "[]");

    restored.cli(&["events", "reset", "--yes"]).await.unwrap();
    assert_eq!(refused(&client, &cursor).await, (410, EXPIRED.to_owned()));
}

#[tokio::test]
async fn a_cursor_of_another_database_is_refused() {
    let mut cursors: Vec<String> = Vec::new();
    for _ in 0..2 {
        let installation = Installation::on_sqlite().await.unwrap();
        let server = installation.command.start().await.unwrap();
        let client = installation.client(&server);
        client.form(json!({})).await.unwrap();
        for cursor in &cursors {
            let expected = (400, "formalize:invalid-parameter".to_owned());
            assert_eq!(refused(&client, cursor).await, expected);
        }
        cursors.push(events(&client, None).await.1);
    }
}
