//! Users who change forms, submissions, groups and grants at random, on all servers at once.
//!
//! All changes of permissions have an event that the users concerned see: everybody may read every group, and forms that
//! do not let creators read what they submitted have no drafts.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use formalize_tests::endurance::Dice;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::client::Client;

pub(super) const USERS: [&str; 4] = ["alice", "bob", "carol", "dora"];

const WRITERS: usize = 4;

const FORMS: &str = "/formalize/forms";
pub(super) const SUBMISSIONS: &str = "/formalize/submissions";
pub(super) const GROUPS: &str = "/authorization/groups";
pub(super) const MEMBERS: &str = "/authorization/groups-members";
pub(super) const GRANTS: &str = "/authorization/resource-action-grants";

pub(super) const FORM: &str = "DbpRelayFormalizeForm";
const COLLECTION: &str = "DbpRelayFormalizeSubmissionCollection";
const SUBMISSION: &str = "DbpRelayFormalizeSubmission";
const GROUP: &str = "DbpRelayAuthorizationGroup";

/// A record that was created. It may have been deleted since.
#[derive(Clone)]
struct Record {
    path: &'static str,
    id: String,
    creator: usize,
    /// Whether it is a form with drafts.
    has_drafts: bool,
}

/// All records, and the number of successful changes.
#[derive(Default)]
pub(super) struct World {
    records: Vec<Record>,
    pub(super) changes: usize,
}

/// Which changes a round makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Round {
    /// Changes of every kind.
    Everything,
    /// Changes that do not affect permissions of users, so that no copy reads the lists again.
    Records,
}

pub(super) struct Writer {
    dice: Dice,
    world: Arc<Mutex<World>>,
    /// A client of each user.
    clients: Vec<Client>,
    servers: Arc<Mutex<Vec<String>>>,
    round: Round,
}

/// Starts the writers, each of which makes this many changes.
pub(super) fn start(
    dice: &mut Dice,
    world: &Arc<Mutex<World>>,
    clients: &[Client],
    servers: &Arc<Mutex<Vec<String>>>,
    (round, changes): (Round, usize),
) -> JoinSet<()> {
    let mut writers = JoinSet::new();
    for _ in 0..WRITERS {
        let mut writer = Writer {
            dice: dice.split(),
            world: Arc::clone(world),
            clients: clients.to_vec(),
            servers: Arc::clone(servers),
            round,
        };
        writers.spawn(async move {
            for _ in 0..changes {
                writer.change().await;
            }
        });
    }
    writers
}

impl Writer {
    async fn change(&mut self) {
        match (self.round, self.dice.number(0..32)) {
            (Round::Everything, 0) => self.create_form().await,
            (Round::Everything, 1) => self.create_group().await,
            (Round::Everything, 2) => self.delete(GROUPS, 3).await,
            (Round::Everything, 3 | 4) => self.join().await,
            (Round::Everything, 5) => self.delete(MEMBERS, 1).await,
            (Round::Everything, 6..=8) => self.grant().await,
            (Round::Everything, 9 | 10) => self.delete(GRANTS, 1).await,
            (_, 11 | 12) => self.update_form().await,
            (_, 13) => self.delete(FORMS, 4).await,
            (_, 14) => self.clear().await,
            (_, 15..=18) => self.delete(SUBMISSIONS, 1).await,
            (_, 19..=23) => self.update_submission().await,
            _ => self.submit().await,
        }
    }

    /// Sends a request to one of the servers. Returns the identifier in the response if it succeeds.
    async fn send(
        &mut self,
        user: usize,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Option<String> {
        let servers = self.servers.lock().unwrap().clone();
        let server = self.dice.one_of(servers.iter())?;
        let client = self.clients[user].at(server);
        let Ok((status, body)) = client.send(method, path, body.as_ref()).await else {
            // The server is being killed.
            sleep(Duration::from_millis(20)).await;
            return None;
        };
        assert!(status < 500, "{path}: {status}: {body}");
        if status >= 300 {
            return None;
        }
        self.world.lock().unwrap().changes += 1;
        Some(body["identifier"].as_str().unwrap_or_default().to_owned())
    }

    async fn create(&mut self, user: usize, path: &'static str, body: Value) -> Option<Record> {
        let id = self.send(user, Method::POST, path, Some(body)).await?;
        let has_drafts = false;
        Some(Record {
            path,
            id,
            creator: user,
            has_drafts,
        })
    }

    fn add(&self, created: Option<Record>) {
        self.world.lock().unwrap().records.extend(created);
    }

    fn anybody(&mut self) -> usize {
        let user = self.dice.one_of(0..USERS.len());
        user.unwrap()
    }

    /// A random record, and a user: usually the creator, who is permitted to do everything with it.
    fn one_of(&mut self, path: &str) -> Option<(Record, usize)> {
        let world = Arc::clone(&self.world);
        let world = world.lock().unwrap();
        let records = world.records.iter().rev();
        // Old ones are probably gone.
        let found: Vec<_> = records.filter(|it| it.path == path).take(12).collect();
        let found = self.dice.one_of(found.into_iter())?.clone();
        let stranger = self.dice.once_in(4).then(|| self.anybody());
        let user = stranger.unwrap_or(found.creator);
        Some((found, user))
    }

    async fn create_form(&mut self) {
        let (user, has_drafts) = (self.anybody(), self.dice.once_in(2));
        let states: &[&str] = if has_drafts {
            &["draft", "submitted"]
        } else {
            &["submitted"]
        };
        let form = json!({
            "name": "A form",
            "allowedSubmissionStates": states,
            "allowedActionsWhenSubmitted": self.actions(has_drafts),
            "grantBasedSubmissionAuthorization": self.dice.once_in(2),
        });
        let Some(form) = self.create(user, FORMS, form).await else {
            return;
        };
        let everybody = ("dynamicGroupIdentifier", "everybody");
        let mut actions = vec!["create_submissions"];
        actions.extend(self.dice.once_in(2).then_some("read"));
        for action in actions {
            let grant = grant(action, FORM, &form.id, everybody);
            self.create(user, GRANTS, grant).await;
        }
        self.add(Some(Record { has_drafts, ..form }));
    }

    /// What creators may do with submitted submissions.
    fn actions(&mut self, has_drafts: bool) -> Vec<&'static str> {
        let is_read = has_drafts || self.dice.once_in(2);
        let mut actions = vec!["update", "delete"];
        actions.extend(is_read.then_some("read"));
        actions
    }

    async fn update_form(&mut self) {
        let Some((form, user)) = self.one_of(FORMS) else {
            return;
        };
        let change = if self.dice.once_in(2) {
            json!({"name": format!("Form {}", self.dice.number(0..1000))})
        } else {
            json!({"allowedActionsWhenSubmitted": self.actions(form.has_drafts)})
        };
        let path = format!("{FORMS}/{}", form.id);
        self.send(user, Method::PATCH, &path, Some(change)).await;
    }

    async fn clear(&mut self) {
        if let Some((form, user)) = self.one_of(FORMS) {
            let path = format!("{SUBMISSIONS}?formIdentifier={}", form.id);
            self.send(user, Method::DELETE, &path, None).await;
        }
    }

    async fn submit(&mut self) {
        let Some((form, _)) = self.one_of(FORMS) else {
            return;
        };
        let (user, body) = (
            self.anybody(),
            json!({
                "formIdentifier": form.id,
                "submissionState": self.state(),
                "dataFeedElement": self.data(),
            }),
        );
        let created = self.create(user, SUBMISSIONS, body).await;
        self.add(created);
    }

    async fn update_submission(&mut self) {
        if let Some((submission, user)) = self.one_of(SUBMISSIONS) {
            let change = json!({"submissionState": self.state(), "dataFeedElement": self.data()});
            let path = format!("{SUBMISSIONS}/{}", submission.id);
            self.send(user, Method::PATCH, &path, Some(change)).await;
        }
    }

    fn state(&mut self) -> &'static str {
        ["submitted", "draft"][usize::from(self.dice.once_in(3))]
    }

    fn data(&mut self) -> String {
        json!({"n": self.dice.roll()}).to_string()
    }

    async fn create_group(&mut self) {
        let user = self.anybody();
        let created = self.create(user, GROUPS, json!({"name": "A group"})).await;
        if let Some(group) = &created {
            let everybody = ("dynamicGroupIdentifier", "everybody");
            let grant = grant("read", GROUP, &group.id, everybody);
            self.create(user, GRANTS, grant).await;
        }
        self.add(created);
    }

    async fn join(&mut self) {
        let (Some((group, user)), Some((child, _))) = (self.one_of(GROUPS), self.one_of(GROUPS))
        else {
            return;
        };
        let member = if self.dice.once_in(3) {
            ("childGroupIdentifier", child.id)
        } else {
            ("userIdentifier", USERS[self.anybody()].to_owned())
        };
        let body = json!({"groupIdentifier": group.id, member.0: member.1});
        let created = self.create(user, MEMBERS, body).await;
        self.add(created);
    }

    async fn grant(&mut self) {
        let (path, classes): (_, &[_]) = match self.dice.number(0..4) {
            0 => (SUBMISSIONS, &[(SUBMISSION, "read"), (SUBMISSION, "manage")]),
            1 => (FORMS, &[(COLLECTION, "read")]),
            2 => (FORMS, &[(FORM, "read_submissions"), (FORM, "manage")]),
            _ => (FORMS, &[(FORM, "read")]),
        };
        let Some((record, user)) = self.one_of(path) else {
            return;
        };
        let (class, action) = *self.dice.one_of(classes.iter()).unwrap();
        let group = self.one_of(GROUPS).filter(|_| self.dice.once_in(2));
        let holder = match group {
            Some((group, _)) => ("groupIdentifier", group.id),
            None => ("userIdentifier", USERS[self.anybody()].to_owned()),
        };
        let body = grant(action, class, &record.id, (holder.0, &holder.1));
        let created = self.create(user, GRANTS, body).await;
        self.add(created);
    }

    /// Deletes a random record with a probability of one in `times`.
    async fn delete(&mut self, path: &'static str, times: u64) {
        if self.dice.once_in(times)
            && let Some((record, user)) = self.one_of(path)
        {
            let path = format!("{path}/{}", record.id);
            self.send(user, Method::DELETE, &path, None).await;
        }
    }
}

/// A grant on a resource to a holder.
pub(super) fn grant(action: &str, class: &str, id: &str, (holder, value): (&str, &str)) -> Value {
    json!({"resourceClass": class, "resourceIdentifier": id, "action": action, holder: value})
}
