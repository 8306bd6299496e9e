//! Imports of submissions.

use std::fs;

use serde_json::{Value, json};

use crate::bench::{Bench, Ran};

on_both_databases! {
    submissions_are_the_same_after_an_export_and_an_import,
    an_import_that_was_stopped_goes_on,
    a_cap_takes_the_first_rows,
}

const SCHEMA: &str = r#"{"required": ["name"], "properties": {
    "name": {"type": "string"}, "age": {"type": "integer"}, "any": {},
    "address": {"properties": {"street": {"type": "string"}}}
}}"#;

fn form(bench: &Bench, rest: &str) -> String {
    bench.write("schema.json", SCHEMA);
    bench.id(&format!(
        "forms create --name Survey --schema schema.json --allowed-submission-states draft,submitted {rest}"
    ))
}

/// Imports a file into a form.
fn import(bench: &Bench, form: &str, rest: &str) -> Ran {
    bench.run(&format!("submissions import --form {form} {rest}"))
}

/// The data and states of the submissions of a form, in the order of the list.
fn stored(bench: &Bench, form: &str) -> Vec<(Value, String)> {
    let listed = bench.record(&format!("submissions list --form {form}"));
    let items = listed.as_array().unwrap().iter();
    items
        .map(|item| {
            let data = item["dataFeedElement"].as_str().unwrap();
            let state = item["submissionState"].as_str().unwrap();
            (serde_json::from_str(data).unwrap(), state.to_owned())
        })
        .collect()
}

/// The names of all submissions of a form.
fn names(bench: &Bench, form: &str) -> Vec<String> {
    let stored = stored(bench, form).into_iter();
    stored
        .map(|(data, _)| data["name"].as_str().unwrap().to_owned())
        .collect()
}

/// Like [`Ran::expect`], but for failures that print rejected rows.
#[track_caller]
fn ended(ran: Ran, code: i32) -> Ran {
    assert_eq!(ran.code, code, "{ran:?}");
    ran
}

fn read(bench: &Bench, file: &str) -> String {
    fs::read_to_string(bench.path(file)).unwrap()
}

fn submissions_are_the_same_after_an_export_and_an_import(bench: &Bench) {
    let from = form(bench, "");
    let create = format!("submissions create --form {from} --data -");
    for (data, state) in [
        (json!({"name": "=1+1", "age": 36, "any": "5"}), "submitted"),
        (
            json!({"name": "\"a\",\r\nb;\tc", "any": [1, null], "new": {"a/b": ""}}),
            "submitted",
        ),
        (
            json!({"name": "''@x", "address": {"street": "Main", "zip": 8010}}),
            "submitted",
        ),
        (json!({"age": "unknown", "address": {}}), "draft"),
        (json!([1, 2]), "draft"),
        (json!({"name": "'tis", "age": 1.0}), "submitted"),
    ] {
        let create = format!("{create} --state {state}");
        bench.run_with_input(&create, &data.to_string()).expect(0);
    }
    let expected = stored(bench, &from);
    for (file, options) in [
        ("all.csv", "--end-marker"),
        (
            "bare.csv",
            "--formula-guard false --bom --separator semicolon --end-marker",
        ),
        ("tabs.csv", "--separator tab --end-marker"),
        ("all.ndjson", "--end-marker"),
    ] {
        let export = |form: &str, file: &str| {
            let export = format!("submissions export --form {form} {options} {file}");
            bench.run(&export).expect(0);
        };
        export(&from, file);
        let to = form(bench, "");
        import(bench, &to, file)
            .expect(0)
            .saying("6 submissions created, 0 already there, 0 rejected");
        assert_eq!(stored(bench, &to), expected, "{file}");
        // Its rows are those of the first export, except for identifiers and times.
        let again = format!("again-{file}");
        export(&to, &again);
        let lengths = [file, &again].map(|file| read(bench, file).len());
        assert_eq!(lengths[0], lengths[1], "{file}");
    }
}

fn an_import_that_was_stopped_goes_on(bench: &Bench) {
    let form = form(bench, "");
    let rows: Vec<String> = (0..200)
        .map(|row| format!("id {row},name {row}\r\n"))
        .collect();
    let rows = rows.concat();
    let broken = rows.replace("id 150,name 150\r\n", "id 150,\r\n");
    bench.write("rows.csv", &format!("_identifier,name\r\n{broken}"));
    import(bench, &form, "rows.csv --rejected nowhere/rejected.csv")
        .expect(1)
        .saying("error: stopped at line 152: cannot write nowhere/rejected.csv")
        .saying("run the import again to continue; rows with known keys are skipped");
    let number = names(bench, &form).len();
    assert!((150..200).contains(&number), "{number}");

    bench.write("rows.csv", &format!("_identifier,name\r\n{rows}"));
    let created = 200 - number;
    import(bench, &form, "rows.csv")
        .expect(0)
        .saying(&format!("{created} submission"))
        .saying(&format!("{number} already there, 0 rejected"));
    import(bench, &form, "rows.csv")
        .expect(0)
        .saying("0 submissions created, 200 already there, 0 rejected");
    import(bench, &form, "rows.csv --dry-run")
        .expect(0)
        .saying("0 submissions would be created, 200 already there");
    assert_eq!(names(bench, &form).len(), 200);
}

fn a_cap_takes_the_first_rows(bench: &Bench) {
    let form = form(bench, "--max-num-submissions-per-creator 70");
    let rows: Vec<String> = (0..100).map(|row| format!("name {row}\n")).collect();
    bench.write("rows.csv", &format!("name\n{}", rows.concat()));
    let told = "70 submissions would be created, 0 already there, 30 rejected";
    let tried = ended(import(bench, &form, "rows.csv --dry-run"), 7).saying(told);
    assert_eq!(tried.out.lines().count(), 31, "{tried:?}");
    assert!(
        tried.out.starts_with("name,_error\r\nname 70,"),
        "{tried:?}"
    );
    assert_eq!(stored(bench, &form), []);
    import(bench, &form, "rows.csv")
        .expect(7)
        .saying("70 submissions created, 0 already there, 30 rejected")
        .saying("error: rejected 30 rows; see rows.csv.rejected.csv");
    let expected: Vec<String> = (0..70).map(|row| format!("name {row}")).collect();
    assert_eq!(names(bench, &form), expected);
    assert_eq!(read(bench, "rows.csv.rejected.csv"), tried.out);
}

#[test]
fn headers_that_are_no_columns_stop_the_import() {
    let bench = Bench::new();
    let form = form(&bench, "");
    bench.write(
        "rows.csv",
        "Full name,E-mail,age,Room,\nAda,a@example.org,36,7,\n",
    );
    let refused = import(&bench, &form, "rows.csv --map Age=age").expect(2);
    for problem in [
        "there is no header `Age`",
        "the form has no column `Full name`",
        "the form has no column `E-mail`",
        "the form has no column `Room`",
        "column 5 has no header",
    ] {
        assert!(refused.err.contains(problem), "{refused:?}");
    }
    let words = |rest: &[&'static str]| {
        let words = ["submissions", "import", "--form", &form, "rows.csv"];
        bench.start(&[&words[..], rest].concat(), &[], "")
    };
    words(&["--map", "Full name=nam", "--ignore-unknown"])
        .expect(2)
        .saying("the form has no column `nam`, to which the header `Full name` is mapped");
    words(&["--map", "Full name=age", "--ignore-unknown"])
        .expect(2)
        .saying("two headers stand for the column `age`");
    assert_eq!(stored(&bench, &form), []);

    let named = [
        "--map",
        "Full name=name",
        "--ignore",
        "E-mail",
        "--ignore",
        "Room",
    ];
    words(&[&named[..], &["--ignore", ""]].concat()).expect(0);
    words(&["--map", "Full name=name", "--ignore-unknown"]).expect(0);
    let expected = (json!({"name": "Ada", "age": 36}), "submitted".to_owned());
    assert_eq!(stored(&bench, &form), [expected.clone(), expected]);
}

#[test]
fn cells_are_read_by_the_schema() {
    let bench = Bench::new();
    let form = form(&bench, "");
    let rows = [
        "\u{feff}name;age;any;address/street;_other;_submissionState",
        "'=1+1;36;5;\"Main\nStreet\";\"{\"\"/age\"\": 37, \"\"/x\"\": \"\"\"\"}\";",
        "5;;5a;;;draft",
    ];
    bench.write("rows.csv", &rows.join("\n"));
    import(&bench, &form, "rows.csv").expect(0);
    let expected = [
        (
            json!({"name": "=1+1", "age": 37, "any": 5, "address": {"street": "Main\nStreet"}, "x": ""}),
            "submitted".to_owned(),
        ),
        (json!({"name": "5", "any": "5a"}), "draft".to_owned()),
    ];
    assert_eq!(stored(&bench, &form), expected);
    let rows = "name;_submissionState\nAda;draft\n";
    bench.write("states.csv", rows);
    import(&bench, &form, "states.csv --state submitted").expect(0);
    assert_eq!(stored(&bench, &form)[2].1, "submitted");
}

#[test]
fn rejected_rows_can_be_mended_and_imported() {
    let bench = Bench::new();
    let form = form(&bench, "");
    let rows = [
        "_identifier,name,age,any",
        "1,Ada,36,",
        "2,Bob,old,",
        "3,,1,\"x,y\"",
        "4,Eve",
        "5,Tom,1,2,3",
        "6,Zoe,7,",
        "",
    ];
    bench.write("rows.csv", &rows.join("\n"));
    import(&bench, &form, "rows.csv --rejected bad.csv")
        .expect(7)
        .saying("2 submissions created, 0 already there, 4 rejected")
        .saying("error: rejected 4 rows; see bad.csv");
    let expected = [
        "_identifier,name,age,any,_error",
        "2,Bob,old,,/age: must be an integer",
        "3,,1,\"x,y\",`name` is required",
        "4,Eve,,,has 2 cells instead of 4",
        "5,Tom,1,2,3,has 5 cells instead of 4",
        "",
    ];
    assert_eq!(read(&bench, "bad.csv"), expected.join("\r\n"));
    import(&bench, &form, "rows.csv --rejected bad.csv")
        .expect(6)
        .saying("bad.csv already exists");

    let mended = read(&bench, "bad.csv").replace(",old,", ",40,");
    bench.write("mended.csv", &mended.replace("3,,", "3,Tim,"));
    import(&bench, &form, "mended.csv")
        .expect(7)
        .saying("3 submissions created, 0 already there, 1 rejected");
    assert_eq!(names(&bench, &form), ["Ada", "Zoe", "Bob", "Tim", "Eve"]);
    let still = [
        "_identifier,name,age,any,_error",
        "5,Tom,1,2,3,has 5 cells instead of 4,has 6 cells instead of 5",
        "",
    ];
    assert_eq!(read(&bench, "mended.csv.rejected.csv"), still.join("\r\n"));

    let lines = [
        r#"{"dataFeedElement": "{\"name\": \"Ida\"}", "submissionState": "submitted"}"#,
        r#"{"dataFeedElement": "{\"age\": 1}", "submissionState": "submitted"}"#,
        "no json",
        r#"{"data": 1}"#,
    ];
    bench.write("rows.ndjson", &lines.join("\n"));
    import(&bench, &form, "rows.ndjson")
        .expect(7)
        .saying("1 submission created");
    let rejected = read(&bench, "rows.ndjson.rejected.ndjson");
    let errors = rejected
        .lines()
        .map(|line| -> Value { serde_json::from_str(line).unwrap() });
    let errors: Vec<Value> = errors.map(|line| line["_error"].clone()).collect();
    assert_eq!(errors[0], "`name` is required");
    assert!(
        errors[1].as_str().unwrap().starts_with("is not valid JSON"),
        "{errors:?}"
    );
    assert_eq!(errors[2], "unknown field `data`");
    let mended = rejected
        .lines()
        .next()
        .unwrap()
        .replace("\\\"age\\\": 1", "\\\"name\\\": \\\"Kim\\\"");
    bench.write("mended.ndjson", &mended);
    import(&bench, &form, "mended.ndjson").expect(0);
    assert_eq!(names(&bench, &form)[5..], ["Ida", "Kim"]);
}

#[test]
fn rows_with_known_keys_are_not_imported_again() {
    let bench = Bench::new();
    let form = form(&bench, "");
    bench.write("rows.csv", "Number,name\n7,Ada\n8,Bob\n7,Ada\n");
    let keyed = "rows.csv --key-column Number";
    import(&bench, &form, keyed)
        .expect(0)
        .saying("2 submissions created, 1 already there, 0 rejected");
    bench.write("rows.csv", "Number,name\n7,Ada\n8,Rob\n,Tim\n9,Kim\n");
    import(&bench, &form, keyed)
        .expect(7)
        .saying("1 submission created, 1 already there, 2 rejected");
    let expected = [
        "Number,name,_error",
        "8,Rob,a row with the same key and other data was imported before",
        ",Tim,`Number` is the key and must have 1 to 255 characters and no control characters",
        "",
    ];
    assert_eq!(read(&bench, "rows.csv.rejected.csv"), expected.join("\r\n"));
    assert_eq!(names(&bench, &form), ["Ada", "Bob", "Kim"]);
    import(&bench, &form, "rows.csv --no-keys --ignore Number")
        .expect(0)
        .saying("4 submissions created");
    import(&bench, &form, "rows.csv --key-column Room")
        .expect(2)
        .saying("there is no header `Room`");
}

#[test]
fn rows_without_keys_must_be_removed_before_the_rest_is_imported() {
    let bench = Bench::new();
    let form = form(&bench, "");
    bench.write("rows.csv", "name\nAda\n\"\"\nBob\n");
    let stopped = import(&bench, &form, "rows.csv --rejected nowhere/rejected.csv")
        .expect(1)
        .saying("error: stopped at line 3: cannot write nowhere/rejected.csv")
        .saying("some rows have no key: remove those before this line before you import the rest");
    let is_behind = names(&bench, &form).contains(&"Bob".to_owned());
    let told = "later rows already imported: lines 4";
    assert_eq!(stopped.err.contains(told), is_behind, "{stopped:?}");
}

#[test]
fn a_dry_run_writes_nothing() {
    let bench = Bench::new();
    let form = form(&bench, "");
    bench.write(
        "rows.csv",
        "_identifier,name,age\n1,Ada,1\n2,Bob,old\n1,Ada,1\n1,Eve,1\n",
    );
    let tried = ended(import(&bench, &form, "rows.csv --dry-run"), 7)
        .saying("1 submission would be created, 1 already there, 2 rejected");
    let expected = [
        "_identifier,name,age,_error",
        "2,Bob,old,/age: must be an integer",
        "1,Eve,1,a row with the same key and other data was imported before",
        "",
    ];
    assert_eq!(tried.out, expected.join("\r\n"));
    assert_eq!(stored(&bench, &form), []);
    assert!(!bench.path("rows.csv.rejected.csv").exists());
    import(&bench, &form, "rows.csv --dry-run --rejected bad.csv").expect(7);
    assert_eq!(read(&bench, "bad.csv"), tried.out);
}

#[test]
fn only_those_who_may_submit_import() {
    let bench = Bench::new();
    let form = form(&bench, "");
    bench.write("rows.csv", "wrong\nAda\n");
    import(&bench, &form, "rows.csv --as bob").expect(5);
    bench
        .run(&format!("forms share {form} --with user:bob --to fill"))
        .expect(0);
    bench.write("rows.csv", "_identifier,_creatorId,name\n1,ann,Ada\n");
    import(&bench, &form, "rows.csv --as bob").expect(0);
    let listed = bench.record(&format!("submissions list --form {form}"));
    assert_eq!(listed[0]["creatorId"], "bob");
    // Keys belong to their user.
    import(&bench, &form, "rows.csv")
        .expect(0)
        .saying("1 submission created");
    let nowhere = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b";
    import(&bench, nowhere, "rows.csv").expect(3);
    import(&bench, &form, "missing.csv")
        .expect(1)
        .saying("cannot read missing.csv");
}

#[test]
fn options_and_formats_must_fit() {
    let bench = Bench::new();
    let form = form(&bench, "");
    bench.write("rows.csv", "name\nAda\n");
    for (rest, message) in [
        (
            "rows.xlsx",
            "the extension names no format; use --format with one of csv, ndjson, data",
        ),
        ("rows", "use --format"),
        ("rows.csv --format xlsx", "invalid value 'xlsx'"),
        (
            "rows.csv --format ndjson --map a=b",
            "--map does not apply to the format ndjson",
        ),
        (
            "- --key-column a",
            "--key-column does not apply to the format data",
        ),
        ("- --no-keys", "--no-keys does not apply to the format data"),
        ("rows.csv --map a", "expected HEADER=PATH"),
        (
            "rows.csv --map a=name --map a=age",
            "--map has the header `a` twice",
        ),
        ("rows.csv --remember 91d", "must be at most 90d"),
        ("rows.csv --remember 1d --no-keys", "cannot be used with"),
    ] {
        let refused = import(&bench, &form, rest);
        assert_eq!(refused.code, 2, "{refused:?}");
        assert!(refused.err.contains(message), "{refused:?}");
    }
    for (content, message) in [
        (&b""[..], "the file has no headers"),
        (b"\n\r\n", "the file has no headers"),
        (b"\"name\nAda\n", "the headers do not end"),
        (b"n\xe4me\nAda\n", "the headers are not encoded in UTF-8"),
    ] {
        fs::write(bench.path("rows.csv"), content).unwrap();
        import(&bench, &form, "rows.csv").expect(7).saying(message);
    }
}

#[test]
fn broken_rows_do_not_affect_others() {
    let bench = Bench::new();
    let form = form(&bench, "");
    let long = "x".repeat(4 * 1024 * 1024);
    let large = "x".repeat(1024 * 1024);
    let mut rows = format!("name,age\n{long},1\nAda,1\n{large},2\n").into_bytes();
    rows.extend(b"B\xf6b,3\nEve,4\n\"Tom,5\nend,6\n");
    fs::write(bench.path("rows.csv"), rows).unwrap();
    import(&bench, &form, "rows.csv")
        .expect(7)
        .saying("2 submissions created, 0 already there, 4 rejected");
    assert_eq!(names(&bench, &form), ["Ada", "Eve"]);
    let rejected = fs::read(bench.path("rows.csv.rejected.csv")).unwrap();
    for part in [
        &b",is longer than 4 MiB\r\n"[..],
        b",2,the data must not be larger than 1 MiB\r\n",
        b"\r\nB\xf6b,3,is not encoded in UTF-8\r\n",
        b"\r\n\"Tom,5\nend,6\n\",,the last quotation mark is not closed\r\n",
    ] {
        let is_there = rejected.windows(part.len()).any(|found| found == part);
        assert!(is_there, "{}", String::from_utf8_lossy(part));
    }
}

#[test]
fn the_end_marker_tells_whether_rows_are_missing() {
    let bench = Bench::new();
    let form = form(&bench, "");
    let headers = "_identifier,name,age\n";
    bench.write("rows.csv", &format!("{headers}1,Ada,1\n#end,rows=2\n"));
    import(&bench, &form, "rows.csv")
        .expect(7)
        .saying("1 submission created")
        .saying("error: line 3: the end marker says 2, but the file has 1 row; is it complete?");
    bench.write("rows.csv", &format!("{headers}1,Ada,1\n#end,rows=1\n"));
    import(&bench, &form, "rows.csv")
        .expect(0)
        .saying("1 already there");
    bench.write(
        "rows.ndjson",
        "{\"end\":{\"rows\":0}}\n{\"dataFeedElement\": \"{\\\"name\\\": \\\"Bob\\\"}\"}\n",
    );
    import(&bench, &form, "rows.ndjson")
        .expect(7)
        .saying("the end marker says 0");
}

/// Lines that are typed or sent occasionally take effect immediately.
#[test]
fn standard_input_is_data() {
    let bench = Bench::new();
    let form = form(&bench, "");
    let input = "{ \"name\":  \"Ada\" }\n\n{\"name\": \"Bob\", \"_error\": \"was wrong\"}\n";
    bench
        .run_with_input(&format!("submissions import --form {form} -"), input)
        .expect(0)
        .saying("2 submissions created");
    let listed = bench.record(&format!("submissions list --form {form}"));
    assert_eq!(listed[0]["dataFeedElement"], "{ \"name\":  \"Ada\" }");
    assert_eq!(listed[1]["dataFeedElement"], "{\"name\":\"Bob\"}");

    let words = [
        "submissions",
        "import",
        "--form",
        &form,
        "-",
        "--rejected",
        "-",
        "--dry-run",
    ];
    let mut child = bench.spawn(&words);
    for line in ["{}", "{\"name\": 5}"] {
        child.say(line);
        let rejected: Value = serde_json::from_str(&child.read_line()).unwrap();
        assert!(rejected["_error"].is_string(), "{rejected}");
    }
}
