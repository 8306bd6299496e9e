use std::net::IpAddr;

use super::*;

fn allowed(entries: &[&str]) -> AllowedTargets {
    AllowedTargets::new(entries.iter().map(|entry| entry.parse().unwrap()).collect())
}

/// Hosts as they can be written in a URL, each with the entry that allows it and one that is close but does not.
const INNER_HOSTS: [(&str, &str, &str); 71] = [
    // Spellings of loopback addresses.
    ("127.0.0.1", "127.0.0.0/8", "128.0.0.0/8"),
    ("127.1", "127.0.0.1", "127.0.0.2"),
    ("127.0.1", "127.0.0.1", "127.1.0.0/16"),
    ("2130706433", "127.0.0.1", "127.0.0.2"),
    ("0x7f000001", "127.0.0.1", "127.0.0.2"),
    ("017700000001", "127.0.0.1", "127.0.0.2"),
    ("0x7f.1", "127.0.0.1", "127.0.0.2"),
    ("0177.0.0.1", "127.0.0.1", "177.0.0.1"),
    ("0x7f.0x0.0x0.0x1", "127.0.0.1", "127.0.0.2"),
    ("0177.0x0.0.1", "127.0.0.1", "127.0.0.2"),
    ("127.0.0.1.", "127.0.0.1", "127.0.0.2"),
    ("%31%32%37.0.0.1", "127.0.0.1", "127.0.0.2"),
    ("１２７.０.０.１", "127.0.0.1", "127.0.0.2"),
    ("127。0。0。1", "127.0.0.1", "127.0.0.2"),
    ("①②⑦.⓪.⓪.①", "127.0.0.1", "127.0.0.2"),
    ("127.255.255.254", "127.0.0.0/8", "127.0.0.0/9"),
    ("0", "0.0.0.0", "0.0.0.1"),
    ("0.0.0.0", "0.0.0.0/8", "127.0.0.0/8"),
    ("0x0", "0.0.0.0", "127.0.0.1"),
    ("0.1.2.3", "0.0.0.0/8", "1.0.0.0/8"),
    // Private and other special networks of IPv4, at their first and last addresses.
    ("10.0.0.0", "10.0.0.0/8", "11.0.0.0/8"),
    ("10.255.255.255", "10.0.0.0/8", "10.0.0.0/9"),
    ("012.1.2.3", "10.0.0.0/8", "12.0.0.0/8"),
    ("100.64.0.1", "100.64.0.0/10", "100.0.0.0/10"),
    ("100.127.255.255", "100.64.0.0/10", "100.128.0.0/10"),
    ("172.16.0.1", "172.16.0.0/12", "172.0.0.0/12"),
    ("172.31.255.255", "172.16.0.0/12", "172.32.0.0/12"),
    ("192.0.0.170", "192.0.0.0/24", "192.0.1.0/24"),
    ("192.0.2.1", "192.0.2.0/24", "192.0.0.0/24"),
    ("192.88.99.1", "192.88.99.0/24", "192.88.98.0/24"),
    ("192.168.0.1", "192.168.0.0/16", "192.169.0.0/16"),
    ("3232235521", "192.168.0.1", "192.168.0.2"),
    ("0xc0a80001", "192.168.0.1", "192.168.0.2"),
    ("198.18.0.1", "198.18.0.0/15", "198.16.0.0/15"),
    ("198.19.255.255", "198.18.0.0/15", "198.20.0.0/15"),
    ("198.51.100.1", "198.51.100.0/24", "198.51.101.0/24"),
    ("203.0.113.1", "203.0.113.0/24", "203.0.112.0/24"),
    ("224.0.0.1", "224.0.0.0/4", "240.0.0.0/4"),
    ("239.255.255.255", "224.0.0.0/4", "240.0.0.0/4"),
    ("240.0.0.1", "240.0.0.0/4", "224.0.0.0/4"),
    ("255.255.255.255", "255.255.255.255", "255.255.255.254"),
    // The metadata of clouds: AWS, Azure, Google and others; Alibaba; Azure's agent; AWS over IPv6.
    ("169.254.169.254", "169.254.0.0/16", "169.253.0.0/16"),
    ("2852039166", "169.254.169.254", "169.254.169.253"),
    ("0251.0376.0251.0376", "169.254.169.254", "169.254.169.253"),
    ("100.100.100.200", "100.100.100.200", "100.100.100.201"),
    ("168.63.129.16", "168.63.129.16", "168.63.129.17"),
    ("[fd00:ec2::254]", "fd00:ec2::/32", "fd00:ec3::/32"),
    // IPv6: loopback, unspecified, private, link-local, site-local, multicast.
    ("[::1]", "::1", "::2"),
    ("[0:0:0:0:0:0:0:1]", "::1", "::2"),
    ("[::]", "::", "::1"),
    ("[fc00::1]", "fc00::/7", "fe80::/10"),
    ("[fdff::1]", "fdff::/16", "fdfe::/16"),
    ("[fe80::1]", "fe80::/10", "fc00::/7"),
    ("[fec0::1]", "fec0::/10", "fe80::/10"),
    ("[ff02::1]", "ff00::/8", "fe00::/8"),
    ("[100::1]", "100::/64", "101::/64"),
    // IPv6 addresses that contain one of IPv4: mapped, compatible, NAT64, 6to4, Teredo.
    ("[::ffff:127.0.0.1]", "127.0.0.1", "::1"),
    ("[::ffff:7f00:1]", "127.0.0.0/8", "::/64"),
    ("[::ffff:10.0.0.1]", "10.0.0.0/8", "::/64"),
    ("[::127.0.0.1]", "::/96", "127.0.0.0/8"),
    ("[::8.8.8.8]", "::/96", "8.8.8.8"),
    ("[64:ff9b::127.0.0.1]", "64:ff9b::/96", "127.0.0.0/8"),
    ("[64:ff9b::8.8.8.8]", "64:ff9b::/96", "8.8.8.8"),
    ("[64:ff9b:1::10.0.0.1]", "64:ff9b:1::/48", "64:ff9b::/48"),
    ("[2002:7f00:1::]", "2002::/16", "127.0.0.0/8"),
    ("[2002:808:808::1]", "2002:808:808::/48", "8.8.8.8"),
    ("[2001:0:7f00:1::]", "2001::/32", "127.0.0.0/8"),
    ("[2001:1ff:ffff::1]", "2001::/23", "2001:200::/23"),
    ("[2001:db8::1]", "2001:db8::/32", "2001:db9::/32"),
    ("[3fff:fff::1]", "3fff::/20", "3ffe::/20"),
    ("[4000::1]", "4000::/3", "2000::/3"),
];

#[test]
fn inner_addresses_are_refused_in_every_spelling_and_allowed_by_the_entry_that_names_them() {
    for (host, names, misses) in INNER_HOSTS {
        let url = format!("https://{host}:8443/hook");
        let parse = |entries: &[&str]| WebhookUrl::parse(&url, &allowed(entries));
        assert_eq!(parse(&[]), Err(InvalidWebhookUrl::Target), "{url}");
        assert_eq!(parse(&[misses]), Err(InvalidWebhookUrl::Target), "{url}");
        let names_only = parse(&["hooks.example.org", ".example.org"]);
        assert_eq!(names_only, Err(InvalidWebhookUrl::Target), "{url}");
        let saved = parse(&[misses, names]).unwrap_or_else(|error| panic!("{url}: {error}"));
        let WebhookHost::Address(address) = saved.host() else {
            panic!("{url} is not an address");
        };
        // The same verdict at a connection, where the name might have been resolved to the address.
        assert!(!is_global(address), "{url}");
        assert!(!allowed(&[misses]).allows_address(None, address), "{url}");
        assert!(allowed(&[names]).allows_address(None, address), "{url}");
        let host = Some("receiver.example.net");
        assert!(!allowed(&[misses]).allows_address(host, address), "{url}");
    }
}

#[test]
fn local_names_are_refused_and_allowed_by_the_entry_that_names_them() {
    for (name, entries, misses) in [
        ("localhost", "localhost", ".example.org"),
        ("localhost.", "localhost", "localhost.example.org"),
        ("LOCALHOST", "localhost", "local"),
        ("ｌｏｃａｌｈｏｓｔ", "localhost", "local"),
        ("loc%61lhost", "localhost", "local"),
        ("a.localhost", ".localhost", "localhost"),
        ("printer.local", "printer.local", "scanner.local"),
        ("printer.local.", ".local", ".scanner.local"),
        ("metadata.google.internal", ".internal", "google.internal"),
        ("router.home.arpa", ".home.arpa", "home.arpa"),
        ("intranet", "intranet", "intra"),
        ("intranet.", ".intranet", "intranet.example.org"),
        (
            "kubernetes.default.svc.cluster.local",
            ".cluster.local",
            "cluster.local",
        ),
    ] {
        let url = format!("https://{name}/");
        let parse = |entry: &str| WebhookUrl::parse(&url, &allowed(&[entry]));
        let by_default = WebhookUrl::parse(&url, &AllowedTargets::default());
        assert_eq!(by_default, Err(InvalidWebhookUrl::Target), "{url}");
        assert_eq!(parse(misses), Err(InvalidWebhookUrl::Target), "{url}");
        assert_eq!(parse("0.0.0.0/0"), Err(InvalidWebhookUrl::Target), "{url}");
        parse(entries).unwrap_or_else(|error| panic!("{url}: {error}"));
    }
}

#[test]
fn public_hosts_need_no_entry_and_urls_are_normalised() {
    for (text, normalised) in [
        ("https://hooks.example.org", "https://hooks.example.org/"),
        (
            "https://hooks.example.org./x?y=z",
            "https://hooks.example.org./x?y=z",
        ),
        (
            " https://EXAMPLE.org:443/a b\n",
            "https://example.org/a%20b",
        ),
        (
            "https://example.org:8443/a/./../b",
            "https://example.org:8443/b",
        ),
        ("https:\\\\example.org\\b", "https://example.org/b"),
        ("https://bücher.example", "https://xn--bcher-kva.example/"),
        (
            "https://127.0.0.1.example.org",
            "https://127.0.0.1.example.org/",
        ),
        (
            "https://localhost.example.org",
            "https://localhost.example.org/",
        ),
        ("https://notlocal.mylocal", "https://notlocal.mylocal/"),
        ("https://8.8.8.8", "https://8.8.8.8/"),
        ("https://134744072", "https://8.8.8.8/"),
        ("https://[::ffff:8.8.8.8]", "https://[::ffff:808:808]/"),
        (
            "https://[2606:2800:21f:cb07::1]:9",
            "https://[2606:2800:21f:cb07::1]:9/",
        ),
        ("https://168.63.129.17", "https://168.63.129.17/"),
        ("https://[2001:200::1]", "https://[2001:200::1]/"),
        ("https://[2003::1]", "https://[2003::1]/"),
        ("https://[3fff:1000::1]", "https://[3fff:1000::1]/"),
        ("https://100.63.255.255", "https://100.63.255.255/"),
        ("https://172.32.0.0", "https://172.32.0.0/"),
        ("https://198.17.255.255", "https://198.17.255.255/"),
        ("https://223.255.255.255", "https://223.255.255.255/"),
    ] {
        let url = WebhookUrl::parse(text, &AllowedTargets::default());
        let url = url.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(url.as_str(), normalised);
        assert_eq!(WebhookUrl::stored(url.as_str()), Ok(url));
    }
}

#[test]
fn malformed_urls_are_refused_with_the_reason() {
    let long = format!("https://example.org/{}", "a".repeat(MAX_WEBHOOK_URL_CHARS));
    let grows = format!(
        "https://example.org/{}",
        "é".repeat(MAX_WEBHOOK_URL_CHARS / 2)
    );
    for (text, reason) in [
        ("", InvalidWebhookUrl::Malformed),
        ("example.org/hook", InvalidWebhookUrl::Malformed),
        ("https://", InvalidWebhookUrl::Malformed),
        ("https://exa mple.org", InvalidWebhookUrl::Malformed),
        ("https://127.0.0.256", InvalidWebhookUrl::Malformed),
        ("https://1.2.3.4.5", InvalidWebhookUrl::Malformed),
        ("https://0x100000000", InvalidWebhookUrl::Malformed),
        ("https://[fe80::1%25eth0]/", InvalidWebhookUrl::Malformed),
        ("https://[fe80::1%eth0]/", InvalidWebhookUrl::Malformed),
        ("https://example.org:65536", InvalidWebhookUrl::Malformed),
        ("https://exa\0mple.org", InvalidWebhookUrl::Malformed),
        ("http://example.org", InvalidWebhookUrl::Unencrypted),
        ("http://8.8.8.8", InvalidWebhookUrl::Unencrypted),
        ("ftp://example.org", InvalidWebhookUrl::Unencrypted),
        ("file:///etc/passwd", InvalidWebhookUrl::Unencrypted),
        ("gopher://127.0.0.1:6379/_x", InvalidWebhookUrl::Unencrypted),
        ("https://user@example.org", InvalidWebhookUrl::Credentials),
        (
            "https://:secret@example.org",
            InvalidWebhookUrl::Credentials,
        ),
        (
            "https://example.org@127.0.0.1/",
            InvalidWebhookUrl::Credentials,
        ),
        ("https://example.org/#top", InvalidWebhookUrl::Fragment),
        ("https://example.org/#", InvalidWebhookUrl::Fragment),
        (
            "https://example.org#@127.0.0.1/",
            InvalidWebhookUrl::Fragment,
        ),
        (
            "https://127.0.0.1\\@example.org/",
            InvalidWebhookUrl::Target,
        ),
        (&long, InvalidWebhookUrl::TooLong),
        (&grows, InvalidWebhookUrl::TooLong),
    ] {
        let refused = WebhookUrl::parse(text, &AllowedTargets::default());
        assert_eq!(refused, Err(reason), "{text}");
    }
}

#[test]
fn unencrypted_urls_need_an_entry_for_their_host() {
    let entries = allowed(&[
        "10.0.0.0/8",
        "8.8.8.8",
        "hooks.example.org",
        ".intra.example.org",
    ]);
    let parse = |text: &str| WebhookUrl::parse(text, &entries);
    for text in [
        "http://10.1.2.3/",
        "http://8.8.8.8/",
        "http://hooks.example.org/",
        "http://hooks.example.org./",
        "http://intra.example.org/",
        "http://a.b.intra.example.org/",
    ] {
        let url = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(!url.is_encrypted());
        assert_eq!(url.port(), 80);
    }
    for text in [
        "http://8.8.4.4/",
        "http://a.hooks.example.org/",
        "http://xintra.example.org/",
        "http://example.org/",
    ] {
        assert_eq!(parse(text), Err(InvalidWebhookUrl::Unencrypted), "{text}");
    }
}

#[test]
fn a_listed_name_may_be_at_private_addresses_only() {
    let entries = allowed(&["hooks.example.org", ".intra.example.org"]);
    let address = |text: &str| -> IpAddr { text.parse().unwrap() };
    for inside in [
        "10.0.0.1",
        "100.64.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "fd12::1",
        "::ffff:10.0.0.1",
    ] {
        let inside = address(inside);
        for name in [
            "hooks.example.org",
            "hooks.example.org.",
            "intra.example.org",
            "a.intra.example.org",
        ] {
            assert!(
                entries.allows_address(Some(name), inside),
                "{name} {inside}"
            );
        }
        for name in ["example.org", "a.hooks.example.org", "xintra.example.org"] {
            assert!(
                !entries.allows_address(Some(name), inside),
                "{name} {inside}"
            );
        }
        assert!(!entries.allows_address(None, inside), "{inside}");
    }
    for refused in [
        "127.0.0.1",
        "0.0.0.0",
        "169.254.169.254",
        "168.63.129.16",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "ff02::1",
        "64:ff9b::a00:1",
        "2002:a00:1::",
        "::ffff:127.0.0.1",
    ] {
        let refused = address(refused);
        let name = Some("hooks.example.org");
        assert!(!entries.allows_address(name, refused), "{refused}");
        let network = allowed(&[&refused.to_canonical().to_string()]);
        assert!(network.allows_address(name, refused), "{refused}");
    }
}

#[test]
fn entries_are_networks_and_names() {
    for (text, shown) in [
        ("10.20.0.0/16", "10.20.0.0/16"),
        ("10.20.0.1", "10.20.0.1/32"),
        ("fd12::/48", "fd12::/48"),
        ("::/0", "::/0"),
        ("Hooks.Example.org", "hooks.example.org"),
        (".intra.example.org", ".intra.example.org"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("localhost", "localhost"),
    ] {
        let entry: AllowedTarget = text.parse().unwrap();
        assert_eq!(entry.to_string(), shown);
        assert_eq!(shown.parse(), Ok(entry));
    }
    for text in [
        "",
        ".",
        "..a",
        "a.",
        "*.example.org",
        "10.20.0.1/16",
        "10.0.0.0/33",
        "0x7f.1",
        "2130706433",
        "a b",
        "https://example.org",
        "example.org:443",
        "example.org/x",
        "::ffff:10.0.0.0/104",
        "::ffff:10.0.0.1",
        "[::1]",
    ] {
        assert_eq!(text.parse::<AllowedTarget>(), Err(InvalidTarget), "{text}");
    }
}
