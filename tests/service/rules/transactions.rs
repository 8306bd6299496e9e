//! Writes of an application and of the service in one transaction.

use std::sync::Arc;

use formalize_core::{Action, Error, ResourceFilter, Store, StoreError};
use formalize_tests::failing::{FailingStore, Failure};
use formalize_tests::on_every_store;
use formalize_tests::world::{World, action, everything, holder, new_grant, thing, user, user_id};

use super::{SYSTEM, fails};

on_every_store! {
    a_transaction_sees_and_commits_its_writes,
    a_dropped_transaction_is_rolled_back,
    a_rejected_call_leaves_the_transaction_usable,
    a_conflict_that_does_not_end_is_tried_three_times,
}

async fn a_transaction_sees_and_commits_its_writes(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (resources, grants) = (world.resources(), world.grants());
    let (one, write) = (thing("one"), action("write"));
    let (alice, bob) = (user("alice"), user("bob"));
    let manager = user_id("alice");
    let mut tx = world.store().write().await.unwrap();
    resources
        .register_in(tx.as_mut(), SYSTEM, one.clone(), Some(&manager))
        .await
        .unwrap();
    let new = new_grant(&holder("bob"), &write, &one);
    let made = grants.create_in(tx.as_mut(), &alice, new).await.unwrap();
    let granted = resources
        .is_granted_in(tx.as_mut(), &bob, &one, &write)
        .await;
    assert!(granted.unwrap());
    let actions = resources.granted_actions_in(tx.as_mut(), &bob, &one).await;
    assert!(actions.unwrap().iter().eq([&write]));
    let filter = ResourceFilter::default();
    let listed = resources
        .list_in(tx.as_mut(), &bob, &filter, &everything())
        .await
        .unwrap();
    assert_eq!(listed.items[0].item.resource, one);
    let outside = resources.granted_actions(&bob, &one).await.unwrap();
    assert!(outside.is_empty(), "not visible before the commit");
    tx.commit().await.unwrap();
    assert!(resources.is_granted(&bob, &one, &write).await.unwrap());
    assert!(grants.get(&bob, made.item.id).await.is_ok());

    let mut tx = world.store().write().await.unwrap();
    resources
        .deregister_in(tx.as_mut(), SYSTEM, &one)
        .await
        .unwrap();
    let actions = resources
        .granted_actions_in(tx.as_mut(), &alice, &one)
        .await;
    assert!(actions.unwrap().is_empty());
    tx.commit().await.unwrap();
    fails(grants.get(SYSTEM, made.item.id).await, "GrantNotFound");
}

async fn a_dropped_transaction_is_rolled_back(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let resources = world.resources();
    let kept = world.thing("kept").await;
    let grant = world.grant_to("alice", &Action::MANAGE, &kept).await;
    let mut tx = world.store().write().await.unwrap();
    let manager = user_id("alice");
    let registered = resources.register_in(tx.as_mut(), SYSTEM, thing("lost"), Some(&manager));
    let lost = registered.await.unwrap();
    resources
        .deregister_in(tx.as_mut(), SYSTEM, &kept)
        .await
        .unwrap();
    drop(tx);
    fails(resources.get(SYSTEM, lost.id).await, "ResourceNotFound");
    assert!(world.grants().get(SYSTEM, grant).await.is_ok());
    world.thing("lost").await;
}

async fn a_rejected_call_leaves_the_transaction_usable(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let resources = world.resources();
    world.thing("there").await;
    let mut tx = world.store().write().await.unwrap();
    let again = resources.register_in(tx.as_mut(), SYSTEM, thing("there"), None);
    fails(again.await, "ResourceExists");
    let alice = user("alice");
    let by_alice = resources.register_in(tx.as_mut(), &alice, thing("new"), None);
    fails(by_alice.await, "Forbidden");
    let new = resources.register_in(tx.as_mut(), SYSTEM, thing("new"), None);
    let new = new.await.unwrap();
    tx.commit().await.unwrap();
    assert!(resources.get(SYSTEM, new.id).await.is_ok());
}

async fn a_conflict_that_does_not_end_is_tried_three_times(store: Arc<dyn Store>) {
    let failing = FailingStore::around(store);
    let world = World::on(Arc::new(failing.clone())).await;
    let group = world.group("Editors").await;
    for method in ["write", "delete_group", "commit"] {
        let (failures, retries) = (failing.failures(), world.statistics().retries);
        failing.fail_at(method, Failure::Conflict);
        let deleted = world.groups().delete(SYSTEM, group).await;
        failing.recover();
        let is_conflict = matches!(deleted, Err(Error::Store(StoreError::Conflict(_))));
        assert!(is_conflict, "{method}: {deleted:?}");
        assert_eq!(failing.failures() - failures, 3, "{method}");
        assert_eq!(world.statistics().retries - retries, 2, "{method}");
    }
    world.groups().delete(SYSTEM, group).await.unwrap();
}
