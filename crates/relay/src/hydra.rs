//! JSON-LD as the client reads it: contexts, items, and the views of collections.

use std::sync::Arc;

use formalize_core::Revision;
use formalize_http::failure::{Large, set};
use formalize_http::tag::EntityTag;
use formalize_views::json;
use poem::{
    Response,
    http::{StatusCode, header},
};
use serde::Serialize;

use crate::request::Target;

/// The media type of responses.
pub(crate) const LD_JSON: &str = "application/ld+json; charset=utf-8";

/// What the members of items mean.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Context {
    #[serde(rename = "@vocab")]
    vocabulary: String,
    hydra: &'static str,
}

impl Context {
    /// The context of a service with this base URL.
    pub(crate) fn at(base_url: &str) -> Self {
        Self {
            vocabulary: format!("{base_url}/docs.jsonld#"),
            hydra: "http://www.w3.org/ns/hydra/core#",
        }
    }
}

/// An item. Elements of collections have no context.
#[derive(Debug, Serialize)]
pub(crate) struct Item<T> {
    #[serde(rename = "@context", skip_serializing_if = "Option::is_none")]
    pub(crate) context: Option<Context>,
    #[serde(rename = "@id")]
    pub(crate) id: String,
    #[serde(rename = "@type")]
    pub(crate) kind: &'static str,
    #[serde(flatten)]
    pub(crate) members: T,
}

impl<T> Item<T> {
    /// An element with this path, of this kind.
    pub(crate) fn new(id: String, kind: &'static str, members: T) -> Self {
        Self {
            context: None,
            id,
            kind,
            members,
        }
    }
}

/// The response with an item that is at this path.
pub(crate) fn item<T: Serialize>(
    status: StatusCode,
    base_url: &Arc<str>,
    element: Item<T>,
    revision: Option<Revision>,
) -> Response {
    let element = Item {
        context: Some(Context::at(base_url)),
        ..element
    };
    let body = json(&element);
    let tag = EntityTag::new(revision.map(Revision::as_uuid), &body);
    let mut response = response(status, body);
    set(&mut response, header::ETAG, tag.to_string());
    if status == StatusCode::CREATED {
        set(&mut response, header::LOCATION, element.id);
    }
    response.set_data(tag);
    response
}

/// What is sent in place of a changed item if there is no memory for it.
#[derive(Debug, Clone)]
pub(crate) struct Receipt(pub(crate) String);

/// The response to a change: the item if the caller may read it, or else a receipt.
pub(crate) fn changed_item<T: Serialize>(
    base_url: &Arc<str>,
    shown: Option<Response>,
    receipt: Item<T>,
) -> Response {
    let receipt = json(&Item {
        context: Some(Context::at(base_url)),
        ..receipt
    });
    match shown {
        Some(mut shown) => {
            shown.set_data(Receipt(receipt));
            shown
        }
        None => response(StatusCode::OK, receipt),
    }
}

/// A response with this body.
pub(crate) fn response(status: StatusCode, body: String) -> Response {
    let bytes = body.len();
    let mut response = Response::builder()
        .status(status)
        .content_type(LD_JSON)
        .body(body);
    Large::mark(&mut response, bytes);
    response
}

/// The beginning of a collection, up to its elements.
pub(crate) fn head(base_url: &str, target: &Target) -> String {
    let (context, path) = (json(&Context::at(base_url)), json(&target.path));
    format!(
        "{{\"@context\":{context},\"@id\":{path},\"@type\":\"hydra:Collection\",\"hydra:member\":["
    )
}

#[derive(Serialize)]
struct View {
    #[serde(rename = "@id")]
    id: String,
    #[serde(rename = "@type")]
    kind: &'static str,
    #[serde(rename = "hydra:previous", skip_serializing_if = "Option::is_none")]
    previous: Option<String>,
    #[serde(rename = "hydra:next", skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// The end of a collection, behind its elements.
pub(crate) fn tail(target: &Target, page: u64, has_more: bool) -> String {
    let view = View {
        id: target.with_page(page),
        kind: "hydra:PartialCollectionView",
        previous: (page > 1).then(|| target.with_page(page - 1)),
        next: has_more.then(|| target.with_page(page + 1)),
    };
    format!("],\"hydra:view\":{}}}", json(&view))
}
