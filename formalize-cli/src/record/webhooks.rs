//! Webhooks and their deliveries.

use formalize_core::{
    self as core,
    webhooks::{AttemptError, WebhookDescription, WebhookSecret},
};
use serde::Serialize;

use super::date;
use crate::output::{Column, Fit, Record};

/// A webhook.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Webhook {
    identifier: String,
    form_identifier: Option<String>,
    url: String,
    description: Option<String>,
    event_types: Vec<&'static str>,
    payload: &'static str,
    enabled: bool,
    disabled_reason: Option<&'static str>,
    creator_id: String,
    date_created: String,
    date_last_success: Option<String>,
    date_last_failure: Option<String>,
    date_paused_until: Option<String>,
    /// The number of deliveries is known of single webhooks only.
    #[serde(skip_serializing_if = "Option::is_none")]
    num_pending: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_dead: Option<u64>,
    /// Only when it was just created or replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

impl Webhook {
    /// A new webhook has no deliveries.
    pub(crate) fn created(webhook: core::webhooks::Webhook) -> Self {
        Self {
            num_pending: Some(0),
            num_dead: Some(0),
            ..webhook.into()
        }
    }

    pub(crate) fn with_secret(self, secret: &WebhookSecret) -> Self {
        Self {
            secret: Some(secret.expose().to_owned()),
            ..self
        }
    }
}

impl Record for Webhook {
    const FIELDS: &'static [&'static str] = &[
        "identifier",
        "formIdentifier",
        "url",
        "description",
        "eventTypes",
        "payload",
        "enabled",
        "disabledReason",
        "creatorId",
        "dateCreated",
        "dateLastSuccess",
        "dateLastFailure",
        "datePausedUntil",
        "numPending",
        "numDead",
        "secret",
    ];
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
}

impl From<core::webhooks::Webhook> for Webhook {
    fn from(webhook: core::webhooks::Webhook) -> Self {
        let description = webhook.description.as_ref().map(WebhookDescription::as_str);
        Self {
            identifier: webhook.id.to_string(),
            form_identifier: webhook.form.map(|form| form.to_string()),
            url: webhook.url.as_str().to_owned(),
            description: description.map(str::to_owned),
            event_types: webhook
                .event_types
                .iter()
                .map(core::events::EventType::as_str)
                .collect(),
            payload: webhook.payload.as_str(),
            enabled: webhook.is_enabled(),
            disabled_reason: webhook.disabled.map(core::webhooks::DisabledReason::as_str),
            creator_id: webhook.creator.to_string(),
            date_created: webhook.date_created.to_string(),
            date_last_success: date(webhook.date_last_success),
            date_last_failure: date(webhook.date_last_failure),
            date_paused_until: date(webhook.paused_until),
            num_pending: None,
            num_dead: None,
            secret: None,
        }
    }
}

impl From<core::webhooks::WebhookView> for Webhook {
    fn from(view: core::webhooks::WebhookView) -> Self {
        Self {
            num_pending: Some(view.num_pending),
            num_dead: Some(view.num_dead),
            ..view.item.into()
        }
    }
}

/// An event on its way to a webhook.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Delivery {
    identifier: String,
    webhook_identifier: String,
    event_identifier: String,
    event_type: &'static str,
    submission_identifier: Option<String>,
    state: &'static str,
    num_attempts: i64,
    date_created: String,
    date_next_attempt: Option<String>,
    date_done: Option<String>,
    last_status: Option<u16>,
    last_error: Option<&'static str>,
}

impl Record for Delivery {
    const FIELDS: &'static [&'static str] = &[
        "identifier",
        "webhookIdentifier",
        "eventIdentifier",
        "eventType",
        "submissionIdentifier",
        "state",
        "numAttempts",
        "dateCreated",
        "dateNextAttempt",
        "dateDone",
        "lastStatus",
        "lastError",
    ];
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
}

impl From<core::webhooks::Delivery> for Delivery {
    fn from(delivery: core::webhooks::Delivery) -> Self {
        Self {
            identifier: delivery.id.to_string(),
            webhook_identifier: delivery.webhook.to_string(),
            event_identifier: delivery.event.to_string(),
            event_type: delivery.event_type.as_str(),
            submission_identifier: delivery.submission.map(|id| id.to_string()),
            state: delivery.state.as_str(),
            num_attempts: delivery.num_attempts,
            date_created: delivery.date_created.to_string(),
            date_next_attempt: date(delivery.date_next_attempt),
            date_done: date(delivery.date_done),
            last_status: delivery.last_status,
            last_error: delivery.last_error.map(AttemptError::as_str),
        }
    }
}

/// A delivery with its last attempts.
#[derive(Debug, Serialize)]
pub(crate) struct DeliveryWithAttempts {
    #[serde(flatten)]
    delivery: Delivery,
    attempts: Vec<Attempt>,
    body: Option<String>,
}

/// An attempt to send a delivery.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Attempt {
    date: String,
    status: Option<u16>,
    error: Option<&'static str>,
    duration_ms: u128,
}

impl Record for DeliveryWithAttempts {
    const FIELDS: &'static [&'static str] = &[
        "identifier",
        "webhookIdentifier",
        "eventIdentifier",
        "eventType",
        "submissionIdentifier",
        "state",
        "numAttempts",
        "dateCreated",
        "dateNextAttempt",
        "dateDone",
        "lastStatus",
        "lastError",
        "attempts",
        "body",
    ];
    const COLUMNS: &'static [Column] = Delivery::COLUMNS;
}

impl From<core::webhooks::DeliveryView> for DeliveryWithAttempts {
    fn from(view: core::webhooks::DeliveryView) -> Self {
        let attempts = view.attempts.into_iter().map(|attempt| Attempt {
            date: attempt.date.to_string(),
            status: attempt.status,
            error: attempt.error.map(AttemptError::as_str),
            duration_ms: attempt.duration.as_millis(),
        });
        Self {
            attempts: attempts.collect(),
            body: view.body,
            delivery: view.item.into(),
        }
    }
}

/// What became of a test.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebhookTest {
    status: Option<u16>,
    error: Option<&'static str>,
    duration_ms: u128,
}

impl Record for WebhookTest {
    const FIELDS: &'static [&'static str] = &["status", "error", "durationMs"];
    const COLUMNS: &'static [Column] = &[
        Column::new("status", "status", Fit::Whole),
        Column::new("error", "error", Fit::Whole),
        Column::new("milliseconds", "durationMs", Fit::Whole),
    ];
}

impl From<core::webhooks::TestOutcome> for WebhookTest {
    fn from(outcome: core::webhooks::TestOutcome) -> Self {
        Self {
            status: outcome.status,
            error: outcome.error.map(AttemptError::as_str),
            duration_ms: outcome.duration.as_millis(),
        }
    }
}
