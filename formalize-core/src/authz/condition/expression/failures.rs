//! Limits how often the failures of a condition are logged.

use std::mem;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long further failures are only counted.
const PERIOD: Duration = Duration::from_mins(1);

/// The failures of one condition. Every request evaluates conditions, so that without a limit a user whose token lacks an
/// attribute could fill the log.
#[derive(Default)]
pub(super) struct Failures(Mutex<State>);

#[derive(Default)]
struct State {
    logged: Option<Instant>,
    omitted: u64,
}

impl Failures {
    /// Counts a failure. If it is to be logged, returns how many were omitted since the last one that was.
    pub(super) fn count(&self, now: Instant) -> Option<u64> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_recent = |logged| now.saturating_duration_since(logged) < PERIOD;
        if state.logged.is_some_and(is_recent) {
            state.omitted = state.omitted.saturating_add(1);
            return None;
        }
        state.logged = Some(now);
        Some(mem::take(&mut state.omitted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failure_a_minute_is_logged_with_the_number_of_the_others() {
        let failures = Failures::default();
        let begin = Instant::now();
        let after = |seconds| failures.count(begin + Duration::from_secs(seconds));
        let counted = [0, 1, 59, 60, 61, 119, 120, 300].map(after);
        let expected = [Some(0), None, None, Some(2), None, None, Some(2), Some(0)];
        assert_eq!(counted, expected);
    }
}
