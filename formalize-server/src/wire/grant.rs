//! Grants.

use formalize_core::{
    Field, GroupId, ResourceId,
    model::grant::{self, NamedHolder, NamedResource},
};
use poem_openapi::Object;

use super::{Members, Read, members::text};

/// A grant to be made. The resource is named by `resourceClass` and `resourceIdentifier`, or by
/// `authorizationResourceIdentifier`; exactly one holder is given.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct NewGrant {
    /// What may be done.
    #[oai(validator(min_length = 1, max_length = 255))]
    pub action: String,
    /// The class of the resource.
    pub resource_class: Option<String>,
    /// The item; absent or null is the collection of the class.
    pub resource_identifier: Option<String>,
    /// The resource by the identifier of its record.
    pub authorization_resource_identifier: Option<String>,
    /// A user as holder.
    pub user_identifier: Option<String>,
    /// A group as holder: all its members.
    pub group_identifier: Option<String>,
    /// A dynamic group as holder.
    pub dynamic_group_identifier: Option<String>,
}

impl Read for NewGrant {
    type Value = grant::NewGrant;

    fn read(members: &mut Members) -> Option<Self::Value> {
        let action = members.nullable(Field::Action, text);
        let resource = NamedResource {
            class: members.nullable(Field::ResourceClass, text),
            identifier: members.nullable(Field::ResourceIdentifier, text),
            record: members
                .nullable(Field::AuthorizationResourceIdentifier, text)
                .map(|text| ResourceId::named(&text)),
        };
        let holder = NamedHolder {
            user: members.nullable(Field::UserIdentifier, text),
            group: members
                .nullable(Field::GroupIdentifier, text)
                .map(|text| GroupId::named(&text)),
            dynamic_group: members.nullable(Field::DynamicGroupIdentifier, text),
        };
        members.accept(grant::NewGrant::from_request(action, holder, resource))
    }
}
