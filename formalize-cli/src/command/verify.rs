//! `formalize verify`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use formalize_core::file_store::folder::FolderFileStore;
use formalize_core::file_store::memory::MemoryFileStore;
use formalize_core::file_store::{FileStore, FileStoreError};
use formalize_core::{Error, Store, StoreError};
use formalize_sql::{Checked, ContentChecks, Finding, SqlStore};

use crate::connect::{Configuration, check_migrated};
use crate::failure::{Exit, Failure, unless_unread};
use crate::output::{List, Printer};
use crate::progress::Progress;
use crate::record;
use crate::session::{note, plural};

/// Check the database and its files for corruption and inconsistencies: prints the findings and exits with 0 or 7
///
/// Finds damaged files, tables that differ from those of formalize, groups that contain themselves, dangling references,
/// wrong counts, and invalid values, schemas and data. Reads one consistent state of the database, even while a server
/// writes to it, and changes no file. Then it looks for the contents of files of submissions.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  formalize verify --contents -o json")]
pub(crate) struct Args {
    /// Look for the contents of files in this folder of a backup; it may have others, too [default: where the server has them]
    #[arg(long, value_name = "FOLDER")]
    files: Option<PathBuf>,
    /// Check the database only
    #[arg(long, conflicts_with_all = ["files", "contents"])]
    without_files: bool,
    /// Read the contents of all files, and compare their hashes
    #[arg(long)]
    contents: bool,
}

impl Args {
    pub(crate) async fn run(
        self,
        configuration: &Configuration,
        printer: Printer,
    ) -> Result<Exit, Failure> {
        let store = configuration.open_read_only().await?;
        let looked = self.look(&store, configuration, printer).await;
        store.close().await;
        let (checked, found) = looked?;
        note(&format!(
            "checked {} on {}: {}",
            plural(checked.invariants, "invariant"),
            plural(checked.records, "record"),
            plural(found, "finding")
        ));
        Ok(if found == 0 {
            Exit::Done
        } else {
            Exit::Invalid
        })
    }

    /// Prints each finding as soon as it is found.
    async fn look(
        &self,
        store: &SqlStore,
        configuration: &Configuration,
        mut printer: Printer,
    ) -> Result<(Checked, usize), Failure> {
        match store.migration_status().await {
            // The database is damaged. The check says how.
            Err(StoreError::Failed(_)) => {}
            status => check_migrated(&status?)?,
        }
        let mut findings = Findings {
            list: printer.list()?,
            progress: Progress::waiting("verifying"),
            total: 0,
        };
        let mut verification = store.verify().await?;
        while let Some(found) = verification.proceed().await? {
            findings.take(found, verification.checked().records)?;
        }
        let mut checked = verification.checked();
        let is_readable = verification.is_readable();
        drop(verification);
        if is_readable && let Some(files) = self.contents_store(store, configuration).await? {
            let checks = ContentChecks {
                hashes: self.contents,
                orphans: self.files.is_none(),
            };
            let records = checked.records;
            let mut verification = store.verify_contents(&*files, checks);
            while let Some(found) = verification.proceed().await.map_err(Error::from)? {
                checked.records = records + verification.contents();
                findings.take(found, checked.records)?;
            }
            checked.invariants += verification.invariants();
        }
        let total = findings.end()?;
        if checked.unjudged > 0 {
            let submissions = plural(checked.unjudged, "submission");
            note(&format!(
                "note: {submissions} older than the form's current schema do not match it; they cannot be checked because \
                 old schemas are not kept"
            ));
        }
        Ok((checked, total))
    }

    /// The contents to check. Nothing is created.
    async fn contents_store(
        &self,
        store: &SqlStore,
        configuration: &Configuration,
    ) -> Result<Option<Arc<dyn FileStore>>, Failure> {
        if self.without_files {
            return Ok(None);
        }
        if let Some(folder) = &self.files {
            let opened = FolderFileStore::open_to_read(folder);
            return Ok(Some(Arc::new(
                opened.map_err(|error| about(folder, error))?,
            )));
        }
        match configuration.open_files_to_read() {
            Ok(store) => Ok(store),
            Err(FileStoreError::Missing) => {
                // A database without files needs no folder.
                if !store
                    .read_once()
                    .await?
                    .read_files()?
                    .files_after(None, 1)
                    .await?
                    .is_empty()
                {
                    let url = configuration.files_url();
                    note(&format!(
                        "note: {url} does not exist; use --files to check another folder"
                    ));
                }
                Ok(Some(Arc::new(MemoryFileStore::default())))
            }
            Err(error) => Err(Error::from(error).into()),
        }
    }
}

fn about(folder: &Path, error: FileStoreError) -> Failure {
    let failure = match error {
        FileStoreError::Missing => Failure::new(Exit::NotFound, "the folder does not exist"),
        error => Error::from(error).into(),
    };
    failure.with_subject(&folder.display().to_string())
}

/// The findings so far.
struct Findings<'p> {
    list: List<'p, record::Finding>,
    progress: Progress,
    total: usize,
}

impl Findings<'_> {
    fn take(&mut self, found: Vec<Finding>, records: u64) -> Result<(), Failure> {
        let records = plural(records, "record");
        self.progress.say(&format!("verifying, {records} read"));
        if found.is_empty() {
            return Ok(());
        }
        self.total += found.len();
        let found: Vec<_> = found.into_iter().map(record::Finding::from).collect();
        Ok(self.list.page(&found).or_else(unless_unread)?)
    }

    fn end(self) -> Result<usize, Failure> {
        drop(self.progress);
        self.list.end_or("no findings").or_else(unless_unread)?;
        Ok(self.total)
    }
}
