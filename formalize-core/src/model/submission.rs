//! Submissions to forms.

use std::sync::Arc;

use crate::id::{FileId, FormId, Revision, SubmissionId};
use crate::model::change::Change;
use crate::model::file::SubmittedFile;
use crate::model::subject::UserId;
use crate::model::tag::Tags;
use crate::model::words::SubmissionState;
use crate::time::Timestamp;

/// The maximum size of the data of a submission, in bytes of UTF-8.
pub const MAX_DATA_BYTES: usize = 1024 * 1024;

/// A submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// The identifier.
    pub id: SubmissionId,
    /// The form.
    pub form: FormId,
    /// The data as JSON, unchanged.
    pub data: Option<Arc<str>>,
    /// The state.
    pub state: SubmissionState,
    /// The creator.
    pub creator: UserId,
    /// The user of the last change.
    pub last_modified_by: UserId,
    /// The time of creation.
    pub date_created: Timestamp,
    /// The time of the last change.
    pub date_last_modified: Timestamp,
    /// The current revision.
    pub revision: Revision,
    /// The files, in the order of their identifiers.
    pub files: Vec<SubmittedFile>,
    /// The tags. The service returns none to callers who may not see them; see
    /// [`Viewed::tag_actions`](crate::Viewed::tag_actions).
    pub tags: Tags,
}

impl Submission {
    /// The bytes of all files.
    pub fn file_bytes(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }
}

/// The state that a request sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestedState {
    /// A known state.
    Known(SubmissionState),
    /// The state that the submission has. A new submission becomes *submitted*.
    Unchanged,
    /// An unknown state. It is rejected after permissions have been checked.
    Unknown(String),
}

impl RequestedState {
    /// The state with this name.
    ///
    /// ```
    /// use formalize_core::{SubmissionState, submissions::RequestedState};
    ///
    /// assert_eq!(RequestedState::from_word("draft"), SubmissionState::Draft.into());
    /// assert_eq!(RequestedState::from_word("later"), RequestedState::Unknown("later".to_owned()));
    /// ```
    pub fn from_word(word: &str) -> Self {
        word.parse()
            .map_or_else(|_| Self::Unknown(word.to_owned()), Self::Known)
    }
}

impl Default for RequestedState {
    /// The default is *submitted*.
    fn default() -> Self {
        Self::Known(SubmissionState::Submitted)
    }
}

from_variants! { RequestedState { Known(SubmissionState) } }

/// A submission to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSubmission {
    /// The form.
    pub form: FormId,
    /// The data as JSON.
    pub data: Option<String>,
    /// The state.
    pub state: RequestedState,
    /// The tags, of those that the form has. They are checked after permissions.
    pub tags: Vec<String>,
}

impl NewSubmission {
    /// Creates a submission of JSON data to a form.
    ///
    /// ```
    /// use formalize_core::{FormId, NewSubmission, SubmissionState, submissions::RequestedState};
    ///
    /// let form: FormId = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse()?;
    /// let new = NewSubmission::new(form, r#"{"name": "Bob"}"#);
    /// assert_eq!(new.state, RequestedState::Known(SubmissionState::Submitted));
    /// assert_eq!(new.as_draft().state, RequestedState::Known(SubmissionState::Draft));
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn new(form: FormId, data: impl Into<String>) -> Self {
        Self {
            form,
            data: Some(data.into()),
            state: RequestedState::default(),
            tags: Vec::new(),
        }
    }

    /// The same data as a draft, which need not match the schema yet.
    #[must_use]
    pub fn as_draft(self) -> Self {
        Self {
            state: SubmissionState::Draft.into(),
            ..self
        }
    }
}

/// Changes of a submission.
///
/// ```
/// use formalize_core::{Change, SubmissionChange, SubmissionState};
///
/// // Changes a draft without submitting it.
/// let change = SubmissionChange {
///     data: Change::Set(r#"{"name": "Bob"}"#.to_owned()),
///     state: SubmissionState::Draft.into(),
///     ..SubmissionChange::default()
/// };
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SubmissionChange {
    /// The new data.
    pub data: Change<String>,
    /// The new state. The default is *submitted*: without a state, a change submits a draft.
    pub state: RequestedState,
    /// The files to remove.
    pub files_to_remove: Vec<FileId>,
    /// If set, the tags that the submission has afterwards, of those that it has or the form has.
    pub tags: Option<Vec<String>>,
    /// Whether files to remove are ignored if the submission does not have them. Otherwise they are an error.
    pub ignores_missing_files: bool,
}

/// How lists return the data of submissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutputValidation {
    /// Unchanged.
    #[default]
    None,
    /// Reduced to the keys in the top-level `properties` of the schema.
    Keys,
}

/// Selects submissions of a form for a list.
///
/// `created_from` and `created_before` are compared with the time at the beginning of the identifier, which is the order of
/// every list. It is the time of creation, with one exception: if the clock of a server is set back, identifiers continue
/// with the latest time that they have reached, and `date_created` has the time of the clock.
///
/// ```
/// use formalize_core::{SubmissionFilter, submissions::OutputValidation};
///
/// let of_bob_in_may = SubmissionFilter {
///     creator: Some("bob".to_owned()),
///     created_from: Some("2027-05-01T00:00:00Z".parse()?),
///     created_before: Some("2027-06-01T00:00:00Z".parse()?),
///     output: OutputValidation::Keys,
///     ..SubmissionFilter::default()
/// };
/// # Ok::<(), formalize_core::InvalidTimestamp>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SubmissionFilter {
    /// Only submissions of this creator.
    pub creator: Option<String>,
    /// Only submissions in this state.
    pub state: Option<SubmissionState>,
    /// Only submissions with this tag. To callers from whom the form hides tags, none has it.
    pub tag: Option<String>,
    /// Only submissions created at this time or later.
    pub created_from: Option<Timestamp>,
    /// Only submissions created before this time.
    pub created_before: Option<Timestamp>,
    /// How the data is returned.
    pub output: OutputValidation,
    /// Whether a list begins with the newest submission. Exports always begin with the oldest one.
    pub newest_first: bool,
}
