//! Deletes records whose time is over, and what remains of deleted forms.

use super::steps::{Maintained, PORTION, Run};
use super::{Formalize, Shared, part};
use crate::error::Result;
use crate::statistics::MaintenanceStep as Step;

impl Formalize {
    /// Deletes the records of sessions that have ended, events that are older than
    /// [`Builder::event_retention`](crate::Builder::event_retention), deliveries of webhooks that are older than
    /// [`Builder::webhook_log_retention`](crate::Builder::webhook_log_retention), and what remains of large forms that were
    /// deleted. Call this about once a minute, on one server or on all of them. A session that has ended is rejected even if its
    /// record still exists.
    ///
    /// A step that fails does not stop the others, and
    /// [`Statistics::maintenance`](crate::statistics::Statistics::maintenance) names it. If the connection to the store is lost,
    /// the others fail, too, without being tried.
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store) if a step failed: the error of the first one, after all steps.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let maintained = formalize.maintain().await?;
    /// assert_eq!(maintained.sessions, 0);
    /// # Ok(()) });
    /// ```
    pub async fn maintain(&self) -> Result<Maintained> {
        let shared = &*self.0;
        let mut run = Run::new(&shared.maintenance);
        let mut maintained = Maintained::default();
        let sessions = shared.delete_ended_sessions();
        maintained.sessions = run.step(Step::Sessions, sessions).await;
        let keys = shared.delete_expired_responses();
        maintained.kept_responses = run.step(Step::Keys, keys).await;
        let events = self.events();
        run.step(Step::Arrivals, events.count_arrivals()).await;
        part::maintain(shared, &mut run, &mut maintained).await;
        let purged = events.purge(shared.event_retention);
        maintained.events = run.step(Step::Events, purged).await;
        shared.maintenance.add(&maintained);
        // Last, because it may take minutes.
        part::delete_remains(shared, &mut run, &mut maintained).await;
        run.end().map(|()| maintained)
    }
}

impl Shared {
    async fn delete_ended_sessions(&self) -> Result<u64> {
        let now = self.now();
        let delete = writing!(|tx| tx.write_tokens()?.delete_ended_sessions(now, PORTION));
        self.delete_portions(delete).await
    }

    async fn delete_expired_responses(&self) -> Result<u64> {
        let now = self.now();
        let delete = writing!(|tx| tx
            .write_kept_responses()?
            .delete_expired_responses(now, PORTION));
        self.delete_portions(delete).await
    }
}
