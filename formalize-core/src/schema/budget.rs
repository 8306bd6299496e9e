//! Bounds on the time and the memory of a running validation.
//!
//! Keywords of this crate spend them. The validator hands no state to a keyword, so the bounds stand on the
//! thread that the validation runs on; and it cannot be told to stop, so what exceeds them unwinds.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use jsonschema::{Keyword, ValidationError, ValidationOptions};
use serde_json::Value;

use super::document_size::DocumentSize;

#[cfg(panic = "abort")]
compile_error!(
    "formalize-core needs `panic = \"unwind\"`: that is how it stops a validation that takes too long"
);

/// A keyword of this crate that charges for each check of the sub-schema it stands in.
///
/// Its value is the list `[failures, copied, failing]`: how many violations the sub-schema itself may have
/// at one place, whether these hold copies of the data, and how many sub-schemas may fail in vain.
pub(super) const CHARGED: &str = "formalize:charged";

/// The memory that a violation takes while it is on its way, in bytes.
const VIOLATION_BYTES: u64 = 600;

/// The same for each sub-schema on the way to it, whose names it holds.
const FRAME_BYTES: u64 = 16;

/// The same for each value of a copy of data.
const VALUE_BYTES: u64 = 64;

/// What a check without a list of violations is charged, to be comparable in time.
const CHECK_BYTES: u64 = 16;

/// The part of the nesting that is charged on top: the validator looks for circles in all that is open.
const NESTING_PER_CHECK_BYTE: u64 = 4;

/// A list of violations may take this, in bytes; to make it takes some hundred milliseconds.
pub(super) const LISTING: u64 = 48 * 1024 * 1024;

/// The answer yes or no may take this: two million checks, which take less than 100 ms.
const CHECKING: u64 = 32 * 1024 * 1024;

/// What a validation may spend.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    left: u64,
    /// The price of one violation.
    violation: u64,
}

impl Budget {
    /// The budget for the answer yes or no.
    pub(super) fn checking() -> Self {
        Self {
            left: CHECKING,
            violation: 0,
        }
    }

    /// The budget for a list of violations, in data where `frames` sub-schemas nest at most.
    pub(super) fn listing(frames: usize) -> Self {
        Self {
            left: LISTING,
            violation: price(frames),
        }
    }
}

/// The price of a violation to which `frames` sub-schemas lead.
fn price(frames: usize) -> u64 {
    VIOLATION_BYTES.saturating_add(to_u64(frames).saturating_mul(FRAME_BYTES))
}

/// What so many violations cost together, each with a copy of so many values.
pub(super) fn cost_of(violations: u64, frames: usize, copied_values: usize) -> u64 {
    with_copies(price(frames), copied_values).saturating_mul(violations)
}

fn with_copies(price: u64, copied_values: usize) -> u64 {
    price.saturating_add(to_u64(copied_values).saturating_mul(VALUE_BYTES))
}

/// What is charged for the answer yes or no of a sub-schema.
///
/// What fails is left before it comes to be charged, and often that is the end of it. But alternatives may
/// fail in vain: for these, the sub-schema that has them is charged.
fn check_charge(nesting: usize, failing: u64) -> u64 {
    let looking = to_u64(nesting) / NESTING_PER_CHECK_BYTE;
    let failing = failing.saturating_mul(CHECK_BYTES);
    CHECK_BYTES.saturating_add(looking).saturating_add(failing)
}

/// The time that all matches of one run may take together, in nanoseconds of an ordinary machine.
///
/// It is never measured, so that the same data has the same answer everywhere: each match takes as much of
/// it as its work would come to.
const MATCHING: u64 = 60_000_000;

/// So many matches without a result are reported; more would tell nothing new.
const MAX_INCONCLUSIVE: usize = 16;

thread_local! {
    static BUDGET: Cell<Option<Budget>> = const { Cell::new(None) };
    static MATCHING_LEFT: Cell<u64> = const { Cell::new(MATCHING) };
    static INCONCLUSIVE: RefCell<Vec<Inconclusive>> = const { RefCell::new(Vec::new()) };
}

/// A match that was given up. Under `not`, `anyOf` or `if`, the result of a validation does not show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Inconclusive {
    /// The keyword `pattern`, as a JSON Pointer into the schema.
    pub(super) schema_path: String,
    /// The text that was to be matched: the validator does not tell its place in the data.
    pub(super) text: String,
}

/// The payload of the unwinding that ends a run whose budget is spent.
struct Spent;

/// Runs `work` until it has spent the budget; then the result is `None`. Also tells which matches had no result.
///
/// There is no other way to stop the validator: whatever a keyword answers, it goes on to the next.
/// Unwinding with a payload of our own prints no message of a panic.
pub(super) fn within<T>(
    budget: Budget,
    work: impl FnOnce() -> T,
) -> (Option<T>, Vec<Inconclusive>) {
    BUDGET.set(Some(budget));
    MATCHING_LEFT.set(MATCHING);
    INCONCLUSIVE.with_borrow_mut(Vec::clear);
    let result = catch_unwind(AssertUnwindSafe(work));
    BUDGET.set(None);
    (result.ok(), INCONCLUSIVE.with_borrow_mut(std::mem::take))
}

fn stop() {
    if BUDGET.get().is_some() {
        resume_unwind(Box::new(Spent));
    }
}

/// Takes the time that a match may need; `None` where so much is not left, and from then on.
pub(super) fn spend_on_matching(nanoseconds: u64) -> Option<()> {
    let left = MATCHING_LEFT.get().checked_sub(nanoseconds);
    MATCHING_LEFT.set(left.unwrap_or(0));
    left.map(drop)
}

/// Notes a match that was given up. Ends the run if no time for matching is left: the data is refused anyway,
/// and no other match would have a result.
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

/// Takes what `price` asks of the budget, if there is one.
fn spend(price: impl FnOnce(Budget) -> u64) {
    let Some(budget) = BUDGET.get() else {
        return;
    };
    match budget.left.checked_sub(price(budget)) {
        Some(left) => BUDGET.set(Some(Budget { left, ..budget })),
        None => stop(),
    }
}

/// Adds the keyword [`CHARGED`] for schemas of this nesting.
pub(super) fn register(options: ValidationOptions<'_>, nesting: usize) -> ValidationOptions<'_> {
    options.with_keyword(CHARGED, move |_, value, _| {
        Ok(Box::new(Charged {
            failures: value.get(0).and_then(Value::as_u64).unwrap_or(1),
            copied: value.get(1) == Some(&Value::Bool(true)),
            check: check_charge(nesting, value.get(2).and_then(Value::as_u64).unwrap_or(0)),
        }))
    })
}

/// A length as a number of steps.
pub(super) fn to_u64(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

struct Charged {
    failures: u64,
    copied: bool,
    /// What an answer without a list is charged.
    check: u64,
}

impl<'i> Keyword<'i> for Charged {
    fn validate(&self, value: &'i Value) -> Result<(), ValidationError<'i>> {
        spend(|budget| {
            let copied = if self.copied {
                DocumentSize::of(value).values
            } else {
                0
            };
            with_copies(budget.violation, copied).saturating_mul(self.failures)
        });
        Ok(())
    }

    fn is_valid(&self, _: &'i Value) -> bool {
        spend(|_| self.check);
        true
    }
}
