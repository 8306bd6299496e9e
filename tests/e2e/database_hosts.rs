//! The URL of the database names several servers.

use std::time::{Duration, Instant};

use formalize_tests::proxy::Proxy;
use formalize_tests::{Server, ServerCommand};
use reqwest::Method;
use serde_json::json;
use sqlx::{Connection as _, Executor as _, PgConnection};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::client::{Client, Installation};

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

/// Sends requests of several kinds, one after the other, until the time is over. All must succeed.
async fn work(worker: usize, client: Client, form: String, until: Instant) -> usize {
    let mut sent = 0;
    let path = format!("/formalize/forms/{form}");
    while Instant::now() < until {
        let (status, answer) = client.submit(&form, &json!({})).await.unwrap();
        assert_eq!(status, 201, "{answer}");
        let (status, answer) = client.get(&path).await.unwrap();
        assert_eq!(status, 200, "{answer}");
        let new = json!({ "name": "Editors" });
        // With a key, the request can be repeated even if the connection was lost during its commit.
        let key = format!("{worker}-{sent}");
        let groups = "/authorization/groups";
        let request = client.send_with_key(Method::POST, groups, Some(&new), Some(&key));
        assert_eq!(request.await.unwrap().status, 201);
        sent += 1;
    }
    sent
}

async fn begin(server: &Server, servers: &Servers, time: Duration) -> (JoinSet<usize>, String) {
    let client = servers.installation.client(server);
    let form = client.form(json!({})).await.unwrap();
    let mut workers = JoinSet::new();
    for worker in 0..6 {
        let until = Instant::now() + time;
        workers.spawn(work(worker, client.clone(), form.clone(), until));
    }
    (workers, form)
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn no_request_fails_when_the_other_server_takes_over() {
    let servers = Servers::new().await;
    let server = servers.command().start().await.unwrap();
    let (workers, form) = begin(&server, &servers, Duration::from_secs(3)).await;
    let [first, second] = &servers.proxies;
    assert_eq!(second.accepted(), 0, "the first server is used");
    sleep(Duration::from_millis(800)).await;
    first.cut();
    sleep(Duration::from_millis(1200)).await;
    assert!(second.accepted() > 0, "the second server is used");
    first.open();
    second.cut();
    let sent: usize = workers.join_all().await.into_iter().sum();
    assert!(sent > 0);
    let stored = servers.installation.submissions(&form).await.unwrap();
    assert_eq!(stored.len(), sent, "each submission is stored once");
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
    let server = servers.command().start().await.unwrap();
    let client = servers.installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    let [first, second] = &servers.proxies;
    assert_eq!(second.accepted(), 0, "the first server is used");
    let mut workers = JoinSet::new();
    let end = Instant::now() + Duration::from_secs(3);
    for _ in 0..6 {
        let (client, form) = (client.clone(), form.clone());
        workers.spawn(async move {
            let (mut sent, mut longest) = (0, Duration::ZERO);
            while Instant::now() < end {
                let begun = Instant::now();
                let (status, answer) = client.submit(&form, &json!({})).await.unwrap();
                assert_eq!(status, 201, "{answer}");
                longest = longest.max(begun.elapsed());
                sent += 1;
            }
            (sent, longest)
        });
    }
    sleep(Duration::from_millis(800)).await;
    first.block();
    let done = workers.join_all().await;
    // Without another server, they would wait for `statement_timeout`.
    let longest = done.iter().map(|(_, longest)| *longest).max().unwrap();
    assert!(longest < Duration::from_secs(15), "{longest:?}");
    let sent: usize = done.iter().map(|(sent, _)| sent).sum();
    let stored = servers.installation.submissions(&form).await.unwrap();
    assert_eq!(stored.len(), sent, "each submission is stored once");
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
    let lock = "BEGIN; LOCK TABLE forms IN ACCESS EXCLUSIVE MODE";
    other.execute(lock).await.unwrap();
    let reading =
        tokio::spawn(async move { client.get(&format!("/formalize/forms/{form}")).await });
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
