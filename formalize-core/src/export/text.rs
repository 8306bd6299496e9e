//! Documents in CSV, NDJSON and JSON.

use std::io::{self, Write};
use std::sync::Arc;

use serde::Serialize;

use super::column::Columns;
#[cfg(feature = "csv")]
use super::csv::{self, CsvOptions};
use crate::model::file::SubmittedFile;
use crate::model::submission::Submission;

/// A format of documents that are written row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextFormat {
    /// CSV by RFC 4180, with a line of headers. With the feature `csv`.
    #[cfg(feature = "csv")]
    Csv(CsvOptions),
    /// A JSON object for each submission, each in a line.
    Ndjson {
        /// Whether the last line is `{"end":{"rows":N}}`, which shows that nothing is missing.
        end_marker: bool,
    },
    /// One JSON object: `{"items":[…],"count":N}`.
    Json,
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
            #[cfg(feature = "csv")]
            TextFormat::Csv(options) => csv::begin(options, &self.columns, to),
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
        match &self.format {
            #[cfg(feature = "csv")]
            TextFormat::Csv(options) => csv::rows(options, &self.columns, rows, to)?,
            TextFormat::Ndjson { .. } => {
                for row in rows {
                    serde_json::to_writer(&mut *to, &Item::of(row, &self.columns))?;
                    to.write_all(b"\n")?;
                }
            }
            TextFormat::Json => {
                for (row, number) in rows.iter().zip(self.count..) {
                    if number > 0 {
                        to.write_all(b",")?;
                    }
                    serde_json::to_writer(&mut *to, &Item::of(row, &self.columns))?;
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
            #[cfg(feature = "csv")]
            TextFormat::Csv(options) => csv::end(&options, count, to),
            TextFormat::Ndjson { end_marker: true } => {
                writeln!(to, "{{\"end\":{{\"rows\":{count}}}}}")
            }
            TextFormat::Ndjson { end_marker: false } => Ok(()),
            TextFormat::Json => writeln!(to, "],\"count\":{count}}}"),
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
