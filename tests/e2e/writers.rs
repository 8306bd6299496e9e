//! Clients that create submissions all the time.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use formalize_tests::patience::{in_time, until};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::client::Client;

/// Several clients, each of which sends one submission after the other.
pub(crate) struct Writers {
    is_over: Arc<AtomicBool>,
    acknowledged: Arc<AtomicUsize>,
    clients: JoinSet<Written>,
}

/// What the writers were told.
#[derive(Default)]
pub(crate) struct Written {
    /// The identifiers of the submissions that were acknowledged.
    pub(crate) acknowledged: BTreeSet<String>,
    /// How many requests were answered with 503.
    pub(crate) refused: usize,
    /// How many clients have lost their server.
    pub(crate) disconnected: usize,
}

impl Writers {
    pub(crate) fn start(client: &Client, form: &str, number: usize) -> Self {
        let (is_over, acknowledged) = (Arc::default(), Arc::default());
        let clients = (0..number).map(|_| {
            let (is_over, acknowledged) = (Arc::clone(&is_over), Arc::clone(&acknowledged));
            write(client.clone(), form.to_owned(), is_over, acknowledged)
        });
        Self {
            clients: clients.collect(),
            is_over,
            acknowledged,
        }
    }

    /// The number of submissions that were acknowledged so far.
    pub(crate) fn acknowledged(&self) -> usize {
        self.acknowledged.load(Ordering::SeqCst)
    }

    /// Waits until this many more submissions are acknowledged.
    pub(crate) async fn write(&self, more: usize) {
        let enough = self.acknowledged() + more;
        let what = format!("{more} submissions are acknowledged");
        until(&what, async || self.acknowledged() >= enough).await;
    }

    /// Waits until all clients have ended, because their server has.
    pub(crate) async fn lose_server(self) -> Written {
        let all = in_time("all writers end", self.clients.join_all()).await;
        all.into_iter()
            .fold(Written::default(), |all, one| Written {
                acknowledged: &all.acknowledged | &one.acknowledged,
                refused: all.refused + one.refused,
                disconnected: all.disconnected + one.disconnected,
            })
    }

    /// Lets each client finish its request.
    pub(crate) async fn end(self) -> Written {
        self.is_over.store(true, Ordering::SeqCst);
        self.lose_server().await
    }
}

/// How often each of several clients has done its work. Clones share the counts.
#[derive(Clone)]
pub(crate) struct Rounds(Arc<[AtomicUsize]>);

impl Rounds {
    pub(crate) fn of(clients: usize) -> Self {
        Self((0..clients).map(|_| AtomicUsize::new(0)).collect())
    }

    pub(crate) fn all(&self) -> Vec<usize> {
        let counts = self.0.iter();
        counts.map(|count| count.load(Ordering::SeqCst)).collect()
    }

    pub(crate) fn count(&self, client: usize) {
        self.0[client].fetch_add(1, Ordering::SeqCst);
    }

    /// Waits until each client has done all its work once more. What it does at the moment may have begun before.
    pub(crate) async fn go_on(&self) {
        let before = self.all();
        until("all clients go on", async || {
            let now = self.all();
            before
                .iter()
                .zip(now)
                .all(|(before, now)| now >= before + 2)
        })
        .await;
    }
}

async fn write(
    client: Client,
    form: String,
    is_over: Arc<AtomicBool>,
    acknowledged: Arc<AtomicUsize>,
) -> Written {
    let mut written = Written::default();
    while !is_over.load(Ordering::SeqCst) {
        let data = json!({});
        let sent = client.submit(&form, &data);
        match in_time("a submission is answered", sent).await {
            Ok((201, answer)) => {
                let identifier = answer["identifier"].as_str().unwrap();
                written.acknowledged.insert(identifier.to_owned());
                acknowledged.fetch_add(1, Ordering::SeqCst);
            }
            Ok((status, answer)) => {
                assert_eq!(status, 503, "{answer}");
                written.refused += 1;
                sleep(Duration::from_millis(20)).await;
            }
            Err(_) => {
                written.disconnected += 1;
                break;
            }
        }
    }
    written
}
