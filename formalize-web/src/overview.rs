//! The page that people see after they have signed in.

use maud::html;

use crate::shell::Shell;

/// The forms that a person may fill in.
#[derive(Debug, Clone, Default)]
pub struct OverviewPage {
    /// The name of each form, and its path.
    pub forms: Vec<(String, String)>,
    /// The path of the next page.
    pub next: Option<String>,
}

impl OverviewPage {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let title = language.say("forms");
        let content = html! {
            h1 { (title) }
            @if self.forms.is_empty() {
                p { (language.say("noForms")) }
            } @else {
                ul.list {
                    @for (name, path) in &self.forms {
                        li { a href=(shell.at(path)) dir="auto" { (name) } }
                    }
                }
            }
            @if let Some(next) = &self.next {
                p { a href=(shell.at(next)) { (language.say("more")) } }
            }
        };
        shell.page(title, content)
    }
}
