//! Moves expensive work off the threads that serve requests.

use std::num::NonZero;
use std::sync::{Arc, LazyLock};
use std::thread;

use tokio::sync::{Semaphore, oneshot};
use tracing::Span;

use crate::error::Error;
use crate::store::StoreError;

/// The number of tasks that can wait for each running one. Most take a millisecond or less, so a full queue is empty before
/// rejected callers retry. The slowest take about 100 ms, so even a queue of those is processed before clients time out. A
/// waiting task keeps the text that it processes, at most one request body.
const WAITING_EACH: usize = 128;

/// The queue of this process.
static LINE: LazyLock<Line> = LazyLock::new(Line::of_process);

/// The queue of tasks whose callers hold locks. It has separate threads and is short: there are no more such callers
/// than writing connections.
static LOCK_HOLDERS: LazyLock<Line> = LazyLock::new(Line::of_process);

/// The queue in which a task waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// The common queue.
    AfterOthers,
    /// The queue of callers who hold locks. In the common queue they would also delay everyone who waits for these locks.
    HoldingLocks,
}

/// A queue of tasks, in order of arrival.
struct Line {
    places: Arc<Semaphore>,
    /// One permit for each task that runs or waits.
    room: Arc<Semaphore>,
}

/// The reason why offloaded work has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OffloadError {
    /// The queue is full. Try again later.
    #[error("too much work is queued")]
    TooMuchWaiting,
    /// The work panicked, or no thread could be started.
    #[error("the offloaded work was interrupted")]
    Interrupted,
}

impl From<OffloadError> for StoreError {
    /// Reported like an overloaded or failed store.
    fn from(why: OffloadError) -> Self {
        match why {
            OffloadError::TooMuchWaiting => Self::Unavailable(why.to_string()),
            OffloadError::Interrupted => Self::Failed(why.to_string()),
        }
    }
}

impl From<OffloadError> for Error {
    fn from(why: OffloadError) -> Self {
        Self::Store(why.into())
    }
}

/// Runs expensive work on a separate thread, so that it does not block the threads that serve requests. As many tasks run at
/// once as half the number of processors; for each of them, up to 128 others can wait, in order of arrival. Dropping the future
/// gives up the place in the queue.
///
/// Any async runtime will do. Starting a thread takes about ten microseconds.
///
/// # Errors
///
/// [`OffloadError::TooMuchWaiting`] if the queue is full, [`OffloadError::Interrupted`] if the work panics or no thread can be
/// started. Both convert to [`Error`](enum@Error).
///
/// ```
/// use formalize_core::{DataSchema, offload};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let schema = offload(|| DataSchema::compile(r#"{"type": "object"}"#)).await??;
/// assert_eq!(schema.text(), r#"{"type": "object"}"#);
/// # Ok(())
/// # }
/// ```
pub async fn offload<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, OffloadError> {
    offload_in_turn(Turn::AfterOthers, work).await
}

/// [`offload`] for those who hold locks as well.
pub(crate) async fn offload_in_turn<T: Send + 'static>(
    turn: Turn,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, OffloadError> {
    let line = match turn {
        Turn::AfterOthers => &LINE,
        Turn::HoldingLocks => &LOCK_HOLDERS,
    };
    line.work(work).await
}

impl Line {
    /// Uses half of the processors, so that the others keep serving requests.
    fn of_process() -> Self {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        Self::new((processors / 2).max(1), WAITING_EACH)
    }

    fn new(places: usize, waiting_each: usize) -> Self {
        Self {
            places: Arc::new(Semaphore::new(places)),
            room: Arc::new(Semaphore::new(places * (1 + waiting_each))),
        }
    }

    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, OffloadError> {
        let room = Arc::clone(&self.room).try_acquire_owned();
        let room = room.map_err(|_| OffloadError::TooMuchWaiting)?;
        let place = Arc::clone(&self.places).acquire_owned().await;
        let place = place.map_err(|_| OffloadError::Interrupted)?;
        let (result, awaited) = oneshot::channel();
        let span = Span::current();
        let work = move || {
            let done = span.in_scope(work);
            // Released before the result is sent, so that the receiver can start the next task.
            drop((place, room));
            // The receiver may have been dropped.
            let _ = result.send(done);
        };
        let thread = thread::Builder::new()
            .name("offload".to_owned())
            .spawn(work);
        thread.map_err(|_| OffloadError::Interrupted)?;
        awaited.await.map_err(|_| OffloadError::Interrupted)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn work_returns_its_result_unless_it_panics() {
        assert_eq!(offload(|| 1 + 1).await, Ok(2));
        let panicking = || -> usize { std::panic::resume_unwind(Box::new("on purpose")) };
        assert_eq!(offload(panicking).await, Err(OffloadError::Interrupted));
        assert_eq!(offload(|| 3).await, Ok(3), "its place is free again");
    }

    #[tokio::test]
    async fn concurrency_is_limited() {
        static AT_ONCE: AtomicUsize = AtomicUsize::new(0);
        static MOST: AtomicUsize = AtomicUsize::new(0);
        let work = || {
            MOST.fetch_max(AT_ONCE.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(2));
            AT_ONCE.fetch_sub(1, Ordering::SeqCst);
        };
        let works: Vec<_> = (0..40).map(|_| tokio::spawn(offload(work))).collect();
        for work in works {
            assert_eq!(work.await.unwrap(), Ok(()));
        }
        let processors = thread::available_parallelism().unwrap().get();
        let most = MOST.load(Ordering::SeqCst);
        assert!(most <= (processors / 2).max(1), "{most} at once");
    }

    #[tokio::test]
    async fn a_cancelled_task_leaves_the_queue() {
        static DONE: AtomicUsize = AtomicUsize::new(0);
        let line = Line::new(1, 1);
        let taken = line.places.acquire().await.unwrap();
        for _ in 0..3 {
            let waiting = line.work(|| DONE.fetch_add(1, Ordering::SeqCst));
            let waited = tokio::time::timeout(Duration::from_millis(5), waiting).await;
            assert!(waited.is_err(), "all places are taken");
        }
        drop(taken);
        assert_eq!(line.work(|| 1).await, Ok(1));
        assert_eq!(DONE.load(Ordering::SeqCst), 0);
    }

    #[tokio::test]
    async fn a_full_queue_rejects_tasks() {
        let line = Arc::new(Line::new(2, 3));
        let begin = Arc::new(std::sync::Barrier::new(3));
        let works: Vec<_> = (0..8)
            .map(|work| {
                let (line, begin) = (Arc::clone(&line), Arc::clone(&begin));
                tokio::spawn(async move {
                    let work = move || {
                        // The first two tasks run until the test releases them.
                        if work < 2 {
                            begin.wait();
                        }
                    };
                    line.work(work).await
                })
            })
            .collect();
        while line.room.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(line.work(|| ()).await, Err(OffloadError::TooMuchWaiting));
        begin.wait();
        for work in works {
            assert_eq!(work.await.unwrap(), Ok(()));
        }
        assert_eq!(line.work(|| 1).await, Ok(1), "there is room again");
    }

    #[tokio::test]
    async fn a_panicking_task_leaves_the_queue() {
        let line = Line::new(1, 0);
        for _ in 0..2 {
            let panicking = || std::panic::resume_unwind(Box::new("on purpose"));
            assert_eq!(
                line.work::<()>(panicking).await,
                Err(OffloadError::Interrupted)
            );
            while line.room.available_permits() == 0 {
                tokio::task::yield_now().await;
            }
        }
    }
}
