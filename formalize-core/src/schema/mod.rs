//! JSON and JSON Schema: the data of submissions and what forms demand of it.
//!
//! [`parse_json`] reads data, [`DataSchema`] checks it. Both refuse with a [`Rejection`], which names
//! every problem with its place and never a submitted value.
//!
//! # How a schema is compiled
//!
//! 1. `json` reads the text, `document_size` measures it.
//! 2. `structure` finds the sub-schemas by the keywords of the draft (`dialect`). `references` resolves what they
//!    refer to, the official meta-schemas (`meta`) included.
//! 3. `annotations` checks what forms are rendered by, `patterns` compiles regular expressions.
//! 4. `cost` counts how many sub-schemas apply to one place in the data, and refuses too many.
//! 5. `plain` writes the schema with resolved references, and the crate `jsonschema` compiles that.
//!
//! # How data is checked
//!
//! `validate` first asks the validator for yes or no. Only for invalid data does it list the violations, which
//! `messages` and `params` describe without quoting the data. Both run within a `budget`, on a `stack` that is
//! large enough.
//!
//! # Why it takes special means
//!
//! Schemas and data come from people who may mean harm, and `jsonschema` puts no bound on its work: thirty
//! definitions that refer to each other twice are a billion checks, and the list of violations can be larger than
//! the memory. Counting beforehand refuses the worst schemas, but not recursive ones, whose cost depends on the
//! data. So the running validator has to be stopped, for which it offers no way.
//!
//! - **Unwinding** (`budget`): a keyword that finds the budget spent cannot end the validation, whatever it
//!   returns. The alternatives are a process for each validation, or a validator of our own.
//! - **Thread-locals** (`budget`): a keyword is compiled once and shared between threads, and a check hands it
//!   nothing but the value. So what a validation may spend stands on its thread.
//! - **A keyword of our own in the copy of the schema** (`plain`, `budget::CHARGED`): it is called for each check of a
//!   sub-schema, which is what has to be counted. No standard keyword is in every sub-schema.
//! - **Sub-schemas by their address** (`structure`): the document is borrowed and does not move, so an address tells
//!   a value for certain. The JSON Pointers of a schema of 1 MiB can take gigabytes.
//! - **Large stacks** (`stack`): the validator recurses once for each reference, and a chain of references may be as
//!   long as the schema, on each level of the data. Up to 1 GiB is reserved for that, of which only used pages take
//!   memory.
//! - **Patterns** (`patterns`): the translation of ECMA-262 in `jsonschema` leaves `.`, `\b`, surrogate pairs and
//!   whole patterns with look-around as they are, which then mean something else, and takes time that grows
//!   with the square of a pattern. Its linear engine has no bound on the product of the text and the states, and its other
//!   one none on the matches of one document.

mod annotations;
mod budget;
mod compile;
mod cost;
mod dialect;
mod document_size;
mod enumeration;
#[cfg(test)]
mod hostile;
mod json;
mod keys;
mod messages;
mod meta;
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

pub use json::parse_json;
pub use rejection::{Rejection, Violation};

use cost::Cost;
use document_size::DocumentSize;
use keys::TopLevelKeys;
use patterns::KeyPatterns;

/// A JSON Schema, checked and compiled.
///
/// Compiling costs far more than validating; share one behind an `Arc`.
///
/// ```
/// use formalize_core::{DataSchema, parse_json};
///
/// let schema = DataSchema::compile(r#"{"properties": {"age": {"type": "integer"}}, "required": ["age"]}"#)?;
/// let refused = schema.validate(&parse_json(r#"{"age": "old"}"#)?).unwrap_err();
/// assert_eq!(refused.messages(), ["/age: must be an integer"]);
/// # Ok::<(), formalize_core::Rejection>(())
/// ```
pub struct DataSchema {
    text: String,
    validator: Validator,
    /// The validator that charges for its checks, for data that could make them very many.
    charged: OnceLock<Option<Validator>>,
    cost: Cost,
    key_patterns: KeyPatterns,
    has_backtracking: bool,
    pattern_weight: u64,
    /// The keys of `patternProperties`, by what the validator reads for them.
    key_sources: HashMap<String, String>,
    memory_bytes: usize,
    keys: TopLevelKeys,
}

impl fmt::Debug for DataSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DataSchema").field(&self.text).finish()
    }
}

impl DataSchema {
    /// The largest schema, in bytes of UTF-8.
    pub const MAX_BYTES: usize = 1024 * 1024;

    /// The deepest nesting of a schema, the outermost object being level 1.
    pub const MAX_DEPTH: usize = 64;

    /// The most JSON values that a schema consists of, those of enumerations and examples included.
    pub const MAX_VALUES: usize = 100_000;

    /// The most sub-schemas that a schema consists of.
    pub const MAX_SUB_SCHEMAS: usize = 10_000;

    /// Checks and compiles a schema.
    ///
    /// That takes tens of microseconds for a usual one, and in the order of 100 ms for the most expensive that is accepted
    /// or refused.
    ///
    /// # Errors
    ///
    /// A rejection with everything that is wrong with the schema. The places of its violations are
    /// places in the schema.
    pub fn compile(text: &str) -> Result<Self, Rejection> {
        compile::compile(text, false)
    }

    /// The schema exactly as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The memory that the compiled schema takes, roughly and at most, in bytes: the weight that a
    /// cache should give it.
    pub fn memory_bytes(&self) -> usize {
        // A sub-schema of ten bytes becomes a node of some hundred.
        self.text
            .len()
            .saturating_mul(40)
            .saturating_add(self.memory_bytes)
    }

    /// Whether checking this data is a matter of microseconds, or a few milliseconds at the very worst.
    pub(crate) fn is_light_for(&self, data: &Value) -> bool {
        /// So many violations there may be, if everything is wrong.
        const WAYS: u64 = 10_000;
        /// The product of the text in the data and the states of the patterns.
        const READING: u64 = 1_000_000;

        let extent = DocumentSize::of(data);
        let product = |a: usize, b: u64| u64::try_from(a).unwrap_or(u64::MAX).saturating_mul(b);
        !self.has_backtracking
            && product(extent.values, self.cost.ways) <= WAYS
            && product(extent.text_bytes, self.pattern_weight) <= READING
    }

    /// Checks data against the schema.
    ///
    /// The work is bounded: data on which the bound is reached is refused, after some hundred milliseconds at most.
    ///
    /// # Errors
    ///
    /// A rejection with every violation. The places are places in the data.
    pub fn validate(&self, data: &Value) -> Result<(), Rejection> {
        validate::validate(self, data)
    }

    /// The members of `element` whose keys the top-level `properties` of the schema define, in their
    /// order and with their spelling; `{}` where there are none or where the data is no object.
    pub fn reduce_to_keys(&self, element: &str) -> String {
        self.keys.reduce(element)
    }
}

/// What a form without a schema demands of its data: that it is a JSON object.
pub(crate) fn validate_without_schema(data: &Value) -> Result<(), Rejection> {
    if data.is_object() {
        return Ok(());
    }
    Err(Violation::of_keyword("type", String::new(), "must be an object").into())
}
