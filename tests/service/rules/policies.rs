use std::sync::Arc;

use formalize_core::{
    Action, Actions, Caller, DynamicGroupId, FormFilter, Formalize, GroupFilter, PageRequest,
    ResourceClass, ResourceFilter, ResourceRef, Store, SubmissionFilter, SubmissionRules,
    SubmissionState, authorization::Policies,
};
use formalize_tests::on_every_store;
use formalize_tests::world::{
    Setup, THING, World, action, class, condition, everything, holder, new_form, new_grant,
    new_group, page_of, thing, user, user_id, user_with,
};

use super::{SYSTEM, fails};

on_every_store! {
    administrators_manage_every_collection_and_no_item,
    managers_of_everything_manage_all_but_submissions,
    managers_of_everything_do_not_see_drafts_of_others,
    managers_of_everything_find_all_in_lists,
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
    let share = new_grant(
        &holder("bob"),
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

async fn with_manager_of_everything(store: Arc<dyn Store>) -> (World, Caller) {
    let policies = Policies {
        manage_everything: Some(condition(r#"user.id == "root""#)),
        ..Policies::default()
    };
    (with(store, policies).await, user("root"))
}

fn submitted_and_drafts(grant_based: bool) -> SubmissionRules {
    SubmissionRules {
        grant_based,
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        ..SubmissionRules::default()
    }
}

async fn managers_of_everything_manage_all_but_submissions(store: Arc<dyn Store>) {
    let (world, root) = with_manager_of_everything(store).await;
    let group = world.group("Group").await;
    let form = world.form(submitted_and_drafts(true)).await;
    let submission = world
        .submission("bob", form, SubmissionState::Submitted)
        .await;
    let managed = [
        ResourceRef::group(group),
        ResourceRef::form(form),
        ResourceRef::submission_collection(form),
        world.thing("one").await,
    ];
    for resource in managed.into_iter().chain(collections()) {
        let actions = world.actions_on(&root, &resource).await;
        assert_eq!(actions, Actions::manage(), "{resource:?}");
        let stranger = world.actions_on(&user("Root"), &resource).await;
        assert!(stranger.is_empty(), "{resource:?}");
    }
    let submission = ResourceRef::submission(submission);
    let actions = world.actions_on(&root, &submission).await;
    let expected = [Action::READ, Action::UPDATE, Action::DELETE];
    assert_eq!(actions, expected.into_iter().collect());
    let share = new_grant(&holder("eve"), &Action::READ, &submission);
    fails(world.grants().create(&root, share).await, "Forbidden");

    let share = new_grant(&holder("eve"), &Action::MANAGE, &ResourceRef::form(form));
    let shared = world.grants().create(&root, share).await.unwrap();
    let refused = world.grants().delete(&root, shared.item.id).await;
    fails(refused, "LastManageGrant");
    world
        .groups()
        .create(&root, new_group("New"))
        .await
        .unwrap();
    world.groups().delete(&root, group).await.unwrap();
    world.forms().delete(&root, form).await.unwrap();
    let refused = world.resources().deregister(&root, &thing("one")).await;
    fails(refused, "Forbidden");
    fails(world.tokens().list(&root, &everything()).await, "Forbidden");
}

async fn managers_of_everything_do_not_see_drafts_of_others(store: Arc<dyn Store>) {
    let (world, root) = with_manager_of_everything(store).await;
    for grant_based in [false, true] {
        let form = world.form(submitted_and_drafts(grant_based)).await;
        let submitted = world
            .submission("bob", form, SubmissionState::Submitted)
            .await;
        let draft = world.submission("bob", form, SubmissionState::Draft).await;
        let own = world.submission("root", form, SubmissionState::Draft).await;
        let submissions = world.submissions();
        fails(submissions.get(&root, draft).await, "Forbidden");
        fails(submissions.delete(&root, draft).await, "Forbidden");
        let actions = world
            .actions_on(&root, &ResourceRef::submission(draft))
            .await;
        assert!(actions.is_empty(), "{actions:?}");
        let filter = SubmissionFilter::default();
        let listed = submissions.list(&root, form, &filter, &everything()).await;
        let listed = listed.unwrap().items.into_iter().map(|it| it.item.id);
        assert_eq!(listed.collect::<Vec<_>>(), [submitted, own]);
        assert_eq!(submissions.delete_all(&root, form).await.unwrap(), 1);
        assert!(submissions.get(&user("bob"), draft).await.is_ok());
    }
}

async fn managers_of_everything_find_all_in_lists(store: Arc<dyn Store>) {
    let (world, root) = with_manager_of_everything(store).await;
    let group = world.group("Group").await;
    let forms = [
        world.form(submitted_and_drafts(false)).await,
        world.form(submitted_and_drafts(true)).await,
    ];
    let thing = world.thing("one").await;
    let shared = world
        .submission("bob", forms[1], SubmissionState::Submitted)
        .await;
    let draft = world
        .submission("bob", forms[1], SubmissionState::Draft)
        .await;
    let on_thing = world.grant_to("eve", &action("write"), &thing).await;

    let listed = world
        .groups()
        .list(&root, &GroupFilter::default(), &everything())
        .await;
    assert_eq!(listed.unwrap().items[0].item.id, group);
    for where_read_form_submissions_granted in [false, true] {
        let filter = FormFilter {
            where_read_form_submissions_granted,
            ..FormFilter::default()
        };
        let listed = world.forms().list(&root, &filter, &everything()).await;
        let listed = listed.unwrap().items.into_iter().map(|it| it.item.id);
        assert_eq!(listed.collect::<Vec<_>>(), forms);
    }
    let resources = async |caller: &Caller| {
        let filter = ResourceFilter::default();
        let listed = world.resources().list(caller, &filter, &everything()).await;
        let listed = listed.unwrap().items.into_iter();
        listed.map(|it| it.item.resource).collect::<Vec<_>>()
    };
    let mut all = resources(SYSTEM).await;
    all.retain(|resource| *resource != ResourceRef::submission(draft));
    assert!(all.contains(&ResourceRef::submission(shared)) && all.contains(&thing));
    assert_eq!(resources(&root).await, all);

    let filter = ResourceFilter::default();
    let listed = world.grants().list(&root, &filter, &everything()).await;
    let listed: Vec<_> = listed
        .unwrap()
        .items
        .into_iter()
        .map(|it| it.item.id)
        .collect();
    assert_eq!(listed, [on_thing], "not those on submissions of others");
    let classes = world.actions().list(&root, &everything()).await.unwrap();
    assert_eq!(classes.items.len(), collections().count());
}

async fn failing_policies_deny(store: Arc<dyn Store>) {
    let policies = Policies {
        administrators: Some(condition("user.attributes.admin")),
        create_groups: Some(condition("user.attributes.level > 3")),
        create_forms: Some(condition("user.attributes.roles[7]")),
        manage_everything: Some(condition("user.attributes.roles[8]")),
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
    let form = new_form("Form", SubmissionRules::default());
    let form = formalize.forms().create(SYSTEM, form).await.unwrap();
    let form = ResourceRef::form(form.item.id);
    let manages_everything = async |formalize: &Formalize, user: &Caller| {
        let actions = formalize.resources().granted_actions(user, &form).await;
        actions.unwrap() == Actions::manage()
    };
    assert!(manages_everything(&formalize, &caller).await);
    assert!(!manages_everything(&formalize, &user("second")).await);
    let policies = Policies {
        manage_everything: Some(condition(r#"user.id == "second""#)),
        ..Policies::default()
    };
    let with_second = builder().policies(policies).build().await.unwrap();
    for manager in [&caller, &user("second")] {
        assert!(manages_everything(&with_second, manager).await);
    }

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
        assert!(!manages_everything(&formalize, &caller).await, "{policy}");
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
