//! The limit of submitted submissions of a form.

use std::sync::Arc;

use formalize_core::{
    Action, Caller, Change, FormChange, FormId, ResourceRef, Result, Store, SubmissionChange,
    SubmissionId, SubmissionRules, SubmissionState,
    forms::{SubmissionCap, SubmissionLimit},
};
use formalize_tests::on_every_store;
use formalize_tests::world::{World, instant, new_form_with, new_submission, user};

use super::{SYSTEM, fails};

on_every_store! {
    the_limit_counts_submitted_submissions_of_all_creators,
    a_draft_takes_a_place_when_it_is_submitted,
    lowering_a_limit_deletes_nothing,
    a_limit_counts_what_was_submitted_before,
    the_limit_is_checked_after_the_cap_and_before_the_data,
}

const DRAFT: SubmissionState = SubmissionState::Draft;
const SUBMITTED: SubmissionState = SubmissionState::Submitted;
const FULL: &str = "SubmissionLimitReached";

fn limited(limit: i64, grant_based: bool) -> SubmissionRules {
    SubmissionRules {
        grant_based,
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        limit: Some(SubmissionLimit::new(limit).unwrap()),
        ..SubmissionRules::default()
    }
}

/// A form that Alice and Bob may submit to.
async fn open_form(world: &World, rules: SubmissionRules) -> FormId {
    let form = world.form(rules).await;
    let resource = ResourceRef::form(form);
    for creator in ["alice", "bob"] {
        let create = &Action::CREATE_SUBMISSIONS;
        world.grant_to(creator, create, &resource).await;
    }
    form
}

async fn create(
    world: &World,
    caller: &Caller,
    form: FormId,
    state: SubmissionState,
) -> Result<SubmissionId> {
    let new = new_submission(form, "{}", state);
    let made = world.submissions().create(caller, new).await?;
    Ok(made.item.id)
}

async fn submit_draft(world: &World, draft: SubmissionId) -> Result<()> {
    let change = SubmissionChange::default();
    let changed = world.submissions().update(SYSTEM, draft, change).await;
    changed.map(drop)
}

async fn set_limit(world: &World, form: FormId, limit: Option<i64>) {
    let limit = limit.map(|limit| SubmissionLimit::new(limit).unwrap());
    let change = FormChange {
        limit: limit.map_or(Change::Clear, Change::Set),
        ..FormChange::default()
    };
    world.forms().update(SYSTEM, form, change).await.unwrap();
}

async fn the_limit_counts_submitted_submissions_of_all_creators(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (alice, bob) = (&user("alice"), &user("bob"));
    for grant_based in [false, true] {
        let form = open_form(&world, limited(2, grant_based)).await;
        create(&world, alice, form, DRAFT).await.unwrap();
        let first = create(&world, alice, form, SUBMITTED).await.unwrap();
        create(&world, bob, form, SUBMITTED).await.unwrap();
        for caller in [alice, bob, SYSTEM] {
            fails(create(&world, caller, form, SUBMITTED).await, FULL);
            create(&world, caller, form, DRAFT).await.unwrap();
        }
        world.submissions().delete(SYSTEM, first).await.unwrap();
        create(&world, SYSTEM, form, SUBMITTED).await.unwrap();
        fails(create(&world, alice, form, SUBMITTED).await, FULL);
        let deleted = world.submissions().delete_all(SYSTEM, form).await;
        assert_eq!(deleted.unwrap(), 2);
        create(&world, alice, form, SUBMITTED).await.unwrap();
        create(&world, bob, form, SUBMITTED).await.unwrap();
        fails(create(&world, bob, form, SUBMITTED).await, FULL);
    }
    let closed = open_form(&world, limited(0, false)).await;
    fails(create(&world, SYSTEM, closed, SUBMITTED).await, FULL);
}

async fn a_draft_takes_a_place_when_it_is_submitted(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = open_form(&world, limited(1, false)).await;
    let alice = &user("alice");
    let mut drafts = Vec::new();
    for _ in 0..3 {
        drafts.push(create(&world, alice, form, DRAFT).await.unwrap());
    }
    submit_draft(&world, drafts[0]).await.unwrap();
    fails(submit_draft(&world, drafts[1]).await, FULL);
    // A submitted one is changed without another place.
    submit_draft(&world, drafts[0]).await.unwrap();
    // Deleting a draft frees no place.
    world.submissions().delete(SYSTEM, drafts[2]).await.unwrap();
    fails(submit_draft(&world, drafts[1]).await, FULL);
    world.submissions().delete(SYSTEM, drafts[0]).await.unwrap();
    submit_draft(&world, drafts[1]).await.unwrap();
    fails(create(&world, alice, form, SUBMITTED).await, FULL);
}

async fn lowering_a_limit_deletes_nothing(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = open_form(&world, limited(3, false)).await;
    let mut made = Vec::new();
    for _ in 0..3 {
        made.push(create(&world, SYSTEM, form, SUBMITTED).await.unwrap());
    }
    set_limit(&world, form, Some(1)).await;
    for submission in made {
        fails(create(&world, SYSTEM, form, SUBMITTED).await, FULL);
        let submissions = world.submissions();
        submissions.delete(SYSTEM, submission).await.unwrap();
    }
    create(&world, SYSTEM, form, SUBMITTED).await.unwrap();
    fails(create(&world, SYSTEM, form, SUBMITTED).await, FULL);
    set_limit(&world, form, Some(2)).await;
    create(&world, SYSTEM, form, SUBMITTED).await.unwrap();
    fails(create(&world, SYSTEM, form, SUBMITTED).await, FULL);
    set_limit(&world, form, None).await;
    create(&world, SYSTEM, form, SUBMITTED).await.unwrap();
}

async fn a_limit_counts_what_was_submitted_before(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let rules = SubmissionRules {
        limit: None,
        ..limited(0, false)
    };
    let form = open_form(&world, rules).await;
    for state in [SUBMITTED, DRAFT, SUBMITTED, DRAFT] {
        create(&world, SYSTEM, form, state).await.unwrap();
    }
    for limit in [3, 5] {
        set_limit(&world, form, Some(limit)).await;
        create(&world, SYSTEM, form, SUBMITTED).await.unwrap();
        fails(create(&world, SYSTEM, form, SUBMITTED).await, FULL);
        set_limit(&world, form, None).await;
        create(&world, SYSTEM, form, SUBMITTED).await.unwrap();
    }
}

/// Starts with a request that is wrong in every way, and repairs the reported problem until it is accepted.
async fn the_limit_is_checked_after_the_cap_and_before_the_data(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let rules = SubmissionRules {
        cap: Some(SubmissionCap::new(1).unwrap()),
        ..limited(0, false)
    };
    let form = new_form_with(r#"{"required": ["name"]}"#, rules);
    let form = world.forms().create(SYSTEM, form).await.unwrap().item.id;
    let draft = create(&world, SYSTEM, form, DRAFT).await.unwrap();
    let change = async |change| {
        world.forms().update(SYSTEM, form, change).await.unwrap();
    };
    let submit = async || create(&world, SYSTEM, form, SUBMITTED).await;
    change(FormChange {
        availability_ends: Change::Set(instant("2000-01-01T00:00:00Z")),
        ..FormChange::default()
    })
    .await;
    fails(submit().await, "FormNotAvailable");
    fails(submit_draft(&world, draft).await, "FormNotAvailable");
    change(FormChange {
        availability_ends: Change::Clear,
        ..FormChange::default()
    })
    .await;
    fails(submit().await, "SubmissionCapReached");
    fails(submit_draft(&world, draft).await, FULL);
    change(FormChange {
        cap: Change::Clear,
        ..FormChange::default()
    })
    .await;
    fails(submit().await, FULL);
    set_limit(&world, form, Some(1)).await;
    for refused in [submit().await.map(drop), submit_draft(&world, draft).await] {
        let refused = refused.unwrap_err();
        let is_invalid = matches!(refused, formalize_core::Error::SubmissionDataInvalid(_));
        assert!(is_invalid, "{refused:?}");
    }
    let new = new_submission(form, r#"{"name": "x"}"#, SUBMITTED);
    let created = world.submissions().create(SYSTEM, new).await;
    assert!(created.is_ok(), "refused requests took no place");
}
