//! A cache of compiled schemas by form and revision.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use formalize_schema::internals::{
    answers_lightly, compile_stored, is_outlined, judge, outline, size_of_entries,
    validate_briefly, validate_lightly, validate_without_schema,
};
use formalize_schema::questions::{Answers, Entries};
use formalize_schema::{DataSchema, FileRules, Rejection, parse_json};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use serde_json::Value;

use super::room::Room;
use crate::admission::{FairQueue, Permit};
use crate::error::{Error, Result};
use crate::export::Columns;
use crate::id::{FormId, Revision};
use crate::model::file::SubmittedFile;
use crate::model::file::rejection::FilesRejection;
use crate::model::form::Form;
use crate::model::subject::Caller;
use crate::model::submission::Submission;
use crate::offload::{Turn, offload_in_turn};
use crate::page::Page;
use crate::service::{SubmissionTable, Viewed};
use crate::statistics::CacheStatistics;
use crate::store::StoreError;

/// The expected number of cached schemas. A usual one takes some tens of kilobytes.
const EXPECTED: usize = 1024;

/// The maximum size of the cache in bytes, by a rough estimate. A hostile schema can take a hundred megabytes.
const KEPT_BYTES: u64 = 256 * 1024 * 1024;

/// The compiled schema of one revision of a form.
pub(super) struct Validator {
    revision: Revision,
    schema: Option<DataSchema>,
}

impl Validator {
    /// The compiled schema, if the form has one.
    pub(super) fn schema(&self) -> Option<&DataSchema> {
        self.schema.as_ref()
    }

    /// The rules about files. A form without a schema allows no files.
    pub(super) fn file_rules(&self) -> &FileRules {
        static NO_FILES: FileRules = FileRules::NO_FILES;
        self.schema
            .as_ref()
            .map_or(&NO_FILES, DataSchema::file_rules)
    }

    fn compile(form: &Form) -> Result<Self> {
        let schema = form
            .data_feed_schema
            .as_deref()
            .map(compile_stored)
            .transpose()
            .map_err(|rejection| {
                StoreError::Failed(format!(
                    "the stored schema of form {} is invalid: {rejection}",
                    form.id
                ))
            })?;
        Ok(Self {
            revision: form.revision,
            schema,
        })
    }

    fn check(&self, data: &Value) -> Verdict {
        judge(self.schema(), data)
    }

    /// Validates data up to the first violation, for a batch that has many others.
    fn check_briefly(&self, data: &Value) -> Verdict {
        match &self.schema {
            Some(schema) => validate_briefly(schema, data),
            None => validate_without_schema(data),
        }
    }

    fn is_outlined(&self) -> bool {
        self.schema.as_ref().is_none_or(is_outlined)
    }

    fn outline(&self) {
        self.schema.as_ref().and_then(outline);
    }

    /// Validates data if that takes no longer than the other parts of a request; returns `None` otherwise.
    fn check_lightly(&self, data: &Value) -> Option<Verdict> {
        match &self.schema {
            Some(schema) => validate_lightly(schema, data),
            None => Some(validate_without_schema(data)),
        }
    }

    /// Reduces the data of submissions that are read from a snapshot.
    pub(super) async fn reduce_rows(
        self: &Arc<Self>,
        rows: Vec<Submission>,
    ) -> Result<Vec<Submission>> {
        let validator = Arc::clone(self);
        let reduce = move || rows.into_iter().map(|row| validator.reduce(row)).collect();
        apart(Turn::ReadingSnapshot, reduce).await
    }

    /// Reduces the data of a submission to the keys in the schema's top-level `properties`.
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

/// Weighs an entry by its size in memory.
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

/// The size of text that can be parsed in well under a millisecond, whatever its content.
const LIGHT_BYTES: usize = 16 * 1024;

/// So many submissions of a batch are checked at a time.
const PORTION: usize = 16;

fn is_short(data: &str) -> bool {
    data.len() <= LIGHT_BYTES
}

/// Offloads heavy work.
async fn apart<T: Send + 'static>(
    turn: Turn<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    Ok(offload_in_turn(turn, work).await?)
}

/// The schemas of the most recently used forms. A schema that would take up the whole cache is not cached.
///
/// A revision identifies only one state of a form, even if it was rolled back, so entries are never stale.
///
/// Work that may take long (compiling a schema, parsing a long text, many checks) is [offloaded](crate::offload()).
#[derive(Clone)]
pub(super) struct Validators(Arc<Kept>);

struct Kept {
    cache: Cache<FormId, Arc<Validator>, ByMemory>,
    /// Those who compile, or wait for another one.
    compiling: FairQueue<Revision>,
    /// Hits and misses of the cache.
    hits: AtomicU64,
    misses: AtomicU64,
}

impl Default for Validators {
    fn default() -> Self {
        Self(Arc::new(Kept {
            cache: Cache::with_weighter(EXPECTED, KEPT_BYTES, ByMemory),
            compiling: FairQueue::by_key(1),
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

    /// Counts a hit.
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

    /// Waits while another task compiles the schema of this revision: of many that need it at the same moment, one takes a
    /// place in the queue.
    async fn alone(&self, revision: Revision) -> Permit<Revision> {
        self.0.compiling.take(Some(&revision)).await
    }

    /// The compiled schema of this state of a form.
    pub(super) async fn of(&self, form: &Form, turn: Turn<'_>) -> Result<Arc<Validator>> {
        if let Some(kept) = self.kept(form.id, form.revision) {
            self.hit();
            return Ok(kept);
        }
        // Whoever holds a connection must not wait for those who wait in the common queue.
        let _alone = match turn {
            Turn::HoldingLocks | Turn::ReadingSnapshot => None,
            Turn::Of(_) | Turn::WithBytes(..) => Some(self.alone(form.revision).await),
        };
        if let Some(kept) = self.kept(form.id, form.revision) {
            self.hit();
            return Ok(kept);
        }
        self.0.misses.fetch_add(1, Ordering::Relaxed);
        let validators = self.clone();
        let form = form.clone();
        let compile = move || {
            // Another task in the same queue may have compiled it meanwhile.
            if let Some(kept) = validators.kept(form.id, form.revision) {
                return Ok(kept);
            }
            let validator = Arc::new(Validator::compile(&form)?);
            validators.0.cache.insert(form.id, Arc::clone(&validator));
            Ok(validator)
        };
        apart(turn, compile).await?
    }

    /// Judges all files of a submission that is or becomes submitted to a form in this state.
    ///
    /// # Errors
    ///
    /// [`Error::SubmissionFilesInvalid`]; [`Error::Store`] if the work is interrupted or the queue is full.
    pub(super) async fn check_files(
        &self,
        form: &Form,
        files: &[SubmittedFile],
        turn: Turn<'_>,
    ) -> Result<()> {
        let validator = match self.kept(form.id, form.revision) {
            Some(kept) => kept,
            None if form.data_feed_schema.is_none() && files.is_empty() => return Ok(()),
            None => self.of(form, turn).await?,
        };
        let judged = FilesRejection::judge(validator.file_rules(), files);
        judged.map_err(Error::SubmissionFilesInvalid)
    }

    /// Reduces the data of submissions to the keys in the schema's top-level `properties`.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] if the work is interrupted or the queue is full.
    pub(super) async fn reduce_all(
        &self,
        caller: &Caller,
        form: &Form,
        page: Page<Viewed<Submission>>,
    ) -> Result<Page<Viewed<Submission>>> {
        let items = page.items.iter();
        let texts = items.filter_map(|viewed| viewed.item.data.as_deref());
        let bytes = texts.map(str::len).sum();
        let turn = Turn::WithBytes(caller, bytes);
        let validator = self.of(form, turn).await?;
        let reduce = move || {
            page.map(|viewed| Viewed {
                item: validator.reduce(viewed.item),
                ..viewed
            })
        };
        if bytes > LIGHT_BYTES {
            apart(turn, reduce).await
        } else {
            Ok(reduce())
        }
    }

    /// The compiled schema of this state of a form, and the columns of a table of its submissions.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] if the work is interrupted or the queue is full.
    pub(super) async fn columns(
        &self,
        caller: &Caller,
        form: &Form,
        language: &str,
    ) -> Result<(Arc<Validator>, Arc<Columns>)> {
        let turn = Turn::Of(caller);
        let validator = self.of(form, turn).await?;
        let (of, language) = (Arc::clone(&validator), language.to_owned());
        let columns = move || Columns::of(of.schema.as_ref(), &language);
        let columns = apart(turn, columns).await?;
        Ok((validator, Arc::new(columns)))
    }

    /// A page of submissions as a table with the chosen columns. `asked` are the schema of the columns and the language of its
    /// labels.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] if the work is interrupted or the queue is full.
    pub(super) async fn table(
        &self,
        caller: &Caller,
        asked: (Option<Arc<Validator>>, String),
        columns: Arc<Columns>,
        page: Page<Viewed<Submission>>,
        chosen: &[String],
    ) -> Result<SubmissionTable> {
        let items = page.items.iter();
        let texts = items.filter_map(|viewed| viewed.item.data.as_deref());
        let bytes = texts.map(str::len).sum();
        let chosen = chosen.to_owned();
        let compose = move || {
            let (validator, language) = asked;
            let schema = validator.as_ref().and_then(|one| one.schema.as_ref());
            SubmissionTable::new(schema, &language, columns, page, &chosen)
        };
        apart(Turn::WithBytes(caller, bytes), compose).await
    }

    /// Makes data from what was entered on a page, which replaces the stored data; `stored` is `None` on the page of a new
    /// submission. The whole data is one question for JSON unless `shows_questions`.
    ///
    /// All visitors of a public link are one caller, so the pages of usual forms must not need a place in the queue.
    ///
    /// # Errors
    ///
    /// [`Error::SubmissionDataInvalid`] if the entries cannot come from a page; [`Error::Store`] if the work is interrupted
    /// or the queue is full.
    pub(super) async fn answers(
        &self,
        caller: &Caller,
        form: &Form,
        entered: Entered,
    ) -> Result<Answers> {
        let turn = Turn::Of(caller);
        let validator = self.of(form, turn).await?;
        if !validator.is_outlined() {
            let _alone = self.alone(form.revision).await;
            if !validator.is_outlined() {
                let validator = Arc::clone(&validator);
                apart(turn, move || validator.outline()).await?;
            }
        }
        let answers = match entered.answers_lightly(&validator) {
            Some(answers) => answers,
            None => apart(turn, move || entered.answers(&validator)).await?,
        };
        answers.map_err(Error::SubmissionDataInvalid)
    }

    /// Runs work with the schema of a form, such as making its questions.
    ///
    /// # Errors
    ///
    /// [`Error::SubmissionDataInvalid`] if the work fails; [`Error::Store`] if it is interrupted or the queue is full.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        caller: &Caller,
        form: &Form,
        work: impl FnOnce(Option<&DataSchema>) -> std::result::Result<T, Rejection> + Send + 'static,
    ) -> Result<T> {
        let turn = Turn::Of(caller);
        let validator = self.of(form, turn).await?;
        let asked = apart(turn, move || work(validator.schema.as_ref())).await?;
        asked.map_err(Error::SubmissionDataInvalid)
    }

    /// Starts to validate data before the transaction that will write it. If the form was used before, most of the work
    /// is done by then.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] if the work is interrupted or the queue is full.
    pub(super) async fn judge(
        &self,
        form: FormId,
        data: Option<&str>,
        turn: Turn<'_>,
    ) -> Result<Judgement> {
        let parsed = parse(data, turn).await?;
        let mut foreseen = None;
        if let (Ok(parsed), Some(kept)) = (&parsed, self.0.cache.get(&form)) {
            foreseen = Some((kept.revision, check(kept, parsed, turn).await?));
        }
        Ok(Judgement { parsed, foreseen })
    }

    /// Checks the data of several submissions to a form; drafts need only be JSON. This is done in portions, so that a caller
    /// with many submissions takes turns with others. The rejections are as detailed as there is room; once it is used up,
    /// checks end at the first violation.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] if the work is interrupted or the queue is full.
    pub(super) async fn check_all(
        &self,
        caller: &Caller,
        form: &Form,
        data: Vec<(Option<Arc<str>>, bool)>,
        mut room: Room,
    ) -> Result<(Vec<Verdict>, Room)> {
        let turn = Turn::Of(caller);
        let validator = self.of(form, turn).await?;
        let mut verdicts = Vec::with_capacity(data.len());
        for portion in data.chunks(PORTION) {
            let (validator, portion) = (Arc::clone(&validator), portion.to_vec());
            let check = move || {
                let check = |(text, is_draft): &(Option<Arc<str>>, bool)| {
                    let is_brief = room.is_used_up();
                    let verdict = parse_now(text.as_deref()).and_then(|parsed| {
                        if *is_draft {
                            Ok(())
                        } else if is_brief {
                            validator.check_briefly(&parsed)
                        } else {
                            validator.check(&parsed)
                        }
                    });
                    verdict.map_err(|rejection| room.fit(rejection))
                };
                let verdicts: Vec<_> = portion.iter().map(check).collect();
                (verdicts, room)
            };
            let (checked, left) = apart(turn, check).await?;
            verdicts.extend(checked);
            room = left;
        }
        Ok((verdicts, room))
    }

    /// Like [`Validators::judge`], but only if that takes no longer than the other parts of a request.
    pub(super) fn judge_lightly(&self, form: FormId, data: Option<&str>) -> Option<Judgement> {
        if !data.is_none_or(is_short) {
            return None;
        }
        let parsed = parse_now(data);
        let mut foreseen = None;
        if let (Ok(parsed), Some(kept)) = (&parsed, self.0.cache.get(&form)) {
            foreseen = Some((kept.revision, kept.check_lightly(parsed)?));
        }
        Some(Judgement { parsed, foreseen })
    }
}

/// What was entered on a page, and the data that it changes.
pub(super) struct Entered {
    pub(super) stored: Option<Arc<str>>,
    pub(super) entries: Entries,
    /// The language of the questions.
    pub(super) language: Option<String>,
    /// Whether the caller may see the questions of the form.
    pub(super) shows_questions: bool,
}

impl Entered {
    fn schema<'v>(&self, validator: &'v Validator) -> Option<&'v DataSchema> {
        validator.schema.as_ref().filter(|_| self.shows_questions)
    }

    fn answers(&self, validator: &Validator) -> std::result::Result<Answers, Rejection> {
        let (schema, stored) = (self.schema(validator), self.stored.as_deref());
        Answers::of(schema, stored, &self.entries, self.language.as_deref())
    }

    /// The answers, if making them takes no longer than the other parts of a request.
    fn answers_lightly(
        &self,
        validator: &Validator,
    ) -> Option<std::result::Result<Answers, Rejection>> {
        let (schema, stored) = (self.schema(validator), self.stored.as_deref());
        let bytes = size_of_entries(&self.entries) + stored.map_or(0, str::len);
        if bytes > LIGHT_BYTES {
            return None;
        }
        answers_lightly(schema, stored, &self.entries, self.language.as_deref())
    }
}

fn parse_now(data: Option<&str>) -> Parsed {
    let parsed = data.map_or_else(|| Ok(Value::Object(serde_json::Map::new())), parse_json);
    parsed.map(Arc::new)
}

async fn parse(data: Option<&str>, turn: Turn<'_>) -> Result<Parsed> {
    match data {
        Some(long) if !is_short(long) => {
            let long = long.to_owned();
            apart(turn, move || parse_now(Some(&long))).await
        }
        short => Ok(parse_now(short)),
    }
}

async fn check(validator: Arc<Validator>, data: &Arc<Value>, turn: Turn<'_>) -> Result<Verdict> {
    if let Some(verdict) = validator.check_lightly(data) {
        return Ok(verdict);
    }
    let data = Arc::clone(data);
    apart(turn, move || validator.check(&data)).await
}

/// The result of validation.
type Verdict = std::result::Result<(), Rejection>;

/// The parsed data.
type Parsed = std::result::Result<Arc<Value>, Rejection>;

/// What is known about data before the form is read.
#[derive(Clone)]
pub(super) struct Judgement {
    parsed: Parsed,
    /// The result for the most recently used revision of the form.
    foreseen: Option<(Revision, Verdict)>,
}

impl Judgement {
    /// Checks that the data is JSON, which is the only requirement for drafts.
    ///
    /// # Errors
    ///
    /// [`Error::SubmissionDataInvalid`] if it is not.
    pub(super) fn well_formed(&self) -> Result<()> {
        self.parsed
            .as_ref()
            .map(|_| ())
            .map_err(|rejection| Error::SubmissionDataInvalid(rejection.clone()))
    }

    /// Whether the data can be submitted to a form in this state.
    ///
    /// # Errors
    ///
    /// [`Error::SubmissionDataInvalid`] if it is not valid; [`Error::Store`].
    pub(super) async fn valid(
        self,
        validators: &Validators,
        form: &Form,
        turn: Turn<'_>,
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
