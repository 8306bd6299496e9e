//! Records in responses: their tags, their paths, and the URLs of their files.

use std::sync::Arc;

use formalize_core::{self as core, Viewed};
use formalize_http::{contract::Operation, tag::EntityTag};
use formalize_views::{
    Id,
    deletion::Deletion,
    file::SubmittedFile,
    form::Form,
    grant::ResourceActionGrant,
    group::Group,
    link::FormLink,
    member::GroupMember,
    resource::{AvailableResourceClassActions, DynamicGroup, GrantedActions, Resource},
    submission::Submission,
    webhook::{Delivery, Resent, Webhook, WebhookTest},
};
use poem_openapi::types::Type;
use serde::Serialize;
use uuid::Uuid;

use crate::urls::url_of_content;

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

/// An item with its own path.
pub trait Located: Item {
    /// The operation that returns the item.
    const ROUTE: Operation;

    /// The identifier in the path.
    fn identifier(&self) -> &Id;
}

/// Implements [`Item`] and [`Located`] for records with an identifier and a revision.
macro_rules! located {
    ($($item:ty => $route:ident,)+) => {$(
        impl Item for $item {
            fn revision(&self) -> Option<Uuid> {
                Some(self.revision)
            }
        }

        impl Located for $item {
            const ROUTE: Operation = Operation::$route;

            fn identifier(&self) -> &Id {
                &self.identifier
            }
        }
    )+};
}

located! {
    Form => GetForm,
    FormLink => GetFormLink,
    Group => GetGroup,
    GroupMember => GetGroupMember,
    ResourceActionGrant => GetGrant,
    Submission => GetSubmission,
    Webhook => GetWebhook,
}

impl Item for AvailableResourceClassActions {}
impl Item for Deletion {}
impl Item for Delivery {}
impl Item for DynamicGroup {}
impl Item for GrantedActions {}
impl Item for Resent {}
impl Item for Resource {}
impl Item for WebhookTest {}

impl Item for SubmittedFile {
    fn tag(&self, _json: &str) -> EntityTag {
        EntityTag::of_content(&self.sha256)
    }
}

/// Something with files, together with the base of their URLs.
#[derive(Debug, Clone)]
pub struct WithBase<T> {
    /// What has the files.
    pub item: T,
    /// The base of URLs.
    pub base_url: Arc<str>,
}

impl From<WithBase<Viewed<core::Submission>>> for Submission {
    fn from(view: WithBase<Viewed<core::Submission>>) -> Self {
        Self::new(view.item, |file| url_of_content(file, &view.base_url))
    }
}

impl From<WithBase<core::files::SubmittedFile>> for SubmittedFile {
    fn from(file: WithBase<core::files::SubmittedFile>) -> Self {
        Self::new(&file.item, url_of_content(&file.item, &file.base_url))
    }
}
