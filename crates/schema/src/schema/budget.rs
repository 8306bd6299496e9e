//! Limits on the time and memory of a running validation.
//!
//! The keywords of this crate charge the budget. The validator passes no state to a keyword, so the budget is stored in
//! the thread of the validation. The validator cannot be stopped either, so exceeding the budget unwinds.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use jsonschema::{Keyword, ValidationError, ValidationOptions};
use serde_json::Value;

use super::document_size::DocumentSize;

#[cfg(panic = "abort")]
compile_error!(
    "formalize-schema needs `panic = \"unwind\"`: that is how it stops a validation that takes too long"
);

/// A custom keyword that charges for each check of its sub-schema.
///
/// Its value is the list `[failures, copied, failing]`: the maximum number of violations of the sub-schema itself at
/// one location, whether these contain copies of the data, and the number of its sub-schemas that may fail without
/// making it fail.
pub(super) const CHARGED: &str = "formalize:charged";

/// A custom keyword that charges and never matches. Its value is the number of sub-schemas that failed before it.
///
/// A failing sub-schema is left before its [`CHARGED`]. That ends the check, except in alternatives and in `contains`,
/// where it may happen for each item of the data. So each list of alternatives ends with one that charges for the others.
pub(super) const FAILED: &str = "formalize:failed";

/// The memory of a violation during validation, in bytes.
const VIOLATION_BYTES: u64 = 600;

/// The additional memory of a violation for each enclosing sub-schema, whose names it contains, in bytes.
const FRAME_BYTES: u64 = 16;

/// The additional memory of a violation for each copied value of the data, in bytes.
const VALUE_BYTES: u64 = 64;

/// The charge for a check without a list of violations, in bytes that take the same time.
const CHECK_BYTES: u64 = 16;

/// The divisor of the additional charge for nesting: the validator searches all open checks for cycles.
const NESTING_PER_CHECK_BYTE: u64 = 4;

/// The budget of a list of violations, in bytes; using it up takes a few hundred milliseconds.
const LISTING: u64 = 48 * 1024 * 1024;

/// The budget of a check without a list: two million checks, which take less than 100 ms.
const CHECKING: u64 = 32 * 1024 * 1024;

/// The total time for all matches of one run, in nanoseconds on a typical machine.
///
/// It is estimated from the work of each match and never measured, so that the same data has the same result on every
/// machine.
const MATCHING: u64 = 60_000_000;

/// The share of a full budget that a light validation may use: it takes at most a few milliseconds.
const LIGHT_SHARE: u64 = 64;

/// The charge for reading a sub-schema to find out what it asks for.
const ASKING_CHARGE: u64 = 512;

/// The charge for reading a byte of data besides validating it.
const BYTE_CHARGE: u64 = 8;

/// The remaining budget of a validation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    left: u64,
    /// The price of one violation.
    violation: u64,
    matching: u64,
}

impl Budget {
    /// The budget of a check without a list of violations.
    pub(crate) fn checking() -> Self {
        Self {
            left: CHECKING,
            violation: 0,
            matching: MATCHING,
        }
    }

    /// The budget of a list of violations, for data where at most `frames` checks of sub-schemas nest, and pointers have at
    /// most `pointer` bytes. The validator keeps a pointer for each violation, and lists more of them than we do.
    pub(super) fn listing(frames: usize, pointer: usize) -> Self {
        let names = to_u64(frames).saturating_mul(FRAME_BYTES);
        Self {
            left: LISTING,
            violation: VIOLATION_BYTES
                .saturating_add(names)
                .saturating_add(to_u64(pointer)),
            matching: MATCHING,
        }
    }

    /// Charges for reading data. Returns `None` if the budget is too small.
    pub(crate) fn pay_for_reading(&mut self, bytes: usize) -> Option<()> {
        let price = to_u64(bytes).saturating_mul(BYTE_CHARGE);
        self.left = self.left.checked_sub(price)?;
        Some(())
    }

    /// The share of this budget for work on a thread that serves requests: a light validation, or making a page.
    pub(crate) fn light(self) -> Self {
        Self {
            left: self.left / LIGHT_SHARE,
            matching: self.matching / LIGHT_SHARE,
            ..self
        }
    }
}

/// The charge of a sub-schema in a check without a list.
///
/// A failing sub-schema is left before it is charged, which usually ends the check. Alternatives, however, may fail
/// without ending it, so the sub-schema that contains them is charged for them.
fn check_charge(nesting: usize, failing: u64) -> u64 {
    let looking = to_u64(nesting) / NESTING_PER_CHECK_BYTE;
    let failing = failing.saturating_mul(CHECK_BYTES);
    CHECK_BYTES.saturating_add(looking).saturating_add(failing)
}

/// The maximum number of inconclusive matches that are reported; more would add no information.
const MAX_INCONCLUSIVE: usize = 16;

thread_local! {
    static BUDGET: Cell<Option<Budget>> = const { Cell::new(None) };
    static MATCHING_LEFT: Cell<u64> = const { Cell::new(MATCHING) };
    static INCONCLUSIVE: RefCell<Vec<Inconclusive>> = const { RefCell::new(Vec::new()) };
}

/// A match that was aborted. Under `not`, `anyOf` or `if`, this is not visible in the result of the validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Inconclusive {
    /// The location of the keyword `pattern`, as a JSON Pointer into the schema.
    pub(super) schema_path: String,
    /// The text to match: the validator does not provide its location in the data.
    pub(super) text: String,
}

/// The payload of the unwinding that ends a run with an exhausted budget.
struct Spent;

/// Runs `work`, and returns `None` if it exhausts the budget. Also returns the inconclusive matches.
///
/// There is no other way to stop the validator: it continues with the next keyword whatever a keyword returns.
/// Unwinding with a custom payload prints no panic message.
pub(super) fn within<T>(
    budget: Budget,
    work: impl FnOnce() -> T,
) -> (Option<T>, Vec<Inconclusive>) {
    let mut budget = budget;
    let result = within_rest(&mut budget, work);
    (result, INCONCLUSIVE.with_borrow_mut(std::mem::take))
}

/// Runs `work` and reduces the budget by what it uses. Returns `None` if it exhausts the budget.
pub(super) fn within_rest<T>(budget: &mut Budget, work: impl FnOnce() -> T) -> Option<T> {
    BUDGET.set(Some(*budget));
    MATCHING_LEFT.set(budget.matching);
    INCONCLUSIVE.with_borrow_mut(Vec::clear);
    let result = catch_unwind(AssertUnwindSafe(work));
    if let Some(rest) = BUDGET.take() {
        budget.left = rest.left;
    }
    budget.matching = MATCHING_LEFT.get();
    result.ok()
}

fn stop() {
    if BUDGET.get().is_some() {
        resume_unwind(Box::new(Spent));
    }
}

/// Charges the estimated time of a match. Returns `None` if it exceeds the remaining time, and for all later matches.
pub(super) fn spend_on_matching(nanoseconds: u64) -> Option<()> {
    let left = MATCHING_LEFT.get().checked_sub(nanoseconds);
    MATCHING_LEFT.set(left.unwrap_or(0));
    left.map(drop)
}

/// Records an aborted match. Ends the run if no time for matching is left: the data is rejected anyway, and no other
/// match would have a result.
pub(super) fn give_up(schema_path: &str, text: &str) {
    let is_same = |noted: &Inconclusive| noted.text == text && noted.schema_path == schema_path;
    INCONCLUSIVE.with_borrow_mut(|noted| {
        if noted.len() < MAX_INCONCLUSIVE && !noted.iter().any(is_same) {
            noted.push(Inconclusive {
                schema_path: schema_path.to_owned(),
                text: text.to_owned(),
            });
        }
    });
    if MATCHING_LEFT.get() == 0 {
        stop();
    }
}

/// Charges the price, if there is a budget.
fn spend(price: impl FnOnce(Budget) -> u64) {
    let Some(budget) = BUDGET.get() else {
        return;
    };
    match budget.left.checked_sub(price(budget)) {
        Some(left) => BUDGET.set(Some(Budget { left, ..budget })),
        None => stop(),
    }
}

/// Charges for reading a sub-schema to find out what it asks for.
pub(crate) fn spend_on_asking() {
    spend(|_| ASKING_CHARGE);
}

/// Registers the keywords [`CHARGED`] and [`FAILED`] for a schema with this nesting.
pub(super) fn register(options: ValidationOptions<'_>, nesting: usize) -> ValidationOptions<'_> {
    let options = options.with_keyword(FAILED, move |_, value, _| {
        Ok(Box::new(Failed {
            charge: check_charge(nesting, value.as_u64().unwrap_or(1)),
        }))
    });
    options.with_keyword(CHARGED, move |_, value, _| {
        Ok(Box::new(Charged {
            failures: value.get(0).and_then(Value::as_u64).unwrap_or(1),
            copied: value.get(1) == Some(&Value::Bool(true)),
            check: check_charge(nesting, value.get(2).and_then(Value::as_u64).unwrap_or(0)),
        }))
    })
}

/// Converts a length to a number of steps.
pub(super) fn to_u64(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

struct Charged {
    failures: u64,
    copied: bool,
    /// The charge in a check without a list.
    check: u64,
}

impl<'i> Keyword<'i> for Charged {
    fn validate(&self, value: &'i Value) -> Result<(), ValidationError<'i>> {
        spend(|budget| {
            let values = if self.copied {
                DocumentSize::of(value).values
            } else {
                0
            };
            let copies = to_u64(values).saturating_mul(VALUE_BYTES);
            budget
                .violation
                .saturating_add(copies)
                .saturating_mul(self.failures)
        });
        Ok(())
    }

    fn is_valid(&self, _: &'i Value) -> bool {
        spend(|_| self.check);
        true
    }
}

struct Failed {
    charge: u64,
}

impl<'i> Keyword<'i> for Failed {
    fn validate(&self, _: &'i Value) -> Result<(), ValidationError<'i>> {
        Err(ValidationError::custom(""))
    }

    fn is_valid(&self, _: &'i Value) -> bool {
        spend(|_| self.charge);
        false
    }
}
