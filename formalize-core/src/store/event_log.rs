//! The extent of the event log, and places in it.

/// The extent of the event log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EventLog {
    /// A number that changes if positions were given a second time because a backup was restored. A new store has zero.
    pub epoch: i64,
    /// The position of the last event; zero if there was none.
    pub last: i64,
    /// The position of the last event that was deleted; zero if there was none.
    pub purged_to: i64,
}

/// A place in the event log: behind a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventPlace {
    /// The epoch of the log to which the position belongs.
    pub epoch: i64,
    /// The position of the last event before the place.
    pub position: i64,
}

impl EventLog {
    /// Whether the log still has everything behind a place.
    pub fn continues(self, place: EventPlace) -> bool {
        let is_within = self.purged_to <= place.position && place.position <= self.last;
        self.epoch == place.epoch && is_within
    }
}

/// A part of the event log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventWindow {
    /// Only events at higher positions.
    pub after: i64,
    /// Only events at this position and at lower ones.
    pub to: i64,
    /// At most this number of events.
    pub limit: u64,
}
