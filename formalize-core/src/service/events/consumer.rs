//! Durable readers of the event log. The place and the lease of each are in the store.

use std::time::Duration;

use uuid::Uuid;

use super::{EventsService, MAX_EVENTS, or_look};
use crate::error::{Error, Result};
use crate::model::event::{Event, EventFilter};
use crate::model::text::{InvalidText, MAX_OPAQUE_CHARS, is_plain};
use crate::model::webhook::SUBSCRIPTION_PREFIX;
use crate::service::{End, Shared, random_bytes};
use crate::store::{EventPlace, EventWindow};

/// A consumer loses its subscription to another one if it does not renew it for this long.
const LEASE: Duration = Duration::from_mins(1);

/// A reader of the event log that keeps its place in the store: see
/// [`EventsService::subscription`](crate::events::EventsService::subscription).
///
/// Of several consumers of one subscription, in whichever processes, one gets events and the others wait. If it does not call
/// anything for a minute, another one continues at its place. So each event comes at least once.
pub struct EventConsumer<'a> {
    shared: &'a Shared,
    name: String,
    holder: Uuid,
}

/// Some of the events of a subscription, in order.
pub struct EventBatch<'c> {
    consumer: &'c EventConsumer<'c>,
    events: Vec<Event>,
    end: EventPlace,
}

impl<'a> EventConsumer<'a> {
    pub(super) fn new(shared: &'a Shared, name: String) -> Result<Self> {
        let is_free = is_plain(&name, MAX_OPAQUE_CHARS) && !name.starts_with(SUBSCRIPTION_PREFIX);
        ensure!(is_free, InvalidText);
        let holder = Uuid::from_bytes(random_bytes()?);
        Ok(Self {
            shared,
            name,
            holder,
        })
    }

    /// Waits for events, and returns at most 1,000 of them. A new subscription begins at the oldest event in the log.
    ///
    /// Until [`EventBatch::done`], this returns the same events again.
    ///
    /// # Errors
    ///
    /// [`Error::EventsExpired`] if the next events were deleted because they were old, or the log was
    /// [reset](crate::events::EventsService::reset). Call [`EventConsumer::reset_to_oldest`] or [`EventConsumer::reset_to_now`] to
    /// continue. [`Error::Store`].
    pub async fn next(&mut self) -> Result<EventBatch<'_>> {
        let events = EventsService(self.shared);
        loop {
            events.place_for_waiting().await?;
            let Some(place) = self.lease().await? else {
                // Another consumer has the subscription.
                let mut news = self.shared.events.news.subscribe();
                or_look(async { news.changed().await.unwrap_or(()) }).await;
                continue;
            };
            if let Some((found, end)) = self.behind(place).await? {
                return Ok(EventBatch {
                    consumer: self,
                    events: found,
                    end,
                });
            }
            self.wait(place).await?;
        }
    }

    /// The next events behind a place, and the place behind them.
    async fn behind(&self, place: EventPlace) -> Result<Option<(Vec<Event>, EventPlace)>> {
        let reading = self.shared.read(async |mut tx| {
            let log = tx.read_events()?.event_log().await?;
            ensure!(log.continues(place), Error::EventsExpired);
            let window = EventWindow {
                after: place.position,
                to: log.last,
                limit: MAX_EVENTS,
            };
            let events = tx.read_events()?;
            let events = events.events(window, &EventFilter::default()).await?;
            let Some(last) = events.last() else {
                return Ok(None);
            };
            let end = EventPlace {
                position: last.sequence,
                ..place
            };
            Ok(Some((events, end)))
        });
        reading.await
    }

    /// Waits for events behind a place, but returns in time to renew the lease.
    async fn wait(&self, place: EventPlace) -> Result<()> {
        let news = EventsService(self.shared);
        let news = news.news(place.position);
        #[cfg(feature = "timers")]
        return tokio::time::timeout(LEASE / 2, news)
            .await
            .unwrap_or(Ok(()));
        #[cfg(not(feature = "timers"))]
        news.await
    }

    /// Continues at the oldest event in the log.
    ///
    /// # Errors
    ///
    /// [`Error::EventSubscriptionTaken`], [`Error::Store`].
    pub async fn reset_to_oldest(&mut self) -> Result<()> {
        self.reset(|log| log.purged_to).await
    }

    /// Continues with what happens from now on.
    ///
    /// # Errors
    ///
    /// [`Error::EventSubscriptionTaken`], [`Error::Store`].
    pub async fn reset_to_now(&mut self) -> Result<()> {
        self.reset(|log| log.last).await
    }

    async fn reset(&self, position: fn(crate::store::EventLog) -> i64) -> Result<()> {
        let log = EventsService(self.shared).extent().await?;
        self.lease().await?.ok_or(Error::EventSubscriptionTaken)?;
        let place = EventPlace {
            epoch: log.epoch,
            position: position(log),
        };
        self.move_to(place).await
    }

    /// Gives the subscription up, so that another consumer can continue at once.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn release(self) -> Result<()> {
        let (name, holder) = (&self.name, self.holder);
        let work = writing!(|tx| tx.write_events()?.release_event_subscription(name, holder));
        self.shared.transact(work).await
    }

    /// Takes or renews the lease. Returns the place, unless another consumer has the lease.
    async fn lease(&self) -> Result<Option<EventPlace>> {
        let writing = self.shared.transact(async |mut tx| {
            let now = self.shared.now();
            let until = now.saturating_add(LEASE);
            let place = tx
                .write_events()?
                .lease_event_subscription(&self.name, self.holder, (now, until))
                .await?;
            Ok(End::commit(tx, place))
        });
        writing.await
    }

    async fn move_to(&self, place: EventPlace) -> Result<()> {
        let writing = self.shared.transact(async |mut tx| {
            let moved = tx
                .write_events()?
                .move_event_subscription(&self.name, self.holder, place)
                .await?;
            ensure!(moved, Error::EventSubscriptionTaken);
            Ok(End::commit(tx, ()))
        });
        writing.await
    }
}

impl EventBatch<'_> {
    /// The events, at least one.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Notes that the events were processed.
    ///
    /// # Errors
    ///
    /// [`Error::EventSubscriptionTaken`] if processing took longer than a minute and another consumer took over, which may
    /// have got the same events. [`Error::Store`].
    pub async fn done(self) -> Result<()> {
        self.consumer.move_to(self.end).await
    }

    /// Keeps the subscription for another minute. Call this if processing takes long.
    ///
    /// # Errors
    ///
    /// [`Error::EventSubscriptionTaken`], [`Error::Store`].
    pub async fn renew(&self) -> Result<()> {
        let place = self.consumer.lease().await?;
        place.map(drop).ok_or(Error::EventSubscriptionTaken)
    }
}
