//! Rejections: one type for data that violates a schema and for invalid schemas.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

/// A violation of one rule at one location of a document.
///
/// All texts are written by this crate and contain no submitted values, so they may be logged. They do contain property
/// names, which are needed to describe the location.
///
/// ```
/// use formalize_core::{DataSchema, parse_json};
///
/// let schema = DataSchema::compile(r#"{"properties": {"age": {"minimum": 18}}}"#)?;
/// let refused = schema.validate(&parse_json(r#"{"age": 7}"#)?).unwrap_err();
/// let violation = &refused.violations()[0];
/// assert_eq!(violation.instance_path, "/age");
/// assert_eq!(violation.schema_path, "/properties/age/minimum");
/// assert_eq!(violation.message, "must be at least 18");
/// assert_eq!(violation.params["limit"], 18);
/// # Ok::<(), formalize_core::Rejection>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Violation {
    /// The location in the rejected document, as a JSON Pointer (`""` is the whole document).
    pub instance_path: String,
    /// The rule, as a JSON Pointer into the schema, or into the meta-schema if a schema is invalid.
    pub schema_path: String,
    /// The violated keyword, such as `required`.
    pub keyword: String,
    /// The problem, to be read after the location: `must be a string`. If it concerns a member, it begins with its
    /// name: `` `email` is required ``.
    pub message: String,
    /// The parameters of the message, with the names used by Ajv, such as `missingProperty` or `limit`.
    ///
    /// Except for property names and item positions, they come from the schema. Long values are omitted, as are those
    /// of later violations if there are very many.
    pub params: Map<String, Value>,
}

impl Violation {
    /// A violation of a rule that is not part of the schema, such as a limit of this crate.
    ///
    /// The keyword is the one at `instance_path`; the schema path is empty.
    pub(crate) fn of_keyword(
        keyword: &str,
        instance_path: String,
        message: impl Into<String>,
    ) -> Self {
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
/// ```
/// use formalize_core::parse_json;
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
}

impl Rejection {
    /// The rejection of a text that is malformed JSON, or that exceeds a limit before it is parsed.
    pub(crate) fn unreadable(message: impl Into<String>) -> Self {
        Self {
            messages: vec![message.into()],
            violations: Vec::new(),
        }
    }

    /// Returns the rejection for the given violations, if there are any.
    ///
    /// # Errors
    ///
    /// The rejection that lists them in their order.
    pub(crate) fn if_any(violations: Vec<Violation>) -> Result<(), Self> {
        if violations.is_empty() {
            return Ok(());
        }
        Err(Self {
            messages: violations.iter().map(ToString::to_string).collect(),
            violations,
        })
    }

    /// The rejection of stored data for a caller who may not read it: it does not depend on the data.
    pub(crate) fn of_hidden_data() -> Self {
        let message = "the stored data does not match the form's schema";
        Violation::of_keyword("", String::new(), message).into()
    }

    /// One line for each problem, with its location: `/email: must be a valid email address`.
    pub fn messages(&self) -> &[String] {
        &self.messages
    }

    /// The same problems in structured form; empty if the text is malformed JSON.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Splits the rejection into messages and violations.
    pub fn into_parts(self) -> (Vec<String>, Vec<Violation>) {
        (self.messages, self.violations)
    }
}

impl From<Violation> for Rejection {
    fn from(violation: Violation) -> Self {
        Self {
            messages: vec![violation.to_string()],
            violations: vec![violation],
        }
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
