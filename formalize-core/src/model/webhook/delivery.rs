//! Deliveries: events on their way to webhooks.

use std::time::Duration;

use crate::id::{DeliveryId, EventId, SubmissionId, WebhookId};
use crate::model::event_type::EventType;
use crate::model::webhook::attempt::{AttemptError, UnknownDeliveryWord};
use crate::time::Timestamp;

words! {
    /// The state of a delivery.
    DeliveryState or UnknownDeliveryWord {
        /// It is attempted until it succeeds or is given up.
        Pending = "pending",
        /// The receiver has accepted it.
        Delivered = "delivered",
        /// It was given up. It can be sent again while the event is in the log.
        Dead = "dead",
    }
}

/// One event on its way to one webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The identifier.
    pub id: DeliveryId,
    /// The webhook.
    pub webhook: WebhookId,
    /// The event.
    pub event: EventId,
    /// Its position in the log.
    pub sequence: i64,
    /// What it says.
    pub event_type: EventType,
    /// The submission that it is about, if any.
    pub submission: Option<SubmissionId>,
    /// The state.
    pub state: DeliveryState,
    /// The number of attempts.
    pub num_attempts: i64,
    /// When it was first queued.
    pub date_created: Timestamp,
    /// When it is attempted next, if it is pending. It may wait longer for deliveries before it.
    pub date_next_attempt: Option<Timestamp>,
    /// When it was delivered or given up.
    pub date_done: Option<Timestamp>,
    /// The status of the last response, if the last attempt had one.
    pub last_status: Option<u16>,
    /// Why the last attempt failed.
    pub last_error: Option<AttemptError>,
}

/// An attempt of a delivery. What the receiver sent is not kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// When it began.
    pub date: Timestamp,
    /// The status of the response, if there was one.
    pub status: Option<u16>,
    /// Why it failed; `None` if it succeeded.
    pub error: Option<AttemptError>,
    /// How long it took, to the millisecond.
    pub duration: Duration,
}

/// Selects deliveries for a list, and their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeliveryFilter {
    /// Only deliveries in this state.
    pub state: Option<DeliveryState>,
    /// Only deliveries of events of this type.
    pub event_type: Option<EventType>,
    /// Whether the newest one comes first, instead of the oldest.
    pub newest_first: bool,
}

/// What to send again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resend {
    /// These deliveries, at most 1,000. Each is attempted at once, also one that is pending, and also while the webhook
    /// pauses after failures. Only what precedes it about the same submission goes first.
    Deliveries(Vec<DeliveryId>),
    /// Events of a period.
    Since {
        /// Events at this time or later.
        since: Timestamp,
        /// Events at this time or earlier.
        until: Option<Timestamp>,
        /// Whether to send all events of the webhook's types that are in the log, also those that were delivered or
        /// passed while the webhook was disabled. Otherwise only dead deliveries are sent again.
        all: bool,
    },
}

/// What [`resend`](crate::webhooks::WebhooksService::resend) queued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resent {
    /// The number of deliveries that were queued.
    pub queued: u64,
    /// Whether there are more of the period, beyond the 10,000 of one call.
    pub has_more: bool,
}
