//! The driver for PostgreSQL: a pool of connections, and their timeouts.

use std::path::Path;

use async_trait::async_trait;
use formalize_core::store::{Revocations, StoreResult};
use sqlx::AssertSqlSafe;

use super::pool::Pool;
use super::session::{Limits, Mode, PostgresSession, milliseconds};
use super::{fragment, listen, migration};
use crate::SqlOptions;
use crate::driver::migration::Step;
use crate::driver::{
    AROUND, BackupError, Dialect, Driver, Purpose, Session, StoreMetrics, UnfinishedBackup,
};
use crate::statistics::PoolStatistics;

/// Begins a transaction for whole tables, with a snapshot taken by its first query.
const SCAN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL jit = off; \
     SET LOCAL plan_cache_mode = auto";
/// Begins a transaction for lists, with a snapshot taken by its first query. Compiling a list query takes longer than
/// running it, so JIT is disabled; planning it for its arguments is worthwhile, and a plan that is kept may have been made when the
/// tables were empty.
///
/// A list reads the first rows of ordered sets from indexes. The other ways to read, which begin with all rows, are disabled:
/// PostgreSQL chooses them by its statistics, and these are missing or of another time after many rows were added.
const READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL jit = off; \
     SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; \
     SET LOCAL enable_sort = off; SET LOCAL enable_incremental_sort = off; SET LOCAL enable_hashjoin = off; \
     SET LOCAL enable_mergejoin = off";
/// Each statement sees all data committed before it. Rows that must not change during the transaction are locked.
const WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";

#[derive(Debug)]
pub(in crate::driver) struct PostgresDriver {
    pool: Pool,
    limits: Limits,
    metrics: StoreMetrics,
}

impl PostgresDriver {
    pub(super) fn new(pool: Pool, options: &SqlOptions, metrics: StoreMetrics) -> Self {
        Self {
            pool,
            limits: Limits::of(options),
            metrics,
        }
    }

    async fn begin_write(&self) -> StoreResult<PostgresSession> {
        if self.pool.is_own() {
            return PostgresSession::begin(&self.pool, self.limits, WRITE).await;
        }
        // The connections of a host application have not been set up for this store.
        let wait = milliseconds(self.limits.wait);
        let text = format!("{WRITE}; SET LOCAL lock_timeout = {wait}");
        PostgresSession::begin(&self.pool, self.limits, AssertSqlSafe(text)).await
    }
}

#[async_trait]
impl Driver for PostgresDriver {
    fn dialect(&self) -> Dialect {
        fragment::DIALECT
    }

    fn pools(&self) -> Vec<PoolStatistics> {
        vec![self.pool.statistics()]
    }

    async fn begin(&self, purpose: Purpose) -> StoreResult<Box<dyn Session>> {
        let (pool, limits) = (&self.pool, self.limits);
        let begun = match purpose {
            Purpose::Read | Purpose::ReadLong => {
                Ok(PostgresSession::begin(pool, limits, READ).await?)
            }
            Purpose::Scan => Ok(PostgresSession::begin(pool, limits, SCAN).await?),
            Purpose::ReadOnce => {
                let session = PostgresSession::new(pool, limits, Mode::Query).await?;
                return Ok(Box::new(session));
            }
            // Outside a transaction, PostgreSQL commits each statement. The connections of a host application need the
            // settings of a transaction.
            Purpose::WriteOnce if pool.is_own() => {
                let session = PostgresSession::new(pool, limits, Mode::Write).await?;
                return Ok(Box::new(session));
            }
            // Its statements are counted even if it cannot begin.
            Purpose::Write | Purpose::WriteOnce => self.begin_write().await,
        };
        self.metrics.sent(AROUND);
        Ok(Box::new(begun?))
    }

    fn shares_commits(&self) -> bool {
        false
    }

    fn is_standby(&self) -> Option<bool> {
        self.pool.is_standby()
    }

    async fn listen(&self, channel: &str) -> StoreResult<Option<Box<dyn Revocations>>> {
        listen::listen(&self.pool, self.limits, channel)
            .await
            .map(Some)
    }

    async fn copy(&self, _: &Path) -> Result<Box<dyn UnfinishedBackup>, BackupError> {
        Err(BackupError::NoFile)
    }

    async fn migrate(&self, steps: &'static [Step]) -> StoreResult<Vec<&'static Step>> {
        migration::migrate(&self.pool, steps).await
    }

    async fn close(&self) {
        self.pool.close().await;
    }
}
