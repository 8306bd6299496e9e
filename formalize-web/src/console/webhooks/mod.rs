//! The pages about webhooks, and what they have in common.

mod deletion;
mod deliveries;
mod list;
mod webhook;
pub(super) mod words;

use formalize_core::webhooks::{DisabledReason, Payload};
use maud::{Markup, html};
use words::{EVENTS, PAYLOADS, reason, state};

use super::parts::{Changed, Input, Inputs, created_secret, yes};
use crate::language::Language;
use crate::moment::LocalTime;
use crate::problem::counted;
use crate::shell::Shell;

pub use deletion::DeleteWebhookPage;
pub use deliveries::{AttemptRow, DeliveryList, DeliveryPage, DeliveryRow};
pub use list::WebhooksPage;
pub use webhook::{WebhookNotice, WebhookPage};

/// A webhook with what became of its deliveries.
#[derive(Debug, Clone)]
pub struct WebhookRow {
    /// The path of the page about it.
    pub path: String,
    /// Where events are sent.
    pub url: String,
    /// What it is for.
    pub description: Option<String>,
    /// Why it is disabled; `None` if it is enabled.
    pub disabled: Option<DisabledReason>,
    /// The number of deliveries that are not finished.
    pub pending: u64,
    /// The number of deliveries that were given up.
    pub dead: u64,
    /// The time of the last successful attempt.
    pub succeeded: Option<LocalTime>,
    /// The time of the last failed attempt.
    pub failed: Option<LocalTime>,
    /// Until when it pauses after failures.
    pub paused_until: Option<LocalTime>,
}

/// The settings of a webhook, as inputs have them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookValues {
    /// The URL.
    pub url: String,
    /// What it is for, or nothing.
    pub description: String,
    /// The names of the events that it sends.
    pub event_types: Vec<String>,
    /// How much it sends: `full` or `thin`.
    pub payload: String,
    /// Whether it sends events. New webhooks always do.
    pub is_enabled: bool,
}

impl Default for WebhookValues {
    /// The settings of a new webhook: everything is sent.
    fn default() -> Self {
        Self {
            url: String::new(),
            description: String::new(),
            event_types: EVENTS.map(|(name, _)| name.to_owned()).into(),
            payload: Payload::default().as_str().to_owned(),
            is_enabled: true,
        }
    }
}

impl WebhookValues {
    /// Each setting as it was entered and as it is stored, to show what someone else has changed.
    fn changed(&self, language: Language, stored: &Self) -> [Changed; 5] {
        let events = |values: &Self| {
            let is_sent = |name: &str| values.event_types.iter().any(|other| other == name);
            let sent = EVENTS.iter().filter(|(name, _)| is_sent(name));
            let names = sent.map(|(_, key)| language.say(key));
            names.collect::<Vec<_>>().join(", ")
        };
        let payload = |values: &Self| {
            let mut known = PAYLOADS.iter();
            let payload = known.find(|(payload, _)| payload.as_str() == values.payload);
            payload.map_or("", |(_, key)| language.say(key)).to_owned()
        };
        [
            ("webhook.url", self.url.clone(), stored.url.clone()),
            (
                "webhook.description",
                self.description.clone(),
                stored.description.clone(),
            ),
            ("eventTypes", events(self), events(stored)),
            ("payload", payload(self), payload(stored)),
            (
                "webhook.isEnabled",
                yes(language, self.is_enabled),
                yes(language, stored.is_enabled),
            ),
        ]
    }

    /// The inputs that new webhooks and others have.
    fn inputs(&self, inputs: Inputs<'_>) -> Markup {
        let language = inputs.language;
        let payloads = PAYLOADS.map(|(payload, key)| (payload.as_str(), language.say(key)));
        html! {
            (inputs.text(Input {
                kind: "url", is_required: true, help: Some(language.say("webhook.url.help")),
                ..Input::new("url", "webhook.url", &self.url)
            }))
            (inputs.text(Input {
                help: Some(language.say("webhook.description.help")),
                ..Input::new("description", "webhook.description", &self.description)
            }))
            (inputs.ticks(Input::new("eventTypes", "eventTypes", ""), &EVENTS, |name| {
                self.event_types.iter().any(|other| other == name)
            }))
            (inputs.choice(
                Input {
                    is_required: true, help: Some(language.say("payload.help")),
                    ..Input::new("payload", "payload", &self.payload)
                },
                &payloads,
            ))
        }
    }
}

impl WebhookRow {
    /// The description, or else the URL.
    fn name(&self) -> Markup {
        html! {
            @match &self.description {
                Some(description) => { bdi { (description) } }
                None => { code { (self.url) } }
            }
        }
    }

    fn row(&self, shell: &Shell<'_>) -> Markup {
        let language = shell.language;
        html! {
            li {
                div {
                    p.name { a href=(shell.at(&self.path)) { (self.name()) } }
                    @if self.description.is_some() { p.hint { code { (self.url) } } }
                    p.hint { (self.last(language)) }
                    @if let Some(disabled) = self.disabled { p.hint { (reason(language, disabled)) } }
                    @if let Some(paused) = self.paused(language) { p.hint { (paused) } }
                }
                div.facts {
                    span { (counted(language, "pendingDeliveries", count(self.pending))) }
                    span { (counted(language, "deadDeliveries", count(self.dead))) }
                    (state(language, self.disabled))
                }
            }
        }
    }

    /// That it pauses, and until when.
    fn paused(&self, language: Language) -> Option<String> {
        let until = self.paused_until.as_ref()?.words(language);
        Some(language.say_with("webhook.pausedUntil", &[("time", &until)]))
    }

    /// When an attempt last succeeded, and when one failed.
    fn last(&self, language: Language) -> Markup {
        let said =
            |key, time: &LocalTime| language.say_with(key, &[("time", &time.words(language))]);
        html! {
            @if let Some(time) = &self.succeeded {
                (said("succeeded.at", time))
            } @else {
                (language.say("succeeded.never"))
            }
            @if let Some(time) = &self.failed { " · " (said("failed.at", time)) }
        }
    }
}

fn count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// The secret of a webhook. The heading is a key of the catalogue.
fn secret_card(language: Language, heading: &str, secret: &str) -> Markup {
    let words = ["webhook.secret", heading, "webhook.secret.help"];
    created_secret(language, words, secret)
}
