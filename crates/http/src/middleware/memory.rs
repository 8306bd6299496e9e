//! Counts the memory of large responses until they are sent.

use std::sync::Arc;

use hyper::body::Bytes;
use poem::{
    Body, Response,
    http::{StatusCode, header},
};

use super::upload::BodyMemory;
use crate::{
    contract::{Area, Verb},
    failure::{Brief, Large, Refusal},
    rate::{Holder, Reservation, ResponsesBudget},
};

/// Makes a large response keep its memory reserved until its last byte is sent or the connection ends. `request` is the
/// memory of the request body.
///
/// Nothing that was already done is reported as failed. A created item is about as large as the request, so its response
/// uses the memory of that. If there is no memory for a changed item, the response is 204, which tells clients of the
/// success as well. A response that can be [brief](Brief), such as a refusal, is.
///
/// # Errors
///
/// A refusal if too much memory is in use.
pub(super) async fn count(
    response: Response,
    verb: Verb,
    holder: Option<&Holder>,
    request: &mut Option<BodyMemory>,
    budget: &ResponsesBudget,
) -> Result<Response, Refusal> {
    let Some(Large { bytes }) = response.data::<Large>().copied() else {
        return Ok(response);
    };
    if response.status() == StatusCode::NOT_MODIFIED {
        // Its body is gone already.
        return Ok(response);
    }
    if let Some(reserved) = response.data::<Arc<Reservation>>().map(Arc::clone) {
        return keep(response, reserved).await;
    }
    if response.status() == StatusCode::CREATED {
        return keep(response, request.take()).await;
    }
    match budget.reserve(holder, bytes) {
        Some(reserved) => keep(response, reserved).await,
        None if response.data::<Brief>().is_some() => Ok(in_brief(response)),
        None if response.status().is_client_error() || response.status().is_server_error() => {
            Err(Refusal::no_memory_for_response())
        }
        None if matches!(verb, Verb::Get | Verb::Post) => Err(Refusal::no_memory_for_response()),
        None => Ok(without_body(response)),
    }
}

/// The same for a refusal, which is sent in any case.
pub(super) async fn count_refusal(
    response: Response,
    holder: Option<&Holder>,
    budget: &ResponsesBudget,
) -> Response {
    let counted = count(response, Verb::Get, holder, &mut None, budget).await;
    counted.unwrap_or_else(|refusal| refusal.answer(None, Area::Formalize))
}

/// A response that keeps something until its body is dropped.
async fn keep<T: Send + 'static>(mut response: Response, kept: T) -> Result<Response, Refusal> {
    let body = response.take_body().into_bytes().await;
    let body = body.map_err(Refusal::unforeseen)?;
    let owner = Owner { body, _kept: kept };
    response.set_body(Body::from_bytes(Bytes::from_owner(owner)));
    Ok(response)
}

struct Owner<T> {
    body: Bytes,
    _kept: T,
}

impl<T> AsRef<[u8]> for Owner<T> {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

fn in_brief(mut response: Response) -> Response {
    if let Some(Brief(text)) = response.data::<Brief>().cloned() {
        // Pages are compressed.
        response.headers_mut().remove(header::CONTENT_ENCODING);
        response.set_body(text);
    }
    response
}

fn without_body(mut response: Response) -> Response {
    drop(response.take_body());
    response.headers_mut().remove(header::CONTENT_TYPE);
    response.set_status(StatusCode::NO_CONTENT);
    response
}

#[cfg(test)]
mod tests {
    use formalize_core::internals::admission::Quota;

    use super::*;

    const BYTES: usize = 100_000;

    fn large() -> Response {
        let mut response = Response::builder()
            .content_type("application/json")
            .body("x".repeat(BYTES));
        Large::mark(&mut response, BYTES);
        response
    }

    async fn counted(response: Response, verb: Verb, budget: &ResponsesBudget) -> Option<Response> {
        count(response, verb, None, &mut None, budget).await.ok()
    }

    #[tokio::test]
    async fn memory_is_reserved_until_the_body_is_dropped() {
        let budget = ResponsesBudget::new(4 * BYTES);
        let first = counted(large(), Verb::Get, &budget).await.unwrap();
        assert!(counted(large(), Verb::Get, &budget).await.is_none());
        let small = Response::builder().body("x".repeat(64 << 10));
        assert!(counted(small, Verb::Get, &budget).await.is_some());
        let body = first.into_body().into_bytes().await.unwrap();
        assert_eq!(body.len(), BYTES);
        assert!(counted(large(), Verb::Get, &budget).await.is_none());
        drop(body);
        assert!(counted(large(), Verb::Get, &budget).await.is_some());
    }

    #[tokio::test]
    async fn changes_are_never_reported_as_failed() {
        let budget = ResponsesBudget::new(4 * BYTES);
        let whole = counted(large(), Verb::Patch, &budget).await.unwrap();
        assert_eq!(whole.status(), StatusCode::OK);
        let other = counted(large(), Verb::Patch, &budget).await.unwrap();
        assert_eq!(other.status(), StatusCode::NO_CONTENT);
        assert_eq!(other.header(header::CONTENT_TYPE), None);
        assert_eq!(other.into_body().into_vec().await.unwrap(), b"");

        let bodies = Quota::default();
        let mut request = Some(bodies.take([()], [1], 1).unwrap());
        let mut created = large();
        created.set_status(StatusCode::CREATED);
        let created = count(created, Verb::Post, None, &mut request, &budget).await;
        let created = created.unwrap();
        drop(request);
        assert_eq!(bodies.used(&()), 1);
        let body = created.into_body().into_bytes().await.unwrap();
        assert_eq!(body.len(), BYTES);
        drop(body);
        assert_eq!(bodies.used(&()), 0);
    }

    #[tokio::test]
    async fn a_refusal_is_sent_without_its_details() {
        let budget = ResponsesBudget::new(4 * BYTES);
        let _held = counted(large(), Verb::Get, &budget).await.unwrap();
        for verb in [Verb::Get, Verb::Post, Verb::Patch, Verb::Delete] {
            let mut refusal = large();
            refusal.set_status(StatusCode::UNPROCESSABLE_ENTITY);
            refusal.set_data(Brief("{}".to_owned()));
            let refusal = counted(refusal, verb, &budget).await.unwrap();
            assert_eq!(refusal.status(), StatusCode::UNPROCESSABLE_ENTITY);
            assert_eq!(
                refusal.header(header::CONTENT_TYPE),
                Some("application/json")
            );
            assert_eq!(refusal.into_body().into_vec().await.unwrap(), b"{}");
        }
    }

    #[tokio::test]
    async fn the_memory_of_a_page_is_not_reserved_twice() {
        let budget = ResponsesBudget::new(4 * BYTES);
        let mut page = large();
        page.set_data(Arc::new(budget.reserve(None, BYTES).unwrap()));
        assert!(counted(page, Verb::Get, &budget).await.is_some());
    }
}
