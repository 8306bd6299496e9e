//! The stores that tests run on.
//!
//! A test of the services is an `async fn` with a store as its parameter, and
//! [`on_every_store!`](crate::on_every_store) defines a test of it for each kind of store. A test of races gets a
//! [`Database`] instead, and opens it once for each server.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::path::Path;
use std::sync::Arc;
use std::thread;

use formalize_core::Store;
use formalize_core::store::memory::MemoryStore;
use formalize_sql::{SqlOptions, SqlStore};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tempfile::TempDir;

use crate::{Result, TestDatabase, statements};

/// A database, which is deleted when it is dropped.
pub struct Database(Kind);

enum Kind {
    Memory(MemoryStore),
    Sqlite(TempDir),
    Postgres(TestDatabase),
}

impl Database {
    /// A store in memory.
    pub fn memory() -> Self {
        Self(Kind::Memory(MemoryStore::new()))
    }

    /// A migrated SQLite database in a new folder.
    pub async fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        migrate(&url_in(&folder)).await.unwrap();
        Self(Kind::Sqlite(folder))
    }

    /// A new, migrated PostgreSQL database.
    pub async fn postgres() -> Self {
        let migrate = async |url: String| migrate(&url).await;
        let database = TestDatabase::migrated(&migrations(), migrate).await;
        Self(Kind::Postgres(database.unwrap()))
    }

    /// A new PostgreSQL database that was migrated and filled by SQL. This happens once for the same text: the others are copies.
    pub async fn postgres_filled(fill: &str) -> Self {
        let prepare = async |url: String| -> Result<()> {
            migrate(&url).await?;
            let mut connection = PgConnection::connect(&url).await?;
            let fill = sqlx::raw_sql(AssertSqlSafe(fill.to_owned()));
            fill.execute(&mut connection).await?;
            Ok(connection.close().await?)
        };
        let database = TestDatabase::migrated(&(migrations() + fill), prepare).await;
        Self(Kind::Postgres(database.unwrap()))
    }

    /// Opens the database once more. The store has its own connections, like another server, and notices statements that are
    /// not [listed](statements).
    pub async fn open(&self) -> Arc<dyn Store> {
        match &self.0 {
            Kind::Memory(store) => Arc::new(store.clone()),
            Kind::Sqlite(_) | Kind::Postgres(_) => {
                Arc::new(self.open_sql().await.telling(statements::look_up))
            }
        }
    }

    /// The same with its concrete type, without noticing statements; panics for a store in memory.
    pub async fn open_sql(&self) -> SqlStore {
        let (url, options) = (self.url(), SqlOptions::default());
        SqlStore::open(&url, &options).await.unwrap()
    }

    /// Deletes all records that a service creates, which is faster than a new database; panics for a store in memory.
    pub async fn clear(&self) {
        const CLEAR: &str = "DELETE FROM formalize_grants; \
            DELETE FROM formalize_resources; \
            DELETE FROM formalize_groups; \
            DELETE FROM formalize_forms; \
            DELETE FROM formalize_api_tokens; \
            DELETE FROM formalize_webhooks; \
            DELETE FROM formalize_event_subscriptions; \
            DELETE FROM formalize_event_data; \
            DELETE FROM formalize_event_audience; \
            DELETE FROM formalize_event_arrivals; \
            DELETE FROM formalize_events; \
            UPDATE formalize_event_log SET last = 0, purged_to = 0; \
            DELETE FROM formalize_settings;";
        match &self.0 {
            Kind::Memory(_) => panic!("a store in memory is not cleared, but made anew"),
            Kind::Sqlite(folder) => {
                sqlite_connection(&url_in(folder))
                    .execute_batch(CLEAR)
                    .unwrap();
            }
            Kind::Postgres(database) => {
                let mut connection = PgConnection::connect(database.url()).await.unwrap();
                sqlx::raw_sql(CLEAR).execute(&mut connection).await.unwrap();
                connection.close().await.unwrap();
            }
        }
    }

    /// The URL; panics for a store in memory.
    pub fn url(&self) -> String {
        let url = match &self.0 {
            Kind::Memory(_) => None,
            Kind::Sqlite(folder) => Some(url_in(folder)),
            Kind::Postgres(database) => Some(database.url().to_owned()),
        };
        url.unwrap()
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if !thread::panicking() {
            statements::assert_listed();
        }
    }
}

/// A connection to a SQLite database that another program might have.
pub fn sqlite_connection(url: &str) -> rusqlite::Connection {
    let file = url.strip_prefix("sqlite://").unwrap();
    rusqlite::Connection::open(file).unwrap()
}

fn url_in(folder: &TempDir) -> String {
    format!("sqlite://{}", folder.path().join("test.db").display())
}

async fn migrate(url: &str) -> formalize_core::store::StoreResult<()> {
    let store = SqlStore::open(url, &SqlOptions::default()).await?;
    store.migrate().await?;
    store.close().await;
    Ok(())
}

/// The text of all migrations, which changes with each of them.
fn migrations() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/sql/migrations");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    let texts = files
        .iter()
        .map(|file| std::fs::read_to_string(file).unwrap());
    texts.collect()
}

/// Runs a test of the services.
pub async fn run_on_store(database: Database, body: impl AsyncFnOnce(Arc<dyn Store>)) {
    let store = database.open().await;
    body(Arc::clone(&store)).await;
    store.close().await;
}

/// Runs a test that opens the database itself.
pub async fn run_on_database(database: Database, body: impl AsyncFnOnce(&Database)) {
    body(&database).await;
}

/// Makes a function a test that needs PostgreSQL, in a crate without `cfg(formalize_postgres)`.
#[cfg(formalize_postgres)]
#[macro_export]
macro_rules! test_on_postgres {
    ($function:item) => {
        #[test]
        $function
    };
}

/// Makes a function a test that needs PostgreSQL, in a crate without `cfg(formalize_postgres)`.
#[cfg(not(formalize_postgres))]
#[macro_export]
macro_rules! test_on_postgres {
    ($function:item) => {
        #[test]
        #[ignore = "no PostgreSQL found"]
        $function
    };
}

/// Makes a function a test that needs the program `script`, in a crate without `cfg(formalize_script)`.
#[cfg(formalize_script)]
#[macro_export]
macro_rules! test_on_terminal {
    ($function:item) => {
        #[test]
        $function
    };
}

/// Makes a function a test that needs the program `script`, in a crate without `cfg(formalize_script)`.
#[cfg(not(formalize_script))]
#[macro_export]
macro_rules! test_on_terminal {
    ($function:item) => {
        #[test]
        #[ignore = "no script found"]
        $function
    };
}

/// Defines a test on each kind of store for every given `async fn(Arc<dyn Store>)`.
#[macro_export]
macro_rules! on_every_store {
    ($($body:ident),+ $(,)?) => {
        $crate::on_every_database! { @by run_on_store: $($body),+ }
    };
}

/// Defines a test on each kind of store for every given `async fn(&Database)`.
#[macro_export]
macro_rules! on_every_database {
    (@by $run:ident: $($body:ident),+) => {
        mod memory {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $body() {
                    let database = $crate::stores::Database::memory();
                    $crate::stores::$run(database, super::$body).await;
                }
            )+
        }

        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $body() {
                    let database = $crate::stores::Database::sqlite().await;
                    $crate::stores::$run(database, super::$body).await;
                }
            )+
        }

        mod postgres {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                #[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
                async fn $body() {
                    let database = $crate::stores::Database::postgres().await;
                    $crate::stores::$run(database, super::$body).await;
                }
            )+
        }
    };
    ($($body:ident),+ $(,)?) => {
        $crate::on_every_database! { @by run_on_database: $($body),+ }
    };
}
