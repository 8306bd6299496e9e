//! The sheets of a workbook, and their rows.

use std::borrow::Cow;
use std::collections::HashSet;

use rust_xlsxwriter::{Format, Workbook, Worksheet, XlsxError};

use super::cells::Cell;

/// The maximum length of a text in a cell, in the UTF-16 code units that spreadsheet programs count.
const UNITS_OF_CELL: usize = 32_767;

/// The end of a text that was cut.
const CUT: &str = "…[cut]";

/// The maximum length of the name of a sheet, in UTF-16 code units.
const UNITS_OF_NAME: usize = 31;

/// Characters that the name of a sheet cannot have. The last two cannot be written in XML.
const FORBIDDEN: [char; 9] = ['[', ']', ':', '*', '?', '/', '\\', '\u{fffe}', '\u{ffff}'];

/// The name of the sheet that says what the workbook contains.
const ABOUT: &str = "About";

/// The name of a sheet that would have none.
const NAMELESS: &str = "Group";

/// The number of digits that spreadsheet programs keep.
const DIGITS: usize = 15;

/// The greatest number up to which every integer is a number of its own: 2^53.
const GREATEST: f64 = 9_007_199_254_740_992.0;

/// The sheets of a workbook. Their rows are in temporary files.
pub(super) struct Sheets {
    pub(super) workbook: Workbook,
    bold: Format,
    /// The names that are taken, in lower case.
    names: HashSet<String>,
    /// The maximum number of rows of a sheet, without the one of headers.
    rows_of_sheet: u32,
    /// The number of texts that were cut.
    pub(super) cut: u64,
}

/// A table, on as many sheets as it needs.
pub(super) struct Table {
    name: String,
    headers: Vec<String>,
    number_of_sheets: u32,
    /// The place of the last sheet among those of the workbook.
    last: usize,
    /// The number of rows on the last sheet, with the headers.
    filled: u32,
}

/// A row that is being written, cell by cell.
pub(super) struct Row<'s> {
    sheet: &'s mut Worksheet,
    number: u32,
    column: u16,
    cut: &'s mut u64,
}

impl Sheets {
    pub(super) fn new(rows_of_sheet: u32) -> Self {
        // Spreadsheet programs keep the second name for themselves.
        let reserved = [ABOUT, "History"];
        Self {
            workbook: Workbook::new(),
            bold: Format::new().set_bold(),
            names: reserved.map(str::to_lowercase).into(),
            rows_of_sheet,
            cut: 0,
        }
    }

    /// Begins a table, with a sheet that has its headers.
    pub(super) fn table<'h>(
        &mut self,
        name: &str,
        headers: impl Iterator<Item = &'h str>,
    ) -> Result<Table, XlsxError> {
        let mut table = Table {
            name: name.to_owned(),
            headers: headers.map(str::to_owned).collect(),
            number_of_sheets: 0,
            last: 0,
            filled: 0,
        };
        self.continue_table(&mut table)?;
        Ok(table)
    }

    fn continue_table(&mut self, table: &mut Table) -> Result<(), XlsxError> {
        table.number_of_sheets = table.number_of_sheets.saturating_add(1);
        table.last = self.workbook.worksheets().len();
        table.filled = 1;
        let name = self.free_name(&table.name, table.number_of_sheets);
        let sheet = self.workbook.add_worksheet_with_constant_memory()?;
        sheet.set_name(name)?;
        sheet.set_freeze_panes(1, 0)?;
        for (header, column) in table.headers.iter().zip(0..) {
            let (text, is_cut) = fitting(header);
            sheet.write_string_with_format(0, column, text, &self.bold)?;
            self.cut = self.cut.saturating_add(is_cut.into());
        }
        Ok(())
    }

    /// The next row of a table.
    pub(super) fn row(&mut self, table: &mut Table) -> Result<Row<'_>, XlsxError> {
        if table.filled > self.rows_of_sheet {
            self.continue_table(table)?;
        }
        let number = table.filled;
        table.filled = table.filled.saturating_add(1);
        Ok(Row {
            sheet: self.workbook.worksheet_from_index(table.last)?,
            number,
            column: 0,
            cut: &mut self.cut,
        })
    }

    /// Adds the sheet with pairs of name and value.
    pub(super) fn add_about(
        &mut self,
        facts: impl Iterator<Item = (&'static str, String)>,
    ) -> Result<(), XlsxError> {
        let about = self.workbook.add_worksheet_with_constant_memory()?;
        about.set_name(ABOUT)?;
        about.set_column_width(0, 20)?;
        for ((name, value), row) in facts.zip(0..) {
            about.write_string_with_format(row, 0, name, &self.bold)?;
            about.write_string(row, 1, fitting(&value).0)?;
        }
        Ok(())
    }

    /// A name for a sheet of a table that no other sheet has; upper and lower case make no difference.
    fn free_name(&mut self, wanted: &str, number: u32) -> String {
        let fits = |one: char| !one.is_control() && !FORBIDDEN.contains(&one);
        let allowed = wanted.chars().map(|one| if fits(one) { one } else { ' ' });
        let allowed: String = allowed.collect();
        let is_margin = |one: char| one == '\'' || one.is_whitespace();
        let name = Some(allowed.trim_matches(is_margin)).filter(|name| !name.is_empty());
        let mut number = number;
        loop {
            let ending = match number {
                ..2 => String::new(),
                number => format!(" {number}"),
            };
            let start = beginning(name.unwrap_or(NAMELESS), UNITS_OF_NAME - ending.len());
            let name = format!("{}{ending}", start.trim_end_matches(is_margin));
            if self.names.insert(name.to_lowercase()) {
                return name;
            }
            number = number.saturating_add(1);
        }
    }
}

impl Row<'_> {
    pub(super) fn text(&mut self, text: &str) -> Result<(), XlsxError> {
        let (text, is_cut) = fitting(text);
        self.sheet.write_string(self.number, self.column, text)?;
        *self.cut = self.cut.saturating_add(is_cut.into());
        self.column = self.column.saturating_add(1);
        Ok(())
    }

    pub(super) fn number(&mut self, number: &str) -> Result<(), XlsxError> {
        let Some(value) = kept(number) else {
            return self.text(number);
        };
        self.sheet.write_number(self.number, self.column, value)?;
        self.column = self.column.saturating_add(1);
        Ok(())
    }

    /// Writes the cells for values.
    pub(super) fn values(&mut self, cells: &[Cell<'_>]) -> Result<(), XlsxError> {
        cells.iter().try_for_each(|cell| match cell {
            Cell::Empty => self.text(""),
            Cell::Text(text) | Cell::Json(text) => self.text(text),
            Cell::Number(number) => self.number(number),
        })
    }
}

/// The text that fits a cell, and whether it was cut.
fn fitting(text: &str) -> (Cow<'_, str>, bool) {
    if beginning(text, UNITS_OF_CELL).len() == text.len() {
        return (Cow::Borrowed(text), false);
    }
    let units = CUT.encode_utf16().count();
    let start = beginning(text, UNITS_OF_CELL.saturating_sub(units));
    (Cow::Owned(format!("{start}{CUT}")), true)
}

/// The beginning of a text that has at most so many UTF-16 code units.
fn beginning(text: &str, most: usize) -> &str {
    // A text has at least as many bytes as UTF-16 code units.
    if text.len() <= most {
        return text;
    }
    let mut left = most;
    let mut letters = text.char_indices();
    let end = letters.find(|(_, letter)| match left.checked_sub(letter.len_utf16()) {
        Some(after) => {
            left = after;
            false
        }
        None => true,
    });
    end.and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// The value of a number that a spreadsheet program does not change.
fn kept(number: &str) -> Option<f64> {
    let digits = number.split(['e', 'E']).next().unwrap_or(number);
    let digits = digits.replace(['-', '.'], "");
    let digits = digits.trim_matches('0');
    let value: f64 = number.parse().ok()?;
    // A number other than zero that parses as zero or as a subnormal is too small for a cell, and cells have no negative zero.
    let is_kept = if digits.is_empty() {
        !number.starts_with('-')
    } else {
        digits.len() <= DIGITS && value.is_normal() && value.abs() <= GREATEST
    };
    is_kept.then_some(value)
}
