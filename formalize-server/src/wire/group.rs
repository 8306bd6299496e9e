//! Groups.

use formalize_core::{self as core, GroupName, Viewed};
use poem_openapi::Object;
use serde::Serialize;
use uuid::Uuid;

use super::{
    Id, Instant, located, names,
    request::{LIGHT, Replaceable, Required, request_body},
    value_types as values,
};
request_body! {
    "A group to create."
    NewGroup as "NewGroup" {
        name: Required<values::GroupName> = Name,
            "Display name: 1 to 128 characters, not blank, no control characters.";
    }
    light up to LIGHT;
    build(self, members) -> core::NewGroup {
        let name = members.accept_some(self.name.map(GroupName::new))?;
        Some(core::NewGroup { name })
    }
}

request_body! {
    "A change of a group; absent fields keep their values."
    GroupChange as "GroupChange" {
        name: Replaceable<values::GroupName> = Name,
            "New display name: 1 to 128 characters, not blank, no control characters.";
    }
    light up to LIGHT;
    build(self, members) -> core::GroupChange {
        let name = members.accept(self.name.map(GroupName::new).transpose())?;
        Some(core::GroupChange { name })
    }
}

/// A group of users and of other groups.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct Group {
    /// Identifier of the group.
    pub identifier: Id,
    /// Display name.
    pub name: String,
    /// When it was created.
    pub date_created: Instant,
    /// The caller's actions on the group.
    pub granted_actions: Vec<String>,
    #[serde(skip)]
    #[oai(skip)]
    revision: Uuid,
}

impl From<Viewed<core::Group>> for Group {
    fn from(view: Viewed<core::Group>) -> Self {
        let item = view.item;
        Self {
            identifier: item.id.into(),
            name: item.name.as_str().to_owned(),
            date_created: item.date_created.into(),
            granted_actions: names(&view.granted_actions),
            revision: item.revision.as_uuid(),
        }
    }
}

located!(Group, GetGroup);
