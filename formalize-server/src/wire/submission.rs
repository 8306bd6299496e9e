//! Submissions.

use formalize_core::{
    Field, FormId,
    model::submission::{self, RequestedState},
};
use poem_openapi::Object;

use super::{Members, Read, form::SubmissionState, members::text};

/// A submission to be made.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct NewSubmission {
    /// The form to submit to.
    pub form_identifier: String,
    /// The data: a string that holds JSON, up to 1 MiB.
    pub data_feed_element: Option<String>,
    /// Whether it is handed in or still being written; `submitted` unless said otherwise.
    pub submission_state: Option<SubmissionState>,
}

impl Read for NewSubmission {
    type Value = submission::NewSubmission;

    fn read(members: &mut Members) -> Option<Self::Value> {
        let form = members.required(Field::FormIdentifier, text);
        let data = members.nullable(Field::DataFeedElement, text);
        let state = state(members);
        Some(submission::NewSubmission {
            form: FormId::named(&form?),
            data,
            state,
        })
    }
}

/// What to change of a submission. Without `submissionState` the change submits a draft.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct SubmissionChange {
    /// The new data: a string that holds JSON, up to 1 MiB; null removes them.
    pub data_feed_element: Option<String>,
    /// The state that the submission shall have; `submitted` unless said otherwise.
    pub submission_state: Option<SubmissionState>,
}

impl Read for SubmissionChange {
    type Value = submission::SubmissionChange;

    fn read(members: &mut Members) -> Option<Self::Value> {
        let data = members.change(Field::DataFeedElement, text);
        Some(submission::SubmissionChange {
            data,
            state: state(members),
        })
    }
}

fn state(members: &mut Members) -> RequestedState {
    let word = members.optional(Field::SubmissionState, text);
    word.map_or_else(RequestedState::default, |word| {
        RequestedState::from_word(&word)
    })
}
