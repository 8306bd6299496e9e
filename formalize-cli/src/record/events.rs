//! The event log.

use formalize_core as core;
use formalize_views::{View, event::Event};
use serde::Serialize;

use super::date;
use crate::output::{Column, Fit, Record};

impl Record for Event {
    const COLUMNS: &'static [Column] = &[
        Column::new("position", "sequence", Fit::Whole),
        Column::new("time", "timestamp", Fit::Date),
        Column::new("type", "type", Fit::Whole),
        Column::new("data", "data", Fit::CutEnd),
    ];
    const FIELDS: &'static [&'static str] = Self::DECLARED;
    /// The record that it happened to is not printed.
    const OMITTED: &'static [&'static str] = &["item"];
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
    const COLUMNS: &'static [Column] = &[
        Column::new("name", "name", Fit::Key),
        Column::new("position", "position", Fit::Whole),
        Column::new("expired", "expired", Fit::Whole),
        Column::new("held until", "heldUntil", Fit::Date),
    ];
    const FIELDS: &'static [&'static str] = &["name", "position", "expired", "held_until"];
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
