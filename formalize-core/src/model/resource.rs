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
        Self {
            class,
            identifier: Some(ResourceIdentifier::from_uuid(id)),
        }
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

impl From<GroupId> for Anchor {
    fn from(id: GroupId) -> Self {
        Self(id.as_uuid())
    }
}

impl From<FormId> for Anchor {
    fn from(id: FormId) -> Self {
        Self(id.as_uuid())
    }
}

impl From<SubmissionId> for Anchor {
    fn from(id: SubmissionId) -> Self {
        Self(id.as_uuid())
    }
}

impl From<ResourceId> for Anchor {
    fn from(id: ResourceId) -> Self {
        Self(id.as_uuid())
    }
}

/// The record of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// The identifier of the record.
    pub id: ResourceId,
    /// The item or collection.
    pub resource: ResourceRef,
    /// The anchor under which its grants are stored.
    pub anchor: Anchor,
    /// The form that a submission belongs to; `None` for everything but submissions.
    pub form: Option<FormId>,
    /// The time of creation.
    pub date_created: Timestamp,
}

/// Selects resources for a list.
///
/// ```
/// use formalize_core::{ResourceClass, ResourceFilter};
///
/// let forms = ResourceFilter { class: Some(ResourceClass::FORM.to_string()), ..ResourceFilter::default() };
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResourceFilter {
    /// Only resources of this class.
    pub class: Option<String>,
    /// Only resources with this identifier.
    pub identifier: Option<String>,
}
