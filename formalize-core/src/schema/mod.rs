//! JSON and JSON Schema: the data of submissions and what forms demand of it.
//!
//! [`parse_json`] reads data, [`DataSchema`] checks it. Both refuse with a [`Rejection`], which names
//! every problem with its place and never a submitted value.

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
