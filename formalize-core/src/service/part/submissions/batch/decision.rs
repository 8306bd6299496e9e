//! What to do with each submission of a batch.

use std::collections::HashMap;

use formalize_schema::Rejection;

use crate::authorizer::forms::PlacesTaken;
use crate::error::{BatchOutcome, Error, Result};
use crate::id::Revision;
use crate::model::batch::{BatchItem, BatchedSubmission, SubmissionBatch};
use crate::model::file::rejection::FilesRejection;
use crate::model::form::Form;
use crate::model::idempotency::{IdempotencyKey, KeptResponse, KeyedRequest};
use crate::model::subject::Caller;
use crate::model::tag::Tags;
use crate::model::words::{SubmissionState, TagActions};
use crate::service::part::room::Room;
use crate::service::part::submissions::check_size;
use crate::service::part::submissions::create::{admit, tags_of_new};
use crate::store::StoreError;
use crate::time::Timestamp;

/// What is known about the data of a batch before the form is locked.
pub(super) struct Checked {
    /// The state of the form that the data was checked for.
    pub(super) revision: Revision,
    /// The result for each submission.
    pub(super) data: Vec<Result<(), Rejection>>,
    /// Whether the form takes submissions without files.
    pub(super) files: Result<(), FilesRejection>,
    /// The room for the reasons of refusals that is left.
    pub(super) room: Room,
}

/// The form of a batch, as it is when the batch is decided.
pub(in crate::service::part::submissions) struct Situation {
    pub(super) form: Form,
    pub(in crate::service::part::submissions) taken: PlacesTaken,
    /// What the caller may do with tags.
    pub(super) tag_actions: TagActions,
    /// The responses that were kept for the keys of the submissions.
    pub(in crate::service::part::submissions) kept: HashMap<IdempotencyKey, KeptResponse>,
    pub(in crate::service::part::submissions) now: Timestamp,
}

/// What is to be done with a submission of a batch.
pub(super) enum Decision {
    Create(SubmissionState, Tags),
    Repeat(BatchedSubmission),
    /// An earlier submission of the same batch has the same key.
    RepeatAt(usize),
    Refuse(Error),
}

impl Decision {
    pub(super) fn is_refusal(&self) -> bool {
        matches!(self, Self::Refuse(_))
    }
}

/// Decides what to do with each submission of a batch, as if they were created one after the other.
pub(super) fn decide(
    caller: &Caller,
    situation: &Situation,
    batch: &SubmissionBatch,
    checked: &Checked,
) -> Vec<Decision> {
    let (mut taken, mut room) = (situation.taken, checked.room.clone());
    let mut created: HashMap<IdempotencyKey, (usize, KeyedRequest)> = HashMap::new();
    let mut decisions = Vec::with_capacity(batch.items().len());
    for (index, (item, data)) in batch.items().iter().zip(&checked.data).enumerate() {
        let keyed = batch.keyed(item);
        let repeated = keyed
            .as_ref()
            .and_then(|request| repeated(situation, &created, request));
        let decision = repeated.unwrap_or_else(|| {
            let files = (&checked.files, &mut room);
            let admitted = admit_item(caller, situation, taken, item, data.clone(), files);
            admitted.map_or_else(Decision::Refuse, |(state, tags)| {
                Decision::Create(state, tags)
            })
        });
        if let Decision::Create(state, _) = &decision {
            taken.by_caller += 1;
            if *state == SubmissionState::Submitted {
                taken.of_form = taken.of_form.map(|places| places + 1);
            }
            if let Some(request) = keyed {
                created.insert(request.key.clone(), (index, request));
            }
        }
        decisions.push(decision);
    }
    decisions
}

/// The decision about a submission whose key was used before; `None` if it was not.
fn repeated(
    situation: &Situation,
    created: &HashMap<IdempotencyKey, (usize, KeyedRequest)>,
    request: &KeyedRequest,
) -> Option<Decision> {
    if let Some((index, first)) = created.get(&request.key) {
        return Some(if first.fingerprint == request.fingerprint {
            Decision::RepeatAt(*index)
        } else {
            Decision::Refuse(Error::IdempotencyKeyReused)
        });
    }
    let kept = situation.kept.get(&request.key)?;
    let submission = kept.repeat(request).and_then(|kept| read_kept(&kept));
    Some(submission.map_or_else(Decision::Refuse, Decision::Repeat))
}

/// Checks whether a form admits a submission of a batch, and returns its state and its tags.
fn admit_item(
    caller: &Caller,
    situation: &Situation,
    taken: PlacesTaken,
    item: &BatchItem,
    data: Result<(), Rejection>,
    (files, room): (&Result<(), FilesRejection>, &mut Room),
) -> Result<(SubmissionState, Tags)> {
    check_size(item.data.as_deref())?;
    let Situation { form, now, .. } = situation;
    let state = admit(caller, form, taken, item.state.clone(), *now)?;
    let tags = tags_of_new(situation.tag_actions, form, &item.tags)?;
    data.map_err(Error::SubmissionDataInvalid)?;
    if let (SubmissionState::Submitted, Err(rejection)) = (state, files) {
        return Err(Error::SubmissionFilesInvalid(room.fit_files(rejection)));
    }
    Ok((state, tags))
}

/// The outcomes of a batch of which nothing is written.
pub(super) fn acceptable(decisions: Vec<Decision>) -> Vec<BatchOutcome> {
    let mut outcomes: Vec<BatchOutcome> = Vec::with_capacity(decisions.len());
    for decision in decisions {
        let (state, is_repeated) = match decision {
            Decision::Create(state, _) => (state, false),
            Decision::Repeat(submission) => (submission.state, true),
            Decision::RepeatAt(index) => match outcomes.get(index) {
                Some(BatchOutcome::Acceptable { state, .. }) => (*state, true),
                _ => continue,
            },
            Decision::Refuse(error) => {
                outcomes.push(BatchOutcome::Refused(error));
                continue;
            }
        };
        outcomes.push(BatchOutcome::Acceptable { state, is_repeated });
    }
    outcomes
}

/// An atomic batch is refused if any of its submissions is.
pub(super) fn refused_if_atomic(
    batch: &SubmissionBatch,
    outcomes: Vec<BatchOutcome>,
) -> Result<Vec<BatchOutcome>> {
    let is_refused = |outcome: &BatchOutcome| matches!(outcome, BatchOutcome::Refused(_));
    if !batch.is_atomic || !outcomes.iter().any(is_refused) {
        return Ok(outcomes);
    }
    let outcomes = outcomes.into_iter().map(|outcome| match outcome {
        BatchOutcome::Refused(error) => BatchOutcome::Refused(error),
        _ => BatchOutcome::Omitted,
    });
    Err(Error::BatchRefused(outcomes.collect()))
}

pub(in crate::service::part::submissions) fn read_kept(text: &str) -> Result<BatchedSubmission> {
    BatchedSubmission::of_kept(text).ok_or_else(|| {
        let why = "the response that was kept for a submission is malformed".to_owned();
        Error::Store(StoreError::Failed(why))
    })
}
