//! A user who submits with idempotency keys and sends unanswered submissions again.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{BUSY, SUBMISSIONS};
use crate::Result;
use crate::client::Client;
use crate::endurance::dice::Dice;

/// The maximum number of requests of one submitter between two comparisons.
const MOST: usize = 20;

/// Stands for the status of a response that did not come.
const NO_RESPONSE: u16 = 599;

/// A submission with a key.
#[derive(Debug, Default)]
pub(super) struct Keyed {
    /// Its identifier, once it was acknowledged.
    pub(super) id: Option<String>,
    /// How often it was changed, according to the acknowledgements.
    pub(super) changes: u64,
    /// Whether another change was not answered.
    pub(super) maybe_changed: bool,
}

/// A user with a number of keys.
#[derive(Debug)]
pub(super) struct Submitter {
    pub(super) client: Client,
    pub(super) form: String,
    pub(super) dice: Dice,
    /// The submissions by key.
    pub(super) keys: BTreeMap<String, Keyed>,
}

/// The data of a submission after a number of changes.
pub(super) fn data(key: &str, changes: u64) -> String {
    json!({"key": key, "changes": changes}).to_string()
}

impl Submitter {
    /// Submits and changes what was submitted until it is told to stop. It stops at a request that gets no response or a
    /// server error, which is an error if no failure was injected.
    ///
    /// # Errors
    ///
    /// If a response is not as expected.
    pub(super) async fn work(
        &mut self,
        stop: &AtomicBool,
        acknowledged: &AtomicU64,
        disturbed: bool,
    ) -> Result<()> {
        for _ in 0..MOST {
            sleep(Duration::from_millis(self.dice.number(5..40))).await;
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let known = self.keys.iter().filter(|(_, it)| it.id.is_some());
            let known: Vec<String> = known.map(|(key, _)| key.clone()).collect();
            let answered = match self.dice.one_of(known.into_iter()) {
                Some(key) if self.dice.once_in(4) => self.change(key).await?,
                _ => {
                    let key = format!("key {}", self.dice.roll());
                    let answered = self.submit(key).await?;
                    if answered == 201 {
                        acknowledged.fetch_add(1, Ordering::Relaxed);
                    }
                    answered
                }
            };
            if answered >= 500 {
                let is_expected = disturbed || answered == BUSY;
                let unexpected = format!("undisturbed, a submission is answered {answered}");
                return is_expected.then_some(()).ok_or(unexpected.into());
            }
        }
        Ok(())
    }

    /// Submits, with a new key or again with a known one. Returns the status of the response.
    ///
    /// # Errors
    ///
    /// If the response is unexpected, or the same key has another response than before.
    async fn submit(&mut self, key: String) -> Result<u16> {
        let body = json!({"formIdentifier": self.form, "dataFeedElement": data(&key, 0)});
        let sent = self
            .client
            .send_with_key(Method::POST, SUBMISSIONS, Some(&body), Some(&key));
        let response = sent.await;
        let keyed = self.keys.entry(key.clone()).or_default();
        // Without a response, it may have been submitted.
        let (status, body) = response.map_or((NO_RESPONSE, Value::Null), |it| (it.status, it.body));
        if status >= 500 {
            return Ok(status);
        }
        let id = body.get("identifier").and_then(Value::as_str);
        match id.filter(|_| status == 201) {
            Some(id) if keyed.id.as_ref().is_none_or(|known| known == id) => {
                keyed.id = Some(id.to_owned());
                Ok(status)
            }
            _ => Err(format!("{key} of {keyed:?} is answered {status}: {body}").into()),
        }
    }

    async fn change(&mut self, key: String) -> Result<u16> {
        let keyed = self.keys.entry(key.clone()).or_default();
        let id = keyed.id.as_deref().unwrap_or_default();
        let change = json!({"dataFeedElement": data(&key, keyed.changes + 1)});
        let path = format!("{SUBMISSIONS}/{id}");
        let sent = self.client.send(Method::PATCH, &path, Some(&change)).await;
        let (status, body) = sent.unwrap_or((NO_RESPONSE, Value::Null));
        match status {
            200 => keyed.changes += 1,
            500.. => keyed.maybe_changed = true,
            _ => return Err(format!("changing {key} is answered {status}: {body}").into()),
        }
        Ok(status)
    }

    /// Sends everything again that was not answered, and a few submissions that were. Returns how many.
    ///
    /// # Errors
    ///
    /// If one is not answered now, or is answered differently.
    pub(super) async fn send_again(&mut self) -> Result<u64> {
        let unanswered = self.keys.iter().filter(|(_, it)| it.id.is_none());
        let mut again: Vec<String> = unanswered.map(|(key, _)| key.clone()).collect();
        for _ in 0..2 {
            again.extend(self.dice.one_of(self.keys.keys()).cloned());
        }
        let mut number = 0;
        for key in again {
            let status = self.submit(key.clone()).await?;
            if status != 201 {
                return Err(format!("{key} is answered {status} after the recovery").into());
            }
            number += 1;
        }
        Ok(number)
    }
}
