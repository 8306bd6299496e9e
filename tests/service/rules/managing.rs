use std::sync::Arc;
use std::time::Duration;

use formalize_core::{
    Action, FormFilter, FormId, ResourceClass, ResourceRef, Store, SubmissionRules,
    SubmissionState,
    authorization::Operation,
    forms::{SubmittedAction, TagActions, TagPermissions},
};
use formalize_tests::on_every_store;
use formalize_tests::world::{World, everything, holder, new_grant, user};

use super::{SYSTEM, fails};

on_every_store! {
    submissions_are_managed_with_or_without_the_form,
    a_form_to_manage_is_shown_to_its_readers_only,
    there_may_be_submissions_for_those_who_have_or_may_get_some,
    views_say_what_the_caller_may_do_with_the_item,
    items_are_asked_about_by_operation,
    the_grant_of_a_creator_is_told_from_later_ones,
}

async fn submissions_are_managed_with_or_without_the_form(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let (itself, submissions) = (
        ResourceRef::form(form),
        ResourceRef::submission_collection(form),
    );
    for name in ["form", "answers", "every action", "reader"] {
        world.grant_to(name, &Action::READ, &itself).await;
    }
    world.grant_to("form", &Action::MANAGE, &itself).await;
    world
        .grant_to("answers", &Action::MANAGE, &submissions)
        .await;
    for action in [
        Action::CREATE_SUBMISSIONS,
        Action::READ,
        Action::UPDATE,
        Action::DELETE,
    ] {
        world.grant_to("every action", &action, &submissions).await;
    }
    let expected = [
        ("form", true),
        ("answers", true),
        ("every action", false),
        ("reader", false),
    ];
    for (name, manages) in expected {
        let (caller, forms) = (user(name), world.forms());
        let view = forms.get(&caller, form).await.unwrap();
        assert_eq!(view.manages_submissions, manages, "{name}");
        let all = FormFilter::default();
        let list = forms.list(&caller, &all, &everything()).await.unwrap();
        assert_eq!(list.items[0].manages_submissions, manages, "{name}");
        let managed = forms.to_manage(&caller, form).await.unwrap();
        assert_eq!(managed.manages_submissions(), manages, "{name}");
    }
}

async fn a_form_to_manage_is_shown_to_its_readers_only(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let itself = ResourceRef::form(form);
    for action in [Action::DELETE, Action::READ_SUBMISSIONS] {
        world.grant_to("cleaner", &action, &itself).await;
    }
    world.grant_to("reader", &Action::READ, &itself).await;

    let cleaner = world.forms().to_manage(&user("cleaner"), form).await;
    let cleaner = cleaner.unwrap();
    fails(cleaner.readable(), "Forbidden");
    assert!(cleaner.may(Operation::FormDelete) && cleaner.reads_all_submissions());
    fails(cleaner.require(Operation::FormUpdate), "Forbidden");

    let reader = world.forms().to_manage(&user("reader"), form).await;
    let reader = reader.unwrap();
    assert_eq!(reader.readable().unwrap().id, form);
    assert!(!reader.may(Operation::FormDelete) && !reader.reads_all_submissions());

    let stranger = world.forms().to_manage(&user("stranger"), form).await;
    let stranger = stranger.unwrap();
    fails(stranger.readable(), "Forbidden");
    assert!(Operation::ALL.iter().all(|it| !stranger.may(*it)));

    let system = world.forms().to_manage(SYSTEM, form).await.unwrap();
    system.require(Operation::FormDelete).unwrap();
    world.forms().delete(SYSTEM, form).await.unwrap();
    fails(world.forms().to_manage(SYSTEM, form).await, "FormNotFound");
}

async fn there_may_be_submissions_for_those_who_have_or_may_get_some(store: Arc<dyn Store>) {
    async fn may_have(world: &World, name: &str, form: FormId) -> bool {
        let managed = world.forms().to_manage(&user(name), form).await;
        managed.unwrap().may_have_submissions()
    }
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let itself = ResourceRef::form(form);
    for (name, action) in [
        ("all", Action::READ_SUBMISSIONS),
        ("cleaner", Action::DELETE_SUBMISSIONS),
    ] {
        world.grant_to(name, &Action::READ, &itself).await;
        world.grant_to(name, &action, &itself).await;
        assert!(may_have(&world, name, form).await, "{name}");
    }
    world.grant_to("reader", &Action::READ, &itself).await;
    assert!(!may_have(&world, "reader", form).await);
    world
        .submission("reader", form, SubmissionState::Submitted)
        .await;
    assert!(may_have(&world, "reader", form).await);
    assert!(may_have(&world, "stranger", form).await);

    let grant_based = world
        .form(SubmissionRules {
            grant_based: true,
            ..SubmissionRules::default()
        })
        .await;
    world
        .grant_to("reader", &Action::READ, &ResourceRef::form(grant_based))
        .await;
    assert!(may_have(&world, "reader", grant_based).await);
}

async fn views_say_what_the_caller_may_do_with_the_item(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let group = world.group("Group").await;
    for action in [Action::READ, Action::ADD_MEMBERS] {
        world
            .grant_to("alice", &action, &ResourceRef::group(group))
            .await;
    }
    let view = world.groups().get(&user("alice"), group).await.unwrap();
    view.require(Operation::MembershipCreate).unwrap();
    fails(view.require(Operation::MembershipDelete), "Forbidden");
    fails(view.require(Operation::GrantCreate), "Forbidden");

    let form = world
        .form(SubmissionRules {
            allowed_actions_when_submitted: [SubmittedAction::Read, SubmittedAction::Delete]
                .into_iter()
                .collect(),
            tag_permissions: TagPermissions::of(TagActions::NONE).unwrap(),
            ..SubmissionRules::default()
        })
        .await;
    let submission = world
        .submission("alice", form, SubmissionState::Submitted)
        .await;
    let view = world.submissions().get(&user("alice"), submission).await;
    let view = view.unwrap();
    assert!(!view.may(Operation::SubmissionUpdate) && !view.may(Operation::FormGet));
    assert!(!view.sees_tags());
    view.require(Operation::SubmissionDelete).unwrap();
    let deleted = world.submissions().delete(&user("alice"), submission).await;
    deleted.unwrap();
}

async fn items_are_asked_about_by_operation(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let (itself, forms) = (
        ResourceRef::form(form),
        ResourceRef::collection(ResourceClass::FORM),
    );
    world.grant_to("alice", &Action::DELETE, &itself).await;
    world.grant_to("alice", &Action::MANAGE, &forms).await;
    let may = async |resource: &ResourceRef, operation| {
        let alice = user("alice");
        let may = world.resources().may(&alice, resource, operation).await;
        may.unwrap()
    };
    assert!(may(&itself, Operation::FormDelete).await);
    assert!(!may(&itself, Operation::FormUpdate).await);
    assert!(!may(&itself, Operation::GroupDelete).await);
    assert!(!may(&forms, Operation::FormDelete).await);
    world.forms().delete(SYSTEM, form).await.unwrap();
    assert!(!may(&itself, Operation::FormDelete).await);
}

async fn the_grant_of_a_creator_is_told_from_later_ones(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let group = world.group("Group").await;
    let created = world.groups().get(SYSTEM, group).await.unwrap().item;
    let created = created.date_created;
    let on_group = ResourceRef::group(group);
    let grant = async |name, action: &Action| {
        let new = new_grant(&holder(name), action, &on_group);
        world.grants().create(SYSTEM, new).await.unwrap().item
    };
    assert!(!grant("reader", &Action::READ).await.is_of_creation(created));
    assert!(grant("bob", &Action::MANAGE).await.is_of_creation(created));
    world.wait(Duration::from_secs(1));
    assert!(
        !grant("carol", &Action::MANAGE)
            .await
            .is_of_creation(created)
    );
}
