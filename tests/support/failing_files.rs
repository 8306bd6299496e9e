//! A file store that fails on purpose.

use std::io;
use std::ops::Range;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use formalize_core::file_store::{
    ContentStream, FileStore, FileStoreError, FileStoreResult, StoredContent, StoredFile,
};
use formalize_core::files::FileId;
use futures_util::{Stream, StreamExt, stream};

/// A step at which a [`FailingFileStore`] can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileStep {
    /// Before the first byte of a content is taken.
    PutBegins,
    /// After the first piece of a content was taken.
    PutUnderWay,
    /// After the last piece was taken, before the content can be found.
    PutEnds,
    /// After the content can be found: the caller cannot know that it was put.
    PutDone,
    /// Before a content is found.
    GetBegins,
    /// After the first piece of a content was read.
    GetUnderWay,
    /// Before a content is deleted.
    DeleteBegins,
    /// After a content was deleted.
    DeleteDone,
    /// While contents are listed.
    List,
}

impl FileStep {
    /// Every step.
    pub const ALL: [Self; 9] = [
        Self::PutBegins,
        Self::PutUnderWay,
        Self::PutEnds,
        Self::PutDone,
        Self::GetBegins,
        Self::GetUnderWay,
        Self::DeleteBegins,
        Self::DeleteDone,
        Self::List,
    ];
}

/// The cause in every error of [`FailingFileStore`]. It must never be seen outside of logs.
pub const FILE_CAUSE: &str = "the folder /var/lib/formalize.files is on fire";

/// A file store that does as it should until it is told to fail.
#[derive(Clone)]
pub struct FailingFileStore {
    inner: Arc<dyn FileStore>,
    fault: Arc<Mutex<Option<(FileStep, FileStoreError)>>>,
}

impl FailingFileStore {
    /// A store that does not fail yet, and keeps everything in another one.
    pub fn around(inner: Arc<dyn FileStore>) -> Self {
        let fault = Arc::default();
        Self { inner, fault }
    }

    /// From now on, every call fails with this error when it reaches the step.
    pub fn fail_at(&self, step: FileStep, error: FileStoreError) {
        self.set(Some((step, error)));
    }

    /// From now on nothing fails.
    pub fn recover(&self) {
        self.set(None);
    }

    fn set(&self, fault: Option<(FileStep, FileStoreError)>) {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = fault;
    }

    fn check(&self, step: FileStep) -> FileStoreResult<()> {
        let fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        match &*fault {
            Some((at, error)) if *at == step => Err(error.clone()),
            _ => Ok(()),
        }
    }

    /// The content, which ends with an error where the store is to fail.
    fn failing<'a>(&self, content: ContentStream<'a>) -> ContentStream<'a> {
        let (middle, end) = (self.clone(), self.clone());
        let checked = move |(number, piece): (usize, io::Result<_>)| {
            let is_second = number == 1;
            let checked = if is_second {
                middle.check(FileStep::PutUnderWay)
            } else {
                Ok(())
            };
            checked.map_err(io::Error::other).and(piece)
        };
        let last = stream::once(async move {
            let ended = end
                .check(FileStep::PutEnds)
                .and(end.check(FileStep::PutUnderWay));
            ended.err().map(|error| Err(io::Error::other(error)))
        });
        let last = last.filter_map(|failed| async move { failed });
        Box::pin(content.enumerate().map(checked).chain(last))
    }
}

#[async_trait]
impl FileStore for FailingFileStore {
    async fn put(&self, id: FileId, content: ContentStream<'_>) -> FileStoreResult<()> {
        self.check(FileStep::PutBegins)?;
        let put = self.inner.put(id, self.failing(content)).await;
        // The content was broken off on purpose, not by its sender.
        self.check(FileStep::PutUnderWay)?;
        self.check(FileStep::PutEnds)?;
        put?;
        self.check(FileStep::PutDone)
    }

    async fn get(&self, id: FileId, range: Range<u64>) -> FileStoreResult<StoredContent> {
        self.check(FileStep::GetBegins)?;
        let StoredContent { size, bytes } = self.inner.get(id, range).await?;
        let store = self.clone();
        let first_only = move |(number, piece): (usize, io::Result<_>)| {
            let checked = if number == 0 {
                Ok(())
            } else {
                store.check(FileStep::GetUnderWay)
            };
            checked.map_err(io::Error::other).and(piece)
        };
        let bytes = Box::pin(bytes.enumerate().map(first_only));
        Ok(StoredContent { size, bytes })
    }

    async fn delete(&self, id: FileId) -> FileStoreResult<()> {
        self.check(FileStep::DeleteBegins)?;
        self.inner.delete(id).await?;
        self.check(FileStep::DeleteDone)
    }

    fn list(&self) -> Pin<Box<dyn Stream<Item = FileStoreResult<StoredFile>> + Send + '_>> {
        let checked = |file| self.check(FileStep::List).and(file);
        Box::pin(self.inner.list().map(checked))
    }
}
