//! PostgreSQL is stopped, unresponsive, or has no free connections: every wait times out, no acknowledged write is
//! lost, and the service recovers by itself.

use formalize_tests::patience::{in_time, until};
use formalize_tests::postgres::OwnCluster;
use formalize_tests::proxy::Proxy;
use formalize_tests::{Server, ServerCommand};
use serde_json::json;
use sqlx::{Connection as _, Executor as _, PgConnection};
use tokio::task::spawn_blocking;

use crate::client::{Client, Installation, readiness};
use crate::writers::{Writers, Written};

fn impatient(command: &ServerCommand, connections: u32) -> ServerCommand {
    let connections = format!("--database-connections={connections}");
    let command = command.clone().arg(connections);
    command
        .arg("--database-wait=1s")
        .arg("--statement-timeout=1s")
}

/// What was acknowledged must be stored, and some requests must have been refused.
async fn check(written: &Written, installation: &Installation, form: &str) {
    let stored = installation.submissions(form).await.unwrap();
    let lost: Vec<_> = written.acknowledged.difference(&stored).collect();
    assert!(lost.is_empty(), "{} of those acknowledged", lost.len());
    assert!(!written.acknowledged.is_empty() && written.refused > 0);
    assert_eq!(written.disconnected, 0);
}

/// Waits until a submission is accepted again.
async fn wait_until_taken(client: &Client, form: &str) {
    let is_taken = async || client.submit(form, &json!({})).await.unwrap().0 == 201;
    until("the service recovers by itself", is_taken).await;
}

/// Asserts that a request is rejected with a `Retry-After`.
async fn assert_refused(server: &Server, token: &str) {
    let request = reqwest::Client::new().get(format!("{}/formalize/forms", server.base_url()));
    let answer = in_time("the wait ends", request.bearer_auth(token).send()).await;
    let answer = answer.unwrap();
    assert_eq!(answer.status().as_u16(), 503);
    assert!(answer.headers().contains_key("retry-after"), "{answer:?}");
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn the_service_recovers_when_the_database_restarts_under_load() {
    let mut cluster = spawn_blocking(OwnCluster::new).await.unwrap().unwrap();
    let installation = Installation::at(cluster.url()).await.unwrap();
    let command = impatient(&installation.command, 4);
    let server = command.start().await.unwrap();
    let client = installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    let load = Writers::start(&client, &form, 8);
    for end in [OwnCluster::stop, OwnCluster::crash] {
        load.write(20).await;
        cluster = spawn_blocking(move || end(&mut cluster).map(|()| cluster))
            .await
            .unwrap()
            .unwrap();
        readiness(&server, 503).await;
        assert_refused(&server, &installation.token).await;
        cluster = spawn_blocking(move || cluster.start().map(|()| cluster))
            .await
            .unwrap()
            .unwrap();
        readiness(&server, 200).await;
        wait_until_taken(&client, &form).await;
    }
    check(&load.end().await, &installation, &form).await;
    assert!(server.terminate().await.unwrap().success());
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn connections_that_hang_are_replaced() {
    let installation = Installation::on_postgres().await.unwrap();
    let proxy = Proxy::to(installation.database().unwrap()).await.unwrap();
    let command = impatient(&installation.command, 2);
    let command = command.env("FORMALIZE_DATABASE_URL", proxy.url());
    let server = command.start().await.unwrap();
    let client = installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    let load = Writers::start(&client, &form, 6);
    for _ in 0..3 {
        load.write(20).await;
        // The connections may be sending, waiting, or about to return to the pool.
        let before = proxy.accepted();
        proxy.strand();
        wait_until_taken(&client, &form).await;
        assert!(proxy.accepted() > before, "no other connection was made");
    }
    check(&load.end().await, &installation, &form).await;
    readiness(&server, 200).await;
    assert!(server.terminate().await.unwrap().success());
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn an_exhausted_pool_rejects_requests_and_recovers() {
    let installation = Installation::on_postgres().await.unwrap();
    let server = impatient(&installation.command, 2).start().await.unwrap();
    let client = installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    let database = installation.database().unwrap();
    let mut other = PgConnection::connect(database.url()).await.unwrap();
    other
        .execute("BEGIN; LOCK TABLE formalize_forms IN ACCESS EXCLUSIVE MODE")
        .await
        .unwrap();
    // Two of them hold a connection and wait for the table; the others wait for a connection.
    let crowd = Writers::start(&client, &form, 20);
    readiness(&server, 503).await;
    assert_refused(&server, &installation.token).await;
    other.execute("ROLLBACK").await.unwrap();
    readiness(&server, 200).await;
    wait_until_taken(&client, &form).await;
    check(&crowd.end().await, &installation, &form).await;
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn an_interrupted_statement_is_rolled_back() {
    let installation = Installation::on_postgres().await.unwrap();
    let command = installation.command.clone();
    let command = command
        .arg("--database-connections=1")
        .arg("--statement-timeout=1s")
        .arg("--database-wait=20s");
    let server = command.start().await.unwrap();
    let client = installation.client(&server);
    let database = installation.database().unwrap();
    let mut other = PgConnection::connect(database.url()).await.unwrap();
    // Grants can be read but not written: the form exists without its first grant.
    other
        .execute("BEGIN; LOCK TABLE formalize_grants IN SHARE MODE")
        .await
        .unwrap();
    let new = json!({"name": "Half"});
    let asked = client.post("/formalize/forms", &new);
    let (status, answer) = in_time("the statement ends", asked).await.unwrap();
    assert_eq!(status, 503, "{answer}");
    let (status, page) = client.get("/formalize/forms").await.unwrap();
    assert_eq!((status, &page["items"]), (200, &json!([])));
    other.execute("ROLLBACK").await.unwrap();
    let half: i64 = sqlx::query_scalar("SELECT count(*) FROM formalize_forms")
        .fetch_one(&mut other)
        .await
        .unwrap();
    assert_eq!(half, 0);
    client.form(json!({})).await.unwrap();
}
