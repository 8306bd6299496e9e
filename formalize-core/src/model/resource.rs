//! What grants are made on.

use std::borrow::Cow;
use uuid::Uuid;

use crate::id::{FormId, GroupId, ResourceId, SubmissionId};
use crate::model::text::opaque_texts;
use crate::time::Timestamp;

opaque_texts! {
    /// A kind of resource, such as forms or an application's own things.
    ResourceClass;
    /// Names an item within its class.
    ResourceIdentifier;
}

impl ResourceClass {
    /// Groups; items are named by the group's identifier.
    pub const GROUP: Self = Self(Cow::Borrowed("DbpRelayAuthorizationGroup"));
    /// Forms; items are named by the form's identifier.
    pub const FORM: Self = Self(Cow::Borrowed("DbpRelayFormalizeForm"));
    /// All submissions of a form; items are named by the form's identifier.
    pub const SUBMISSION_COLLECTION: Self =
        Self(Cow::Borrowed("DbpRelayFormalizeSubmissionCollection"));
    /// Single submissions; items are named by the submission's identifier.
    pub const SUBMISSION: Self = Self(Cow::Borrowed("DbpRelayFormalizeSubmission"));

    /// The classes of the service itself, of which it alone makes items.
    pub const BUILT_IN: [Self; 4] = [
        Self::GROUP,
        Self::FORM,
        Self::SUBMISSION_COLLECTION,
        Self::SUBMISSION,
    ];

    /// Whether the class is one of the service itself.
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

/// An item of a class, or the class's collection.
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
    /// The item; `None` is the collection of the class.
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
    /// The identifier of an item that is named by a UUID: hyphenated, in lower case.
    pub fn from_uuid(id: Uuid) -> Self {
        Self(id.as_hyphenated().to_string().into())
    }
}

/// The record that a resource is about, under which its grants are stored: the form for a form *and* for the
/// collection of its submissions, the group, the submission, and the resource's own record for everything else.
///
/// One look-up by anchor finds all grants that bear on an item, and lists of items are ordered by it.
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
    /// Names the record.
    pub id: ResourceId,
    /// The item or collection.
    pub resource: ResourceRef,
    /// What its grants are stored under.
    pub anchor: Anchor,
    /// The form that a submission belongs to; `None` for everything but submissions.
    pub form: Option<FormId>,
    /// When the resource came into being.
    pub date_created: Timestamp,
}

/// Which resources a list asks for.
///
/// ```
/// use formalize_core::{ResourceClass, ResourceFilter};
///
/// let forms = ResourceFilter { class: Some(ResourceClass::FORM.to_string()), ..ResourceFilter::default() };
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResourceFilter {
    /// Of this class.
    pub class: Option<String>,
    /// With this identifier.
    pub identifier: Option<String>,
}
