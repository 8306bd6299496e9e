//! Documents in CSV, NDJSON and JSON.

use std::io::{self, Write};
use std::sync::Arc;

use serde::Serialize;

use super::cells::{Cell, Reader};
use super::column::Columns;
use super::columns::Headers;
use super::guard::Guard;
use crate::model::file::SubmittedFile;
use crate::model::submission::Submission;

/// A format of documents that are written row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextFormat {
    /// CSV by RFC 4180, with a line of headers.
    Csv(CsvOptions),
    /// A JSON object for each submission, each in a line.
    Ndjson {
        /// Whether the last line is `{"end":{"rows":N}}`, which shows that nothing is missing.
        end_marker: bool,
    },
    /// One JSON object: `{"items":[…],"count":N}`.
    Json,
}

/// How CSV is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CsvOptions {
    /// The headers of the columns for leaves of the schema.
    pub headers: Headers,
    /// What happens to texts that look like formulas.
    pub guard: Guard,
    /// Whether the document begins with a byte order mark, by which some programs recognize UTF-8.
    pub bom: bool,
    /// What separates the cells of a row.
    pub separator: Separator,
    /// Whether the last line is `#end,rows=N`, which shows that nothing is missing.
    pub end_marker: bool,
}

/// What separates the cells of a row of CSV.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Separator {
    /// `,`
    #[default]
    Comma,
    /// `;`
    Semicolon,
    /// A tab.
    Tab,
}

impl Separator {
    const fn byte(self) -> u8 {
        match self {
            Self::Comma => b',',
            Self::Semicolon => b';',
            Self::Tab => b'\t',
        }
    }
}

/// Writes submissions as a document. The bytes go to a writer that each call names: a file, or a buffer that is sent and
/// emptied between the calls.
///
/// ```
/// use std::sync::Arc;
/// use formalize_core::export::{Columns, TextFormat, TextWriter};
///
/// let mut writer = TextWriter::new(TextFormat::Json, Arc::new(Columns::default()));
/// let mut document = Vec::new();
/// writer.begin(&mut document)?;
/// writer.rows(&[], &mut document)?;
/// writer.end(&mut document)?;
/// assert_eq!(document, b"{\"items\":[],\"count\":0}\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TextWriter {
    format: TextFormat,
    columns: Arc<Columns>,
    count: u64,
}

/// The members of a submission, as in the REST interface.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Item<'s> {
    identifier: String,
    form_identifier: String,
    data_feed_element: Option<&'s str>,
    submission_state: &'static str,
    creator_id: &'s str,
    last_modified_by_id: &'s str,
    date_created: String,
    date_last_modified: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<Vec<&'s str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    submitted_files: Vec<FileItem<'s>>,
}

/// The members of a file that say what it is, as in the REST interface.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FileItem<'s> {
    identifier: String,
    file_attribute_name: &'s str,
    file_name: &'s str,
    file_size: u64,
    mime_type: &'s str,
    sha256: String,
}

impl TextWriter {
    /// A writer for tables with these columns. Other formats have the tags if the columns have them.
    pub fn new(format: TextFormat, columns: Arc<Columns>) -> Self {
        Self {
            format,
            columns,
            count: 0,
        }
    }

    /// The number of submissions that were written.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Writes what comes before the first submission.
    ///
    /// # Errors
    ///
    /// Those of `to`.
    pub fn begin(&mut self, to: &mut impl Write) -> io::Result<()> {
        match &self.format {
            TextFormat::Csv(options) => {
                if options.bom {
                    to.write_all("\u{feff}".as_bytes())?;
                }
                let mut csv = csv_writer(options, to);
                for header in self.columns.headers(options.headers) {
                    csv.write_field(&*options.guard.apply(header))?;
                }
                end_row(&mut csv)?;
                csv.flush()
            }
            TextFormat::Ndjson { .. } => Ok(()),
            TextFormat::Json => to.write_all(b"{\"items\":["),
        }
    }

    /// Writes submissions.
    ///
    /// # Errors
    ///
    /// Those of `to`.
    pub fn rows(&mut self, rows: &[Submission], to: &mut impl Write) -> io::Result<()> {
        if let TextFormat::Csv(options) = &self.format {
            let mut csv = csv_writer(options, to);
            for row in rows {
                write_cells(&self.columns, row, options.guard, &mut csv)?;
            }
            csv.flush()?;
        } else {
            for (row, number) in rows.iter().zip(self.count..) {
                if self.format == TextFormat::Json && number > 0 {
                    to.write_all(b",")?;
                }
                serde_json::to_writer(&mut *to, &Item::of(row, &self.columns))?;
                if self.format != TextFormat::Json {
                    to.write_all(b"\n")?;
                }
            }
        }
        self.count = self.count.saturating_add(rows.len() as u64);
        Ok(())
    }

    /// Writes what comes after the last submission.
    ///
    /// # Errors
    ///
    /// Those of `to`.
    pub fn end(self, to: &mut impl Write) -> io::Result<()> {
        let count = self.count;
        match self.format {
            TextFormat::Csv(options) if options.end_marker => {
                write!(to, "#end,rows={count}\r\n")
            }
            TextFormat::Ndjson { end_marker: true } => {
                writeln!(to, "{{\"end\":{{\"rows\":{count}}}}}")
            }
            TextFormat::Json => writeln!(to, "],\"count\":{count}}}"),
            TextFormat::Csv(_) | TextFormat::Ndjson { .. } => Ok(()),
        }
    }
}

impl<'s> Item<'s> {
    fn of(submission: &'s Submission, columns: &Columns) -> Self {
        let tags = || submission.tags.iter().collect();
        Self {
            identifier: submission.id.to_string(),
            form_identifier: submission.form.to_string(),
            data_feed_element: submission.data.as_deref(),
            submission_state: submission.state.as_str(),
            creator_id: submission.creator.as_str(),
            last_modified_by_id: submission.last_modified_by.as_str(),
            date_created: submission.date_created.to_string(),
            date_last_modified: submission.date_last_modified.to_string(),
            tags: columns.has_tags().then(tags),
            submitted_files: submission.files.iter().map(FileItem::of).collect(),
        }
    }
}

impl<'s> FileItem<'s> {
    fn of(file: &'s SubmittedFile) -> Self {
        Self {
            identifier: file.id.to_string(),
            file_attribute_name: file.attribute.as_str(),
            file_name: file.name.as_str(),
            file_size: file.size,
            mime_type: file.mime_type.as_str(),
            sha256: file.sha256.to_string(),
        }
    }
}

fn csv_writer<W: Write>(options: &CsvOptions, to: W) -> csv::Writer<W> {
    csv::WriterBuilder::new()
        .delimiter(options.separator.byte())
        .terminator(csv::Terminator::CRLF)
        .from_writer(to)
}

fn end_row(csv: &mut csv::Writer<impl Write>) -> csv::Result<()> {
    csv.write_record(None::<&[u8]>)
}

fn write_cells(
    columns: &Columns,
    row: &Submission,
    guard: Guard,
    csv: &mut csv::Writer<impl Write>,
) -> csv::Result<()> {
    for value in first_cells(row) {
        csv.write_field(&*guard.apply(&value))?;
    }
    if columns.has_tags() {
        csv.write_field(&*guard.escape(&json_of_tags(row)))?;
    }
    let data = row.data.as_deref().unwrap_or("{}");
    let cells = columns.cells_of_table(Reader::Program(guard), data);
    for cell in &cells.leaves {
        match cell {
            Cell::Empty => csv.write_field("")?,
            Cell::Text(text) => csv.write_field(&*guard.apply(text))?,
            Cell::Number(number) => csv.write_field(number)?,
            Cell::Json(json) => csv.write_field(&*guard.escape(json))?,
        }
    }
    if columns.has_files() {
        csv.write_field(&*guard.apply(&names_of_files(row)))?;
    }
    let other = cells.other.as_deref().unwrap_or_default();
    csv.write_field(&*guard.escape(other))?;
    end_row(csv)
}

/// The cell with the names of files.
pub(super) fn names_of_files(row: &Submission) -> String {
    let names: Vec<&str> = row.files.iter().map(|file| file.name.as_str()).collect();
    names.join(", ")
}

/// The cell with the tags: a JSON array, or nothing if there are none.
pub(super) fn json_of_tags(row: &Submission) -> String {
    let tags: Vec<&str> = row.tags.iter().collect();
    if tags.is_empty() {
        return String::new();
    }
    serde_json::Value::from(tags).to_string()
}

/// The cells before those of the data.
pub(super) fn first_cells(row: &Submission) -> [String; 6] {
    [
        row.id.to_string(),
        row.state.as_str().to_owned(),
        row.creator.to_string(),
        row.date_created.to_string(),
        row.last_modified_by.to_string(),
        row.date_last_modified.to_string(),
    ]
}
