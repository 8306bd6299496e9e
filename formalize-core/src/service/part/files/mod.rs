//! Use cases of the files of submissions. Their rights are those of the submission, by the same function.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use formalize_schema::FileAttributeName;
use tokio::sync::Notify;

use crate::authz::policy::Operation;
use crate::error::{Error, Result};
use crate::file_store::{ContentStream, FileStore, FileStoreError, StoredContent, checked};
use crate::id::{Expected, FileId, SubmissionId};
use crate::model::change::Change;
use crate::model::file::SubmittedFile;
use crate::model::subject::Caller;
use crate::model::submission::Submission;
use crate::page::{Page, PageRequest};
use crate::service::part::submissions::{SubmissionsService, Wanted};
use crate::service::{Shared, Viewed};
use crate::store::ReadTx;

mod builder;
#[cfg(feature = "fs")]
mod copies;
mod holds;
mod unfinished;
mod upload;

#[cfg(feature = "fs")]
pub use copies::CopiedFiles;
use unfinished::Unfinished;
pub use upload::Upload;

/// The number of files that are deleted together.
const PORTION: usize = 100;

/// How much may be uploaded.
///
/// ```
/// use formalize_core::files::FileLimits;
///
/// let limits = FileLimits { file_size: 2 * 1024 * 1024, ..FileLimits::default() };
/// assert_eq!(limits.per_submission, 100);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileLimits {
    /// The maximum size of a file in bytes. The default is 50 MiB.
    pub file_size: u64,
    /// The maximum number of files of a submission. The default is 100.
    pub per_submission: usize,
    /// The maximum size of all files together in the submissions of a creator to a form, including drafts, in bytes. What a
    /// creator has uploaded to a process and not finished may be as large again; behind a public link that is what comes from
    /// one [source](Upload::sent_from). The default is 1 GiB.
    pub creator_quota: Option<u64>,
    /// The time that an upload has, from the beginning of a file until the submission is written. It must be longer than
    /// clients can take: whatever is unfinished then is deleted. The default is 40 minutes.
    pub upload_lifetime: Duration,
}

impl Default for FileLimits {
    fn default() -> Self {
        const MIB: u64 = 1024 * 1024;
        Self {
            file_size: 50 * MIB,
            per_submission: 100,
            creator_quota: Some(1024 * MIB),
            upload_lifetime: Duration::from_mins(40),
        }
    }
}

/// Where files are stored, and how much.
#[derive(Clone, Default)]
pub(super) struct FileStorage {
    pub(super) store: Option<Arc<dyn FileStore>>,
    /// Whether the service takes files, but this program does not open their store.
    pub(super) is_elsewhere: bool,
    pub(super) limits: FileLimits,
    /// Notified when files may have become unused.
    left: Arc<Notify>,
    /// What uploads have stored that are not finished.
    unfinished: Arc<Unfinished>,
}

impl FileStorage {
    /// Notes that files may belong to no submission any more.
    pub(super) fn note_left(&self) {
        self.left.notify_one();
    }

    fn store(&self) -> Result<&dyn FileStore> {
        self.store.as_deref().ok_or(Error::FilesNotConfigured)
    }

    /// Fails if a submission would have too many files.
    pub(super) fn check_number(&self, number: usize) -> Result<()> {
        let fits = number <= self.limits.per_submission;
        ensure!(fits, Error::too_many_files());
        Ok(())
    }
}

/// Files of submissions. Reading them needs permission to read the submission, and adding or removing them permission to update
/// it.
pub struct FilesService<'a>(pub(in crate::service) &'a Shared);

/// A file that the caller may read, and a way to its content.
pub struct FileToRead<'a> {
    shared: &'a Shared,
    file: SubmittedFile,
}

impl FileToRead<'_> {
    /// What is known about the file.
    pub fn file(&self) -> &SubmittedFile {
        &self.file
    }

    /// Begins to read a range of the content, which is cut at its end. Permission was checked when this value was made.
    ///
    /// # Errors
    ///
    /// [`Error::FileStore`], with [`FileStoreError::Missing`] also if the content has another size than the file.
    pub async fn read(&self, range: Range<u64>) -> Result<StoredContent> {
        let store = self.shared.forms.files.store()?;
        let content = store.get(self.file.id, range).await?;
        ensure!(content.size == self.file.size, FileStoreError::Missing);
        Ok(content)
    }

    /// Begins to read the whole content. If it has another hash than the file, the stream ends with
    /// [`InvalidData`](std::io::ErrorKind::InvalidData).
    ///
    /// # Errors
    ///
    /// Those of [`read`](Self::read).
    pub async fn read_checked(&self) -> Result<ContentStream<'static>> {
        let content = self.read(0..u64::MAX).await?;
        Ok(checked(content.bytes, self.file.sha256))
    }
}

impl<'a> FilesService<'a> {
    /// Lists the files of a submission, or those of one group.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidCursor`], [`Error::SubmissionNotFound`], [`Error::Forbidden`], [`Error::Store`].
    ///
    /// ```
    /// use formalize_core::file_store::whole;
    ///
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// # let draft = NewSubmission::new(form.id, "{}").as_draft();
    /// # let submission = formalize.submissions().create(&Caller::System, draft).await?.item;
    /// let mut upload = formalize.files().upload(&Caller::System, submission.id).await?;
    /// let new = NewFile::new(FileAttributeName::new("cv")?, FileName::clean("cv.txt")?);
    /// let id = upload.add(new, whole("Born in 1815.")).await?;
    /// upload.finish().await?;
    ///
    /// let first = PageRequest::default();
    /// let page = formalize.files().list(&Caller::System, submission.id, None, &first).await?;
    /// assert_eq!((page.items[0].id, page.items[0].size), (id, 13));
    /// # Ok(()) });
    /// ```
    pub async fn list(
        &self,
        caller: &Caller,
        submission: SubmissionId,
        attribute: Option<&FileAttributeName>,
        request: &PageRequest,
    ) -> Result<Page<SubmittedFile>> {
        let of = submission.to_string();
        let filters = [Some(of.as_str()), attribute.map(FileAttributeName::as_str)];
        let list = self.0.listing("files", caller, &filters, request)?;
        let files = self
            .files_of(caller, Operation::SubmissionFileList, submission)
            .await?;
        let is_listed = |file: &SubmittedFile| attribute.is_none_or(|it| file.attribute == *it);
        let id = |file: &SubmittedFile| file.id.as_uuid();
        let rows = list.window.part_of(files.into_iter().filter(is_listed), id);
        Ok(list.page(rows, id))
    }

    /// Gets what is known about a file.
    ///
    /// # Errors
    ///
    /// [`Error::SubmissionNotFound`], [`Error::Forbidden`], [`Error::SubmittedFileNotFound`], [`Error::Store`].
    pub async fn get(
        &self,
        caller: &Caller,
        submission: SubmissionId,
        id: FileId,
    ) -> Result<SubmittedFile> {
        let operation = Operation::SubmissionFileGet;
        self.file_of(caller, operation, submission, id).await
    }

    /// Finds a file by its identifier alone.
    ///
    /// # Errors
    ///
    /// [`Error::SubmittedFileNotFound`], and those of [`get`](Self::get).
    pub async fn find(&self, caller: &Caller, id: FileId) -> Result<SubmittedFile> {
        let find = reading!(|tx| tx.read_files()?.find_file(id));
        let found = self.0.read_once(find).await?;
        let file = found.ok_or_else(|| Error::SubmittedFileNotFound(vec![id]))?;
        self.get(caller, file.submission, id).await
    }

    /// Opens a file to read its content.
    ///
    /// # Errors
    ///
    /// Those of [`get`](Self::get); [`Error::FilesNotConfigured`].
    ///
    /// ```
    /// use formalize_core::file_store::whole;
    /// use futures_util::TryStreamExt;
    ///
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let draft = NewSubmission::new(form.id, "{}").as_draft();
    /// let mut upload = formalize.submissions().upload_new(&Caller::System, draft).await?;
    /// let new = NewFile::new(FileAttributeName::new("cv")?, FileName::clean("cv.txt")?);
    /// let id = upload.add(new, whole("Born in 1815.")).await?;
    /// let submission = upload.finish().await?.ok_or("the system may read everything")?.item;
    ///
    /// let file = formalize.files().open(&Caller::System, submission.id, id).await?;
    /// let content: Vec<_> = file.read(8..u64::MAX).await?.bytes.try_collect().await?;
    /// assert_eq!(content.concat(), b"1815.");
    /// # Ok(()) });
    /// ```
    pub async fn open(
        &self,
        caller: &Caller,
        submission: SubmissionId,
        id: FileId,
    ) -> Result<FileToRead<'a>> {
        let operation = Operation::SubmissionFileRead;
        let file = self.file_of(caller, operation, submission, id).await?;
        self.0.forms.files.store()?;
        Ok(FileToRead {
            shared: self.0,
            file,
        })
    }

    /// Begins to upload files to a submission, whose state and data stay as they are.
    ///
    /// # Errors
    ///
    /// [`Error::SubmissionNotFound`], [`Error::Forbidden`], [`Error::RevisionMismatch`], [`Error::FilesNotConfigured`],
    /// [`Error::Store`].
    pub async fn upload(
        &self,
        caller: &'a Caller,
        id: impl Into<Expected<SubmissionId>>,
    ) -> Result<Upload<'a>> {
        let wanted = Wanted {
            operation: Operation::SubmissionFileAdd,
            data: Change::Keep,
            state: None,
            removed: Vec::new(),
            tags: None,
            ignores_missing: false,
        };
        Upload::to_change(self.0, caller, id.into(), wanted).await
    }

    /// Removes a file from a submission, whose state and data stay as they are. Returns the submission, or `None` if the
    /// caller may not read it.
    ///
    /// # Errors
    ///
    /// In this order: [`Error::SubmissionNotFound`], [`Error::Forbidden`], [`Error::RevisionMismatch`],
    /// [`Error::SubmittedFileNotFound`], [`Error::SubmissionFilesInvalid`]; [`Error::Store`] at any time.
    ///
    /// ```
    /// # use formalize_core::file_store::whole;
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// # let draft = NewSubmission::new(form.id, "{}").as_draft();
    /// # let submission = formalize.submissions().create(&Caller::System, draft).await?.item;
    /// # let mut upload = formalize.files().upload(&Caller::System, submission.id).await?;
    /// # let new = NewFile::new(FileAttributeName::new("cv")?, FileName::clean("cv.txt")?);
    /// # let id = upload.add(new, whole("Born in 1815.")).await?;
    /// # upload.finish().await?;
    /// formalize.files().remove(&Caller::System, submission.id, id).await?;
    /// assert!(formalize.submissions().get(&Caller::System, submission.id).await?.item.files.is_empty());
    /// // The content is deleted later.
    /// assert_eq!(formalize.files().sweep().await?, 1);
    /// # Ok(()) });
    /// ```
    pub async fn remove(
        &self,
        caller: &Caller,
        submission: impl Into<Expected<SubmissionId>>,
        id: FileId,
    ) -> Result<Option<Viewed<Submission>>> {
        let wanted = Wanted {
            operation: Operation::SubmissionFileRemove,
            data: Change::Keep,
            state: None,
            removed: vec![id],
            tags: None,
            ignores_missing: false,
        };
        let expected = submission.into();
        let submissions = SubmissionsService(self.0);
        let changed = submissions.change(caller, &expected, &wanted, &[]);
        Ok(changed.await?.shown)
    }

    /// Waits until this process has removed files, or deleted submissions or forms, since the last call returned. Their
    /// contents are there until a [`sweep`](Self::sweep).
    pub async fn wait_for_unused(&self) {
        self.0.forms.files.left.notified().await;
    }

    /// Deletes the contents of files that belong to no submission: of removed ones, of deleted submissions, and of uploads
    /// that were not finished in time. Returns the number of files. Call this about every five minutes, on one server or
    /// on all of them, and soon after [`wait_for_unused`](Self::wait_for_unused). It does nothing without a
    /// [file store](crate::Builder::file_store) or records of files, and while there is a [hold](Self::hold).
    ///
    /// # Errors
    ///
    /// [`Error::Store`]; [`Error::FileStore`] if some contents could not be deleted. They are tried again the next time.
    pub async fn sweep(&self) -> Result<u64> {
        let Some(store) = self.0.forms.files.store.as_deref() else {
            return Ok(0);
        };
        let mut swept = 0;
        loop {
            let now = self.0.now();
            let find = async |mut tx: Box<dyn ReadTx>| {
                Ok(match tx.read_files() {
                    Ok(files) => files.unused_files(now, PORTION).await?,
                    Err(_) => Vec::new(),
                })
            };
            let unused = self.0.read_once(find).await?;
            if unused.is_empty() {
                return Ok(swept);
            }
            // From here on, no upload can use them, whatever its clock says.
            let expired = self.0.expire_files(&unused).await?;
            // This is read after it is certain that they are unused. So if there is no hold, no backup that begins with one
            // names any of them.
            if !self.holds().await?.is_empty() {
                return Ok(swept);
            }
            let (deleted, failure) = self.0.delete_contents(store, expired).await?;
            swept += deleted;
            match failure {
                Some(error) => return Err(error.into()),
                None if unused.len() < PORTION => return Ok(swept),
                None => {}
            }
        }
    }

    /// The files whose contents [`sweep`](Self::sweep) would delete if there is no hold.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn unused(&self) -> Result<Vec<FileId>> {
        self.0
            .read_once(async |mut tx| {
                Ok(tx
                    .read_files()?
                    .unused_files(self.0.now(), usize::MAX)
                    .await?)
            })
            .await
    }

    /// Gives up all uploads that are not finished, so that [`sweep`](Self::sweep) deletes what they have left, and returns
    /// their number. A server that is the only one on its store calls this when it starts, because uploads to a server that
    /// was killed cannot go on.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn give_up_uploads(&self) -> Result<u64> {
        let work = writing!(|tx| tx.write_files()?.expire_all_uploads());
        self.0.transact(work).await
    }

    async fn files_of(
        &self,
        caller: &Caller,
        operation: Operation,
        submission: SubmissionId,
    ) -> Result<Vec<SubmittedFile>> {
        let reading = self.0.read_once(async |mut tx| {
            tx.read_files()?;
            let authorizer = self.0.authorizer(caller);
            let found = authorizer.find_submission(tx.as_mut(), submission).await?;
            let (submission, rules) = found.ok_or(Error::SubmissionNotFound)?;
            let target = authorizer.submission(&submission, &rules);
            authorizer.require(tx.as_mut(), operation, &target).await?;
            Ok(submission.files)
        });
        reading.await
    }

    async fn file_of(
        &self,
        caller: &Caller,
        operation: Operation,
        submission: SubmissionId,
        id: FileId,
    ) -> Result<SubmittedFile> {
        let files = self.files_of(caller, operation, submission).await?;
        let found = files.into_iter().find(|file| file.id == id);
        found.ok_or_else(|| Error::SubmittedFileNotFound(vec![id]))
    }
}

impl Shared {
    /// Lets files without a submission expire, and returns those that no upload can use any more.
    async fn expire_files(&self, ids: &[FileId]) -> Result<Vec<FileId>> {
        let work = writing!(|tx| tx.write_files()?.expire_files(ids));
        self.transact(work).await
    }

    /// Deletes the contents of files that have expired, and then their rows. Returns the number of the rows, and why a content
    /// could not be deleted.
    async fn delete_contents(
        &self,
        store: &dyn FileStore,
        expired: Vec<FileId>,
    ) -> Result<(u64, Option<FileStoreError>)> {
        let (mut deleted, mut failure) = (Vec::new(), None);
        for id in expired {
            match store.delete(id).await {
                Ok(()) => deleted.push(id),
                Err(error) => failure = Some(error),
            }
        }
        self.forms.files.unfinished.end(&deleted);
        let work = writing!(|tx| tx.write_files()?.delete_unused_files(&deleted));
        Ok((self.transact(work).await?, failure))
    }

    /// Deletes what an upload has stored that ended badly. What is left is found by a sweep. If the files were offered to a
    /// submission, it may have had them for a moment, so that a hold keeps their contents.
    async fn give_up(&self, ids: &[FileId], were_offered: bool) -> Result<()> {
        let store = self.forms.files.store()?;
        let expired = self.expire_files(ids).await?;
        if were_offered && !FilesService(self).holds().await?.is_empty() {
            return Ok(());
        }
        let (_, failure) = self.delete_contents(store, expired).await?;
        failure.map_or(Ok(()), |failure| Err(failure.into()))
    }
}
