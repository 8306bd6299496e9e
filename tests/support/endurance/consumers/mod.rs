//! A form whose submissions have idempotency keys, and everything that consumes its changes: a reader of the change feed, a
//! webhook, and exports.
//!
//! After each failure, every key has one submission, every acknowledged change is in the log once, and the reader has seen
//! exactly what the log has. In the end, every event was delivered, never with different bodies.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Instant, sleep};

use self::follower::{Event, Follower};
use self::receiver::Receiver;
use self::submitter::{Keyed, Submitter};
use super::dice::Dice;
use crate::Result;
use crate::client::Client;
use crate::patience::LIMIT;

mod follower;
mod receiver;
mod submitter;

const SUBMISSIONS: &str = "/formalize/submissions";
const WEBHOOKS: &str = "/formalize/webhooks";

/// The status of a service that is too busy.
const BUSY: u16 = 503;

const SUBMITTERS: usize = 4;

/// The folder for exports, and the settings that consumers need.
#[derive(Debug)]
pub(super) struct Settings {
    exports: TempDir,
}

impl Settings {
    pub(super) fn new() -> Result<Self> {
        let exports = TempDir::with_prefix("formalize-exports-")?;
        Ok(Self { exports })
    }

    /// Lines of configuration.
    pub(super) fn toml(&self) -> String {
        format!(
            "webhook_allowed_targets = [\"127.0.0.0/8\"]\nwebhook_timeout = \"1s\"\nexport_folder = \"{}\"\n",
            self.exports.path().display()
        )
    }
}

/// The numbers of the results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) sent_again: u64,
    pub(super) events: u64,
    pub(super) deliveries: u64,
    pub(super) exports: u64,
}

/// A form and its consumers.
#[derive(Debug)]
pub(super) struct Consumers {
    client: Client,
    form: String,
    webhook: String,
    settings: Settings,
    receiver: Receiver,
    submitters: Vec<Submitter>,
    follower: Follower,
    acknowledged: Arc<AtomicU64>,
    counts: Counts,
}

/// Consumers at work.
#[derive(Debug)]
pub(super) struct Consuming {
    submitting: JoinSet<(Submitter, Result<()>)>,
    following: JoinHandle<(Follower, Result<()>)>,
    exporting: JoinHandle<Result<u64>>,
}

impl Consumers {
    /// Creates the form and its webhook as the user of a client.
    ///
    /// # Errors
    ///
    /// If the service refuses it.
    pub(super) async fn create(
        client: Client,
        settings: Settings,
        dice: &mut Dice,
    ) -> Result<Self> {
        let receiver = Receiver::start().await?;
        let form = json!({"name": "Consumed", "allowedActionsWhenSubmitted": ["read", "update"]});
        let form = create(&client, "/formalize/forms", &form).await?;
        let webhook = json!({"formIdentifier": form, "url": receiver.url});
        let webhook = create(&client, WEBHOOKS, &webhook).await?;
        let submitter = |_| Submitter {
            client: client.clone(),
            form: form.clone(),
            dice: dice.split(),
            keys: BTreeMap::new(),
        };
        Ok(Self {
            submitters: (0..SUBMITTERS).map(submitter).collect(),
            follower: Follower::new(client.clone(), &form),
            client,
            form,
            webhook,
            settings,
            receiver,
            acknowledged: Arc::default(),
            counts: Counts::default(),
        })
    }

    /// Moves them to another server.
    pub(super) fn move_to(&mut self, base_url: &str) {
        self.client = self.client.at(base_url);
        self.follower.client = self.client.clone();
        for submitter in &mut self.submitters {
            submitter.client = self.client.clone();
        }
    }

    /// Lets everybody work until they are told to stop.
    pub(super) fn begin(&mut self, stop: &Arc<AtomicBool>, disturbed: bool) -> Consuming {
        let mut submitting = JoinSet::new();
        for mut submitter in self.submitters.drain(..) {
            let (stop, acknowledged) = (Arc::clone(stop), Arc::clone(&self.acknowledged));
            submitting.spawn(async move {
                let worked = submitter.work(&stop, &acknowledged, disturbed).await;
                (submitter, worked)
            });
        }
        let (mut follower, told) = (self.follower.clone(), Arc::clone(stop));
        let following = tokio::spawn(async move {
            let outcome = follower.follow(&told).await;
            (follower, outcome)
        });
        let (client, form) = (self.client.clone(), self.form.clone());
        let (told, acknowledged) = (Arc::clone(stop), Arc::clone(&self.acknowledged));
        let exporting =
            tokio::spawn(
                async move { follower::export(&client, &form, &told, &acknowledged).await },
            );
        Consuming {
            submitting,
            following,
            exporting,
        }
    }

    /// Waits until all have stopped.
    ///
    /// # Errors
    ///
    /// If one of them found something wrong.
    pub(super) async fn end(&mut self, mut consuming: Consuming) -> Result<()> {
        while let Some(ended) = consuming.submitting.join_next().await {
            let (submitter, worked) = ended?;
            self.submitters.push(submitter);
            worked?;
        }
        let (follower, outcome) = consuming.following.await?;
        self.follower = follower;
        self.counts.exports += consuming.exporting.await??;
        outcome
    }

    /// Compares keys, submissions and the log.
    ///
    /// # Errors
    ///
    /// If something was lost, or is there twice.
    pub(super) async fn compare(&mut self) -> Result<()> {
        for submitter in &mut self.submitters {
            self.counts.sent_again += submitter.send_again().await?;
        }
        let left = fs::read_dir(self.settings.exports.path())?.count();
        if left > 0 {
            return Err(format!("{left} files of exports are left").into());
        }
        let delivered = self.receiver.delivered()?;
        self.follower.catch_up().await?;
        let log = self.follower.read_again().await?;
        if log != self.follower.events {
            let seen = &self.follower.events;
            return Err(format!("the log has\n{log:#?}\nand was followed as\n{seen:#?}").into());
        }
        let ids: BTreeSet<&String> = log.values().map(|event| &event.id).collect();
        if let Some(unknown) = delivered.iter().find(|id| !ids.contains(id)) {
            return Err(format!("{unknown} was delivered and is not in the log").into());
        }
        self.compare_submissions(&log).await?;
        let submitters = self.submitters.iter();
        let keys: usize = submitters.map(|submitter| submitter.keys.len()).sum();
        self.acknowledged
            .store(u64::try_from(keys)?, Ordering::Relaxed);
        Ok(())
    }

    async fn compare_submissions(&mut self, log: &BTreeMap<u64, Event>) -> Result<()> {
        let mut rows = self.rows().await?;
        let mut events: BTreeMap<(&str, &str), u64> = BTreeMap::new();
        for event in log.values() {
            *events.entry((&event.submission, &event.kind)).or_default() += 1;
        }
        for submitter in &mut self.submitters {
            for (key, keyed) in &mut submitter.keys {
                let id = keyed.id.as_deref().unwrap_or_default();
                let events = |kind| events.get(&(id, kind)).copied().unwrap_or_default();
                let found = (events("submission.submitted"), events("submission.updated"));
                let row = rows.remove(id);
                check(key, keyed, found, row.as_deref())?;
                keyed.changes = found.1;
                keyed.maybe_changed = false;
            }
        }
        if rows.is_empty() {
            return Ok(());
        }
        Err(format!("submissions that no key has: {rows:#?}").into())
    }

    /// The data of all submissions by identifier.
    async fn rows(&self) -> Result<BTreeMap<String, String>> {
        let (form, mut rows, mut next) = (&self.form, BTreeMap::new(), String::new());
        loop {
            let path = format!("{SUBMISSIONS}?formIdentifier={form}&perPage=10000{next}");
            let (status, page) = self.client.get(&path).await?;
            let items = page.get("items").and_then(Value::as_array);
            for item in items.ok_or_else(|| format!("{path} is answered {status}: {page}"))? {
                rows.insert(text(item, "identifier")?, text(item, "dataFeedElement")?);
            }
            match page.get("nextCursor").and_then(Value::as_str) {
                Some(cursor) => next = format!("&cursor={cursor}"),
                None => return Ok(rows),
            }
        }
    }

    /// Waits until every event was delivered. Deliveries that a killed server had begun are sent again when their lease has
    /// ended.
    ///
    /// # Errors
    ///
    /// If one is missing although all leases have ended.
    pub(super) async fn settle(&self) -> Result<()> {
        let mut progress = (Instant::now(), 0);
        loop {
            let delivered: BTreeSet<String> = self.receiver.delivered()?.into_iter().collect();
            let events = self.follower.events.values();
            let events = events.filter(|event| event.kind.starts_with("submission."));
            let missing: Vec<&Event> = events.filter(|it| !delivered.contains(&it.id)).collect();
            let path = format!("{WEBHOOKS}/{}", self.webhook);
            let (_, webhook) = self.client.get(&path).await?;
            let count = |member| webhook.get(member).and_then(Value::as_u64);
            if missing.is_empty() && count("numPending") == Some(0) {
                return Ok(());
            }
            if delivered.len() > progress.1 {
                progress = (Instant::now(), delivered.len());
            }
            if progress.0.elapsed() > LIMIT {
                return Err(format!("not delivered: {missing:#?} of {webhook}").into());
            }
            sleep(Duration::from_millis(100)).await;
        }
    }

    /// The results so far.
    pub(super) fn counts(&self) -> Counts {
        Counts {
            events: u64::try_from(self.follower.events.len()).unwrap_or(u64::MAX),
            deliveries: self.receiver.requests(),
            ..self.counts
        }
    }
}

/// Compares a submission with its key. `events` are the numbers of events in which it was submitted and changed.
fn check(key: &str, keyed: &Keyed, events: (u64, u64), row: Option<&str>) -> Result<()> {
    let (submitted, changes) = events;
    let may_be = keyed.changes..=keyed.changes + u64::from(keyed.maybe_changed);
    let is_right = submitted == 1 && may_be.contains(&changes);
    if is_right && row == Some(submitter::data(key, changes).as_str()) {
        return Ok(());
    }
    Err(format!("{key} of {keyed:?} has {events:?} events and the data {row:?}").into())
}

async fn create(client: &Client, path: &str, body: &Value) -> Result<String> {
    let (status, created) = client.post(path, body).await?;
    if status != 201 {
        return Err(format!("{path} is answered {status}: {created}").into());
    }
    text(&created, "identifier")
}

fn text(item: &Value, member: &str) -> Result<String> {
    let text = item.get(member).and_then(Value::as_str);
    Ok(text.ok_or_else(|| format!("no {member}"))?.to_owned())
}
