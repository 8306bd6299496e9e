//! The rows of an import: reading them, and writing them with the reason for which they are rejected.

use std::io;
use std::path::Path;
use std::sync::Arc;

use csv::ByteRecord;
use formalize_core::export::{Columns, Guard};
use formalize_core::import::{
    ERROR, HeaderProblem, ImportOptions, InvalidHeaders, LineFormat, LineReader, Row, Table,
};
use tokio::sync::mpsc::Receiver;

use super::Format;
use crate::failure::{Exit, Failure};
use crate::input::{self, Line, Lines, Records};

/// The maximum length of a row, in bytes.
const LONGEST: usize = 4 * 1024 * 1024;

/// An input whose headers are known.
pub(super) struct Source {
    /// The length of the input in bytes, if known.
    pub(super) length: Option<u64>,
    pub(super) lines: Receiver<io::Result<Line>>,
    pub(super) reader: Reader,
}

/// What reads rows.
pub(super) enum Reader {
    Lines(LineReader),
    Csv(CsvReader),
}

/// Reads the rows of CSV.
pub(super) struct CsvReader {
    table: Table,
    headers: ByteRecord,
    separator: u8,
}

impl Source {
    /// Opens a file, or standard input, and reads the headers.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has headers that the form has no columns for.
    pub(super) fn open(
        file: &Path,
        format: Format,
        columns: Arc<Columns>,
        options: ImportOptions,
    ) -> Result<Self, Failure> {
        let unreadable = |error: io::Error| input::unreadable(file, &error);
        let (from, length) = input::open(file)?;
        let from = input::without_bom(from).map_err(unreadable)?;
        let format = match format {
            Format::Csv => {
                let mut records = Records::new(from, LONGEST);
                let first = records.first().map_err(unreadable)?;
                return Ok(Self {
                    length,
                    reader: Reader::Csv(CsvReader::new(first, columns, &options)?),
                    lines: input::in_background(move || records.read()),
                });
            }
            Format::Ndjson => LineFormat::Ndjson,
            Format::Data => LineFormat::Data,
        };
        Ok(Self {
            length,
            reader: Reader::Lines(LineReader::new(format, &columns, options)),
            lines: Lines::new(from, LONGEST).in_background(),
        })
    }
}

impl Reader {
    /// Reads a row.
    ///
    /// # Errors
    ///
    /// The reasons why it is rejected.
    pub(super) fn row(&self, line: &Line) -> Result<Row, String> {
        if line.is_cut {
            return Err("is longer than 4 MiB".to_owned());
        }
        if line.is_unclosed {
            return Err("the last quotation mark is not closed".to_owned());
        }
        let text = std::str::from_utf8(&line.text);
        let text = text.map_err(|_| "is not encoded in UTF-8".to_owned())?;
        let row = match self {
            Self::Lines(reader) => reader.row(text),
            Self::Csv(reader) => reader.row(text),
        };
        row.map_err(|rejection| rejection.to_string())
    }

    /// The text of a rejected row with the reason. `is_first` tells whether it begins a file.
    pub(super) fn rejected(
        &self,
        line: &Line,
        reason: &str,
        is_first: bool,
    ) -> io::Result<Vec<u8>> {
        match self {
            Self::Lines(reader) => {
                let text = String::from_utf8_lossy(&line.text);
                Ok((reader.rejected(&text, reason) + "\n").into_bytes())
            }
            Self::Csv(reader) => reader.rejected(&line.text, reason, is_first),
        }
    }
}

impl CsvReader {
    fn new(
        first: Option<(Line, u8)>,
        columns: Arc<Columns>,
        options: &ImportOptions,
    ) -> Result<Self, Failure> {
        let invalid = |message: &str| Failure::new(Exit::Invalid, message);
        let (line, separator) = first.ok_or_else(|| invalid("the file has no headers"))?;
        if line.is_cut || line.is_unclosed {
            return Err(invalid(
                "the headers do not end: a quotation mark is not closed",
            ));
        }
        let headers = cells(&line.text, separator);
        let texts: Result<Vec<&str>, _> = headers.iter().map(std::str::from_utf8).collect();
        let texts = texts.map_err(|_| invalid("the headers are not encoded in UTF-8"))?;
        let table = Table::new(columns, &texts, options).map_err(|invalid| unknown(&invalid))?;
        Ok(Self {
            table,
            headers,
            separator,
        })
    }

    fn row(&self, text: &str) -> Result<Row, formalize_core::Rejection> {
        let record = cells(text.as_bytes(), self.separator);
        // They were valid before they were unquoted, which removes only quotation marks.
        let cells: Vec<&str> = record
            .iter()
            .map(|cell| std::str::from_utf8(cell).unwrap_or_default())
            .collect();
        self.table.row(&cells)
    }

    /// The cells as they are, with the reason behind them. A row with too few cells gets empty ones, so that the reason has its
    /// column.
    fn rejected(&self, text: &[u8], reason: &str, is_first: bool) -> io::Result<Vec<u8>> {
        let mut csv = csv::WriterBuilder::new()
            .delimiter(self.separator)
            .terminator(csv::Terminator::CRLF)
            .flexible(true)
            .from_writer(Vec::new());
        if is_first {
            csv.write_record(self.with_reason(&self.headers, ERROR.as_bytes()))?;
        }
        let reason = Guard::On.apply(reason);
        let row = cells(text, self.separator);
        csv.write_record(self.with_reason(&row, reason.as_bytes()))?;
        csv.into_inner().map_err(csv::IntoInnerError::into_error)
    }

    fn with_reason<'r>(&self, row: &'r ByteRecord, reason: &'r [u8]) -> Vec<&'r [u8]> {
        let mut cells: Vec<&[u8]> = row.iter().collect();
        let expected = self.headers.len();
        if cells.len() <= expected {
            cells.resize(expected, b"");
            if let Some(error) = self.table.error_column() {
                cells.remove(error);
            }
        }
        cells.push(reason);
        cells
    }
}

/// The cells of a record.
fn cells(text: &[u8], separator: u8) -> ByteRecord {
    // The crate would take a byte order mark away from the first cell, but not behind an empty line, which it skips.
    let text = io::Read::chain(&b"\n"[..], text);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .from_reader(text);
    let mut record = ByteRecord::new();
    // Reading from memory cannot fail, and nothing in a record of any number of cells is invalid.
    let _ = reader.read_byte_record(&mut record);
    record
}

fn unknown(invalid: &InvalidHeaders) -> Failure {
    let hint = "use --map HEADER=PATH or --ignore HEADER; the paths are the headers of an export";
    if invalid.0 == [HeaderProblem::Labels] {
        return Failure::usage(invalid.to_string());
    }
    let failure = Failure::usage("the headers do not fit the form");
    let problems = invalid.0.iter().map(ToString::to_string);
    problems
        .fold(failure, |failure, problem| failure.with_detail(&problem))
        .with_detail(hint)
}
