//! What the members of a group may do: a part of the page about the group.

use maud::{Markup, html};

use super::parts::pages;
use super::sharing::{Right, badges};
use crate::language::Language;
use crate::shell::Shell;

/// Something on which a group has permissions.
#[derive(Debug, Clone)]
pub struct Reached {
    /// The name, or the identifier if the reader may not know the name.
    pub name: String,
    /// The path of the page about it, if the reader may see that.
    pub path: Option<String>,
    /// What it is.
    pub kind: ReachedKind,
    /// The permissions.
    pub rights: Vec<Right>,
}

/// What a group has permissions on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReachedKind {
    /// A form.
    Form,
    /// The answers to a form.
    Answers,
    /// A single answer.
    Answer,
    /// A group.
    Group,
    /// Something of another class, by the name of the class.
    Other(String),
}

impl ReachedKind {
    fn label(&self, language: Language) -> &str {
        match self {
            Self::Form => language.say("form"),
            Self::Answers => language.say("answers"),
            Self::Answer => language.say("answer"),
            Self::Group => language.say("group"),
            Self::Other(class) => class,
        }
    }
}

/// The list of what the members of a group may do.
pub(super) fn list(shell: &Shell<'_>, reached: &[Reached], next: Option<&str>) -> Markup {
    let language = shell.language;
    html! {
        section aria-labelledby="reach" {
            h2 id="reach" { (language.say("reach")) }
            @if reached.is_empty() {
                p.empty { (language.say("reach.none")) }
            } @else {
                ul.rows {
                    @for one in reached {
                        li {
                            div {
                                p.name dir="auto" {
                                    @if let Some(path) = &one.path {
                                        a href=(shell.at(path)) { (one.name) }
                                    } @else {
                                        (one.name)
                                    }
                                }
                                p.hint { (one.kind.label(language)) }
                            }
                            (badges(language, &one.rights))
                        }
                    }
                }
            }
            (pages(shell, "reach.pages", None, next))
        }
    }
}
