//! Metrics of streams of events.

use std::sync::atomic::AtomicI64;

use prometheus_client::{
    metrics::{counter::Counter, family::Family, gauge::Gauge},
    registry::Registry,
};

use super::Labels;

/// The number of streams, open and ended. Clones share the counts.
#[derive(Debug, Clone, Default)]
pub struct StreamMetrics {
    open: Gauge<i64, AtomicI64>,
    ended: Family<Labels<1>, Counter>,
}

impl StreamMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        // Counters begin with zero, so that the first increase is seen.
        for reason in ["client", "slow", "token", "shutdown", "error"] {
            drop(self.ended.get_or_create(&[("reason", reason)]));
        }
        registry.register(
            "formalize_event_streams",
            "Streams of events that are open",
            self.open.clone(),
        );
        registry.register(
            "formalize_event_streams_ended",
            "Streams of events that have ended, by reason: client (it went away), slow, token, shutdown, error",
            self.ended.clone(),
        );
    }

    /// Counts a stream that was opened.
    pub fn opened(&self) {
        self.open.inc();
    }

    /// Counts a stream that has ended.
    pub fn ended(&self, reason: &'static str) {
        self.open.dec();
        self.ended.get_or_create(&[("reason", reason)]).inc();
    }
}
