//! Repeating calls that failed because the store lost its connection.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::{ATTEMPTS, Formalize, Shared};
use crate::error::{Error, Result};
use crate::store::StoreError;

/// The first pause. Each following one is twice as long, up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// Says whether a failed call is repeated, and when. See [`Formalize::retries`].
#[derive(Debug)]
pub struct Retries<'a> {
    count: &'a AtomicU64,
    until: Instant,
    pause: Duration,
    conflicts: usize,
}

impl Formalize {
    /// For how long calls are repeated: see [`Formalize::retries`].
    pub fn retry_time(&self) -> Duration {
        self.0.retry_time
    }

    /// Decides about repeating one call that may fail while a replicated database changes its primary server.
    ///
    /// Only repeat a call whose transaction is the last thing that it does: an error then means that nothing was written.
    /// All methods of the library that write are such calls. The time for all attempts together is
    /// [`Builder::retry_time`](crate::Builder::retry_time). Uploads do this themselves, because the content of a file can be
    /// read only once.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use formalize_core::store::memory::MemoryStore;
    /// # use formalize_core::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// # let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
    /// let new = NewGroup { name: GroupName::new("Editors")? };
    /// let mut retries = formalize.retries();
    /// let created = loop {
    ///     let created = formalize.groups().create(&Caller::System, new.clone()).await;
    ///     match &created {
    ///         Err(Error::Store(error)) => match retries.next(error) {
    ///             Some(pause) => tokio::time::sleep(pause).await,
    ///             None => break created,
    ///         },
    ///         _ => break created,
    ///     }
    /// }?;
    /// assert_eq!(created.item.name, new.name);
    /// # Ok(())
    /// # }
    /// ```
    pub fn retries(&self) -> Retries<'_> {
        self.0.retries()
    }
}

impl Shared {
    fn retries(&self) -> Retries<'_> {
        Retries {
            count: &self.retries,
            until: Instant::now() + self.retry_time,
            pause: FIRST_PAUSE,
            conflicts: 0,
        }
    }

    /// Repeats a call as [`Formalize::retries`] decides, if there is a runtime that can wait.
    pub(super) async fn retrying<T, F>(&self, call: impl Fn() -> F) -> Result<T>
    where
        F: Future<Output = Result<T>>,
    {
        let can_wait = cfg!(any(feature = "sqlite", feature = "postgres"));
        let mut retries = self.retries();
        loop {
            let result = call().await;
            let pause = match &result {
                Err(Error::Store(error)) if can_wait => retries.next(error),
                _ => None,
            };
            match pause {
                Some(pause) => rest(pause).await,
                None => return result,
            }
        }
    }
}

/// The error of a transaction that can be repeated whether it was committed or not, as one after which [`Retries::next`]
/// repeats it.
pub(super) fn if_repeatable(error: StoreError) -> StoreError {
    match error {
        StoreError::Uncertain(why) => StoreError::Disconnected(why),
        error => error,
    }
}

/// Waits for some time.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(super) async fn rest(duration: Duration) {
    tokio::time::sleep(duration).await;
}

/// Does not wait: without a database, the library uses no async runtime.
#[cfg(not(any(feature = "sqlite", feature = "postgres")))]
pub(super) async fn rest(_: Duration) {}

impl Retries<'_> {
    /// How long to wait before the call is repeated; `None` if it is not to be repeated.
    ///
    /// A call is repeated after [`StoreError::Disconnected`] until the time is over, and after [`StoreError::Conflict`] twice.
    pub fn next(&mut self, error: &StoreError) -> Option<Duration> {
        let pause = match error {
            StoreError::Conflict(_) => {
                self.conflicts += 1;
                (self.conflicts < ATTEMPTS).then_some(Duration::ZERO)
            }
            StoreError::Disconnected(_) => self.pause(),
            _ => None,
        };
        if pause.is_some() {
            self.count.fetch_add(1, Ordering::Relaxed);
        }
        pause
    }

    /// Like [`Retries::next`], for a call that is performed at most once however often it is repeated, such as one with an
    /// idempotency key. It is also repeated after [`StoreError::Uncertain`].
    pub fn next_of_repeatable(&mut self, error: &StoreError) -> Option<Duration> {
        self.next(&if_repeatable(error.clone()))
    }

    fn pause(&mut self) -> Option<Duration> {
        let pause = self.pause;
        self.pause = (pause * 2).min(LONGEST_PAUSE);
        (Instant::now() + pause < self.until).then_some(pause)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::store::memory::MemoryStore;

    fn lost() -> StoreError {
        StoreError::Disconnected("away".to_owned())
    }

    async fn formalize(time: Duration) -> Formalize {
        let builder = Formalize::builder(Arc::new(MemoryStore::new()));
        builder.retry_time(time).build().await.unwrap()
    }

    #[tokio::test]
    async fn calls_are_repeated_until_the_time_is_over() {
        let formalize = formalize(Duration::from_millis(100)).await;
        let mut retries = formalize.retries();
        let mut pauses = Vec::new();
        while let Some(pause) = retries.next(&lost()) {
            pauses.push(pause.as_millis());
            tokio::time::sleep(pause).await;
        }
        assert_eq!(pauses[..3], [10, 20, 40]);
        assert_eq!(formalize.statistics().retries, pauses.len() as u64);
    }

    #[tokio::test]
    async fn pauses_are_bounded() {
        let formalize = formalize(Duration::from_mins(1)).await;
        let mut retries = formalize.retries();
        let longest = (0..50).filter_map(|_| retries.next(&lost())).max();
        assert_eq!(longest, Some(LONGEST_PAUSE));
    }

    #[tokio::test]
    async fn conflicts_are_repeated_twice_and_other_errors_never() {
        let formalize = formalize(Duration::from_mins(1)).await;
        let mut retries = formalize.retries();
        let conflict = StoreError::Conflict("deadlock".to_owned());
        assert_eq!(retries.next(&conflict), Some(Duration::ZERO));
        assert_eq!(retries.next(&conflict), Some(Duration::ZERO));
        assert_eq!(retries.next(&conflict), None);
        for error in [
            StoreError::Unavailable("busy".to_owned()),
            StoreError::Uncertain("commit".to_owned()),
            StoreError::Refused("password".to_owned()),
            StoreError::Failed("disk".to_owned()),
        ] {
            assert_eq!(formalize.retries().next(&error), None, "{error}");
        }
        let uncertain = StoreError::Uncertain("commit".to_owned());
        let repeated = formalize.retries().next_of_repeatable(&uncertain);
        assert_eq!(repeated, Some(FIRST_PAUSE));
    }
}
