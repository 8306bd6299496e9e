//! Headers, cells and lines, and that data is the same after an export and an import.

use std::sync::Arc;

use formalize_schema::{DataSchema, parse_json};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::export::tests::{schema, submission, text, value};
use crate::export::{Columns, CsvOptions, Guard, Separator, TextFormat, TextWriter};
use crate::model::submission::Submission;

const SCHEMA: &str = r#"{"properties": {
    "name": {"type": "string"}, "age": {"type": "integer"}, "any": {},
    "flag": {"type": ["boolean", "null"]}, "list": {"type": "array"}, "word": {"type": ["string", "integer"]},
    "address": {"properties": {"street": {"type": "string"}, "zip": {"type": "number"}}}
}}"#;

fn columns(schema: &str) -> Arc<Columns> {
    Arc::new(Columns::of(
        Some(&DataSchema::compile(schema).unwrap()),
        "en",
    ))
}

fn table(headers: &[&str], options: &ImportOptions) -> Result<Table, InvalidHeaders> {
    Table::new(columns(SCHEMA), headers, options)
}

fn item(row: Row) -> BatchItem {
    match row {
        Row::Submission(item) => item,
        Row::End(rows) => panic!("the end after {rows} rows"),
    }
}

/// The data of a table with one row.
fn data(headers: &[&str], cells: &[&str]) -> Result<String, Vec<String>> {
    let table = table(headers, &ImportOptions::default()).unwrap();
    let row = table
        .row(cells)
        .map_err(|refused| refused.messages().to_vec())?;
    Ok(item(row).data.unwrap())
}

#[track_caller]
fn problems(headers: &[&str], options: &ImportOptions) -> Vec<HeaderProblem> {
    table(headers, options).unwrap_err().0
}

#[test]
fn cells_are_read_by_the_types_of_the_schema() {
    for (header, cell, read) in [
        ("name", "5", r#"{"name":"5"}"#),
        ("name", " x\"y ", r#"{"name":" x\"y "}"#),
        ("name", "", "{}"),
        ("name", "'=1", r#"{"name":"=1"}"#),
        ("name", "''=1", r#"{"name":"'=1"}"#),
        ("name", "'tis", r#"{"name":"'tis"}"#),
        ("name", "=1", r#"{"name":"=1"}"#),
        ("age", "36", r#"{"age":36}"#),
        ("age", " -1.0 ", r#"{"age":-1.0}"#),
        ("flag", "null", r#"{"flag":null}"#),
        ("list", r#"["a", 1.50]"#, r#"{"list":["a", 1.50]}"#),
        ("word", "5", r#"{"word":5}"#),
        ("word", "1.5", r#"{"word":"1.5"}"#),
        ("word", "true", r#"{"word":"true"}"#),
        ("any", "true", r#"{"any":true}"#),
        ("any", "1e400", r#"{"any":"1e400"}"#),
        ("any", r#"{"a":1,"a":2}"#, r#"{"any":"{\"a\":1,\"a\":2}"}"#),
        ("address/zip", "8010", r#"{"address":{"zip":8010}}"#),
        ("/address/zip", "8010", r#"{"address":{"zip":8010}}"#),
    ] {
        assert_eq!(
            data(&[header], &[cell]).as_deref(),
            Ok(read),
            "{header}: {cell}"
        );
    }
}

#[test]
fn every_cell_that_does_not_fit_is_reported() {
    let headers = ["age", "flag", "list", "address/zip", "_other", "name"];
    let cells = ["1.5", "yes", "{}", "a", r#"{"a": 1, "/~2": 1}"#, "Ada"];
    let messages = data(&headers, &cells).unwrap_err();
    assert_eq!(
        messages,
        [
            "/age: must be an integer",
            "/flag: must be true or false or null",
            "/list: must be an array as JSON",
            "/address/zip: must be a number",
            "`_other`: `a` is not a JSON Pointer: it must begin with a slash",
            "`_other`: `/~2` is not a JSON Pointer: `~` must be written as `~0`",
        ]
    );
    let refused = data(&["name", "age"], &["Ada"]).unwrap_err();
    assert_eq!(refused, ["has 1 cell instead of 2"]);
}

#[test]
fn other_overrides_the_cells() {
    let headers = ["name", "address/street", "address/zip", "_other"];
    let other = |cell: &str| data(&headers, &["Ada", "Main", "1", cell]);
    for (cell, read) in [
        ("", r#"{"name":"Ada","address":{"street":"Main","zip":1}}"#),
        (
            r#"{"/name": "", "/address/zip": "x", "/new/a~1b": 1.50}"#,
            r#"{"name":"","address":{"street":"Main","zip":"x"},"new":{"a/b":1.50}}"#,
        ),
        (r#"{"/address": {}}"#, r#"{"name":"Ada","address":{}}"#),
        (r#"{"": [1]}"#, "[1]"),
        (
            r#"{"/": 2}"#,
            r#"{"name":"Ada","address":{"street":"Main","zip":1},"":2}"#,
        ),
    ] {
        assert_eq!(other(cell).as_deref(), Ok(read), "{cell}");
    }
    for (cell, part) in [
        ("{", "`_other` is not valid JSON"),
        ("[]", "`_other` must be a JSON object"),
        (r#"{"/a": 1, "/a": 2}"#, "occurs twice"),
        (r#"{"/name/first": 1}"#, "is inside of a value"),
        (r#"{"": {}, "/a": 1}"#, "is inside of a value"),
    ] {
        let messages = other(cell).unwrap_err();
        assert!(messages[0].contains(part), "{messages:?}");
    }
    let deep = format!("{{\"{}\": 1}}", "/a".repeat(100_000));
    assert!(other(&deep).unwrap_err()[0].ends_with("has too many names"));
}

#[test]
fn the_order_of_headers_does_not_change_the_data() {
    let one = data(&["age", "name"], &["1", "a"]).unwrap();
    assert_eq!(one, data(&["name", "age"], &["a", "1"]).unwrap());
}

#[test]
fn headers_that_are_no_columns_are_all_named() {
    let mut options = ImportOptions::default();
    options
        .renamed
        .insert("Years".to_owned(), "agee".to_owned());
    options.renamed.insert("Gone".to_owned(), "name".to_owned());
    options.keys = Keys::Named("Number".to_owned());
    let headers = ["email", "Years", "", "name", "name", "address"];
    let found = problems(&headers, &options);
    let text = InvalidHeaders(found).to_string();
    assert_eq!(
        text,
        "there is no header `Number`; there is no header `Gone`; the form has no column `email`; \
         the form has no column `agee`, to which the header `Years` is mapped; column 3 has no header; \
         two headers stand for the column `name`; the form has no column `address`"
    );
    let unknown = ["email", "", "address"];
    let ignoring = ImportOptions {
        ignores_unknown: true,
        ..ImportOptions::default()
    };
    assert!(table(&unknown, &ignoring).is_ok());
    let naming = ImportOptions {
        ignored: unknown.map(str::to_owned).into(),
        ..ImportOptions::default()
    };
    assert!(table(&unknown, &naming).is_ok());
    assert!(problems(&["other"], &naming).len() == 1);
}

#[test]
fn headers_are_renamed_ignored_and_unguarded() {
    let mut options = ImportOptions::default();
    options
        .renamed
        .insert("=Name".to_owned(), "name".to_owned());
    options.ignored.insert("age".to_owned());
    let table = table(&["'=Name", "age", "_error", "_creatorId"], &options).unwrap();
    assert_eq!(table.error_column(), Some(2));
    let row = item(table.row(&["Ada", "x", "was wrong", "'=eve"]).unwrap());
    assert_eq!(row, BatchItem::new(r#"{"name":"Ada"}"#));
}

#[test]
fn rows_have_a_state_and_a_key() {
    let headers = ["_identifier", "_submissionState", "Number", "name"];
    let cells = ["id 1", "draft", "17", "Ada"];
    let row = |keys: Keys, state, cells: &[&str]| {
        let mut options = ImportOptions {
            keys,
            state,
            ..ImportOptions::default()
        };
        options.ignored.insert("Number".to_owned());
        table(&headers, &options).unwrap().row(cells).map(item)
    };
    let key = |row: BatchItem| row.key.map(|key| key.to_string());
    let own = row(Keys::Identifier, None, &cells).unwrap();
    assert_eq!(own.state, SubmissionState::Draft.into());
    assert_eq!(key(own).as_deref(), Some("id 1"));
    let all = row(Keys::None, Some(SubmissionState::Submitted), &cells).unwrap();
    assert_eq!(all.state, SubmissionState::Submitted.into());
    assert_eq!(key(all), None);
    let named = Keys::Named("Number".to_owned());
    assert_eq!(
        key(row(named.clone(), None, &cells).unwrap()).as_deref(),
        Some("17")
    );

    let without = ["", "", "", "Ada"];
    let plain = row(Keys::Identifier, None, &without).unwrap();
    assert_eq!(plain.state, RequestedState::default());
    assert_eq!(key(plain), None);
    let refused = row(named, None, &without).unwrap_err();
    assert_eq!(
        refused.messages(),
        ["`Number` is the key and must have 1 to 255 characters and no control characters"]
    );
    let unknown = row(Keys::None, None, &["", "later", "", ""]).unwrap();
    assert_eq!(unknown.state, RequestedState::Unknown("later".to_owned()));
}

#[test]
fn the_key_needs_no_column_of_the_form() {
    let options = ImportOptions {
        keys: Keys::Named("Number".to_owned()),
        ..ImportOptions::default()
    };
    let both = table(&["Number", "name"], &options).unwrap();
    let row = item(both.row(&["'-1", "Ada"]).unwrap());
    assert_eq!(row.key.unwrap().as_str(), "-1");
    assert_eq!(row.data.as_deref(), Some(r#"{"name":"Ada"}"#));
}

#[test]
fn another_column_can_be_the_identifier() {
    let mut options = ImportOptions::default();
    let renamed = &mut options.renamed;
    renamed.insert("Number".to_owned(), "_identifier".to_owned());
    let key = |options: &ImportOptions| {
        let table = table(&["Number", "name"], options).unwrap();
        let row = item(table.row(&["17", "Ada"]).unwrap());
        row.key.map(|key| key.to_string())
    };
    assert_eq!(key(&options).as_deref(), Some("17"));
    options.ignored.insert("Number".to_owned());
    assert_eq!(key(&options), None);
}

#[test]
fn the_end_marker_is_no_row() {
    let wide = table(&["name", "age", "any"], &ImportOptions::default()).unwrap();
    assert_eq!(wide.row(&["#end", "rows=7"]), Ok(Row::End(7)));
    assert_eq!(wide.row(&["#end,rows=7"]), Ok(Row::End(7)));
    assert!(wide.row(&["#end", "rows=x"]).is_err());
    let narrow = table(&["name", "word"], &ImportOptions::default()).unwrap();
    assert_eq!(
        narrow
            .row(&["#end", "rows=7"])
            .map(item)
            .unwrap()
            .data
            .as_deref(),
        Some(r##"{"name":"#end","word":"rows=7"}"##)
    );
    let lines = LineReader::new(
        LineFormat::Ndjson,
        &Columns::default(),
        ImportOptions::default(),
    );
    assert_eq!(lines.row(r#"{"end":{"rows":7}}"#), Ok(Row::End(7)));
}

fn lines(format: LineFormat, options: ImportOptions) -> LineReader {
    LineReader::new(format, &columns(SCHEMA), options)
}

#[test]
fn lines_are_read_member_by_member() {
    let reader = lines(LineFormat::Ndjson, ImportOptions::default());
    let line = r#"{"identifier": "id 1", "formIdentifier": 5, "dataFeedElement": "{ \"a\": 1.0 }",
        "submissionState": "draft", "creatorId": "ann", "_error": "was wrong"}"#;
    let row = item(reader.row(line).unwrap());
    assert_eq!(row.data.as_deref(), Some(r#"{ "a": 1.0 }"#));
    assert_eq!(row.state, SubmissionState::Draft.into());
    assert_eq!(row.key.unwrap().as_str(), "id 1");
    let bare = item(reader.row(r#"{"dataFeedElement": null}"#).unwrap());
    assert_eq!((bare.data, bare.key), (None, None));
    for (line, messages) in [
        ("[]", vec!["must be an object"]),
        (
            r#"{"dataFeedElement": {}, "submissionState": 1, "identifier": [], "x": 1}"#,
            vec![
                "/dataFeedElement: must be a string containing JSON, or null",
                "/submissionState: must be a string",
                "/identifier: must be a string or a number, because it is the key",
                "unknown field `x`",
            ],
        ),
    ] {
        assert_eq!(reader.row(line).unwrap_err().messages(), messages);
    }
    for line in ["{", r#"{"identifier": "a", "identifier": "b"}"#] {
        let refused = reader.row(line).unwrap_err();
        assert!(
            refused.messages()[0].starts_with("is not valid JSON"),
            "{refused}"
        );
    }
}

#[test]
fn options_apply_to_lines() {
    let options = ImportOptions {
        keys: Keys::Named("number".to_owned()),
        ignored: ["x".to_owned(), "identifier".to_owned()].into(),
        ..ImportOptions::default()
    };
    let reader = lines(LineFormat::Ndjson, options);
    let row = item(
        reader
            .row(r#"{"identifier": [], "number": 17, "x": 1}"#)
            .unwrap(),
    );
    assert_eq!(row.key.unwrap().as_str(), "17");
    assert!(
        reader
            .row(r#"{"x": 1}"#)
            .unwrap_err()
            .to_string()
            .contains("`number` is the key")
    );
    let lenient = ImportOptions {
        keys: Keys::None,
        ignores_unknown: true,
        state: Some(SubmissionState::Draft),
        ..ImportOptions::default()
    };
    let row = item(
        lines(LineFormat::Ndjson, lenient)
            .row(r#"{"y": 1, "submissionState": "submitted"}"#)
            .unwrap(),
    );
    assert_eq!(row.state, SubmissionState::Draft.into());
}

#[test]
fn rejected_lines_can_be_mended_and_imported() {
    for format in [LineFormat::Ndjson, LineFormat::Data] {
        let reader = lines(format, ImportOptions::default());
        let line = r#"{"dataFeedElement": "{\"a\": 1.50}", "submissionState" :"draft"}"#;
        let rejected = reader.rejected(line, "too \"old\"");
        assert_eq!(parse_json(&rejected).unwrap()["_error"], "too \"old\"");
        let (again, before) = (reader.row(&rejected).unwrap(), reader.row(line).unwrap());
        let [again, before] = [again, before].map(item);
        let texts =
            [&again, &before].map(|item| parse_json(item.data.as_deref().unwrap()).unwrap());
        assert_eq!(texts[0], texts[1]);
        assert_eq!((again.state, again.key), (before.state, before.key));
        // It has only the last reason.
        let twice = reader.rejected(&rejected, "too new");
        assert_eq!(twice, reader.rejected(line, "too new"));

        let broken = reader.rejected("{\"a\": ", "is not valid JSON");
        assert_eq!(
            broken,
            r#"{"_line":"{\"a\": ","_error":"is not valid JSON"}"#
        );
        let refused = reader.row(&broken).unwrap_err();
        assert_eq!(
            refused.messages(),
            ["replace this line by the corrected text of `_line`"]
        );
        assert!(
            reader
                .rejected(&broken, "no")
                .starts_with(r#"{"_line":"{\"a\": ","#)
        );
    }
}

#[test]
fn data_keeps_its_bytes() {
    let reader = lines(LineFormat::Data, ImportOptions::default());
    for line in [
        "{ \"a\" : 1.50 }",
        "[1 ]",
        "{",
        r#"{"_error": 1}"#,
        r#"{"_error": "x", "a": 1}"#,
    ] {
        assert_eq!(item(reader.row(line).unwrap()).data.as_deref(), Some(line));
    }
    let own = columns(r#"{"properties": {"_error": {"type": "string"}}}"#);
    let reader = LineReader::new(LineFormat::Data, &own, ImportOptions::default());
    let line = r#"{"a": 1, "_error": "mine"}"#;
    assert_eq!(item(reader.row(line).unwrap()).data.as_deref(), Some(line));
    let rejected = parse_json(&reader.rejected(line, "no")).unwrap();
    assert_eq!(
        (&rejected["_line"], &rejected["_error"]),
        (&line.into(), &"no".into())
    );
}

/// A document with these submissions, and the columns of the form.
fn exported(format: TextFormat, columns: &Arc<Columns>, rows: &[Submission]) -> Vec<u8> {
    let mut writer = TextWriter::new(format, Arc::clone(columns));
    let mut document = Vec::new();
    writer.begin(&mut document).unwrap();
    writer.rows(rows, &mut document).unwrap();
    writer.end(&mut document).unwrap();
    document
}

/// The rows of an exported document, read again.
fn imported(format: &TextFormat, columns: &Arc<Columns>, document: &[u8]) -> Vec<Row> {
    let options = ImportOptions::default();
    let TextFormat::Csv(csv) = format else {
        let reader = LineReader::new(LineFormat::Ndjson, columns, options);
        let lines = std::str::from_utf8(document).unwrap().lines();
        return lines.map(|line| reader.row(line).unwrap()).collect();
    };
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(if csv.separator == Separator::Tab {
            b'\t'
        } else {
            b','
        })
        .flexible(true)
        .from_reader(document);
    let headers: Vec<String> = reader
        .headers()
        .unwrap()
        .iter()
        .map(str::to_owned)
        .collect();
    let table = Table::new(Arc::clone(columns), &headers, &options).unwrap();
    let records = reader.records().map(|record| record.unwrap());
    records
        .map(|record| table.row(&record.iter().collect::<Vec<_>>()).unwrap())
        .collect()
}

/// A schema, and data of which much has a column of its type.
fn fitting() -> impl Strategy<Value = (Value, Vec<Value>)> {
    let schema = schema().prop_map(|inner| {
        json!({"properties": {
            "a": inner, "b": {"type": "string"}, "c": {"type": ["string", "number", "null"]},
            "d": {"properties": {"e": {"type": "string"}, "f": {"type": "array"}}}
        }})
    });
    let row = (value(), text(), value(), text(), value())
        .prop_map(|(a, b, c, e, f)| json!({"a": a, "b": b, "c": c, "d": {"e": e, "f": [f]}}));
    (schema, proptest::collection::vec(row, 1..4))
}

fn anything() -> impl Strategy<Value = (Value, Vec<Value>)> {
    (schema(), proptest::collection::vec(value(), 1..4))
}

proptest! {
    #[test]
    fn submissions_are_the_same_after_an_export_and_an_import(
        (schema, data) in prop_oneof![fitting(), anything()], is_spaced in any::<bool>(),
        is_csv in any::<bool>(), is_guarded in any::<bool>(), is_by_tab in any::<bool>()
    ) {
        // Some random schemas refer to themselves without end, and are rejected.
        let Ok(schema) = DataSchema::compile(&schema.to_string()) else { return Ok(()) };
        let columns = Arc::new(Columns::of(Some(&schema), "en"));
        let rows: Vec<Submission> = data.iter().zip(1..).map(|(data, number)| {
            let text = if is_spaced { serde_json::to_string_pretty(data).unwrap() } else { data.to_string() };
            let state = if number == 2 { SubmissionState::Draft } else { SubmissionState::Submitted };
            Submission { state, ..submission(number, Some(&text)) }
        }).collect();
        let format = if is_csv {
            TextFormat::Csv(CsvOptions {
                guard: if is_guarded { Guard::On } else { Guard::Off },
                separator: if is_by_tab { Separator::Tab } else { Separator::Comma },
                end_marker: true,
                ..CsvOptions::default()
            })
        } else {
            TextFormat::Ndjson { end_marker: true }
        };
        let document = exported(format.clone(), &columns, &rows);
        let mut read = imported(&format, &columns, &document);
        prop_assert_eq!(read.pop(), Some(Row::End(rows.len() as u64)));
        prop_assert_eq!(read.len(), rows.len());
        for (row, submission) in read.into_iter().zip(&rows) {
            let Row::Submission(item) = row else { panic!("{row:?}") };
            let parsed = |text: Option<&str>| -> Value { parse_json(text.unwrap()).unwrap() };
            prop_assert_eq!(parsed(item.data.as_deref()), parsed(submission.data.as_deref()));
            prop_assert_eq!(item.state, submission.state.into());
            prop_assert_eq!(item.key.unwrap().to_string(), submission.id.to_string());
        }
    }
}

#[test]
fn tags_are_read_from_tables_and_lines() {
    let table = table(&["name", "_tags"], &ImportOptions::default()).unwrap();
    for (cell, tags) in [
        (r#"["a, b","=c"]"#, &["a, b", "=c"][..]),
        ("[]", &[]),
        ("", &[]),
    ] {
        let row = item(table.row(&["Ada", cell]).unwrap());
        assert_eq!(row.tags, tags, "{cell}");
        assert_eq!(row.data.as_deref(), Some(r#"{"name":"Ada"}"#));
    }
    for cell in ["a", "{}", "[1]", "\"a\"", "null"] {
        let refused = table.row(&["Ada", cell]).unwrap_err();
        assert_eq!(
            refused.messages(),
            ["`_tags` must be a JSON array of strings"]
        );
    }
    let reader = LineReader::new(
        LineFormat::Ndjson,
        &columns(SCHEMA),
        ImportOptions::default(),
    );
    for (member, tags) in [(r#"["a"]"#, &["a"][..]), ("null", &[])] {
        let line = format!(r#"{{"dataFeedElement":"{{}}","tags":{member}}}"#);
        assert_eq!(item(reader.row(&line).unwrap()).tags, tags, "{member}");
    }
    let refused = reader
        .row(r#"{"dataFeedElement":"{}","tags":"a"}"#)
        .unwrap_err();
    assert_eq!(refused.messages(), ["/tags: must be an array of strings"]);
    let ignoring = ImportOptions {
        ignored: ["tags".to_owned()].into(),
        ..ImportOptions::default()
    };
    let reader = LineReader::new(LineFormat::Ndjson, &columns(SCHEMA), ignoring);
    let line = r#"{"dataFeedElement":"{}","tags":["a"]}"#;
    assert!(item(reader.row(line).unwrap()).tags.is_empty());
}

#[test]
fn a_table_with_labels_is_refused_for_that_reason_alone() {
    let mut options = ImportOptions {
        ignores_unknown: true,
        ..ImportOptions::default()
    };
    options.ignored.insert("_notShown".to_owned());
    let headers = ["_identifier", "days: sa", "_notShown"];
    for options in [ImportOptions::default(), options] {
        assert_eq!(problems(&headers, &options), [HeaderProblem::Labels]);
    }
    let told = InvalidHeaders(vec![HeaderProblem::Labels]).to_string();
    assert!(
        told.contains("export the submissions without labels"),
        "{told}"
    );
}
