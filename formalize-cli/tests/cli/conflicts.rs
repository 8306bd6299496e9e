//! What somebody else changes while a command is about to change it.

use std::fs::OpenOptions;
use std::io::Write;
use std::process::Command;
use std::thread;

use crate::bench::{Bench, Ran};

/// Runs a command that reads its input from the named pipe `pipe`, and another command before it gets any.
///
/// The pipe can be opened for writing once the program has opened it for reading. By then it has read what it is about
/// to change.
fn interrupted(bench: &Bench, line: &str, interruption: &str, input: &str) -> Ran {
    let pipe = bench.path("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    thread::scope(|scope| {
        let command = scope.spawn(|| bench.run(line));
        let mut pipe = OpenOptions::new().write(true).open(&pipe).unwrap();
        bench.run(interruption).expect(0);
        pipe.write_all(input.as_bytes()).unwrap();
        drop(pipe);
        command.join().unwrap()
    })
}

#[test]
fn a_form_that_somebody_else_has_changed_is_left_alone() {
    let bench = Bench::new();
    let form = bench.id("forms create --name A");
    let update = format!("forms update {form} --name B --schema pipe");
    let refused = interrupted(
        &bench,
        &update,
        &format!("forms update {form} --name C"),
        "{}",
    );
    refused.expect(6).saying("changed in the meantime");
    let shown = bench.record(&format!("forms show {form}"));
    assert_eq!(shown["name"], "C");
    assert!(shown["dataFeedSchema"].is_null());
    bench
        .run(&format!("forms update {form} --name B"))
        .expect(0);
}

#[test]
fn a_submission_that_somebody_else_has_changed_is_left_alone() {
    let bench = Bench::new();
    let form = bench.id("forms create --name A --allowed-submission-states draft,submitted");
    bench.write("data.json", "{}");
    let submission = bench.id(&format!(
        "submissions create --form {form} --data data.json"
    ));
    bench.write("other.json", r#"{"by": "somebody else"}"#);
    let update = format!("submissions update {submission} --data pipe");
    let interruption = format!("submissions update {submission} --data other.json");
    interrupted(&bench, &update, &interruption, "{}").expect(6);
    let shown = bench.record(&format!("submissions show {submission}"));
    assert_eq!(shown["dataFeedElement"], r#"{"by": "somebody else"}"#);
}

#[test]
fn who_may_not_read_changes_what_is_there() {
    let bench = Bench::new();
    let form = bench.id("forms create --name A");
    let resource = format!("DbpRelayFormalizeForm/{form}");
    bench
        .run(&format!(
            "grants create --action update --user bob --resource {resource}"
        ))
        .expect(0);
    let update = format!("forms update {form} --name B --schema pipe --as bob");
    let changed = interrupted(
        &bench,
        &update,
        &format!("forms update {form} --name C"),
        "{}",
    );
    changed.expect(0).saying("may not read it");
    assert_eq!(bench.record(&format!("forms show {form}"))["name"], "B");
}
