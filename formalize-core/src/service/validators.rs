//! Compiled validators, kept by form and revision.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use serde_json::Value;

use crate::error::{Error, Result};
use crate::id::{FormId, Revision};
use crate::model::form::Form;
use crate::model::submission::Submission;
use crate::offload::{Turn, offload_in_turn};
use crate::page::Page;
use crate::schema::{DataSchema, Rejection, parse_json, validate_without_schema};
use crate::statistics::CacheStatistics;
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

    fn check(&self, data: &Value) -> Verdict {
        match &self.schema {
            Some(schema) => schema.validate(data),
            None => validate_without_schema(data),
        }
    }

    /// Whether checking this data takes no longer than other parts of a request do.
    fn is_light_for(&self, data: &Value) -> bool {
        self.schema
            .as_ref()
            .is_none_or(|schema| schema.is_light_for(data))
    }

    /// The submission with the keys of its data that the schema's top-level `properties` define, and no others.
    fn reduce(&self, submission: Submission) -> Submission {
        let reduce = |data: Arc<str>| match &self.schema {
            Some(schema) => schema.reduce_to_keys(&data).into(),
            None => "{}".into(),
        };
        Submission {
            data: submission.data.map(reduce),
            ..submission
        }
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

/// So much text is read in well under a millisecond, whatever it says.
const LIGHT_BYTES: usize = 16 * 1024;

fn is_short(data: &str) -> bool {
    data.len() <= LIGHT_BYTES
}

/// Does heavy work apart, and light work at once.
async fn apart_if<T: Send + 'static>(
    heavy: bool,
    turn: Turn,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    if heavy {
        Ok(offload_in_turn(turn, work).await?)
    } else {
        Ok(work())
    }
}

/// The validators of the forms that were used last. One that would take all the room is not kept.
///
/// A revision never names two states of a form, not even one that was rolled back, so that what is kept cannot be wrong.
///
/// What may take long (a schema, a long text, many checks) is done [`offload`](crate::offload()).
#[derive(Clone)]
pub(super) struct Validators(Arc<Kept>);

struct Kept {
    cache: Cache<FormId, Arc<Validator>, ByMemory>,
    /// How often the validator that was wanted was there, and how often not.
    hits: AtomicU64,
    misses: AtomicU64,
}

impl Default for Validators {
    fn default() -> Self {
        Self(Arc::new(Kept {
            cache: Cache::with_weighter(EXPECTED, KEPT_BYTES, ByMemory),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        }))
    }
}

impl Validators {
    fn kept(&self, form: FormId, revision: Revision) -> Option<Arc<Validator>> {
        let kept = self.0.cache.get(&form);
        kept.filter(|kept| kept.revision == revision)
    }

    /// Counts that a validator was used which was there.
    fn hit(&self) {
        self.0.hits.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn statistics(&self) -> CacheStatistics {
        CacheStatistics {
            hits: self.0.hits.load(Ordering::Relaxed),
            misses: self.0.misses.load(Ordering::Relaxed),
            entries: u64::try_from(self.0.cache.len()).unwrap_or(u64::MAX),
            bytes: self.0.cache.weight(),
        }
    }

    /// The validator of a form as it is.
    pub(super) async fn of(&self, form: &Form, turn: Turn) -> Result<Arc<Validator>> {
        if let Some(kept) = self.kept(form.id, form.revision) {
            self.hit();
            return Ok(kept);
        }
        self.0.misses.fetch_add(1, Ordering::Relaxed);
        let validators = self.clone();
        let form = form.clone();
        let compile = move || {
            // Whoever waited in the same line may have compiled it meanwhile.
            if let Some(kept) = validators.kept(form.id, form.revision) {
                return Ok(kept);
            }
            let validator = Arc::new(Validator::compile(&form)?);
            validators.0.cache.insert(form.id, Arc::clone(&validator));
            Ok(validator)
        };
        apart_if(true, turn, compile).await?
    }

    /// Submissions of a form with those keys of their data that the schema's top-level `properties` define.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the work is interrupted, or too much is waiting.
    pub(super) async fn reduce_all(
        &self,
        form: &Form,
        page: Page<Submission>,
    ) -> Result<Page<Submission>> {
        let turn = Turn::AfterOthers;
        let validator = self.of(form, turn).await?;
        let texts = page.items.iter().filter_map(|item| item.data.as_deref());
        let heavy = texts.map(str::len).sum::<usize>() > LIGHT_BYTES;
        apart_if(heavy, turn, move || page.map(|item| validator.reduce(item))).await
    }

    /// Begins to judge data that is about to be written to a form, before the transaction that writes it: most of the
    /// work is done by then if the form was used before.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the work is interrupted, or too much is waiting.
    pub(super) async fn judge(
        &self,
        form: FormId,
        data: Option<&str>,
        turn: Turn,
    ) -> Result<Judgement> {
        let parsed = parse(data, turn).await?;
        let mut foreseen = None;
        if let (Ok(parsed), Some(kept)) = (&parsed, self.0.cache.get(&form)) {
            foreseen = Some((kept.revision, check(kept, parsed, turn).await?));
        }
        Ok(Judgement { parsed, foreseen })
    }

    /// [`Validators::judge`] where that takes no longer than other parts of a request do.
    pub(super) fn judge_lightly(&self, form: FormId, data: Option<&str>) -> Option<Judgement> {
        if !data.is_none_or(is_short) {
            return None;
        }
        let parsed = parse_now(data);
        let mut foreseen = None;
        if let (Ok(parsed), Some(kept)) = (&parsed, self.0.cache.get(&form)) {
            if !kept.is_light_for(parsed) {
                return None;
            }
            foreseen = Some((kept.revision, kept.check(parsed)));
        }
        Some(Judgement { parsed, foreseen })
    }
}

fn parse_now(data: Option<&str>) -> Parsed {
    let parsed = data.map_or_else(|| Ok(Value::Object(serde_json::Map::new())), parse_json);
    parsed.map(Arc::new)
}

async fn parse(data: Option<&str>, turn: Turn) -> Result<Parsed> {
    match data {
        Some(long) if !is_short(long) => {
            let long = long.to_owned();
            apart_if(true, turn, move || parse_now(Some(&long))).await
        }
        short => Ok(parse_now(short)),
    }
}

async fn check(validator: Arc<Validator>, data: &Arc<Value>, turn: Turn) -> Result<Verdict> {
    let heavy = !validator.is_light_for(data);
    let data = Arc::clone(data);
    apart_if(heavy, turn, move || validator.check(&data)).await
}

/// What a schema says of data.
type Verdict = std::result::Result<(), Rejection>;

/// Data as it was read.
type Parsed = std::result::Result<Arc<Value>, Rejection>;

/// What is known about data before its form is.
pub(super) struct Judgement {
    parsed: Parsed,
    /// What the revision of the form says that was used last.
    foreseen: Option<(Revision, Verdict)>,
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
    /// [`Error::SubmissionDataInvalid`] when it cannot; [`Error::Store`].
    pub(super) async fn valid(
        self,
        validators: &Validators,
        form: &Form,
        turn: Turn,
    ) -> Result<()> {
        let parsed = self.parsed.map_err(Error::SubmissionDataInvalid)?;
        let verdict = match self.foreseen {
            Some((revision, verdict)) if revision == form.revision => {
                validators.hit();
                verdict
            }
            _ => check(validators.of(form, turn).await?, &parsed, turn).await?,
        };
        verdict.map_err(Error::SubmissionDataInvalid)
    }
}
