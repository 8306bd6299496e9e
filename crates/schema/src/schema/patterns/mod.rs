//! Regular expressions in schemas: ECMA-262 in Unicode mode, with limits.
//!
//! A pattern that a finite automaton can match is matched by one, in linear time. The others (look-around,
//! backreferences) need a backtracking engine, with a limit on the number of steps. If it is reached, it is unknown
//! whether the text matches, so the data is rejected, wherever in the schema the pattern occurs: see [`super::budget`].
//! Property names are matched in advance: see [`keys`].

mod automaton;
mod class;
mod ecma;
mod keys;
mod keywords;
mod matcher;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jsonschema::{Draft, ValidationOptions};
use serde_json::Value;

use super::rejection::Violation;
use super::structure::{Structure, push_token};
use matcher::{Matcher, Unusable};

pub(super) use keys::KeyPatterns;
pub(super) use matcher::{limit_reached, mismatch};

/// The maximum total weight of all patterns in a schema, in states of their automata.
///
/// A state takes up to 100 bytes and half a microsecond to build. The largest patterns in practice repeat a class such
/// as all letters of all alphabets a few hundred times.
const MAX_WEIGHT: u64 = 200_000;

/// Keys are compiled here and again by the validator, for matching in both directions.
const TIMES_OF_KEYS: u64 = 3;

/// The compiled patterns of a schema, by their source.
#[derive(Debug, Default, Clone)]
pub(super) struct Patterns {
    matchers: HashMap<String, Arc<Matcher>>,
    weight: u64,
    keys: Keys,
}

/// The keys of `patternProperties` in the syntax of the validator, which matches them itself.
#[derive(Debug, Default, Clone)]
struct Keys {
    translations: HashMap<String, String>,
    taken: HashSet<String>,
}

impl Keys {
    /// Translates a key, one-to-one: different keys remain different even if they have the same meaning.
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
    /// A violation for each invalid regular expression, and for the one that exceeds the total weight.
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
        let times = if is_key { TIMES_OF_KEYS } else { 1 };
        let allowed = MAX_WEIGHT.saturating_sub(self.weight) / times;
        let is_new_key = is_key && !self.keys.translations.contains_key(source);
        let matcher = match self.matchers.get(source) {
            Some(_) if !is_new_key => return Ok(()),
            Some(known) if known.weight() > allowed => return Err(Unusable::TooLarge),
            Some(known) => Arc::clone(known),
            None => Arc::new(Matcher::compile(source, allowed)?),
        };
        if is_new_key {
            self.keys.add(source);
        }
        let weight = matcher.weight().saturating_mul(times);
        self.weight = self.weight.saturating_add(weight);
        self.matchers.insert(source.to_owned(), matcher);
        Ok(())
    }

    fn matcher(&self, source: &str) -> Option<Arc<Matcher>> {
        self.matchers.get(source).cloned()
    }

    /// The translation of a key of `patternProperties` for the validator.
    pub(super) fn key<'k>(&'k self, source: &'k str) -> &'k str {
        let key = self.keys.translations.get(source);
        key.map_or(source, String::as_str)
    }

    /// The keys of `patternProperties` by their translation for the validator.
    pub(super) fn sources_of_keys(&self) -> HashMap<String, String> {
        let translations = self.keys.translations.iter();
        let changed = translations.filter(|(source, key)| source != key);
        changed
            .map(|(source, key)| (key.clone(), source.clone()))
            .collect()
    }

    /// The matchers of the keys of `patternProperties`, at most `most` of which may apply to one location.
    pub(super) fn key_patterns(&self, most: u64) -> KeyPatterns {
        let keys = self.keys.translations.keys();
        KeyPatterns::new(keys.filter_map(|key| self.matcher(key)).collect(), most)
    }

    /// An upper bound for the memory of the compiled patterns, in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        usize::try_from(self.weight.saturating_mul(300)).unwrap_or(usize::MAX)
    }

    /// The options to compile a schema with these patterns.
    pub(super) fn options<'o>(&self, draft: Draft) -> ValidationOptions<'o> {
        keywords::register(matcher::options(draft), self)
    }
}

/// The patterns in one sub-schema, each with its reference tokens.
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

#[cfg(test)]
mod tests {
    use super::super::DataSchema;
    use serde_json::{Value, json};

    fn pointers(schema: &Value) -> Vec<(String, String)> {
        let refused = DataSchema::compile(&schema.to_string()).expect_err(&schema.to_string());
        let (_, violations) = refused.into_parts();
        violations
            .into_iter()
            .map(|one| (one.instance_path, one.keyword))
            .collect()
    }

    #[test]
    fn every_invalid_pattern_is_reported() {
        let schema = json!({
            "properties": {"a": {"pattern": "("}, "b": {"items": {"pattern": "\\A"}}},
            "patternProperties": {"[/": {}, "a": {}}
        });
        let mut found = pointers(&schema);
        found.sort();
        let expected = [
            ("/patternProperties/[~1", "patternProperties"),
            ("/properties/a/pattern", "pattern"),
            ("/properties/b/items/pattern", "pattern"),
        ];
        assert_eq!(
            found,
            expected.map(|(pointer, keyword)| (pointer.into(), keyword.into()))
        );
    }

    #[test]
    fn the_total_weight_of_patterns_is_limited() {
        let patterns: Vec<_> = (0..9)
            .map(|n| json!({"pattern": format!("^{n}.{{0,5000}}$")}))
            .collect();
        let pointer = pointers(&json!({"allOf": patterns}));
        assert_eq!(pointer.len(), 1);
        let same: Vec<_> = (0..9).map(|_| json!({"pattern": "^.{0,5000}$"})).collect();
        assert!(DataSchema::compile(&json!({"allOf": same}).to_string()).is_ok());
    }

    #[test]
    fn keys_are_matched_like_values() {
        let schema = json!({
            "patternProperties": {
                "^\\d$": {"type": "null"}, "^[0-9]$": {"maximum": 1}, "^(?=\\w)[^\\d]$": {"type": "string"},
                "^.$": true
            },
            "additionalProperties": false
        });
        let schema = DataSchema::compile(&schema.to_string()).unwrap();
        assert_eq!(
            schema.validate(&json!({"1": null, "a": "x", "٣": 7, "é": 7})),
            Ok(())
        );
        let both = schema.validate(&json!({"1": 2})).unwrap_err();
        let mut paths: Vec<_> = both
            .violations()
            .iter()
            .map(|one| one.schema_path.as_str())
            .collect();
        paths.sort_unstable();
        assert_eq!(
            paths,
            [
                "/patternProperties/^[0-9]$/maximum",
                "/patternProperties/^\\d$/type"
            ]
        );
        assert!(schema.validate(&json!({"a": 1})).is_err());
        assert!(schema.validate(&json!({"\n": 1})).is_err());
    }

    #[test]
    fn keys_with_word_boundaries_work_in_every_draft() {
        for draft in [
            "draft-04",
            "draft-06",
            "draft-07",
            "draft/2019-09",
            "draft/2020-12",
        ] {
            let schema = json!({
                "$schema": format!("http://json-schema.org/{draft}/schema#"),
                "patternProperties": {"\\bid\\b": {"type": "string"}, "^(?<a>x)\\k<a>$": {"type": "null"}}
            });
            let schema = DataSchema::compile(&schema.to_string()).expect(draft);
            assert_eq!(
                schema.validate(&json!({"an id": "x", "ids": 1, "xx": null})),
                Ok(()),
                "{draft}"
            );
            assert!(schema.validate(&json!({"éid": 1})).is_err(), "{draft}");
            assert!(schema.validate(&json!({"xx": 1})).is_err(), "{draft}");
        }
    }

    #[test]
    fn the_keywords_of_this_crate_are_ignored_in_schemas() {
        let schema = json!({"formalize:enum": [1], "formalize:charged": "x", "type": "object"});
        let schema = DataSchema::compile(&schema.to_string()).unwrap();
        assert_eq!(schema.validate(&json!({})), Ok(()));
    }
}
