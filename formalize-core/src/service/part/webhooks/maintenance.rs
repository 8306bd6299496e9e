//! The maintenance of webhooks.

use std::collections::HashSet;
use std::sync::PoisonError;
use std::time::Duration;

use super::WebhooksService;
use crate::error::Result;
use crate::id::EventId;
use crate::model::event::EventFilter;
use crate::service::End;
use crate::service::events::EventsService;
use crate::service::steps::{self, Maintained, Run};
use crate::statistics::{DeliveryStatistics, MaintenanceStep as Step};
use crate::store::EventWindow;
use crate::time::Timestamp;

/// How long a webhook of a deleted form still sends what happened before.
const AFTERLIFE: Duration = Duration::from_hours(24);

/// The number of records that one transaction of maintenance looks at.
pub(super) const PORTION: u64 = 1_000;

/// While a webhook is more events behind than this, no data is deleted.
const MAX_UNREAD: u64 = 10_000;

impl WebhooksService<'_> {
    pub(in crate::service) async fn maintain(
        &self,
        run: &mut Run<'_>,
        maintained: &mut Maintained,
    ) {
        run.step(Step::Webhooks, self.delete_ended()).await;
        run.step(Step::Pending, self.count_pending()).await;
        let deliveries = self.delete_deliveries();
        maintained.deliveries = run.step(Step::Deliveries, deliveries).await;
        maintained.attempts = run.step(Step::Attempts, self.delete_attempts()).await;
        maintained.data = run.step(Step::Data, self.delete_unneeded_data()).await;
    }

    /// Before this time, successful deliveries and attempts are not kept.
    fn logged_before(&self) -> Timestamp {
        let retention = self.0.forms.webhooks.options.log_retention;
        self.0.now().saturating_sub(retention)
    }

    async fn delete_deliveries(&self) -> Result<u64> {
        let before = self.logged_before();
        let delete = writing!(|tx| tx
            .write_webhooks()?
            .delete_deliveries(before, steps::PORTION));
        self.0.delete_portions(delete).await
    }

    async fn delete_attempts(&self) -> Result<u64> {
        let before = self.logged_before();
        let delete = writing!(|tx| tx.write_webhooks()?.delete_attempts(before, steps::PORTION));
        self.0.delete_portions(delete).await
    }

    /// Deletes the records of webhooks whose last deliveries have had their time.
    async fn delete_ended(&self) -> Result<()> {
        let ended = self.0.now().saturating_sub(AFTERLIFE);
        let work = writing!(|tx| tx.write_webhooks()?.delete_ended_webhooks(ended));
        self.0.transact(work).await.map(drop)
    }

    /// Counts pending deliveries, for the statistics.
    async fn count_pending(&self) -> Result<()> {
        let read = reading!(|tx| tx.read_webhooks()?.pending_deliveries());
        let pending = self.0.read_once(read).await?;
        let now = self.0.now();
        let waited = pending
            .oldest
            .map_or(0, |oldest| now.as_millis() - oldest.as_millis());
        let statistics = DeliveryStatistics {
            pending: pending.number,
            oldest_pending: Duration::from_millis(waited.try_into().unwrap_or(0)),
        };
        let counted = &self.0.forms.webhooks.pending;
        *counted.lock().unwrap_or_else(PoisonError::into_inner) = statistics;
        Ok(())
    }

    /// Deletes the data of deleted submissions, unless it may still be sent.
    async fn delete_unneeded_data(&self) -> Result<u64> {
        let find = reading!(|tx| tx.read_webhooks()?.unneeded_data(PORTION));
        let unneeded = self.0.read(find).await?;
        if unneeded.is_empty() {
            return Ok(0);
        }
        // What was found above is in the log by now. While a webhook has not read an event, its delivery does not exist yet.
        let log = EventsService(self.0).extent().await?;
        let writing = self.0.transact(async |mut tx| {
            let readers = tx.read_webhooks()?.webhook_readers().await?;
            if readers.iter().any(|reader| reader.place.epoch != log.epoch) {
                return Ok(End::roll_back(0));
            }
            let read = readers.iter().map(|reader| reader.place.position);
            let window = EventWindow {
                after: read.min().unwrap_or(log.last),
                to: log.last,
                limit: MAX_UNREAD,
            };
            let events = tx.read_events()?;
            let unread = events.events(window, &EventFilter::default()).await?;
            if u64::try_from(unread.len()).is_ok_and(|number| number >= MAX_UNREAD) {
                return Ok(End::roll_back(0));
            }
            let unread: HashSet<EventId> = unread.into_iter().map(|event| event.id).collect();
            let mut unneeded = unneeded.clone();
            unneeded.retain(|event| !unread.contains(event));
            let deleted = tx.write_webhooks()?.delete_data(&unneeded).await?;
            Ok(End::commit(tx, deleted))
        });
        writing.await
    }
}
