//! What the cases about transactions at the same time share.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Barrier;

use crate::store::StoreResult;

/// Runs so many tasks that begin at the same moment, and answers what each gave, in their order.
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

/// What a task gave; if it panicked, this task does too.
pub(super) async fn joined<T>(task: tokio::task::JoinHandle<StoreResult<T>>) -> StoreResult<T> {
    match task.await {
        Ok(answer) => answer,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

/// Lets the other tasks come between two steps of this one, also where a store answers at once.
pub(super) async fn pause() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

/// Long enough for a lock that is let go of at once, on a busy machine too.
const PROMPTLY: Duration = Duration::from_secs(4);

/// What a future gives, which must be there soon.
pub(super) async fn promptly<T>(future: impl Future<Output = T>, why: &str) -> T {
    let Ok(answer) = tokio::time::timeout(PROMPTLY, future).await else {
        panic!("{why}: still waiting after {PROMPTLY:?}");
    };
    answer
}
