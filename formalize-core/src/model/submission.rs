//! Submissions: what was entered into a form.

use std::sync::Arc;

use crate::id::{FormId, Revision, SubmissionId};
use crate::model::form::{Change, SubmissionState};
use crate::model::subject::UserId;
use crate::time::Timestamp;

/// The most bytes of UTF-8 that the data of one submission may have.
pub const MAX_DATA_BYTES: usize = 1024 * 1024;

/// A submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// Names the submission.
    pub id: SubmissionId,
    /// The form that it was made with.
    pub form: FormId,
    /// The data as JSON, exactly as it was given.
    pub data: Option<Arc<str>>,
    /// Whether it is still being written.
    pub state: SubmissionState,
    /// Who made it.
    pub creator: UserId,
    /// Who changed it last.
    pub last_modified_by: UserId,
    /// When it was made.
    pub date_created: Timestamp,
    /// When it was changed last.
    pub date_last_modified: Timestamp,
    /// Its present state.
    pub revision: Revision,
}

/// The state that a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestedState {
    /// A state that exists.
    Known(SubmissionState),
    /// A word that names none. It is refused when states are judged, which is after permission.
    Unknown(String),
}

impl RequestedState {
    /// The state that a word names.
    ///
    /// ```
    /// use formalize_core::{RequestedState, SubmissionState};
    ///
    /// assert_eq!(RequestedState::from_word("draft"), SubmissionState::Draft.into());
    /// assert_eq!(RequestedState::from_word("later"), RequestedState::Unknown("later".to_owned()));
    /// ```
    pub fn from_word(word: &str) -> Self {
        SubmissionState::find(word).map_or_else(|| Self::Unknown(word.to_owned()), Self::Known)
    }
}

impl Default for RequestedState {
    /// Who does not say, submits.
    fn default() -> Self {
        Self::Known(SubmissionState::Submitted)
    }
}

impl From<SubmissionState> for RequestedState {
    fn from(state: SubmissionState) -> Self {
        Self::Known(state)
    }
}

/// A submission to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSubmission {
    /// The form to submit to.
    pub form: FormId,
    /// The data as JSON.
    pub data: Option<String>,
    /// Draft or submitted.
    pub state: RequestedState,
}

impl NewSubmission {
    /// Data to be submitted to a form, as JSON.
    ///
    /// ```
    /// use formalize_core::{FormId, NewSubmission, RequestedState, SubmissionState};
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
        }
    }

    /// The same as a draft, which need not satisfy the schema yet.
    #[must_use]
    pub fn as_draft(self) -> Self {
        Self {
            state: SubmissionState::Draft.into(),
            ..self
        }
    }
}

/// What to change of a submission.
///
/// ```
/// use formalize_core::{Change, SubmissionChange, SubmissionState};
///
/// // Changes a draft without submitting it.
/// let change = SubmissionChange {
///     data: Change::Set(r#"{"name": "Bob"}"#.to_owned()),
///     state: SubmissionState::Draft.into(),
/// };
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SubmissionChange {
    /// The new data.
    pub data: Change<String>,
    /// The state that it shall have. The default is *submitted*: a change that does not say so submits a draft.
    pub state: RequestedState,
}

/// How the data of listed submissions is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutputValidation {
    /// As it was given.
    #[default]
    None,
    /// Reduced to the keys that the schema's top-level `properties` define.
    Keys,
}

/// Which submissions of a form a list asks for.
///
/// ```
/// use formalize_core::{OutputValidation, SubmissionFilter};
///
/// let of_bob = SubmissionFilter {
///     creator: Some("bob".to_owned()),
///     output: OutputValidation::Keys,
///     ..SubmissionFilter::default()
/// };
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SubmissionFilter {
    /// Of this creator.
    pub creator: Option<String>,
    /// In this state.
    pub state: Option<SubmissionState>,
    /// How data is shown.
    pub output: OutputValidation,
}
