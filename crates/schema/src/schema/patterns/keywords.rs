//! This crate's implementation of the keyword `pattern`.

use std::sync::Arc;

use jsonschema::paths::Location;
use jsonschema::{Keyword, ValidationError, ValidationOptions};
use serde_json::Value;

use super::super::budget;
use super::Patterns;
use super::automaton::Text;
use super::matcher::{Matcher, Outcome, limit_reached, mismatch};

/// Replaces the validator's own implementation of the keyword.
pub(super) fn register<'o>(
    options: ValidationOptions<'o>,
    patterns: &Patterns,
) -> ValidationOptions<'o> {
    let patterns = patterns.clone();
    options.with_keyword("pattern", move |_, value, location| {
        let matcher = value.as_str().and_then(|source| patterns.matcher(source));
        let matcher = matcher.ok_or_else(|| ValidationError::custom("must be a string"))?;
        Ok(Box::new(Pattern { matcher, location }))
    })
}

/// The keyword `pattern`.
struct Pattern {
    matcher: Arc<Matcher>,
    location: Location,
}

impl<'i> Keyword<'i> for Pattern {
    fn validate(&self, value: &'i Value) -> Result<(), ValidationError<'i>> {
        let Some(text) = value.as_str() else {
            return Ok(());
        };
        match self.matcher.matches(text, Text::Value) {
            Outcome::Matched => Ok(()),
            Outcome::Missed => Err(ValidationError::custom(mismatch(self.matcher.source()))),
            Outcome::Inconclusive => {
                budget::give_up(self.location.as_str(), text);
                Err(ValidationError::custom(limit_reached()))
            }
        }
    }

    fn is_valid(&self, value: &'i Value) -> bool {
        self.validate(value).is_ok()
    }
}
