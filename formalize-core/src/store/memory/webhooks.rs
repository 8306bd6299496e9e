use std::collections::BTreeMap;

use async_trait::async_trait;
use uuid::Uuid;

use crate::id::{DeliveryId, EventId, FormId, WebhookId};
use crate::model::event::EventData;
use crate::model::event_type::EventType;
use crate::model::resource::Anchor;
use crate::model::submission::Submission;
use crate::model::webhook::{
    Attempt, Delivery, DeliveryFilter, DeliveryState, FrozenSubmission, SUBSCRIPTION_PREFIX,
    Webhook, WebhookHealth, at_a_time,
};
use crate::model::words::SubmissionState;
use crate::page::Window;
use crate::store::memory::state::{DeliveryRow, State, Subscribed, WebhookRow};
use crate::store::memory::write::{insert, missing};
use crate::store::memory::{Transaction, WriteLock};
use crate::store::{
    DeliveryProgress, EventPlace, FinishedAttempt, LeaseLimits, LeasedDelivery, LeasedWebhook,
    NewDelivery, PendingDeliveries, ReadWebhooks, Requeued, StoreResult, WebhookReader,
    WebhookResult, WebhookScope, WebhookSecrets, WriteWebhooks,
};
use crate::time::Timestamp;

/// The number of attempts of a delivery that are kept.
const KEPT_ATTEMPTS: i64 = 20;

impl State {
    fn there(&self) -> impl Iterator<Item = &Webhook> {
        let rows = self.webhooks.values();
        rows.filter(|row| row.ended.is_none())
            .map(|row| &row.webhook)
    }

    fn of_webhook(&self, id: WebhookId) -> impl Iterator<Item = &DeliveryRow> {
        let rows = self.deliveries.values();
        rows.filter(move |row| row.delivery.webhook == id)
    }

    fn pending(&self, id: WebhookId) -> impl Iterator<Item = &DeliveryRow> {
        self.of_webhook(id).filter(|row| row.is_pending())
    }

    fn in_state(&self, id: WebhookId, state: DeliveryState) -> u64 {
        let found = self
            .of_webhook(id)
            .filter(|row| row.delivery.state == state);
        u64::try_from(found.count()).unwrap_or(u64::MAX)
    }

    fn is_pending(&self, event: EventId) -> bool {
        let mut rows = self.deliveries.values();
        rows.any(|row| row.delivery.event == event && row.is_pending())
    }

    fn has_event(&self, delivery: &Delivery) -> bool {
        let event = self.events.get(&delivery.sequence);
        event.is_some_and(|event| event.id == delivery.event)
    }

    fn webhook_mut(&mut self, id: WebhookId) -> StoreResult<&mut WebhookRow> {
        let row = self.webhooks.get_mut(&id);
        row.ok_or_else(|| missing("webhook"))
    }

    /// Deletes a webhook with its deliveries.
    fn delete_webhook(&mut self, id: WebhookId) {
        self.webhooks.remove(&id);
        self.event_subscriptions.remove(&Webhook::subscription(id));
        self.deliveries.retain(|_, row| row.delivery.webhook != id);
    }

    /// The number of leased deliveries of unproven webhooks of a form.
    fn unproven_of_form(&self, form: FormId, now: Timestamp) -> usize {
        let webhooks = self.webhooks.values().map(|row| &row.webhook);
        let of_form =
            webhooks.filter(|webhook| webhook.form == Some(form) && webhook.is_unproven());
        let deliveries = of_form.flat_map(|webhook| self.of_webhook(webhook.id));
        deliveries.filter(|row| row.is_held(now)).count()
    }

    /// The deliveries of a webhook that can be leased, at most `limit`, the ones that are due longest first.
    fn leasable(&self, row: &WebhookRow, now: Timestamp, limit: usize) -> Vec<DeliveryId> {
        let pending = || self.pending(row.webhook.id);
        let room = usize::try_from(at_a_time(row.health.failures)).unwrap_or_default();
        let room = room.saturating_sub(pending().filter(|row| row.is_held(now)).count());
        let pauses = row.health.resumes.is_some_and(|resumes| resumes > now);
        let mut due: Vec<&DeliveryRow> = pending()
            .filter(|row| !row.is_held(now) && (row.progress.is_asked || !pauses))
            .filter(|row| {
                row.delivery
                    .date_next_attempt
                    .is_some_and(|next| next <= now)
            })
            .filter(|row| {
                let mut others = pending().filter(|other| other.lane == row.lane);
                others.all(|other| other.delivery.sequence >= row.delivery.sequence)
            })
            .collect();
        due.sort_by_key(|row| {
            let next = row.delivery.date_next_attempt.map(Timestamp::as_millis);
            let next = next.map(|next| if row.progress.is_asked { -next } else { next });
            (next, row.delivery.sequence)
        });
        let due = due.into_iter().take(room.min(limit));
        due.map(|row| row.delivery.id).collect()
    }

    /// The pending deliveries for which these have to wait, unless they are leased or were asked for before.
    fn earlier(&self, webhook: WebhookId, ids: &[DeliveryId], now: Timestamp) -> Vec<DeliveryId> {
        let named = self.pending(webhook);
        let named: Vec<_> = named.filter(|row| ids.contains(&row.delivery.id)).collect();
        let keeps_back = |row: &&DeliveryRow| {
            let is_earlier = |named: &&DeliveryRow| {
                named.lane == row.lane && row.delivery.sequence < named.delivery.sequence
            };
            !row.is_held(now) && !row.progress.is_asked && named.iter().any(is_earlier)
        };
        let earlier = self.pending(webhook).filter(keeps_back);
        earlier.map(|row| row.delivery.id).collect()
    }
}

#[async_trait]
impl<T: Send> ReadWebhooks for Transaction<T> {
    async fn find_webhook(&mut self, id: WebhookId) -> StoreResult<Option<Webhook>> {
        Ok(self.state.there().find(|row| row.id == id).cloned())
    }

    async fn webhooks(
        &mut self,
        scope: &WebhookScope,
        form: Option<FormId>,
        window: Window,
    ) -> StoreResult<Vec<Webhook>> {
        let state = &self.state;
        let rows = state.there().filter(|row| match row.form {
            Some(of) => state.admits_item(&scope.forms, Anchor::from(of)),
            None => scope.of_all_forms,
        });
        let rows = rows.filter(|row| form.is_none() || row.form == form);
        Ok(window.part_of(rows.cloned(), |row| row.id.as_uuid()))
    }

    async fn count_webhooks(&mut self, form: Option<FormId>) -> StoreResult<u64> {
        let count = self.state.there().filter(|row| row.form == form).count();
        Ok(u64::try_from(count).unwrap_or(u64::MAX))
    }

    async fn count_deliveries(&mut self, webhook: WebhookId) -> StoreResult<(u64, u64)> {
        let count = |state| self.state.in_state(webhook, state);
        Ok((count(DeliveryState::Pending), count(DeliveryState::Dead)))
    }

    async fn pending_deliveries(&mut self) -> StoreResult<PendingDeliveries> {
        let rows = self.state.deliveries.values();
        let pending = rows.filter(|row| row.is_pending());
        let dates: Vec<Timestamp> = pending.map(|row| row.delivery.date_created).collect();
        Ok(PendingDeliveries {
            number: dates.len() as u64,
            oldest: dates.into_iter().min(),
        })
    }

    async fn find_delivery(
        &mut self,
        webhook: WebhookId,
        id: DeliveryId,
    ) -> StoreResult<Option<Delivery>> {
        let found = self.state.deliveries.get(&id).map(|row| &row.delivery);
        Ok(found.filter(|row| row.webhook == webhook).cloned())
    }

    async fn deliveries(
        &mut self,
        webhook: WebhookId,
        filter: DeliveryFilter,
        window: Window,
    ) -> StoreResult<Vec<Delivery>> {
        let rows = self.state.of_webhook(webhook).map(|row| &row.delivery);
        let rows = rows.filter(|row| filter.state.is_none_or(|state| row.state == state));
        let rows = rows.filter(|row| filter.event_type.is_none_or(|one| row.event_type == one));
        let id = |row: &Delivery| row.id.as_uuid();
        if !filter.newest_first {
            return Ok(window.part_of(rows.cloned(), id));
        }
        let end = window.after;
        let mut rows: Vec<_> = rows.filter(|row| end.is_nil() || id(row) < end).collect();
        rows.reverse();
        let after = Uuid::nil();
        let window = Window { after, ..window };
        Ok(window.part_of(rows.into_iter().cloned(), id))
    }

    async fn attempts(&mut self, delivery: DeliveryId) -> StoreResult<Vec<Attempt>> {
        let row = self.state.deliveries.get(&delivery);
        Ok(row.map_or_else(Vec::new, |row| row.attempts.values().cloned().collect()))
    }

    async fn dead_deliveries(
        &mut self,
        webhook: WebhookId,
        (since, until): (Timestamp, Timestamp),
        limit: u64,
    ) -> StoreResult<Vec<DeliveryId>> {
        let state = &self.state;
        let is_within = |delivery: &&Delivery| {
            let event = state.events.get(&delivery.sequence);
            event.is_some_and(|event| {
                event.id == delivery.event && (since..=until).contains(&event.timestamp)
            })
        };
        let rows = state.of_webhook(webhook).map(|row| &row.delivery);
        let dead = rows.filter(|row| row.state == DeliveryState::Dead);
        let mut found: Vec<_> = dead.filter(is_within).collect();
        found.sort_by_key(|row| row.sequence);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok(found.into_iter().take(limit).map(|row| row.id).collect())
    }

    async fn webhook_secrets(
        &mut self,
        after: WebhookId,
        limit: u64,
    ) -> StoreResult<Vec<(WebhookId, WebhookSecrets)>> {
        let rows = self.state.webhooks.iter().filter(|(id, _)| **id > after);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let rows = rows.take(limit);
        Ok(rows.map(|(id, row)| (*id, row.secrets.clone())).collect())
    }

    async fn has_encrypted_secrets(&mut self) -> StoreResult<bool> {
        let mut rows = self.state.webhooks.values();
        Ok(rows.any(|row| row.secrets.current.is_encrypted()))
    }

    async fn webhook_readers(&mut self) -> StoreResult<Vec<WebhookReader>> {
        let state = &self.state;
        let enabled = state.webhooks.values().map(|row| &row.webhook);
        let readers = enabled
            .filter(|row| row.is_enabled())
            .filter_map(|webhook| {
                let name = Webhook::subscription(webhook.id);
                let subscribed = state.event_subscriptions.get(&name)?;
                Some(WebhookReader {
                    webhook: webhook.clone(),
                    place: subscribed.place,
                    pending: state.in_state(webhook.id, DeliveryState::Pending),
                })
            });
        Ok(readers.collect())
    }

    async fn frozen(&mut self, event: EventId) -> StoreResult<Option<FrozenSubmission>> {
        let found = self.state.event_data.get(&event);
        Ok(found.map(|(_, frozen)| frozen.clone()))
    }

    async fn unneeded_data(&mut self, limit: u64) -> StoreResult<Vec<EventId>> {
        let state = &self.state;
        let rows = state.event_data.iter();
        let gone = rows.filter(|(_, (submission, _))| !state.submissions.contains_key(submission));
        let unneeded = gone.filter(|(event, _)| !state.is_pending(**event));
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok(unneeded.map(|(event, _)| *event).take(limit).collect())
    }
}

#[async_trait]
impl WriteWebhooks for Transaction<WriteLock> {
    async fn lock_webhook_exclusive(&mut self, id: WebhookId) -> StoreResult<Option<Webhook>> {
        self.find_webhook(id).await
    }

    async fn insert_webhook(
        &mut self,
        webhook: &Webhook,
        secrets: &WebhookSecrets,
    ) -> StoreResult<()> {
        let row = WebhookRow {
            webhook: webhook.clone(),
            secrets: secrets.clone(),
            health: WebhookHealth::default(),
            ended: None,
        };
        insert(&mut self.state().webhooks, webhook.id, row)
    }

    async fn update_webhook(
        &mut self,
        webhook: &Webhook,
        health: WebhookHealth,
    ) -> StoreResult<()> {
        let row = self.state().webhook_mut(webhook.id)?;
        row.webhook = webhook.clone();
        row.webhook.paused_until = health.resumes;
        row.health = health;
        Ok(())
    }

    async fn set_webhook_secrets(
        &mut self,
        webhook: &Webhook,
        secrets: &WebhookSecrets,
    ) -> StoreResult<()> {
        let row = self.state().webhook_mut(webhook.id)?;
        row.webhook.revision = webhook.revision;
        row.secrets = secrets.clone();
        Ok(())
    }

    async fn reencrypt_webhook(
        &mut self,
        id: WebhookId,
        old: &WebhookSecrets,
        new: &WebhookSecrets,
    ) -> StoreResult<bool> {
        let row = self.state().webhooks.get_mut(&id);
        let row = row.filter(|row| row.secrets.current == old.current);
        let is_same = row.is_some();
        if let Some(row) = row {
            row.secrets = new.clone();
        }
        Ok(is_same)
    }

    async fn set_webhook_place(
        &mut self,
        id: WebhookId,
        place: Option<EventPlace>,
    ) -> StoreResult<()> {
        let name = Webhook::subscription(id);
        let subscriptions = &mut self.state().event_subscriptions;
        match place {
            None => subscriptions.remove(&name),
            Some(place) => subscriptions.insert(name, Subscribed { place, lease: None }),
        };
        Ok(())
    }

    async fn delete_webhook(&mut self, id: WebhookId) -> StoreResult<()> {
        self.state().delete_webhook(id);
        Ok(())
    }

    async fn end_webhooks(&mut self, form: FormId, now: Timestamp) -> StoreResult<u64> {
        let mut ended = 0;
        for row in self.state().webhooks.values_mut() {
            if row.webhook.form == Some(form) && row.ended.is_none() {
                row.ended = Some(now);
                ended += 1;
            }
        }
        Ok(ended)
    }

    async fn delete_ended_webhooks(&mut self, before: Timestamp) -> StoreResult<u64> {
        let rows = self.state.webhooks.values();
        let ended = rows.filter(|row| row.ended.is_some_and(|ended| ended <= before));
        let ended: Vec<WebhookId> = ended.map(|row| row.webhook.id).collect();
        for id in &ended {
            self.state().delete_webhook(*id);
        }
        Ok(ended.len() as u64)
    }

    async fn freeze(
        &mut self,
        event: EventId,
        event_type: EventType,
        submission: &Submission,
    ) -> StoreResult<()> {
        let mut rows = self.state.webhooks.values().map(|row| &row.webhook);
        let is_wanted = rows.any(|row| {
            row.form.is_none_or(|form| form == submission.form) && row.freezes(event_type)
        });
        let is_submitted = submission.state == SubmissionState::Submitted;
        if is_wanted
            && is_submitted
            && let Some(frozen) = FrozenSubmission::of(submission)
        {
            let data = &mut self.state().event_data;
            data.insert(event, (submission.id, frozen));
        }
        Ok(())
    }

    async fn move_webhooks(
        &mut self,
        webhooks: &[WebhookId],
        from: EventPlace,
        to: EventPlace,
    ) -> StoreResult<Vec<WebhookId>> {
        let mut moved = Vec::new();
        for (name, row) in &mut self.state().event_subscriptions {
            let id = name.strip_prefix(SUBSCRIPTION_PREFIX);
            let id = id.and_then(|id| id.parse().ok());
            let listed = id.filter(|id| webhooks.contains(id) && row.place == from);
            if let Some(id) = listed {
                row.place = to;
                moved.push(id);
            }
        }
        Ok(moved)
    }

    async fn insert_deliveries(&mut self, new: &[NewDelivery]) -> StoreResult<u64> {
        let mut inserted = 0;
        for one in new {
            let (webhook, event) = (one.webhook, one.event.id);
            let is_there = {
                let mut rows = self.state.of_webhook(webhook);
                rows.any(|row| row.delivery.event == event)
            };
            if is_there {
                continue;
            }
            self.state().deliveries.insert(one.id, row(one));
            inserted += 1;
        }
        Ok(inserted)
    }

    async fn requeue_deliveries(
        &mut self,
        webhook: WebhookId,
        which: Requeued<'_>,
        now: Timestamp,
    ) -> StoreResult<u64> {
        let is_meant = |row: &&DeliveryRow| {
            let delivery = &row.delivery;
            let (is_pending, is_held) = (row.is_pending(), row.is_held(now));
            let is_asked = is_pending && row.progress.is_asked;
            match which {
                Requeued::Deliveries(ids) => !is_pending && ids.contains(&delivery.id),
                Requeued::Events(ids) => !is_pending && ids.contains(&delivery.event),
                Requeued::Asked(ids) => !is_held && !is_asked && ids.contains(&delivery.id),
                Requeued::Pending => is_pending && !is_held && !is_asked,
            }
        };
        let meant = self.state.of_webhook(webhook).filter(is_meant);
        let meant = meant.filter(|row| self.state.has_event(&row.delivery));
        let meant: Vec<DeliveryId> = meant.map(|row| row.delivery.id).collect();
        let mut queued = 0;
        for id in meant {
            if let Some(row) = self.state().deliveries.get_mut(&id) {
                row.delivery.state = DeliveryState::Pending;
                row.delivery.date_next_attempt = Some(now);
                row.delivery.date_done = None;
                row.progress.tries = 0;
                row.progress.refusals = 0;
                row.progress.is_asked = matches!(which, Requeued::Asked(_));
                queued += 1;
            }
        }
        if let Requeued::Asked(ids) = which {
            for id in self.state.earlier(webhook, ids, now) {
                if let Some(row) = self.state().deliveries.get_mut(&id) {
                    row.delivery.date_next_attempt = Some(now);
                    row.progress.is_asked = true;
                }
            }
        }
        Ok(queued)
    }

    async fn give_up_deliveries(&mut self, webhook: WebhookId, now: Timestamp) -> StoreResult<u64> {
        let mut given_up = 0;
        for row in self.state().deliveries.values_mut() {
            let delivery = &mut row.delivery;
            if delivery.webhook == webhook && delivery.state == DeliveryState::Pending {
                delivery.state = DeliveryState::Dead;
                delivery.date_next_attempt = None;
                delivery.date_done = Some(now);
                row.lease = None;
                given_up += 1;
            }
        }
        Ok(given_up)
    }

    async fn lease_deliveries(
        &mut self,
        holder: Uuid,
        (now, until): (Timestamp, Timestamp),
        limits: LeaseLimits,
    ) -> StoreResult<Vec<LeasedWebhook>> {
        let number = |limit| usize::try_from(limit).unwrap_or(usize::MAX);
        let mut left = number(limits.all);
        let mut left_to_unproven = number(limits.unproven);
        let mut leased = Vec::new();
        let mut rows: Vec<WebhookRow> = self.state.webhooks.values().cloned().collect();
        rows.sort_by_key(|row| {
            let webhook = &row.webhook;
            let last = webhook.date_last_failure.max(webhook.date_last_success);
            (!webhook.is_unproven(), last)
        });
        for row in rows {
            if !row.webhook.is_enabled() {
                continue;
            }
            let mut room = left;
            if row.webhook.is_unproven() {
                room = room.min(left_to_unproven);
                if let Some(form) = row.webhook.form {
                    let held = self.state.unproven_of_form(form, now);
                    room = room.min(number(limits.unproven_of_form).saturating_sub(held));
                }
            }
            let ids = self.state.leasable(&row, now, room);
            if ids.is_empty() {
                continue;
            }
            left -= ids.len();
            if row.webhook.is_unproven() {
                left_to_unproven -= ids.len();
            }
            let mut deliveries = Vec::new();
            let state = self.state();
            for id in ids {
                let Some(found) = state.deliveries.get_mut(&id) else {
                    continue;
                };
                found.lease = Some((holder, until));
                let Some(event) = state.events.get(&found.delivery.sequence) else {
                    continue;
                };
                deliveries.push(LeasedDelivery {
                    id,
                    event: event.clone(),
                    frozen: state
                        .event_data
                        .get(&event.id)
                        .map(|(_, data)| data.clone()),
                });
            }
            leased.push(LeasedWebhook {
                webhook: row.webhook,
                secrets: row.secrets,
                deliveries,
            });
        }
        Ok(leased)
    }

    async fn lock_webhook_health(
        &mut self,
        id: WebhookId,
    ) -> StoreResult<Option<(Webhook, WebhookHealth)>> {
        let row = self.state.webhooks.get(&id);
        Ok(row.map(|row| (row.webhook.clone(), row.health)))
    }

    async fn leased_progress(
        &mut self,
        id: DeliveryId,
        holder: Uuid,
    ) -> StoreResult<Option<DeliveryProgress>> {
        let row = self.state.deliveries.get(&id);
        let held =
            row.filter(|row| row.is_pending() && row.lease.is_some_and(|(by, _)| by == holder));
        Ok(held.map(|row| row.progress))
    }

    async fn finish_attempt(
        &mut self,
        id: DeliveryId,
        finished: &FinishedAttempt,
    ) -> StoreResult<()> {
        let row = self.state().deliveries.get_mut(&id);
        let row = row.ok_or_else(|| missing("delivery"))?;
        let (delivery, attempt) = (&mut row.delivery, &finished.attempt);
        delivery.state = finished.state;
        delivery.num_attempts = finished.progress.num_attempts;
        delivery.date_next_attempt = finished.next;
        delivery.date_done = finished.next.is_none().then_some(finished.now);
        delivery.last_status = attempt.status;
        delivery.last_error = attempt.error;
        row.progress = finished.progress;
        row.lease = None;
        let number = finished.progress.num_attempts;
        row.attempts.insert(number, attempt.clone());
        row.attempts
            .retain(|kept, _| *kept > number - KEPT_ATTEMPTS);
        Ok(())
    }

    async fn set_webhook_result(
        &mut self,
        id: WebhookId,
        result: &WebhookResult,
    ) -> StoreResult<()> {
        let row = self.state().webhook_mut(id)?;
        if result.succeeded {
            row.webhook.date_last_success = Some(result.date);
        } else {
            row.webhook.date_last_failure = Some(result.date);
        }
        row.health = result.health;
        row.webhook.paused_until = result.health.resumes;
        Ok(())
    }

    async fn delete_deliveries(&mut self, before: Timestamp, limit: usize) -> StoreResult<u64> {
        let is_old = |_: &DeliveryId, row: &mut DeliveryRow| {
            let is_old = row.delivery.date_done.is_some_and(|done| done < before);
            is_old && row.delivery.state == DeliveryState::Delivered
        };
        let old = self.state().deliveries.extract_if(.., is_old);
        Ok(old.take(limit).count() as u64)
    }

    async fn delete_attempts(&mut self, before: Timestamp, limit: usize) -> StoreResult<u64> {
        let mut deleted = 0;
        for row in self.state().deliveries.values_mut() {
            let attempts = &mut row.attempts;
            let old = attempts.extract_if(.., |_, attempt| attempt.date < before);
            deleted += old.take(limit - deleted).count();
        }
        Ok(deleted as u64)
    }

    async fn delete_data(&mut self, events: &[EventId]) -> StoreResult<u64> {
        let mut deleted = 0;
        for event in events {
            if !self.state.is_pending(*event) && self.state().event_data.remove(event).is_some() {
                deleted += 1;
            }
        }
        Ok(deleted)
    }
}

/// A pending delivery that is due at once.
fn row(new: &NewDelivery) -> DeliveryRow {
    let event = &new.event;
    let delivery = Delivery {
        id: new.id,
        webhook: new.webhook,
        event: event.id,
        sequence: event.sequence,
        event_type: event.event_type,
        submission: match &event.data {
            EventData::Submission { submission, .. } => Some(*submission),
            _ => None,
        },
        state: DeliveryState::Pending,
        num_attempts: 0,
        date_created: new.now,
        date_next_attempt: Some(new.now),
        date_done: None,
        last_status: None,
        last_error: None,
    };
    DeliveryRow {
        delivery,
        lane: new.lane(),
        progress: DeliveryProgress {
            num_attempts: 0,
            tries: 0,
            refusals: 0,
            is_asked: false,
        },
        lease: None,
        attempts: BTreeMap::new(),
    }
}
