//! The tables of repeated groups.

use super::workbook::{Found, Sheet, workbook};
use super::*;

const SCHEMA: &str = r#"{"properties": {
    "name": {"type": "string"},
    "guests": {"title": "Guests", "type": "array", "items": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "title": "Name of the guest"},
            "age": {"type": "integer"},
            "meal": {"oneOf": [{"const": "m", "title": "=Meat"}]},
            "days": {"type": "array", "uniqueItems": true, "items": {"enum": ["sa", "su"]}},
            "address": {"type": "object", "properties": {"town": {"type": "string"}}}
        }
    }},
    "words": {"type": "array", "items": {"type": "string"}}
}}"#;

fn grouped(schema: &str) -> Columns {
    let schema = DataSchema::compile(schema).unwrap();
    Columns::of(Some(&schema), "de").with_groups(Some(&schema), "de")
}

/// The rows of a sheet, as far as they have cells; numbers with `#`.
fn rows((_, cells): &Sheet) -> Vec<Vec<String>> {
    let number = |reference: &str| {
        reference
            .trim_start_matches(char::is_alphabetic)
            .parse::<usize>()
            .unwrap()
    };
    let width = cells
        .keys()
        .filter(|reference| number(reference) == 1)
        .count();
    let last = cells
        .keys()
        .map(|reference| number(reference))
        .max()
        .unwrap();
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let row = |row: usize| {
        let cell = |letter| match cells.get(&format!("{letter}{row}")) {
            Some(Found::Text(text)) => text.clone(),
            Some(Found::Number(number)) => format!("#{number}"),
            None => String::new(),
        };
        letters.chars().take(width).map(cell).collect()
    };
    (1..=last).map(row).collect()
}

fn names(sheets: &[Sheet]) -> Vec<&str> {
    sheets.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn each_item_of_a_group_has_a_row() {
    let data = [
        r#"{"guests": [{"name": "=Ada", "age": 36, "meal": "m", "days": ["su"], "address": {"town": "Graz"}}, {"name": "Bob", "pet": 1}]}"#,
        r#"{"guests": []}"#,
        r#"{"guests": [[1], {}]}"#,
        r#"{"guests": "none"}"#,
    ];
    let data: Vec<_> = data
        .iter()
        .zip(1..)
        .map(|(data, id)| submission(id, Some(data)))
        .collect();
    let found = workbook(grouped(SCHEMA), &data, 9);
    assert_eq!(names(&found), ["Submissions", "guests", "About"]);
    let id = |number| Uuid::from_u128(number).to_string();
    let (first, third) = (id(1), id(3));
    let headers = [
        "_identifier",
        "_position",
        "name",
        "age",
        "meal",
        "days",
        "address/town",
        "_other",
    ];
    let expected = [
        headers,
        [&*first, "#1", "=Ada", "#36", "m", "[\"su\"]", "Graz", ""],
        [&*first, "#2", "Bob", "", "", "", "", "{\"/pet\":1}"],
        [&*third, "#1", "", "", "", "", "", "{\"\":[1]}"],
        [&*third, "#2", "", "", "", "", "", ""],
    ];
    assert_eq!(rows(&found[1]), expected);
    // The table of submissions has the whole list, too.
    let main = rows(&found[0]);
    assert!(
        main[1][7].starts_with(r#"[{"name":"=Ada","age":36,"#),
        "{main:?}"
    );
}

#[test]
fn groups_have_labels_and_continue_on_further_sheets() {
    let schema = DataSchema::compile(SCHEMA).unwrap();
    let columns = Columns::of(Some(&schema), "de");
    let one = columns
        .clone()
        .with_labels(Some(&schema), "de")
        .with_groups(Some(&schema), "de");
    let other = columns
        .with_groups(Some(&schema), "de")
        .with_labels(Some(&schema), "de");
    let data = r#"{"guests": [{"meal": "m"}, {"meal": "x"}, {"days": ["su"]}]}"#;
    for columns in [one, other] {
        let found = workbook(columns, &[submission(1, Some(data))], 2);
        assert_eq!(
            names(&found),
            ["Submissions", "guests", "guests 2", "About"]
        );
        let (first, second) = (rows(&found[1]), rows(&found[2]));
        assert_eq!(
            first[0][4..9],
            ["meal", "days", "days: sa", "days: su", "address/town"]
        );
        assert_eq!(first[0].last().unwrap(), "_notShown");
        assert_eq!((&*first[1][4], &*first[2][4]), ("=Meat", "x"));
        assert_eq!(second[0], first[0]);
        assert_eq!(
            (second.len(), &*second[1][1], &*second[1][7]),
            (2, "#3", "#1")
        );
    }
}

/// The names of the sheets of groups with these names.
fn sheets_of(groups: &[&str]) -> Vec<String> {
    let group = r#"{"type": "array", "items": {"properties": {"a": {}}}}"#;
    let properties = groups
        .iter()
        .map(|name| format!("{}: {group}", json!(name)));
    let properties = properties.collect::<Vec<_>>().join(", ");
    let schema = format!(r#"{{"properties": {{{properties}}}}}"#);
    let found = workbook(grouped(&schema), &[], 9);
    let names = found[1..found.len() - 1].iter();
    names.map(|(name, _)| name.clone()).collect()
}

#[test]
fn sheets_have_names_that_spreadsheet_programs_accept() {
    let long = "x".repeat(40);
    let (one, another) = (format!("{long}1"), format!("{long}2"));
    let (begun, faces) = ("x".repeat(31), "😀".repeat(20));
    for (groups, expected) in [
        (&["a:b*c?", "[d]\\e"][..], &["a b c", "d  e"][..]),
        (&["'a'", "''"], &["a", "Group"]),
        (
            &["about", "HISTORY", "submissions"],
            &["about 2", "HISTORY 2", "submissions 2"],
        ),
        (&["Guest", "guest"], &["Guest", "guest 2"]),
        (
            &[&one, &another],
            &[&begun, &format!("{} 2", "x".repeat(29))],
        ),
        (&[&faces], &[&"😀".repeat(15)]),
        (&["a\u{1}b\u{ffff}"], &["a b"]),
        (&["=1+1"], &["=1+1"]),
    ] {
        assert_eq!(sheets_of(groups), expected, "{groups:?}");
    }
}

#[test]
fn only_lists_of_objects_are_groups_and_they_are_limited() {
    let found = |property: Value| {
        let schema = json!({"properties": {"a": property}}).to_string();
        workbook(grouped(&schema), &[], 9).len() - 2
    };
    let object = json!({"type": "object", "properties": {"b": {"type": "string"}}});
    for (property, number) in [
        (json!({"type": "array", "items": object}), 1),
        (
            json!({"type": ["array", "null"], "items": {"$ref": "#"}}),
            1,
        ),
        (
            json!({"anyOf": [{"type": "array", "items": object}, {"type": "string"}]}),
            1,
        ),
        (json!({"type": "array", "items": {"type": "string"}}), 0),
        (json!({"type": "array", "items": {"type": "object"}}), 0),
        (
            json!({"type": "array", "items": {"type": ["object", "string"], "properties": {"b": {}}}}),
            0,
        ),
        (
            json!({"type": "array", "prefixItems": [object], "items": object}),
            0,
        ),
        (json!({"type": "string", "items": object}), 0),
    ] {
        assert_eq!(found(property.clone()), number, "{property}");
    }
    let many: Vec<String> = (0..60).map(|number| format!("group {number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(sheets_of(&many).len(), Columns::MAX_GROUPS);
    let wide: Map<String, Value> = (0..700).map(|n| (format!("m{n}"), json!({}))).collect();
    let wide = json!({"type": "array", "items": {"properties": wide}});
    let schema = json!({"properties": {"a": wide, "b": wide, "c": wide}}).to_string();
    let columns = grouped(&schema);
    let leaves: Vec<_> = columns
        .groups
        .iter()
        .map(|group| group.columns.leaves().len())
        .collect();
    assert_eq!(leaves, [700, 300]);
}
