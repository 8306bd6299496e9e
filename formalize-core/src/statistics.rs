//! Counters for monitoring.
//!
//! [`Formalize::statistics`](crate::Formalize::statistics), and stores that count, return them as plain numbers, which a server
//! exports in the format of its monitoring system. Counting is always enabled and costs a few additions. All counters start at zero with
//! the process and only increase.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::model::event_type::EventType;

/// Counters of a [`Formalize`](crate::Formalize).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Statistics {
    /// The cache of compiled schemas.
    pub validators: CacheStatistics,
    /// The event log.
    pub events: EventStatistics,
    /// How often a transaction was repeated because the connection to the store was lost, or because of a conflict.
    pub retries: u64,
    /// Requests with an idempotency key.
    pub keys: KeyStatistics,
    /// The submissions of batches.
    pub batch_items: BatchItemStatistics,
    /// Deliveries of webhooks.
    pub deliveries: DeliveryStatistics,
    /// What [maintenance](crate::Formalize::maintain) has deleted.
    pub maintenance: MaintenanceStatistics,
}

/// The deliveries of all webhooks that were pending at the last [maintenance](crate::Formalize::maintain).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct DeliveryStatistics {
    /// Their number.
    pub pending: u64,
    /// The time since the oldest of them was queued; zero if there were none.
    pub oldest_pending: Duration,
}

/// The number of records that the maintenance of this process has deleted, because they were kept long enough, and how its
/// steps ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct MaintenanceStatistics {
    /// Events.
    pub events: u64,
    /// Responses to requests with an idempotency key.
    pub kept_responses: u64,
    /// Successful deliveries of webhooks.
    pub deliveries: u64,
    /// Attempts of webhooks.
    pub attempts: u64,
    /// Copies of deleted submissions.
    pub data: u64,
    /// How the steps ended.
    pub steps: MaintenanceSteps,
}

/// How the steps of the maintenance of this process ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MaintenanceSteps([StepState; MaintenanceStep::ALL.len()]);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct StepState {
    failures: u64,
    is_failing: bool,
}

impl MaintenanceSteps {
    pub(crate) fn ended(&mut self, step: MaintenanceStep, well: bool) {
        if let Some(state) = self.0.get_mut(step as usize) {
            state.is_failing = !well;
            state.failures += u64::from(!well);
        }
    }

    /// Each step, and how often it has failed.
    pub fn failures(&self) -> impl Iterator<Item = (MaintenanceStep, u64)> {
        let states = self.0.iter().map(|state| state.failures);
        MaintenanceStep::ALL.into_iter().zip(states)
    }

    /// The steps that failed when they were last performed.
    pub fn failing(&self) -> impl Iterator<Item = MaintenanceStep> {
        let states = MaintenanceStep::ALL.into_iter().zip(self.0);
        states.filter_map(|(step, state)| state.is_failing.then_some(step))
    }
}

macro_rules! maintenance_steps {
    ($($(#[doc = $doc:literal])+ $step:ident $name:literal,)+) => {
        /// A step of [maintenance](crate::Formalize::maintain).
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum MaintenanceStep {
            $($(#[doc = $doc])+ $step,)+
        }

        impl MaintenanceStep {
            /// All steps, in the order in which they are performed.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$step),+];

            /// The name, as in metrics.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$step => $name,)+
                }
            }
        }
    };
}

maintenance_steps! {
    /// Deletes sessions that have ended.
    Sessions "sessions",
    /// Deletes responses to requests with an idempotency key.
    Keys "keys",
    /// Counts events without a position.
    Arrivals "arrivals",
    /// Deletes webhooks of deleted forms.
    Webhooks "webhooks",
    /// Counts pending deliveries.
    Pending "pending",
    /// Deletes successful deliveries.
    Deliveries "deliveries",
    /// Deletes attempts of deliveries.
    Attempts "attempts",
    /// Deletes copies of deleted submissions.
    Data "data",
    /// Deletes old events.
    Events "events",
    /// Deletes what remains of deleted forms.
    Remains "remains",
}

/// The number of requests with an idempotency key, by outcome. Requests that were refused or failed are not counted,
/// because their keys are still unused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct KeyStatistics {
    /// They were performed.
    pub first: u64,
    /// They had been performed before, so they got the response that was kept.
    pub repeated: u64,
    /// They were refused, because another request had the same key.
    pub reused: u64,
    /// They were refused, because a request with the same key did not end in time.
    pub in_use: u64,
}

/// The number of submissions in [batches](crate::submissions::SubmissionBatch), by outcome. Those that were only checked are not
/// counted, nor are those that were not created because others of the same batch were refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct BatchItemStatistics {
    /// They were created.
    pub created: u64,
    /// They had been created before, with the same key.
    pub repeated: u64,
    /// They were refused.
    pub refused: u64,
}

/// Counters of the event log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct EventStatistics {
    /// The number of events that this process has written, by type.
    pub written: Vec<(EventType, u64)>,
    /// The highest position that this process knows: at the last reading or [maintenance](crate::Formalize::maintain).
    pub last_position: i64,
    /// The number of events that had no position at the last maintenance, counted up to a million.
    pub arrivals: i64,
}

/// Counters of a cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CacheStatistics {
    /// The number of look-ups that found an entry.
    pub hits: u64,
    /// The number of look-ups that did not find an entry.
    pub misses: u64,
    /// The current number of entries.
    pub entries: u64,
    /// The estimated size of the entries in bytes.
    pub bytes: u64,
}

/// A histogram: the number of values in each range.
///
/// ```
/// use formalize_core::statistics::HistogramSnapshot;
///
/// fn seconds(nanoseconds: &HistogramSnapshot) -> f64 {
///     nanoseconds.sum() as f64 / 1e9
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistogramSnapshot {
    bounds: &'static [u64],
    counts: Vec<u64>,
    sum: u64,
}

impl HistogramSnapshot {
    /// The ranges with their counts. A range is given by its largest value; the last one, `None`, is unbounded.
    pub fn ranges(&self) -> impl Iterator<Item = (Option<u64>, u64)> {
        let bounds = self.bounds.iter().copied().map(Some);
        let bounds = bounds.chain(std::iter::once(None));
        bounds.zip(self.counts.iter().copied())
    }

    /// The number of values.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The sum of all values.
    pub fn sum(&self) -> u64 {
        self.sum
    }
}

/// Counts values by range. A snapshot during concurrent updates is approximate, but no update is lost, and
/// [`HistogramSnapshot::count`] always matches its ranges.
#[derive(Debug)]
pub struct Histogram {
    bounds: &'static [u64],
    counts: Box<[AtomicU64]>,
    sum: AtomicU64,
}

/// The ranges of durations in nanoseconds: from 50 µs, the time of reading a record from SQLite, to 10 s.
const DURATIONS: &[u64] = &[
    50_000,
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    25_000_000,
    50_000_000,
    100_000_000,
    250_000_000,
    500_000_000,
    1_000_000_000,
    2_500_000_000,
    5_000_000_000,
    10_000_000_000,
];

impl Histogram {
    /// Creates a histogram with ranges that end at these bounds, and one for larger values.
    pub fn new(bounds: &'static [u64]) -> Self {
        Self {
            bounds,
            counts: (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect(),
            sum: AtomicU64::new(0),
        }
    }

    /// Creates a histogram of durations.
    pub fn of_durations() -> Self {
        Self::new(DURATIONS)
    }

    /// Counts a value.
    pub fn add(&self, number: u64) {
        let range = self.bounds.partition_point(|bound| *bound < number);
        if let Some(count) = self.counts.get(range) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.sum.fetch_add(number, Ordering::Relaxed);
    }

    /// Counts a duration in nanoseconds.
    pub fn add_duration(&self, duration: Duration) {
        self.add(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX));
    }

    /// The current counts.
    pub fn snapshot(&self) -> HistogramSnapshot {
        let counts = self.counts.iter();
        HistogramSnapshot {
            bounds: self.bounds,
            counts: counts.map(|count| count.load(Ordering::Relaxed)).collect(),
            sum: self.sum.load(Ordering::Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upper_bounds_are_inclusive() {
        let tally = Histogram::new(&[1, 10]);
        for number in [0, 1, 2, 10, 11, 1000] {
            tally.add(number);
        }
        let distribution = tally.snapshot();
        let ranges: Vec<_> = distribution.ranges().collect();
        assert_eq!(ranges, [(Some(1), 2), (Some(10), 2), (None, 2)]);
        assert_eq!((distribution.count(), distribution.sum()), (6, 1024));
    }

    #[test]
    fn concurrent_updates_are_not_lost() {
        let tally = Histogram::of_durations();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for micros in 0..5_000 {
                        tally.add_duration(Duration::from_micros(micros));
                    }
                });
            }
        });
        let distribution = tally.snapshot();
        assert_eq!(distribution.count(), 4 * 5_000);
        assert_eq!(distribution.sum(), 4 * 1_000 * (4_999 * 5_000 / 2));
        assert_eq!(distribution.ranges().next(), Some((Some(50_000), 4 * 51)));
    }
}
