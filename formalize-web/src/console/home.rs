//! The first page of the console.

use maud::{Markup, html};

use super::form::{FormState, counted_new};
use super::frame::{Section, page};
use crate::shell::Shell;

/// The first page of the console: the forms that a person may fill in, and those to look after.
#[derive(Debug, Clone, Default)]
pub struct ConsolePage {
    /// The forms to fill in: the name of each, and its path.
    pub to_fill_in: Vec<(String, String)>,
    /// The path of the next page of forms to fill in.
    pub more_to_fill_in: Option<String>,
    /// The forms to look after.
    pub forms: Vec<FormRow>,
    /// The path of the next page of forms to look after.
    pub more_forms: Option<String>,
    /// The path of the page on which to create a form, if the reader may do that.
    pub new_form: Option<String>,
}

/// A form in a list.
#[derive(Debug, Clone)]
pub struct FormRow {
    /// The name.
    pub name: String,
    /// The path of the page about the form.
    pub path: String,
    /// Whether it takes answers.
    pub state: FormState,
    /// The number of answers of the last seven days that the reader may read.
    pub new_answers: usize,
}

impl ConsolePage {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let title = language.say("forms");
        let is_empty = self.to_fill_in.is_empty() && self.forms.is_empty();
        let content = html! {
            div.heading {
                h1 { (title) }
                @if let Some(path) = &self.new_form {
                    a.button.primary href=(shell.at(path)) { (language.say("newForm")) }
                }
            }
            @if is_empty {
                p.empty {
                    @if let Some(path) = &self.new_form {
                        a href=(shell.at(path)) { (language.say("firstForm")) }
                    } @else {
                        (language.say("noForms"))
                    }
                }
            }
            @if !self.forms.is_empty() {
                section aria-labelledby="forms" {
                    h2 id="forms" { (language.say("formsToManage")) }
                    ul.rows {
                        @for form in &self.forms { (row(shell, form)) }
                    }
                    (more(shell, self.more_forms.as_deref(), "formsToManage"))
                }
            }
            @if !self.to_fill_in.is_empty() {
                section aria-labelledby="to-fill-in" {
                    h2 id="to-fill-in" { (language.say("formsToFillIn")) }
                    ul.rows {
                        @for (name, path) in &self.to_fill_in {
                            li { a href=(shell.at(path)) dir="auto" { (name) } }
                        }
                    }
                    (more(shell, self.more_to_fill_in.as_deref(), "formsToFillIn"))
                }
            }
        };
        page(shell, Section::Forms, title, false, None, content)
    }
}

fn row(shell: &Shell<'_>, form: &FormRow) -> Markup {
    let language = shell.language;
    html! {
        li {
            a href=(shell.at(&form.path)) dir="auto" { (form.name) }
            div.facts {
                (form.state.badge(language))
                @if form.new_answers > 0 {
                    span.badge.new { (counted_new(language, form.new_answers)) }
                }
            }
        }
    }
}

/// A link to the next page of a list.
fn more(shell: &Shell<'_>, path: Option<&str>, list: &str) -> Markup {
    let language = shell.language;
    html! {
        @if let Some(path) = path {
            p.more {
                a href=(shell.at(path)) { (language.say_with("moreOf", &[("list", language.say(list))])) }
            }
        }
    }
}
