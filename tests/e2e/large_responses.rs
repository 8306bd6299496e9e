//! Memory for large responses.

use std::fs;

use formalize_tests::Server;
use formalize_tests::client::Installation;
use formalize_tests::patience::{found, until};
use serde_json::json;

use crate::socket::Connection;

const MIB: usize = 1 << 20;

/// The submissions on one page, and the size of their data in bytes.
const SUBMISSIONS: usize = 8;
const BYTES: usize = 1_000_000;

/// One user's share of this is 12 MiB, which has room for one page.
const BUDGET: &str = "--responses-budget=48MiB";

/// The most memory of a process so far, in bytes.
fn peak(server: &Server) -> usize {
    let status = fs::read_to_string(format!("/proc/{}/status", server.id().unwrap())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.unwrap().trim().strip_suffix(" kB").unwrap();
    kib.trim().parse::<usize>().unwrap() * 1024
}

/// A form with large submissions; returns the path of their list.
async fn filled(installation: &Installation, server: &Server) -> String {
    let client = installation.client(server);
    let form = client.form(json!({})).await.unwrap();
    for _ in 0..SUBMISSIONS {
        let data = json!({"name": "x".repeat(BYTES)});
        let (status, created) = client.submit(&form, &data).await.unwrap();
        assert_eq!(status, 201, "{created}");
    }
    format!("/formalize/submissions?formIdentifier={form}")
}

/// The statuses of requests for a list on connections that read no further than the head.
async fn unread(server: &Server, token: &str, path: &str, count: usize) -> Vec<(Connection, bool)> {
    let mut connections = Vec::new();
    for _ in 0..count {
        let mut connection = Connection::to(server).await;
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
        );
        connection.send(&request).await;
        connections.push((connection, false));
    }
    for (connection, is_served) in &mut connections {
        let head = connection.some(64).await;
        *is_served = head.starts_with(b"HTTP/1.1 200");
        assert!(*is_served || head.starts_with(b"HTTP/1.1 503"));
    }
    connections
}

fn served(connections: &[(Connection, bool)]) -> usize {
    connections
        .iter()
        .filter(|(_, is_served)| *is_served)
        .count()
}

async fn clients_that_do_not_read(installation: Installation) {
    let command = installation.command.clone().arg(BUDGET);
    // Each connection to the database may read a page, as on SQLite.
    let command = command.arg("--database-connections=4");
    let patient = command.clone().arg("--response-timeout=1h");
    let server = patient.start().await.unwrap();
    let list = filled(&installation, &server).await;
    let before = peak(&server);
    let token = &installation.token;

    let stalled = unread(&server, token, &list, 12).await;
    assert_eq!(served(&stalled), 1);
    let client = installation.client(&server);
    for _ in 0..10 {
        let (status, _) = client
            .get(&format!("{list}&perPage=1&page=9"))
            .await
            .unwrap();
        assert_eq!(status, 200, "it is small");
    }
    assert_eq!(served(&unread(&server, token, &list, 1).await), 0);
    let grown = peak(&server) - before;
    // The bodies of all twelve would take 96 MiB, besides what reading and composing them takes.
    assert!(grown < 120 * MIB, "{grown} bytes more for one page");

    drop(stalled);
    let is_served = async || served(&unread(&server, token, &list, 1).await) == 1;
    until("the memory is released", is_served).await;
    server.kill_9().await.unwrap();

    let command = command.arg("--response-timeout=2s");
    let server = command.start().await.unwrap();
    let client = installation.client(&server);
    let stalled = unread(&server, token, &list, 3).await;
    assert!(served(&stalled) > 0);
    let page = found("the stalled connection times out", async || {
        // On a busy machine, this client may be too slow as well.
        let (status, page) = client.get(&list).await.ok()?;
        (status == 200).then_some(page)
    });
    let page = page.await;
    assert_eq!(page["items"].as_array().unwrap().len(), SUBMISSIONS);
}

#[tokio::test]
async fn clients_that_do_not_read_use_a_share_of_the_memory_on_sqlite() {
    clients_that_do_not_read(Installation::on_sqlite().await.unwrap()).await;
}

#[tokio::test]
async fn clients_that_do_not_read_use_a_share_of_the_memory_on_postgres() {
    clients_that_do_not_read(Installation::on_postgres().await.unwrap()).await;
}
