//! Errors of use cases with forms.

use formalize_schema::{InvalidFileAttributeName, Rejection};

use super::Error;
use crate::fields::{Field, InvalidFields};
use crate::model::batch::BatchedSubmission;
use crate::model::tag_change::RefusedTags;
use crate::model::words::SubmissionState;

/// What became of a submission in a batch: beside [`Error`], because each of the two may contain the other.
#[derive(Debug)]
pub enum BatchOutcome {
    /// It was created.
    Created(BatchedSubmission),
    /// It was created before, with the same key. It may have been changed or deleted since.
    Repeated(BatchedSubmission),
    /// It could be created, in this state. Nothing was written.
    Acceptable {
        /// The state.
        state: SubmissionState,
        /// Whether it was created before, with the same key.
        is_repeated: bool,
    },
    /// It was not created, because other submissions of the batch were refused.
    Omitted,
    /// It was refused.
    Refused(Error),
}

impl Error {
    pub(crate) fn too_many_files() -> Self {
        InvalidFields::SubmittedFile(vec![Field::SubmittedFiles]).into()
    }
}

impl From<RefusedTags> for Error {
    fn from(refused: RefusedTags) -> Self {
        match refused {
            RefusedTags::Forbidden => Self::TagsForbidden,
            RefusedTags::Invalid(tags) => Self::SubmissionTagsInvalid(tags),
        }
    }
}

impl From<InvalidFileAttributeName> for Error {
    fn from(_: InvalidFileAttributeName) -> Self {
        InvalidFields::SubmittedFile(vec![Field::FileAttributeName]).into()
    }
}

/// The rejection of a form's schema, which [`DataSchema::compile`](crate::DataSchema::compile) returns.
///
/// [`parse_json`](crate::parse_json) and [`DataSchema::validate`](crate::DataSchema::validate) reject data with the same
/// type: turn those into [`Error::SubmissionDataInvalid`] with `map_err`.
impl From<Rejection> for Error {
    fn from(rejection: Rejection) -> Self {
        Self::DataSchemaInvalid(rejection)
    }
}
