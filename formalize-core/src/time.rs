//! Timestamps and clocks.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Datelike, NaiveDate, SecondsFormat, Utc};

/// A timestamp in UTC with millisecond precision.
///
/// Finer fractions are dropped, because the REST interface has milliseconds: a timestamp is unchanged after it was
/// stored and read, on any database. The range is that of RFC 3339, the years 0000 to 9999.
///
/// ```
/// use formalize_core::Timestamp;
///
/// let instant: Timestamp = "2026-11-21T09:00:00.1239+01:00".parse()?;
/// assert_eq!(instant.to_string(), "2026-11-21T08:00:00.123Z");
/// # Ok::<(), formalize_core::InvalidTimestamp>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(DateTime<Utc>);

/// The text or number is not a timestamp between the years 0000 and 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a date such as 2026-12-31 or a timestamp such as 2026-12-31T18:00:00Z")]
pub struct InvalidTimestamp;

/// The last millisecond of the year 9999.
const LAST: DateTime<Utc> = match DateTime::from_timestamp_millis(253_402_300_799_999) {
    Some(last) => last,
    None => DateTime::<Utc>::MAX_UTC,
};

/// The first millisecond of the year 0.
const FIRST: DateTime<Utc> = match DateTime::from_timestamp_millis(-62_167_219_200_000) {
    Some(first) => first,
    None => DateTime::<Utc>::MIN_UTC,
};

const MILLIS_PER_DAY: i64 = 24 * 60 * 60 * 1000;

impl Timestamp {
    /// The timestamp from milliseconds since 1970-01-01T00:00:00Z.
    ///
    /// # Errors
    ///
    /// [`InvalidTimestamp`] outside the years 0000 to 9999.
    ///
    /// ```
    /// use formalize_core::Timestamp;
    ///
    /// assert_eq!(Timestamp::from_millis(0)?.to_string(), "1970-01-01T00:00:00.000Z");
    /// assert!(Timestamp::from_millis(i64::MAX).is_err());
    /// # Ok::<(), formalize_core::InvalidTimestamp>(())
    /// ```
    pub fn from_millis(millis: i64) -> Result<Self, InvalidTimestamp> {
        DateTime::from_timestamp_millis(millis)
            .filter(|instant| (0..=9999).contains(&instant.year()))
            .map(Self)
            .ok_or(InvalidTimestamp)
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    ///
    /// ```
    /// use formalize_core::Timestamp;
    ///
    /// let instant: Timestamp = "1970-01-01T00:00:01.5Z".parse()?;
    /// assert_eq!(instant.as_millis(), 1500);
    /// # Ok::<(), formalize_core::InvalidTimestamp>(())
    /// ```
    pub fn as_millis(self) -> i64 {
        self.0.timestamp_millis()
    }

    /// Parses the start of a period: an RFC 3339 timestamp, or a date such as `2026-11-21`, which means 00:00 UTC.
    ///
    /// # Errors
    ///
    /// [`InvalidTimestamp`] for any other text.
    ///
    /// ```
    /// use formalize_core::Timestamp;
    ///
    /// assert_eq!(Timestamp::parse_start("2026-11-21")?, "2026-11-21T00:00:00Z".parse()?);
    /// # Ok::<(), formalize_core::InvalidTimestamp>(())
    /// ```
    pub fn parse_start(text: &str) -> Result<Self, InvalidTimestamp> {
        match parse_date(text) {
            Some(midnight) => midnight,
            None => text.parse(),
        }
    }

    /// Parses the end of a period: an RFC 3339 timestamp, or a date, which means the last millisecond of that day in UTC.
    ///
    /// # Errors
    ///
    /// [`InvalidTimestamp`] for any other text.
    ///
    /// ```
    /// use formalize_core::Timestamp;
    ///
    /// assert_eq!(Timestamp::parse_end("2026-11-21")?, "2026-11-21T23:59:59.999Z".parse()?);
    /// assert_eq!(Timestamp::parse_end("2026-11-21T12:00:00Z")?, "2026-11-21T12:00:00Z".parse()?);
    /// # Ok::<(), formalize_core::InvalidTimestamp>(())
    /// ```
    pub fn parse_end(text: &str) -> Result<Self, InvalidTimestamp> {
        match parse_date(text) {
            Some(midnight) => Self::from_millis(midnight?.as_millis() + MILLIS_PER_DAY - 1),
            None => text.parse(),
        }
    }

    /// Adds seconds; `None` outside the years 0000 to 9999.
    ///
    /// ```
    /// use formalize_core::Timestamp;
    ///
    /// let instant: Timestamp = "2026-11-21T00:00:00Z".parse()?;
    /// assert_eq!(instant.checked_add_seconds(3600), Some("2026-11-21T01:00:00Z".parse()?));
    /// assert_eq!(instant.checked_add_seconds(i64::MAX), None);
    /// # Ok::<(), formalize_core::InvalidTimestamp>(())
    /// ```
    pub fn checked_add_seconds(self, seconds: i64) -> Option<Self> {
        let millis = self.as_millis().checked_add(seconds.checked_mul(1000)?)?;
        Self::from_millis(millis).ok()
    }

    /// Adds a duration, up to the end of the year 9999. Fractions of a millisecond are dropped.
    ///
    /// ```
    /// use std::time::Duration;
    /// use formalize_core::Timestamp;
    ///
    /// let instant: Timestamp = "2026-11-21T00:00:00Z".parse()?;
    /// assert_eq!(instant.saturating_add(Duration::from_hours(1)), "2026-11-21T01:00:00Z".parse()?);
    /// assert_eq!(instant.saturating_add(Duration::MAX), "9999-12-31T23:59:59.999Z".parse()?);
    /// # Ok::<(), formalize_core::InvalidTimestamp>(())
    /// ```
    #[must_use]
    pub fn saturating_add(self, duration: Duration) -> Self {
        i64::try_from(duration.as_millis())
            .ok()
            .and_then(|millis| self.as_millis().checked_add(millis))
            .and_then(|millis| Self::from_millis(millis).ok())
            .unwrap_or(Self(LAST))
    }

    /// Subtracts a duration, down to the year 0. Fractions of a millisecond are dropped.
    ///
    /// ```
    /// use std::time::Duration;
    /// use formalize_core::Timestamp;
    ///
    /// let instant: Timestamp = "2026-11-21T01:00:00Z".parse()?;
    /// assert_eq!(instant.saturating_sub(Duration::from_hours(1)), "2026-11-21T00:00:00Z".parse()?);
    /// assert_eq!(instant.saturating_sub(Duration::MAX), "0000-01-01T00:00:00Z".parse()?);
    /// # Ok::<(), formalize_core::InvalidTimestamp>(())
    /// ```
    #[must_use]
    pub fn saturating_sub(self, duration: Duration) -> Self {
        i64::try_from(duration.as_millis())
            .ok()
            .and_then(|millis| self.as_millis().checked_sub(millis))
            .and_then(|millis| Self::from_millis(millis).ok())
            .unwrap_or(Self(FIRST))
    }
}

/// Midnight of a date; `None` if the text does not have the form of a date.
fn parse_date(text: &str) -> Option<Result<Timestamp, InvalidTimestamp>> {
    let has_form = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| {
            if at == 4 || at == 7 {
                byte == b'-'
            } else {
                byte.is_ascii_digit()
            }
        });
    has_form.then(|| {
        let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").map_err(|_| InvalidTimestamp)?;
        let midnight = date.and_hms_opt(0, 0, 0).ok_or(InvalidTimestamp)?;
        Timestamp::from_millis(midnight.and_utc().timestamp_millis())
    })
}

impl std::str::FromStr for Timestamp {
    type Err = InvalidTimestamp;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let instant = DateTime::parse_from_rfc3339(text).map_err(|_| InvalidTimestamp)?;
        Self::from_millis(instant.timestamp_millis())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.to_rfc3339_opts(SecondsFormat::Millis, true))
    }
}

/// A source of the current time, which tests can replace.
pub trait Clock: Send + Sync {
    /// The current time.
    fn now(&self) -> Timestamp;
}

/// The clock of the operating system.
///
/// ```
/// use formalize_core::{Clock, SystemClock};
///
/// assert!(SystemClock.now() >= "2026-01-01T00:00:00Z".parse()?);
/// # Ok::<(), formalize_core::InvalidTimestamp>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that reads the system's clock"
    )]
    fn now(&self) -> Timestamp {
        let since_epoch = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        i64::try_from(since_epoch.as_millis())
            .ok()
            .and_then(|millis| Timestamp::from_millis(millis).ok())
            .unwrap_or(Timestamp(DateTime::UNIX_EPOCH))
    }
}

/// A clock for tests that returns the time to which it was set.
///
/// ```
/// use formalize_core::{Clock, FixedClock};
///
/// let clock = FixedClock::new("2026-11-21T08:00:00Z".parse()?);
/// clock.set("2026-11-22T08:00:00Z".parse()?);
/// assert_eq!(clock.now().to_string(), "2026-11-22T08:00:00.000Z");
/// # Ok::<(), formalize_core::InvalidTimestamp>(())
/// ```
#[derive(Debug)]
pub struct FixedClock(std::sync::atomic::AtomicI64);

impl FixedClock {
    /// Creates a clock that returns `now`.
    pub fn new(now: Timestamp) -> Self {
        Self(std::sync::atomic::AtomicI64::new(now.as_millis()))
    }

    /// Sets the clock to `now`.
    pub fn set(&self, now: Timestamp) {
        self.0
            .store(now.as_millis(), std::sync::atomic::Ordering::SeqCst);
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        let millis = self.0.load(std::sync::atomic::Ordering::SeqCst);
        Timestamp::from_millis(millis).unwrap_or(Timestamp(DateTime::UNIX_EPOCH))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(text: &str) -> Result<String, InvalidTimestamp> {
        Timestamp::parse_end(text).map(|instant| instant.to_string())
    }

    #[test]
    fn a_date_is_its_first_or_last_millisecond() {
        let start = Timestamp::parse_start("2026-11-21").unwrap();
        assert_eq!(start.to_string(), "2026-11-21T00:00:00.000Z");
        assert_eq!(end("2026-11-21").unwrap(), "2026-11-21T23:59:59.999Z");
        assert_eq!(end("9999-12-31").unwrap(), "9999-12-31T23:59:59.999Z");
    }

    #[test]
    fn finer_fractions_are_dropped() {
        assert_eq!(
            end("2026-11-21T08:00:00.9999999Z").unwrap(),
            "2026-11-21T08:00:00.999Z"
        );
    }

    #[test]
    fn invalid_timestamps_are_rejected() {
        for text in [
            "",
            "now",
            "2026-02-30",
            "2026-11-21T25:00:00Z",
            "2026-11-21T08:00:00",
            "20261121",
            "2026-11-2é",
        ] {
            assert_eq!(end(text), Err(InvalidTimestamp), "{text}");
        }
        assert!(Timestamp::from_millis(i64::MAX).is_err());
        assert!(
            end("0000-01-01T00:00:00+23:00").is_err(),
            "falls into the year -1"
        );
    }
}
