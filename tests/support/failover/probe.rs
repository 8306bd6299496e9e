//! Writes to every node all the time, to know when PostgreSQL itself takes writes.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::ConnectOptions;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::{Cluster, RECOVERY, administrator_at};
use crate::Result;

/// The table, in a database of its own.
pub(super) const TABLE: &str = "CREATE TABLE beats (at timestamptz NOT NULL DEFAULT now())";
const WRITE: &str = "INSERT INTO beats DEFAULT VALUES";

/// The code of the error of a standby.
const READ_ONLY: &str = "25006";

/// How often each node is tried.
const INTERVAL: Duration = Duration::from_millis(50);

/// How long to wait for a connection to a node that does not respond.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long to wait for a COMMIT, which may wait for a standby.
const COMMIT_PATIENCE: Duration = Duration::from_secs(30);

/// Writes to every node until it is dropped.
#[derive(Debug)]
pub(super) struct Probe {
    times: Arc<Mutex<Vec<Instant>>>,
    _tasks: JoinSet<()>,
}

impl Probe {
    /// Returns once the primary has committed a write.
    ///
    /// # Errors
    ///
    /// If that takes too long.
    pub(super) async fn start(cluster: &Cluster) -> Result<Self> {
        let times = Arc::default();
        let mut tasks = JoinSet::new();
        for node in &cluster.network.nodes {
            let options = administrator_at(node.postgres, "probe");
            tasks.spawn(watch(options, Arc::clone(&times)));
        }
        let probe = Self {
            times,
            _tasks: tasks,
        };
        let begun = Instant::now();
        while probe.times().is_empty() {
            if begun.elapsed() > RECOVERY {
                return Err("no node takes writes".into());
            }
            sleep(INTERVAL).await;
        }
        Ok(probe)
    }

    /// When a write was committed, in order.
    pub(super) fn times(&self) -> Vec<Instant> {
        let times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        times.clone()
    }
}

async fn watch(options: PgConnectOptions, times: Arc<Mutex<Vec<Instant>>>) {
    loop {
        if let Ok(Ok(connection)) = timeout(PATIENCE, options.connect()).await {
            beat(connection, &times).await;
        }
        sleep(INTERVAL).await;
    }
}

/// Writes until the node is gone. A standby refuses it, and may become the primary.
async fn beat(mut connection: PgConnection, times: &Mutex<Vec<Instant>>) {
    loop {
        let written = sqlx::query(WRITE).execute(&mut connection);
        match timeout(COMMIT_PATIENCE, written).await {
            Ok(Ok(_)) => times
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(Instant::now()),
            Ok(Err(sqlx::Error::Database(error))) if error.code().as_deref() == Some(READ_ONLY) => {
            }
            _ => return,
        }
        sleep(INTERVAL).await;
    }
}
