//! Entity tags (RFC 9110, section 8.8.3): how they are generated, and how `If-Match` and `If-None-Match` are parsed.

use std::fmt;

use formalize_core::Revision;
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The number of bytes of the SHA-256 of a view in a tag. 64 bits are enough, because a revision has only a few views.
const VIEW_BYTES: usize = 8;

/// Identifies one state of an item.
///
/// The tags of this service are strong. They have up to two parts, separated by a dot: the revision of the record,
/// which every change renews, and a hash of the view, that is, of the fields visible to the caller. Tags do not depend
/// on the build, so several servers can run behind one load balancer.
///
/// ```
/// use formalize_http::tag::EntityTag;
/// let tag = EntityTag::new(None, "{}");
/// assert_eq!(tag.to_string(), r#""44136fa355b3678a""#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityTag {
    is_weak: bool,
    /// The text between the quotation marks.
    opaque: Vec<u8>,
}

impl EntityTag {
    /// The tag of an item with this view. `revision` is that of its record, if it has one.
    pub fn new(revision: Option<Uuid>, view: &str) -> Self {
        let view = hash(view);
        let opaque = match revision {
            Some(revision) => format!("{}.{view:016x}", revision.simple()),
            None => format!("{view:016x}"),
        };
        Self {
            is_weak: false,
            opaque: opaque.into_bytes(),
        }
    }

    /// The tag of the content with this hash in hexadecimal digits.
    pub fn of_content(hash: &str) -> Self {
        Self {
            is_weak: false,
            opaque: hash.into(),
        }
    }

    /// The weak tag of a text, valid for compressed and uncompressed responses.
    pub fn weak(text: &str) -> Self {
        Self {
            is_weak: true,
            ..Self::new(None, text)
        }
    }

    /// The revision in the tag; `None` if the tag is weak or has no revision.
    fn revision(&self) -> Option<Revision> {
        let part = self.opaque.split(|byte| *byte == b'.').next()?;
        let revision = Uuid::try_parse_ascii(part).ok()?;
        let is_exact = revision.simple().to_string().as_bytes() == part;
        (is_exact && !self.is_weak).then_some(Revision::from_uuid(revision))
    }
}

impl fmt::Display for EntityTag {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weak = if self.is_weak { "W/" } else { "" };
        let opaque = String::from_utf8_lossy(&self.opaque);
        write!(formatter, "{weak}\"{opaque}\"")
    }
}

/// The first bytes of the SHA-256 of a view.
fn hash(view: &str) -> u64 {
    let digest = Sha256::digest(view);
    let bytes = digest.iter().take(VIEW_BYTES);
    bytes.fold(0, |hash, byte| hash << 8 | u64::from(*byte))
}

/// The tags in a conditional header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tags {
    /// `*`: any existing item.
    Any,
    /// At least one tag.
    OneOf(Vec<EntityTag>),
}

impl Tags {
    /// Parses the value of `If-Match` or `If-None-Match`; `None` if it is malformed.
    ///
    /// ```
    /// use formalize_http::tag::Tags;
    /// assert_eq!(Tags::parse(b"*"), Some(Tags::Any));
    /// assert!(Tags::parse(br#"W/"a", "b,c""#).is_some());
    /// assert_eq!(Tags::parse(b"a"), None);
    /// ```
    pub fn parse(value: &[u8]) -> Option<Self> {
        match trim(value) {
            b"*" => Some(Self::Any),
            list => parse_list(list).map(Self::OneOf),
        }
    }

    /// Weak comparison: whether any of these tags matches, regardless of weakness.
    pub fn include_weakly(&self, current: &EntityTag) -> bool {
        match self {
            Self::Any => true,
            Self::OneOf(tags) => tags.iter().any(|tag| tag.opaque == current.opaque),
        }
    }

    /// Strong comparison: whether any of these tags matches byte for byte; weak tags never match.
    pub fn include_strongly(&self, current: &EntityTag) -> bool {
        match self {
            Self::Any => true,
            Self::OneOf(tags) => tags.iter().any(|tag| tag == current && !tag.is_weak),
        }
    }

    /// The revisions in these tags, regardless of the views; `None` for `*`.
    pub fn revisions(&self) -> Option<Vec<Revision>> {
        match self {
            Self::Any => None,
            Self::OneOf(tags) => Some(tags.iter().filter_map(EntityTag::revision).collect()),
        }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn trim(mut text: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = text
        && is_blank(*first)
    {
        text = rest;
    }
    while let [rest @ .., last] = text
        && is_blank(*last)
    {
        text = rest;
    }
    text
}

/// Parses a comma-separated list of tags; elements may be empty, but not all of them.
fn parse_list(mut text: &[u8]) -> Option<Vec<EntityTag>> {
    let mut tags = Vec::new();
    loop {
        text = match trim(text) {
            [] => break,
            [b',', rest @ ..] => rest,
            element => {
                let (tag, rest) = parse_tag(element)?;
                tags.push(tag);
                match trim(rest) {
                    [] | [b',', ..] => rest,
                    _ => return None,
                }
            }
        };
    }
    (!tags.is_empty()).then_some(tags)
}

/// Parses a tag at the start of a text, and returns the rest.
fn parse_tag(text: &[u8]) -> Option<(EntityTag, &[u8])> {
    let (is_weak, quoted) = match text.strip_prefix(b"W/") {
        Some(quoted) => (true, quoted),
        None => (false, text),
    };
    let inner = quoted.strip_prefix(b"\"")?;
    let length = inner.iter().position(|byte| *byte == b'"')?;
    let (opaque, rest) = inner.split_at_checked(length)?;
    let tag = EntityTag {
        is_weak,
        opaque: opaque.to_vec(),
    };
    let is_well_formed = opaque
        .iter()
        .all(|byte| matches!(byte, 0x21..=0x7e | 0x80..));
    is_well_formed.then_some((tag, rest.strip_prefix(b"\"")?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(value: &str) -> Option<Tags> {
        Tags::parse(value.as_bytes())
    }

    fn tag(is_weak: bool, opaque: &str) -> EntityTag {
        EntityTag {
            is_weak,
            opaque: opaque.into(),
        }
    }

    #[test]
    fn lists_of_tags_are_parsed() {
        for (value, tags) in [
            (r#""a""#, vec![tag(false, "a")]),
            (r#"W/"a""#, vec![tag(true, "a")]),
            (r#""""#, vec![tag(false, "")]),
            (r#""a","b""#, vec![tag(false, "a"), tag(false, "b")]),
            (
                "\t\"a\" ,\t W/\"b\" ",
                vec![tag(false, "a"), tag(true, "b")],
            ),
            (r#", ,"a",,"b","#, vec![tag(false, "a"), tag(false, "b")]),
            (r#""a,b""#, vec![tag(false, "a,b")]),
            (r#""a\""#, vec![tag(false, r"a\")]),
            (r#""*""#, vec![tag(false, "*")]),
            (r#""ä""#, vec![tag(false, "ä")]),
        ] {
            assert_eq!(parse(value), Some(Tags::OneOf(tags)), "{value}");
        }
        assert_eq!(parse("*"), Some(Tags::Any));
        assert_eq!(parse(" * "), Some(Tags::Any));
    }

    #[test]
    fn malformed_lists_of_tags_are_rejected() {
        for value in [
            "",
            " ",
            ",",
            ", ,",
            "a",
            "'a'",
            r#""a"#,
            r#"a""#,
            r#"w/"a""#,
            r#"W /"a""#,
            r#"W/ "a""#,
            "W/",
            "W/a",
            r#""a" "b""#,
            r#""a";"b""#,
            r#""a"b"#,
            r#""a b""#,
            "\"a\u{7f}\"",
            "\"a\tb\"",
            "**",
            "*,*",
            r#"*, "a""#,
            r#""a", *"#,
            r#""a"W/"b""#,
        ] {
            assert_eq!(parse(value), None, "{value:?}");
        }
    }

    #[test]
    fn the_tag_of_an_item_survives_a_round_trip() {
        let revision = Uuid::from_u128(7);
        for made in [
            EntityTag::new(Some(revision), "{}"),
            EntityTag::new(None, "{}"),
        ] {
            assert_eq!(parse(&made.to_string()), Some(Tags::OneOf(vec![made])));
        }
        let read = |tag: &str| parse(tag).unwrap().revisions().unwrap();
        let made = EntityTag::new(Some(revision), "{}").to_string();
        assert_eq!(read(&made), [Revision::from_uuid(revision)]);
        let other_view = EntityTag::new(Some(revision), "[]").to_string();
        assert_ne!(made, other_view);
        assert_eq!(read(&other_view), read(&made));
    }

    #[test]
    fn tags_do_not_depend_on_the_build() {
        let tag = EntityTag::new(Some(Uuid::from_u128(7)), r#"{"name":"a"}"#);
        let expected = "\"00000000000000000000000000000007.d9d719b27480b55c\"";
        assert_eq!(tag.to_string(), expected);
    }

    #[test]
    fn only_a_strong_tag_with_an_exact_revision_has_a_revision() {
        let exact = "0193a5b67c8d7e9f8a0b1c2d3e4f5a6b";
        let read = |tag: String| parse(&tag).unwrap().revisions().unwrap().len();
        assert_eq!(read(format!("\"{exact}.0\"")), 1);
        for other in [
            format!("W/\"{exact}.0\""),
            format!("\"{}.0\"", exact.to_uppercase()),
            "\"0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b.0\"".to_owned(),
            format!("\"{{{exact}}}.0\""),
            format!("\"0.{exact}\""),
            format!("\"{exact}0\""),
            "\"\"".to_owned(),
        ] {
            assert_eq!(read(other.clone()), 0, "{other}");
        }
        assert_eq!(Tags::Any.revisions(), None);
    }

    #[test]
    fn weak_tags_match_only_weakly() {
        let current = tag(false, "a");
        for (value, weakly, strongly) in [
            (r#""a""#, true, true),
            (r#"W/"a""#, true, false),
            (r#""b", "a""#, true, true),
            (r#""A""#, false, false),
            ("*", true, true),
        ] {
            let tags = parse(value).unwrap();
            assert_eq!(tags.include_weakly(&current), weakly, "{value}");
            assert_eq!(tags.include_strongly(&current), strongly, "{value}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_strange(value: Vec<u8>) {
            let _ = Tags::parse(&value).map(|tags| tags.revisions());
        }

        #[test]
        fn almost_tags_are_not_too_strange(value in r#"[W/"*, \ta.0-]{0,20}"#) {
            let _ = parse(&value).map(|tags| tags.revisions());
        }

        #[test]
        fn what_is_written_is_read(
            tags in prop::collection::vec((any::<bool>(), "[!#-~]{0,8}"), 1..5),
            separator in "[ \t]?,[ \t,]{0,3}",
        ) {
            let tags: Vec<_> = tags.iter().map(|(is_weak, opaque)| tag(*is_weak, opaque)).collect();
            let written: Vec<_> = tags.iter().map(ToString::to_string).collect();
            prop_assert_eq!(parse(&written.join(&separator)), Some(Tags::OneOf(tags)));
        }
    }
}
