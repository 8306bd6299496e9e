//! Transactions that share a COMMIT.

use std::sync::Arc;
use std::time::{Duration, Instant};

use formalize_core::store::{Inserted, StoreResult};
use formalize_core::{Store, StoreError};
use tempfile::TempDir;
use tokio::task::JoinHandle;

use crate::driver::{Purpose, Transaction, sql};
use crate::{SqlOptions, SqlStore};

/// A database that is opened twice, as if by two programs. Data seen by the other one is durable.
struct Scene {
    store: SqlStore,
    other: SqlStore,
    _folder: TempDir,
}

impl Scene {
    async fn new() -> Self {
        Self::with(SqlOptions::default()).await
    }

    async fn with(options: SqlOptions) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/formalize.db", folder.path().display());
        let store = SqlStore::open(&url, &options).await.unwrap();
        store.migrate().await.unwrap();
        let other = SqlStore::open(&url, &SqlOptions::default()).await.unwrap();
        Self {
            store,
            other,
            _folder: folder,
        }
    }

    /// A transaction that has written a setting.
    async fn written(&self, name: &str) -> Transaction {
        let mut tx = self.store.database.begin(Purpose::Write).await.unwrap();
        put(&mut tx, name).await.unwrap();
        tx
    }

    /// A task that writes a setting when it is its turn, and then calls `then`.
    async fn waiting<F>(
        &self,
        name: &'static str,
        then: impl FnOnce(Transaction) -> F + Send + 'static,
    ) -> JoinHandle<StoreResult<()>>
    where
        F: Future<Output = StoreResult<()>> + Send,
    {
        let write_first = async move |mut tx: Transaction| {
            put(&mut tx, name).await?;
            then(tx).await
        };
        self.in_turn(write_first).await
    }

    /// A task that calls `act` when it is its turn.
    async fn in_turn<F>(
        &self,
        act: impl FnOnce(Transaction) -> F + Send + 'static,
    ) -> JoinHandle<StoreResult<()>>
    where
        F: Future<Output = StoreResult<()>> + Send,
    {
        let store = self.store.clone();
        let task =
            tokio::spawn(async move { act(store.database.begin(Purpose::Write).await?).await });
        settle().await;
        task
    }

    async fn durable(&self) -> Vec<String> {
        let mut tx = self.other.database.begin(Purpose::Read).await.unwrap();
        let names = sql("SELECT name FROM formalize_settings ORDER BY name");
        let rows = tx.all(names).await.unwrap();
        rows.iter().map(|row| row.text("name").unwrap()).collect()
    }

    async fn works(&self) {
        self.written("next").await.commit().await.unwrap();
        assert!(self.durable().await.contains(&"next".to_owned()));
    }
}

async fn put(tx: &mut Transaction, name: &str) -> StoreResult<()> {
    let insert = sql("INSERT INTO formalize_settings (name, value) VALUES ($1, '')").bind(name);
    tx.run(insert).await.map(drop)
}

/// Lets other tasks run until they have to wait.
async fn settle() {
    tokio::time::sleep(Duration::from_millis(30)).await;
}

/// Limits under which every waiting transaction joins the batch, even on a slow machine.
fn patient() -> SqlOptions {
    SqlOptions {
        commit_within: Duration::from_mins(1),
        wait: Duration::from_mins(1),
        ..SqlOptions::default()
    }
}

fn is_unavailable<T>(answer: &StoreResult<T>) -> bool {
    matches!(answer, Err(StoreError::Unavailable(_)))
}

async fn commit(tx: Transaction) -> StoreResult<()> {
    tx.commit().await
}

async fn abandon(_: Transaction) -> StoreResult<()> {
    Ok(())
}

/// Holds the transaction open until the task is aborted.
async fn hold(_tx: Transaction) -> StoreResult<()> {
    std::future::pending().await
}

#[tokio::test]
async fn waiting_transactions_share_a_commit() {
    let scene = Scene::with(patient()).await;
    let before = scene.store.statistics().statements;
    let first = scene.written("0").await;
    let mut waiting = Vec::new();
    for name in ["1", "2", "3", "4"] {
        waiting.push(scene.waiting(name, commit).await);
    }
    first.commit().await.unwrap();
    assert_eq!(scene.durable().await, ["0", "1", "2", "3", "4"]);
    for task in waiting {
        task.await.unwrap().unwrap();
    }
    let (begin_and_commit, savepoints, inserts) = (2, 4, 5);
    let sent = scene.store.statistics().statements - before;
    assert_eq!(sent, begin_and_commit + savepoints + inserts);
}

#[tokio::test]
async fn a_single_transaction_commits_without_waiting() {
    let scene = Scene::with(patient()).await;
    let before = scene.store.statistics().statements;
    scene.written("alone").await.commit().await.unwrap();
    assert_eq!(scene.store.statistics().statements - before, 3);
    assert_eq!(scene.durable().await, ["alone"]);
}

#[tokio::test]
async fn sharing_can_be_disabled() {
    let scene = Scene::with(SqlOptions {
        commit_together: 1,
        ..patient()
    })
    .await;
    let before = scene.store.statistics().statements;
    let first = scene.written("1").await;
    let second = scene.waiting("2", commit).await;
    first.commit().await.unwrap();
    second.await.unwrap().unwrap();
    assert_eq!(scene.store.statistics().statements - before, 6);
}

#[tokio::test]
async fn an_old_batch_accepts_no_transactions() {
    let scene = Scene::with(SqlOptions {
        commit_within: Duration::ZERO,
        ..patient()
    })
    .await;
    let first = scene.written("1").await;
    let second = scene.waiting("2", hold).await;
    tokio::time::timeout(Duration::from_secs(10), first.commit())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(scene.durable().await, ["1"]);
    second.abort();
}

#[tokio::test]
async fn transactions_are_acknowledged_after_the_shared_commit() {
    let scene = Scene::with(patient()).await;
    let first = scene.written("1").await;
    let (go, gone) = tokio::sync::oneshot::channel::<()>();
    let second = scene
        .waiting("2", async move |tx| {
            gone.await.unwrap();
            tx.commit().await
        })
        .await;
    let first = tokio::spawn(first.commit());
    settle().await;
    assert!(!first.is_finished(), "the second transaction is still open");
    assert_eq!(scene.durable().await, [""; 0], "nothing is committed yet");
    go.send(()).unwrap();
    first.await.unwrap().unwrap();
    assert_eq!(scene.durable().await, ["1", "2"]);
    second.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn acknowledged_transactions_are_durable() {
    let scene = Arc::new(Scene::new().await);
    let before = scene.store.statistics().statements;
    let tasks = (0..64).map(|writer| {
        let scene = Arc::clone(&scene);
        tokio::spawn(async move {
            for round in 0..4 {
                let name = format!("{writer} {round}");
                let tx = scene.written(&name).await;
                if (writer + round) % 5 == 0 {
                    drop(tx);
                    continue;
                }
                tx.commit().await.unwrap();
                let mut seen = scene.other.read().await.unwrap();
                let setting = seen.find_setting(&name).await.unwrap();
                assert!(setting.is_some(), "{name} was acknowledged too early");
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    let committed = (0..64 * 4).filter(|n| (n / 4 + n % 4) % 5 != 0).count();
    assert_eq!(scene.durable().await.len(), committed);
    let sent = scene.store.statistics().statements - before;
    assert!(
        sent < 3 * 64 * 4,
        "{sent} statements, so no COMMIT was shared"
    );
}

#[tokio::test]
async fn a_dropped_transaction_does_not_affect_others() {
    let scene = Scene::with(patient()).await;
    let first = scene.written("1").await;
    let tasks = [
        scene.waiting("2", abandon).await,
        scene.waiting("3", commit).await,
        scene.waiting("4", abandon).await,
    ];
    first.commit().await.unwrap();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    assert_eq!(scene.durable().await, ["1", "3"]);
    scene.works().await;
}

#[tokio::test]
async fn an_empty_transaction_does_not_affect_others() {
    let scene = Scene::with(patient()).await;
    let first = scene.written("1").await;
    let tasks = [
        scene.waiting("2", commit).await,
        scene.in_turn(abandon).await,
        scene.in_turn(commit).await,
        scene.waiting("3", commit).await,
    ];
    first.commit().await.unwrap();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    assert_eq!(scene.durable().await, ["1", "2", "3"]);
    scene.works().await;
}

async fn read(tx: &mut Transaction, query: &'static str) -> StoreResult<()> {
    tx.optional(sql(query)).await.map(drop)
}

#[tokio::test]
async fn a_transaction_that_reads_first_is_rolled_back_alone() {
    const NAMES: &str = "SELECT name FROM formalize_settings";
    let scene = Scene::with(patient()).await;
    let first = scene.written("1").await;
    let rolled_back = async |mut tx: Transaction| {
        read(&mut tx, NAMES).await?;
        put(&mut tx, "rolled back").await
    };
    let failing = async |mut tx: Transaction| {
        read(&mut tx, "SELECT name FROM nowhere").await.unwrap_err();
        put(&mut tx, "after").await.unwrap_err();
        Ok(())
    };
    let committed = async |mut tx: Transaction| {
        read(&mut tx, NAMES).await?;
        put(&mut tx, "committed").await?;
        tx.commit().await
    };
    let tasks = [
        scene.waiting("2", commit).await,
        scene.in_turn(rolled_back).await,
        scene.in_turn(failing).await,
        scene.in_turn(committed).await,
        scene.in_turn(rolled_back).await,
    ];
    first.commit().await.unwrap();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    assert_eq!(scene.durable().await, ["1", "2", "committed"]);
    scene.works().await;
}

#[tokio::test]
async fn a_cancelled_first_query_does_not_affect_others() {
    const LONG: &str = "SELECT max(n) FROM (WITH RECURSIVE numbers (n) AS \
         (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000000) SELECT n FROM numbers)";
    let scene = Scene::with(patient()).await;
    let first = scene.written("1").await;
    let second = scene.waiting("2", commit).await;
    let cancelled = scene
        .in_turn(async |mut tx| read(&mut tx, LONG).await)
        .await;
    let first = tokio::spawn(first.commit());
    let third = scene.waiting("3", commit).await;
    assert!(!first.is_finished() && !cancelled.is_finished());
    cancelled.abort();
    for task in [first, second, third] {
        task.await.unwrap().unwrap();
    }
    assert_eq!(scene.durable().await, ["1", "2", "3"]);
    scene.works().await;
}

#[tokio::test]
async fn a_failed_transaction_does_not_affect_others() {
    let scene = Scene::with(patient()).await;
    let first = scene.written("1").await;
    let failing = scene
        .waiting("2", async |mut tx| {
            put(&mut tx, "1").await.unwrap_err();
            let after = put(&mut tx, "after").await;
            assert!(matches!(after, Err(StoreError::Failed(_))), "{after:?}");
            tx.commit().await
        })
        .await;
    let third = scene.waiting("3", commit).await;
    first.commit().await.unwrap();
    let failed = failing.await.unwrap();
    assert!(matches!(failed, Err(StoreError::Failed(_))), "{failed:?}");
    third.await.unwrap().unwrap();
    assert_eq!(scene.durable().await, ["1", "3"]);
}

/// A statement slow enough for its task to be cancelled while it runs.
const LONG: &str = "WITH RECURSIVE numbers (n) AS \
     (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000000) \
     INSERT INTO formalize_settings (name, value) SELECT 'long', max(n) FROM numbers";

async fn take_long(mut tx: Transaction) -> StoreResult<()> {
    tx.run(sql(LONG)).await?;
    tx.commit().await
}

#[tokio::test]
async fn a_cancelled_statement_does_not_affect_others() {
    let scene = Scene::with(patient()).await;
    let first = scene.written("1").await;
    let cancelled = scene.waiting("2", take_long).await;
    let first = tokio::spawn(first.commit());
    let third = scene.waiting("3", commit).await;
    assert!(!first.is_finished() && !cancelled.is_finished());
    cancelled.abort();
    for task in [first, third] {
        task.await.unwrap().unwrap();
    }
    assert_eq!(scene.durable().await, ["1", "3"]);
}

#[tokio::test]
async fn a_cancelled_single_transaction_is_rolled_back() {
    let scene = Scene::with(patient()).await;
    let cancelled = scene.waiting("1", take_long).await;
    assert!(!cancelled.is_finished());
    cancelled.abort();
    scene.works().await;
    assert_eq!(scene.durable().await, ["next"]);
}

#[tokio::test]
async fn a_cancelled_waiter_does_not_block_the_batch() {
    let scene = Scene::with(patient()).await;
    let first = scene.written("1").await;
    let mut second = Box::pin(scene.store.database.begin(Purpose::Write));
    let waits = tokio::time::timeout(Duration::from_millis(30), &mut second).await;
    assert!(waits.is_err());
    let first = tokio::spawn(first.commit());
    settle().await;
    // The second transaction has its turn, but its future is no longer polled.
    assert!(!first.is_finished());
    drop(second);
    tokio::time::timeout(Duration::from_secs(10), first)
        .await
        .unwrap()
        .unwrap()
        .unwrap();
    assert_eq!(scene.durable().await, ["1"]);
    scene.works().await;
}

#[tokio::test]
async fn a_cancelled_commit_still_takes_effect() {
    let scene = Scene::with(patient()).await;
    let first = scene.written("1").await;
    let (go, gone) = tokio::sync::oneshot::channel::<()>();
    let second = scene
        .waiting("2", async move |tx| {
            gone.await.unwrap();
            tx.commit().await
        })
        .await;
    let first = tokio::spawn(first.commit());
    settle().await;
    first.abort();
    go.send(()).unwrap();
    second.await.unwrap().unwrap();
    assert_eq!(scene.durable().await, ["1", "2"]);
}

/// A full disk makes SQLite roll back the whole transaction, including its savepoints.
#[tokio::test]
async fn transactions_rolled_back_by_sqlite_are_unavailable() {
    let scene = Scene::with(patient()).await;
    let first = scene.written("1").await;
    let full = scene
        .waiting("2", async |mut tx| {
            tx.all(sql("PRAGMA max_page_count = 1")).await?;
            let insert = sql(
                "INSERT INTO formalize_settings (name, value) VALUES ('big', zeroblob(9000000))",
            );
            tx.run(insert).await.map(drop)
        })
        .await;
    let third = scene.waiting("3", commit).await;
    let (first, full) = (first.commit().await, full.await.unwrap());
    assert!(is_unavailable(&first), "{first:?}");
    assert!(is_unavailable(&full), "{full:?}");
    let _ = third.await.unwrap();
    let durable = scene.durable().await;
    assert!(!durable.contains(&"1".to_owned()), "{durable:?}");
    assert!(!durable.contains(&"2".to_owned()), "{durable:?}");
    scene.works().await;
}

#[tokio::test]
async fn a_failed_commit_is_reported_to_every_transaction() {
    let scene = Scene::with(patient()).await;
    let first = scene.written("1").await;
    let second = scene
        .waiting("2", async |mut tx| {
            tx.run(sql("PRAGMA defer_foreign_keys = ON")).await?;
            let orphan = "INSERT INTO formalize_submission_places (form_id, creator, taken) VALUES (x'00', 'nobody', 1)";
            tx.run(sql(orphan)).await?;
            tx.commit().await
        })
        .await;
    let (first, second) = (first.commit().await, second.await.unwrap());
    for outcome in [first, second] {
        let outcome = outcome.unwrap_err().to_string();
        assert!(outcome.contains("FOREIGN KEY"), "{outcome}");
    }
    assert_eq!(scene.durable().await, [""; 0]);
    scene.works().await;
}

#[tokio::test]
async fn the_queue_is_bounded() {
    let scene = Scene::with(SqlOptions {
        waiting_writers: 2,
        ..patient()
    })
    .await;
    let first = scene.written("1").await;
    let waiting = [
        scene.waiting("2", commit).await,
        scene.waiting("3", commit).await,
    ];
    let asked = Instant::now();
    let refused = scene.store.write().await.map(drop);
    assert!(is_unavailable(&refused), "{refused:?}");
    assert!(asked.elapsed() < Duration::from_secs(10), "it did not wait");
    first.commit().await.unwrap();
    for task in waiting {
        task.await.unwrap().unwrap();
    }
    scene.works().await;
}

#[tokio::test]
async fn waiting_in_the_queue_times_out() {
    let scene = Scene::with(SqlOptions {
        wait: Duration::from_millis(50),
        ..SqlOptions::default()
    })
    .await;
    let first = scene.written("1").await;
    let refused = scene.store.write().await.map(drop);
    assert!(is_unavailable(&refused), "{refused:?}");
    first.commit().await.unwrap();
    assert_eq!(scene.durable().await, ["1"]);
}

/// Other programs, such as the command line, keep retrying until the file is unlocked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_programs_can_write_under_load() {
    let scene = Arc::new(Scene::new().await);
    let busy: Vec<_> = (0..64)
        .map(|writer| {
            let scene = Arc::clone(&scene);
            tokio::spawn(async move {
                for round in 0.. {
                    let tx = scene.written(&format!("{writer} {round}")).await;
                    tx.commit().await.unwrap();
                }
            })
        })
        .collect();
    settle().await;
    for name in ["a", "b", "c", "d", "e"] {
        let mut tx = scene.other.write().await.unwrap();
        assert_eq!(tx.insert_setting(name, "").await.unwrap(), Inserted::Done);
        tx.commit().await.unwrap();
    }
    for task in busy {
        assert!(!task.is_finished());
        task.abort();
    }
}
