//! Where a server stores the contents of files.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use data_encoding::BASE64;
use formalize_tests::browser::Tab;
use formalize_tests::patience::{in_time, until};
use formalize_tests::{Server, ServerCommand, binary, contents};
use futures_util::stream::{self, StreamExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{Duration, sleep};

use crate::client::{Client, Installation, started};

/// The folders for files in a folder.
pub(crate) fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.to_string_lossy().ends_with(".files"))
        .collect()
}

/// A draft, and the path of its files.
pub(crate) async fn draft(client: &Client) -> String {
    let form = json!({ "allowedSubmissionStates": ["draft"] });
    let form = client.form(form).await.unwrap();
    let draft = json!({ "formIdentifier": form, "submissionState": "draft" });
    let (status, draft) = client.post("/formalize/submissions", &draft).await.unwrap();
    assert_eq!(status, 201, "{draft}");
    let identifier = draft["identifier"].as_str().unwrap();
    format!("/formalize/submissions/{identifier}/files")
}

pub(crate) async fn add(client: &Client, files: &str, content: &Value) -> (u16, Value) {
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
    let kept = contents(folder).unwrap();
    assert_eq!(kept.len(), 1);
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
    let is_empty = async || contents(folder).unwrap().is_empty();
    until("a server sweeps when it starts", is_empty).await;
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
    // The administrator's token is printed only once, so it must not be created yet.
    assert!(!String::from_utf8(output.stdout).unwrap().contains("token"));
}

/// How many uploads are cut off, and how many at a time.
const CUT_OFF: usize = 1000;
const AT_ONCE: usize = 16;

pub(crate) fn address(server: &Server) -> &str {
    server.base_url().trim_start_matches("http://")
}

/// A request that creates a submission with a file of this size, as its head and its body.
pub(crate) fn upload(server: &Server, token: &str, form: &str, size: usize) -> (String, Vec<u8>) {
    let submission = json!({ "formIdentifier": form, "dataFeedElement": "{}" });
    let mut body = format!(
        "--cut\r\nContent-Disposition: form-data; name=\"submission\"\r\n\r\n{submission}\r\n\
         --cut\r\nContent-Disposition: form-data; name=\"files.cv\"; filename=\"cv\"\r\n\r\n"
    )
    .into_bytes();
    body.resize(body.len() + size, b'x');
    body.extend_from_slice(b"\r\n--cut--\r\n");
    let head = format!(
        "POST /formalize/submissions HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: multipart/form-data; boundary=cut\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        address(server),
        body.len()
    );
    (head, body)
}

/// Sends the beginning of a request, and closes the connection.
async fn send_beginning(address: &str, request: &[u8]) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The server may have refused the request and closed the connection.
    let _ = stream.write_all(request).await;
}

/// Sends a request, and returns the status of the response, and whether the connection was closed too early.
pub(crate) async fn send_once(address: &str, request: &[u8]) -> (String, io::Result<()>) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let sent = stream.write_all(request).await;
    let mut response = Vec::new();
    let received = stream.read_to_end(&mut response).await;
    let response = String::from_utf8_lossy(&response);
    let status = response.chars().skip(9).take(3).collect();
    (status, sent.and(received.map(drop)))
}

/// Sends a request until it gets a place among the uploads, and returns the status of the response. The server may take a
/// moment to notice that a connection was closed.
pub(crate) async fn send_whole(address: &str, request: &[u8]) -> String {
    let sending = async {
        loop {
            let (status, outcome) = send_once(address, request).await;
            if status != "429" {
                outcome.unwrap();
                return status;
            }
            sleep(Duration::from_millis(100)).await;
        }
    };
    in_time("there is a place for an upload", sending).await
}

/// The names of all contents in a folder, with what is still being received.
fn names(folder: &Path) -> BTreeSet<String> {
    let contents = contents(folder).unwrap().into_iter();
    let names = contents.map(|content| content.file_name().unwrap().to_owned());
    names.map(|name| name.into_string().unwrap()).collect()
}

/// Waits until a sweep has left exactly the contents of these files.
pub(crate) async fn wait_for_contents(folder: &Path, files: &BTreeSet<String>) {
    let are_left = async || names(folder) == *files;
    until("a sweep leaves the contents of the files alone", are_left).await;
}

/// Uploads that end at any byte take no place, and a sweep later the folder has exactly what submissions name.
#[tokio::test(flavor = "multi_thread")]
async fn uploads_that_are_cut_off_leave_nothing() {
    let arguments = ["--file-sweep-interval=1s", "--uploads-at-once=128"];
    let (installation, server) = started(&arguments).await;
    let client = installation.client(&server);
    let whole = CUT_OFF / 8;
    let schema = json!({ "files": { "cv": { "allowedMimeTypes": ["*/*"] } } });
    let cap = whole + 1;
    let form = json!({ "dataFeedSchema": schema.to_string(), "maxNumSubmissionsPerCreator": cap });
    let form = client.form(form).await.unwrap();
    let numbers = stream::iter(0..CUT_OFF + whole);
    let statuses = numbers.map(|number| {
        let size = number * 7_919 % 400_000;
        let (head, body) = upload(&server, &installation.token, &form, size);
        let request = [head.as_bytes(), &body].concat();
        let address = address(&server).to_owned();
        async move {
            if number % 9 == 0 {
                return Some(send_whole(&address, &request).await);
            }
            // Some end within the head, and some just before the end.
            let end = match number % 3 {
                0 => request.len() - number % 12 - 1,
                1 => number * 104_729 % request.len(),
                _ => number * 31 % (head.len() + 400),
            };
            send_beginning(&address, &request[..end]).await;
            None
        }
    });
    let statuses: Vec<_> = statuses.buffer_unordered(AT_ONCE).collect().await;
    let statuses: Vec<String> = statuses.into_iter().flatten().collect();
    assert_eq!(statuses, vec!["201"; whole]);
    let list = format!("/formalize/submissions?formIdentifier={form}&perPage=1000");
    let (_, list) = client.get(&list).await.unwrap();
    let submissions = list["items"].as_array().unwrap();
    assert_eq!(submissions.len(), whole);
    let files = submissions
        .iter()
        .map(|it| &it["submittedFiles"][0]["identifier"]);
    let files: BTreeSet<String> = files.map(|id| id.as_str().unwrap().to_owned()).collect();
    let folder = &folders(installation.command.folder())[0];
    wait_for_contents(folder, &files).await;
    // Nothing that was cut off has taken a place.
    for expected in ["201", "403"] {
        let (head, body) = upload(&server, &installation.token, &form, 1);
        let request = [head.as_bytes(), &body].concat();
        let status = send_whole(address(&server), &request).await;
        assert_eq!(status, expected);
    }
    let verified = installation.cli(&["verify", "--contents"]).await;
    assert!(verified.is_ok(), "{verified:?}");
    server.terminate().await.unwrap();
}

/// Contents of these sizes, around those at which they are stored in several parts.
const SIZES: [usize; 7] = [
    0,
    1,
    255 << 10,
    (5 << 20) - 1,
    5 << 20,
    (5 << 20) + 1,
    50 << 20,
];

/// The SHA-256 of a content, according to another program.
fn sha256sum(content: &[u8]) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), content).unwrap();
    let output = Command::new("sha256sum").arg(file.path()).output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    output.split(' ').next().unwrap().to_owned()
}

/// Sends contents in both ways, alone and with a submission, and reads them.
pub(crate) async fn contents_of_any_size_come_back(installation: &Installation, server: &Server) {
    let client = installation.client(server);
    let schema = json!({ "files": { "cv": { "allowedMimeTypes": ["*/*"], "maxSizeMb": 60 } } });
    let form = json!({ "dataFeedSchema": schema.to_string() });
    let form = client.form(form).await.unwrap();
    let files = draft(&client).await;
    let http = reqwest::Client::new();
    for size in SIZES {
        let path = format!("{}{files}?fileAttributeName=cv", server.base_url());
        let content: Vec<u8> = (0..=250).cycle().take(size).collect();
        let request = http.post(path).bearer_auth(&installation.token);
        let response = request.body(content.clone()).send().await.unwrap();
        assert_eq!(response.status(), 201, "{size}");
        let alone: Value = response.json().await.unwrap();
        // Its content consists of one letter.
        let (head, body) = upload(server, &installation.token, &form, size);
        let request = [head.as_bytes(), &body].concat();
        assert_eq!(send_whole(address(server), &request).await, "201");
        let list = format!("/formalize/submissions?formIdentifier={form}");
        let (_, list) = client.get(&list).await.unwrap();
        let made = list["items"].as_array().unwrap().iter();
        let mut made = made.map(|it| it["submittedFiles"][0].clone());
        let together = made.find(|file| file["fileSize"] == size).unwrap();
        for (file, content) in [(alone, content), (together, vec![b'x'; size])] {
            assert_eq!(file["fileSize"], size);
            assert_eq!(file["sha256"], sha256sum(&content), "{size}");
            let url = file["downloadUrl"].as_str().unwrap();
            let request = http.get(url).bearer_auth(&installation.token);
            let read = request.send().await.unwrap().bytes().await.unwrap();
            assert!(read == content, "{size}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn contents_of_any_size_come_back_from_a_folder() {
    let (installation, server) = started(&[]).await;
    contents_of_any_size_come_back(&installation, &server).await;
    server.terminate().await.unwrap();
}

const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const DOCUMENT: &[u8] = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj \
    3 0 obj<</Type/Page/MediaBox[0 0 99 99]/Parent 2 0 R>>endobj trailer<</Root 1 0 R>>";
const PAGE: &[u8] = b"<!DOCTYPE html><title>x</title><script>fetch('/ran')</script>";
const DRAWING: &[u8] =
    b"<svg xmlns='http://www.w3.org/2000/svg' onload=\"fetch('/ran')\"><script>fetch('/ran')</script></svg>";

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn browsers_show_pictures_and_documents_and_run_nothing() {
    let (installation, server) = started(&[]).await;
    let files = draft(&installation.client(&server)).await;
    let mut tab = Tab::open("about:blank").await.unwrap();
    tab.authorize(&installation.token).await.unwrap();
    let picture = BASE64.decode(PICTURE.as_bytes()).unwrap();
    for (content, declared, is_shown) in [
        (picture.as_slice(), "image/png", true),
        (DOCUMENT, "application/pdf", true),
        (PAGE, "text/html", false),
        (PAGE, "image/png", false),
        (DRAWING, "image/svg+xml", false),
    ] {
        let path = format!("{}{files}?fileAttributeName=cv", server.base_url());
        let request = reqwest::Client::new()
            .post(path)
            .bearer_auth(&installation.token);
        let request = request
            .header("content-type", declared)
            .body(content.to_vec());
        let file: Value = request.send().await.unwrap().json().await.unwrap();
        let url = format!(
            "{}?disposition=inline",
            file["downloadUrl"].as_str().unwrap()
        );
        assert_eq!(
            tab.shows(&url).await.unwrap(),
            is_shown,
            "{declared}: {file}"
        );
        if declared == "image/png" && is_shown {
            tab.wait_for("img").await.unwrap();
            let width = tab.evaluate("document.images[0].naturalWidth").await;
            assert_eq!(width.unwrap(), 1);
        }
    }
    // The browser reports requests in their order, so all of these pages come before those of the next one.
    tab.go(&format!("{}/healthz", server.base_url()))
        .await
        .unwrap();
    tab.wait_for("body").await.unwrap();
    let ran = tab.requests().iter().filter(|url| url.contains("/ran"));
    assert_eq!(ran.count(), 0);
    server.terminate().await.unwrap();
}

/// What an upload leaves that is cut off is deleted at once, not only by the next sweep.
#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_is_cut_off_frees_its_space() {
    let (installation, server) = started(&["--file-sweep-interval=1h"]).await;
    let schema = json!({ "files": { "cv": { "allowedMimeTypes": ["*/*"] } } });
    let form = json!({ "dataFeedSchema": schema.to_string() });
    let form = installation.client(&server).form(form).await.unwrap();
    let (head, body) = upload(&server, &installation.token, &form, 4 << 20);
    let mut stream = TcpStream::connect(address(&server)).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&body[..3 << 20]).await.unwrap();
    let folder = &folders(installation.command.folder())[0];
    let stored = || {
        let files = contents(folder).unwrap().into_iter();
        files.filter_map(|file| file.metadata().ok().map(|file| file.len()))
    };
    until("a part of the file is stored", async || {
        stored().sum::<u64>() > 1 << 20
    })
    .await;
    drop(stream);
    until("its space is free", async || stored().count() == 0).await;
    server.terminate().await.unwrap();
}

/// By default, unused contents are looked for every five minutes. People who delete a file do not expect that.
#[tokio::test(flavor = "multi_thread")]
async fn the_content_of_a_deleted_file_goes_soon() {
    let installation = Installation::on_sqlite().await.unwrap();
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let files = draft(&client).await;
    let submission = files.strip_suffix("/files").unwrap();
    let content = json!({ "answer": 42 });
    for deletes_submission in [false, true] {
        let (status, file) = add(&client, &files, &content).await;
        assert_eq!(status, 201, "{file}");
        let [folder] = &folders(installation.command.folder())[..] else {
            panic!("there is one folder for files");
        };
        assert_eq!(contents(folder).unwrap().len(), 1);
        let file = format!("{files}/{}", file["identifier"].as_str().unwrap());
        let path = if deletes_submission {
            submission
        } else {
            &file
        };
        let removed = client.send(reqwest::Method::DELETE, path, None).await;
        assert_eq!(removed.unwrap().0, 204);
        let is_empty = async || contents(folder).unwrap().is_empty();
        until("the content is gone", is_empty).await;
    }
    server.terminate().await.unwrap();
}
