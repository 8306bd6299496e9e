use std::sync::Arc;
use std::time::Duration;

use formalize_core::{
    Action, Actions, GroupFilter, GroupId, Member, MembershipId, NewMembership, ResourceRef, Store,
    authorization::MAX_GROUPS_OF_USER,
};
use formalize_tests::on_every_store;
use formalize_tests::patience::in_time;
use formalize_tests::world::{World, everything, user, user_id};

use super::{SYSTEM, fails};

on_every_store! {
    group_cycles_are_rejected,
    two_paths_may_lead_to_the_same_group,
    duplicate_memberships_are_rejected,
    problems_are_reported_in_order,
    lists_show_direct_members_only,
    removed_members_lose_the_grants_of_the_group,
    members_of_nested_groups_have_the_grants_of_outer_groups,
    a_user_is_a_member_of_a_limited_number_of_groups,
    calls_of_a_user_in_too_many_groups_take_turns,
}

fn child(group: GroupId, child: GroupId) -> NewMembership {
    NewMembership {
        group,
        member: Member::ChildGroup(child),
    }
}

async fn group_cycles_are_rejected(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let mut chain = vec![world.group("0").await];
    for depth in 1..6 {
        let group = world.group(&depth.to_string()).await;
        world.nest(chain[depth - 1], group).await;
        chain.push(group);
    }
    let invalid = "InvalidFields(Membership([ChildGroupIdentifier]))";
    for group in &chain {
        let memberships = world.memberships();
        let closing = memberships.create(SYSTEM, child(*group, chain[0])).await;
        fails(closing, invalid);
        let itself = memberships.create(SYSTEM, child(*group, *group)).await;
        fails(itself, invalid);
    }
}

async fn two_paths_may_lead_to_the_same_group(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let [top, left, right, bottom] = [
        world.group("Top").await,
        world.group("Left").await,
        world.group("Right").await,
        world.group("Bottom").await,
    ];
    for (outer, inner) in [
        (top, left),
        (top, right),
        (left, bottom),
        (right, bottom),
        (top, bottom),
    ] {
        world.nest(outer, inner).await;
    }
    world.member(bottom, "alice").await;
    let thing = world.thing("thing").await;
    let top = formalize_core::Subject::Group(top);
    world.grant(&top, &Action::MANAGE, &thing).await;
    let filter = formalize_core::ResourceFilter::default();
    let resources = world.resources();
    let listed = resources.list(&user("alice"), &filter, &everything()).await;
    assert_eq!(
        listed.unwrap().items.len(),
        1,
        "once, whatever the number of ways"
    );
    let grants = world
        .grants()
        .list(&user("alice"), &filter, &everything())
        .await;
    assert_eq!(grants.unwrap().items.len(), 1);
}

async fn duplicate_memberships_are_rejected(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (group, inner) = (world.group("Group").await, world.group("Inner").await);
    for member in [Member::User(user_id("alice")), Member::ChildGroup(inner)] {
        let new = || NewMembership {
            group,
            member: member.clone(),
        };
        let memberships = world.memberships();
        let first = memberships.create(SYSTEM, new()).await.unwrap();
        fails(memberships.create(SYSTEM, new()).await, "MembershipExists");
        memberships.delete(SYSTEM, first.id).await.unwrap();
        fails(
            memberships.delete(SYSTEM, first.id).await,
            "MembershipNotFound",
        );
        assert!(memberships.create(SYSTEM, new()).await.is_ok());
    }
}

async fn problems_are_reported_in_order(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (group, inner) = (world.group("Group").await, world.group("Inner").await);
    world.nest(inner, group).await;
    let nothing = GroupId::from_uuid(uuid::Uuid::nil());
    let (memberships, alice) = (world.memberships(), user("alice"));
    let add = async |outer, inner| memberships.create(&alice, child(outer, inner)).await;

    fails(
        add(nothing, nothing).await,
        "GroupNotFound(Some(GroupIdentifier))",
    );
    fails(
        add(group, nothing).await,
        "GroupNotFound(Some(ChildGroupIdentifier))",
    );
    fails(add(group, inner).await, "Forbidden");
    let resource = ResourceRef::group(group);
    world
        .grant_to("alice", &Action::ADD_MEMBERS, &resource)
        .await;
    fails(add(group, inner).await, "Forbidden");
    let of_inner = ResourceRef::group(inner);
    world.grant_to("alice", &Action::READ, &of_inner).await;
    fails(
        add(group, inner).await,
        "InvalidFields(Membership([ChildGroupIdentifier]))",
    );

    let stranger = user("stranger");
    let list = async |group| memberships.list(&stranger, group, &everything()).await;
    fails(list(nothing).await, "GroupNotFound(Some(GroupIdentifier))");
    fails(list(group).await, "Forbidden");
    let no_membership = MembershipId::from_uuid(uuid::Uuid::nil());
    fails(
        memberships.get(&stranger, no_membership).await,
        "MembershipNotFound",
    );
    fails(
        memberships.delete(&stranger, no_membership).await,
        "MembershipNotFound",
    );
}

#[test]
fn a_request_names_a_group_and_one_member() {
    let group = || Some("0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b");
    let alice = || Some("alice".to_owned());
    let refused = |group, user, child, error| {
        fails(NewMembership::from_request(group, user, child), error);
    };
    refused(
        None,
        None,
        None,
        "InvalidFields(Membership([GroupIdentifier, UserIdentifier, ChildGroupIdentifier]))",
    );
    refused(
        group(),
        alice(),
        group(),
        "InvalidFields(Membership([UserIdentifier, ChildGroupIdentifier]))",
    );
    refused(
        None,
        alice(),
        None,
        "InvalidFields(Membership([GroupIdentifier]))",
    );
    for user in [String::new(), "a\u{7}".to_owned(), "x".repeat(256)] {
        let error = "InvalidFields(Membership([UserIdentifier]))";
        refused(group(), Some(user), None, error);
    }
    // Whether there is such a group is asked later.
    let malformed = Some("Editors");
    let error = "InvalidFields(Membership([UserIdentifier]))";
    refused(malformed, Some(String::new()), None, error);
    assert!(NewMembership::from_request(malformed, None, malformed).is_ok());
    assert!(NewMembership::from_request(group(), alice(), None).is_ok());
    assert!(NewMembership::from_request(group(), None, group()).is_ok());
}

async fn lists_show_direct_members_only(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (group, inner) = (world.group("Group").await, world.group("Inner").await);
    let nested = world.nest(group, inner).await;
    world.member(inner, "alice").await;
    let bob = world.member(group, "bob").await;
    let page = world.memberships().list(SYSTEM, group, &everything()).await;
    let listed: Vec<_> = page.unwrap().items.into_iter().map(|it| it.id).collect();
    assert_eq!(listed, [nested, bob]);
}

async fn removed_members_lose_the_grants_of_the_group(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (group, inner) = (world.group("Group").await, world.group("Inner").await);
    let nested = world.nest(group, inner).await;
    world.member(inner, "alice").await;
    let thing = world.thing("thing").await;
    let held = formalize_core::Subject::Group(group);
    world.grant(&held, &Action::MANAGE, &thing).await;
    let resources = world.resources();
    let alice = user("alice");
    let granted = async || resources.is_granted(&alice, &thing, &Action::MANAGE).await;
    assert!(granted().await.unwrap());
    world.memberships().delete(SYSTEM, nested).await.unwrap();
    assert!(!granted().await.unwrap());
    assert!(world.groups().get(SYSTEM, inner).await.is_ok());
}

async fn members_of_nested_groups_have_the_grants_of_outer_groups(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let mut group = world.group("Top").await;
    let thing = world.thing("thing").await;
    let held = formalize_core::Subject::Group(group);
    world.grant(&held, &Action::MANAGE, &thing).await;
    for depth in 0..40 {
        let inner = world.group(&depth.to_string()).await;
        world.nest(group, inner).await;
        group = inner;
    }
    world.member(group, "alice").await;
    let actions = world.actions_on(&user("alice"), &thing).await;
    assert_eq!(actions, Actions::manage());
}

async fn a_user_is_a_member_of_a_limited_number_of_groups(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let groups = world.many_groups(MAX_GROUPS_OF_USER + 1).await;
    let (direct, chain) = groups.split_at(900);
    let alice = || Member::User(user_id("alice"));
    let direct = direct.iter().map(|group| (*group, alice()));
    world.join_many(direct).await;
    // The last two of the chain are not nested yet.
    let nested = chain[..chain.len() - 2].windows(2);
    let nested = nested.map(|pair| (pair[1], Member::ChildGroup(pair[0])));
    world.join_many(nested).await;

    let add = async |user: &str, group| {
        let new = NewMembership::new(group, user_id(user));
        world.memberships().create(SYSTEM, new).await
    };
    let [.., last_but_one, last] = chain else {
        panic!("the chain is too short");
    };
    add("alice", chain[0]).await.unwrap();
    let thousandth = add("alice", *last_but_one).await.unwrap();
    fails(add("alice", *last).await, "MembershipLimitReached");
    fails(add("alice", *last_but_one).await, "MembershipExists");
    add("bob", *last).await.unwrap();
    add("alice", chain[1]).await.unwrap();

    let deleted = world.memberships().delete(SYSTEM, thousandth.id).await;
    deleted.unwrap();
    add("alice", *last).await.unwrap();
}

async fn calls_of_a_user_in_too_many_groups_take_turns(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let groups = world.many_groups(MAX_GROUPS_OF_USER + 1).await;
    let (ann, bob) = (user("ann"), user("bob"));
    // Nesting groups later is not limited.
    let members = [(groups[0], "ann"), (groups[1], "bob")];
    let members = members.map(|(group, name)| (group, Member::User(user_id(name))));
    let nested = groups[1..].iter();
    let nested = nested.map(|outer| (*outer, Member::ChildGroup(groups[0])));
    world.join_many(members.into_iter().chain(nested)).await;
    for caller in [&ann, &bob] {
        let groups = world.groups();
        let all = GroupFilter::default();
        groups.list(caller, &all, &everything()).await.unwrap();
        let turn = world.formalize.turn(caller).await;
        let another = world.formalize.turn(caller);
        if caller == &ann {
            let waited = tokio::time::timeout(Duration::from_millis(50), another).await;
            assert!(waited.is_err(), "they take turns");
        } else {
            drop(in_time("nothing waits", another).await);
        }
        drop(turn);
        let _turn = world.formalize.turn(caller).await;
    }
}
