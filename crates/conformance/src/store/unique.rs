//! Promise 7: of two records with the same key, the second is rejected and the transaction remains usable.

use std::sync::Arc;
use std::time::Duration;

use formalize_core::store::{Inserted, Store, StoreResult, WriteTx};
use formalize_core::{
    Action, Form, GrantId, GroupId, Member, MembershipId, Resource, ResourceClass, ResourceId,
    ResourceRef, Subject, SubmissionRules,
    idempotency::{Fingerprint, IdempotencyKey, KeptResponse},
};

use crate::store::dump::contents;
use crate::store::list::Row;
use crate::store::samples::{
    Ids, class, dynamic, holder, idempotency_key, instant, item, limit, now, user,
};
use crate::store::scene::Scene;
use crate::store::tasks::{joined, pause, promptly, together};

const FIRST: &str = "promise 7: a key that is free";
const SECOND: &str = "promise 7: a key that is taken";

/// Promise 7: a membership is unique; every part of its key matters.
pub async fn memberships_are_unique(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let (first, second) = (scene.group("first").await?, scene.group("second").await?);
    let inner = scene.group("inner").await?.id();
    let keys = [
        (first.id(), Member::User(user("alice"))),
        (first.id(), Member::User(user("bob"))),
        (second.id(), Member::User(user("alice"))),
        (first.id(), Member::ChildGroup(inner)),
        (second.id(), Member::ChildGroup(inner)),
        (first.id(), Member::User(user(&inner.to_string()))),
    ];
    let tx = &mut scene.tx;
    for (group, member) in &keys {
        let membership = ids.membership(*group, member.clone());
        let inserted = tx.insert_membership(&membership).await?;
        assert_eq!(inserted, Inserted::Done, "{FIRST}: {membership:?}");
    }
    let before = contents(&mut **tx).await?;
    for (group, member) in keys {
        let membership = ids.membership(group, member);
        let inserted = tx.insert_membership(&membership).await?;
        assert_eq!(inserted, Inserted::Exists, "{SECOND}: {membership:?}");
    }
    assert_eq!(contents(&mut **tx).await?, before, "nothing was written");
    scene.commit().await?;
    let after = contents(&mut *store.read().await?).await?;
    assert_eq!(after, before, "promise 7: the transaction remains usable");
    Ok(())
}

/// Promise 7: the identifier of a form is unique.
pub async fn forms_are_unique(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let unlimited = SubmissionRules::default();
    let limited = SubmissionRules {
        limit: Some(limit(5)),
        ..SubmissionRules::default()
    };
    for (rules, others) in [(unlimited, limited), (limited, unlimited)] {
        let first = scene.form(rules).await?.form;
        let before = contents(&mut *scene.tx).await?;
        let second = Form {
            id: first.id,
            ..ids.form(others)
        };
        let inserted = scene.tx.write_forms()?.insert_form(&second).await?;
        assert_eq!(inserted, Inserted::Exists, "{SECOND}");
        assert_eq!(
            contents(&mut *scene.tx).await?,
            before,
            "nothing was written"
        );
        assert_eq!(
            scene.tx.read_forms()?.find_form(first.id).await?,
            Some(first),
            "{SECOND}"
        );
    }
    let before = contents(&mut *scene.tx).await?;
    scene.commit().await?;
    let after = contents(&mut *store.read().await?).await?;
    assert_eq!(after, before, "promise 7: the transaction remains usable");
    Ok(())
}

/// Promise 7: a resource is unique, including the collection of a class; every part of its key matters.
pub async fn resources_are_unique(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let keys = [
        item("thing", "1"),
        item("thing", "2"),
        item("other", "1"),
        ResourceRef::collection(class("thing")),
        ResourceRef::collection(ResourceClass::FORM),
        ResourceRef::collection(class("other")),
    ];
    let mut tx = store.write().await?;
    for key in &keys {
        let resource = ids.resource(key.clone(), None);
        let inserted = tx.insert_resource(&resource).await?;
        assert_eq!(inserted, Inserted::Done, "{FIRST}: {key:?}");
    }
    let before = contents(&mut *tx).await?;
    for key in keys {
        let resource = ids.resource(key, None);
        let inserted = tx.insert_resource(&resource).await?;
        assert_eq!(inserted, Inserted::Exists, "{SECOND}: {resource:?}");
    }
    assert_eq!(contents(&mut *tx).await?, before, "nothing was written");
    tx.commit().await?;
    let after = contents(&mut *store.read().await?).await?;
    assert_eq!(after, before, "promise 7: the transaction remains usable");
    Ok(())
}

/// Promise 7: a grant is unique; every part of its key matters.
pub async fn grants_are_unique(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let group = scene.group("readers").await?;
    let thing = scene.item("thing", "1").await?;
    let other = scene.item("thing", "2").await?;
    let keys = [
        (holder("x"), Action::READ, &thing),
        (holder("x"), Action::MANAGE, &thing),
        (holder("x"), Action::READ, &other),
        (holder("y"), Action::READ, &thing),
        (dynamic("x"), Action::READ, &thing),
        (group.subject(), Action::READ, &thing),
        (holder(&group.id().to_string()), Action::READ, &thing),
    ];
    for (subject, action, resource) in &keys {
        scene.grant(subject, action.clone(), resource).await?;
    }
    let tx = &mut scene.tx;
    let before = contents(&mut **tx).await?;
    for (subject, action, resource) in keys {
        let grant = ids.grant(&subject, action, resource);
        let inserted = tx.insert_grant(&grant).await?;
        assert_eq!(inserted, Inserted::Exists, "{SECOND}: {grant:?}");
    }
    assert_eq!(contents(&mut **tx).await?, before, "nothing was written");
    scene.commit().await?;
    let after = contents(&mut *store.read().await?).await?;
    assert_eq!(after, before, "promise 7: the transaction remains usable");
    Ok(())
}

/// Promise 7: a setting is written once and keeps its first value.
pub async fn settings_are_unique(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    scene.setting("colour", "blue").await?;
    for value in ["green", "blue"] {
        let inserted = scene.tx.insert_setting("colour", value).await?;
        assert_eq!(inserted, Inserted::Exists, "{SECOND}");
    }
    scene.setting("size", "blue").await?;
    scene.commit().await?;
    let mut tx = store.write().await?;
    let inserted = tx.insert_setting("colour", "red").await?;
    assert_eq!(inserted, Inserted::Exists, "{SECOND}");
    assert_eq!(tx.find_setting("colour").await?.as_deref(), Some("blue"));
    tx.commit().await
}

/// Promise 7: the transaction remains usable also if the first record was committed before it began.
pub async fn a_refused_record_does_not_end_the_transaction(
    store: Arc<dyn Store>,
) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let group = scene.group("readers").await?;
    let thing = scene.item("thing", "1").await?;
    let alice = Member::User(user("alice"));
    let membership = scene.member(group.id(), alice).await?;
    let grant = scene.grant(&holder("x"), Action::READ, &thing).await?;
    scene.commit().await?;

    let mut scene = Scene::begin(&*store, &ids).await?;
    let mut resource = thing.clone();
    resource.id = ResourceId::from_uuid(ids.next());
    resource.date_created = instant(0);
    let mut membership = membership.clone();
    membership.id = MembershipId::from_uuid(ids.next());
    let mut again = ids.grant(&grant.subject, grant.action.clone(), &thing);
    again.id = GrantId::from_uuid(ids.next());
    let answers = [
        scene.tx.insert_resource(&resource).await?,
        scene.tx.insert_membership(&membership).await?,
        scene.tx.insert_grant(&again).await?,
    ];
    assert_eq!(answers, [Inserted::Exists; 3], "{SECOND}");
    let added = scene.group("after the refusals").await?;
    scene.commit().await?;
    let mut tx = store.read().await?;
    let found = tx.find_group(added.id()).await?;
    assert_eq!(
        found,
        Some(added.group),
        "promise 7: the transaction is usable"
    );
    assert_eq!(tx.find_grant(again.id).await?, None, "nothing was written");
    let kept = tx.find_resource_of(&thing.resource).await?;
    assert_eq!(kept, Some(thing), "promise 7: the first one is kept");
    Ok(())
}

/// Promise 7: a key can be used again after its record was deleted, even in the same transaction.
pub async fn a_deleted_record_frees_its_key(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    for _ in 0..2 {
        let group = scene.group("readers").await?;
        let thing = scene.item("thing", "1").await?;
        for _ in 0..2 {
            let alice = Member::User(user("alice"));
            let membership = scene.member(group.id(), alice).await?;
            let grant = scene.grant(&holder("x"), Action::READ, &thing).await?;
            assert!(scene.tx.delete_membership(membership.id).await?);
            assert!(scene.tx.delete_grant(grant.id).await?);
        }
        scene.grant(&holder("x"), Action::READ, &thing).await?;
        scene.tx.delete_resource(thing.id).await?;
        scene.tx.delete_group(group.id()).await?;
    }
    scene.commit().await
}

/// A record that concurrent transactions all insert.
#[derive(Debug, Clone)]
enum Contested {
    Membership(GroupId, Member),
    Resource(ResourceRef),
    Grant(Resource, Subject),
    Setting(String),
    Key(IdempotencyKey),
}

impl Contested {
    async fn insert(&self, tx: &mut dyn WriteTx, ids: &Ids) -> StoreResult<Inserted> {
        match self {
            Self::Membership(group, member) => {
                tx.lock_group(*group).await?;
                let membership = ids.membership(*group, member.clone());
                tx.insert_membership(&membership).await
            }
            Self::Resource(resource) => {
                let resource = ids.resource(resource.clone(), None);
                tx.insert_resource(&resource).await
            }
            Self::Grant(resource, subject) => {
                tx.lock_resource(resource.id).await?;
                let grant = ids.grant(subject, Action::READ, resource);
                tx.insert_grant(&grant).await
            }
            Self::Setting(name) => tx.insert_setting(name, &ids.next().to_string()).await,
            Self::Key(key) => {
                let kept = KeptResponse {
                    owner: user("alice"),
                    key: key.clone(),
                    fingerprint: Fingerprint([0; 32]),
                    response: ids.next().to_string(),
                    date_expires: instant(1_900_000_000_000),
                };
                tx.write_kept_responses()?.keep_response(&kept, now()).await
            }
        }
    }
}

/// Promise 7: of concurrently inserted records with the same key, one is written; the other transactions remain usable.
pub async fn racing_inserts_write_one(store: Arc<dyn Store>) -> StoreResult<()> {
    const TASKS: usize = 8;
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let group = scene.group("readers").await?;
    let thing = scene.item("thing", "1").await?;
    scene.commit().await?;
    for round in 0..4 {
        let name = format!("{round}");
        for contested in [
            Contested::Membership(group.id(), Member::User(user(&name))),
            Contested::Resource(item("racing", &name)),
            Contested::Resource(ResourceRef::collection(class(&name))),
            Contested::Grant(thing.clone(), holder(&name)),
            Contested::Grant(thing.clone(), dynamic(&name)),
            Contested::Setting(name.clone()),
            Contested::Key(idempotency_key(&name)),
        ] {
            let answers = together(TASKS, |number| {
                let (store, ids) = (Arc::clone(&store), ids.clone());
                let contested = contested.clone();
                async move {
                    let mut tx = store.write().await?;
                    let inserted = contested.insert(&mut *tx, &ids).await?;
                    pause().await;
                    let mark = format!("{contested:?} {number}");
                    assert_eq!(tx.insert_setting(&mark, "").await?, Inserted::Done);
                    tx.commit().await?;
                    Ok(inserted)
                }
            })
            .await?;
            let done = answers.iter().filter(|answer| **answer == Inserted::Done);
            assert_eq!(done.count(), 1, "promise 7: {contested:?}: {answers:?}");
        }
    }
    let rows = contents(&mut *store.read().await?).await?.rows;
    let count = |is: fn(&Row) -> bool| rows.iter().filter(|row| is(row)).count();
    assert_eq!(count(|row| matches!(row, Row::Membership(_))), 4);
    assert_eq!(count(|row| matches!(row, Row::Resource(_))), 2 + 4 * 2);
    assert_eq!(count(|row| matches!(row, Row::Grant(_))), 4 * 2);
    Ok(())
}

/// Promise 7: the key of an open transaction can be used again if that transaction is dropped.
pub async fn a_dropped_insert_frees_its_key(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut first = store.write().await?;
    let inserted = first.insert_setting("colour", "blue").await?;
    assert_eq!(inserted, Inserted::Done);
    let second = {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let mut tx = store.write().await?;
            let inserted = tx.insert_setting("colour", "green").await?;
            tx.commit().await?;
            Ok(inserted)
        })
    };
    tokio::time::sleep(Duration::from_millis(50)).await;
    drop(first);
    let inserted = promptly(joined(second), "the key is free").await?;
    assert_eq!(inserted, Inserted::Done, "promise 7: the first was dropped");
    let colour = store.read().await?.find_setting("colour").await?;
    assert_eq!(colour.as_deref(), Some("green"));
    Ok(())
}
