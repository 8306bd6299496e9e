//! The only part that knows that there are two databases: connections, statements, rows, and the fragments of SQL that
//! differ. Everything else writes one text for both, with `$1..$n` for arguments.

use std::borrow::Cow;
#[cfg(feature = "postgres")]
use std::time::Duration;

#[cfg(feature = "postgres")]
use sqlx::postgres::{PgArguments, PgPool, PgRow};
#[cfg(feature = "sqlite")]
use sqlx::sqlite::{SqliteArguments, SqlitePool, SqliteRow};
use sqlx::{Arguments as _, AssertSqlSafe, Row as _};
use uuid::Uuid;

use crate::store::{StoreError, StoreResult};

mod fault;
mod fragment;
mod migration;
mod open;

use fault::fault;
pub(super) use fragment::{Dialect, Lock};
pub use migration::{MigrationStatus, MigrationStep};
pub use open::{DatabaseKind, SqlOptions};

/// Begins a snapshot, which is taken with the first question. Compiling a list takes longer than answering it.
#[cfg(feature = "postgres")]
const POSTGRES_READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL jit = off";
/// Each statement sees what is committed by then; what must not change meanwhile is locked row by row.
#[cfg(feature = "postgres")]
const POSTGRES_WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";
#[cfg(feature = "sqlite")]
const SQLITE_READ: &str = "BEGIN DEFERRED";
/// A transaction that took the write lock only when it first writes would fail at once if another had written since.
#[cfg(feature = "sqlite")]
const SQLITE_WRITE: &str = "BEGIN IMMEDIATE";

/// The connections to a database.
#[derive(Debug, Clone)]
pub(super) enum Database {
    /// One connection that writes and several that read.
    #[cfg(feature = "sqlite")]
    Sqlite {
        writer: SqlitePool,
        readers: SqlitePool,
    },
    /// Connections, and how long a transaction waits for a lock.
    #[cfg(feature = "postgres")]
    Postgres { pool: PgPool, wait: Duration },
}

impl Database {
    pub(super) async fn read(&self) -> StoreResult<Transaction> {
        let open = match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite { readers, .. } => {
                Open::Sqlite(readers.begin_with(SQLITE_READ).await.map_err(fault)?)
            }
            #[cfg(feature = "postgres")]
            Self::Postgres { pool, .. } => {
                Open::Postgres(pool.begin_with(POSTGRES_READ).await.map_err(fault)?)
            }
        };
        Ok(Transaction::new(open))
    }

    pub(super) async fn write(&self) -> StoreResult<Transaction> {
        let open = match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite { writer, .. } => {
                Open::Sqlite(writer.begin_with(SQLITE_WRITE).await.map_err(fault)?)
            }
            #[cfg(feature = "postgres")]
            Self::Postgres { pool, wait } => {
                let text = format!(
                    "{POSTGRES_WRITE}; SET LOCAL lock_timeout = {}",
                    wait.as_millis()
                );
                let begun = pool.begin_with(AssertSqlSafe(text)).await;
                Open::Postgres(begun.map_err(fault)?)
            }
        };
        Ok(Transaction::new(open))
    }

    pub(super) async fn close(&self) {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite { writer, readers } => {
                // The last connection folds the log into the file, which a reader could not.
                readers.close().await;
                writer.close().await;
            }
            #[cfg(feature = "postgres")]
            Self::Postgres { pool, .. } => pool.close().await,
        }
    }
}

/// A transaction on one connection.
pub(super) struct Transaction {
    open: Open,
    /// PostgreSQL answers the commit of a transaction in which a statement failed as if all were well.
    failed: bool,
}

enum Open {
    #[cfg(feature = "sqlite")]
    Sqlite(sqlx::Transaction<'static, sqlx::Sqlite>),
    #[cfg(feature = "postgres")]
    Postgres(sqlx::Transaction<'static, sqlx::Postgres>),
}

impl Transaction {
    fn new(open: Open) -> Self {
        Self {
            open,
            failed: false,
        }
    }

    pub(super) fn dialect(&self) -> Dialect {
        match self.open {
            #[cfg(feature = "sqlite")]
            Open::Sqlite(_) => Dialect::Sqlite,
            #[cfg(feature = "postgres")]
            Open::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Every row that a statement gives.
    pub(super) async fn all(&mut self, statement: Statement<'_>) -> StoreResult<Vec<Row>> {
        let rows = match &mut self.open {
            #[cfg(feature = "sqlite")]
            Open::Sqlite(tx) => statement
                .for_sqlite()?
                .fetch_all(&mut **tx)
                .await
                .map(|rows| rows.into_iter().map(Row::Sqlite).collect()),
            #[cfg(feature = "postgres")]
            Open::Postgres(tx) => statement
                .for_postgres()?
                .fetch_all(&mut **tx)
                .await
                .map(|rows| rows.into_iter().map(Row::Postgres).collect()),
        };
        self.note(rows)
    }

    /// The row that a statement gives, if it gives one.
    pub(super) async fn optional(&mut self, statement: Statement<'_>) -> StoreResult<Option<Row>> {
        let row = match &mut self.open {
            #[cfg(feature = "sqlite")]
            Open::Sqlite(tx) => statement
                .for_sqlite()?
                .fetch_optional(&mut **tx)
                .await
                .map(|row| row.map(Row::Sqlite)),
            #[cfg(feature = "postgres")]
            Open::Postgres(tx) => statement
                .for_postgres()?
                .fetch_optional(&mut **tx)
                .await
                .map(|row| row.map(Row::Postgres)),
        };
        self.note(row)
    }

    /// Runs a statement and tells how many rows it wrote.
    pub(super) async fn run(&mut self, statement: Statement<'_>) -> StoreResult<u64> {
        let written = match &mut self.open {
            #[cfg(feature = "sqlite")]
            Open::Sqlite(tx) => statement
                .for_sqlite()?
                .execute(&mut **tx)
                .await
                .map(|done| done.rows_affected()),
            #[cfg(feature = "postgres")]
            Open::Postgres(tx) => statement
                .for_postgres()?
                .execute(&mut **tx)
                .await
                .map(|done| done.rows_affected()),
        };
        self.note(written)
    }

    pub(super) async fn commit(self) -> StoreResult<()> {
        if self.failed {
            return Err(StoreError::Failed(
                "a statement of the transaction failed; nothing was kept".to_owned(),
            ));
        }
        let committed = match self.open {
            #[cfg(feature = "sqlite")]
            Open::Sqlite(tx) => tx.commit().await,
            #[cfg(feature = "postgres")]
            Open::Postgres(tx) => tx.commit().await,
        };
        committed.map_err(fault)
    }

    fn note<T>(&mut self, result: Result<T, sqlx::Error>) -> StoreResult<T> {
        self.failed |= result.is_err();
        result.map_err(fault)
    }
}

/// A statement with its arguments.
#[derive(Debug)]
pub(super) struct Statement<'a> {
    text: Cow<'static, str>,
    arguments: Vec<Argument<'a>>,
}

/// A statement without arguments yet. The text holds no user data.
pub(super) fn sql<'a>(text: impl Into<Cow<'static, str>>) -> Statement<'a> {
    Statement {
        text: text.into(),
        arguments: Vec::new(),
    }
}

impl<'a> Statement<'a> {
    /// Adds the next of `$1..$n`.
    pub(super) fn bind(mut self, argument: impl Into<Argument<'a>>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// The statement that tells the plan of this one.
    #[cfg(test)]
    pub(super) fn explained(self, dialect: Dialect) -> Self {
        let text = format!("{} {}", dialect.explain(), self.text).into();
        Self { text, ..self }
    }

    pub(super) fn bind_all(mut self, arguments: Vec<Argument<'a>>) -> Self {
        self.arguments.extend(arguments);
        self
    }

    #[cfg(feature = "sqlite")]
    fn for_sqlite(self) -> StoreResult<sqlx::query::Query<'static, sqlx::Sqlite, SqliteArguments>> {
        let mut encoded = SqliteArguments::default();
        for argument in self.arguments {
            match argument {
                Argument::Uuid(value) => encoded.add(value),
                Argument::Text(value) => encoded.add(value),
                Argument::Int(value) => encoded.add(value),
                Argument::Bool(value) => encoded.add(value),
                Argument::Texts(values) => encoded.add(fragment::json_of_texts(&values)),
                Argument::Uuids(values) => encoded.add(fragment::json_of_uuids(&values)),
            }
            .map_err(|error| fault(sqlx::Error::Encode(error)))?;
        }
        Ok(sqlx::query_with(AssertSqlSafe(self.text), encoded))
    }

    #[cfg(feature = "postgres")]
    fn for_postgres(self) -> StoreResult<sqlx::query::Query<'static, sqlx::Postgres, PgArguments>> {
        let mut encoded = PgArguments::default();
        for argument in self.arguments {
            match argument {
                Argument::Uuid(value) => encoded.add(value),
                Argument::Text(value) => encoded.add(value),
                Argument::Int(value) => encoded.add(value),
                Argument::Bool(value) => encoded.add(value),
                Argument::Texts(values) => encoded.add(values),
                Argument::Uuids(values) => encoded.add(values),
            }
            .map_err(|error| fault(sqlx::Error::Encode(error)))?;
        }
        Ok(sqlx::query_with(AssertSqlSafe(self.text), encoded))
    }
}

/// A value for a statement. What is absent keeps its type, which PostgreSQL asks for.
#[derive(Debug, Clone)]
pub(super) enum Argument<'a> {
    Uuid(Option<Uuid>),
    Text(Option<Cow<'a, str>>),
    Int(Option<i64>),
    Bool(bool),
    /// A list of any length, for [`Dialect::texts`] and [`Dialect::any_text`].
    Texts(Vec<String>),
    /// A list of any length, for [`Dialect::any_uuid`].
    Uuids(Vec<Uuid>),
}

macro_rules! arguments {
    ($($from:ty as $variant:ident: $value:ident => $turned:expr;)+) => {$(
        impl<'a> From<$from> for Argument<'a> {
            fn from($value: $from) -> Self {
                Self::$variant($turned)
            }
        }
    )+};
}

arguments! {
    Uuid as Uuid: value => Some(value);
    Option<Uuid> as Uuid: value => value;
    &'a str as Text: value => Some(Cow::Borrowed(value));
    Option<&'a str> as Text: value => value.map(Cow::Borrowed);
    String as Text: value => Some(Cow::Owned(value));
    i64 as Int: value => Some(value);
    Option<i64> as Int: value => value;
    bool as Bool: value => value;
    Vec<String> as Texts: value => value;
    Vec<Uuid> as Uuids: value => value;
}

/// A row of an answer.
pub(super) enum Row {
    #[cfg(feature = "sqlite")]
    Sqlite(SqliteRow),
    #[cfg(feature = "postgres")]
    Postgres(PgRow),
}

macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident: $type:ty;)+) => {
        impl Row {$(
            $(#[$doc])*
            pub(super) fn $name(&self, column: &str) -> Result<$type, sqlx::Error> {
                match self {
                    #[cfg(feature = "sqlite")]
                    Self::Sqlite(row) => row.try_get(column),
                    #[cfg(feature = "postgres")]
                    Self::Postgres(row) => row.try_get(column),
                }
            }
        )+}
    };
}

columns! {
    uuid: Uuid;
    optional_uuid: Option<Uuid>;
    text: String;
    optional_text: Option<String>;
    int: i64;
    optional_int: Option<i64>;
    bool: bool;
}
