//! Sends one request of a webhook.

use std::{error::Error as _, io, sync::Arc, time::Duration};

use async_trait::async_trait;
use formalize_core::{
    Clock, SystemClock,
    config::EgressProxy,
    webhooks::{
        AllowedTargets, AttemptError, WebhookAnswer, WebhookId, WebhookRequest, WebhookTransport,
    },
};
use http_body_util::{BodyExt, Full};
use hyper::{
    Request, Response, Uri,
    body::{Bytes, Incoming},
    header,
};
use rustls::ClientConfig;
use rustls_platform_verifier::ConfigVerifierExt;
use tokio::time::timeout;

use crate::{
    chain,
    connection::{Connection, Connector, authority, failed},
    kept::{KEEP, KeptConnections},
    resolver::{Resolve, SystemResolver},
    retry_after, use_ring,
};

const USER_AGENT: &str = concat!("formalize/", env!("CARGO_PKG_VERSION"));

/// How much of a response's body is read, so that the connection can be kept.
const MOST_BODY_BYTES: usize = 64 * 1024;

/// How long the body of a response is read.
const BODY_TIMEOUT: Duration = Duration::from_secs(1);

/// Sends the requests of webhooks, to allowed targets only.
pub struct Sender {
    connector: Connector,
    kept: KeptConnections,
}

impl Sender {
    /// Creates a sender. On a machine without trusted root certificates, it sends to `http://` URLs only.
    pub fn new(allowed: AllowedTargets, proxy: Option<EgressProxy>) -> Self {
        use_ring();
        let tls = ClientConfig::with_platform_verifier().map(Arc::new);
        let connector = Connector {
            allowed,
            resolver: Arc::new(SystemResolver),
            proxy,
            tls: tls
                .inspect_err(
                    |error| tracing::warn!(%error, "webhooks cannot be sent to https:// URLs"),
                )
                .ok(),
        };
        Self {
            connector,
            kept: KeptConnections::new(KEEP),
        }
    }

    /// Uses another resolver.
    #[must_use]
    pub fn resolver(mut self, resolver: Arc<dyn Resolve>) -> Self {
        self.connector.resolver = resolver;
        self
    }

    #[cfg(test)]
    pub(crate) fn keep_for(mut self, keep: Duration) -> Self {
        self.kept = KeptConnections::new(keep);
        self
    }

    /// Closes connections that were kept for too long. Call this about once a second.
    pub fn close_idle(&self) {
        self.kept.close_idle();
    }

    /// Sends a request, on a kept connection if there is one.
    async fn attempt(
        &self,
        request: &WebhookRequest,
    ) -> Result<(Response<Incoming>, Connection), AttemptError> {
        let webhook = request.webhook;
        let failed = |cause| failed(webhook, AttemptError::Protocol, cause);
        let message = message(request).ok_or_else(|| failed("the URL cannot be sent"))?;
        let message = match self.kept.take(webhook, &authority(&request.url)) {
            Some(connection) => match post(webhook, connection, message).await {
                Ok(sent) => return Ok(sent),
                // The receiver closed the connection before the request was written.
                Err(SendError::Unused(message)) => *message,
                Err(SendError::Failed(error)) => return Err(error),
            },
            None => message,
        };
        let connection = self.connector.open(webhook, &request.url).await?;
        post(webhook, connection, message)
            .await
            .map_err(|unsent| match unsent {
                SendError::Unused(_) => failed(
                    "the receiver closed the new connection, or sent something before the request",
                ),
                SendError::Failed(error) => error,
            })
    }
}

#[async_trait]
impl WebhookTransport for Sender {
    async fn send(&self, request: &WebhookRequest) -> Result<WebhookAnswer, AttemptError> {
        let attempted = timeout(request.timeout, self.attempt(request)).await;
        let (response, connection) = attempted.unwrap_or(Err(AttemptError::Timeout))?;
        let retry_after = response.headers().get(header::RETRY_AFTER);
        let retry_after = retry_after.and_then(|value| value.to_str().ok());
        let answer = WebhookAnswer {
            status: response.status().as_u16(),
            retry_after: retry_after.and_then(|text| retry_after::parse(text, SystemClock.now())),
        };
        let was_read = timeout(BODY_TIMEOUT, discard(response.into_body())).await;
        if was_read == Ok(true) {
            let authority = authority(&request.url);
            self.kept.put(request.webhook, authority, connection);
        }
        Ok(answer)
    }
}

/// The request as it is sent.
fn message(request: &WebhookRequest) -> Option<Request<Full<Bytes>>> {
    let uri: Uri = request.url.as_str().parse().ok()?;
    let host = uri.authority()?.as_str().to_owned();
    let path = uri.path_and_query()?.as_str();
    let mut message = Request::post(path)
        .header(header::HOST, host)
        .header(header::USER_AGENT, USER_AGENT);
    for (name, value) in &request.headers {
        message = message.header(*name, value);
    }
    message
        .body(Full::new(Bytes::from(request.body.clone())))
        .ok()
}

/// Why there is no response.
enum SendError {
    /// Nothing of the request was written.
    Unused(Box<Request<Full<Bytes>>>),
    Failed(AttemptError),
}

async fn post(
    webhook: WebhookId,
    mut connection: Connection,
    message: Request<Full<Bytes>>,
) -> Result<(Response<Incoming>, Connection), SendError> {
    match connection.sender.try_send_request(message).await {
        Ok(response) => Ok((response, connection)),
        Err(mut error) => {
            if let Some(message) = error.take_message() {
                return Err(SendError::Unused(Box::new(message)));
            }
            let error = error.error();
            let failed = failed(webhook, reason(error), chain(error));
            Err(SendError::Failed(failed))
        }
    }
}

/// A receiver that requires a client certificate refuses it after the handshake; everything else on an open connection
/// is a response that is not HTTP, or none.
fn reason(error: &hyper::Error) -> AttemptError {
    let cause = error
        .source()
        .and_then(|cause| cause.downcast_ref::<io::Error>());
    let inner = cause.and_then(io::Error::get_ref);
    if let Some(inner) = inner
        && inner.is::<rustls::Error>()
    {
        AttemptError::Tls
    } else {
        AttemptError::Protocol
    }
}

/// Reads a body up to [`MOST_BODY_BYTES`], and returns whether that was all of it.
async fn discard(mut body: Incoming) -> bool {
    let mut read = 0;
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else { return false };
        read += frame.data_ref().map_or(0, Bytes::len);
        if read > MOST_BODY_BYTES {
            return false;
        }
    }
    true
}
