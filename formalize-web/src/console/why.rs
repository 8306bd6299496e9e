//! Why somebody may do something with a form: a part of the page about sharing.

use maud::{Markup, html};

use super::sharing::{Right, badges};
use crate::language::Language;

/// What was found about the permissions of a person.
#[derive(Debug, Clone, Default)]
pub struct Why {
    /// The identifier of the person.
    pub user: String,
    /// Whether nobody can have this identifier.
    pub is_invalid: bool,
    /// The permissions, each with its reason.
    pub reasons: Vec<WhyRow>,
    /// Whether the person manages everything by the configuration of the service.
    pub manages_everything: bool,
}

/// Permissions that a person has for the same reason.
#[derive(Debug, Clone)]
pub struct WhyRow {
    /// The reason.
    pub because: PermissionReason,
    /// The permissions.
    pub rights: Vec<Right>,
}

/// Why a person has permissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PermissionReason {
    /// The form is shared with the person.
    Oneself,
    /// It is shared with the last of these groups. The person is a member of the first, and each is a member of the next.
    Member(Vec<String>),
    /// It is shared with everybody.
    Everybody,
    /// It is shared with a group that is defined in the configuration, to which the person belongs.
    DynamicGroup(String),
    /// The same, but it is not known whether the person belongs to it.
    MaybeDynamicGroup(String),
}

impl PermissionReason {
    fn words(&self, language: Language, user: &str) -> String {
        let say = |key, names: &[(&str, &str)]| language.say_with(key, names);
        match self {
            Self::Oneself => say("because.oneself", &[("user", user)]),
            Self::Member(groups) => match groups.split_last() {
                Some((holder, [])) => say("because.member", &[("group", holder)]),
                Some((holder, between)) => {
                    let between = between.join(", ");
                    say(
                        "because.through",
                        &[("group", holder), ("between", &between)],
                    )
                }
                None => String::new(),
            },
            Self::Everybody => language.say("because.everybody").to_owned(),
            Self::DynamicGroup(group) => say("because.dynamicGroup", &[("group", group)]),
            Self::MaybeDynamicGroup(group) => {
                say("because.maybe", &[("user", user), ("group", group)])
            }
        }
    }
}

/// The card in which people ask for the permissions of a person.
pub(super) fn card(language: Language, why: Option<&Why>) -> Markup {
    let user = why.map_or("", |why| why.user.as_str());
    let is_wrong = why.is_some_and(|why| why.is_invalid);
    html! {
        section.card aria-labelledby="why-title" {
            h2 id="why-title" { (language.say("why")) }
            form.search method="get" action="#why-title" {
                label for="why" { (language.say("userIdentifier")) }
                p.help id="why.help" { (language.say("why.help")) }
                @if is_wrong { p.problem id="why.problem" { (language.say("wrong.user")) } }
                div {
                    input type="text" id="why" name="why" value=(user) dir="auto" autocomplete="off" required
                        aria-invalid=[is_wrong.then_some("true")]
                        aria-describedby=(if is_wrong { "why.help why.problem" } else { "why.help" });
                    button type="submit" { (language.say("why.do")) }
                }
            }
            @if let Some(why) = why.filter(|why| !why.is_invalid) { (why.answer(language)) }
        }
    }
}

impl Why {
    fn answer(&self, language: Language) -> Markup {
        let user = [("user", self.user.as_str())];
        html! {
            h3 dir="auto" { (language.say_with("why.of", &user)) }
            @if self.reasons.is_empty() && !self.manages_everything {
                p { (language.say_with("why.none", &user)) }
            } @else {
                ul.rows.reasons {
                    @if self.manages_everything {
                        li { p dir="auto" { (language.say_with("because.policy", &user)) } }
                    }
                    @for row in &self.reasons {
                        li {
                            p dir="auto" { (row.because.words(language, &self.user)) }
                            (badges(language, &row.rights))
                        }
                    }
                }
            }
            p.hint { (language.say("why.limits")) }
        }
    }
}
