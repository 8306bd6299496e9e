//! Public links: anyone who has one may submit to one form.

use std::net::{IpAddr, Ipv6Addr};

use crate::fields::{Field, InvalidFields};
use crate::id::{FormId, LinkId, Revision};
use crate::model::change::Change;
use crate::model::form::SubmissionCap;
use crate::model::subject::{Caller, LinkCaller, UserId};
use crate::model::text::bounded_texts;
use crate::time::Timestamp;

bounded_texts! {
    /// The label of a link, for those who manage it: 1 to 255 characters, no control characters.
    ///
    /// ```
    /// use formalize_core::links::LinkLabel;
    ///
    /// assert_eq!(LinkLabel::new("Poster in the hall")?.as_str(), "Poster in the hall");
    /// assert!(LinkLabel::new("").is_err());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    LinkLabel, 255, is_plain, FormLink(Label);
}

/// The maximum number of submissions through a link: 1 to 2³¹−1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkCap(SubmissionCap);

impl LinkCap {
    /// The largest cap.
    pub const MAX: i64 = SubmissionCap::MAX;

    /// Creates a cap.
    ///
    /// # Errors
    ///
    /// [`InvalidFields::FormLink`] outside 1 to 2³¹−1.
    ///
    /// ```
    /// use formalize_core::links::LinkCap;
    ///
    /// assert_eq!(LinkCap::new(1)?.get(), 1);
    /// assert!(LinkCap::new(0).is_err());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn new(cap: i64) -> Result<Self, InvalidFields> {
        match SubmissionCap::new(cap) {
            Ok(cap) if cap.get() > 0 => Ok(Self(cap)),
            _ => Err(InvalidFields::FormLink(vec![Field::MaxNumSubmissions])),
        }
    }

    /// The number.
    pub const fn get(self) -> i64 {
        self.0.get()
    }
}

/// The origins of web pages that may show a link in a frame: at most 20, without duplicates.
///
/// An origin is in the spelling of browsers, such as `https://example.org` or `https://example.org:8443`. `http://` is
/// accepted only on loopback, because anyone on the way could change such a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EmbedOrigins(Vec<String>);

impl EmbedOrigins {
    /// The maximum number of origins.
    pub const MAX: usize = 20;

    /// The maximum length of all origins together, with a space between them, in bytes. They stand in a header of every page
    /// of the link.
    pub const MAX_BYTES: usize = 2048;

    /// Parses origins.
    ///
    /// # Errors
    ///
    /// [`InvalidFields::FormLink`] if one is malformed, or if they are too many or too long.
    ///
    /// ```
    /// use formalize_core::links::EmbedOrigins;
    ///
    /// let origins = EmbedOrigins::new(["https://example.org", "http://localhost:8080"])?;
    /// assert!(origins.iter().eq(["https://example.org", "http://localhost:8080"]));
    /// assert!(EmbedOrigins::new(["https://example.org/"]).is_err());
    /// assert!(EmbedOrigins::new(["http://example.org"]).is_err());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn new(
        origins: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<Self, InvalidFields> {
        let invalid = || InvalidFields::FormLink(vec![Field::EmbedOrigins]);
        let mut parsed: Vec<String> = Vec::new();
        for origin in origins {
            let origin = origin.into();
            ensure!(is_origin(&origin), invalid());
            if !parsed.contains(&origin) {
                parsed.push(origin);
            }
            ensure!(parsed.len() <= Self::MAX, invalid());
        }
        let bytes: usize = parsed.iter().map(|origin| origin.len() + 1).sum();
        ensure!(bytes <= Self::MAX_BYTES, invalid());
        Ok(Self(parsed))
    }

    /// The origins, in the order in which they were given.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// Whether a text is the origin of a page whose content cannot be tampered with, in the spelling of browsers.
fn is_origin(text: &str) -> bool {
    let Some((scheme, authority)) = text.split_once("://") else {
        return false;
    };
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    let (is_allowed, usual_port) = match scheme {
        "https" => (is_host(host), "443"),
        "http" => (is_loopback(host), "80"),
        _ => return false,
    };
    is_allowed && port.is_none_or(|port| port != usual_port && is_port(port))
}

/// A domain name, or an address. Names beyond ASCII are in Punycode, as browsers write them in origins.
fn is_host(host: &str) -> bool {
    const MAX_NAME: usize = 253;
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_label = |label: &str| !label.is_empty() && label.bytes().all(is_letter);
    address_of(host).is_some() || (host.len() <= MAX_NAME && host.split('.').all(is_label))
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || address_of(host).is_some_and(|address| address.is_loopback())
}

/// An IPv4 address, or an IPv6 address in brackets, in its usual spelling.
fn address_of(host: &str) -> Option<IpAddr> {
    match host.strip_prefix('[') {
        Some(rest) => {
            let text = rest.strip_suffix(']')?;
            let address = text.parse::<Ipv6Addr>().ok()?;
            (address.to_string() == text).then_some(address.into())
        }
        None => host.parse().ok().filter(IpAddr::is_ipv4),
    }
}

fn is_port(port: &str) -> bool {
    let number = port.parse::<u16>();
    number.is_ok_and(|number| number > 0 && number.to_string() == port)
}

/// A public link: anyone who has its secret may submit to one form, and do nothing else. Only a hash of the secret is
/// stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormLink {
    /// The identifier; not a secret.
    pub id: LinkId,
    /// The form.
    pub form: FormId,
    /// The label for those who manage the link.
    pub label: Option<LinkLabel>,
    /// The time of expiry; `None` is never.
    pub date_expires: Option<Timestamp>,
    /// The maximum number of submissions through the link; `None` is unlimited.
    pub cap: Option<LinkCap>,
    /// The number of submissions through the link that exist.
    pub num_submissions: i64,
    /// Whether a browser that has submitted is not asked again. A cookie remembers it, so this does not protect against abuse.
    pub once_per_browser: bool,
    /// The origins of web pages that may show the link in a frame.
    pub embed_origins: EmbedOrigins,
    /// The user who created the link.
    pub creator: UserId,
    /// The time of creation.
    pub date_created: Timestamp,
    /// The current revision.
    pub revision: Revision,
}

impl FormLink {
    /// A person with the link, as the caller of a service.
    ///
    /// This caller may create submissions of the form and see its name and questions; everything else is forbidden.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let (link, _) = formalize.links().create(&Caller::System, NewFormLink::to(form.id)).await?;
    /// let caller = link.caller();
    /// let new = NewSubmission::new(form.id, r#"{"entry": "Lovely."}"#);
    /// let sent = formalize.submissions().create(&caller, new).await?;
    /// assert_eq!(sent.item.creator, link.id.into());
    ///
    /// let read = formalize.submissions().get(&caller, sent.item.id).await;
    /// assert!(matches!(read, Err(Error::Forbidden)));
    /// # Ok(()) });
    /// ```
    pub fn caller(&self) -> Caller {
        Caller::Link(LinkCaller::new(self.id.into(), self.cap.map(|cap| cap.0)))
    }
}

/// A link to create.
///
/// ```
/// use formalize_core::{FormId, links::{LinkCap, NewFormLink}};
///
/// # fn example(form: FormId) -> Result<(), formalize_core::Error> {
/// // For one submission, in December.
/// let new = NewFormLink {
///     cap: Some(LinkCap::new(1)?),
///     date_expires: Some("2027-01-01T00:00:00Z".parse()?),
///     ..NewFormLink::to(form)
/// };
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFormLink {
    /// The form.
    pub form: FormId,
    /// The label for those who manage the link.
    pub label: Option<LinkLabel>,
    /// The time of expiry; `None` is never.
    pub date_expires: Option<Timestamp>,
    /// The maximum number of submissions through the link; `None` is unlimited.
    pub cap: Option<LinkCap>,
    /// Whether a browser that has submitted is not asked again.
    pub once_per_browser: bool,
    /// The origins of web pages that may show the link in a frame.
    pub embed_origins: EmbedOrigins,
}

impl NewFormLink {
    /// An unlimited link to a form.
    pub fn to(form: FormId) -> Self {
        Self {
            form,
            label: None,
            date_expires: None,
            cap: None,
            once_per_browser: false,
            embed_origins: EmbedOrigins::default(),
        }
    }
}

/// Changes of a link. `None` and [`Change::Keep`] keep the value of a field.
///
/// ```
/// use formalize_core::{Change, links::{FormLinkChange, LinkLabel}};
///
/// // Renames a link that then never expires.
/// let change = FormLinkChange {
///     label: Change::Set(LinkLabel::new("Newsletter")?),
///     date_expires: Change::Clear,
///     ..FormLinkChange::default()
/// };
/// # Ok::<(), formalize_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FormLinkChange {
    /// The new label.
    pub label: Change<LinkLabel>,
    /// The new time of expiry.
    pub date_expires: Change<Timestamp>,
    /// The new cap. If it is below the number of submissions, nothing is deleted.
    pub cap: Change<LinkCap>,
    /// Whether a browser that has submitted is not asked again.
    pub once_per_browser: Option<bool>,
    /// The new origins.
    pub embed_origins: Option<EmbedOrigins>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_require_the_spelling_of_browsers() {
        for origin in [
            "https://example.org",
            "https://a.xn--bcher-kva.example:8443",
            "https://intranet",
            "https://192.0.2.1",
            "https://[2001:db8::1]:444",
            "http://localhost",
            "http://localhost:3000",
            "http://127.3.2.1:8080",
            "http://[::1]",
            "http://[::1]:8080",
        ] {
            assert!(is_origin(origin), "{origin}");
        }
        let long = format!("https://{}", "a.".repeat(127));
        for other in [
            "",
            "null",
            "*",
            "example.org",
            "https://",
            "https://*",
            "https://*.example.org",
            "https://example.org/",
            "https://example.org/a",
            "https://example.org?a",
            "https://example.org#a",
            "https://u@example.org",
            "https://u:p@example.org",
            "https://example.org:",
            "https://example.org:443",
            "https://example.org:0",
            "https://example.org:08",
            "https://example.org:65536",
            "https://example.org:+8",
            "https://example.org 'none'",
            "https://example.org; script-src *",
            "https://example.org,https://example.com",
            "https://Example.org",
            "HTTPS://example.org",
            "https://bücher.example",
            "https://example..org",
            "https://example.org\n",
            "https://[2001:DB8::1]",
            "https://[2001:db8::1",
            "https://[192.0.2.1]",
            "https://::1",
            "https://[::1]x",
            "http://example.org",
            "http://192.0.2.1",
            "http://[2001:db8::1]",
            "http://localhost:80",
            "http://localhost.example.org",
            "ftp://localhost",
            "javascript://localhost",
            &long,
        ] {
            assert!(!is_origin(other), "{other}");
        }
    }

    #[test]
    fn origins_are_counted_without_duplicates() {
        let origins = |count: usize| (0..count).map(|number| format!("https://{number}.example"));
        let twice = EmbedOrigins::new(origins(20).chain(origins(20))).unwrap();
        assert_eq!(twice.iter().len(), 20);
        let refused = EmbedOrigins::new(origins(21));
        let fields = [Field::EmbedOrigins];
        assert!(matches!(refused, Err(InvalidFields::FormLink(at)) if at == fields));
    }

    #[test]
    fn the_length_of_all_origins_is_bounded() {
        // With the space behind it, each has 128 bytes.
        let origin = |number: usize| {
            let (one, other) = ("a".repeat(56), "a".repeat(55));
            format!("https://{number:02}.{one}.{other}.org")
        };
        assert_eq!(origin(1).len(), 128 - 1);
        assert!(EmbedOrigins::new((0..16).map(origin)).is_ok());
        assert!(EmbedOrigins::new((0..17).map(origin)).is_err());
    }

    #[test]
    fn labels_and_caps_are_bounded() {
        assert!(LinkLabel::new("ä".repeat(255)).is_ok());
        for label in [String::new(), "ä".repeat(256), "a\nb".to_owned()] {
            assert!(LinkLabel::new(label).is_err());
        }
        assert_eq!(LinkCap::new(LinkCap::MAX).unwrap().get(), LinkCap::MAX);
        for cap in [i64::MIN, -1, 0, LinkCap::MAX + 1, i64::MAX] {
            assert!(LinkCap::new(cap).is_err(), "{cap}");
        }
    }
}
