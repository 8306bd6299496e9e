//! Upgrades: a later version, which has one migration more, opens a database with records. The migration is invented, so that
//! this is tested as long as there is only one.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use formalize_core::store::scope::ItemScope;
use formalize_core::store::{Store, StoreError, Window};
use formalize_core::{Caller, Formalize, GroupName, NewGroup};
use formalize_sql::{MigrationStep, SqlStore};
use formalize_tests::patience::in_time;
use formalize_tests::stores::{Database, sqlite_connection};
use sqlx::{Connection as _, PgConnection};
use tokio::task::JoinSet;

macro_rules! on_both {
    ($($body:ident),+ $(,)?) => {
        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $body() {
                    super::$body(super::Database::sqlite().await).await;
                }
            )+
        }

        mod postgres {
            $(
                #[tokio::test(flavor = "multi_thread")]
                #[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
                async fn $body() {
                    super::$body(super::Database::postgres().await).await;
                }
            )+
        }
    };
}

on_both! {
    an_upgrade_keeps_and_changes_what_is_there,
    servers_that_upgrade_at_once_upgrade_once,
    writes_go_on_while_a_later_version_upgrades,
    older_versions_go_on_after_a_compatible_upgrade,
    other_upgrades_end_older_versions,
    a_failed_upgrade_changes_nothing,
}

const INCOMPATIBLE: &str = "colours of groups";
const COMPATIBLE: &str = "compatible: colours of groups";

/// The migration of the later version. It changes a table, its rows and the schema, and fails if it is applied twice.
const COLOURS: &str = "ALTER TABLE formalize_groups ADD COLUMN colour TEXT; \
    UPDATE formalize_groups SET colour = 'blue' WHERE name = 'Reading circle'; \
    CREATE TABLE formalize_colours (name TEXT NOT NULL PRIMARY KEY); \
    INSERT INTO formalize_colours (name) SELECT colour FROM formalize_groups WHERE colour IS NOT NULL";

/// A migration whose second statement fails.
const FAILING: &str = "CREATE TABLE formalize_colours (name TEXT NOT NULL PRIMARY KEY); \
    INSERT INTO formalize_nowhere (name) VALUES ('blue')";

/// Opens the database as a later version does.
async fn later(database: &Database, description: &'static str) -> SqlStore {
    database
        .open_sql()
        .await
        .with_next_step(description, COLOURS)
}

async fn create(store: &SqlStore, name: &str) {
    let service = Formalize::builder(Arc::new(store.clone())).build();
    let service = service.await.unwrap();
    let name = GroupName::new(name).unwrap();
    let new = NewGroup { name };
    service.groups().create(&Caller::System, new).await.unwrap();
}

async fn groups(store: &SqlStore) -> BTreeSet<String> {
    let mut tx = store.read().await.unwrap();
    let found = tx.groups(&ItemScope::All, None, Window::ALL).await.unwrap();
    found
        .iter()
        .map(|group| group.name.as_str().to_owned())
        .collect()
}

fn set<const N: usize>(names: [&str; N]) -> BTreeSet<String> {
    names.map(str::to_owned).into()
}

/// The rows of the table that the migration creates.
async fn colours(database: &Database) -> Option<Vec<String>> {
    const SELECT: &str = "SELECT name FROM formalize_colours";
    let url = database.url();
    if url.starts_with("sqlite") {
        let connection = sqlite_connection(&url);
        let mut select = connection.prepare(SELECT).ok()?;
        let rows = select.query_map((), |row| row.get(0)).unwrap();
        return Some(rows.map(Result::unwrap).collect());
    }
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let select = sqlx::query_scalar(SELECT);
    select.fetch_all(&mut connection).await.ok()
}

fn descriptions(steps: &[MigrationStep]) -> Vec<(i64, &str)> {
    let steps = steps.iter();
    steps
        .map(|step| (step.version, step.description.as_str()))
        .collect()
}

fn assert_newer(refused: Result<(), StoreError>) {
    let refused = refused.unwrap_err().to_string();
    let expected = "the database was migrated by a newer version of formalize";
    assert!(refused.contains(expected), "{refused}");
}

async fn an_upgrade_keeps_and_changes_what_is_there(database: Database) {
    let old = database.open_sql().await;
    create(&old, "Reading circle").await;
    old.close().await;

    let new = later(&database, INCOMPATIBLE).await;
    let before = new.migration_status().await.unwrap();
    assert_eq!(descriptions(&before.applied), [(1, "initial")]);
    assert_eq!(descriptions(&before.pending), [(2, INCOMPATIBLE)]);
    assert!(!before.newer && colours(&database).await.is_none());

    for _ in 0..2 {
        new.migrate().await.unwrap();
        let after = new.migration_status().await.unwrap();
        let both = [(1, "initial"), (2, INCOMPATIBLE)];
        assert_eq!(descriptions(&after.applied), both);
        assert!(after.pending.is_empty() && !after.newer, "{after:?}");
    }
    assert_eq!(colours(&database).await.unwrap(), ["blue"]);
    create(&new, "Choir").await;
    assert_eq!(groups(&new).await, set(["Choir", "Reading circle"]));
    new.ping().await.unwrap();
    new.close().await;
}

async fn servers_that_upgrade_at_once_upgrade_once(database: Database) {
    let mut starting = JoinSet::new();
    for _ in 0..6 {
        let new = later(&database, INCOMPATIBLE).await;
        starting.spawn(async move { new.migrate().await });
    }
    for started in starting.join_all().await {
        started.unwrap();
    }
    let store = later(&database, INCOMPATIBLE).await;
    let status = store.migration_status().await.unwrap();
    assert_eq!(status.applied.len(), 2);
}

async fn writes_go_on_while_a_later_version_upgrades(database: Database) {
    const WRITERS: usize = 4;
    let stop = Arc::new(AtomicBool::new(false));
    let (written, mut number) = tokio::sync::watch::channel(0);
    let mut writers = JoinSet::new();
    for writer in 0..WRITERS {
        let (old, stop, written) = (
            database.open_sql().await,
            Arc::clone(&stop),
            written.clone(),
        );
        writers.spawn(async move {
            let mut names = Vec::new();
            while !stop.load(Ordering::Relaxed) {
                names.push(format!("{writer}: {}", names.len()));
                create(&old, names.last().unwrap()).await;
                written.send_modify(|number| *number += 1);
            }
            names
        });
    }
    let mut more = async || {
        let enough = *number.borrow() + 5 * WRITERS;
        let waiting = number.wait_for(|number| *number >= enough);
        in_time("groups are created", waiting).await.unwrap();
    };
    more().await;
    let new = later(&database, COMPATIBLE).await;
    new.migrate().await.unwrap();
    more().await;
    stop.store(true, Ordering::Relaxed);
    let acknowledged = writers.join_all().await.concat();
    assert_eq!(groups(&new).await, BTreeSet::from_iter(acknowledged));
}

async fn older_versions_go_on_after_a_compatible_upgrade(database: Database) {
    let old = database.open_sql().await;
    let new = later(&database, COMPATIBLE).await;
    new.migrate().await.unwrap();
    old.ping().await.unwrap();
    create(&old, "Reading circle").await;
    create(&new, "Choir").await;
    assert_eq!(groups(&old).await, set(["Choir", "Reading circle"]));
    assert_eq!(groups(&new).await, groups(&old).await);
    // They do not start again.
    assert!(old.migration_status().await.unwrap().newer);
    assert_newer(old.migrate().await);
}

async fn other_upgrades_end_older_versions(database: Database) {
    let old = database.open_sql().await;
    old.ping().await.unwrap();
    let new = later(&database, INCOMPATIBLE).await;
    new.migrate().await.unwrap();
    assert_newer(old.ping().await);
    assert_newer(old.migrate().await);
    let status = old.migration_status().await.unwrap();
    assert!(status.newer && status.pending.is_empty(), "{status:?}");
    new.ping().await.unwrap();
}

async fn a_failed_upgrade_changes_nothing(database: Database) {
    let old = database.open_sql().await;
    create(&old, "Reading circle").await;
    let failing = database.open_sql().await;
    let failing = failing.with_next_step(INCOMPATIBLE, FAILING);
    let failed = failing.migrate().await.unwrap_err().to_string();
    assert!(failed.contains("migration 2 failed: "), "{failed}");
    assert!(colours(&database).await.is_none());
    let status = failing.migration_status().await.unwrap();
    assert_eq!(descriptions(&status.pending), [(2, INCOMPATIBLE)]);

    old.ping().await.unwrap();
    create(&old, "Choir").await;
    let new = later(&database, INCOMPATIBLE).await;
    in_time("the lock is free", new.migrate()).await.unwrap();
    assert_eq!(groups(&new).await, set(["Choir", "Reading circle"]));
}
