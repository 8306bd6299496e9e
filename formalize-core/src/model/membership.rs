//! Who belongs to a group.

use crate::error::{Error, Field};
use crate::id::{GroupId, MembershipId, Revision};
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

impl From<UserId> for Member {
    fn from(user: UserId) -> Self {
        Self::User(user)
    }
}

impl From<GroupId> for Member {
    fn from(group: GroupId) -> Self {
        Self::ChildGroup(group)
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

impl Membership {
    /// A membership never changes, so that its identifier names its only state.
    pub const fn revision(&self) -> Revision {
        Revision::from_uuid(self.id.as_uuid())
    }
}

/// A member to be added to a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMembership {
    /// The group that gets the member.
    pub group: GroupId,
    /// The member.
    pub member: Member,
}

impl NewMembership {
    /// The membership of a user or a child group in a group.
    pub fn new(group: GroupId, member: impl Into<Member>) -> Self {
        Self {
            group,
            member: member.into(),
        }
    }

    /// The membership that a request asks for, whose parts may be missing or wrong.
    ///
    /// # Errors
    ///
    /// [`Error::MembershipInvalid`] with every field at fault: a group that is missing, a user identifier that cannot
    /// be one, both members or none.
    pub fn from_request(
        group: Option<GroupId>,
        user: Option<String>,
        child_group: Option<GroupId>,
    ) -> Result<Self, Error> {
        let mut at_fault = Vec::new();
        if group.is_none() {
            at_fault.push(Field::GroupIdentifier);
        }
        let member = match (user.map(UserId::new), child_group) {
            (Some(Ok(user)), None) => Some(Member::User(user)),
            (None, Some(group)) => Some(Member::ChildGroup(group)),
            (Some(Err(_)), None) => {
                at_fault.push(Field::UserIdentifier);
                None
            }
            (None, None) | (Some(_), Some(_)) => {
                at_fault.extend([Field::UserIdentifier, Field::ChildGroupIdentifier]);
                None
            }
        };
        match (group, member) {
            (Some(group), Some(member)) => Ok(Self { group, member }),
            _ => Err(Error::MembershipInvalid(at_fault)),
        }
    }
}
