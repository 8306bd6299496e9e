//! What stores keep of webhooks besides the webhooks and their deliveries themselves.

use uuid::Uuid;

use super::EventPlace;
use crate::authz::scope::ItemScope;
use crate::id::{DeliveryId, EventId, WebhookId};
use crate::model::event::{Event, EventData};
use crate::model::webhook::{
    Attempt, DeliveryState, FrozenSubmission, SealedSecret, Webhook, WebhookHealth,
};
use crate::time::Timestamp;

/// The webhooks that a list may show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookScope {
    /// Those of these forms.
    pub forms: ItemScope,
    /// Whether those of all forms are shown.
    pub of_all_forms: bool,
}

/// The secrets of a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookSecrets {
    /// The secret that signs.
    pub current: SealedSecret,
    /// The one before, and until when it signs, too.
    pub previous: Option<(SealedSecret, Timestamp)>,
}

/// An enabled webhook, and how far it has read the event log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookReader {
    /// The webhook.
    pub webhook: Webhook,
    /// Its place in the log.
    pub place: EventPlace,
    /// The number of its pending deliveries.
    pub pending: u64,
}

/// The pending deliveries of all webhooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PendingDeliveries {
    /// Their number.
    pub number: u64,
    /// When the oldest of them was first queued.
    pub oldest: Option<Timestamp>,
}

/// A delivery to insert as pending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDelivery {
    /// The identifier.
    pub id: DeliveryId,
    /// The webhook.
    pub webhook: WebhookId,
    /// The event.
    pub event: Event,
    /// When it is queued. It is due at once.
    pub now: Timestamp,
}

impl NewDelivery {
    /// What the event is about. Deliveries of one webhook about the same thing are attempted in the order of positions.
    pub fn lane(&self) -> Uuid {
        match &self.event.data {
            EventData::Submission { submission, .. } => submission.as_uuid(),
            EventData::Form { form } => form.as_uuid(),
            EventData::Group { group } | EventData::Member { group, .. } => group.as_uuid(),
            EventData::Grant { grant, .. } => grant.as_uuid(),
            EventData::Resource { record, .. } => record.as_uuid(),
            EventData::Webhook { webhook, .. } => webhook.as_uuid(),
        }
    }
}

/// Which deliveries become due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requeued<'a> {
    /// These deliveries, if they are finished.
    Deliveries(&'a [DeliveryId]),
    /// Those of these events, if they are finished.
    Events(&'a [EventId]),
    /// These deliveries, also if they are pending. Each is leased next, even while the webhook pauses, after the pending ones
    /// about the same thing that are before it, which become due with it and are not counted.
    Asked(&'a [DeliveryId]),
    /// Those that are pending.
    Pending,
}

/// A webhook with due deliveries that were leased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeasedWebhook {
    /// The webhook.
    pub webhook: Webhook,
    /// Its secrets.
    pub secrets: WebhookSecrets,
    /// The deliveries.
    pub deliveries: Vec<LeasedDelivery>,
}

/// A delivery that was leased, and what it sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeasedDelivery {
    /// The delivery.
    pub id: DeliveryId,
    /// The event.
    pub event: Event,
    /// The submission as it was at the event, if it was kept.
    pub frozen: Option<FrozenSubmission>,
}

/// The counters of a delivery that an attempt changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryProgress {
    /// The number of attempts.
    pub num_attempts: i64,
    /// The number of attempts since it was last queued.
    pub tries: i64,
    /// The number of those in which the receiver refused the event.
    pub refusals: i64,
    /// Whether somebody asked for the next attempt.
    pub is_asked: bool,
}

/// The result of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedAttempt {
    /// The counters after it.
    pub progress: DeliveryProgress,
    /// The attempt.
    pub attempt: Attempt,
    /// The state of the delivery after it.
    pub state: DeliveryState,
    /// When the delivery is attempted next, if it is pending.
    pub next: Option<Timestamp>,
    /// When the result was known.
    pub now: Timestamp,
}

/// The state of a webhook after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WebhookResult {
    /// The state.
    pub health: WebhookHealth,
    /// When the attempt succeeded, or failed.
    pub date: Timestamp,
    /// Whether it succeeded.
    pub succeeded: bool,
}
