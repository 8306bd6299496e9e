//! `backup` and `verify`.

use std::fs;

use serde_json::json;

use crate::bench::Bench;

#[test]
fn a_backup_is_a_separate_database() {
    let bench = Bench::new();
    let form = bench.id("forms create --name Kept");
    bench
        .run("backup copy.db")
        .expect(0)
        .saying("copied to copy.db");
    bench.run(&format!("forms delete {form}")).expect(0);
    assert_eq!(bench.count("forms list"), 0);
    let copy = "--database-url sqlite://copy.db";
    assert_eq!(bench.count(&format!("forms list {copy}")), 1);
    bench
        .run(&format!("verify {copy}"))
        .expect(0)
        .saying(": 0 findings");
}

#[test]
fn backups_overwrite_no_file_and_leave_none_behind() {
    let bench = Bench::new();
    bench.write("taken", "something else");
    bench
        .run("backup taken")
        .expect(6)
        .saying("taken: the file already exists");
    assert_eq!(
        fs::read_to_string(bench.path("taken")).unwrap(),
        "something else"
    );
    bench.run("backup missing/copy.db").expect(1);
    bench.run("backup -").expect(2);
    bench
        .run("backup copy.db --database-url sqlite://none.db")
        .expect(8);
    let names = fs::read_dir(bench.path(".")).unwrap();
    let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    let expected = ["formalize.db", "taken"];
    let others = names.iter().filter(|name| {
        let name = name.to_str().unwrap();
        !expected.contains(&name) && !name.starts_with("formalize.db-")
    });
    assert_eq!(others.count(), 0, "{names:?}");
}

#[test]
#[cfg(unix)]
fn only_its_owner_can_read_a_backup() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new();
    for mode in [0o600, 0o644] {
        let file = bench.path("formalize.db");
        fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
        let copy = format!("copy-{mode:o}.db");
        bench.run(&format!("backup {copy}")).expect(0);
        let copied = fs::metadata(bench.path(&copy)).unwrap();
        assert_eq!(copied.permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn findings_set_the_exit_code() {
    let bench = Bench::new();
    assert_eq!(bench.record("verify"), json!([]));
    bench.run("groups create Outer").expect(0);
    // The folded name for searches is stored next to the name.
    let file = bench.path("formalize.db");
    let bytes = fs::read(&file).unwrap();
    let at = bytes.windows(5).position(|part| part == b"outer").unwrap();
    let mut damaged = bytes;
    damaged[at] = b'0';
    fs::write(file, damaged).unwrap();
    let found = bench.run("verify -o json");
    assert_eq!(found.code, 7, "{found:?}");
    assert!(found.err.contains(": 1 finding"), "{found:?}");
    let findings = found.json();
    assert_eq!(findings[0]["kind"], "wrong-copy");
    assert_eq!(findings[0]["table"], "formalize_groups");
    assert!(findings[0]["identifier"].is_string());
    let table = bench.run("verify");
    assert_eq!(table.code, 7);
    assert!(
        table
            .out
            .contains("has a search name that differs from its name")
    );
    for format in ["table", "json", "ndjson", "csv"] {
        assert_eq!(bench.run_unheard(&format!("verify -o {format}")), 7);
    }
}
