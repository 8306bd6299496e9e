//! The headers `If-Match` and `If-None-Match` (RFC 9110, section 13) and `Idempotency-Key`.

use super::operation::{Spec, Verb};

/// A header that decides whether a request is performed.
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

/// The request is performed only if none with this key was.
pub const IDEMPOTENCY_KEY: &str = "Idempotency-Key";
/// The response is that of an earlier request with the same key.
pub const IDEMPOTENT_REPLAYED: &str = "Idempotent-Replayed";

const OF_CREATING: &[Condition] = &[Condition {
    name: IDEMPOTENCY_KEY,
    description: "A key that you choose for this request: 1 to 255 printable ASCII characters, optionally in double quotes. If you send the \
        same request again with the same key, nothing is created a second time, and the response is the first one.",
    pattern: r#"^("([ !#-\[\]-~]|\\["\\]){1,255}"|[!#-~]([ -~]{0,253}[!-~])?)$"#,
}];

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
    /// The headers that decide whether a request of this operation is performed.
    pub fn deciding_headers(&self) -> &'static [Condition] {
        if self.is_keyed() {
            OF_CREATING
        } else {
            self.conditions()
        }
    }

    /// The conditions that are evaluated; none for collections, which have no `ETag`.
    pub fn conditions(&self) -> &'static [Condition] {
        match self.verb {
            _ if !self.tagged => &[],
            Verb::Get => OF_READING,
            Verb::Post | Verb::Patch | Verb::Delete => OF_WRITING,
        }
    }
}
