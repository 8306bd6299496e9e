//! Submissions.

use formalize_core::{self as core, Change, Error, Field, MAX_DATA_BYTES, RequestedState, Viewed};
use poem_openapi::Object;
use serde::Serialize;
use uuid::Uuid;

use super::{
    Id, Instant, Item, Located, Members, Nullable, Read, form::SubmissionState, members::text,
    names,
};
use crate::contract::Operation;

/// A submission to be made.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct NewSubmission {
    /// The form to submit to.
    pub form_identifier: Id,
    /// The data: a string that holds JSON, up to 1 MiB.
    pub data_feed_element: Option<Nullable<String>>,
    /// Whether it is handed in or still being written; `submitted` unless said otherwise.
    pub submission_state: Option<SubmissionState>,
}

impl Read for NewSubmission {
    type Value = core::NewSubmission;

    fn read(members: &mut Members) -> Option<Self::Value> {
        let form = members.required(Field::FormIdentifier, text);
        let data = members.nullable(Field::DataFeedElement, text);
        note_size(members, data.as_deref());
        let form = members.id(form, Error::FormNotFound);
        let state = state(members);
        Some(core::NewSubmission {
            form: form?,
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
    pub data_feed_element: Option<Nullable<String>>,
    /// The state that the submission shall have; `submitted` unless said otherwise.
    pub submission_state: Option<SubmissionState>,
}

impl Read for SubmissionChange {
    type Value = core::SubmissionChange;

    fn read(members: &mut Members) -> Option<Self::Value> {
        let data = members.change(Field::DataFeedElement, text);
        if let Change::Set(data) = &data {
            note_size(members, Some(data));
        }
        Some(core::SubmissionChange {
            data,
            state: state(members),
        })
    }
}

/// Data above the limit is rejected before the records that a request names are looked up.
fn note_size(members: &mut Members, data: Option<&str>) {
    if data.is_some_and(|data| data.len() > MAX_DATA_BYTES) {
        members.note(Error::SubmissionDataTooLarge.into());
    }
}

fn state(members: &mut Members) -> RequestedState {
    let word = members.optional(Field::SubmissionState, text);
    word.map_or_else(RequestedState::default, |word| {
        RequestedState::from_word(&word)
    })
}

/// What was entered into a form.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct Submission {
    /// Names the submission.
    pub identifier: Id,
    /// The form that it was made with.
    pub form_identifier: Id,
    /// The data: a string that holds JSON, exactly as it was sent.
    pub data_feed_element: Nullable<String>,
    /// Whether it is handed in or still being written.
    pub submission_state: SubmissionState,
    /// The user who made it.
    pub creator_id: String,
    /// The user who changed it last.
    pub last_modified_by_id: String,
    /// When it was made.
    pub date_created: Instant,
    /// When it was changed last.
    pub date_last_modified: Instant,
    /// What the caller may do with it.
    pub granted_actions: Vec<String>,
    #[serde(skip)]
    #[oai(skip)]
    revision: Uuid,
}

impl From<Viewed<core::Submission>> for Submission {
    fn from(
        Viewed {
            item,
            granted_actions,
        }: Viewed<core::Submission>,
    ) -> Self {
        Self {
            identifier: item.id.into(),
            form_identifier: item.form.into(),
            data_feed_element: item.data.map(|text| text.to_string()).into(),
            submission_state: item.state.into(),
            creator_id: item.creator.to_string(),
            last_modified_by_id: item.last_modified_by.to_string(),
            date_created: item.date_created.into(),
            date_last_modified: item.date_last_modified.into(),
            granted_actions: names(&granted_actions),
            revision: item.revision.as_uuid(),
        }
    }
}

impl Item for Submission {
    fn revision(&self) -> Option<Uuid> {
        Some(self.revision)
    }
}

impl Located for Submission {
    const ROUTE: Operation = Operation::GetSubmission;

    fn identifier(&self) -> &Id {
        &self.identifier
    }
}
