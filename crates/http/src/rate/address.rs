//! The address by which a request is counted.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use poem::http::HeaderMap;

use crate::{config::Network, connections::Source};

/// The header with the client address: comma-separated addresses, each appended by the proxy that received the request.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// The source of a request from `peer`. Forwarded addresses are read from the end, as long as a trusted proxy wrote
/// them.
pub(super) fn source(peer: Option<SocketAddr>, headers: &HeaderMap, trusted: &[Network]) -> Source {
    let Some(peer) = peer else {
        return Source::of(Ipv6Addr::UNSPECIFIED.into());
    };
    let mut sender = peer.ip().to_canonical();
    if trusted.is_empty() {
        return Source::of(sender);
    }
    let lines = headers.get_all(FORWARDED_FOR).iter().rev();
    let named = lines.flat_map(|line| line.to_str().unwrap_or_default().rsplit(','));
    for named in named {
        let is_trusted = trusted.iter().any(|network| network.contains(sender));
        let Some(named) = address(named.trim()).filter(|_| is_trusted) else {
            break;
        };
        sender = named;
    }
    Source::of(sender)
}

/// An address, with or without a port.
fn address(text: &str) -> Option<IpAddr> {
    let plain = text.parse().ok();
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    let found: Option<IpAddr> = plain.or_else(with_port).or_else(bracketed);
    found.map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append(FORWARDED_FOR, line.parse().unwrap());
        }
        let trusted: Vec<Network> = trusted.iter().map(|text| text.parse().unwrap()).collect();
        let peer = SocketAddr::new(peer.parse().unwrap(), 50_000);
        source(Some(peer), &headers, &trusted).0.to_string()
    }

    #[test]
    fn forwarded_addresses_of_untrusted_peers_are_ignored() {
        assert_eq!(shown("203.0.113.9", &["198.51.100.1"], &[]), "203.0.113.9");
        let other = shown("203.0.113.9", &["198.51.100.1"], &["10.0.0.0/8"]);
        assert_eq!(other, "203.0.113.9");
    }

    #[test]
    fn forwarded_addresses_are_read_up_to_the_first_untrusted_one() {
        let trusted = ["10.0.0.0/8", "::1"];
        for (peer, forwarded, sender) in [
            ("10.1.2.3", &["198.51.100.1"][..], "198.51.100.1"),
            ("::1", &["198.51.100.1"], "198.51.100.1"),
            ("::ffff:10.1.2.3", &["198.51.100.1"], "198.51.100.1"),
            ("10.1.2.3", &["192.0.2.7, 198.51.100.1"], "198.51.100.1"),
            ("10.1.2.3", &["192.0.2.7", "198.51.100.1"], "198.51.100.1"),
            ("10.1.2.3", &["198.51.100.1, 10.9.9.9"], "198.51.100.1"),
            ("10.1.2.3", &["192.0.2.7, unknown"], "10.1.2.3"),
            ("10.1.2.3", &["198.51.100.1:4711"], "198.51.100.1"),
            ("10.1.2.3", &["[2001:db8::1]:4711"], "2001:db8::"),
            ("10.1.2.3", &["[2001:db8::1]"], "2001:db8::"),
            ("10.1.2.3", &[], "10.1.2.3"),
            ("10.1.2.3", &[""], "10.1.2.3"),
        ] {
            assert_eq!(
                shown(peer, forwarded, &trusted),
                sender,
                "{peer} {forwarded:?}"
            );
        }
    }

    #[test]
    fn an_ipv6_network_is_one_source() {
        assert_eq!(shown("2001:db8:1:2:3::4", &[], &[]), "2001:db8:1:2::");
        assert_eq!(shown("::ffff:203.0.113.9", &[], &[]), "203.0.113.9");
    }
}
