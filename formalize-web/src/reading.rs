//! The page on which answers are read.

use formalize_core::forms::FormHead;
use formalize_core::questions::{Question, QuestionKind, Questions, ShownAnswer};
use maud::{Markup, html};

use crate::answer::words;
use crate::field::{Fields, has_parts, is_merged, is_visible, item_label};
use crate::file_field::{FileFields, ShownFile};
use crate::form::{contact, name_of};
use crate::notice::Notice;
use crate::shell::Shell;

/// The page on which answers are read but not changed.
#[derive(Debug, Clone)]
pub struct ReadingPage<'a> {
    /// The form, if the reader may see it.
    pub form: Option<&'a FormHead>,
    /// The questions, with the answers as their values.
    pub questions: &'a Questions,
    /// The files.
    pub files: &'a [ShownFile],
    /// What to say above the answers.
    pub notice: Option<Notice>,
    /// The path of the page that deletes the answers, if the reader may do that.
    pub delete: Option<String>,
}

impl ReadingPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let fields = Fields {
            language,
            entries: None,
            is_new: false,
            completes: false,
        };
        let files = FileFields {
            shell,
            files: self.files,
            lost: &[],
            is_sent: false,
        };
        let title = name_of(self.form, language);
        let content = html! {
            h1 dir="auto" { (title) }
            @if let Some(notice) = self.notice {
                p.note role="status" { (notice.text(language)) }
            }
            (fields.reading(&self.questions.root))
            (files.reading(self.questions))
            (contact(self.form, language))
            @if let Some(path) = &self.delete {
                div.actions { a.button href=(shell.at(path)) { (language.say("delete")) } }
            }
        };
        shell.page(title, content)
    }
}

impl Fields<'_> {
    /// The answers to a question and to those within it.
    fn reading(&self, question: &Question) -> Markup {
        if question.pointer.is_empty() && !has_parts(question) {
            return html! { p.value dir="auto" { (self.answer(question)) } };
        }
        html! {
            @if question.kind == QuestionKind::Variant {
                p.value dir="auto" { (self.chosen_variant(question)) }
            }
            @for (at, child) in question.children.iter().enumerate() {
                @if is_merged(question, child) {
                    (self.reading(child))
                } @else if is_visible(child) {
                    @let label = item_label(question, child, at);
                    @if has_parts(child) {
                        div.field.group role="group" aria-label=(label) {
                            p.label dir="auto" { (label) }
                            (self.reading(child))
                        }
                    } @else {
                        div.field {
                            p.label dir="auto" { (label) }
                            p.value.code[child.kind == QuestionKind::Json] dir="auto" { (self.answer(child)) }
                        }
                    }
                }
            }
        }
    }

    /// The answer to a question without parts, in words.
    fn answer(&self, question: &Question) -> String {
        let shown = question.shown_answer();
        let answer = match (question.kind, shown) {
            // What was entered as JSON is shown so.
            (QuestionKind::Json, ShownAnswer::Several(_) | ShownAnswer::Named(_)) => {
                self.text(question)
            }
            (_, shown) => words(self.language, &shown),
        };
        if answer.is_empty() {
            self.language.say("noAnswer").to_owned()
        } else {
            answer
        }
    }

    fn chosen_variant(&self, question: &Question) -> String {
        let chosen = question.value.as_ref().map(|value| value.get());
        let mut choices = question.choices.iter();
        let found = choices.find(|choice| Some(choice.value.as_str()) == chosen);
        found.map_or_else(
            || self.language.say("noAnswer").to_owned(),
            |choice| choice.label.clone(),
        )
    }
}
