//! A receiver of webhooks that is away for days, over real connections and on a clock of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use formalize_core::{
    Caller, Change, Clock, FixedClock, FormId, Formalize, Store, SubmissionChange, SubmissionId,
    SubmissionRules, SubmissionState,
    forms::SubmittedAction,
    webhooks::{AllowedTargets, DeliveryFilter, DeliveryState, NewWebhook},
};
use formalize_tests::on_every_store;
use formalize_tests::receiver::WebhookReceiver;
use formalize_tests::world::{START, everything, instant, new_form, new_submission};
use formalize_webhook_sender::Sender;
use poem::Request;
use poem::endpoint::make;
use poem::http::StatusCode;
use serde_json::Value;

on_every_store![a_receiver_that_was_away_for_three_days_gets_everything_once];

const SYSTEM: &Caller = &Caller::System;
const DAY: Duration = Duration::from_hours(24);

/// An address that other programs on the machine do not use, so that the port stays free while the receiver is away.
const ADDRESS: &str = "127.0.0.3";

/// The requests that were received: `webhook-id` and body.
type Received = Arc<Mutex<Vec<(String, Value)>>>;

/// Starts a receiver.
async fn receiver(address: &str, received: &Received) -> WebhookReceiver {
    let received = Arc::clone(received);
    let endpoint = make(move |mut request: Request| {
        let received = Arc::clone(&received);
        async move {
            let id = request.header("webhook-id").unwrap().to_owned();
            let body = request.take_body().into_json().await?;
            received.lock().unwrap().push((id, body));
            Ok::<_, poem::Error>(StatusCode::NO_CONTENT)
        }
    });
    WebhookReceiver::start(address, endpoint).await.unwrap()
}

/// A service on a clock that is moved, and what sends its webhooks.
struct Running {
    formalize: Formalize,
    clock: Arc<FixedClock>,
    sender: Sender,
}

impl Running {
    async fn on(store: Arc<dyn Store>) -> Self {
        let clock = Arc::new(FixedClock::new(instant(START)));
        let allowed = AllowedTargets::new(vec![ADDRESS.parse().unwrap()]);
        let formalize = Formalize::builder(store)
            .clock(Arc::clone(&clock) as _)
            .webhook_allowed_targets(allowed.clone())
            .build();
        Self {
            formalize: formalize.await.unwrap(),
            clock,
            sender: Sender::new(allowed, None),
        }
    }

    /// Delivers for a period, looking every quarter of an hour.
    async fn run(&self, period: Duration) {
        let end = self.clock.now().saturating_add(period);
        while self.clock.now() < end {
            let webhooks = self.formalize.webhooks();
            webhooks.deliver(&self.sender).await.unwrap();
            let next = self.clock.now().saturating_add(Duration::from_mins(15));
            self.clock.set(next);
        }
    }

    async fn submit(&self, form: FormId) -> SubmissionId {
        let new = new_submission(form, "{}", SubmissionState::Submitted);
        let submissions = self.formalize.submissions();
        submissions.create(SYSTEM, new).await.unwrap().item.id
    }

    async fn change(&self, id: SubmissionId, day: u32) {
        let change = SubmissionChange {
            data: Change::Set(format!(r#"{{"day": {day}}}"#)),
            ..SubmissionChange::default()
        };
        let submissions = self.formalize.submissions();
        submissions.update(SYSTEM, id, change).await.unwrap();
    }
}

async fn a_receiver_that_was_away_for_three_days_gets_everything_once(store: Arc<dyn Store>) {
    let running = Running::on(store).await;
    let rules = SubmissionRules {
        allowed_actions_when_submitted: SubmittedAction::ALL.iter().copied().collect(),
        ..SubmissionRules::default()
    };
    let forms = running.formalize.forms();
    let form = forms.create(SYSTEM, new_form("Workshop", rules)).await;
    let form = form.unwrap().item.id;
    let address = TcpListener::bind((ADDRESS, 0)).unwrap().local_addr();
    let address = address.unwrap().to_string();
    let webhooks = running.formalize.webhooks();
    let url = webhooks.parse_url(&format!("http://{address}/")).unwrap();
    let new = NewWebhook::of(form, url);
    let webhook = webhooks.create(SYSTEM, new).await.unwrap().0.id;

    let mut submissions = Vec::new();
    for day in 0..3 {
        submissions.push(running.submit(form).await);
        for id in &submissions {
            running.change(*id, day).await;
        }
        running.run(DAY).await;
    }
    let requests = Received::default();
    let _receiver = receiver(&address, &requests).await;
    running.run(DAY).await;

    let (all, page) = (DeliveryFilter::default(), everything());
    let deliveries = webhooks.deliveries(SYSTEM, webhook, &all, &page).await;
    let deliveries = deliveries.unwrap().items;
    assert_eq!(deliveries.len(), 9);
    for delivery in &deliveries {
        assert_eq!(delivery.state, DeliveryState::Delivered, "{delivery:?}");
    }
    // The first one was tried while the receiver was away.
    assert!(deliveries.iter().any(|it| it.num_attempts > 1));
    let requests = requests.lock().unwrap();
    let ids: BTreeSet<&str> = requests.iter().map(|(id, _)| id.as_str()).collect();
    let expected: Vec<String> = deliveries.iter().map(|it| it.event.to_string()).collect();
    assert_eq!(ids, expected.iter().map(String::as_str).collect());
    assert_eq!(requests.len(), 9, "each event is sent once");
    let mut sequences: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for (id, body) in &*requests {
        assert_eq!(body["identifier"].as_str(), Some(id.as_str()));
        let submission = body["data"]["submissionIdentifier"].to_string();
        let sequence = body["sequence"].as_i64().unwrap();
        sequences.entry(submission).or_default().push(sequence);
    }
    assert_eq!(sequences.len(), 3);
    for sequences in sequences.values() {
        assert!(sequences.is_sorted(), "{sequences:?}");
    }
}
