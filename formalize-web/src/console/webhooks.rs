//! The pages about webhooks.

use std::time::Duration;

use formalize_core::webhooks::{AttemptError, DisabledReason, Payload};
use maud::{Markup, html};

use super::deliveries::DeliveryList;
use super::frame::{FormFrame, FormTab};
use super::parts::{Changed, Input, Inputs, Problems, conflict, created_secret, token, yes};
use super::webhook_words::{EVENTS, PAYLOADS, outcome, reason, state};
use crate::asset::Asset;
use crate::language::Language;
use crate::moment::LocalTime;
use crate::problem::counted;
use crate::shell::Shell;

/// The page with the webhooks of a form.
#[derive(Debug, Clone)]
pub struct WebhooksPage<'a> {
    /// The name and tabs of the form.
    pub frame: FormFrame<'a>,
    /// The token against forged requests.
    pub token: String,
    /// The webhooks.
    pub webhooks: Vec<WebhookRow>,
    /// The secret of the webhook that was just created.
    pub secret: Option<String>,
    /// What was entered for a new webhook.
    pub values: WebhookValues,
    /// Why it was refused.
    pub problems: Problems,
}

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
    /// The settings that somebody else may have changed.
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

impl WebhooksPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let inputs = self.problems.inputs(language);
        let content = html! {
            @if let Some(secret) = &self.secret { (secret_card(language, "createdWebhook", secret)) }
            (self.problems.summary(language))
            @if self.webhooks.is_empty() {
                p.empty { (language.say("noWebhooks")) }
            } @else {
                ul.rows {
                    @for webhook in &self.webhooks { (webhook.row(shell)) }
                }
            }
            section.card aria-labelledby="new-webhook" {
                h2 id="new-webhook" { (language.say("newWebhook")) }
                p.help { (language.say("newWebhook.help")) }
                form method="post" novalidate {
                    (token(&self.token))
                    (self.values.inputs(inputs))
                    div.actions {
                        button.primary type="submit" name="do" value="create" { (language.say("newWebhook.do")) }
                    }
                }
            }
        };
        let is_refused = !self.problems.is_empty();
        let script = self.secret.as_ref().map(|_| Asset::ConsoleScript);
        self.frame
            .page(shell, FormTab::Webhooks, is_refused, script, &content)
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

/// What was done on the page of a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookNotice {
    /// Changes were saved.
    Saved,
    /// The secret was replaced by this one.
    Rotated(String),
    /// A test was sent.
    Tested {
        /// The status of the response.
        status: Option<u16>,
        /// Why it failed.
        error: Option<AttemptError>,
        /// How long it took.
        duration: Duration,
    },
    /// This number of deliveries is sent again.
    Resent(u64),
}

impl WebhookNotice {
    fn markup(&self, language: Language) -> Markup {
        match self {
            Self::Saved => html! { p.note role="status" { (language.say("changed")) } },
            Self::Rotated(secret) => secret_card(language, "rotatedSecret", secret),
            Self::Resent(number) => html! {
                p.note role="status" { (counted(language, "resent", count(*number))) }
            },
            Self::Tested {
                status,
                error,
                duration,
            } => {
                let key = if error.is_none() {
                    "tested"
                } else {
                    "tested.failed"
                };
                let duration = duration.as_millis().to_string();
                html! {
                    div.note.good[error.is_none()] role="status" {
                        p { strong { (language.say(key)) } }
                        p {
                            (outcome(language, *status, *error)) " · "
                            (language.say_with("milliseconds", &[("number", &duration)]))
                        }
                    }
                }
            }
        }
    }
}

/// The page on which a webhook is changed, tested and watched.
#[derive(Debug, Clone)]
pub struct WebhookPage<'a> {
    /// The name and tabs of the form.
    pub frame: FormFrame<'a>,
    /// The token against forged requests.
    pub token: String,
    /// The revision of the webhook that the page shows.
    pub revision: String,
    /// The webhook as it is stored.
    pub webhook: WebhookRow,
    /// Who created it.
    pub creator: String,
    /// When it was created.
    pub created: LocalTime,
    /// What the inputs have.
    pub values: WebhookValues,
    /// What is stored, if somebody else has changed it since the page was opened.
    pub stored: Option<WebhookValues>,
    /// For how many seconds a replaced secret still signs, as it was chosen.
    pub overlap: Option<String>,
    /// The deliveries.
    pub deliveries: DeliveryList,
    /// What was done.
    pub notice: Option<WebhookNotice>,
    /// Why nothing was done.
    pub problems: Problems,
}

/// For how long a replaced secret can still sign: the number of seconds, and the key of the name.
const OVERLAPS: [(&str, &str); 4] = [
    ("0", "overlap.none"),
    ("3600", "overlap.hour"),
    ("86400", "overlap.day"),
    ("604800", "overlap.week"),
];

impl WebhookPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let content = html! {
            @if let Some(notice) = &self.notice { (notice.markup(language)) }
            (self.problems.summary(language))
            @if let Some(stored) = &self.stored { (conflict(language, &self.values.changed(language, stored))) }
            (self.overview(language))
            (self.settings(shell))
            div.columns {
                (self.testing(language))
                (self.rotating(language))
            }
            (self.deliveries.section(shell, &self.token))
        };
        let is_refused = !self.problems.is_empty();
        let script = matches!(self.notice, Some(WebhookNotice::Rotated(_)));
        let script = script.then_some(Asset::ConsoleScript);
        self.frame
            .page(shell, FormTab::Webhooks, is_refused, script, &content)
    }

    fn overview(&self, language: Language) -> Markup {
        let webhook = &self.webhook;
        let time = |time: &Option<LocalTime>| {
            html! {
                @if let Some(time) = time { (time.markup(language)) } @else { (language.say("never")) }
            }
        };
        html! {
            section.card aria-labelledby="webhook" {
                div.heading {
                    h2 id="webhook" { (webhook.name()) }
                    (state(language, webhook.disabled))
                }
                @if let Some(disabled) = webhook.disabled { p { (reason(language, disabled)) } }
                @if let Some(paused) = webhook.paused(language) {
                    p { (paused) " " (language.say("webhook.paused.help")) }
                }
                dl.facts {
                    dt { (language.say("webhook.url")) }
                    dd { code { (webhook.url) } }
                    dt { (language.say("delivery.pending")) }
                    dd { (webhook.pending) }
                    dt { (language.say("delivery.dead")) }
                    dd { (webhook.dead) }
                    dt { (language.say("lastSuccess")) }
                    dd { (time(&webhook.succeeded)) }
                    dt { (language.say("lastFailure")) }
                    dd { (time(&webhook.failed)) }
                    dt { (language.say("created")) }
                    dd { (self.created.markup(language)) }
                    @if !self.creator.is_empty() {
                        dt { (language.say("creator")) }
                        dd dir="auto" { (self.creator) }
                    }
                }
            }
        }
    }

    fn settings(&self, shell: &Shell<'_>) -> Markup {
        let language = shell.language;
        let inputs = self.problems.inputs(language);
        let enabled = Input {
            help: Some(language.say("webhook.isEnabled.help")),
            ..Input::new("enabled", "webhook.isEnabled", "")
        };
        html! {
            section.card aria-labelledby="settings" {
                h2 id="settings" { (language.say("tab.settings")) }
                form method="post" novalidate {
                    (token(&self.token))
                    input type="hidden" name="revision" value=(self.revision);
                    (self.values.inputs(inputs))
                    (inputs.tick(enabled, self.values.is_enabled))
                    div.actions {
                        button.primary type="submit" name="do" value="save" { (language.say("saveChanges")) }
                        a.button.danger href=(shell.at(&format!("{}/delete", self.webhook.path))) {
                            (language.say("deleteWebhook"))
                        }
                        a.button href=(shell.at(&self.frame.at(FormTab::Webhooks))) { (language.say("cancel")) }
                    }
                }
            }
        }
    }

    fn testing(&self, language: Language) -> Markup {
        html! {
            section.card aria-labelledby="test" {
                h2 id="test" { (language.say("testWebhook")) }
                p.help { (language.say("testWebhook.help")) }
                form method="post" {
                    (token(&self.token))
                    div.actions {
                        button type="submit" name="do" value="test" { (language.say("testWebhook.do")) }
                    }
                }
            }
        }
    }

    fn rotating(&self, language: Language) -> Markup {
        let inputs = self.problems.inputs(language);
        let overlaps = OVERLAPS.map(|(seconds, key)| (seconds, language.say(key)));
        let overlap = self.overlap.as_deref().unwrap_or("86400");
        let overlap = Input {
            is_required: true,
            ..Input::new("overlapSeconds", "overlap", overlap)
        };
        html! {
            section.card aria-labelledby="rotate" {
                h2 id="rotate" { (language.say("rotateSecret")) }
                p.help { (language.say("rotateSecret.help")) }
                form method="post" novalidate {
                    (token(&self.token))
                    input type="hidden" name="revision" value=(self.revision);
                    (inputs.choice(overlap, &overlaps))
                    div.actions {
                        button type="submit" name="do" value="rotate" { (language.say("rotateSecret")) }
                    }
                }
            }
        }
    }
}

/// The page that asks whether to delete a webhook.
#[derive(Debug, Clone)]
pub struct DeleteWebhookPage<'a> {
    /// The name and tabs of the form.
    pub frame: FormFrame<'a>,
    /// The token against forged requests.
    pub token: String,
    /// The webhook.
    pub webhook: WebhookRow,
    /// Why nothing was deleted.
    pub problems: Problems,
}

impl DeleteWebhookPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let content = html! {
            (self.problems.summary(language))
            section.card aria-labelledby="delete" {
                h2 id="delete" { (language.say("deleteWebhook.title")) }
                p { (self.webhook.name()) }
                p { (language.say("deleteWebhook.text")) }
                form method="post" {
                    (token(&self.token))
                    div.actions {
                        button.danger type="submit" name="do" value="delete" { (language.say("delete")) }
                        a.button href=(shell.at(&self.webhook.path)) { (language.say("cancel")) }
                    }
                }
            }
        };
        let is_refused = !self.problems.is_empty();
        self.frame
            .page(shell, FormTab::Webhooks, is_refused, None, &content)
    }
}
