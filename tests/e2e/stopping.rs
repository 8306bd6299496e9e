//! What happens to requests and connections when a server is told to stop.

use std::time::{Duration, Instant};

use formalize_tests::Server;
use formalize_tests::patience::until;
use serde_json::json;
use tokio::net::TcpStream;

use crate::client::{Installation, readiness};
use crate::metrics::in_progress;
use crate::socket::Connection;
use crate::writers::Writers;

/// A request that creates a form, in two halves.
fn halves(token: &str) -> (String, String) {
    let body = json!({"name": "Half-way"}).to_string();
    let (first, second) = body.split_at(body.len() / 2);
    let head = format!(
        "POST /formalize/forms HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    (format!("{head}{first}"), second.to_owned())
}

async fn wait_until_connections_are_refused(server: &Server) {
    let address = server.base_url().strip_prefix("http://").unwrap();
    let is_refused = async || TcpStream::connect(address).await.is_err();
    until("connections are refused", is_refused).await;
}

#[tokio::test]
async fn every_signal_to_stop_ends_the_server_in_order() {
    for signal in ["TERM", "INT", "HUP"] {
        let command = formalize_tests::ServerCommand::new().unwrap();
        let mut server = command.start().await.unwrap();
        server.signal(signal).await.unwrap();
        let status = server.wait().await.unwrap();
        assert_eq!(status.code(), Some(0), "{signal}");
        let log = server.stderr().unwrap();
        assert!(log.contains("stopped"), "{signal}: {log}");
    }
}

async fn a_request_under_way_is_finished(installation: Installation) {
    let command = installation.command.clone();
    let command = command.arg("--shutdown-timeout=1h");
    let command = command.arg("--metrics-listen=127.0.0.1:0");
    let mut server = command.start().await.unwrap();
    let mut silent = Connection::to(&server).await;
    let mut idle = Connection::to(&server).await;
    idle.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .await;
    assert!(idle.answer().await.starts_with("HTTP/1.1 200"));
    let mut busy = Connection::to(&server).await;
    let (first, second) = halves(&installation.token);
    busy.send(&first).await;
    in_progress(&server, 1).await;

    server.tell_to_stop().await.unwrap();
    wait_until_connections_are_refused(&server).await;
    assert_eq!(idle.rest().await, "", "nothing holds an idle connection");
    assert_eq!(silent.rest().await, "");
    busy.send(&second).await;
    let answer = busy.rest().await;
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
    assert!(
        answer.to_lowercase().contains("connection: close"),
        "{answer}"
    );
    assert!(server.wait().await.unwrap().success());
    if installation.database().is_none() {
        let log = installation.command.folder().join("formalize.db-wal");
        assert!(!log.exists(), "the database was not closed");
    }
    let forms = installation.cli(&["forms", "list", "-o", "json"]).await;
    assert!(forms.unwrap().contains("Half-way"));
}

#[tokio::test]
async fn a_request_under_way_is_finished_on_sqlite() {
    a_request_under_way_is_finished(Installation::on_sqlite().await.unwrap()).await;
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn a_request_under_way_is_finished_on_postgresql() {
    a_request_under_way_is_finished(Installation::on_postgres().await.unwrap()).await;
}

#[tokio::test]
async fn a_request_exceeding_the_shutdown_timeout_is_cancelled() {
    let installation = Installation::on_sqlite().await.unwrap();
    let command = installation.command.clone();
    let command = command.arg("--shutdown-timeout=500ms");
    let command = command.arg("--metrics-listen=127.0.0.1:0");
    let mut server = command.start().await.unwrap();
    let mut busy = Connection::to(&server).await;
    busy.send(&halves(&installation.token).0).await;
    in_progress(&server, 1).await;
    let told = Instant::now();
    server.tell_to_stop().await.unwrap();
    assert!(server.wait().await.unwrap().success());
    assert!(
        told.elapsed() >= Duration::from_millis(500),
        "it did not wait"
    );
    assert_eq!(busy.rest().await, "");
}

#[tokio::test]
async fn the_shutdown_delay_ends_by_itself() {
    let command = formalize_tests::ServerCommand::new().unwrap();
    let server = command.arg("--shutdown-delay=1s").start().await.unwrap();
    let told = Instant::now();
    assert!(server.terminate().await.unwrap().success());
    assert!(told.elapsed() >= Duration::from_secs(1), "it did not wait");
}

#[tokio::test]
async fn a_second_signal_skips_the_shutdown_delay() {
    let installation = Installation::on_sqlite().await.unwrap();
    let command = installation.command.clone();
    let command = command.arg("--shutdown-delay=1h");
    let server = command.start().await.unwrap();
    let client = installation.client(&server);
    assert_eq!(client.get("/readyz").await.unwrap().0, 200);

    server.tell_to_stop().await.unwrap();
    readiness(&server, 503).await;
    let (status, problem) = client.get("/readyz").await.unwrap();
    assert_eq!(
        (status, &problem["relay:errorId"]),
        (503, &json!("formalize:service-unavailable"))
    );
    assert_eq!(client.get("/healthz").await.unwrap().0, 200);
    client.form(json!({})).await.unwrap();
    let mut connection = Connection::to(&server).await;
    connection
        .send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .await;
    let answer = connection.rest().await;
    assert!(
        answer.to_lowercase().contains("connection: close"),
        "{answer}"
    );

    assert!(server.terminate().await.unwrap().success());
}

/// Without a delay, clients may see refused or closed connections, but no incorrect response.
async fn nothing_acknowledged_is_lost(installation: Installation) {
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    let writers = Writers::start(&client, &form, 8);
    writers.write(50).await;
    assert!(server.terminate().await.unwrap().success());
    let written = writers.lose_server().await;
    assert_eq!(written.refused, 0);
    let stored = installation.submissions(&form).await.unwrap();
    assert!(
        written.acknowledged == stored,
        "what was stored was acknowledged, and nothing else"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_acknowledged_is_lost_on_sqlite() {
    nothing_acknowledged_is_lost(Installation::on_sqlite().await.unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn nothing_acknowledged_is_lost_on_postgresql() {
    nothing_acknowledged_is_lost(Installation::on_postgres().await.unwrap()).await;
}
