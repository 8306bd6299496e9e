//! Workbooks of spreadsheet programs (XLSX).

use std::borrow::Cow;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};

use super::cells::Cell;
use super::columns::{Columns, Headers};
use super::text::{first_cells, json_of_tags, names_of_files};
use crate::model::submission::{OutputValidation, Submission, SubmissionFilter};
use crate::service::Export;
use crate::time::Timestamp;

/// The maximum number of rows of a sheet, without the one of headers.
const ROWS_OF_SHEET: u32 = 1_048_575;

/// The maximum length of a text in a cell, in the UTF-16 code units that spreadsheet programs count.
const UNITS_OF_CELL: usize = 32_767;

/// The end of a text that was cut.
const CUT: &str = "…[cut]";

/// The number of digits that spreadsheet programs keep.
const DIGITS: usize = 15;

/// The greatest number up to which every integer is a number of its own: 2^53.
const GREATEST: f64 = 9_007_199_254_740_992.0;

/// Writes submissions as a workbook of spreadsheet programs (XLSX).
///
/// Texts are text cells and never formulas, also those that look like another type. A number that a spreadsheet program would change is a text: one with more than 15
/// digits, or beyond 2^53. A text of more than 32,767 characters is cut and ends with `…[cut]`. A sheet has at most 1,048,575
/// rows below its headers; the next ones are on a further sheet. The last sheet, `About`, says what the workbook contains.
///
/// Nothing is written to the document before [`end`](Self::end). Until then, the sheets are in temporary files without a name,
/// so memory does not depend on the number of submissions.
///
/// ```
/// # use std::sync::Arc;
/// # use formalize_core::store::memory::MemoryStore;
/// # use formalize_core::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
/// # let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
/// # let new = NewForm::new(FormName::new("Guest book")?);
/// # let form = formalize.forms().create(&Caller::System, new).await?.item;
/// use formalize_core::export::{Headers, WorkbookWriter};
///
/// let (submissions, all) = (formalize.submissions(), SubmissionFilter::default());
/// let mut export = submissions.export(&Caller::System, form.id, &all, "en").await?;
/// let mut writer = WorkbookWriter::new(&export, Headers::Label, &std::env::temp_dir())?;
/// while let Some(rows) = export.next().await? {
///     writer.rows(&rows)?;
/// }
/// let mut file = Vec::new();
/// writer.end(&mut file)?;
/// assert!(file.starts_with(b"PK"));
/// # Ok(())
/// # }
/// ```
pub struct WorkbookWriter {
    workbook: Workbook,
    columns: Arc<Columns>,
    headers: Headers,
    bold: Format,
    /// The content of the sheet `About`, without the counts.
    facts: Vec<(&'static str, String)>,
    rows_of_sheet: u32,
    /// The number of rows on the last sheet, with the headers.
    filled: u32,
    count: u64,
    cut: u64,
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
    /// A writer for the submissions of an export, with temporary files in `folder`.
    ///
    /// # Errors
    ///
    /// If no file can be created in the folder.
    pub fn new(export: &Export, headers: Headers, folder: &Path) -> io::Result<Self> {
        let columns = export.columns();
        let (facts, began) = (facts(export), export.began());
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
        let mut writer = Self {
            workbook: Workbook::new(),
            columns,
            headers,
            bold: Format::new().set_bold(),
            facts,
            rows_of_sheet,
            filled: 0,
            count: 0,
            cut: 0,
        };
        guarded(|| {
            writer.workbook.set_tempdir(folder)?;
            let created = ExcelDateTime::from_timestamp(began.as_millis().div_euclid(1_000))?;
            let properties = DocProperties::new().set_creation_datetime(&created);
            writer.workbook.set_properties(&properties);
            writer.add_sheet(1)
        })?;
        Ok(writer)
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
            ("Texts cut", self.cut.to_string()),
        ];
        self.facts.extend(counts);
        guarded(|| {
            let about = self.workbook.add_worksheet_with_constant_memory()?;
            about.set_name("About")?;
            about.set_column_width(0, 20)?;
            for ((name, value), row) in self.facts.iter().zip(0..) {
                about.write_string_with_format(row, 0, *name, &self.bold)?;
                about.write_string(row, 1, fitting(value).0)?;
            }
            self.workbook.save_to_writer(to)
        })
    }

    /// Adds a sheet, and writes its headers.
    fn add_sheet(&mut self, number: u64) -> Result<(), XlsxError> {
        let sheet = self.workbook.add_worksheet_with_constant_memory()?;
        match number {
            1 => sheet.set_name("Submissions")?,
            _ => sheet.set_name(format!("Submissions {number}"))?,
        };
        sheet.set_freeze_panes(1, 0)?;
        for (header, column) in self.columns.headers(self.headers).zip(0..) {
            let (text, is_cut) = fitting(header);
            sheet.write_string_with_format(0, column, text, &self.bold)?;
            self.cut = self.cut.saturating_add(is_cut.into());
        }
        self.filled = 1;
        Ok(())
    }

    fn row(&mut self, submission: &Submission) -> Result<(), XlsxError> {
        if self.filled > self.rows_of_sheet {
            let number = self.count / u64::from(self.rows_of_sheet);
            self.add_sheet(number.saturating_add(1))?;
        }
        let data = submission.data.as_deref().unwrap_or("{}");
        let cells = self.columns.cells_for_people(data);
        let last = self.workbook.worksheets().len().saturating_sub(1);
        let mut row = Row {
            sheet: self.workbook.worksheet_from_index(last)?,
            number: self.filled,
            column: 0,
            cut: 0,
        };
        for value in first_cells(submission) {
            row.text(&value)?;
        }
        if self.columns.has_tags() {
            row.text(&json_of_tags(submission))?;
        }
        for cell in &cells.leaves {
            match cell {
                Cell::Empty => row.text("")?,
                Cell::Text(text) | Cell::Json(text) => row.text(text)?,
                Cell::Number(number) => row.number(number)?,
            }
        }
        if self.columns.has_files() {
            row.text(&names_of_files(submission))?;
        }
        row.text(cells.other.as_deref().unwrap_or_default())?;
        self.cut = self.cut.saturating_add(row.cut);
        self.filled = self.filled.saturating_add(1);
        self.count = self.count.saturating_add(1);
        Ok(())
    }
}

/// A row that is being written, cell by cell.
struct Row<'w> {
    sheet: &'w mut Worksheet,
    number: u32,
    column: u16,
    /// The number of texts that were cut.
    cut: u64,
}

impl Row<'_> {
    fn text(&mut self, text: &str) -> Result<(), XlsxError> {
        let (text, is_cut) = fitting(text);
        self.sheet.write_string(self.number, self.column, text)?;
        self.cut = self.cut.saturating_add(is_cut.into());
        self.column = self.column.saturating_add(1);
        Ok(())
    }

    fn number(&mut self, number: &str) -> Result<(), XlsxError> {
        let Some(value) = kept(number) else {
            return self.text(number);
        };
        self.sheet.write_number(self.number, self.column, value)?;
        self.column = self.column.saturating_add(1);
        Ok(())
    }
}

/// What the sheet `About` says of an export.
fn facts(export: &Export) -> Vec<(&'static str, String)> {
    let (id, form) = export.form_with_id();
    let SubmissionFilter {
        creator,
        state,
        tag,
        created_from,
        created_before,
        output,
        newest_first: _,
    } = export.filter();
    let reduced = (*output == OutputValidation::Keys).then(|| "KEYS".to_owned());
    let facts = [
        ("Form", form.map(|form| form.name.as_str().to_owned())),
        ("Form identifier", Some(id.to_string())),
        ("Time", Some(export.began().to_string())),
        ("Creator", creator.clone()),
        ("State", state.map(|state| state.as_str().to_owned())),
        ("Tag", tag.clone()),
        ("Created from", created_from.map(|time| time.to_string())),
        (
            "Created before",
            created_before.map(|time| time.to_string()),
        ),
        ("Output validation", reduced),
    ];
    let facts = facts.into_iter();
    facts
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
}

/// The text that fits a cell, and whether it was cut.
fn fitting(text: &str) -> (Cow<'_, str>, bool) {
    // A text has at least as many bytes as UTF-16 code units.
    if text.len() <= UNITS_OF_CELL || text.encode_utf16().count() <= UNITS_OF_CELL {
        return (Cow::Borrowed(text), false);
    }
    let mut left = UNITS_OF_CELL.saturating_sub(CUT.encode_utf16().count());
    let fits = |letter: &char| {
        let after = left.checked_sub(letter.len_utf16());
        left = after.unwrap_or(0);
        after.is_some()
    };
    let mut start: String = text.chars().take_while(fits).collect();
    start.push_str(CUT);
    (Cow::Owned(start), true)
}

/// The value of a number that a spreadsheet program does not change.
fn kept(number: &str) -> Option<f64> {
    let digits = number.split(['e', 'E']).next().unwrap_or(number);
    let digits = digits.replace(['-', '.'], "");
    let digits = digits.trim_matches('0');
    let value: f64 = number.parse().ok()?;
    // A number with digits that reads as zero, or as a subnormal number, is too small. There is no negative zero.
    let is_kept = if digits.is_empty() {
        !number.starts_with('-')
    } else {
        digits.len() <= DIGITS && value.is_normal() && value.abs() <= GREATEST
    };
    is_kept.then_some(value)
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
