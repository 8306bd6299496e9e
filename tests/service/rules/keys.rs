//! Requests with an idempotency key.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use formalize_core::{
    Action, Caller, Error, Group, NewMembership, ResourceRef, Result, Store, Subject, Submission,
    SubmissionId, SubmissionRules, SubmissionState, Viewed,
    forms::SubmissionCap,
    idempotency::{Fingerprint, IdempotencyKey, KeyedRequest, Once},
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
    random_requests_behave_like_a_model,
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

const USERS: [&str; 2] = ["alice", "bob"];

async fn submit(
    world: &World,
    form: formalize_core::FormId,
    request: &KeyedRequest,
) -> Result<Once<Viewed<Submission>>> {
    submit_as(world, "alice", form, request).await
}

async fn submit_as(
    world: &World,
    caller: &str,
    form: formalize_core::FormId,
    request: &KeyedRequest,
) -> Result<Once<Viewed<Submission>>> {
    let new = new_submission(form, "{}", SubmissionState::Submitted);
    let response = |view: &Viewed<Submission>| view.item.id.to_string();
    let submissions = world.submissions();
    submissions
        .create_once(&user(caller), new, Some(request), &response)
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

/// What the model knows of a key: what the request was, its response, and when it is forgotten.
struct Known {
    content: u8,
    response: String,
    forgotten_at: Duration,
}

/// Numbers that look random and are the same in every run (xorshift64).
fn number_below(most: u64, state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state % most
}

/// Two users send requests with few keys, of which some are refused because of a cap. Time passes, and submissions are
/// deleted, which frees places but does not free keys.
async fn random_requests_behave_like_a_model(store: Arc<dyn Store>) {
    const CAP: usize = 3;
    let world = World::on(store).await;
    let rules = SubmissionRules {
        cap: SubmissionCap::new(i64::try_from(CAP).unwrap()).ok(),
        ..SubmissionRules::default()
    };
    let form = world.form(rules).await;
    for holder in USERS {
        let resource = ResourceRef::form(form);
        world
            .grant_to(holder, &Action::CREATE_SUBMISSIONS, &resource)
            .await;
    }
    let mut known: HashMap<(&str, &str), Known> = HashMap::new();
    let mut existing: Vec<(&str, SubmissionId)> = Vec::new();
    let (mut elapsed, mut state) = (Duration::ZERO, 0x9E37_79B9_7F4A_7C15);
    for step in 0..300 {
        let mut draw = |most| usize::try_from(number_below(most, &mut state)).unwrap();
        match draw(10) {
            0 => {
                let pause = RETENTION / 3;
                world.wait(pause);
                elapsed += pause;
            }
            1 | 2 if !existing.is_empty() => {
                let at = draw(64) % existing.len();
                let (_, id) = existing.remove(at);
                world.submissions().delete(SYSTEM, id).await.unwrap();
            }
            _ => {
                let (holder, key) = (USERS[draw(2)], ["a", "b", "c"][draw(3)]);
                let content = u8::try_from(draw(2)).unwrap();
                let outcome = submit_as(&world, holder, form, &request(key, content)).await;
                let before = known.get(&(holder, key));
                let before = before.filter(|known| known.forgotten_at > elapsed);
                let taken = existing.iter().filter(|(of, _)| *of == holder).count();
                match (before, outcome) {
                    (Some(known), Ok(Once::Repeated(response))) if known.content == content => {
                        assert_eq!(response, known.response, "step {step}");
                    }
                    (Some(known), Err(Error::IdempotencyKeyReused)) => {
                        assert_ne!(known.content, content, "step {step}");
                    }
                    (None, Err(Error::SubmissionCapReached)) => {
                        assert_eq!(taken, CAP, "step {step}");
                    }
                    (None, Ok(Once::Done(view))) => {
                        assert!(taken < CAP, "step {step}");
                        existing.push((holder, view.item.id));
                        let response = view.item.id.to_string();
                        let forgotten_at = elapsed + RETENTION;
                        known.insert(
                            (holder, key),
                            Known {
                                content,
                                response,
                                forgotten_at,
                            },
                        );
                    }
                    (_, outcome) => panic!("step {step}: {outcome:?}"),
                }
            }
        }
    }
    let keys = world.statistics().keys;
    assert!(
        keys.first > 10 && keys.repeated > 10 && keys.reused > 10,
        "{keys:?}"
    );
}
