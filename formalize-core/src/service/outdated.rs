//! Deletes records whose time is over, and what remains of deleted forms.

use std::sync::{Mutex, PoisonError};

use super::{Maintained, Shared, retry_on_deadlock};
use crate::error::Result;
use crate::statistics::MaintenanceStatistics;

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

/// Counts what maintenance deletes.
#[derive(Debug, Default)]
pub(super) struct MaintenanceCounts(Mutex<MaintenanceStatistics>);

impl MaintenanceCounts {
    pub(super) fn add(&self, done: &Maintained) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.events += done.events;
        counts.kept_responses += done.kept_responses;
        counts.deliveries += done.deliveries;
        counts.attempts += done.attempts;
        counts.data += done.data;
    }

    pub(super) fn statistics(&self) -> MaintenanceStatistics {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    /// Deletes what remains of deleted forms, in at most so many transactions, and returns the number of records.
    pub(super) async fn delete_remains(&self, portions: usize) -> Result<u64> {
        let mut all = 0;
        for _ in 0..portions {
            let deleted = retry_on_deadlock(async || {
                let mut tx = self.write().await?;
                let deleted = tx.delete_remains(PORTION).await?;
                tx.commit().await?;
                Ok(deleted)
            })
            .await?;
            if deleted == 0 {
                break;
            }
            all += deleted;
        }
        Ok(all)
    }

    /// Deletes what is outdated now, and returns the number of records.
    pub(super) async fn delete_outdated(&self, what: Outdated) -> Result<u64> {
        let (now, mut all) = (self.now(), 0);
        let logged_before = now.saturating_sub(self.webhooks.options.log_retention);
        loop {
            // Another server may delete the same ones.
            let deleted = retry_on_deadlock(async || {
                let mut tx = self.write().await?;
                let deleted = match what {
                    Outdated::Sessions => tx.delete_ended_sessions(now, PORTION).await?,
                    Outdated::KeptResponses => tx.delete_expired_responses(now, PORTION).await?,
                    Outdated::Deliveries => tx.delete_deliveries(logged_before, PORTION).await?,
                    Outdated::Attempts => tx.delete_attempts(logged_before, PORTION).await?,
                };
                tx.commit().await?;
                Ok(deleted)
            })
            .await?;
            all += deleted;
            if usize::try_from(deleted).is_ok_and(|deleted| deleted < PORTION) {
                return Ok(all);
            }
        }
    }
}
