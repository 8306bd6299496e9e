//! A user who keeps a service busy and remembers what it acknowledged.

#![expect(
    clippy::indexing_slicing,
    reason = "JSON values answer null for what is not there"
)]

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::act::Act;
use super::dice::Dice;
use super::holdings::Holdings;
use crate::Result;
use crate::client::Client;

/// How long any answer may take, also while the database is away.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a service answers that has too much to do, and when it may be asked again.
const BUSY: &str = "503";
const RETRY: Duration = Duration::from_secs(1);

/// What all workers together have done.
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
    dice: Dice,
    /// What is there, by what was acknowledged.
    has: Holdings,
    /// What was asked for last and not answered: it may have been done, as a whole.
    unanswered: Option<Act>,
}

impl Worker {
    pub(super) fn new(user: String, client: Client, dice: Dice) -> Self {
        Self {
            user,
            client,
            dice,
            has: Holdings::default(),
            unanswered: None,
        }
    }

    /// How many records the user has.
    pub(super) fn records(&self) -> usize {
        self.has.count()
    }

    /// Asks for one thing after the other until it is told to stop. What is not answered, or that the service cannot
    /// answer now, is the last, unless nothing is wrong with the service: then it may be busy, and nothing worse.
    ///
    /// # Errors
    ///
    /// When an answer is not what it must be, or takes too long.
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

    /// Tells why there was no answer, if there was none.
    async fn ask(&mut self, act: Act, counts: &Counts) -> Result<Option<String>> {
        let (method, path, body) = act.request();
        let expected = act.expected(&self.has);
        Counts::add(&counts.requests);
        let asked = self.client.send(method, &path, body.as_ref());
        let Ok(answer) = timeout(PATIENCE, asked).await else {
            return Err(format!("{act:?} is not answered within {PATIENCE:?}").into());
        };
        match answer {
            Ok((status, body)) if status == expected => {
                if act.writes() && status < 300 {
                    let made = body["identifier"].as_str().unwrap_or_default();
                    self.has.apply(&act, made);
                    Counts::add(&counts.acknowledged);
                }
            }
            Ok((status, body)) if status < 500 => {
                return Err(
                    format!("{act:?} is answered {status} instead of {expected}: {body}").into(),
                );
            }
            // The service is gone, or says that it cannot answer.
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

    /// Compares what is there with what was acknowledged, and goes on from it.
    ///
    /// # Errors
    ///
    /// When something is lost, changed, there by halves, or was not asked for.
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
