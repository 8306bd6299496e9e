//! Users who go on while the database fails over.
//!
//! Half of the users send a request again until it is answered, with idempotency keys, as a careful program does. The others
//! do not: after a write without an answer they only read, because it could still be carried out at any time. Once the
//! database has nothing left to do, [`Site::compare`] finds out whether it was.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::act::Act;
use super::journal::{Entry, Journal};
use super::worker::{Counts, Worker};
use super::{Site, UPLOAD_TIMEOUT};
use crate::Result;
use crate::client::Response;
use crate::patience::LIMIT;

/// The pause after a request that failed. It is shorter than `Retry-After` says, to measure the service and not its
/// clients.
const PAUSE: Duration = Duration::from_millis(100);

/// Users at work.
#[derive(Debug)]
pub struct Load {
    stop: Arc<AtomicBool>,
    working: JoinSet<(Worker, Result<()>)>,
}

impl Site {
    /// Lets all users work until [`Self::end_load`], whatever happens to the database. `journal` gets their requests.
    pub fn begin_load(&mut self, journal: &Arc<Journal>) -> Load {
        let stop = Arc::new(AtomicBool::new(false));
        let mut working = JoinSet::new();
        for mut worker in self.workers.drain(..) {
            let (stop, counts) = (Arc::clone(&stop), Arc::clone(&self.counts));
            let journal = Arc::clone(journal);
            working.spawn(async move {
                let worked = worker.persist(&stop, &counts, &journal).await;
                (worker, worked)
            });
        }
        Load { stop, working }
    }

    /// Waits until the users have finished and the service is ready.
    ///
    /// # Errors
    ///
    /// If a response was not as expected, or the service does not become ready.
    pub async fn end_load(&mut self, load: Load) -> Result<()> {
        load.stop.store(true, Ordering::Relaxed);
        self.end_work(load.working).await?;
        self.recover().await
    }
}

impl Worker {
    /// Sends one request after the other until it is told to stop.
    ///
    /// # Errors
    ///
    /// If a response is neither the expected one nor a server error, or takes too long.
    async fn persist(
        &mut self,
        stop: &AtomicBool,
        counts: &Counts,
        journal: &Journal,
    ) -> Result<()> {
        while !stop.load(Ordering::Relaxed) {
            let act = self.next_act();
            if self.repeats && act.writes() {
                self.insist(act, stop, counts, journal).await?;
            } else if !self.try_once(&act, None, false, counts, journal).await? {
                self.unanswered = act.writes().then_some(act).or(self.unanswered.take());
                sleep(PAUSE).await;
            }
        }
        Ok(())
    }

    /// A random act that this user may perform now.
    fn next_act(&mut self) -> Act {
        if self.unanswered.is_some() {
            // Any one form may have been deleted.
            let path = "/formalize/forms".to_owned();
            return Act::Look { path };
        }
        loop {
            let act = Act::draw(&mut self.dice, &self.has);
            let can_repeat = act.takes_key() || act.deletes_one();
            if !act.writes() || can_repeat || !self.repeats {
                return act;
            }
        }
    }

    /// Sends a write until it is answered, or until the user is told to stop.
    async fn insist(
        &mut self,
        act: Act,
        stop: &AtomicBool,
        counts: &Counts,
        journal: &Journal,
    ) -> Result<()> {
        let key = act.takes_key().then(|| self.dice.roll().to_string());
        let mut again = false;
        while !self
            .try_once(&act, key.as_deref(), again, counts, journal)
            .await?
        {
            if stop.load(Ordering::Relaxed) {
                self.unanswered = Some(act);
                return Ok(());
            }
            again = true;
            sleep(PAUSE).await;
        }
        Ok(())
    }

    /// Sends a request. Returns whether it was answered.
    async fn try_once(
        &mut self,
        act: &Act,
        key: Option<&str>,
        again: bool,
        counts: &Counts,
        journal: &Journal,
    ) -> Result<bool> {
        let (method, path, body) = act.request();
        let expected = act.expected(&self.has);
        Counts::add(&counts.requests);
        let began = Instant::now();
        let sent = self.client.send_with_key(method, &path, body.as_ref(), key);
        let Ok(response) = timeout(LIMIT, sent).await else {
            return Err(format!("{act:?} is not answered within {LIMIT:?}").into());
        };
        let response = response.ok();
        let status = response.as_ref().map(|it| it.status);
        let is_done = status == Some(expected)
            // The first attempt has deleted it.
            || (again && act.deletes_one() && status == Some(404));
        let acknowledged = is_done && act.writes() && status.is_some_and(|it| it < 300);
        journal.add(Entry {
            began,
            ended: Instant::now(),
            status,
            has_retry_after: response.as_ref().is_some_and(|it| it.has_retry_after),
            acknowledged,
        });
        match response {
            Some(Response { status, body, .. }) if is_done => {
                // A refusal such as that of a full form is done, too.
                if status < 300 || status == 404 {
                    self.record(act, &body, counts);
                }
                Ok(true)
            }
            // The database was away for longer than files may be on their way.
            Some(Response { status: 408, .. })
                if matches!(act, Act::AddFile { .. }) && began.elapsed() > UPLOAD_TIMEOUT =>
            {
                Counts::add(&counts.interrupted);
                Ok(false)
            }
            Some(Response { status, body, .. }) if status < 500 => {
                Err(format!("{act:?} is answered {status} instead of {expected}: {body}").into())
            }
            _ => {
                Counts::add(&counts.interrupted);
                Ok(false)
            }
        }
    }
}
