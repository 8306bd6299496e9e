use std::sync::Arc;

use formalize_core::{
    Action, Actions, Caller, Formalize, PageRequest, PageSize, Position, ResourceClass,
    ResourceFilter, ResourceIdentifier, ResourceRef, Store, SubmissionId, SubmissionRules,
    SubmissionState,
    authorization::{ActionCatalog, ClassActions, Object, Policies},
};
use formalize_tests::on_every_store;
use formalize_tests::world::{
    THING, World, action, class, condition, everything, thing, user, user_id,
};

use super::{SYSTEM, fails};

const NO_SUBMISSION: SubmissionId = SubmissionId::from_uuid(uuid::Uuid::nil());

on_every_store! {
    collections_are_there_from_the_start,
    applications_register_items_of_their_own_classes_only,
    registering_an_item_can_name_its_manager,
    deregistering_an_item_deletes_its_grants,
    items_are_ensured_once,
    unknown_resources_have_no_actions,
    only_defined_actions_are_granted,
    items_are_listed_by_action,
    checks_tell_unknown_resources_from_missing_permissions,
    submissions_of_creator_based_forms_are_not_resources,
    a_form_has_two_resources,
    classes_are_described_to_everybody,
    a_class_that_is_not_configured_any_more_is_hidden_from_administrators,
}

async fn collections_are_there_from_the_start(store: Arc<dyn Store>) {
    let world = World::on(Arc::clone(&store)).await;
    let collections = async |world: &World| {
        let filter = ResourceFilter::default();
        let page = world.resources().list(SYSTEM, &filter, &everything()).await;
        let items = page.unwrap().items.into_iter().map(|it| it.item);
        items.map(|it| (it.id, it.resource)).collect::<Vec<_>>()
    };
    let first = collections(&world).await;
    let mut found: Vec<_> = first.iter().map(|(_, it)| it.clone()).collect();
    found.sort();
    let known = formalize_tests::world::catalog();
    let known = known
        .iter()
        .map(|(class, _)| ResourceRef::collection(class.clone()));
    assert_eq!(found, known.collect::<Vec<_>>());
    let restarted = World::on(store).await;
    assert_eq!(
        collections(&restarted).await,
        first,
        "collections are created once"
    );
}

async fn items_are_ensured_once(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let resources = world.resources();
    let ensure = async |resource, manager: &str| {
        let manager = user_id(manager);
        resources.ensure(SYSTEM, resource, Some(&manager)).await
    };
    let item = thing("handbook");
    let first = ensure(item.clone(), "alice").await.unwrap();
    assert_eq!(ensure(item.clone(), "bob").await.unwrap(), first);
    let manages = async |name: &str| {
        let (user, manage) = (user(name), Action::MANAGE);
        resources.is_granted(&user, &item, &manage).await.unwrap()
    };
    assert!(manages("alice").await && !manages("bob").await);

    let by_user = resources.ensure(&user("alice"), item.clone(), None).await;
    fails(by_user, "Forbidden");
    let collection = ResourceRef::collection(class(THING));
    fails(ensure(collection, "alice").await, "ResourceReserved");
    let unknown = ResourceRef::item(class("Unknown"), ResourceIdentifier::new("item").unwrap());
    fails(ensure(unknown, "alice").await, "ResourceClassNotFound");
    for built_in in ResourceClass::BUILT_IN {
        let item = ResourceRef::item(built_in, ResourceIdentifier::new("item").unwrap());
        fails(ensure(item, "alice").await, "ResourceReserved");
    }
}

async fn applications_register_items_of_their_own_classes_only(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let resources = world.resources();
    let register = async |resource| resources.register(SYSTEM, resource, None).await;
    let item = |class| ResourceRef::item(class, ResourceIdentifier::new("item").unwrap());
    for built_in in ResourceClass::BUILT_IN {
        fails(register(item(built_in.clone())).await, "ResourceReserved");
        fails(
            resources.deregister(SYSTEM, &item(built_in)).await,
            "ResourceReserved",
        );
    }
    let things = ResourceRef::collection(class(THING));
    fails(register(things.clone()).await, "ResourceReserved");
    fails(
        resources.deregister(SYSTEM, &things).await,
        "ResourceReserved",
    );
    fails(
        register(item(class("Unknown"))).await,
        "ResourceClassNotFound",
    );
    let item = item(class(THING));
    fails(
        resources.deregister(SYSTEM, &item).await,
        "ResourceNotFound",
    );
    let registered = register(item.clone()).await.unwrap();
    assert_eq!(registered.resource, item);
    assert_eq!(registered.object, Object::Other(registered.id));
    let read = resources.get(SYSTEM, registered.id).await.unwrap();
    assert_eq!(read.item, registered);
    fails(register(item.clone()).await, "ResourceExists");
    let alice = user("alice");
    fails(
        resources.register(&alice, thing("other"), None).await,
        "Forbidden",
    );
    fails(resources.deregister(&alice, &item).await, "Forbidden");
}

#[test]
fn classes_of_the_service_cannot_be_redefined() {
    for built_in in ResourceClass::BUILT_IN {
        let defined = ActionCatalog::default().with_class(built_in, ClassActions::default());
        assert!(defined.is_err());
    }
}

async fn registering_an_item_can_name_its_manager(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let resources = world.resources();
    let (owned, orphan) = (thing("owned"), thing("orphan"));
    let manager = user_id("alice");
    let made = resources.register(SYSTEM, owned.clone(), Some(&manager));
    made.await.unwrap();
    resources
        .register(SYSTEM, orphan.clone(), None)
        .await
        .unwrap();
    let alice = user("alice");
    let actions = resources.granted_actions(&alice, &owned).await;
    assert_eq!(actions.unwrap(), Actions::manage());
    let actions = resources.granted_actions(&alice, &orphan).await;
    assert!(actions.unwrap().is_empty());
    let again = resources.register(SYSTEM, orphan.clone(), Some(&manager));
    fails(again.await, "ResourceExists");
    let actions = resources.granted_actions(&alice, &orphan).await;
    assert!(
        actions.unwrap().is_empty(),
        "a refused registration grants nothing"
    );
}

async fn deregistering_an_item_deletes_its_grants(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (one, other) = (world.thing("one").await, world.thing("other").await);
    let gone = world.grant_to("alice", &Action::MANAGE, &one).await;
    let kept = world.grant_to("alice", &Action::MANAGE, &other).await;
    world.resources().deregister(SYSTEM, &one).await.unwrap();
    fails(world.grants().get(SYSTEM, gone).await, "GrantNotFound");
    assert!(world.grants().get(SYSTEM, kept).await.is_ok());
    world.thing("one").await;
    let actions = world
        .resources()
        .granted_actions(&user("alice"), &one)
        .await;
    assert!(actions.unwrap().is_empty(), "a new item with the same name");
}

async fn unknown_resources_have_no_actions(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let group = world.group("Group").await;
    let identifier = |text: &str| ResourceIdentifier::new(text).unwrap();
    for resource in [
        thing("none"),
        ResourceRef::collection(class("Unknown")),
        ResourceRef::item(
            ResourceClass::GROUP,
            identifier(&group.to_string().to_uppercase()),
        ),
        ResourceRef::item(ResourceClass::FORM, identifier(&group.to_string())),
        ResourceRef::item(ResourceClass::SUBMISSION, identifier(&group.to_string())),
        ResourceRef::item(ResourceClass::SUBMISSION, identifier("none")),
    ] {
        for caller in [SYSTEM, &user("alice")] {
            let actions = world.resources().granted_actions(caller, &resource).await;
            assert!(actions.unwrap().is_empty(), "{resource:?}");
        }
    }
}

async fn only_defined_actions_are_granted(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let one = world.thing("one").await;
    let all = ResourceRef::collection(class(THING));
    let alice = user("alice");
    for resource in [&one, &all] {
        world.grant_to("alice", &Action::MANAGE, resource).await;
    }
    let granted = async |resource, name: &str| {
        let resources = world.resources();
        resources
            .is_granted(&alice, resource, &action(name))
            .await
            .unwrap()
    };
    assert!(granted(&one, "manage").await && granted(&one, "write").await);
    assert!(granted(&all, "manage").await && granted(&all, "create").await);
    assert!(
        !granted(&one, "create").await,
        "defined for collections only"
    );
    assert!(!granted(&all, "write").await, "defined for items only");
    assert!(!granted(&one, "wriet").await, "not defined at all");
}

async fn items_are_listed_by_action(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let [one, two, three] = ["one", "two", "three"].map(thing);
    for name in ["one", "two", "three"] {
        world.thing(name).await;
    }
    let all = ResourceRef::collection(class(THING));
    world.grant_to("alice", &action("write"), &one).await;
    world.grant_to("alice", &Action::MANAGE, &two).await;
    world.grant_to("alice", &Action::MANAGE, &all).await;
    let (alice, stranger) = (user("alice"), user("stranger"));
    let (write, create) = (action("write"), Action::CREATE);
    let list = async |caller: &Caller, of: &str, action: &Action, request: &PageRequest| {
        let (resources, of) = (world.resources(), class(of));
        let page = resources.list_by_action(caller, &of, action, request).await;
        let page = page.unwrap().map(|it| it.item.resource);
        (page.items, page.next)
    };
    let cases = [
        (&alice, THING, &write, vec![&one, &two]),
        (&alice, THING, &Action::MANAGE, vec![&two]),
        (SYSTEM, THING, &write, vec![&one, &two, &three]),
        (&stranger, THING, &write, vec![]),
        // Defined for the collection only, for other classes only, and not at all.
        (&alice, THING, &create, vec![]),
        (SYSTEM, THING, &Action::READ, vec![]),
        (SYSTEM, THING, &action("wriet"), vec![]),
        (SYSTEM, "Unknown", &write, vec![]),
    ];
    for (caller, of, action, expected) in cases {
        let found = list(caller, of, action, &everything()).await;
        let expected = expected.into_iter().cloned().collect();
        assert_eq!(found, (expected, None), "{caller:?} may {action}");
    }

    let single = PageSize::new(1).unwrap();
    let numbered = |number| PageRequest {
        size: single,
        position: Position::Number(number),
    };
    let (first, next) = list(&alice, THING, &write, &numbered(1)).await;
    assert_eq!(first, [one]);
    let next = next.unwrap();
    let second = list(&alice, THING, &write, &numbered(2)).await;
    assert_eq!(second, (vec![two.clone()], None));
    let request = PageRequest::after(next, single);
    assert_eq!(list(&alice, THING, &write, &request).await, second);
    let (resources, thing) = (world.resources(), class(THING));
    let of_other_action = resources.list_by_action(&alice, &thing, &Action::READ, &request);
    fails(of_other_action.await, "InvalidCursor");
}

async fn checks_tell_unknown_resources_from_missing_permissions(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (one, write) = (world.thing("one").await, action("write"));
    let missing = thing("missing");
    let of_unknown_class = ResourceRef::collection(class("unknown"));
    let form = world
        .form(SubmissionRules {
            allowed_states: SubmissionState::ALL.iter().copied().collect(),
            ..SubmissionRules::default()
        })
        .await;
    let draft = world.submission("bob", form, SubmissionState::Draft).await;
    let (draft, another) = (
        ResourceRef::submission(draft),
        ResourceRef::submission(NO_SUBMISSION),
    );
    world.grant_to("alice", &write, &one).await;
    let (alice, bob) = (user("alice"), user("bob"));
    let cases = [
        (&alice, &one, &write, Ok(())),
        (&bob, &one, &write, Err("Forbidden")),
        (&alice, &one, &Action::READ, Err("Forbidden")),
        (SYSTEM, &one, &action("wriet"), Err("Forbidden")),
        (&alice, &missing, &write, Err("ResourceNotFound")),
        (SYSTEM, &missing, &write, Err("ResourceNotFound")),
        (
            SYSTEM,
            &of_unknown_class,
            &Action::CREATE,
            Err("ResourceNotFound"),
        ),
        (&bob, &draft, &Action::READ, Ok(())),
        (&alice, &draft, &Action::READ, Err("Forbidden")),
        (&bob, &another, &Action::READ, Err("ResourceNotFound")),
    ];
    for (caller, resource, action, expected) in cases {
        let resources = world.resources();
        let outcome = resources.check(caller, resource, action).await;
        let outcome = outcome.map_err(|error| format!("{error:?}"));
        assert_eq!(
            outcome,
            expected.map_err(ToOwned::to_owned),
            "{action} on {resource:?}"
        );
        let granted = resources
            .is_granted(caller, resource, action)
            .await
            .unwrap();
        assert_eq!(granted, expected.is_ok(), "{action} on {resource:?}");
    }
}

async fn submissions_of_creator_based_forms_are_not_resources(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let rules = SubmissionRules {
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        ..SubmissionRules::default()
    };
    let form = world.form(rules).await;
    let draft = world
        .submission("alice", form, SubmissionState::Draft)
        .await;
    let resource = ResourceRef::submission(draft);
    let resources = world.resources();
    let actions = resources.granted_actions(&user("alice"), &resource).await;
    let own = [Action::READ, Action::UPDATE, Action::DELETE];
    assert_eq!(actions.unwrap(), own.into_iter().collect());
    let of_system = resources.granted_actions(SYSTEM, &resource).await;
    assert_eq!(of_system.unwrap(), Actions::manage());
    let filter = ResourceFilter::of(ResourceRef::submission(draft));
    let listed = resources.list(SYSTEM, &filter, &everything()).await;
    assert_eq!(listed.unwrap().items, []);
    let upper = ResourceIdentifier::new(draft.to_string().to_uppercase()).unwrap();
    let upper = ResourceRef::item(ResourceClass::SUBMISSION, upper);
    let actions = resources.granted_actions(&user("alice"), &upper).await;
    assert!(
        actions.unwrap().is_empty(),
        "identifiers are compared exactly"
    );
}

async fn a_form_has_two_resources(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let filter = ResourceFilter {
        identifier: ResourceRef::form(form).identifier.into(),
        ..ResourceFilter::default()
    };
    let list = async || {
        let page = world.resources().list(SYSTEM, &filter, &everything()).await;
        let items = page.unwrap().items.into_iter();
        items.map(|it| it.item.resource).collect::<Vec<_>>()
    };
    let both = [
        ResourceRef::form(form),
        ResourceRef::submission_collection(form),
    ];
    assert_eq!(list().await, both);
    world.forms().delete(SYSTEM, form).await.unwrap();
    assert_eq!(list().await, []);
}

async fn classes_are_described_to_everybody(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let stranger = user("stranger");
    let listed = world.actions().list(&stranger, &everything()).await;
    assert_eq!(listed.unwrap().items, [], "they may not read any");
    let group = world.actions().get("DbpRelayAuthorizationGroup").unwrap();
    let item_actions: Vec<&str> = group
        .actions
        .item_actions
        .keys()
        .map(Action::as_str)
        .collect();
    let expected = [
        "add_members",
        "delete",
        "delete_members",
        "manage",
        "read",
        "update",
    ];
    assert_eq!(item_actions, expected);
    let manage = &group.actions.collection_actions[&Action::MANAGE];
    assert!(manage.contains_key("en") && manage.contains_key("de"));
    for none in ["", "dbprelayauthorizationgroup", "Unknown"] {
        fails(world.actions().get(none), "ResourceClassNotFound");
    }
    let one = world.thing("one").await;
    world.grant_to("stranger", &action("write"), &one).await;
    let listed = world
        .actions()
        .list(&stranger, &everything())
        .await
        .unwrap();
    let listed: Vec<String> = listed.items.iter().map(|it| it.class.to_string()).collect();
    assert_eq!(listed, [THING]);
    let all = world.actions().list(SYSTEM, &everything()).await.unwrap();
    let names: Vec<String> = all.items.iter().map(|it| it.class.to_string()).collect();
    assert!(names.is_sorted() && names.len() == 5, "by name: {names:?}");
}

async fn a_class_that_is_not_configured_any_more_is_hidden_from_administrators(
    store: Arc<dyn Store>,
) {
    World::on(Arc::clone(&store)).await;
    let policies = Policies {
        administrators: Some(condition("true")),
        ..Policies::default()
    };
    let builder = Formalize::builder(store).policies(policies);
    let formalize = builder.build().await.unwrap();
    let resources = formalize.resources();
    let list = async |caller| {
        let filter = ResourceFilter::default();
        let page = resources.list(caller, &filter, &everything()).await;
        let items = page.unwrap().items.into_iter();
        items.map(|it| it.item).collect::<Vec<_>>()
    };
    let alice = &user("alice");
    let listed = list(alice).await;
    let things = ResourceRef::collection(class(THING));
    assert!(listed.iter().all(|it| it.resource != things));
    for resource in list(SYSTEM).await {
        let read = resources.get(alice, resource.id).await.is_ok();
        assert_eq!(read, listed.contains(&resource), "{resource:?}");
    }
}
