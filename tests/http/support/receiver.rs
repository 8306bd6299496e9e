use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use formalize_core::webhooks::{AttemptError, WebhookAnswer, WebhookRequest, WebhookTransport};
use serde_json::Value;

use super::App;

/// A receiver of webhooks that gives the same response to every request, and is gone at URLs that end with `gone`.
pub(crate) struct Receiver {
    answer: Result<u16, AttemptError>,
    requests: Mutex<Vec<WebhookRequest>>,
}

impl Receiver {
    pub(crate) fn new(answer: Result<u16, AttemptError>) -> Arc<Self> {
        let requests = Mutex::default();
        Arc::new(Self { answer, requests })
    }

    /// Takes what is due.
    pub(crate) async fn take(&self, app: &App) {
        app.formalize.webhooks().deliver(self).await.unwrap();
    }

    pub(crate) fn requests(&self) -> MutexGuard<'_, Vec<WebhookRequest>> {
        self.requests.lock().unwrap()
    }

    pub(crate) fn bodies(&self) -> Vec<Value> {
        let requests = self.requests();
        let bodies = requests.iter().map(|sent| serde_json::from_str(&sent.body));
        bodies.map(Result::unwrap).collect()
    }

    /// The number of signatures of the last request.
    pub(crate) fn signatures(&self) -> usize {
        let requests = self.requests();
        let mut headers = requests.last().unwrap().headers.iter();
        let signature = headers.find(|(name, _)| *name == "webhook-signature");
        signature.unwrap().1.split(' ').count()
    }
}

#[async_trait]
impl WebhookTransport for Receiver {
    async fn send(&self, request: &WebhookRequest) -> Result<WebhookAnswer, AttemptError> {
        self.requests().push(request.clone());
        let answer = if request.url.as_str().ends_with("gone") {
            Ok(410)
        } else {
            self.answer
        };
        answer.map(|status| WebhookAnswer {
            status,
            retry_after: None,
        })
    }
}
