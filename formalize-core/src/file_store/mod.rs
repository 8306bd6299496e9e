//! Stores of the contents of files, and the promises that every such store must keep.
//!
//! The rows about files are in the [`Store`](crate::Store); a file store has their bytes and nothing else. It knows neither
//! names nor types, and it is never asked for permission.
//!
//! # Promises
//!
//! Every implementation keeps these promises. The suite in `formalize-conformance` refers to them by number.
//!
//! 1. **Whole or not at all.** Once [`FileStore::put`] has returned without an error, [`FileStore::get`] returns exactly the
//!    bytes that were put. Before that, and if it fails or is dropped, no call finds the content; only after an error at the
//!    very end it may be there whole.
//! 2. **Durable.** A content that was put survives the end of the process and the loss of power, except in a store in memory.
//! 3. **Streamed.** A content is held in memory only in part, whatever its size and the speed of its sender or reader. Its
//!    pieces are taken only as fast as they are written, and read only as fast as they are taken. A store in memory is an
//!    exception.
//! 4. **Ranges.** [`FileStore::get`] returns exactly the bytes of a range, and the size of the whole content.
//! 5. **Deleted for good.** After [`FileStore::delete`], no call finds the content, and nothing is left of it, nor of calls
//!    of `put` that were broken off by the end of the process. Deleting what is not there succeeds.
//! 6. **Listed.** [`FileStore::list`] returns each content that is there throughout exactly once, and none that is not whole.
//! 7. **Read to the end.** If a content is deleted while it is read, the rest of it is read, or reading fails.
//! 8. **Independent.** Calls about different files do not wait for each other.
//! 9. **Errors.** A content that is not there is [`FileStoreError::Missing`]. If the content to put ends with an error, that is
//!    [`FileStoreError::Interrupted`]; if there is no room for it, [`FileStoreError::Full`]; if the store cannot be reached,
//!    [`FileStoreError::Unavailable`]; otherwise [`FileStoreError::Failed`].
//!
//! Identifiers are never used twice, so a store need not keep a content from being replaced.

use std::io;
use std::ops::Range;
use std::pin::Pin;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::{Stream, TryStreamExt, stream};
use sha2::{Digest, Sha256};

pub use self::s3_options::{S3Credentials, S3Options};
use crate::id::FileId;
use crate::model::file::hash::ContentHash;

#[cfg(feature = "fs")]
pub mod copies;
#[cfg(feature = "fs")]
pub mod folder;
#[cfg(any(feature = "fs", feature = "s3"))]
mod key;
pub mod memory;
#[cfg(feature = "s3")]
pub mod s3;
mod s3_options;

/// A content in pieces of any size, in their order.
pub type ContentStream<'a> = Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send + 'a>>;

/// A content that is being read, or a part of it.
pub struct StoredContent {
    /// The size of the whole content in bytes.
    pub size: u64,
    /// The bytes that were asked for.
    pub bytes: ContentStream<'static>,
}

/// A content in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredFile {
    /// The file.
    pub id: FileId,
    /// The size of its content in bytes.
    pub size: u64,
}

/// Why a call to a file store failed. The cause is for logs: it may contain names of folders and servers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileStoreError {
    /// The store does not have the content.
    #[error("the file store does not have the content")]
    Missing,
    /// The content to put ended with an error, such as a broken connection of its sender.
    #[error("the content ended early")]
    Interrupted,
    /// There is no room for the content.
    #[error("the file store is full: {0}")]
    Full(String),
    /// The store cannot be reached. The same call may succeed later.
    #[error("the file store is unavailable: {0}")]
    Unavailable(String),
    /// The store failed.
    #[error("the file store failed: {0}")]
    Failed(String),
}

/// The result of a call to a file store.
pub type FileStoreResult<T> = Result<T, FileStoreError>;

/// A store of the contents of files; see the [promises](self).
///
/// ```
/// # formalize_conformance::example::run(async || {
/// use formalize_core::files::FileId;
/// use formalize_core::file_store::memory::MemoryFileStore;
/// use formalize_core::file_store::{FileStore, FileStoreError, whole};
///
/// let store = MemoryFileStore::default();
/// let id: FileId = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse()?;
/// store.put(id, whole("some text")).await?;
/// assert_eq!(store.get(id, 5..9).await?.size, 9);
///
/// store.delete(id).await?;
/// assert_eq!(store.get(id, 0..9).await.err(), Some(FileStoreError::Missing));
/// # Ok(()) });
/// ```
#[async_trait]
pub trait FileStore: Send + Sync {
    /// Stores the content of a file.
    ///
    /// # Errors
    ///
    /// See promise 9. Whatever is left then is removed by [`FileStore::delete`].
    async fn put(&self, id: FileId, content: ContentStream<'_>) -> FileStoreResult<()>;

    /// Begins to read a content. A range that extends past its end is cut there, and may be empty.
    ///
    /// # Errors
    ///
    /// See promise 9.
    async fn get(&self, id: FileId, range: Range<u64>) -> FileStoreResult<StoredContent>;

    /// Deletes a content, and everything that a broken call of [`FileStore::put`] has left of it.
    ///
    /// # Errors
    ///
    /// See promise 9.
    async fn delete(&self, id: FileId) -> FileStoreResult<()>;

    /// Lists all contents, in no particular order.
    fn list(&self) -> Pin<Box<dyn Stream<Item = FileStoreResult<StoredFile>> + Send + '_>>;
}

/// A content that is read from a file or another reader, in parts of 256 KiB at most, on threads for work that blocks.
///
/// ```
/// # formalize_conformance::example::run(async || {
/// use formalize_core::files::FileId;
/// use formalize_core::file_store::memory::MemoryFileStore;
/// use formalize_core::file_store::{FileStore, reading};
///
/// let store = MemoryFileStore::default();
/// let id: FileId = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse()?;
/// store.put(id, reading(std::io::Cursor::new("some text"))).await?;
/// assert_eq!(store.get(id, 0..0).await?.size, 9);
/// # Ok(()) });
/// ```
#[cfg(feature = "fs")]
pub fn reading(reader: impl io::Read + Send + 'static) -> ContentStream<'static> {
    let next = |reader| folder::blocking(move || folder::read_next(reader));
    Box::pin(stream::try_unfold(reader, next))
}

/// The same content, which ends with an error if it has another hash.
pub fn checked(content: ContentStream<'static>, expected: ContentHash) -> ContentStream<'static> {
    let begun = (content, Sha256::new());
    Box::pin(stream::try_unfold(
        begun,
        move |(mut content, mut hash)| async move {
            if let Some(piece) = content.try_next().await? {
                hash.update(&piece);
                return Ok(Some((piece, (content, hash))));
            }
            let hash: [u8; 32] = hash.finalize().into();
            if ContentHash::from(hash) == expected {
                Ok(None)
            } else {
                let what = "the content has another hash than it had when it was uploaded";
                Err(io::Error::new(io::ErrorKind::InvalidData, what))
            }
        },
    ))
}

/// A content that is in memory as a whole.
pub fn whole(content: impl Into<Bytes>) -> ContentStream<'static> {
    let content = content.into();
    Box::pin(stream::once(async move { Ok(content) }))
}

/// The next piece of a content that is sent; `None` at its end.
#[cfg(any(feature = "fs", feature = "s3"))]
async fn next(content: &mut ContentStream<'_>) -> FileStoreResult<Option<Bytes>> {
    let piece = content.try_next().await;
    piece.map_err(|_| FileStoreError::Interrupted)
}
