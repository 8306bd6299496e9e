//! Promise 10: a creator never has more submissions of a form than the cap.

use std::collections::BTreeMap;
use std::sync::Arc;

use formalize_core::store::{Store, StoreError, StoreResult, Window};
use formalize_core::{
    Form, FormId, Submission, SubmissionId, SubmissionState, UserId, forms::SubmissionCap,
};

use crate::store::dump::submissions;
use crate::store::samples::{Ids, cap, creator_based, user};
use crate::store::scene::{Scene, find_submission};
use crate::store::tasks::{pause, together};

/// Submits in a transaction, and returns whether a place was free.
async fn submit(
    store: &dyn Store,
    ids: &Ids,
    form: FormId,
    creator: &UserId,
    cap: Option<SubmissionCap>,
) -> StoreResult<bool> {
    let mut tx = store.write().await?;
    let Some(form) = tx.write_forms()?.lock_form(form).await? else {
        return Ok(false);
    };
    let submission = ids.submission(&form, creator, SubmissionState::Submitted);
    let submitted = tx
        .write_submissions()?
        .submit(&submission, form.revision, cap, None, None)
        .await?;
    pause().await;
    let found = tx
        .read_submissions()?
        .find_submission(submission.id)
        .await?;
    let expected = submitted.then_some(submission);
    assert_eq!(found, expected, "promise 10: written only with a place");
    // If no place was free, this commits nothing.
    tx.commit().await?;
    Ok(submitted)
}

async fn write_form(store: &dyn Store, ids: &Ids) -> StoreResult<Form> {
    let mut scene = Scene::begin(store, ids).await?;
    let form = scene.form(creator_based(&[])).await?.form;
    scene.commit().await?;
    Ok(form)
}

/// Fails unless the creator has this many submissions of the form, and as many places are taken.
async fn must_have(
    store: &dyn Store,
    form: FormId,
    creator: &UserId,
    expected: usize,
) -> StoreResult<()> {
    let mut tx = store.read().await?;
    let rows = submissions(form).rows(&mut *tx, Window::ALL).await?;
    assert_eq!(rows.len(), expected, "promise 10: the submissions");
    let places = tx.read_submissions()?.places_taken(form, creator).await?;
    let places = usize::try_from(places).unwrap_or(usize::MAX);
    assert_eq!(places, expected, "promise 10: the places of {creator:?}");
    Ok(())
}

/// Promise 10: places are counted for each form and creator, and none is available beyond the cap.
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
    assert_eq!(tx.read_submissions()?.places_taken(first, &alice).await?, 4);
    assert_eq!(tx.read_submissions()?.places_taken(first, &other).await?, 1);
    assert_eq!(
        tx.read_submissions()?.places_taken(second, &alice).await?,
        1
    );
    assert_eq!(
        tx.read_submissions()?.places_taken(second, &other).await?,
        0
    );
    Ok(())
}

/// Promise 10: the places of dropped transactions and of deleted submissions are free again.
pub async fn places_are_given_back(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let form = write_form(&*store, &ids).await?;
    let alice = user("alice");
    let only = Some(cap(1));
    for _ in 0..3 {
        let mut tx = store.write().await?;
        tx.write_forms()?.lock_form(form.id).await?;
        let submission = ids.submission(&form, &alice, SubmissionState::Draft);
        let submitted = tx
            .write_submissions()?
            .submit(&submission, form.revision, only, None, None)
            .await?;
        assert!(submitted, "promise 10: the dropped transactions took none");
        let another = ids.submission(&form, &alice, SubmissionState::Draft);
        assert!(
            !tx.write_submissions()?
                .submit(&another, form.revision, only, None, None)
                .await?,
            "one is taken"
        );
        drop(tx);
    }
    for _ in 0..3 {
        assert!(submit(&*store, &ids, form.id, &alice, only).await?);
        assert!(!submit(&*store, &ids, form.id, &alice, only).await?);
        let mut tx = store.write().await?;
        tx.write_forms()?.lock_form_exclusive(form.id).await?;
        assert_eq!(tx.write_submissions()?.delete_submitted(form.id).await?, 1);
        tx.commit().await?;
    }
    must_have(&*store, form.id, &alice, 0).await
}

/// Promise 9: a submission states the revision of its form. If the form has another revision or does not exist, nothing
/// is written.
pub async fn a_form_that_has_changed_gets_no_submission(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let form = write_form(&*store, &ids).await?;
    let other = write_form(&*store, &ids).await?;
    let alice = user("alice");
    let at_other = ids.submission(&form, &alice, SubmissionState::Submitted);
    assert!(
        !store
            .submit(&at_other, other.revision, None, None, None, &[])
            .await?
    );
    let mut tx = store.write().await?;
    assert!(
        !tx.write_submissions()?
            .submit(&at_other, other.revision, None, None, None)
            .await?
    );
    let in_none = Submission {
        form: FormId::from_uuid(ids.next()),
        ..at_other.clone()
    };
    assert!(
        !tx.write_submissions()?
            .submit(&in_none, form.revision, None, None, None)
            .await?
    );
    tx.commit().await?;
    must_have(&*store, form.id, &alice, 0).await?;
    let only = Some(cap(1));
    for (expected, state) in [
        (true, SubmissionState::Draft),
        (false, SubmissionState::Submitted),
    ] {
        let submission = ids.submission(&form, &alice, state);
        let submitted = store
            .submit(&submission, form.revision, only, None, None, &[])
            .await?;
        assert_eq!(submitted, expected, "promise 10: there is one place");
        let found = find_submission(&*store, submission.id).await?;
        assert_eq!(found, expected.then_some(submission), "promise 1");
    }
    must_have(&*store, form.id, &alice, 1).await
}

/// Promise 10: of sixty-four concurrent requests, five get the five places.
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
    assert_eq!(taken, 5, "promise 10: exactly five places are taken");
    must_have(&*store, form, &user("alice"), 5).await
}

/// Promise 10: concurrent requests of different creators do not take each other's places.
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
        assert_eq!(
            tx.read_submissions()?.places_taken(form, &creator).await?,
            2
        );
    }
    Ok(())
}

/// Promises 1, 9 and 10: however a store handles concurrent submissions, each has the same result as if it were alone:
/// with its own conditions, creator and data. A failed one does not affect others.
pub async fn submissions_made_at_once_are_told_apart(store: Arc<dyn Store>) -> StoreResult<()> {
    const TASKS: usize = 64;
    let ids = Ids::default();
    let form = write_form(&*store, &ids).await?;
    let there = ids.submission(&form, &user("somebody"), SubmissionState::Draft);
    assert!(
        store
            .submit(&there, form.revision, None, None, None, &[])
            .await?
    );
    let submit = |number| {
        let (store, ids, form, there) = (store.clone(), ids.clone(), form.clone(), there.id);
        async move { Ok(submit_one_of_many(&*store, &ids, &form, number, there).await) }
    };
    let mut made = together(TASKS, submit).await?;
    made.extend(together(TASKS, |number| submit(TASKS + number)).await?);
    let mut kept = BTreeMap::new();
    for (kind, submission, outcome) in made {
        let found = find_submission(&*store, submission.id).await?;
        match kind {
            Kind::Twice => {
                assert!(matches!(outcome, Err(StoreError::Failed(_))), "{outcome:?}");
                assert_eq!(found.as_ref(), Some(&there), "promise 1");
            }
            Kind::Outdated => {
                assert!(!outcome?, "promise 9: at another revision");
                assert_eq!(found, None, "promise 9");
            }
            Kind::Capped | Kind::Free => {
                let is_kept = outcome?;
                assert!(is_kept || kind == Kind::Capped, "promise 10: no cap");
                *kept.entry(submission.creator.clone()).or_default() += usize::from(is_kept);
                assert_eq!(found, is_kept.then_some(submission), "promise 1");
            }
        }
    }
    let mut tx = store.read().await?;
    for (creator, kept) in kept {
        let capped = creator.as_str().starts_with("capped");
        assert!(!capped || kept == 3, "promise 10: {creator:?} has {kept}");
        let places = tx
            .read_submissions()?
            .places_taken(form.id, &creator)
            .await?;
        assert_eq!(usize::try_from(places), Ok(kept), "promise 10: {creator:?}");
    }
    Ok(())
}

/// How one of many submissions differs from the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Capped,
    Free,
    /// It states another revision of the form.
    Outdated,
    /// Its identifier is already in use.
    Twice,
}

async fn submit_one_of_many(
    store: &dyn Store,
    ids: &Ids,
    form: &Form,
    number: usize,
    taken: SubmissionId,
) -> (Kind, Submission, StoreResult<bool>) {
    let (kind, creator) = match number % 8 {
        0 if number == 32 => (Kind::Twice, user("twice")),
        0 => (Kind::Outdated, user("free 1")),
        odd @ (1 | 3 | 5) => (Kind::Free, user(&format!("free {odd}"))),
        7 => (Kind::Free, UserId::SYSTEM),
        even => (Kind::Capped, user(&format!("capped {even}"))),
    };
    let state = if number.is_multiple_of(2) {
        SubmissionState::Draft
    } else {
        SubmissionState::Submitted
    };
    let mut submission = ids.submission(form, &creator, state);
    submission.data =
        (!number.is_multiple_of(3)).then(|| format!("{{\"Ä, 'b', \\\\\":{number}}}").into());
    submission.last_modified_by = user(&format!("modifier {number}"));
    if kind == Kind::Twice {
        submission.id = taken;
    }
    let revision = match kind {
        Kind::Outdated => ids.revision(),
        _ => form.revision,
    };
    let limit = (kind == Kind::Capped).then(|| cap(3));
    let outcome = store
        .submit(&submission, revision, limit, None, None, &[])
        .await;
    (kind, submission, outcome)
}

/// Promise 10: the count stays correct while submissions are created, dropped and deleted concurrently.
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
            tx.write_forms()?.lock_form(form.id).await?;
            let victim = SubmissionId::from_uuid(victim);
            let Some(submission) = tx
                .write_submissions()?
                .lock_submission_exclusive(victim)
                .await?
            else {
                return Ok(0);
            };
            pause().await;
            tx.write_submissions()?
                .delete_submission(&submission)
                .await?;
            tx.commit().await?;
            let dropped = ids.submission(&form, &submission.creator, SubmissionState::Draft);
            let mut tx = store.write().await?;
            tx.write_forms()?.lock_form(form.id).await?;
            assert!(
                tx.write_submissions()?
                    .submit(&dropped, form.revision, None, None, None)
                    .await?
            );
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
