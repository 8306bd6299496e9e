//! Opens connections to receivers.

use std::{fmt::Display, net::SocketAddr, sync::Arc, time::Duration};

use formalize_core::{
    config::EgressProxy,
    webhooks::{AllowedTargets, AttemptError, WebhookHost, WebhookId, WebhookUrl},
};
use http_body_util::Full;
use hyper::{
    body::Bytes,
    client::conn::http1::{self, SendRequest},
};
use hyper_util::rt::TokioIo;
use rustls::{ClientConfig, pki_types::ServerName};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    task::AbortHandle,
    time::timeout,
};
use tokio_rustls::TlsConnector;

use crate::{proxy, resolver::Resolve};

/// How long opening a connection may take, from the name to the end of the TLS handshake.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The maximum size of a response's head, in bytes.
const MOST_HEAD_BYTES: usize = 64 * 1024;

/// A connection on which HTTP is spoken, with or without TLS.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// A connection to a receiver. It is closed when it is dropped, also in the middle of a response.
pub(crate) struct Connection {
    pub(crate) sender: SendRequest<Full<Bytes>>,
    task: AbortHandle,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Opens connections to allowed targets.
pub(crate) struct Connector {
    pub(crate) allowed: AllowedTargets,
    pub(crate) resolver: Arc<dyn Resolve>,
    pub(crate) proxy: Option<EgressProxy>,
    /// `None` on a machine without trusted root certificates.
    pub(crate) tls: Option<Arc<ClientConfig>>,
}

/// Why there is no connection.
#[derive(Debug)]
pub(crate) struct NotConnected {
    error: AttemptError,
    /// What operators need to know, and managers of forms do not.
    cause: String,
}

impl NotConnected {
    pub(crate) fn because(error: AttemptError, cause: impl Display) -> Self {
        Self {
            error,
            cause: cause.to_string(),
        }
    }
}

/// Writes to the log why the request of a webhook failed, and returns what managers of forms learn of it.
pub(super) fn failed(webhook: WebhookId, error: AttemptError, cause: impl Display) -> AttemptError {
    tracing::warn!(%webhook, %error, %cause, "the request of a webhook failed");
    error
}

impl Connector {
    /// Opens a connection to the host of a URL. If that fails, the log says why.
    pub(crate) async fn open(
        &self,
        webhook: WebhookId,
        url: &WebhookUrl,
    ) -> Result<Connection, AttemptError> {
        // The allowed targets may have changed since the URL was saved.
        if WebhookUrl::parse(url.as_str(), &self.allowed).is_err() {
            let cause = "the URL is not allowed";
            return Err(failed(webhook, AttemptError::TargetRefused, cause));
        }
        let opened = timeout(CONNECT_TIMEOUT, self.connect(url)).await;
        let opened = opened.unwrap_or_else(|_| {
            let cause = format!("there was no connection after {CONNECT_TIMEOUT:?}");
            Err(NotConnected::because(AttemptError::Connect, cause))
        });
        opened.map_err(|NotConnected { error, cause }| failed(webhook, error, cause))
    }

    async fn connect(&self, url: &WebhookUrl) -> Result<Connection, NotConnected> {
        let stream = match &self.proxy {
            Some(proxy) => proxy::tunnel(proxy, url).await?,
            None => Box::new(connect_to(&self.addresses(url).await?).await?),
        };
        if url.is_encrypted() {
            speak_http(self.encrypt(url, stream).await?).await
        } else {
            speak_http(stream).await
        }
    }

    /// The addresses of the host, all of which are allowed. If one is not, none is used: its name may be one that is
    /// made to lead inside on the next try.
    async fn addresses(&self, url: &WebhookUrl) -> Result<Vec<SocketAddr>, NotConnected> {
        let unresolved = |cause: &dyn Display| NotConnected::because(AttemptError::Dns, cause);
        let port = url.port();
        let (name, addresses) = match url.host() {
            WebhookHost::Address(address) => (None, vec![SocketAddr::new(address, port)]),
            WebhookHost::Name(name) => {
                let addresses = self.resolver.addresses(name, port).await;
                (Some(name), addresses.map_err(|error| unresolved(&error))?)
            }
        };
        if addresses.is_empty() {
            return Err(unresolved(&"the name has no address"));
        }
        let mut ips = addresses.iter().map(SocketAddr::ip);
        match ips.find(|address| !self.allowed.allows_address(name, *address)) {
            None => Ok(addresses),
            Some(address) => Err(NotConnected::because(
                AttemptError::TargetRefused,
                format!("the address {address} is not allowed"),
            )),
        }
    }

    async fn encrypt(
        &self,
        url: &WebhookUrl,
        stream: Box<dyn Stream>,
    ) -> Result<Box<dyn Stream>, NotConnected> {
        let failed = |cause: &dyn Display| NotConnected::because(AttemptError::Tls, cause);
        let name = match url.host() {
            WebhookHost::Address(address) => ServerName::from(address),
            // Certificates do not contain the final dot that a name may have.
            WebhookHost::Name(name) => ServerName::try_from(name.trim_end_matches('.').to_owned())
                .map_err(|error| failed(&error))?,
        };
        let no_roots = "this machine has no trusted root certificates";
        let config = self.tls.clone().ok_or_else(|| failed(&no_roots))?;
        let connector = TlsConnector::from(config);
        let encrypted = connector.connect(name, stream).await;
        Ok(Box::new(encrypted.map_err(|error| failed(&error))?))
    }
}

/// Connects to the first address that accepts.
async fn connect_to(addresses: &[SocketAddr]) -> Result<TcpStream, NotConnected> {
    // An address that does not respond must leave time for the others.
    let count = u32::try_from(addresses.len()).unwrap_or(u32::MAX);
    let share = CONNECT_TIMEOUT / count.max(1);
    let mut causes = Vec::new();
    for address in addresses {
        match timeout(share, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => causes.push(format!("{address}: {error}")),
            Err(_) => causes.push(format!("{address}: no answer after {share:?}")),
        }
    }
    let causes = causes.join("; ");
    Err(NotConnected::because(AttemptError::Connect, causes))
}

async fn speak_http(stream: Box<dyn Stream>) -> Result<Connection, NotConnected> {
    let (sender, connection) = http1::Builder::new()
        .max_buf_size(MOST_HEAD_BYTES)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(|error| NotConnected::because(AttemptError::Connect, error))?;
    let task = tokio::spawn(async move {
        // The request on it reports the error.
        let _ = connection.await;
    });
    Ok(Connection {
        sender,
        task: task.abort_handle(),
    })
}

/// The host and port of a URL, such as `hooks.example.org:443`.
pub(crate) fn authority(url: &WebhookUrl) -> String {
    match url.host() {
        WebhookHost::Name(name) => format!("{name}:{}", url.port()),
        WebhookHost::Address(address) => SocketAddr::new(address, url.port()).to_string(),
    }
}
