//! Grants.

use formalize_core::{
    self as core, Error, Field, ResourceId, Subject, Viewed,
    authorization::{InvalidGrant, NamedGrantee, NamedResource},
};

use crate::{
    Id, Instant, OrNull, names,
    request::{LIGHT, Nullable, RequiredByCore, request_body},
    value_types as values,
    view::view,
};

request_body! {
    "A grant to create. `resourceClass` and `resourceIdentifier`, or `authorizationResourceIdentifier`, identify the resource. \
     Exactly one of `userIdentifier`, `groupIdentifier` and `dynamicGroupIdentifier` says who holds the grant."
    NewGrant as "NewResourceActionGrant" {
        action: RequiredByCore<values::ActionName> = Action,
            "The action that the holder may perform.";
        class: Nullable<values::Text> = ResourceClass,
            "Class of the resource.";
        item: Nullable<values::Text> = ResourceIdentifier,
            "Identifier of the item; absent or null: the collection of the class.";
        record: Nullable<values::Identifier> = AuthorizationResourceIdentifier,
            "Identifier of the resource's record, as in `GET /authorization/resources`.";
        user: Nullable<values::Text> = UserIdentifier,
            "Identifier of the user who holds the grant.";
        group: Nullable<values::Identifier> = GroupIdentifier,
            "Identifier of the group whose members hold the grant.";
        dynamic_group: Nullable<values::Text> = DynamicGroupIdentifier,
            "Identifier of the dynamic group whose members hold the grant.";
    }
    light up to LIGHT;
    build(self, members) -> core::NewGrant {
        let resource = NamedResource {
            class: self.class,
            identifier: self.item,
            record: self.record.as_deref().map(ResourceId::named),
        };
        let holder = NamedGrantee {
            user: self.user,
            group: self.group,
            dynamic_group: self.dynamic_group,
        };
        members.accept(core::NewGrant::from_request(self.action, holder, resource))
    }
}

/// A new grant that must be for the class in the query of the request, if there is one.
///
/// # Errors
///
/// [`InvalidGrant::Resource`] if the body has another class. The core compares a class that only the record of
/// the resource has.
pub fn for_class(mut new: core::NewGrant, class: Option<&str>) -> Result<core::NewGrant, Error> {
    let Some(class) = class else { return Ok(new) };
    match &new.resource.class {
        Some(named) if named != class => Err(Error::InvalidGrant(InvalidGrant::Resource(vec![
            Field::ResourceClass,
        ]))),
        Some(_) => Ok(new),
        None => {
            new.resource.class = Some(class.to_owned());
            Ok(new)
        }
    }
}

view! {
    /// The permission of a holder to perform an action on a resource. Exactly one of `userIdentifier`, `groupIdentifier`
    /// and `dynamicGroupIdentifier` is not null.
    revised struct ResourceActionGrant {
        /// Identifier of the grant.
        identifier: Id,
        /// The action that the holder may perform.
        action: String,
        /// Class of the resource.
        resource_class: String,
        /// Identifier of the item; null: the collection of the class.
        resource_identifier: OrNull<String>,
        /// Identifier of the resource's record.
        authorization_resource_identifier: Id,
        /// Identifier of the user who holds the grant.
        user_identifier: OrNull<String>,
        /// Identifier of the group whose members hold the grant.
        group_identifier: OrNull<Id>,
        /// Identifier of the dynamic group whose members hold the grant.
        dynamic_group_identifier: OrNull<String>,
        /// When the grant was created.
        date_created: Instant,
        /// `delete` if the caller may delete the grant.
        granted_actions: Vec<String>,
    }
}

impl From<Viewed<core::Grant>> for ResourceActionGrant {
    fn from(view: Viewed<core::Grant>) -> Self {
        let item = view.item;
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
            granted_actions: names(&view.granted_actions),
            revision,
        }
    }
}
