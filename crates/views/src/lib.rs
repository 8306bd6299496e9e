//! The records of formalize as other programs see them, and the bodies that they send.
//!
//! A record is declared once, with `view!`: its fields in order, and a sentence about each. REST writes it as JSON, the command
//! line prints it, and with the feature `openapi` its schema is in the OpenAPI document. A request body is declared once, too,
//! with `request_body!`; its parser and its schema are generated. Presence, null and types are checked here; the library
//! validates the values.

pub mod batch;
pub mod check;
pub mod deletion;
pub mod event;
pub mod file;
pub mod form;
pub mod grant;
pub mod group;
pub mod link;
pub mod member;
mod members;
#[cfg(feature = "openapi")]
mod openapi;
pub mod questions;
mod request;
pub mod resource;
#[cfg(feature = "openapi")]
mod schemas;
pub mod submission;
mod value;
mod value_types;
mod view;
pub mod webhook;
mod words;

use formalize_core::{Action, Actions};
use serde::Serialize;

pub use members::{BadBody, BadValue, MAX_FAULTS, Members};
pub use request::{BodyField, Kind, RequestBody};
pub use value::{Id, Instant, OrNull};
pub use view::{View, field_names};

/// The JSON of a value. Serializing strings, numbers, lists and objects cannot fail.
pub fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The names of actions.
fn names(actions: &Actions) -> Vec<String> {
    actions.iter().map(Action::to_string).collect()
}
