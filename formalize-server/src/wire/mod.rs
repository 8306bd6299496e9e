//! The JSON of requests and responses.
//!
//! The body of a request is declared once, with the members that it has; its reader and its schema in the OpenAPI document
//! come from that declaration. Whether a member may be absent or null, and its type, are checked here; which values it may
//! have is known to the core.

mod body;
mod cause;
pub mod form;
pub mod grant;
pub mod group;
pub mod member;
mod members;
pub mod page;
mod request;
pub mod resource;
pub mod submission;
#[cfg(test)]
mod tests;
mod value;
mod value_types;

pub use body::Body;
pub use members::Members;
pub use request::RequestBody;
pub use value::{Id, Instant, OrNull};

use formalize_core::{Action, Actions, Current};
use poem_openapi::types::Type;
use serde::Serialize;
use uuid::Uuid;

use crate::{contract::Operation, tag::EntityTag};

/// What is answered to a request for one item.
pub trait Item: Serialize + Type {
    /// The revision of the record behind it, if it has any.
    fn revision(&self) -> Option<Uuid> {
        None
    }
}

/// The JSON of a value. Strings, numbers, and lists and objects of these cannot fail to be written.
pub fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The tag of an item whose JSON this is.
pub fn tag(item: &impl Item, json: &str) -> EntityTag {
    EntityTag::new(item.revision(), json)
}

/// The tag with which a record would be answered now.
fn current_tag(current: Current) -> EntityTag {
    fn tag_of(item: &impl Item) -> EntityTag {
        tag(item, &json(item))
    }
    match current {
        Current::Group(group) => tag_of(&group::Group::from(group)),
        Current::Membership(membership) => tag_of(&member::GroupMember::from(membership)),
        Current::Grant(grant) => tag_of(&grant::ResourceActionGrant::from(grant)),
        Current::Form(form) => tag_of(&form::Form::from(form)),
        Current::Submission(submission) => tag_of(&submission::Submission::from(submission)),
    }
}

/// An item that is found at a path of its own.
pub trait Located: Item {
    /// The operation that answers with it.
    const ROUTE: Operation;

    /// What stands in the path.
    fn identifier(&self) -> &Id;
}

/// Actions by their names.
fn names(actions: &Actions) -> Vec<String> {
    actions.iter().map(Action::to_string).collect()
}
