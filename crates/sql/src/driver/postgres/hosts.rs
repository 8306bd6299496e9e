//! The servers of a replicated database: which of them takes writes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::Connection as _;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool};
use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// The time in which a server must accept a connection and say whether it is a standby.
const PROBE: Duration = Duration::from_secs(1);
/// How long the server to which the pool connects is asked alone. Several addresses may lead to the same primary, and then there
/// is no reason for another one.
const HEAD_START: Duration = Duration::from_millis(200);
/// The pause before a server is asked again.
const PAUSE: Duration = Duration::from_millis(100);

/// The servers in the URL of a database. The pool connects to one of them, the primary. If that one fails, all are asked
/// which is the primary now.
#[derive(Debug)]
pub(super) struct Hosts {
    servers: Vec<PgConnectOptions>,
    current: Mutex<Current>,
    /// Whether a primary is left that does not answer. A store that only reads may use a standby, and stays there.
    leaves_silent: bool,
    is_searching: AtomicBool,
    found: Notify,
}

/// The server to which the pool connects.
#[derive(Debug, Clone, Copy)]
struct Current {
    position: usize,
    since: Instant,
}

impl Hosts {
    /// The pool connects to the server at this position.
    pub(super) fn new(servers: Vec<PgConnectOptions>, position: usize, is_read_only: bool) -> Self {
        let since = Instant::now();
        Self {
            leaves_silent: servers.len() > 1 && !is_read_only,
            servers,
            current: Mutex::new(Current { position, since }),
            is_searching: AtomicBool::new(false),
            found: Notify::new(),
        }
    }

    /// Begins to look for the primary in the background, unless a search is running. Once it is found, the pool connects to
    /// it. The search ends after `time`, and begins again with the next failure.
    pub(super) fn search(self: &Arc<Self>, pool: &PgPool, time: Duration) {
        if self.is_searching.swap(true, Ordering::AcqRel) {
            return;
        }
        let (hosts, pool) = (Arc::clone(self), pool.clone());
        tokio::spawn(async move {
            let current = hosts.current().position;
            let primary = timeout(time, primary_of(&hosts.servers, current)).await;
            hosts.is_searching.store(false, Ordering::Release);
            if let Ok(Some((position, server))) = primary {
                pool.set_connect_options(server);
                if position != current {
                    let since = Instant::now();
                    *hosts.current() = Current { position, since };
                }
                hosts.found.notify_waiters();
            }
        });
    }

    /// Whether a primary is left that does not answer, if there is another one.
    pub(super) fn leaves_silent(&self) -> bool {
        self.leaves_silent
    }

    /// Whether the pool has begun to connect to another server since then.
    pub(super) fn moved_after(&self, since: Instant) -> bool {
        since <= self.current().since
    }

    fn current(&self) -> MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns when a search that is running now or begins later has found the primary.
    pub(super) fn found(&self) -> Notified<'_> {
        self.found.notified()
    }
}

/// The primary and its position. Asks the current server for a moment, and then all at the same time, each until it is the
/// primary. A server that does not respond does not delay the others.
async fn primary_of(
    servers: &[PgConnectOptions],
    current: usize,
) -> Option<(usize, PgConnectOptions)> {
    let mut searches = JoinSet::new();
    for (position, server) in servers.iter().cloned().enumerate() {
        searches.spawn(async move {
            if position != current {
                sleep(HEAD_START).await;
            }
            while !matches!(timeout(PROBE, is_standby_at(&server)).await, Ok(Ok(false))) {
                sleep(PAUSE).await;
            }
            (position, server)
        });
    }
    searches.join_next().await?.ok()
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
