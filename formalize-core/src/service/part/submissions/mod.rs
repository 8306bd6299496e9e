//! Use cases of submissions.

use uuid::Uuid;

use super::validators::Judgement;
use crate::authorizer::Authorizer;
use crate::authz::decision::Target;
use crate::authz::policy::Operation;
use crate::authz::scope::{Audience, SubmissionScope};
use crate::error::{Error, Result};
use crate::id::{EventId, Expected, FormId, SubmissionId, start_of};
use crate::model::action::Actions;
use crate::model::deletion::Deletion;
use crate::model::event::EventContent;
use crate::model::event_type::EventType;
use crate::model::file::SubmittedFile;
use crate::model::form::{Form, SubmissionLimit, SubmissionRules};
use crate::model::subject::Caller;
use crate::model::submission::{
    MAX_DATA_BYTES, OutputValidation, RequestedState, Submission, SubmissionFilter,
};
use crate::model::tag::Tags;
use crate::model::words::{SubmissionState, TagAction};
use crate::offload::{Turn, place_to_read};
use crate::page::{Page, PageRequest, Selection, Window};
use crate::service::{End, Shared, Viewed};
use crate::store::{ReadTx, WriteTx};
use crate::time::Timestamp;

mod batch;
mod builder;
mod change;
pub(super) mod create;
mod export;
mod import;
mod summary;
mod table;
mod target;
#[cfg(feature = "xlsx")]
mod workbook;

pub(in crate::service) use batch::BatchItemCounts;
pub use batch::ImportTrial;
pub use change::ChangedSubmission;
pub(super) use change::{Wanted, admit_change};
pub use export::Export;
pub use table::{SubmissionTable, TableCell, TableRow};
pub(super) use target::UploadTarget;

impl Shared {
    /// Notes that a submission and its event were committed.
    fn submitted(&self, event: Option<EventId>, created: &Submission) {
        if event.is_some() {
            self.events
                .note(EventType::of_new_submission(created.state));
        }
    }
}

/// Submissions. The form decides whether their creators or grants determine who may access them.
pub struct SubmissionsService<'a>(pub(in crate::service) &'a Shared);

impl SubmissionsService<'_> {
    /// Gets a submission.
    ///
    /// # Errors
    ///
    /// [`Error::SubmissionNotFound`], [`Error::Forbidden`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_submission(async |formalize, _, submission| {
    /// let read = formalize.submissions().get(&Caller::System, submission.id).await?;
    /// assert_eq!(read.item.data.as_deref(), Some(r#"{"entry": "Lovely."}"#));
    /// # Ok(()) });
    /// ```
    pub async fn get(&self, caller: &Caller, id: SubmissionId) -> Result<Viewed<Submission>> {
        self.0
            .read_once(async |mut tx| self.read(tx.as_mut(), caller, id).await)
            .await
    }

    /// [`SubmissionsService::get`] in a transaction.
    pub(super) async fn read(
        &self,
        tx: &mut dyn ReadTx,
        caller: &Caller,
        id: SubmissionId,
    ) -> Result<Viewed<Submission>> {
        let authorizer = self.0.authorizer(caller);
        let found = authorizer.find_submission(tx, id).await?;
        let (submission, rules) = found.ok_or(Error::SubmissionNotFound)?;
        let view = view(&authorizer, tx, submission, &rules).await?;
        authorizer.check(Operation::SubmissionGet, &view.granted_actions)?;
        Ok(view)
    }

    /// Lists the submissions of a form that the caller may read.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidCursor`], [`Error::FormNotFound`], [`Error::PageTooLarge`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_submission(async |formalize, form, submission| {
    /// let submitted = SubmissionFilter { state: Some(SubmissionState::Submitted), ..SubmissionFilter::default() };
    /// let first = PageRequest::default();
    /// let page = formalize.submissions().list(&Caller::System, form.id, &submitted, &first).await?;
    /// assert_eq!(page.items[0].item, submission);
    /// # Ok(()) });
    /// ```
    pub async fn list(
        &self,
        caller: &Caller,
        form: FormId,
        filter: &SubmissionFilter,
        request: &PageRequest,
    ) -> Result<Page<Viewed<Submission>>> {
        let form_text = form.to_string();
        let state = filter.state.map(SubmissionState::as_str);
        let keys = (filter.output == OutputValidation::Keys).then_some("keys");
        let times = [filter.created_from, filter.created_before];
        let [from, before] = times.map(|time| time.map(|time| time.to_string()));
        let filters = [
            Some(form_text.as_str()),
            filter.creator.as_deref(),
            state,
            keys,
            from.as_deref(),
            before.as_deref(),
            filter.tag.as_deref(),
        ];
        // A cursor of one order is not valid in the other.
        let name = if filter.newest_first {
            "submissions, newest first"
        } else {
            "submissions"
        };
        let list = self.0.listing(name, caller, &filters, request)?;
        let mut place = None;
        let (form, page) = loop {
            let reading = self.0.read(async |mut tx| {
                let listed = self.listed(tx.as_mut(), caller, form, filter).await?;
                let (authorizer, form, scope) = listed;
                let window = list.large_window(place.as_ref());
                let (selection, window) = selected(filter, window);
                let submissions = tx
                    .read_submissions()?
                    .submissions(form.id, &scope, selection, window)
                    .await?;
                if place.is_none() && list.is_cut(&submissions, data_size) {
                    return Ok(None);
                }
                let id = |submission: &Submission| submission.id.as_uuid();
                let page = list.page_of_large(submissions, id, data_size)?;
                let page = authorizer
                    .view_all(tx.as_mut(), page, |submission| {
                        authorizer.submission(submission, &form.rules)
                    })
                    .await?;
                let page = page.map(|(submission, actions)| {
                    seen(&authorizer, submission, &form.rules, actions)
                });
                Ok(Some((form, page)))
            });
            match reading.await? {
                Some(read) => break read,
                None => place = Some(place_to_read(caller).await?),
            }
        };
        // Reducing data waits for a place again.
        if let Some(place) = place {
            place.rest();
        }
        match filter.output {
            OutputValidation::None => Ok(page),
            OutputValidation::Keys => {
                self.0
                    .forms
                    .validators
                    .reduce_all(caller, &form, page)
                    .await
            }
        }
    }

    /// The number of submissions that were submitted to a form, of those that the caller may read and that were created
    /// since a time. Counting ends at `most`.
    ///
    /// # Errors
    ///
    /// [`Error::FormNotFound`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_submission(async |formalize, form, _| {
    /// let submissions = formalize.submissions();
    /// let new = submissions.count_since(&Caller::System, form.id, form.date_created, 1_000).await?;
    /// assert_eq!(new, 1);
    /// # Ok(()) });
    /// ```
    pub async fn count_since(
        &self,
        caller: &Caller,
        form: FormId,
        since: Timestamp,
        most: u64,
    ) -> Result<u64> {
        let filter = SubmissionFilter {
            state: Some(SubmissionState::Submitted),
            created_from: Some(since),
            ..SubmissionFilter::default()
        };
        let reading = self.0.read(async |mut tx| {
            let (_, form, scope) = self.listed(tx.as_mut(), caller, form, &filter).await?;
            let first = Window {
                limit: most,
                ..Window::ALL
            };
            let (_, window) = selected(&filter, first);
            Ok(tx
                .read_submissions()?
                .count_submissions(form.id, &scope, window)
                .await?)
        });
        reading.await
    }

    /// A form, and the scope of its submissions that the caller may read and that have the state of the filter. The other
    /// parts of the filter are applied when they are read.
    async fn listed<'c>(
        &'c self,
        tx: &mut dyn ReadTx,
        caller: &'c Caller,
        form: FormId,
        filter: &SubmissionFilter,
    ) -> Result<(Authorizer<'c>, Form, SubmissionScope)> {
        let found = tx.read_forms()?.find_form(form).await?;
        let form = found.ok_or(Error::FormNotFound)?;
        let authorizer = self.0.lister(tx, caller).await?;
        let scope = authorizer.submission_scope(tx, &form).await?;
        let scope = match filter.state {
            Some(state) => scope.in_states([state].into_iter().collect()),
            None => scope,
        };
        let tags = authorizer.tag_actions(form.id, &form.rules);
        if filter.tag.is_some() && !tags.contains(TagAction::Read) {
            return Ok((authorizer, form, SubmissionScope::nothing()));
        }
        Ok((authorizer, form, scope))
    }

    /// Deletes a submission with all grants on it.
    ///
    /// # Errors
    ///
    /// [`Error::SubmissionNotFound`], [`Error::Forbidden`], [`Error::RevisionMismatch`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_submission(async |formalize, _, submission| {
    /// formalize.submissions().delete(&Caller::System, submission.id).await?;
    /// let gone = formalize.submissions().get(&Caller::System, submission.id).await;
    /// assert!(matches!(gone, Err(Error::SubmissionNotFound)));
    /// # Ok(()) });
    /// ```
    pub async fn delete(
        &self,
        caller: &Caller,
        id: impl Into<Expected<SubmissionId>>,
    ) -> Result<()> {
        let expected = id.into();
        let deleting = self.0.transact(async |mut tx| {
            let (submission, form) = lock(tx.as_mut(), expected.id()).await?;
            let authorizer = self.0.authorizer(caller);
            let target = authorizer.submission(&submission, &form.rules);
            authorizer
                .require(tx.as_mut(), Operation::SubmissionDelete, &target)
                .await?;
            expected.check(submission.revision)?;
            let deleted = EventContent::submission_deleted(&submission, caller.author());
            let event = self.0.event(self.0.now(), deleted);
            let audience = Audience::of_submission(&submission, &form.rules);
            self.0.tell(tx.as_mut(), event.as_ref(), &audience).await?;
            let submissions = tx.write_submissions()?;
            submissions.delete_submission(&submission).await?;
            Ok(End::commit(tx, ()).with(event))
        });
        deleting.await?;
        self.0.forms.files.note_left();
        Ok(())
    }

    /// Deletes all submissions of a form except drafts, and returns their number.
    ///
    /// # Errors
    ///
    /// [`Error::FormNotFound`], [`Error::Forbidden`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_submission(async |formalize, form, _| {
    /// let deleted = formalize.submissions().delete_all(&Caller::System, form.id).await?;
    /// assert_eq!(deleted, 1);
    /// # Ok(()) });
    /// ```
    pub async fn delete_all(&self, caller: &Caller, form: FormId) -> Result<u64> {
        let deleting = self.0.transact(async |mut tx| {
            let locked = tx.write_forms()?.lock_form_exclusive(form).await?;
            let rules = locked.ok_or(Error::FormNotFound)?.rules;
            let authorizer = self.0.authorizer(caller);
            authorizer
                .require(
                    tx.as_mut(),
                    Operation::SubmissionDeleteAll,
                    &Target::Form(form),
                )
                .await?;
            let what = EventContent::form(EventType::FormCleared, form);
            let event = self.0.event(self.0.now(), what);
            let audience = Audience::of_submitted(form, &rules);
            self.0.tell(tx.as_mut(), event.as_ref(), &audience).await?;
            let deleted = tx.write_submissions()?.delete_submitted(form).await?;
            Ok(End::commit(tx, deleted).with(event))
        });
        let deleted = deleting.await?;
        self.0.forms.files.note_left();
        Ok(deleted)
    }

    /// Counts what [`delete_all`](Self::delete_all) would delete at this moment, and deletes nothing.
    ///
    /// # Errors
    ///
    /// Those of [`delete_all`](Self::delete_all).
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let submissions = formalize.submissions();
    /// submissions.create(&Caller::System, NewSubmission::new(form.id, "{}")).await?;
    /// let deletion = submissions.check_delete_all(&Caller::System, form.id).await?;
    /// assert_eq!((deletion.forms, deletion.submissions), (0, 1));
    /// # Ok(()) });
    /// ```
    pub async fn check_delete_all(&self, caller: &Caller, form: FormId) -> Result<Deletion> {
        let reading = self.0.read(async |mut tx| {
            let authorizer = self.0.authorizer(caller);
            authorizer
                .require_form(tx.as_mut(), Operation::SubmissionDeleteAll, form)
                .await?;
            Ok(tx.read_submissions()?.deletion_of_submitted(form).await?)
        });
        reading.await
    }

    /// A draft needs only well-formed JSON. Data that is or becomes submitted must match the form's schema.
    async fn check_data(
        &self,
        judgement: Judgement,
        form: &Form,
        state: SubmissionState,
        turn: Turn<'_>,
    ) -> Result<()> {
        match state {
            SubmissionState::Draft => judgement.well_formed(),
            SubmissionState::Submitted => {
                judgement.valid(&self.0.forms.validators, form, turn).await
            }
        }
    }
}

/// What a store selects for the parts of a filter other than the state. Identifiers begin with their time, so bounds of the
/// time are bounds of the identifier, and rows outside of them are not read. So is the end of the page before.
fn selected(filter: &SubmissionFilter, window: Window) -> (Selection<'_>, Window) {
    let from = filter.created_from.map_or_else(Uuid::nil, start_of);
    let before = filter.created_before.map(start_of);
    let behind = Some(window.after).filter(|last| !last.is_nil());
    let (after, before) = match (filter.newest_first, behind) {
        (true, Some(last)) => (from, Some(before.map_or(last, |before| before.min(last)))),
        (_, _) => (window.after.max(from), before),
    };
    let selection = Selection {
        creator: filter.creator.as_deref(),
        tag: filter.tag.as_deref(),
        before,
        newest_first: filter.newest_first,
    };
    (selection, Window { after, ..window })
}

/// Files that were uploaded, as those of a submission.
fn of_submission(files: &[SubmittedFile], submission: SubmissionId) -> Vec<SubmittedFile> {
    let of_it = |file: &SubmittedFile| SubmittedFile {
        submission,
        ..file.clone()
    };
    files.iter().map(of_it).collect()
}

fn check_size(data: Option<&str>) -> Result<()> {
    let fits = data.is_none_or(|data| data.len() <= MAX_DATA_BYTES);
    ensure!(fits, Error::SubmissionDataTooLarge);
    Ok(())
}

fn allowed_state(form: &Form, requested: RequestedState) -> Result<SubmissionState> {
    match requested.of_submission_in(None) {
        RequestedState::Known(state) if form.rules.allowed_states.contains(state) => Ok(state),
        RequestedState::Known(state) => {
            Err(Error::SubmissionStateNotAllowed(state.as_str().to_owned()))
        }
        RequestedState::Unknown(word) => Err(Error::SubmissionStateNotAllowed(word)),
        // It was replaced above.
        RequestedState::Unchanged => Ok(SubmissionState::Submitted),
    }
}

/// The window restricts only submitting. Drafts can be saved, and submitted data corrected, at any time.
fn check_window(
    form: &Form,
    old: Option<SubmissionState>,
    new: SubmissionState,
    now: Timestamp,
) -> Result<()> {
    let is_available = form.rules.availability.contains(now);
    ensure!(is_available || !submits(old, new), Error::FormNotAvailable);
    Ok(())
}

/// Like the window, the limit restricts only submitting. A form without a limit counts no places.
fn check_limit(
    form: &Form,
    old: Option<SubmissionState>,
    new: SubmissionState,
    taken: Option<i64>,
) -> Result<()> {
    let taken = taken.unwrap_or_default();
    let is_reached = |limit: SubmissionLimit| taken >= limit.get();
    let is_full = submits(old, new) && form.rules.limit.is_some_and(is_reached);
    ensure!(!is_full, Error::SubmissionLimitReached);
    Ok(())
}

/// Whether a submission becomes submitted.
fn submits(old: Option<SubmissionState>, new: SubmissionState) -> bool {
    new == SubmissionState::Submitted && old != Some(SubmissionState::Submitted)
}

/// Locks a submission against changes, and its form. The form is locked first, as everywhere.
async fn lock(tx: &mut dyn WriteTx, id: SubmissionId) -> Result<(Submission, Form)> {
    let found = tx.read_submissions()?.find_submission(id).await?;
    let found = found.ok_or(Error::SubmissionNotFound)?;
    let locked = tx.write_forms()?.lock_form(found.form).await?;
    let form = locked.ok_or(Error::SubmissionNotFound)?;
    let submissions = tx.write_submissions()?;
    let found = submissions.lock_submission_exclusive(id).await?;
    let submission = found.ok_or(Error::SubmissionNotFound)?;
    Ok((submission, form))
}

async fn view(
    authorizer: &Authorizer<'_>,
    tx: &mut dyn ReadTx,
    submission: Submission,
    rules: &SubmissionRules,
) -> Result<Viewed<Submission>> {
    let actions = authorizer
        .actions_on(tx, &authorizer.submission(&submission, rules))
        .await?;
    Ok(seen(authorizer, submission, rules, actions))
}

/// A submission as a caller with these effective actions on it sees it.
fn seen(
    authorizer: &Authorizer<'_>,
    mut submission: Submission,
    rules: &SubmissionRules,
    actions: Actions,
) -> Viewed<Submission> {
    let tag_actions = authorizer.tag_actions_on(submission.form, rules, &actions);
    if !tag_actions.contains(TagAction::Read) {
        submission.tags = Tags::default();
    }
    Viewed {
        tag_actions,
        ..Viewed::new(submission, actions)
    }
}

/// The bytes of the texts of a submission that may be large.
fn data_size(submission: &Submission) -> usize {
    let data = submission.data.as_ref().map_or(0, |data| data.len());
    data + submission.tags.iter().map(str::len).sum::<usize>()
}
