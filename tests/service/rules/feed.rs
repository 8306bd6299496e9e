use std::sync::Arc;
use std::time::Duration;

use formalize_core::{
    Action, Caller, DynamicGroupId, FormId, Member, NewMembership, ResourceRef, Result, Store,
    Subject, SubmissionChange, SubmissionId, SubmissionRules, SubmissionState, UuidV7Source,
    events::{EventFilter, EventItem, EventType, FeedPage, FeedRequest, FeedStart, NewEvent},
    forms::SubmittedAction,
    links::NewFormLink,
    submissions::RequestedState,
};
use formalize_tests::on_every_store;
use formalize_tests::world::{
    World, action, holder, new_form, new_grant, new_submission, thing, user, user_id,
};

use super::{SYSTEM, fails};

on_every_store! {
    what_exists_is_shown_to_its_readers,
    drafts_are_shown_to_their_readers_only,
    the_end_of_a_submission_is_shown_to_those_who_could_read_it,
    the_end_of_all_submissions_is_shown_to_those_who_could_read_one,
    the_end_of_other_records_is_shown_to_those_who_could_read_them,
    the_end_of_a_membership_is_shown_to_the_member,
    the_end_of_a_grant_is_shown_to_its_holder,
    permissions_are_those_of_now,
    links_see_nothing,
    pages_follow_each_other,
    a_page_ends_after_many_invisible_events,
    cursors_of_the_feed_are_bound_to_caller_and_filter,
    a_cursor_expires_with_the_events_behind_it,
    records_are_those_that_reading_returns,
    large_records_end_a_page,
}

const EVERYTHING: EventFilter = EventFilter {
    form: None,
    types: Vec::new(),
};

async fn page(world: &World, caller: &Caller, request: &FeedRequest) -> Result<FeedPage> {
    world.events().list(caller, &EVERYTHING, request).await
}

fn behind(cursor: &str, limit: u32) -> FeedRequest {
    FeedRequest {
        start: FeedStart::Cursor(cursor.to_owned()),
        limit,
        with_items: false,
        ..FeedRequest::default()
    }
}

async fn now(world: &World, caller: &Caller) -> String {
    let request = FeedRequest {
        start: FeedStart::Now,
        ..FeedRequest::default()
    };
    let page = page(world, caller, &request).await.unwrap();
    assert!(page.events.is_empty() && !page.has_more);
    page.next
}

/// The types of the events that a caller sees in the whole log, in order.
async fn seen(world: &World, caller: &Caller) -> String {
    let page = page(world, caller, &FeedRequest::default()).await.unwrap();
    assert!(!page.has_more);
    let types = page.events.iter().map(|shown| shown.event.event_type);
    types.map(EventType::as_str).collect::<Vec<_>>().join(" ")
}

/// The same of several users, and of the ones who see nothing of it.
async fn each_sees(world: &World, expected: &[(&str, &str)]) {
    for (name, types) in expected {
        assert_eq!(seen(world, &user(name)).await, *types, "{name}");
    }
}

/// Forgets what happened so far, so that the log has only what follows.
async fn forget(world: &World) {
    world.wait(Duration::from_secs(1));
    world
        .events()
        .purge(Duration::from_millis(1))
        .await
        .unwrap();
}

fn rules(grant_based: bool, allowed: &[SubmittedAction]) -> SubmissionRules {
    SubmissionRules {
        grant_based,
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        allowed_actions_when_submitted: allowed.iter().copied().collect(),
        ..SubmissionRules::default()
    }
}

/// A form that `reader` may read, whose submissions `all` may read and which `owner` manages.
async fn form(world: &World, rules: SubmissionRules) -> FormId {
    let form = world.form(rules).await;
    let resource = ResourceRef::form(form);
    let collection = ResourceRef::submission_collection(form);
    world.grant_to("reader", &Action::READ, &resource).await;
    world.grant_to("all", &Action::READ, &collection).await;
    world.grant_to("owner", &Action::MANAGE, &resource).await;
    form
}

async fn submit(world: &World, submission: SubmissionId) {
    let change = SubmissionChange {
        state: RequestedState::Known(SubmissionState::Submitted),
        ..SubmissionChange::default()
    };
    let submissions = world.submissions();
    submissions
        .update(SYSTEM, submission, change)
        .await
        .unwrap();
}

async fn what_exists_is_shown_to_its_readers(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = form(world, rules(true, &[SubmittedAction::Read])).await;
    forget(world).await;
    let state = SubmissionState::Submitted;
    let submission = world.submission("ann", form, state).await;
    let itself = ResourceRef::submission(submission);
    world.grant_to("bob", &Action::UPDATE, &itself).await;
    let group = world.group("a").await;
    let readers = world.group("readers").await;
    world.member(readers, "carl").await;
    let of_group = ResourceRef::group(group);
    world.grant(&readers.into(), &Action::READ, &of_group).await;
    world.member(group, "dora").await;
    let manual = world.thing("manual").await;
    let everybody = Subject::from(DynamicGroupId::EVERYBODY);
    world.grant(&everybody, &action("write"), &manual).await;
    let of_everybody = "resource.registered grant.created";
    let submitted = "submission.submitted";
    each_sees(
        world,
        &[
            ("eve", of_everybody),
            ("ann", &format!("{submitted} grant.deleted {of_everybody}")),
            // The grant to update it does not include reading it.
            ("bob", &format!("grant.created {of_everybody}")),
            (
                "carl",
                &format!("group.created grant.created member.added {of_everybody}"),
            ),
            ("dora", of_everybody),
            ("all", &format!("{submitted} {of_everybody}")),
            // Managing the form does not include sharing its submissions.
            (
                "owner",
                &format!("{submitted} grant.deleted {of_everybody}"),
            ),
            ("reader", of_everybody),
        ],
    )
    .await;
    let everything = format!(
        "{submitted} grant.deleted grant.created group.created group.created member.added grant.created \
         member.added {of_everybody}"
    );
    let all = seen(world, SYSTEM).await;
    assert_eq!(all, everything);
}

async fn drafts_are_shown_to_their_readers_only(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    for grant_based in [false, true] {
        let form = form(world, rules(grant_based, &[])).await;
        let draft = SubmissionState::Draft;
        let submission = world.submission("ann", form, draft).await;
        if grant_based {
            let itself = ResourceRef::submission(submission);
            world.grant_to("bob", &Action::READ, &itself).await;
        }
        forget(world).await;
        let update = SubmissionChange {
            state: RequestedState::Known(draft),
            ..SubmissionChange::default()
        };
        let submissions = world.submissions();
        submissions
            .update(SYSTEM, submission, update)
            .await
            .unwrap();
        let bob = if grant_based { "draft.updated" } else { "" };
        each_sees(
            world,
            &[
                ("ann", "draft.updated"),
                ("bob", bob),
                ("all", ""),
                ("owner", ""),
            ],
        )
        .await;

        // Once submitted, those who may read all submissions learn of that, and not of what the draft was.
        submit(world, submission).await;
        each_sees(
            world,
            &[
                ("ann", "draft.updated"),
                ("bob", bob),
                ("all", "submission.submitted"),
                ("owner", "submission.submitted"),
            ],
        )
        .await;
        let with_items = FeedRequest {
            with_items: true,
            ..FeedRequest::default()
        };
        let shown = page(world, &user("ann"), &with_items).await.unwrap();
        assert_eq!(
            shown.events[0].item, None,
            "the form does not allow to read it"
        );

        // The end of a draft.
        let other = world.submission("ann", form, draft).await;
        forget(world).await;
        submissions.delete(SYSTEM, other).await.unwrap();
        each_sees(
            world,
            &[
                ("ann", "draft.deleted"),
                ("bob", ""),
                ("all", ""),
                ("owner", ""),
            ],
        )
        .await;
    }
}

async fn the_end_of_a_submission_is_shown_to_those_who_could_read_it(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let submitted = SubmissionState::Submitted;
    for (allowed, ann) in [
        (&[SubmittedAction::Read][..], "submission.deleted"),
        (&[], ""),
    ] {
        let form = form(world, rules(false, allowed)).await;
        let submission = world.submission("ann", form, submitted).await;
        forget(world).await;
        submit(world, submission).await;
        world
            .submissions()
            .delete(SYSTEM, submission)
            .await
            .unwrap();
        let everyone = "submission.deleted";
        let expected = [
            ("ann", ann),
            ("all", everyone),
            ("owner", everyone),
            ("reader", ""),
            ("eve", ""),
        ];
        each_sees(world, &expected).await;
        assert_eq!(
            seen(world, SYSTEM).await,
            everyone,
            "its update is overtaken"
        );
        world.forms().delete(SYSTEM, form).await.unwrap();
        let expected = [
            ("ann", ann),
            ("all", "form.deleted"),
            ("reader", "form.deleted"),
        ];
        each_sees(world, &expected).await;
    }
}

async fn the_end_of_all_submissions_is_shown_to_those_who_could_read_one(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    for grant_based in [false, true] {
        let form = form(world, rules(grant_based, &[SubmittedAction::Read])).await;
        let submission = world
            .submission("ann", form, SubmissionState::Submitted)
            .await;
        if grant_based {
            let itself = ResourceRef::submission(submission);
            world.grant_to("bob", &Action::READ, &itself).await;
        }
        forget(world).await;
        world.submissions().delete_all(SYSTEM, form).await.unwrap();
        let bob = if grant_based { "form.cleared" } else { "" };
        let cleared = "form.cleared";
        let expected = [
            ("ann", cleared),
            ("bob", bob),
            ("all", cleared),
            ("reader", cleared),
            ("eve", ""),
        ];
        each_sees(world, &expected).await;

        // The submissions were gone before the form, so only their end says it to their readers.
        world.forms().delete(SYSTEM, form).await.unwrap();
        let deleted = "form.deleted";
        let expected = [
            ("ann", cleared),
            ("bob", bob),
            ("all", deleted),
            ("owner", deleted),
            ("eve", ""),
        ];
        each_sees(world, &expected).await;
    }
}

async fn the_end_of_other_records_is_shown_to_those_who_could_read_them(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let group = world.group("a").await;
    let readers = world.group("readers").await;
    let carl = world.member(readers, "carl").await;
    let of_group = ResourceRef::group(group);
    world.grant(&readers.into(), &Action::READ, &of_group).await;
    let manual = world.thing("manual").await;
    world.grant_to("dora", &action("write"), &manual).await;
    forget(world).await;
    world.groups().delete(SYSTEM, group).await.unwrap();
    world.resources().deregister(SYSTEM, &manual).await.unwrap();
    let expected = [
        ("carl", "group.deleted"),
        ("dora", "resource.deregistered"),
        ("eve", ""),
    ];
    each_sees(world, &expected).await;

    // Whoever leaves the group of readers does not belong to the audience any more, and whoever joins it does.
    world.memberships().delete(SYSTEM, carl).await.unwrap();
    world.member(readers, "eve").await;
    each_sees(
        world,
        &[("carl", "member.removed"), ("eve", "group.deleted")],
    )
    .await;

    // A resource that is registered again is another one.
    world.thing("manual").await;
    world.grant_to("fay", &action("write"), &manual).await;
    each_sees(world, &[("fay", "resource.registered grant.created")]).await;
    world.resources().deregister(SYSTEM, &manual).await.unwrap();
    world.thing("manual").await;
    world.grant_to("gus", &action("write"), &manual).await;
    each_sees(world, &[("gus", "resource.registered grant.created")]).await;
}

async fn the_end_of_a_membership_is_shown_to_the_member(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let (group, child) = (world.group("a").await, world.group("b").await);
    world
        .grant_to("owner", &Action::MANAGE, &ResourceRef::group(group))
        .await;
    let (ann, nested) = (
        world.member(group, "ann").await,
        world.nest(group, child).await,
    );
    world.member(child, "bob").await;
    forget(world).await;
    for membership in [ann, nested] {
        world
            .memberships()
            .delete(SYSTEM, membership)
            .await
            .unwrap();
    }
    let expected = [
        ("ann", "member.removed"),
        ("bob", ""),
        ("owner", "member.removed member.removed"),
        ("eve", ""),
    ];
    each_sees(world, &expected).await;
}

async fn the_end_of_a_grant_is_shown_to_its_holder(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = form(world, rules(false, &[])).await;
    let resource = ResourceRef::form(form);
    let readers = world.group("readers").await;
    world.member(readers, "carl").await;
    let grants = [
        world.grant_to("ann", &Action::READ, &resource).await,
        world.grant(&readers.into(), &Action::READ, &resource).await,
    ];
    forget(world).await;
    for grant in grants {
        world.grants().delete(SYSTEM, grant).await.unwrap();
    }
    let expected = [
        ("ann", "grant.deleted"),
        ("carl", "grant.deleted"),
        ("owner", "grant.deleted grant.deleted"),
        ("reader", ""),
        ("eve", ""),
    ];
    each_sees(world, &expected).await;
    world.forms().delete(SYSTEM, form).await.unwrap();
    let expected = [("ann", "grant.deleted"), ("owner", "form.deleted")];
    each_sees(world, &expected).await;
}

async fn permissions_are_those_of_now(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = world.form(rules(false, &[])).await;
    world
        .submission("ann", form, SubmissionState::Submitted)
        .await;
    each_sees(world, &[("bob", "")]).await;
    let submissions = ResourceRef::submission_collection(form);
    let grant = world.grant_to("bob", &Action::READ, &submissions).await;
    each_sees(world, &[("bob", "submission.submitted grant.created")]).await;
    world.grants().delete(SYSTEM, grant).await.unwrap();
    each_sees(world, &[("bob", "grant.deleted")]).await;
}

async fn links_see_nothing(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = world.form(rules(false, &[SubmittedAction::Read])).await;
    let (link, _) = world
        .links()
        .create(SYSTEM, NewFormLink::to(form))
        .await
        .unwrap();
    let caller = link.caller();
    let everybody = DynamicGroupId::EVERYBODY.into();
    let of_form = ResourceRef::form(form);
    world.grant(&everybody, &Action::READ, &of_form).await;
    let new = new_submission(form, "{}", SubmissionState::Submitted);
    world.submissions().create(&caller, new).await.unwrap();
    world.submissions().delete_all(SYSTEM, form).await.unwrap();
    assert_eq!(seen(world, &caller).await, "");
}

async fn pages_follow_each_other(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = form(world, rules(false, &[SubmittedAction::Read])).await;
    for creator in ["ann", "bob", "ann", "ann"] {
        world
            .submission(creator, form, SubmissionState::Submitted)
            .await;
    }
    let ann = user("ann");
    let whole = page(world, &ann, &FeedRequest::default()).await.unwrap();
    assert!(!whole.has_more);
    let mut request = FeedRequest {
        limit: 1,
        ..FeedRequest::default()
    };
    let mut events = Vec::new();
    loop {
        let page = page(world, &ann, &request).await.unwrap();
        assert!(page.events.len() <= 1);
        let position = page
            .events
            .last()
            .map_or(page.position, |last| last.event.sequence);
        assert!(page.position >= position);
        if let Some(last) = page.events.last() {
            assert_eq!(
                last.cursor, page.next,
                "the page ends behind its last event"
            );
        }
        events.extend(page.events);
        request = behind(&page.next, 1);
        if !page.has_more {
            break;
        }
    }
    assert_eq!(events, whole.events);
    assert_eq!(
        events
            .iter()
            .filter(|shown| shown.event.event_type == EventType::SubmissionSubmitted)
            .count(),
        3
    );
    let again = behind(&events[0].cursor, 100);
    let rest = page(world, &ann, &again).await.unwrap();
    assert_eq!(rest.events[..], whole.events[1..]);
    assert_eq!(
        page(world, &ann, &behind(&rest.next, 100))
            .await
            .unwrap()
            .events,
        []
    );
}

/// Appends events about a group that does not exist.
async fn many_events(world: &World, number: usize) {
    let ids = UuidV7Source::new();
    let now = formalize_core::Clock::now(&*world.clock);
    let mut tx = world.store().write().await.unwrap();
    for _ in 0..number {
        let event = NewEvent {
            id: formalize_core::events::EventId::from_uuid(ids.next(now)),
            timestamp: now,
            event_type: EventType::GroupUpdated,
            data: formalize_core::events::EventData::Group {
                group: formalize_core::GroupId::from_uuid(ids.next(now)),
            },
        };
        tx.write_events()
            .unwrap()
            .append_event(&event)
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
}

async fn a_page_ends_after_many_invisible_events(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    many_events(world, 10_001).await;
    let (ann, request) = (user("ann"), FeedRequest::default());
    let manual = world.thing("manual").await;
    world.grant_to("ann", &action("write"), &manual).await;
    let first = page(world, &ann, &request).await.unwrap();
    assert_eq!(
        (first.events.len(), first.position, first.has_more),
        (0, 10_000, true)
    );
    let second = page(world, &ann, &behind(&first.next, 100)).await.unwrap();
    assert_eq!((second.events.len(), second.has_more), (2, false));
    let of_grants = EventFilter {
        types: vec![EventType::GrantCreated],
        ..EVERYTHING
    };
    let filtered = world
        .events()
        .list(&ann, &of_grants, &request)
        .await
        .unwrap();
    assert_eq!((filtered.position, filtered.has_more), (10_000, true));
}

async fn cursors_of_the_feed_are_bound_to_caller_and_filter(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let (ann, bob) = (user("ann"), user("bob"));
    let cursor = now(world, &ann).await;
    page(world, &ann, &behind(&cursor, 10)).await.unwrap();
    fails(
        page(world, &bob, &behind(&cursor, 10)).await,
        "InvalidCursor",
    );
    fails(
        page(world, SYSTEM, &behind(&cursor, 10)).await,
        "InvalidCursor",
    );
    let types = |types: &[EventType]| EventFilter {
        types: types.to_vec(),
        form: Some(form),
    };
    let (one, both) = (
        types(&[EventType::FormCreated]),
        types(&[EventType::FormDeleted, EventType::FormCreated]),
    );
    let request = behind(&cursor, 10);
    for filter in [&one, &both] {
        fails(
            world.events().list(&ann, filter, &request).await,
            "InvalidCursor",
        );
    }
    let of_both = world
        .events()
        .list(&ann, &both, &FeedRequest::default())
        .await;
    let request = behind(&of_both.unwrap().next, 10);
    // The order of types, and whether records are asked for, change nothing about what is behind.
    let reversed = types(&[EventType::FormCreated, EventType::FormDeleted]);
    let with_items = FeedRequest {
        with_items: true,
        ..request.clone()
    };
    world
        .events()
        .list(&ann, &reversed, &with_items)
        .await
        .unwrap();
    fails(
        world.events().list(&ann, &one, &request).await,
        "InvalidCursor",
    );
    let mut forged = cursor.clone();
    forged.replace_range(
        31..32,
        if cursor.as_bytes()[31] == b'0' {
            "1"
        } else {
            "0"
        },
    );
    for forged in ["", "0", "x", &forged, &cursor[1..]] {
        fails(
            page(world, &ann, &behind(forged, 10)).await,
            "InvalidCursor",
        );
    }
}

async fn a_cursor_expires_with_the_events_behind_it(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    world.group("a").await;
    let ann = user("ann");
    let cursor = now(world, &ann).await;
    world.group("b").await;
    world.group("c").await;
    let later = now(world, &ann).await;
    forget(world).await;
    fails(
        page(world, &ann, &behind(&cursor, 10)).await,
        "EventsExpired",
    );
    page(world, &ann, &behind(&later, 10)).await.unwrap();
    world.events().reset().await.unwrap();
    fails(
        page(world, &ann, &behind(&later, 10)).await,
        "EventsExpired",
    );
}

async fn records_are_those_that_reading_returns(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = form(world, rules(true, &[SubmittedAction::Manage])).await;
    let of_form = ResourceRef::form(form);
    world.grant_to("ann", &Action::MANAGE, &of_form).await;
    forget(world).await;
    let ann = &user("ann");
    let new = new_form("f", SubmissionRules::default());
    let other = world.forms().create(SYSTEM, new).await.unwrap().item.id;
    world
        .grant_to("ann", &Action::READ, &ResourceRef::form(other))
        .await;
    let new = new_submission(form, r#"{"a": 1}"#, SubmissionState::Submitted);
    let submission = world.submissions().create(ann, new).await.unwrap().item.id;
    let group = world.group("a").await;
    world
        .grant_to("ann", &Action::MANAGE, &ResourceRef::group(group))
        .await;
    let new = NewMembership {
        group,
        member: Member::User(user_id("bob")),
    };
    let member = world.memberships().create(SYSTEM, new).await.unwrap().id;
    let new = new_grant(&holder("bob"), &Action::READ, &of_form);
    let grant = world.grants().create(SYSTEM, new).await.unwrap().item.id;
    let (resources, owner) = (world.resources(), user_id("ann"));
    let registered = resources
        .register(SYSTEM, thing("manual"), Some(&owner))
        .await;
    let record = registered.unwrap().id;
    let with_items = FeedRequest {
        with_items: true,
        ..FeedRequest::default()
    };
    let items = async || {
        let page = page(world, ann, &with_items).await.unwrap();
        let events = page.events.into_iter();
        events
            .map(|shown| (shown.event.event_type, shown.item))
            .collect::<Vec<_>>()
    };
    let shown = items().await;
    assert!(shown.iter().all(|(_, item)| item.is_some()), "{shown:?}");
    let expected = [
        EventItem::Form(world.forms().get(ann, other).await.unwrap()),
        EventItem::Submission(world.submissions().get(ann, submission).await.unwrap()),
        EventItem::Group(world.groups().get(ann, group).await.unwrap()),
        EventItem::Membership(world.memberships().get(ann, member).await.unwrap()),
        EventItem::Grant(world.grants().get(ann, grant).await.unwrap()),
        EventItem::Resource(world.resources().get(ann, record).await.unwrap()),
    ];
    for expected in expected {
        let mut shown = shown.iter();
        assert!(
            shown.any(|(_, item)| item.as_ref() == Some(&expected)),
            "{expected:?}"
        );
    }

    world
        .submissions()
        .delete(SYSTEM, submission)
        .await
        .unwrap();
    world.grants().delete(SYSTEM, grant).await.unwrap();
    let gone = [EventType::SubmissionDeleted, EventType::GrantDeleted];
    let shown = items().await;
    for event_type in gone {
        assert!(shown.contains(&(event_type, None)), "{event_type}");
    }
}

async fn large_records_end_a_page(store: Arc<dyn Store>) {
    let world = &World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let large = format!(r#"{{"a": "{}"}}"#, "x".repeat(1_000_000));
    for _ in 0..10 {
        let new = new_submission(form, &large, SubmissionState::Submitted);
        world.submissions().create(SYSTEM, new).await.unwrap();
    }
    let with_items = FeedRequest {
        with_items: true,
        ..FeedRequest::default()
    };
    let first = page(world, SYSTEM, &with_items).await.unwrap();
    assert_eq!((first.events.len(), first.has_more), (1 + 9, true));
    let rest = FeedRequest {
        start: FeedStart::Cursor(first.next),
        ..with_items
    };
    let rest = page(world, SYSTEM, &rest).await.unwrap();
    assert_eq!((rest.events.len(), rest.has_more), (1, false));
    assert_eq!(rest.events[0].event.sequence, 11);
}
