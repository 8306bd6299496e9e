//! Which addresses belong to the public internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(a: u16, b: u16, c: u16, prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0), prefix)
}

/// Networks of IPv4 that are not global unicast: IANA's special-purpose registry, and one address of a cloud.
const SPECIAL_V4: [Ipv4Net; 16] = [
    v4(0, 0, 0, 0, 8),        // this host
    v4(10, 0, 0, 0, 8),       // private
    v4(100, 64, 0, 0, 10),    // shared by customers of a provider
    v4(127, 0, 0, 0, 8),      // loopback
    v4(168, 63, 129, 16, 32), // services of Azure for its machines
    v4(169, 254, 0, 0, 16),   // link-local, and the metadata of clouds
    v4(172, 16, 0, 0, 12),    // private
    v4(192, 0, 0, 0, 24),     // protocol assignments
    v4(192, 0, 2, 0, 24),     // documentation
    v4(192, 88, 99, 0, 24),   // relays of 6to4
    v4(192, 168, 0, 0, 16),   // private
    v4(198, 18, 0, 0, 15),    // benchmarks
    v4(198, 51, 100, 0, 24),  // documentation
    v4(203, 0, 113, 0, 24),   // documentation
    v4(224, 0, 0, 0, 4),      // multicast
    v4(240, 0, 0, 0, 4),      // reserved, and broadcast
];

/// All of IPv6 that is assigned for global unicast.
const GLOBAL_V6: Ipv6Net = v6(0x2000, 0, 0, 3);

/// Networks within [`GLOBAL_V6`] that are not global unicast.
const SPECIAL_V6: [Ipv6Net; 4] = [
    v6(0x2001, 0, 0, 23),     // protocol assignments, Teredo among them
    v6(0x2001, 0xdb8, 0, 32), // documentation
    v6(0x2002, 0, 0, 16),     // 6to4, which contains an address of IPv4
    v6(0x3fff, 0, 0, 20),     // documentation
];

/// Networks in which organisations number their own machines.
const PRIVATE_V4: [Ipv4Net; 4] = [
    v4(10, 0, 0, 0, 8),
    v4(100, 64, 0, 0, 10),
    v4(172, 16, 0, 0, 12),
    v4(192, 168, 0, 0, 16),
];
const PRIVATE_V6: Ipv6Net = v6(0xfc00, 0, 0, 7);

/// Whether an address belongs to the public internet, as global unicast.
///
/// An IPv4 address that is mapped into IPv6 is judged as the IPv4 address. Other forms that contain one (NAT64, 6to4,
/// Teredo, IPv4-compatible addresses) are never global, whatever address they contain.
///
/// ```
/// use formalize_core::webhooks::is_global;
///
/// assert!(is_global("93.184.215.14".parse()?));
/// assert!(is_global("2606:2800:21f:cb07::1".parse()?));
/// assert!(!is_global("10.0.0.1".parse()?));
/// assert!(!is_global("::ffff:10.0.0.1".parse()?));
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
pub fn is_global(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => !SPECIAL_V4.iter().any(|network| network.contains(&address)),
        IpAddr::V6(address) => {
            GLOBAL_V6.contains(&address)
                && !SPECIAL_V6.iter().any(|network| network.contains(&address))
        }
    }
}

/// Whether an address is private: one that an organisation gives to its own machines.
pub(super) fn is_private(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => PRIVATE_V4.iter().any(|network| network.contains(&address)),
        IpAddr::V6(address) => PRIVATE_V6.contains(&address),
    }
}
