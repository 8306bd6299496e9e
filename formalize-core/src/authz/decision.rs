//! What follows from the grants that a caller holds: pure functions, the only ones that decide.

use std::collections::HashMap;

use crate::id::FormId;
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

/// The grants of a caller by anchor.
#[derive(Debug, Clone, Default)]
#[doc(hidden)]
pub struct Held(HashMap<Anchor, Vec<(ResourceClass, Action)>>);

impl Extend<HeldGrant> for Held {
    fn extend<I: IntoIterator<Item = HeldGrant>>(&mut self, grants: I) {
        for grant in grants {
            let under_anchor = self.0.entry(grant.anchor).or_default();
            under_anchor.push((grant.class, grant.action));
        }
    }
}

impl FromIterator<HeldGrant> for Held {
    fn from_iter<I: IntoIterator<Item = HeldGrant>>(grants: I) -> Self {
        let mut held = Self::default();
        held.extend(grants);
        held
    }
}

impl Held {
    /// The actions that are held on the resource of a class under an anchor, as they are.
    fn on(&self, anchor: Anchor, class: &ResourceClass) -> Actions {
        let grants = self.0.get(&anchor).into_iter().flatten();
        grants
            .filter(|(held_class, _)| held_class == class)
            .map(|(_, action)| action.clone())
            .collect()
    }
}

/// What a decision is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A form.
    Form(FormId),
    /// The submission collection of a form.
    SubmissionCollection(FormId),
    /// A submission.
    Submission(SubmissionFacts),
    /// An item of a class about which no other class says anything, or a collection.
    Plain {
        /// Its anchor.
        anchor: Anchor,
        /// Its class.
        class: ResourceClass,
    },
    /// A resource that is a leftover of something deleted: nobody may do anything to it.
    Nothing,
}

/// What is known about a submission and its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubmissionFacts {
    /// What its grants are stored under.
    pub anchor: Anchor,
    /// Its form.
    pub form: FormId,
    /// The rules of the form.
    pub rules: SubmissionRules,
    /// Its state.
    pub state: SubmissionState,
    /// Whether the caller made it.
    pub is_creator: bool,
}

impl Target {
    /// The anchors under which grants on the target, or bearing on it, are stored.
    pub fn anchors(&self) -> impl Iterator<Item = Anchor> {
        let (first, second) = match self {
            Self::Form(form) | Self::SubmissionCollection(form) => (Some((*form).into()), None),
            Self::Submission(facts) if facts.rules.grant_based => {
                (Some(facts.anchor), Some(facts.form.into()))
            }
            Self::Submission(facts) => (Some(facts.form.into()), None),
            Self::Plain { anchor, .. } => (Some(*anchor), None),
            Self::Nothing => (None, None),
        };
        first.into_iter().chain(second)
    }
}

/// The effective actions on a target of a caller who holds these grants.
pub fn effective_actions(held: &Held, target: &Target) -> Actions {
    match target {
        Target::Form(form) => form_actions(held, *form),
        Target::SubmissionCollection(form) => submission_collection_actions(held, *form),
        Target::Submission(facts) => submission_actions(held, facts),
        Target::Plain { anchor, class } => held.on(*anchor, class),
        Target::Nothing => Actions::default(),
    }
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

/// What the form must still allow (any of it) for own rights to `action` to count on a submitted submission: the
/// action itself, or `manage`, which implies the others.
pub(crate) fn leaves_in_force(action: &Action) -> SubmittedActions {
    SubmittedAction::find(action.as_str())
        .into_iter()
        .chain([SubmittedAction::Manage])
        .collect()
}

fn form_actions(held: &Held, form: FormId) -> Actions {
    let on_form = held.on(form.into(), &ResourceClass::FORM);
    let on_collection = held.on(form.into(), &ResourceClass::SUBMISSION_COLLECTION);
    let through_collection = SUBMISSION_ACTIONS
        .into_iter()
        .filter(|row| on_collection.allows(&row.collection))
        .map(|row| row.form);
    on_form.iter().cloned().chain(through_collection).collect()
}

fn submission_collection_actions(held: &Held, form: FormId) -> Actions {
    let on_form = held.on(form.into(), &ResourceClass::FORM);
    let on_collection = held.on(form.into(), &ResourceClass::SUBMISSION_COLLECTION);
    if on_form.allows(&Action::MANAGE) {
        return Actions::manage();
    }
    let through_form = SUBMISSION_ACTIONS
        .into_iter()
        .filter(|row| on_form.allows(&row.form))
        .map(|row| row.collection);
    on_collection.iter().cloned().chain(through_form).collect()
}

/// What the form gives on everything that is submitted, and what authorship or grants give, limited once it is
/// submitted to what the form still allows then.
fn submission_actions(held: &Held, facts: &SubmissionFacts) -> Actions {
    let own = own_actions(held, facts);
    match facts.state {
        SubmissionState::Draft => own,
        SubmissionState::Submitted => {
            let on_form = form_actions(held, facts.form);
            let through_form = actions_on_submitted(&on_form);
            through_form
                .chain(limit(&own, facts.rules.allowed_actions_when_submitted))
                .collect()
        }
    }
}

/// What the caller's own relation to the submission gives before the form limits it: grants in grant-based forms;
/// authorship in the others, which on a draft is worth everything but sharing.
fn own_actions(held: &Held, facts: &SubmissionFacts) -> Actions {
    match (facts.rules.grant_based, facts.is_creator, facts.state) {
        (true, _, _) => held.on(facts.anchor, &ResourceClass::SUBMISSION),
        (false, false, _) => Actions::default(),
        (false, true, SubmissionState::Draft) => [Action::READ, Action::UPDATE, Action::DELETE]
            .into_iter()
            .collect(),
        (false, true, SubmissionState::Submitted) => Actions::manage(),
    }
}

/// What the effective actions on a form give on each of its submitted submissions.
fn actions_on_submitted(form: &Actions) -> impl Iterator<Item = Action> {
    SUBMISSION_ACTIONS
        .into_iter()
        .filter(|row| form.allows(&row.form))
        .filter_map(|row| row.submission)
}

/// The part of `own` that the form leaves in force once a submission is submitted.
fn limit(own: &Actions, allowed: SubmittedActions) -> impl Iterator<Item = Action> {
    [Action::READ, Action::UPDATE, Action::DELETE, Action::MANAGE]
        .into_iter()
        .filter(move |action| own.allows(action) && allowed.intersects(leaves_in_force(action)))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::model::form::SubmissionState::{Draft, Submitted};
    use crate::model::form::SubmittedAction as Allowed;

    const FORM: u128 = 1;
    const SUBMISSION: u128 = 2;

    fn form() -> FormId {
        FormId::from_uuid(Uuid::from_u128(FORM))
    }

    fn held(grants: &[(u128, ResourceClass, Action)]) -> Held {
        let grants = grants.iter().cloned();
        grants
            .map(|(anchor, class, action)| HeldGrant {
                anchor: Anchor(Uuid::from_u128(anchor)),
                class,
                action,
            })
            .collect()
    }

    fn words(actions: &Actions) -> String {
        actions
            .iter()
            .map(Action::as_str)
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn on_submission(
        grant_based: bool,
        is_creator: bool,
        state: SubmissionState,
        allowed: &[Allowed],
        grants: &[(u128, ResourceClass, Action)],
    ) -> String {
        let rules = SubmissionRules {
            grant_based,
            allowed_actions_when_submitted: allowed.iter().copied().collect(),
            ..SubmissionRules::default()
        };
        let anchor = Anchor(Uuid::from_u128(SUBMISSION));
        let facts = SubmissionFacts {
            anchor,
            form: form(),
            rules,
            state,
            is_creator,
        };
        words(&effective_actions(
            &held(grants),
            &Target::Submission(facts),
        ))
    }

    #[test]
    fn the_form_and_its_submission_collection_say_the_same_in_two_ways() {
        let cases = [
            (ResourceClass::FORM, Action::MANAGE, "manage", "manage"),
            (ResourceClass::FORM, Action::READ, "read", ""),
            (
                ResourceClass::FORM,
                Action::READ_SUBMISSIONS,
                "read_submissions",
                "read",
            ),
            (
                ResourceClass::FORM,
                Action::CREATE_SUBMISSIONS,
                "create_submissions",
                "create_submissions",
            ),
            (
                ResourceClass::SUBMISSION_COLLECTION,
                Action::READ,
                "read_submissions",
                "read",
            ),
            (
                ResourceClass::SUBMISSION_COLLECTION,
                Action::DELETE,
                "delete_submissions",
                "delete",
            ),
            (
                ResourceClass::SUBMISSION_COLLECTION,
                Action::MANAGE,
                "create_submissions delete_submissions read_submissions update_submissions",
                "manage",
            ),
        ];
        for (class, action, on_form, on_collection) in cases {
            let held = held(&[(FORM, class.clone(), action.clone())]);
            assert_eq!(
                words(&effective_actions(&held, &Target::Form(form()))),
                on_form,
                "{class} {action}"
            );
            let collection = effective_actions(&held, &Target::SubmissionCollection(form()));
            assert_eq!(words(&collection), on_collection, "{class} {action}");
        }
    }

    #[test]
    fn no_right_on_the_form_reaches_a_draft() {
        for action in [
            Action::MANAGE,
            Action::READ_SUBMISSIONS,
            Action::UPDATE_SUBMISSIONS,
        ] {
            let grants = [(FORM, ResourceClass::FORM, action)];
            for grant_based in [false, true] {
                assert_eq!(
                    on_submission(grant_based, false, Draft, Allowed::ALL, &grants),
                    ""
                );
            }
        }
    }

    #[test]
    fn rights_on_the_form_reach_what_is_submitted_but_never_share_it() {
        let manage = [(FORM, ResourceClass::FORM, Action::MANAGE)];
        assert_eq!(
            on_submission(true, false, Submitted, Allowed::ALL, &manage),
            "delete read update"
        );
        let update = [(FORM, ResourceClass::SUBMISSION_COLLECTION, Action::UPDATE)];
        assert_eq!(
            on_submission(false, false, Submitted, &[], &update),
            "update"
        );
        let create = [(FORM, ResourceClass::FORM, Action::CREATE_SUBMISSIONS)];
        assert_eq!(
            on_submission(false, false, Submitted, Allowed::ALL, &create),
            ""
        );
    }

    #[test]
    fn authorship_counts_in_creator_based_forms_only() {
        let cases: [(bool, SubmissionState, &[Allowed], &str); 7] = [
            (false, Draft, &[], "delete read update"),
            (false, Draft, &[Allowed::Manage], "delete read update"),
            (false, Submitted, &[], ""),
            (
                false,
                Submitted,
                &[Allowed::Read, Allowed::Delete],
                "delete read",
            ),
            (false, Submitted, &[Allowed::Manage], "manage"),
            (true, Draft, &[], ""),
            (true, Submitted, &[Allowed::Manage], ""),
        ];
        for (grant_based, state, allowed, expected) in cases {
            let actions = on_submission(grant_based, true, state, allowed, &[]);
            assert_eq!(actions, expected, "{grant_based} {state:?} {allowed:?}");
        }
    }

    #[test]
    fn grants_count_in_grant_based_forms_as_far_as_the_form_allows() {
        let cases: [(bool, Action, SubmissionState, &[Allowed], &str); 8] = [
            (true, Action::MANAGE, Draft, &[], "manage"),
            (true, Action::UPDATE, Draft, &[], "update"),
            (true, Action::MANAGE, Submitted, &[], ""),
            (
                true,
                Action::MANAGE,
                Submitted,
                &[Allowed::Read, Allowed::Update],
                "read update",
            ),
            (
                true,
                Action::MANAGE,
                Submitted,
                &[Allowed::Manage],
                "manage",
            ),
            (true, Action::READ, Submitted, &[Allowed::Manage], "read"),
            (true, Action::READ, Submitted, &[Allowed::Update], ""),
            (false, Action::MANAGE, Draft, Allowed::ALL, ""),
        ];
        for (grant_based, action, state, allowed, expected) in cases {
            let grants = [(SUBMISSION, ResourceClass::SUBMISSION, action.clone())];
            let actions = on_submission(grant_based, false, state, allowed, &grants);
            assert_eq!(
                actions, expected,
                "{grant_based} {action} {state:?} {allowed:?}"
            );
        }
    }

    #[test]
    fn grants_of_another_class_or_anchor_do_not_count() {
        let target = Target::Plain {
            anchor: Anchor(Uuid::from_u128(7)),
            class: ResourceClass::GROUP,
        };
        let grants = [
            (7, ResourceClass::FORM, Action::MANAGE),
            (8, ResourceClass::GROUP, Action::MANAGE),
        ];
        assert_eq!(words(&effective_actions(&held(&grants), &target)), "");
        assert_eq!(
            words(&effective_actions(&held(&grants), &Target::Nothing)),
            ""
        );
    }
}
