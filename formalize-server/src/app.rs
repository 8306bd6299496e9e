//! The HTTP endpoint of the service.

use std::{collections::HashMap, sync::Arc, time::Duration};

use formalize_core::{Caller, Error, Formalize, offload, webhooks::WebhookTransport};
use formalize_http::auth::{ApiTokens, Authenticate, Credentials, Issuers};
use formalize_http::config::{AllowedOrigin, DirectorySettings};
use formalize_http::contract::{ErrorKey, Operation};
use formalize_http::exports::Exports;
use formalize_http::failure::Refusal;
use formalize_http::middleware::{
    CloseOnShutdown, Cors, Intake, RequestGuard, RequestLimits, Streamed, UploadLimits, bound_head,
    protect,
};
use formalize_http::observe::metrics::RequestMetrics;
use formalize_http::observe::{Observe, Surface};
use formalize_http::rate::{RateLimits, ResponsesBudget};
use formalize_http::readiness::Stopping;
use formalize_pages::{PageSetup, Pages};
use formalize_relay::Relay;
use formalize_webhook_sender::NoWebhookTransport;
use poem::{
    Endpoint, EndpointExt, Request, Response, Result,
    endpoint::BoxEndpoint,
    http::{HeaderValue, StatusCode, header},
};
use poem_openapi::OpenApi;
use tokio::sync::OnceCell;

use crate::api::{self, Context, Links};
use crate::feed::Streams;
use crate::openapi::{Document, Published, Text};

/// The default timeout for receiving a request body.
const DEFAULT_BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// The default budget of all large request bodies, in bytes.
const DEFAULT_BODIES_BUDGET: usize = 256 << 20;
/// The default budget of all large responses, in bytes.
const DEFAULT_RESPONSES_BUDGET: usize = 256 << 20;
/// The default maximum page size, which is the maximum of the interface.
const DEFAULT_PAGE_SIZE_LIMIT: u32 = 10_000;
const DEFAULT_KEY_RETENTION: Duration = Duration::from_hours(24);

/// Methods that set a field of the same name.
macro_rules! setters {
    ($($(#[$doc:meta])+ $field:ident: $type:ty,)+) => {$(
        $(#[$doc])+
        #[must_use]
        pub fn $field(self, $field: $type) -> Self {
            Self { $field, ..self }
        }
    )+};
}

/// Builds the endpoint of the service.
pub struct App {
    formalize: Formalize,
    authenticate: Arc<dyn Authenticate>,
    base_url: String,
    limits: RequestLimits,
    rate_limits: RateLimits,
    cors_allowed_origins: Vec<AllowedOrigin>,
    stopping: Stopping,
    metrics: Option<RequestMetrics>,
    pages: Option<PageSetup>,
    issuers: Option<Arc<Issuers>>,
    exports: Exports,
    streams: Streams,
    transport: Arc<dyn WebhookTransport>,
    uploads: UploadLimits,
    relay: Option<String>,
    directory: DirectorySettings,
}

/// The endpoints of a service, which share everything that limits requests.
pub struct Endpoints {
    /// The REST interface, and pages.
    pub service: BoxEndpoint<'static, Response>,
    /// The interface for the Relay web client, if there is one.
    pub relay: Option<BoxEndpoint<'static, Response>>,
}

impl App {
    /// Creates a builder for this library; callers are authenticated by their API tokens.
    pub fn new(formalize: Formalize) -> Self {
        Self {
            authenticate: Arc::new(ApiTokens(formalize.clone())),
            formalize,
            base_url: String::new(),
            limits: RequestLimits {
                body: RequestLimits::DEFAULT_BODY,
                body_timeout: DEFAULT_BODY_TIMEOUT,
                bodies: DEFAULT_BODIES_BUDGET,
                responses: DEFAULT_RESPONSES_BUDGET,
                page_size: DEFAULT_PAGE_SIZE_LIMIT,
                key_retention: DEFAULT_KEY_RETENTION,
            },
            rate_limits: RateLimits::default(),
            cors_allowed_origins: Vec::new(),
            stopping: Stopping::default(),
            metrics: None,
            pages: None,
            issuers: None,
            exports: Exports::default(),
            streams: Streams::default(),
            transport: Arc::new(NoWebhookTransport),
            uploads: UploadLimits::default(),
            relay: None,
            directory: DirectorySettings::default(),
        }
    }

    setters! {
        /// Sets the limits of requests.
        limits: RequestLimits,
        /// Sets the rate limits; the default is unlimited.
        rate_limits: RateLimits,
        /// Allows web pages of these origins to use the service.
        cors_allowed_origins: Vec<AllowedOrigin>,
        /// Closes connections after their response once this reports a shutdown.
        stopping: Stopping,
        /// Replaces the authentication of callers.
        authenticate: Arc<dyn Authenticate>,
        /// Sets the limits of exports.
        exports: Exports,
        /// Sets the limits of requests that send files.
        uploads: UploadLimits,
        /// Sets the limits of streams of events.
        streams: Streams,
        /// Sends tests of webhooks with this; without it they fail.
        transport: Arc<dyn WebhookTransport>,
        /// Sets the names that the Relay web client shows; without them, people have their identifiers as names.
        directory: DirectorySettings,
    }

    /// Sets the base of the URLs in `Location` and `Link`.
    #[must_use]
    pub fn base_url(mut self, base_url: impl Into<String>) -> Self {
        self.base_url = base_url.into();
        self
    }

    /// Counts requests in these metrics.
    #[must_use]
    pub fn metrics(mut self, metrics: RequestMetrics) -> Self {
        self.metrics = Some(metrics);
        self
    }

    /// Also accepts tokens of these issuers, and lets people sign in to pages with those that have a client identifier.
    #[must_use]
    pub fn issuers(mut self, issuers: Issuers) -> Self {
        let issuers = Arc::new(issuers);
        self.issuers = Some(Arc::clone(&issuers));
        let api_tokens = ApiTokens(self.formalize.clone());
        self.authenticate(Arc::new(Credentials {
            api_tokens,
            issuers,
        }))
    }

    /// Serves web pages, too.
    #[must_use]
    pub fn pages(mut self, setup: PageSetup) -> Self {
        self.pages = Some(setup);
        self
    }

    /// Also serves the interface for the Relay web client, under this URL.
    #[must_use]
    pub fn relay(mut self, base_url: impl Into<String>) -> Self {
        self.relay = Some(base_url.into());
        self
    }

    /// Builds the endpoint of the REST interface.
    pub fn build(self) -> BoxEndpoint<'static, Response> {
        self.build_all().service
    }

    /// Builds all endpoints.
    pub fn build_all(self) -> Endpoints {
        let links = Links::new(&self.base_url);
        let docs = links.to_docs();
        let (formalize, stopping) = (self.formalize, self.stopping.clone());
        let responses = ResponsesBudget::new(self.limits.responses);
        let turns = formalize.clone();
        let rates = Arc::new(self.rate_limits);
        let intake = Intake::new(self.limits, Arc::clone(&rates), responses.clone());
        let intake = Arc::new(intake.with_uploads(self.uploads));
        let of_relay = formalize.clone();
        let pages = Pages::new(
            &formalize,
            &self.base_url,
            self.pages,
            self.issuers,
            Arc::clone(&intake),
            self.exports.clone(),
            Arc::clone(&self.transport),
        );
        let context = Context {
            core: formalize,
            links,
            rates,
            responses: responses.clone(),
            exports: self.exports,
            streams: self.streams.stopping(stopping.clone()),
            authenticate: Arc::clone(&self.authenticate),
            transport: self.transport,
        };
        let operations = move || api::operations(context.clone(), stopping.clone());
        let endpoints = endpoints(operations());
        let publish = move || Published::new(&Document::service(operations()));
        let guarded = Service {
            endpoints,
            publish: Arc::new(publish),
            published: OnceCell::new(),
            docs,
        }
        .around(move |endpoint, request| {
            let turns = turns.clone();
            async move {
                let _turn = match request.data::<Caller>() {
                    // One whose body is read while it arrives may take long.
                    Some(caller) if request.data::<Streamed>().is_none() => {
                        Some(turns.turn(caller).await)
                    }
                    _ => None,
                };
                endpoint.call(request).await
            }
        })
        .with(RequestGuard::new(
            Arc::clone(&self.authenticate),
            Arc::clone(&intake),
        ));
        let guarded = Arc::new(guarded);
        let cors = Cors::new(&self.cors_allowed_origins);
        let closing = CloseOnShutdown(self.stopping);
        let observe = Observe::counting(self.metrics);
        let relay = self.relay.map(|base_url| {
            let probes = Arc::clone(&guarded);
            Relay::new(
                of_relay,
                &base_url,
                self.authenticate,
                intake,
                self.directory,
                probes,
            )
            .with(cors.clone())
            .with(closing.clone())
            .after(protect)
            .after(bound_head)
            .with(observe.clone().at(Surface::Relay))
            .boxed()
        });
        let service = guarded
            .with(cors)
            .with(pages)
            .with(closing)
            .after(protect)
            .after(bound_head)
            .with(observe)
            .boxed();
        Endpoints { service, relay }
    }
}

/// The content security policy of the documentation page: it may run its inline scripts and call its own origin.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The operations and their documentation, which is generated on the first request for it.
struct Service {
    endpoints: HashMap<Operation, BoxEndpoint<'static>>,
    publish: Arc<dyn Fn() -> Published + Send + Sync>,
    published: OnceCell<Published>,
    /// The URL of the documentation page.
    docs: String,
}

impl Endpoint for Service {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        match request.data::<Operation>() {
            Some(Operation::GetRoot) => Ok(self.redirect_to_docs()),
            Some(Operation::GetDocument) => {
                let document = &self.published().await?.document;
                Ok(document.response(request.headers()))
            }
            Some(Operation::GetDocs) => {
                let page = &self.published().await?.page;
                Ok(guarded(page, &request))
            }
            Some(operation) => match self.endpoints.get(operation) {
                Some(endpoint) => endpoint.call(request).await,
                None => Err(Refusal::unforeseen("the operation has no handler").into()),
            },
            None => Err(Refusal::is(ErrorKey::RouteNotFound).into()),
        }
    }
}

impl Service {
    fn redirect_to_docs(&self) -> Response {
        Response::builder()
            .status(StatusCode::TEMPORARY_REDIRECT)
            .header(header::LOCATION, &self.docs)
            .finish()
    }

    async fn published(&self) -> Result<&Published, Refusal> {
        let publish = || async {
            let publish = Arc::clone(&self.publish);
            offload(move || publish()).await.map_err(Error::from)
        };
        Ok(self.published.get_or_try_init(publish).await?)
    }
}

/// The handlers by operation. Requests are routed by the table of operations, so the router of poem is not needed.
fn endpoints(operations: impl OpenApi) -> HashMap<Operation, BoxEndpoint<'static>> {
    let mut by_path = HashMap::new();
    operations.add_routes(&mut by_path);
    let handler = |operation: &Operation| {
        let spec = operation.spec();
        let methods = by_path.get_mut(&numbered(spec.path))?;
        let endpoint = methods.remove(&spec.verb.method())?;
        Some((*operation, endpoint))
    };
    Operation::ALL.iter().filter_map(handler).collect()
}

/// Converts a path to poem's syntax, in which parameters are numbered.
fn numbered(path: &str) -> String {
    let mut count = 0;
    let segments = path.split('/').map(|segment| {
        if !segment.starts_with('{') {
            return segment.to_owned();
        }
        count += 1;
        format!(":param{}", count - 1)
    });
    segments.collect::<Vec<_>>().join("/")
}

/// The documentation page with a content security policy that forbids loading anything from other origins.
fn guarded(page: &Text, request: &Request) -> Response {
    let mut response = page.response(request.headers());
    let policy = HeaderValue::from_static(PAGE_POLICY);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}

#[cfg(test)]
mod tests {
    use formalize_core::store::memory::MemoryStore;

    use super::*;

    #[tokio::test]
    async fn every_operation_has_a_handler() {
        let formalize = Formalize::builder(Arc::new(MemoryStore::new()));
        let formalize = formalize.build().await.unwrap();
        let context = Context::without_server(formalize);
        let operations = api::operations(context, Stopping::default());
        let endpoints = endpoints(operations);
        let of_service = [
            Operation::GetRoot,
            Operation::GetDocument,
            Operation::GetDocs,
        ];
        for operation in Operation::ALL {
            let is_handled = endpoints.contains_key(operation) || of_service.contains(operation);
            assert!(is_handled, "{operation:?}");
        }
    }
}
