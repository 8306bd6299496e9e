//! The page with the sessions and API tokens of a person.

use maud::{Markup, html};

use super::frame::{Section, page};
use super::parts::{Input, Problems, created_secret, pages, token};
use crate::asset::Asset;
use crate::language::Language;
use crate::moment::LocalTime;
use crate::shell::Shell;

/// The page with the sessions and API tokens of a person.
#[derive(Debug, Clone, Default)]
pub struct TokensPage {
    /// The sessions and tokens.
    pub tokens: Vec<TokenRow>,
    /// The path of the next page.
    pub next: Option<String>,
    /// The token against forged requests.
    pub token: String,
    /// The secret of the token that was just created.
    pub created: Option<String>,
    /// Whether the reader may create tokens.
    pub may_create: bool,
    /// The label that was entered.
    pub label: String,
    /// The number of days that was chosen.
    pub days: Option<String>,
    /// Why it was refused.
    pub problems: Problems,
}

/// A session or an API token.
#[derive(Debug, Clone)]
pub struct TokenRow {
    /// The identifier.
    pub id: String,
    /// The label of a token.
    pub label: Option<String>,
    /// Whether it is a session.
    pub is_session: bool,
    /// Whether it is the session in which the page was opened.
    pub is_own: bool,
    /// When it was created.
    pub created: LocalTime,
    /// When it was used for the last time.
    pub used: Option<LocalTime>,
    /// When it expires.
    pub expires: Option<LocalTime>,
}

/// The lifetimes that can be chosen, in days.
const DAYS: [&str; 3] = ["7", "30", "90"];

impl TokensPage {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let title = language.say("tokens");
        let content = html! {
            h1 { (title) }
            @if let Some(secret) = &self.created {
                (created_secret(language, ["token", "createdToken", "createdToken.help"], secret))
            }
            (self.problems.summary(language))
            p.help { (language.say("tokens.help")) }
            form method="post" {
                (token(&self.token))
                ul.rows { @for row in &self.tokens { (entry(language, row)) } }
            }
            (pages(shell, "pages", None, self.next.as_deref()))
            @if self.may_create { (self.creating(language)) }
        };
        let is_refused = !self.problems.is_empty();
        let script = self.created.as_ref().map(|_| Asset::ConsoleScript);
        page(shell, Section::Tokens, title, is_refused, script, content)
    }

    fn creating(&self, language: Language) -> Markup {
        let inputs = self.problems.inputs(language);
        let days = self.days.as_deref().unwrap_or("30");
        let labels = DAYS.map(|days| language.say_with("days", &[("count", days)]));
        let choices: Vec<_> = DAYS
            .into_iter()
            .zip(labels.iter().map(String::as_str))
            .collect();
        html! {
            section.card aria-labelledby="new-token" {
                h2 id="new-token" { (language.say("newToken")) }
                p.help { (language.say("newToken.help")) }
                form method="post" novalidate {
                    (token(&self.token))
                    div.columns {
                        (inputs.text(Input::new("label", "label", &self.label)))
                        (inputs.choice(Input { is_required: true, ..Input::new("days", "validFor", days) }, &choices))
                    }
                    div.actions {
                        button.primary type="submit" name="do" value="create" { (language.say("newToken.do")) }
                    }
                }
            }
        }
    }
}

fn entry(language: Language, row: &TokenRow) -> Markup {
    let kind = match (row.is_session, row.is_own) {
        (true, true) => "session.own",
        (true, false) => "session",
        (false, _) => "token",
    };
    let kind = language.say(kind);
    let name = row.label.as_deref().unwrap_or(kind);
    let time = |time: &LocalTime| time.words(language);
    let used = row.used.as_ref().map(time);
    html! {
        li {
            div {
                p.name dir="auto" { (name) }
                p.hint {
                    @if row.label.is_some() { (kind) " · " }
                    (language.say_with("created.at", &[("time", &time(&row.created))])) " · "
                    @if let Some(used) = used {
                        (language.say_with("used.at", &[("time", &used)]))
                    } @else {
                        (language.say("used.never"))
                    }
                    @if let Some(expires) = &row.expires {
                        " · " (language.say_with("expires.at", &[("time", &time(expires))]))
                    }
                }
            }
            @if !row.is_own {
                button.small type="submit" name="do" value={ "revoke:" (row.id) }
                    aria-label=(language.say_with("revoke.this", &[("name", name)])) {
                    (language.say("revoke"))
                }
            }
        }
    }
}
