//! Files that no program is changing, and how to notice if one does.
//!
//! A reader of a database with a write-ahead log needs the files `-wal` and `-shm`, and a read-only connection that
//! creates them cannot delete them again. A file that no process has open is therefore read as *immutable*: SQLite then needs
//! neither, but takes no locks either, so a program that starts to write to the file is noticed by the file's size and
//! the time of its last change.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use formalize_core::StoreError;
use formalize_core::store::StoreResult;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// The state of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unchanged {
    path: PathBuf,
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Unchanged {
    /// The state of a file that no program has open. `None` if one may have, or the file cannot be read.
    pub(super) fn unless_in_use(path: &Path) -> Option<Self> {
        // SQLite keeps the other files next to the target of a symbolic link.
        let path = fs::canonicalize(path).ok()?;
        let state = Self::of(path)?;
        // A program that has the database open has both files of the write-ahead log open.
        let log = beside(&state.path, "-wal");
        let is_in_use = has_content(&log)
            || has_content(&beside(&state.path, "-journal"))
            || log.exists() && beside(&state.path, "-shm").exists();
        (!is_in_use).then_some(state)
    }

    fn of(path: PathBuf) -> Option<Self> {
        let metadata = fs::metadata(&path).ok()?;
        Some(Self {
            path,
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
        })
    }

    /// Fails if the file has changed. What was read from it may be a mixture of several states then.
    pub(super) fn check(&self) -> StoreResult<()> {
        if Self::of(self.path.clone()).as_ref() == Some(self) {
            return Ok(());
        }
        Err(StoreError::Unavailable(format!(
            "another program changed {} while it was read; try again",
            self.path.display()
        )))
    }
}

/// Whether changes may be waiting in another file.
fn has_content(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.len() > 0)
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// The name by which SQLite opens a file as immutable.
pub(super) fn name(path: &Path) -> PathBuf {
    let path = path.to_string_lossy();
    let path = utf8_percent_encode(&path, NON_ALPHANUMERIC);
    PathBuf::from(format!("file:{path}?immutable=1"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use formalize_core::Store;
    use formalize_core::store::Inserted;

    use super::*;
    use crate::{SqlOptions, SqlStore};

    fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
        let files = fs::read_dir(folder).unwrap().map(|file| {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read(path).unwrap())
        });
        files.collect()
    }

    /// A migrated database in a folder whose name needs encoding.
    async fn migrated() -> (tempfile::TempDir, String) {
        let folder = tempfile::Builder::new()
            .prefix("50%? ü#")
            .tempdir()
            .unwrap();
        let path = folder.path().join("formalize.db");
        let path = utf8_percent_encode(path.to_str().unwrap(), NON_ALPHANUMERIC).to_string();
        let url = format!("sqlite://{path}");
        let store = SqlStore::open(&url, &SqlOptions::default()).await.unwrap();
        store.migrate().await.unwrap();
        // A connection that has written moves the log to the file when it closes.
        put_setting(&store, "first").await;
        store.close().await;
        (folder, url)
    }

    async fn read_only(url: &str) -> SqlStore {
        let options = SqlOptions {
            read_only: true,
            ..SqlOptions::default()
        };
        SqlStore::open(url, &options).await.unwrap()
    }

    async fn put_setting(store: &SqlStore, name: &str) {
        let mut tx = store.write().await.unwrap();
        assert_eq!(tx.insert_setting(name, "").await.unwrap(), Inserted::Done);
        tx.commit().await.unwrap();
    }

    #[tokio::test]
    async fn a_read_only_store_leaves_the_files_alone_and_writes_nothing() {
        let (folder, url) = migrated().await;
        let before = files(folder.path());
        assert_eq!(before.len(), 1);
        let store = read_only(&url).await;
        assert_eq!(store.migration_status().await.unwrap().pending, []);
        let mut verification = store.verify().await.unwrap();
        while verification.proceed().await.unwrap().is_some() {}
        drop(verification);
        for refused in [store.write().await.map(drop), store.migrate().await] {
            let refused = refused.unwrap_err().to_string();
            assert!(refused.ends_with("opened read-only"), "{refused}");
        }
        store.close().await;
        assert!(files(folder.path()) == before);
    }

    #[tokio::test]
    async fn a_missing_database_is_not_created() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/formalize.db", folder.path().display());
        let options = SqlOptions {
            read_only: true,
            ..SqlOptions::default()
        };
        let missing = SqlStore::open(&url, &options).await;
        assert!(matches!(missing, Err(StoreError::Unavailable(_))));
        assert!(files(folder.path()).is_empty());
    }

    #[tokio::test]
    async fn changes_during_a_verification_are_noticed() {
        let (folder, url) = migrated().await;
        let store = read_only(&url).await;
        let mut verification = store.verify().await.unwrap();
        verification.proceed().await.unwrap();
        // Closing the other store moves its changes from the log to the file.
        let other = SqlStore::open(&url, &SqlOptions::default()).await.unwrap();
        put_setting(&other, "a").await;
        other.close().await;
        let changed = verification.proceed().await.unwrap_err().to_string();
        assert!(changed.contains("another program changed"), "{changed}");
        assert!(
            changed.contains(&*folder.path().to_string_lossy()),
            "{changed}"
        );
    }

    #[tokio::test]
    async fn changes_of_a_program_that_has_the_database_open_are_read() {
        let (folder, url) = migrated().await;
        let other = SqlStore::open(&url, &SqlOptions::default()).await.unwrap();
        put_setting(&other, "in the log").await;
        let before = files(folder.path());
        let store = read_only(&url).await;
        let mut tx = store.read().await.unwrap();
        assert!(tx.find_setting("in the log").await.unwrap().is_some());
        drop(tx);
        store.close().await;
        let after = files(folder.path());
        assert!(before.keys().eq(after.keys()), "{:?}", after.keys());
        assert_eq!(before["formalize.db"], after["formalize.db"]);
        assert_eq!(before["formalize.db-wal"], after["formalize.db-wal"]);
        other.close().await;
    }
}
