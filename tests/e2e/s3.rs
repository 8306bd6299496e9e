//! Servers that store the contents of files in a bucket of S3. `tests/s3/run` runs these tests.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

use formalize_tests::moto::{Moto, settings};
use formalize_tests::patience::{in_time, until};
use formalize_tests::{ServerCommand, TestDatabase, binary};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::sleep;

use crate::client::Installation;
use crate::files::{add, contents_of_any_size_come_back, draft};

/// Larger than a part of an upload.
const LARGE: usize = 11 << 20;

fn content(size: usize) -> Value {
    json!({ "answer": "x".repeat(size) })
}

fn path(files: &str, file: &Value) -> String {
    format!("{files}/{}", file["identifier"].as_str().unwrap())
}

/// The number of contents in the bucket.
async fn contents(moto: &Moto) -> usize {
    let listed = moto.text("").await.unwrap();
    assert!(listed.contains("ListBucketResult"), "{listed}");
    listed.matches("<Key>files/").count()
}

/// Files come and go with their submissions, and survive a killed server; the command line works with them.
async fn files_are_in_the_bucket(url: Option<&str>) {
    let moto = Moto::start().await.unwrap();
    let installation = Installation::configured(url, &settings(&moto.url()))
        .await
        .unwrap();
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let files = draft(&client).await;
    let mut stored = Vec::new();
    for size in [0, 300_000, LARGE] {
        let content = content(size);
        let (status, file) = add(&client, &files, &content).await;
        assert_eq!(status, 201, "{file}");
        stored.push((path(&files, &file), content));
    }
    assert_eq!(contents(&moto).await, 3);
    server.kill_9().await.unwrap();
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    for (path, content) in &stored {
        let read = client.get(&format!("{path}/content")).await.unwrap();
        assert!(read == (200, content.clone()), "{path}");
    }
    let large = format!("{}{}/content", server.base_url(), stored[2].0);
    let part = reqwest::Client::new()
        .get(large)
        .bearer_auth(&installation.token)
        .header("range", format!("bytes={}-", LARGE + 8))
        .send()
        .await
        .unwrap();
    assert_eq!(part.status(), 206);
    assert_eq!(part.text().await.unwrap(), "xxx\"}");

    installation.cli(&["verify", "--contents"]).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let copies = folder.path().to_str().unwrap();
    installation.cli(&["files", "copy", copies]).await.unwrap();
    let verify = ["verify", "--contents", "--files", copies];
    installation.cli(&verify).await.unwrap();

    let removed = client.send(Method::DELETE, &stored[1].0, None).await;
    assert_eq!(removed.unwrap().0, 204);
    installation.cli(&["files", "sweep"]).await.unwrap();
    assert_eq!(contents(&moto).await, 2);
    server.terminate().await.unwrap();
    moto.kill().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "tests/s3/run runs it"]
async fn files_are_in_the_bucket_on_sqlite() {
    files_are_in_the_bucket(None).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "tests/s3/run runs it"]
async fn files_are_in_the_bucket_on_postgres() {
    let database = TestDatabase::empty().await.unwrap();
    files_are_in_the_bucket(Some(database.url())).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "tests/s3/run runs it"]
async fn contents_of_any_size_come_back_from_a_bucket() {
    let moto = Moto::start().await.unwrap();
    let settings = settings(&moto.url());
    let installation = Installation::configured(None, &settings).await.unwrap();
    let server = installation.command.start().await.unwrap();
    contents_of_any_size_come_back(&installation, &server).await;
    server.terminate().await.unwrap();
}

/// Waits until the bucket has parts of uploads, or has none.
async fn wait_for_parts(moto: &Moto, are_there: bool) {
    let what = format!("whether there are parts of an upload: {are_there}");
    until(&what, async || {
        let uploads = moto.text("?uploads").await.unwrap();
        assert!(uploads.contains("ListMultipartUploadsResult"), "{uploads}");
        uploads.contains("<UploadId>") == are_there
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "tests/s3/run runs it"]
async fn an_upload_that_breaks_off_leaves_no_parts() {
    let moto = Moto::start().await.unwrap();
    let installation = Installation::configured(None, &settings(&moto.url()))
        .await
        .unwrap();
    let server = installation.command.start().await.unwrap();
    let files = draft(&installation.client(&server)).await;
    let address = server.base_url().trim_start_matches("http://");
    let mut connection = TcpStream::connect(address).await.unwrap();
    let (token, announced) = (&installation.token, LARGE + 1);
    let head = format!(
        "POST {files}?fileAttributeName=a&fileName=b HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\
         content-length: {announced}\r\n\r\n"
    );
    connection.write_all(head.as_bytes()).await.unwrap();
    connection.write_all(&vec![b'x'; LARGE]).await.unwrap();
    wait_for_parts(&moto, true).await;
    drop(connection);
    wait_for_parts(&moto, false).await;
    assert_eq!(contents(&moto).await, 0);
    server.terminate().await.unwrap();
    moto.kill().await.unwrap();
}

/// The output of a server that does not start with these settings.
fn refused(settings: &str) -> Output {
    let settings = format!("listen = '127.0.0.1:0'\n{settings}");
    let command = ServerCommand::new().unwrap().config(&settings).unwrap();
    let output = Command::new(binary("formalize-server").unwrap())
        .current_dir(command.folder())
        .output()
        .unwrap();
    assert!(!output.status.success(), "{output:?}");
    output
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "tests/s3/run runs it"]
async fn a_bucket_that_is_missing_or_refuses_stops_the_start() {
    let moto = Moto::start().await.unwrap();
    let settings = settings(&moto.url());
    let elsewhere = settings.replace("s3://formalize/", "s3://elsewhere/");
    let output = tokio::task::spawn_blocking(move || refused(&elsewhere));
    let said = String::from_utf8(output.await.unwrap().stderr).unwrap();
    assert!(
        said.contains("files_url") && said.contains("elsewhere"),
        "{said}"
    );
    moto.refuse_credentials().await.unwrap();
    let output = tokio::task::spawn_blocking(move || refused(&settings));
    let output = output.await.unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("rejected the credentials") && !said.contains("confidential"),
        "{said}"
    );
    // The administrator's token is printed only once, so it must not be created yet.
    assert!(!String::from_utf8(output.stdout).unwrap().contains("token"));
    moto.kill().await.unwrap();
}

/// Contents are unavailable while the bucket is away, everything else works, and nothing has to be restarted.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "tests/s3/run runs it"]
async fn a_server_works_on_while_its_bucket_is_away() {
    let moto = Moto::start().await.unwrap();
    let port = moto.port();
    let installation = Installation::configured(None, &settings(&moto.url()))
        .await
        .unwrap();
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let files = draft(&client).await;
    let (status, file) = add(&client, &files, &content(10)).await;
    assert_eq!(status, 201, "{file}");
    let old = path(&files, &file);
    moto.kill().await.unwrap();

    let (upload, download) =
        tokio::join!(async { add(&client, &files, &content(10)).await }, async {
            client.get(&format!("{old}/content")).await.unwrap()
        });
    for (status, refusal) in [upload, download] {
        assert_eq!(status, 503, "{refusal}");
        assert_eq!(refusal["relay:errorId"], "formalize:service-unavailable");
    }
    assert_eq!(
        client.get(&old).await.unwrap().0,
        200,
        "what is known of the file"
    );
    assert_eq!(client.get("/readyz").await.unwrap().0, 200);
    draft(&client).await;
    assert_eq!(
        client.send(Method::DELETE, &old, None).await.unwrap().0,
        204
    );
    server.terminate().await.unwrap();

    // It starts without the bucket, too.
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let said = server.stderr().unwrap();
    assert!(said.contains("bucket"), "{said}");
    let moto = Moto::start_at(port).await.unwrap();
    let (status, file) = add(&client, &files, &content(10)).await;
    assert_eq!(status, 201, "{file}");
    let new = format!("{}/content", path(&files, &file));
    assert_eq!(client.get(&new).await.unwrap(), (200, content(10)));

    installation.cli(&["verify"]).await.unwrap();

    // A bucket that has lost a content.
    moto.kill().await.unwrap();
    let moto = Moto::start_at(port).await.unwrap();
    let (status, refusal) = client.get(&new).await.unwrap();
    assert_eq!(status, 500, "{refusal}");
    let lost = "formalize:submitted-file-not-found-in-file-storage-backend";
    assert_eq!(refusal["relay:errorId"], lost);
    assert!(installation.cli(&["verify"]).await.is_err());
    server.terminate().await.unwrap();
    moto.kill().await.unwrap();
}

/// How a bucket responds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Response {
    Normal,
    /// Each connection waits for five seconds first.
    Slow,
    /// 500.
    Error,
    None,
}

/// Starts a proxy to the bucket on a port, which can also respond in other ways. Returns its URL.
async fn proxy(port: u16, response: watch::Receiver<Response>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(serve(client, port, response.clone()));
        }
    });
    url
}

async fn serve(mut client: TcpStream, port: u16, mut response: watch::Receiver<Response>) {
    let now = *response.borrow_and_update();
    let serving = async {
        match now {
            Response::Normal => {}
            Response::Slow => sleep(Duration::from_secs(5)).await,
            Response::Error => {
                let _ = client.read(&mut [0; 1 << 13]).await;
                let answer = b"HTTP/1.1 500 x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
                let _ = client.write_all(answer).await;
                return;
            }
            Response::None => std::future::pending().await,
        }
        let mut service = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        let _ = copy_bidirectional(&mut client, &mut service).await;
    };
    // Connections that are kept open would respond as before.
    tokio::select! {
        () = serving => {}
        _ = response.changed() => {}
    }
}

/// A bucket that is slow slows down contents alone; one that fails or does not respond fails them alone.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "tests/s3/run runs it"]
async fn a_server_works_on_while_its_bucket_misbehaves() {
    let moto = Moto::start().await.unwrap();
    let (response, watched) = watch::channel(Response::Normal);
    let url = proxy(moto.port(), watched).await;
    let installation = Installation::configured(None, &settings(&url)).await;
    let installation = installation.unwrap();
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let files = draft(&client).await;
    let (status, file) = add(&client, &files, &content(10)).await;
    assert_eq!(status, 201, "{file}");
    let old = format!("{}/content", path(&files, &file));
    let mut stored = 1;
    for (now, expected) in [
        (Response::Slow, [201, 200]),
        (Response::Error, [503, 503]),
        (Response::None, [503, 503]),
        (Response::Normal, [201, 200]),
    ] {
        response.send_replace(now);
        let began = Instant::now();
        let content = content(10);
        let upload = async {
            let (status, answer) = add(&client, &files, &content).await;
            (status, answer, began.elapsed())
        };
        let download = async {
            let (status, answer) = client.get(&old).await.unwrap();
            (status, answer, began.elapsed())
        };
        let others = async {
            for _ in 0..10 {
                draft(&client).await;
                assert_eq!(client.get("/readyz").await.unwrap().0, 200, "{now:?}");
            }
            began.elapsed()
        };
        // A read times out after 30 seconds, and is repeated for 10.
        let all = async { tokio::join!(upload, download, others) };
        let (upload, download, others) = in_time("all are answered", all).await;
        for ((status, answer, time), expected) in [upload, download].into_iter().zip(expected) {
            assert_eq!(status, expected, "{now:?}: {answer}");
            if now == Response::Slow {
                assert!(others < time, "{others:?}");
            }
        }
        stored += usize::from(expected == [201, 200]);
    }
    installation.cli(&["files", "sweep"]).await.unwrap();
    assert_eq!(contents(&moto).await, stored);
    installation.cli(&["verify", "--contents"]).await.unwrap();
    let log = server.stderr().unwrap();
    assert!(
        !log.contains("panicked") && !log.contains("confidential"),
        "{log}"
    );
    server.terminate().await.unwrap();
    moto.kill().await.unwrap();
}
