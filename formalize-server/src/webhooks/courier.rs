//! What is sent, and what comes back.

use std::time::Duration;

use async_trait::async_trait;
use formalize_core::WebhookUrl;
use uuid::Uuid;

/// The identifier of a webhook.
pub type WebhookId = Uuid;

/// Why there is no response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptError {
    /// The name of the host could not be resolved.
    Dns,
    /// The host has an address that is not allowed.
    TargetRefused,
    /// No connection could be made.
    Connect,
    /// TLS failed.
    Tls,
    /// There was no response in time.
    Timeout,
    /// The response was not HTTP.
    Protocol,
}

/// A request to send to a receiver, with `POST`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookRequest {
    /// The webhook, to which the connection belongs.
    pub webhook: WebhookId,
    /// The URL.
    pub url: WebhookUrl,
    /// The headers, with names in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: String,
    /// The time until the head of the response must be received, including connecting.
    pub timeout: Duration,
}

impl WebhookRequest {
    /// A request.
    pub fn new(
        webhook: WebhookId,
        url: WebhookUrl,
        headers: Vec<(&'static str, String)>,
        body: String,
        timeout: Duration,
    ) -> Self {
        Self {
            webhook,
            url,
            headers,
            body,
            timeout,
        }
    }
}

/// The head of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WebhookAnswer {
    /// The status.
    pub status: u16,
    /// The time that the receiver asks to wait.
    pub retry_after: Option<Duration>,
}

/// Sends requests to receivers.
#[async_trait]
pub trait Courier: Send + Sync {
    /// Sends a request, and returns the head of the response.
    ///
    /// # Errors
    ///
    /// The reason why there was no response.
    async fn send(&self, request: &WebhookRequest) -> Result<WebhookAnswer, AttemptError>;
}
