//! The only module that distinguishes the two databases: connections, statements, rows, and the SQL fragments that
//! differ. All other modules write one text for both databases, with `$1..$n` for arguments.

#[cfg(feature = "postgres")]
use sqlx::AssertSqlSafe;

use super::statistics::{PoolStatistics, SqlStatistics, TransactionKind};
use crate::store::{Revocations, StoreResult};

mod backup;
mod damage;
mod fault;
mod fragment;
mod metrics;
mod migration;
mod open;
mod plan;
#[cfg(feature = "postgres")]
mod postgres;
mod row;
#[cfg(feature = "sqlite")]
mod sqlite;
mod statement;
mod transaction;

pub use backup::BackupError;
#[cfg(feature = "postgres")]
use fault::fault;
pub(super) use fragment::{Dialect, FixedText, Lock};
use metrics::{StoreMetrics, Watch};
pub use migration::{MigrationStatus, MigrationStep};
pub use open::{DatabaseKind, SqlOptions};
pub(super) use plan::Places;
#[cfg(feature = "plans")]
pub use plan::{Plan, Plans};
#[cfg(feature = "postgres")]
use postgres::{
    pool,
    session::{self, Session},
};
pub(super) use row::Row;
pub(super) use statement::{Argument, Statement, sql};
use transaction::Open;
pub(super) use transaction::Transaction;

/// Begins a transaction for lists, with a snapshot taken by its first query. Compiling a list query takes longer than
/// running it, so JIT is disabled; planning it for its arguments is worthwhile.
#[cfg(feature = "postgres")]
const POSTGRES_READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL jit = off; \
     SET LOCAL plan_cache_mode = auto";
/// Each statement sees all data committed before it. Rows that must not change during the transaction are locked.
#[cfg(feature = "postgres")]
const POSTGRES_WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";
/// The number of statements that begin and end a transaction.
const AROUND: u64 = 2;

/// A database and its metrics.
#[derive(Debug, Clone)]
pub(super) struct Database {
    connections: Connections,
    metrics: StoreMetrics,
    #[cfg(feature = "plans")]
    plans: Option<Plans>,
}

/// The connections to a database.
#[derive(Debug, Clone)]
enum Connections {
    /// One connection that writes, and several that read.
    #[cfg(feature = "sqlite")]
    Sqlite {
        writer: sqlite::Writer,
        readers: sqlite::Leases,
    },
    /// Connections, and their timeouts.
    #[cfg(feature = "postgres")]
    Postgres {
        pool: pool::Pool,
        limits: session::Limits,
    },
}

impl Database {
    #[cfg(feature = "sqlite")]
    fn sqlite(first: sqlite::Connection, file: sqlite::File, options: &SqlOptions) -> Self {
        let metrics = StoreMetrics::default();
        let readers = sqlite::Leases::new(file.to_read(), options.readers.max(1), None);
        let writer = sqlite::Leases::new(file, 1, Some(first));
        let writer = sqlite::Writer::new(writer, options, metrics.clone());
        Self::new(Connections::Sqlite { writer, readers }, metrics)
    }

    #[cfg(feature = "postgres")]
    fn postgres(pool: pool::Pool, options: &SqlOptions) -> Self {
        let limits = session::Limits::of(options);
        Self::new(
            Connections::Postgres { pool, limits },
            StoreMetrics::default(),
        )
    }

    fn new(connections: Connections, metrics: StoreMetrics) -> Self {
        Self {
            connections,
            metrics,
            #[cfg(feature = "plans")]
            plans: None,
        }
    }

    #[cfg(feature = "plans")]
    pub(super) fn explain_into(&mut self, plans: Plans) {
        self.plans = Some(plans);
    }

    pub(super) fn statistics(&self) -> SqlStatistics {
        SqlStatistics {
            statements: self.metrics.statements(),
            transactions: self.metrics.transactions(),
            pools: self.pools(),
            commit_batches: self.metrics.commits(),
        }
    }

    fn pools(&self) -> Vec<PoolStatistics> {
        match &self.connections {
            #[cfg(feature = "sqlite")]
            Connections::Sqlite { writer, readers } => {
                vec![readers.statistics("readers"), writer.statistics()]
            }
            #[cfg(feature = "postgres")]
            Connections::Postgres { pool, .. } => vec![pool.statistics()],
        }
    }

    /// Starts to measure a transaction.
    fn watch(&self, kind: TransactionKind) -> Watch {
        let system = match self.kind() {
            DatabaseKind::Sqlite => "sqlite",
            DatabaseKind::Postgres => "postgresql",
        };
        self.metrics.watch(kind, system)
    }

    pub(super) async fn read(&self) -> StoreResult<Transaction> {
        let watch = self.watch(TransactionKind::Read);
        let open = match &self.connections {
            #[cfg(feature = "sqlite")]
            Connections::Sqlite { readers, .. } => {
                Open::Sqlite(sqlite::Reading::begin(readers).await?)
            }
            #[cfg(feature = "postgres")]
            Connections::Postgres { pool, limits } => {
                Open::Postgres(Session::begin(pool, *limits, POSTGRES_READ).await?)
            }
        };
        watch.sent(AROUND);
        Ok(self.transaction(open, watch))
    }

    /// For a single query, which needs no transaction: every statement sees a consistent state.
    pub(super) async fn read_once(&self) -> StoreResult<Transaction> {
        let watch = self.watch(TransactionKind::Read);
        let open = match &self.connections {
            #[cfg(feature = "sqlite")]
            Connections::Sqlite { readers, .. } => {
                Open::Sqlite(sqlite::Reading::once(readers).await?)
            }
            #[cfg(feature = "postgres")]
            Connections::Postgres { pool, limits } => {
                Open::PostgresOnce(Some(Session::acquire(pool, *limits).await?))
            }
        };
        Ok(self.transaction(open, watch))
    }

    pub(super) async fn write(&self) -> StoreResult<Transaction> {
        let watch = self.watch(TransactionKind::Write);
        let open = match &self.connections {
            #[cfg(feature = "sqlite")]
            Connections::Sqlite { writer, .. } => Open::SqliteTurn(writer.begin().await?),
            #[cfg(feature = "postgres")]
            Connections::Postgres { pool, limits } => {
                let begun = if pool.is_own() {
                    Session::begin(pool, *limits, POSTGRES_WRITE).await
                } else {
                    // The connections of a host application have not been set up for this store.
                    let wait = session::milliseconds(limits.wait);
                    let text = format!("{POSTGRES_WRITE}; SET LOCAL lock_timeout = {wait}");
                    Session::begin(pool, *limits, AssertSqlSafe(text)).await
                };
                watch.sent(AROUND);
                Open::Postgres(begun?)
            }
        };
        Ok(self.transaction(open, watch))
    }

    /// Runs one statement, commits it, and returns the number of rows it wrote.
    pub(super) async fn write_once(&self, statement: Statement<'_>) -> StoreResult<u64> {
        let mut tx = self.write_one().await?;
        let written = tx.run(statement).await?;
        tx.commit().await?;
        Ok(written)
    }

    /// Runs one statement, commits it, and returns its rows.
    #[cfg(feature = "postgres")]
    pub(super) async fn write_rows(&self, statement: Statement<'_>) -> StoreResult<Vec<Row>> {
        let mut tx = self.write_one().await?;
        let rows = tx.all(statement).await?;
        tx.commit().await?;
        Ok(rows)
    }

    /// Begins a transaction of one statement.
    async fn write_one(&self) -> StoreResult<Transaction> {
        #[cfg(feature = "postgres")]
        if let Connections::Postgres { pool, limits } = &self.connections
            && pool.is_own()
        {
            // Outside a transaction, PostgreSQL commits each statement.
            let watch = self.watch(TransactionKind::Write);
            let session = Session::acquire(pool, *limits).await?;
            return Ok(self.transaction(Open::PostgresOnce(Some(session)), watch));
        }
        self.write().await
    }

    /// Whether any transactions that wait for each other share a COMMIT.
    #[cfg(feature = "postgres")]
    pub(super) fn shares_commits(&self) -> bool {
        self.kind() == DatabaseKind::Sqlite
    }

    /// Records the number of submissions that shared a COMMIT.
    #[cfg(feature = "postgres")]
    pub(super) fn committed(&self, together: usize) {
        self.metrics.committed(together);
    }

    pub(super) fn kind(&self) -> DatabaseKind {
        self.dialect().kind()
    }

    pub(super) fn dialect(&self) -> Dialect {
        match self.connections {
            #[cfg(feature = "sqlite")]
            Connections::Sqlite { .. } => sqlite::DIALECT,
            #[cfg(feature = "postgres")]
            Connections::Postgres { .. } => postgres::DIALECT,
        }
    }

    #[cfg_attr(
        not(feature = "plans"),
        expect(clippy::unused_self, reason = "with the feature it has the plans")
    )]
    fn transaction(&self, open: Open, watch: Watch) -> Transaction {
        Transaction::new(
            open,
            watch,
            #[cfg(feature = "plans")]
            self.plans.clone(),
        )
    }

    /// Listens to a channel. SQLite has no notifications.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(unused_variables, reason = "a file has no channels")
    )]
    pub(super) async fn listen(&self, channel: &str) -> StoreResult<Option<Box<dyn Revocations>>> {
        match &self.connections {
            #[cfg(feature = "sqlite")]
            Connections::Sqlite { .. } => Ok(None),
            #[cfg(feature = "postgres")]
            Connections::Postgres { pool, limits } => {
                postgres::listen(pool, *limits, channel).await.map(Some)
            }
        }
    }

    pub(super) async fn close(&self) {
        match &self.connections {
            #[cfg(feature = "sqlite")]
            Connections::Sqlite { writer, readers } => {
                // The last connection to close checkpoints the write-ahead log, which a read-only connection cannot do.
                readers.close().await;
                writer.close().await;
            }
            #[cfg(feature = "postgres")]
            Connections::Postgres { pool, .. } => pool.close().await,
        }
    }
}
