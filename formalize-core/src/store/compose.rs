//! Implementations of methods for simple stores, composed from other methods.
//!
//! The service combines queries where it can. A database runs them as one statement. A store without a faster way calls
//! the function of the same name.

use super::{
    FormFor, HeldGrant, Inserted, Principal, ReadTx, Store, StoreError, StoreResult, SubmissionFor,
    Window, WriteTx,
};
use crate::authz::scope::{ResourceScope, Subjects};
use crate::id::{EventId, FormId, GroupId, Revision, SubmissionId};
use crate::model::form::{SubmissionCap, SubmissionLimit};
use crate::model::group::Group;
use crate::model::idempotency::KeptResponse;
use crate::model::resource::{Anchor, ResourceClass, ResourceFilter};
use crate::model::subject::Subject;
use crate::model::submission::Submission;
use crate::time::Timestamp;

/// Writes a submission in a separate transaction: [`Store::submit`] composed from
/// [`WriteSubmissions::submit`](super::WriteSubmissions::submit) and a commit.
///
/// # Errors
///
/// If the store fails.
///
/// ```
/// use formalize_core::store::compose;
///
/// # use formalize_conformance::example::*; with_submission(async |formalize, form, submission| {
/// # let store = formalize.store().as_ref();
/// let again = Submission { id: SubmissionId::from_uuid(uuid::Uuid::max()), ..submission };
/// // The cap of one submission is reached.
/// let cap = Some(SubmissionCap::new(1)?);
/// assert!(!compose::submit(store, &again, form.revision, cap, None, None, &[]).await?);
/// assert!(compose::submit(store, &again, form.revision, None, None, None, &[]).await?);
/// # Ok(()) });
/// ```
pub async fn submit(
    store: &dyn Store,
    submission: &Submission,
    form: Revision,
    cap: Option<SubmissionCap>,
    limit: Option<SubmissionLimit>,
    event: Option<EventId>,
    kept: &[KeptResponse],
) -> StoreResult<bool> {
    let mut tx = store.write().await?;
    let submitted = tx.submit(submission, form, cap, limit, event).await?;
    if submitted {
        for response in kept {
            keep(tx.as_mut(), response, submission.date_created).await?;
        }
        tx.commit().await?;
    }
    Ok(submitted)
}

/// Keeps a response: [`WriteKeptResponses::keep_response`](super::WriteKeptResponses::keep_response), with an error if the
/// key is used.
///
/// # Errors
///
/// [`StoreError::key_used`]; otherwise if the store fails.
pub async fn keep(tx: &mut dyn WriteTx, kept: &KeptResponse, now: Timestamp) -> StoreResult<()> {
    match tx.keep_response(kept, now).await? {
        Inserted::Done => Ok(()),
        Inserted::Exists => Err(StoreError::key_used()),
    }
}

/// Inserts submissions one after the other: [`WriteSubmissions::submit_all`](super::WriteSubmissions::submit_all)
/// composed from [`WriteSubmissions::submit`](super::WriteSubmissions::submit).
///
/// # Errors
///
/// If the store fails.
///
/// ```
/// use formalize_core::store::compose;
///
/// # use formalize_conformance::example::*; with_submission(async |formalize, form, submission| {
/// # let store = formalize.store();
/// let copy = |id: u128| {
///     let id = SubmissionId::from_uuid(uuid::Uuid::from_u128(id));
///     (Submission { id, ..submission.clone() }, None)
/// };
/// let mut tx = store.write().await?;
/// // The first submission has taken one of two places, so there is no room for two more.
/// let cap = Some(SubmissionCap::new(2)?);
/// assert!(!compose::submit_all(tx.as_mut(), &[copy(1), copy(2)], form.revision, cap, None).await?);
/// # Ok(()) });
/// ```
pub async fn submit_all(
    tx: &mut dyn WriteTx,
    submissions: &[(Submission, Option<EventId>)],
    form: Revision,
    cap: Option<SubmissionCap>,
    limit: Option<SubmissionLimit>,
) -> StoreResult<bool> {
    for (submission, event) in submissions {
        if !tx.submit(submission, form, cap, limit, *event).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The grants that a principal holds: [`ReadGrants::held_by`](super::ReadGrants::held_by) composed from their groups and
/// [`ReadGrants::held`](super::ReadGrants::held).
///
/// # Errors
///
/// If the store fails.
///
/// ```
/// use formalize_core::store::{Principal, compose, scope::Subjects};
///
/// # use formalize_conformance::example::*; with_form(async |formalize, form| {
/// # let store = formalize.store();
/// let alice = UserId::new("alice")?;
/// let subjects = Subjects::new(vec![Subject::User(alice.clone())]);
/// let principal = Principal { user: &alice, subjects: &subjects };
///
/// let mut tx = store.read().await?;
/// let held = compose::held_by(tx.as_mut(), &[form.id.into()], principal).await?;
/// assert!(held.is_empty());
/// # Ok(()) });
/// ```
pub async fn held_by(
    tx: &mut dyn ReadTx,
    anchors: &[Anchor],
    principal: Principal<'_>,
) -> StoreResult<Vec<HeldGrant>> {
    let groups = tx.groups_of(principal.user).await?;
    let groups = groups.into_iter().map(Subject::Group);
    let subjects = groups.chain(principal.subjects.iter().cloned()).collect();
    tx.held(anchors, &Subjects::new(subjects)).await
}

/// A group with the principal's grants on it: [`ReadGroups::find_group_for`](super::ReadGroups::find_group_for)
/// composed from the two.
///
/// # Errors
///
/// If the store fails.
///
/// ```
/// use formalize_core::store::{Principal, compose, scope::Subjects};
///
/// # use formalize_conformance::example::*; with_group(async |formalize, group| {
/// # let store = formalize.store();
/// let alice = UserId::new("alice")?;
/// let subjects = Subjects::new(vec![Subject::User(alice.clone())]);
/// let principal = Principal { user: &alice, subjects: &subjects };
///
/// let mut tx = store.read().await?;
/// let found = compose::find_group_for(tx.as_mut(), group.id, principal).await?;
/// assert_eq!(found, Some((group, Vec::new())));
/// # Ok(()) });
/// ```
pub async fn find_group_for(
    tx: &mut dyn ReadTx,
    id: GroupId,
    principal: Principal<'_>,
) -> StoreResult<Option<(Group, Vec<HeldGrant>)>> {
    let Some(group) = tx.find_group(id).await? else {
        return Ok(None);
    };
    let held = tx.held_by(&[id.into()], principal).await?;
    Ok(Some((group, held)))
}

/// A form with the principal's grants and places: [`ReadForms::find_form_for`](super::ReadForms::find_form_for)
/// composed from the form, the grants and the places.
///
/// # Errors
///
/// If the store fails.
///
/// ```
/// use formalize_core::store::{Principal, compose, scope::Subjects};
///
/// # use formalize_conformance::example::*; with_submission(async |formalize, form, submission| {
/// # let store = formalize.store();
/// let alice = UserId::new("alice")?;
/// let subjects = Subjects::new(vec![Subject::User(alice.clone())]);
/// let principal = Principal { user: &alice, subjects: &subjects };
///
/// let mut tx = store.read().await?;
/// let found = compose::find_form_for(tx.as_mut(), form.id, principal).await?;
/// assert_eq!(found.map(|found| found.places_taken), Some(0));
/// # Ok(()) });
/// ```
pub async fn find_form_for(
    tx: &mut dyn ReadTx,
    id: FormId,
    principal: Principal<'_>,
) -> StoreResult<Option<FormFor>> {
    let Some(form) = tx.find_form(id).await? else {
        return Ok(None);
    };
    Ok(Some(FormFor {
        form,
        held: tx.held_by(&[id.into()], principal).await?,
        places_taken: tx.places_taken(id, principal.user).await?,
        form_places_taken: tx.form_places_taken(id).await?,
    }))
}

/// A submission with its rules and the principal's grants:
/// [`ReadSubmissions::find_submission_for`](super::ReadSubmissions::find_submission_for) composed from the submission,
/// its form and the grants.
///
/// # Errors
///
/// If the store fails.
///
/// ```
/// use formalize_core::store::{Principal, compose, scope::Subjects};
///
/// # use formalize_conformance::example::*; with_submission(async |formalize, form, submission| {
/// # let store = formalize.store();
/// let alice = UserId::new("alice")?;
/// let subjects = Subjects::new(vec![Subject::User(alice.clone())]);
/// let principal = Principal { user: &alice, subjects: &subjects };
///
/// let mut tx = store.read().await?;
/// let found = compose::find_submission_for(tx.as_mut(), submission.id, principal).await?;
/// assert_eq!(found.map(|found| found.rules), Some(form.rules));
/// # Ok(()) });
/// ```
pub async fn find_submission_for(
    tx: &mut dyn ReadTx,
    id: SubmissionId,
    principal: Principal<'_>,
) -> StoreResult<Option<SubmissionFor>> {
    let Some(submission) = tx.find_submission(id).await? else {
        return Ok(None);
    };
    let Some(form) = tx.find_form(submission.form).await? else {
        return Ok(None);
    };
    let anchors = [id.into(), form.id.into()];
    Ok(Some(SubmissionFor {
        submission,
        rules: form.rules,
        held: tx.held_by(&anchors, principal).await?,
    }))
}

/// The classes that have resources in a scope: [`ReadResources::classes`](super::ReadResources::classes) composed from one
/// list for each class.
///
/// # Errors
///
/// If the store fails.
///
/// ```
/// use formalize_core::store::{compose, scope::ResourceScope};
///
/// # use formalize_conformance::example::*; with_form(async |formalize, _| {
/// # let store = formalize.store();
///
/// let candidates = [ResourceClass::FORM, ResourceClass::SUBMISSION];
/// let mut tx = store.read().await?;
/// let classes = compose::classes(tx.as_mut(), &ResourceScope::All, &candidates).await?;
/// assert_eq!(classes, candidates);
/// # Ok(()) });
/// ```
pub async fn classes(
    tx: &mut dyn ReadTx,
    scope: &ResourceScope,
    classes: &[ResourceClass],
) -> StoreResult<Vec<ResourceClass>> {
    let mut found = Vec::new();
    for class in classes {
        let filter = ResourceFilter {
            class: Some(class.clone()),
            ..ResourceFilter::default()
        };
        let rows = tx.resources(scope, &filter, Window::ONE).await?;
        if !rows.is_empty() {
            found.push(class.clone());
        }
    }
    Ok(found)
}
