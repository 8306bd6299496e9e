//! The page that shows who may do what with a form.

use formalize_core::forms::FormAccess;
use maud::{Markup, html};

use super::frame::{FormFrame, FormTab};
use super::parts::{self, Input, Problems, search_groups, token};
use super::why::{self, Why};
use crate::language::Language;
use crate::shell::Shell;

/// The page that shows who may do what with a form.
#[derive(Debug, Clone)]
pub struct SharingPage<'a> {
    /// The name and tabs of the form.
    pub frame: FormFrame<'a>,
    /// The token against forged requests.
    pub token: String,
    /// Whether the reader manages the form. Others see only who may do what with its answers.
    pub manages_form: bool,
    /// Those with whom the form is shared.
    pub holders: Vec<Holder>,
    /// The path of the next page of them.
    pub next: Option<String>,
    /// Those with whom only its answers are shared.
    pub holders_of_answers: Vec<Holder>,
    /// The path of the next page of them.
    pub next_of_answers: Option<String>,
    /// Groups with which the form can be shared.
    pub groups: Vec<Grantee>,
    /// The text for which groups were searched.
    pub search: String,
    /// Whether there are more groups than those, so that a search helps.
    pub has_more_groups: bool,
    /// What was entered, if it was refused.
    pub entered: Entry,
    /// What was found about the permissions of a person, if somebody asked.
    pub why: Option<Why>,
    /// Why it was refused.
    pub problems: Problems,
}

/// Somebody who may do something with a form.
#[derive(Debug, Clone)]
pub struct Holder {
    /// Who.
    pub grantee: Grantee,
    /// What.
    pub rights: Vec<(Right, Option<String>)>,
}

/// Somebody with whom a form can be shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grantee {
    /// A person, by identifier.
    User(String),
    /// A group, by identifier and name.
    Group(String, String),
    /// A group that is defined in the configuration.
    DynamicGroup(String),
    /// Everybody who has signed in.
    Everybody,
    /// A public link, by its label.
    Link(String),
}

/// What somebody may do with a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Right {
    /// Several actions that are useful together.
    Access(FormAccess),
    /// A single action.
    Action(String),
    /// An action on the answers to a form.
    OnAnswers(String),
    /// An action on something else, by its name.
    Other(String),
}

/// What was entered to share a form.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    /// With whom, as a choice.
    pub holder: String,
    /// The identifier of a person.
    pub user: String,
    /// For what.
    pub right: String,
}

/// The single actions with which a form can be shared.
const ACTIONS: [&str; 7] = [
    "read",
    "update",
    "delete",
    "create_submissions",
    "read_submissions",
    "update_submissions",
    "delete_submissions",
];

impl Grantee {
    /// The value of the choice: `user`, `group:` and an identifier, or `dynamic:` and a name.
    fn value(&self) -> String {
        match self {
            Self::User(_) | Self::Link(_) => "user".to_owned(),
            Self::Group(id, _) => format!("group:{id}"),
            Self::DynamicGroup(name) => format!("dynamic:{name}"),
            Self::Everybody => "dynamic:everybody".to_owned(),
        }
    }

    fn name(&self, language: Language) -> &str {
        match self {
            Self::User(name)
            | Self::Group(_, name)
            | Self::DynamicGroup(name)
            | Self::Link(name) => name,
            Self::Everybody => language.say("everybody"),
        }
    }

    fn kind(&self, language: Language) -> &'static str {
        language.say(match self {
            Self::User(_) => "person",
            Self::Group(..) => "group",
            Self::DynamicGroup(_) => "dynamicGroup",
            Self::Everybody => "everybody.kind",
            Self::Link(_) => "publicLink",
        })
    }
}

impl Right {
    fn label(&self, language: Language) -> &str {
        match self {
            Self::Access(access) => language.say(label_of(*access)),
            Self::Action(action) => language.say(label_of_action(action)),
            Self::OnAnswers(action) => language.say(label_on_answers(action)),
            Self::Other(action) => action,
        }
    }
}

fn label_of(access: FormAccess) -> &'static str {
    match access {
        FormAccess::Fill => "access.fill",
        FormAccess::ReadAnswers => "access.readAnswers",
        FormAccess::ChangeAnswers => "access.changeAnswers",
        FormAccess::Edit => "access.edit",
        FormAccess::Manage => "access.manage",
    }
}

fn label_of_action(action: &str) -> &'static str {
    match action {
        "read" => "single.read",
        "update" => "single.update",
        "delete" => "single.delete",
        "create_submissions" => "single.create_submissions",
        "read_submissions" => "single.read_submissions",
        "update_submissions" => "single.update_submissions",
        "delete_submissions" => "single.delete_submissions",
        _ => "access.manage",
    }
}

fn label_on_answers(action: &str) -> &'static str {
    match action {
        "create_submissions" => "single.create_submissions",
        "read" => "single.read_submissions",
        "update" => "single.update_submissions",
        "delete" => "single.delete_submissions",
        _ => "answers.manage",
    }
}

impl SharingPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let content = html! {
            (self.problems.summary(language))
            @if self.manages_form {
                (self.rows(shell, &self.holders, self.next.as_deref(), "pages"))
            }
            @if !self.holders_of_answers.is_empty() || !self.manages_form {
                section aria-labelledby="on-answers" {
                    h2 id="on-answers" { (language.say("onAnswers")) }
                    @if self.holders_of_answers.is_empty() { p.empty { (language.say("onAnswers.none")) } }
                    (self.rows(shell, &self.holders_of_answers, self.next_of_answers.as_deref(), "onAnswers.pages"))
                }
            }
            @if self.manages_form {
                section.card aria-labelledby="share" {
                    h2 id="share" { (language.say("share")) }
                    @if self.has_more_groups || !self.search.is_empty() {
                        (search_groups(language, &self.search))
                    }
                    form method="post" novalidate {
                        (token(&self.token))
                        (self.inputs(language))
                        div.actions {
                            button.primary type="submit" name="do" value="share" { (language.say("share.do")) }
                        }
                    }
                }
                (why::card(language, self.why.as_ref()))
            }
        };
        let is_refused = !self.problems.is_empty();
        self.frame
            .page(shell, FormTab::Sharing, is_refused, None, &content)
    }

    /// Holders with buttons, and a link to more of them.
    fn rows(
        &self,
        shell: &Shell<'_>,
        holders: &[Holder],
        next: Option<&str>,
        pages: &str,
    ) -> Markup {
        let language = shell.language;
        html! {
            @if !holders.is_empty() {
                form method="post" {
                    (token(&self.token))
                    ul.rows {
                        @for holder in holders { (row(language, holder)) }
                    }
                    @if holders.iter().any(is_dismissible) {
                        @let inputs = self.problems.inputs(language);
                        @let help = Some(language.say("endCreations.help"));
                        (inputs.tick(Input { help, ..Input::new("end", "endCreations", "") }, false))
                    }
                }
            }
            (parts::pages(shell, pages, None, next))
        }
    }

    fn inputs(&self, language: Language) -> Markup {
        let inputs = self.problems.inputs(language);
        let holders: Vec<(String, String)> = self
            .groups
            .iter()
            .map(|group| {
                let name = format!("{}: {}", group.kind(language), group.name(language));
                let name = if *group == Grantee::Everybody {
                    group.name(language).to_owned()
                } else {
                    name
                };
                (group.value(), name)
            })
            .collect();
        let mut choices = vec![("user", language.say("person.choice"))];
        choices.extend(
            holders
                .iter()
                .map(|(value, name)| (value.as_str(), name.as_str())),
        );
        html! {
            div.columns {
                (inputs.choice(
                    Input { is_required: true, ..Input::new("holder", "shareWith", &self.entered.holder) },
                    &choices,
                ))
                (inputs.text(Input::new("userIdentifier", "userIdentifier", &self.entered.user)))
            }
            div.field {
                label for="right" { (language.say("right")) }
                select id="right" name="right" {
                    @for access in FormAccess::ALL {
                        option value=(access.as_str()) selected[access.as_str() == self.entered.right] {
                            (language.say(label_of(access)))
                        }
                    }
                    optgroup label=(language.say("single")) {
                        @for action in ACTIONS {
                            @let value = format!("action:{action}");
                            option value=(value) selected[value == self.entered.right] {
                                (language.say(label_of_action(action)))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Whether somebody could be a manager no longer, and may have created links and webhooks.
fn is_dismissible(holder: &Holder) -> bool {
    let mut rights = holder.rights.iter();
    matches!(holder.grantee, Grantee::User(_))
        && rights
            .any(|(right, button)| *right == Right::Access(FormAccess::Manage) && button.is_some())
}

/// Rights that cannot be taken back here.
pub(super) fn badges(language: Language, rights: &[Right]) -> Markup {
    html! {
        ul.rights {
            @for right in rights {
                li { span.badge { (right.label(language)) } }
            }
        }
    }
}

fn row(language: Language, holder: &Holder) -> Markup {
    let name = holder.grantee.name(language);
    html! {
        li {
            div {
                p.name dir="auto" { (name) }
                p.hint { (holder.grantee.kind(language)) }
            }
            ul.rights {
                @for (right, remove) in &holder.rights {
                    @let label = right.label(language);
                    li {
                        span.badge { (label) }
                        @if let Some(remove) = remove {
                            button.small type="submit" name="do" value=(remove)
                                aria-label=(language.say_with("removeRight", &[("right", label), ("holder", name)])) {
                                (language.say("take"))
                            }
                        }
                    }
                }
            }
        }
    }
}
