//! What a transaction reads and writes of webhooks.

use async_trait::async_trait;
use uuid::Uuid;

use super::{
    DeliveryProgress, EventPlace, FinishedAttempt, LeasedWebhook, NewDelivery, PendingDeliveries,
    Requeued, StoreResult, WebhookReader, WebhookResult, WebhookScope, WebhookSecrets, Window,
};
use crate::id::{DeliveryId, EventId, FormId, WebhookId};
use crate::model::event_type::EventType;
use crate::model::submission::Submission;
use crate::model::webhook::{
    Attempt, Delivery, DeliveryFilter, FrozenSubmission, Webhook, WebhookHealth,
};
use crate::time::Timestamp;

/// How many deliveries are leased together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseLimits {
    /// All.
    pub all: u64,
    /// Those of webhooks that failed last or never succeeded.
    pub unproven: u64,
    /// Those of them whose webhooks belong to the same form, counting those that are leased already.
    pub unproven_of_form: u64,
}

/// Reads webhooks and their deliveries. A webhook whose form was deleted is not found, though what is pending is sent.
#[async_trait]
pub trait ReadWebhooks: Send {
    /// Finds a webhook.
    async fn find_webhook(&mut self, id: WebhookId) -> StoreResult<Option<Webhook>>;

    /// Lists the webhooks in the scope; with `form`, only its own.
    async fn webhooks(
        &mut self,
        scope: &WebhookScope,
        form: Option<FormId>,
        window: Window,
    ) -> StoreResult<Vec<Webhook>>;

    /// The number of webhooks of a form; with `None`, of those of all forms.
    async fn count_webhooks(&mut self, form: Option<FormId>) -> StoreResult<u64>;

    /// The numbers of pending and dead deliveries of a webhook.
    async fn count_deliveries(&mut self, webhook: WebhookId) -> StoreResult<(u64, u64)>;

    /// The pending deliveries of all webhooks.
    async fn pending_deliveries(&mut self) -> StoreResult<PendingDeliveries>;

    /// Finds a delivery of a webhook.
    async fn find_delivery(
        &mut self,
        webhook: WebhookId,
        id: DeliveryId,
    ) -> StoreResult<Option<Delivery>>;

    /// Lists the deliveries of a webhook that pass the filter. If the newest comes first, the window begins before
    /// [`Window::after`], unless that is nil.
    async fn deliveries(
        &mut self,
        webhook: WebhookId,
        filter: DeliveryFilter,
        window: Window,
    ) -> StoreResult<Vec<Delivery>>;

    /// The attempts of a delivery that are kept, in their order.
    async fn attempts(&mut self, delivery: DeliveryId) -> StoreResult<Vec<Attempt>>;

    /// The dead deliveries of a webhook whose events have a time from `since` to `until`, in the order of their positions,
    /// at most `limit`.
    async fn dead_deliveries(
        &mut self,
        webhook: WebhookId,
        period: (Timestamp, Timestamp),
        limit: u64,
    ) -> StoreResult<Vec<DeliveryId>>;

    /// The secrets of the webhooks after this one, in the order of their identifiers, at most `limit`. Those of deleted forms
    /// are included.
    async fn webhook_secrets(
        &mut self,
        after: WebhookId,
        limit: u64,
    ) -> StoreResult<Vec<(WebhookId, WebhookSecrets)>>;

    /// Whether the secret of any webhook is encrypted.
    async fn has_encrypted_secrets(&mut self) -> StoreResult<bool>;

    /// The enabled webhooks, and how far they have read. Those of deleted forms are included.
    async fn webhook_readers(&mut self) -> StoreResult<Vec<WebhookReader>>;

    /// The data that is kept with an event.
    async fn frozen(&mut self, event: EventId) -> StoreResult<Option<FrozenSubmission>>;

    /// At most `limit` events whose data is kept, but whose submissions were deleted, and that have no pending delivery.
    async fn unneeded_data(&mut self, limit: u64) -> StoreResult<Vec<EventId>>;
}

/// Writes webhooks and their deliveries.
#[async_trait]
pub trait WriteWebhooks: ReadWebhooks {
    /// Locks a webhook exclusively.
    async fn lock_webhook_exclusive(&mut self, id: WebhookId) -> StoreResult<Option<Webhook>>;

    /// Inserts a webhook. The resource of its form must have been locked.
    async fn insert_webhook(
        &mut self,
        webhook: &Webhook,
        secrets: &WebhookSecrets,
    ) -> StoreResult<()>;

    /// Replaces what a change of a webhook can change, and sets its state.
    async fn update_webhook(&mut self, webhook: &Webhook, health: WebhookHealth)
    -> StoreResult<()>;

    /// Replaces the secrets of a webhook, and its revision.
    async fn set_webhook_secrets(
        &mut self,
        webhook: &Webhook,
        secrets: &WebhookSecrets,
    ) -> StoreResult<()>;

    /// Replaces the secrets of a webhook if they are still `old`. Returns whether they were.
    async fn reencrypt_webhook(
        &mut self,
        id: WebhookId,
        old: &WebhookSecrets,
        new: &WebhookSecrets,
    ) -> StoreResult<bool>;

    /// Makes a webhook read the event log from this place, or end reading it.
    async fn set_webhook_place(
        &mut self,
        id: WebhookId,
        place: Option<EventPlace>,
    ) -> StoreResult<()>;

    /// Deletes a webhook with its deliveries, and ends its reading of the log.
    async fn delete_webhook(&mut self, id: WebhookId) -> StoreResult<()>;

    /// Hides the webhooks of a form that is deleted, and returns their number.
    async fn end_webhooks(&mut self, form: FormId, now: Timestamp) -> StoreResult<u64>;

    /// Deletes the webhooks whose form was deleted at this time or earlier, like [`WriteWebhooks::delete_webhook`].
    async fn delete_ended_webhooks(&mut self, before: Timestamp) -> StoreResult<u64>;

    /// Keeps the data, files and tags of a submission with an event if an enabled webhook wants them, and the data is not too
    /// large: [`FrozenSubmission`].
    async fn freeze(
        &mut self,
        event: EventId,
        event_type: EventType,
        submission: &Submission,
    ) -> StoreResult<()>;

    /// Moves webhooks that are at the place `from` to the place `to`, and returns which ones were.
    async fn move_webhooks(
        &mut self,
        webhooks: &[WebhookId],
        from: EventPlace,
        to: EventPlace,
    ) -> StoreResult<Vec<WebhookId>>;

    /// Inserts pending deliveries. One for the same event and webhook as another is skipped.
    async fn insert_deliveries(&mut self, new: &[NewDelivery]) -> StoreResult<u64>;

    /// Makes deliveries of a webhook pending and due, as new ones are, and returns their number. Those whose events were
    /// deleted are skipped, and so are pending ones that are leased, or were asked for before.
    async fn requeue_deliveries(
        &mut self,
        webhook: WebhookId,
        which: Requeued<'_>,
        now: Timestamp,
    ) -> StoreResult<u64>;

    /// Gives up the pending deliveries of a webhook, and returns their number.
    async fn give_up_deliveries(&mut self, webhook: WebhookId, now: Timestamp) -> StoreResult<u64>;

    /// Leases deliveries that are due at `now` to `holder` until `until`: of enabled webhooks, whose lease by others has
    /// ended, and no more than the limits say. Of a webhook that pauses, only those that were asked for are leased. A webhook
    /// has at most four leased deliveries at a time, and one if it backs off. Of several about the same thing, only the first
    /// that is pending is leased. Webhooks whose last attempt is longest ago come first.
    async fn lease_deliveries(
        &mut self,
        holder: Uuid,
        (now, until): (Timestamp, Timestamp),
        limits: LeaseLimits,
    ) -> StoreResult<Vec<LeasedWebhook>>;

    /// Locks a webhook exclusively, also one whose form was deleted, and returns its state.
    async fn lock_webhook_health(
        &mut self,
        id: WebhookId,
    ) -> StoreResult<Option<(Webhook, WebhookHealth)>>;

    /// The counters of a delivery that `holder` has leased; `None` if it lost the lease.
    async fn leased_progress(
        &mut self,
        id: DeliveryId,
        holder: Uuid,
    ) -> StoreResult<Option<DeliveryProgress>>;

    /// Writes the result of an attempt and ends the lease. The last 20 attempts are kept.
    async fn finish_attempt(
        &mut self,
        id: DeliveryId,
        finished: &FinishedAttempt,
    ) -> StoreResult<()>;

    /// Writes the state of a webhook after an attempt.
    async fn set_webhook_result(
        &mut self,
        id: WebhookId,
        result: &WebhookResult,
    ) -> StoreResult<()>;

    /// Deletes at most `limit` of the deliveries that succeeded before this time, and returns their number.
    async fn delete_deliveries(&mut self, before: Timestamp, limit: usize) -> StoreResult<u64>;

    /// Deletes at most `limit` of the attempts before this time, and returns their number.
    async fn delete_attempts(&mut self, before: Timestamp, limit: usize) -> StoreResult<u64>;

    /// Deletes the data that is kept with these events, unless a delivery of it is pending.
    async fn delete_data(&mut self, events: &[EventId]) -> StoreResult<u64>;
}
