//! JSON and JSON Schema: parsing and validation of submitted data.
//!
//! [`parse_json`] parses data and [`DataSchema`] validates it. Both return a [`Rejection`] that lists problems with
//! their locations and never contains a submitted value.
//!
//! # How a schema is compiled
//!
//! 1. `json` parses the text, `document_size` measures it.
//! 2. `structure` finds the sub-schemas according to the keywords of the draft (`dialect`). `references` resolves their
//!    references, including those to the official meta-schemas (`meta`).
//! 3. `annotations` checks the annotations used to render forms, `file_rules` reads the rules about files, `patterns`
//!    compiles regular expressions.
//! 4. `cost` counts the sub-schemas that apply to one location in the data, and rejects the schema if there are too
//!    many.
//! 5. `plain` rewrites the schema with resolved references, and the crate `jsonschema` compiles the result.
//!
//! # How data is validated
//!
//! `validate` first runs the validator without collecting errors. Only if the data is invalid does it list the
//! violations, which `messages` and `params` describe without quoting the data, and `listing` bounds. Both runs are limited
//! by a `budget` and use a `stack` that is large enough.
//!
//! # Why this is not simply `jsonschema`
//!
//! Schemas and data may be malicious, and `jsonschema` does not limit its work: thirty definitions that each refer
//! twice to the next cause a billion checks, and the list of violations can exceed the available memory. Counting in
//! advance rejects the worst schemas, but not recursive ones, whose cost depends on the data. The running validator
//! must therefore be stopped, which it does not support.
//!
//! - **Unwinding** (`budget`): a keyword that exhausts the budget cannot end the validation through its return value.
//!   The alternatives are a separate process for each validation, or a validator of our own.
//! - **Thread-locals** (`budget`): a compiled keyword is shared between threads and receives only the value to check,
//!   so the remaining budget of a validation is stored in its thread.
//! - **A custom keyword in the copy of the schema** (`plain`, `budget::CHARGED`): it runs for each check of a
//!   sub-schema, which is the unit to count. No standard keyword occurs in every sub-schema.
//! - **Sub-schemas by their address** (`structure`): the document is borrowed and does not move, so addresses identify
//!   values. The JSON Pointers of a 1 MiB schema could take gigabytes.
//! - **Large stacks** (`stack`): the validator recurses once for each reference, and a chain may have 500 of them, at
//!   each level of the data. Up to 256 MiB is reserved for it; only used pages take memory.
//! - **Patterns** (`patterns`): `jsonschema` translates ECMA-262 patterns, but leaves `.`, `\b`, surrogate pairs and
//!   all patterns with look-around unchanged, although they have a different meaning there. Its translation takes
//!   quadratic time. Its linear engine does not limit the product of text length and states, and its other engine does
//!   not limit the total number of matches in a document.

mod annotations;
mod budget;
mod compile;
mod cost;
mod dialect;
mod document_size;
mod enumeration;
mod file_rules;
#[cfg(test)]
mod hostile;
mod json;
mod key_order;
mod keys;
pub mod listing;
mod messages;
mod meta;
mod misspelled;
mod outline;
mod params;
mod patterns;
mod plain;
mod references;
mod rejection;
mod stack;
mod structure;
mod validate;

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use jsonschema::Validator;
use serde_json::Value;

pub use file_rules::{FileAttributeName, FileRule, FileRules, InvalidFileAttributeName};

pub(crate) use budget::{Budget, spend_on_asking};
pub use compile::compile_stored;
pub use json::{SpelledMembers, parse_json};
pub use listing::abridged;
pub use misspelled::misspelled;
pub(crate) use outline::{Comparison, FileTexts, Words, strings};
pub use outline::{Outline, Part, Role, SubSchema};
pub use rejection::{Rejection, Violation};
pub use structure::push_token;
pub use validate::{validate_briefly, validate_lightly};

use keys::TopLevelKeys;
use patterns::KeyPatterns;

/// A validated and compiled JSON Schema.
///
/// Compiling is far more expensive than validating; share a compiled schema through an `Arc`.
///
/// ```
/// use formalize_schema::{DataSchema, parse_json};
///
/// let schema = DataSchema::compile(r#"{"properties": {"age": {"type": "integer"}}, "required": ["age"]}"#)?;
/// let refused = schema.validate(&parse_json(r#"{"age": "old"}"#)?).unwrap_err();
/// assert_eq!(refused.messages(), ["/age: must be an integer"]);
/// # Ok::<(), formalize_schema::Rejection>(())
/// ```
pub struct DataSchema {
    text: String,
    validator: Validator,
    /// The longest chain of sub-schemas that apply to one location, each applied by the one before.
    nesting: usize,
    key_patterns: KeyPatterns,
    /// The keys of `patternProperties`, by their translation for the validator.
    key_sources: HashMap<String, String>,
    memory_bytes: usize,
    keys: TopLevelKeys,
    file_rules: FileRules,
    /// What the schema asks for, once questions were made from it. `None` inside if that is not possible.
    outline: OnceLock<Option<Box<Outline>>>,
}

impl fmt::Debug for DataSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DataSchema").field(&self.text).finish()
    }
}

impl DataSchema {
    /// The maximum size of a schema, in bytes of UTF-8.
    pub const MAX_BYTES: usize = 1024 * 1024;

    /// The maximum nesting of a schema; the outermost object is level 1.
    pub const MAX_DEPTH: usize = 64;

    /// The maximum number of JSON values in a schema, including those in enumerations and examples.
    pub const MAX_VALUES: usize = 100_000;

    /// The maximum number of sub-schemas in a schema.
    pub const MAX_SUB_SCHEMAS: usize = 10_000;

    /// Checks and compiles a schema.
    ///
    /// This takes tens of microseconds for a typical schema, and about 100 ms for the most expensive one.
    ///
    /// # Errors
    ///
    /// A rejection with all problems of the schema. Its violations are located in the schema.
    ///
    /// ```
    /// use formalize_schema::DataSchema;
    ///
    /// let refused = DataSchema::compile(r#"{"properties": {"age": {"minimum": "0"}}}"#).unwrap_err();
    /// assert_eq!(refused.messages(), ["/properties/age/minimum: must be a number"]);
    /// ```
    pub fn compile(text: &str) -> Result<Self, Rejection> {
        compile::compile(text)
    }

    /// The original text of the schema.
    ///
    /// ```
    /// let schema = formalize_schema::DataSchema::compile(r#"{ "type": "object" }"#)?;
    /// assert_eq!(schema.text(), r#"{ "type": "object" }"#);
    /// # Ok::<(), formalize_schema::Rejection>(())
    /// ```
    pub fn text(&self) -> &str {
        &self.text
    }

    /// An approximate upper bound for the memory of the compiled schema, in bytes. Use it as the weight in a cache.
    ///
    /// ```
    /// use formalize_schema::DataSchema;
    ///
    /// let small = DataSchema::compile("{}")?;
    /// let large = DataSchema::compile(r#"{"pattern": "^[a-z]{1,100}$"}"#)?;
    /// assert!(small.memory_bytes() < large.memory_bytes());
    /// # Ok::<(), formalize_schema::Rejection>(())
    /// ```
    pub fn memory_bytes(&self) -> usize {
        // A sub-schema of ten bytes is compiled to a node of a few hundred. The outline takes as much again.
        self.text
            .len()
            .saturating_mul(40)
            .saturating_add(self.memory_bytes)
            .saturating_mul(2)
    }

    /// Validates data against the schema.
    ///
    /// The work is limited: data that reaches the limit is rejected after a few hundred milliseconds at most.
    ///
    /// # Errors
    ///
    /// A rejection with the first violations. They are located in the data.
    ///
    /// ```
    /// use formalize_schema::{DataSchema, parse_json};
    ///
    /// let schema = DataSchema::compile(r#"{"required": ["name"], "additionalProperties": false}"#)?;
    /// let refused = schema.validate(&parse_json(r#"{"nmae": "Ada"}"#)?).unwrap_err();
    /// let mut keywords: Vec<_> = refused.violations().iter().map(|one| one.keyword.as_str()).collect();
    /// keywords.sort();
    /// assert_eq!(keywords, ["additionalProperties", "required"]);
    /// # Ok::<(), formalize_schema::Rejection>(())
    /// ```
    pub fn validate(&self, data: &Value) -> Result<(), Rejection> {
        validate::validate(self, data)
    }

    /// The rules about files of submissions, which are the keywords `files` and `additionalFiles` at the root of the schema.
    pub fn file_rules(&self) -> &FileRules {
        &self.file_rules
    }

    /// Whether the next call of [`DataSchema::outline`] takes no time.
    pub(crate) fn is_outlined(&self) -> bool {
        self.outline.get().is_some()
    }

    /// What the schema asks for. The first call takes as long as compiling the schema.
    pub(crate) fn outline(&self) -> Option<&Outline> {
        let outline = self
            .outline
            .get_or_init(|| compile::outline(&self.text).map(Box::new));
        outline.as_deref()
    }

    /// Runs `work` with what the schema asks for, and reduces the budget by what it uses.
    ///
    /// Returns `None` if it exhausts the budget.
    pub(crate) fn ask<'s, T: Send>(
        &'s self,
        budget: &mut Budget,
        data: &Value,
        work: impl FnOnce(&'s Outline) -> T + Send,
    ) -> Option<T> {
        let outline = self.outline()?;
        let asked = outline.within(budget, data, || {
            let is_matchable = self.key_patterns.finish_on(data);
            is_matchable.then(|| work(outline))
        });
        asked.flatten()
    }

    /// The members of `element` whose keys the top-level `properties` of the schema define, in their original order and
    /// spelling. Returns `{}` if there are none or if `element` is not an object.
    ///
    /// ```
    /// let schema = formalize_schema::DataSchema::compile(r#"{"properties": {"price": {}}}"#)?;
    /// assert_eq!(schema.reduce_to_keys(r#"{"note": "x", "price": 1.00}"#), r#"{"price":1.00}"#);
    /// # Ok::<(), formalize_schema::Rejection>(())
    /// ```
    pub fn reduce_to_keys(&self, element: &str) -> String {
        self.keys.reduce(element)
    }
}

/// Validates data for a form that has this schema, or none.
///
/// # Errors
///
/// A rejection with the first violations.
pub fn judge(schema: Option<&DataSchema>, data: &Value) -> Result<(), Rejection> {
    schema.map_or_else(
        || validate_without_schema(data),
        |schema| schema.validate(data),
    )
}

/// Validates data for a form without a schema: it must be a JSON object.
///
/// # Errors
///
/// A rejection if it is not an object.
pub fn validate_without_schema(data: &Value) -> Result<(), Rejection> {
    if data.is_object() {
        return Ok(());
    }
    Err(Violation::of_keyword("type", String::new(), "must be an object").into())
}
