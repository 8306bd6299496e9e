//! The event log.

use formalize_core as core;
use serde::Serialize;
use serde_json::Value;

use super::date;
use crate::output::{Column, Fit, Record};

/// An event.
#[derive(Debug, Serialize)]
pub(crate) struct Event {
    identifier: String,
    sequence: i64,
    r#type: &'static str,
    timestamp: String,
    version: u32,
    data: Value,
}

impl Record for Event {
    const FIELDS: &'static [&'static str] = &[
        "identifier",
        "sequence",
        "type",
        "timestamp",
        "version",
        "data",
    ];
    const COLUMNS: &'static [Column] = &[
        Column::new("position", "sequence", Fit::Whole),
        Column::new("time", "timestamp", Fit::Date),
        Column::new("type", "type", Fit::Whole),
        Column::new("data", "data", Fit::CutEnd),
    ];
}

impl From<&core::events::Event> for Event {
    fn from(event: &core::events::Event) -> Self {
        Self {
            identifier: event.id.to_string(),
            sequence: event.sequence,
            r#type: event.event_type.as_str(),
            timestamp: event.timestamp.to_string(),
            version: core::events::Event::VERSION,
            data: event.data.to_json(),
        }
    }
}

/// A reader that keeps its place in the log.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EventSubscription {
    name: String,
    position: i64,
    expired: bool,
    held_until: Option<String>,
}

impl Record for EventSubscription {
    const FIELDS: &'static [&'static str] = &["name", "position", "expired", "heldUntil"];
    const COLUMNS: &'static [Column] = &[
        Column::new("name", "name", Fit::Key),
        Column::new("position", "position", Fit::Whole),
        Column::new("expired", "expired", Fit::Whole),
        Column::new("held until", "heldUntil", Fit::Date),
    ];
}

impl From<core::events::EventSubscription> for EventSubscription {
    fn from(subscription: core::events::EventSubscription) -> Self {
        Self {
            name: subscription.name,
            position: subscription.position,
            expired: subscription.is_of_earlier_epoch,
            held_until: date(subscription.held_until),
        }
    }
}
