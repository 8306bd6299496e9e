//! Races about files, on servers that share the database and the contents of files.

use std::collections::BTreeSet;

use bytes::Bytes;
use formalize_core::file_store::{FileStore as _, whole};
use formalize_core::{
    Error, FormId, Formalize, Result, Submission, SubmissionChange, SubmissionFilter,
    SubmissionRules, SubmissionState,
    files::{FileAttributeName, FileId, FileLimits, FileName, NewFile},
    forms::SubmissionCap,
};
use formalize_tests::stores::Database;
use formalize_tests::world::{Setup, World, everything, new_form_with, new_submission, user};
use formalize_tests::{FailingFileStore, moto, on_every_database};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use super::{ROUNDS, SYSTEM, Servers, any_state, open_form, successes};

on_every_database! {
    uploads_do_not_exceed_the_cap,
    uploads_do_not_exceed_the_quota,
    a_file_is_removed_once,
    a_draft_is_submitted_or_loses_its_file_but_not_both,
    files_of_drafts_survive_the_deletion_of_what_was_submitted,
    sweeps_spare_uploads_that_are_under_way,
}

async fn servers(database: &Database, limits: FileLimits) -> Servers {
    let contents = FailingFileStore::around(moto::empty_store());
    let setup = || Setup {
        contents: Some(contents.clone()),
        file_limits: limits,
        ..Setup::default()
    };
    Servers([
        World::with(database.open().await, setup()).await,
        World::with(database.open().await, setup()).await,
    ])
}

fn file(group: &str) -> NewFile {
    let group = FileAttributeName::new(group).unwrap();
    NewFile::new(group, FileName::clean("file.txt").unwrap())
}

/// Creates a submission of alice with a file of ten bytes.
async fn submit(server: &Formalize, form: FormId, state: SubmissionState) -> Result<Submission> {
    let new = new_submission(form, "{}", state);
    let (alice, submissions) = (user("alice"), server.submissions());
    let mut upload = submissions.upload_new(&alice, new).await?;
    upload.add(file("a"), whole("0123456789")).await?;
    Ok(upload.finish().await?.unwrap().item)
}

/// Fails unless a sweep leaves exactly the contents of the files of these submissions.
async fn only_these_are_left(servers: &Servers, submissions: &[Submission]) {
    let world = servers.one();
    world.files().sweep().await.unwrap();
    let stored: Vec<_> = world.contents.list().try_collect().await.unwrap();
    let stored: BTreeSet<FileId> = stored.into_iter().map(|one| one.id).collect();
    let files = submissions.iter().flat_map(|one| &one.files);
    assert_eq!(stored, files.map(|file| file.id).collect());
}

async fn all_of(world: &World, form: FormId) -> Vec<Submission> {
    let (filter, page) = (SubmissionFilter::default(), everything());
    let listed = world.submissions().list(SYSTEM, form, &filter, &page).await;
    let listed = listed.unwrap().items;
    listed.into_iter().map(|view| view.item).collect()
}

async fn uploads_do_not_exceed_the_cap(database: &Database) {
    let servers = servers(database, FileLimits::default()).await;
    let rules = SubmissionRules {
        cap: SubmissionCap::new(5).ok(),
        ..any_state()
    };
    let form = open_form(servers.one(), rules).await;
    let outcomes = servers
        .race(32, |_, server| async move {
            submit(&server, form, SubmissionState::Draft).await
        })
        .await;
    let created = successes(&outcomes, |it| matches!(it, Error::SubmissionCapReached));
    assert_eq!(created, 5);
    only_these_are_left(&servers, &all_of(servers.one(), form).await).await;
}

async fn uploads_do_not_exceed_the_quota(database: &Database) {
    let limits = FileLimits {
        creator_quota: Some(109),
        ..FileLimits::default()
    };
    let servers = servers(database, limits).await;
    let form = open_form(servers.one(), any_state()).await;
    let outcomes = servers
        .race(32, |_, server| async move {
            submit(&server, form, SubmissionState::Draft).await
        })
        .await;
    let created = successes(&outcomes, |it| matches!(it, Error::FilesQuotaExceeded));
    assert_eq!(created, 10);
    only_these_are_left(&servers, &all_of(servers.one(), form).await).await;
}

async fn a_file_is_removed_once(database: &Database) {
    let servers = servers(database, FileLimits::default()).await;
    let form = open_form(servers.one(), any_state()).await;
    for _ in 0..ROUNDS {
        let made = submit(servers.one(), form, SubmissionState::Draft).await;
        let made = made.unwrap();
        let (id, file) = (made.id, made.files[0].id);
        let remove = |_, server: Formalize| async move {
            server.files().remove(SYSTEM, id, file).await.map(drop)
        };
        let outcomes = servers.race(4, remove).await;
        let removed = successes(&outcomes, |it| {
            matches!(it, Error::SubmittedFileNotFound(_))
        });
        assert_eq!(removed, 1);
    }
    only_these_are_left(&servers, &[]).await;
}

/// A submitted submission must have a file.
async fn a_draft_is_submitted_or_loses_its_file_but_not_both(database: &Database) {
    const SCHEMA: &str = r#"{"files": {"a": {"allowedMimeTypes": ["text/*"]}}}"#;
    let servers = servers(database, FileLimits::default()).await;
    let new = new_form_with(SCHEMA, any_state());
    let form = servers.one().forms().create(SYSTEM, new).await;
    let form = form.unwrap().item.id;
    for _ in 0..ROUNDS {
        let new = new_submission(form, "{}", SubmissionState::Draft);
        let submissions = servers.one().submissions();
        let mut upload = submissions.upload_new(SYSTEM, new).await.unwrap();
        upload.add(file("a"), whole("text")).await.unwrap();
        let draft = upload.finish().await.unwrap().unwrap().item;
        let (id, file) = (draft.id, draft.files[0].id);
        let outcomes = servers
            .race(2, |number, server| async move {
                if number == 0 {
                    let submit = SubmissionChange::default();
                    server.submissions().update(SYSTEM, id, submit).await
                } else {
                    server.files().remove(SYSTEM, id, file).await
                }
            })
            .await;
        let done = successes(&outcomes, |it| {
            matches!(it, Error::SubmissionFilesInvalid(_))
        });
        assert_eq!(done, 1);
        let left = servers.one().submissions().get(SYSTEM, id).await.unwrap();
        let is_submitted = left.item.state == SubmissionState::Submitted;
        assert_eq!(left.item.files.len(), usize::from(is_submitted));
    }
    only_these_are_left(&servers, &all_of(servers.one(), form).await).await;
}

async fn files_of_drafts_survive_the_deletion_of_what_was_submitted(database: &Database) {
    const SCHEMA: &str =
        r#"{"files": {"a": {"minNumber": 0, "maxNumber": 9, "allowedMimeTypes": ["*/*"]}}}"#;
    let servers = servers(database, FileLimits::default()).await;
    let new = new_form_with(SCHEMA, any_state());
    let form = servers.one().forms().create(SYSTEM, new).await;
    let form = form.unwrap().item.id;
    let outcomes = servers
        .race(24, |number, server| async move {
            let state = SubmissionState::ALL[number / 2 % 2];
            let new = new_submission(form, "{}", state);
            let submissions = server.submissions();
            let mut upload = submissions.upload_new(SYSTEM, new).await?;
            upload.add(file("a"), whole("text")).await?;
            upload.finish().await?;
            if number % 6 == 0 {
                server.submissions().delete_all(SYSTEM, form).await?;
                server.files().sweep().await?;
            }
            Ok(())
        })
        .await;
    assert_eq!(successes(&outcomes, |_| false), 24);
    servers
        .one()
        .submissions()
        .delete_all(SYSTEM, form)
        .await
        .unwrap();
    let drafts = all_of(servers.one(), form).await;
    assert_eq!(drafts.len(), 12);
    assert!(drafts.iter().all(|draft| draft.files.len() == 1));
    only_these_are_left(&servers, &drafts).await;
}

async fn sweeps_spare_uploads_that_are_under_way(database: &Database) {
    let servers = servers(database, FileLimits::default()).await;
    let form = open_form(servers.one(), any_state()).await;
    let outcomes = servers
        .race(12, |number, server| async move {
            if number < 4 {
                for _ in 0..20 {
                    server.files().sweep().await?;
                    tokio::task::yield_now().await;
                }
                return Ok(());
            }
            let slow = stream::iter(0..50).then(|_| async {
                tokio::task::yield_now().await;
                Ok(Bytes::from_static(b"text"))
            });
            let new = new_submission(form, "{}", SubmissionState::Draft);
            let (alice, submissions) = (user("alice"), server.submissions());
            let mut upload = submissions.upload_new(&alice, new).await?;
            upload.add(file("a"), Box::pin(slow)).await?;
            upload.finish().await?;
            Ok(())
        })
        .await;
    assert_eq!(successes(&outcomes, |_| false), 12);
    let made = all_of(servers.one(), form).await;
    assert_eq!(made.len(), 8);
    only_these_are_left(&servers, &made).await;
}
