//! The subset of Protocol Buffers that is needed to read spans sent to a collector, with the field numbers of
//! `opentelemetry/proto`.

use std::collections::BTreeMap;
use std::fmt::Write;

/// A span.
#[derive(Debug)]
pub(super) struct Span {
    pub(super) service: String,
    pub(super) trace: String,
    pub(super) id: String,
    pub(super) parent: String,
    pub(super) state: String,
    pub(super) name: String,
    pub(super) kind: u64,
    /// In nanoseconds.
    pub(super) began: u64,
    pub(super) ended: u64,
    attributes: BTreeMap<String, String>,
}

impl Span {
    /// An attribute as text; empty if it is missing.
    pub(super) fn text(&self, key: &str) -> &str {
        self.attributes.get(key).map_or("", String::as_str)
    }
}

/// The spans of an `ExportTraceServiceRequest`.
pub(super) fn spans(body: &[u8]) -> Vec<Span> {
    let mut spans = Vec::new();
    for resource_spans in messages(body, 1) {
        let resource = messages(resource_spans, 1).next().unwrap();
        let service = attributes(resource, 1).remove("service.name").unwrap();
        for scope_spans in messages(resource_spans, 2) {
            spans.extend(messages(scope_spans, 2).map(|message| span(message, &service)));
        }
    }
    spans
}

fn span(message: &[u8], service: &str) -> Span {
    Span {
        service: service.to_owned(),
        trace: hex(bytes(message, 1)),
        id: hex(bytes(message, 2)),
        state: text(message, 3),
        parent: hex(bytes(message, 4)),
        name: text(message, 5),
        kind: number(message, 6),
        began: number(message, 7),
        ended: number(message, 8),
        attributes: attributes(message, 9),
    }
}

/// A list of keys and values, as text.
fn attributes(message: &[u8], field: u64) -> BTreeMap<String, String> {
    let pairs = messages(message, field).map(|pair| {
        let value = bytes(pair, 2);
        let shown = fields(value)
            .into_iter()
            .next()
            .map(|(_, value)| match value {
                Value::Number(number) => number.to_string(),
                Value::Bytes(bytes) => String::from_utf8(bytes.to_owned()).unwrap(),
            });
        (text(pair, 1), shown.unwrap_or_default())
    });
    pairs.collect()
}

enum Value<'m> {
    Number(u64),
    Bytes(&'m [u8]),
}

fn fields(mut message: &[u8]) -> Vec<(u64, Value<'_>)> {
    let mut fields = Vec::new();
    while !message.is_empty() {
        let key = varint(&mut message);
        let value = match key & 7 {
            0 => Value::Number(varint(&mut message)),
            1 => Value::Number(u64::from_le_bytes(
                take(&mut message, 8).try_into().unwrap(),
            )),
            2 => {
                let length = varint(&mut message).try_into().unwrap();
                Value::Bytes(take(&mut message, length))
            }
            5 => {
                let bytes = take(&mut message, 4).try_into().unwrap();
                Value::Number(u32::from_le_bytes(bytes).into())
            }
            kind => panic!("a field of kind {kind}"),
        };
        fields.push((key >> 3, value));
    }
    fields
}

fn varint(message: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = take(message, 1)[0];
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    number
}

fn take<'m>(message: &mut &'m [u8], length: usize) -> &'m [u8] {
    let (taken, rest) = message.split_at(length);
    *message = rest;
    taken
}

fn messages(message: &[u8], field: u64) -> impl Iterator<Item = &[u8]> {
    let fields = fields(message).into_iter();
    fields.filter_map(move |(number, value)| match value {
        Value::Bytes(bytes) if number == field => Some(bytes),
        _ => None,
    })
}

fn bytes(message: &[u8], field: u64) -> &[u8] {
    messages(message, field).next().unwrap_or_default()
}

fn text(message: &[u8], field: u64) -> String {
    String::from_utf8(bytes(message, field).to_owned()).unwrap()
}

fn number(message: &[u8], field: u64) -> u64 {
    let fields = fields(message).into_iter();
    let mut found = fields.filter_map(|(number, value)| match value {
        Value::Number(value) if number == field => Some(value),
        _ => None,
    });
    found.next().unwrap_or_default()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}
