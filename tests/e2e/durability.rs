//! Acknowledged writes survive a crash.

use std::collections::BTreeSet;

use serde_json::json;

use crate::client::Installation;
use crate::writers::Writers;

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_writes_survive_a_kill() {
    let installation = Installation::on_sqlite().await.unwrap();
    let server = installation.command.start().await.unwrap();
    let form = installation.client(&server).form(json!({})).await.unwrap();
    let mut expected = BTreeSet::new();
    let mut server = Some(server);
    for round in 0..4 {
        let running = server.take().unwrap();
        // Enough clients for their transactions to share commits.
        let writers = Writers::start(&installation.client(&running), &form, 64);
        writers.write(100 + 50 * round).await;
        running.kill_9().await.unwrap();
        expected.append(&mut writers.lose_server().await.acknowledged);
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
