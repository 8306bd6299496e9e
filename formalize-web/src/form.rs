//! The page on which a form is filled in.

use formalize_core::forms::FormHead;
use formalize_core::questions::{Entries, Question, Questions};
use formalize_core::{Error, Violation};
use maud::{Markup, html};

use crate::asset::Asset;
use crate::field::{Fields, id, is_visible};
use crate::file_field::{FileFields, ShownFile, file_id};
use crate::language::Language;
use crate::message::reason_of;
use crate::notice::Notice;
use crate::problem;
use crate::shell::{Extras, Shell};

/// The name of an input that people do not see and leave empty.
pub const HONEYPOT: &str = "website";

/// The page on which a form is filled in.
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are independent of each other"
)]
#[derive(Debug, Clone)]
pub struct FormPage<'a> {
    /// The form; `None` if the reader may see the answers, but not what they are answers to.
    pub form: Option<&'a FormHead>,
    /// The questions.
    pub questions: &'a Questions,
    /// What a person has entered, which is shown again.
    pub entries: Option<&'a Entries>,
    /// Hidden inputs: pairs of name and value.
    pub hidden: &'a [(&'a str, &'a str)],
    /// What to say above the questions, for example why the answers were not sent.
    pub notice: Option<Notice>,
    /// The path of the page that deletes the answers.
    pub delete: Option<&'a str>,
    /// In how many seconds the session ends. The page warns five minutes before. This needs the script.
    pub seconds_left: Option<u64>,
    /// Why the form takes no answers any more. What was entered stays, but cannot be sent.
    pub closed: Option<&'a Error>,
    /// The path to which the page is sent. Pages with questions for files need it: their buttons that store answers say so in
    /// the address (`?do=send`, `?do=save`), so that the server knows before it reads the files.
    pub action: &'a str,
    /// The files that the submission has.
    pub files: &'a [ShownFile],
    /// The groups in which files must be chosen again: browsers do not keep them when the page is shown again.
    pub lost_files: &'a [String],
    /// Whether there is an input with the name [`HONEYPOT`], which people do not see. Programs that fill in every input reveal
    /// themselves by it.
    pub has_honeypot: bool,
    /// Whether questions that were not answered yet are filled in with their defaults: for data that was never stored.
    pub is_new: bool,
    /// Whether the answers were sent before, so that the button that sends them says *Save changes*.
    pub is_change: bool,
    /// Whether the answers can be sent.
    pub sends: bool,
    /// Whether the answers can be saved as a draft.
    pub saves_drafts: bool,
}

impl<'a> FormPage<'a> {
    /// A page whose answers can be sent, with these questions and nothing more.
    pub fn new(form: Option<&'a FormHead>, questions: &'a Questions) -> Self {
        Self {
            form,
            questions,
            entries: None,
            hidden: &[],
            notice: None,
            delete: None,
            seconds_left: None,
            closed: None,
            action: "",
            files: &[],
            lost_files: &[],
            has_honeypot: false,
            is_new: false,
            is_change: false,
            sends: true,
            saves_drafts: false,
        }
    }

    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let name = name_of(self.form, language);
        let root = &self.questions.root;
        let problems = problems_of(root);
        let fields = Fields {
            language,
            entries: self.entries,
            is_new: self.is_new,
            completes: root.autocomplete.as_deref() != Some("off"),
        };
        let files = FileFields {
            shell,
            files: self.files,
            lost: self.lost_files,
            is_sent: true,
        };
        let sends_files = !self.questions.files.is_empty();
        let action = sends_files.then(|| shell.action(self.action));
        let storing = |button: &str| {
            let path = format!("{}?do={button}", self.action);
            sends_files.then(|| shell.action(&path))
        };
        let authored = self.questions.texts.send.as_deref();
        let send = if self.is_change {
            language.say("saveChanges")
        } else {
            authored.unwrap_or(language.say("send"))
        };
        let content = html! {
            h1 dir="auto" { (name) }
            @if let Some(notice) = self.notice {
                p.note role="status" { (notice.text(language)) }
            }
            @if let Some(reason) = self.closed {
                div.note.closed role="alert" tabindex="-1" autofocus {
                    h2 { (language.say("closed")) }
                    @let authored = self.questions.texts.closed.as_deref();
                    p dir="auto" { (authored.unwrap_or(reason_of(language, reason))) }
                    p { (language.say("closed.kept")) }
                }
            }
            (summary(language, self.questions, &problems))
            @if !self.questions.is_complete {
                p.note { (language.say("incomplete")) }
            }
            form method="post" action=[action] enctype=[sends_files.then_some("multipart/form-data")] novalidate autocomplete=[(!fields.completes).then_some("off")] {
                // The Enter key presses the first button.
                @let (pressed, label) = if self.sends { ("send", send) } else { ("save", language.say("save")) };
                button type="submit" name="do" value=(pressed) formaction=[storing(pressed)] hidden disabled[self.closed.is_some()] { (label) }
                @for (name, value) in self.hidden {
                    input type="hidden" name=(name) value=(value);
                }
                @for file in self.files.iter().filter(|file| file.is_removed) {
                    input type="hidden" name="remove-file" value=(file.id);
                }
                @if self.has_honeypot {
                    div.trap aria-hidden="true" {
                        input name=(HONEYPOT) tabindex="-1" autocomplete="off";
                    }
                }
                (fields.root(root, name))
                // Behind all other inputs, which the server reads first.
                (files.inputs(self.questions))
                (contact(self.form, language))
                (for_script(language))
                @if let Some(seconds) = self.seconds_left {
                    p.note role="alert" data-seconds-left=(seconds) hidden { (language.say("sessionEnds")) }
                }
                div.actions {
                    @if self.sends {
                        button.primary type="submit" name="do" value="send" formaction=[storing("send")] disabled[self.closed.is_some()] { (send) }
                    }
                    @if self.saves_drafts {
                        button type="submit" name="do" value="save" formaction=[storing("save")] { (language.say("save")) }
                    }
                    @if let Some(path) = self.delete {
                        a.button href=(shell.at(path)) { (language.say("delete")) }
                    }
                }
            }
        };
        let mut asked = self.questions.files.iter();
        let title = if problems.is_empty() && asked.all(|one| one.problems.is_empty()) {
            name.to_owned()
        } else {
            language.say_with("errorTitle", &[("title", name)])
        };
        let extras = Extras {
            script: Some(Asset::Script),
            ..Extras::default()
        };
        shell.page_with(&extras, &title, content)
    }
}

/// The heading of a page with answers.
pub(crate) fn name_of(form: Option<&FormHead>, language: Language) -> &str {
    form.map_or(language.say("answers"), |form| form.name.as_str())
}

/// Whom to ask about a form, if it says so.
pub(crate) fn contact(form: Option<&FormHead>, language: Language) -> Markup {
    let contact = form.and_then(|form| form.contact.as_ref());
    html! {
        @if let Some(contact) = contact {
            p.contact { (language.say("contact")) ": " bdi { (contact.as_str()) } }
        }
    }
}

/// All problems, each with a link to its question. It gets the focus.
pub(crate) fn summary(
    language: Language,
    questions: &Questions,
    problems: &[(&Question, &Violation)],
) -> Markup {
    let omitted = questions.omitted_problems;
    let of_files = || {
        let files = questions.files.iter();
        files.flat_map(|question| question.problems.iter().map(move |one| (question, one)))
    };
    let count = [problems.len(), of_files().count(), omitted].iter().sum();
    html! {
        @if count > 0 {
            div.summary role="alert" tabindex="-1" autofocus {
                h2 { (problem::counted(language, "problems", count)) }
                ul {
                    @for (question, problem) in problems {
                        li {
                            @let message = named_problem(language, question, problem);
                            @if is_visible(question) {
                                a href={ "#" (id(&question.pointer)) } { (message) }
                            } @else {
                                (message)
                            }
                        }
                    }
                    @for (question, problem) in of_files() {
                        li {
                            a href={ "#" (file_id(question)) } {
                                bdi { (question.label) } " – " (problem::file_message(language, problem))
                            }
                        }
                    }
                    @if omitted > 0 {
                        li { (problem::counted(language, "problems.more", omitted)) }
                    }
                }
            }
        }
    }
}

/// What the script of the page says, in the language of the page.
fn for_script(language: Language) -> Markup {
    html! {
        p.status role="status" data-added=(language.say("added")) data-removed=(language.say("removed")) {}
        div.failure role="alert" hidden {
            p { (language.say("failed")) }
            button type="submit" name="do" value="show" { (language.say("tryAgain")) }
        }
    }
}

fn named_problem(language: Language, question: &Question, problem: &Violation) -> Markup {
    html! {
        @if !question.label.is_empty() {
            bdi { (question.label) } " – "
        }
        (problem::message(language, question, problem))
    }
}

/// The problems of a question and of those within it, in the order of the page.
pub(crate) fn problems_of(root: &Question) -> Vec<(&Question, &Violation)> {
    let mut found = Vec::new();
    let mut pending = vec![root];
    while let Some(question) = pending.pop() {
        found.extend(question.problems.iter().map(|problem| (question, problem)));
        pending.extend(question.children.iter().rev());
    }
    found
}
