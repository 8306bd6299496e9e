//! Files of submissions, and backups of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use formalize_core::file_store::folder::FolderFileStore;
use formalize_core::file_store::whole;
use formalize_core::{
    Caller, Formalize, NewSubmission, Store as _,
    files::{FileAttributeName, FileName, NewFile},
};
use formalize_sql::{SqlOptions, SqlStore};

use crate::bench::{Bench, block_on};

/// The folder of the contents, beside the database.
const CONTENTS: &str = "formalize.db.files";

/// Makes a draft with files, as a server does. Returns its identifier and those of its files.
fn draft_with(bench: &Bench, contents: &[&str]) -> (String, Vec<String>) {
    let form =
        bench.id("forms create --name Application --allowed-submission-states draft,submitted");
    block_on(async {
        let store = SqlStore::open(&bench.url(), &SqlOptions::default())
            .await
            .unwrap();
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
    format!("{CONTENTS}/{}/{file}", digits(file))
}

/// The last two digits of an identifier.
fn digits(id: &str) -> String {
    id.chars().skip(34).collect()
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
    bench
        .run("backup copy.db --files a --without-files")
        .expect(2);
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
    files_are_added_listed_read_and_deleted,
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
    for line in [
        "files hold",
        "files hold --for 0h",
        "files hold --for 1h --as bob",
    ] {
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
    assert!(
        beside
            .err
            .contains("file:copy.db.files does not exist; use --files"),
        "{beside:?}"
    );
    let with_files = format!("{copy} --files backup --contents");
    assert_eq!(kinds(&bench, &with_files), [""; 0]);
    // Those of other backups are not missed.
    let digits = digits(&files[0]);
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

/// A configuration for files that does not depend on the database.
fn with_files(bench: &Bench) {
    let folder = bench.path(CONTENTS).display().to_string();
    bench.write(
        "formalize.toml",
        &format!("files_url = \"file:{folder}\"\n"),
    );
}

const FORM: &str = "forms create --name Application --allowed-submission-states draft,submitted";

fn files_are_added_listed_read_and_deleted(bench: &Bench) {
    with_files(bench);
    let form = bench.id(FORM);
    bench.write("cv.csv", "a,b\n1,2\n");
    bench.write("data.json", "{}");
    let create = format!("submissions create --form {form} --data data.json --state draft");
    let submission = bench.id(&format!("{create} --file cv=cv.csv --file cv=cv.csv"));
    let listed = bench.record(&format!("files list --submission {submission}"));
    assert_eq!(listed.as_array().unwrap().len(), 2);
    let (first, second) = (&listed[0], &listed[1]);
    assert_eq!(first["fileName"], "cv.csv");
    assert_eq!(first["mimeType"], "text/csv");
    assert_eq!(first["fileSize"], 8);
    assert_eq!(first["submissionIdentifier"], submission.as_str());
    assert_ne!(first["identifier"], second["identifier"]);
    let id = first["identifier"].as_str().unwrap();
    assert_eq!(&bench.record(&format!("files show {id}")), first);

    let add = [
        "files",
        "add",
        &submission,
        "--file-attribute",
        "notes",
        "-",
        "-o",
        "json",
    ];
    let added = bench
        .start(&add, &[], "from standard input")
        .expect(0)
        .json();
    assert_eq!(
        (&added["fileName"], &added["fileSize"]),
        (&"file".into(), &19.into())
    );
    let notes = added["identifier"].as_str().unwrap();
    let named = format!("files add {submission} --file-attribute cv --name c.v cv.csv");
    assert_eq!(bench.record(&named)["fileName"], "c.v");
    assert_eq!(bench.count(&format!("files list --form {form}")), 4);
    assert_eq!(bench.count("files list --form Application"), 4);

    assert_eq!(
        bench.run(&format!("files get {notes} -")).expect(0).out,
        "from standard input"
    );
    bench
        .run(&format!("files get {id}"))
        .expect(0)
        .saying(&format!("{id}.csv"));
    bench.run(&format!("files get {id}")).expect(6);
    bench.run(&format!("files get {notes} notes")).expect(0);
    let read = |name: &str| fs::read_to_string(bench.path(name)).unwrap();
    assert_eq!(read(&format!("{id}.csv")), "a,b\n1,2\n");
    assert_eq!(read("notes"), "from standard input");

    let change =
        format!("submissions update {submission} --remove-file {notes} --file cv=data.json");
    bench.run(&change).expect(0);
    bench.run(&change).expect(3);
    bench.run(&format!("files delete {id}")).expect(0);
    for gone in [id, notes, "x"] {
        bench.run(&format!("files show {gone}")).expect(3);
        bench.run(&format!("files get {gone}")).expect(3);
        bench.run(&format!("files delete {gone}")).expect(3);
    }
    bench
        .run("files sweep --dry-run")
        .expect(0)
        .saying("would delete 2 contents");
    bench.run("files hold --for 1h").expect(0);
    bench
        .run("files sweep")
        .expect(0)
        .saying("keeps contents from being deleted");
    bench.run("files release").expect(0);
    bench
        .run("files sweep")
        .expect(0)
        .saying("deleted 2 contents");
    assert_eq!(kinds(bench, "--contents"), [""; 0]);
    assert_eq!(contents(&bench.path(CONTENTS)).len(), 3);
}

#[test]
fn what_cannot_be_uploaded_leaves_nothing() {
    let bench = Bench::new();
    let form = bench.id(FORM);
    bench.write("data.json", "{}");
    bench.write("lines.ndjson", "{}\n{}\n");
    bench.write("cv.txt", "some text");
    let create = format!("submissions create --form {form}");
    let draft = format!("{create} --data data.json --state draft");
    for (line, code) in [
        // The form allows no files once it is submitted.
        (format!("{create} --data data.json --file cv=cv.txt"), 7),
        (format!("{draft} --file cv=none"), 1),
        (format!("{draft} --file cv=cv.txt --file cv=none"), 1),
        (format!("{draft} --file cv"), 2),
        (format!("{draft} --file a[b]=cv.txt"), 2),
        (format!("{draft} --file cv=cv.txt --ndjson"), 2),
        (format!("{create} --data lines.ndjson --file cv=cv.txt"), 2),
        (format!("{draft} --as bob --file cv=cv.txt"), 5),
    ] {
        let ran = bench.run(&line);
        assert_eq!(ran.code, code, "{line}: {ran:?}");
    }
    assert_eq!(bench.count(&format!("submissions list --form {form}")), 0);
    bench.run("files sweep").expect(0);
    assert_eq!(contents(&bench.path(CONTENTS)).len(), 0);
    let off = [("FORMALIZE_FILES_URL", "off")];
    let line = format!("{draft} --file cv=cv.txt");
    let words: Vec<&str> = line.split_whitespace().collect();
    bench.start(&words, &off, "").expect(1).saying("files_url");
}

#[test]
fn damaged_contents_are_noticed_when_they_are_read() {
    let bench = Bench::new();
    let (_, files) = draft_with(&bench, &["one", "two", "three"]);
    bench.write(&content(&files[0]), "ONE");
    bench.write(&content(&files[1]), "longer");
    fs::remove_file(bench.path(&content(&files[2]))).unwrap();
    bench
        .run(&format!("files get {} got", files[0]))
        .expect(7)
        .saying("another hash");
    bench.run(&format!("files get {} got", files[1])).expect(1);
    bench.run(&format!("files get {} got", files[2])).expect(1);
    assert!(!bench.path("got").exists());
    bench
        .run(&format!("files get {} got --as bob", files[0]))
        .expect(5);
}
