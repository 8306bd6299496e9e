//! Requests that are sent several times at the same time.

use std::collections::BTreeSet;
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use formalize_core::store::Inserted;
use formalize_core::{
    Caller, Clock, Error, FormId, Formalize, Group, Result, Submission, SubmissionRules,
    SubmissionState, Viewed,
    authorization::Policies,
    forms::SubmissionCap,
    idempotency::{Fingerprint, IdempotencyKey, KeptResponse, KeyedRequest, Once},
};
use formalize_sql::{SqlOptions, SqlStore};
use formalize_tests::on_every_database;
use formalize_tests::stores::Database;
use formalize_tests::world::{
    Setup, World, condition, everything, new_group, new_submission, user, user_id,
};

use super::{ROUNDS, SYSTEM, Servers, any_state, open_form};

on_every_database! {
    fifty_equal_requests_create_one_submission,
    the_last_place_is_taken_once,
    of_different_requests_one_is_performed,
}

fn request(key: &str, content: u8) -> KeyedRequest {
    KeyedRequest {
        key: IdempotencyKey::new(key).unwrap(),
        fingerprint: Fingerprint([content; 32]),
        retention: Duration::from_hours(1),
    }
}

/// The identifier of the submission that was created by this request, or before.
async fn send(
    server: &Formalize,
    caller: &Caller,
    form: FormId,
    request: &KeyedRequest,
) -> Result<String> {
    let new = new_submission(form, "{}", SubmissionState::Submitted);
    let response = |view: &Viewed<Submission>| view.item.id.to_string();
    let submissions = server.submissions();
    let outcome = submissions
        .create_once(caller, new, Some(request), &response)
        .await?;
    Ok(match outcome {
        Once::Done(view) => view.item.id.to_string(),
        Once::Repeated(response) => response,
    })
}

async fn fifty_equal_requests_create_one_submission(database: &Database) {
    let servers = Servers::on(database).await;
    for grant_based in [false, true] {
        let rules = SubmissionRules {
            grant_based,
            ..any_state()
        };
        let form = open_form(servers.one(), rules).await;
        let key = form.to_string();
        let outcomes = servers
            .race(50, |_, server| {
                let request = request(&key, 1);
                async move { send(&server, &user("alice"), form, &request).await }
            })
            .await;
        let answers: BTreeSet<String> = outcomes.into_iter().map(Result::unwrap).collect();
        assert_eq!(answers.len(), 1);
        let submissions = servers.one().submissions();
        let (all, page) = (formalize_core::SubmissionFilter::default(), everything());
        let list = submissions.list(SYSTEM, form, &all, &page).await.unwrap();
        let ids: Vec<String> = list.items.iter().map(|it| it.item.id.to_string()).collect();
        assert_eq!(ids, Vec::from_iter(answers));
    }
}

/// Whoever loses the race for the last place against the same request gets its response.
async fn the_last_place_is_taken_once(database: &Database) {
    let servers = Servers::on(database).await;
    for round in 0..ROUNDS {
        let rules = SubmissionRules {
            cap: SubmissionCap::new(1).ok(),
            ..any_state()
        };
        let form = open_form(servers.one(), rules).await;
        let key = format!("last place {round}");
        let outcomes = servers
            .race(8, |_, server| {
                let request = request(&key, 1);
                async move { send(&server, &user("alice"), form, &request).await }
            })
            .await;
        let answers: BTreeSet<String> = outcomes.into_iter().map(Result::unwrap).collect();
        assert_eq!(answers.len(), 1);
    }
}

async fn of_different_requests_one_is_performed(database: &Database) {
    let servers = Servers::on(database).await;
    let form = open_form(servers.one(), any_state()).await;
    for round in 0..ROUNDS {
        let key = format!("different {round}");
        let outcomes = servers
            .race(4, |number, server| {
                let request = request(&key, u8::try_from(number).unwrap());
                async move { send(&server, &user("alice"), form, &request).await }
            })
            .await;
        let reused = |it: &Error| matches!(it, Error::IdempotencyKeyReused);
        assert_eq!(super::successes(&outcomes, reused), 1);
    }
}

/// A server that waits this long for other transactions.
async fn impatient_server(database: &Database) -> World {
    let options = SqlOptions {
        wait: Duration::from_millis(300),
        ..SqlOptions::default()
    };
    let store = SqlStore::open(&database.url(), &options).await.unwrap();
    let policies = Policies {
        create_groups: Some(condition("true")),
        ..Policies::default()
    };
    let setup = Setup {
        policies,
        ..Setup::default()
    };
    World::with(Arc::new(store), setup).await
}

/// Creates a group once for this key. The response is made by `response`, while the transaction is open.
async fn create_group(
    server: &Formalize,
    response: impl Fn() + Send + Sync,
) -> Result<Once<Viewed<Group>>> {
    let request = request("in use", 1);
    let response = |view: &Viewed<Group>| {
        response();
        view.item.id.to_string()
    };
    let (alice, new) = (user("alice"), new_group("Editors"));
    let groups = server.groups();
    groups
        .create_once(&alice, new, Some(&request), &response)
        .await
}

/// The transaction of an equal request is open on the same server. On PostgreSQL, it would block others only once it has
/// written its key, as below.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_equal_request_in_progress_is_waited_for_on_sqlite() {
    let world = impatient_server(&Database::sqlite().await).await;
    let (has_begun, begun) = mpsc::channel();
    let (release, is_released) = mpsc::channel();
    let is_released = Mutex::new(is_released);
    let server = world.formalize.clone();
    let first = tokio::spawn(async move {
        let hold = || {
            has_begun.send(()).unwrap();
            // Other tasks of this thread go on elsewhere.
            tokio::task::block_in_place(|| is_released.lock().unwrap().recv().unwrap());
        };
        create_group(&server, hold).await
    });
    tokio::task::spawn_blocking(move || begun.recv())
        .await
        .unwrap()
        .unwrap();
    let second = create_group(&world, || ()).await;
    assert!(
        matches!(second, Err(Error::IdempotencyKeyInUse)),
        "{second:?}"
    );
    release.send(()).unwrap();
    let Ok(Once::Done(made)) = first.await.unwrap() else {
        panic!("the first request is performed");
    };
    let third = create_group(&world, || ()).await.unwrap();
    assert_eq!(third, Once::Repeated(made.item.id.to_string()));
    let keys = world.statistics().keys;
    assert_eq!((keys.first, keys.in_use, keys.repeated), (1, 1, 1));
}

/// The key is in an open transaction of another server. Requests with other keys are not affected. SQLite has one server.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn a_key_in_a_transaction_of_another_server_is_in_use_on_postgres() {
    let database = &Database::postgres().await;
    let other = World::on(database.open().await).await;
    let world = impatient_server(database).await;
    let form = open_form(&world, any_state()).await;
    let grant_based = SubmissionRules {
        grant_based: true,
        ..any_state()
    };
    let form_with_grants = open_form(&world, grant_based).await;
    let mut tx = other.store().write().await.unwrap();
    let kept = KeptResponse {
        owner: user_id("alice"),
        key: IdempotencyKey::new("in use").unwrap(),
        fingerprint: Fingerprint([1; 32]),
        response: "from the other server".to_owned(),
        date_expires: world.clock.now().saturating_add(Duration::from_hours(1)),
    };
    let inserted = tx
        .write_kept_responses()
        .unwrap()
        .keep_response(&kept, world.clock.now())
        .await
        .unwrap();
    assert_eq!(inserted, Inserted::Done);
    let group = create_group(&world, || ()).await;
    assert!(
        matches!(group, Err(Error::IdempotencyKeyInUse)),
        "{group:?}"
    );
    let (alice, in_use) = (user("alice"), request("in use", 1));
    for form in [form, form_with_grants] {
        let sent = send(&world, &alice, form, &in_use).await;
        assert!(matches!(sent, Err(Error::IdempotencyKeyInUse)), "{sent:?}");
        let unused = request(&form.to_string(), 1);
        send(&world, &alice, form, &unused).await.unwrap();
    }
    tx.commit().await.unwrap();
    let sent = send(&world, &alice, form, &in_use).await.unwrap();
    assert_eq!(sent, "from the other server");
}
