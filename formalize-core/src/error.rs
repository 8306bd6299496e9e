//! Errors of service calls.

use formalize_schema::Rejection;

use crate::file_store::FileStoreError;
use crate::id::FileId;
use crate::invalid_value::InvalidValue;
use crate::model::batch::{BatchOutcome, SubmissionBatch};
use crate::model::file::rejection::FilesRejection;
use crate::reasons::{self, joined};
use crate::store::StoreError;

/// The result of a service call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

macro_rules! fields {
    ($($variant:ident = $name:literal,)+) => {
        /// A field of a record, identified by its name in the REST interface.
        #[expect(missing_docs, reason = "the names are self-explanatory")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Field { $($variant,)+ }

        impl Field {
            /// Every field.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The name in the REST interface, in camel case.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }
        }
    };
}

fields! {
    Name = "name",
    GroupIdentifier = "groupIdentifier",
    UserIdentifier = "userIdentifier",
    ChildGroupIdentifier = "childGroupIdentifier",
    DynamicGroupIdentifier = "dynamicGroupIdentifier",
    Action = "action",
    ResourceClass = "resourceClass",
    ResourceIdentifier = "resourceIdentifier",
    AuthorizationResourceIdentifier = "authorizationResourceIdentifier",
    DataFeedSchema = "dataFeedSchema",
    GrantBasedSubmissionAuthorization = "grantBasedSubmissionAuthorization",
    AllowedActionsWhenSubmitted = "allowedActionsWhenSubmitted",
    AllowedSubmissionStates = "allowedSubmissionStates",
    AvailableStarts = "availableStarts",
    AvailabilityEnds = "availabilityEnds",
    MaxNumSubmissionsPerCreator = "maxNumSubmissionsPerCreator",
    MaxNumSubmissions = "maxNumSubmissions",
    LocalizedNames = "localizedNames",
    FrontendKey = "frontendKey",
    AdditionalData = "additionalData",
    AvailableTags = "availableTags",
    TagPermissionsForSubmitters = "tagPermissionsForSubmitters",
    FormIdentifier = "formIdentifier",
    DataFeedElement = "dataFeedElement",
    SubmissionState = "submissionState",
    Language = "language",
    Label = "label",
    Expires = "expires",
    OncePerBrowser = "oncePerBrowser",
    EmbedOrigins = "embedOrigins",
    Checks = "checks",
    Attributes = "attributes",
    Submissions = "submissions",
    Key = "key",
    Atomic = "atomic",
    DryRun = "dryRun",
    Url = "url",
    Description = "description",
    EventTypes = "eventTypes",
    Payload = "payload",
    Enabled = "enabled",
    Secret = "secret",
    OverlapSeconds = "overlapSeconds",
    Deliveries = "deliveries",
    Since = "since",
    Until = "until",
    State = "state",
    FileName = "fileName",
    FileAttributeName = "fileAttributeName",
    SubmittedFiles = "submittedFiles",
    FilesToRemove = "filesToRemove",
    Tags = "tags",
}

impl std::fmt::Display for Field {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Why a service call failed.
///
/// The enum is exhaustive on purpose: code that maps it must be revised when a variant is added.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The caller does not have the necessary permission.
    #[error("you do not have permission to do this")]
    Forbidden,
    /// A value was rejected before a service was called; see [`InvalidValue`].
    #[error(transparent)]
    InvalidValue(#[from] InvalidValue),
    /// The cursor of the request was not issued to this caller for this list.
    #[error("the cursor was not issued to this caller for this list")]
    InvalidCursor,

    /// The page was requested by its number, but ends early because its items are large, so the next number would skip
    /// items. Use cursors or a smaller page.
    #[error("the page has more than 8 MiB; use a cursor or a smaller page")]
    PageTooLarge,

    /// The record does not have the revision that the caller expected; see [`Expected`](crate::Expected).
    #[error("the record was changed in the meantime")]
    RevisionMismatch,

    /// The key of the request belongs to another request; see [`KeyedRequest`](crate::KeyedRequest).
    #[error("the idempotency key was used for another request")]
    IdempotencyKeyReused,

    /// A request with the same key is still being performed, and did not end in time. Send this one again.
    #[error("a request with this idempotency key is still being performed")]
    IdempotencyKeyInUse,

    /// The group does not exist. The field is the one in the request that refers to it.
    #[error("group not found{}", .0.map(|field| format!(": {field} matches no group")).unwrap_or_default())]
    GroupNotFound(Option<Field>),
    /// The membership does not exist.
    #[error("membership not found")]
    MembershipNotFound,
    /// The resource does not exist.
    #[error("resource not found")]
    ResourceNotFound,
    /// The grant does not exist.
    #[error("grant not found")]
    GrantNotFound,
    /// The resource class does not exist.
    #[error("resource class not found")]
    ResourceClassNotFound,
    /// The dynamic group does not exist.
    #[error("dynamic group not found")]
    DynamicGroupNotFound,
    /// The form does not exist.
    #[error("form not found")]
    FormNotFound,
    /// The submission does not exist.
    #[error("submission not found")]
    SubmissionNotFound,
    /// The API token does not exist.
    #[error("token not found")]
    TokenNotFound,

    /// The public link does not exist.
    #[error("link not found")]
    FormLinkNotFound,

    /// The identifier belongs to a public link, so it cannot be that of a user who signs in.
    #[error("user identifiers that begin with `link:` are reserved for public links")]
    UserReserved,
    /// Fields of a group are missing or invalid.
    #[error("invalid group: {}", joined(&reasons::of_group(.0)))]
    GroupInvalid(Vec<Field>),
    /// Fields of a membership are missing or invalid.
    #[error("invalid membership: {}", joined(&reasons::of_membership(.0)))]
    MembershipInvalid(Vec<Field>),
    /// The group already has this member.
    #[error("the group already has this member")]
    MembershipExists,
    /// The user would be a member of more than [`MAX_GROUPS_OF_USER`](crate::MAX_GROUPS_OF_USER) groups.
    #[error(
        "the user would be a member of more than {} groups, directly or through other groups",
        crate::MAX_GROUPS_OF_USER
    )]
    MembershipLimitReached,

    /// The action of a grant is missing.
    #[error("the action of the grant is missing")]
    GrantActionMissing,
    /// The action is not defined for the class, or not for this kind of resource (item or collection).
    #[error(
        "action must be an action that is defined for the class of the resource, and for an item or the collection"
    )]
    GrantActionUndefined,
    /// The grant does not have exactly one holder, or the holder is a public link. The fields are those at fault.
    #[error("invalid holder of a grant: {}", joined(&reasons::of_holder(.0)))]
    GrantInvalidHolder(Vec<Field>),
    /// The fields that identify the resource of a grant are missing or contradict each other.
    #[error(
        "the resource of the grant is missing or contradictory: {}",
        joined(&reasons::of_resource(.0))
    )]
    GrantInvalidResource(Vec<Field>),
    /// The dynamic group is not defined.
    #[error(
        "the dynamic group is not defined; only those of the configuration and `everybody` are"
    )]
    DynamicGroupUndefined,
    /// An identical grant already exists.
    #[error("the grant already exists")]
    GrantExists,
    /// The last `manage` grant on an item cannot be deleted.
    #[error("the last `manage` grant of an item cannot be deleted")]
    LastManageGrant,
    /// The resource is already registered.
    #[error("the resource is already registered")]
    ResourceExists,
    /// Resources of the built-in classes are created and deleted only together with their groups, forms and
    /// submissions.
    #[error("resources of this class are managed by the service itself")]
    ResourceReserved,

    /// The chosen identifier of a form is in use.
    #[error(
        "the identifier belongs to another form, or to a deleted one whose submissions are still being deleted; try again \
         later or choose another one"
    )]
    FormExists,
    /// The chosen identifier of a form is the UUID that is all zeroes, which lists cannot contain.
    #[error("the UUID that is all zeroes cannot identify a form; choose another one")]
    FormIdentifierReserved,
    /// Fields of a form are missing or invalid.
    #[error("invalid form: {}", joined(&reasons::of_form(.0)))]
    FormInvalid(Vec<Field>),
    /// The schema of a form is not JSON, or not a supported JSON Schema.
    #[error("invalid schema: {0}")]
    DataSchemaInvalid(Rejection),
    /// These fields cannot be changed while the form has submissions.
    #[error("{}", joined(&reasons::of_used_form(.0)))]
    FormHasSubmissions(Vec<Field>),

    /// Fields of a public link are missing or invalid.
    #[error("invalid link: {}", joined(&reasons::of_link(.0)))]
    FormLinkInvalid(Vec<Field>),

    /// The form does not allow this state, which is given as in the request. Submissions through a public link cannot
    /// be drafts.
    #[error("the form does not allow the state `{0}`")]
    SubmissionStateNotAllowed(String),
    /// A submitted submission cannot become a draft again.
    #[error("a submitted submission cannot become a draft again")]
    SubmissionStateTransitionNotAllowed,
    /// The form does not accept submissions at this time.
    #[error("the form does not accept submissions at this time")]
    FormNotAvailable,
    /// The creator has reached the form's limit of submissions.
    #[error("the creator has reached the limit of submissions for this form")]
    SubmissionCapReached,
    /// The form has reached its limit of submitted submissions, or the public link its cap.
    #[error("the form has reached its limit of submissions")]
    SubmissionLimitReached,
    /// The data is not JSON, or does not match the schema.
    #[error("invalid data: {0}")]
    SubmissionDataInvalid(Rejection),
    /// The data is larger than 1 MiB.
    #[error("the data must not be larger than 1 MiB")]
    SubmissionDataTooLarge,
    /// The caller may change the submission, but not its tags in this way; see
    /// [`TagPermissions`](crate::TagPermissions).
    #[error("you do not have permission to change tags in this way")]
    TagsForbidden,
    /// The form does not have these tags, or they are more than [`Tags::MAX`](crate::Tags::MAX). At most so many are named.
    #[error("the form does not have these tags, or they are too many: {}", .0.join(", "))]
    SubmissionTagsInvalid(Vec<String>),

    /// The name of a file, or of the group of files that it belongs to, is invalid, or the submission would have more files
    /// than [`FileLimits::per_submission`](crate::FileLimits::per_submission).
    #[error("invalid file: {}", joined(&reasons::of_file(.0)))]
    SubmittedFileInvalid(Vec<Field>),
    /// The files of the submission do not match the rules of its form.
    #[error("invalid files: {0}")]
    SubmissionFilesInvalid(FilesRejection),
    /// The submission does not have these files.
    #[error("file not found{}", identifiers(.0))]
    SubmittedFileNotFound(Vec<FileId>),
    /// The file is larger than [`FileLimits::file_size`](crate::FileLimits::file_size).
    #[error("the file is too large")]
    FileTooLarge,
    /// The creator of the submission would have more bytes of files in submissions of the form than
    /// [`FileLimits::creator_quota`](crate::FileLimits::creator_quota).
    #[error("the files in the creator's submissions of this form would be too large together")]
    FilesQuotaExceeded,
    /// The content of a file ended with an error, such as a broken connection of its sender.
    #[error("the content of the file ended early")]
    UploadInterrupted,
    /// The upload took longer than [`FileLimits::upload_lifetime`](crate::FileLimits::upload_lifetime), or was given up.
    #[error("the upload took too long")]
    UploadExpired,
    /// The service has no [file store](crate::Builder::file_store).
    #[error("files cannot be stored; set files_url to a folder")]
    FilesNotConfigured,
    /// The file store failed.
    #[error(transparent)]
    FileStore(#[from] FileStoreError),

    /// The batch has more than [`SubmissionBatch::MAX_ITEMS`](crate::SubmissionBatch::MAX_ITEMS) submissions.
    #[error(
        "a batch must not have more than {} submissions",
        SubmissionBatch::MAX_ITEMS
    )]
    BatchTooLarge,
    /// Some submissions of an atomic batch were refused, so none was created. These are the outcomes of all of them.
    #[error("some submissions of the batch were refused, so none was created")]
    BatchRefused(Vec<BatchOutcome>),

    /// The log does not have the events behind this position any more, or was reset since.
    #[error("the events behind this position are no longer in the log")]
    EventsExpired,
    /// The subscription to the event log does not exist.
    #[error("subscription not found")]
    EventSubscriptionNotFound,
    /// Another consumer has the subscription to the event log.
    #[error("another consumer has the subscription")]
    EventSubscriptionTaken,
    /// The subscription to the event log is the place of a webhook.
    #[error("the subscription belongs to a webhook; disable or delete the webhook instead")]
    EventSubscriptionReserved,

    /// The webhook does not exist.
    #[error("webhook not found")]
    WebhookNotFound,
    /// The delivery does not exist, or belongs to another webhook.
    #[error("delivery not found")]
    WebhookDeliveryNotFound,
    /// Fields of a webhook, or of a request concerning one, are invalid.
    #[error("invalid webhook: {}", joined(&reasons::of_webhook(.0)))]
    WebhookInvalid(Vec<Field>),
    /// The form has [`MAX_WEBHOOKS`](crate::MAX_WEBHOOKS) webhooks already.
    #[error("a form has at most {} webhooks", crate::MAX_WEBHOOKS)]
    WebhookLimitReached,
    /// The webhook is disabled, so nothing can be sent again.
    #[error("the webhook is disabled; enable it first")]
    WebhookDisabled,
    /// The webhook was tested a few seconds ago.
    #[error("the webhook was tested less than five seconds ago")]
    WebhookTestedRecently,
    /// Secrets of webhooks in the store are encrypted, and the program does not have the key.
    #[error(
        "the secrets of webhooks need a key; set webhook_secret_keys to the keys that encrypt them"
    )]
    WebhookKeyMissing,

    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Error {
    pub(crate) fn too_many_files() -> Self {
        Self::SubmittedFileInvalid(vec![Field::SubmittedFiles])
    }
}

fn identifiers(files: &[FileId]) -> String {
    if files.is_empty() {
        return String::new();
    }
    let files: Vec<String> = files.iter().map(ToString::to_string).collect();
    format!(": {}", files.join(", "))
}
