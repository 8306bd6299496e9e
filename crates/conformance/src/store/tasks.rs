//! Helpers for cases with concurrent transactions.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Barrier;

use formalize_core::store::StoreResult;

/// Runs tasks that start at the same moment, and returns their results in order.
pub(super) async fn together<F, T>(count: usize, task: impl Fn(usize) -> F) -> StoreResult<Vec<T>>
where
    F: Future<Output = StoreResult<T>> + Send + 'static,
    T: Send + 'static,
{
    let barrier = Arc::new(Barrier::new(count));
    let tasks: Vec<_> = (0..count)
        .map(|number| {
            let (barrier, task) = (Arc::clone(&barrier), task(number));
            tokio::spawn(async move {
                barrier.wait().await;
                task.await
            })
        })
        .collect();
    let mut answers = Vec::with_capacity(count);
    for task in tasks {
        answers.push(joined(task).await?);
    }
    Ok(answers)
}

/// The result of a task. If it panicked, so does this one.
pub(super) async fn joined<T>(task: tokio::task::JoinHandle<StoreResult<T>>) -> StoreResult<T> {
    match task.await {
        Ok(answer) => answer,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

/// Lets other tasks run between two steps of this one, even if a store never waits.
pub(super) async fn pause() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

/// Long enough for a lock that is released at once, even on a busy machine.
const PROMPTLY: Duration = Duration::from_secs(4);

/// Awaits a future that must be ready soon.
pub(super) async fn promptly<T>(future: impl Future<Output = T>, why: &str) -> T {
    let Ok(answer) = tokio::time::timeout(PROMPTLY, future).await else {
        panic!("{why}: still waiting after {PROMPTLY:?}");
    };
    answer
}
