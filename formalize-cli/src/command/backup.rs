//! `formalize backup`.

use std::path::PathBuf;

use formalize_core::Store;
use formalize_core::store::sql::BackupError;

use crate::connect::Configuration;
use crate::failure::{Exit, Failure};
use crate::session::{Outcome, note, patiently};

/// Copy a SQLite database to a file, also while a server writes to it
///
/// The copy is one consistent state of the database. It gets its name when it is whole and on the disk, and no file is
/// ever overwritten. Only its owner can read it: it holds the same secrets as the database. `formalize verify` looks it
/// through, like any database. PostgreSQL has `pg_dump` for this.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  formalize backup /var/backups/formalize-2026-11-21.db")]
pub(crate) struct Args {
    /// The file to make
    file: PathBuf,
}

impl Args {
    pub(crate) async fn run(self, configuration: &Configuration) -> Outcome {
        if self.file.as_os_str() == "-" {
            let message = "a backup is a file; to standard output it cannot be written";
            return Err(Failure::usage(message));
        }
        let store = configuration.open(false).await?;
        let done = patiently("copying", store.back_up(&self.file)).await;
        store.close().await;
        let file = self.file.display().to_string();
        done.map_err(|failed| Failure::from(failed).with_subject(&file))?;
        note(&format!("copied to {file}"));
        Ok(())
    }
}

impl From<BackupError> for Failure {
    fn from(failed: BackupError) -> Self {
        let exit = match failed {
            BackupError::Exists => Exit::Conflict,
            BackupError::NoFile => Exit::Usage,
            BackupError::Unwritable(_) => Exit::Failed,
            BackupError::Store(failed) => return failed.into(),
        };
        Self::new(exit, failed.to_string())
    }
}
