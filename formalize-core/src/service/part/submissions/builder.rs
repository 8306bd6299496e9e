//! The configuration of summaries.

use crate::service::Builder;

impl Builder {
    setters! {
        /// Withholds counts from 1 to below this minimum in [summaries](crate::summary), because they could tell who the people
        /// are. The default is 1: none is withheld.
        ///
        /// ```
        /// # use formalize_conformance::example::*; run(async || {
        /// let formalize = Formalize::builder(Arc::new(MemoryStore::new())).summary_minimum(5).build().await?;
        /// # let form = create_form(&formalize, "{}").await?.id;
        /// formalize.submissions().create(&Caller::System, NewSubmission::new(form, "{}")).await?;
        /// let all = SubmissionFilter::default();
        /// let summary = formalize.submissions().summary(&Caller::System, form, &all, None).await?;
        /// assert_eq!(summary.by_day[0].count.to_string(), "< 5");
        /// # Ok(()) });
        /// ```
        summary_minimum(minimum: u64) => forms.summary_minimum;
    }
}
