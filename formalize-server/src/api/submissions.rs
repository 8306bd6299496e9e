//! Submissions.

use formalize_core::{
    self as core, Caller, Error, Expected, Field, FormId, Page, SubmissionFilter, SubmissionId,
    Viewed, idempotency::Once, submissions::OutputValidation,
};
use formalize_http::auth::Actor;
use formalize_http::contract::Operation;
use formalize_http::contract::endpoint::{
    CreateSubmission, CreateSubmissions, DeleteSubmission, DeleteSubmissions, ExportSubmissions,
    GetSubmission, ListSubmissions, SummarizeSubmissions, UpdateSubmission,
};
use formalize_http::contract::parameter::{
    CREATED_BEFORE, CREATED_FROM, CREATOR_ID_EQUALS, DRY_RUN, FORM_IDENTIFIER, LANGUAGE_OF_SUMMARY,
    OUTPUT_VALIDATION, SUBMISSION_STATE, TAG,
};
use formalize_http::exports::{ExportFormat, Exported};
use formalize_http::failure::{Answer, Refusal};
use formalize_http::files::may_change;
use formalize_views::batch::NewSubmissions;
use formalize_views::submission::{NewSubmission, Submission, SubmissionChange};
use poem::http::HeaderMap;
use poem_openapi::OpenApi;

use super::Body;
use super::batch_results;
use super::documents::summary::SubmissionsSummary;
use super::item::WithBase;
use super::{
    BodyOrForm, Changed, Composed, Context, Created, CreatedBatch, Deleted, DeletedOrCounted,
    Expectation, Found, Keyed, Listed, Part, PathText, Query, SentDocument, SentForm, SentText,
    parse_id, submission,
};

pub(super) struct Submissions(pub(super) Context);

impl Submissions {
    /// Creates a submission with its files.
    async fn create_by_form(
        &self,
        caller: &Caller,
        form: SentForm,
    ) -> Result<Created<Submission>, Refusal> {
        let mut parts = form.open()?;
        let operation = Operation::CreateSubmission;
        let new = submission::<NewSubmission>(&mut parts, operation, caller).await?;
        let submissions = self.0.core.submissions();
        let created = match parts.next_file().await? {
            None => submissions.create(caller, new).await?,
            Some(first) => {
                let upload = submissions.upload_new(caller, new).await?;
                let created = parts.upload(upload, first).await??;
                created.ok_or_else(|| Refusal::unforeseen("a new submission cannot be read"))?
            }
        };
        let links = &self.0.links;
        let shown = Submission::from(links.with_base(created));
        Ok(Created::new(&shown, links))
    }

    /// Changes a submission and adds files to it. The inner result is that of the change.
    async fn update_by_form(
        &self,
        caller: &Caller,
        expected: Expected<SubmissionId>,
        form: SentForm,
    ) -> Result<Result<Option<Viewed<core::Submission>>, Error>, Refusal> {
        // What can be judged without the body is judged before it is read.
        if let Err(error) = may_change(&self.0.core, caller, expected.clone()).await {
            return Ok(Err(error));
        }
        let mut parts = form.open()?;
        let operation = Operation::UpdateSubmission;
        let change = submission::<SubmissionChange>(&mut parts, operation, caller).await?;
        let submissions = self.0.core.submissions();
        match parts.next_file().await? {
            None => Ok(submissions.update(caller, expected, change).await),
            Some(first) => match submissions.upload_change(caller, expected, change).await {
                Ok(upload) => parts.upload(upload, first).await,
                Err(error) => Ok(Err(error)),
            },
        }
    }
}

/// The size of a file in a list, roughly.
const FILE: usize = 768;

impl Context {
    /// A submission as the caller sees it.
    pub(super) async fn submission(
        &self,
        caller: &Caller,
        id: SubmissionId,
    ) -> Result<WithBase<Viewed<core::Submission>>, Error> {
        let view = self.core.submissions().get(caller, id).await?;
        Ok(self.links.with_base(view))
    }
}

fn form(query: &Query) -> Result<FormId, Error> {
    query.id(&FORM_IDENTIFIER, Error::FormNotFound)
}

fn filter(query: &Query) -> SubmissionFilter {
    SubmissionFilter {
        creator: query.text(&CREATOR_ID_EQUALS).map(str::to_owned),
        state: query
            .text(&SUBMISSION_STATE)
            .and_then(|word| word.parse().ok()),
        tag: query.text(&TAG).map(str::to_owned),
        created_from: query.instant(&CREATED_FROM),
        created_before: query.instant(&CREATED_BEFORE),
        output: match query.text(&OUTPUT_VALIDATION) {
            Some("KEYS") => OutputValidation::Keys,
            _ => OutputValidation::None,
        },
        newest_first: query.is_newest_first(),
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
        let files = page.items.iter().map(|view| view.item.files.len());
        let bytes = data.map(str::len).sum::<usize>() + FILE * files.sum::<usize>();
        let items = page.items.into_iter();
        let page = Page {
            items: items.map(|view| self.0.links.with_base(view)).collect(),
            next: page.next,
        };
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
    ) -> Answer<SentDocument, ExportSubmissions> {
        let format = ExportFormat::of(&query, headers)?;
        let (form, filter, core) = (form(&query)?, filter(&query), &self.0.core);
        let exports = &self.0.exports;
        let document = (exports.begin(core, &caller, form, &filter, format.clone())).await?;
        let exported = Exported::of(document, &format, query.is_head).await?;
        Ok(SentDocument(exported))
    }

    /// Count the submissions of a form, and the answers in them.
    ///
    /// No special permission is needed. Exactly the submissions are counted that the list shows, as they were at one moment,
    /// the newest first: at most 100,000, for five seconds. The content of texts is never part of it. Two summaries are made at
    /// a time, and users take turns. If seven requests of a user are waiting, the next ones get 503. See `docs/exports.md`.
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
    /// as it was sent. Files are sent as `multipart/form-data`: first the part `submission` with the JSON, then a part
    /// `files.<fileAttributeName>` for each file. Then `Idempotency-Key` is not supported.
    #[oai(path = "/", method = "post")]
    async fn create(
        &self,
        Actor(caller): Actor,
        keyed: Keyed,
        sent: BodyOrForm<NewSubmission>,
    ) -> Answer<Created<Submission>, CreateSubmission> {
        let new = match sent {
            BodyOrForm::Body(new) => new,
            BodyOrForm::Form(form) => return Ok(self.create_by_form(&caller, form).await?),
        };
        let (core, links, sent) = (
            &self.0.core,
            &self.0.links,
            SentText::new(Field::DataFeedElement, new.data.as_deref()),
        );
        let keep = |view: &Viewed<core::Submission>| {
            let shown = Submission::from(links.with_base(view.clone()));
            Created::new(&shown, links).kept(&sent)
        };
        let outcome = (core.submissions())
            .create_once(&caller, new, keyed.request(), &keep)
            .await?;
        let outcome = match outcome {
            Once::Done(view) => Once::Done(links.with_base(view)),
            Once::Repeated(kept) => Once::Repeated(kept),
        };
        Ok(Created::once(outcome, &sent, links)?)
    }

    /// Create several submissions of a form.
    ///
    /// Requires `create_submissions` on the form. Each submission is treated as if it were sent alone, in their order. By
    /// default, the batch is atomic: if any submission is refused, none is created, and the response is an error with the
    /// indexes of those that were refused, and all results. With `atomic: false`, the others are created. A submission with a
    /// `key` is created once, also by different batches. With `dryRun: true`, nothing is created, and the result of an
    /// acceptable submission has status 200; an `Idempotency-Key` is ignored then. If a batch that is not atomic is sent
    /// again with its `Idempotency-Key`, those that were refused are tried again. Each hundred submissions count as one
    /// request.
    #[oai(path = "/batch", method = "post")]
    async fn create_batch(
        &self,
        Actor(caller): Actor,
        keyed: Keyed,
        Body(new): Body<NewSubmissions>,
    ) -> Answer<CreatedBatch, CreateSubmissions> {
        let items = new.batch.items().len();
        self.0.count_items(&caller, items)?;
        // Nothing that was created is reported as failed because there is no memory for the response.
        let reserved = CreatedBatch::reserve(&self.0, &caller, items)?;
        let mut batch = new.batch;
        batch.key_retention = keyed.retention();
        let submissions = self.0.core.submissions();
        let outcome = if new.is_dry_run {
            let checked = submissions.check_batch(&caller, &batch).await;
            checked.map(Once::Done)
        } else {
            let request = keyed.request();
            let keep = |outcomes: &Vec<_>| CreatedBatch::kept(outcomes);
            submissions
                .create_batch_once(&caller, &batch, request, &keep)
                .await
        };
        let outcome = outcome.map_err(batch_results::failed)?;
        Ok(CreatedBatch::once(outcome, reserved))
    }

    /// Delete all submissions of a form except drafts.
    ///
    /// Requires `delete_submissions` on the form. Either all of them are deleted or none. This cannot be undone;
    /// `dryRun=true` counts them first.
    #[oai(path = "/", method = "delete")]
    async fn delete_all(
        &self,
        Actor(caller): Actor,
        query: Query,
    ) -> Answer<DeletedOrCounted, DeleteSubmissions> {
        let (form, submissions) = (form(&query)?, self.0.core.submissions());
        if query.flag(&DRY_RUN) {
            let deletion = submissions.check_delete_all(&caller, form).await?;
            return Ok(DeletedOrCounted::Counted(deletion.into()));
        }
        submissions.delete_all(&caller, form).await?;
        Ok(DeletedOrCounted::Deleted)
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
        Ok(Found(self.0.links.with_base(submission).into()))
    }

    /// Change a submission.
    ///
    /// Requires `update` on the submission. Without `submissionState`, the change submits a draft: to correct a typo
    /// in a draft, yours or one shared with you, send `draft`. A submission that is or becomes submitted is
    /// validated. The response is 204 without a body if the caller may not read the submission. Files are sent as in
    /// `createSubmission`, and removed with `filesToRemove`.
    #[oai(path = "/:identifier", method = "patch")]
    async fn update(
        &self,
        Actor(caller): Actor,
        /// Identifier of the submission.
        identifier: PathText,
        expectation: Expectation,
        sent: BodyOrForm<SubmissionChange>,
    ) -> Answer<Changed<Submission>, UpdateSubmission> {
        let id = parse_id(&identifier, Error::SubmissionNotFound)?;
        let expected = expectation.of(id);
        let changed = match sent {
            BodyOrForm::Body(change) => {
                let submissions = self.0.core.submissions();
                submissions.update(&caller, expected, change).await
            }
            BodyOrForm::Form(form) => self.update_by_form(&caller, expected, form).await?,
        };
        let submission = expectation
            .or_current_tag::<Submission, _, _>(changed, self.0.submission(&caller, id))
            .await?;
        let links = &self.0.links;
        Ok(Changed(submission.map(|it| links.with_base(it).into())))
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
            .or_current_tag::<Submission, _, _>(deleted, self.0.submission(&caller, id))
            .await?;
        Ok(Deleted)
    }
}
