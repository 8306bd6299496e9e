//! From a URL, or a pool of the host application, to connections that are set up as the store needs them.

use std::time::Duration;

use super::Database;
#[cfg(feature = "postgres")]
use super::postgres;
#[cfg(feature = "sqlite")]
use super::sqlite;
use crate::store::{StoreError, StoreResult};

/// A kind of database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseKind {
    /// A file, for one server.
    Sqlite,
    /// A database server, for any number of servers.
    Postgres,
}

/// How a database is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqlOptions {
    /// Make a SQLite database that is not there. Default: yes.
    pub create: bool,
    /// How many connections read a SQLite database at a time; one more writes. Default: 4, which is twice as fast as 1.
    pub readers: u32,
    /// The most connections to PostgreSQL. Default: 20: while a COMMIT is written to the disk, others can be prepared.
    pub connections: u32,
    /// How long to wait for a connection, and for a lock that somebody else holds, before the store is said to be
    /// unavailable. Default: 5 seconds.
    pub wait: Duration,
    /// How long PostgreSQL may take for one statement, and how long a transaction may wait for its next one, before it is
    /// undone and the store is said to be unavailable. Default: 30 seconds, in which a large form can be deleted.
    pub statement: Duration,
    /// How many share a COMMIT at most: of SQLite, write transactions that wait while another one writes; of PostgreSQL,
    /// submissions that wait while another one to their form is written. 1 gives each its own. Default: 256, beyond which
    /// a COMMIT takes a small part of the time.
    pub commit_together: u32,
    /// How old such a group of SQLite's transactions may become before it is committed although others wait: about as long do
    /// those wait that were first, and programs that write to the same file. Default: 20 milliseconds, several times as
    /// long as a COMMIT.
    pub commit_within: Duration,
    /// How many may wait for their turn to write, transactions to a SQLite database or submissions to one form in
    /// PostgreSQL; one more is told at once that the store is unavailable. Default: 1024.
    pub waiting_writers: u32,
}

impl Default for SqlOptions {
    fn default() -> Self {
        Self {
            create: true,
            readers: 4,
            connections: 20,
            wait: Duration::from_secs(5),
            statement: Duration::from_secs(30),
            commit_together: 256,
            commit_within: Duration::from_millis(20),
            waiting_writers: 1024,
        }
    }
}

impl Database {
    pub(in crate::store::sql) async fn open(url: &str, options: &SqlOptions) -> StoreResult<Self> {
        match url.split_once(':').map(|(scheme, _)| scheme) {
            #[cfg(feature = "sqlite")]
            Some("sqlite") => sqlite::open(url, options).await,
            #[cfg(feature = "postgres")]
            Some("postgres" | "postgresql") => postgres::open(url, options).await,
            _ => Err(StoreError::Failed(
                "the database URL begins with none of the schemes that this program was built for \
                 (sqlite, postgres)"
                    .to_owned(),
            )),
        }
    }
}
