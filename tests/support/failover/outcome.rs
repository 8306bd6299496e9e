//! What users noticed of a blow, and the rules for it.

use std::time::Duration;

use comfy_table::{Table, presets};
use tokio::time::Instant;

use super::{Blow, Through};
use crate::endurance::Entry;

/// The time within which writes must succeed after PostgreSQL takes them again.
pub const RETURN: Duration = Duration::from_secs(2);

/// The same on a machine that may be busy.
pub const RETURN_IF_BUSY: Duration = Duration::from_secs(5);

/// The setting `database_wait` of the recipe, which no request may exceed in a planned switchover.
pub(super) const DATABASE_WAIT: Duration = Duration::from_secs(10);

/// The longest time that a request may take otherwise. It is repeated for `database_wait`, the last repetition waits for a
/// connection as long, and if that is lost during the COMMIT, the search for the outcome takes as long, too.
const LONGEST: Duration = Duration::from_secs(30);

/// The longest time if nothing closes the connection to a primary that does not respond. The server waits until another node is
/// the primary, at most for the default of `statement_timeout` and two seconds, and then for `database_wait`.
const SILENCE: Duration = Duration::from_secs(42);

/// All that happened during a blow, from a second before it until the cluster was complete again.
#[derive(Debug)]
pub struct Outcome {
    pub(super) blow: Blow,
    pub(super) through: Through,
    pub(super) dealt: Instant,
    /// The requests of all users.
    pub(super) entries: Vec<Entry>,
    /// When PostgreSQL itself committed a write of the probe.
    pub(super) commits: Vec<Instant>,
}

impl Outcome {
    fn count(&self, matches: impl Fn(&Entry) -> bool) -> usize {
        self.entries.iter().filter(|entry| matches(entry)).count()
    }

    /// Requests that were answered with a 500 or another server error than 503.
    fn errors(&self) -> usize {
        self.count(|entry| entry.status.is_some_and(|it| it >= 500 && it != 503))
    }

    fn unavailable(&self) -> usize {
        self.count(|entry| entry.status == Some(503))
    }

    fn unanswered(&self) -> usize {
        self.count(|entry| entry.status.is_none())
    }

    fn without_retry_after(&self) -> usize {
        self.count(|entry| entry.status == Some(503) && !entry.has_retry_after)
    }

    fn slowest(&self) -> Duration {
        let times = self.entries.iter().map(|it| it.ended - it.began);
        times.max().unwrap_or_default()
    }

    /// When writes were acknowledged.
    fn acknowledgements(&self) -> Vec<Instant> {
        let acknowledged = self.entries.iter().filter(|it| it.acknowledged);
        acknowledged.map(|it| it.ended).collect()
    }

    /// How much longer writes were away than PostgreSQL: from its first commit after the interruption to the first
    /// acknowledgement after that.
    fn delay(&self) -> Duration {
        let Some((_, back)) = longest_gap(&self.commits, self.dealt) else {
            return Duration::ZERO;
        };
        let next = self.acknowledgements().into_iter().find(|it| *it >= back);
        next.map_or(Duration::from_hours(1), |it| it - back)
    }

    /// The rules that were broken. `back_within` is the time within which writes must succeed after PostgreSQL takes them again.
    pub fn broken(&self, back_within: Duration) -> Vec<String> {
        let mut broken = Vec::new();
        let mut check = |number: usize, what: &str| {
            if number > 0 {
                broken.push(format!("{}: {number} {what}", self.blow));
            }
        };
        check(self.errors(), "responses with status 500");
        check(self.unanswered(), "requests without a response");
        check(
            self.without_retry_after(),
            "responses 503 without Retry-After",
        );
        let limit = match (self.through, self.blow) {
            (_, Blow::Switchover) => DATABASE_WAIT,
            (Through::Hosts, Blow::Freeze) => SILENCE,
            _ => LONGEST,
        };
        if limit == DATABASE_WAIT {
            check(self.unavailable(), "responses 503 in a planned switchover");
        }
        let (slowest, delay) = (self.slowest(), self.delay());
        if slowest > limit {
            broken.push(format!("{}: a request took {slowest:.1?}", self.blow));
        }
        if delay > back_within {
            broken.push(format!(
                "{}: writes came back {delay:.1?} after PostgreSQL took them again",
                self.blow
            ));
        }
        broken
    }

    fn row(&self) -> [String; 9] {
        let away = |times: &[Instant]| {
            let gap = longest_gap(times, self.dealt);
            seconds(gap.map_or(Duration::ZERO, |(from, to)| to - from))
        };
        [
            self.blow.to_string(),
            self.entries.len().to_string(),
            self.errors().to_string(),
            self.unavailable().to_string(),
            self.unanswered().to_string(),
            seconds(self.slowest()),
            away(&self.commits),
            away(&self.acknowledgements()),
            seconds(self.delay()),
        ]
    }
}

/// The longest time from `since` or a later moment until the next one.
fn longest_gap(times: &[Instant], since: Instant) -> Option<(Instant, Instant)> {
    let mut later: Vec<_> = times.iter().copied().filter(|it| *it >= since).collect();
    later.sort_unstable();
    let starts = std::iter::once(since).chain(later.iter().copied());
    starts
        .zip(later.iter().copied())
        .max_by_key(|(from, to)| *to - *from)
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

/// A table of outcomes for people.
pub fn table(outcomes: &[Outcome]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header([
        "blow",
        "requests",
        "500",
        "503",
        "no response",
        "slowest",
        "PostgreSQL away",
        "writes away",
        "delay",
    ]);
    for outcome in outcomes {
        table.add_row(outcome.row());
    }
    table.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn entry(status: Option<u16>, from: Instant, seconds: u32) -> Entry {
        Entry {
            began: from,
            ended: from + SECOND * seconds,
            status,
            has_retry_after: status == Some(503),
            acknowledged: status == Some(201),
        }
    }

    fn outcome(entries: Vec<Entry>, dealt: Instant) -> Outcome {
        Outcome {
            blow: Blow::Switchover,
            through: Through::Hosts,
            dealt,
            entries,
            commits: vec![dealt, dealt + SECOND * 4],
        }
    }

    #[test]
    fn each_rule_can_be_broken() {
        let dealt = Instant::now();
        let good = entry(Some(201), dealt, 4);
        assert!(outcome(vec![good], dealt).broken(RETURN).is_empty());
        let advised = entry(Some(503), dealt, 0);
        let not_advised = Entry {
            has_retry_after: false,
            ..advised
        };
        for (bad, expected) in [
            (entry(Some(500), dealt, 0), "status 500"),
            (entry(None, dealt, 0), "without a response"),
            (advised, "in a planned switchover"),
            (not_advised, "without Retry-After"),
            (entry(Some(200), dealt, 11), "a request took 11"),
        ] {
            let broken = outcome(vec![good, bad], dealt).broken(RETURN).join("\n");
            assert!(broken.contains(expected), "{expected}: {broken}");
        }
        let late = outcome(vec![entry(Some(201), dealt + SECOND * 3, 4)], dealt);
        let broken = late.broken(RETURN).join("\n");
        assert!(broken.contains("came back 3"), "{broken}");
    }

    #[test]
    fn interruptions_are_measured_from_the_blow() {
        let dealt = Instant::now();
        let at = |seconds: u32| dealt + SECOND * seconds;
        let before = dealt.checked_sub(SECOND * 60).unwrap_or(dealt);
        let times = [before, at(3), at(4), at(6)];
        assert_eq!(longest_gap(&times, dealt), Some((dealt, at(3))));
        assert_eq!(longest_gap(&[before], dealt), None);
    }
}
