//! The writer of a SQLite database. Waiting transactions share a COMMIT, because it takes longer than all their writes.
//! Each transaction is acknowledged after that COMMIT.
//!
//! The first transaction of a *batch* begins it. A transaction that commits while others wait passes the connection on
//! without a COMMIT. The others run inside savepoints, so that each can be rolled back alone. A batch ends when no
//! transaction is waiting, or when it has reached its limits. A batch never waits for more transactions: a single
//! transaction is begun and committed as usual.
//!
//! Statements on a connection run to their end, one after the other, even if the caller is gone. A cancelled task
//! therefore leaves at most one statement behind, which finishes before the next one begins. Steps that must not be
//! cancelled with the task that caused them run in tasks of their own.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use formalize_core::internals::Histogram;
use formalize_core::store::StoreResult;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};

use self::checkpoint::Checkpoints;
use super::lease::{Lease, Leases};
use super::{Answer, Script};
use crate::SqlOptions;
#[cfg(feature = "plans")]
use crate::driver::Run;
use crate::driver::fault::{ended, unavailable};
use crate::driver::{Row, Session, Statement, StoreMetrics};
use crate::statistics::PoolStatistics;

mod checkpoint;

/// Takes the write lock immediately. If a transaction took it with its first write, it would fail at once if another
/// one had written since its first read.
const BEGIN: &str = "BEGIN IMMEDIATE";
/// Also releases the savepoints.
const COMMIT: &str = "COMMIT";
const ROLLBACK: &str = "ROLLBACK";
const SAVEPOINT: &str = "SAVEPOINT own";
/// Releases the previous transaction's savepoint first, so that savepoints do not pile up.
const NEXT_SAVEPOINT: &str = "RELEASE own; SAVEPOINT own";
/// Keeps the savepoint itself.
const ROLLBACK_TO_SAVEPOINT: &str = "ROLLBACK TO own";

/// Limits of batches and of the queue.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Maximum number of transactions that share a COMMIT.
    batch: usize,
    /// Maximum age of a batch that still accepts another transaction.
    age: Duration,
    /// Maximum number of waiting transactions.
    queue: usize,
    /// Maximum time that a transaction waits.
    wait: Duration,
}

impl From<&SqlOptions> for Limits {
    fn from(options: &SqlOptions) -> Self {
        let number = |limit| usize::try_from(limit).unwrap_or(usize::MAX);
        Self {
            batch: number(options.commit_together),
            age: options.commit_within,
            queue: number(options.waiting_writers),
            wait: options.wait,
        }
    }
}

/// Passes the single writing connection from transaction to transaction. Clones share it.
#[derive(Debug, Clone)]
pub(in crate::driver::sqlite) struct Writer(Arc<WriterState>);

#[derive(Debug)]
struct WriterState {
    connections: Leases,
    limits: Limits,
    metrics: StoreMetrics,
    /// The open batch. The current transaction holds the lock, which is fair.
    batch: Arc<Mutex<Option<Batch>>>,
    waiting: AtomicUsize,
    /// How long transactions waited for their turn.
    waits: Histogram,
    last_pause: std::sync::Mutex<Instant>,
    checkpoints: Checkpoints,
}

impl WriterState {
    /// Whether the last pause is longer ago than a batch may last; if so, a new one starts now.
    fn begins_pause(&self) -> bool {
        let mut last_pause = self
            .last_pause
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let is_due = last_pause.elapsed() > self.limits.age;
        if is_due {
            *last_pause = Instant::now();
        }
        is_due
    }
}

/// Transactions that share a COMMIT.
#[derive(Debug)]
struct Batch {
    connection: Lease,
    begun: Instant,
    /// The transactions waiting for the COMMIT. If it succeeds, they are durable.
    waiters: Vec<oneshot::Sender<StoreResult<()>>>,
    /// Whether there is a savepoint. The first transaction has none.
    has_savepoint: bool,
    /// Ensures that the batch ends even if all waiting transactions are cancelled.
    closer: Option<Arc<()>>,
}

impl Batch {
    fn new(connection: Lease) -> Self {
        Self {
            connection,
            begun: Instant::now(),
            waiters: Vec::new(),
            has_savepoint: false,
            closer: None,
        }
    }

    async fn run(&self, metrics: &StoreMetrics, statement: Script) -> StoreResult<()> {
        metrics.sent(1);
        self.connection.run(statement).await.map(drop)
    }

    /// Sets a savepoint, so that the next transaction can be rolled back alone.
    async fn set_savepoint(&mut self, metrics: &StoreMetrics) -> StoreResult<()> {
        let statement = if self.has_savepoint {
            NEXT_SAVEPOINT
        } else {
            SAVEPOINT
        };
        self.run(metrics, Script::brief(statement)).await?;
        self.has_savepoint = true;
        Ok(())
    }

    /// Reports the outcome to every transaction of the batch. After an error, the connection is closed, which rolls
    /// back uncommitted changes.
    fn end(mut self, ended: &StoreResult<()>) {
        if ended.is_err() {
            self.connection.close_on_drop();
        }
        drop(self.connection);
        for waiter in self.waiters {
            // Sending fails if the caller has been cancelled.
            let _ = waiter.send(ended.clone());
        }
    }
}

/// The open batch, locked by the current transaction.
type BatchGuard = OwnedMutexGuard<Option<Batch>>;

impl Writer {
    pub(in crate::driver::sqlite) fn new(
        connections: Leases,
        options: &SqlOptions,
        metrics: StoreMetrics,
    ) -> Self {
        Self(Arc::new(WriterState {
            checkpoints: Checkpoints::new(connections.file().clone()),
            connections,
            limits: Limits::from(options),
            metrics,
            batch: Arc::default(),
            waiting: AtomicUsize::new(0),
            waits: Histogram::of_durations(),
            last_pause: std::sync::Mutex::new(Instant::now()),
        }))
    }

    /// The connections, for work outside the transactions of the store.
    pub(in crate::driver::sqlite) fn connections(&self) -> &Leases {
        &self.0.connections
    }

    /// Waits for the transaction's turn, and begins it.
    pub(in crate::driver::sqlite) async fn begin(&self) -> StoreResult<WriteSession> {
        let runtime =
            Handle::try_current().map_err(|_| unavailable("no Tokio runtime is running"))?;
        let slot = QueueSlot::take(&self.0)?;
        let guard = Arc::clone(&self.0.batch).lock_owned();
        let started = Instant::now();
        let guard = tokio::time::timeout(self.0.limits.wait, guard).await;
        self.0.waits.add_duration(started.elapsed());
        let guard =
            guard.map_err(|_| unavailable("timed out while other transactions were writing"))?;
        drop(slot);
        let mut session = WriteSession {
            writer: self.clone(),
            runtime,
            guard: Some(guard),
            has_begun: false,
            #[cfg(feature = "plans")]
            last_run: None,
        };
        session.begin().await?;
        Ok(session)
    }

    /// The statistics of the connection.
    pub(in crate::driver::sqlite) fn statistics(&self) -> PoolStatistics {
        PoolStatistics {
            name: "writer",
            limit: 1,
            in_use: u32::from(self.0.batch.try_lock().is_err()),
            wait_nanoseconds: self.0.waits.snapshot(),
        }
    }

    /// Waits for current transactions, and closes the connections.
    pub(in crate::driver::sqlite) async fn close(&self) {
        self.0.connections.close().await;
        self.0.checkpoints.close().await;
    }

    /// Passes a batch on to a waiting transaction. Returns it if the batch must end.
    fn pass_on(&self, mut guard: BatchGuard, runtime: &Handle) -> Option<BatchGuard> {
        let batch = guard.as_mut()?;
        let limits = &self.0.limits;
        let continues = self.0.waiting.load(Ordering::SeqCst) > 0
            && batch.waiters.len() < limits.batch
            && batch.begun.elapsed() < limits.age;
        if !continues {
            return Some(guard);
        }
        // All waiting transactions may be cancelled before their turn, which would leave the batch open and
        // uncommitted. The closer queues behind them. A batch needs only one; the mark distinguishes the batch from a
        // later one.
        if batch.closer.is_none() {
            let mark = Arc::new(());
            batch.closer = Some(Arc::clone(&mark));
            runtime.spawn(self.clone().commit_later(mark));
        }
        // Returning drops the guard. The lock is fair, so it passes to the transaction that has waited longest.
        None
    }

    /// Ends a batch if it is still open after all transactions that are waiting now had their turn or were cancelled.
    async fn commit_later(self, mark: Arc<()>) {
        let guard = Arc::clone(&self.0.batch).lock_owned().await;
        let closer = guard.as_ref().and_then(|batch| batch.closer.as_ref());
        if closer.is_some_and(|closer| Arc::ptr_eq(closer, &mark)) {
            self.commit(guard).await;
        }
    }

    async fn commit(self, mut guard: BatchGuard) {
        self.commit_batch(&mut guard).await;
        self.pause(guard).await;
    }

    /// Commits the batch, if one is open.
    async fn commit_batch(&self, guard: &mut BatchGuard) {
        let Some(batch) = guard.take() else {
            return;
        };
        let metrics = &self.0.metrics;
        let committed = batch.run(metrics, Script::long(COMMIT)).await;
        if committed.is_ok() {
            metrics.committed(batch.waiters.len());
            if let Some(log) = self.0.checkpoints.due(&batch.connection).await {
                self.begin_checkpoint(log);
            }
        }
        batch.end(&committed);
    }

    /// Releases the file for a moment from time to time. Otherwise other programs would never find it unlocked while
    /// transactions are waiting here.
    async fn pause(&self, guard: BatchGuard) {
        const MOMENT: Duration = Duration::from_millis(1);
        let due = self.0.waiting.load(Ordering::SeqCst) > 0 && self.0.begins_pause();
        if due {
            tokio::time::sleep(MOMENT).await;
        }
        drop(guard);
    }

    /// Rolls the current transaction back, if it has begun. Otherwise the existing savepoint belongs to an earlier
    /// transaction, which must be kept.
    async fn roll_back(self, mut guard: BatchGuard, has_begun: bool) {
        let Some(batch) = guard.as_mut() else {
            return;
        };
        // The first transaction of a batch has no savepoint. The batch contains nothing else yet, so everything is
        // rolled back.
        if batch.waiters.is_empty() {
            let rolled_back = batch.run(&self.0.metrics, Script::long(ROLLBACK)).await;
            return end(guard, &rolled_back);
        }
        if has_begun
            && let Err(error) = batch
                .run(&self.0.metrics, Script::long(ROLLBACK_TO_SAVEPOINT))
                .await
        {
            // SQLite rolls everything back by itself on errors such as a full disk.
            let lost = unavailable(&format!(
                "rolled back with another transaction of the same batch: {error}"
            ));
            return end(guard, &Err(lost));
        }
        if let Some(guard) = self.pass_on(guard, &Handle::current()) {
            self.commit(guard).await;
        }
    }
}

fn end(mut guard: BatchGuard, ended: &StoreResult<()>) {
    if let Some(batch) = guard.take() {
        batch.end(ended);
    }
}

/// A slot in the queue of waiting transactions.
struct QueueSlot<'a>(&'a AtomicUsize);

impl<'a> QueueSlot<'a> {
    fn take(state: &'a WriterState) -> StoreResult<Self> {
        let slot = Self(&state.waiting);
        if slot.0.fetch_add(1, Ordering::SeqCst) < state.limits.queue {
            Ok(slot)
        } else {
            Err(unavailable("too many transactions are waiting to write"))
        }
    }
}

impl Drop for QueueSlot<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A transaction that may write. It is rolled back if it is dropped without a COMMIT.
pub(in crate::driver::sqlite) struct WriteSession {
    writer: Writer,
    runtime: Handle,
    /// Present until the transaction ends.
    guard: Option<BatchGuard>,
    /// Whether the transaction can be rolled back alone.
    has_begun: bool,
    #[cfg(feature = "plans")]
    last_run: Option<Run>,
}

impl WriteSession {
    async fn begin(&mut self) -> StoreResult<()> {
        let state = Arc::clone(&self.writer.0);
        let guard = self.guard.as_mut().ok_or_else(ended)?;
        let begun = if let Some(batch) = guard.as_mut() {
            batch.set_savepoint(&state.metrics).await
        } else {
            let connection = state.connections.lease().await?;
            let batch = guard.insert(Batch::new(connection));
            batch.run(&state.metrics, Script::brief(BEGIN)).await
        };
        self.has_begun = begun.is_ok();
        // After a failure, the state of the connection is unknown. Ending the batch closes the connection, which rolls
        // the batch back, and reports the error to all its transactions.
        if begun.is_err()
            && let Some(guard) = self.guard.take()
        {
            end(guard, &begun);
        }
        begun
    }

    fn batch(&mut self) -> StoreResult<&mut Batch> {
        let batch = self.guard.as_mut().and_then(|guard| guard.as_mut());
        batch.ok_or_else(ended)
    }

    async fn answer(&mut self, statement: Script) -> StoreResult<Answer> {
        let answer = self.batch()?.connection.run(statement).await;
        #[cfg(feature = "plans")]
        {
            self.last_run = answer.as_ref().ok().map(|answer| answer.run);
        }
        answer
    }
}

#[async_trait]
impl Session for WriteSession {
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
        true
    }

    /// Waits until the transaction is durable. The outcome does not depend on whether the caller keeps waiting.
    async fn commit(mut self: Box<Self>) -> StoreResult<()> {
        let (waiter, outcome) = oneshot::channel();
        // The guard is taken out before the first `await`: from here on, dropping `self` in a cancelled task no longer
        // rolls the transaction back.
        let mut guard = self.guard.take().ok_or_else(ended)?;
        guard.as_mut().ok_or_else(ended)?.waiters.push(waiter);
        if let Some(guard) = self.writer.pass_on(guard, &self.runtime) {
            // A separate task commits, because the batch may contain transactions of other callers.
            self.runtime.spawn(self.writer.clone().commit(guard));
        }
        let lost = |_| unavailable("the program stopped before the COMMIT finished");
        outcome.await.map_err(lost)?
    }
}

impl Drop for WriteSession {
    fn drop(&mut self) {
        if let Some(guard) = self.guard.take().filter(|guard| guard.is_some()) {
            self.runtime
                .spawn(self.writer.clone().roll_back(guard, self.has_begun));
        }
    }
}

#[cfg(test)]
mod tests;
