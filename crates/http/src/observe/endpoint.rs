//! Writes one log line for each request, however it ends.

use std::sync::Arc;

use poem::{Endpoint, Middleware, Request, Response, Result};
use tracing::{Instrument, Span};

use super::{Record, RequestId, Surface, metrics::RequestMetrics, spans};

/// The status in the log of a request without a response, because the client disconnected or the server stopped.
pub(super) const GONE: u16 = 499;

/// Assigns an id to every request, and reports how it ended.
#[derive(Debug, Clone, Default)]
pub struct Observe {
    metrics: Option<RequestMetrics>,
    surface: Surface,
}

impl Observe {
    /// Also counts requests in these metrics.
    #[must_use]
    pub fn counting(metrics: Option<RequestMetrics>) -> Self {
        Self {
            metrics,
            ..Self::default()
        }
    }

    /// Says which interface the requests are sent to.
    #[must_use]
    pub fn at(self, surface: Surface) -> Self {
        Self { surface, ..self }
    }
}

impl<E: Endpoint<Output = Response>> Middleware<E> for Observe {
    type Output = Observed<E>;

    fn transform(&self, endpoint: E) -> Self::Output {
        Observed {
            metrics: self.metrics.clone(),
            surface: self.surface,
            endpoint,
        }
    }
}

/// An endpoint whose requests are observed.
pub struct Observed<E> {
    metrics: Option<RequestMetrics>,
    surface: Surface,
    endpoint: E,
}

impl<E: Endpoint<Output = Response>> Endpoint for Observed<E> {
    type Output = Response;

    async fn call(&self, mut request: Request) -> Result<Response> {
        let record = Arc::new(Record::of(&request, self.surface));
        let trace = spans::begin(&record, request.headers());
        let mut ending = Ending::of(Arc::clone(&record), self.metrics.clone(), trace.clone());
        request.set_data(Arc::clone(&record));
        let span = tracing::info_span!("request", request_id = %record.id());
        let answer = self.endpoint.get_response(request);
        let mut response = answer.instrument(span).instrument(trace).await;
        ending.status = response.status().as_u16();
        if let Some(value) = record.id().header_value() {
            response.headers_mut().insert(RequestId::HEADER, value);
        }
        Ok(response)
    }
}

/// Reports how a request ended, even if the client has disconnected.
struct Ending {
    record: Arc<Record>,
    metrics: Option<RequestMetrics>,
    trace: Span,
    status: u16,
}

impl Ending {
    fn of(record: Arc<Record>, metrics: Option<RequestMetrics>, trace: Span) -> Self {
        if let Some(metrics) = &metrics {
            metrics.begins();
        }
        Self {
            record,
            metrics,
            trace,
            status: GONE,
        }
    }
}

/// Writes the line. It has its own log target, so that it can be enabled and disabled separately.
macro_rules! line {
    ($level:ident, $record:expr, $status:expr, $trace:expr) => {
        tracing::$level!(
            target: "formalize_server::request",
            method = $record.method(),
            route = $record.route(),
            status = $status,
            duration_us = u64::try_from($record.elapsed().as_micros()).unwrap_or(u64::MAX),
            caller = %$record.caller(),
            request_id = %$record.id(),
            trace_id = spans::trace_id($trace, $record),
            "answered"
        )
    };
}

impl Drop for Ending {
    fn drop(&mut self) {
        if let Some(metrics) = &self.metrics {
            metrics.ends(&self.record, self.status);
        }
        spans::end(&self.trace, &self.record, self.status);
        if self.record.is_health_check() {
            line!(debug, &self.record, self.status, &self.trace);
        } else {
            line!(info, &self.record, self.status, &self.trace);
        }
    }
}

#[cfg(test)]
mod tests {
    use poem::{EndpointExt, endpoint::make_sync};

    use super::*;

    #[tokio::test]
    async fn every_response_has_the_request_id() {
        let endpoint = make_sync(|_| Response::default()).with(Observe::default());
        let request = || Request::builder().header(RequestId::HEADER, "my.request-1");
        let response = endpoint.call(request().finish()).await.unwrap();
        assert_eq!(response.header(RequestId::HEADER), Some("my.request-1"));
        let response = endpoint.call(Request::default()).await.unwrap();
        assert!(response.header(RequestId::HEADER).is_some());
    }

    #[tokio::test]
    async fn a_cancelled_request_is_counted() {
        let metrics = RequestMetrics::default();
        let observe = Observe::counting(Some(metrics.clone()));
        let endpoint = poem::endpoint::make(|_| std::future::pending::<Result<Response>>());
        let endpoint = endpoint.with(observe);
        let mut request = Box::pin(endpoint.call(Request::default()));
        let timed_out =
            tokio::time::timeout(std::time::Duration::from_millis(10), &mut request).await;
        assert!(timed_out.is_err());
        let shown = || {
            let mut registry = prometheus_client::registry::Registry::default();
            metrics.register(&mut registry);
            let mut text = String::new();
            prometheus_client::encoding::text::encode(&mut text, &registry).unwrap();
            text
        };
        assert!(shown().contains("formalize_http_requests_in_flight 1"));
        drop(request);
        let text = shown();
        assert!(
            text.contains("formalize_http_requests_in_flight 0"),
            "{text}"
        );
        let line = r#"formalize_http_requests_total{method="GET",route="unmatched",status="499",surface="service"} 1"#;
        assert!(text.contains(line), "{text}");
    }
}
