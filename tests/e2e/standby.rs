//! The server of the database becomes a standby, which takes no writes, and then the primary again.

use std::time::Duration;

use formalize_tests::Server;
use formalize_tests::postgres::OwnCluster;
use reqwest::Method;
use serde_json::json;
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};

use crate::client::Installation;
use crate::metrics;

async fn get(url: &str) -> (u16, String) {
    let answer = reqwest::get(url).await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

/// Waits for the status of `/readyz`, and returns the response.
async fn readiness(server: &Server, expected: u16) -> String {
    let url = format!("{}/readyz", server.base_url());
    let reached = async {
        loop {
            let (status, text) = get(&url).await;
            if status == expected {
                return text;
            }
            sleep(Duration::from_millis(50)).await;
        }
    };
    let reached = timeout(Duration::from_mins(1), reached).await;
    reached.unwrap_or_else(|_| {
        panic!(
            "/readyz never becomes {expected}: {}",
            server.stderr().unwrap()
        )
    })
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn a_standby_is_not_ready_until_it_is_promoted() {
    let mut cluster = spawn_blocking(OwnCluster::new).await.unwrap().unwrap();
    let installation = Installation::at(cluster.url()).await.unwrap();
    let command = installation.command.clone();
    let command = command
        .env("FORMALIZE_DATABASE_WAIT", "1s")
        .env("FORMALIZE_METRICS_LISTEN", "127.0.0.1:0");
    let server = command.start().await.unwrap();
    let metrics = metrics::url_of(&server);
    let role = async |role: &str| {
        let line = format!("formalize_database_role{{role=\"{role}\"}} 1");
        get(&metrics).await.1.contains(&line)
    };
    let client = installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    readiness(&server, 200).await;
    assert!(role("primary").await && !role("standby").await);

    let cluster = spawn_blocking(move || cluster.demote().map(|()| cluster));
    let cluster = cluster.await.unwrap().unwrap();
    let not_ready = readiness(&server, 503).await;
    assert!(
        role("standby").await && !role("primary").await,
        "{not_ready}"
    );
    let body = json!({ "formIdentifier": form, "dataFeedElement": "{}" });
    let path = "/formalize/submissions";
    let request = client.send_with_key(Method::POST, path, Some(&body), None);
    let refused = request.await.unwrap();
    assert!(
        refused.status == 503 && refused.has_retry_after,
        "{refused:?}"
    );
    let started = command.start().await.unwrap_err().to_string();
    assert!(
        started.contains("the database server is a standby and takes no writes"),
        "{started}"
    );

    let promoted = spawn_blocking(move || cluster.promote().map(|()| cluster));
    let _cluster = promoted.await.unwrap().unwrap();
    readiness(&server, 200).await;
    assert!(role("primary").await && !role("standby").await);
    let (status, answer) = client.submit(&form, &json!({})).await.unwrap();
    assert_eq!(status, 201, "{answer}");
}
