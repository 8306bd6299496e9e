//! Connections of clients: how many there are, how long each may take for what, and how they end.
//!
//! They are served by hyper itself and not by the server of poem, which gives no way to its limits: it has none for the
//! time in which a head is sent, none for the size of a head, none for the number of connections, and when the system has
//! no more files it asks for the next connection over and over without a pause. Endpoints, requests and answers are those
//! of poem.
//!
//! HTTP/1.1 is spoken, as every reverse proxy does towards the server behind it. HTTP/2 without TLS, which no browser
//! speaks, would share one connection among hundreds of requests, and no limit on connections would bound anything.

mod idle_watch;
mod stats;
mod stream;

use std::{convert::Infallible, io, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use poem::{
    Endpoint, Request, Response,
    endpoint::BoxEndpoint,
    http::{HeaderValue, header, uri::Scheme},
    web::{LocalAddr, RemoteAddr},
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    time::{sleep, timeout},
};

pub use idle_watch::Timeouts;
use idle_watch::{Event, IdleWatch};
pub use stats::ConnectionStats;
use stream::Watched;

use crate::observe::unreadable;

/// How long nobody is accepted once the system cannot accept anybody, for instance because of too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// The number of headers for which hyper needs no memory of its own.
const USUAL_HEADERS: u32 = 100;

/// What connections may be and take.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionLimits {
    /// How many there are at a time.
    pub connections: u32,
    /// How many bytes a request line and its headers have.
    pub head: usize,
    /// How many headers a request has.
    pub headers: u32,
    /// How long a client may take.
    pub timeouts: Timeouts,
}

/// What connections are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Go on.
    Serve,
    /// End with the request under way.
    Finish,
    /// End at once.
    Cut,
}

/// What all connections have in common.
struct Shared {
    endpoint: BoxEndpoint<'static, Response>,
    limits: ConnectionLimits,
    http: http1::Builder,
    local: SocketAddr,
    places: Arc<Semaphore>,
    stats: Arc<ConnectionStats>,
}

/// Serves connections until `stop` ends; then accepts none, and lets requests under way take up to `grace`.
///
/// # Errors
///
/// If the address of the listener cannot be told.
pub async fn serve(
    listener: TcpListener,
    endpoint: BoxEndpoint<'static, Response>,
    limits: ConnectionLimits,
    stats: Arc<ConnectionStats>,
    stop: impl Future<Output = ()>,
    grace: Duration,
) -> io::Result<()> {
    let shared = Arc::new(Shared {
        endpoint,
        limits,
        http: http(limits),
        local: listener.local_addr()?,
        places: Arc::new(Semaphore::new(
            whole(limits.connections).min(Semaphore::MAX_PERMITS),
        )),
        stats,
    });
    let orders = watch::Sender::new(Order::Serve);
    tokio::select! {
        () = stop => {}
        () = accept(listener, &shared, &orders) => {}
    }
    orders.send_replace(Order::Finish);
    if timeout(grace, orders.closed()).await.is_err() {
        tracing::warn!(
            ?grace,
            "shutdown timeout reached; aborting requests in progress"
        );
        orders.send_replace(Order::Cut);
        orders.closed().await;
    }
    Ok(())
}

fn http(limits: ConnectionLimits) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.max_buf_size(limits.head);
    if limits.headers != USUAL_HEADERS {
        http.max_headers(whole(limits.headers));
    }
    http
}

fn whole(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Accepts connections for ever, but no more at a time than there may be: others wait in the queue of the system.
async fn accept(listener: TcpListener, shared: &Arc<Shared>, orders: &watch::Sender<Order>) {
    let mut was_full = false;
    loop {
        let is_full = shared.is_full();
        if is_full && !was_full {
            let limit = shared.limits.connections;
            tracing::warn!(
                limit,
                "connection limit reached; new connections are queued"
            );
        }
        was_full = is_full;
        // It is never closed, and nobody else takes a place: there still is one when somebody has come.
        if shared.places.acquire().await.is_err() {
            return;
        }
        match listener.accept().await {
            Ok((stream, peer)) => {
                let Ok(place) = Arc::clone(&shared.places).try_acquire_owned() else {
                    continue;
                };
                let connection = Arc::clone(shared).run(stream, peer, orders.subscribe(), place);
                tokio::spawn(connection);
            }
            Err(error) if is_of_the_client(&error) => {}
            Err(error) => {
                tracing::error!(%error, "failed to accept a connection");
                sleep(PAUSE).await;
            }
        }
    }
}

/// Whether a client has left before it was accepted.
fn is_of_the_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionReset)
}

impl Shared {
    fn is_full(&self) -> bool {
        self.places.available_permits() == 0
    }

    /// Serves one connection to its end.
    async fn run(
        self: Arc<Self>,
        stream: TcpStream,
        peer: SocketAddr,
        mut orders: watch::Receiver<Order>,
        _place: OwnedSemaphorePermit,
    ) {
        let _open = self.stats.opens();
        // Answers are written whole: there is nothing to wait for before they are sent.
        let _ = stream.set_nodelay(true);
        let clock = IdleWatch::new(self.limits.timeouts);
        let service = service_fn(|request| async {
            let response = self.answer(request, peer, &clock).await;
            Ok::<hyper::Response<_>, Infallible>(response.into())
        });
        let stream = TokioIo::new(Watched::new(stream, clock.clone()));
        let mut connection = pin!(self.http.serve_connection(stream, service));
        let mut latest = Order::Serve;
        loop {
            let next = async {
                let next = orders.wait_for(|order| *order != latest).await;
                next.map_or(Order::Cut, |order| *order)
            };
            tokio::select! {
                biased;
                ended = connection.as_mut() => {
                    if let Err(error) = ended {
                        self.note_unreadable(&error);
                        tracing::debug!(%peer, %error, "a connection ended early");
                    }
                    return;
                }
                order = next => latest = order,
                late = clock.late() => {
                    tracing::debug!(%peer, "a connection is cut: {late}");
                    return;
                }
            }
            match latest {
                Order::Serve => {}
                Order::Finish => connection.as_mut().graceful_shutdown(),
                Order::Cut => return,
            }
        }
    }

    /// Of a request whose head cannot be read nobody else hears: hyper answers by itself.
    fn note_unreadable(&self, error: &hyper::Error) {
        let status = if error.is_parse_too_large() {
            431
        } else if error.is_parse() {
            400
        } else {
            return;
        };
        self.stats.read_nothing();
        unreadable(status);
    }

    async fn answer(
        &self,
        request: hyper::Request<Incoming>,
        peer: SocketAddr,
        clock: &IdleWatch,
    ) -> Response {
        clock.note(Event::Asked);
        let (local, remote) = (LocalAddr(self.local.into()), RemoteAddr(peer.into()));
        let request = Request::from((request, local, remote, Scheme::HTTP));
        let mut response = self.endpoint.get_response(request).await;
        if self.is_full() {
            // Others wait for this place.
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
        clock.note(Event::Answered);
        response
    }
}
