//! The responses of successful requests.

use formalize_core as core;
use poem::{
    IntoResponse, Response,
    http::{HeaderValue, StatusCode, header},
};
use poem_openapi::{
    ApiResponse,
    registry::{MetaHeader, MetaMediaType, MetaResponse, MetaResponses, MetaSchemaRef, Registry},
    types::{ParseFromJSON, ToJSON, Type},
};
use serde::Serialize;

use super::Query;
use crate::{
    contract::{
        Operation,
        parameter::{CURSOR, PAGE},
    },
    percent,
    wire::{self, Item, Located, json, page::Page},
};

const JSON: &str = "application/json; charset=utf-8";

/// Absolute URLs of the service.
#[derive(Debug, Clone)]
pub struct Links {
    base_url: String,
}

impl Links {
    /// Creates links with this base URL.
    pub fn new(base_url: &str) -> Self {
        Self {
            base_url: base_url.trim_end_matches('/').to_owned(),
        }
    }

    /// The URL of the documentation page.
    pub fn to_docs(&self) -> String {
        format!("{}{}", self.base_url, Operation::GetDocs.spec().path)
    }

    /// The URL of an item.
    fn to_item<T: Located>(&self, item: &T) -> String {
        let path = T::ROUTE
            .spec()
            .path
            .replace("{identifier}", &percent::encode(item.identifier().as_str()));
        format!("{}{path}", self.base_url)
    }

    /// The URL of the next page: the same parameters, with another cursor.
    fn to_next(&self, query: &Query, cursor: &str) -> String {
        let kept = query
            .pairs()
            .filter(|(name, _)| ![PAGE.name, CURSOR.name].contains(name));
        let pairs: Vec<String> = kept
            .chain([(CURSOR.name, cursor)])
            .map(|(name, value)| format!("{}={}", percent::encode(name), percent::encode(value)))
            .collect();
        format!(
            "{}{}?{}",
            self.base_url,
            query.operation.spec().path,
            pairs.join("&")
        )
    }
}

/// A requested item: 200.
pub struct Found<T>(pub T);

/// A created item: 201, with its URL.
pub struct Created<T> {
    item: T,
    location: String,
}

impl<T: Located> Created<T> {
    /// Creates the response with this item.
    pub fn new(item: T, links: &Links) -> Self {
        let location = links.to_item(&item);
        Self { item, location }
    }
}

/// A changed item: 200, or 204 if the caller may not read it.
pub struct Changed<T>(pub Option<T>);

/// A deletion: 204.
pub struct Deleted;

/// A page of a list: 200, with the URL of the next page.
pub struct Listed<T: ParseFromJSON + ToJSON + Type + Send + Sync> {
    page: Page<T>,
    next: Option<String>,
}

impl<T: ParseFromJSON + ToJSON + Type + Send + Sync> Listed<T> {
    /// Creates the response to a query.
    pub fn new<S: Into<T>>(page: core::Page<S>, query: &Query, links: &Links) -> Self {
        let next = page
            .next
            .as_deref()
            .map(|cursor| links.to_next(query, cursor));
        Self {
            page: Page::new(page, query),
            next,
        }
    }
}

fn response(status: StatusCode, body: String) -> Response {
    Response::builder()
        .status(status)
        .content_type(JSON)
        .body(body)
}

fn set(response: &mut Response, name: header::HeaderName, value: String) {
    if let Ok(value) = HeaderValue::try_from(value) {
        response.headers_mut().insert(name, value);
    }
}

/// The response with an item. Its tag is also stored as data of the response, for the conditional headers of the
/// request.
fn item_response<T: Item>(status: StatusCode, item: &T) -> Response {
    let body = json(item);
    let tag = wire::tag(item, &body);
    let mut response = response(status, body);
    set(&mut response, header::ETAG, tag.to_string());
    response.set_data(tag);
    response
}

impl<T: Item + Send> IntoResponse for Found<T> {
    fn into_response(self) -> Response {
        item_response(StatusCode::OK, &self.0)
    }
}

impl<T: Item + Send> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        let mut response = item_response(StatusCode::CREATED, &self.item);
        set(&mut response, header::LOCATION, self.location);
        response
    }
}

impl<T: Item + Send> IntoResponse for Changed<T> {
    fn into_response(self) -> Response {
        self.0.map_or_else(
            || Deleted.into_response(),
            |item| Found(item).into_response(),
        )
    }
}

impl IntoResponse for Deleted {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

impl<T> IntoResponse for Listed<T>
where
    T: ParseFromJSON + ToJSON + Type + Serialize + Send + Sync,
{
    fn into_response(self) -> Response {
        let mut response = response(StatusCode::OK, json(&self.page));
        if let Some(next) = self.next {
            set(
                &mut response,
                header::LINK,
                format!("<{next}>; rel=\"next\""),
            );
        }
        response
    }
}

/// The description of a response in the OpenAPI document.
fn meta(
    status: StatusCode,
    description: &'static str,
    schema: Option<MetaSchemaRef>,
    headers: &[(&str, &str)],
) -> MetaResponse {
    MetaResponse {
        description,
        status: Some(status.as_u16()),
        status_range: None,
        content: schema
            .into_iter()
            .map(|schema| MetaMediaType {
                content_type: JSON,
                schema,
            })
            .collect(),
        headers: headers
            .iter()
            .map(|(name, description)| MetaHeader {
                name: (*name).to_owned(),
                description: Some((*description).to_owned()),
                required: false,
                deprecated: false,
                schema: String::schema_ref(),
            })
            .collect(),
    }
}

const ETAG: (&str, &str) = (
    "ETag",
    "Identifies this state of the item as the caller sees it.",
);
const LOCATION: (&str, &str) = ("Location", "URL of the new item.");
const LINK: (&str, &str) = ("Link", "URL of the next page, with `rel=\"next\"`.");

impl<T: Item> ApiResponse for Found<T> {
    fn meta() -> MetaResponses {
        let found = meta(StatusCode::OK, "The item.", Some(T::schema_ref()), &[ETAG]);
        MetaResponses {
            responses: vec![found],
        }
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

impl<T: Item> ApiResponse for Created<T> {
    fn meta() -> MetaResponses {
        let created = meta(
            StatusCode::CREATED,
            "The new item.",
            Some(T::schema_ref()),
            &[ETAG, LOCATION],
        );
        MetaResponses {
            responses: vec![created],
        }
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

impl<T: Item> ApiResponse for Changed<T> {
    fn meta() -> MetaResponses {
        let changed = meta(
            StatusCode::OK,
            "The changed item.",
            Some(T::schema_ref()),
            &[ETAG],
        );
        let unseen = meta(
            StatusCode::NO_CONTENT,
            "Changed; the caller may not read the item.",
            None,
            &[],
        );
        MetaResponses {
            responses: vec![changed, unseen],
        }
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

impl ApiResponse for Deleted {
    fn meta() -> MetaResponses {
        MetaResponses {
            responses: vec![meta(StatusCode::NO_CONTENT, "Done.", None, &[])],
        }
    }

    fn register(_registry: &mut Registry) {}
}

impl<T: ParseFromJSON + ToJSON + Type + Send + Sync> ApiResponse for Listed<T> {
    fn meta() -> MetaResponses {
        let listed = meta(
            StatusCode::OK,
            "One page.",
            Some(Page::<T>::schema_ref()),
            &[LINK],
        );
        MetaResponses {
            responses: vec![listed],
        }
    }

    fn register(registry: &mut Registry) {
        Page::<T>::register(registry);
    }
}
