//! Regular expressions of schemas: those of ECMA-262 in Unicode mode, under bounds.
//!
//! A pattern that a finite automaton can match is matched by one, in linear time. The others (look-around,
//! references to groups) need an engine that goes back and tries another way, and they get a bound on
//! how often. Where the bound is reached nobody knows whether the text matches, so the data is refused,
//! wherever in the schema that happens: see [`watch`].

mod class;
mod ecma;
mod keywords;
mod matcher;
mod watch;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jsonschema::{Draft, ValidationOptions};
use serde_json::{Map, Value};

use super::rejection::Violation;
use super::structure::{Structure, push_token};
use matcher::{Matcher, Unusable};

pub(super) use keywords::KEY_PATTERNS;
pub(super) use matcher::{limit_reached, mismatch};
pub(super) use watch::{Unfinished, watch};

/// The weight that all patterns of a schema may have together, in states of their automata.
///
/// A state takes up to 300 bytes. The most that practice asks for is about a letter of any alphabet,
/// a thousand times.
const MAX_WEIGHT: u64 = 400_000;

/// The compiled patterns of a schema, by their source.
#[derive(Debug, Default, Clone)]
pub(super) struct Patterns {
    matchers: HashMap<String, Arc<Matcher>>,
    weight: u64,
    keys: Keys,
}

/// The keys of `patternProperties`, which the validator matches itself, in the notation that it reads.
#[derive(Debug, Default, Clone)]
struct Keys {
    translations: HashMap<String, String>,
    taken: HashSet<String>,
}

impl Keys {
    /// Translates a key, one-to-one: two keys may mean the same, and nevertheless stay two.
    fn add(&mut self, source: &str) {
        let translation = ecma::translate(source, ecma::LOOK_AROUND);
        let mut key =
            translation.map_or_else(|| source.to_owned(), |translation| translation.regex);
        while !self.taken.insert(key.clone()) {
            key = format!("(?:{key})");
        }
        self.translations.insert(source.to_owned(), key);
    }
}

impl Patterns {
    /// Compiles every pattern of a schema.
    ///
    /// # Errors
    ///
    /// A violation for each that is no regular expression, and for the one with which they are too many.
    pub(super) fn compile(structure: &Structure<'_>) -> Result<Self, Vec<Violation>> {
        let mut patterns = Self::default();
        let mut violations = Vec::new();
        for (node, found) in structure.nodes.iter().enumerate() {
            for (tokens, source) in sources(found.schema) {
                let is_key = tokens.len() > 1;
                let Err(unusable) = patterns.add(source, is_key) else {
                    continue;
                };
                let mut pointer = structure.pointer(node);
                for token in &tokens {
                    push_token(&mut pointer, token);
                }
                let keyword = tokens.first().copied().unwrap_or_default();
                violations.push(Violation::of_keyword(keyword, pointer, unusable.message()));
                if unusable == Unusable::TooLarge {
                    return Err(violations);
                }
            }
        }
        if violations.is_empty() {
            Ok(patterns)
        } else {
            Err(violations)
        }
    }

    fn add(&mut self, source: &str, is_key: bool) -> Result<(), Unusable> {
        if is_key && !self.keys.translations.contains_key(source) {
            self.keys.add(source);
        }
        if self.matchers.contains_key(source) {
            return Ok(());
        }
        let matcher = Matcher::compile(source, MAX_WEIGHT.saturating_sub(self.weight))?;
        self.weight = self.weight.saturating_add(matcher.weight());
        self.matchers.insert(source.to_owned(), Arc::new(matcher));
        Ok(())
    }

    fn matcher(&self, source: &str) -> Option<Arc<Matcher>> {
        self.matchers.get(source).cloned()
    }

    /// A key of `patternProperties` as the validator reads it.
    pub(super) fn key<'k>(&'k self, source: &'k str) -> &'k str {
        let key = self.keys.translations.get(source);
        key.map_or(source, String::as_str)
    }

    /// The keys of `patternProperties` by what the validator reads for them.
    pub(super) fn sources_of_keys(&self) -> HashMap<String, String> {
        let translations = self.keys.translations.iter();
        let changed = translations.filter(|(source, key)| source != key);
        changed
            .map(|(source, key)| (key.clone(), source.clone()))
            .collect()
    }

    /// The value of [`KEY_PATTERNS`] for these `patternProperties`, if there is need of it.
    pub(super) fn backtracking_keys(&self, properties: &Map<String, Value>) -> Option<Value> {
        let backtracks = |key: &&String| {
            self.matchers
                .get(*key)
                .is_some_and(|found| found.backtracks())
        };
        let keys = properties.keys().filter(backtracks);
        let keys: Vec<Value> = keys.map(|key| Value::from(key.as_str())).collect();
        (!keys.is_empty()).then(|| Value::from(keys))
    }

    /// The memory that the compiled patterns take at most, in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        usize::try_from(self.weight.saturating_mul(300)).unwrap_or(usize::MAX)
    }

    /// The options to compile a schema with these patterns.
    pub(super) fn options<'o>(&self, draft: Draft) -> ValidationOptions<'o> {
        keywords::register(matcher::options(draft), self)
    }
}

/// The patterns in one sub-schema, each with the reference tokens that lead to it.
fn sources(schema: &Value) -> Vec<(Vec<&str>, &str)> {
    let mut sources = Vec::new();
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
        sources.push((vec!["pattern"], pattern));
    }
    let keys = schema.get("patternProperties").and_then(Value::as_object);
    for key in keys.into_iter().flat_map(|keys| keys.keys()) {
        sources.push((vec!["patternProperties", key], key));
    }
    sources
}
