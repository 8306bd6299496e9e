//! The URL of the database names several servers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use formalize_tests::patience::in_time;
use formalize_tests::proxy::Proxy;
use formalize_tests::{Server, ServerCommand};
use reqwest::Method;
use serde_json::json;
use sqlx::{Connection as _, Executor as _, PgConnection};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::client::{Client, Installation};
use crate::writers::{Rounds, Writers};

/// Two addresses of the same database. Closing one is what clients see of a server that is gone.
struct Servers {
    installation: Installation,
    proxies: [Proxy; 2],
}

impl Servers {
    async fn new() -> Self {
        let installation = Installation::on_postgres().await.unwrap();
        let database = installation.database().unwrap();
        let first = Proxy::to(database).await.unwrap();
        let second = Proxy::to(database).await.unwrap();
        Self {
            installation,
            proxies: [first, second],
        }
    }

    /// The URL with both servers, as libpq writes it.
    fn url(&self) -> String {
        let [first, second] = self.proxies.each_ref().map(Proxy::url);
        let (_, host) = second.rsplit_once('@').unwrap();
        let (host, name) = host.split_once('/').unwrap();
        let (first, _) = first.rsplit_once('/').unwrap();
        format!("{first},{host}/{name}")
    }

    fn command(&self) -> ServerCommand {
        let command = self.installation.command.clone();
        command.env("FORMALIZE_DATABASE_URL", self.url())
    }
}

/// Workers that send requests, all of which must succeed.
struct Work {
    form: String,
    is_over: Arc<AtomicBool>,
    rounds: Rounds,
    workers: JoinSet<()>,
}

impl Work {
    async fn start(server: &Server, servers: &Servers) -> Self {
        let client = servers.installation.client(server);
        let form = client.form(json!({})).await.unwrap();
        let (is_over, rounds) = (Arc::<AtomicBool>::default(), Rounds::of(6));
        let mut workers = JoinSet::new();
        for worker in 0..6 {
            let (client, form) = (client.clone(), form.clone());
            let (is_over, rounds) = (Arc::clone(&is_over), rounds.clone());
            workers.spawn(async move {
                for round in 0.. {
                    if is_over.load(Ordering::SeqCst) {
                        break;
                    }
                    let key = format!("{worker}-{round}");
                    in_time("requests succeed", send_all(&client, &form, &key)).await;
                    rounds.count(worker);
                }
            });
        }
        Self {
            form,
            is_over,
            rounds,
            workers,
        }
    }

    /// Ends the work. Each submission must be stored once.
    async fn end(self, servers: &Servers) {
        self.is_over.store(true, Ordering::SeqCst);
        self.workers.join_all().await;
        let sent: usize = self.rounds.all().into_iter().sum();
        let stored = servers.installation.submissions(&self.form).await.unwrap();
        assert_eq!(stored.len(), sent, "each submission is stored once");
    }
}

/// Sends requests of several kinds, one after the other.
async fn send_all(client: &Client, form: &str, key: &str) {
    let (status, answer) = client.submit(form, &json!({})).await.unwrap();
    assert_eq!(status, 201, "{answer}");
    let path = format!("/formalize/forms/{form}");
    let (status, answer) = client.get(&path).await.unwrap();
    assert_eq!(status, 200, "{answer}");
    let new = json!({ "name": "Editors" });
    // With a key, the request can be repeated even if the connection was lost during its commit.
    let groups = "/authorization/groups";
    let request = client.send_with_key(Method::POST, groups, Some(&new), Some(key));
    assert_eq!(request.await.unwrap().status, 201);
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn no_request_fails_when_the_other_server_takes_over() {
    let servers = Servers::new().await;
    let server = servers.command().start().await.unwrap();
    let work = Work::start(&server, &servers).await;
    let [first, second] = &servers.proxies;
    assert_eq!(second.accepted(), 0, "the first server is used");
    work.rounds.go_on().await;
    first.cut();
    work.rounds.go_on().await;
    assert!(second.accepted() > 0, "the second server is used");
    first.open();
    second.cut();
    work.rounds.go_on().await;
    work.end(&servers).await;
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn a_server_starts_with_the_host_that_responds() {
    let servers = Servers::new().await;
    servers.proxies[0].cut();
    let server = servers.command().start().await.unwrap();
    let client = servers.installation.client(&server);
    client.form(json!({})).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn no_request_waits_for_a_server_that_is_frozen_when_another_one_takes_over() {
    let servers = Servers::new().await;
    // Without another server, requests would wait for as long.
    let command = servers.command().arg("--statement-timeout=1h");
    let server = command.arg("--database-wait=5s").start().await.unwrap();
    let client = servers.installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    let [first, second] = &servers.proxies;
    assert_eq!(second.accepted(), 0, "the first server is used");
    let writers = Writers::start(&client, &form, 6);
    writers.write(20).await;
    first.block();
    writers.write(20).await;
    let written = writers.end().await;
    // A request that was opening a connection to the first server may wait for `database_wait`, and is then refused.
    assert!(written.refused <= 6 && written.disconnected == 0);
    let stored = servers.installation.submissions(&form).await.unwrap();
    let lost = written.acknowledged.difference(&stored).count();
    assert_eq!(lost, 0, "what was acknowledged is stored");
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn a_slow_answer_is_no_reason_to_use_another_address_of_the_same_server() {
    let servers = Servers::new().await;
    let server = servers.command().start().await.unwrap();
    let client = servers.installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    let database = servers.installation.database().unwrap();
    let mut other = PgConnection::connect(database.url()).await.unwrap();
    let lock = "BEGIN; LOCK TABLE formalize_forms IN ACCESS EXCLUSIVE MODE";
    other.execute(lock).await.unwrap();
    let reading =
        tokio::spawn(async move { client.get(&format!("/formalize/forms/{form}")).await });
    // After a second, the first server is asked whether it is still there.
    sleep(Duration::from_millis(2500)).await;
    assert!(!reading.is_finished(), "it waits for the lock");
    other.execute("ROLLBACK").await.unwrap();
    let (status, answer) = reading.await.unwrap().unwrap();
    assert_eq!(status, 200, "{answer}");
    assert_eq!(
        servers.proxies[1].accepted(),
        0,
        "the first server is still used"
    );
}
