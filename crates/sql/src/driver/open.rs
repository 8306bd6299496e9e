//! Options, and the choice of the database by its URL.

use std::sync::Arc;
use std::time::Duration;

use formalize_core::StoreError;
use formalize_core::store::StoreResult;

#[cfg(feature = "postgres")]
use super::postgres;
#[cfg(feature = "sqlite")]
use super::sqlite;
use super::{Database, Driver, STEPS, StoreMetrics};

/// Options for opening a database.
///
/// ```
/// use std::time::Duration;
/// use formalize_sql::SqlOptions;
///
/// let options = SqlOptions {
///     create: false,
///     wait: Duration::from_secs(2),
///     ..SqlOptions::default()
/// };
/// assert_eq!(options.connections, 20);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqlOptions {
    /// Create the SQLite database if it does not exist. Default: yes.
    pub create: bool,
    /// Only read. All writes fail, and so does creating or migrating the database. The files of a SQLite database that
    /// no other program has open are left as they are. Default: no.
    pub read_only: bool,
    /// How many connections read a SQLite database concurrently; one more writes. Default: 4, twice as fast as 1.
    pub readers: u32,
    /// Maximum number of connections to PostgreSQL. Default: 20, so that transactions can be prepared while another
    /// one's COMMIT is written to disk.
    pub connections: u32,
    /// How long to wait for a connection, or for a lock, before the store reports that it is unavailable. Default: 5
    /// seconds.
    pub wait: Duration,
    /// Maximum duration of a PostgreSQL statement, and of the pause between two statements of a transaction. After
    /// that, the transaction is rolled back and the store reports that it is unavailable. Default: 30 seconds, which is
    /// enough to delete a large form.
    pub statement: Duration,
    /// Maximum number of writes that share a COMMIT: in SQLite, transactions that wait while another one writes; in
    /// PostgreSQL, submissions that wait while another one to the same form is written. 1 disables sharing. Default:
    /// 256, where a COMMIT takes only a small part of the time.
    pub commit_together: u32,
    /// Maximum age of such a group of SQLite transactions; it is then committed even if others wait. This is about how
    /// long the first transactions of the group wait, and other programs that write to the same file. Default: 20
    /// milliseconds, several times the duration of a COMMIT.
    pub commit_within: Duration,
    /// Maximum number of waiting writers: transactions on a SQLite database, or submissions to one form in PostgreSQL.
    /// If the queue is full, the store immediately reports that it is unavailable. Default: 1024.
    pub waiting_writers: u32,
}

impl Default for SqlOptions {
    fn default() -> Self {
        Self {
            create: true,
            read_only: false,
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
    pub(crate) async fn open(url: &str, options: &SqlOptions) -> StoreResult<Self> {
        let metrics = StoreMetrics::default();
        let driver: Arc<dyn Driver> = match url.split_once(':').map(|(scheme, _)| scheme) {
            #[cfg(feature = "sqlite")]
            Some("sqlite") => Arc::new(sqlite::open(url, options, metrics.clone()).await?),
            #[cfg(feature = "postgres")]
            Some("postgres" | "postgresql") => {
                Arc::new(postgres::open(url, options, metrics.clone()).await?)
            }
            _ => return Err(unknown_scheme()),
        };
        Ok(Self {
            driver,
            metrics,
            read_only: options.read_only,
            steps: STEPS,
            #[cfg(feature = "plans")]
            told: None,
            wait: options.wait,
        })
    }
}

fn unknown_scheme() -> StoreError {
    let supported = [
        ("sqlite://", cfg!(feature = "sqlite")),
        ("postgres://", cfg!(feature = "postgres")),
    ];
    let supported = supported.iter().filter(|(_, is_built)| *is_built);
    let schemes: Vec<_> = supported.map(|(scheme, _)| format!("`{scheme}`")).collect();
    let schemes = schemes.join(" or ");
    StoreError::Failed(format!("the database URL must begin with {schemes}"))
}
