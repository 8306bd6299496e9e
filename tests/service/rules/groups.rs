use std::sync::Arc;

use formalize_core::{
    Action, GroupChange, GroupFilter, GroupId, GroupName, InvalidFields, ResourceFilter,
    ResourceRef, Store, Subject,
};
use formalize_tests::on_every_store;
use formalize_tests::world::{World, everything, holder, new_group, user};
use uuid::Uuid;

use super::{SYSTEM, fails};

on_every_store! {
    the_creator_manages_by_an_ordinary_grant,
    items_created_by_the_system_have_no_manager,
    names_need_not_be_unique,
    groups_are_ensured_once,
    search_folds_case_and_nothing_else,
    callers_without_read_access_do_not_see_the_change,
    every_change_creates_a_revision,
    unknown_identifiers_are_not_found,
    deleting_a_group_deletes_all_that_depends_on_it,
}

async fn the_creator_manages_by_an_ordinary_grant(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let collection = ResourceRef::collection(formalize_core::ResourceClass::GROUP);
    world.grant_to("alice", &Action::CREATE, &collection).await;
    let created = world
        .groups()
        .create(&user("alice"), new_group("Mine"))
        .await;
    let created = created.unwrap();
    assert_eq!(created.granted_actions, formalize_core::Actions::manage());
    let filter = ResourceFilter::of(ResourceRef::group(created.item.id));
    let grants = world.grants();
    let on_group = grants.list(SYSTEM, &filter, &everything()).await.unwrap();
    let [grant] = &on_group.items[..] else {
        panic!("expected one grant: {on_group:?}");
    };
    assert_eq!(grant.item.subject, holder("alice"));
    assert_eq!(grant.item.action, Action::MANAGE);
    let resource = ResourceRef::group(created.item.id);
    world.grant_to("bob", &Action::MANAGE, &resource).await;
    grants.delete(&user("alice"), grant.item.id).await.unwrap();
    let read = world.groups().get(&user("alice"), created.item.id).await;
    fails(read, "Forbidden");
}

async fn items_created_by_the_system_have_no_manager(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    world.group("Nobody's").await;
    let filter = ResourceFilter::default();
    let grants = world.grants().list(SYSTEM, &filter, &everything()).await;
    assert_eq!(grants.unwrap().items, []);
}

async fn names_need_not_be_unique(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    assert_ne!(world.group("Same").await, world.group("Same").await);
}

#[test]
fn names_have_1_to_128_characters_and_are_not_blank() {
    for name in ["x", " x ", &"ä".repeat(128), "a/b", "%"] {
        assert_eq!(GroupName::new(name).unwrap().as_str(), name);
    }
    for name in ["", " ", "\u{2003}", "a\nb", "a\0b", &"ä".repeat(129)] {
        assert!(
            matches!(GroupName::new(name), Err(InvalidFields::Group(_))),
            "{name:?}"
        );
    }
}

async fn search_folds_case_and_nothing_else(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let names = [
        "Ärzte",
        "ÄRZTE 2",
        "Arzte",
        "100 %",
        "100 X",
        "a_b",
        "axb",
        r"back\slash",
        "Straße",
        "STRASSE",
        "caf\u{e9}",
        "cafe\u{301}",
        "ΣΊΣΥΦΟΣ",
        "a%b",
        "*",
    ];
    for name in names {
        world.group(name).await;
    }
    let found = async |search: &str| {
        let filter = GroupFilter {
            search: Some(search.to_owned()),
        };
        let page = world.groups().list(SYSTEM, &filter, &everything()).await;
        let names = page.unwrap().items.into_iter();
        names
            .map(|it| it.item.name.as_str().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(found("").await, names);
    assert_eq!(found("ärz").await, ["Ärzte", "ÄRZTE 2"]);
    assert_eq!(found("ÄRZ").await, ["Ärzte", "ÄRZTE 2"]);
    assert_eq!(found("arz").await, ["Arzte"]);
    assert_eq!(found("%").await, ["100 %", "a%b"]);
    assert_eq!(found("0 %").await, ["100 %"]);
    assert_eq!(found("_").await, ["a_b"]);
    assert_eq!(found("\\").await, [r"back\slash"]);
    assert_eq!(found("K\\S").await, [r"back\slash"]);
    assert_eq!(found("*").await, ["*"]);
    assert_eq!(found("STRAẞE").await, ["Straße"]);
    assert_eq!(found("strasse").await, ["STRASSE"]);
    assert_eq!(found("CAF\u{c9}").await, ["caf\u{e9}"]);
    assert_eq!(found("cafe\u{301}").await, ["cafe\u{301}"]);
    assert_eq!(found("σίσυφος").await, ["ΣΊΣΥΦΟΣ"]);
    assert_eq!(found("nobody").await, [""; 0]);
    assert_eq!(found("\0").await, [""; 0]);
}

async fn callers_without_read_access_do_not_see_the_change(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let group = world.group("Old").await;
    let resource = ResourceRef::group(group);
    world.grant_to("alice", &Action::UPDATE, &resource).await;
    let rename = |name| GroupChange {
        name: Some(GroupName::new(name).unwrap()),
    };
    let groups = world.groups();
    let shown = groups.update(&user("alice"), group, rename("New")).await;
    assert_eq!(shown.unwrap(), None);
    let read = groups.get(SYSTEM, group).await.unwrap();
    assert_eq!(read.item.name.as_str(), "New");
    world.grant_to("alice", &Action::READ, &resource).await;
    let shown = groups.update(&user("alice"), group, rename("Newer")).await;
    assert_eq!(shown.unwrap().unwrap().item.name.as_str(), "Newer");
}

async fn every_change_creates_a_revision(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let group = world.group("Group").await;
    let before = world.groups().get(SYSTEM, group).await.unwrap().item;
    let change = GroupChange::default();
    let after = world.groups().update(SYSTEM, group, change).await;
    let after = after.unwrap().unwrap().item;
    assert_ne!(after.revision, before.revision);
    let same = formalize_core::Group {
        revision: after.revision,
        ..before
    };
    assert_eq!(after, same);
    assert_eq!(world.groups().get(SYSTEM, group).await.unwrap().item, after);
}

async fn groups_are_ensured_once(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let groups = world.groups();
    let id: GroupId = "019ab3f2-5c80-7d3e-8a51-6f0f3d9c2b47".parse().unwrap();
    let first = groups.ensure(SYSTEM, id, new_group("Editors")).await;
    let first = first.unwrap();
    assert_eq!((first.item.id, first.item.name.as_str()), (id, "Editors"));
    let again = groups.ensure(SYSTEM, id, new_group("Authors")).await;
    assert_eq!(again.unwrap(), first);
    assert_eq!(groups.get(SYSTEM, id).await.unwrap(), first);

    let by_user = groups.ensure(&user("alice"), id, new_group("Mine")).await;
    fails(by_user, "Forbidden");
    let nil = GroupId::from_uuid(Uuid::nil());
    let refused = groups.ensure(SYSTEM, nil, new_group("Nil")).await;
    fails(refused, "InvalidValue(Id(InvalidId))");
}

async fn unknown_identifiers_are_not_found(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let group = world.group("Group").await;
    let upper = group.to_string().to_uppercase().parse().unwrap();
    assert!(world.groups().get(SYSTEM, upper).await.is_ok());
    for unknown in [Uuid::nil(), Uuid::max()] {
        let nothing = GroupId::from_uuid(unknown);
        fails(
            world.groups().get(SYSTEM, nothing).await,
            "GroupNotFound(None)",
        );
        let caller = user("stranger");
        let change = GroupChange::default();
        let updated = world.groups().update(&caller, nothing, change).await;
        fails(updated, "GroupNotFound(None)");
        fails(
            world.groups().delete(&caller, nothing).await,
            "GroupNotFound(None)",
        );
    }
}

async fn deleting_a_group_deletes_all_that_depends_on_it(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (outer, group, inner) = (
        world.group("Outer").await,
        world.group("Group").await,
        world.group("Inner").await,
    );
    let in_outer = world.nest(outer, group).await;
    let in_group = world.nest(group, inner).await;
    world.member(inner, "alice").await;
    let resource = ResourceRef::group(group);
    let on_group = world.grant_to("bob", &Action::MANAGE, &resource).await;
    let shared = world.thing("shared").await;
    let held = Subject::Group(group);
    let only_manager = world.grant(&held, &Action::MANAGE, &shared).await;
    let by_outer = world
        .grant(
            &Subject::Group(outer),
            &formalize_tests::world::action("write"),
            &shared,
        )
        .await;
    world.groups().delete(&user("bob"), group).await.unwrap();

    let memberships = world.memberships();
    fails(
        memberships.get(SYSTEM, in_outer).await,
        "MembershipNotFound",
    );
    fails(
        memberships.get(SYSTEM, in_group).await,
        "MembershipNotFound",
    );
    let grants = world.grants();
    fails(grants.get(SYSTEM, on_group).await, "GrantNotFound");
    fails(grants.get(SYSTEM, only_manager).await, "GrantNotFound");
    assert!(grants.get(SYSTEM, by_outer).await.is_ok());
    let on_group = world.actions_on(SYSTEM, &resource).await;
    assert!(on_group.is_empty(), "the resource was deleted");
    let alices = world.actions_on(&user("alice"), &shared).await;
    assert!(alices.is_empty(), "no membership is left");
    let inner = world.groups().get(SYSTEM, inner).await;
    assert_eq!(inner.unwrap().item.name.as_str(), "Inner");
}
