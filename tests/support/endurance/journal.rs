//! The responses during a failure.

use std::sync::{Mutex, PoisonError};

use tokio::time::Instant;

/// One request and its response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// When it was sent.
    pub began: Instant,
    /// When the response was complete.
    pub ended: Instant,
    /// The status of the response, if there was one.
    pub status: Option<u16>,
    /// Whether the response had the header `Retry-After`.
    pub has_retry_after: bool,
    /// Whether the response acknowledged a write.
    pub acknowledged: bool,
}

impl Entry {
    /// Whether the service did not do what was requested, and the user is not to blame.
    pub fn failed(&self) -> bool {
        self.status.is_none_or(|status| status >= 500)
    }
}

/// All requests of all users during a failure.
#[derive(Debug, Default)]
pub struct Journal(Mutex<Vec<Entry>>);

impl Journal {
    /// Adds a request.
    pub(super) fn add(&self, entry: Entry) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.push(entry);
    }

    /// The requests so far, in the order of their responses.
    pub fn entries(&self) -> Vec<Entry> {
        let entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.clone()
    }

    /// Whether a write was acknowledged that was sent after this moment.
    pub fn has_written_since(&self, moment: Instant) -> bool {
        let entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut latest = entries.iter().rev().take_while(|it| it.ended > moment);
        latest.any(|it| it.acknowledged && it.began > moment)
    }
}
