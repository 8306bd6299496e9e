//! Webhooks and their deliveries.

use formalize_core::webhooks::DeliveryView;
use formalize_views::{
    View,
    webhook::{Delivery, Webhook, WebhookTest},
};
use serde::Serialize;

use crate::output::{Column, Fit, Record};

impl Record for Webhook {
    const COLUMNS: &'static [Column] = &[
        Column::new("identifier", "identifier", Fit::Key),
        Column::new("url", "url", Fit::CutEnd),
        Column::new("enabled", "enabled", Fit::Whole),
        Column::new("reason", "disabledReason", Fit::Whole),
        Column::new("last success", "dateLastSuccess", Fit::Date),
        Column::new("last failure", "dateLastFailure", Fit::Date),
        Column::new("paused until", "datePausedUntil", Fit::Date),
        Column::new("form", "formIdentifier", Fit::Whole),
        Column::new("description", "description", Fit::CutEnd),
    ];
    const FIELDS: &'static [&'static str] = Self::DECLARED;
}

impl Record for Delivery {
    const COLUMNS: &'static [Column] = &[
        Column::new("identifier", "identifier", Fit::Key),
        Column::new("type", "eventType", Fit::Whole),
        Column::new("state", "state", Fit::Whole),
        Column::new("attempts", "numAttempts", Fit::Whole),
        Column::new("status", "lastStatus", Fit::Whole),
        Column::new("error", "lastError", Fit::Whole),
        Column::new("created", "dateCreated", Fit::Date),
        Column::new("next attempt", "dateNextAttempt", Fit::Date),
    ];
    const FIELDS: &'static [&'static str] = Self::DECLARED;
    /// Deliveries in lists do not have them.
    const OMITTED: &'static [&'static str] = &["attempts", "body"];
}

/// A delivery with its last attempts.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct DeliveryWithAttempts(Delivery);

impl Record for DeliveryWithAttempts {
    const COLUMNS: &'static [Column] = Delivery::COLUMNS;
    const FIELDS: &'static [&'static str] = Delivery::DECLARED;
}

impl From<DeliveryView> for DeliveryWithAttempts {
    fn from(view: DeliveryView) -> Self {
        Self(view.into())
    }
}

impl Record for WebhookTest {
    const COLUMNS: &'static [Column] = &[
        Column::new("status", "status", Fit::Whole),
        Column::new("error", "error", Fit::Whole),
        Column::new("milliseconds", "durationMs", Fit::Whole),
    ];
    const FIELDS: &'static [&'static str] = Self::DECLARED;
}
