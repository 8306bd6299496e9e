//! The URL of an issuer.

use std::{fmt, net::IpAddr};

use reqwest::Url;

/// The URL of an issuer: HTTPS, or HTTP on loopback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuerUrl {
    /// The original text, which the tokens of the issuer must contain exactly.
    text: String,
    discovery: Url,
}

impl IssuerUrl {
    /// Parses a URL.
    ///
    /// # Errors
    ///
    /// The requirement that the text does not meet.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let url = Url::parse(text).map_err(|_| "must be a URL")?;
        if !is_protected(&url) {
            return Err("must begin with `https://`; `http://` is for loopback addresses only");
        }
        let is_bare = url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        if !is_bare {
            return Err("must not contain a user name, a password, a query or a fragment");
        }
        let base = text.strip_suffix('/').unwrap_or(text);
        let discovery = Url::parse(&format!("{base}/.well-known/openid-configuration"));
        Ok(Self {
            text: text.to_owned(),
            discovery: discovery.map_err(|_| "must be a URL")?,
        })
    }

    /// The URL exactly as configured.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The name or address of the host.
    pub(super) fn host(&self) -> &str {
        self.discovery.host_str().unwrap_or(&self.text)
    }

    /// The URL of the discovery document.
    pub(crate) fn discovery(&self) -> Url {
        self.discovery.clone()
    }
}

impl fmt::Display for IssuerUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// Whether responses from this URL cannot be tampered with: it uses HTTPS or a loopback address.
pub(crate) fn is_protected(url: &Url) -> bool {
    match url.scheme() {
        "https" => true,
        "http" => url.host_str().is_some_and(is_loopback),
        _ => false,
    }
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || address
            .parse()
            .is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_http_is_accepted_only_on_loopback() {
        for url in [
            "https://login.example.org",
            "https://login.example.org:8443/realms/main",
            "http://localhost:8080/realms/main",
            "http://127.0.0.1:8080",
            "http://127.1.2.3",
            "http://[::1]:8080",
        ] {
            assert_eq!(IssuerUrl::parse(url).unwrap().as_str(), url);
        }
        for url in [
            "",
            "login.example.org",
            "http://login.example.org",
            "http://localhost.example.org",
            "http://127.0.0.1.example.org",
            "http://10.0.0.1",
            "http://0.0.0.0",
            "http://[::]",
            "ftp://localhost",
            "file:///etc/passwd",
            "https://user@login.example.org",
            "https://login.example.org?tenant=a",
            "https://login.example.org#a",
        ] {
            assert!(IssuerUrl::parse(url).is_err(), "{url}");
        }
    }
}
