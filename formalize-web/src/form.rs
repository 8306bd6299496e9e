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
    form: Option<&'a FormHead>,
    questions: &'a Questions,
    entries: Option<&'a Entries>,
    hidden: &'a [(&'a str, &'a str)],
    notice: Option<Notice>,
    send_label: Option<&'a str>,
    delete: Option<&'a str>,
    seconds_left: Option<u64>,
    closed: Option<&'a Error>,
    action: &'a str,
    files: &'a [ShownFile],
    lost_files: &'a [String],
    has_honeypot: bool,
    is_new: bool,
    sends: bool,
    saves_drafts: bool,
}

impl<'a> FormPage<'a> {
    /// A page for this form; `None` if the reader may see the answers, but not what they are answers to.
    pub fn new(form: Option<&'a FormHead>, questions: &'a Questions) -> Self {
        Self {
            form,
            questions,
            entries: None,
            hidden: &[],
            notice: None,
            send_label: None,
            delete: None,
            seconds_left: None,
            closed: None,
            action: "",
            files: &[],
            lost_files: &[],
            has_honeypot: false,
            is_new: false,
            sends: true,
            saves_drafts: false,
        }
    }

    /// Shows again what a person has entered.
    #[must_use]
    pub fn entries(mut self, entries: &'a Entries) -> Self {
        self.entries = Some(entries);
        self
    }

    /// Adds hidden inputs: pairs of name and value.
    #[must_use]
    pub fn hidden(mut self, hidden: &'a [(&'a str, &'a str)]) -> Self {
        self.hidden = hidden;
        self
    }

    /// Fills in the defaults of questions that were not answered yet: for data that was never stored.
    #[must_use]
    pub fn with_defaults(mut self) -> Self {
        self.is_new = true;
        self
    }

    /// Offers to save the answers as a draft.
    #[must_use]
    pub fn with_drafts(mut self) -> Self {
        self.saves_drafts = true;
        self
    }

    /// Does not offer to send the answers.
    #[must_use]
    pub fn without_sending(mut self) -> Self {
        self.sends = false;
        self
    }

    /// Says that the form takes no answers any more, and why. What was entered stays, but cannot be sent.
    #[must_use]
    pub fn closed(mut self, reason: &'a Error) -> Self {
        self.closed = Some(reason);
        self
    }

    /// Says something above the questions, for example why the answers were not sent.
    #[must_use]
    pub fn notice(mut self, notice: Option<Notice>) -> Self {
        self.notice = notice;
        self
    }

    /// Adds an input with the name [`HONEYPOT`], which people do not see. Programs that fill in every input reveal
    /// themselves by it.
    #[must_use]
    pub fn with_honeypot(mut self) -> Self {
        self.has_honeypot = true;
        self
    }

    /// Labels the button that sends *Save changes*, for answers that were sent before.
    #[must_use]
    pub fn for_changes(mut self, language: Language) -> Self {
        self.send_label = Some(language.say("saveChanges"));
        self
    }

    /// Warns five minutes before the session ends, in this number of seconds. This needs the script.
    #[must_use]
    pub fn seconds_left(mut self, seconds: Option<u64>) -> Self {
        self.seconds_left = seconds;
        self
    }

    /// Sets the path to which the page is sent. Pages with questions for files need it: their buttons that store answers say
    /// so in the address (`?do=send`, `?do=save`), so that the server knows before it reads the files.
    #[must_use]
    pub fn action(mut self, path: &'a str) -> Self {
        self.action = path;
        self
    }

    /// Shows the files that the submission has.
    #[must_use]
    pub fn files(mut self, files: &'a [ShownFile]) -> Self {
        self.files = files;
        self
    }

    /// Says that files must be chosen again in these groups: browsers do not keep them when the page is shown again.
    #[must_use]
    pub fn lost_files(mut self, groups: &'a [String]) -> Self {
        self.lost_files = groups;
        self
    }

    /// Links to the page that deletes the answers, by its path.
    #[must_use]
    pub fn delete(mut self, path: Option<&'a str>) -> Self {
        self.delete = path;
        self
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
        let send = self.send_label.or(authored).unwrap_or(language.say("send"));
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
