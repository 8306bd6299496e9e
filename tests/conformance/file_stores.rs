//! Runs the conformance suite for file stores.

use std::sync::Arc;

use formalize_conformance::file_store::run;
use formalize_core::file_store::folder::FolderFileStore;
use formalize_core::file_store::memory::MemoryFileStore;
use formalize_core::file_store::{FileStore, FileStoreError, whole};
use formalize_core::files::FileId;
use formalize_tests::moto::{Moto, store_at};
use formalize_tests::patience::until;
use formalize_tests::{FailingFileStore, FileStep};
use futures_util::TryStreamExt;

#[test]
fn memory_keeps_the_promises() {
    run(|| {
        let store: Arc<dyn FileStore> = Arc::new(MemoryFileStore::default());
        (store, ())
    });
}

#[test]
fn folders_keep_the_promises() {
    run(|| {
        let folder = tempfile::tempdir().unwrap();
        let store: Arc<dyn FileStore> = Arc::new(FolderFileStore::open(folder.path()).unwrap());
        (store, folder)
    });
}

#[test]
#[ignore = "tests/s3/run runs it"]
fn s3_keeps_the_promises() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let moto = runtime.block_on(Moto::start()).unwrap();
    run(|| {
        let store: Arc<dyn FileStore> = Arc::new(store_at(&moto.url()).unwrap());
        (store, ())
    });
    runtime.block_on(async {
        until("broken uploads are given up", async || {
            let uploads = moto.text("?uploads").await.unwrap();
            assert!(uploads.contains("ListMultipartUploadsResult"), "{uploads}");
            !uploads.contains("<UploadId>")
        })
        .await;
    });
}

/// As long as it is not told to fail.
#[test]
fn the_failing_store_keeps_the_promises() {
    run(|| {
        let inner = Arc::new(MemoryFileStore::default());
        let store: Arc<dyn FileStore> = Arc::new(FailingFileStore::around(inner));
        (store, ())
    });
}

/// What the store does when it fails at a step: whether a content can be found afterwards that was put, and one that was there
/// and deleted.
#[tokio::test]
async fn the_failing_store_fails_at_each_step() {
    let broken = || FileStoreError::Failed("on purpose".to_owned());
    let [new, old] = [1, 2].map(|number| FileId::from_uuid(uuid::Uuid::from_u128(number)));
    let steps = [
        (FileStep::PutBegins, false, false),
        (FileStep::PutUnderWay, false, false),
        (FileStep::PutEnds, false, false),
        (FileStep::PutDone, true, false),
        (FileStep::GetBegins, true, false),
        (FileStep::GetUnderWay, true, false),
        (FileStep::DeleteBegins, true, true),
        (FileStep::DeleteDone, true, false),
        (FileStep::List, true, false),
    ];
    assert_eq!(steps.map(|(step, ..)| step), FileStep::ALL);
    for (step, is_new_there, is_old_there) in steps {
        let folder = tempfile::tempdir().unwrap();
        let store =
            FailingFileStore::around(Arc::new(FolderFileStore::open(folder.path()).unwrap()));
        let large = || whole(vec![7; 600 * 1024]);
        store.put(old, large()).await.unwrap();
        store.fail_at(step, broken());
        let put = store.put(new, large()).await;
        let read = match store.get(old, 0..u64::MAX).await {
            Ok(content) => content
                .bytes
                .try_collect::<Vec<_>>()
                .await
                .map_err(|_| broken()),
            Err(error) => Err(error),
        };
        let listed = store.list().try_collect::<Vec<_>>().await;
        let deleted = store.delete(old).await;
        let results = [put, read.map(drop), listed.map(drop), deleted];
        let failed = results.iter().filter(|result| result.is_err()).count();
        assert_eq!(failed, 1, "{step:?}: {results:?}");
        store.recover();
        let found = async |id| store.get(id, 0..1).await.is_ok();
        assert_eq!(found(new).await, is_new_there, "{step:?}");
        assert_eq!(found(old).await, is_old_there, "{step:?}");
    }
}
