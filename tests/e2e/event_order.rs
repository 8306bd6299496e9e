//! The log of events while servers and the command line write, and some transactions last for seconds or are undone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use formalize_core::{
    Caller, Error, Formalize, Store, SubmissionChange, SubmissionId, SubmissionState,
    events::{Event, EventFilter},
    submissions::RequestedState,
};
use formalize_sql::{SqlOptions, SqlStore};
use formalize_tests::TestDatabase;
use formalize_tests::failing::{FailingStore, Failure};
use formalize_tests::patience::LIMIT;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::client::{Client, Installation};

/// Writers that send requests, run commands, and hold transactions open.
const WRITERS: [usize; 3] = [12, 4, 4];

/// A webhook makes the log keep the data of each change. No server sends any of it. Servers wait for the transactions that are
/// held open, on a busy machine for long; so do commands.
const CONFIGURATION: &str = "webhook_delivery = false\ndatabase_wait = \"2m\"\n";

const SUBMISSIONS: &str = "/formalize/submissions";

const SUBMITTED: &str = "submission.submitted";
const UPDATED: &str = "submission.updated";
const DELETED: &str = "submission.deleted";

/// The changes that were acknowledged to a writer: the type of the event of each, and the submission.
type Changes = Vec<(&'static str, String)>;

struct Scene {
    installation: Installation,
    database_url: String,
    /// A client of each server.
    clients: Vec<Client>,
    form: String,
    /// Submissions that all writers change. Their data counts the changes of data.
    common: Vec<String>,
    /// How long a transaction is held open.
    hold: Duration,
}

impl Scene {
    async fn store(&self) -> Arc<dyn Store> {
        let options = SqlOptions {
            wait: LIMIT,
            ..SqlOptions::default()
        };
        let store = SqlStore::open(&self.database_url, &options).await;
        Arc::new(store.unwrap())
    }

    fn common(&self, number: usize) -> String {
        self.common[number % self.common.len()].clone()
    }
}

fn submission(form: &str, number: u64) -> Value {
    json!({"formIdentifier": form, "dataFeedElement": json!({"n": number}).to_string()})
}

/// The identifier of a submission that was created.
async fn create(client: &Client, form: &str, number: u64) -> String {
    let (status, created) = client
        .post(SUBMISSIONS, &submission(form, number))
        .await
        .unwrap();
    assert_eq!(status, 201, "{created}");
    created["identifier"].as_str().unwrap().to_owned()
}

fn number_in(data: &str) -> u64 {
    let data: Value = serde_json::from_str(data).unwrap();
    data["n"].as_u64().unwrap()
}

/// Changes the data of a common submission, and returns false if another writer changed it first.
async fn count_up(client: &Client, id: &str) -> bool {
    let path = format!("{SUBMISSIONS}/{id}");
    let tag = client.tag(&path).await.unwrap();
    let (_, item) = client.get(&path).await.unwrap();
    let next = number_in(item["dataFeedElement"].as_str().unwrap()) + 1;
    let change = json!({"dataFeedElement": json!({"n": next}).to_string()});
    let (status, _) = client.patch_if_match(&path, &tag, &change).await.unwrap();
    assert!(status == 200 || status == 412, "{status}");
    status == 200
}

/// Sends requests, some of which are refused after locks were taken.
async fn send(scene: Arc<Scene>, writer: usize) -> Changes {
    let client = &scene.clients[writer % scene.clients.len()];
    let mut made = Changes::new();
    for round in 0..20 {
        let common = scene.common(writer + round);
        if count_up(client, &common).await {
            made.push((UPDATED, common));
        }
        let id = create(client, &scene.form, 0).await;
        made.push((SUBMITTED, id.clone()));
        let path = format!("{SUBMISSIONS}/{id}");
        if round % 2 == 0 {
            let change = json!({"dataFeedElement": r#"{"n": 1}"#});
            let sent = client.send(Method::PATCH, &path, Some(&change)).await;
            assert_eq!(sent.unwrap().0, 200);
            made.push((UPDATED, id.clone()));
        }
        if round % 4 == 0 {
            let sent = client.send(Method::DELETE, &path, None).await;
            assert_eq!(sent.unwrap().0, 204);
            made.push((DELETED, id));
        }
        // It must write as long as others hold transactions open.
        sleep(scene.hold / 3).await;
    }
    made
}

/// Runs commands.
async fn command(scene: Arc<Scene>, writer: usize) -> Changes {
    let cli = &scene.installation;
    let data = cli.command.folder().join(format!("{writer}.json"));
    fs::write(&data, r#"{"n": 0}"#).unwrap();
    let data = data.to_str().unwrap();
    let mut made = Changes::new();
    for round in 0..6 {
        let create = ["submissions", "create", "--form", &scene.form];
        let create = [&create[..], &["--data", data, "-o", "json"]].concat();
        let created: Value = serde_json::from_str(&cli.cli(&create).await.unwrap()).unwrap();
        let created = created.get(0).unwrap_or(&created);
        let id = created["identifier"].as_str().unwrap().to_owned();
        made.push((SUBMITTED, id.clone()));
        let common = scene.common(writer + round);
        let touch = ["submissions", "update", &common, "--state", "submitted"];
        match cli.cli(&touch).await {
            Ok(_) => made.push((UPDATED, common)),
            // Another writer changed the submission after this command had read it.
            Err(error) => assert!(error.to_string().contains("exit status: 6"), "{error}"),
        }
        if round % 2 == 0 {
            cli.cli(&["submissions", "delete", &id, "--yes"])
                .await
                .unwrap();
            made.push((DELETED, id));
        }
        sleep(scene.hold).await;
    }
    made
}

/// Changes common submissions in transactions that are held open between the locks of the form and of the submission. Most
/// of them are undone: cancelled while they are open, or failing at their end.
async fn hold(scene: Arc<Scene>, writer: usize) -> Changes {
    let store = FailingStore::around(scene.store().await);
    let formalize = Formalize::builder(Arc::new(store.clone()));
    let formalize = formalize.build().await.unwrap();
    let mut made = Changes::new();
    for round in 0..9 {
        let common = scene.common(writer + round);
        let id: SubmissionId = common.parse().unwrap();
        let touch = SubmissionChange {
            state: RequestedState::Known(SubmissionState::Submitted),
            ..SubmissionChange::default()
        };
        let submissions = formalize.submissions();
        let update = submissions.update(&Caller::System, id, touch);
        store.fail_at("lock_submission_exclusive", Failure::Slow(scene.hold));
        match (writer + round) % 3 {
            0 => {
                update.await.unwrap();
                made.push((UPDATED, common));
            }
            1 => {
                let cancelled = timeout(scene.hold / 2, update).await;
                assert!(cancelled.is_err(), "it is held open");
            }
            _ => {
                store.fail_at("commit", Failure::Failed);
                let failed = update.await;
                assert!(matches!(failed, Err(Error::Store(_))), "{failed:?}");
            }
        }
    }
    made
}

/// Reads the feed one event at a time, alternating between servers, until all writers have finished. At the end of the log it
/// waits long enough for transactions to commit in another order than they began, before their events get positions.
async fn follow(
    clients: Vec<Client>,
    start: String,
    is_over: watch::Receiver<bool>,
    pause: Duration,
) -> Vec<Value> {
    let (mut seen, mut cursor) = (Vec::new(), start);
    for client in clients.iter().cycle() {
        let was_over = *is_over.borrow();
        let path = format!("/formalize/events?perPage=1&cursor={cursor}");
        let (status, page) = client.get(&path).await.unwrap();
        assert_eq!(status, 200, "{page}");
        let items = page["items"].as_array().unwrap();
        assert!(items.len() <= 1, "{page}");
        seen.extend_from_slice(items);
        page["nextCursor"].as_str().unwrap().clone_into(&mut cursor);
        if page["hasMore"] == json!(false) {
            if was_over {
                break;
            }
            sleep(pause).await;
        }
    }
    seen
}

/// The log behind a position.
async fn log(formalize: &Formalize, start: i64) -> Vec<Event> {
    let (mut events, mut after) = (Vec::new(), start);
    loop {
        let page = formalize.events();
        let page = page.read(Some(after), &EventFilter::default(), 1000).await;
        let page = page.unwrap();
        events.extend(page.events);
        after = page.next;
        if !page.has_more {
            return events;
        }
    }
}

/// The type of an event, and its submission.
fn change(event: &Event) -> (&'static str, String) {
    let data = event.data.to_json();
    let id = data["submissionIdentifier"].as_str().unwrap().to_owned();
    (event.event_type.as_str(), id)
}

/// The log must have what was acknowledged, and nothing else.
fn check_changes(scene: &Scene, log: &[Event], made: &[Changes]) {
    let mut expected: Changes = made.concat();
    let mut logged: Changes = log.iter().map(change).collect();
    expected.sort_unstable();
    logged.sort_unstable();
    assert_eq!(
        logged, expected,
        "each change once, and none that was undone"
    );
    // Nobody else changes the submissions that a writer creates.
    for made in made {
        let own = |(_, id): &(_, String)| !scene.common.contains(id);
        let expected: Changes = made.iter().filter(|it| own(it)).cloned().collect();
        let ids: BTreeSet<&String> = expected.iter().map(|(_, id)| id).collect();
        let logged = log.iter().map(change).filter(|(_, id)| ids.contains(id));
        assert_eq!(logged.collect::<Changes>(), expected, "in order");
    }
}

/// The changes of each common submission must be in their order, by the data that each of them left.
async fn check_order(scene: &Scene, log: &[Event]) {
    let mut tx = scene.store().await.read().await.unwrap();
    let mut numbers: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for event in log {
        let (_, id) = change(event);
        if scene.common.contains(&id) {
            let frozen = tx
                .read_webhooks()
                .unwrap()
                .frozen(event.id)
                .await
                .unwrap()
                .unwrap();
            let number = number_in(&frozen.data.unwrap());
            numbers.entry(id).or_default().push(number);
        }
    }
    assert_eq!(numbers.len(), scene.common.len());
    let mut without_change = 0;
    for (id, mut numbers) in numbers {
        assert!(numbers.is_sorted(), "{id}: {numbers:?}");
        let touches = numbers.len();
        numbers.retain(|number| *number > 0);
        numbers.dedup();
        let last = u64::try_from(numbers.len()).unwrap();
        assert_eq!(numbers, (1..=last).collect::<Vec<_>>(), "no change is lost");
        assert!(last > 5, "{last} of {touches}");
        without_change += touches - numbers.len();
    }
    // Commands are refused if a request comes between, but nothing stops those that hold the locks.
    assert!(without_change > 3, "{without_change}");
}

/// The reader must have seen the log, except for events about what was gone when it came there.
fn check_feed(log: &[Event], seen: &[Value]) {
    let deleted: Changes = log.iter().map(change).collect();
    let deleted = deleted.iter().filter(|(kind, _)| *kind == DELETED);
    let deleted: BTreeSet<&str> = deleted.map(|(_, id)| id.as_str()).collect();
    let mut seen = seen.iter().peekable();
    for event in log {
        let is_this = |it: &&Value| it["identifier"] == json!(event.id.to_string());
        if let Some(shown) = seen.next_if(is_this) {
            assert_eq!(shown["sequence"], json!(event.sequence));
            assert_eq!(shown["type"], json!(event.event_type.as_str()));
        } else {
            let (kind, id) = change(event);
            let is_hidden = kind != DELETED && deleted.contains(id.as_str());
            assert!(is_hidden, "the feed lacks {kind} of {id}");
        }
    }
    assert_eq!(seen.next(), None, "the feed has no other event");
}

async fn every_change_is_in_the_log_once_and_in_order(
    database_url: &str,
    number_of_servers: usize,
    hold_open: Duration,
) {
    let installation = Installation::configured(Some(database_url), CONFIGURATION).await;
    let installation = installation.unwrap();
    let mut servers = Vec::new();
    for _ in 0..number_of_servers {
        servers.push(installation.command.start().await.unwrap());
    }
    let clients: Vec<_> = servers.iter().map(|it| installation.client(it)).collect();
    let client = &clients[0];
    let form = client.form(json!({})).await.unwrap();
    let webhook = json!({"formIdentifier": form, "url": "https://hooks.example.org/"});
    let (status, created) = client.post("/formalize/webhooks", &webhook).await.unwrap();
    assert_eq!(status, 201, "{created}");
    let mut common = Vec::new();
    for _ in 0..3 {
        common.push(create(client, &form, 0).await);
    }
    let (_, page) = client.get("/formalize/events?from=now").await.unwrap();
    let cursor = page["nextCursor"].as_str().unwrap().to_owned();
    let scene = Arc::new(Scene {
        installation,
        database_url: database_url.to_owned(),
        clients: clients.clone(),
        form,
        common,
        hold: hold_open,
    });
    let formalize = Formalize::builder(scene.store().await);
    let formalize = formalize.build().await.unwrap();
    let start = formalize.events().extent().await.unwrap().last;

    let (over, is_over) = watch::channel(false);
    let reader = tokio::spawn(follow(clients, cursor, is_over, hold_open * 2));
    let mut writers = JoinSet::new();
    let [requests, commands, held] = WRITERS;
    for writer in 0..requests {
        writers.spawn(send(Arc::clone(&scene), writer));
    }
    for writer in 0..commands {
        writers.spawn(command(Arc::clone(&scene), writer));
    }
    for writer in 0..held {
        writers.spawn(hold(Arc::clone(&scene), writer));
    }
    let made = writers.join_all().await;
    over.send_replace(true);
    let seen = reader.await.unwrap();

    let log = log(&formalize, start).await;
    let positions: Vec<i64> = log.iter().map(|event| event.sequence).collect();
    let end = start + i64::try_from(log.len()).unwrap();
    assert_eq!(positions, (start + 1..=end).collect::<Vec<_>>(), "dense");
    check_changes(&scene, &log, &made);
    check_order(&scene, &log).await;
    check_feed(&log, &seen);
    let verify = scene.installation.cli(&["verify", "-o", "json"]).await;
    assert_eq!(verify.unwrap(), "[]");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_change_is_in_the_log_once_and_in_order_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("test.db").display());
    // A transaction that is held open keeps all other writers waiting.
    let hold_open = Duration::from_millis(100);
    every_change_is_in_the_log_once_and_in_order(&url, 1, hold_open).await;
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn every_change_is_in_the_log_once_and_in_order_on_postgresql_with_two_servers() {
    let database = TestDatabase::empty().await.unwrap();
    let hold_open = Duration::from_secs(2);
    every_change_is_in_the_log_once_and_in_order(database.url(), 2, hold_open).await;
}
