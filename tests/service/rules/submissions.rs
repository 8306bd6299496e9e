use std::sync::Arc;

use formalize_core::{
    Action, Caller, Change, FormChange, FormId, NewSubmission, PageRequest, ResourceRef, Result,
    Store, Submission, SubmissionChange, SubmissionFilter, SubmissionId, SubmissionRules,
    SubmissionState, Viewed,
    forms::{Availability, SubmissionCap, SubmittedAction},
    submissions::{OutputValidation, RequestedState},
};
use formalize_tests::on_every_store;
use formalize_tests::world::{
    START, World, everything, instant, new_form_with, new_submission, page_of, user,
};

use super::{SYSTEM, fails};

on_every_store! {
    the_default_state_is_submitted,
    submitted_submissions_do_not_become_drafts,
    only_allowed_states_are_accepted,
    the_availability_window_restricts_only_submitting,
    the_window_includes_both_ends,
    the_cap_applies_to_each_creator_and_includes_drafts,
    lowering_a_cap_deletes_nothing,
    problems_are_reported_in_order,
    creator_and_times_are_recorded,
    callers_who_lose_read_access_do_not_see_the_change,
    deleting_all_submissions_keeps_drafts,
    lists_of_submissions_contain_exactly_the_readable_ones,
    times_in_filters_are_those_of_identifiers,
    lists_can_begin_with_the_newest_submission,
}

fn any_state() -> SubmissionRules {
    SubmissionRules {
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        ..SubmissionRules::default()
    }
}

fn only(state: SubmissionState) -> SubmissionRules {
    SubmissionRules {
        allowed_states: [state].into_iter().collect(),
        ..SubmissionRules::default()
    }
}

fn to_state(state: impl Into<RequestedState>) -> SubmissionChange {
    SubmissionChange {
        data: Change::Keep,
        state: state.into(),
        ..SubmissionChange::default()
    }
}

async fn create(world: &World, form: FormId, state: SubmissionState) -> Result<Viewed<Submission>> {
    let new = new_submission(form, "{}", state);
    world.submissions().create(SYSTEM, new).await
}

async fn update(
    world: &World,
    id: SubmissionId,
    change: SubmissionChange,
) -> Result<SubmissionState> {
    let changed = world.submissions().update(SYSTEM, id, change).await?;
    Ok(changed.unwrap().item.state)
}

const DRAFT: SubmissionState = SubmissionState::Draft;
const SUBMITTED: SubmissionState = SubmissionState::Submitted;

async fn the_default_state_is_submitted(store: Arc<dyn Store>) {
    assert_eq!(RequestedState::default(), RequestedState::Known(SUBMITTED));
    let world = World::on(store).await;
    let form = world.form(any_state()).await;
    let new = NewSubmission {
        data: None,
        ..NewSubmission::new(form, "")
    };
    let made = world.submissions().create(SYSTEM, new).await.unwrap();
    assert_eq!((made.item.state, made.item.data), (SUBMITTED, None));
    let draft = create(&world, form, DRAFT).await.unwrap().item.id;
    assert_eq!(update(&world, draft, to_state(DRAFT)).await.unwrap(), DRAFT);
    let silent = SubmissionChange::default();
    assert_eq!(update(&world, draft, silent).await.unwrap(), SUBMITTED);
}

async fn submitted_submissions_do_not_become_drafts(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(any_state()).await;
    let submitted = create(&world, form, SUBMITTED).await.unwrap().item.id;
    let back = update(&world, submitted, to_state(DRAFT)).await;
    fails(back, "SubmissionStateTransitionNotAllowed");
    let same = update(&world, submitted, to_state(SUBMITTED)).await;
    assert_eq!(same.unwrap(), SUBMITTED);
}

async fn only_allowed_states_are_accepted(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (drafts, submitted) = (
        world.form(only(DRAFT)).await,
        world.form(only(SUBMITTED)).await,
    );
    let not_submitted = r#"SubmissionStateNotAllowed("submitted")"#;
    fails(create(&world, drafts, SUBMITTED).await, not_submitted);
    let not_draft = r#"SubmissionStateNotAllowed("draft")"#;
    fails(create(&world, submitted, DRAFT).await, not_draft);
    let draft = create(&world, drafts, DRAFT).await.unwrap().item.id;
    fails(
        update(&world, draft, to_state(SUBMITTED)).await,
        not_submitted,
    );
    fails(
        update(&world, draft, SubmissionChange::default()).await,
        not_submitted,
    );
    assert!(update(&world, draft, to_state(DRAFT)).await.is_ok());
    for word in ["Draft", "", "sübmitted", "submitted "] {
        let unknown = || RequestedState::from_word(word);
        let error = format!("SubmissionStateNotAllowed({word:?})");
        let new = NewSubmission {
            data: None,
            state: unknown(),
            ..NewSubmission::new(drafts, "")
        };
        fails(world.submissions().create(SYSTEM, new).await, &error);
        fails(update(&world, draft, to_state(unknown())).await, &error);
    }
    let change = FormChange {
        allowed_states: Some([SUBMITTED].into_iter().collect()),
        ..FormChange::default()
    };
    world.forms().update(SYSTEM, drafts, change).await.unwrap();
    fails(update(&world, draft, to_state(DRAFT)).await, not_draft);
    assert_eq!(
        update(&world, draft, to_state(SUBMITTED)).await.unwrap(),
        SUBMITTED
    );
}

fn within(starts: Option<&str>, ends: Option<&str>) -> SubmissionRules {
    let availability = Availability::new(starts.map(instant), ends.map(instant));
    SubmissionRules {
        availability: availability.unwrap(),
        ..any_state()
    }
}

async fn the_availability_window_restricts_only_submitting(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let past = Some("2026-11-20T08:00:00Z");
    let future = Some("2026-11-22T08:00:00Z");
    for rules in [within(future, None), within(None, past)] {
        let form = world.form(rules).await;
        fails(create(&world, form, SUBMITTED).await, "FormNotAvailable");
        let draft = create(&world, form, DRAFT).await.unwrap().item.id;
        assert!(update(&world, draft, to_state(DRAFT)).await.is_ok());
        fails(
            update(&world, draft, to_state(SUBMITTED)).await,
            "FormNotAvailable",
        );
        let read = world.submissions().get(SYSTEM, draft).await.unwrap();
        assert_eq!(read.item.state, DRAFT);
    }
    let form = world.form(within(past, future)).await;
    let submitted = create(&world, form, SUBMITTED).await.unwrap().item.id;
    world.clock.set(instant("2026-12-24T08:00:00Z"));
    fails(create(&world, form, SUBMITTED).await, "FormNotAvailable");
    assert!(update(&world, submitted, to_state(SUBMITTED)).await.is_ok());
    assert!(world.submissions().delete(SYSTEM, submitted).await.is_ok());
}

async fn the_window_includes_both_ends(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (start, end) = ("2026-11-21T08:00:00.001Z", "2026-11-21T08:00:00.002Z");
    let form = world.form(within(Some(start), Some(end))).await;
    for (now, open) in [
        ("2026-11-21T08:00:00.000Z", false),
        (start, true),
        (end, true),
        ("2026-11-21T08:00:00.003Z", false),
    ] {
        world.clock.set(instant(now));
        assert_eq!(create(&world, form, SUBMITTED).await.is_ok(), open, "{now}");
    }
}

fn capped(cap: i64) -> SubmissionRules {
    SubmissionRules {
        cap: Some(SubmissionCap::new(cap).unwrap()),
        ..any_state()
    }
}

async fn entitled(world: &World, form: FormId, users: &[&str]) {
    for user in users {
        let resource = ResourceRef::form(form);
        world
            .grant_to(user, &Action::CREATE_SUBMISSIONS, &resource)
            .await;
    }
}

async fn create_as(
    world: &World,
    creator: &str,
    form: FormId,
    state: SubmissionState,
) -> Result<SubmissionId> {
    let new = new_submission(form, "{}", state);
    let made = world.submissions().create(&user(creator), new).await?;
    Ok(made.item.id)
}

async fn the_cap_applies_to_each_creator_and_includes_drafts(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(capped(2)).await;
    entitled(&world, form, &["alice", "bob"]).await;
    let draft = create_as(&world, "alice", form, DRAFT).await.unwrap();
    create_as(&world, "alice", form, SUBMITTED).await.unwrap();
    for state in [DRAFT, SUBMITTED] {
        fails(
            create_as(&world, "alice", form, state).await,
            "SubmissionCapReached",
        );
    }
    assert!(create_as(&world, "bob", form, SUBMITTED).await.is_ok());
    assert!(update(&world, draft, to_state(SUBMITTED)).await.is_ok());
    fails(
        create_as(&world, "alice", form, DRAFT).await,
        "SubmissionCapReached",
    );
    world.submissions().delete(SYSTEM, draft).await.unwrap();
    assert!(create_as(&world, "alice", form, DRAFT).await.is_ok());
    fails(
        create_as(&world, "alice", form, DRAFT).await,
        "SubmissionCapReached",
    );
    assert_eq!(
        world.submissions().delete_all(SYSTEM, form).await.unwrap(),
        2
    );
    assert!(
        create_as(&world, "alice", form, DRAFT).await.is_ok(),
        "a draft stayed"
    );
    fails(
        create_as(&world, "alice", form, DRAFT).await,
        "SubmissionCapReached",
    );
    let none = world.form(capped(0)).await;
    entitled(&world, none, &["alice"]).await;
    fails(
        create_as(&world, "alice", none, DRAFT).await,
        "SubmissionCapReached",
    );
    let closed = create_as(&world, "alice", world.form(any_state()).await, DRAFT).await;
    fails(closed, "Forbidden");
}

async fn lowering_a_cap_deletes_nothing(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(any_state()).await;
    entitled(&world, form, &["alice"]).await;
    let mut made = Vec::new();
    for _ in 0..3 {
        made.push(create_as(&world, "alice", form, DRAFT).await.unwrap());
    }
    let cap = async |cap| {
        let change = FormChange {
            cap,
            ..FormChange::default()
        };
        world.forms().update(SYSTEM, form, change).await.unwrap();
    };
    cap(Change::Set(SubmissionCap::new(2).unwrap())).await;
    fails(
        create_as(&world, "alice", form, DRAFT).await,
        "SubmissionCapReached",
    );
    assert!(update(&world, made[0], to_state(SUBMITTED)).await.is_ok());
    world.submissions().delete(SYSTEM, made[1]).await.unwrap();
    fails(
        create_as(&world, "alice", form, DRAFT).await,
        "SubmissionCapReached",
    );
    world.submissions().delete(SYSTEM, made[2]).await.unwrap();
    assert!(create_as(&world, "alice", form, DRAFT).await.is_ok());
    cap(Change::Clear).await;
    assert!(create_as(&world, "alice", form, DRAFT).await.is_ok());
}

/// Starts with a request that is wrong in every way, and repairs the reported problem until it is accepted.
async fn problems_are_reported_in_order(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let rules = SubmissionRules {
        cap: Some(SubmissionCap::new(1).unwrap()),
        allowed_states: [DRAFT].into_iter().collect(),
        ..within(Some("2027-01-01T00:00:00Z"), None)
    };
    let form = new_form_with(r#"{"required": ["name"]}"#, rules);
    let form = world.forms().create(SYSTEM, form).await.unwrap().item.id;
    let submissions = world.submissions();
    let submit = async |form, data: &str| {
        let new = new_submission(form, data, SUBMITTED);
        submissions.create(&user("alice"), new).await
    };
    let change = async |change| {
        world.forms().update(SYSTEM, form, change).await.unwrap();
    };
    let huge = "x".repeat(formalize_core::submissions::MAX_DATA_BYTES + 1);
    fails(
        submit(FormId::from_uuid(uuid::Uuid::nil()), &huge).await,
        "SubmissionDataTooLarge",
    );
    fails(
        submit(FormId::from_uuid(uuid::Uuid::nil()), "no JSON").await,
        "FormNotFound",
    );
    fails(submit(form, "no JSON").await, "Forbidden");
    entitled(&world, form, &["alice"]).await;
    let own = create_as(&world, "alice", form, DRAFT).await.unwrap();
    fails(
        submit(form, "no JSON").await,
        r#"SubmissionStateNotAllowed("submitted")"#,
    );
    change(FormChange {
        allowed_states: Some(any_state().allowed_states),
        ..FormChange::default()
    })
    .await;
    fails(submit(form, "no JSON").await, "FormNotAvailable");
    let submission_of = |data: &str| SubmissionChange {
        data: Change::Set(data.to_owned()),
        state: SUBMITTED.into(),
        ..SubmissionChange::default()
    };
    let submitted_with = async |data: &str| {
        submissions
            .update(&user("alice"), own, submission_of(data))
            .await
    };
    fails(submitted_with("no JSON").await, "FormNotAvailable");
    world.clock.set(instant("2027-01-01T00:00:00Z"));
    fails(submit(form, "no JSON").await, "SubmissionCapReached");
    let refused = submitted_with("no JSON").await.unwrap_err();
    assert!(
        matches!(&refused, formalize_core::Error::SubmissionDataInvalid(it) if it.violations().is_empty())
    );
    let refused = submitted_with("{}").await.unwrap_err();
    assert!(
        matches!(&refused, formalize_core::Error::SubmissionDataInvalid(it) if it.violations().len() == 1)
    );
    let stranger = submissions
        .update(&user("bob"), own, submission_of("no JSON"))
        .await;
    fails(stranger, "Forbidden");
    let nothing = SubmissionId::from_uuid(uuid::Uuid::nil());
    let missing = submissions
        .update(&user("bob"), nothing, submission_of(&huge))
        .await;
    fails(missing, "SubmissionDataTooLarge");
    let missing = submissions
        .update(&user("bob"), nothing, submission_of("no JSON"))
        .await;
    fails(missing, "SubmissionNotFound");
    fails(
        submissions.get(&user("bob"), nothing).await,
        "SubmissionNotFound",
    );
    fails(
        submissions.delete(&user("bob"), nothing).await,
        "SubmissionNotFound",
    );
}

async fn creator_and_times_are_recorded(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world
        .form(SubmissionRules {
            grant_based: true,
            ..any_state()
        })
        .await;
    entitled(&world, form, &["alice"]).await;
    let id = create_as(&world, "alice", form, DRAFT).await.unwrap();
    let resource = ResourceRef::submission(id);
    world.grant_to("bob", &Action::MANAGE, &resource).await;
    let made = world
        .submissions()
        .get(&user("alice"), id)
        .await
        .unwrap()
        .item;
    assert_eq!(
        (made.creator.as_str(), made.last_modified_by.as_str()),
        ("alice", "alice")
    );
    assert_eq!(
        (made.date_created, made.date_last_modified),
        (instant(START), instant(START))
    );
    assert_eq!((made.form, made.state), (form, DRAFT));
    let later = instant("2026-11-22T10:11:12.345Z");
    world.clock.set(later);
    let changed = world
        .submissions()
        .update(&user("bob"), id, to_state(DRAFT))
        .await;
    let changed = changed.unwrap().unwrap().item;
    assert_ne!(changed.revision, made.revision);
    let expected = Submission {
        last_modified_by: formalize_tests::world::user_id("bob"),
        date_last_modified: later,
        revision: changed.revision,
        ..made
    };
    assert_eq!(changed, expected);
    let read = world.submissions().get(SYSTEM, id).await.unwrap().item;
    assert_eq!(read, expected);
    let by_system = create(&world, form, DRAFT).await.unwrap().item;
    assert_eq!(by_system.creator.as_str(), "");
}

async fn callers_who_lose_read_access_do_not_see_the_change(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let allowed = [SubmittedAction::Update].into_iter().collect();
    let form = world
        .form(SubmissionRules {
            allowed_actions_when_submitted: allowed,
            ..any_state()
        })
        .await;
    let draft = world.submission("alice", form, DRAFT).await;
    let submissions = world.submissions();
    let shown = submissions
        .update(&user("alice"), draft, to_state(DRAFT))
        .await;
    assert!(shown.unwrap().is_some());
    let shown = submissions
        .update(&user("alice"), draft, to_state(SUBMITTED))
        .await;
    assert_eq!(shown.unwrap(), None, "it was submitted in between");
    let shown = submissions
        .update(&user("alice"), draft, to_state(SUBMITTED))
        .await;
    assert_eq!(shown.unwrap(), None, "corrected");
    fails(submissions.get(&user("alice"), draft).await, "Forbidden");
}

async fn deleting_all_submissions_keeps_drafts(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let rules = SubmissionRules {
        grant_based: true,
        ..any_state()
    };
    let (form, other) = (world.form(rules).await, world.form(rules).await);
    let draft = world.submission("alice", form, DRAFT).await;
    let elsewhere = world.submission("alice", other, SUBMITTED).await;
    let mut gone = Vec::new();
    for creator in ["alice", "bob"] {
        gone.push(world.submission(creator, form, SUBMITTED).await);
    }
    let resource = ResourceRef::form(form);
    world
        .grant_to("cleaner", &Action::DELETE_SUBMISSIONS, &resource)
        .await;
    let deleted = world.submissions().delete_all(&user("cleaner"), form).await;
    assert_eq!(deleted.unwrap(), 2);
    for kept in [draft, elsewhere] {
        assert!(world.submissions().get(SYSTEM, kept).await.is_ok());
    }
    for id in gone {
        fails(
            world.submissions().get(SYSTEM, id).await,
            "SubmissionNotFound",
        );
        let left = world.actions_on(SYSTEM, &ResourceRef::submission(id)).await;
        assert!(left.is_empty(), "its resource was deleted");
    }
    let again = world.submissions().delete_all(&user("cleaner"), form).await;
    assert_eq!(again.unwrap(), 0);
}

async fn lists_of_submissions_contain_exactly_the_readable_ones(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (form, other) = (world.form(any_state()).await, world.form(any_state()).await);
    let draft = world.submission("alice", form, DRAFT).await;
    let submitted = world.submission("alice", form, SUBMITTED).await;
    let bobs = world.submission("bob", form, SUBMITTED).await;
    world.submission("alice", other, SUBMITTED).await;
    let list = async |caller: &Caller, creator: Option<&str>, state| {
        let mut filter = SubmissionFilter {
            creator: creator.map(str::to_owned),
            state,
            ..SubmissionFilter::default()
        };
        let submissions = world.submissions();
        let whole = submissions.list(caller, form, &filter, &everything()).await;
        filter.output = OutputValidation::Keys;
        let keys = submissions.list(caller, form, &filter, &everything()).await;
        let [whole, keys] = [whole, keys].map(|page| {
            let items = page.unwrap().items;
            items.iter().map(|it| it.item.id).collect::<Vec<_>>()
        });
        assert_eq!(
            whole, keys,
            "reduced data are those of the same submissions"
        );
        whole
    };
    assert_eq!(list(SYSTEM, None, None).await, [draft, submitted, bobs]);
    assert_eq!(list(SYSTEM, Some("alice"), None).await, [draft, submitted]);
    assert_eq!(list(SYSTEM, Some("alice"), Some(DRAFT)).await, [draft]);
    assert_eq!(list(SYSTEM, None, Some(SUBMITTED)).await, [submitted, bobs]);
    assert_eq!(list(SYSTEM, Some(""), None).await, []);
    assert_eq!(list(&user("alice"), None, None).await, [draft]);
    assert_eq!(list(&user("stranger"), None, None).await, []);
    assert_eq!(list(&user("stranger"), Some("alice"), None).await, []);
    assert_eq!(list(&user("bob"), Some("alice"), Some(DRAFT)).await, []);
    let resource = ResourceRef::form(form);
    world
        .grant_to("reader", &Action::READ_SUBMISSIONS, &resource)
        .await;
    assert_eq!(list(&user("reader"), None, None).await, [submitted, bobs]);
    assert_eq!(list(&user("reader"), None, Some(DRAFT)).await, []);
    assert_eq!(list(&user("reader"), Some("bob"), None).await, [bobs]);
    let of_alice = list(&user("reader"), Some("alice"), None).await;
    assert_eq!(
        of_alice,
        [submitted],
        "drafts are visible to their creators only"
    );
}

/// The newest come first with every filter, for every kind of permission, and page by page.
async fn lists_can_begin_with_the_newest_submission(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let grant_based = SubmissionRules {
        grant_based: true,
        allowed_actions_when_submitted: [SubmittedAction::Read].into_iter().collect(),
        ..any_state()
    };
    let (from, before) = (
        instant("2026-11-21T08:00:02Z"),
        instant("2026-11-21T08:00:05Z"),
    );
    for rules in [any_state(), grant_based] {
        let form = world.form(rules).await;
        for second in 1..=7 {
            world
                .clock
                .set(instant(&format!("2026-11-21T08:00:0{second}Z")));
            let state = if second % 3 == 0 { DRAFT } else { SUBMITTED };
            world.submission("alice", form, state).await;
            world.submission("bob", form, SUBMITTED).await;
        }
        let filters = [
            SubmissionFilter::default(),
            SubmissionFilter {
                state: Some(SUBMITTED),
                ..SubmissionFilter::default()
            },
            SubmissionFilter {
                creator: Some("alice".to_owned()),
                created_from: Some(from),
                ..SubmissionFilter::default()
            },
            SubmissionFilter {
                created_from: Some(from),
                created_before: Some(before),
                ..SubmissionFilter::default()
            },
        ];
        for filter in filters {
            for caller in [SYSTEM, &user("alice")] {
                let submissions = world.submissions();
                let list = async |newest_first, request: &PageRequest| {
                    let filter = SubmissionFilter {
                        newest_first,
                        ..filter.clone()
                    };
                    let page = submissions.list(caller, form, &filter, request).await;
                    page.unwrap().map(|view| view.item.id)
                };
                let mut expected = list(false, &everything()).await.items;
                expected.reverse();
                for size in [1, 2, 5, 100] {
                    let mut request = page_of(size);
                    let mut walked = Vec::new();
                    loop {
                        let page = list(true, &request).await;
                        walked.extend(page.items);
                        let Some(next) = page.next else { break };
                        request = PageRequest::after(next, request.size);
                    }
                    assert_eq!(walked, expected, "{filter:?}");
                }
            }
        }
    }
}

/// If the clock is set back, identifiers continue with the latest time, so that the order remains that of creation.
async fn times_in_filters_are_those_of_identifiers(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(any_state()).await;
    let (early, late) = (
        instant("2026-11-21T08:00:01Z"),
        instant("2026-11-21T08:00:02Z"),
    );
    world.clock.set(early);
    let first = world.submission("alice", form, DRAFT).await;
    world.clock.set(late);
    let second = world.submission("bob", form, SUBMITTED).await;
    world.clock.set(early);
    let third = world.submission("alice", form, SUBMITTED).await;
    let list = async |created_from, created_before| {
        let filter = SubmissionFilter {
            created_from,
            created_before,
            ..SubmissionFilter::default()
        };
        let submissions = world.submissions();
        let listed = submissions.list(SYSTEM, form, &filter, &everything()).await;
        let mut export = submissions
            .export(SYSTEM, form, &filter, "en")
            .await
            .unwrap();
        let exported = export.next().await.unwrap().unwrap_or_default();
        let listed: Vec<_> = listed
            .unwrap()
            .items
            .iter()
            .map(|view| view.item.id)
            .collect();
        assert_eq!(
            listed,
            exported.iter().map(|row| row.id).collect::<Vec<_>>()
        );
        listed
    };
    let after = instant("2026-11-21T08:00:02.001Z");
    assert_eq!(list(None, None).await, [first, second, third]);
    assert_eq!(list(Some(early), None).await, [first, second, third]);
    assert_eq!(list(Some(late), None).await, [second, third]);
    assert_eq!(list(Some(after), None).await, []);
    assert_eq!(list(None, Some(early)).await, []);
    assert_eq!(list(None, Some(late)).await, [first]);
    assert_eq!(list(Some(late), Some(after)).await, [second, third]);
    assert_eq!(list(Some(after), Some(late)).await, []);
}
