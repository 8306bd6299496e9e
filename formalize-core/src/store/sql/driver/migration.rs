//! The schema and how it is brought up to date.

use std::collections::BTreeSet;

#[cfg(feature = "sqlite")]
use sqlx::Connection as _;
use sqlx::SqlStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};
#[cfg(feature = "sqlite")]
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use super::fault::{fault, migration_fault, newer_database};
#[cfg(feature = "postgres")]
use super::session;
use super::{Connections, Database, sql};
use crate::store::StoreResult;
use crate::store::sql::record::Record;

/// Not the migrator's usual one, which belongs to the host application if it has migrations too.
const TABLE: &str = "formalize_migrations";

/// A step from one version of the schema to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrationStep {
    /// Its number; steps are taken in this order.
    pub version: i64,
    /// What it does.
    pub description: String,
}

/// How far a database has been migrated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrationStatus {
    /// The steps that were taken, those unknown to this program included. Empty: the database is fresh.
    pub applied: Vec<MigrationStep>,
    /// The steps to take.
    pub pending: Vec<MigrationStep>,
    /// Whether steps were taken that this program does not know. It cannot be used with such a database.
    pub newer: bool,
}

/// The steps, by number: a name and the SQL. `sqlx::migrate!` would read them from the folder, but the macros of sqlx
/// compile every driver and its TLS a second time, for the compiler.
const STEPS: &[(i64, &str, &str)] = &[(
    1,
    "initial",
    include_str!("../../../../migrations/0001_initial.sql"),
)];

fn migrator() -> Migrator {
    let steps = STEPS.iter().map(|&(version, description, sql)| {
        let (description, sql) = (description.into(), SqlStr::from_static(sql));
        Migration::new(version, description, MigrationType::Simple, sql, false)
    });
    let mut migrator = Migrator::with_migrations(steps.collect());
    migrator.dangerous_set_table_name(TABLE);
    migrator
}

impl Database {
    pub(in crate::store::sql) async fn migration_status(&self) -> StoreResult<MigrationStatus> {
        let applied = self.applied().await?;
        let known: Vec<MigrationStep> = migrator()
            .iter()
            .map(|migration| MigrationStep {
                version: migration.version,
                description: migration.description.clone().into_owned(),
            })
            .collect();
        let versions = |steps: &[MigrationStep]| -> BTreeSet<i64> {
            steps.iter().map(|step| step.version).collect()
        };
        let (done, all) = (versions(&applied), versions(&known));
        let pending = known
            .into_iter()
            .filter(|step| !done.contains(&step.version))
            .collect();
        Ok(MigrationStatus {
            applied,
            pending,
            newer: !done.is_subset(&all),
        })
    }

    async fn applied(&self) -> StoreResult<Vec<MigrationStep>> {
        let mut tx = self.read().await?;
        let exists = sql(tx.dialect().table_exists()).bind(TABLE);
        if tx.optional(exists).await?.is_none() {
            return Ok(Vec::new());
        }
        let select = format!("SELECT version, description FROM {TABLE} ORDER BY version");
        let rows = tx.all(sql(select)).await?;
        rows.iter()
            .map(|row| {
                let record = Record::new(TABLE, row);
                Ok(MigrationStep {
                    version: record.int("version")?,
                    description: record.text("description")?,
                })
            })
            .collect()
    }

    pub(in crate::store::sql) async fn migrate(&self) -> StoreResult<()> {
        if self.migration_status().await?.newer {
            return Err(newer_database());
        }
        let migrator = migrator();
        // `run_direct` is what `run` calls; futures of `run` cannot be sent between threads.
        match &self.connections {
            // The migrator has a connection of its own. It takes no lock on SQLite; inside this transaction each step is a savepoint.
            #[cfg(feature = "sqlite")]
            Connections::Sqlite { writer, .. } => {
                let file = writer.connections().file();
                let options = SqliteConnectOptions::new()
                    .filename(&file.path)
                    .busy_timeout(file.wait);
                let connection = SqliteConnection::connect_with(&options).await;
                let mut connection = connection.map_err(fault)?;
                let tx = connection.begin_with("BEGIN IMMEDIATE");
                let mut tx = tx.await.map_err(fault)?;
                migrator
                    .run_direct(None, &mut *tx, false)
                    .await
                    .map_err(migration_fault)?;
                tx.commit().await.map_err(fault)?;
                connection.close().await.map_err(fault)
            }
            // The connection is closed in any case: the migrator's lock belongs to it, and a failure leaves it locked;
            // and here a statement may take as long as it takes, be it only because another server migrates.
            #[cfg(feature = "postgres")]
            Connections::Postgres { pool, .. } => {
                let mut lease = pool.lease().await?;
                lease.settled(false);
                let connection = lease.connection();
                session::lift_limits(connection).await.map_err(fault)?;
                let migrated = migrator.run_direct(None, connection, false).await;
                migrated.map_err(migration_fault)
            }
        }
    }
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests {
    use super::*;
    use crate::store::StoreError;
    use crate::store::sql::{SqlOptions, SqlStore};

    async fn open(folder: &tempfile::TempDir) -> SqlStore {
        let url = format!("sqlite://{}/formalize.db", folder.path().display());
        SqlStore::open(&url, &SqlOptions::default()).await.unwrap()
    }

    async fn change(store: &SqlStore, statement: &'static str) {
        let mut tx = store.database.write().await.unwrap();
        tx.run(sql(statement)).await.unwrap();
        tx.commit().await.unwrap();
    }

    #[tokio::test]
    async fn a_fresh_database_is_migrated_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder).await;
        let fresh = store.migration_status().await.unwrap();
        assert_eq!((fresh.applied.len(), fresh.newer), (0, false));
        store.migrate().await.unwrap();
        let migrated = store.migration_status().await.unwrap();
        assert_eq!(migrated.applied, fresh.pending);
        assert_eq!(migrated.pending, []);
        store.migrate().await.unwrap();
        assert_eq!(store.migration_status().await.unwrap(), migrated);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn servers_that_start_at_once_migrate_once() {
        let folder = std::sync::Arc::new(tempfile::tempdir().unwrap());
        let starting: Vec<_> = (0..8)
            .map(|_| {
                let folder = std::sync::Arc::clone(&folder);
                tokio::spawn(async move { open(&folder).await.migrate().await })
            })
            .collect();
        for started in starting {
            started.await.unwrap().unwrap();
        }
    }

    #[tokio::test]
    async fn a_newer_database_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder).await;
        store.migrate().await.unwrap();
        change(
            &store,
            "INSERT INTO formalize_migrations \
             SELECT 9999, 'of the future', installed_on, success, checksum, execution_time \
             FROM formalize_migrations LIMIT 1",
        )
        .await;
        let status = store.migration_status().await.unwrap();
        assert!(status.newer && status.pending.is_empty());
        let refused = store.migrate().await.unwrap_err().to_string();
        assert_eq!(
            refused,
            "the store failed: the database is newer than this program"
        );
    }

    #[tokio::test]
    async fn another_form_of_a_migration_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder).await;
        store.migrate().await.unwrap();
        change(&store, "UPDATE formalize_migrations SET checksum = x'00'").await;
        let refused = store.migrate().await;
        assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    }
}
