//! Slow clients.

use std::time::{Duration, Instant};

use formalize_tests::Server;
use tokio::time::sleep;

use crate::client::{Installation, started};
use crate::metrics::reaches;
use crate::socket::Connection;

/// The timeouts of connections.
const TIMEOUTS: [&str; 4] = [
    "--request-head-timeout",
    "--request-body-timeout",
    "--keep-alive-timeout",
    "--response-timeout",
];

const SHORT: Duration = Duration::from_secs(1);

/// The timeout where a client must be faster, although the machine may be busy. Its pauses are much shorter.
const LONG: Duration = Duration::from_secs(5);

const HEALTH: &str = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// A server with this time for one of the timeouts. The others are so long that they end nothing.
async fn impatient(setting: &str, time: Duration) -> (Installation, Server) {
    let timeouts = TIMEOUTS.map(|timeout| match timeout {
        timeout if timeout == setting => format!("{timeout}={}s", time.as_secs()),
        timeout => format!("{timeout}=1h"),
    });
    let metrics = "--metrics-listen=127.0.0.1:0";
    let arguments: Vec<&str> = timeouts
        .iter()
        .map(String::as_str)
        .chain([metrics])
        .collect();
    started(&arguments).await
}

/// Sends a text byte by byte until the connection ends, which must not be too early. Returns the response.
async fn trickle(
    connection: &mut Connection,
    text: &str,
    began: Instant,
    least: Duration,
) -> String {
    for byte in text.chars().cycle() {
        if connection.try_send(&byte.to_string()).await.is_err() || connection.has_ended().await {
            break;
        }
        sleep(Duration::from_millis(100)).await;
    }
    let answer = connection.rest().await;
    assert!(began.elapsed() >= least, "after {:?}", began.elapsed());
    answer
}

async fn assert_served(server: &Server) {
    let mut other = Connection::to(server).await;
    other.send(HEALTH).await;
    assert!(other.answer().await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn a_slow_head_times_out() {
    let (_installation, server) = impatient("--request-head-timeout", SHORT).await;
    let began = Instant::now();
    let mut first = Connection::to(&server).await;
    first.send("GET /healthz HTTP/1.1\r\nX-Slow: ").await;
    let mut second = Connection::to(&server).await;
    second.send(HEALTH).await;
    assert!(second.answer().await.starts_with("HTTP/1.1 200"));
    let began_again = Instant::now();
    second.send("GET /healthz HTTP/1.1\r\nX-Slow: ").await;
    let (first, second, ()) = tokio::join!(
        trickle(&mut first, "x", began, SHORT),
        trickle(&mut second, "x", began_again, SHORT),
        assert_served(&server)
    );
    assert_eq!([first, second], ["", ""]);
}

#[tokio::test]
async fn a_silent_connection_is_closed() {
    let (_installation, server) = impatient("--request-head-timeout", SHORT).await;
    let began = Instant::now();
    let mut silent = Connection::to(&server).await;
    assert_eq!(silent.rest().await, "");
    assert!(began.elapsed() >= SHORT, "it is closed too early");
}

#[tokio::test]
async fn a_slow_body_is_rejected() {
    let (installation, server) = impatient("--request-body-timeout", SHORT).await;
    for length in ["Content-Length: 4000", "Transfer-Encoding: chunked"] {
        let mut connection = Connection::to(&server).await;
        let head = format!(
            "POST /formalize/forms HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\n{length}\r\n\r\n",
            installation.token
        );
        let began = Instant::now();
        connection.send(&head).await;
        let answer = trickle(&mut connection, "1\r\n \r\n", began, SHORT).await;
        assert!(answer.starts_with("HTTP/1.1 408"), "{length}: {answer}");
        assert!(answer.contains("formalize:request-timeout"), "{answer}");
    }
    assert_served(&server).await;
}

/// 80 KiB a second are fast enough, but a body that stalls after a fast start is not.
#[tokio::test]
async fn a_large_body_may_take_longer_if_it_arrives_steadily() {
    let (installation, server) = impatient("--request-body-timeout", LONG).await;
    let head = format!(
        "POST /formalize/forms HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: 480000\r\n\r\n",
        installation.token
    );
    let mut steady = Connection::to(&server).await;
    steady.send(&head).await;
    // For longer than the timeout.
    for _ in 0..24 {
        sleep(LONG / 20).await;
        steady.send(&" ".repeat(20_000)).await;
    }
    assert!(steady.answer().await.starts_with("HTTP/1.1 400"));
    let mut stalling = Connection::to(&server).await;
    let began = Instant::now();
    stalling
        .send(&format!("{head}{}", " ".repeat(400_000)))
        .await;
    let answer = trickle(&mut stalling, " ", began, LONG).await;
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
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
    let (_installation, server) = impatient("--keep-alive-timeout", LONG).await;
    let mut connection = Connection::to(&server).await;
    let mut last = Instant::now();
    // The pauses are together longer than the timeout.
    for _ in 0..4 {
        last = Instant::now();
        connection.send(HEALTH).await;
        assert!(connection.answer().await.starts_with("HTTP/1.1 200"));
        sleep(LONG * 2 / 5).await;
    }
    assert_eq!(connection.rest().await, "");
    assert!(last.elapsed() >= LONG, "it is closed too early");
}

#[tokio::test]
async fn a_client_that_does_not_read_is_disconnected() {
    let (_installation, server) = impatient("--response-timeout", SHORT).await;
    let mut connection = Connection::to(&server).await;
    // More than the socket buffers hold.
    let page = "GET /docs HTTP/1.1\r\nHost: localhost\r\n\r\n";
    connection.send(&page.repeat(30)).await;
    reaches(&server, "formalize_connections_open", 0).await;
    let taken = connection.rest_of_any_kind().await;
    assert!(taken < 30 * 1_000_000, "all was sent: {taken}");
    assert_served(&server).await;
}

#[tokio::test]
async fn a_client_that_reads_steadily_may_take_longer() {
    let (_installation, server) = impatient("--response-timeout", LONG).await;
    let page = "GET /docs HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let last = page.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    let pages = format!("{}{last}", page.repeat(5));
    let mut fast = Connection::to(&server).await;
    fast.send(&pages).await;
    let all = fast.rest_of_any_kind().await;
    let mut steady = Connection::to(&server).await;
    steady.send(&pages).await;
    let mut taken = 0;
    // For longer than the timeout.
    for _ in 0..30 {
        sleep(LONG / 20).await;
        taken += steady.some(64 << 10).await.len();
    }
    assert!(taken < all, "the sockets hold {all} bytes");
    assert_eq!(taken + steady.rest_of_any_kind().await, all);
}
