//! The pages about public links.

use std::fmt::Write;

use maud::{Markup, html};

use super::form::places;
use super::frame::{FormFrame, FormTab};
use super::parts::{Changed, Input, Problems, conflict, pages, time, to_copy, token, yes};
use crate::asset::Asset;
use crate::language::Language;
use crate::moment::LocalTime;
use crate::shell::Shell;

/// The page with the public links to a form.
#[derive(Debug, Clone)]
pub struct LinksPage<'a> {
    /// The name and tabs of the form.
    pub frame: FormFrame<'a>,
    /// The token against forged requests.
    pub token: String,
    /// The links.
    pub links: Vec<LinkRow>,
    /// The path of the next page.
    pub next: Option<String>,
    /// The link that was just created.
    pub created: Option<CreatedLink>,
    /// What was entered for a new link.
    pub values: LinkValues,
    /// Why it was refused.
    pub problems: Problems,
    /// The time zone of the times.
    pub time_zone: &'a str,
}

/// A public link in a list.
#[derive(Debug, Clone)]
pub struct LinkRow {
    /// The path of the page about it.
    pub path: String,
    /// The label.
    pub label: String,
    /// When it expires.
    pub expires: Option<LocalTime>,
    /// Whether it has expired.
    pub is_expired: bool,
    /// The number of submissions.
    pub taken: i64,
    /// The maximum number of submissions, if there is one.
    pub cap: Option<i64>,
}

/// A public link that was just created. Its address is shown once.
#[derive(Debug, Clone)]
pub struct CreatedLink {
    /// The address.
    pub url: String,
    /// HTML that shows the form in a page of another site; `None` if no site may do that.
    pub snippet: Option<String>,
    /// The modules of its QR code, row by row.
    pub code: Vec<Vec<bool>>,
}

/// The settings of a public link, as inputs have them.
#[derive(Debug, Clone, Default)]
pub struct LinkValues {
    /// The label, or nothing.
    pub label: String,
    /// When it expires, as a local time, or nothing.
    pub expires: String,
    /// The maximum number of submissions, or nothing.
    pub cap: String,
    /// Whether a browser that has sent the form is not asked again.
    pub is_once: bool,
    /// The origins of pages that may show it, one a line.
    pub origins: String,
}

impl LinkValues {
    /// The settings that somebody else may have changed.
    fn changed(&self, language: Language, stored: &Self) -> [Changed; 5] {
        let time = |text: &str| time(language, text);
        [
            ("label", self.label.clone(), stored.label.clone()),
            ("expires", time(&self.expires), time(&stored.expires)),
            ("linkCap", self.cap.clone(), stored.cap.clone()),
            (
                "once",
                yes(language, self.is_once),
                yes(language, stored.is_once),
            ),
            ("origins", self.origins.clone(), stored.origins.clone()),
        ]
    }
}

impl LinksPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let content = html! {
            @if let Some(created) = &self.created { (created.card(language)) }
            (self.problems.summary(language))
            @if self.links.is_empty() {
                p.empty { (language.say("noLinks")) }
            } @else {
                ul.rows {
                    @for link in &self.links { (row(shell, link)) }
                }
            }
            (pages(shell, "pages", None, self.next.as_deref()))
            section.card aria-labelledby="new-link" {
                h2 id="new-link" { (language.say("newLink")) }
                p.help { (language.say("newLink.help")) }
                form method="post" novalidate {
                    (token(&self.token))
                    (inputs(language, &self.values, &self.problems, self.time_zone))
                    div.actions {
                        button.primary type="submit" name="do" value="create" { (language.say("newLink.do")) }
                    }
                }
            }
        };
        let is_refused = !self.problems.is_empty();
        let script = self.created.as_ref().map(|_| Asset::ConsoleScript);
        self.frame
            .page(shell, FormTab::Links, is_refused, script, &content)
    }
}

fn row(shell: &Shell<'_>, link: &LinkRow) -> Markup {
    let language = shell.language;
    html! {
        li {
            a href=(shell.at(&link.path)) dir="auto" { (link.label) }
            div.facts {
                span { (places(language, link.taken, link.cap)) }
                @if let Some(expires) = &link.expires {
                    @let key = if link.is_expired { "expired" } else { "expires.at" };
                    span { (language.say_with(key, &[("time", &expires.words(language))])) }
                }
                @let is_full = link.cap.is_some_and(|cap| link.taken >= cap);
                @if link.is_expired || is_full {
                    span.badge { (language.say("link.ended")) }
                } @else {
                    span.badge.open { (language.say("link.works")) }
                }
            }
        }
    }
}

fn inputs(language: Language, values: &LinkValues, problems: &Problems, time_zone: &str) -> Markup {
    let inputs = problems.inputs(language);
    let zone = language.say_with("timeZoneNamed", &[("name", time_zone)]);
    html! {
        (inputs.text(Input { help: Some(language.say("label.help")), ..Input::new("label", "label", &values.label) }))
        div.columns {
            (inputs.text(Input {
                kind: "datetime-local", help: Some(&zone), ..Input::new("expires", "expires", &values.expires)
            }))
            (inputs.text(Input {
                kind: "number", help: Some(language.say("linkCap.help")),
                ..Input::new("maxNumSubmissions", "linkCap", &values.cap)
            }))
        }
        (inputs.tick(
            Input { help: Some(language.say("once.help")), ..Input::new("oncePerBrowser", "once", "") },
            values.is_once,
        ))
        (inputs.lines(Input {
            help: Some(language.say("origins.help")), ..Input::new("embedOrigins", "origins", &values.origins)
        }))
    }
}

impl CreatedLink {
    fn card(&self, language: Language) -> Markup {
        html! {
            section.card.created role="status" aria-labelledby="created" {
                div {
                    h2 id="created" { (language.say("createdLink")) }
                    p id="created.help" { (language.say("createdLink.help")) }
                    label for="url" { (language.say("createdLink.address")) }
                    (to_copy(language, &html! {
                        input type="text" id="url" readonly value=(self.url) aria-describedby="created.help";
                    }))
                    @if let Some(snippet) = &self.snippet {
                        label for="snippet" { (language.say("createdLink.snippet")) }
                        (to_copy(language, &html! {
                            textarea.code id="snippet" readonly rows="3" { "\n" (snippet) }
                        }))
                    }
                }
                (self.picture(language))
            }
        }
    }

    /// The QR code as a picture.
    fn picture(&self, language: Language) -> Markup {
        // A quiet zone of four modules belongs to the code.
        let size = self.code.len().saturating_add(8);
        let mut path = String::new();
        for (row, modules) in (4_usize..).zip(&self.code) {
            for (column, _) in (4_usize..).zip(modules).filter(|(_, is_dark)| **is_dark) {
                // Writing to a string cannot fail.
                let _ = write!(path, "M{column} {row}h1v1h-1z");
            }
        }
        html! {
            @if !self.code.is_empty() {
                svg.code viewBox={ "0 0 " (size) " " (size) } role="img" aria-label=(language.say("qrCode")) {
                    rect width=(size) height=(size) fill="#fff" {}
                    path d=(path) fill="#000" shape-rendering="crispEdges" {}
                }
            }
        }
    }
}

/// The page on which a public link is changed or revoked.
#[derive(Debug, Clone)]
pub struct LinkPage<'a> {
    /// The name and tabs of the form.
    pub frame: FormFrame<'a>,
    /// The token against forged requests.
    pub token: String,
    /// The revision of the link that the page shows.
    pub revision: String,
    /// The label, or the identifier.
    pub label: String,
    /// The number of submissions.
    pub taken: i64,
    /// What the inputs have.
    pub values: LinkValues,
    /// What is stored, if somebody else has changed it since the page was opened.
    pub stored: Option<LinkValues>,
    /// Why nothing was saved.
    pub problems: Problems,
    /// Whether the changes were saved.
    pub is_saved: bool,
    /// The time zone of the times.
    pub time_zone: &'a str,
}

impl LinkPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let content = html! {
            @if self.is_saved { p.note role="status" { (language.say("changed")) } }
            (self.problems.summary(language))
            @if let Some(stored) = &self.stored { (conflict(language, &self.values.changed(language, stored))) }
            section.card aria-labelledby="link" {
                div.heading {
                    h2 id="link" dir="auto" { (self.label) }
                    span { (places(language, self.taken, None)) }
                }
                p.help { (language.say("link.help")) }
                form method="post" novalidate {
                    (token(&self.token))
                    input type="hidden" name="revision" value=(self.revision);
                    (inputs(language, &self.values, &self.problems, self.time_zone))
                    div.actions {
                        button.primary type="submit" name="do" value="save" { (language.say("saveChanges")) }
                        button.danger type="submit" name="do" value="revoke" { (language.say("revoke")) }
                        a.button href=(shell.at(&self.frame.at(FormTab::Links))) { (language.say("cancel")) }
                    }
                }
            }
        };
        let is_refused = !self.problems.is_empty();
        self.frame
            .page(shell, FormTab::Links, is_refused, None, &content)
    }
}
