//! Acknowledged writes survive a crash.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::json;
use tokio::task::JoinSet;

use crate::client::{Client, Installation};

/// Creates submissions until the server is gone, and returns the identifiers of the acknowledged ones.
async fn submit_until_it_ends(client: Client, form: String) -> Vec<String> {
    let mut acknowledged = Vec::new();
    while let Ok((201, submission)) = client
        .submit(&form, &json!({"number": acknowledged.len()}))
        .await
    {
        acknowledged.push(submission["identifier"].as_str().unwrap().to_owned());
    }
    acknowledged
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_writes_survive_a_kill() {
    let installation = Installation::on_sqlite().await.unwrap();
    let server = installation.command.start().await.unwrap();
    let form = installation.client(&server).form(json!({})).await.unwrap();
    let mut expected = BTreeSet::new();
    let mut server = Some(server);
    for round in 0..4 {
        let running = server.take().unwrap();
        let mut writers = JoinSet::new();
        // Enough clients for their transactions to share commits.
        let client = installation.client(&running);
        for _ in 0..64 {
            writers.spawn(submit_until_it_ends(client.clone(), form.clone()));
        }
        tokio::time::sleep(Duration::from_millis(300 + 100 * round)).await;
        running.kill_9().await.unwrap();
        let before = expected.len();
        expected.extend(writers.join_all().await.into_iter().flatten());
        assert!(
            expected.len() > before,
            "nothing was written in round {round}"
        );
        let restarted = installation.command.start().await.unwrap();
        let client = installation.client(&restarted);
        let list = format!("/formalize/submissions?formIdentifier={form}&perPage=10000");
        let (status, page) = client.get(&list).await.unwrap();
        assert_eq!(status, 200);
        let items = page["items"].as_array().unwrap();
        let stored: BTreeSet<String> = items
            .iter()
            .map(|item| item["identifier"].as_str().unwrap().to_owned())
            .collect();
        let missing: Vec<&String> = expected.difference(&stored).collect();
        assert!(missing.is_empty(), "acknowledged and lost: {missing:?}");
        let (_, shown) = client
            .get(&format!("/formalize/forms/{form}"))
            .await
            .unwrap();
        assert_eq!(
            shown["numSubmissionsByCurrentUser"],
            stored.len(),
            "the count agrees with what is there"
        );
        server = Some(restarted);
    }
}
