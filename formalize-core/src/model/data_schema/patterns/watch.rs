//! Where a match was given up during a validation.
//!
//! The result of a validation does not tell: under `not`, `anyOf` or `if`, a match without an answer may
//! come out as either. So each is noted beside the result, on the thread, since a validation runs on one.

use std::cell::{Cell, RefCell};

use serde_json::Value;

/// So many matches are given up in one validation; beyond these, no other match that could take long is
/// begun. The data is refused anyway, and each costs what the bound on steps allows.
pub(super) const MAX_UNFINISHED: usize = 16;

/// What matches that may go back are allowed together in one validation, in squares of text lengths: in
/// that order is the work of a pattern that looks through the rest of the text from each of its places.
///
/// One text of 20,000 characters may be gone through like that, or forty thousand of a hundred.
const ALLOWANCE: usize = 400_000_000;

thread_local! {
    static ALLOWED: Cell<usize> = const { Cell::new(ALLOWANCE) };
    static UNFINISHED: RefCell<Vec<Unfinished>> = const { RefCell::new(Vec::new()) };
}

/// A match that was given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Unfinished {
    /// The keyword with the pattern, as a JSON Pointer into the schema.
    pub(in super::super) schema_path: String,
    /// The name of that keyword.
    pub(in super::super) keyword: &'static str,
    /// Where the value lies in memory: the validator does not tell its place in the data.
    address: usize,
}

impl Unfinished {
    /// Whether this is the value that was to be matched.
    pub(in super::super) fn is_about(&self, value: &Value) -> bool {
        std::ptr::from_ref(value).addr() == self.address
    }
}

/// Runs a validation and tells which matches it gave up.
pub(in super::super) fn watch<T>(validate: impl FnOnce() -> T) -> (T, Vec<Unfinished>) {
    ALLOWED.set(ALLOWANCE);
    UNFINISHED.with_borrow_mut(Vec::clear);
    let result = validate();
    (result, UNFINISHED.with_borrow_mut(std::mem::take))
}

/// Notes a match that was given up.
pub(super) fn note(schema_path: &str, keyword: &'static str, value: &Value) {
    if is_exhausted() || is_noted(schema_path, value) {
        return;
    }
    UNFINISHED.with_borrow_mut(|noted| {
        noted.push(Unfinished {
            schema_path: schema_path.to_owned(),
            keyword,
            address: std::ptr::from_ref(value).addr(),
        });
    });
}

/// Whether a match of this value is noted already.
pub(super) fn is_noted(schema_path: &str, value: &Value) -> bool {
    let is_same = |noted: &Unfinished| noted.is_about(value) && noted.schema_path == schema_path;
    UNFINISHED.with_borrow(|noted| noted.iter().any(is_same))
}

/// Whether a text may be gone through from each of its places; takes it from the allowance.
pub(super) fn allows(text: &str) -> bool {
    let left = ALLOWED
        .get()
        .checked_sub(text.len().saturating_mul(text.len()));
    if let Some(left) = left {
        ALLOWED.set(left);
    }
    left.is_some()
}

/// Whether enough matches were given up to refuse every other one that could take long.
pub(super) fn is_exhausted() -> bool {
    UNFINISHED.with_borrow(|noted| noted.len() >= MAX_UNFINISHED)
}
