//! Metrics of exports.

use std::{sync::atomic::AtomicI64, time::Duration};

use prometheus_client::{
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::{Registry, Unit},
};

use super::Labels;

/// The upper bounds of the buckets, in seconds.
const SECONDS: [f64; 8] = [0.01, 0.1, 1.0, 5.0, 15.0, 60.0, 300.0, 900.0];

/// The number of exports, running and finished, their rows, and how long they read. Clones share the counts.
#[derive(Debug, Clone)]
pub struct ExportMetrics {
    ended: Family<Labels<2>, Counter>,
    running: Gauge<i64, AtomicI64>,
    rows: Counter,
    snapshots: Histogram,
}

impl Default for ExportMetrics {
    fn default() -> Self {
        Self {
            ended: Family::default(),
            running: Gauge::default(),
            rows: Counter::default(),
            snapshots: Histogram::new(SECONDS),
        }
    }
}

/// A running export. Dropping it counts its end.
pub(crate) struct RunningExport(Gauge<i64, AtomicI64>);

impl Drop for RunningExport {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl ExportMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register(
            "formalize_exports",
            "Exports that have ended, by outcome: done, client (it went away), timeout, failed",
            self.ended.clone(),
        );
        registry.register(
            "formalize_exports_running",
            "Exports that are being read or sent",
            self.running.clone(),
        );
        registry.register(
            "formalize_export_rows",
            "Submissions that were read for exports",
            self.rows.clone(),
        );
        registry.register_with_unit(
            "formalize_export_snapshot",
            "How long exports have read from the database",
            Unit::Seconds,
            self.snapshots.clone(),
        );
    }

    /// Counts an export that has begun.
    pub(crate) fn begin(&self) -> RunningExport {
        self.running.inc();
        RunningExport(self.running.clone())
    }

    /// Counts rows that were read.
    pub(crate) fn rows(&self, rows: usize) {
        self.rows.inc_by(rows as u64);
    }

    /// Notes how long an export has read from the database.
    pub(crate) fn read_snapshot(&self, time: Duration) {
        self.snapshots.observe(time.as_secs_f64());
    }

    /// Counts an export that has ended.
    pub(crate) fn ended(&self, format: &'static str, outcome: &'static str) {
        let labels = [("format", format), ("outcome", outcome)];
        self.ended.get_or_create(&labels).inc();
    }
}
