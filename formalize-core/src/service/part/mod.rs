//! Forms and everything that belongs to them: the part of the service that is built on its kernel.

mod explaining;
mod feed;
mod files;
mod filling;
mod form_lists;
mod forms;
mod links;
mod managing;
mod remains;
mod room;
mod sharing;
mod state;
mod submissions;
mod trying;
mod validators;
mod warnings;
mod webhooks;

pub use explaining::{Explanation, HolderReason, Reason};
pub use feed::{EventItem, FeedEvent, FeedPage, FeedRequest, FeedStart};
#[cfg(feature = "fs")]
pub use files::CopiedFiles;
pub use files::{FileLimits, FileToRead, FilesService, Upload};
pub use filling::{FormHead, FormToFillIn, PageEntries, SentForm, SubmissionToFillIn};
pub use form_lists::NamedForm;
pub use forms::{FormView, FormsService};
pub use links::LinksService;
pub use managing::FormToManage;
pub use sharing::{FormAccess, UnknownFormAccess};
pub(super) use state::{FormsOptions, FormsPart, delete_remains, maintain};
pub use submissions::{
    ChangedSubmission, Export, ImportTrial, SubmissionTable, SubmissionsService, TableCell,
    TableRow,
};
pub use trying::SchemaTrial;
pub use webhooks::{
    AttemptOutcome, ClaimedDelivery, DeliveryView, TestOutcome, WebhookTransport, WebhooksService,
};
