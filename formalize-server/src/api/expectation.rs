//! The conditions of a request to change or delete an item, as a parameter of a handler.

use formalize_core::Expected;
use poem::{FromRequest, Request, RequestBody, Result};

use crate::{failure::Refusal, request::Conditions};

/// The conditions of a request, which the middleware has validated.
#[derive(Debug, Clone)]
pub struct Expectation(Conditions);

impl Expectation {
    /// The item with this identifier, with the revisions that the conditions allow.
    pub fn of<I: Copy>(&self, id: I) -> Expected<I> {
        self.0.expect(id)
    }
}

impl<'a> FromRequest<'a> for Expectation {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> Result<Self> {
        let conditions = request.data::<Conditions>().cloned();
        conditions.map(Self).ok_or_else(|| {
            Refusal::unforeseen("the handler was called without validated conditions").into()
        })
    }
}
