//! A connection to PostgreSQL in use. Every wait for the server has a timeout.
//!
//! The server limits the duration of statements and of idle transactions, see [`set_up`]. The timeouts here are for a
//! server that does not respond, for example after a network failure. The operating system would wait for a quarter of
//! an hour or longer.
//!
//! This does not use sqlx's transactions. They own the connection, and test it without a timeout when they return it: a
//! hanging connection would never be replaced, and such connections would eventually exhaust the pool. They also do not
//! notice an abandoned BEGIN, so the connection would be lent again with a transaction open.

use std::io;
use std::time::Duration;

use sqlx::postgres::{PgConnection, PgTransactionManager};
use sqlx::{Connection as _, Executor as _, SqlSafeStr};
use sqlx_core::transaction::TransactionManager as _;
use tokio::time::timeout;

use super::pool::{Lease, MOMENT, Pool};
use crate::store::StoreResult;
use crate::store::sql::SqlOptions;
use crate::store::sql::driver::fault;

/// How much longer than the server the client waits for the end of a statement. Normally the server ends it first, and
/// the connection stays usable.
const GRACE: Duration = Duration::from_secs(2);

/// Timeouts.
#[derive(Debug, Clone, Copy)]
pub(in crate::store::sql::driver) struct Limits {
    /// For getting a connection or a lock, and for returning a connection.
    pub(in crate::store::sql::driver) wait: Duration,
    /// For the response to one statement.
    statement: Duration,
}

impl Limits {
    pub(in crate::store::sql::driver) fn of(options: &SqlOptions) -> Self {
        Self {
            wait: options.wait,
            statement: options.statement.saturating_add(GRACE),
        }
    }
}

/// A timeout for the server, which takes zero for none.
pub(in crate::store::sql::driver) fn milliseconds(timeout: Duration) -> u128 {
    timeout.as_millis().max(1)
}

/// Sets the server's timeouts on a new connection: for a lock, for a statement, and for a transaction that is idle
/// between statements. The locks of a client that disappeared in a transaction are thus released.
///
/// Statements are planned only once, because looking up a few rows takes less time than planning again. Transactions
/// for lists override this, as their best plan depends on the arguments.
pub(in crate::store::sql::driver) async fn set_up(
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
    connection.execute(sqlx::AssertSqlSafe(text)).await?;
    Ok(())
}

/// Removes the timeouts, for statements of any duration. Also suppresses notices of the server: sqlx would log that a
/// table already exists.
pub(in crate::store::sql::driver) async fn lift_limits(
    connection: &mut PgConnection,
) -> sqlx::Result<()> {
    let text = "SET lock_timeout = 0; SET statement_timeout = 0; SET client_min_messages = warning";
    connection.execute(text).await?;
    Ok(())
}

/// Whether an idle connection still responds; if not, it is replaced. The test may use only part of the time that a
/// transaction waits for a connection, so that a dead connection does not make the transaction fail. Connections that
/// were just used are not tested, because on a busy server that would be one test per transaction.
pub(in crate::store::sql::driver) async fn test(
    connection: &mut PgConnection,
    idle_for: Duration,
    wait: Duration,
) -> sqlx::Result<bool> {
    if idle_for > MOMENT {
        within(wait / 4, connection.ping()).await?;
    }
    Ok(true)
}

/// The server's response, or an error if it takes too long.
pub(in crate::store::sql::driver) async fn within<T>(
    limit: Duration,
    answer: impl Future<Output = sqlx::Result<T>>,
) -> sqlx::Result<T> {
    timeout(limit, answer).await.unwrap_or_else(|_| {
        let silence = "PostgreSQL has not answered in time";
        Err(io::Error::new(io::ErrorKind::TimedOut, silence).into())
    })
}

/// A connection in use.
pub(in crate::store::sql::driver) struct Session {
    lease: Lease,
    limits: Limits,
}

impl Session {
    pub(in crate::store::sql::driver) async fn acquire(
        pool: &Pool,
        limits: Limits,
    ) -> StoreResult<Self> {
        Ok(Self {
            lease: pool.lease().await?,
            limits,
        })
    }

    /// A connection with a transaction, which is begun with this statement.
    pub(in crate::store::sql::driver) async fn begin(
        pool: &Pool,
        limits: Limits,
        text: impl SqlSafeStr,
    ) -> StoreResult<Self> {
        let mut session = Self::acquire(pool, limits).await?;
        session.lease.settled(false);
        let text = text.into_sql_str();
        let begun = PgTransactionManager::begin(session.lease.connection(), Some(text));
        within(limits.statement, begun).await.map_err(fault)?;
        session.lease.settled(true);
        Ok(session)
    }

    /// The connection, and the timeout of a statement.
    pub(in crate::store::sql::driver) fn parts(&mut self) -> (&mut PgConnection, Duration) {
        (self.lease.connection(), self.limits.statement)
    }

    pub(in crate::store::sql::driver) async fn commit(mut self) -> StoreResult<()> {
        let limit = self.limits.statement;
        let done = PgTransactionManager::commit(self.lease.connection());
        within(limit, done).await.map_err(fault)?;
        self.rest();
        Ok(())
    }

    /// Makes the connection available. All statements must have been answered, and no transaction may be open.
    pub(in crate::store::sql::driver) fn rest(self) {
        self.lease.rest();
    }
}
