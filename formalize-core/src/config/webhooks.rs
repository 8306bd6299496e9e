//! The settings of webhooks that server and command line share.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::events::Retention;
use super::setting::{
    WEBHOOK_ALLOWED_TARGETS, WEBHOOK_LOG_RETENTION, WEBHOOK_PROXY, WEBHOOK_SECRET_KEYS,
    WEBHOOK_TIMEOUT,
};
use super::units::bounded_settings;
use super::{EgressProxy, InvalidSetting, OrOff, Period, Problem, Sources};
use crate::model::target::{AllowedTarget, AllowedTargets};
use crate::model::webhook::{InvalidSecretKey, SecretKeys};

/// The settings of webhooks that server and command line share. All programs on a database must have the same ones, but for
/// [`timeout`](Self::timeout) and [`proxy`](Self::proxy).
///
/// ```
/// use std::time::Duration;
/// use formalize_core::config::{Sources, WebhookSettings};
///
/// let mut sources = Sources::new(toml::Table::new())
///     .variable("FORMALIZE_WEBHOOK_ALLOWED_TARGETS", "10.20.0.0/16,hooks.example.org");
/// let webhooks = WebhookSettings::read(&mut sources)?;
/// assert!(webhooks.allowed_targets.allows_address(None, "10.20.0.1".parse().unwrap()));
/// assert!(webhooks.secret_keys.is_empty());
/// assert_eq!(webhooks.log_retention, Duration::from_hours(7 * 24));
/// assert_eq!((webhooks.timeout, webhooks.proxy), (Duration::from_secs(15), None));
/// # Ok::<(), formalize_core::config::ConfigError>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct WebhookSettings {
    /// How long deliveries and attempts are kept; see
    /// [`Builder::webhook_log_retention`](crate::Builder::webhook_log_retention).
    pub log_retention: Duration,
    /// To what webhooks may send besides the public internet; see
    /// [`Builder::webhook_allowed_targets`](crate::Builder::webhook_allowed_targets).
    pub allowed_targets: AllowedTargets,
    /// The keys that encrypt secrets; see [`Builder::webhook_secret_keys`](crate::Builder::webhook_secret_keys).
    pub secret_keys: SecretKeys,
    /// How long a receiver may take to respond; see [`Builder::webhook_timeout`](crate::Builder::webhook_timeout).
    pub timeout: Duration,
    /// The proxy through which all requests are sent.
    pub proxy: Option<EgressProxy>,
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
        let secret_keys = sources.list::<SecretKey>(&WEBHOOK_SECRET_KEYS);
        let timeout = sources.value::<ResponseTime>(&WEBHOOK_TIMEOUT);
        let proxy = sources.value::<OrOff<EgressProxy>>(&WEBHOOK_PROXY);
        let texts = secret_keys?.into_iter().map(|key| key.0);
        let secret_keys = SecretKeys::parse(&texts.collect::<Vec<_>>());
        Ok(Self {
            log_retention: log_retention?.0,
            allowed_targets: AllowedTargets::new(allowed_targets?),
            secret_keys: secret_keys.map_err(|invalid| Problem {
                key: WEBHOOK_SECRET_KEYS.key.to_owned(),
                message: invalid.to_string(),
            })?,
            timeout: timeout?.0,
            proxy: proxy?.0,
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

bounded_settings! {
    /// How long a receiver may take to respond: from one to 30 seconds.
    ResponseTime(Duration) = Period in Duration::from_secs(1)..=Duration::from_secs(30), "from `1s` to `30s`";
}

/// The text of a valid key. It is not shown.
struct SecretKey(String);

impl FromStr for SecretKey {
    type Err = InvalidSecretKey;

    fn from_str(text: &str) -> Result<Self, InvalidSecretKey> {
        SecretKeys::parse(&[text])?;
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for SecretKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("***")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

    fn read(text: &str) -> Result<(WebhookSettings, String), String> {
        let mut sources = Sources::new(text.parse().unwrap());
        let settings = WebhookSettings::read(&mut sources);
        let shown = sources.finish(&[]).map_err(|error| error.to_string())?;
        Ok((settings.unwrap(), shown.to_string()))
    }

    #[test]
    fn keys_are_read_and_not_shown() {
        let (settings, shown) = read(&format!("webhook_secret_keys = ['{KEY}', '{KEY}']")).unwrap();
        assert!(!settings.secret_keys.is_empty());
        assert!(
            shown.contains(r#"webhook_secret_keys = ["***", "***"]"#),
            "{shown}"
        );
        for wrong in ["", "hunter2", "c2VjcmV0", "***"] {
            let refused = read(&format!("webhook_secret_keys = ['{wrong}']")).unwrap_err();
            assert!(
                refused.starts_with("webhook_secret_keys: must be"),
                "{refused}"
            );
            assert!(wrong.len() < 4 || !refused.contains(wrong), "{refused}");
        }
    }

    #[test]
    fn every_problem_is_reported() {
        let refused = read(
            "webhook_log_retention = '0d'\nwebhook_allowed_targets = ['*.example.org']\nwebhook_secret_keys = ['x']",
        )
        .unwrap_err();
        let keys: Vec<&str> = refused
            .lines()
            .filter_map(|line| line.split(':').next())
            .collect();
        assert_eq!(
            keys,
            [
                "webhook_allowed_targets",
                "webhook_log_retention",
                "webhook_secret_keys"
            ]
        );
        for (text, fits) in [("1h", true), ("400d", true), ("401d", false), ("7", false)] {
            assert_eq!(
                read(&format!("webhook_log_retention = '{text}'")).is_ok(),
                fits,
                "{text}"
            );
        }
    }
}
