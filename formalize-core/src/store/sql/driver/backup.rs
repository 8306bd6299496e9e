//! Backups of a database.

use std::io;
use std::path::Path;

use super::{Connections, Database};
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

impl Database {
    pub(in crate::store::sql) async fn back_up(&self, to: &Path) -> Result<(), BackupError> {
        match &self.connections {
            #[cfg(feature = "sqlite")]
            Connections::Sqlite { readers, .. } => readers.file().back_up(to).await,
            #[cfg(feature = "postgres")]
            Connections::Postgres { .. } => {
                let _ = to;
                Err(BackupError::NoFile)
            }
        }
    }
}
