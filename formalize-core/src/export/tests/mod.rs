//! Columns, and that nothing is lost between data, cells and data.

#[cfg(feature = "xlsx")]
mod groups;
mod labels;
#[cfg(feature = "xlsx")]
mod workbook;

use std::sync::Arc;

use formalize_schema::{DataSchema, FileAttributeName, parse_json};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::*;
use crate::id::{FileId, FormId, Revision, SubmissionId};
use crate::model::file::SubmittedFile;
use crate::model::file::hash::ContentHash;
use crate::model::file::mime_type::MimeType;
use crate::model::file::name::FileName;
use crate::model::subject::UserId;
use crate::model::submission::Submission;
use crate::model::tag::{Tag, Tags};
use crate::model::words::SubmissionState;
use crate::time::Timestamp;

fn columns(schema: &str) -> Columns {
    Columns::of(Some(&DataSchema::compile(schema).unwrap()), "de")
}

fn names(schema: &str) -> Vec<String> {
    let columns = columns(schema);
    let names = columns.leaves().iter().map(|leaf| leaf.name().to_owned());
    names.collect()
}

fn labels(schema: &str) -> Vec<String> {
    let columns = columns(schema);
    let labels = columns.headers(Headers::Label).map(str::to_owned);
    labels.collect::<Vec<_>>()[6..columns.leaves().len() + 6].to_vec()
}

/// Reads data from cells by the rules of the module, independently of how they were written.
fn read(columns: &Columns, cells: &Cells<'_>, guard: Guard) -> Value {
    let mut data = json!({});
    for (column, cell) in columns.leaves().iter().zip(&cells.leaves) {
        let written = match cell {
            Cell::Empty => String::new(),
            Cell::Text(text) => guard.apply(text).into_owned(),
            Cell::Number(number) => (*number).to_owned(),
            Cell::Json(json) => guard.escape(json).into_owned(),
        };
        if let Some(value) = read_cell(column, &written) {
            set(&mut data, column.pointer(), value);
        }
    }
    if let Some(other) = &cells.other {
        let Value::Object(other) = parse_json(other).unwrap() else {
            panic!("`_other` is not an object: {other}");
        };
        for (pointer, value) in other {
            set(&mut data, &pointer, value);
        }
    }
    data
}

fn read_cell(column: &Column, written: &str) -> Option<Value> {
    if written.is_empty() {
        return None;
    }
    let triggers = "=+-@\t\r\n\0＝＋－＠";
    let mut text = String::new();
    let mut begins = true;
    for (at, one) in written.char_indices() {
        let behind = written.get(at..).unwrap_or_default();
        let behind = behind.trim_start_matches(['\'', '"']);
        let is_trigger =
            |first: char| triggers.contains(first) && (at == 0 || !"\t\r\n".contains(first));
        let is_guard = begins && one == '\'' && behind.starts_with(is_trigger);
        if !is_guard {
            text.push(one);
        }
        begins = ",;\t|\r\n".contains(one);
    }
    let text = text.as_str();
    let allowed = |value: &Value| match value {
        Value::String(_) => false,
        Value::Number(number) => {
            column.allows(JsonType::Number)
                || (column.allows(JsonType::Integer) && number.as_f64().unwrap().fract() == 0.0)
        }
        Value::Bool(_) => column.allows(JsonType::Boolean),
        Value::Null => column.allows(JsonType::Null),
        Value::Object(_) => column.allows(JsonType::Object),
        Value::Array(_) => column.allows(JsonType::Array),
    };
    let json = parse_json(text).ok().filter(allowed);
    let read = if column.allows(JsonType::String) {
        json.unwrap_or_else(|| Value::from(text))
    } else {
        json.unwrap_or_else(|| panic!("{}: {text} is not allowed", column.name()))
    };
    Some(read)
}

/// Sets the value at a pointer, with the objects that contain it.
fn set(data: &mut Value, pointer: &str, value: Value) {
    let mut at = data;
    for token in pointer.split('/').skip(1) {
        let name = token.replace("~1", "/").replace("~0", "~");
        if !at.is_object() {
            *at = json!({});
        }
        at = at
            .as_object_mut()
            .unwrap()
            .entry(name)
            .or_insert(Value::Null);
    }
    *at = value;
}

#[test]
fn columns_have_the_order_of_the_text() {
    let schema = r##"{
        "if": {"properties": {"z": {"const": 1}}},
        "allOf": [{"$ref": "#/$defs/common"}],
        "properties": {"z": {}, "y": {}, "address": {"type": "object", "properties": {"zip": {}, "a": {}}}},
        "anyOf": [{"properties": {"x": {}, "address": {"type": "object", "properties": {"town": {}}}}}],
        "oneOf": [{"properties": {"w": {}}}, {}],
        "then": {"properties": {"v": {}}},
        "else": {"properties": {"u": {}}},
        "dependentSchemas": {"y": {"properties": {"t": {}}}, "b": {"properties": {"s": {}}}},
        "not": {"properties": {"never": {}}},
        "$defs": {"common": {"properties": {"r": {}}}, "unused": {"properties": {"q": {}}}}
    }"##;
    assert_eq!(
        names(schema),
        [
            "z",
            "r",
            "y",
            "address/zip",
            "address/a",
            "address/town",
            "x",
            "w",
            "v",
            "u",
            "t",
            "s"
        ]
    );
}

#[test]
fn no_two_headers_are_equal() {
    let schema = r#"{"properties": {
        "a/b": {}, "a": {"type": "object", "properties": {"b": {}}}, "~": {}, "": {}, "_identifier": {}, "_other": {},
        "=1": {}, "/x": {}, "empty": {"type": "object", "properties": {"": {}}}
    }}"#;
    let names = names(schema);
    assert_eq!(
        names,
        [
            "a~1b",
            "a/b",
            "~0",
            "/",
            "/_identifier",
            "/_other",
            "=1",
            "~1x",
            "empty/"
        ]
    );
    assert_eq!(names_of_empty_member(), "//y");
}

/// A pointer without its first slash would begin with another one.
fn names_of_empty_member() -> String {
    let schema = r#"{"properties": {"": {"type": "object", "properties": {"y": {}}}}}"#;
    names(schema).remove(0)
}

#[test]
fn labels_are_not_those_of_choices() {
    let schema = r#"{"properties": {
        "a": {"title": "Meal", "oneOf": [{"const": 1, "localizedName": {"en": "Fish"}}, {"enum": [2], "title": "Meat"}]},
        "b": {"oneOf": [{"const": 1, "title": "One"}]},
        "c": {"const": 1, "title": "Constant"}
    }}"#;
    assert_eq!(labels(schema), ["Meal", "b", "Constant"]);
}

#[test]
fn labels_are_those_of_the_language_and_told_apart() {
    let schema = r#"{"properties": {
        "a": {"localizedName": {"en": "Name", "de": "Der Name"}, "title": "T"},
        "b": {"localizedName": {"en": "Age", "fr": "Âge"}, "title": "T"},
        "c": {"localizedName": {"fr": "Ville"}, "title": "Town"},
        "d": {"localizedName": {"de": ""}, "title": ""},
        "e": {"title": "Town"},
        "f": {"title": "_other"},
        "g": {"title": "Town (c)"}
    }}"#;
    assert_eq!(
        labels(schema),
        [
            "Der Name",
            "Age",
            "Town (c) (c)",
            "d",
            "Town (e)",
            "_other (f)",
            "Town (c)"
        ]
    );
}

#[test]
fn only_objects_are_opened() {
    let schema = r#"{
        "properties": {
            "typed": {"type": "object", "properties": {"a": {}}},
            "untyped": {"properties": {"a": {}}},
            "or null": {"type": ["object", "null"], "properties": {"a": {}}},
            "or text": {"anyOf": [{"properties": {"a": {}}}, {"type": "string"}]},
            "both": {"allOf": [{"type": "object"}, {"properties": {"a": {}}}]},
            "free": {"type": "object"},
            "list": {"type": "array", "items": {"properties": {"a": {}}}}
        }
    }"#;
    assert_eq!(
        names(schema),
        [
            "typed/a",
            "untyped/a",
            "or null",
            "or text",
            "both/a",
            "free",
            "list"
        ]
    );
}

#[test]
fn recursion_ends_in_a_leaf() {
    let schema = r##"{
        "properties": {"name": {}, "child": {"$ref": "#"}, "base": {"$ref": "#/$defs/base"}},
        "$ref": "#/$defs/base",
        "$defs": {
            "base": {"properties": {"id": {}}},
            "node": {"properties": {"value": {}, "next": {"allOf": [{"$ref": "#/$defs/node"}]}}}
        },
        "allOf": [{"$ref": "#/$defs/node"}]
    }"##;
    // A reference to a schema that does not contain it is opened.
    assert_eq!(
        names(schema),
        ["name", "child", "base/id", "id", "value", "next"]
    );
}

#[test]
fn a_column_has_eight_names_at_most() {
    let mut schema = json!({});
    for _ in 0..10 {
        schema = json!({"type": "object", "properties": {"a": schema}});
    }
    let name = names(&schema.to_string());
    assert_eq!(name, ["a/a/a/a/a/a/a/a"]);
}

#[test]
fn the_1001st_property_has_no_column() {
    let properties: Map<String, Value> = (0..1001)
        .map(|at| (format!("p{at:04}"), json!({})))
        .collect();
    let schema = json!({"properties": properties}).to_string();
    let columns = columns(&schema);
    assert_eq!(columns.leaves().len(), 1000);
    let data = r#"{"p0999": 1, "p1000": 2}"#;
    let cells = columns.cells(data, Guard::On);
    assert_eq!(cells.leaves[999], Cell::Number("1"));
    assert_eq!(cells.other.as_deref(), Some(r#"{"/p1000":2}"#));
}

#[test]
fn hostile_schemas_have_bounded_tables() {
    // Thirty definitions that each refer twice to the next, in objects, and many branches for one location.
    let mut definitions = Map::new();
    for at in 0..30 {
        let next = json!({"$ref": format!("#/$defs/d{}", at + 1)});
        let properties = json!({"l": next, "r": next});
        definitions.insert(
            format!("d{at}"),
            json!({"properties": properties, "anyOf": [{"properties": {"m": next}}]}),
        );
    }
    definitions.insert("d30".to_owned(), json!({"type": "string"}));
    let doubling = json!({"$ref": "#/$defs/d0", "$defs": definitions});
    let member = |at: usize| json!({"properties": {"a": {"properties": {format!("p{at}"): {}}}}});
    let branches: Vec<_> = (0..900).map(member).collect();
    let wide = json!({"anyOf": branches});
    for schema in [doubling, wide] {
        let schema = DataSchema::compile(&schema.to_string()).unwrap();
        assert!(formalize_schema::internals::outline(&schema).is_some());
        let columns = Columns::of(Some(&schema), "en");
        assert!(columns.leaves().len() <= Columns::MAX);
    }
}

#[test]
fn cells_are_exact() {
    let columns = columns(
        r#"{"properties": {
            "text": {"type": "string"}, "number": {"type": "number"}, "list": {"type": "array"},
            "any": {}, "flag": {"type": ["boolean", "null"]}, "count": {"type": "integer"}
        }}"#,
    );
    let data = r#" { "text" : "=\u0061 \"b\"" , "number": 1.00e+2, "list" : [ 1 , "x  y\" z" , { } ],
        "any": "12", "flag": null, "count": 1234567890123456789012345678901234567890 } "#;
    let cells = columns.cells(data, Guard::On);
    assert_eq!(
        cells.leaves,
        [
            Cell::Text("=a \"b\"".into()),
            Cell::Number("1.00e+2"),
            Cell::Json(r#"[1,"x  y\" z",{}]"#.into()),
            Cell::Empty,
            Cell::Json("null".into()),
            Cell::Number("1234567890123456789012345678901234567890"),
        ]
    );
    assert_eq!(cells.other.as_deref(), Some(r#"{"/any":"12"}"#));
}

#[test]
fn other_has_what_cells_cannot_give_back() {
    let columns = columns(
        r#"{"properties": {
            "text": {"type": "string"}, "count": {"type": "integer"}, "either": {"type": ["string", "integer"]},
            "object": {"properties": {"a": {"type": "string"}}}
        }}"#,
    );
    for (data, other) in [
        (r#"{"text": ""}"#, Some(r#"{"/text":""}"#)),
        (r#"{"text": null}"#, Some(r#"{"/text":null}"#)),
        (r#"{"text": "5"}"#, None),
        (r#"{"count": "5"}"#, Some(r#"{"/count":"5"}"#)),
        (r#"{"count": 1.5}"#, Some(r#"{"/count":1.5}"#)),
        (r#"{"count": 1.0}"#, None),
        (r#"{"either": "5"}"#, Some(r#"{"/either":"5"}"#)),
        (r#"{"either": " 5 "}"#, Some(r#"{"/either":" 5 "}"#)),
        (r#"{"either": "true"}"#, None),
        (r#"{"object": {}}"#, Some(r#"{"/object":{}}"#)),
        (r#"{"object": [1, 2]}"#, Some(r#"{"/object":[1,2]}"#)),
        (r#"{"object": {"b/~": 1}}"#, Some(r#"{"/object/b~1~0":1}"#)),
        (r#"{"new": 1, "text": 2}"#, Some(r#"{"/new":1,"/text":2}"#)),
        ("[1, 2]", Some(r#"{"":[1,2]}"#)),
        ("null", Some(r#"{"":null}"#)),
        ("{}", None),
    ] {
        let cells = columns.cells(data, Guard::On);
        assert_eq!(cells.other.as_deref(), other, "{data}");
        assert_eq!(read(&columns, &cells, Guard::On), parse_json(data).unwrap());
    }
    let guarded = r#"{"text": "''=1"}"#;
    let cells = columns.cells(guarded, Guard::Off);
    assert_eq!(cells.other.as_deref(), Some(r#"{"/text":"''=1"}"#));
    // The cell has the text as it is.
    assert!(cells.leaves.contains(&Cell::Text("''=1".into())));
    let read = read(&columns, &cells, Guard::Off);
    assert_eq!(read, parse_json(guarded).unwrap());
    assert_eq!(columns.cells(guarded, Guard::On).other, None);
}

#[test]
fn the_guard_knows_every_trigger() {
    for trigger in [
        "=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠",
    ] {
        for quotes in ["", "'", "''"] {
            let text = format!("{quotes}{trigger}1");
            assert_eq!(Guard::On.apply(&text), format!("'{text}"));
            assert_eq!(Guard::Off.apply(&text), text);
        }
    }
    for text in ["", "'", "a=1", "'a", " =1", "1-1"] {
        assert_eq!(Guard::On.apply(text), text);
    }
}

/// Names that need escapes, or look like headers.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::sample::select(vec!["a", "b", "", "_id", "a/b", "~", "=1", "é"])
            .prop_map(str::to_owned),
        "[a-c]{1,2}"
    ]
}

pub(crate) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[-=+@'\t 0-9a-c\"\\\\,;|\n]{0,6}",
        proptest::sample::select(vec![
            "", "5", " 5", "true", "null", "[1]", "{}", "\"x\"", "'=1", "''-1", "-5", "1e5", "＝"
        ])
        .prop_map(str::to_owned),
    ]
}

pub(crate) fn value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-20_i64..20).prop_map(Value::from),
        (-9.0..9.0_f64).prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    scalar.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::btree_map(name(), inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

pub(crate) fn schema() -> impl Strategy<Value = Value> {
    let types = vec![
        json!({}),
        json!({"type": "string"}),
        json!({"type": "integer"}),
        json!({"type": "number"}),
        json!({"type": "boolean"}),
        json!({"type": "array"}),
        json!({"type": "object"}),
        json!({"type": ["string", "number"]}),
        json!({"type": ["string", "null"]}),
        json!({"type": ["string", "boolean", "array"]}),
        json!({"enum": ["5", 5, null]}),
        json!({"const": "x"}),
        json!({"$ref": "#"}),
    ];
    proptest::sample::select(types).prop_recursive(3, 24, 4, |inner| {
        let properties = proptest::collection::btree_map(name(), inner.clone(), 0..4);
        let properties =
            properties.prop_map(|members| Value::Object(members.into_iter().collect()));
        prop_oneof![
            (properties, any::<bool>()).prop_map(|(members, is_typed)| if is_typed {
                json!({"type": "object", "properties": members})
            } else {
                json!({"properties": members})
            }),
            (inner.clone(), inner.clone()).prop_map(|(one, two)| json!({"anyOf": [one, two]})),
            (inner.clone(), inner)
                .prop_map(|(one, two)| json!({"allOf": [one], "if": {}, "then": two})),
        ]
    })
}

proptest! {
    #[test]
    fn data_is_read_back_from_its_cells(
        schema in schema(), data in value(), is_spaced in any::<bool>(), is_guarded in any::<bool>()
    ) {
        // Some random schemas refer to themselves without end, and are rejected.
        let Ok(schema) = DataSchema::compile(&schema.to_string()) else { return Ok(()) };
        let columns = Columns::of(Some(&schema), "en");
        let text = if is_spaced {
            serde_json::to_string_pretty(&data).unwrap()
        } else {
            data.to_string()
        };
        let guard = if is_guarded { Guard::On } else { Guard::Off };
        let cells = columns.cells(&text, guard);
        prop_assert_eq!(read(&columns, &cells, guard), parse_json(&text).unwrap());
        let mut headers: Vec<_> = columns.headers(Headers::Path).collect();
        headers.sort_unstable();
        headers.dedup();
        prop_assert_eq!(headers.len(), columns.leaves().len() + 7);
    }
}

pub(crate) fn submission(number: u128, data: Option<&str>) -> Submission {
    let moment: Timestamp = "2026-11-24T02:00:00.000Z".parse().unwrap();
    Submission {
        id: SubmissionId::from_uuid(Uuid::from_u128(number)),
        form: FormId::from_uuid(Uuid::from_u128(7)),
        data: data.map(Into::into),
        state: SubmissionState::Submitted,
        creator: UserId::new("=ann").unwrap(),
        last_modified_by: UserId::new("bob").unwrap(),
        date_created: moment,
        date_last_modified: moment,
        revision: Revision::from_uuid(Uuid::nil()),
        files: Vec::new(),
        tags: Tags::default(),
    }
}

/// A document of windows of submissions.
fn document(format: TextFormat, windows: &[&[Submission]]) -> String {
    let columns = columns(
        r#"{"properties": {"=a": {"type": "string"}, "n": {"type": "number", "title": "Number"}}}"#,
    );
    let mut writer = TextWriter::new(format, Arc::new(columns));
    let mut document = Vec::new();
    writer.begin(&mut document).unwrap();
    for window in windows {
        writer.rows(window, &mut document).unwrap();
    }
    let rows: usize = windows.iter().map(|rows| rows.len()).sum();
    assert_eq!(writer.count(), rows as u64);
    writer.end(&mut document).unwrap();
    String::from_utf8(document).unwrap()
}

fn two_windows(format: TextFormat) -> String {
    let data = "{\"=a\": \"-1, \\\"x\\\"\\r\\n\", \"n\": -1.50, \"b\": \"\"}";
    let first = [submission(1, Some(data)), submission(2, None)];
    document(format, &[&first, &[submission(3, Some("{\n}"))]])
}

const BEGINNING: &str =
    "_identifier,_submissionState,_creatorId,_dateCreated,_lastModifiedById,_dateLastModified";
const FIRST_CELLS: &str = "submitted,'=ann,2026-11-24T02:00:00.000Z,bob,2026-11-24T02:00:00.000Z";

#[test]
fn csv_is_quoted_guarded_and_ends_lines_with_crlf() {
    let id = |number| Uuid::from_u128(number).to_string();
    let rows = [
        format!("{BEGINNING},'=a,n,_other"),
        format!(
            "{},{FIRST_CELLS},\"'-1, \"\"x\"\"\r\n\",-1.50,\"{{\"\"/b\"\":\"\"\"\"}}\"",
            id(1)
        ),
        format!("{},{FIRST_CELLS},,,", id(2)),
        format!("{},{FIRST_CELLS},,,", id(3)),
        String::new(),
    ];
    let written = two_windows(TextFormat::Csv(CsvOptions::default()));
    assert_eq!(written, rows.join("\r\n"));
}

#[test]
fn csv_has_what_its_options_ask_for() {
    let options = CsvOptions {
        headers: Headers::Label,
        guard: Guard::Off,
        bom: true,
        separator: Separator::Semicolon,
        end_marker: true,
    };
    let written = document(TextFormat::Csv(options.clone()), &[]);
    let beginning = BEGINNING.replace(',', ";");
    assert_eq!(
        written,
        format!("\u{feff}{beginning};=a;Number;_other\r\n#end,rows=0\r\n")
    );
    let tabs = CsvOptions {
        separator: Separator::Tab,
        bom: false,
        ..options
    };
    let written = two_windows(TextFormat::Csv(tabs));
    assert!(written.contains("\tsubmitted\t=ann\t"), "{written}");
    assert!(written.ends_with("\t\t\t\r\n#end,rows=3\r\n"), "{written}");
}

#[test]
fn json_and_ndjson_have_the_members_of_the_interface() {
    let item = |number: u128, data: Value| {
        json!({
            "identifier": Uuid::from_u128(number).to_string(),
            "formIdentifier": Uuid::from_u128(7).to_string(),
            "dataFeedElement": data,
            "submissionState": "submitted",
            "creatorId": "=ann",
            "lastModifiedById": "bob",
            "dateCreated": "2026-11-24T02:00:00.000Z",
            "dateLastModified": "2026-11-24T02:00:00.000Z",
        })
    };
    let data = "{\"=a\": \"-1, \\\"x\\\"\\r\\n\", \"n\": -1.50, \"b\": \"\"}";
    let items = [
        item(1, data.into()),
        item(2, Value::Null),
        item(3, "{\n}".into()),
    ];

    let written = two_windows(TextFormat::Json);
    let expected = json!({"items": items, "count": 3});
    assert_eq!(parse_json(&written).unwrap(), expected);
    let empty = document(TextFormat::Json, &[]);
    assert_eq!(empty, "{\"items\":[],\"count\":0}\n");

    let written = two_windows(TextFormat::Ndjson { end_marker: true });
    let lines: Vec<Value> = written
        .lines()
        .map(|line| parse_json(line).unwrap())
        .collect();
    assert_eq!(lines[..3], items);
    assert_eq!(lines[3..], [json!({"end": {"rows": 3}})]);
    assert_eq!(document(TextFormat::Ndjson { end_marker: false }, &[]), "");
}

const WITH_FILES: &str = r#"{
    "properties": {"a": {"type": "string"}},
    "files": {"cv": {"allowedMimeTypes": ["*/*"]}}
}"#;

/// A submission with files of these names.
fn with_files(names: &[&str]) -> Submission {
    let submission = submission(1, Some("{}"));
    let file = |(name, number): (&&str, u128)| SubmittedFile {
        id: FileId::from_uuid(Uuid::from_u128(number)),
        submission: submission.id,
        attribute: FileAttributeName::new("cv").unwrap(),
        name: FileName::clean(name).unwrap(),
        size: 3,
        mime_type: MimeType::from_stored("text/plain".to_owned()),
        sha256: ContentHash::of(b"one"),
        creator: UserId::SYSTEM,
        date_created: submission.date_created,
    };
    let files = names.iter().zip(1..).map(file).collect();
    Submission {
        files,
        ..submission
    }
}

#[test]
fn tables_name_files_if_the_schema_has_rules_about_them() {
    let headers = |schema: &str| {
        let columns = columns(schema);
        let headers = columns.headers(Headers::Path).map(str::to_owned);
        headers.skip(6).collect::<Vec<_>>()
    };
    assert_eq!(headers(WITH_FILES), ["a", "_submittedFiles", "_other"]);
    let additional = r#"{"additionalFiles": true}"#;
    assert_eq!(headers(additional), ["_submittedFiles", "_other"]);
    for none in ["{}", r#"{"additionalFiles": false, "files": {}}"#] {
        assert_eq!(headers(none), ["_other"], "{none}");
    }
    let mut document = Vec::new();
    let options = CsvOptions::default();
    let columns = Arc::new(columns(WITH_FILES));
    let mut writer = TextWriter::new(TextFormat::Csv(options), columns);
    let rows = [with_files(&["=a.txt", "b, c.txt"]), with_files(&[])];
    writer.rows(&rows, &mut document).unwrap();
    let written = String::from_utf8(document).unwrap();
    let ends: Vec<&str> = written
        .lines()
        .map(|line| line.split_once(",,").unwrap().1)
        .collect();
    assert_eq!(ends, [r#""'=a.txt, b, c.txt","#, ","]);
}

/// A submission with these tags.
fn with_tags(tags: &[&str]) -> Submission {
    Submission {
        tags: tags.iter().map(|tag| Tag::new(tag).unwrap()).collect(),
        ..submission(1, Some("{}"))
    }
}

#[test]
fn every_format_has_the_tags_for_those_who_may_see_them() {
    let rows = [with_tags(&["=new", "a, b"]), with_tags(&[])];
    let written = |format: TextFormat, columns: Columns| {
        let mut writer = TextWriter::new(format, Arc::new(columns));
        let mut document = Vec::new();
        writer.begin(&mut document).unwrap();
        writer.rows(&rows, &mut document).unwrap();
        String::from_utf8(document).unwrap()
    };
    let columns = columns(r#"{"properties": {"_tags": {"type": "string"}}}"#);
    let csv = || TextFormat::Csv(CsvOptions::default());
    let table = written(csv(), columns.clone().with_tags());
    let lines: Vec<&str> = table.split("\r\n").collect();
    assert_eq!(lines[0], format!("{BEGINNING},_tags,/_tags,_other"));
    assert!(lines[1].ends_with(r#","[""=new"",""a, b""]",,"#), "{table}");
    assert!(lines[2].ends_with("Z,,,"), "{table}");
    assert!(!written(csv(), columns.clone()).contains("=new"));

    let ndjson = || TextFormat::Ndjson { end_marker: false };
    let lines = written(ndjson(), columns.clone().with_tags());
    let tags: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["tags"].clone())
        .collect();
    assert_eq!(tags, [json!(["=new", "a, b"]), json!([])]);
    assert!(!written(ndjson(), columns).contains("tags"));
}

#[test]
fn json_describes_files() {
    let ndjson = TextFormat::Ndjson { end_marker: false };
    let written = document(ndjson, &[&[with_files(&["a.txt"])]]);
    let item: Value = serde_json::from_str(&written).unwrap();
    let expected = json!([{
        "identifier": "00000000-0000-0000-0000-000000000001",
        "fileAttributeName": "cv",
        "fileName": "a.txt",
        "fileSize": 3,
        "mimeType": "text/plain",
        "sha256": ContentHash::of(b"one").to_string(),
    }]);
    assert_eq!(item["submittedFiles"], expected);
}
