//! Client connections: their number, their timeouts, and their end.
//!
//! hyper serves them directly. The server of poem does not expose hyper's limits: it has no timeout for the request
//! head, no limit on the size of a head, no limit on the number of connections, and when the process runs out of file
//! descriptors it accepts in a busy loop. Endpoints, requests and responses are poem's.
//!
//! Timeouts are measured by `IdleWatch` instead of hyper's `header_read_timeout`. hyper starts that timer as soon as it
//! waits for the next request, so it would also close idle connections, and `request_head_timeout` could not be shorter
//! than `keep_alive_timeout`. hyper has no timeout for clients that stall while a response is sent. Shutdown is hyper's
//! `graceful_shutdown`.
//!
//! Only HTTP/1.1 is supported, which every reverse proxy speaks to its backends. HTTP/2 multiplexes hundreds of
//! requests on one connection, so a limit on connections would not bound the number of requests.

mod idle_watch;
mod places;
mod rejection;
mod sending;
mod source;
mod stats;
mod stream;

use std::{convert::Infallible, io, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use futures_util::future::join_all;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use poem::{
    Endpoint, Request, Response,
    endpoint::BoxEndpoint,
    http::{HeaderMap, HeaderValue, Version, header, uri::Scheme},
    web::{LocalAddr, RemoteAddr},
};
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    sync::watch,
    time::{sleep, timeout},
};

use idle_watch::{Event, IdleWatch};
pub use idle_watch::{LOWEST_RATE, Timeouts};
use places::{Place, Places};
use sending::Sending;
pub use source::Source;
pub use stats::ConnectionStats;
use stream::Watched;

use crate::config::Network;

/// How long to wait after a failed accept, for example because of too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// The memory in bytes that the kernel may use for the part of a response that a client has not acknowledged. Linux
/// doubles it for its own needs. By default it grows to 4 MiB, which no budget bounds, and the progress of a slow client
/// shows only after a third of it.
const SEND_BUFFER: u32 = 128 << 10;

/// The number of connections that the kernel queues before they are accepted, as the standard library has it.
const BACKLOG: u32 = 1024;

/// The number of headers that hyper parses without allocating.
const USUAL_HEADERS: u32 = 100;

/// Limits of connections.
#[derive(Debug, Clone)]
pub struct ConnectionLimits {
    /// Maximum number of concurrent connections.
    pub connections: u32,
    /// Reverse proxies, whose connections serve many clients. So the share of a client does not apply to them, nor to
    /// clients on the same machine.
    pub proxies: Vec<Network>,
    /// Maximum size in bytes of request line and headers.
    pub head: usize,
    /// Maximum number of headers of a request.
    pub headers: u32,
    /// How long clients may take.
    pub timeouts: Timeouts,
}

/// Marks a response after which the rest of its request is not read. It must announce that the connection will be
/// closed. Then what the client still sends is discarded, so that the response is not lost.
#[derive(Debug, Clone, Copy)]
pub struct Unread;

/// A command to all connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Continue.
    Serve,
    /// Finish the request in progress, then close.
    Finish,
    /// Close immediately.
    Cut,
}

/// The share of the connections that one client may have: a quarter.
pub const fn share(connections: u32) -> u32 {
    connections.div_ceil(4)
}

/// State shared by all connections.
struct Shared {
    endpoint: BoxEndpoint<'static, Response>,
    limits: ConnectionLimits,
    http: http1::Builder,
    local: SocketAddr,
    places: Arc<Places>,
    stats: Arc<ConnectionStats>,
}

/// Listens on an address.
///
/// # Errors
///
/// If the address is not available.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // Otherwise a restart fails while the system remembers connections of the last run.
    socket.set_reuseaddr(true)?;
    // Connections inherit it.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// A listener, and the endpoint that its requests are for.
pub struct Served {
    /// The listener.
    pub listener: TcpListener,
    /// The endpoint.
    pub endpoint: BoxEndpoint<'static, Response>,
}

/// Serves connections until `stop` completes; then stops accepting, and lets requests in progress take up to `grace`.
/// All listeners share the limits.
///
/// # Errors
///
/// If a listener has no local address.
pub async fn serve(
    served: Vec<Served>,
    limits: ConnectionLimits,
    stats: Arc<ConnectionStats>,
    stop: impl Future<Output = ()>,
    grace: Duration,
) -> io::Result<()> {
    let most = limits.connections;
    let places = Arc::new(Places::new(whole(most), whole(share(most))));
    let mut listeners = Vec::new();
    for Served { listener, endpoint } in served {
        let shared = Shared {
            endpoint,
            http: http(&limits),
            local: listener.local_addr()?,
            places: Arc::clone(&places),
            limits: limits.clone(),
            stats: Arc::clone(&stats),
        };
        listeners.push((listener, Arc::new(shared)));
    }
    let orders = watch::Sender::new(Order::Serve);
    let accepting = listeners
        .into_iter()
        .map(|(listener, shared)| accept(listener, shared, &orders));
    tokio::select! {
        () = stop => {}
        _ = join_all(accepting) => {}
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

fn http(limits: &ConnectionLimits) -> http1::Builder {
    let mut http = http1::Builder::new();
    // The size of the buffer alone bounds heads only roughly.
    http.max_buf_size(limits.head).max_header_size(limits.head);
    if limits.headers != USUAL_HEADERS {
        http.max_headers(whole(limits.headers));
    }
    http
}

fn whole(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Accepts connections up to the limit. One more waits for a place, and others in the queue of the operating system.
async fn accept(listener: TcpListener, shared: Arc<Shared>, orders: &watch::Sender<Order>) {
    let mut was_full = false;
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                let is_full = shared.places.are_taken();
                if is_full && !was_full {
                    let limit = shared.limits.connections;
                    tracing::warn!(
                        limit,
                        "connection limit reached; connections without a complete request head are closed, and new \
                         ones are queued"
                    );
                }
                was_full = is_full;
                let idle = IdleWatch::new(shared.limits.timeouts);
                let Ok(place) = shared.places.take(shared.source(peer), &idle).await else {
                    tracing::debug!(%peer, "connection closed: the client has too many others");
                    continue;
                };
                let connection =
                    Arc::clone(&shared).run(stream, peer, idle, orders.subscribe(), place);
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

/// Whether all recipients of a request agree on its host and on where it ends (RFC 9112, 3.2 and 6.1). Hyper checks
/// neither.
fn is_unambiguous(version: Version, headers: &HeaderMap) -> bool {
    let hosts = headers.get_all(header::HOST).iter().count();
    let mut encodings = headers.get_all(header::TRANSFER_ENCODING).iter();
    let is_chunked = |value: &HeaderValue| value.as_bytes().eq_ignore_ascii_case(b"chunked");
    hosts <= 1
        && (hosts == 1 || version < Version::HTTP_11)
        && encodings.next().is_none_or(is_chunked)
        && encodings.next().is_none()
}

/// Whether the client disconnected before it was accepted.
fn is_of_the_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionReset)
}

impl Shared {
    /// The client that a connection counts for; `None` if it serves many.
    fn source(&self, peer: SocketAddr) -> Option<Source> {
        let address = peer.ip().to_canonical();
        let is_proxy = self.limits.proxies.iter().any(|net| net.contains(address));
        (!is_proxy && !address.is_loopback()).then(|| Source::of(address))
    }

    /// Serves one connection until it is closed.
    async fn run(
        self: Arc<Self>,
        stream: TcpStream,
        peer: SocketAddr,
        idle: IdleWatch,
        mut orders: watch::Receiver<Order>,
        place: Place,
    ) {
        let _open = self.stats.opens();
        // Responses are written in one piece, so there is nothing to coalesce.
        let _ = stream.set_nodelay(true);
        let service = service_fn(|request| async {
            let (response, end) = self.answer(request, peer, &idle).await;
            idle.note(Event::ResponseBegins);
            let response: hyper::Response<_> = response.into();
            Ok::<_, Infallible>(response.map(|body| Sending::new(body, idle.clone(), end)))
        });
        let stream = TokioIo::new(Watched::new(stream, idle.clone()));
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
                        self.note_rejected(&error);
                        tracing::debug!(%peer, %error, "connection failed");
                    }
                    return;
                }
                order = next => latest = order,
                late = idle.late() => {
                    tracing::debug!(%peer, "connection closed: {late}");
                    return;
                }
                () = place.is_needed() => {
                    tracing::debug!(%peer, "connection closed: others are waiting");
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

    /// Counts and logs a head that hyper rejects. It responds without calling the service.
    fn note_rejected(&self, error: &hyper::Error) {
        if error.is_parse_too_large() {
            self.note_unreadable(431);
        } else if error.is_parse() {
            self.note_unreadable(400);
        }
    }

    /// Counts and logs a malformed head.
    fn note_unreadable(&self, status: u16) {
        self.stats.read_nothing();
        // Only the status of the response is known. The target and the fields are those of other requests' lines.
        tracing::info!(
            target: "formalize_server::request",
            method = "OTHER",
            route = "unreadable",
            status,
            caller = %"anonymous",
            "answered"
        );
    }

    /// The response to a request, and the event at its end.
    async fn answer(
        &self,
        request: hyper::Request<Incoming>,
        peer: SocketAddr,
        idle: &IdleWatch,
    ) -> (Response, Event) {
        idle.note(Event::HeadComplete);
        if !is_unambiguous(request.version(), request.headers()) {
            self.note_unreadable(400);
            return (rejection::bad_request(), Event::UnreadResponseTaken);
        }
        let (local, remote) = (LocalAddr(self.local.into()), RemoteAddr(peer.into()));
        let request = Request::from((request, local, remote, Scheme::HTTP));
        let mut response = self.endpoint.get_response(request).await;
        if self.places.are_taken() {
            // Another client is waiting for this connection to end.
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
        let end = match response.data::<Unread>() {
            Some(Unread) => Event::UnreadResponseTaken,
            None => Event::ResponseTaken,
        };
        (response, end)
    }
}
