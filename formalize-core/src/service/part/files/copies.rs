//! Copies of contents, for backups and for moving to another store.

use super::{FilesService, PORTION};
use crate::error::Result;
use crate::file_store::FileStoreError;
use crate::file_store::copies::CopyFolder;
use crate::id::FileId;
use crate::store::Store;

/// What [`FilesService::copy`] has done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CopiedFiles {
    /// The number of contents that were copied or linked.
    pub copied: u64,
    /// The number of contents that were in the folder before.
    pub present: u64,
    /// The files of submissions whose contents the file store does not have.
    pub missing: Vec<FileId>,
}

impl FilesService<'_> {
    /// Copies the contents of all files that a store names to a folder, except for those that are there already. Nothing is
    /// removed from it. The store is that of this service, or a copy of it, such as a backup.
    ///
    /// Contents that wait for their deletion are copied, too: a backup of the store that was made before may name them. Do this
    /// in [`hold_while`](Self::hold_while), together with the copy of the store, so that nothing is missing.
    ///
    /// # Errors
    ///
    /// [`Error::FilesNotConfigured`](crate::Error::FilesNotConfigured), [`Error::FileStore`](crate::Error::FileStore),
    /// [`Error::Store`](crate::Error::Store).
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// # let draft = NewSubmission::new(form.id, "{}").as_draft();
    /// # let mut upload = formalize.submissions().upload_new(&Caller::System, draft).await?;
    /// # let new = NewFile::new(FileAttributeName::new("cv")?, FileName::clean("cv.txt")?);
    /// # upload.add(new, formalize_core::file_store::whole("Born in 1815.")).await?;
    /// # upload.finish().await?;
    /// use formalize_core::file_store::copies::CopyFolder;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let to = CopyFolder::open(folder.path())?;
    /// let files = formalize.files();
    /// let copied = files.hold_while(files.copy(&**formalize.store(), &to)).await?;
    /// assert_eq!(copied.ok_or("the hold ended too early")?.copied, 1);
    /// # Ok(()) });
    /// ```
    pub async fn copy(&self, named_by: &dyn Store, to: &CopyFolder) -> Result<CopiedFiles> {
        let from = self.0.forms.files.store()?;
        let mut done = CopiedFiles::default();
        let mut last = None;
        loop {
            let mut tx = named_by.read_once().await?;
            let files = tx.read_files()?.files_after(last, PORTION).await?;
            drop(tx);
            for (id, is_used) in &files {
                match to.take(*id, from).await {
                    Ok(true) => done.copied += 1,
                    Ok(false) => done.present += 1,
                    Err(FileStoreError::Missing) if *is_used => done.missing.push(*id),
                    // It was deleted, or its upload is not finished.
                    Err(FileStoreError::Missing) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            match files.last() {
                Some((id, _)) if files.len() == PORTION => last = Some(*id),
                _ => return Ok(done),
            }
        }
    }
}
