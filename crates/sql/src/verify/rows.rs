//! Invariants of single rows.

use formalize_core::store::{StoreResult, fold_case};
use formalize_core::{Action, ResourceClass, Subject, Submission};
use formalize_schema::internals::compile_stored;
use formalize_schema::parse_json;
use uuid::Uuid;

use super::schemas::{Schemas, Submitted};
use super::{Finding, FindingKind, PAGE, unreadable};
use crate::driver::{Dialect, Row, Statement, sql};
use crate::query::alias;
use crate::record::Record;
use crate::{
    files, forms, groups, links, memberships, resources, submissions, tags, tokens, webhooks,
};

/// A table whose rows are all read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    Groups,
    Memberships,
    Resources,
    Grants,
    Forms,
    Submissions,
    Files,
    Links,
    Tokens,
    Webhooks,
    Deliveries,
}

/// The result for a row.
pub(super) enum Verdict {
    Right,
    Wrong(Vec<Finding>),
    /// The row cannot be checked.
    Unknown,
}

/// The number of rows to read at a time, if each may have a mebibyte.
const LARGE_PAGE: usize = 64;

impl Rows {
    pub(super) const ALL: [Self; 11] = [
        Self::Groups,
        Self::Memberships,
        Self::Resources,
        Self::Grants,
        Self::Forms,
        Self::Submissions,
        Self::Files,
        Self::Links,
        Self::Tokens,
        Self::Webhooks,
        Self::Deliveries,
    ];

    pub(super) fn table(self) -> &'static str {
        match self {
            Self::Groups => "formalize_groups",
            Self::Memberships => "formalize_memberships",
            Self::Resources => "formalize_resources",
            Self::Grants => "formalize_grants",
            Self::Forms => "formalize_forms",
            Self::Submissions => "formalize_submissions",
            Self::Files => "formalize_submitted_files",
            Self::Links => "formalize_form_links",
            Self::Tokens => "formalize_api_tokens",
            Self::Webhooks => "formalize_webhooks",
            Self::Deliveries => "formalize_webhook_deliveries",
        }
    }

    /// Values are readable, names are folded, schemas are valid, data is JSON that matches its schema, and so do files; tags
    /// are the same in both places.
    pub(super) fn invariants(self) -> u64 {
        match self {
            Self::Groups | Self::Forms => 2,
            Self::Submissions => 5,
            _ => 1,
        }
    }

    pub(super) fn page(self) -> usize {
        match self {
            Self::Forms | Self::Submissions => LARGE_PAGE,
            _ => PAGE,
        }
    }

    pub(super) fn select(self, dialect: Dialect, after: Uuid, limit: i64) -> Statement<'static> {
        let table = self.table();
        let name = alias(table);
        let more = match self {
            Self::Submissions => format!(
                ", {}, {}",
                files::of_submission(dialect),
                tags::found_by(dialect)
            ),
            _ => String::new(),
        };
        sql(format!(
            "SELECT {name}.*{more} FROM {table} AS {name} WHERE {name}.id > $1 ORDER BY {name}.id LIMIT $2"
        ))
        .bind(after)
        .bind(limit)
    }

    pub(super) fn judge(self, row: &Row, schemas: &Schemas) -> StoreResult<Verdict> {
        let id = Record::new(self.table(), row).id()?;
        let judged = match self {
            Self::Groups => group(row),
            Self::Memberships => memberships::read(row).map(|_| Verdict::Right),
            // An invariant checks whether they fit each other.
            Self::Resources => resources::check_columns(row).map(|()| Verdict::Right),
            Self::Grants => grant(row),
            Self::Forms => form(row),
            Self::Submissions => submissions::read_without_files(row).map(|found| {
                let wrong_tags = tags::differ(row, &found).then(|| {
                    let what = "has tags that differ from those by which it is found";
                    Finding::of(
                        FindingKind::WrongCopy,
                        "formalize_submissions",
                        found.id.as_uuid(),
                        what,
                    )
                });
                match (submission(row, found, schemas), wrong_tags) {
                    (verdict, None) => verdict,
                    (Verdict::Wrong(others), Some(tags)) => {
                        Verdict::Wrong(others.into_iter().chain([tags]).collect())
                    }
                    (_, Some(tags)) => Verdict::Wrong(vec![tags]),
                }
            }),
            Self::Files => files::check(row).map(|()| Verdict::Right),
            Self::Links => links::read_uncounted(row).map(|_| Verdict::Right),
            Self::Tokens => tokens::read(row).map(|_| Verdict::Right),
            Self::Webhooks => webhooks::check(row).map(|()| Verdict::Right),
            Self::Deliveries => webhooks::read_delivery(row).map(|_| Verdict::Right),
        };
        judged.or_else(|failed| {
            unreadable(self.table(), id, failed).map(|finding| Verdict::Wrong(vec![finding]))
        })
    }
}

fn group(row: &Row) -> StoreResult<Verdict> {
    let group = groups::read(row)?;
    let folded = Record::new("formalize_groups", row).text("name_folded")?;
    if folded == fold_case(group.name.as_str()) {
        return Ok(Verdict::Right);
    }
    let what = "has a search name that differs from its name";
    let id = group.id.as_uuid();
    let finding = Finding::of(FindingKind::WrongCopy, "formalize_groups", id, what);
    Ok(Verdict::Wrong(vec![finding]))
}

/// Checks the grant alone. Another invariant is that its resource exists and is the same.
fn grant(row: &Row) -> StoreResult<Verdict> {
    let record = Record::new("formalize_grants", row);
    record.parsed("subject", |subject| subject.parse::<Subject>())?;
    record.parsed("action", Action::new)?;
    record.parsed("class", ResourceClass::new)?;
    record.instant("date_created")?;
    Ok(Verdict::Right)
}

fn form(row: &Row) -> StoreResult<Verdict> {
    let form = forms::read(row)?;
    let schema = form.data_feed_schema.as_deref();
    let Some(rejection) = schema.and_then(|schema| compile_stored(schema).err()) else {
        return Ok(Verdict::Right);
    };
    let what = format!("has an invalid schema: {rejection}");
    let id = form.id.as_uuid();
    let finding = Finding::of(FindingKind::InvalidSchema, "formalize_forms", id, what);
    Ok(Verdict::Wrong(vec![finding]))
}

/// Judges the data of a submission, and its files.
fn submission(row: &Row, submission: Submission, schemas: &Schemas) -> Verdict {
    let files = files::read_of_submission(row, submission.id);
    // Another step reports them.
    let are_unreadable = files.is_err();
    let submission = Submission {
        files: files.unwrap_or_default(),
        ..submission
    };
    let data = data(&submission, schemas);
    if are_unreadable {
        return data;
    }
    let files = match schemas.judge_files(&submission) {
        Submitted::UnderAnother if matches!(data, Verdict::Right) => return Verdict::Unknown,
        Submitted::Fitting | Submitted::UnderAnother => return data,
        Submitted::Breaking(rejection) => {
            let what = format!("has files that do not match the rules of its form: {rejection}");
            let id = submission.id.as_uuid();
            Finding::of(FindingKind::InvalidFiles, "formalize_submissions", id, what)
        }
    };
    match data {
        Verdict::Wrong(data) => Verdict::Wrong(data.into_iter().chain([files]).collect()),
        _ => Verdict::Wrong(vec![files]),
    }
}

fn data(submission: &Submission, schemas: &Schemas) -> Verdict {
    let wrong = |what| {
        let (kind, id) = (FindingKind::InvalidSubmission, submission.id.as_uuid());
        Verdict::Wrong(vec![Finding::of(kind, "formalize_submissions", id, what)])
    };
    let data = match parse_json(submission.data.as_deref().unwrap_or("{}")) {
        Ok(data) => data,
        Err(rejection) => return wrong(format!("has data that is not JSON: {rejection}")),
    };
    match schemas.judge(submission, &data) {
        Submitted::Fitting => Verdict::Right,
        Submitted::Breaking(rejection) => wrong(format!(
            "does not match the schema of its form: {rejection}"
        )),
        Submitted::UnderAnother => Verdict::Unknown,
    }
}
