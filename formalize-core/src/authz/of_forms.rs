//! What only use cases with forms need: who may create forms, scopes of their lists, and audiences of what they delete.

use super::audience::{Audience, AudienceSource, readers};
use super::authority::Authority;
use super::scope::{GrantScope, Reached, Subjects, SubmissionReach, SubmissionScope};
use super::ways::{Basis, Way};
use crate::id::FormId;
use crate::model::action::Action;
use crate::model::form::SubmissionRules;
use crate::model::resource::ResourceClass;
use crate::model::subject::UserId;
use crate::model::submission::Submission;
use crate::model::words::{SubmissionState, SubmissionStates};

/// The lists of forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormList {
    /// All that the caller may read.
    Readable,
    /// Those of which the caller may read at least some submissions.
    WithSubmissions,
    /// Those, and the ones that the caller may change.
    ToLookAfter,
    /// All to which the caller may submit, readable or not.
    ToFillIn,
}

impl Authority {
    /// Whether the policy may permit some user to create forms.
    pub(crate) fn names_creators_of_forms(&self) -> bool {
        let policies = &self.policies;
        self.first_administrator.is_some()
            || policies.administrators.is_some()
            || policies.create_forms.is_some()
            || policies.manage_everything.is_some()
            || policies
                .manage_collection
                .contains_key(&ResourceClass::FORM)
    }
}

impl SubmissionReach {
    /// The same ways, and the one of an action on the form.
    #[must_use]
    pub(crate) fn or(mut self, on_form: &Action) -> Self {
        let ways = Way::to(&ResourceClass::FORM, on_form);
        self.through_form
            .extend(ways.filter_map(|way| way.basis.holding()));
        self
    }
}

impl SubmissionScope {
    /// The part of the scope in these states.
    #[must_use]
    pub(crate) fn in_states(self, states: SubmissionStates) -> Self {
        Self {
            all: self.all.intersection(states),
            created: self
                .created
                .map(|(creator, own)| (creator, own.intersection(states))),
            granted: self
                .granted
                .map(|(subjects, actions, own)| (subjects, actions, own.intersection(states))),
        }
    }
}

impl GrantScope {
    /// The grants that these subjects hold.
    pub(crate) fn held_by(subjects: Subjects) -> Self {
        Self::HeldOrOn(Reached {
            subjects,
            ways: Vec::new(),
            managed_collections: Vec::new(),
        })
    }
}

impl Audience {
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
