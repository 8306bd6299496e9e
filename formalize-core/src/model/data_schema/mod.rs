//! JSON and JSON Schema: the data of submissions and what forms demand of it.
//!
//! [`parse_json`] reads data, [`DataSchema`] checks it. Both refuse with a [`Rejection`], which names
//! every problem with its place and never a submitted value.

mod annotations;
mod cost;
mod dialect;
mod json;
mod keys;
mod messages;
mod patterns;
mod plain;
mod references;
mod rejection;
mod structure;

use std::fmt;

use jsonschema::Validator;
use serde_json::Value;

pub use json::{MAX_JSON_DEPTH, parse_json};
pub use rejection::{Rejection, Violation};

use keys::TopLevelKeys;
use structure::Structure;

/// A JSON Schema, checked and compiled.
///
/// Compiling costs far more than validating; share one behind an `Arc`.
///
/// ```
/// use formalize_core::model::data_schema::{DataSchema, parse_json};
///
/// let schema = DataSchema::compile(r#"{"properties": {"age": {"type": "integer"}}, "required": ["age"]}"#)?;
/// let refused = schema.validate(&parse_json(r#"{"age": "old"}"#)?).unwrap_err();
/// assert_eq!(refused.messages(), ["/age: must be an integer"]);
/// # Ok::<(), formalize_core::model::data_schema::Rejection>(())
/// ```
pub struct DataSchema {
    text: String,
    validator: Validator,
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

    /// Checks and compiles a schema.
    ///
    /// # Errors
    ///
    /// A rejection with everything that is wrong with the schema. The places of its violations are
    /// places in the schema.
    pub fn compile(text: &str) -> Result<Self, Rejection> {
        if text.len() > Self::MAX_BYTES {
            return Err(Rejection::unreadable("must not be larger than 1 MiB"));
        }
        let document = json::parse_json_within(text, Self::MAX_DEPTH)?;
        let draft = dialect::draft_of(&document)?;
        let meta = dialect::meta_validator(draft);
        Rejection::if_any(violations_under(&meta, &document))?;

        let mut structure = Structure::read(&document, draft);
        let links = references::resolve(&mut structure);
        let mut violations = std::mem::take(&mut structure.violations);
        violations.extend(annotations::check(&structure));
        Rejection::if_any(violations)?;
        cost::check(&structure).or_else(Rejection::if_any)?;

        let validator = patterns::options(draft)
            .with_keyword("pattern", patterns::keyword)
            .build(&plain::plain_schema(&structure, &links))
            .map_err(|error| messages::rejection_of(&error))?;
        Ok(Self {
            text: text.to_owned(),
            validator,
            keys: TopLevelKeys::of(&document),
        })
    }

    /// The schema exactly as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Checks data against the schema.
    ///
    /// # Errors
    ///
    /// A rejection with every violation. The places are places in the data.
    pub fn validate(&self, data: &Value) -> Result<(), Rejection> {
        let (violations, unfinished) =
            patterns::watching(|| violations_under(&self.validator, data));
        Rejection::if_any(violations)?;
        Rejection::if_any(
            unfinished
                .into_iter()
                .map(|location| Violation {
                    instance_path: String::new(),
                    schema_path: location,
                    keyword: "pattern".to_owned(),
                    message: patterns::limit_reached(),
                })
                .collect(),
        )
    }

    /// The members of `element` whose keys the top-level `properties` of the schema define, in their
    /// order and with their spelling; `{}` where there are none or where the data is no object.
    pub fn reduce_to_keys(&self, element: &str) -> String {
        self.keys.reduce(element)
    }
}

/// What a form without a schema demands of its data: that it is a JSON object.
///
/// # Errors
///
/// A rejection with one violation for anything else.
pub fn validate_without_schema(data: &Value) -> Result<(), Rejection> {
    if data.is_object() {
        return Ok(());
    }
    Err(Violation::of_keyword("type", String::new(), "must be an object").into())
}

fn violations_under(validator: &Validator, document: &Value) -> Vec<Violation> {
    let errors = validator.iter_errors(document);
    errors
        .flat_map(|error| messages::violations_of(&error))
        .collect()
}
