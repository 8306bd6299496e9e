//! CORS (Fetch standard) for web pages of other origins.
//!
//! Only configured origins get the headers that let a page read the response. Requests from other origins are handled
//! as usual, but without these headers: non-browser clients and pages of the service's own origin send `Origin` too.

use std::sync::Arc;

use poem::{
    Endpoint, Middleware, Request, Response, Result,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
};

use super::upload::Upload;
use crate::config::AllowedOrigin;

/// The methods of the interface.
const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, POST, PATCH, DELETE");
/// The request headers that a page may send in addition to the safelisted ones.
const REQUEST_HEADERS: HeaderValue = HeaderValue::from_static(
    "Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Last-Event-ID, Range, \
     X-Request-Id",
);
/// The response headers that a page may read in addition to the safelisted ones.
const EXPOSED_HEADERS: HeaderValue = HeaderValue::from_static(
    "Accept-Ranges, Content-Disposition, Content-Range, ETag, Idempotent-Replayed, Link, Location, RateLimit, RateLimit-Policy, \
     Repr-Digest, Retry-After, X-Request-Id",
);
/// How long a browser may cache a preflight, in seconds.
const MAX_AGE: HeaderValue = HeaderValue::from_static("600");

/// Adds CORS headers to every response for an allowed origin, and handles preflights.
#[derive(Clone)]
pub struct Cors(Arc<[AllowedOrigin]>);

impl Cors {
    /// Allows these origins.
    pub fn new(origins: &[AllowedOrigin]) -> Self {
        Self(origins.into())
    }

    /// The value of `Access-Control-Allow-Origin`; `None` if the request has no allowed origin.
    fn allowed(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let origin = headers.get(header::ORIGIN)?;
        self.0.iter().find_map(|allowed| match allowed {
            AllowedOrigin::Any => Some(HeaderValue::from_static("*")),
            AllowedOrigin::Exactly(named) => (origin == named.as_str()).then(|| origin.clone()),
        })
    }
}

impl<E: Endpoint<Output = Response>> Middleware<E> for Cors {
    type Output = WithCors<E>;

    fn transform(&self, endpoint: E) -> Self::Output {
        WithCors {
            cors: self.clone(),
            endpoint,
        }
    }
}

/// An endpoint with CORS headers.
pub struct WithCors<E> {
    cors: Cors,
    endpoint: E,
}

impl<E: Endpoint<Output = Response>> Endpoint for WithCors<E> {
    type Output = Response;

    async fn call(&self, mut request: Request) -> Result<Response> {
        let allowed = self.cors.allowed(request.headers());
        let is_preflight = *request.method() == Method::OPTIONS
            && request
                .headers()
                .contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        let mut response = match &allowed {
            Some(_) if is_preflight => {
                let body = Upload::of(&mut request);
                let mut response = preflight();
                body.finish(&mut response).await;
                response
            }
            _ => self.endpoint.call(request).await?,
        };
        let headers = response.headers_mut();
        if let Some(origin) = allowed {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_HEADERS);
        }
        if !self.cors.0.is_empty() {
            // Prevents caches from serving the response for one origin to another.
            headers.append(header::VARY, HeaderValue::from_static("Origin"));
        }
        Ok(response)
    }
}

/// The response to a preflight, which browsers send without credentials before the actual request.
fn preflight() -> Response {
    let headers: [(HeaderName, HeaderValue); 3] = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, METHODS),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS),
        (header::ACCESS_CONTROL_MAX_AGE, MAX_AGE),
    ];
    let mut response = Response::builder().status(StatusCode::NO_CONTENT).finish();
    response.headers_mut().extend(headers);
    response
}

#[cfg(test)]
mod tests {
    use poem::{EndpointExt, endpoint::make_sync};

    use super::*;

    async fn answer(origins: &[&str], method: Method, origin: &str) -> Response {
        let origins: Vec<AllowedOrigin> = origins
            .iter()
            .map(|origin| origin.parse().unwrap())
            .collect();
        let refusing = make_sync(|_| {
            Response::builder()
                .status(StatusCode::UNAUTHORIZED)
                .finish()
        });
        let request = Request::builder()
            .method(method)
            .header(header::ORIGIN, origin)
            .header(header::ACCESS_CONTROL_REQUEST_METHOD, "POST")
            .finish();
        refusing
            .with(Cors::new(&origins))
            .call(request)
            .await
            .unwrap()
    }

    fn allowed(response: &Response) -> Option<&str> {
        response.header(header::ACCESS_CONTROL_ALLOW_ORIGIN)
    }

    #[tokio::test]
    async fn allowed_origins_may_read_every_response() {
        let named = ["https://a.example", "https://b.example"];
        let response = answer(&named, Method::GET, "https://b.example").await;
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
        assert_eq!(allowed(&response), Some("https://b.example"));
        let exposed = response.header(header::ACCESS_CONTROL_EXPOSE_HEADERS);
        assert_eq!(
            exposed,
            Some(
                "Accept-Ranges, Content-Disposition, Content-Range, ETag, Idempotent-Replayed, Link, Location, RateLimit, \
                 RateLimit-Policy, Repr-Digest, Retry-After, X-Request-Id"
            )
        );
        assert_eq!(response.header(header::VARY), Some("Origin"));
        let everyone = answer(&["*"], Method::GET, "https://c.example").await;
        assert_eq!(allowed(&everyone), Some("*"));
    }

    #[tokio::test]
    async fn other_origins_get_no_cors_headers() {
        for origin in [
            "https://c.example",
            "https://a.example.org",
            "http://a.example",
            "null",
        ] {
            let response = answer(&["https://a.example"], Method::GET, origin).await;
            assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{origin}");
            assert_eq!(allowed(&response), None, "{origin}");
        }
        let response = answer(&[], Method::GET, "https://a.example").await;
        assert_eq!(allowed(&response), None);
        assert_eq!(response.header(header::VARY), None);
    }

    #[tokio::test]
    async fn preflights_need_no_token() {
        let response = answer(&["https://a.example"], Method::OPTIONS, "https://a.example").await;
        assert_eq!(response.status(), StatusCode::NO_CONTENT);
        assert_eq!(allowed(&response), Some("https://a.example"));
        let methods = response.header(header::ACCESS_CONTROL_ALLOW_METHODS);
        assert!(methods.unwrap().contains("PATCH"));
        let headers = response.header(header::ACCESS_CONTROL_ALLOW_HEADERS);
        for header in ["Authorization", "If-Match", "If-None-Match"] {
            assert!(headers.unwrap().contains(header), "{header}");
        }
        let refused = answer(&["https://a.example"], Method::OPTIONS, "https://c.example").await;
        assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
    }
}
