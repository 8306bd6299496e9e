//! The page about the state of a form.

use maud::{Markup, html};

use super::frame::{FormFrame, FormTab};
use super::parts::to_copy;
use crate::asset::Asset;
use crate::language::Language;
use crate::moment::LocalTime;
use crate::problem::counted;
use crate::shell::Shell;

/// Whether a form takes answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormState {
    /// It does, until a time if there is one.
    Open(Option<LocalTime>),
    /// It will from this time.
    Opens(LocalTime),
    /// It did until this time.
    Closed(LocalTime),
    /// It takes drafts only.
    DraftsOnly,
}

impl FormState {
    pub(crate) fn badge(&self, language: Language) -> Markup {
        let (class, text) = match self {
            Self::Open(_) => ("open", "state.open"),
            Self::Opens(_) => ("later", "state.later"),
            Self::Closed(_) => ("closed", "state.closed"),
            Self::DraftsOnly => ("later", "state.drafts"),
        };
        html! { span.badge.(class) { (language.say(text)) } }
    }

    fn sentence(&self, language: Language) -> String {
        let (key, time) = match self {
            Self::Open(None) => ("state.open.text", None),
            Self::Open(Some(end)) => ("state.open.until", Some(end)),
            Self::Opens(start) => ("state.later.text", Some(start)),
            Self::Closed(end) => ("state.closed.text", Some(end)),
            Self::DraftsOnly => ("state.drafts.text", None),
        };
        let time = time.map(|time| time.words(language));
        language.say_with(key, &[("time", time.as_deref().unwrap_or_default())])
    }
}

/// A public link and how often it was used.
#[derive(Debug, Clone)]
pub struct LinkPlaces {
    /// The label.
    pub label: String,
    /// The number of submissions.
    pub taken: i64,
    /// The maximum number of submissions, if there is one.
    pub cap: Option<i64>,
}

/// The page about the state of a form.
#[derive(Debug, Clone)]
pub struct FormOverviewPage<'a> {
    /// The name and tabs of the form.
    pub frame: FormFrame<'a>,
    /// Whether it takes answers.
    pub state: FormState,
    /// The number of answers of the last seven days, if the reader may read them.
    pub new_answers: Option<usize>,
    /// The address at which it is filled in.
    pub address: String,
    /// The path of the page on which the reader may fill it in.
    pub fill_in: Option<String>,
    /// The maximum number of submissions of each person.
    pub cap: Option<i64>,
    /// The maximum number of submissions.
    pub limit: Option<i64>,
    /// Whether drafts may be saved.
    pub takes_drafts: bool,
    /// When it was created.
    pub created: LocalTime,
    /// The public links, if the reader may see them.
    pub links: Vec<LinkPlaces>,
    /// The path of the page that deletes the form, if the reader may do that but not change settings.
    pub delete: Option<String>,
}

impl FormOverviewPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let content = html! {
            div.columns {
                section.card aria-labelledby="state" {
                    div.heading {
                        h2 id="state" { (language.say("state")) }
                        (self.state.badge(language))
                    }
                    p { (self.state.sentence(language)) }
                    (self.facts(language))
                }
                section.card aria-labelledby="address" {
                    h2 id="address" { (language.say("address")) }
                    p.help id="address.help" { (language.say("address.help")) }
                    (to_copy(language, &html! {
                        input readonly value=(self.address) aria-labelledby="address" aria-describedby="address.help";
                    }))
                    @if let Some(path) = &self.fill_in {
                        p.actions { a.button href=(shell.at(path)) { (language.say("fillIn")) } }
                    }
                }
            }
            @if !self.links.is_empty() {
                section.card aria-labelledby="links" {
                    h2 id="links" { (language.say("tab.links")) }
                    ul.rows {
                        @for link in &self.links {
                            li {
                                span dir="auto" { (link.label) }
                                span.facts { (places(language, link.taken, link.cap)) }
                            }
                        }
                    }
                }
            }
            @if let Some(path) = &self.delete {
                div.actions {
                    a.button.danger href=(shell.at(path)) { (language.say("deleteForm")) }
                }
            }
        };
        let script = Some(Asset::ConsoleScript);
        self.frame
            .page(shell, FormTab::Overview, false, script, &content)
    }

    fn facts(&self, language: Language) -> Markup {
        let at_most = |number: Option<i64>| match number {
            Some(number) => language.say_with("atMost", &[("number", &number.to_string())]),
            None => language.say("unlimited").to_owned(),
        };
        let drafts = if self.takes_drafts { "yes" } else { "no" };
        html! {
            dl.facts {
                @if let Some(count) = self.new_answers {
                    dt { (language.say("newAnswers")) }
                    dd { (counted_new(language, count)) }
                }
                dt { (language.say("perPerson")) }
                dd { (at_most(self.cap)) }
                dt { (language.say("inTotal")) }
                dd { (at_most(self.limit)) }
                dt { (language.say("drafts")) }
                dd { (language.say(drafts)) }
                dt { (language.say("created")) }
                dd { (self.created.markup(language)) }
            }
        }
    }
}

/// How often a public link was used.
pub(crate) fn places(language: Language, taken: i64, cap: Option<i64>) -> String {
    match cap {
        Some(cap) => {
            let values = [("taken", taken.to_string()), ("cap", cap.to_string())];
            language.say_with("places.of", &values)
        }
        None => counted(
            language,
            "places",
            usize::try_from(taken).unwrap_or_default(),
        ),
    }
}

/// The most answers that are counted.
pub(crate) const COUNTED: usize = 1_000;

/// The number of new answers in words.
pub(crate) fn counted_new(language: Language, count: usize) -> String {
    if count < COUNTED {
        counted(language, "new", count)
    } else {
        language.say("new.most").to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_times_have_a_singular() {
        for (language, once, twice) in [
            (Language::English, "Used 1 time", "Used 2 times"),
            (Language::German, "1-mal benutzt", "2-mal benutzt"),
            (Language::French, "Utilisé 1 fois", "Utilisé 2 fois"),
        ] {
            let said = |taken| places(language, taken, None);
            assert_eq!((said(1), said(2)), (once.to_owned(), twice.to_owned()));
        }
    }
}
