//! Importing submissions: many batches, of which what is refused does not hinder the rest.

use std::collections::HashMap;
use std::sync::Arc;

use super::SubmissionsService;
use super::batch::{ImportTrial, read_kept};
use crate::error::{BatchOutcome, Error, Result};
use crate::export::Columns;
use crate::id::FormId;
use crate::model::batch::SubmissionBatch;
use crate::model::subject::Caller;

impl SubmissionsService<'_> {
    /// The columns of a table from which the caller can import submissions; see [`import`](crate::import).
    ///
    /// # Errors
    ///
    /// [`Error::FormNotFound`], [`Error::Forbidden`] if the caller may not create submissions of the form, [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let columns = formalize.submissions().import_columns(&Caller::System, form.id).await?;
    /// assert_eq!(columns.leaves()[0].name(), "entry");
    /// # Ok(()) });
    /// ```
    pub async fn import_columns(&self, caller: &Caller, form: FormId) -> Result<Arc<Columns>> {
        let form = self.form_of_batch(caller, form).await?;
        let (_, columns) = self.0.forms.validators.columns(caller, &form, "en").await?;
        Ok(columns)
    }

    /// Creates the submissions of a batch that are not refused, in one transaction and in their order. `is_atomic` does not
    /// matter.
    ///
    /// Each is judged as if [`create`](Self::create) were called for one after the other. Their identifiers have their order,
    /// also across batches that are imported one after the other.
    ///
    /// # Errors
    ///
    /// [`Error::FormNotFound`], [`Error::Forbidden`], [`Error::Store`]: nothing is created. Other errors are
    /// [outcomes](BatchOutcome::Refused) of single submissions. Submissions whose keys are known are
    /// [repeated](BatchOutcome::Repeated) also without permission.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let mut keyed = BatchItem::new(r#"{"entry": "Lovely."}"#);
    /// keyed.key = Some(ItemKey::new("page 1")?);
    /// let batch = SubmissionBatch::new(form.id, vec![keyed, BatchItem::new("[]")])?;
    /// let submissions = formalize.submissions();
    /// let outcomes = submissions.import(&Caller::System, &batch).await?;
    /// assert!(matches!(outcomes[0], BatchOutcome::Created(_)));
    /// assert!(matches!(outcomes[1], BatchOutcome::Refused(Error::SubmissionDataInvalid(_))));
    ///
    /// let again = submissions.import(&Caller::System, &batch).await?;
    /// assert!(matches!(again[0], BatchOutcome::Repeated(_)));
    /// # Ok(()) });
    /// ```
    pub async fn import(
        &self,
        caller: &Caller,
        batch: &SubmissionBatch,
    ) -> Result<Vec<BatchOutcome>> {
        let mut outcomes = self.known(caller, batch).await?;
        let is_left = |(index, outcome): (usize, &BatchOutcome)| {
            matches!(outcome, BatchOutcome::Omitted).then_some(index)
        };
        let mut left: Vec<usize> = outcomes.iter().enumerate().filter_map(is_left).collect();
        while !left.is_empty() {
            let part = part(batch, &left)?;
            let (done, is_over) = match self.create_batch(caller, &part).await {
                Ok(done) => (done, true),
                // The refused ones are left out. There is at least one, so this ends.
                Err(Error::BatchRefused(refused)) => (refused, false),
                Err(error) => return Err(error),
            };
            let mut omitted = Vec::new();
            for (index, outcome) in left.into_iter().zip(done) {
                match (outcome, outcomes.get_mut(index)) {
                    (BatchOutcome::Refused(error @ Error::Store(_)), _) => return Err(error),
                    (BatchOutcome::Omitted, _) => omitted.push(index),
                    (outcome, Some(place)) => *place = outcome,
                    (_, None) => {}
                }
            }
            left = omitted;
            if is_over {
                break;
            }
        }
        Ok(outcomes)
    }

    /// The outcomes of submissions whose keys are known. They need not be judged, which makes it fast to import a file again.
    /// The others are [omitted](BatchOutcome::Omitted).
    async fn known(&self, caller: &Caller, batch: &SubmissionBatch) -> Result<Vec<BatchOutcome>> {
        let requests: Vec<_> = batch.items().iter().map(|item| batch.keyed(item)).collect();
        let keys: Vec<_> = requests
            .iter()
            .flatten()
            .map(|request| &request.key)
            .collect();
        let mut kept = HashMap::new();
        if !keys.is_empty() {
            let owner = caller.author();
            let find = self.0.read_once(async |mut tx| {
                let (responses, now) = (tx.read_kept_responses()?, self.0.now());
                Ok(responses.kept_responses(&owner, &keys, now).await?)
            });
            let found = find.await?;
            kept.extend(found.into_iter().map(|kept| (kept.key.clone(), kept)));
        }
        let mut outcomes = Vec::with_capacity(requests.len());
        for request in requests {
            let found = request.and_then(|request| Some((kept.get(&request.key)?, request)));
            outcomes.push(match found {
                None => BatchOutcome::Omitted,
                Some((kept, request)) => match kept.repeat(&request) {
                    Ok(kept) => BatchOutcome::Repeated(read_kept(&kept)?),
                    Err(reused) => BatchOutcome::Refused(reused),
                },
            });
        }
        self.0.forms.batch_items.count(&outcomes);
        Ok(outcomes)
    }

    /// Tells what [`import`](Self::import) would do with each submission at this moment, after earlier batches of the same
    /// trial, and writes nothing.
    ///
    /// # Errors
    ///
    /// Those of [`import`](Self::import).
    ///
    /// ```
    /// use formalize_core::submissions::ImportTrial;
    ///
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let mut new = NewForm::new(FormName::new("Guest book")?);
    /// new.rules.cap = Some(SubmissionCap::new(1)?);
    /// let form = formalize.forms().create(&Caller::System, new).await?.item;
    /// let batch = SubmissionBatch::new(form.id, vec![BatchItem::new("{}")])?;
    /// let (submissions, mut trial) = (formalize.submissions(), ImportTrial::default());
    /// let first = submissions.check_import(&Caller::System, &batch, &mut trial).await?;
    /// assert!(matches!(first[0], BatchOutcome::Acceptable { .. }));
    /// let second = submissions.check_import(&Caller::System, &batch, &mut trial).await?;
    /// assert!(matches!(second[0], BatchOutcome::Refused(Error::SubmissionCapReached)));
    /// # Ok(()) });
    /// ```
    pub async fn check_import(
        &self,
        caller: &Caller,
        batch: &SubmissionBatch,
        trial: &mut ImportTrial,
    ) -> Result<Vec<BatchOutcome>> {
        let mut batch = batch.clone();
        batch.is_atomic = false;
        let outcomes = self.check_after(caller, &batch, trial).await?;
        trial.note(&batch, &outcomes);
        Ok(outcomes)
    }
}

/// These submissions of a batch, as one that is created completely or not at all.
fn part(batch: &SubmissionBatch, indices: &[usize]) -> Result<SubmissionBatch> {
    let items = indices.iter().filter_map(|index| batch.items().get(*index));
    let mut part = SubmissionBatch::new(batch.form, items.cloned().collect())?;
    part.key_retention = batch.key_retention;
    Ok(part)
}
