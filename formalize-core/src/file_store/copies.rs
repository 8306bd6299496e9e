//! Folders with copies of contents, such as backups.

use std::fs;
use std::path::Path;

use super::folder::{FolderFileStore, blocking, sync_folder};
use super::{FileStore, FileStoreError, FileStoreResult};
use crate::id::FileId;

/// A folder with copies of contents. It is laid out like a [`FolderFileStore`], so it can be opened as one, and its files can be
/// copied to another file store by any program.
///
/// ```
/// # formalize_conformance::example::run(async || {
/// use formalize_core::files::FileId;
/// use formalize_core::file_store::copies::CopyFolder;
/// use formalize_core::file_store::folder::FolderFileStore;
/// use formalize_core::file_store::{FileStore, whole};
///
/// let folder = tempfile::tempdir()?;
/// let store = FolderFileStore::open(folder.path().join("files"))?;
/// let id: FileId = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse()?;
/// store.put(id, whole("some text")).await?;
///
/// let copies = CopyFolder::open(folder.path().join("backup"))?.linked_to(&store)?;
/// assert!(copies.take(id, &store).await?);
/// assert!(!copies.take(id, &store).await?, "it is there already");
/// # Ok(()) });
/// ```
#[derive(Debug, Clone)]
pub struct CopyFolder {
    copies: FolderFileStore,
    /// Where the contents are that can be linked.
    originals: Option<FolderFileStore>,
}

impl CopyFolder {
    /// Opens a folder, and creates it if it does not exist, for its owner alone.
    ///
    /// # Errors
    ///
    /// [`FileStoreError::Failed`] if the folder cannot be created or written.
    pub fn open(folder: impl AsRef<Path>) -> FileStoreResult<Self> {
        Ok(Self {
            copies: FolderFileStore::open(folder)?,
            originals: None,
        })
    }

    /// Makes [`take`](Self::take) create hard links to the contents in a store, which take no room, rather than copies. Where
    /// the system cannot do that, for example on another disk, they are copied nevertheless.
    ///
    /// # Errors
    ///
    /// [`FileStoreError::Failed`] if both are the same folder.
    pub fn linked_to(mut self, store: &FolderFileStore) -> FileStoreResult<Self> {
        if store.folder() == self.copies.folder() {
            let what = "the copies would be in the folder of the originals";
            return Err(FileStoreError::Failed(what.to_owned()));
        }
        self.originals = Some(store.clone());
        Ok(self)
    }

    /// Copies a content from a store, unless a content of the same size is there already. Returns whether it was copied.
    ///
    /// # Errors
    ///
    /// [`FileStoreError::Missing`] if the store does not have it; otherwise those of reading and writing.
    pub async fn take(&self, id: FileId, from: &dyn FileStore) -> FileStoreResult<bool> {
        let content = from.get(id, 0..u64::MAX).await?;
        match self.copies.get(id, 0..0).await {
            Ok(copy) if copy.size == content.size => return Ok(false),
            Ok(_) | Err(FileStoreError::Missing) => {}
            Err(error) => return Err(error),
        }
        if !self.link(id).await {
            self.copies.put(id, content.bytes).await?;
        }
        Ok(true)
    }

    /// Whether a link could be created.
    async fn link(&self, id: FileId) -> bool {
        let Some(originals) = &self.originals else {
            return false;
        };
        let (original, copy) = (originals.path(id), self.copies.path(id));
        let linked = blocking(move || {
            fs::hard_link(original, &copy)?;
            copy.parent().map_or(Ok(()), sync_folder)
        });
        linked.await.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;
    use std::path::PathBuf;

    use futures_util::TryStreamExt;

    use super::*;
    use crate::file_store::memory::MemoryFileStore;
    use crate::file_store::whole;

    fn id(number: u128) -> FileId {
        FileId::from_uuid(uuid::Uuid::from_u128(number))
    }

    async fn content(store: &FolderFileStore, id: FileId) -> Vec<u8> {
        let content = store.get(id, 0..u64::MAX).await.unwrap();
        let pieces: Vec<_> = content.bytes.try_collect().await.unwrap();
        pieces.concat()
    }

    #[tokio::test]
    async fn contents_are_linked_within_a_disk_and_outlive_the_originals() {
        let folder = tempfile::tempdir().unwrap();
        let store = FolderFileStore::open(folder.path().join("files")).unwrap();
        store.put(id(1), whole("some text")).await.unwrap();
        let copies = CopyFolder::open(folder.path().join("backup")).unwrap();
        let copies = copies.linked_to(&store).unwrap();
        assert_eq!(copies.take(id(1), &store).await, Ok(true));
        let inode = |path: PathBuf| path.metadata().unwrap().ino();
        let linked = (inode(store.path(id(1))), inode(copies.copies.path(id(1))));
        assert_eq!(linked.0, linked.1);
        store.delete(id(1)).await.unwrap();
        assert_eq!(content(&copies.copies, id(1)).await, b"some text");
        let missing = copies.take(id(1), &store).await;
        assert_eq!(missing, Err(FileStoreError::Missing));
    }

    #[tokio::test]
    async fn contents_of_any_store_are_copied_and_damaged_copies_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let store = MemoryFileStore::default();
        store.put(id(1), whole("some text")).await.unwrap();
        let copies = CopyFolder::open(folder.path()).unwrap();
        for (damage, taken) in [("", true), ("", false), ("some", true)] {
            if !damage.is_empty() {
                fs::write(copies.copies.path(id(1)), damage).unwrap();
            }
            assert_eq!(copies.take(id(1), &store).await, Ok(taken));
            assert_eq!(content(&copies.copies, id(1)).await, b"some text");
        }
    }

    #[test]
    fn the_originals_are_no_copies() {
        let folder = tempfile::tempdir().unwrap();
        let store = FolderFileStore::open(folder.path()).unwrap();
        let same = CopyFolder::open(folder.path().join(".")).unwrap();
        let refused = same.linked_to(&store).unwrap_err();
        assert!(refused.to_string().contains("originals"), "{refused}");
    }
}
