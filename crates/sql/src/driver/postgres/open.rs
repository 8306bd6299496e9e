//! Opens connections from a URL or a pool of the host application, and sets them up for the store.

use std::sync::Arc;

use formalize_core::StoreError;
use formalize_core::internals::database_parameters::{PASSWORD, is_known};
use formalize_core::store::StoreResult;
use sqlx::Connection as _;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPoolOptions};
use sqlx_core::{Url, percent_encoding::percent_decode_str};

use super::driver::PostgresDriver;
use super::fault::{connect_fault, fault};
use super::hosts::{self, Hosts, is_standby};
use super::pool::{Pool, ServerState};
use super::session;
use crate::driver::fault::reworded;
use crate::driver::{Database, STEPS, StoreMetrics};
use crate::{SqlOptions, SqlStore};

pub(in crate::driver) async fn open(
    url: &str,
    options: &SqlOptions,
    metrics: StoreMetrics,
) -> StoreResult<PostgresDriver> {
    let urls = hosts::split(url);
    let pool = connect(&urls, options).await;
    let hide = |error, url: &String| without_password(error, url);
    let pool = pool.map_err(|error| urls.iter().fold(error, hide))?;
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
            steps: STEPS,
            #[cfg(feature = "plans")]
            told: None,
            wait: options.wait,
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

/// A pool of connections to the primary among these servers.
async fn connect(urls: &[String], options: &SqlOptions) -> StoreResult<Pool> {
    let servers: Vec<_> = urls
        .iter()
        .map(|url| server(url))
        .collect::<Result<_, _>>()?;
    let current = primary(&servers, options).await?;
    let Some(server) = servers.get(current).cloned() else {
        return Err(StoreError::Failed("the URL names no host".to_owned()));
    };
    let (statement, wait, is_read_only) = (options.statement, options.wait, options.read_only);
    let state = ServerState::default();
    let (before, after) = (state.clone(), state.clone());
    let pool = PgPoolOptions::new()
        .max_connections(options.connections.max(1))
        .acquire_timeout(wait)
        .test_before_acquire(false)
        .before_acquire(move |connection, pooled| {
            let is_older = before.is_older(pooled.age);
            Box::pin(async move {
                Ok(!is_older && session::test(connection, pooled.idle_for, wait).await?)
            })
        })
        .after_connect(move |connection, _| {
            let state = after.clone();
            Box::pin(async move {
                let is_standby = is_standby(connection).await?;
                state.connected(is_standby);
                if is_standby && !is_read_only {
                    return Err(session::refuse_standby());
                }
                session::set_up(connection, wait, statement).await
            })
        })
        .connect_lazy_with(server);
    let hosts = Hosts::new(servers, current, is_read_only);
    Ok(Pool::own(pool, options.wait, hosts, state))
}

fn server(url: &str) -> StoreResult<PgConnectOptions> {
    check_parameters(url)?;
    let server: PgConnectOptions = url.parse().map_err(fault)?;
    Ok(match server.get_application_name() {
        Some(_) => server,
        None => server.application_name("formalize"),
    })
}

/// The index of the first server that can be used. The connections are opened outside the pool, because the pool reports
/// every failure as a timeout.
async fn primary(servers: &[PgConnectOptions], options: &SqlOptions) -> StoreResult<usize> {
    let mut first_error = None;
    for (index, server) in servers.iter().enumerate() {
        let checked = tokio::time::timeout(options.wait, check_server(server, options.read_only));
        let checked = checked.await.unwrap_or_else(|_| {
            let silence = "PostgreSQL did not respond in time";
            Err(StoreError::Unavailable(silence.to_owned()))
        });
        match checked {
            Ok(()) => return Ok(index),
            // The database is the same on all servers, so these errors would be, too.
            Err(error @ (StoreError::Refused(_) | StoreError::Failed(_))) => return Err(error),
            // Nothing was connected yet that could have been lost.
            Err(StoreError::Disconnected(text)) => {
                first_error = first_error.or(Some(StoreError::Unavailable(text)));
            }
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(first_error
        .unwrap_or_else(|| StoreError::Failed("the URL of the database names no host".to_owned())))
}

async fn check_server(server: &PgConnectOptions, is_read_only: bool) -> StoreResult<()> {
    let connect = || async {
        PgConnection::connect_with(server)
            .await
            .map_err(connect_fault)
    };
    let mut connection = connect().await?;
    check(&mut connection).await?;
    if !is_read_only && is_standby(&mut connection).await.map_err(fault)? {
        return Err(StoreError::Unavailable(
            "the database server is a standby and takes no writes; use the address of the primary, or name all servers \
             in the URL"
                .to_owned(),
        ));
    }
    check_pooling(&mut connection, &mut connect().await?).await?;
    connection.close().await.map_err(fault)
}

/// The oldest version of PostgreSQL that the tests cover, as the server writes it.
const OLDEST_VERSION: i32 = 15_00_00;

async fn check(connection: &mut PgConnection) -> StoreResult<()> {
    let text = "SELECT version(), current_setting('server_version_num')::int4, current_setting('server_encoding')";
    let (name, version, encoding): (String, i32, String) = sqlx::query_as(text)
        .fetch_one(connection)
        .await
        .map_err(fault)?;
    let fault = if let Some(other) = other_database(&name) {
        format!("the database is {other}, which is not supported; use PostgreSQL")
    } else if version < OLDEST_VERSION {
        let oldest = OLDEST_VERSION / 10_000;
        format!("the database server is {name}; use PostgreSQL {oldest} or newer")
    } else if encoding != "UTF8" {
        format!("the encoding of the database is {encoding}; create it with ENCODING 'UTF8'")
    } else {
        return Ok(());
    };
    Err(StoreError::Failed(fault))
}

/// Databases that speak the protocol of PostgreSQL, but lack advisory locks or notifications.
fn other_database(version: &str) -> Option<&'static str> {
    let others = [("CockroachDB", "CockroachDB"), ("-YB-", "YugabyteDB")];
    let found = others.iter().find(|(mark, _)| version.contains(mark))?;
    Some(found.1)
}

/// Fails if two open connections share a server process. A pooler in transaction mode makes them do that. Settings, prepared
/// statements and notifications belong to a process, and would get lost.
async fn check_pooling(first: &mut PgConnection, second: &mut PgConnection) -> StoreResult<()> {
    // Unnamed, because a pooler would mix up the names of prepared statements.
    let process = || sqlx::query_scalar::<_, i32>("SELECT pg_backend_pid()").persistent(false);
    let one = process().fetch_one(first).await.map_err(fault)?;
    let other = process().fetch_one(second).await.map_err(fault)?;
    if one == other {
        return Err(StoreError::Failed(
            "the database URL leads to a connection pooler in transaction mode, which is not supported; use session mode, \
             or connect to PostgreSQL directly"
                .to_owned(),
        ));
    }
    Ok(())
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
    fn other_databases_are_recognized_by_their_version() {
        let others = [
            (
                "PostgreSQL 15.18 (Debian 15.18-1) on x86_64-pc-linux-gnu",
                None,
            ),
            (
                "CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu)",
                Some("CockroachDB"),
            ),
            (
                "PostgreSQL 11.2-YB-2.20.0.0-b0 on x86_64-pc-linux-gnu",
                Some("YugabyteDB"),
            ),
        ];
        for (version, other) in others {
            assert_eq!(other_database(version), other, "{version}");
        }
    }

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
