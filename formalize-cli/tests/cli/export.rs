//! Exports of submissions.

use std::fs;

use serde_json::{Value, json};

use crate::bench::Bench;

on_both_databases! {
    each_format_has_every_submission,
}

const SCHEMA: &str = r#"{"properties": {
    "name": {"type": "string", "localizedName": {"en": "Name", "de": "Der Name"}},
    "age": {"type": "integer"}
}}"#;

/// A form with two submissions.
fn form(bench: &Bench) -> String {
    bench.write("schema.json", SCHEMA);
    let form = bench.id("forms create --name Survey --schema schema.json");
    let create = format!("submissions create --form {form} --data -");
    for data in [
        r#"{"name": "=Ada", "age": 36}"#,
        r#"{"name": "Bob; B.", "other": [1.00]}"#,
    ] {
        bench.run_with_input(&create, data).expect(0);
    }
    form
}

fn each_format_has_every_submission(bench: &Bench) {
    let form = form(bench);
    let listed = bench.record(&format!("submissions list --form {form}"));
    let mut items = listed.as_array().unwrap().clone();
    for item in &mut items {
        // Without files, documents leave them out.
        for member in ["grantedActions", "grantedTagActions", "submittedFiles"] {
            item.as_object_mut().unwrap().remove(member);
        }
    }

    let csv = bench
        .run(&format!("submissions export --form {form}"))
        .expect(0)
        .out;
    let lines: Vec<&str> = csv.split("\r\n").collect();
    assert_eq!(lines.len(), 4, "{csv}");
    assert!(
        lines[0].ends_with("_dateLastModified,_tags,name,age,_other"),
        "{csv}"
    );
    let first = items[0]["identifier"].as_str().unwrap();
    assert!(
        lines[1].starts_with(first) && lines[1].ends_with(",,'=Ada,36,"),
        "{csv}"
    );
    assert!(
        lines[2].ends_with(r#",Bob; B.,,"{""/other"":[1.00]}""#),
        "{csv}"
    );

    let told = bench
        .run(&format!("submissions export --form {form} all.json"))
        .expect(0);
    assert_eq!(told.err, "exported 2 submissions to all.json\n");
    let document = fs::read_to_string(bench.path("all.json")).unwrap();
    let document: Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document, json!({"items": items, "count": 2}));

    bench
        .run(&format!("submissions export --form {form} all.xlsx"))
        .expect(0)
        .saying("exported 2 submissions to all.xlsx");
    let workbook = fs::read(bench.path("all.xlsx")).unwrap();
    assert!(workbook.starts_with(b"PK"));

    let ndjson = bench
        .run(&format!(
            "submissions export --form {form} --format ndjson --end-marker -"
        ))
        .expect(0)
        .out;
    let lines = ndjson
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<Value> = lines.collect();
    assert_eq!(lines[..2], items);
    assert_eq!(lines[2..], [json!({"end": {"rows": 2}})]);
}

#[test]
fn options_change_the_csv() {
    let bench = Bench::new();
    let form = form(&bench);
    let options = "--headers label --language de --formula-guard false --bom --separator semicolon --end-marker";
    bench
        .run(&format!(
            "submissions export --form {form} {options} all.CSV"
        ))
        .expect(0);
    let csv = fs::read_to_string(bench.path("all.CSV")).unwrap();
    assert!(
        csv.starts_with("\u{feff}_identifier;_submissionState;"),
        "{csv}"
    );
    assert!(csv.contains(";Der Name;age;_other\r\n"), "{csv}");
    assert!(csv.contains(";=Ada;36;\r\n"), "{csv}");
    assert!(csv.contains(";\"Bob; B.\";;"), "{csv}");
    assert!(csv.ends_with("\r\n#end,rows=2\r\n"), "{csv}");
}

#[test]
fn a_table_with_labels_cannot_be_imported() {
    let bench = Bench::new();
    bench.write(
        "schema.json",
        r#"{"properties": {"meal": {"title": "Meal", "oneOf": [{"const": "=m", "title": "=Meat"}, {"const": "x"}]}}}"#,
    );
    let form = bench.id("forms create --name Dinner --schema schema.json");
    let create = format!("submissions create --form {form} --data -");
    for data in [r#"{"meal": "=m"}"#, r#"{"meal": "x"}"#] {
        bench.run_with_input(&create, data).expect(0);
    }
    bench
        .run(&format!(
            "submissions export --form {form} --labels all.csv"
        ))
        .expect(0);
    let csv = fs::read_to_string(bench.path("all.csv")).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].ends_with(",_tags,meal,_notShown"), "{csv}");
    assert!(lines[1].ends_with(",'=Meat,"), "{csv}");
    assert!(lines[2].ends_with(",x,"), "{csv}");
    for options in ["", "--ignore-unknown", "--dry-run --ignore _notShown"] {
        bench
            .run(&format!(
                "submissions import --form {form} {options} all.csv"
            ))
            .expect(2)
            .saying("the table has labels instead of stored values")
            .saying("export the submissions without labels");
    }
}

#[test]
fn rows_are_those_that_the_user_may_read() {
    let bench = Bench::new();
    let form = form(&bench);
    let rows = |rest: &str| {
        let export = format!("submissions export --form {form} --format ndjson {rest}");
        bench.run(&export).expect(0).out.lines().count()
    };
    assert_eq!(rows(""), 2);
    assert_eq!(rows("--as eve"), 0);
    assert_eq!(rows("--creator-id-equals eve"), 0);
    assert_eq!(rows("--created-before 9000-01-01"), rows(""));
    assert_eq!(rows("--created-from 9000-01-01"), 0);
    assert_eq!(rows("--created-before 2020-01-01"), 0);
    assert_eq!(rows("--state draft"), 0);
    assert_eq!(rows("--state submitted"), 2);
    let reduced = format!("submissions export --form {form} --output-validation KEYS");
    let reduced = bench.run(&reduced).expect(0).out;
    assert!(!reduced.contains("/other"), "{reduced}");
    // Nothing tells eve what the form asks.
    let headers = format!("submissions export --form {form} --as eve");
    let headers = bench.run(&headers).expect(0).out;
    assert!(
        headers.ends_with(",_dateLastModified,_other\r\n"),
        "{headers}"
    );
}

#[test]
fn exports_overwrite_no_file_and_leave_none_behind() {
    let bench = Bench::new();
    let form = form(&bench);
    bench.write("taken.csv", "something else");
    let export = |rest: &str| bench.run(&format!("submissions export --form {form} {rest}"));
    export("taken.csv")
        .expect(6)
        .saying("taken.csv: the file already exists");
    let taken = fs::read_to_string(bench.path("taken.csv")).unwrap();
    assert_eq!(taken, "something else");
    export("missing/all.csv")
        .expect(1)
        .saying("missing/all.csv");
    export("all").expect(2).saying("use --format");
    export("all.xml").expect(2).saying("use --format");
    export("--format ndjson --bom")
        .expect(2)
        .saying("--bom does not apply to the format ndjson");
    export("all.json --end-marker").expect(2);
    export("all.json --labels")
        .expect(2)
        .saying("--labels does not apply to the format json");
    export("all.xlsx --end-marker").expect(2);
    export("all.xlsx --formula-guard false")
        .expect(2)
        .saying("--formula-guard does not apply to the format xlsx");
    let unknown = "submissions export --form 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b all.csv";
    bench.run(unknown).expect(3);
    let names = fs::read_dir(bench.path(".")).unwrap();
    let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    let left = names.iter().filter(|name| {
        let name = name.to_str().unwrap();
        name.contains("all") || name.starts_with('.')
    });
    assert_eq!(left.count(), 0, "{names:?}");
}
