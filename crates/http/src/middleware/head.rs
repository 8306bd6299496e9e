//! Bounds the head of every response.
//!
//! Proxies refuse a head that does not fit into their buffer, and take a server that sends one for failed: a single client could
//! make them turn away everybody else. By default the buffer of nginx has 4 KiB.

use poem::{
    Response, Result,
    http::{HeaderMap, header},
};

use crate::{contract::Area, failure::Refusal};

/// The maximum size of all headers, in bytes. The status line, the id of the request and the headers of the connection take
/// less than 250 more.
const MAX_HEADERS: usize = 3_800;

/// Leaves `Link` out of a head that would be too large: the body has the same cursor. Other heads are never too large, because
/// whatever requests put into them is bounded.
///
/// # Errors
///
/// The error that it is given.
pub async fn bound_head(answer: Result<Response>) -> Result<Response> {
    let mut response = answer?;
    if size(response.headers()) > MAX_HEADERS {
        response.headers_mut().remove(header::LINK);
    }
    if size(response.headers()) > MAX_HEADERS {
        let refusal = Refusal::unforeseen("the head of the response is too large");
        return Ok(refusal.answer(None, Area::Formalize));
    }
    Ok(response)
}

/// The size of headers as HTTP/1.1 writes them.
fn size(headers: &HeaderMap) -> usize {
    let sizes = headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    sizes.sum()
}

#[cfg(test)]
mod tests {
    use poem::http::{HeaderValue, StatusCode};

    use super::*;

    async fn bounded(name: header::HeaderName, bytes: usize) -> Response {
        let mut response = Response::builder().status(StatusCode::OK).body("text");
        let value = HeaderValue::try_from("x".repeat(bytes)).unwrap();
        response.headers_mut().insert(name, value);
        bound_head(Ok(response)).await.unwrap()
    }

    #[tokio::test]
    async fn a_long_link_is_left_out() {
        let short = bounded(header::LINK, 3_700).await;
        assert!(short.headers().contains_key(header::LINK));
        let long = bounded(header::LINK, 3_800).await;
        assert_eq!((long.status(), long.headers().len()), (StatusCode::OK, 0));
    }

    #[tokio::test]
    async fn no_other_header_is_sent_if_it_is_too_long() {
        let kept = bounded(header::LOCATION, 3_700).await;
        assert_eq!(kept.status(), StatusCode::OK);
        let refused = bounded(header::LOCATION, 3_800).await;
        assert_eq!(refused.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert!(!refused.headers().contains_key(header::LOCATION));
    }
}
