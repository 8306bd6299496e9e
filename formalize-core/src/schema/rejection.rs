//! Why a text was refused: one shape for data that breaks a schema and for schemas that are none.

use std::fmt;

use serde_json::{Map, Value};

/// One rule that a document breaks, at one place.
///
/// All texts are of this crate's own making and name no submitted value, so that they may be logged.
/// Names of members do occur in them: the place could not be told without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The place in the refused document, as a JSON Pointer (`""` is the whole document).
    pub instance_path: String,
    /// The rule, as a JSON Pointer into the schema; into the meta-schema where a schema is refused by it.
    pub schema_path: String,
    /// The keyword that is broken, such as `required`.
    pub keyword: String,
    /// What is wrong, to be read after the place: `must be a string`. Where it is about a member, it begins
    /// with its name: `` `email` is required ``.
    pub message: String,
    /// The parts of the message under the names that Ajv gives them, such as `missingProperty` or `limit`.
    ///
    /// They come from the schema, but for names of members and positions of items. A long value of the
    /// schema is left out, and so are those of later violations where there are very many.
    pub params: Map<String, Value>,
}

impl Violation {
    /// A violation of a rule which no schema states, such as a limit of this crate.
    ///
    /// The keyword is the one under which `instance_path` was read; the schema path stays empty.
    pub(super) fn of_keyword(
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

/// Why a text was refused as JSON, as the data of a form, or as a schema.
///
/// There is always at least one message. The violations are empty where the text is no JSON at all,
/// since no place in it could be named.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", messages.join("; "))]
pub struct Rejection {
    messages: Vec<String>,
    violations: Vec<Violation>,
}

impl Rejection {
    /// The refusal of a text that is no JSON, or that exceeds a limit before it is read as such.
    pub(super) fn unreadable(message: impl Into<String>) -> Self {
        Self {
            messages: vec![message.into()],
            violations: Vec::new(),
        }
    }

    /// The refusal for the given violations, if there are any.
    ///
    /// # Errors
    ///
    /// The rejection that lists them in their order.
    pub(super) fn if_any(violations: Vec<Violation>) -> Result<(), Self> {
        if violations.is_empty() {
            return Ok(());
        }
        Err(Self {
            messages: violations.iter().map(ToString::to_string).collect(),
            violations,
        })
    }

    /// One line for each problem, each with its place: `/email: must be a valid email address`.
    pub fn messages(&self) -> &[String] {
        &self.messages
    }

    /// The same problems with their parts apart; empty where the text is no JSON.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Takes the rejection apart into messages and violations.
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
    fn a_message_begins_with_its_place_unless_it_is_the_whole_document() {
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
    fn no_violation_is_no_rejection() {
        assert_eq!(Rejection::if_any(Vec::new()), Ok(()));
    }
}
