//! Creating submissions. This is the most frequent write, so the decision takes no lock.

use super::target::UploadTarget;
use super::{
    SubmissionsService, allowed_state, check_limit, check_size, check_window, of_submission, view,
};
use crate::authorizer::Authorizer;
use crate::authorizer::forms::PlacesTaken;
use crate::authz::policy::Operation;
use crate::error::{Error, Result};
use crate::id::{EventId, FormId, SubmissionId};
use crate::model::file::SubmittedFile;
use crate::model::form::{Form, SubmissionCap};
use crate::model::idempotency::{KeyedRequest, Once};
use crate::model::resource::{Object, ResourceClass, ResourceRef};
use crate::model::subject::Caller;
use crate::model::submission::{NewSubmission, RequestedState, Submission};
use crate::model::tag::Tags;
use crate::model::words::{SubmissionState, TagActions};
use crate::offload::Turn;
use crate::service::keyed::{ResponseKeeper, create_once, keep};
use crate::service::part::validators::Judgement;
use crate::service::{End, Viewed};
use crate::store::{ReadTx, WriteTx};
use crate::time::Timestamp;

/// Makes the response to a request for a submission, which is kept.
pub(in crate::service) type SubmissionResponse<'a> =
    dyn Fn(&Viewed<Submission>) -> String + Send + Sync + 'a;

/// Keeps the response to a request for a submission.
type SubmissionResponseKeeper<'a> = ResponseKeeper<'a, Viewed<Submission>>;

/// A submission that may be written if its form has not changed.
pub(in crate::service) struct Prepared {
    form: Form,
    /// The cap on the caller's submissions.
    cap: Option<SubmissionCap>,
    view: Viewed<Submission>,
    /// The files that were uploaded for it, until they are written.
    files: Vec<SubmittedFile>,
    /// The tags, which the caller may not be able to see afterwards.
    tags: Tags,
    /// The identifier of the event.
    event: Option<EventId>,
}

impl Prepared {
    fn state(&self) -> SubmissionState {
        self.view.item.state
    }
}

impl SubmissionsService<'_> {
    /// Creates a submission.
    ///
    /// # Errors
    ///
    /// In this order: [`Error::SubmissionDataTooLarge`], [`Error::FormNotFound`], [`Error::Forbidden`],
    /// [`Error::SubmissionStateNotAllowed`], [`Error::FormNotAvailable`], [`Error::SubmissionCapReached`],
    /// [`Error::SubmissionLimitReached`], [`Error::TagsForbidden`] if the caller may not add tags,
    /// [`Error::SubmissionTagsInvalid`], [`Error::SubmissionDataInvalid`], [`Error::SubmissionFilesInvalid`] if the form
    /// demands files; [`Error::Store`] at any time.
    ///
    /// A public link has a cap of its own instead of the form's cap on creators; reaching it is
    /// [`Error::SubmissionLimitReached`], too. Drafts through a link are [`Error::SubmissionStateNotAllowed`]. A link
    /// that was deleted after it was authenticated is [`Error::Forbidden`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let new = NewSubmission::new(form.id, r#"{"entry": "Lovely."}"#);
    /// let created = formalize.submissions().create(&Caller::System, new).await?;
    /// assert_eq!(created.item.state, SubmissionState::Submitted);
    ///
    /// let refused = formalize.submissions().create(&Caller::System, NewSubmission::new(form.id, "[]")).await;
    /// assert!(matches!(refused, Err(Error::SubmissionDataInvalid(_))));
    /// # Ok(()) });
    /// ```
    pub async fn create(&self, caller: &Caller, new: NewSubmission) -> Result<Viewed<Submission>> {
        self.create_and_keep(caller, new, None).await
    }

    create_once!("a submission", NewSubmission, Viewed<Submission>);

    /// Judges a new submission before its files arrive, as far as that is possible.
    pub(in crate::service) async fn foresee_new(
        &self,
        caller: &Caller,
        new: &NewSubmission,
    ) -> Result<UploadTarget> {
        check_size(new.data.as_deref())?;
        let prepared = self.prepare_once(caller, new).await?;
        let author = caller.author();
        let count = reading!(|tx| tx.read_files()?.file_bytes(new.form, &author));
        let taken = self.0.read_once(count).await?;
        let judgement = self.judge(caller, new).await?;
        let state = prepared.state();
        self.check_data(judgement, &prepared.form, state, Turn::Of(caller))
            .await?;
        Ok(UploadTarget {
            form: prepared.form,
            state,
            kept: Vec::new(),
            freed: 0,
            taken,
            is_unreadable: false,
        })
    }

    /// Creates a submission whose data became known after it was prepared. `request` and `response` are those of
    /// [`create_once`](Self::create_once).
    pub(in crate::service) async fn create_entered(
        &self,
        caller: &Caller,
        new: NewSubmission,
        prepared: Result<Prepared>,
        request: Option<&KeyedRequest>,
        response: &SubmissionResponse<'_>,
    ) -> Result<Once<Viewed<Submission>>> {
        let once = self.0.once(caller, request, response, async |keeper| {
            check_size(new.data.as_deref())?;
            let mut prepared = prepared?;
            prepared.view.item.data = new.data.as_deref().map(Into::into);
            self.create_prepared(caller, &new, prepared, &[], keeper)
                .await
        });
        once.await
    }

    pub(super) async fn create_and_keep(
        &self,
        caller: &Caller,
        new: NewSubmission,
        keeper: Option<&SubmissionResponseKeeper<'_>>,
    ) -> Result<Viewed<Submission>> {
        self.create_with_files(caller, &new, &[], keeper).await
    }

    /// Creates a submission, with files that were uploaded before, without locking its form first. If the form is changed or the last place is taken in the meantime, it
    /// tries again with the lock.
    pub(in crate::service) async fn create_with_files(
        &self,
        caller: &Caller,
        new: &NewSubmission,
        files: &[SubmittedFile],
        keeper: Option<&SubmissionResponseKeeper<'_>>,
    ) -> Result<Viewed<Submission>> {
        check_size(new.data.as_deref())?;
        let prepared = self.prepare_once(caller, new).await?;
        self.create_prepared(caller, new, prepared, files, keeper)
            .await
    }

    /// Validates and writes a submission that was prepared.
    async fn create_prepared(
        &self,
        caller: &Caller,
        new: &NewSubmission,
        mut prepared: Prepared,
        files: &[SubmittedFile],
        keeper: Option<&SubmissionResponseKeeper<'_>>,
    ) -> Result<Viewed<Submission>> {
        // Validating is expensive, so it is done only for callers who may submit.
        let judgement = self.judge(caller, new).await?;
        self.check(&mut prepared, judgement, files, Turn::Of(caller))
            .await?;
        if let Some(created) = self.write(caller, prepared, keeper).await? {
            return Ok(created);
        }
        self.create_under_lock(caller, new, files, keeper).await
    }

    /// Checks the data, and the files, which become those of the submission. Drafts may have any.
    async fn check(
        &self,
        prepared: &mut Prepared,
        judgement: Judgement,
        files: &[SubmittedFile],
        turn: Turn<'_>,
    ) -> Result<()> {
        let (form, state) = (&prepared.form, prepared.state());
        self.check_data(judgement, form, state, turn).await?;
        let files = of_submission(files, prepared.view.item.id);
        self.0.forms.files.check_number(files.len())?;
        if state == SubmissionState::Submitted {
            let validators = &self.0.forms.validators;
            validators.check_files(form, &files, turn).await?;
        }
        prepared.files = files;
        Ok(())
    }

    /// Creates a submission after its form was changed or the last place was taken since they were read. The change may not even
    /// be visible to read transactions yet.
    async fn create_under_lock(
        &self,
        caller: &Caller,
        new: &NewSubmission,
        files: &[SubmittedFile],
        keeper: Option<&SubmissionResponseKeeper<'_>>,
    ) -> Result<Viewed<Submission>> {
        let judgement = self.judge(caller, new).await?;
        let is_keyed = keeper.is_some();
        let creating = self.0.transact_idempotent(is_keyed, async |mut tx| {
            let locked = tx.write_forms()?.lock_form(new.form).await?;
            locked.ok_or(Error::FormNotFound)?;
            let mut prepared = self.prepare(caller, new, tx.as_mut()).await?;
            let judgement = judgement.clone();
            self.check(&mut prepared, judgement, files, Turn::HoldingLocks)
                .await?;
            let written = self.write_in(tx.as_mut(), caller, &prepared, keeper);
            let Some(created) = written.await? else {
                // Looking again tells which places are missing. If some were freed just now, the refusal still stands.
                self.prepare(caller, new, tx.as_mut()).await?;
                return Err(match prepared.cap {
                    Some(_) => cap_reached(caller),
                    None => Error::SubmissionLimitReached,
                });
            };
            Ok(End::commit(tx, (created, prepared.event)))
        });
        let (created, event) = creating.await?;
        self.0.submitted(event, &created.item);
        Ok(created)
    }

    /// [`Self::prepare`] in a transaction of its own.
    async fn prepare_once(&self, caller: &Caller, new: &NewSubmission) -> Result<Prepared> {
        self.0
            .read_once(async |mut tx| self.prepare(caller, new, tx.as_mut()).await)
            .await
    }

    async fn judge(&self, caller: &Caller, new: &NewSubmission) -> Result<Judgement> {
        let validators = &self.0.forms.validators;
        validators
            .judge(new.form, new.data.as_deref(), Turn::Of(caller))
            .await
    }

    /// Prepares the submission, which may be written if its form has not changed by then and places are free. Permissions
    /// are checked now; the data is not validated yet.
    async fn prepare(
        &self,
        caller: &Caller,
        new: &NewSubmission,
        tx: &mut dyn ReadTx,
    ) -> Result<Prepared> {
        let authorizer = self.0.authorizer(caller);
        let found = authorizer.require_form(tx, Operation::SubmissionCreate, new.form);
        let (form, taken, _) = found.await?;
        self.prepare_for(caller, new, form, taken, &authorizer, tx)
            .await
    }

    /// Prepares a submission to a form that was read, for a caller who may submit.
    pub(in crate::service) async fn prepare_for(
        &self,
        caller: &Caller,
        new: &NewSubmission,
        form: Form,
        taken: PlacesTaken,
        authorizer: &Authorizer<'_>,
        tx: &mut dyn ReadTx,
    ) -> Result<Prepared> {
        let now = self.0.now();
        let state = admit(caller, &form, taken, new.state.clone(), now)?;
        let allowed = authorizer.tag_actions(form.id, &form.rules);
        let tags = tags_of_new(allowed, &form, &new.tags)?;
        let submission = Submission {
            tags: tags.clone(),
            ..self.new_submission(caller, form.id, new.data.as_deref(), state, now)
        };
        if form.rules.grant_based {
            authorizer.made(submission.id, ResourceClass::SUBMISSION);
        }
        let view = view(authorizer, tx, submission, &form.rules).await?;
        let cap = cap_of(caller, &form);
        let event = self.0.event_id(now, Some(form.id));
        Ok(Prepared {
            form,
            cap,
            view,
            files: Vec::new(),
            tags,
            event,
        })
    }

    /// A new submission of the caller, without files and tags.
    pub(super) fn new_submission(
        &self,
        caller: &Caller,
        form: FormId,
        data: Option<&str>,
        state: SubmissionState,
        now: Timestamp,
    ) -> Submission {
        let creator = caller.author();
        Submission {
            id: SubmissionId::from_uuid(self.0.ids.next_of(Some(form), now)),
            form,
            data: data.map(Into::into),
            state,
            creator: creator.clone(),
            last_modified_by: creator,
            date_created: now,
            date_last_modified: now,
            revision: self.0.revision(now),
            files: Vec::new(),
            tags: Tags::default(),
        }
    }

    /// Writes the prepared submission. Returns whether the form was unchanged and places were free. If the connection is
    /// lost, the submission is repeated as it was decided, like a request that waits for its COMMIT.
    async fn write(
        &self,
        caller: &Caller,
        prepared: Prepared,
        keeper: Option<&SubmissionResponseKeeper<'_>>,
    ) -> Result<Option<Viewed<Submission>>> {
        let (form, submission) = (&prepared.form, &prepared.view.item);
        let has_more = !prepared.files.is_empty() || !prepared.tags.is_empty();
        let created = if !form.rules.grant_based && !has_more {
            let kept = keeper.map(|keeper| keeper.responses(&prepared.view));
            let kept = kept.unwrap_or_default();
            let (revision, limit) = (form.revision, form.rules.limit);
            let (cap, event) = (prepared.cap, prepared.event);
            let transactions = &self.0.transactions;
            let submit = async || {
                let store = &transactions.store;
                let submitted = store.submit(submission, revision, cap, limit, event, &kept);
                Ok(submitted.await?)
            };
            let is_written = transactions.repeat(!kept.is_empty(), submit).await?;
            is_written.then_some(prepared.view)
        } else {
            let is_keyed = keeper.is_some();
            let writing = self.0.transact_idempotent(is_keyed, async |mut tx| {
                let written = self.write_in(tx.as_mut(), caller, &prepared, keeper);
                Ok(match written.await? {
                    Some(created) => End::commit(tx, Some(created)),
                    None => End::roll_back(None),
                })
            });
            writing.await?
        };
        if let Some(created) = &created {
            self.0.submitted(prepared.event, &created.item);
        }
        Ok(created)
    }

    /// Writes the prepared submission with all that belongs to it.
    async fn write_in(
        &self,
        tx: &mut dyn WriteTx,
        caller: &Caller,
        prepared: &Prepared,
        keeper: Option<&SubmissionResponseKeeper<'_>>,
    ) -> Result<Option<Viewed<Submission>>> {
        let (form, submission) = (&prepared.form, &prepared.view.item);
        let rules = &form.rules;
        let whole = Submission {
            files: prepared.files.clone(),
            tags: prepared.tags.clone(),
            ..submission.clone()
        };
        let is_written = tx
            .write_submissions()?
            .submit(
                &whole,
                form.revision,
                prepared.cap,
                rules.limit,
                prepared.event,
            )
            .await?;
        if !is_written {
            return Ok(None);
        }
        if rules.grant_based {
            self.insert_resource(tx, caller, submission).await?;
        }
        if !prepared.files.is_empty() {
            self.change_files(tx, submission, &[], &prepared.files)
                .await?;
        }
        if !prepared.tags.is_empty() {
            tx.write_submissions()?
                .set_tags(submission.id, form.id, &prepared.tags)
                .await?;
        }
        let mut created = prepared.view.clone();
        created.item.files = whole.files;
        keep(keeper, tx, &created).await?;
        Ok(Some(created))
    }

    /// Only submissions of grant-based forms are resources. Their creators manage them.
    pub(super) async fn insert_resource(
        &self,
        tx: &mut dyn WriteTx,
        caller: &Caller,
        submission: &Submission,
    ) -> Result<()> {
        let resource = self.0.resource(
            ResourceRef::submission(submission.id),
            Object::Submission {
                id: submission.id,
                form: submission.form,
            },
            submission.date_created,
        );
        let _ = self.0.insert_managed(tx, &resource, caller.owner()).await?;
        Ok(())
    }
}

/// Checks whether a form admits a new submission of a caller, and returns its state.
pub(in crate::service) fn admit(
    caller: &Caller,
    form: &Form,
    taken: PlacesTaken,
    requested: RequestedState,
    now: Timestamp,
) -> Result<SubmissionState> {
    let state = allowed_state(form, requested)?;
    check_link_state(caller, state)?;
    check_window(form, None, state, now)?;
    let is_reached = |cap: SubmissionCap| taken.by_caller >= cap.get();
    let has_room = !cap_of(caller, form).is_some_and(is_reached);
    ensure!(has_room, cap_reached(caller));
    check_limit(form, None, state, taken.of_form)?;
    Ok(state)
}

/// The tags of a new submission. An empty list is allowed even without permission to see tags.
pub(super) fn tags_of_new(allowed: TagActions, form: &Form, wanted: &[String]) -> Result<Tags> {
    if wanted.is_empty() {
        return Ok(Tags::default());
    }
    Ok(Tags::default().replaced(wanted, allowed, &form.details.available_tags)?)
}

/// The cap on the submissions of a caller.
pub(super) fn cap_of(caller: &Caller, form: &Form) -> Option<SubmissionCap> {
    match caller {
        Caller::Link(link) => link.cap(),
        Caller::System | Caller::User(_) => form.rules.cap,
    }
}

/// A draft that was created through a link could never be continued.
fn check_link_state(caller: &Caller, state: SubmissionState) -> Result<()> {
    let is_allowed = !matches!((caller, state), (Caller::Link(_), SubmissionState::Draft));
    let refused = || Error::SubmissionStateNotAllowed(state.as_str().to_owned());
    is_allowed.then_some(()).ok_or_else(refused)
}

/// A cap on everyone who uses a link is like the limit of a form.
fn cap_reached(caller: &Caller) -> Error {
    match caller {
        Caller::Link(_) => Error::SubmissionLimitReached,
        Caller::System | Caller::User(_) => Error::SubmissionCapReached,
    }
}
