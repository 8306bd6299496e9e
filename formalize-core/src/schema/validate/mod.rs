//! Validation of data against a schema.

use jsonschema::Validator;
use serde_json::Value;

use super::budget::{self, Budget, Inconclusive};
use super::cost::Cost;
use super::document_size::DocumentSize;
use super::messages::Messages;
use super::patterns;
use super::rejection::{Rejection, Violation};
use super::{DataSchema, compile, stack};

mod inconclusive;

/// Validates data, on a stack that is large enough for the depth of the data and the schema.
pub(super) fn validate(schema: &DataSchema, data: &Value) -> Result<(), Rejection> {
    let extent = DocumentSize::of(data);
    let levels = extent.depth.saturating_add(2);
    let validation = Validation {
        schema,
        data,
        extent,
        frames: schema.cost.nesting.saturating_mul(levels),
    };
    stack::with_stack(validation.frames, || validation.run()).unwrap_or_else(|| {
        Err(summary("is nested too deeply to be checked against the schema").into())
    })
}

/// The validation of one document against one schema.
struct Validation<'a> {
    schema: &'a DataSchema,
    data: &'a Value,
    extent: DocumentSize,
    /// The maximum nesting of checks of sub-schemas.
    frames: usize,
}

impl Validation<'_> {
    fn run(&self) -> Result<(), Rejection> {
        let keys = || self.schema.key_patterns.finish_on(self.data);
        if budget::within(Budget::checking(), keys).0 != Some(true) {
            return Err(key_limit_reached().into());
        }
        let validator = self.suitable_validator();
        // First check without a list: the validator caches these results, so the time is bounded where a list would not
        // be. Data is almost always valid.
        let checking = || validator.is_valid(self.data);
        let (valid, mut unfinished) = budget::within(Budget::checking(), checking);
        let mut violations = Vec::new();
        let incomplete = match valid {
            Some(true) => None,
            Some(false) => {
                let (listed, more) = self.list(validator);
                unfinished.extend(more);
                let is_listed = listed.is_some();
                violations.extend(listed.into_iter().flatten());
                (!is_listed).then_some("does not match the schema, in more ways than can be listed")
            }
            None => Some("takes too long to be checked against the schema"),
        };
        // Matches that exhausted the time are reported separately below.
        let incomplete = incomplete.filter(|_| unfinished.is_empty());
        violations.extend(incomplete.map(summary));
        let messages = Messages::about(self.schema);
        for one in &mut unfinished {
            one.schema_path = messages.as_written(&one.schema_path);
        }
        let unreported = inconclusive::violations(&unfinished, self.data, &violations);
        violations.extend(unreported);
        Rejection::if_any(violations)
    }

    /// The validator that charges for its checks, if these could become expensive.
    ///
    /// Both validators give the same results, but the other one is faster by a third.
    fn suitable_validator(&self) -> &Validator {
        const NEGLIGIBLE: u64 = budget::LISTING / 8;
        /// Nested alternatives are checked again on each level, to list their violations.
        const USUAL_NESTING: usize = 16;

        let Cost { nesting, ways, .. } = self.schema.cost;
        let values = u64::try_from(self.extent.values).unwrap_or(u64::MAX);
        let repeated = u64::try_from(1 + nesting / USUAL_NESTING).unwrap_or(u64::MAX);
        let cost = budget::cost_of(ways, self.frames, self.extent.depth + 1);
        if cost.saturating_mul(values).saturating_mul(repeated) <= NEGLIGIBLE {
            return &self.schema.validator;
        }
        let charged = self.schema.charged.get_or_init(|| {
            // A schema with an unlimited number of ways always charges.
            let needed = ways != u64::MAX;
            let compiled = needed.then(|| compile::compile(&self.schema.text, true).ok());
            compiled.flatten().map(|compiled| compiled.validator)
        });
        charged.as_ref().unwrap_or(&self.schema.validator)
    }

    /// All violations of invalid data; `None` if there are too many to list.
    fn list(&self, validator: &Validator) -> (Option<Vec<Violation>>, Vec<Inconclusive>) {
        /// Each violation contains the full path to it. Paths this long do not occur in practice.
        const MAX_NESTING: usize = 1_000;

        if !self.extent.is_describable() || self.schema.cost.nesting > MAX_NESTING {
            return (None, Vec::new());
        }
        let listing = || Messages::about(self.schema).violations_under(validator, self.data);
        let (listed, unfinished) = budget::within(Budget::listing(self.frames), listing);
        (listed.filter(|listed| !listed.is_empty()), unfinished)
    }
}

/// The violation for data with property names that cannot be matched within the limits.
fn key_limit_reached() -> Violation {
    let message = format!(
        "has field names of which matching {}",
        patterns::limit_reached()
    );
    Violation::of_keyword("patternProperties", String::new(), message)
}

fn summary(message: &str) -> Violation {
    Violation::of_keyword("", String::new(), message)
}

#[cfg(test)]
mod tests;
