//! Pages that say something and offer little to do.

use formalize_core::{Error, forms::FormHead};
use maud::html;

use crate::form::contact;
use crate::language::Language;
use crate::notice::Notice;
use crate::shell::Shell;

/// A page that says why there is nothing else to see.
#[derive(Debug, Clone)]
pub struct MessagePage<'a> {
    heading: &'static str,
    text: &'a str,
    request_id: Option<&'a str>,
}

impl<'a> MessagePage<'a> {
    /// The page for a response with this status, which is an error.
    pub fn error(language: Language, status: u16) -> Self {
        let (heading, text) = match status {
            403 => ("error.403", "error.403.text"),
            404 => ("error.404", "error.404.text"),
            405 => ("error.405", "error.405.text"),
            413 => ("error.413", "error.413.text"),
            429 => ("error.429", "error.429.text"),
            503 => ("error.503", "error.503.text"),
            500.. => ("error.500", "error.500.text"),
            _ => ("error.400", "error.400.text"),
        };
        Self {
            heading: language.say(heading),
            text: language.say(text),
            request_id: None,
        }
    }

    /// The page of a form that takes no answers for this reason. The author of the form may have a text for it.
    pub fn closed(language: Language, reason: &Error, text: Option<&'a str>) -> Self {
        Self {
            heading: language.say("closed"),
            text: text.unwrap_or(reason_of(language, reason)),
            request_id: None,
        }
    }

    /// Shows the id of the request, which an operator can look up in the log, and a link to the start page.
    #[must_use]
    pub fn request_id(mut self, id: &'a str) -> Self {
        self.request_id = Some(id);
        self
    }

    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let content = html! {
            h1 { (self.heading) }
            p dir="auto" { (self.text) }
            @if let Some(id) = self.request_id {
                p { a href=(shell.at("/")) { (language.say("home")) } }
                p.hint { (language.say_with("requestId", &[("id", id)])) }
            }
        };
        shell.page(self.heading, content)
    }
}

/// Why a form takes no answers.
pub(crate) fn reason_of(language: Language, reason: &Error) -> &'static str {
    let reason = match Notice::of(reason) {
        reason @ (Notice::CapReached | Notice::LimitReached) => reason,
        _ => Notice::NotOpen,
    };
    reason.text(language)
}

/// The page that someone sees whose answers were sent.
#[derive(Debug, Clone)]
pub struct SentPage<'a> {
    /// The form.
    pub form: &'a FormHead,
    /// What the author of the form says.
    pub thanks: Option<&'a str>,
    /// The identifier of the submission.
    pub receipt: Option<String>,
    /// The path of the page with the answers, if the reader may see it.
    pub answers: Option<String>,
    /// The path of the form, if the reader may fill it in again.
    pub again: Option<String>,
}

impl SentPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let title = language.say("sent");
        let content = html! {
            h1 data-sent { (title) }
            p.label dir="auto" { (self.form.name.as_str()) }
            p dir="auto" { (self.thanks.unwrap_or(language.say("thanks"))) }
            @if let Some(receipt) = &self.receipt {
                p { (language.say("receipt")) ": " code { (receipt) } }
            }
            (contact(Some(self.form), language))
            ul.plain {
                @if let Some(path) = &self.answers {
                    li { a href=(shell.at(path)) { (language.say("seeAnswers")) } }
                }
                @if let Some(path) = &self.again {
                    li { a href=(shell.at(path)) { (language.say("fillInAgain")) } }
                }
            }
        };
        shell.page(title, content)
    }
}

/// The page that asks whether to delete a submission.
#[derive(Debug, Clone)]
pub struct DeletePage<'a> {
    /// The token against forged requests.
    pub token: String,
    /// The path of the submission.
    pub submission: &'a str,
}

impl DeletePage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let title = language.say("deleteTitle");
        let content = html! {
            h1 { (title) }
            p { (language.say("deleteText")) }
            form method="post" {
                input type="hidden" name="token" value=(self.token);
                div.actions {
                    button.danger type="submit" { (language.say("delete")) }
                    a.button href=(shell.at(self.submission)) { (language.say("keep")) }
                }
            }
        };
        shell.page(title, content)
    }
}

/// The page that someone sees who sends answers after the session has ended. It keeps what was entered.
#[derive(Debug, Clone)]
pub struct EndedPage<'a> {
    /// The names and values that were sent.
    pub sent: &'a [(String, String)],
    /// Whether files were sent, too, which are not kept.
    pub has_lost_files: bool,
}

impl EndedPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let title = language.say("ended");
        let content = html! {
            h1 { (title) }
            p { (language.say("endedText")) }
            @if self.has_lost_files {
                p { (language.say("file.lost")) }
            }
            form method="post" {
                @for (name, value) in self.sent {
                    input type="hidden" name=(name) value=(value);
                }
                div.actions {
                    a.button href=(shell.at("/sign-in")) target="_blank" rel="noopener" {
                        (language.say("signIn"))
                    }
                    button.primary type="submit" { (language.say("continue")) }
                }
            }
        };
        shell.page(title, content)
    }
}
