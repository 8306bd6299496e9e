//! Submissions to one form that wait for each other are written by one statement, and so share a COMMIT. PostgreSQL runs
//! one statement for many rows in little more time than one for a single row.
//!
//! The first submission to a form is sent at once, alone; those that come before it is written wait, and are sent
//! together. There is no waiting for company. A store has one statement under way for each form, so that many share the
//! next one; other forms do not wait for it. SQLite has no use for this: there, whole transactions share a COMMIT.

use std::collections::{HashMap, HashSet, VecDeque, hash_map::Entry};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::driver::{Database, SqlOptions, Statement};
use super::record::Record;
use super::submissions;
use crate::id::{FormId, Revision, SubmissionId};
use crate::model::form::SubmissionCap;
use crate::model::submission::Submission;
use crate::store::{StoreError, StoreResult};

mod statement;

/// How many bytes of data are sent together; what is larger goes alone. A statement is in memory several times.
const DATA: usize = 1024 * 1024;

/// Submissions on their way into a database. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct SubmissionBatches {
    limits: BatchLimits,
    forms: Forms,
}

/// Those that wait, by form. A form has an entry as long as a statement that writes to it is under way.
type Forms = Arc<Mutex<HashMap<FormId, VecDeque<PendingSubmission>>>>;

#[derive(Debug, Clone, Copy)]
struct BatchLimits {
    /// How many submissions share a statement.
    rows: usize,
    /// How many wait to be written to one form.
    queue: usize,
    /// How long each of them waits.
    wait: Duration,
}

/// A submission, and on which conditions it is to be written.
#[derive(Debug)]
struct PendingSubmission {
    submission: Submission,
    form: Revision,
    cap: Option<SubmissionCap>,
    since: Instant,
    told: oneshot::Sender<StoreResult<bool>>,
}

impl PendingSubmission {
    fn tell(self, outcome: StoreResult<bool>) {
        // Whoever is gone need not be told.
        let _ = self.told.send(outcome);
    }

    fn bytes(&self) -> usize {
        self.submission.data.as_ref().map_or(0, |data| data.len())
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

    /// Writes a submission on the conditions of [`submissions::submit`]. Once it is sent it is written also if nobody
    /// waits for that any more.
    pub(super) async fn submit(
        &self,
        database: &Database,
        submission: &Submission,
        form: Revision,
        cap: Option<SubmissionCap>,
    ) -> StoreResult<bool> {
        if self.limits.rows <= 1 {
            return alone(database, submission, form, cap).await;
        }
        let (told, outcome) = oneshot::channel();
        let pending = PendingSubmission {
            submission: submission.clone(),
            form,
            cap,
            since: Instant::now(),
            told,
        };
        if let Some(turn) = self.wait_or_begin(pending)? {
            tokio::spawn(turn.take(database.clone()));
        }
        outcome
            .await
            .unwrap_or_else(|_| Err(unavailable("the submission was not written")))
    }

    /// Waits for the statement that is under way; if there is none, it is this submission's turn.
    fn wait_or_begin(&self, pending: PendingSubmission) -> StoreResult<Option<BatchTurn>> {
        let id = pending.submission.form;
        // An entry exists exactly as long as somebody writes to the form, so whoever creates it has the turn.
        match locked(&self.forms).entry(id) {
            Entry::Occupied(waiting) if waiting.get().len() >= self.limits.queue => Err(
                unavailable("too many submissions are waiting to be written"),
            ),
            Entry::Occupied(mut waiting) => {
                waiting.get_mut().push_back(pending);
                Ok(None)
            }
            Entry::Vacant(place) => {
                place.insert(VecDeque::new());
                Ok(Some(BatchTurn {
                    form: Some(id),
                    first: Some(pending),
                    batches: self.clone(),
                }))
            }
        }
    }
}

/// The right to write to a form. If it is lost, nobody waits for it any longer.
struct BatchTurn {
    /// Until nobody waits.
    form: Option<FormId>,
    first: Option<PendingSubmission>,
    batches: SubmissionBatches,
}

impl BatchTurn {
    /// Writes what waits until nothing does.
    async fn take(mut self, database: Database) {
        let mut next = self.first.take().map(|first| vec![first]);
        while let Some(batch) = next {
            write(&database, batch).await;
            next = self.next();
        }
    }

    /// Those that are to be written together next.
    fn next(&mut self) -> Option<Vec<PendingSubmission>> {
        let form = self.form?;
        let mut forms = locked(&self.batches.forms);
        let waiting = forms.get_mut(&form)?;
        let next = gather(waiting, self.batches.limits);
        // The entry is removed under the lock that submissions queue under: none can join a queue that nobody empties.
        if next.is_empty() {
            forms.remove(&form);
            self.form = None;
            return None;
        }
        Some(next)
    }
}

impl Drop for BatchTurn {
    fn drop(&mut self) {
        if let Some(form) = self.form {
            locked(&self.batches.forms).remove(&form);
        }
    }
}

/// Takes those out of the queue that can share a statement with the first: under the same conditions, and, where places
/// are scarce, one for each creator, since one statement gives a creator all of the places that it asks for or none.
fn gather(
    waiting: &mut VecDeque<PendingSubmission>,
    limits: BatchLimits,
) -> Vec<PendingSubmission> {
    let mut gathered: Vec<PendingSubmission> = Vec::new();
    let mut left = VecDeque::new();
    let mut creators = HashSet::new();
    let mut bytes = 0;
    while let Some(pending) = waiting.pop_front() {
        // Nothing was sent for a caller who has gone away, so nothing is written.
        if pending.told.is_closed() {
            continue;
        }
        if pending.since.elapsed() > limits.wait {
            pending.tell(Err(unavailable("others write to the form for too long")));
            continue;
        }
        let fits = gathered.first().is_none_or(|first| {
            (first.form, first.cap) == (pending.form, pending.cap)
                && gathered.len() < limits.rows
                && bytes + pending.bytes() <= DATA
        });
        let has_place = pending.cap.is_none() || !creators.contains(&pending.submission.creator);
        if fits && has_place {
            bytes += pending.bytes();
            creators.insert(pending.submission.creator.clone());
            gathered.push(pending);
        } else {
            left.push_back(pending);
        }
    }
    *waiting = left;
    gathered
}

/// Writes submissions to one form under the same conditions, and tells each what became of it.
async fn write(database: &Database, batch: Vec<PendingSubmission>) {
    let written = match batch.as_slice() {
        [first, _, ..] => {
            let submissions: Vec<_> = batch.iter().map(|pending| &pending.submission).collect();
            let submit = statement::submit(database.dialect(), &submissions, first.form, first.cap);
            Some(written(database, submit).await)
        }
        _ => None,
    };
    match written {
        Some(Ok(written)) => {
            for pending in batch {
                let is_written = written.contains(&pending.submission.id);
                pending.tell(Ok(is_written));
            }
        }
        // One of them may have caused the failure. Each gets a statement of its own, so that the others succeed.
        None | Some(Err(StoreError::Failed(_) | StoreError::Deadlock(_))) => {
            for pending in batch {
                let written = alone(database, &pending.submission, pending.form, pending.cap).await;
                pending.tell(written);
            }
        }
        Some(Err(error)) => {
            for pending in batch {
                pending.tell(Err(error.clone()));
            }
        }
    }
}

/// Which submissions a statement has written.
async fn written(database: &Database, submit: Statement<'_>) -> StoreResult<HashSet<SubmissionId>> {
    let rows = database.write_rows(submit).await?;
    database.committed(rows.len());
    let id = |row| {
        Ok(SubmissionId::from_uuid(
            Record::new("submissions", row).id()?,
        ))
    };
    rows.iter().map(id).collect()
}

async fn alone(
    database: &Database,
    submission: &Submission,
    form: Revision,
    cap: Option<SubmissionCap>,
) -> StoreResult<bool> {
    let submit = submissions::submit(database.dialect(), submission, form, cap);
    let written = database.write_once(submit).await? > 0;
    if written {
        database.committed(1);
    }
    Ok(written)
}

fn locked(forms: &Forms) -> MutexGuard<'_, HashMap<FormId, VecDeque<PendingSubmission>>> {
    forms.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unavailable(why: &str) -> StoreError {
    StoreError::Unavailable(why.to_owned())
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot::Receiver;

    use super::*;
    use crate::model::form::SubmissionState;
    use crate::model::subject::UserId;
    use crate::time::Timestamp;
    use uuid::Uuid;

    const LIMITS: BatchLimits = BatchLimits {
        rows: 4,
        queue: 2,
        wait: Duration::from_secs(5),
    };
    const FORM: FormId = FormId::from_uuid(Uuid::nil());

    /// A pending of a user under a cap, with the end at which its outcome is waited for.
    fn pending(
        creator: &str,
        cap: Option<i64>,
    ) -> (PendingSubmission, Receiver<StoreResult<bool>>) {
        let (told, outcome) = oneshot::channel();
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
        };
        let pending = PendingSubmission {
            submission,
            form: Revision::from_uuid(Uuid::nil()),
            cap: cap.map(|cap| SubmissionCap::new(cap).unwrap()),
            since: Instant::now(),
            told,
        };
        (pending, outcome)
    }

    fn creators<'w>(batch: impl IntoIterator<Item = &'w PendingSubmission>) -> String {
        let creators = batch
            .into_iter()
            .map(|pending| pending.submission.creator.as_str());
        creators.collect::<Vec<_>>().join(" ")
    }

    /// The creators of those that are sent, and of those that go on waiting.
    fn gathered(batch: Vec<PendingSubmission>) -> (String, String) {
        let mut waiting = batch.into();
        let gathered = gather(&mut waiting, LIMITS);
        (creators(&gathered), creators(&waiting))
    }

    #[test]
    fn as_many_are_sent_together_as_may_be() {
        let (batch, _outcomes): (Vec<_>, Vec<_>) = "a b a c d e"
            .split(' ')
            .map(|creator| pending(creator, None))
            .unzip();
        assert_eq!(gathered(batch), ("a b a c".to_owned(), "d e".to_owned()));
    }

    #[test]
    fn a_creator_with_a_cap_is_sent_once_at_a_time() {
        let (batch, _outcomes): (Vec<_>, Vec<_>) = "a a b a b"
            .split(' ')
            .map(|creator| pending(creator, Some(3)))
            .unzip();
        assert_eq!(gathered(batch), ("a b".to_owned(), "a a b".to_owned()));
    }

    #[test]
    fn other_conditions_go_separately() {
        let [first, mut changed, capped, last] =
            [("a", None), ("b", None), ("c", Some(1)), ("d", None)]
                .map(|(creator, cap)| pending(creator, cap));
        changed.0.form = Revision::from_uuid(Uuid::max());
        let batch = vec![first.0, changed.0, capped.0, last.0];
        assert_eq!(gathered(batch), ("a d".to_owned(), "b c".to_owned()));
    }

    #[test]
    fn much_data_goes_separately() {
        let [mut large, small] = ["a", "b"].map(|creator| pending(creator, None));
        large.0.submission.data = Some("x".repeat(DATA).into());
        let batch = vec![large.0, small.0];
        assert_eq!(gathered(batch), ("a".to_owned(), "b".to_owned()));
    }

    #[test]
    fn who_is_gone_or_has_waited_for_too_long_is_not_sent() {
        let [gone, mut late, there] = ["a", "b", "c"].map(|creator| pending(creator, None));
        drop(gone.1);
        late.0.since -= LIMITS.wait + Duration::from_millis(1);
        let batch = vec![gone.0, late.0, there.0];
        assert_eq!(gathered(batch), ("c".to_owned(), String::new()));
        let told = late.1.blocking_recv().unwrap();
        assert!(matches!(told, Err(StoreError::Unavailable(_))));
    }

    #[test]
    fn the_queue_is_bounded_and_a_lost_turn_is_told() {
        let batches = SubmissionBatches {
            limits: LIMITS,
            forms: Forms::default(),
        };
        let [first, second, third, fourth] = [(); 4].map(|()| pending("a", None));
        let turn = batches.wait_or_begin(first.0).unwrap().unwrap();
        for waiting in [second.0, third.0] {
            assert!(batches.wait_or_begin(waiting).unwrap().is_none());
        }
        let refused = batches.wait_or_begin(fourth.0);
        assert!(matches!(refused, Err(StoreError::Unavailable(_))));
        drop(turn);
        for lost in [first.1, second.1, third.1] {
            assert!(lost.blocking_recv().is_err());
        }
        let next = pending("a", None);
        assert!(batches.wait_or_begin(next.0).unwrap().is_some());
    }
}
