//! The conditions of a request to change or delete an item, as a parameter of a handler.

use formalize_core::{Error, Expected, Revision};
use formalize_http::failure::Refusal;
use formalize_http::request::Conditions;
use poem::{FromRequest, Request, RequestBody, Result};

use formalize_views::json;

use super::Item;

/// The conditions of a request, which the middleware has validated.
#[derive(Debug, Clone)]
pub struct Expectation(Conditions);

impl Expectation {
    /// The item with this identifier, with the revisions that the conditions allow.
    pub fn of<I: Copy>(&self, id: I) -> Expected<I> {
        self.0.expect(id)
    }

    /// The outcome of a change. If the item is not in an expected revision, the refusal has its current tag, provided
    /// that the caller may read it.
    ///
    /// # Errors
    ///
    /// The refusal of the change.
    pub async fn or_current_tag<I: Item, T, V: Into<I>>(
        &self,
        outcome: Result<T, Error>,
        read: impl Future<Output = Result<V, Error>>,
    ) -> Result<T, Refusal> {
        match outcome {
            Err(Error::RevisionMismatch) => {
                let current: Option<I> = read.await.ok().map(Into::into);
                // A refusal does not wait until the change that it follows is committed. Until then, the item is read as
                // it was before.
                let current = current.filter(|item| {
                    let revision = item.revision().map(Revision::from_uuid);
                    !revision.is_some_and(|revision| self.0.allow(revision))
                });
                let tag = current.map(|item| item.tag(&json(&item)));
                Err(self.0.refusal(tag))
            }
            outcome => Ok(outcome?),
        }
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
