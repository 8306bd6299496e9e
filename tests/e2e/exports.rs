//! Exports whose clients go away, stop reading, or get only a part.

use std::fs;
use std::time::{Duration, Instant};

use formalize_tests::Server;
use formalize_tests::patience::until;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::client::{Client, Installation, started};
use crate::socket::Connection;

/// A form with submissions of this size, and the path of its export.
async fn filled(client: &Client, number: usize, bytes: usize) -> String {
    let form = client.form(json!({})).await.unwrap();
    let grant = json!({
        "action": "read_submissions", "resourceClass": "DbpRelayFormalizeForm", "resourceIdentifier": form,
        "userIdentifier": "admin",
    });
    let grants = "/authorization/resource-action-grants";
    assert_eq!(client.post(grants, &grant).await.unwrap().0, 201);
    for _ in 0..number {
        let data = json!({"text": "x".repeat(bytes)});
        assert_eq!(client.submit(&form, &data).await.unwrap().0, 201);
    }
    format!("/formalize/submissions/export?formIdentifier={form}")
}

/// The unnamed files in the folder for exports that a server has open.
fn spooled(installation: &Installation, server: &Server) -> usize {
    let folder = installation.command.folder().join("spool");
    let files = fs::read_dir(format!("/proc/{}/fd", server.id().unwrap())).unwrap();
    let files = files.filter_map(|file| fs::read_link(file.unwrap().path()).ok());
    files.filter(|file| file.starts_with(&folder)).count()
}

/// A connection that has read the beginning of an export.
async fn begun(installation: &Installation, server: &Server, path: &str) -> Connection {
    let mut connection = Connection::to(server).await;
    let request = format!(
        "GET {path}&format=ndjson HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\r\n",
        installation.token
    );
    connection.send(&request).await;
    assert!(connection.some(64).await.starts_with(b"HTTP/1.1 200"));
    assert_eq!(spooled(installation, server), 1);
    connection
}

/// Waits until the file of an export is closed.
async fn freed(installation: &Installation, server: &Server) {
    let is_closed = async || spooled(installation, server) == 0;
    until("the file is closed", is_closed).await;
}

#[tokio::test]
async fn files_are_closed_when_clients_go_away_or_stop_reading() {
    let installation = Installation::on_sqlite().await.unwrap();
    fs::create_dir(installation.command.folder().join("spool")).unwrap();
    let command = installation.command.clone().arg("--export-folder=spool");
    let patient = command.clone().arg("--response-timeout=1h");
    let server = patient.start().await.unwrap();
    let path = filled(&installation.client(&server), 60, 200_000).await;
    let gone = begun(&installation, &server, &path).await;
    drop(gone);
    freed(&installation, &server).await;
    assert!(server.terminate().await.unwrap().success());

    let server = command.arg("--response-timeout=2s").start().await.unwrap();
    let asked = Instant::now();
    let stalling = begun(&installation, &server, &path).await;
    freed(&installation, &server).await;
    assert!(asked.elapsed() >= Duration::from_secs(2), "it did not wait");
    drop(stalling);
}

/// Sends a response that ends somewhere to one client.
async fn cut(response: &[u8]) -> reqwest::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let part = response.to_vec();
    let serving = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = [0; 1024];
        assert!(stream.read(&mut request).await.unwrap() > 0);
        stream.write_all(&part).await.unwrap();
    });
    let client = reqwest::Client::builder().retry(reqwest::retry::never());
    let client = client.build().unwrap();
    let text = async {
        client
            .get(format!("http://{address}/"))
            .send()
            .await?
            .text()
            .await
    };
    let text = text.await;
    serving.await.unwrap();
    text
}

/// Without an end marker, too: a client sees it in the framing of HTTP.
#[tokio::test]
async fn a_cut_at_any_byte_is_noticed() {
    let (installation, server) = started(&[]).await;
    let path = filled(&installation.client(&server), 2, 10).await;
    for format in ["csv", "ndjson", "json"] {
        let mut connection = Connection::to(&server).await;
        let request = format!(
            "GET {path}&format={format} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
             Connection: close\r\n\r\n",
            installation.token
        );
        connection.send(&request).await;
        let response = connection.rest().await.into_bytes();
        let head = response.windows(4).position(|four| four == b"\r\n\r\n");
        for end in head.unwrap()..response.len() {
            let text = cut(&response[..end]).await;
            assert!(text.is_err(), "{format}: cut at {end}: {text:?}");
        }
        assert!(cut(&response).await.unwrap().contains("xxxxxxxxxx"));
    }
}
