//! Metrics of the store of files.

use std::{
    ops::Range,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64},
    },
    task::Poll,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use formalize_core::{
    file_store::{
        ContentStream, FileStore, FileStoreError, FileStoreResult, StoredContent, StoredFile,
    },
    files::FileId,
};
use futures_util::{Stream, StreamExt, stream};
use hyper::body::Bytes;
use prometheus_client::{
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::{Registry, Unit},
};

use super::Labels;

/// The upper bounds of the buckets, in seconds.
const SECONDS: [f64; 8] = [0.001, 0.01, 0.1, 1.0, 5.0, 30.0, 300.0, 1800.0];

/// The number of uploads, downloads and deletions in the store of files, their bytes, and how long they took. Clones share the
/// counts.
#[derive(Debug, Clone)]
pub struct FileMetrics {
    ended: Family<Labels<2>, Counter>,
    bytes: Family<Labels<1>, Counter>,
    seconds: Family<Labels<1>, Histogram, fn() -> Histogram>,
    waiting: Gauge<i64, AtomicI64>,
    waiting_since: Gauge<f64, AtomicU64>,
}

impl Default for FileMetrics {
    fn default() -> Self {
        Self {
            ended: Family::default(),
            bytes: Family::default(),
            seconds: Family::new_with_constructor(|| Histogram::new(SECONDS)),
            waiting: Gauge::default(),
            waiting_since: Gauge::default(),
        }
    }
}

impl FileMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register(
            "formalize_file_operations",
            "Uploads, downloads and deletions of contents of files that have ended, by outcome",
            self.ended.clone(),
        );
        registry.register_with_unit(
            "formalize_file_content",
            "Bytes of contents of files that were stored and read",
            Unit::Bytes,
            self.bytes.clone(),
        );
        registry.register_with_unit(
            "formalize_file_operation_duration",
            "How long uploads, downloads and deletions took, including the time of the client",
            Unit::Seconds,
            self.seconds.clone(),
        );
        registry.register(
            "formalize_files_waiting",
            "Unused contents of files that the last attempt to delete them has left",
            self.waiting.clone(),
        );
        registry.register_with_unit(
            "formalize_files_waiting_longest",
            "Time since no unused contents were left; zero if none are",
            Unit::Seconds,
            self.waiting_since.clone(),
        );
    }

    /// Notes what an attempt to delete unused contents has left, and how long ago none were left.
    pub fn left(&self, contents: usize, since: Duration) {
        self.waiting
            .set(i64::try_from(contents).unwrap_or(i64::MAX));
        let since = if contents == 0 { Duration::ZERO } else { since };
        self.waiting_since.set(since.as_secs_f64());
    }

    /// Wraps a store, and counts the calls to it.
    pub fn count(&self, store: Arc<dyn FileStore>) -> Arc<dyn FileStore> {
        let metrics = self.clone();
        Arc::new(CountedFileStore { store, metrics })
    }

    fn begin(&self, operation: &'static str) -> Running {
        Running {
            metrics: self.clone(),
            operation,
            begun: Instant::now(),
            bytes: 0,
            // The outcome if the client disconnects.
            outcome: "interrupted",
        }
    }
}

/// An operation that runs. Dropping it counts its end.
struct Running {
    metrics: FileMetrics,
    operation: &'static str,
    begun: Instant,
    bytes: u64,
    outcome: &'static str,
}

// Closures must use these methods: with the fields alone, they would change copies of them.
impl Running {
    fn pass(&mut self, piece: &Bytes) {
        self.bytes += size_of(piece);
    }

    fn set(&mut self, outcome: &'static str) {
        self.outcome = outcome;
    }

    fn end<T>(mut self, result: FileStoreResult<T>) -> FileStoreResult<T> {
        self.outcome = outcome(&result);
        result
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let metrics = &self.metrics;
        let operation = ("operation", self.operation);
        let ended = [operation, ("outcome", self.outcome)];
        metrics.ended.get_or_create(&ended).inc();
        if self.bytes > 0 {
            metrics.bytes.get_or_create(&[operation]).inc_by(self.bytes);
        }
        let seconds = self.begun.elapsed().as_secs_f64();
        metrics.seconds.get_or_create(&[operation]).observe(seconds);
    }
}

fn size_of(piece: &Bytes) -> u64 {
    u64::try_from(piece.len()).unwrap_or(u64::MAX)
}

fn outcome<T>(result: &FileStoreResult<T>) -> &'static str {
    match result {
        Ok(_) => "done",
        Err(FileStoreError::Missing) => "missing",
        Err(FileStoreError::Interrupted) => "interrupted",
        Err(FileStoreError::Full(_)) => "full",
        Err(FileStoreError::Unavailable(_)) => "unavailable",
        Err(FileStoreError::Failed(_)) => "failed",
    }
}

struct CountedFileStore {
    store: Arc<dyn FileStore>,
    metrics: FileMetrics,
}

#[async_trait]
impl FileStore for CountedFileStore {
    async fn put(&self, id: FileId, content: ContentStream<'_>) -> FileStoreResult<()> {
        let mut running = self.metrics.begin("upload");
        let counted = content.inspect(|piece| {
            if let Ok(piece) = piece {
                running.pass(piece);
            }
        });
        let put = self.store.put(id, Box::pin(counted)).await;
        running.end(put)
    }

    async fn get(&self, id: FileId, range: Range<u64>) -> FileStoreResult<StoredContent> {
        let mut running = self.metrics.begin("download");
        let StoredContent { size, mut bytes } = match self.store.get(id, range.clone()).await {
            Ok(content) => content,
            Err(error) => return running.end(Err(error)),
        };
        // The reader may not poll again after the last byte.
        let mut left = range.end.min(size).saturating_sub(range.start);
        if left == 0 {
            running.set("done");
        }
        let counted = stream::poll_fn(move |context| {
            let next = bytes.as_mut().poll_next(context);
            match &next {
                Poll::Ready(Some(Ok(piece))) => {
                    running.pass(piece);
                    left = left.saturating_sub(size_of(piece));
                    if left == 0 {
                        running.set("done");
                    }
                }
                Poll::Ready(Some(Err(_))) => running.set("failed"),
                Poll::Ready(None) | Poll::Pending => {}
            }
            next
        });
        Ok(StoredContent {
            size,
            bytes: Box::pin(counted),
        })
    }

    async fn delete(&self, id: FileId) -> FileStoreResult<()> {
        let running = self.metrics.begin("deletion");
        running.end(self.store.delete(id).await)
    }

    fn list(&self) -> Pin<Box<dyn Stream<Item = FileStoreResult<StoredFile>> + Send + '_>> {
        self.store.list()
    }
}
