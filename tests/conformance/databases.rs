//! What databases must do in addition to the guarantees of a store: opening, migrating, and values of maximum size.

use std::sync::Arc;
use std::time::Duration;

use formalize_core::store::{GrantRecord, Inserted, Store, StoreError};
use formalize_core::{
    Action, Resource, ResourceClass, ResourceId, ResourceIdentifier, ResourceRef, Subject,
    Timestamp, UserId, authorization::Object,
};
use formalize_sql::{DatabaseKind, SqlOptions, SqlStore};
use formalize_tests::TestDatabase;
use formalize_tests::patience::in_time;
use formalize_tests::stores::sqlite_connection;
use sqlx::Executor as _;

use crate::open;

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn servers_that_start_at_once_migrate_once() {
    let database = TestDatabase::empty().await.unwrap();
    let starting: Vec<_> = (0..6)
        .map(|_| {
            let url = database.url().to_owned();
            tokio::spawn(async move { open(&url).await.migrate().await })
        })
        .collect();
    for started in starting {
        started.await.unwrap().unwrap();
    }
    let store = open(database.url()).await;
    assert_eq!(store.kind(), DatabaseKind::Postgres);
    let status = store.migration_status().await.unwrap();
    assert!(!status.applied.is_empty() && status.pending.is_empty() && !status.newer);
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn a_failed_migration_leaves_no_lock() {
    let database = TestDatabase::empty().await.unwrap();
    let pool = sqlx::PgPool::connect(database.url()).await.unwrap();
    pool.execute("CREATE TABLE formalize_settings (of_somebody_else TEXT)")
        .await
        .unwrap();
    let failing = open(database.url()).await;
    let error = failing.migrate().await.unwrap_err();
    assert!(matches!(error, StoreError::Failed(_)), "{error}");
    pool.execute("DROP TABLE formalize_settings").await.unwrap();
    let other = open(database.url()).await;
    let migrated = in_time("the lock is free", other.migrate()).await;
    migrated.unwrap();
    drop(failing);
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn a_newer_database_is_refused() {
    let database = TestDatabase::empty().await.unwrap();
    let pool = sqlx::PgPool::connect(database.url()).await.unwrap();
    let store = SqlStore::from_postgres_pool(pool.clone(), &SqlOptions::default())
        .await
        .unwrap();
    store.migrate().await.unwrap();
    pool.execute(
        "INSERT INTO formalize_migrations \
         SELECT 9999, 'of the future', installed_on, success, checksum, execution_time \
         FROM formalize_migrations LIMIT 1",
    )
    .await
    .unwrap();
    assert!(store.migration_status().await.unwrap().newer);
    let refused = store.migrate().await.unwrap_err().to_string();
    assert!(
        refused.contains("a newer version of formalize"),
        "{refused}"
    );
}

/// PostgreSQL takes a timeout of zero for none.
#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn waits_for_locks_of_less_than_a_millisecond_end() {
    let database = TestDatabase::empty().await.unwrap();
    open(database.url()).await.migrate().await.unwrap();
    let pool = sqlx::postgres::PgPoolOptions::new().test_before_acquire(false);
    let pool = pool.connect(database.url()).await.unwrap();
    let options = SqlOptions {
        wait: Duration::from_micros(900),
        ..SqlOptions::default()
    };
    let store = SqlStore::from_postgres_pool(pool, &options).await.unwrap();
    let begin = async || {
        // So little time may pass before a connection is available.
        loop {
            if let Ok(tx) = store.write().await {
                return tx;
            }
        }
    };
    let (mut holder, mut waiting) = (begin().await, begin().await);
    holder.lock_memberships().await.unwrap();
    let refused = in_time("the wait ends", waiting.lock_memberships()).await;
    assert!(
        matches!(refused, Err(StoreError::LockTimeout(_))),
        "{refused:?}"
    );
}

/// The caller is cancelled while its transaction begins. The next user of the connection must not be in that
/// transaction.
#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn abandoned_transactions_are_rolled_back() {
    let database = TestDatabase::empty().await.unwrap();
    let pool = sqlx::postgres::PgPoolOptions::new().max_connections(1);
    let pool = pool.connect(database.url()).await.unwrap();
    let store = SqlStore::from_postgres_pool(pool.clone(), &SqlOptions::default())
        .await
        .unwrap();
    for wait in (0..60).map(|step| Duration::from_micros(20 * step)) {
        let _ = tokio::time::timeout(wait, store.read()).await;
        let _ = tokio::time::timeout(wait, store.write()).await;
        let times = "SELECT transaction_timestamp() = statement_timestamp()";
        // The simple protocol, in which a statement is one message.
        let row = sqlx::raw_sql(times).fetch_one(&pool).await.unwrap();
        let alone: bool = sqlx::Row::get(&row, 0);
        assert!(alone, "after {wait:?} a transaction is still open");
    }
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn other_encodings_are_refused() {
    let database = TestDatabase::empty().await.unwrap();
    let pool = sqlx::PgPool::connect(database.url()).await.unwrap();
    let (name,): (String,) = sqlx::query_as("SELECT current_database()::text")
        .fetch_one(&pool)
        .await
        .unwrap();
    let latin = format!("{name}_latin");
    let create = format!(
        "CREATE DATABASE {latin} TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'"
    );
    pool.execute(sqlx::AssertSqlSafe(create)).await.unwrap();
    let url = database.url().replacen(&name, &latin, 1);
    let refused = SqlStore::open(&url, &SqlOptions::default()).await;
    let drop_it = format!("DROP DATABASE {latin} WITH (FORCE)");
    pool.execute(sqlx::AssertSqlSafe(drop_it)).await.unwrap();
    let refused = refused.map(drop).unwrap_err().to_string();
    assert!(refused.contains("LATIN1"), "{refused}");
}

#[tokio::test]
async fn unreachable_servers_are_unavailable() {
    let refused = SqlStore::open(
        "postgres://alice:geheim@127.0.0.1:1/db",
        &SqlOptions::default(),
    )
    .await
    .map(drop)
    .unwrap_err();
    assert!(matches!(refused, StoreError::Unavailable(_)), "{refused}");
    assert!(!refused.to_string().contains("geheim"), "{refused}");
}

#[tokio::test]
async fn a_host_and_the_store_see_what_the_other_one_writes() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("host.db").display());
    let host = sqlite_connection(&url);
    host.execute_batch("CREATE TABLE of_the_host (name TEXT)")
        .unwrap();
    let store = open(&url).await;
    store.migrate().await.unwrap();
    let mut tx = store.write().await.unwrap();
    let inserted = tx.insert_setting("colour", "blue").await.unwrap();
    assert_eq!(inserted, Inserted::Done);
    tx.commit().await.unwrap();
    let select = "SELECT value FROM formalize_settings WHERE name = 'colour'";
    let seen: String = host.query_row(select, (), |row| row.get(0)).unwrap();
    assert_eq!(seen, "blue");
    host.execute_batch("INSERT INTO formalize_settings (name, value) VALUES ('shape', 'round')")
        .unwrap();
    let mut tx = store.read().await.unwrap();
    let shape = tx.find_setting("shape").await.unwrap();
    assert_eq!(shape.as_deref(), Some("round"));
}

/// A name of 255 different four-byte characters, which cannot be compressed.
fn longest(seed: u32) -> String {
    let mut state = seed;
    let letters = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from_u32(0x2_0000 + (state >> 16) % 0xA000).unwrap()
    });
    letters.take(255).collect()
}

/// Identifiers may have 255 characters, while an index entry of PostgreSQL may have at most 2704 bytes.
async fn longest_names_fit(store: Arc<SqlStore>) {
    let now = Timestamp::from_millis(1_795_000_000_000).unwrap();
    let id = ResourceId::from_uuid(uuid_of(1));
    let resource = Resource {
        id,
        resource: ResourceRef::item(
            ResourceClass::new(longest(1)).unwrap(),
            ResourceIdentifier::new(longest(2)).unwrap(),
        ),
        object: Object::Other(id),
        date_created: now,
    };
    let grant = GrantRecord {
        id: formalize_core::GrantId::from_uuid(uuid_of(2)),
        subject: Subject::User(UserId::new(longest(3)).unwrap()),
        action: Action::new(longest(4)).unwrap(),
        resource: id,
        date_created: now,
    };
    let mut tx = store.write().await.unwrap();
    let inserted = tx.insert_resource(&resource).await.unwrap();
    assert_eq!(inserted, Inserted::Done);
    assert_eq!(tx.insert_grant(&grant).await.unwrap(), Inserted::Done);
    tx.commit().await.unwrap();
    let mut tx = store.read().await.unwrap();
    let found = tx.find_grant(grant.id).await.unwrap().unwrap();
    assert_eq!(found.resource, resource);
    assert_eq!((found.subject, found.action), (grant.subject, grant.action));
}

fn uuid_of(number: u128) -> uuid::Uuid {
    uuid::Uuid::from_u128(number)
}

#[tokio::test]
async fn longest_names_fit_into_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("formalize.db");
    let store = open(&format!("sqlite://{}", file.display())).await;
    store.migrate().await.unwrap();
    longest_names_fit(store).await;
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn longest_names_fit_into_postgres() {
    let database = TestDatabase::empty().await.unwrap();
    let store = open(database.url()).await;
    store.migrate().await.unwrap();
    longest_names_fit(store).await;
}
