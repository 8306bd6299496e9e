//! Sends every statement about files that no operation of a service sends.

use formalize_core::{Store as _, SubmissionRules, SubmissionState};

use super::Ledger;

pub(super) async fn all(ledger: &mut Ledger) {
    let form = ledger.world.form(SubmissionRules::default()).await;
    let submission = ledger
        .world
        .submission("ann", form, SubmissionState::Submitted)
        .await;
    ledger.take_plans("prepare a submission");
    let file = ledger.world.file(submission, b"some text").await;
    ledger.take_plans("add a file");
    let mut tx = ledger.store.write().await.unwrap();
    let found = tx.lock_submission_exclusive(submission).await.unwrap();
    let found = found.unwrap();
    let (ann, now) = (&found.creator, found.date_created);
    assert_eq!(tx.file_bytes(form, ann).await.unwrap(), 9);
    let removed = tx.change_files(&found, &[file], &[], None, now).await;
    assert!(removed.is_ok());
    assert_eq!(tx.unused_files(now, 10).await.unwrap(), [file]);
    assert_eq!(tx.expire_files(&[file]).await.unwrap(), [file]);
    assert_eq!(tx.delete_unused_files(&[file]).await.unwrap(), 1);
    drop(tx);
    ledger.take_plans("remove a file and delete it");
    let mut tx = ledger.store.write().await.unwrap();
    tx.expire_all_uploads().await.unwrap();
    drop(tx);
    ledger.take_plans("let all uploads expire");
}
