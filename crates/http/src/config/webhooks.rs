//! The settings of webhooks.

use std::time::Duration;

use formalize_core::{
    bounded_settings,
    config::{EventSettings, Problem, Sources, WebhookSettings},
};

use super::{Count, Period, Switch, setting};

/// The settings of webhooks: those of all programs, and how this server delivers.
#[derive(Debug, Clone)]
pub struct DeliverySettings {
    /// What the command line reads, too.
    pub shared: WebhookSettings,
    /// The maximum number of requests at a time.
    pub concurrency: Count,
    /// How long a webhook may fail until it is disabled.
    pub disable_after: DisableAfter,
    /// Whether this server delivers.
    pub is_on: bool,
}

impl DeliverySettings {
    pub(super) fn read(sources: &mut Sources) -> Result<Self, Problem> {
        Ok(read_all! {
            shared: WebhookSettings::read(sources),
            concurrency: sources.value(&setting::WEBHOOK_CONCURRENCY),
            disable_after: sources.value(&setting::WEBHOOK_DISABLE_AFTER),
            is_on: sources.value(&setting::WEBHOOK_DELIVERY).map(|Switch(is_on)| is_on),
        })
    }

    /// Checks that no event is deleted before the webhooks that fail are disabled, so that none is lost unnoticed.
    pub(super) fn check(&self, events: EventSettings) -> Result<(), Problem> {
        let day = Duration::from_hours(24);
        if self.is_on && self.disable_after.0 + day > events.retention {
            return Err(Problem {
                key: setting::WEBHOOK_DISABLE_AFTER.key.to_owned(),
                message: "must be at least a day shorter than `event_retention`".to_owned(),
            });
        }
        Ok(())
    }
}

bounded_settings! {
    /// How long a webhook may fail until it is disabled: from a second to 30 days.
    pub DisableAfter(Duration) = Period in Duration::from_secs(1)..=Duration::from_hours(30 * 24), "from `1s` to `30d`";
}
