//! Forms.

use formalize_core::{
    self as core, Availability, Change, DataSchema, Error, Field, FormName, FormView,
    InvalidTimestamp, SubmissionCap, SubmissionRules, SubmissionStates, SubmittedAction,
    SubmittedActions, Timestamp,
};
use poem_openapi::{Enum, Object};
use serde::Serialize;
use serde_json::Number;
use uuid::Uuid;

use super::{
    Id, Instant, Item, Located, Members, Nullable, Read,
    members::{flag, number, text, whole, words},
    names,
};
use crate::contract::Operation;

/// Whether a submission is handed in or still being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Enum)]
#[serde(rename_all = "lowercase")]
#[oai(rename_all = "lowercase")]
pub enum SubmissionState {
    /// Still being written: the data need not satisfy the schema.
    Draft,
    /// Handed in.
    Submitted,
}

/// What may still be done with a submission once it is submitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Enum)]
#[serde(rename_all = "lowercase")]
#[oai(rename_all = "lowercase", rename = "SubmittedAction")]
pub enum ActionWhenSubmitted {
    /// See it.
    Read,
    /// Change it.
    Update,
    /// Delete it.
    Delete,
    /// All of these, and share it.
    Manage,
}

/// A form to be created.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct NewForm {
    /// What people will call it: 1 to 256 characters, not blank, no control characters.
    #[oai(validator(min_length = 1, max_length = 256))]
    pub name: String,
    /// The JSON Schema of submitted data: a string that holds JSON, up to 1 MiB.
    pub data_feed_schema: Option<Nullable<String>>,
    /// `true`: submissions are governed by grants; `false`, the default: by their creator.
    pub grant_based_submission_authorization: Option<bool>,
    /// What creators, or holders of grants, may still do once a submission is submitted; nothing
    /// unless said otherwise.
    pub allowed_actions_when_submitted: Option<Vec<ActionWhenSubmitted>>,
    /// The states that submissions may have, at least one; `submitted` unless said otherwise.
    #[oai(validator(min_items = 1))]
    pub allowed_submission_states: Option<Vec<SubmissionState>>,
    /// From when on submissions are accepted: an instant, or a date, which means its beginning.
    pub available_starts: Option<Nullable<String>>,
    /// Until when submissions are accepted: an instant, or a date, which includes that day.
    pub availability_ends: Option<Nullable<String>>,
    /// How many submissions a creator may have, drafts included; no cap unless said otherwise.
    #[oai(validator(minimum(value = "0"), maximum(value = "2147483647")))]
    pub max_num_submissions_per_creator: Option<Nullable<i64>>,
}

impl Read for NewForm {
    type Value = core::NewForm;

    /// Some ten bytes of a pattern can take milliseconds to compile.
    const LIGHT_BYTES: usize = 0;

    fn read(members: &mut Members) -> Option<Self::Value> {
        let name = members.required(Field::Name, text);
        let name = members.accept_some(name.map(FormName::new));
        let schema = members.nullable(Field::DataFeedSchema, text);
        let grant_based = members.optional(Field::GrantBasedSubmissionAuthorization, flag);
        let actions = allowed_actions(members);
        let states = allowed_states(members);
        let starts = members.nullable(Field::AvailableStarts, text);
        let starts = members.accept_some(starts.as_deref().map(start));
        let ends = members.nullable(Field::AvailabilityEnds, text);
        let ends = members.accept_some(ends.as_deref().map(end));
        let availability = members.accept(Availability::new(starts, ends));
        let cap = members.nullable(Field::MaxNumSubmissionsPerCreator, number);
        let cap = members.accept_some(cap.as_ref().map(cap_of));
        let schema = members.accept_some(schema.as_deref().map(compile));
        let default = SubmissionRules::default();
        let rules = SubmissionRules {
            grant_based: grant_based.unwrap_or(default.grant_based),
            allowed_actions_when_submitted: actions
                .unwrap_or(default.allowed_actions_when_submitted),
            allowed_states: states.unwrap_or(default.allowed_states),
            availability: availability?,
            cap,
        };
        Some(core::NewForm {
            name: name?,
            data_feed_schema: schema,
            rules,
        })
    }
}

/// What to change of a form; a member that is absent stays as it is, null clears it.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct FormChange {
    /// The new name: 1 to 256 characters, not blank, no control characters.
    #[oai(validator(min_length = 1, max_length = 256))]
    pub name: Option<String>,
    /// The new JSON Schema of submitted data: a string that holds JSON, up to 1 MiB.
    pub data_feed_schema: Option<Nullable<String>>,
    /// Whether grants govern submissions; can change only while there are none.
    pub grant_based_submission_authorization: Option<bool>,
    /// The new set of actions that are left once a submission is submitted.
    pub allowed_actions_when_submitted: Option<Vec<ActionWhenSubmitted>>,
    /// The new set of states that submissions may have, at least one.
    #[oai(validator(min_items = 1))]
    pub allowed_submission_states: Option<Vec<SubmissionState>>,
    /// The new start: an instant, or a date, which means its beginning.
    pub available_starts: Option<Nullable<String>>,
    /// The new end: an instant, or a date, which includes that day.
    pub availability_ends: Option<Nullable<String>>,
    /// How many submissions a creator may have, drafts included.
    #[oai(validator(minimum(value = "0"), maximum(value = "2147483647")))]
    pub max_num_submissions_per_creator: Option<Nullable<i64>>,
}

impl Read for FormChange {
    type Value = core::FormChange;

    /// Some ten bytes of a pattern can take milliseconds to compile.
    const LIGHT_BYTES: usize = 0;

    fn read(members: &mut Members) -> Option<Self::Value> {
        let name = members.replacement(Field::Name, text);
        let name = members.accept_some(name.map(FormName::new));
        let schema = members.change(Field::DataFeedSchema, text);
        let grant_based = members.optional(Field::GrantBasedSubmissionAuthorization, flag);
        let allowed_actions_when_submitted = allowed_actions(members);
        let allowed_states = allowed_states(members);
        let starts = members.change(Field::AvailableStarts, text);
        let ends = members.change(Field::AvailabilityEnds, text);
        let cap = members.change(Field::MaxNumSubmissionsPerCreator, number);
        Some(core::FormChange {
            name,
            grant_based,
            allowed_actions_when_submitted,
            allowed_states,
            available_starts: converted(members, starts, |text| start(text)),
            availability_ends: converted(members, ends, |text| end(text)),
            cap: converted(members, cap, cap_of),
            data_feed_schema: converted(members, schema, |text| compile(text)),
        })
    }
}

/// A change with its value as the core takes it; a value that it refuses is noted.
fn converted<T, U>(
    members: &mut Members,
    change: Change<T>,
    convert: impl FnOnce(&T) -> Result<U, Error>,
) -> Change<U> {
    match change {
        Change::Keep => Change::Keep,
        Change::Clear => Change::Clear,
        Change::Set(value) => members
            .accept(convert(&value))
            .map_or(Change::Keep, Change::Set),
    }
}

fn allowed_actions(members: &mut Members) -> Option<SubmittedActions> {
    let field = Field::AllowedActionsWhenSubmitted;
    let words = members.optional(field, words)?;
    let actions = words
        .iter()
        .map(|word| SubmittedAction::find(word))
        .collect();
    members.accept(Option::ok_or(actions, Error::FormInvalid(vec![field])))
}

fn allowed_states(members: &mut Members) -> Option<SubmissionStates> {
    let field = Field::AllowedSubmissionStates;
    let words = members.optional(field, words)?;
    let states: Option<SubmissionStates> = words
        .iter()
        .map(|word| core::SubmissionState::find(word))
        .collect();
    let states = states.filter(|states| !states.is_empty());
    members.accept(states.ok_or(Error::FormInvalid(vec![field])))
}

fn start(text: &str) -> Result<Timestamp, Error> {
    instant(Timestamp::parse_start(text), Field::AvailableStarts)
}

fn end(text: &str) -> Result<Timestamp, Error> {
    instant(Timestamp::parse_end(text), Field::AvailabilityEnds)
}

fn instant(parsed: Result<Timestamp, InvalidTimestamp>, field: Field) -> Result<Timestamp, Error> {
    parsed.map_err(|_| Error::FormInvalid(vec![field]))
}

fn cap_of(number: &Number) -> Result<SubmissionCap, Error> {
    let refused = || Error::FormInvalid(vec![Field::MaxNumSubmissionsPerCreator]);
    whole(number)
        .ok_or_else(refused)
        .and_then(SubmissionCap::new)
}

fn compile(text: &str) -> Result<DataSchema, Error> {
    DataSchema::compile(text).map_err(Error::DataSchemaInvalid)
}

/// A form.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct Form {
    /// Names the form.
    pub identifier: Id,
    /// What people call it.
    pub name: String,
    /// The JSON Schema of submitted data, exactly as it was sent.
    pub data_feed_schema: Nullable<String>,
    /// `true`: submissions are governed by grants; `false`: by their creator.
    pub grant_based_submission_authorization: bool,
    /// What creators, or holders of grants, may still do once a submission is submitted.
    pub allowed_actions_when_submitted: Vec<ActionWhenSubmitted>,
    /// The states that submissions may have.
    pub allowed_submission_states: Vec<SubmissionState>,
    /// From when on submissions are accepted.
    pub available_starts: Nullable<Instant>,
    /// Until when submissions are accepted.
    pub availability_ends: Nullable<Instant>,
    /// How many submissions a creator may have, drafts included; null is no cap.
    pub max_num_submissions_per_creator: Nullable<i64>,
    /// When it was created.
    pub date_created: Instant,
    /// What the caller may do with the form.
    pub granted_actions: Vec<String>,
    /// How many submissions of the form the caller has, drafts included; not in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    pub num_submissions_by_current_user: Option<i64>,
    #[serde(skip)]
    #[oai(skip)]
    revision: Uuid,
}

impl From<FormView> for Form {
    fn from(view: FormView) -> Self {
        let form = view.form;
        let rules = form.rules;
        Self {
            identifier: form.id.into(),
            name: form.name.as_str().to_owned(),
            data_feed_schema: form.data_feed_schema.map(|text| text.to_string()).into(),
            grant_based_submission_authorization: rules.grant_based,
            allowed_actions_when_submitted: rules
                .allowed_actions_when_submitted
                .iter()
                .map(Into::into)
                .collect(),
            allowed_submission_states: rules.allowed_states.iter().map(Into::into).collect(),
            available_starts: rules.availability.starts().map(Instant::from).into(),
            availability_ends: rules.availability.ends().map(Instant::from).into(),
            max_num_submissions_per_creator: rules.cap.map(SubmissionCap::get).into(),
            date_created: form.date_created.into(),
            granted_actions: names(&view.granted_actions),
            num_submissions_by_current_user: view.num_submissions_by_caller,
            revision: form.revision.as_uuid(),
        }
    }
}

impl Item for Form {
    fn revision(&self) -> Option<Uuid> {
        Some(self.revision)
    }
}

impl Located for Form {
    const ROUTE: Operation = Operation::GetForm;

    fn identifier(&self) -> &Id {
        &self.identifier
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
