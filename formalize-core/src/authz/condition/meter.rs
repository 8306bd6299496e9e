//! Bounds the work of an evaluation.
//!
//! `cel` has no step limit of its own, so that a checked expression is rewritten before it is kept: wherever work or
//! memory grows with a value, the value passes through a function that charges its size to an account and hands it on
//! unchanged. The account is a variable of the context; neither name can be written in a source.
//!
//! - A range over which a macro goes is charged for its size, and for the weight of the macro's body at every element,
//!   before the first step.
//! - Values that an operator or a function looks at, or that a list or a map takes, are charged before. What comes out
//!   is no larger than what went in, so that it needs no charge where the next operator takes it.
//!
//! An overdrawn account makes every further charge an error. CEL lets `||` and the like swallow errors, so that the
//! account has the last word on the result.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cel::common::ast::{
    CallExpr, ComprehensionExpr, EntryExpr, Expr, IdedEntryExpr, ListExpr, LiteralValue, MapExpr,
    SelectExpr, operators,
};
use cel::common::types::{CelBytes, CelInt, CelList, CelMap, CelString, DYN_TYPE, Type};
use cel::common::value::{CowVal, StaticVal, Val};
use cel::parser::Expression;
use cel::{Env, ExecutionError};

const ACCOUNT: &str = "@account";
const CHARGE: &str = "@charge";

/// The bytes of text that cost as much as one value.
const BYTES_PER_UNIT: usize = 8;

/// The weight of `matches`, which compiles its pattern whenever it is called.
const MATCHES_WEIGHT: u64 = 1_000;

/// What is left for an evaluation, in units of about one value, or one step of the expression. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct Account(Arc<AtomicU64>);

static ACCOUNT_TYPE: Type = Type::new_unspecified_type(ACCOUNT);

impl Account {
    pub(super) fn new(units: u64) -> Self {
        Self(Arc::new(AtomicU64::new(units)))
    }

    /// Takes what something costs, and empties the account if it does not have as much; answers whether it had.
    pub(super) fn charge(&self, cost: u64) -> bool {
        // One thread evaluates; the type is atomic because values of CEL are shared between threads.
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(cost), Ordering::Relaxed);
        left > cost
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    /// Charges a value with all that it contains. It looks no further than the account reaches.
    fn charge_value(&self, value: &dyn Val) -> bool {
        if let Some(string) = value.downcast_ref::<CelString<'_>>() {
            self.charge_text(string.inner())
        } else if let Some(bytes) = value.downcast_ref::<CelBytes<'_>>() {
            self.charge(text_cost(bytes.inner().len()))
        } else if let Some(list) = value.downcast_ref::<CelList<'_>>() {
            self.charge(1)
                && list
                    .inner()
                    .iter()
                    .all(|item| self.charge_value(item.as_ref()))
        } else if let Some(map) = value.downcast_ref::<CelMap<'_>>() {
            self.charge(1)
                && map.inner().iter().all(|(key, value)| {
                    self.charge_value(key.inner()) && self.charge_value(value.as_ref())
                })
        } else {
            self.charge(1)
        }
    }

    /// Charges a value of JSON with all that it contains, as [`charge_value`](Self::charge_value) does.
    pub(super) fn charge_json(&self, value: &serde_json::Value) -> bool {
        match value {
            serde_json::Value::String(text) => self.charge_text(text),
            serde_json::Value::Array(items) => {
                self.charge(1) && items.iter().all(|item| self.charge_json(item))
            }
            serde_json::Value::Object(members) => {
                self.charge(1)
                    && members
                        .iter()
                        .all(|(name, value)| self.charge_text(name) && self.charge_json(value))
            }
            serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {
                self.charge(1)
            }
        }
    }

    pub(super) fn charge_text(&self, text: &str) -> bool {
        self.charge(text_cost(text.len()))
    }

    /// The variable under which rewritten expressions find the account.
    pub(super) fn variable(&self) -> (&'static str, Box<dyn Val>) {
        (ACCOUNT, Box::new(self.clone()))
    }
}

fn text_cost(bytes: usize) -> u64 {
    1 + u64::try_from(bytes / BYTES_PER_UNIT).unwrap_or(u64::MAX - 1)
}

impl Val for Account {
    fn get_type(&self) -> &Type {
        &ACCOUNT_TYPE
    }

    fn cel_type() -> &'static Type {
        &ACCOUNT_TYPE
    }

    fn clone_as_boxed<'v>(&self) -> Box<dyn Val + 'v>
    where
        Self: 'v,
    {
        Box::new(self.clone())
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}

impl StaticVal for Account {}

/// Makes the function known to which rewritten expressions pass what they charge.
pub(super) fn declare(env: &mut Env) -> Result<(), cel::DeclarationError> {
    let arguments = || vec![DYN_TYPE, DYN_TYPE, DYN_TYPE];
    env.add_overload(CHARGE, CHARGE, arguments(), charge)
}

/// `@charge(account, weight, value)`: the value, once it has been paid for. A weight above 0 is due for every element.
fn charge<'b, 'v>(arguments: Vec<CowVal<'b, 'v>>) -> Result<CowVal<'b, 'v>, ExecutionError> {
    let overdrawn = || ExecutionError::InternalError("too much work".to_owned());
    let [account, weight, value] =
        <[CowVal<'b, 'v>; 3]>::try_from(arguments).map_err(|_| overdrawn())?;
    let account = account.downcast_ref::<Account>().ok_or_else(overdrawn)?;
    let weight = weight.downcast_ref::<CelInt>().ok_or_else(overdrawn)?;
    let weight = u64::try_from(*weight.inner()).map_err(|_| overdrawn())?;
    let steps = value
        .as_sizer()
        .filter(|_| weight > 0)
        .and_then(|sizer| u64::try_from(*sizer.size().inner()).ok());
    let paid = account.charge_value(value.as_ref())
        && account.charge(steps.unwrap_or(0).saturating_mul(weight));
    if paid { Ok(value) } else { Err(overdrawn()) }
}

/// The expression with its charges.
pub(super) fn metered(expression: Expression) -> Expression {
    let Expression { id, expr } = expression;
    let expr = match expr {
        Expr::Call(call) => Expr::Call(metered_call(call)),
        Expr::Comprehension(comprehension) => {
            Expr::Comprehension(Box::new(metered_comprehension(*comprehension)))
        }
        Expr::List(list) => Expr::List(ListExpr {
            elements: list.elements.into_iter().map(charged).collect(),
            ..list
        }),
        Expr::Map(map) => Expr::Map(metered_map(map)),
        Expr::Select(select) => Expr::Select(SelectExpr {
            operand: Box::new(metered(*select.operand)),
            ..select
        }),
        unmetered @ (Expr::Unspecified | Expr::Ident(_) | Expr::Literal(_) | Expr::Struct(_)) => {
            unmetered
        }
    };
    Expression { id, expr }
}

/// Operators that pass values on without looking into them.
const PASSING: [&str; 5] = [
    operators::LOGICAL_AND,
    operators::LOGICAL_OR,
    operators::LOGICAL_NOT,
    operators::CONDITIONAL,
    operators::NOT_STRICTLY_FALSE,
];

fn metered_call(call: CallExpr) -> CallExpr {
    let name = call.func_name.as_str();
    let passes = PASSING.contains(&name);
    // An index looks into its second operand only.
    let unpaid = usize::from(name == operators::INDEX);
    let arguments = call.args.into_iter().enumerate();
    let args = arguments.map(|(position, argument)| {
        if passes || position < unpaid {
            metered(argument)
        } else {
            charged(argument)
        }
    });
    let args = args.collect();
    CallExpr {
        target: call.target.map(|target| Box::new(charged(*target))),
        args,
        func_name: call.func_name,
    }
}

fn metered_comprehension(comprehension: ComprehensionExpr) -> ComprehensionExpr {
    let weight = weight(&comprehension.loop_cond).saturating_add(weight(&comprehension.loop_step));
    ComprehensionExpr {
        iter_range: paid(metered(comprehension.iter_range), weight),
        accu_init: metered(comprehension.accu_init),
        loop_cond: metered(comprehension.loop_cond),
        loop_step: metered(comprehension.loop_step),
        result: metered(comprehension.result),
        ..comprehension
    }
}

fn metered_map(mut map: MapExpr) -> MapExpr {
    for entry in &mut map.entries {
        if let EntryExpr::MapEntry(entry) = &mut entry.expr {
            entry.key = charged(std::mem::take(&mut entry.key));
            entry.value = charged(std::mem::take(&mut entry.value));
        }
    }
    map
}

/// An operand, with its charge if it is a value that was there before. Literals are as large as the source says; what
/// an operator, a macro or a list makes is no larger than what has been charged for its parts.
fn charged(expression: Expression) -> Expression {
    let was_there = match &expression.expr {
        Expr::Ident(name) => !name.starts_with('@'),
        Expr::Select(_) => true,
        Expr::Call(call) => {
            [operators::INDEX, operators::CONDITIONAL].contains(&call.func_name.as_str())
        }
        _ => false,
    };
    let expression = metered(expression);
    if was_there {
        paid(expression, 0)
    } else {
        expression
    }
}

/// `@charge(@account, weight, expression)`
fn paid(expression: Expression, weight: u64) -> Expression {
    let node = |expr| Expression {
        id: expression.id,
        expr,
    };
    let account = node(Expr::Ident(ACCOUNT.to_owned()));
    let weight = CelInt::from(i64::try_from(weight).unwrap_or(i64::MAX));
    let weight = node(Expr::Literal(LiteralValue::Int(weight)));
    let call = CallExpr {
        func_name: CHARGE.to_owned(),
        target: None,
        args: vec![account, weight, expression],
    };
    Expression {
        id: 0,
        expr: Expr::Call(call),
    }
}

/// What it costs to go once through an expression, macros in it apart, which pay for their own steps.
fn weight(expression: &Expression) -> u64 {
    let own = match &expression.expr {
        Expr::Call(call) if call.func_name == "matches" => MATCHES_WEIGHT,
        Expr::Literal(LiteralValue::String(text)) => text_cost(text.inner().len()),
        _ => 1,
    };
    let below: u64 = match &expression.expr {
        Expr::Comprehension(comprehension) => {
            weight(&comprehension.iter_range) + weight(&comprehension.result)
        }
        _ => children(expression).map(weight).sum(),
    };
    own + below
}

/// The levels of an expression, its charges included.
pub(super) fn depth(expression: &Expression) -> usize {
    1 + children(expression).map(depth).max().unwrap_or(0)
}

fn children(expression: &Expression) -> impl Iterator<Item = &Expression> {
    let children: Vec<&Expression> = match &expression.expr {
        Expr::Call(call) => call
            .target
            .as_deref()
            .into_iter()
            .chain(&call.args)
            .collect(),
        Expr::Comprehension(comprehension) => vec![
            &comprehension.iter_range,
            &comprehension.accu_init,
            &comprehension.loop_cond,
            &comprehension.loop_step,
            &comprehension.result,
        ],
        Expr::List(list) => list.elements.iter().collect(),
        Expr::Map(map) => map.entries.iter().flat_map(entry).collect(),
        Expr::Select(select) => vec![&select.operand],
        Expr::Unspecified | Expr::Ident(_) | Expr::Literal(_) | Expr::Struct(_) => Vec::new(),
    };
    children.into_iter()
}

fn entry(entry: &IdedEntryExpr) -> Vec<&Expression> {
    match &entry.expr {
        EntryExpr::MapEntry(entry) => vec![&entry.key, &entry.value],
        EntryExpr::StructField(field) => vec![&field.value],
    }
}
