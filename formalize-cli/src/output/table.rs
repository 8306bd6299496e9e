//! Tables that are written page by page, in constant memory.

use std::borrow::Cow;
use std::io::{self, Write};

use comfy_table::{ColumnConstraint, Row, Table, Width, presets};

/// The number of spaces between two columns.
const GAP: u16 = 2;
/// The minimum width of a column that may be shortened; below it, columns are omitted instead.
const NARROWEST: u16 = 16;
/// The maximum width that is reserved for a column that must not be shortened. `group:` with an identifier fits.
const WIDEST_WHOLE: u16 = 44;

/// A column of a list.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) title: Cow<'static, str>,
    /// The content of the column: the name of a field, or another name that the record supports.
    pub(crate) field: Cow<'static, str>,
    pub(crate) fit: Fit,
}

/// How the cells of a column fit a terminal that is too narrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// Not shortened, so that identifiers can be copied.
    Whole,
    /// The end is cut off.
    CutEnd,
    /// The beginning is cut off, to distinguish names with the same beginning.
    CutStart,
    /// Continued on the next line.
    Wrap,
    /// Timestamps, shown to the minute.
    Date,
}

impl Column {
    pub(crate) const fn new(title: &'static str, field: &'static str, fit: Fit) -> Self {
        Self {
            title: Cow::Borrowed(title),
            field: Cow::Borrowed(field),
            fit,
        }
    }

    /// The displayed text of a cell.
    fn shown(&self, text: &str) -> String {
        match self.fit {
            Fit::Date => short_date(text),
            // In lists of actions, commas have no space after them.
            Fit::Wrap => text.replace(',', ", ").replace(",  ", ", "),
            _ => text.replace(['\n', '\t'], " "),
        }
    }

    /// The minimum width of the column.
    fn least(&self, natural: u16) -> u16 {
        match self.fit {
            Fit::Whole | Fit::Date => natural.min(WIDEST_WHOLE),
            Fit::CutEnd | Fit::CutStart | Fit::Wrap => natural.min(NARROWEST),
        }
    }
}

/// Shows `2026-11-21T08:00:00.000Z` as `2026-11-21 08:00`, and any other text unchanged.
fn short_date(text: &str) -> String {
    match text.split_at_checked(16) {
        Some((minute, rest)) if rest.ends_with('Z') => minute.replace('T', " "),
        _ => text.to_owned(),
    }
}

/// The rows of a list. The first page determines the visible columns and their widths.
pub(super) struct Layout {
    /// The width of the terminal; `None` is unlimited.
    limit: Option<u16>,
    columns: Vec<Column>,
    /// Empty before the first page.
    widths: Vec<u16>,
}

impl Layout {
    pub(super) fn new(limit: Option<u16>, columns: Vec<Column>) -> Self {
        Self {
            limit,
            columns,
            widths: Vec::new(),
        }
    }

    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Writes a page of rows; the first page starts with the titles. On a terminal, columns are shortened to fit, and
    /// the last ones omitted if that is not enough. Otherwise columns grow with their content.
    pub(super) fn write(&mut self, to: &mut impl Write, rows: &[Vec<String>]) -> io::Result<()> {
        let mut page: Vec<Vec<String>> = Vec::with_capacity(rows.len() + 1);
        if self.widths.is_empty() {
            let titles = self.columns.iter().map(|column| column.title.to_string());
            page.push(titles.collect());
        }
        page.extend(rows.iter().map(|row| {
            let cells = self.columns.iter().zip(row);
            cells.map(|(column, text)| column.shown(text)).collect()
        }));
        if page.is_empty() {
            return Ok(());
        }
        self.arrange(&table(page.clone()).column_max_content_widths());
        let lines = if self.columns.iter().any(|column| column.fit == Fit::Wrap) {
            usize::MAX
        } else {
            1
        };
        let rows = page.into_iter().map(|mut cells| {
            cells.truncate(self.columns.len());
            for (cell, (column, width)) in
                cells.iter_mut().zip(self.columns.iter().zip(&self.widths))
            {
                if column.fit == Fit::CutStart {
                    cut_start(cell, usize::from(*width));
                }
            }
            let mut row = Row::from(cells);
            row.max_height(lines);
            row
        });
        write(to, table(rows), &self.widths)
    }

    fn arrange(&mut self, natural: &[u16]) {
        let Some(limit) = self.limit else {
            self.widths.resize(natural.len(), 1);
            grow(&mut self.widths, natural);
            return;
        };
        if self.widths.is_empty() {
            let least = self.columns.iter().zip(natural);
            let least: Vec<u16> = least.map(|(column, width)| column.least(*width)).collect();
            self.widths = fitted(natural, &least, limit);
            self.columns.truncate(self.widths.len());
            return;
        }
        // Columns that must not be shortened stay complete on later pages, even if lines become too long.
        let natural = self.columns.iter().zip(natural);
        let whole: Vec<u16> = natural
            .map(|(column, width)| match column.fit {
                Fit::Whole => column.least(*width),
                _ => 0,
            })
            .collect();
        grow(&mut self.widths, &whole);
    }
}

/// Writes the names and the values of a record's fields in two columns. Long values continue on the next line.
pub(super) fn write_fields(
    to: &mut impl Write,
    limit: Option<u16>,
    fields: Vec<Vec<String>>,
) -> io::Result<()> {
    let table = table(fields);
    let mut widths = table.column_max_content_widths();
    if let (Some(limit), [names, value]) = (limit, widths.as_mut_slice()) {
        let room = limit.saturating_sub(*names).saturating_sub(GAP);
        *value = (*value).min(room.max(WIDEST_WHOLE));
    }
    write(to, table, &widths)
}

fn table<R: Into<Row>>(rows: impl IntoIterator<Item = R>) -> Table {
    let mut table = Table::new();
    // No borders, so that tools can split lines into words.
    table.load_style(presets::NOTHING).force_no_tty();
    for row in rows {
        table.add_row(row);
    }
    table
}

fn write(to: &mut impl Write, mut table: Table, widths: &[u16]) -> io::Result<()> {
    let last = widths.len().saturating_sub(1);
    for (position, (column, width)) in table.column_iter_mut().zip(widths).enumerate() {
        let gap = if position == last { 0 } else { GAP };
        column.set_padding((0, gap));
        column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(width + gap)));
    }
    writeln!(to, "{}", table.trim_fmt())
}

fn grow(widths: &mut [u16], to: &[u16]) {
    for (width, to) in widths.iter_mut().zip(to) {
        *width = (*width).max(*to);
    }
}

/// Cuts off the beginning of a text that is longer than `width`. It is meant for classes, which are mostly ASCII.
fn cut_start(text: &mut String, width: usize) {
    let length = text.chars().count();
    if length > width {
        let kept = text.chars().skip(length - width.saturating_sub(1));
        *text = std::iter::once('…').chain(kept).collect();
    }
}

/// The widths of the visible columns: omits the last columns until the others fit at their minimum widths, then narrows
/// the widest ones until the table fits.
fn fitted(natural: &[u16], least: &[u16], limit: u16) -> Vec<u16> {
    let needs = |widths: &[u16]| {
        let gaps = widths.len().saturating_sub(1) * usize::from(GAP);
        widths.iter().copied().map(usize::from).sum::<usize>() + gaps
    };
    let shown = (1..=least.len())
        .rev()
        .find(|shown| {
            *shown == 1 || needs(least.get(..*shown).unwrap_or(least)) <= usize::from(limit)
        })
        .unwrap_or_default();
    let mut widths: Vec<u16> = natural.iter().copied().take(shown).collect();
    while needs(&widths) > usize::from(limit) {
        let widest = widths
            .iter_mut()
            .zip(least)
            .filter(|(width, least)| **width > **least)
            .max_by_key(|(width, _)| **width);
        match widest {
            Some((width, _)) => *width -= 1,
            None => break,
        }
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b";

    fn columns() -> Vec<Column> {
        vec![
            Column::new("identifier", "identifier", Fit::Whole),
            Column::new("name", "name", Fit::CutEnd),
            Column::new("created", "dateCreated", Fit::Date),
            Column::new("class", "resourceClass", Fit::CutStart),
        ]
    }

    fn printed(limit: Option<u16>, columns: Vec<Column>, pages: &[&[&[&str]]]) -> String {
        let mut layout = Layout::new(limit, columns);
        let mut text = Vec::new();
        for page in pages {
            let row = |row: &&[&str]| row.iter().map(ToString::to_string).collect();
            let rows: Vec<Vec<String>> = page.iter().map(row).collect();
            layout.write(&mut text, &rows).unwrap();
        }
        String::from_utf8(text).unwrap()
    }

    const LONG: &[&str] = &[
        ID,
        "A name that is longer than all others",
        "2026-11-21T08:00:00.000Z",
        "DbpRelayFormalizeSubmissionCollection",
    ];
    const SHORT: &[&str] = &[ID, "Office", "2026-11-21T08:00:00.000Z", "VendorThing"];

    #[test]
    fn without_a_terminal_every_row_is_one_line() {
        let long = "word\n".repeat(5_000);
        let row: &[&str] = &[ID, &long, "", ""];
        let text = printed(None, columns(), &[&[row], &[SHORT]]);
        assert_eq!(text.lines().count(), 3);
    }

    #[test]
    fn columns_are_shortened_and_omitted_to_fit_the_terminal() {
        assert_eq!(
            printed(Some(100), columns(), &[&[SHORT, LONG]]),
            "identifier                            name                   created           class
0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b  Office                 2026-11-21 08:00  VendorThing
0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b  A name that is longe…  2026-11-21 08:00  …SubmissionCollection
"
        );
        assert_eq!(
            printed(Some(80), columns(), &[&[SHORT, LONG]]),
            "identifier                            name                      created
0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b  Office                    2026-11-21 08:00
0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b  A name that is longer…    2026-11-21 08:00
"
        );
        let narrow = printed(Some(20), columns(), &[&[SHORT, LONG]]);
        assert_eq!(narrow, format!("identifier\n{ID}\n{ID}\n"));
    }

    #[test]
    fn later_pages_have_the_same_columns() {
        let text = printed(Some(80), columns(), &[&[SHORT], &[LONG]]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2].find("A nam"), lines[0].find("name"), "{text}");
        assert!(lines[2].contains("A nam…"), "{text}");
    }

    #[test]
    fn wrapped_cells_are_complete() {
        let columns = vec![
            Column::new("class", "class", Fit::Whole),
            Column::new("actions", "actions", Fit::Wrap),
        ];
        let row: &[&str] = &["VendorThing", "read,update,delete,publish"];
        assert_eq!(
            printed(Some(32), columns, &[&[row]]),
            "class        actions\nVendorThing  read, update,\n             delete, publish\n"
        );
    }

    #[test]
    fn timestamps_are_shown_to_the_minute() {
        assert_eq!(short_date("2026-11-21T08:00:59.999Z"), "2026-11-21 08:00");
        for text in ["", "soon", "2026-11-21"] {
            assert_eq!(short_date(text), text);
        }
    }

    #[test]
    fn columns_are_omitted_before_identifiers_are_cut() {
        assert_eq!(fitted(&[36, 9, 4], &[36, 9, 4], 80), [36, 9, 4]);
        assert_eq!(fitted(&[36, 9, 30], &[36, 9, 16], 70), [36, 9, 21]);
        assert_eq!(fitted(&[36, 9, 30], &[36, 9, 16], 60), [36, 9]);
        assert_eq!(fitted(&[36, 9, 30], &[36, 9, 16], 5), [36]);
    }

    #[test]
    fn long_values_continue_on_the_next_line() {
        let mut text = Vec::new();
        let fields = [
            ["identifier", ID],
            ["name", "A name that takes more room than there is"],
        ];
        let fields = fields.map(|row| row.map(ToOwned::to_owned).to_vec());
        write_fields(&mut text, Some(40), fields.to_vec()).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.starts_with(&format!("identifier  {ID}\n")), "{text}");
        assert_eq!(text.lines().count(), 2, "{text}");
    }
}
