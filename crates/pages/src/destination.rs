//! Addresses to which people return after they have signed in.

use formalize_http::percent;

/// An address to return to, if it is that of a page of this service.
///
/// Browsers resolve `.` and `..` in a path, also if they are encoded, so that an address could lead to another page than it
/// seems to.
pub(super) fn destination(address: &str) -> Option<&str> {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let mut segments = path.split('/').skip(1);
    let leads_on = segments.all(|segment| {
        let decoded = percent::decode(segment);
        decoded.is_some_and(|segment| !matches!(segment.as_str(), "" | "." | ".."))
    });
    let is_page = ["/f/", "/s/", "/console"]
        .iter()
        .any(|page| address.starts_with(page));
    let is_plain = address
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    (is_page && is_plain && leads_on)
        .then_some(address)
        .and_then(|address| brief(address, MOST_BYTES))
}

/// The maximum length of an address to return to as it stands in headers and links, encoded.
pub(super) const MOST_BYTES: usize = 1500;

/// An address to return to, without its query if it takes more than `most` bytes, encoded; `None` if its path does, too.
pub(super) fn brief(address: &str, most: usize) -> Option<&str> {
    let is_short = |address: &&str| percent::encode(address).len() <= most;
    let path = address.split('?').next();
    Some(address).filter(is_short).or(path.filter(is_short))
}

#[cfg(test)]
mod tests {
    use super::destination;

    #[test]
    fn people_return_to_a_long_address_without_its_query() {
        let short = format!("/f/x?{}", "a".repeat(1_489));
        assert_eq!(destination(&short), Some(short.as_str()));
        for long in [
            format!("{short}a"),
            format!("/f/x?{}", "&".repeat(500)),
            format!("/f/x?{}", "a?".repeat(1_000)),
        ] {
            assert_eq!(destination(&long), Some("/f/x"));
        }
        assert_eq!(destination(&format!("/f/{}", "/".repeat(600))), None);
    }

    #[test]
    fn people_return_to_pages_of_this_service_only() {
        for address in [
            "/f/x?lang=de&p:/a=b%20c",
            "/s/x",
            "/console",
            "/console/groups?search=a/../b//c",
        ] {
            assert_eq!(destination(address), Some(address));
        }
        for address in [
            "",
            "/",
            "//example.org/f/",
            "https://example.org/f/",
            "/sign-out",
            "/f\\x",
            "/f/\\..",
            "/f/a b",
            "/f/a\r\nX: y",
            "f/x",
            "/f/.",
            "/f/../sign-out",
            "/f/x/..",
            "/f/%2e%2E/sign-out",
            "/f/.%2e?x",
            "/console//example.org",
            "/f//example.org",
            "/s/x//",
        ] {
            assert_eq!(destination(address), None, "{address}");
        }
    }
}
