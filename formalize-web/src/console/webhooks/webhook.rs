//! The page on which a webhook is changed, tested and watched.

use std::time::Duration;

use formalize_core::webhooks::AttemptError;
use maud::{Markup, html};

use super::deliveries::DeliveryList;
use super::words::{outcome, reason, state};
use super::{WebhookRow, WebhookValues, count, secret_card};
use crate::asset::Asset;
use crate::console::frame::{FormFrame, FormTab};
use crate::console::parts::{Input, Problems, conflict, token};
use crate::language::Language;
use crate::moment::LocalTime;
use crate::problem::counted;
use crate::shell::Shell;

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
    /// The stored settings, if someone else has changed them since the page was opened.
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
