//! Backups of a database.

use std::io;

use crate::store::StoreError;

/// Why a backup failed.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The file already exists.
    #[error("the file exists already; a backup overwrites nothing")]
    Exists,
    /// The database is not a file.
    #[error("the database is one of PostgreSQL, which `pg_dump` backs up")]
    NoFile,
    /// The backup cannot be written.
    #[error("the copy cannot be written: {0}")]
    Unwritable(#[from] io::Error),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
