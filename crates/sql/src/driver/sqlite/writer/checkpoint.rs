//! Checkpoints, which copy the write-ahead log into the database.
//!
//! SQLite's automatic checkpoint is part of a COMMIT, so all waiting transactions wait for it, and under constant load the
//! log grows without end: it begins anew only when all of it has been copied and the next transaction has not begun. So the
//! automatic checkpoint is off. After every [`PORTION`] of the log, another connection copies it beside the transactions. When
//! the log is [`LONG`], it also copies the rest between two transactions, which is little. The next transaction
//! then begins the log anew.
//!
//! A read that lasts keeps the log from being copied further than the state that it sees. The log therefore grows for as long
//! as reads overlap.

use std::sync::Arc;
use std::time::{Duration, Instant};

use formalize_core::store::StoreResult;
use tokio::sync::{Mutex, OwnedMutexGuard};

use super::Writer;
use crate::driver::sqlite::lease::{Lease, Leases};
use crate::driver::sqlite::{Answer, File, Script};

/// The number of pages after which they are copied: 4 MiB, as in SQLite's automatic checkpoint.
const PORTION: i64 = 1_000;

/// The number of pages from which the log is to begin anew: 16 MiB.
const LONG: i64 = 4 * PORTION;

/// The number of pages from which the file of the log is too large to keep: 64 MiB.
const TOO_LARGE: i64 = 16 * PORTION;

/// How long no checkpoint may have found the log too large until its file is truncated. This takes a while for a large file
/// and makes transactions wait, so it is not done while the log would grow again at once.
const CALM: Duration = Duration::from_secs(30);

/// Copies what is in the log.
const COPY: &str = "PRAGMA wal_checkpoint(PASSIVE)";
/// Also truncates the file of the log.
const TRUNCATE: &str = "PRAGMA wal_checkpoint(TRUNCATE)";
/// Only tells the state of the log.
const LOOK: &str = "PRAGMA wal_checkpoint(NOOP)";

/// The state of the log, in pages.
#[derive(Debug, Clone, Copy, Default)]
struct Pages {
    all: i64,
    /// Those that have been copied.
    copied: i64,
}

impl Pages {
    /// The result of a checkpoint; nothing if another program is at one.
    fn of(answer: &Answer) -> Self {
        let row = answer.rows.first();
        let number = |column| row.and_then(|row| row.int(column).ok());
        let number = |column| number(column).map_or(0, |pages| pages.max(0));
        Self {
            all: number("log"),
            copied: number("checkpointed"),
        }
    }

    fn left(self) -> i64 {
        self.all.saturating_sub(self.copied)
    }
}

/// The connection for checkpoints, and what is known from the last one.
#[derive(Debug)]
pub(super) struct Checkpoints {
    connection: Leases,
    /// Locked during a checkpoint.
    log: Arc<Mutex<Log>>,
}

#[derive(Debug, Default)]
pub(super) struct Log {
    last: Pages,
    /// When a checkpoint last found the log too large, until its file has been truncated.
    too_large: Option<Instant>,
}

impl Log {
    /// Whether another portion can be copied. While a read keeps the rest of the log from being copied, that is tried again
    /// once the log has grown by a portion.
    fn is_due(&self, pages: Pages) -> bool {
        let began_anew = pages.all < self.last.all;
        let before = if began_anew { 0 } else { self.last.all };
        let grown = pages.all.saturating_sub(before);
        grown.min(pages.left()) >= PORTION
    }

    fn note(&mut self, pages: Pages) {
        self.last = pages;
        if pages.all >= TOO_LARGE {
            self.too_large = Some(Instant::now());
        }
    }
}

impl Checkpoints {
    pub(super) fn new(file: File) -> Self {
        Self {
            connection: Leases::new(file, 1, None),
            log: Arc::default(),
        }
    }

    /// Locks the log for a checkpoint, if one is due after a COMMIT of this connection.
    pub(super) async fn due(&self, committed: &Lease) -> Option<OwnedMutexGuard<Log>> {
        let log = Arc::clone(&self.log).try_lock_owned().ok()?;
        let pages = pages(committed, Script::brief(LOOK)).await.ok()?;
        log.is_due(pages).then_some(log)
    }

    pub(super) async fn close(&self) {
        self.connection.close().await;
    }
}

impl Writer {
    /// Begins a checkpoint, and does not wait for it.
    pub(super) fn begin_checkpoint(&self, log: OwnedMutexGuard<Log>) {
        let writer = self.clone();
        tokio::spawn(async move {
            // Fails if the store has been closed; then, the log has been copied.
            let Ok(connection) = writer.0.checkpoints.connection.lease().await else {
                return;
            };
            // What was committed is durable without it, and a following COMMIT tries again.
            if let Err(error) = writer.checkpoint(&connection, log).await {
                tracing::warn!(%error, "cannot copy the write-ahead log into the database");
            }
        });
    }

    async fn checkpoint(
        &self,
        connection: &Lease,
        mut log: OwnedMutexGuard<Log>,
    ) -> StoreResult<()> {
        let is_calm = log.too_large.is_some_and(|last| last.elapsed() > CALM);
        let copy = || pages(connection, Script::long(COPY));
        let state = copy().await?;
        log.note(state);
        if state.all < LONG || state.left() >= PORTION {
            return Ok(());
        }
        let mut batch = Arc::clone(&self.0.batch).lock_owned().await;
        self.commit_batch(&mut batch).await;
        if is_calm {
            log.last = pages(connection, Script::long(TRUNCATE)).await?;
            if log.last.all == 0 {
                log.too_large = None;
            }
        } else {
            log.note(copy().await?);
        }
        Ok(())
    }
}

async fn pages(connection: &Lease, checkpoint: Script) -> StoreResult<Pages> {
    Ok(Pages::of(&connection.run(checkpoint).await?))
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::SqlOptions;
    use crate::driver::sqlite::Access;
    use crate::driver::sqlite::lease::ReadSession;
    use crate::driver::{Session, StoreMetrics, sql};

    const MIB: u64 = 1 << 20;

    struct Scene {
        folder: TempDir,
        writer: Writer,
        readers: Leases,
    }

    impl Scene {
        async fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let file = File {
                path: folder.path().join("test.db"),
                access: Access::Create,
                wait: Duration::from_mins(1),
            };
            let connections = Leases::new(file.clone(), 1, None);
            let options = SqlOptions {
                wait: Duration::from_mins(1),
                ..SqlOptions::default()
            };
            let writer = Writer::new(connections, &options, StoreMetrics::default());
            let mut tx = Box::new(writer.begin().await.unwrap());
            tx.run(sql("CREATE TABLE texts (text TEXT)")).await.unwrap();
            tx.commit().await.unwrap();
            let readers = Leases::new(file.to_read(), 1, None);
            Self {
                folder,
                writer,
                readers,
            }
        }

        /// Writes so many mebibytes, in transactions of a quarter of one that wait for each other.
        async fn write(&self, mebibytes: usize) {
            let mut tasks = Vec::new();
            for _ in 0..4 {
                let writer = self.writer.clone();
                tasks.push(tokio::spawn(async move {
                    for _ in 0..mebibytes {
                        let mut tx = Box::new(writer.begin().await.unwrap());
                        let insert = sql("INSERT INTO texts (text) VALUES ($1)");
                        tx.run(insert.bind("x".repeat(1 << 18))).await.unwrap();
                        tx.commit().await.unwrap();
                    }
                }));
            }
            for task in tasks {
                task.await.unwrap();
            }
        }

        async fn count(reader: &mut ReadSession) -> i64 {
            let rows = reader.all(sql("SELECT count(*) AS n FROM texts")).await;
            rows.unwrap()[0].int("n").unwrap()
        }

        /// The state of the log after the running checkpoint.
        async fn log(&self) -> OwnedMutexGuard<Log> {
            Arc::clone(&self.writer.0.checkpoints.log)
                .lock_owned()
                .await
        }

        async fn checkpoint(&self, log: OwnedMutexGuard<Log>) {
            let connection = self.writer.0.checkpoints.connection.lease().await;
            let checkpoint = self.writer.checkpoint(&connection.unwrap(), log).await;
            checkpoint.unwrap();
        }

        /// The size of the log's file, in mebibytes.
        fn size(&self) -> u64 {
            let file = self.folder.path().join("test.db-wal");
            file.metadata().unwrap().len() / MIB
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn the_log_begins_anew_while_transactions_are_waiting() {
        let scene = Scene::new().await;
        scene.write(200).await;
        let size = scene.size();
        assert!(size < 100, "{size} MiB");
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_log_that_a_read_has_kept_is_truncated_after_a_while() {
        for is_calm in [false, true] {
            let scene = Scene::new().await;
            let mut reader = ReadSession::begin(&scene.readers).await.unwrap();
            assert_eq!(Scene::count(&mut reader).await, 0);
            scene.write(80).await;
            assert_eq!(Scene::count(&mut reader).await, 0);
            assert!(scene.size() >= 80);
            drop(reader);
            // The connection is free once the read has ended.
            drop(scene.readers.lease().await.unwrap());
            // Nothing is written meanwhile, as this checkpoint must reach the end of the log.
            let mut log = scene.log().await;
            if is_calm {
                log.too_large = Instant::now().checked_sub(CALM + CALM);
            }
            scene.checkpoint(log).await;
            let size = scene.size();
            assert_eq!(size < 80, is_calm, "{size} MiB");
            assert_eq!(scene.log().await.too_large.is_none(), is_calm);
            let mut reader = ReadSession::begin(&scene.readers).await.unwrap();
            assert_eq!(Scene::count(&mut reader).await, 4 * 80);
        }
    }

    #[tokio::test]
    async fn closing_copies_the_log_and_deletes_it() {
        let scene = Scene::new().await;
        scene.write(8).await;
        scene.writer.close().await;
        assert!(!scene.folder.path().join("test.db-wal").exists());
    }

    #[test]
    fn a_checkpoint_is_due_after_each_portion() {
        let pages = |all, copied| Pages { all, copied };
        for (last, now, is_due) in [
            (pages(0, 0), pages(PORTION - 1, 0), false),
            (pages(0, 0), pages(PORTION, 0), true),
            // All was copied, and the log has grown since.
            (pages(5_000, 5_000), pages(5_999, 5_000), false),
            (pages(5_000, 5_000), pages(6_000, 5_000), true),
            // A read keeps the rest from being copied.
            (pages(5_000, 100), pages(5_999, 100), false),
            (pages(5_000, 100), pages(6_000, 100), true),
            // The log has begun anew.
            (pages(5_000, 5_000), pages(PORTION - 1, 0), false),
            (pages(5_000, 5_000), pages(PORTION, 0), true),
            // Another program has copied it.
            (pages(5_000, 5_000), pages(9_000, 9_000), false),
        ] {
            let log = Log {
                last,
                too_large: None,
            };
            assert_eq!(log.is_due(now), is_due, "{last:?} {now:?}");
        }
    }
}
