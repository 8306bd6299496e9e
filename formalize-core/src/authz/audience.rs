//! Audiences: who could read what a deletion takes along. Afterwards there is nothing left to decide by, so the subjects
//! are written down with the event of the deletion.
//!
//! Subjects that could read a submission through a grant on its form are not written down for it: the form is still there
//! to decide by, or its own deletion says so.

use crate::authz::ways::{Basis, Way};
use crate::id::{FormId, GroupId};
use crate::model::action::Action;
use crate::model::form::SubmissionRules;
use crate::model::resource::{Anchor, Resource, ResourceClass};
use crate::model::subject::{Subject, UserId};
use crate::model::submission::Submission;
use crate::model::words::{SubmissionState, SubmissionStates};

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

    /// Who could read a submission by itself.
    pub(crate) fn of_submission(submission: &Submission, rules: &SubmissionRules) -> Self {
        let own = own_way(rules);
        let is_open = own
            .as_ref()
            .is_some_and(|way| way.is_open(submission.state, rules));
        let source = match own.map(|way| way.basis) {
            Some(Basis::Grant(class, action)) if is_open => AudienceSource::Holders {
                anchor: submission.id.into(),
                class,
                actions: Some(action.implied_by()),
            },
            Some(Basis::Authorship) if is_open && submission.creator != UserId::SYSTEM => {
                AudienceSource::Subject(submission.creator.clone().into())
            }
            _ => return Self::default(),
        };
        Self(vec![source])
    }

    /// Who could read one of the submitted submissions of a form by itself.
    pub(crate) fn of_submitted(form: FormId, rules: &SubmissionRules) -> Self {
        let submitted = [SubmissionState::Submitted].into_iter().collect();
        Self(of_submissions(form, rules, submitted).collect())
    }

    /// Who could read a form, its submissions, or one of them.
    pub(crate) fn of_form(form: FormId, rules: &SubmissionRules) -> Self {
        let itself = readers(form.into(), &ResourceClass::FORM);
        let submissions = readers(form.into(), &ResourceClass::SUBMISSION_COLLECTION);
        let states = SubmissionState::ALL.iter().copied().collect();
        let single = of_submissions(form, rules, states);
        Self(itself.chain(submissions).chain(single).collect())
    }
}

/// The holders of grants that allow reading resources of a class.
fn readers(anchor: Anchor, class: &ResourceClass) -> impl Iterator<Item = AudienceSource> {
    Way::to(class, &Action::READ).filter_map(move |way| match way.basis {
        Basis::Grant(class, action) => Some(AudienceSource::Holders {
            anchor,
            class,
            actions: Some(action.implied_by()),
        }),
        Basis::Authorship => None,
    })
}

/// The way to read a submission that does not lead through its form.
fn own_way(rules: &SubmissionRules) -> Option<Way> {
    Way::to(&ResourceClass::SUBMISSION, &Action::READ).find(|way| match &way.basis {
        Basis::Grant(class, _) => *class == ResourceClass::SUBMISSION && rules.grant_based,
        Basis::Authorship => !rules.grant_based,
    })
}

fn of_submissions(
    form: FormId,
    rules: &SubmissionRules,
    states: SubmissionStates,
) -> impl Iterator<Item = AudienceSource> {
    let own = own_way(rules).map(|way| {
        let open = states.iter().filter(|state| way.is_open(*state, rules));
        let states: SubmissionStates = open.collect();
        (way.basis, states)
    });
    let own = own.filter(|(_, states)| !states.is_empty());
    own.map(|(basis, states)| match basis {
        Basis::Grant(_, action) => AudienceSource::HoldersOnSubmissions {
            form,
            actions: action.implied_by(),
            states,
        },
        Basis::Authorship => AudienceSource::Creators { form, states },
    })
    .into_iter()
}
