use std::sync::Arc;

use formalize_core::{
    Action, DynamicGroupId, FormId, GroupId, ResourceFilter, ResourceRef, Store, Subject,
    SubmissionRules, forms::FormAccess, links::NewFormLink, webhooks::NewWebhook,
};
use formalize_tests::on_every_store;
use formalize_tests::world::{World, dynamic_group, everything, holder, user, user_id};

use super::{SYSTEM, fails};

on_every_store! {
    sharing_makes_the_missing_grants_and_no_others,
    unsharing_deletes_what_nothing_else_needs,
    sharing_is_judged_like_any_grant,
    the_last_manager_stays,
    a_dismissed_manager_takes_links_and_webhooks_along,
}

/// The actions that a subject holds on a form by grants of its own.
async fn held(world: &World, form: FormId, subject: &Subject) -> Vec<String> {
    let resource = ResourceRef::form(form);
    let filter = ResourceFilter::of(resource);
    let page = world.grants().list(SYSTEM, &filter, &everything()).await;
    let grants = page.unwrap().items.into_iter().map(|view| view.item);
    let own = grants.filter(|grant| grant.subject == *subject);
    own.map(|grant| grant.action.to_string()).collect()
}

async fn sharing_makes_the_missing_grants_and_no_others(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let other = world.form(SubmissionRules::default()).await;
    let group = world.group("Group").await;
    let everybody = Subject::from(DynamicGroupId::EVERYBODY);
    for with in [holder("alice"), Subject::Group(group), everybody] {
        for access in FormAccess::ALL {
            let before = held(&world, form, &with).await;
            let made = world.forms().share(SYSTEM, form, &with, access).await;
            let made = made.unwrap().into_iter();
            let made: Vec<String> = made.map(|view| view.item.action.to_string()).collect();
            let missing = access.actions().iter().map(ToString::to_string);
            let missing: Vec<String> = missing.filter(|action| !before.contains(action)).collect();
            assert_eq!(made, missing, "{access:?}");
            assert_eq!(held(&world, form, &with).await, [before, made].concat());
            let again = world.forms().share(SYSTEM, form, &with, access).await;
            assert!(again.unwrap().is_empty(), "{access:?}");
        }
        assert!(held(&world, other, &with).await.is_empty());
    }
}

async fn unsharing_deletes_what_nothing_else_needs(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let (alice, bob) = (holder("alice"), holder("bob"));
    let forms = world.forms();
    for with in [&alice, &bob] {
        for access in [FormAccess::Fill, FormAccess::ChangeAnswers] {
            forms.share(SYSTEM, form, with, access).await.unwrap();
        }
    }
    let taken = forms.unshare(SYSTEM, form, &alice, FormAccess::ReadAnswers);
    let taken = taken.await.unwrap().into_iter();
    let taken: Vec<String> = taken.map(|grant| grant.action.to_string()).collect();
    assert_eq!(taken, ["read_submissions", "update_submissions"]);
    assert_eq!(
        held(&world, form, &alice).await,
        ["read", "create_submissions"]
    );
    assert_eq!(held(&world, form, &bob).await.len(), 4);
    let again = forms.unshare(SYSTEM, form, &alice, FormAccess::ReadAnswers);
    assert!(again.await.unwrap().is_empty());
}

async fn sharing_is_judged_like_any_grant(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let (alice, bob) = (user("alice"), holder("bob"));
    let (forms, fill) = (world.forms(), FormAccess::Fill);
    fails(forms.share(&alice, form, &bob, fill).await, "Forbidden");
    fails(forms.unshare(&alice, form, &bob, fill).await, "Forbidden");
    let nowhere = FormId::from_uuid(world.group("Group").await.as_uuid());
    fails(
        forms.share(SYSTEM, nowhere, &bob, fill).await,
        "FormNotFound",
    );
    fails(
        forms.unshare(SYSTEM, nowhere, &bob, fill).await,
        "FormNotFound",
    );
    let group = Subject::Group(GroupId::from_uuid(form.as_uuid()));
    fails(
        forms.share(SYSTEM, form, &group, fill).await,
        "GroupNotFound(Some(GroupIdentifier))",
    );
    let staff = Subject::DynamicGroup(dynamic_group("staff"));
    fails(
        forms.share(SYSTEM, form, &staff, fill).await,
        "InvalidGrant(DynamicGroupUndefined)",
    );
    let resource = ResourceRef::form(form);
    world.grant_to("alice", &Action::MANAGE, &resource).await;
    forms.share(&alice, form, &bob, fill).await.unwrap();
    forms.unshare(&alice, form, &bob, fill).await.unwrap();
}

async fn the_last_manager_stays(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let (forms, manage) = (world.forms(), FormAccess::Manage);
    let (alice, bob) = (holder("alice"), holder("bob"));
    for with in [&alice, &bob] {
        forms.share(SYSTEM, form, with, manage).await.unwrap();
    }
    forms.unshare(SYSTEM, form, &alice, manage).await.unwrap();
    fails(
        forms.unshare(SYSTEM, form, &bob, manage).await,
        "LastManageGrant",
    );
    assert_eq!(held(&world, form, &bob).await, ["manage"]);
}

async fn a_dismissed_manager_takes_links_and_webhooks_along(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let (forms, links, webhooks) = (world.forms(), world.links(), world.webhooks());
    let (alice, bob) = (user("alice"), user_id("bob"));
    for name in ["alice", "bob"] {
        let holder = holder(name);
        let shared = forms.share(SYSTEM, form, &holder, FormAccess::Manage);
        shared.await.unwrap();
        let new = NewFormLink::to(form);
        links.create(&user(name), new).await.unwrap();
        let url = webhooks.parse_url("https://example.org/hook").unwrap();
        let new = NewWebhook {
            form: Some(form),
            ..NewWebhook::of_all_forms(url)
        };
        webhooks.create(&user(name), new).await.unwrap();
    }
    let creators = async || {
        let links = links.list(SYSTEM, form, &everything()).await.unwrap();
        let webhooks = webhooks.list(SYSTEM, Some(form), &everything()).await;
        let of_links = links.items.into_iter().map(|link| link.creator);
        let of_webhooks = webhooks.unwrap().items.into_iter();
        let all = of_links.chain(of_webhooks.map(|webhook| webhook.creator));
        all.map(|creator| creator.to_string()).collect::<Vec<_>>()
    };
    let all = ["alice", "bob", "alice", "bob"];
    let by_stranger = forms.dismiss(&user("carol"), form, &bob).await;
    fails(by_stranger, "Forbidden");
    let nowhere = FormId::from_uuid(world.group("Group").await.as_uuid());
    fails(forms.dismiss(SYSTEM, nowhere, &bob).await, "FormNotFound");
    assert_eq!(creators().await, all);
    assert_eq!(forms.dismiss(&alice, form, &bob).await.unwrap(), 2);
    assert!(held(&world, form, &holder("bob")).await.is_empty());
    assert_eq!(creators().await, ["alice"; 2]);
    // What is refused ends nothing.
    let last = forms.dismiss(&alice, form, &user_id("alice")).await;
    fails(last, "LastManageGrant");
    assert_eq!(creators().await, ["alice"; 2]);
    let bobs = holder("bob");
    let shared = forms.share(SYSTEM, form, &bobs, FormAccess::Manage);
    shared.await.unwrap();
    let herself = forms.dismiss(&alice, form, &user_id("alice")).await;
    assert_eq!(herself.unwrap(), 2);
    assert!(creators().await.is_empty());
}
