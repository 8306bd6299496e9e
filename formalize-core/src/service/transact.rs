//! Begins the transactions of the use cases, commits them, and repeats those that failed for a reason that may pass. This is
//! the only place that does so: if callers repeated calls, too, the numbers of attempts would multiply.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::{ATTEMPTS, Shared};
use crate::error::{Error, Result};
use crate::model::event::NewEvent;
use crate::store::{OwnedTx, ReadTx, Store, StoreError};

/// The first pause. Each following one is twice as long, up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// Whether the library can wait, for which it needs the feature `timers`.
const CAN_WAIT: bool = cfg!(feature = "timers");

/// The store, and how often transactions on it are repeated.
pub(super) struct Transactions {
    pub(super) store: Arc<dyn Store>,
    /// For how long a transaction is repeated that lost its connection.
    retry_time: Duration,
    /// The number of repetitions.
    retries: AtomicU64,
}

/// What becomes of a transaction whose work is done. If the work fails, it is rolled back.
pub(super) struct End<T> {
    /// The transaction, if it is committed.
    tx: Option<Box<dyn OwnedTx>>,
    value: T,
    /// Appended before the commit.
    event: Option<NewEvent>,
}

impl<T> End<T> {
    /// Commits, and then returns a value.
    pub(super) fn commit(tx: Box<dyn OwnedTx>, value: T) -> Self {
        Self {
            tx: Some(tx),
            value,
            event: None,
        }
    }

    /// Returns a value without committing. The work has dropped the transaction.
    pub(super) fn roll_back(value: T) -> Self {
        Self {
            tx: None,
            value,
            event: None,
        }
    }

    /// Appends an event before the commit.
    pub(super) fn with(self, event: Option<NewEvent>) -> Self {
        Self { event, ..self }
    }
}

impl Transactions {
    pub(super) fn new(store: Arc<dyn Store>, retry_time: Duration) -> Self {
        Self {
            store,
            retry_time,
            retries: AtomicU64::new(0),
        }
    }

    /// The number of repetitions so far.
    pub(super) fn retries(&self) -> u64 {
        self.retries.load(Ordering::Relaxed)
    }

    /// Does work in a write transaction, and commits it. Returns the event that was appended, too.
    ///
    /// All of `work` is repeated after a conflict or a lost connection, so it must do nothing but use its transaction. If it
    /// `is_idempotent`, it is also repeated if the connection was lost during the commit.
    pub(super) async fn transact<T, F>(
        &self,
        is_idempotent: bool,
        work: impl Fn(Box<dyn OwnedTx>) -> F,
    ) -> Result<(T, Option<NewEvent>)>
    where
        F: Future<Output = Result<End<T>>>,
    {
        self.repeat(is_idempotent, async || self.attempt(&work).await)
            .await
    }

    /// One attempt at [`Transactions::transact`].
    async fn attempt<T, F>(
        &self,
        work: &impl Fn(Box<dyn OwnedTx>) -> F,
    ) -> Result<(T, Option<NewEvent>)>
    where
        F: Future<Output = Result<End<T>>>,
    {
        let End { tx, value, event } = work(self.store.write().await?).await?;
        if let Some(mut tx) = tx {
            if let Some(event) = &event {
                tx.write_events()?.append_event(event).await?;
            }
            tx.commit().await?;
        }
        Ok((value, event))
    }

    /// Calls something that ends with its only commit, if any. Calls it again up to twice after [`StoreError::Conflict`],
    /// and after [`StoreError::Disconnected`] until the time is over.
    pub(super) async fn repeat<T, F>(&self, is_idempotent: bool, call: impl Fn() -> F) -> Result<T>
    where
        F: Future<Output = Result<T>>,
    {
        let mut attempts = self.attempts();
        let mut uncertain = None;
        loop {
            let result = call().await;
            let pause = match &result {
                Err(Error::Store(error)) => attempts.next(error, is_idempotent),
                _ => None,
            };
            let Some(pause) = pause else {
                return match (result, uncertain) {
                    // An earlier attempt may have been committed, and this one does not tell.
                    (Err(Error::Store(StoreError::Disconnected(_))), Some(why)) => {
                        Err(Error::Store(StoreError::Uncertain(why)))
                    }
                    (result, _) => result,
                };
            };
            if let Err(Error::Store(StoreError::Uncertain(why))) = result {
                uncertain = Some(why);
            }
            if !pause.is_zero() {
                rest(pause).await;
            }
        }
    }

    fn attempts(&self) -> Attempts<'_> {
        Attempts {
            count: &self.retries,
            began: Instant::now(),
            time: self.retry_time,
            pause: FIRST_PAUSE,
            conflicts: 0,
        }
    }
}

impl Shared {
    /// Does work in a write transaction, and commits it. The work is repeated from its start if the store rolled it back
    /// because of a conflict, or lost the connection before the commit.
    pub(super) async fn transact<T, F>(&self, work: impl Fn(Box<dyn OwnedTx>) -> F) -> Result<T>
    where
        F: Future<Output = Result<End<T>>>,
    {
        self.transact_idempotent(false, work).await
    }

    /// Like [`Shared::transact`]. Work that `is_idempotent`, such as that of a request with an idempotency key, is also
    /// repeated if it is unknown whether it was committed.
    pub(super) async fn transact_idempotent<T, F>(
        &self,
        is_idempotent: bool,
        work: impl Fn(Box<dyn OwnedTx>) -> F,
    ) -> Result<T>
    where
        F: Future<Output = Result<End<T>>>,
    {
        let (value, event) = self.transactions.transact(is_idempotent, work).await?;
        if let Some(event) = event {
            self.events.note(event.event_type);
        }
        Ok(value)
    }

    /// Like [`Shared::transact`], but does not repeat the work: for what must not take long, and may fail.
    pub(super) async fn try_once<T, F>(&self, work: impl Fn(Box<dyn OwnedTx>) -> F) -> Result<T>
    where
        F: Future<Output = Result<End<T>>>,
    {
        Ok(self.transactions.attempt(&work).await?.0)
    }

    /// Reads in a transaction, and again if the connection was lost.
    pub(super) async fn read<T, F>(&self, work: impl Fn(Box<dyn ReadTx>) -> F) -> Result<T>
    where
        F: Future<Output = Result<T>>,
    {
        let transactions = &self.transactions;
        let call = async || work(transactions.store.read().await?).await;
        transactions.repeat(false, call).await
    }

    /// Like [`Shared::read`], for a single query.
    pub(super) async fn read_once<T, F>(&self, work: impl Fn(Box<dyn ReadTx>) -> F) -> Result<T>
    where
        F: Future<Output = Result<T>>,
    {
        let transactions = &self.transactions;
        let call = async || work(transactions.store.read_once().await?).await;
        transactions.repeat(false, call).await
    }

    /// Like [`Shared::read`], for a transaction that may take minutes. The work may keep it.
    #[cfg(feature = "forms")]
    pub(super) async fn read_long<T, F>(&self, work: impl Fn(Box<dyn ReadTx>) -> F) -> Result<T>
    where
        F: Future<Output = Result<T>>,
    {
        let transactions = &self.transactions;
        let call = async || work(transactions.store.read_long().await?).await;
        transactions.repeat(false, call).await
    }
}

/// Waits for some time.
#[cfg(feature = "timers")]
pub(super) async fn rest(duration: Duration) {
    tokio::time::sleep(duration).await;
}

/// Does not wait: without the feature `timers`, the library uses no runtime.
#[cfg(not(feature = "timers"))]
pub(super) async fn rest(_: Duration) {}

/// Says whether a failed call is repeated, and when.
struct Attempts<'a> {
    count: &'a AtomicU64,
    began: Instant,
    time: Duration,
    pause: Duration,
    conflicts: usize,
}

impl Attempts<'_> {
    /// How long to wait before the call is repeated; `None` if it is not to be repeated.
    fn next(&mut self, error: &StoreError, is_idempotent: bool) -> Option<Duration> {
        let pause = match error {
            StoreError::Conflict(_) => {
                self.conflicts += 1;
                (self.conflicts < ATTEMPTS).then_some(Duration::ZERO)
            }
            StoreError::Disconnected(_) => self.pause(),
            StoreError::Uncertain(_) if is_idempotent => self.pause(),
            _ => None,
        };
        if pause.is_some() {
            self.count.fetch_add(1, Ordering::Relaxed);
        }
        pause
    }

    fn pause(&mut self) -> Option<Duration> {
        let pause = self.pause;
        self.pause = (pause * 2).min(LONGEST_PAUSE);
        (CAN_WAIT && self.began.elapsed() + pause < self.time).then_some(pause)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Formalize;
    use crate::store::memory::MemoryStore;

    fn lost() -> StoreError {
        StoreError::Disconnected("away".to_owned())
    }

    async fn formalize(time: Duration) -> Formalize {
        let builder = Formalize::builder(Arc::new(MemoryStore::new()));
        builder.retry_time(time).build().await.unwrap()
    }

    #[tokio::test]
    async fn what_an_earlier_attempt_may_have_committed_stays_uncertain() {
        let formalize = formalize(Duration::from_millis(50)).await;
        let attempts = AtomicU64::new(0);
        let call = async || {
            let is_first = attempts.fetch_add(1, Ordering::Relaxed) == 0;
            let uncertain = StoreError::Uncertain("during a commit".to_owned());
            Err::<(), _>(Error::Store(if is_first { uncertain } else { lost() }))
        };
        let ended = formalize.0.transactions.repeat(true, call).await;
        let is_uncertain = matches!(&ended, Err(Error::Store(StoreError::Uncertain(_))));
        assert!(is_uncertain, "{ended:?}");
        assert!(attempts.load(Ordering::Relaxed) > 1);
    }

    #[tokio::test]
    async fn calls_are_repeated_until_the_time_is_over() {
        let formalize = formalize(Duration::from_millis(100)).await;
        let mut attempts = formalize.0.transactions.attempts();
        let mut pauses = Vec::new();
        while let Some(pause) = attempts.next(&lost(), false) {
            pauses.push(pause.as_millis());
            tokio::time::sleep(pause).await;
        }
        assert_eq!(pauses[..3], [10, 20, 40]);
        assert_eq!(formalize.statistics().retries, pauses.len() as u64);
    }

    #[tokio::test]
    async fn pauses_are_bounded() {
        let formalize = formalize(Duration::from_mins(1)).await;
        let mut attempts = formalize.0.transactions.attempts();
        let longest = (0..50).filter_map(|_| attempts.next(&lost(), false)).max();
        assert_eq!(longest, Some(LONGEST_PAUSE));
    }

    #[tokio::test]
    async fn conflicts_are_repeated_twice_and_other_errors_never() {
        let formalize = formalize(Duration::from_mins(1)).await;
        let mut attempts = formalize.0.transactions.attempts();
        let conflict = StoreError::Conflict("deadlock".to_owned());
        assert_eq!(attempts.next(&conflict, false), Some(Duration::ZERO));
        assert_eq!(attempts.next(&conflict, false), Some(Duration::ZERO));
        assert_eq!(attempts.next(&conflict, false), None);
        for error in [
            StoreError::Unavailable("busy".to_owned()),
            StoreError::Uncertain("commit".to_owned()),
            StoreError::Refused("password".to_owned()),
            StoreError::Failed("disk".to_owned()),
        ] {
            assert_eq!(
                formalize.0.transactions.attempts().next(&error, false),
                None,
                "{error}"
            );
        }
        let uncertain = StoreError::Uncertain("commit".to_owned());
        let repeated = formalize.0.transactions.attempts().next(&uncertain, true);
        assert_eq!(repeated, Some(FIRST_PAUSE));
    }
}
