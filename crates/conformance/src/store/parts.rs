//! Stores that do not have every part: transactions agree on the parts, and the promises hold for what every store has.

use std::sync::Arc;

use uuid::Uuid;

use formalize_core::internals::scopes::{any_access, any_access_of_managers};
use formalize_core::store::scope::{GrantScope, ItemScope, Reached, ResourceScope};
use formalize_core::store::{Part, Store, StoreResult, Window, WriteTx};
use formalize_core::{Action, Grant, Member, Resource};

use crate::store::dump::{Contents, contents, members};
use crate::store::list::{ANY, List};
use crate::store::samples::{Ids, dynamic, group_name, holder, subjects, user};
use crate::store::scene::{GroupMade, Scene};

/// A part that can be read can be written, too, in every transaction.
pub async fn transactions_have_the_same_parts(store: Arc<dyn Store>) -> StoreResult<()> {
    let (mut once, mut long) = (store.read_once().await?, store.read_long().await?);
    let mut reading = store.read().await?;
    let mut writing = store.write().await?;
    for part in Part::ALL {
        let has = reading.has(*part);
        assert_eq!(
            once.has(*part),
            has,
            "{part:?} in a transaction for one query"
        );
        assert_eq!(long.has(*part), has, "{part:?} in a long transaction");
        assert_eq!(writing.has(*part), has, "{part:?} in a write transaction");
        assert_eq!(is_written(&mut *writing, *part), has, "{part:?} is written");
    }
    Ok(())
}

fn is_written(tx: &mut dyn WriteTx, part: Part) -> bool {
    match part {
        Part::Forms => tx.write_forms().is_ok(),
        Part::Submissions => tx.write_submissions().is_ok(),
        Part::Files => tx.write_files().is_ok(),
        Part::Links => tx.write_links().is_ok(),
        Part::Tokens => tx.write_tokens().is_ok(),
        Part::KeptResponses => tx.write_kept_responses().is_ok(),
        Part::Events => tx.write_events().is_ok(),
        Part::Webhooks => tx.write_webhooks().is_ok(),
    }
}

/// Two groups with a user each, of which the first contains the second, and an item. Both groups, a user and a dynamic group
/// manage all of these.
struct Shared {
    groups: [GroupMade; 2],
    thing: Resource,
    grants: Vec<Grant>,
}

impl Shared {
    async fn write(scene: &mut Scene) -> StoreResult<Self> {
        let groups = [scene.group("first").await?, scene.group("second").await?];
        let [first, second] = &groups;
        for member in [user("alice").into(), Member::ChildGroup(second.id())] {
            scene.member(first.id(), member).await?;
        }
        scene.member(second.id(), user("bob").into()).await?;
        let thing = scene.item("thing", "1").await?;
        let mut grants = Vec::new();
        for resource in [&first.resource, &second.resource, &thing] {
            let [first, second] = groups.each_ref().map(GroupMade::subject);
            for subject in [first, second, holder("alice"), dynamic("crowd")] {
                grants.push(scene.grant(&subject, Action::MANAGE, resource).await?);
            }
        }
        Ok(Self {
            groups,
            thing,
            grants,
        })
    }

    /// The identifiers of the grants that match a condition.
    fn grants(&self, remains: impl Fn(&Grant) -> bool) -> Vec<Uuid> {
        let rows = self.grants.iter().filter(|grant| remains(grant));
        rows.map(|grant| grant.id.as_uuid()).collect()
    }
}

const GRANTS: List = List::Grants(GrantScope::All, ANY);
const RESOURCES: List = List::Resources(ResourceScope::All, ANY);

/// Promises 1 and 4: a transaction sees its writes, and nothing is left of one that was dropped.
pub async fn groups_and_grants_of_a_dropped_write_are_undone(
    store: Arc<dyn Store>,
) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    Shared::write(&mut scene).await?;
    let seen = contents(&mut *scene.tx).await?;
    assert_eq!(seen.rows.len(), 2 + 3 + 3 + 12, "promise 4");
    drop(scene);
    let left = contents(&mut *store.read().await?).await?;
    assert_eq!(left, Contents::default(), "promise 1: nothing is left");

    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let kept = Shared::write(&mut scene).await?;
    scene.commit().await?;
    let before = contents(&mut *store.read().await?).await?;
    let mut tx = store.write().await?;
    let [first, second] = &kept.groups;
    let mut renamed = first.group.clone();
    renamed.name = group_name("renamed");
    tx.update_group(&renamed).await?;
    tx.delete_group(second.id()).await?;
    tx.delete_resource(kept.thing.id).await?;
    drop(tx);
    let after = contents(&mut *store.read().await?).await?;
    assert_eq!(after, before, "promise 1: nothing was changed");
    Ok(())
}

/// Promise 3: a read transaction sees groups and grants as they were when it began.
pub async fn groups_and_grants_are_read_in_one_state(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let shared = Shared::write(&mut scene).await?;
    scene.commit().await?;
    for (group, is_long) in shared.groups.iter().zip([false, true]) {
        let mut reader = if is_long {
            store.read_long().await?
        } else {
            store.read().await?
        };
        let before = contents(&mut *reader).await?;
        let mut scene = Scene::begin(&*store, &ids).await?;
        scene.group("added").await?;
        scene.tx.delete_group(group.id()).await?;
        scene.commit().await?;
        assert_eq!(contents(&mut *reader).await?, before, "promise 3");
        drop(reader);
        let after = contents(&mut *store.read().await?).await?;
        assert_ne!(after, before, "a later transaction sees it");
    }
    Ok(())
}

/// Promise 8: a group ends with its memberships, its resource, and the grants on it and of it.
pub async fn a_group_ends_with_its_grants(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let shared = Shared::write(&mut scene).await?;
    scene.commit().await?;
    let [first, second] = &shared.groups;
    let counted = store.read().await?.deletion_of_group(second.id()).await?;
    assert_eq!((counted.groups, counted.members), (1, 2), "promise 8");
    assert_eq!((counted.resources, counted.grants), (1, 4 + 2), "promise 8");
    let mut tx = store.write().await?;
    tx.delete_group(second.id()).await?;
    tx.commit().await?;

    let (why, all) = ("promise 8", List::Groups(ItemScope::All, None));
    all.must_hold(&*store, &[first.uuid()], why).await?;
    let left = [first.resource.id.as_uuid(), shared.thing.id.as_uuid()];
    RESOURCES.must_hold(&*store, &left, why).await?;
    let remain = shared.grants(|grant| {
        grant.resource.id != second.resource.id && grant.subject != second.subject()
    });
    GRANTS.must_hold(&*store, &remain, why).await?;
    let mut tx = store.read().await?;
    assert_eq!(tx.groups_of(&user("bob")).await?, [], "{why}");
    let left = members(first.id()).ids(&mut *tx, Window::ALL).await?;
    assert_eq!(left.len(), 1, "{why}: alice is left");
    Ok(())
}

/// Promise 8: a resource ends with the grants on it.
pub async fn an_item_ends_with_its_grants(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let shared = Shared::write(&mut scene).await?;
    scene.commit().await?;
    let mut tx = store.write().await?;
    tx.delete_resource(shared.thing.id).await?;
    tx.commit().await?;
    let remain = shared.grants(|grant| grant.resource.id != shared.thing.id);
    GRANTS.must_hold(&*store, &remain, "promise 8").await
}

/// Promises 6 and 11: resources and grants are listed for those who have access to them, in order and in windows.
pub async fn resources_are_listed_for_their_holders(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let shared = Shared::write(&mut scene).await?;
    let hidden = scene.item("thing", "hidden").await?;
    let others = scene.grant(&holder("bob"), Action::READ, &hidden).await?;
    scene.commit().await?;
    let reached = |ways| Reached {
        subjects: subjects([holder("alice"), dynamic("crowd")]),
        ways,
        managed_collections: vec![],
    };
    let [first, second] = &shared.groups;
    let mut visible: Vec<Uuid> = [&first.resource, &second.resource, &shared.thing]
        .map(|resource| resource.id.as_uuid())
        .into();
    let mut granted = shared.grants(|_| true);
    for (ways, sees_all) in [(any_access(), false), (any_access_of_managers(), true)] {
        if sees_all {
            visible.push(hidden.id.as_uuid());
            granted.push(others.id.as_uuid());
        }
        let resources = List::Resources(ResourceScope::Reached(reached(ways.clone())), ANY);
        resources.must_hold(&*store, &visible, "promise 11").await?;
        let grants = List::Grants(GrantScope::HeldOrOn(reached(ways)), ANY);
        grants.must_hold(&*store, &granted, "promise 11").await?;
        for list in [resources, grants] {
            let mut tx = store.read().await?;
            let all = list.ids(&mut *tx, Window::ALL).await?;
            let window = Window {
                after: all.first().copied().unwrap_or_default(),
                skip: 1,
                limit: 2,
                ..Window::ALL
            };
            let part = list.ids(&mut *tx, window).await?;
            let expected: Vec<Uuid> = all.into_iter().skip(2).take(2).collect();
            assert_eq!(part, expected, "promise 6: {list:?}");
        }
    }
    Ok(())
}
