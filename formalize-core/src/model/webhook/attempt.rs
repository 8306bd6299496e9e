//! One request to a receiver.

use std::time::Duration;

use crate::id::WebhookId;
use crate::model::target::WebhookUrl;

/// The text is not the name of a state, a payload, a reason or an error of webhooks and their deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("unknown word; see the documentation of webhooks for the possible values")]
pub struct UnknownDeliveryWord;

words! {
    /// Why an attempt failed.
    AttemptError or UnknownDeliveryWord {
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
    /// A request, for tests of an implementation of [`WebhookTransport`](crate::webhooks::WebhookTransport).
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
