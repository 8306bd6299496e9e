//! Resources: the objects of grants.

use std::borrow::Cow;
use uuid::Uuid;

use crate::id::{FormId, GroupId, ResourceId, SubmissionId};
use crate::model::text::opaque_texts;
use crate::time::Timestamp;

opaque_texts! {
    /// A class of resources, such as forms or the documents of an application.
    ResourceClass;
    /// The identifier of an item within its class.
    ResourceIdentifier;
}

impl ResourceClass {
    /// Groups. The identifier of an item is that of the group.
    pub const GROUP: Self = Self(Cow::Borrowed("DbpRelayAuthorizationGroup"));
    /// Forms. The identifier of an item is that of the form.
    pub const FORM: Self = Self(Cow::Borrowed("DbpRelayFormalizeForm"));
    /// The submissions of a form as a whole. The identifier of an item is that of the form.
    pub const SUBMISSION_COLLECTION: Self =
        Self(Cow::Borrowed("DbpRelayFormalizeSubmissionCollection"));
    /// Submissions. The identifier of an item is that of the submission.
    pub const SUBMISSION: Self = Self(Cow::Borrowed("DbpRelayFormalizeSubmission"));

    /// The built-in classes. Only the services create items of them.
    pub const BUILT_IN: [Self; 4] = [
        Self::GROUP,
        Self::FORM,
        Self::SUBMISSION_COLLECTION,
        Self::SUBMISSION,
    ];

    /// Whether the class is built in.
    ///
    /// ```
    /// use formalize_core::ResourceClass;
    ///
    /// assert!(ResourceClass::FORM.is_built_in());
    /// assert!(!ResourceClass::new("Document")?.is_built_in());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn is_built_in(&self) -> bool {
        Self::BUILT_IN.contains(self)
    }
}

/// An item of a class, or the collection of a class.
///
/// ```
/// use formalize_core::{FormId, ResourceClass, ResourceIdentifier, ResourceRef};
///
/// let handbook = ResourceRef::item(ResourceClass::new("Document")?, ResourceIdentifier::new("handbook")?);
/// let all_forms = ResourceRef::collection(ResourceClass::FORM);
/// let id: FormId = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse()?;
/// assert_eq!(ResourceRef::form(id).class, ResourceClass::FORM);
/// assert_eq!(all_forms.identifier, None);
/// # Ok::<(), formalize_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourceRef {
    /// The class.
    pub class: ResourceClass,
    /// The identifier of the item; `None` is the collection.
    pub identifier: Option<ResourceIdentifier>,
}

impl ResourceRef {
    /// The collection of a class.
    pub const fn collection(class: ResourceClass) -> Self {
        Self {
            class,
            identifier: None,
        }
    }

    /// An item of a class.
    pub const fn item(class: ResourceClass, identifier: ResourceIdentifier) -> Self {
        Self {
            class,
            identifier: Some(identifier),
        }
    }

    /// A group as a resource.
    pub fn group(id: GroupId) -> Self {
        Self::named_by(ResourceClass::GROUP, id.as_uuid())
    }

    /// A form as a resource.
    pub fn form(id: FormId) -> Self {
        Self::named_by(ResourceClass::FORM, id.as_uuid())
    }

    /// The submissions of a form as one resource.
    pub fn submission_collection(id: FormId) -> Self {
        Self::named_by(ResourceClass::SUBMISSION_COLLECTION, id.as_uuid())
    }

    /// A submission as a resource.
    pub fn submission(id: SubmissionId) -> Self {
        Self::named_by(ResourceClass::SUBMISSION, id.as_uuid())
    }

    fn named_by(class: ResourceClass, id: Uuid) -> Self {
        Self::item(class, ResourceIdentifier::from_uuid(id))
    }
}

impl ResourceIdentifier {
    /// The identifier of an item with a UUID: hyphenated, in lower case.
    pub fn from_uuid(id: Uuid) -> Self {
        Self(id.as_hyphenated().to_string().into())
    }
}

/// The record that a resource is about, under which its grants are stored: the form for a form *and* for the
/// collection of its submissions, the group, the submission, and the resource's own record for everything else.
///
/// A single look-up by anchor finds all grants that apply to an item. Lists of items are ordered by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Anchor(pub Uuid);

macro_rules! anchors {
    ($($id:ident)+) => {$(
        impl From<$id> for Anchor {
            fn from(id: $id) -> Self {
                Self(id.as_uuid())
            }
        }
    )+};
}

anchors! { GroupId FormId SubmissionId ResourceId }

/// What a resource stands for: the object of a decision.
///
/// ```
/// use formalize_core::{FormId, SubmissionId, authorization::{Anchor, Object}};
///
/// let form: FormId = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse()?;
/// let id: SubmissionId = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6c".parse()?;
/// assert_eq!(Object::Submissions(form).anchor(), Object::Form(form).anchor());
/// assert_eq!(Object::Submission { id, form }.anchor(), Anchor::from(id));
/// # Ok::<(), formalize_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Object {
    /// A group.
    Group(GroupId),
    /// A form.
    Form(FormId),
    /// The submissions of a form as a whole.
    Submissions(FormId),
    /// A submission.
    Submission {
        /// The submission.
        id: SubmissionId,
        /// Its form.
        form: FormId,
    },
    /// An item of an application's own class, or the collection of any class: nothing but the resource itself.
    Other(ResourceId),
}

impl Object {
    /// The anchor under which grants on the object are stored.
    pub fn anchor(self) -> Anchor {
        match self {
            Self::Group(id) => id.into(),
            Self::Form(form) | Self::Submissions(form) => form.into(),
            Self::Submission { id, .. } => id.into(),
            Self::Other(id) => id.into(),
        }
    }

    /// The form that the object is, or belongs to.
    pub(crate) fn of_form(self) -> Option<FormId> {
        match self {
            Self::Form(form) | Self::Submissions(form) | Self::Submission { form, .. } => {
                Some(form)
            }
            Self::Group(_) | Self::Other(_) => None,
        }
    }

    /// The form that a submission belongs to; `None` for everything but submissions.
    pub fn form(self) -> Option<FormId> {
        match self {
            Self::Submission { form, .. } => Some(form),
            _ => None,
        }
    }

    /// The object of a resource that a store keeps with its anchor and, for a submission, its form. `None` if these
    /// contradict the class, so that the record is damaged.
    ///
    /// ```
    /// use formalize_core::{FormId, ResourceId, ResourceRef, authorization::{Anchor, Object}};
    ///
    /// let record: ResourceId = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse()?;
    /// let form: FormId = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6c".parse()?;
    /// let stored = Object::stored(record, &ResourceRef::form(form), Anchor::from(form), None);
    /// assert_eq!(stored, Some(Object::Form(form)));
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn stored(
        id: ResourceId,
        resource: &ResourceRef,
        anchor: Anchor,
        form: Option<FormId>,
    ) -> Option<Self> {
        let Anchor(uuid) = anchor;
        let is_item = resource.identifier.is_some();
        let object = match form {
            Some(form) => Self::Submission {
                id: SubmissionId::from_uuid(uuid),
                form,
            },
            None if is_item && resource.class == ResourceClass::GROUP => {
                Self::Group(GroupId::from_uuid(uuid))
            }
            None if is_item && resource.class == ResourceClass::FORM => {
                Self::Form(FormId::from_uuid(uuid))
            }
            None if is_item && resource.class == ResourceClass::SUBMISSION_COLLECTION => {
                Self::Submissions(FormId::from_uuid(uuid))
            }
            None => Self::Other(id),
        };
        let is_submission = is_item && resource.class == ResourceClass::SUBMISSION;
        let is_consistent = is_submission == form.is_some() && object.anchor() == anchor;
        is_consistent.then_some(object)
    }
}

/// The record of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// The identifier of the record.
    pub id: ResourceId,
    /// The item or collection.
    pub resource: ResourceRef,
    /// What the resource stands for.
    pub object: Object,
    /// The time of creation.
    pub date_created: Timestamp,
}

impl Resource {
    /// The anchor under which grants on the resource are stored.
    pub fn anchor(&self) -> Anchor {
        self.object.anchor()
    }
}

/// Selects resources for a list.
///
/// ```
/// use formalize_core::{ResourceClass, ResourceFilter, authorization::IdentifierFilter};
///
/// let all_of_class = ResourceFilter { class: Some(ResourceClass::FORM), ..ResourceFilter::default() };
/// let forms = ResourceFilter { identifier: IdentifierFilter::Items, ..all_of_class };
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResourceFilter {
    /// Only resources of this class.
    pub class: Option<ResourceClass>,
    /// Which resources of a class.
    pub identifier: IdentifierFilter,
}

/// Selects resources by their identifiers, which items have and the collections of classes do not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum IdentifierFilter {
    /// Items and collections.
    #[default]
    Any,
    /// Only items.
    Items,
    /// Only collections.
    Collections,
    /// Only items with this identifier.
    Is(ResourceIdentifier),
}

impl From<Option<ResourceIdentifier>> for IdentifierFilter {
    /// Selects by an identifier if there is one.
    fn from(identifier: Option<ResourceIdentifier>) -> Self {
        identifier.map_or(Self::Any, Self::Is)
    }
}

impl IdentifierFilter {
    /// Whether a resource with this identifier, or without one, is selected.
    fn admits(&self, identifier: Option<&ResourceIdentifier>) -> bool {
        match self {
            Self::Any => true,
            Self::Items => identifier.is_some(),
            Self::Collections => identifier.is_none(),
            Self::Is(wanted) => identifier == Some(wanted),
        }
    }
}

impl ResourceFilter {
    /// Selects one resource, or all resources of its class if it is a collection.
    pub fn of(resource: ResourceRef) -> Self {
        Self {
            class: Some(resource.class),
            identifier: resource.identifier.into(),
        }
    }

    /// Whether a resource is selected.
    ///
    /// ```
    /// use formalize_core::{ResourceClass, ResourceFilter, ResourceRef};
    ///
    /// let groups = ResourceRef::collection(ResourceClass::GROUP);
    /// assert!(ResourceFilter::of(groups.clone()).admits(&groups));
    /// assert!(!ResourceFilter::of(groups).admits(&ResourceRef::collection(ResourceClass::FORM)));
    /// ```
    pub fn admits(&self, resource: &ResourceRef) -> bool {
        let ResourceRef { class, identifier } = resource;
        self.class.as_ref().is_none_or(|asked| asked == class)
            && self.identifier.admits(identifier.as_ref())
    }

    /// The filter as texts, to which a cursor is bound.
    pub(crate) fn texts(&self) -> [Option<&str>; 3] {
        let (kind, identifier) = match &self.identifier {
            IdentifierFilter::Any => (None, None),
            IdentifierFilter::Items => (Some("items"), None),
            IdentifierFilter::Collections => (Some("collections"), None),
            IdentifierFilter::Is(identifier) => (None, Some(identifier.as_str())),
        };
        let class = self.class.as_ref().map(ResourceClass::as_str);
        [class, identifier, kind]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_resource_has_the_object_of_its_class_or_none() {
        let [own, other, form] = [1, 2, 3].map(Uuid::from_u128);
        let (id, form) = (ResourceId::from_uuid(own), FormId::from_uuid(form));
        let item = |class| ResourceRef::item(class, ResourceIdentifier::from_uuid(other));
        let document = ResourceClass::new("Document").unwrap();
        let submission = SubmissionId::from_uuid(other);
        let cases = [
            (
                item(ResourceClass::GROUP),
                None,
                Object::Group(GroupId::from_uuid(other)),
            ),
            (
                item(ResourceClass::FORM),
                None,
                Object::Form(FormId::from_uuid(other)),
            ),
            (
                item(ResourceClass::SUBMISSION_COLLECTION),
                None,
                Object::Submissions(FormId::from_uuid(other)),
            ),
            (
                item(ResourceClass::SUBMISSION),
                Some(form),
                Object::Submission {
                    id: submission,
                    form,
                },
            ),
            (item(document), None, Object::Other(id)),
            (
                ResourceRef::collection(ResourceClass::FORM),
                None,
                Object::Other(id),
            ),
            (
                ResourceRef::collection(ResourceClass::SUBMISSION),
                None,
                Object::Other(id),
            ),
        ];
        for (resource, of_form, object) in cases {
            let stored = |anchor, form| Object::stored(id, &resource, Anchor(anchor), form);
            let (right, wrong) = match object {
                Object::Other(_) => (own, other),
                _ => (other, own),
            };
            assert_eq!(stored(right, of_form), Some(object), "{resource:?}");
            let swapped = of_form.is_none().then_some(form);
            assert_eq!(stored(right, swapped), None, "{resource:?} and the form");
            if let Object::Other(_) = object {
                assert_eq!(stored(wrong, of_form), None, "{resource:?} and the anchor");
            }
        }
    }
}
