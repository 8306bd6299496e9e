//! Requests with an idempotency key.

use std::sync::Arc;
use std::time::Duration;

use formalize_core::{
    Action, Caller, Error, Fingerprint, Group, IdempotencyKey, KeyedRequest, NewMembership, Once,
    ResourceRef, Result, Store, Subject, Submission, SubmissionCap, SubmissionRules,
    SubmissionState, Viewed,
};
use formalize_tests::on_every_store;
use formalize_tests::world::{
    World, new_form, new_grant, new_group, new_submission, user, user_id,
};

use super::{SYSTEM, fails};

on_every_store! {
    a_request_that_is_sent_again_gets_the_same_response,
    a_key_belongs_to_one_request_of_one_user,
    refusals_are_not_kept,
    responses_expire_and_are_deleted,
    every_kind_of_record_is_created_once,
}

const RETENTION: Duration = Duration::from_hours(1);
const NEARLY: Duration = Duration::from_millis(3_599_999);

fn request(key: &str, content: u8) -> KeyedRequest {
    KeyedRequest {
        key: IdempotencyKey::new(key).unwrap(),
        fingerprint: Fingerprint([content; 32]),
        retention: RETENTION,
    }
}

/// Creates a group; the response is its identifier.
async fn group(world: &World, caller: &Caller, request: &KeyedRequest) -> Result<Once<String>> {
    let response = |view: &Viewed<Group>| view.item.id.to_string();
    let groups = world.groups();
    let new = new_group("Editors");
    let outcome = groups
        .create_once(caller, new, Some(request), &response)
        .await?;
    Ok(match outcome {
        Once::Done(view) => Once::Done(response(&view)),
        Once::Repeated(kept) => Once::Repeated(kept),
    })
}

async fn submit(
    world: &World,
    form: formalize_core::FormId,
    request: &KeyedRequest,
) -> Result<Once<Viewed<Submission>>> {
    let new = new_submission(form, "{}", SubmissionState::Submitted);
    let response = |view: &Viewed<Submission>| view.item.id.to_string();
    let submissions = world.submissions();
    submissions
        .create_once(&user("alice"), new, Some(request), &response)
        .await
}

async fn a_request_that_is_sent_again_gets_the_same_response(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let first = group(&world, SYSTEM, &request("a", 1)).await.unwrap();
    let Once::Done(id) = first else {
        panic!("{first:?}")
    };
    let repeated = || async { group(&world, SYSTEM, &request("a", 1)).await.unwrap() };
    assert_eq!(repeated().await, Once::Repeated(id.clone()));
    // Also when the item is gone.
    let id_of_group: formalize_core::GroupId = id.parse().unwrap();
    world.groups().delete(SYSTEM, id_of_group).await.unwrap();
    assert_eq!(repeated().await, Once::Repeated(id));
}

async fn a_key_belongs_to_one_request_of_one_user(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    for holder in ["alice", "bob"] {
        let subject = Subject::User(user_id(holder));
        let grant = new_grant(
            &subject,
            &Action::CREATE_SUBMISSIONS,
            &ResourceRef::form(form),
        );
        world.grants().create(SYSTEM, grant).await.unwrap();
    }
    submit(&world, form, &request("a", 1)).await.unwrap();
    fails(
        submit(&world, form, &request("a", 2)).await,
        "IdempotencyKeyReused",
    );
    // The key of another user, and a key that differs in case, are other keys.
    for (caller, key) in [("bob", "a"), ("alice", "A")] {
        let new = new_submission(form, "{}", SubmissionState::Submitted);
        let response = |_: &Viewed<Submission>| String::new();
        let outcome = world
            .submissions()
            .create_once(&user(caller), new, Some(&request(key, 2)), &response)
            .await;
        assert!(matches!(outcome, Ok(Once::Done(_))), "{caller} {key}");
    }
}

async fn refusals_are_not_kept(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let rules = SubmissionRules {
        cap: SubmissionCap::new(1).ok(),
        ..SubmissionRules::default()
    };
    let form = world.form(rules).await;
    fails(submit(&world, form, &request("a", 1)).await, "Forbidden");
    let subject = Subject::User(user_id("alice"));
    let grant = new_grant(
        &subject,
        &Action::CREATE_SUBMISSIONS,
        &ResourceRef::form(form),
    );
    let grant = world.grants().create(SYSTEM, grant).await.unwrap();
    let Once::Done(first) = submit(&world, form, &request("a", 1)).await.unwrap() else {
        panic!("the refused request was not performed")
    };
    fails(
        submit(&world, form, &request("b", 1)).await,
        "SubmissionCapReached",
    );
    let submissions = world.submissions();
    submissions.delete(SYSTEM, first.item.id).await.unwrap();
    let freed = submit(&world, form, &request("b", 1)).await.unwrap();
    assert!(matches!(freed, Once::Done(_)));
    // The response to the first request is found before permissions are checked.
    world.grants().delete(SYSTEM, grant.item.id).await.unwrap();
    let again = submit(&world, form, &request("a", 1)).await.unwrap();
    assert_eq!(again, Once::Repeated(first.item.id.to_string()));
}

async fn responses_expire_and_are_deleted(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let first = group(&world, SYSTEM, &request("a", 1)).await.unwrap();
    assert!(matches!(first, Once::Done(_)));
    world.wait(NEARLY);
    let kept = async || world.maintain().await.unwrap().kept_responses;
    assert_eq!(kept().await, 0);
    let repeated = group(&world, SYSTEM, &request("a", 1)).await.unwrap();
    assert!(matches!(repeated, Once::Repeated(_)));
    world.wait(Duration::from_millis(1));
    // The key counts as unused, also for another request, before its record is deleted.
    let second = group(&world, SYSTEM, &request("a", 2)).await.unwrap();
    assert!(matches!(second, Once::Done(_)));
    assert_eq!(kept().await, 0);
    world.wait(RETENTION);
    assert_eq!(kept().await, 1);
}

async fn every_kind_of_record_is_created_once(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let id = world.group("Readers").await;
    let form = world.form(SubmissionRules::default()).await;
    for round in 0..2 {
        let is_expected = |is_done: bool| assert_eq!(is_done, round == 0);
        let key = |name: &str| request(name, 1);
        let member = NewMembership::new(id, user_id("alice"));
        let outcome = world
            .memberships()
            .create_once(SYSTEM, member, Some(&key("member")), &|it| {
                it.id.to_string()
            })
            .await;
        is_expected(matches!(outcome.unwrap(), Once::Done(_)));
        let subject = Subject::User(user_id("alice"));
        let grant = new_grant(&subject, &Action::READ, &ResourceRef::form(form));
        let outcome = world
            .grants()
            .create_once(SYSTEM, grant, Some(&key("grant")), &|it| {
                it.item.id.to_string()
            })
            .await;
        is_expected(matches!(outcome.unwrap(), Once::Done(_)));
        let new = new_form("Form", SubmissionRules::default());
        let outcome = world
            .forms()
            .create_once(SYSTEM, new, Some(&key("form")), &|it| {
                it.item.id.to_string()
            })
            .await;
        is_expected(matches!(outcome.unwrap(), Once::Done(_)));
    }
    // Without a key, the same request is another one.
    let member = NewMembership::new(id, user_id("alice"));
    let outcome = world
        .memberships()
        .create_once(SYSTEM, member, None, &|it| it.id.to_string())
        .await;
    assert!(matches!(outcome, Err(Error::MembershipExists)));
}
