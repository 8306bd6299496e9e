//! Summaries of the submissions of a form that a caller may read.

use std::time::Duration;

use super::SubmissionsService;
use crate::error::Result;
use crate::id::FormId;
use crate::model::subject::Caller;
use crate::model::submission::{OutputValidation, Submission, SubmissionFilter};
use crate::offload::{Turn, offload_in_turn};
use crate::store::StoreError;
use crate::summary::{Leaf, Summary, Tally};

/// How long submissions are read for a summary.
const TIME: Duration = Duration::from_secs(5);

impl SubmissionsService<'_> {
    /// Counts the submissions of a form that the caller may read, and the answers in them: exactly the submissions that the
    /// list with the same filter shows. `language` is that of labels and choices, a tag such as `de`; the default is `en`.
    /// The output of the filter makes no difference.
    ///
    /// Submissions are read in one snapshot, the newest first: at most [`Summary::MAX_SUBMISSIONS`], for five seconds by the
    /// clock of the service. If there are more, the summary [is not complete](Summary::is_complete).
    ///
    /// A caller who may not read the form, and none of these submissions, gets no questions.
    ///
    /// # Errors
    ///
    /// [`FormNotFound`](crate::Error::FormNotFound); [`Store`](crate::Error::Store), also if two summaries are being made.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use formalize_core::store::memory::MemoryStore;
    /// # use formalize_core::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// # let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
    /// # let (name, rules) = (FormName::new("Party")?, SubmissionRules::default());
    /// # let schema = r#"{"properties": {"guests": {"type": "integer"}}}"#;
    /// # let new = NewForm { name, data_feed_schema: Some(schema.to_owned()), rules };
    /// # let form = formalize.forms().create(&Caller::System, new).await?.item;
    /// # for data in [r#"{"guests": 2}"#, r#"{"guests": 5}"#] {
    /// #     formalize.submissions().create(&Caller::System, NewSubmission::new(form.id, data)).await?;
    /// # }
    /// use formalize_core::summary::AnswerSummary;
    ///
    /// let (submissions, all) = (formalize.submissions(), SubmissionFilter::default());
    /// let summary = submissions.summary(&Caller::System, form.id, &all, None).await?;
    /// assert_eq!(summary.num_submissions, 2);
    /// let AnswerSummary::Numbers(guests) = &summary.questions[0].answers else { panic!() };
    /// assert_eq!((guests.greatest, guests.mean), (Some(5.0), Some(3.5)));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn summary(
        &self,
        caller: &Caller,
        form: FormId,
        filter: &SubmissionFilter,
        language: Option<&str>,
    ) -> Result<Summary> {
        let place = self.0.summaries.try_acquire();
        let _place = place.map_err(|_| {
            StoreError::Unavailable("too many summaries are being made; try again later".to_owned())
        })?;
        let filter = SubmissionFilter {
            output: OutputValidation::None,
            ..filter.clone()
        };
        let language = language.unwrap_or("en").to_owned();
        let begin = self.begin(caller, form, &filter, &language, true);
        let mut export = begin.await?;
        let end = export.began().saturating_add(TIME);
        let (columns, validator) = (export.columns(), export.validator());
        let prepare = move || {
            let leaves = Leaf::all(&columns, validator.schema(), Some(&language));
            Tally::new(columns, leaves)
        };
        let mut tally = offload_in_turn(Turn::HoldingLocks, prepare).await?;
        let mut is_complete = true;
        while let Some(mut rows) = export.next().await? {
            let left = Summary::MAX_SUBMISSIONS.saturating_sub(tally.count());
            let left = usize::try_from(left).unwrap_or(usize::MAX);
            if left == 0 || self.0.now() >= end {
                is_complete = false;
                break;
            }
            is_complete = rows.len() <= left;
            rows.truncate(left);
            tally = offload_in_turn(Turn::HoldingLocks, move || added(tally, &rows)).await?;
            if !is_complete {
                break;
            }
        }
        Ok(tally.summary(is_complete, self.0.summary_minimum))
    }
}

fn added(mut tally: Tally, rows: &[Submission]) -> Tally {
    for row in rows {
        tally.add(row);
    }
    tally
}
