//! Where a server stores the contents of files.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use formalize_tests::{ServerCommand, binary};
use serde_json::{Value, json};

use crate::client::{Client, Installation};

/// The folders for files in a folder.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.to_string_lossy().ends_with(".files"))
        .collect()
}

/// The number of contents in a folder for files.
fn contents(folder: &Path) -> usize {
    let places = fs::read_dir(folder).unwrap();
    places
        .map(|place| fs::read_dir(place.unwrap().path()).unwrap().count())
        .sum()
}

/// A draft, and the path of its files.
async fn draft(client: &Client) -> String {
    let form = json!({ "allowedSubmissionStates": ["draft"] });
    let form = client.form(form).await.unwrap();
    let draft = json!({ "formIdentifier": form, "submissionState": "draft" });
    let (status, draft) = client.post("/formalize/submissions", &draft).await.unwrap();
    assert_eq!(status, 201, "{draft}");
    let identifier = draft["identifier"].as_str().unwrap();
    format!("/formalize/submissions/{identifier}/files")
}

async fn add(client: &Client, files: &str, content: &Value) -> (u16, Value) {
    let path = format!("{files}?fileAttributeName=answers&fileName=answers.json");
    client.post(&path, content).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_beside_the_database_and_survive_a_killed_server() {
    let installation = Installation::on_sqlite().await.unwrap();
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let files = draft(&client).await;
    let content = json!({ "answer": "x".repeat(300_000) });
    let (status, file) = add(&client, &files, &content).await;
    assert_eq!(status, 201, "{file}");
    let [folder] = &folders(installation.command.folder())[..] else {
        panic!("there is one folder for files");
    };
    let mode = folder.metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    assert_eq!(contents(folder), 1);
    server.kill_9().await.unwrap();
    // What a killed server was receiving is deleted at the next start, what was acknowledged is kept.
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let path = format!("{files}/{}", file["identifier"].as_str().unwrap());
    let read = client.get(&format!("{path}/content")).await.unwrap();
    assert_eq!(read, (200, content));
    let removed = client.send(reqwest::Method::DELETE, &path, None).await;
    assert_eq!(removed.unwrap().0, 204);
    server.terminate().await.unwrap();
    let server = installation.command.start().await.unwrap();
    for _ in 0..100 {
        if contents(folder) == 0 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert_eq!(contents(folder), 0, "a server sweeps when it starts");
    server.terminate().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_can_do_without_files() {
    let off = "files_url = \"off\"\n";
    let installation = Installation::configured(None, off).await.unwrap();
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let files = draft(&client).await;
    let (status, refused) = add(&client, &files, &json!({})).await;
    assert_eq!(status, 501, "{refused}");
    assert_eq!(refused["relay:errorId"], "formalize:files-not-configured");
    assert_eq!(folders(installation.command.folder()), [] as [PathBuf; 0]);
    server.terminate().await.unwrap();
}

#[test]
fn a_folder_that_cannot_be_written_stops_the_start() {
    let settings = "files_url = \"file:///dev/null/files\"\nlisten = \"127.0.0.1:0\"\n";
    let command = ServerCommand::new().unwrap().config(settings).unwrap();
    let output = Command::new(binary("formalize-server").unwrap())
        .current_dir(command.folder())
        .output()
        .unwrap();
    assert!(!output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("files_url") && said.contains("/dev/null/files"),
        "{said}"
    );
    // No token was issued that nobody has seen.
    assert!(!String::from_utf8(output.stdout).unwrap().contains("token"));
}
