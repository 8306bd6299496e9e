//! Files of submissions.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use formalize_core::file_store::{ContentStream, FileStore as _, FileStoreError, whole};
use formalize_core::{
    Action, Caller, Change, Error, FormId, Formalize, NewGrant, NewSubmission, ResourceRef, Result,
    Store, Submission, SubmissionChange, SubmissionFilter, SubmissionId, SubmissionRules,
    SubmissionState, Viewed,
    events::{EventFilter, EventType},
    files::{
        ContentHash, FileAttributeName, FileId, FileLimits, FileName, FilesRejection, NewFile,
        Upload,
    },
    forms::SubmittedAction,
    links::NewFormLink,
    submissions::{BatchItem, BatchOutcome, SubmissionBatch},
};
use formalize_tests::failing::{FailingStore, Failure};
use formalize_tests::on_every_store;
use formalize_tests::world::{
    Setup, World, everything, new_form_with, new_submission, page_of, user, user_id,
};
use formalize_tests::{FILE_CAUSE, FileStep};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use super::{SYSTEM, fails};

on_every_store! {
    files_come_with_their_submission,
    contents_are_read_in_ranges,
    files_are_listed_by_pages_and_groups,
    rules_apply_to_what_is_submitted,
    rules_apply_to_changes_of_files,
    batches_follow_the_rules_about_files,
    uploads_that_violate_a_rule_are_cut,
    limits_are_exact,
    the_quota_is_that_of_the_creator_of_the_submission,
    problems_are_reported_in_order,
    callers_who_may_not_read_learn_nothing_about_stored_files,
    changes_of_files_are_changes_of_the_submission,
    broken_uploads_leave_nothing,
    failures_of_the_store_leave_nothing,
    uploads_survive_lost_connections,
    uploads_expire,
    whatever_deletes_a_submission_deletes_its_files,
    sweeping_goes_on_after_failures,
    lost_contents_break_nothing_else,
    without_a_file_store_the_rest_works,
    racing_removals_remove_once,
    racing_uploads_keep_the_quota_of_their_creator,
    racing_deletions_leave_no_files,
    uploads_that_end_badly_leave_nothing_to_sweep,
    holds_keep_what_a_submission_may_have_had,
    unfinished_bytes_count_for_who_sends_them,
    unfinished_bytes_behind_a_link_count_for_their_source,
    files_before_their_form_need_a_form_to_submit_to,
}

const DRAFT: SubmissionState = SubmissionState::Draft;
const SUBMITTED: SubmissionState = SubmissionState::Submitted;
const KIB: usize = 1024;

/// A photo is demanded, notes are allowed, and nothing else.
const SCHEMA: &str = r#"{"type": "object", "files": {
    "photo": {"allowedMimeTypes": ["image/png"], "maxSizeMb": 0.125},
    "notes": {"allowedMimeTypes": ["text/*"], "minNumber": 0, "maxNumber": 2}
}}"#;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

pub(super) fn any_state() -> SubmissionRules {
    SubmissionRules {
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        allowed_actions_when_submitted: SubmittedAction::ALL.iter().copied().collect(),
        ..SubmissionRules::default()
    }
}

async fn form_with_rules(world: &World) -> FormId {
    let new = new_form_with(SCHEMA, any_state());
    world.forms().create(SYSTEM, new).await.unwrap().item.id
}

async fn world_with(store: Arc<dyn Store>, limits: FileLimits) -> World {
    let setup = Setup {
        file_limits: limits,
        ..Setup::default()
    };
    World::with(store, setup).await
}

fn file(attribute: &str, name: &str) -> NewFile {
    let attribute = FileAttributeName::new(attribute).unwrap();
    NewFile::new(attribute, FileName::clean(name).unwrap())
}

fn png() -> (NewFile, ContentStream<'static>) {
    (file("photo", "photo.png"), whole(PNG))
}

pub(super) fn note(text: &str) -> (NewFile, ContentStream<'static>) {
    (file("notes", "note.txt"), whole(text.to_owned()))
}

/// A stream of zeros in pieces of a kibibyte, and a count of those that were taken.
fn zeros(pieces: usize) -> (ContentStream<'static>, Arc<AtomicU64>) {
    let taken = Arc::<AtomicU64>::default();
    let counted = Arc::clone(&taken);
    let content = stream::iter(0..pieces).map(move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
        Ok(Bytes::from_static(&[0; KIB]))
    });
    (Box::pin(content), taken)
}

/// A content of which nothing may be taken.
fn untouched() -> ContentStream<'static> {
    Box::pin(stream::once(async { panic!("the content was taken") }))
}

async fn add_all(
    mut upload: Upload<'_>,
    files: Vec<(NewFile, ContentStream<'static>)>,
) -> Result<Option<Viewed<Submission>>> {
    for (new, content) in files {
        upload.add(new, content).await?;
    }
    upload.finish().await
}

pub(super) async fn create(
    world: &World,
    new: NewSubmission,
    files: Vec<(NewFile, ContentStream<'static>)>,
) -> Result<Submission> {
    let upload = world.submissions().upload_new(SYSTEM, new).await?;
    Ok(add_all(upload, files).await?.unwrap().item)
}

async fn update(
    world: &World,
    id: SubmissionId,
    change: SubmissionChange,
    files: Vec<(NewFile, ContentStream<'static>)>,
) -> Result<Submission> {
    let submissions = world.submissions();
    let upload = submissions.upload_change(SYSTEM, id, change).await?;
    Ok(add_all(upload, files).await?.unwrap().item)
}

/// Adds files without touching anything else.
async fn add(
    world: &World,
    id: SubmissionId,
    files: Vec<(NewFile, ContentStream<'static>)>,
) -> Result<Submission> {
    let upload = world.files().upload(SYSTEM, id).await?;
    Ok(add_all(upload, files).await?.unwrap().item)
}

fn removing(files: &[FileId], state: SubmissionState) -> SubmissionChange {
    SubmissionChange {
        state: state.into(),
        files_to_remove: files.to_vec(),
        ..SubmissionChange::default()
    }
}

pub(super) fn ids(submission: &Submission) -> Vec<FileId> {
    submission.files.iter().map(|file| file.id).collect()
}

async fn get(world: &World, id: SubmissionId) -> Submission {
    world.submissions().get(SYSTEM, id).await.unwrap().item
}

/// The contents that are stored.
async fn stored(world: &World) -> BTreeSet<FileId> {
    let listed: Vec<_> = world.contents.list().try_collect().await.unwrap();
    listed.into_iter().map(|stored| stored.id).collect()
}

/// Fails unless a sweep leaves exactly these contents.
async fn leaves(world: &World, expected: &[FileId]) {
    world.files().sweep().await.unwrap();
    let expected: BTreeSet<FileId> = expected.iter().copied().collect();
    assert_eq!(stored(world).await, expected);
    assert_eq!(world.files().sweep().await.unwrap(), 0);
}

#[track_caller]
fn rejection<T: std::fmt::Debug>(outcome: Result<T>) -> FilesRejection {
    match outcome {
        Err(Error::SubmissionFilesInvalid(rejection)) => rejection,
        other => panic!("expected a rejection of files, got {other:?}"),
    }
}

/// The violations as `attribute keyword`.
fn keywords(rejection: &FilesRejection) -> Vec<String> {
    let violations = rejection.violations().iter();
    let of = violations.map(|one| format!("{} {}", one.attribute, one.violation.keyword));
    of.collect()
}

async fn files_come_with_their_submission(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(any_state()).await;
    let new = new_submission(form, "{}", DRAFT);
    let named = file("cv", r"C:\me\Änne's “cv”.CSV");
    let csv = NewFile {
        declared_type: Some("application/vnd.ms-excel".to_owned()),
        ..named
    };
    let files = vec![
        (csv, whole("a;b\n1;2\n")),
        (file("photo", ""), whole("<html>")),
        (file("empty", "empty.pdf"), whole("")),
    ];
    let made = create(&world, new, files).await.unwrap();
    let shown: Vec<_> = made
        .files
        .iter()
        .map(|it| (it.name.as_str(), it.mime_type.as_str(), it.size))
        .collect();
    let expected = [
        ("Änne's “cv”.CSV", "text/csv", 8),
        ("file", "text/html", 6),
        ("empty.pdf", "application/x-empty", 0),
    ];
    assert_eq!(shown, expected);
    let first = &made.files[0];
    assert_eq!(first.sha256, ContentHash::of(b"a;b\n1;2\n"));
    assert_eq!(first.submission, made.id);
    assert_eq!(first.date_created, made.date_created);
    assert_eq!(first.creator, made.creator);
    assert_eq!(get(&world, made.id).await, made);
    let listed = world
        .submissions()
        .list(SYSTEM, form, &SubmissionFilter::default(), &everything())
        .await;
    assert_eq!(listed.unwrap().items[0].item, made);
    let submitted = new_submission(form, "{}", SUBMITTED);
    let refused = create(&world, submitted, vec![note("a")]).await;
    assert_eq!(keywords(&rejection(refused)), ["notes additionalFiles"]);
    leaves(&world, &ids(&made)).await;
}

async fn contents_are_read_in_ranges(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(any_state()).await;
    let new = new_submission(form, "{}", DRAFT);
    let content: Bytes = (0..200_000_u32).map(|it| it.to_le_bytes()[1]).collect();
    let files = vec![(file("data", "data.bin"), whole(content.clone()))];
    let made = create(&world, new, files).await.unwrap();
    let id = made.files[0].id;
    let opened = world.files().open(SYSTEM, made.id, id).await.unwrap();
    assert_eq!(opened.file(), &made.files[0]);
    for range in [
        0..u64::MAX,
        0..0,
        199_999..200_000,
        1..70_000,
        200_000..200_001,
    ] {
        let read = opened.read(range.clone()).await.unwrap();
        assert_eq!(read.size, 200_000);
        let read: Vec<Bytes> = read.bytes.try_collect().await.unwrap();
        let end = usize::try_from(range.end).map_or(content.len(), |end| end.min(content.len()));
        let start = usize::try_from(range.start).unwrap();
        assert_eq!(read.concat(), content[start..end], "{range:?}");
    }
}

async fn files_are_listed_by_pages_and_groups(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(any_state()).await;
    let groups = ["a", "b", "a", "a", "b"];
    let files = groups.map(|it| (file(it, "file.txt"), whole(it)));
    let new = new_submission(form, "{}", DRAFT);
    let made = create(&world, new, files.into()).await.unwrap();
    let other = create(&world, new_submission(form, "{}", DRAFT), vec![note("x")]);
    let other = other.await.unwrap();
    let a = FileAttributeName::new("a").unwrap();
    let unknown = FileAttributeName::new("unknown").unwrap();
    for (group, expected) in [(None, 5), (Some(&a), 3), (Some(&unknown), 0)] {
        let mut request = page_of(2);
        let mut listed = Vec::new();
        loop {
            let page = world.files().list(SYSTEM, made.id, group, &request).await;
            let page = page.unwrap();
            assert!(page.items.len() <= 2);
            listed.extend(page.items);
            let Some(next) = page.next else { break };
            request.position = formalize_core::Position::Cursor(next);
        }
        let expected_files: Vec<_> = made
            .files
            .iter()
            .filter(|it| group.is_none_or(|group| it.attribute == *group))
            .cloned()
            .collect();
        assert_eq!(listed.len(), expected);
        assert_eq!(listed, expected_files);
    }
    let id = made.files[0].id;
    let found = world.files().get(SYSTEM, made.id, id).await.unwrap();
    assert_eq!(found, made.files[0]);
    let not_found = format!("SubmittedFileNotFound([{id:?}])");
    fails(world.files().get(SYSTEM, other.id, id).await, &not_found);
    fails(world.files().remove(SYSTEM, other.id, id).await, &not_found);
    let opened = world.files().open(SYSTEM, other.id, id).await;
    assert!(matches!(
        opened.err(),
        Some(Error::SubmittedFileNotFound(_))
    ));
    let ann = &user("ann");
    let nobody = world.files().list(ann, made.id, None, &page_of(1)).await;
    fails(nobody, "Forbidden");
}

async fn rules_apply_to_what_is_submitted(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form_with_rules(&world).await;
    let submissions = world.submissions();
    let new = |state| new_submission(form, "{}", state);
    let without = submissions.create(SYSTEM, new(SUBMITTED)).await;
    assert_eq!(keywords(&rejection(without)), ["photo minNumber"]);
    let without = create(&world, new(SUBMITTED), vec![note("a")]).await;
    assert_eq!(keywords(&rejection(without)), ["photo minNumber"]);
    let with = create(&world, new(SUBMITTED), vec![note("a"), png()]).await;
    assert_eq!(with.unwrap().files.len(), 2);

    // A draft may have any files.
    let files = vec![
        note("a"),
        note("b"),
        note("c"),
        (file("x", "x"), whole("x")),
    ];
    let draft = create(&world, new(DRAFT), files).await.unwrap();
    let all = ids(&draft);
    let submit = submissions.update(SYSTEM, draft.id, SubmissionChange::default());
    let refused = rejection(submit.await);
    let expected = ["notes maxNumber", "photo minNumber", "x additionalFiles"];
    assert_eq!(keywords(&refused), expected);
    assert_eq!(refused.violations()[2].file, Some(all[3]));
    assert_eq!(get(&world, draft.id).await, draft, "nothing has changed");
    // The data is judged first.
    let change = SubmissionChange {
        data: Change::Set("3".to_owned()),
        ..SubmissionChange::default()
    };
    let refused = submissions.update(SYSTEM, draft.id, change).await;
    assert!(matches!(refused, Err(Error::SubmissionDataInvalid(_))));
    // Removal, addition and submission are one step.
    let change = removing(&[all[0], all[3]], SUBMITTED);
    let submitted = update(&world, draft.id, change, vec![png()]).await.unwrap();
    assert_eq!((submitted.state, submitted.files.len()), (SUBMITTED, 3));
    assert_eq!(ids(&submitted)[..2], all[1..3]);
    let filter = SubmissionFilter::default();
    let listed = submissions.list(SYSTEM, form, &filter, &everything()).await;
    let listed = listed.unwrap().items;
    let kept: Vec<FileId> = listed.iter().flat_map(|it| ids(&it.item)).collect();
    leaves(&world, &kept).await;
}

async fn rules_apply_to_changes_of_files(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form_with_rules(&world).await;
    let new = new_submission(form, "{}", SUBMITTED);
    let made = create(&world, new, vec![png()]).await.unwrap();
    let [photo] = ids(&made)[..] else {
        panic!("one file")
    };
    let removed = world.files().remove(SYSTEM, made.id, photo).await;
    assert_eq!(keywords(&rejection(removed)), ["photo minNumber"]);
    let added = add(&world, made.id, vec![png()]).await;
    assert_eq!(keywords(&rejection(added)), ["photo maxNumber"]);
    let change = removing(&[photo], SUBMITTED);
    let replaced = update(&world, made.id, change, vec![png(), note("a")]).await;
    let replaced = replaced.unwrap();
    assert_eq!(replaced.files.len(), 2);
    assert!(!ids(&replaced).contains(&photo));
    let note = replaced.files[1].id;
    let removed = world.files().remove(SYSTEM, made.id, note).await;
    assert_eq!(removed.unwrap().unwrap().item.files.len(), 1);

    // A change of the form judges nothing that is there, and neither does a change that leaves the files alone.
    let stricter = formalize_core::FormChange {
        data_feed_schema: Change::Set(r#"{"type": "object"}"#.to_owned()),
        ..formalize_core::FormChange::default()
    };
    world.forms().update(SYSTEM, form, stricter).await.unwrap();
    let change = SubmissionChange {
        data: Change::Set(r#"{"a": 1}"#.to_owned()),
        ..SubmissionChange::default()
    };
    let changed = world.submissions().update(SYSTEM, made.id, change).await;
    assert_eq!(changed.unwrap().unwrap().item.files.len(), 1);
    leaves(&world, &ids(&get(&world, made.id).await)).await;
}

async fn batches_follow_the_rules_about_files(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form_with_rules(&world).await;
    let items = vec![
        BatchItem::new("{}"),
        BatchItem {
            state: DRAFT.into(),
            ..BatchItem::new("{}")
        },
    ];
    let mut batch = SubmissionBatch::new(form, items).unwrap();
    for is_atomic in [true, false] {
        batch.is_atomic = is_atomic;
        for is_trial in [true, false] {
            let outcomes = if is_trial {
                world.submissions().check_batch(SYSTEM, &batch).await
            } else {
                world.submissions().create_batch(SYSTEM, &batch).await
            };
            let outcomes = match outcomes {
                Ok(outcomes) if !is_atomic => outcomes,
                Err(Error::BatchRefused(outcomes)) if is_atomic => outcomes,
                other => panic!("{other:?}"),
            };
            let is_refused = matches!(
                outcomes[0],
                BatchOutcome::Refused(Error::SubmissionFilesInvalid(_))
            );
            assert!(is_refused, "{outcomes:?}");
            assert!(!matches!(outcomes[1], BatchOutcome::Refused(_)));
        }
    }
}

async fn uploads_that_violate_a_rule_are_cut(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form_with_rules(&world).await;
    let submissions = world.submissions();
    let begin = || submissions.upload_new(SYSTEM, new_submission(form, "{}", SUBMITTED));
    let mut upload = begin().await.unwrap();
    let refused = upload.add(file("other", "a"), untouched()).await;
    assert_eq!(keywords(&rejection(refused)), ["other additionalFiles"]);
    let mut upload = begin().await.unwrap();
    let (first, content) = png();
    upload.add(first, content).await.unwrap();
    let refused = upload.add(file("photo", "a"), untouched()).await;
    assert_eq!(keywords(&rejection(refused)), ["photo maxNumber"]);
    // What was stored before is given up, too.
    fails(upload.finish().await, "UploadExpired");

    let mut upload = begin().await.unwrap();
    let (content, taken) = zeros(10_000);
    let refused = upload.add(file("photo", "a.png"), content).await;
    assert_eq!(keywords(&rejection(refused)), ["photo allowedMimeTypes"]);
    assert_eq!(taken.load(Ordering::SeqCst), 32);

    let mut upload = begin().await.unwrap();
    let (content, taken) = zeros(10_000);
    let signed = stream::once(async { Ok(Bytes::from_static(PNG)) }).chain(content);
    let refused = upload.add(file("photo", "a"), Box::pin(signed)).await;
    assert_eq!(keywords(&rejection(refused)), ["photo maxSizeMb"]);
    assert_eq!(taken.load(Ordering::SeqCst), 128);

    let mut upload = begin().await.unwrap();
    let announced = NewFile {
        size: Some(128 * 1024 + 1),
        ..file("photo", "a")
    };
    let refused = upload.add(announced, untouched()).await;
    assert_eq!(keywords(&rejection(refused)), ["photo maxSizeMb"]);
    leaves(&world, &[]).await;
}

async fn limits_are_exact(store: Arc<dyn Store>) {
    let limits = FileLimits {
        file_size: 1000,
        per_submission: 3,
        creator_quota: Some(2500),
        ..FileLimits::default()
    };
    let world = world_with(store, limits).await;
    let form = world.form(any_state()).await;
    let sized = |size| (file("a", "a"), whole(vec![b'x'; size]));
    let submissions = world.submissions();
    let begin = || submissions.upload_new(SYSTEM, new_submission(form, "{}", DRAFT));
    let refused = begin()
        .await
        .unwrap()
        .add(file("a", "a"), sized(1001).1)
        .await;
    fails(refused, "FileTooLarge");
    let (content, taken) = zeros(1_000_000);
    let refused = begin().await.unwrap().add(file("a", "a"), content).await;
    fails(refused, "FileTooLarge");
    assert_eq!(taken.load(Ordering::SeqCst), 1);
    let announced = NewFile {
        size: Some(1001),
        ..file("a", "a")
    };
    let refused = begin().await.unwrap().add(announced, untouched()).await;
    fails(refused, "FileTooLarge");

    let new = new_submission(form, "{}", DRAFT);
    let made = create(&world, new, vec![sized(1000), sized(0), sized(500)]).await;
    let made = made.unwrap();
    let mut upload = world.files().upload(SYSTEM, made.id).await.unwrap();
    let refused = upload.add(file("a", "a"), untouched()).await;
    fails(refused, "InvalidFields(SubmittedFile([SubmittedFiles]))");

    let mut upload = begin().await.unwrap();
    upload.add(file("a", "a"), sized(999).1).await.unwrap();
    let refused = upload.add(file("a", "a"), sized(2).1).await;
    fails(refused, "FilesQuotaExceeded");
    let new = new_submission(form, "{}", DRAFT);
    let second = create(&world, new, vec![sized(999), sized(1)])
        .await
        .unwrap();
    fails(
        add(&world, second.id, vec![sized(1)]).await,
        "FilesQuotaExceeded",
    );
    assert_eq!(
        add(&world, second.id, vec![sized(0)])
            .await
            .unwrap()
            .files
            .len(),
        3
    );
    // What is removed in the same step makes room.
    let largest = made.files[0].id;
    let change = removing(&[largest], DRAFT);
    let replaced = update(&world, made.id, change, vec![sized(1000)]).await;
    let made = replaced.unwrap();
    let all = [ids(&made), ids(&get(&world, second.id).await)].concat();
    leaves(&world, &all).await;
    // Another form has its own quota.
    let other = world.form(any_state()).await;
    let new = new_submission(other, "{}", DRAFT);
    create(&world, new, vec![sized(1000), sized(1000)])
        .await
        .unwrap();
}

async fn the_quota_is_that_of_the_creator_of_the_submission(store: Arc<dyn Store>) {
    let limits = FileLimits {
        creator_quota: Some(10),
        ..FileLimits::default()
    };
    let world = world_with(store, limits).await;
    let form = world.form(any_state()).await;
    let (ann, bob) = (
        world.submission("ann", form, DRAFT).await,
        world.submission("bob", form, DRAFT).await,
    );
    let ten = || (file("a", "a"), whole("0123456789"));
    let of_ann = add(&world, ann, vec![ten()]).await.unwrap();
    assert_eq!(of_ann.files[0].creator, formalize_core::UserId::SYSTEM);
    fails(
        add(&world, ann, vec![note("x")]).await,
        "FilesQuotaExceeded",
    );
    add(&world, bob, vec![ten()]).await.unwrap();
    world.submissions().delete(SYSTEM, ann).await.unwrap();
    let again = world.submission("ann", form, DRAFT).await;
    add(&world, again, vec![ten()]).await.unwrap();
    let mut tx = world.store().read().await.unwrap();
    for creator in ["ann", "bob"] {
        let bytes = tx
            .read_files()
            .unwrap()
            .file_bytes(form, &user_id(creator))
            .await
            .unwrap();
        assert_eq!(bytes, 10, "{creator}");
    }
}

async fn problems_are_reported_in_order(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form_with_rules(&world).await;
    let draft = world.submission("ann", form, DRAFT).await;
    let current = get(&world, draft).await;
    let (files, submissions) = (world.files(), world.submissions());
    let unknown = FileId::from_uuid(uuid::Uuid::from_u128(7));
    let not_found = format!("SubmittedFileNotFound([{unknown:?}])");
    let old = formalize_core::Revision::from_uuid(uuid::Uuid::from_u128(1));
    let nowhere = SubmissionId::from_uuid(uuid::Uuid::from_u128(1));
    let bob = &user("bob");
    fails(
        files.upload(bob, nowhere).await.map(drop),
        "SubmissionNotFound",
    );
    fails(
        files.upload(bob, draft.at(old)).await.map(drop),
        "Forbidden",
    );
    fails(
        files.upload(SYSTEM, draft.at(old)).await.map(drop),
        "RevisionMismatch",
    );
    fails(files.remove(bob, draft.at(old), unknown).await, "Forbidden");
    fails(
        files.remove(SYSTEM, draft.at(old), unknown).await,
        "RevisionMismatch",
    );
    fails(files.remove(SYSTEM, draft, unknown).await, &not_found);
    // An unknown file is reported before an unknown state, and both before the first byte.
    let change = SubmissionChange {
        state: formalize_core::submissions::RequestedState::from_word("later"),
        ..removing(&[unknown], DRAFT)
    };
    let refused = submissions.update(SYSTEM, draft, change.clone()).await;
    fails(refused, &not_found);
    let refused = submissions.upload_change(SYSTEM, draft, change).await;
    fails(refused.map(drop), &not_found);
    let change = SubmissionChange {
        state: formalize_core::submissions::RequestedState::from_word("later"),
        ..SubmissionChange::default()
    };
    let refused = submissions.upload_change(SYSTEM, draft, change).await;
    fails(refused.map(drop), r#"SubmissionStateNotAllowed("later")"#);
    let change = SubmissionChange {
        data: Change::Set("[".to_owned()),
        ..SubmissionChange::default()
    };
    let refused = submissions.upload_change(SYSTEM, draft, change).await;
    assert!(matches!(
        refused.err(),
        Some(Error::SubmissionDataInvalid(_))
    ));
    let new = new_submission(form, "3", SUBMITTED);
    let refused = submissions.upload_new(SYSTEM, new).await;
    assert!(matches!(
        refused.err(),
        Some(Error::SubmissionDataInvalid(_))
    ));
    let new = new_submission(form, "3", SUBMITTED);
    let refused = submissions.upload_new(bob, new).await;
    fails(refused.map(drop), "Forbidden");
    assert_eq!(get(&world, draft).await, current);
    leaves(&world, &[]).await;
}

async fn callers_who_may_not_read_learn_nothing_about_stored_files(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let rules = SubmissionRules {
        grant_based: true,
        ..any_state()
    };
    let new = new_form_with(SCHEMA, rules);
    let form = world.forms().create(SYSTEM, new).await.unwrap().item.id;
    let draft = world.submission("ann", form, DRAFT).await;
    let resource = ResourceRef::submission(draft);
    world.grant_to("bob", &Action::UPDATE, &resource).await;
    let made = add(
        &world,
        draft,
        vec![(file("photo", "secret"), whole("secret"))],
    )
    .await;
    let secret = made.unwrap().files[0].id;
    let bob = &user("bob");
    fails(world.files().get(bob, draft, secret).await, "Forbidden");
    let upload = world.files().upload(bob, draft).await.unwrap();
    let added = add_all(upload, vec![note("by bob")]).await.unwrap();
    assert_eq!(added, None);
    let submissions = world.submissions();
    let change = SubmissionChange::default();
    let mut upload = submissions.upload_change(bob, draft, change).await.unwrap();
    let refused = upload.add(file("notes", "a"), whole(PNG)).await;
    let refused = rejection(refused);
    let expected = ["notes allowedMimeTypes", "photo allowedMimeTypes"];
    assert_eq!(keywords(&refused), expected);
    let [of_new, of_stored] = refused.violations() else {
        panic!("two violations")
    };
    assert!(of_new.file.is_some() && of_stored.file.is_none());
    let submit = submissions.update(bob, draft, SubmissionChange::default());
    let refused = rejection(submit.await);
    assert_eq!(keywords(&refused), ["photo allowedMimeTypes"]);
    let violation = &refused.violations()[0];
    assert_eq!(violation.file, None);
    assert!(violation.violation.params.is_empty());
    assert!(!refused.to_string().contains("text/plain"), "{refused}");
    let submit = submissions.update(SYSTEM, draft, SubmissionChange::default());
    let refused = rejection(submit.await);
    assert_eq!(refused.violations()[0].file, Some(secret));
    let removed = world.files().remove(bob, draft, secret).await.unwrap();
    assert_eq!(removed, None);
    assert_eq!(get(&world, draft).await.files.len(), 1);
}

async fn changes_of_files_are_changes_of_the_submission(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form_with_rules(&world).await;
    let draft = world.submission("ann", form, DRAFT).await;
    let before = get(&world, draft).await;
    world.wait(Duration::from_secs(5));
    let added = add(&world, draft, vec![png()]).await.unwrap();
    assert_ne!(added.revision, before.revision);
    assert!(added.date_last_modified > before.date_last_modified);
    assert_eq!(added.last_modified_by, formalize_core::UserId::SYSTEM);
    assert_eq!(added.state, DRAFT);
    let submissions = world.submissions();
    let submitted = submissions.update(SYSTEM, draft, SubmissionChange::default());
    submitted.await.unwrap();
    let again = add(&world, draft, vec![note("a")]).await.unwrap();
    world
        .files()
        .remove(SYSTEM, draft, again.files[1].id)
        .await
        .unwrap();
    let log = world.events().extent().await.unwrap();
    let mut tx = world.store().read().await.unwrap();
    let window = formalize_core::store::EventWindow {
        after: 0,
        to: log.last,
        limit: log.last.unsigned_abs(),
    };
    let events = tx
        .read_events()
        .unwrap()
        .events(window, &EventFilter::default())
        .await
        .unwrap();
    let of_it: Vec<EventType> = events
        .iter()
        .map(|event| event.event_type)
        .filter(|it| it.as_str().starts_with("submission") || it.as_str().starts_with("draft"))
        .collect();
    let expected = [
        EventType::DraftCreated,
        EventType::DraftUpdated,
        EventType::SubmissionSubmitted,
        EventType::SubmissionUpdated,
        EventType::SubmissionUpdated,
    ];
    assert_eq!(of_it, expected);
}

async fn broken_uploads_leave_nothing(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(any_state()).await;
    let draft = world.submission("ann", form, DRAFT).await;
    let before = get(&world, draft).await;
    let broken = || -> ContentStream<'static> {
        let pieces = [
            Ok(Bytes::from_static(b"half")),
            Err(io::Error::other("lost")),
        ];
        Box::pin(stream::iter(pieces))
    };
    let mut upload = world.files().upload(SYSTEM, draft).await.unwrap();
    upload
        .add(file("a", "whole"), whole("whole"))
        .await
        .unwrap();
    fails(
        upload.add(file("a", "half"), broken()).await,
        "UploadInterrupted",
    );
    fails(upload.finish().await, "UploadExpired");
    leaves(&world, &[]).await;

    let mut upload = world.files().upload(SYSTEM, draft).await.unwrap();
    upload
        .add(file("a", "whole"), whole("whole"))
        .await
        .unwrap();
    assert_eq!(stored(&world).await.len(), 1);
    upload.discard().await;
    leaves(&world, &[]).await;

    for step in FileStep::ALL {
        for error in [
            FileStoreError::Full(FILE_CAUSE.to_owned()),
            FileStoreError::Unavailable(FILE_CAUSE.to_owned()),
            FileStoreError::Failed(FILE_CAUSE.to_owned()),
        ] {
            world.contents.fail_at(step, error.clone());
            let pieces = [b"a", b"b"].map(|it| Ok(Bytes::from_static(it)));
            let content: ContentStream<'static> = Box::pin(stream::iter(pieces));
            let added = add(&world, draft, vec![(file("a", "a"), content)]).await;
            world.contents.recover();
            let is_put = format!("{step:?}").starts_with("Put");
            match added {
                Ok(changed) if !is_put => {
                    let files = ids(&changed);
                    leaves(&world, &files).await;
                    world.files().remove(SYSTEM, draft, files[0]).await.unwrap();
                }
                Err(Error::FileStore(failed)) if is_put => assert_eq!(failed, error),
                // The content ended with the error.
                Err(Error::UploadInterrupted) if is_put => {}
                other => panic!("{step:?}: {other:?}"),
            }
            leaves(&world, &[]).await;
        }
    }
    let after = get(&world, draft).await;
    assert_eq!(after.files, before.files);
}

async fn failures_of_the_store_leave_nothing(store: Arc<dyn Store>) {
    let failing = FailingStore::around(store);
    let world = World::on(Arc::new(failing.clone())).await;
    let form = world.form(any_state()).await;
    let draft = world.submission("ann", form, DRAFT).await;
    let before = get(&world, draft).await;
    for step in [
        "insert_file",
        "change_files",
        "update_submission",
        "append_event",
        "lock_form",
    ] {
        for failure in [Failure::Failed, Failure::Unavailable] {
            failing.fail_at(step, failure);
            let added = add(&world, draft, vec![note("a")]).await;
            failing.recover();
            assert!(matches!(added, Err(Error::Store(_))), "{step}: {added:?}");
            assert_eq!(get(&world, draft).await, before, "{step}");
            leaves(&world, &[]).await;
        }
    }
    // If the files cannot be given up, they expire.
    let upload = world.files().upload(SYSTEM, draft).await.unwrap();
    failing.fail_at("expire_files", Failure::Failed);
    let mut upload = upload;
    upload.add(file("a", "a"), whole("a")).await.unwrap();
    upload.discard().await;
    failing.recover();
    assert_eq!(world.files().sweep().await.unwrap(), 0);
    assert_eq!(stored(&world).await.len(), 1);
    world.wait(FileLimits::default().upload_lifetime);
    leaves(&world, &[]).await;
}

async fn uploads_survive_lost_connections(store: Arc<dyn Store>) {
    let failing = FailingStore::around(store);
    let world = World::on(Arc::new(failing.clone())).await;
    let form = world.form(any_state()).await;
    let draft = world.submission("ann", form, DRAFT).await;
    let mut kept = Vec::new();
    for (at, step, failure) in [
        ("begin", "read", Failure::DisconnectedOnce),
        ("add", "write", Failure::DisconnectedOnce),
        ("add", "insert_file", Failure::ConflictOnce),
        ("add", "commit", Failure::DisconnectedOnce),
        ("add", "commit", Failure::UncertainOnce),
        ("finish", "write", Failure::DisconnectedOnce),
        ("finish", "change_files", Failure::ConflictOnce),
        ("finish", "commit", Failure::DisconnectedOnce),
    ] {
        let fail = |now: &str| {
            if now == at {
                failing.fail_at(step, failure);
            }
        };
        for is_new in [true, false] {
            fail("begin");
            let submissions = world.submissions();
            let upload = if is_new {
                let new = new_submission(form, "{}", DRAFT);
                submissions.upload_new(SYSTEM, new).await
            } else {
                let change = SubmissionChange {
                    state: formalize_core::submissions::RequestedState::Unchanged,
                    ..SubmissionChange::default()
                };
                submissions.upload_change(SYSTEM, draft, change).await
            };
            let mut upload = upload.unwrap();
            fail("add");
            let (new, content) = note("a");
            let added = upload.add(new, content).await.unwrap();
            fail("finish");
            upload.finish().await.unwrap();
            assert!(!failing.is_failing(), "{at}: {step}");
            kept.push(added);
        }
    }
    let all = SubmissionFilter::default();
    let submissions = world.submissions();
    let listed = submissions.list(SYSTEM, form, &all, &everything()).await;
    assert_eq!(listed.unwrap().items.len(), 1 + kept.len() / 2);
    leaves(&world, &kept).await;
}

async fn uploads_expire(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(any_state()).await;
    let draft = world.submission("ann", form, DRAFT).await;
    let lifetime = FileLimits::default().upload_lifetime;
    let just_in_time = lifetime.checked_sub(Duration::from_millis(1)).unwrap();
    for (passed, in_time) in [(just_in_time, true), (lifetime, false)] {
        let mut upload = world.files().upload(SYSTEM, draft).await.unwrap();
        upload.add(file("a", "a"), whole("a")).await.unwrap();
        assert_eq!(world.files().sweep().await.unwrap(), 0, "it is under way");
        world.wait(passed);
        let finished = upload.finish().await;
        if in_time {
            assert_eq!(finished.unwrap().unwrap().item.files.len(), 1);
        } else {
            fails(finished, "UploadExpired");
        }
    }
    let kept = ids(&get(&world, draft).await);
    leaves(&world, &kept).await;
    // A server that starts alone gives up what another one has left.
    let mut upload = world.files().upload(SYSTEM, draft).await.unwrap();
    upload.add(file("a", "a"), whole("a")).await.unwrap();
    assert_eq!(world.files().give_up_uploads().await.unwrap(), 1);
    fails(upload.finish().await, "UploadExpired");
    leaves(&world, &kept).await;
    // What was swept during an upload is not part of any submission.
    let mut upload = world.files().upload(SYSTEM, draft).await.unwrap();
    upload.add(file("a", "a"), whole("a")).await.unwrap();
    world.wait(lifetime);
    assert_eq!(world.files().sweep().await.unwrap(), 1);
    fails(upload.finish().await, "UploadExpired");
    leaves(&world, &kept).await;
}

async fn whatever_deletes_a_submission_deletes_its_files(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form_with_rules(&world).await;
    let mut made = Vec::new();
    for state in [DRAFT, SUBMITTED, SUBMITTED] {
        let new = new_submission(form, "{}", state);
        made.push(create(&world, new, vec![png(), note("a")]).await.unwrap());
    }
    let other = form_with_rules(&world).await;
    let new = new_submission(other, "{}", SUBMITTED);
    let elsewhere = create(&world, new, vec![png()]).await.unwrap();
    let submissions = world.submissions();
    submissions.delete(SYSTEM, made[1].id).await.unwrap();
    let kept = [ids(&made[0]), ids(&made[2]), ids(&elsewhere)].concat();
    leaves(&world, &kept).await;
    assert_eq!(submissions.delete_all(SYSTEM, form).await.unwrap(), 1);
    leaves(&world, &[ids(&made[0]), ids(&elsewhere)].concat()).await;
    world.forms().delete(SYSTEM, form).await.unwrap();
    leaves(&world, &ids(&elsewhere)).await;
    assert_eq!(get(&world, elsewhere.id).await, elsewhere);
}

async fn sweeping_goes_on_after_failures(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(any_state()).await;
    // More than are deleted together.
    let limits = 250;
    for _ in 0..3 {
        let mut upload = world
            .submissions()
            .upload_new(SYSTEM, new_submission(form, "{}", DRAFT))
            .await
            .unwrap();
        for _ in 0..limits / 3 {
            upload.add(file("a", "a"), whole("a")).await.unwrap();
        }
        upload.finish().await.unwrap();
    }
    world.forms().delete(SYSTEM, form).await.unwrap();
    let before = stored(&world).await.len();
    for step in [FileStep::DeleteBegins, FileStep::DeleteDone] {
        let error = FileStoreError::Unavailable(FILE_CAUSE.to_owned());
        world.contents.fail_at(step, error);
        let swept = world.files().sweep().await;
        assert!(matches!(swept, Err(Error::FileStore(_))), "{swept:?}");
        world.contents.recover();
        let mut tx = world.store().read().await.unwrap();
        let now = formalize_core::Clock::now(&*world.clock);
        let unused = tx
            .read_files()
            .unwrap()
            .unused_files(now, usize::MAX)
            .await
            .unwrap();
        assert_eq!(unused.len(), before, "{step:?}: every row is still there");
    }
    assert_eq!(world.files().sweep().await.unwrap(), before as u64);
    leaves(&world, &[]).await;
}

async fn lost_contents_break_nothing_else(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(any_state()).await;
    let new = new_submission(form, "{}", DRAFT);
    let made = create(&world, new, vec![note("some text"), note("more")]).await;
    let made = made.unwrap();
    let [lost, cut] = ids(&made)[..] else {
        panic!("two files")
    };
    world.contents.delete(lost).await.unwrap();
    world.contents.put(cut, whole("mor")).await.unwrap();
    assert_eq!(get(&world, made.id).await, made);
    for id in [lost, cut] {
        assert!(world.files().get(SYSTEM, made.id, id).await.is_ok());
        let file = world.files().open(SYSTEM, made.id, id).await.unwrap();
        let read = file.read(0..u64::MAX).await;
        let is_missing = matches!(read, Err(Error::FileStore(FileStoreError::Missing)));
        assert!(is_missing);
    }
    world.files().remove(SYSTEM, made.id, lost).await.unwrap();
    leaves(&world, &[cut]).await;
}

async fn without_a_file_store_the_rest_works(store: Arc<dyn Store>) {
    let world = World::on(Arc::clone(&store)).await;
    let form = world.form(any_state()).await;
    let new = || new_submission(form, "{}", DRAFT);
    let made = create(&world, new(), vec![note("a")]).await.unwrap();
    let bare = Formalize::builder(store).build().await.unwrap();
    let (files, id) = (bare.files(), made.files[0].id);
    let refused = bare.submissions().upload_new(SYSTEM, new()).await;
    fails(refused.map(drop), "FilesNotConfigured");
    let refused = files.upload(SYSTEM, made.id).await;
    fails(refused.map(drop), "FilesNotConfigured");
    let refused = files.open(SYSTEM, made.id, id).await;
    fails(refused.map(drop), "FilesNotConfigured");
    assert_eq!(files.get(SYSTEM, made.id, id).await.unwrap(), made.files[0]);
    files.remove(SYSTEM, made.id, id).await.unwrap();
    assert_eq!(files.sweep().await.unwrap(), 0);
    leaves(&world, &[]).await;
}

async fn racing_removals_remove_once(store: Arc<dyn Store>) {
    let world = Arc::new(World::on(store).await);
    let form = world.form(any_state()).await;
    let new = new_submission(form, "{}", DRAFT);
    let made = create(&world, new, vec![note("a")]).await.unwrap();
    let file = made.files[0].id;
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let world = Arc::clone(&world);
        tasks.spawn(async move { world.files().remove(SYSTEM, made.id, file).await });
    }
    let outcomes = tasks.join_all().await;
    let removed = outcomes.iter().filter(|it| it.is_ok()).count();
    assert_eq!(removed, 1);
    for outcome in outcomes {
        let is_expected = matches!(outcome, Ok(_) | Err(Error::SubmittedFileNotFound(_)));
        assert!(is_expected, "{outcome:?}");
    }
    leaves(&world, &[]).await;
}

async fn racing_uploads_keep_the_quota_of_their_creator(store: Arc<dyn Store>) {
    let limits = FileLimits {
        creator_quota: Some(109),
        ..FileLimits::default()
    };
    let world = Arc::new(world_with(store, limits).await);
    let form = world.form(any_state()).await;
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..32 {
        let world = Arc::clone(&world);
        tasks.spawn(async move {
            let new = new_submission(form, "{}", DRAFT);
            let ten = (file("a", "a"), whole("0123456789"));
            create(&world, new, vec![ten]).await
        });
    }
    let mut kept = Vec::new();
    for outcome in tasks.join_all().await {
        match outcome {
            Ok(made) => kept.extend(ids(&made)),
            Err(Error::FilesQuotaExceeded) => {}
            Err(error) => panic!("{error:?}"),
        }
    }
    assert_eq!(kept.len(), 10);
    leaves(&world, &kept).await;
    let mut tx = world.store().read().await.unwrap();
    let author = Caller::System.author();
    assert_eq!(
        tx.read_files()
            .unwrap()
            .file_bytes(form, &author)
            .await
            .unwrap(),
        100
    );
    let taken = tx
        .read_submissions()
        .unwrap()
        .places_taken(form, &author)
        .await
        .unwrap();
    assert_eq!(taken, 10, "refused submissions take no place");
}

async fn racing_deletions_leave_no_files(store: Arc<dyn Store>) {
    let world = Arc::new(World::on(store).await);
    for _ in 0..4 {
        let form = world.form(any_state()).await;
        let draft = world.submission("ann", form, DRAFT).await;
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..6 {
            let world = Arc::clone(&world);
            tasks.spawn(async move {
                match number {
                    0 => world.forms().delete(SYSTEM, form).await,
                    1 => world.files().sweep().await.map(drop),
                    _ => add(&world, draft, vec![note("a")]).await.map(drop),
                }
            });
        }
        for outcome in tasks.join_all().await {
            let is_expected = matches!(outcome, Ok(()) | Err(Error::SubmissionNotFound));
            assert!(is_expected, "{outcome:?}");
        }
        leaves(&world, &[]).await;
    }
}

/// However an upload ends badly, its contents and rows are gone at once, even during a hold: no submission ever had them.
async fn uploads_that_end_badly_leave_nothing_to_sweep(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form_with_rules(&world).await;
    let draft = world.submission("ann", form, DRAFT).await;
    let hold = world.files().hold(Duration::from_hours(1)).await.unwrap();
    let mut upload = world.files().upload(SYSTEM, draft).await.unwrap();
    upload.add(file("a", "a"), whole("a")).await.unwrap();
    upload.discard().await;
    assert!(stored(&world).await.is_empty(), "it was given up");

    let mut upload = world.files().upload(SYSTEM, draft).await.unwrap();
    upload.add(file("a", "a"), whole("a")).await.unwrap();
    let broken = stream::iter([Ok(Bytes::from_static(b"b")), Err(io::Error::other("cut"))]);
    let added = upload.add(file("b", "b"), Box::pin(broken)).await;
    fails(added, "UploadInterrupted");
    assert!(stored(&world).await.is_empty(), "it was cut off");

    let new = new_submission(form, "{}", SUBMITTED);
    let mut upload = world.submissions().upload_new(SYSTEM, new).await.unwrap();
    let (photo, content) = png();
    upload.add(photo, content).await.unwrap();
    let refused = upload.add(file("photo", "b"), whole("no photo")).await;
    assert!(matches!(refused, Err(Error::SubmissionFilesInvalid(_))));
    assert!(stored(&world).await.is_empty(), "a file was refused");

    world.files().release(hold.id).await.unwrap();
    let mut upload = world.files().upload(SYSTEM, draft).await.unwrap();
    upload.add(file("a", "a"), whole("a")).await.unwrap();
    world.submissions().delete(SYSTEM, draft).await.unwrap();
    fails(upload.finish().await, "SubmissionNotFound");
    assert!(
        stored(&world).await.is_empty(),
        "the submission was refused"
    );
    assert_eq!(world.files().unused().await.unwrap(), []);
    assert_eq!(world.files().sweep().await.unwrap(), 0);
}

/// Whether a commit took place may be uncertain. So what was offered to a submission is kept during a hold.
async fn holds_keep_what_a_submission_may_have_had(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(any_state()).await;
    let draft = world.submission("ann", form, DRAFT).await;
    let hold = world.files().hold(Duration::from_hours(1)).await.unwrap();
    let mut upload = world.files().upload(SYSTEM, draft).await.unwrap();
    let id = upload.add(file("a", "a"), whole("a")).await.unwrap();
    world.submissions().delete(SYSTEM, draft).await.unwrap();
    fails(upload.finish().await, "SubmissionNotFound");
    assert_eq!(stored(&world).await, BTreeSet::from([id]));
    world.files().release(hold.id).await.unwrap();
    leaves(&world, &[]).await;
}

async fn unfinished_bytes_count_for_who_sends_them(store: Arc<dyn Store>) {
    let limits = FileLimits {
        creator_quota: Some(10),
        ..FileLimits::default()
    };
    let world = world_with(store, limits).await;
    let form = world.form(any_state()).await;
    let (ann, bob) = (user("ann"), user("bob"));
    for name in ["ann", "bob"] {
        let grant = NewGrant::new(
            user_id(name),
            Action::CREATE_SUBMISSIONS,
            ResourceRef::form(form),
        );
        world.grants().create(SYSTEM, grant).await.unwrap();
    }
    let begin = async |caller| {
        let new = new_submission(form, "{}", DRAFT);
        world.submissions().upload_new(caller, new).await.unwrap()
    };
    let (mut first, mut second) = (begin(&ann).await, begin(&ann).await);
    first.add(file("a", "a"), whole("1234567")).await.unwrap();
    let refused = second.add(file("a", "a"), whole("1234")).await;
    fails(refused, "FilesQuotaExceeded");
    let mut of_bob = begin(&bob).await;
    of_bob
        .add(file("a", "a"), whole("1234567890"))
        .await
        .unwrap();
    // What was given up, or belongs to a submission, counts no longer.
    first.discard().await;
    let mut third = begin(&ann).await;
    third.add(file("a", "a"), whole("12345")).await.unwrap();
    third.finish().await.unwrap();
    let mut fourth = begin(&ann).await;
    fourth.add(file("a", "a"), whole("12345")).await.unwrap();
    fourth.finish().await.unwrap();
    of_bob.finish().await.unwrap();
}

/// Strangers who have the same link are one user, and the bytes of one do not count against the others.
async fn unfinished_bytes_behind_a_link_count_for_their_source(store: Arc<dyn Store>) {
    let limits = FileLimits {
        creator_quota: Some(10),
        ..FileLimits::default()
    };
    let world = world_with(store, limits).await;
    let form = form_with_rules(&world).await;
    let links = world.links();
    let (link, _) = links.create(SYSTEM, NewFormLink::to(form)).await.unwrap();
    let visitor = link.caller();
    let begin = async |source: &str| {
        let new = new_submission(form, "{}", SUBMITTED);
        let upload = world.submissions().upload_new(&visitor, new).await;
        upload.unwrap().sent_from(&source)
    };
    let (mut first, mut second) = (begin("192.0.2.1").await, begin("192.0.2.1").await);
    let mut other = begin("192.0.2.2").await;
    first
        .add(file("notes", "a"), whole("1234567"))
        .await
        .unwrap();
    let refused = second.add(file("notes", "a"), whole("1234")).await;
    fails(refused, "FilesQuotaExceeded");
    other
        .add(file("notes", "a"), whole("1234567890"))
        .await
        .unwrap();
    first.discard().await;
    other.discard().await;
    assert!(stored(&world).await.is_empty());
}

async fn files_before_their_form_need_a_form_to_submit_to(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(any_state()).await;
    let ann = user("ann");
    let submissions = world.submissions();
    fails(
        submissions.upload_unjudged_new(&ann).await.map(drop),
        "Forbidden",
    );
    let grant = NewGrant::new(
        user_id("ann"),
        Action::CREATE_SUBMISSIONS,
        ResourceRef::form(form),
    );
    world.grants().create(SYSTEM, grant).await.unwrap();
    let mut upload = submissions.upload_unjudged_new(&ann).await.unwrap();
    upload.add(file("a", "a"), whole("a")).await.unwrap();
    let new = new_submission(form, "{}", DRAFT);
    let made = upload.finish_new(&new).await.unwrap().item;
    let change = |caller| submissions.upload_unjudged_change(caller, made.id);
    assert!(change(&ann).await.is_ok());
    fails(change(&user("bob")).await.map(drop), "Forbidden");
}
