//! The conditional headers `If-Match` and `If-None-Match` (RFC 9110, section 13).

use super::operation::{Spec, Verb};

/// A header that makes a request conditional.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Condition {
    /// The name of the header.
    pub name: &'static str,
    /// Its description in the OpenAPI document.
    pub description: &'static str,
    /// The pattern of its values in the OpenAPI document.
    pub pattern: &'static str,
}

/// `*`, or a list of entity tags.
const TAGS: &str = r#"^(\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$"#;

/// The request is performed only if the item has one of these tags.
pub const IF_MATCH: &str = "If-Match";
/// The request is performed only if the item has none of these tags.
pub const IF_NONE_MATCH: &str = "If-None-Match";

const OF_READING: &[Condition] = &[
    Condition {
        name: IF_MATCH,
        description: "Entity tags, or `*`. The response is 412 if the item, as the caller sees it, has none of them. Weak tags never match.",
        pattern: TAGS,
    },
    Condition {
        name: IF_NONE_MATCH,
        description: "Entity tags, or `*`. The response is 304 without a body if the item, as the caller sees it, has one of them.",
        pattern: TAGS,
    },
];

const OF_WRITING: &[Condition] = &[
    Condition {
        name: IF_MATCH,
        description: "Entity tags, or `*`. The response is 412 and nothing is changed if the item has changed since these tags were returned. \
            Changes of `grantedActions` and of counts do not matter. `*` always matches, weak tags never do.",
        pattern: TAGS,
    },
    Condition {
        name: IF_NONE_MATCH,
        description: "Only useful for reading. Here, `*` results in 412 and anything else in 400.",
        pattern: r"^\*$",
    },
];

impl Spec {
    /// The conditions that are evaluated; none for collections, which have no `ETag`.
    pub fn conditions(&self) -> &'static [Condition] {
        match self.verb {
            _ if !self.tagged => &[],
            Verb::Get => OF_READING,
            Verb::Patch | Verb::Delete => OF_WRITING,
            Verb::Post => &[],
        }
    }
}
