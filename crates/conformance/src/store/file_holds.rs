//! Promise 22: what backups of files need.

use std::sync::Arc;
use std::time::Duration;

use formalize_core::store::{FilesChanged, Store, StoreResult};
use formalize_core::{
    SubmissionState, Timestamp,
    files::{FileHold, FileHoldId, FileId},
};

use crate::store::files::{add, change, upload, write_form, write_submission};
use crate::store::samples::{Ids, now, user};

/// Promise 22: all files are listed in the order of their identifiers, whether they belong to a submission or not.
pub async fn all_files_are_listed_in_order(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    assert_eq!(
        store
            .read()
            .await?
            .read_files()?
            .files_after(None, 9)
            .await?,
        []
    );
    let form = write_form(&*store, &ids).await?;
    let (alice, draft) = (user("alice"), SubmissionState::Draft);
    let submission = write_submission(&*store, &ids, &form, &alice, draft).await?;
    let other = write_submission(&*store, &ids, &form, &alice, draft).await?;
    let used = add(&*store, &ids, &submission, &[1, 2, 3]).await?;
    let removed: Vec<FileId> = used.iter().take(1).map(|file| file.id).collect();
    let changed = change(&*store, &submission, &removed, &[]).await?;
    assert_eq!(changed, FilesChanged::Done);
    let of_other = add(&*store, &ids, &other, &[4]).await?;
    let waiting = upload(&*store, &ids, &submission, &[5]).await?;
    let all = used.iter().chain(&of_other).map(|file| file.id);
    let all = all.map(|id| (id, !removed.contains(&id)));
    let mut all: Vec<_> = all
        .chain(waiting.iter().map(|file| (file.id, false)))
        .collect();
    all.sort();
    let mut tx = store.read().await?;
    assert_eq!(
        tx.read_files()?.files_after(None, usize::MAX).await?,
        all,
        "promise 22"
    );
    let mut listed = Vec::new();
    loop {
        let last = listed.last().map(|(id, _)| *id);
        let page = tx.read_files()?.files_after(last, 2).await?;
        if page.is_empty() {
            break;
        }
        assert!(page.len() <= 2);
        listed.extend(page);
    }
    assert_eq!(listed, all, "promise 22: in portions");
    Ok(())
}

/// Promise 22: a hold is there until it ends or is deleted, and it can be renewed until then.
pub async fn holds_on_files_last_until_they_end(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let at = |minutes| now().saturating_add(Duration::from_mins(minutes));
    let hold = |ends: Timestamp| FileHold {
        id: FileHoldId::from_uuid(ids.next()),
        date_ends: ends,
    };
    let (short, long) = (hold(at(1)), hold(at(60)));
    let mut tx = store.write().await?;
    tx.write_files()?.insert_file_hold(short, now()).await?;
    tx.write_files()?.insert_file_hold(long, now()).await?;
    drop(tx);
    assert_eq!(
        store.read().await?.read_files()?.file_holds(now()).await?,
        [],
        "promise 1"
    );
    let mut tx = store.write().await?;
    tx.write_files()?.insert_file_hold(short, now()).await?;
    tx.write_files()?.insert_file_hold(long, now()).await?;
    tx.commit().await?;
    let mut both = vec![short, long];
    both.sort_by_key(|hold| hold.id);
    let mut tx = store.write().await?;
    assert_eq!(
        tx.read_files()?.file_holds(now()).await?,
        both,
        "promise 22"
    );
    assert_eq!(
        tx.read_files()?.file_holds(at(1)).await?,
        [long],
        "promise 22: it ended"
    );
    let renewed = FileHold {
        date_ends: at(2),
        ..short
    };
    assert!(
        !tx.write_files()?.renew_file_hold(renewed, at(1)).await?,
        "it has ended"
    );
    assert!(tx.write_files()?.renew_file_hold(renewed, now()).await?);
    assert!(
        !tx.write_files()?
            .renew_file_hold(hold(at(2)), now())
            .await?,
        "unknown"
    );
    assert_eq!(
        tx.read_files()?.file_holds(at(1)).await?.len(),
        2,
        "promise 22: renewed"
    );
    assert!(tx.write_files()?.delete_file_hold(long.id, now()).await?);
    assert!(
        !tx.write_files()?.delete_file_hold(long.id, now()).await?,
        "once"
    );
    assert!(
        !tx.write_files()?.delete_file_hold(short.id, at(2)).await?,
        "it has ended"
    );
    tx.commit().await?;
    // Those that have ended do not stay.
    let mut tx = store.write().await?;
    let new = hold(at(9));
    tx.write_files()?.insert_file_hold(new, at(2)).await?;
    tx.commit().await?;
    assert_eq!(
        store.read().await?.read_files()?.file_holds(now()).await?,
        [new]
    );
    Ok(())
}
