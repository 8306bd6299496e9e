//! Conditions: boolean expressions in the Common Expression Language (CEL) that decide policies
//! and membership in dynamic groups.
//!
//! ```
//! use std::collections::BTreeMap;
//! use formalize_core::condition::{Condition, Facts};
//!
//! let staff = Condition::compile(r#""staff" in user.attributes.roles"#)?;
//! let attributes = BTreeMap::from([("roles".to_owned(), serde_json::json!(["staff", "press"]))]);
//! let grace = Facts { user_id: "grace", attributes: &attributes, form_name: None };
//! assert!(staff.holds(&grace));
//! # Ok::<(), formalize_core::condition::ConditionError>(())
//! ```
//!
//! # What is bounded
//!
//! Expressions come from the administrator's configuration. Attributes come from identity providers and are not
//! trusted to be small:
//!
//! - Length ([`MAX_LENGTH`]), depth ([`MAX_DEPTH`]), and the number of comprehension macros, in all
//!   ([`MAX_COMPREHENSIONS`]) and inside one another ([`MAX_NESTED_COMPREHENSIONS`]), are bounded.
//!   Deep expressions would otherwise overflow the stack of the thread that evaluates them.
//! - The pattern of `matches` must be a literal, so that no attribute of a user becomes a pattern.
//! - A user's attributes may have [`MAX_ATTRIBUTES`] bytes in all, and be nested [`MAX_ATTRIBUTE_DEPTH`] deep.
//!
//! An expression that exceeds a bound does not compile. On attributes that exceed a bound an evaluation has no
//! result, and so the condition [does not hold](Condition::holds). Within these bounds the cost of an evaluation is
//! the cost of the expression: one macro inside another compares every attribute value with every other.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, LazyLock};

use cel::common::types::CelBool;
use cel::objects::Map;
use cel::parser::Expression;
use cel::{Context, Env, ExecutionError, ParseErrors, Value};
use serde_json::Value as JsonValue;

mod check;
#[cfg(test)]
mod tests;

/// The longest expression that is accepted, in bytes.
pub const MAX_LENGTH: usize = 8 * 1024;

/// The deepest expression that is accepted, in levels of its syntax tree after macros are expanded.
pub const MAX_DEPTH: usize = 24;

/// The most comprehension macros (`all`, `exists`, `exists_one`, `map`, `filter`) in an expression.
pub const MAX_COMPREHENSIONS: usize = 16;

/// The deepest nesting of comprehension macros.
pub const MAX_NESTED_COMPREHENSIONS: usize = 2;

/// The deepest nesting of arrays and objects in an attribute.
pub const MAX_ATTRIBUTE_DEPTH: usize = 32;

/// The most that the attributes of a user may take in all, in bytes: every value takes 8, and every text and name its
/// length as well. It has room for the claims of the largest token that the server accepts.
pub const MAX_ATTRIBUTES: usize = 32 * 1024;

/// Stack of the thread that parses, in bytes. The parser descends some 50 KiB for each level in a
/// debug build, and a source of `MAX_LENGTH` may have thousands before its depth can be checked.
const PARSER_STACK: usize = 64 * 1024 * 1024;

/// The standard library of the language.
static ENVIRONMENT: LazyLock<Arc<Env>> =
    LazyLock::new(|| Arc::new(Env::stdlib().with_optional_support(false)));

/// A boolean expression in CEL over `user.id`, `user.attributes` (a map), and, where a form is
/// being created, `form.name`.
///
/// Cloning is cheap: clones share the compiled expression.
#[derive(Clone)]
pub struct Condition {
    compiled: Arc<Compiled>,
    setting: Arc<str>,
}

struct Compiled {
    source: String,
    expression: Expression,
    reads_form: bool,
}

/// What a condition is evaluated on.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// The caller's user identifier: `user.id`.
    pub user_id: &'a str,
    /// The caller's attributes: `user.attributes`.
    pub attributes: &'a BTreeMap<String, serde_json::Value>,
    /// The name of the form being created: `form.name`. Without one, reading it is a failure.
    pub form_name: Option<&'a str>,
}

/// Why an expression is not a condition, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ConditionError {
    /// What is wrong.
    pub message: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters (Unicode scalar values).
    pub column: usize,
}

/// Why an evaluation has no result.
///
/// It carries no values: what a condition reads is personal data and must not reach the logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluationError {
    /// An attribute, key or element that does not exist is read.
    #[error("a value is missing")]
    Missing,
    /// An operator or function does not take values of the types that it got.
    #[error("a value has an unsuitable type")]
    UnsuitableType,
    /// The expression gives something else than `true` or `false`.
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

/// Why an evaluation has no result, with what the language says about it. Its text may repeat values
/// of the facts.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedEvaluation {
    /// What kind of failure it is.
    pub reason: EvaluationError,
    cause: Option<ExecutionError>,
}

/// The longest text of a cause that is shown, in characters. It may hold a whole attribute.
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
    /// The first problem of the source: a syntax error, a variable or function that is not known,
    /// or a bound of this module that is exceeded.
    ///
    /// ```
    /// use formalize_core::Condition;
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
                    ConditionError::at_start(format!("no thread to parse it: {error}"))
                })?
                .join()
                .unwrap_or_else(|_| Err(ConditionError::at_start("not understood by the parser")))
        })?;
        Ok(Self {
            compiled: Arc::new(compiled),
            setting: Arc::from("condition"),
        })
    }

    /// The same condition under the name of the setting it comes from, for the logs.
    ///
    /// ```
    /// use formalize_core::Condition;
    ///
    /// let condition = Condition::compile("true")?.named("policies.create_forms");
    /// assert_eq!(condition.setting(), "policies.create_forms");
    /// # Ok::<(), formalize_core::condition::ConditionError>(())
    /// ```
    #[must_use]
    pub fn named(self, setting: &str) -> Self {
        Self {
            setting: Arc::from(setting),
            ..self
        }
    }

    /// The [name](Self::named) of the setting it comes from.
    pub fn setting(&self) -> &str {
        &self.setting
    }

    /// The text it was compiled from.
    pub fn source(&self) -> &str {
        &self.compiled.source
    }

    /// Whether it reads `form`, which exists only where a form is being created.
    ///
    /// ```
    /// use formalize_core::Condition;
    ///
    /// assert!(Condition::compile(r#"form.name.startsWith("Test")"#)?.reads_form());
    /// assert!(!Condition::compile("true")?.reads_form());
    /// # Ok::<(), formalize_core::condition::ConditionError>(())
    /// ```
    pub fn reads_form(&self) -> bool {
        self.compiled.reads_form
    }

    /// Whether it holds for these facts.
    ///
    /// # Errors
    ///
    /// If it reads what is missing, if types do not fit, if its result is no boolean, or if it
    /// exceeds a bound.
    ///
    /// ```
    /// # use formalize_core::Attributes;
    /// # let attributes = Attributes::from([("roles".to_owned(), serde_json::json!(["staff"]))]);
    /// # let facts = Facts { user_id: "grace", attributes: &attributes, form_name: None };
    ///
    /// use formalize_core::condition::{Condition, EvaluationError, Facts};
    ///
    /// assert_eq!(Condition::compile(r#""staff" in user.attributes.roles"#)?.evaluate(&facts), Ok(true));
    /// let unknown = Condition::compile("user.attributes.age > 17")?;
    /// assert_eq!(unknown.evaluate(&facts), Err(EvaluationError::Missing));
    /// # Ok::<(), formalize_core::condition::ConditionError>(())
    /// ```
    pub fn evaluate(&self, facts: &Facts<'_>) -> Result<bool, EvaluationError> {
        self.explain(facts).map_err(|failure| failure.reason)
    }

    /// Whether it holds for these facts and, if it has no result, what exactly is wrong: for whoever
    /// writes the condition, and not for the logs.
    ///
    /// # Errors
    ///
    /// Those of [`evaluate`](Self::evaluate).
    ///
    /// ```
    /// # use formalize_core::Attributes;
    /// # let attributes = Attributes::from([("roles".to_owned(), serde_json::json!(["staff"]))]);
    /// # let facts = Facts { user_id: "grace", attributes: &attributes, form_name: None };
    ///
    /// use formalize_core::condition::{Condition, EvaluationError, Facts};
    ///
    /// let failed = Condition::compile("user.attributes.age > 17")?.explain(&facts).unwrap_err();
    /// assert_eq!(failed.reason, EvaluationError::Missing);
    /// println!("{failed}");
    /// # Ok::<(), formalize_core::condition::ConditionError>(())
    /// ```
    pub fn explain(&self, facts: &Facts<'_>) -> Result<bool, FailedEvaluation> {
        let context = facts.context()?;
        let boolean = Value::resolve_val(&self.compiled.expression, &context)
            .map_err(FailedEvaluation::by)?
            .downcast_ref::<CelBool>()
            .map(|result| *result.inner());
        boolean.ok_or_else(|| EvaluationError::NotBoolean.into())
    }

    /// Whether it holds for these facts, where a failure counts as `false` and is logged under the
    /// [name](Self::named) of the setting, without any of the values.
    ///
    /// ```
    /// # use formalize_core::Attributes;
    /// # let attributes = Attributes::from([("roles".to_owned(), serde_json::json!(["staff"]))]);
    /// # let facts = Facts { user_id: "grace", attributes: &attributes, form_name: None };
    ///
    /// use formalize_core::condition::{Condition, Facts};
    ///
    /// assert!(Condition::compile(r#"user.id == "grace""#)?.holds(&facts));
    /// assert!(!Condition::compile("user.attributes.age > 17")?.holds(&facts));
    /// # Ok::<(), formalize_core::condition::ConditionError>(())
    /// ```
    pub fn holds(&self, facts: &Facts<'_>) -> bool {
        self.evaluate(facts).unwrap_or_else(|reason| {
            tracing::warn!(setting = &*self.setting, %reason, "condition failed and counts as false");
            false
        })
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Condition")
            .field("setting", &self.setting)
            .field("source", &self.compiled.source)
            .finish_non_exhaustive()
    }
}

/// Conditions are equal if their sources are.
impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        self.compiled.source == other.compiled.source
    }
}

impl Eq for Condition {}

impl Compiled {
    /// Parses and checks; to be called on a thread with a stack of [`PARSER_STACK`].
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

    /// The error at the character that holds the byte `offset` of `source`.
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

    /// The first error of the parser; those that follow are mostly its consequences.
    fn from_parser(errors: &ParseErrors) -> Self {
        let Some(first) = errors.errors.first() else {
            return Self::at_start("not understood by the parser");
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

impl Facts<'_> {
    /// What the expression sees.
    fn context(&self) -> Result<Context<'static, 'static>, EvaluationError> {
        let mut room = MAX_ATTRIBUTES;
        for (name, value) in self.attributes {
            take(&mut room, name.len())?;
            measure(value, MAX_ATTRIBUTE_DEPTH, &mut room)?;
        }
        let attributes = self
            .attributes
            .iter()
            .map(|(name, value)| (name.clone(), to_cel(value)));
        let attributes: HashMap<String, Value> = attributes.collect();
        let user = HashMap::from([
            ("id", Value::from(self.user_id)),
            ("attributes", Value::Map(Map::from(attributes))),
        ]);
        let mut context = Context::with_env(Arc::clone(&ENVIRONMENT));
        context.add_variable_from_value("user", user);
        if let Some(name) = self.form_name {
            context.add_variable_from_value("form", HashMap::from([("name", name)]));
        }
        Ok(context)
    }
}

/// Takes what a value needs out of the room that is left, as [`MAX_ATTRIBUTES`] says; arrays and objects may be nested
/// in `levels` levels. It goes no further than that.
fn measure(value: &JsonValue, levels: usize, room: &mut usize) -> Result<(), EvaluationError> {
    take(room, size_of::<u64>())?;
    let below = levels.checked_sub(1).ok_or(EvaluationError::TooDeep);
    match value {
        JsonValue::String(text) => take(room, text.len()),
        JsonValue::Array(items) => {
            let below = below?;
            items.iter().try_for_each(|item| measure(item, below, room))
        }
        JsonValue::Object(members) => {
            let below = below?;
            members.iter().try_for_each(|(name, value)| {
                take(room, name.len())?;
                measure(value, below, room)
            })
        }
        JsonValue::Null | JsonValue::Bool(_) | JsonValue::Number(_) => Ok(()),
    }
}

fn take(room: &mut usize, bytes: usize) -> Result<(), EvaluationError> {
    *room = room.checked_sub(bytes).ok_or(EvaluationError::TooLarge)?;
    Ok(())
}

/// The value of CEL for one of JSON. Whole numbers become `int`, like the literals that they are
/// compared with, and `uint` only beyond the range of `int`.
fn to_cel(value: &JsonValue) -> Value {
    match value {
        JsonValue::Null => Value::Null,
        JsonValue::Bool(value) => Value::Bool(*value),
        JsonValue::Number(number) => number
            .as_i64()
            .map(Value::Int)
            .or_else(|| number.as_u64().map(Value::UInt))
            .or_else(|| number.as_f64().map(Value::Float))
            .unwrap_or(Value::Null),
        JsonValue::String(text) => Value::from(text.as_str()),
        JsonValue::Array(items) => Value::List(Arc::new(items.iter().map(to_cel).collect())),
        JsonValue::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| (name.clone(), to_cel(value)));
            Value::Map(Map::from(members.collect::<HashMap<_, _>>()))
        }
    }
}
