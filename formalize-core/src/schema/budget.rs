//! Bounds on the time and the memory of a running validation.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use jsonschema::{Keyword, ValidationError, ValidationOptions};
use serde_json::Value;

use super::document_size::DocumentSize;

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

thread_local! {
    static BUDGET: Cell<Option<Budget>> = const { Cell::new(None) };
}

/// What is thrown when the budget is spent; nobody sees it but [`within`].
struct Spent;

/// Runs `work` until it has spent the budget; then the result is `None`.
///
/// There is no other way to make the validator stop: whatever a keyword answers, it goes on to the next.
/// Unwinding without the message of a panic is how to leave a computation of somebody else's.
pub(super) fn within<T>(budget: Budget, work: impl FnOnce() -> T) -> Option<T> {
    BUDGET.set(Some(budget));
    let result = catch_unwind(AssertUnwindSafe(work));
    BUDGET.set(None);
    result.ok()
}

/// Ends the work that has a budget, as if it were spent.
pub(super) fn stop() {
    if BUDGET.get().is_some() {
        resume_unwind(Box::new(Spent));
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

fn to_u64(number: usize) -> u64 {
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
