//! Promises 1, 3, 4, 13 and 15: a transaction takes effect completely or not at all, and its visibility to others.

use std::sync::Arc;
use std::time::Duration;

use formalize_core::store::scope::{GrantScope, ItemScope, ResourceScope};
use formalize_core::store::{Inserted, Store, StoreError, StoreResult, Window};
use formalize_core::{Action, Member, SubmissionState};

use crate::store::dump::{Contents, contents};
use crate::store::list::{ANY, List};
use crate::store::samples::{Ids, form_name, grant_based, group_name, secret, user};
use crate::store::scene::{FormMade, GroupMade, Scene};
use crate::store::tasks::{joined, pause, promptly, together};

/// Inserts one record of every kind.
async fn write_one_of_each(scene: &mut Scene) -> StoreResult<(GroupMade, FormMade)> {
    let alice = user("alice");
    let group = scene.group("readers").await?;
    scene
        .member(group.id(), Member::User(alice.clone()))
        .await?;
    let form = scene.form(grant_based(&[])).await?;
    scene
        .shared_submission(&form.form, &alice, SubmissionState::Draft)
        .await?;
    scene
        .grant(&group.subject(), Action::READ, &form.resource)
        .await?;
    let token = scene.ids.token(&alice);
    scene.token(&token, 1).await?;
    scene.setting("colour", "blue").await?;
    Ok((group, form))
}

/// Promise 1: everything that was committed is visible to every later transaction.
pub async fn a_commit_keeps_everything(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    write_one_of_each(&mut scene).await?;
    let written = contents(&mut *scene.tx).await?;
    scene.commit().await?;
    let kept = contents(&mut *store.read().await?).await?;
    assert_eq!(kept, written, "promise 1: a commit keeps everything");
    assert_eq!(kept.rows.len(), 4 + 6, "4 resources, and 6 other records");
    let mut tx = store.read().await?;
    assert!(tx.read_tokens()?.find_token(&secret(1)).await?.is_some());
    assert_eq!(tx.find_setting("colour").await?.as_deref(), Some("blue"));
    Ok(())
}

/// Promise 1: records that a dropped transaction inserted do not exist.
pub async fn a_dropped_write_leaves_nothing(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let (_, form) = write_one_of_each(&mut scene).await?;
    drop(scene);
    let mut tx = store.read().await?;
    assert_eq!(
        contents(&mut *tx).await?,
        Contents::default(),
        "promise 1: a dropped transaction leaves nothing"
    );
    assert_eq!(tx.read_tokens()?.find_token(&secret(1)).await?, None);
    assert_eq!(tx.find_setting("colour").await?, None);
    let places = tx
        .read_submissions()?
        .places_taken(form.id(), &user("alice"))
        .await?;
    assert_eq!(places, 0, "promise 1: the place is free again");
    Ok(())
}

/// Promise 1: records that a dropped transaction changed or deleted are unchanged.
pub async fn a_dropped_write_changes_nothing(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let (mut group, mut form) = write_one_of_each(&mut scene).await?;
    let before = contents(&mut *scene.tx).await?;
    scene.commit().await?;

    let mut tx = store.write().await?;
    group.group.name = group_name("writers");
    tx.update_group(&group.group).await?;
    form.form.name = form_name("another form");
    tx.write_forms()?.update_form(&form.form).await?;
    drop(tx);
    let mut tx = store.write().await?;
    tx.delete_group(group.id()).await?;
    tx.write_forms()?.delete_form(form.id()).await?;
    drop(tx);

    let after = contents(&mut *store.read().await?).await?;
    assert_eq!(
        after, before,
        "promise 1: a dropped transaction does nothing"
    );
    Ok(())
}

/// Promise 1: a commit after a dropped transaction keeps only its own writes.
pub async fn a_commit_keeps_nothing_of_a_dropped_write(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut dropped = Scene::begin(&*store, &ids).await?;
    dropped.group("dropped").await?;
    drop(dropped);
    let mut kept = Scene::begin(&*store, &ids).await?;
    let group = kept.group("kept").await?;
    kept.commit().await?;
    List::Groups(ItemScope::All, None)
        .must_hold(
            &*store,
            &[group.uuid()],
            "promise 1: only what was committed",
        )
        .await
}

/// Promise 4: a transaction sees its own writes, by identifier, in lists and through scopes.
pub async fn a_write_sees_what_it_wrote(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let (mut group, form) = write_one_of_each(&mut scene).await?;
    let tx = &mut scene.tx;
    let alice = user("alice");
    assert_eq!(tx.find_group(group.id()).await?, Some(group.group.clone()));
    assert_eq!(tx.groups_of(&alice).await?, [group.id()]);
    assert_eq!(
        tx.read_submissions()?
            .places_taken(form.id(), &alice)
            .await?,
        1
    );
    assert!(tx.read_submissions()?.has_submissions(form.id()).await?);

    group.group.name = group_name("writers");
    tx.update_group(&group.group).await?;
    let found = tx.find_group(group.id()).await?;
    assert_eq!(found, Some(group.group.clone()), "promise 4: own changes");

    tx.delete_group(group.id()).await?;
    assert_eq!(tx.find_group(group.id()).await?, None);
    assert_eq!(tx.groups_of(&alice).await?, [], "promise 4: own deletions");
    let grants = List::Grants(GrantScope::All, ANY);
    assert!(grants.ids(&mut **tx, Window::ALL).await?.is_empty());
    Ok(())
}

/// Promise 3: uncommitted writes are invisible to other transactions.
pub async fn what_is_not_committed_is_not_seen(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    write_one_of_each(&mut scene).await?;
    let mut reader = store.read().await?;
    let seen = contents(&mut *reader).await?;
    assert_eq!(seen, Contents::default(), "nothing is committed yet");
    scene.commit().await?;
    let seen = contents(&mut *reader).await?;
    assert_eq!(
        seen,
        Contents::default(),
        "promise 3: a read transaction sees one state, before the commit"
    );
    Ok(())
}

/// Promise 3: a read transaction sees the same state from its first query to its last, regardless of commits in
/// between.
pub async fn a_read_sees_one_state(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let (mut group, form) = write_one_of_each(&mut scene).await?;
    scene.commit().await?;

    let mut reader = store.read().await?;
    let before = contents(&mut *reader).await?;
    let mut scene = Scene::begin(&*store, &ids).await?;
    let added = scene.group("added").await?;
    group.group.name = group_name("renamed");
    scene.tx.update_group(&group.group).await?;
    scene.tx.write_forms()?.delete_form(form.id()).await?;
    scene.commit().await?;

    assert_eq!(reader.find_group(added.id()).await?, None);
    assert!(reader.read_forms()?.find_form(form.id()).await?.is_some());
    let after = contents(&mut *reader).await?;
    assert_eq!(after, before, "promise 3: one state");
    drop(reader);
    let mut later = store.read().await?;
    let renamed = later.find_group(group.id()).await?;
    assert_eq!(renamed, Some(group.group), "a later transaction sees it");
    assert_eq!(later.read_forms()?.find_form(form.id()).await?, None);
    Ok(())
}

/// Promise 3: two queries of one read transaction never see different states, however many commits happen in between.
pub async fn reads_are_never_torn(store: Arc<dyn Store>) -> StoreResult<()> {
    const ROUNDS: usize = 25;
    let ids = Ids::default();
    let writer = {
        let (store, ids) = (Arc::clone(&store), ids.clone());
        tokio::spawn(async move {
            for _ in 0..ROUNDS {
                let mut scene = Scene::begin(&*store, &ids).await?;
                scene.group("with its resource").await?;
                scene.commit().await?;
            }
            StoreResult::Ok(())
        })
    };
    while !writer.is_finished() {
        let mut tx = store.read().await?;
        let groups = List::Groups(ItemScope::All, None);
        let groups = groups.ids(&mut *tx, Window::ALL).await?.len();
        tokio::task::yield_now().await;
        let resources = List::Resources(ResourceScope::All, ANY);
        let resources = resources.ids(&mut *tx, Window::ALL).await?.len();
        assert_eq!(groups, resources, "promise 3: both lists are of one state");
    }
    joined(writer).await
}

/// Promise 1: after a transaction is dropped, the next one can write at once.
pub async fn a_dropped_write_lets_the_next_one_in(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    for _ in 0..5 {
        let mut scene = Scene::begin(&*store, &ids).await?;
        let (group, form) = write_one_of_each(&mut scene).await?;
        scene.tx.lock_memberships().await?;
        scene.tx.lock_group(group.id()).await?;
        scene
            .tx
            .write_forms()?
            .lock_form_exclusive(form.id())
            .await?;
        drop(scene);
        let next = async {
            let mut tx = store.write().await?;
            tx.lock_memberships().await?;
            tx.insert_group(&ids.group("next")).await?;
            tx.commit().await
        };
        promptly(next, "promise 1: the dropped transaction is over").await?;
    }
    Ok(())
}

/// Promise 1: an aborted task leaves nothing behind, and the next transaction can write at once.
pub async fn an_aborted_task_lets_the_next_one_in(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let (started, is_started) = tokio::sync::oneshot::channel();
    let task = {
        let (store, ids) = (Arc::clone(&store), ids.clone());
        tokio::spawn(async move {
            let mut scene = Scene::begin(&*store, &ids).await?;
            scene.group("aborted").await?;
            scene.tx.lock_memberships().await?;
            let _ = started.send(());
            std::future::pending::<()>().await;
            scene.commit().await
        })
    };
    assert!(is_started.await.is_ok(), "the task could not write");
    task.abort();
    let next = async {
        let mut scene = Scene::begin(&*store, &ids).await?;
        scene.tx.lock_memberships().await?;
        let group = scene.group("next").await?;
        scene.commit().await?;
        StoreResult::Ok(group)
    };
    let group = promptly(next, "promise 1: the aborted transaction is over").await?;
    List::Groups(ItemScope::All, None)
        .must_hold(&*store, &[group.uuid()], "promise 1: no writes of the task")
        .await
}

/// Promise 1: concurrent writers all succeed.
pub async fn writers_at_the_same_time_all_write(store: Arc<dyn Store>) -> StoreResult<()> {
    const EACH: usize = 4;
    let ids = Ids::default();
    let written = together(16, |_| {
        let (store, ids) = (Arc::clone(&store), ids.clone());
        async move {
            let mut groups = Vec::new();
            for _ in 0..EACH {
                let mut scene = Scene::begin(&*store, &ids).await?;
                groups.push(scene.group("one of many").await?.uuid());
                pause().await;
                scene.commit().await?;
            }
            Ok(groups)
        }
    })
    .await?;
    List::Groups(ItemScope::All, None)
        .must_hold(
            &*store,
            &written.concat(),
            "promise 1: every commit is kept",
        )
        .await
}

/// Promise 1: commits are kept while other writers drop their transactions.
pub async fn dropped_writes_do_not_touch_others(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let written = together(12, |number| {
        let (store, ids) = (Arc::clone(&store), ids.clone());
        async move {
            let mut scene = Scene::begin(&*store, &ids).await?;
            let group = scene.group("one of many").await?.uuid();
            pause().await;
            if number % 2 == 0 {
                return Ok(None);
            }
            scene.commit().await?;
            Ok(Some(group))
        }
    })
    .await?;
    let kept: Vec<_> = written.into_iter().flatten().collect();
    List::Groups(ItemScope::All, None)
        .must_hold(&*store, &kept, "promise 1: transactions are independent")
        .await
}

/// A working store answers a ping.
pub async fn a_ping_is_answered(store: Arc<dyn Store>) -> StoreResult<()> {
    store.ping().await
}

/// Promise 13: closing waits for the current transaction, and a closed store is unavailable.
pub async fn a_closed_store_is_unavailable(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    scene.group("under way").await?;
    let closing = {
        let store = Arc::clone(&store);
        tokio::spawn(async move { store.close().await })
    };
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(
        !closing.is_finished(),
        "closing waits for open transactions"
    );
    scene.group("still under way").await?;
    scene.commit().await?;
    let closed = promptly(closing, "closing ends").await;
    assert!(closed.is_ok(), "{closed:?}");
    let answers = [
        store.ping().await.err(),
        store.read().await.err(),
        store.write().await.err(),
    ];
    for answer in answers {
        assert!(
            matches!(answer, Some(StoreError::Unavailable(_))),
            "promise 13: a closed store cannot be reached, but: {answer:?}"
        );
    }
    Ok(())
}

/// Promise 3: read and write transactions can be open at the same time.
pub async fn reads_and_writes_do_not_wait_for_each_other(store: Arc<dyn Store>) -> StoreResult<()> {
    let both = async {
        let mut reader = store.read().await?;
        reader.find_setting("colour").await?;
        let mut tx = store.write().await?;
        assert_eq!(tx.insert_setting("colour", "blue").await?, Inserted::Done);
        store.read().await?.find_setting("colour").await?;
        tx.commit().await?;
        reader.find_setting("colour").await
    };
    let seen = promptly(both, "a reader and a writer do not wait for each other").await?;
    assert_eq!(seen, None, "promise 3: the reader sees the state before");
    Ok(())
}

/// Promises 3 and 15: a long read sees one state, while others write and read.
pub async fn a_long_read_sees_one_state(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    write_one_of_each(&mut scene).await?;
    scene.commit().await?;
    let mut long = store.read_long().await?;
    let before = contents(&mut *long).await?;
    for number in 0..5 {
        let mut scene = Scene::begin(&*store, &ids).await?;
        let added = scene.group(&format!("added {number}")).await?;
        promptly(scene.commit(), "promise 15: no write waits").await?;
        let mut read = promptly(store.read(), "promise 15: no read waits").await?;
        assert!(read.find_group(added.id()).await?.is_some());
        drop(read);
        let after = contents(&mut *long).await?;
        assert_eq!(after, before, "promise 3: a long read sees one state");
    }
    drop(long);
    let mut later = store.read_long().await?;
    assert_ne!(contents(&mut *later).await?, before, "a later one sees it");
    Ok(())
}
