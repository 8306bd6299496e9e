//! `verify` on files: what it leaves alone, and what it says of files that are damaged.

use std::collections::BTreeMap;
use std::fs;

use crate::bench::Bench;

/// All files of the folder with their content.
fn files(bench: &Bench) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(bench.path(".")).unwrap().map(|file| {
        let file = file.unwrap();
        let name = file.file_name().into_string().unwrap();
        (name, fs::read(file.path()).unwrap())
    });
    files.collect()
}

#[test]
fn the_files_of_a_database_are_not_changed() {
    let bench = Bench::new();
    bench.run("groups create Kept").expect(0);
    // A copy does not use a write-ahead log until a server opens it.
    bench.run("backup copy.db").expect(0);
    let before = files(&bench);
    assert_eq!(
        before.keys().collect::<Vec<_>>(),
        ["copy.db", "formalize.db"]
    );
    for name in before.keys() {
        bench
            .run(&format!("verify --database-url sqlite://{name}"))
            .expect(0)
            .saying(": 0 findings");
        assert!(files(&bench) == before, "verifying {name} changed a file");
    }
}

#[test]
fn damaged_files_are_findings() {
    let bench = Bench::new();
    bench.run("groups create Any").expect(0);
    assert_eq!(files(&bench).len(), 1, "everything is in one file");
    let whole = fs::read(bench.path("formalize.db")).unwrap();
    let mut first_page = whole.clone();
    first_page[..100].fill(0x5a);
    let truncated = whole[..whole.len() / 2].to_vec();
    let mut schema = whole.clone();
    schema[100..4096].fill(0x5a);
    for (what, content) in [
        ("the header", first_page),
        ("half of the file", truncated),
        ("the schema", schema),
        ("everything", vec![0x5a; 8192]),
    ] {
        fs::write(bench.path("formalize.db"), content).unwrap();
        let found = bench.run("verify -o json");
        assert_eq!(found.code, 7, "{what}: {found:?}");
        assert!(!found.err.contains("migrate"), "{what}: {found:?}");
        assert_eq!(found.json()[0]["kind"], "damage", "{what}");
        assert!(found.json()[0]["message"].is_string(), "{what}: {found:?}");
    }
}

#[test]
fn a_missing_or_unmigrated_database_is_no_finding() {
    let bench = Bench::empty();
    bench.run("verify").expect(8).saying("formalize migrate up");
    assert!(files(&bench).is_empty(), "nothing is created");
    bench.write("formalize.db", "");
    bench.run("verify").expect(8).saying("formalize migrate up");
}
