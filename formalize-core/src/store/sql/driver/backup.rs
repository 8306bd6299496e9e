//! Backups of a database.

use std::io;

use crate::store::StoreError;

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
