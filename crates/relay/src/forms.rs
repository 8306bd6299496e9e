//! Forms.

use formalize_core::{
    Action, Error, FormFilter, FormId, FormView, SubmissionState,
    forms::{FormDetailsChange, FrontendKey, FrontendKeys, SubmissionCap, SubmittedAction},
    offload_for,
};
use formalize_http::contract::Operation;
use formalize_http::failure::Refusal;
use formalize_http::request::read_members;
use formalize_views::{RequestBody, form};
use poem::{Response, http::StatusCode};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::{
    hydra::{Item, changed_item, item},
    request::{Visit, invalid_member, malformed},
    rows::Rows,
    tags,
};

/// The number that stands for no cap.
const NO_CAP: i64 = 2_147_483_647;
/// The cap of a new form whose cap is not sent.
const USUAL_CAP: i64 = 10;
/// Bodies up to this size, in bytes, are read in well under a millisecond.
const LIGHT: usize = 64 * 1024;

/// The name of a form in a language.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LocalizedName {
    #[serde(rename = "@type")]
    kind: &'static str,
    language_tag: String,
    name: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Form {
    identifier: String,
    name: String,
    date_created: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    data_feed_schema: Option<String>,
    localized_names: Vec<LocalizedName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    availability_starts: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    availability_ends: Option<String>,
    grant_based_submission_authorization: bool,
    allowed_submission_states: u8,
    allowed_actions_when_submitted: Vec<&'static str>,
    max_num_submissions_per_creator: i64,
    tag_permissions_for_submitters: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    available_tags: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    frontend_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_data: Option<Value>,
    granted_actions: Vec<String>,
    granted_form_actions: Vec<String>,
    granted_submission_collection_actions: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_submissions_by_current_user: Option<i64>,
}

/// A form without anything that needs the right to read it.
#[derive(Debug, Serialize)]
struct Receipt {
    identifier: String,
}

/// The path of a form.
pub(crate) fn path(id: FormId) -> String {
    format!("/formalize/forms/{id}")
}

const DATASET: &str = "https://schema.org/Dataset";

/// The actions on a form itself.
const ON_FORM: [Action; 4] = [Action::MANAGE, Action::READ, Action::UPDATE, Action::DELETE];

/// The actions on a form, and those on the collection of its submissions that give them.
const ON_COLLECTION: [(Action, &str); 4] = [
    (Action::CREATE_SUBMISSIONS, "create_submissions"),
    (Action::READ_SUBMISSIONS, "read"),
    (Action::UPDATE_SUBMISSIONS, "update"),
    (Action::DELETE_SUBMISSIONS, "delete"),
];

/// A form as an item or as an element of the list.
pub(crate) fn element(view: FormView, is_item: bool) -> Item<Form> {
    let form = view.item;
    let shows_tags = is_item && view.sees_available_tags;
    let available_tags = shows_tags.then(|| form.details.available_tags.to_vec());
    let actions = &view.granted_actions;
    let granted: Vec<String> = actions.iter().map(Action::to_string).collect();
    let has = |action: &Action| actions.iter().any(|granted| granted == action);
    let of_form = ON_FORM.iter().filter(|action| has(action));
    let of_form = of_form.map(Action::to_string).collect();
    let of_collection = if view.manages_submissions {
        vec!["manage"]
    } else {
        let given = ON_COLLECTION.iter().filter(|(action, _)| has(action));
        given.map(|(_, name)| *name).collect()
    };
    let names = form.details.localized_names.iter();
    let rules = form.rules;
    let members = Form {
        identifier: form.id.to_string(),
        name: form.name.as_str().to_owned(),
        date_created: form.date_created.to_string(),
        data_feed_schema: form.data_feed_schema.map(|text| text.to_string()),
        localized_names: names
            .map(|(language, name)| LocalizedName {
                kind: "FormalizeLocalizedFormName",
                language_tag: language.as_str().to_owned(),
                name: name.as_str().to_owned(),
            })
            .collect(),
        availability_starts: rules.availability.starts().map(|it| it.to_string()),
        availability_ends: rules.availability.ends().map(|it| it.to_string()),
        grant_based_submission_authorization: rules.grant_based,
        allowed_submission_states: rules.allowed_states.iter().map(state_number).sum(),
        allowed_actions_when_submitted: rules
            .allowed_actions_when_submitted
            .iter()
            .map(SubmittedAction::as_str)
            .collect(),
        max_num_submissions_per_creator: rules.cap.map_or(NO_CAP, SubmissionCap::get),
        tag_permissions_for_submitters: tags::permissions(rules.tag_permissions),
        available_tags,
        frontend_key: form.details.frontend_key.map(|key| key.as_str().to_owned()),
        additional_data: form.details.additional_data.map(|data| data.value()),
        granted_actions: granted,
        granted_form_actions: of_form,
        granted_submission_collection_actions: of_collection,
        num_submissions_by_current_user: view.num_submissions_by_caller,
    };
    Item::new(path(form.id), DATASET, members)
}

/// The number of a state. Sets of states are sums.
pub(crate) fn state_number(state: SubmissionState) -> u8 {
    match state {
        SubmissionState::Draft => 1,
        SubmissionState::Submitted => 4,
    }
}

/// The rows of the list that a request is for.
///
/// # Errors
///
/// A refusal if a filter is invalid.
pub(crate) fn rows(visit: &Visit) -> Result<Rows, Refusal> {
    let query = &visit.query;
    let any_of = query.array("whereFrontendKeyIn").map(keys);
    let none_of = query.array("whereFrontendKeyNotIn").map(keys);
    Ok(Rows::Forms(FormFilter {
        where_read_form_submissions_granted: query.flag("whereMayReadSubmissions")?
            || query.flag("whereReadFormSubmissionsGranted")?,
        frontend_keys: FrontendKeys {
            any_of,
            none_of: none_of.unwrap_or_default(),
        },
    }))
}

/// The keys in a filter. No form has one that cannot be a key.
fn keys(texts: Vec<&str>) -> Vec<FrontendKey> {
    let keys = texts.into_iter().map(FrontendKey::new);
    keys.filter_map(Result::ok).collect()
}

fn found(visit: &Visit, status: StatusCode, view: FormView) -> Response {
    let revision = view.item.revision;
    let form = element(view, true);
    item(status, &visit.shared.base_url, form, Some(revision))
}

pub(crate) async fn get(visit: &Visit) -> Result<Response, Refusal> {
    let id = visit.id(Error::FormNotFound)?;
    let view = visit.shared.core.forms().get(&visit.caller, id).await?;
    Ok(found(visit, StatusCode::OK, view))
}

pub(crate) async fn create(visit: &Visit) -> Result<Response, Refusal> {
    let new = read::<form::NewForm>(visit, Operation::CreateForm).await?;
    let view = visit.shared.core.forms().create(&visit.caller, new).await?;
    Ok(found(visit, StatusCode::CREATED, view))
}

pub(crate) async fn update(visit: &Visit) -> Result<Response, Refusal> {
    let id: FormId = visit.id(Error::FormNotFound)?;
    let mut change = read::<form::FormChange>(visit, Operation::UpdateForm).await?;
    change.details = FormDetailsChange {
        is_whole: true,
        ..change.details
    };
    let forms = visit.shared.core.forms();
    let changed = forms.update(&visit.caller, visit.expect(id), change).await;
    let shown = visit.or_current_tag(changed, get(visit)).await?;
    let shown = shown.map(|view| found(visit, StatusCode::OK, view));
    let identifier = id.to_string();
    let receipt = Item::new(path(id), DATASET, Receipt { identifier });
    Ok(changed_item(&visit.shared.base_url, shown, receipt))
}

pub(crate) async fn delete(visit: &Visit) -> Result<Response, Refusal> {
    let id: FormId = visit.id(Error::FormNotFound)?;
    let forms = visit.shared.core.forms();
    let deleted = forms.delete(&visit.caller, visit.expect(id)).await;
    visit.or_current_tag(deleted, get(visit)).await?;
    Ok(StatusCode::NO_CONTENT.into())
}

/// Reads a form, or a change of one, from the body.
async fn read<T: RequestBody + 'static>(
    visit: &Visit,
    operation: Operation,
) -> Result<T::Value, Refusal> {
    let bytes = visit.json();
    let is_light = bytes.len() <= LIGHT;
    let read = move || {
        let object = Visit::object(&bytes)?;
        let object = as_in_the_rest_interface(object, operation == Operation::CreateForm)?;
        read_members::<T>(object, operation)
    };
    if is_light {
        return read();
    }
    offload_for(&visit.caller, read)
        .await
        .map_err(Error::from)?
}

/// The members of a form under the names and with the types that the REST interface has. Unknown members are ignored.
fn as_in_the_rest_interface(
    mut sent: Map<String, Value>,
    is_new: bool,
) -> Result<Map<String, Value>, Refusal> {
    let mut object = Map::new();
    tags::of_form(&mut sent, &mut object)?;
    for (here, there) in [
        ("name", "name"),
        ("dataFeedSchema", "dataFeedSchema"),
        ("availabilityStarts", "availableStarts"),
        ("availabilityEnds", "availabilityEnds"),
        ("frontendKey", "frontendKey"),
        ("additionalData", "additionalData"),
    ] {
        if let Some(value) = sent.remove(here) {
            object.insert(there.to_owned(), value);
        }
    }
    let mut value_of = |name: &str| sent.remove(name).filter(|value| !value.is_null());
    if let Some(flag) = value_of("grantBasedSubmissionAuthorization") {
        object.insert("grantBasedSubmissionAuthorization".to_owned(), flag);
    }
    if let Some(states) = value_of("allowedSubmissionStates") {
        object.insert("allowedSubmissionStates".to_owned(), states_of(&states)?);
    }
    let cap = match value_of("maxNumSubmissionsPerCreator") {
        None if is_new => Some(json!(USUAL_CAP)),
        None => None,
        Some(number) if number.as_f64() == Some(2_147_483_647.0) => Some(Value::Null),
        Some(number) => Some(number),
    };
    if let Some(cap) = cap {
        object.insert("maxNumSubmissionsPerCreator".to_owned(), cap);
    }
    if let Some(actions) = sent.remove("allowedActionsWhenSubmitted") {
        let actions = if actions.is_null() {
            json!([])
        } else {
            actions
        };
        object.insert("allowedActionsWhenSubmitted".to_owned(), actions);
    }
    if let Some(names) = sent.remove("localizedNames") {
        object.insert("localizedNames".to_owned(), names_by_language(names)?);
    }
    Ok(object)
}

fn states_of(number: &Value) -> Result<Value, Refusal> {
    let must_be = "1, 4 or 5";
    let number = number.as_f64();
    let number = number.ok_or_else(|| malformed("allowedSubmissionStates", must_be))?;
    match number {
        1.0 => Ok(json!(["draft"])),
        4.0 => Ok(json!(["submitted"])),
        5.0 => Ok(json!(["draft", "submitted"])),
        _ => Err(invalid_member("allowedSubmissionStates", must_be)),
    }
}

/// An object from language tags to names.
fn names_by_language(sent: Value) -> Result<Value, Refusal> {
    let must_be = "an array of objects with `languageTag` and `name`";
    let refused = || malformed("localizedNames", must_be);
    let elements = match sent {
        Value::Null => return Ok(json!({})),
        Value::Array(elements) => elements,
        _ => return Err(refused()),
    };
    let mut names = Map::new();
    for element in elements {
        let (Some(language), Some(name)) = (
            element.get("languageTag").and_then(Value::as_str),
            element.get("name").and_then(Value::as_str),
        ) else {
            return Err(refused());
        };
        if names.insert(language.to_owned(), json!(name)).is_some() {
            return Err(invalid_member(
                "localizedNames",
                "names in different languages",
            ));
        }
    }
    Ok(Value::Object(names))
}
