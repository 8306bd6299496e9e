//! Tests of the databases for tests.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{env, fs};

use formalize_tests::TestDatabase;
use sqlx::{Connection, PgConnection, Row};

/// The file into which [`another_process`] writes its result.
const REPORT_VARIABLE: &str = "FORMALIZE_TESTS_REPORT";

/// Creates a table with one row that is different each time.
async fn migrate(url: String) -> Result<(), sqlx::Error> {
    let mut connection = PgConnection::connect(&url).await?;
    let sql = "CREATE TABLE mark AS SELECT gen_random_uuid()::text AS mark";
    sqlx::raw_sql(sql).execute(&mut connection).await?;
    connection.close().await
}

/// The name of the database, the row of its migration, and the start time of its server.
async fn look(database: &TestDatabase) -> Result<[String; 3], sqlx::Error> {
    let mut connection = PgConnection::connect(database.url()).await?;
    let sql = "SELECT current_database()::text, mark, pg_postmaster_start_time()::text FROM mark";
    let row = sqlx::query(sql).fetch_one(&mut connection).await?;
    Ok([row.try_get(0)?, row.try_get(1)?, row.try_get(2)?])
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn databases_are_copies_of_one_template_and_independent() {
    let one = TestDatabase::migrated("support", migrate).await.unwrap();
    let two = TestDatabase::migrated("support", migrate).await.unwrap();
    let [name_of_one, mark_of_one, _] = look(&one).await.unwrap();
    let [name_of_two, mark_of_two, _] = look(&two).await.unwrap();
    assert_ne!(name_of_one, name_of_two);
    assert_eq!(mark_of_one, mark_of_two, "migrated once");

    let mut connection = PgConnection::connect(one.url()).await.unwrap();
    sqlx::raw_sql("DELETE FROM mark")
        .execute(&mut connection)
        .await
        .unwrap();
    assert_eq!(look(&two).await.unwrap()[1], mark_of_two);
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn other_migrations_make_another_template() {
    let one = TestDatabase::migrated("support", migrate).await.unwrap();
    let two = TestDatabase::migrated("support, changed", migrate)
        .await
        .unwrap();
    assert_ne!(look(&one).await.unwrap()[1], look(&two).await.unwrap()[1]);
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn a_migration_that_fails_leaves_no_template() {
    let failing = async |url: String| {
        migrate(url).await?;
        Err(sqlx::Error::RowNotFound)
    };
    let key = format!("support, failing in {}", std::process::id());
    let error = TestDatabase::migrated(&key, failing).await.unwrap_err();
    assert_eq!(error.to_string(), sqlx::Error::RowNotFound.to_string());
    let database = TestDatabase::migrated(&key, migrate).await.unwrap();
    assert_eq!(look(&database).await.unwrap()[1].len(), 36);
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn dropping_a_value_drops_its_database_even_while_in_use() {
    let watching = TestDatabase::empty().await.unwrap();
    let mut watcher = PgConnection::connect(watching.url()).await.unwrap();
    let database = TestDatabase::migrated("support", migrate).await.unwrap();
    let [name, ..] = look(&database).await.unwrap();
    let mut exists = async || -> bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)";
        sqlx::query_scalar(sql)
            .bind(&name)
            .fetch_one(&mut watcher)
            .await
            .unwrap()
    };
    assert!(exists().await);
    let _user = PgConnection::connect(database.url()).await.unwrap();
    drop(database);
    assert!(!exists().await);
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn concurrent_requests_get_separate_databases() {
    let tasks: Vec<_> = (0..8)
        .map(|_| tokio::spawn(TestDatabase::migrated("support", migrate)))
        .collect();
    let mut databases = Vec::new();
    for task in tasks {
        databases.push(task.await.unwrap().unwrap());
    }
    let urls: BTreeSet<_> = databases.iter().map(TestDatabase::url).collect();
    assert_eq!(urls.len(), 8);
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn processes_share_the_cluster_and_the_template() {
    let folder = tempfile::tempdir().unwrap();
    let reports: Vec<PathBuf> = (0..3).map(|n| folder.path().join(n.to_string())).collect();
    let start = |report: &PathBuf| {
        Command::new(env::current_exe().unwrap())
            .args(["--exact", "another_process"])
            .env(REPORT_VARIABLE, report)
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let processes: Vec<_> = reports.iter().map(start).collect();
    for mut process in processes {
        assert!(process.wait().unwrap().success());
    }
    let reports: Vec<String> = reports
        .iter()
        .map(|report| fs::read_to_string(report).unwrap())
        .collect();
    let seen: Vec<Vec<&str>> = reports
        .iter()
        .map(|report| report.split('\n').collect())
        .collect();
    let different = |column: usize| {
        seen.iter()
            .map(|row| row[column])
            .collect::<BTreeSet<_>>()
            .len()
    };
    assert_eq!(
        (different(0), different(1), different(2)),
        (3, 1, 1),
        "{seen:?}"
    );
}

/// Does nothing unless [`processes_share_the_cluster_and_the_template`] starts it.
#[tokio::test]
async fn another_process() {
    let Some(report) = env::var_os(REPORT_VARIABLE) else {
        return;
    };
    let database = TestDatabase::migrated("support", migrate).await.unwrap();
    fs::write(report, look(&database).await.unwrap().join("\n")).unwrap();
}
