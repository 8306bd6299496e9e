//! A reader of the change feed of a form, and of exports of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use serde_json::Value;
use tokio::time::sleep;

use crate::Result;
use crate::client::Client;

const PAUSE: Duration = Duration::from_millis(30);

/// An event about a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) submission: String,
}

/// Follows the feed across failures with its last cursor.
#[derive(Debug, Clone)]
pub(super) struct Follower {
    pub(super) client: Client,
    form: String,
    cursor: Option<String>,
    /// The events by position.
    pub(super) events: BTreeMap<u64, Event>,
}

impl Follower {
    pub(super) fn new(client: Client, form: &str) -> Self {
        Self {
            client,
            form: form.to_owned(),
            cursor: None,
            events: BTreeMap::new(),
        }
    }

    /// Follows the feed until it is told to stop.
    ///
    /// # Errors
    ///
    /// If an event comes twice or out of order, or a cursor is refused.
    pub(super) async fn follow(&mut self, stop: &AtomicBool) -> Result<()> {
        while !stop.load(Ordering::Relaxed) {
            self.page().await?;
            sleep(PAUSE).await;
        }
        Ok(())
    }

    /// Reads the feed to its end.
    ///
    /// # Errors
    ///
    /// As [`Self::follow`], or if the server does not answer.
    pub(super) async fn catch_up(&mut self) -> Result<()> {
        while self.page().await?.ok_or("the feed is not answered")? {}
        Ok(())
    }

    /// All events from the oldest on.
    ///
    /// # Errors
    ///
    /// As [`Self::catch_up`].
    pub(super) async fn read_again(&self) -> Result<BTreeMap<u64, Event>> {
        let mut other = Self::new(self.client.clone(), &self.form);
        other.catch_up().await?;
        Ok(other.events)
    }

    /// Reads a page. Returns whether more follows, if there is a response.
    async fn page(&mut self) -> Result<Option<bool>> {
        let form = &self.form;
        let mut path = format!("/formalize/events?formIdentifier={form}&perPage=1000");
        if let Some(cursor) = &self.cursor {
            path = format!("{path}&cursor={cursor}");
        }
        let Ok((status, page)) = self.client.get(&path).await else {
            return Ok(None);
        };
        if status >= 500 {
            return Ok(None);
        }
        let items = page.get("items").and_then(Value::as_array);
        let items = items.filter(|_| status == 200);
        for item in items.ok_or_else(|| format!("{path} is answered {status}: {page}"))? {
            self.add(item)?;
        }
        let cursor = page.get("nextCursor").and_then(Value::as_str);
        self.cursor = cursor.map(str::to_owned);
        Ok(page.get("hasMore").and_then(Value::as_bool))
    }

    fn add(&mut self, item: &Value) -> Result<()> {
        let text = |pointer| {
            let text = item.pointer(pointer).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let position = item.get("sequence").and_then(Value::as_u64);
        let position = position.ok_or("an event without a position")?;
        let last = self.events.last_key_value().map(|(last, _)| *last);
        if last.is_some_and(|last| last >= position) {
            return Err(format!("position {position} comes after {last:?}").into());
        }
        let event = Event {
            id: text("/identifier"),
            kind: text("/type"),
            submission: text("/data/submissionIdentifier"),
        };
        self.events.insert(position, event);
        Ok(())
    }
}

/// Exports a form again and again until it is told to stop. Returns how many exports were complete.
///
/// # Errors
///
/// If a complete export lacks a submission that was acknowledged before, or has one twice.
pub(super) async fn export(
    client: &Client,
    form: &str,
    stop: &AtomicBool,
    acknowledged: &AtomicU64,
) -> Result<u64> {
    let path = format!("/formalize/submissions/export?formIdentifier={form}&format=ndjson");
    let mut complete = 0;
    while !stop.load(Ordering::Relaxed) {
        let before = acknowledged.load(Ordering::Relaxed);
        if let Ok((200, text)) = client.text(&path).await {
            let identifiers: Vec<String> = text.lines().map(identifier).collect::<Result<_>>()?;
            let number = u64::try_from(identifiers.len())?;
            let distinct: BTreeSet<&String> = identifiers.iter().collect();
            if distinct.len() < identifiers.len() || number < before {
                let distinct = distinct.len();
                return Err(format!(
                    "an export has {number} rows, {distinct} of them distinct, of {before} submissions"
                )
                .into());
            }
            complete += 1;
        }
        sleep(PAUSE).await;
    }
    Ok(complete)
}

fn identifier(line: &str) -> Result<String> {
    let row: Value = serde_json::from_str(line)?;
    let identifier = row.get("identifier").and_then(Value::as_str);
    Ok(identifier.ok_or("a row without an identifier")?.to_owned())
}
