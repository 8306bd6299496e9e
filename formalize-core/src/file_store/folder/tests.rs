use std::os::unix::fs::PermissionsExt;

use futures_util::StreamExt;

use super::*;
use crate::file_store::whole;

fn id(number: u128) -> FileId {
    FileId::from_uuid(uuid::Uuid::from_u128(number))
}

/// The files in a folder, at any depth.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path.file_name().unwrap().to_str().unwrap().to_owned());
        }
    }
    found
}

fn store() -> (FolderFileStore, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let store = FolderFileStore::open(folder.path().join("a/files")).unwrap();
    (store, folder)
}

#[test]
fn the_folder_is_made_for_its_owner() {
    let (store, folder) = store();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&store.folder), 0o700);
    assert_eq!(mode(&store.folder.join("6b")), 0o700);
    assert_eq!(files(folder.path()), [""; 0]);
    // Opening it again changes nothing.
    fs::set_permissions(&store.folder, PermissionsExt::from_mode(0o750)).unwrap();
    FolderFileStore::open(&store.folder).unwrap();
    assert_eq!(mode(&store.folder), 0o750);
}

#[tokio::test]
async fn contents_are_for_the_owner() {
    let (store, _folder) = store();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    // The second one is larger than what is written at once.
    for (number, size) in [(1, 10), (2, 3 * PART)] {
        let path = store.path(id(number));
        let unfinished = PathBuf::from(format!("{}#1", path.display()));
        let content = stream::once(async {
            assert_eq!(mode(&unfinished), 0o600, "{size}");
            Ok(Bytes::from(vec![0; size]))
        });
        store.put(id(number), Box::pin(content)).await.unwrap();
        assert_eq!(mode(&path), 0o600, "{size}");
    }
}

#[tokio::test]
async fn a_folder_can_be_read_without_changing_it() {
    let folder = tempfile::tempdir().unwrap();
    let missing = FolderFileStore::open_to_read(folder.path().join("none"));
    assert_eq!(missing.err(), Some(FileStoreError::Missing));
    let store = FolderFileStore::open_to_read(folder.path()).unwrap();
    assert_eq!(store.list().count().await, 0);
    let missing = store.get(id(1), 0..1).await;
    assert_eq!(missing.err(), Some(FileStoreError::Missing));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    fs::create_dir(folder.path().join("01")).unwrap();
    fs::write(store.path(id(1)), "some text").unwrap();
    assert_eq!(store.get(id(1), 0..1).await.unwrap().size, 9);
}

#[test]
fn a_folder_that_cannot_be_used_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    for path in [file.clone(), file.join("below")] {
        let refused = FolderFileStore::open(&path).unwrap_err().to_string();
        let told = format!("the folder {} cannot be written", path.display());
        assert!(refused.contains(&told), "{refused}");
    }
}

/// A killed process leaves the file that it was writing. It is not listed, and goes with the content.
#[tokio::test]
async fn leftovers_of_a_killed_process_are_deleted() {
    let (store, folder) = store();
    let (killed, other) = (id(0x1ab), id(0x2ab));
    for name in [
        format!("{killed}#1"),
        format!("{killed}#2"),
        format!("{other}#1"),
    ] {
        fs::write(store.folder.join("ab").join(name), "half").unwrap();
    }
    let listed: Vec<_> = store.list().collect().await;
    assert_eq!(listed, []);
    store.put(killed, whole("all of it")).await.unwrap();
    assert_eq!(files(folder.path()).len(), 4);
    store.delete(killed).await.unwrap();
    assert_eq!(files(folder.path()), [format!("{other}#1")]);
    store.delete(other).await.unwrap();
    assert_eq!(files(folder.path()), [""; 0]);
}

/// What others put into the folder is nobody's content.
#[tokio::test]
async fn other_files_are_not_listed() {
    let (store, _folder) = store();
    store.put(id(0x1ab), whole("a")).await.unwrap();
    for path in ["notes.txt", "ab/notes.txt", &format!("cd/{}", id(0x1ab))] {
        fs::write(store.folder.join(path), "x").unwrap();
    }
    let listed: Vec<_> = store.list().collect().await;
    let expected = StoredFile {
        id: id(0x1ab),
        size: 1,
    };
    assert_eq!(listed, [Ok(expected)]);
}

#[tokio::test]
async fn a_content_that_lost_its_end_is_an_error() {
    let (store, _folder) = store();
    store.put(id(1), whole("some text")).await.unwrap();
    let reading = store.get(id(1), 0..9).await.unwrap();
    let path = store.folder.join(key_text(id(1)));
    File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_len(4)
        .unwrap();
    let read: Result<Vec<Bytes>, _> = reading.bytes.try_collect().await;
    assert_eq!(read.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
}

#[tokio::test]
async fn uploads_leave_room_on_the_disk() {
    let (store, folder) = store();
    let store = store.with_reserve(u64::MAX);
    let refused = store.put(id(1), whole("some text")).await.unwrap_err();
    assert!(matches!(refused, FileStoreError::Full(_)), "{refused}");
    assert_eq!(files(folder.path()), [""; 0]);
    let store = store.with_reserve(1);
    let large = vec![0; 2 * CHECKED];
    store.put(id(1), whole(large)).await.unwrap();
}

#[test]
fn a_full_disk_is_told_from_a_broken_one() {
    let caused_by = |kind: io::ErrorKind| {
        failure(object_store::Error::Generic {
            store: "test",
            source: Box::new(io::Error::from(kind)),
        })
    };
    assert!(matches!(
        caused_by(io::ErrorKind::StorageFull),
        FileStoreError::Full(_)
    ));
    assert!(matches!(
        caused_by(io::ErrorKind::QuotaExceeded),
        FileStoreError::Full(_)
    ));
    assert!(matches!(
        caused_by(io::ErrorKind::PermissionDenied),
        FileStoreError::Failed(_)
    ));
}
