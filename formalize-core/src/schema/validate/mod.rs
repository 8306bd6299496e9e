//! Data under a schema.

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

/// Checks data, on a stack that is large enough for its depth and that of the schema.
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

/// One document under one schema.
struct Validation<'a> {
    schema: &'a DataSchema,
    data: &'a Value,
    extent: DocumentSize,
    /// How deep checks of sub-schemas may nest.
    frames: usize,
}

impl Validation<'_> {
    fn run(&self) -> Result<(), Rejection> {
        let keys = || self.schema.key_patterns.finish_on(self.data);
        if budget::within(Budget::checking(), keys).0 != Some(true) {
            return Err(key_limit_reached().into());
        }
        let validator = self.suitable_validator();
        // The question for yes or no first: the validator remembers answers to it, so that it takes
        // bounded time where a list would not; and almost always the answer is yes.
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
        // Matches that have taken all the time tell of that themselves.
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

    /// The validator that charges for its checks, where that could come to anything.
    ///
    /// Both give the same answers; the other one is faster by a third.
    fn suitable_validator(&self) -> &Validator {
        const NEGLIGIBLE: u64 = budget::LISTING / 8;
        /// A schema that nests alternatives checks them again on each level, to list what they miss.
        const USUAL_NESTING: usize = 16;

        let Cost { nesting, ways, .. } = self.schema.cost;
        let values = u64::try_from(self.extent.values).unwrap_or(u64::MAX);
        let repeated = u64::try_from(1 + nesting / USUAL_NESTING).unwrap_or(u64::MAX);
        let cost = budget::cost_of(ways, self.frames, self.extent.depth + 1);
        if cost.saturating_mul(values).saturating_mul(repeated) <= NEGLIGIBLE {
            return &self.schema.validator;
        }
        let charged = self.schema.charged.get_or_init(|| {
            // A schema with ways without bound is compiled like that from the start.
            let needed = ways != u64::MAX;
            let compiled = needed.then(|| compile::compile(&self.schema.text, true).ok());
            compiled.flatten().map(|compiled| compiled.validator)
        });
        charged.as_ref().unwrap_or(&self.schema.validator)
    }

    /// Every violation of invalid data; nothing where they are too many to be listed.
    fn list(&self, validator: &Validator) -> (Option<Vec<Violation>>, Vec<Inconclusive>) {
        /// Each violation tells the whole way to it, and no person writes so long a one.
        const MAX_NESTING: usize = 1_000;

        if !self.extent.is_describable() || self.schema.cost.nesting > MAX_NESTING {
            return (None, Vec::new());
        }
        let listing = || Messages::about(self.schema).violations_under(validator, self.data);
        let (listed, unfinished) = budget::within(Budget::listing(self.frames), listing);
        (listed.filter(|listed| !listed.is_empty()), unfinished)
    }
}

/// The refusal of data with names of members that are not matched within the bounds.
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
