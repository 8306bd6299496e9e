//! PostgreSQL for tests.
//!
//! The first test that needs a database starts a temporary cluster with the programs that it finds (the folder in
//! `FORMALIZE_TEST_POSTGRES_BIN`, `PATH`, `/usr/lib/postgresql/*/bin`). All tests of a workspace share it, also across
//! processes; it stops a minute after the last one. `FORMALIZE_TEST_POSTGRES_URL` names a server to use instead, with a
//! user who may create databases.
//!
//! Each test gets its own database, copied from a template that was migrated once.
//!
//! Without PostgreSQL, tests are reported as *ignored*, or fail if `FORMALIZE_REQUIRE_POSTGRES=1` is set. A test that
//! needs it begins like this:
//!
//! ```text
//! #[tokio::test]
//! #[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
//! async fn forms_are_kept() {
//!     let migrate = async |url: String| SqlStore::open(&url).await?.migrate().await;
//!     let database = TestDatabase::migrated(MIGRATIONS, migrate).await.unwrap();
//!     let store = SqlStore::open(database.url()).await.unwrap();
//!     // ...
//! }
//! ```
//!
//! `cfg(formalize_postgres)` is set when the tests are compiled.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::{env, thread};

use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::Result;
use cluster::Cluster;

pub(crate) mod binaries;
pub(crate) mod cluster;
pub(crate) mod layout;
mod own;
pub(crate) mod programs;

pub use own::OwnCluster;
pub(crate) use programs::User;

/// The path of a program of PostgreSQL, such as `pg_dump`.
///
/// # Errors
///
/// If the programs are not installed.
pub fn program(name: &str) -> Result<PathBuf> {
    let folder = binaries::find().ok_or("no programs of PostgreSQL were found")?;
    Ok(folder.join(name))
}

/// The URL of a server to use instead of a temporary cluster.
const URL_VARIABLE: &str = "FORMALIZE_TEST_POSTGRES_URL";

/// The advisory lock for creating databases. PostgreSQL copies a template only while nobody else is connected to it,
/// and copying connects to it.
const CREATION_LOCK: i64 = 0x666f_726d_616c;

/// A PostgreSQL database for one test. Dropping the value drops the database, even if it is in use.
#[derive(Debug)]
pub struct TestDatabase {
    server: Server,
    name: String,
    url: String,
}

impl TestDatabase {
    /// An empty database.
    ///
    /// # Errors
    ///
    /// If PostgreSQL is not available, or fails.
    pub async fn empty() -> Result<Self> {
        Self::on(Server::find().await?).await
    }

    async fn on(server: Server) -> Result<Self> {
        let mut creation = Creation::begin(&server).await?;
        let name = creation.create_from("template0").await?;
        Ok(Self {
            url: server.url_of(&name),
            server,
            name,
        })
    }

    /// An empty database on a server with durable commits, for measurements.
    ///
    /// # Errors
    ///
    /// If PostgreSQL is not available, or fails.
    pub async fn durable() -> Result<Self> {
        Self::on(Server::durable().await?).await
    }

    /// A migrated database.
    ///
    /// `migrate` gets the URL of an empty database and must close its connections before it returns. It runs only once
    /// for the same `migrations`, which can be any text that changes with the migrations.
    ///
    /// # Errors
    ///
    /// If PostgreSQL is not available, if it fails, or if `migrate` does.
    pub async fn migrated<E>(
        migrations: &str,
        migrate: impl AsyncFnOnce(String) -> std::result::Result<(), E>,
    ) -> Result<Self>
    where
        E: Into<crate::Error>,
    {
        let server = Server::find().await?;
        let mut creation = Creation::begin(&server).await?;
        let template = template_name(migrations);
        if !creation.exists(&template).await? {
            let unfinished = format!("{template}_unfinished");
            creation.recreate(&unfinished).await?;
            migrate(server.url_of(&unfinished))
                .await
                .map_err(Into::into)?;
            creation.rename(&unfinished, &template).await?;
        }
        let name = creation.create_from(&template).await?;
        Ok(Self {
            url: server.url_of(&name),
            server,
            name,
        })
    }

    /// The URL of the database, `postgres://...`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let (url, name) = (self.server.url.clone(), self.name.clone());
        // Uses a separate thread, because the runtime of the test cannot be blocked here. A database that cannot be
        // dropped goes with the cluster.
        let dropping = thread::spawn(move || -> Result<()> {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()?;
            runtime.block_on(async {
                let mut connection = PgConnection::connect(&url).await?;
                let sql = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
                sqlx::raw_sql(AssertSqlSafe(sql))
                    .execute(&mut connection)
                    .await?;
                Ok(connection.close().await?)
            })
        });
        let _ = dropping.join();
    }
}

/// The server that the databases are on.
#[derive(Clone, Debug)]
struct Server {
    /// The URL of a database that always exists.
    url: String,
}

impl Server {
    async fn find() -> Result<Self> {
        if let Ok(url) = env::var(URL_VARIABLE)
            && !url.is_empty()
        {
            return Ok(Self { url });
        }
        let cluster = tokio::task::spawn_blocking(Cluster::shared).await??;
        Ok(Self::of(cluster))
    }

    async fn durable() -> Result<Self> {
        let cluster = tokio::task::spawn_blocking(Cluster::durable).await??;
        Ok(Self::of(cluster))
    }

    fn of(cluster: &Cluster) -> Self {
        let socket = encode(cluster.socket.as_os_str().as_encoded_bytes());
        Self {
            url: format!("postgres://formalize@localhost/postgres?host={socket}"),
        }
    }

    /// The URL of another database on the same server.
    fn url_of(&self, database: &str) -> String {
        let (location, parameters) = self.url.split_once('?').unwrap_or((&self.url, ""));
        let (scheme, rest) = location.split_once("://").unwrap_or(("postgres", location));
        let host = rest.split('/').next().unwrap_or_default();
        let separator = if parameters.is_empty() { "" } else { "?" };
        format!("{scheme}://{host}/{database}{separator}{parameters}")
    }
}

/// A connection that holds the lock for creating databases until it is closed.
struct Creation {
    connection: PgConnection,
}

impl Creation {
    async fn begin(server: &Server) -> Result<Self> {
        let mut connection = PgConnection::connect(&server.url).await?;
        let lock = sqlx::query("SELECT pg_advisory_lock($1)").bind(CREATION_LOCK);
        lock.execute(&mut connection).await?;
        Ok(Self { connection })
    }

    async fn run(&mut self, sql: String) -> Result<()> {
        sqlx::raw_sql(AssertSqlSafe(sql))
            .execute(&mut self.connection)
            .await?;
        Ok(())
    }

    async fn exists(&mut self, name: &str) -> Result<bool> {
        let sql = "SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)";
        Ok(sqlx::query_scalar(sql)
            .bind(name)
            .fetch_one(&mut self.connection)
            .await?)
    }

    /// Creates an empty database, replacing one that may have been migrated only in part.
    async fn recreate(&mut self, name: &str) -> Result<()> {
        self.run(format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
            .await?;
        self.run(format!("CREATE DATABASE {name} TEMPLATE template0"))
            .await
    }

    async fn rename(&mut self, from: &str, to: &str) -> Result<()> {
        self.run(format!("ALTER DATABASE {from} RENAME TO {to}"))
            .await
    }

    /// A copy of a template, under a new name.
    async fn create_from(&mut self, template: &str) -> Result<String> {
        let sql = "SELECT 'formalize_test_' || replace(gen_random_uuid()::text, '-', '')";
        let name: String = sqlx::query_scalar(sql)
            .fetch_one(&mut self.connection)
            .await?;
        // Copying files takes a third of the time of logging every block, and all tests wait for each other here.
        self.run(format!(
            "CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY"
        ))
        .await?;
        Ok(name)
    }
}

fn template_name(migrations: &str) -> String {
    let mut hasher = DefaultHasher::new();
    migrations.hash(&mut hasher);
    format!("formalize_template_{:016x}", hasher.finish())
}

/// Encodes a path for a parameter of a URL.
fn encode(path: &[u8]) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte);
    path.iter()
        .map(|&byte| {
            if plain(byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}
