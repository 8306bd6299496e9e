//! How the library has requests sent.

use async_trait::async_trait;

use crate::model::webhook::{AttemptError, WebhookAnswer, WebhookRequest};

/// Sends requests to receivers. The library does not use HTTP; a program that delivers webhooks implements this.
///
/// An implementation must follow no redirects, must refuse hosts with addresses that
/// [`AllowedTargets`](crate::webhooks::AllowedTargets) does not allow, and must end within the time of the request.
#[async_trait]
pub trait WebhookTransport: Send + Sync {
    /// Sends a request, and returns the head of the response.
    ///
    /// # Errors
    ///
    /// The reason why there was no response. [`AttemptError::Status`] is for the library, which judges the status.
    async fn send(&self, request: &WebhookRequest) -> Result<WebhookAnswer, AttemptError>;
}
