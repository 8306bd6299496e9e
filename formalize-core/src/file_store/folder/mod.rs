//! A file store in a local folder.
//!
//! The crate `object_store` writes a content to a file beside the final one (`<key>#<number>`), and renames that when it is
//! complete. What this module adds is what the crate leaves open: how much is in memory at a time, that everything survives a
//! loss of power, and that nothing is left of broken uploads.

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, TryStreamExt, stream};
use object_store::local::LocalFileSystem;
use object_store::path::Path as Key;
use object_store::{GetResultPayload, ObjectStore, ObjectStoreExt, WriteMultipart};
use tokio::task::JoinHandle;

use super::key::{file_of, key_text};
use super::{
    ContentStream, FileStore, FileStoreError, FileStoreResult, StoredContent, StoredFile, next,
};
use crate::id::FileId;

/// The bytes that are written or read at a time.
const PART: usize = 256 * 1024;

/// The number of parts of an upload that may be written at the same time. So about a mebibyte of it is in memory.
const PARTS_AT_ONCE: usize = 2;

/// After how many bytes of an upload the room on the disk is checked again.
const CHECKED: usize = 8 * 1024 * 1024;

/// A file store in a local folder: the content of a file is in `<last two digits of its identifier>/<identifier>`.
///
/// ```
/// # formalize_conformance::example::run(async || {
/// use formalize_core::files::FileId;
/// use formalize_core::file_store::folder::FolderFileStore;
/// use formalize_core::file_store::{FileStore, whole};
///
/// let folder = tempfile::tempdir()?;
/// let store = FolderFileStore::open(folder.path().join("files"))?;
/// let id: FileId = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse()?;
/// store.put(id, whole("some text")).await?;
/// let path = folder.path().join("files/6b/0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b");
/// assert_eq!(std::fs::read_to_string(path)?, "some text");
/// # Ok(()) });
/// ```
#[derive(Debug, Clone)]
pub struct FolderFileStore {
    objects: Arc<LocalFileSystem>,
    folder: PathBuf,
    /// How many bytes must stay free on the disk.
    reserve: u64,
}

impl FolderFileStore {
    /// Opens a folder, and creates it if it does not exist, for its owner alone.
    ///
    /// # Errors
    ///
    /// [`FileStoreError::Failed`] if the folder cannot be created or written.
    pub fn open(folder: impl AsRef<Path>) -> FileStoreResult<Self> {
        let prepared = prepare(folder.as_ref());
        let folder = prepared.map_err(|error| {
            let folder = folder.as_ref().display();
            FileStoreError::Failed(format!("the folder {folder} cannot be written: {error}"))
        })?;
        let objects = LocalFileSystem::new_with_prefix(&folder).map_err(failure)?;
        Ok(Self {
            objects: Arc::new(objects.with_fsync(true)),
            folder,
            reserve: 0,
        })
    }

    /// Opens a folder that exists, to read it: nothing in it is changed.
    ///
    /// # Errors
    ///
    /// [`FileStoreError::Missing`] if the folder does not exist, [`FileStoreError::Failed`] if it cannot be opened.
    pub fn open_to_read(folder: impl AsRef<Path>) -> FileStoreResult<Self> {
        let opened = folder.as_ref().canonicalize();
        let folder = opened.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => FileStoreError::Missing,
            _ => of_io(&error),
        })?;
        let objects = LocalFileSystem::new_with_prefix(&folder).map_err(failure)?;
        Ok(Self {
            objects: Arc::new(objects),
            folder,
            reserve: 0,
        })
    }

    /// Makes [`put`](FileStore::put) fail with [`FileStoreError::Full`] rather than leave less than about this many bytes free
    /// on the disk, where there may be a database as well. Only Unix tells how much is free; elsewhere this does nothing.
    #[must_use]
    pub fn with_reserve(mut self, bytes: u64) -> Self {
        self.reserve = bytes;
        self
    }

    /// The folder, without symbolic links.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file with a content.
    pub(super) fn path(&self, id: FileId) -> PathBuf {
        self.folder.join(key_text(id))
    }

    /// Fails if the folder for the content of a file does not exist, for example because its disk is not mounted.
    /// `object_store` would create it below the mount point, where nobody finds the content once the disk is mounted.
    async fn check_folder(&self, id: FileId) -> FileStoreResult<()> {
        let path = self.path(id);
        let exists = move || match path.parent() {
            Some(folder) => fs::metadata(folder).map(drop).map_err(|error| {
                let what = format!("cannot use the folder {}: {error}", folder.display());
                io::Error::new(error.kind(), what)
            }),
            None => Ok(()),
        };
        blocking(exists).await.map_err(|error| of_io(&error))
    }

    /// Fails if there is less room on the disk than has to stay free.
    async fn check_room(&self) -> FileStoreResult<()> {
        if self.reserve == 0 {
            return Ok(());
        }
        let folder = self.folder.clone();
        match blocking(move || free_bytes(&folder)).await {
            Ok(Some(free)) if free < self.reserve => {
                let reserve = self.reserve;
                let what = format!("{free} bytes are free, and {reserve} are to stay free");
                Err(FileStoreError::Full(what))
            }
            Ok(_) => Ok(()),
            Err(error) => Err(of_io(&error)),
        }
    }

    /// Lets only the owner read unfinished files, before anything is written to them. The folder does that, too, until somebody
    /// opens it to others.
    async fn keep_private(&self, id: FileId) -> FileStoreResult<()> {
        #[cfg(unix)]
        {
            let path = self.path(id);
            let owner: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o600);
            let set =
                move || each_unfinished(&path, |file| fs::set_permissions(file, owner.clone()));
            blocking(set).await.map_err(|error| of_io(&error))?;
        }
        Ok(())
    }

    /// Deletes the unfinished files that uploads of this file have left.
    async fn delete_unfinished(&self, id: FileId) -> FileStoreResult<()> {
        let path = self.path(id);
        blocking(move || {
            each_unfinished(&path, fs::remove_file)?;
            // Otherwise the file could reappear after a power failure, and would never be deleted.
            path.parent().map_or(Ok(()), sync_folder)
        })
        .await
        .map_err(|error| of_io(&error))
    }
}

/// Does something with each unfinished file of a content. They are numbered from 1, and there is more than one only if an
/// identifier was used again.
fn each_unfinished(content: &Path, work: impl Fn(PathBuf) -> io::Result<()>) -> io::Result<()> {
    for number in 1_u32.. {
        let mut unfinished = content.as_os_str().to_owned();
        unfinished.push(format!("#{number}"));
        if !is_there_then(work(unfinished.into()))? {
            break;
        }
    }
    Ok(())
}

/// Creates what is missing of the folder. Those for the contents are created now, so that each is durable before it is used.
fn prepare(folder: &Path) -> io::Result<PathBuf> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)?;
    let folder = folder.canonicalize()?;
    for digits in 0..=u8::MAX {
        builder.create(folder.join(format!("{digits:02x}")))?;
    }
    sync_folder(&folder)?;
    folder.parent().map_or(Ok(()), sync_folder)?;
    let trial = folder.join("writable");
    File::create(&trial)?.sync_all()?;
    is_there_then(fs::remove_file(trial))?;
    Ok(folder)
}

/// The bytes that this process may still write to the disk of a folder; `None` if the system does not tell.
#[cfg(unix)]
fn free_bytes(folder: &Path) -> io::Result<Option<u64>> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(Some(disk.f_bavail.saturating_mul(disk.f_frsize)))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "Unix may fail to tell")]
fn free_bytes(_folder: &Path) -> io::Result<Option<u64>> {
    Ok(None)
}

/// Makes names in a folder durable. Only Unix can do that, and needs it.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Returns whether the file existed with which something was done. Its absence is not an error.
fn is_there_then(done: io::Result<()>) -> io::Result<bool> {
    match done {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn key(id: FileId) -> Key {
    Key::from(key_text(id))
}

/// Runs work that may block on a thread for that.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let worked = tokio::task::spawn_blocking(work).await;
    worked.unwrap_or_else(|error| Err(io::Error::other(error)))
}

fn of_io(error: &io::Error) -> FileStoreError {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    match error.kind() {
        StorageFull | QuotaExceeded | FileTooLarge => FileStoreError::Full(error.to_string()),
        _ => FileStoreError::Failed(error.to_string()),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
fn failure(error: object_store::Error) -> FileStoreError {
    if matches!(error, object_store::Error::NotFound { .. }) {
        return FileStoreError::Missing;
    }
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(inner) = cause {
        if let Some(io) = inner.downcast_ref::<io::Error>() {
            return of_io(io);
        }
        cause = inner.source();
    }
    FileStoreError::Failed(error.to_string())
}

/// Writes a content.
async fn write(
    store: &FolderFileStore,
    writer: &mut WriteMultipart,
    content: &mut ContentStream<'_>,
) -> FileStoreResult<()> {
    let mut unchecked = 0;
    while let Some(piece) = next(content).await? {
        unchecked += piece.len();
        if unchecked >= CHECKED {
            store.check_room().await?;
            unchecked = 0;
        }
        // Without this, parts would queue up in memory.
        writer
            .wait_for_capacity(PARTS_AT_ONCE)
            .await
            .map_err(failure)?;
        writer.write(&piece);
    }
    Ok(())
}

/// The bytes of an open file in this range, in parts. While one of them is sent, the next one is read.
fn read(mut file: File, range: Range<u64>) -> ContentStream<'static> {
    let left = range.end.saturating_sub(range.start);
    let begun = blocking(move || file.seek(SeekFrom::Start(range.start)).map(|_| file));
    let parts = move |file| {
        stream::try_unfold(read_part(file, left), |reading| async move {
            let Some(reading) = reading else {
                return Ok(None);
            };
            let read = reading
                .await
                .unwrap_or_else(|error| Err(io::Error::other(error)));
            let (part, file, left) = read?;
            Ok(Some((part, read_part(file, left))))
        })
    };
    Box::pin(stream::once(begun).map_ok(parts).try_flatten())
}

/// A part that is being read on another thread, with the file and the number of bytes that follow.
type Reading = JoinHandle<io::Result<(Bytes, File, u64)>>;

/// Starts reading the next part, where `left` bytes remain; `None` if none do. Fails if the file ends early.
fn read_part(mut file: File, left: u64) -> Option<Reading> {
    if left == 0 {
        return None;
    }
    let size = usize::try_from(left).map_or(PART, |left| left.min(PART));
    // Allocated here, because allocators keep freed memory per thread, and there are many threads that read.
    let mut part = BytesMut::zeroed(size);
    Some(tokio::task::spawn_blocking(move || {
        file.read_exact(&mut part)?;
        let left = left.saturating_sub(u64::try_from(size).unwrap_or(u64::MAX));
        Ok((part.freeze(), file, left))
    }))
}

/// The next part that a reader returns, with the reader; `None` at its end.
pub(super) fn read_next<R: Read>(mut reader: R) -> io::Result<Option<(Bytes, R)>> {
    let mut part = BytesMut::zeroed(PART);
    let number = loop {
        match reader.read(&mut part) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read?,
        }
    };
    part.truncate(number);
    Ok((number > 0).then(|| (part.freeze(), reader)))
}

#[async_trait]
impl FileStore for FolderFileStore {
    async fn put(&self, id: FileId, mut content: ContentStream<'_>) -> FileStoreResult<()> {
        self.check_folder(id).await?;
        self.check_room().await?;
        let upload = self
            .objects
            .put_multipart(&key(id))
            .await
            .map_err(failure)?;
        self.keep_private(id).await?;
        let mut writer = WriteMultipart::new_with_chunk_size(upload, PART);
        match write(self, &mut writer, &mut content).await {
            Ok(()) => writer.finish().await.map(drop).map_err(failure),
            Err(error) => {
                // What cannot be removed now is removed when the file is deleted.
                let _ = writer.abort().await;
                Err(error)
            }
        }
    }

    async fn get(&self, id: FileId, range: Range<u64>) -> FileStoreResult<StoredContent> {
        let found = self.objects.get(&key(id)).await.map_err(failure)?;
        let size = found.meta.size;
        let within = range.start.min(size)..range.end.min(size);
        let bytes: ContentStream<'static> = match found.payload {
            GetResultPayload::File(file, _) => read(file, within),
            GetResultPayload::Stream(_) => {
                let what = "a local folder returned no file".to_owned();
                return Err(FileStoreError::Failed(what));
            }
        };
        Ok(StoredContent { size, bytes })
    }

    async fn delete(&self, id: FileId) -> FileStoreResult<()> {
        match self.objects.delete(&key(id)).await.map_err(failure) {
            Ok(()) | Err(FileStoreError::Missing) => self.delete_unfinished(id).await,
            Err(error) => Err(error),
        }
    }

    fn list(&self) -> Pin<Box<dyn Stream<Item = FileStoreResult<StoredFile>> + Send + '_>> {
        let listed = self.objects.list(None).map_err(failure);
        Box::pin(listed.try_filter_map(|object| async move {
            let size = object.size;
            Ok(file_of(object.location.as_ref()).map(|id| StoredFile { id, size }))
        }))
    }
}

#[cfg(test)]
mod tests;
