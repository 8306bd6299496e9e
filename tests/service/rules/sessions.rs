use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use formalize_core::store::{SecretHash, Window};
use formalize_core::{
    Caller, Formalize, Store,
    authorization::Policies,
    tokens::{ApiToken, NewApiToken, NewOwnToken, NewSession, Secret, Session, TokenKind},
};
use formalize_tests::failing::{FailingStore, Failure};
use formalize_tests::on_every_store;
use formalize_tests::patience::until;
use formalize_tests::world::{
    START, Setup, World, condition, everything, instant, new_session, user, user_id,
};
use serde_json::json;

use super::{SYSTEM, fails};

on_every_store! {
    a_session_identifies_its_user,
    every_session_has_a_secret_of_its_own,
    a_session_ends_with_its_lifetime,
    an_unused_session_ends,
    a_session_in_use_does_not_end,
    the_last_use_is_recorded_to_within_five_minutes,
    requests_at_the_same_time_record_one_use,
    signing_out_ends_one_session,
    all_sessions_of_a_user_end_together,
    a_session_is_listed_and_revoked_like_a_token,
    neither_kind_is_accepted_as_the_other,
    a_record_is_not_accepted_as_the_other_kind,
    malformed_secrets_are_unknown,
    a_session_has_no_more_rights_than_its_user,
    cached_sessions_end,
    other_servers_notice_the_end,
    records_of_ended_sessions_are_deleted,
    any_length_is_possible,
    a_session_ends_with_the_token_that_began_it,
    a_token_made_in_a_session_ends_with_the_token_that_began_it,
    tokens_of_other_sessions_are_valid_for_90_days,
    a_user_has_at_most_100_sessions,
}

async fn begin(world: &World, user: &str) -> (Session, Secret) {
    let begun = world.sessions().create(SYSTEM, new_session(user)).await;
    begun.unwrap()
}

async fn is_signed_in(formalize: &Formalize, secret: &Secret) -> bool {
    let found = formalize.sessions().authenticate(secret.expose()).await;
    found.unwrap().is_some()
}

async fn records(world: &World) -> Vec<ApiToken> {
    let listed = world.tokens().list(SYSTEM, &everything()).await;
    listed.unwrap().items
}

async fn a_session_identifies_its_user(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let new = NewSession {
        attributes: BTreeMap::from([("roles".to_owned(), json!(["staff", 1.5, null]))]),
        ..new_session("alice")
    };
    let attributes = new.attributes.clone();
    let (session, secret) = world.sessions().create(SYSTEM, new).await.unwrap();
    let alice = Caller::with_attributes(user_id("alice"), attributes);
    assert_eq!(session.caller, alice);
    assert_eq!(session.date_created, instant(START));
    assert_eq!(session.date_expires, instant("2026-11-21T20:00:00Z"));
    assert_eq!(session.date_idle, instant("2026-11-21T10:05:00Z"));
    let found = world.sessions().authenticate(secret.expose()).await;
    assert_eq!(found.unwrap(), Some(session));
}

async fn every_session_has_a_secret_of_its_own(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (first, second) = (begin(&world, "alice").await, begin(&world, "alice").await);
    assert_ne!(first.1.expose(), second.1.expose());
    assert_ne!(first.0.id, second.0.id);
    let digits = first.1.expose().strip_prefix("fms_").unwrap();
    assert!(digits.len() >= 43, "256 bits: {}", digits.len());
    assert_eq!(format!("{:?}", first.1), "Secret(..)");
    let mut tx = world.store().read().await.unwrap();
    let stored = tx.read_tokens().unwrap().tokens(Window::ALL).await.unwrap();
    assert!(!format!("{stored:?}").contains(digits));
}

async fn a_session_ends_with_its_lifetime(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let new = NewSession {
        idle: Duration::from_hours(24),
        ..new_session("alice")
    };
    let (_, secret) = world.sessions().create(SYSTEM, new).await.unwrap();
    for (now, known) in [
        ("2026-11-21T14:00:00Z", true),
        ("2026-11-21T19:59:59.999Z", true),
        ("2026-11-21T20:00:00Z", false),
        ("2026-11-22T20:00:00Z", false),
    ] {
        world.clock.set(instant(now));
        assert_eq!(is_signed_in(&world, &secret).await, known, "{now}");
    }
}

async fn an_unused_session_ends(store: Arc<dyn Store>) {
    for (now, known) in [
        ("2026-11-21T10:04:59.999Z", true),
        ("2026-11-21T10:05:00Z", false),
    ] {
        let world = World::on(Arc::clone(&store)).await;
        let (_, secret) = begin(&world, "alice").await;
        world.clock.set(instant(now));
        assert_eq!(is_signed_in(&world, &secret).await, known, "{now}");
        world.clock.set(instant("2026-11-21T10:10:00Z"));
        assert_eq!(is_signed_in(&world, &secret).await, known, "after {now}");
    }
}

/// Also if each use comes just before it would be recorded again.
async fn a_session_in_use_does_not_end(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let new = NewSession {
        idle: Duration::from_mins(10),
        ..new_session("alice")
    };
    let (_, secret) = world.sessions().create(SYSTEM, new).await.unwrap();
    for now in [
        "2026-11-21T08:04:59.999Z",
        "2026-11-21T08:14:59.999Z",
        "2026-11-21T08:19:59.998Z",
        "2026-11-21T08:29:59.998Z",
    ] {
        world.clock.set(instant(now));
        assert!(is_signed_in(&world, &secret).await, "{now}");
    }
}

async fn the_last_use_is_recorded_to_within_five_minutes(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (_, secret) = begin(&world, "alice").await;
    for (now, recorded) in [
        (START, START),
        ("2026-11-21T08:04:59.999Z", START),
        ("2026-11-21T08:05:00Z", "2026-11-21T08:05:00Z"),
        ("2026-11-21T08:09:59.999Z", "2026-11-21T08:05:00Z"),
        ("2026-11-21T08:11:00Z", "2026-11-21T08:11:00Z"),
    ] {
        world.clock.set(instant(now));
        assert!(is_signed_in(&world, &secret).await);
        let listed = records(&world).await;
        assert_eq!(listed[0].date_last_used, Some(instant(recorded)), "{now}");
    }
}

async fn requests_at_the_same_time_record_one_use(store: Arc<dyn Store>) {
    let store = FailingStore::around(store);
    let world = World::on(Arc::new(store.clone())).await;
    let (_, secret) = begin(&world, "alice").await;
    world.clock.set(instant("2026-11-21T08:05:00Z"));
    let request = async || {
        let before = store.calls();
        assert!(is_signed_in(&world, &secret).await);
        store.calls() - before
    };
    let (first, second) = (request().await, request().await);
    assert_eq!((first, second), (5, 2), "the first records its use");

    world.clock.set(instant("2026-11-21T08:10:00Z"));
    let before = store.calls();
    let known = tokio::join!(
        is_signed_in(&world, &secret),
        is_signed_in(&world, &secret),
        is_signed_in(&world, &secret),
    );
    assert_eq!(known, (true, true, true));
    assert_eq!(store.calls() - before, first + second * 2);
}

async fn signing_out_ends_one_session(store: Arc<dyn Store>) {
    let world = World::on(Arc::clone(&store)).await;
    let other_server = World::on(store).await;
    let (secret, kept) = (
        begin(&world, "alice").await.1,
        begin(&world, "alice").await.1,
    );
    assert!(is_signed_in(&other_server, &secret).await);
    let end = async |world: &World| world.sessions().end(secret.expose()).await.unwrap();
    assert!(end(&world).await);
    assert!(!is_signed_in(&other_server, &secret).await);
    assert!(!is_signed_in(&world, &secret).await);
    assert!(is_signed_in(&world, &kept).await);
    assert_eq!(records(&world).await.len(), 1, "the record is deleted");
    assert!(!end(&world).await && !end(&other_server).await);
}

async fn all_sessions_of_a_user_end_together(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let secrets = [
        begin(&world, "alice").await.1,
        begin(&world, "alice").await.1,
        begin(&world, "Alice").await.1,
    ];
    let token = issue(&world, "alice").await;
    let alice = user("alice");
    let end = async |caller| world.sessions().end_all_of(caller, &user_id("alice")).await;
    fails(end(&alice).await, "Forbidden");
    assert!(is_signed_in(&world, &secrets[0]).await);
    assert_eq!(end(SYSTEM).await.unwrap(), 2);
    let [first, second, other] = &secrets;
    assert!(!is_signed_in(&world, first).await && !is_signed_in(&world, second).await);
    assert!(is_signed_in(&world, other).await, "of another user");
    let caller = world.tokens().authenticate(token.expose()).await.unwrap();
    assert_eq!(caller.as_ref(), Some(&alice), "API tokens remain valid");
    assert_eq!(end(SYSTEM).await.unwrap(), 0);
}

async fn issue(world: &World, user: &str) -> Secret {
    let new = NewApiToken {
        user: user_id(user),
        attributes: BTreeMap::new(),
        date_expires: None,
    };
    world.tokens().create(SYSTEM, new).await.unwrap().1
}

async fn a_session_is_listed_and_revoked_like_a_token(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    issue(&world, "alice").await;
    let (session, secret) = begin(&world, "alice").await;
    let listed = records(&world).await;
    let kinds: Vec<_> = listed.iter().map(|row| row.kind.as_str()).collect();
    assert_eq!(kinds, ["api", "session"]);
    assert_eq!(listed[1].id, session.id);
    assert_eq!(listed[1].date_expires, Some(session.date_expires));
    world.tokens().revoke(SYSTEM, session.id).await.unwrap();
    assert!(!is_signed_in(&world, &secret).await);
}

async fn neither_kind_is_accepted_as_the_other(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (_, session) = begin(&world, "alice").await;
    let token = issue(&world, "alice").await;
    let with_prefix = |secret: &Secret, prefix| format!("{prefix}{}", &secret.expose()[4..]);
    for secret in [session.expose(), &with_prefix(&session, "fmz_")] {
        let caller = world.tokens().authenticate(secret).await.unwrap();
        assert_eq!(caller, None, "a session is no API token");
    }
    for secret in [token.expose(), &with_prefix(&token, "fms_")] {
        let found = world.sessions().authenticate(secret).await.unwrap();
        assert_eq!(found, None, "an API token is no session");
        assert!(!world.sessions().end(secret).await.unwrap());
    }
    let caller = world.tokens().authenticate(token.expose()).await.unwrap();
    assert_eq!(caller, Some(user("alice")));
}

/// The prefix of a secret is not the only difference: the record decides, also from the cache.
async fn a_record_is_not_accepted_as_the_other_kind(store: Arc<dyn Store>) {
    let world = World::on(Arc::clone(&store)).await;
    let (_, session) = begin(&world, "alice").await;
    issue(&world, "alice").await;
    let rows = records(&world).await;
    let secret = |prefix: &str| format!("{prefix}{}", "0".repeat(64));
    let mut tx = store.write().await.unwrap();
    for (row, secret) in rows.into_iter().zip([secret("fmz_"), secret("fms_")]) {
        tx.write_tokens()
            .unwrap()
            .delete_token(row.id)
            .await
            .unwrap();
        tx.write_tokens()
            .unwrap()
            .insert_token(&row, &SecretHash::of(&secret))
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
    let caller = world.tokens().authenticate(&secret("fmz_")).await;
    assert_eq!(caller.unwrap(), None, "the record of a session");
    let found = world.sessions().authenticate(&secret("fms_")).await;
    assert_eq!(found.unwrap(), None, "the record of an API token");
    assert!(!world.sessions().end(&secret("fms_")).await.unwrap());
    assert!(!is_signed_in(&world, &session).await);
}

async fn malformed_secrets_are_unknown(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (session, secret) = begin(&world, "alice").await;
    let secret = secret.expose();
    let (all_but_last, _) = secret.split_at(secret.len() - 1);
    for text in [
        "",
        "fms_",
        &secret[4..],
        all_but_last,
        &format!("{secret}0"),
        &format!(" {secret}"),
        &secret.to_uppercase(),
        &session.id.to_string(),
        "fms_é",
    ] {
        let found = world.sessions().authenticate(text).await.unwrap();
        assert_eq!(found, None, "{text}");
        assert!(!world.sessions().end(text).await.unwrap(), "{text}");
    }
    let found = world.sessions().authenticate(secret).await.unwrap();
    assert_eq!(found, Some(session));
}

async fn a_session_has_no_more_rights_than_its_user(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (session, _) = begin(&world, "alice").await;
    assert_eq!(session.caller, user("alice"), "the caller of an API token");
    let alice = &session.caller;
    let new = NewApiToken {
        user: user_id("alice"),
        attributes: BTreeMap::new(),
        date_expires: None,
    };
    fails(world.tokens().create(alice, new).await, "Forbidden");
    fails(world.tokens().list(alice, &everything()).await, "Forbidden");
    fails(world.tokens().revoke(alice, session.id).await, "Forbidden");
    let new = new_session("alice");
    fails(world.sessions().create(alice, new).await, "Forbidden");
}

/// A service that caches tokens for an hour.
async fn remembering(world: &World, store: Arc<dyn Store>) -> Formalize {
    let builder = Formalize::builder(store).token_memory(Duration::from_hours(1));
    let builder = builder.clock(Arc::clone(&world.clock) as _);
    builder.build().await.unwrap()
}

async fn cached_sessions_end(store: Arc<dyn Store>) {
    let world = World::on(Arc::clone(&store)).await;
    let service = remembering(&world, store).await;
    let new = NewSession {
        lifetime: Duration::from_secs(2),
        ..new_session("alice")
    };
    let (_, short) = world.sessions().create(SYSTEM, new).await.unwrap();
    for (now, known) in [
        (START, true),
        ("2026-11-21T08:00:01.999Z", true),
        ("2026-11-21T08:00:02Z", false),
    ] {
        world.clock.set(instant(now));
        assert_eq!(is_signed_in(&service, &short).await, known, "{now}");
    }

    let (_, unused) = begin(&world, "alice").await;
    let (_, out) = begin(&world, "alice").await;
    assert!(is_signed_in(&service, &unused).await && is_signed_in(&service, &out).await);
    assert!(service.sessions().end(out.expose()).await.unwrap());
    assert!(!is_signed_in(&service, &out).await, "signed out here");
    world.clock.set(instant("2026-11-21T10:05:02Z"));
    assert!(!is_signed_in(&service, &unused).await, "unused");
}

/// A cached session is looked up again before it seems unused, because it may be in use on another server.
async fn other_servers_notice_the_end(store: Arc<dyn Store>) {
    let world = World::on(Arc::clone(&store)).await;
    let service = remembering(&world, store).await;
    let (_, secret) = begin(&world, "alice").await;
    assert!(is_signed_in(&service, &secret).await);
    world.clock.set(instant("2026-11-21T10:04:00Z"));
    assert!(is_signed_in(&world, &secret).await);
    world.clock.set(instant("2026-11-21T10:06:00Z"));
    assert!(is_signed_in(&service, &secret).await, "in use elsewhere");

    let follower = service.clone();
    let following = tokio::spawn(async move { follower.follow_revocations().await });
    let forgotten = async |secret: &Secret| {
        until("the session is forgotten", async || {
            // A store that cannot send notifications ends at once.
            following.is_finished() || !is_signed_in(&service, secret).await
        })
        .await;
    };
    assert!(is_signed_in(&service, &secret).await);
    assert!(world.sessions().end(secret.expose()).await.unwrap());
    forgotten(&secret).await;

    let (_, secret) = begin(&world, "alice").await;
    assert!(is_signed_in(&service, &secret).await);
    let ended = world.sessions().end_all_of(SYSTEM, &user_id("alice")).await;
    assert_eq!(ended.unwrap(), 1);
    forgotten(&secret).await;
    if following.is_finished() {
        return following.await.unwrap().unwrap();
    }
    following.abort();
}

async fn records_of_ended_sessions_are_deleted(store: Arc<dyn Store>) {
    let world = World::on(Arc::clone(&store)).await;
    let (used, unused) = (begin(&world, "alice").await, begin(&world, "bob").await);
    issue(&world, "alice").await;
    // More than one transaction deletes.
    let row = records(&world).await.swap_remove(0);
    let mut tx = store.write().await.unwrap();
    for number in 0..1_500 {
        let id = formalize_core::tokens::TokenId::from_uuid(uuid::Uuid::from_u128(number));
        let row = ApiToken { id, ..row.clone() };
        let secret = SecretHash::of(&number.to_string());
        tx.write_tokens()
            .unwrap()
            .insert_token(&row, &secret)
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
    let purge = async || world.maintain().await.unwrap().sessions;
    assert_eq!(purge().await, 0);
    world.clock.set(instant("2026-11-21T10:00:00Z"));
    assert!(is_signed_in(&world, &used.1).await);
    world.clock.set(instant("2026-11-21T10:04:59.999Z"));
    assert_eq!(purge().await, 0);
    world.clock.set(instant("2026-11-21T10:05:00Z"));
    assert_eq!(purge().await, 1_501);
    assert!(!is_signed_in(&world, &unused.1).await);
    assert!(is_signed_in(&world, &used.1).await);
    world.clock.set(instant("2026-11-22T08:00:00Z"));
    assert_eq!(purge().await, 1);
    let left = records(&world).await;
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].kind, TokenKind::Api);
}

async fn any_length_is_possible(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    for (lifetime, idle, known) in [
        (Duration::ZERO, Duration::ZERO, false),
        (
            Duration::from_nanos(1_000_001),
            Duration::from_nanos(1),
            true,
        ),
        (Duration::MAX, Duration::MAX, true),
    ] {
        let new = NewSession {
            lifetime,
            idle,
            ..new_session("alice")
        };
        let (session, secret) = world.sessions().create(SYSTEM, new).await.unwrap();
        let found = world.sessions().authenticate(secret.expose()).await;
        assert_eq!(found.unwrap(), Some(session).filter(|_| known));
    }
    world.maintain().await.unwrap();
    assert_eq!(records(&world).await.len(), 2);
}

/// A page must not fail because the use of the session could not be recorded.
#[tokio::test]
async fn failed_recordings_of_use_are_retried_later() {
    let store = FailingStore::in_memory();
    let world = World::on(Arc::new(store.clone())).await;
    let (_, secret) = begin(&world, "alice").await;
    store.fail_at("touch_token", Failure::Unavailable);
    world.clock.set(instant("2026-11-21T08:05:00Z"));
    assert!(is_signed_in(&world, &secret).await);
    store.recover();
    world.clock.set(instant("2026-11-21T08:05:30Z"));
    assert!(is_signed_in(&world, &secret).await);
    let recorded = records(&world).await[0].date_last_used;
    assert_eq!(recorded, Some(instant("2026-11-21T08:05:30Z")));
}

/// A session that began with the secret of a token.
async fn sign_in(world: &World, secret: &Secret) -> Option<(Session, Secret)> {
    let (lifetime, idle) = (Duration::from_hours(12), Duration::from_hours(2));
    let sessions = world.sessions();
    let begun = sessions.create_with_token(SYSTEM, secret.expose(), lifetime, idle);
    begun.await.unwrap()
}

/// A service in which everybody may create tokens.
async fn with_tokens_for_all(store: Arc<dyn Store>) -> World {
    let policies = Policies {
        create_tokens: Some(condition("true")),
        ..Policies::default()
    };
    let setup = Setup {
        policies,
        ..Setup::default()
    };
    World::with(store, setup).await
}

/// A token that a session creates, which asks for the longest lifetime.
async fn create_own(world: &World, session: &Session) -> (ApiToken, Secret) {
    let new = NewOwnToken {
        label: None,
        lifetime: NewOwnToken::MAX_LIFETIME,
    };
    world.tokens().create_own(session, new).await.unwrap()
}

async fn is_token(world: &World, secret: &Secret) -> bool {
    let caller = world.tokens().authenticate(secret.expose()).await;
    caller.unwrap().is_some()
}

async fn a_session_ends_with_the_token_that_began_it(store: Arc<dyn Store>) {
    let world = World::on(Arc::clone(&store)).await;
    let other_server = World::on(store).await;
    let new = NewApiToken {
        user: user_id("alice"),
        attributes: BTreeMap::from([("roles".to_owned(), json!(["staff"]))]),
        date_expires: Some(instant("2026-11-21T09:00:00Z")),
    };
    let (token, secret) = world.tokens().create(SYSTEM, new).await.unwrap();
    let (session, cookie) = sign_in(&world, &secret).await.unwrap();
    let alice = Caller::with_attributes(user_id("alice"), token.attributes.clone());
    assert_eq!((session.caller, session.origin), (alice, Some(token.id)));
    assert_eq!(Some(session.date_expires), token.date_expires);
    world.clock.set(instant("2026-11-21T09:00:00Z"));
    assert!(!is_signed_in(&world, &cookie).await);
    assert!(sign_in(&world, &secret).await.is_none(), "it has expired");

    let secret = issue(&world, "alice").await;
    let (session, cookie) = sign_in(&world, &secret).await.unwrap();
    assert_eq!(session.date_expires, instant("2026-11-21T21:00:00Z"));
    assert!(is_signed_in(&world, &cookie).await && is_signed_in(&other_server, &cookie).await);
    let id = session.origin.unwrap();
    world.tokens().revoke(SYSTEM, id).await.unwrap();
    assert!(!is_signed_in(&world, &cookie).await && !is_signed_in(&other_server, &cookie).await);
    assert!(sign_in(&world, &secret).await.is_none(), "it was revoked");
    let sessions = world.sessions();
    let forever = Duration::MAX;
    let unknown = sessions.create_with_token(SYSTEM, cookie.expose(), forever, forever);
    assert_eq!(unknown.await.unwrap().map(|(session, _)| session), None);
}

async fn a_token_made_in_a_session_ends_with_the_token_that_began_it(store: Arc<dyn Store>) {
    let world = with_tokens_for_all(store).await;
    let new = NewApiToken {
        user: user_id("alice"),
        attributes: BTreeMap::new(),
        date_expires: Some(instant("2026-11-22T08:00:00Z")),
    };
    let (found, secret) = world.tokens().create(SYSTEM, new).await.unwrap();
    let (session, cookie) = sign_in(&world, &secret).await.unwrap();
    let (made, of_made) = create_own(&world, &session).await;
    assert_eq!(
        (made.origin, made.date_expires),
        (Some(found.id), found.date_expires)
    );
    // Signing out ends the session only.
    assert!(world.sessions().end(cookie.expose()).await.unwrap());
    assert!(is_token(&world, &of_made).await);
    // A chain gains nothing.
    let (session, cookie) = sign_in(&world, &of_made).await.unwrap();
    assert_eq!(
        Some(session.date_expires),
        Some(instant("2026-11-21T20:00:00Z"))
    );
    let (last, of_last) = create_own(&world, &session).await;
    assert_eq!(last.date_expires, found.date_expires);
    let owner = user("alice");
    let tokens = world.tokens();
    tokens.revoke_own(&owner, made.id).await.unwrap();
    assert!(!is_signed_in(&world, &cookie).await && !is_token(&world, &of_last).await);
    assert!(is_token(&world, &secret).await, "its origin remains");
    // Nor does a session that was read before its token was revoked.
    let new = NewOwnToken {
        label: None,
        lifetime: NewOwnToken::MAX_LIFETIME,
    };
    fails(tokens.create_own(&session, new).await, "Forbidden");

    let (session, _) = sign_in(&world, &secret).await.unwrap();
    let (_, of_made) = create_own(&world, &session).await;
    world.clock.set(instant("2026-11-22T08:00:00Z"));
    assert!(!is_token(&world, &of_made).await, "it has expired");
}

async fn tokens_of_other_sessions_are_valid_for_90_days(store: Arc<dyn Store>) {
    let world = with_tokens_for_all(store).await;
    let (session, cookie) = begin(&world, "alice").await;
    let (made, secret) = create_own(&world, &session).await;
    assert_eq!(made.date_expires, Some(instant("2027-02-19T08:00:00Z")));
    assert_eq!((session.origin, made.origin), (None, None));
    assert!(world.sessions().end(cookie.expose()).await.unwrap());
    assert!(is_token(&world, &secret).await);
}

async fn a_user_has_at_most_100_sessions(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (_, of_bob) = begin(&world, "bob").await;
    let (_, first) = begin(&world, "alice").await;
    let (_, second) = begin(&world, "alice").await;
    world.wait(Duration::from_mins(6));
    assert!(is_signed_in(&world, &first).await, "it is used");
    for _ in 2..NewSession::MAX_OF_USER {
        begin(&world, "alice").await;
    }
    assert!(is_signed_in(&world, &of_bob).await);
    let (_, last) = begin(&world, "alice").await;
    assert!(!is_signed_in(&world, &second).await, "unused for longest");
    for kept in [&first, &last, &of_bob] {
        assert!(is_signed_in(&world, kept).await);
    }
    assert_eq!(records(&world).await.len(), NewSession::MAX_OF_USER + 1);
}
