//! Imports create what is accepted, in order, and trials tell what imports would do.

use std::sync::Arc;
use std::time::Duration;

use formalize_core::submissions::ImportTrial;
use formalize_core::{
    Action, Caller, Change, Error, FormChange, FormId, ResourceRef, Store, SubmissionFilter,
    SubmissionRules, SubmissionState,
    events::EventFilter,
    forms::{SubmissionCap, SubmissionLimit},
    submissions::{BatchItem, BatchOutcome, ItemKey, SubmissionBatch},
};
use formalize_tests::on_every_store;
use formalize_tests::world::{World, everything, new_form_with, user};

use super::{SYSTEM, fails};

on_every_store! {
    what_is_accepted_is_created_in_order,
    keys_are_imported_once,
    equal_keys_of_a_batch_are_one_submission,
    a_cap_takes_the_first_rows,
    a_trial_counts_places_and_keys_of_its_batches,
    columns_are_for_those_who_may_submit,
}

const SCHEMA: &str = r#"{"required": ["n"], "properties": {"n": {"type": "integer"}}}"#;

/// A form that Alice may submit to.
async fn form(world: &World, rules: SubmissionRules) -> FormId {
    let rules = SubmissionRules {
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        ..rules
    };
    let new = new_form_with(SCHEMA, rules);
    let form = world.forms().create(SYSTEM, new).await.unwrap().item.id;
    let resource = ResourceRef::form(form);
    world
        .grant_to("alice", &Action::CREATE_SUBMISSIONS, &resource)
        .await;
    form
}

fn item(number: usize) -> BatchItem {
    BatchItem::new(format!("{{\"n\": {number}}}"))
}

fn keyed(key: &str, number: usize) -> BatchItem {
    BatchItem {
        key: ItemKey::new(key).ok(),
        ..item(number)
    }
}

fn batch(form: FormId, items: Vec<BatchItem>) -> SubmissionBatch {
    SubmissionBatch::new(form, items).unwrap()
}

async fn import(
    world: &World,
    caller: &Caller,
    form: FormId,
    items: Vec<BatchItem>,
) -> Vec<String> {
    let submissions = world.submissions();
    words(
        &submissions
            .import(caller, &batch(form, items))
            .await
            .unwrap(),
    )
}

fn words(outcomes: &[BatchOutcome]) -> Vec<String> {
    let word = |outcome: &BatchOutcome| match outcome {
        BatchOutcome::Created(_) => "created".to_owned(),
        BatchOutcome::Repeated(_) => "repeated".to_owned(),
        BatchOutcome::Acceptable { is_repeated, .. } => format!("acceptable {is_repeated}"),
        BatchOutcome::Omitted => "omitted".to_owned(),
        BatchOutcome::Refused(Error::SubmissionDataInvalid(_)) => "invalid".to_owned(),
        BatchOutcome::Refused(error) => format!("{error:?}"),
    };
    outcomes.iter().map(word).collect()
}

/// The data of all submissions, in the order of their identifiers.
async fn listed(world: &World, form: FormId) -> Vec<String> {
    let all = SubmissionFilter::default();
    let submissions = world.submissions();
    let page = submissions.list(SYSTEM, form, &all, &everything()).await;
    let items = page.unwrap().items.into_iter();
    items.map(|it| it.item.data.unwrap().to_string()).collect()
}

async fn what_is_accepted_is_created_in_order(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form(&world, SubmissionRules::default()).await;
    let items: Vec<BatchItem> = (0..70)
        .map(|number| match number {
            3 | 69 => BatchItem::new("{}"),
            4 => BatchItem {
                state: SubmissionState::Draft.into(),
                ..BatchItem::new("{\"draft\": 1}")
            },
            number => item(number),
        })
        .collect();
    let expected: Vec<_> = items.iter().filter_map(|item| item.data.clone()).collect();
    let expected: Vec<_> = expected.into_iter().filter(|data| data != "{}").collect();
    let outcomes = import(&world, &user("alice"), form, items).await;
    for (number, outcome) in outcomes.iter().enumerate() {
        let is_refused = [3, 69].contains(&number);
        assert_eq!(outcome, if is_refused { "invalid" } else { "created" });
    }
    assert_eq!(listed(&world, form).await, expected);
    let filter = EventFilter {
        form: Some(form),
        ..EventFilter::default()
    };
    let log = world.events().read(None, &filter, 1_000).await.unwrap();
    let of_submissions = log.events.iter().filter(|event| {
        let name = event.event_type.as_str();
        name == "submission.submitted" || name == "draft.created"
    });
    assert_eq!(of_submissions.count(), 68);
    assert!(
        import(&world, &user("alice"), form, Vec::new())
            .await
            .is_empty()
    );
}

async fn keys_are_imported_once(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form(&world, SubmissionRules::default()).await;
    let alice = user("alice");
    let first = import(
        &world,
        &alice,
        form,
        vec![keyed("a", 1), BatchItem::new("{}")],
    )
    .await;
    assert_eq!(first, ["created", "invalid"]);
    let again = vec![
        keyed("a", 1),
        keyed("a", 2),
        keyed("b", 2),
        BatchItem::new("["),
    ];
    let again = import(&world, &alice, form, again).await;
    assert_eq!(
        again,
        ["repeated", "IdempotencyKeyReused", "created", "invalid"]
    );
    // The keys of others, and of other forms, are different ones.
    let by_system = import(&world, SYSTEM, form, vec![keyed("a", 3)]).await;
    assert_eq!(by_system, ["created"]);
    // What is known is not judged again.
    let stricter = r#"{"required": ["m"]}"#;
    for (schema, expected) in [
        (stricter, ["repeated", "invalid"]),
        (SCHEMA, ["repeated", "created"]),
    ] {
        let change = FormChange {
            data_feed_schema: Change::Set(schema.to_owned()),
            ..FormChange::default()
        };
        world.forms().update(SYSTEM, form, change).await.unwrap();
        let items = vec![keyed("a", 1), keyed("c", 3)];
        assert_eq!(import(&world, &alice, form, items).await, expected);
    }
    world.wait(Duration::from_hours(24));
    assert_eq!(
        import(&world, &alice, form, vec![keyed("a", 4)]).await,
        ["created"]
    );
    assert_eq!(
        listed(&world, form).await,
        [1, 2, 3, 3, 4].map(|n| format!("{{\"n\": {n}}}"))
    );
}

async fn equal_keys_of_a_batch_are_one_submission(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form(&world, SubmissionRules::default()).await;
    let invalid = BatchItem {
        key: ItemKey::new("a").ok(),
        ..BatchItem::new("{}")
    };
    let items = vec![invalid, keyed("a", 1), keyed("a", 1), keyed("a", 2)];
    let outcomes = import(&world, &user("alice"), form, items).await;
    assert_eq!(
        outcomes,
        ["invalid", "created", "repeated", "IdempotencyKeyReused"]
    );
    assert_eq!(listed(&world, form).await, ["{\"n\": 1}"]);
}

async fn a_cap_takes_the_first_rows(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let capped = SubmissionRules {
        cap: SubmissionCap::new(2).ok(),
        ..SubmissionRules::default()
    };
    let limited = SubmissionRules {
        limit: SubmissionLimit::new(2).ok(),
        ..SubmissionRules::default()
    };
    for (rules, error) in [
        (capped, "SubmissionCapReached"),
        (limited, "SubmissionLimitReached"),
    ] {
        let form = form(&world, rules).await;
        let items = vec![item(1), BatchItem::new("{}"), item(2), item(3), item(4)];
        let trial = &mut ImportTrial::default();
        let sent = batch(form, items.clone());
        let checked = world
            .submissions()
            .check_import(&user("alice"), &sent, trial)
            .await;
        let accepted = "acceptable false";
        assert_eq!(
            words(&checked.unwrap()),
            [accepted, "invalid", accepted, error, error]
        );
        let outcomes = import(&world, &user("alice"), form, items).await;
        assert_eq!(outcomes, ["created", "invalid", "created", error, error]);
    }
}

async fn a_trial_counts_places_and_keys_of_its_batches(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let rules = SubmissionRules {
        cap: SubmissionCap::new(4).ok(),
        limit: SubmissionLimit::new(3).ok(),
        ..SubmissionRules::default()
    };
    let form = form(&world, rules).await;
    let alice = user("alice");
    assert_eq!(
        import(&world, &alice, form, vec![keyed("before", 0)]).await,
        ["created"]
    );
    let mut trial = ImportTrial::default();
    let draft = BatchItem {
        state: SubmissionState::Draft.into(),
        ..item(1)
    };
    for (items, expected) in [
        (
            vec![keyed("before", 0), keyed("a", 1)],
            ["acceptable true", "acceptable false"],
        ),
        (
            vec![keyed("a", 1), keyed("a", 2)],
            ["acceptable true", "IdempotencyKeyReused"],
        ),
        (
            vec![item(2), item(3)],
            ["acceptable false", "SubmissionLimitReached"],
        ),
        (
            vec![draft.clone(), draft],
            ["acceptable false", "SubmissionCapReached"],
        ),
    ] {
        let sent = batch(form, items);
        let checked = world
            .submissions()
            .check_import(&alice, &sent, &mut trial)
            .await;
        assert_eq!(words(&checked.unwrap()), expected);
    }
    assert_eq!(listed(&world, form).await.len(), 1);
}

async fn columns_are_for_those_who_may_submit(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form(&world, SubmissionRules::default()).await;
    let submissions = world.submissions();
    let columns = submissions
        .import_columns(&user("alice"), form)
        .await
        .unwrap();
    assert_eq!(columns.leaves()[0].name(), "n");
    fails(
        submissions.import_columns(&user("eve"), form).await,
        "Forbidden",
    );
    let sent = batch(form, vec![BatchItem::new("{}")]);
    fails(submissions.import(&user("eve"), &sent).await, "Forbidden");
    let trial = &mut ImportTrial::default();
    fails(
        submissions.check_import(&user("eve"), &sent, trial).await,
        "Forbidden",
    );
    let gone = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse().unwrap();
    fails(
        submissions.import_columns(SYSTEM, gone).await,
        "FormNotFound",
    );
}
