//! The span of a request, for tracing.
//!
//! Its level is below that of logs, so it is created only if traces are collected. Names follow the conventions of
//! OpenTelemetry.

use poem::http::HeaderMap;
use tracing::{Span, field::Empty};

use super::{Record, endpoint::GONE};

/// The target of the spans of requests.
pub(super) const TARGET: &str = "formalize_server::trace";

/// The span of a new request, within the client's trace.
pub(super) fn begin(record: &Record, headers: &HeaderMap) -> Span {
    let span = tracing::trace_span!(
        target: TARGET,
        "request",
        otel.kind = "server",
        otel.name = record.method(),
        otel.status_code = Empty,
        http.request.method = record.method(),
        http.route = Empty,
        http.response.status_code = Empty,
        error.type = Empty,
        formalize.request_id = %record.id(),
    );
    #[cfg(feature = "otlp")]
    super::otlp::adopt(&span, record.trace(), headers);
    #[cfg(not(feature = "otlp"))]
    let _ = headers;
    span
}

/// Records how a request ended.
pub(super) fn end(span: &Span, record: &Record, status: u16) {
    if span.is_disabled() {
        return;
    }
    let (method, route) = (record.method(), record.route());
    #[cfg(feature = "otlp")]
    super::otlp::rename(span, format!("{method} {route}"));
    #[cfg(not(feature = "otlp"))]
    let _ = method;
    span.record("http.route", route);
    if status == GONE {
        span.record("error.type", "gone");
        return;
    }
    span.record("http.response.status_code", status);
    if status >= 500 {
        span.record("error.type", status.to_string());
        span.record("otel.status_code", "ERROR");
    }
}

/// The trace id of a request, in 32 hexadecimal digits: that of the client, or a new one.
pub(super) fn trace_id(span: &Span, record: &Record) -> Option<String> {
    let sent = record.trace().map(super::TraceContext::trace_id);
    #[cfg(feature = "otlp")]
    let sent = sent.or_else(|| super::otlp::trace_id(span));
    #[cfg(not(feature = "otlp"))]
    let _ = span;
    sent
}
