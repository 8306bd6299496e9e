//! The settings of streams of events.

use std::time::Duration;

use formalize_core::{
    bounded_settings,
    config::{Problem, Sources},
};

use super::{Count, Period, setting};

/// The settings of streams of events.
#[derive(Debug, Clone, Copy)]
pub struct StreamSettings {
    /// The maximum number of streams at a time.
    pub limit: Count,
    /// How often something is sent if nothing happens.
    pub heartbeat: Heartbeat,
}

impl StreamSettings {
    pub(super) fn read(sources: &mut Sources) -> Result<Self, Problem> {
        Ok(read_all! {
            limit: sources.value(&setting::EVENT_STREAM_LIMIT),
            heartbeat: sources.value(&setting::EVENT_STREAM_HEARTBEAT),
        })
    }
}

impl Default for StreamSettings {
    fn default() -> Self {
        Self {
            limit: Count(100),
            heartbeat: Heartbeat(Duration::from_secs(15)),
        }
    }
}

bounded_settings! {
    /// How often something is sent on a stream if nothing happens: from five seconds to a minute.
    pub Heartbeat(Duration) = Period in Duration::from_secs(5)..=Duration::from_mins(1), "from `5s` to `60s`";
}
