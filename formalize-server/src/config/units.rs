//! The values of settings and their syntax.

use std::{fmt, net::SocketAddr, ops::RangeInclusive, str::FromStr, time::Duration};

use formalize_core::config::InvalidSetting;
use poem::http::Uri;

use crate::contract::{Kind, parameter::PER_PAGE};

/// A duration: a whole number and `ms`, `s`, `m`, `h`, `d` or `w`.
///
/// ```
/// use formalize_server::config::Period;
/// let period: Period = "90s".parse()?;
/// assert_eq!(period.0.as_secs(), 90);
/// # Ok::<(), formalize_core::config::InvalidSetting>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period(pub Duration);

impl FromStr for Period {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let refused =
            InvalidSetting("a whole number and a unit, such as `10s` (ms, s, m, h, d, w)");
        let (number, unit) = split(text).ok_or(refused)?;
        let millis = match unit {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            "w" => 604_800_000,
            _ => return Err(refused),
        };
        number
            .checked_mul(millis)
            .map(Duration::from_millis)
            .map(Self)
            .ok_or(refused)
    }
}

impl fmt::Display for Period {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = self.0.as_millis();
        if millis.is_multiple_of(1000) {
            write!(formatter, "{}s", millis / 1000)
        } else {
            write!(formatter, "{millis}ms")
        }
    }
}

/// A [`Period`] of at most one second: the longest time for which outdated information may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShortDuration(pub Duration);

impl FromStr for ShortDuration {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let Period(length) = text.parse()?;
        if length > Duration::from_secs(1) {
            return Err(InvalidSetting("at most `1s`, such as `250ms`"));
        }
        Ok(Self(length))
    }
}

impl fmt::Display for ShortDuration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Period(self.0).fmt(formatter)
    }
}

/// A timeout: a [`Period`] longer than zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeout(pub Duration);

impl FromStr for Timeout {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        match text.parse()? {
            Period(Duration::ZERO) => Err(InvalidSetting("longer than `0s`")),
            Period(time) => Ok(Self(time)),
        }
    }
}

impl fmt::Display for Timeout {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Period(self.0).fmt(formatter)
    }
}

/// How long the responses to requests with an idempotency key are kept: a [`Period`] from an hour to 30 days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyRetention(pub Duration);

impl FromStr for KeyRetention {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let Period(time) = text.parse()?;
        if (Duration::from_hours(1)..=Duration::from_hours(30 * 24)).contains(&time) {
            Ok(Self(time))
        } else {
            Err(InvalidSetting("from `1h` to `30d`"))
        }
    }
}

impl fmt::Display for KeyRetention {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Period(self.0).fmt(formatter)
    }
}

/// A number of bytes: a whole number, alone or with `B`, `KiB`, `MiB` or `GiB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteSize(pub usize);

impl FromStr for ByteSize {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let refused = InvalidSetting(
            "a whole number of bytes, or one with a unit, such as `4MiB` (B, KiB, MiB, GiB)",
        );
        let (number, unit) = split(text).ok_or(refused)?;
        let bytes: u64 = match unit {
            "" | "B" => 1,
            "KiB" => 1 << 10,
            "MiB" => 1 << 20,
            "GiB" => 1 << 30,
            _ => return Err(refused),
        };
        let size = number
            .checked_mul(bytes)
            .and_then(|size| size.try_into().ok());
        size.map(Self).ok_or(refused)
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = |unit: usize| self.0 > 0 && self.0.is_multiple_of(unit);
        match [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
            .into_iter()
            .find(|(_, unit)| fits(*unit))
        {
            Some((name, unit)) => write!(formatter, "{}{name}", self.0 / unit),
            None => write!(formatter, "{}B", self.0),
        }
    }
}

/// A whole number from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count(pub u32);

impl FromStr for Count {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        match split(text) {
            Some((number @ 1.., "")) => u32::try_from(number).map(Self).ok(),
            _ => None,
        }
        .ok_or(InvalidSetting("a whole number from 1"))
    }
}

impl fmt::Display for Count {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The maximum size of a request head, from hyper's smallest buffer size to 1 MiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeadSize(pub ByteSize);

impl FromStr for HeadSize {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        const SIZES: RangeInclusive<usize> = (8 << 10)..=(1 << 20);
        let size: ByteSize = text.parse()?;
        if SIZES.contains(&size.0) {
            Ok(Self(size))
        } else {
            Err(InvalidSetting("a size from 8KiB to 1MiB"))
        }
    }
}

impl fmt::Display for HeadSize {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The maximum number of items on a page, from the default of `perPage` to the maximum of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageSize(pub u32);

impl FromStr for PageSize {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let refused = InvalidSetting("a whole number from 30 to 10000");
        let Kind::Count { max, default } = PER_PAGE.kind else {
            return Err(refused);
        };
        match text.parse() {
            Ok(Count(size)) if (default..=max).contains(&size) => Ok(Self(size)),
            _ => Err(refused),
        }
    }
}

impl fmt::Display for PageSize {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// Splits a text into a number and its unit.
fn split(text: &str) -> Option<(u64, &str)> {
    let digits = text
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(digits)?;
    Some((number.parse().ok()?, unit))
}

/// The public URL of the service, without a trailing slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(String);

impl FromStr for BaseUrl {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let refused =
            InvalidSetting("a URL that begins with `http://` or `https://`, without a query");
        let uri: Uri = text.parse().map_err(|_| refused)?;
        let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
        let plain = uri.query().is_none() && !text.contains('#');
        if is_web && plain {
            Ok(Self(text.trim_end_matches('/').to_owned()))
        } else {
            Err(refused)
        }
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The address of a socket, with its port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address(pub SocketAddr);

impl FromStr for Address {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let refused =
            InvalidSetting("an IP address and a port, such as `127.0.0.1:8080` or `[::1]:8080`");
        text.parse().map(Self).map_err(|_| refused)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// A value, or `off`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrOff<T>(pub Option<T>);

const OFF: &str = "off";

impl<T: FromStr> FromStr for OrOff<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<Self, T::Err> {
        match text {
            OFF => Ok(Self(None)),
            _ => text.parse().map(Some).map(Self),
        }
    }
}

impl<T: fmt::Display> fmt::Display for OrOff<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(formatter),
            None => formatter.write_str(OFF),
        }
    }
}

/// Log format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Human-readable lines.
    Text,
    /// One JSON object per line.
    Json,
}

impl FromStr for LogFormat {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        match text {
            "text" => Ok(Self::Text),
            "json" => Ok(Self::Json),
            _ => Err(InvalidSetting("`text` or `json`")),
        }
    }
}

impl fmt::Display for LogFormat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Text => "text",
            Self::Json => "json",
        })
    }
}

/// `true` or `false`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch(pub bool);

impl FromStr for Switch {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        text.parse()
            .map(Self)
            .map_err(|_| InvalidSetting("`true` or `false`"))
    }
}

impl fmt::Display for Switch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_require_a_unit() {
        for (text, millis) in [
            ("10s", 10_000),
            ("250ms", 250),
            ("2m", 120_000),
            ("1w", 604_800_000),
            ("0s", 0),
        ] {
            let period: Period = text.parse().unwrap();
            assert_eq!(period.0.as_millis(), millis, "{text}");
            assert_eq!(period.to_string().parse(), Ok(period));
        }
        for text in [
            "",
            "10",
            "s",
            "-1s",
            "1.5s",
            "10 s",
            "1y",
            "99999999999999999999w",
            "é",
        ] {
            assert!(text.parse::<Period>().is_err(), "{text}");
        }
        assert_eq!("1ms".parse(), Ok(Timeout(Duration::from_millis(1))));
        assert!("0s".parse::<Timeout>().is_err());
    }

    #[test]
    fn short_durations_are_at_most_a_second() {
        for text in ["0s", "250ms", "1s", "1000ms"] {
            let moment: ShortDuration = text.parse().unwrap();
            assert_eq!(moment.to_string().parse(), Ok(moment));
        }
        for text in ["1001ms", "2s", "1m", "1", ""] {
            assert!(text.parse::<ShortDuration>().is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_default_to_bytes() {
        for (text, bytes) in [
            ("0", 0),
            ("4096B", 4096),
            ("4MiB", 4 << 20),
            ("1GiB", 1 << 30),
            ("5KiB", 5120),
        ] {
            let size: ByteSize = text.parse().unwrap();
            assert_eq!(size.0, bytes, "{text}");
            assert_eq!(size.to_string().parse(), Ok(size));
        }
        for text in ["", "MiB", "4MB", "4mib", "-1", "4 MiB", "99999999999GiB"] {
            assert!(text.parse::<ByteSize>().is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_are_bounded() {
        for text in ["1", "100", "4294967295"] {
            assert_eq!(text.parse::<Count>().unwrap().to_string(), text);
        }
        for text in ["", "0", "-1", "1.5", "10s", "4294967296"] {
            assert!(text.parse::<Count>().is_err(), "{text}");
        }
        for (text, fits) in [
            ("8191", false),
            ("8KiB", true),
            ("1MiB", true),
            ("1048577", false),
        ] {
            assert_eq!(text.parse::<HeadSize>().is_ok(), fits, "{text}");
        }
        for (text, fits) in [
            ("29", false),
            ("30", true),
            ("10000", true),
            ("10001", false),
        ] {
            assert_eq!(text.parse::<PageSize>().is_ok(), fits, "{text}");
        }
    }

    #[test]
    fn a_base_url_is_an_http_url() {
        let url: BaseUrl = "https://forms.example.org/api/".parse().unwrap();
        assert_eq!(url.to_string(), "https://forms.example.org/api");
        for text in [
            "",
            "example.org",
            "ftp://example.org",
            "http://x?y",
            "http://x#y",
            "/path",
        ] {
            assert!(text.parse::<BaseUrl>().is_err(), "{text}");
        }
    }
}
