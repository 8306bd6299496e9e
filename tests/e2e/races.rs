//! Concurrent requests on one server and on two.

use std::sync::Arc;

use serde_json::json;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use crate::client::{Client, Installation};

/// Sends 64 submissions at the same time, alternating between the clients, to a form that allows five by this rule.
async fn submit_64(clients: &[Client], rule: &str) -> Vec<(u16, String)> {
    let form = clients[0].form(json!({rule: 5})).await.unwrap();
    let start = Arc::new(Barrier::new(64));
    let mut requests = JoinSet::new();
    for client in clients.iter().cycle().take(64) {
        let (client, form, start) = (client.clone(), form.clone(), Arc::clone(&start));
        requests.spawn(async move {
            start.wait().await;
            let (status, body) = client.submit(&form, &json!({})).await.unwrap();
            (
                status,
                body["relay:errorId"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned(),
            )
        });
    }
    let answers = requests.join_all().await;
    let (_, list) = clients[0]
        .get(&format!("/formalize/submissions?formIdentifier={form}"))
        .await
        .unwrap();
    assert_eq!(list["items"].as_array().unwrap().len(), 5);
    let (_, form) = clients[0]
        .get(&format!("/formalize/forms/{form}"))
        .await
        .unwrap();
    assert_eq!(form["numSubmissionsByCurrentUser"], 5);
    answers
}

/// Each rule by which a form allows five submissions, and the error of the sixth.
const RULES: [(&str, &str); 2] = [
    (
        "maxNumSubmissionsPerCreator",
        "formalize:max-num-form-submissions-per-creator-reached",
    ),
    (
        "maxNumSubmissions",
        "formalize:max-num-form-submissions-reached",
    ),
];

async fn five_of_64_are_admitted(clients: &[Client]) {
    for (rule, error_id) in RULES {
        let answers = submit_64(clients, rule).await;
        let created = answers.iter().filter(|(status, _)| *status == 201).count();
        let refused = answers
            .iter()
            .filter(|(status, id)| *status == 403 && id == error_id)
            .count();
        assert_eq!((created, refused), (5, 59), "{answers:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cap_or_limit_of_five_admits_five_of_64_on_sqlite() {
    let installation = Installation::on_sqlite().await.unwrap();
    let server = installation.command.start().await.unwrap();
    five_of_64_are_admitted(&[installation.client(&server)]).await;
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn a_cap_or_limit_of_five_admits_five_of_64_on_postgresql_with_two_servers() {
    let installation = Installation::on_postgres().await.unwrap();
    let first = installation.command.start().await.unwrap();
    let second = installation.command.start().await.unwrap();
    five_of_64_are_admitted(&[installation.client(&first), installation.client(&second)]).await;
}

/// Sends 16 changes based on the same state of a form at the same time, alternating between the clients.
async fn change_concurrently(clients: &[Client]) {
    let form = clients[0].form(json!({})).await.unwrap();
    let path = format!("/formalize/forms/{form}");
    let read = clients[0].tag(&path).await.unwrap();
    let start = Arc::new(Barrier::new(16));
    let mut requests = JoinSet::new();
    for (index, client) in clients.iter().cycle().take(16).enumerate() {
        let (client, path, read, start) = (
            client.clone(),
            path.clone(),
            read.clone(),
            Arc::clone(&start),
        );
        requests.spawn(async move {
            start.wait().await;
            let body = json!({"name": format!("Form {index}")});
            client.patch_if_match(&path, &read, &body).await.unwrap()
        });
    }
    let answers = requests.join_all().await;
    let changed: Vec<_> = answers
        .iter()
        .filter(|(status, _)| *status == 200)
        .collect();
    let refused = answers.iter().filter(|(status, _)| *status == 412).count();
    assert_eq!((changed.len(), refused), (1, 15), "{answers:?}");
    // All others get the state that the first change left, unless they were refused before it was committed.
    let current = clients[0].tag(&path).await.unwrap();
    let tags = answers.iter().filter_map(|(_, tag)| tag.as_ref());
    assert!(tags.clone().count() > 1, "{answers:?}");
    assert!(tags.clone().all(|tag| *tag == current), "{answers:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_sixteen_conditional_changes_succeeds_on_sqlite() {
    let installation = Installation::on_sqlite().await.unwrap();
    let server = installation.command.start().await.unwrap();
    change_concurrently(&[installation.client(&server)]).await;
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn one_of_sixteen_conditional_changes_succeeds_on_postgresql_with_two_servers() {
    let installation = Installation::on_postgres().await.unwrap();
    let first = installation.command.start().await.unwrap();
    let second = installation.command.start().await.unwrap();
    change_concurrently(&[installation.client(&first), installation.client(&second)]).await;
}
