//! Metrics of webhooks.

use std::time::Duration;

use formalize_core::webhooks::{AttemptError, DisabledReason};
use prometheus_client::{
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::{Registry, Unit},
};

use super::Labels;

/// The upper bounds of the buckets, in seconds.
const SECONDS: [f64; 8] = [0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 15.0, 30.0];

/// The number of attempts by outcome, how long they took, and what was given up. Clones share the counts.
#[derive(Debug, Clone)]
pub struct WebhookMetrics {
    attempts: Family<Labels<1>, Counter>,
    durations: Histogram,
    dead: Counter,
    disabled: Family<Labels<1>, Counter>,
}

impl Default for WebhookMetrics {
    fn default() -> Self {
        Self {
            attempts: Family::default(),
            durations: Histogram::new(SECONDS),
            dead: Counter::default(),
            disabled: Family::default(),
        }
    }
}

impl WebhookMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        // Counters begin with zero, so that the first increase is seen.
        let errors = AttemptError::ALL.iter().map(|error| error.as_str());
        for outcome in errors.chain(["delivered", "gone"]) {
            drop(self.attempts.get_or_create(&[("outcome", outcome)]));
        }
        for reason in [DisabledReason::Gone, DisabledReason::Failing] {
            let labels = [("reason", reason.as_str())];
            drop(self.disabled.get_or_create(&labels));
        }
        registry.register(
            "formalize_webhook_attempts",
            "Requests to receivers of webhooks, by outcome",
            self.attempts.clone(),
        );
        registry.register_with_unit(
            "formalize_webhook_attempt_duration",
            "How long requests to receivers took",
            Unit::Seconds,
            self.durations.clone(),
        );
        registry.register(
            "formalize_webhook_dead",
            "Deliveries that were given up",
            self.dead.clone(),
        );
        registry.register(
            "formalize_webhook_disabled",
            "Webhooks that the service has disabled, by reason",
            self.disabled.clone(),
        );
    }

    /// Counts an attempt.
    pub fn attempted(&self, outcome: &'static str, duration: Duration) {
        self.attempts.get_or_create(&[("outcome", outcome)]).inc();
        self.durations.observe(duration.as_secs_f64());
    }

    /// Counts deliveries that were given up.
    pub fn gave_up(&self, deliveries: u64) {
        self.dead.inc_by(deliveries);
    }

    /// Counts a webhook that the service has disabled.
    pub fn disabled(&self, reason: &'static str) {
        self.disabled.get_or_create(&[("reason", reason)]).inc();
    }
}
