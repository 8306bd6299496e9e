//! How many connections there are, and what went wrong on them.

use std::sync::atomic::{AtomicU64, Ordering};

/// What is counted of connections.
#[derive(Debug)]
pub struct ConnectionStats {
    limit: u32,
    open: AtomicU64,
    unreadable: AtomicU64,
}

impl ConnectionStats {
    /// Of a listener with at most so many connections at a time.
    pub fn new(limit: u32) -> Self {
        Self {
            limit,
            open: AtomicU64::new(0),
            unreadable: AtomicU64::new(0),
        }
    }

    /// Counts a connection until what is returned is dropped.
    pub(super) fn opens(&self) -> Open<'_> {
        self.open.fetch_add(1, Ordering::Relaxed);
        Open(self)
    }

    /// Counts a request head that cannot be read.
    pub(super) fn read_nothing(&self) {
        self.unreadable.fetch_add(1, Ordering::Relaxed);
    }

    /// How many connections there may be.
    pub fn limit(&self) -> u64 {
        self.limit.into()
    }

    /// How many connections there are.
    pub fn open(&self) -> u64 {
        self.open.load(Ordering::Relaxed)
    }

    /// How many request heads could not be read.
    pub fn unreadable(&self) -> u64 {
        self.unreadable.load(Ordering::Relaxed)
    }
}

/// A connection.
pub(super) struct Open<'t>(&'t ConnectionStats);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}
