//! The pages on which answers are listed, and deleted together.

use formalize_core::submissions::{SubmissionTable, TableCell};
use maud::{Markup, html};

use super::frame::{FormFrame, FormTab};
use super::parts::{Input, Problems, pages, token};
use crate::answer::words;
use crate::language::Language;
use crate::moment::LocalTime;
use crate::shell::Shell;

/// The page with the answers to a form.
#[derive(Debug, Clone)]
pub struct AnswersPage<'a> {
    /// The name and tabs of the form.
    pub frame: FormFrame<'a>,
    /// Which answers are shown.
    pub filter: AnswersFilter,
    /// Whether the reader has permission to read all answers.
    pub may_read: bool,
    /// All columns that can be shown.
    pub columns: Vec<AnswerColumn>,
    /// The answers.
    pub rows: Vec<AnswerRow>,
    /// The path of the next page.
    pub next: Option<String>,
    /// The path of the first page, on all others.
    pub first: Option<String>,
    /// The formats of documents with these answers: their names for people, and in addresses.
    pub formats: &'a [(&'a str, &'a str)],
    /// The path of these documents.
    pub download: String,
    /// The path of the page that deletes all submitted answers, if the reader may do that.
    pub delete: Option<String>,
    /// The path of the page that deletes the form, if the reader may do that and has no other page with the button.
    pub delete_form: Option<String>,
}

/// Which answers are shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnswersFilter {
    /// The state: `draft`, `submitted`, or empty for both.
    pub state: String,
    /// Whose answers; empty for everybody's.
    pub creator: String,
    /// The first day on which they were created, such as `2026-01-31`; empty for all before.
    pub from: String,
    /// The last such day; empty for all after.
    pub until: String,
}

impl AnswersFilter {
    /// The catalogue key of the sentence that explains an empty list. With a filter, the list can be empty although the reader
    /// may see some answers, so permission is mentioned only without one.
    pub(super) fn no_answers(&self, may_read: bool) -> &'static str {
        if may_read || *self != Self::default() {
            "noAnswers"
        } else {
            "answers.notAllowed"
        }
    }

    /// A form that shows other answers, with more inputs of the page. It is sent as a query.
    pub(super) fn form(&self, language: Language, more: &Markup) -> Markup {
        let none = Problems::default();
        let inputs = none.inputs(language);
        let states = [
            ("", language.say("allStates")),
            ("submitted", language.say("submitted")),
            ("draft", language.say("draft")),
        ];
        html! {
            form.filters method="get" {
                (inputs.choice(
                    Input { is_required: true, ..Input::new("state", "state", &self.state) },
                    &states,
                ))
                (inputs.text(Input { is_filter: true, ..Input::new("creator", "creator", &self.creator) }))
                @for (name, label, value) in [
                    ("from", "createdFrom", &self.from), ("until", "createdUntil", &self.until),
                ] {
                    (inputs.text(Input { kind: "date", is_filter: true, ..Input::new(name, label, value) }))
                }
                (more)
                div.apply { button type="submit" { (language.say("apply")) } }
            }
        }
    }
}

/// A column of a table of answers.
#[derive(Debug, Clone)]
pub struct AnswerColumn {
    /// The JSON Pointer of the answer.
    pub pointer: String,
    /// The header.
    pub label: String,
    /// Whether the rows have it.
    pub is_shown: bool,
}

/// A row of a table of answers.
#[derive(Debug, Clone)]
pub struct AnswerRow {
    /// The path of the submission.
    pub path: String,
    /// When it was created.
    pub created: LocalTime,
    /// Who created it; empty if that was the system.
    pub creator: String,
    /// Whether it is a draft.
    pub is_draft: bool,
    /// The number of files.
    pub files: usize,
    /// The answers of the columns that are shown.
    pub cells: Vec<TableCell>,
}

impl AnswersPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let content = html! {
            (self.filter.form(language, &self.choices(language)))
            @if self.rows.is_empty() {
                @let may_read = self.may_read || self.first.is_some();
                p.empty { (language.say(self.filter.no_answers(may_read))) }
            } @else {
                (self.table(shell))
            }
            (pages(shell, "pages", self.first.as_deref(), self.next.as_deref()))
            @if !self.formats.is_empty() {
                (self.downloads(shell))
            }
            @if self.delete.is_some() || self.delete_form.is_some() {
                div.actions {
                    @if let Some(path) = &self.delete {
                        a.button.danger href=(shell.at(path)) { (language.say("deleteAll")) }
                    }
                    @if let Some(path) = &self.delete_form {
                        a.button.danger href=(shell.at(path)) { (language.say("deleteForm")) }
                    }
                }
            }
        };
        self.frame
            .page(shell, FormTab::Answers, false, None, &content)
    }

    /// A form whose buttons download the answers that the filter selects.
    fn downloads(&self, shell: &Shell<'_>) -> Markup {
        let language = shell.language;
        let chosen = &self.filter;
        let filter = [
            ("state", &chosen.state),
            ("creator", &chosen.creator),
            ("from", &chosen.from),
            ("until", &chosen.until),
        ];
        html! {
            form.downloads method="get" action=(shell.at(&self.download)) {
                @for (name, value) in filter {
                    input type="hidden" name=(name) value=(value);
                }
                div.option {
                    input type="checkbox" id="labels" name="labels" value="true" aria-describedby="labels.hint";
                    label for="labels" { (language.say("download.labels")) }
                }
                p.hint id="labels.hint" { (language.say("download.labels.hint")) }
                div.actions {
                    @for (name, format) in self.formats {
                        button type="submit" name="format" value=(format) {
                            (language.say_with("download", &[("format", *name)]))
                        }
                    }
                }
            }
        }
    }

    /// Boxes that choose the columns.
    fn choices(&self, language: Language) -> Markup {
        html! {
            @if !self.columns.is_empty() {
                details.field {
                    summary { (language.say("columns")) }
                    fieldset {
                        legend.hidden { (language.say("columns")) }
                        @for (at, column) in self.columns.iter().enumerate() {
                            div.option {
                                input type="checkbox" id={ "column." (at) } name="column" value=(column.pointer)
                                    checked[column.is_shown];
                                label for={ "column." (at) } dir="auto" { (column.label) }
                            }
                        }
                    }
                }
            }
        }
    }

    fn table(&self, shell: &Shell<'_>) -> Markup {
        let language = shell.language;
        let shown = || self.columns.iter().filter(|column| column.is_shown);
        let has_files = self.rows.iter().any(|row| row.files > 0);
        html! {
            div.table role="region" aria-label=(language.say("answers")) tabindex="0" {
                table {
                    thead {
                        tr {
                            th scope="col" { (language.say("created")) }
                            th scope="col" { (language.say("creator")) }
                            th scope="col" { (language.say("state")) }
                            @if has_files {
                                th scope="col" { (language.say("files")) }
                            }
                            @for column in shown() {
                                th scope="col" dir="auto" { (column.label) }
                            }
                        }
                    }
                    tbody {
                        @for row in &self.rows {
                            tr {
                                th scope="row" {
                                    a href=(shell.at(&row.path)) { (row.created.markup(language)) }
                                }
                                td dir="auto" data-label=(language.say("creator")) { (row.creator) }
                                td data-label=(language.say("state")) { (state(language, row.is_draft)) }
                                @if has_files {
                                    td data-label=(language.say("files")) { (row.files) }
                                }
                                @for (column, cell) in shown().zip(&row.cells) {
                                    @let (words, stored) = cell_words(language, cell);
                                    td dir="auto" data-label=(column.label) title=[stored] { (words) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// An answer in words, and the stored value if it differs from them.
fn cell_words(language: Language, cell: &TableCell) -> (String, Option<&str>) {
    let mut words = words(language, &cell.shown);
    if let Some((end, _)) = words.char_indices().nth(SubmissionTable::CELL) {
        words.truncate(end);
        words.push('…');
    }
    let differs = !words.is_empty() && words != cell.stored;
    (words, differs.then_some(cell.stored.as_str()))
}

fn state(language: Language, is_draft: bool) -> Markup {
    let (class, key) = if is_draft {
        ("later", "draft")
    } else {
        ("open", "submitted")
    };
    html! { span.badge.(class) { (language.say(key)) } }
}

/// The page that asks whether to delete all submitted answers of a form, or the form.
#[derive(Debug, Clone)]
pub struct DeleteAllPage<'a> {
    /// The name and tabs of the form.
    pub frame: FormFrame<'a>,
    /// Whether the form itself is deleted, too.
    pub with_form: bool,
    /// The token against forged requests.
    pub token: String,
    /// What to enter, so that nothing is deleted by accident.
    pub confirmation: &'a str,
    /// Whether something else was entered.
    pub is_wrong: bool,
    /// Why nothing was deleted, if it is for another reason.
    pub problems: Problems,
}

impl DeleteAllPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let (tab, title, text) = if self.with_form {
            (self.frame.deletion_tab(), "deleteForm", "deleteForm.text")
        } else {
            (FormTab::Answers, "deleteAll", "deleteAll.text")
        };
        let problem = self.is_wrong.then_some("true");
        let described = if self.is_wrong {
            "confirmation.problem"
        } else {
            "confirmation.text"
        };
        let content = html! {
            (self.problems.summary(language))
            section.card aria-labelledby="delete" {
                h2 id="delete" { (language.say(title)) }
                p id="confirmation.text" { (language.say(text)) }
                form method="post" {
                    (token(&self.token))
                    div.field.wrong[self.is_wrong] {
                        label for="confirmation" {
                            (language.say("confirmation")) " " bdi { (self.confirmation) }
                        }
                        @if self.is_wrong {
                            p.problem id="confirmation.problem" { (language.say("confirmation.wrong")) }
                        }
                        input type="text" id="confirmation" name="confirmation" required autocomplete="off" dir="auto"
                            aria-invalid=[problem] aria-describedby=(described) autofocus[self.is_wrong];
                    }
                    div.actions {
                        button.danger type="submit" name="do" value="delete" { (language.say("delete")) }
                        a.button href=(shell.at(&self.frame.at(tab))) { (language.say("cancel")) }
                    }
                }
            }
        };
        let is_refused = self.is_wrong || !self.problems.is_empty();
        self.frame.page(shell, tab, is_refused, None, &content)
    }
}
