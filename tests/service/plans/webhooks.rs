//! Sends every statement about webhooks.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use formalize_core::{
    Action, Caller, Change, Formalize, PageRequest, PageSize, Position, ResourceRef,
    SubmissionChange, SubmissionRules, SubmissionState,
    events::EventType,
    forms::SubmittedAction,
    webhooks::{
        AttemptError, DeliveryFilter, DeliveryState, NewWebhook, Resend, SecretKeys, WebhookAnswer,
        WebhookChange, WebhookId, WebhookRequest, WebhookTransport,
    },
};
use formalize_tests::world::{START, World, everything, instant, new_submission, user, user_with};

use super::Ledger;

const SYSTEM: &Caller = &Caller::System;

/// A receiver that answers every request with this status.
struct Answering(u16);

#[async_trait]
impl WebhookTransport for Answering {
    async fn send(&self, _: &WebhookRequest) -> Result<WebhookAnswer, AttemptError> {
        Ok(WebhookAnswer {
            status: self.0,
            retry_after: None,
        })
    }
}

pub(super) async fn all(ledger: &mut Ledger) {
    let world = &ledger.world;
    let rules = SubmissionRules {
        allowed_actions_when_submitted: SubmittedAction::ALL.iter().copied().collect(),
        ..SubmissionRules::default()
    };
    let form = world.form(rules).await;
    let resource = ResourceRef::form(form);
    world.grant_to("ann", &Action::MANAGE, &resource).await;
    ledger.take_plans("prepare a form with webhooks");

    let webhooks = ledger.world.webhooks();
    let url = webhooks.parse_url("https://example.org/hook").unwrap();
    let of_all = webhooks
        .create(SYSTEM, NewWebhook::of_all_forms(url.clone()))
        .await;
    let of_all = of_all.unwrap().0.id;
    let created = webhooks.create(SYSTEM, NewWebhook::of(form, url)).await;
    let id = created.unwrap().0.id;
    let manager = user_with("eve", "role", "manager of everything");
    for caller in [SYSTEM, &user("ann"), &user("bob"), &manager] {
        for of in [None, Some(form)] {
            webhooks.list(caller, of, &everything()).await.unwrap();
        }
    }
    webhooks.get(SYSTEM, id).await.unwrap();
    webhooks
        .rotate_secret(SYSTEM, id, Duration::from_mins(1))
        .await
        .unwrap();
    for enabled in [false, true] {
        enable(&ledger.world, id, enabled).await;
    }
    ledger.take_plans("manage webhooks");
    send(ledger, form, id).await;

    let keys = SecretKeys::new([[1; 32]]);
    let builder = Formalize::builder(Arc::new(ledger.store.clone()));
    let encrypting = builder.webhook_secret_keys(keys).build().await.unwrap();
    encrypting.webhooks().reencrypt(SYSTEM).await.unwrap();
    ledger.take_plans("encrypt the secrets of webhooks");

    let world = &ledger.world;
    world.webhooks().delete(SYSTEM, of_all).await.unwrap();
    world.forms().delete(SYSTEM, form).await.unwrap();
    world.wait(Duration::from_hours(24 * 8));
    world.maintain().await.unwrap();
    ledger.take_plans("delete ended sessions, webhooks and what is old");
}

async fn enable(world: &World, id: WebhookId, enabled: bool) {
    let change = WebhookChange {
        enabled: Some(enabled),
        ..WebhookChange::default()
    };
    update(world, id, change).await;
}

async fn update(world: &World, id: WebhookId, change: WebhookChange) {
    let changed = world.webhooks().update(SYSTEM, id, change).await;
    changed.unwrap();
}

/// Lists deliveries in every way.
async fn deliveries(world: &World, id: WebhookId) {
    let webhooks = world.webhooks();
    let states = [None, Some(DeliveryState::Delivered)];
    let kinds = states.into_iter().flat_map(|state| {
        let types = [None, Some(EventType::SubmissionSubmitted)];
        types.map(|event_type| (state, event_type)).into_iter()
    });
    for (state, event_type) in kinds {
        for newest_first in [false, true] {
            let filter = DeliveryFilter {
                state,
                event_type,
                newest_first,
            };
            let mut request = PageRequest {
                size: PageSize::new(1).unwrap(),
                ..PageRequest::default()
            };
            let page = webhooks.deliveries(SYSTEM, id, &filter, &request).await;
            if let Some(next) = page.unwrap().next {
                request.position = Position::Cursor(next);
                let page = webhooks.deliveries(SYSTEM, id, &filter, &request).await;
                assert_eq!(page.unwrap().items.len(), 1);
            }
        }
    }
}

/// Sends events of a form, and sends them again.
async fn send(ledger: &mut Ledger, form: formalize_core::FormId, id: WebhookId) {
    let world = &ledger.world;
    let webhooks = world.webhooks();
    let new = new_submission(form, "{}", SubmissionState::Submitted);
    let submission = world
        .submissions()
        .create(SYSTEM, new)
        .await
        .unwrap()
        .item
        .id;
    let change = SubmissionChange {
        data: Change::Set("{}".to_owned()),
        ..SubmissionChange::default()
    };
    world
        .submissions()
        .update(SYSTEM, submission, change)
        .await
        .unwrap();
    world
        .submissions()
        .delete(SYSTEM, submission)
        .await
        .unwrap();
    webhooks.deliver(&Answering(500)).await.unwrap();
    world.wait(Duration::from_hours(1));
    webhooks.deliver(&Answering(204)).await.unwrap();
    let filter = DeliveryFilter {
        state: Some(DeliveryState::Delivered),
        event_type: Some(EventType::SubmissionSubmitted),
        ..DeliveryFilter::default()
    };
    deliveries(world, id).await;
    let page = webhooks
        .deliveries(SYSTEM, id, &filter, &everything())
        .await;
    let delivery = page.unwrap().items[0].id;
    // More attempts than are kept.
    for _ in 0..21 {
        let named = Resend::Deliveries(vec![delivery]);
        webhooks.resend(SYSTEM, id, named).await.unwrap();
        webhooks.deliver(&Answering(204)).await.unwrap();
    }
    assert_eq!(
        webhooks
            .delivery(SYSTEM, id, delivery)
            .await
            .unwrap()
            .attempts
            .len(),
        20
    );
    let new = new_submission(form, "{}", SubmissionState::Submitted);
    world.submissions().create(SYSTEM, new).await.unwrap();
    webhooks.deliver(&Answering(500)).await.unwrap();
    // What waits is sent to a new URL at once. Disabling a webhook gives it up.
    let change = WebhookChange {
        url: Some(webhooks.parse_url("https://example.org/other").unwrap()),
        ..WebhookChange::default()
    };
    update(world, id, change).await;
    for enabled in [false, true] {
        enable(world, id, enabled).await;
    }
    for all in [false, true] {
        let since = Resend::Since {
            since: instant(START),
            until: None,
            all,
        };
        webhooks.resend(SYSTEM, id, since).await.unwrap();
    }
    webhooks.deliver(&Answering(204)).await.unwrap();
    let event = webhooks
        .delivery(SYSTEM, id, delivery)
        .await
        .unwrap()
        .item
        .event;
    let mut tx = world.store().read().await.unwrap();
    assert!(
        tx.read_webhooks()
            .unwrap()
            .frozen(event)
            .await
            .unwrap()
            .is_some()
    );
    drop(tx);
    ledger.take_plans("send to webhooks");
}
