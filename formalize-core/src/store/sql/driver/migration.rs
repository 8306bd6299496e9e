//! The schema and how it is brought up to date.

use std::collections::BTreeSet;

use sqlx::migrate::Migrator;

#[cfg(feature = "sqlite")]
use super::SQLITE_WRITE;
use super::fault::{fault, migration_fault, newer_database};
use super::{Database, sql};
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

fn migrator() -> Migrator {
    let mut migrator = sqlx::migrate!("./migrations");
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
        match self {
            // The migrator takes no lock on SQLite; inside this transaction each step is a savepoint.
            #[cfg(feature = "sqlite")]
            Self::Sqlite { writer, .. } => {
                let mut tx = writer.begin_with(SQLITE_WRITE).await.map_err(fault)?;
                migrator.run(&mut *tx).await.map_err(migration_fault)?;
                tx.commit().await.map_err(fault)
            }
            // The migrator's lock belongs to the connection, and a failure leaves it locked.
            #[cfg(feature = "postgres")]
            Self::Postgres { pool, .. } => {
                let mut connection = pool.acquire().await.map_err(fault)?;
                match migrator.run(&mut *connection).await {
                    Ok(()) => Ok(()),
                    Err(error) => {
                        let _ = connection.close().await;
                        Err(migration_fault(error))
                    }
                }
            }
        }
    }
}
