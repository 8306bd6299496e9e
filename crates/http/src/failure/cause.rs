//! Maps errors of the core to rows of the error table.

use formalize_core::{
    self as core, Error, Field, InvalidFields, Rejection, StoreError, authorization::InvalidGrant,
    file_store::FileStoreError, files::FilesRejection, submissions::SubmissionBatch,
    webhooks::MAX_WEBHOOKS,
};
use poem_openapi::types::Any;

use super::{Refusal, Violation};
use crate::contract::ErrorKey as Key;
use crate::contract::parameter::PER_PAGE;

impl From<InvalidFields> for Refusal {
    fn from(invalid: InvalidFields) -> Self {
        Error::from(invalid).into()
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let detail = detail(&error);
        let refusal = Self::by_row(error);
        match detail {
            Some(detail) => refusal.saying(detail),
            None => refusal,
        }
    }
}

impl Refusal {
    fn by_row(error: Error) -> Self {
        match error {
            Error::Forbidden | Error::TagsForbidden => Self::is(Key::Forbidden),
            Error::InvalidCursor => {
                Self::is(Key::InvalidParameter).naming(vec!["cursor".to_owned()])
            }

            Error::PageTooLarge => {
                Self::is(Key::InvalidParameter).naming(vec![PER_PAGE.name.to_owned()])
            }

            Error::RevisionMismatch => Self::precondition_failed(None),
            Error::IdempotencyKeyReused => Self::is(Key::IdempotencyKeyReused),
            Error::IdempotencyKeyInUse => Self::key_in_use(),

            Error::GroupNotFound(None) => Self::is(Key::GroupNotFound),
            Error::GroupNotFound(Some(field)) => fields(Key::GroupNamedNotFound, &[field]),
            Error::MembershipNotFound => Self::is(Key::GroupMemberNotFound),
            Error::ResourceNotFound => Self::is(Key::ResourceNotFound),
            Error::GrantNotFound => Self::is(Key::GrantNotFound),
            Error::ResourceClassNotFound => Self::is(Key::ResourceClassNotFound),
            Error::DynamicGroupNotFound => Self::is(Key::DynamicGroupNotFound),
            Error::FormNotFound => Self::is(Key::FormNotFound),
            Error::SubmissionNotFound => Self::is(Key::SubmissionNotFound),
            Error::FormLinkNotFound => Self::is(Key::FormLinkNotFound),

            Error::InvalidFields(invalid) => fields(of_fields(&invalid), invalid.fields()),
            Error::MembershipExists => Self::is(Key::GroupMemberExists),
            Error::MembershipLimitReached => {
                fields(Key::GroupMemberInvalid, &[Field::UserIdentifier])
            }

            Error::InvalidGrant(invalid) => of_grant(invalid),
            Error::GrantExists => Self::is(Key::GrantExists),
            Error::LastManageGrant => Self::is(Key::LastManageGrant),

            Error::DataSchemaInvalid(why) => violations(Key::FormInvalidDataFeedSchema, why),
            Error::FormHasSubmissions(names) => fields(Key::FormHasSubmissions, &names),

            Error::WebhookNotFound => Self::is(Key::WebhookNotFound),
            Error::WebhookDeliveryNotFound => Self::is(Key::WebhookDeliveryNotFound),
            Error::WebhookLimitReached => Self::is(Key::WebhookLimitReached),
            Error::WebhookDisabled => Self::is(Key::WebhookDisabled),
            Error::WebhookTestedRecently => Self::tested_recently(),

            Error::SubmissionStateNotAllowed(word) => {
                Self::is(Key::StateNotAllowed).naming(vec![word])
            }
            Error::SubmissionTagsInvalid(tags) => Self::is(Key::SubmissionTagsInvalid).naming(tags),
            Error::SubmissionStateTransitionNotAllowed => {
                fields(Key::TransitionNotAllowed, &[Field::SubmissionState])
            }
            Error::FormNotAvailable => Self::is(Key::FormNotAvailable),
            Error::SubmissionCapReached => Self::is(Key::CapReached),
            Error::SubmissionLimitReached => Self::is(Key::LimitReached),
            Error::SubmissionDataInvalid(why) => violations(Key::SubmissionInvalidJson, why),
            Error::SubmissionFilesInvalid(why) => of_files(&why),
            Error::SubmissionDataTooLarge | Error::BatchTooLarge(_) | Error::FileTooLarge => {
                Self::is(Key::PayloadTooLarge)
            }
            Error::SubmittedFileNotFound(ids) => {
                let names = ids.iter().map(ToString::to_string);
                Self::is(Key::SubmittedFilesNotFound).naming(names.collect())
            }
            Error::FilesQuotaExceeded => Self::is(Key::FilesQuotaExceeded),
            Error::UploadInterrupted => Self::is(Key::InvalidRequestBody),
            Error::UploadExpired => Self::is(Key::RequestTimeout),
            Error::FilesNotConfigured => Self::is(Key::FilesNotConfigured),
            Error::FileStore(error) => of_file_store(error),

            Error::NotConfigured(_) | Error::Store(StoreError::NotConfigured(_)) => {
                Self::is(Key::NotConfigured)
            }

            Error::EventsExpired => Self::is(Key::EventCursorExpired),

            Error::Store(
                error @ (StoreError::Unavailable(_)
                | StoreError::Disconnected(_)
                | StoreError::Uncertain(_)
                | StoreError::Conflict(_)
                | StoreError::LockTimeout(_)
                | StoreError::Refused(_)),
            ) => Self::is(Key::ServiceUnavailable).caused_by(error),
            // These are internal errors: no request of this interface can cause them. Where batches are created,
            // `BatchRefused` has a response of its own.
            error @ (Error::BatchRefused(_)
            | Error::Store(StoreError::Failed(_))
            | Error::InvalidValue(_)
            | Error::TokenNotFound
            | Error::UserReserved
            | Error::EventSubscriptionNotFound
            | Error::EventSubscriptionTaken
            | Error::EventSubscriptionReserved
            | Error::WebhookKeyMissing
            | Error::ResourceExists
            | Error::FormExists
            | Error::FormIdentifierReserved
            | Error::ResourceReserved) => Self::unforeseen(error),
        }
    }
}

fn of_file_store(error: FileStoreError) -> Refusal {
    match error {
        FileStoreError::Full(_) => Refusal::is(Key::InsufficientStorage).caused_by(error),
        FileStoreError::Unavailable(_) => Refusal::is(Key::ServiceUnavailable).caused_by(error),
        FileStoreError::Missing => Refusal::is(Key::SubmittedFileLost).caused_by(error),
        FileStoreError::Interrupted | FileStoreError::Failed(_) => Refusal::unforeseen(error),
    }
}

/// The detail of an error, if the title of the row is not enough.
fn detail(error: &Error) -> Option<String> {
    let reasons = error.reasons();
    if !reasons.is_empty() {
        return Some(reasons.join("; "));
    }
    let sentence = match error {
        Error::InvalidCursor => {
            "cursor must be the nextCursor of a page of this list, requested with the same filters"
        }
        Error::EventsExpired => {
            "the log no longer has the events behind the cursor: get a new one with from=now, then read the lists again"
        }
        Error::PageTooLarge => {
            "the page has more than 8 MiB: use cursor instead of page, or a smaller perPage"
        }
        Error::MembershipLimitReached => return Some(error.to_string()),
        Error::InvalidGrant(InvalidGrant::ActionMissing) => "action is required",
        Error::InvalidGrant(InvalidGrant::ActionUndefined) => {
            "action must be an action that is defined for the class of the resource"
        }
        Error::InvalidGrant(InvalidGrant::DynamicGroupUndefined) => {
            "dynamicGroupIdentifier must be the identifier of a configured dynamic group"
        }
        Error::WebhookLimitReached => {
            return Some(format!("a form has at most {MAX_WEBHOOKS} webhooks"));
        }
        Error::NotConfigured(part) => {
            return Some(format!("this server keeps no {}", part.as_str()));
        }
        Error::WebhookDisabled => "enable the webhook first",
        Error::DataSchemaInvalid(why) => return Some(rejected("dataFeedSchema", why)),
        Error::SubmissionDataInvalid(why) => return Some(rejected("dataFeedElement", why)),
        Error::SubmissionFilesInvalid(why) => return Some(why.to_string()),
        Error::SubmissionDataTooLarge => "dataFeedElement must not be larger than 1 MiB",
        Error::FileTooLarge => "the file is larger than this server accepts",
        Error::UploadInterrupted => "the request body ended early",
        Error::UploadExpired => "the upload took too long",
        Error::BatchTooLarge(_) => {
            let most = SubmissionBatch::MAX_ITEMS;
            return Some(format!("submissions must not have more than {most} items"));
        }
        Error::SubmissionStateNotAllowed(word) => {
            return Some(format!("the form does not allow the state {word:?}"));
        }
        Error::TagsForbidden => {
            "you may change this submission, but not its tags in this way; see grantedTagActions"
        }
        Error::SubmissionTagsInvalid(tags) => return Some(refused_tags(tags)),
        Error::SubmissionStateTransitionNotAllowed => {
            "a submitted submission cannot become a draft again"
        }
        _ => return None,
    };
    Some(sentence.to_owned())
}

/// The first tag that a submission cannot have; the details list all of them.
fn refused_tags(tags: &[String]) -> String {
    let first = tags.first().map_or("", String::as_str);
    let others = match tags.len() {
        0 | 1 => String::new(),
        count => format!(" and {} more", count - 1),
    };
    format!(
        "the submission cannot have the tag {first:?}{others}: it can have up to 50 tags, which must be in availableTags of the form"
    )
}

/// The first reason why a text was rejected; the details list all of them.
fn rejected(member: &str, why: &Rejection) -> String {
    let first = why.messages().first().map_or("", String::as_str);
    if why.violations().is_empty() {
        return format!("{member} {first}");
    }
    match why.violations().len() + why.omitted() - 1 {
        0 => format!("{member} is invalid: {first}"),
        more => format!("{member} is invalid: {first}; and {more} more"),
    }
}

fn fields(key: Key, fields: &[Field]) -> Refusal {
    Refusal::is(key).naming(
        fields
            .iter()
            .map(|field| field.as_str().to_owned())
            .collect(),
    )
}

fn violations(key: Key, why: Rejection) -> Refusal {
    let omitted = why.omitted();
    let (messages, violations) = why.into_parts();
    let violations = violations.into_iter().map(Violation::from);
    Refusal::is(key).violating(messages, violations.collect(), omitted)
}

/// The details are the names of the groups of files.
fn of_files(why: &FilesRejection) -> Refusal {
    let names = why.attributes().into_iter().map(ToString::to_string);
    let violations = why.violations().iter().map(|one| Violation {
        identifier: one.file.map(|id| id.to_string()),
        ..Violation::from(one.violation.clone())
    });
    let refusal = Refusal::is(Key::SubmissionFilesInvalid);
    refusal.violating(names.collect(), violations.collect(), why.omitted())
}

fn of_fields(invalid: &InvalidFields) -> Key {
    match invalid {
        InvalidFields::Group(_) => Key::GroupInvalid,
        InvalidFields::Membership(_) => Key::GroupMemberInvalid,
        InvalidFields::Form(_) => Key::FormInvalid,
        InvalidFields::FormLink(_) => Key::FormLinkInvalid,
        InvalidFields::Webhook(_) => Key::WebhookInvalid,
        InvalidFields::SubmittedFile(_) => Key::SubmittedFileInvalid,
    }
}

fn of_grant(invalid: InvalidGrant) -> Refusal {
    match invalid {
        InvalidGrant::ActionMissing => fields(Key::GrantActionMissing, &[Field::Action]),
        InvalidGrant::ActionUndefined => fields(Key::GrantActionUndefined, &[Field::Action]),
        InvalidGrant::Holder(names) => fields(Key::GrantInvalidHolder, &names),
        InvalidGrant::Resource(names) => fields(Key::GrantInvalidResource, &names),
        InvalidGrant::DynamicGroupUndefined => {
            fields(Key::DynamicGroupUndefined, &[Field::DynamicGroupIdentifier])
        }
    }
}

impl From<core::Violation> for Violation {
    fn from(violation: core::Violation) -> Self {
        Self {
            instance_path: violation.instance_path,
            schema_path: violation.schema_path,
            keyword: violation.keyword,
            message: violation.message,
            params: violation
                .params
                .into_iter()
                .map(|(name, value)| (name, Any(value)))
                .collect(),
            identifier: None,
        }
    }
}
