//! PostgreSQL is stopped, unresponsive, or has no free connections: every wait times out, no acknowledged write is
//! lost, and the service recovers by itself.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use formalize_tests::postgres::OwnCluster;
use formalize_tests::proxy::Proxy;
use formalize_tests::{Server, ServerCommand};
use serde_json::json;
use sqlx::{Connection as _, Executor as _, PgConnection};
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{sleep, timeout};

use crate::client::{Client, Installation};

/// The longest acceptable response time: a second for a connection, three for a statement on a connection that hangs,
/// and some slack for a busy machine.
const BOUND: Duration = Duration::from_secs(8);

/// The time within which the service must work again.
const RECOVERY: Duration = Duration::from_secs(20);

fn impatient(command: &ServerCommand, connections: u32) -> ServerCommand {
    let connections = format!("--database-connections={connections}");
    let command = command.clone().arg(connections);
    command
        .arg("--database-wait=1s")
        .arg("--statement-timeout=1s")
}

/// Several clients, each of which creates submissions in sequence.
struct Load {
    over: Arc<AtomicBool>,
    clients: JoinSet<Outcome>,
}

#[derive(Default)]
struct Outcome {
    acknowledged: BTreeSet<String>,
    refused: usize,
    slowest: Duration,
}

impl Load {
    fn start(client: &Client, form: &str, clients: usize) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let submitting =
            (0..clients).map(|_| submit(client.clone(), form.to_owned(), Arc::clone(&over)));
        Self {
            clients: submitting.collect(),
            over,
        }
    }

    async fn end(self) -> Outcome {
        self.over.store(true, Ordering::Relaxed);
        let outcomes = self.clients.join_all().await;
        outcomes.into_iter().fold(Outcome::default(), |all, one| {
            let acknowledged = &all.acknowledged | &one.acknowledged;
            Outcome {
                acknowledged,
                refused: all.refused + one.refused,
                slowest: all.slowest.max(one.slowest),
            }
        })
    }
}

async fn submit(client: Client, form: String, over: Arc<AtomicBool>) -> Outcome {
    let mut outcome = Outcome::default();
    while !over.load(Ordering::Relaxed) {
        let asked = Instant::now();
        let (status, answer) = client.submit(&form, &json!({})).await.unwrap();
        outcome.slowest = outcome.slowest.max(asked.elapsed());
        if status == 201 {
            let identifier = answer["identifier"].as_str().unwrap();
            outcome.acknowledged.insert(identifier.to_owned());
        } else {
            assert_eq!(status, 503, "{answer}");
            outcome.refused += 1;
            sleep(Duration::from_millis(20)).await;
        }
    }
    outcome
}

impl Outcome {
    async fn check(&self, installation: &Installation, form: &str) {
        let stored = installation.submissions(form).await.unwrap();
        let lost: Vec<_> = self.acknowledged.difference(&stored).collect();
        assert!(lost.is_empty(), "{} of those acknowledged", lost.len());
        assert!(!self.acknowledged.is_empty() && self.refused > 0);
        assert!(self.slowest < BOUND, "{:?}", self.slowest);
    }
}

async fn readiness(server: &Server) -> u16 {
    let path = format!("{}/readyz", server.base_url());
    reqwest::get(path).await.unwrap().status().as_u16()
}

async fn wait_until_ready(server: &Server, expected: u16) {
    let reached = async {
        while readiness(server).await != expected {
            sleep(Duration::from_millis(100)).await;
        }
    };
    let reached = timeout(RECOVERY, reached).await;
    assert!(reached.is_ok(), "/readyz never becomes {expected}");
}

/// Waits until a submission is accepted again.
async fn wait_until_taken(client: &Client, form: &str) {
    let taken = async { while client.submit(form, &json!({})).await.unwrap().0 != 201 {} };
    assert!(
        timeout(RECOVERY, taken).await.is_ok(),
        "no recovery by itself"
    );
}

/// Asserts that a request is rejected with a `Retry-After`.
async fn assert_refused(server: &Server, token: &str) {
    let asked = Instant::now();
    let request = reqwest::Client::new().get(format!("{}/formalize/forms", server.base_url()));
    let answer = request.bearer_auth(token).send().await.unwrap();
    assert_eq!(answer.status().as_u16(), 503);
    assert!(answer.headers().contains_key("retry-after"), "{answer:?}");
    assert!(asked.elapsed() < BOUND);
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
    let load = Load::start(&client, &form, 8);
    for end in [OwnCluster::stop, OwnCluster::crash] {
        sleep(Duration::from_millis(500)).await;
        cluster = spawn_blocking(move || end(&mut cluster).map(|()| cluster))
            .await
            .unwrap()
            .unwrap();
        wait_until_ready(&server, 503).await;
        assert_refused(&server, &installation.token).await;
        cluster = spawn_blocking(move || cluster.start().map(|()| cluster))
            .await
            .unwrap()
            .unwrap();
        wait_until_ready(&server, 200).await;
        wait_until_taken(&client, &form).await;
    }
    load.end().await.check(&installation, &form).await;
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
    let load = Load::start(&client, &form, 6);
    for _ in 0..3 {
        sleep(Duration::from_millis(300)).await;
        // The connections may be sending, waiting, or about to return to the pool.
        let before = proxy.accepted();
        proxy.strand();
        wait_until_taken(&client, &form).await;
        assert!(proxy.accepted() > before, "no other connection was made");
    }
    load.end().await.check(&installation, &form).await;
    wait_until_ready(&server, 200).await;
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
        .execute("BEGIN; LOCK TABLE forms IN ACCESS EXCLUSIVE MODE")
        .await
        .unwrap();
    // Two of them hold a connection and wait for the table; the others wait for a connection.
    let crowd = Load::start(&client, &form, 20);
    wait_until_ready(&server, 503).await;
    assert_refused(&server, &installation.token).await;
    other.execute("ROLLBACK").await.unwrap();
    wait_until_ready(&server, 200).await;
    wait_until_taken(&client, &form).await;
    crowd.end().await.check(&installation, &form).await;
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
        .execute("BEGIN; LOCK TABLE grants IN SHARE MODE")
        .await
        .unwrap();
    let asked = Instant::now();
    let (status, answer) = client
        .post("/formalize/forms", &json!({"name": "Half"}))
        .await
        .unwrap();
    assert_eq!(status, 503, "{answer}");
    assert!(asked.elapsed() < BOUND, "{:?}", asked.elapsed());
    let (status, page) = client.get("/formalize/forms").await.unwrap();
    assert_eq!((status, &page["items"]), (200, &json!([])));
    other.execute("ROLLBACK").await.unwrap();
    let half: i64 = sqlx::query_scalar("SELECT count(*) FROM forms")
        .fetch_one(&mut other)
        .await
        .unwrap();
    assert_eq!(half, 0);
    client.form(json!({})).await.unwrap();
}
