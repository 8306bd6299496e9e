//! Use cases of the event log.

use std::time::{Duration, Instant};

use super::transact::rest;
use super::{End, Shared, random_bytes};
use crate::error::{Error, Result};
use crate::model::event::{Event, EventFilter, EventSubscription};
use crate::model::webhook::SUBSCRIPTION_PREFIX;
use crate::store::{EventLog, EventPlace, EventWindow, ReadTx};

mod consumer;
mod log;

pub use consumer::{EventBatch, EventConsumer};
pub(super) use log::EventWriting;

/// Maximum number of events in a page or a batch.
pub(super) const MAX_EVENTS: u64 = 1_000;
/// Maximum number of positions that a page looks at.
pub(super) const MAX_POSITIONS: i64 = 10_000;
/// Maximum number of events that get their positions in one transaction.
const PLACED_TOGETHER: u64 = 10_000;
/// Counting more events without a position than this would take long, and says nothing new.
const MAX_COUNTED: u64 = 1_000_000;
/// Maximum number of events that are deleted in one transaction.
const DELETED_TOGETHER: u64 = 1_000;
/// How often a reader that waits for events looks for those of other processes.
#[cfg(feature = "timers")]
const LOOK: Duration = Duration::from_secs(1);
/// The time between two transactions that give positions to events for those who wait.
const PLACING: Duration = Duration::from_millis(50);

/// A part of the event log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventPage {
    /// The events, in the order of their positions. There may be none even if more follow.
    pub events: Vec<Event>,
    /// The position to read on from.
    pub next: i64,
    /// Whether the end of the log was not reached.
    pub has_more: bool,
}

/// The event log: what happened to records, in order. [`EventsService::list`] shows users the part that they may see. The
/// other methods are for the application itself: they show everything.
pub struct EventsService<'a>(pub(super) &'a Shared);

impl<'a> EventsService<'a> {
    /// Reads the log from behind a position, or from the oldest event. A page has at most 1,000 events. Call this again with
    /// [`EventPage::next`] while [`EventPage::has_more`].
    ///
    /// Everything that was committed before the call is found.
    ///
    /// # Errors
    ///
    /// [`Error::EventsExpired`] if events behind the position have been deleted or the position is beyond the end;
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_group(async |formalize, group| {
    /// let page = formalize.events().read(None, &EventFilter::default(), 100).await?;
    /// assert_eq!(page.events[0].data, EventData::Group { group: group.id });
    ///
    /// formalize.groups().delete(&Caller::System, group.id).await?;
    /// let page = formalize.events().read(Some(page.next), &EventFilter::default(), 100).await?;
    /// assert_eq!(page.events[0].event_type, EventType::GroupDeleted);
    /// # Ok(()) });
    /// ```
    pub async fn read(
        &self,
        after: Option<i64>,
        filter: &EventFilter,
        limit: u64,
    ) -> Result<EventPage> {
        self.place().await?;
        let reading = self.0.read(async |mut tx| {
            let log = tx.read_events()?.event_log().await?;
            self.0.events.saw(log);
            let after = after.unwrap_or(log.purged_to);
            let place = EventPlace {
                epoch: log.epoch,
                position: after,
            };
            ensure!(log.continues(place), Error::EventsExpired);
            let limit = limit.clamp(1, MAX_EVENTS);
            let to = after.saturating_add(MAX_POSITIONS).min(log.last);
            let window = EventWindow { after, to, limit };
            let (events, next) = events_within(tx.as_mut(), window, filter).await?;
            Ok(EventPage {
                events,
                next,
                has_more: next < log.last,
            })
        });
        reading.await
    }

    /// The extent of the log.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// // Only what happens from now on.
    /// let now = formalize.events().extent().await?.last;
    /// let page = formalize.events().read(Some(now), &EventFilter::default(), 100).await?;
    /// assert!(page.events.is_empty());
    /// # Ok(()) });
    /// ```
    pub async fn extent(&self) -> Result<EventLog> {
        self.place().await?;
        self.log().await
    }

    async fn log(&self) -> Result<EventLog> {
        let read = reading!(|tx| tx.read_events()?.event_log());
        let log = self.0.read_once(read).await?;
        self.0.events.saw(log);
        Ok(log)
    }

    /// Waits until there are events behind a position. Those that this process writes are noticed at once, and those of
    /// others within a second.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let writing = formalize.clone();
    /// tokio::spawn(async move {
    ///     let new = NewGroup { name: GroupName::new("Editors")? };
    ///     writing.groups().create(&Caller::System, new).await
    /// });
    /// formalize.events().news(0).await?;
    /// assert_eq!(formalize.events().extent().await?.last, 1);
    /// # Ok(()) });
    /// ```
    pub async fn news(&self, after: i64) -> Result<()> {
        let mut news = self.0.events.news.subscribe();
        loop {
            news.mark_unchanged();
            self.place_for_waiting().await?;
            let log = self.log().await?;
            if log.last > after {
                return Ok(());
            }
            // This cannot fail, because the sender lives as long as the service.
            or_look(async { news.changed().await.unwrap_or(()) }).await;
        }
    }

    /// Returns a durable reader of the log, of which one consumer works at a time, in whichever process.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidValue`] if the name is not 1 to 255 characters without control characters, or begins with `webhook:`,
    /// as the subscriptions of webhooks do.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_group(async |formalize, _| {
    /// let mut consumer = formalize.events().subscription("search index")?;
    /// let batch = consumer.next().await?;
    /// for event in batch.events() {
    ///     println!("{} {}", event.sequence, event.event_type);
    /// }
    /// // Without this, the same events come again.
    /// batch.done().await?;
    /// # Ok(()) });
    /// ```
    pub fn subscription(&self, name: impl Into<String>) -> Result<EventConsumer<'a>> {
        EventConsumer::new(self.0, name.into())
    }

    /// Lists the subscriptions.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn subscriptions(&self) -> Result<Vec<EventSubscription>> {
        let read = reading!(|tx| tx.read_events()?.event_subscriptions());
        self.0.read_once(read).await
    }

    /// Deletes a subscription. A consumer that uses it loses it.
    ///
    /// # Errors
    ///
    /// [`Error::EventSubscriptionNotFound`], [`Error::EventSubscriptionReserved`] if it is the place of a webhook,
    /// [`Error::Store`].
    pub async fn delete_subscription(&self, name: &str) -> Result<()> {
        let is_free = !name.starts_with(SUBSCRIPTION_PREFIX);
        ensure!(is_free, Error::EventSubscriptionReserved);
        let writing = self.0.transact(async |mut tx| {
            let existed = tx.write_events()?.delete_event_subscription(name).await?;
            ensure!(existed, Error::EventSubscriptionNotFound);
            Ok(End::commit(tx, ()))
        });
        writing.await
    }

    /// Deletes the events that are older than this, and returns their number. Events behind one that is kept are kept, too.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn purge(&self, older_than: Duration) -> Result<u64> {
        self.place().await?;
        let before = self.0.now().saturating_sub(older_than);
        let mut purged = 0;
        loop {
            let begun = Instant::now();
            let work = writing!(|tx| tx.write_events()?.delete_events(before, DELETED_TOGETHER));
            let deleted = self.0.transact(work).await?;
            purged += deleted;
            if deleted < DELETED_TOGETHER {
                self.extent().await?;
                return Ok(purged);
            }
            // Others should be able to write meanwhile.
            rest(begun.elapsed()).await;
        }
    }

    /// Makes every place in the log invalid that was noted before, because positions may now mean other events. Call this
    /// after an older state of the store was restored. All subscriptions must be
    /// [set to another place](EventConsumer::reset_to_oldest).
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn reset(&self) -> Result<()> {
        let epoch = i64::from_be_bytes(random_bytes()?);
        let work = writing!(|tx| tx.write_events()?.set_event_epoch(epoch));
        self.0.transact(work).await
    }

    /// Counts the events that have no position yet, for the statistics.
    pub(super) async fn count_arrivals(&self) -> Result<()> {
        let reading = self.0.read_once(async |mut tx| {
            let arrivals = tx.read_events()?.event_arrivals(MAX_COUNTED).await?;
            self.0.events.saw_arrivals(arrivals);
            Ok(())
        });
        reading.await
    }

    /// Gives positions to all events that were committed before the call.
    pub(super) async fn place(&self) -> Result<()> {
        let count = reading!(|tx| tx.read_events()?.event_arrivals(1));
        while self.0.read_once(count).await? > 0 {
            // Events that have positions are not placed again, so this can be repeated whether it was committed or not.
            let work = writing!(|tx| tx.write_events()?.place_events(PLACED_TOGETHER));
            if self.0.transact_idempotent(true, work).await? < PLACED_TOGETHER {
                break;
            }
        }
        Ok(())
    }

    /// The same for those who wait for events, who need not see them at once. Those who wait at the same time share the work.
    async fn place_for_waiting(&self) -> Result<()> {
        let called = Instant::now();
        let mut last = self.0.events.last_placed.lock().await;
        if last.is_some_and(|began| began >= called) {
            return Ok(());
        }
        if let Some(last) = *last {
            rest(PLACING.saturating_sub(last.elapsed())).await;
        }
        let began = Instant::now();
        self.place().await?;
        *last = Some(began);
        Ok(())
    }
}

/// The events in a window, and where it ends: at the last one if it is full.
pub(super) async fn events_within(
    tx: &mut dyn ReadTx,
    window: EventWindow,
    filter: &EventFilter,
) -> Result<(Vec<Event>, i64)> {
    let events = tx.read_events()?.events(window, filter).await?;
    let last = events.last().map(|event| event.sequence);
    let is_full = u64::try_from(events.len()).is_ok_and(|number| number >= window.limit);
    Ok((events, last.filter(|_| is_full).unwrap_or(window.to)))
}

/// Waits for something, or until it is time to look for changes of other processes.
#[cfg(feature = "timers")]
async fn or_look(future: impl Future<Output = ()>) {
    let _ = tokio::time::timeout(LOOK, future).await;
}

/// Without the feature `timers`, only events of this process are noticed.
#[cfg(not(feature = "timers"))]
async fn or_look(future: impl Future<Output = ()>) {
    future.await;
}
