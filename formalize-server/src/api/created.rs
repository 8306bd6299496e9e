//! The response to a request that created something, or that is sent again.

use std::{marker::PhantomData, sync::Arc};

use formalize_core::{Caller, Field, idempotency::Once, submissions::BatchOutcome};
use formalize_http::failure::{Brief, Large, Refusal, set};
use formalize_http::rate::Reservation;
use formalize_views::json;
use poem::{
    IntoResponse, Response,
    http::{HeaderName, StatusCode, header},
};
use poem_openapi::{
    ApiResponse,
    registry::{MetaResponses, Registry},
    types::Type,
};
use serde::{Deserialize, Serialize};

use super::batch_results::BatchResults;
use super::{
    Context, Links,
    reply::{ETAG, Header, response, responses},
};
use super::{Item, Located};

const LOCATION: Header = ("Location", "URL of the new item.");

/// A created item: 201, with its URL.
pub struct Created<T> {
    parts: CreatedParts,
    /// Whether this is the response to an earlier request with the same idempotency key.
    is_repeated: bool,
    item: PhantomData<fn() -> T>,
}

/// The parts of the response with a created item, as they are kept for when the request is sent again.
#[derive(Serialize, Deserialize)]
struct CreatedParts {
    location: String,
    tag: String,
    body: String,
}

/// A text of a request that is also in its response. It is not kept: a repeated request contains it again.
pub struct SentText {
    /// The member of both bodies.
    member: Field,
    json: Option<String>,
}

impl SentText {
    /// The text of a member of a request.
    pub fn new(member: Field, text: Option<&str>) -> Self {
        Self {
            member,
            json: text.map(|text| json(&text)),
        }
    }

    /// A request without such a text.
    pub fn none() -> Self {
        Self::new(Field::Name, None)
    }

    /// Replaces the member `from` one JSON to another one. A text cannot contain the same, because its quotes are escaped.
    fn replace(&self, body: &str, from: &str, to: &str) -> String {
        let member = |json| format!("\"{}\":{json}", self.member);
        body.replacen(&member(from), &member(to), 1)
    }

    fn remove_from(&self, body: &str) -> String {
        let json = self.json.as_deref();
        json.map_or_else(|| body.to_owned(), |json| self.replace(body, json, "null"))
    }

    fn put_into(&self, body: &str) -> String {
        let json = self.json.as_deref();
        json.map_or_else(|| body.to_owned(), |json| self.replace(body, "null", json))
    }
}

impl<T: Located> Created<T> {
    /// Creates the response with this item.
    pub fn new(item: &T, links: &Links) -> Self {
        let body = json(item);
        let parts = CreatedParts {
            location: links.to_item(item),
            tag: item.tag(&body).to_string(),
            body,
        };
        Self {
            parts,
            is_repeated: false,
            item: PhantomData,
        }
    }

    /// Creates the response with the item of a view.
    pub fn of<V: Clone + Into<T>>(view: &V, links: &Links) -> Self {
        Self::new(&view.clone().into(), links)
    }

    /// The response as it is kept.
    pub fn kept(mut self, sent: &SentText) -> String {
        self.parts.body = sent.remove_from(&self.parts.body);
        json(&self.parts)
    }

    /// The response to a request with an idempotency key.
    ///
    /// # Errors
    ///
    /// If another version of this program has kept the response.
    pub fn once<V: Into<T>>(
        outcome: Once<V>,
        sent: &SentText,
        links: &Links,
    ) -> Result<Self, Refusal> {
        let kept = match outcome {
            Once::Done(view) => return Ok(Self::new(&view.into(), links)),
            Once::Repeated(kept) => kept,
        };
        let mut parts: CreatedParts = serde_json::from_str(&kept).map_err(Refusal::unforeseen)?;
        parts.body = sent.put_into(&parts.body);
        Ok(Self {
            parts,
            is_repeated: true,
            item: PhantomData,
        })
    }
}

/// The results of a batch: 200.
pub struct CreatedBatch {
    body: String,
    /// What is sent if there is no memory for the reasons of refusals.
    brief: Option<Brief>,
    is_repeated: bool,
    /// The memory of a large response, which was reserved before the batch was created.
    reserved: Option<Arc<Reservation>>,
}

/// The size of a result in a response, roughly.
const RESULT: usize = 160;

impl CreatedBatch {
    /// Reserves memory for a response with this number of results.
    ///
    /// # Errors
    ///
    /// A refusal if too much memory is in use.
    pub fn reserve(
        context: &Context,
        caller: &Caller,
        results: usize,
    ) -> Result<Option<Arc<Reservation>>, Refusal> {
        let reserved = context.reserve(caller, RESULT * results)?;
        Ok(reserved.map(Arc::new))
    }

    /// The response as it is kept.
    pub fn kept(outcomes: &[BatchOutcome]) -> String {
        json(&BatchResults::of(outcomes))
    }

    /// The response to a request.
    pub fn once(outcome: Once<Vec<BatchOutcome>>, reserved: Option<Arc<Reservation>>) -> Self {
        let results = match outcome {
            Once::Done(outcomes) => BatchResults::from(outcomes),
            Once::Repeated(kept) => {
                return Self {
                    body: kept,
                    brief: None,
                    is_repeated: true,
                    reserved,
                };
            }
        };
        let (mut body, mut reserved, mut brief) = (json(&results), reserved, None);
        // What was done is not reported as failed, so the reasons of refusals are left out instead.
        if Large::is(body.len()) {
            let shorter = json(&results.without_details());
            match reserved.as_mut().and_then(Arc::get_mut) {
                Some(reserved) => {
                    if !reserved.resize(body.len()) {
                        body = shorter;
                    }
                }
                None => brief = Some(Brief(shorter)),
            }
        }
        Self {
            body,
            brief,
            is_repeated: false,
            reserved,
        }
    }
}

impl IntoResponse for CreatedBatch {
    fn into_response(self) -> Response {
        let mut response = response(StatusCode::OK, self.body);
        if let Some(reserved) = self.reserved {
            response.set_data(reserved);
        }
        if let Some(brief) = self.brief {
            response.set_data(brief);
        }
        mark_repeated(&mut response, self.is_repeated);
        response
    }
}

impl ApiResponse for CreatedBatch {
    fn meta() -> MetaResponses {
        let results = Some(BatchResults::schema_ref());
        let done = "The results. Those of a batch that is not atomic can all be errors.";
        responses([(StatusCode::OK, done, results, &[])])
    }

    fn register(registry: &mut Registry) {
        BatchResults::register(registry);
    }
}

/// Tells whether this is the response to an earlier request with the same idempotency key.
pub(super) fn mark_repeated(response: &mut Response, is_repeated: bool) {
    if is_repeated {
        let name = HeaderName::from_static("idempotent-replayed");
        set(response, name, "true".to_owned());
    }
}

impl<T: Item + Send> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        let CreatedParts {
            location,
            tag,
            body,
        } = self.parts;
        let mut response = response(StatusCode::CREATED, body);
        set(&mut response, header::ETAG, tag);
        set(&mut response, header::LOCATION, location);
        mark_repeated(&mut response, self.is_repeated);
        response
    }
}

impl<T: Item> ApiResponse for Created<T> {
    fn meta() -> MetaResponses {
        let (item, headers) = (Some(T::schema_ref()), [ETAG, LOCATION]);
        responses([(StatusCode::CREATED, "The new item.", item, &headers)])
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}
