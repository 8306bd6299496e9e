//! Concurrent requests on one server and on two.

use std::collections::BTreeSet;
use std::sync::Arc;

use formalize_tests::Server;
use reqwest::Method;
use serde_json::json;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use crate::client::{Client, Installation};
use crate::files::{add, address, draft, send_whole, upload, wait_for_contents};

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
    // The others get the tag of the state that the first change left, or none if they were refused before it was committed.
    let current = clients[0].tag(&path).await.unwrap();
    let mut tags = answers.iter().filter_map(|(_, tag)| tag.as_ref());
    assert!(tags.all(|tag| *tag == current), "{answers:?}");
    for client in clients {
        let late = client.patch_if_match(&path, &read, &json!({})).await;
        assert_eq!(late.unwrap(), (412, Some(current.clone())));
    }
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

/// Room for ten files of ten bytes, and for as many uploads at a time as there are here.
const FILES: [&str; 4] = [
    "--files-url=file:contents",
    "--creator-files-quota=109",
    "--uploads-at-once=256",
    "--file-sweep-interval=1s",
];
/// A content of ten bytes as JSON.
const TEN_BYTES: &str = "12345678";

/// Sends all requests at once. Returns the number of responses with each of the two statuses.
///
/// # Panics
///
/// If a response has another status.
async fn race<F>(requests: Vec<F>, statuses: [u16; 2]) -> [usize; 2]
where
    F: Future<Output = u16> + Send + 'static,
{
    let start = Arc::new(Barrier::new(requests.len()));
    let mut sent = JoinSet::new();
    for request in requests {
        let start = Arc::clone(&start);
        sent.spawn(async move {
            start.wait().await;
            request.await
        });
    }
    let received = sent.join_all().await;
    assert!(
        received.iter().all(|it| statuses.contains(it)),
        "{received:?}"
    );
    statuses.map(|status| received.iter().filter(|it| **it == status).count())
}

/// Starts as many servers on one folder, and sends and removes files at the same time, alternating between them.
async fn send_and_remove_files(installation: &Installation, number: usize) {
    let command = FILES
        .iter()
        .fold(installation.command.clone(), |command, argument| {
            command.arg(*argument)
        });
    let mut servers: Vec<Server> = Vec::new();
    for _ in 0..number {
        servers.push(command.clone().start().await.unwrap());
    }
    let clients: Vec<Client> = servers.iter().map(|it| installation.client(it)).collect();
    let client = &clients[0];

    let schema = json!({ "files": { "cv": { "allowedMimeTypes": ["*/*"] } } }).to_string();
    let form = json!({ "dataFeedSchema": schema, "maxNumSubmissionsPerCreator": 5 });
    let form = client.form(form).await.unwrap();
    let uploads = servers.iter().cycle().take(32).map(|server| {
        let (head, body) = upload(server, &installation.token, &form, 10);
        let address = address(server).to_owned();
        async move {
            let request = [head.as_bytes(), &body].concat();
            send_whole(&address, &request).await.parse().unwrap()
        }
    });
    assert_eq!(race(uploads.collect(), [201, 403]).await, [5, 27]);

    let files = draft(client).await;
    let add_ten_bytes = |client: &Client, files: &str| {
        let (client, files) = (client.clone(), files.to_owned());
        async move { add(&client, &files, &json!(TEN_BYTES)).await.0 }
    };
    let uploads = clients.iter().cycle().take(32);
    let uploads = uploads.map(|client| add_ten_bytes(client, &files));
    assert_eq!(race(uploads.collect(), [201, 403]).await, [10, 22]);

    let (_, list) = client.get(&files).await.unwrap();
    let removed = list["items"][0]["identifier"].as_str().unwrap();
    let removed = format!("{files}/{removed}");
    let removals = clients.iter().cycle().take(4).cloned().map(|client| {
        let removed = removed.clone();
        async move { client.send(Method::DELETE, &removed, None).await.unwrap().0 }
    });
    assert_eq!(race(removals.collect(), [204, 404]).await, [1, 3]);

    // Files that arrive while their submission is deleted are either too late, or deleted with it.
    let gone = draft(client).await;
    let submission = gone.strip_suffix("/files").unwrap();
    let uploads = clients.iter().cycle().take(8);
    let uploads = race(
        uploads.map(|client| add_ten_bytes(client, &gone)).collect(),
        [201, 404],
    );
    let (_, deleted) = tokio::join!(uploads, client.send(Method::DELETE, submission, None));
    assert_eq!(deleted.unwrap().0, 204);
    assert_eq!(client.get(&gone).await.unwrap().0, 404);

    let (_, left) = client.get(&files).await.unwrap();
    let list = format!("/formalize/submissions?formIdentifier={form}");
    let (_, submissions) = client.get(&list).await.unwrap();
    let submissions = submissions["items"].as_array().unwrap().iter();
    let left = submissions
        .map(|it| &it["submittedFiles"][0])
        .chain(left["items"].as_array().unwrap());
    let left = left.map(|file| file["identifier"].as_str().unwrap().to_owned());
    let left: BTreeSet<String> = left.collect();
    assert_eq!(left.len(), 5 + 9);
    wait_for_contents(&installation.command.folder().join("contents"), &left).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_do_not_exceed_limits_and_are_removed_once_on_sqlite() {
    let installation = Installation::on_sqlite().await.unwrap();
    send_and_remove_files(&installation, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn files_do_not_exceed_limits_and_are_removed_once_on_postgresql_with_two_servers() {
    let installation = Installation::on_postgres().await.unwrap();
    send_and_remove_files(&installation, 2).await;
}
