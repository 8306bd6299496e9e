//! What follows from the grants that a caller holds: pure functions, the only ones that decide.

use crate::model::action::{Action, Actions};
use crate::model::form::{SubmissionRules, SubmissionState, SubmittedAction, SubmittedActions};
use crate::model::resource::{Anchor, ResourceClass};

/// An action that is granted to a subject of the caller, with the class and anchor of its resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldGrant {
    /// What the resource is about.
    pub anchor: Anchor,
    /// The resource's class.
    pub class: ResourceClass,
    /// The action.
    pub action: Action,
}

/// The two classes about the submissions of a form say the same in two ways: each row is an action on the form, the
/// action on the submission collection that means the same, and what either gives on a submitted submission.
pub(crate) const SUBMISSION_ACTIONS: [SubmissionActionRow; 4] = [
    SubmissionActionRow {
        form: Action::CREATE_SUBMISSIONS,
        collection: Action::CREATE_SUBMISSIONS,
        submission: None,
    },
    SubmissionActionRow {
        form: Action::READ_SUBMISSIONS,
        collection: Action::READ,
        submission: Some(Action::READ),
    },
    SubmissionActionRow {
        form: Action::UPDATE_SUBMISSIONS,
        collection: Action::UPDATE,
        submission: Some(Action::UPDATE),
    },
    SubmissionActionRow {
        form: Action::DELETE_SUBMISSIONS,
        collection: Action::DELETE,
        submission: Some(Action::DELETE),
    },
];

/// A row of [`SUBMISSION_ACTIONS`].
pub(crate) struct SubmissionActionRow {
    pub(crate) form: Action,
    pub(crate) collection: Action,
    pub(crate) submission: Option<Action>,
}

/// What allows an action on a submitted submission, where the form leaves rights to creators or grantees.
pub(crate) fn submitted_action(action: &Action) -> Option<SubmittedAction> {
    SubmittedAction::find(action.as_str())
}

/// The sets of allowed actions that leave `action` in force: itself, and `manage`, which implies the others.
pub(crate) fn leaves_in_force(action: &Action) -> SubmittedActions {
    submitted_action(action)
        .into_iter()
        .chain([SubmittedAction::Manage])
        .collect()
}

/// The actions held on resources of one class under one anchor.
fn held_on(held: &[HeldGrant], anchor: Anchor, class: &ResourceClass) -> Actions {
    held.iter()
        .filter(|grant| grant.anchor == anchor && grant.class == *class)
        .map(|grant| grant.action.clone())
        .collect()
}

/// The effective actions on an item or collection about which no other class says anything.
pub fn plain_actions(held: &[HeldGrant], anchor: Anchor, class: &ResourceClass) -> Actions {
    held_on(held, anchor, class)
}

/// The effective actions on a form.
pub fn form_actions(held: &[HeldGrant], form: Anchor) -> Actions {
    let on_form = held_on(held, form, &ResourceClass::FORM);
    let on_collection = held_on(held, form, &ResourceClass::SUBMISSION_COLLECTION);
    let through_collection = SUBMISSION_ACTIONS
        .into_iter()
        .filter(|row| on_collection.allows(&row.collection))
        .map(|row| row.form);
    on_form.iter().cloned().chain(through_collection).collect()
}

/// The effective actions on the submission collection of a form.
pub fn submission_collection_actions(held: &[HeldGrant], form: Anchor) -> Actions {
    let on_form = held_on(held, form, &ResourceClass::FORM);
    let on_collection = held_on(held, form, &ResourceClass::SUBMISSION_COLLECTION);
    if on_form.allows(&Action::MANAGE) {
        return Actions::manage();
    }
    let through_form = SUBMISSION_ACTIONS
        .into_iter()
        .filter(|row| on_form.allows(&row.form))
        .map(|row| row.collection);
    on_collection.iter().cloned().chain(through_form).collect()
}

/// What is known about a submission and its caller.
#[derive(Debug, Clone, Copy)]
pub struct SubmissionFacts<'a> {
    /// The rules of its form.
    pub rules: &'a SubmissionRules,
    /// Its state.
    pub state: SubmissionState,
    /// Whether the caller made it.
    pub is_creator: bool,
    /// Its anchor.
    pub anchor: Anchor,
    /// The form's anchor.
    pub form: Anchor,
}

/// The effective actions on a submission: what the form gives on everything that is submitted, and what authorship
/// or grants give, limited once it is submitted by the actions that the form still allows then.
pub fn submission_actions(held: &[HeldGrant], facts: SubmissionFacts<'_>) -> Actions {
    let own: Vec<Action> = if facts.rules.grant_based {
        held_on(held, facts.anchor, &ResourceClass::SUBMISSION)
            .iter()
            .cloned()
            .collect()
    } else if facts.is_creator {
        creator_actions(facts.state)
    } else {
        Vec::new()
    };
    match facts.state {
        SubmissionState::Draft => own.into_iter().collect(),
        SubmissionState::Submitted => {
            let through_form = actions_on_submitted(&form_actions(held, facts.form));
            let limited = limit(
                &own.into_iter().collect(),
                facts.rules.allowed_actions_when_submitted,
            );
            through_form.into_iter().chain(limited).collect()
        }
    }
}

/// Authorship is worth every action on a draft but sharing, and everything the form allows once it is submitted.
fn creator_actions(state: SubmissionState) -> Vec<Action> {
    match state {
        SubmissionState::Draft => vec![Action::READ, Action::UPDATE, Action::DELETE],
        SubmissionState::Submitted => vec![Action::MANAGE],
    }
}

/// What the effective actions on a form give on each of its submitted submissions.
pub(crate) fn actions_on_submitted(form: &Actions) -> Vec<Action> {
    SUBMISSION_ACTIONS
        .into_iter()
        .filter(|row| form.allows(&row.form))
        .filter_map(|row| row.submission)
        .collect()
}

/// The part of `own` that the form leaves in force once a submission is submitted.
fn limit(own: &Actions, allowed: SubmittedActions) -> Vec<Action> {
    [Action::READ, Action::UPDATE, Action::DELETE, Action::MANAGE]
        .into_iter()
        .filter(|action| own.allows(action) && allowed.intersects(leaves_in_force(action)))
        .collect()
}
