//! Holds: while a backup is being made, no content of a file is deleted.

use std::time::Duration;

use super::FilesService;
use crate::error::Result;
use crate::id::FileHoldId;
use crate::model::file::FileHold;

/// For how long a hold lasts that is renewed. A backup that was interrupted delays deletions for as long.
#[cfg(feature = "fs")]
const LEASE: Duration = Duration::from_mins(5);

/// How often it is renewed.
#[cfg(feature = "fs")]
const RENEWAL: Duration = Duration::from_mins(1);

impl FilesService<'_> {
    /// Stops [`sweep`](Self::sweep) on all servers, for this long or until the hold is [released](Self::release). Every file
    /// that the store names at any time during the hold keeps its content. Clocks of servers must not differ by more than the
    /// hold lasts.
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store).
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let hold = formalize.files().hold(Duration::from_hours(2)).await?;
    /// // Copy the database, and then the contents.
    /// assert!(formalize.files().release(hold.id).await?, "the hold lasted");
    /// # Ok(()) });
    /// ```
    pub async fn hold(&self, lasting: Duration) -> Result<FileHold> {
        let now = self.0.now();
        let hold = FileHold {
            id: FileHoldId::from_uuid(self.0.ids.next(now)),
            date_ends: now.saturating_add(lasting),
        };
        let work = writing!(|tx| tx.write_files()?.insert_file_hold(hold, now));
        self.0.transact(work).await?;
        Ok(hold)
    }

    /// Ends a hold. Returns `false` if it had ended before: then contents may be missing in what was copied during it.
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store).
    pub async fn release(&self, id: FileHoldId) -> Result<bool> {
        let work = writing!(|tx| tx.write_files()?.delete_file_hold(id, self.0.now()));
        self.0.transact(work).await
    }

    /// The holds that have not ended, in the order in which they began.
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store).
    pub async fn holds(&self) -> Result<Vec<FileHold>> {
        self.0
            .read_once(async |mut tx| Ok(tx.read_files()?.file_holds(self.0.now()).await?))
            .await
    }

    /// Does something under a hold that is renewed until it is done. Returns `None` if the hold ended too early, because the
    /// store could not be reached or this process was stopped: contents may be missing then.
    ///
    /// If the future is dropped, the hold ends by itself within five minutes.
    ///
    /// # Errors
    ///
    /// The error of the work; [`Error::Store`](crate::Error::Store).
    #[cfg(feature = "fs")]
    pub async fn hold_while<T, E: From<crate::Error>>(
        &self,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<Option<T>, E> {
        self.hold_renewing(RENEWAL, work).await
    }

    #[cfg(feature = "fs")]
    async fn hold_renewing<T, E: From<crate::Error>>(
        &self,
        renewal: Duration,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<Option<T>, E> {
        let hold = self.hold(LEASE).await?;
        let mut work = std::pin::pin!(work);
        let done = loop {
            if let Ok(done) = tokio::time::timeout(renewal, &mut work).await {
                break done;
            }
            // After a failure it is tried again. Whether the hold lasted is checked at the end.
            if let Ok(false) = self.renew(hold.id).await {
                return Ok(None);
            }
        };
        let released = self.release(hold.id).await;
        let done = done?;
        Ok(released?.then_some(done))
    }

    #[cfg(feature = "fs")]
    async fn renew(&self, id: FileHoldId) -> Result<bool> {
        let now = self.0.now();
        let date_ends = now.saturating_add(LEASE);
        let hold = FileHold { id, date_ends };
        let work = writing!(|tx| tx.write_files()?.renew_file_hold(hold, now));
        self.0.transact(work).await
    }
}

#[cfg(test)]
#[cfg(feature = "fs")]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::store::memory::MemoryStore;
    use crate::{Clock, FixedClock, Formalize};

    /// Whether a hold lasts while time passes that is longer than a hold that is not renewed.
    async fn lasts(renewal: Duration) -> bool {
        let clock = Arc::new(FixedClock::new("2026-11-21T08:00:00Z".parse().unwrap()));
        let builder =
            Formalize::builder(Arc::new(MemoryStore::new())).clock(Arc::clone(&clock) as _);
        let formalize = builder.build().await.unwrap();
        let work = async {
            for _ in 0..3 {
                clock.set(clock.now().saturating_add(LEASE / 2));
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            Ok::<_, crate::Error>(())
        };
        let files = formalize.files();
        files.hold_renewing(renewal, work).await.unwrap().is_some()
    }

    #[tokio::test]
    async fn a_hold_is_renewed_while_work_is_done() {
        assert!(lasts(Duration::from_millis(5)).await);
        assert!(!lasts(Duration::from_mins(1)).await);
    }
}
