//! Deliveries of webhooks by several servers.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use formalize_core::{
    SubmissionState,
    webhooks::{AttemptError, NewWebhook, WebhookAnswer, WebhookRequest, WebhookTransport},
};
use formalize_tests::on_every_database;
use formalize_tests::stores::Database;
use formalize_tests::world::new_submission;

use super::{SYSTEM, Servers, any_state, open_form};

on_every_database! {
    servers_never_make_the_same_attempt,
}

const SUBMISSIONS: usize = 40;

/// A receiver that takes a moment, so that attempts of the servers overlap.
#[derive(Default)]
struct Receiver(Mutex<Vec<String>>);

#[async_trait]
impl WebhookTransport for Receiver {
    async fn send(&self, request: &WebhookRequest) -> Result<WebhookAnswer, AttemptError> {
        let id = request.headers.iter().find(|(of, _)| *of == "webhook-id");
        self.0.lock().unwrap().push(id.unwrap().1.clone());
        tokio::time::sleep(Duration::from_millis(2)).await;
        Ok(WebhookAnswer {
            status: 204,
            retry_after: None,
        })
    }
}

async fn servers_never_make_the_same_attempt(database: &Database) {
    let servers = Servers::on(database).await;
    let world = servers.one();
    let form = open_form(world, any_state()).await;
    let webhooks = world.webhooks();
    let url = webhooks.parse_url("https://example.org/hook").unwrap();
    let new = NewWebhook::of(form, url);
    webhooks.create(SYSTEM, new).await.unwrap();
    for _ in 0..SUBMISSIONS {
        let new = new_submission(form, "{}", SubmissionState::Submitted);
        world.submissions().create(SYSTEM, new).await.unwrap();
    }
    let receiver = Arc::new(Receiver::default());
    let delivered = servers
        .race(4, |_, server| {
            let receiver = Arc::clone(&receiver);
            async move {
                let mut delivered = 0;
                loop {
                    // Others may have the deliveries that are due.
                    let attempts = server.webhooks().deliver(&*receiver).await.unwrap();
                    delivered += attempts;
                    if receiver.0.lock().unwrap().len() >= SUBMISSIONS {
                        return delivered;
                    }
                }
            }
        })
        .await;
    let attempted = receiver.0.lock().unwrap();
    let distinct: BTreeSet<&String> = attempted.iter().collect();
    assert_eq!(
        (attempted.len(), distinct.len()),
        (SUBMISSIONS, SUBMISSIONS)
    );
    let attempts: u64 = delivered.iter().sum();
    assert_eq!(usize::try_from(attempts).unwrap(), SUBMISSIONS);
}
