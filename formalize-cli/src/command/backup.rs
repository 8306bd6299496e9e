//! `formalize backup`.

use std::path::PathBuf;

use formalize_core::Store;
use formalize_core::store::sql::BackupError;

use crate::connect::Configuration;
use crate::failure::{Exit, Failure};
use crate::session::{Outcome, note, with_spinner};

/// Copy a SQLite database to a file, even while a server writes to it
///
/// The copy is a consistent snapshot. It gets its final name once it is complete and on disk, and never overwrites a
/// file. Only its owner can read it, because it holds the same secrets as the database. Check it with `formalize verify`.
/// For PostgreSQL, use `pg_dump`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  formalize backup /var/backups/formalize-2026-11-21.db")]
pub(crate) struct Args {
    /// The file to create
    file: PathBuf,
}

impl Args {
    pub(crate) async fn run(self, configuration: &Configuration) -> Outcome {
        if self.file.as_os_str() == "-" {
            let message = "a backup cannot be written to standard output; name a file";
            return Err(Failure::usage(message));
        }
        let store = configuration.open(false).await?;
        let done = with_spinner("copying", store.back_up(&self.file)).await;
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
