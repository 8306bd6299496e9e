//! Invariants of single rows.

use formalize_core::store::{StoreResult, fold_case};
use formalize_core::{Action, ResourceClass, StoreError, Subject, Submission};
use formalize_schema::internals::compile_stored;
use formalize_schema::parse_json;
use uuid::Uuid;

use super::schemas::{Schemas, Submitted};
use super::{Fault, FindingKind, PAGE};
use crate::driver::{Dialect, Row, Statement, saturated, sql};
use crate::query::alias;
use crate::record::Record;
use crate::{
    files, forms, groups, links, memberships, resources, submissions, tags, tokens, webhooks,
};

/// A table whose rows are all read.
pub(super) struct Rows {
    pub(super) table: &'static str,
    /// The number of rows to read at a time.
    pub(super) page: usize,
    /// Values are readable, names are folded, schemas are valid, data is JSON that matches its schema, and so do files; tags
    /// are the same in both places.
    pub(super) invariants: u64,
    judge: fn(&Row, &Schemas) -> StoreResult<Verdict>,
}

/// The result for a row.
#[derive(Default)]
pub(super) struct Verdict {
    pub(super) faults: Vec<Fault>,
    /// Whether a part of the row cannot be checked.
    is_uncertain: bool,
}

/// The number of rows to read at a time, if each may have a mebibyte.
const LARGE_PAGE: usize = 64;

/// All tables.
pub(super) static ROWS: [Rows; 11] = [
    Rows::new("formalize_groups", PAGE, 2, |row, _| group(row)),
    Rows::new("formalize_memberships", PAGE, 1, |row, _| {
        right(memberships::read(row))
    }),
    // An invariant checks whether they fit each other.
    Rows::new("formalize_resources", PAGE, 1, |row, _| {
        right(resources::check_columns(row))
    }),
    Rows::new("formalize_grants", PAGE, 1, |row, _| {
        right(check_grant(row))
    }),
    Rows::new("formalize_forms", LARGE_PAGE, 2, |row, _| form(row)),
    Rows::new(SUBMISSIONS, LARGE_PAGE, 5, submission),
    Rows::new(files::TABLE, PAGE, 1, |row, _| right(files::check(row))),
    Rows::new("formalize_form_links", PAGE, 1, |row, _| {
        right(links::read_uncounted(row))
    }),
    Rows::new("formalize_api_tokens", PAGE, 1, |row, _| {
        right(tokens::read(row))
    }),
    Rows::new("formalize_webhooks", PAGE, 1, |row, _| {
        right(webhooks::check(row))
    }),
    Rows::new("formalize_webhook_deliveries", PAGE, 1, |row, _| {
        right(webhooks::read_delivery(row))
    }),
];

const SUBMISSIONS: &str = "formalize_submissions";

impl Rows {
    const fn new(
        table: &'static str,
        page: usize,
        invariants: u64,
        judge: fn(&Row, &Schemas) -> StoreResult<Verdict>,
    ) -> Self {
        Self {
            table,
            page,
            invariants,
            judge,
        }
    }

    /// Whether the rows are judged by the schemas of their forms.
    pub(super) fn need_schemas(&self) -> bool {
        self.table == SUBMISSIONS
    }

    pub(super) fn select(&self, dialect: Dialect, after: Uuid) -> Statement<'static> {
        let table = self.table;
        let name = alias(table);
        let more = if table == SUBMISSIONS {
            let (files, tags) = (files::of_submission(dialect), tags::found_by(dialect));
            format!(", {files}, {tags}")
        } else {
            String::new()
        };
        sql(format!(
            "SELECT {name}.*{more} FROM {table} AS {name} WHERE {name}.id > $1 ORDER BY {name}.id LIMIT $2"
        ))
        .bind(after)
        .bind(saturated(self.page))
    }

    /// A row that cannot be read has a fault. A database that cannot be read is an error.
    pub(super) fn judge(&self, row: &Row, schemas: &Schemas) -> StoreResult<Verdict> {
        match (self.judge)(row, schemas) {
            Err(StoreError::Failed(what)) => Ok(Verdict::wrong(FindingKind::Unreadable, what)),
            judged => judged,
        }
    }
}

impl Verdict {
    fn wrong(kind: FindingKind, what: impl Into<String>) -> Self {
        Self {
            faults: vec![(kind, what.into())],
            is_uncertain: false,
        }
    }

    /// Whether nothing is known to be wrong, but a part cannot be checked.
    pub(super) fn is_unknown(&self) -> bool {
        self.is_uncertain && self.faults.is_empty()
    }

    fn add(&mut self, judged: Submitted, kind: FindingKind, what: &str) {
        match judged {
            Submitted::Fitting => {}
            Submitted::Breaking(rejection) => {
                self.faults.push((kind, format!("{what}: {rejection}")));
            }
            Submitted::UnderAnother => self.is_uncertain = true,
        }
    }
}

/// A row is right if it can be read.
fn right<T>(read: StoreResult<T>) -> StoreResult<Verdict> {
    read.map(|_| Verdict::default())
}

fn group(row: &Row) -> StoreResult<Verdict> {
    let group = groups::read(row)?;
    let folded = Record::new("formalize_groups", row).text("name_folded")?;
    if folded == fold_case(group.name.as_str()) {
        return Ok(Verdict::default());
    }
    let what = "has a search name that differs from its name";
    Ok(Verdict::wrong(FindingKind::WrongCopy, what))
}

/// Checks the grant alone. Another invariant is that its resource exists and is the same.
fn check_grant(row: &Row) -> StoreResult<()> {
    let record = Record::new("formalize_grants", row);
    record.parsed("subject", |subject| subject.parse::<Subject>())?;
    record.parsed("action", Action::new)?;
    record.parsed("class", ResourceClass::new)?;
    record.instant("date_created").map(drop)
}

fn form(row: &Row) -> StoreResult<Verdict> {
    let form = forms::read(row)?;
    let schema = form.data_feed_schema.as_deref();
    let Some(rejection) = schema.and_then(|schema| compile_stored(schema).err()) else {
        return Ok(Verdict::default());
    };
    let what = format!("has an invalid schema: {rejection}");
    Ok(Verdict::wrong(FindingKind::InvalidSchema, what))
}

/// Judges the data of a submission, its files, and its tags.
fn submission(row: &Row, schemas: &Schemas) -> StoreResult<Verdict> {
    let submission = submissions::read_without_files(row)?;
    let files = files::read_of_submission(row, submission.id);
    // Another step reports those that are not.
    let are_readable = files.is_ok();
    let submission = Submission {
        files: files.unwrap_or_default(),
        ..submission
    };
    let mut verdict = Verdict::default();
    match parse_json(submission.data.as_deref().unwrap_or("{}")) {
        Ok(data) => {
            let what = "does not match the schema of its form";
            let judged = schemas.judge(&submission, &data);
            verdict.add(judged, FindingKind::InvalidSubmission, what);
        }
        Err(rejection) => {
            let what = format!("has data that is not JSON: {rejection}");
            verdict.faults.push((FindingKind::InvalidSubmission, what));
        }
    }
    if are_readable {
        let what = "has files that do not match the rules of its form";
        let judged = schemas.judge_files(&submission);
        verdict.add(judged, FindingKind::InvalidFiles, what);
    }
    if tags::differ(row, &submission) {
        let what = "has tags that differ from those by which it is found".to_owned();
        verdict.faults.push((FindingKind::WrongCopy, what));
    }
    Ok(verdict)
}
