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
pub(super) use fault::unavailable;
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

    async fn begin(&self, purpose: Purpose) -> StoreResult<Box<dyn Session>>;

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

/// The purpose of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Queries that see the same state.
    Read,
    /// The same for queries that read whole tables.
    Scan,
    /// The same for minutes.
    ReadLong,
    /// A single query, which needs no transaction: every statement sees a consistent state.
    ReadOnce,
    Write,
    /// A single statement that writes and is then committed.
    WriteOnce,
}

impl Purpose {
    fn kind(self) -> TransactionKind {
        match self {
            Self::Read | Self::Scan | Self::ReadLong | Self::ReadOnce => TransactionKind::Read,
            Self::Write | Self::WriteOnce => TransactionKind::Write,
        }
    }
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

    pub(super) async fn begin(&self, purpose: Purpose) -> StoreResult<Transaction> {
        let kind = purpose.kind();
        if kind == TransactionKind::Write {
            self.check_writable()?;
        }
        let timer = self.timer(kind);
        let session = self.driver.begin(purpose).await?;
        Ok(Transaction::new(session, self, timer))
    }

    /// Runs one statement, commits it, and returns the number of rows it wrote.
    pub(super) async fn write_once(&self, statement: Statement<'_>) -> StoreResult<u64> {
        let mut tx = self.begin(Purpose::WriteOnce).await?;
        let written = tx.run(statement).await?;
        tx.commit().await?;
        Ok(written)
    }

    /// Runs one statement, commits it, and returns its rows.
    pub(super) async fn write_rows(&self, statement: Statement<'_>) -> StoreResult<Vec<Row>> {
        let mut tx = self.begin(Purpose::WriteOnce).await?;
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
