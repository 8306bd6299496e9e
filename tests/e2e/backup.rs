//! Backups of a database that a server is writing to.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use formalize_core::{Caller, FormId, Formalize, Store as _, SubmissionFilter};
use formalize_sql::{SqlOptions, SqlStore};
use formalize_tests::patience::until;
use formalize_tests::world::everything;
use serde_json::json;
use tokio::task::JoinSet;

use crate::client::{Client, Installation};
use crate::writers::Writers;

/// The number of submissions of a form in a copy, which must pass verification.
async fn sound_submissions(url: &str, form: &str) -> usize {
    let store = SqlStore::open(url, &SqlOptions::default()).await.unwrap();
    let mut verification = store.verify().await.unwrap();
    while let Some(findings) = verification.proceed().await.unwrap() {
        assert_eq!(findings, []);
    }
    drop(verification);
    let formalize = Formalize::builder(Arc::new(store.clone())).build();
    let formalize = formalize.await.unwrap();
    let form: FormId = form.parse().unwrap();
    let (filter, page) = (SubmissionFilter::default(), everything());
    let submissions = formalize.submissions();
    let list = submissions.list(&Caller::System, form, &filter, &page);
    let listed = list.await.unwrap().items.len();
    store.close().await;
    listed
}

#[tokio::test(flavor = "multi_thread")]
async fn backups_contain_acknowledged_writes_and_are_consistent() {
    let installation = Installation::on_sqlite().await.unwrap();
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    let number = 8;
    let writers = Writers::start(&client, &form, number);
    for copy in 0..3 {
        writers.write(20).await;
        let name = format!("copy-{copy}.db");
        let before = writers.acknowledged();
        installation.cli(&["backup", &name]).await.unwrap();
        // Each writer may have sent one more.
        let after = writers.acknowledged() + number;
        let url = format!(
            "sqlite://{}/{name}",
            installation.command.folder().display()
        );
        let held = sound_submissions(&url, &form).await;
        assert!(
            (before..=after).contains(&held),
            "{held} of {before} to {after}"
        );
    }
    let written = writers.end().await;
    let failed = written.refused + written.disconnected;
    assert_eq!(failed, 0, "writing goes on during a backup");
    let verified = installation.cli(&["verify", "-o", "json"]).await.unwrap();
    assert_eq!(verified, "[]");
    assert!(server.terminate().await.unwrap().success());
}

/// Adds files to drafts, and deletes each draft when there are some newer ones.
async fn add_and_delete_files(
    client: Client,
    form: String,
    added: Arc<AtomicUsize>,
    ended: Arc<AtomicBool>,
) {
    let mut drafts = VecDeque::new();
    while !ended.load(Ordering::SeqCst) {
        let body = json!({"formIdentifier": form, "submissionState": "draft"});
        let (status, draft) = client.post("/formalize/submissions", &body).await.unwrap();
        assert_eq!(status, 201, "{draft}");
        let path = format!(
            "/formalize/submissions/{}",
            draft["identifier"].as_str().unwrap()
        );
        let to = format!("{path}/files?fileAttributeName=notes&fileName=note.json");
        let (status, file) = client.post(&to, &draft).await.unwrap();
        assert_eq!(status, 201, "{file}");
        added.fetch_add(1, Ordering::SeqCst);
        drafts.push_back(path);
        if drafts.len() > 3
            && let Some(path) = drafts.pop_front()
        {
            let deleted = client.send(reqwest::Method::DELETE, &path, None).await;
            assert_eq!(deleted.unwrap().0, 204);
        }
    }
}

/// Files are added, deleted and swept all the time.
#[tokio::test(flavor = "multi_thread")]
async fn backups_have_the_contents_of_all_files_that_they_name() {
    let often = "file_sweep_interval = \"1s\"\n";
    let installation = Installation::configured(None, often).await.unwrap();
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let states = json!({"allowedSubmissionStates": ["draft", "submitted"]});
    let form = client.form(states).await.unwrap();
    let (added, ended) = (Arc::<AtomicUsize>::default(), Arc::<AtomicBool>::default());
    let mut writers = JoinSet::new();
    for _ in 0..3 {
        let (added, ended) = (Arc::clone(&added), Arc::clone(&ended));
        writers.spawn(add_and_delete_files(
            client.clone(),
            form.clone(),
            added,
            ended,
        ));
    }
    for number in 0..20 {
        let enough = added.load(Ordering::SeqCst) + 6;
        until("more files are added", async || {
            added.load(Ordering::SeqCst) >= enough
        })
        .await;
        let copy = format!("copy-{number}.db");
        // Some of them share a folder.
        let files = match number % 2 {
            0 => "shared".to_owned(),
            _ => format!("files-{number}"),
        };
        let backup = ["backup", &copy, "--files", &files];
        installation.cli(&backup).await.unwrap();
        let url = format!("sqlite://{copy}");
        let verify = [
            "verify",
            "--database-url",
            &url,
            "--files",
            &files,
            "--contents",
        ];
        installation.cli(&verify).await.unwrap();
    }
    ended.store(true, Ordering::SeqCst);
    while let Some(written) = writers.join_next().await {
        written.unwrap();
    }
    assert!(server.terminate().await.unwrap().success());
    installation.cli(&["files", "sweep"]).await.unwrap();
    installation.cli(&["verify", "--contents"]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn backup_refers_to_pg_dump_on_postgresql() {
    let installation = Installation::on_postgres().await.unwrap();
    let refused = installation.cli(&["backup", "copy.db"]).await.unwrap_err();
    let refused = refused.to_string();
    assert!(
        refused.contains("pg_dump") && refused.contains("exit status: 2"),
        "{refused}"
    );
    let verified = installation.cli(&["verify", "-o", "json"]).await.unwrap();
    assert_eq!(verified, "[]");
}

/// The database and its write-ahead log, and the names of all files.
fn files(installation: &Installation) -> (Vec<Vec<u8>>, BTreeSet<String>) {
    let folder = installation.command.folder();
    let content = ["formalize.db", "formalize.db-wal"].map(|name| fs::read(folder.join(name)));
    let names = fs::read_dir(folder).unwrap();
    let names = names.map(|file| file.unwrap().file_name().into_string().unwrap());
    (content.into_iter().flatten().collect(), names.collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn verifying_changes_no_files_while_a_server_runs_and_after_it_was_killed() {
    let installation = Installation::on_sqlite().await.unwrap();
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    let (status, _) = client.submit(&form, &json!({"x": 1})).await.unwrap();
    assert_eq!(status, 201);
    let before = files(&installation);
    assert!(before.1.contains("formalize.db-wal"), "{:?}", before.1);
    let verify = async || installation.cli(&["verify", "-o", "json"]).await.unwrap();
    assert_eq!(verify().await, "[]");
    assert!(files(&installation) == before, "while the server runs");
    let (status, _) = client.submit(&form, &json!({"x": 2})).await.unwrap();
    assert_eq!(status, 201, "the server still writes");

    server.kill_9().await.unwrap();
    let before = files(&installation);
    assert!(before.1.contains("formalize.db-wal"), "{:?}", before.1);
    assert_eq!(verify().await, "[]");
    assert!(
        files(&installation) == before,
        "after the server was killed"
    );

    let server = installation.command.start().await.unwrap();
    assert!(server.terminate().await.unwrap().success());
    let before = files(&installation);
    assert!(!before.1.contains("formalize.db-wal"), "{:?}", before.1);
    assert_eq!(verify().await, "[]");
    assert!(files(&installation) == before, "after the server stopped");
}
