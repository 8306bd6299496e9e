//! Validation of data against a schema.

use serde_json::Value;

use super::budget::{self, Budget, Inconclusive};
use super::document_size::DocumentSize;
use super::listing::Listing;
use super::messages::Messages;
use super::rejection::{Rejection, Violation};
use super::{DataSchema, stack};

mod inconclusive;

/// Validates data within the full limits.
pub(super) fn validate(schema: &DataSchema, data: &Value) -> Result<(), Rejection> {
    run(schema, data, |budget| budget, Extent::List).0
}

/// Validates data up to the first violation, for one of many documents.
///
/// # Errors
///
/// A rejection with that violation, in brief.
pub fn validate_briefly(schema: &DataSchema, data: &Value) -> Result<(), Rejection> {
    let (result, _) = run(schema, data, |budget| budget, Extent::First);
    result.map_err(Rejection::in_brief)
}

/// Validates data if that takes at most a few milliseconds; returns `None` otherwise.
///
/// # Errors
///
/// A rejection with the first violations.
pub fn validate_lightly(schema: &DataSchema, data: &Value) -> Option<Result<(), Rejection>> {
    let (result, is_complete) = run(schema, data, Budget::light, Extent::List);
    is_complete.then_some(result)
}

/// How many violations are described.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// As many as fit into a list.
    List,
    First,
}

/// Runs a validation on a stack that is large enough for the depth of the data and the schema. Also returns whether it
/// stayed within the limits.
fn run(
    schema: &DataSchema,
    data: &Value,
    share: fn(Budget) -> Budget,
    extent: Extent,
) -> (Result<(), Rejection>, bool) {
    let size = DocumentSize::of(data);
    let levels = size.depth.saturating_add(2);
    let validation = Validation {
        schema,
        data,
        size,
        extent,
        frames: schema.nesting.saturating_mul(levels),
        share,
    };
    let (violations, is_complete) = stack::with_stack(validation.frames, || validation.run())
        .unwrap_or_else(|| {
            let failed = summary("cannot be checked against the schema");
            (vec![failed].into(), false)
        });
    (Rejection::if_listed(violations), is_complete)
}

/// The validation of one document against one schema.
struct Validation<'a> {
    schema: &'a DataSchema,
    data: &'a Value,
    size: DocumentSize,
    extent: Extent,
    /// The maximum nesting of checks of sub-schemas.
    frames: usize,
    /// The share of a full budget to use.
    share: fn(Budget) -> Budget,
}

impl Validation<'_> {
    /// The violations, and whether the validation stayed within its limits.
    fn run(&self) -> (Listing, bool) {
        let keys = || self.schema.key_patterns.finish_on(self.data);
        if self.within(Budget::checking(), keys).0 != Some(true) {
            return (vec![key_limit_reached()].into(), false);
        }
        // First check without a list: the validator caches these results, so the time is bounded where a list would not
        // be. Data is almost always valid.
        let checking = || self.schema.validator.is_valid(self.data);
        let (valid, mut unfinished) = self.within(Budget::checking(), checking);
        let mut violations = Listing::default();
        let incomplete = match valid {
            Some(true) => None,
            Some(false) => {
                let (listed, more) = self.list();
                unfinished.extend(more);
                if let Some(listed) = listed {
                    violations = listed;
                    None
                } else {
                    violations.extend(self.first());
                    Some("does not match the schema, with too many violations to list")
                        .filter(|_| self.extent == Extent::List || violations.is_empty())
                }
            }
            None => Some("takes too long to be checked against the schema"),
        };
        let is_complete = incomplete.is_none() && unfinished.is_empty();
        // Matches that exhausted the time are reported separately below.
        let incomplete = incomplete.filter(|_| unfinished.is_empty());
        violations.extend(incomplete.map(summary));
        let messages = Messages::about(self.schema);
        for one in &mut unfinished {
            one.schema_path = messages.as_written(&one.schema_path);
        }
        let unreported = inconclusive::violations(&unfinished, self.data, violations.violations());
        violations.extend(unreported);
        (violations, is_complete)
    }

    fn within<T>(
        &self,
        budget: Budget,
        work: impl FnOnce() -> T,
    ) -> (Option<T>, Vec<Inconclusive>) {
        budget::within((self.share)(budget), work)
    }

    /// The violations of invalid data; `None` if there are too many for the validator to list.
    fn list(&self) -> (Option<Listing>, Vec<Inconclusive>) {
        if self.extent == Extent::First || !self.size.is_describable() {
            return (None, Vec::new());
        }
        let validator = &self.schema.validator;
        let listing = || Messages::about(self.schema).violations_under(validator, self.data);
        let (listed, unfinished) = self.within(self.listing(), listing);
        (listed.filter(|listed| !listed.is_empty()), unfinished)
    }

    /// The first violation of invalid data; `None` if it is too expensive to find. Aborted matches were noted before.
    fn first(&self) -> Option<Violation> {
        let validator = &self.schema.validator;
        let finding = || Messages::about(self.schema).first_under(validator, self.data);
        self.within(self.listing(), finding).0.flatten()
    }

    fn listing(&self) -> Budget {
        Budget::listing(self.frames, self.size.longest_pointer)
    }
}

/// The violation for data with property names that cannot be matched within the limits.
fn key_limit_reached() -> Violation {
    let message = "has field names that take too many steps to match against the patterns";
    Violation::of_keyword("patternProperties", String::new(), message)
}

fn summary(message: &str) -> Violation {
    Violation::of_keyword("", String::new(), message)
}

#[cfg(test)]
mod tests;
