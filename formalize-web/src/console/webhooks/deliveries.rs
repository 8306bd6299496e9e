//! The deliveries of a webhook: their table, and the page about one.

use std::time::Duration;

use formalize_core::{
    events::EventType,
    webhooks::{AttemptError, DeliveryState},
};
use maud::{Markup, html};

use super::words::{STATES, delivery, event, outcome};
use crate::console::frame::{FormFrame, FormTab};
use crate::console::parts::{Input, Problems, pages, token};
use crate::language::Language;
use crate::moment::LocalTime;
use crate::shell::Shell;

/// The deliveries of a webhook.
#[derive(Debug, Clone, Default)]
pub struct DeliveryList {
    /// The state of those that are shown, or nothing for all.
    pub state: String,
    /// The deliveries.
    pub rows: Vec<DeliveryRow>,
    /// The path of the next page.
    pub next: Option<String>,
    /// The path of the first page, on all others.
    pub first: Option<String>,
    /// Whether those that were given up can be sent again.
    pub may_resend: bool,
}

/// An event on its way to a webhook.
#[derive(Debug, Clone)]
pub struct DeliveryRow {
    /// The path of the page about it.
    pub path: String,
    /// When it was queued.
    pub created: LocalTime,
    /// What happened.
    pub event_type: EventType,
    /// The submission that it is about: the identifier and, unless it was deleted, the path.
    pub submission: Option<(String, Option<String>)>,
    /// The state.
    pub state: DeliveryState,
    /// The number of attempts.
    pub attempts: i64,
    /// When it is attempted next.
    pub next_attempt: Option<LocalTime>,
    /// The status of the last response.
    pub status: Option<u16>,
    /// Why the last attempt failed.
    pub error: Option<AttemptError>,
}

impl DeliveryList {
    /// The part of a page. Its button is sent to the page with this token.
    pub(super) fn section(&self, shell: &Shell<'_>, page_token: &str) -> Markup {
        let language = shell.language;
        html! {
            section {
                h2 id="deliveries" { (language.say("deliveries")) }
                (self.filter(language))
                @if self.rows.is_empty() {
                    p.empty { (language.say("noDeliveries")) }
                } @else {
                    (self.table(shell))
                }
                (pages(shell, "pages", self.first.as_deref(), self.next.as_deref()))
                @if self.may_resend {
                    form method="post" {
                        (token(page_token))
                        div.actions {
                            button type="submit" name="do" value="resend" { (language.say("resendDead")) }
                        }
                    }
                }
            }
        }
    }

    /// A form that shows other deliveries. It is sent as a query.
    fn filter(&self, language: Language) -> Markup {
        let none = Problems::default();
        let inputs = none.inputs(language);
        let states = STATES.map(|(state, key)| (state.as_str(), language.say(key)));
        let all = [("", language.say("allStates"))];
        let states: Vec<_> = all.into_iter().chain(states).collect();
        let state = Input {
            is_required: true,
            ..Input::new("state", "state", &self.state)
        };
        html! {
            form.filters method="get" {
                (inputs.choice(state, &states))
                div.apply { button type="submit" { (language.say("apply")) } }
            }
        }
    }

    fn table(&self, shell: &Shell<'_>) -> Markup {
        let language = shell.language;
        let columns = [
            "created",
            "event",
            "answer",
            "state",
            "attempts",
            "nextAttempt",
            "lastOutcome",
        ];
        html! {
            div.table role="region" aria-label=(language.say("deliveries")) tabindex="0" {
                table {
                    thead {
                        tr { @for key in columns { th scope="col" { (language.say(key)) } } }
                    }
                    tbody { @for row in &self.rows { (row.cells(shell)) } }
                }
            }
        }
    }
}

impl DeliveryRow {
    fn cells(&self, shell: &Shell<'_>) -> Markup {
        let language = shell.language;
        html! {
            tr {
                th scope="row" {
                    a href=(shell.at(&self.path)) { (self.created.markup(language)) }
                }
                td data-label=(language.say("event")) { (event(language, self.event_type)) }
                td data-label=(language.say("answer")) { (self.submission(shell)) }
                td data-label=(language.say("state")) { (delivery(language, self.state)) }
                td data-label=(language.say("attempts")) { (self.attempts) }
                td data-label=(language.say("nextAttempt")) {
                    @if let Some(time) = &self.next_attempt { (time.markup(language)) }
                }
                td data-label=(language.say("lastOutcome")) { (outcome(language, self.status, self.error)) }
            }
        }
    }

    fn submission(&self, shell: &Shell<'_>) -> Markup {
        html! {
            @match &self.submission {
                Some((id, Some(path))) => { a href=(shell.at(path)) { code { (id) } } }
                Some((id, None)) => { code { (id) } }
                None => {}
            }
        }
    }
}

/// The page about a delivery.
#[derive(Debug, Clone)]
pub struct DeliveryPage<'a> {
    /// The name and tabs of the form.
    pub frame: FormFrame<'a>,
    /// The token against forged requests.
    pub token: String,
    /// The path of the webhook.
    pub webhook: String,
    /// Where the event is sent.
    pub url: String,
    /// The delivery.
    pub delivery: DeliveryRow,
    /// The identifier of the event.
    pub event: String,
    /// When it was delivered or given up.
    pub done: Option<LocalTime>,
    /// The last attempts.
    pub attempts: Vec<AttemptRow>,
    /// The body that is sent.
    pub body: Option<String>,
    /// Whether it can be sent now, or again.
    pub may_resend: bool,
    /// Whether it is sent now.
    pub is_resent: bool,
    /// Why it is not.
    pub problems: Problems,
}

/// An attempt of a delivery.
#[derive(Debug, Clone)]
pub struct AttemptRow {
    /// When it began.
    pub date: LocalTime,
    /// The status of the response.
    pub status: Option<u16>,
    /// Why it failed.
    pub error: Option<AttemptError>,
    /// How long it took.
    pub duration: Duration,
}

impl DeliveryPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let content = html! {
            @if self.is_resent { p.note role="status" { (language.say("deliverySent")) } }
            (self.problems.summary(language))
            section.card aria-labelledby="delivery" {
                div.heading {
                    h2 id="delivery" { (event(language, self.delivery.event_type)) }
                    (delivery(language, self.delivery.state))
                }
                (self.facts(shell))
                @let back = html! { a.button href=(shell.at(&self.webhook)) { (language.say("toWebhook")) } };
                @if self.may_resend {
                    form method="post" {
                        (token(&self.token))
                        div.actions {
                            button type="submit" name="do" value="resend" {
                                @if self.delivery.state == DeliveryState::Pending {
                                    (language.say("sendNow"))
                                } @else {
                                    (language.say("sendAgain"))
                                }
                            }
                            (back)
                        }
                    }
                } @else {
                    div.actions { (back) }
                }
            }
            section {
                h2 id="attempts" { (language.say("attempts")) }
                @if self.attempts.is_empty() {
                    p.empty { (language.say("noAttempts")) }
                } @else {
                    (self.table(language))
                }
            }
            @if let Some(body) = &self.body {
                section {
                    h2 id="body" { (language.say("deliveryBody")) }
                    textarea.code readonly rows="8" dir="ltr" spellcheck="false" aria-labelledby="body" { "\n" (body) }
                }
            }
        };
        let is_refused = !self.problems.is_empty();
        self.frame
            .page(shell, FormTab::Webhooks, is_refused, None, &content)
    }

    fn facts(&self, shell: &Shell<'_>) -> Markup {
        let (language, delivery) = (shell.language, &self.delivery);
        html! {
            dl.facts {
                dt { (language.say("webhook.url")) }
                dd { code { (self.url) } }
                dt { (language.say("eventIdentifier")) }
                dd { code { (self.event) } }
                @if delivery.submission.is_some() {
                    dt { (language.say("answer")) }
                    dd { (delivery.submission(shell)) }
                }
                dt { (language.say("created")) }
                dd { (delivery.created.markup(language)) }
                dt { (language.say("attempts")) }
                dd { (delivery.attempts) }
                @if let Some(time) = &delivery.next_attempt {
                    dt { (language.say("nextAttempt")) }
                    dd { (time.markup(language)) }
                }
                @if let Some(time) = &self.done {
                    dt { (language.say("deliveryDone")) }
                    dd { (time.markup(language)) }
                }
            }
        }
    }

    fn table(&self, language: Language) -> Markup {
        html! {
            div.table role="region" aria-labelledby="attempts" tabindex="0" {
                table {
                    thead {
                        tr {
                            @for key in ["attemptDate", "attemptOutcome", "duration"] {
                                th scope="col" { (language.say(key)) }
                            }
                        }
                    }
                    tbody { @for attempt in &self.attempts { (attempt.cells(language)) } }
                }
            }
        }
    }
}

impl AttemptRow {
    fn cells(&self, language: Language) -> Markup {
        let duration = self.duration.as_millis().to_string();
        html! {
            tr {
                th scope="row" { (self.date.markup(language)) }
                td data-label=(language.say("attemptOutcome")) { (outcome(language, self.status, self.error)) }
                td data-label=(language.say("duration")) { (language.say_with("milliseconds", &[("number", &duration)])) }
            }
        }
    }
}
