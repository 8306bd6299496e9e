//! The service as one endpoint.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use formalize_core::Formalize;
use hyper::body::Bytes;
use poem::{
    Endpoint, EndpointExt, IntoEndpoint, Response, Route,
    endpoint::{BoxEndpoint, make_sync},
    http::header,
    middleware::SetHeader,
};

use crate::{
    api::{self, Links},
    auth::{ApiTokens, Authenticate, Credentials, Issuers},
    life::Stopping,
    middleware::{AllowedOrigin, Cors, Farewell, Judge, RequestLimits},
    observe::{Observe, metrics::RequestMetrics},
    openapi::Document,
    rate::RateLimits,
};

/// The largest request body in bytes that is taken unless said otherwise.
pub const DEFAULT_BODY_LIMIT: usize = 4 * 1024 * 1024;
/// How long a request body may take to come unless said otherwise.
const DEFAULT_BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// The most items of a page unless said otherwise: as many as the interface allows.
const DEFAULT_PAGE_SIZE_LIMIT: u32 = 10_000;

/// Puts the endpoint of the service together.
pub struct App {
    formalize: Formalize,
    authenticate: Arc<dyn Authenticate>,
    base_url: String,
    limits: RequestLimits,
    rates: RateLimits,
    cors_allowed_origins: Vec<AllowedOrigin>,
    stopping: Stopping,
    metrics: Option<RequestMetrics>,
}

impl App {
    /// The service on this library, which knows callers by their API tokens.
    pub fn new(formalize: Formalize) -> Self {
        Self {
            authenticate: Arc::new(ApiTokens(formalize.clone())),
            formalize,
            base_url: String::new(),
            limits: RequestLimits {
                body: DEFAULT_BODY_LIMIT,
                body_timeout: DEFAULT_BODY_TIMEOUT,
                page_size: DEFAULT_PAGE_SIZE_LIMIT,
            },
            rates: RateLimits::default(),
            cors_allowed_origins: Vec::new(),
            stopping: Stopping::default(),
            metrics: None,
        }
    }

    /// Begins the addresses in `Location` and `Link` with this URL.
    #[must_use]
    pub fn base_url(mut self, base_url: impl Into<String>) -> Self {
        self.base_url = base_url.into();
        self
    }

    /// Refuses what is larger, or takes longer, than this.
    #[must_use]
    pub fn limits(mut self, limits: RequestLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Refuses more requests than this; without it, nobody makes too many.
    #[must_use]
    pub fn rate_limits(mut self, rates: RateLimits) -> Self {
        self.rates = rates;
        self
    }

    /// Lets pages of these origins use the service.
    #[must_use]
    pub fn cors_allowed_origins(mut self, origins: Vec<AllowedOrigin>) -> Self {
        self.cors_allowed_origins = origins;
        self
    }

    /// Prepares clients for the end once this says that it has begun.
    #[must_use]
    pub fn stopping(mut self, stopping: Stopping) -> Self {
        self.stopping = stopping;
        self
    }

    /// Counts requests here.
    #[must_use]
    pub fn metrics(mut self, metrics: RequestMetrics) -> Self {
        self.metrics = Some(metrics);
        self
    }

    /// Knows callers by the tokens of these issuers too.
    #[must_use]
    pub fn issuers(self, issuers: Issuers) -> Self {
        let api_tokens = ApiTokens(self.formalize.clone());
        self.authenticate(Arc::new(Credentials {
            api_tokens,
            issuers,
        }))
    }

    /// Knows callers in another way.
    #[must_use]
    pub fn authenticate(mut self, authenticate: Arc<dyn Authenticate>) -> Self {
        self.authenticate = authenticate;
        self
    }

    /// The endpoint.
    pub fn build(self) -> BoxEndpoint<'static, Response> {
        let links = Links::new(&self.base_url);
        let operations = api::operations(self.formalize, links, self.stopping.clone());
        let service = Document::service(operations);
        let document = Document::of(&service);
        Route::new()
            .at(
                "/openapi.json",
                text("application/json; charset=utf-8", document.to_json()),
            )
            .at("/docs", page(document))
            .nest_no_strip("/", service.into_endpoint())
            .with(Judge::new(self.authenticate, self.limits, self.rates))
            .with(Cors::new(&self.cors_allowed_origins))
            .with(Farewell(self.stopping))
            .with(Observe::counting(self.metrics))
            .boxed()
    }
}

/// What the documentation page may do: what is in it, and ask the service that it came from.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// An endpoint that always answers with the page of the document, which a browser keeps from fetching anything from elsewhere.
///
/// The page is made when somebody asks for it for the first time: it is large, and most servers are never asked.
fn page(document: Document) -> impl Endpoint<Output = Response> {
    let html = LazyLock::new(move || Bytes::from(document.to_html()));
    answer("text/html; charset=utf-8", move || html.clone())
        .with(SetHeader::new().overriding(header::CONTENT_SECURITY_POLICY, PAGE_POLICY))
}

/// An endpoint that always answers with the same text.
fn text(content_type: &'static str, text: String) -> impl Endpoint<Output = Response> {
    let text = Bytes::from(text);
    answer(content_type, move || text.clone())
}

fn answer(
    content_type: &'static str,
    body: impl Fn() -> Bytes + Send + Sync,
) -> impl Endpoint<Output = Response> {
    make_sync(move |_| Response::builder().content_type(content_type).body(body()))
}
