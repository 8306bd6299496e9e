//! Connections, each leased to one transaction at a time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use formalize_core::internals::Histogram;
use formalize_core::store::StoreResult;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{Answer, Connection, File, Script, blocking};
#[cfg(feature = "plans")]
use crate::driver::Run;
use crate::driver::fault::{self, unavailable};
use crate::driver::{Row, Session, Statement};
use crate::statistics::PoolStatistics;

/// The source of connections. They are opened on demand and kept. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct Leases(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    file: File,
    most: u32,
    /// One permit for each connection that may be leased.
    permits: Arc<Semaphore>,
    /// How long transactions waited for a permit.
    waits: Histogram,
    free: Mutex<Vec<Connection>>,
}

impl Shared {
    /// The most recently used connection is last, and has the most prepared statements.
    fn free(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Leases {
    /// A limited number of connections, including one that is already open.
    pub(super) fn new(file: File, most: u32, first: Option<Connection>) -> Self {
        let permits = usize::try_from(most).unwrap_or(Semaphore::MAX_PERMITS);
        Self(Arc::new(Shared {
            file,
            most,
            permits: Arc::new(Semaphore::new(permits)),
            waits: Histogram::of_durations(),
            free: Mutex::new(first.into_iter().collect()),
        }))
    }

    pub(super) fn file(&self) -> &File {
        &self.0.file
    }

    /// Takes a connection, waiting until one is available.
    pub(super) async fn lease(&self) -> StoreResult<Lease> {
        let permit = self.permit().await?;
        let free = self.0.free().pop();
        let connection = match free {
            Some(connection) => connection,
            None => self.0.file.clone().open().await?,
        };
        Ok(Lease {
            connection,
            owner: Arc::clone(&self.0),
            usable: true,
            _permit: permit,
        })
    }

    /// The statistics of these connections.
    pub(super) fn statistics(&self, name: &'static str) -> PoolStatistics {
        let free = u32::try_from(self.0.permits.available_permits()).unwrap_or(u32::MAX);
        PoolStatistics {
            name,
            limit: self.0.most,
            in_use: self.0.most.saturating_sub(free),
            wait_nanoseconds: self.0.waits.snapshot(),
        }
    }

    async fn permit(&self) -> StoreResult<OwnedSemaphorePermit> {
        if let Ok(permit) = Arc::clone(&self.0.permits).try_acquire_owned() {
            self.0.waits.add_duration(Duration::ZERO);
            return Ok(permit);
        }
        let wanted = Instant::now();
        let permit = Arc::clone(&self.0.permits).acquire_owned();
        let permit = tokio::time::timeout(self.0.file.wait, permit).await;
        self.0.waits.add_duration(wanted.elapsed());
        permit
            .map_err(|_| unavailable("timed out while all connections were in use"))?
            .map_err(|_| unavailable("the store is closed"))
    }

    /// Waits for current transactions, and closes the connections. No connection can be leased afterwards.
    pub(super) async fn close(&self) {
        let all_returned = self.0.permits.acquire_many(self.0.most).await;
        self.0.permits.close();
        drop(all_returned);
        let connections = std::mem::take(&mut *self.0.free());
        // The last connection of a file checkpoints the write-ahead log. If the runtime is gone, they are dropped here.
        let _ = blocking(move || drop(connections)).await;
    }
}

/// A connection that is returned when it is dropped.
#[derive(Debug)]
pub(super) struct Lease {
    connection: Connection,
    owner: Arc<Shared>,
    /// Whether the connection can be used again.
    usable: bool,
    _permit: OwnedSemaphorePermit,
}

impl Lease {
    pub(super) async fn run(&self, statement: Script) -> StoreResult<Answer> {
        self.connection.run(statement).await
    }

    /// Makes dropping the lease close the connection instead of returning it, which rolls back uncommitted changes.
    pub(super) fn close_on_drop(&mut self) {
        self.usable = false;
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if self.usable {
            self.owner.free().push(self.connection.clone());
        }
    }
}

/// A session for reading: for one query, or for several that see the same state.
#[derive(Debug)]
pub(super) struct ReadSession {
    /// Present until the end.
    lease: Option<Lease>,
    snapshot: Snapshot,
    /// Whether a statement was sent and its result has not arrived.
    is_running: bool,
    #[cfg(feature = "plans")]
    last_run: Option<Run>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Snapshot {
    /// A single statement sees one state by itself.
    NotNeeded,
    /// A transaction must begin before the first statement.
    Due,
    Begun,
}

const BEGIN: &str = "BEGIN DEFERRED";
/// Nothing was written, so COMMIT and ROLLBACK are equivalent.
const COMMIT: &str = "COMMIT";

impl ReadSession {
    /// For one query.
    pub(super) async fn once(leases: &Leases) -> StoreResult<Self> {
        Self::new(leases, Snapshot::NotNeeded).await
    }

    /// For any number of queries, which see the state that the first one sees.
    pub(super) async fn begin(leases: &Leases) -> StoreResult<Self> {
        Self::new(leases, Snapshot::Due).await
    }

    async fn new(leases: &Leases, snapshot: Snapshot) -> StoreResult<Self> {
        Ok(Self {
            lease: Some(leases.lease().await?),
            snapshot,
            is_running: false,
            #[cfg(feature = "plans")]
            last_run: None,
        })
    }

    async fn answer(&mut self, statement: Script) -> StoreResult<Answer> {
        let Some(lease) = &self.lease else {
            return Err(fault::ended());
        };
        self.is_running = true;
        if self.snapshot == Snapshot::Due {
            self.snapshot = Snapshot::Begun;
            lease.run(Script::brief(BEGIN)).await?;
        }
        let answer = lease.run(statement).await;
        self.is_running = false;
        #[cfg(feature = "plans")]
        {
            self.last_run = answer.as_ref().ok().map(|answer| answer.run);
        }
        answer
    }
}

#[async_trait]
impl Session for ReadSession {
    async fn all(&mut self, statement: Statement<'_>) -> StoreResult<Vec<Row>> {
        Ok(self.answer(statement.into()).await?.rows)
    }

    async fn run(&mut self, statement: Statement<'_>) -> StoreResult<u64> {
        Ok(self.answer(statement.into()).await?.written)
    }

    #[cfg(feature = "plans")]
    fn last_run(&self) -> Option<Run> {
        self.last_run
    }

    fn continues(&mut self) -> bool {
        self.snapshot != Snapshot::NotNeeded
    }

    async fn commit(self: Box<Self>) -> StoreResult<()> {
        Ok(())
    }
}

/// Ends the transaction and returns the connection.
impl Drop for ReadSession {
    fn drop(&mut self) {
        let Some(mut lease) = self.lease.take() else {
            return;
        };
        let begun = self.snapshot == Snapshot::Begun;
        if !(begun || self.is_running)
            || begun && ended(lease.connection.try_run(&Script::brief(COMMIT)))
        {
            return;
        }
        lease.close_on_drop();
        // The connection remains leased until this is done.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move {
                lease.connection.give_up().await;
                drop(lease);
            });
        }
    }
}

fn ended(committed: Option<StoreResult<Answer>>) -> bool {
    committed.is_some_and(|committed| committed.is_ok())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use formalize_core::Store;
    use formalize_core::store::Inserted;

    use crate::driver::{Purpose, sql};
    use crate::{SqlOptions, SqlStore};

    /// Without interruption, this statement would take too long to wait for.
    const LONG: &str = "WITH RECURSIVE numbers (n) AS \
         (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000000000) \
         SELECT max(n) FROM numbers";

    /// A store with one connection for reading.
    async fn store() -> (SqlStore, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/formalize.db", folder.path().display());
        let options = SqlOptions {
            readers: 1,
            ..SqlOptions::default()
        };
        let store = SqlStore::open(&url, &options).await.unwrap();
        store.migrate().await.unwrap();
        (store, folder)
    }

    async fn is_seen(store: &SqlStore, name: &str) -> bool {
        let mut tx = store.read().await.unwrap();
        tx.find_setting(name).await.unwrap().is_some()
    }

    async fn write(store: &SqlStore, name: &str) {
        let mut tx = store.write().await.unwrap();
        assert_eq!(tx.insert_setting(name, "").await.unwrap(), Inserted::Done);
        tx.commit().await.unwrap();
    }

    #[tokio::test]
    async fn a_dropped_read_leaves_no_state_behind() {
        let (store, _folder) = store().await;
        for name in ["a", "b", "c"] {
            assert!(!is_seen(&store, name).await);
            write(&store, name).await;
            assert!(is_seen(&store, name).await);
        }
    }

    #[tokio::test]
    async fn a_cancelled_read_is_interrupted() {
        let (store, _folder) = store().await;
        for name in ["a", "b", "c"] {
            let reading = store.clone();
            let read = tokio::spawn(async move {
                let mut tx = reading.database.begin(Purpose::Read).await.unwrap();
                tx.all(sql(LONG)).await.map(drop)
            });
            tokio::time::sleep(Duration::from_millis(30)).await;
            assert!(!read.is_finished());
            read.abort();
            write(&store, name).await;
            assert!(is_seen(&store, name).await);
        }
    }

    #[tokio::test]
    async fn long_reads_leave_the_readers_free() {
        let (store, _folder) = store().await;
        let mut long = Vec::new();
        for _ in 0..3 {
            let mut tx = store.read_long().await.unwrap();
            assert_eq!(tx.find_setting("a").await.unwrap(), None);
            long.push(tx);
        }
        write(&store, "a").await;
        assert!(is_seen(&store, "a").await);
        for tx in &mut long {
            assert_eq!(tx.find_setting("a").await.unwrap(), None);
        }
    }

    #[tokio::test]
    async fn closing_a_store_waits_for_reads() {
        let (store, _folder) = store().await;
        let mut tx = store.read().await.unwrap();
        let closing = store.clone();
        let closing = tokio::spawn(async move { closing.close().await });
        tokio::time::sleep(Duration::from_millis(30)).await;
        assert!(!closing.is_finished());
        assert_eq!(tx.find_setting("a").await.unwrap(), None);
        drop(tx);
        closing.await.unwrap();
    }
}
