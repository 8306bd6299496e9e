//! Matching of property names against the patterns of `patternProperties`.
//!
//! The validator matches property names itself, repeatedly and without reporting the cost. Therefore every name in the
//! data is first matched against every potentially expensive pattern under the limits of this crate, and the data is
//! rejected if they are exceeded.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value;

use super::super::budget;
use super::automaton::Text;
use super::matcher::{Matcher, Outcome};

/// The minimum cost of matching a name against a pattern, in nanoseconds.
const BEGINNING: u64 = 50;

/// The patterns of all `patternProperties` of a schema.
#[derive(Debug)]
pub(in super::super) struct KeyPatterns {
    matchers: Vec<Arc<Matcher>>,
    /// The maximum number of them that may apply to one location.
    most: u64,
}

impl KeyPatterns {
    pub(super) fn new(matchers: Vec<Arc<Matcher>>, most: u64) -> Self {
        Self { matchers, most }
    }

    /// Whether the property names in this data can be matched within the limits.
    pub(in super::super) fn finish_on(&self, data: &Value) -> bool {
        if self.matchers.is_empty() {
            return true;
        }
        let mut names = HashSet::new();
        names_in(data, self.most, &mut names).is_some()
            && names.into_iter().all(|name| self.finish_on_name(name))
    }

    fn finish_on_name(&self, name: &str) -> bool {
        let mut costly = self
            .matchers
            .iter()
            .filter(|matcher| matcher.is_costly_on(name));
        costly.all(|matcher| matcher.matches(name, Text::Key) != Outcome::Inconclusive)
    }
}

/// Collects the distinct names, and charges the minimum cost of matching for each occurrence.
///
/// Recursion is bounded by the parser's depth limit.
fn names_in<'d>(value: &'d Value, times: u64, names: &mut HashSet<&'d str>) -> Option<()> {
    match value {
        Value::Array(items) => {
            for item in items {
                names_in(item, times, names)?;
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let once = budget::to_u64(name.len()).saturating_add(BEGINNING);
                budget::spend_on_matching(once.saturating_mul(times))?;
                names.insert(name.as_str());
                names_in(member, times, names)?;
            }
        }
        _ => {}
    }
    Some(())
}
