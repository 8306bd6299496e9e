use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use formalize_core::{
    Action, Caller, Change, DynamicGroupId, FormChange, FormId, Formalize, GroupChange, GroupId,
    Member, NewMembership, ResourceRef, Store, Subject, SubmissionChange, SubmissionRules,
    SubmissionState,
    events::{EventData, EventFilter, EventPage, EventType},
    forms::{FormAccess, SubmissionLimit, SubmittedAction},
    links::NewFormLink,
    submissions::RequestedState,
};
use formalize_tests::on_every_store;
use formalize_tests::patience::in_time;
use formalize_tests::world::{
    World, holder, new_form, new_grant, new_group, new_submission, thing, user, user_id,
};
use serde_json::{Value, json};

use super::{SYSTEM, fails};

on_every_store! {
    a_change_of_a_submission_has_its_event,
    a_change_of_a_group_has_its_event,
    a_change_of_a_form_or_a_grant_has_its_event,
    a_registered_resource_has_its_event,
    what_goes_along_has_no_event,
    a_refused_request_has_no_event,
    ends_of_submissions_are_told_to_those_who_could_read,
    ends_of_other_records_are_told_to_those_who_could_read,
    a_log_that_is_off_stays_empty,
    a_page_is_limited,
    old_events_are_deleted,
    a_reader_in_another_process_is_woken,
    a_consumer_continues_where_it_was,
    consumers_take_turns,
    a_consumer_that_is_too_late_is_told,
    events_are_counted,
}

/// Every event behind a position.
async fn behind(formalize: &Formalize, after: i64) -> EventPage {
    let everything = EventFilter::default();
    let events = formalize.events();
    events.read(Some(after), &everything, 1000).await.unwrap()
}

/// The events that an operation writes: their types and data.
async fn written<T>(
    world: &World,
    operation: impl AsyncFnOnce() -> formalize_core::Result<T>,
) -> (T, Vec<(String, Value)>) {
    let before = world.events().extent().await.unwrap().last;
    let done = operation().await.unwrap();
    let events = behind(world, before).await.events;
    let now = formalize_core::Clock::now(&*world.clock);
    assert!(events.iter().all(|event| event.timestamp == now));
    let of = |event: &formalize_core::events::Event| {
        (event.event_type.to_string(), event.data.to_json())
    };
    (done, events.iter().map(of).collect())
}

async fn open_form(world: &World, grant_based: bool) -> FormId {
    let states = SubmissionState::ALL.iter().copied().collect();
    let allowed = SubmittedAction::ALL.iter().copied().collect();
    let rules = SubmissionRules {
        grant_based,
        allowed_states: states,
        allowed_actions_when_submitted: allowed,
        ..SubmissionRules::default()
    };
    let form = world.form(rules).await;
    let create = Action::CREATE_SUBMISSIONS;
    world
        .grant_to("ann", &create, &ResourceRef::form(form))
        .await;
    form
}

async fn a_change_of_a_submission_has_its_event(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let ann = &user("ann");
    let limited = open_form(world, false).await;
    let change = FormChange {
        limit: Change::Set(SubmissionLimit::new(5).unwrap()),
        ..FormChange::default()
    };
    world.forms().update(SYSTEM, limited, change).await.unwrap();
    let forms = [
        open_form(world, false).await,
        open_form(world, true).await,
        limited,
    ];
    for form in forms {
        let create = |state| async move {
            let new = new_submission(form, "{}", state);
            world.submissions().create(ann, new).await
        };
        let (draft, made) = written(world, async || create(SubmissionState::Draft).await).await;
        let id = draft.item.id;
        let data = |by: Option<&str>| {
            json!({"submissionIdentifier": id.to_string(), "formIdentifier": form.to_string(),
                "creatorId": "ann", "by": by})
        };
        let one = |event_type: &str, by| vec![(event_type.to_owned(), data(by))];
        assert_eq!(made, one("draft.created", Some("ann")));

        let to = |state| SubmissionChange {
            state: RequestedState::Known(state),
            ..SubmissionChange::default()
        };
        let update =
            |caller, state| async move { world.submissions().update(caller, id, to(state)).await };
        let steps = [
            (ann, SubmissionState::Draft, "draft.updated", Some("ann")),
            (SYSTEM, SubmissionState::Draft, "draft.updated", None),
            (
                ann,
                SubmissionState::Submitted,
                "submission.submitted",
                Some("ann"),
            ),
            (
                SYSTEM,
                SubmissionState::Submitted,
                "submission.updated",
                None,
            ),
        ];
        for (caller, state, event_type, by) in steps {
            let (_, made) = written(world, async || update(caller, state).await).await;
            assert_eq!(made, one(event_type, by));
        }
        let delete = async || world.submissions().delete(ann, id).await;
        let ((), made) = written(world, delete).await;
        assert_eq!(made, one("submission.deleted", Some("ann")));

        let (submitted, made) =
            written(world, async || create(SubmissionState::Submitted).await).await;
        assert_eq!(made[0].0, "submission.submitted");
        assert_eq!(
            made[0].1["submissionIdentifier"],
            submitted.item.id.to_string()
        );
        let draft = create(SubmissionState::Draft).await.unwrap().item.id;
        let delete = async || world.submissions().delete(SYSTEM, draft).await;
        let ((), made) = written(world, delete).await;
        assert_eq!(
            (made[0].0.as_str(), &made[0].1["by"]),
            ("draft.deleted", &Value::Null)
        );
    }
}

/// The only event, with its type and data.
fn one(event_type: &str, data: Value) -> Vec<(String, Value)> {
    vec![(event_type.to_owned(), data)]
}

async fn a_change_of_a_group_has_its_event(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let groups = world.groups();

    let ann = &user("ann");
    let collection = ResourceRef::collection(formalize_core::ResourceClass::GROUP);
    world.grant_to("ann", &Action::CREATE, &collection).await;
    let (group, made) = written(world, async || groups.create(ann, new_group("a")).await).await;
    let group = group.item.id;
    let of_group = json!({"groupIdentifier": group.to_string()});
    assert_eq!(
        made,
        one("group.created", of_group.clone()),
        "without the grant of its manager"
    );
    let fixed: GroupId = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse().unwrap();
    let ensure = async || groups.ensure(SYSTEM, fixed, new_group("b")).await;
    let (_, made) = written(world, ensure).await;
    assert_eq!(made[0].0, "group.created");
    assert_eq!(written(world, ensure).await.1, [], "it exists");
    let change = async || groups.update(SYSTEM, group, GroupChange::default()).await;
    assert_eq!(
        written(world, change).await.1,
        one("group.updated", of_group.clone())
    );

    for (member, user, child) in [
        (Member::User(user_id("bob")), json!("bob"), Value::Null),
        (
            Member::ChildGroup(fixed),
            Value::Null,
            json!(fixed.to_string()),
        ),
    ] {
        let new = NewMembership { group, member };
        let add = async || world.memberships().create(SYSTEM, new).await;
        let (membership, made) = written(world, add).await;
        let data = json!({"memberIdentifier": membership.id.to_string(), "groupIdentifier": group.to_string(),
            "userIdentifier": user, "childGroupIdentifier": child});
        assert_eq!(made, one("member.added", data.clone()));
        let remove = async || world.memberships().delete(SYSTEM, membership.id).await;
        assert_eq!(written(world, remove).await.1, one("member.removed", data));
    }
    let delete = async || groups.delete(SYSTEM, group).await;
    assert_eq!(
        written(world, delete).await.1,
        one("group.deleted", of_group)
    );
}

async fn a_change_of_a_form_or_a_grant_has_its_event(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let (group, forms) = (world.group("a").await, world.forms());
    let rules = SubmissionRules::default();
    let create = async || forms.create(SYSTEM, new_form("f", rules)).await;
    let (form, made) = written(world, create).await;
    let form = form.item.id;
    let of_form = json!({"formIdentifier": form.to_string()});
    assert_eq!(made, one("form.created", of_form.clone()));
    let change = async || forms.update(SYSTEM, form, FormChange::default()).await;
    assert_eq!(
        written(world, change).await.1,
        one("form.updated", of_form.clone())
    );
    let clear = async || world.submissions().delete_all(SYSTEM, form).await;
    assert_eq!(
        written(world, clear).await.1,
        one("form.cleared", of_form.clone())
    );

    let everybody = Subject::from(DynamicGroupId::EVERYBODY);
    for (subject, holders) in [
        (holder("bob"), [json!("bob"), Value::Null, Value::Null]),
        (
            group.into(),
            [Value::Null, json!(group.to_string()), Value::Null],
        ),
        (
            everybody.clone(),
            [Value::Null, Value::Null, json!("everybody")],
        ),
    ] {
        let new = new_grant(&subject, &Action::READ, &ResourceRef::form(form));
        let create = async || world.grants().create(SYSTEM, new).await;
        let (grant, made) = written(world, create).await;
        let [user, group, dynamic_group] = holders;
        let data = json!({"grantIdentifier": grant.item.id.to_string(), "action": "read",
            "resourceClass": "DbpRelayFormalizeForm", "resourceIdentifier": form.to_string(),
            "userIdentifier": user, "groupIdentifier": group, "dynamicGroupIdentifier": dynamic_group});
        assert_eq!(made, one("grant.created", data.clone()));
        let delete = async || world.grants().delete(SYSTEM, grant.item.id).await;
        assert_eq!(written(world, delete).await.1, one("grant.deleted", data));
    }
    let types = |made: Vec<(String, Value)>| {
        let types = made.into_iter().map(|(event_type, _)| event_type);
        types.collect::<Vec<_>>().join(" ")
    };
    let share = async || {
        forms
            .share(SYSTEM, form, &everybody, FormAccess::Fill)
            .await
    };
    assert_eq!(
        types(written(world, share).await.1),
        "grant.created grant.created"
    );
    let unshare = async || {
        forms
            .unshare(SYSTEM, form, &everybody, FormAccess::Fill)
            .await
    };
    assert_eq!(
        types(written(world, unshare).await.1),
        "grant.deleted grant.deleted"
    );
    let delete = async || forms.delete(SYSTEM, form).await;
    assert_eq!(written(world, delete).await.1, one("form.deleted", of_form));
}

async fn a_registered_resource_has_its_event(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let (resources, manual) = (world.resources(), thing("manual"));
    let carl = user_id("carl");
    let register = async || {
        resources
            .register(SYSTEM, manual.clone(), Some(&carl))
            .await
    };
    let (record, made) = written(world, register).await;
    let data = json!({"authorizationResourceIdentifier": record.id.to_string(),
        "resourceClass": "VendorThing", "resourceIdentifier": "manual"});
    assert_eq!(made, one("resource.registered", data.clone()));
    let ensure = async || resources.ensure(SYSTEM, manual.clone(), None).await;
    assert_eq!(written(world, ensure).await.1, [], "it exists");
    let deregister = async || resources.deregister(SYSTEM, &manual).await;
    assert_eq!(
        written(world, deregister).await.1,
        one("resource.deregistered", data)
    );
}

async fn what_goes_along_has_no_event(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world, true).await;
    let group = world.group("readers").await;
    world.member(group, "bob").await;
    for state in [SubmissionState::Draft, SubmissionState::Submitted] {
        let new = new_submission(form, "{}", state);
        world.submissions().create(&user("ann"), new).await.unwrap();
    }
    let link = async || world.links().create(SYSTEM, NewFormLink::to(form)).await;
    let ((link, _), made) = written(world, link).await;
    assert_eq!(made, [], "links and what comes with them");
    let delete = async || world.links().delete(SYSTEM, link.id).await;
    assert_eq!(written(world, delete).await.1, []);
    let clear = async || world.submissions().delete_all(SYSTEM, form).await;
    assert_eq!(written(world, clear).await.1.len(), 1);
    let delete = async || world.forms().delete(SYSTEM, form).await;
    assert_eq!(written(world, delete).await.1.len(), 1);
    let delete = async || world.groups().delete(SYSTEM, group).await;
    assert_eq!(written(world, delete).await.1.len(), 1);
}

async fn a_refused_request_has_no_event(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = open_form(world, false).await;
    let (ann, eve) = (&user("ann"), &user("eve"));
    let new = new_submission(form, "{}", SubmissionState::Submitted);
    let submission = world.submissions().create(ann, new.clone()).await.unwrap();
    let before = world.events().extent().await.unwrap();
    fails(world.submissions().create(eve, new).await, "Forbidden");
    fails(
        world.submissions().delete(eve, submission.item.id).await,
        "Forbidden",
    );
    fails(world.forms().delete(ann, form).await, "Forbidden");
    let mut tx = world.store().write().await.unwrap();
    let grant = new_grant(&holder("eve"), &Action::READ, &ResourceRef::form(form));
    world
        .grants()
        .create_in(tx.as_mut(), SYSTEM, grant)
        .await
        .unwrap();
    drop(tx);
    assert_eq!(world.events().extent().await.unwrap(), before);
}

/// The audience of the last event, as text.
async fn audience(world: &World) -> BTreeSet<String> {
    let last = world.events().extent().await.unwrap().last;
    let event = behind(world, last - 1).await.events.remove(0);
    let mut tx = world.store().read().await.unwrap();
    let subjects = tx
        .read_events()
        .unwrap()
        .event_audience(event.id)
        .await
        .unwrap();
    subjects.iter().map(ToString::to_string).collect()
}

fn subjects<const N: usize>(subjects: [&str; N]) -> BTreeSet<String> {
    subjects.map(ToOwned::to_owned).into()
}

async fn ends_of_submissions_are_told_to_those_who_could_read(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let ann = &user("ann");
    for (grant_based, allowed, state, expected) in [
        (
            false,
            true,
            SubmissionState::Submitted,
            subjects(["user:ann"]),
        ),
        (false, false, SubmissionState::Submitted, subjects([])),
        (false, false, SubmissionState::Draft, subjects(["user:ann"])),
        (
            true,
            true,
            SubmissionState::Submitted,
            subjects(["user:ann", "user:bob"]),
        ),
        (true, false, SubmissionState::Submitted, subjects([])),
        (
            true,
            false,
            SubmissionState::Draft,
            subjects(["user:ann", "user:bob"]),
        ),
    ] {
        let form = open_form(world, grant_based).await;
        if !allowed {
            let change = FormChange {
                allowed_actions_when_submitted: Some([].into_iter().collect()),
                ..FormChange::default()
            };
            world.forms().update(SYSTEM, form, change).await.unwrap();
        }
        let of_form = ResourceRef::form(form);
        world
            .grant_to("reader", &Action::READ_SUBMISSIONS, &of_form)
            .await;
        let new = new_submission(form, "{}", state);
        let made = world.submissions().create(ann, new.clone()).await.unwrap();
        if grant_based {
            let itself = ResourceRef::submission(made.item.id);
            world.grant_to("bob", &Action::READ, &itself).await;
            world.grant_to("carl", &Action::UPDATE, &itself).await;
        }
        world
            .submissions()
            .delete(SYSTEM, made.item.id)
            .await
            .unwrap();
        assert_eq!(
            audience(world).await,
            expected,
            "{grant_based} {allowed} {state:?}"
        );

        // The same for all of them at once, except that drafts stay.
        let made = world.submissions().create(ann, new).await.unwrap();
        if grant_based {
            let itself = ResourceRef::submission(made.item.id);
            world.grant_to("bob", &Action::READ, &itself).await;
        }
        world.submissions().delete_all(SYSTEM, form).await.unwrap();
        let is_gone = state == SubmissionState::Submitted;
        let cleared = if is_gone {
            expected.clone()
        } else {
            subjects([])
        };
        assert_eq!(
            audience(world).await,
            cleared,
            "{grant_based} {allowed} {state:?}"
        );

        // And for the form, with those who could read all of it.
        world.grant_to("owner", &Action::MANAGE, &of_form).await;
        world.grant_to("viewer", &Action::READ, &of_form).await;
        world.forms().delete(SYSTEM, form).await.unwrap();
        let mut of_form = subjects(["user:owner", "user:viewer", "user:reader"]);
        if !is_gone {
            of_form.extend(expected);
        }
        assert_eq!(
            audience(world).await,
            of_form,
            "{grant_based} {allowed} {state:?}"
        );
    }
}

async fn ends_of_other_records_are_told_to_those_who_could_read(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let (group, readers) = (world.group("a").await, world.group("readers").await);
    let itself = ResourceRef::group(group);
    world.grant(&readers.into(), &Action::READ, &itself).await;
    world.grant_to("owner", &Action::MANAGE, &itself).await;
    world.grant_to("adder", &Action::ADD_MEMBERS, &itself).await;
    world.groups().delete(SYSTEM, group).await.unwrap();
    let group_of_readers = format!("group:{readers}");
    assert_eq!(
        audience(world).await,
        subjects(["user:owner", &group_of_readers])
    );

    let manual = world.thing("manual").await;
    world
        .grant_to("writer", &formalize_tests::world::action("write"), &manual)
        .await;
    world
        .grant(&DynamicGroupId::EVERYBODY.into(), &Action::MANAGE, &manual)
        .await;
    world.resources().deregister(SYSTEM, &manual).await.unwrap();
    assert_eq!(
        audience(world).await,
        subjects(["user:writer", "dynamic:everybody"])
    );
}

async fn a_log_that_is_off_stays_empty(store: Arc<dyn Store>) {
    let formalize = Formalize::builder(store)
        .event_log(false)
        .build()
        .await
        .unwrap();
    let rules = SubmissionRules::default();
    let form = formalize
        .forms()
        .create(SYSTEM, new_form("f", rules))
        .await
        .unwrap();
    let new = new_submission(form.item.id, "{}", SubmissionState::Submitted);
    formalize.submissions().create(SYSTEM, new).await.unwrap();
    formalize
        .submissions()
        .delete_all(SYSTEM, form.item.id)
        .await
        .unwrap();
    formalize
        .forms()
        .delete(SYSTEM, form.item.id)
        .await
        .unwrap();
    assert_eq!(formalize.events().extent().await.unwrap().last, 0);
}

async fn a_page_is_limited(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    for _ in 0..3 {
        world.group("a").await;
    }
    world
        .grant_to("ann", &Action::READ, &ResourceRef::form(form))
        .await;
    let page = async |after, filter: &EventFilter, limit| {
        let page = world.events().read(after, filter, limit).await.unwrap();
        let positions: Vec<i64> = page.events.iter().map(|event| event.sequence).collect();
        (positions, page.next, page.has_more)
    };
    let everything = EventFilter::default();
    assert_eq!(page(None, &everything, 2).await, (vec![1, 2], 2, true));
    assert_eq!(page(Some(2), &everything, 2).await, (vec![3, 4], 4, true));
    assert_eq!(page(Some(4), &everything, 2).await, (vec![5], 5, false));
    assert_eq!(page(Some(5), &everything, 2).await, (vec![], 5, false));
    let of_form = EventFilter {
        form: Some(form),
        ..EventFilter::default()
    };
    assert_eq!(page(None, &of_form, 100).await, (vec![1, 5], 5, false));
    let grants = EventFilter {
        types: vec![EventType::GrantCreated],
        ..of_form
    };
    assert_eq!(page(None, &grants, 100).await, (vec![5], 5, false));
    let beyond = world.events().read(Some(6), &everything, 2).await;
    fails(beyond, "EventsExpired");
}

async fn old_events_are_deleted(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let day = Duration::from_hours(24);
    world.group("a").await;
    world.group("b").await;
    world.wait(6 * day);
    world.group("c").await;
    assert_eq!(world.maintain().await.unwrap().events, 0);
    world.wait(day + Duration::from_secs(1));
    assert_eq!(world.maintain().await.unwrap().events, 2);
    let extent = world.events().extent().await.unwrap();
    assert_eq!((extent.purged_to, extent.last), (2, 3));
    let everything = EventFilter::default();
    fails(
        world.events().read(Some(1), &everything, 10).await,
        "EventsExpired",
    );
    let oldest = world.events().read(None, &everything, 10).await.unwrap();
    assert_eq!(oldest.events[0].sequence, 3);
    assert_eq!(world.events().purge(day).await.unwrap(), 1);
}

async fn a_reader_in_another_process_is_woken(store: Arc<dyn Store>) {
    let (writing, reading) = (World::on(Arc::clone(&store)).await, World::on(store).await);
    writing.group("a").await;
    let reader = reading.formalize.clone();
    let woken = tokio::spawn(async move { reader.events().news(1).await });
    tokio::time::sleep(Duration::from_millis(150)).await;
    assert!(!woken.is_finished());
    writing.group("b").await;
    in_time("the reader is woken", woken)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(behind(&reading, 1).await.events.len(), 1);
}

/// The positions of the next batch, which is confirmed if wanted.
async fn next(
    consumer: &mut formalize_core::events::EventConsumer<'_>,
    confirmed: bool,
) -> Vec<i64> {
    let batch = consumer.next().await.unwrap();
    let positions = batch.events().iter().map(|event| event.sequence).collect();
    if confirmed {
        batch.done().await.unwrap();
    }
    positions
}

async fn a_consumer_continues_where_it_was(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    world.group("a").await;
    let mut consumer = world.events().subscription("index").unwrap();
    assert_eq!(next(&mut consumer, false).await, [1]);
    assert_eq!(next(&mut consumer, true).await, [1], "not confirmed");
    world.group("b").await;
    world.group("c").await;
    assert_eq!(next(&mut consumer, true).await, [2, 3]);
    consumer.release().await.unwrap();
    world.group("d").await;
    let mut consumer = world.events().subscription("index").unwrap();
    assert_eq!(next(&mut consumer, true).await, [4]);
    let mut other = world.events().subscription("another").unwrap();
    assert_eq!(next(&mut other, false).await, [1, 2, 3, 4]);
    other.reset_to_now().await.unwrap();
    world.group("e").await;
    assert_eq!(next(&mut other, true).await, [5]);
    other.reset_to_oldest().await.unwrap();
    assert_eq!(next(&mut other, true).await, [1, 2, 3, 4, 5]);
    let listed = world.events().subscriptions().await.unwrap();
    let listed: Vec<_> = listed
        .iter()
        .map(|row| (row.name.as_str(), row.position))
        .collect();
    assert_eq!(listed, [("another", 5), ("index", 4)]);
    world.events().delete_subscription("index").await.unwrap();
    let again = world.events().delete_subscription("index").await;
    fails(again, "EventSubscriptionNotFound");
    let of_webhook = world.events().delete_subscription("webhook:1").await;
    fails(of_webhook, "EventSubscriptionReserved");
    assert!(world.events().subscription("").is_err());
}

async fn consumers_take_turns(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    world.group("a").await;
    let mut first = world.events().subscription("index").unwrap();
    let mut second = world.events().subscription("index").unwrap();
    let batch = first.next().await.unwrap();
    world.wait(Duration::from_secs(59));
    let waited = tokio::time::timeout(Duration::from_millis(300), second.next()).await;
    assert!(waited.is_err(), "the first consumer has the subscription");
    batch.renew().await.unwrap();
    world.wait(Duration::from_secs(59));
    let waited = tokio::time::timeout(Duration::from_millis(300), second.next()).await;
    assert!(waited.is_err(), "it was renewed");
    world.wait(Duration::from_secs(1));
    assert_eq!(next(&mut second, false).await, [1], "the lease has ended");
    fails(batch.renew().await, "EventSubscriptionTaken");
    fails(batch.done().await, "EventSubscriptionTaken");
    fails(first.reset_to_now().await, "EventSubscriptionTaken");
}

async fn a_consumer_that_is_too_late_is_told(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    world.group("a").await;
    let mut consumer = world.events().subscription("index").unwrap();
    assert_eq!(next(&mut consumer, false).await, [1]);
    world.group("b").await;
    world.wait(Duration::from_hours(1));
    assert_eq!(
        world.events().purge(Duration::from_mins(1)).await.unwrap(),
        2
    );
    fails(consumer.next().await.map(|_| ()), "EventsExpired");
    consumer.reset_to_oldest().await.unwrap();
    world.group("c").await;
    assert_eq!(next(&mut consumer, true).await, [3]);
    world.events().reset().await.unwrap();
    world.group("d").await;
    fails(consumer.next().await.map(|_| ()), "EventsExpired");
    assert!(world.events().subscriptions().await.unwrap()[0].is_of_earlier_epoch);
    consumer.reset_to_now().await.unwrap();
    world.group("e").await;
    assert_eq!(next(&mut consumer, true).await, [5]);
}

async fn events_are_counted(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    for _ in 0..2 {
        let new = new_submission(form, "{}", SubmissionState::Submitted);
        world
            .submissions()
            .create(&Caller::System, new)
            .await
            .unwrap();
    }
    let counted = world.statistics().events.written.into_iter();
    let counted: Vec<_> = counted.filter(|(_, count)| *count > 0).collect();
    assert_eq!(
        counted,
        [
            (EventType::SubmissionSubmitted, 2),
            (EventType::FormCreated, 1)
        ]
    );
    world.maintain().await.unwrap();
    assert_eq!(world.statistics().events.last_position, 3);
    let of_form = |event: &formalize_core::events::Event| event.data == EventData::Form { form };
    assert!(behind(&world, 0).await.events.iter().any(of_form));
}
