//! Audiences: who could read what a deletion takes along. Afterwards there is nothing left to decide by, so the subjects
//! are written down with the event of the deletion.
//!
//! Subjects that could read a submission through a grant on its form are not written down for it: the form is still there
//! to decide by, or its own deletion says so.

use crate::authz::ways::{Basis, Way};
use crate::id::{FormId, GroupId};
use crate::model::action::Action;
use crate::model::resource::{Anchor, Resource, ResourceClass};
use crate::model::subject::Subject;
use crate::model::words::SubmissionStates;

/// The subjects that could read what is deleted: the union of the sources.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Audience(pub Vec<AudienceSource>);

/// Some of the subjects of an [`Audience`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AudienceSource {
    /// This subject.
    Subject(Subject),
    /// The holders of grants on a resource.
    Holders {
        /// The anchor of the resource.
        anchor: Anchor,
        /// Its class.
        class: ResourceClass,
        /// The actions, any of which suffices. `None`: every action.
        actions: Option<Vec<Action>>,
    },
    /// The creators of the submissions of a form in these states, except for the system.
    Creators {
        /// The form.
        form: FormId,
        /// The states.
        states: SubmissionStates,
    },
    /// The holders of grants on the submissions of a form in these states.
    HoldersOnSubmissions {
        /// The form.
        form: FormId,
        /// The actions, any of which suffices.
        actions: Vec<Action>,
        /// The states.
        states: SubmissionStates,
    },
}

impl Audience {
    /// Who could read a group.
    pub(crate) fn of_group(group: GroupId) -> Self {
        Self(readers(group.into(), &ResourceClass::GROUP).collect())
    }

    /// Who could see a registered resource: everyone with an action on it.
    pub(crate) fn of_resource(resource: &Resource) -> Self {
        Self(vec![AudienceSource::Holders {
            anchor: resource.anchor(),
            class: resource.resource.class.clone(),
            actions: None,
        }])
    }
}

/// The holders of grants that allow reading resources of a class.
pub(super) fn readers(
    anchor: Anchor,
    class: &ResourceClass,
) -> impl Iterator<Item = AudienceSource> {
    Way::to(class, &Action::READ).filter_map(move |way| match way.basis {
        Basis::Grant(class, action) => Some(AudienceSource::Holders {
            anchor,
            class,
            actions: Some(action.implied_by()),
        }),
        Basis::Authorship => None,
    })
}
