//! Promise 16, and what is kept of events.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;

use formalize_core::store::scope::{Audience, AudienceSource, Subjects};
use formalize_core::store::{EventPlace, EventWindow, Store, StoreResult, WriteTx};
use formalize_core::{
    Action, Member, ResourceClass, Subject, Submission, SubmissionState, UserId,
    events::{Event, EventData, EventFilter, EventId, EventType, NewEvent},
};

use crate::store::events::{to_form, to_grant, to_group, to_member, to_resource, to_submission};
use crate::store::samples::{
    Ids, cap, creator_based, dynamic, grant_based, holder, limit, now, states, user,
};
use crate::store::scene::Scene;

const EVERYTHING: EventWindow = EventWindow {
    after: 0,
    to: i64::MAX,
    limit: u64::MAX,
};

/// Gives positions to all events.
pub(super) async fn place(store: &dyn Store) -> StoreResult<()> {
    while store.read().await?.read_events()?.event_arrivals(1).await? > 0 {
        let mut tx = store.write().await?;
        tx.write_events()?.place_events(3).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Every event, after all have got their positions.
pub(super) async fn log(store: &dyn Store) -> StoreResult<Vec<Event>> {
    place(store).await?;
    let mut tx = store.read().await?;
    let events = tx
        .read_events()?
        .events(EVERYTHING, &EventFilter::default())
        .await?;
    let last = tx.read_events()?.event_log().await?.last;
    let positions: Vec<i64> = events.iter().map(|event| event.sequence).collect();
    assert_eq!(positions, (1..=last).collect::<Vec<_>>(), "promise 17");
    Ok(events)
}

async fn append(store: &dyn Store, events: &[NewEvent]) -> StoreResult<()> {
    let mut tx = store.write().await?;
    for event in events {
        tx.write_events()?.append_event(event).await?;
    }
    tx.commit().await
}

/// An event of every kind of data, with unusual values.
async fn one_of_each(scene: &mut Scene) -> StoreResult<Vec<NewEvent>> {
    let ids = scene.ids.clone();
    let group = scene.group("readers").await?;
    let odd = user("\"Äé\u{1F600}\\ '");
    let of_user = scene.member(group.id(), Member::User(odd.clone())).await?;
    let child = scene.group("children").await?;
    let of_group = scene
        .member(group.id(), Member::ChildGroup(child.id()))
        .await?;
    let form = scene.form(grant_based(&[])).await?;
    let draft = SubmissionState::Draft;
    let shared = scene.shared_submission(&form.form, &odd, draft).await?;
    let thing = scene.item("A \"thing\"", "a/b").await?;
    let things = scene.collection(&ResourceClass::GROUP).await?;
    let grants = [
        scene
            .grant(&holder("bob"), Action::READ, &shared.resource)
            .await?,
        scene
            .grant(&group.subject(), Action::MANAGE, &form.collection)
            .await?,
        scene
            .grant(&dynamic("staff"), Action::MANAGE, &thing)
            .await?,
        scene.grant(&holder("bob"), Action::CREATE, &things).await?,
    ];
    let by_system = Submission {
        creator: UserId::SYSTEM,
        state: SubmissionState::Submitted,
        ..shared.submission.clone()
    };
    let mut happened = vec![
        to_submission(
            EventType::DraftCreated,
            &shared.submission,
            &shared.submission.last_modified_by,
        ),
        to_submission(
            EventType::SubmissionSubmitted,
            &by_system,
            &by_system.last_modified_by,
        ),
        to_submission(EventType::SubmissionDeleted, &by_system, &UserId::SYSTEM),
        to_form(EventType::FormCreated, form.id()),
        to_form(EventType::FormCleared, form.id()),
        to_group(EventType::GroupUpdated, group.id()),
        to_member(EventType::MemberAdded, &of_user),
        to_member(EventType::MemberRemoved, &of_group),
        to_resource(EventType::ResourceRegistered, &thing),
        to_resource(EventType::ResourceDeregistered, &things),
    ];
    let granted = |grant| to_grant(EventType::GrantCreated, grant);
    happened.extend(grants.iter().map(granted));
    Ok(happened.into_iter().map(|what| ids.event(what)).collect())
}

/// Promise 16: committed events are in the log, with all their values.
pub async fn events_come_back_with_every_value(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let events = one_of_each(&mut scene).await?;
    scene.commit().await?;
    append(&*store, &events).await?;
    let placed = (1..).zip(events);
    let expected: Vec<Event> = placed.map(|(at, event)| event.placed(at)).collect();
    assert_eq!(log(&*store).await?, expected, "promise 16");
    Ok(())
}

/// Promise 16: an event of a dropped transaction is not in the log, and its position is given to another one.
pub async fn events_are_part_of_their_transaction(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut made = Vec::new();
    for number in 0..4_u64 {
        let mut scene = Scene::begin(&*store, &ids).await?;
        let group = scene.group("a group").await?;
        let event = ids.event(to_group(EventType::GroupCreated, group.id()));
        scene.tx.write_events()?.append_event(&event).await?;
        if number % 2 == 0 {
            drop(scene);
        } else {
            scene.commit().await?;
            made.push(event.id);
        }
    }
    let logged: Vec<EventId> = log(&*store).await?.iter().map(|event| event.id).collect();
    assert_eq!(logged, made, "promise 16");
    Ok(())
}

/// Promise 16: a submission that gets no place has no event, and one that does has exactly one.
pub async fn submissions_are_logged_with_their_places(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let mut rules = creator_based(&[]);
    let unlimited = scene.form(rules).await?.form;
    rules.limit = Some(limit(4));
    let limited = scene.form(rules).await?.form;
    scene.commit().await?;
    let mut expected = Vec::new();
    for form in [&unlimited, &limited] {
        for (number, state) in [(0, SubmissionState::Draft), (1, SubmissionState::Submitted)] {
            for (only, in_transaction) in [(None, false), (None, true), (Some(cap(1)), false)] {
                let creator = user(&format!("user {number}"));
                let submission = ids.submission(form, &creator, state);
                let id = EventId::from_uuid(ids.next());
                let (revision, limit) = (form.revision, form.rules.limit);
                let event = Some(id);
                let submitted = if in_transaction {
                    let mut tx = store.write().await?;
                    let submitted = tx
                        .write_submissions()?
                        .submit(&submission, revision, only, limit, event)
                        .await?;
                    tx.commit().await?;
                    submitted
                } else {
                    store
                        .submit(&submission, revision, only, limit, event, &[])
                        .await?
                };
                assert_eq!(submitted, only.is_none());
                if submitted {
                    expected.push(NewEvent::of_submission(id, &submission));
                }
            }
        }
        let unlogged = ids.submission(form, &user("eve"), SubmissionState::Submitted);
        let (revision, limit) = (form.revision, form.rules.limit);
        assert!(
            store
                .submit(&unlogged, revision, None, limit, None, &[])
                .await?
        );
    }
    let placed = (1..).zip(expected);
    let expected: Vec<Event> = placed.map(|(at, event)| event.placed(at)).collect();
    assert_eq!(log(&*store).await?, expected, "promise 16");
    Ok(())
}

/// Windows and filters select events, in order.
pub async fn events_are_filtered(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let events = one_of_each(&mut scene).await?;
    scene.commit().await?;
    append(&*store, &events).await?;
    let all = log(&*store).await?;
    let form = all.iter().find_map(|event| event.data.form());
    let filters = [
        (form, vec![]),
        (None, vec![EventType::MemberAdded, EventType::GrantCreated]),
        (form, vec![EventType::GrantCreated]),
    ];
    let mut tx = store.read().await?;
    for (form, types) in filters {
        let filter = EventFilter { form, types };
        for (after, to, limit) in [(0, 100, 100), (2, 100, 3), (3, 12, 100)] {
            let within = all
                .iter()
                .filter(|event| after < event.sequence && event.sequence <= to);
            let passing = within.filter(|event| filter.admits(event));
            let expected: Vec<Event> = passing.take(limit).cloned().collect();
            let limit = u64::try_from(limit).unwrap_or(u64::MAX);
            let found = tx
                .read_events()?
                .events(EventWindow { after, to, limit }, &filter)
                .await?;
            assert_eq!(found, expected, "{filter:?} after {after} to {to}");
        }
    }
    Ok(())
}

/// Only events at the beginning of the log are deleted, and only those that are old.
pub async fn old_events_are_deleted(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let later = |seconds| now().saturating_add(Duration::from_secs(seconds));
    let group = ids.group("a group").id;
    let ages = [0, 1, 5, 2, 9];
    let events = ages.map(|age| NewEvent {
        timestamp: later(age),
        ..ids.event(to_group(EventType::GroupUpdated, group))
    });
    append(&*store, &events).await?;
    place(&*store).await?;
    let mut purged_to = 0;
    for (before, limit, expected) in [
        (0, 9, 0),
        (1, 9, 1),
        (3, 9, 1),
        (3, 9, 0),
        (6, 1, 1),
        (6, 9, 1),
        (9, 9, 0),
        (10, 9, 1),
    ] {
        let mut tx = store.write().await?;
        let deleted = tx
            .write_events()?
            .delete_events(later(before), limit)
            .await?;
        tx.commit().await?;
        assert_eq!(deleted, expected, "older than {before}, at most {limit}");
        purged_to += i64::try_from(deleted).unwrap_or(i64::MAX);
        let mut tx = store.read().await?;
        let log = tx.read_events()?.event_log().await?;
        assert_eq!((log.purged_to, log.last), (purged_to, 5));
        let left = tx
            .read_events()?
            .events(EVERYTHING, &EventFilter::default())
            .await?;
        let left: Vec<i64> = left.iter().map(|event| event.sequence).collect();
        assert_eq!(left, (purged_to + 1..=5).collect::<Vec<_>>());
    }
    append(&*store, &events[..1]).await?;
    place(&*store).await?;
    let left = store
        .read()
        .await?
        .read_events()?
        .events(EVERYTHING, &EventFilter::default())
        .await?;
    let left: Vec<i64> = left.iter().map(|event| event.sequence).collect();
    assert_eq!(left, [6], "promise 17: positions are never given again");
    Ok(())
}

/// The subjects of each source are written, each once.
pub async fn audiences_are_those_who_could_read(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let group = scene.group("readers").await?;
    let form = scene.form(grant_based(&[])).await?;
    let other = scene.form(creator_based(&[])).await?;
    let (draft, submitted) = (SubmissionState::Draft, SubmissionState::Submitted);
    for (creator, state) in [("ann", draft), ("bob", submitted), ("bob", submitted)] {
        let row = ids.submission(&other.form, &user(creator), state);
        scene.insert_submission(&row).await?;
    }
    let by_system = ids.submission(&other.form, &UserId::SYSTEM, submitted);
    scene.insert_submission(&by_system).await?;
    let ann = user("ann");
    let on_draft = scene.shared_submission(&form.form, &ann, draft).await?;
    let on_other = scene.shared_submission(&form.form, &ann, submitted);
    let on_other = on_other.await?;
    for (subject, action, on) in [
        (holder("carol"), Action::READ, &form.resource),
        (group.subject(), Action::MANAGE, &form.resource),
        (holder("dan"), Action::UPDATE, &form.resource),
        (holder("erin"), Action::READ, &form.collection),
        (holder("frank"), Action::READ, &on_draft.resource),
        (dynamic("staff"), Action::READ, &on_other.resource),
        (holder("gina"), Action::UPDATE, &on_other.resource),
    ] {
        scene.grant(&subject, action, on).await?;
    }
    scene.commit().await?;
    let reading = || vec![Action::READ, Action::MANAGE];
    let on_form = |class, actions| AudienceSource::Holders {
        anchor: form.id().into(),
        class,
        actions,
    };
    let on_submissions = |of: &[SubmissionState]| AudienceSource::HoldersOnSubmissions {
        form: form.id(),
        actions: reading(),
        states: states(of),
    };
    let creators = |of: &[SubmissionState]| AudienceSource::Creators {
        form: other.id(),
        states: states(of),
    };
    let named = |names: &[&str]| names.iter().map(|name| holder(name)).collect::<Vec<_>>();
    let with = |mut some: Vec<Subject>, more: Subject| {
        some.push(more);
        some
    };
    let itself = || on_form(ResourceClass::FORM, Some(reading()));
    let cases = [
        (vec![], vec![]),
        (
            vec![AudienceSource::Subject(dynamic("x"))],
            vec![dynamic("x")],
        ),
        (vec![itself()], with(named(&["carol"]), group.subject())),
        (
            vec![on_form(ResourceClass::FORM, None)],
            with(named(&["carol", "dan"]), group.subject()),
        ),
        (
            vec![on_form(
                ResourceClass::SUBMISSION_COLLECTION,
                Some(reading()),
            )],
            named(&["erin"]),
        ),
        (vec![creators(&[draft])], named(&["ann"])),
        (vec![creators(&[draft, submitted])], named(&["ann", "bob"])),
        (vec![on_submissions(&[submitted])], vec![dynamic("staff")]),
        (
            vec![on_submissions(&[draft, submitted])],
            with(named(&["frank"]), dynamic("staff")),
        ),
        (
            vec![
                itself(),
                creators(&[submitted]),
                AudienceSource::Subject(holder("bob")),
            ],
            with(named(&["carol", "bob"]), group.subject()),
        ),
    ];
    for (sources, expected) in cases {
        let [id, other] = [ids.next(), ids.next()].map(EventId::from_uuid);
        let (mut tx, audience) = (store.write().await?, Audience(sources.clone()));
        tx.write_events()?.insert_audience(id, &audience).await?;
        tx.commit().await?;
        let mut tx = store.read().await?;
        let written = tx.read_events()?.event_audience(id).await?;
        let count = written.len();
        let written: BTreeSet<Subject> = written.into_iter().collect();
        assert_eq!(written.len(), count, "each once");
        tells(&*store, [id, other], &expected).await?;
        assert_eq!(written, expected.into_iter().collect(), "{sources:?}");
    }
    Ok(())
}

/// The first of two events is told to each subject of its audience, and the other one to nobody.
async fn tells(store: &dyn Store, events: [EventId; 2], audience: &[Subject]) -> StoreResult<()> {
    let mut tx = store.read().await?;
    let eve = holder("eve");
    for subject in audience {
        let subjects = Subjects::new(vec![eve.clone(), subject.clone()]);
        let told = tx.read_events()?.events_told(&events, &subjects).await?;
        assert_eq!(told, events[..1], "{subject}");
    }
    let all = Subjects::new(audience.to_vec());
    let told = tx.read_events()?.events_told(&events, &all).await?;
    assert_eq!(told.len(), usize::from(!audience.is_empty()), "each once");
    for subjects in [vec![eve], vec![]] {
        let subjects = Subjects::new(subjects);
        assert_eq!(tx.read_events()?.events_told(&events, &subjects).await?, []);
    }
    Ok(())
}

/// Deleting events deletes their audiences only.
pub async fn audiences_go_with_their_events(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let group = ids.group("a group").id;
    let events = [0, 1].map(|_| ids.event(to_group(EventType::GroupDeleted, group)));
    append(&*store, &events).await?;
    place(&*store).await?;
    let audience = Audience(vec![AudienceSource::Subject(holder("ann"))]);
    let mut tx = store.write().await?;
    for event in &events {
        tx.write_events()?
            .insert_audience(event.id, &audience)
            .await?;
    }
    tx.commit().await?;
    let mut tx = store.write().await?;
    let later = now().saturating_add(Duration::from_secs(1));
    assert_eq!(tx.write_events()?.delete_events(later, 1).await?, 1);
    tx.commit().await?;
    let mut tx = store.read().await?;
    assert_eq!(tx.read_events()?.event_audience(events[0].id).await?, []);
    assert_eq!(
        tx.read_events()?.event_audience(events[1].id).await?,
        [holder("ann")]
    );
    Ok(())
}

/// A reset changes the epoch and nothing else.
pub async fn a_reset_log_has_another_epoch(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let group = ids.group("a group").id;
    let before = store.read().await?.read_events()?.event_log().await?;
    assert_eq!((before.epoch, before.last, before.purged_to), (0, 0, 0));
    append(
        &*store,
        &[ids.event(to_group(EventType::GroupCreated, group))],
    )
    .await?;
    place(&*store).await?;
    let mut tx = store.write().await?;
    tx.write_events()?.set_event_epoch(-5).await?;
    tx.commit().await?;
    let after = store.read().await?.read_events()?.event_log().await?;
    assert_eq!((after.epoch, after.last, after.purged_to), (-5, 1, 0));
    Ok(())
}

async fn lease(tx: &mut dyn WriteTx, by: u128, at: u64, until: u64) -> StoreResult<Option<i64>> {
    let later = |seconds| now().saturating_add(Duration::from_secs(seconds));
    let times = (later(at), later(until));
    let place = tx
        .write_events()?
        .lease_event_subscription("a reader", Uuid::from_u128(by), times)
        .await?;
    Ok(place.map(|place| place.position))
}

/// A subscription has one holder at a time, until the lease ends, is given up, or the subscription is deleted.
pub async fn subscriptions_have_one_holder(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut tx = store.write().await?;
    assert_eq!(lease(&mut *tx, 1, 0, 10).await?, Some(0));
    assert_eq!(lease(&mut *tx, 2, 9, 20).await?, None, "another holds it");
    assert_eq!(lease(&mut *tx, 1, 9, 15).await?, Some(0), "renewed");
    assert_eq!(lease(&mut *tx, 2, 14, 30).await?, None, "renewed");
    assert_eq!(lease(&mut *tx, 2, 15, 30).await?, Some(0), "it has ended");
    let first = Uuid::from_u128(1);
    tx.write_events()?
        .release_event_subscription("a reader", first)
        .await?;
    assert_eq!(lease(&mut *tx, 1, 16, 40).await?, None, "not the holder");
    let second = Uuid::from_u128(2);
    tx.write_events()?
        .release_event_subscription("a reader", second)
        .await?;
    assert_eq!(lease(&mut *tx, 1, 16, 40).await?, Some(0), "given up");
    let listed = tx.read_events()?.event_subscriptions().await?;
    let listed: Vec<_> = listed
        .iter()
        .map(|row| (row.name.as_str(), row.position, row.is_of_earlier_epoch))
        .collect();
    assert_eq!(listed, [("a reader", 0, false)]);
    assert!(
        tx.write_events()?
            .delete_event_subscription("a reader")
            .await?
    );
    assert!(
        !tx.write_events()?
            .delete_event_subscription("a reader")
            .await?
    );
    assert_eq!(lease(&mut *tx, 2, 17, 40).await?, Some(0), "a new one");
    tx.commit().await
}

/// Only the holder moves a subscription, which keeps its place; a new one begins at the oldest event.
pub async fn subscriptions_keep_their_place(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let group = ids.group("a group").id;
    let events = [0, 1, 2].map(|_| ids.event(to_group(EventType::GroupUpdated, group)));
    append(&*store, &events).await?;
    place(&*store).await?;
    let mut tx = store.write().await?;
    let later = now().saturating_add(Duration::from_secs(1));
    tx.write_events()?.delete_events(later, 1).await?;
    assert_eq!(lease(&mut *tx, 1, 0, 10).await?, Some(1));
    let moved = |epoch, position| EventPlace { epoch, position };
    let (first, second) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let name = "a reader";
    assert!(
        tx.write_events()?
            .move_event_subscription(name, first, moved(0, 3))
            .await?
    );
    assert!(
        !tx.write_events()?
            .move_event_subscription(name, second, moved(0, 2))
            .await?
    );
    assert_eq!(lease(&mut *tx, 2, 10, 20).await?, Some(3));
    tx.write_events()?.set_event_epoch(7).await?;
    let listed = tx.read_events()?.event_subscriptions().await?;
    assert!(listed.iter().all(|row| row.is_of_earlier_epoch));
    assert!(
        tx.write_events()?
            .move_event_subscription(name, second, moved(7, 2))
            .await?
    );
    let listed = tx.read_events()?.event_subscriptions().await?;
    assert!(listed.iter().all(|row| !row.is_of_earlier_epoch));
    assert_eq!(
        listed.iter().map(|row| row.position).collect::<Vec<_>>(),
        [2]
    );
    tx.commit().await
}

/// The submissions that the events are about, in order.
pub(super) fn submissions_of(events: &[Event]) -> Vec<Uuid> {
    let of = |event: &Event| match &event.data {
        EventData::Submission { submission, .. } => Some(submission.as_uuid()),
        _ => None,
    };
    events.iter().filter_map(of).collect()
}
