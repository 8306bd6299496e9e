//! Grants.

use formalize_core::{self as core, Error, Field, NamedGrantee, NamedResource, Subject, Viewed};
use poem_openapi::Object;
use serde::Serialize;
use uuid::Uuid;

use super::{Id, Instant, Item, Located, Members, Nullable, Read, members::text, names};
use crate::contract::Operation;

/// A grant to be made. The resource is named by `resourceClass` and `resourceIdentifier`, or by
/// `authorizationResourceIdentifier`; exactly one holder is given.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", rename = "NewResourceActionGrant")]
pub struct NewGrant {
    /// What may be done.
    #[oai(validator(min_length = 1, max_length = 255))]
    pub action: String,
    /// The class of the resource.
    pub resource_class: Option<Nullable<String>>,
    /// The item; absent or null is the collection of the class.
    pub resource_identifier: Option<Nullable<String>>,
    /// The resource by the identifier of its record.
    pub authorization_resource_identifier: Option<Nullable<Id>>,
    /// A user as holder.
    pub user_identifier: Option<Nullable<String>>,
    /// A group as holder: all its members.
    pub group_identifier: Option<Nullable<Id>>,
    /// A dynamic group as holder.
    pub dynamic_group_identifier: Option<Nullable<String>>,
}

impl Read for NewGrant {
    type Value = core::NewGrant;

    fn read(members: &mut Members) -> Option<Self::Value> {
        let action = members.nullable(Field::Action, text);
        let record = members.nullable(Field::AuthorizationResourceIdentifier, text);
        let resource = NamedResource {
            class: members.nullable(Field::ResourceClass, text),
            identifier: members.nullable(Field::ResourceIdentifier, text),
            record: members.id(record, Error::ResourceNotFound),
        };
        let holder = NamedGrantee {
            user: members.nullable(Field::UserIdentifier, text),
            group: members.nullable(Field::GroupIdentifier, text),
            dynamic_group: members.nullable(Field::DynamicGroupIdentifier, text),
        };
        members.accept(core::NewGrant::from_request(action, holder, resource))
    }
}

/// A new grant that must be for a class which the request names apart from the body.
///
/// # Errors
///
/// [`Error::GrantInvalidResource`] if the body names another class. A class that only the record of
/// the resource tells is compared by the core.
pub fn for_class(mut new: core::NewGrant, class: Option<&str>) -> Result<core::NewGrant, Error> {
    let Some(class) = class else { return Ok(new) };
    match &new.resource.class {
        Some(named) if named != class => {
            Err(Error::GrantInvalidResource(vec![Field::ResourceClass]))
        }
        Some(_) => Ok(new),
        None => {
            new.resource.class = Some(class.to_owned());
            Ok(new)
        }
    }
}

/// The right of a holder to do an action to a resource; exactly one of the three holders is not
/// null.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct ResourceActionGrant {
    /// Names the grant.
    pub identifier: Id,
    /// What may be done.
    pub action: String,
    /// The class of the resource.
    pub resource_class: String,
    /// The item; null is the collection of the class.
    pub resource_identifier: Nullable<String>,
    /// The resource by the identifier of its record.
    pub authorization_resource_identifier: Id,
    /// The user who holds the grant.
    pub user_identifier: Nullable<String>,
    /// The group that holds the grant.
    pub group_identifier: Nullable<Id>,
    /// The dynamic group that holds the grant.
    pub dynamic_group_identifier: Nullable<String>,
    /// When the grant was made.
    pub date_created: Instant,
    /// `delete` if the caller may delete the grant.
    pub granted_actions: Vec<String>,
    #[serde(skip)]
    #[oai(skip)]
    revision: Uuid,
}

impl From<Viewed<core::Grant>> for ResourceActionGrant {
    fn from(
        Viewed {
            item,
            granted_actions,
        }: Viewed<core::Grant>,
    ) -> Self {
        let revision = item.revision().as_uuid();
        let (user, group, dynamic_group) = match item.subject {
            Subject::User(user) => (Some(user.to_string()), None, None),
            Subject::Group(group) => (None, Some(group.into()), None),
            Subject::DynamicGroup(group) => (None, None, Some(group.to_string())),
        };
        let resource = item.resource.resource;
        Self {
            identifier: item.id.into(),
            action: item.action.to_string(),
            resource_class: resource.class.to_string(),
            resource_identifier: resource
                .identifier
                .map(|identifier| identifier.to_string())
                .into(),
            authorization_resource_identifier: item.resource.id.into(),
            user_identifier: user.into(),
            group_identifier: group.into(),
            dynamic_group_identifier: dynamic_group.into(),
            date_created: item.date_created.into(),
            granted_actions: names(&granted_actions),
            revision,
        }
    }
}

impl Item for ResourceActionGrant {
    fn revision(&self) -> Option<Uuid> {
        Some(self.revision)
    }
}

impl Located for ResourceActionGrant {
    const ROUTE: Operation = Operation::GetGrant;

    fn identifier(&self) -> &Id {
        &self.identifier
    }
}
