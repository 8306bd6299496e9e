//! Where a match was given up during a validation.
//!
//! The result of a validation does not tell: under `not`, `anyOf` or `if`, a match without an answer may
//! come out as either. So each is noted beside the result, on the thread, since a validation runs on one.

use std::cell::{Cell, RefCell};

use serde_json::Value;

/// So many matches that were given up are told of; more would tell nothing new.
pub(super) const MAX_UNFINISHED: usize = 16;

/// The time that all matches of one validation may take together, in nanoseconds of an ordinary machine.
///
/// It is never measured, so that the same data has the same answer everywhere: each match takes as much of
/// it as its work would come to.
const ALLOWANCE: u64 = 60_000_000;

thread_local! {
    static ALLOWED: Cell<u64> = const { Cell::new(ALLOWANCE) };
    static UNFINISHED: RefCell<Vec<Inconclusive>> = const { RefCell::new(Vec::new()) };
}

/// A match that was given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Inconclusive {
    /// The keyword with the pattern, as a JSON Pointer into the schema.
    pub(in super::super) schema_path: String,
    /// The name of that keyword.
    pub(in super::super) keyword: &'static str,
    /// Where the value lies in memory: the validator does not tell its place in the data.
    address: usize,
}

impl Inconclusive {
    /// Whether this is the value that was to be matched.
    pub(in super::super) fn is_about(&self, value: &Value) -> bool {
        std::ptr::from_ref(value).addr() == self.address
    }
}

/// Runs a validation and tells which matches it gave up.
pub(in super::super) fn watch<T>(validate: impl FnOnce() -> T) -> (T, Vec<Inconclusive>) {
    ALLOWED.set(ALLOWANCE);
    UNFINISHED.with_borrow_mut(Vec::clear);
    let result = validate();
    (result, UNFINISHED.with_borrow_mut(std::mem::take))
}

/// Notes a match that was given up.
pub(super) fn note(schema_path: &str, keyword: &'static str, value: &Value) {
    let is_same = |noted: &Inconclusive| noted.is_about(value) && noted.schema_path == schema_path;
    UNFINISHED.with_borrow_mut(|noted| {
        if noted.len() < MAX_UNFINISHED && !noted.iter().any(is_same) {
            noted.push(Inconclusive {
                schema_path: schema_path.to_owned(),
                keyword,
                address: std::ptr::from_ref(value).addr(),
            });
        }
    });
}

/// Takes the time that a match may need from the allowance of this validation; `None` where so much is not left, and
/// from then on.
pub(super) fn spend(nanoseconds: u64) -> Option<()> {
    let left = ALLOWED.get().checked_sub(nanoseconds);
    ALLOWED.set(left.unwrap_or(0));
    left.map(drop)
}

/// Whether the validation has no time left for matches.
pub(super) fn is_exhausted() -> bool {
    ALLOWED.get() == 0
}

/// A length as a number of steps.
pub(super) fn to_u64(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
