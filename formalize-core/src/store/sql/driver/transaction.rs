//! A transaction on either database. Its statements are sent to its connection one after the other.

#[cfg(feature = "postgres")]
use std::time::Duration;

#[cfg(feature = "postgres")]
use sqlx::postgres::PgConnection;

#[cfg(feature = "plans")]
use super::Plans;
#[cfg(feature = "postgres")]
use super::fault;
#[cfg(feature = "postgres")]
use super::postgres::{
    self,
    session::{Session, within},
};
#[cfg(feature = "sqlite")]
use super::sqlite;
use super::{Dialect, Row, Statement, Watch};
use crate::store::{StoreError, StoreResult};

/// A transaction on one connection.
pub(in crate::store::sql) struct Transaction {
    open: Open,
    state: State,
    watch: Watch,
    #[cfg(feature = "plans")]
    plans: Option<Plans>,
}

/// The connection of a transaction, which determines how it ends.
pub(super) enum Open {
    #[cfg(feature = "sqlite")]
    Sqlite(sqlite::Reading),
    #[cfg(feature = "sqlite")]
    SqliteTurn(sqlite::Turn),
    #[cfg(feature = "postgres")]
    Postgres(Session),
    /// `None` after the single statement was answered.
    #[cfg(feature = "postgres")]
    PostgresOnce(Option<Session>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Usable,
    /// A statement failed or was cancelled. PostgreSQL would still report a successful commit. SQLite may have rolled
    /// everything back, and would then run further statements outside a transaction.
    Failed,
    /// The single statement of the transaction was answered.
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

    pub(super) fn dialect(&self) -> Dialect {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(_) | Self::SqliteTurn(_) => sqlite::DIALECT,
            #[cfg(feature = "postgres")]
            Self::Postgres(_) | Self::PostgresOnce(_) => postgres::DIALECT,
        }
    }

    /// The connection for the next statement.
    pub(super) fn connection(&mut self) -> StoreResult<Connection<'_>> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(reading) => Ok(Connection::Reading(reading)),
            #[cfg(feature = "sqlite")]
            Self::SqliteTurn(turn) => Ok(Connection::Turn(turn)),
            #[cfg(feature = "postgres")]
            Self::Postgres(session) | Self::PostgresOnce(Some(session)) => {
                let (connection, limit) = session.parts();
                Ok(Connection::Postgres(connection, limit))
            }
            #[cfg(feature = "postgres")]
            Self::PostgresOnce(None) => Err(answered()),
        }
    }

    /// Returns the connection after the response to a single statement.
    fn answered(&mut self) {
        #[cfg(feature = "postgres")]
        if let Self::PostgresOnce(session) = self
            && let Some(session) = session.take()
        {
            session.rest();
        }
    }
}

/// A connection for one statement; for PostgreSQL, with the timeout of the statement.
pub(super) enum Connection<'t> {
    #[cfg(feature = "sqlite")]
    Reading(&'t mut sqlite::Reading),
    #[cfg(feature = "sqlite")]
    Turn(&'t mut sqlite::Turn),
    #[cfg(feature = "postgres")]
    Postgres(&'t mut PgConnection, Duration),
}

impl Connection<'_> {
    /// All rows that a statement returns.
    pub(super) async fn all(self, statement: Statement<'_>) -> StoreResult<Vec<Row>> {
        Ok(match self {
            #[cfg(feature = "sqlite")]
            Self::Reading(reading) => sqlite_rows(reading.run(statement.into()).await?),
            #[cfg(feature = "sqlite")]
            Self::Turn(turn) => sqlite_rows(turn.run(statement.into()).await?),
            #[cfg(feature = "postgres")]
            Self::Postgres(connection, limit) => {
                let answer = statement.for_postgres()?.fetch_all(connection);
                let rows = within(limit, answer).await.map_err(fault)?;
                rows.into_iter().map(Row::Postgres).collect()
            }
        })
    }

    /// The number of rows that a statement wrote.
    async fn written(self, statement: Statement<'_>) -> StoreResult<u64> {
        Ok(match self {
            #[cfg(feature = "sqlite")]
            Self::Reading(reading) => reading.run(statement.into()).await?.written,
            #[cfg(feature = "sqlite")]
            Self::Turn(turn) => turn.run(statement.into()).await?.written,
            #[cfg(feature = "postgres")]
            Self::Postgres(connection, limit) => {
                let answer = statement.for_postgres()?.execute(connection);
                let done = within(limit, answer).await.map_err(fault)?;
                done.rows_affected()
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
        mut watch: Watch,
        #[cfg(feature = "plans")] plans: Option<Plans>,
    ) -> Self {
        watch.goes_on();
        Self {
            open,
            state: State::Usable,
            watch,
            #[cfg(feature = "plans")]
            plans,
        }
    }

    pub(in crate::store::sql) fn dialect(&self) -> Dialect {
        self.open.dialect()
    }

    /// All rows that a statement returns.
    pub(in crate::store::sql) async fn all(
        &mut self,
        statement: Statement<'_>,
    ) -> StoreResult<Vec<Row>> {
        self.explain(&statement).await?;
        let rows = self.connection()?.all(statement).await?;
        self.answered();
        Ok(rows)
    }

    /// The first row that a statement returns, if any.
    pub(in crate::store::sql) async fn optional(
        &mut self,
        statement: Statement<'_>,
    ) -> StoreResult<Option<Row>> {
        Ok(self.all(statement).await?.into_iter().next())
    }

    /// Runs a statement and returns the number of rows it wrote.
    pub(in crate::store::sql) async fn run(
        &mut self,
        statement: Statement<'_>,
    ) -> StoreResult<u64> {
        self.explain(&statement).await?;
        let written = self.connection()?.written(statement).await?;
        self.answered();
        Ok(written)
    }

    pub(in crate::store::sql) async fn commit(mut self) -> StoreResult<()> {
        // A single statement was committed with its response.
        if self.state != State::Answered {
            self.check()?;
        }
        self.watch.asks();
        match self.open {
            #[cfg(feature = "sqlite")]
            Open::Sqlite(_) => {}
            #[cfg(feature = "sqlite")]
            Open::SqliteTurn(turn) => turn.commit().await?,
            #[cfg(feature = "postgres")]
            Open::Postgres(session) => session.commit().await?,
            #[cfg(feature = "postgres")]
            Open::PostgresOnce(_) => {}
        }
        self.watch.is_kept();
        Ok(())
    }

    /// Records the plan of a statement, if plans are requested.
    #[cfg(feature = "plans")]
    async fn explain(&mut self, statement: &Statement<'_>) -> StoreResult<()> {
        self.check()?;
        match &self.plans {
            Some(plans) => plans.note(statement, &mut self.open).await,
            None => Ok(()),
        }
    }

    #[cfg(not(feature = "plans"))]
    #[expect(clippy::unused_async, reason = "with the feature it asks the database")]
    async fn explain(&mut self, _: &Statement<'_>) -> StoreResult<()> {
        Ok(())
    }

    /// The connection for one statement. The transaction is considered failed until [`Transaction::answered`] is
    /// called.
    pub(super) fn connection(&mut self) -> StoreResult<Connection<'_>> {
        self.check()?;
        self.watch.sent(1);
        self.watch.asks();
        self.state = State::Failed;
        self.open.connection()
    }

    fn check(&self) -> StoreResult<()> {
        match self.state {
            State::Usable => Ok(()),
            State::Failed => {
                let why = "a statement of the transaction failed; nothing is kept";
                Err(StoreError::Failed(why.to_owned()))
            }
            State::Answered => Err(answered()),
        }
    }

    pub(super) fn answered(&mut self) {
        self.watch.goes_on();
        self.open.answered();
        self.state = if self.open.is_once() {
            State::Answered
        } else {
            State::Usable
        };
    }
}

fn answered() -> StoreError {
    StoreError::Failed("only one question may be asked here".to_owned())
}
