//! Submissions.

use serde_json::json;

use crate::bench::Bench;

on_both_databases! {
    lists_are_filtered,
    submissions_are_deleted_one_by_one_or_all_but_drafts,
    a_table_of_submissions_shows_answers,
}

/// A form that requires an email address, allows drafts, and lets everybody submit.
fn form(bench: &Bench, rest: &str) -> String {
    let schema = r#"{"required": ["email", "name"], "properties": {"email": {"format": "email"}}}"#;
    bench.write("schema.json", schema);
    let states = "--allowed-submission-states draft,submitted";
    let id = bench.id(&format!(
        "forms create --name F --schema schema.json {states} {rest}"
    ));
    let grant = "--action create_submissions --dynamic-group everybody";
    let resource = format!("DbpRelayFormalizeForm/{id}");
    bench
        .run(&format!("grants create {grant} --resource {resource}"))
        .expect(0);
    id
}

const VALID: &str = "{\"email\":  \"bob@example.org\", \"name\": \"Bob\"}\r\n";

#[test]
fn data_is_kept_byte_for_byte() {
    let bench = Bench::new();
    let form = form(&bench, "");
    bench.write("data.json", VALID);
    let create = format!("submissions create --form {form} --data data.json --as bob");
    let made = bench.record(&create);
    assert_eq!(made["dataFeedElement"], VALID);
    assert_eq!(made["submissionState"], "submitted");
    assert_eq!(made["creatorId"], "bob");
    let id = made["identifier"].as_str().unwrap();
    let shown = bench.record(&format!("submissions show {id}"));
    assert_eq!(shown["dataFeedElement"], VALID);
    let csv = bench
        .run(&format!("submissions show {id} -o csv"))
        .expect(0);
    assert!(csv.out.contains("bob@example.org"), "{csv:?}");
}

#[test]
fn invalid_data_is_rejected_with_the_paths_of_errors() {
    let bench = Bench::new();
    let create = format!("submissions create --form {} --data -", form(&bench, ""));
    let refused = bench
        .run_with_input(&create, r#"{"email": "bob"}"#)
        .expect(7);
    let lines: Vec<&str> = refused.err.lines().collect();
    assert_eq!(lines[0], "error: invalid data");
    assert_eq!(lines.len(), 3, "{refused:?}");
    assert!(
        lines.iter().any(|line| line.starts_with("  /email: ")),
        "{refused:?}"
    );
    bench.run_with_input(&create, "no json").expect(7);
    bench
        .run_with_input(&format!("{create} --state draft"), "{")
        .expect(7);
    bench
        .run_with_input(&format!("{create} --state draft"), "{}")
        .expect(0);
    bench.write("data.json", &format!("\"{}\"", "x".repeat(1024 * 1024)));
    bench
        .run(&create.replace("--data -", "--data data.json"))
        .expect(7)
        .saying("1 MiB");
    std::fs::write(bench.path("latin1.json"), b"{\"a\": \"\xe4\"}").unwrap();
    bench
        .run(&create.replace("--data -", "--data latin1.json"))
        .expect(7)
        .saying("UTF-8");
    bench
        .run(&create.replace("--data -", "--data missing.json"))
        .expect(1)
        .saying("missing.json");
    bench
        .run_with_input("submissions create --form x --data -", VALID)
        .expect(3);
}

#[test]
fn limits_of_the_form_are_enforced() {
    let bench = Bench::new();
    let capped = form(&bench, "--max-num-submissions-per-creator 1");
    let create = format!("submissions create --form {capped} --data - --as bob");
    bench.run_with_input(&create, VALID).expect(0);
    bench.run_with_input(&create, VALID).expect(6);
    let limited = form(&bench, "--max-num-submissions 1");
    let create = format!("submissions create --form {limited} --data - --as bob");
    bench.run_with_input(&create, VALID).expect(0);
    bench
        .run_with_input(&create, VALID)
        .expect(6)
        .saying("the form has reached its limit of submissions");
    let closed = form(&bench, "--availability-ends 2020-01-01");
    let create = format!("submissions create --form {closed} --data -");
    bench
        .run_with_input(&create, VALID)
        .expect(7)
        .saying("does not accept submissions at this time");
    let no_drafts = bench.id("forms create --name G");
    let create = format!("submissions create --form {no_drafts} --data - --state draft");
    bench
        .run_with_input(&create, VALID)
        .expect(7)
        .saying("draft");
    bench
        .run_with_input(&format!("{create} --as bob"), VALID)
        .expect(5);
    let grants = "--grant-based-submission-authorization";
    bench
        .run(&format!("forms update {capped} {grants}"))
        .expect(6);
}

#[test]
fn an_update_keeps_the_state_by_default() {
    let bench = Bench::new();
    let form = form(&bench, "");
    let create =
        format!("submissions create --form {form} --data - --state draft --as bob -o json");
    let draft = bench.run_with_input(&create, "{}").expect(0).json();
    let id = draft["identifier"].as_str().unwrap();
    let update = format!("submissions update {id} --as bob -o json");
    let corrected = bench
        .run_with_input(&format!("{update} --data -"), VALID)
        .expect(0)
        .json();
    assert_eq!(corrected["submissionState"], "draft");
    assert_eq!(corrected["dataFeedElement"], VALID);
    let cleared = bench
        .run(&format!("{update} --clear-data"))
        .expect(0)
        .json();
    assert_eq!(cleared["dataFeedElement"], json!(null));
    bench.run(&format!("{update} --state submitted")).expect(7);
    bench
        .run_with_input(&format!("{update} --data -"), VALID)
        .expect(0);
    bench.run(&format!("{update} --state submitted")).expect(0);
    // The creator may no longer do this, but the system may.
    bench.run(&format!("{update} --state submitted")).expect(5);
    bench
        .run(&format!("submissions update {id} --state draft"))
        .expect(6);
    let changed = bench.run_with_input(&format!("submissions update {id} --data - -o json"), VALID);
    assert_eq!(changed.expect(0).json()["submissionState"], "submitted");
    bench.run("submissions update x --state draft").expect(3);
    bench.run("submissions update x --clear-data").expect(3);
}

fn lists_are_filtered(bench: &Bench) {
    let form = form(bench, "");
    let create = format!("submissions create --form {form} --data -");
    bench
        .run_with_input(&format!("{create} --as bob --state draft"), VALID)
        .expect(0);
    bench
        .run_with_input(&format!("{create} --as eve"), VALID)
        .expect(0);
    let list = format!("submissions list --form {form}");
    let count = |rest: &str| bench.count(&format!("{list} {rest}"));
    assert_eq!(count(""), 2);
    assert_eq!(count("--as bob"), 1);
    assert_eq!(count("--as eve"), 0);
    assert_eq!(count("--state submitted"), 1);
    assert_eq!(count("--creator-id-equals bob"), 1);
    assert_eq!(count("--creator-id-equals bob --state submitted"), 0);
    assert_eq!(count("--created-from 2020-01-01"), count(""));
    assert_eq!(count("--created-from 9000-01-01T00:00:00+01:00"), 0);
    assert_eq!(count("--created-before 2020-01-01"), 0);
    let keys = bench.record(&format!("{list} --output-validation KEYS"));
    assert_eq!(keys[0]["dataFeedElement"], r#"{"email":"bob@example.org"}"#);
    bench.run("submissions list --form x").expect(3);
}

fn submissions_are_deleted_one_by_one_or_all_but_drafts(bench: &Bench) {
    let form = form(bench, "");
    let create = format!("submissions create --form {form} --data - -o json");
    let first = bench.run_with_input(&create, VALID).expect(0).json();
    bench.run_with_input(&create, VALID).expect(0);
    bench
        .run_with_input(&format!("{create} --state draft"), VALID)
        .expect(0);
    let id = first["identifier"].as_str().unwrap();
    bench
        .run(&format!("submissions delete {id} --as bob"))
        .expect(5);
    bench.run(&format!("submissions delete {id}")).expect(0);
    bench.run(&format!("submissions delete {id}")).expect(3);
    bench.run(&format!("submissions show {id}")).expect(3);

    let all = format!("submissions delete-all --form {form}");
    bench
        .run(&all)
        .expect(2)
        .saying("this deletes 1 submission of the form `F`");
    bench.run(&format!("{all} --as bob")).expect(5);
    bench
        .run(&format!("{all} --yes"))
        .expect(0)
        .saying("deleted 1 submission\n");
    bench.run(&all).expect(2).saying("0 submissions");
    let left = bench.record(&format!("submissions list --form {form}"));
    assert_eq!(left[0]["submissionState"], "draft");
    bench.run("submissions delete-all --form x").expect(3);
}

fn a_table_of_submissions_shows_answers(bench: &Bench) {
    let schema = r#"{"properties": {
        "name": {"type": "string"},
        "address": {"properties": {"city": {"type": "string"}}},
        "seats": {"type": "integer", "tableViewVisibleDefault": true}
    }}"#;
    bench.write("schema.json", schema);
    let form = bench.id("forms create --name F --schema schema.json");
    let create = format!("submissions create --form {form} --data -");
    let data = r#"{"name": "Grace\nHopper", "address": {"city": "Graz"}, "seats": 2}"#;
    bench.run_with_input(&create, data).expect(0);
    bench.run_with_input(&create, "{}").expect(0);
    let table = bench
        .run(&format!("submissions list --form {form}"))
        .expect(0);
    let mut lines = table.out.lines();
    let head: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    let expected = [
        "identifier",
        "state",
        "seats",
        "name",
        "address.city",
        "created",
    ];
    assert_eq!(head[..6], expected);
    assert!(
        lines
            .next()
            .unwrap()
            .contains("submitted  2      Grace Hopper  Graz"),
        "{table:?}"
    );
    assert_eq!(lines.count(), 1, "{table:?}");

    // A user may have permission to read submissions but not their form, and therefore not the schema.
    let grant = "grants create --action read_submissions --user bob";
    bench
        .run(&format!("{grant} --resource DbpRelayFormalizeForm/{form}"))
        .expect(0);
    let list = format!("submissions list --form {form} --as bob");
    let table = bench.run(&list).expect(0);
    assert!(!table.out.contains("seats"), "{table:?}");
    assert_eq!(table.out.lines().count(), 3, "{table:?}");
}
