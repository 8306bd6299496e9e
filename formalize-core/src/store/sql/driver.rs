//! The only part that knows that there are two databases: connections, statements, rows, and the fragments of SQL that
//! differ. Everything else writes one text for both, with `$1..$n` for arguments.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
#[cfg(feature = "postgres")]
use std::time::Duration;

#[cfg(feature = "postgres")]
use sqlx::AssertSqlSafe;
#[cfg(feature = "sqlite")]
use sqlx::pool::PoolConnection;
#[cfg(feature = "postgres")]
use sqlx::postgres::{PgConnection, PgPool};
#[cfg(feature = "sqlite")]
use sqlx::sqlite::{SqliteConnection, SqlitePool};

use crate::store::{StoreError, StoreResult};

mod fault;
mod fragment;
mod migration;
mod open;
mod plan;
mod row;
#[cfg(feature = "postgres")]
mod session;
mod statement;
#[cfg(feature = "sqlite")]
mod writer;

use fault::fault;
pub(super) use fragment::{Dialect, Lock};
pub use migration::{MigrationStatus, MigrationStep};
pub use open::{DatabaseKind, SqlOptions};
pub(super) use plan::Places;
#[cfg(feature = "plans")]
pub use plan::{Plan, Plans};
pub(super) use row::Row;
#[cfg(feature = "postgres")]
use session::{Session, within};
pub(super) use statement::{Argument, Statement, sql};

/// Begins a snapshot, which is taken with the first question. Compiling a list takes longer than answering it.
#[cfg(feature = "postgres")]
const POSTGRES_READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL jit = off";
/// Each statement sees what is committed by then; what must not change meanwhile is locked row by row.
#[cfg(feature = "postgres")]
const POSTGRES_WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";
#[cfg(feature = "sqlite")]
const SQLITE_READ: &str = "BEGIN DEFERRED";
/// What begins a transaction and what ends it.
const AROUND: u64 = 2;

/// How many statements were sent.
#[derive(Debug, Clone, Default)]
pub(super) struct Sent(Arc<AtomicU64>);

impl Sent {
    fn count(&self, statements: u64) {
        self.0.fetch_add(statements, Ordering::Relaxed);
    }

    pub(super) fn total(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A database, with the statements that were sent to it.
#[derive(Debug, Clone)]
pub(super) struct Database {
    connections: Connections,
    sent: Sent,
    #[cfg(feature = "plans")]
    plans: Option<Plans>,
}

/// The connections to a database.
#[derive(Debug, Clone)]
enum Connections {
    /// One connection that writes and several that read.
    #[cfg(feature = "sqlite")]
    Sqlite {
        writer: writer::Writer,
        readers: SqlitePool,
    },
    /// Connections, and how long they may take.
    #[cfg(feature = "postgres")]
    Postgres {
        pool: PgPool,
        limits: session::Limits,
    },
}

impl Database {
    #[cfg(feature = "sqlite")]
    fn sqlite(writer: SqlitePool, readers: SqlitePool, options: &SqlOptions) -> Self {
        let sent = Sent::default();
        let writer = writer::Writer::new(writer, options, sent.clone());
        Self::new(Connections::Sqlite { writer, readers }, sent)
    }

    #[cfg(feature = "postgres")]
    fn postgres(pool: PgPool, options: &SqlOptions) -> Self {
        let limits = session::Limits::of(options);
        Self::new(Connections::Postgres { pool, limits }, Sent::default())
    }

    fn new(connections: Connections, sent: Sent) -> Self {
        Self {
            connections,
            sent,
            #[cfg(feature = "plans")]
            plans: None,
        }
    }

    #[cfg(feature = "plans")]
    pub(super) fn explain_into(&mut self, plans: Plans) {
        self.plans = Some(plans);
    }

    pub(super) fn sent(&self) -> &Sent {
        &self.sent
    }

    pub(super) async fn read(&self) -> StoreResult<Transaction> {
        let open = match &self.connections {
            #[cfg(feature = "sqlite")]
            Connections::Sqlite { readers, .. } => {
                Open::Sqlite(readers.begin_with(SQLITE_READ).await.map_err(fault)?)
            }
            #[cfg(feature = "postgres")]
            Connections::Postgres { pool, limits } => {
                Open::Postgres(Session::begin(pool, *limits, POSTGRES_READ).await?)
            }
        };
        self.sent.count(AROUND);
        Ok(self.transaction(open))
    }

    /// What answers one question needs no transaction: every statement sees one state.
    pub(super) async fn read_once(&self) -> StoreResult<Transaction> {
        let open = match &self.connections {
            #[cfg(feature = "sqlite")]
            Connections::Sqlite { readers, .. } => {
                Open::SqliteOnce(readers.acquire().await.map_err(fault)?)
            }
            #[cfg(feature = "postgres")]
            Connections::Postgres { pool, limits } => {
                Open::PostgresOnce(Session::acquire(pool, *limits).await?)
            }
        };
        Ok(self.transaction(open))
    }

    pub(super) async fn write(&self) -> StoreResult<Transaction> {
        let open = match &self.connections {
            #[cfg(feature = "sqlite")]
            Connections::Sqlite { writer, .. } => Open::SqliteTurn(writer.begin().await?),
            #[cfg(feature = "postgres")]
            Connections::Postgres { pool, limits } => {
                let text = format!(
                    "{POSTGRES_WRITE}; SET LOCAL lock_timeout = {}",
                    limits.wait.as_millis()
                );
                let begun = Session::begin(pool, *limits, AssertSqlSafe(text)).await;
                self.sent.count(AROUND);
                Open::Postgres(begun?)
            }
        };
        Ok(self.transaction(open))
    }

    fn transaction(&self, open: Open) -> Transaction {
        Transaction {
            open,
            state: State::Usable,
            sent: self.sent.clone(),
            #[cfg(feature = "plans")]
            plans: self.plans.clone(),
        }
    }

    pub(super) async fn close(&self) {
        match &self.connections {
            #[cfg(feature = "sqlite")]
            Connections::Sqlite { writer, readers } => {
                // The last connection folds the log into the file, which a reader could not.
                readers.close().await;
                writer.close().await;
            }
            #[cfg(feature = "postgres")]
            Connections::Postgres { pool, .. } => pool.close().await,
        }
    }
}

/// A transaction on one connection.
pub(super) struct Transaction {
    open: Open,
    state: State,
    sent: Sent,
    #[cfg(feature = "plans")]
    plans: Option<Plans>,
}

enum Open {
    #[cfg(feature = "sqlite")]
    Sqlite(sqlx::Transaction<'static, sqlx::Sqlite>),
    #[cfg(feature = "sqlite")]
    SqliteOnce(PoolConnection<sqlx::Sqlite>),
    #[cfg(feature = "sqlite")]
    SqliteTurn(writer::Turn),
    #[cfg(feature = "postgres")]
    Postgres(Session),
    #[cfg(feature = "postgres")]
    PostgresOnce(Session),
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

/// What a statement is sent on; with PostgreSQL, how long it may take to answer.
enum Connection<'t> {
    #[cfg(feature = "sqlite")]
    Sqlite(&'t mut SqliteConnection),
    #[cfg(feature = "postgres")]
    Postgres(&'t mut PgConnection, Duration),
}

impl Open {
    fn connection(&mut self) -> StoreResult<Connection<'_>> {
        Ok(match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(tx) => Connection::Sqlite(tx),
            #[cfg(feature = "sqlite")]
            Self::SqliteOnce(connection) => Connection::Sqlite(connection),
            #[cfg(feature = "sqlite")]
            Self::SqliteTurn(turn) => Connection::Sqlite(turn.connection()?),
            #[cfg(feature = "postgres")]
            Self::Postgres(session) | Self::PostgresOnce(session) => {
                let (connection, limit) = session.parts();
                Connection::Postgres(connection, limit)
            }
        })
    }

    fn is_once(&self) -> bool {
        match self {
            #[cfg(feature = "sqlite")]
            Self::SqliteOnce(_) => true,
            #[cfg(feature = "postgres")]
            Self::PostgresOnce(_) => true,
            _ => false,
        }
    }
}

impl Transaction {
    pub(super) fn dialect(&self) -> Dialect {
        match self.open {
            #[cfg(feature = "sqlite")]
            Open::Sqlite(_) | Open::SqliteOnce(_) | Open::SqliteTurn(_) => Dialect::Sqlite,
            #[cfg(feature = "postgres")]
            Open::Postgres(_) | Open::PostgresOnce(_) => Dialect::Postgres,
        }
    }

    /// Every row that a statement gives.
    pub(super) async fn all(&mut self, statement: Statement<'_>) -> StoreResult<Vec<Row>> {
        let statement = self.preceded(statement).await?;
        let rows = match self.connection()? {
            #[cfg(feature = "sqlite")]
            Connection::Sqlite(connection) => statement
                .for_sqlite()?
                .fetch_all(connection)
                .await
                .map(|rows| rows.into_iter().map(Row::Sqlite).collect()),
            #[cfg(feature = "postgres")]
            Connection::Postgres(connection, limit) => {
                let answer = statement.for_postgres()?.fetch_all(connection);
                within(limit, answer)
                    .await
                    .map(|rows| rows.into_iter().map(Row::Postgres).collect())
            }
        };
        self.note(rows)
    }

    /// The row that a statement gives, if it gives one.
    pub(super) async fn optional(&mut self, statement: Statement<'_>) -> StoreResult<Option<Row>> {
        let statement = self.preceded(statement).await?;
        let row = match self.connection()? {
            #[cfg(feature = "sqlite")]
            Connection::Sqlite(connection) => statement
                .for_sqlite()?
                .fetch_optional(connection)
                .await
                .map(|row| row.map(Row::Sqlite)),
            #[cfg(feature = "postgres")]
            Connection::Postgres(connection, limit) => {
                let answer = statement.for_postgres()?.fetch_optional(connection);
                within(limit, answer)
                    .await
                    .map(|row| row.map(Row::Postgres))
            }
        };
        self.note(row)
    }

    /// Runs a statement and tells how many rows it wrote.
    pub(super) async fn run(&mut self, statement: Statement<'_>) -> StoreResult<u64> {
        let statement = self.preceded(statement).await?;
        let written = match self.connection()? {
            #[cfg(feature = "sqlite")]
            Connection::Sqlite(connection) => statement
                .for_sqlite()?
                .execute(connection)
                .await
                .map(|done| done.rows_affected()),
            #[cfg(feature = "postgres")]
            Connection::Postgres(connection, limit) => {
                let answer = statement.for_postgres()?.execute(connection);
                within(limit, answer).await.map(|done| done.rows_affected())
            }
        };
        self.note(written)
    }

    pub(super) async fn commit(self) -> StoreResult<()> {
        self.check()?;
        match self.open {
            #[cfg(feature = "sqlite")]
            Open::Sqlite(tx) => tx.commit().await.map_err(fault),
            #[cfg(feature = "sqlite")]
            Open::SqliteTurn(turn) => turn.commit().await,
            #[cfg(feature = "postgres")]
            Open::Postgres(session) => session.commit().await,
            #[cfg(feature = "sqlite")]
            Open::SqliteOnce(_) => Ok(()),
            #[cfg(feature = "postgres")]
            Open::PostgresOnce(_) => Ok(()),
        }
    }

    /// The statement with what must come before it.
    async fn preceded<'s>(&mut self, statement: Statement<'s>) -> StoreResult<Statement<'s>> {
        self.check()?;
        #[cfg(feature = "plans")]
        self.explain(&statement).await?;
        #[cfg(feature = "sqlite")]
        if let Open::SqliteTurn(turn) = &mut self.open
            && let Some(before) = turn.before(statement.only_reads()).await?
        {
            return Ok(statement.after(before));
        }
        Ok(statement)
    }

    /// Asks for the plan of a statement, if plans are wanted.
    #[cfg(feature = "plans")]
    async fn explain(&mut self, statement: &Statement<'_>) -> StoreResult<()> {
        self.check()?;
        match &self.plans {
            Some(plans) => plans.note(statement, self.open.connection()?).await,
            None => Ok(()),
        }
    }

    /// The connection for one statement, which counts as failed until [`Transaction::note`] hears of it.
    fn connection(&mut self) -> StoreResult<Connection<'_>> {
        self.check()?;
        self.sent.count(1);
        self.state = State::Failed;
        self.open.connection()
    }

    fn check(&self) -> StoreResult<()> {
        let why = match self.state {
            State::Usable => return Ok(()),
            State::Failed => "a statement of the transaction failed; nothing is kept",
            State::Answered => "only one question may be asked here",
        };
        Err(StoreError::Failed(why.to_owned()))
    }

    fn note<T>(&mut self, result: Result<T, sqlx::Error>) -> StoreResult<T> {
        if result.is_ok() {
            #[cfg(feature = "sqlite")]
            if let Open::SqliteTurn(turn) = &mut self.open {
                turn.answered();
            }
            self.state = if self.open.is_once() {
                State::Answered
            } else {
                State::Usable
            };
        }
        result.map_err(fault)
    }
}
