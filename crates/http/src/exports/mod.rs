//! Exports of submissions: documents that are written to a file while they are sent.
//!
//! While a snapshot is open, the database cannot remove what was deleted or changed. A slow client must not keep it open, so
//! all rows are first written to a file, which has no name and disappears with the export. An export that is complete keeps no
//! other from reading. A workbook is sent when it is complete, because its parts refer to each other.

mod format;
mod response;
mod spool;
#[cfg(feature = "xlsx")]
mod workbook;

use std::{sync::Arc, time::Duration};

use formalize_core::{
    Caller, FormId, Formalize, SubmissionFilter, Timestamp, UserId,
    internals::admission::{FairQueue, InUse, Permit, Quota},
};
use poem::{Body, http::header};
use tokio::time::timeout;

use crate::{
    config::ExportSettings, contract::ErrorKey, failure::Refusal, observe::metrics::ExportMetrics,
};

pub use format::ExportFormat;
pub use response::Exported;

/// A place for an export that reads the database. Dropping it frees it.
type Place = Permit<UserId>;

/// The bytes that were written of an export, and not sent. Dropping it counts no longer.
type Spooled = InUse<UserId>;

/// The exports of a server.
#[derive(Debug, Clone)]
pub struct Exports {
    settings: ExportSettings,
    /// How long an export waits for its turn.
    wait: Duration,
    /// The places for exports that read the database. A user can take half of them, so that large exports of one user leave
    /// some to others.
    places: Arc<FairQueue<UserId>>,
    /// The bytes that were written for each user who has exports under way, and not sent.
    spools: Quota<UserId>,
    metrics: ExportMetrics,
}

/// A document that is about to be written.
pub struct Document {
    running: spool::Running,
    /// The name of the form, if the caller may know it.
    pub form_name: Option<String>,
    /// When it was begun.
    pub began: Timestamp,
}

impl Document {
    /// The document, with its size if that is known. A text is written from now on; a workbook is complete.
    ///
    /// # Errors
    ///
    /// A refusal if the workbook cannot be written.
    pub async fn start(self) -> Result<(Body, Option<u64>), Refusal> {
        self.running.start().await
    }
}

impl Exports {
    /// Exports with these settings, which wait so long for their turn.
    pub fn new(settings: ExportSettings, wait: Duration, metrics: ExportMetrics) -> Self {
        let places = settings.limit.0 as usize;
        Self {
            places: Arc::new(FairQueue::new(places, places.div_ceil(2))),
            spools: Quota::default(),
            settings,
            wait,
            metrics,
        }
    }

    /// Begins to write the submissions of a form, as the caller may read them.
    ///
    /// # Errors
    ///
    /// A refusal if the form does not exist, if too many exports are running or too many of the caller, if the caller has not
    /// taken enough of earlier ones, or if reading the first rows or creating the file fails.
    pub async fn begin(
        &self,
        formalize: &Formalize,
        caller: &Caller,
        form: FormId,
        filter: &SubmissionFilter,
        format: ExportFormat,
    ) -> Result<Document, Refusal> {
        let most = self.settings.spool_limit.0 as u64;
        let user = caller.author();
        if self.spools.used(&user) >= most {
            return Err(untaken());
        }
        let spooled = self.spools.begin([user]);
        let place = timeout(self.wait, self.places.take(caller.user_id())).await;
        let place = place.map_err(|_| busy())?;
        let submissions = formalize.submissions();
        let mut export = submissions
            .export(caller, form, filter, &format.language)
            .await?;
        if format.labels {
            export = export.with_labels().await?;
        }
        #[cfg(feature = "xlsx")]
        if matches!(format.content, format::Content::Workbook(_)) {
            export = export.with_groups().await?;
        }
        let form_name = export.form().map(|form| form.name.as_str().to_owned());
        let began = export.began();
        let file = tempfile::tempfile_in(&self.settings.folder.0);
        let file = file.map_err(Refusal::unforeseen)?;
        let running = spool::Running {
            export,
            content: format.content,
            format: format.name,
            file,
            settings: self.settings.clone(),
            metrics: self.metrics.clone(),
            place,
            spooled,
        };
        Ok(Document {
            running,
            form_name,
            began,
        })
    }
}

impl Default for Exports {
    fn default() -> Self {
        Self::new(
            ExportSettings::default(),
            Duration::from_secs(5),
            ExportMetrics::default(),
        )
    }
}

fn untaken() -> Refusal {
    Refusal::is(ErrorKey::TooManyRequests)
        .saying("you have not downloaded your other exports; read or close one of them first")
        .with_header(header::RETRY_AFTER, "5".to_owned())
}

fn busy() -> Refusal {
    Refusal::is(ErrorKey::ServiceUnavailable)
        .saying("too many exports are running; try again when another one is done")
}
