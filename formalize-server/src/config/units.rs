//! Values of settings as people write them.

use std::{fmt, str::FromStr, time::Duration};

use poem::http::Uri;

/// A text that is not a value of the setting; the message says what would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be {0}")]
pub struct Unfit(&'static str);

/// A span of time: a whole number and `ms`, `s`, `m`, `h`, `d` or `w`.
///
/// ```
/// use formalize_server::config::Period;
/// let period: Period = "90s".parse()?;
/// assert_eq!(period.0.as_secs(), 90);
/// # Ok::<(), formalize_server::config::Unfit>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period(pub Duration);

impl FromStr for Period {
    type Err = Unfit;

    fn from_str(text: &str) -> Result<Self, Unfit> {
        let refused = Unfit("a whole number and a unit, such as `10s` (ms, s, m, h, d, w)");
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

/// A number of bytes: a whole number, alone or with `B`, `KiB`, `MiB` or `GiB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteSize(pub usize);

impl FromStr for ByteSize {
    type Err = Unfit;

    fn from_str(text: &str) -> Result<Self, Unfit> {
        let refused =
            Unfit("a whole number of bytes, or one with a unit, such as `4MiB` (B, KiB, MiB, GiB)");
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

/// A number and what follows it.
fn split(text: &str) -> Option<(u64, &str)> {
    let digits = text
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(digits)?;
    Some((number.parse().ok()?, unit))
}

/// The URL under which clients reach the service, without a slash at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(String);

impl FromStr for BaseUrl {
    type Err = Unfit;

    fn from_str(text: &str) -> Result<Self, Unfit> {
        let refused = Unfit("a URL that begins with `http://` or `https://`, without a query");
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

/// The URL of a database; a password in it is not shown.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// The URL with everything that is in it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether it names a SQLite database.
    pub fn is_sqlite(&self) -> bool {
        self.0.starts_with("sqlite:")
    }
}

impl Default for DatabaseUrl {
    fn default() -> Self {
        Self("sqlite://formalize.db".to_owned())
    }
}

impl FromStr for DatabaseUrl {
    type Err = Unfit;

    fn from_str(text: &str) -> Result<Self, Unfit> {
        let known = ["sqlite:", "postgres:", "postgresql:"];
        if known.iter().any(|scheme| text.starts_with(scheme)) {
            Ok(Self(text.to_owned()))
        } else {
            Err(Unfit("a URL that begins with `sqlite://` or `postgres://`"))
        }
    }
}

const HIDDEN: &str = "***";

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (address, query) = self.0.split_once('?').unwrap_or((&self.0, ""));
        formatter.write_str(&without_password(address))?;
        for (index, pair) in query.split('&').filter(|pair| !pair.is_empty()).enumerate() {
            let shown = match pair.split_once('=') {
                Some((name, _)) if name.to_ascii_lowercase().contains("password") => {
                    format!("{name}={HIDDEN}")
                }
                _ => pair.to_owned(),
            };
            write!(formatter, "{}{shown}", if index == 0 { '?' } else { '&' })?;
        }
        Ok(())
    }
}

/// An address without the password between the user and the host.
fn without_password(address: &str) -> String {
    let hide = || {
        let (scheme, rest) = address.split_once("://")?;
        let (credentials, host) = rest.rsplit_once('@')?;
        let (user, _) = credentials.split_once(':')?;
        Some(format!("{scheme}://{user}:{HIDDEN}@{host}"))
    };
    hide().unwrap_or_else(|| address.to_owned())
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "DatabaseUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_time_have_a_unit() {
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
    }

    #[test]
    fn sizes_are_bytes_unless_they_have_a_unit() {
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
    fn a_base_url_is_a_web_address() {
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

    #[test]
    fn passwords_are_not_shown() {
        for (url, shown) in [
            (
                "postgres://alice:s3:cr@et@db/forms",
                "postgres://alice:***@db/forms",
            ),
            (
                "postgres://alice@db/forms?sslmode=require",
                "postgres://alice@db/forms?sslmode=require",
            ),
            (
                "postgres:///forms?user=a&password=s3cret&x=y",
                "postgres:///forms?user=a&password=***&x=y",
            ),
            ("sqlite://formalize.db", "sqlite://formalize.db"),
        ] {
            let url: DatabaseUrl = url.parse().unwrap();
            assert_eq!(url.to_string(), shown);
            assert!(!format!("{url:?}").contains("cr"));
        }
        assert!("mysql://db".parse::<DatabaseUrl>().is_err());
    }
}
