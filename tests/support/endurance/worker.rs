//! A user who keeps a service busy and remembers its acknowledgements.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use serde_json::Value;
use tokio::time::{sleep, timeout};

use super::act::Act;
use super::dice::Dice;
use super::holdings::Holdings;
use crate::Result;
use crate::client::Client;
use crate::patience::LIMIT;

/// The status of a service that is too busy.
const BUSY: &str = "503";
const RETRY: Duration = Duration::from_secs(1);

/// The totals of all workers.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) requests: AtomicU64,
    pub(super) acknowledged: AtomicU64,
    pub(super) interrupted: AtomicU64,
}

impl Counts {
    pub(super) fn add(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

/// A user with a token.
#[derive(Debug)]
pub(super) struct Worker {
    pub(super) user: String,
    pub(super) client: Client,
    /// Whether the user sends requests again, with idempotency keys; see [`Worker::persist`].
    pub(super) repeats: bool,
    pub(super) dice: Dice,
    /// The records according to the acknowledgements.
    pub(super) has: Holdings,
    /// The last act, if it was not answered. It may have been carried out.
    pub(super) unanswered: Option<Act>,
}

impl Worker {
    pub(super) fn new(user: String, client: Client, dice: Dice) -> Self {
        Self {
            user,
            client,
            repeats: false,
            dice,
            has: Holdings::default(),
            unanswered: None,
        }
    }

    /// The number of records of the user.
    pub(super) fn records(&self) -> usize {
        self.has.count()
    }

    /// Sends one request after the other until it is told to stop. It stops at a request that gets no response or a
    /// server error, unless no failure was injected: then only the response that the service is busy is accepted.
    ///
    /// # Errors
    ///
    /// If a response is not as expected or takes too long.
    pub(super) async fn work(
        &mut self,
        stop: &AtomicBool,
        counts: &Counts,
        disturbed: bool,
    ) -> Result<()> {
        while !stop.load(Ordering::Relaxed) && self.unanswered.is_none() {
            let act = Act::draw(&mut self.dice, &self.has);
            let interrupted = self.ask(act, counts).await?;
            if let Some(why) = interrupted.filter(|_| !disturbed) {
                if why != BUSY {
                    return Err(format!("undisturbed, {:?}: {why}", self.unanswered).into());
                }
                sleep(RETRY).await;
                self.compare().await?;
            }
        }
        Ok(())
    }

    /// Returns why there was no response, if there was none.
    async fn ask(&mut self, act: Act, counts: &Counts) -> Result<Option<String>> {
        let (method, path, body) = act.request();
        let expected = act.expected(&self.has);
        Counts::add(&counts.requests);
        let asked = self.client.send(method, &path, body.as_ref());
        let Ok(answer) = timeout(LIMIT, asked).await else {
            return Err(format!("{act:?} is not answered within {LIMIT:?}").into());
        };
        match answer {
            Ok((status, body)) if status == expected => {
                if status < 300 {
                    self.record(&act, &body, counts);
                }
            }
            Ok((status, body)) if status < 500 => {
                return Err(
                    format!("{act:?} is answered {status} instead of {expected}: {body}").into(),
                );
            }
            // The service is gone or reports that it is unavailable.
            interrupted => {
                Counts::add(&counts.interrupted);
                self.unanswered = Some(act);
                return Ok(Some(match interrupted {
                    Ok((status, _)) => status.to_string(),
                    Err(error) => error.to_string(),
                }));
            }
        }
        Ok(None)
    }

    /// Remembers an act that was performed.
    pub(super) fn record(&mut self, act: &Act, body: &Value, counts: &Counts) {
        if act.writes() {
            let made = body.get("identifier").and_then(Value::as_str);
            let made = made.unwrap_or_default();
            self.has.apply(act, made);
            Counts::add(&counts.acknowledged);
        }
    }

    /// Compares the stored records with the acknowledged writes, and continues with the stored ones.
    ///
    /// # Errors
    ///
    /// If anything is missing, changed, incomplete, or was not requested.
    pub(super) async fn compare(&mut self) -> Result<()> {
        let found = Holdings::read(&self.client, &self.user).await?;
        if found != self.has {
            let mut with = self.has.clone();
            if let Some(act) = &self.unanswered {
                let made = found.made_since(&with, act);
                with.apply(act, &made);
            }
            if found != with {
                let Self {
                    has, unanswered, ..
                } = self;
                return Err(format!(
                    "acknowledged:\n{has:#?}\nnot answered: {unanswered:?}\nfound:\n{found:#?}"
                )
                .into());
            }
        }
        self.has = found;
        self.unanswered = None;
        Ok(())
    }
}
