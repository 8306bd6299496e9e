//! The URL of a webhook.

use std::net::IpAddr;

use url::{Host, Url};

use super::allowed::{AllowedTargets, is_within};

/// The maximum number of characters in the URL of a webhook.
pub const MAX_WEBHOOK_URL_CHARS: usize = 2048;

/// Domains whose names have a meaning only inside a network or a machine.
const LOCAL_DOMAINS: [&str; 4] = ["localhost", "local", "internal", "home.arpa"];

/// The URL of a webhook, normalised: parsed as browsers parse URLs, so that every spelling of an address, such as
/// `0x7f.1` or `2130706433`, is the address that it means.
///
/// ```
/// use formalize_core::webhooks::{AllowedTargets, InvalidWebhookUrl, WebhookUrl};
///
/// let public = AllowedTargets::default();
/// let url = WebhookUrl::parse("HTTPS://Hooks.Example.org:443/a/../b", &public)?;
/// assert_eq!(url.as_str(), "https://hooks.example.org/b");
/// assert_eq!(WebhookUrl::parse("https://2130706433/", &public), Err(InvalidWebhookUrl::Target));
/// # Ok::<(), InvalidWebhookUrl>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WebhookUrl(Url);

/// Why a URL cannot be that of a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidWebhookUrl {
    /// It is too long.
    #[error("must have at most {MAX_WEBHOOK_URL_CHARS} characters")]
    TooLong,
    /// It is malformed.
    #[error("must be a URL such as `https://hooks.example.org/formalize`")]
    Malformed,
    /// It is not encrypted.
    #[error("must begin with `https://`; `http://` is only for hosts in `webhook_allowed_targets`")]
    Unencrypted,
    /// It contains a user name or a password.
    #[error("must not contain a user name or a password")]
    Credentials,
    /// It contains a fragment.
    #[error("must not contain a fragment (`#...`)")]
    Fragment,
    /// Its host is not on the public internet, and not an allowed target.
    #[error(
        "the host must be on the public internet; an operator can allow others with `webhook_allowed_targets`"
    )]
    Target,
}

/// The host of a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebhookHost<'a> {
    /// A name, which is resolved at each connection.
    Name(&'a str),
    /// An address.
    Address(IpAddr),
}

impl WebhookUrl {
    /// Parses and checks the URL of a webhook that is saved. Its name is not resolved.
    ///
    /// # Errors
    ///
    /// The requirement that the URL does not meet.
    pub fn parse(text: &str, allowed: &AllowedTargets) -> Result<Self, InvalidWebhookUrl> {
        let is_short = |text: &str| text.chars().nth(MAX_WEBHOOK_URL_CHARS).is_none();
        ensure!(is_short(text), InvalidWebhookUrl::TooLong);
        let url = Self::stored(text)?;
        let Self(parsed) = &url;
        ensure!(is_short(parsed.as_str()), InvalidWebhookUrl::TooLong);
        let is_open = parsed.username().is_empty() && parsed.password().is_none();
        ensure!(is_open, InvalidWebhookUrl::Credentials);
        ensure!(parsed.fragment().is_none(), InvalidWebhookUrl::Fragment);
        let (is_listed, is_allowed) = match url.host() {
            WebhookHost::Name(name) => {
                let is_listed = allowed.has_name(name);
                (is_listed, is_listed || !is_local_name(name))
            }
            WebhookHost::Address(address) => {
                let is_listed = allowed.has_network_of(address);
                (is_listed, allowed.allows_address(None, address))
            }
        };
        ensure!(is_allowed, InvalidWebhookUrl::Target);
        let is_safe = url.is_encrypted() || is_listed;
        ensure!(is_safe, InvalidWebhookUrl::Unencrypted);
        Ok(url)
    }

    /// Parses a URL that was checked when it was saved.
    ///
    /// # Errors
    ///
    /// If it is not a URL with the scheme `https` or `http`.
    pub fn stored(text: &str) -> Result<Self, InvalidWebhookUrl> {
        let url = Url::parse(text).map_err(|_| InvalidWebhookUrl::Malformed)?;
        match (url.scheme(), url.host()) {
            ("https" | "http", Some(_)) => Ok(Self(url)),
            ("https" | "http", None) => Err(InvalidWebhookUrl::Malformed),
            _ => Err(InvalidWebhookUrl::Unencrypted),
        }
    }

    /// The normalised URL.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether the scheme is `https`.
    pub fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// The host.
    pub fn host(&self) -> WebhookHost<'_> {
        match self.0.host() {
            Some(Host::Ipv4(address)) => WebhookHost::Address(address.into()),
            Some(Host::Ipv6(address)) => WebhookHost::Address(address.into()),
            Some(Host::Domain(name)) => WebhookHost::Name(name),
            // `stored` refuses URLs without a host.
            None => WebhookHost::Name(""),
        }
    }

    /// The port, which is that of the scheme by default.
    pub fn port(&self) -> u16 {
        let usual = if self.is_encrypted() { 443 } else { 80 };
        self.0.port().unwrap_or(usual)
    }
}

displayed! { WebhookUrl }

/// Whether a name has a meaning only inside a network: it has a single label, or belongs to a domain for such names.
fn is_local_name(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    let mut local = LOCAL_DOMAINS.iter();
    !name.contains('.') || local.any(|domain| is_within(name, domain))
}
