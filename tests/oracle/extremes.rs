//! Scenarios of sizes that random ones do not reach.

use std::sync::Arc;

use formalize_core::store::Inserted;
use formalize_core::{
    Action, Actions, Caller, Error, Form, FormFilter, FormId, Group, GroupId, GroupName,
    InvalidFields, Member, Membership, MembershipId, NewMembership, PageRequest, PageSize,
    ResourceRef, Revision, Store, Subject, SubmissionRules, UuidV7Source,
};
use formalize_tests::on_every_store;
use formalize_tests::stores::{Database, run_on_store};
use formalize_tests::world::{START, World, everything, instant, user, user_id};

/// More than the maximum number of arguments of a PostgreSQL statement.
const MANY: usize = 65_537;

const LONG: usize = 2_000;

on_every_store! { a_chain_of_groups, a_ladder_of_groups }

// The store in memory looks at every membership for each one that is added, which would take minutes at this size.
#[tokio::test]
async fn a_group_of_many_members_in_sqlite() {
    run_on_store(Database::sqlite().await, a_group_of_many_members).await;
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn a_group_of_many_members_in_postgres() {
    run_on_store(Database::postgres().await, a_group_of_many_members).await;
}

async fn a_group_of_many_members(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let group = world.group("Everyone").await;
    let form = readable_by(&world, group).await;
    let name = |number: usize| format!("user {number}");
    let users = (0..MANY).map(|number| (group, Member::User(user_id(&name(number)))));
    join(&world, users).await;

    for number in [0, 1, MANY / 2, MANY - 2, MANY - 1] {
        assert!(reads(&world, &name(number), form).await, "{number}");
    }
    assert!(!reads(&world, &name(MANY), form).await);

    let memberships = members(&world, group).await;
    assert_eq!(memberships.len(), MANY);
    assert!(memberships.is_sorted_by(|a, b| a.id < b.id));
    let again = NewMembership {
        group,
        member: Member::User(user_id(&name(MANY - 1))),
    };
    let refused = world.memberships().create(&Caller::System, again).await;
    assert!(matches!(refused, Err(Error::MembershipExists)));

    let last = memberships.last().unwrap();
    let removed = world.memberships().delete(&Caller::System, last.id).await;
    removed.unwrap();
    assert!(!reads(&world, &name(MANY - 1), form).await);
    assert!(reads(&world, &name(MANY - 2), form).await);

    world.groups().delete(&Caller::System, group).await.unwrap();
    assert!(!reads(&world, &name(0), form).await);
    let first = memberships[0].id;
    let gone = world.memberships().get(&Caller::System, first).await;
    assert!(matches!(gone, Err(Error::MembershipNotFound)));
}

async fn a_chain_of_groups(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let groups = unmanaged_groups(&world, LONG).await;
    let (outermost, innermost) = (groups[0], groups[LONG - 1]);
    let links = groups.windows(2);
    join(
        &world,
        links.map(|pair| (pair[0], Member::ChildGroup(pair[1]))),
    )
    .await;
    let form = readable_by(&world, outermost).await;
    // The service would refuse this many groups.
    let ann = Member::User(user_id("ann"));
    join(&world, [(innermost, ann)].into_iter()).await;
    world.member(outermost, "bob").await;
    assert!(reads(&world, "ann", form).await && reads(&world, "bob", form).await);

    // Nesting is rejected wherever it would close a cycle.
    for (group, child) in [
        (innermost, outermost),
        (groups[LONG / 2], outermost),
        (innermost, groups[LONG / 2]),
        (innermost, innermost),
    ] {
        let member = Member::ChildGroup(child);
        let refused = world
            .memberships()
            .create(&Caller::System, NewMembership { group, member })
            .await;
        assert!(matches!(
            refused,
            Err(Error::InvalidFields(InvalidFields::Membership(_)))
        ));
    }

    let middle = groups[LONG / 2];
    let of_middle = members(&world, middle).await;
    let link = of_middle[0].id;
    let cut = world.memberships().delete(&Caller::System, link).await;
    cut.unwrap();
    assert!(!reads(&world, "ann", form).await && reads(&world, "bob", form).await);
    // After the removal, the other direction no longer closes a cycle.
    world.nest(innermost, outermost).await;
    assert!(!reads(&world, "ann", form).await && reads(&world, "bob", form).await);
}

/// Pairs of groups, each of which contains both groups of the next pair. The number of paths is 2 to the power of the
/// number of pairs.
async fn a_ladder_of_groups(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let groups = unmanaged_groups(&world, 100).await;
    let rungs: Vec<&[GroupId]> = groups.chunks(2).collect();
    let links = rungs.windows(2).flat_map(|pair| {
        let (above, below) = (pair[0], pair[1]);
        let links = above
            .iter()
            .flat_map(|it| below.iter().map(|child| (*it, *child)));
        links.collect::<Vec<_>>()
    });
    let links = links.map(|(group, child)| (group, Member::ChildGroup(child)));
    join(&world, links).await;
    let form = readable_by(&world, groups[0]).await;
    world.member(groups[99], "ann").await;
    assert!(reads(&world, "ann", form).await);
    let (group, member) = (groups[98], Member::ChildGroup(groups[1]));
    let refused = world
        .memberships()
        .create(&Caller::System, NewMembership { group, member })
        .await;
    assert!(matches!(
        refused,
        Err(Error::InvalidFields(InvalidFields::Membership(_)))
    ));
}

/// A form that the members of a group may read.
async fn readable_by(world: &World, group: GroupId) -> FormId {
    let form = world.form(SubmissionRules::default()).await;
    let (subject, resource) = (Subject::Group(group), ResourceRef::form(form));
    world.grant(&subject, &Action::READ, &resource).await;
    form
}

/// Whether a user may read a form. Checks, lists and granted actions must agree.
async fn reads(world: &World, name: &str, form: FormId) -> bool {
    let caller = user(name);
    let read = world.forms().get(&caller, form).await.is_ok();
    let page = world
        .forms()
        .list(&caller, &FormFilter::default(), &everything())
        .await;
    let listed: Vec<Form> = page.unwrap().items.into_iter().map(|it| it.item).collect();
    assert_eq!(listed.iter().any(|it| it.id == form), read);
    let granted = world.actions_on(&caller, &ResourceRef::form(form)).await;
    let expected: Actions = read.then_some(Action::READ).into_iter().collect();
    assert_eq!(granted, expected);
    read
}

/// The members of a group, page by page.
async fn members(world: &World, group: GroupId) -> Vec<Membership> {
    let size = PageSize::new(PageSize::MAX).unwrap();
    let mut request = everything();
    let mut members = Vec::new();
    loop {
        let page = world
            .memberships()
            .list(&Caller::System, group, &request)
            .await
            .unwrap();
        members.extend(page.items);
        let Some(next) = page.next else {
            return members;
        };
        request = PageRequest::after(next, size);
    }
}

/// Creates groups that are not resources, in one transaction.
async fn unmanaged_groups(world: &World, number: usize) -> Vec<GroupId> {
    let (now, ids) = (instant(START), UuidV7Source::new());
    let mut tx = world.store().write().await.unwrap();
    let mut groups = Vec::new();
    for _ in 0..number {
        let id = GroupId::from_uuid(ids.next(now));
        let group = Group {
            id,
            name: GroupName::new("Group").unwrap(),
            date_created: now,
            revision: Revision::from_uuid(ids.next(now)),
        };
        tx.insert_group(&group).await.unwrap();
        groups.push(id);
    }
    tx.commit().await.unwrap();
    groups
}

/// Adds members in one transaction.
async fn join(world: &World, pairs: impl Iterator<Item = (GroupId, Member)>) {
    let (now, ids) = (instant(START), UuidV7Source::new());
    let mut tx = world.store().write().await.unwrap();
    for (group, member) in pairs {
        let membership = Membership {
            id: MembershipId::from_uuid(ids.next(now)),
            group,
            member,
            date_created: now,
        };
        let inserted = tx.insert_membership(&membership).await.unwrap();
        assert_eq!(inserted, Inserted::Done);
    }
    tx.commit().await.unwrap();
}
