//! Promise 10: a form never has more submitted submissions than its limit.

use std::sync::Arc;

use formalize_core::store::{Store, StoreResult, Window};
use formalize_core::{Form, FormId, Submission, SubmissionRules, SubmissionState};

use crate::store::dump::submissions;
use crate::store::samples::{Ids, cap, creator_based, limit, user};
use crate::store::scene::{Scene, find_submission};
use crate::store::tasks::{pause, together};

const DRAFT: SubmissionState = SubmissionState::Draft;
const SUBMITTED: SubmissionState = SubmissionState::Submitted;

fn limited(to: Option<i64>) -> SubmissionRules {
    SubmissionRules {
        limit: to.map(limit),
        ..creator_based(&[])
    }
}

async fn write_form(store: &dyn Store, ids: &Ids, to: Option<i64>) -> StoreResult<Form> {
    let mut scene = Scene::begin(store, ids).await?;
    let form = scene.form(limited(to)).await?.form;
    scene.commit().await?;
    Ok(form)
}

/// Changes the limit, and returns the form.
async fn change(store: &dyn Store, ids: &Ids, form: &Form, to: Option<i64>) -> StoreResult<Form> {
    let mut tx = store.write().await?;
    tx.write_forms()?.lock_form_exclusive(form.id).await?;
    let form = Form {
        rules: limited(to),
        revision: ids.revision(),
        ..form.clone()
    };
    tx.write_forms()?.update_form(&form).await?;
    tx.commit().await?;
    Ok(form)
}

/// Submits, and returns the submission if there was a place for it.
async fn submit(
    store: &dyn Store,
    ids: &Ids,
    form: &Form,
    state: SubmissionState,
) -> StoreResult<Option<Submission>> {
    let mut tx = store.write().await?;
    tx.write_forms()?.lock_form(form.id).await?;
    let submission = ids.submission(form, &user("alice"), state);
    let limit = form.rules.limit;
    let submitted = tx
        .write_submissions()?
        .submit(&submission, form.revision, None, limit, None)
        .await?;
    let found = tx
        .read_submissions()?
        .find_submission(submission.id)
        .await?;
    assert_eq!(
        found.is_some(),
        submitted,
        "promise 10: written with a place"
    );
    tx.commit().await?;
    Ok(found)
}

/// Submits a draft, and returns whether there was a place for it.
async fn submit_draft(store: &dyn Store, form: &Form, draft: &Submission) -> StoreResult<bool> {
    let mut tx = store.write().await?;
    tx.write_forms()?.lock_form(form.id).await?;
    let Some(draft) = tx
        .write_submissions()?
        .lock_submission_exclusive(draft.id)
        .await?
    else {
        return Ok(false);
    };
    if let Some(limit) = form.rules.limit
        && !tx
            .write_submissions()?
            .take_form_place(form.id, limit)
            .await?
    {
        return Ok(false);
    }
    pause().await;
    let submitted = Submission {
        state: SUBMITTED,
        ..draft
    };
    tx.write_submissions()?
        .update_submission(&submitted)
        .await?;
    tx.commit().await?;
    Ok(true)
}

async fn delete(store: &dyn Store, submission: &Submission) -> StoreResult<()> {
    let mut tx = store.write().await?;
    tx.write_forms()?.lock_form(submission.form).await?;
    if let Some(submission) = tx
        .write_submissions()?
        .lock_submission_exclusive(submission.id)
        .await?
    {
        tx.write_submissions()?
            .delete_submission(&submission)
            .await?;
    }
    tx.commit().await
}

/// Fails unless this many places of a form with a limit are taken, by as many submitted submissions.
async fn must_be_taken(store: &dyn Store, form: FormId, expected: i64) -> StoreResult<()> {
    let mut tx = store.read().await?;
    let taken = tx.read_submissions()?.form_places_taken(form).await?;
    assert_eq!(taken, Some(expected), "promise 10: the places of the form");
    let ids = submissions(form).ids(&mut *tx, Window::ALL).await?;
    let ids: Vec<_> = ids
        .into_iter()
        .map(formalize_core::SubmissionId::from_uuid)
        .collect();
    let all = tx.read_submissions()?.submission_headers(&ids).await?;
    let submitted = all.iter().filter(|row| row.state == SUBMITTED).count();
    assert_eq!(
        i64::try_from(submitted),
        Ok(expected),
        "promise 10: the submissions"
    );
    Ok(())
}

/// Promise 10: submitted submissions take places of a form with a limit, and drafts take none.
pub async fn places_of_a_form_are_counted(store: Arc<dyn Store>) -> StoreResult<()> {
    let (store, ids) = (&*store, Ids::default());
    let form = write_form(store, &ids, Some(2)).await?;
    let other = write_form(store, &ids, Some(0)).await?;
    must_be_taken(store, form.id, 0).await?;
    let mut drafts = Vec::new();
    for _ in 0..3 {
        drafts.extend(submit(store, &ids, &form, DRAFT).await?);
    }
    assert_eq!(drafts.len(), 3, "promise 10: drafts take no places");
    must_be_taken(store, form.id, 0).await?;
    assert!(submit(store, &ids, &form, SUBMITTED).await?.is_some());
    for (draft, expected) in drafts.iter().zip([true, false, false]) {
        let submitted = submit_draft(store, &form, draft).await?;
        assert_eq!(
            submitted, expected,
            "promise 10: the second place is the last"
        );
    }
    assert_eq!(submit(store, &ids, &form, SUBMITTED).await?, None);
    assert!(submit(store, &ids, &form, DRAFT).await?.is_some());
    assert_eq!(submit(store, &ids, &other, SUBMITTED).await?, None);
    must_be_taken(store, form.id, 2).await?;
    must_be_taken(store, other.id, 0).await
}

/// Promise 10: a form that gets a limit counts what was submitted before, and keeps it even above the limit.
pub async fn a_new_limit_counts_earlier_submissions(store: Arc<dyn Store>) -> StoreResult<()> {
    let (store, ids) = (&*store, Ids::default());
    let form = write_form(store, &ids, None).await?;
    let mut submitted = Vec::new();
    for _ in 0..3 {
        submitted.extend(submit(store, &ids, &form, SUBMITTED).await?);
        submit(store, &ids, &form, DRAFT).await?;
    }
    let taken = store
        .read()
        .await?
        .read_submissions()?
        .form_places_taken(form.id)
        .await?;
    assert_eq!(taken, None, "a form without a limit counts nothing");
    let form = change(store, &ids, &form, Some(2)).await?;
    must_be_taken(store, form.id, 3).await?;
    assert_eq!(submit(store, &ids, &form, SUBMITTED).await?, None);
    for (submission, is_free) in submitted.iter().zip([false, true]) {
        delete(store, submission).await?;
        let made = submit(store, &ids, &form, SUBMITTED).await?;
        assert_eq!(made.is_some(), is_free, "promise 10: two places");
    }
    let form = change(store, &ids, &form, Some(4)).await?;
    must_be_taken(store, form.id, 2).await?;
    let form = change(store, &ids, &form, None).await?;
    for _ in 0..3 {
        assert!(submit(store, &ids, &form, SUBMITTED).await?.is_some());
    }
    let form = change(store, &ids, &form, Some(6)).await?;
    must_be_taken(store, form.id, 5).await?;
    assert!(submit(store, &ids, &form, SUBMITTED).await?.is_some());
    assert_eq!(submit(store, &ids, &form, SUBMITTED).await?, None);
    must_be_taken(store, form.id, 6).await
}

/// Promise 10: the places of dropped transactions and of deleted submissions are free again.
pub async fn places_of_a_form_are_given_back(store: Arc<dyn Store>) -> StoreResult<()> {
    let (store, ids) = (&*store, Ids::default());
    let form = write_form(store, &ids, Some(1)).await?;
    let kept = submit(store, &ids, &form, DRAFT).await?;
    for _ in 0..2 {
        let mut tx = store.write().await?;
        tx.write_forms()?.lock_form(form.id).await?;
        let submission = ids.submission(&form, &user("alice"), SUBMITTED);
        let limit = form.rules.limit;
        let submitted = tx
            .write_submissions()?
            .submit(&submission, form.revision, None, limit, None)
            .await?;
        assert!(submitted, "promise 10: the dropped transactions took none");
    }
    let only = submit(store, &ids, &form, SUBMITTED).await?;
    must_be_taken(store, form.id, 1).await?;
    if let Some(draft) = submit(store, &ids, &form, DRAFT).await? {
        delete(store, &draft).await?;
    }
    must_be_taken(store, form.id, 1).await?;
    if let Some(submission) = only {
        delete(store, &submission).await?;
    }
    must_be_taken(store, form.id, 0).await?;
    assert!(submit(store, &ids, &form, SUBMITTED).await?.is_some());
    let mut tx = store.write().await?;
    tx.write_forms()?.lock_form_exclusive(form.id).await?;
    assert_eq!(tx.write_submissions()?.delete_submitted(form.id).await?, 1);
    tx.commit().await?;
    must_be_taken(store, form.id, 0).await?;
    if let Some(draft) = kept {
        assert!(submit_draft(store, &form, &draft).await?);
    }
    must_be_taken(store, form.id, 1).await
}

/// Promise 10: a submission takes either both places or none.
pub async fn places_are_taken_together(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let form = write_form(&*store, &ids, Some(2)).await?;
    for (creator, expected) in [
        ("alice", true),
        ("alice", false),
        ("bob", true),
        ("carol", false),
    ] {
        let submission = ids.submission(&form, &user(creator), SUBMITTED);
        let (only, limit) = (Some(cap(1)), form.rules.limit);
        let submitted = store
            .submit(&submission, form.revision, only, limit, None, &[])
            .await?;
        assert_eq!(submitted, expected, "promise 10: {creator}");
    }
    let mut tx = store.read().await?;
    for (creator, expected) in [("alice", 1), ("bob", 1), ("carol", 0)] {
        let taken = tx
            .read_submissions()?
            .places_taken(form.id, &user(creator))
            .await?;
        assert_eq!(taken, expected, "promise 10: {creator}");
    }
    must_be_taken(&*store, form.id, 2).await
}

/// Promise 10: of sixty-four concurrent requests, some of which submit a draft, five get the five places.
pub async fn racing_requests_get_the_places_of_a_form(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let form = write_form(&*store, &ids, Some(5)).await?;
    let taken = together(16, |number| {
        let (store, ids, form) = (Arc::clone(&store), ids.clone(), form.clone());
        async move {
            let mut taken = 0;
            for _ in 0..4 {
                let is_made = match submit(&*store, &ids, &form, DRAFT).await? {
                    Some(draft) if number % 2 == 0 => submit_draft(&*store, &form, &draft).await?,
                    _ => submit(&*store, &ids, &form, SUBMITTED).await?.is_some(),
                };
                taken += usize::from(is_made);
            }
            Ok(taken)
        }
    })
    .await?;
    let taken: usize = taken.iter().sum();
    assert_eq!(taken, 5, "promise 10: exactly five places are taken");
    must_be_taken(&*store, form.id, 5).await
}

/// Promises 1 and 10: however a store handles concurrent submissions, as many as there are places are written, whatever
/// their creators and caps.
pub async fn submissions_made_at_once_get_all_places(store: Arc<dyn Store>) -> StoreResult<()> {
    const TASKS: usize = 64;
    let ids = Ids::default();
    let form = write_form(&*store, &ids, Some(40)).await?;
    let made = together(TASKS, |number| {
        let (store, ids, form) = (Arc::clone(&store), ids.clone(), form.clone());
        async move {
            let state = if number % 8 == 0 { DRAFT } else { SUBMITTED };
            // Half of the creators have two submissions each, of which they may make one.
            let (creator, only) = match number % 4 {
                3 => (number / 8, Some(cap(1))),
                _ => (100 + number, None),
            };
            let submission = ids.submission(&form, &user(&format!("creator {creator}")), state);
            let limit = form.rules.limit;
            let written = store
                .submit(&submission, form.revision, only, limit, None, &[])
                .await?;
            let found = find_submission(&*store, submission.id).await?;
            assert_eq!(found.is_some(), written, "promise 1");
            assert!(
                written || state == SUBMITTED,
                "promise 10: drafts take none"
            );
            Ok(written && state == SUBMITTED)
        }
    })
    .await?;
    let made = made.into_iter().filter(|made| *made).count();
    assert_eq!(made, 40, "promise 10: all places are taken");
    must_be_taken(&*store, form.id, 40).await
}

/// Promises 9 and 10: submissions that are made and deleted while a form gets a limit, or loses it, are counted.
pub async fn a_racing_limit_counts_every_submission(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let form = write_form(&*store, &ids, None).await?;
    together(8, |number| {
        let (store, ids, id) = (Arc::clone(&store), ids.clone(), form.id);
        async move {
            for round in 0..6 {
                let Some(form) = store.read().await?.read_forms()?.find_form(id).await? else {
                    return Ok(());
                };
                if number == 0 {
                    let to = (round % 2 == 0).then_some(1_000);
                    change(&*store, &ids, &form, to).await?;
                    continue;
                }
                let mut made = Vec::new();
                for _ in 0..2 {
                    let submission = ids.submission(&form, &user("alice"), SUBMITTED);
                    let limit = form.rules.limit;
                    // This fails if the form has changed since it was read.
                    let written = store
                        .submit(&submission, form.revision, None, limit, None, &[])
                        .await?;
                    made.extend(written.then_some(submission));
                }
                if let Some(submission) = made.first() {
                    delete(&*store, submission).await?;
                }
            }
            Ok(())
        }
    })
    .await?;
    let Some(form) = store.read().await?.read_forms()?.find_form(form.id).await? else {
        return Ok(());
    };
    let form = change(&*store, &ids, &form, Some(1_000)).await?;
    let mut tx = store.read().await?;
    let taken = tx
        .read_submissions()?
        .form_places_taken(form.id)
        .await?
        .unwrap_or_default();
    must_be_taken(&*store, form.id, taken).await
}

/// Submissions that are written together take their places together, or none of them is written.
pub async fn several_submissions_take_places_together(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let form = write_form(&*store, &ids, Some(3)).await?;
    let of_alice = async |states: &[SubmissionState], cap, revision| {
        let submissions: Vec<_> = states
            .iter()
            .map(|state| (ids.submission(&form, &user("alice"), *state), None))
            .collect();
        let mut tx = store.write().await?;
        tx.write_forms()?.lock_form_exclusive(form.id).await?;
        let limit = form.rules.limit;
        let are_written = tx
            .write_submissions()?
            .submit_all(&submissions, revision, cap, limit)
            .await?;
        if are_written {
            tx.commit().await?;
        } else {
            drop(tx);
        }
        let mut tx = store.read().await?;
        let written: Vec<_> = submissions.iter().map(|(made, _)| made.id).collect();
        let found = tx
            .read_submissions()?
            .submission_headers(&written)
            .await?
            .len();
        let expected = if are_written { states.len() } else { 0 };
        assert_eq!(found, expected, "promise 10: all or none");
        let taken = (
            tx.read_submissions()?
                .places_taken(form.id, &user("alice"))
                .await?,
            tx.read_submissions()?.form_places_taken(form.id).await?,
        );
        StoreResult::Ok((are_written, taken))
    };
    let revision = form.revision;
    let mixed = of_alice(&[SUBMITTED, DRAFT, SUBMITTED], None, revision).await?;
    assert_eq!(mixed, (true, (3, Some(2))));
    let too_many = of_alice(&[DRAFT, SUBMITTED, SUBMITTED], None, revision).await?;
    assert_eq!(too_many, (false, (3, Some(2))), "promise 10: the limit");
    let above_cap = of_alice(&[DRAFT, DRAFT], Some(cap(4)), revision).await?;
    assert_eq!(above_cap, (false, (3, Some(2))), "promise 10: the cap");
    let changed = of_alice(&[DRAFT], None, ids.revision()).await?;
    assert_eq!(changed, (false, (3, Some(2))), "the form has changed");
    let last = of_alice(&[SUBMITTED], Some(cap(4)), revision).await?;
    assert_eq!(last, (true, (4, Some(3))));
    let none = of_alice(&[], Some(cap(4)), revision).await?;
    assert_eq!(none, (true, (4, Some(3))));
    Ok(())
}
