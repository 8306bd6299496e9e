//! Forms and submissions.

use formalize_core::{FormView, SubmissionCap, SubmissionState, SubmittedAction, Viewed};
use serde::Serialize;

use super::{date, names};
use crate::output::Record;

/// A form.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Form {
    identifier: String,
    name: String,
    data_feed_schema: Option<String>,
    grant_based_submission_authorization: bool,
    allowed_actions_when_submitted: Vec<&'static str>,
    allowed_submission_states: Vec<&'static str>,
    available_starts: Option<String>,
    availability_ends: Option<String>,
    max_num_submissions_per_creator: Option<i64>,
    date_created: String,
    granted_actions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_submissions_by_current_user: Option<i64>,
}

impl Record for Form {
    const FIELDS: &'static [&'static str] = &[
        "identifier",
        "name",
        "dataFeedSchema",
        "grantBasedSubmissionAuthorization",
        "allowedActionsWhenSubmitted",
        "allowedSubmissionStates",
        "availableStarts",
        "availabilityEnds",
        "maxNumSubmissionsPerCreator",
        "dateCreated",
        "grantedActions",
        "numSubmissionsByCurrentUser",
    ];
    const COLUMNS: &'static [&'static str] = &[
        "identifier",
        "name",
        "allowedSubmissionStates",
        "availableStarts",
        "availabilityEnds",
        "dateCreated",
    ];
}

impl From<FormView> for Form {
    fn from(view: FormView) -> Self {
        let form = view.form;
        let rules = form.rules;
        Self {
            identifier: form.id.to_string(),
            name: form.name.as_str().to_owned(),
            data_feed_schema: form.data_feed_schema.map(|schema| schema.to_string()),
            grant_based_submission_authorization: rules.grant_based,
            allowed_actions_when_submitted: rules
                .allowed_actions_when_submitted
                .iter()
                .map(SubmittedAction::as_str)
                .collect(),
            allowed_submission_states: rules
                .allowed_states
                .iter()
                .map(SubmissionState::as_str)
                .collect(),
            available_starts: date(rules.availability.starts()),
            availability_ends: date(rules.availability.ends()),
            max_num_submissions_per_creator: rules.cap.map(SubmissionCap::get),
            date_created: form.date_created.to_string(),
            granted_actions: names(&view.granted_actions),
            num_submissions_by_current_user: view.num_submissions_by_caller,
        }
    }
}

/// A submission.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(
    clippy::struct_field_names,
    reason = "the names are those of the interface"
)]
pub(crate) struct Submission {
    identifier: String,
    form_identifier: String,
    data_feed_element: Option<String>,
    submission_state: &'static str,
    creator_id: String,
    last_modified_by_id: String,
    date_created: String,
    date_last_modified: String,
    granted_actions: Vec<String>,
}

impl Record for Submission {
    const FIELDS: &'static [&'static str] = &[
        "identifier",
        "formIdentifier",
        "dataFeedElement",
        "submissionState",
        "creatorId",
        "lastModifiedById",
        "dateCreated",
        "dateLastModified",
        "grantedActions",
    ];
    const COLUMNS: &'static [&'static str] = &[
        "identifier",
        "submissionState",
        "creatorId",
        "dateCreated",
        "dateLastModified",
    ];
}

impl From<Viewed<formalize_core::Submission>> for Submission {
    fn from(view: Viewed<formalize_core::Submission>) -> Self {
        let submission = view.item;
        Self {
            identifier: submission.id.to_string(),
            form_identifier: submission.form.to_string(),
            data_feed_element: submission.data.map(|data| data.to_string()),
            submission_state: submission.state.as_str(),
            creator_id: submission.creator.to_string(),
            last_modified_by_id: submission.last_modified_by.to_string(),
            date_created: submission.date_created.to_string(),
            date_last_modified: submission.date_last_modified.to_string(),
            granted_actions: names(&view.granted_actions),
        }
    }
}
