//! The response to a change that is made once for each idempotency key.

use std::marker::PhantomData;

use formalize_core::idempotency::Once;
use formalize_http::failure::{Refusal, set};
use formalize_views::json;
use poem::{
    IntoResponse, Response,
    http::{StatusCode, header},
};
use poem_openapi::{
    ApiResponse,
    registry::{MetaResponses, Registry},
};
use serde::{Deserialize, Serialize};

use super::Item;
use super::{Accepted, Found, created::mark_repeated, reply::response};

/// A response with an item.
pub trait OfItem {
    /// The item.
    type Item: Item;
    /// The status of the response.
    const STATUS: StatusCode;
}

impl<T: Item> OfItem for Found<T> {
    type Item = T;
    const STATUS: StatusCode = StatusCode::OK;
}

impl<T: Item> OfItem for Accepted<T> {
    type Item = T;
    const STATUS: StatusCode = StatusCode::ACCEPTED;
}

/// The response `R`, which is the same if the request is sent again with its idempotency key.
pub struct Repeatable<R> {
    parts: RepeatedParts,
    is_repeated: bool,
    response: PhantomData<fn() -> R>,
}

/// The parts of the response, as they are kept for when the request is sent again.
#[derive(Serialize, Deserialize)]
struct RepeatedParts {
    tag: String,
    body: String,
}

impl RepeatedParts {
    fn of(item: &impl Item) -> Self {
        let body = json(item);
        Self {
            tag: item.tag(&body).to_string(),
            body,
        }
    }
}

impl<R: OfItem> Repeatable<R> {
    /// The response with this item, as it is kept.
    pub fn kept(item: &R::Item) -> String {
        json(&RepeatedParts::of(item))
    }

    /// The response to the request.
    ///
    /// # Errors
    ///
    /// If another version of this program has kept the response.
    pub fn once<V: Into<R::Item>>(outcome: Once<V>) -> Result<Self, Refusal> {
        let is_repeated = matches!(outcome, Once::Repeated(_));
        let parts = match outcome {
            Once::Done(item) => RepeatedParts::of(&item.into()),
            Once::Repeated(kept) => serde_json::from_str(&kept).map_err(Refusal::unforeseen)?,
        };
        Ok(Self {
            parts,
            is_repeated,
            response: PhantomData,
        })
    }
}

impl<R: OfItem> IntoResponse for Repeatable<R> {
    fn into_response(self) -> Response {
        let mut response = response(R::STATUS, self.parts.body);
        set(&mut response, header::ETAG, self.parts.tag);
        mark_repeated(&mut response, self.is_repeated);
        response
    }
}

impl<R: ApiResponse> ApiResponse for Repeatable<R> {
    fn meta() -> MetaResponses {
        R::meta()
    }

    fn register(registry: &mut Registry) {
        R::register(registry);
    }
}
