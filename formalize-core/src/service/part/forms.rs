//! What the services of forms share beside the kernel, their configuration, statistics and maintenance.

use crate::offload::Line;
use crate::service::files::{FileStorage, FilesService};
use crate::service::forms::FormsService;
use crate::service::links::LinksService;
use crate::service::steps::{Maintained, Run};
use crate::service::submissions::{BatchItemCounts, SubmissionsService};
use crate::service::validators::Validators;
use crate::service::webhooks::{WebhookOptions, WebhookState, WebhooksService};
use crate::service::{Formalize, Shared};
use crate::statistics::{MaintenanceStep as Step, Statistics};

/// The number of summaries that may be made at the same time.
const SUMMARIES: usize = 2;
/// The number of summaries that a user may wait for, beside the one that is being made.
const WAITING_SUMMARIES: usize = 7;

/// The configuration of the part.
pub(in crate::service) struct FormsOptions {
    pub(in crate::service) summary_minimum: u64,
    pub(in crate::service) webhooks: WebhookOptions,
    pub(in crate::service) files: FileStorage,
}

impl Default for FormsOptions {
    fn default() -> Self {
        Self {
            summary_minimum: 1,
            webhooks: WebhookOptions::default(),
            files: FileStorage::default(),
        }
    }
}

/// What the services of forms share beside the kernel.
pub(in crate::service) struct FormsPart {
    pub(in crate::service) validators: Validators,
    pub(in crate::service) batch_items: BatchItemCounts,
    /// The queue of summaries.
    pub(in crate::service) summaries: Line,
    /// Lower counts are withheld in summaries.
    pub(in crate::service) summary_minimum: u64,
    pub(in crate::service) webhooks: WebhookState,
    pub(in crate::service) files: FileStorage,
}

impl FormsPart {
    pub(in crate::service) fn new(options: FormsOptions) -> Self {
        Self {
            validators: Validators::default(),
            batch_items: BatchItemCounts::default(),
            summaries: Line::of_users(SUMMARIES, WAITING_SUMMARIES),
            summary_minimum: options.summary_minimum,
            webhooks: WebhookState::new(options.webhooks),
            files: options.files,
        }
    }

    /// Adds the counts of the part to those of the kernel.
    pub(in crate::service) fn statistics(&self, kernel: Statistics) -> Statistics {
        Statistics {
            validators: self.validators.statistics(),
            batch_items: self.batch_items.statistics(),
            deliveries: self.webhooks.statistics(),
            ..kernel
        }
    }
}

/// The maintenance of the part that must be done before events are deleted.
pub(in crate::service) async fn maintain(
    shared: &Shared,
    run: &mut Run<'_>,
    maintained: &mut Maintained,
) {
    WebhooksService::new(shared).maintain(run, maintained).await;
}

/// Deletes what remains of deleted forms. This may take minutes.
pub(in crate::service) async fn delete_remains(
    shared: &Shared,
    run: &mut Run<'_>,
    maintained: &mut Maintained,
) {
    let remains = shared.delete_remains(usize::MAX);
    maintained.remains = run.step(Step::Remains, remains).await;
}

impl Formalize {
    /// Forms.
    pub fn forms(&self) -> FormsService<'_> {
        FormsService::new(&self.0)
    }

    /// Submissions.
    pub fn submissions(&self) -> SubmissionsService<'_> {
        SubmissionsService::new(&self.0)
    }

    /// Files of submissions.
    pub fn files(&self) -> FilesService<'_> {
        FilesService::new(&self.0)
    }

    /// Public links to forms.
    pub fn links(&self) -> LinksService<'_> {
        LinksService::new(&self.0)
    }

    /// Webhooks.
    pub fn webhooks(&self) -> WebhooksService<'_> {
        WebhooksService::new(&self.0)
    }
}
