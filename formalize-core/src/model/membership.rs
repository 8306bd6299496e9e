//! Who belongs to a group.

use crate::error::{Error, Field};
use crate::id::{GroupId, MembershipId};
use crate::model::subject::UserId;
use crate::time::Timestamp;

/// A user or group that belongs to a group.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Member {
    /// A single user.
    User(UserId),
    /// All members of another group, at whatever depth.
    ChildGroup(GroupId),
}

impl Member {
    /// The member that a request names by two optional fields, of which exactly one must be there.
    ///
    /// # Errors
    ///
    /// [`Error::MembershipInvalid`] with both fields when none or both are given.
    pub fn from_fields(user: Option<UserId>, child_group: Option<GroupId>) -> Result<Self, Error> {
        match (user, child_group) {
            (Some(user), None) => Ok(Self::User(user)),
            (None, Some(group)) => Ok(Self::ChildGroup(group)),
            _ => Err(Error::MembershipInvalid(vec![
                Field::UserIdentifier,
                Field::ChildGroupIdentifier,
            ])),
        }
    }
}

/// The direct membership of a member in a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// Names the membership.
    pub id: MembershipId,
    /// The group that has the member.
    pub group: GroupId,
    /// The member.
    pub member: Member,
    /// When the member was added.
    pub date_created: Timestamp,
}

/// A member to be added to a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMembership {
    /// The group that gets the member.
    pub group: GroupId,
    /// The member.
    pub member: Member,
}
