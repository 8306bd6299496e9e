//! Migrations of the schema.

use std::collections::BTreeSet;

use formalize_core::StoreError;
use formalize_core::store::StoreResult;
use sha2::{Digest as _, Sha384};

use super::fault::newer_database;
use super::{Database, Purpose, sql};
use crate::record::Record;

/// Not sqlx's default name, which a host application's own migrations may use.
pub(super) const TABLE: &str = "formalize_migrations";

/// The beginning of the description of a step after which programs of earlier versions can go on: it only adds what they do
/// not need to know.
const COMPATIBLE: &str = "compatible: ";

/// A step that this program contains.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) version: i64,
    pub(super) description: &'static str,
    pub(super) text: &'static str,
}

/// Every step, in order. Databases store the checksum of each text, so a released step must never change. The macros of
/// sqlx could read the folder, but they would compile every driver a second time.
pub(super) const STEPS: &[Step] = &[Step {
    version: 1,
    description: "initial",
    text: include_str!("../../migrations/0001_initial.sql"),
}];

impl Step {
    /// The checksum as sqlx computes it, which migrates PostgreSQL.
    pub(super) fn checksum(&self) -> Vec<u8> {
        Sha384::digest(self.text).to_vec()
    }
}

/// A step that was applied to the database.
#[derive(Debug)]
pub(super) struct Applied {
    pub(super) version: i64,
    pub(super) checksum: Vec<u8>,
    pub(super) is_complete: bool,
}

/// The steps that are missing in a database.
pub(super) fn missing(
    steps: &'static [Step],
    applied: &[Applied],
) -> StoreResult<Vec<&'static Step>> {
    let failed = |version, what| Err(StoreError::Failed(format!("migration {version} {what}")));
    for step in applied {
        let Some(known) = steps.iter().find(|known| known.version == step.version) else {
            return Err(newer_database());
        };
        if !step.is_complete {
            return failed(step.version, "was applied only in part; restore a backup");
        }
        if step.checksum != known.checksum() {
            let what = "differs from the one in this program; use the program that applied it";
            return failed(step.version, what);
        }
    }
    let is_missing = |step: &&Step| applied.iter().all(|done| done.version != step.version);
    Ok(steps.iter().filter(is_missing).collect())
}

/// A step from one version of the schema to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrationStep {
    /// Its number. Steps are applied in this order.
    pub version: i64,
    /// The description of its changes.
    pub description: String,
}

/// How far a database has been migrated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrationStatus {
    /// The applied steps, including those unknown to this program. Empty for a new database.
    pub applied: Vec<MigrationStep>,
    /// The steps that have not been applied yet.
    pub pending: Vec<MigrationStep>,
    /// Whether steps were applied that this program does not know. It cannot use such a database.
    pub newer: bool,
}

impl Database {
    /// Adds a step that this program does not have.
    #[cfg(feature = "plans")]
    pub(crate) fn add_step(&mut self, description: &'static str, text: &'static str) {
        let version = self.steps.last().map_or(1, |step| step.version + 1);
        let step = Step {
            version,
            description,
            text,
        };
        self.steps = Box::leak([self.steps, &[step]].concat().into_boxed_slice());
    }

    pub(crate) async fn migration_status(&self) -> StoreResult<MigrationStatus> {
        let applied = self.applied().await?;
        let known: Vec<MigrationStep> = self
            .steps
            .iter()
            .map(|step| MigrationStep {
                version: step.version,
                description: step.description.to_owned(),
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

    /// Fails if another program has applied a step since this one was started, unless the step is compatible.
    pub(crate) async fn check_version(&self) -> StoreResult<()> {
        let last = self.steps.last().map_or(0, |step| step.version);
        let excludes =
            |step: &MigrationStep| step.version > last && !step.description.starts_with(COMPATIBLE);
        if self.applied().await?.iter().any(excludes) {
            return Err(newer_database());
        }
        Ok(())
    }

    async fn applied(&self) -> StoreResult<Vec<MigrationStep>> {
        let mut tx = self.begin(Purpose::Read).await?;
        let exists = sql(tx.dialect().table_exists()).bind(TABLE);
        if tx.optional(exists).await?.is_none() {
            return Ok(Vec::new());
        }
        let select = format!("SELECT version, description FROM {TABLE} ORDER BY version");
        tx.read_all(sql(select), |row| {
            let record = Record::new(TABLE, row);
            Ok(MigrationStep {
                version: record.int("version")?,
                description: record.text("description")?,
            })
        })
        .await
    }

    pub(crate) async fn migrate(&self) -> StoreResult<()> {
        self.check_writable()?;
        if self.migration_status().await?.newer {
            return Err(newer_database());
        }
        let steps = self.driver.migrate(self.steps).await?;
        if steps.len() == self.steps.len() {
            let migrations = steps.len();
            tracing::info!(migrations, "applied all migrations to a new database");
            return Ok(());
        }
        for step in steps {
            let (version, description) = (step.version, step.description);
            tracing::info!(version, description, "applied a migration of the database");
        }
        Ok(())
    }
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests {
    use super::*;
    use crate::{SqlOptions, SqlStore};

    #[test]
    fn every_migration_file_is_a_step() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations");
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        files.sort();
        assert_eq!(files.len(), STEPS.len());
        for (file, step) in files.iter().zip(STEPS) {
            assert_eq!(std::fs::read_to_string(file).unwrap(), step.text);
            let name = format!(
                "{:04}_{}.sql",
                step.version,
                step.description
                    .trim_start_matches(COMPATIBLE)
                    .replace(' ', "_")
            );
            assert_eq!(file.file_name().unwrap(), name.as_str());
        }
    }

    async fn open(folder: &tempfile::TempDir) -> SqlStore {
        let url = format!("sqlite://{}/formalize.db", folder.path().display());
        SqlStore::open(&url, &SqlOptions::default()).await.unwrap()
    }

    async fn change(store: &SqlStore, statement: &'static str) {
        let mut tx = store.database.begin(Purpose::Write).await.unwrap();
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
            "the store failed: the database was migrated by a newer version of formalize; \
             upgrade this program"
        );
    }

    #[tokio::test]
    async fn a_modified_migration_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder).await;
        store.migrate().await.unwrap();
        change(&store, "UPDATE formalize_migrations SET checksum = x'00'").await;
        let refused = store.migrate().await;
        assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    }

    #[tokio::test]
    async fn a_partially_applied_migration_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder).await;
        store.migrate().await.unwrap();
        change(&store, "UPDATE formalize_migrations SET success = FALSE").await;
        let refused = store.migrate().await.unwrap_err().to_string();
        assert_eq!(
            refused,
            "the store failed: migration 1 was applied only in part; restore a backup"
        );
    }
}
