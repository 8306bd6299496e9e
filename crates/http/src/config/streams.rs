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
        // All settings are read before the first `?`, so that all problems are reported.
        let limit = sources.value(&setting::EVENT_STREAM_LIMIT);
        let heartbeat = sources.value(&setting::EVENT_STREAM_HEARTBEAT);
        Ok(Self {
            limit: limit?,
            heartbeat: heartbeat?,
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
