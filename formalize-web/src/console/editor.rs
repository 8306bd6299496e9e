//! The page on which the questions of a form are edited, and the one on which a new form begins.

use formalize_core::editor::{Card, CardFields, EditError, Fault};
use formalize_core::forms::SchemaTrial;
use formalize_core::questions::Entries;
use maud::{Markup, html};

use super::editor_words::{edit_problem, warning_text};
use super::frame::{FormFrame, FormTab, Section, page};
use super::template::Template;
use crate::asset::Asset;
use crate::field::{Fields, id};
use crate::file_field::FileFields;
use crate::form::{problems_of, summary};
use crate::language::Language;
use crate::problem::counted;
use crate::shell::Shell;

/// How the schema is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditorView {
    /// As cards.
    Questions,
    /// As text.
    Text,
}

impl EditorView {
    /// The value of the input that keeps the view.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Questions => "questions",
            Self::Text => "text",
        }
    }
}

/// What the editor says about what was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditorNotice {
    /// The questions were saved.
    Saved,
    /// There was nothing to save.
    Unchanged,
    /// Nothing was saved, because the page was too old.
    Resend,
    /// The name of the form is missing or too long.
    NameInvalid,
    /// Nothing was saved, because the schema has faults.
    Faults,
    /// Nothing was saved, for another reason.
    Failed,
    /// There are this many submissions, so the author is asked before something is saved. If there are more than can be
    /// counted, the flag is set.
    HasSubmissions(usize, bool),
    /// Somebody else has changed the questions meanwhile. This is their text.
    Conflict(String),
}

/// The page on which the questions of a form are edited.
#[derive(Debug, Clone)]
pub struct EditorPage<'a> {
    /// The name and tabs of the form; `None` if it is a new one.
    pub frame: Option<FormFrame<'a>>,
    /// The path to which the page is sent.
    pub action: &'a str,
    /// The token against forged requests.
    pub token: String,
    /// The name of a new form.
    pub name: &'a str,
    /// The revision of the form that the author began with.
    pub revision: Option<String>,
    /// The text of the schema.
    pub text: &'a str,
    /// Whether the text differs from the stored one.
    pub is_changed: bool,
    /// How it is shown.
    pub view: EditorView,
    /// The cards; empty if the text is not JSON.
    pub cards: &'a [Card],
    /// Whether questions can depend on answers to others.
    pub takes_conditions: bool,
    /// The languages of the texts.
    pub languages: &'a [String],
    /// The pointer of the card that is being edited.
    pub open: Option<&'a str>,
    /// The fields that were entered and could not be applied.
    pub entered: Option<&'a CardFields>,
    /// Why they could not be applied, or what else was not possible.
    pub problem: Option<&'a EditError>,
    /// The value of the button that gets the focus.
    pub focus: Option<&'a str>,
    /// What is said about what was done.
    pub notice: Option<EditorNotice>,
    /// The trial of the text.
    pub trial: &'a SchemaTrial,
    /// What was entered in the preview.
    pub entries: &'a Entries,
    /// The language of the preview.
    pub spoken: Option<&'a str>,
}

/// The text of a schema in an input that has no line breaks.
pub(crate) fn packed(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The `id` of a card.
pub(super) fn card_id(pointer: &str) -> String {
    format!("e{}", id(pointer))
}

impl EditorPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let problems = self.has_problems();
        let content = html! {
            @if self.frame.is_none() {
                h1 { (language.say("newForm")) }
            }
            (self.notice(shell))
            (self.faults(language))
            form.editor id="editor" method="post" action=(shell.action(self.action)) novalidate autocomplete="off"
                data-changed[self.is_changed] {
                // The Enter key presses the first button.
                button type="submit" name="do" value="apply" hidden { (language.say("editor.apply")) }
                (self.hidden())
                div.workbench {
                    div.work {
                        (self.head(language))
                        @match self.view {
                            EditorView::Questions => (self.questions(language)),
                            EditorView::Text => (self.text_area(language)),
                        }
                    }
                    (self.preview(shell))
                }
                div.actions.bottom {
                    button.primary type="submit" name="do" value="save" {
                        (language.say(if self.frame.is_some() { "saveChanges" } else { "editor.create" }))
                    }
                    @if self.is_changed {
                        span.hint { (language.say("editor.unsaved")) }
                    }
                }
                p.status role="status" {}
                div.failure role="alert" hidden {
                    p { (language.say("editor.failed")) }
                }
            }
        };
        let script = Some(Asset::ConsoleScript);
        match &self.frame {
            Some(frame) => frame.page(shell, FormTab::Questions, problems, script, &content),
            None => page(
                shell,
                Section::Forms,
                language.say("newForm"),
                problems,
                script,
                content,
            ),
        }
    }

    fn has_problems(&self) -> bool {
        let is_refused = matches!(
            self.notice,
            Some(
                EditorNotice::Faults
                    | EditorNotice::NameInvalid
                    | EditorNotice::Failed
                    | EditorNotice::Conflict(_)
            )
        );
        is_refused || self.problem.is_some() || self.trial.is_accepted == Some(false)
    }

    fn hidden(&self) -> Markup {
        let pairs = [
            ("token", Some(self.token.clone())),
            ("revision", self.revision.clone()),
            ("text", Some(packed(self.text))),
            ("view", Some(self.view.as_str().to_owned())),
            ("open", self.open.map(str::to_owned)),
            ("shown", Some(self.languages.join(" "))),
        ];
        html! {
            @for (name, value) in pairs {
                @if let Some(value) = value {
                    input type="hidden" name=(name) value=(value);
                }
            }
        }
    }

    /// What was done, or what the author has to decide.
    fn notice(&self, shell: &Shell<'_>) -> Markup {
        let language = shell.language;
        let said = |key| html! { p.note role="status" { (language.say(key)) } };
        let alert = |key| {
            html! {
                div.summary role="alert" tabindex="-1" autofocus { p { (language.say(key)) } }
            }
        };
        match &self.notice {
            None => html! {},
            Some(EditorNotice::Saved) => said("changed"),
            Some(EditorNotice::Unchanged) => said("editor.unchanged"),
            Some(EditorNotice::Resend) => said("notice.resend"),
            Some(EditorNotice::NameInvalid) => html! {
                div.summary role="alert" tabindex="-1" autofocus {
                    h2 { (language.say("refusedTitle")) }
                    ul { li { a href="#e-name" { (language.say("editor.nameInvalid")) } } }
                }
            },
            Some(EditorNotice::Faults) => html! {},
            Some(EditorNotice::Failed) => alert("editor.notSaved"),
            Some(EditorNotice::HasSubmissions(count, is_more)) => {
                let asked = if *is_more {
                    let count = count.to_string();
                    language.say_with("editor.answers.more", &[("count", &count)])
                } else {
                    counted(language, "editor.answers", *count)
                };
                html! {
                    div.note.ask role="alert" tabindex="-1" autofocus {
                        h2 { (language.say("editor.answers.title")) }
                        p { (asked) }
                        p { (language.say("editor.answers.text")) }
                        p { button.primary type="submit" form="editor" name="do" value="save-anyway" {
                            (language.say("editor.saveAnyway"))
                        } }
                    }
                }
            }
            Some(EditorNotice::Conflict(theirs)) => html! {
                div.summary role="alert" tabindex="-1" autofocus {
                    h2 { (language.say("editor.conflict.title")) }
                    p { (language.say("editor.conflict.text")) }
                    details {
                        summary { (language.say("editor.conflict.theirs")) }
                        textarea.code readonly rows="12" aria-label=(language.say("editor.conflict.theirs")) { "\n" (theirs) }
                    }
                    p.choices {
                        button type="submit" form="editor" name="do" value="save-anyway" {
                            (language.say("editor.conflict.mine"))
                        }
                        a.button href=(shell.at(self.action)) { (language.say("editor.conflict.take")) }
                    }
                }
            },
        }
    }

    /// The faults of the schema, each with its place.
    fn faults(&self, language: Language) -> Markup {
        let faults = &self.trial.faults;
        let is_refused = self.notice == Some(EditorNotice::Faults);
        html! {
            @if !faults.is_empty() {
                div.summary role="alert" tabindex=[is_refused.then_some("-1")] autofocus[is_refused] {
                    h2 { (language.say("editor.faults")) }
                    ul {
                        @for fault in faults { li { (self.fault(language, fault)) } }
                    }
                }
            }
        }
    }

    fn fault(&self, language: Language, fault: &Fault) -> Markup {
        let place = fault.position.map(|(line, column)| {
            let values = [("line", line.to_string()), ("column", column.to_string())];
            language.say_with("editor.place", &values)
        });
        let card = fault
            .card
            .as_deref()
            .filter(|_| self.view == EditorView::Questions);
        html! {
            @if let Some(card) = card {
                a href={ "#" (card_id(card)) } lang="en" { (fault.message) }
            } @else {
                span lang="en" { (fault.message) }
            }
            @if let Some(place) = place { " – " (place) }
        }
    }

    /// The name of a new form, the languages, and the choice of the view.
    fn head(&self, language: Language) -> Markup {
        let is_wrong = self.notice == Some(EditorNotice::NameInvalid);
        let view = |view: EditorView, label| {
            html! {
                button.view type="submit" name="do" value={ "view:" (view.as_str()) }
                    aria-pressed=(if self.view == view { "true" } else { "false" }) { (language.say(label)) }
            }
        };
        html! {
            @if self.frame.is_none() {
                div.field.wrong[is_wrong] {
                    label for="e-name" { (language.say("editor.name")) }
                    @if is_wrong {
                        p.problem id="e-name.problem" { (language.say("editor.nameInvalid")) }
                    }
                    input id="e-name" name="name" value=(self.name) dir="auto" maxlength="255" required
                        aria-invalid=[is_wrong.then_some("true")]
                        aria-describedby=[is_wrong.then_some("e-name.problem")];
                }
            }
            div.heading {
                h2 { (language.say("tab.questions")) }
                div.views role="group" aria-label=(language.say("editor.view")) {
                    (view(EditorView::Questions, "editor.cards"))
                    (view(EditorView::Text, "editor.text"))
                }
            }
            details.languages open[self.languages.len() > 1] {
                summary { (language.say("editor.languages")) }
                div.field {
                    label for="e-languages" { (language.say("editor.languages.label")) }
                    p.hint id="e-languages.hint" { (language.say("editor.languages.help")) }
                    div.beside {
                        input id="e-languages" name="languages" value=(self.languages.join(", "))
                            aria-describedby="e-languages.hint";
                        button type="submit" name="do" value="apply" { (language.say("editor.apply")) }
                    }
                }
            }
            @if let Some(problem) = self.problem.filter(|_| self.open.is_none()) {
                p.problem role="alert" { (edit_problem(language, problem)) }
            }
        }
    }

    fn text_area(&self, language: Language) -> Markup {
        html! {
            div.field {
                label for="e-text" { (language.say("editor.schema")) }
                p.hint id="e-text.hint" { (language.say("editor.schema.help")) }
                textarea.code.schema id="e-text" name="written" rows="28" spellcheck="false" wrap="off"
                    aria-describedby="e-text.hint" { "\n" (self.text) }
            }
        }
    }

    /// The form as people will see it.
    fn preview(&self, shell: &Shell<'_>) -> Markup {
        let language = shell.language;
        let Some(answers) = &self.trial.answers else {
            return html! {
                section.preview aria-labelledby="preview" {
                    h2 id="preview" { (language.say("editor.preview")) }
                    p.empty { (language.say("editor.noPreview")) }
                }
            };
        };
        let (questions, root) = (&answers.questions, &answers.questions.root);
        let fields = Fields {
            language,
            entries: Some(self.entries),
            is_new: self.trial.is_accepted.is_none(),
            completes: false,
        };
        let name = self
            .frame
            .as_ref()
            .and_then(|frame| frame.name)
            .unwrap_or(self.name);
        let files = FileFields {
            shell,
            files: &[],
            lost: &[],
            is_sent: false,
        };
        let has_files = !questions.files.is_empty();
        let is_empty =
            root.children.is_empty() && root.kind == formalize_core::questions::QuestionKind::Group;
        html! {
            section.preview aria-labelledby="preview" {
                div.heading {
                    h2 id="preview" { (language.say("editor.preview")) }
                    @if self.languages.len() > 1 { (self.spoken(language)) }
                }
                @if (is_empty || self.cards.is_empty()) && !has_files {
                    p.empty { (language.say("editor.noQuestions")) }
                } @else {
                    @match self.trial.is_accepted {
                        Some(true) => p.note.good role="status" tabindex="-1" autofocus { (language.say("editor.accepted")) },
                        Some(false) => (summary(language, questions, &problems_of(root))),
                        None => {}
                    }
                    (fields.root(root, name))
                    (files.inputs(questions))
                    p.try {
                        button type="submit" name="do" value="try" { (language.say("editor.try")) }
                        span.hint { (language.say("editor.try.help")) }
                    }
                }
                (self.warnings(language))
            }
        }
    }

    fn spoken(&self, language: Language) -> Markup {
        html! {
            div.beside {
                label.hint for="e-spoken" { (language.say("editor.spoken")) }
                select id="e-spoken" name="spoken" {
                    @for tag in self.languages {
                        option value=(tag) selected[self.spoken == Some(tag.as_str())] { (tag) }
                    }
                }
                button.show type="submit" name="do" value="show" { (language.say("editor.apply")) }
            }
        }
    }

    fn warnings(&self, language: Language) -> Markup {
        let warnings = &self.trial.warnings;
        html! {
            @if !warnings.is_empty() {
                div.warnings {
                    h3 { (language.say("editor.warnings")) }
                    ul {
                        @for warning in warnings { li { (warning_text(language, warning)) } }
                    }
                }
            }
        }
    }
}

/// The page on which a new form begins.
#[derive(Debug, Clone, Copy)]
pub struct NewFormPage;

impl NewFormPage {
    /// The page as HTML.
    pub fn render(self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let title = language.say("newForm");
        let content = html! {
            h1 { (title) }
            p { (language.say("editor.begin")) }
            ul.templates {
                @for template in Template::ALL {
                    li {
                        a href=(shell.at(&format!("/console/forms/new?template={}", template.key()))) {
                            strong { (template.label(language)) }
                            span { (template.explanation(language)) }
                        }
                    }
                }
            }
        };
        page(shell, Section::Forms, title, false, None, content)
    }
}
