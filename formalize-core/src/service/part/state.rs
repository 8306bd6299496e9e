//! What the services of forms share beside the kernel, their configuration, statistics and maintenance.

use crate::offload::Line;
use crate::service::part::files::{FileStorage, FilesService};
use crate::service::part::forms::FormsService;
use crate::service::part::links::LinksService;
use crate::service::part::submissions::{BatchItemCounts, SubmissionsService};
use crate::service::part::validators::Validators;
use crate::service::part::webhooks::{WebhookOptions, WebhookState, WebhooksService};
use crate::service::steps::{Maintained, Run};
use crate::service::{Formalize, Shared};
use crate::statistics::{MaintenanceStep as Step, Statistics};

/// The number of summaries that may be made at the same time.
const SUMMARIES: usize = 2;
/// The number of summaries that a user may wait for, beside the one that is being made.
const WAITING_SUMMARIES: usize = 7;

/// The configuration of the part.
pub(in crate::service) struct FormsOptions {
    pub(super) summary_minimum: u64,
    pub(super) webhooks: WebhookOptions,
    pub(super) files: FileStorage,
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
    pub(super) validators: Validators,
    pub(super) batch_items: BatchItemCounts,
    /// The queue of summaries.
    pub(super) summaries: Line,
    /// Lower counts are withheld in summaries.
    pub(super) summary_minimum: u64,
    pub(super) webhooks: WebhookState,
    pub(super) files: FileStorage,
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
    WebhooksService(shared).maintain(run, maintained).await;
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
    services! {
        /// Forms.
        forms: FormsService;
        /// Submissions.
        submissions: SubmissionsService;
        /// Files of submissions.
        files: FilesService;
        /// Public links to forms.
        links: LinksService;
        /// Webhooks.
        webhooks: WebhooksService;
    }
}
