//! Members of groups.

use formalize_core::{Field, Member, Membership, NewMembership};
use poem_openapi::Object;
use serde::Serialize;
use uuid::Uuid;

use super::{Id, Instant, Item, Located, Members, Nullable, Read, members::text};
use crate::contract::Operation;

/// A member to be added to a group; exactly one of `userIdentifier` and `childGroupIdentifier` is
/// given.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct NewGroupMember {
    /// The group that gets the member.
    pub group_identifier: Id,
    /// A user as member.
    pub user_identifier: Option<Nullable<String>>,
    /// All members of another group as members.
    pub child_group_identifier: Option<Nullable<Id>>,
}

impl Read for NewGroupMember {
    type Value = NewMembership;

    fn read(members: &mut Members) -> Option<Self::Value> {
        let group = members.nullable(Field::GroupIdentifier, text);
        let user = members.nullable(Field::UserIdentifier, text);
        let child = members.nullable(Field::ChildGroupIdentifier, text);
        let new = NewMembership::from_request(group.as_deref(), user, child.as_deref());
        members.accept(new)
    }
}

/// A direct member of a group; exactly one of `userIdentifier` and `childGroupIdentifier` is not
/// null.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct GroupMember {
    /// Names the membership.
    pub identifier: Id,
    /// The group that has the member.
    pub group_identifier: Id,
    /// The user who is a member.
    pub user_identifier: Nullable<String>,
    /// The group whose members are members.
    pub child_group_identifier: Nullable<Id>,
    /// When the member was added.
    pub date_created: Instant,
    #[serde(skip)]
    #[oai(skip)]
    revision: Uuid,
}

impl From<Membership> for GroupMember {
    fn from(membership: Membership) -> Self {
        let revision = membership.revision().as_uuid();
        let (user, child) = match membership.member {
            Member::User(user) => (Some(user.to_string()), None),
            Member::ChildGroup(group) => (None, Some(group.into())),
        };
        Self {
            identifier: membership.id.into(),
            group_identifier: membership.group.into(),
            user_identifier: user.into(),
            child_group_identifier: child.into(),
            date_created: membership.date_created.into(),
            revision,
        }
    }
}

impl Item for GroupMember {
    fn revision(&self) -> Option<Uuid> {
        Some(self.revision)
    }
}

impl Located for GroupMember {
    const ROUTE: Operation = Operation::GetGroupMember;

    fn identifier(&self) -> &Id {
        &self.identifier
    }
}
