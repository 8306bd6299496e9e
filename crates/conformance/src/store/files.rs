//! Promises 22 and 23: files belong to one submission, expire with it, and keep within the quota of its creator.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use formalize_core::store::scope::Subjects;
use formalize_core::store::{
    FilesChanged, Principal, Selection, Store, StoreResult, Window, WriteTx,
};
use formalize_core::{
    Form, FormId, Submission, SubmissionState, Timestamp, UserId,
    files::{ContentHash, FileId, MimeType, SubmittedFile},
};

use crate::store::dump::submissions;
use crate::store::list::Row;
use crate::store::samples::{Ids, attribute_name, creator_based, file_name, instant, now, user};
use crate::store::scene::{Scene, find_submission};
use crate::store::tasks::{pause, together};
use formalize_core::internals::scopes::every_submission;

const DRAFT: SubmissionState = SubmissionState::Draft;
const SUBMITTED: SubmissionState = SubmissionState::Submitted;

/// When uploads of these cases expire.
fn later() -> Timestamp {
    now().saturating_add(Duration::from_mins(40))
}

pub(super) async fn write_form(store: &dyn Store, ids: &Ids) -> StoreResult<Form> {
    let mut scene = Scene::begin(store, ids).await?;
    let form = scene.form(creator_based(&[])).await?.form;
    scene.commit().await?;
    Ok(form)
}

pub(super) async fn write_submission(
    store: &dyn Store,
    ids: &Ids,
    form: &Form,
    creator: &UserId,
    state: SubmissionState,
) -> StoreResult<Submission> {
    let mut scene = Scene::begin(store, ids).await?;
    let submission = scene.submission(form, creator, state).await?;
    scene.commit().await?;
    Ok(submission)
}

/// Inserts files that belong to no submission yet, and returns what they will be.
pub(super) async fn upload(
    store: &dyn Store,
    ids: &Ids,
    submission: &Submission,
    sizes: &[u64],
) -> StoreResult<Vec<SubmittedFile>> {
    let mut tx = store.write().await?;
    let mut files = Vec::new();
    for size in sizes {
        let file = ids.file(submission, *size);
        tx.write_files()?.insert_file(file.id, later()).await?;
        files.push(file);
    }
    tx.commit().await?;
    files.sort_by_key(|file| file.id);
    Ok(files)
}

/// Locks a submission and changes its files, without a quota.
pub(super) async fn change(
    store: &dyn Store,
    submission: &Submission,
    removed: &[FileId],
    added: &[SubmittedFile],
) -> StoreResult<FilesChanged> {
    change_within(store, submission, removed, added, None).await
}

async fn change_within(
    store: &dyn Store,
    submission: &Submission,
    removed: &[FileId],
    added: &[SubmittedFile],
    quota: Option<u64>,
) -> StoreResult<FilesChanged> {
    let mut tx = store.write().await?;
    let changed = change_in(&mut *tx, submission, removed, added, quota).await?;
    if changed == FilesChanged::Done {
        tx.commit().await?;
    }
    Ok(changed)
}

async fn change_in(
    tx: &mut dyn WriteTx,
    submission: &Submission,
    removed: &[FileId],
    added: &[SubmittedFile],
    quota: Option<u64>,
) -> StoreResult<FilesChanged> {
    tx.write_forms()?.lock_form(submission.form).await?;
    let locked = tx
        .write_submissions()?
        .lock_submission_exclusive(submission.id)
        .await?;
    let Some(locked) = locked else {
        return Ok(FilesChanged::Expired);
    };
    tx.write_files()?
        .change_files(&locked, removed, added, quota, now())
        .await
}

/// Uploads files and adds them to a submission.
pub(super) async fn add(
    store: &dyn Store,
    ids: &Ids,
    submission: &Submission,
    sizes: &[u64],
) -> StoreResult<Vec<SubmittedFile>> {
    let files = upload(store, ids, submission, sizes).await?;
    let added = change(store, submission, &[], &files).await?;
    assert_eq!(added, FilesChanged::Done, "promise 22: the files are new");
    Ok(files)
}

/// Fails unless a submission has these files, whichever way it is read.
async fn must_have(
    store: &dyn Store,
    submission: &Submission,
    files: &[SubmittedFile],
) -> StoreResult<()> {
    let expected = Some(Submission {
        files: files.to_vec(),
        ..submission.clone()
    });
    let (alice, subjects) = (user("alice"), Subjects::new(Vec::new()));
    let principal = Principal {
        user: &alice,
        subjects: &subjects,
    };
    let mut tx = store.write().await?;
    let found = tx
        .read_submissions()?
        .find_submission(submission.id)
        .await?;
    assert_eq!(found, expected, "promise 22: found");
    for file in files {
        let found = tx.read_files()?.find_file(file.id).await?;
        assert_eq!(found.as_ref(), Some(file), "promise 22: found by itself");
    }
    let found = tx
        .read_submissions()?
        .find_submission_for(submission.id, principal)
        .await?;
    let found = found.map(|found| found.submission);
    assert_eq!(found, expected, "promise 22: found for somebody");
    let list = submissions(submission.form);
    let listed = list.rows(&mut *tx, Window::ALL).await?;
    let listed = listed.into_iter().find_map(|row| match row {
        Row::Submission(row) if row.id == submission.id => Some(row),
        _ => None,
    });
    assert_eq!(listed, expected, "promise 22: listed");
    let found = tx
        .write_submissions()?
        .lock_submission_exclusive(submission.id)
        .await?;
    assert_eq!(found, expected, "promise 22: locked");
    Ok(())
}

/// The unused files at a time, in order.
async fn unused(store: &dyn Store, at: Timestamp) -> StoreResult<BTreeSet<FileId>> {
    let mut tx = store.read().await?;
    let found = tx.read_files()?.unused_files(at, usize::MAX).await?;
    let distinct: BTreeSet<FileId> = found.iter().copied().collect();
    assert_eq!(distinct.len(), found.len(), "promise 22: each once");
    Ok(distinct)
}

fn ids_of<'f>(files: impl IntoIterator<Item = &'f SubmittedFile>) -> BTreeSet<FileId> {
    files.into_iter().map(|file| file.id).collect()
}

async fn bytes(store: &dyn Store, form: FormId, creator: &UserId) -> StoreResult<u64> {
    store
        .read()
        .await?
        .read_files()?
        .file_bytes(form, creator)
        .await
}

/// Promises 5 and 22: every value of a file comes back, in the order of identifiers, with every way of reading its
/// submission.
pub async fn files_come_back_with_their_submissions(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let form = write_form(&*store, &ids).await?;
    let submission = write_submission(&*store, &ids, &form, &user("alice"), DRAFT).await?;
    must_have(&*store, &submission, &[]).await?;
    let mut files = upload(&*store, &ids, &submission, &[0, 1, 1 << 40]).await?;
    must_have(&*store, &submission, &[]).await?;
    if let [first, second, third] = files.as_mut_slice() {
        first.name = file_name("Ä\u{308} \"quoted\" 'x' {}[]%22 👩‍🚀.PDF");
        first.creator = UserId::SYSTEM;
        second.attribute = attribute_name("__proto__.ß 'b'");
        second.creator = user("bob \"the\" builder");
        third.mime_type = MimeType::from_stored("image/svg+xml".to_owned());
        third.sha256 = ContentHash::of(b"some text");
        third.date_created = later();
    }
    let added = change(&*store, &submission, &[], &files).await?;
    assert_eq!(added, FilesChanged::Done);
    must_have(&*store, &submission, &files).await?;
    let other = write_submission(&*store, &ids, &form, &user("alice"), DRAFT).await?;
    let [gone, kept @ ..] = files.as_slice() else {
        return Ok(());
    };
    let of_other = add(&*store, &ids, &other, &[7]).await?;
    let new = upload(&*store, &ids, &submission, &[9]).await?;
    let changed = change(&*store, &submission, &[gone.id], &new).await?;
    assert_eq!(changed, FilesChanged::Done);
    let mut expected = [kept, new.as_slice()].concat();
    expected.sort_by_key(|file| file.id);
    must_have(&*store, &submission, &expected).await?;
    must_have(&*store, &other, &of_other).await?;
    let nobody = Selection {
        creator: Some("nobody"),
        ..Selection::default()
    };
    let everything = every_submission();
    let mut tx = store.read().await?;
    let none = tx
        .read_submissions()?
        .submissions(form.id, &everything, nobody, Window::ALL);
    assert_eq!(none.await?, []);
    Ok(())
}

/// Promise 22: a file that belongs to a submission is not added to another one, and not to the same one again.
pub async fn files_of_one_submission_are_no_others(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let form = write_form(&*store, &ids).await?;
    let alice = user("alice");
    let submission = write_submission(&*store, &ids, &form, &alice, DRAFT).await?;
    let other = write_submission(&*store, &ids, &form, &alice, DRAFT).await?;
    let files = add(&*store, &ids, &submission, &[5, 6]).await?;
    for to in [&other, &submission] {
        let refused = change(&*store, to, &[], &files).await?;
        assert_eq!(refused, FilesChanged::Expired, "promise 22");
    }
    must_have(&*store, &submission, &files).await?;
    must_have(&*store, &other, &[]).await?;
    let mut tx = store.write().await?;
    let ids: Vec<FileId> = files.iter().map(|file| file.id).collect();
    assert_eq!(
        tx.write_files()?.expire_files(&ids).await?,
        [],
        "promise 22: in use"
    );
    assert_eq!(tx.write_files()?.expire_all_uploads().await?, 0);
    assert_eq!(tx.write_files()?.delete_unused_files(&ids).await?, 0);
    tx.commit().await?;
    must_have(&*store, &submission, &files).await
}

/// Promise 22: replacing a submission keeps its files.
pub async fn changes_of_a_submission_keep_its_files(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let form = write_form(&*store, &ids).await?;
    let submission = write_submission(&*store, &ids, &form, &user("alice"), DRAFT).await?;
    let files = add(&*store, &ids, &submission, &[5, 6]).await?;
    let changed = Submission {
        state: SUBMITTED,
        data: Some(r#"{"a": 1}"#.into()),
        revision: ids.revision(),
        ..submission
    };
    let mut tx = store.write().await?;
    tx.write_forms()?.lock_form(form.id).await?;
    tx.write_submissions()?
        .lock_submission_exclusive(changed.id)
        .await?;
    tx.write_submissions()?.update_submission(&changed).await?;
    tx.commit().await?;
    must_have(&*store, &changed, &files).await
}

/// Promise 22: a file that has expired or was never inserted is added to no submission.
pub async fn what_has_expired_is_added_to_nothing(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let form = write_form(&*store, &ids).await?;
    let submission = write_submission(&*store, &ids, &form, &user("alice"), DRAFT).await?;
    let unknown = ids.file(&submission, 1);
    let (past, present) = (ids.file(&submission, 1), ids.file(&submission, 1));
    let mut tx = store.write().await?;
    tx.write_files()?
        .insert_file(past.id, instant(now().as_millis() - 1))
        .await?;
    tx.write_files()?.insert_file(present.id, now()).await?;
    tx.commit().await?;
    let expired = upload(&*store, &ids, &submission, &[1]).await?;
    let mut tx = store.write().await?;
    let given: Vec<FileId> = [&expired, &vec![unknown.clone()]]
        .into_iter()
        .flatten()
        .map(|file| file.id)
        .collect();
    let told = tx.write_files()?.expire_files(&given).await?;
    tx.commit().await?;
    assert_eq!(told.into_iter().collect::<BTreeSet<_>>(), ids_of(&expired));
    for file in [&unknown, &past, &present].into_iter().chain(&expired) {
        let added = [file.clone()];
        let refused = change(&*store, &submission, &[], &added).await?;
        assert_eq!(refused, FilesChanged::Expired, "promise 22: {file:?}");
    }
    let in_time = upload(&*store, &ids, &submission, &[1]).await?;
    let both = [in_time.clone(), expired.clone()].concat();
    let refused = change(&*store, &submission, &[], &both).await?;
    assert_eq!(refused, FilesChanged::Expired, "promise 22: all or nothing");
    must_have(&*store, &submission, &[]).await?;
    let expected = ids_of([&past, &present].into_iter().chain(&expired));
    assert_eq!(unused(&*store, now()).await?, expected, "promise 22");
    let mut tx = store.write().await?;
    for file in [&unknown, &past, &present] {
        assert_eq!(
            tx.read_files()?.find_file(file.id).await?,
            None,
            "promise 22"
        );
    }
    // The past ones had not been told to expire.
    assert_eq!(tx.write_files()?.expire_all_uploads().await?, 3);
    assert_eq!(tx.write_files()?.expire_all_uploads().await?, 0);
    tx.commit().await?;
    let refused = change(&*store, &submission, &[], &in_time).await?;
    assert_eq!(refused, FilesChanged::Expired, "promise 22");
    assert_eq!(unused(&*store, now()).await?.len(), 4);
    Ok(())
}

/// Promise 22: files expire at once when they are removed, and when their submission goes, whatever deletes it. Those of
/// drafts stay when what was submitted is deleted.
pub async fn files_expire_with_their_submissions(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let (form, other) = (
        write_form(&*store, &ids).await?,
        write_form(&*store, &ids).await?,
    );
    let (alice, bob) = (user("alice"), user("bob"));
    let removed = write_submission(&*store, &ids, &form, &alice, SUBMITTED).await?;
    let deleted = write_submission(&*store, &ids, &form, &alice, SUBMITTED).await?;
    let draft = write_submission(&*store, &ids, &form, &bob, DRAFT).await?;
    let submitted = write_submission(&*store, &ids, &form, &bob, SUBMITTED).await?;
    let elsewhere = write_submission(&*store, &ids, &other, &bob, SUBMITTED).await?;
    let of_removed = add(&*store, &ids, &removed, &[1, 2]).await?;
    let of_deleted = add(&*store, &ids, &deleted, &[10, 20]).await?;
    let of_draft = add(&*store, &ids, &draft, &[100]).await?;
    let of_submitted = add(&*store, &ids, &submitted, &[1000, 2000]).await?;
    let of_elsewhere = add(&*store, &ids, &elsewhere, &[10_000]).await?;
    assert_eq!(unused(&*store, later()).await?, BTreeSet::new());
    assert_eq!(bytes(&*store, form.id, &alice).await?, 33);
    assert_eq!(bytes(&*store, form.id, &bob).await?, 3100);

    let gone: Vec<FileId> = of_removed.iter().map(|file| file.id).collect();
    let changed = change(&*store, &removed, &gone, &[]).await?;
    assert_eq!(changed, FilesChanged::Done);
    must_have(&*store, &removed, &[]).await?;
    let mut expected = ids_of(&of_removed);
    assert_eq!(unused(&*store, now()).await?, expected, "removed");
    let refused = change(&*store, &removed, &[], &of_removed).await?;
    assert_eq!(refused, FilesChanged::Expired, "promise 22: for good");

    let mut tx = store.write().await?;
    tx.write_forms()?.lock_form(form.id).await?;
    if let Some(locked) = tx
        .write_submissions()?
        .lock_submission_exclusive(deleted.id)
        .await?
    {
        tx.write_submissions()?.delete_submission(&locked).await?;
    }
    tx.commit().await?;
    expected.extend(ids_of(&of_deleted));
    assert_eq!(unused(&*store, now()).await?, expected, "deleted");
    assert_eq!(bytes(&*store, form.id, &alice).await?, 0);

    let mut tx = store.write().await?;
    tx.write_forms()?.lock_form_exclusive(form.id).await?;
    tx.write_submissions()?.delete_submitted(form.id).await?;
    tx.commit().await?;
    expected.extend(ids_of(&of_submitted));
    assert_eq!(unused(&*store, now()).await?, expected, "all submitted");
    must_have(&*store, &draft, &of_draft).await?;
    assert_eq!(bytes(&*store, form.id, &bob).await?, 100);

    let mut tx = store.write().await?;
    tx.write_forms()?.lock_form_exclusive(form.id).await?;
    tx.write_forms()?.delete_form(form.id).await?;
    tx.commit().await?;
    expected.extend(ids_of(&of_draft));
    assert_eq!(unused(&*store, now()).await?, expected, "the form");
    must_have(&*store, &elsewhere, &of_elsewhere).await?;
    assert_eq!(bytes(&*store, other.id, &bob).await?, 10_000);
    Ok(())
}

/// Promise 22: the files of a form that is deleted in portions expire with the last portion at the latest.
pub async fn files_of_a_large_form_expire_with_it(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let form = write_form(&*store, &ids).await?;
    let submission = write_submission(&*store, &ids, &form, &user("alice"), SUBMITTED).await?;
    let files = add(&*store, &ids, &submission, &[1, 2]).await?;
    let mut scene = Scene::begin(&*store, &ids).await?;
    for _ in 0..1_100 {
        scene.submission(&form, &user("bob"), SUBMITTED).await?;
    }
    scene.commit().await?;
    let mut tx = store.write().await?;
    tx.write_forms()?.lock_form_exclusive(form.id).await?;
    tx.write_forms()?.delete_form(form.id).await?;
    tx.commit().await?;
    loop {
        let mut tx = store.write().await?;
        let deleted = tx.write_forms()?.delete_remains(700).await?;
        tx.commit().await?;
        if deleted == 0 {
            break;
        }
    }
    assert_eq!(unused(&*store, now()).await?, ids_of(&files));
    Ok(())
}

/// Promise 22: unused files are deleted when they were told to expire, as many as one likes at a time, and once.
pub async fn unused_files_are_deleted_in_portions(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let form = write_form(&*store, &ids).await?;
    let submission = write_submission(&*store, &ids, &form, &user("alice"), DRAFT).await?;
    let waiting = upload(&*store, &ids, &submission, &[1; 5]).await?;
    assert_eq!(unused(&*store, now()).await?, BTreeSet::new());
    assert_eq!(unused(&*store, later()).await?, ids_of(&waiting));
    let given: Vec<FileId> = waiting.iter().map(|file| file.id).collect();
    let mut tx = store.write().await?;
    assert_eq!(
        tx.write_files()?.delete_unused_files(&given).await?,
        0,
        "not expired yet"
    );
    assert_eq!(tx.write_files()?.expire_files(&[]).await?, []);
    let portion = tx.read_files()?.unused_files(later(), 3).await?;
    assert_eq!(portion.len(), 3);
    assert_eq!(tx.write_files()?.expire_files(&portion).await?.len(), 3);
    assert_eq!(tx.write_files()?.delete_unused_files(&given).await?, 3);
    assert_eq!(
        tx.write_files()?.delete_unused_files(&given).await?,
        0,
        "once"
    );
    tx.commit().await?;
    assert_eq!(unused(&*store, later()).await?.len(), 2);
    Ok(())
}

/// Promise 23: bytes are counted for each form and creator of a submission, by the creator of the submission.
pub async fn bytes_are_counted_for_each_form_and_creator(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let (form, other) = (
        write_form(&*store, &ids).await?,
        write_form(&*store, &ids).await?,
    );
    let (alice, bob) = (user("alice"), user("bob"));
    let of_alice = write_submission(&*store, &ids, &form, &alice, DRAFT).await?;
    let again = write_submission(&*store, &ids, &form, &alice, SUBMITTED).await?;
    let elsewhere = write_submission(&*store, &ids, &other, &alice, DRAFT).await?;
    let of_bob = write_submission(&*store, &ids, &form, &bob, DRAFT).await?;
    let quota = Some(10);
    for (submission, size, quota, expected) in [
        (&of_alice, 11, quota, FilesChanged::OverQuota),
        (&of_alice, 6, quota, FilesChanged::Done),
        (&again, 5, quota, FilesChanged::OverQuota),
        (&again, 4, quota, FilesChanged::Done),
        (&again, 0, quota, FilesChanged::Done),
        (&of_alice, 1, quota, FilesChanged::OverQuota),
        (&of_bob, 10, quota, FilesChanged::Done),
        (&elsewhere, 10, quota, FilesChanged::Done),
        (&of_alice, 1, Some(11), FilesChanged::Done),
        (&of_alice, 100, None, FilesChanged::Done),
        (&again, 1, Some(u64::MAX), FilesChanged::Done),
    ] {
        let file = upload(&*store, &ids, submission, &[size]).await?;
        let changed = change_within(&*store, submission, &[], &file, quota).await?;
        assert_eq!(changed, expected, "promise 23: {size} within {quota:?}");
    }
    assert_eq!(bytes(&*store, form.id, &alice).await?, 112);
    assert_eq!(bytes(&*store, form.id, &bob).await?, 10);
    assert_eq!(bytes(&*store, other.id, &alice).await?, 10);
    assert_eq!(bytes(&*store, other.id, &bob).await?, 0);
    // A smaller file may replace a larger one even above the quota, and a larger one may not.
    let found = find_submission(&*store, of_alice.id).await?;
    let files = found.map(|found| found.files).unwrap_or_default();
    let largest = files.iter().find(|file| file.size == 100);
    let removed: Vec<FileId> = largest.iter().map(|file| file.id).collect();
    for (size, expected) in [(101, FilesChanged::OverQuota), (99, FilesChanged::Done)] {
        let file = upload(&*store, &ids, &of_alice, &[size]).await?;
        let changed = change_within(&*store, &of_alice, &removed, &file, quota).await?;
        assert_eq!(changed, expected, "promise 23: {size} for 100");
    }
    assert_eq!(bytes(&*store, form.id, &alice).await?, 111);
    Ok(())
}

/// Promise 1: a dropped transaction changes neither files nor bytes.
pub async fn a_dropped_change_of_files_changes_nothing(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let form = write_form(&*store, &ids).await?;
    let alice = user("alice");
    let submission = write_submission(&*store, &ids, &form, &alice, DRAFT).await?;
    let files = add(&*store, &ids, &submission, &[5]).await?;
    let new = upload(&*store, &ids, &submission, &[6]).await?;
    let removed: Vec<FileId> = files.iter().map(|file| file.id).collect();
    let mut tx = store.write().await?;
    let changed = change_in(&mut *tx, &submission, &removed, &new, None).await?;
    assert_eq!(changed, FilesChanged::Done);
    let seen = tx
        .read_submissions()?
        .find_submission(submission.id)
        .await?;
    assert_eq!(seen.map(|seen| seen.files), Some(new.clone()), "promise 4");
    assert_eq!(
        tx.read_files()?.file_bytes(form.id, &alice).await?,
        6,
        "promise 4"
    );
    drop(tx);
    must_have(&*store, &submission, &files).await?;
    assert_eq!(bytes(&*store, form.id, &alice).await?, 5);
    assert_eq!(unused(&*store, now()).await?, BTreeSet::new());
    Ok(())
}

/// Promise 23: of sixteen concurrent uploads to submissions of one creator, those are accepted that the quota has room for.
pub async fn racing_uploads_keep_the_quota(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let form = write_form(&*store, &ids).await?;
    let alice = user("alice");
    let mut targets = Vec::new();
    for _ in 0..3 {
        targets.push(write_submission(&*store, &ids, &form, &alice, DRAFT).await?);
    }
    let accepted = together(16, |number| {
        let (store, ids) = (Arc::clone(&store), ids.clone());
        let target = targets.iter().cycle().nth(number).cloned();
        async move {
            let Some(target) = target else {
                return Ok(0);
            };
            let file = upload(&*store, &ids, &target, &[10]).await?;
            pause().await;
            let changed = change_within(&*store, &target, &[], &file, Some(59)).await?;
            Ok(usize::from(changed == FilesChanged::Done))
        }
    })
    .await?;
    assert_eq!(accepted.iter().sum::<usize>(), 5, "promise 23");
    assert_eq!(bytes(&*store, form.id, &alice).await?, 50, "promise 23");
    Ok(())
}

/// Promise 22: a file is either added to a submission or told to expire, never both.
pub async fn racing_sweepers_never_take_a_file_in_use(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let form = write_form(&*store, &ids).await?;
    let submission = write_submission(&*store, &ids, &form, &user("alice"), DRAFT).await?;
    for _ in 0..8 {
        let files = upload(&*store, &ids, &submission, &[1]).await?;
        let told = together(4, |number| {
            let (store, files) = (Arc::clone(&store), files.clone());
            let submission = submission.clone();
            async move {
                if number == 0 {
                    let added = change(&*store, &submission, &[], &files).await?;
                    return Ok((added == FilesChanged::Done, 0));
                }
                let mut tx = store.write().await?;
                let ids: Vec<FileId> = files.iter().map(|file| file.id).collect();
                let expired = tx.write_files()?.expire_files(&ids).await?.len();
                tx.commit().await?;
                Ok((false, expired))
            }
        })
        .await?;
        let is_added = told.iter().any(|(added, _)| *added);
        let swept: usize = told.iter().map(|(_, swept)| swept).sum();
        let expected = if is_added { 0 } else { 3 };
        assert_eq!(swept, expected, "promise 22: {told:?}");
    }
    Ok(())
}
