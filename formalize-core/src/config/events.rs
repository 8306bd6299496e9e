//! The settings of the event log.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::setting::{EVENT_LOG, EVENT_RETENTION};
use super::{InvalidSetting, Problem, Sources, Switch};

/// The settings of the event log, which all programs on a database must have in common.
///
/// ```
/// use std::time::Duration;
/// use formalize_core::config::{EventSettings, Sources};
///
/// let mut sources = Sources::new(toml::Table::new()).variable("FORMALIZE_EVENT_RETENTION", "30d");
/// let events = EventSettings::read(&mut sources)?;
/// assert!(events.is_on);
/// assert_eq!(events.retention, Duration::from_hours(30 * 24));
/// # Ok::<(), formalize_core::config::ConfigError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventSettings {
    /// Whether changes are written to the log; see [`Builder::event_log`](crate::Builder::event_log).
    pub is_on: bool,
    /// How long events are kept; see [`Builder::event_retention`](crate::Builder::event_retention).
    pub retention: Duration,
}

impl EventSettings {
    /// Reads the settings.
    ///
    /// # Errors
    ///
    /// If one of them is invalid.
    pub fn read(sources: &mut Sources) -> Result<Self, Problem> {
        // Both are read before the first `?`, so that all problems are reported.
        let is_on = sources.value::<Switch>(&EVENT_LOG);
        let retention = sources.value::<Retention>(&EVENT_RETENTION);
        Ok(Self {
            is_on: is_on?.0,
            retention: retention?.0,
        })
    }
}

/// A number of hours, days or weeks.
pub(super) struct Retention(Duration);

const HOURS: [(&str, u64); 3] = [("h", 1), ("d", 24), ("w", 7 * 24)];
const LEAST: Duration = Duration::from_hours(2 * 24);
const MOST: Duration = Duration::from_hours(400 * 24);

impl Retention {
    /// Reads a whole number with a unit of hours, days or weeks.
    pub(super) fn hours(text: &str) -> Option<Duration> {
        let digits = text.len()
            - text
                .trim_start_matches(|it: char| it.is_ascii_digit())
                .len();
        let (number, unit) = text.split_at(digits);
        let hours = HOURS.iter().find(|(name, _)| *name == unit);
        let hours = hours.zip(number.parse::<u64>().ok());
        hours
            .and_then(|((_, hours), number)| number.checked_mul(*hours)?.checked_mul(3600))
            .map(Duration::from_secs)
    }
}

impl FromStr for Retention {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        Self::hours(text)
            .filter(|retention| (LEAST..=MOST).contains(retention))
            .map(Self)
            .ok_or(InvalidSetting(
                "from `2d` to `400d`, such as `7d` (h, d, w)",
            ))
    }
}

impl fmt::Display for Retention {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}h", self.0.as_secs() / 3600)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retentions_have_a_unit_and_bounds() {
        for (text, hours) in [("2d", 48), ("48h", 48), ("1w", 168), ("400d", 9600)] {
            let retention: Retention = text.parse().unwrap();
            assert_eq!(retention.0, Duration::from_hours(hours), "{text}");
            let again: Retention = retention.to_string().parse().unwrap();
            assert_eq!(again.0, retention.0);
        }
        for text in [
            "",
            "7",
            "d",
            "1d",
            "47h",
            "401d",
            "-7d",
            "7 d",
            "7D",
            "99999999999999999999d",
        ] {
            assert!(text.parse::<Retention>().is_err(), "{text}");
        }
    }
}
