//! The example `mirror` keeps equal copies while records and permissions change, and while it is killed at random.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use formalize_tests::endurance::Dice;
use formalize_tests::patience::{in_time, until};
use formalize_tests::{Server, TestDatabase, binary};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::process::{Child, Command};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;

use self::writers::{FORM, GRANTS, GROUPS, MEMBERS, Round, SUBMISSIONS, USERS, World};
use crate::client::{Client, Installation};

mod writers;

/// Everybody may create forms and groups, and manages only their own.
const POLICIES: &str = "[policies]\ncreate_forms = 'true'\ncreate_groups = 'true'\n";

/// A copy never reads the lists again only because time has passed.
const NEVER: &str = "1000000000";

const CHANGES: usize = 60;

/// A user with a copy.
#[derive(Clone)]
struct Mirror {
    program: PathBuf,
    token_file: PathBuf,
    file: PathBuf,
    client: Client,
}

impl Mirror {
    async fn of(user: &str, installation: &Installation, server: &Server) -> Self {
        let token = ["tokens", "create", "--user", user];
        let token = installation.cli(&token).await.unwrap();
        let folder = installation.command.folder();
        let token_file = folder.join(format!("{user}.token"));
        fs::write(&token_file, &token).unwrap();
        Self {
            program: binary("mirror").unwrap(),
            token_file,
            file: folder.join(format!("{user}.json")),
            client: installation.client(server).with_token(&token),
        }
    }

    fn command(&self, servers: &[String], relist_after: &str) -> Command {
        let mut command = Command::new(&self.program);
        for server in servers {
            command.args(["--server", server]);
        }
        command.args(["--relist-after", relist_after]);
        command.arg("--token-file").arg(&self.token_file);
        command.arg("--file").arg(&self.file);
        command.stdin(Stdio::null()).stderr(Stdio::piped());
        command.kill_on_drop(true);
        command
    }

    /// Brings the copy to the end of the feed.
    async fn catch_up(&self, servers: &[String], relist_after: &str) {
        let output = self.command(servers, relist_after).arg("--once").output();
        let output = in_time("the copy is complete", output).await.unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {errors}", output.status);
    }

    /// Follows the feed, and is killed at random, until it is told to stop. Returns how often it was killed.
    async fn follow(
        self,
        mut dice: Dice,
        servers: Arc<Mutex<Vec<String>>>,
        stop: watch::Receiver<bool>,
    ) -> usize {
        let mut kills = 0;
        while !*stop.borrow() {
            let mut urls = servers.lock().unwrap().clone();
            let first = usize::from(dice.once_in(2)) % urls.len();
            urls.rotate_left(first);
            let mut running: Child = self.command(&urls, NEVER).spawn().unwrap();
            sleep(Duration::from_millis(dice.number(20..1000))).await;
            let ended = running.try_wait().unwrap();
            if ended.is_some() {
                let output = running.wait_with_output().await.unwrap();
                panic!("{}", String::from_utf8_lossy(&output.stderr));
            }
            running.kill().await.unwrap();
            kills += 1;
        }
        kills
    }

    /// Asserts that the feed does not tell of a change, and that the copy is right when the lists were read again.
    async fn finds_by_listing(&self, server: &Server, what: &str) {
        let urls = [server.base_url().to_owned()];
        let before = self.copy();
        self.catch_up(&urls, NEVER).await;
        assert_eq!(self.copy(), before, "{what}, and the feed says so");
        assert_ne!(self.lists(&urls[0]).await, before, "{what}");
        self.catch_up(&urls, "0").await;
        self.compare(&urls[0], what).await;
    }

    /// The forms in the copy, each with its submissions.
    fn copy(&self) -> Value {
        let mut copy: Value = serde_json::from_slice(&fs::read(&self.file).unwrap()).unwrap();
        copy["forms"].take()
    }

    /// The same from the lists.
    async fn lists(&self, server: &str) -> Value {
        let client = self.client.at(server);
        let mut lists = json!({});
        for (id, form) in list(&client, "/formalize/forms?").await {
            let path = format!("/formalize/submissions?formIdentifier={id}&");
            let submissions = list(&client, &path).await;
            lists[id] = json!({"form": form, "submissions": submissions});
        }
        lists
    }

    async fn compare(&self, server: &str, when: &str) {
        let (copy, lists) = (self.copy(), self.lists(server).await);
        let differences = differences(&copy, &lists);
        let file = self.file.display();
        assert!(
            differences.is_empty(),
            "{when}, {file} differs: {differences:#?}"
        );
    }
}

/// The records of a list by identifier.
async fn list(client: &Client, path: &str) -> BTreeMap<String, Value> {
    let (status, page) = client.get(&format!("{path}perPage=10000")).await.unwrap();
    assert_eq!(status, 200, "{page}");
    let items = page["items"].as_array().unwrap().iter();
    let id = |item: &Value| item["identifier"].as_str().unwrap().to_owned();
    items.map(|item| (id(item), item.clone())).collect()
}

/// The paths at which two values differ, each with both values.
fn differences(copy: &Value, lists: &Value) -> BTreeMap<String, (Value, Value)> {
    let (Value::Object(one), Value::Object(other)) = (copy, lists) else {
        let found = (copy != lists).then(|| (String::new(), (copy.clone(), lists.clone())));
        return found.into_iter().collect();
    };
    let mut found = BTreeMap::new();
    for key in one.keys().chain(other.keys()) {
        let inner = differences(&copy[key], &lists[key]).into_iter();
        found.extend(inner.map(|(path, values)| (format!("/{key}{path}"), values)));
    }
    found
}

/// Runs rounds of random changes. After each of them, every copy must be equal to the lists of its user.
async fn copies_stay_equal(installation: &Installation, number_of_servers: usize, seed: u64) {
    let mut running = Vec::new();
    for _ in 0..number_of_servers {
        running.push(installation.command.start().await.unwrap());
    }
    let urls = running.iter().map(|server| server.base_url().to_owned());
    let urls: Arc<Mutex<Vec<String>>> = Arc::new(Mutex::new(urls.collect()));
    let mut mirrors = Vec::new();
    for user in USERS {
        mirrors.push(Mirror::of(user, installation, &running[0]).await);
    }
    let clients: Vec<_> = mirrors.iter().map(|it| it.client.clone()).collect();
    let (mut dice, world) = (Dice::new(seed), Arc::new(Mutex::new(World::default())));
    let (mut kills, mut records) = (0, 0);
    for number in 0..6 {
        let round = [Round::Everything, Round::Records][number % 2];
        let (stop, stopped) = watch::channel(false);
        let mut following = JoinSet::new();
        for mirror in mirrors.clone() {
            following.spawn(mirror.follow(dice.split(), Arc::clone(&urls), stopped.clone()));
        }
        let before = world.lock().unwrap().changes;
        let writing = writers::start(&mut dice, &world, &clients, &urls, (round, CHANGES));
        if number_of_servers > 1 {
            replace_server(installation, &mut running, &urls, (&world, before)).await;
        }
        writing.join_all().await;
        stop.send_replace(true);
        kills += following.join_all().await.into_iter().sum::<usize>();

        let servers = urls.lock().unwrap().clone();
        for (server, mirror) in servers.iter().cycle().zip(&mirrors) {
            mirror.catch_up(&servers, NEVER).await;
            mirror
                .compare(server, &format!("seed {seed}, round {number}, {round:?}"))
                .await;
            let copy = mirror.copy();
            let forms = copy.as_object().unwrap().values();
            let submissions = forms.map(|it| it["submissions"].as_object().unwrap().len());
            records += submissions.sum::<usize>();
        }
        if number == 2 {
            // Every cursor is expired.
            let reset = ["events", "reset", "--yes"];
            installation.cli(&reset).await.unwrap();
        }
    }
    let changes = world.lock().unwrap().changes;
    assert!(
        changes > 100 && kills > 8 && records > 25,
        "{changes} changes, {kills} kills, {records} submissions in the copies"
    );
}

/// Kills the last server under load, once there are more changes than `before`, and starts another one.
async fn replace_server(
    installation: &Installation,
    running: &mut Vec<Server>,
    urls: &Mutex<Vec<String>>,
    (world, before): (&Mutex<World>, usize),
) {
    until("there are changes", async || {
        world.lock().unwrap().changes > before + 5
    })
    .await;
    running.pop().unwrap().kill_9().await.unwrap();
    // The others go on without it for a while.
    sleep(Duration::from_millis(300)).await;
    let server = installation.command.start().await.unwrap();
    let mut urls = urls.lock().unwrap();
    server.base_url().clone_into(urls.last_mut().unwrap());
    running.push(server);
}

fn seed() -> u64 {
    std::process::id().into()
}

#[tokio::test(flavor = "multi_thread")]
async fn copies_stay_equal_on_sqlite() {
    let installation = Installation::configured(None, POLICIES).await.unwrap();
    copies_stay_equal(&installation, 1, seed()).await;
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn copies_stay_equal_on_postgresql_with_two_servers() {
    let database = TestDatabase::empty().await.unwrap();
    let installation = Installation::configured(Some(database.url()), POLICIES).await;
    copies_stay_equal(&installation.unwrap(), 2, seed()).await;
}

/// A group that bob may not read, with the permission to read the submissions of a form.
async fn reading_group(admin: &Client, form: &str) -> String {
    let group = create(admin, GROUPS, json!({"name": "Readers"})).await;
    let holder = ("groupIdentifier", group.as_str());
    let read = writers::grant("read_submissions", FORM, form, holder);
    create(admin, GRANTS, read).await;
    group
}

/// Creates a record and returns its identifier.
async fn create(client: &Client, path: &str, body: Value) -> String {
    let (status, created) = client.post(path, &body).await.unwrap();
    assert_eq!(status, 201, "{created}");
    created["identifier"].as_str().unwrap().to_owned()
}

async fn delete(client: &Client, path: &str, id: &str) {
    let path = format!("{path}/{id}");
    let (status, body) = client.send(Method::DELETE, &path, None).await.unwrap();
    assert_eq!(status, 204, "{body}");
}

#[tokio::test]
async fn changes_without_an_event_are_found_by_listing_again() {
    let installation = Installation::on_sqlite().await.unwrap();
    let server = installation.command.start().await.unwrap();
    let admin = installation.client(&server);
    let bob = Mirror::of("bob", &installation, &server).await;
    let states = json!({"allowedSubmissionStates": ["draft", "submitted"]});
    let form = admin.form(states).await.unwrap();
    for action in ["read", "create_submissions"] {
        let everybody = ("dynamicGroupIdentifier", "everybody");
        let grant = writers::grant(action, FORM, &form, everybody);
        create(&admin, GRANTS, grant).await;
    }
    admin.submit(&form, &json!({})).await.unwrap();
    let group = reading_group(&admin, &form).await;
    let mut draft = json!({"formIdentifier": form, "dataFeedElement": "{}"});
    draft["submissionState"] = json!("draft");
    let draft = create(&bob.client, SUBMISSIONS, draft).await;
    bob.catch_up(&[server.base_url().to_owned()], NEVER).await;

    let path = format!("{SUBMISSIONS}/{draft}");
    let submitted = json!({"submissionState": "submitted"});
    let sent = bob.client.send(Method::PATCH, &path, Some(&submitted));
    assert_eq!(sent.await.unwrap().0, 204, "he may not read it any more");
    bob.finds_by_listing(&server, "his draft was submitted, and he may not read it")
        .await;

    let member = json!({"groupIdentifier": group, "userIdentifier": "bob"});
    create(&admin, MEMBERS, member).await;
    bob.finds_by_listing(&server, "he joined a group that he may not read")
        .await;
    let copy = bob.copy();
    assert_eq!(copy[&form]["submissions"].as_object().unwrap().len(), 2);

    delete(&admin, GROUPS, &group).await;
    bob.finds_by_listing(&server, "a group that he may not read was deleted")
        .await;

    let group = reading_group(&admin, &form).await;
    let inner = create(&admin, GROUPS, json!({"name": "Inner"})).await;
    let member = json!({"groupIdentifier": inner, "userIdentifier": "bob"});
    create(&admin, MEMBERS, member).await;
    bob.catch_up(&[server.base_url().to_owned()], NEVER).await;
    let nested = json!({"groupIdentifier": group, "childGroupIdentifier": inner});
    let nested = create(&admin, MEMBERS, nested).await;
    bob.finds_by_listing(&server, "his group joined one that he may not read")
        .await;
    delete(&admin, MEMBERS, &nested).await;
    bob.finds_by_listing(&server, "his group left one that he may not read")
        .await;
}
