//! Repeats requests whose connection to the database was lost, so that a change of the primary server fails none.
//!
//! A handler calls one use case, whose transaction is the last thing that it does. So a request that lost the connection
//! before a commit has changed nothing, and can be performed again from the start.

use std::time::Duration;

use formalize_core::{Error, Formalize, KeyedRequest, Retries, StoreError};
use poem::{Endpoint, Request, Response, Result};

use crate::failure::Refusal;

/// Calls an endpoint with a request whose body is in memory.
///
/// # Errors
///
/// That of the last call, or if the body cannot be read.
pub async fn call<E: Endpoint<Output = Response>>(
    endpoint: &E,
    formalize: &Formalize,
    mut request: Request,
) -> Result<Response> {
    if formalize.retry_time().is_zero() {
        return endpoint.call(request).await;
    }
    let body = request.take_body().into_bytes().await?;
    let mut retries = formalize.retries();
    loop {
        let mut attempt = copy(&request);
        attempt.set_body(body.clone());
        let answer = endpoint.call(attempt).await;
        let pause = match &answer {
            Ok(_) => None,
            Err(error) => {
                let refusal = error.downcast_ref::<Refusal>();
                let keyed = request.data::<Option<KeyedRequest>>();
                let is_repeatable = keyed.is_some_and(Option::is_some);
                refusal.and_then(|refusal| pause(&mut retries, refusal, is_repeatable))
            }
        };
        match pause {
            Some(pause) => tokio::time::sleep(pause).await,
            None => return answer,
        }
    }
}

/// Calls something that only reads, or commits nothing before it fails.
///
/// # Errors
///
/// That of the last call.
pub async fn retrying<T, E, F>(formalize: &Formalize, work: impl Fn() -> F) -> Result<T, E>
where
    E: StoreCause,
    F: Future<Output = Result<T, E>>,
{
    let mut retries = formalize.retries();
    loop {
        let done = work().await;
        let error = done.as_ref().err().and_then(E::store_error);
        match error.and_then(|error| retries.next(error)) {
            Some(pause) => tokio::time::sleep(pause).await,
            None => return done,
        }
    }
}

/// An error that an error of the store may have caused.
pub trait StoreCause {
    /// The error of the store, if there is one.
    fn store_error(&self) -> Option<&StoreError>;
}

impl StoreCause for Error {
    fn store_error(&self) -> Option<&StoreError> {
        match self {
            Self::Store(error) => Some(error),
            _ => None,
        }
    }
}

impl StoreCause for Refusal {
    fn store_error(&self) -> Option<&StoreError> {
        self.cause()?.downcast_ref()
    }
}

/// A request with the same head and data.
fn copy(request: &Request) -> Request {
    let mut copy = Request::builder()
        .method(request.method().clone())
        .uri(request.uri().clone())
        .version(request.version())
        .finish();
    copy.headers_mut().clone_from(request.headers());
    copy.extensions_mut().clone_from(request.extensions());
    copy
}

fn pause(retries: &mut Retries<'_>, refusal: &Refusal, is_repeatable: bool) -> Option<Duration> {
    let error = refusal.store_error()?;
    if is_repeatable {
        retries.next_of_repeatable(error)
    } else {
        retries.next(error)
    }
}
