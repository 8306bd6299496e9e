//! Rejections: one type for data that violates a schema and for invalid schemas.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

use super::listing::{self, Listing};

/// A violation of one rule at one location of a document.
///
/// All texts are written by this crate and contain no submitted values, so they may be logged. They do contain property
/// names, which are needed to describe the location.
///
/// ```
/// use formalize_schema::{DataSchema, parse_json};
///
/// let schema = DataSchema::compile(r#"{"properties": {"age": {"minimum": 18}}}"#)?;
/// let refused = schema.validate(&parse_json(r#"{"age": 7}"#)?).unwrap_err();
/// let violation = &refused.violations()[0];
/// assert_eq!(violation.instance_path, "/age");
/// assert_eq!(violation.schema_path, "/properties/age/minimum");
/// assert_eq!(violation.message, "must be at least 18");
/// assert_eq!(violation.params["limit"], 18);
/// # Ok::<(), formalize_schema::Rejection>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Violation {
    /// The location in the rejected document, as a JSON Pointer (`""` is the whole document). Instead of a pointer of more
    /// than 2 KiB, it is that of an enclosing value.
    pub instance_path: String,
    /// The rule, as a JSON Pointer into the schema, or into the meta-schema if a schema is invalid.
    pub schema_path: String,
    /// The violated keyword, such as `required`.
    pub keyword: String,
    /// The problem, to be read after the location: `must be a string`. If it concerns a member, it begins with its
    /// name: `` `email` is required ``. Longer messages than 2 KiB are cut off.
    pub message: String,
    /// The parameters of the message, with the names used by Ajv, such as `missingProperty` or `limit`.
    ///
    /// Except for property names and item positions, they come from the schema. Long values are omitted.
    pub params: Map<String, Value>,
}

impl Violation {
    /// A violation of a rule that is not part of the schema, such as a limit of this crate.
    ///
    /// The keyword is the one at `instance_path`; the schema path is empty.
    pub fn of_keyword(keyword: &str, instance_path: String, message: impl Into<String>) -> Self {
        Self {
            instance_path,
            schema_path: String::new(),
            keyword: keyword.to_owned(),
            message: message.into(),
            params: Map::new(),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.instance_path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.instance_path, self.message)
        }
    }
}

/// The reason why a text was rejected as JSON, as the data of a form, or as a schema.
///
/// There is always at least one message. There are no violations if the text is malformed JSON, since these need a
/// location in the document.
///
/// A document can have a hundred thousand violations. The first [`MAX_VIOLATIONS`](Self::MAX_VIOLATIONS) are listed, or fewer
/// if these take more than 64 KiB, and the others are [counted](Self::omitted).
///
/// ```
/// use formalize_schema::parse_json;
///
/// let refused = parse_json("{").unwrap_err();
/// assert!(refused.violations().is_empty());
/// let (messages, _) = refused.into_parts();
/// assert!(messages[0].starts_with("is not valid JSON"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", messages.join("; "))]
pub struct Rejection {
    messages: Vec<String>,
    violations: Vec<Violation>,
    omitted: usize,
}

impl Rejection {
    /// The maximum number of violations that are listed.
    pub const MAX_VIOLATIONS: usize = listing::MAX_VIOLATIONS;

    /// The rejection of a text that is malformed JSON, or that exceeds a limit before it is parsed.
    pub fn unreadable(message: impl Into<String>) -> Self {
        let mut message = message.into();
        listing::cut_message(&mut message);
        Self {
            messages: vec![message],
            violations: Vec::new(),
            omitted: 0,
        }
    }

    /// Returns the rejection for the given violations, if there are any.
    ///
    /// # Errors
    ///
    /// The rejection that lists them in their order, up to the limits.
    pub fn if_any(violations: Vec<Violation>) -> Result<(), Self> {
        Self::if_listed(violations.into())
    }

    /// The same for a list.
    pub(super) fn if_listed(listing: Listing) -> Result<(), Self> {
        if listing.is_empty() {
            return Ok(());
        }
        let (violations, omitted) = listing.into_parts();
        Err(Self::of_parts(violations, omitted))
    }

    fn of_parts(violations: Vec<Violation>, omitted: usize) -> Self {
        let mut messages: Vec<String> = violations.iter().map(ToString::to_string).collect();
        if omitted > 0 {
            messages.push(format!("and {omitted} more"));
        }
        Self {
            messages,
            violations,
            omitted,
        }
    }

    /// One line for each problem, with its location: `/email: must be a valid email address`. If some are omitted, the last
    /// line is `and 36 more`.
    pub fn messages(&self) -> &[String] {
        &self.messages
    }

    /// The same problems in structured form; empty if the text is malformed JSON.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// The number of violations that are not listed.
    ///
    /// ```
    /// use formalize_schema::{DataSchema, Rejection, parse_json};
    ///
    /// let schema = DataSchema::compile(r#"{"items": {"type": "string"}}"#)?;
    /// let refused = schema.validate(&vec![1; 100].into()).unwrap_err();
    /// assert_eq!((refused.violations().len(), refused.omitted()), (Rejection::MAX_VIOLATIONS, 36));
    /// # Ok::<(), formalize_schema::Rejection>(())
    /// ```
    pub fn omitted(&self) -> usize {
        self.omitted
    }

    /// The same in a line or two, for one of many rejections: the first violation, without params.
    #[must_use]
    pub fn in_brief(self) -> Self {
        let omitted = self.omitted + self.violations.len().saturating_sub(1);
        let Some(mut first) = self.violations.into_iter().next() else {
            return Self {
                messages: self.messages.into_iter().map(listing::abridge).collect(),
                violations: Vec::new(),
                omitted,
            };
        };
        listing::shorten_to_one_line(&mut first);
        Self::of_parts(vec![first], omitted)
    }

    /// The bytes that it takes up in a response.
    pub fn size(&self) -> usize {
        if self.violations.is_empty() {
            // The only message is there twice, too.
            return self.messages.iter().map(|message| message.len() * 2).sum();
        }
        self.violations.iter().map(listing::size).sum()
    }

    /// Splits the rejection into messages and violations.
    pub fn into_parts(self) -> (Vec<String>, Vec<Violation>) {
        (self.messages, self.violations)
    }
}

impl From<Violation> for Rejection {
    fn from(mut violation: Violation) -> Self {
        listing::shorten(&mut violation);
        Self::of_parts(vec![violation], 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_begins_with_its_location_unless_it_is_the_whole_document() {
        let nested = Violation::of_keyword("type", "/a/0".into(), "must be a string");
        let root = Violation::of_keyword("type", String::new(), "must be an object");
        let rejection = Rejection::if_any(vec![nested.clone(), root.clone()]).unwrap_err();
        assert_eq!(
            rejection.messages(),
            ["/a/0: must be a string", "must be an object"]
        );
        assert_eq!(rejection.violations(), [nested, root]);
        assert_eq!(
            rejection.to_string(),
            "/a/0: must be a string; must be an object"
        );
    }

    #[test]
    fn without_violations_there_is_no_rejection() {
        assert_eq!(Rejection::if_any(Vec::new()), Ok(()));
    }
}
