//! `formalize backup`.

use std::fs;
use std::path::{Path, PathBuf};

use formalize_core::file_store::copies::CopyFolder;
use formalize_core::{Error, Store};
use formalize_sql::{BackupError, DatabaseKind, SqlStore};

use super::files::{hold_ended, report_copied};
use crate::connect::{Configuration, check_migrated};
use crate::failure::{Exit, Failure};
use crate::session::{Outcome, note, with_spinner};

/// Copy a SQLite database to a file, and its files to a folder, even while a server writes to them
///
/// The copy is a consistent snapshot. It gets its final name once it is complete and on disk, and never overwrites a
/// file. Only its owner can read it, because it holds the same secrets as the database. Check it with `formalize verify`.
/// For PostgreSQL, use `pg_dump` and `formalize files hold`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  formalize backup /var/backups/formalize-2026-11-21.db --files /var/backups/files"
)]
pub(crate) struct Args {
    /// The file to create
    file: PathBuf,
    /// Copy the contents of files to this folder, or link them if it is on the same disk. Contents that are there already are
    /// not copied again, and nothing is removed
    #[arg(long, value_name = "FOLDER")]
    files: Option<PathBuf>,
    /// Copy the database only, although it has files of submissions
    #[arg(long, conflicts_with = "files")]
    without_files: bool,
}

impl Args {
    pub(crate) async fn run(self, configuration: Configuration) -> Outcome {
        if self.file.as_os_str() == "-" {
            let message = "a backup cannot be written to standard output; name a file";
            return Err(Failure::usage(message));
        }
        let store = configuration.open(false).await?;
        let done = match &self.files {
            Some(folder) => Box::pin(self.with_files(&store, folder, configuration)).await,
            None => self.without_files(&store, &configuration).await,
        };
        store.close().await;
        done
    }

    async fn without_files(&self, store: &SqlStore, configuration: &Configuration) -> Outcome {
        let is_complete = self.without_files || !has_files(store, configuration).await?;
        if !is_complete {
            let message = "the database has files of submissions, whose contents are in a folder; add --files FOLDER to \
                 copy them too, or --without-files";
            return Err(Failure::usage(message));
        }
        let done = with_spinner("copying", store.back_up(&self.file)).await;
        done.map_err(|failed| self.about(failed.into()))?;
        self.say_copied();
        Ok(())
    }

    async fn with_files(
        &self,
        store: &SqlStore,
        folder: &Path,
        configuration: Configuration,
    ) -> Outcome {
        if store.kind() != DatabaseKind::Sqlite {
            return Err(BackupError::NoFile.into());
        }
        check_migrated(&store.migration_status().await?)?;
        let originals = configuration.open_files().await?;
        let mut to = CopyFolder::open(folder).map_err(Error::from)?;
        if let Some(linked) = configuration.open_files_folder()? {
            to = to.linked_to(&linked).map_err(Error::from)?;
        }
        let formalize = configuration
            .service(store.clone(), Some(originals))
            .await?;
        let files = formalize.files();
        let copying = Box::pin(store.back_up_with(&self.file, async |copy| {
            files.copy(copy, &to).await.map_err(Failure::from)
        }));
        let copied = with_spinner("copying", files.hold_while(copying)).await;
        let Some(copied) = copied.map_err(|failed| self.about(failed))? else {
            // It may name files that were not copied.
            fs::remove_file(&self.file)?;
            return Err(hold_ended());
        };
        self.say_copied();
        report_copied(&copied, folder)
    }

    fn say_copied(&self) {
        note(&format!("copied to {}", self.file.display()));
    }

    fn about(&self, failure: Failure) -> Failure {
        failure.with_subject(&self.file.display().to_string())
    }
}

/// Whether the database names files whose contents are in a local folder.
async fn has_files(store: &SqlStore, configuration: &Configuration) -> Result<bool, Failure> {
    if store.kind() != DatabaseKind::Sqlite || configuration.files_url().folder().is_none() {
        return Ok(false);
    }
    if store.migration_status().await?.applied.is_empty() {
        return Ok(false);
    }
    let mut tx = store.read_once().await?;
    Ok(!tx.read_files()?.files_after(None, 1).await?.is_empty())
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
