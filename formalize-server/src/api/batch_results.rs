//! The results of a batch of submissions.

use formalize_core::{
    Error,
    submissions::{BatchOutcome, BatchedSubmission, SubmissionBatch},
};
use formalize_http::contract::{ErrorKey, Operation};
use formalize_http::failure::{Problem, Refusal};
use formalize_views::{Id, Instant, form::SubmissionState, json};
use poem_openapi::Object;
use serde::Serialize;

/// What became of the submissions of a batch.
#[derive(Debug, Serialize, Object)]
pub struct BatchResults {
    /// The results, in the order of the submissions.
    pub results: Vec<BatchResult>,
}

/// What became of a submission of a batch.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase", skip_serializing_if_is_none)]
pub struct BatchResult {
    /// 201 if it was created; in a dry run 200 if it would be; 424 if it was not because others were refused; otherwise the
    /// status with which it was refused.
    status: u16,
    /// Identifier of the submission.
    #[serde(skip_serializing_if = "Option::is_none")]
    identifier: Option<Id>,
    /// Whether it is submitted or a draft.
    #[serde(skip_serializing_if = "Option::is_none")]
    submission_state: Option<SubmissionState>,
    /// When it was created.
    #[serde(skip_serializing_if = "Option::is_none")]
    date_created: Option<Instant>,
    /// Whether it was created before, with the same key.
    #[serde(skip_serializing_if = "Option::is_none")]
    replayed: Option<bool>,
    /// Why it was refused: for the first 64 that are, unless these take more than 96 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Problem>,
    /// The error id, if it was refused and has no `error`.
    #[serde(rename = "relay:errorId", skip_serializing_if = "Option::is_none")]
    #[oai(rename = "relay:errorId")]
    error_id: Option<String>,
}

impl BatchResult {
    fn new(status: u16) -> Self {
        Self {
            status,
            identifier: None,
            submission_state: None,
            date_created: None,
            replayed: None,
            error: None,
            error_id: None,
        }
    }

    fn created(submission: &BatchedSubmission, is_repeated: bool) -> Self {
        Self {
            identifier: Some(submission.id.into()),
            submission_state: Some(submission.state.into()),
            date_created: Some(submission.date_created.into()),
            replayed: is_repeated.then_some(true),
            ..Self::new(201)
        }
    }

    /// The result of a submission that was refused: the problem document that creating it alone would have, if there is room.
    fn refused(error: Error, room: &mut Room) -> Self {
        let operation = Operation::CreateSubmission;
        let refusal = Refusal::from(error);
        let status = refusal.reported(Some(operation)).as_u16();
        let problem = refusal.problem(operation);
        if room.takes(&problem) {
            Self {
                error: Some(problem),
                ..Self::new(status)
            }
        } else {
            Self {
                error_id: Some(problem.error_id),
                ..Self::new(status)
            }
        }
    }

    fn of(outcome: BatchOutcome, room: &mut Room) -> Self {
        match outcome {
            BatchOutcome::Refused(error) => Self::refused(error, room),
            done => Self::done(&done),
        }
    }

    /// Replaces the reason for a refusal by its error id.
    fn omit_details(&mut self) {
        if let Some(problem) = self.error.take() {
            self.error_id = Some(problem.error_id);
        }
    }

    /// The result of a submission that was not refused.
    fn done(outcome: &BatchOutcome) -> Self {
        match outcome {
            BatchOutcome::Created(submission) => Self::created(submission, false),
            BatchOutcome::Repeated(submission) => Self::created(submission, true),
            BatchOutcome::Acceptable { state, is_repeated } => Self {
                submission_state: Some((*state).into()),
                replayed: is_repeated.then_some(true),
                ..Self::new(200)
            },
            BatchOutcome::Omitted | BatchOutcome::Refused(_) => Self::new(424),
        }
    }
}

/// The maximum size of all problem documents together, in bytes. With it, the results of the largest batch fit into the largest refusal.
const MAX_PROBLEM_BYTES: usize = 96 << 10;

/// The room for the problem documents of a batch.
struct Room {
    problems: usize,
    bytes: usize,
}

impl Room {
    /// Takes the room for a problem; `false` if there is not enough.
    fn takes(&mut self, problem: &Problem) -> bool {
        let problems = self.problems.checked_sub(1);
        self.problems = problems.unwrap_or(0);
        let left = problems.and_then(|_| self.bytes.checked_sub(json(problem).len()));
        self.bytes = left.unwrap_or(self.bytes);
        left.is_some()
    }
}

impl From<Vec<BatchOutcome>> for BatchResults {
    fn from(outcomes: Vec<BatchOutcome>) -> Self {
        let mut room = Room {
            problems: SubmissionBatch::MAX_DETAILED,
            bytes: MAX_PROBLEM_BYTES,
        };
        let results = outcomes.into_iter();
        let results = results.map(|outcome| BatchResult::of(outcome, &mut room));
        Self {
            results: results.collect(),
        }
    }
}

impl BatchResults {
    /// The same results without the reasons for refusals.
    #[must_use]
    pub fn without_details(mut self) -> Self {
        for result in &mut self.results {
            result.omit_details();
        }
        self
    }

    /// The results of a batch of which nothing was refused.
    pub fn of(outcomes: &[BatchOutcome]) -> Self {
        Self {
            results: outcomes.iter().map(BatchResult::done).collect(),
        }
    }
}

/// Why a batch failed.
pub(super) fn failed(error: Error) -> Refusal {
    match error {
        Error::BatchRefused(outcomes) => refusal(outcomes),
        other => other.into(),
    }
}

/// The refusal of an atomic batch: the details are the indexes of the submissions that were refused.
fn refusal(outcomes: Vec<BatchOutcome>) -> Refusal {
    let is_refused = |outcome: &BatchOutcome| matches!(outcome, BatchOutcome::Refused(_));
    let indexes = outcomes.iter().enumerate();
    let indexes = indexes.filter(|(_, outcome)| is_refused(outcome));
    let indexes = indexes.map(|(index, _)| index.to_string()).collect();
    Refusal::is(ErrorKey::BatchRefused)
        .naming(indexes)
        .with_results(
            BatchResults::from(outcomes)
                .results
                .iter()
                .map(|result| serde_json::json!(result)),
        )
}
