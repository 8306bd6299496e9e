//! Data under a schema.

use jsonschema::Validator;
use serde_json::Value;

use super::bounds::{CHECKING_BUDGET, LISTING_BUDGET};
use super::cost::Cost;
use super::extent::Extent;
use super::patterns::{self, Unfinished};
use super::rejection::{Rejection, Violation};
use super::structure::{push_token, read_token};
use super::{DataSchema, bounds, compile, messages};

/// Checks data, on a stack that is large enough for its depth and that of the schema.
pub(super) fn validate(schema: &DataSchema, data: &Value) -> Result<(), Rejection> {
    let extent = Extent::of(data);
    let frames = schema
        .cost
        .nesting
        .saturating_mul(extent.depth.saturating_add(2));
    bounds::with_stack(frames, || check(schema, data, extent)).unwrap_or_else(|| {
        Err(summary("is nested too deeply to be checked against the schema").into())
    })
}

fn check(schema: &DataSchema, data: &Value, extent: Extent) -> Result<(), Rejection> {
    let validator = suitable_validator(schema, extent);
    // The question for yes or no first: the validator remembers answers to it, so that it takes bounded
    // time where a list would not; and almost always the answer is yes.
    let (valid, mut unfinished) =
        patterns::watch(|| bounds::within(CHECKING_BUDGET, || validator.is_valid(data)));
    let mut violations = Vec::new();
    match valid {
        Some(true) => {}
        Some(false) => {
            let (listed, more) = patterns::watch(|| list(schema, validator, data, extent));
            violations.extend(listed);
            unfinished.extend(more);
        }
        None => violations.push(summary("takes too long to be checked against the schema")),
    }
    let unreported = unfinished_violations(&unfinished, data, &violations);
    violations.extend(unreported);
    for violation in &mut violations {
        restore_keys(schema, &mut violation.schema_path);
    }
    Rejection::if_any(violations)
}

/// The validator that charges for its checks, where that could come to anything.
///
/// Both give the same answers; the other one is faster by a third.
fn suitable_validator(schema: &DataSchema, extent: Extent) -> &Validator {
    const NEGLIGIBLE: u64 = LISTING_BUDGET / 8;
    /// A schema that nests alternatives checks them again on each level, to list what they miss.
    const USUAL_NESTING: usize = 16;

    let Cost { nesting, ways } = schema.cost;
    let values = u64::try_from(extent.values).unwrap_or(u64::MAX);
    let repeated = u64::try_from(1 + nesting / USUAL_NESTING).unwrap_or(u64::MAX);
    let charge = bounds::charge(ways, nesting, extent.depth + 1);
    if charge.saturating_mul(values).saturating_mul(repeated) <= NEGLIGIBLE {
        return &schema.validator;
    }
    let charged = schema.charged.get_or_init(|| {
        // A schema with ways without bound is compiled like that from the start.
        let needed = ways != u64::MAX;
        let compiled = needed.then(|| compile::compile(&schema.text, true).ok());
        compiled.flatten().map(|compiled| compiled.validator)
    });
    charged.as_ref().unwrap_or(&schema.validator)
}

/// Every violation of invalid data; or a single one, where they are too many to be listed.
fn list(
    schema: &DataSchema,
    validator: &Validator,
    data: &Value,
    extent: Extent,
) -> Vec<Violation> {
    /// Each violation tells the whole way to it, and no person writes so long a one.
    const MAX_NESTING: usize = 1_000;

    let listed = (extent.is_describable() && schema.cost.nesting <= MAX_NESTING)
        .then(|| {
            bounds::within(LISTING_BUDGET, || {
                messages::violations_under(validator, data)
            })
        })
        .flatten()
        .filter(|listed| !listed.is_empty());
    listed.unwrap_or_else(|| {
        vec![summary(
            "does not match the schema, in more ways than can be listed",
        )]
    })
}

fn summary(message: &str) -> Violation {
    Violation::of_keyword("", String::new(), message)
}

/// The violations for matches that were given up, where the validator reports none of its own.
fn unfinished_violations(
    unfinished: &[Unfinished],
    data: &Value,
    reported: &[Violation],
) -> Vec<Violation> {
    let mut violations = Vec::new();
    for one in unfinished {
        let instance_path = place_of(one, data).unwrap_or_default();
        let violation = Violation {
            instance_path,
            schema_path: one.schema_path.clone(),
            keyword: one.keyword.to_owned(),
            message: patterns::limit_reached(),
        };
        let is_same = |other: &Violation| {
            other.message == violation.message
                && other.instance_path == violation.instance_path
                && other.schema_path.starts_with(&violation.schema_path)
        };
        if !reported.iter().chain(&violations).any(is_same) {
            violations.push(violation);
        }
    }
    violations
}

/// The JSON Pointer of the value that a match was about; names of members have none.
fn place_of(unfinished: &Unfinished, value: &Value) -> Option<String> {
    if unfinished.is_about(value) {
        return Some(String::new());
    }
    let (token, below) = match value {
        Value::Array(items) => items.iter().enumerate().find_map(|(index, item)| {
            place_of(unfinished, item).map(|below| (index.to_string(), below))
        })?,
        Value::Object(members) => members.iter().find_map(|(key, member)| {
            place_of(unfinished, member).map(|below| (key.clone(), below))
        })?,
        _ => return None,
    };
    let mut pointer = String::new();
    push_token(&mut pointer, &token);
    Some(pointer + &below)
}

/// Writes keys of `patternProperties` as they stand in the schema, and not as the validator reads them.
fn restore_keys(schema: &DataSchema, schema_path: &mut String) {
    if schema.key_sources.is_empty() || !schema_path.contains("patternProperties") {
        return;
    }
    let tokens = schema_path.split('/').skip(1).map(read_token);
    let mut restored = String::new();
    for token in tokens {
        let source = schema.key_sources.get(&token);
        push_token(&mut restored, source.unwrap_or(&token));
    }
    *schema_path = restored;
}
