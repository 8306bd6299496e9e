//! The spans in a request to a collector.

use data_encoding::HEXLOWER;
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{KeyValue, any_value::Value},
    trace::v1 as sent,
};
use prost::Message;

/// A span, with its identifiers in hexadecimal digits.
#[derive(Debug)]
pub(super) struct Span {
    pub(super) service: String,
    pub(super) trace: String,
    pub(super) id: String,
    pub(super) parent: String,
    pub(super) sent: sent::Span,
}

impl Span {
    /// An attribute as text; empty if it is missing.
    pub(super) fn text(&self, key: &str) -> String {
        text(&self.sent.attributes, key)
    }
}

/// The spans in the body of a request.
pub(super) fn spans(body: &[u8]) -> Vec<Span> {
    let request = ExportTraceServiceRequest::decode(body).unwrap();
    let mut spans = Vec::new();
    for of_resource in request.resource_spans {
        let resource = of_resource.resource.unwrap();
        let service = text(&resource.attributes, "service.name");
        let sent = of_resource.scope_spans.into_iter();
        spans.extend(sent.flat_map(|scope| scope.spans).map(|sent| Span {
            service: service.clone(),
            trace: HEXLOWER.encode(&sent.trace_id),
            id: HEXLOWER.encode(&sent.span_id),
            parent: HEXLOWER.encode(&sent.parent_span_id),
            sent,
        }));
    }
    spans
}

fn text(attributes: &[KeyValue], key: &str) -> String {
    let attribute = attributes.iter().find(|attribute| attribute.key == key);
    let value = attribute.and_then(|attribute| attribute.value.clone()?.value);
    match value {
        None => String::new(),
        Some(Value::StringValue(text)) => text,
        Some(Value::IntValue(number)) => number.to_string(),
        Some(other) => panic!("`{key}` is {other:?}"),
    }
}
