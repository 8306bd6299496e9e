//! The idempotency key of a request, as a parameter of a handler.

use formalize_core::KeyedRequest;
use poem::{FromRequest, Request, RequestBody, Result};

use crate::failure::Refusal;

/// The key of a request, which the middleware has read.
#[derive(Debug, Clone)]
pub struct Keyed(Option<KeyedRequest>);

impl Keyed {
    /// The request with its key, if it has one.
    pub fn request(&self) -> Option<&KeyedRequest> {
        self.0.as_ref()
    }
}

impl<'a> FromRequest<'a> for Keyed {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> Result<Self> {
        let keyed = request.data::<Option<KeyedRequest>>().cloned();
        keyed.map(Self).ok_or_else(|| {
            Refusal::unforeseen("the handler was called before the idempotency key was read").into()
        })
    }
}
