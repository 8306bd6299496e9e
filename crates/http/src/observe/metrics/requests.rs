//! Metrics of requests by route.

use std::sync::atomic::AtomicI64;

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::{Registry, Unit},
};

use crate::observe::Record;

/// The upper bounds of the buckets, in seconds: from 100 µs, about the time to read an item, to 10 s.
const SECONDS: [f64; 16] = [
    0.0001, 0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
    5.0, 10.0,
];

/// The labels of requests. There is one set for each operation, and one for each HTTP method for requests that match no
/// operation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Target {
    method: &'static str,
    route: &'static str,
    surface: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    method: &'static str,
    route: &'static str,
    status: u32,
    surface: &'static str,
}

/// The number of requests, running and finished, and their durations. Clones share the counts.
#[derive(Debug, Clone)]
pub struct RequestMetrics {
    answered: Family<Answered, Counter>,
    durations: Family<Target, Histogram, fn() -> Histogram>,
    in_flight: Gauge<i64, AtomicI64>,
}

impl Default for RequestMetrics {
    fn default() -> Self {
        Self {
            answered: Family::default(),
            durations: Family::new_with_constructor(|| Histogram::new(SECONDS)),
            in_flight: Gauge::default(),
        }
    }
}

impl RequestMetrics {
    pub(in crate::observe) fn register(&self, registry: &mut Registry) {
        registry.register(
            "formalize_http_requests",
            "Completed requests by status; 499 if the client disconnected",
            self.answered.clone(),
        );
        registry.register_with_unit(
            "formalize_http_request_duration",
            "Duration from the end of the request head to the start of the response",
            Unit::Seconds,
            self.durations.clone(),
        );
        registry.register(
            "formalize_http_requests_in_flight",
            "Requests in progress",
            self.in_flight.clone(),
        );
    }

    /// Counts a request that has started.
    pub(in crate::observe) fn begins(&self) {
        self.in_flight.inc();
    }

    /// Counts a request that has ended.
    pub(in crate::observe) fn ends(&self, record: &Record, status: u16) {
        let (method, route, surface) = (record.method(), record.route(), record.surface());
        self.in_flight.dec();
        let answered = Answered {
            method,
            route,
            status: status.into(),
            surface,
        };
        self.answered.get_or_create(&answered).inc();
        self.durations
            .get_or_create(&Target {
                method,
                route,
                surface,
            })
            .observe(record.elapsed().as_secs_f64());
    }
}
