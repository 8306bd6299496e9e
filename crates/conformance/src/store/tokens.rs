//! API tokens and sessions.

use std::sync::Arc;
use std::time::Duration;

use formalize_core::store::{Store, StoreResult, Window, WriteTx};
use formalize_core::tokens::{ApiToken, TokenLabel};

use crate::store::samples::{Ids, instant, now, secret, user};
use crate::store::tasks::promptly;

/// Long enough for pending notifications to arrive.
const MOMENT: Duration = Duration::from_millis(200);

/// Inserts tokens with the secrets of the numbers from one on.
async fn insert(tx: &mut dyn WriteTx, tokens: Vec<&ApiToken>) -> StoreResult<()> {
    for (number, token) in (1..).zip(tokens) {
        let tokens = tx.write_tokens()?;
        tokens.insert_token(token, &secret(number)).await?;
    }
    Ok(())
}

/// A token is found only by its secret, records its last use, and cannot be found after it was deleted.
pub async fn tokens_are_found_by_their_secret(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let (mut first, second) = (ids.token(&user("alice")), ids.token(&user("alice")));
    let mut tx = store.write().await?;
    tx.write_tokens()?.insert_token(&first, &secret(1)).await?;
    tx.write_tokens()?.insert_token(&second, &secret(2)).await?;
    tx.commit().await?;
    let mut tx = store.write().await?;
    assert_eq!(
        tx.read_tokens()?.find_token(&secret(1)).await?,
        Some(first.clone())
    );
    assert_eq!(tx.read_tokens()?.find_token(&secret(3)).await?, None);
    let used = instant(1_795_000_001_000);
    tx.write_tokens()?.touch_token(first.id, used).await?;
    first.date_last_used = Some(used);
    assert_eq!(
        tx.read_tokens()?.find_token(&secret(1)).await?,
        Some(first.clone())
    );
    assert_eq!(
        tx.read_tokens()?.find_token(&secret(2)).await?,
        Some(second.clone())
    );
    assert!(
        tx.write_tokens()?.delete_token(first.id).await?,
        "it existed"
    );
    assert!(
        !tx.write_tokens()?.delete_token(first.id).await?,
        "it no longer exists"
    );
    tx.commit().await?;
    let mut tx = store.read().await?;
    assert_eq!(
        tx.read_tokens()?.find_token(&secret(1)).await?,
        None,
        "it was revoked"
    );
    assert_eq!(tx.read_tokens()?.tokens(Window::ALL).await?, [second]);
    Ok(())
}

/// Sessions are found and listed like tokens, and all those of a user are deleted together.
pub async fn sessions_of_a_user_are_deleted(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let (alice, bob) = (user("alice"), user("bob"));
    let sessions = [&alice, &alice, &bob].map(|user| ids.session(user));
    let token = ids.token(&alice);
    let mut tx = store.write().await?;
    insert(&mut *tx, sessions.iter().chain([&token]).collect()).await?;
    tx.commit().await?;
    let mut tx = store.write().await?;
    assert_eq!(
        tx.read_tokens()?.find_token(&secret(1)).await?,
        Some(sessions[0].clone())
    );
    assert_eq!(tx.read_tokens()?.tokens(Window::ALL).await?.len(), 4);
    assert_eq!(
        tx.write_tokens()?
            .delete_sessions_of(&user("ALICE"))
            .await?,
        0
    );
    assert_eq!(tx.write_tokens()?.delete_sessions_of(&alice).await?, 2);
    assert_eq!(tx.write_tokens()?.delete_sessions_of(&alice).await?, 0);
    assert_eq!(
        tx.write_tokens()?
            .delete_ended_sessions(now(), usize::MAX)
            .await?,
        0
    );
    tx.commit().await?;
    let mut tx = store.read().await?;
    let [first, _, of_bob] = sessions;
    assert_eq!(
        tx.read_tokens()?.find_token(&secret(1)).await?,
        None,
        "{first:?}"
    );
    assert_eq!(
        tx.read_tokens()?.find_token(&secret(3)).await?,
        Some(of_bob)
    );
    assert_eq!(tx.read_tokens()?.find_token(&secret(4)).await?, Some(token));
    assert_eq!(tx.read_tokens()?.tokens(Window::ALL).await?.len(), 2);
    Ok(())
}

/// Tokens and sessions are listed and deleted for their user alone, and keep their labels.
pub async fn tokens_of_a_user(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let (alice, bob) = (user("alice"), user("bob"));
    let label = TokenLabel::new("Nightly “report”").ok();
    let labelled = ApiToken {
        label,
        ..ids.token(&alice)
    };
    let rows = [
        labelled,
        ids.token(&bob),
        ids.session(&alice),
        ids.token(&user("Alice")),
    ];
    let mut tx = store.write().await?;
    insert(&mut *tx, rows.iter().collect()).await?;
    tx.commit().await?;
    let mut tx = store.write().await?;
    let of_alice = [rows[0].clone(), rows[2].clone()];
    assert_eq!(
        tx.read_tokens()?.tokens_of(&alice, Window::ALL).await?,
        of_alice
    );
    assert_eq!(
        tx.read_tokens()?.tokens_of(&alice, Window::ONE).await?,
        of_alice[..1]
    );
    let second = Window {
        after: rows[0].id.as_uuid(),
        ..Window::ALL
    };
    assert_eq!(
        tx.read_tokens()?.tokens_of(&alice, second).await?,
        of_alice[1..]
    );
    assert_eq!(
        tx.read_tokens()?
            .tokens_of(&user("carol"), Window::ALL)
            .await?,
        []
    );
    assert!(
        !tx.write_tokens()?.delete_token_of(&bob, rows[0].id).await?,
        "it is not his"
    );
    assert!(
        tx.write_tokens()?
            .delete_token_of(&alice, rows[0].id)
            .await?
    );
    assert!(
        !tx.write_tokens()?
            .delete_token_of(&alice, rows[0].id)
            .await?,
        "it is gone"
    );
    assert!(
        tx.write_tokens()?
            .delete_token_of(&alice, rows[2].id)
            .await?
    );
    assert_eq!(tx.read_tokens()?.tokens(Window::ALL).await?.len(), 2);
    Ok(())
}

/// Sessions that expired or were not used are deleted, and API tokens are not.
pub async fn ended_sessions_are_deleted(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let alice = user("alice");
    let after = |seconds| now().saturating_add(Duration::from_secs(seconds));
    let (unused, used) = (ids.session(&alice), ids.session(&alice));
    let expired = ApiToken {
        date_expires: Some(now()),
        ..ids.token(&alice)
    };
    let mut tx = store.write().await?;
    insert(&mut *tx, vec![&unused, &used, &expired]).await?;
    tx.write_tokens()?.touch_token(used.id, after(95)).await?;
    tx.commit().await?;
    for (at, limit, deleted, left) in [
        (9, 9, 0, 3),
        (10, 0, 0, 3),
        (10, 9, 1, 2),
        (99, 9, 0, 2),
        (100, 9, 1, 1),
        (1000, 9, 0, 1),
    ] {
        let mut tx = store.write().await?;
        assert_eq!(
            tx.write_tokens()?
                .delete_ended_sessions(after(at), limit)
                .await?,
            deleted
        );
        assert_eq!(
            tx.read_tokens()?.tokens(Window::ALL).await?.len(),
            left,
            "after {at} s"
        );
        tx.commit().await?;
    }
    Ok(())
}

/// A token goes with its origin, also at the end of a chain that is longer than databases follow by themselves.
pub async fn tokens_end_with_their_origin(store: Arc<dyn Store>) -> StoreResult<()> {
    const CHAIN: u64 = 1200;
    let ids = Ids::default();
    let alice = user("alice");
    let of = |origin: &ApiToken, token: ApiToken| ApiToken {
        origin: Some(origin.id),
        ..token
    };
    let (root, other) = (ids.token(&alice), ids.token(&alice));
    let session = of(&root, ids.session(&alice));
    let mut last = of(&root, ids.token(&alice));
    let child = last.clone();
    let mut tx = store.write().await?;
    insert(&mut *tx, vec![&root, &other, &session, &child]).await?;
    for number in 5..CHAIN {
        last = of(&last, ids.token(&alice));
        tx.write_tokens()?
            .insert_token(&last, &secret(number))
            .await?;
    }
    tx.commit().await?;
    let mut tx = store.write().await?;
    assert_eq!(
        tx.read_tokens()?.find_token(&secret(3)).await?,
        Some(session.clone())
    );
    assert_eq!(
        tx.write_tokens()?.lock_token_shared(child.id).await?,
        Some(child.clone())
    );
    assert!(tx.write_tokens()?.delete_token(session.id).await?);
    assert_eq!(
        tx.read_tokens()?.find_token(&secret(4)).await?,
        Some(child),
        "its sibling"
    );
    assert!(
        !tx.write_tokens()?
            .delete_token_of(&user("bob"), root.id)
            .await?
    );
    assert_eq!(
        tx.read_tokens()?.find_token(&secret(CHAIN - 1)).await?,
        Some(last)
    );
    assert!(tx.write_tokens()?.delete_token_of(&alice, root.id).await?);
    assert_eq!(tx.write_tokens()?.lock_token_shared(root.id).await?, None);
    assert_eq!(tx.read_tokens()?.tokens(Window::ALL).await?, [other]);
    tx.commit().await
}

/// Of too many sessions of a user, those are kept that were used last.
pub async fn surplus_sessions_are_deleted(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let (alice, bob) = (user("alice"), user("bob"));
    let after = |seconds| Some(now().saturating_add(Duration::from_secs(seconds)));
    let session = |used| ApiToken {
        date_last_used: after(used),
        ..ids.session(&alice)
    };
    let sessions = [3, 0, 1, 2].map(session);
    let (token, of_bob) = (ids.token(&alice), ids.session(&bob));
    let mut tx = store.write().await?;
    insert(&mut *tx, sessions.iter().chain([&token, &of_bob]).collect()).await?;
    assert_eq!(
        tx.write_tokens()?
            .delete_surplus_sessions_of(&alice, 4)
            .await?,
        0
    );
    assert_eq!(
        tx.write_tokens()?
            .delete_surplus_sessions_of(&alice, 3)
            .await?,
        1
    );
    assert_eq!(
        tx.read_tokens()?.find_token(&secret(2)).await?,
        None,
        "unused for longest"
    );
    assert_eq!(
        tx.write_tokens()?
            .delete_surplus_sessions_of(&alice, 1)
            .await?,
        2
    );
    for (number, kept) in [(1, &sessions[0]), (5, &token), (6, &of_bob)] {
        assert_eq!(
            tx.read_tokens()?
                .find_token(&secret(number))
                .await?
                .as_ref(),
            Some(kept)
        );
    }
    assert_eq!(tx.read_tokens()?.tokens(Window::ALL).await?.len(), 3);
    tx.commit().await
}

/// Promise 14: a store that notifies of deleted tokens does so after the deletion, and for no others.
pub async fn deleted_tokens_are_told_of(store: Arc<dyn Store>) -> StoreResult<()> {
    let Some(mut revocations) = store.revocations().await? else {
        return Ok(());
    };
    let (ids, alice) = (Ids::default(), user("alice"));
    let token = ids.token(&alice);
    let mut tx = store.write().await?;
    tx.write_tokens()?.insert_token(&token, &secret(1)).await?;
    tx.write_tokens()?
        .insert_token(&ids.session(&alice), &secret(2))
        .await?;
    tx.commit().await?;
    let mut tx = store.write().await?;
    assert!(tx.write_tokens()?.delete_token(token.id).await?);
    drop(tx);
    let mut tx = store.write().await?;
    assert!(tx.write_tokens()?.delete_token(token.id).await?);
    let early = tokio::time::timeout(MOMENT, revocations.next()).await;
    assert!(early.is_err(), "promise 14: nothing was deleted yet");
    tx.commit().await?;
    promptly(revocations.next(), "promise 14: a token was deleted").await?;
    let mut tx = store.write().await?;
    assert_eq!(tx.write_tokens()?.delete_sessions_of(&alice).await?, 1);
    tx.commit().await?;
    promptly(revocations.next(), "promise 14: a session was deleted").await
}
