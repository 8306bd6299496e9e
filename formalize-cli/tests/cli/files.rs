//! Files of submissions, and backups of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use formalize_core::file_store::folder::FolderFileStore;
use formalize_core::file_store::whole;
use formalize_core::store::sql::{SqlOptions, SqlStore};
use formalize_core::{
    Caller, FileAttributeName, FileName, Formalize, NewFile, NewSubmission, Store as _,
};

use crate::bench::{Bench, block_on};

/// The folder of the contents, beside the database.
const CONTENTS: &str = "formalize.db.files";

/// Makes a draft with files, as a server does. Returns its identifier and those of its files.
fn draft_with(bench: &Bench, contents: &[&str]) -> (String, Vec<String>) {
    let form = bench.id("forms create --name Application --allowed-submission-states draft,submitted");
    block_on(async {
        let store = SqlStore::open(&bench.url(), &SqlOptions::default()).await.unwrap();
        let files = FolderFileStore::open(bench.path(CONTENTS)).unwrap();
        let builder = Formalize::builder(Arc::new(store.clone())).file_store(Arc::new(files));
        let formalize = builder.build().await.unwrap();
        let new = NewSubmission::new(form.parse().unwrap(), "{}").as_draft();
        let submissions = formalize.submissions();
        let mut upload = submissions.upload_new(&Caller::System, new).await.unwrap();
        let mut ids = Vec::new();
        for content in contents {
            let attribute = FileAttributeName::new("notes").unwrap();
            let new = NewFile::new(attribute, FileName::clean("note.txt").unwrap());
            let id = upload.add(new, whole((*content).to_owned())).await.unwrap();
            ids.push(id.to_string());
        }
        let made = upload.finish().await.unwrap().unwrap();
        drop(formalize);
        store.close().await;
        (made.item.id.to_string(), ids)
    })
}

/// The contents in a folder, by the identifiers of their files.
fn contents(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for below in fs::read_dir(folder).unwrap() {
        for file in fs::read_dir(below.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            found.insert(name.to_owned(), fs::read_to_string(&path).unwrap());
        }
    }
    found
}

/// The path of a content.
fn content(file: &str) -> String {
    format!("{CONTENTS}/{}/{file}", &file[file.len() - 2..])
}

#[test]
fn a_backup_includes_files_or_says_that_it_does_not() {
    let bench = Bench::new();
    // Without any files, nothing is missing in a plain backup.
    bench.run("backup before.db").expect(0);
    let (_, files) = draft_with(&bench, &["one", "two"]);
    bench
        .run("backup copy.db")
        .expect(2)
        .saying("add --files FOLDER");
    bench.run("backup copy.db --files a --without-files").expect(2);
    assert!(!bench.path("copy.db").exists());
    bench.run("backup database.db --without-files").expect(0);
    bench
        .run("backup copy.db --files backup")
        .expect(0)
        .saying("copied 2 files to backup; 0 were there");
    let copied = contents(&bench.path("backup"));
    assert_eq!(copied, contents(&bench.path(CONTENTS)));
    assert_eq!(copied[&files[1]], "two");
    bench
        .run("backup again.db --files backup")
        .expect(0)
        .saying("copied 0 files to backup; 2 were there");
    // Without a folder for files there is nothing to copy.
    let off = [("FORMALIZE_FILES_URL", "off")];
    bench.start(&["backup", "off.db"], &off, "").expect(0);
    let refused = bench.start(&["backup", "on.db", "--files", "backup"], &off, "");
    refused.expect(1);
    bench.run("files release").expect(3);
}

#[test]
fn a_backup_that_fails_leaves_no_database() {
    let bench = Bench::new();
    let (_, files) = draft_with(&bench, &["one", "two"]);
    bench.write("taken", "something else");
    bench.run("backup taken --files backup").expect(6);
    bench.run("backup copy.db --files taken").expect(1);
    bench
        .run(&format!("backup copy.db --files {CONTENTS}"))
        .expect(1)
        .saying("folder of the originals");
    assert!(!bench.path("copy.db").exists());
    assert_eq!(contents(&bench.path("backup")).len(), 0);
    // What is missing in the original cannot be copied, but everything else is.
    fs::remove_file(bench.path(&content(&files[0]))).unwrap();
    bench
        .run("backup copy.db --files backup")
        .expect(7)
        .saying(&files[0]);
    assert!(bench.path("copy.db").exists());
    assert_eq!(contents(&bench.path("backup")).len(), 1);
    bench.run("files release").expect(3);
}

on_both_databases! {
    holds_are_released_once,
}

fn holds_are_released_once(bench: &Bench) {
    let hold = bench.record("files hold --for 2h");
    assert!(hold["dateEnds"].is_string(), "{hold}");
    let id = hold["identifier"].as_str().unwrap();
    bench.run(&format!("files release {id}")).expect(0);
    bench
        .run(&format!("files release {id}"))
        .expect(3)
        .saying("has ended");
    bench.run("files hold --for 1h").expect(0);
    bench.run("files hold --for 1h").expect(0);
    bench
        .run("files release")
        .expect(0)
        .saying("released 2 holds");
    for line in ["files hold", "files hold --for 0h", "files hold --for 1h --as bob"] {
        bench.run(line).expect(2);
    }
}

#[test]
fn contents_are_copied_to_a_folder() {
    let bench = Bench::new();
    let (_, files) = draft_with(&bench, &["one", "two"]);
    bench
        .run("files copy elsewhere")
        .expect(0)
        .saying("copied 2 files to elsewhere; 0 were there");
    assert_eq!(contents(&bench.path("elsewhere"))[&files[0]], "one");
    // From another folder, as when a backup is restored.
    fs::remove_dir_all(bench.path(CONTENTS)).unwrap();
    let words = ["files", "copy", CONTENTS];
    let from = [("FORMALIZE_FILES_URL", "file:elsewhere")];
    bench.start(&words, &from, "").expect(0);
    assert_eq!(contents(&bench.path(CONTENTS)).len(), 2);
    bench.run("files copy elsewhere --as bob").expect(2);
}

/// The kinds of the findings of `verify` with these options, and whether the exit code fits them.
fn kinds(bench: &Bench, options: &str) -> Vec<String> {
    let ran = bench.run(&format!("verify -o json {options}"));
    let found = ran.json();
    let kinds = found.as_array().unwrap().iter();
    let kinds: Vec<String> = kinds
        .map(|finding| finding["kind"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(ran.code, if kinds.is_empty() { 0 } else { 7 }, "{ran:?}");
    kinds
}

#[test]
fn verifying_looks_for_contents() {
    let bench = Bench::new();
    assert_eq!(kinds(&bench, "--contents"), [""; 0]);
    assert!(!bench.path(CONTENTS).exists(), "nothing is created");
    let (_, files) = draft_with(&bench, &["one", "two", "three"]);
    assert_eq!(kinds(&bench, "--contents"), [""; 0]);
    bench.write(&content(&files[0]), "ONE");
    assert_eq!(kinds(&bench, ""), [""; 0], "their hashes are not compared");
    assert_eq!(kinds(&bench, "--contents"), ["wrong-hash"]);
    bench.write(&content(&files[0]), "longer");
    fs::remove_file(bench.path(&content(&files[1]))).unwrap();
    let orphan = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b";
    bench.write(&content(orphan), "nobody's");
    let all = ["wrong-size", "missing-file", "orphan-file"];
    assert_eq!(kinds(&bench, ""), all);
    assert_eq!(kinds(&bench, "--contents"), all);
    assert_eq!(kinds(&bench, "--without-files"), [""; 0]);
    bench.run("verify --without-files --contents").expect(2);
}

#[test]
fn a_backup_is_verified_with_its_files() {
    let bench = Bench::new();
    let (_, files) = draft_with(&bench, &["one", "two"]);
    bench.run("backup copy.db --files backup").expect(0);
    let copy = "--database-url sqlite://copy.db";
    let beside = bench.run(&format!("verify {copy}"));
    assert_eq!(beside.code, 7, "{beside:?}");
    assert!(beside.err.contains("copy.db.files does not exist; --files"), "{beside:?}");
    let with_files = format!("{copy} --files backup --contents");
    assert_eq!(kinds(&bench, &with_files), [""; 0]);
    // Those of other backups are not missed.
    let digits = &files[0][files[0].len() - 2..];
    bench.write("backup/00/0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a00", "other");
    assert_eq!(kinds(&bench, &with_files), [""; 0]);
    fs::remove_file(bench.path(&format!("backup/{digits}/{}", files[0]))).unwrap();
    assert_eq!(kinds(&bench, &with_files), ["missing-file"]);
    bench
        .run(&format!("verify {copy} --files none"))
        .expect(3)
        .saying("none: the folder does not exist");
    assert!(!bench.path("copy.db.files").exists(), "nothing is created");
}
