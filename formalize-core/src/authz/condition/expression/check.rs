//! Checks after parsing: names must exist, and the expression must be within the limits.

use std::sync::Arc;

use cel::common::ast::{
    CallExpr, ComprehensionExpr, EntryExpr, Expr, LiteralValue, SelectExpr, SourceInfo,
};
use cel::parser::Expression;
use cel::{Context, Value};

use super::{
    ConditionError, ENVIRONMENT, MAX_COMPREHENSIONS, MAX_DEPTH, MAX_NESTED_COMPREHENSIONS,
};

/// The variables and their fields.
const VARIABLES: [(&str, &[&str]); 2] = [("user", &["id", "attributes"]), ("form", &["name"])];

/// Type names, as in `type(user.attributes.level) == int`.
const TYPES: [&str; 10] = [
    "bool",
    "bytes",
    "double",
    "int",
    "list",
    "map",
    "null_type",
    "string",
    "type",
    "uint",
];

/// Functions, with the number of arguments in the forms `f(a, ..)` and `a.f(..)`.
const FUNCTIONS: [(&str, Option<usize>, Option<usize>); 13] = [
    ("bool", Some(1), None),
    ("bytes", Some(1), None),
    ("contains", None, Some(1)),
    ("double", Some(1), None),
    ("dyn", Some(1), None),
    ("endsWith", None, Some(1)),
    ("int", Some(1), None),
    ("matches", Some(2), Some(1)),
    ("size", Some(1), Some(0)),
    ("startsWith", None, Some(1)),
    ("string", Some(1), None),
    ("type", Some(1), None),
    ("uint", Some(1), None),
];

/// Rejects an expression that uses unknown names or exceeds a limit. Returns whether the expression reads `form`.
///
/// Recursion is bounded by [`MAX_DEPTH`].
pub(super) fn check(
    source: &str,
    positions: &SourceInfo,
    expression: &Expression,
) -> Result<bool, ConditionError> {
    let mut check = Check {
        source,
        positions,
        scope: Vec::new(),
        comprehensions: 0,
        form: false,
    };
    check.expression(
        expression,
        Level {
            depth: 1,
            nested: 0,
        },
    )?;
    Ok(check.form)
}

struct Check<'a> {
    source: &'a str,
    positions: &'a SourceInfo,
    /// The variables of the enclosing macros.
    scope: Vec<&'a str>,
    comprehensions: usize,
    form: bool,
}

/// The nesting of an expression.
#[derive(Clone, Copy)]
struct Level {
    depth: usize,
    nested: usize,
}

impl Level {
    fn below(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }
}

impl<'a> Check<'a> {
    fn expression(&mut self, at: &'a Expression, level: Level) -> Result<(), ConditionError> {
        if level.depth > MAX_DEPTH {
            return Err(self.refuse(at, "nested too deeply"));
        }
        match &at.expr {
            Expr::Literal(_) => Ok(()),
            Expr::Ident(name) => self.variable(at, name),
            Expr::Select(select) => self.selection(at, select, level),
            Expr::Call(call) => self.call(at, call, level),
            Expr::Comprehension(comprehension) => self.comprehension(at, comprehension, level),
            Expr::List(list) => self.all(&list.elements, level),
            Expr::Map(map) => map.entries.iter().try_for_each(|entry| match &entry.expr {
                EntryExpr::MapEntry(entry) => self.all([&entry.key, &entry.value], level),
                EntryExpr::StructField(_) => Err(self.refuse(at, "expected a map entry")),
            }),
            Expr::Struct(message) => {
                Err(self.refuse(at, format!("unknown type `{}`", message.type_name)))
            }
            Expr::Unspecified => Err(self.refuse(at, "syntax error")),
        }
    }

    fn all(
        &mut self,
        children: impl IntoIterator<Item = &'a Expression>,
        level: Level,
    ) -> Result<(), ConditionError> {
        children
            .into_iter()
            .try_for_each(|child| self.expression(child, level.below()))
    }

    fn variable(&mut self, at: &Expression, name: &str) -> Result<(), ConditionError> {
        // A leading dot names the outermost scope.
        let global = name.strip_prefix('.').unwrap_or(name);
        if self.scope.contains(&name) || TYPES.contains(&global) {
            return Ok(());
        }
        if VARIABLES.iter().all(|(known, _)| *known != global) {
            return Err(self.refuse(at, format!("unknown variable `{global}`")));
        }
        self.form |= global == "form";
        Ok(())
    }

    fn selection(
        &mut self,
        at: &'a Expression,
        select: &'a SelectExpr,
        level: Level,
    ) -> Result<(), ConditionError> {
        self.expression(&select.operand, level.below())?;
        let Expr::Ident(name) = &select.operand.expr else {
            return Ok(());
        };
        let known = VARIABLES.iter().find(|(variable, _)| variable == name);
        match known.filter(|_| !self.scope.contains(&name.as_str())) {
            Some((_, fields)) if !fields.contains(&select.field.as_str()) => {
                Err(self.refuse(at, format!("`{name}` has no field `{}`", select.field)))
            }
            _ => Ok(()),
        }
    }

    fn call(
        &mut self,
        at: &'a Expression,
        call: &'a CallExpr,
        level: Level,
    ) -> Result<(), ConditionError> {
        let name = call.func_name.strip_prefix('.').unwrap_or(&call.func_name);
        if is_function(name) {
            self.function(at, name, call)?;
        }
        self.all(call.target.as_deref().into_iter().chain(&call.args), level)
    }

    fn function(&self, at: &Expression, name: &str, call: &CallExpr) -> Result<(), ConditionError> {
        let known = FUNCTIONS.iter().find(|(known, ..)| *known == name);
        let Some((_, as_function, as_method)) = known else {
            return Err(self.refuse(at, format!("unknown function `{name}`")));
        };
        let expected = if call.target.is_some() {
            as_method
        } else {
            as_function
        };
        if *expected != Some(call.args.len()) {
            return Err(self.refuse(at, format!("`{name}` does not accept these arguments")));
        }
        match (name, call.args.last()) {
            ("matches", Some(pattern)) => self.pattern(pattern),
            _ => Ok(()),
        }
    }

    /// Evaluates `"".matches(pattern)` to check whether the pattern is valid.
    fn pattern(&self, at: &Expression) -> Result<(), ConditionError> {
        let Expr::Literal(LiteralValue::String(_)) = &at.expr else {
            return Err(self.refuse(at, "the pattern of `matches` must be a literal string"));
        };
        let empty = Expr::Literal(LiteralValue::String(String::new().into()));
        let probe = Expr::Call(CallExpr {
            func_name: "matches".to_owned(),
            target: Some(Box::new(Expression { id: 0, expr: empty })),
            args: vec![at.clone()],
        });
        let context = Context::with_env(Arc::clone(&ENVIRONMENT));
        match Value::resolve(&Expression { id: 0, expr: probe }, &context) {
            Ok(_) => Ok(()),
            Err(_) => Err(self.refuse(at, "the pattern of `matches` is invalid or too large")),
        }
    }

    fn comprehension(
        &mut self,
        at: &'a Expression,
        comprehension: &'a ComprehensionExpr,
        level: Level,
    ) -> Result<(), ConditionError> {
        self.comprehensions += 1;
        if self.comprehensions > MAX_COMPREHENSIONS {
            let message = format!("more than {MAX_COMPREHENSIONS} macros over lists or maps");
            return Err(self.refuse(at, message));
        }
        if level.nested == MAX_NESTED_COMPREHENSIONS {
            let message = format!("more than {MAX_NESTED_COMPREHENSIONS} nested macros");
            return Err(self.refuse(at, message));
        }
        self.all([&comprehension.iter_range, &comprehension.accu_init], level)?;

        let outside = self.scope.len();
        self.scope.extend([
            comprehension.iter_var.as_str(),
            comprehension.accu_var.as_str(),
        ]);
        self.scope.extend(comprehension.iter_var2.as_deref());
        let inside = Level {
            nested: level.nested + 1,
            ..level
        };
        let parts = [
            &comprehension.loop_cond,
            &comprehension.loop_step,
            &comprehension.result,
        ];
        self.all(parts, inside)?;
        self.scope.truncate(outside);
        Ok(())
    }

    fn refuse(&self, at: &Expression, message: impl Into<String>) -> ConditionError {
        let start = self
            .positions
            .offset_for(at.id)
            .map_or(0, |(start, _)| start);
        let start = usize::try_from(start).unwrap_or(0);
        ConditionError::at_byte(self.source, start, message.into())
    }
}

/// Whether a call is a call of a named function. Operators have names too, but not ones that can be written in a
/// source.
fn is_function(name: &str) -> bool {
    name.chars()
        .all(|character| character == '_' || character.is_ascii_alphanumeric())
}
