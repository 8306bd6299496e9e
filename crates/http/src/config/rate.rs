//! Rate limits.

use std::{fmt, num::NonZeroU32, str::FromStr, time::Duration};

use formalize_core::config::InvalidSetting;

use super::{Count, Period};

/// A number of requests in a period, or no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate(Option<(NonZeroU32, Duration)>);

impl Rate {
    /// No limit.
    pub const OFF: Self = Self(None);
    /// The default per user: on average, a hundred requests per second.
    pub const USER: Self = Self::in_a_minute(6000);
    /// The default per address.
    pub const ADDRESS: Self = Self::in_a_minute(600);
    /// The default per address and public link.
    pub const LINK: Self = Self::in_a_minute(120);

    /// The number of requests and the period, unless it is [`OFF`](Self::OFF).
    pub const fn limit(self) -> Option<(NonZeroU32, Duration)> {
        self.0
    }

    /// The rate multiplied by a number.
    pub(crate) fn times(self, factor: u32) -> Self {
        let limit = self.0.and_then(|(count, period)| {
            Some((NonZeroU32::new(count.get().saturating_mul(factor))?, period))
        });
        Self(limit)
    }

    const fn in_a_minute(count: u32) -> Self {
        match NonZeroU32::new(count) {
            Some(count) => Self(Some((count, Duration::from_mins(1)))),
            None => Self::OFF,
        }
    }
}

impl FromStr for Rate {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let refused = InvalidSetting(
            "a number of requests and a period of up to a day, such as `600/1m`, or `off`",
        );
        if text == "off" {
            return Ok(Self::OFF);
        }
        let (count, period) = text.split_once('/').ok_or(refused)?;
        let Count(count) = count.parse().map_err(|_| refused)?;
        let Period(period) = period.parse().map_err(|_| refused)?;
        let fits = (Duration::from_millis(1)..=Duration::from_hours(24)).contains(&period);
        let count = NonZeroU32::new(count).filter(|_| fits).ok_or(refused)?;
        Ok(Self(Some((count, period))))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some((count, period)) => write!(formatter, "{count}/{}", Period(period)),
            None => formatter.write_str("off"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_a_count_and_a_period() {
        for (text, shown) in [
            ("600/1m", "600/60s"),
            ("1/250ms", "1/250ms"),
            ("off", "off"),
        ] {
            assert_eq!(text.parse::<Rate>().unwrap().to_string(), shown);
        }
        for text in [
            "", "600", "0/1m", "600/0s", "600/25h", "600/m", "-1/1m", "on", "1/1m/1m",
        ] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }
}
