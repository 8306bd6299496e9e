//! Exports traces to an OpenTelemetry collector by OTLP over HTTP.
//!
//! Completed spans are queued, and a thread sends them every few seconds. If the collector is unavailable or too slow,
//! the queue fills up and further spans are dropped; requests never wait for it.

use std::{
    error::Error as StdError,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use async_trait::async_trait;
use opentelemetry::{
    KeyValue, SpanId, TraceFlags, TraceId,
    trace::{SpanContext, TraceContextExt, TraceState, TracerProvider},
};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::{Resource, trace::SdkTracerProvider};
use poem::http::HeaderMap;
use tokio::runtime::Handle;
use tracing::{Span, Subscriber, level_filters::LevelFilter};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::{Layer, filter::filter_fn, registry::LookupSpan};

use super::{TraceContext, spans};
use crate::config::OtlpEndpoint;

/// The target of the spans of transactions, which the library creates.
const STORE: &str = "formalize_core::store";

/// How long the collector may take to respond.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How long sending the last spans may take at shutdown.
const FAREWELL: Duration = Duration::from_secs(5);

/// Why traces cannot be sent.
pub(super) type TracesError = Box<dyn StdError + Send + Sync>;

/// The trace exporter.
#[derive(Debug)]
pub(super) struct Traces(SdkTracerProvider);

impl Traces {
    /// Exports to a collector, in tasks of the current runtime. OpenTelemetry's own variables (`OTEL_…`) set the
    /// sampling and the name of the service.
    ///
    /// # Errors
    ///
    /// If HTTPS is unavailable, or a variable of OpenTelemetry is invalid.
    pub(super) fn to(endpoint: &OtlpEndpoint) -> Result<Self, TracesError> {
        formalize_webhook_sender::use_ring();
        let client = ReqwestClient {
            http: reqwest::Client::builder().timeout(TIMEOUT).build()?,
            runtime: Handle::try_current()?,
            fails: AtomicBool::new(false),
        };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(client)
            .with_endpoint(endpoint.traces())
            .with_protocol(Protocol::HttpBinary)
            .build()?;
        let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        let mut resource = Resource::builder().with_attribute(version);
        if std::env::var_os("OTEL_SERVICE_NAME").is_none() {
            resource = resource.with_service_name("formalize");
        }
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource.build());
        Ok(Self(provider.build()))
    }

    /// The layer that collects the spans of requests and transactions, and no others.
    pub(super) fn layer<S>(&self) -> impl Layer<S> + Send + Sync + use<S>
    where
        S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
    {
        let wanted = filter_fn(|metadata| {
            metadata.is_span() && [spans::TARGET, STORE].contains(&metadata.target())
        });
        tracing_opentelemetry::layer()
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_level(false)
            .with_tracked_inactivity(false)
            .with_tracer(self.0.tracer("formalize"))
            .with_filter(wanted.with_max_level_hint(LevelFilter::TRACE))
    }

    /// Sends the remaining spans.
    pub(super) async fn finish(self) {
        let finished = tokio::task::spawn_blocking(move || self.0.shutdown_with_timeout(FAREWELL));
        match finished.await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "the last traces may be lost"),
            Err(error) => tracing::warn!(%error, "the last traces may be lost"),
        }
    }
}

/// Makes the span of a request a child of the client's span.
pub(super) fn adopt(span: &Span, context: Option<&TraceContext>, headers: &HeaderMap) {
    let Some(context) = context.filter(|_| !span.is_disabled()) else {
        return;
    };
    let (trace, parent, flags) = context.numbers();
    let state = headers
        .get("tracestate")
        .and_then(|state| state.to_str().ok());
    let state = state.and_then(|state| state.parse::<TraceState>().ok());
    let parent = SpanContext::new(
        TraceId::from_bytes(trace.to_be_bytes()),
        SpanId::from_bytes(parent.to_be_bytes()),
        TraceFlags::new(flags),
        true,
        state.unwrap_or_default(),
    );
    let parent = opentelemetry::Context::new().with_remote_span_context(parent);
    // It fails only for spans that are not collected.
    let _ = span.set_parent(parent);
}

/// Renames a span. Recording a name has no effect once a child span has started.
pub(super) fn rename(span: &Span, name: String) {
    span.context().span().update_name(name);
}

/// The id of the span's trace, if the span is collected.
pub(super) fn trace_id(span: &Span) -> Option<String> {
    if span.is_disabled() {
        return None;
    }
    let context = span.context();
    let trace = context.span().span_context().trace_id();
    (trace != TraceId::INVALID).then(|| trace.to_string())
}

/// Sends requests to the collector with `reqwest`, which the server already uses. The exporter's thread has no runtime,
/// so a task of the server sends the request.
#[derive(Debug)]
struct ReqwestClient {
    http: reqwest::Client,
    runtime: Handle,
    /// Whether the last attempt failed, so that a failure is logged once and not every few seconds.
    fails: AtomicBool,
}

#[async_trait]
impl HttpClient for ReqwestClient {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let sending = send(self.http.clone(), request);
        let sent = self.runtime.spawn(sending).await?;
        let outcome = match &sent {
            Ok(answer) if answer.status().is_success() => Ok(()),
            Ok(answer) => Err(format!("it responded with status {}", answer.status())),
            Err(error) => Err(crate::failure::chain(error.as_ref())),
        };
        let failed_before = self.fails.swap(outcome.is_err(), Ordering::Relaxed);
        match outcome {
            Err(cause) if !failed_before => {
                tracing::warn!(cause, "trace export failed");
            }
            Ok(()) if failed_before => tracing::info!("trace export works again"),
            _ => {}
        }
        sent
    }
}

async fn send(
    http: reqwest::Client,
    request: Request<Bytes>,
) -> Result<Response<Bytes>, HttpError> {
    let answer = http.execute(request.try_into()?).await?;
    let mut response = Response::new(Bytes::new());
    *response.status_mut() = answer.status();
    *response.headers_mut() = answer.headers().clone();
    *response.body_mut() = answer.bytes().await?;
    Ok(response)
}
