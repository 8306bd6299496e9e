//! JSON that is read strictly, schemas that are compiled and applied, the questions that they ask, and their editing.
//!
//! | To | use |
//! |---|---|
//! | parse JSON, without duplicate keys and within limits | [`parse_json`] |
//! | compile a JSON Schema and validate data | [`DataSchema`], [`Rejection`], [`Violation`] |
//! | read which files a form asks for | [`FileRules`], [`FileRule`], [`FileAttributeName`] |
//! | show a form, and make data from what was entered | [`questions`] |
//! | edit the text of a schema | [`editor`] |
//!
//! Schemas and data may be malicious: all work is limited.

pub mod editor;
#[doc(hidden)] // For the other packages of this project; not part of the public API.
pub mod internals;
pub mod questions;
mod schema;
mod suggestion;

pub use schema::{
    DataSchema, FileAttributeName, FileRule, FileRules, InvalidFileAttributeName, Rejection,
    Violation, parse_json,
};
pub use suggestion::nearest_name;

/// The example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
