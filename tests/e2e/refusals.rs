//! Requests that are refused before their body was read: the client gets the response, and a connection that will be
//! closed says so.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use std::time::Duration;

use formalize_tests::Server;
use formalize_tests::patience::{in_time, until};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::sleep;

use crate::client::started;

const FORMS: &str = "/formalize/forms";
const HEALTH: &str = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// Sizes of bodies: those up to 256 KiB are read to their end, others are not.
const SIZES: [usize; 4] = [4, 50_000, 1_000_000, 3_000_000];

/// How a client sends a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sending {
    /// Its length is in the head.
    Sized,
    /// In chunks of up to 10,000 bytes.
    Chunked,
    /// Its length is in the head, and it follows only after a while.
    CloseReason,
}

async fn connect(server: &Server) -> TcpStream {
    let address = server.base_url().strip_prefix("http://").unwrap();
    TcpStream::connect(address).await.unwrap()
}

/// Reads one response with its body.
async fn response(connection: &mut TcpStream) -> String {
    let mut text = Vec::new();
    loop {
        let received = String::from_utf8_lossy(&text).to_lowercase();
        if let Some((head, body)) = received.split_once("\r\n\r\n") {
            let length = head.split("content-length: ").nth(1).unwrap_or("0");
            let length: usize = length.lines().next().unwrap().parse().unwrap();
            if body.len() >= length {
                return received;
            }
        }
        let mut buffer = [0; 4096];
        let read = in_time("the response arrives", connection.read(&mut buffer)).await;
        let read = read.expect("the connection is not reset");
        assert!(read > 0, "the connection ended after: {received}");
        text.extend_from_slice(&buffer[..read]);
    }
}

/// Sends a whole request, whose head begins with `head`, before it reads the response, as simple clients do. Checks the status, and that the connection
/// can be used again unless the response says that it is closed.
async fn refused(server: &Server, head: &str, size: usize, sending: Sending, status: u16) {
    let case = format!("{status} after {size} bytes, {sending:?}");
    let mut connection = connect(server).await;
    let length = match sending {
        Sending::Chunked => "Transfer-Encoding: chunked".to_owned(),
        Sending::Sized | Sending::CloseReason => format!("Content-Length: {size}"),
    };
    let head = format!("{head}Host: localhost\r\n{length}\r\n\r\n");
    connection.write_all(head.as_bytes()).await.expect(&case);
    if sending == Sending::CloseReason {
        sleep(Duration::from_millis(100)).await;
    }
    for part in vec![b'x'; size].chunks(10_000) {
        if sending == Sending::Chunked {
            let start = format!("{:x}\r\n", part.len());
            connection.write_all(start.as_bytes()).await.expect(&case);
        }
        connection.write_all(part).await.expect(&case);
        if sending == Sending::Chunked {
            connection.write_all(b"\r\n").await.expect(&case);
        }
    }
    if sending == Sending::Chunked {
        connection.write_all(b"0\r\n\r\n").await.expect(&case);
    }
    let answer = response(&mut connection).await;
    assert!(
        answer.starts_with(&format!("http/1.1 {status}")),
        "{case}: {answer}"
    );
    let closes = answer.contains("connection: close");
    assert_eq!(closes, size > 256 << 10, "{case}: {answer}");
    if closes {
        let end = in_time("the connection ends", connection.read(&mut [0])).await;
        assert_eq!(end.expect("it is not reset"), 0, "{case}");
    } else {
        connection.write_all(HEALTH.as_bytes()).await.expect(&case);
        let next = response(&mut connection).await;
        assert!(next.starts_with("http/1.1 200"), "{case}: {next}");
    }
}

#[tokio::test]
async fn responses_to_refused_requests_are_not_lost() {
    let (installation, server) = started(&["--request-body-limit=3"]).await;
    let token = format!("Authorization: Bearer {}\r\n", installation.token);
    let json = "Content-Type: application/json\r\n";
    for (status, head) in [
        (401, format!("POST {FORMS} HTTP/1.1\r\n{json}")),
        (404, format!("POST /nowhere HTTP/1.1\r\n{json}")),
        (405, format!("PUT {FORMS} HTTP/1.1\r\n{json}")),
        (413, format!("POST {FORMS} HTTP/1.1\r\n{json}{token}")),
        (
            415,
            format!("POST {FORMS} HTTP/1.1\r\nContent-Type: text/plain\r\n{token}"),
        ),
    ] {
        for size in SIZES {
            for sending in [Sending::Sized, Sending::Chunked, Sending::CloseReason] {
                refused(&server, &head, size, sending, status).await;
            }
        }
    }
}

#[tokio::test]
async fn responses_to_too_many_requests_are_not_lost() {
    let (_installation, server) = started(&["--address-rate-limit=1/1h"]).await;
    let head = format!("POST {FORMS} HTTP/1.1\r\n");
    refused(&server, &head, 4, Sending::Sized, 401).await;
    for size in SIZES {
        for sending in [Sending::Sized, Sending::Chunked, Sending::CloseReason] {
            refused(&server, &head, size, sending, 429).await;
        }
    }
}

#[tokio::test]
async fn bodies_that_no_operation_reads_do_not_close_connections_unannounced() {
    let (_installation, server) = started(&[]).await;
    for size in SIZES {
        for sending in [Sending::Sized, Sending::Chunked, Sending::CloseReason] {
            refused(&server, "GET /healthz HTTP/1.1\r\n", size, sending, 200).await;
        }
    }
}

/// The client asked whether to send the body, so reading it would make the client send it.
#[tokio::test]
async fn a_refused_client_is_not_told_to_continue() {
    let (_installation, server) = started(&[]).await;
    let mut connection = connect(&server).await;
    let head = format!(
        "POST {FORMS} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n"
    );
    connection.write_all(head.as_bytes()).await.unwrap();
    let answer = response(&mut connection).await;
    assert!(answer.starts_with("http/1.1 401"), "{answer}");
    assert!(answer.contains("connection: close"), "{answer}");
}

#[tokio::test]
async fn the_response_to_a_large_head_in_pieces_is_not_lost() {
    let (_installation, server) = started(&["--request-head-limit=8KiB"]).await;
    let mut connection = connect(&server).await;
    let start = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n";
    connection.write_all(start.as_bytes()).await.unwrap();
    for number in 0..400 {
        let line = format!("X-Header-{number}: {}\r\n", "x".repeat(100));
        connection.write_all(line.as_bytes()).await.unwrap();
        sleep(Duration::from_millis(1)).await;
    }
    let answer = response(&mut connection).await;
    assert!(answer.starts_with("http/1.1 431"), "{answer}");
    assert!(answer.contains("connection: close"), "{answer}");
}

/// A client may send after the last response for 5 s.
#[tokio::test]
async fn a_client_that_never_stops_sending_is_disconnected() {
    let (_installation, server) = started(&[]).await;
    let mut connection = connect(&server).await;
    let head =
        format!("POST {FORMS} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n");
    let began = std::time::Instant::now();
    connection.write_all(head.as_bytes()).await.unwrap();
    let answer = response(&mut connection).await;
    assert!(answer.starts_with("http/1.1 401"), "{answer}");
    until("the client is disconnected", async || {
        connection.write_all(b"x").await.is_err()
    })
    .await;
    assert!(began.elapsed() >= Duration::from_secs(5), "it is too early");
}

/// The next request uses the same connection, or a new one if the response said that it is closed. It is never sent
/// twice.
#[tokio::test]
async fn a_pool_of_connections_survives_refused_requests() {
    let (_installation, server) = started(&[]).await;
    let http = reqwest::Client::builder()
        .retry(reqwest::retry::never())
        .build()
        .unwrap();
    for size in SIZES.into_iter().cycle().take(40) {
        let post = http
            .post(format!("{}{FORMS}", server.base_url()))
            .body(vec![b'x'; size]);
        assert_eq!(post.send().await.unwrap().status().as_u16(), 401, "{size}");
        let next = http.get(format!("{}/healthz", server.base_url()));
        assert_eq!(
            next.send().await.unwrap().status().as_u16(),
            200,
            "after {size} bytes"
        );
    }
}
