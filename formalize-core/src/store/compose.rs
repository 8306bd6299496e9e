//! Implementations of methods for simple stores, composed from other methods.
//!
//! The service combines queries where it can. A database runs them as one statement. A store without a faster way calls
//! the function of the same name.

use super::{FormFor, HeldGrant, Principal, ReadTx, Store, StoreResult, SubmissionFor, Window};
use crate::authz::scope::{ResourceScope, Subjects};
use crate::id::{FormId, GroupId, Revision, SubmissionId};
use crate::model::form::SubmissionCap;
use crate::model::group::Group;
use crate::model::resource::{Anchor, ResourceClass, ResourceFilter};
use crate::model::subject::Subject;
use crate::model::submission::Submission;

/// Writes a submission in a separate transaction: [`Store::submit`] composed from
/// [`WriteSubmissions::submit`](super::WriteSubmissions::submit) and a commit.
///
/// # Errors
///
/// If the store fails.
pub async fn submit(
    store: &dyn Store,
    submission: &Submission,
    form: Revision,
    cap: Option<SubmissionCap>,
) -> StoreResult<bool> {
    let mut tx = store.write().await?;
    let submitted = tx.submit(submission, form, cap).await?;
    if submitted {
        tx.commit().await?;
    }
    Ok(submitted)
}

/// The grants that a principal holds: [`ReadGrants::held_by`](super::ReadGrants::held_by) composed from their groups and
/// [`ReadGrants::held`](super::ReadGrants::held).
///
/// # Errors
///
/// If the store fails.
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
    }))
}

/// A submission with its rules and the principal's grants:
/// [`ReadSubmissions::find_submission_for`](super::ReadSubmissions::find_submission_for) composed from the submission,
/// its form and the grants.
///
/// # Errors
///
/// If the store fails.
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
