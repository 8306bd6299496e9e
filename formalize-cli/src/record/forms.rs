//! Forms and submissions.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use formalize_core::{
    Clock, FormView, SubmissionState, SystemClock, Timestamp, Viewed,
    forms::{Availability, SubmissionCap, SubmissionLimit, SubmittedAction, TagAction},
};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{SubmittedFile, answers, date, field, names};
use crate::output::{Column, Fit, Printer, Record, cell, short_date};

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
    max_num_submissions: Option<i64>,
    localized_names: BTreeMap<String, String>,
    frontend_key: Option<String>,
    additional_data: Option<Value>,
    tag_permissions_for_submitters: Vec<&'static str>,
    available_tags: Option<Vec<Value>>,
    date_created: String,
    granted_actions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_submissions_by_current_user: Option<i64>,
    /// Whether it is open, for tables.
    #[serde(skip)]
    state: String,
    /// The number of answers, for tables.
    #[serde(skip)]
    answers: Option<u64>,
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
        "maxNumSubmissions",
        "localizedNames",
        "frontendKey",
        "additionalData",
        "tagPermissionsForSubmitters",
        "availableTags",
        "dateCreated",
        "grantedActions",
        "numSubmissionsByCurrentUser",
    ];
    const COLUMNS: &'static [Column] = &[
        Column::new("identifier", "identifier", Fit::Key),
        Column::new("name", "name", Fit::CutEnd),
        Column::new("state", "state", Fit::Whole),
        Column::new("answers", "answers", Fit::Whole),
        Column::new("created", "dateCreated", Fit::Date),
    ];
    const MORE_COLUMNS: &'static [Column] = &[
        Column::new("opens", "availableStarts", Fit::Date),
        Column::new("closes", "availabilityEnds", Fit::Date),
        Column::new("states", "allowedSubmissionStates", Fit::Whole),
        Column::new("max", "maxNumSubmissions", Fit::Whole),
        Column::new("actions", "grantedActions", Fit::Whole),
    ];

    fn shown(&self, column: &Column, fields: &Map<String, Value>) -> String {
        match &*column.field {
            "state" => self.state.clone(),
            "answers" => self.answers.map(counted).unwrap_or_default(),
            _ => field(column, fields),
        }
    }
}

/// The most answers of a form that are counted for a table.
pub(crate) const MOST_ANSWERS: u64 = 1_000;

fn counted(answers: u64) -> String {
    if answers > MOST_ANSWERS {
        "over 1,000".to_owned()
    } else {
        answers.to_string()
    }
}

/// Whether a form takes submissions at this time.
fn state(availability: &Availability, now: Timestamp) -> String {
    match availability.starts() {
        _ if availability.contains(now) => "open".to_owned(),
        Some(starts) if starts > now => format!("opens {}", short_date(&starts.to_string())),
        _ => "closed".to_owned(),
    }
}

/// A form, and the number of its answers that the caller may read: at most one more than [`MOST_ANSWERS`].
pub(crate) struct CountedForm {
    pub(crate) form: FormView,
    pub(crate) answers: Option<u64>,
}

impl From<CountedForm> for Form {
    fn from(counted: CountedForm) -> Self {
        Self {
            answers: counted.answers,
            ..counted.form.into()
        }
    }
}

impl From<FormView> for Form {
    fn from(view: FormView) -> Self {
        let form = view.item;
        let rules = form.rules;
        Self {
            state: state(&rules.availability, SystemClock.now()),
            answers: None,
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
            max_num_submissions: rules.limit.map(SubmissionLimit::get),
            localized_names: (form.details.localized_names.iter())
                .map(|(tag, name)| (tag.as_str().to_owned(), name.as_str().to_owned()))
                .collect(),
            frontend_key: form.details.frontend_key.map(|key| key.as_str().to_owned()),
            additional_data: form.details.additional_data.map(|data| data.value()),
            tag_permissions_for_submitters: (rules.tag_permissions.actions().iter())
                .map(TagAction::as_str)
                .collect(),
            available_tags: (view.sees_available_tags)
                .then(|| form.details.available_tags.to_vec()),
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
    reason = "the names are those of the REST interface"
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
    submitted_files: Vec<SubmittedFile>,
    tags: Option<Vec<String>>,
    granted_actions: Vec<String>,
    granted_tag_actions: Vec<&'static str>,
    /// The data, parsed when a column first needs it.
    #[serde(skip)]
    answers: OnceCell<Value>,
}

impl Submission {
    /// The columns of a table of submissions to a form with this schema. The submitted values follow the state.
    pub(crate) fn columns(printer: &Printer, schema: Option<&str>) -> Vec<Column> {
        let mut columns = printer.columns::<Self>();
        let answers = schema.map(|schema| answers::columns(schema, printer.is_wide()));
        columns.splice(2..2, answers.unwrap_or_default());
        columns
    }

    fn answer(&self, pointer: &str) -> Option<String> {
        let data = self.data_feed_element.as_deref()?;
        let parsed = || serde_json::from_str(data).unwrap_or_default();
        let answers = self.answers.get_or_init(parsed);
        answers.pointer(pointer).map(cell)
    }
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
        "submittedFiles",
        "tags",
        "grantedActions",
        "grantedTagActions",
    ];
    const COLUMNS: &'static [Column] = &[
        Column::new("identifier", "identifier", Fit::Key),
        Column::new("state", "submissionState", Fit::Whole),
        Column::new("creator", "creatorId", Fit::Whole),
        Column::new("created", "dateCreated", Fit::Date),
    ];
    const MORE_COLUMNS: &'static [Column] = &[
        Column::new("modified by", "lastModifiedById", Fit::Whole),
        Column::new("modified", "dateLastModified", Fit::Date),
        Column::new("tags", "tags", Fit::Wrap),
    ];

    fn shown(&self, column: &Column, fields: &Map<String, Value>) -> String {
        if column.field.starts_with('/') {
            self.answer(&column.field).unwrap_or_default()
        } else {
            field(column, fields)
        }
    }
}

impl From<Viewed<formalize_core::Submission>> for Submission {
    fn from(view: Viewed<formalize_core::Submission>) -> Self {
        let sees_tags = view.sees_tags();
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
            submitted_files: submission.files.into_iter().map(Into::into).collect(),
            tags: sees_tags.then(|| submission.tags.iter().map(str::to_owned).collect()),
            granted_actions: names(&view.granted_actions),
            granted_tag_actions: view.tag_actions.iter().map(TagAction::as_str).collect(),
            answers: OnceCell::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_open_closed_or_opens_later() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let (before, now, after) = (
            at("2026-11-20T08:00:00Z"),
            at("2026-11-21T08:00:00Z"),
            at("2026-11-22T08:00:00Z"),
        );
        for (starts, ends, expected) in [
            (None, None, "open"),
            (Some(before), Some(after), "open"),
            (Some(now), Some(now), "open"),
            (None, Some(before), "closed"),
            (Some(after), None, "opens 2026-11-22 08:00"),
        ] {
            let availability = Availability::new(starts, ends).unwrap();
            assert_eq!(state(&availability, now), expected);
        }
    }

    #[test]
    fn answers_are_counted_to_a_thousand() {
        assert_eq!(counted(0), "0");
        assert_eq!(counted(MOST_ANSWERS), "1000");
        assert_eq!(counted(MOST_ANSWERS + 1), "over 1,000");
    }
}
