//! The conditions of a request to change or delete an item, as a parameter of a handler.

use formalize_core::{Error, Expected};
use poem::{FromRequest, Request, RequestBody, Result};

use crate::{
    failure::Refusal,
    request::Conditions,
    wire::{Item, json, tag},
};

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

/// The outcome of a change. If the item is not in an expected revision, the refusal has its current tag, provided that
/// the caller may read it.
///
/// # Errors
///
/// The refusal of the change.
pub async fn or_current_tag<I: Item, T, V: Into<I>>(
    outcome: Result<T, Error>,
    read: impl Future<Output = Result<V, Error>>,
) -> Result<T, Refusal> {
    match outcome {
        Err(Error::RevisionMismatch) => {
            let current: Option<I> = read.await.ok().map(Into::into);
            let tag = current.map(|item| tag(&item, &json(&item)));
            Err(Refusal::precondition_failed(tag))
        }
        outcome => Ok(outcome?),
    }
}
