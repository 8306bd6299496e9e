//! The results of a run.

use std::fmt;
use std::time::Duration;

/// The results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    /// The number of kills.
    pub kills: u64,
    /// How often the database was unavailable while the server kept running.
    pub outages: u64,
    /// The number of requests, except those that compare records.
    pub requests: u64,
    /// Requests that got no response or a server error.
    pub interrupted: u64,
    /// Acknowledged writes, each of which was checked afterwards.
    pub acknowledged: u64,
    /// Submissions with keys that were sent again after a failure.
    pub sent_again: u64,
    /// Events that were read from the change feed.
    pub events: u64,
    /// Requests of webhooks.
    pub deliveries: u64,
    /// Exports that were complete.
    pub exports: u64,
    /// Contents of files that were read and compared.
    pub files: u64,
    /// How often an acknowledged write was missing or a write was incomplete. The first one ends the run.
    pub lost: u64,
    /// The number of invariants times how often they were checked.
    pub invariants: u64,
    /// The longest time from a start or the return of a database until the service was ready.
    pub slowest_recovery: Duration,
}

impl fmt::Display for Figures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, number) in [
            ("kills survived", self.kills),
            ("outages survived", self.outages),
            ("requests made", self.requests),
            ("  of these interrupted", self.interrupted),
            ("acknowledged writes checked", self.acknowledged),
            ("keys sent again", self.sent_again),
            ("events read", self.events),
            ("webhook requests", self.deliveries),
            ("complete exports", self.exports),
            ("contents compared", self.files),
            ("lost", self.lost),
            ("invariants checked", self.invariants),
        ] {
            writeln!(formatter, "{name:<28} {number}")?;
        }
        let slowest = self.slowest_recovery.as_millis();
        write!(formatter, "{:<28} {slowest} ms", "slowest recovery")
    }
}
