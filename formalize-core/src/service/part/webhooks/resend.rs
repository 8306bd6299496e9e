//! Sending deliveries again.

use super::WebhooksService;
use crate::authz::policy::Operation;
use crate::error::{Error, Result};
use crate::fields::{Field, InvalidFields};
use crate::id::{DeliveryId, EventId, WebhookId};
use crate::model::event::EventFilter;
use crate::model::idempotency::{KeyedRequest, Once};
use crate::model::subject::Caller;
use crate::model::webhook::{Resend, Resent, Webhook};
use crate::service::End;
use crate::service::events::{EventsService, events_within};
use crate::service::keyed::{ResponseKeeper, keep};
use crate::store::{EventWindow, NewDelivery, Requeued, WriteTx};
use crate::time::Timestamp;

/// Maximum number of deliveries that a call can name.
const MAX_NAMED: usize = 1_000;
/// Maximum number of deliveries that a call queues.
const MAX_QUEUED: u64 = 10_000;
/// The number of events that are read, and of deliveries that are written, at a time.
const PORTION: u64 = 1_000;

impl WebhooksService<'_> {
    /// Queues deliveries of a webhook again, with the same bytes and the same identifiers of events. Those that are named are
    /// attempted at once; see [`Resend::Deliveries`]. Of a period, pending ones are left alone.
    ///
    /// # Errors
    ///
    /// In this order: [`InvalidFields::Webhook`] if no delivery is named, or more than 1,000; [`Error::WebhookNotFound`],
    /// [`Error::Forbidden`], [`Error::WebhookDisabled`], [`Error::WebhookDeliveryNotFound`]; [`Error::Store`] at any time.
    pub async fn resend(&self, caller: &Caller, id: WebhookId, what: Resend) -> Result<Resent> {
        self.resend_and_keep(caller, id, what, None).await
    }

    /// Queues deliveries like [`resend`](Self::resend), once for each key. `response` makes the response that is kept for
    /// when the request is sent again. Without a `request`, nothing is kept.
    ///
    /// # Errors
    ///
    /// Those of [`resend`](Self::resend); [`Error::IdempotencyKeyReused`] if the key belongs to another request;
    /// [`Error::IdempotencyKeyInUse`] if a request with the key is in progress and does not end in time.
    pub async fn resend_once(
        &self,
        caller: &Caller,
        id: WebhookId,
        what: Resend,
        request: Option<&KeyedRequest>,
        response: &(dyn Fn(&Resent) -> String + Send + Sync),
    ) -> Result<Once<Resent>> {
        let once = self.0.once(caller, request, response, async |keeper| {
            self.resend_and_keep(caller, id, what, keeper).await
        });
        once.await
    }

    async fn resend_and_keep(
        &self,
        caller: &Caller,
        id: WebhookId,
        what: Resend,
        keeper: Option<&ResponseKeeper<'_, Resent>>,
    ) -> Result<Resent> {
        if let Resend::Deliveries(named) = &what {
            let is_allowed = (1..=MAX_NAMED).contains(&named.len());
            ensure!(is_allowed, InvalidFields::Webhook(vec![Field::Deliveries]));
        }
        let reading = self.0.read(async |mut tx| {
            let operation = Operation::WebhookResend;
            self.find(tx.as_mut(), caller, operation, id).await
        });
        let webhook = reading.await?;
        ensure!(webhook.is_enabled(), Error::WebhookDisabled);
        let (since, until, all) = match what {
            Resend::Deliveries(named) => return self.resend_named(&webhook, named, keeper).await,
            Resend::Since { since, until, all } => (since, until, all),
        };
        let period = (since, until.unwrap_or_else(|| self.0.now()));
        let is_keyed = keeper.is_some();
        let resent = if all {
            self.resend_events(&webhook, period, is_keyed).await?
        } else {
            self.resend_dead(&webhook, period, is_keyed).await?
        };
        // What was queued is committed in portions. If the service stops in between, the request may be sent again, and
        // finds the rest: deliveries that are pending are left alone.
        if keeper.is_some() {
            let work = writing!(|tx| keep(keeper, tx.as_mut(), &resent));
            self.0.transact_idempotent(true, work).await?;
        }
        Ok(resent)
    }

    async fn resend_named(
        &self,
        webhook: &Webhook,
        mut named: Vec<DeliveryId>,
        keeper: Option<&ResponseKeeper<'_, Resent>>,
    ) -> Result<Resent> {
        named.sort_unstable();
        named.dedup();
        let is_keyed = keeper.is_some();
        let writing = self.0.transact_idempotent(is_keyed, async |mut tx| {
            lock_enabled(tx.as_mut(), webhook.id).await?;
            for id in &named {
                let found = tx.read_webhooks()?.find_delivery(webhook.id, *id).await?;
                found.ok_or(Error::WebhookDeliveryNotFound)?;
            }
            let now = self.0.now();
            let queued = tx
                .write_webhooks()?
                .requeue_deliveries(webhook.id, Requeued::Asked(&named), now)
                .await?;
            let resent = Resent {
                queued,
                has_more: false,
            };
            keep(keeper, tx.as_mut(), &resent).await?;
            Ok(End::commit(tx, resent))
        });
        writing.await
    }

    async fn resend_dead(
        &self,
        webhook: &Webhook,
        period: (Timestamp, Timestamp),
        is_keyed: bool,
    ) -> Result<Resent> {
        let now = self.0.now();
        let mut queued = 0;
        while queued < MAX_QUEUED {
            let queueing = self.0.transact_idempotent(is_keyed, async |mut tx| {
                lock_enabled(tx.as_mut(), webhook.id).await?;
                let webhooks = tx.read_webhooks()?;
                let dead = webhooks
                    .dead_deliveries(webhook.id, period, PORTION)
                    .await?;
                if dead.is_empty() {
                    // Ends the lock now. A transaction that is dropped may keep it for a moment.
                    return Ok(End::commit(tx, None));
                }
                let which = Requeued::Deliveries(&dead);
                let webhooks = tx.write_webhooks()?;
                let queued = webhooks.requeue_deliveries(webhook.id, which, now).await?;
                Ok(End::commit(tx, Some(queued)))
            });
            match queueing.await? {
                Some(more) => queued += more,
                None => break,
            }
        }
        let reading = self.0.read(async |mut tx| {
            let webhooks = tx.read_webhooks()?;
            let left = webhooks.dead_deliveries(webhook.id, period, 1).await?;
            Ok(Resent {
                queued,
                has_more: !left.is_empty(),
            })
        });
        reading.await
    }

    /// Queues the events of a period that are in the log, whether there were deliveries or not.
    async fn resend_events(
        &self,
        webhook: &Webhook,
        (since, until): (Timestamp, Timestamp),
        is_keyed: bool,
    ) -> Result<Resent> {
        let log = EventsService(self.0).extent().await?;
        let filter = EventFilter {
            form: webhook.form,
            types: webhook.event_types.iter().collect(),
        };
        let (mut after, mut queued) = (log.purged_to, 0);
        while after < log.last {
            let to = after.saturating_add(WINDOW).min(log.last);
            let limit = PORTION.min(MAX_QUEUED - queued).max(1);
            let window = EventWindow { after, to, limit };
            let read = reading!(|tx| events_within(tx.as_mut(), window, &filter));
            let (events, end) = self.0.read_once(read).await?;
            after = end;
            let wanted = events.into_iter();
            let wanted = wanted.filter(|event| (since..=until).contains(&event.timestamp));
            let now = self.0.now();
            let new: Vec<NewDelivery> = wanted
                .map(|event| NewDelivery {
                    id: DeliveryId::from_uuid(self.0.ids.next(now)),
                    webhook: webhook.id,
                    event,
                    now,
                })
                .collect();
            if new.is_empty() {
                continue;
            }
            if queued >= MAX_QUEUED {
                return Ok(Resent {
                    queued,
                    has_more: true,
                });
            }
            queued += self.queue_again(webhook, &new, now, is_keyed).await?;
        }
        Ok(Resent {
            queued,
            has_more: false,
        })
    }

    async fn queue_again(
        &self,
        webhook: &Webhook,
        new: &[NewDelivery],
        now: Timestamp,
        is_keyed: bool,
    ) -> Result<u64> {
        let events: Vec<EventId> = new.iter().map(|new| new.event.id).collect();
        let writing = self.0.transact_idempotent(is_keyed, async |mut tx| {
            lock_enabled(tx.as_mut(), webhook.id).await?;
            let again = tx
                .write_webhooks()?
                .requeue_deliveries(webhook.id, Requeued::Events(&events), now)
                .await?;
            let inserted = tx.write_webhooks()?.insert_deliveries(new).await?;
            Ok(End::commit(tx, again + inserted))
        });
        writing.await
    }
}

/// The number of positions that are looked at at a time.
const WINDOW: i64 = 10_000;

/// The webhook may have been deleted or disabled in the meantime.
async fn lock_enabled(tx: &mut dyn WriteTx, id: WebhookId) -> Result<()> {
    let found = tx.write_webhooks()?.lock_webhook_exclusive(id).await?;
    let webhook = found.ok_or(Error::WebhookNotFound)?;
    ensure!(webhook.is_enabled(), Error::WebhookDisabled);
    Ok(())
}
