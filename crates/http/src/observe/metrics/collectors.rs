//! Metrics counted by other parts of the program, read on collection.

use std::{fmt, sync::Arc};

use formalize_core::{
    Formalize,
    statistics::{
        BatchItemStatistics, DeliveryStatistics, EventStatistics, HistogramSnapshot, KeyStatistics,
        MaintenanceStatistics,
    },
};
use formalize_sql::{DatabaseKind, SqlStore};
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric, MetricEncoder, NoLabelSet},
    metrics::{MetricType, counter::ConstCounter, gauge::ConstGauge},
    registry::Unit,
};

use crate::connections::ConnectionStats;

const NANOSECONDS: f64 = 1e9;

/// A counter.
pub(super) fn counter(
    encoder: &mut DescriptorEncoder<'_>,
    (name, help): (&str, &str),
    value: u64,
) -> fmt::Result {
    let metric = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
    ConstCounter::new(value).encode(metric)
}

/// A gauge.
pub(super) fn gauge(
    encoder: &mut DescriptorEncoder<'_>,
    (name, help): (&str, &str),
    value: u64,
) -> fmt::Result {
    let metric = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
    ConstGauge::new(value).encode(metric)
}

/// A counter for each value of a label.
fn counters<'a>(
    encoder: &mut DescriptorEncoder<'_>,
    (name, help): (&str, &str),
    label: &str,
    counts: impl IntoIterator<Item = (&'a str, u64)>,
) -> fmt::Result {
    let mut family = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
    for (value, count) in counts {
        let labels = [(label, value)];
        ConstCounter::new(count).encode(family.encode_family(&labels)?)?;
    }
    Ok(())
}

/// A gauge for each value of a label.
fn gauges<'a>(
    encoder: &mut DescriptorEncoder<'_>,
    (name, help): (&str, &str),
    label: &str,
    numbers: impl IntoIterator<Item = (&'a str, u32)>,
) -> fmt::Result {
    let mut family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
    for (value, number) in numbers {
        let labels = [(label, value)];
        ConstGauge::new(number).encode(family.encode_family(&labels)?)?;
    }
    Ok(())
}

/// A histogram. `unit` is the number of the snapshot's units in one unit of the metric.
fn histogram(mut metric: MetricEncoder<'_>, of: &HistogramSnapshot, unit: f64) -> fmt::Result {
    let buckets: Vec<(f64, u64)> = of
        .ranges()
        .map(|(greatest, count)| (greatest.map_or(f64::INFINITY, |it| real(it) / unit), count))
        .collect();
    metric.encode_histogram::<NoLabelSet>(real(of.sum()) / unit, of.count(), &buckets, None)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "the format uses floating-point numbers; sums are exact up to 100 days"
)]
pub(super) fn real(number: u64) -> f64 {
    number as f64
}

/// Encodes histograms of durations, one per set of labels.
fn durations<'a, L: EncodeLabelSet>(
    encoder: &mut DescriptorEncoder<'_>,
    (name, help): (&str, &str),
    rows: impl IntoIterator<Item = (L, &'a HistogramSnapshot)>,
) -> fmt::Result {
    let unit = Some(&Unit::Seconds);
    let mut family = encoder.encode_descriptor(name, help, unit, MetricType::Histogram)?;
    for (labels, distribution) in rows {
        histogram(family.encode_family(&labels)?, distribution, NANOSECONDS)?;
    }
    Ok(())
}

/// The use of connections.
#[derive(Debug)]
pub(super) struct ConnectionMetrics(pub(super) Arc<ConnectionStats>);

impl Collector for ConnectionMetrics {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let encoder = &mut encoder;
        let open = ("formalize_connections_open", "Open client connections.");
        gauge(encoder, open, self.0.open())?;
        let limit = (
            "formalize_connections_limit",
            "Maximum number of client connections.",
        );
        gauge(encoder, limit, self.0.limit())?;
        let unreadable = (
            "formalize_http_unreadable_requests",
            "Malformed HTTP requests, and heads that are too large.",
        );
        counter(encoder, unreadable, self.0.unreadable())
    }
}

/// The version of the program.
#[derive(Debug)]
pub(super) struct BuildInfo(pub(super) DatabaseKind);

impl Collector for BuildInfo {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let name = "formalize_build";
        let help = "The version of the server, and the kind of its database; always 1.";
        let mut metric = encoder.encode_descriptor(name, help, None, MetricType::Info)?;
        metric.encode_info(&[
            ("version", env!("CARGO_PKG_VERSION")),
            (
                "database",
                match self.0 {
                    DatabaseKind::Sqlite => "sqlite",
                    DatabaseKind::Postgres => "postgresql",
                },
            ),
        ])
    }
}

/// The counts of the library.
#[derive(Debug)]
pub(super) struct LibraryMetrics(pub(super) Formalize);

impl Collector for LibraryMetrics {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let encoder = &mut encoder;
        let statistics = self.0.statistics();
        events(encoder, &statistics.events)?;
        keys(encoder, statistics.keys)?;
        batch_items(encoder, statistics.batch_items)?;
        deliveries(encoder, statistics.deliveries)?;
        maintenance(encoder, &statistics.maintenance)?;
        let validators = statistics.validators;
        let hits = (
            "formalize_validator_cache_hits",
            "Validations with a cached compiled schema.",
        );
        counter(encoder, hits, validators.hits)?;
        let misses = (
            "formalize_validator_cache_misses",
            "Validations whose schema had to be compiled.",
        );
        counter(encoder, misses, validators.misses)?;
        let entries = (
            "formalize_validator_cache_entries",
            "Cached compiled schemas.",
        );
        gauge(encoder, entries, validators.entries)?;
        let bytes = (
            "formalize_validator_cache_size_bytes",
            "Rough estimate of the memory of cached schemas.",
        );
        gauge(encoder, bytes, validators.bytes)?;
        let retries = (
            "formalize_database_reruns",
            "Transactions that were repeated because the connection to the database was lost, or because of a conflict.",
        );
        counter(encoder, retries, statistics.retries)
    }
}

/// The counts of requests with an idempotency key.
fn keys(encoder: &mut DescriptorEncoder<'_>, keys: KeyStatistics) -> fmt::Result {
    let metric = (
        "formalize_idempotency",
        "Requests with an idempotency key that were performed, answered again or refused because of the key.",
    );
    let outcomes = [
        ("first", keys.first),
        ("replayed", keys.repeated),
        ("reused", keys.reused),
        ("in_use", keys.in_use),
    ];
    counters(encoder, metric, "outcome", outcomes)
}

/// The counts of the submissions of batches.
fn batch_items(encoder: &mut DescriptorEncoder<'_>, items: BatchItemStatistics) -> fmt::Result {
    let metric = ("formalize_batch_items", "Submissions in batches.");
    let outcomes = [
        ("created", items.created),
        ("replayed", items.repeated),
        ("refused", items.refused),
    ];
    counters(encoder, metric, "outcome", outcomes)
}

/// The pending deliveries of webhooks.
fn deliveries(encoder: &mut DescriptorEncoder<'_>, deliveries: DeliveryStatistics) -> fmt::Result {
    let pending = (
        "formalize_webhook_pending",
        "Deliveries of webhooks that were pending at the last maintenance.",
    );
    gauge(encoder, pending, deliveries.pending)?;
    let name = "formalize_webhook_oldest_pending";
    let help = "For how long the oldest of them had been pending.";
    let unit = Some(&Unit::Seconds);
    let metric = encoder.encode_descriptor(name, help, unit, MetricType::Gauge)?;
    ConstGauge::new(deliveries.oldest_pending.as_secs_f64()).encode(metric)
}

/// What maintenance has deleted, and how often its steps failed.
fn maintenance(
    encoder: &mut DescriptorEncoder<'_>,
    deleted: &MaintenanceStatistics,
) -> fmt::Result {
    let metric = (
        "formalize_maintenance_deleted",
        "Records that were deleted because they were kept long enough.",
    );
    let counts = [
        ("events", deleted.events),
        ("keys", deleted.kept_responses),
        ("deliveries", deleted.deliveries),
        ("attempts", deleted.attempts),
        ("data", deleted.data),
    ];
    counters(encoder, metric, "what", counts)?;
    let metric = (
        "formalize_maintenance_failures",
        "Steps of the maintenance that failed.",
    );
    let failures = deleted.steps.failures();
    let failures = failures.map(|(step, count)| (step.as_str(), count));
    counters(encoder, metric, "step", failures)
}

/// The counts of the event log.
fn events(encoder: &mut DescriptorEncoder<'_>, events: &EventStatistics) -> fmt::Result {
    let metric = (
        "formalize_events_written",
        "Events that were written to the event log.",
    );
    let written = events.written.iter();
    let written = written.map(|(event_type, count)| (event_type.as_str(), *count));
    counters(encoder, metric, "type", written)?;
    let last = (
        "formalize_events_last_position",
        "Highest known position of the event log.",
    );
    gauge(encoder, last, events.last_position.unsigned_abs())?;
    let arrivals = (
        "formalize_event_arrivals",
        "Events that had no position at the last maintenance.",
    );
    gauge(encoder, arrivals, events.arrivals.unsigned_abs())
}

/// The counts of the store.
#[derive(Debug)]
pub(super) struct StoreMetrics(pub(super) SqlStore);

impl Collector for StoreMetrics {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let encoder = &mut encoder;
        let statistics = self.0.statistics();
        let statements = (
            "formalize_store_statements",
            "Statements sent to the database.",
        );
        counter(encoder, statements, statistics.statements)?;
        let transactions = (
            "formalize_store_transaction_duration",
            "Duration of transactions, including the wait for a connection.",
        );
        let rows = statistics.transactions.iter().map(|row| {
            let labels = [("kind", row.kind.name()), ("outcome", row.outcome.name())];
            (labels, &row.nanoseconds)
        });
        durations(encoder, transactions, rows)?;
        let waits = (
            "formalize_store_pool_wait",
            "How long transactions waited for a connection.",
        );
        let pools = || statistics.pools.iter();
        let rows = pools().map(|pool| ([("pool", pool.name)], &pool.wait_nanoseconds));
        durations(encoder, waits, rows)?;
        let in_use = (
            "formalize_store_pool_in_use",
            "Database connections in use.",
        );
        let rows = pools().map(|pool| (pool.name, pool.in_use));
        gauges(encoder, in_use, "pool", rows)?;
        let limit = (
            "formalize_store_pool_limit",
            "Maximum number of database connections.",
        );
        let rows = pools().map(|pool| (pool.name, pool.limit));
        gauges(encoder, limit, "pool", rows)?;
        if let Some(is_standby) = statistics.is_standby {
            let role = (
                "formalize_database_role",
                "The role of the database server that was last connected to: 1 for the role in the label.",
            );
            let roles = [("primary", !is_standby), ("standby", is_standby)];
            let roles = roles.map(|(role, is_role)| (role, u32::from(is_role)));
            gauges(encoder, role, "role", roles)?;
        }
        let name = "formalize_store_commit_batch_transactions";
        let help = "Transactions per COMMIT.";
        let metric = encoder.encode_descriptor(name, help, None, MetricType::Histogram)?;
        histogram(metric, &statistics.commit_batches, 1.0)
    }
}
