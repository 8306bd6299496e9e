//! The cases.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{FutureExt, StreamExt, TryStreamExt, stream};
use uuid::Uuid;

use formalize_core::file_store::{ContentStream, FileStore, FileStoreError, whole};
use formalize_core::files::FileId;

const KIB: usize = 1024;

/// Sizes around those at which stores begin another part of a content.
const SIZES: [usize; 11] = [
    0,
    1,
    4 * KIB,
    256 * KIB - 1,
    256 * KIB,
    256 * KIB + 1,
    512 * KIB,
    1024 * KIB + 3,
    5 * 1024 * KIB,
    5 * 1024 * KIB + 1,
    11 * 1024 * KIB,
];

/// The identifier with this number. Identifiers with the same last digits are in the same folder of some stores.
fn id(number: u128) -> FileId {
    FileId::from_uuid(Uuid::from_u128(number << 64 | number))
}

/// Bytes that differ from place to place and from seed to seed.
fn bytes(size: usize, seed: u32) -> Bytes {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24).to_le_bytes()[0]
    };
    (0..size).map(|_| next()).collect()
}

/// The content in pieces of this size.
fn pieces(content: &Bytes, size: usize) -> Vec<io::Result<Bytes>> {
    let pieces = content.chunks(size).map(|piece| content.slice_ref(piece));
    pieces.map(Ok).collect()
}

fn in_pieces(content: &Bytes, size: usize) -> ContentStream<'static> {
    Box::pin(stream::iter(pieces(content, size)))
}

/// The content, and then silence.
fn unfinished(content: &Bytes) -> ContentStream<'static> {
    let pieces = stream::iter(pieces(content, 100 * KIB));
    Box::pin(pieces.chain(stream::pending()))
}

async fn read_range(
    store: &dyn FileStore,
    id: FileId,
    range: Range<u64>,
) -> Result<(u64, Vec<u8>), FileStoreError> {
    let content = store.get(id, range).await?;
    let pieces: Vec<Bytes> = content.bytes.try_collect().await.unwrap();
    Ok((content.size, pieces.concat()))
}

async fn read(store: &dyn FileStore, id: FileId) -> Result<Vec<u8>, FileStoreError> {
    read_range(store, id, 0..u64::MAX)
        .await
        .map(|(_, content)| content)
}

/// The sizes of all contents. A content that is listed twice is a broken promise.
async fn listed(store: &dyn FileStore) -> BTreeMap<FileId, u64> {
    let files: Vec<_> = store.list().try_collect().await.unwrap();
    let number = files.len();
    let listed: BTreeMap<_, _> = files.into_iter().map(|file| (file.id, file.size)).collect();
    assert_eq!(listed.len(), number, "promise 6: listed twice");
    listed
}

async fn assert_empty(store: &dyn FileStore, promise: u8) {
    let listed = listed(store).await;
    assert!(listed.is_empty(), "promise {promise}: {listed:?}");
}

fn size(content: &Bytes) -> u64 {
    content.len().try_into().unwrap()
}

pub(super) async fn contents_come_back_exactly(store: Arc<dyn FileStore>) {
    for (number, length) in (1_u32..).zip(SIZES) {
        let content = bytes(length, number);
        let id = id(number.into());
        store.put(id, in_pieces(&content, 77_777)).await.unwrap();
        let (told, read) = read_range(&*store, id, 0..u64::MAX).await.unwrap();
        assert!(read == content, "promise 1: {length} bytes differ");
        assert_eq!(told, size(&content), "promise 4");
    }
    // The size of the pieces does not matter.
    let content = bytes(300 * KIB, 1);
    for (number, piece) in [(50, 1_000), (51, 256 * KIB), (52, 300 * KIB)] {
        store
            .put(id(number), in_pieces(&content, piece))
            .await
            .unwrap();
        assert!(
            read(&*store, id(number)).await.unwrap() == content,
            "promise 1: {piece}"
        );
    }
    let with_empty_pieces = [Bytes::new(), content.clone(), Bytes::new()].map(Ok);
    store
        .put(id(60), Box::pin(stream::iter(with_empty_pieces)))
        .await
        .unwrap();
    assert!(
        read(&*store, id(60)).await.unwrap() == content,
        "promise 1: empty pieces"
    );
}

pub(super) async fn ranges_come_back_exactly(store: Arc<dyn FileStore>) {
    let content = bytes(700 * KIB, 1);
    let end = size(&content);
    store.put(id(1), whole(content.clone())).await.unwrap();
    store.put(id(2), whole(Bytes::new())).await.unwrap();
    let (middle, kib) = (end / 2, 1024);
    for range in [
        0..1,
        0..end,
        0..end + 1,
        0..0,
        end - 1..end,
        end..end,
        end..end + 5,
        end + 5..end + 9,
        middle..middle + 1,
        middle..middle,
        256 * kib - 1..256 * kib + 1,
        256 * kib..512 * kib,
        1..u64::MAX,
    ] {
        let (size, read) = read_range(&*store, id(1), range.clone()).await.unwrap();
        let within = |place: u64| usize::try_from(place.min(end)).unwrap();
        let expected = &content[within(range.start)..within(range.end)];
        assert!(
            read == expected,
            "promise 4: {range:?} has {} bytes",
            read.len()
        );
        assert_eq!(size, end, "promise 4: {range:?}");
        let of_empty = read_range(&*store, id(2), range).await.unwrap();
        assert_eq!(of_empty, (0, Vec::new()), "promise 4");
    }
}

pub(super) async fn what_is_not_there_is_missing(store: Arc<dyn FileStore>) {
    store.put(id(1), whole("a")).await.unwrap();
    let missing = read(&*store, id(2)).await;
    assert_eq!(missing, Err(FileStoreError::Missing), "promise 9");
    let nothing = read_range(&*store, id(2), 0..0).await;
    assert_eq!(nothing, Err(FileStoreError::Missing), "promise 9");
    store.delete(id(2)).await.unwrap();
}

pub(super) async fn a_broken_content_leaves_nothing(store: Arc<dyn FileStore>) {
    for (number, length) in (1_u32..).zip(SIZES) {
        let broken = || Err(io::Error::from(io::ErrorKind::ConnectionReset));
        let mut content = pieces(&bytes(length, number), 100 * KIB);
        content.push(broken());
        let id = id(number.into());
        let put = store.put(id, Box::pin(stream::iter(content))).await;
        assert_eq!(put, Err(FileStoreError::Interrupted), "promise 9: {length}");
        assert_eq!(
            read(&*store, id).await,
            Err(FileStoreError::Missing),
            "promise 1: {length}"
        );
        store.delete(id).await.unwrap();
    }
    assert_empty(&*store, 1).await;
}

/// Polls a call as long as it makes progress, and drops it then.
async fn begin_and_drop<T>(call: impl Future<Output = T>) {
    let begun = tokio::time::timeout(Duration::from_millis(300), call).await;
    assert!(begun.is_err(), "the content does not end, but the call has");
}

pub(super) async fn a_dropped_put_leaves_nothing(store: Arc<dyn FileStore>) {
    for (number, length) in [(1, 10), (2, 300 * KIB), (3, 6 * 1024 * KIB)] {
        let content = bytes(length, 1);
        begin_and_drop(store.put(id(number), unfinished(&content))).await;
        assert_eq!(
            read(&*store, id(number)).await,
            Err(FileStoreError::Missing),
            "promise 1"
        );
        store.delete(id(number)).await.unwrap();
    }
    // Not even polled to its first wait.
    let _ = store.put(id(4), unfinished(&bytes(10, 1))).now_or_never();
    assert_empty(&*store, 1).await;
}

pub(super) async fn what_is_not_complete_is_not_found(store: Arc<dyn FileStore>) {
    for (number, length) in [(1, 10), (2, 300 * KIB), (3, 6 * 1024 * KIB)] {
        let id = id(number);
        let content = bytes(length, 1);
        let (release, released) = tokio::sync::oneshot::channel::<()>();
        let first = stream::iter(pieces(&content, 100 * KIB));
        let last = stream::once(async move {
            released.await.unwrap();
            Ok(Bytes::from_static(b"end"))
        });
        let putting = {
            let store = Arc::clone(&store);
            tokio::spawn(async move { store.put(id, Box::pin(first.chain(last))).await })
        };
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(
            read(&*store, id).await,
            Err(FileStoreError::Missing),
            "promise 1"
        );
        assert!(!listed(&*store).await.contains_key(&id), "promise 6");
        release.send(()).unwrap();
        putting.await.unwrap().unwrap();
        let expected = [content, Bytes::from_static(b"end")].concat();
        assert!(read(&*store, id).await.unwrap() == expected, "promise 1");
        assert!(listed(&*store).await.contains_key(&id), "promise 6");
    }
}

pub(super) async fn a_deleted_content_is_gone(store: Arc<dyn FileStore>) {
    for number in 1..=3 {
        store.put(id(number), whole("a")).await.unwrap();
    }
    for _ in 0..2 {
        store.delete(id(2)).await.unwrap();
        assert_eq!(
            read(&*store, id(2)).await,
            Err(FileStoreError::Missing),
            "promise 5"
        );
        let left: Vec<_> = listed(&*store).await.into_keys().collect();
        assert_eq!(left, [id(1), id(3)], "promise 5");
    }
}

/// A sweeper may delete a file whose time is over while its content still arrives.
pub(super) async fn deleting_during_a_put_leaves_nothing(store: Arc<dyn FileStore>) {
    let content = bytes(6 * 1024 * KIB, 1);
    let (release, released) = tokio::sync::oneshot::channel::<()>();
    let first = stream::iter(pieces(&content, 100 * KIB));
    let end = stream::once(async move {
        released.await.unwrap();
        Ok(Bytes::from_static(b"end"))
    });
    let putting = {
        let store = Arc::clone(&store);
        tokio::spawn(async move { store.put(id(1), Box::pin(first.chain(end))).await })
    };
    tokio::time::sleep(Duration::from_millis(100)).await;
    store.delete(id(1)).await.unwrap();
    release.send(()).unwrap();
    // It may have failed, or put everything.
    let was_put = putting.await.unwrap().is_ok();
    assert_eq!(read(&*store, id(1)).await.is_ok(), was_put, "promise 1");
    store.delete(id(1)).await.unwrap();
    assert_empty(&*store, 5).await;
}

pub(super) async fn lists_have_every_content_once(store: Arc<dyn FileStore>) {
    assert_empty(&*store, 6).await;
    let mut expected = BTreeMap::new();
    for number in 0..40_u32 {
        let content = bytes(usize::try_from(number).unwrap() * 10, number);
        let id = id(u128::from(number) * 97);
        expected.insert(id, size(&content));
        store.put(id, whole(content)).await.unwrap();
    }
    assert_eq!(listed(&*store).await, expected, "promise 6");
}

pub(super) async fn a_deleted_content_is_read_to_its_end_or_not(store: Arc<dyn FileStore>) {
    let content = bytes(6 * 1024 * KIB, 1);
    store.put(id(1), whole(content.clone())).await.unwrap();
    let mut reading = store.get(id(1), 0..u64::MAX).await.unwrap().bytes;
    let mut read = reading.next().await.unwrap().unwrap().to_vec();
    store.delete(id(1)).await.unwrap();
    while let Some(piece) = reading.next().await {
        let Ok(piece) = piece else {
            // What was read until then is right.
            assert!(content.starts_with(&read), "promise 7");
            return;
        };
        read.extend_from_slice(&piece);
    }
    assert!(read == content, "promise 7: {} bytes", read.len());
}

pub(super) async fn puts_at_the_same_time_do_not_mix(store: Arc<dyn FileStore>) {
    let content = |number: u32| bytes(700 * KIB + usize::try_from(number).unwrap(), number);
    let puts = (1..=16_u32).map(|number| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let content = in_pieces(&content(number), 10_000);
            store.put(id(number.into()), content).await.unwrap();
        })
    });
    for put in puts.collect::<Vec<_>>() {
        put.await.unwrap();
    }
    for number in 1..=16_u32 {
        let read = read(&*store, id(number.into())).await.unwrap();
        assert!(read == content(number), "promise 8: {number}");
    }
}
