//! Counters of connections.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counters of connections.
#[derive(Debug)]
pub struct ConnectionStats {
    limit: u32,
    open: AtomicU64,
    unreadable: AtomicU64,
}

impl ConnectionStats {
    /// Creates counters for a listener with this limit.
    pub fn new(limit: u32) -> Self {
        Self {
            limit,
            open: AtomicU64::new(0),
            unreadable: AtomicU64::new(0),
        }
    }

    /// Counts a connection until the returned guard is dropped.
    pub(super) fn opens(&self) -> Open<'_> {
        self.open.fetch_add(1, Ordering::Relaxed);
        Open(self)
    }

    /// Counts a malformed request head.
    pub(super) fn read_nothing(&self) {
        self.unreadable.fetch_add(1, Ordering::Relaxed);
    }

    /// Maximum number of connections.
    pub fn limit(&self) -> u64 {
        self.limit.into()
    }

    /// Number of open connections.
    pub fn open(&self) -> u64 {
        self.open.load(Ordering::Relaxed)
    }

    /// Number of malformed request heads.
    pub fn unreadable(&self) -> u64 {
        self.unreadable.load(Ordering::Relaxed)
    }
}

/// Counts a connection as open.
pub(super) struct Open<'t>(&'t ConnectionStats);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}
