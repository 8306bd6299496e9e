//! Backups of a database.

use std::io;
use std::path::Path;

use async_trait::async_trait;
use formalize_core::StoreError;

/// A copy of a database that has not got its name yet. It is deleted when it is dropped.
#[async_trait]
pub(crate) trait UnfinishedBackup: Send {
    /// The file.
    fn path(&self) -> &Path;

    /// Gives it its name, durably.
    async fn finish(self: Box<Self>) -> Result<(), BackupError>;
}

/// Why a backup failed.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The file already exists.
    #[error("the file already exists; choose another name")]
    Exists,
    /// The database is not a file.
    #[error("only SQLite databases can be backed up like this; use `pg_dump` for PostgreSQL")]
    NoFile,
    /// The backup cannot be written.
    #[error("cannot write the backup: {0}")]
    Unwritable(#[from] io::Error),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
