//! Ways to write several records with methods that write one.

use super::{Inserted, StoreError, StoreResult, WriteSubmissions, WriteTx};
use crate::id::{EventId, Revision};
use crate::model::form::{SubmissionCap, SubmissionLimit};
use crate::model::idempotency::KeptResponse;
use crate::model::submission::Submission;
use crate::time::Timestamp;

/// Keeps a response: [`WriteKeptResponses::keep_response`](super::WriteKeptResponses::keep_response), with an error if the
/// key is used.
///
/// # Errors
///
/// [`StoreError::key_used`]; otherwise if the store fails.
pub async fn keep(tx: &mut dyn WriteTx, kept: &KeptResponse, now: Timestamp) -> StoreResult<()> {
    match tx.write_kept_responses()?.keep_response(kept, now).await? {
        Inserted::Done => Ok(()),
        Inserted::Exists => Err(StoreError::key_used()),
    }
}

/// Inserts submissions one after the other: [`WriteSubmissions::submit_all`]
/// composed from [`WriteSubmissions::submit`].
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
/// assert!(!compose::submit_all(tx.write_submissions()?, &[copy(1), copy(2)], form.revision, cap, None).await?);
/// # Ok(()) });
/// ```
pub async fn submit_all(
    tx: &mut (impl WriteSubmissions + ?Sized),
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
