//! The proxy through which webhooks leave the network.

use std::fmt;
use std::str::FromStr;

use data_encoding::BASE64;
use percent_encoding::percent_decode_str;
use url::Url;

use super::InvalidSetting;

/// An HTTP proxy that opens tunnels (`CONNECT`), with its credentials.
///
/// ```
/// use formalize_core::config::EgressProxy;
/// let proxy: EgressProxy = "http://bob:secret@[::1]:3128".parse()?;
/// assert_eq!((proxy.host(), proxy.port()), ("::1", 3128));
/// assert_eq!(proxy.to_string(), "http://bob:***@[::1]:3128/");
/// # Ok::<(), formalize_core::config::InvalidSetting>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct EgressProxy {
    url: Url,
}

impl FromStr for EgressProxy {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let refused = InvalidSetting(
            "the URL of an HTTP proxy without a path, such as `http://USER:PASSWORD@proxy.example.org:3128`",
        );
        let url = Url::parse(text).map_err(|_| refused)?;
        let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        ensure!(url.scheme() == "http" && url.has_host() && is_bare, refused);
        Ok(Self { url })
    }
}

/// The URL, without the password.
impl fmt::Display for EgressProxy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut url = self.url.clone();
        if url.password().is_some() {
            // This fails only for a URL without a host.
            let _ = url.set_password(Some("***"));
        }
        url.fmt(formatter)
    }
}

impl fmt::Debug for EgressProxy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "EgressProxy({self})")
    }
}

impl EgressProxy {
    /// The name or address of the proxy.
    pub fn host(&self) -> &str {
        let host = self.url.host_str().unwrap_or_default();
        host.trim_start_matches('[').trim_end_matches(']')
    }

    /// The port of the proxy.
    pub fn port(&self) -> u16 {
        self.url.port_or_known_default().unwrap_or(80)
    }

    /// The value of `Proxy-Authorization`, if the URL contains credentials.
    pub fn credentials(&self) -> Option<String> {
        let decoded = |text| percent_decode_str(text).decode_utf8_lossy();
        let password = self.url.password().unwrap_or_default();
        let (user, password) = (decoded(self.url.username()), decoded(password));
        let is_set = !user.is_empty() || !password.is_empty();
        is_set.then(|| {
            format!(
                "Basic {}",
                BASE64.encode(format!("{user}:{password}").as_bytes())
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_of_the_proxy_is_not_shown() {
        let proxy: EgressProxy = "http://bob:secret@proxy.example.org:3128".parse().unwrap();
        for shown in [proxy.to_string(), format!("{proxy:?}")] {
            assert!(
                !shown.contains("secret") && shown.contains("bob:***@proxy"),
                "{shown}"
            );
        }
        for text in [
            "",
            "proxy.example.org:3128",
            "https://proxy.example.org",
            "socks5://proxy.example.org",
            "http://proxy.example.org/x",
            "http://proxy.example.org?x",
            "http://proxy.example.org#x",
        ] {
            assert!(text.parse::<EgressProxy>().is_err(), "{text}");
        }
    }
}
