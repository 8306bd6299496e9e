//! A full disk, and a database that is not writable.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use formalize_tests::{Server, binary};
use serde_json::{Value, json};

use crate::client::{Client, Installation};
use crate::files::{add, draft, wait_for_contents};

/// A script that starts the server in a folder.
fn script(folder: &Path, line: &str) -> std::path::PathBuf {
    let script = folder.join("server");
    fs::write(&script, format!("#!/bin/sh\n{line}\n")).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    script
}

/// An installation for [`limit_files`]: its servers ignore the signal that the system sends for a file that is too large, because
/// a full disk does not send it.
async fn limited() -> Installation {
    let mut installation = Installation::on_sqlite().await.unwrap();
    let program = binary("formalize-server").unwrap();
    let line = format!("trap '' XFSZ; exec '{}' \"$@\"", program.display());
    let script = script(installation.command.folder(), &line);
    installation.command = installation.command.program(script);
    installation
}

/// Limits the size of the files that a server writes. Exceeding it fails as on a full disk.
fn limit_files(server: &Server, bytes: &str) {
    let limited = Command::new("prlimit")
        .arg(format!("--pid={}", server.id().unwrap()))
        .arg(format!("--fsize={bytes}:unlimited"))
        .status();
    assert!(limited.unwrap().success());
}

/// Creates submissions this often. Returns how many succeeded, and the statuses of the others.
async fn submit(client: &Client, form: &str, times: usize) -> (usize, Vec<u16>) {
    let (mut done, mut others) = (0, Vec::new());
    for _ in 0..times {
        let data = json!({"text": "x".repeat(5000)});
        match client.submit(form, &data).await.unwrap().0 {
            201 => done += 1,
            other => others.push(other),
        }
    }
    (done, others)
}

async fn assert_holds(client: &Client, form: &str, submissions: usize) {
    let (status, shown) = client
        .get(&format!("/formalize/forms/{form}"))
        .await
        .unwrap();
    assert_eq!(status, 200, "what is there can be read");
    assert_eq!(shown["numSubmissionsByCurrentUser"], submissions);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_survived() {
    let installation = limited().await;
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    let (mut expected, _) = submit(&client, &form, 10).await;
    assert_eq!(expected, 10);
    // Space for a little more, and no space at all, not even for the log of the server.
    for bytes in ["400000", "0"] {
        limit_files(&server, bytes);
        let (done, refused) = submit(&client, &form, 100).await;
        expected += done;
        assert!(refused.len() > 10, "{done} were done");
        assert!(refused.iter().all(|status| *status == 503), "{refused:?}");
        assert_holds(&client, &form, expected).await;

        limit_files(&server, "unlimited");
        let (done, refused) = submit(&client, &form, 10).await;
        expected += done;
        assert!(refused.is_empty(), "there is room again: {refused:?}");
        assert_holds(&client, &form, expected).await;
    }
    assert_eq!(
        installation.cli(&["verify", "-o", "json"]).await.unwrap(),
        "[]"
    );
    let log = server.stderr().unwrap();
    assert!(!log.contains("panicked"), "{log}");
    assert!(server.terminate().await.unwrap().success());
}

/// Files of exports are on a disk that is full, and the database is not.
#[tokio::test(flavor = "multi_thread")]
async fn a_full_export_folder_fails_exports_alone() {
    let installation = limited().await;
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    let grant = json!({
        "action": "read_submissions", "resourceClass": "DbpRelayFormalizeForm", "resourceIdentifier": form,
        "userIdentifier": "admin",
    });
    let grants = "/authorization/resource-action-grants";
    assert_eq!(client.post(grants, &grant).await.unwrap().0, 201);
    assert_eq!(submit(&client, &form, 400).await.0, 400);
    let path = format!("/formalize/submissions/export?formIdentifier={form}&format=");
    let whole = client.text(&format!("{path}csv")).await.unwrap();
    limit_files(&server, "1000000");
    for format in ["csv", "ndjson", "json"] {
        let cut = client.text(&format!("{path}{format}")).await;
        assert!(cut.is_err(), "{format}: it is larger than the disk");
    }
    let (status, problem) = client.get(&format!("{path}xlsx")).await.unwrap();
    let expected = json!("formalize:submissions-not-exported");
    assert_eq!((status, &problem["relay:errorId"]), (500, &expected));
    assert_holds(&client, &form, 400).await;
    assert_eq!(client.get("/readyz").await.unwrap().0, 200);
    limit_files(&server, "unlimited");
    assert_eq!(client.text(&format!("{path}csv")).await.unwrap(), whole);
    let log = server.stderr().unwrap();
    assert!(log.contains("an export failed"), "{log}");
}

/// Adds a file of this size to a draft. Returns the status, and the file or the error.
async fn add_file(client: &Client, files: &str, size: usize) -> (u16, Value) {
    add(client, files, &json!("x".repeat(size))).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_or_missing_folder_fails_files_alone() {
    let mut installation = limited().await;
    let command = installation.command.arg("--file-sweep-interval=1s");
    let folder = command.folder().join("contents");
    let command = command.arg(format!("--files-url=file://{}", folder.display()));
    let reserved = command.clone().arg("--files-reserve=8000000GiB");
    installation.command = command;

    let server = reserved.start().await.unwrap();
    let client = installation.client(&server);
    let (files, form) = (draft(&client).await, client.form(json!({})).await.unwrap());
    let (status, refused) = add_file(&client, &files, 10).await;
    let expected = json!("formalize:insufficient-storage");
    assert_eq!((status, &refused["relay:errorId"]), (507, &expected));
    assert_eq!(submit(&client, &form, 3).await.0, 3);
    assert!(server.terminate().await.unwrap().success());

    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let (status, kept) = add_file(&client, &files, 1000).await;
    assert_eq!(status, 201, "{kept}");
    let kept = kept["identifier"].as_str().unwrap().to_owned();
    let content = format!("{files}/{kept}/content");
    // Too little room for a large file, and enough for the database.
    limit_files(&server, "20000000");
    let (status, refused) = add_file(&client, &files, 21_000_000).await;
    assert_eq!((status, &refused["relay:errorId"]), (507, &expected));
    assert_eq!(submit(&client, &form, 3).await.0, 3);
    assert_eq!(client.get(&content).await.unwrap().0, 200);
    limit_files(&server, "unlimited");
    let (status, large) = add_file(&client, &files, 21_000_000).await;
    assert_eq!(status, 201, "{large}");

    let away = folder.with_file_name("away");
    fs::rename(&folder, &away).unwrap();
    // A disk that is not mounted leaves an empty folder.
    for mounted_at in [false, true] {
        if mounted_at {
            fs::create_dir(&folder).unwrap();
        }
        assert_eq!(add_file(&client, &files, 10).await.0, 500);
        assert_eq!(client.get(&content).await.unwrap().0, 500);
        assert_eq!(client.get(&files).await.unwrap().0, 200);
        assert_eq!(submit(&client, &form, 3).await.0, 3);
    }
    fs::remove_dir(&folder).unwrap();
    fs::rename(&away, &folder).unwrap();
    assert_eq!(client.get(&content).await.unwrap().0, 200);
    let (status, small) = add_file(&client, &files, 10).await;
    assert_eq!(status, 201, "{small}");

    let all = [kept.as_str(), name(&large), name(&small)];
    let all = all.map(str::to_owned).into_iter().collect();
    wait_for_contents(&folder, &all).await;
    for part in fs::read_dir(&folder).unwrap() {
        let _ = fs::remove_file(part.unwrap().path().join(&kept));
    }
    assert_eq!(client.get(&content).await.unwrap().0, 500);
    assert_eq!(client.get("/readyz").await.unwrap().0, 200);
    let log = server.stderr().unwrap();
    assert!(!log.contains("panicked"), "{log}");
    assert!(log.contains("cannot use the folder"), "{log}");
    assert!(
        !log.contains("answers.json"),
        "names of files are not logged: {log}"
    );
    assert!(server.terminate().await.unwrap().success());
}

/// The identifier of a file.
fn name(file: &Value) -> &str {
    file["identifier"].as_str().unwrap()
}

/// The unprivileged user `nobody`.
const NOBODY: u32 = 65_534;

#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_database_can_be_read() {
    let mut installation = Installation::on_sqlite().await.unwrap();
    let folder = installation.command.folder().to_owned();
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    let (submitted, _) = submit(&client, &form, 3).await;
    assert!(server.terminate().await.unwrap().success());

    let file = folder.join("formalize.db");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    let command = installation.command.arg("--auto-migrate=false");
    // The folder for files cannot be written either.
    installation.command = command.arg("--files-url=off");
    // Permissions do not apply to root.
    if is_root() {
        let program = folder.join("program");
        fs::copy(binary("formalize-server").unwrap(), &program).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
        let line = format!(
            "exec setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups '{}' \"$@\"",
            program.display()
        );
        installation.command = installation.command.program(script(&folder, &line));
    }
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let (done, refused) = submit(&client, &form, 3).await;
    assert_eq!((done, refused), (0, vec![500; 3]));
    assert_holds(&client, &form, submitted).await;
    assert_eq!(client.get("/readyz").await.unwrap().0, 200);
    assert!(server.terminate().await.unwrap().success());
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    tempfile::tempfile().unwrap().metadata().unwrap().uid() == 0
}
