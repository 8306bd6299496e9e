//! One request to a receiver, and how the library has it sent.

use std::time::Duration;

use async_trait::async_trait;

use crate::id::WebhookId;
use crate::model::target::WebhookUrl;
use crate::model::webhook::words;

words! {
    /// Why an attempt failed.
    AttemptError {
        /// The name of the host could not be resolved.
        Dns = "dns",
        /// The host has an address that is not allowed.
        TargetRefused = "target-refused",
        /// No connection could be made.
        Connect = "connect",
        /// TLS failed.
        Tls = "tls",
        /// There was no response in time.
        Timeout = "timeout",
        /// The response was not HTTP.
        Protocol = "protocol",
        /// The response had a status other than 2xx.
        Status = "status",
    }
}

/// A request to send to a receiver, with `POST`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WebhookRequest {
    /// The webhook. Do not share connections between webhooks.
    pub webhook: WebhookId,
    /// The URL.
    pub url: WebhookUrl,
    /// The headers, with names in lower case. The sender adds `user-agent`, and what HTTP requires.
    pub headers: Vec<(&'static str, String)>,
    /// The body. It must be sent exactly as it is, because it is signed.
    pub body: String,
    /// The time until the head of the response must be received, including connecting.
    pub timeout: Duration,
}

impl WebhookRequest {
    /// A request, for tests of an implementation of [`Courier`].
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
    /// The time that the receiver asks to wait, from the header `Retry-After`.
    pub retry_after: Option<Duration>,
}

/// Sends requests to receivers. The library does not use HTTP; a program that delivers webhooks implements this.
///
/// An implementation must follow no redirects, must refuse hosts with addresses that
/// [`AllowedTargets`](crate::AllowedTargets) does not allow, and must end within the time of the request.
#[async_trait]
pub trait Courier: Send + Sync {
    /// Sends a request, and returns the head of the response.
    ///
    /// # Errors
    ///
    /// The reason why there was no response. [`AttemptError::Status`] is for the library, which judges the status.
    async fn send(&self, request: &WebhookRequest) -> Result<WebhookAnswer, AttemptError>;
}
