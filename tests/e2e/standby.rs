//! The server of the database becomes a standby, which takes no writes, and then the primary again.

use formalize_tests::postgres::OwnCluster;
use reqwest::Method;
use serde_json::json;
use tokio::task::spawn_blocking;

use crate::client::{Installation, readiness};
use crate::metrics::{reaches, value};

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
    let role = async |role: &str| {
        let series = format!("formalize_database_role{{role=\"{role}\"}}");
        value(&server, &series).await == 1
    };
    let client = installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    readiness(&server, 200).await;
    assert!(role("primary").await && !role("standby").await);

    let cluster = spawn_blocking(move || cluster.demote().map(|()| cluster));
    let cluster = cluster.await.unwrap().unwrap();
    readiness(&server, 503).await;
    reaches(&server, "formalize_database_role{role=\"standby\"}", 1).await;
    assert!(!role("primary").await);
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
