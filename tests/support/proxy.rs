//! A proxy to a database that can interrupt traffic.

use std::io;
use std::path::PathBuf;

use sqlx::postgres::PgConnectOptions;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, split};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::{Result, TestDatabase};

/// Forwards connections to a PostgreSQL database, until it is dropped.
#[derive(Debug)]
pub struct Proxy {
    url: String,
    way: watch::Sender<Way>,
    forwarding: AbortHandle,
}

#[derive(Clone, Copy, Debug)]
struct Way {
    traffic: Traffic,
    /// The number of connections, the oldest ones, that no longer forward anything.
    stranded: usize,
    accepted: usize,
    /// What happens to the next COMMIT.
    loss: Option<Loss>,
}

/// When a connection is lost that sends a COMMIT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Before the server has received it.
    BeforeServer,
    /// After the server has received it, before the client has the response.
    BeforeResponse,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Traffic {
    Flows,
    Stands,
    Cut,
}

impl Way {
    /// Whether the connection with this number forwards traffic.
    fn lets_through(&self, connection: usize) -> bool {
        self.traffic == Traffic::Flows && connection >= self.stranded
    }
}

impl Proxy {
    /// An open proxy to this database.
    ///
    /// # Errors
    ///
    /// If no port is available.
    pub async fn to(database: &TestDatabase) -> Result<Self> {
        Self::to_url(database.url(), database.name()).await
    }

    /// An open proxy to the database of this name at a URL.
    ///
    /// # Errors
    ///
    /// If no port is available.
    pub async fn to_url(url: &str, name: &str) -> Result<Self> {
        let server = Server::of(&url.parse()?);
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!(
            "postgres://{}@{}/{name}",
            user(url).ok_or("a URL without a user")?,
            listener.local_addr()?,
        );
        let way = watch::Sender::new(Way {
            traffic: Traffic::Flows,
            stranded: 0,
            accepted: 0,
            loss: None,
        });
        let forwarding = tokio::spawn(forward(listener, server, way.clone())).abort_handle();
        Ok(Self {
            url,
            way,
            forwarding,
        })
    }

    /// The URL of the database through the proxy.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Accepts connections without forwarding anything.
    pub fn block(&self) {
        self.let_traffic(Traffic::Stands);
    }

    /// Stops forwarding on all existing connections without closing them, as when a firewall forgets them. New ones
    /// work.
    pub fn strand(&self) {
        self.way.send_modify(|way| way.stranded = way.accepted);
    }

    /// The number of connections so far.
    pub fn accepted(&self) -> usize {
        self.way.borrow().accepted
    }

    /// Closes all connections, and new ones at once.
    pub fn cut(&self) {
        self.let_traffic(Traffic::Cut);
    }

    /// Forwards everything again.
    pub fn open(&self) {
        self.let_traffic(Traffic::Flows);
    }

    /// Closes the connection that sends the next COMMIT.
    pub fn lose_next_commit(&self, loss: Loss) {
        self.way.send_modify(|way| way.loss = Some(loss));
    }

    /// Whether a COMMIT is still to be lost.
    pub fn will_lose_commit(&self) -> bool {
        self.way.borrow().loss.is_some()
    }

    fn let_traffic(&self, traffic: Traffic) {
        self.way.send_modify(|way| way.traffic = traffic);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.forwarding.abort();
        self.cut();
    }
}

/// The user and the password.
fn user(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let (user, _) = rest.split('/').next()?.rsplit_once('@')?;
    Some(user)
}

/// The address of the database.
#[derive(Clone, Debug)]
enum Server {
    Socket(PathBuf),
    Host(String, u16),
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

impl Server {
    fn of(options: &PgConnectOptions) -> Self {
        let port = options.get_port();
        match options.get_socket() {
            Some(folder) => Self::Socket(folder.join(format!(".s.PGSQL.{port}"))),
            None => Self::Host(options.get_host().to_owned(), port),
        }
    }

    async fn connect(&self) -> io::Result<Box<dyn Stream>> {
        Ok(match self {
            Self::Socket(path) => Box::new(UnixStream::connect(path).await?),
            Self::Host(host, port) => Box::new(TcpStream::connect((host.as_str(), *port)).await?),
        })
    }
}

async fn forward(listener: TcpListener, server: Server, way: watch::Sender<Way>) {
    while let Ok((client, _)) = listener.accept().await {
        let number = way.borrow().accepted;
        way.send_modify(|way| way.accepted += 1);
        tokio::spawn(join(client, server.clone(), way.clone(), number));
    }
}

/// Connects a client and the server until one of them or the proxy ends.
async fn join(client: TcpStream, server: Server, way: watch::Sender<Way>, number: usize) {
    let Ok(server) = server.connect().await else {
        return;
    };
    let (from_client, to_client) = split(client);
    let (from_server, to_server) = split(server);
    let mut cut = way.subscribe();
    tokio::select! {
        _ = pump(from_client, to_server, way.clone(), number) => {}
        _ = pump(from_server, to_client, way, number) => {}
        _ = cut.wait_for(|way| way.traffic == Traffic::Cut) => {}
    }
}

async fn pump(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    way: watch::Sender<Way>,
    number: usize,
) -> Result<()> {
    let mut open = way.subscribe();
    let mut buffer = Vec::with_capacity(8 * 1024);
    while from.read_buf(&mut buffer).await? > 0 {
        open.wait_for(|way| way.lets_through(number)).await?;
        let loss = if is_commit(&buffer) {
            take_loss(&way)
        } else {
            None
        };
        if loss != Some(Loss::BeforeServer) {
            to.write_all(&buffer).await?;
        }
        if loss.is_some() {
            return Ok(());
        }
        buffer.clear();
    }
    Ok(())
}

/// Whether a message of a client commits a transaction. A client sends nothing else until it is answered.
fn is_commit(message: &[u8]) -> bool {
    message.ends_with(b"COMMIT\0")
}

fn take_loss(way: &watch::Sender<Way>) -> Option<Loss> {
    let mut loss = None;
    way.send_if_modified(|way| {
        loss = way.loss.take();
        loss.is_some()
    });
    loss
}
