//! Races between changes of groups, grants and resources.

use formalize_core::{
    Action, DynamicGroupId, Error, GrantId, GroupId, InvalidFields, Member, NewMembership,
    ResourceRef, Subject, SubmissionRules, SubmissionState, authorization::MAX_GROUPS_OF_USER,
};
use formalize_tests::on_every_database;
use formalize_tests::stores::Database;
use formalize_tests::world::{everything, holder, new_grant, thing, user, user_id};

use super::{ROUNDS, SYSTEM, Servers, grants_on, successes};

on_every_database! {
    groups_never_contain_each_other,
    three_groups_never_form_a_ring,
    one_manager_remains_when_two_remove_each_other,
    one_manager_remains_when_two_leave,
    concurrent_additions_create_one_membership,
    duplicate_grants_are_rejected,
    the_limit_of_groups_is_exact,
    duplicate_resources_are_rejected,
    deleting_a_group_deletes_its_grants,
    groups_with_grants_on_each_other_are_deleted_concurrently,
    a_group_and_a_form_it_holds_grants_on_are_deleted_concurrently,
}

/// Nests every group in the next one at the same time. At least one of the calls must fail.
async fn nest_in_a_ring(servers: &Servers, size: usize) {
    for _ in 0..ROUNDS {
        let mut groups: Vec<GroupId> = Vec::new();
        for _ in 0..size {
            groups.push(servers.one().group("Group").await);
        }
        let outcomes = servers
            .race(size, |index, server| {
                let new = NewMembership {
                    group: groups[(index + 1) % size],
                    member: Member::ChildGroup(groups[index]),
                };
                async move { server.memberships().create(SYSTEM, new).await }
            })
            .await;
        let nested = successes(&outcomes, |it| {
            matches!(it, Error::InvalidFields(InvalidFields::Membership(_)))
        });
        assert_eq!(
            nested,
            size - 1,
            "the last of them would have closed the ring"
        );
    }
}

async fn groups_never_contain_each_other(database: &Database) {
    nest_in_a_ring(&Servers::on(database).await, 2).await;
}

async fn three_groups_never_form_a_ring(database: &Database) {
    nest_in_a_ring(&Servers::on(database).await, 3).await;
}

/// Two managers of a group each delete one of the two `manage` grants at the same time.
async fn delete_manage_grants(servers: &Servers, own: bool) {
    for _ in 0..ROUNDS {
        let group = servers.one().group("Group").await;
        let resource = ResourceRef::group(group);
        let managers = ["alice", "bob"];
        let mut grants: Vec<GrantId> = Vec::new();
        for manager in managers {
            let grant = servers.one().grant_to(manager, &Action::MANAGE, &resource);
            grants.push(grant.await);
        }
        let outcomes = servers
            .race(2, |index, server| {
                let grant = grants[if own { index } else { 1 - index }];
                async move { server.grants().delete(&user(managers[index]), grant).await }
            })
            .await;
        let deleted = successes(&outcomes, |it| {
            matches!(it, Error::LastManageGrant | Error::Forbidden)
        });
        assert_eq!(deleted, 1);
        assert_eq!(grants_on(servers.one(), &resource).await.len(), 1);
    }
}

async fn one_manager_remains_when_two_remove_each_other(database: &Database) {
    delete_manage_grants(&Servers::on(database).await, false).await;
}

async fn one_manager_remains_when_two_leave(database: &Database) {
    delete_manage_grants(&Servers::on(database).await, true).await;
}

async fn concurrent_additions_create_one_membership(database: &Database) {
    let servers = Servers::on(database).await;
    let group = servers.one().group("Group").await;
    let child = servers.one().group("Child").await;
    for member in [Member::User(user_id("alice")), Member::ChildGroup(child)] {
        let outcomes = servers
            .race(8, |_, server| {
                let new = NewMembership {
                    group,
                    member: member.clone(),
                };
                async move { server.memberships().create(SYSTEM, new).await }
            })
            .await;
        let added = successes(&outcomes, |it| matches!(it, Error::MembershipExists));
        assert_eq!(added, 1);
    }
    let memberships = servers.one().memberships();
    let members = memberships.list(SYSTEM, group, &everything()).await;
    assert_eq!(members.unwrap().items.len(), 2);
}

async fn duplicate_grants_are_rejected(database: &Database) {
    let servers = Servers::on(database).await;
    let group = servers.one().group("Group").await;
    let resource = ResourceRef::group(group);
    let subjects = [
        holder("alice"),
        Subject::Group(servers.one().group("Holding").await),
        Subject::DynamicGroup(DynamicGroupId::EVERYBODY),
    ];
    for subject in &subjects {
        let outcomes = servers
            .race(8, |_, server| {
                let new = new_grant(subject, &Action::READ, &resource);
                async move { server.grants().create(SYSTEM, new).await }
            })
            .await;
        let made = successes(&outcomes, |it| matches!(it, Error::GrantExists));
        assert_eq!(made, 1);
    }
    assert_eq!(grants_on(servers.one(), &resource).await.len(), 3);
}

async fn duplicate_resources_are_rejected(database: &Database) {
    let servers = Servers::on(database).await;
    let outcomes = servers
        .race(8, |_, server| async move {
            let manager = user_id("alice");
            let resources = server.resources();
            resources
                .register(SYSTEM, thing("one"), Some(&manager))
                .await
        })
        .await;
    let registered = successes(&outcomes, |it| matches!(it, Error::ResourceExists));
    assert_eq!(registered, 1);
    assert_eq!(grants_on(servers.one(), &thing("one")).await.len(), 1);
}

async fn deleting_a_group_deletes_its_grants(database: &Database) {
    let servers = Servers::on(database).await;
    let other = servers.one().group("Other").await;
    let resource = ResourceRef::group(other);
    for _ in 0..ROUNDS {
        let group = servers.one().group("Group").await;
        let new = new_grant(&Subject::Group(group), &Action::READ, &resource);
        let outcomes = servers
            .race(5, |index, server| {
                let new = new.clone();
                async move {
                    let member = |group, member| NewMembership { group, member };
                    let memberships = server.memberships();
                    match index {
                        0 => server.groups().delete(SYSTEM, group).await,
                        1 => server.grants().create(SYSTEM, new).await.map(drop),
                        2 => {
                            let new = member(other, Member::ChildGroup(group));
                            memberships.create(SYSTEM, new).await.map(drop)
                        }
                        3 => {
                            let new = member(group, Member::ChildGroup(other));
                            memberships.create(SYSTEM, new).await.map(drop)
                        }
                        _ => {
                            let new = member(group, Member::User(user_id("alice")));
                            memberships.create(SYSTEM, new).await.map(drop)
                        }
                    }
                }
            })
            .await;
        successes(&outcomes, |it| {
            matches!(
                it,
                Error::GroupNotFound(_) | Error::InvalidFields(InvalidFields::Membership(_))
            )
        });
        assert!(outcomes[0].is_ok());
        assert_eq!(grants_on(servers.one(), &resource).await, []);
        let memberships = servers.one().memberships();
        let members = memberships.list(SYSTEM, other, &everything()).await;
        assert_eq!(members.unwrap().items, []);
        let mut tx = servers.one().store().read().await.unwrap();
        assert_eq!(tx.groups_of(&user_id("alice")).await.unwrap(), []);
    }
}

/// Each deletion also removes grants and memberships that the other one removes. Neither may deadlock.
async fn groups_with_grants_on_each_other_are_deleted_concurrently(database: &Database) {
    let servers = Servers::on(database).await;
    for _ in 0..ROUNDS {
        let world = servers.one();
        let groups = [world.group("Outer").await, world.group("Inner").await];
        world.nest(groups[0], groups[1]).await;
        for (index, group) in groups.into_iter().enumerate() {
            let resource = ResourceRef::group(groups[1 - index]);
            for granted in [Action::READ, Action::UPDATE, Action::DELETE] {
                world
                    .grant(&Subject::Group(group), &granted, &resource)
                    .await;
            }
        }
        let outcomes = servers
            .race(2, |index, server| async move {
                server.groups().delete(SYSTEM, groups[index]).await
            })
            .await;
        assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    }
}

/// The deletion of the group removes its grants on the form, and so does the deletion of the form.
async fn a_group_and_a_form_it_holds_grants_on_are_deleted_concurrently(database: &Database) {
    let servers = Servers::on(database).await;
    for _ in 0..ROUNDS {
        let world = servers.one();
        let group = world.group("Group").await;
        let rules = SubmissionRules {
            grant_based: true,
            ..SubmissionRules::default()
        };
        let form = world.form(rules).await;
        let mut resources = vec![ResourceRef::form(form)];
        for _ in 0..5 {
            let made = world.submission("alice", form, SubmissionState::Submitted);
            resources.push(ResourceRef::submission(made.await));
        }
        for resource in &resources {
            for granted in [Action::UPDATE, Action::READ, Action::DELETE] {
                world
                    .grant(&Subject::Group(group), &granted, resource)
                    .await;
            }
        }
        let outcomes = servers
            .race(2, |index, server| async move {
                match index {
                    0 => server.groups().delete(SYSTEM, group).await,
                    _ => server.forms().delete(SYSTEM, form).await,
                }
            })
            .await;
        assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    }
}

async fn the_limit_of_groups_is_exact(database: &Database) {
    let servers = Servers::on(database).await;
    let world = servers.one();
    for round in 0..3 {
        let user = user_id(&format!("user-{round}"));
        let groups = world.many_groups(MAX_GROUPS_OF_USER + 7).await;
        let (joined, others) = groups.split_at(MAX_GROUPS_OF_USER - 1);
        let joined = joined.iter().map(|group| (*group, user.clone().into()));
        world.join_many(joined).await;
        let outcomes = servers
            .race(others.len(), |index, server| {
                let new = NewMembership::new(others[index], user.clone());
                async move { server.memberships().create(SYSTEM, new).await }
            })
            .await;
        let added = successes(&outcomes, |it| matches!(it, Error::MembershipLimitReached));
        assert_eq!(added, 1);
    }
}
