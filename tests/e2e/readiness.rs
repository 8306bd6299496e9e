//! The health endpoints while the database is away.

use formalize_tests::patience::in_time;
use formalize_tests::proxy::Proxy;
use formalize_tests::{Server, ServerCommand, TestDatabase};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::{Duration, sleep};

use crate::client::{Installation, readiness};
use crate::writers::Writers;

/// The waits of all other requests for the database. They are so long that a health endpoint that answers has its own.
const WAITS: [&str; 2] = ["--database-wait=1h", "--statement-timeout=1h"];

/// The status of a path.
async fn status(server: &Server, path: &str) -> u16 {
    let answer = reqwest::get(format!("{}{path}", server.base_url()));
    let answer = in_time(path, answer).await;
    answer.unwrap().status().as_u16()
}

/// Sends two hundred requests at once.
async fn assert_crowd(server: &Server, expected: u16) {
    let http = reqwest::Client::new();
    let mut asking = JoinSet::new();
    for _ in 0..200 {
        let request = http.get(format!("{}/readyz", server.base_url()));
        asking.spawn(async move { request.send().await.unwrap().status().as_u16() });
    }
    let statuses = in_time("all are answered", asking.join_all()).await;
    assert_eq!(statuses, vec![expected; 200]);
}

async fn behind(proxy: &Proxy) -> Server {
    let command = ServerCommand::new().unwrap();
    let command = command.env("FORMALIZE_DATABASE_URL", proxy.url());
    let command = WAITS.into_iter().fold(command, ServerCommand::arg);
    command.start().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn readiness_follows_the_database() {
    let database = TestDatabase::empty().await.unwrap();
    let proxy = Proxy::to(&database).await.unwrap();
    let server = behind(&proxy).await;
    assert_eq!(status(&server, "/readyz").await, 200);

    proxy.block();
    readiness(&server, 503).await;
    for _ in 0..3 {
        assert_crowd(&server, 503).await;
        assert_eq!(status(&server, "/healthz").await, 200);
        // Longer than a result is kept, so that each crowd makes the server ask the database.
        sleep(Duration::from_secs(1)).await;
    }
    proxy.open();
    readiness(&server, 200).await;

    proxy.cut();
    readiness(&server, 503).await;
    assert_crowd(&server, 503).await;
    proxy.open();
    readiness(&server, 200).await;
    assert!(server.terminate().await.unwrap().success());
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn a_server_stops_while_its_database_is_unresponsive() {
    let installation = Installation::on_postgres().await.unwrap();
    let proxy = Proxy::to(installation.database().unwrap()).await.unwrap();
    let command = installation.command.clone().arg("--shutdown-timeout=1s");
    let command = command.env("FORMALIZE_DATABASE_URL", proxy.url());
    let command = WAITS.into_iter().fold(command, ServerCommand::arg);
    let server = command.start().await.unwrap();
    let client = installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    let writers = Writers::start(&client, &form, 8);
    writers.write(20).await;
    // From now on, some transactions are blocked halfway.
    proxy.block();
    readiness(&server, 503).await;
    assert!(server.terminate().await.unwrap().success());
    writers.lose_server().await;
}
