//! The only module that distinguishes the two databases: connections, statements, rows, and the SQL fragments that
//! differ. All other modules write one text for both databases, with `$1..$n` for arguments.
//!
//! A [`Driver`] opens a [`Session`] for each transaction. `sqlite` and `postgres` implement both.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use formalize_core::StoreError;
use formalize_core::store::{Revocations, StoreResult};

use super::statistics::{PoolStatistics, SqlStatistics, TransactionKind};

mod backup;
mod damage;
#[cfg(feature = "plans")]
mod explain;
mod fault;
mod fragment;
mod kind;
mod metrics;
mod migration;
mod open;
#[cfg(feature = "postgres")]
mod postgres;
mod row;
#[cfg(feature = "sqlite")]
mod sqlite;
mod statement;
mod transaction;

pub use backup::BackupError;
pub(crate) use backup::UnfinishedBackup;
#[cfg(feature = "plans")]
pub use explain::{Plan, Plans, Run};
pub(super) use fragment::{Dialect, FixedText, Lock, Range};
pub use kind::DatabaseKind;
use metrics::{StoreMetrics, TransactionTimer};
pub use migration::{MigrationStatus, MigrationStep};
use migration::{STEPS, Step};
pub use open::SqlOptions;
pub(super) use row::Row;
pub(super) use statement::{Argument, Statement, saturated, sql};
pub(super) use transaction::{Evidence, Transaction};

/// The number of statements that begin and end a transaction.
const AROUND: u64 = 2;

/// A kind of database: connections to it, and what they can do.
#[async_trait]
trait Driver: fmt::Debug + Send + Sync {
    fn dialect(&self) -> Dialect;

    fn pools(&self) -> Vec<PoolStatistics>;

    /// Begins a transaction whose queries see the same state.
    async fn read(&self) -> StoreResult<Box<dyn Session>>;

    /// A session for a single query, which needs no transaction: every statement sees a consistent state.
    async fn read_once(&self) -> StoreResult<Box<dyn Session>>;

    /// Like `read`, for queries that read whole tables.
    async fn scan(&self) -> StoreResult<Box<dyn Session>> {
        self.read().await
    }

    /// Like `read`, for a transaction that may take minutes.
    async fn read_long(&self) -> StoreResult<Box<dyn Session>>;

    async fn write(&self) -> StoreResult<Box<dyn Session>>;

    /// A session for a single statement that writes and is then committed.
    async fn write_once(&self) -> StoreResult<Box<dyn Session>>;

    /// Whether write transactions that wait for each other share a COMMIT.
    fn shares_commits(&self) -> bool;

    /// Whether the server was a standby when it was last connected to. `None` if the database has no servers.
    fn is_standby(&self) -> Option<bool>;

    /// Listens to a channel. `None` if the database has no notifications.
    async fn listen(&self, channel: &str) -> StoreResult<Option<Box<dyn Revocations>>>;

    /// Copies a snapshot of the database.
    async fn copy(&self, to: &Path) -> Result<Box<dyn UnfinishedBackup>, BackupError>;

    /// Applies those of the steps that are missing, and returns them.
    async fn migrate(&self, steps: &'static [Step]) -> StoreResult<Vec<&'static Step>>;

    /// Fails if another program has changed a file that was opened on the assumption that it is never changed.
    fn check_unchanged(&self) -> StoreResult<()> {
        Ok(())
    }

    /// Waits for current transactions, and closes the connections.
    async fn close(&self);
}

/// A connection in use by one transaction. Dropping it rolls back what was not committed.
#[async_trait]
trait Session: Send {
    /// All rows that a statement returns.
    async fn all(&mut self, statement: Statement<'_>) -> StoreResult<Vec<Row>>;

    /// The number of rows that a statement wrote.
    async fn run(&mut self, statement: Statement<'_>) -> StoreResult<u64>;

    /// What the last statement took, where the database says so.
    #[cfg(feature = "plans")]
    fn last_run(&self) -> Option<Run> {
        None
    }

    /// Whether another statement can follow the one that has just succeeded. If not, it was the single statement of the
    /// session and is committed, and the session may release its connection now.
    fn continues(&mut self) -> bool;

    async fn commit(self: Box<Self>) -> StoreResult<()>;
}

/// A database and its metrics. Clones share both.
#[derive(Debug, Clone)]
pub(super) struct Database {
    driver: Arc<dyn Driver>,
    metrics: StoreMetrics,
    read_only: bool,
    /// The migrations that this program knows.
    steps: &'static [Step],
    /// Called with each statement of a transaction before it is sent.
    #[cfg(feature = "plans")]
    told: Option<fn(DatabaseKind, &str)>,
    /// How long to look for the outcome of a transaction whose connection was lost.
    wait: Duration,
}

impl Database {
    #[cfg(feature = "plans")]
    pub(super) fn explain_into(&mut self, plans: Plans, executed: bool) {
        self.driver = Arc::new(explain::ExplainingDriver::new(
            Arc::clone(&self.driver),
            plans,
            executed,
        ));
    }

    #[cfg(feature = "plans")]
    pub(super) fn tell(&mut self, told: fn(DatabaseKind, &str)) {
        self.told = Some(told);
    }

    pub(super) fn statistics(&self) -> SqlStatistics {
        SqlStatistics {
            statements: self.metrics.statements(),
            transactions: self.metrics.transactions(),
            pools: self.driver.pools(),
            is_standby: self.is_standby(),
            commit_batches: self.metrics.commits(),
        }
    }

    /// Starts to measure a transaction.
    fn timer(&self, kind: TransactionKind) -> TransactionTimer {
        let system = match self.kind() {
            DatabaseKind::Sqlite => "sqlite",
            DatabaseKind::Postgres => "postgresql",
        };
        self.metrics.timer(kind, system)
    }

    pub(super) async fn read(&self) -> StoreResult<Transaction> {
        let timer = self.timer(TransactionKind::Read);
        let session = self.driver.read().await?;
        Ok(Transaction::new(session, self, timer))
    }

    /// For queries that read whole tables.
    pub(super) async fn scan(&self) -> StoreResult<Transaction> {
        let timer = self.timer(TransactionKind::Read);
        let session = self.driver.scan().await?;
        Ok(Transaction::new(session, self, timer))
    }

    /// For a single query.
    pub(super) async fn read_once(&self) -> StoreResult<Transaction> {
        let timer = self.timer(TransactionKind::Read);
        let session = self.driver.read_once().await?;
        Ok(Transaction::new(session, self, timer))
    }

    /// For minutes.
    pub(super) async fn read_long(&self) -> StoreResult<Transaction> {
        let timer = self.timer(TransactionKind::Read);
        let session = self.driver.read_long().await?;
        Ok(Transaction::new(session, self, timer))
    }

    pub(super) async fn write(&self) -> StoreResult<Transaction> {
        self.check_writable()?;
        let timer = self.timer(TransactionKind::Write);
        let session = self.driver.write().await?;
        Ok(Transaction::new(session, self, timer))
    }

    /// For a single statement.
    async fn write_single(&self) -> StoreResult<Transaction> {
        self.check_writable()?;
        let timer = self.timer(TransactionKind::Write);
        let session = self.driver.write_once().await?;
        Ok(Transaction::new(session, self, timer))
    }

    /// Runs one statement, commits it, and returns the number of rows it wrote.
    pub(super) async fn write_once(&self, statement: Statement<'_>) -> StoreResult<u64> {
        let mut tx = self.write_single().await?;
        let written = tx.run(statement).await?;
        tx.commit().await?;
        Ok(written)
    }

    /// Runs one statement, commits it, and returns its rows.
    pub(super) async fn write_rows(&self, statement: Statement<'_>) -> StoreResult<Vec<Row>> {
        let mut tx = self.write_single().await?;
        let rows = tx.all(statement).await?;
        tx.commit().await?;
        Ok(rows)
    }

    fn check_writable(&self) -> StoreResult<()> {
        if self.read_only {
            return Err(StoreError::Failed(
                "the store was opened read-only".to_owned(),
            ));
        }
        Ok(())
    }

    /// See [`Driver::check_unchanged`].
    pub(super) fn check_unchanged(&self) -> StoreResult<()> {
        self.driver.check_unchanged()
    }

    pub(super) fn shares_commits(&self) -> bool {
        self.driver.shares_commits()
    }

    pub(super) fn is_standby(&self) -> Option<bool> {
        self.driver.is_standby()
    }

    /// How long to look for the outcome of a transaction whose connection was lost.
    pub(super) fn wait(&self) -> Duration {
        self.wait
    }

    /// Records the number of submissions that shared a COMMIT.
    pub(super) fn committed(&self, submissions: usize) {
        self.metrics.committed(submissions);
    }

    pub(super) fn kind(&self) -> DatabaseKind {
        self.dialect().kind()
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.driver.dialect()
    }

    pub(super) async fn listen(&self, channel: &str) -> StoreResult<Option<Box<dyn Revocations>>> {
        self.driver.listen(channel).await
    }

    pub(super) async fn copy(&self, to: &Path) -> Result<Box<dyn UnfinishedBackup>, BackupError> {
        self.driver.copy(to).await
    }

    pub(super) async fn close(&self) {
        self.driver.close().await;
    }
}
