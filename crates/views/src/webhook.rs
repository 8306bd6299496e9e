//! Webhooks and their deliveries.

use std::time::Duration;

use formalize_core::{
    self as core, Field, FormId, InvalidFields, SubmissionId, Timestamp,
    events::EventType,
    webhooks::{
        DeliveryId, MAX_OVERLAP, NewWebhook as New, Payload, Resend, WebhookDescription,
        WebhookEvents, WebhookSecret, WebhookUrl,
    },
};
#[cfg(feature = "openapi")]
use poem_openapi::registry::{MetaSchema, Registry};
use serde_json::Number;

use crate::{
    BodyField, Id, Instant, Members, OrNull, RequestBody,
    request::{Clearable, LIGHT, Nullable, Optional, Replaceable, Required, request_body},
    value_types::{self as values, MAX_RESENT, whole},
    view::view,
};

/// A webhook to create, whose URL is not parsed yet: the service knows which targets are allowed.
pub struct WebhookToCreate {
    /// The URL.
    pub url: String,
    webhook: Box<dyn FnOnce(WebhookUrl) -> New + Send>,
}

impl WebhookToCreate {
    /// The webhook with its parsed URL.
    pub fn with(self, url: WebhookUrl) -> New {
        (self.webhook)(url)
    }
}

request_body! {
    "A webhook to create."
    NewWebhook as "NewWebhook" {
        form: Required<values::Identifier> = FormIdentifier,
            "Identifier of the form.";
        url: Required<values::HookUrl> = Url,
            "Where events are sent: `https://`, up to 2048 characters, no user name, no fragment, and a host on the public \
             internet, unless an operator allows others.";
        description: Nullable<values::HookDescription> = Description,
            "What the webhook is for: 1 to 256 characters, no control characters.";
        event_types: Optional<values::EventTypes> = EventTypes,
            "The events that are sent; default: all that are possible.";
        payload: Optional<values::HookPayload> = Payload,
            "`full` (default): with the submission as it was at the event; `thin`: only identifiers.";
        enabled: Optional<values::Flag> = Enabled,
            "Whether events are sent; default: true.";
        secret: Optional<values::HookSecret> = Secret,
            "Secret that signs requests: `whsec_` and the base64 of 24 to 64 bytes; default: a random one.";
    }
    light up to LIGHT;
    build(self, members) -> WebhookToCreate {
        let description = members.accept_some(self.description.map(WebhookDescription::new));
        let event_types = members.accept_some(self.event_types.map(|names| events(&names)));
        let payload = members.accept_some(self.payload.map(|word| payload(&word)));
        let secret = members.accept_some(self.secret.map(WebhookSecret::new));
        let (form, enabled) = (FormId::named(&self.form?), self.enabled.unwrap_or(true));
        Some(WebhookToCreate {
            url: self.url?,
            webhook: Box::new(move |url| New {
                description,
                event_types,
                payload: payload.unwrap_or_default(),
                enabled,
                secret,
                ..New::of(form, url)
            }),
        })
    }
}

/// A change of a webhook, whose URL is not parsed yet.
#[derive(Debug)]
pub struct ChangeOfWebhook {
    /// The new URL.
    pub url: Option<String>,
    /// The other changes.
    pub others: core::webhooks::WebhookChange,
}

request_body! {
    "A change of a webhook; absent fields keep their values, null clears them."
    WebhookChange as "WebhookChange" {
        url: Replaceable<values::HookUrl> = Url,
            "New URL, as in `createWebhook`. Pending deliveries are sent there at once.";
        description: Clearable<values::HookDescription> = Description,
            "New description: 1 to 256 characters, no control characters.";
        event_types: Replaceable<values::EventTypes> = EventTypes,
            "The events that are sent from now on.";
        payload: Optional<values::HookPayload> = Payload,
            "`full` or `thin`; applies to events from now on.";
        enabled: Optional<values::Flag> = Enabled,
            "`false` gives up pending deliveries; `true` continues with events from now on.";
    }
    light up to LIGHT;
    build(self, members) -> ChangeOfWebhook {
        Some(ChangeOfWebhook {
            url: self.url,
            others: core::webhooks::WebhookChange {
                url: None,
                description: members.accept_change(self.description, |text| {
                    WebhookDescription::new(text.as_str())
                }),
                event_types: members.accept_some(self.event_types.map(|names| events(&names))),
                payload: members.accept_some(self.payload.map(|word| payload(&word))),
                enabled: self.enabled,
            },
        })
    }
}

request_body! {
    "How the secret of a webhook is replaced."
    SecretRotation as "SecretRotation" {
        overlap: Optional<values::OverlapSeconds> = OverlapSeconds,
            "For how many seconds the old secret signs, too: 0 to 604800, default 86400.";
    }
    light up to LIGHT;
    build(self, members) -> Duration {
        let overlap = members.accept_some(self.overlap.as_ref().map(overlap));
        Some(overlap.unwrap_or(Duration::from_hours(24)))
    }
}

request_body! {
    "Deliveries to send again: either single ones, or those of a period."
    Resending as "Resending" {
        deliveries: Optional<values::DeliveryIdentifiers> = Deliveries,
            "Identifiers of 1 to 1000 deliveries. Each is attempted at once, also if it is pending, or the webhook pauses.";
        since: Optional<values::Moment> = Since,
            "Events at this time or later, up to 10000 in one request.";
        until: Optional<values::Moment> = Until,
            "Events at this time or earlier; default: no limit.";
        state: Optional<values::ResendState> = State,
            "`dead` (default): only deliveries that were given up; `all`: all events of the period that are still in the log.";
    }
    light up to LIGHT;
    build(self, members) -> Resend {
        let since = members.accept_some(self.since.map(|text| moment(Field::Since, &text)));
        let until = members.accept_some(self.until.map(|text| moment(Field::Until, &text)));
        let all = members.accept_some(self.state.map(|word| all(&word)));
        let of_period = until.is_some() || all.is_some();
        let resend = match (self.deliveries, since) {
            (Some(_), None) if of_period => {
                let extra = if until.is_some() { Field::Until } else { Field::State };
                Err(InvalidFields::Webhook(vec![Field::Deliveries, extra]))
            }
            (Some(deliveries), None) => deliveries_of(&deliveries).map(Resend::Deliveries),
            (None, Some(since)) => Ok(Resend::Since {
                since,
                until,
                all: all.unwrap_or_default(),
            }),
            _ => Err(InvalidFields::Webhook(vec![Field::Deliveries, Field::Since])),
        };
        members.accept(resend)
    }
}

/// A body without fields.
#[derive(Debug)]
pub struct NoFields;

impl RequestBody for NoFields {
    type Value = ();

    const NAME: &'static str = "NoFields";

    const FIELDS: &'static [BodyField] = &[];

    const LIGHT_BYTES: usize = LIGHT;

    #[cfg(feature = "openapi")]
    fn schema(_registry: &mut Registry) -> MetaSchema {
        crate::schemas::object("An empty object.", [])
    }

    fn take(_members: &mut Members) -> Self {
        Self
    }

    fn build(self, _members: &mut Members) -> Option<()> {
        Some(())
    }
}

fn invalid(field: Field) -> InvalidFields {
    InvalidFields::Webhook(vec![field])
}

fn events(names: &[String]) -> Result<WebhookEvents, InvalidFields> {
    let types: Result<Vec<EventType>, _> = names.iter().map(|name| name.parse()).collect();
    WebhookEvents::new(types.map_err(|_| invalid(Field::EventTypes))?)
}

fn payload(word: &str) -> Result<Payload, InvalidFields> {
    word.parse().map_err(|_| invalid(Field::Payload))
}

fn overlap(seconds: &Number) -> Result<Duration, InvalidFields> {
    let seconds = whole(seconds).and_then(|seconds| u64::try_from(seconds).ok());
    let overlap = seconds.map(Duration::from_secs);
    overlap
        .filter(|overlap| *overlap <= MAX_OVERLAP)
        .ok_or(invalid(Field::OverlapSeconds))
}

fn moment(field: Field, text: &str) -> Result<Timestamp, InvalidFields> {
    text.parse().map_err(|_| invalid(field))
}

fn all(word: &str) -> Result<bool, InvalidFields> {
    match word {
        "all" => Ok(true),
        "dead" => Ok(false),
        _ => Err(invalid(Field::State)),
    }
}

fn deliveries_of(identifiers: &[String]) -> Result<Vec<DeliveryId>, InvalidFields> {
    if identifiers.is_empty() || identifiers.len() > MAX_RESENT {
        return Err(invalid(Field::Deliveries));
    }
    let named = identifiers.iter().map(|text| DeliveryId::named(text));
    Ok(named.collect())
}

view! {
    /// A webhook.
    revised struct Webhook {
        /// Identifier of the webhook.
        identifier: Id,
        /// Identifier of the form; null for a webhook of all forms.
        form_identifier: OrNull<Id>,
        /// Where events are sent.
        url: String,
        /// What the webhook is for.
        description: OrNull<String>,
        /// The events that are sent.
        event_types: Vec<String>,
        /// `full`: with the submission as it was at the event; `thin`: only identifiers.
        payload: String,
        /// Whether events are sent.
        enabled: bool,
        /// Why the webhook is disabled: `owner` (by a request), `gone` (the receiver answered 410), `failing` (it failed for too
        /// long); null if it is enabled.
        disabled_reason: OrNull<String>,
        /// The secret that signs requests. Only in the responses of `createWebhook` and `rotateWebhookSecret`, and null there if
        /// the request was sent before with the same idempotency key.
        #[serde(skip_serializing_if = "Option::is_none")]
        secret: Option<OrNull<String>>,
        /// Identifier of the user who created it; empty for the system.
        creator_id: String,
        /// When it was created.
        date_created: Instant,
        /// When a request last succeeded.
        date_last_success: OrNull<Instant>,
        /// When a request last failed.
        date_last_failure: OrNull<Instant>,
        /// Until when the webhook pauses after failures; null if it does not. `resendWebhookDeliveries` sends single deliveries
        /// nevertheless.
        date_paused_until: OrNull<Instant>,
        /// Number of deliveries that are not finished. Not in lists.
        #[serde(skip_serializing_if = "Option::is_none")]
        num_pending: Option<u64>,
        /// Number of deliveries that were given up. Not in lists.
        #[serde(skip_serializing_if = "Option::is_none")]
        num_dead: Option<u64>,
    }
}

impl Webhook {
    /// The webhook with its secret; `None` if the secret is not shown again.
    #[must_use]
    pub fn with_secret(self, secret: Option<&WebhookSecret>) -> Self {
        let secret = secret.map(|secret| secret.expose().to_owned());
        Self {
            secret: Some(secret.into()),
            ..self
        }
    }

    /// A new webhook, which has no deliveries.
    pub fn created(webhook: core::webhooks::Webhook) -> Self {
        Self {
            num_pending: Some(0),
            num_dead: Some(0),
            ..webhook.into()
        }
    }
}

impl From<core::webhooks::Webhook> for Webhook {
    fn from(webhook: core::webhooks::Webhook) -> Self {
        let description = webhook.description.as_ref().map(WebhookDescription::as_str);
        let types = webhook.event_types.iter();
        Self {
            identifier: webhook.id.into(),
            form_identifier: webhook.form.map(Id::from).into(),
            url: webhook.url.to_string(),
            description: description.map(str::to_owned).into(),
            event_types: types.map(|one| one.as_str().to_owned()).collect(),
            payload: webhook.payload.to_string(),
            enabled: webhook.disabled.is_none(),
            disabled_reason: webhook.disabled.map(|reason| reason.to_string()).into(),
            secret: None,
            creator_id: webhook.creator.to_string(),
            date_created: webhook.date_created.into(),
            date_last_success: webhook.date_last_success.map(Instant::from).into(),
            date_last_failure: webhook.date_last_failure.map(Instant::from).into(),
            date_paused_until: webhook.paused_until.map(Instant::from).into(),
            num_pending: None,
            num_dead: None,
            revision: webhook.revision.as_uuid(),
        }
    }
}

/// A new webhook, with its secret.
impl From<(core::webhooks::Webhook, WebhookSecret)> for Webhook {
    fn from((webhook, secret): (core::webhooks::Webhook, WebhookSecret)) -> Self {
        Self::created(webhook).with_secret(Some(&secret))
    }
}

impl From<(core::webhooks::WebhookView, WebhookSecret)> for Webhook {
    fn from((webhook, secret): (core::webhooks::WebhookView, WebhookSecret)) -> Self {
        Self::from(webhook).with_secret(Some(&secret))
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

view! {
    /// The outcome of a test of a webhook.
    struct WebhookTest {
        /// The status of the response; null if there was none.
        status: OrNull<u16>,
        /// Why it failed: `dns`, `target-refused`, `connect`, `tls`, `timeout`, `protocol` or `status`; null if it succeeded.
        error: OrNull<String>,
        /// How long it took, in milliseconds.
        duration_ms: u64,
    }
}

impl From<core::webhooks::TestOutcome> for WebhookTest {
    fn from(outcome: core::webhooks::TestOutcome) -> Self {
        Self {
            status: outcome.status.into(),
            error: outcome.error.map(|error| error.to_string()).into(),
            duration_ms: millis(outcome.duration),
        }
    }
}

view! {
    /// What was queued to be sent again.
    struct Resent {
        /// Number of deliveries that are sent again.
        queued: u64,
        /// Whether the period has more of them; send the request again for those.
        has_more: bool,
    }
}

impl From<core::webhooks::Resent> for Resent {
    fn from(resent: core::webhooks::Resent) -> Self {
        Self {
            queued: resent.queued,
            has_more: resent.has_more,
        }
    }
}

view! {
    /// An event on its way to a webhook.
    struct Delivery {
        /// Identifier of the delivery.
        identifier: Id,
        /// Identifier of the webhook.
        webhook_identifier: Id,
        /// Identifier of the event, which is sent as `webhook-id`.
        event_identifier: Id,
        /// Type of the event.
        event_type: String,
        /// Identifier of the submission that the event is about, if any.
        submission_identifier: OrNull<Id>,
        /// `pending`, `delivered`, or `dead` (given up).
        state: String,
        /// Number of attempts.
        num_attempts: i64,
        /// When it was queued.
        date_created: Instant,
        /// When the next attempt is due; null if there is none.
        date_next_attempt: OrNull<Instant>,
        /// When it was delivered or given up.
        date_done: OrNull<Instant>,
        /// Status of the last response.
        last_status: OrNull<u16>,
        /// Why the last attempt failed: `dns`, `target-refused`, `connect`, `tls`, `timeout`, `protocol` or `status`.
        last_error: OrNull<String>,
        /// The last 20 attempts. Not in lists.
        #[serde(skip_serializing_if = "Option::is_none")]
        attempts: Option<Vec<Attempt>>,
        /// The body that is sent; null if the event is not in the log any more. Not in lists.
        #[serde(skip_serializing_if = "Option::is_none")]
        body: Option<OrNull<String>>,
    }
}

view! {
    /// One attempt of a delivery.
    #[cfg_attr(feature = "openapi", oai(rename = "DeliveryAttempt"))]
    struct Attempt {
        /// When it began.
        date: Instant,
        /// Status of the response; null if there was none.
        status: OrNull<u16>,
        /// Why it failed; null if it succeeded.
        error: OrNull<String>,
        /// How long it took, in milliseconds.
        duration_ms: u64,
    }
}

impl From<core::webhooks::Delivery> for Delivery {
    fn from(delivery: core::webhooks::Delivery) -> Self {
        let submission: Option<SubmissionId> = delivery.submission;
        Self {
            identifier: delivery.id.into(),
            webhook_identifier: delivery.webhook.into(),
            event_identifier: delivery.event.into(),
            event_type: delivery.event_type.as_str().to_owned(),
            submission_identifier: submission.map(Id::from).into(),
            state: delivery.state.to_string(),
            num_attempts: delivery.num_attempts,
            date_created: delivery.date_created.into(),
            date_next_attempt: delivery.date_next_attempt.map(Instant::from).into(),
            date_done: delivery.date_done.map(Instant::from).into(),
            last_status: delivery.last_status.into(),
            last_error: delivery.last_error.map(|error| error.to_string()).into(),
            attempts: None,
            body: None,
        }
    }
}

impl From<core::webhooks::Attempt> for Attempt {
    fn from(attempt: core::webhooks::Attempt) -> Self {
        Self {
            date: attempt.date.into(),
            status: attempt.status.into(),
            error: attempt.error.map(|error| error.to_string()).into(),
            duration_ms: millis(attempt.duration),
        }
    }
}

impl From<core::webhooks::DeliveryView> for Delivery {
    fn from(view: core::webhooks::DeliveryView) -> Self {
        Self {
            attempts: Some(view.attempts.into_iter().map(Attempt::from).collect()),
            body: Some(view.body.into()),
            ..view.item.into()
        }
    }
}

/// Whole milliseconds.
pub(crate) fn millis(duration: Duration) -> u64 {
    duration.as_millis().try_into().unwrap_or(u64::MAX)
}
