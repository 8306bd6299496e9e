//! Groups.

use formalize_core::{
    Field,
    model::group::{self, GroupName},
};
use poem_openapi::Object;

use super::{Members, Read, members::text};

/// A group to be created.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct NewGroup {
    /// What people will call it: 1 to 128 characters, not blank, no control characters.
    #[oai(validator(min_length = 1, max_length = 128))]
    pub name: String,
}

impl Read for NewGroup {
    type Value = group::NewGroup;

    fn read(members: &mut Members) -> Option<Self::Value> {
        let name = members.required(Field::Name, text);
        let name = members.accept_some(name.map(GroupName::new))?;
        Some(group::NewGroup { name })
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
    type Value = group::GroupChange;

    fn read(members: &mut Members) -> Option<Self::Value> {
        let name = members.replacement(Field::Name, text);
        let name = members.accept(name.map(GroupName::new).transpose())?;
        Some(group::GroupChange { name })
    }
}
