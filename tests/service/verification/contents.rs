//! The contents of files.

use std::sync::Arc;

use formalize_core::file_store::{FileStore as _, FileStoreError, whole};
use formalize_core::{
    Store as _, SubmissionId, SubmissionRules, SubmissionState, UuidV7Source,
    files::{FileAttributeName, FileId, FileName, NewFile},
};
use formalize_sql::{ContentChecks, ContentVerificationError, FindingKind, SqlStore};
use formalize_tests::world::{START, World, instant, new_submission};
use formalize_tests::{FILE_CAUSE, FileStep};

use super::{Kind, SYSTEM};

/// The kinds of findings that are about contents alone.
pub(super) const KINDS: [FindingKind; 3] = [
    FindingKind::MissingFile,
    FindingKind::WrongSize,
    FindingKind::WrongHash,
];

const ALL: ContentChecks = ContentChecks {
    hashes: true,
    orphans: true,
};

/// A draft with files.
async fn draft(world: &World, contents: &[&'static str]) -> (SubmissionId, Vec<FileId>) {
    let rules = SubmissionRules {
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        ..SubmissionRules::default()
    };
    let form = world.form(rules).await;
    let new = new_submission(form, "{}", SubmissionState::Draft);
    let mut upload = world.submissions().upload_new(SYSTEM, new).await.unwrap();
    let mut ids = Vec::new();
    for content in contents {
        let name = FileName::clean("note.txt").unwrap();
        let new = NewFile::new(FileAttributeName::new("notes").unwrap(), name);
        ids.push(upload.add(new, whole(*content)).await.unwrap());
    }
    let made = upload.finish().await.unwrap().unwrap();
    (made.item.id, ids)
}

async fn found(
    store: &SqlStore,
    world: &World,
    checks: ContentChecks,
) -> Vec<(FindingKind, FileId)> {
    let mut verification = store.verify_contents(&world.contents, checks);
    let mut found = Vec::new();
    while let Some(findings) = verification.proceed().await.unwrap() {
        let findings = findings.into_iter();
        found.extend(findings.map(|one| (one.kind, FileId::from_uuid(one.record.unwrap()))));
    }
    found
}

pub(super) async fn contents_are_compared_with_records(kind: Kind) {
    let database = kind.database().await;
    let store = database.open_sql().await;
    let world = World::on(Arc::new(store.clone())).await;
    let contents = &world.contents;
    assert_eq!(found(&store, &world, ALL).await, []);
    let (id, files) = draft(&world, &["", "one", "two", "three", "four"]).await;
    world.files().remove(SYSTEM, id, files[4]).await.unwrap();
    let mut upload = world.files().upload(SYSTEM, id).await.unwrap();
    let name = FileName::clean("note.txt").unwrap();
    let new = NewFile::new(FileAttributeName::new("notes").unwrap(), name);
    upload.add(new, whole("on its way")).await.unwrap();
    assert_eq!(found(&store, &world, ALL).await, []);

    let source = UuidV7Source::new();
    let orphan = FileId::from_uuid(source.next(instant(START)));
    contents.delete(files[0]).await.unwrap();
    contents.put(files[1], whole("longer")).await.unwrap();
    contents.put(files[2], whole("TWO")).await.unwrap();
    contents.put(orphan, whole("nobody's")).await.unwrap();
    let missing = (FindingKind::MissingFile, files[0]);
    let size = (FindingKind::WrongSize, files[1]);
    let hash = (FindingKind::WrongHash, files[2]);
    let orphan = (FindingKind::OrphanFile, orphan);
    for (hashes, orphans, expected) in [
        (false, false, vec![missing, size]),
        (true, false, vec![missing, size, hash]),
        (false, true, vec![missing, size, orphan]),
        (true, true, vec![missing, size, hash, orphan]),
    ] {
        let checks = ContentChecks { hashes, orphans };
        assert_eq!(found(&store, &world, checks).await, expected, "{checks:?}");
    }
    for step in [FileStep::GetBegins, FileStep::List] {
        contents.fail_at(step, FileStoreError::Failed(FILE_CAUSE.to_owned()));
        let mut verification = store.verify_contents(contents, ALL);
        let failed = loop {
            match verification.proceed().await {
                Ok(Some(_)) => {}
                Ok(None) => panic!("{step:?} was not noticed"),
                Err(error) => break error,
            }
        };
        let is_expected = matches!(failed, ContentVerificationError::FileStore(_));
        assert!(is_expected, "{failed:?}");
        contents.recover();
    }
    drop(upload);
    store.close().await;
}

pub(super) async fn findings_about_contents_span_many_pages(kind: Kind) {
    let database = kind.database().await;
    let store = database.open_sql().await;
    let world = World::on(Arc::new(store.clone())).await;
    let source = UuidV7Source::new();
    for _ in 0..1_200 {
        let id = FileId::from_uuid(source.next(instant(START)));
        world.contents.put(id, whole("")).await.unwrap();
    }
    let (_, files) = draft(&world, &["one", "two", "three"]).await;
    world.contents.delete(files[1]).await.unwrap();
    let found = found(&store, &world, ALL).await;
    assert_eq!(found[0], (FindingKind::MissingFile, files[1]));
    let orphans = &found[1..];
    assert_eq!(orphans.len(), 1_200);
    assert!(
        orphans
            .iter()
            .all(|(kind, _)| *kind == FindingKind::OrphanFile)
    );
    store.close().await;
}
