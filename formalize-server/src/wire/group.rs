//! Groups.

use formalize_core::{self as core, Field, GroupName, Viewed};
use poem_openapi::Object;
use serde::Serialize;
use uuid::Uuid;

use super::{Id, Instant, Item, Located, Members, Read, members::text, names};
use crate::contract::Operation;

/// A group to be created.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct NewGroup {
    /// What people will call it: 1 to 128 characters, not blank, no control characters.
    #[oai(validator(min_length = 1, max_length = 128))]
    pub name: String,
}

impl Read for NewGroup {
    type Value = core::NewGroup;

    fn read(members: &mut Members) -> Option<Self::Value> {
        let name = members.required(Field::Name, text);
        let name = members.accept_some(name.map(GroupName::new))?;
        Some(core::NewGroup { name })
    }
}

/// What to change of a group; a member that is absent stays as it is.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct GroupChange {
    /// The new name: 1 to 128 characters, not blank, no control characters.
    #[oai(validator(min_length = 1, max_length = 128))]
    pub name: Option<String>,
}

impl Read for GroupChange {
    type Value = core::GroupChange;

    fn read(members: &mut Members) -> Option<Self::Value> {
        let name = members.replacement(Field::Name, text);
        let name = members.accept(name.map(GroupName::new).transpose())?;
        Some(core::GroupChange { name })
    }
}

/// A group of users and of other groups.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct Group {
    /// Names the group.
    pub identifier: Id,
    /// What people call it.
    pub name: String,
    /// When it was created.
    pub date_created: Instant,
    /// What the caller may do with it.
    pub granted_actions: Vec<String>,
    #[serde(skip)]
    #[oai(skip)]
    revision: Uuid,
}

impl From<Viewed<core::Group>> for Group {
    fn from(
        Viewed {
            item,
            granted_actions,
        }: Viewed<core::Group>,
    ) -> Self {
        Self {
            identifier: item.id.into(),
            name: item.name.as_str().to_owned(),
            date_created: item.date_created.into(),
            granted_actions: names(&granted_actions),
            revision: item.revision.as_uuid(),
        }
    }
}

impl Item for Group {
    fn revision(&self) -> Option<Uuid> {
        Some(self.revision)
    }
}

impl Located for Group {
    const ROUTE: Operation = Operation::GetGroup;

    fn identifier(&self) -> &Id {
        &self.identifier
    }
}
