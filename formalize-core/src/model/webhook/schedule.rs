//! When a failed delivery is attempted again, and when a webhook backs off.

use std::time::Duration;

use crate::model::webhook::{
    AttemptError, FAILURES_TO_BACK_OFF, WebhookAnswer, WebhookHealth, is_backing_off,
};
use crate::time::Timestamp;

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

const HOUR: u64 = 3600;

/// The waits between the attempts of a delivery.
const WAITS: [Duration; 9] = [
    seconds(5),
    seconds(60),
    seconds(5 * 60),
    seconds(30 * 60),
    seconds(HOUR),
    seconds(2 * HOUR),
    seconds(4 * HOUR),
    seconds(6 * HOUR),
    LONGEST_WAIT,
];

/// The last wait, and the longest that a receiver can ask for.
const LONGEST_WAIT: Duration = seconds(10 * HOUR);

/// After this number of attempts that count, a delivery is given up.
pub(crate) const MAX_COUNTED: i64 = 10;

/// The first pause of a webhook that backs off, and the longest. Each is twice as long as the one before.
const FIRST_PAUSE: Duration = seconds(30);
const LONGEST_PAUSE: Duration = seconds(15 * 60);

/// What an attempt means for its delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The receiver accepted it.
    Delivered,
    /// The receiver wants no more events.
    Gone,
    /// It failed.
    Failed {
        error: AttemptError,
        /// Whether the receiver refused this event itself. An outage or an overload does not count.
        counts: bool,
        /// The wait that the receiver asks for.
        retry_after: Option<Duration>,
    },
}

impl Outcome {
    /// Judges the result of a request.
    pub(crate) fn of(result: Result<WebhookAnswer, AttemptError>) -> Self {
        let failed = |error, counts, retry_after| Self::Failed {
            error,
            counts,
            retry_after,
        };
        match result {
            Err(error) => failed(error, false, None),
            Ok(answer) => match answer.status {
                200..=299 => Self::Delivered,
                410 => Self::Gone,
                429 | 503 => failed(AttemptError::Status, false, answer.retry_after),
                502 | 504 => failed(AttemptError::Status, false, None),
                _ => failed(AttemptError::Status, true, None),
            },
        }
    }
}

/// How long a delivery waits after it has failed for the given number of times. `chance` is from 0 to 1; it spreads the
/// waits of many deliveries that failed together.
pub(crate) fn wait_after(tries: i64, retry_after: Option<Duration>, chance: f64) -> Duration {
    let index = usize::try_from(tries.saturating_sub(1)).unwrap_or_default();
    let wait = WAITS.get(index).copied().unwrap_or(LONGEST_WAIT);
    let wait = wait.mul_f64(0.8 + 0.4 * chance.clamp(0.0, 1.0));
    wait.max(retry_after.unwrap_or_default().min(LONGEST_WAIT))
}

/// The state of a webhook after one more failure, of an attempt that began at this time.
///
/// An attempt that began before the end of a pause is not one that the pause was to prevent: it was under way when the pause
/// began, or somebody asked for it. It says nothing new, so that a burst of failures is one reason to pause, not several.
pub(crate) fn back_off(health: WebhookHealth, began: Timestamp, now: Timestamp) -> WebhookHealth {
    if health.resumes.is_some_and(|resumes| began < resumes) {
        return health;
    }
    let failures = health.failures.saturating_add(1);
    let resumes = is_backing_off(failures).then(|| {
        let doublings = u32::try_from(failures - FAILURES_TO_BACK_OFF).unwrap_or(u32::MAX);
        let pause = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(doublings));
        now.saturating_add(pause.min(LONGEST_PAUSE))
    });
    WebhookHealth {
        failures,
        failing_since: health.failing_since.or(Some(now)),
        resumes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16) -> WebhookAnswer {
        WebhookAnswer {
            status,
            retry_after: Some(seconds(7)),
        }
    }

    #[test]
    fn answers_are_judged_by_their_status() {
        for status in [200, 204, 299] {
            assert_eq!(
                Outcome::of(Ok(answer(status))),
                Outcome::Delivered,
                "{status}"
            );
        }
        assert_eq!(Outcome::of(Ok(answer(410))), Outcome::Gone);
        for (status, counts, retry_after) in [
            (100, true, None),
            (301, true, None),
            (307, true, None),
            (400, true, None),
            (404, true, None),
            (500, true, None),
            (429, false, Some(seconds(7))),
            (502, false, None),
            (503, false, Some(seconds(7))),
            (504, false, None),
        ] {
            let error = AttemptError::Status;
            let expected = Outcome::Failed {
                error,
                counts,
                retry_after,
            };
            assert_eq!(Outcome::of(Ok(answer(status))), expected, "{status}");
        }
        for error in [AttemptError::Dns, AttemptError::Timeout, AttemptError::Tls] {
            let outcome = Outcome::of(Err(error));
            assert!(matches!(outcome, Outcome::Failed { counts: false, .. }));
        }
    }

    #[test]
    fn ten_attempts_take_about_a_day() {
        let total: Duration = (1..MAX_COUNTED)
            .map(|tries| wait_after(tries, None, 0.5))
            .sum();
        assert_eq!(total, seconds(5 + 60 + 5 * 60 + 30 * 60 + 23 * HOUR));
        assert_eq!(wait_after(1, None, 0.0), seconds(4));
        assert_eq!(wait_after(1, None, 1.0), seconds(6));
        assert_eq!(wait_after(50, None, 0.5), seconds(10 * HOUR));
    }

    #[test]
    fn receivers_can_ask_for_a_longer_wait_of_ten_hours_at_most() {
        assert_eq!(wait_after(1, Some(seconds(90)), 0.5), seconds(90));
        assert_eq!(wait_after(2, Some(seconds(1)), 0.5), seconds(60));
        assert_eq!(wait_after(1, Some(seconds(11 * HOUR)), 0.5), LONGEST_WAIT);
    }

    #[test]
    fn pauses_double_to_a_quarter_of_an_hour() {
        let now = Timestamp::from_millis(0).unwrap();
        let mut health = WebhookHealth::default();
        let mut pauses = Vec::new();
        for _ in 0..12 {
            let began = health.resumes.unwrap_or(now);
            health = back_off(health, began, began);
            pauses.push(
                health
                    .resumes
                    .map(|at| (at.as_millis() - began.as_millis()) / 1000),
            );
        }
        assert_eq!(pauses[..4], [None; 4]);
        let expected = [30, 60, 120, 240, 480, 900, 900, 900].map(Some);
        assert_eq!(pauses[4..], expected);
        assert_eq!(health.failing_since, Some(now));
        health.failures = i64::MAX;
        let resumes = health.resumes.unwrap();
        let _ = back_off(health, resumes, resumes);
    }

    #[test]
    fn attempts_under_way_when_a_pause_begins_do_not_lengthen_it() {
        let at = |millis| Timestamp::from_millis(millis).unwrap();
        let mut health = WebhookHealth::default();
        // A burst of twelve, of which all begin before the first has failed.
        for number in 0..12 {
            health = back_off(health, at(number), at(1_000 + number));
        }
        assert_eq!(health.failures, 5);
        assert_eq!(health.resumes, Some(at(1_004 + 30_000)));
        // Slow ones may even end after the pause.
        let late = back_off(health, at(1_003), at(60_000));
        assert_eq!(late, health);
        let next = back_off(health, at(31_004), at(31_005));
        assert_eq!(
            (next.failures, next.resumes),
            (6, Some(at(31_005 + 60_000)))
        );
    }
}
