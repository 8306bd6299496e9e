//! What all pages have in common.

use maud::{DOCTYPE, Markup, html};

use crate::asset::Asset;
use crate::language::Language;

/// What surrounds the content of a page: its head, header and footer.
#[derive(Debug, Clone)]
pub struct Shell<'a> {
    /// The language of the page.
    pub language: Language,
    /// The title of the service, which is shown on every page.
    pub title: &'a str,
    /// The path that precedes those of this crate, without a slash at its end.
    pub base_path: &'a str,
    /// The links in the footer, such as an imprint: pairs of label and URL.
    pub links: &'a [(String, String)],
    /// The path of a style sheet of the operator.
    pub style: Option<&'a str>,
    /// The path of a logo before the title.
    pub logo: Option<&'a str>,
    /// Who has signed in. The page shows it, with a button to sign out.
    pub account: Option<Account<'a>>,
    /// The origins of pages that may show this one in a frame, separated by blanks.
    pub frame: Option<String>,
    /// Whether there is only the content of the page, for scripts that replace it.
    pub is_part: bool,
    /// Whether forms are sent to addresses with the language of the page, because its own address names it.
    pub keeps_language: bool,
}

/// What some pages have beside their content.
#[derive(Debug, Default)]
pub(crate) struct Extras {
    /// A script that improves the page.
    pub(crate) script: Option<Asset>,
    /// A style besides that of all pages.
    pub(crate) style: Option<Asset>,
    /// Links to other pages, for the header.
    pub(crate) navigation: Option<Markup>,
}

/// Who has signed in.
#[derive(Debug, Clone)]
pub struct Account<'a> {
    /// The identifier of the user.
    pub user: &'a str,
    /// The token against forged requests of the form that signs out.
    pub token: String,
}

impl Shell<'_> {
    /// A shell with the title `formalize` and no links.
    pub fn new(language: Language) -> Self {
        Self {
            language,
            title: "formalize",
            base_path: "",
            links: &[],
            style: None,
            logo: None,
            account: None,
            frame: None,
            is_part: false,
            keeps_language: false,
        }
    }

    /// The address of a path of the service to which a form is sent, or a response leads.
    ///
    /// ```
    /// use formalize_web::{Language, Shell};
    ///
    /// let mut shell = Shell { base_path: "/forms", ..Shell::new(Language::German) };
    /// assert_eq!(shell.action("/console"), "/forms/console");
    /// shell.keeps_language = true;
    /// assert_eq!(shell.action("/console"), "/forms/console?lang=de");
    /// assert_eq!(shell.action("/s/1?saved"), "/forms/s/1?saved&lang=de");
    /// ```
    pub fn action(&self, path: &str) -> String {
        let address = self.at(path);
        if !self.keeps_language {
            return address;
        }
        let separator = if path.contains('?') { '&' } else { '?' };
        format!("{address}{separator}lang={}", self.language.tag())
    }

    /// The address of a path of the service.
    pub(crate) fn at(&self, path: &str) -> String {
        format!("{}{path}", self.base_path)
    }

    /// A whole page, or its content alone. `title` is that of the page.
    pub(crate) fn page(&self, title: &str, content: Markup) -> String {
        self.page_with(&Extras::default(), title, content)
    }

    /// A page with more than its content.
    pub(crate) fn page_with(&self, extras: &Extras, title: &str, content: Markup) -> String {
        if self.is_part {
            return content.into_string();
        }
        let page = html! {
            (DOCTYPE)
            html lang=(self.language.tag()) dir=[self.language.direction()] {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (title) " – " (self.title) }
                    link rel="icon" type=(Asset::Icon.media_type()) href=(self.at(Asset::Icon.path()));
                    link rel="stylesheet" href=(self.at(Asset::Style.path()));
                    @if let Some(style) = extras.style {
                        link rel="stylesheet" href=(self.at(style.path()));
                    }
                    @if let Some(style) = self.style {
                        link rel="stylesheet" href=(self.at(style));
                    }
                    @if let Some(origins) = &self.frame {
                        meta name="formalize-embed" content=(origins);
                        script type="module" src=(self.at(Asset::Frame.path())) {}
                    }
                    @if let Some(script) = extras.script {
                        // What the script hides is never shown first.
                        script type="module" blocking="render" src=(self.at(script.path())) {}
                    }
                }
                body {
                    a.skip href="#content" { (self.language.say("skip")) }
                    (self.header(extras.navigation.as_ref()))
                    main id="content" { (content) }
                    @if !self.links.is_empty() {
                        footer.bar {
                            ul {
                                @for (label, url) in self.links {
                                    li { a href=(url) dir="auto" { (label) } }
                                }
                            }
                        }
                    }
                }
            }
        };
        page.into_string()
    }

    fn header(&self, navigation: Option<&Markup>) -> Markup {
        html! {
            header.bar {
                div {
                    p dir="auto" {
                        @if let Some(logo) = self.logo {
                            img src=(self.at(logo)) alt="" height="32";
                        }
                        (self.title)
                    }
                    @if let Some(navigation) = navigation {
                        (navigation)
                    }
                    @if let Some(account) = &self.account {
                        form method="post" action=(self.action("/sign-out")) {
                            input type="hidden" name="token" value=(account.token);
                            span dir="auto" {
                                (self.language.say_with("signedInAs", &[("user", account.user)]))
                            }
                            button type="submit" { (self.language.say("signOut")) }
                        }
                    }
                }
            }
        }
    }
}
