//! Creating several submissions of a form together.

use std::slice;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use futures_util::stream::{self, StreamExt};

use self::decision::{Checked, Decision, Situation, acceptable, decide, refused_if_atomic};
use super::SubmissionsService;
use super::create::cap_of;
use crate::authorizer::forms::PlacesTaken;
use crate::authz::policy::Operation;
use crate::error::{BatchOutcome, Error, Result};
use crate::id::{EventId, FormId};
use crate::model::batch::{BatchItem, BatchedSubmission, SubmissionBatch};
use crate::model::form::Form;
use crate::model::idempotency::{IdempotencyKey, KeyedRequest, Once};
use crate::model::subject::{Caller, UserId};
use crate::model::submission::Submission;
use crate::model::words::{SubmissionState, TagActions};
use crate::offload::Turn;
use crate::service::keyed::{ResponseKeeper, keep};
use crate::service::part::room::Room;
use crate::service::{ATTEMPTS, End, Shared, Viewed};
use crate::statistics::BatchItemStatistics;
use crate::store::{ReadTx, StoreError, WriteTx, compose};

mod decision;
mod trial;

pub(super) use decision::read_kept;
pub use trial::ImportTrial;

/// The number of submissions of a batch that are created at the same time, if each is created by itself.
const AT_ONCE: usize = 16;

/// Keeps the response to a request for a batch.
type BatchResponseKeeper<'a> = ResponseKeeper<'a, Vec<BatchOutcome>>;

impl SubmissionsService<'_> {
    /// Creates several submissions of a form, as if [`create`](Self::create) were called for each of them in their order.
    ///
    /// An atomic batch is one transaction, and creates nothing if any submission is refused. Otherwise each submission is
    /// created by itself, several at a time unless their order can matter: places are given in their order.
    ///
    /// Violations are listed for the first 64 submissions that are refused, with 64 KiB altogether. For each other one there
    /// is only the first violation, in brief.
    ///
    /// # Errors
    ///
    /// [`Error::FormNotFound`], [`Error::Forbidden`], [`Error::BatchRefused`] if the batch is atomic, [`Error::Store`].
    /// Other errors are [outcomes](BatchOutcome::Refused) of single submissions.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let submissions = formalize.submissions();
    /// let items = vec![BatchItem::new(r#"{"entry": "Lovely."}"#), BatchItem::new("[]")];
    /// let mut batch = SubmissionBatch::new(form.id, items)?;
    /// let refused = submissions.create_batch(&Caller::System, &batch).await;
    /// assert!(matches!(refused, Err(Error::BatchRefused(_))));
    ///
    /// batch.is_atomic = false;
    /// let outcomes = submissions.create_batch(&Caller::System, &batch).await?;
    /// assert!(matches!(outcomes[0], BatchOutcome::Created(_)));
    /// assert!(matches!(outcomes[1], BatchOutcome::Refused(Error::SubmissionDataInvalid(_))));
    /// # Ok(()) });
    /// ```
    pub async fn create_batch(
        &self,
        caller: &Caller,
        batch: &SubmissionBatch,
    ) -> Result<Vec<BatchOutcome>> {
        if batch.is_atomic {
            self.create_together(caller, batch, None).await
        } else {
            self.create_each(caller, batch, None).await
        }
    }

    /// Creates several submissions like [`create_batch`](Self::create_batch), once for each key.
    ///
    /// `response` makes the response that is kept for when an atomic batch is sent again. Of another batch, each submission
    /// is kept by itself: when it is sent again, those that were refused are tried again, and the others are
    /// [repeated](BatchOutcome::Repeated). Without a `request`, only the keys of submissions are kept.
    ///
    /// # Errors
    ///
    /// Those of [`create_batch`](Self::create_batch); [`Error::IdempotencyKeyReused`] if the key belongs to another
    /// request; [`Error::IdempotencyKeyInUse`] if a request with the key is in progress and does not end in time.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let request = KeyedRequest {
    ///     key: IdempotencyKey::new("4b1f")?,
    ///     fingerprint: Fingerprint([7; 32]),
    ///     retention: std::time::Duration::from_hours(24),
    /// };
    /// let response = |outcomes: &Vec<BatchOutcome>| outcomes.len().to_string();
    /// let batch = SubmissionBatch::new(form.id, vec![BatchItem::new("{}"); 3])?;
    /// let submissions = formalize.submissions();
    /// submissions.create_batch_once(&Caller::System, &batch, Some(&request), &response).await?;
    /// let again = submissions.create_batch_once(&Caller::System, &batch, Some(&request), &response).await?;
    /// assert!(matches!(again, Once::Repeated(response) if response == "3"));
    /// # Ok(()) });
    /// ```
    pub async fn create_batch_once(
        &self,
        caller: &Caller,
        batch: &SubmissionBatch,
        request: Option<&KeyedRequest>,
        response: &(dyn Fn(&Vec<BatchOutcome>) -> String + Send + Sync),
    ) -> Result<Once<Vec<BatchOutcome>>> {
        let Some(request) = request else {
            return self.create_batch(caller, batch).await.map(Once::Done);
        };
        let requests = slice::from_ref(request);
        let keeper = BatchResponseKeeper::new(self.0, caller, requests, response);
        let outcome = if batch.is_atomic {
            let create = self.create_together(caller, batch, Some(&keeper));
            keeper.once(create).await
        } else {
            self.create_each(caller, batch, Some(request))
                .await
                .map(Once::Done)
        };
        self.0.keys.count(outcome)
    }

    /// Tells what [`create_batch`](Self::create_batch) would do with each submission at this moment, and writes nothing.
    ///
    /// # Errors
    ///
    /// Those of [`create_batch`](Self::create_batch).
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let batch = SubmissionBatch::new(form.id, vec![BatchItem::new("{}")])?;
    /// let outcomes = formalize.submissions().check_batch(&Caller::System, &batch).await?;
    /// assert!(matches!(outcomes[0], BatchOutcome::Acceptable { state: SubmissionState::Submitted, .. }));
    /// # Ok(()) });
    /// ```
    pub async fn check_batch(
        &self,
        caller: &Caller,
        batch: &SubmissionBatch,
    ) -> Result<Vec<BatchOutcome>> {
        self.check_after(caller, batch, &ImportTrial::default())
            .await
    }

    /// Like [`SubmissionsService::check_batch`], after earlier batches.
    pub(super) async fn check_after(
        &self,
        caller: &Caller,
        batch: &SubmissionBatch,
        earlier: &ImportTrial,
    ) -> Result<Vec<BatchOutcome>> {
        for _ in 0..ATTEMPTS {
            let form = self.form_of_batch(caller, batch.form).await?;
            let checked = self.check_items(caller, &form, batch).await?;
            let reading = self
                .0
                .read(async |mut tx| self.situation(tx.as_mut(), caller, batch).await);
            let mut situation = reading.await?;
            if situation.form.revision == checked.revision {
                earlier.take_places(&mut situation, &caller.author(), batch);
                let decisions = decide(caller, &situation, batch, &checked);
                return refused_if_atomic(batch, acceptable(decisions));
            }
        }
        Err(changed_too_often())
    }

    /// Creates all submissions of a batch in one transaction, or none.
    async fn create_together(
        &self,
        caller: &Caller,
        batch: &SubmissionBatch,
        keeper: Option<&BatchResponseKeeper<'_>>,
    ) -> Result<Vec<BatchOutcome>> {
        for _ in 0..ATTEMPTS {
            let form = self.form_of_batch(caller, batch.form).await?;
            // Validating is expensive, so it is done before locks are taken, and only for callers who may submit.
            let checked = self.check_items(caller, &form, batch).await?;
            let is_keyed = keeper.is_some();
            let writing = self.0.transact_idempotent(is_keyed, async |mut tx| {
                // With this lock, no other transaction takes places of the form or keeps keys of its submissions.
                let locked = tx.write_forms()?.lock_form_exclusive(batch.form).await?;
                if locked.ok_or(Error::FormNotFound)?.revision != checked.revision {
                    return Ok(End::roll_back(None));
                }
                let situation = self.situation(tx.as_mut(), caller, batch).await?;
                let decisions = decide(caller, &situation, batch, &checked);
                if decisions.iter().any(Decision::is_refusal) {
                    let refused = refused_if_atomic(batch, acceptable(decisions))?;
                    return Ok(End::roll_back(Some((refused, Vec::new()))));
                }
                let written = self
                    .write_together(tx.as_mut(), caller, batch, &situation, decisions, keeper)
                    .await?;
                Ok(End::commit(tx, Some(written)))
            });
            match writing.await {
                Ok(None) => {}
                Ok(Some((outcomes, written))) => {
                    for (submission, event) in &written {
                        self.0.submitted(*event, submission);
                    }
                    self.0.forms.batch_items.count(&outcomes);
                    return Ok(outcomes);
                }
                Err(error) => {
                    if let Error::BatchRefused(outcomes) = &error {
                        self.0.forms.batch_items.count(outcomes);
                    }
                    return Err(error);
                }
            }
        }
        Err(changed_too_often())
    }

    /// Writes a batch of which nothing is refused.
    async fn write_together(
        &self,
        tx: &mut dyn WriteTx,
        caller: &Caller,
        batch: &SubmissionBatch,
        situation: &Situation,
        decisions: Vec<Decision>,
        keeper: Option<&BatchResponseKeeper<'_>>,
    ) -> Result<(Vec<BatchOutcome>, Vec<(Submission, Option<EventId>)>)> {
        let (form, now) = (&situation.form, situation.now);
        let mut written = Vec::new();
        let mut outcomes: Vec<BatchOutcome> = Vec::with_capacity(decisions.len());
        for (decision, item) in decisions.into_iter().zip(batch.items()) {
            outcomes.push(match decision {
                Decision::Create(state, tags) => {
                    let data = item.data.as_deref();
                    let submission = Submission {
                        tags,
                        ..self.new_submission(caller, form.id, data, state, now)
                    };
                    let created = BatchedSubmission::from(&submission);
                    let event = self.0.event_id(now, Some(form.id));
                    written.push(((submission, event), batch.keyed(item)));
                    BatchOutcome::Created(created)
                }
                Decision::Repeat(submission) => BatchOutcome::Repeated(submission),
                Decision::RepeatAt(index) => match outcomes.get(index) {
                    Some(BatchOutcome::Created(first)) => BatchOutcome::Repeated(*first),
                    _ => BatchOutcome::Omitted,
                },
                Decision::Refuse(error) => BatchOutcome::Refused(error),
            });
        }
        let (submissions, keys): (Vec<_>, Vec<_>) = written.into_iter().unzip();
        let (cap, limit) = (cap_of(caller, form), form.rules.limit);
        let is_written =
            tx.write_submissions()?
                .submit_all(&submissions, form.revision, cap, limit);
        if !is_written.await? {
            let why = "places of a form changed although it was locked".to_owned();
            return Err(Error::Store(StoreError::Failed(why)));
        }
        for ((submission, _), key) in submissions.iter().zip(keys) {
            if form.rules.grant_based {
                self.insert_resource(tx, caller, submission).await?;
            }
            if !submission.tags.is_empty() {
                tx.write_submissions()?
                    .set_tags(submission.id, form.id, &submission.tags)
                    .await?;
            }
            if let Some(request) = key {
                let kept = BatchedSubmission::from(submission).to_kept();
                let owner = caller.author();
                self.0.keep(tx, &owner, &request, kept).await?;
            }
        }
        keep(keeper, tx, &outcomes).await?;
        Ok((outcomes, submissions))
    }

    /// Creates each submission of a batch by itself.
    async fn create_each(
        &self,
        caller: &Caller,
        batch: &SubmissionBatch,
        request: Option<&KeyedRequest>,
    ) -> Result<Vec<BatchOutcome>> {
        if let Some(request) = request {
            self.find_other(caller, request).await?;
        }
        let form = self.form_of_batch(caller, batch.form).await?;
        if let Some(request) = request {
            self.claim(caller, request).await?;
        }
        // Where places are limited or keys are equal, the first submissions in their order come first.
        let is_limited = cap_of(caller, &form).is_some() || form.rules.limit.is_some();
        let at_once = if is_limited || has_equal_keys(batch) {
            1
        } else {
            AT_ONCE
        };
        let items = batch.items().iter().enumerate();
        // Each submission is repeated for some time if the connection is lost. The others need not wait as long again.
        let lost = &OnceLock::new();
        let outcomes = items.map(|(index, item)| {
            let part = request.map(|request| request.part(index));
            Box::pin(async move {
                if let Some(why) = lost.get() {
                    let error = StoreError::Disconnected(String::clone(why));
                    return BatchOutcome::Refused(error.into());
                }
                let outcome = self.create_one(caller, batch, item, part).await;
                if let BatchOutcome::Refused(Error::Store(
                    StoreError::Disconnected(why) | StoreError::Uncertain(why),
                )) = &outcome
                {
                    // Whichever comes first.
                    let _ = lost.set(why.clone());
                }
                outcome
            })
        });
        let outcomes: Vec<_> = outcomes.collect();
        let mut room = Room::default();
        let outcomes = stream::iter(outcomes).buffered(at_once);
        let outcomes = outcomes.map(|outcome| as_detailed_as_fits(outcome, &mut room));
        Ok(outcomes.collect().await)
    }

    /// Creates one submission of a batch, unless it was created before.
    async fn create_one(
        &self,
        caller: &Caller,
        batch: &SubmissionBatch,
        item: &BatchItem,
        part: Option<KeyedRequest>,
    ) -> BatchOutcome {
        let new = item.submission_to(batch.form);
        let requests: Vec<KeyedRequest> = part.into_iter().chain(batch.keyed(item)).collect();
        let created = if requests.is_empty() {
            self.create(caller, new).await.map(Once::Done)
        } else {
            let kept = |view: &Viewed<Submission>| BatchedSubmission::from(&view.item).to_kept();
            let keeper = ResponseKeeper::new(self.0, caller, &requests, &kept);
            let create = self.create_and_keep(caller, new, Some(&keeper));
            keeper.once(create).await
        };
        let outcome = match created {
            Ok(Once::Done(view)) => BatchOutcome::Created((&view.item).into()),
            Ok(Once::Repeated(kept)) => {
                read_kept(&kept).map_or_else(BatchOutcome::Refused, BatchOutcome::Repeated)
            }
            Err(error) => BatchOutcome::Refused(error),
        };
        self.0.forms.batch_items.count(slice::from_ref(&outcome));
        outcome
    }

    /// Refuses a request whose key belongs to another one.
    async fn find_other(&self, caller: &Caller, request: &KeyedRequest) -> Result<bool> {
        let reading = self.0.read_once(async |mut tx| {
            let (owner, now) = (caller.author(), self.0.now());
            let responses = tx.read_kept_responses()?;
            let kept = responses
                .kept_responses(&owner, &[&request.key], now)
                .await?;
            match kept.first() {
                Some(kept) => kept.repeat(request).map(|_| true),
                None => Ok(false),
            }
        });
        reading.await
    }

    /// Reserves the key of a request whose submissions are kept one by one, so that no other request can have it.
    async fn claim(&self, caller: &Caller, request: &KeyedRequest) -> Result<()> {
        if self.find_other(caller, request).await? {
            return Ok(());
        }
        let owner = caller.author();
        let work = writing!(|tx| self.0.keep(tx.as_mut(), &owner, request, String::new()));
        match self.0.transact_idempotent(true, work).await {
            Ok(()) => Ok(()),
            Err(error) => {
                // An equal request may have reserved it in the meantime, or be about to.
                let is_claimed = self.find_other(caller, request).await?;
                is_claimed.then_some(()).ok_or(match error {
                    Error::Store(StoreError::LockTimeout(_)) => Error::IdempotencyKeyInUse,
                    error => error,
                })
            }
        }
    }

    /// The form of a batch, if the caller may submit to it.
    pub(super) async fn form_of_batch(&self, caller: &Caller, form: FormId) -> Result<Form> {
        let reading = self.0.read_once(async |mut tx| {
            let found = self.form_to_submit_to(tx.as_mut(), caller, form).await?;
            Ok(found.0)
        });
        reading.await
    }

    /// A form to which the caller may submit, the places that are taken, and what the caller may do with tags.
    async fn form_to_submit_to(
        &self,
        tx: &mut dyn ReadTx,
        caller: &Caller,
        form: FormId,
    ) -> Result<(Form, PlacesTaken, TagActions)> {
        let authorizer = self.0.authorizer(caller);
        let found = authorizer.require_form(tx, Operation::SubmissionCreate, form);
        let (form, taken, _) = found.await?;
        let tag_actions = authorizer.tag_actions(form.id, &form.rules);
        Ok((form, taken, tag_actions))
    }

    async fn check_items(
        &self,
        caller: &Caller,
        form: &Form,
        batch: &SubmissionBatch,
    ) -> Result<Checked> {
        let items = batch.items().iter();
        let texts = items.map(|item| {
            let is_draft = item.state == SubmissionState::Draft.into();
            (item.data.as_deref().map(Arc::from), is_draft)
        });
        let validators = &self.0.forms.validators;
        let data = validators.check_all(caller, form, texts.collect(), Room::default());
        let (data, room) = data.await?;
        let checked = validators.check_files(form, &[], Turn::Of(caller)).await;
        let files = match checked {
            Ok(()) => Ok(()),
            Err(Error::SubmissionFilesInvalid(rejection)) => Err(rejection),
            Err(error) => return Err(error),
        };
        Ok(Checked {
            revision: form.revision,
            data,
            files,
            room,
        })
    }

    async fn situation(
        &self,
        tx: &mut dyn ReadTx,
        caller: &Caller,
        batch: &SubmissionBatch,
    ) -> Result<Situation> {
        let now = self.0.now();
        let (form, taken, tag_actions) = self.form_to_submit_to(tx, caller, batch.form).await?;
        let keyed = batch.items().iter().filter_map(|item| batch.keyed(item));
        let keys: Vec<IdempotencyKey> = keyed.map(|request| request.key).collect();
        let mut kept = Vec::new();
        if !keys.is_empty() {
            let keys: Vec<_> = keys.iter().collect();
            let responses = tx.read_kept_responses()?;
            kept = responses
                .kept_responses(&caller.author(), &keys, now)
                .await?;
        }
        Ok(Situation {
            form,
            taken,
            tag_actions,
            kept: kept
                .into_iter()
                .map(|kept| (kept.key.clone(), kept))
                .collect(),
            now,
        })
    }
}

/// The outcome, with the reasons of a refusal as detailed as there is room.
fn as_detailed_as_fits(outcome: BatchOutcome, room: &mut Room) -> BatchOutcome {
    let error = match outcome {
        BatchOutcome::Refused(error) => error,
        done => return done,
    };
    BatchOutcome::Refused(match error {
        Error::SubmissionDataInvalid(rejection) => {
            Error::SubmissionDataInvalid(room.fit(rejection))
        }
        Error::SubmissionFilesInvalid(rejection) => {
            Error::SubmissionFilesInvalid(room.fit_files(&rejection))
        }
        other => other,
    })
}

fn has_equal_keys(batch: &SubmissionBatch) -> bool {
    let keys = batch.items().iter().filter_map(|item| item.key.as_ref());
    let mut keys: Vec<_> = keys.collect();
    keys.sort_unstable();
    keys.windows(2)
        .any(|two| matches!(two, [one, other] if one == other))
}

fn changed_too_often() -> Error {
    let why = "the form was changed while the submissions were checked".to_owned();
    Error::Store(StoreError::Unavailable(why))
}

impl Shared {
    /// Keeps the response to a request with a key.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] if another request with this key was performed in the meantime.
    async fn keep(
        &self,
        tx: &mut dyn WriteTx,
        owner: &UserId,
        request: &KeyedRequest,
        response: String,
    ) -> Result<()> {
        let kept = self.response(owner, request, response);
        Ok(compose::keep(tx, &kept, self.now()).await?)
    }
}

/// Counts the submissions of batches by outcome.
#[derive(Debug, Default)]
pub(in crate::service) struct BatchItemCounts {
    created: AtomicU64,
    repeated: AtomicU64,
    refused: AtomicU64,
}

impl BatchItemCounts {
    pub(super) fn count(&self, outcomes: &[BatchOutcome]) {
        for outcome in outcomes {
            let count = match outcome {
                BatchOutcome::Created(_) => &self.created,
                BatchOutcome::Repeated(_) => &self.repeated,
                BatchOutcome::Refused(_) => &self.refused,
                BatchOutcome::Acceptable { .. } | BatchOutcome::Omitted => continue,
            };
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(in crate::service) fn statistics(&self) -> BatchItemStatistics {
        BatchItemStatistics {
            created: self.created.load(Ordering::Relaxed),
            repeated: self.repeated.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
        }
    }
}
