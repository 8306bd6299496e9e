//! Grants, and the actions of classes and callers: what the client's permission dialog needs.

use std::collections::BTreeMap;

use formalize_core::{
    Action, Actions, Error, Grant, GrantId, ResourceClass, ResourceFilter, ResourceIdentifier,
    ResourceRef, Subject, Viewed,
    authorization::{ClassActionsView, IdentifierFilter, InvalidGrant, Labels},
};
use formalize_http::contract::Operation;
use formalize_http::failure::Refusal;
use formalize_http::percent;
use formalize_http::request::read_members;
use formalize_views::grant::NewGrant;
use poem::{Response, http::StatusCode};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    hydra::{Item, item},
    request::Visit,
    rows::Rows,
};

/// What stands for the collection of a class in the place of an identifier.
const COLLECTION: &str = "null";

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClassActions {
    resource_class: String,
    item_actions: BTreeMap<String, Labels>,
    collection_actions: BTreeMap<String, Labels>,
}

/// A class with its actions.
pub(crate) fn class_element(view: ClassActionsView) -> Item<ClassActions> {
    let labelled = |actions: BTreeMap<Action, Labels>| {
        let actions = actions.into_iter();
        actions
            .map(|(action, labels)| (action.to_string(), labels))
            .collect()
    };
    let class = view.class.to_string();
    let name = percent::encode(&class);
    Item::new(
        format!("/authorization/available-resource-class-actions/{name}"),
        "AuthorizationAvailableResourceClassActions",
        ClassActions {
            resource_class: class,
            item_actions: labelled(view.actions.item_actions),
            collection_actions: labelled(view.actions.collection_actions),
        },
    )
}

pub(crate) fn get_class(visit: &Visit) -> Result<Response, Refusal> {
    let view = visit.shared.core.actions().get(visit.subject())?;
    let class = class_element(view);
    Ok(item(StatusCode::OK, &visit.shared.base_url, class, None))
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResourceActionGrant {
    identifier: String,
    action: String,
    resource_class: String,
    resource_identifier: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_identifier: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dynamic_group_identifier: Option<String>,
    granted_actions: Vec<String>,
}

const GROUPS: &str = "/authorization/groups/";

/// A grant as an item or as an element of the list.
pub(crate) fn element(view: Viewed<Grant>) -> Item<ResourceActionGrant> {
    let grant = view.item;
    let (user, group, dynamic_group) = match grant.subject {
        Subject::User(user) => (Some(user.to_string()), None, None),
        Subject::Group(group) => (None, Some(format!("{GROUPS}{group}")), None),
        Subject::DynamicGroup(group) => (None, None, Some(group.to_string())),
    };
    let resource = grant.resource.resource;
    let identifier = resource.identifier;
    Item::new(
        format!("/authorization/resource-action-grants/{}", grant.id),
        "AuthorizationResourceActionGrant",
        ResourceActionGrant {
            identifier: grant.id.to_string(),
            action: grant.action.to_string(),
            resource_class: resource.class.to_string(),
            resource_identifier: identifier.map_or_else(
                || COLLECTION.to_owned(),
                |identifier| identifier.to_string(),
            ),
            user_identifier: user,
            group,
            dynamic_group_identifier: dynamic_group,
            granted_actions: view.granted_actions.iter().map(Action::to_string).collect(),
        },
    )
}

fn found(visit: &Visit, status: StatusCode, view: Viewed<Grant>) -> Response {
    let revision = view.item.revision();
    item(
        status,
        &visit.shared.base_url,
        element(view),
        Some(revision),
    )
}

/// The rows of the list of grants that a request is for. Text that cannot be a class or an identifier matches none.
pub(crate) fn rows(visit: &Visit) -> Rows {
    let (class, identifier) = (
        visit.query.text("resourceClass"),
        visit.query.text("resourceIdentifier"),
    );
    let class = class.map(str::parse::<ResourceClass>).transpose();
    let identifier = match identifier {
        None => Ok(IdentifierFilter::Any),
        Some(COLLECTION) => Ok(IdentifierFilter::Collections),
        Some(identifier) => identifier.parse().map(IdentifierFilter::Is),
    };
    match (class, identifier) {
        (Ok(class), Ok(identifier)) => Rows::Grants(ResourceFilter { class, identifier }),
        _ => Rows::Nothing,
    }
}

pub(crate) async fn get(visit: &Visit) -> Result<Response, Refusal> {
    let id = visit.id(Error::GrantNotFound)?;
    let view = visit.shared.core.grants().get(&visit.caller, id).await?;
    Ok(found(visit, StatusCode::OK, view))
}

pub(crate) async fn create(visit: &Visit) -> Result<Response, Refusal> {
    let mut sent = Visit::object(&visit.json())?;
    let action = sent.get("action").and_then(Value::as_str);
    let action = action.unwrap_or_default().to_owned();
    let mut object = Map::new();
    for name in [
        "action",
        "resourceClass",
        "userIdentifier",
        "dynamicGroupIdentifier",
    ] {
        if let Some(value) = sent.remove(name) {
            object.insert(name.to_owned(), value);
        }
    }
    let identifier = sent.remove("resourceIdentifier");
    if let Some(identifier) = identifier.filter(|it| it.as_str() != Some(COLLECTION)) {
        object.insert("resourceIdentifier".to_owned(), identifier);
    }
    if let Some(group) = sent.remove("group") {
        let group = match group {
            Value::String(iri) => {
                let path = iri.strip_prefix(visit.shared.base_url.as_ref());
                let path = path.unwrap_or(&iri);
                Value::String(path.strip_prefix(GROUPS).unwrap_or(path).to_owned())
            }
            other => other,
        };
        object.insert("groupIdentifier".to_owned(), group);
    }
    let new = read_members::<NewGrant>(object, Operation::CreateGrant)?;
    let created = visit.shared.core.grants().create(&visit.caller, new).await;
    let view = created.map_err(|error| match error {
        Error::InvalidGrant(InvalidGrant::ActionUndefined) => {
            Refusal::from(error).naming(vec![action])
        }
        error => error.into(),
    })?;
    Ok(found(visit, StatusCode::CREATED, view))
}

pub(crate) async fn delete(visit: &Visit) -> Result<Response, Refusal> {
    let id: GrantId = visit.id(Error::GrantNotFound)?;
    let grants = visit.shared.core.grants();
    let deleted = grants.delete(&visit.caller, visit.expect(id)).await;
    visit.or_current_tag(deleted, get(visit)).await?;
    Ok(StatusCode::NO_CONTENT.into())
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct GrantedActions {
    resource_class: String,
    resource_identifier: String,
    actions: Vec<String>,
}

pub(crate) async fn granted_actions(visit: &Visit) -> Result<Response, Refusal> {
    let class = visit.subject();
    let identifier = visit.path.get("resourceIdentifier").unwrap_or_default();
    let resource = match (ResourceClass::new(class), identifier) {
        (Ok(class), COLLECTION) => Some(ResourceRef {
            class,
            identifier: None,
        }),
        (Ok(class), identifier) => {
            ResourceIdentifier::new(identifier)
                .ok()
                .map(|identifier| ResourceRef {
                    class,
                    identifier: Some(identifier),
                })
        }
        (Err(_), _) => None,
    };
    let actions = match resource {
        Some(resource) => {
            let resources = visit.shared.core.resources();
            resources.granted_actions(&visit.caller, &resource).await?
        }
        None => Actions::default(),
    };
    let (class_segment, segment) = (percent::encode(class), percent::encode(identifier));
    let granted = Item::new(
        format!("/authorization/granted-actions/{class_segment}/{segment}"),
        "AuthorizationGrantedActions",
        GrantedActions {
            resource_class: class.to_owned(),
            resource_identifier: identifier.to_owned(),
            actions: actions.iter().map(Action::to_string).collect(),
        },
    );
    Ok(item(StatusCode::OK, &visit.shared.base_url, granted, None))
}
