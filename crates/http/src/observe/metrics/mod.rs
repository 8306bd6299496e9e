//! Metrics for Prometheus, in the text format of OpenMetrics 1.0, on a separate listener.

mod collectors;
mod directory;
mod exports;
mod files;
mod listener;
mod process;
mod requests;
mod streams;
mod webhooks;

pub use directory::DirectoryMetrics;
pub use exports::ExportMetrics;
pub use files::FileMetrics;
pub use listener::{MetricsListener, endpoint};
pub use requests::RequestMetrics;
pub use streams::StreamMetrics;
pub use webhooks::WebhookMetrics;

use std::sync::Arc;

use formalize_core::Formalize;
use formalize_sql::SqlStore;
use prometheus_client::registry::Registry;

use self::{
    collectors::{BuildInfo, ConnectionMetrics, LibraryMetrics, StoreMetrics},
    process::ProcessMetrics,
};
use crate::connections::ConnectionStats;

/// The labels of a metric: their names and values.
type Labels<const N: usize> = [(&'static str, &'static str); N];

/// The metrics that other parts of the server count themselves.
#[derive(Debug, Clone, Copy)]
pub struct Counted<'m> {
    /// Those of requests.
    pub requests: &'m RequestMetrics,
    /// Those of exports.
    pub exports: &'m ExportMetrics,
    /// Those of webhooks.
    pub webhooks: &'m WebhookMetrics,
    /// Those of streams of events.
    pub streams: &'m StreamMetrics,
    /// Those of the store of files.
    pub files: &'m FileMetrics,
    /// Those of the directory.
    pub directory: &'m DirectoryMetrics,
}

/// The registry of all metrics. Names of the service begin with `formalize_`; those of the process follow Prometheus'
/// own libraries.
pub fn registry(
    counted: Counted<'_>,
    formalize: Formalize,
    store: SqlStore,
    stats: Arc<ConnectionStats>,
) -> Registry {
    let mut registry = Registry::default();
    counted.requests.register(&mut registry);
    counted.exports.register(&mut registry);
    counted.webhooks.register(&mut registry);
    counted.streams.register(&mut registry);
    counted.files.register(&mut registry);
    counted.directory.register(&mut registry);
    registry.register_collector(Box::new(ConnectionMetrics(stats)));
    registry.register_collector(Box::new(BuildInfo(store.kind())));
    registry.register_collector(Box::new(LibraryMetrics(formalize)));
    registry.register_collector(Box::new(StoreMetrics(store)));
    registry.register_collector(Box::new(ProcessMetrics::new()));
    registry
}
