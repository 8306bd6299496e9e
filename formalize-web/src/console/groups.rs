//! The pages about groups.

use maud::{Markup, html};

use super::frame::{Section, page};
use super::parts::{Input, Problems, conflict, pages, search_groups, token};
use super::reach::{self, Reached};
use crate::language::Language;
use crate::shell::Shell;

/// The page with the groups that a person may see.
#[derive(Debug, Clone, Default)]
pub struct GroupsPage {
    /// The groups: the name of each, and its path.
    pub groups: Vec<(String, String)>,
    /// The path of the next page.
    pub next: Option<String>,
    /// The text for which groups were searched.
    pub search: String,
    /// The token against forged requests, if the reader may create groups.
    pub token: Option<String>,
    /// The name that was entered for a new group.
    pub name: String,
    /// Why it was refused.
    pub problems: Problems,
}

impl GroupsPage {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let title = language.say("groups");
        let inputs = self.problems.inputs(language);
        let content = html! {
            h1 { (title) }
            (self.problems.summary(language))
            (search_groups(language, &self.search))
            @if self.groups.is_empty() {
                p.empty { (language.say("noGroups")) }
            } @else {
                ul.rows {
                    @for (name, path) in &self.groups {
                        li { a href=(shell.at(path)) dir="auto" { (name) } }
                    }
                }
            }
            (pages(shell, "pages", None, self.next.as_deref()))
            @if let Some(own) = &self.token {
                section.card aria-labelledby="new-group" {
                    h2 id="new-group" { (language.say("newGroup")) }
                    form method="post" novalidate {
                        (token(own))
                        (inputs.text(Input { is_required: true, ..Input::new("name", "groupName", &self.name) }))
                        div.actions {
                            button.primary type="submit" name="do" value="create" { (language.say("newGroup.do")) }
                        }
                    }
                }
            }
        };
        let is_refused = !self.problems.is_empty();
        page(shell, Section::Groups, title, is_refused, None, content)
    }
}

/// The page about a group.
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are independent of each other"
)]
#[derive(Debug, Clone, Default)]
pub struct GroupPage<'a> {
    /// The name.
    pub name: &'a str,
    /// The token against forged requests.
    pub token: String,
    /// The revision of the group that the page shows.
    pub revision: String,
    /// The members.
    pub members: Vec<GroupMember>,
    /// The path of the next page of members.
    pub next: Option<String>,
    /// What the members may do.
    pub reached: Vec<Reached>,
    /// The path of the next page of what they may do.
    pub next_reached: Option<String>,
    /// The groups that can become members: pairs of identifier and name.
    pub groups: Vec<(String, String)>,
    /// The text for which groups that can become members were searched.
    pub search: &'a str,
    /// Whether there are more of these groups.
    pub has_more_groups: bool,
    /// Whether the reader may rename the group.
    pub may_rename: bool,
    /// Whether the reader may add members.
    pub may_add: bool,
    /// Whether the reader may remove members.
    pub may_remove: bool,
    /// The path of the page that deletes the group, if the reader may do that.
    pub delete: Option<String>,
    /// What was entered: the new name.
    pub new_name: &'a str,
    /// What was entered: the identifier of a person.
    pub user: &'a str,
    /// What was entered: the identifier of a group that becomes a member.
    pub child: &'a str,
    /// Why it was refused.
    pub problems: Problems,
    /// Whether somebody else has renamed the group since the page was opened.
    pub is_conflict: bool,
    /// Whether the changes were saved.
    pub is_saved: bool,
}

/// A member of a group.
#[derive(Debug, Clone)]
pub struct GroupMember {
    /// The identifier of the membership.
    pub id: String,
    /// The name of the person or the group.
    pub name: String,
    /// The path of the member, if it is a group that the reader may see.
    pub path: Option<String>,
    /// Whether it is a group.
    pub is_group: bool,
}

impl GroupPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let content = html! {
            h1 dir="auto" { (self.name) }
            @if self.is_saved { p.note role="status" { (language.say("changed")) } }
            (self.problems.summary(language))
            @if self.is_conflict {
                (conflict(language, &[("groupName", self.new_name.to_owned(), self.name.to_owned())]))
            }
            section aria-labelledby="members" {
                h2 id="members" { (language.say("members")) }
                @if self.members.is_empty() {
                    p.empty { (language.say("noMembers")) }
                } @else {
                    form method="post" {
                        (token(&self.token))
                        ul.rows { @for member in &self.members { (self.row(shell, member)) } }
                    }
                }
                (pages(shell, "pages", None, self.next.as_deref()))
            }
            (reach::list(shell, &self.reached, self.next_reached.as_deref()))
            @if self.may_add { (self.adding(language)) }
            @if self.may_rename { (self.renaming(language)) }
            @if let Some(path) = &self.delete {
                div.actions { a.button.danger href=(shell.at(path)) { (language.say("deleteGroup")) } }
            }
        };
        let is_refused = !self.problems.is_empty();
        page(shell, Section::Groups, self.name, is_refused, None, content)
    }

    fn row(&self, shell: &Shell<'_>, member: &GroupMember) -> Markup {
        let language = shell.language;
        let kind = if member.is_group { "group" } else { "person" };
        html! {
            li {
                div {
                    p.name dir="auto" {
                        @if let Some(path) = &member.path {
                            a href=(shell.at(path)) { (member.name) }
                        } @else {
                            (member.name)
                        }
                    }
                    p.hint { (language.say(kind)) }
                }
                @if self.may_remove {
                    button.small type="submit" name="do" value={ "remove:" (member.id) }
                        aria-label=(language.say_with("remove", &[("item", &member.name)])) {
                        (language.say("take"))
                    }
                }
            }
        }
    }

    fn adding(&self, language: Language) -> Markup {
        let inputs = self.problems.inputs(language);
        let mut groups = vec![("", language.say("choose"))];
        groups.extend(
            self.groups
                .iter()
                .map(|(id, name)| (id.as_str(), name.as_str())),
        );
        html! {
            section.card aria-labelledby="add-member" {
                h2 id="add-member" { (language.say("addMember")) }
                @if self.has_more_groups || !self.search.is_empty() {
                    (search_groups(language, self.search))
                }
                form method="post" novalidate {
                    (token(&self.token))
                    div.columns {
                        (inputs.text(Input::new("userIdentifier", "userIdentifier", self.user)))
                        @if !self.groups.is_empty() {
                            (inputs.choice(Input::new("childGroupIdentifier", "memberGroup", self.child), &groups))
                        }
                    }
                    div.actions {
                        button.primary type="submit" name="do" value="add" { (language.say("addMember")) }
                    }
                }
            }
        }
    }

    fn renaming(&self, language: Language) -> Markup {
        let inputs = self.problems.inputs(language);
        html! {
            section.card aria-labelledby="rename" {
                h2 id="rename" { (language.say("rename")) }
                form method="post" novalidate {
                    (token(&self.token))
                    input type="hidden" name="revision" value=(self.revision);
                    (inputs.text(Input { is_required: true, ..Input::new("name", "groupName", self.new_name) }))
                    div.actions {
                        button type="submit" name="do" value="rename" { (language.say("rename")) }
                    }
                }
            }
        }
    }
}

/// The page that asks whether to delete a group.
#[derive(Debug, Clone)]
pub struct DeleteGroupPage<'a> {
    /// The name.
    pub name: &'a str,
    /// The token against forged requests.
    pub token: String,
    /// The path of the group.
    pub path: String,
    /// Why nothing was deleted.
    pub problems: Problems,
}

impl DeleteGroupPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let title = language.say_with("deleteGroup.title", &[("name", self.name)]);
        let content = html! {
            h1 dir="auto" { (title) }
            (self.problems.summary(language))
            p { (language.say("deleteGroup.text")) }
            form method="post" {
                (token(&self.token))
                div.actions {
                    button.danger type="submit" name="do" value="delete" { (language.say("delete")) }
                    a.button href=(shell.at(&self.path)) { (language.say("cancel")) }
                }
            }
        };
        let is_refused = !self.problems.is_empty();
        page(shell, Section::Groups, &title, is_refused, None, content)
    }
}
