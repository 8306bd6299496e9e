//! Documents in CSV.

use std::io::{self, Write};

use super::cells::{Cell, Reader};
use super::column::Columns;
use super::columns::Headers;
use super::guard::Guard;
use super::record::{first_cells, json_of_tags, names_of_files};
use crate::model::submission::Submission;

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

/// Writes the line of headers.
pub(super) fn begin(
    options: &CsvOptions,
    columns: &Columns,
    to: &mut impl Write,
) -> io::Result<()> {
    if options.bom {
        to.write_all("\u{feff}".as_bytes())?;
    }
    let mut csv = writer(options, to);
    for header in columns.headers(options.headers) {
        csv.write_field(&*options.guard.apply(header))?;
    }
    end_row(&mut csv)?;
    csv.flush()
}

/// Writes submissions.
pub(super) fn rows(
    options: &CsvOptions,
    columns: &Columns,
    rows: &[Submission],
    to: &mut impl Write,
) -> io::Result<()> {
    let mut csv = writer(options, to);
    for row in rows {
        write_row(columns, row, options.guard, &mut csv)?;
    }
    csv.flush()
}

/// Writes the last line, if there is one.
pub(super) fn end(options: &CsvOptions, count: u64, to: &mut impl Write) -> io::Result<()> {
    if options.end_marker {
        write!(to, "#end,rows={count}\r\n")?;
    }
    Ok(())
}

fn writer<W: Write>(options: &CsvOptions, to: W) -> ::csv::Writer<W> {
    ::csv::WriterBuilder::new()
        .delimiter(options.separator.byte())
        .terminator(::csv::Terminator::CRLF)
        .from_writer(to)
}

fn end_row(csv: &mut ::csv::Writer<impl Write>) -> ::csv::Result<()> {
    csv.write_record(None::<&[u8]>)
}

fn write_row(
    columns: &Columns,
    row: &Submission,
    guard: Guard,
    csv: &mut ::csv::Writer<impl Write>,
) -> ::csv::Result<()> {
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
