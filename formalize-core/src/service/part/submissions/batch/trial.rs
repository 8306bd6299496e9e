//! A trial of an import: many batches, none of which creates anything.

use std::collections::HashMap;

use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::decision::Situation;
use crate::error::BatchOutcome;
use crate::id::SubmissionId;
use crate::model::batch::{BatchItem, BatchedSubmission, SubmissionBatch};
use crate::model::idempotency::{Fingerprint, IdempotencyKey, KeptResponse};
use crate::model::subject::UserId;
use crate::model::submission::RequestedState;
use crate::model::words::SubmissionState;

/// What the earlier batches of a trial would have created, so that later ones find places and keys taken.
///
/// It keeps about a hundred bytes for each key, and nothing of the data.
#[derive(Debug, Default)]
pub struct ImportTrial {
    /// The number of submissions.
    created: i64,
    /// The number of those that are submitted.
    submitted: i64,
    /// The fingerprint of the submission with a key, by a half of the hash of the key.
    keys: HashMap<[u8; 16], Fingerprint>,
}

impl ImportTrial {
    /// Takes the places and keys of the earlier batches.
    pub(super) fn take_places(
        &self,
        situation: &mut Situation,
        owner: &UserId,
        batch: &SubmissionBatch,
    ) {
        let taken = &mut situation.taken;
        taken.by_caller += self.created;
        taken.of_form = taken.of_form.map(|places| places + self.submitted);
        for item in batch.items() {
            let Some(request) = batch.keyed(item) else {
                continue;
            };
            let Some(known) = self.keys.get(&half_of(&request.key)) else {
                continue;
            };
            let would_be = BatchedSubmission {
                id: SubmissionId::from_uuid(Uuid::nil()),
                state: state_of(item),
                date_created: situation.now,
            };
            let kept = KeptResponse {
                owner: owner.clone(),
                key: request.key.clone(),
                fingerprint: *known,
                response: would_be.to_kept(),
                date_expires: situation.now,
            };
            situation.kept.insert(request.key, kept);
        }
    }

    /// Remembers what a batch would have created.
    pub(in crate::service::part::submissions) fn note(
        &mut self,
        batch: &SubmissionBatch,
        outcomes: &[BatchOutcome],
    ) {
        for (item, outcome) in batch.items().iter().zip(outcomes) {
            let BatchOutcome::Acceptable {
                state,
                is_repeated: false,
            } = outcome
            else {
                continue;
            };
            self.created += 1;
            self.submitted += i64::from(*state == SubmissionState::Submitted);
            if let Some(request) = batch.keyed(item) {
                self.keys.insert(half_of(&request.key), request.fingerprint);
            }
        }
    }
}

/// A half of the hash of a key.
fn half_of(key: &IdempotencyKey) -> [u8; 16] {
    let hash: [u8; 32] = Sha256::digest(key.as_str()).into();
    hash.first_chunk().copied().unwrap_or_default()
}

/// The state of a submission that would have been created.
fn state_of(item: &BatchItem) -> SubmissionState {
    match item.state {
        RequestedState::Known(state) => state,
        RequestedState::Unchanged | RequestedState::Unknown(_) => SubmissionState::Submitted,
    }
}
