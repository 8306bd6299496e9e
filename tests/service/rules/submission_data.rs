//! Validation of the data of submissions, and how it is returned.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{available_parallelism, sleep};
use std::time::Duration;

use formalize_core::{
    Action, Change, Error, FormChange, FormId, NewSubmission, ResourceRef, Result, Store,
    SubmissionChange, SubmissionFilter, SubmissionId, SubmissionRules, SubmissionState, offload,
    submissions::{MAX_DATA_BYTES, OutputValidation, RequestedState},
};
use formalize_sql::{SqlOptions, SqlStore};
use formalize_tests::on_every_store;
use formalize_tests::patience::{LIMIT, in_time};
use formalize_tests::stores::Database;
use formalize_tests::world::{World, everything, new_form_with, user};

use super::{SYSTEM, fails};

on_every_store! {
    data_is_returned_byte_for_byte,
    a_draft_needs_well_formed_json_only,
    without_a_schema_data_must_be_an_object,
    every_violation_is_reported,
    missing_data_is_an_empty_object,
    data_is_limited_in_size,
    changed_data_is_validated_against_the_current_schema,
    hidden_data_cannot_be_learned_by_changing_it,
    rejected_submissions_do_not_count_towards_the_cap,
    reduced_data_has_only_the_keys_of_the_schema,
}

const SCHEMA: &str = r#"{
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name", "age"]
}"#;

fn any_state() -> SubmissionRules {
    SubmissionRules {
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        ..SubmissionRules::default()
    }
}

async fn form_with(world: &World, schema: &str) -> FormId {
    let new = new_form_with(schema, any_state());
    world.forms().create(SYSTEM, new).await.unwrap().item.id
}

async fn submit(
    world: &World,
    form: FormId,
    data: Option<&str>,
    state: SubmissionState,
) -> Result<SubmissionId> {
    let new = NewSubmission {
        data: data.map(str::to_owned),
        state: RequestedState::Known(state),
        ..NewSubmission::new(form, "")
    };
    Ok(world.submissions().create(SYSTEM, new).await?.item.id)
}

async fn data_of(world: &World, id: SubmissionId) -> Option<String> {
    let read = world.submissions().get(SYSTEM, id).await.unwrap();
    read.item.data.map(|data| data.as_ref().to_owned())
}

/// The keywords of the violations for which a call was rejected; `None` if the data was not JSON.
#[track_caller]
fn keywords<T: std::fmt::Debug>(outcome: Result<T>) -> Option<Vec<String>> {
    match outcome {
        Err(Error::SubmissionDataInvalid(rejection)) => {
            let violations = rejection.violations();
            let keywords = violations.iter().map(|it| it.keyword.clone());
            (!violations.is_empty()).then(|| keywords.collect())
        }
        other => panic!("expected invalid data, got {other:?}"),
    }
}

const DRAFT: SubmissionState = SubmissionState::Draft;
const SUBMITTED: SubmissionState = SubmissionState::Submitted;

async fn data_is_returned_byte_for_byte(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(any_state()).await;
    for data in [
        "{ \"b\" :1.0,\n\t\"a\": 1e2 , \"é\":\"\\u00e9 \\/ 😀 \\ud83d\\ude00\"}\r\n",
        "{\"nul\": \"\\u0000\"}",
        "{\"big\": 123456789012345678901234567890.10, \"-0\": -0}",
        "{}",
    ] {
        for state in [DRAFT, SUBMITTED] {
            let id = submit(&world, form, Some(data), state).await.unwrap();
            assert_eq!(data_of(&world, id).await.as_deref(), Some(data));
        }
    }
    let draft = submit(&world, form, Some("{}"), DRAFT).await.unwrap();
    let update = async |data| {
        let change = SubmissionChange {
            data,
            state: DRAFT.into(),
            ..SubmissionChange::default()
        };
        let submissions = world.submissions();
        submissions.update(SYSTEM, draft, change).await.unwrap();
        data_of(&world, draft).await
    };
    let data = " {\"a\":  1}".to_owned();
    assert_eq!(update(Change::Set(data.clone())).await, Some(data.clone()));
    assert_eq!(update(Change::Keep).await, Some(data));
    assert_eq!(update(Change::Clear).await, None);
}

async fn a_draft_needs_well_formed_json_only(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form_with(&world, SCHEMA).await;
    for data in ["{}", "[]", "null", "3", "\"text\"", r#"{"name": 3}"#] {
        assert!(
            submit(&world, form, Some(data), DRAFT).await.is_ok(),
            "{data}"
        );
        let refused = submit(&world, form, Some(data), SUBMITTED).await;
        assert!(keywords(refused).is_some(), "{data}");
    }
    assert!(submit(&world, form, None, DRAFT).await.is_ok());
    for data in [
        "",
        "{",
        "{} {}",
        "{a: 1}",
        "NaN",
        r#"{"a": 1, "a": 1}"#,
        r#"{"b": {"a": 1, "\u0061": 1}}"#,
    ] {
        let refused = submit(&world, form, Some(data), DRAFT).await;
        assert_eq!(keywords(refused), None, "{data}");
        let refused = submit(&world, form, Some(data), SUBMITTED).await;
        assert_eq!(keywords(refused), None, "{data}");
    }
}

async fn without_a_schema_data_must_be_an_object(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(any_state()).await;
    for data in ["[]", "null", "3", "\"{}\""] {
        let refused = submit(&world, form, Some(data), SUBMITTED).await;
        assert_eq!(keywords(refused).unwrap(), ["type"]);
        let draft = submit(&world, form, Some(data), DRAFT).await.unwrap();
        let submitted_with = world
            .submissions()
            .update(SYSTEM, draft, SubmissionChange::default())
            .await;
        assert_eq!(keywords(submitted_with).unwrap(), ["type"]);
    }
    assert!(
        submit(&world, form, Some(r#"{"any": [1]}"#), SUBMITTED)
            .await
            .is_ok()
    );
    assert!(submit(&world, form, None, SUBMITTED).await.is_ok());
}

async fn every_violation_is_reported(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form_with(&world, SCHEMA).await;
    let refused = submit(&world, form, Some("{}"), SUBMITTED).await;
    assert_eq!(keywords(refused).unwrap(), ["required", "required"]);
    let data = r#"{"name": 1, "age": "old"}"#;
    let refused = submit(&world, form, Some(data), SUBMITTED).await;
    assert_eq!(keywords(refused).unwrap(), ["type", "type"]);
    let fitting = r#"{"name": "Ada", "age": 36, "more": []}"#;
    assert!(submit(&world, form, Some(fitting), SUBMITTED).await.is_ok());
}

async fn missing_data_is_an_empty_object(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form_with(&world, SCHEMA).await;
    let refused = submit(&world, form, None, SUBMITTED).await;
    assert_eq!(keywords(refused).unwrap(), ["required", "required"]);
    let draft = submit(&world, form, None, DRAFT).await.unwrap();
    let submitted_with = world
        .submissions()
        .update(SYSTEM, draft, SubmissionChange::default())
        .await;
    assert_eq!(keywords(submitted_with).unwrap().len(), 2);
    let form = form_with(&world, r#"{"type": "object"}"#).await;
    let submitted = submit(&world, form, None, SUBMITTED).await.unwrap();
    assert_eq!(data_of(&world, submitted).await, None);
}

async fn data_is_limited_in_size(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(any_state()).await;
    let data = |bytes: usize| format!(r#"{{"é":"{}"}}"#, "x".repeat(bytes - 9));
    let fitting = data(MAX_DATA_BYTES);
    assert_eq!(fitting.len(), MAX_DATA_BYTES);
    let id = submit(&world, form, Some(&fitting), DRAFT).await.unwrap();
    assert!(data_of(&world, id).await == Some(fitting));
    let too_large = data(MAX_DATA_BYTES + 1);
    for state in [DRAFT, SUBMITTED] {
        let refused = submit(&world, form, Some(&too_large), state).await;
        fails(refused, "SubmissionDataTooLarge");
    }
    let change = SubmissionChange {
        data: Change::Set(too_large),
        state: DRAFT.into(),
        ..SubmissionChange::default()
    };
    fails(
        world.submissions().update(SYSTEM, id, change).await,
        "SubmissionDataTooLarge",
    );
}

async fn changed_data_is_validated_against_the_current_schema(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form_with(&world, r#"{"required": ["old"]}"#).await;
    let id = submit(&world, form, Some(r#"{"old": 1}"#), SUBMITTED)
        .await
        .unwrap();
    let change = FormChange {
        data_feed_schema: Change::Set(r#"{"required": ["new"]}"#.to_owned()),
        ..FormChange::default()
    };
    world.forms().update(SYSTEM, form, change).await.unwrap();
    assert!(data_of(&world, id).await.is_some(), "existing data is kept");
    let update = async |data| {
        let change = SubmissionChange {
            data,
            ..SubmissionChange::default()
        };
        world.submissions().update(SYSTEM, id, change).await
    };
    assert_eq!(keywords(update(Change::Keep).await).unwrap(), ["required"]);
    assert_eq!(keywords(update(Change::Clear).await).unwrap(), ["required"]);
    let fitting = Change::Set(r#"{"new": 1}"#.to_owned());
    assert!(update(fitting).await.is_ok());
    let change = FormChange {
        data_feed_schema: Change::Clear,
        ..FormChange::default()
    };
    world.forms().update(SYSTEM, form, change).await.unwrap();
    assert!(update(Change::Clear).await.is_ok());
}

async fn hidden_data_cannot_be_learned_by_changing_it(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form_with(&world, r#"{"required": ["secret"]}"#).await;
    let secret = Some(r#"{"secret": 1}"#);
    let submitted = submit(&world, form, secret, SUBMITTED).await.unwrap();
    let resource = ResourceRef::form(form);
    let update = Action::new("update_submissions").unwrap();
    world.grant_to("alice", &update, &resource).await;
    let guess = FormChange {
        data_feed_schema: Change::Set(r#"{"properties": {"secret": {"const": 2}}}"#.to_owned()),
        ..FormChange::default()
    };
    world.forms().update(SYSTEM, form, guess).await.unwrap();
    let change = async |caller, id, data: Change<&str>| {
        let change = SubmissionChange {
            data: match data {
                Change::Set(data) => Change::Set(data.to_owned()),
                Change::Clear => Change::Clear,
                Change::Keep => Change::Keep,
            },
            ..SubmissionChange::default()
        };
        world.submissions().update(caller, id, change).await
    };
    let alice = &user("alice");
    let kept = change(alice, submitted, Change::Keep).await;
    assert_eq!(kept.unwrap(), None, "the stored data is not validated");
    let reader = change(SYSTEM, submitted, Change::Keep).await;
    assert_eq!(keywords(reader).unwrap(), ["const"]);
    let own = change(alice, submitted, Change::Set(r#"{"secret": 3}"#)).await;
    assert_eq!(keywords(own).unwrap(), ["const"], "alice sent this data");

    // Only the stored draft itself can be shared for updating without reading.
    let grant_based = SubmissionRules {
        grant_based: true,
        ..any_state()
    };
    let new = new_form_with(r#"{"properties": {"secret": {"const": 2}}}"#, grant_based);
    let form = world.forms().create(SYSTEM, new).await.unwrap().item.id;
    let draft = submit(&world, form, secret, DRAFT).await.unwrap();
    let resource = ResourceRef::submission(draft);
    world.grant_to("alice", &Action::UPDATE, &resource).await;
    match change(alice, draft, Change::Keep).await {
        Err(Error::SubmissionDataInvalid(rejection)) => {
            let [violation] = rejection.violations() else {
                panic!("{rejection:?}");
            };
            assert_eq!(violation.instance_path, "");
            assert_eq!(violation.schema_path, "");
            assert_eq!(violation.keyword, "");
            assert!(violation.params.is_empty());
            let message = "the stored data does not match the form's schema";
            assert_eq!(rejection.messages(), [message]);
        }
        other => panic!("expected invalid data, got {other:?}"),
    }
}

async fn rejected_submissions_do_not_count_towards_the_cap(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let rules = SubmissionRules {
        cap: Some(formalize_core::forms::SubmissionCap::new(1).unwrap()),
        ..any_state()
    };
    let new = new_form_with(SCHEMA, rules);
    let form = world.forms().create(SYSTEM, new).await.unwrap().item.id;
    let resource = ResourceRef::form(form);
    world
        .grant_to("alice", &Action::CREATE_SUBMISSIONS, &resource)
        .await;
    let submit = async |data: &str| {
        let new = formalize_tests::world::new_submission(form, data, SUBMITTED);
        world.submissions().create(&user("alice"), new).await
    };
    for _ in 0..3 {
        assert!(keywords(submit("{}").await).is_some());
    }
    let fitting = r#"{"name": "Ada", "age": 36}"#;
    assert!(submit(fitting).await.is_ok());
    fails(submit(fitting).await, "SubmissionCapReached");
}

async fn reduced_data_has_only_the_keys_of_the_schema(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let keys = async |form| {
        let filter = SubmissionFilter {
            output: OutputValidation::Keys,
            ..SubmissionFilter::default()
        };
        let page = world
            .submissions()
            .list(SYSTEM, form, &filter, &everything())
            .await;
        let items = page.unwrap().items.into_iter();
        let data = items.map(|it| it.item.data.map(|data| data.as_ref().to_owned()));
        data.collect::<Vec<Option<String>>>()
    };
    let some = |data: &[&str]| {
        data.iter()
            .map(|it| Some((*it).to_owned()))
            .collect::<Vec<_>>()
    };
    let form = form_with(&world, SCHEMA).await;
    let data = r#"{"x": 1, "age": 3.0e1, "name" : "\u00e9", "y": {"name": 1}}"#;
    let id = submit(&world, form, Some(data), DRAFT).await.unwrap();
    submit(&world, form, Some("[1]"), DRAFT).await.unwrap();
    submit(&world, form, None, DRAFT).await.unwrap();
    let shown = keys(form).await;
    assert_eq!(
        shown[0].as_deref(),
        Some(r#"{"age":3.0e1,"name":"\u00e9"}"#)
    );
    assert_eq!(shown[1].as_deref(), Some("{}"));
    assert_eq!(shown[2], None);
    assert_eq!(
        data_of(&world, id).await.as_deref(),
        Some(data),
        "as it was"
    );
    for schema in ["true", r#"{"type": "object"}"#] {
        let form = form_with(&world, schema).await;
        submit(&world, form, Some(data), DRAFT).await.unwrap();
        assert_eq!(keys(form).await, some(&["{}"]), "{schema}");
    }
    let form = world.form(any_state()).await;
    submit(&world, form, Some(data), DRAFT).await.unwrap();
    assert_eq!(keys(form).await, some(&["{}"]));
}

/// SQLite has few connections for reading, and offloaded work can wait for seconds.
#[tokio::test]
async fn lists_hold_no_connection_while_data_is_reduced() {
    let database = Database::sqlite().await;
    let options = SqlOptions {
        readers: 1,
        wait: LIMIT,
        ..SqlOptions::default()
    };
    let store = SqlStore::open(&database.url(), &options).await.unwrap();
    let world = World::on(Arc::new(store)).await;
    let form = form_with(&world, SCHEMA).await;
    let end = Arc::new(AtomicBool::new(false));
    let works = (0..available_parallelism().unwrap().get()).map(|_| {
        let end = Arc::clone(&end);
        tokio::spawn(offload(move || {
            while !end.load(Ordering::SeqCst) {
                sleep(Duration::from_millis(1));
            }
        }))
    });
    let works: Vec<_> = works.collect();
    let formalize = world.formalize.clone();
    let listing = tokio::spawn(async move {
        let filter = SubmissionFilter {
            output: OutputValidation::Keys,
            ..SubmissionFilter::default()
        };
        let submissions = formalize.submissions();
        submissions.list(SYSTEM, form, &filter, &everything()).await
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(!listing.is_finished(), "it must wait for the other work");
    let read = in_time("there is a connection", world.forms().get(SYSTEM, form)).await;
    end.store(true, Ordering::SeqCst);
    read.unwrap();
    listing.await.unwrap().unwrap();
    for work in works {
        work.await.unwrap().unwrap();
    }
}
