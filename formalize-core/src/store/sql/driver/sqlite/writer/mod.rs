//! The writer of a SQLite database. Transactions that wait for it share a COMMIT, which takes longer than all that they
//! write, and each is told that it is kept when that COMMIT is done.
//!
//! The first transaction of a *batch* begins it. Whoever commits while others wait hands the connection on without a
//! COMMIT; those others run inside savepoints, so that each can be undone alone. A batch ends when nobody waits any
//! more, or when it has grown to its limits. There is no waiting for company: a transaction that is alone is begun and
//! committed like any other.
//!
//! Statements on a connection run to their end, one after the other, also where nobody waits for the answer. So a task
//! that is cancelled leaves at most one statement behind, which is over before the next one begins. Steps that must be
//! taken whatever becomes of the task that made them necessary are taken by tasks of their own.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};

use super::lease::{Lease, Leases};
use super::{Answer, Script};
use crate::statistics::Histogram;
use crate::store::sql::SqlOptions;
use crate::store::sql::driver::StoreMetrics;
use crate::store::sql::statistics::PoolStatistics;
use crate::store::{StoreError, StoreResult};

/// A transaction that took the write lock only when it first writes would fail at once if another had written since.
const BEGIN: &str = "BEGIN IMMEDIATE";
/// Ends the savepoints too.
const COMMIT: &str = "COMMIT";
const ROLLBACK: &str = "ROLLBACK";
const SAVE: &str = "SAVEPOINT own";
/// The savepoint of the transaction before goes first, so that they do not pile up.
const SAVE_NEXT: &str = "RELEASE own; SAVEPOINT own";
/// Leaves the savepoint itself in place.
const UNDO: &str = "ROLLBACK TO own";

/// How long transactions wait, and how many together.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// How many transactions share a COMMIT.
    batch: usize,
    /// How old a batch may be and still take in another transaction.
    age: Duration,
    /// How many transactions wait.
    queue: usize,
    /// How long each of them waits.
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

/// Hands the one connection that writes from transaction to transaction. Clones share it.
#[derive(Debug, Clone)]
pub(in crate::store::sql::driver) struct Writer(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    connections: Leases,
    limits: Limits,
    metrics: StoreMetrics,
    /// The batch that is open. Whose turn it is has the lock, which is fair.
    batch: Arc<Mutex<Option<Batch>>>,
    waiting: AtomicUsize,
    /// How long transactions have waited for their turn.
    waits: Histogram,
    rested: std::sync::Mutex<Instant>,
}

impl Shared {
    /// Whether there was no rest for as long as a batch may last; if so, there is one now.
    fn takes_rest(&self) -> bool {
        let mut rested = self.rested.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = rested.elapsed() > self.limits.age;
        if is_due {
            *rested = Instant::now();
        }
        is_due
    }
}

/// Transactions that share a COMMIT.
#[derive(Debug)]
struct Batch {
    connection: Lease,
    begun: Instant,
    /// Those that wait to be told about it; they are kept if the COMMIT is done.
    kept: Vec<oneshot::Sender<StoreResult<()>>>,
    /// Whether there is a savepoint: not for the first transaction.
    has_savepoint: bool,
    /// Sees to it that the batch ends, also if everybody who waits goes away.
    closer: Option<Arc<()>>,
}

impl Batch {
    fn new(connection: Lease) -> Self {
        Self {
            connection,
            begun: Instant::now(),
            kept: Vec::new(),
            has_savepoint: false,
            closer: None,
        }
    }

    async fn run(&self, metrics: &StoreMetrics, statement: Script) -> StoreResult<()> {
        metrics.sent(1);
        self.connection.run(statement).await.map(drop)
    }

    /// Lets the next transaction begin where it can be undone alone.
    async fn save(&mut self, metrics: &StoreMetrics) -> StoreResult<()> {
        let save = if self.has_savepoint { SAVE_NEXT } else { SAVE };
        self.run(metrics, Script::brief(save)).await?;
        self.has_savepoint = true;
        Ok(())
    }

    /// Tells everybody how it ended. A connection on which something went wrong is not used again, which undoes what
    /// was not committed.
    fn end(mut self, ended: &StoreResult<()>) {
        if ended.is_err() {
            self.connection.close_on_drop();
        }
        drop(self.connection);
        for told in self.kept {
            // Whoever is gone need not be told.
            let _ = told.send(ended.clone());
        }
    }
}

type Seat = OwnedMutexGuard<Option<Batch>>;

impl Writer {
    pub(in crate::store::sql::driver) fn new(
        connections: Leases,
        options: &SqlOptions,
        metrics: StoreMetrics,
    ) -> Self {
        Self(Arc::new(Shared {
            connections,
            limits: Limits::from(options),
            metrics,
            batch: Arc::default(),
            waiting: AtomicUsize::new(0),
            waits: Histogram::of_durations(),
            rested: std::sync::Mutex::new(Instant::now()),
        }))
    }

    /// The connections, for what is no transaction of the store.
    pub(in crate::store::sql::driver) fn connections(&self) -> &Leases {
        &self.0.connections
    }

    /// Begins a transaction when it is its turn.
    pub(in crate::store::sql::driver) async fn begin(&self) -> StoreResult<Turn> {
        let runtime = Handle::try_current().map_err(|_| unavailable("there is no runtime"))?;
        let place = Place::take(&self.0)?;
        let seat = Arc::clone(&self.0.batch).lock_owned();
        let wanted = Instant::now();
        let seat = tokio::time::timeout(self.0.limits.wait, seat).await;
        self.0.waits.add_duration(wanted.elapsed());
        let seat = seat.map_err(|_| unavailable("other transactions were writing for too long"))?;
        drop(place);
        let mut turn = Turn {
            writer: self.clone(),
            runtime,
            seat: Some(seat),
            has_begun: false,
        };
        turn.begin().await?;
        Ok(turn)
    }

    /// What its connection is and does.
    pub(in crate::store::sql::driver) fn statistics(&self) -> PoolStatistics {
        PoolStatistics {
            name: "writer",
            limit: 1,
            in_use: u32::from(self.0.batch.try_lock().is_err()),
            wait_nanoseconds: self.0.waits.snapshot(),
        }
    }

    /// Waits for what is under way, and closes the connection.
    pub(in crate::store::sql::driver) async fn close(&self) {
        self.0.connections.close().await;
    }

    /// Hands a batch on to whoever waits; gives it back if it is to end.
    fn hand_on(&self, mut seat: Seat, runtime: &Handle) -> Option<Seat> {
        let batch = seat.as_mut()?;
        let limits = &self.0.limits;
        let goes_on = self.0.waiting.load(Ordering::SeqCst) > 0
            && batch.kept.len() < limits.batch
            && batch.begun.elapsed() < limits.age;
        if !goes_on {
            return Some(seat);
        }
        // Every waiting transaction may give up before its turn, which leaves the batch open with nobody to commit it.
        // The closer queues behind them. One is enough for a batch; the mark tells it apart from a later batch.
        if batch.closer.is_none() {
            let mark = Arc::new(());
            batch.closer = Some(Arc::clone(&mark));
            runtime.spawn(self.clone().commit_later(mark));
        }
        // Returning drops the guard, and the lock, which is fair, passes to the transaction that has waited longest.
        None
    }

    /// Ends a batch, if it is still open when everybody who waits now has had a turn or gone away.
    async fn commit_later(self, mark: Arc<()>) {
        let seat = Arc::clone(&self.0.batch).lock_owned().await;
        let closer = seat.as_ref().and_then(|batch| batch.closer.as_ref());
        if closer.is_some_and(|closer| Arc::ptr_eq(closer, &mark)) {
            self.commit(seat).await;
        }
    }

    async fn commit(self, mut seat: Seat) {
        if let Some(batch) = seat.take() {
            let metrics = &self.0.metrics;
            let committed = batch.run(metrics, Script::long(COMMIT)).await;
            if committed.is_ok() {
                metrics.committed(batch.kept.len());
            }
            batch.end(&committed);
            self.rest(seat).await;
        }
    }

    /// Leaves the file alone for a moment from time to time: while everybody here waits for their turn, other programs
    /// never found it free.
    async fn rest(&self, seat: Seat) {
        const MOMENT: Duration = Duration::from_millis(1);
        let due = self.0.waiting.load(Ordering::SeqCst) > 0 && self.0.takes_rest();
        if due {
            tokio::time::sleep(MOMENT).await;
        }
        drop(seat);
    }

    /// Undoes the transaction whose turn it was, if it has begun: otherwise the savepoint that is there is that of a
    /// transaction to be kept.
    async fn undo(self, mut seat: Seat, has_begun: bool) {
        let Some(batch) = seat.as_mut() else {
            return;
        };
        // The first transaction of a batch has no savepoint, and nothing else is in the batch yet: roll everything back.
        if batch.kept.is_empty() {
            let undone = batch.run(&self.0.metrics, Script::long(ROLLBACK)).await;
            return end(seat, &undone);
        }
        if has_begun && let Err(error) = batch.run(&self.0.metrics, Script::long(UNDO)).await {
            // SQLite undoes everything by itself when the disk is full, and in cases like it.
            let lost = unavailable(&format!(
                "a transaction that was to be committed together with this one undid both: {error}"
            ));
            return end(seat, &Err(lost));
        }
        if let Some(seat) = self.hand_on(seat, &Handle::current()) {
            self.commit(seat).await;
        }
    }
}

fn end(mut seat: Seat, ended: &StoreResult<()>) {
    if let Some(batch) = seat.take() {
        batch.end(ended);
    }
}

fn unavailable(why: &str) -> StoreError {
    StoreError::Unavailable(why.to_owned())
}

/// A place in the queue of those that wait for their turn.
struct Place<'a>(&'a AtomicUsize);

impl<'a> Place<'a> {
    fn take(shared: &'a Shared) -> StoreResult<Self> {
        let place = Self(&shared.waiting);
        if place.0.fetch_add(1, Ordering::SeqCst) < shared.limits.queue {
            Ok(place)
        } else {
            Err(unavailable("too many transactions are waiting to write"))
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A transaction that may write. Dropped without [`Turn::commit`] it is undone.
pub(in crate::store::sql::driver) struct Turn {
    writer: Writer,
    runtime: Handle,
    /// There until the transaction ends.
    seat: Option<Seat>,
    /// Whether its statements can be undone alone.
    has_begun: bool,
}

impl Turn {
    async fn begin(&mut self) -> StoreResult<()> {
        let shared = Arc::clone(&self.writer.0);
        let seat = self.seat.as_mut().ok_or_else(ended)?;
        let begun = if let Some(batch) = seat.as_mut() {
            batch.save(&shared.metrics).await
        } else {
            let connection = shared.connections.lease().await?;
            let batch = seat.insert(Batch::new(connection));
            batch.run(&shared.metrics, Script::brief(BEGIN)).await
        };
        self.has_begun = begun.is_ok();
        // The state of the connection is unknown after a failure. Ending the batch closes it, which undoes the batch, and
        // tells everybody in it.
        if begun.is_err()
            && let Some(seat) = self.seat.take()
        {
            end(seat, &begun);
        }
        begun
    }

    fn batch(&mut self) -> StoreResult<&mut Batch> {
        let batch = self.seat.as_mut().and_then(|seat| seat.as_mut());
        batch.ok_or_else(ended)
    }

    pub(in crate::store::sql::driver) async fn run(
        &mut self,
        statement: Script,
    ) -> StoreResult<Answer> {
        self.batch()?.connection.run(statement).await
    }

    /// Waits until the transaction is durable. It will be, or not, also if nobody waits.
    pub(in crate::store::sql::driver) async fn commit(mut self) -> StoreResult<()> {
        let (told, outcome) = oneshot::channel();
        // The seat is taken out before anything is awaited: from here on, a cancelled task no longer undoes the
        // transaction when it drops `self`.
        let mut seat = self.seat.take().ok_or_else(ended)?;
        seat.as_mut().ok_or_else(ended)?.kept.push(told);
        if let Some(seat) = self.writer.hand_on(seat, &self.runtime) {
            // A task of its own commits, because the batch may hold transactions of others.
            self.runtime.spawn(self.writer.clone().commit(seat));
        }
        let lost = |_| unavailable("the transaction was given up");
        outcome.await.map_err(lost)?
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(seat) = self.seat.take().filter(|seat| seat.is_some()) {
            self.runtime
                .spawn(self.writer.clone().undo(seat, self.has_begun));
        }
    }
}

fn ended() -> StoreError {
    StoreError::Failed("the transaction has ended".to_owned())
}

#[cfg(test)]
mod tests;
