//! Expressions in CEL.

use std::fmt;
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use cel::common::types::CelBool;
use cel::parser::Expression;
use cel::{Env, ExecutionError, ParseErrors, Value};

use self::failures::Failures;
use super::{Condition, ConditionError, Facts, Rule};

mod check;
mod facts;
mod failures;
#[cfg(test)]
mod tests;

/// The maximum length of an expression, in bytes.
pub const MAX_LENGTH: usize = 8 * 1024;

/// The maximum depth of an expression, in levels of its syntax tree after macro expansion.
pub const MAX_DEPTH: usize = 24;

/// The maximum number of comprehension macros (`all`, `exists`, `exists_one`, `map`, `filter`) in an expression.
pub const MAX_COMPREHENSIONS: usize = 16;

/// The maximum nesting of comprehension macros.
pub const MAX_NESTED_COMPREHENSIONS: usize = 2;

/// The maximum nesting of arrays and objects in an attribute.
pub const MAX_ATTRIBUTE_DEPTH: usize = 32;

/// The maximum total size of a user's attributes, in bytes: 8 for each value, plus the length of each string and name.
/// This is enough for the claims of the largest token that the server accepts.
pub const MAX_ATTRIBUTES: usize = 32 * 1024;

/// Stack size of the parser thread, in bytes. In a debug build the parser uses about 50 KiB per level, and a source of
/// `MAX_LENGTH` may have thousands of levels before its depth can be checked.
const PARSER_STACK: usize = 64 * 1024 * 1024;

/// The standard library of the language.
static ENVIRONMENT: LazyLock<Arc<Env>> =
    LazyLock::new(|| Arc::new(Env::stdlib().with_optional_support(false)));

/// An expression, parsed and checked.
pub(super) struct Compiled {
    source: String,
    expression: Expression,
    reads_form: bool,
    failures: Failures,
}

/// The reason why an evaluation failed.
///
/// It contains no values: conditions read personal data, which must not be logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluationError {
    /// The expression reads an attribute, key or element that does not exist.
    #[error("a value is missing")]
    Missing,
    /// An operator or function does not support the types of its arguments.
    #[error("a value has the wrong type")]
    UnsuitableType,
    /// The result is neither `true` nor `false`.
    #[error("the result is not a boolean")]
    NotBoolean,
    /// Arithmetic or a conversion failed.
    #[error("a computation failed")]
    Impossible,
    /// The attributes are larger than [`MAX_ATTRIBUTES`].
    #[error("the user's attributes are too large")]
    TooLarge,
    /// An attribute is nested deeper than [`MAX_ATTRIBUTE_DEPTH`].
    #[error("an attribute is nested too deeply")]
    TooDeep,
}

/// The reason why an evaluation failed, with the message of the CEL interpreter. That message may contain values of the
/// facts.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedEvaluation {
    /// The kind of failure.
    pub reason: EvaluationError,
    cause: Option<ExecutionError>,
}

/// The maximum length of a displayed cause, in characters: a cause may contain a whole attribute.
const MAX_CAUSE: usize = 200;

impl fmt::Display for FailedEvaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(ExecutionError::NoSuchKey(attribute)) = &self.cause {
            return write!(f, "the user has no attribute `{attribute:.MAX_CAUSE$}`");
        }
        self.reason.fmt(f)?;
        let Some(cause) = &self.cause else {
            return Ok(());
        };
        let cause = cause.to_string();
        let mut characters = cause.chars();
        let first = characters.next().into_iter().flat_map(char::to_lowercase);
        let shown: String = first.chain(characters).take(MAX_CAUSE).collect();
        write!(f, ": {shown}")
    }
}

impl std::error::Error for FailedEvaluation {}

impl From<EvaluationError> for FailedEvaluation {
    fn from(reason: EvaluationError) -> Self {
        Self {
            reason,
            cause: None,
        }
    }
}

impl FailedEvaluation {
    fn by(cause: ExecutionError) -> Self {
        Self {
            reason: EvaluationError::by(&cause),
            cause: Some(cause),
        }
    }
}

impl Condition {
    /// Compiles an expression.
    ///
    /// # Errors
    ///
    /// The first problem in the source: a syntax error, an unknown variable or function, or an exceeded limit of this
    /// module.
    ///
    /// ```
    /// use formalize_core::authorization::Condition;
    ///
    /// assert!(Condition::compile(r#"user.id == "grace""#).is_ok());
    /// let error = Condition::compile("user.id ==").unwrap_err();
    /// assert_eq!(error.line, 1);
    /// ```
    pub fn compile(source: &str) -> Result<Self, ConditionError> {
        if source.len() > MAX_LENGTH {
            let message = format!("longer than {MAX_LENGTH} bytes");
            return Err(ConditionError::at_byte(source, MAX_LENGTH, message));
        }
        let compiled = std::thread::scope(|scope| {
            std::thread::Builder::new()
                .stack_size(PARSER_STACK)
                .spawn_scoped(scope, || Compiled::new(source))
                .map_err(|error| {
                    ConditionError::at_start(format!("cannot start a thread to parse it: {error}"))
                })?
                .join()
                .unwrap_or_else(|_| Err(ConditionError::at_start("syntax error")))
        })?;
        Ok(Self::of(Rule::Expression(Arc::new(compiled))))
    }

    /// Whether the condition is an expression that reads `form`, which exists only during the creation of a form.
    ///
    /// ```
    /// use formalize_core::authorization::Condition;
    ///
    /// assert!(Condition::compile(r#"form.name.startsWith("Test")"#)?.reads_form());
    /// assert!(!Condition::compile("true")?.reads_form());
    /// # Ok::<(), formalize_core::condition::ConditionError>(())
    /// ```
    pub fn reads_form(&self) -> bool {
        matches!(&self.rule, Rule::Expression(compiled) if compiled.reads_form)
    }

    /// Evaluates the condition for these facts.
    ///
    /// # Errors
    ///
    /// Fails if a value is missing, if types do not fit, if the result is not a boolean, or if a limit is exceeded.
    ///
    /// ```
    /// use formalize_core::Attributes;
    /// use formalize_core::condition::{Condition, EvaluationError, Facts};
    ///
    /// let attributes = Attributes::from([("roles".to_owned(), serde_json::json!(["staff"]))]);
    /// let facts = Facts { user_id: "grace", attributes: &attributes, form_name: None };
    ///
    /// assert_eq!(Condition::compile(r#""staff" in user.attributes.roles"#)?.evaluate(&facts), Ok(true));
    /// let unknown = Condition::compile("user.attributes.age > 17")?;
    /// assert_eq!(unknown.evaluate(&facts), Err(EvaluationError::Missing));
    /// # Ok::<(), formalize_core::condition::ConditionError>(())
    /// ```
    pub fn evaluate(&self, facts: &Facts<'_>) -> Result<bool, EvaluationError> {
        self.explain(facts).map_err(|failure| failure.reason)
    }

    /// Evaluates the condition like [`evaluate`](Self::evaluate), but with the exact cause of a failure. Use it for
    /// messages to the author of the condition, not for logs.
    ///
    /// # Errors
    ///
    /// As for [`evaluate`](Self::evaluate).
    ///
    /// ```
    /// use formalize_core::Attributes;
    /// use formalize_core::condition::{Condition, EvaluationError, Facts};
    ///
    /// let attributes = Attributes::from([("roles".to_owned(), serde_json::json!(["staff"]))]);
    /// let facts = Facts { user_id: "grace", attributes: &attributes, form_name: None };
    ///
    /// let failed = Condition::compile("user.attributes.age > 17")?.explain(&facts).unwrap_err();
    /// assert_eq!(failed.reason, EvaluationError::Missing);
    /// println!("{failed}");
    /// # Ok::<(), formalize_core::condition::ConditionError>(())
    /// ```
    pub fn explain(&self, facts: &Facts<'_>) -> Result<bool, FailedEvaluation> {
        match &self.rule {
            Rule::Always => Ok(true),
            Rule::Function(holds) => Ok(holds(facts)),
            Rule::Expression(compiled) => compiled.explain(facts),
        }
    }
}

impl Compiled {
    /// Parses and checks an expression. Requires a thread with a stack of [`PARSER_STACK`].
    fn new(source: &str) -> Result<Self, ConditionError> {
        let (expression, positions) = ENVIRONMENT
            .parser()
            .parse_with_source_info(source)
            .map_err(|errors| ConditionError::from_parser(&errors))?;
        let reads_form = check::check(source, &positions, &expression)?;
        Ok(Self {
            source: source.to_owned(),
            expression,
            reads_form,
            failures: Failures::default(),
        })
    }

    pub(super) fn source(&self) -> &str {
        &self.source
    }

    fn explain(&self, facts: &Facts<'_>) -> Result<bool, FailedEvaluation> {
        let context = facts.context()?;
        let boolean = Value::resolve_val(&self.expression, &context)
            .map_err(FailedEvaluation::by)?
            .downcast_ref::<CelBool>()
            .map(|result| *result.inner());
        boolean.ok_or_else(|| EvaluationError::NotBoolean.into())
    }

    /// The same with `false` for a failure, which is logged with the name of a setting.
    pub(super) fn holds(&self, facts: &Facts<'_>, setting: &str) -> bool {
        self.explain(facts).unwrap_or_else(|failure| {
            if let Some(omitted) = self.failures.count(Instant::now()) {
                let reason = failure.reason;
                tracing::warn!(setting, %reason, omitted, "condition failed and is treated as false");
            }
            false
        })
    }
}

impl ConditionError {
    fn at_start(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            line: 1,
            column: 1,
        }
    }

    /// The error at the character that contains byte `offset` of `source`.
    fn at_byte(source: &str, offset: usize, message: String) -> Self {
        let before = source
            .char_indices()
            .take_while(|(start, _)| *start < offset);
        let (line, column) =
            before.fold((1, 1), |(line, column), (_, character)| match character {
                '\n' => (line + 1, 1),
                _ => (line, column + 1),
            });
        Self {
            message,
            line,
            column,
        }
    }

    /// The first error of the parser; later ones are usually consequences of it.
    fn from_parser(errors: &ParseErrors) -> Self {
        let Some(first) = errors.errors.first() else {
            return Self::at_start("syntax error");
        };
        let message = if first.msg.contains("Recursion limit") {
            "nested too deeply"
        } else {
            let message = first
                .msg
                .strip_prefix("Syntax error: ")
                .unwrap_or(&first.msg);
            match message.split(" expecting ").next().unwrap_or(message) {
                "mismatched input '<EOF>'" => "unexpected end",
                message => message,
            }
        };
        Self {
            message: message.to_owned(),
            line: usize::try_from(first.pos.0).unwrap_or(1).max(1),
            column: usize::try_from(first.pos.1).unwrap_or(1).max(1),
        }
    }
}

impl EvaluationError {
    fn by(error: &ExecutionError) -> Self {
        match error {
            ExecutionError::NoSuchKey(_)
            | ExecutionError::UndeclaredReference(_)
            | ExecutionError::IndexOutOfBounds(_) => Self::Missing,
            ExecutionError::NoSuchOverload(_)
            | ExecutionError::NotSupportedAsMethod { .. }
            | ExecutionError::UnexpectedType { .. }
            | ExecutionError::UnsupportedBinaryOperator(..)
            | ExecutionError::UnsupportedIndex(..)
            | ExecutionError::UnsupportedKeyType(_)
            | ExecutionError::UnsupportedTargetType { .. }
            | ExecutionError::ValuesNotComparable(..) => Self::UnsuitableType,
            _ => Self::Impossible,
        }
    }
}
