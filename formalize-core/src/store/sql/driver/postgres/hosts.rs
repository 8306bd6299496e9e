//! The servers of a replicated database: which of them takes writes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use sqlx::Connection as _;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool};
use tokio::time::{Instant, sleep, timeout};

/// The time in which a server must accept a connection and say whether it is a standby.
const PROBE: Duration = Duration::from_secs(1);
/// The pause between two rounds.
const PAUSE: Duration = Duration::from_millis(100);

/// The servers in the URL of a database. The pool connects to one of them, the primary. If that one fails, the others are
/// asked which has become the primary.
#[derive(Debug)]
pub(super) struct Hosts {
    servers: Vec<PgConnectOptions>,
    /// The last known primary.
    current: AtomicUsize,
    is_searching: AtomicBool,
}

impl Hosts {
    /// `current` is the index of the primary.
    pub(super) fn new(servers: Vec<PgConnectOptions>, current: usize) -> Self {
        Self {
            servers,
            current: AtomicUsize::new(current),
            is_searching: AtomicBool::new(false),
        }
    }

    /// Begins to look for the primary in the background, unless there is only one server, or a search is running. Once it is
    /// found, the pool connects to it. The search ends after `time`, and begins again with the next failure.
    pub(super) fn search(self: &Arc<Self>, pool: &PgPool, time: Duration) {
        if self.servers.len() < 2 || self.is_searching.swap(true, Ordering::AcqRel) {
            return;
        }
        let (hosts, pool) = (Arc::clone(self), pool.clone());
        tokio::spawn(async move {
            if let Some(primary) = hosts.primary(time).await {
                hosts.current.store(primary, Ordering::Release);
                if let Some(server) = hosts.servers.get(primary) {
                    pool.set_connect_options(server.clone());
                }
            }
            hosts.is_searching.store(false, Ordering::Release);
        });
    }

    async fn primary(&self, time: Duration) -> Option<usize> {
        let until = Instant::now() + time;
        while Instant::now() < until {
            let current = self.current.load(Ordering::Acquire);
            let (before, after) = self.servers.split_at(current.min(self.servers.len()));
            // The last primary is asked first: usually it has only been restarted.
            for (index, server) in (current..).zip(after).chain((0..).zip(before)) {
                if let Ok(Ok(false)) = timeout(PROBE, is_standby_at(server)).await {
                    return Some(index);
                }
            }
            sleep(PAUSE).await;
        }
        None
    }
}

async fn is_standby_at(server: &PgConnectOptions) -> sqlx::Result<bool> {
    let mut connection = PgConnection::connect_with(server).await?;
    let is_standby = is_standby(&mut connection).await;
    let _ = connection.close().await;
    is_standby
}

/// Whether a server is a standby, which takes no writes.
pub(super) async fn is_standby(connection: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar("SELECT pg_is_in_recovery()")
        .fetch_one(connection)
        .await
}

/// A URL with several hosts, as libpq writes it (`postgres://user@a:5432,b:5432,c/name`), as one URL for each host.
pub(super) fn split(url: &str) -> Vec<String> {
    let Some((scheme, rest)) = url.split_once("://") else {
        return vec![url.to_owned()];
    };
    let (address, query) = match rest.split_once('?') {
        Some((address, query)) => (address, format!("?{query}")),
        None => (rest, String::new()),
    };
    let (user, rest) = match address.rsplit_once('@') {
        Some((user, rest)) => (format!("{user}@"), rest),
        None => (String::new(), address),
    };
    let (hosts, database) = match rest.split_once('/') {
        Some((hosts, database)) => (hosts, format!("/{database}")),
        None => (rest, String::new()),
    };
    let hosts = hosts.split(',');
    hosts
        .map(|host| format!("{scheme}://{user}{host}{database}{query}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_with_several_hosts_is_one_for_each() {
        for (url, hosts) in [
            ("postgres://host/db", vec!["postgres://host/db"]),
            (
                "postgres://alice:p,w@a:5432,b,[::1]:7/db?sslmode=require&options[x]=a,b",
                vec![
                    "postgres://alice:p,w@a:5432/db?sslmode=require&options[x]=a,b",
                    "postgres://alice:p,w@b/db?sslmode=require&options[x]=a,b",
                    "postgres://alice:p,w@[::1]:7/db?sslmode=require&options[x]=a,b",
                ],
            ),
            ("postgresql://a,b", vec!["postgresql://a", "postgresql://b"]),
            ("sqlite", vec!["sqlite"]),
        ] {
            assert_eq!(split(url), hosts);
        }
    }
}
