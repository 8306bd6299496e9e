//! Bounds on a running validation: on its stack, its time and its memory.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

use jsonschema::{Keyword, ValidationError, ValidationOptions};
use serde_json::Value;

use super::extent::Extent;

/// The stack that checking one sub-schema takes, with that of a debug build and a good margin.
const FRAME_BYTES: usize = 4 * 1024;

/// So much stack may be used on the thread of the caller.
const SMALL_STACK: usize = 512 * 1024;

/// The largest stack that is asked for. Pages of it that are not used take no memory.
const LARGEST_STACK: usize = 1024 * 1024 * 1024;

/// Runs `work`, which nests `frames` checks of sub-schemas, with a stack that is large enough.
///
/// `None` where there cannot be one, or where `work` panics.
pub(super) fn with_stack<T: Send>(frames: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    let bytes = frames.saturating_mul(FRAME_BYTES);
    let guarded = || catch_unwind(AssertUnwindSafe(work)).ok();
    if bytes <= SMALL_STACK {
        return guarded();
    }
    if bytes > LARGEST_STACK {
        return None;
    }
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(bytes + SMALL_STACK);
        builder.spawn_scoped(scope, guarded).ok()?.join().ok()?
    })
}

/// A keyword of this crate that charges for each check of the sub-schema it stands in.
///
/// Its value is the list `[failures, copied, failing]`: how many violations the sub-schema itself may have
/// at one place, whether these hold copies of the data, and how many sub-schemas may fail in vain.
pub(super) const CHARGED: &str = "formalize:charged";

/// The memory that a violation takes while it is on its way, in bytes.
const VIOLATION_BYTES: u64 = 600;

/// The same for each value of a copy of data.
const VALUE_BYTES: u64 = 64;

/// The same for each sub-schema on the way to the violation, whose names it holds.
const WAY_BYTES: u64 = 8;

/// What a check without a list of violations is charged, to be comparable in time.
const CHECK_BYTES: u64 = 16;

/// The part of the nesting that is charged on top: the validator looks for circles in all that is open.
const NESTING_PER_CHECK_BYTE: u64 = 4;

/// A list of violations may take this.
pub(super) const LISTING_BUDGET: u64 = 512 * 1024 * 1024;

/// The answer yes or no may take this: some hundred million checks, which are some seconds.
pub(super) const CHECKING_BUDGET: u64 = 3 * LISTING_BUDGET;

/// What is charged for the violations of one sub-schema at one place.
pub(super) fn charge(failures: u64, nesting: usize, copied_values: usize) -> u64 {
    VIOLATION_BYTES
        .saturating_add(to_u64(nesting).saturating_mul(WAY_BYTES))
        .saturating_add(to_u64(copied_values).saturating_mul(VALUE_BYTES))
        .saturating_mul(failures)
}

/// What is charged for the answer yes or no of a sub-schema.
///
/// What fails is left before it comes to be charged, and often that is the end of it. But alternatives may
/// fail in vain: for these, the sub-schema that has them is charged.
fn check_charge(nesting: usize, failing: u64) -> u64 {
    /// Chains of alternatives, where each would be charged for all that follow, are to remain usable.
    const MOST_FAILING: u64 = 3_000;

    let looking = to_u64(nesting) / NESTING_PER_CHECK_BYTE;
    let failing = failing.min(MOST_FAILING).saturating_mul(CHECK_BYTES);
    CHECK_BYTES.saturating_add(looking).saturating_add(failing)
}

thread_local! {
    static BUDGET: Cell<Option<u64>> = const { Cell::new(None) };
}

/// What is thrown when the budget is spent; nobody sees it but [`within`].
struct Spent;

/// Runs `work` until it has spent the budget; then the result is `None`.
///
/// There is no other way to make the validator stop: whatever a keyword answers, it goes on to the next.
/// Unwinding without the message of a panic is how to leave a computation of somebody else's.
pub(super) fn within<T>(budget: u64, work: impl FnOnce() -> T) -> Option<T> {
    BUDGET.set(Some(budget));
    let result = catch_unwind(AssertUnwindSafe(work));
    BUDGET.set(None);
    result.ok()
}

fn spend(amount: u64) {
    if let Some(left) = BUDGET.get() {
        match left.checked_sub(amount) {
            Some(left) => BUDGET.set(Some(left)),
            None => resume_unwind(Box::new(Spent)),
        }
    }
}

/// Adds the keyword [`CHARGED`] for schemas of this nesting.
pub(super) fn register(options: ValidationOptions<'_>, nesting: usize) -> ValidationOptions<'_> {
    options.with_keyword(CHARGED, move |_, value, _| {
        Ok(Box::new(Charged {
            failures: value.get(0).and_then(Value::as_u64).unwrap_or(1),
            copied: value.get(1) == Some(&Value::Bool(true)),
            check: check_charge(nesting, value.get(2).and_then(Value::as_u64).unwrap_or(0)),
            nesting,
        }))
    })
}

fn to_u64(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

struct Charged {
    failures: u64,
    copied: bool,
    check: u64,
    nesting: usize,
}

impl<'i> Keyword<'i> for Charged {
    fn validate(&self, value: &'i Value) -> Result<(), ValidationError<'i>> {
        let copied = if self.copied {
            Extent::of(value).values
        } else {
            0
        };
        spend(charge(self.failures, self.nesting, copied));
        Ok(())
    }

    fn is_valid(&self, _: &'i Value) -> bool {
        spend(self.check);
        true
    }
}
