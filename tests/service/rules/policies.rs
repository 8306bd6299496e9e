use std::sync::Arc;

use formalize_core::{
    Action, Actions, Caller, DynamicGroupId, Formalize, PageRequest, Policies, ResourceClass,
    ResourceRef, Store, SubmissionRules,
};
use formalize_tests::on_every_store;
use formalize_tests::world::{
    Setup, THING, World, class, condition, everything, new_form, new_group, page_of, user, user_id,
    user_with,
};

use super::{SYSTEM, fails};

on_every_store! {
    administrators_manage_every_collection_and_no_item,
    failing_policies_deny,
    the_policy_for_forms_sees_the_name,
    the_first_administrator_is_replaced_by_a_policy,
    the_first_administrator_can_be_ignored,
    only_an_unused_store_has_a_first_start,
    everybody_is_always_defined,
}

async fn with(store: Arc<dyn Store>, policies: Policies) -> World {
    let setup = Setup {
        policies,
        ..Setup::default()
    };
    World::with(store, setup).await
}

fn collections() -> impl Iterator<Item = ResourceRef> {
    let classes = ResourceClass::BUILT_IN.into_iter().chain([class(THING)]);
    classes.map(ResourceRef::collection)
}

/// Whether a user manages every collection.
async fn administers(formalize: &Formalize, user: &Caller) -> bool {
    let mut managed = 0;
    for collection in collections() {
        let resources = formalize.resources();
        let actions = resources.granted_actions(user, &collection).await.unwrap();
        assert!(actions.is_empty() || actions == Actions::manage());
        managed += usize::from(actions == Actions::manage());
    }
    assert!(managed == 0 || managed == collections().count());
    managed > 0
}

async fn administrators_manage_every_collection_and_no_item(store: Arc<dyn Store>) {
    let policies = Policies {
        administrators: Some(condition(r#"user.id == "admin""#)),
        ..Policies::default()
    };
    let world = with(store, policies).await;
    let admin = user("admin");
    assert!(administers(&world, &admin).await);
    assert!(!administers(&world, &user("Admin")).await);
    let group = world.group("Group").await;
    fails(world.groups().get(&admin, group).await, "Forbidden");
    let made = world.groups().create(&admin, new_group("Own")).await;
    assert_eq!(made.unwrap().granted_actions, Actions::manage());
    let share = formalize_tests::world::new_grant(
        &formalize_tests::world::holder("bob"),
        &Action::CREATE,
        &ResourceRef::collection(ResourceClass::GROUP),
    );
    assert!(world.grants().create(&admin, share).await.is_ok());
    assert!(
        world
            .groups()
            .create(&user("bob"), new_group("Bob's"))
            .await
            .is_ok()
    );
}

async fn failing_policies_deny(store: Arc<dyn Store>) {
    let policies = Policies {
        administrators: Some(condition("user.attributes.admin")),
        create_groups: Some(condition("user.attributes.level > 3")),
        create_forms: Some(condition("user.attributes.roles[7]")),
        ..Policies::default()
    };
    let world = with(store, policies).await;
    for caller in [
        user("alice"),
        user_with("alice", "admin", "yes"),
        user_with("alice", "level", "high"),
        user_with("alice", "roles", vec![true]),
    ] {
        assert!(!administers(&world, &caller).await);
        let group = world.groups().create(&caller, new_group("Group")).await;
        fails(group, "Forbidden");
        let form = new_form("Form", SubmissionRules::default());
        fails(world.forms().create(&caller, form).await, "Forbidden");
    }
    assert!(administers(&world, &user_with("alice", "admin", true)).await);
}

async fn the_policy_for_forms_sees_the_name(store: Arc<dyn Store>) {
    let policies = Policies {
        create_forms: Some(condition("form.name.startsWith(user.id)")),
        ..Policies::default()
    };
    let world = with(store, policies).await;
    let alice = user("alice");
    let create = async |name| {
        let new = new_form(name, SubmissionRules::default());
        world.forms().create(&alice, new).await
    };
    let made = create("alice's form").await.unwrap();
    assert_eq!(made.granted_actions, Actions::manage());
    fails(create("bob's form").await, "Forbidden");
    let forms = ResourceRef::collection(ResourceClass::FORM);
    let actions = world.resources().granted_actions(&alice, &forms).await;
    assert!(
        actions.unwrap().is_empty(),
        "creating does not imply managing"
    );
}

async fn the_first_administrator_is_replaced_by_a_policy(store: Arc<dyn Store>) {
    let first = user_id("first");
    let builder =
        || Formalize::builder(Arc::clone(&store)).catalog(formalize_tests::world::catalog());
    let secret = builder().first_start(&first).await.unwrap().unwrap();
    let formalize = builder().build().await.unwrap();
    let caller = formalize.tokens().authenticate(secret.expose()).await;
    let caller = caller.unwrap().unwrap();
    assert_eq!(caller.user_id(), Some(&first));
    assert!(administers(&formalize, &caller).await);
    assert!(!administers(&formalize, &user("second")).await);

    for (policy, still) in [
        ("false", false),
        (r#"user.id == "second""#, false),
        ("true", true),
    ] {
        let policies = Policies {
            administrators: Some(condition(policy)),
            ..Policies::default()
        };
        let formalize = builder().policies(policies).build().await.unwrap();
        assert_eq!(administers(&formalize, &caller).await, still, "{policy}");
    }
}

async fn the_first_administrator_can_be_ignored(store: Arc<dyn Store>) {
    let first = user_id("first");
    let builder =
        || Formalize::builder(Arc::clone(&store)).catalog(formalize_tests::world::catalog());
    builder().first_start(&first).await.unwrap().unwrap();
    let caller = user("first");
    let with = builder().build().await.unwrap();
    assert!(administers(&with, &caller).await);
    assert_eq!(with.ignored_first_administrator(), None);
    let without = builder().first_administrator(false);
    let without = without.build().await.unwrap();
    assert!(!administers(&without, &caller).await);
    assert_eq!(without.ignored_first_administrator(), Some(&first));

    let policies = Policies {
        administrators: Some(condition("false")),
        ..Policies::default()
    };
    let named = builder().first_administrator(false).policies(policies);
    let named = named.build().await.unwrap();
    assert_eq!(
        named.ignored_first_administrator(),
        None,
        "a policy replaces it with or without the option"
    );
}

async fn only_an_unused_store_has_a_first_start(store: Arc<dyn Store>) {
    let builder = || Formalize::builder(Arc::clone(&store));
    let formalize = builder().build().await.unwrap();
    let too_late = builder().first_start(&user_id("admin")).await.unwrap();
    assert!(too_late.is_none(), "the database has been used");
    let again = builder().build().await.unwrap();
    assert!(!administers(&again, &user("admin")).await);
    let tokens = formalize.tokens().list(SYSTEM, &everything()).await;
    assert_eq!(tokens.unwrap().items, []);
}

async fn everybody_is_always_defined(store: Arc<dyn Store>) {
    let setup = Setup::default()
        .dynamic_group("zebras", "true")
        .dynamic_group("Staff", "false");
    let world = World::with(store, setup).await;
    let (actions, stranger) = (world.actions(), user("stranger"));
    let listed = actions.list_dynamic_groups(&stranger, &everything());
    let listed: Vec<String> = listed
        .unwrap()
        .items
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(listed, ["Staff", "everybody", "zebras"]);
    let first = actions.list_dynamic_groups(&stranger, &page_of(2)).unwrap();
    let rest = PageRequest::after(first.next.unwrap(), page_of(2).size);
    let rest = actions.list_dynamic_groups(&stranger, &rest).unwrap();
    let paged = first.items.iter().chain(&rest.items);
    assert!(paged.map(DynamicGroupId::as_str).eq(&listed));
    for group in &listed {
        assert_eq!(actions.get_dynamic_group(group).unwrap().as_str(), group);
    }
    for none in ["staff", "", "\n"] {
        fails(actions.get_dynamic_group(none), "DynamicGroupNotFound");
    }
}
