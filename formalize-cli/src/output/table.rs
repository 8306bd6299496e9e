//! Tables that are written page by page, in constant memory.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};

use clap::builder::styling::Style;
use comfy_table::{ColumnConstraint, Row, Table, Width, presets};

/// The number of spaces between two columns.
const GAP: u16 = 2;
/// The minimum width of a column that may be shortened; below it, columns are omitted instead.
const NARROWEST: u16 = 9;
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
    /// Neither shortened nor omitted: what names the record in the next command.
    Key,
    /// Not shortened.
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
            Fit::Key => natural,
            Fit::Whole | Fit::Date => natural.min(WIDEST_WHOLE),
            Fit::CutEnd | Fit::CutStart | Fit::Wrap => natural.min(NARROWEST),
        }
    }
}

/// Whether a cell shows nothing that people look for. An object without members is written as such.
fn is_nothing(cell: &str) -> bool {
    matches!(cell, "" | "{}")
}

/// Shows `2026-11-21T08:00:00.000Z` as `2026-11-21 08:00`, and any other text unchanged.
pub(crate) fn short_date(text: &str) -> String {
    match text.split_at_checked(16) {
        Some((minute, rest)) if rest.ends_with('Z') => minute.replace('T', " "),
        _ => text.to_owned(),
    }
}

/// The rows of a list. The first page determines the visible columns and their widths.
pub(super) struct Layout {
    /// The width of the terminal; `None` is unlimited.
    limit: Option<u16>,
    /// How titles look.
    titles: Style,
    columns: Vec<Column>,
    /// The columns that have had a value. The others are not shown.
    filled: Vec<bool>,
    /// The visible columns, by their places. Empty before the first page.
    visible: Vec<usize>,
    /// The widths of the visible columns.
    widths: Vec<u16>,
    /// The columns that have values and did not fit.
    left_out: BTreeSet<usize>,
    /// The columns with cells that were cut.
    cut: BTreeSet<usize>,
}

impl Layout {
    pub(super) fn new(limit: Option<u16>, titles: Style, columns: Vec<Column>) -> Self {
        Self {
            limit,
            titles,
            filled: vec![false; columns.len()],
            columns,
            visible: Vec::new(),
            widths: Vec::new(),
            left_out: BTreeSet::new(),
            cut: BTreeSet::new(),
        }
    }

    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Writes a page of rows with a cell for each column; the first page starts with the titles. Columns without any value
    /// are not shown; if a later page has a value in one, it starts with titles again. On a terminal, columns are
    /// shortened to fit, and the last ones omitted if that is not enough. Otherwise columns grow with their content.
    pub(super) fn write(&mut self, to: &mut impl Write, rows: &[Vec<String>]) -> io::Result<()> {
        let rows: Vec<Vec<String>> = rows
            .iter()
            .map(|row| {
                let cells = self.columns.iter().zip(row);
                cells.map(|(column, text)| column.shown(text)).collect()
            })
            .collect();
        let is_new = self.note_filled(&rows) || self.visible.is_empty();
        if rows.is_empty() && !is_new {
            return Ok(());
        }
        if is_new {
            self.begin(&rows);
        } else {
            self.widen(&rows);
        }
        if is_new {
            let titles = self.columns.iter();
            let titles = titles.map(|column| column.title.to_string()).collect();
            let mut titles = self.row(titles);
            titles.max_height(1);
            let mut line = Vec::new();
            write(&mut line, table([titles]), &self.widths)?;
            let line = String::from_utf8_lossy(&line);
            let (style, line) = (self.titles, line.trim_end());
            writeln!(to, "{style}{line}{style:#}")?;
        }
        if rows.is_empty() {
            return Ok(());
        }
        let rows: Vec<Row> = rows.into_iter().map(|cells| self.row(cells)).collect();
        write(to, table(rows), &self.widths)
    }

    /// Notes the columns with values. Returns whether one has its first value, but is not shown.
    fn note_filled(&mut self, rows: &[Vec<String>]) -> bool {
        let mut is_new = false;
        for (at, filled) in self.filled.iter_mut().enumerate() {
            let has_value = rows
                .iter()
                .any(|row| row.get(at).is_some_and(|cell| !is_nothing(cell)));
            is_new |= has_value && !*filled;
            *filled |= has_value;
        }
        is_new
    }

    /// Chooses the visible columns. A list without records shows all titles.
    fn begin(&mut self, rows: &[Vec<String>]) {
        let is_empty = !self.filled.contains(&true);
        let shown: Vec<usize> = (0..self.columns.len())
            .filter(|at| is_empty || self.filled.get(*at) == Some(&true))
            .collect();
        self.visible.clone_from(&shown);
        let natural = self.natural(rows, true);
        self.widths = match self.limit {
            None => natural,
            Some(limit) => {
                let columns: Vec<&Column> = self.columns_of(&shown).collect();
                let fitted = fitted(&columns, &natural, limit);
                let at = |index: &usize| shown.get(*index).copied();
                self.visible = fitted.iter().filter_map(|(index, _)| at(index)).collect();
                fitted.into_iter().map(|(_, width)| width).collect()
            }
        };
        let hidden = shown.iter().filter(|at| !self.visible.contains(at));
        self.left_out.extend(hidden.filter(|_| !is_empty));
    }

    /// Makes room for a later page. Without a terminal, columns grow with their content. On one, those that must not be
    /// shortened stay complete, even if lines become too long.
    fn widen(&mut self, rows: &[Vec<String>]) {
        let natural = self.natural(rows, false);
        let needed: Vec<u16> = self
            .columns_of(&self.visible)
            .zip(natural)
            .map(|(column, width)| match column.fit {
                _ if self.limit.is_none() => width,
                Fit::Key | Fit::Whole => column.least(width),
                _ => 0,
            })
            .collect();
        grow(&mut self.widths, &needed);
    }

    /// The widths of the visible columns that show everything.
    fn natural(&self, rows: &[Vec<String>], with_titles: bool) -> Vec<u16> {
        let cells = |row: &Vec<String>| -> Vec<String> {
            let cells = self.visible.iter().map(|at| row.get(*at).cloned());
            cells.map(Option::unwrap_or_default).collect()
        };
        let mut page: Vec<Vec<String>> = rows.iter().map(cells).collect();
        if with_titles {
            let titles = self.columns_of(&self.visible);
            page.push(titles.map(|column| column.title.to_string()).collect());
        }
        table(page).column_max_content_widths()
    }

    fn columns_of(&self, places: &[usize]) -> impl Iterator<Item = &Column> {
        places.iter().filter_map(|at| self.columns.get(*at))
    }

    /// The visible cells of a row.
    fn row(&mut self, mut cells: Vec<String>) -> Row {
        let mut shown = Vec::with_capacity(self.visible.len());
        let mut wraps = false;
        for (at, width) in self.visible.iter().zip(&self.widths) {
            let mut cell = cells.get_mut(*at).map(std::mem::take).unwrap_or_default();
            let fit = self.columns.get(*at).map(|column| column.fit);
            wraps |= fit == Some(Fit::Wrap);
            if fit != Some(Fit::Wrap) && cell.chars().count() > usize::from(*width) {
                self.cut.insert(*at);
            }
            if fit == Some(Fit::CutStart) {
                cut_start(&mut cell, usize::from(*width));
            }
            shown.push(cell);
        }
        let mut row = Row::from(shown);
        row.max_height(if wraps { usize::MAX } else { 1 });
        row
    }

    /// What the terminal was too narrow for, in a sentence.
    pub(super) fn remark(&self) -> Option<String> {
        let titles = |places: &BTreeSet<usize>| {
            let titles = places.iter().filter_map(|at| self.columns.get(*at));
            let titles: Vec<&str> = titles.map(|column| &*column.title).collect();
            titles.join(", ")
        };
        let parts = [("left out", &self.left_out), ("shortened", &self.cut)];
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|(_, places)| !places.is_empty())
            .map(|(what, places)| format!("{what}: {}", titles(places)))
            .collect();
        let why = "the terminal is too narrow";
        let parts = parts.join("; ");
        (!parts.is_empty()).then(|| format!("note: {why}; {parts}; -o wide shows everything"))
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

/// The visible columns and their widths: omits the last columns, but no keys, until the others fit at their minimum widths,
/// then narrows the widest ones until the table fits.
fn fitted(columns: &[&Column], natural: &[u16], limit: u16) -> Vec<(usize, u16)> {
    let limit = usize::from(limit);
    let needs = |widths: &mut dyn Iterator<Item = u16>| {
        let (mut count, mut sum) = (0_usize, 0_usize);
        for width in widths {
            count += 1;
            sum += usize::from(width);
        }
        sum + count.saturating_sub(1) * usize::from(GAP)
    };
    // The place, width and minimum width of each column that is left.
    let mut left: Vec<(usize, u16, u16)> = columns
        .iter()
        .zip(natural)
        .enumerate()
        .map(|(at, (column, width))| (at, *width, column.least(*width)))
        .collect();
    let is_key = |at: usize| columns.get(at).is_some_and(|column| column.fit == Fit::Key);
    while needs(&mut left.iter().map(|(_, _, least)| *least)) > limit && left.len() > 1 {
        let Some(last) = left.iter().rposition(|(at, ..)| !is_key(*at)) else {
            break;
        };
        left.remove(last);
    }
    while needs(&mut left.iter().map(|(_, width, _)| *width)) > limit {
        let widest = left
            .iter_mut()
            .filter(|(_, width, least)| width > least)
            .max_by_key(|(_, width, _)| *width);
        match widest {
            Some((_, width, _)) => *width -= 1,
            None => break,
        }
    }
    left.into_iter().map(|(at, width, _)| (at, width)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b";

    fn columns() -> Vec<Column> {
        vec![
            Column::new("identifier", "identifier", Fit::Key),
            Column::new("name", "name", Fit::CutEnd),
            Column::new("created", "dateCreated", Fit::Date),
            Column::new("class", "resourceClass", Fit::CutStart),
        ]
    }

    fn printed(limit: Option<u16>, columns: Vec<Column>, pages: &[&[&[&str]]]) -> String {
        let mut layout = Layout::new(limit, Style::new(), columns);
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
        let row: &[&str] = &[ID, &long, "2026-11-21T08:00:00.000Z", "VendorThing"];
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
            "identifier                            name         created           class
0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b  Office       2026-11-21 08:00  VendorThing
0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b  A name tha…  2026-11-21 08:00  …Collection
"
        );
        let narrow = printed(Some(20), columns(), &[&[SHORT, LONG]]);
        assert_eq!(narrow, format!("identifier\n{ID}\n{ID}\n"));
    }

    #[test]
    fn titles_are_one_line() {
        let columns = vec![
            Column::new("a title of 21 letters", "a", Fit::CutEnd),
            Column::new("b", "b", Fit::Wrap),
        ];
        let row: &[&str] = &["one", "a value of many words"];
        let text = printed(Some(32), columns, &[&[row]]);
        assert!(text.starts_with("a title of"), "{text}");
        assert!(text.lines().nth(1).unwrap().starts_with("one "), "{text}");
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
    fn columns_are_omitted_before_keys_and_before_identifiers_are_cut() {
        let [key, cut, whole] =
            [Fit::Key, Fit::CutEnd, Fit::Whole].map(|fit| Column::new("", "", fit));
        let widths = |columns: &[&Column], natural: &[u16], limit| fitted(columns, natural, limit);
        let first = [&key, &whole, &cut];
        assert_eq!(widths(&first, &[36, 9, 4], 80), [(0, 36), (1, 9), (2, 4)]);
        assert_eq!(widths(&first, &[36, 9, 30], 70), [(0, 36), (1, 9), (2, 21)]);
        assert_eq!(widths(&first, &[36, 9, 30], 55), [(0, 36), (1, 9)]);
        assert_eq!(widths(&first, &[36, 9, 30], 5), [(0, 36)]);
        let last = [&whole, &cut, &key];
        assert_eq!(widths(&last, &[40, 30, 36], 78), [(0, 40), (2, 36)]);
        assert_eq!(widths(&last, &[40, 30, 36], 40), [(2, 36)]);
    }

    #[test]
    fn a_column_without_values_is_not_shown_until_it_has_one() {
        let none: &[&str] = &[ID, "Office", "", ""];
        assert_eq!(
            printed(None, columns(), &[&[none], &[none], &[SHORT]]),
            format!(
                "identifier{gap}name\n{ID}  Office\n{ID}  Office\n\
                 identifier{gap}name    created           class\n\
                 {ID}  Office  2026-11-21 08:00  VendorThing\n",
                gap = " ".repeat(28)
            )
        );
        let titles = printed(None, columns(), &[&[]]);
        assert_eq!(titles, "identifier  name  created  class\n");
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let remark = |limit| {
            let mut layout = Layout::new(Some(limit), Style::new(), columns());
            let row: Vec<String> = LONG.iter().map(ToString::to_string).collect();
            layout.write(&mut Vec::new(), &[row]).unwrap();
            layout.remark()
        };
        assert_eq!(remark(200), None);
        let said = remark(70).unwrap();
        assert!(
            said.contains("; left out: class; shortened: name; "),
            "{said}"
        );
    }

    #[test]
    fn titles_have_a_style() {
        let mut layout = Layout::new(None, Style::new().bold(), columns());
        let mut text = Vec::new();
        layout.write(&mut text, &[]).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text, "\u{1b}[1midentifier  name  created  class\u{1b}[0m\n");
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
