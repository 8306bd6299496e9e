//! From a URL, or a pool of the host application, to connections that are set up as the store needs them.

use std::time::Duration;

#[cfg(feature = "postgres")]
use sqlx_core::{Url, percent_encoding::percent_decode_str};

use super::fault::reworded;
use super::{Connections, Database};
#[cfg(feature = "postgres")]
use super::{fault, pool::Pool};
#[cfg(feature = "postgres")]
use crate::database_parameters::PASSWORD;
#[cfg(feature = "postgres")]
use crate::store::sql::SqlStore;
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
            Some("postgres" | "postgresql") => postgres::open(url, options)
                .await
                .map_err(|error| without_password(error, url)),
            _ => Err(StoreError::Failed(
                "the database URL begins with none of the schemes that this program was built for \
                 (sqlite, postgres)"
                    .to_owned(),
            )),
        }
    }

    pub(in crate::store::sql) fn kind(&self) -> DatabaseKind {
        match self.connections {
            #[cfg(feature = "sqlite")]
            Connections::Sqlite { .. } => DatabaseKind::Sqlite,
            #[cfg(feature = "postgres")]
            Connections::Postgres { .. } => DatabaseKind::Postgres,
        }
    }
}

#[cfg(feature = "postgres")]
impl SqlStore {
    /// A store on a pool of PostgreSQL connections that the host application owns; [`SqlOptions::connections`] does not
    /// count. [`SqlOptions::statement`] is watched here alone: the host's connections should have a `statement_timeout`
    /// and an `idle_in_transaction_session_timeout` too.
    ///
    /// # Errors
    ///
    /// When no connection can be had, or the database is not encoded in UTF-8.
    pub async fn from_postgres_pool(pool: sqlx::PgPool, options: &SqlOptions) -> StoreResult<Self> {
        let mut connection = pool.acquire().await.map_err(fault)?;
        postgres::check(&mut connection).await?;
        drop(connection);
        let pool = Pool::shared(pool, options.wait);
        Ok(Self::new(Database::postgres(pool, options), options))
    }
}

/// No password of a URL gets into a log, whatever the text of an error holds.
#[cfg(feature = "postgres")]
fn without_password(error: StoreError, url: &str) -> StoreError {
    let hidden = passwords(url);
    let hide = |text: String, password: &String| text.replace(password, "***");
    reworded(error, |text| hidden.iter().fold(text, hide))
}

/// The passwords in a URL, as they stand there and as the server knows them.
#[cfg(feature = "postgres")]
fn passwords(url: &str) -> Vec<String> {
    let before_host = || {
        let (_, rest) = url.split_once("://")?;
        let (user, _) = rest.rsplit_once('@')?;
        Some(user.split_once(':')?.1)
    };
    let mut passwords = Vec::new();
    if let Some(password) = before_host() {
        let decoded = percent_decode_str(password).decode_utf8_lossy();
        passwords.extend([password.to_owned(), decoded.into_owned()]);
    }
    if let Ok(url) = Url::parse(url) {
        let pairs = url.query_pairs().filter(|(name, _)| name == PASSWORD);
        passwords.extend(pairs.map(|(_, password)| password.into_owned()));
    }
    passwords.retain(|password| !password.is_empty());
    passwords
}

#[cfg(feature = "sqlite")]
mod sqlite {
    use std::path::{Path, PathBuf};

    use percent_encoding::percent_decode_str;

    use super::super::sqlite::{Access, Connection, File};
    use super::{Database, SqlOptions, reworded};
    use crate::store::{StoreError, StoreResult};

    pub(super) async fn open(url: &str, options: &SqlOptions) -> StoreResult<Database> {
        let file = parse(url, options)?;
        let first = connect(&file).await?;
        Ok(Database::sqlite(first, file, options))
    }

    async fn connect(file: &File) -> StoreResult<Connection> {
        let opened = file.clone().open().await;
        opened.map_err(|error| named(error, &file.path))
    }

    fn named(error: StoreError, file: &Path) -> StoreError {
        reworded(error, |cause| {
            format!("cannot open {}: {cause}", file.display())
        })
    }

    /// `sqlite://relative.db`, `sqlite:///absolute.db`, with percent-encoding, and `?mode=rw` or `?mode=rwc`.
    fn parse(url: &str, options: &SqlOptions) -> StoreResult<File> {
        let (address, mode) = url.split_once('?').unwrap_or((url, ""));
        let create = match mode {
            "" => options.create,
            "mode=rwc" => true,
            "mode=rw" => false,
            "mode=memory" => return Err(in_memory()),
            _ => {
                return Err(refused(
                    "of its parameters only `mode=rw` and `mode=rwc` are known",
                ));
            }
        };
        Ok(File {
            path: path(address)?,
            access: if create {
                Access::Create
            } else {
                Access::Write
            },
            wait: options.wait,
        })
    }

    fn path(address: &str) -> StoreResult<PathBuf> {
        let name = address.strip_prefix("sqlite:").unwrap_or(address);
        let name = percent_decode_str(name.strip_prefix("//").unwrap_or(name)).decode_utf8();
        let name =
            name.map_err(|_| refused("the name of the file must be percent-encoded UTF-8"))?;
        if name.is_empty() {
            return Err(refused("it names no file"));
        }
        if name.contains(":memory:") || name.starts_with("file:") {
            return Err(in_memory());
        }
        Ok(PathBuf::from(name.into_owned()))
    }

    fn refused(why: &str) -> StoreError {
        StoreError::Failed(format!(
            "the URL of the SQLite database cannot be used: {why}"
        ))
    }

    fn in_memory() -> StoreError {
        refused("the store needs a file, because a database in memory belongs to one connection")
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn file(url: &str) -> Result<String, StoreError> {
            parse(url, &SqlOptions::default())
                .map(|parsed| parsed.path.to_string_lossy().into_owned())
        }

        #[test]
        fn urls_name_files() {
            for (url, name) in [
                ("sqlite://formalize.db", "formalize.db"),
                ("sqlite:formalize.db", "formalize.db"),
                ("sqlite:///var/lib/f.db?mode=rwc", "/var/lib/f.db"),
                ("sqlite://a%20b%3F%25.db", "a b?%.db"),
            ] {
                assert_eq!(file(url).unwrap(), name);
            }
        }

        #[test]
        fn databases_without_a_file_are_refused() {
            for url in [
                "sqlite::memory:",
                "sqlite://:memory:",
                "sqlite://%3Amemory%3A",
                "sqlite://x.db?mode=memory",
                "sqlite://file::memory:",
                "sqlite://",
                "sqlite://x.db?cache=shared",
                "sqlite://%ff.db",
            ] {
                assert!(matches!(file(url), Err(StoreError::Failed(_))), "{url}");
            }
        }
    }
}

#[cfg(feature = "postgres")]
mod postgres {
    use sqlx::Connection as _;
    use sqlx::postgres::{PgConnectOptions, PgConnection, PgPoolOptions};
    use sqlx_core::Url;

    use super::super::pool::Pool;
    use super::super::session;
    use super::{Database, SqlOptions, fault};
    use crate::database_parameters::is_known;
    use crate::store::{StoreError, StoreResult};

    /// A parameter that the driver does not know would have no effect, whatever it was to protect from.
    fn check_parameters(url: &str) -> StoreResult<()> {
        let Ok(parsed) = Url::parse(url) else {
            // The driver says what is wrong with it.
            return Ok(());
        };
        let mut names = parsed.query_pairs().map(|(name, _)| name);
        let Some(name) = names.find(|name| !is_known(name)) else {
            return Ok(());
        };
        // What stands behind a question mark may belong to a password that should have been encoded.
        let is_name = !parsed.query().is_some_and(|query| query.contains('@'));
        let name = if is_name { &*name } else { "***" };
        Err(StoreError::Failed(format!(
            "the database URL has a parameter that is not known here: `{name}`"
        )))
    }

    /// The first connection is made outside the pool, which would say of any cause only that it took too long.
    pub(super) async fn open(url: &str, options: &SqlOptions) -> StoreResult<Database> {
        check_parameters(url)?;
        let mut server: PgConnectOptions = url.parse().map_err(fault)?;
        if server.get_application_name().is_none() {
            server = server.application_name("formalize");
        }
        let checked = async {
            let mut connection = PgConnection::connect_with(&server).await.map_err(fault)?;
            check(&mut connection).await?;
            connection.close().await.map_err(fault)
        };
        tokio::time::timeout(options.wait, checked)
            .await
            .map_err(|_| StoreError::Unavailable("PostgreSQL does not answer".to_owned()))??;
        let (statement, wait) = (options.statement, options.wait);
        let pool = PgPoolOptions::new()
            .max_connections(options.connections.max(1))
            .acquire_timeout(wait)
            .test_before_acquire(false)
            .before_acquire(move |connection, pooled| {
                Box::pin(session::test(connection, pooled.idle_for, wait))
            })
            .after_connect(move |connection, _| {
                Box::pin(session::set_up(connection, wait, statement))
            })
            .connect_lazy_with(server);
        let pool = Pool::own(pool, options.wait);
        Ok(Database::postgres(pool, options))
    }

    pub(super) async fn check(connection: &mut PgConnection) -> StoreResult<()> {
        let encoding: String = sqlx::query_scalar("SHOW server_encoding")
            .fetch_one(connection)
            .await
            .map_err(fault)?;
        if encoding == "UTF8" {
            Ok(())
        } else {
            Err(StoreError::Failed(format!(
                "the database is encoded in {encoding}; it must be UTF8"
            )))
        }
    }

    #[cfg(test)]
    mod tests {
        use super::super::without_password;
        use super::*;

        #[test]
        fn passwords_stay_out_of_errors() {
            for url in [
                "postgres://alice:p@ss/w@host/db",
                "postgres://alice:p%40ss%2Fw@host/db",
                "postgres://alice@host/db?sslmode=prefer&password=p%40ss%2fw",
            ] {
                let error = StoreError::Failed("no `p@ss/w` at host".to_owned());
                let shown = without_password(error, url).to_string();
                assert_eq!(shown, "the store failed: no `***` at host");
            }
        }

        #[test]
        fn parameters_are_known_or_refused_without_their_values() {
            for url in [
                "postgres://alice@host/db",
                "postgres://host/db?sslmode=require&user=a&password=b&options[geqo]=off",
                "postgres://host:x/db?passwd=s3cret",
            ] {
                assert!(check_parameters(url).is_ok(), "{url}");
            }
            for (url, named) in [
                (
                    "postgres://host/db?host=x&sslpassword=s3cret",
                    "sslpassword",
                ),
                ("postgres://host/db?Password=s3cret", "Password"),
                ("postgres://alice:12?s3cret=x@host/db", "***"),
            ] {
                let refused = check_parameters(url).unwrap_err().to_string();
                assert!(refused.ends_with(&format!("here: `{named}`")), "{refused}");
                assert!(!refused.contains("s3cret"), "{refused}");
            }
        }
    }
}
