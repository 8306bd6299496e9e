//! Makes deliveries of the events in the log. The place of a webhook in the log moves in the same transaction.

use super::WebhooksService;
use crate::error::Result;
use crate::id::{DeliveryId, WebhookId};
use crate::model::event::{Event, EventFilter};
use crate::model::event_type::EventType;
use crate::service::End;
use crate::service::events::{EventsService, events_within};
use crate::store::{EventLog, EventPlace, EventWindow, NewDelivery, WebhookReader};
use crate::time::Timestamp;

/// Maximum number of pending deliveries of a webhook.
const MAX_PENDING: u64 = 1_000;
/// A webhook reads on when it has room for this number of deliveries, so that events are not read for each delivery that ends.
const MIN_ROOM: u64 = 100;

/// Maximum number of positions that are looked at at a time.
const MAX_POSITIONS: i64 = 10_000;
/// Maximum number of windows of the log in one step.
const MAX_WINDOWS: usize = 10;

impl WebhooksService<'_> {
    /// Queues the events that webhooks have not read yet, up to a bound. Returns whether any webhook reads events.
    pub(super) async fn queue(&self) -> Result<bool> {
        let find = reading!(|tx| tx.read_webhooks()?.webhook_readers());
        if self.0.read_once(find).await?.is_empty() {
            return Ok(false);
        }
        // Events get their positions only when they are read.
        EventsService(self.0).place().await?;
        for _ in 0..MAX_WINDOWS {
            let reading = self.0.read(async |mut tx| {
                let mut readers = tx.read_webhooks()?.webhook_readers().await?;
                let log = tx.read_events()?.event_log().await?;
                let Some(from) = next_place(&readers, log) else {
                    return Ok(None);
                };
                readers.retain(|reader| reader.place == from);
                let after = if log.continues(from) {
                    from.position
                } else {
                    log.purged_to
                };
                if after != from.position || from.epoch != log.epoch {
                    tracing::warn!("events were deleted before webhooks could send them");
                }
                let to = after.saturating_add(MAX_POSITIONS).min(log.last);
                let limit = readers.iter().map(room).max().unwrap_or_default();
                let window = EventWindow { after, to, limit };
                let events = events_within(tx.as_mut(), window, &EventFilter::default()).await?;
                Ok(Some((readers, log.epoch, from, events)))
            });
            let Some((readers, epoch, from, (events, position))) = reading.await? else {
                return Ok(true);
            };
            let to = EventPlace { epoch, position };
            self.move_on(&readers, (from, to), &events).await?;
        }
        Ok(true)
    }

    /// Moves webhooks from a place to another, and queues the events between them.
    async fn move_on(
        &self,
        readers: &[WebhookReader],
        (from, to): (EventPlace, EventPlace),
        events: &[Event],
    ) -> Result<()> {
        let now = self.0.now();
        let writing = self.0.transact(async |mut tx| {
            let (full, roomy): (Vec<_>, Vec<_>) = readers
                .iter()
                .map(|reader| (reader, self.wanted(reader, events, now)))
                .partition(|(reader, wanted)| wanted.len() > rows(room(reader)));
            // Most webhooks have room for all events, and move together.
            let ids: Vec<WebhookId> = roomy.iter().map(|(reader, _)| reader.webhook.id).collect();
            if !ids.is_empty() {
                let moved = tx.write_webhooks()?.move_webhooks(&ids, from, to).await?;
                let wanted = roomy.into_iter().flat_map(|(_, wanted)| wanted);
                let new: Vec<_> = wanted.filter(|new| moved.contains(&new.webhook)).collect();
                tx.write_webhooks()?.insert_deliveries(&new).await?;
            }
            for (reader, mut wanted) in full {
                let room = rows(room(reader));
                // The webhook stays at the first event that does not fit.
                let Some(first_left) = wanted.get(room).map(|new| new.event.sequence) else {
                    continue;
                };
                wanted.truncate(room);
                let position = first_left - 1;
                let to = EventPlace { position, ..to };
                let moved = tx
                    .write_webhooks()?
                    .move_webhooks(&[reader.webhook.id], from, to)
                    .await?;
                if !moved.is_empty() {
                    tx.write_webhooks()?.insert_deliveries(&wanted).await?;
                }
            }
            Ok(End::commit(tx, ()))
        });
        writing.await
    }

    /// The deliveries of the events that a webhook sends.
    fn wanted(&self, reader: &WebhookReader, events: &[Event], now: Timestamp) -> Vec<NewDelivery> {
        let webhook = &reader.webhook;
        let wanted = events.iter().filter(|event| {
            let of_form = match event.event_type {
                // A grant on the form is not an event of the form, and its types are not those of a form's webhook.
                EventType::GrantCreated | EventType::GrantDeleted => webhook.form.is_none(),
                _ => webhook.form.is_none() || event.data.form() == webhook.form,
            };
            of_form && webhook.event_types.contains(event.event_type)
        });
        wanted
            .map(|event| NewDelivery {
                id: DeliveryId::from_uuid(self.0.ids.next(now)),
                webhook: webhook.id,
                event: event.clone(),
                now,
            })
            .collect()
    }
}

/// The number of deliveries for which a webhook has room.
fn room(reader: &WebhookReader) -> u64 {
    MAX_PENDING.saturating_sub(reader.pending)
}

fn rows(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// The place of the webhooks that are farthest behind, of those that have room.
fn next_place(readers: &[WebhookReader], log: EventLog) -> Option<EventPlace> {
    let behind = readers.iter().filter(|reader| {
        let is_at_end = reader.place.epoch == log.epoch && reader.place.position == log.last;
        !is_at_end && room(reader) >= MIN_ROOM
    });
    behind
        .map(|reader| reader.place)
        .min_by_key(|place| (place.epoch == log.epoch, place.position))
}
