//! Compiled validators, kept by form and revision.

use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use serde_json::Value;

use crate::error::{Error, Result};
use crate::id::{FormId, Revision};
use crate::model::data_schema::{DataSchema, Rejection, parse_json, validate_without_schema};
use crate::model::form::Form;
use crate::store::StoreError;

/// How many forms' validators are expected to be kept. A validator of a usual form takes some tens of kilobytes.
const EXPECTED: usize = 1024;

/// How many bytes the kept validators may take together, by a rough estimate: a hostile schema can take a hundred
/// megabytes.
const KEPT_BYTES: u64 = 256 * 1024 * 1024;

/// What data must satisfy in one revision of a form.
pub(super) struct Validator {
    revision: Revision,
    schema: Option<DataSchema>,
}

impl Validator {
    fn compile(form: &Form) -> Result<Self> {
        let schema = form
            .data_feed_schema
            .as_deref()
            .map(DataSchema::compile)
            .transpose()
            .map_err(|rejection| {
                StoreError::Failed(format!(
                    "the stored schema of form {} cannot be used: {rejection}",
                    form.id
                ))
            })?;
        Ok(Self {
            revision: form.revision,
            schema,
        })
    }

    fn check(&self, data: &Value) -> Result<(), Rejection> {
        match &self.schema {
            Some(schema) => schema.validate(data),
            None => validate_without_schema(data),
        }
    }

    /// The data with the keys that the schema's top-level `properties` define, and no others.
    pub(super) fn reduce_to_keys(&self, data: &str) -> String {
        self.schema
            .as_ref()
            .map_or_else(|| "{}".to_owned(), |schema| schema.reduce_to_keys(data))
    }
}

/// Weighs a validator by its memory.
#[derive(Clone)]
struct ByMemory;

impl Weighter<FormId, Arc<Validator>> for ByMemory {
    fn weight(&self, _: &FormId, validator: &Arc<Validator>) -> u64 {
        const ITSELF: u64 = 512;
        let schema = validator
            .schema
            .as_ref()
            .map_or(0, DataSchema::memory_bytes);
        ITSELF.saturating_add(u64::try_from(schema).unwrap_or(u64::MAX))
    }
}

/// The validators of the forms that were used last. One that would take all the room is not kept.
///
/// A revision never names two states of a form, not even one that was rolled back, so that what is kept cannot be wrong.
pub(super) struct Validators(Cache<FormId, Arc<Validator>, ByMemory>);

impl Default for Validators {
    fn default() -> Self {
        Self(Cache::with_weighter(EXPECTED, KEPT_BYTES, ByMemory))
    }
}

impl Validators {
    /// The validator of a form as it is.
    pub(super) fn of(&self, form: &Form) -> Result<Arc<Validator>> {
        if let Some(kept) = self
            .0
            .get(&form.id)
            .filter(|kept| kept.revision == form.revision)
        {
            return Ok(kept);
        }
        let validator = Arc::new(Validator::compile(form)?);
        self.0.insert(form.id, Arc::clone(&validator));
        Ok(validator)
    }

    /// Begins to judge data that is about to be written to a form, before the transaction that writes it: most of the
    /// work is done by then if the form was used before.
    pub(super) fn judge(&self, form: FormId, data: Option<&str>) -> Judgement {
        let parsed = data.map_or_else(|| Ok(Value::Object(serde_json::Map::new())), parse_json);
        let foreseen = parsed.as_ref().ok().and_then(|parsed| {
            let kept = self.0.get(&form)?;
            Some((kept.revision, kept.check(parsed)))
        });
        Judgement { parsed, foreseen }
    }
}

/// What is known about data before its form is.
pub(super) struct Judgement {
    parsed: Result<Value, Rejection>,
    /// What the revision of the form says that was used last.
    foreseen: Option<(Revision, Result<(), Rejection>)>,
}

impl Judgement {
    /// Whether the data is JSON, which is all that is asked of a draft.
    ///
    /// # Errors
    ///
    /// [`Error::SubmissionDataInvalid`] when it is not.
    pub(super) fn well_formed(&self) -> Result<()> {
        self.parsed
            .as_ref()
            .map(|_| ())
            .map_err(|rejection| Error::SubmissionDataInvalid(rejection.clone()))
    }

    /// Whether the data can be submitted to a form as it is now.
    ///
    /// # Errors
    ///
    /// [`Error::SubmissionDataInvalid`] when it cannot.
    pub(super) fn valid(self, validators: &Validators, form: &Form) -> Result<()> {
        let parsed = self.parsed.map_err(Error::SubmissionDataInvalid)?;
        let verdict = match self.foreseen {
            Some((revision, verdict)) if revision == form.revision => verdict,
            _ => validators.of(form)?.check(&parsed),
        };
        verdict.map_err(Error::SubmissionDataInvalid)
    }
}
