//! Types of files, and what is done differently for some of them.

use std::borrow::Cow;

/// The type of a file, found in its content: `application/pdf`.
///
/// A client's word is not enough to call a file by a type, because browsers and people act on it. See
/// [`MimeType::detect`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MimeType(Cow<'static, str>);

/// Types that a browser may run or render as a page, apart from all XML. Files of these types are never sent under their type,
/// so that no script of a submitter runs at the address of the service.
const ACTIVE: &[&str] = &[
    "text/html",
    "text/xml",
    "application/xml",
    "text/css",
    "text/javascript",
    "text/ecmascript",
    "application/javascript",
    "application/x-javascript",
    "application/ecmascript",
];

/// Types that browsers may display inline on request. They render these types without running scripts.
const SHOWN_INLINE: &[&str] = &[
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/avif",
    "application/pdf",
];

impl MimeType {
    /// A file without content.
    pub const EMPTY: Self = Self::of("application/x-empty");
    /// Content of which nothing else is known.
    pub const UNKNOWN: Self = Self::of("application/octet-stream");

    pub(super) const fn of(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }

    /// The type with a name that [`MimeType::as_str`] returned, for stores.
    pub fn from_stored(name: String) -> Self {
        Self(Cow::Owned(name))
    }

    /// The name: type and subtype in lower case, without parameters.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether browsers may run such a file or render it as a page: HTML, all XML, scripts and style sheets.
    ///
    /// ```
    /// use formalize_core::files::{FileName, MimeType};
    ///
    /// let name = FileName::clean("logo.svg")?;
    /// let logo = MimeType::detect(b"<svg onload='alert(1)'/>", Some("image/png"), &name);
    /// assert_eq!(logo.as_str(), "image/svg+xml");
    /// assert!(logo.is_active());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn is_active(&self) -> bool {
        ACTIVE.contains(&self.as_str()) || self.as_str().ends_with("+xml")
    }

    /// Whether a browser may show such a file in place instead of saving it.
    pub fn may_be_inline(&self) -> bool {
        SHOWN_INLINE.contains(&self.as_str())
    }
}

displayed! { MimeType }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_both_active_and_shown_in_place() {
        for (name, is_active, is_inline) in [
            ("text/html", true, false),
            ("text/xml", true, false),
            ("image/svg+xml", true, false),
            ("application/xhtml+xml", true, false),
            ("application/rss+xml", true, false),
            ("text/javascript", true, false),
            ("text/css", true, false),
            ("text/plain", false, false),
            ("text/csv", false, false),
            ("application/json", false, false),
            ("application/octet-stream", false, false),
            ("image/tiff", false, false),
            ("image/png", false, true),
            ("application/pdf", false, true),
        ] {
            let mime_type = MimeType::from_stored(name.to_owned());
            assert_eq!(mime_type.is_active(), is_active, "{name}");
            assert_eq!(mime_type.may_be_inline(), is_inline, "{name}");
        }
    }
}
