//! The delivery loop: takes deliveries that are due, has them sent, and writes the results.

use std::sync::Arc;
use std::time::{Duration, Instant};

use uuid::Uuid;

use super::{WebhookTransport, WebhooksService, stop};
use crate::authz::policy::Operation;
use crate::error::{Error, Result};
use crate::id::{DeliveryId, EventId, WebhookId};
use crate::model::event::{EventContent, NewEvent};
use crate::model::subject::Caller;
use crate::model::webhook::envelope::{Envelope, test_body};
use crate::model::webhook::schedule::{MAX_COUNTED, Outcome, back_off, wait_after};
use crate::model::webhook::secret::Signing;
use crate::model::webhook::{
    Attempt, AttemptError, DeliveryState, DisabledReason, Webhook, WebhookAnswer, WebhookHealth,
    WebhookRequest,
};
use crate::service::{End, random_bytes};
use crate::store::{
    DeliveryProgress, FinishedAttempt, LeaseLimits, LeasedDelivery, LeasedWebhook, WebhookResult,
    WriteTx,
};
use crate::time::Timestamp;

/// How many deliveries of one form are sent at a time to receivers that failed last or never succeeded.
const UNPROVEN_OF_FORM: u64 = 2;

/// A webhook can be tested again after this time.
const TEST_PAUSE: Duration = Duration::from_secs(5);

/// A lease lasts twice the time of a request, and this much longer.
const LEASE_RESERVE: Duration = Duration::from_secs(10);

/// A delivery that is due, leased to this process. Pass it to [`attempt`](WebhooksService::attempt) soon: when the lease ends,
/// another process sends it.
#[derive(Debug, Clone)]
pub struct ClaimedDelivery {
    id: DeliveryId,
    holder: Uuid,
    webhook: Webhook,
    event: EventId,
    body: String,
    signing: Signing,
    /// Counts it among those of webhooks that failed last or never succeeded, if it is one.
    _unproven: Option<Arc<()>>,
}

impl ClaimedDelivery {
    /// The delivery.
    pub fn id(&self) -> DeliveryId {
        self.id
    }

    /// The webhook.
    pub fn webhook(&self) -> WebhookId {
        self.webhook.id
    }
}

/// The result of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct AttemptOutcome {
    /// The state of the delivery after it.
    pub state: DeliveryState,
    /// Why the attempt failed; `None` if it succeeded.
    pub error: Option<AttemptError>,
    /// Whether the receiver wants no more events.
    pub is_gone: bool,
    /// Why the webhook was disabled, if this attempt was the reason.
    pub disabled: Option<DisabledReason>,
    /// How long the attempt took.
    pub duration: Duration,
    /// Whether the result was written. Otherwise, the lease had ended or the webhook was deleted.
    pub is_recorded: bool,
    /// The number of deliveries that were given up: this one, and all that were pending if the webhook was disabled.
    pub given_up: u64,
}

impl AttemptOutcome {
    /// The outcome in one word: `delivered`, `gone`, or the name of the error.
    pub fn label(&self) -> &'static str {
        match self.error {
            _ if self.is_gone => "gone",
            Some(error) => error.as_str(),
            None => "delivered",
        }
    }
}

/// The result of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TestOutcome {
    /// The status of the response, if there was one.
    pub status: Option<u16>,
    /// Why the test failed; `None` if it succeeded.
    pub error: Option<AttemptError>,
    /// How long it took.
    pub duration: Duration,
}

impl WebhooksService<'_> {
    /// Queues new events, and leases at most `limit` deliveries that are due. Of one webhook, at most four are leased at a
    /// time, by all processes together. Webhooks whose last attempt failed, or of which none has succeeded, have at most a
    /// quarter of the [requests](crate::Builder::webhook_requests) of this process, and two at a time for a form, so that
    /// receivers that never answer do not delay the others.
    ///
    /// This is one bounded step. Call it again when a delivery is finished, when there are
    /// [news](crate::events::EventsService::news), and at least once a second.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn claim(&self, limit: usize) -> Result<Vec<ClaimedDelivery>> {
        let has_readers = self.queue().await?;
        if limit == 0 || !has_readers {
            return Ok(Vec::new());
        }
        let number = |limit| u64::try_from(limit).unwrap_or(u64::MAX);
        let limits = LeaseLimits {
            all: number(limit),
            unproven: number(self.0.forms.webhooks.room_for_unproven()),
            unproven_of_form: UNPROVEN_OF_FORM,
        };
        let holder = Uuid::from_bytes(random_bytes()?);
        let lasting = self.0.forms.webhooks.options.timeout * 2 + LEASE_RESERVE;
        let leasing = self.0.transact(async |mut tx| {
            // Each attempt takes the time anew, since a lease that is old when it is committed ends too early.
            let now = self.0.now();
            let lease = (now, now.saturating_add(lasting));
            let webhooks = tx.write_webhooks()?;
            let leased = webhooks.lease_deliveries(holder, lease, limits).await?;
            Ok(End::commit(tx, leased))
        });
        let leased = leasing.await?;
        let mut claimed = Vec::new();
        for LeasedWebhook {
            webhook,
            secrets,
            deliveries,
        } in leased
        {
            let unproven = webhook
                .is_unproven()
                .then_some(&self.0.forms.webhooks.unproven);
            match self.signing(webhook.id, &secrets) {
                Ok(signing) => claimed.extend(deliveries.iter().map(|delivery| ClaimedDelivery {
                    _unproven: unproven.map(Arc::clone),
                    ..claimed_delivery(&webhook, &signing, holder, delivery)
                })),
                // The lease keeps it from being tried again at once.
                Err(error) => {
                    tracing::error!(%error, webhook = %webhook.id, "cannot sign the deliveries of a webhook");
                }
            }
        }
        Ok(claimed)
    }

    /// Sends a delivery and writes the result. Failed ones are attempted again later, so only failures of the store are
    /// errors.
    ///
    /// # Errors
    ///
    /// [`Error::Store`]. The delivery is attempted again when the lease ends.
    pub async fn attempt(
        &self,
        claimed: ClaimedDelivery,
        transport: &dyn WebhookTransport,
    ) -> Result<AttemptOutcome> {
        let date = self.0.now();
        let (by, what) = (
            (&claimed.webhook, &claimed.signing),
            (claimed.event, claimed.body),
        );
        let (result, duration) = self.send(transport, by, what).await;
        let outcome = Outcome::of(result);
        let attempt = Attempt {
            date,
            status: result.ok().map(|answer| answer.status),
            error: error_of(outcome),
            duration,
        };
        let lease = (claimed.id, claimed.holder);
        self.record(claimed.webhook.id, lease, outcome, attempt)
            .await
    }

    /// Claims and sends deliveries one after the other until none is due, and returns their number. For small applications
    /// and tests; a server sends several at a time.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn deliver(&self, transport: &dyn WebhookTransport) -> Result<u64> {
        let mut attempts = 0;
        loop {
            let claimed = self.claim(1).await?;
            let Some(claimed) = claimed.into_iter().next() else {
                return Ok(attempts);
            };
            self.attempt(claimed, transport).await?;
            attempts += 1;
        }
    }

    /// Sends a signed event of the type `webhook.test` at once, even if the webhook is disabled. It changes nothing.
    ///
    /// # Errors
    ///
    /// [`Error::WebhookNotFound`], [`Error::Forbidden`], [`Error::WebhookTestedRecently`] if this process tested the webhook
    /// less than five seconds ago, [`Error::WebhookKeyMissing`], [`Error::Store`].
    pub async fn test(
        &self,
        caller: &Caller,
        id: WebhookId,
        transport: &dyn WebhookTransport,
    ) -> Result<TestOutcome> {
        let reading = self.0.read(async |mut tx| {
            let webhook = self
                .find(tx.as_mut(), caller, Operation::WebhookTest, id)
                .await?;
            Ok((webhook, self.secrets_of(tx.as_mut(), id).await?))
        });
        let (webhook, secrets) = reading.await?;
        let now = self.0.now();
        let may_test = self.0.forms.webhooks.may_test(id, now, TEST_PAUSE);
        ensure!(may_test, Error::WebhookTestedRecently);
        let signing = self.signing(id, &secrets)?;
        let event = EventId::from_uuid(self.0.ids.next(now));
        let body = test_body(event, now, id, webhook.form);
        let by = (&webhook, &signing);
        let (result, duration) = self.send(transport, by, (event, body)).await;
        Ok(TestOutcome {
            status: result.ok().map(|answer| answer.status),
            error: error_of(Outcome::of(result)),
            duration,
        })
    }

    /// Sends an event to a webhook, and measures how long that takes.
    async fn send(
        &self,
        transport: &dyn WebhookTransport,
        (webhook, signing): (&Webhook, &Signing),
        (event, body): (EventId, String),
    ) -> (Result<WebhookAnswer, AttemptError>, Duration) {
        let now = self.0.now();
        let seconds = now.as_millis().div_euclid(1000);
        let request = WebhookRequest {
            webhook: webhook.id,
            url: webhook.url.clone(),
            headers: vec![
                ("content-type", "application/json".to_owned()),
                ("webhook-id", event.to_string()),
                ("webhook-timestamp", seconds.to_string()),
                ("webhook-signature", signing.header(event, now, &body)),
            ],
            body,
            timeout: self.0.forms.webhooks.options.timeout,
        };
        let begun = Instant::now();
        (transport.send(&request).await, begun.elapsed())
    }

    /// Writes the result of an attempt, if the lease is still held.
    async fn record(
        &self,
        webhook_id: WebhookId,
        (id, holder): (DeliveryId, Uuid),
        outcome: Outcome,
        attempt: Attempt,
    ) -> Result<AttemptOutcome> {
        let now = self.0.now();
        let unrecorded = AttemptOutcome {
            state: DeliveryState::Pending,
            error: attempt.error,
            is_gone: outcome == Outcome::Gone,
            disabled: None,
            duration: attempt.duration,
            is_recorded: false,
            given_up: 0,
        };
        let recording = self.0.transact(async |mut tx| {
            let Some((webhook, health)) =
                tx.write_webhooks()?.lock_webhook_health(webhook_id).await?
            else {
                return Ok(End::roll_back((unrecorded, 0)));
            };
            let Some(progress) = tx.write_webhooks()?.leased_progress(id, holder).await? else {
                return Ok(End::roll_back((unrecorded, 0)));
            };
            let (began, is_asked) = (attempt.date, progress.is_asked);
            let finished = finished(progress, outcome, attempt.clone(), now)?;
            tx.write_webhooks()?.finish_attempt(id, &finished).await?;
            let mut reported = unrecorded;
            reported.state = finished.state;
            reported.is_recorded = true;
            reported.given_up = u64::from(finished.state == DeliveryState::Dead);
            let health = match outcome {
                // Somebody wanted to see whether the receiver is there again. It was not, which is nothing new.
                Outcome::Failed { .. } if is_asked => health,
                _ => {
                    let after = (health, outcome, began);
                    self.health_after(tx.as_mut(), &webhook, after, finished.state)
                        .await?
                }
            };
            let succeeded = outcome == Outcome::Delivered;
            let result = WebhookResult {
                health,
                date: now,
                succeeded,
            };
            let webhooks = tx.write_webhooks()?;
            webhooks.set_webhook_result(webhook.id, &result).await?;
            reported.disabled = self.reason_to_disable(outcome, health, now);
            let (given_up, event) = match reported.disabled {
                Some(reason) => self.disable(tx.as_mut(), webhook, reason).await?,
                None => (0, None),
            };
            reported.given_up += given_up;
            Ok(End::commit(tx, (reported, given_up)).with(event))
        });
        let (reported, given_up) = recording.await?;
        if let Some(reason) = reported.disabled {
            tracing::warn!(webhook = %webhook_id, %reason, given_up, "disabled a webhook");
        }
        if reported.state == DeliveryState::Dead {
            tracing::warn!(webhook = %webhook_id, delivery = %id, "gave up a delivery of a webhook");
        }
        Ok(reported)
    }

    /// The state of the webhook after an attempt.
    async fn health_after(
        &self,
        tx: &mut dyn WriteTx,
        webhook: &Webhook,
        (before, outcome, began): (WebhookHealth, Outcome, Timestamp),
        state: DeliveryState,
    ) -> Result<WebhookHealth> {
        if outcome == Outcome::Delivered {
            return Ok(WebhookHealth::default());
        }
        // A receiver that answers, but refuses the only event there is, is not down. The time until the next event must not
        // count as a failure.
        if state == DeliveryState::Dead
            && tx.read_webhooks()?.count_deliveries(webhook.id).await?.0 == 0
        {
            return Ok(WebhookHealth::default());
        }
        Ok(back_off(before, began, self.0.now()))
    }

    fn reason_to_disable(
        &self,
        outcome: Outcome,
        health: WebhookHealth,
        now: Timestamp,
    ) -> Option<DisabledReason> {
        if outcome == Outcome::Gone {
            return Some(DisabledReason::Gone);
        }
        let limit = self.0.forms.webhooks.options.disable_after;
        let is_failing = health
            .failing_since
            .is_some_and(|since| since.saturating_add(limit) <= now);
        is_failing.then_some(DisabledReason::Failing)
    }

    /// Disables a webhook. Returns the number of deliveries that were pending and are given up, and the event.
    async fn disable(
        &self,
        tx: &mut dyn WriteTx,
        webhook: Webhook,
        reason: DisabledReason,
    ) -> Result<(u64, Option<NewEvent>)> {
        let now = self.0.now();
        let webhook = Webhook {
            disabled: Some(reason),
            revision: self.0.revision(now),
            ..webhook
        };
        tx.write_webhooks()?
            .update_webhook(&webhook, WebhookHealth::default())
            .await?;
        let given_up = stop(tx, webhook.id, now).await?;
        let event = EventContent::webhook_disabled(&webhook, reason);
        Ok((given_up, self.0.event(now, event)))
    }
}

fn claimed_delivery(
    webhook: &Webhook,
    signing: &Signing,
    holder: Uuid,
    delivery: &LeasedDelivery,
) -> ClaimedDelivery {
    let envelope = Envelope {
        event: &delivery.event,
        payload: webhook.payload,
        frozen: delivery.frozen.as_ref(),
    };
    ClaimedDelivery {
        id: delivery.id,
        holder,
        event: delivery.event.id,
        body: envelope.to_body(),
        webhook: webhook.clone(),
        signing: signing.clone(),
        _unproven: None,
    }
}

/// The delivery after an attempt.
fn finished(
    before: DeliveryProgress,
    outcome: Outcome,
    attempt: Attempt,
    now: Timestamp,
) -> Result<FinishedAttempt> {
    let mut progress = DeliveryProgress {
        num_attempts: before.num_attempts + 1,
        tries: before.tries + 1,
        refusals: before.refusals,
        is_asked: false,
    };
    let (state, next) = match outcome {
        Outcome::Delivered => (DeliveryState::Delivered, None),
        Outcome::Gone => (DeliveryState::Dead, None),
        Outcome::Failed {
            counts,
            retry_after,
            ..
        } => {
            progress.refusals += i64::from(counts);
            if progress.refusals >= MAX_COUNTED {
                (DeliveryState::Dead, None)
            } else {
                let chance = f64::from(u16::from_be_bytes(random_bytes()?)) / f64::from(u16::MAX);
                let wait = wait_after(progress.tries, retry_after, chance);
                (DeliveryState::Pending, Some(now.saturating_add(wait)))
            }
        }
    };
    Ok(FinishedAttempt {
        progress,
        attempt,
        state,
        next,
        now,
    })
}

/// Why an attempt failed, as it is recorded.
fn error_of(outcome: Outcome) -> Option<AttemptError> {
    match outcome {
        Outcome::Delivered => None,
        Outcome::Gone => Some(AttemptError::Status),
        Outcome::Failed { error, .. } => Some(error),
    }
}
