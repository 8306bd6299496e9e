//! A connection to PostgreSQL while it is in use: whatever becomes of the server, nothing waits for it without end.
//!
//! The server ends statements and idle transactions by itself, see [`set_up`]. What follows here is for a server that is
//! silent: one that was lost without a word, for which the system would wait a quarter of an hour or more.
//!
//! A transaction of sqlx is not used, because it keeps the connection to itself and gives it back with a question that
//! nothing bounds: a connection that hangs would never be replaced, and in the end the pool would have no other. Nor does
//! it notice that its BEGIN was abandoned, after which the connection would be given to others within a transaction.

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

/// How much longer than the server the client waits for the end of a statement, so that it is the server that ends it
/// if it can, and the connection stays usable.
const GRACE: Duration = Duration::from_secs(2);

/// How long everything may take.
#[derive(Debug, Clone, Copy)]
pub(in crate::store::sql::driver) struct Limits {
    /// To get a connection or a lock, and to give a connection back.
    pub(in crate::store::sql::driver) wait: Duration,
    /// To answer one statement.
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

/// Tells the server of a new connection how long it may wait for a lock, take for a statement, and wait for the next one
/// of a transaction: whoever was lost in the middle of one holds its locks no longer.
///
/// And that it plans a statement once: what looks a few rows up is over sooner than another plan of it is made. For
/// lists, whose best plan depends on what is asked for, the transaction says otherwise.
pub(in crate::store::sql::driver) async fn set_up(
    connection: &mut PgConnection,
    wait: Duration,
    statement: Duration,
) -> sqlx::Result<()> {
    // Zero would mean no limit.
    let [wait, statement] = [wait, statement].map(|limit| limit.as_millis().max(1));
    let text = format!(
        "SET lock_timeout = {wait}; SET statement_timeout = {statement}; \
         SET idle_in_transaction_session_timeout = {statement}; \
         SET plan_cache_mode = force_generic_plan"
    );
    connection.execute(sqlx::AssertSqlSafe(text)).await?;
    Ok(())
}

/// Takes the limits back, for a statement that takes as long as it takes. The server sends no notices: sqlx would log that
/// a table exists already.
pub(in crate::store::sql::driver) async fn lift_limits(
    connection: &mut PgConnection,
) -> sqlx::Result<()> {
    let text = "SET lock_timeout = 0; SET statement_timeout = 0; SET client_min_messages = warning";
    connection.execute(text).await?;
    Ok(())
}

/// Whether a connection that has been idle still answers; one that does not is replaced. That takes a part of the time
/// for which a transaction waits for a connection, so that it need not fail with the connection. What answered a moment
/// ago is believed to: a busy server would ask for every transaction.
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

/// What the server answers, or an error if it is silent for too long.
pub(in crate::store::sql::driver) async fn within<T>(
    limit: Duration,
    answer: impl Future<Output = sqlx::Result<T>>,
) -> sqlx::Result<T> {
    timeout(limit, answer).await.unwrap_or_else(|_| {
        let silence = "PostgreSQL has not answered in time";
        Err(io::Error::new(io::ErrorKind::TimedOut, silence).into())
    })
}

/// A connection while it is in use.
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

    /// A connection with a transaction that this text begins.
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

    /// The connection, and how long it may take to answer a statement.
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

    /// Ends the use of a connection that has answered, and on which no transaction is open.
    pub(in crate::store::sql::driver) fn rest(self) {
        self.lease.rest();
    }
}
