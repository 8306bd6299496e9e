//! The texts of a question besides its label.

use formalize_core::Violation;
use formalize_core::questions::{Limits, Question, QuestionKind};
use maud::{Markup, html};

use crate::field::{Fields, is_merged, set_id, value};
use crate::moment::local;
use crate::problem;

/// The texts of a question besides its label, with their ids.
pub(crate) struct Notes {
    pub(crate) markup: Markup,
    /// The ids of the texts, for `aria-describedby`.
    pub(crate) ids: Option<String>,
}

impl Fields<'_> {
    /// Help, hint and problems of a question.
    pub(crate) fn notes(&self, question: &Question, explanation: Option<String>) -> Notes {
        let id = set_id(question);
        let has_problems = problems(question).next().is_some();
        let hints = [question.hint.clone(), self.limits(question), explanation];
        let hint = hints.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let (help_id, hint_id) = (format!("{id}.help"), format!("{id}.hint"));
        let problem_id = format!("{id}.problem");
        let mut ids = Vec::new();
        let markup = html! {
            @if let Some(help) = &question.help {
                p.help id=(help_id) dir="auto" { (linked(help)) }
            }
            @if !hint.is_empty() {
                p.hint id=(hint_id) dir="auto" { (hint) }
            }
            @if has_problems {
                ul.problem id=(problem_id) {
                    @for violation in problems(question) {
                        li { (problem::message(self.language, question, violation)) }
                    }
                }
            }
        };
        if question.help.is_some() {
            ids.push(help_id);
        }
        if !hint.is_empty() {
            ids.push(hint_id);
        }
        if has_problems {
            ids.push(problem_id);
        }
        Notes {
            markup,
            ids: (!ids.is_empty()).then(|| ids.join(" ")),
        }
    }

    /// The restrictions of an answer, in words.
    fn limits(&self, question: &Question) -> Option<String> {
        use QuestionKind as Kind;
        let Limits {
            min_length,
            max_length,
            minimum,
            maximum,
            min_items,
            max_items,
            ..
        } = &question.limits;
        let count = |limit: &Option<u64>| limit.map(|limit| limit.to_string());
        let number = |limit: &Option<serde_json::Number>| {
            limit
                .as_ref()
                .map(|limit| self.language.number(&limit.to_string()))
        };
        match question.kind {
            // Those of a short text would be in the way; a problem says them.
            Kind::LongText => {
                let least = min_length.filter(|least| *least > 1);
                self.say_limits("limit.length", count(&least), count(max_length))
            }
            Kind::Integer | Kind::Number => {
                self.say_limits("limit.number", number(minimum), number(maximum))
            }
            Kind::List | Kind::Choices => {
                let least = min_items.filter(|least| *least > 0);
                self.say_limits("limit.items", count(&least), count(max_items))
            }
            _ => None,
        }
    }

    fn say_limits(&self, key: &str, least: Option<String>, most: Option<String>) -> Option<String> {
        let ending = match (&least, &most) {
            (Some(_), Some(_)) => "both",
            (Some(_), None) => "least",
            (None, Some(_)) => "most",
            (None, None) => return None,
        };
        let values = [
            ("least", least.unwrap_or_default()),
            ("most", most.unwrap_or_default()),
        ];
        Some(self.language.say_with(&format!("{key}.{ending}"), &values))
    }

    /// The time zone of the time that is entered.
    pub(crate) fn time_zone(&self, question: &Question) -> String {
        let stored = value(question);
        let text = stored.as_str().unwrap_or_default();
        let zone = self.entries.map(|entries| entries.time_zone().clone());
        let zone = zone.unwrap_or_default();
        if zone.applies_to(text) {
            return self
                .language
                .say_with("timeZoneNamed", &[("name", zone.name())]);
        }
        let offset = text.strip_prefix(local(text)).unwrap_or_default();
        self.language.say_with("timeZone", &[("offset", offset)])
    }
}

/// The problems to show with a question. A variant also shows those of the group that it contains.
pub(crate) fn problems(question: &Question) -> impl Iterator<Item = &Violation> {
    let within = question
        .children
        .iter()
        .filter(|child| is_merged(question, child));
    question
        .problems
        .iter()
        .chain(within.flat_map(|child| &child.problems))
}

/// Whether an address behind `https://` has a name of a user. Then it begins as if it were that of another site. Browsers skip
/// slashes in front of it.
fn has_user(address: &str) -> bool {
    let address = address.trim_start_matches(['/', '\\']);
    let host = address.split(['/', '?', '#']).next();
    host.is_some_and(|host| host.contains('@'))
}

/// A text in which addresses of web pages are links.
fn linked(text: &str) -> Markup {
    let ends = |one: char| one.is_whitespace() || matches!(one, '<' | '>' | '"' | ')' | ']');
    html! {
        @for (at, part) in text.split("https://").enumerate() {
            @if at == 0 {
                (part)
            } @else {
                @let end = part.find(ends).unwrap_or(part.len());
                @let (address, behind) = part.split_at(end);
                @let trimmed = address.trim_end_matches(['.', ',', ';', ':', '!', '?']);
                @let (_, marks) = address.split_at(trimmed.len());
                @let url = format!("https://{trimmed}");
                @if trimmed.is_empty() || has_user(trimmed) {
                    (url)
                } @else {
                    a href=(url) rel="noopener noreferrer nofollow" { (url) }
                }
                (marks) (behind)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_with_the_name_of_a_user_is_no_link() {
        for address in [
            "https://bank.example@evil.example/",
            "https:///bank.example@evil.example/",
            r"https://\bank.example@evil.example/",
        ] {
            assert_eq!(linked(address).into_string(), address);
        }
        let link = linked("https://example.org/@ada").into_string();
        assert!(link.starts_with("<a href=\"https://example.org/@ada\""));
    }
}
