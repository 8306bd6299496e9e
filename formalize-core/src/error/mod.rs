//! Errors of service calls.

use crate::fields::{Field, InvalidFields};
use crate::id::{FileId, OtherRevision};
use crate::invalid_value::InvalidValue;
use crate::model::grant::InvalidGrant;
use crate::offload::OffloadError;
use crate::store::{Part, StoreError};

#[cfg(feature = "forms")]
mod of_forms;

#[cfg(feature = "forms")]
pub use of_forms::BatchOutcome;

/// The result of a service call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a service call failed.
///
/// With the feature `forms`, the enum is exhaustive on purpose: code that maps it must be revised when a variant is added. Without
/// it, it is not, because the feature adds variants, and another crate of the same program may enable it.
#[derive(Debug, thiserror::Error)]
#[cfg_attr(not(feature = "forms"), non_exhaustive)]
pub enum Error {
    /// The caller does not have the necessary permission.
    #[error("you do not have permission to do this")]
    Forbidden,
    /// A value was rejected before a service was called; see [`InvalidValue`].
    #[error(transparent)]
    InvalidValue(InvalidValue),
    /// Fields of a record, or of a request concerning one, are missing or invalid.
    #[error(transparent)]
    InvalidFields(#[from] InvalidFields),
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

    /// The key of the request belongs to another request; see [`KeyedRequest`](crate::idempotency::KeyedRequest).
    #[error("the idempotency key was used for another request")]
    IdempotencyKeyReused,

    /// A request with the same key is still being performed, and did not end in time. Send this one again.
    #[error("a request with this idempotency key is still being performed")]
    IdempotencyKeyInUse,

    /// The group does not exist. The field is the one in the request that refers to it.
    #[error("group not found{}", .0.map(|field| format!(": {}", no_group(field))).unwrap_or_default())]
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
    /// The group already has this member.
    #[error("the group already has this member")]
    MembershipExists,
    /// The user would be a member of more than [`MAX_GROUPS_OF_USER`](crate::authorization::MAX_GROUPS_OF_USER) groups.
    #[error(
        "the user would be a member of more than {} groups, directly or through other groups",
        crate::model::membership::MAX_GROUPS_OF_USER
    )]
    MembershipLimitReached,

    /// What a request says about a grant is missing, invalid or undefined.
    #[error(transparent)]
    InvalidGrant(#[from] InvalidGrant),
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
    /// The schema of a form is not JSON, or not a supported JSON Schema.
    #[error("invalid schema: {0}")]
    #[cfg(feature = "forms")]
    DataSchemaInvalid(formalize_schema::Rejection),
    /// These fields cannot be changed while the form has submissions.
    #[error("{}", unchangeable(.0))]
    FormHasSubmissions(Vec<Field>),

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
    #[cfg(feature = "forms")]
    SubmissionDataInvalid(formalize_schema::Rejection),
    /// The data is larger than 1 MiB.
    #[error("the data must not be larger than 1 MiB")]
    SubmissionDataTooLarge,
    /// The caller may change the submission, but not its tags in this way; see
    /// [`TagPermissions`](crate::forms::TagPermissions).
    #[error("you do not have permission to change tags in this way")]
    TagsForbidden,
    /// The form does not have these tags, or they are more than [`Tags::MAX`](crate::submissions::Tags::MAX). At most so
    /// many are named.
    #[error("the form does not have these tags, or they are too many: {}", .0.join(", "))]
    SubmissionTagsInvalid(Vec<String>),

    /// The files of the submission do not match the rules of its form.
    #[error("invalid files: {0}")]
    #[cfg(feature = "forms")]
    SubmissionFilesInvalid(crate::model::file::rejection::FilesRejection),
    /// The submission does not have these files.
    #[error("file not found{}", identifiers(.0))]
    SubmittedFileNotFound(Vec<FileId>),
    /// The file is larger than [`FileLimits::file_size`](crate::files::FileLimits::file_size).
    #[error("the file is too large")]
    FileTooLarge,
    /// The creator of the submission would have more bytes of files in submissions of the form than
    /// [`FileLimits::creator_quota`](crate::files::FileLimits::creator_quota).
    #[error("the files in the creator's submissions of this form would be too large together")]
    FilesQuotaExceeded,
    /// The content of a file ended with an error, such as a broken connection of its sender.
    #[error("the content of the file ended early")]
    UploadInterrupted,
    /// The upload took longer than [`FileLimits::upload_lifetime`](crate::files::FileLimits::upload_lifetime), or was given up.
    #[error("the upload took too long")]
    UploadExpired,
    /// The service has no [file store](crate::Builder::file_store).
    #[error("files cannot be stored; set files_url to a folder")]
    FilesNotConfigured,
    /// The file store failed.
    #[error(transparent)]
    #[cfg(feature = "forms")]
    FileStore(#[from] crate::file_store::FileStoreError),

    /// The batch has too many submissions.
    #[error(transparent)]
    #[cfg(feature = "forms")]
    BatchTooLarge(#[from] crate::model::batch::BatchTooLarge),
    /// Some submissions of an atomic batch were refused, so none was created. These are the outcomes of all of them.
    #[error("some submissions of the batch were refused, so none was created")]
    #[cfg(feature = "forms")]
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
    /// The form has [`MAX_WEBHOOKS`](crate::webhooks::MAX_WEBHOOKS) webhooks already.
    #[error("a form has at most {} webhooks", crate::model::webhook::MAX_WEBHOOKS)]
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

    /// The store does not keep records of this kind.
    #[error("the store keeps no {}", .0.as_str())]
    NotConfigured(Part),
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
}

impl Error {
    /// The sentences of [`InvalidFields::reasons`] and [`InvalidGrant::reasons`], and similar ones of other errors that name
    /// fields. Empty for an error without fields.
    ///
    /// ```
    /// use formalize_core::{Error, Field};
    ///
    /// let error = Error::GroupNotFound(Some(Field::ChildGroupIdentifier));
    /// assert_eq!(error.reasons(), ["childGroupIdentifier matches no group"]);
    /// ```
    pub fn reasons(&self) -> Vec<String> {
        match self {
            Self::InvalidFields(invalid) => invalid.reasons(),
            Self::InvalidGrant(invalid) => invalid.reasons(),
            Self::GroupNotFound(Some(field)) => vec![no_group(*field)],
            Self::FormHasSubmissions(fields) => vec![unchangeable(fields)],
            _ => Vec::new(),
        }
    }
}

fn no_group(field: Field) -> String {
    format!("{field} matches no group")
}

fn unchangeable(fields: &[Field]) -> String {
    let names: Vec<&str> = fields.iter().map(|field| field.as_str()).collect();
    let names = names.join(", ");
    format!("{names} cannot change while the form has submissions")
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotConfigured(part) => Self::NotConfigured(part),
            error => Self::Store(error),
        }
    }
}

impl From<OffloadError> for Error {
    fn from(why: OffloadError) -> Self {
        Self::Store(why.into())
    }
}

impl From<OtherRevision> for Error {
    fn from(_: OtherRevision) -> Self {
        Self::RevisionMismatch
    }
}

/// The error of every constructor converts, so that one `?` serves for building values and for calling services.
impl<E: Into<InvalidValue>> From<E> for Error {
    fn from(cause: E) -> Self {
        Self::InvalidValue(cause.into())
    }
}

fn identifiers(files: &[FileId]) -> String {
    if files.is_empty() {
        return String::new();
    }
    let files: Vec<String> = files.iter().map(ToString::to_string).collect();
    format!(": {}", files.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::action::{Action, ActionCatalog, ClassActions};
    use crate::model::event_type::EventType;
    use crate::model::form_details::FormName;
    use crate::model::idempotency::IdempotencyKey;
    use crate::model::subject::{Subject, UserId};
    use crate::model::words::SubmissionState;
    use crate::offload::OffloadError;
    use crate::time::Timestamp;
    use crate::{
        DataSchema, FormId, PageSize, ResourceClass, condition::ConditionError,
        files::FileAttributeName,
    };

    /// Compiles only if `?` converts the error of every constructor.
    fn construct(wrong: &str) -> Result<(), Error> {
        match wrong {
            "id" => drop(wrong.parse::<FormId>()?),
            "text" => drop((UserId::new("")?, Action::new("")?)),
            "timestamp" => drop(wrong.parse::<Timestamp>()?),
            "subject" => drop(wrong.parse::<Subject>()?),
            "word" => drop(wrong.parse::<SubmissionState>()?),
            "event type" => drop(wrong.parse::<EventType>()?),
            "page size" => drop(PageSize::new(0)?),
            "class" => {
                let class = ResourceClass::FORM;
                drop(ActionCatalog::default().with_class(class, ClassActions::default())?);
            }
            "condition" => Err(ConditionError {
                message: wrong.to_owned(),
                line: 1,
                column: 1,
            })?,
            "schema" => drop(DataSchema::compile("{")?),
            "key" => drop(IdempotencyKey::new("")?),
            "name" => drop(FormName::new("")?),
            "group of files" => drop(FileAttributeName::new("")?),
            "offload" => Err(OffloadError::TooMuchWaiting)?,
            _ => {}
        }
        Ok(())
    }

    #[test]
    fn every_constructor_error_converts_to_the_error_of_services() {
        let told = |wrong| format!("{:?}", construct(wrong).unwrap_err());
        for (wrong, expected) in [
            ("id", "InvalidValue(Id("),
            ("text", "InvalidValue(Text("),
            ("timestamp", "InvalidValue(Timestamp("),
            ("subject", "InvalidValue(Subject("),
            ("word", "InvalidValue(Word("),
            ("event type", "InvalidValue(EventType("),
            ("page size", "InvalidValue(PageSize("),
            ("class", "InvalidValue(Class("),
            ("key", "InvalidValue(Key("),
            ("condition", "InvalidValue(Condition("),
            ("schema", "DataSchemaInvalid("),
            ("name", "InvalidFields(Form("),
            (
                "group of files",
                "InvalidFields(SubmittedFile([FileAttributeName]))",
            ),
            ("offload", "Store(Unavailable("),
        ] {
            assert!(told(wrong).starts_with(expected), "{}", told(wrong));
        }
    }

    /// The errors that name fields.
    const NAMING: [fn(Vec<Field>) -> Error; 9] = [
        |fields| InvalidFields::Group(fields).into(),
        |fields| InvalidFields::Membership(fields).into(),
        |fields| InvalidFields::Form(fields).into(),
        |fields| InvalidFields::FormLink(fields).into(),
        |fields| InvalidFields::Webhook(fields).into(),
        |fields| InvalidFields::SubmittedFile(fields).into(),
        |fields| InvalidGrant::Holder(fields).into(),
        |fields| InvalidGrant::Resource(fields).into(),
        Error::FormHasSubmissions,
    ];

    /// An error without a reason leaves people with the name of a field, which they know already.
    #[test]
    fn an_error_that_names_fields_has_a_sentence_for_them_in_its_message() {
        for error in NAMING {
            for field in Field::ALL {
                let error = error(vec![*field]);
                let reasons = error.reasons();
                let is_of_another_record =
                    matches!(&error, Error::InvalidFields(InvalidFields::Membership(_)))
                        && reasons.is_empty();
                assert!(is_of_another_record || reasons.len() == 1, "{error:?}");
                let message = error.to_string();
                for reason in reasons {
                    assert!(reason.len() > field.as_str().len() + 10, "{reason}");
                    assert!(message.ends_with(&reason), "{message}");
                }
            }
        }
        let not_found = Error::GroupNotFound(Some(Field::ChildGroupIdentifier));
        assert_eq!(
            not_found.reasons(),
            ["childGroupIdentifier matches no group"]
        );
    }
}
