//! The idempotency key of a request, as a parameter of a handler.

use std::time::Duration;

use formalize_core::idempotency::KeyedRequest;
use formalize_http::failure::Refusal;
use formalize_http::request::KeyRetention;
use poem::{FromRequest, Request, RequestBody, Result};

/// The key of a request, which the middleware has read.
#[derive(Debug, Clone)]
pub struct Keyed {
    request: Option<KeyedRequest>,
    retention: Duration,
}

impl Keyed {
    /// The request with its key, if it has one.
    pub fn request(&self) -> Option<&KeyedRequest> {
        self.request.as_ref()
    }

    /// How long the keys in the body are remembered.
    pub fn retention(&self) -> Duration {
        self.retention
    }
}

impl<'a> FromRequest<'a> for Keyed {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> Result<Self> {
        let keyed = request.data::<Option<KeyedRequest>>().cloned();
        let keyed = keyed.zip(request.data::<KeyRetention>().copied());
        let keyed = keyed.map(|(request, KeyRetention(retention))| Self { request, retention });
        keyed.ok_or_else(|| {
            Refusal::unforeseen("the handler was called before the idempotency key was read").into()
        })
    }
}
