//! Questions for files as HTML, and lists of files.

use formalize_core::questions::{FileQuestion, Questions};
use maud::{Markup, html};

use crate::field::id;
use crate::file_words::{allowed, size};
use crate::problem;
use crate::shell::Shell;

/// A file of a submission.
#[derive(Debug, Clone)]
pub struct ShownFile {
    /// The identifier.
    pub id: String,
    /// The group of files that it belongs to.
    pub group: String,
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// The path at which it is downloaded.
    pub path: String,
    /// Whether the person wants it removed when the page is saved or sent.
    pub is_removed: bool,
}

/// The files on a page.
pub(crate) struct FileFields<'a> {
    pub(crate) shell: &'a Shell<'a>,
    /// The files that the submission has.
    pub(crate) files: &'a [ShownFile],
    /// The groups for which files were chosen that were not stored.
    pub(crate) lost: &'a [String],
    /// Whether what people choose is sent.
    pub(crate) is_sent: bool,
}

/// The `id` of the input of a question. No question for data has the same.
pub(crate) fn file_id(question: &FileQuestion) -> String {
    id(&format!("files:{}", question.attribute))
}

impl FileFields<'_> {
    /// All questions for files, and the files of groups without a question.
    pub(crate) fn inputs(&self, questions: &Questions) -> Markup {
        let others = self.without_question(questions);
        html! {
            @for question in &questions.files {
                (self.input(question))
            }
            @if !others.is_empty() {
                div.field {
                    p.label { (self.shell.language.say("file.others")) }
                    (self.list(&others, true))
                }
            }
        }
    }

    /// All files, without a way to change them.
    pub(crate) fn reading(&self, questions: &Questions) -> Markup {
        let language = self.shell.language;
        let others = self.without_question(questions);
        html! {
            @for question in &questions.files {
                @let files = self.of_group(question.attribute.as_str());
                div.field {
                    p.label dir="auto" { (question.label) }
                    @if files.is_empty() {
                        p.value { (language.say("noAnswer")) }
                    } @else {
                        (self.list(&files, false))
                    }
                }
            }
            @if !others.is_empty() {
                div.field {
                    p.label { (language.say("file.others")) }
                    (self.list(&others, false))
                }
            }
        }
    }

    fn input(&self, question: &FileQuestion) -> Markup {
        let language = self.shell.language;
        let (id, group) = (file_id(question), question.attribute.as_str());
        let (hint_id, problem_id, lost_id) = (
            format!("{id}.hint"),
            format!("{id}.problem"),
            format!("{id}.lost"),
        );
        let hints = [question.hint.clone(), Some(allowed(language, question))];
        let hint = hints.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let (is_wrong, is_lost) = (
            !question.problems.is_empty(),
            self.lost.iter().any(|lost| lost == group),
        );
        let mut notes = vec![hint_id.as_str()];
        notes.extend(is_wrong.then_some(problem_id.as_str()));
        notes.extend(is_lost.then_some(lost_id.as_str()));
        let files = self.of_group(group);
        let types: Vec<_> = question.rule.allowed_types().collect();
        let accept = (!types.iter().any(|one| one == "*/*")).then(|| types.join(","));
        html! {
            div.field.wrong[is_wrong] data-key={ "files:" (group) } {
                label for=(id) {
                    bdi { (question.label) }
                    @if !question.is_required() {
                        " " span.optional { (language.say("optional")) }
                    }
                }
                p.hint id=(hint_id) dir="auto" { (hint) }
                @if is_wrong {
                    ul.problem id=(problem_id) {
                        @for violation in &question.problems {
                            li { (problem::file_message(language, violation)) }
                        }
                    }
                }
                @if is_lost {
                    p.problem id=(lost_id) { (language.say("file.lost")) }
                }
                @if !files.is_empty() {
                    (self.list(&files, true))
                }
                input type="file" id=(id) name=[self.is_sent.then(|| format!("files.{group}"))]
                    multiple[question.rule.max_number() > 1] accept=[accept]
                    aria-describedby=(notes.join(" ")) aria-invalid=[is_wrong.then_some("true")];
            }
        }
    }

    fn list(&self, files: &[&ShownFile], may_remove: bool) -> Markup {
        let language = self.shell.language;
        html! {
            ul.files {
                @for file in files {
                    li {
                        a href=(self.shell.at(&file.path)) { bdi { (file.name) } }
                        span.optional { (size(language, file.size)) }
                        @if may_remove && file.is_removed {
                            strong { (language.say("file.removed")) }
                            button type="submit" name="do" value={ "keep-file:" (file.id) } {
                                (language.say_with("file.keep", &[("name", &file.name)]))
                            }
                        } @else if may_remove {
                            button type="submit" name="do" value={ "remove-file:" (file.id) } {
                                (language.say_with("remove", &[("item", &file.name)]))
                            }
                        }
                    }
                }
            }
        }
    }

    fn of_group(&self, group: &str) -> Vec<&ShownFile> {
        let files = self.files.iter();
        files.filter(|file| file.group == group).collect()
    }

    fn without_question(&self, questions: &Questions) -> Vec<&ShownFile> {
        let has_question = |file: &&ShownFile| {
            let mut asked = questions.files.iter();
            asked.any(|question| question.attribute.as_str() == file.group)
        };
        let files = self.files.iter();
        files.filter(|file| !has_question(file)).collect()
    }
}
