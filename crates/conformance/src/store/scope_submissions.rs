//! Promise 11: scopes of submissions.

use std::sync::Arc;

use formalize_core::store::scope::{Subjects, SubmissionScope};
use formalize_core::store::{Store, StoreResult};
use formalize_core::{Action, SubmissionState, forms::SubmissionStates};

use crate::store::list::List;
use crate::store::samples::{
    Ids, creator_based, dynamic, grant_based, holder, states, subjects, user,
};
use crate::store::scene::{FormMade, Scene, SharedSubmission};

const EXACTLY: &str = "promise 11: exactly the rows of the scope";
const DRAFT: &[SubmissionState] = &[SubmissionState::Draft];
const SUBMITTED: &[SubmissionState] = &[SubmissionState::Submitted];

const NOTHING: SubmissionScope = SubmissionScope {
    all: SubmissionStates::NONE,
    created: None,
    granted: None,
};

/// Promise 11: exactly the submissions of the form in the states of the scope.
pub async fn submissions_by_state(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let form = scene.form(creator_based(&[])).await?.form;
    let other = scene.form(creator_based(&[])).await?.form;
    let (mut drafts, mut submitted) = (Vec::new(), Vec::new());
    for creator in ["alice", "bob"] {
        for (state, written) in [
            (SubmissionState::Draft, &mut drafts),
            (SubmissionState::Submitted, &mut submitted),
        ] {
            let made = scene.submission(&form, &user(creator), state).await?;
            written.push(made.id.as_uuid());
            scene.submission(&other, &user(creator), state).await?;
        }
    }
    scene.commit().await?;
    let both = [drafts.clone(), submitted.clone()].concat();
    for (all, expected) in [
        (states(DRAFT), &drafts),
        (states(SUBMITTED), &submitted),
        (states(SubmissionState::ALL), &both),
        (SubmissionStates::NONE, &vec![]),
    ] {
        let scope = SubmissionScope { all, ..NOTHING };
        List::Submissions(form.id, scope, None)
            .must_hold(&*store, expected, EXACTLY)
            .await?;
    }
    Ok(())
}

/// Promise 11: the submissions of a creator, in the states of the scope.
pub async fn submissions_by_creator(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let form = scene.form(creator_based(&[])).await?.form;
    let alice = user("alice");
    let (draft, submitted) = (SubmissionState::Draft, SubmissionState::Submitted);
    let first = scene.submission(&form, &alice, draft).await?.id.as_uuid();
    let second = scene.submission(&form, &alice, submitted).await?;
    let second = second.id.as_uuid();
    let of_bob = scene.submission(&form, &user("bob"), submitted).await?;
    let of_bob = of_bob.id.as_uuid();
    scene.submission(&form, &user("bob"), draft).await?;
    scene.submission(&form, &user("Alice"), draft).await?;
    scene.commit().await?;
    for (own, all, creator, expected) in [
        (DRAFT, &[][..], None, vec![first]),
        (SUBMITTED, &[], None, vec![second]),
        (SubmissionState::ALL, &[], None, vec![first, second]),
        (&[], &[], None, vec![]),
        (DRAFT, SUBMITTED, None, vec![first, second, of_bob]),
        (SUBMITTED, SUBMITTED, None, vec![second, of_bob]),
        (DRAFT, SUBMITTED, Some("alice"), vec![first, second]),
        (DRAFT, SUBMITTED, Some("bob"), vec![of_bob]),
        (SUBMITTED, SUBMITTED, Some("ALICE"), vec![]),
        (SUBMITTED, SUBMITTED, Some(""), vec![]),
    ] {
        let scope = SubmissionScope {
            all: states(all),
            created: Some((alice.clone(), states(own))),
            granted: None,
        };
        List::Submissions(form.id, scope, creator.map(str::to_owned))
            .must_hold(&*store, &expected, EXACTLY)
            .await?;
    }
    Ok(())
}

/// Two drafts and two submitted submissions, alternating. Alice and the crowd read the first and manage the second; Bob
/// reads all.
async fn write_shared(store: &dyn Store) -> StoreResult<(FormMade, [SharedSubmission; 4])> {
    let mut scene = Scene::begin(store, &Ids::default()).await?;
    let form = scene.form(grant_based(&[])).await?;
    let (carol, draft, submitted) = (
        user("carol"),
        SubmissionState::Draft,
        SubmissionState::Submitted,
    );
    let shared = [
        scene.shared_submission(&form.form, &carol, draft).await?,
        scene
            .shared_submission(&form.form, &carol, submitted)
            .await?,
        scene.shared_submission(&form.form, &carol, draft).await?,
        scene
            .shared_submission(&form.form, &carol, submitted)
            .await?,
    ];
    let [first, second, ..] = &shared;
    let alice = holder("alice");
    for subject in [&alice, &dynamic("crowd")] {
        scene.grant(subject, Action::READ, &first.resource).await?;
        scene
            .grant(subject, Action::MANAGE, &second.resource)
            .await?;
    }
    let bob = holder("bob");
    for shared in &shared {
        scene.grant(&bob, Action::READ, &shared.resource).await?;
    }
    // A grant on the form or on its collection is not a grant on the submission itself.
    scene.grant(&alice, Action::READ, &form.resource).await?;
    scene.grant(&alice, Action::READ, &form.collection).await?;
    scene.commit().await?;
    Ok((form, shared))
}

/// Promise 11: the submissions on which a subject holds one of the actions, in the states of the scope, each once.
pub async fn submissions_by_grants(store: Arc<dyn Store>) -> StoreResult<()> {
    let (form, [first, second, ..]) = write_shared(&*store).await?;
    let (first, second) = (first.uuid(), second.uuid());
    let any = [Action::READ, Action::MANAGE];
    let both = [holder("alice"), dynamic("crowd")];
    for (subjects, actions, counted, expected) in [
        (
            &both[..1],
            &any[..],
            SubmissionState::ALL,
            vec![first, second],
        ),
        (
            &both[..],
            &any[..],
            SubmissionState::ALL,
            vec![first, second],
        ),
        (&both[..], &any[..1], SubmissionState::ALL, vec![first]),
        (&both[..], &any[1..], SubmissionState::ALL, vec![second]),
        (&both[..], &any[..], DRAFT, vec![first]),
        (&both[..], &any[..], SUBMITTED, vec![second]),
        (&both[..], &any[..], &[], vec![]),
        (&both[..], &[], SubmissionState::ALL, vec![]),
        (&[], &any[..], SubmissionState::ALL, vec![]),
    ] {
        let subjects = Subjects::new(subjects.to_vec());
        let scope = SubmissionScope {
            granted: Some((subjects, actions.to_vec(), states(counted))),
            ..NOTHING
        };
        List::Submissions(form.id(), scope, None)
            .must_hold(&*store, &expected, EXACTLY)
            .await?;
    }
    Ok(())
}

/// Promise 11: a scope is the union of its parts, and rows that match several parts are listed once.
pub async fn submissions_by_every_part(store: Arc<dyn Store>) -> StoreResult<()> {
    let (form, [first, second, _, fourth]) = write_shared(&*store).await?;
    let expected = [first.uuid(), second.uuid(), fourth.uuid()];
    let scope = SubmissionScope {
        all: states(SUBMITTED),
        created: Some((user("carol"), states(SUBMITTED))),
        granted: Some((
            subjects([holder("alice"), dynamic("crowd")]),
            vec![Action::READ, Action::MANAGE],
            states(SubmissionState::ALL),
        )),
    };
    List::Submissions(form.id(), scope, None)
        .must_hold(&*store, &expected, EXACTLY)
        .await
}
