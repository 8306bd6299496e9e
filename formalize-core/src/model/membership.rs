//! Memberships in groups.

use crate::fields::{Field, InvalidFields};
use crate::id::{GroupId, MembershipId, Revision};
use crate::model::subject::UserId;
use crate::time::Timestamp;

/// Maximum number of groups that a user can be in when the user is added to a group, directly and through other groups.
/// Every request of the user searches these groups, so others must not be able to make it slow.
pub const MAX_GROUPS_OF_USER: usize = 1000;

/// A direct member of a group.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Member {
    /// A single user.
    User(UserId),
    /// All members of another group, at any depth.
    ChildGroup(GroupId),
}

from_variants! { Member { User(UserId) ChildGroup(GroupId) } }

/// A direct membership in a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The identifier.
    pub id: MembershipId,
    /// The group.
    pub group: GroupId,
    /// The member.
    pub member: Member,
    /// The time at which the member was added.
    pub date_created: Timestamp,
}

impl Membership {
    /// The only revision: a membership never changes.
    pub const fn revision(&self) -> Revision {
        Revision::from_uuid(self.id.as_uuid())
    }
}

/// A membership to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMembership {
    /// The group.
    pub group: GroupId,
    /// The member.
    pub member: Member,
}

impl NewMembership {
    /// Creates a membership of a user or a child group in a group.
    ///
    /// ```
    /// use formalize_core::{GroupId, Member, NewMembership, UserId};
    ///
    /// let group: GroupId = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse()?;
    /// let new = NewMembership::new(group, UserId::new("alice")?);
    /// assert_eq!(new.member, Member::User(UserId::new("alice")?));
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn new(group: GroupId, member: impl Into<Member>) -> Self {
        Self {
            group,
            member: member.into(),
        }
    }

    /// Reads a membership from the texts of a request, which may be missing or malformed. Text that is not an identifier
    /// names no group, so the membership cannot be created.
    ///
    /// # Errors
    ///
    /// [`InvalidFields::Membership`] with every field at fault: a missing group, a malformed user identifier, two members or
    /// none.
    ///
    /// ```
    /// use formalize_core::{Field, InvalidFields, NewMembership};
    ///
    /// let group = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b";
    /// let new = NewMembership::from_request(Some(group), Some("alice".to_owned()), None)?;
    /// assert_eq!(new.group.to_string(), group);
    ///
    /// let refused = NewMembership::from_request(None, Some("alice".to_owned()), None);
    /// let Err(InvalidFields::Membership(fields)) = refused else { panic!("{refused:?}") };
    /// assert_eq!(fields, [Field::GroupIdentifier]);
    /// # Ok::<(), InvalidFields>(())
    /// ```
    pub fn from_request(
        group: Option<&str>,
        user: Option<String>,
        child_group: Option<&str>,
    ) -> Result<Self, InvalidFields> {
        let mut at_fault = Vec::new();
        if group.is_none() {
            at_fault.push(Field::GroupIdentifier);
        }
        let member = match (user.map(UserId::new), child_group) {
            (Some(Ok(user)), None) => Some(Member::User(user)),
            (None, Some(group)) => Some(Member::ChildGroup(GroupId::named(group))),
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
            (Some(group), Some(member)) => Ok(Self {
                group: GroupId::named(group),
                member,
            }),
            _ => Err(InvalidFields::Membership(at_fault)),
        }
    }
}
