//! Writes data to standard output in the requested format.

use std::borrow::Cow;
use std::env;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::marker::PhantomData;

use clap::builder::Styles;
use clap::builder::styling::Style;
use formalize_core::export::Guard;
use formalize_views::field_names;
use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use self::table::Layout;

mod file;
mod table;

pub(crate) use self::file::{OutputFile, for_terminal};
pub(crate) use self::table::{Column, Fit, short_date};

/// Output formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Aligned columns: the most important fields of a list, all fields of a single record.
    Table,
    /// Like table, with more columns, and lines as long as they need to be.
    Wide,
    /// One JSON document; a list is an array.
    Json,
    /// One JSON document per line and record.
    Ndjson,
    /// Comma-separated values with a header line; lists within a field are separated by commas.
    Csv,
}

/// A record to print, with the field names of the REST interface.
pub(crate) trait Record: Serialize {
    /// The columns of a table, the most important first: if they do not fit, the last ones are omitted.
    const COLUMNS: &'static [Column];
    /// More columns, for wide tables.
    const MORE_COLUMNS: &'static [Column] = &[];
    /// Every field, in order, as it is declared.
    const FIELDS: &'static [&'static str];
    /// Fields that are not printed.
    const OMITTED: &'static [&'static str] = &[];

    /// The names of the fields that are printed.
    fn fields() -> Vec<String> {
        let names = field_names(Self::FIELDS);
        names
            .filter(|name| !Self::OMITTED.contains(&name.as_str()))
            .collect()
    }

    /// The text of a field, for tables and CSV.
    fn cell(value: &Value) -> String {
        cell(value)
    }

    /// The text of a column for a record with these fields.
    fn shown(&self, column: &Column, fields: &Map<String, Value>) -> String {
        let value = fields.get(&*column.field);
        value.map(Self::cell).unwrap_or_default()
    }
}

/// Writes records to `W`.
pub(crate) struct Printer<W: Write = Box<dyn Write>> {
    format: Format,
    /// The width of the terminal, if there is one.
    width: Option<u16>,
    /// How titles of tables look.
    titles: Style,
    to: W,
}

impl Printer {
    /// Writes to standard output. If it is a terminal, tables fit its width.
    pub(crate) fn on_standard_output(format: Format) -> Self {
        let to: Box<dyn Write> = Box::new(BufWriter::new(io::stdout()));
        let stdout = io::stdout();
        let titles = if has_styles(&stdout) {
            *Styles::styled().get_header()
        } else {
            Style::new()
        };
        // Without a terminal the width is `None`.
        let width = comfy_table::Table::new().width();
        Self {
            width: width.filter(|_| format != Format::Wide),
            titles,
            ..Self::new(format, to)
        }
    }
}

impl<W: Write> Printer<W> {
    pub(crate) fn new(format: Format, to: W) -> Self {
        Self {
            format,
            width: None,
            titles: Style::new(),
            to,
        }
    }

    /// Whether lists are printed as tables.
    pub(crate) fn is_table(&self) -> bool {
        matches!(self.format, Format::Table | Format::Wide)
    }

    /// Whether tables have all columns.
    pub(crate) fn is_wide(&self) -> bool {
        self.format == Format::Wide
    }

    /// The columns of a table of these records.
    pub(crate) fn columns<R: Record>(&self) -> Vec<Column> {
        let more = if self.is_wide() { R::MORE_COLUMNS } else { &[] };
        [R::COLUMNS, more].concat()
    }

    /// Whether records are printed as JSON.
    pub(crate) fn is_json(&self) -> bool {
        matches!(self.format, Format::Json | Format::Ndjson)
    }

    /// Writes a line that is the whole output in every format.
    pub(crate) fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.to, "{text}")?;
        self.to.flush()
    }

    /// Writes a document that is not a record: indented as JSON, on one line as NDJSON.
    pub(crate) fn json(&mut self, document: &impl Serialize) -> io::Result<()> {
        let text = match self.format {
            Format::Ndjson => serde_json::to_string(document)?,
            _ => serde_json::to_string_pretty(document)?,
        };
        self.line(&text)
    }

    /// Writes a single record.
    pub(crate) fn item<R: Record>(&mut self, record: &R) -> io::Result<()> {
        match self.format {
            Format::Table | Format::Wide => self.fields(record),
            Format::Json => self.json(record),
            Format::Ndjson | Format::Csv => {
                let mut list = self.list::<R>()?;
                list.page(std::slice::from_ref(record))?;
                list.end()
            }
        }
    }

    /// Writes every field on a separate line.
    fn fields<R: Record>(&mut self, record: &R) -> io::Result<()> {
        let values = members(record)?;
        let rows: Vec<Vec<String>> = R::fields()
            .into_iter()
            .map(|field| {
                let text = values.get(&field).map(R::cell).unwrap_or_default();
                let value = plain(text.trim_end_matches('\n')).into_owned();
                vec![field, value]
            })
            .collect();
        table::write_fields(&mut self.to, self.width, rows)?;
        self.to.flush()
    }

    /// Writes a whole list.
    pub(crate) fn all<R: Record>(&mut self, records: impl Iterator<Item = R>) -> io::Result<()> {
        let mut list = self.list()?;
        list.page(&records.collect::<Vec<R>>())?;
        list.end()
    }

    /// Begins a list; its records are added page by page.
    pub(crate) fn list<R: Record>(&mut self) -> io::Result<List<'_, R, W>> {
        self.list_of(self.columns::<R>())
    }

    /// Begins a list whose table has these columns.
    pub(crate) fn list_of<R: Record>(
        &mut self,
        columns: Vec<Column>,
    ) -> io::Result<List<'_, R, W>> {
        match self.format {
            Format::Json => write!(self.to, "[")?,
            Format::Table | Format::Wide | Format::Ndjson => {}
            Format::Csv => csv::Writer::from_writer(&mut self.to).write_record(R::fields())?,
        }
        Ok(List {
            layout: Layout::new(self.width, self.titles, columns),
            printer: self,
            is_empty: true,
            record: PhantomData,
        })
    }
}

/// A list that is being written, in constant memory.
#[must_use]
pub(crate) struct List<'a, R, W: Write = Box<dyn Write>> {
    printer: &'a mut Printer<W>,
    layout: Layout,
    /// Whether nothing has been written yet, not even the titles of a table.
    is_empty: bool,
    record: PhantomData<R>,
}

impl<R: Record, W: Write> List<'_, R, W> {
    /// Writes more records.
    pub(crate) fn page(&mut self, records: &[R]) -> io::Result<()> {
        let to = &mut self.printer.to;
        match self.printer.format {
            Format::Table | Format::Wide => {
                let mut rows = Vec::with_capacity(records.len());
                for record in records {
                    let fields = members(record)?;
                    let columns = self.layout.columns().iter();
                    let texts = columns.map(|column| {
                        let text = record.shown(column, &fields);
                        plain(&text).into_owned()
                    });
                    rows.push(texts.collect());
                }
                self.layout.write(to, &rows)?;
                self.is_empty = false;
            }
            Format::Json => {
                for record in records {
                    let separator = if self.is_empty { "\n  " } else { ",\n  " };
                    write!(to, "{separator}{}", serde_json::to_string(record)?)?;
                    self.is_empty = false;
                }
            }
            Format::Ndjson => {
                for record in records {
                    writeln!(to, "{}", serde_json::to_string(record)?)?;
                }
            }
            Format::Csv => {
                let mut lines = csv::Writer::from_writer(&mut *to);
                for record in records {
                    lines.write_record(cells(record)?)?;
                }
                lines.flush()?;
            }
        }
        to.flush()
    }

    /// Ends the list. A table without records is this sentence, without titles.
    pub(crate) fn end_or(self, nothing: &str) -> io::Result<()> {
        if self.is_empty && self.printer.is_table() {
            return self.printer.line(nothing);
        }
        self.end()
    }

    /// Ends the list, and says on standard error what the terminal was too narrow for.
    pub(crate) fn end(mut self) -> io::Result<()> {
        if let Some(remark) = self.layout.remark() {
            self.printer.to.flush()?;
            // Nothing can be said on a closed standard error.
            let _ = writeln!(io::stderr(), "{remark}");
        }
        match self.printer.format {
            Format::Table | Format::Wide if self.is_empty => self.page(&[]),
            Format::Json if self.is_empty => self.printer.line("]"),
            Format::Json => self.printer.line("\n]"),
            _ => self.printer.to.flush(),
        }
    }
}

/// Whether texts on this output may have colours and other styles, as those of clap have: on terminals, unless `NO_COLOR` is
/// set.
pub(crate) fn has_styles(output: &impl IsTerminal) -> bool {
    let is_refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_dumb = env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    output.is_terminal() && !is_refused && !is_dumb
}

fn members(record: &impl Serialize) -> io::Result<Map<String, Value>> {
    match serde_json::to_value(record)? {
        Value::Object(members) => Ok(members),
        other => Err(io::Error::other(format!(
            "a record must be an object, not {other}"
        ))),
    }
}

fn cells<R: Record>(record: &R) -> io::Result<Vec<String>> {
    let members = members(record)?;
    let fields = R::fields().into_iter();
    let texts = fields.map(|field| {
        let value = members.get(&field)?;
        let text = R::cell(value);
        // A negative number begins with a minus sign, but is not a formula.
        Some(if value.is_number() {
            text
        } else {
            inert(&text)
        })
    });
    Ok(texts.map(Option::unwrap_or_default).collect())
}

/// A text that spreadsheets do not evaluate as a formula, as in exports. Users choose names; `=HYPERLINK(...)` as the name of a
/// form must not run when an administrator opens the list. JSON keeps its value.
fn inert(text: &str) -> String {
    if text.starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(text).is_ok() {
        return Guard::On.escape(text).into_owned();
    }
    let guarded = Guard::On.apply(text);
    if guarded.starts_with(char::is_control) {
        format!("'{guarded}")
    } else {
        guarded.into_owned()
    }
}

/// The text of a value; strings are not quoted.
pub(crate) fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(","),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}

/// Whether a character changes the direction of the text around it, which can make one name look like another.
fn is_bidirectional_control(character: char) -> bool {
    matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

/// A text that is safe to print on a terminal: bidirectional controls, and control characters other than line breaks and
/// tabs, are escaped.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    let acts = |character: char| {
        let is_control = character.is_control() && !matches!(character, '\n' | '\t');
        is_control || is_bidirectional_control(character)
    };
    if !text.chars().any(acts) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if acts(character) {
            escaped.extend(character.escape_unicode());
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Sample {
        name: &'static str,
        tags: Vec<&'static str>,
        note: Option<&'static str>,
    }

    impl Record for Sample {
        const COLUMNS: &'static [Column] = &[
            Column::new("name", "name", Fit::Whole),
            Column::new("note", "note", Fit::CutEnd),
        ];

        const FIELDS: &'static [&'static str] = &["name", "tags", "note"];
    }

    const FIRST: Sample = Sample {
        name: "a, b",
        tags: Vec::new(),
        note: Some("\u{1b}[1mbold"),
    };

    fn second() -> Sample {
        Sample {
            name: "wide \"name\"",
            tags: vec!["x", "y"],
            note: None,
        }
    }

    fn printed(format: Format, print: impl FnOnce(&mut Printer<Vec<u8>>)) -> String {
        let mut printer = Printer::new(format, Vec::new());
        print(&mut printer);
        String::from_utf8(printer.to).unwrap()
    }

    /// Prints a list in two pages, which shows what is written between pages.
    fn listed(format: Format) -> String {
        printed(format, |printer| {
            let mut list = printer.list().unwrap();
            list.page(&[FIRST]).unwrap();
            list.page(&[second()]).unwrap();
            list.end().unwrap();
        })
    }

    #[test]
    fn a_table_shows_its_columns_and_escapes_control_characters() {
        assert_eq!(
            listed(Format::Table),
            // The second page is wider than the first.
            "name  note\na, b  \\u{1b}[1mbold\nwide \"name\"\n"
        );
    }

    #[test]
    fn pages_are_written_immediately() {
        for format in [
            Format::Table,
            Format::Wide,
            Format::Json,
            Format::Ndjson,
            Format::Csv,
        ] {
            let mut printer = Printer::new(format, Vec::new());
            let mut list = printer.list().unwrap();
            list.page(&[FIRST]).unwrap();
            let written = String::from_utf8_lossy(&list.printer.to).into_owned();
            assert!(written.contains("a, b"), "{format:?}: {written}");
        }
    }

    #[test]
    fn json_is_one_array() {
        let text = listed(Format::Json);
        let parsed: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(parsed[0]["note"], "\u{1b}[1mbold");
        assert_eq!(parsed[1]["tags"], serde_json::json!(["x", "y"]));
        assert_eq!(text.lines().count(), 4);
    }

    #[test]
    fn ndjson_has_a_line_for_each_record() {
        let text = listed(Format::Ndjson);
        assert_eq!(text.lines().count(), 2);
        assert_eq!(
            text.lines().last().unwrap(),
            r#"{"name":"wide \"name\"","tags":["x","y"],"note":null}"#
        );
    }

    #[test]
    fn csv_has_every_field_and_quotes() {
        assert_eq!(
            listed(Format::Csv),
            "name,tags,note\n\"a, b\",,'\u{1b}[1mbold\n\"wide \"\"name\"\"\",\"x,y\",\n"
        );
    }

    #[test]
    fn an_empty_list_is_a_valid_document() {
        let empty = |format| {
            printed(format, |printer| {
                printer.list::<Sample>().unwrap().end().unwrap();
            })
        };
        assert_eq!(empty(Format::Table), "name  note\n");
        assert_eq!(empty(Format::Json), "[]\n");
        assert_eq!(empty(Format::Ndjson), "");
        assert_eq!(empty(Format::Csv), "name,tags,note\n");
    }

    #[test]
    fn a_single_record_shows_every_field() {
        let shown = |format| printed(format, |printer| printer.item(&second()).unwrap());
        assert_eq!(
            shown(Format::Table),
            "name  wide \"name\"\ntags  x,y\nnote\n"
        );
        assert!(shown(Format::Json).starts_with("{\n  \"name\""));
        assert_eq!(shown(Format::Ndjson).lines().count(), 1);
        assert_eq!(shown(Format::Csv).lines().count(), 2);
    }

    #[test]
    fn only_control_characters_are_escaped() {
        assert_eq!(plain("ä\n\tß"), "ä\n\tß");
        assert_eq!(plain("a\u{7f}\u{9b}\rb"), "a\\u{7f}\\u{9b}\\u{d}b");
        assert_eq!(plain("a\u{202e}b\u{2066}"), "a\\u{202e}b\\u{2066}");
    }

    #[test]
    fn no_text_in_csv_is_a_formula() {
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\r1", "'=1"] {
            assert_eq!(inert(formula), format!("'{formula}"));
        }
        for text in ["", "a=1", "2026-12-31", "{\"xs\":[1,-2]}", "ä"] {
            assert_eq!(inert(text), text);
        }
        assert_eq!(inert(r#"{"a":"x,=1"}"#), r#"{"a":"x,\u003d1"}"#);
        assert_eq!(inert("[1,=2]"), "[1,'=2]");
    }
}
