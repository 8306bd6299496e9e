//! Why a user may do something with a form, and what the grants of a holder are.

use std::sync::Arc;

use formalize_core::{
    Action, Caller, DynamicGroupId, FormId, GroupId, ResourceRef, Store, Subject, SubmissionRules,
    UserId,
    authorization::{HolderReason, Policies, Reason},
    forms::FormAccess,
    links::NewFormLink,
};
use formalize_tests::on_every_store;
use formalize_tests::world::{
    Setup, World, condition, dynamic_group, everything, holder, page_of, user, user_id, user_with,
};

use super::{SYSTEM, fails};

on_every_store! {
    reasons_name_the_grants_that_apply,
    groups_that_the_caller_may_not_read_are_left_out,
    dynamic_groups_of_others_are_not_known,
    a_link_has_its_own_grant_only,
    explanations_are_for_managers,
    explanations_agree_with_decisions,
    grants_of_a_holder_are_those_that_the_caller_may_read,
}

async fn share(world: &World, form: FormId, with: impl Into<Subject>, access: FormAccess) {
    let shared = world
        .forms()
        .share(SYSTEM, form, &with.into(), access)
        .await;
    shared.unwrap();
}

async fn explain(world: &World, caller: &Caller, form: FormId, user: &str) -> Vec<Reason> {
    let explained = world.forms().explain(caller, form, &user_id(user)).await;
    explained.unwrap().reasons
}

fn becauses(reasons: &[Reason]) -> Vec<HolderReason> {
    reasons
        .iter()
        .map(|reason| reason.because.clone())
        .collect()
}

async fn reasons_name_the_grants_that_apply(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (form, other) = (
        world.form(SubmissionRules::default()).await,
        world.form(SubmissionRules::default()).await,
    );
    let [outer, middle, inner, stranger] = [
        world.group("outer").await,
        world.group("middle").await,
        world.group("inner").await,
        world.group("stranger").await,
    ];
    world.nest(outer, middle).await;
    world.nest(middle, inner).await;
    world.member(inner, "ada").await;
    // A shorter way is preferred.
    world.member(middle, "ada").await;
    assert!(explain(&world, SYSTEM, form, "ada").await.is_empty());
    share(&world, form, outer, FormAccess::ChangeAnswers).await;
    share(&world, form, stranger, FormAccess::Manage).await;
    share(&world, other, holder("ada"), FormAccess::Manage).await;
    share(&world, form, DynamicGroupId::EVERYBODY, FormAccess::Fill).await;
    share(&world, form, holder("ada"), FormAccess::Edit).await;
    share(&world, form, holder("bob"), FormAccess::Manage).await;
    let collection = ResourceRef::submission_collection(form);
    world.grant_to("ada", &Action::DELETE, &collection).await;

    let reasons = explain(&world, SYSTEM, form, "ada").await;
    let expected = [
        (
            holder("ada"),
            "delete_submissions read update",
            HolderReason::Oneself,
        ),
        (
            outer.into(),
            "read read_submissions update_submissions",
            HolderReason::Member(vec![middle, outer]),
        ),
        (
            DynamicGroupId::EVERYBODY.into(),
            "create_submissions read",
            HolderReason::DynamicGroup,
        ),
    ];
    let found: Vec<_> = reasons
        .iter()
        .map(|reason| {
            let actions: Vec<_> = reason.actions.iter().map(Action::as_str).collect();
            (reason.holder.clone(), actions.join(" "), &reason.because)
        })
        .collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|(holder, actions, because)| (holder.clone(), (*actions).to_owned(), because))
        .collect();
    assert_eq!(found, expected);
}

async fn groups_that_the_caller_may_not_read_are_left_out(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let (outer, inner) = (world.group("outer").await, world.group("inner").await);
    world.nest(outer, inner).await;
    world.member(inner, "ada").await;
    for group in [outer, inner] {
        share(&world, form, group, FormAccess::Fill).await;
    }
    share(&world, form, holder("alice"), FormAccess::Manage).await;
    let alice = user("alice");
    assert_eq!(explain(&world, &alice, form, "ada").await, []);
    let read = async |group: GroupId| {
        let group = ResourceRef::group(group);
        world.grant_to("alice", &Action::READ, &group).await;
    };
    // Whoever reads only the outer group does not learn who is in the inner one.
    read(outer).await;
    assert_eq!(explain(&world, &alice, form, "ada").await, []);
    read(inner).await;
    assert_eq!(
        becauses(&explain(&world, &alice, form, "ada").await).len(),
        2
    );
    assert_eq!(explain(&world, &alice, form, "bob").await, []);
}

async fn dynamic_groups_of_others_are_not_known(store: Arc<dyn Store>) {
    let setup = Setup {
        policies: Policies {
            manage_everything: Some(condition(r#"user.attributes.role == "staff""#)),
            ..Policies::default()
        },
        ..Setup::default()
    };
    let setup = setup
        .dynamic_group("staff", r#"user.attributes.role == "staff""#)
        .dynamic_group("guests", r#"user.attributes.role == "guest""#);
    let world = World::with(store, setup).await;
    let form = world.form(SubmissionRules::default()).await;
    for group in ["staff", "guests"] {
        share(&world, form, dynamic_group(group), FormAccess::Fill).await;
    }
    let alice = user_with("alice", "role", "staff");
    let explained = world.forms().explain(&alice, form, &user_id("alice")).await;
    let explained = explained.unwrap();
    assert_eq!(explained.by_policy, Some(true));
    assert_eq!(becauses(&explained.reasons), [HolderReason::DynamicGroup]);
    assert_eq!(
        explained.reasons[0].holder,
        Subject::from(dynamic_group("staff"))
    );
    let explained = world.forms().explain(&alice, form, &user_id("bob")).await;
    let explained = explained.unwrap();
    assert_eq!(explained.by_policy, None);
    let maybe = [
        HolderReason::MaybeDynamicGroup,
        HolderReason::MaybeDynamicGroup,
    ];
    assert_eq!(becauses(&explained.reasons), maybe);
}

async fn a_link_has_its_own_grant_only(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    share(&world, form, DynamicGroupId::EVERYBODY, FormAccess::Fill).await;
    let (link, _) = world
        .links()
        .create(SYSTEM, NewFormLink::to(form))
        .await
        .unwrap();
    let reasons = explain(&world, SYSTEM, form, UserId::from(link.id).as_str()).await;
    assert_eq!(becauses(&reasons), [HolderReason::Oneself]);
}

async fn explanations_are_for_managers(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let ada = user_id("ada");
    for action in [Action::READ, Action::UPDATE, Action::READ_SUBMISSIONS] {
        let itself = ResourceRef::form(form);
        world.grant_to("alice", &action, &itself).await;
    }
    let forms = world.forms();
    fails(forms.explain(&user("alice"), form, &ada).await, "Forbidden");
    let own = user_id("alice");
    fails(forms.explain(&user("alice"), form, &own).await, "Forbidden");
    let nothing = FormId::from_uuid(uuid::Uuid::nil());
    fails(forms.explain(SYSTEM, nothing, &ada).await, "FormNotFound");
}

/// For the system, which reads all groups, the reasons of a user without attributes are all of the user's permissions.
async fn explanations_agree_with_decisions(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let (outer, inner) = (world.group("outer").await, world.group("inner").await);
    world.nest(outer, inner).await;
    world.member(inner, "user-1").await;
    world.member(outer, "user-2").await;
    let (itself, collection) = (
        ResourceRef::form(form),
        ResourceRef::submission_collection(form),
    );
    for (subject, action, resource) in [
        (Subject::Group(outer), Action::READ, &collection),
        (Subject::Group(inner), Action::UPDATE_SUBMISSIONS, &itself),
        (holder("user-1"), Action::READ, &itself),
        (holder("user-2"), Action::MANAGE, &collection),
        (holder("user-3"), Action::MANAGE, &itself),
        (
            DynamicGroupId::EVERYBODY.into(),
            Action::CREATE_SUBMISSIONS,
            &collection,
        ),
    ] {
        world.grant(&subject, &action, resource).await;
    }
    for name in ["user-1", "user-2", "user-3", "user-4"] {
        let reasons = explain(&world, SYSTEM, form, name).await;
        let explained = reasons.iter().flat_map(|reason| reason.actions.iter());
        let explained: formalize_core::Actions = explained.cloned().collect();
        let decided = world.actions_on(&user(name), &itself).await;
        assert_eq!(explained, decided, "{name}");
        assert!(!decided.is_empty());
    }
}

async fn grants_of_a_holder_are_those_that_the_caller_may_read(store: Arc<dyn Store>) {
    let setup = Setup {
        policies: Policies {
            manage_everything: Some(condition(r#"user.attributes.role == "owner""#)),
            ..Policies::default()
        },
        ..Setup::default()
    };
    let world = World::with(store, setup).await;
    let (group, other) = (world.group("Committee").await, world.group("Other").await);
    world.member(group, "ada").await;
    let mut forms = Vec::new();
    for _ in 0..3 {
        forms.push(world.form(SubmissionRules::default()).await);
    }
    for form in &forms {
        share(&world, *form, group, FormAccess::Fill).await;
        share(&world, *form, other, FormAccess::Manage).await;
    }
    share(&world, forms[1], holder("alice"), FormAccess::Manage).await;
    let owner = user_with("owner", "role", "owner");
    let committee = Subject::Group(group);
    for (caller, expected) in [
        (SYSTEM, &forms[..]),
        (&owner, &forms[..]),
        (&user("ada"), &forms[..]),
        (&user("alice"), &forms[1..2]),
        (&user("stranger"), &[]),
    ] {
        let grants = world.grants();
        let all = everything();
        let page = grants.list_of_holder(caller, &committee, &all).await;
        let found: Vec<_> = page.unwrap().items;
        let expected = expected.iter().flat_map(|form| {
            let actions = FormAccess::Fill.actions().iter();
            actions.map(|action| (ResourceRef::form(*form), action.clone()))
        });
        let found = found.into_iter().map(|view| {
            assert_eq!(view.item.subject, committee);
            (view.item.resource.resource, view.item.action)
        });
        assert_eq!(
            found.collect::<Vec<_>>(),
            expected.collect::<Vec<_>>(),
            "{caller:?}"
        );
    }
    // A cursor belongs to its holder.
    let grants = world.grants();
    let first = grants.list_of_holder(SYSTEM, &committee, &page_of(2)).await;
    let next = formalize_core::PageRequest {
        position: formalize_core::Position::Cursor(first.unwrap().next.unwrap()),
        ..page_of(2)
    };
    let second = grants.list_of_holder(SYSTEM, &committee, &next).await;
    assert_eq!(second.unwrap().items.len(), 2);
    let of_other = Subject::Group(other);
    let refused = grants.list_of_holder(SYSTEM, &of_other, &next).await;
    fails(refused.map(drop), "InvalidCursor");
}
