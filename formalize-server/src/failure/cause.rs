//! From errors of the core and of the framework to the rows of the error table.

use formalize_core::{self as core, Error, Field, Rejection, StoreError};
use poem::http::StatusCode;
use poem_openapi::types::Any;

use super::{Refusal, Violation};
use crate::{contract::ErrorKey as Key, wire};

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let detail = error.to_string();
        match error {
            Error::Forbidden => Self::is(Key::Forbidden),
            Error::InvalidCursor => Self::parameters(vec!["cursor".to_owned()]),

            Error::RevisionMismatch { current } => {
                Self::precondition_failed(current.map(|current| wire::current_tag(*current)))
            }

            Error::GroupNotFound(None) => Self::is(Key::GroupNotFound),
            Error::GroupNotFound(Some(field)) => fields(Key::GroupNamedNotFound, &[field]),
            Error::MembershipNotFound => Self::is(Key::GroupMemberNotFound),
            Error::ResourceNotFound => Self::is(Key::ResourceNotFound),
            Error::GrantNotFound => Self::is(Key::GrantNotFound),
            Error::ResourceClassNotFound => Self::is(Key::ResourceClassNotFound),
            Error::DynamicGroupNotFound => Self::is(Key::DynamicGroupNotFound),
            Error::FormNotFound => Self::is(Key::FormNotFound),
            Error::SubmissionNotFound => Self::is(Key::SubmissionNotFound),

            Error::GroupInvalid(names) => fields(Key::GroupInvalid, &names),
            Error::MembershipInvalid(names) => fields(Key::GroupMemberInvalid, &names),
            Error::MembershipExists => Self::is(Key::GroupMemberExists),

            Error::GrantActionMissing => fields(Key::GrantActionMissing, &[Field::Action]),
            Error::GrantActionUndefined => fields(Key::GrantActionUndefined, &[Field::Action]),
            Error::GrantInvalidHolder(names) => fields(Key::GrantInvalidHolder, &names),
            Error::GrantInvalidResource(names) => fields(Key::GrantInvalidResource, &names),
            Error::DynamicGroupUndefined => {
                fields(Key::DynamicGroupUndefined, &[Field::DynamicGroupIdentifier])
            }
            Error::GrantExists => Self::is(Key::GrantExists),
            Error::LastManageGrant => Self::is(Key::LastManageGrant),

            Error::FormInvalid(names) => fields(Key::FormInvalid, &names),
            Error::DataSchemaInvalid(why) => violations(Key::FormInvalidDataFeedSchema, why),
            Error::FormHasSubmissions(names) => fields(Key::FormHasSubmissions, &names),

            Error::SubmissionStateNotAllowed(word) => {
                Self::is(Key::StateNotAllowed).naming(vec![word])
            }
            Error::SubmissionStateTransitionNotAllowed => {
                fields(Key::TransitionNotAllowed, &[Field::SubmissionState])
            }
            Error::FormNotAvailable => Self::is(Key::FormNotAvailable),
            Error::SubmissionCapReached => Self::is(Key::CapReached),
            Error::SubmissionDataInvalid(why) => violations(Key::SubmissionInvalidJson, why),
            Error::SubmissionDataTooLarge => Self::is(Key::PayloadTooLarge).saying(detail),

            Error::Store(
                error @ (StoreError::Unavailable(_)
                | StoreError::Deadlock(_)
                | StoreError::Refused(_)),
            ) => Self::is(Key::ServiceUnavailable).caused_by(error),
            // No operation of this interface can end in one of these but by a fault of ours.
            error @ (Error::Store(StoreError::Failed(_))
            | Error::InvalidValue(_)
            | Error::TokenNotFound
            | Error::ResourceExists
            | Error::ResourceReserved) => Self::unforeseen(error),
        }
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
    let (messages, violations) = why.into_parts();
    Refusal::is(key).violating(
        messages,
        violations.into_iter().map(Violation::from).collect(),
    )
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
        }
    }
}

/// Errors that come out of the framework itself, by their status.
impl From<poem::Error> for Refusal {
    fn from(error: poem::Error) -> Self {
        let error = match error.downcast::<Self>() {
            Ok(refusal) => return refusal,
            Err(error) => error,
        };
        let key = match error.status() {
            StatusCode::BAD_REQUEST => Key::InvalidRequestBody,
            StatusCode::UNAUTHORIZED => Key::AuthenticationRequired,
            StatusCode::NOT_FOUND => Key::RouteNotFound,
            StatusCode::METHOD_NOT_ALLOWED => Key::MethodNotAllowed,
            StatusCode::NOT_ACCEPTABLE => Key::NotAcceptable,
            StatusCode::PAYLOAD_TOO_LARGE => Key::PayloadTooLarge,
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Key::UnsupportedMediaType,
            _ => return Self::unforeseen(error.to_string()),
        };
        Self::is(key)
    }
}
