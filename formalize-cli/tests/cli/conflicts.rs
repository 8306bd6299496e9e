//! Records that are changed concurrently while a command is about to change them.

use std::fs::OpenOptions;
use std::io::Write;
use std::process::Command;
use std::thread;

use crate::bench::{Bench, Ran};

/// Runs a command that reads its input from the named pipe `pipe`, and another command before the input is written.
///
/// The pipe can be opened for writing once the program has opened it for reading. By then the program has read the
/// record that it is about to change.
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
fn a_concurrently_changed_form_is_not_overwritten() {
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
fn a_concurrently_changed_submission_is_not_overwritten() {
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
fn without_read_permission_the_current_revision_is_changed() {
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
