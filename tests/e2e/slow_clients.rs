//! Slow clients.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use formalize_tests::Server;
use tokio::time::{sleep, timeout};

use crate::client::Installation;
use crate::socket::Connection;

/// The timeouts of the servers in these tests, and how late they may be.
const SECONDS: RangeInclusive<f32> = 0.9..=6.0;

const HEALTH: &str = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// A server with a timeout of one second for one setting, and long ones for the others.
async fn impatient(setting: &str) -> (Installation, Server) {
    let installation = Installation::on_sqlite().await.unwrap();
    let command = installation.command.clone().arg(format!("{setting}=1s"));
    let server = command.start().await.unwrap();
    (installation, server)
}

/// Sends a text byte by byte until the connection ends. Returns the response, and the time in seconds.
async fn trickle(connection: &mut Connection, text: &str) -> (String, f32) {
    let began = Instant::now();
    for byte in text.chars().cycle() {
        if connection.try_send(&byte.to_string()).await.is_err() || connection.has_ended().await {
            break;
        }
        sleep(Duration::from_millis(100)).await;
    }
    (connection.rest().await, began.elapsed().as_secs_f32())
}

async fn assert_served(server: &Server) {
    let mut other = Connection::to(server).await;
    other.send(HEALTH).await;
    assert!(other.answer().await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn a_slow_head_times_out() {
    let (_installation, server) = impatient("--request-head-timeout").await;
    let mut first = Connection::to(&server).await;
    first.send("GET /healthz HTTP/1.1\r\nX-Slow: ").await;
    let mut second = Connection::to(&server).await;
    second.send(HEALTH).await;
    assert!(second.answer().await.starts_with("HTTP/1.1 200"));
    second.send("GET /healthz HTTP/1.1\r\nX-Slow: ").await;
    let (first, second, ()) = tokio::join!(
        trickle(&mut first, "x"),
        trickle(&mut second, "x"),
        assert_served(&server)
    );
    for (answer, seconds) in [first, second] {
        assert_eq!(answer, "");
        assert!(SECONDS.contains(&seconds), "{seconds}");
    }
}

#[tokio::test]
async fn a_silent_connection_is_closed() {
    let (_installation, server) = impatient("--request-head-timeout").await;
    let began = Instant::now();
    let mut silent = Connection::to(&server).await;
    assert_eq!(silent.rest().await, "");
    let seconds = began.elapsed().as_secs_f32();
    assert!(SECONDS.contains(&seconds), "{seconds}");
}

#[tokio::test]
async fn a_slow_body_is_rejected() {
    let (installation, server) = impatient("--request-body-timeout").await;
    for length in ["Content-Length: 4000", "Transfer-Encoding: chunked"] {
        let mut connection = Connection::to(&server).await;
        let head = format!(
            "POST /formalize/forms HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\n{length}\r\n\r\n",
            installation.token
        );
        connection.send(&head).await;
        let (answer, seconds) = trickle(&mut connection, "1\r\n \r\n").await;
        assert!(answer.starts_with("HTTP/1.1 408"), "{length}: {answer}");
        assert!(answer.contains("formalize:request-timeout"), "{answer}");
        assert!(SECONDS.contains(&seconds), "{seconds}");
    }
    assert_served(&server).await;
}

/// 40 KiB a second are fast enough, but a body that stalls after a fast start is not.
#[tokio::test]
async fn a_large_body_may_take_longer_if_it_arrives_steadily() {
    let (installation, server) = impatient("--request-body-timeout").await;
    let head = format!(
        "POST /formalize/forms HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: 120000\r\n\r\n",
        installation.token
    );
    let mut steady = Connection::to(&server).await;
    steady.send(&head).await;
    for _ in 0..12 {
        sleep(Duration::from_millis(250)).await;
        steady.send(&" ".repeat(10_000)).await;
    }
    assert!(steady.answer().await.starts_with("HTTP/1.1 400"));
    let mut stalling = Connection::to(&server).await;
    stalling
        .send(&format!("{head}{}", " ".repeat(100_000)))
        .await;
    let (answer, seconds) = trickle(&mut stalling, " ").await;
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(SECONDS.contains(&seconds), "{seconds}");
}

#[tokio::test]
async fn credentials_are_checked_before_the_body_arrives() {
    let installation = Installation::on_sqlite().await.unwrap();
    let server = installation.command.start().await.unwrap();
    let mut connection = Connection::to(&server).await;
    let head = "POST /formalize/forms HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Content-Length: 4000\r\n\r\n";
    connection.send(head).await;
    let answer = connection.rest().await;
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
}

#[tokio::test]
async fn an_idle_connection_is_closed() {
    let (_installation, server) = impatient("--keep-alive-timeout").await;
    let mut connection = Connection::to(&server).await;
    for _ in 0..3 {
        connection.send(HEALTH).await;
        assert!(connection.answer().await.starts_with("HTTP/1.1 200"));
        sleep(Duration::from_millis(500)).await;
    }
    let began = Instant::now();
    assert_eq!(connection.rest().await, "");
    let seconds = began.elapsed().as_secs_f32() + 0.5;
    assert!(SECONDS.contains(&seconds), "{seconds}");
}

#[tokio::test]
async fn a_client_that_does_not_read_is_disconnected() {
    let (_installation, server) = impatient("--response-timeout").await;
    let mut connection = Connection::to(&server).await;
    // More than the socket buffers hold.
    let page = "GET /docs HTTP/1.1\r\nHost: localhost\r\n\r\n";
    connection.send(&page.repeat(30)).await;
    sleep(Duration::from_secs(4)).await;
    let taken = timeout(Duration::from_secs(30), connection.rest_of_any_kind());
    let taken = taken.await.expect("it goes on when the client does");
    assert!(taken < 30 * 1_000_000, "all was sent: {taken}");
    assert_served(&server).await;
}

#[tokio::test]
async fn a_client_that_reads_steadily_may_take_longer() {
    let (_installation, server) = impatient("--response-timeout").await;
    let page = "GET /docs HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let last = page.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    let pages = format!("{}{last}", page.repeat(5));
    let mut fast = Connection::to(&server).await;
    fast.send(&pages).await;
    let all = fast.rest_of_any_kind().await;
    let mut steady = Connection::to(&server).await;
    steady.send(&pages).await;
    let mut taken = 0;
    // For four times the timeout.
    for _ in 0..40 {
        sleep(Duration::from_millis(100)).await;
        taken += steady.some(64 << 10).await.len();
    }
    assert!(taken < all, "the sockets hold {all} bytes");
    assert_eq!(taken + steady.rest_of_any_kind().await, all);
}
