//! Webhooks.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use formalize_core::{
    Action, Caller, Change, Clock, Error, Field, FixedClock, FormChange, FormId, Formalize,
    InvalidFields, ResourceRef, Result, Store, SubmissionChange, SubmissionId, SubmissionRules,
    SubmissionState, Timestamp,
    events::{EventFilter, EventType},
    forms::SubmittedAction,
    webhooks::{
        AttemptError, ClaimedDelivery, DeliveryFilter, DeliveryState, DisabledReason, MAX_WEBHOOKS,
        NewWebhook, Payload, Resend, SecretKeys, Webhook, WebhookAnswer, WebhookChange,
        WebhookEvents, WebhookId, WebhookRequest, WebhookSecret, WebhookTransport,
    },
};
use formalize_tests::on_every_store;
use formalize_tests::world::{START, World, everything, instant, new_submission, page_of, user};
use serde_json::Value;

use super::{SYSTEM, fails};

on_every_store! {
    events_of_a_form_are_sent_from_its_creation_on,
    a_webhook_of_all_forms_gets_everything_but_drafts,
    data_is_sent_as_it_was,
    data_is_kept_only_while_somebody_wants_it,
    data_of_a_deleted_submission_is_kept_until_it_is_sent,
    deliveries_about_one_submission_keep_their_order,
    an_outage_of_three_days_loses_nothing,
    a_refused_event_dies_after_a_day_and_delays_no_other,
    a_webhook_that_fails_for_long_is_disabled,
    a_receiver_that_is_gone_disables_the_webhook,
    a_webhook_that_fails_backs_off_until_a_success,
    a_burst_of_failures_is_one_reason_to_pause,
    a_new_url_gets_everything_that_is_pending,
    a_delivery_that_is_asked_for_is_sent_during_a_pause,
    a_disabled_webhook_misses_events,
    deliveries_are_sent_again,
    a_lease_ends_with_its_time,
    at_most_four_deliveries_at_a_time,
    receivers_that_never_answer_leave_requests_to_others,
    a_new_url_does_not_make_a_failing_webhook_fast,
    a_full_webhook_waits_in_the_log,
    a_webhook_queues_what_it_has_room_for,
    secrets_rotate,
    secrets_are_encrypted_and_moved_to_new_keys,
    a_form_takes_its_webhooks_along,
    only_managers_see_webhooks,
    values_are_checked,
    a_test_counts_for_nothing,
    maintenance_deletes_what_is_old,
    pending_deliveries_are_counted,
}

/// A receiver that remembers what it got and gives the same answer until it is told another.
pub(super) struct Receiver {
    answer: Mutex<Result<WebhookAnswer, AttemptError>>,
    /// Requests whose body contains this are refused with 500.
    refused: Mutex<Option<String>>,
    got: Mutex<Vec<WebhookRequest>>,
}

const fn status(status: u16) -> WebhookAnswer {
    WebhookAnswer {
        status,
        retry_after: None,
    }
}

impl Receiver {
    pub(super) fn new() -> Self {
        Self {
            answer: Mutex::new(Ok(status(204))),
            refused: Mutex::default(),
            got: Mutex::default(),
        }
    }

    fn failing() -> Self {
        let receiver = Self::new();
        receiver.answers(Ok(status(500)));
        receiver
    }

    fn answers(&self, answer: Result<WebhookAnswer, AttemptError>) {
        *self.answer.lock().unwrap() = answer;
    }

    fn take(&self) -> Vec<WebhookRequest> {
        std::mem::take(&mut *self.got.lock().unwrap())
    }

    /// The bodies that it got.
    pub(super) fn bodies(&self) -> Vec<Value> {
        let got = self.take();
        got.iter()
            .map(|request| serde_json::from_str(&request.body).unwrap())
            .collect()
    }

    /// The types of the events that it got.
    fn types(&self) -> Vec<String> {
        let bodies = self.bodies().into_iter();
        bodies
            .map(|body| body["type"].as_str().unwrap().to_owned())
            .collect()
    }
}

#[async_trait]
impl WebhookTransport for Receiver {
    async fn send(&self, request: &WebhookRequest) -> Result<WebhookAnswer, AttemptError> {
        self.got.lock().unwrap().push(request.clone());
        let refused = self.refused.lock().unwrap().clone();
        if refused.is_some_and(|text| request.body.contains(&text)) {
            return Ok(status(500));
        }
        *self.answer.lock().unwrap()
    }
}

fn header<'a>(request: &'a WebhookRequest, name: &str) -> &'a str {
    let mut headers = request.headers.iter();
    &headers.find(|(of, _)| *of == name).unwrap().1
}

const HOUR: Duration = Duration::from_hours(1);

async fn open_form(world: &World) -> FormId {
    let rules = SubmissionRules {
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        allowed_actions_when_submitted: SubmittedAction::ALL.iter().copied().collect(),
        ..SubmissionRules::default()
    };
    world.form(rules).await
}

async fn webhook(formalize: &Formalize, form: Option<FormId>) -> Webhook {
    let url = formalize
        .webhooks()
        .parse_url("https://example.org/hook")
        .unwrap();
    let new = NewWebhook {
        form,
        ..NewWebhook::of_all_forms(url)
    };
    formalize.webhooks().create(SYSTEM, new).await.unwrap().0
}

async fn submit(world: &World, form: FormId, data: &str) -> SubmissionId {
    let new = new_submission(form, data, SubmissionState::Submitted);
    world
        .submissions()
        .create(SYSTEM, new)
        .await
        .unwrap()
        .item
        .id
}

async fn change(world: &World, id: SubmissionId, data: &str) {
    let change = SubmissionChange {
        data: Change::Set(data.to_owned()),
        ..SubmissionChange::default()
    };
    world
        .submissions()
        .update(SYSTEM, id, change)
        .await
        .unwrap();
}

async fn states(world: &World, id: WebhookId) -> Vec<DeliveryState> {
    let all = DeliveryFilter::default();
    let page = world
        .webhooks()
        .deliveries(SYSTEM, id, &all, &everything())
        .await;
    page.unwrap().items.iter().map(|item| item.state).collect()
}

/// Delivers for a period, looking every few minutes.
async fn run(world: &World, receiver: &Receiver, period: Duration) {
    let end = world.clock.now().saturating_add(period);
    while world.clock.now() < end {
        world.webhooks().deliver(receiver).await.unwrap();
        world.wait(Duration::from_mins(15));
    }
}

async fn events_of_a_form_are_sent_from_its_creation_on(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let (form, other) = (open_form(world).await, open_form(world).await);
    submit(world, form, r#"{"before": 1}"#).await;
    let webhook = webhook(world, Some(form)).await;
    let receiver = Receiver::new();
    assert_eq!(world.webhooks().deliver(&receiver).await.unwrap(), 0);

    let id = submit(world, form, r#"{"a": 1}"#).await;
    submit(world, other, "{}").await;
    let draft = new_submission(form, "{}", SubmissionState::Draft);
    world.submissions().create(SYSTEM, draft).await.unwrap();
    world
        .forms()
        .update(SYSTEM, form, FormChange::default())
        .await
        .unwrap();
    world.submissions().delete_all(SYSTEM, form).await.unwrap();
    assert_eq!(world.webhooks().deliver(&receiver).await.unwrap(), 3);
    let got = receiver.take();
    let types: Vec<&str> = got.iter().map(|request| request.body.as_str()).collect();
    for (body, name) in types
        .iter()
        .zip(["submission.submitted", "form.updated", "form.cleared"])
    {
        assert!(body.contains(name), "{body}");
    }
    let body: Value = serde_json::from_str(types[0]).unwrap();
    assert_eq!(body["data"]["submissionIdentifier"], id.to_string());
    assert_eq!(
        header(&got[0], "webhook-id"),
        body["identifier"].as_str().unwrap()
    );
    assert_eq!(
        header(&got[0], "webhook-timestamp"),
        (instant(START).as_millis() / 1000).to_string()
    );
    assert_eq!(
        (&got[0].webhook, got[0].url.as_str()),
        (&webhook.id, "https://example.org/hook")
    );

    let view = world.webhooks().get(SYSTEM, webhook.id).await.unwrap();
    assert_eq!((view.num_pending, view.num_dead), (0, 0));
    assert_eq!(view.item.date_last_success, Some(instant(START)));
    assert_eq!(
        states(world, webhook.id).await,
        [DeliveryState::Delivered; 3]
    );
}

async fn a_webhook_of_all_forms_gets_everything_but_drafts(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    webhook(world, None).await;
    let form = open_form(world).await;
    let group = world.group("Editors").await;
    world.member(group, "ann").await;
    world
        .grant_to("ann", &Action::READ, &ResourceRef::form(form))
        .await;
    let draft = new_submission(form, "{}", SubmissionState::Draft);
    world.submissions().create(SYSTEM, draft).await.unwrap();
    submit(world, form, "{}").await;
    let receiver = Receiver::new();
    world.webhooks().deliver(&receiver).await.unwrap();
    let types: BTreeSet<String> = receiver.types().into_iter().collect();
    let expected = [
        "form.created",
        "grant.created",
        "group.created",
        "member.added",
        "submission.submitted",
    ];
    assert_eq!(types, expected.map(str::to_owned).into());
}

async fn data_is_sent_as_it_was(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    webhook(world, Some(form)).await;
    let id = submit(world, form, r#"{"a": 1}"#).await;
    change(world, id, r#"{"a": 2}"#).await;
    let large = format!(r#"{{"a": "{}"}}"#, "x".repeat(256 * 1024));
    change(world, id, &large).await;
    world.submissions().delete(SYSTEM, id).await.unwrap();
    let receiver = Receiver::new();
    world.webhooks().deliver(&receiver).await.unwrap();
    let bodies = receiver.bodies();
    let data = |at: usize| bodies[at]["data"]["submission"]["dataFeedElement"].clone();
    assert_eq!(
        (data(0), data(1)),
        (r#"{"a": 1}"#.into(), r#"{"a": 2}"#.into())
    );
    assert_eq!(bodies[2]["data"]["submission"], Value::Null);
    assert_eq!(bodies[2]["data"]["submissionOmitted"], true);
    assert_eq!(bodies[3]["type"], "submission.deleted");
    assert_eq!(bodies[3]["data"].get("submission"), None);
}

async fn data_is_kept_only_while_somebody_wants_it(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let (form, other) = (open_form(world).await, open_form(world).await);
    let kept = async |form| {
        let before = world.events().extent().await.unwrap().last;
        let id = submit(world, form, "{}").await;
        change(world, id, "{}").await;
        let all = EventFilter::default();
        let events = world
            .events()
            .read(Some(before), &all, 10)
            .await
            .unwrap()
            .events;
        let mut kept = Vec::new();
        for event in events {
            let mut tx = world.store().read().await.unwrap();
            kept.push(
                tx.read_webhooks()
                    .unwrap()
                    .frozen(event.id)
                    .await
                    .unwrap()
                    .is_some(),
            );
        }
        kept
    };
    assert_eq!(kept(form).await, [false, false]);
    let id = webhook(world, Some(form)).await.id;
    assert_eq!(kept(form).await, [true, true]);
    assert_eq!(kept(other).await, [false, false]);
    let update = async |change| world.webhooks().update(SYSTEM, id, change).await.unwrap();
    let only = WebhookEvents::new([EventType::SubmissionUpdated]).unwrap();
    let events = WebhookChange {
        event_types: Some(only),
        ..WebhookChange::default()
    };
    update(events).await;
    assert_eq!(kept(form).await, [false, true]);
    let thin = |payload| WebhookChange {
        payload: Some(payload),
        ..WebhookChange::default()
    };
    update(thin(Payload::Thin)).await;
    assert_eq!(kept(form).await, [false, false]);
    update(thin(Payload::Full)).await;
    let disabled = WebhookChange {
        enabled: Some(false),
        ..WebhookChange::default()
    };
    update(disabled).await;
    assert_eq!(kept(form).await, [false, false]);
}

async fn data_of_a_deleted_submission_is_kept_until_it_is_sent(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    webhook(world, Some(form)).await;
    let webhooks = world.webhooks();
    for is_queued in [true, false] {
        let id = submit(world, form, r#"{"a": 1}"#).await;
        if is_queued {
            webhooks.claim(0).await.unwrap();
        }
        world.submissions().delete(SYSTEM, id).await.unwrap();
        world.maintain().await.unwrap();
        let receiver = Receiver::new();
        webhooks.deliver(&receiver).await.unwrap();
        let sent = receiver.take().remove(0).body;
        let sent: Value = serde_json::from_str(&sent).unwrap();
        let data = &sent["data"]["submission"]["dataFeedElement"];
        assert_eq!(*data, r#"{"a": 1}"#, "queued: {is_queued}");
        let event = sent["identifier"].as_str().unwrap().parse().unwrap();
        for is_kept in [true, false] {
            let mut tx = world.store().read().await.unwrap();
            assert_eq!(
                tx.read_webhooks()
                    .unwrap()
                    .frozen(event)
                    .await
                    .unwrap()
                    .is_some(),
                is_kept
            );
            drop(tx);
            // The webhook has not read this event when the data is deleted.
            submit(world, form, "{}").await;
            world.maintain().await.unwrap();
        }
        webhooks.deliver(&receiver).await.unwrap();
    }
}

async fn deliveries_about_one_submission_keep_their_order(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    webhook(world, Some(form)).await;
    let one = submit(world, form, r#"{"n": "one"}"#).await;
    change(world, one, r#"{"n": "two"}"#).await;
    submit(world, form, r#"{"n": "three"}"#).await;
    let receiver = Receiver::new();
    *receiver.refused.lock().unwrap() = Some("one".to_owned());
    world.webhooks().deliver(&receiver).await.unwrap();
    let numbers = |receiver: &Receiver| {
        let bodies = receiver.take().into_iter().map(|request| request.body);
        let known = ["one", "two", "three"];
        let of = |body: String| known.into_iter().find(|name| body.contains(name)).unwrap();
        bodies.map(of).collect::<Vec<_>>()
    };
    assert_eq!(numbers(&receiver), ["one", "three"]);
    *receiver.refused.lock().unwrap() = None;
    world.wait(Duration::from_secs(10));
    world.webhooks().deliver(&receiver).await.unwrap();
    assert_eq!(numbers(&receiver), ["one", "two"]);
}

async fn an_outage_of_three_days_loses_nothing(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    let id = webhook(world, Some(form)).await.id;
    let receiver = Receiver::new();
    receiver.answers(Err(AttemptError::Connect));
    for day in 0..3 {
        for number in 0..3 {
            submit(world, form, &format!(r#"{{"n": "{day}-{number}"}}"#)).await;
        }
        run(world, &receiver, 24 * HOUR).await;
    }
    assert_eq!(states(world, id).await, [DeliveryState::Pending; 9]);
    // One at a time is attempted every quarter of an hour at most.
    assert!(receiver.take().len() < 3 * 24 * 4 + 20);
    receiver.answers(Ok(status(200)));
    run(world, &receiver, 14 * HOUR).await;
    assert_eq!(states(world, id).await, [DeliveryState::Delivered; 9]);
    assert_eq!(receiver.take().len(), 9);
}

async fn a_refused_event_dies_after_a_day_and_delays_no_other(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    let id = webhook(world, Some(form)).await.id;
    let receiver = Receiver::new();
    *receiver.refused.lock().unwrap() = Some("poison".to_owned());
    submit(world, form, r#"{"a": "poison"}"#).await;
    run(world, &receiver, 12 * HOUR).await;
    submit(world, form, "{}").await;
    run(world, &receiver, HOUR).await;
    let view = world.webhooks().get(SYSTEM, id).await.unwrap();
    assert_eq!((view.num_pending, view.num_dead), (1, 0));
    run(world, &receiver, 24 * HOUR).await;
    assert_eq!(
        states(world, id).await,
        [DeliveryState::Dead, DeliveryState::Delivered]
    );
    assert_eq!(receiver.take().len(), 11);

    let all = DeliveryFilter::default();
    let webhooks = world.webhooks();
    let page = webhooks
        .deliveries(SYSTEM, id, &all, &everything())
        .await
        .unwrap();
    let dead = webhooks
        .delivery(SYSTEM, id, page.items[0].id)
        .await
        .unwrap();
    assert_eq!((dead.item.num_attempts, dead.attempts.len()), (10, 10));
    assert_eq!(dead.item.last_status, Some(500));
    assert_eq!(dead.attempts[0].error, Some(AttemptError::Status));

    // Days later, a single failure is not the end of the webhook.
    world.wait(24 * 10 * HOUR);
    receiver.answers(Err(AttemptError::Timeout));
    submit(world, form, "{}").await;
    world.webhooks().deliver(&receiver).await.unwrap();
    assert!(
        world
            .webhooks()
            .get(SYSTEM, id)
            .await
            .unwrap()
            .item
            .is_enabled()
    );

    // What is sent again has all attempts again.
    receiver.answers(Ok(status(200)));
    let named = Resend::Deliveries(vec![dead.item.id]);
    webhooks.resend(SYSTEM, id, named).await.unwrap();
    webhooks.deliver(&receiver).await.unwrap();
    let again = webhooks.delivery(SYSTEM, id, dead.item.id).await.unwrap();
    assert_eq!(again.item.num_attempts, 11);
    assert_eq!(again.item.state, DeliveryState::Pending);
}

async fn a_webhook_that_fails_for_long_is_disabled(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    let id = webhook(world, Some(form)).await.id;
    let receiver = Receiver::new();
    receiver.answers(Ok(status(503)));
    submit(world, form, "{}").await;
    run(world, &receiver, 4 * 24 * HOUR).await;
    assert!(
        world
            .webhooks()
            .get(SYSTEM, id)
            .await
            .unwrap()
            .item
            .is_enabled()
    );
    run(world, &receiver, 2 * 24 * HOUR).await;
    let view = world.webhooks().get(SYSTEM, id).await.unwrap();
    assert_eq!(view.item.disabled, Some(DisabledReason::Failing));
    assert_eq!((view.num_pending, view.num_dead), (0, 1));
    let only = EventFilter {
        form: Some(form),
        types: vec![EventType::WebhookDisabled],
    };
    let events = world.events().read(None, &only, 10).await.unwrap().events;
    let data = events[0].data.to_json();
    assert_eq!((events.len(), &data["reason"]), (1, &"failing".into()));
    assert_eq!(data["webhookIdentifier"], id.to_string());
}

async fn a_receiver_that_is_gone_disables_the_webhook(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    let id = webhook(world, Some(form)).await.id;
    let receiver = Receiver::new();
    receiver.answers(Ok(status(410)));
    submit(world, form, "{}").await;
    submit(world, form, "{}").await;
    let claimed = world.webhooks().claim(1).await.unwrap().remove(0);
    let outcome = world.webhooks().attempt(claimed, &receiver).await.unwrap();
    assert_eq!(outcome.given_up, 2);
    let view = world.webhooks().get(SYSTEM, id).await.unwrap();
    assert_eq!(view.item.disabled, Some(DisabledReason::Gone));
    assert_eq!((view.num_pending, view.num_dead), (0, 2));
    assert_eq!(states(world, id).await, [DeliveryState::Dead; 2]);
}

async fn a_webhook_that_fails_backs_off_until_a_success(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    let id = webhook(world, Some(form)).await.id;
    let receiver = Receiver::new();
    receiver.answers(Err(AttemptError::Timeout));
    for _ in 0..20 {
        submit(world, form, "{}").await;
    }
    // After five failures it pauses.
    let deliver = async || world.webhooks().deliver(&receiver).await.unwrap();
    assert_eq!(deliver().await, 5);
    world.wait(Duration::from_secs(29));
    assert_eq!(deliver().await, 0);
    world.wait(Duration::from_secs(1));
    assert_eq!(deliver().await, 1);
    world.wait(Duration::from_secs(59));
    assert_eq!(deliver().await, 0);
    // A new URL is tried at once.
    let url = world
        .webhooks()
        .parse_url("https://example.org/other")
        .unwrap();
    let change = WebhookChange {
        url: Some(url),
        ..WebhookChange::default()
    };
    world.webhooks().update(SYSTEM, id, change).await.unwrap();
    receiver.answers(Ok(status(200)));
    assert_eq!(deliver().await, 20);
}

/// Until when a webhook pauses, in seconds from now.
async fn pause(world: &World, id: WebhookId) -> Option<i64> {
    let webhook = world.webhooks().get(SYSTEM, id).await.unwrap().item;
    let service = world.webhooks();
    let all = everything();
    let listed = service.list(SYSTEM, webhook.form, &all).await.unwrap();
    assert_eq!(listed.items, std::slice::from_ref(&webhook));
    let until = webhook.paused_until?;
    let seconds = |time: Timestamp| time.as_millis() / 1000;
    Some(seconds(until) - seconds(world.clock.now()))
}

/// Four attempts are under way at a time. The others of a burst fail after the fifth one has begun the pause.
async fn a_burst_of_failures_is_one_reason_to_pause(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    // Of webhooks of a form that have never succeeded, two attempts are under way at a time.
    let id = webhook(world, None).await.id;
    let receiver = Receiver::new();
    receiver.answers(Err(AttemptError::Timeout));
    for _ in 0..12 {
        submit(world, form, "{}").await;
    }
    let webhooks = world.webhooks();
    for expected in [None, Some(30)] {
        let claimed = webhooks.claim(12).await.unwrap();
        assert_eq!(claimed.len(), 4);
        // All of them begin before the first one has failed.
        let barrier = tokio::sync::Barrier::new(4);
        let slow = Together(&receiver, &barrier);
        let attempts = claimed.into_iter();
        let attempts = attempts.map(|claimed| webhooks.attempt(claimed, &slow));
        for outcome in futures_util::future::join_all(attempts).await {
            assert!(outcome.unwrap().is_recorded);
        }
        assert_eq!(pause(world, id).await, expected);
    }
    // The pauses that follow double from there.
    let mut waited = 30;
    for expected in [60, 120, 240] {
        world.wait(Duration::from_secs(waited));
        assert_eq!(pause(world, id).await, None);
        let (rotated, _) = webhooks
            .rotate_secret(SYSTEM, id, Duration::ZERO)
            .await
            .unwrap();
        assert_eq!(rotated.item.paused_until, None);
        assert_eq!(webhooks.deliver(&receiver).await.unwrap(), 1);
        assert_eq!(pause(world, id).await, Some(expected));
        waited = expected.unsigned_abs();
    }
}

/// Passes requests on when several have come.
struct Together<'a>(&'a Receiver, &'a tokio::sync::Barrier);

#[async_trait]
impl WebhookTransport for Together<'_> {
    async fn send(&self, request: &WebhookRequest) -> Result<WebhookAnswer, AttemptError> {
        self.1.wait().await;
        self.0.send(request).await
    }
}

async fn a_new_url_gets_everything_that_is_pending(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    let id = webhook(world, Some(form)).await.id;
    let receiver = Receiver::new();
    receiver.answers(Err(AttemptError::Timeout));
    for _ in 0..3 {
        submit(world, form, "{}").await;
    }
    let webhooks = world.webhooks();
    // Each has failed twice, and is due again in a minute.
    assert_eq!(webhooks.deliver(&receiver).await.unwrap(), 3);
    world.wait(Duration::from_secs(10));
    webhooks.deliver(&receiver).await.unwrap();
    let change = WebhookChange {
        url: Some(webhooks.parse_url("https://example.org/other").unwrap()),
        ..WebhookChange::default()
    };
    webhooks.update(SYSTEM, id, change).await.unwrap();
    receiver.answers(Ok(status(200)));
    assert_eq!(webhooks.deliver(&receiver).await.unwrap(), 3);
    let delivered = vec![DeliveryState::Delivered; 3];
    assert_eq!(states(world, id).await, delivered);
}

async fn a_delivery_that_is_asked_for_is_sent_during_a_pause(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    let id = webhook(world, Some(form)).await.id;
    let receiver = Receiver::new();
    receiver.answers(Err(AttemptError::Connect));
    for _ in 0..6 {
        submit(world, form, "{}").await;
    }
    let webhooks = world.webhooks();
    assert_eq!(webhooks.deliver(&receiver).await.unwrap(), 5);
    assert_eq!(pause(world, id).await, Some(30));
    let (all, page) = (DeliveryFilter::default(), everything());
    let page = webhooks.deliveries(SYSTEM, id, &all, &page).await;
    let deliveries = page.unwrap().items;
    let first = deliveries.first().unwrap().id;
    let ask = async || {
        let named = Resend::Deliveries(vec![first]);
        let resent = webhooks.resend(SYSTEM, id, named).await;
        assert_eq!(resent.unwrap().queued, 1);
    };
    // One attempt now, which changes nothing of the pause.
    world.wait(Duration::from_secs(10));
    for number in 2..5 {
        ask().await;
        assert_eq!(webhooks.deliver(&receiver).await.unwrap(), 1);
        let view = webhooks.delivery(SYSTEM, id, first).await.unwrap();
        assert_eq!(view.item.num_attempts, number);
        assert_eq!(view.item.state, DeliveryState::Pending);
        assert_eq!(pause(world, id).await, Some(20));
    }
    world.wait(Duration::from_secs(20));
    assert_eq!(webhooks.deliver(&receiver).await.unwrap(), 1);
    assert_eq!(pause(world, id).await, Some(60));
    // After a success, all that is due goes out.
    receiver.answers(Ok(status(204)));
    ask().await;
    let sent = webhooks.deliver(&receiver).await.unwrap();
    assert!(sent >= 2, "{sent}");
    assert_eq!(pause(world, id).await, None);
    assert_eq!(states(world, id).await[0], DeliveryState::Delivered);
}

async fn a_disabled_webhook_misses_events(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    let id = webhook(world, Some(form)).await.id;
    let set = async |enabled| {
        let change = WebhookChange {
            enabled: Some(enabled),
            ..WebhookChange::default()
        };
        world.webhooks().update(SYSTEM, id, change).await.unwrap()
    };
    submit(world, form, "{}").await;
    let view = set(false).await;
    assert_eq!(view.item.disabled, Some(DisabledReason::Owner));
    submit(world, form, "{}").await;
    let receiver = Receiver::new();
    let since = |all| Resend::Since {
        since: instant(START),
        until: None,
        all,
    };
    assert_eq!(world.webhooks().deliver(&receiver).await.unwrap(), 0);
    fails(
        world.webhooks().resend(SYSTEM, id, since(true)).await,
        "WebhookDisabled",
    );
    set(true).await;
    assert_eq!(world.webhooks().deliver(&receiver).await.unwrap(), 0);
    submit(world, form, "{}").await;
    assert_eq!(world.webhooks().deliver(&receiver).await.unwrap(), 1);
    // What passed it by is still in the log.
    let resent = world
        .webhooks()
        .resend(SYSTEM, id, since(true))
        .await
        .unwrap();
    assert_eq!((resent.queued, resent.has_more), (3, false));
    assert_eq!(world.webhooks().deliver(&receiver).await.unwrap(), 3);
}

async fn deliveries_are_sent_again(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    let id = webhook(world, Some(form)).await.id;
    let receiver = Receiver::new();
    submit(world, form, r#"{"a": 1}"#).await;
    world.webhooks().deliver(&receiver).await.unwrap();
    let first = receiver.take().remove(0);
    let webhooks = world.webhooks();
    let (all, page) = (DeliveryFilter::default(), everything());
    let page = webhooks.deliveries(SYSTEM, id, &all, &page).await;
    let delivery = page.unwrap().items.remove(0).id;
    world.wait(HOUR);
    let named = Resend::Deliveries(vec![delivery, delivery]);
    assert_eq!(
        webhooks
            .resend(SYSTEM, id, named.clone())
            .await
            .unwrap()
            .queued,
        1
    );
    // It is pending now, so that asking again changes nothing.
    assert_eq!(webhooks.resend(SYSTEM, id, named).await.unwrap().queued, 0);
    webhooks.deliver(&receiver).await.unwrap();
    let again = receiver.take().remove(0);
    assert_eq!(again.body, first.body);
    assert_eq!(header(&again, "webhook-id"), header(&first, "webhook-id"));
    assert_ne!(
        header(&again, "webhook-timestamp"),
        header(&first, "webhook-timestamp")
    );
    let view = webhooks.delivery(SYSTEM, id, delivery).await.unwrap();
    assert_eq!((view.item.num_attempts, view.attempts.len()), (2, 2));

    // All dead ones of a period.
    receiver.answers(Ok(status(410)));
    submit(world, form, "{}").await;
    world.wait(HOUR);
    submit(world, form, "{}").await;
    webhooks.deliver(&receiver).await.unwrap();
    let change = WebhookChange {
        enabled: Some(true),
        ..WebhookChange::default()
    };
    webhooks.update(SYSTEM, id, change).await.unwrap();
    receiver.answers(Ok(status(200)));
    let dead = |since: Duration| Resend::Since {
        since: instant(START).saturating_add(since),
        until: None,
        all: false,
    };
    assert_eq!(
        webhooks
            .resend(SYSTEM, id, dead(2 * HOUR))
            .await
            .unwrap()
            .queued,
        1
    );
    assert_eq!(
        webhooks
            .resend(SYSTEM, id, dead(HOUR))
            .await
            .unwrap()
            .queued,
        1
    );
    assert_eq!(webhooks.deliver(&receiver).await.unwrap(), 2);
    let other = Resend::Deliveries(vec![formalize_core::webhooks::DeliveryId::from_uuid(
        uuid::Uuid::nil(),
    )]);
    fails(
        webhooks.resend(SYSTEM, id, other).await,
        "WebhookDeliveryNotFound",
    );
    let none = Resend::Deliveries(Vec::new());
    fails(
        webhooks.resend(SYSTEM, id, none).await,
        "InvalidFields(Webhook([Deliveries]))",
    );
}

async fn a_lease_ends_with_its_time(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    let id = webhook(world, Some(form)).await.id;
    submit(world, form, "{}").await;
    let webhooks = world.webhooks();
    let lost = webhooks.claim(10).await.unwrap().remove(0);
    // Twice the time of a request, and ten seconds.
    world.wait(Duration::from_secs(39));
    assert!(webhooks.claim(10).await.unwrap().is_empty());
    world.wait(Duration::from_secs(1));
    let taken = webhooks.claim(10).await.unwrap().remove(0);
    let receiver = Receiver::new();
    assert!(!webhooks.attempt(lost, &receiver).await.unwrap().is_recorded);
    assert_eq!(states(world, id).await, [DeliveryState::Pending]);
    let outcome = webhooks.attempt(taken, &receiver).await.unwrap();
    assert!(outcome.is_recorded && outcome.label() == "delivered");
    let got = receiver.take();
    assert_eq!(got[0].body, got[1].body);
    assert_eq!(states(world, id).await, [DeliveryState::Delivered]);
}

async fn at_most_four_deliveries_at_a_time(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let (form, other) = (open_form(world).await, open_form(world).await);
    webhook(world, Some(form)).await;
    webhook(world, Some(other)).await;
    let webhooks = world.webhooks();
    // Both have succeeded once.
    for form in [form, other] {
        submit(world, form, "{}").await;
    }
    let receiver = Receiver::new();
    assert_eq!(webhooks.deliver(&receiver).await.unwrap(), 2);
    for _ in 0..6 {
        submit(world, form, "{}").await;
    }
    submit(world, other, "{}").await;
    let claimed = webhooks.claim(3).await.unwrap();
    assert_eq!(claimed.len(), 3);
    let more = webhooks.claim(10).await.unwrap();
    assert_eq!(claimed.len() + more.len(), 5);
    assert!(webhooks.claim(10).await.unwrap().is_empty());
    for delivery in claimed {
        webhooks.attempt(delivery, &receiver).await.unwrap();
    }
    assert!(!webhooks.claim(10).await.unwrap().is_empty());
}

/// 60 webhooks whose receivers never answer take a quarter of the requests, and two of each form. So a webhook that works is
/// sent at once.
async fn receivers_that_never_answer_leave_requests_to_others(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let webhooks = world.webhooks();
    let working = open_form(world).await;
    let id = webhook(world, Some(working)).await.id;
    submit(world, working, "{}").await;
    let receiver = Receiver::new();
    assert_eq!(webhooks.deliver(&receiver).await.unwrap(), 1);
    let mut hanging = Vec::new();
    for _ in 0..6 {
        let form = open_form(world).await;
        for _ in 0..10 {
            webhook(world, Some(form)).await;
        }
        submit(world, form, "{}").await;
        hanging.push(form);
    }
    // A quarter of 32, and at most two of a form; these requests hang.
    let mut claimed = Vec::new();
    loop {
        let more = webhooks.claim(32 - claimed.len()).await.unwrap();
        if more.is_empty() {
            break;
        }
        claimed.extend(more);
    }
    assert_eq!(claimed.len(), 8);
    assert!(webhooks.claim(24).await.unwrap().is_empty());
    submit(world, working, "{}").await;
    let more = webhooks.claim(24).await.unwrap();
    assert_eq!(
        more.iter()
            .map(ClaimedDelivery::webhook)
            .collect::<Vec<_>>(),
        [id]
    );
    // One that ends makes room for another one.
    let failing = Receiver::failing();
    webhooks
        .attempt(claimed.pop().unwrap(), &failing)
        .await
        .unwrap();
    assert_eq!(webhooks.claim(23).await.unwrap().len(), 1);
}

/// A new URL is tried at once, but with one delivery, and if that fails, too, the pause goes on where it was.
async fn a_new_url_does_not_make_a_failing_webhook_fast(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    let made = webhook(world, Some(form)).await;
    let webhooks = world.webhooks();
    let failing = Receiver::failing();
    for _ in 0..8 {
        submit(world, form, "{}").await;
    }
    // Five failures, and a first pause.
    assert!(webhooks.deliver(&failing).await.unwrap() >= 5);
    let paused = async || webhooks.claim(10).await.unwrap().is_empty();
    assert!(paused().await);
    let url = webhooks.parse_url("https://example.org/other").unwrap();
    let change = WebhookChange {
        url: Some(url),
        ..WebhookChange::default()
    };
    webhooks.update(SYSTEM, made.id, change).await.unwrap();
    let claimed = webhooks.claim(10).await.unwrap();
    assert_eq!(claimed.len(), 1, "tried at once is one attempt");
    for claimed in claimed {
        webhooks.attempt(claimed, &failing).await.unwrap();
    }
    assert!(paused().await, "it failed again");
}

async fn a_full_webhook_waits_in_the_log(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    let id = webhook(world, Some(form)).await.id;
    for _ in 0..1_200 {
        submit(world, form, "{}").await;
    }
    let receiver = Receiver::new();
    let webhooks = world.webhooks();
    // It reads on as soon as a tenth is free.
    for (pending, delivered) in [(1_000, 99), (901, 1), (1_000, 1)] {
        for left in (pending - delivered..pending).rev() {
            let claimed = webhooks.claim(1).await.unwrap().remove(0);
            let found = webhooks.get(SYSTEM, id).await.unwrap().num_pending;
            assert_eq!(found, left + 1);
            webhooks.attempt(claimed, &receiver).await.unwrap();
        }
    }
}

async fn a_webhook_queues_what_it_has_room_for(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    let webhooks = world.webhooks();
    let one = webhook(world, Some(form)).await.id;
    for _ in 0..800 {
        submit(world, form, "{}").await;
    }
    webhooks.claim(0).await.unwrap();
    // Both read on from here.
    let other = webhook(world, Some(form)).await.id;
    for _ in 0..300 {
        submit(world, form, "{}").await;
    }
    webhooks.claim(0).await.unwrap();
    for (id, pending) in [(one, 1_000), (other, 300)] {
        let view = webhooks.get(SYSTEM, id).await.unwrap();
        assert_eq!(view.num_pending, pending);
    }
}

async fn secrets_rotate(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    let webhooks = world.webhooks();
    let url = webhooks.parse_url("https://example.org/hook").unwrap();
    let given = WebhookSecret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
    let new = NewWebhook {
        secret: Some(given.clone()),
        ..NewWebhook::of(form, url)
    };
    let (webhook, secret) = webhooks.create(SYSTEM, new).await.unwrap();
    assert_eq!(secret, given);
    let receiver = Receiver::new();
    let signatures = async || {
        submit(world, form, "{}").await;
        webhooks.deliver(&receiver).await.unwrap();
        let got = receiver.take().remove(0);
        header(&got, "webhook-signature").split(' ').count()
    };
    assert_eq!(signatures().await, 1);
    let day = 24 * HOUR;
    let (view, rotated) = webhooks
        .rotate_secret(SYSTEM, webhook.id, day)
        .await
        .unwrap();
    assert!(rotated != given && view.item.revision != webhook.revision);
    assert_eq!(signatures().await, 2);
    // An older secret does not sign any more.
    webhooks
        .rotate_secret(SYSTEM, webhook.id, day)
        .await
        .unwrap();
    assert_eq!(signatures().await, 2);
    world.wait(day);
    assert_eq!(signatures().await, 1);
    webhooks
        .rotate_secret(SYSTEM, webhook.id, Duration::ZERO)
        .await
        .unwrap();
    assert_eq!(signatures().await, 1);
    let long = webhooks.rotate_secret(SYSTEM, webhook.id, 8 * day).await;
    fails(long.map(drop), "InvalidFields(Webhook([OverlapSeconds]))");
}

async fn with_keys(store: &Arc<dyn Store>, keys: &[u8]) -> Formalize {
    let keys = keys.iter().map(|key| [*key; 32]);
    let clock = Arc::new(FixedClock::new(instant(START)));
    let builder = Formalize::builder(Arc::clone(store)).clock(clock);
    builder
        .webhook_secret_keys(SecretKeys::new(keys))
        .build()
        .await
        .unwrap()
}

async fn secrets_are_encrypted_and_moved_to_new_keys(store: Arc<dyn Store>) {
    let readable = with_keys(&store, &[]).await;
    webhook(&readable, None).await;
    fails(
        readable.webhooks().reencrypt(SYSTEM).await,
        "WebhookKeyMissing",
    );
    let old = with_keys(&store, &[1]).await;
    assert_eq!(old.webhooks().reencrypt(SYSTEM).await.unwrap(), 1);
    assert_eq!(old.webhooks().reencrypt(SYSTEM).await.unwrap(), 0);
    let url = old
        .webhooks()
        .parse_url("https://example.org/hook")
        .unwrap();
    let refused = readable
        .webhooks()
        .create(SYSTEM, NewWebhook::of_all_forms(url))
        .await;
    fails(refused.map(drop), "WebhookKeyMissing");

    let both = with_keys(&store, &[2, 1]).await;
    webhook(&both, None).await;
    assert_eq!(both.webhooks().reencrypt(SYSTEM).await.unwrap(), 1);
    let ann = user("ann");
    fails(both.webhooks().reencrypt(&ann).await, "Forbidden");
    fails(old.webhooks().reencrypt(SYSTEM).await, "WebhookKeyMissing");
    // The new key alone suffices.
    let new = with_keys(&store, &[2]).await;
    assert_eq!(new.webhooks().reencrypt(SYSTEM).await.unwrap(), 0);
    let mut tx = store.read().await.unwrap();
    let nil = WebhookId::from_uuid(uuid::Uuid::nil());
    let stored = tx
        .read_webhooks()
        .unwrap()
        .webhook_secrets(nil, 10)
        .await
        .unwrap();
    assert_eq!(stored.len(), 2);
    assert!(
        tx.read_webhooks()
            .unwrap()
            .has_encrypted_secrets()
            .await
            .unwrap()
    );
}

async fn a_form_takes_its_webhooks_along(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    let id = webhook(world, Some(form)).await.id;
    submit(world, form, r#"{"a": 1}"#).await;
    world.forms().delete(SYSTEM, form).await.unwrap();
    fails(world.webhooks().get(SYSTEM, id).await, "WebhookNotFound");
    let page = world
        .webhooks()
        .list(SYSTEM, None, &everything())
        .await
        .unwrap();
    assert_eq!(page.items, []);
    let receiver = Receiver::new();
    world.webhooks().deliver(&receiver).await.unwrap();
    let bodies = receiver.bodies();
    assert_eq!(
        bodies[0]["data"]["submission"]["dataFeedElement"],
        r#"{"a": 1}"#
    );
    assert_eq!(
        (bodies.len(), &bodies[1]["type"]),
        (2, &"form.deleted".into())
    );

    let nil = WebhookId::from_uuid(uuid::Uuid::nil());
    let left = async || {
        world.maintain().await.unwrap();
        let mut tx = world.store().read().await.unwrap();
        tx.read_webhooks()
            .unwrap()
            .webhook_secrets(nil, 10)
            .await
            .unwrap()
            .len()
    };
    world.wait(23 * HOUR);
    assert_eq!(left().await, 1);
    world.wait(HOUR);
    assert_eq!(left().await, 0);
}

async fn only_managers_see_webhooks(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let (form, other) = (open_form(world).await, open_form(world).await);
    for managed in [form, other] {
        let resource = ResourceRef::form(managed);
        world.grant_to("ann", &Action::MANAGE, &resource).await;
    }
    world
        .grant_to("bob", &Action::READ, &ResourceRef::form(form))
        .await;
    webhook(world, None).await;
    let mut ids = Vec::new();
    for of in [form, other, form] {
        ids.push(webhook(world, Some(of)).await.id);
    }
    let list = async |who: &Caller, form| {
        let page = world
            .webhooks()
            .list(who, form, &everything())
            .await
            .unwrap();
        page.items.iter().map(|item| item.id).collect::<Vec<_>>()
    };
    let (ann, bob) = (&user("ann"), &user("bob"));
    assert_eq!(list(ann, None).await, ids);
    assert_eq!(list(ann, Some(form)).await, [ids[0], ids[2]]);
    assert_eq!(list(SYSTEM, None).await.len(), 4);
    assert_eq!(list(SYSTEM, Some(other)).await, [ids[1]]);
    assert_eq!(list(bob, None).await, []);
    assert_eq!(list(bob, Some(form)).await, []);
    fails(world.webhooks().get(bob, ids[0]).await, "Forbidden");
    let first = world.webhooks().list(ann, None, &page_of(1)).await.unwrap();
    assert_eq!((first.items.len(), first.next.is_some()), (1, true));
}

async fn values_are_checked(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    let webhooks = world.webhooks();
    assert!(webhooks.parse_url("https://127.0.0.1/").is_err());
    let url = || webhooks.parse_url("https://example.org/hook").unwrap();
    let new = NewWebhook {
        event_types: Some(WebhookEvents::new([EventType::GroupCreated]).unwrap()),
        ..NewWebhook::of(form, url())
    };
    let refused = webhooks.create(SYSTEM, new).await;
    assert!(
        matches!(refused, Err(Error::InvalidFields(InvalidFields::Webhook(at))) if at == [Field::EventTypes])
    );
    // The URL was allowed by other targets.
    let intranet =
        formalize_core::webhooks::AllowedTargets::new(vec!["10.0.0.0/8".parse().unwrap()]);
    let inner =
        formalize_core::webhooks::WebhookUrl::parse("https://10.1.1.1/", &intranet).unwrap();
    let refused = webhooks.create(SYSTEM, NewWebhook::of(form, inner)).await;
    fails(refused.map(drop), "InvalidFields(Webhook([Url]))");
    let missing = FormId::from_uuid(uuid::Uuid::nil());
    let refused = webhooks
        .create(SYSTEM, NewWebhook::of(missing, url()))
        .await;
    fails(refused.map(drop), "FormNotFound");

    for _ in 0..MAX_WEBHOOKS {
        webhook(world, Some(form)).await;
    }
    let refused = webhooks.create(SYSTEM, NewWebhook::of(form, url())).await;
    fails(refused.map(drop), "WebhookLimitReached");
    let reserved = world.events().subscription("webhook:mine");
    assert!(reserved.is_err());
    let page = webhooks
        .list(SYSTEM, Some(form), &everything())
        .await
        .unwrap();
    let first = &page.items[0];
    let outdated = first.id.at(page.items[1].revision);
    fails(webhooks.delete(SYSTEM, outdated).await, "RevisionMismatch");
    webhooks
        .delete(SYSTEM, first.id.at(first.revision))
        .await
        .unwrap();
    fails(webhooks.get(SYSTEM, first.id).await, "WebhookNotFound");
    assert_eq!(world.events().subscriptions().await.unwrap().len(), 19);
}

async fn a_test_counts_for_nothing(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    let id = webhook(world, Some(form)).await.id;
    let receiver = Receiver::new();
    let outcome = world.webhooks().test(SYSTEM, id, &receiver).await.unwrap();
    assert_eq!((outcome.status, outcome.error), (Some(204), None));
    let got = receiver.take().remove(0);
    assert!(
        got.body
            .contains(r#""sequence":null,"type":"webhook.test""#)
    );
    assert!(header(&got, "webhook-signature").starts_with("v1,"));
    // A refused test does not make the wait longer.
    for pause in [3, 2] {
        fails(
            world.webhooks().test(SYSTEM, id, &receiver).await,
            "WebhookTestedRecently",
        );
        world.wait(Duration::from_secs(pause));
    }
    receiver.answers(Ok(status(302)));
    let outcome = world.webhooks().test(SYSTEM, id, &receiver).await.unwrap();
    assert_eq!(
        (outcome.status, outcome.error),
        (Some(302), Some(AttemptError::Status))
    );
    let view = world.webhooks().get(SYSTEM, id).await.unwrap();
    assert_eq!(view.item.date_last_failure, None);
    assert_eq!(states(world, id).await, []);
}

async fn maintenance_deletes_what_is_old(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    let id = webhook(world, Some(form)).await.id;
    let receiver = Receiver::new();
    let submission = submit(world, form, "{}").await;
    world
        .submissions()
        .delete(SYSTEM, submission)
        .await
        .unwrap();
    // The deliveries are not made yet, so the data is still needed.
    assert_eq!(world.maintain().await.unwrap().data, 0);
    world.webhooks().deliver(&receiver).await.unwrap();
    let body = receiver.bodies().remove(0);
    assert_eq!(body["data"]["submission"]["dataFeedElement"], "{}");
    let maintained = world.maintain().await.unwrap();
    assert_eq!(
        (maintained.data, maintained.deliveries, maintained.attempts),
        (1, 0, 0)
    );

    // A dead delivery stays as long as its event, and what succeeded for a week, with its attempts.
    receiver.answers(Ok(status(410)));
    world.wait(24 * HOUR);
    submit(world, form, "{}").await;
    world.webhooks().deliver(&receiver).await.unwrap();
    world.wait(6 * 24 * HOUR + HOUR);
    let maintained = world.maintain().await.unwrap();
    assert_eq!((maintained.deliveries, maintained.attempts), (2, 0));
    assert_eq!(states(world, id).await, [DeliveryState::Dead]);
    world.wait(24 * HOUR);
    world.maintain().await.unwrap();
    assert_eq!(states(world, id).await, []);
    // The other attempts were deleted with their deliveries.
    let deleted = world.statistics().maintenance;
    assert_eq!(
        (deleted.events, deleted.deliveries, deleted.attempts),
        (5, 2, 1)
    );
    assert_eq!((deleted.data, deleted.kept_responses), (1, 0));
}

async fn pending_deliveries_are_counted(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world).await;
    webhook(world, Some(form)).await;
    let receiver = Receiver::new();
    receiver.answers(Err(AttemptError::Connect));
    for _ in 0..2 {
        submit(world, form, "{}").await;
        world.webhooks().deliver(&receiver).await.unwrap();
        world.wait(HOUR);
    }
    let counted = async || {
        world.maintain().await.unwrap();
        let deliveries = world.statistics().deliveries;
        (deliveries.pending, deliveries.oldest_pending)
    };
    assert_eq!(counted().await, (2, 2 * HOUR));
    receiver.answers(Ok(status(204)));
    run(world, &receiver, 2 * HOUR).await;
    assert_eq!(counted().await, (0, Duration::ZERO));
}
