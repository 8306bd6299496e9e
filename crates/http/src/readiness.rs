//! Readiness: whether the server is stopping, and whether its database responds.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use formalize_core::Store;
use tokio::{sync::watch, time::Instant};

/// Whether a shutdown has begun. Clones share the state.
#[derive(Debug, Clone, Default)]
pub struct Stopping(Arc<watch::Sender<bool>>);

impl Stopping {
    /// Marks the server as stopping.
    pub fn begin(&self) {
        self.0.send_replace(true);
    }

    /// Whether the server is stopping.
    pub fn has_begun(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until the server is stopping.
    pub async fn begun(&self) {
        // This cannot fail, because the sender lives as long as this.
        let _ = self.0.subscribe().wait_for(|begun| *begun).await;
    }
}

/// Why the server is not ready.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotReady {
    /// A shutdown has begun.
    #[error("the server is stopping")]
    Stopping,
    /// The database failed, with this error.
    #[error("{0}")]
    Database(String),
    /// The database did not respond in time.
    #[error("the database did not respond within {} ms", TIMEOUT.as_millis())]
    Silent,
}

/// The timeout for the database.
const TIMEOUT: Duration = Duration::from_millis(800);

/// How long a result is cached. It is longer than [`TIMEOUT`], so that only one query is sent at a time.
const FRESH: Duration = Duration::from_secs(1);

/// Checks readiness, and queries the database at most once a second, regardless of the number of requests.
#[derive(Clone)]
pub struct Readiness {
    store: Arc<dyn Store>,
    stopping: Stopping,
    latest: Arc<Mutex<Option<Probe>>>,
}

/// A query to the database.
#[derive(Clone)]
struct Probe {
    began: Instant,
    /// `None` while the query is running.
    answer: watch::Receiver<Option<Result<(), NotReady>>>,
}

impl Readiness {
    /// Creates a readiness check for this store.
    pub fn new(store: Arc<dyn Store>, stopping: Stopping) -> Self {
        Self {
            store,
            stopping,
            latest: Arc::default(),
        }
    }

    /// Returns within a second whether the server is ready.
    ///
    /// # Errors
    ///
    /// The reason if it is not ready.
    pub async fn check(&self) -> Result<(), NotReady> {
        if self.stopping.has_begun() {
            return Err(NotReady::Stopping);
        }
        let mut answer = self.probe().answer;
        let answered = answer.wait_for(Option::is_some).await;
        // If the sender was dropped, the task has panicked.
        answered.map_or(Err(NotReady::Silent), |answer| {
            answer.clone().unwrap_or(Err(NotReady::Silent))
        })
    }

    /// The latest query, or a new one if it is too old.
    fn probe(&self) -> Probe {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        match &*latest {
            Some(probe) if probe.began.elapsed() < FRESH => probe.clone(),
            _ => latest.insert(self.begin()).clone(),
        }
    }

    /// Queries in a separate task, so that a cancelled request does not cancel the query.
    fn begin(&self) -> Probe {
        let (sender, answer) = watch::channel(None);
        let store = Arc::clone(&self.store);
        tokio::spawn(async move {
            let pinged = tokio::time::timeout(TIMEOUT, store.ping()).await;
            let result = match pinged {
                Ok(answer) => answer.map_err(|error| NotReady::Database(error.to_string())),
                Err(_) => Err(NotReady::Silent),
            };
            // It does not matter if no request is waiting any more.
            let _ = sender.send(Some(result));
        });
        Probe {
            began: Instant::now(),
            answer,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use async_trait::async_trait;
    use formalize_core::{
        Revision, StoreError, Submission,
        events::EventId,
        forms::{SubmissionCap, SubmissionLimit},
        idempotency::KeptResponse,
        store::{OwnedTx, ReadTx, Revocations, StoreResult, memory::MemoryStore},
    };
    use tokio::task::JoinSet;

    use super::*;

    /// A store with a configurable response to pings.
    #[derive(Default)]
    struct Database {
        memory: MemoryStore,
        pings: AtomicUsize,
        away: AtomicBool,
        silent: AtomicBool,
    }

    #[async_trait]
    impl Store for Database {
        async fn read(&self) -> StoreResult<Box<dyn ReadTx>> {
            self.memory.read().await
        }

        async fn read_once(&self) -> StoreResult<Box<dyn ReadTx>> {
            self.memory.read_once().await
        }

        async fn read_long(&self) -> StoreResult<Box<dyn ReadTx>> {
            self.memory.read_long().await
        }

        async fn write(&self) -> StoreResult<Box<dyn OwnedTx>> {
            self.memory.write().await
        }

        async fn submit(
            &self,
            submission: &Submission,
            form: Revision,
            cap: Option<SubmissionCap>,
            limit: Option<SubmissionLimit>,
            event: Option<EventId>,
            kept: &[KeptResponse],
        ) -> StoreResult<bool> {
            self.memory
                .submit(submission, form, cap, limit, event, kept)
                .await
        }

        async fn revocations(&self) -> StoreResult<Option<Box<dyn Revocations>>> {
            self.memory.revocations().await
        }

        async fn ping(&self) -> StoreResult<()> {
            self.pings.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(20)).await;
            if self.silent.load(Ordering::SeqCst) {
                std::future::pending::<()>().await;
            }
            if self.away.load(Ordering::SeqCst) {
                return Err(StoreError::Unavailable("away".to_owned()));
            }
            Ok(())
        }

        async fn close(&self) {}
    }

    fn readiness() -> (Arc<Database>, Readiness) {
        let database = Arc::new(Database::default());
        let readiness = Readiness::new(Arc::clone(&database) as _, Stopping::default());
        (database, readiness)
    }

    #[tokio::test]
    async fn concurrent_checks_share_one_query() {
        let (database, readiness) = readiness();
        let mut asking = JoinSet::new();
        for _ in 0..200 {
            let readiness = readiness.clone();
            asking.spawn(async move { readiness.check().await });
        }
        assert_eq!(asking.join_all().await, vec![Ok(()); 200]);
        assert_eq!(database.pings.load(Ordering::SeqCst), 1);
        tokio::time::sleep(FRESH).await;
        readiness.check().await.unwrap();
        assert_eq!(database.pings.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn a_cancelled_check_does_not_repeat_the_query() {
        let (database, readiness) = readiness();
        for _ in 0..50 {
            let hurried = tokio::time::timeout(Duration::from_millis(1), readiness.check()).await;
            assert!(hurried.is_err() || hurried == Ok(Ok(())));
        }
        readiness.check().await.unwrap();
        assert_eq!(database.pings.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn checks_follow_the_database_and_respond_in_time() {
        let (database, readiness) = readiness();
        database.silent.store(true, Ordering::SeqCst);
        let began = Instant::now();
        assert_eq!(readiness.check().await, Err(NotReady::Silent));
        assert!(began.elapsed() < FRESH);
        database.silent.store(false, Ordering::SeqCst);
        database.away.store(true, Ordering::SeqCst);
        tokio::time::sleep(FRESH).await;
        let away = readiness.check().await.unwrap_err();
        assert!(away.to_string().contains("away"), "{away}");
        database.away.store(false, Ordering::SeqCst);
        tokio::time::sleep(FRESH).await;
        assert_eq!(readiness.check().await, Ok(()));
    }

    #[tokio::test]
    async fn a_stopping_server_is_not_ready_and_sends_no_query() {
        let (database, readiness) = readiness();
        readiness.stopping.begin();
        assert_eq!(readiness.check().await, Err(NotReady::Stopping));
        assert_eq!(database.pings.load(Ordering::SeqCst), 0);
    }
}
