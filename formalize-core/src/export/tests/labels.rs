//! Labels in the cells of tables.

use super::*;

/// The columns with labels in German.
fn labelled(schema: &str) -> Columns {
    let schema = DataSchema::compile(schema).unwrap();
    Columns::of(Some(&schema), "de").with_labels(Some(&schema), "de")
}

/// The lines of CSV, without the columns before the values.
fn csv(columns: Columns, headers: Headers, data: &[&str]) -> Vec<String> {
    let options = CsvOptions {
        headers,
        ..CsvOptions::default()
    };
    let mut writer = TextWriter::new(TextFormat::Csv(options), Arc::new(columns));
    let rows: Vec<_> = data.iter().map(|data| submission(1, Some(data))).collect();
    let mut document = Vec::new();
    writer.begin(&mut document).unwrap();
    writer.rows(&rows, &mut document).unwrap();
    let document = String::from_utf8(document).unwrap();
    let values = document
        .lines()
        .map(|line| line.splitn(7, ',').nth(6).unwrap().to_owned());
    values.collect()
}

#[test]
fn choices_have_their_labels() {
    let schema = r#"{"properties": {
        "meal": {"oneOf": [
            {"const": "m", "title": "Meat", "localizedName": {"de": "Fleisch"}}, {"const": 1, "title": "=One"}, {"const": true}
        ]},
        "yes": {"type": "boolean"}, "name": {"type": "string"}, "either": {"type": ["string", "integer"]}
    }}"#;
    let data = [
        r#"{"meal": "m", "yes": true, "name": "m"}"#,
        r#"{"meal": 1, "either": "5"}"#,
        r#"{"meal": true, "either": 5}"#,
        r#"{"meal": "other", "yes": "no", "more": "=1"}"#,
    ];
    let found = csv(labelled(schema), Headers::Path, &data);
    let expected = [
        "meal,yes,name,either,_notShown",
        "Fleisch,true,m,,",
        "'=One,,,5,",
        "true,,,5,",
        // What the schema does not allow is not lost.
        r#"other,,,,"{""/yes"":""no"",""/more"":""=1""}""#,
    ];
    assert_eq!(found, expected);
}

#[test]
fn each_choice_of_a_multiple_choice_has_a_column() {
    let schema = r#"{"properties": {
        "days": {"title": "Days", "type": "array", "uniqueItems": true, "items": {"oneOf": [
            {"const": "sa", "title": "=Saturday"}, {"const": 7, "title": "Sunday"}
        ]}},
        "again": {"title": "Days", "type": "array", "items": {"enum": ["a", "b"]}},
        "texts": {"type": "array", "items": {"type": "string"}}
    }}"#;
    let data = [
        r#"{"days": ["sa", 7], "again": ["b"], "texts": ["a"]}"#,
        r#"{"days": [7, "x",  {"y": 1}], "again": ["a", "a"]}"#,
        r#"{"days": ["x"], "again": []}"#,
        r#"{"days": "sa"}"#,
        "{}",
    ];
    let found = csv(labelled(schema), Headers::Path, &data);
    let expected = [
        "days,days: sa,days: 7,again,again: a,again: b,texts,_notShown",
        r#",1,1,,,1,"[""a""]","#,
        r#""[""x"",{""y"":1}]",,1,"[""a""]",1,,,"#,
        r#""[""x""]",,,[],,,,"#,
        // A draft may have a choice without a list.
        "'=Saturday,,,,,,,",
        ",,,,,,,",
    ];
    assert_eq!(found, expected);
    let headers = csv(labelled(schema), Headers::Label, &[]);
    assert_eq!(
        headers,
        [
            "Days (days),Days (days): =Saturday,Days (days): Sunday,Days (again),Days (again): a,Days (again): b,texts,_notShown"
        ]
    );
}

#[test]
fn headers_of_choices_differ_from_all_others() {
    let schema = r#"{"properties": {
        "a": {"type": "array", "uniqueItems": true, "items": {"oneOf": [
            {"const": "x", "title": "Same"}, {"const": "y", "title": "Same"}
        ]}},
        "b": {"title": "a: Same"}, "a: x": {}
    }}"#;
    let columns = labelled(schema);
    for headers in [Headers::Path, Headers::Label] {
        let mut all: Vec<&str> = columns.headers(headers).collect();
        let number = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), number, "{all:?}");
    }
}

#[test]
fn columns_of_choices_are_limited() {
    let choices: Vec<String> = (0..600).map(|number| format!("choice {number}")).collect();
    let question = json!({"type": "array", "uniqueItems": true, "items": {"enum": choices}});
    let schema = json!({"properties": {"a": question, "b": question, "c": {"enum": ["d"]}}});
    let columns = labelled(&schema.to_string());
    assert!(columns.headers(Headers::Path).count() < Columns::MAX);
    let data = r#"{"a": ["choice 599"], "b": ["choice 599"], "c": "d"}"#;
    let cells = columns.cells_of_table(cells::Reader::Program(Guard::On), data);
    let filled: Vec<_> = cells
        .leaves
        .iter()
        .filter(|cell| **cell != Cell::Empty)
        .collect();
    let stored = Cell::Json(r#"["choice 599"]"#.into());
    assert_eq!(
        filled,
        [&Cell::Number("1"), &stored, &Cell::Text("d".into())]
    );
    assert_eq!(cells.other, None);
}

proptest! {
    /// Rows are as wide as the headers, whatever the schema and the data.
    #[test]
    fn every_cell_with_labels_has_a_header(schema in schema(), data in value()) {
        let Ok(schema) = DataSchema::compile(&schema.to_string()) else { return Ok(()) };
        let columns = Columns::of(Some(&schema), "en").with_labels(Some(&schema), "en");
        let data = data.to_string();
        let cells = columns.cells_of_table(cells::Reader::Program(Guard::On), &data);
        prop_assert_eq!(cells.leaves.len() + 7, columns.headers(Headers::Path).count());
    }
}
