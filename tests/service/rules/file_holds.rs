//! Holds on files, and copies of their contents.

use std::sync::Arc;
use std::time::Duration;

use formalize_core::file_store::copies::CopyFolder;
use formalize_core::file_store::folder::FolderFileStore;
use formalize_core::file_store::{FileStore as _, whole};
use formalize_core::{Clock as _, Error, Store, SubmissionState, UuidV7Source, files::FileId};
use formalize_tests::on_every_store;
use formalize_tests::world::{World, new_submission};

use super::SYSTEM;
use super::files::{any_state, create, ids, note};

on_every_store! {
    a_hold_stops_sweeps_until_it_ends,
    what_the_store_names_during_a_hold_keeps_its_content,
    work_is_done_under_a_hold,
    contents_of_all_files_are_copied,
}

const DRAFT: SubmissionState = SubmissionState::Draft;

async fn a_hold_stops_sweeps_until_it_ends(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(any_state()).await;
    let new = new_submission(form, "{}", DRAFT);
    let made = create(&world, new, vec![note("a"), note("b")])
        .await
        .unwrap();
    let (files, [first, second]) = (world.files(), ids(&made)[..].try_into().unwrap());
    let hold = files.hold(Duration::from_hours(2)).await.unwrap();
    files.remove(SYSTEM, made.id, first).await.unwrap();
    assert_eq!(files.sweep().await.unwrap(), 0);
    world.wait(Duration::from_mins(119));
    assert_eq!(files.holds().await.unwrap(), [hold]);
    assert_eq!(files.sweep().await.unwrap(), 0);
    assert!(world.contents.get(first, 0..1).await.is_ok());
    world.wait(Duration::from_mins(1));
    assert_eq!(files.holds().await.unwrap(), []);
    assert_eq!(files.sweep().await.unwrap(), 1);
    assert!(!files.release(hold.id).await.unwrap(), "it has ended");

    let holds = [1, 2].map(|hours| files.hold(Duration::from_hours(hours)));
    let holds = futures_util::future::try_join_all(holds).await.unwrap();
    files.remove(SYSTEM, made.id, second).await.unwrap();
    for hold in &holds {
        assert_eq!(files.sweep().await.unwrap(), 0, "there is another hold");
        assert!(files.release(hold.id).await.unwrap());
    }
    assert_eq!(files.sweep().await.unwrap(), 1);
}

/// Submissions are deleted and swept at the same time.
async fn what_the_store_names_during_a_hold_keeps_its_content(store: Arc<dyn Store>) {
    let world = Arc::new(World::on(store).await);
    let form = world.form(any_state()).await;
    for _ in 0..8 {
        let mut made = Vec::new();
        for _ in 0..6 {
            let new = new_submission(form, "{}", DRAFT);
            made.push(create(&world, new, vec![note("a")]).await.unwrap().id);
        }
        let deleting = tokio::spawn({
            let world = Arc::clone(&world);
            async move {
                for id in made {
                    world.submissions().delete(SYSTEM, id).await.unwrap();
                    world.files().sweep().await.unwrap();
                }
            }
        });
        let hold = world.files().hold(Duration::from_hours(1)).await.unwrap();
        let mut tx = world.store().read().await.unwrap();
        let named = tx
            .read_files()
            .unwrap()
            .files_after(None, usize::MAX)
            .await
            .unwrap();
        drop(tx);
        deleting.await.unwrap();
        for (id, is_used) in named {
            let content = world.contents.get(id, 0..1).await;
            assert!(!is_used || content.is_ok(), "{id}");
        }
        assert!(world.files().release(hold.id).await.unwrap());
        world.files().sweep().await.unwrap();
    }
}

async fn work_is_done_under_a_hold(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let files = world.files();
    let number = files.hold_while(async { Ok::<_, Error>(files.holds().await?.len()) });
    assert_eq!(number.await.unwrap(), Some(1));
    assert_eq!(files.holds().await.unwrap(), []);
    let failed = files.hold_while(async { Err::<(), _>(Error::Forbidden) });
    assert!(matches!(failed.await, Err(Error::Forbidden)));
    assert_eq!(files.holds().await.unwrap(), []);
    // Somebody else ends the hold, or it ends because this process was stopped.
    let released = files.hold_while(async {
        let hold = files.holds().await?[0];
        assert!(files.release(hold.id).await?);
        Ok::<_, Error>(())
    });
    assert_eq!(released.await.unwrap(), None);
    let too_late = files.hold_while(async {
        world.wait(Duration::from_mins(5));
        Ok::<_, Error>(())
    });
    assert_eq!(too_late.await.unwrap(), None);
}

async fn contents_of_all_files_are_copied(store: Arc<dyn Store>) {
    let world = World::on(Arc::clone(&store)).await;
    let form = world.form(any_state()).await;
    let mut kept = Vec::new();
    // More than are read at a time.
    for _ in 0..3 {
        let notes = (0..50).map(|number| note(&format!("note {number}")));
        let new = new_submission(form, "{}", DRAFT);
        kept.push(create(&world, new, notes.collect()).await.unwrap());
    }
    let removed = ids(&kept[0])[0];
    world
        .files()
        .remove(SYSTEM, kept[0].id, removed)
        .await
        .unwrap();
    // An upload that is under way has a row, but no content yet.
    let now = world.clock.now();
    let later = now.saturating_add(Duration::from_hours(1));
    let mut tx = store.write().await.unwrap();
    let begun = FileId::from_uuid(UuidV7Source::new().next(now));
    tx.write_files()
        .unwrap()
        .insert_file(begun, later)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let to = CopyFolder::open(folder.path()).unwrap();
    let copied = world.files().copy(&*store, &to).await.unwrap();
    assert_eq!((copied.copied, copied.present), (150, 0));
    assert_eq!(copied.missing, []);
    let backup = FolderFileStore::open(folder.path()).unwrap();
    assert_eq!(backup.get(removed, 0..6).await.unwrap().size, 6);

    let lost = ids(&kept[1])[7];
    world.contents.delete(lost).await.unwrap();
    world.contents.put(begun, whole("arrived")).await.unwrap();
    let copied = world.files().copy(&*store, &to).await.unwrap();
    assert_eq!((copied.copied, copied.present), (1, 149));
    assert_eq!(copied.missing, [lost]);
}
