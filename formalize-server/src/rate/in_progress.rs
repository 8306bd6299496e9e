//! The number of requests in progress for each client of a proxy.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::connections::Source;

/// Counts requests by the client that a proxy names.
#[derive(Debug)]
pub(super) struct Requests {
    most: u32,
    counts: Mutex<HashMap<Source, u32>>,
}

impl Requests {
    pub(super) fn new(most: u32) -> Self {
        Self {
            most,
            counts: Mutex::default(),
        }
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<Source, u32>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request; `None` if the client has too many.
    pub(super) fn begin(self: &Arc<Self>, source: Source) -> Option<InProgress> {
        let mut counts = self.counts();
        let count = counts.entry(source).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(InProgress(Some((source, Arc::clone(self)))))
    }
}

/// A request in progress, until it is dropped.
#[derive(Debug)]
pub struct InProgress(Option<(Source, Arc<Requests>)>);

impl InProgress {
    /// A request that counts for no client.
    pub(super) fn uncounted() -> Self {
        Self(None)
    }
}

impl Drop for InProgress {
    fn drop(&mut self) {
        let Some((source, requests)) = &self.0 else {
            return;
        };
        let mut counts = requests.counts();
        if let Some(count) = counts.get_mut(source) {
            *count -= 1;
            if *count == 0 {
                counts.remove(source);
            }
        }
    }
}
