//! The listener for metrics.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use poem::{
    EndpointExt, Response, Route,
    endpoint::{BoxEndpoint, make_sync},
    get,
    http::StatusCode,
};
use prometheus_client::{encoding::text, registry::Registry};
use tokio::net::TcpListener;

use crate::connections::{self, ConnectionLimits, ConnectionStats, Served, Timeouts};

const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// A few collectors connect, with small requests.
const LIMITS: ConnectionLimits = ConnectionLimits {
    connections: 16,
    proxies: Vec::new(),
    head: 8 * 1024,
    headers: 100,
    timeouts: Timeouts {
        head: Duration::from_secs(5),
        answer: Duration::from_secs(10),
        keep_alive: Duration::from_mins(2),
    },
};

/// How long responses in progress may take to finish at shutdown.
const GRACE: Duration = Duration::from_secs(1);

/// A listener that serves only `GET /metrics`.
#[derive(Debug)]
pub struct MetricsListener {
    listener: TcpListener,
    address: SocketAddr,
}

impl MetricsListener {
    /// Binds to an address.
    ///
    /// # Errors
    ///
    /// If the address is in use or not local.
    pub async fn bind(address: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        Ok(Self {
            address: listener.local_addr()?,
            listener,
        })
    }

    /// The URL of the metrics.
    pub fn url(&self) -> String {
        format!("http://{}/metrics", self.address)
    }

    /// Serves metrics until `stop` completes.
    ///
    /// # Errors
    ///
    /// If the listener has no local address.
    pub async fn serve(self, registry: Registry, stop: impl Future<Output = ()>) -> io::Result<()> {
        let stats = Arc::new(ConnectionStats::new(LIMITS.connections));
        let endpoint = endpoint(registry);
        let served = vec![Served {
            listener: self.listener,
            endpoint,
        }];
        connections::serve(served, LIMITS, stats, stop, GRACE).await
    }
}

/// An endpoint with the metrics of a registry.
pub fn endpoint(registry: Registry) -> BoxEndpoint<'static, Response> {
    let figures = make_sync(move |_| {
        let mut text = String::new();
        let Ok(()) = text::encode(&mut text, &registry) else {
            return Response::from(StatusCode::INTERNAL_SERVER_ERROR);
        };
        Response::builder().content_type(OPENMETRICS).body(text)
    });
    Route::new().at("/metrics", get(figures)).boxed()
}
