//! How use cases write events. A use case says what it did with a [`EventContent`]; nothing else decides which event that is.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Instant;

use tokio::sync::{Mutex, watch};

use crate::authz::scope::Audience;
use crate::error::Result;
use crate::id::{EventId, FormId};
use crate::model::event::{EventContent, NewEvent};
use crate::model::event_type::EventType;
use crate::service::Shared;
use crate::statistics::EventStatistics;
use crate::store::{EventLog, WriteTx};
use crate::time::Timestamp;

/// The writing side of the event log in this process.
#[derive(Debug)]
pub(in crate::service) struct EventWriting {
    is_on: bool,
    /// The number of events written, by type.
    written: Vec<(EventType, AtomicU64)>,
    /// The highest position that was seen.
    last: AtomicI64,
    /// The number of events that had no position at the last maintenance.
    arrivals: AtomicI64,
    /// Changes with each commit of this process that wrote events.
    pub(super) news: watch::Sender<()>,
    /// When events were last given positions for a reader that waits for more: the beginning of that.
    pub(super) last_placed: Mutex<Option<Instant>>,
}

impl EventWriting {
    pub(in crate::service) fn new(is_on: bool) -> Self {
        let types = EventType::ALL.iter();
        Self {
            is_on,
            written: types
                .map(|event_type| (*event_type, AtomicU64::new(0)))
                .collect(),
            last: AtomicI64::new(0),
            arrivals: AtomicI64::new(0),
            news: watch::Sender::new(()),
            last_placed: Mutex::new(None),
        }
    }

    /// Counts an event, and wakes those who wait for it.
    pub(in crate::service) fn note(&self, event_type: EventType) {
        let mut written = self.written.iter();
        if let Some((_, count)) = written.find(|(counted, _)| *counted == event_type) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.news.send_replace(());
    }

    pub(in crate::service) fn saw(&self, log: EventLog) {
        self.last.fetch_max(log.last, Ordering::Relaxed);
    }

    pub(super) fn saw_arrivals(&self, arrivals: i64) {
        self.arrivals.store(arrivals, Ordering::Relaxed);
    }

    pub(in crate::service) fn statistics(&self) -> EventStatistics {
        let written = self.written.iter();
        let written = written.map(|(of, count)| (*of, count.load(Ordering::Relaxed)));
        EventStatistics {
            written: written.collect(),
            last_position: self.last.load(Ordering::Relaxed),
            arrivals: self.arrivals.load(Ordering::Relaxed),
        }
    }
}

impl Shared {
    /// The identifier for the event of a change, unless no events are written.
    pub(in crate::service) fn event_id(
        &self,
        now: Timestamp,
        form: Option<FormId>,
    ) -> Option<EventId> {
        let is_on = self.events.is_on;
        is_on.then(|| EventId::from_uuid(self.ids.next_of(form, now)))
    }

    /// The event of what a use case did, unless no events are written.
    pub(in crate::service) fn event(&self, now: Timestamp, what: EventContent) -> Option<NewEvent> {
        self.event_id(now, what.of_form())
            .map(|id| what.at(id, now))
    }

    /// Writes who could read what is going to be deleted.
    pub(in crate::service) async fn tell(
        &self,
        tx: &mut dyn WriteTx,
        event: Option<&NewEvent>,
        audience: &Audience,
    ) -> Result<()> {
        if let Some(event) = event {
            let events = tx.write_events()?;
            events.insert_audience(event.id, audience).await?;
        }
        Ok(())
    }

    /// Appends an event in a transaction that the caller of the library commits.
    pub(in crate::service) async fn append(
        &self,
        tx: &mut dyn WriteTx,
        event: Option<NewEvent>,
    ) -> Result<()> {
        if let Some(event) = event {
            tx.write_events()?.append_event(&event).await?;
            self.events.note(event.event_type);
        }
        Ok(())
    }
}
