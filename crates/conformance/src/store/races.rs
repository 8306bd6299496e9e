//! Promises 8 and 9 with concurrent transactions.

use std::sync::Arc;

use formalize_core::store::{Inserted, Store, StoreResult, Window};
use formalize_core::{
    Action, Form, FormId, GrantId, GroupId, Member, ResourceId, SubmissionId, SubmissionState,
};

use crate::store::dump::{contents, members};
use crate::store::list::Row;
use crate::store::samples::{Ids, creator_based, form_name, group_name, holder, user};
use crate::store::scene::Scene;
use crate::store::tasks::{pause, together};

/// Nests one group in another unless that would close a cycle, like the services.
async fn nest(store: &dyn Store, ids: &Ids, inner: GroupId, outer: GroupId) -> StoreResult<bool> {
    let mut tx = store.write().await?;
    tx.lock_memberships().await?;
    if tx.is_within(outer, inner).await? {
        return Ok(false);
    }
    pause().await;
    let membership = ids.membership(outer, Member::ChildGroup(inner));
    let inserted = tx.insert_membership(&membership).await?;
    tx.commit().await?;
    Ok(inserted == Inserted::Done)
}

/// Promise 9: with the lock of memberships, concurrent transactions do not close a cycle.
pub async fn racing_memberships_close_no_cycle(store: Arc<dyn Store>) -> StoreResult<()> {
    const RING: usize = 8;
    let ids = Ids::default();
    for length in [2, 2, 2, 3, RING, RING] {
        let mut scene = Scene::begin(&*store, &ids).await?;
        let mut ring = Vec::new();
        for _ in 0..length {
            ring.push(scene.group("of a ring").await?.id());
        }
        scene.commit().await?;
        let nested = together(length, |number| {
            let (store, ids) = (Arc::clone(&store), ids.clone());
            let mut ring = ring.iter().copied().cycle().skip(number);
            let pair = (ring.next(), ring.next());
            async move {
                match pair {
                    (Some(inner), Some(outer)) => nest(&*store, &ids, inner, outer).await,
                    _ => Ok(false),
                }
            }
        })
        .await?;
        let refused = nested.iter().filter(|nested| !**nested).count();
        assert_eq!(refused, 1, "promise 9: the one that would close the cycle");
    }
    Ok(())
}

/// Deletes a `manage` grant unless it is the last one of its resource, like the services.
async fn delete_manage_grant(
    store: &dyn Store,
    resource: ResourceId,
    grant: GrantId,
) -> StoreResult<bool> {
    let mut tx = store.write().await?;
    // A query before the lock must not affect what is visible after it.
    tx.has_other_manage_grant(resource, grant).await?;
    tx.lock_resource_exclusive(resource).await?;
    if !tx.has_other_manage_grant(resource, grant).await? {
        return Ok(false);
    }
    pause().await;
    let deleted = tx.delete_grant(grant).await?;
    tx.commit().await?;
    Ok(deleted)
}

/// Promise 9: with the exclusive lock of a resource, concurrent transactions leave one `manage` grant.
pub async fn racing_deletions_leave_a_manager(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    for managers in [2, 2, 2, 2, 8, 8] {
        let mut scene = Scene::begin(&*store, &ids).await?;
        let group = scene.group("managed").await?;
        let mut grants = Vec::new();
        for number in 0..managers {
            let manager = holder(&format!("manager {number}"));
            let grant = scene.grant(&manager, Action::MANAGE, &group.resource);
            grants.push(grant.await?.id);
        }
        scene.commit().await?;
        let deleted = together(managers, |number| {
            let store = Arc::clone(&store);
            let (resource, grant) = (group.resource.id, grants.get(number).copied());
            async move {
                match grant {
                    Some(grant) => delete_manage_grant(&*store, resource, grant).await,
                    None => Ok(false),
                }
            }
        })
        .await?;
        let deleted = deleted.iter().filter(|deleted| **deleted).count();
        assert_eq!(deleted, managers - 1, "promise 9: the last one is kept");
    }
    Ok(())
}

/// Promise 9: the exclusive and the shared lock of a form wait for each other. A form that becomes grant-based while it
/// has no submissions gets none that was created under the old rules.
pub async fn exclusive_form_locks_wait_for_shared_ones(store: Arc<dyn Store>) -> StoreResult<()> {
    submitted_while_it_turns(&store, Submitting::Locked).await
}

/// Promise 9: the same without a lock before the submission is written.
pub async fn a_form_that_turns_gets_no_submission(store: Arc<dyn Store>) -> StoreResult<()> {
    submitted_while_it_turns(&store, Submitting::AsRead).await
}

/// How a submission is written.
#[derive(Debug, Clone, Copy)]
enum Submitting {
    /// Locks the form, then writes the submission.
    Locked,
    /// Reads the form, then writes the submission provided that the form has not changed.
    AsRead,
}

async fn submitted_while_it_turns(
    store: &Arc<dyn Store>,
    submitting: Submitting,
) -> StoreResult<()> {
    let ids = Ids::default();
    for _ in 0..12 {
        let mut scene = Scene::begin(&**store, &ids).await?;
        let form = scene.form(creator_based(&[])).await?.form;
        scene.commit().await?;
        let answers = together(4, |number| {
            let (store, ids, form) = (Arc::clone(store), ids.clone(), form.clone());
            async move {
                if number == 0 {
                    turn_grant_based(&*store, &ids, form).await.map(Some)
                } else {
                    submitting.submit(&*store, &ids, form).await
                }
            }
        })
        .await?;
        let mut tx = store.read().await?;
        let found = tx.read_forms()?.find_form(form.id).await?;
        let grant_based = found.is_some_and(|form| form.rules.grant_based);
        let [turned, seen @ ..] = answers.as_slice() else {
            continue;
        };
        assert_eq!(*turned, Some(grant_based), "the change is kept");
        assert!(
            seen.iter().flatten().all(|seen| *seen == grant_based),
            "promise 9: submitted under the old rules: {seen:?}, now {grant_based}"
        );
    }
    Ok(())
}

/// Makes the form grant-based if it has no submissions. Returns whether it did.
async fn turn_grant_based(store: &dyn Store, ids: &Ids, form: Form) -> StoreResult<bool> {
    let mut tx = store.write().await?;
    let Some(mut form) = tx.write_forms()?.lock_form_exclusive(form.id).await? else {
        return Ok(false);
    };
    if tx.read_submissions()?.has_submissions(form.id).await? {
        return Ok(false);
    }
    pause().await;
    form.rules.grant_based = true;
    form.revision = ids.revision();
    tx.write_forms()?.update_form(&form).await?;
    tx.commit().await?;
    Ok(true)
}

impl Submitting {
    /// Submits. Returns whether the form was grant-based at that time, or nothing if the submission failed.
    async fn submit(self, store: &dyn Store, ids: &Ids, form: Form) -> StoreResult<Option<bool>> {
        match self {
            Self::Locked => submit_locked(store, ids, form).await.map(Some),
            Self::AsRead => submit_as_read(store, ids, form).await,
        }
    }
}

async fn submit_locked(store: &dyn Store, ids: &Ids, form: Form) -> StoreResult<bool> {
    let mut tx = store.write().await?;
    let Some(form) = tx.write_forms()?.lock_form(form.id).await? else {
        return Ok(false);
    };
    pause().await;
    let submission = ids.submission(&form, &user("alice"), SubmissionState::Draft);
    assert!(
        tx.write_submissions()?
            .submit(&submission, form.revision, None, None, None)
            .await?
    );
    pause().await;
    tx.commit().await?;
    Ok(form.rules.grant_based)
}

async fn submit_as_read(store: &dyn Store, ids: &Ids, form: Form) -> StoreResult<Option<bool>> {
    let Some(form) = store.read().await?.read_forms()?.find_form(form.id).await? else {
        return Ok(None);
    };
    pause().await;
    let submission = ids.submission(&form, &user("alice"), SubmissionState::Draft);
    let submitted = store
        .submit(&submission, form.revision, None, None, None, &[])
        .await?;
    Ok(submitted.then_some(form.rules.grant_based))
}

/// Promise 9: an exclusive lock admits one transaction at a time, which sees the commits of earlier holders, even if it
/// has read before it locked.
pub async fn exclusive_locks_see_the_newest_state(store: Arc<dyn Store>) -> StoreResult<()> {
    const TASKS: usize = 8;
    const ROUNDS: usize = 4;
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let group = scene.group("0").await?.id();
    let mut form = ids.form(creator_based(&[]));
    form.name = form_name("0");
    let form = scene.insert_form(form).await?.form;
    let mut submission = ids.submission(&form, &user("alice"), SubmissionState::Draft);
    submission.data = Some("0".into());
    scene.insert_submission(&submission).await?;
    scene.commit().await?;
    let (form, submission) = (form.id, submission.id);
    together(TASKS, |_| {
        let store = Arc::clone(&store);
        async move {
            for _ in 0..ROUNDS {
                count_in_group(&*store, group).await?;
                count_in_form(&*store, form).await?;
                count_in_submission(&*store, submission).await?;
            }
            Ok(())
        }
    })
    .await?;
    let mut tx = store.read().await?;
    let counted = (TASKS * ROUNDS).to_string();
    let group = tx.find_group(group).await?.map(|group| group.name);
    assert_eq!(group, Some(group_name(&counted)), "promise 9: groups");
    let form = tx
        .read_forms()?
        .find_form(form)
        .await?
        .map(|form| form.name);
    assert_eq!(form, Some(form_name(&counted)), "promise 9: forms");
    let submission = tx.read_submissions()?.find_submission(submission).await?;
    let data = submission.and_then(|submission| submission.data);
    assert_eq!(data.as_deref(), Some(&*counted), "promise 9: submissions");
    Ok(())
}

fn next(number: &str) -> String {
    let number: usize = number.parse().unwrap_or_default();
    (number + 1).to_string()
}

async fn count_in_group(store: &dyn Store, id: GroupId) -> StoreResult<()> {
    let mut tx = store.write().await?;
    tx.find_group(id).await?;
    if let Some(mut group) = tx.lock_group_exclusive(id).await? {
        pause().await;
        group.name = group_name(&next(group.name.as_str()));
        tx.update_group(&group).await?;
    }
    tx.commit().await
}

async fn count_in_form(store: &dyn Store, id: FormId) -> StoreResult<()> {
    let mut tx = store.write().await?;
    tx.read_forms()?.find_form(id).await?;
    if let Some(mut form) = tx.write_forms()?.lock_form_exclusive(id).await? {
        pause().await;
        form.name = form_name(&next(form.name.as_str()));
        tx.write_forms()?.update_form(&form).await?;
    }
    tx.commit().await
}

async fn count_in_submission(store: &dyn Store, id: SubmissionId) -> StoreResult<()> {
    let mut tx = store.write().await?;
    tx.read_submissions()?.find_submission(id).await?;
    if let Some(mut submission) = tx
        .write_submissions()?
        .lock_submission_exclusive(id)
        .await?
    {
        pause().await;
        submission.data = Some(next(&submission.data.unwrap_or_default()).into());
        tx.write_submissions()?
            .update_submission(&submission)
            .await?;
    }
    tx.commit().await
}

/// Promise 9: a record that is written while its group is locked is deleted together with the group.
pub async fn deleted_groups_leave_nothing_behind(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let thing = scene.item("thing", "1").await?;
    let outer = scene.group("outer").await?.id();
    scene.commit().await?;
    for _ in 0..8 {
        let mut scene = Scene::begin(&*store, &ids).await?;
        let group = scene.group("to be deleted").await?;
        scene.commit().await?;
        let (id, subject) = (group.id(), group.subject());
        together(5, |number| {
            let (store, ids, thing) = (Arc::clone(&store), ids.clone(), thing.clone());
            let subject = subject.clone();
            async move {
                let mut tx = store.write().await?;
                tx.lock_memberships().await?;
                if number == 0 {
                    tx.delete_group(id).await?;
                    return tx.commit().await;
                }
                let (group, member) = match number {
                    1 => (id, Member::User(user("alice"))),
                    2 => (id, Member::ChildGroup(outer)),
                    _ => (outer, Member::ChildGroup(id)),
                };
                if tx.lock_group(id).await?.is_none() {
                    return Ok(());
                }
                pause().await;
                let membership = ids.membership(group, member);
                let _ = tx.insert_membership(&membership).await?;
                tx.lock_resource(thing.id).await?;
                let grant = ids.grant(&subject, Action::READ, &thing);
                let _ = tx.insert_grant(&grant).await?;
                tx.commit().await
            }
        })
        .await?;
        let mut tx = store.read().await?;
        assert_eq!(tx.find_group(id).await?, None);
        for list in [members(id), members(outer)] {
            let left = list.ids(&mut *tx, Window::ALL).await?;
            assert!(left.is_empty(), "promises 8 and 9: memberships of {id}");
        }
        let grants = contents(&mut *tx).await?.rows;
        let left = grants.iter().any(|row| matches!(row, Row::Grant(_)));
        assert!(!left, "promises 8 and 9: grants that {id} holds");
    }
    Ok(())
}

/// Promise 9: a form that is deleted during concurrent submissions leaves no submissions behind.
pub async fn deleted_forms_leave_nothing_behind(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    for _ in 0..8 {
        let mut scene = Scene::begin(&*store, &ids).await?;
        let form = scene.form(creator_based(&[])).await?.form;
        scene.commit().await?;
        together(6, |number| {
            let (store, ids, form) = (Arc::clone(&store), ids.clone(), form.clone());
            async move {
                if number > 0 {
                    return submit_locked(&*store, &ids, form).await.map(drop);
                }
                let mut tx = store.write().await?;
                tx.write_forms()?.lock_form_exclusive(form.id).await?;
                tx.write_forms()?.delete_form(form.id).await?;
                tx.commit().await
            }
        })
        .await?;
        let mut tx = store.read().await?;
        assert_eq!(tx.read_forms()?.find_form(form.id).await?, None);
        assert!(
            !tx.read_submissions()?.has_submissions(form.id).await?,
            "promises 8 and 9"
        );
        let places = tx
            .read_submissions()?
            .places_taken(form.id, &user("alice"))
            .await?;
        assert_eq!(places, 0, "promises 8 and 9: places");
    }
    Ok(())
}
