//! Conditions, which decide policies and membership in dynamic groups: boolean expressions in the Common Expression Language
//! (CEL), or functions of a program.
//!
//! ```
//! use std::collections::BTreeMap;
//! use formalize_core::condition::{Condition, Facts};
//!
//! let attributes = BTreeMap::from([("roles".to_owned(), serde_json::json!(["staff", "press"]))]);
//! let grace = Facts { user_id: "grace", attributes: &attributes, form_name: None };
//!
//! # #[cfg(feature = "conditions")]
//! assert!(Condition::compile(r#""staff" in user.attributes.roles"#)?.holds(&grace));
//! assert!(Condition::new(|facts| facts.user_id == "grace").holds(&grace));
//! # Ok::<(), formalize_core::condition::ConditionError>(())
//! ```
//!
//! Expressions need the feature `conditions`.
//!
//! # Limits
//!
//! Expressions come from the administrator's configuration. Attributes come from identity providers and may be large:
//!
//! - The length ([`MAX_LENGTH`]) and depth ([`MAX_DEPTH`]) of an expression are limited, as are the total number
//!   ([`MAX_COMPREHENSIONS`]) and the nesting ([`MAX_NESTED_COMPREHENSIONS`]) of comprehension macros. Deep expressions
//!   would otherwise overflow the stack of the evaluating thread.
//! - The pattern of `matches` must be a literal, so that user attributes are never used as patterns.
//! - A user's attributes are limited to [`MAX_ATTRIBUTES`] bytes in total and to a nesting of [`MAX_ATTRIBUTE_DEPTH`].
//!
//! An expression that exceeds a limit does not compile. If attributes exceed a limit, evaluation fails and the
//! condition [does not hold](Condition::holds). Within these limits, the cost of an evaluation depends on the
//! expression: nested macros can compare every attribute value with every other.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

#[cfg(feature = "conditions")]
mod expression;
#[cfg(test)]
mod tests;

#[cfg(feature = "conditions")]
pub use expression::{
    EvaluationError, FailedEvaluation, MAX_ATTRIBUTE_DEPTH, MAX_ATTRIBUTES, MAX_COMPREHENSIONS,
    MAX_DEPTH, MAX_LENGTH, MAX_NESTED_COMPREHENSIONS,
};

/// The input of a condition.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// The caller's user identifier: `user.id`.
    pub user_id: &'a str,
    /// The caller's attributes: `user.attributes`.
    pub attributes: &'a BTreeMap<String, serde_json::Value>,
    /// The name of the form being created: `form.name`. If `None`, an expression that reads it fails.
    pub form_name: Option<&'a str>,
}

/// Whether something holds for a user: a boolean CEL expression over `user.id`, `user.attributes` (a map) and, during the
/// creation of a form, `form.name`; or a function.
///
/// Cloning is cheap: clones share the expression or the function.
#[derive(Clone)]
pub struct Condition {
    rule: Rule,
    setting: Arc<str>,
}

#[derive(Clone)]
enum Rule {
    Always,
    Function(Arc<dyn Fn(&Facts<'_>) -> bool + Send + Sync>),
    #[cfg(feature = "conditions")]
    Expression(Arc<expression::Compiled>),
}

/// The reason why an expression does not compile, with its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ConditionError {
    /// A description of the problem.
    pub message: String,
    /// The line, starting at 1.
    pub line: usize,
    /// The column, starting at 1, in characters (Unicode scalar values).
    pub column: usize,
}

impl Condition {
    /// A condition that holds if the function returns true.
    ///
    /// ```
    /// use formalize_core::authorization::{Condition, Policies};
    ///
    /// let policies = Policies {
    ///     create_forms: Some(Condition::new(|facts| facts.user_id.ends_with("@example.org"))),
    ///     ..Policies::default()
    /// };
    /// ```
    pub fn new(holds: impl Fn(&Facts<'_>) -> bool + Send + Sync + 'static) -> Self {
        Self::of(Rule::Function(Arc::new(holds)))
    }

    /// A condition that holds for everybody.
    pub(crate) fn always() -> Self {
        Self::of(Rule::Always)
    }

    fn of(rule: Rule) -> Self {
        Self {
            rule,
            setting: Arc::from("condition"),
        }
    }

    /// Names the condition after its setting, for log messages.
    ///
    /// ```
    /// use formalize_core::authorization::Condition;
    ///
    /// let everybody = Condition::new(|_| true).named("policies.create_forms");
    /// assert_eq!(everybody.setting(), "policies.create_forms");
    /// ```
    #[must_use]
    pub fn named(self, setting: &str) -> Self {
        Self {
            setting: Arc::from(setting),
            ..self
        }
    }

    /// The [name](Self::named) of its setting.
    pub fn setting(&self) -> &str {
        &self.setting
    }

    /// The source text of an expression, or `a function`.
    pub fn source(&self) -> &str {
        match &self.rule {
            Rule::Always => "true",
            Rule::Function(_) => "a function",
            #[cfg(feature = "conditions")]
            Rule::Expression(compiled) => compiled.source(),
        }
    }

    /// Whether the condition holds for these facts. An expression that fails is treated as `false`. At most once a minute, a
    /// failure is logged with the [name](Self::named) of the setting and the number of failures that were not, without any
    /// values.
    ///
    /// ```
    /// use formalize_core::Attributes;
    /// use formalize_core::condition::{Condition, Facts};
    ///
    /// let attributes = Attributes::from([("roles".to_owned(), serde_json::json!(["staff"]))]);
    /// let facts = Facts { user_id: "grace", attributes: &attributes, form_name: None };
    ///
    /// assert!(Condition::new(|facts| facts.attributes.contains_key("roles")).holds(&facts));
    /// # #[cfg(feature = "conditions")]
    /// assert!(!Condition::compile("user.attributes.age > 17")?.holds(&facts));
    /// # Ok::<(), formalize_core::condition::ConditionError>(())
    /// ```
    pub fn holds(&self, facts: &Facts<'_>) -> bool {
        match &self.rule {
            Rule::Always => true,
            Rule::Function(holds) => holds(facts),
            #[cfg(feature = "conditions")]
            Rule::Expression(compiled) => compiled.holds(facts, &self.setting),
        }
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Condition")
            .field("setting", &self.setting)
            .field("source", &self.source())
            .finish_non_exhaustive()
    }
}

/// Expressions are equal if their sources are equal. A function is equal to itself.
impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        match (&self.rule, &other.rule) {
            (Rule::Function(one), Rule::Function(other)) => {
                std::ptr::addr_eq(Arc::as_ptr(one), Arc::as_ptr(other))
            }
            (Rule::Function(_), _) | (_, Rule::Function(_)) => false,
            _ => self.source() == other.source(),
        }
    }
}

impl Eq for Condition {}
