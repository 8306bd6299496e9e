//! Responses to requests with an idempotency key.

use std::sync::Arc;
use std::time::Duration;

use crate::model::idempotency::{Fingerprint, KeptResponse};
use crate::store::conformance::samples::{idempotency_key as key, now, user};
use crate::store::{Inserted, Store, StoreResult};
use crate::time::Timestamp;

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
        assert_eq!(tx.keep_response(kept, now()).await?, Inserted::Done);
    }
    let again = tx.keep_response(&second, after(9)).await?;
    assert_eq!(again, Inserted::Exists, "promise 7: it has not expired");
    tx.commit().await?;
    let mut tx = store.write().await?;
    let mut find = async |owner, text, seconds| {
        let found = tx
            .kept_responses(&user(owner), &[&key(text)], after(seconds))
            .await?;
        StoreResult::Ok(found.into_iter().next())
    };
    assert_eq!(find("alice", "a", 9).await?, Some(first));
    assert_eq!(find("alice", "a", 10).await?, None, "it has expired");
    assert_eq!(find("bob", "a", 0).await?, Some(others[0].clone()));
    assert_eq!(find("alice", "A", 0).await?, Some(others[1].clone()));
    assert_eq!(find("bob", "A", 0).await?, None);
    let again = tx.keep_response(&second, after(10)).await?;
    assert_eq!(again, Inserted::Done, "the key counts as unused");
    tx.commit().await?;
    let mut tx = store.read().await?;
    let found = tx
        .kept_responses(&user("alice"), &[&key("a")], after(10))
        .await?;
    assert_eq!(found, std::slice::from_ref(&second));
    let keys = ["A", "b", "a"].map(key);
    let keys: Vec<_> = keys.iter().collect();
    let mut found = tx.kept_responses(&user("alice"), &keys, after(5)).await?;
    found.sort_by(|one, other| one.key.cmp(&other.key));
    assert_eq!(found, [others[1].clone(), second], "several keys");
    Ok(())
}

/// Responses are deleted when they have expired, a limited number at a time.
pub async fn expired_responses_are_deleted(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut tx = store.write().await?;
    for (owner, text, seconds) in [("x", "a", 10), ("x", "b", 10), ("y", "a", 11)] {
        let kept = response(owner, text, seconds);
        assert_eq!(tx.keep_response(&kept, now()).await?, Inserted::Done);
    }
    tx.commit().await?;
    for (seconds, limit, deleted) in [(9, 9, 0), (10, 0, 0), (10, 1, 1), (10, 9, 1), (99, 9, 1)] {
        let mut tx = store.write().await?;
        let number = tx.delete_expired_responses(after(seconds), limit).await?;
        assert_eq!(number, deleted, "after {seconds} s");
        tx.commit().await?;
    }
    Ok(())
}
