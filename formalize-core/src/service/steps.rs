//! The steps of maintenance, and what they have deleted.

use std::sync::{Mutex, PoisonError};

use super::{End, Shared};
use crate::error::{Error, Result};
use crate::statistics::{MaintenanceStatistics, MaintenanceStep as Step};
use crate::store::{OwnedTx, StoreError};

/// The number of records to delete in one transaction, so that others do not wait for long.
pub(super) const PORTION: usize = 1_000;

/// What [`Formalize::maintain`](crate::Formalize::maintain) deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Maintained {
    /// The number of sessions that had ended.
    pub sessions: u64,
    /// The number of events that were too old.
    pub events: u64,
    /// The number of responses to requests with an idempotency key that were kept long enough.
    pub kept_responses: u64,
    /// The number of successful deliveries of webhooks that were kept long enough.
    pub deliveries: u64,
    /// The number of attempts of webhooks that were kept long enough.
    pub attempts: u64,
    /// The number of copies of deleted submissions that no webhook needs any more.
    pub data: u64,
    /// The number of records that remained of deleted forms, without grants.
    pub remains: u64,
}

/// Counts what maintenance deletes, and its failures.
#[derive(Debug, Default)]
pub(super) struct MaintenanceCounts(Mutex<MaintenanceStatistics>);

impl MaintenanceCounts {
    fn update(&self, update: impl FnOnce(&mut MaintenanceStatistics)) {
        update(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub(super) fn add(&self, done: &Maintained) {
        self.update(|counts| {
            counts.events += done.events;
            counts.kept_responses += done.kept_responses;
            counts.deliveries += done.deliveries;
            counts.attempts += done.attempts;
            counts.data += done.data;
        });
    }

    pub(super) fn statistics(&self) -> MaintenanceStatistics {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.clone()
    }
}

/// A run of maintenance. A step that fails does not stop the others: what it would have deleted stays, and theirs need not.
/// Only if the connection to the store is lost, the others fail at once, because each would wait for it, too.
pub(super) struct Run<'a> {
    counts: &'a MaintenanceCounts,
    first_error: Option<Error>,
    is_disconnected: bool,
}

impl<'a> Run<'a> {
    pub(super) fn new(counts: &'a MaintenanceCounts) -> Self {
        Self {
            counts,
            first_error: None,
            is_disconnected: false,
        }
    }

    pub(super) async fn step<T: Default>(
        &mut self,
        step: Step,
        work: impl Future<Output = Result<T>>,
    ) -> T {
        if self.is_disconnected {
            self.counts.update(|counts| counts.steps.ended(step, false));
            return T::default();
        }
        let done = work.await;
        if matches!(done, Err(Error::NotConfigured(_))) {
            // Nothing is kept that this step would delete.
            return T::default();
        }
        self.counts
            .update(|counts| counts.steps.ended(step, done.is_ok()));
        done.unwrap_or_else(|error| {
            tracing::warn!(step = step.as_str(), %error, "a step of the maintenance failed");
            self.is_disconnected = matches!(error, Error::Store(StoreError::Disconnected(_)));
            self.first_error.get_or_insert(error);
            T::default()
        })
    }

    /// The error of the first step that failed.
    pub(super) fn end(self) -> Result<()> {
        self.first_error.map_or(Ok(()), Err)
    }
}

impl Shared {
    /// Repeats a deletion of at most [`PORTION`] records in a transaction until nothing is left, and returns the number of records.
    /// Another server may delete the same ones.
    pub(super) async fn delete_portions<F>(
        &self,
        delete: impl Fn(Box<dyn OwnedTx>) -> F,
    ) -> Result<u64>
    where
        F: Future<Output = Result<End<u64>>>,
    {
        let mut all = 0;
        loop {
            let deleted = self.transact(&delete).await?;
            all += deleted;
            if usize::try_from(deleted).is_ok_and(|deleted| deleted < PORTION) {
                return Ok(all);
            }
        }
    }
}
