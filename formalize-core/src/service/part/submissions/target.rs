//! What is judged before the files of a submission arrive.

use crate::model::file::SubmittedFile;
use crate::model::form::Form;
use crate::model::words::SubmissionState;

/// What is known about a submission before its files arrive.
pub(in crate::service) struct UploadTarget {
    /// The form.
    pub(in crate::service) form: Form,
    /// The state that the submission has or gets.
    pub(in crate::service) state: SubmissionState,
    /// The files that it keeps.
    pub(in crate::service) kept: Vec<SubmittedFile>,
    /// The bytes that are removed from it.
    pub(in crate::service) freed: u64,
    /// The bytes of files that its creator has in submissions of the form.
    pub(in crate::service) taken: u64,
    /// Whether the caller may not read the submission.
    pub(in crate::service) is_unreadable: bool,
}
