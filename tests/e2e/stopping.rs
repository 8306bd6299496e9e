//! What happens to requests and connections when a server is told to stop.

use std::time::{Duration, Instant};

use formalize_tests::Server;
use serde_json::json;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::client::{Client, Installation};
use crate::socket::{AT_ONCE, Connection};

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
    let refused = async {
        while TcpStream::connect(address).await.is_ok() {
            sleep(Duration::from_millis(20)).await;
        }
    };
    let refused = timeout(AT_ONCE, refused).await;
    assert!(refused.is_ok(), "it goes on accepting");
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
    let command = command.arg("--shutdown-timeout").arg("1m");
    let mut server = command.start().await.unwrap();
    let mut silent = Connection::to(&server).await;
    let mut idle = Connection::to(&server).await;
    idle.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .await;
    assert!(idle.answer().await.starts_with("HTTP/1.1 200"));
    let mut busy = Connection::to(&server).await;
    let (first, second) = halves(&installation.token);
    busy.send(&first).await;
    sleep(Duration::from_millis(300)).await;

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
    let ended = timeout(AT_ONCE, server.wait()).await;
    assert!(ended.unwrap().unwrap().success());
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
    let command = command.arg("--shutdown-timeout").arg("500ms");
    let mut server = command.start().await.unwrap();
    let mut busy = Connection::to(&server).await;
    busy.send(&halves(&installation.token).0).await;
    sleep(Duration::from_millis(300)).await;
    let told = Instant::now();
    server.tell_to_stop().await.unwrap();
    let ended = timeout(AT_ONCE, server.wait()).await;
    assert!(ended.unwrap().unwrap().success());
    assert!(
        told.elapsed() >= Duration::from_millis(500),
        "it did not wait"
    );
    assert_eq!(busy.rest().await, "");
}

#[tokio::test]
async fn a_second_signal_skips_the_shutdown_delay() {
    let installation = Installation::on_sqlite().await.unwrap();
    let command = installation.command.clone();
    let command = command.arg("--shutdown-delay").arg("5m");
    let mut server = command.start().await.unwrap();
    let client = installation.client(&server);
    assert_eq!(client.get("/readyz").await.unwrap().0, 200);

    server.tell_to_stop().await.unwrap();
    let until_noticed = async {
        while client.get("/readyz").await.unwrap().0 == 200 {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(AT_ONCE, until_noticed).await.unwrap();
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

    server.tell_to_stop().await.unwrap();
    let ended = timeout(AT_ONCE, server.wait()).await;
    assert!(ended.unwrap().unwrap().success());
}

/// Creates submissions until the server is gone, and returns the identifiers of the acknowledged ones.
async fn submit_until_it_ends(client: Client, form: String) -> Vec<String> {
    let mut acknowledged = Vec::new();
    while let Ok((status, submission)) = client.submit(&form, &json!({})).await {
        assert_eq!(status, 201, "{submission}");
        acknowledged.push(submission["identifier"].as_str().unwrap().to_owned());
    }
    acknowledged
}

/// Without a delay, clients may see refused or closed connections, but no incorrect response.
async fn nothing_acknowledged_is_lost(installation: Installation) {
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    let mut writers = JoinSet::new();
    for _ in 0..8 {
        writers.spawn(submit_until_it_ends(client.clone(), form.clone()));
    }
    sleep(Duration::from_secs(1)).await;
    assert!(server.terminate().await.unwrap().success());
    let acknowledged = writers.join_all().await.concat();
    let stored = installation.submissions(&form).await.unwrap();
    assert!(!acknowledged.is_empty());
    assert_eq!(
        acknowledged.len(),
        stored.len(),
        "what was stored was acknowledged"
    );
    assert!(
        acknowledged
            .iter()
            .all(|identifier| stored.contains(identifier))
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
