//! The values of settings and their syntax.

use std::{fmt, net::SocketAddr, str::FromStr, time::Duration};

pub use formalize_core::config::{ByteSize, Count, OrOff, Period, Switch, Timeout};
use formalize_core::{bounded_settings, config::InvalidSetting, worded_setting};
use poem::http::Uri;

use crate::contract::{Kind, parameter::PER_PAGE};

bounded_settings! {
    /// A [`Period`] of at most one second: the longest time for which outdated information may be used.
    pub ShortDuration(Duration) = Period in ..=Duration::from_secs(1), "at most `1s`, such as `250ms`";
    /// How long the responses to requests with an idempotency key are kept: a [`Period`] from an hour to 30 days.
    pub KeyRetention(Duration) = Period in Duration::from_hours(1)..=Duration::from_hours(30 * 24), "from `1h` to `30d`";
    /// The maximum size of a request head, from hyper's smallest buffer size to 1 MiB.
    pub HeadSize(usize) = ByteSize in (8 << 10)..=(1 << 20), "a size from 8KiB to 1MiB";
}

/// The maximum number of items on a page, from the default of `perPage` to the maximum of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageSize(pub u32);

impl FromStr for PageSize {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let refused = InvalidSetting("a whole number from 30 to 10000");
        let Kind::Count {
            max,
            default: Some(default),
        } = PER_PAGE.kind
        else {
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

/// Log format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Human-readable lines.
    Text,
    /// One JSON object per line.
    Json,
}

worded_setting! {
    LogFormat, "`text` or `json`": "text" = Text, "json" = Json
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn numbers_are_bounded() {
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
