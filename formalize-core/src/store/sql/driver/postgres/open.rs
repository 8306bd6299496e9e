//! Opens connections from a URL or a pool of the host application, and sets them up for the store.

use std::sync::Arc;

use sqlx::Connection as _;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPoolOptions};
use sqlx_core::{Url, percent_encoding::percent_decode_str};

use super::driver::PostgresDriver;
use super::fault::fault;
use super::pool::Pool;
use super::session;
use crate::database_parameters::{PASSWORD, is_known};
use crate::store::sql::driver::fault::reworded;
use crate::store::sql::driver::{Database, StoreMetrics};
use crate::store::sql::{SqlOptions, SqlStore};
use crate::store::{StoreError, StoreResult};

pub(in crate::store::sql::driver) async fn open(
    url: &str,
    options: &SqlOptions,
    metrics: StoreMetrics,
) -> StoreResult<PostgresDriver> {
    let pool = connect(url, options).await;
    let pool = pool.map_err(|error| without_password(error, url))?;
    Ok(PostgresDriver::new(pool, options, metrics))
}

impl SqlStore {
    /// A store that uses a pool of PostgreSQL connections owned by the host application. [`SqlOptions::connections`]
    /// has no effect. [`SqlOptions::statement`] is enforced only by this client: set `statement_timeout` and
    /// `idle_in_transaction_session_timeout` on the host's connections too.
    ///
    /// # Errors
    ///
    /// When no connection is available, or the database is not encoded in UTF-8.
    pub async fn from_postgres_pool(pool: sqlx::PgPool, options: &SqlOptions) -> StoreResult<Self> {
        let mut connection = pool.acquire().await.map_err(fault)?;
        check(&mut connection).await?;
        drop(connection);
        let pool = Pool::shared(pool, options.wait);
        let metrics = StoreMetrics::default();
        let driver = Arc::new(PostgresDriver::new(pool, options, metrics.clone()));
        let database = Database {
            driver,
            metrics,
            read_only: options.read_only,
        };
        Ok(Self::new(database, options))
    }
}

/// Rejects unknown parameters. The driver would ignore them, even if they were meant to secure the connection.
fn check_parameters(url: &str) -> StoreResult<()> {
    let Ok(parsed) = Url::parse(url) else {
        // The driver reports what is wrong with it.
        return Ok(());
    };
    let mut names = parsed.query_pairs().map(|(name, _)| name);
    let Some(name) = names.find(|name| !is_known(name)) else {
        return Ok(());
    };
    // The text after a question mark may be part of a password that is not percent-encoded.
    let is_name = !parsed.query().is_some_and(|query| query.contains('@'));
    let name = if is_name { &*name } else { "***" };
    Err(StoreError::Failed(format!(
        "unknown parameter `{name}` in the database URL"
    )))
}

/// The first connection is opened outside the pool, because the pool reports every failure as a timeout.
async fn connect(url: &str, options: &SqlOptions) -> StoreResult<Pool> {
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
        .map_err(|_| StoreError::Unavailable("PostgreSQL did not respond in time".to_owned()))??;
    let (statement, wait) = (options.statement, options.wait);
    let pool = PgPoolOptions::new()
        .max_connections(options.connections.max(1))
        .acquire_timeout(wait)
        .test_before_acquire(false)
        .before_acquire(move |connection, pooled| {
            Box::pin(session::test(connection, pooled.idle_for, wait))
        })
        .after_connect(move |connection, _| Box::pin(session::set_up(connection, wait, statement)))
        .connect_lazy_with(server);
    Ok(Pool::own(pool, options.wait))
}

async fn check(connection: &mut PgConnection) -> StoreResult<()> {
    let encoding: String = sqlx::query_scalar("SHOW server_encoding")
        .fetch_one(connection)
        .await
        .map_err(fault)?;
    if encoding == "UTF8" {
        Ok(())
    } else {
        Err(StoreError::Failed(format!(
            "the encoding of the database is {encoding}; create it with ENCODING 'UTF8'"
        )))
    }
}

/// Hides the passwords of a URL in an error, which may be logged.
fn without_password(error: StoreError, url: &str) -> StoreError {
    let hidden = passwords(url);
    let hide = |text: String, password: &String| text.replace(password, "***");
    reworded(error, |text| hidden.iter().fold(text, hide))
}

/// The passwords in a URL, as written and decoded.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_hidden_in_errors() {
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
    fn unknown_parameters_are_rejected_without_their_values() {
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
            let expected =
                format!("the store failed: unknown parameter `{named}` in the database URL");
            assert_eq!(refused, expected);
        }
    }
}
