//! Stores that do not keep every kind of record.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use formalize_core::store::{Part, memory::MemoryStore};
use formalize_core::{
    Action, Change, Error, FormChange, FormId, FormName, GroupFilter, Maintained, ResourceFilter,
    ResourceRef, Result, Subject, SubmissionChange, SubmissionFilter, SubmissionId,
    SubmissionRules, SubmissionState, Viewed,
    events::{EventFilter, FeedRequest},
    forms::{FormAccess, SubmissionLimit},
    idempotency::{Fingerprint, IdempotencyKey, KeyedRequest},
    links::NewFormLink,
    submissions::{BatchItem, BatchOutcome, ItemKey, SubmissionBatch},
    tokens::NewApiToken,
    webhooks::NewWebhook,
};
use formalize_tests::world::{
    World, action, everything, holder, new_form, new_group, new_session, new_submission, thing,
    user, user_id,
};

use super::files::note;
use super::{SYSTEM, fails};

/// A service on a store in memory.
async fn without(parts: &[Part]) -> World {
    World::on(Arc::new(MemoryStore::without(parts))).await
}

const ALL_BUT_FORMS: [Part; 6] = [
    Part::Files,
    Part::Links,
    Part::Tokens,
    Part::KeptResponses,
    Part::Events,
    Part::Webhooks,
];

#[track_caller]
fn lacks<T>(outcome: Result<T>, part: Part) {
    match outcome {
        Err(Error::NotConfigured(lacking)) => assert_eq!(lacking, part),
        Err(other) => panic!("{part:?}: {other:?}"),
        Ok(_) => panic!("{part:?} is there"),
    }
}

fn rules(grant_based: bool) -> SubmissionRules {
    SubmissionRules {
        grant_based,
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        limit: Some(SubmissionLimit::new(100).unwrap()),
        ..SubmissionRules::default()
    }
}

#[tokio::test]
async fn forms_and_submissions_need_no_other_part() {
    let world = without(&ALL_BUT_FORMS).await;
    for grant_based in [false, true] {
        use_form(&world, rules(grant_based)).await;
    }
    let maintained = world.maintain().await.unwrap();
    assert_eq!(maintained, Maintained::default());
    assert_eq!(world.statistics().maintenance.steps.failing().count(), 0);
    assert_eq!(world.files().sweep().await.unwrap(), 0);
}

/// Does with a form and its submissions what does not concern another part.
async fn use_form(world: &World, rules: SubmissionRules) {
    let (forms, submissions) = (world.forms(), world.submissions());
    let (group, alice) = (world.group("Readers").await, user("alice"));
    world.member(group, "alice").await;
    let form = world.form(rules).await;
    let to = Subject::Group(group);
    for access in [FormAccess::Fill, FormAccess::ChangeAnswers] {
        forms.share(SYSTEM, form, &to, access).await.unwrap();
    }

    let draft = new_submission(form, "{}", SubmissionState::Draft);
    let made = submissions.create(&alice, draft).await.unwrap().item;
    let submits = SubmissionChange {
        data: Change::Keep,
        state: SubmissionState::Submitted.into(),
        ..SubmissionChange::default()
    };
    submissions.update(&alice, made.id, submits).await.unwrap();
    for is_atomic in [false, true] {
        let mut batch = SubmissionBatch::new(form, vec![BatchItem::new("{}"); 2]).unwrap();
        batch.is_atomic = is_atomic;
        let outcomes = submissions.create_batch(&alice, &batch).await.unwrap();
        let created = |outcome: &BatchOutcome| matches!(outcome, BatchOutcome::Created(_));
        assert!(outcomes.iter().all(created), "{outcomes:?}");
    }
    let all = SubmissionFilter::default();
    let listed = submissions.list(&alice, form, &all, &everything()).await;
    assert_eq!(listed.unwrap().items.len(), 5);
    let mut export = submissions.export(SYSTEM, form, &all, "en").await.unwrap();
    assert_eq!(export.next().await.unwrap().unwrap().len(), 5);
    let summary = submissions.summary(SYSTEM, form, &all, None).await;
    assert!(summary.is_ok());
    let explained = forms.explain(SYSTEM, form, &user_id("alice")).await;
    assert_eq!(explained.unwrap().reasons.len(), 1);
    let filter = ResourceFilter::of(ResourceRef::form(form));
    let grants = world.grants().list(SYSTEM, &filter, &everything()).await;
    assert!(!grants.unwrap().items.is_empty());

    submissions.delete(SYSTEM, made.id).await.unwrap();
    let renamed = FormChange {
        name: Some(FormName::new("Renamed").unwrap()),
        ..FormChange::default()
    };
    forms.update(SYSTEM, form, renamed).await.unwrap();
    let manager = holder("bob");
    forms
        .share(SYSTEM, form, &manager, FormAccess::Manage)
        .await
        .unwrap();
    let other = holder("carol");
    forms
        .share(SYSTEM, form, &other, FormAccess::Manage)
        .await
        .unwrap();
    assert_eq!(
        forms.dismiss(SYSTEM, form, &user_id("bob")).await.unwrap(),
        0
    );
    assert_eq!(submissions.delete_all(SYSTEM, form).await.unwrap(), 4);
    let deletion = forms.check_delete(SYSTEM, form).await.unwrap();
    assert_eq!((deletion.forms, deletion.webhooks), (1, 0));
    forms.delete(SYSTEM, form).await.unwrap();
    world.groups().delete(SYSTEM, group).await.unwrap();
}

#[tokio::test]
async fn use_cases_of_absent_parts_are_not_configured() {
    let world = without(&ALL_BUT_FORMS).await;
    let form = world.form(rules(false)).await;
    let draft = || new_submission(form, "{}", SubmissionState::Draft);
    let made = world.submissions().create(SYSTEM, draft()).await.unwrap();
    let (id, page) = (made.item.id, everything());

    let (files, file) = (
        world.files(),
        "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse().unwrap(),
    );
    lacks(
        super::files::create(&world, draft(), vec![note("a")]).await,
        Part::Files,
    );
    lacks(files.upload(SYSTEM, id).await, Part::Files);
    lacks(files.list(SYSTEM, id, None, &page).await, Part::Files);
    lacks(files.get(SYSTEM, id, file).await, Part::Files);
    lacks(files.open(SYSTEM, id, file).await, Part::Files);
    lacks(files.find(SYSTEM, file).await, Part::Files);
    lacks(files.remove(SYSTEM, id, file).await, Part::Files);
    lacks(files.unused().await, Part::Files);
    lacks(files.give_up_uploads().await, Part::Files);
    lacks(files.hold(Duration::from_secs(1)).await, Part::Files);

    let links = world.links();
    lacks(
        links.create(SYSTEM, NewFormLink::to(form)).await,
        Part::Links,
    );
    lacks(links.list(SYSTEM, form, &page).await, Part::Links);
    let link = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse().unwrap();
    lacks(links.get(SYSTEM, link).await, Part::Links);
    lacks(links.delete(SYSTEM, link).await, Part::Links);

    let tokens = world.tokens();
    let new = NewApiToken {
        user: user_id("alice"),
        attributes: BTreeMap::new(),
        date_expires: None,
    };
    lacks(tokens.create(SYSTEM, new).await, Part::Tokens);
    lacks(tokens.list(SYSTEM, &page).await, Part::Tokens);
    lacks(
        world.sessions().create(SYSTEM, new_session("alice")).await,
        Part::Tokens,
    );
    let ended = world.sessions().end_all_of(SYSTEM, &user_id("alice")).await;
    lacks(ended, Part::Tokens);

    let events = world.events();
    lacks(
        events.read(None, &EventFilter::default(), 1).await,
        Part::Events,
    );
    lacks(
        events
            .list(SYSTEM, &EventFilter::default(), &FeedRequest::default())
            .await,
        Part::Events,
    );
    lacks(events.extent().await, Part::Events);
    lacks(events.subscriptions().await, Part::Events);
    lacks(events.reset().await, Part::Events);

    let webhooks = world.webhooks();
    lacks(
        webhooks.list(SYSTEM, Some(form), &page).await,
        Part::Webhooks,
    );
    lacks(webhooks.claim(1).await, Part::Webhooks);
}

/// A webhook begins at the end of the event log, so this needs a log.
#[tokio::test]
async fn a_webhook_is_not_configured_beside_events() {
    let world = without(&[Part::Webhooks]).await;
    let form = world.form(rules(false)).await;
    let url = world.webhooks().parse_url("https://example.org/").unwrap();
    let new = NewWebhook::of(form, url);
    lacks(world.webhooks().create(SYSTEM, new).await, Part::Webhooks);
    let logged = world.events().read(None, &EventFilter::default(), 9).await;
    assert_eq!(logged.unwrap().events.len(), 1, "that of the form");
}

/// The outcome of the only submission of a batch.
fn only(outcomes: Vec<BatchOutcome>) -> Result<BatchOutcome> {
    match outcomes.into_iter().next().unwrap() {
        BatchOutcome::Refused(error) => Err(error),
        other => Ok(other),
    }
}

#[tokio::test]
async fn a_request_with_a_key_is_refused_if_its_response_cannot_be_kept() {
    let world = without(&[Part::KeptResponses]).await;
    let form = world.form(rules(false)).await;
    let request = KeyedRequest {
        key: IdempotencyKey::new("key").unwrap(),
        fingerprint: Fingerprint([1; 32]),
        retention: Duration::from_hours(1),
    };
    let response = |_: &Viewed<_>| String::new();
    let submissions = world.submissions();
    let new = new_submission(form, "{}", SubmissionState::Submitted);
    let created = submissions.create_once(SYSTEM, new, Some(&request), &response);
    lacks(created.await, Part::KeptResponses);
    let group = |_: &Viewed<_>| String::new();
    let groups = world.groups();
    let created = groups.create_once(SYSTEM, new_group("A"), Some(&request), &group);
    lacks(created.await, Part::KeptResponses);
    let keyed = BatchItem {
        key: ItemKey::new("one").ok(),
        ..BatchItem::new("{}")
    };
    for is_atomic in [false, true] {
        let mut batch = SubmissionBatch::new(form, vec![BatchItem::new("{}")]).unwrap();
        batch.is_atomic = is_atomic;
        let all = |_: &Vec<BatchOutcome>| String::new();
        let created = submissions.create_batch_once(SYSTEM, &batch, Some(&request), &all);
        lacks(created.await, Part::KeptResponses);
        let mut batch = SubmissionBatch::new(form, vec![keyed.clone()]).unwrap();
        batch.is_atomic = is_atomic;
        let created = submissions.create_batch(SYSTEM, &batch).await;
        lacks(created.and_then(only), Part::KeptResponses);
        lacks(
            submissions.import(SYSTEM, &batch).await,
            Part::KeptResponses,
        );
    }
    let all = SubmissionFilter::default();
    let listed = submissions.list(SYSTEM, form, &all, &everything()).await;
    assert_eq!(listed.unwrap().items, []);
    let groups = world
        .groups()
        .list(SYSTEM, &GroupFilter::default(), &everything())
        .await;
    assert_eq!(groups.unwrap().items, []);
}

#[tokio::test]
async fn authorization_needs_no_forms() {
    let world = without(Part::ALL).await;
    let (resources, grants) = (world.resources(), world.grants());
    let (alice, bob) = (user("alice"), user("bob"));
    let (inner, outer) = (world.group("Inner").await, world.group("Outer").await);
    world.nest(outer, inner).await;
    world.member(inner, "bob").await;
    let manager = user_id("alice");
    let (one, write) = (thing("one"), action("write"));
    resources
        .register(SYSTEM, one.clone(), Some(&manager))
        .await
        .unwrap();
    world.grant(&Subject::Group(outer), &write, &one).await;

    assert!(resources.is_granted(&bob, &one, &write).await.unwrap());
    resources.check(&bob, &one, &write).await.unwrap();
    let refused = resources.check(&bob, &one, &Action::MANAGE).await;
    fails(refused, "Forbidden");
    let listed = resources
        .list(&bob, &ResourceFilter::default(), &everything())
        .await;
    assert!(
        listed
            .unwrap()
            .items
            .iter()
            .any(|row| row.item.resource == one)
    );
    let filter = ResourceFilter::of(one.clone());
    let held = grants.list(&alice, &filter, &everything()).await.unwrap();
    assert_eq!(held.items.len(), 2);
    let groups = world.groups();
    assert_eq!(
        groups
            .of_caller(&bob, &everything())
            .await
            .unwrap()
            .items
            .len(),
        2
    );
    let shown = groups
        .list(SYSTEM, &GroupFilter::default(), &everything())
        .await;
    assert_eq!(shown.unwrap().items.len(), 2);
    let members = world.memberships().list(SYSTEM, outer, &everything()).await;
    assert_eq!(members.unwrap().items.len(), 1);

    // Nothing is found that could be a form or a submission.
    let unknown = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b";
    let form: FormId = unknown.parse().unwrap();
    let submission: SubmissionId = unknown.parse().unwrap();
    for of_submission in [ResourceRef::form(form), ResourceRef::submission(submission)] {
        assert!(world.actions_on(&bob, &of_submission).await.is_empty());
    }
    let forms = world.forms();
    lacks(
        forms.create(SYSTEM, new_form("Form", rules(false))).await,
        Part::Forms,
    );
    lacks(forms.get(SYSTEM, form).await, Part::Forms);
    lacks(forms.delete(SYSTEM, form).await, Part::Forms);
    let found = world.submissions().get(SYSTEM, submission).await;
    lacks(found, Part::Submissions);

    resources.deregister(SYSTEM, &one).await.unwrap();
    groups.delete(SYSTEM, outer).await.unwrap();
    world.maintain().await.unwrap();
}
