//! The ways to obtain an action on a resource: grants and authorship, restricted by the settings of the form. Decisions
//! about single items and list scopes are both derived from this table.

use std::iter;

use crate::model::action::Action;
use crate::model::form::SubmissionRules;
use crate::model::resource::ResourceClass;
use crate::model::words::{SubmissionState, SubmittedAction, SubmittedActions};

/// A way to obtain an action on resources of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Way {
    /// The class of the resource.
    pub(crate) class: ResourceClass,
    /// The action that the way gives.
    pub(crate) action: Action,
    /// The requirement on the caller.
    pub(crate) basis: Basis,
    /// The state in which the way is open.
    pub(crate) when: When,
}

/// The basis of a way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Basis {
    /// A grant of the action, or of one that [implies](Action::implies) it, on a resource of the class: the resource
    /// itself, or the form or submission collection to which it belongs. Grants on submissions are effective only in
    /// grant-based forms. [`is_managed_by_policy`] has the classes for which a policy has the same effect.
    Grant(ResourceClass, Action),
    /// Being the creator of the submission. Effective only in creator-based forms.
    Authorship,
}

/// When a way is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// Always.
    Always,
    /// Only for submitted submissions. Permissions on a form never apply to drafts.
    Submitted,
    /// For drafts, and for submitted submissions if the form still allows the action.
    AllowedByForm,
    /// Only for submitted submissions, and only if the form still allows the action.
    SubmittedAndAllowedByForm,
}

/// All ways other than grants on the resource itself.
#[rustfmt::skip]
static WAYS: [Way; 19] = {
    use Basis::{Authorship, Grant};
    use When::{AllowedByForm, Always, Submitted, SubmittedAndAllowedByForm};
    const FORM: ResourceClass = ResourceClass::FORM;
    const COLLECTION: ResourceClass = ResourceClass::SUBMISSION_COLLECTION;
    const SUBMISSION: ResourceClass = ResourceClass::SUBMISSION;
    const CREATE_SUBMISSIONS: Action = Action::CREATE_SUBMISSIONS;
    const READ_SUBMISSIONS: Action = Action::READ_SUBMISSIONS;
    const UPDATE_SUBMISSIONS: Action = Action::UPDATE_SUBMISSIONS;
    const DELETE_SUBMISSIONS: Action = Action::DELETE_SUBMISSIONS;
    const READ: Action = Action::READ;
    const UPDATE: Action = Action::UPDATE;
    const DELETE: Action = Action::DELETE;
    const MANAGE: Action = Action::MANAGE;
    [
        way(FORM, CREATE_SUBMISSIONS, Grant(COLLECTION, CREATE_SUBMISSIONS), Always),
        way(FORM, READ_SUBMISSIONS, Grant(COLLECTION, READ), Always),
        way(FORM, UPDATE_SUBMISSIONS, Grant(COLLECTION, UPDATE), Always),
        way(FORM, DELETE_SUBMISSIONS, Grant(COLLECTION, DELETE), Always),
        way(COLLECTION, CREATE_SUBMISSIONS, Grant(FORM, CREATE_SUBMISSIONS), Always),
        way(COLLECTION, READ, Grant(FORM, READ_SUBMISSIONS), Always),
        way(COLLECTION, UPDATE, Grant(FORM, UPDATE_SUBMISSIONS), Always),
        way(COLLECTION, DELETE, Grant(FORM, DELETE_SUBMISSIONS), Always),
        way(COLLECTION, MANAGE, Grant(FORM, MANAGE), Always),
        way(SUBMISSION, READ, Grant(FORM, READ_SUBMISSIONS), Submitted),
        way(SUBMISSION, READ, Grant(COLLECTION, READ), Submitted),
        way(SUBMISSION, UPDATE, Grant(FORM, UPDATE_SUBMISSIONS), Submitted),
        way(SUBMISSION, UPDATE, Grant(COLLECTION, UPDATE), Submitted),
        way(SUBMISSION, DELETE, Grant(FORM, DELETE_SUBMISSIONS), Submitted),
        way(SUBMISSION, DELETE, Grant(COLLECTION, DELETE), Submitted),
        way(SUBMISSION, READ, Authorship, AllowedByForm),
        way(SUBMISSION, UPDATE, Authorship, AllowedByForm),
        way(SUBMISSION, DELETE, Authorship, AllowedByForm),
        way(SUBMISSION, MANAGE, Authorship, SubmittedAndAllowedByForm),
    ]
};

/// Whether `policies.manage_everything` has the effect of a grant of `manage` on every resource of a class.
///
/// Submissions are excepted, so that drafts stay private: as for any manager of a form, the table above gives access to
/// the submitted ones.
pub(crate) fn is_managed_by_policy(class: &ResourceClass) -> bool {
    *class != ResourceClass::SUBMISSION
}

const fn way(class: ResourceClass, action: Action, basis: Basis, when: When) -> Way {
    Way {
        class,
        action,
        basis,
        when,
    }
}

impl Way {
    /// The way available in every class: a grant of the action on the resource itself.
    fn direct(class: &ResourceClass, action: &Action) -> Self {
        let when = if *class == ResourceClass::SUBMISSION {
            When::AllowedByForm
        } else {
            When::Always
        };
        let grant = Basis::Grant(class.clone(), action.clone());
        way(class.clone(), action.clone(), grant, when)
    }

    /// The ways to an action on resources of a class.
    pub(crate) fn to(class: &ResourceClass, action: &Action) -> impl Iterator<Item = Self> {
        let indirect = Self::indirect(class).filter(move |way| way.action == *action);
        iter::once(Self::direct(class, action)).chain(indirect.cloned())
    }

    /// The ways to resources of a class other than grants on the resource itself.
    pub(crate) fn indirect(class: &ResourceClass) -> impl Iterator<Item = &'static Self> {
        WAYS.iter().filter(move |way| way.class == *class)
    }

    /// Whether the way is open for a submission in this state, of a form with these rules.
    pub(crate) fn is_open(&self, state: SubmissionState, rules: &SubmissionRules) -> bool {
        let is_draft = state == SubmissionState::Draft;
        let allowed = || {
            let allowed = rules.allowed_actions_when_submitted;
            allowed.intersects(submitted_actions(&self.action))
        };
        match self.when {
            When::Always => true,
            When::Submitted => !is_draft,
            When::AllowedByForm => is_draft || allowed(),
            When::SubmittedAndAllowedByForm => !is_draft && allowed(),
        }
    }
}

/// The actions of which a form must allow at least one, so that creators and grantees have `action` on submitted
/// submissions.
pub(crate) fn submitted_actions(action: &Action) -> SubmittedActions {
    let implying = action.implied_by();
    implying
        .iter()
        .filter_map(|action| action.as_str().parse::<SubmittedAction>().ok())
        .collect()
}
