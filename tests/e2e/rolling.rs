//! Rolling restarts and upgrades of servers under load.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use formalize_tests::patience::in_time;
use formalize_tests::{Server, ServerCommand};
use serde_json::json;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::client::{Client, Installation};
use crate::writers::Rounds;

/// The polling interval of the balancer.
const INTERVAL: Duration = Duration::from_millis(50);

/// How long a server goes on. A second signal ends it, once no client uses it any more: that takes a while if the machine is busy.
const DELAY: &str = "--shutdown-delay=1h";

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

    async fn wait_until(&self, server: &Server, is_ready: bool) {
        let found = |ready: &Vec<String>| ready.iter().any(|url| url == server.base_url());
        let mut ready = self.ready.clone();
        let changed = ready.wait_for(|ready| found(ready) == is_ready);
        in_time("the balancer notices", changed).await.unwrap();
    }
}

/// Creates submissions on the ready servers in turn until it is told to stop. Returns the acknowledged ones.
async fn submit(
    client: Client,
    form: String,
    ready: watch::Receiver<Vec<String>>,
    stop: Arc<AtomicBool>,
    acknowledged: Rounds,
    writer: usize,
) -> Vec<String> {
    let mut identifiers = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        let ready = ready.borrow().clone();
        let server = &ready[identifiers.len() % ready.len()];
        let submitted = client.at(server).submit(&form, &json!({})).await;
        let (status, submission) = submitted.unwrap();
        assert_eq!(status, 201, "{submission}");
        identifiers.push(submission["identifier"].as_str().unwrap().to_owned());
        acknowledged.count(writer);
    }
    identifiers
}

async fn start(command: &ServerCommand, balancer: &Balancer) -> Server {
    let server = command.start().await.unwrap();
    balancer.add(&server);
    balancer.wait_until(&server, true).await;
    server
}

/// Several clients that create submissions on the ready servers, one after the other.
struct Load {
    form: String,
    stop: Arc<AtomicBool>,
    acknowledged: Rounds,
    writers: JoinSet<Vec<String>>,
}

impl Load {
    async fn start(client: &Client, balancer: &Balancer) -> Self {
        let form = client.form(json!({})).await.unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let acknowledged = Rounds::of(8);
        let mut writers = JoinSet::new();
        for writer in 0..8 {
            writers.spawn(submit(
                client.clone(),
                form.clone(),
                balancer.ready.clone(),
                Arc::clone(&stop),
                acknowledged.clone(),
                writer,
            ));
        }
        Self {
            form,
            stop,
            acknowledged,
            writers,
        }
    }

    /// Stops a server, which must go on serving requests meanwhile.
    async fn terminate(&self, server: Server, balancer: &Balancer) {
        server.tell_to_stop().await.unwrap();
        balancer.wait_until(&server, false).await;
        self.acknowledged.go_on().await;
        assert!(server.terminate().await.unwrap().success());
    }

    /// Ends the load. Each acknowledged submission must be stored, and no other.
    async fn end(self, installation: &Installation) {
        self.stop.store(true, Ordering::Relaxed);
        let mut acknowledged = self.writers.join_all().await.concat();
        acknowledged.sort();
        let stored = installation.submissions(&self.form).await.unwrap();
        let stored: Vec<String> = stored.into_iter().collect();
        assert!(
            acknowledged == stored,
            "{} and {}",
            acknowledged.len(),
            stored.len()
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn no_request_fails_during_a_rolling_restart() {
    let installation = Installation::on_postgres().await.unwrap();
    let command = installation.command.clone();
    let command = command.arg(DELAY);
    let balancer = Balancer::start();
    let mut servers = vec![
        start(&command, &balancer).await,
        start(&command, &balancer).await,
    ];
    let client = installation.client(&servers[0]);
    let load = Load::start(&client, &balancer).await;
    for _ in 0..4 {
        load.terminate(servers.remove(0), &balancer).await;
        servers.push(start(&command, &balancer).await);
    }
    load.end(&installation).await;
}

/// Servers of the last release and of this one serve one database, before and after it is migrated.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the server of the last release: tests/upgrade/run builds it"]
async fn no_request_fails_during_an_upgrade() {
    let folder = std::env::var_os("FORMALIZE_TEST_LAST_RELEASE").map(PathBuf::from);
    let folder = folder.expect("FORMALIZE_TEST_LAST_RELEASE is the folder of its programs");
    let installation = Installation::of_release(&folder).await.unwrap();
    let new = installation.command.clone();
    let new = new.arg(DELAY);
    let old = new.clone().program(folder.join("formalize-server"));
    let balancer = Balancer::start();
    let mut servers = vec![start(&old, &balancer).await, start(&old, &balancer).await];
    let client = installation.client(&servers[0]);
    let load = Load::start(&client, &balancer).await;
    for is_first in [true, false] {
        let server = start(&new, &balancer).await;
        let log = server.stderr().unwrap();
        let has_migrated = log.contains("applied a migration of the database");
        assert_eq!(has_migrated, is_first, "{log}");
        servers.push(server);
        load.terminate(servers.remove(0), &balancer).await;
    }
    load.end(&installation).await;
    installation.cli(&["verify"]).await.unwrap();
}
