//! Grants: a subject may perform an action on a resource.

use crate::fields::{Field, joined, sentence};
use crate::id::{GrantId, GroupId, ResourceId, Revision};
use crate::model::action::Action;
use crate::model::resource::{Resource, ResourceRef};
use crate::model::subject::{DynamicGroupId, Subject, UserId};
use crate::must_be;
use crate::time::Timestamp;

/// A grant with the resource that it is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// The identifier.
    pub id: GrantId,
    /// The holder.
    pub subject: Subject,
    /// The action.
    pub action: Action,
    /// The resource.
    pub resource: Resource,
    /// The time of creation.
    pub date_created: Timestamp,
}

impl Grant {
    /// The only revision: a grant never changes.
    pub const fn revision(&self) -> Revision {
        Revision::from_uuid(self.id.as_uuid())
    }

    /// Whether it lets its holder manage a record that was created at the same instant, as the grant does that the creator of a
    /// record has. Of several such grants on a record, the creator's is the first in lists.
    pub fn is_of_creation(&self, date_created: Timestamp) -> bool {
        self.action == Action::MANAGE && self.date_created == date_created
    }
}

/// The resource of a new grant as a request names it: by class and identifier, by record, or by both.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NamedResource {
    /// The class.
    pub class: Option<String>,
    /// The identifier of the item; `None` is the collection of the class.
    pub identifier: Option<String>,
    /// The record of the resource.
    pub record: Option<ResourceId>,
}

impl From<ResourceRef> for NamedResource {
    fn from(resource: ResourceRef) -> Self {
        Self {
            class: Some(resource.class.to_string()),
            identifier: resource.identifier.map(|identifier| identifier.to_string()),
            record: None,
        }
    }
}

impl From<ResourceId> for NamedResource {
    fn from(record: ResourceId) -> Self {
        Self {
            record: Some(record),
            ..Self::default()
        }
    }
}

/// What is wrong with a grant that a request describes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidGrant {
    /// The action is missing.
    #[error("the action of the grant is missing")]
    ActionMissing,
    /// The action is not defined for the class, or not for this kind of resource (item or collection).
    #[error(
        "action must be an action that is defined for the class of the resource, and for an item or the collection"
    )]
    ActionUndefined,
    /// There is not exactly one holder, or the holder is a public link. The fields are those at fault.
    #[error("invalid holder of a grant: {}", joined(&of_holder(.0)))]
    Holder(Vec<Field>),
    /// The fields that identify the resource are missing or contradict each other.
    #[error(
        "the resource of the grant is missing or contradictory: {}",
        joined(&of_resource())
    )]
    Resource(Vec<Field>),
    /// The dynamic group is not defined.
    #[error(
        "the dynamic group is not defined; only those of the configuration and `everybody` are"
    )]
    DynamicGroupUndefined,
}

impl InvalidGrant {
    /// Sentences about the fields at fault, under their names in the REST interface; none if the error names no field.
    pub fn reasons(&self) -> Vec<String> {
        match self {
            Self::Holder(fields) => of_holder(fields),
            Self::Resource(_) => of_resource(),
            Self::ActionMissing | Self::ActionUndefined | Self::DynamicGroupUndefined => Vec::new(),
        }
    }
}

fn of_holder(fields: &[Field]) -> Vec<String> {
    vec![match fields {
        [Field::UserIdentifier] => sentence(Field::UserIdentifier, must_be::USER),
        _ => {
            "exactly one of userIdentifier, groupIdentifier and dynamicGroupIdentifier must be given"
                .to_owned()
        }
    }]
}

fn of_resource() -> Vec<String> {
    let sentence = "give either resourceClass with an optional resourceIdentifier, or authorizationResourceIdentifier, \
         without contradictions";
    vec![sentence.to_owned()]
}

/// The holder of a new grant as a request names it. Exactly one field must be present.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NamedGrantee {
    /// The identifier of a user.
    pub user: Option<String>,
    /// The identifier of a group.
    pub group: Option<String>,
    /// The identifier of a dynamic group.
    pub dynamic_group: Option<String>,
}

impl NamedGrantee {
    fn into_subject(self) -> Result<Subject, InvalidGrant> {
        let given = [
            (Field::UserIdentifier, self.user.is_some()),
            (Field::GroupIdentifier, self.group.is_some()),
            (Field::DynamicGroupIdentifier, self.dynamic_group.is_some()),
        ];
        match (self.user, self.group, self.dynamic_group) {
            (Some(user), None, None) => UserId::new(user)
                .map(Subject::User)
                .map_err(|_| InvalidGrant::Holder(vec![Field::UserIdentifier])),
            (None, Some(group), None) => Ok(Subject::Group(GroupId::named(&group))),
            (None, None, Some(group)) => DynamicGroupId::new(group)
                .map(Subject::DynamicGroup)
                .map_err(|_| InvalidGrant::DynamicGroupUndefined),
            _ => {
                let several = given.iter().any(|(_, given)| *given);
                let at_fault = given
                    .into_iter()
                    .filter(|(_, given)| *given == several)
                    .map(|(field, _)| field);
                Err(InvalidGrant::Holder(at_fault.collect()))
            }
        }
    }
}

/// A grant to create.
///
/// ```
/// use formalize_core::{Action, FormId, NewGrant, ResourceRef, UserId};
///
/// # fn example(form: FormId) -> Result<(), formalize_core::InvalidText> {
/// let grant = NewGrant::new(UserId::new("bob")?, Action::CREATE_SUBMISSIONS, ResourceRef::form(form));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGrant {
    /// The holder.
    pub subject: Subject,
    /// The action.
    pub action: Action,
    /// The resource.
    pub resource: NamedResource,
}

impl NewGrant {
    /// Creates a grant of an action on a resource to a user, a group or a dynamic group.
    pub fn new(
        subject: impl Into<Subject>,
        action: Action,
        resource: impl Into<NamedResource>,
    ) -> Self {
        Self {
            subject: subject.into(),
            action,
            resource: resource.into(),
        }
    }

    /// Reads a grant from the texts of a request, which may be missing or malformed. Text that is not an identifier names
    /// no group, so the grant cannot be created.
    ///
    /// # Errors
    ///
    /// - [`InvalidGrant::ActionMissing`] for a missing or empty action;
    /// - [`InvalidGrant::ActionUndefined`] for a malformed action;
    /// - [`InvalidGrant::Holder`] with the fields at fault if not exactly one holder is given;
    /// - [`InvalidGrant::DynamicGroupUndefined`] for a malformed identifier of a dynamic group;
    /// - [`InvalidGrant::Resource`] if neither a class nor a record is given.
    ///
    /// ```
    /// use formalize_core::{NewGrant, authorization::{InvalidGrant, NamedGrantee, NamedResource}};
    ///
    /// let bob = || NamedGrantee { user: Some("bob".to_owned()), ..NamedGrantee::default() };
    /// let document = || NamedResource { class: Some("Document".to_owned()), ..NamedResource::default() };
    /// let grant = NewGrant::from_request(Some("create".to_owned()), bob(), document())?;
    /// assert_eq!(grant.action.as_str(), "create");
    ///
    /// let refused = NewGrant::from_request(None, bob(), document());
    /// assert!(matches!(refused, Err(InvalidGrant::ActionMissing)));
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn from_request(
        action: Option<String>,
        holder: NamedGrantee,
        resource: NamedResource,
    ) -> Result<Self, InvalidGrant> {
        let action = action
            .filter(|action| !action.is_empty())
            .ok_or(InvalidGrant::ActionMissing)?;
        let action = Action::new(action).map_err(|_| InvalidGrant::ActionUndefined)?;
        let subject = holder.into_subject()?;
        if resource.class.is_none() && resource.record.is_none() {
            return Err(InvalidGrant::Resource(vec![
                Field::ResourceClass,
                Field::AuthorizationResourceIdentifier,
            ]));
        }
        Ok(Self {
            subject,
            action,
            resource,
        })
    }
}

/// A grant as it is written to a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantRecord {
    /// The identifier.
    pub id: GrantId,
    /// The holder.
    pub subject: Subject,
    /// The action.
    pub action: Action,
    /// The resource.
    pub resource: ResourceId,
    /// The time of creation.
    pub date_created: Timestamp,
}
