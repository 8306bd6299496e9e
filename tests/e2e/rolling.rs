//! Rolling restart of servers under load.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use formalize_tests::{Server, ServerCommand};
use serde_json::json;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::client::{Client, Installation};

/// The polling interval of the balancer. The servers keep running for much longer than this.
const INTERVAL: Duration = Duration::from_millis(50);
const DELAY: &str = "2s";

/// Knows which servers are ready.
struct Balancer {
    servers: watch::Sender<Vec<String>>,
    ready: watch::Receiver<Vec<String>>,
}

impl Balancer {
    /// Polls the servers until it is dropped.
    fn start() -> Self {
        let (servers, mut known) = watch::channel(Vec::<String>::new());
        let (sender, ready) = watch::channel(Vec::new());
        tokio::spawn(async move {
            let http = reqwest::Client::new();
            while known.has_changed().is_ok() {
                let mut found = Vec::new();
                let known = known.borrow_and_update().clone();
                for server in known {
                    let asked = http.get(format!("{server}/readyz")).send().await;
                    if asked.is_ok_and(|answer| answer.status() == 200) {
                        found.push(server);
                    }
                }
                sender.send_replace(found);
                sleep(INTERVAL).await;
            }
        });
        Self { servers, ready }
    }

    fn add(&self, server: &Server) {
        let base_url = server.base_url().to_owned();
        self.servers.send_modify(|servers| servers.push(base_url));
    }

    async fn wait_until_ready(&self, server: &Server) {
        let is_ready = |ready: &Vec<String>| ready.iter().any(|url| url == server.base_url());
        self.ready.clone().wait_for(is_ready).await.unwrap();
    }
}

/// Creates submissions on the ready servers in turn until it is told to stop. Returns the acknowledged ones.
async fn submit(
    client: Client,
    form: String,
    ready: watch::Receiver<Vec<String>>,
    stop: Arc<AtomicBool>,
    acknowledged: Arc<AtomicUsize>,
) -> Vec<String> {
    let mut identifiers = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        let ready = ready.borrow().clone();
        let server = &ready[identifiers.len() % ready.len()];
        let submitted = client.at(server).submit(&form, &json!({})).await;
        let (status, submission) = submitted.unwrap();
        assert_eq!(status, 201, "{submission}");
        identifiers.push(submission["identifier"].as_str().unwrap().to_owned());
        acknowledged.fetch_add(1, Ordering::Relaxed);
    }
    identifiers
}

async fn start(command: &ServerCommand, balancer: &Balancer) -> Server {
    let server = command.start().await.unwrap();
    balancer.add(&server);
    balancer.wait_until_ready(&server).await;
    server
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn no_request_fails_during_a_rolling_restart() {
    let installation = Installation::on_postgres().await.unwrap();
    let command = installation.command.clone();
    let command = command.arg("--shutdown-delay").arg(DELAY);
    let balancer = Balancer::start();
    let mut servers = vec![
        start(&command, &balancer).await,
        start(&command, &balancer).await,
    ];
    let client = installation.client(&servers[0]);
    let form = client.form(json!({})).await.unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let acknowledged = Arc::new(AtomicUsize::new(0));
    let mut writers = JoinSet::new();
    for _ in 0..8 {
        writers.spawn(submit(
            client.clone(),
            form.clone(),
            balancer.ready.clone(),
            Arc::clone(&stop),
            Arc::clone(&acknowledged),
        ));
    }
    for _ in 0..4 {
        let before = acknowledged.load(Ordering::Relaxed);
        let oldest = servers.remove(0);
        assert!(oldest.terminate().await.unwrap().success());
        assert!(acknowledged.load(Ordering::Relaxed) > before, "no load");
        servers.push(start(&command, &balancer).await);
    }
    stop.store(true, Ordering::Relaxed);
    let acknowledged = writers.join_all().await.concat();
    let stored = installation.submissions(&form).await.unwrap();
    assert_eq!(acknowledged.len(), stored.len());
    assert!(
        acknowledged
            .iter()
            .all(|identifier| stored.contains(identifier))
    );
}
