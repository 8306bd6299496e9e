//! Metrics for Prometheus, in the text format of OpenMetrics 1.0, on a separate listener.

mod collectors;
mod exports;
mod files;
mod listener;
mod process;
mod requests;
mod streams;
mod webhooks;

pub use exports::ExportMetrics;
pub use files::FileMetrics;
pub use listener::{MetricsListener, endpoint};
pub use requests::RequestMetrics;
pub use streams::StreamMetrics;
pub use webhooks::WebhookMetrics;

use std::sync::Arc;

use formalize_core::{Formalize, store::sql::SqlStore};
use prometheus_client::registry::Registry;

use self::{
    collectors::{BuildInfo, ConnectionMetrics, LibraryMetrics, StoreMetrics},
    process::ProcessMetrics,
};
use crate::connections::ConnectionStats;

/// The registry of all metrics. Names of the service begin with `formalize_`; those of the process follow Prometheus'
/// own libraries.
pub fn registry(
    requests: &RequestMetrics,
    exports: &ExportMetrics,
    webhooks: &WebhookMetrics,
    streams: &StreamMetrics,
    formalize: Formalize,
    store: SqlStore,
    stats: Arc<ConnectionStats>,
) -> Registry {
    let mut registry = Registry::default();
    requests.register(&mut registry);
    exports.register(&mut registry);
    webhooks.register(&mut registry);
    streams.register(&mut registry);
    registry.register_collector(Box::new(ConnectionMetrics(stats)));
    registry.register_collector(Box::new(BuildInfo(store.kind())));
    registry.register_collector(Box::new(LibraryMetrics(formalize)));
    registry.register_collector(Box::new(StoreMetrics(store)));
    registry.register_collector(Box::new(ProcessMetrics::new()));
    registry
}
