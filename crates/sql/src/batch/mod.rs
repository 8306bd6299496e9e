//! Submissions to one form that wait for each other are written by one statement, so that they share a COMMIT. In
//! PostgreSQL, a statement for many rows takes little more time than one for a single row.
//!
//! The first submission to a form is sent immediately, alone. Submissions that arrive while it is being written wait,
//! and are sent together. A batch never waits for more submissions. A store runs one statement at a time for each form,
//! so that the next one has many rows; other forms do not wait for it. SQLite does not use this, because its
//! transactions share a COMMIT anyway.

use std::collections::{HashMap, HashSet, VecDeque, hash_map::Entry};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use formalize_core::events::EventId;
use formalize_core::forms::{SubmissionCap, SubmissionLimit};
use formalize_core::idempotency::KeptResponse;
use formalize_core::store::{ReadSubmissions as _, StoreResult, compose};
use formalize_core::{
    FormId, Revision, StoreError, Submission, SubmissionId, SubmissionState, Timestamp,
};
use tokio::sync::oneshot;

use super::driver::{Database, Purpose, SqlOptions, Statement, Transaction, unavailable};
use super::record::Record;
use super::{outcomes, submissions};

mod statement;

/// Maximum size of the data in one batch, in bytes. Larger submissions are sent alone. A statement is in memory several
/// times.
const MAX_BATCH_BYTES: usize = 1024 * 1024;

/// The pause before a statement whose connection was lost is sent again.
const PAUSE: Duration = Duration::from_millis(50);

/// Maximum number of submissions of a transaction in one statement.
const MAX_PORTION: usize = 256;

/// Submissions that are being written to a database. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct SubmissionBatches {
    limits: BatchLimits,
    forms: Forms,
}

/// The waiting submissions of each form. A form has an entry while a statement that writes to it is running.
type Forms = Arc<Mutex<HashMap<FormId, VecDeque<PendingSubmission>>>>;

#[derive(Debug, Clone, Copy)]
struct BatchLimits {
    /// Maximum number of submissions in one statement.
    rows: usize,
    /// Maximum number of submissions that wait for one form.
    queue: usize,
    /// Maximum time that a submission waits.
    wait: Duration,
}

/// The conditions for writing a submission, as in [`submissions::submit`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Conditions {
    form: Revision,
    cap: Option<SubmissionCap>,
    /// None for a draft, which takes no place of the form.
    limit: Option<SubmissionLimit>,
    /// Whether events are appended for the submissions.
    is_logged: bool,
}

/// A submission, and the conditions for writing it.
#[derive(Debug)]
struct PendingSubmission {
    submission: Submission,
    event: Option<EventId>,
    kept: Vec<KeptResponse>,
    conditions: Conditions,
    since: Instant,
    waiter: oneshot::Sender<StoreResult<bool>>,
}

impl PendingSubmission {
    fn report(self, outcome: StoreResult<bool>) {
        // Sending fails if the caller has been cancelled.
        let _ = self.waiter.send(outcome);
    }

    fn bytes(&self) -> usize {
        let kept = self.kept.iter().map(|kept| kept.response.len());
        let data = self.submission.data.as_ref();
        data.map_or(0, |data| data.len()) + kept.sum::<usize>()
    }
}

impl SubmissionBatches {
    pub(super) fn new(options: &SqlOptions) -> Self {
        let number = |limit| usize::try_from(limit).unwrap_or(usize::MAX);
        let limits = BatchLimits {
            rows: number(options.commit_together),
            queue: number(options.waiting_writers),
            wait: options.wait,
        };
        Self {
            limits,
            forms: Forms::default(),
        }
    }

    /// Writes a submission under the conditions of [`submissions::submit`]. A submission that was sent is written even
    /// if the caller is cancelled.
    pub(super) async fn submit(
        &self,
        database: &Database,
        submission: &Submission,
        form: Revision,
        (cap, limit): (Option<SubmissionCap>, Option<SubmissionLimit>),
        event: Option<EventId>,
        kept: &[KeptResponse],
    ) -> StoreResult<bool> {
        let conditions = Conditions {
            form,
            cap,
            limit: submissions::limit_of(submission, limit),
            is_logged: event.is_some(),
        };
        let (waiter, outcome) = oneshot::channel();
        let pending = PendingSubmission {
            submission: submission.clone(),
            event,
            kept: kept.to_vec(),
            conditions,
            since: Instant::now(),
            waiter,
        };
        if self.limits.rows <= 1 {
            return submit_alone(database, self.limits.wait, &pending).await;
        }
        if let Some(task) = self.wait_or_begin(pending)? {
            tokio::spawn(task.run(database.clone()));
        }
        outcome
            .await
            .unwrap_or_else(|_| Err(unavailable("the task that writes submissions has stopped")))
    }

    /// Queues a submission behind the running statement. If no statement is running, returns a task that writes it.
    fn wait_or_begin(&self, pending: PendingSubmission) -> StoreResult<Option<BatchTask>> {
        let id = pending.submission.form;
        // An entry exists exactly while a task writes to the form, so a vacant one lets the caller create the task.
        match locked(&self.forms).entry(id) {
            Entry::Occupied(waiting) if waiting.get().len() >= self.limits.queue => Err(
                unavailable("too many submissions are waiting to be written"),
            ),
            Entry::Occupied(mut waiting) => {
                waiting.get_mut().push_back(pending);
                Ok(None)
            }
            Entry::Vacant(entry) => {
                entry.insert(VecDeque::new());
                Ok(Some(BatchTask {
                    form: Some(id),
                    first: Some(pending),
                    batches: self.clone(),
                }))
            }
        }
    }
}

/// The task that writes the submissions to a form. Dropping it early, for example in a panic, fails the waiting ones.
struct BatchTask {
    /// Present until no submission is waiting.
    form: Option<FormId>,
    first: Option<PendingSubmission>,
    batches: SubmissionBatches,
}

impl BatchTask {
    /// Writes the waiting submissions until there are none.
    async fn run(mut self, database: Database) {
        let mut next = self.first.take().map(|first| vec![first]);
        while let Some(batch) = next {
            write(&database, self.batches.limits.wait, batch).await;
            next = self.next();
        }
    }

    /// The submissions of the next batch.
    fn next(&mut self) -> Option<Vec<PendingSubmission>> {
        let form = self.form?;
        let mut forms = locked(&self.batches.forms);
        let waiting = forms.get_mut(&form)?;
        let next = next_batch(waiting, self.batches.limits);
        // The entry is removed under the lock that submissions are queued under. No submission can join a queue that
        // has no task to empty it.
        if next.is_empty() {
            forms.remove(&form);
            self.form = None;
            return None;
        }
        Some(next)
    }
}

impl Drop for BatchTask {
    fn drop(&mut self) {
        if let Some(form) = self.form {
            locked(&self.batches.forms).remove(&form);
        }
    }
}

/// Removes from the queue the submissions that can share a statement with the first one: those with the same conditions.
fn next_batch(
    waiting: &mut VecDeque<PendingSubmission>,
    limits: BatchLimits,
) -> Vec<PendingSubmission> {
    let mut batch: Vec<PendingSubmission> = Vec::new();
    let mut left = VecDeque::new();
    let mut bytes = 0;
    while let Some(pending) = waiting.pop_front() {
        // The caller was cancelled before the submission was sent, so it is not written.
        if pending.waiter.is_closed() {
            continue;
        }
        if pending.since.elapsed() > limits.wait {
            pending.report(Err(unavailable(
                "timed out while earlier submissions to the form were written",
            )));
            continue;
        }
        let fits = batch.first().is_none_or(|first| {
            first.conditions == pending.conditions
                && batch.len() < limits.rows
                && bytes + pending.bytes() <= MAX_BATCH_BYTES
        });
        if fits {
            bytes += pending.bytes();
            batch.push(pending);
        } else {
            left.push_back(pending);
        }
    }
    *waiting = left;
    batch
}

/// Writes submissions to one form under the same conditions, and reports the outcome of each.
async fn write(database: &Database, wait: Duration, batch: Vec<PendingSubmission>) {
    let written = match batch.as_slice() {
        [first, _, ..] => {
            let submissions: Vec<_> = batch
                .iter()
                .map(|pending| (&pending.submission, pending.event))
                .collect();
            let kept = batch.iter().flat_map(|pending| {
                let id = pending.submission.id;
                pending.kept.iter().map(move |kept| (id, kept))
            });
            let kept: Vec<_> = kept.collect();
            let conditions = first.conditions;
            let ids: Vec<_> = batch.iter().map(|pending| pending.submission.id).collect();
            let send = || async {
                let dialect = database.dialect();
                let submit = statement::submit(dialect, &submissions, &kept, conditions);
                written(database, submit).await
            };
            Some(send_until_answered(database, wait, &ids, send).await)
        }
        _ => None,
    };
    match written {
        Some(Ok(written)) => {
            for pending in batch {
                let Conditions { cap, limit, .. } = pending.conditions;
                let outcome = if written.contains(&pending.submission.id) {
                    Ok(true)
                } else if cap.is_some() || limit.is_some() {
                    // The statement takes all places that a creator needs or none, and likewise of the form. There may be
                    // enough for some of the submissions.
                    submit_alone(database, wait, &pending).await
                } else {
                    Ok(false)
                };
                pending.report(outcome);
            }
        }
        // One of the submissions may have caused the failure. Each is retried with its own statement, so that the
        // others succeed.
        None | Some(Err(StoreError::Failed(_) | StoreError::Conflict(_))) => {
            for pending in batch {
                let written = submit_alone(database, wait, &pending).await;
                pending.report(written);
            }
        }
        Some(Err(error)) => {
            for pending in batch {
                pending.report(Err(error.clone()));
            }
        }
    }
}

/// The submissions that a statement wrote.
async fn written(database: &Database, submit: Statement<'_>) -> StoreResult<HashSet<SubmissionId>> {
    let rows = database.write_rows(submit).await?;
    database.committed(rows.len());
    let id = |row| {
        Ok(SubmissionId::from_uuid(
            Record::new("formalize_submissions", row).id()?,
        ))
    };
    rows.iter().map(id).collect()
}

/// Inserts submissions of one creator to one form in a transaction that has locked the form exclusively, with few
/// statements. Returns whether all were inserted.
pub(super) async fn submit_all(
    tx: &mut Transaction,
    submissions: &[(Submission, Option<EventId>)],
    form: Revision,
    (cap, limit): (Option<SubmissionCap>, Option<SubmissionLimit>),
) -> StoreResult<bool> {
    for portion in portions(submissions) {
        let Some((first, event)) = portion.first() else {
            continue;
        };
        let conditions = Conditions {
            form,
            cap,
            limit: submissions::limit_of(first, limit),
            is_logged: event.is_some(),
        };
        let submit = statement::submit(tx.dialect(), &portion, &[], conditions);
        if tx.all(submit).await?.len() < portion.len() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Divides submissions into those that a statement can insert together: all drafts or none, and not too many or too large.
/// The order of each kind is kept.
fn portions(
    submissions: &[(Submission, Option<EventId>)],
) -> Vec<Vec<(&Submission, Option<EventId>)>> {
    let mut portions = Vec::new();
    for state in SubmissionState::ALL {
        let (mut portion, mut bytes) = (Vec::new(), 0);
        let of_state = submissions.iter().filter(|(made, _)| made.state == *state);
        for (submission, event) in of_state {
            let more = submission.data.as_ref().map_or(0, |data| data.len());
            let is_full = portion.len() >= MAX_PORTION || bytes + more > MAX_BATCH_BYTES;
            if is_full && !portion.is_empty() {
                portions.push(std::mem::take(&mut portion));
                bytes = 0;
            }
            bytes += more;
            portion.push((submission, *event));
        }
        portions.push(portion);
    }
    portions
}

async fn submit_alone(
    database: &Database,
    wait: Duration,
    pending: &PendingSubmission,
) -> StoreResult<bool> {
    let Conditions {
        form, cap, limit, ..
    } = pending.conditions;
    let (submission, event) = (&pending.submission, pending.event);
    let (places, id, now) = ((cap, limit), submission.id, submission.date_created);
    let send = || async {
        let submit = submissions::submit(database.dialect(), submission, form, places, event);
        let is_written = submit_and_keep(database, submit, &pending.kept, now).await?;
        Ok(HashSet::from_iter(is_written.then_some(id)))
    };
    let written = send_until_answered(database, wait, &[id], send).await?;
    if !written.is_empty() {
        database.committed(1);
    }
    Ok(!written.is_empty())
}

/// Runs a statement that writes a submission under conditions, and keeps the responses if it does. Returns whether it was
/// written.
pub(super) async fn submit_and_keep(
    database: &Database,
    submit: Statement<'_>,
    kept: &[KeptResponse],
    now: Timestamp,
) -> StoreResult<bool> {
    if kept.is_empty() {
        return Ok(database.write_once(submit).await? > 0);
    }
    let mut tx = database.begin(Purpose::Write).await?;
    if tx.run(submit).await? == 0 {
        return Ok(false);
    }
    for response in kept {
        compose::keep(&mut tx, response, now).await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// Sends a transaction that writes submissions, and returns which were written. While the connection gets lost, it is sent
/// again, until `wait` has passed.
///
/// No submission is written twice, because the identifiers are the same each time. If an attempt was committed whose response
/// was lost, the next one fails, or finds no place; the database says then which submissions were written.
async fn send_until_answered<F>(
    database: &Database,
    wait: Duration,
    ids: &[SubmissionId],
    send: impl Fn() -> F,
) -> StoreResult<HashSet<SubmissionId>>
where
    F: Future<Output = StoreResult<HashSet<SubmissionId>>>,
{
    let until = Instant::now() + wait;
    let mut is_uncertain = false;
    loop {
        let outcome = send().await;
        is_uncertain |= matches!(outcome, Err(StoreError::Uncertain(_)));
        match outcome {
            Err(StoreError::Disconnected(_) | StoreError::Uncertain(_))
                if Instant::now() < until =>
            {
                tokio::time::sleep(PAUSE).await;
            }
            outcome if !is_uncertain => return outcome,
            Err(error @ StoreError::Failed(_)) => {
                let found = existing(database, ids).await?;
                return if found.is_empty() {
                    Err(error)
                } else {
                    Ok(found)
                };
            }
            Ok(_) => return existing(database, ids).await,
            Err(error) => return Err(StoreError::Uncertain(error.to_string())),
        }
    }
}

/// Which of these submissions exist. Until this is known, it is uncertain whether they were written.
async fn existing(database: &Database, ids: &[SubmissionId]) -> StoreResult<HashSet<SubmissionId>> {
    let find = async {
        let mut tx = outcomes::settled(database, "formalize_submissions").await?;
        let found = tx.submission_headers(ids).await?;
        tx.commit().await?;
        Ok(found)
    };
    let found: StoreResult<Vec<_>> = find.await;
    let found = found.map_err(|error| StoreError::Uncertain(error.to_string()))?;
    Ok(found.into_iter().map(|submission| submission.id).collect())
}

fn locked(forms: &Forms) -> MutexGuard<'_, HashMap<FormId, VecDeque<PendingSubmission>>> {
    forms.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use formalize_core::submissions::Tags;
    use formalize_core::{Timestamp, UserId};
    use tokio::sync::oneshot::Receiver;
    use uuid::Uuid;

    use super::*;

    const LIMITS: BatchLimits = BatchLimits {
        rows: 4,
        queue: 2,
        wait: Duration::from_secs(5),
    };
    const FORM: FormId = FormId::from_uuid(Uuid::nil());

    /// A pending submission of a user under a cap, and the receiver of its outcome.
    fn pending(
        creator: &str,
        cap: Option<i64>,
    ) -> (PendingSubmission, Receiver<StoreResult<bool>>) {
        let (waiter, outcome) = oneshot::channel();
        let creator = UserId::new(creator.to_owned()).unwrap();
        let now = Timestamp::from_millis(0).unwrap();
        let submission = Submission {
            id: SubmissionId::from_uuid(Uuid::nil()),
            form: FORM,
            data: Some("{}".into()),
            state: SubmissionState::Draft,
            creator: creator.clone(),
            last_modified_by: creator,
            date_created: now,
            date_last_modified: now,
            revision: Revision::from_uuid(Uuid::nil()),
            files: Vec::new(),
            tags: Tags::default(),
        };
        let pending = PendingSubmission {
            submission,
            event: None,
            kept: Vec::new(),
            conditions: Conditions {
                form: Revision::from_uuid(Uuid::nil()),
                cap: cap.map(|cap| SubmissionCap::new(cap).unwrap()),
                limit: None,
                is_logged: false,
            },
            since: Instant::now(),
            waiter,
        };
        (pending, outcome)
    }

    fn creators<'w>(batch: impl IntoIterator<Item = &'w PendingSubmission>) -> String {
        let creators = batch
            .into_iter()
            .map(|pending| pending.submission.creator.as_str());
        creators.collect::<Vec<_>>().join(" ")
    }

    /// The creators of the submissions that are sent, and of those that keep waiting.
    fn split(batch: Vec<PendingSubmission>) -> (String, String) {
        let mut waiting = batch.into();
        let batch = next_batch(&mut waiting, LIMITS);
        (creators(&batch), creators(&waiting))
    }

    #[test]
    fn a_batch_is_limited_to_the_maximum_number_of_rows() {
        let (batch, _outcomes): (Vec<_>, Vec<_>) = "a b a c d e"
            .split(' ')
            .map(|creator| pending(creator, None))
            .unzip();
        assert_eq!(split(batch), ("a b a c".to_owned(), "d e".to_owned()));
    }

    #[test]
    fn different_conditions_are_sent_separately() {
        let [first, mut changed, capped, mut limited, last] = [
            ("a", None),
            ("b", None),
            ("c", Some(1)),
            ("d", None),
            ("e", None),
        ]
        .map(|(creator, cap)| pending(creator, cap));
        changed.0.conditions.form = Revision::from_uuid(Uuid::max());
        limited.0.conditions.limit = SubmissionLimit::new(1).ok();
        let batch = vec![first.0, changed.0, capped.0, limited.0, last.0];
        assert_eq!(split(batch), ("a e".to_owned(), "b c d".to_owned()));
    }

    #[test]
    fn large_data_is_sent_separately() {
        let [mut large, small] = ["a", "b"].map(|creator| pending(creator, None));
        large.0.submission.data = Some("x".repeat(MAX_BATCH_BYTES).into());
        let batch = vec![large.0, small.0];
        assert_eq!(split(batch), ("a".to_owned(), "b".to_owned()));
    }

    #[test]
    fn cancelled_and_expired_submissions_are_not_sent() {
        let [gone, mut late, there] = ["a", "b", "c"].map(|creator| pending(creator, None));
        drop(gone.1);
        late.0.since -= LIMITS.wait + Duration::from_millis(1);
        let batch = vec![gone.0, late.0, there.0];
        assert_eq!(split(batch), ("c".to_owned(), String::new()));
        let outcome = late.1.blocking_recv().unwrap();
        assert!(matches!(outcome, Err(StoreError::Unavailable(_))));
    }

    #[test]
    fn the_queue_is_bounded_and_a_stopped_task_is_reported() {
        let batches = SubmissionBatches {
            limits: LIMITS,
            forms: Forms::default(),
        };
        let [first, second, third, fourth] = [(); 4].map(|()| pending("a", None));
        let task = batches.wait_or_begin(first.0).unwrap().unwrap();
        for waiting in [second.0, third.0] {
            assert!(batches.wait_or_begin(waiting).unwrap().is_none());
        }
        let refused = batches.wait_or_begin(fourth.0);
        assert!(matches!(refused, Err(StoreError::Unavailable(_))));
        drop(task);
        for lost in [first.1, second.1, third.1] {
            assert!(lost.blocking_recv().is_err());
        }
        let next = pending("a", None);
        assert!(batches.wait_or_begin(next.0).unwrap().is_some());
    }
}
