//! A connection to PostgreSQL in use. Every wait for the server has a timeout.
//!
//! The server limits the duration of statements and of idle transactions, see [`set_up`]. The timeouts here are for a
//! server that does not respond, for example after a network failure. The operating system would wait for a quarter of
//! an hour or longer.
//!
//! This does not use sqlx's transactions. They own the connection, and test it without a timeout when they return it: a
//! hanging connection would never be replaced, and such connections would eventually exhaust the pool. They also do not
//! notice an abandoned BEGIN, so the connection would be used again with a transaction open.

use std::io;
use std::time::Duration;

use async_trait::async_trait;
use formalize_core::StoreError;
use formalize_core::store::StoreResult;
use sqlx::postgres::{PgArguments, PgConnection, PgRow, PgTransactionManager};
use sqlx::query::Query;
use sqlx::{
    Arguments as _, AssertSqlSafe, Connection as _, Executor as _, Postgres, Row as _, SqlSafeStr,
};
use sqlx_core::transaction::TransactionManager as _;
use uuid::Uuid;

use super::fault::{begin_fault, commit_fault, fault};
use super::pool::{ASSUMED_ALIVE, Lease, Pool, Wait, within};
use crate::SqlOptions;
use crate::driver::fault::ended;
use crate::driver::row::{Column, Columns, InvalidColumn};
use crate::driver::{Argument, Row, Session, Statement};

/// How much longer than the server the client waits for the end of a statement. Normally the server ends it first, and
/// the connection stays usable.
const GRACE: Duration = Duration::from_secs(2);

/// Timeouts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// For getting a connection or a lock, and for returning a connection.
    pub(super) wait: Duration,
    /// For the response to one statement.
    statement: Duration,
}

impl Limits {
    pub(super) fn of(options: &SqlOptions) -> Self {
        Self {
            wait: options.wait,
            statement: options.statement.saturating_add(GRACE),
        }
    }
}

/// A timeout for the server, which takes zero for none.
pub(super) fn milliseconds(timeout: Duration) -> u128 {
    timeout.as_millis().max(1)
}

/// Sets the server's timeouts on a new connection: for a lock, for a statement, and for a transaction that is idle
/// between statements. The locks of a client that disappeared in a transaction are thus released.
///
/// Statements are planned only once, because looking up a few rows takes less time than planning again. Transactions
/// for lists override this, as their best plan depends on the arguments.
pub(super) async fn set_up(
    connection: &mut PgConnection,
    wait: Duration,
    statement: Duration,
) -> sqlx::Result<()> {
    let [wait, statement] = [wait, statement].map(milliseconds);
    let text = format!(
        "SET lock_timeout = {wait}; SET statement_timeout = {statement}; \
         SET idle_in_transaction_session_timeout = {statement}; \
         SET plan_cache_mode = force_generic_plan"
    );
    connection.execute(AssertSqlSafe(text)).await?;
    Ok(())
}

/// The error for a connection to a standby. The pool closes it, and connects again.
pub(super) fn refuse_standby() -> sqlx::Error {
    let standby = "the database server is a standby and takes no writes";
    io::Error::new(io::ErrorKind::ReadOnlyFilesystem, standby).into()
}

/// Removes the timeouts, for statements of any duration. Also suppresses notices of the server: sqlx would log that a
/// table already exists.
pub(super) async fn lift_limits(connection: &mut PgConnection) -> sqlx::Result<()> {
    let text = "SET lock_timeout = 0; SET statement_timeout = 0; SET client_min_messages = warning";
    connection.execute(text).await?;
    Ok(())
}

/// Whether an idle connection still responds; if not, it is replaced. The test may use only part of the time that a
/// transaction waits for a connection, so that a dead connection does not make the transaction fail. Connections that
/// were just used are not tested, because on a busy server that would be one test per transaction.
pub(super) async fn test(
    connection: &mut PgConnection,
    idle_for: Duration,
    wait: Duration,
) -> sqlx::Result<bool> {
    if idle_for > ASSUMED_ALIVE {
        within(wait / 4, connection.ping()).await?;
    }
    Ok(true)
}

/// A connection in use.
pub(super) struct PostgresSession {
    /// `None` after a single statement succeeded.
    lease: Option<Lease>,
    pool: Pool,
    limits: Limits,
    mode: Mode,
}

/// How statements are sent on a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Transaction,
    /// A single query, without a transaction.
    Query,
    /// A single statement that writes, which PostgreSQL commits without a transaction.
    Write,
}

impl PostgresSession {
    pub(super) async fn new(pool: &Pool, limits: Limits, mode: Mode) -> StoreResult<Self> {
        Ok(Self {
            lease: Some(pool.lease().await?),
            pool: pool.clone(),
            limits,
            mode,
        })
    }

    /// A connection with a transaction, which is begun with this statement.
    pub(super) async fn begin(
        pool: &Pool,
        limits: Limits,
        text: impl SqlSafeStr,
    ) -> StoreResult<Self> {
        let mut session = Self::new(pool, limits, Mode::Transaction).await?;
        if let Some(lease) = &mut session.lease {
            lease.settled(false);
        }
        let (connection, wait) = session.parts()?;
        let begun = PgTransactionManager::begin(connection, Some(text.into_sql_str()));
        let begun = wait.answer(begun).await.map_err(begin_fault);
        begun.inspect_err(|error| session.failed(error))?;
        if let Some(lease) = &mut session.lease {
            lease.settled(true);
        }
        Ok(session)
    }

    /// Notes that the connection was lost, if it was.
    fn failed(&mut self, error: &StoreError) {
        if let (StoreError::Disconnected(_) | StoreError::Uncertain(_), Some(lease)) =
            (error, &mut self.lease)
        {
            lease.settled(false);
            self.pool.lost(lease);
        }
    }

    /// The error of a statement.
    fn statement_fault(&mut self, error: sqlx::Error) -> StoreError {
        let error = match self.mode {
            Mode::Write => commit_fault(error),
            Mode::Transaction | Mode::Query => fault(error),
        };
        self.failed(&error);
        error
    }

    /// The connection, and the wait for its answers.
    fn parts(&mut self) -> StoreResult<(&mut PgConnection, Wait<'_>)> {
        let lease = self.lease.as_mut().ok_or_else(ended)?;
        let wait = Wait {
            pool: &self.pool,
            since: lease.since(),
            limit: self.limits.statement,
        };
        Ok((lease.connection(), wait))
    }
}

#[async_trait]
impl Session for PostgresSession {
    async fn all(&mut self, statement: Statement<'_>) -> StoreResult<Vec<Row>> {
        let (connection, wait) = self.parts()?;
        let answer = query(statement)?.fetch_all(connection);
        let answer = wait.answer(answer).await;
        let rows = answer.map_err(|error| self.statement_fault(error))?;
        Ok(rows.into_iter().map(Row::new).collect())
    }

    async fn run(&mut self, statement: Statement<'_>) -> StoreResult<u64> {
        let (connection, wait) = self.parts()?;
        let answer = query(statement)?.execute(connection);
        let answer = wait.answer(answer).await;
        let done = answer.map_err(|error| self.statement_fault(error))?;
        Ok(done.rows_affected())
    }

    fn continues(&mut self) -> bool {
        if self.mode == Mode::Transaction {
            return true;
        }
        if let Some(lease) = self.lease.take() {
            lease.release();
        }
        false
    }

    async fn commit(mut self: Box<Self>) -> StoreResult<()> {
        if self.mode != Mode::Transaction {
            return Ok(());
        }
        let (connection, wait) = self.parts()?;
        let done = wait.answer(PgTransactionManager::commit(connection)).await;
        let done = done.map_err(commit_fault);
        done.inspect_err(|error| self.failed(error))?;
        if let Some(lease) = self.lease.take() {
            lease.release();
        }
        Ok(())
    }
}

fn query(statement: Statement<'_>) -> StoreResult<Query<'static, Postgres, PgArguments>> {
    let mut encoded = PgArguments::default();
    for argument in statement.arguments {
        match argument {
            Argument::Uuid(value) => encoded.add(value),
            Argument::Text(value) => encoded.add(value),
            Argument::Int(value) => encoded.add(value),
            Argument::Bool(value) => encoded.add(value),
            Argument::Texts(values) => encoded.add(values),
            Argument::Uuids(values) => encoded.add(values),
            Argument::IntColumn(values) => encoded.add(values),
            Argument::TextColumn(values) => encoded.add(values),
        }
        .map_err(|error| fault(sqlx::Error::Encode(error)))?;
    }
    Ok(sqlx::query_with(AssertSqlSafe(statement.text), encoded))
}

impl Columns for PgRow {
    fn uuid(&self, column: &str) -> Column<Option<Uuid>> {
        self.try_get(column).map_err(|_| InvalidColumn)
    }

    fn text(&self, column: &str) -> Column<Option<String>> {
        self.try_get(column).map_err(|_| InvalidColumn)
    }

    fn int(&self, column: &str) -> Column<Option<i64>> {
        self.try_get(column).map_err(|_| InvalidColumn)
    }

    fn bool(&self, column: &str) -> Column<Option<bool>> {
        self.try_get(column).map_err(|_| InvalidColumn)
    }
}
