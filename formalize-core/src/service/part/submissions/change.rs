//! Changing submissions, with their files.

use std::sync::Arc;

use formalize_schema::{Rejection, Violation};

use super::target::UploadTarget;
use super::{
    SubmissionsService, allowed_state, check_limit, check_size, check_window, lock, of_submission,
    submits, view,
};
use crate::authorizer::Authorizer;
use crate::authz::policy::Operation;
use crate::error::{Error, Result};
use crate::id::{Expected, FileId, FormId, SubmissionId};
use crate::model::action::Actions;
use crate::model::change::Change;
use crate::model::event::EventContent;
use crate::model::file::SubmittedFile;
use crate::model::form::Form;
use crate::model::subject::Caller;
use crate::model::submission::{RequestedState, Submission, SubmissionChange};
use crate::model::tag::Tags;
use crate::model::words::{SubmissionState, TagActions};
use crate::offload::Turn;
use crate::service::part::validators::Judgement;
use crate::service::{End, Viewed};
use crate::store::{FilesChanged, ReadTx, WriteTx};
use crate::time::Timestamp;

/// What a request changes about a submission, apart from added files.
pub(in crate::service) struct Wanted {
    /// The operation whose permission it needs.
    pub(in crate::service) operation: Operation,
    /// The data.
    pub(in crate::service) data: Change<Arc<str>>,
    /// The state that the request sets. `None`: only files change.
    pub(in crate::service) state: Option<RequestedState>,
    /// The files that are removed.
    pub(in crate::service) removed: Vec<FileId>,
    /// The tags afterwards. `None`: they stay.
    pub(in crate::service) tags: Option<Vec<String>>,
    /// Whether files to remove that the submission does not have are ignored.
    pub(in crate::service) ignores_missing: bool,
}

/// What became of a submission that was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedSubmission {
    /// Its form.
    pub form: FormId,
    /// Its state after the change.
    pub state: SubmissionState,
    /// The caller's effective actions on it after the change.
    pub granted_actions: Actions,
    /// What the caller may do with its tags.
    pub tag_actions: TagActions,
    /// The submission; `None` if the caller may not, or no longer, read it.
    pub shown: Option<Viewed<Submission>>,
}

impl Wanted {
    pub(in crate::service) fn new(change: SubmissionChange) -> Result<Self> {
        let data = match change.data {
            Change::Keep => Change::Keep,
            Change::Clear => Change::Clear,
            Change::Set(data) => Change::Set(Arc::from(data)),
        };
        if let Change::Set(data) = &data {
            check_size(Some(data))?;
        }
        Ok(Self {
            operation: Operation::SubmissionUpdate,
            data,
            state: Some(change.state),
            removed: change.files_to_remove,
            tags: change.tags,
            ignores_missing: change.ignores_missing_files,
        })
    }

    /// The files that are removed from a submission.
    fn removed_of(&self, submission: &Submission) -> Vec<FileId> {
        let is_removed = |file: &&SubmittedFile| self.removed.contains(&file.id);
        let files = submission.files.iter().filter(is_removed);
        files.map(|file| file.id).collect()
    }

    /// Fails if a file that is to be removed is not one of the submission.
    fn check_removed(&self, submission: &Submission) -> Result<()> {
        let is_missing = |id: &&FileId| submission.files.iter().all(|file| file.id != **id);
        let missing: Vec<FileId> = self.removed.iter().filter(is_missing).copied().collect();
        let is_fine = missing.is_empty() || self.ignores_missing;
        ensure!(is_fine, Error::SubmittedFileNotFound(missing));
        Ok(())
    }

    /// Whether nothing but tags changes, unless files are added.
    fn changes_only_tags(&self) -> bool {
        self.tags.is_some() && self.data == Change::Keep && self.removed.is_empty()
    }

    /// The files that the submission keeps.
    fn kept(&self, submission: &Submission) -> Vec<SubmittedFile> {
        let files = submission.files.iter();
        let kept = files.filter(|file| !self.removed.contains(&file.id));
        kept.cloned().collect()
    }
}

/// What a change makes of a submission.
struct Decision {
    data: Option<Arc<str>>,
    state: SubmissionState,
    tags: Tags,
    /// Whether the caller may not read the submission.
    is_unreadable: bool,
}

/// The resulting data must be validated first, outside of the transaction.
struct Heavy {
    form: FormId,
    data: Option<Arc<str>>,
}

/// Data that was validated outside of the transaction.
type Judged = (Option<Arc<str>>, Judgement);

impl SubmissionsService<'_> {
    /// Changes a submission. Returns `None` if the caller may change it but not, or no longer, read it.
    ///
    /// A caller who may not read the submission learns nothing about its data: unless the change sets new data, the
    /// stored data is validated only if the state changes, and its violations are not listed. A change of nothing but tags
    /// validates no data, so that a submission can be marked although its form changed.
    ///
    /// # Errors
    ///
    /// In this order: [`Error::SubmissionDataTooLarge`], [`Error::SubmissionNotFound`], [`Error::Forbidden`],
    /// [`Error::RevisionMismatch`], [`Error::SubmittedFileNotFound`],
    /// [`Error::SubmissionStateTransitionNotAllowed`], [`Error::SubmissionStateNotAllowed`],
    /// [`Error::FormNotAvailable`], [`Error::SubmissionLimitReached`], [`Error::TagsForbidden`] if the caller may not change
    /// tags in this way, [`Error::SubmissionTagsInvalid`], [`Error::SubmissionDataInvalid`],
    /// [`Error::SubmissionFilesInvalid`]; [`Error::Store`] at any time.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_submission(async |formalize, _, submission| {
    /// let data = Change::Set(r#"{"entry": "Very lovely."}"#.to_owned());
    /// let change = SubmissionChange { data, ..SubmissionChange::default() };
    /// let changed = formalize.submissions().update(&Caller::System, submission.id, change).await?;
    /// let data = changed.and_then(|shown| shown.item.data);
    /// assert_eq!(data.as_deref(), Some(r#"{"entry": "Very lovely."}"#));
    /// # Ok(()) });
    /// ```
    pub async fn update(
        &self,
        caller: &Caller,
        id: impl Into<Expected<SubmissionId>>,
        change: SubmissionChange,
    ) -> Result<Option<Viewed<Submission>>> {
        let wanted = Wanted::new(change)?;
        let changed = self.change(caller, &id.into(), &wanted, &[]).await?;
        Ok(changed.shown)
    }

    /// Changes a submission like [`update`](Self::update). Callers who may not read it learn at least what became of it.
    ///
    /// # Errors
    ///
    /// Those of [`update`](Self::update).
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_submission(async |formalize, _, submission| {
    /// let change = SubmissionChange { state: RequestedState::Unchanged, ..SubmissionChange::default() };
    /// let changed = formalize.submissions().update_with_receipt(&Caller::System, submission.id, change).await?;
    /// assert_eq!(changed.state, SubmissionState::Submitted);
    /// # Ok(()) });
    /// ```
    pub async fn update_with_receipt(
        &self,
        caller: &Caller,
        id: impl Into<Expected<SubmissionId>>,
        change: SubmissionChange,
    ) -> Result<ChangedSubmission> {
        let wanted = Wanted::new(change)?;
        self.change(caller, &id.into(), &wanted, &[]).await
    }

    /// Changes a submission and adds files to it, which were uploaded before.
    pub(in crate::service) async fn change(
        &self,
        caller: &Caller,
        expected: &Expected<SubmissionId>,
        wanted: &Wanted,
        added: &[SubmittedFile],
    ) -> Result<ChangedSubmission> {
        let mut judged = None;
        loop {
            let attempt = self.try_change(caller, expected, wanted, added, judged);
            match attempt.await? {
                Ok(changed) => return Ok(changed),
                // Heavy data is validated without holding locks.
                Err(heavy) => judged = Some(self.judge_heavy(caller, heavy).await?),
            }
        }
    }

    async fn judge_heavy(&self, caller: &Caller, heavy: Heavy) -> Result<Judged> {
        let (validators, data) = (&self.0.forms.validators, heavy.data);
        let judging = validators.judge(heavy.form, data.as_deref(), Turn::Of(caller));
        let judgement = judging.await?;
        Ok((data, judgement))
    }

    /// Judges a change of a submission before files are added to it, as far as that is possible.
    pub(in crate::service) async fn foresee_change(
        &self,
        caller: &Caller,
        expected: &Expected<SubmissionId>,
        wanted: &Wanted,
    ) -> Result<UploadTarget> {
        let mut judged = None;
        loop {
            let judging = self.0.read(async |mut tx| {
                let authorizer = self.0.authorizer(caller);
                let found = authorizer.find_submission(tx.as_mut(), expected.id());
                let (old, _) = found.await?.ok_or(Error::SubmissionNotFound)?;
                let form = tx.read_forms()?.find_form(old.form).await?;
                let form = form.ok_or(Error::SubmissionNotFound)?;
                let of = (&old, &form);
                // Which files will be added is not known yet. What this does not refuse, the change itself still may.
                let (tx, wanted_now) = (tx.as_mut(), (wanted, false));
                let judged = judged.clone();
                let decided = self.decide(tx, &authorizer, of, expected, wanted_now, judged);
                let decision = match decided.await? {
                    Ok(decision) => decision,
                    Err(heavy) => return Ok(Err(heavy)),
                };
                let taken = tx.read_files()?.file_bytes(form.id, &old.creator).await?;
                let kept = wanted.kept(&old);
                let left: u64 = kept.iter().map(|file| file.size).sum();
                Ok(Ok(UploadTarget {
                    form,
                    state: decision.state,
                    kept,
                    freed: old.file_bytes() - left,
                    taken,
                    is_unreadable: decision.is_unreadable,
                }))
            });
            match judging.await? {
                Ok(target) => return Ok(target),
                Err(heavy) => judged = Some(self.judge_heavy(caller, heavy).await?),
            }
        }
    }

    /// Decides about everything in a change but the files that a submission will have. Data that is too heavy to be
    /// validated in a transaction must have been `judged`.
    async fn decide(
        &self,
        tx: &mut dyn ReadTx,
        authorizer: &Authorizer<'_>,
        (old, form): (&Submission, &Form),
        expected: &Expected<SubmissionId>,
        (wanted, adds_files): (&Wanted, bool),
        judged: Option<Judged>,
    ) -> Result<Result<Decision, Heavy>> {
        let target = authorizer.submission(old, &form.rules);
        let actions = authorizer.require(tx, wanted.operation, &target).await?;
        expected.check(old.revision)?;
        if wanted.operation == Operation::SubmissionFileRemove {
            tx.read_files()?;
        }
        wanted.check_removed(old)?;
        let is_unreadable = !authorizer.allows(Operation::SubmissionGet, &actions);
        let Some(requested) = wanted.state.clone() else {
            return Ok(Ok(Decision {
                data: old.data.clone(),
                state: old.state,
                tags: old.tags.clone(),
                is_unreadable,
            }));
        };
        let taken = match form.rules.limit {
            Some(_) if old.state == SubmissionState::Draft => {
                tx.read_submissions()?.form_places_taken(form.id).await?
            }
            _ => None,
        };
        let state = admit_change(form, taken, old.state, requested, self.0.now())?;
        let tags = match &wanted.tags {
            Some(tags) => {
                let allowed = authorizer.tag_actions(form.id, &form.rules);
                old.tags
                    .replaced(tags, allowed, &form.details.available_tags)?
            }
            None => old.tags.clone(),
        };
        let is_marked = wanted.changes_only_tags() && !adds_files;
        // Callers who may not read the stored data must not learn it by changing the schema and having the data validated.
        let is_hidden = wanted.data == Change::Keep && is_unreadable;
        let is_validated = !(is_hidden || is_marked) || state != old.state;
        let data = match &wanted.data {
            Change::Keep => old.data.clone(),
            Change::Clear => None,
            Change::Set(data) => Some(Arc::clone(data)),
        };
        if is_validated {
            let Some(judgement) = self.judgement(judged, form.id, data.as_ref()).await? else {
                let form = form.id;
                return Ok(Err(Heavy { form, data }));
            };
            let checked = self.check_data(judgement, form, state, Turn::HoldingLocks);
            checked.await.map_err(|error| match error {
                Error::SubmissionDataInvalid(_) if is_hidden => {
                    Error::SubmissionDataInvalid(rejection_of_hidden_data())
                }
                error => error,
            })?;
        }
        Ok(Ok(Decision {
            data,
            state,
            tags,
            is_unreadable,
        }))
    }

    /// Changes a submission in one transaction, unless its data is too heavy to be validated there and has not been
    /// `judged`.
    async fn try_change(
        &self,
        caller: &Caller,
        expected: &Expected<SubmissionId>,
        wanted: &Wanted,
        added: &[SubmittedFile],
        judged: Option<Judged>,
    ) -> Result<Result<ChangedSubmission, Heavy>> {
        let now = self.0.now();
        let changing = self.0.transact(async |mut tx| {
            let (old, form) = lock(tx.as_mut(), expected.id()).await?;
            let authorizer = self.0.authorizer(caller);
            let of = (&old, &form);
            let (wanted_now, judged) = ((wanted, !added.is_empty()), judged.clone());
            let decided = self.decide(tx.as_mut(), &authorizer, of, expected, wanted_now, judged);
            let Decision {
                data,
                state,
                tags,
                is_unreadable,
            } = match decided.await? {
                Ok(decision) => decision,
                Err(heavy) => return Ok(End::roll_back((Err(heavy), false))),
            };
            let removed = wanted.removed_of(&old);
            let changes_files = !removed.is_empty() || !added.is_empty();
            let added = of_submission(added, old.id);
            let mut files = wanted.kept(&old);
            files.extend_from_slice(&added);
            files.sort_by_key(|file| file.id);
            if !added.is_empty() {
                self.0.forms.files.check_number(files.len())?;
            }
            if state == SubmissionState::Submitted
                && (changes_files || submits(Some(old.state), state))
            {
                let checked =
                    self.0
                        .forms
                        .validators
                        .check_files(&form, &files, Turn::HoldingLocks);
                checked.await.map_err(|error| match error {
                    Error::SubmissionFilesInvalid(rejection) if is_unreadable => {
                        Error::SubmissionFilesInvalid(rejection.without_stored_files(&added))
                    }
                    error => error,
                })?;
            }
            // The place is taken last, because others who submit to the form wait for it until this transaction ends.
            if let Some(limit) = form.rules.limit.filter(|_| submits(Some(old.state), state))
                && !tx
                    .write_submissions()?
                    .take_form_place(form.id, limit)
                    .await?
            {
                return Err(Error::SubmissionLimitReached);
            }
            let submission = Submission {
                data,
                state,
                last_modified_by: caller.author(),
                date_last_modified: now,
                revision: self.0.revision(now),
                files,
                tags,
                ..old.clone()
            };
            let updated = EventContent::submission_updated(old.state, &submission);
            let submissions = tx.write_submissions()?;
            submissions.update_submission(&submission).await?;
            if changes_files {
                self.change_files(tx.as_mut(), &old, &removed, &added)
                    .await?;
            }
            if submission.tags != old.tags {
                tx.write_submissions()?
                    .set_tags(old.id, form.id, &submission.tags)
                    .await?;
            }
            let event = self.0.event(now, updated);
            if let Some(event) = &event
                && state == SubmissionState::Submitted
                && let Ok(webhooks) = tx.write_webhooks()
            {
                webhooks
                    .freeze(event.id, event.event_type, &submission)
                    .await?;
            }
            let view = view(&authorizer, tx.as_mut(), submission, &form.rules).await?;
            let changed = Ok(shown(&authorizer, view));
            Ok(End::commit(tx, (changed, !removed.is_empty())).with(event))
        });
        let (attempt, has_left) = changing.await?;
        if has_left {
            self.0.forms.files.note_left();
        }
        Ok(attempt)
    }

    /// Changes the files of a submission that is locked or was inserted, within the quota of its creator.
    pub(super) async fn change_files(
        &self,
        tx: &mut dyn WriteTx,
        submission: &Submission,
        removed: &[FileId],
        added: &[SubmittedFile],
    ) -> Result<()> {
        let (quota, now) = (self.0.forms.files.limits.creator_quota, self.0.now());
        let changed = tx
            .write_files()?
            .change_files(submission, removed, added, quota, now);
        match changed.await? {
            FilesChanged::Done => Ok(()),
            FilesChanged::Expired => Err(Error::UploadExpired),
            FilesChanged::OverQuota => Err(Error::FilesQuotaExceeded),
        }
    }

    /// The judgement on data under the lock; `None` if the data is too heavy for that and was not judged before.
    async fn judgement(
        &self,
        judged: Option<Judged>,
        form: FormId,
        data: Option<&Arc<str>>,
    ) -> Result<Option<Judgement>> {
        let (validators, data) = (&self.0.forms.validators, data.map(AsRef::as_ref));
        match judged {
            Some((judged, judgement)) if judged.as_deref() == data => Ok(Some(judgement)),
            // It was changed again in the meantime, so validate it here.
            Some(_) => {
                let judging = validators.judge(form, data, Turn::HoldingLocks);
                Ok(Some(judging.await?))
            }
            None => Ok(validators.judge_lightly(form, data)),
        }
    }
}

/// Checks whether a form admits a change of a submission, and returns its new state.
pub(in crate::service) fn admit_change(
    form: &Form,
    of_form: Option<i64>,
    old: SubmissionState,
    requested: RequestedState,
    now: Timestamp,
) -> Result<SubmissionState> {
    let requested = requested.of_submission_in(Some(old));
    check_transition(old, &requested)?;
    let state = allowed_state(form, requested)?;
    check_window(form, Some(old), state, now)?;
    check_limit(form, Some(old), state, of_form)?;
    Ok(state)
}

/// The rejection of stored data for a caller who may not read it: it does not depend on the data.
fn rejection_of_hidden_data() -> Rejection {
    let message = "the stored data does not match the form's schema";
    Violation::of_keyword("", String::new(), message).into()
}

fn check_transition(old: SubmissionState, requested: &RequestedState) -> Result<()> {
    let taken_back = old == SubmissionState::Submitted
        && *requested == RequestedState::Known(SubmissionState::Draft);
    ensure!(!taken_back, Error::SubmissionStateTransitionNotAllowed);
    Ok(())
}

/// What the caller may see of a submission: nothing without permission to read it.
fn shown(authorizer: &Authorizer<'_>, view: Viewed<Submission>) -> ChangedSubmission {
    let readable = authorizer.allows(Operation::SubmissionGet, &view.granted_actions);
    ChangedSubmission {
        form: view.item.form,
        state: view.item.state,
        granted_actions: view.granted_actions.clone(),
        tag_actions: view.tag_actions,
        shown: readable.then_some(view),
    }
}
