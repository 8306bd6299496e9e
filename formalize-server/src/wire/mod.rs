//! The JSON of requests and responses.
//!
//! A request body is declared once, with its fields; its parser and its schema in the OpenAPI document are generated
//! from that declaration. Presence, null and types are checked here; the core validates the values.

pub mod batch;
mod body;
pub mod check;
pub mod deletion;
pub mod event;
pub mod file;
pub mod form;
pub mod grant;
pub mod group;
pub mod link;
pub mod me;
pub mod member;
mod members;
pub mod page;
pub mod questions;
mod request;
pub mod resource;
pub mod submission;
pub mod summary;
#[cfg(test)]
mod tests;
mod value;
mod value_types;
pub mod webhook;

use formalize_core::{Action, Actions};
use formalize_http::contract::Operation;
use formalize_http::tag::EntityTag;
use poem_openapi::types::Type;
use serde::Serialize;
use uuid::Uuid;

pub use body::Body;
pub use members::Members;
pub use request::RequestBody;
pub use value::{Id, Instant, OrNull};

/// The response to a request for one item.
pub trait Item: Serialize + Type {
    /// The revision of the item's record, if any.
    fn revision(&self) -> Option<Uuid> {
        None
    }

    /// The tag of the item with this JSON.
    fn tag(&self, json: &str) -> EntityTag {
        EntityTag::new(self.revision(), json)
    }
}

/// The JSON of a value. Serializing strings, numbers, lists and objects cannot fail.
pub fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The tag of an item with this JSON.
pub fn tag(item: &impl Item, json: &str) -> EntityTag {
    item.tag(json)
}

/// An item with its own path.
pub trait Located: Item {
    /// The operation that returns the item.
    const ROUTE: Operation;

    /// The identifier in the path.
    fn identifier(&self) -> &Id;
}

/// Implements [`Item`] and [`Located`] for a record with an identifier and a revision.
macro_rules! located {
    ($item:ty, $route:ident) => {
        impl $crate::wire::Item for $item {
            fn revision(&self) -> Option<uuid::Uuid> {
                Some(self.revision)
            }
        }

        impl $crate::wire::Located for $item {
            const ROUTE: formalize_http::contract::Operation =
                formalize_http::contract::Operation::$route;

            fn identifier(&self) -> &$crate::wire::Id {
                &self.identifier
            }
        }
    };
}

use located;

/// The names of actions.
fn names(actions: &Actions) -> Vec<String> {
    actions.iter().map(Action::to_string).collect()
}
