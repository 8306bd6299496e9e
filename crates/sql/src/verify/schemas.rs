//! Checks submissions against the schemas that they were submitted under.

use std::collections::HashMap;

use formalize_core::files::FilesRejection;
use formalize_core::store::StoreResult;
use formalize_core::{Form, Submission, SubmissionState, Timestamp};
use formalize_schema::internals::{compile_stored, judge};
use formalize_schema::{DataSchema, FileRules};
use serde_json::Value;
use uuid::Uuid;

use crate::driver::{Row, Transaction, sql};
use crate::forms;
use crate::record::Record;

/// The maximum size of the cached schemas in bytes, by an estimate.
const KEPT_BYTES: usize = 128 * 1024 * 1024;

/// The longest possible time between reading the clock in a transaction and releasing its locks, including clock
/// differences between servers, in milliseconds. Within this time of a change of a form, the schema of a submission is
/// uncertain.
const UNCERTAIN_MILLIS: i64 = 60_000;

/// The rules of a form without a schema.
static NO_FILES: FileRules = FileRules::NO_FILES;

/// The schemas of the most recently seen forms.
#[derive(Default)]
pub(super) struct Schemas {
    /// `None`: the form does not exist or is invalid, which other findings report.
    known: HashMap<Uuid, Option<Demand>>,
    bytes: usize,
}

/// The schema of a form.
struct Demand {
    schema: Option<DataSchema>,
    /// The time since which all submissions were validated against it, in milliseconds since 1970; `None` if there is
    /// no such time.
    since: Option<i64>,
}

/// Whether the data or the files of a submission match the schema of its form.
pub(super) enum Submitted {
    /// It matches, or need not match.
    Fitting,
    Breaking(String),
    /// It does not match, and was or may have been submitted before the form was changed.
    UnderAnother,
}

impl Schemas {
    /// Loads the forms of these submissions.
    pub(super) async fn learn(&mut self, tx: &mut Transaction, found: &[Row]) -> StoreResult<()> {
        if self.bytes > KEPT_BYTES {
            *self = Self::default();
        }
        let unknown: Vec<Uuid> = found
            .iter()
            .filter_map(|row| {
                Record::new("formalize_submissions", row)
                    .uuid("form_id")
                    .ok()
            })
            .filter(|form| !self.known.contains_key(form))
            .collect();
        if unknown.is_empty() {
            return Ok(());
        }
        self.known.extend(unknown.iter().map(|form| (*form, None)));
        let of_ids = tx.dialect().any_uuid("forms.id", "$1");
        let select = sql(format!(
            "SELECT forms.* FROM formalize_forms AS forms WHERE {of_ids}"
        ))
        .bind(unknown);
        for row in tx.all(select).await? {
            // Forms that cannot be read are reported by another step.
            let Some(demand) = forms::read(&row).ok().as_ref().and_then(Demand::of) else {
                continue;
            };
            let schema = demand.schema.as_ref();
            self.bytes += schema.map_or(0, DataSchema::memory_bytes);
            let id = Record::new("formalize_forms", &row).id()?;
            self.known.insert(id, Some(demand));
        }
        Ok(())
    }

    /// The schema that a submission had to match, if it had to match one.
    fn demand(&self, submission: &Submission) -> Option<&Demand> {
        let is_submitted = submission.state == SubmissionState::Submitted;
        let known = self.known.get(&submission.form.as_uuid())?.as_ref();
        known.filter(|_| is_submitted)
    }

    pub(super) fn judge(&self, submission: &Submission, data: &Value) -> Submitted {
        let Some(demand) = self.demand(submission) else {
            return Submitted::Fitting;
        };
        match judge(demand.schema.as_ref(), data) {
            Ok(()) => Submitted::Fitting,
            Err(rejection) if demand.was_in_force(demand.data_checked(submission)) => {
                Submitted::Breaking(rejection.to_string())
            }
            Err(_) => Submitted::UnderAnother,
        }
    }

    pub(super) fn judge_files(&self, submission: &Submission) -> Submitted {
        let Some(demand) = self.demand(submission) else {
            return Submitted::Fitting;
        };
        match FilesRejection::judge(demand.file_rules(), &submission.files) {
            Ok(()) => Submitted::Fitting,
            Err(rejection) if demand.was_in_force(files_checked(submission)) => {
                Submitted::Breaking(rejection.to_string())
            }
            Err(_) => Submitted::UnderAnother,
        }
    }
}

/// The earliest time at which the files of a submitted submission were checked for the last time: when the last of them was
/// added, or later. A change of the data alone does not check them.
fn files_checked(submission: &Submission) -> i64 {
    let files = submission.files.iter().map(|file| file.date_created);
    let added = files.chain([submission.date_created]).max();
    added.map_or(i64::MIN, Timestamp::as_millis)
}

impl Demand {
    /// The schema of a form, if it is valid.
    fn of(form: &Form) -> Option<Self> {
        let schema = form.data_feed_schema.as_deref().map(compile_stored);
        let since = millis(form.revision.as_uuid()).map(|changed| {
            // A form that was never changed has had no other schema.
            if changed == form.date_created.as_millis() {
                i64::MIN
            } else {
                changed.saturating_add(UNCERTAIN_MILLIS)
            }
        });
        Some(Self {
            schema: schema.transpose().ok()?,
            since,
        })
    }

    fn file_rules(&self) -> &FileRules {
        let schema = self.schema.as_ref();
        schema.map_or(&NO_FILES, DataSchema::file_rules)
    }

    /// The earliest time at which the data of a submitted submission was checked for the last time: that of its last change,
    /// unless that may have changed its files alone.
    fn data_checked(&self, submission: &Submission) -> i64 {
        let may_have_files = !submission.files.is_empty() || *self.file_rules() != NO_FILES;
        let created = submission.date_created.as_millis();
        match millis(submission.revision.as_uuid()) {
            Some(changed) if !may_have_files => changed,
            _ => created,
        }
    }

    /// Whether the schema was the present one since this time at the latest.
    fn was_in_force(&self, checked: i64) -> bool {
        self.since.is_some_and(|since| checked >= since)
    }
}

/// The time at which a revision was created, in milliseconds since 1970, which is the first part of its identifier.
fn millis(revision: Uuid) -> Option<i64> {
    let (seconds, nanos) = revision.get_timestamp()?.to_unix();
    let seconds = i64::try_from(seconds).ok()?;
    seconds
        .checked_mul(1000)?
        .checked_add(i64::from(nanos / 1_000_000))
}
