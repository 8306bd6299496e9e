//! Summaries of the submissions of a form that a caller may read.

use std::time::{Duration, Instant};

use super::{Export, SubmissionsService};
use crate::error::Result;
use crate::id::FormId;
use crate::model::subject::Caller;
use crate::model::submission::{OutputValidation, Submission, SubmissionFilter};
use crate::offload::{Turn, offload_in_turn, pause};
use crate::summary::{Leaf, Summary, Tally};

/// How long submissions are read for a summary.
const TIME: Duration = Duration::from_secs(5);

/// The length of each pause, as a multiple of the time that the part before it took. On two processors with PostgreSQL, the
/// slowest hundredth of submissions to other forms takes 1.4 times as long as without summaries; with 1 in place of 2, it
/// takes 1.7 times as long.
const PAUSE: u32 = 2;

impl SubmissionsService<'_> {
    /// Counts the submissions of a form that the caller may read, and the answers in them: exactly the submissions that the
    /// list with the same filter shows. `language` is that of labels and choices, a tag such as `de`; the default is `en`.
    /// The output of the filter makes no difference.
    ///
    /// Submissions are read in one snapshot, the newest first: at most [`Summary::MAX_SUBMISSIONS`], for five seconds by the
    /// clock of the service. If there are more, the summary [is not complete](Summary::is_complete). In the first half of this
    /// time, reading pauses for twice as long as each part took, so that others have the processors.
    ///
    /// Two summaries are made at a time, one for each user, and users take turns. Up to seven calls of a user wait.
    ///
    /// A caller who may not read the form, and none of these submissions, gets no questions.
    ///
    /// # Errors
    ///
    /// [`FormNotFound`](crate::Error::FormNotFound); [`Store`](crate::Error::Store), also if the caller waits for too many
    /// summaries already.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// use formalize_core::summary::AnswerSummary;
    ///
    /// let schema = r#"{"properties": {"guests": {"type": "integer"}}}"#;
    /// # let form = create_form(&formalize, schema).await?;
    /// let (submissions, all) = (formalize.submissions(), SubmissionFilter::default());
    /// for data in [r#"{"guests": 2}"#, r#"{"guests": 5}"#] {
    ///     submissions.create(&Caller::System, NewSubmission::new(form.id, data)).await?;
    /// }
    /// let summary = submissions.summary(&Caller::System, form.id, &all, None).await?;
    /// assert_eq!(summary.num_submissions, 2);
    /// let AnswerSummary::Numbers(guests) = &summary.questions[0].answers else { panic!() };
    /// assert_eq!((guests.greatest, guests.mean), (Some(5.0), Some(3.5)));
    /// # Ok(()) });
    /// ```
    pub async fn summary(
        &self,
        caller: &Caller,
        form: FormId,
        filter: &SubmissionFilter,
        language: Option<&str>,
    ) -> Result<Summary> {
        let _place = self.0.forms.summaries.place_of(caller).await?;
        let filter = SubmissionFilter {
            output: OutputValidation::None,
            ..filter.clone()
        };
        let language = language.unwrap_or("en").to_owned();
        let tally = async |export| self.tally(export, language.clone()).await;
        self.read_all(caller, form, (&filter, true), &language, tally)
            .await
    }

    async fn tally(&self, mut export: Export, language: String) -> Result<Summary> {
        let end = export.began().saturating_add(TIME);
        // With pauses to the end, fewer submissions could be read from a slow database.
        let end_of_pauses = export.began().saturating_add(TIME / 2);
        let (columns, validator) = (export.columns(), export.validator());
        let prepare = move || {
            let leaves = Leaf::all(&columns, validator.schema(), Some(&language));
            Tally::new(columns, leaves)
        };
        let mut tally = offload_in_turn(Turn::ReadingSnapshot, prepare).await?;
        let mut is_complete = true;
        let mut part_began = Instant::now();
        while let Some(mut rows) = export.next().await? {
            let left = Summary::MAX_SUBMISSIONS.saturating_sub(tally.count());
            let left = usize::try_from(left).unwrap_or(usize::MAX);
            let now = self.0.now();
            if left == 0 || now >= end {
                is_complete = false;
                break;
            }
            is_complete = rows.len() <= left;
            rows.truncate(left);
            tally = offload_in_turn(Turn::ReadingSnapshot, move || added(tally, &rows)).await?;
            if !is_complete {
                break;
            }
            if now < end_of_pauses {
                pause(PAUSE * part_began.elapsed()).await;
            }
            part_began = Instant::now();
        }
        Ok(tally.summary(is_complete, self.0.forms.summary_minimum))
    }
}

fn added(mut tally: Tally, rows: &[Submission]) -> Tally {
    for row in rows {
        tally.add(row);
    }
    tally
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;
    use std::sync::{Arc, Mutex, mpsc};
    use std::thread;

    use super::*;
    use crate::id::FormId;
    use crate::model::form::NewForm;
    use crate::model::form_details::FormName;
    use crate::model::submission::NewSubmission;
    use crate::service::Formalize;
    use crate::store::memory::MemoryStore;

    /// Occupies the threads of a queue until the sender is dropped.
    fn occupy(turn: Turn<'static>) -> mpsc::Sender<()> {
        let (release, released) = mpsc::channel::<()>();
        let released = Arc::new(Mutex::new(released));
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            let released = Arc::clone(&released);
            let wait = move || {
                let _ = released.lock().unwrap().recv();
            };
            tokio::spawn(offload_in_turn(turn, wait));
        }
        release
    }

    async fn form(formalize: &Formalize) -> FormId {
        let new = NewForm {
            data_feed_schema: Some(r#"{"properties": {"guests": {"type": "integer"}}}"#.to_owned()),
            ..NewForm::new(FormName::new("Party").unwrap())
        };
        let form = formalize.forms().create(&Caller::System, new).await;
        let form = form.unwrap().item.id;
        let new = NewSubmission::new(form, r#"{"guests": 2, "more": 3}"#);
        let created = formalize.submissions().create(&Caller::System, new).await;
        created.unwrap();
        form
    }

    #[tokio::test]
    async fn those_who_hold_locks_and_those_who_read_a_snapshot_do_not_wait_for_each_other() {
        let formalize = Formalize::builder(Arc::new(MemoryStore::new()));
        let formalize = formalize.build().await.unwrap();
        let form = form(&formalize).await;
        let filter = SubmissionFilter {
            output: OutputValidation::Keys,
            ..SubmissionFilter::default()
        };
        let locks = occupy(Turn::HoldingLocks);
        tokio::task::yield_now().await;
        let submissions = formalize.submissions();
        let summary = submissions.summary(&Caller::System, form, &filter, None);
        assert_eq!(summary.await.unwrap().num_submissions, 1);
        let export = submissions.export(&Caller::System, form, &filter, "en");
        let rows = export.await.unwrap().next().await.unwrap().unwrap();
        assert_eq!(rows[0].data.as_deref(), Some(r#"{"guests":2}"#));
        drop(locks);
        let snapshots = occupy(Turn::ReadingSnapshot);
        tokio::task::yield_now().await;
        assert_eq!(offload_in_turn(Turn::HoldingLocks, || 1).await, Ok(1));
        drop(snapshots);
    }
}
