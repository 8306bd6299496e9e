//! Submissions from lines of input.

use serde_json::{Value, json};

use crate::bench::{Bench, Ran};

const SCHEMA: &str = r#"{"required": ["email"], "properties": {"email": {"format": "email"}}}"#;

fn create(bench: &Bench, rest: &str) -> String {
    bench.write("schema.json", SCHEMA);
    let form = bench.id(&format!(
        "forms create --name F --schema schema.json {rest}"
    ));
    format!("submissions create --form {form} --data -")
}

fn good(number: usize) -> String {
    format!("{{\"email\":  \"u{number}@example.org\"}}")
}

fn rejected(bench: &Bench, file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(bench.path(file)).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Like [`Ran::expect`], but for imports, which print the created submissions even if they fail.
#[track_caller]
fn ended(ran: Ran, code: i32) -> Ran {
    assert_eq!(ran.code, code, "{ran:?}");
    ran
}

#[test]
fn a_rejected_line_does_not_affect_others() {
    let bench = Bench::new();
    let create = create(&bench, "");
    let latin1 = "{\"email\": \"\u{e4}\"}";
    let input = [
        &good(1),
        "",
        r#"{"email": "bob"}"#,
        "no json",
        &good(2),
        latin1,
        &good(3),
    ];
    let ran = ended(
        bench.run_with_input(&format!("{create} -o json"), &input.join("\r\n")),
        7,
    );
    assert!(ran.err.contains("created 3 submissions"), "{ran:?}");
    assert!(
        ran.err
            .contains("error: rejected 3 lines; see rejected.ndjson"),
        "{ran:?}"
    );
    let created = ran.json();
    let created = created.as_array().unwrap().iter();
    let data: Vec<&str> = created
        .map(|made| made["dataFeedElement"].as_str().unwrap())
        .collect();
    assert_eq!(data, [good(1), good(2), good(3)]);

    #[cfg(unix)]
    {
        let metadata = std::fs::metadata(bench.path("rejected.ndjson")).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions());
        assert_eq!(
            mode & 0o777,
            0o600,
            "only the owner may read submitted data"
        );
    }
    let lines = rejected(&bench, "rejected.ndjson");
    let numbers: Vec<&Value> = lines.iter().map(|line| &line["line"]).collect();
    assert_eq!(numbers, [&json!(3), &json!(4), &json!(6)]);
    assert_eq!(lines[0]["data"], r#"{"email": "bob"}"#);
    let reason = lines[0]["reasons"][0].as_str().unwrap();
    assert!(reason.starts_with("/email: "), "{reason}");
    assert!(lines.iter().all(|line| !line["reasons"][0].is_null()));
}

#[test]
fn a_document_on_several_lines_is_one_submission() {
    let bench = Bench::new();
    let create = create(&bench, "");
    let pretty = "\n{\n  \"email\": \"bob@example.org\"\n}\n\n";
    let made = bench
        .run_with_input(&format!("{create} -o json"), pretty)
        .expect(0);
    assert_eq!(made.json()["dataFeedElement"], pretty);
    let broken = "{\n  \"email\": \"bob@example.org\",\n}\n";
    bench.run_with_input(&create, broken).expect(7);
    bench.run_with_input(&create, "").expect(7);
    assert!(!bench.path("rejected.ndjson").exists());

    let one = format!("{create} --ndjson -o json");
    let made = bench.run_with_input(&one, &good(1)).expect(0).json();
    assert_eq!(made[0]["dataFeedElement"], good(1).as_str());
    let none = bench.run_with_input(&one, "\n").expect(0);
    assert_eq!(none.out, "[]\n");
    assert!(none.err.contains("created 0 submissions"), "{none:?}");
}

#[test]
fn no_file_is_overwritten() {
    let bench = Bench::new();
    let create = create(&bench, "");
    bench.write("rejected.ndjson", "mine");
    ended(bench.run_with_input(&create, "{}\n{}\n"), 7);
    assert_eq!(rejected(&bench, "rejected-2.ndjson").len(), 2);
    bench.write("data.ndjson", "{}\n{}\n");
    let from_file = create.replace("--data -", "--data data.ndjson");
    ended(bench.run(&from_file), 7);
    assert_eq!(rejected(&bench, "data.ndjson.rejected.ndjson").len(), 2);

    let asked = format!("{create} --rejected mine.ndjson");
    ended(bench.run_with_input(&asked, "{}"), 7);
    assert_eq!(rejected(&bench, "mine.ndjson").len(), 1);
    let again = ended(bench.run_with_input(&asked, &good(1)), 6);
    assert!(
        again.err.contains("mine.ndjson already exists"),
        "{again:?}"
    );
    assert!(again.out.is_empty());
    let kept = std::fs::read_to_string(bench.path("rejected.ndjson")).unwrap();
    assert_eq!(kept, "mine");
}

#[test]
fn rejected_lines_can_be_written_to_standard_output() {
    let bench = Bench::new();
    let create = create(&bench, "");
    let input = format!("{}\n{{}}\n", good(1));
    let ran = ended(
        bench.run_with_input(&format!("{create} --rejected -"), &input),
        7,
    );
    let line: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(line["line"], 2);
    assert!(ran.err.contains("created 1 submission\n"), "{ran:?}");
}

#[test]
fn lines_that_are_too_large_or_over_the_cap_are_rejected() {
    let bench = Bench::new();
    let large = format!("{{\"email\": \"{}\"}}", "x".repeat(1024 * 1024));
    let input = [good(1), large, good(2), good(3)].join("\n");
    for limit in [
        "--max-num-submissions-per-creator 2",
        "--max-num-submissions 2",
    ] {
        let create = create(&bench, limit);
        ended(bench.run_with_input(&create, &input), 7);
        let lines = rejected(&bench, "rejected.ndjson");
        let numbers: Vec<&Value> = lines.iter().map(|line| &line["line"]).collect();
        assert_eq!(numbers, [&json!(2), &json!(4)], "{limit}");
        assert!(lines[0]["reasons"][0].as_str().unwrap().contains("1 MiB"));
        std::fs::remove_file(bench.path("rejected.ndjson")).unwrap();
    }
}

#[test]
fn an_error_that_concerns_all_lines_stops_the_import() {
    let bench = Bench::new();
    let create = create(&bench, "");
    let input = [good(1), good(2)].join("\n");
    let denied = ended(
        bench.run_with_input(&format!("{create} --as bob"), &input),
        5,
    );
    assert!(
        denied.err.contains("error: stopped at line 1: "),
        "{denied:?}"
    );
    let nowhere = "submissions create --form 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b --ndjson --data";
    ended(bench.run_with_input(&format!("{nowhere} -"), &input), 3);
    assert!(!bench.path("rejected.ndjson").exists());
    ended(bench.run(&format!("{nowhere} missing")), 1);
}

#[test]
fn a_stopped_import_reports_the_created_lines() {
    let bench = Bench::new();
    let create = create(&bench, "");
    let input = [&good(1), "{}", &good(2), "no json", &good(3)].join("\n");
    let nowhere = format!("{create} --rejected nowhere/rejected.ndjson");
    let ran = ended(bench.run_with_input(&nowhere, &input), 1);
    assert!(
        ran.err
            .contains("error: stopped at line 2: cannot write nowhere/rejected.ndjson"),
        "{ran:?}"
    );
    let form = create.split(' ').nth(3).unwrap();
    let listed = bench.record(&format!("submissions list --form {form}"));
    let kept = listed.as_array().unwrap().iter();
    let kept: Vec<&str> = kept
        .map(|made| made["dataFeedElement"].as_str().unwrap())
        .collect();
    let created = format!("created {} submission", kept.len());
    assert!(ran.err.contains(&created), "{ran:?}");
    let behind = [(good(2), "3"), (good(3), "5")].into_iter();
    let behind: Vec<&str> = behind
        .filter(|(data, _)| kept.contains(&data.as_str()))
        .map(|(_, line)| line)
        .collect();
    let named = format!("later lines already created: {}\n", behind.join(", "));
    assert_eq!(ran.err.contains(&named), !behind.is_empty(), "{ran:?}");
}

#[test]
fn an_import_stops_if_rejected_lines_cannot_be_written() {
    let bench = Bench::new();
    let create = create(&bench, "");
    bench.write("data.ndjson", "{}\n{}\n");
    let unread = create.replace("--data -", "--data data.ndjson --rejected -");
    assert_eq!(bench.run_unheard(&unread), 1);
}

#[test]
fn many_lines_are_all_imported() {
    const NUMBER: usize = 500;
    let bench = Bench::new();
    let create = create(&bench, "");
    let input: Vec<String> = (0..NUMBER).map(good).collect();
    let ran = bench
        .run_with_input(&format!("{create} -o ndjson"), &input.join("\n"))
        .expect(0);
    assert_eq!(ran.out.lines().count(), NUMBER);
    let form = create.split(' ').nth(3).unwrap();
    let listed = bench
        .run(&format!("submissions list --form {form} -o ndjson"))
        .expect(0);
    assert_eq!(listed.out.lines().count(), NUMBER);
}

/// Lines that are typed or sent occasionally take effect immediately.
#[test]
fn a_line_takes_effect_before_the_next_one_arrives() {
    let bench = Bench::new();
    let create = create(&bench, "");
    let words: Vec<&str> = create.split(' ').collect();
    let mut child = bench.spawn(&[&words[..], &["--ndjson", "-o", "ndjson"]].concat());
    for number in 0..3 {
        child.say(&good(number));
        let made: Value = serde_json::from_str(&child.read_line()).unwrap();
        assert_eq!(made["dataFeedElement"], good(number).as_str());
    }
    child.end();
}
