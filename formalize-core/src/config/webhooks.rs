//! The settings of webhooks that all programs on a database share.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::events::Retention;
use super::setting::{WEBHOOK_ALLOWED_TARGETS, WEBHOOK_LOG_RETENTION};
use super::{InvalidSetting, Problem, Sources};
use crate::{AllowedTarget, AllowedTargets};

/// The settings of webhooks that all programs on a database must have in common.
///
/// ```
/// use std::time::Duration;
/// use formalize_core::config::{Sources, WebhookSettings};
///
/// let mut sources = Sources::new(toml::Table::new())
///     .variable("FORMALIZE_WEBHOOK_ALLOWED_TARGETS", "10.20.0.0/16,hooks.example.org");
/// let webhooks = WebhookSettings::read(&mut sources)?;
/// assert!(webhooks.allowed_targets.allows_address(None, "10.20.0.1".parse().unwrap()));
/// assert_eq!(webhooks.log_retention, Duration::from_hours(7 * 24));
/// # Ok::<(), formalize_core::config::ConfigError>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct WebhookSettings {
    /// How long deliveries and attempts are kept.
    pub log_retention: Duration,
    /// To what webhooks may send besides the public internet.
    pub allowed_targets: AllowedTargets,
}

impl WebhookSettings {
    /// Reads the settings.
    ///
    /// # Errors
    ///
    /// If one of them is invalid.
    pub fn read(sources: &mut Sources) -> Result<Self, Problem> {
        // All are read before the first `?`, so that all problems are reported.
        let log_retention = sources.value::<LogRetention>(&WEBHOOK_LOG_RETENTION);
        let allowed_targets = sources.list::<AllowedTarget>(&WEBHOOK_ALLOWED_TARGETS);
        Ok(Self {
            log_retention: log_retention?.0,
            allowed_targets: AllowedTargets::new(allowed_targets?),
        })
    }
}

/// How long deliveries are kept: from an hour to 400 days.
struct LogRetention(Duration);

impl FromStr for LogRetention {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let longest = Duration::from_hours(400 * 24);
        let retention = Retention::hours(text).filter(|time| *time <= longest && !time.is_zero());
        retention.map(Self).ok_or(InvalidSetting(
            "from `1h` to `400d`, such as `7d` (h, d, w)",
        ))
    }
}

impl fmt::Display for LogRetention {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}h", self.0.as_secs() / 3600)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<WebhookSettings, String> {
        let mut sources = Sources::new(text.parse().unwrap());
        let settings = WebhookSettings::read(&mut sources);
        sources.finish(&[]).map_err(|error| error.to_string())?;
        Ok(settings.unwrap())
    }

    #[test]
    fn every_problem_is_reported() {
        let refused =
            read("webhook_log_retention = '0d'\nwebhook_allowed_targets = ['*.example.org']")
                .unwrap_err();
        let keys: Vec<&str> = refused
            .lines()
            .filter_map(|line| line.split(':').next())
            .collect();
        assert_eq!(keys, ["webhook_allowed_targets", "webhook_log_retention"]);
        for (text, fits) in [("1h", true), ("400d", true), ("401d", false), ("7", false)] {
            assert_eq!(
                read(&format!("webhook_log_retention = '{text}'")).is_ok(),
                fits,
                "{text}"
            );
        }
    }
}
