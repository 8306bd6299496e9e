//! Backups of a SQLite database.

use std::ffi::OsString;
#[cfg(unix)]
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use tempfile::NamedTempFile;

use super::blocking;
use crate::BackupError;
use crate::driver::UnfinishedBackup;

/// A copy beside its later place.
pub(super) struct Copied {
    file: NamedTempFile,
    to: PathBuf,
}

#[async_trait]
impl UnfinishedBackup for Copied {
    fn path(&self) -> &Path {
        self.file.path()
    }

    async fn finish(self: Box<Self>) -> Result<(), BackupError> {
        let Self { file, to } = *self;
        blocking(move || finish(file, &to)).await?
    }
}

impl super::File {
    /// Copies a snapshot of the database with a single statement, which does not block writers.
    pub(super) async fn back_up(&self, to: &Path) -> Result<Copied, BackupError> {
        if to.symlink_metadata().is_ok() {
            return Err(BackupError::Exists);
        }
        let file = unfinished(to)?;
        let name = file.path().to_str();
        let name = name.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
        self.copy(name.to_owned()).await?;
        let to = to.to_owned();
        Ok(Copied { file, to })
    }
}

/// An empty file in the folder of the backup, readable only by its owner. It is deleted when it is dropped.
fn unfinished(to: &Path) -> io::Result<NamedTempFile> {
    let name = to.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut prefix = OsString::from(".");
    prefix.push(name);
    tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(".unfinished")
        .tempfile_in(folder(to))
}

fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// SQLite does not sync the copy to disk.
fn finish(unfinished: NamedTempFile, to: &Path) -> Result<(), BackupError> {
    unfinished.as_file().sync_all()?;
    unfinished
        .persist_noclobber(to)
        .map_err(|failed| match failed.error.kind() {
            io::ErrorKind::AlreadyExists => BackupError::Exists,
            _ => BackupError::Unwritable(failed.error),
        })?;
    // The name is stored in the folder, which must be synced too.
    #[cfg(unix)]
    File::open(folder(to))?.sync_all()?;
    Ok(())
}
