//! Headers that keep responses out of caches and from being interpreted as something else.

use poem::{
    Response, Result,
    http::{HeaderValue, header},
};

const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
const REVALIDATE: HeaderValue = HeaderValue::from_static("private, no-cache");

/// Adds the headers to a response. Responses depend on the caller, so shared caches must not store them. A client may
/// keep what has an entity tag, but must revalidate it.
///
/// # Errors
///
/// The error that it is given.
pub async fn protect(answer: Result<Response>) -> Result<Response> {
    let mut response = answer?;
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, NOSNIFF);
    if !headers.contains_key(header::CACHE_CONTROL) {
        let is_tagged = headers.contains_key(header::ETAG);
        headers.insert(
            header::CACHE_CONTROL,
            if is_tagged { REVALIDATE } else { NO_STORE },
        );
    }
    Ok(response)
}
