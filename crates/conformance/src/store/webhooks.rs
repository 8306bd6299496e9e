//! Promises 20 and 21, and what is kept of webhooks.

#![expect(clippy::indexing_slicing, reason = "the cases create what they index")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;

use formalize_core::store::scope::ItemScope;
use formalize_core::store::{
    DeliveryProgress, EventPlace, FinishedAttempt, LeaseLimits, LeasedWebhook, NewDelivery,
    PendingDeliveries, Requeued, SealedSecret, Store, StoreResult, WebhookResult, WebhookScope,
    WebhookSecrets, Window, WriteTx,
};
use formalize_core::{
    Form, FormId, Submission, SubmissionState, Timestamp,
    events::{Event, EventId, EventType},
    webhooks::{
        AllowedTargets, Attempt, AttemptError, DeliveryFilter, DeliveryId, DeliveryState,
        DisabledReason, FrozenSubmission, Payload, Webhook, WebhookDescription, WebhookEvents,
        WebhookHealth, WebhookId, WebhookSecret, WebhookUrl,
    },
};

use crate::store::event_log::log;
use crate::store::events::to_form;
use crate::store::samples::{Ids, creator_based, now, tags, user};
use crate::store::scene::Scene;
use crate::store::tasks::together;

/// How long deliveries are leased.
const LEASE: Duration = Duration::from_secs(40);

impl Ids {
    /// A webhook that sends every event that it can send.
    fn webhook(&self, form: Option<FormId>) -> Webhook {
        let url = WebhookUrl::parse("https://example.org/hook", &AllowedTargets::default());
        Webhook {
            id: WebhookId::from_uuid(self.next()),
            form,
            url: url.unwrap_or_else(|error| panic!("{error}")),
            description: None,
            event_types: form
                .map_or_else(WebhookEvents::of_all_forms, |_| WebhookEvents::of_form()),
            payload: Payload::Full,
            disabled: None,
            creator: user("ann"),
            date_created: now(),
            date_last_success: None,
            date_last_failure: None,
            paused_until: None,
            revision: self.revision(),
        }
    }

    fn delivery(&self, webhook: &Webhook, event: &Event) -> NewDelivery {
        NewDelivery {
            id: DeliveryId::from_uuid(self.next()),
            webhook: webhook.id,
            event: event.clone(),
            now: now(),
        }
    }
}

/// Secrets that are not encrypted.
fn secrets(digit: u8) -> WebhookSecrets {
    let digits = digit.to_string().repeat(32);
    let secret = WebhookSecret::new(format!("{}{digits}", WebhookSecret::PREFIX));
    WebhookSecrets {
        current: SealedSecret(
            secret
                .unwrap_or_else(|error| panic!("{error}"))
                .expose()
                .to_owned(),
        ),
        previous: None,
    }
}

fn everything() -> WebhookScope {
    WebhookScope {
        forms: ItemScope::All,
        of_all_forms: true,
    }
}

/// A form, and webhooks of it.
struct Hooked {
    ids: Ids,
    form: Form,
    webhooks: Vec<Webhook>,
}

impl Hooked {
    /// Creates a form with this number of webhooks, changed by `change`.
    async fn with(
        store: &dyn Store,
        number: usize,
        change: impl Fn(usize, Webhook) -> Webhook,
    ) -> StoreResult<Self> {
        let ids = Ids::default();
        let mut scene = Scene::begin(store, &ids).await?;
        let form = scene.form(creator_based(&[])).await?.form;
        let mut webhooks = Vec::new();
        for index in 0..number {
            let webhook = change(index, ids.webhook(Some(form.id)));
            scene
                .tx
                .write_webhooks()?
                .insert_webhook(&webhook, &secrets(1))
                .await?;
            webhooks.push(webhook);
        }
        scene.commit().await?;
        Ok(Self {
            ids,
            form,
            webhooks,
        })
    }

    /// Creates submissions, each with an event, and returns the events.
    async fn submissions(&self, store: &dyn Store, number: usize) -> StoreResult<Vec<Event>> {
        let mut made = BTreeSet::new();
        for _ in 0..number {
            let submission =
                self.ids
                    .submission(&self.form, &user("bob"), SubmissionState::Submitted);
            let event = EventId::from_uuid(self.ids.next());
            let revision = self.form.revision;
            let submitted = store
                .submit(&submission, revision, None, None, Some(event), &[])
                .await?;
            assert!(submitted);
            made.insert(event);
        }
        let events = log(store).await?.into_iter();
        Ok(events.filter(|event| made.contains(&event.id)).collect())
    }

    /// Changes the form so often, and returns the events.
    async fn changes(&self, store: &dyn Store, number: usize) -> StoreResult<Vec<Event>> {
        let before = log(store).await?.len();
        let mut tx = store.write().await?;
        for _ in 0..number {
            let event = self
                .ids
                .event(to_form(EventType::FormUpdated, self.form.id));
            tx.write_events()?.append_event(&event).await?;
        }
        tx.commit().await?;
        Ok(log(store).await?.split_off(before))
    }

    /// Queues events for a webhook.
    async fn queue(
        &self,
        store: &dyn Store,
        webhook: &Webhook,
        events: &[Event],
    ) -> StoreResult<u64> {
        let new = events.iter().map(|event| self.ids.delivery(webhook, event));
        let new: Vec<_> = new.collect();
        let mut tx = store.write().await?;
        let inserted = tx.write_webhooks()?.insert_deliveries(&new).await?;
        tx.commit().await?;
        Ok(inserted)
    }
}

/// Leases deliveries, and returns their positions in the log.
async fn lease(
    store: &dyn Store,
    holder: Uuid,
    at: Timestamp,
    limit: u64,
) -> StoreResult<Vec<(DeliveryId, i64)>> {
    let mut tx = store.write().await?;
    let until = at.saturating_add(LEASE);
    let limits = LeaseLimits {
        all: limit,
        unproven: limit,
        unproven_of_form: u64::MAX,
    };
    let leased = tx
        .write_webhooks()?
        .lease_deliveries(holder, (at, until), limits)
        .await?;
    tx.commit().await?;
    let deliveries = leased.into_iter().flat_map(|webhook| webhook.deliveries);
    let mut leased: Vec<_> = deliveries
        .map(|delivery| (delivery.id, delivery.event.sequence))
        .collect();
    leased.sort_by_key(|(_, position)| *position);
    Ok(leased)
}

fn positions(leased: &[(DeliveryId, i64)]) -> Vec<i64> {
    leased.iter().map(|(_, position)| *position).collect()
}

/// Whether a holder may write the result of a delivery.
async fn holds(store: &dyn Store, id: DeliveryId, holder: Uuid) -> StoreResult<bool> {
    let mut tx = store.write().await?;
    let progress = tx.write_webhooks()?.leased_progress(id, holder).await?;
    tx.commit().await?;
    Ok(progress.is_some())
}

fn finished(state: DeliveryState, next: Option<Timestamp>) -> FinishedAttempt {
    let error = (state != DeliveryState::Delivered).then_some(AttemptError::Status);
    FinishedAttempt {
        progress: DeliveryProgress {
            num_attempts: 1,
            tries: 1,
            refusals: i64::from(error.is_some()),
            is_asked: false,
        },
        attempt: Attempt {
            date: now(),
            status: Some(if error.is_some() { 500 } else { 204 }),
            error,
            duration: Duration::from_millis(31),
        },
        state,
        next,
        now: now(),
    }
}

async fn finish(store: &dyn Store, id: DeliveryId, finished: &FinishedAttempt) -> StoreResult<()> {
    let mut tx = store.write().await?;
    tx.write_webhooks()?.finish_attempt(id, finished).await?;
    tx.commit().await
}

/// A webhook comes back with every value, is changed, and is listed within its scope.
pub async fn webhooks_come_back_with_every_value(store: Arc<dyn Store>) -> StoreResult<()> {
    let odd = |index, webhook: Webhook| match index {
        0 => webhook,
        _ => Webhook {
            description: WebhookDescription::new("Ä \"hook\"").ok(),
            event_types: WebhookEvents::new([EventType::FormCleared])
                .unwrap_or_else(|error| panic!("{error}")),
            payload: Payload::Thin,
            disabled: Some(DisabledReason::Failing),
            ..webhook
        },
    };
    let hooked = Hooked::with(&*store, 2, odd).await?;
    let of_all = hooked.ids.webhook(None);
    let mut tx = store.write().await?;
    tx.write_webhooks()?
        .insert_webhook(&of_all, &secrets(1))
        .await?;
    for webhook in hooked.webhooks.iter().chain([&of_all]) {
        assert_eq!(
            tx.read_webhooks()?.find_webhook(webhook.id).await?.as_ref(),
            Some(webhook)
        );
        let locked = tx
            .write_webhooks()?
            .lock_webhook_exclusive(webhook.id)
            .await?;
        assert_eq!(locked.as_ref(), Some(webhook));
    }
    let mut listed = hooked.webhooks.clone();
    listed.sort_by_key(|webhook| webhook.id);
    let form = Some(hooked.form.id);
    let found = tx
        .read_webhooks()?
        .webhooks(&everything(), form, Window::ALL)
        .await?;
    assert_eq!(found, listed);
    listed.push(of_all.clone());
    listed.sort_by_key(|webhook| webhook.id);
    let found = tx
        .read_webhooks()?
        .webhooks(&everything(), None, Window::ALL)
        .await?;
    assert_eq!(found, listed);
    let of_forms = WebhookScope {
        of_all_forms: false,
        ..everything()
    };
    let found = tx
        .read_webhooks()?
        .webhooks(&of_forms, None, Window::ALL)
        .await?;
    assert_eq!(found.len(), 2);
    assert_eq!(tx.read_webhooks()?.count_webhooks(form).await?, 2);
    assert_eq!(tx.read_webhooks()?.count_webhooks(None).await?, 1);
    let changed = Webhook {
        disabled: None,
        revision: hooked.ids.revision(),
        ..hooked.webhooks[1].clone()
    };
    tx.write_webhooks()?
        .update_webhook(&changed, WebhookHealth::default())
        .await?;
    assert_eq!(
        tx.read_webhooks()?.find_webhook(changed.id).await?,
        Some(changed.clone())
    );
    tx.write_webhooks()?.delete_webhook(of_all.id).await?;
    assert_eq!(tx.read_webhooks()?.find_webhook(of_all.id).await?, None);
    tx.commit().await
}

/// Secrets come back, are replaced, and only replaced by others if they are still the same.
pub async fn secrets_are_replaced(store: Arc<dyn Store>) -> StoreResult<()> {
    let hooked = Hooked::with(&*store, 2, |_, webhook| webhook).await?;
    let webhook = &hooked.webhooks[0];
    let rotated = WebhookSecrets {
        previous: Some((secrets(1).current, now())),
        ..secrets(2)
    };
    let mut tx = store.write().await?;
    tx.write_webhooks()?
        .set_webhook_secrets(webhook, &rotated)
        .await?;
    assert!(
        !tx.write_webhooks()?
            .reencrypt_webhook(webhook.id, &secrets(1), &secrets(3))
            .await?
    );
    assert!(
        tx.write_webhooks()?
            .reencrypt_webhook(webhook.id, &rotated, &secrets(3))
            .await?
    );
    assert!(!tx.read_webhooks()?.has_encrypted_secrets().await?);
    let first = WebhookId::from_uuid(Uuid::nil());
    let found = tx.read_webhooks()?.webhook_secrets(first, 10).await?;
    let of = |id| {
        let mut found = found.iter();
        found
            .find(|(of, _)| *of == id)
            .map(|(_, secrets)| secrets.clone())
    };
    assert_eq!(of(webhook.id), Some(secrets(3)));
    assert_eq!(of(hooked.webhooks[1].id), Some(secrets(1)));
    tx.commit().await
}

/// Promise 20: data is kept exactly if an enabled webhook sends it.
pub async fn data_is_kept_for_webhooks_that_send_it(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let updated = WebhookEvents::new([EventType::SubmissionUpdated]);
    let updated = updated.unwrap_or_else(|error| panic!("{error}"));
    for case in 0..4 {
        let mut scene = Scene::begin(&*store, &ids).await?;
        let form = scene.form(creator_based(&[])).await?.form;
        let mut webhook = ids.webhook(Some(form.id));
        match case {
            1 => webhook.payload = Payload::Thin,
            2 => webhook.disabled = Some(DisabledReason::Owner),
            3 => webhook.event_types = updated.clone(),
            _ => {}
        }
        scene
            .tx
            .write_webhooks()?
            .insert_webhook(&webhook, &secrets(1))
            .await?;
        scene.commit().await?;
        for state in [SubmissionState::Draft, SubmissionState::Submitted] {
            let [alone, within] = [(); 2].map(|()| {
                let made = ids.submission(&form, &user("bob"), state);
                Submission {
                    files: vec![ids.file(&made, 3)],
                    tags: tags(&["new"]),
                    ..made
                }
            });
            let events = [(); 3].map(|()| EventId::from_uuid(ids.next()));
            let (revision, [first, second, third]) = (form.revision, events);
            let submitted = store.submit(&alone, revision, None, None, Some(first), &[]);
            assert!(submitted.await?);
            let mut tx = store.write().await?;
            let submitted =
                tx.write_submissions()?
                    .submit(&within, revision, None, None, Some(second));
            assert!(submitted.await?);
            tx.write_webhooks()?
                .freeze(third, EventType::SubmissionSubmitted, &within)
                .await?;
            tx.commit().await?;
            let is_kept = case == 0 && state == SubmissionState::Submitted;
            let mut tx = store.read().await?;
            for (event, submission) in events.into_iter().zip([&alone, &within, &within]) {
                let expected = FrozenSubmission::of(submission).filter(|_| is_kept);
                assert_eq!(
                    tx.read_webhooks()?.frozen(event).await?,
                    expected,
                    "promise 20"
                );
            }
        }
    }
    Ok(())
}

/// Promise 21: of deliveries about the same thing, only the first pending one is leased.
pub async fn deliveries_about_one_thing_are_leased_in_order(
    store: Arc<dyn Store>,
) -> StoreResult<()> {
    let hooked = Hooked::with(&*store, 1, |_, webhook| webhook).await?;
    let webhook = &hooked.webhooks[0];
    let events = hooked.changes(&*store, 3).await?;
    assert_eq!(hooked.queue(&*store, webhook, &events).await?, 3);
    assert_eq!(hooked.queue(&*store, webhook, &events).await?, 0);
    let (first, second) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let leased = lease(&*store, first, now(), 10).await?;
    assert_eq!(positions(&leased), [1], "promise 21");
    assert_eq!(lease(&*store, second, now(), 10).await?, [], "promise 21");
    // A delivery that waits for its next attempt still keeps the later ones back.
    let later = now().saturating_add(Duration::from_secs(5));
    let failed = finished(DeliveryState::Pending, Some(later));
    finish(&*store, leased[0].0, &failed).await?;
    assert_eq!(lease(&*store, first, now(), 10).await?, [], "promise 21");
    let leased = lease(&*store, first, later, 10).await?;
    assert_eq!(positions(&leased), [1], "promise 21");
    let mut done = finished(DeliveryState::Delivered, None);
    done.progress.num_attempts = 2;
    finish(&*store, leased[0].0, &done).await?;
    let leased = lease(&*store, first, later, 10).await?;
    assert_eq!(positions(&leased), [2], "promise 21");
    let dead = finished(DeliveryState::Dead, None);
    finish(&*store, leased[0].0, &dead).await?;
    let leased = lease(&*store, first, later, 10).await?;
    assert_eq!(positions(&leased), [3], "promise 21");
    Ok(())
}

/// Promise 21: a delivery has one holder at a time, a webhook four leased ones, or one if it backs off.
pub async fn deliveries_are_leased_once(store: Arc<dyn Store>) -> StoreResult<()> {
    let hooked = Hooked::with(&*store, 2, |_, webhook| webhook).await?;
    let events = hooked.submissions(&*store, 6).await?;
    for webhook in &hooked.webhooks {
        assert_eq!(hooked.queue(&*store, webhook, &events).await?, 6);
    }
    let (first, second) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let of_first = lease(&*store, first, now(), 5).await?;
    assert_eq!(of_first.len(), 5, "promise 21");
    let of_second = lease(&*store, second, now(), 5).await?;
    assert_eq!(of_second.len(), 3, "promise 21");
    let mut all = positions(&of_first);
    all.extend(positions(&of_second));
    let number = |position| all.iter().filter(|one| **one == position).count();
    assert!(events.iter().all(|event| number(event.sequence) <= 2));
    assert_eq!(lease(&*store, second, now(), 5).await?, [], "promise 21");
    let (id, _) = of_first[0];
    assert!(holds(&*store, id, first).await?);
    assert!(!holds(&*store, id, second).await?);
    // When the lease has ended, another holder gets the delivery, and the first one may not write its result.
    let later = now().saturating_add(LEASE);
    let again = lease(&*store, second, later, 8).await?;
    assert_eq!(again.len(), 8, "promise 21");
    assert!(!holds(&*store, id, first).await?);
    let mut tx = store.write().await?;
    let failing = WebhookHealth {
        failures: 100,
        failing_since: Some(now()),
        resumes: None,
    };
    for webhook in &hooked.webhooks {
        tx.write_webhooks()?
            .update_webhook(webhook, failing)
            .await?;
    }
    tx.commit().await?;
    let much_later = later.saturating_add(LEASE);
    let of_failing = lease(&*store, first, much_later, 8).await?;
    assert_eq!(of_failing.len(), 2, "promise 21");
    Ok(())
}

/// Webhooks that failed last or never succeeded get no more leases than the limits say, and of one form, counting what is leased.
pub async fn failing_receivers_leave_leases_to_others(store: Arc<dyn Store>) -> StoreResult<()> {
    let at = |seconds| Some(now().saturating_add(Duration::from_secs(seconds)));
    let hooked = Hooked::with(&*store, 5, |index, webhook| match index {
        // It belongs to no form.
        4 => Webhook {
            form: None,
            ..webhook
        },
        // It succeeded last.
        3 => Webhook {
            date_last_success: at(2),
            date_last_failure: at(1),
            ..webhook
        },
        // It failed last.
        2 => Webhook {
            date_last_success: at(1),
            date_last_failure: at(2),
            ..webhook
        },
        _ => webhook,
    })
    .await?;
    let mut tx = store.write().await?;
    for webhook in &hooked.webhooks {
        for (date, succeeded) in [
            (webhook.date_last_success, true),
            (webhook.date_last_failure, false),
        ] {
            let Some(date) = date else { continue };
            let health = WebhookHealth::default();
            let result = WebhookResult {
                health,
                date,
                succeeded,
            };
            tx.write_webhooks()?
                .set_webhook_result(webhook.id, &result)
                .await?;
        }
    }
    tx.commit().await?;
    let events = hooked.submissions(&*store, 4).await?;
    for webhook in &hooked.webhooks {
        assert_eq!(hooked.queue(&*store, webhook, &events).await?, 4);
    }
    let lease = async |holder, limits| -> StoreResult<BTreeMap<WebhookId, usize>> {
        let mut tx = store.write().await?;
        let until = now().saturating_add(LEASE);
        let holder = Uuid::from_u128(holder);
        let leased = tx
            .write_webhooks()?
            .lease_deliveries(holder, (now(), until), limits)
            .await?;
        tx.commit().await?;
        let number = |webhook: &LeasedWebhook| (webhook.webhook.id, webhook.deliveries.len());
        Ok(leased.iter().map(number).collect())
    };
    let limits = |all, unproven| LeaseLimits {
        all,
        unproven,
        unproven_of_form: 2,
    };
    let proven = hooked.webhooks[3].id;
    let none = lease(1, limits(10, 0)).await?;
    assert_eq!(none, BTreeMap::from([(proven, 4)]));
    let mut unproven = 0;
    for holder in 2..5 {
        let leased = lease(holder, limits(10, 3)).await?;
        assert!(!leased.contains_key(&proven) && leased.values().sum::<usize>() <= 3);
        unproven += leased.values().sum::<usize>();
    }
    // Two for the three webhooks of the form, and four for the other one.
    assert_eq!(unproven, 6);
    assert_eq!(lease(5, limits(10, 10)).await?, BTreeMap::new());
    Ok(())
}

/// Disabled webhooks, and those that pause, send nothing.
pub async fn webhooks_that_pause_send_nothing(store: Arc<dyn Store>) -> StoreResult<()> {
    let disabled = |index, webhook| Webhook {
        disabled: (index == 0).then_some(DisabledReason::Owner),
        ..webhook
    };
    let hooked = Hooked::with(&*store, 2, disabled).await?;
    let events = hooked.submissions(&*store, 1).await?;
    for webhook in &hooked.webhooks {
        hooked.queue(&*store, webhook, &events).await?;
    }
    let resumes = now().saturating_add(Duration::from_secs(30));
    let pausing = WebhookHealth {
        failures: 5,
        failing_since: Some(now()),
        resumes: Some(resumes),
    };
    let mut tx = store.write().await?;
    tx.write_webhooks()?
        .update_webhook(&hooked.webhooks[1], pausing)
        .await?;
    tx.commit().await?;
    let holder = Uuid::from_u128(1);
    assert_eq!(lease(&*store, holder, now(), 10).await?, []);
    assert_eq!(lease(&*store, holder, resumes, 10).await?.len(), 1);
    let mut tx = store.write().await?;
    let found = tx
        .write_webhooks()?
        .lock_webhook_health(hooked.webhooks[1].id)
        .await?;
    let found = found.map(|(webhook, health)| (webhook.paused_until, health));
    assert_eq!(found, Some((Some(resumes), pausing)));
    tx.commit().await
}

/// What was asked for is leased while a webhook pauses, one at a time, and nothing else.
pub async fn deliveries_that_were_asked_for_do_not_wait(store: Arc<dyn Store>) -> StoreResult<()> {
    let hooked = Hooked::with(&*store, 1, |_, webhook| webhook).await?;
    let webhook = &hooked.webhooks[0];
    let events = hooked.submissions(&*store, 4).await?;
    hooked.queue(&*store, webhook, &events).await?;
    let holder = Uuid::from_u128(1);
    let leased = lease(&*store, holder, now(), 10).await?;
    let later = now().saturating_add(Duration::from_hours(1));
    let waiting = finished(DeliveryState::Pending, Some(later));
    for (id, _) in &leased[1..] {
        finish(&*store, *id, &waiting).await?;
    }
    let pausing = WebhookHealth {
        failures: 5,
        failing_since: Some(now()),
        resumes: Some(later),
    };
    let ids: Vec<DeliveryId> = leased.iter().map(|(id, _)| *id).collect();
    let mut tx = store.write().await?;
    tx.write_webhooks()?
        .update_webhook(webhook, pausing)
        .await?;
    // The first one is under way.
    let which = Requeued::Asked(&ids[..3]);
    assert_eq!(
        tx.write_webhooks()?
            .requeue_deliveries(webhook.id, which, now())
            .await?,
        2
    );
    assert_eq!(
        tx.write_webhooks()?
            .requeue_deliveries(webhook.id, which, now())
            .await?,
        0
    );
    let shown = tx
        .read_webhooks()?
        .find_delivery(webhook.id, ids[1])
        .await?;
    let shown = shown.and_then(|shown| shown.date_next_attempt);
    assert!(shown.is_some_and(|next| next <= now()));
    tx.commit().await?;
    assert_eq!(lease(&*store, holder, now(), 10).await?, []);
    finish(&*store, ids[0], &waiting).await?;
    let mut again = finished(DeliveryState::Pending, Some(later));
    again.progress.num_attempts = 2;
    for expected in &ids[1..3] {
        let next = lease(&*store, holder, now(), 10).await?;
        assert_eq!(
            next.iter().map(|(id, _)| id).collect::<Vec<_>>(),
            [expected]
        );
        let mut tx = store.write().await?;
        let progress = tx
            .write_webhooks()?
            .leased_progress(*expected, holder)
            .await?;
        assert!(progress.is_some_and(|progress| progress.is_asked));
        tx.commit().await?;
        finish(&*store, *expected, &again).await?;
    }
    assert_eq!(lease(&*store, holder, now(), 10).await?, []);
    // Without the pause, everything that is pending becomes due.
    let mut tx = store.write().await?;
    tx.write_webhooks()?
        .update_webhook(webhook, WebhookHealth::default())
        .await?;
    let queued = tx
        .write_webhooks()?
        .requeue_deliveries(webhook.id, Requeued::Pending, now());
    assert_eq!(queued.await?, 4);
    tx.commit().await?;
    assert_eq!(lease(&*store, holder, now(), 10).await?.len(), 4);
    Ok(())
}

/// What was asked for does not wait for the earlier ones about the same thing: they are attempted, too.
pub async fn deliveries_that_were_asked_for_take_earlier_ones_along(
    store: Arc<dyn Store>,
) -> StoreResult<()> {
    let hooked = Hooked::with(&*store, 1, |_, webhook| webhook).await?;
    let webhook = &hooked.webhooks[0];
    let events = hooked.changes(&*store, 4).await?;
    let new = events
        .iter()
        .map(|event| hooked.ids.delivery(webhook, event));
    let new: Vec<_> = new.collect();
    let ids: Vec<DeliveryId> = new.iter().map(|one| one.id).collect();
    let later = now().saturating_add(Duration::from_hours(1));
    let pausing = WebhookHealth {
        failures: 5,
        failing_since: Some(now()),
        resumes: Some(later),
    };
    let mut tx = store.write().await?;
    tx.write_webhooks()?.insert_deliveries(&new).await?;
    tx.write_webhooks()?
        .update_webhook(webhook, pausing)
        .await?;
    let asked = now().saturating_add(Duration::from_secs(30));
    let which = Requeued::Asked(&ids[2..3]);
    assert_eq!(
        tx.write_webhooks()?
            .requeue_deliveries(webhook.id, which, asked)
            .await?,
        1
    );
    let mut shown = Vec::new();
    for id in &ids {
        let found = tx.read_webhooks()?.find_delivery(webhook.id, *id).await?;
        shown.push(found.and_then(|found| found.date_next_attempt));
    }
    assert_eq!(shown, [asked, asked, asked, now()].map(Some));
    tx.commit().await?;
    let holder = Uuid::from_u128(1);
    for expected in &ids[..3] {
        let leased = lease(&*store, holder, asked, 10).await?;
        let leased: Vec<_> = leased.iter().map(|(id, _)| id).collect();
        assert_eq!(leased, [expected]);
        finish(
            &*store,
            *expected,
            &finished(DeliveryState::Delivered, None),
        )
        .await?;
    }
    assert_eq!(lease(&*store, holder, asked, 10).await?, []);
    Ok(())
}

/// Webhooks of which nothing can be leased take no places of others, and those whose last attempt is longest ago come first.
pub async fn leases_go_to_webhooks_that_can_use_them(store: Arc<dyn Store>) -> StoreResult<()> {
    let hooked = Hooked::with(&*store, 4, |_, webhook| webhook).await?;
    let [full, waiting, failed, rare] = hooked.webhooks.as_slice() else {
        panic!("there are four webhooks");
    };
    let holder = Uuid::from_u128(1);
    let events = hooked.submissions(&*store, 5).await?;
    hooked.queue(&*store, full, &events).await?;
    assert_eq!(lease(&*store, holder, now(), 10).await?.len(), 4);
    let changes = hooked.changes(&*store, 2).await?;
    hooked.queue(&*store, waiting, &changes).await?;
    let first = lease(&*store, holder, now(), 10).await?;
    let later = now().saturating_add(Duration::from_secs(5));
    finish(
        &*store,
        first[0].0,
        &finished(DeliveryState::Pending, Some(later)),
    )
    .await?;
    // Both failed last. The sum of the dates of the second one is larger.
    let mut tx = store.write().await?;
    for (webhook, seconds, succeeded) in [(failed, 10, false), (rare, 1, true), (rare, 5, false)] {
        let result = WebhookResult {
            health: WebhookHealth::default(),
            date: now().saturating_add(Duration::from_secs(seconds)),
            succeeded,
        };
        tx.write_webhooks()?
            .set_webhook_result(webhook.id, &result)
            .await?;
    }
    tx.commit().await?;
    for webhook in [failed, rare] {
        hooked.queue(&*store, webhook, &events[..1]).await?;
    }
    for expected in [rare, failed] {
        let mut tx = store.write().await?;
        let limits = LeaseLimits {
            all: 1,
            unproven: 1,
            unproven_of_form: u64::MAX,
        };
        let until = now().saturating_add(LEASE);
        let leased = tx
            .write_webhooks()?
            .lease_deliveries(holder, (now(), until), limits)
            .await?;
        tx.commit().await?;
        let leased: Vec<_> = leased.iter().map(|one| one.webhook.id).collect();
        assert_eq!(leased, [expected.id]);
    }
    Ok(())
}

/// Servers that lease at the same moment do not exceed the limit for a form.
pub async fn failing_receivers_of_a_form_share_a_limit_in_races(
    store: Arc<dyn Store>,
) -> StoreResult<()> {
    let hooked = Hooked::with(&*store, 6, |_, webhook| webhook).await?;
    let events = hooked.submissions(&*store, 1).await?;
    for webhook in &hooked.webhooks {
        hooked.queue(&*store, webhook, &events).await?;
    }
    let at_once = together(4, |_| lease_slowly(Arc::clone(&store))).await?;
    let mut leased: usize = at_once.iter().sum();
    assert!((1..=2).contains(&leased), "{at_once:?}");
    for _ in 0..3 {
        leased += lease_slowly(Arc::clone(&store)).await?;
    }
    assert_eq!(leased, 2);
    Ok(())
}

/// Leases at most one delivery, and two of a form. Others may lease before this is committed, if the store lets them.
async fn lease_slowly(store: Arc<dyn Store>) -> StoreResult<usize> {
    let mut tx = store.write().await?;
    let limits = LeaseLimits {
        all: 1,
        unproven: 1,
        unproven_of_form: 2,
    };
    let (holder, until) = (Uuid::from_u128(1), now().saturating_add(LEASE));
    let leased = tx
        .write_webhooks()?
        .lease_deliveries(holder, (now(), until), limits)
        .await?;
    tokio::time::sleep(Duration::from_millis(50)).await;
    tx.commit().await?;
    Ok(leased.len())
}

/// Finished deliveries are listed, counted, and become pending again.
pub async fn finished_deliveries_are_queued_again(store: Arc<dyn Store>) -> StoreResult<()> {
    let hooked = Hooked::with(&*store, 1, |_, webhook| webhook).await?;
    let webhook = &hooked.webhooks[0];
    let events = hooked.submissions(&*store, 3).await?;
    hooked.queue(&*store, webhook, &events).await?;
    let holder = Uuid::from_u128(1);
    let leased = lease(&*store, holder, now(), 10).await?;
    finish(&*store, leased[0].0, &finished(DeliveryState::Dead, None)).await?;
    let done = finished(DeliveryState::Delivered, None);
    finish(&*store, leased[1].0, &done).await?;
    let mut tx = store.write().await?;
    assert_eq!(
        tx.read_webhooks()?.count_deliveries(webhook.id).await?,
        (1, 1)
    );
    let pending = PendingDeliveries {
        number: 1,
        oldest: Some(now()),
    };
    assert_eq!(tx.read_webhooks()?.pending_deliveries().await?, pending);
    assert_eq!(tx.read_webhooks()?.attempts(leased[0].0).await?.len(), 1);
    let dead = DeliveryFilter {
        state: Some(DeliveryState::Dead),
        ..DeliveryFilter::default()
    };
    let found = tx
        .read_webhooks()?
        .deliveries(webhook.id, dead, Window::ALL)
        .await?;
    assert_eq!(
        found.iter().map(|one| one.id).collect::<Vec<_>>(),
        [leased[0].0]
    );
    delivery_windows(tx.as_mut(), webhook.id, 3).await?;
    let period = (now(), now());
    assert_eq!(
        tx.read_webhooks()?
            .dead_deliveries(webhook.id, period, 10)
            .await?,
        [leased[0].0]
    );
    let ids: Vec<DeliveryId> = leased.iter().map(|(id, _)| *id).collect();
    let queued = tx
        .write_webhooks()?
        .requeue_deliveries(webhook.id, Requeued::Deliveries(&ids), now())
        .await?;
    assert_eq!(queued, 2);
    assert_eq!(
        tx.read_webhooks()?.count_deliveries(webhook.id).await?,
        (3, 0)
    );
    assert_eq!(
        tx.write_webhooks()?
            .give_up_deliveries(webhook.id, now())
            .await?,
        3
    );
    let of_events: Vec<EventId> = events.iter().map(|event| event.id).collect();
    let which = Requeued::Events(&of_events[..2]);
    assert_eq!(
        tx.write_webhooks()?
            .requeue_deliveries(webhook.id, which, now())
            .await?,
        2
    );
    assert_eq!(
        tx.read_webhooks()?.count_deliveries(webhook.id).await?,
        (2, 1)
    );
    tx.commit().await
}

/// Lists the deliveries of a webhook in windows of one, in both orders.
async fn delivery_windows(
    tx: &mut dyn WriteTx,
    webhook: WebhookId,
    number: usize,
) -> StoreResult<()> {
    let mut orders = Vec::new();
    for newest_first in [false, true] {
        let filter = DeliveryFilter {
            newest_first,
            ..DeliveryFilter::default()
        };
        let (mut window, mut found) = (Window::ONE, Vec::new());
        while let Some(one) = tx
            .read_webhooks()?
            .deliveries(webhook, filter, window)
            .await?
            .pop()
        {
            window.after = one.id.as_uuid();
            found.push(one.id);
        }
        let all = tx
            .read_webhooks()?
            .deliveries(webhook, filter, Window::ALL)
            .await?;
        assert!(all.iter().map(|one| one.id).eq(found.iter().copied()));
        orders.push(found);
    }
    assert!(orders[0].is_sorted());
    assert_eq!(orders[0].len(), number);
    orders[0].reverse();
    assert_eq!(orders[0], orders[1]);
    Ok(())
}

/// The webhooks of a deleted form are hidden, still send, and are deleted later.
pub async fn webhooks_end_with_their_form(store: Arc<dyn Store>) -> StoreResult<()> {
    let hooked = Hooked::with(&*store, 1, |_, webhook| webhook).await?;
    let webhook = &hooked.webhooks[0];
    let events = hooked.submissions(&*store, 1).await?;
    hooked.queue(&*store, webhook, &events).await?;
    let place = EventPlace {
        epoch: store.read().await?.read_events()?.event_log().await?.epoch,
        position: 1,
    };
    let mut tx = store.write().await?;
    tx.write_webhooks()?
        .set_webhook_place(webhook.id, Some(place))
        .await?;
    assert_eq!(
        tx.write_webhooks()?
            .end_webhooks(hooked.form.id, now())
            .await?,
        1
    );
    tx.commit().await?;
    let mut tx = store.write().await?;
    assert_eq!(tx.read_webhooks()?.find_webhook(webhook.id).await?, None);
    assert_eq!(
        tx.write_webhooks()?
            .lock_webhook_exclusive(webhook.id)
            .await?,
        None
    );
    assert_eq!(
        tx.read_webhooks()?
            .webhooks(&everything(), None, Window::ALL)
            .await?,
        []
    );
    let readers = tx.read_webhooks()?.webhook_readers().await?;
    assert_eq!(readers.len(), 1);
    assert_eq!((readers[0].place, readers[0].pending), (place, 1));
    let next = EventPlace {
        position: 2,
        ..place
    };
    assert_eq!(
        tx.write_webhooks()?
            .move_webhooks(&[webhook.id], place, next)
            .await?,
        [webhook.id]
    );
    assert_eq!(
        tx.write_webhooks()?
            .move_webhooks(&[webhook.id], place, next)
            .await?,
        []
    );
    tx.commit().await?;
    assert_eq!(
        lease(&*store, Uuid::from_u128(1), now(), 10).await?.len(),
        1
    );
    let mut tx = store.write().await?;
    let earlier = now().saturating_sub(Duration::from_secs(1));
    assert_eq!(
        tx.write_webhooks()?.delete_ended_webhooks(earlier).await?,
        0
    );
    assert_eq!(tx.write_webhooks()?.delete_ended_webhooks(now()).await?, 1);
    assert_eq!(tx.read_webhooks()?.webhook_readers().await?, []);
    tx.commit().await
}
