//! The health endpoints while the database is away.

use std::time::{Duration, Instant};

use formalize_tests::proxy::Proxy;
use formalize_tests::{Server, ServerCommand, TestDatabase};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::client::Installation;

/// The longest acceptable response time, including slack for a busy machine.
const PROMPT: Duration = Duration::from_millis(1500);

/// The status of a path, which must be answered in time.
async fn status(server: &Server, path: &str) -> u16 {
    let asked = Instant::now();
    let answer = reqwest::get(format!("{}{path}", server.base_url())).await;
    assert!(
        asked.elapsed() < PROMPT,
        "{path} took {:?}",
        asked.elapsed()
    );
    answer.unwrap().status().as_u16()
}

async fn wait_for(server: &Server, expected: u16) {
    let reached = async {
        while status(server, "/readyz").await != expected {
            sleep(Duration::from_millis(100)).await;
        }
    };
    let reached = timeout(Duration::from_secs(20), reached).await;
    assert!(reached.is_ok(), "/readyz never becomes {expected}");
}

/// Sends two hundred requests at once, each of which must be answered in time.
async fn assert_crowd(server: &Server, expected: u16) {
    let http = reqwest::Client::new();
    let mut asking = JoinSet::new();
    let asked = Instant::now();
    for _ in 0..200 {
        let request = http.get(format!("{}/readyz", server.base_url()));
        asking.spawn(async move { request.send().await.unwrap().status().as_u16() });
    }
    assert_eq!(asking.join_all().await, vec![expected; 200]);
    assert!(asked.elapsed() < 2 * PROMPT, "{:?}", asked.elapsed());
}

async fn behind(proxy: &Proxy) -> Server {
    let command = ServerCommand::new().unwrap();
    let command = command.env("FORMALIZE_DATABASE_URL", proxy.url());
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
    wait_for(&server, 503).await;
    for _ in 0..3 {
        assert_crowd(&server, 503).await;
        assert_eq!(status(&server, "/healthz").await, 200);
        sleep(Duration::from_millis(500)).await;
    }
    proxy.open();
    wait_for(&server, 200).await;

    proxy.cut();
    wait_for(&server, 503).await;
    assert_crowd(&server, 503).await;
    proxy.open();
    wait_for(&server, 200).await;
    assert!(server.terminate().await.unwrap().success());
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn a_server_stops_while_its_database_is_unresponsive() {
    let installation = Installation::on_postgres().await.unwrap();
    let proxy = Proxy::to(installation.database().unwrap()).await.unwrap();
    let command = installation.command.clone().arg("--shutdown-timeout=1s");
    let command = command.env("FORMALIZE_DATABASE_URL", proxy.url());
    let server = command.start().await.unwrap();
    let client = installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    let mut writers = JoinSet::new();
    for _ in 0..8 {
        let (client, form) = (client.clone(), form.clone());
        writers.spawn(async move { while client.submit(&form, &json!({})).await.is_ok() {} });
    }
    sleep(Duration::from_millis(500)).await;
    // From now on, some transactions are blocked halfway.
    proxy.block();
    wait_for(&server, 503).await;
    assert!(server.terminate().await.unwrap().success());
}
