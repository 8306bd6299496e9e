//! The writer of a SQLite database. Transactions that wait for it share a COMMIT, which takes longer than all that they
//! write, and each is told that it is kept when that COMMIT is done.
//!
//! The first transaction of a *batch* begins it. Whoever commits while others wait hands the connection on without a
//! COMMIT; those others run inside savepoints, so that each can be undone alone. A batch ends when nobody waits any
//! more, or when it has grown to its limits. There is no waiting for company: a transaction that is alone is begun and
//! committed like any other.
//!
//! What SQLite does for one connection is done in the order in which it was asked for, also where nobody waited for the
//! answer. So a task that is cancelled leaves at most one statement behind, which may or may not be done; every step
//! between two transactions is one that is right in both cases. Steps that must be taken whatever becomes of the task
//! that made them necessary are taken by tasks of their own.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteConnection, SqlitePool};
use tokio::runtime::Handle;
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};

use super::{Sent, SqlOptions, fault};
use crate::store::{StoreError, StoreResult};

/// A transaction that took the write lock only when it first writes would fail at once if another had written since.
pub(super) const BEGIN: &str = "BEGIN IMMEDIATE";
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
pub(super) struct Limits {
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
pub(super) struct Writer(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    pool: SqlitePool,
    limits: Limits,
    sent: Sent,
    /// The batch that is open. Whose turn it is has the lock, which is fair.
    batch: Arc<Mutex<Option<Batch>>>,
    waiting: AtomicUsize,
}

/// Transactions that share a COMMIT.
#[derive(Debug)]
struct Batch {
    connection: PoolConnection<sqlx::Sqlite>,
    begun: Instant,
    /// Those that wait to be told about it; they are kept if the COMMIT is done.
    kept: Vec<oneshot::Sender<StoreResult<()>>>,
    /// Whether the savepoint is known to be there. Where that is not known another one does no harm.
    has_savepoint: bool,
    /// Sees to it that the batch ends, also if everybody who waits goes away.
    closer: Option<Arc<()>>,
}

impl Batch {
    fn new(connection: PoolConnection<sqlx::Sqlite>) -> Self {
        Self {
            connection,
            begun: Instant::now(),
            kept: Vec::new(),
            has_savepoint: false,
            closer: None,
        }
    }

    async fn run(&mut self, sent: &Sent, statement: &'static str) -> StoreResult<()> {
        sent.count(1);
        let done = sqlx::query(statement).execute(&mut *self.connection).await;
        done.map(drop).map_err(fault)
    }

    /// What lets the next transaction begin where it can be undone alone. Until it is known to be done, the savepoint may
    /// or may not be there, and nothing has been written since the last one.
    fn next_savepoint(&mut self) -> &'static str {
        if mem::take(&mut self.has_savepoint) {
            SAVE_NEXT
        } else {
            SAVE
        }
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
    pub(super) fn new(pool: SqlitePool, options: &SqlOptions, sent: Sent) -> Self {
        Self(Arc::new(Shared {
            pool,
            limits: Limits::from(options),
            sent,
            batch: Arc::default(),
            waiting: AtomicUsize::new(0),
        }))
    }

    /// The connections, for what is no transaction of the store.
    pub(super) fn pool(&self) -> &SqlitePool {
        &self.0.pool
    }

    /// Begins a transaction when it is its turn.
    pub(super) async fn begin(&self) -> StoreResult<Turn> {
        let runtime = Handle::try_current().map_err(|_| unavailable("there is no runtime"))?;
        let place = Place::take(&self.0)?;
        let seat = Arc::clone(&self.0.batch).lock_owned();
        let seat = tokio::time::timeout(self.0.limits.wait, seat)
            .await
            .map_err(|_| unavailable("other transactions were writing for too long"))?;
        drop(place);
        let mut turn = Turn {
            writer: self.clone(),
            runtime,
            seat: Some(seat),
            savepoint: Savepoint::NotNeeded,
        };
        turn.begin().await?;
        Ok(turn)
    }

    /// Waits for what is under way, and closes the connection.
    pub(super) async fn close(&self) {
        self.0.pool.close().await;
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
        if batch.closer.is_none() {
            let mark = Arc::new(());
            batch.closer = Some(Arc::clone(&mark));
            runtime.spawn(self.clone().commit_later(mark));
        }
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
        if let Some(batch) = seat.as_mut() {
            let committed = batch.run(&self.0.sent, COMMIT).await;
            end(seat, &committed);
        }
    }

    /// Undoes the transaction whose turn it was. Without a savepoint of its own it has written nothing, and the savepoint
    /// that is there is that of a transaction to be kept.
    async fn undo(self, mut seat: Seat, savepoint: Savepoint) {
        let Some(batch) = seat.as_mut() else {
            return;
        };
        if batch.kept.is_empty() {
            let undone = batch.run(&self.0.sent, ROLLBACK).await;
            return end(seat, &undone);
        }
        if savepoint == Savepoint::NotNeeded
            && batch.has_savepoint
            && let Err(error) = batch.run(&self.0.sent, UNDO).await
        {
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
pub(super) struct Turn {
    writer: Writer,
    runtime: Handle,
    /// There until the transaction ends.
    seat: Option<Seat>,
    savepoint: Savepoint,
}

/// What has become of the savepoint that a transaction begins at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Savepoint {
    /// The transaction is the first of its batch, or its savepoint is there.
    NotNeeded,
    /// It is to be made before the first statement.
    Due,
    /// It is made along with the first statement.
    Asked,
}

impl Turn {
    async fn begin(&mut self) -> StoreResult<()> {
        let shared = Arc::clone(&self.writer.0);
        let Some(seat) = self.seat.as_mut() else {
            return Err(ended());
        };
        if seat.is_some() {
            self.savepoint = Savepoint::Due;
            return Ok(());
        }
        let connection = shared.pool.acquire().await.map_err(fault)?;
        let begun = seat.insert(Batch::new(connection)).run(&shared.sent, BEGIN);
        let begun = begun.await;
        if begun.is_err() {
            // There is nothing to undo, and the connection is as it was.
            **seat = None;
        }
        begun
    }

    fn give_up(&mut self, why: &StoreResult<()>) {
        if let Some(seat) = self.seat.take() {
            end(seat, why);
        }
    }

    /// What must come before the next statement. Where that only reads, both are sent together, to save a way to the
    /// database and back: then [`Turn::answered`] must hear of its success.
    pub(super) async fn before(&mut self, only_reads: bool) -> StoreResult<Option<&'static str>> {
        if self.savepoint != Savepoint::Due {
            return Ok(None);
        }
        self.savepoint = Savepoint::Asked;
        let save = self.batch()?.next_savepoint();
        if only_reads {
            return Ok(Some(save));
        }
        let sent = self.writer.0.sent.clone();
        let saved = self.batch()?.run(&sent, save).await;
        if saved.is_err() {
            self.give_up(&saved);
            return saved.map(|()| None);
        }
        self.answered();
        Ok(None)
    }

    /// A statement was done, and what was sent along with it.
    pub(super) fn answered(&mut self) {
        if self.savepoint == Savepoint::Asked {
            self.savepoint = Savepoint::NotNeeded;
            if let Ok(batch) = self.batch() {
                batch.has_savepoint = true;
            }
        }
    }

    fn batch(&mut self) -> StoreResult<&mut Batch> {
        let batch = self.seat.as_mut().and_then(|seat| seat.as_mut());
        batch.ok_or_else(ended)
    }

    pub(super) fn connection(&mut self) -> StoreResult<&mut SqliteConnection> {
        Ok(&mut self.batch()?.connection)
    }

    /// Waits until the transaction is durable. It will be, or not, also if nobody waits.
    pub(super) async fn commit(mut self) -> StoreResult<()> {
        let (told, outcome) = oneshot::channel();
        let mut seat = self.seat.take().ok_or_else(ended)?;
        seat.as_mut().ok_or_else(ended)?.kept.push(told);
        if let Some(seat) = self.writer.hand_on(seat, &self.runtime) {
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
                .spawn(self.writer.clone().undo(seat, self.savepoint));
        }
    }
}

fn ended() -> StoreError {
    StoreError::Failed("the transaction has ended".to_owned())
}

#[cfg(test)]
mod tests;
