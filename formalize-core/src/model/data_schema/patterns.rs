//! Regular expressions of schemas: ECMA-262, under a bound on the steps of a match.

use std::cell::RefCell;

use jsonschema::error::ValidationErrorKind;
use jsonschema::paths::Location;
use jsonschema::{Draft, Keyword, PatternOptions, ValidationError, ValidationOptions, Validator};
use serde_json::{Map, Value, json};

/// How often a match may go back and try another way, where the pattern needs that at all.
const MAX_BACKTRACKS: usize = 20_000;

/// The most memory that one compiled pattern may take, in bytes.
const MAX_COMPILED_BYTES: usize = 1 << 20;

/// Longer patterns are not repeated in messages.
const MAX_QUOTATION: usize = 120;

thread_local! {
    /// The patterns whose bound was reached in the validation that runs on this thread.
    static UNFINISHED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Runs a validation and tells at which patterns of the schema the bound on steps was reached.
///
/// The result of the validation does not tell: under `not` or `anyOf` a match that was given up may
/// come out as either answer.
pub(super) fn watching<T>(validate: impl FnOnce() -> T) -> (T, Vec<String>) {
    UNFINISHED.with_borrow_mut(Vec::clear);
    let result = validate();
    (result, UNFINISHED.with_borrow_mut(std::mem::take))
}

/// The options under which every schema is compiled.
pub(super) fn options<'o>(draft: Draft) -> ValidationOptions<'o> {
    jsonschema::options()
        .with_draft(draft)
        .offline()
        .should_validate_formats(true)
        .with_pattern_options(
            PatternOptions::fancy_regex()
                .backtrack_limit(MAX_BACKTRACKS)
                .size_limit(MAX_COMPILED_BYTES),
        )
}

pub(super) fn mismatch(pattern: &str) -> String {
    if pattern.len() <= MAX_QUOTATION {
        format!("must match the pattern `{pattern}`")
    } else {
        "must match the pattern".to_owned()
    }
}

pub(super) fn limit_reached() -> String {
    "takes too many steps to match against a pattern".to_owned()
}

/// Whether a text is a regular expression that can be matched.
pub(super) fn compile(pattern: &str) -> Option<Validator> {
    let syntax = options(Draft::Draft202012).build(&json!({"format": "regex"}));
    if !syntax.is_ok_and(|syntax| syntax.is_valid(&Value::from(pattern))) {
        return None;
    }
    options(Draft::Draft202012)
        .build(&json!({"pattern": pattern}))
        .ok()
}

/// The keyword `pattern`, telling of each match that it had to give up.
struct Pattern {
    matcher: Validator,
    source: String,
    /// Where the keyword stands in the schema, as a JSON Pointer.
    location: Location,
}

/// Compiles the keyword `pattern`.
pub(super) fn keyword<'s>(
    _: &'s Map<String, Value>,
    value: &'s Value,
    location: Location,
) -> Result<Box<dyn for<'i> Keyword<'i>>, ValidationError<'s>> {
    let pattern = value.as_str().unwrap_or_default();
    let matcher = compile(pattern)
        .ok_or_else(|| ValidationError::custom("must be a valid regular expression"))?;
    Ok(Box::new(Pattern {
        matcher,
        source: pattern.to_owned(),
        location,
    }))
}

impl<'i> Keyword<'i> for Pattern {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        let Err(error) = self.matcher.validate(instance) else {
            return Ok(());
        };
        if matches!(error.kind(), ValidationErrorKind::Pattern { .. }) {
            return Err(ValidationError::custom(mismatch(&self.source)));
        }
        UNFINISHED.with_borrow_mut(|unfinished| unfinished.push(self.location.as_str().to_owned()));
        Err(ValidationError::custom(limit_reached()))
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        self.validate(instance).is_ok()
    }
}
