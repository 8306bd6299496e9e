//! The words of forms and submissions.

use formalize_core::{self as core, forms::SubmittedAction};
use serde::Serialize;

/// Whether a submission is submitted or a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "openapi",
    derive(poem_openapi::Enum),
    oai(rename_all = "lowercase")
)]
#[serde(rename_all = "lowercase")]
pub enum SubmissionState {
    /// A draft: the data need not match the schema.
    Draft,
    /// Submitted.
    Submitted,
}

/// An action that is still allowed on a submitted submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "openapi",
    derive(poem_openapi::Enum),
    oai(rename_all = "lowercase", rename = "SubmittedAction")
)]
#[serde(rename_all = "lowercase")]
pub enum ActionWhenSubmitted {
    /// Read it.
    Read,
    /// Update it.
    Update,
    /// Delete it.
    Delete,
    /// All of these, and sharing it.
    Manage,
}

/// An action on the tags of submissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "openapi",
    derive(poem_openapi::Enum),
    oai(rename_all = "lowercase")
)]
#[serde(rename_all = "lowercase")]
pub enum TagAction {
    /// See them.
    Read,
    /// Add tags.
    Add,
    /// Remove tags.
    Remove,
}

impl From<core::forms::TagAction> for TagAction {
    fn from(action: core::forms::TagAction) -> Self {
        match action {
            core::forms::TagAction::Read => Self::Read,
            core::forms::TagAction::Add => Self::Add,
            core::forms::TagAction::Remove => Self::Remove,
        }
    }
}

impl From<core::SubmissionState> for SubmissionState {
    fn from(state: core::SubmissionState) -> Self {
        match state {
            core::SubmissionState::Draft => Self::Draft,
            core::SubmissionState::Submitted => Self::Submitted,
        }
    }
}

impl From<SubmittedAction> for ActionWhenSubmitted {
    fn from(action: SubmittedAction) -> Self {
        match action {
            SubmittedAction::Read => Self::Read,
            SubmittedAction::Update => Self::Update,
            SubmittedAction::Delete => Self::Delete,
            SubmittedAction::Manage => Self::Manage,
        }
    }
}
