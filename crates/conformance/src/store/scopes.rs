//! Scopes like those that the authorizer makes.

use formalize_core::store::scope::{
    GrantScope, Holding, ItemScope, Reach, Subjects, SubmissionReach, SubmissionScope,
};
use formalize_core::{
    Action, ResourceClass, Subject, SubmissionState, SubmissionStates, SubmittedAction,
    SubmittedActions, UserId,
};

const FORM: ResourceClass = ResourceClass::FORM;
const COLLECTION: ResourceClass = ResourceClass::SUBMISSION_COLLECTION;

/// The action, and `manage`, which implies it.
fn implying(action: Action) -> Vec<Action> {
    let manage = (action != Action::MANAGE).then_some(Action::MANAGE);
    [action].into_iter().chain(manage).collect()
}

fn holding(class: ResourceClass, action: Action) -> Holding {
    let actions = implying(action);
    Holding { class, actions }
}

fn in_force(action: SubmittedAction) -> SubmittedActions {
    [action, SubmittedAction::Manage].into_iter().collect()
}

/// The items on which the subjects may perform an action.
pub(super) fn items(subjects: Subjects, class: &ResourceClass, action: &Action) -> ItemScope {
    // Grants on the submissions of a form give these actions on the form.
    let through_submissions = [
        (Action::CREATE_SUBMISSIONS, Action::CREATE_SUBMISSIONS),
        (Action::READ_SUBMISSIONS, Action::READ),
        (Action::UPDATE_SUBMISSIONS, Action::UPDATE),
        (Action::DELETE_SUBMISSIONS, Action::DELETE),
    ];
    let found = through_submissions
        .into_iter()
        .find(|(on_form, _)| *class == FORM && on_form == action);
    let through_submissions = found.map(|(_, held)| holding(COLLECTION, held));
    let itself = holding(class.clone(), action.clone());
    ItemScope::Granted {
        subjects,
        holdings: [itself].into_iter().chain(through_submissions).collect(),
    }
}

/// The ways to read submissions of forms.
pub(super) fn readable_submissions(subjects: Subjects, creator: UserId) -> SubmissionReach {
    SubmissionReach {
        subjects,
        creator,
        through_form: vec![
            holding(FORM, Action::READ_SUBMISSIONS),
            holding(COLLECTION, Action::READ),
        ],
        own: implying(Action::READ),
        in_force: in_force(SubmittedAction::Read),
    }
}

pub(super) fn every_submission() -> SubmissionScope {
    SubmissionScope {
        all: SubmissionState::ALL.iter().copied().collect(),
        ..no_submission()
    }
}

pub(super) fn no_submission() -> SubmissionScope {
    SubmissionScope {
        all: SubmissionStates::NONE,
        created: None,
        granted: None,
    }
}

/// The ways to any action on a resource.
pub(super) fn any_access() -> Vec<Reach> {
    let on_form = || {
        vec![
            Action::READ_SUBMISSIONS,
            Action::MANAGE,
            Action::UPDATE_SUBMISSIONS,
            Action::DELETE_SUBMISSIONS,
        ]
    };
    let on_collection = || vec![Action::READ, Action::MANAGE, Action::UPDATE, Action::DELETE];
    let through = |class, mut actions: Vec<Action>| {
        actions.insert(0, Action::CREATE_SUBMISSIONS);
        Holding { class, actions }
    };
    let [read, update, delete] = granted_submissions();
    vec![
        Reach::Itself(None),
        Reach::SameAnchor {
            target: FORM,
            holding: through(COLLECTION, on_collection()),
        },
        Reach::SameAnchor {
            target: COLLECTION,
            holding: through(FORM, on_form()),
        },
        read,
        Reach::SubmissionsOfForm(Holding {
            class: FORM,
            actions: on_form(),
        }),
        Reach::SubmissionsOfForm(Holding {
            class: COLLECTION,
            actions: on_collection(),
        }),
        update,
        delete,
    ]
}

/// The same for users who manage everything by policy.
pub(super) fn any_access_of_managers() -> Vec<Reach> {
    let everything = Reach::Everything { submitted: true };
    [everything]
        .into_iter()
        .chain(granted_submissions())
        .collect()
}

/// The ways to submissions by grants on themselves.
fn granted_submissions() -> [Reach; 3] {
    let ways = [
        (Action::READ, SubmittedAction::Read),
        (Action::UPDATE, SubmittedAction::Update),
        (Action::DELETE, SubmittedAction::Delete),
    ];
    ways.map(|(action, allowed)| Reach::Submission {
        actions: implying(action),
        in_force: in_force(allowed),
    })
}

/// The ways to manage a resource.
pub(super) fn managing() -> Vec<Reach> {
    vec![
        Reach::Itself(Some(vec![Action::MANAGE])),
        Reach::SameAnchor {
            target: COLLECTION,
            holding: holding(FORM, Action::MANAGE),
        },
        Reach::Submission {
            actions: vec![Action::MANAGE],
            in_force: in_force(SubmittedAction::Manage),
        },
    ]
}

/// The part of a scope that one subject holds.
pub(super) fn held_by(holder: Subject, scope: GrantScope) -> GrantScope {
    let among = match scope {
        GrantScope::All => None,
        GrantScope::HeldOrOn(reached) => Some(reached),
        GrantScope::Of { among, .. } => among,
    };
    GrantScope::Of { holder, among }
}
