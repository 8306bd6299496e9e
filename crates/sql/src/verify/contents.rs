//! Checks the contents of files against their records.
//!
//! Servers can work on. So records are read while contents are looked for, not in one snapshot, and whatever seems wrong is
//! looked at once more in the record: it may have been deleted in the meantime.

use std::pin::Pin;

use formalize_core::file_store::{
    ContentStream, FileStore, FileStoreError, FileStoreResult, StoredFile, checked,
};
use formalize_core::files::{FileId, SubmittedFile};
use formalize_core::store::StoreResult;
use formalize_core::{Error, StoreError};
use futures_util::{Stream, TryStreamExt};
use uuid::Uuid;

use super::{Fault, Finding, FindingKind, PAGE};
use crate::driver::{Database, Purpose, saturated, sql};
use crate::files;
use crate::record::Record;

/// Why contents could not be checked.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ContentVerificationError {
    /// The database cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file store cannot be read.
    #[error(transparent)]
    FileStore(#[from] FileStoreError),
}

impl From<ContentVerificationError> for Error {
    fn from(error: ContentVerificationError) -> Self {
        match error {
            ContentVerificationError::Store(error) => Self::Store(error),
            ContentVerificationError::FileStore(error) => Self::FileStore(error),
        }
    }
}

/// What to check about the contents of files, besides that they are there and have the right size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ContentChecks {
    /// Whether to read all of them, and to compare their hashes.
    pub hashes: bool,
    /// Whether contents that are not those of files are findings. In a folder with the files of several backups, they are to
    /// be expected.
    pub orphans: bool,
}

/// A check of the contents of all files; see [`SqlStore::verify_contents`](crate::SqlStore::verify_contents).
pub struct ContentVerification<'a> {
    database: Database,
    files: &'a dyn FileStore,
    checks: ContentChecks,
    step: Step<'a>,
    invariants: u64,
    checked: u64,
}

/// All contents of a store.
type Contents<'a> = Pin<Box<dyn Stream<Item = FileStoreResult<StoredFile>> + Send + 'a>>;

enum Step<'a> {
    /// The files after this one.
    Files(Uuid),
    Contents(Contents<'a>),
    Done,
}

impl<'a> ContentVerification<'a> {
    pub(crate) fn new(database: Database, files: &'a dyn FileStore, checks: ContentChecks) -> Self {
        Self {
            database,
            files,
            checks,
            step: Step::Files(Uuid::nil()),
            invariants: 0,
            checked: 0,
        }
    }

    /// Checks the next part. Returns its findings, or `None` when everything was checked.
    ///
    /// # Errors
    ///
    /// If the database or the file store cannot be read. The check cannot be continued then.
    pub async fn proceed(&mut self) -> Result<Option<Vec<Finding>>, ContentVerificationError> {
        let findings = match std::mem::replace(&mut self.step, Step::Done) {
            Step::Files(last) => self.next_files(last).await?,
            Step::Contents(contents) => self.next_contents(contents).await?,
            Step::Done => return Ok(None),
        };
        self.database.check_unchanged()?;
        Ok(Some(findings))
    }

    /// The number of invariants that were checked so far, each on all files or contents.
    pub fn invariants(&self) -> u64 {
        self.invariants
    }

    /// The number of contents that were looked at so far.
    pub fn contents(&self) -> u64 {
        self.checked
    }

    async fn next_files(&mut self, last: Uuid) -> Result<Vec<Finding>, ContentVerificationError> {
        // A single content may take long to read.
        let page = if self.checks.hashes { 1 } else { PAGE };
        let select = sql(
            "SELECT submitted_files.* FROM formalize_submitted_files AS submitted_files \
             WHERE submission_id IS NOT NULL AND id > $1 ORDER BY id LIMIT $2",
        );
        let mut tx = self.database.begin(Purpose::ReadOnce).await?;
        let rows = tx.all(select.bind(last).bind(saturated(page))).await?;
        drop(tx);
        let mut findings = Vec::new();
        for row in &rows {
            self.checked += 1;
            // Records that cannot be read are findings of the check of the database.
            let Ok(file) = files::read(row) else {
                continue;
            };
            let fault = self.fault(&file).await?;
            if let Some((kind, what)) = fault
                && self.is_named(file.id).await?
            {
                findings.push(Finding::of(kind, files::TABLE, file.id.as_uuid(), what));
            }
        }
        self.step = match rows.last() {
            Some(row) if rows.len() == page => Step::Files(Record::new(files::TABLE, row).id()?),
            _ => {
                self.invariants += if self.checks.hashes { 3 } else { 2 };
                self.after_files()
            }
        };
        Ok(findings)
    }

    fn after_files(&self) -> Step<'a> {
        if self.checks.orphans {
            Step::Contents(self.files.list())
        } else {
            Step::Done
        }
    }

    async fn fault(&self, file: &SubmittedFile) -> Result<Option<Fault>, ContentVerificationError> {
        let end = if self.checks.hashes { u64::MAX } else { 0 };
        let content = match self.files.get(file.id, 0..end).await {
            Err(FileStoreError::Missing) => {
                let what = "has no content in the file store".to_owned();
                return Ok(Some((FindingKind::MissingFile, what)));
            }
            found => found?,
        };
        if content.size != file.size {
            let what = format!(
                "has {} bytes, but its content has {}",
                file.size, content.size
            );
            return Ok(Some((FindingKind::WrongSize, what)));
        }
        if !self.checks.hashes {
            return Ok(None);
        }
        let read = read_all(checked(content.bytes, file.sha256)).await;
        Ok(read.err().map(|error| {
            let what = format!("has a content that cannot be read: {error}");
            (FindingKind::WrongHash, what)
        }))
    }

    /// Whether a submission has the file still.
    async fn is_named(&self, id: FileId) -> StoreResult<bool> {
        let select = sql(
            "SELECT id FROM formalize_submitted_files WHERE id = $1 AND submission_id IS NOT NULL",
        );
        let mut tx = self.database.begin(Purpose::ReadOnce).await?;
        Ok(tx.optional(select.bind(id.as_uuid())).await?.is_some())
    }

    async fn next_contents(
        &mut self,
        mut contents: Contents<'a>,
    ) -> Result<Vec<Finding>, ContentVerificationError> {
        let mut ids = Vec::new();
        while ids.len() < PAGE
            && let Some(stored) = contents.try_next().await?
        {
            ids.push(stored.id);
        }
        self.checked += u64::try_from(ids.len()).unwrap_or(u64::MAX);
        if ids.len() == PAGE {
            self.step = Step::Contents(contents);
        } else {
            self.invariants += 1;
        }
        let mut findings = Vec::new();
        for id in self.unknown(ids).await? {
            // A record is there before its content, and after it. So this content has none.
            match self.files.get(id, 0..0).await {
                Ok(_) => {
                    let what = "is a content in the file store that is not that of a file";
                    let id = id.as_uuid();
                    findings.push(Finding::of(FindingKind::OrphanFile, None, id, what));
                }
                Err(FileStoreError::Missing) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(findings)
    }

    /// Those of the files that have no record.
    async fn unknown(&self, ids: Vec<FileId>) -> StoreResult<Vec<FileId>> {
        let mut tx = self.database.begin(Purpose::ReadOnce).await?;
        let is_one = tx.dialect().any_uuid("id", "$1");
        let select = sql(format!(
            "SELECT id FROM formalize_submitted_files AS submitted_files WHERE {is_one}"
        ));
        let given: Vec<Uuid> = ids.iter().map(|id| id.as_uuid()).collect();
        let known = tx.read_ids(files::TABLE, select.bind(given)).await?;
        let is_unknown = |id: &FileId| !known.contains(&id.as_uuid());
        Ok(ids.into_iter().filter(is_unknown).collect())
    }
}

async fn read_all(mut content: ContentStream<'static>) -> std::io::Result<()> {
    while content.try_next().await?.is_some() {}
    Ok(())
}
