//! The targets that an operator allows besides the public internet.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;
use url::Host;

use super::address::{is_global, is_private};

/// A network or name to which webhooks may send, although it is not on the public internet.
///
/// ```
/// use formalize_core::webhooks::AllowedTarget;
///
/// for text in ["10.20.0.0/16", "fd12::/48", "127.0.0.1", "hooks.example.org", ".intra.example.org"] {
///     text.parse::<AllowedTarget>()?;
/// }
/// assert!("*.example.org".parse::<AllowedTarget>().is_err());
/// # Ok::<(), formalize_core::webhooks::InvalidTarget>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedTarget(Target);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Target {
    Network(IpNet),
    Name(String),
    /// A name and all names below it.
    Domain(String),
}

/// An entry of the allowed targets is neither a network nor a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be an address, the first address of a network and its prefix length (`10.20.0.0/16`, `fd12::/48`), a host name \
     (`hooks.example.org`), or a domain with a leading dot (`.intra.example.org`)"
)]
pub struct InvalidTarget;

impl FromStr for AllowedTarget {
    type Err = InvalidTarget;

    fn from_str(text: &str) -> Result<Self, InvalidTarget> {
        let address = |_| text.parse().map(|address: IpAddr| IpNet::from(address));
        if let Ok(network) = text.parse().or_else(address) {
            return network_target(network);
        }
        let target = match text.strip_prefix('.') {
            Some(domain) => Target::Domain(host_name(domain)?),
            None => Target::Name(host_name(text)?),
        };
        Ok(Self(target))
    }
}

fn network_target(network: IpNet) -> Result<AllowedTarget, InvalidTarget> {
    // An address with host bits set is more likely a mistake than a network. Addresses of IPv4 that are mapped into
    // IPv6 are judged as IPv4, so a network of them would never match.
    let is_mapped = network.prefix_len() >= 96 && network.addr().to_canonical() != network.addr();
    let is_plain = network.addr() == network.network() && !is_mapped;
    ensure!(is_plain, InvalidTarget);
    Ok(AllowedTarget(Target::Network(network)))
}

/// A host name as it is in a normalised URL: in lower case, and Unicode as Punycode.
fn host_name(text: &str) -> Result<String, InvalidTarget> {
    let is_of_label = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    let is_label = |label: &str| !label.is_empty() && label.bytes().all(is_of_label);
    match Host::parse(text) {
        Ok(Host::Domain(name)) if name.split('.').all(is_label) => Ok(name),
        _ => Err(InvalidTarget),
    }
}

impl fmt::Display for AllowedTarget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Target::Network(network) => network.fmt(formatter),
            Target::Name(name) => formatter.write_str(name),
            Target::Domain(domain) => write!(formatter, ".{domain}"),
        }
    }
}

/// All targets that an operator allows besides the public internet; by default none.
///
/// ```
/// use formalize_core::webhooks::AllowedTargets;
///
/// let allowed = AllowedTargets::new(vec!["10.20.0.0/16".parse()?, "hooks.example.org".parse()?]);
/// let (inside, other) = ("10.20.0.1".parse()?, "192.168.0.1".parse()?);
/// assert!(allowed.allows_address(None, inside));
/// assert!(!allowed.allows_address(None, other));
/// assert!(allowed.allows_address(Some("hooks.example.org"), other));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowedTargets(Vec<AllowedTarget>);

impl AllowedTargets {
    /// Allows these targets.
    pub fn new(targets: Vec<AllowedTarget>) -> Self {
        Self(targets)
    }

    /// Whether a connection to `address` may be opened; `host` is the name that was resolved to it, if there was one.
    ///
    /// A listed name may be at a private address. It may be at any other address that is not global, such as a loopback
    /// or link-local one, only if a network with that address is listed, too: those who control its DNS must not
    /// reach the server's own machine.
    pub fn allows_address(&self, host: Option<&str>, address: IpAddr) -> bool {
        is_global(address)
            || self.has_network_of(address)
            || (is_private(address) && host.is_some_and(|host| self.has_name(host)))
    }

    /// Whether a listed network contains this address.
    pub(super) fn has_network_of(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0
            .iter()
            .any(|AllowedTarget(target)| matches!(target, Target::Network(network) if network.contains(&address)))
    }

    /// Whether a name is listed, or below a listed domain. A final dot makes no difference.
    pub(super) fn has_name(&self, name: &str) -> bool {
        let name = name.trim_end_matches('.');
        self.0.iter().any(|AllowedTarget(target)| match target {
            Target::Network(_) => false,
            Target::Name(listed) => name == listed,
            Target::Domain(domain) => is_within(name, domain),
        })
    }
}

/// Whether a name is this domain or below it.
pub(super) fn is_within(name: &str, domain: &str) -> bool {
    let rest = name.strip_suffix(domain);
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}
