//! The keywords with patterns, as the validator gets them.

use std::sync::Arc;

use jsonschema::paths::Location;
use jsonschema::{Keyword, ValidationError, ValidationOptions};
use serde_json::Value;

use super::matcher::{Matcher, Outcome, limit_reached, mismatch};
use super::{Patterns, watch};

/// A keyword of this crate that stands beside `patternProperties` and lists those of its keys whose
/// matching may be given up.
///
/// The validator matches keys itself, and tells of a match that was given up only where the outcome
/// depends on it. This keyword matches them once more in order to note it in every case.
pub(in super::super) const KEY_PATTERNS: &str = "formalize:keyPatterns";

const PATTERN_PROPERTIES: &str = "patternProperties";

/// Puts the keywords of this module in the place of the validator's own.
pub(super) fn register<'o>(
    options: ValidationOptions<'o>,
    patterns: &Patterns,
) -> ValidationOptions<'o> {
    let for_values = patterns.clone();
    let for_keys = patterns.clone();
    options
        .with_keyword("pattern", move |_, value, location| {
            let matcher = value.as_str().and_then(|source| for_values.matcher(source));
            let matcher = matcher.ok_or_else(|| ValidationError::custom("must be a string"))?;
            Ok(Box::new(Pattern { matcher, location }))
        })
        .with_keyword(KEY_PATTERNS, move |_, value, location| {
            let sources = value.as_array().map(Vec::as_slice).unwrap_or_default();
            let sources = sources.iter().filter_map(Value::as_str);
            let matchers = sources.filter_map(|source| for_keys.matcher(source));
            let schema = location
                .as_str()
                .strip_suffix(KEY_PATTERNS)
                .unwrap_or_default();
            Ok(Box::new(KeyPatterns {
                matchers: matchers.collect(),
                location: format!("{schema}{PATTERN_PROPERTIES}"),
            }))
        })
}

/// The keyword `pattern`.
struct Pattern {
    matcher: Arc<Matcher>,
    location: Location,
}

impl<'i> Keyword<'i> for Pattern {
    fn validate(&self, value: &'i Value) -> Result<(), ValidationError<'i>> {
        match self.matcher.matches(value) {
            Outcome::Matched => Ok(()),
            Outcome::Missed => Err(ValidationError::custom(mismatch(self.matcher.source()))),
            Outcome::Unfinished => {
                watch::note(self.location.as_str(), "pattern", value);
                Err(ValidationError::custom(limit_reached()))
            }
        }
    }

    fn is_valid(&self, value: &'i Value) -> bool {
        self.validate(value).is_ok()
    }
}

/// The keyword [`KEY_PATTERNS`]; it only notes, and is always satisfied.
struct KeyPatterns {
    matchers: Vec<Arc<Matcher>>,
    /// Where the `patternProperties` stand in the schema, as a JSON Pointer.
    location: String,
}

impl<'i> Keyword<'i> for KeyPatterns {
    fn validate(&self, value: &'i Value) -> Result<(), ValidationError<'i>> {
        // The validator goes through the data once more for each key that it could not finish.
        if watch::is_noted(&self.location, value) {
            return Ok(());
        }
        let members = value.as_object().into_iter();
        let mut keys = members.flat_map(|members| members.keys());
        let unfinished = keys.any(|key| {
            let key = Value::from(key.as_str());
            let mut matchers = self.matchers.iter();
            matchers.any(|matcher| matcher.matches(&key) == Outcome::Unfinished)
        });
        if unfinished {
            watch::note(&self.location, PATTERN_PROPERTIES, value);
        }
        Ok(())
    }

    fn is_valid(&self, value: &'i Value) -> bool {
        self.validate(value).is_ok()
    }
}
