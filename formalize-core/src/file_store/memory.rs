//! A file store in memory, for tests and for programs that keep nothing.

use std::collections::BTreeMap;
use std::ops::Range;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt, stream};

use super::{
    ContentStream, FileStore, FileStoreError, FileStoreResult, StoredContent, StoredFile, whole,
};
use crate::id::FileId;

/// A file store in memory.
#[derive(Debug, Default)]
pub struct MemoryFileStore(Mutex<BTreeMap<FileId, Bytes>>);

impl MemoryFileStore {
    fn contents(&self) -> MutexGuard<'_, BTreeMap<FileId, Bytes>> {
        // A panic while the lock was held cannot have left a content in part.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl FileStore for MemoryFileStore {
    async fn put(&self, id: FileId, mut content: ContentStream<'_>) -> FileStoreResult<()> {
        let mut bytes = BytesMut::new();
        while let Some(piece) = content.next().await {
            bytes.extend_from_slice(&piece.map_err(|_| FileStoreError::Interrupted)?);
        }
        self.contents().insert(id, bytes.freeze());
        Ok(())
    }

    async fn get(&self, id: FileId, range: Range<u64>) -> FileStoreResult<StoredContent> {
        let content = self.contents().get(&id).cloned();
        let content = content.ok_or(FileStoreError::Missing)?;
        let end = content.len();
        let within = |place: u64| usize::try_from(place).map_or(end, |place| place.min(end));
        let (from, to) = (within(range.start), within(range.end));
        Ok(StoredContent {
            size: u64::try_from(end).unwrap_or(u64::MAX),
            bytes: whole(content.slice(from..to.max(from))),
        })
    }

    async fn delete(&self, id: FileId) -> FileStoreResult<()> {
        self.contents().remove(&id);
        Ok(())
    }

    fn list(&self) -> Pin<Box<dyn Stream<Item = FileStoreResult<StoredFile>> + Send + '_>> {
        let listed = |(id, content): (&FileId, &Bytes)| {
            Ok(StoredFile {
                id: *id,
                size: u64::try_from(content.len()).unwrap_or(u64::MAX),
            })
        };
        let files: Vec<_> = self.contents().iter().map(listed).collect();
        Box::pin(stream::iter(files))
    }
}
