//! A transport for services that do not send webhooks.

use async_trait::async_trait;
use formalize_core::webhooks::{AttemptError, WebhookAnswer, WebhookRequest, WebhookTransport};

/// Sends nothing: every attempt fails as if there was no network.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoWebhookTransport;

#[async_trait]
impl WebhookTransport for NoWebhookTransport {
    async fn send(&self, _request: &WebhookRequest) -> Result<WebhookAnswer, AttemptError> {
        Err(AttemptError::Connect)
    }
}
