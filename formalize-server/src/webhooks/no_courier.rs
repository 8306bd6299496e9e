//! A courier for services that do not send webhooks.

use async_trait::async_trait;
use formalize_core::{AttemptError, Courier, WebhookAnswer, WebhookRequest};

/// Sends nothing: every attempt fails as if there was no network.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoCourier;

#[async_trait]
impl Courier for NoCourier {
    async fn send(&self, _request: &WebhookRequest) -> Result<WebhookAnswer, AttemptError> {
        Err(AttemptError::Connect)
    }
}
