//! Promise 12: groups are found through memberships at any depth, and the search terminates.

use std::sync::Arc;

use uuid::Uuid;

use formalize_core::store::{ReadTx, Store, StoreResult};
use formalize_core::{GroupId, Member, UserId};

use crate::store::dump::members;
use crate::store::samples::{Ids, user};
use crate::store::scene::{GroupMade, Scene};
use crate::store::tasks::promptly;

/// Creates groups without members.
async fn groups<const N: usize>(scene: &mut Scene) -> StoreResult<[GroupId; N]> {
    let mut ids = [GroupId::from_uuid(Uuid::nil()); N];
    for id in &mut ids {
        *id = scene.group("a group").await?.id();
    }
    Ok(ids)
}

async fn nest(scene: &mut Scene, inner: GroupId, outer: GroupId) -> StoreResult<()> {
    let member = Member::ChildGroup(inner);
    scene.member(outer, member).await.map(drop)
}

async fn join(scene: &mut Scene, user: &UserId, group: GroupId) -> StoreResult<()> {
    let member = Member::User(user.clone());
    scene.member(group, member).await.map(drop)
}

/// Fails unless the user is in exactly these groups.
async fn must_be_in(tx: &mut dyn ReadTx, user: &UserId, expected: &[GroupId]) -> StoreResult<()> {
    let search = tx.groups_of(user);
    let mut found = promptly(search, "promise 12: the search terminates").await?;
    found.sort_unstable();
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    assert_eq!(found, expected, "promise 12: the groups of {user:?}");
    Ok(())
}

async fn is_within(tx: &mut dyn ReadTx, inner: GroupId, outer: GroupId) -> StoreResult<bool> {
    let search = tx.is_within(inner, outer);
    promptly(search, "promise 12: the search terminates").await
}

/// Promise 12: a user is in the groups that contain the user's groups, and not in those that they contain.
pub async fn groups_are_found_upwards(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let [top, middle, bottom, aside] = groups(&mut scene).await?;
    let (alice, bob, carol) = (user("alice"), user("bob"), user("carol"));
    nest(&mut scene, bottom, middle).await?;
    nest(&mut scene, middle, top).await?;
    nest(&mut scene, aside, top).await?;
    join(&mut scene, &alice, bottom).await?;
    join(&mut scene, &bob, top).await?;
    join(&mut scene, &bob, aside).await?;
    scene.commit().await?;
    let mut tx = store.read().await?;
    must_be_in(&mut *tx, &alice, &[bottom, middle, top]).await?;
    must_be_in(&mut *tx, &bob, &[top, aside]).await?;
    must_be_in(&mut *tx, &carol, &[]).await?;
    assert!(is_within(&mut *tx, bottom, top).await?);
    assert!(is_within(&mut *tx, middle, middle).await?, "within itself");
    assert!(!is_within(&mut *tx, top, bottom).await?, "not downwards");
    assert!(!is_within(&mut *tx, bottom, aside).await?, "not sideways");
    Ok(())
}

/// Promise 12: deleting a membership removes the paths through it, and nothing else.
pub async fn groups_are_lost_with_the_membership(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let [top, left, right, bottom] = groups(&mut scene).await?;
    let alice = user("alice");
    join(&mut scene, &alice, bottom).await?;
    let member = Member::ChildGroup(bottom);
    let through_left = scene.member(left, member.clone()).await?;
    let through_right = scene.member(right, member).await?;
    nest(&mut scene, left, top).await?;
    nest(&mut scene, right, top).await?;
    let tx = &mut *scene.tx;
    must_be_in(tx, &alice, &[bottom, left, right, top]).await?;
    assert!(tx.delete_membership(through_left.id).await?);
    must_be_in(tx, &alice, &[bottom, right, top]).await?;
    assert!(tx.delete_membership(through_right.id).await?);
    must_be_in(tx, &alice, &[bottom]).await?;
    assert!(!is_within(tx, bottom, top).await?);
    scene.commit().await
}

/// Promise 12: a group that can be reached on several paths is found once.
pub async fn diamonds_give_each_group_once(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let alice = user("alice");
    let mut all = Vec::new();
    let mut below: Option<[GroupId; 2]> = None;
    // Twelve levels of two groups, each a member of both groups above: 4096 paths lead to the top.
    for _ in 0..12 {
        let level: [GroupId; 2] = groups(&mut scene).await?;
        for outer in level {
            match below {
                None => join(&mut scene, &alice, outer).await?,
                Some([left, right]) => {
                    nest(&mut scene, left, outer).await?;
                    nest(&mut scene, right, outer).await?;
                }
            }
        }
        all.extend(level);
        below = Some(level);
    }
    scene.commit().await?;
    must_be_in(&mut *store.read().await?, &alice, &all).await
}

/// Promise 12: a chain of fifty groups is followed to its end.
pub async fn chains_are_walked_to_their_end(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let alice = user("alice");
    let chain: [GroupId; 50] = groups(&mut scene).await?;
    for pair in chain.windows(2) {
        if let [inner, outer] = pair {
            nest(&mut scene, *inner, *outer).await?;
        }
    }
    let [first, .., last] = chain;
    join(&mut scene, &alice, first).await?;
    assert!(is_within(&mut *scene.tx, first, last).await?);
    assert!(!is_within(&mut *scene.tx, last, first).await?);
    scene.commit().await?;
    must_be_in(&mut *store.read().await?, &alice, &chain).await
}

/// Promise 12: the search terminates in a cycle. Services reject cycles, and stores do not.
pub async fn cycles_end(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let [first, second, third, outside] = groups(&mut scene).await?;
    let alice = user("alice");
    nest(&mut scene, first, second).await?;
    nest(&mut scene, second, third).await?;
    nest(&mut scene, third, first).await?;
    nest(&mut scene, third, outside).await?;
    join(&mut scene, &alice, second).await?;
    scene.commit().await?;
    let mut tx = store.read().await?;
    must_be_in(&mut *tx, &alice, &[first, second, third, outside]).await?;
    assert!(is_within(&mut *tx, first, third).await?);
    assert!(is_within(&mut *tx, third, first).await?);
    assert!(is_within(&mut *tx, first, outside).await?);
    assert!(!is_within(&mut *tx, outside, first).await?);
    Ok(())
}

/// Promise 12: a user whose identifier equals that of a group is not that group.
pub async fn users_are_not_groups(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let GroupMade { group, .. } = scene.group("inner").await?;
    let [outer, other] = groups(&mut scene).await?;
    let namesake = user(&group.id.to_string());
    nest(&mut scene, group.id, outer).await?;
    join(&mut scene, &namesake, other).await?;
    join(&mut scene, &user("alice"), group.id).await?;
    scene.commit().await?;
    let mut tx = store.read().await?;
    must_be_in(&mut *tx, &namesake, &[other]).await?;
    must_be_in(&mut *tx, &user("alice"), &[group.id, outer]).await?;
    assert!(!is_within(&mut *tx, group.id, other).await?);
    Ok(())
}

/// The members of a group are its direct ones, and not those of its children or parents.
pub async fn only_direct_members_are_listed(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let [top, middle, bottom] = groups(&mut scene).await?;
    let child = scene.member(top, Member::ChildGroup(middle)).await?;
    let alice = scene.member(top, Member::User(user("alice"))).await?;
    nest(&mut scene, bottom, middle).await?;
    join(&mut scene, &user("bob"), middle).await?;
    scene.commit().await?;
    let direct = [child.id.as_uuid(), alice.id.as_uuid()];
    members(top)
        .must_hold(&*store, &direct, "the direct members")
        .await?;
    members(bottom)
        .must_hold(&*store, &[], "a group without members")
        .await
}
