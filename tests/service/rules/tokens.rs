use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use formalize_core::store::Window;
use formalize_core::{
    Formalize, PageRequest, Store,
    tokens::{ApiToken, NewApiToken, Secret, TokenId},
};
use formalize_sql::{SqlOptions, SqlStore};
use formalize_tests::failing::{FailingStore, Failure};
use formalize_tests::on_every_store;
use formalize_tests::patience::until;
use formalize_tests::world::{START, World, everything, instant, page_of, user, user_id};
use serde_json::json;

use super::{SYSTEM, fails};

on_every_store! {
    a_token_identifies_its_user,
    a_token_expires,
    revoked_tokens_are_rejected_at_once,
    tokens_can_be_cached,
    cached_tokens_expire,
    revocations_by_other_servers_take_effect,
    malformed_secrets_are_unknown,
    the_last_use_is_recorded_to_within_an_hour,
    tokens_are_listed_page_by_page,
    only_the_hash_of_a_token_is_stored,
}

async fn issue(world: &World, user: &str, expires: Option<&str>) -> (ApiToken, Secret) {
    let new = NewApiToken {
        user: user_id(user),
        attributes: BTreeMap::from([("roles".to_owned(), json!(["staff", 1.5, null]))]),
        date_expires: expires.map(instant),
    };
    world.tokens().create(SYSTEM, new).await.unwrap()
}

async fn is_known(world: &World, secret: &Secret) -> bool {
    let caller = world.tokens().authenticate(secret.expose()).await;
    caller.unwrap().is_some()
}

async fn a_token_identifies_its_user(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (token, secret) = issue(&world, "alice", None).await;
    let caller = world.tokens().authenticate(secret.expose()).await;
    let attributes = token.attributes.clone();
    let alice = formalize_core::Caller::with_attributes(user_id("alice"), attributes);
    assert_eq!(caller.unwrap(), Some(alice));
    let digits = secret.expose().strip_prefix("fmz_").unwrap();
    assert!(digits.len() >= 43, "256 bits: {}", digits.len());
    let (_, other) = issue(&world, "alice", None).await;
    assert_ne!(other.expose(), secret.expose());
    assert_eq!(format!("{secret:?}"), "Secret(..)");
}

async fn a_token_expires(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (_, secret) = issue(&world, "alice", Some("2026-11-21T09:00:00Z")).await;
    for (now, known) in [
        (START, true),
        ("2026-11-21T08:59:59.999Z", true),
        ("2026-11-21T09:00:00Z", false),
        ("2027-11-21T09:00:00Z", false),
    ] {
        world.clock.set(instant(now));
        assert_eq!(is_known(&world, &secret).await, known, "{now}");
    }
}

async fn revoked_tokens_are_rejected_at_once(store: Arc<dyn Store>) {
    let world = World::on(Arc::clone(&store)).await;
    let other_server = World::on(store).await;
    let (token, secret) = issue(&world, "alice", None).await;
    let (_, kept) = issue(&world, "alice", None).await;
    assert!(is_known(&other_server, &secret).await);
    world.tokens().revoke(SYSTEM, token.id).await.unwrap();
    assert!(!is_known(&other_server, &secret).await);
    assert!(!is_known(&world, &secret).await);
    assert!(is_known(&world, &kept).await);
    fails(
        world.tokens().revoke(SYSTEM, token.id).await,
        "TokenNotFound",
    );
    let nothing = TokenId::from_uuid(uuid::Uuid::nil());
    fails(
        world.tokens().revoke(SYSTEM, nothing).await,
        "TokenNotFound",
    );
    fails(
        world.tokens().revoke(&user("alice"), nothing).await,
        "Forbidden",
    );
}

async fn tokens_can_be_cached(store: Arc<dyn Store>) {
    const MEMORY: Duration = Duration::from_millis(500);
    let world = World::on(Arc::clone(&store)).await;
    let service = Formalize::builder(store).token_memory(MEMORY);
    let remembering = service.build().await.unwrap();
    let knows = async |secret: &Secret| {
        let caller = remembering.tokens().authenticate(secret.expose()).await;
        caller.unwrap().is_some()
    };
    let (token, secret) = issue(&world, "alice", None).await;
    assert!(knows(&secret).await);
    world.tokens().revoke(SYSTEM, token.id).await.unwrap();
    tokio::time::sleep(MEMORY).await;
    assert!(
        !knows(&secret).await,
        "revoked by another server some time ago"
    );

    let (token, secret) = issue(&world, "alice", None).await;
    assert!(knows(&secret).await);
    remembering.tokens().revoke(SYSTEM, token.id).await.unwrap();
    assert!(!knows(&secret).await, "just revoked by this server");
}

async fn cached_tokens_expire(store: Arc<dyn Store>) {
    const MEMORY: Duration = Duration::from_hours(1);
    let world = World::on(Arc::clone(&store)).await;
    let service = Formalize::builder(store).token_memory(MEMORY);
    let service = service.clock(Arc::clone(&world.clock) as _);
    let remembering = service.build().await.unwrap();
    // Earlier than the use of the token would be recorded again, which would query the store.
    let (_, secret) = issue(&world, "alice", Some("2026-11-21T08:00:01Z")).await;
    for (now, known) in [
        (START, true),
        ("2026-11-21T08:00:00.999Z", true),
        ("2026-11-21T08:00:01Z", false),
    ] {
        world.clock.set(instant(now));
        let caller = remembering.tokens().authenticate(secret.expose()).await;
        assert_eq!(caller.unwrap().is_some(), known, "{now}");
    }
}

async fn revocations_by_other_servers_take_effect(store: Arc<dyn Store>) {
    const MEMORY: Duration = Duration::from_hours(1);
    let world = World::on(Arc::clone(&store)).await;
    let service = Formalize::builder(store).token_memory(MEMORY);
    let remembering = service.build().await.unwrap();
    let knows = async |secret: &Secret| {
        let caller = remembering.tokens().authenticate(secret.expose()).await;
        caller.unwrap().is_some()
    };
    let follower = remembering.clone();
    let following = tokio::spawn(async move { follower.follow_revocations().await });
    // Everything is forgotten when it begins to listen, so the second one shows that it listens.
    for _ in 0..2 {
        let (token, secret) = issue(&world, "alice", None).await;
        assert!(knows(&secret).await);
        world.tokens().revoke(SYSTEM, token.id).await.unwrap();
        until("the token is forgotten", async || {
            // A store that cannot send notifications ends at once.
            following.is_finished() || !knows(&secret).await
        })
        .await;
    }
    if following.is_finished() {
        return following.await.unwrap().unwrap();
    }
    following.abort();
}

async fn malformed_secrets_are_unknown(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (token, secret) = issue(&world, "alice", None).await;
    let secret = secret.expose();
    let (all_but_last, last) = secret.split_at(secret.len() - 1);
    let another = |digit: &str| if digit == "0" { "1" } else { "0" };
    for text in [
        "",
        "fmz_",
        &secret[4..],
        all_but_last,
        &format!("{secret}0"),
        &format!(" {secret}"),
        &secret.to_uppercase(),
        &format!("fmz_{}", secret[4..].to_uppercase()),
        &format!("fmz_{}{}", another(&secret[4..5]), &secret[5..]),
        &format!("{all_but_last}{}", another(last)),
        &token.id.to_string(),
        "fmz_é",
    ] {
        let caller = world.tokens().authenticate(text).await.unwrap();
        assert_eq!(caller, None, "{text}");
    }
}

async fn the_last_use_is_recorded_to_within_an_hour(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (token, secret) = issue(&world, "alice", None).await;
    assert_eq!(token.date_last_used, None);
    for (now, recorded) in [
        (START, START),
        ("2026-11-21T08:59:59.999Z", START),
        ("2026-11-21T09:00:00Z", "2026-11-21T09:00:00Z"),
    ] {
        world.clock.set(instant(now));
        assert!(is_known(&world, &secret).await);
        let listed = world.tokens().list(SYSTEM, &everything()).await.unwrap();
        assert_eq!(listed.items[0].date_last_used, Some(instant(recorded)));
    }
}

async fn tokens_are_listed_page_by_page(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let mut issued = Vec::new();
    for expires in [
        None,
        Some("2020-01-01T00:00:00Z"),
        Some("2030-01-01T00:00:00.001Z"),
    ] {
        issued.push(issue(&world, "alice", expires).await.0);
    }
    let mut listed = Vec::new();
    let mut request = page_of(1);
    loop {
        let page = world.tokens().list(SYSTEM, &request).await.unwrap();
        listed.extend(page.items);
        let Some(next) = page.next else { break };
        request = PageRequest::after(next, request.size);
    }
    assert_eq!(
        listed, issued,
        "expired tokens are listed until they are revoked"
    );
}

async fn only_the_hash_of_a_token_is_stored(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (_, secret) = issue(&world, "alice", None).await;
    let mut tx = world.store().read().await.unwrap();
    let tokens = tx.read_tokens().unwrap().tokens(Window::ALL).await.unwrap();
    assert_eq!(tokens.len(), 1);
    let digits = secret.expose().strip_prefix("fmz_").unwrap();
    assert!(!format!("{tokens:?}").contains(digits));
}

#[tokio::test]
async fn no_file_holds_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("test.db").display());
    let store = SqlStore::open(&url, &SqlOptions::default()).await.unwrap();
    store.migrate().await.unwrap();
    let world = World::on(Arc::new(store)).await;
    let (token, secret) = issue(&world, "somebody-to-find", None).await;
    assert!(is_known(&world, &secret).await);
    let digits = secret.expose().strip_prefix("fmz_").unwrap();
    let mut held_user = false;
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        let holds = |text: &str| bytes.windows(text.len()).any(|it| it == text.as_bytes());
        held_user |= holds(token.user.as_str());
        assert!(!holds(digits));
    }
    assert!(held_user, "the files must contain the user");
}

/// A request that only reads must not wait for writers, except once in a while.
#[tokio::test]
async fn failed_recordings_of_use_are_not_retried_at_once() {
    let store = FailingStore::in_memory();
    let world = World::on(Arc::new(store.clone())).await;
    let (_, secret) = issue(&world, "alice", None).await;
    store.fail_at("write", Failure::Unavailable);
    let calls = async || {
        let before = store.calls();
        assert!(is_known(&world, &secret).await);
        store.calls() - before
    };
    let first = calls().await;
    assert_eq!(calls().await, first - 1);
    world.clock.set(instant("2026-11-21T08:00:30Z"));
    assert_eq!(calls().await, first);
}
