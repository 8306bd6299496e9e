//! Who a client is, by its address.

use std::net::IpAddr;

use ipnet::Ipv6Net;

/// An IPv4 address, or an IPv6 /64 network, all of whose addresses a single host can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Source(pub IpAddr);

impl Source {
    /// The source that an address belongs to.
    pub fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            address @ IpAddr::V4(_) => Self(address),
            address @ IpAddr::V6(v6) => {
                Self(Ipv6Net::new(v6, 64).map_or(address, |net| net.network().into()))
            }
        }
    }
}
