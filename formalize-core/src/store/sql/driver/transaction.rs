//! A transaction of either database: statements sent to its connection, one after the other.

#[cfg(feature = "postgres")]
use sqlx::pool::PoolConnection;
#[cfg(feature = "postgres")]
use sqlx::postgres::PgConnection;

#[cfg(feature = "plans")]
use super::Plans;
#[cfg(feature = "postgres")]
use super::fault;
#[cfg(feature = "sqlite")]
use super::sqlite;
use super::{Dialect, Row, Sent, Statement};
use crate::store::{StoreError, StoreResult};

/// A transaction on one connection.
pub(in crate::store::sql) struct Transaction {
    open: Open,
    state: State,
    sent: Sent,
    #[cfg(feature = "plans")]
    plans: Option<Plans>,
}

/// What it is sent on, and what is to become of it.
pub(super) enum Open {
    #[cfg(feature = "sqlite")]
    Sqlite(sqlite::Reading),
    #[cfg(feature = "sqlite")]
    SqliteTurn(sqlite::Turn),
    #[cfg(feature = "postgres")]
    Postgres(sqlx::Transaction<'static, sqlx::Postgres>),
    #[cfg(feature = "postgres")]
    PostgresOnce(PoolConnection<sqlx::Postgres>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Usable,
    /// A statement failed, or was abandoned. PostgreSQL then answers a commit as if all were well, and SQLite, which may
    /// have undone everything, would write what follows outside of any transaction.
    Failed,
    /// What was for one question has answered it.
    Answered,
}

impl Open {
    fn is_once(&self) -> bool {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(reading) => reading.is_once(),
            #[cfg(feature = "postgres")]
            Self::PostgresOnce(_) => true,
            _ => false,
        }
    }

    /// What is asked of the kind of database that is behind it.
    fn connection(&mut self) -> Connection<'_> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(reading) => Connection::Reading(reading),
            #[cfg(feature = "sqlite")]
            Self::SqliteTurn(turn) => Connection::Turn(turn),
            #[cfg(feature = "postgres")]
            Self::Postgres(tx) => Connection::Postgres(tx),
            #[cfg(feature = "postgres")]
            Self::PostgresOnce(connection) => Connection::Postgres(connection),
        }
    }
}

/// What a statement is sent on.
pub(super) enum Connection<'t> {
    #[cfg(feature = "sqlite")]
    Reading(&'t mut sqlite::Reading),
    #[cfg(feature = "sqlite")]
    Turn(&'t mut sqlite::Turn),
    #[cfg(feature = "postgres")]
    Postgres(&'t mut PgConnection),
}

impl Connection<'_> {
    /// Every row that a statement gives.
    pub(super) async fn all(self, statement: Statement<'_>) -> StoreResult<Vec<Row>> {
        Ok(match self {
            #[cfg(feature = "sqlite")]
            Self::Reading(reading) => sqlite_rows(reading.run(statement.into()).await?),
            #[cfg(feature = "sqlite")]
            Self::Turn(turn) => sqlite_rows(turn.run(statement.into()).await?),
            #[cfg(feature = "postgres")]
            Self::Postgres(connection) => {
                let rows = statement.for_postgres()?.fetch_all(connection).await;
                let rows = rows.map_err(fault)?.into_iter();
                rows.map(Row::Postgres).collect()
            }
        })
    }

    /// How many rows a statement wrote.
    async fn written(self, statement: Statement<'_>) -> StoreResult<u64> {
        Ok(match self {
            #[cfg(feature = "sqlite")]
            Self::Reading(reading) => reading.run(statement.into()).await?.written,
            #[cfg(feature = "sqlite")]
            Self::Turn(turn) => turn.run(statement.into()).await?.written,
            #[cfg(feature = "postgres")]
            Self::Postgres(connection) => {
                let done = statement.for_postgres()?.execute(connection).await;
                done.map_err(fault)?.rows_affected()
            }
        })
    }
}

#[cfg(feature = "sqlite")]
fn sqlite_rows(answer: sqlite::Answer) -> Vec<Row> {
    answer.rows.into_iter().map(Row::Sqlite).collect()
}

impl Transaction {
    pub(super) fn new(
        open: Open,
        sent: Sent,
        #[cfg(feature = "plans")] plans: Option<Plans>,
    ) -> Self {
        Self {
            open,
            state: State::Usable,
            sent,
            #[cfg(feature = "plans")]
            plans,
        }
    }

    pub(in crate::store::sql) fn dialect(&self) -> Dialect {
        match self.open {
            #[cfg(feature = "sqlite")]
            Open::Sqlite(_) | Open::SqliteTurn(_) => Dialect::Sqlite,
            #[cfg(feature = "postgres")]
            Open::Postgres(_) | Open::PostgresOnce(_) => Dialect::Postgres,
        }
    }

    /// Every row that a statement gives.
    pub(in crate::store::sql) async fn all(
        &mut self,
        statement: Statement<'_>,
    ) -> StoreResult<Vec<Row>> {
        self.explain(&statement).await?;
        let rows = self.connection()?.all(statement).await?;
        self.answered();
        Ok(rows)
    }

    /// The row that a statement gives, if it gives one.
    pub(in crate::store::sql) async fn optional(
        &mut self,
        statement: Statement<'_>,
    ) -> StoreResult<Option<Row>> {
        Ok(self.all(statement).await?.into_iter().next())
    }

    /// Runs a statement and tells how many rows it wrote.
    pub(in crate::store::sql) async fn run(
        &mut self,
        statement: Statement<'_>,
    ) -> StoreResult<u64> {
        self.explain(&statement).await?;
        let written = self.connection()?.written(statement).await?;
        self.answered();
        Ok(written)
    }

    pub(in crate::store::sql) async fn commit(self) -> StoreResult<()> {
        self.check()?;
        match self.open {
            #[cfg(feature = "sqlite")]
            Open::Sqlite(_) => Ok(()),
            #[cfg(feature = "sqlite")]
            Open::SqliteTurn(turn) => turn.commit().await,
            #[cfg(feature = "postgres")]
            Open::Postgres(tx) => tx.commit().await.map_err(fault),
            #[cfg(feature = "postgres")]
            Open::PostgresOnce(_) => Ok(()),
        }
    }

    /// Asks for the plan of a statement, if plans are wanted.
    #[cfg(feature = "plans")]
    async fn explain(&mut self, statement: &Statement<'_>) -> StoreResult<()> {
        self.check()?;
        match &self.plans {
            Some(plans) => {
                plans
                    .note(statement, self.dialect(), self.open.connection())
                    .await
            }
            None => Ok(()),
        }
    }

    #[cfg(not(feature = "plans"))]
    #[expect(clippy::unused_async, reason = "with the feature it asks the database")]
    async fn explain(&mut self, _: &Statement<'_>) -> StoreResult<()> {
        Ok(())
    }

    /// The connection for one statement, which counts as failed until [`Transaction::answered`] is called.
    fn connection(&mut self) -> StoreResult<Connection<'_>> {
        self.check()?;
        self.sent.count(1);
        self.state = State::Failed;
        Ok(self.open.connection())
    }

    fn check(&self) -> StoreResult<()> {
        let why = match self.state {
            State::Usable => return Ok(()),
            State::Failed => "a statement of the transaction failed; nothing is kept",
            State::Answered => "only one question may be asked here",
        };
        Err(StoreError::Failed(why.to_owned()))
    }

    fn answered(&mut self) {
        self.state = if self.open.is_once() {
            State::Answered
        } else {
            State::Usable
        };
    }
}
