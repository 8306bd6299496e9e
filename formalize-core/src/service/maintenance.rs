//! Deletes records whose time is over, and what remains of deleted forms.

use std::sync::{Mutex, PoisonError};

use super::{End, Formalize, Shared};
use crate::error::{Error, Result};
use crate::statistics::{MaintenanceStatistics, MaintenanceStep};
use crate::store::StoreError;

/// The number of records to delete in one transaction, so that others do not wait for long.
const PORTION: usize = 1_000;

/// Records that end by themselves, and are not used any more.
#[derive(Debug, Clone, Copy)]
pub(super) enum Outdated {
    /// Sessions that expired or were not used.
    Sessions,
    /// Responses that were kept long enough.
    KeptResponses,
    /// Deliveries of webhooks that succeeded.
    Deliveries,
    /// Attempts of deliveries.
    Attempts,
}

/// What [`Formalize::maintain`] deleted.
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

    fn add(&self, done: &Maintained) {
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
struct Run<'a> {
    counts: &'a MaintenanceCounts,
    first_error: Option<Error>,
    is_disconnected: bool,
}

impl Run<'_> {
    async fn step<T: Default>(
        &mut self,
        step: MaintenanceStep,
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
}

impl Formalize {
    /// Deletes the records of sessions that have ended, events that are older than
    /// [`Builder::event_retention`](crate::Builder::event_retention), deliveries of webhooks that are older than
    /// [`Builder::webhook_log_retention`](crate::Builder::webhook_log_retention), and what remains of large forms that were
    /// deleted. Call this about once a minute, on one server or on all of them. A session that has ended is rejected even if its
    /// record still exists.
    ///
    /// A step that fails does not stop the others, and
    /// [`Statistics::maintenance`](crate::statistics::Statistics::maintenance) names it. If the connection to the store is lost,
    /// the others fail, too, without being tried.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] if a step failed: the error of the first one, after all steps.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let maintained = formalize.maintain().await?;
    /// assert_eq!(maintained.sessions, 0);
    /// # Ok(()) });
    /// ```
    pub async fn maintain(&self) -> Result<Maintained> {
        use MaintenanceStep as Step;
        let shared = &*self.0;
        let webhooks = self.webhooks();
        let mut run = Run {
            counts: &shared.maintenance,
            first_error: None,
            is_disconnected: false,
        };
        let outdated = |what| shared.delete_outdated(what);
        let sessions = outdated(Outdated::Sessions);
        let sessions = run.step(Step::Sessions, sessions).await;
        let keys = outdated(Outdated::KeptResponses);
        let kept_responses = run.step(Step::Keys, keys).await;
        let events = self.events();
        run.step(Step::Arrivals, events.count_arrivals()).await;
        run.step(Step::Webhooks, webhooks.delete_ended()).await;
        run.step(Step::Pending, webhooks.count_pending()).await;
        let deliveries = outdated(Outdated::Deliveries);
        let deliveries = run.step(Step::Deliveries, deliveries).await;
        let attempts = outdated(Outdated::Attempts);
        let attempts = run.step(Step::Attempts, attempts).await;
        let data = run.step(Step::Data, webhooks.delete_unneeded_data()).await;
        let purged = events.purge(shared.event_retention);
        let events = run.step(Step::Events, purged).await;
        let mut maintained = Maintained {
            sessions,
            events,
            kept_responses,
            deliveries,
            attempts,
            data,
            remains: 0,
        };
        shared.maintenance.add(&maintained);
        // Last, because it may take minutes.
        let remains = shared.delete_remains(usize::MAX);
        maintained.remains = run.step(Step::Remains, remains).await;
        run.first_error.map_or(Ok(maintained), Err)
    }
}

impl Shared {
    /// Deletes what remains of deleted forms, in at most so many transactions, and returns the number of records.
    pub(super) async fn delete_remains(&self, portions: usize) -> Result<u64> {
        let mut all = 0;
        for _ in 0..portions {
            let deleting = self.transact(async |mut tx| {
                let deleted = tx.write_forms()?.delete_remains(PORTION).await?;
                Ok(End::commit(tx, deleted))
            });
            let deleted = deleting.await?;
            if deleted == 0 {
                break;
            }
            all += deleted;
        }
        if all > 0 {
            self.files.note_left();
        }
        Ok(all)
    }

    /// Deletes what is outdated now, and returns the number of records.
    pub(super) async fn delete_outdated(&self, what: Outdated) -> Result<u64> {
        let (now, mut all) = (self.now(), 0);
        let logged_before = now.saturating_sub(self.webhooks.options.log_retention);
        loop {
            // Another server may delete the same ones.
            let deleting = self.transact(async |mut tx| {
                let deleted = match what {
                    Outdated::Sessions => {
                        tx.write_tokens()?
                            .delete_ended_sessions(now, PORTION)
                            .await?
                    }
                    Outdated::KeptResponses => {
                        tx.write_kept_responses()?
                            .delete_expired_responses(now, PORTION)
                            .await?
                    }
                    Outdated::Deliveries => {
                        tx.write_webhooks()?
                            .delete_deliveries(logged_before, PORTION)
                            .await?
                    }
                    Outdated::Attempts => {
                        tx.write_webhooks()?
                            .delete_attempts(logged_before, PORTION)
                            .await?
                    }
                };
                Ok(End::commit(tx, deleted))
            });
            let deleted = deleting.await?;
            all += deleted;
            if usize::try_from(deleted).is_ok_and(|deleted| deleted < PORTION) {
                return Ok(all);
            }
        }
    }
}
