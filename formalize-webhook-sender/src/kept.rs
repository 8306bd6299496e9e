//! Connections that are kept for the next request of the same webhook.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use formalize_core::webhooks::WebhookId;
use tokio::time::Instant;

use crate::connection::Connection;

/// How long a connection is kept without a request. Its address is not checked again in this time.
pub(crate) const KEEP: Duration = Duration::from_secs(30);

/// Idle connections.
pub(crate) struct KeptConnections {
    keep: Duration,
    kept: Mutex<HashMap<WebhookId, Vec<Kept>>>,
}

struct Kept {
    connection: Connection,
    authority: String,
    since: Instant,
}

impl KeptConnections {
    /// Keeps connections for this time.
    pub(crate) fn new(keep: Duration) -> Self {
        Self {
            keep,
            kept: Mutex::default(),
        }
    }

    /// Takes a connection of this webhook to this host and port.
    pub(crate) fn take(&self, webhook: WebhookId, authority: &str) -> Option<Connection> {
        let mut kept = self.locked();
        let of_webhook = kept.get_mut(&webhook)?;
        of_webhook.retain(|kept| kept.is_usable(self.keep) && kept.authority == authority);
        of_webhook.pop().map(|kept| kept.connection)
    }

    /// Keeps a connection on which nothing is under way.
    pub(crate) fn put(&self, webhook: WebhookId, authority: String, connection: Connection) {
        let kept = Kept {
            connection,
            authority,
            since: Instant::now(),
        };
        self.locked().entry(webhook).or_default().push(kept);
    }

    /// Closes the connections that were idle for too long.
    pub(crate) fn close_idle(&self) {
        self.locked().retain(|_, of_webhook| {
            of_webhook.retain(|kept| kept.is_usable(self.keep));
            !of_webhook.is_empty()
        });
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<WebhookId, Vec<Kept>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn is_usable(&self, keep: Duration) -> bool {
        self.since.elapsed() < keep && !self.connection.sender.is_closed()
    }
}
