//! What the pages of the console have in common: their navigation, and the tabs of a form.

use maud::{Markup, html};

use crate::asset::Asset;
use crate::language::Language;
use crate::shell::{Extras, Shell};

/// A part of the console, as in its navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// Forms and their answers.
    Forms,
    /// Groups and their members.
    Groups,
    /// Sessions and API tokens of the reader.
    Tokens,
}

impl Section {
    const ALL: [Self; 3] = [Self::Forms, Self::Groups, Self::Tokens];

    const fn path(self) -> &'static str {
        match self {
            Self::Forms => "/console",
            Self::Groups => "/console/groups",
            Self::Tokens => "/console/tokens",
        }
    }

    fn label(self, language: Language) -> &'static str {
        language.say(match self {
            Self::Forms => "forms",
            Self::Groups => "groups",
            Self::Tokens => "tokens",
        })
    }
}

/// A page about a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FormTab {
    /// The state of the form, and its address.
    Overview,
    /// The editor of its questions.
    Questions,
    /// What was submitted.
    Answers,
    /// Counts of what was submitted.
    Summary,
    /// Who may do what.
    Sharing,
    /// Public links.
    Links,
    /// Webhooks.
    Webhooks,
    /// The rules about submissions.
    Settings,
}

impl FormTab {
    /// What follows the path of the form.
    ///
    /// ```
    /// assert_eq!(formalize_web::FormTab::Questions.path(), "/edit");
    /// ```
    pub const fn path(self) -> &'static str {
        match self {
            Self::Overview => "",
            Self::Questions => "/edit",
            Self::Answers => "/submissions",
            Self::Summary => "/summary",
            Self::Sharing => "/sharing",
            Self::Links => "/links",
            Self::Webhooks => "/webhooks",
            Self::Settings => "/settings",
        }
    }

    pub(crate) fn label(self, language: Language) -> &'static str {
        language.say(match self {
            Self::Overview => "tab.overview",
            Self::Questions => "tab.questions",
            Self::Answers => "answers",
            Self::Summary => "tab.summary",
            Self::Sharing => "tab.sharing",
            Self::Links => "tab.links",
            Self::Webhooks => "tab.webhooks",
            Self::Settings => "tab.settings",
        })
    }
}

/// What all pages about a form show: its name, and tabs that lead to the others.
#[derive(Debug, Clone)]
pub struct FormFrame<'a> {
    /// The path of the form in the console, such as `/console/forms/{id}`.
    pub path: String,
    /// The name of the form, if the reader may know it.
    pub name: Option<&'a str>,
    /// The pages that the reader may use.
    pub tabs: Vec<FormTab>,
}

impl FormFrame<'_> {
    /// The path of a page about the form.
    pub(crate) fn at(&self, tab: FormTab) -> String {
        format!("{}{}", self.path, tab.path())
    }

    /// The page with the button that deletes the form: settings, or the next best that the reader may use.
    ///
    /// ```
    /// use formalize_web::{FormFrame, FormTab};
    ///
    /// let tabs = vec![FormTab::Overview, FormTab::Answers];
    /// let frame = FormFrame { path: String::new(), name: None, tabs };
    /// assert_eq!(frame.deletion_tab(), FormTab::Overview);
    /// ```
    pub fn deletion_tab(&self) -> FormTab {
        let mut tabs = [FormTab::Settings, FormTab::Overview].into_iter();
        let usable = tabs.find(|tab| self.tabs.contains(tab));
        usable.unwrap_or(FormTab::Answers)
    }

    /// A page about the form. A title of its own precedes the name of the tab.
    pub(crate) fn page(
        &self,
        shell: &Shell<'_>,
        tab: FormTab,
        problem: bool,
        script: Option<Asset>,
        content: &Markup,
    ) -> String {
        let language = shell.language;
        let label = tab.label(language);
        let heading = self.name.unwrap_or(label);
        let title = match self.name {
            Some(name) => format!("{label} – {name}"),
            None => label.to_owned(),
        };
        let content = html! {
            h1 dir="auto" { (heading) }
            @if self.tabs.len() > 1 {
                nav.tabs aria-label=(language.say("tabs")) {
                    ul {
                        @for other in &self.tabs {
                            li {
                                a href=(shell.at(&self.at(*other))) aria-current=[(*other == tab).then_some("page")] {
                                    (other.label(language))
                                }
                            }
                        }
                    }
                }
            }
            (content)
        };
        page(shell, Section::Forms, &title, problem, script, content)
    }
}

/// A page of the console. If something that was sent is wrong, the title says so.
pub(crate) fn page(
    shell: &Shell<'_>,
    section: Section,
    title: &str,
    problem: bool,
    script: Option<Asset>,
    content: Markup,
) -> String {
    let language = shell.language;
    let title = if problem {
        language.say_with("errorTitle", &[("title", title)])
    } else {
        title.to_owned()
    };
    let navigation = html! {
        nav aria-label=(language.say("console")) {
            ul {
                @for other in Section::ALL {
                    li {
                        a href=(shell.at(other.path())) aria-current=[(other == section).then_some("true")] {
                            (other.label(language))
                        }
                    }
                }
            }
        }
    };
    let extras = Extras {
        script,
        style: Some(Asset::ConsoleStyle),
        navigation: Some(navigation),
    };
    shell.page_with(&extras, &title, content)
}
