//! What webhooks and their deliveries are called on pages.

use formalize_core::{
    events::EventType,
    webhooks::{AttemptError, DeliveryState, DisabledReason, Payload},
};
use maud::{Markup, html};

use crate::language::Language;

/// The events that a webhook of a form can send, with the keys of their names.
pub(crate) const EVENTS: [(&str, &str); 6] = [
    ("submission.submitted", "event.submitted"),
    ("submission.updated", "event.updated"),
    ("submission.deleted", "event.deleted"),
    ("form.updated", "event.formUpdated"),
    ("form.cleared", "event.formCleared"),
    ("form.deleted", "event.formDeleted"),
];

/// How much a webhook can send, with the keys of the names.
pub(crate) const PAYLOADS: [(Payload, &str); 2] = [
    (Payload::Full, "payload.full"),
    (Payload::Thin, "payload.thin"),
];

/// The states of deliveries, with the keys of their names.
pub(crate) const STATES: [(DeliveryState, &str); 3] = [
    (DeliveryState::Pending, "delivery.pending"),
    (DeliveryState::Delivered, "delivery.delivered"),
    (DeliveryState::Dead, "delivery.dead"),
];

/// What happened.
pub(crate) fn event(language: Language, event_type: EventType) -> &'static str {
    let name = event_type.as_str();
    let key = EVENTS.iter().find(|(other, _)| *other == name);
    // Webhooks of forms send no other events.
    key.map_or(name, |(_, key)| language.say(key))
}

/// Whether a webhook sends events, as a badge.
pub(crate) fn state(language: Language, disabled: Option<DisabledReason>) -> Markup {
    let (class, key) = match disabled {
        None => ("open", "webhook.enabled"),
        Some(_) => ("closed", "webhook.disabled"),
    };
    html! { span.badge.(class) { (language.say(key)) } }
}

/// Why a webhook sends no events.
pub(crate) fn reason(language: Language, disabled: DisabledReason) -> &'static str {
    language.say(match disabled {
        DisabledReason::Owner => "webhook.disabled.owner",
        DisabledReason::Gone => "webhook.disabled.gone",
        DisabledReason::Failing => "webhook.disabled.failing",
    })
}

/// The state of a delivery, as a badge.
pub(crate) fn delivery(language: Language, state: DeliveryState) -> Markup {
    let class = match state {
        DeliveryState::Pending => "later",
        DeliveryState::Delivered => "open",
        DeliveryState::Dead => "closed",
    };
    let name = STATES.iter().find(|(other, _)| *other == state);
    html! { span.badge.(class) { (name.map_or("", |(_, key)| language.say(key))) } }
}

/// What became of an attempt; nothing if there was none.
pub(crate) fn outcome(
    language: Language,
    status: Option<u16>,
    error: Option<AttemptError>,
) -> String {
    let status = status.map(|status| status.to_string());
    let with_status = |key| {
        let status = status.as_deref().unwrap_or_default();
        language.say_with(key, &[("status", status)])
    };
    let key = match error {
        None if status.is_none() => return String::new(),
        None => return with_status("attempt.accepted"),
        Some(AttemptError::Status) => return with_status("attempt.status"),
        Some(AttemptError::Dns) => "attempt.dns",
        Some(AttemptError::TargetRefused) => "attempt.targetRefused",
        Some(AttemptError::Connect) => "attempt.connect",
        Some(AttemptError::Tls) => "attempt.tls",
        Some(AttemptError::Timeout) => "attempt.timeout",
        Some(AttemptError::Protocol) => "attempt.protocol",
    };
    language.say(key).to_owned()
}

#[cfg(test)]
mod tests {
    use formalize_core::webhooks::WebhookEvents;

    use super::*;

    #[test]
    fn everything_has_a_name() {
        let events = WebhookEvents::of_form();
        assert!(
            events
                .iter()
                .map(EventType::as_str)
                .eq(EVENTS.map(|(name, _)| name))
        );
        assert_eq!(PAYLOADS.map(|(payload, _)| payload), Payload::ALL);
        assert_eq!(STATES.map(|(state, _)| state), DeliveryState::ALL);
    }

    #[test]
    fn attempts_are_told_apart() {
        let language = Language::English;
        assert_eq!(outcome(language, None, None), "");
        let mut said: Vec<_> = AttemptError::ALL
            .iter()
            .map(|error| outcome(language, Some(500), Some(*error)))
            .collect();
        said.push(outcome(language, Some(204), None));
        let number = said.len();
        said.sort_unstable();
        said.dedup();
        assert_eq!(said.len(), number, "{said:?}");
        assert!(said.contains(&"The receiver answered with status 500".to_owned()));
    }
}
