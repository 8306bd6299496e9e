//! Members of groups.

use formalize_core::{
    Error, Field, GroupId, UserId,
    model::membership::{Member, NewMembership},
};
use poem_openapi::Object;

use super::{Members, Read, members::text};

/// A member to be added to a group; exactly one of `userIdentifier` and `childGroupIdentifier` is
/// given.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct NewGroupMember {
    /// The group that gets the member.
    pub group_identifier: String,
    /// A user as member.
    #[oai(validator(min_length = 1, max_length = 255))]
    pub user_identifier: Option<String>,
    /// All members of another group as members.
    pub child_group_identifier: Option<String>,
}

impl Read for NewGroupMember {
    type Value = NewMembership;

    fn read(members: &mut Members) -> Option<Self::Value> {
        let group = members.required(Field::GroupIdentifier, text);
        let user = members.nullable(Field::UserIdentifier, text);
        let child = members.nullable(Field::ChildGroupIdentifier, text);
        let child = child.map(|text| GroupId::named(&text));
        let user = user.map(UserId::new).transpose();
        let user = user.map_err(|_| Error::MembershipInvalid(vec![Field::UserIdentifier]));
        let member = members.accept(user.and_then(|user| Member::from_fields(user, child)));
        Some(NewMembership {
            group: GroupId::named(&group?),
            member: member?,
        })
    }
}
