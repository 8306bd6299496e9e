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
use poem_openapi::OpenApi;

use crate::{
    api::{self, Links},
    auth::{ApiTokens, Authenticate, Credentials, Issuers},
    middleware::{AllowedOrigin, CloseOnShutdown, Cors, RequestGuard, RequestLimits},
    observe::{Observe, metrics::RequestMetrics},
    openapi::{Description, Document},
    rate::RateLimits,
    readiness::Stopping,
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
        let operations =
            || api::operations(self.formalize.clone(), links.clone(), self.stopping.clone());
        let description = description(operations());
        let page = Arc::clone(&description);
        let service = Document::service(operations());
        Route::new()
            .at("/openapi.json", make_sync(move |_| document(&description)))
            .at("/docs", documentation(page))
            .nest_no_strip("/", service.into_endpoint())
            .with(RequestGuard::new(
                self.authenticate,
                self.limits,
                self.rates,
            ))
            .with(Cors::new(&self.cors_allowed_origins))
            .with(CloseOnShutdown(self.stopping))
            .with(Observe::counting(self.metrics))
            .boxed()
    }
}

/// What the documentation page may do: what is in it, and ask the service that it came from.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What the service says of itself, made when somebody asks for it: few servers are ever asked, and it takes memory.
type LazyDescription = Arc<LazyLock<Description, Box<dyn FnOnce() -> Description + Send>>>;

fn description<T: OpenApi + Send + 'static>(operations: T) -> LazyDescription {
    let describe = || Description::of(&Document::service(operations));
    Arc::new(LazyLock::new(Box::new(describe)))
}

/// Answers with the document of the service.
fn document(description: &LazyDescription) -> Response {
    text("application/json; charset=utf-8", description.document())
}

/// An endpoint that answers with the documentation page, which a browser keeps from fetching anything from elsewhere.
fn documentation(description: LazyDescription) -> impl Endpoint<Output = Response> {
    let policy = SetHeader::new().overriding(header::CONTENT_SECURITY_POLICY, PAGE_POLICY);
    make_sync(move |_| text("text/html; charset=utf-8", description.page())).with(policy)
}

fn text(content_type: &'static str, text: Bytes) -> Response {
    Response::builder().content_type(content_type).body(text)
}
