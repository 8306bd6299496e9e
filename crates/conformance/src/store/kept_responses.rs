//! Responses to requests with an idempotency key.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use formalize_core::store::{Inserted, Store, StoreError, StoreResult, Window};
use formalize_core::{
    SubmissionState, Timestamp,
    events::EventId,
    forms::SubmissionCap,
    idempotency::{Fingerprint, KeptResponse},
};

use crate::store::dump::submissions;
use crate::store::event_log::log;
use crate::store::list::Row;
use crate::store::samples::{Ids, creator_based, idempotency_key as key, now, user};
use crate::store::scene::Scene;
use crate::store::tasks::together;

fn after(seconds: u64) -> Timestamp {
    now().saturating_add(Duration::from_secs(seconds))
}

/// A response that expires after some seconds.
fn response(owner: &str, text: &str, seconds: u64) -> KeptResponse {
    KeptResponse {
        owner: user(owner),
        key: key(text),
        fingerprint: Fingerprint([u8::MAX; 32]),
        response: format!("\u{e4}\n{owner} {seconds}"),
        date_expires: after(seconds),
    }
}

/// Promise 7: a key of a user has one response, until that expires.
pub async fn a_key_has_one_response(store: Arc<dyn Store>) -> StoreResult<()> {
    let (first, second) = (response("alice", "a", 10), response("alice", "a", 20));
    let others = [response("bob", "a", 10), response("alice", "A", 10)];
    let mut tx = store.write().await?;
    for kept in others.iter().chain([&first]) {
        assert_eq!(
            tx.write_kept_responses()?
                .keep_response(kept, now())
                .await?,
            Inserted::Done
        );
    }
    let again = tx
        .write_kept_responses()?
        .keep_response(&second, after(9))
        .await?;
    assert_eq!(again, Inserted::Exists, "promise 7: it has not expired");
    tx.commit().await?;
    let mut tx = store.write().await?;
    let mut find = async |owner, text, seconds| {
        let found = tx
            .read_kept_responses()?
            .kept_responses(&user(owner), &[&key(text)], after(seconds))
            .await?;
        StoreResult::Ok(found.into_iter().next())
    };
    assert_eq!(find("alice", "a", 9).await?, Some(first));
    assert_eq!(find("alice", "a", 10).await?, None, "it has expired");
    assert_eq!(find("bob", "a", 0).await?, Some(others[0].clone()));
    assert_eq!(find("alice", "A", 0).await?, Some(others[1].clone()));
    assert_eq!(find("bob", "A", 0).await?, None);
    let again = tx
        .write_kept_responses()?
        .keep_response(&second, after(10))
        .await?;
    assert_eq!(again, Inserted::Done, "the key counts as unused");
    tx.commit().await?;
    let mut tx = store.read().await?;
    let found = tx
        .read_kept_responses()?
        .kept_responses(&user("alice"), &[&key("a")], after(10))
        .await?;
    assert_eq!(found, std::slice::from_ref(&second));
    let keys = ["A", "b", "a"].map(key);
    let keys: Vec<_> = keys.iter().collect();
    let mut found = tx
        .read_kept_responses()?
        .kept_responses(&user("alice"), &keys, after(5))
        .await?;
    found.sort_by(|one, other| one.key.cmp(&other.key));
    assert_eq!(found, [others[1].clone(), second], "several keys");
    Ok(())
}

/// The number of submissions that are sent at the same moment.
const SUBMISSIONS: usize = 24;

/// Promise 7: of submissions that are sent with the same key at the same moment, one is written, and its response is kept.
/// A submission that is not written leaves its key unused.
pub async fn a_submission_is_written_with_its_response(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let form = scene.form(creator_based(&[])).await?.form;
    scene.commit().await?;
    let mut tx = store.write().await?;
    let expired = response("alice", "key 0", 0);
    assert_eq!(
        tx.write_kept_responses()?
            .keep_response(&expired, now())
            .await?,
        Inserted::Done
    );
    tx.commit().await?;
    let cap = SubmissionCap::new(1).ok();
    let tasks = together(SUBMISSIONS, |number| {
        let (store, ids, form) = (Arc::clone(&store), ids.clone(), form.clone());
        async move {
            // Every third key is sent twice. Some creators have two submissions and one place.
            let key_number = if number % 3 == 1 { number - 1 } else { number };
            let (owner, creator, cap) = match number % 3 {
                2 => ("carol", user(&format!("creator {}", number / 6)), cap),
                _ => ("alice", user(&format!("user {number}")), None),
            };
            let row = ids.submission(&form, &creator, SubmissionState::Submitted);
            let kept = KeptResponse {
                response: row.id.to_string(),
                ..response(owner, &format!("key {key_number}"), 10)
            };
            let event = Some(EventId::from_uuid(ids.next()));
            let outcome = store
                .submit(
                    &row,
                    form.revision,
                    cap,
                    None,
                    event,
                    std::slice::from_ref(&kept),
                )
                .await;
            Ok((row.id, kept, outcome))
        }
    });
    let outcomes = tasks.await?;
    let mut written = HashSet::new();
    let mut tx = store.read().await?;
    for (id, kept, outcome) in outcomes {
        let found = tx
            .read_kept_responses()?
            .kept_responses(&kept.owner, &[&kept.key], now())
            .await?;
        match outcome {
            Ok(true) => {
                assert_eq!(found, [kept], "promise 7");
                written.insert(id.as_uuid());
            }
            Ok(false) => assert_eq!(found, [], "the key is unused"),
            Err(error) => {
                assert!(
                    matches!(error, StoreError::Unavailable(_)),
                    "promise 7: {error}"
                );
                assert_ne!(found, [kept], "another response was kept");
            }
        }
    }
    drop(tx);
    assert_eq!(
        written.len(),
        SUBMISSIONS / 3 + SUBMISSIONS / 6,
        "one of each key, and one of each such creator"
    );
    let rows = submissions(form.id)
        .rows(&mut *store.read().await?, Window::ALL)
        .await?;
    assert_eq!(rows.iter().map(Row::id).collect::<HashSet<_>>(), written);
    let events = log(&*store).await?;
    assert_eq!(
        events.len(),
        written.len(),
        "promise 18: each has its event"
    );
    Ok(())
}

/// Responses are deleted when they have expired, a limited number at a time.
pub async fn expired_responses_are_deleted(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut tx = store.write().await?;
    for (owner, text, seconds) in [("x", "a", 10), ("x", "b", 10), ("y", "a", 11)] {
        let kept = response(owner, text, seconds);
        assert_eq!(
            tx.write_kept_responses()?
                .keep_response(&kept, now())
                .await?,
            Inserted::Done
        );
    }
    tx.commit().await?;
    for (seconds, limit, deleted) in [(9, 9, 0), (10, 0, 0), (10, 1, 1), (10, 9, 1), (99, 9, 1)] {
        let mut tx = store.write().await?;
        let number = tx
            .write_kept_responses()?
            .delete_expired_responses(after(seconds), limit)
            .await?;
        assert_eq!(number, deleted, "after {seconds} s");
        tx.commit().await?;
    }
    Ok(())
}
