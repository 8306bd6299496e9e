//! Submissions.

use formalize_core::{Error, Field, FormId, OutputValidation, SubmissionFilter};
use poem::http::HeaderMap;
use poem_openapi::OpenApi;

use super::{
    Changed, Composed, Context, Created, Deleted, Expectation, Exported, Found, Keyed, Listed,
    Part, PathText, Query, SentText, parse_id,
};
use crate::{
    auth::Actor,
    contract::{
        endpoint::{
            CreateSubmission, DeleteSubmission, DeleteSubmissions, ExportSubmissions,
            GetSubmission, ListSubmissions, SummarizeSubmissions, UpdateSubmission,
        },
        parameter::{
            CREATED_BEFORE, CREATED_FROM, CREATOR_ID_EQUALS, FORM_IDENTIFIER, LANGUAGE_OF_SUMMARY,
            OUTPUT_VALIDATION, SUBMISSION_STATE,
        },
    },
    exports::ExportFormat,
    failure::Answer,
    wire::{
        Body,
        submission::{NewSubmission, Submission, SubmissionChange},
        summary::SubmissionsSummary,
    },
};

pub(super) struct Submissions(pub(super) Context);

fn form(query: &Query) -> Result<FormId, Error> {
    query.id(&FORM_IDENTIFIER, Error::FormNotFound)
}

fn filter(query: &Query) -> SubmissionFilter {
    SubmissionFilter {
        creator: query.text(&CREATOR_ID_EQUALS).map(str::to_owned),
        state: query
            .text(&SUBMISSION_STATE)
            .and_then(|word| word.parse().ok()),
        created_from: query.instant(&CREATED_FROM),
        created_before: query.instant(&CREATED_BEFORE),
        output: match query.text(&OUTPUT_VALIDATION) {
            Some("KEYS") => OutputValidation::Keys,
            _ => OutputValidation::None,
        },
    }
}

#[OpenApi(prefix_path = "/formalize/submissions", tag = "Part::Submissions")]
impl Submissions {
    /// List the submissions of a form that the caller may read.
    ///
    /// No special permission is needed. A caller who may read none gets an empty page. Drafts are visible to their
    /// creators and to users they were shared with, but not to users who may read all submissions of the form.
    /// `outputValidation=KEYS` removes keys that the schema does not define.
    #[oai(path = "/", method = "get")]
    async fn list(
        &self,
        Actor(caller): Actor,
        query: Query,
    ) -> Answer<Listed<Submission>, ListSubmissions> {
        let (form, filter, page) = (form(&query)?, filter(&query), query.page());
        let submissions = self.0.core.submissions();
        let page = submissions.list(&caller, form, &filter, &page).await?;
        let data = page
            .items
            .iter()
            .filter_map(|view| view.item.data.as_deref());
        let bytes = data.map(str::len).sum();
        Ok(Listed::compose(&caller, page, bytes, &query, &self.0).await?)
    }

    /// Export the submissions of a form as one document.
    ///
    /// The document has exactly the submissions that the list shows, in the same order, as they were when the export began.
    /// A document that ends early ends with the connection. A workbook (XLSX) is sent when it is complete. See `docs/exports.md` for the columns of CSV.
    #[oai(path = "/export", method = "get")]
    async fn export(
        &self,
        Actor(caller): Actor,
        query: Query,
        headers: &HeaderMap,
    ) -> Answer<Exported, ExportSubmissions> {
        let format = ExportFormat::of(&query, headers)?;
        let (form, filter, core) = (form(&query)?, filter(&query), &self.0.core);
        let exports = &self.0.exports;
        let document = (exports.begin(core, &caller, form, &filter, format.clone())).await?;
        Ok(Exported::of(document, &format, query.is_head).await?)
    }

    /// Count the submissions of a form, and the answers in them.
    ///
    /// No special permission is needed. Exactly the submissions are counted that the list shows, as they were at one moment,
    /// the newest first: at most 100,000, for five seconds. Nothing of the content of texts is told. Two summaries are made at
    /// a time; other requests get 503. See `docs/exports.md`.
    #[oai(path = "/summary", method = "get")]
    async fn summary(
        &self,
        Actor(caller): Actor,
        query: Query,
    ) -> Answer<Composed<SubmissionsSummary>, SummarizeSubmissions> {
        let (form, filter, language) = (
            form(&query)?,
            filter(&query),
            query.text(&LANGUAGE_OF_SUMMARY),
        );
        let submissions = self.0.core.submissions();
        let summary = submissions
            .summary(&caller, form, &filter, language)
            .await?;
        Ok(Composed::of(&caller, summary).await?)
    }

    /// Submit to a form, or save a draft.
    ///
    /// Requires `create_submissions` on the form. Submitted data is validated against the form's schema while the
    /// form is open, and every violation is reported with its location. A draft only needs to be well-formed JSON.
    /// Both count towards the creator's limit. `dataFeedElement` is a string containing JSON; it is returned exactly
    /// as it was sent.
    #[oai(path = "/", method = "post")]
    async fn create(
        &self,
        Actor(caller): Actor,
        keyed: Keyed,
        Body(new): Body<NewSubmission>,
    ) -> Answer<Created<Submission>, CreateSubmission> {
        let (core, links, sent) = (
            &self.0.core,
            &self.0.links,
            SentText::new(Field::DataFeedElement, new.data.as_deref()),
        );
        let keep = |view: &_| Created::<Submission>::of(view, links).kept(&sent);
        let outcome = (core.submissions())
            .create_once(&caller, new, keyed.request(), &keep)
            .await?;
        Ok(Created::once(outcome, &sent, links)?)
    }

    /// Delete all submissions of a form except drafts.
    ///
    /// Requires `delete_submissions` on the form. Either all of them are deleted or none. This cannot be undone.
    #[oai(path = "/", method = "delete")]
    async fn delete_all(
        &self,
        Actor(caller): Actor,
        query: Query,
    ) -> Answer<Deleted, DeleteSubmissions> {
        let form = form(&query)?;
        self.0.core.submissions().delete_all(&caller, form).await?;
        Ok(Deleted)
    }

    /// Read a submission.
    ///
    /// Requires `read` on the submission. Creators may read their drafts, and their submitted submissions if the form
    /// allows it. Users who may read all submissions of the form may read this one once it is submitted.
    #[oai(path = "/:identifier", method = "get")]
    async fn get(
        &self,
        Actor(caller): Actor,
        /// Identifier of the submission.
        identifier: PathText,
    ) -> Answer<Found<Submission>, GetSubmission> {
        let id = parse_id(&identifier, Error::SubmissionNotFound)?;
        let submission = self.0.core.submissions().get(&caller, id).await?;
        Ok(Found(submission.into()))
    }

    /// Change a submission.
    ///
    /// Requires `update` on the submission. Without `submissionState`, the change submits a draft: to correct a typo
    /// in a draft, yours or one shared with you, send `draft`. A submission that is or becomes submitted is
    /// validated. The response is 204 without a body if the caller may not read the submission.
    #[oai(path = "/:identifier", method = "patch")]
    async fn update(
        &self,
        Actor(caller): Actor,
        /// Identifier of the submission.
        identifier: PathText,
        expectation: Expectation,
        Body(change): Body<SubmissionChange>,
    ) -> Answer<Changed<Submission>, UpdateSubmission> {
        let id = parse_id(&identifier, Error::SubmissionNotFound)?;
        let submissions = self.0.core.submissions();
        let changed = submissions
            .update(&caller, expectation.of(id), change)
            .await;
        let submission = expectation
            .or_current_tag::<Submission, _, _>(changed, submissions.get(&caller, id))
            .await?;
        Ok(Changed(submission.map(Into::into)))
    }

    /// Delete a submission.
    ///
    /// Requires `delete` on the submission. It no longer counts towards its creator's limit.
    #[oai(path = "/:identifier", method = "delete")]
    async fn delete(
        &self,
        Actor(caller): Actor,
        /// Identifier of the submission.
        identifier: PathText,
        expectation: Expectation,
    ) -> Answer<Deleted, DeleteSubmission> {
        let id = parse_id(&identifier, Error::SubmissionNotFound)?;
        let submissions = self.0.core.submissions();
        let deleted = submissions.delete(&caller, expectation.of(id)).await;
        expectation
            .or_current_tag::<Submission, _, _>(deleted, submissions.get(&caller, id))
            .await?;
        Ok(Deleted)
    }
}
