//! What all pages have in common.

use maud::{DOCTYPE, Markup, html};

use crate::asset::Asset;
use crate::language::Language;

/// What surrounds the content of a page: its head, header and footer.
#[derive(Debug, Clone)]
pub struct Shell<'a> {
    pub(crate) language: Language,
    title: &'a str,
    base_path: &'a str,
    links: &'a [(String, String)],
}

impl<'a> Shell<'a> {
    /// A shell with the title `formalize` and no links.
    pub fn new(language: Language) -> Self {
        Self {
            language,
            title: "formalize",
            base_path: "",
            links: &[],
        }
    }

    /// Sets the title of the service, which is shown on every page.
    #[must_use]
    pub fn title(mut self, title: &'a str) -> Self {
        self.title = title;
        self
    }

    /// Sets the path that precedes those of this crate, without a slash at its end.
    #[must_use]
    pub fn base_path(mut self, base_path: &'a str) -> Self {
        self.base_path = base_path;
        self
    }

    /// Sets the links in the footer, such as an imprint: pairs of label and URL.
    #[must_use]
    pub fn links(mut self, links: &'a [(String, String)]) -> Self {
        self.links = links;
        self
    }

    /// A whole page. `title` is that of the page.
    pub(crate) fn page(&self, title: &str, content: &Markup, script: Option<Asset>) -> String {
        let path = |asset: Asset| format!("{}{}", self.base_path, asset.path());
        let page = html! {
            (DOCTYPE)
            html lang=(self.language.tag()) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (title) " – " (self.title) }
                    link rel="stylesheet" href=(path(Asset::Style));
                    @if let Some(script) = script {
                        // What the script hides is never shown first.
                        script type="module" blocking="render" src=(path(script)) {}
                    }
                }
                body {
                    a.skip href="#content" { (self.language.say("skip")) }
                    header.bar { p dir="auto" { (self.title) } }
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
}
