//! Databases that are empty, outdated or newer than the server.

use std::time::Duration;

use formalize_tests::stores::sqlite_connection;
use formalize_tests::{Result, ServerCommand, TestDatabase};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::client::{Installation, readiness};

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn concurrently_starting_servers_migrate_once() {
    let database = TestDatabase::empty().await.unwrap();
    let command = ServerCommand::new().unwrap();
    let command = command.env("FORMALIZE_DATABASE_URL", database.url());
    let started = tokio::join!(
        command.start(),
        command.start(),
        command.start(),
        command.start()
    );
    for server in [started.0, started.1, started.2, started.3] {
        let ready = format!("{}/readyz", server.as_ref().unwrap().base_url());
        assert_eq!(reqwest::get(ready).await.unwrap().status(), 200);
        assert!(server.unwrap().terminate().await.unwrap().success());
    }
    let mut connection = PgConnection::connect(database.url()).await.unwrap();
    let applied =
        "SELECT count(*), count(DISTINCT version) FROM formalize_migrations WHERE success";
    let (steps, versions): (i64, i64) = sqlx::query_as(applied)
        .fetch_one(&mut connection)
        .await
        .unwrap();
    assert!(steps > 0 && steps == versions, "{steps} {versions}");
}

/// Records a migration of a later version in a database.
const FUTURE: &str = "INSERT INTO formalize_migrations \
    SELECT 99990101000000, 'of the future', installed_on, success, checksum, execution_time \
    FROM formalize_migrations LIMIT 1";

async fn execute(installation: &Installation, statement: String) -> Result<()> {
    if let Some(database) = installation.database() {
        let mut connection = PgConnection::connect(database.url()).await?;
        sqlx::query(AssertSqlSafe(statement))
            .execute(&mut connection)
            .await?;
        return Ok(connection.close().await?);
    }
    let file = installation.command.folder().join("formalize.db");
    let url = format!("sqlite://{}", file.display());
    Ok(sqlite_connection(&url).execute_batch(&statement)?)
}

async fn a_newer_database_is_refused(installation: Installation) {
    execute(&installation, FUTURE.to_owned()).await.unwrap();
    for automatically in ["true", "false"] {
        let command = installation.command.clone();
        let command = command.env("FORMALIZE_AUTO_MIGRATE", automatically);
        let refused = command.start().await.unwrap_err().to_string();
        assert!(
            refused.contains("error: the database was migrated by a newer version of formalize"),
            "{refused}"
        );
    }
    for arguments in [&["forms", "list"][..], &["migrate", "up"]] {
        let refused = installation.cli(arguments).await.unwrap_err().to_string();
        assert!(
            refused.contains("exit status: 1")
                && refused.contains("migrated by a newer version of formalize"),
            "{refused}"
        );
    }
}

#[tokio::test]
async fn a_newer_database_is_refused_on_sqlite() {
    a_newer_database_is_refused(Installation::on_sqlite().await.unwrap()).await;
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn a_newer_database_is_refused_on_postgresql() {
    a_newer_database_is_refused(Installation::on_postgres().await.unwrap()).await;
}

/// A server goes on after a newer one has migrated the database only if the migration says that it may.
async fn a_server_notices_a_newer_database(installation: Installation) {
    let server = installation.command.start().await.unwrap();
    let future = FUTURE.replace("'of", "'compatible: of");
    execute(&installation, future).await.unwrap();
    // A result is kept for a second.
    tokio::time::sleep(Duration::from_millis(1100)).await;
    readiness(&server, 200).await;
    let log = server.stderr().unwrap();
    assert!(!log.contains("migrated by a newer version"), "{log}");
    let incompatible = "UPDATE formalize_migrations SET description = 'of the future' \
                        WHERE version = 99990101000000";
    execute(&installation, incompatible.to_owned())
        .await
        .unwrap();
    readiness(&server, 503).await;
    let log = server.stderr().unwrap();
    assert!(log.contains("migrated by a newer version"), "{log}");
    let alive = format!("{}/healthz", server.base_url());
    assert_eq!(reqwest::get(alive).await.unwrap().status(), 200);
    assert!(server.terminate().await.unwrap().success());
}

#[tokio::test]
async fn a_server_notices_a_newer_database_on_sqlite() {
    a_server_notices_a_newer_database(Installation::on_sqlite().await.unwrap()).await;
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn a_server_notices_a_newer_database_on_postgresql() {
    a_server_notices_a_newer_database(Installation::on_postgres().await.unwrap()).await;
}

/// With `auto_migrate = false`, a server does not start before the database was migrated.
async fn migrations_require_permission(command: ServerCommand) {
    let careful = command.clone().arg("--auto-migrate=false");
    let refused = careful.start().await.unwrap_err().to_string();
    assert!(
        refused.contains("`auto_migrate` is `false` and migrations are pending: "),
        "{refused}"
    );
    let server = command.start().await.unwrap();
    assert!(server.terminate().await.unwrap().success());
    let server = careful.start().await.unwrap();
    assert!(server.terminate().await.unwrap().success());
}

#[tokio::test]
async fn migrations_require_permission_on_sqlite() {
    migrations_require_permission(ServerCommand::new().unwrap()).await;
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn migrations_require_permission_on_postgresql() {
    let database = TestDatabase::empty().await.unwrap();
    let command = ServerCommand::new().unwrap();
    migrations_require_permission(command.env("FORMALIZE_DATABASE_URL", database.url())).await;
}

/// The lines of the log about single migrations and about a new database, and the notices of PostgreSQL that sqlx logs.
async fn migrations_logged(command: &ServerCommand) -> [usize; 3] {
    let server = command.start().await.unwrap();
    let log = server.stderr().unwrap();
    assert!(server.terminate().await.unwrap().success());
    let lines = |part| log.lines().filter(|line| line.contains(part)).count();
    [
        lines("applied a migration of the database"),
        lines("applied all migrations to a new database"),
        lines("sqlx::postgres::notice"),
    ]
}

async fn a_new_database_is_one_line_of_the_log(command: ServerCommand) {
    assert_eq!(migrations_logged(&command).await, [0, 1, 0]);
    assert_eq!(migrations_logged(&command).await, [0, 0, 0]);
}

#[tokio::test]
async fn a_new_database_is_one_line_of_the_log_on_sqlite() {
    a_new_database_is_one_line_of_the_log(ServerCommand::new().unwrap()).await;
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn a_new_database_is_one_line_of_the_log_on_postgresql() {
    let database = TestDatabase::empty().await.unwrap();
    let command = ServerCommand::new().unwrap();
    a_new_database_is_one_line_of_the_log(command.env("FORMALIZE_DATABASE_URL", database.url()))
        .await;
}
