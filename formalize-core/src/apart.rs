//! Work that may take long, apart from the threads that serve requests.

use std::num::NonZero;
use std::sync::{Arc, LazyLock};
use std::thread;

use tokio::sync::{Semaphore, oneshot};
use tracing::Span;

/// The places for such work: half of the processors, so that the others go on serving requests whatever is asked of
/// these. Processors belong to the process, and so do the places.
static PLACES: LazyLock<Arc<Semaphore>> = LazyLock::new(|| {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    Arc::new(Semaphore::new((processors / 2).max(1)))
});

/// Work that has no result: it panicked, or there was no thread for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("work on a thread of its own was interrupted")]
pub struct Interrupted;

/// Does work that may take long on a thread of its own, so that it keeps nobody else waiting. Few are done at once; the
/// others wait in the order of their coming, and whoever stops waiting leaves the line.
///
/// It needs no particular runtime. A thread costs some ten microseconds, which is little beside work that is worth one.
///
/// # Errors
///
/// [`Interrupted`] when the work panics, or no thread can be had.
///
/// ```
/// use formalize_core::{DataSchema, apart};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let schema = apart(|| DataSchema::compile(r#"{"type": "object"}"#)).await??;
/// assert_eq!(schema.text(), r#"{"type": "object"}"#);
/// # Ok(())
/// # }
/// ```
pub async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Interrupted> {
    let place = Arc::clone(&PLACES).acquire_owned().await;
    let place = place.map_err(|_| Interrupted)?;
    let (result, awaited) = oneshot::channel();
    let span = Span::current();
    let work = move || {
        // That nobody waits any more is no reason to complain.
        let _ = result.send(span.in_scope(work));
        drop(place);
    };
    let thread = thread::Builder::new().name("apart".to_owned()).spawn(work);
    thread.map_err(|_| Interrupted)?;
    awaited.await.map_err(|_| Interrupted)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn work_has_a_result_unless_it_panics() {
        assert_eq!(apart(|| 1 + 1).await, Ok(2));
        let panicking = || -> usize { std::panic::resume_unwind(Box::new("on purpose")) };
        assert_eq!(apart(panicking).await, Err(Interrupted));
        assert_eq!(apart(|| 3).await, Ok(3), "its place is free again");
    }

    #[tokio::test]
    async fn few_works_are_done_at_once() {
        static AT_ONCE: AtomicUsize = AtomicUsize::new(0);
        static MOST: AtomicUsize = AtomicUsize::new(0);
        let work = || {
            MOST.fetch_max(AT_ONCE.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(2));
            AT_ONCE.fetch_sub(1, Ordering::SeqCst);
        };
        let works: Vec<_> = (0..40).map(|_| tokio::spawn(apart(work))).collect();
        for work in works {
            assert_eq!(work.await.unwrap(), Ok(()));
        }
        let processors = thread::available_parallelism().unwrap().get();
        let most = MOST.load(Ordering::SeqCst);
        assert!(most <= (processors / 2).max(1), "{most} at once");
    }

    #[tokio::test]
    async fn whoever_stops_waiting_leaves_the_line() {
        static DONE: AtomicUsize = AtomicUsize::new(0);
        let all = u32::try_from(Semaphore::MAX_PERMITS.min(PLACES.available_permits())).unwrap();
        let taken = PLACES.acquire_many(all).await.unwrap();
        let waiting = apart(|| DONE.fetch_add(1, Ordering::SeqCst));
        let waited = tokio::time::timeout(Duration::from_millis(5), waiting).await;
        assert!(waited.is_err(), "all places are taken");
        drop(taken);
        assert_eq!(apart(|| 1).await, Ok(1));
        assert_eq!(DONE.load(Ordering::SeqCst), 0);
    }
}
