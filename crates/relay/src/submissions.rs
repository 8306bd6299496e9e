//! Submissions.

use formalize_core::{
    Action, Actions, Change, Error, FormId, NewSubmission, Submission as CoreSubmission,
    SubmissionChange, SubmissionFilter, SubmissionId, SubmissionState, Viewed,
    forms::TagActions,
    submissions::{ChangedSubmission, OutputValidation, RequestedState},
};
use formalize_http::contract::ErrorKey;
use formalize_http::failure::Refusal;
use poem::{Response, http::StatusCode};
use serde::Serialize;
use serde_json::Value;

use crate::{
    files::{self, File},
    form_body::{self, Fields},
    forms::{self, state_number},
    hydra::{Item, changed_item, item},
    request::{Sent, Visit, malformed, missing},
    rows::Rows,
    tags,
};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(
    clippy::struct_field_names,
    reason = "the names are those of the members"
)]
pub(crate) struct Submission {
    identifier: String,
    creator_id: String,
    last_modified_by_id: String,
    date_created: String,
    date_last_modified: String,
    form: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    data_feed_element: Option<String>,
    submission_state: u8,
    tags: Vec<String>,
    submitted_files: Vec<Item<File>>,
    granted_actions: Vec<String>,
}

/// What became of a submission, for callers who may not read it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Receipt {
    identifier: String,
    form: String,
    submission_state: u8,
    granted_actions: Vec<String>,
    submitted_files: [Value; 0],
    tags: [Value; 0],
}

const DATA_FEED: &str = "https://schema.org/DataFeed";

fn path(id: SubmissionId) -> String {
    format!("/formalize/submissions/{id}")
}

/// The actions on a submission, followed by those on its tags.
fn actions(granted: &Actions, tag_actions: TagActions) -> Vec<String> {
    let of_tags = tags::granted(tag_actions).map(ToString::to_string);
    granted
        .iter()
        .map(Action::to_string)
        .chain(of_tags)
        .collect()
}

/// A submission as an item or as an element of the list.
pub(crate) fn element(view: Viewed<CoreSubmission>, base_url: &str) -> Item<Submission> {
    let granted_actions = actions(&view.granted_actions, view.tag_actions);
    let tags = tags::of_submission(&view);
    let submission = view.item;
    let files = submission.files.iter();
    let members = Submission {
        identifier: submission.id.to_string(),
        creator_id: submission.creator.to_string(),
        last_modified_by_id: submission.last_modified_by.to_string(),
        date_created: submission.date_created.to_string(),
        date_last_modified: submission.date_last_modified.to_string(),
        form: forms::path(submission.form),
        data_feed_element: submission.data.as_ref().map(ToString::to_string),
        submission_state: state_number(submission.state),
        tags,
        submitted_files: files.map(|file| files::element(file, base_url)).collect(),
        granted_actions,
    };
    Item::new(path(submission.id), DATA_FEED, members)
}

fn found(visit: &Visit, status: StatusCode, view: Viewed<CoreSubmission>) -> Response {
    let revision = view.item.revision;
    let base_url = &visit.shared.base_url;
    item(status, base_url, element(view, base_url), Some(revision))
}

/// The form that a query is about.
fn form_of_query(visit: &Visit) -> Result<FormId, Refusal> {
    let sent = visit.query.required("formIdentifier")?;
    let id = sent.parse();
    id.map_err(|_| Refusal::from(Error::FormNotFound).naming(vec![sent.to_owned()]))
}

/// The rows of the list that a request is for.
///
/// # Errors
///
/// A refusal if the form is not named.
pub(crate) fn rows(visit: &Visit) -> Result<Rows, Refusal> {
    let (form, query) = (form_of_query(visit)?, &visit.query);
    let filter = SubmissionFilter {
        creator: query.text("creatorIdEquals").map(str::to_owned),
        output: match query.text("outputValidation") {
            Some("KEYS") => OutputValidation::Keys,
            _ => OutputValidation::None,
        },
        ..SubmissionFilter::default()
    };
    Ok(Rows::Submissions(form, filter))
}

pub(crate) async fn get(visit: &Visit) -> Result<Response, Refusal> {
    let id = visit.id(Error::SubmissionNotFound)?;
    let submissions = visit.shared.core.submissions();
    let view = submissions.get(&visit.caller, id).await?;
    Ok(found(visit, StatusCode::OK, view))
}

pub(crate) async fn delete(visit: &Visit) -> Result<Response, Refusal> {
    let id: SubmissionId = visit.id(Error::SubmissionNotFound)?;
    let submissions = visit.shared.core.submissions();
    let deleted = submissions.delete(&visit.caller, visit.expect(id)).await;
    visit.or_current_tag(deleted, get(visit)).await?;
    Ok(StatusCode::NO_CONTENT.into())
}

pub(crate) async fn delete_all(visit: &Visit) -> Result<Response, Refusal> {
    let form = form_of_query(visit)?;
    let submissions = visit.shared.core.submissions();
    submissions.delete_all(&visit.caller, form).await?;
    Ok(StatusCode::NO_CONTENT.into())
}

pub(crate) async fn create(visit: &Visit) -> Result<Response, Refusal> {
    let view = match &visit.sent {
        Sent::Form(body) => form_body::create(visit, body.clone()).await?,
        Sent::Json(_) | Sent::Nothing => {
            let fields = fields_of_json(visit)?;
            let new = fields.new_submission(&visit.shared.base_url)?;
            let submissions = visit.shared.core.submissions();
            let created = submissions.create(&visit.caller, new).await;
            created.map_err(|error| fields.refusal(error))?
        }
    };
    Ok(found(visit, StatusCode::CREATED, view))
}

pub(crate) async fn update(visit: &Visit) -> Result<Response, Refusal> {
    let id: SubmissionId = visit.id(Error::SubmissionNotFound)?;
    let Sent::Form(body) = &visit.sent else {
        return Err(Refusal::is(ErrorKey::UnsupportedMediaType));
    };
    let changed = form_body::update(visit, id, body.clone()).await?;
    let ChangedSubmission {
        form,
        state,
        granted_actions,
        tag_actions,
        shown,
    } = changed;
    let receipt = Receipt {
        identifier: id.to_string(),
        form: forms::path(form),
        submission_state: state_number(state),
        granted_actions: actions(&granted_actions, tag_actions),
        submitted_files: [],
        tags: [],
    };
    let receipt = Item::new(path(id), DATA_FEED, receipt);
    let shown = shown.map(|view| found(visit, StatusCode::OK, view));
    Ok(changed_item(&visit.shared.base_url, shown, receipt))
}

/// The members of a JSON body, as the texts that a form would have.
fn fields_of_json(visit: &Visit) -> Result<Fields, Refusal> {
    let mut object = Visit::object(&visit.json())?;
    let mut value_of = |name: &str| object.remove(name).filter(|value| !value.is_null());
    let mut text_of = |name: &str| match value_of(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(malformed(name, "a string")),
    };
    let (form, data) = (text_of("form")?, text_of("dataFeedElement")?);
    let state = match value_of("submissionState") {
        None => None,
        Some(Value::Number(number)) if number.as_f64() == Some(1.0) => Some("1".to_owned()),
        Some(Value::Number(number)) if number.as_f64() == Some(4.0) => Some("4".to_owned()),
        Some(Value::Number(number)) => Some(number.to_string()),
        Some(_) => return Err(malformed("submissionState", "a number")),
    };
    let tags = match value_of("tags") {
        None => None,
        Some(tags @ Value::Array(_)) => Some(
            tags::read(&tags.to_string()).map_err(|_| malformed("tags", "an array of strings"))?,
        ),
        Some(_) => return Err(malformed("tags", "an array of strings")),
    };
    Ok(Fields {
        form,
        data,
        state,
        tags,
        removed: Vec::new(),
    })
}

impl Fields {
    /// The submission that is described.
    ///
    /// # Errors
    ///
    /// A refusal if the form is missing, or cannot exist.
    pub(crate) fn new_submission(&self, base_url: &str) -> Result<NewSubmission, Refusal> {
        let sent = self.form.as_deref().ok_or_else(|| missing("form"))?;
        let path = sent.strip_prefix(base_url).unwrap_or(sent);
        let id = path.strip_prefix("/formalize/forms/");
        let id = id.and_then(|id| id.parse::<FormId>().ok());
        let form =
            id.ok_or_else(|| Refusal::from(Error::FormNotFound).naming(vec![sent.to_owned()]))?;
        Ok(NewSubmission {
            form,
            data: self.data.clone(),
            state: self.requested_state(),
            tags: self.tags.clone().unwrap_or_default(),
        })
    }

    /// The change of a submission that is described.
    pub(crate) fn change(&self) -> SubmissionChange {
        SubmissionChange {
            state: self.requested_state(),
            data: self.data.clone().map_or(Change::Keep, Change::Set),
            files_to_remove: self.removed.clone(),
            tags: self.tags.clone(),
            ignores_missing_files: true,
        }
    }

    fn requested_state(&self) -> RequestedState {
        match self.state.as_deref() {
            None => RequestedState::Unchanged,
            Some("1") => SubmissionState::Draft.into(),
            Some("4") => SubmissionState::Submitted.into(),
            Some(other) => RequestedState::Unknown(other.to_owned()),
        }
    }

    /// The refusal of a submission, which names the form or the state that was sent.
    pub(crate) fn refusal(&self, error: Error) -> Refusal {
        match &error {
            Error::FormNotFound => {
                let sent = self.form.as_deref().unwrap_or_default();
                let id = sent.rsplit('/').next().unwrap_or_default().to_owned();
                Refusal::from(error).naming(vec![id])
            }
            Error::SubmissionStateNotAllowed(word) => {
                let kept = word.parse().map(state_number);
                let kept = kept.map_or_else(|_| word.clone(), |number| number.to_string());
                let sent = self.state.clone().unwrap_or(kept);
                Refusal::from(error).naming(vec![sent])
            }
            _ => error.into(),
        }
    }
}
