//! Promise 10: a creator never has more submissions of a form than the cap.

use std::sync::Arc;

use crate::id::{FormId, SubmissionId};
use crate::model::form::{Form, SubmissionCap, SubmissionState};
use crate::model::subject::UserId;
use crate::model::submission::Submission;
use crate::page::Window;
use crate::store::conformance::dump::submissions;
use crate::store::conformance::samples::{Ids, cap, creator_based, user};
use crate::store::conformance::scene::Scene;
use crate::store::conformance::tasks::{pause, together};
use crate::store::{Store, StoreResult};

/// Submits in a transaction; tells whether there was a place.
async fn submit(
    store: &dyn Store,
    ids: &Ids,
    form: FormId,
    creator: &UserId,
    cap: Option<SubmissionCap>,
) -> StoreResult<bool> {
    let mut tx = store.write().await?;
    let Some(form) = tx.lock_form(form).await? else {
        return Ok(false);
    };
    let submission = ids.submission(&form, creator, SubmissionState::Submitted);
    let submitted = tx.submit(&submission, form.revision, cap).await?;
    pause().await;
    let found = tx.find_submission(submission.id).await?;
    let expected = submitted.then_some(submission);
    assert_eq!(found, expected, "promise 10: written with a place alone");
    // Without a place this keeps nothing.
    tx.commit().await?;
    Ok(submitted)
}

async fn write_form(store: &dyn Store, ids: &Ids) -> StoreResult<Form> {
    let mut scene = Scene::begin(store, ids).await?;
    let form = scene.form(creator_based(&[])).await?.form;
    scene.commit().await?;
    Ok(form)
}

/// Fails unless the creator has so many submissions of the form, and so many places are taken.
async fn must_have(
    store: &dyn Store,
    form: FormId,
    creator: &UserId,
    expected: usize,
) -> StoreResult<()> {
    let mut tx = store.read().await?;
    let rows = submissions(form).rows(&mut *tx, Window::ALL).await?;
    assert_eq!(rows.len(), expected, "promise 10: the submissions");
    let places = tx.places_taken(form, creator).await?;
    let places = usize::try_from(places).unwrap_or(usize::MAX);
    assert_eq!(places, expected, "promise 10: the places of {creator:?}");
    Ok(())
}

/// Promise 10: places are counted for each form and creator, and none is to be had beyond the cap.
pub async fn places_are_counted(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let first = write_form(&*store, &ids).await?.id;
    let second = write_form(&*store, &ids).await?.id;
    let (alice, other) = (user("alice"), user("Alice"));
    for (form, creator, limit, expected) in [
        (first, &alice, Some(cap(0)), false),
        (first, &alice, Some(cap(1)), true),
        (first, &alice, Some(cap(1)), false),
        (first, &other, Some(cap(1)), true),
        (second, &alice, Some(cap(1)), true),
        (first, &alice, Some(cap(2)), true),
        (first, &alice, Some(cap(1)), false),
        (first, &alice, None, true),
        (first, &alice, Some(cap(3)), false),
        (first, &alice, Some(cap(SubmissionCap::MAX)), true),
    ] {
        let taken = submit(&*store, &ids, form, creator, limit).await?;
        assert_eq!(taken, expected, "promise 10: {creator:?} with {limit:?}");
    }
    let mut tx = store.read().await?;
    assert_eq!(tx.places_taken(first, &alice).await?, 4);
    assert_eq!(tx.places_taken(first, &other).await?, 1);
    assert_eq!(tx.places_taken(second, &alice).await?, 1);
    assert_eq!(tx.places_taken(second, &other).await?, 0);
    Ok(())
}

/// Promise 10: a place that a dropped transaction took is free, and so is the place of a deleted submission.
pub async fn places_are_given_back(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let form = write_form(&*store, &ids).await?;
    let alice = user("alice");
    let only = Some(cap(1));
    for _ in 0..3 {
        let mut tx = store.write().await?;
        tx.lock_form(form.id).await?;
        let submission = ids.submission(&form, &alice, SubmissionState::Draft);
        let submitted = tx.submit(&submission, form.revision, only).await?;
        assert!(submitted, "promise 10: the dropped transactions took none");
        let another = ids.submission(&form, &alice, SubmissionState::Draft);
        assert!(
            !tx.submit(&another, form.revision, only).await?,
            "one is taken"
        );
        drop(tx);
    }
    for _ in 0..3 {
        assert!(submit(&*store, &ids, form.id, &alice, only).await?);
        assert!(!submit(&*store, &ids, form.id, &alice, only).await?);
        let mut tx = store.write().await?;
        tx.lock_form_exclusive(form.id).await?;
        assert_eq!(tx.delete_submitted(form.id).await?, 1);
        tx.commit().await?;
    }
    must_have(&*store, form.id, &alice, 0).await
}

/// Promise 9: who submits says at which revision the form was; at another one, or without the form, nothing is written.
pub async fn a_form_that_has_changed_gets_no_submission(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let form = write_form(&*store, &ids).await?;
    let other = write_form(&*store, &ids).await?;
    let alice = user("alice");
    let at_other = ids.submission(&form, &alice, SubmissionState::Submitted);
    assert!(!store.submit(&at_other, other.revision, None).await?);
    let mut tx = store.write().await?;
    assert!(!tx.submit(&at_other, other.revision, None).await?);
    let in_none = Submission {
        form: FormId::from_uuid(ids.next()),
        ..at_other.clone()
    };
    assert!(!tx.submit(&in_none, form.revision, None).await?);
    tx.commit().await?;
    must_have(&*store, form.id, &alice, 0).await?;
    let only = Some(cap(1));
    for (expected, state) in [
        (true, SubmissionState::Draft),
        (false, SubmissionState::Submitted),
    ] {
        let submission = ids.submission(&form, &alice, state);
        let submitted = store.submit(&submission, form.revision, only).await?;
        assert_eq!(submitted, expected, "promise 10: there is one place");
        let found = store.read().await?.find_submission(submission.id).await?;
        assert_eq!(found, expected.then_some(submission), "promise 1");
    }
    must_have(&*store, form.id, &alice, 1).await
}

/// Promise 10: of sixty-four requests at the same time, five get the five places.
pub async fn racing_creators_get_the_places_there_are(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let form = write_form(&*store, &ids).await?.id;
    let taken = together(16, |_| {
        let (store, ids) = (Arc::clone(&store), ids.clone());
        async move {
            let mut taken = 0;
            for _ in 0..4 {
                let alice = user("alice");
                let place = submit(&*store, &ids, form, &alice, Some(cap(5))).await?;
                taken += usize::from(place);
            }
            Ok(taken)
        }
    })
    .await?;
    let taken: usize = taken.iter().sum();
    assert_eq!(taken, 5, "promise 10: five places, and all of them");
    must_have(&*store, form, &user("alice"), 5).await
}

/// Promise 10: racing requests of different creators do not take each other's places.
pub async fn racing_creators_have_their_own_places(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let form = write_form(&*store, &ids).await?.id;
    let taken = together(12, |number| {
        let (store, ids) = (Arc::clone(&store), ids.clone());
        let creator = user(&format!("creator {}", number % 4));
        async move {
            let first = submit(&*store, &ids, form, &creator, Some(cap(2))).await?;
            let second = submit(&*store, &ids, form, &creator, Some(cap(2))).await?;
            Ok(usize::from(first) + usize::from(second))
        }
    })
    .await?;
    let taken: usize = taken.iter().sum();
    assert_eq!(taken, 4 * 2, "promise 10: two places for each of four");
    let mut tx = store.read().await?;
    for number in 0..4 {
        let creator = user(&format!("creator {number}"));
        assert_eq!(tx.places_taken(form, &creator).await?, 2);
    }
    Ok(())
}

/// Promise 10: while submissions are made, dropped and deleted at the same time, the count stays right.
pub async fn racing_deletions_give_places_back_once(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let form = write_form(&*store, &ids).await?;
    let alice = user("alice");
    for _ in 0..3 {
        submit(&*store, &ids, form.id, &alice, None).await?;
    }
    let everything = submissions(form.id);
    let before = everything
        .ids(&mut *store.read().await?, Window::ALL)
        .await?;
    let deleted = together(9, |number| {
        let (store, ids, form) = (Arc::clone(&store), ids.clone(), form.clone());
        let victim = before.get(number % 3).copied().unwrap_or_default();
        async move {
            let mut tx = store.write().await?;
            tx.lock_form(form.id).await?;
            let victim = SubmissionId::from_uuid(victim);
            let Some(submission) = tx.lock_submission_exclusive(victim).await? else {
                return Ok(0);
            };
            pause().await;
            tx.delete_submission(&submission).await?;
            tx.commit().await?;
            let dropped = ids.submission(&form, &submission.creator, SubmissionState::Draft);
            let mut tx = store.write().await?;
            tx.lock_form(form.id).await?;
            assert!(tx.submit(&dropped, form.revision, None).await?);
            drop(tx);
            submit(&*store, &ids, form.id, &submission.creator, None).await?;
            Ok(1)
        }
    })
    .await?;
    let deleted: i32 = deleted.iter().sum();
    assert_eq!(deleted, 3, "promise 9: each submission is deleted once");
    must_have(&*store, form.id, &alice, 3).await
}
