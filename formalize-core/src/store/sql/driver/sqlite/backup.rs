//! Backups of a SQLite database.

use std::ffi::OsString;
#[cfg(unix)]
use std::fs::File;
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

use super::blocking;
use crate::store::sql::BackupError;

impl super::File {
    /// Copies a snapshot of the database with a single statement, which does not block writers. The copy gets its name
    /// when it is complete and on disk.
    pub(super) async fn back_up(&self, to: &Path) -> Result<(), BackupError> {
        if to.symlink_metadata().is_ok() {
            return Err(BackupError::Exists);
        }
        let unfinished = unfinished(to)?;
        let name = unfinished.path().to_str();
        let name = name.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
        self.copy(name.to_owned()).await?;
        let to = to.to_owned();
        blocking(move || finish(unfinished, &to)).await?
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
