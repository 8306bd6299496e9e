//! The URL of a database.

use std::fmt;
use std::str::FromStr;

use super::InvalidSetting;
use crate::database_parameters::is_shown;

/// The URL of a database. Its `Display` hides the password, and parameters that may contain one.
///
/// ```
/// use formalize_core::config::DatabaseUrl;
/// let url: DatabaseUrl = "postgres://alice:secret@db/forms".parse()?;
/// assert_eq!(url.to_string(), "postgres://alice:***@db/forms");
/// # Ok::<(), formalize_core::config::InvalidSetting>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// The complete URL, including its password.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether it is the URL of a SQLite database.
    pub fn is_sqlite(&self) -> bool {
        self.0.starts_with("sqlite:")
    }

    /// The path of the file of a SQLite database, as it is written in the URL: percent-encoded.
    pub(super) fn sqlite_path(&self) -> Option<&str> {
        let path = self.0.strip_prefix("sqlite:")?;
        let path = path.strip_prefix("//").unwrap_or(path);
        path.split('?').next()
    }
}

impl FromStr for DatabaseUrl {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let known = ["sqlite:", "postgres:", "postgresql:"];
        let is_known = known.iter().any(|scheme| text.starts_with(scheme));
        let refused = InvalidSetting("a URL that begins with `sqlite://` or `postgres://`");
        ensure!(is_known, refused);
        Ok(Self(text.to_owned()))
    }
}

const HIDDEN: &str = "***";

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (address, query) = self.0.split_once('?').unwrap_or((&self.0, ""));
        if query.contains('@') && !address.contains('@') {
            // The question mark may be part of a password that is not percent-encoded.
            let scheme = address.split_once(':').map_or("", |(scheme, _)| scheme);
            return write!(formatter, "{scheme}://{HIDDEN}");
        }
        formatter.write_str(&without_password(address))?;
        for (index, pair) in query.split('&').filter(|pair| !pair.is_empty()).enumerate() {
            let shown = match pair.split_once('=') {
                Some((name, _)) if !is_shown(name) => format!("{name}={HIDDEN}"),
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
        let (user, password) = credentials.split_once(':')?;
        // The name of the database may be the same text.
        let host = if password.is_empty() {
            host.to_owned()
        } else {
            host.replace(password, HIDDEN)
        };
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
    fn passwords_are_hidden() {
        for (url, shown) in [
            (
                "postgres://alice:s3:cr@et@db/forms",
                "postgres://alice:***@db/forms",
            ),
            (
                "postgres://alice:s3cret@db/s3cret",
                "postgres://alice:***@db/***",
            ),
            (
                "postgres://alice@db/forms?sslmode=require",
                "postgres://alice@db/forms?sslmode=require",
            ),
            (
                "postgres:///forms?user=a&password=s3cret&sslmode=x",
                "postgres:///forms?user=a&password=***&sslmode=x",
            ),
            (
                "postgres:///forms?passwd=s3cret&SSLPASSWORD=s3cret",
                "postgres:///forms?passwd=***&SSLPASSWORD=***",
            ),
            ("postgres://alice:s3?cr@et@db/forms", "postgres://***"),
            ("sqlite://formalize.db", "sqlite://formalize.db"),
        ] {
            let url: DatabaseUrl = url.parse().unwrap();
            assert_eq!(url.to_string(), shown);
            assert!(!format!("{url:?}").contains("cr"));
        }
        assert!("mysql://db".parse::<DatabaseUrl>().is_err());
    }
}
