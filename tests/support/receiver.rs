//! A receiver of webhooks.

use poem::listener::{Acceptor, Listener, TcpListener};
use poem::{Endpoint, Server};
use tokio::net::TcpSocket;
use tokio::task::AbortHandle;

use crate::Result;

/// Takes requests at an address until it is dropped.
#[derive(Debug)]
pub struct WebhookReceiver {
    /// The URL for webhooks.
    pub url: String,
    serving: AbortHandle,
}

impl WebhookReceiver {
    /// Listens at an address such as `127.0.0.1:0`, which stands for a free port, and lets `endpoint` respond.
    ///
    /// # Errors
    ///
    /// If the address is not free.
    pub async fn start(address: &str, endpoint: impl Endpoint + 'static) -> Result<Self> {
        let acceptor = TcpListener::bind(address.to_owned())
            .into_acceptor()
            .await?;
        let addresses = acceptor.local_addr();
        let mut addresses = addresses.iter().filter_map(|it| it.as_socket_addr());
        let url = format!("http://{}/", addresses.next().ok_or("no address")?);
        let serving = tokio::spawn(Server::new_with_acceptor(acceptor).run(endpoint));
        Ok(Self {
            url,
            serving: serving.abort_handle(),
        })
    }
}

impl Drop for WebhookReceiver {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// A port that refuses connections until this is dropped, because its socket is bound but does not listen. A port that was
/// merely free could be taken by another test.
#[derive(Debug)]
pub struct ClosedPort {
    /// The URL for webhooks.
    pub url: String,
    _socket: TcpSocket,
}

impl ClosedPort {
    /// Takes a free port of the loopback address.
    ///
    /// # Errors
    ///
    /// If no port is free.
    pub fn take() -> Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(([127, 0, 0, 1], 0).into())?;
        Ok(Self {
            url: format!("http://{}/", socket.local_addr()?),
            _socket: socket,
        })
    }
}
