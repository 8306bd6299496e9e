use std::sync::Arc;

use formalize_core::{
    Action, Actions, DynamicGroupId, Field, Grant, GrantId, GroupId, NewGrant, ResourceClass,
    ResourceFilter, ResourceId, ResourceRef, Store, Subject, SubmissionRules, SubmissionState,
    Viewed,
    authorization::{NamedGrantee, NamedResource},
};
use formalize_tests::on_every_store;
use formalize_tests::world::{
    Setup, THING, World, action, class, dynamic_group, everything, holder, new_grant, user,
    user_with,
};

use super::{SYSTEM, fails};

on_every_store! {
    the_last_manager_of_an_item_cannot_be_removed,
    manage_grants_of_all_holders_count,
    collections_need_no_manager,
    holders_read_their_grants_and_managers_delete_them,
    lists_show_which_grants_can_be_deleted,
    malformed_requests_are_rejected_before_existence_is_checked,
    existence_is_checked_before_permission,
    conflicts_with_the_record_are_checked_after_permission,
    resource_identifiers_are_compared_exactly,
    grants_to_a_removed_dynamic_group_have_no_effect,
    manage_on_a_collection_does_not_extend_to_items,
    both_submission_classes_are_equivalent,
}

async fn the_last_manager_of_an_item_cannot_be_removed(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world
        .form(SubmissionRules {
            grant_based: true,
            ..SubmissionRules::default()
        })
        .await;
    let submission = world
        .submission("carol", form, SubmissionState::Submitted)
        .await;
    let items = [
        ResourceRef::group(world.group("Group").await),
        ResourceRef::form(form),
        world.thing("thing").await,
    ];
    for item in items {
        let first = world.grant_to("alice", &Action::MANAGE, &item).await;
        let other = world.grant_to("bob", &Action::MANAGE, &item).await;
        let grants = world.grants();
        grants.delete(&user("alice"), first).await.unwrap();
        fails(grants.delete(&user("bob"), other).await, "LastManageGrant");
        fails(grants.delete(SYSTEM, other).await, "LastManageGrant");
        fails(grants.delete(&user("alice"), other).await, "Forbidden");
        assert!(grants.get(&user("bob"), other).await.is_ok());
    }
    let resource = ResourceRef::submission(submission);
    let own = only_grant_on(&world, &resource).await;
    fails(world.grants().delete(SYSTEM, own).await, "LastManageGrant");
    world
        .submissions()
        .delete(SYSTEM, submission)
        .await
        .unwrap();
    fails(world.grants().get(SYSTEM, own).await, "GrantNotFound");
}

async fn only_grant_on(world: &World, resource: &ResourceRef) -> GrantId {
    let filter = ResourceFilter::of(resource.clone());
    let page = world.grants().list(SYSTEM, &filter, &everything()).await;
    let page = page.unwrap();
    assert_eq!(page.items.len(), 1);
    page.items[0].item.id
}

async fn manage_grants_of_all_holders_count(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let thing = world.thing("thing").await;
    let own = world.grant_to("alice", &Action::MANAGE, &thing).await;
    let read = world.grant_to("bob", &action("write"), &thing).await;
    let grants = world.grants();
    fails(grants.delete(SYSTEM, own).await, "LastManageGrant");
    grants.delete(&user("alice"), read).await.unwrap();
    let empty = Subject::Group(world.group("Nobody in it").await);
    world.grant(&empty, &Action::MANAGE, &thing).await;
    grants.delete(&user("alice"), own).await.unwrap();
}

async fn collections_need_no_manager(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let collections = ResourceClass::BUILT_IN
        .into_iter()
        .chain([class(THING)])
        .map(ResourceRef::collection)
        .chain([ResourceRef::submission_collection(form)]);
    for collection in collections {
        let only = world.grant_to("alice", &Action::MANAGE, &collection).await;
        world.grants().delete(&user("alice"), only).await.unwrap();
    }
}

async fn holders_read_their_grants_and_managers_delete_them(store: Arc<dyn Store>) {
    let setup = Setup::default().dynamic_group("staff", "user.attributes.staff");
    let world = World::with(store, setup).await;
    let (outer, inner) = (world.group("Outer").await, world.group("Inner").await);
    world.nest(outer, inner).await;
    world.member(inner, "nested").await;
    let thing = world.thing("thing").await;
    world.grant_to("manager", &Action::MANAGE, &thing).await;
    let staff = user_with("staff", "staff", true);
    let holders = [
        (holder("direct"), user("direct")),
        (Subject::Group(outer), user("nested")),
        (Subject::DynamicGroup(dynamic_group("staff")), staff),
        (
            Subject::DynamicGroup(DynamicGroupId::EVERYBODY),
            user("anybody"),
        ),
    ];
    for (subject, caller) in holders {
        let grant = world.grant(&subject, &action("write"), &thing).await;
        let grants = world.grants();
        let filter = ResourceFilter::default();
        let mine = grants.list(&caller, &filter, &everything()).await.unwrap();
        let mine: Vec<GrantId> = mine.items.iter().map(|it| it.item.id).collect();
        assert_eq!(mine, [grant]);
        let read = grants.get(&caller, grant).await.unwrap();
        assert_eq!(read.granted_actions, Actions::default());
        assert_eq!(read.item.resource.resource, thing);
        fails(grants.delete(&caller, grant).await, "Forbidden");
        let of_manager = grants.get(&user("manager"), grant).await.unwrap();
        assert!(of_manager.granted_actions.iter().eq([&Action::DELETE]));
        let outsider = grants.get(&user("outsider"), grant).await;
        let is_for_all = subject == Subject::DynamicGroup(DynamicGroupId::EVERYBODY);
        assert_eq!(outsider.is_ok(), is_for_all);
        grants.delete(&user("manager"), grant).await.unwrap();
        fails(
            grants.delete(&user("manager"), grant).await,
            "GrantNotFound",
        );
    }
}

async fn lists_show_which_grants_can_be_deleted(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let mut made = Vec::new();
    for what in ["write", "manage", "write"] {
        let thing = world.thing(&format!("thing {}", made.len())).await;
        made.push(world.grant(&holder("alice"), &action(what), &thing).await);
    }
    let (alice, filter) = (user("alice"), ResourceFilter::default());
    let list = world.grants().list(&alice, &filter, &everything()).await;
    let listed: Vec<_> = list.unwrap().items;
    let ids: Vec<GrantId> = listed.iter().map(|it| it.item.id).collect();
    assert_eq!(ids, made);
    let deletable = |view: &Viewed<Grant>| view.granted_actions.iter().eq([&Action::DELETE]);
    let each: Vec<bool> = listed.iter().map(deletable).collect();
    assert_eq!(each, [false, true, false]);
    for view in listed {
        let read = world.grants().get(&alice, view.item.id).await.unwrap();
        assert_eq!(read, view);
    }
}

fn requested(action: &str, subject: Subject, resource: NamedResource) -> NewGrant {
    NewGrant {
        subject,
        action: formalize_tests::world::action(action),
        resource,
    }
}

fn named(class: &str, identifier: Option<&str>) -> NamedResource {
    NamedResource {
        class: Some(class.to_owned()),
        identifier: identifier.map(str::to_owned),
        record: None,
    }
}

#[test]
fn a_request_names_an_action_a_holder_and_a_resource() {
    let holder = || NamedGrantee {
        user: Some("alice".to_owned()),
        ..NamedGrantee::default()
    };
    let refused = |action: Option<&str>, holder, resource, error| {
        let action = action.map(str::to_owned);
        fails(NewGrant::from_request(action, holder, resource), error);
    };
    let thing = || named(THING, Some("thing"));
    refused(None, holder(), thing(), "InvalidGrant(ActionMissing)");
    refused(Some(""), holder(), thing(), "InvalidGrant(ActionMissing)");
    refused(
        Some("a\nb"),
        holder(),
        thing(),
        "InvalidGrant(ActionUndefined)",
    );
    refused(
        Some("write"),
        NamedGrantee::default(),
        thing(),
        "InvalidGrant(Holder([UserIdentifier, GroupIdentifier, DynamicGroupIdentifier]))",
    );
    let both = NamedGrantee {
        dynamic_group: Some("everybody".to_owned()),
        ..holder()
    };
    let error = "InvalidGrant(Holder([UserIdentifier, DynamicGroupIdentifier]))";
    refused(Some("write"), both, thing(), error);
    let impossible = NamedGrantee {
        user: Some(String::new()),
        ..NamedGrantee::default()
    };
    let error = "InvalidGrant(Holder([UserIdentifier]))";
    refused(Some("write"), impossible, thing(), error);
    let impossible = NamedGrantee {
        dynamic_group: Some(String::new()),
        ..NamedGrantee::default()
    };
    refused(
        Some("write"),
        impossible,
        thing(),
        "InvalidGrant(DynamicGroupUndefined)",
    );
    let malformed = NamedGrantee {
        group: Some("Editors".to_owned()),
        ..NamedGrantee::default()
    };
    // Whether there is such a group is asked later.
    refused(
        Some("write"),
        malformed,
        NamedResource::default(),
        "InvalidGrant(Resource([ResourceClass, AuthorizationResourceIdentifier]))",
    );
    assert_eq!(Field::ResourceClass.as_str(), "resourceClass");
}

async fn malformed_requests_are_rejected_before_existence_is_checked(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let stranger = user("stranger");
    let create = async |action, subject: Subject, resource| {
        let new = requested(action, subject, resource);
        world.grants().create(&stranger, new).await
    };
    let alice = || holder("alice");
    let undefined = "InvalidGrant(ActionUndefined)";
    fails(
        create("fly", alice(), named(THING, Some("none"))).await,
        undefined,
    );
    fails(
        create("write", alice(), named(THING, None)).await,
        undefined,
    );
    fails(
        create("create", alice(), named(THING, Some("none"))).await,
        undefined,
    );
    let group = ResourceClass::GROUP.to_string();
    fails(
        create("read", alice(), named(&group, None)).await,
        undefined,
    );
    let collection = ResourceClass::SUBMISSION_COLLECTION.to_string();
    fails(
        create("create", alice(), named(&collection, None)).await,
        undefined,
    );
    let unknown = Subject::DynamicGroup(dynamic_group("staff"));
    let at_nothing = named(THING, Some("none"));
    fails(
        create("write", unknown, at_nothing).await,
        "InvalidGrant(DynamicGroupUndefined)",
    );
}

async fn existence_is_checked_before_permission(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    world.thing("thing").await;
    let stranger = user("stranger");
    let create = async |action, subject: Subject, resource| {
        let new = requested(action, subject, resource);
        world.grants().create(&stranger, new).await
    };
    let alice = || holder("alice");
    let missing = "ResourceNotFound";
    fails(
        create("write", alice(), named(THING, Some("none"))).await,
        missing,
    );
    fails(
        create("write", alice(), named("Unknown", None)).await,
        missing,
    );
    fails(create("write", alice(), named("", None)).await, missing);
    fails(
        create("write", alice(), named(THING, Some(""))).await,
        missing,
    );
    let record = NamedResource {
        record: Some(ResourceId::from_uuid(uuid::Uuid::nil())),
        ..NamedResource::default()
    };
    fails(create("write", alice(), record).await, missing);
    let no_group = Subject::Group(GroupId::from_uuid(uuid::Uuid::nil()));
    let thing = || named(THING, Some("thing"));
    let error = "GroupNotFound(Some(GroupIdentifier))";
    fails(create("write", no_group, thing()).await, error);
    fails(create("write", alice(), thing()).await, "Forbidden");
    let no_grant = GrantId::from_uuid(uuid::Uuid::nil());
    fails(
        world.grants().get(&stranger, no_grant).await,
        "GrantNotFound",
    );
    fails(
        world.grants().delete(&stranger, no_grant).await,
        "GrantNotFound",
    );
}

async fn conflicts_with_the_record_are_checked_after_permission(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let manager = formalize_tests::world::user_id("manager");
    let resources = world.resources();
    let registered = resources
        .register(
            SYSTEM,
            formalize_tests::world::thing("thing"),
            Some(&manager),
        )
        .await;
    let record = registered.unwrap().id;
    let create = async |caller: &str, action, class: Option<&str>, identifier: Option<&str>| {
        let resource = NamedResource {
            class: class.map(str::to_owned),
            identifier: identifier.map(str::to_owned),
            record: Some(record),
        };
        let new = requested(action, holder("alice"), resource);
        world.grants().create(&user(caller), new).await
    };
    let differs = "InvalidGrant(Resource([AuthorizationResourceIdentifier]))";
    let group = ResourceClass::GROUP.to_string();
    for (class, identifier) in [
        (Some(group.as_str()), None),
        (Some(THING), Some("other")),
        (None, Some("Thing")),
    ] {
        let by_stranger = create("stranger", "write", class, identifier).await;
        fails(by_stranger, "Forbidden");
        fails(create("manager", "write", class, identifier).await, differs);
    }
    fails(create("stranger", "read", None, None).await, "Forbidden");
    fails(
        create("manager", "read", None, None).await,
        "InvalidGrant(ActionUndefined)",
    );
    let made = create("manager", "write", Some(THING), Some("thing")).await;
    assert_eq!(made.unwrap().item.resource.id, record);
    fails(create("manager", "write", None, None).await, "GrantExists");
}

async fn resource_identifiers_are_compared_exactly(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let upper = form.to_string().to_uppercase();
    let class = ResourceClass::FORM.to_string();
    let new = requested("read", holder("alice"), named(&class, Some(&upper)));
    fails(world.grants().create(SYSTEM, new).await, "ResourceNotFound");
    let lower = named(&class, Some(&form.to_string()));
    let new = requested("read", holder("alice"), lower);
    assert!(world.grants().create(SYSTEM, new).await.is_ok());
}

async fn grants_to_a_removed_dynamic_group_have_no_effect(store: Arc<dyn Store>) {
    let staff = || Setup::default().dynamic_group("staff", "true");
    let before = World::with(Arc::clone(&store), staff()).await;
    let thing = before.thing("thing").await;
    before.grant_to("manager", &Action::MANAGE, &thing).await;
    let subject = Subject::DynamicGroup(dynamic_group("staff"));
    let grant = before.grant(&subject, &action("write"), &thing).await;
    let other = before.grant(&subject, &Action::MANAGE, &thing).await;
    let (alice, manager) = (user("alice"), user("manager"));
    let actions = before.resources().granted_actions(&alice, &thing).await;
    assert!(actions.unwrap().allows(&action("write")));

    let without = World::on(Arc::clone(&store)).await;
    let actions = without.resources().granted_actions(&alice, &thing).await;
    assert!(actions.unwrap().is_empty());
    fails(without.grants().get(&alice, grant).await, "Forbidden");
    let filter = ResourceFilter::default();
    let seen = async |caller| {
        let page = without.grants().list(caller, &filter, &everything()).await;
        page.unwrap().items.len()
    };
    assert_eq!((seen(&alice).await, seen(&manager).await), (0, 3));
    assert!(without.grants().get(&manager, grant).await.is_ok());
    let again = new_grant(&subject, &action("write"), &thing);
    fails(
        without.grants().create(&manager, again).await,
        "InvalidGrant(DynamicGroupUndefined)",
    );
    without.grants().delete(&manager, grant).await.unwrap();

    let after = World::with(store, staff()).await;
    assert!(after.grants().get(&alice, other).await.is_ok());
}

async fn manage_on_a_collection_does_not_extend_to_items(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let group = ResourceRef::group(world.group("Group").await);
    let groups = ResourceRef::collection(ResourceClass::GROUP);
    world.grant_to("of all", &Action::MANAGE, &groups).await;
    world.grant_to("of one", &Action::MANAGE, &group).await;
    let resources = world.resources();
    for (name, resource) in [("of all", &group), ("of one", &groups)] {
        let actions = resources.granted_actions(&user(name), resource).await;
        assert!(actions.unwrap().is_empty());
    }
}

async fn both_submission_classes_are_equivalent(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let (itself, collection) = (
        ResourceRef::form(form),
        ResourceRef::submission_collection(form),
    );
    let shown = async |user: &str, resource: &ResourceRef| {
        let caller = formalize_tests::world::user(user);
        let actions = world.resources().granted_actions(&caller, resource).await;
        let actions = actions.unwrap();
        actions
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let four = "create_submissions delete_submissions read_submissions update_submissions";
    for (on, action, on_form, on_collection) in [
        (&itself, "read", "read", ""),
        (
            &itself,
            "create_submissions",
            "create_submissions",
            "create_submissions",
        ),
        (&itself, "read_submissions", "read_submissions", "read"),
        (
            &itself,
            "update_submissions",
            "update_submissions",
            "update",
        ),
        (
            &itself,
            "delete_submissions",
            "delete_submissions",
            "delete",
        ),
        (&itself, "manage", "manage", "manage"),
        (
            &collection,
            "create_submissions",
            "create_submissions",
            "create_submissions",
        ),
        (&collection, "read", "read_submissions", "read"),
        (&collection, "update", "update_submissions", "update"),
        (&collection, "delete", "delete_submissions", "delete"),
        (&collection, "manage", four, "manage"),
    ] {
        let name = format!("{action} on {}", on.class);
        world
            .grant_to(&name, &formalize_tests::world::action(action), on)
            .await;
        assert_eq!(shown(&name, &itself).await, on_form, "{name}");
        assert_eq!(shown(&name, &collection).await, on_collection, "{name}");
    }
}
