//! Sessions of people who have signed in to web pages.

use std::sync::Arc;

use formalize_core::{Caller, Formalize, tokens::Secret};
use formalize_sql::{SqlOptions, SqlStore};
use formalize_tests::world::new_session;

use crate::bench::{Bench, block_on};

on_both_databases! {
    sessions_are_listed_with_their_kind,
    sessions_of_a_user_are_ended,
}

async fn open(bench: &Bench) -> Formalize {
    let options = SqlOptions::default();
    let store = SqlStore::open(&bench.url(), &options).await.unwrap();
    Formalize::builder(Arc::new(store)).build().await.unwrap()
}

/// Signs users in.
fn sign_in(bench: &Bench, users: &[&str]) -> Vec<Secret> {
    block_on(async {
        let formalize = open(bench).await;
        let mut secrets = Vec::new();
        for user in users {
            let (sessions, new) = (formalize.sessions(), new_session(user));
            let begun = sessions.create(&Caller::System, new).await;
            secrets.push(begun.unwrap().1);
        }
        formalize.store().close().await;
        secrets
    })
}

fn is_signed_in(bench: &Bench, secret: &Secret) -> bool {
    block_on(async {
        let formalize = open(bench).await;
        let found = formalize.sessions().authenticate(secret.expose()).await;
        formalize.store().close().await;
        found.unwrap().is_some()
    })
}

fn sessions_are_listed_with_their_kind(bench: &Bench) {
    bench.run("tokens create --user alice").expect(0);
    let secrets = sign_in(bench, &["bob"]);
    let listed = bench.run("tokens list -o json").expect(0);
    assert!(!listed.out.contains("fms_"), "{listed:?}");
    let [token, session] = listed
        .json()
        .as_array()
        .unwrap()
        .clone()
        .try_into()
        .unwrap();
    assert_eq!(
        (&token["kind"], &token["userIdentifier"]),
        (&"api".into(), &"alice".into())
    );
    assert_eq!(
        (&session["kind"], &session["userIdentifier"]),
        (&"session".into(), &"bob".into())
    );
    assert!(session["dateExpires"].is_string() && session["dateLastUsed"].is_string());
    let table = bench.run("tokens list -o table").expect(0).out;
    assert!(table.lines().next().unwrap().contains("kind"), "{table}");
    let csv = bench.run("tokens list -o csv").expect(0).out;
    assert!(csv.starts_with("identifier,kind,userIdentifier,"), "{csv}");

    let id = session["identifier"].as_str().unwrap();
    assert!(is_signed_in(bench, &secrets[0]));
    bench.run(&format!("tokens revoke {id}")).expect(0);
    assert!(!is_signed_in(bench, &secrets[0]));
}

fn sessions_of_a_user_are_ended(bench: &Bench) {
    bench.run("tokens create --user alice").expect(0);
    let secrets = sign_in(bench, &["alice", "bob", "alice"]);
    bench
        .run("tokens revoke --sessions-of alice --as alice")
        .expect(5);
    assert!(is_signed_in(bench, &secrets[0]));
    let ended = bench.run("tokens revoke --sessions-of alice").expect(0);
    assert_eq!(ended.err, "ended 2 sessions of `alice`\n");
    assert!(!is_signed_in(bench, &secrets[0]) && !is_signed_in(bench, &secrets[2]));
    assert!(is_signed_in(bench, &secrets[1]), "of another user");
    assert_eq!(bench.count("tokens list"), 2, "the API token remains");
    let ended = bench.run("tokens revoke --sessions-of bob").expect(0);
    assert_eq!(ended.err, "ended 1 session of `bob`\n");
    let ended = bench.run("tokens revoke --sessions-of bob").expect(0);
    assert_eq!(ended.err, "ended 0 sessions of `bob`\n");

    let id = bench.record("tokens list")[0]["identifier"].clone();
    let id = id.as_str().unwrap();
    bench.run("tokens revoke").expect(2);
    bench
        .run(&format!("tokens revoke {id} --sessions-of alice"))
        .expect(2);
    assert_eq!(bench.count("tokens list"), 1);
}
