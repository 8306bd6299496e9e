//! Workbooks, as spreadsheet programs read them.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read, Write};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::*;

/// A cell of a sheet.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Found {
    Text(String),
    Number(f64),
}

/// A sheet: its name, and its cells by their references.
pub(super) type Sheet = (String, BTreeMap<String, Found>);

fn part(document: &[u8], name: &str) -> String {
    let mut archive = zip::ZipArchive::new(Cursor::new(document)).unwrap();
    let mut text = String::new();
    let mut part = archive.by_name(name).unwrap();
    part.read_to_string(&mut text).unwrap();
    // Readers of XML turn these into line feeds.
    assert!(!text.contains('\r'), "{name}");
    text
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.try_get_attribute(name).unwrap()?;
    Some(found.unescape_value().unwrap().into_owned())
}

fn sheets(document: &[u8]) -> Vec<Sheet> {
    let workbook = part(document, "xl/workbook.xml");
    let mut reader = Reader::from_str(&workbook);
    let mut sheets = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Empty(tag) if tag.name().as_ref() == b"sheet" => {
                let name = attribute(&tag, "name").unwrap();
                let file = format!("xl/worksheets/sheet{}.xml", sheets.len() + 1);
                sheets.push((name, cells_of(&part(document, &file))));
            }
            Event::Eof => return sheets,
            _ => {}
        }
    }
}

/// The cells of a sheet. There are texts and numbers only.
fn cells_of(sheet: &str) -> BTreeMap<String, Found> {
    let mut reader = Reader::from_str(sheet);
    let mut cells = BTreeMap::new();
    let (mut reference, mut is_text, mut content) = (String::new(), false, String::new());
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) if tag.name().as_ref() == b"c" => {
                reference = attribute(&tag, "r").unwrap();
                is_text = match attribute(&tag, "t").as_deref() {
                    Some("inlineStr") => true,
                    None => false,
                    Some(other) => panic!("{reference} has the type {other}"),
                };
                content.clear();
            }
            Event::Start(tag) => {
                assert!(!matches!(tag.name().as_ref(), b"f"), "{reference}");
            }
            Event::Text(text) => content.push_str(&text.unescape().unwrap()),
            Event::End(tag) if tag.name().as_ref() == b"c" => {
                let found = if is_text {
                    Found::Text(decoded(&content))
                } else {
                    Found::Number(content.parse().unwrap())
                };
                cells.insert(reference.clone(), found);
            }
            Event::Eof => return cells,
            _ => {}
        }
    }
}

/// The text that is written with escapes such as `_x000D_`.
fn decoded(written: &str) -> String {
    let mut text = String::new();
    let mut rest = written;
    while let Some(next) = rest.chars().next() {
        let escape = rest
            .get(..7)
            .and_then(|one| one.strip_prefix("_x")?.strip_suffix('_'));
        let code = escape.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let letter = code.and_then(char::from_u32);
        text.push(letter.unwrap_or(next));
        let read = letter.map_or(next.len_utf8(), |_| 7);
        rest = rest.get(read..).unwrap();
    }
    text
}

fn writer(columns: Columns, rows_of_sheet: u32) -> WorkbookWriter {
    let facts = vec![("Form", "=Guest book".to_owned())];
    let began: Timestamp = "2026-11-24T02:00:00.000Z".parse().unwrap();
    let folder = std::env::temp_dir();
    let columns = Arc::new(columns);
    WorkbookWriter::begin(columns, Headers::Path, facts, began, &folder, rows_of_sheet).unwrap()
}

pub(super) fn workbook(columns: Columns, rows: &[Submission], rows_of_sheet: u32) -> Vec<Sheet> {
    let mut writer = writer(columns, rows_of_sheet);
    for row in rows {
        writer.rows(std::slice::from_ref(row)).unwrap();
    }
    assert_eq!(writer.count(), rows.len() as u64);
    let mut document = Vec::new();
    writer.end(&mut document).unwrap();
    sheets(&document)
}

/// The name of a column: `A`, `B`, and so on.
fn letters(mut column: usize) -> String {
    let mut letters = Vec::new();
    loop {
        letters.insert(0, b'A' + u8::try_from(column % 26).unwrap());
        if column < 26 {
            return String::from_utf8(letters).unwrap();
        }
        column = column / 26 - 1;
    }
}

/// The cell for the only member of data, which may be anything.
fn cell_of(value: &str) -> Option<Found> {
    let data = format!("{{\"a\": {value}}}");
    let columns = columns(r#"{"properties": {"a": {"type": ["string", "number", "array"]}}}"#);
    let sheets = workbook(columns, &[submission(1, Some(&data))], 9);
    sheets[0].1.get("G2").cloned()
}

/// The cell for a text, where only strings are allowed.
fn text_of(text: &str) -> Option<Found> {
    let data = json!({ "a": text }).to_string();
    let columns = columns(r#"{"properties": {"a": {"type": "string"}}}"#);
    let sheets = workbook(columns, &[submission(1, Some(&data))], 9);
    sheets[0].1.get("G2").cloned()
}

#[test]
fn texts_are_text_cells_as_they_are() {
    for text in [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "\0=1",
        "＝1",
        "'=1",
        "''=1",
        " =1",
        "a\r\nb",
        "a\rb",
        "\"=1\"",
        "<f>1</f>&amp;",
        "_x0041_",
        "_x005F_",
        "_xx_x0041_",
        " a ",
        "a\u{1}b",
        "\u{fffe}\u{ffff}",
        "{=1}",
        "=HYPERLINK(\"http://example.org\")",
        "https://example.org",
        "TRUE",
    ] {
        assert_eq!(
            text_of(text),
            Some(Found::Text(text.to_owned())),
            "{text:?}"
        );
    }
    let json = Found::Text("[1,\"=a\"]".to_owned());
    assert_eq!(cell_of("[1, \"=a\"]"), Some(json));
    assert_eq!(text_of(""), None);
}

#[test]
fn numbers_that_would_change_are_texts() {
    for number in [
        "0",
        "1",
        "-7",
        "1.50",
        "1.0",
        "0.1",
        "123456789012345",
        "-0.000123456789012345",
        "1e15",
        "9000000000000000",
        "2E-300",
    ] {
        let value = number.parse().unwrap();
        assert_eq!(cell_of(number), Some(Found::Number(value)), "{number}");
    }
    for number in [
        "1234567890123456",
        "0.1234567890123456",
        "1e16",
        "-1e300",
        "1e-400",
        "1e-310",
        "1e999",
        "-0",
        "-0.0",
        "1234567890123456789012345678901234567890",
    ] {
        assert_eq!(
            cell_of(number),
            Some(Found::Text(number.to_owned())),
            "{number}"
        );
    }
}

#[test]
fn long_texts_are_cut_and_counted() {
    let fits = "x".repeat(32_767);
    assert_eq!(text_of(&fits), Some(Found::Text(fits)));
    let cut = format!("{}…[cut]", "x".repeat(32_761));
    assert_eq!(text_of(&"x".repeat(32_768)), Some(Found::Text(cut)));
    // Each letter counts as two.
    let cut = format!("{}…[cut]", "😀".repeat(16_380));
    assert_eq!(text_of(&"😀".repeat(16_384)), Some(Found::Text(cut)));

    let long = json!({"a": "x".repeat(32_768), "b": "y".repeat(40_000)}).to_string();
    let columns = columns(r#"{"properties": {"a": {"type": "string"}}}"#);
    let sheets = workbook(columns, &[submission(1, Some(&long))], 9);
    // The cell of `a`, and `_other` with `b`.
    assert_eq!(sheets[1].1["B3"], Found::Text("2".to_owned()));
}

#[test]
fn a_full_sheet_is_followed_by_another() {
    let columns = || columns(r#"{"properties": {"=n": {"type": "integer"}}}"#);
    let data: Vec<String> = (0..5)
        .map(|number| json!({"=n": number}).to_string())
        .collect();
    let rows: Vec<_> = data.iter().map(|data| submission(1, Some(data))).collect();
    let found = workbook(columns(), &rows, 2);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        ["Submissions", "Submissions 2", "Submissions 3", "About"]
    );
    let mut numbers = Vec::new();
    for (name, cells) in &found[..3] {
        assert_eq!(cells["A1"], Found::Text("_identifier".to_owned()), "{name}");
        assert_eq!(cells["G1"], Found::Text("=n".to_owned()), "{name}");
        assert_eq!(cells["C2"], Found::Text("=ann".to_owned()), "{name}");
        numbers.extend(["G2", "G3", "G4"].map(|place| cells.get(place).cloned()));
    }
    let number = |value: f64| Some(Found::Number(value));
    let expected = [
        number(0.0),
        number(1.0),
        None,
        number(2.0),
        number(3.0),
        None,
        number(4.0),
        None,
        None,
    ];
    assert_eq!(numbers, expected);
    let about: Vec<_> = found[3].1.values().cloned().collect();
    let expected = ["Form", "Submissions", "Texts cut", "=Guest book", "5", "0"];
    assert_eq!(about, expected.map(|text| Found::Text(text.to_owned())));

    // A sheet that is just full has no other behind it.
    let full = workbook(columns(), &rows[..4], 2);
    assert_eq!(full.len(), 3);
    assert_eq!(workbook(columns(), &[], 2).len(), 2);
}

#[test]
fn what_cannot_be_written_is_an_error() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let failed = writer(Columns::default(), 9).end(Full).unwrap_err();
    assert_eq!(failed.kind(), io::ErrorKind::StorageFull);
    let (columns, nowhere) = (Arc::default(), std::path::Path::new("/nowhere"));
    let date = Timestamp::from_millis(0).unwrap();
    let begun = WorkbookWriter::begin(columns, Headers::Path, Vec::new(), date, nowhere, 9);
    assert_eq!(begun.unwrap_err().kind(), io::ErrorKind::NotFound);
}

/// A spreadsheet has only floating-point numbers.
fn floating(value: Value) -> Value {
    match value {
        Value::Number(number) => number.as_f64().into(),
        Value::Array(items) => items.into_iter().map(floating).collect(),
        Value::Object(members) => {
            let members = members.into_iter();
            members
                .map(|(name, value)| (name, floating(value)))
                .collect()
        }
        other => other,
    }
}

proptest! {
    #[test]
    fn data_is_read_back_from_a_workbook(schema in schema(), data in value()) {
        let Ok(schema) = DataSchema::compile(&schema.to_string()) else { return Ok(()) };
        let columns = Columns::of(Some(&schema), "en");
        let text = data.to_string();
        let rows = [submission(1, Some(&text))];
        let found = workbook(columns.clone(), &rows, 9);
        let mut read = json!({});
        for (column, place) in columns.leaves().iter().zip(6..) {
            let written = match found[0].1.get(&format!("{}2", letters(place))) {
                Some(Found::Text(text)) => Guard::On.apply(text).into_owned(),
                Some(Found::Number(number)) => number.to_string(),
                None => continue,
            };
            if let Some(value) = read_cell(column, &written) {
                set(&mut read, column.pointer(), value);
            }
        }
        let other = format!("{}2", letters(6 + columns.leaves().len()));
        if let Some(Found::Text(other)) = found[0].1.get(&other) {
            let Value::Object(other) = parse_json(other).unwrap() else { panic!("{other}") };
            for (pointer, value) in other {
                set(&mut read, &pointer, value);
            }
        }
        prop_assert_eq!(floating(read), floating(data));
    }
}

#[test]
fn texts_of_questions_with_several_types_are_in_their_cells() {
    let columns = columns(r#"{"properties": {"a": {"type": ["string", "integer", "null"]}}}"#);
    let rows = ["\"5\"", "5", "\"null\"", "\"x\""];
    let rows = rows.map(|value| submission(1, Some(&format!(r#"{{"a":{value}}}"#))));
    let found = workbook(columns, &rows, 9);
    let cell = |reference: &str| found[0].1.get(reference).cloned();
    let text = |text: &str| Some(Found::Text(text.to_owned()));
    assert_eq!(cell("G2"), text("5"));
    assert_eq!(cell("G3"), Some(Found::Number(5.0)));
    assert_eq!(cell("G4"), text("null"));
    assert_eq!(cell("G5"), text("x"));
    // A program can still tell them apart.
    assert_eq!(cell("H2"), text(r#"{"/a":"5"}"#));
    assert_ne!(cell("H4"), None);
    assert_eq!(cell("H3"), None);
}

#[test]
fn tags_stand_before_the_values() {
    let columns = columns(r#"{"properties": {"a": {"type": "string"}}}"#);
    let found = workbook(columns.with_tags(), &[with_tags(&["=new"])], 9);
    let text = |text: &str| Some(Found::Text(text.to_owned()));
    assert_eq!(found[0].1.get("G1").cloned(), text("_tags"));
    assert_eq!(found[0].1.get("G2").cloned(), text(r#"["=new"]"#));
    assert_eq!(found[0].1.get("H1").cloned(), text("a"));
}

#[test]
fn files_are_named_before_the_last_column() {
    let mut writer = writer(columns(WITH_FILES), 10);
    let rows = [with_files(&["=a.txt", "b.txt"]), with_files(&[])];
    writer.rows(&rows).unwrap();
    let mut document = Vec::new();
    writer.end(Cursor::new(&mut document)).unwrap();
    let cells = &sheets(&document)[0].1;
    let text = |reference: &str| match cells.get(reference) {
        Some(Found::Text(text)) => text.clone(),
        other => format!("{other:?}"),
    };
    assert_eq!(text("H1"), "_submittedFiles");
    assert_eq!(text("H2"), "=a.txt, b.txt");
    assert_eq!(text("I1"), "_other");
}
