//! Workbooks of spreadsheet programs (XLSX).

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use rust_xlsxwriter::{DocProperties, ExcelDateTime, XlsxError};
use serde_json::value::RawValue;

use super::cells::Reader;
use super::column::Columns;
use super::columns::Headers;
use super::record::{first_cells, json_of_tags, names_of_files};
use super::sheets::{Sheets, Table};
use crate::model::submission::Submission;
use crate::time::Timestamp;

/// The maximum number of rows of a sheet, without the one of headers.
const ROWS_OF_SHEET: u32 = 1_048_575;

/// Writes submissions as a workbook of spreadsheet programs (XLSX); see [`Export::workbook`](crate::submissions::Export::workbook).
///
/// Texts are text cells and never formulas, also those that look like another type. A number that a spreadsheet program would change is a text: one with more than 15
/// digits, or beyond 2^53. A text of more than 32,767 characters is cut and ends with `…[cut]`. A sheet has at most 1,048,575
/// rows below its headers; the next ones are on a further sheet. After [`Export::with_groups`](crate::submissions::Export::with_groups), each repeated group has sheets
/// of its own, with a row for each item. The last sheet, `About`, says what the workbook contains.
///
/// Nothing is written to the document before [`end`](Self::end). Until then, the sheets are in temporary files without a name,
/// so memory does not depend on the number of submissions.
///
/// ```
/// # use formalize_conformance::example::*; with_form(async |formalize, form| {
/// use formalize_core::export::Headers;
///
/// let (submissions, all) = (formalize.submissions(), SubmissionFilter::default());
/// let export = submissions.export(&Caller::System, form.id, &all, "en").await?;
/// let mut export = export.with_groups().await?;
/// let mut writer = export.workbook(Headers::Label, &std::env::temp_dir())?;
/// while let Some(rows) = export.next().await? {
///     writer.rows(&rows)?;
/// }
/// let mut file = Vec::new();
/// writer.end(&mut file)?;
/// assert!(file.starts_with(b"PK"));
/// # Ok(()) });
/// ```
pub struct WorkbookWriter {
    sheets: Sheets,
    columns: Arc<Columns>,
    submissions: Table,
    /// The tables of repeated groups, in the order of these.
    groups: Vec<Table>,
    /// The content of the sheet `About`, without the counts.
    facts: Vec<(&'static str, String)>,
    count: u64,
}

impl std::fmt::Debug for WorkbookWriter {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("WorkbookWriter")
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}

impl WorkbookWriter {
    /// A writer with temporary files in `folder`. `facts` are the content of the sheet `About`.
    pub(crate) fn new(
        columns: Arc<Columns>,
        headers: Headers,
        facts: Vec<(&'static str, String)>,
        began: Timestamp,
        folder: &Path,
    ) -> io::Result<Self> {
        Self::begin(columns, headers, facts, began, folder, ROWS_OF_SHEET)
    }

    pub(super) fn begin(
        columns: Arc<Columns>,
        headers: Headers,
        facts: Vec<(&'static str, String)>,
        began: Timestamp,
        folder: &Path,
        rows_of_sheet: u32,
    ) -> io::Result<Self> {
        let mut sheets = Sheets::new(rows_of_sheet);
        let (submissions, groups) = guarded(|| {
            sheets.workbook.set_tempdir(folder)?;
            let created = ExcelDateTime::from_timestamp(began.as_millis().div_euclid(1_000))?;
            let properties = DocProperties::new().set_creation_datetime(&created);
            sheets.workbook.set_properties(&properties);
            let submissions = sheets.table("Submissions", columns.headers(headers))?;
            let groups = columns.groups.iter().map(|group| {
                let leaf = columns.leaves().get(group.leaf);
                let name = leaf.map(|leaf| headers.of(leaf.name(), leaf.label()));
                sheets.table(name.unwrap_or_default(), group.headers(headers))
            });
            Ok((submissions, groups.collect::<Result<Vec<_>, _>>()?))
        })?;
        Ok(Self {
            sheets,
            columns,
            submissions,
            groups,
            facts,
            count: 0,
        })
    }

    /// The number of submissions that were written.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Writes submissions.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written. Nothing more can be written then.
    pub fn rows(&mut self, rows: &[Submission]) -> io::Result<()> {
        guarded(|| rows.iter().try_for_each(|row| self.row(row)))
    }

    /// Writes the document.
    ///
    /// # Errors
    ///
    /// Those of `to`, and if a temporary file cannot be written or read.
    pub fn end(mut self, to: impl Write + Send) -> io::Result<()> {
        let counts = [
            ("Submissions", self.count.to_string()),
            ("Texts cut", self.sheets.cut.to_string()),
        ];
        guarded(|| {
            self.sheets
                .add_about(self.facts.into_iter().chain(counts))?;
            self.sheets.workbook.save_to_writer(to)
        })
    }

    fn row(&mut self, submission: &Submission) -> Result<(), XlsxError> {
        let data = submission.data.as_deref().unwrap_or("{}");
        let cells = self.columns.cells_of_table(Reader::Person, data);
        let mut row = self.sheets.row(&mut self.submissions)?;
        for value in first_cells(submission) {
            row.text(&value)?;
        }
        if self.columns.has_tags() {
            row.text(&json_of_tags(submission))?;
        }
        row.values(&cells.leaves)?;
        if self.columns.has_files() {
            row.text(&names_of_files(submission))?;
        }
        row.text(cells.other.as_deref().unwrap_or_default())?;
        self.count = self.count.saturating_add(1);
        if self.groups.is_empty() {
            return Ok(());
        }
        self.items(&submission.id.to_string(), data)
    }

    /// Writes the items of repeated groups.
    fn items(&mut self, submission: &str, data: &str) -> Result<(), XlsxError> {
        let values = self.columns.values(data);
        for (group, table) in self.columns.groups.iter().zip(&mut self.groups) {
            let list = values.get(group.leaf).copied().flatten();
            let items =
                list.and_then(|list| serde_json::from_str::<Vec<&RawValue>>(list.get()).ok());
            for (item, position) in items.into_iter().flatten().zip(1_u64..) {
                let cells = group.columns.cells_of_table(Reader::Person, item.get());
                let mut row = self.sheets.row(table)?;
                row.text(submission)?;
                row.number(&position.to_string())?;
                row.values(&cells.leaves)?;
                row.text(cells.other.as_deref().unwrap_or_default())?;
            }
        }
        Ok(())
    }
}

/// Does a piece of work with a workbook. Its library panics if it cannot write to a temporary file.
fn guarded<T>(work: impl FnOnce() -> Result<T, XlsxError>) -> io::Result<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(|error| match error {
            XlsxError::IoError(error) | XlsxError::TempFileError(_, error) => error,
            XlsxError::ZipError(error) => error.into(),
            other => io::Error::other(other),
        }),
        Err(panic) => {
            let why = panic.downcast_ref::<String>();
            let why = why.map_or("the cause is unknown", String::as_str);
            let message = format!("cannot write a temporary file of the workbook: {why}");
            Err(io::Error::other(message))
        }
    }
}
