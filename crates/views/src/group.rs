//! Groups.

use formalize_core::{self as core, GroupName, Viewed};

use crate::{
    Id, Instant, names,
    request::{LIGHT, Replaceable, Required, request_body},
    value_types as values,
    view::view,
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

view! {
    /// A group of users and of other groups.
    revised struct Group {
        /// Identifier of the group.
        identifier: Id,
        /// Display name.
        name: String,
        /// When it was created.
        date_created: Instant,
        /// The caller's actions on the group.
        granted_actions: Vec<String>,
    }
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
