//! Members of groups.

use formalize_core::{Member, Membership, NewMembership};

use crate::{
    Id, Instant, OrNull,
    request::{LIGHT, Nullable, RequiredByCore, request_body},
    value_types as values,
    view::view,
};

request_body! {
    "A member to add to a group: either `userIdentifier` or `childGroupIdentifier`."
    NewGroupMember as "NewGroupMember" {
        group: RequiredByCore<values::Identifier> = GroupIdentifier,
            "Identifier of the group that gets the member.";
        user: Nullable<values::Text> = UserIdentifier,
            "Identifier of a user.";
        child: Nullable<values::Identifier> = ChildGroupIdentifier,
            "Identifier of a group, all of whose members become members.";
    }
    light up to LIGHT;
    build(self, members) -> NewMembership {
        let (group, child) = (self.group.as_deref(), self.child.as_deref());
        members.accept(NewMembership::from_request(group, self.user, child))
    }
}

view! {
    /// A direct member of a group. Exactly one of `userIdentifier` and `childGroupIdentifier` is not null.
    revised struct GroupMember {
        /// Identifier of the membership.
        identifier: Id,
        /// Identifier of the group.
        group_identifier: Id,
        /// Identifier of the user who is a member.
        user_identifier: OrNull<String>,
        /// Identifier of the group whose members are members.
        child_group_identifier: OrNull<Id>,
        /// When the member was added.
        date_created: Instant,
    }
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
