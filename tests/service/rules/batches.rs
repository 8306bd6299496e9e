//! Batches of submissions.

use std::sync::Arc;
use std::time::Duration;

use formalize_core::{
    Action, Caller, Error, FormId, ResourceFilter, ResourceRef, Result, Store, StoreError,
    SubmissionFilter, SubmissionRules, SubmissionState,
    events::{EventData, EventFilter, EventType},
    forms::SubmissionLimit,
    submissions::{BatchItem, BatchOutcome, ItemKey, SubmissionBatch},
};
use formalize_tests::failing::{FailingStore, Failure};
use formalize_tests::on_every_store;
use formalize_tests::world::{Setup, World, everything, new_form_with, user};

use super::{SYSTEM, fails};

on_every_store! {
    large_batches_are_written_completely,
    a_batch_has_an_event_and_a_manager_for_each_submission,
    events_of_a_batch_have_the_order_of_its_submissions,
    limits_count_only_what_is_submitted,
    keys_of_submissions_expire,
    outcomes_are_counted,
    nothing_is_judged_without_permission,
    a_lost_connection_is_waited_for_once_in_a_batch,
}

fn batch(form: FormId, items: Vec<BatchItem>, is_atomic: bool) -> SubmissionBatch {
    let mut batch = SubmissionBatch::new(form, items).unwrap();
    batch.is_atomic = is_atomic;
    batch
}

fn draft(data: &str) -> BatchItem {
    BatchItem {
        state: SubmissionState::Draft.into(),
        ..BatchItem::new(data)
    }
}

fn keyed(key: &str) -> BatchItem {
    BatchItem {
        key: ItemKey::new(key).ok(),
        ..BatchItem::new("{}")
    }
}

fn any_state() -> SubmissionRules {
    SubmissionRules {
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        ..SubmissionRules::default()
    }
}

/// A form that Alice may submit to.
async fn form_for_alice(world: &World, rules: SubmissionRules) -> FormId {
    let form = world.form(rules).await;
    let resource = ResourceRef::form(form);
    world
        .grant_to("alice", &Action::CREATE_SUBMISSIONS, &resource)
        .await;
    form
}

async fn create(
    world: &World,
    caller: &Caller,
    batch: &SubmissionBatch,
) -> Result<Vec<BatchOutcome>> {
    world.submissions().create_batch(caller, batch).await
}

/// The outcomes as words.
fn words(outcomes: &[BatchOutcome]) -> Vec<String> {
    let word = |outcome: &BatchOutcome| match outcome {
        BatchOutcome::Created(_) => "created".to_owned(),
        BatchOutcome::Repeated(_) => "repeated".to_owned(),
        BatchOutcome::Acceptable { .. } => "acceptable".to_owned(),
        BatchOutcome::Omitted => "omitted".to_owned(),
        BatchOutcome::Refused(error) => format!("{error:?}"),
    };
    outcomes.iter().map(word).collect()
}

fn words_of_refused(outcome: Result<Vec<BatchOutcome>>) -> Vec<String> {
    match outcome {
        Err(Error::BatchRefused(outcomes)) => words(&outcomes),
        other => panic!("{other:?}"),
    }
}

/// More data and more rows than a database takes in one statement.
async fn large_batches_are_written_completely(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    for grant_based in [false, true] {
        let rules = SubmissionRules {
            grant_based,
            ..any_state()
        };
        let form = form_for_alice(&world, rules).await;
        let large = format!("{{\"x\": \"{}\"}}", "\u{e4}".repeat(200_000));
        let mut items: Vec<BatchItem> = (0..300)
            .map(|at| BatchItem::new(format!("{{\"n\": {at}}}")))
            .collect();
        items.extend((0..4).map(|_| BatchItem::new(large.clone())));
        items.extend((0..3).map(|at| draft(&at.to_string())));
        let sent: Vec<_> = items.iter().map(|item| item.data.clone()).collect();
        let outcomes = create(&world, &user("alice"), &batch(form, items, true))
            .await
            .unwrap();
        let submissions = world.submissions();
        let mut stored = Vec::new();
        for outcome in &outcomes {
            let BatchOutcome::Created(created) = outcome else {
                panic!("{outcome:?}")
            };
            let found = submissions.get(&user("alice"), created.id).await;
            // The form does not allow anything with what was submitted.
            let found = match found {
                Err(Error::Forbidden) => submissions.get(SYSTEM, created.id).await,
                found => found,
            };
            let found = found.unwrap().item;
            assert_eq!(
                (found.state, found.date_created),
                (created.state, created.date_created)
            );
            stored.push(found.data.as_deref().map(str::to_owned));
        }
        assert_eq!(stored, sent);
    }
}

async fn a_batch_has_an_event_and_a_manager_for_each_submission(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    for is_atomic in [true, false] {
        let rules = SubmissionRules {
            grant_based: true,
            ..any_state()
        };
        let form = form_for_alice(&world, rules).await;
        let items = vec![BatchItem::new("{}"), draft("{}"), BatchItem::new("{}")];
        let sent = batch(form, items, is_atomic);
        let outcomes = create(&world, &user("alice"), &sent).await.unwrap();
        assert_eq!(words(&outcomes), ["created"; 3]);
        for outcome in &outcomes {
            let BatchOutcome::Created(created) = outcome else {
                panic!()
            };
            let filter = ResourceFilter::of(ResourceRef::submission(created.id));
            let grants = world.grants();
            let held = grants
                .list(SYSTEM, &filter, &everything())
                .await
                .unwrap()
                .items;
            let [grant] = held.as_slice() else {
                panic!("{held:?}")
            };
            assert_eq!(grant.item.action, Action::MANAGE);
            assert_eq!(grant.item.subject, formalize_tests::world::holder("alice"));
        }
        let filter = EventFilter {
            form: Some(form),
            ..EventFilter::default()
        };
        let log = world.events().read(None, &filter, 100).await.unwrap();
        let mut types: Vec<EventType> = log.events.iter().map(|it| it.event_type).collect();
        types.retain(|it| matches!(it, EventType::SubmissionSubmitted | EventType::DraftCreated));
        types.sort_unstable();
        let mut expected = vec![
            EventType::SubmissionSubmitted,
            EventType::SubmissionSubmitted,
            EventType::DraftCreated,
        ];
        expected.sort_unstable();
        assert_eq!(types, expected);
    }
}

async fn events_of_a_batch_have_the_order_of_its_submissions(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form_for_alice(&world, SubmissionRules::default()).await;
    let items = vec![BatchItem::new("{}"); 1_000];
    let before = world.events().extent().await.unwrap().last;
    let batch = batch(form, items, true);
    let outcomes = create(&world, &user("alice"), &batch).await.unwrap();
    let created: Vec<_> = outcomes
        .iter()
        .map(|outcome| match outcome {
            BatchOutcome::Created(created) => created.id,
            other => panic!("{other:?}"),
        })
        .collect();
    let filter = EventFilter::default();
    let log = world.events();
    let events = log.read(Some(before), &filter, 1_000).await.unwrap().events;
    let told: Vec<_> = events
        .iter()
        .filter_map(|event| match &event.data {
            EventData::Submission { submission, .. } => Some(*submission),
            _ => None,
        })
        .collect();
    assert_eq!(told, created);
}

async fn limits_count_only_what_is_submitted(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let rules = SubmissionRules {
        limit: SubmissionLimit::new(2).ok(),
        ..any_state()
    };
    let form = form_for_alice(&world, rules).await;
    let items = vec![
        draft("1"),
        BatchItem::new("{}"),
        BatchItem::new("["),
        draft("["),
        BatchItem::new("{}"),
        BatchItem::new("{}"),
    ];
    let atomic = batch(form, items.clone(), true);
    let refused = words_of_refused(create(&world, &user("alice"), &atomic).await);
    let expected = |other: &'static str| {
        move |word: &String| {
            word == other
                || word.starts_with("SubmissionDataInvalid")
                || word == "SubmissionLimitReached"
        }
    };
    assert!(refused.iter().all(expected("omitted")), "{refused:?}");
    assert_eq!(refused[5], "SubmissionLimitReached");
    let each = batch(form, items, false);
    let outcomes = words(&create(&world, &user("alice"), &each).await.unwrap());
    assert!(outcomes.iter().all(expected("created")), "{outcomes:?}");
    // A batch with and without the atomic rule refuses the same submissions.
    let is_refused = |word: &String| word.starts_with("Submission");
    let of = |words: &[String]| words.iter().map(is_refused).collect::<Vec<_>>();
    assert_eq!(of(&refused), of(&outcomes));
    let full = batch(form, vec![draft("{}"), BatchItem::new("{}")], true);
    let refused = words_of_refused(create(&world, &user("alice"), &full).await);
    assert_eq!(refused, ["omitted", "SubmissionLimitReached"]);
}

async fn keys_of_submissions_expire(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form_for_alice(&world, any_state()).await;
    for is_atomic in [true, false] {
        let mut repeated = batch(
            form,
            vec![keyed(if is_atomic { "a" } else { "b" })],
            is_atomic,
        );
        repeated.key_retention = Duration::from_secs(10);
        let send = async || words(&create(&world, &user("alice"), &repeated).await.unwrap());
        assert_eq!(send().await, ["created"]);
        world.wait(Duration::from_millis(9_999));
        assert_eq!(send().await, ["repeated"]);
        world.wait(Duration::from_millis(1));
        assert_eq!(send().await, ["created"]);
    }
}

async fn outcomes_are_counted(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form_for_alice(&world, any_state()).await;
    let counts = || {
        let items = world.statistics().batch_items;
        (items.created, items.repeated, items.refused)
    };
    let items = vec![keyed("a"), keyed("a"), BatchItem::new("[")];
    let atomic = batch(form, items.clone(), true);
    words_of_refused(create(&world, &user("alice"), &atomic).await);
    assert_eq!(counts(), (0, 0, 1));
    let each = batch(form, items, false);
    create(&world, &user("alice"), &each).await.unwrap();
    assert_eq!(counts(), (1, 1, 2));
    let checked = world
        .submissions()
        .check_batch(&user("alice"), &each)
        .await
        .unwrap();
    assert_eq!(words(&checked)[..2], ["acceptable", "acceptable"]);
    assert_eq!(counts(), (1, 1, 2));
    let good = batch(form, vec![keyed("a"), keyed("b")], true);
    create(&world, &user("alice"), &good).await.unwrap();
    assert_eq!(counts(), (2, 2, 2));
}

async fn nothing_is_judged_without_permission(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let schema = r#"{"required": ["a"]}"#;
    let new = new_form_with(schema, any_state());
    let form = world.forms().create(SYSTEM, new).await.unwrap().item.id;
    for is_atomic in [true, false] {
        let sent = batch(form, vec![BatchItem::new("{}")], is_atomic);
        fails(create(&world, &user("alice"), &sent).await, "Forbidden");
        let checked = world.submissions().check_batch(&user("alice"), &sent).await;
        fails(checked, "Forbidden");
    }
    assert_eq!(world.statistics().validators.misses, 0);
    let list = world.submissions();
    let list = list
        .list(SYSTEM, form, &SubmissionFilter::default(), &everything())
        .await;
    assert!(list.unwrap().items.is_empty());
}

/// Each submission is repeated for some time. If all of a large batch were, one after the other, it would take hours.
async fn a_lost_connection_is_waited_for_once_in_a_batch(store: Arc<dyn Store>) {
    let store = FailingStore::around(store);
    let setup = Setup {
        retry_time: Some(Duration::ZERO),
        ..Setup::default()
    };
    let world = World::with(Arc::new(store.clone()), setup).await;
    // With a limit, they are created one after the other.
    let rules = SubmissionRules {
        limit: Some(SubmissionLimit::new(9).unwrap()),
        ..SubmissionRules::default()
    };
    let form = world.form(rules).await;
    let three = batch(form, vec![BatchItem::new("{}"); 3], false);
    store.fail_at("submit", Failure::DisconnectedOnce);
    let outcomes = create(&world, SYSTEM, &three).await.unwrap();
    let is_lost = |outcome: &BatchOutcome| {
        matches!(
            outcome,
            BatchOutcome::Refused(Error::Store(StoreError::Disconnected(_)))
        )
    };
    assert!(outcomes.iter().all(is_lost), "{outcomes:?}");
    let again = create(&world, SYSTEM, &three).await.unwrap();
    let is_created = |outcome: &BatchOutcome| matches!(outcome, BatchOutcome::Created(_));
    assert!(again.iter().all(is_created), "{again:?}");
}
