//! What the editor says.

use formalize_core::editor::{EditError, Warning, WarningKind};
use formalize_core::questions::QuestionKind as Kind;

use crate::language::Language;

/// Why an edit is not possible, in words.
pub(crate) fn edit_problem(language: Language, problem: &EditError) -> String {
    let about = |key, name: &str| language.say_with(key, &[("name", name)]);
    match problem {
        EditError::UnknownCard(name) => about("edit.unknown", name),
        EditError::WrittenByHand(name) => about("edit.byHand", name),
        EditError::NoChoices => language.say("edit.noChoices").to_owned(),
        EditError::ChoiceTwice(name) => about("edit.choiceTwice", name),
        EditError::ChoiceNotNumber(name) => about("edit.choiceNotNumber", name),
        EditError::LimitNotNumber(name) => about("edit.limitNotNumber", name),
        EditError::LimitsCrossed => language.say("edit.limitsCrossed").to_owned(),
        EditError::HasDependents => language.say("edit.hasDependents").to_owned(),
        EditError::NoConditions => language.say("edit.noConditions").to_owned(),
        EditError::NotADriver(name) => about("edit.notADriver", name),
    }
}

/// What the author of a schema may not have meant, in words.
pub(crate) fn warning_text(language: Language, warning: &Warning) -> String {
    let place = warning.card.trim_start_matches('/');
    let values = [("name", warning.detail.as_str()), ("card", place)];
    match warning.kind {
        WarningKind::FormMember if place.is_empty() => {
            language.say_with("warning.formMember.root", &values)
        }
        WarningKind::FormMember => language.say_with("warning.formMember", &values),
        WarningKind::NoLabel => language.say_with("warning.noLabel", &values),
        WarningKind::AsJson if place.is_empty() => language.say("warning.asJson.root").to_owned(),
        WarningKind::AsJson => language.say_with("warning.asJson", &values),
        WarningKind::TooLarge => language.say("incomplete").to_owned(),
        WarningKind::NeverAsked => language.say_with("warning.neverAsked", &values),
        WarningKind::Misspelled(keyword) => {
            let [name, _] = values;
            language.say_with("warning.misspelled", &[name, ("keyword", keyword)])
        }
        WarningKind::FilesNotTaken => language.say("warning.filesNotTaken").to_owned(),
    }
}

/// The name of a kind of question.
pub(crate) fn kind_name(language: Language, kind: Kind) -> &'static str {
    language.say(match kind {
        Kind::LongText => "kind.longText",
        Kind::Email => "kind.email",
        Kind::Uri => "kind.uri",
        Kind::Date => "kind.date",
        Kind::Time => "kind.time",
        Kind::DateTime => "kind.dateTime",
        Kind::Integer => "kind.integer",
        Kind::Number => "kind.number",
        Kind::Boolean => "kind.boolean",
        Kind::Consent => "kind.consent",
        Kind::Choice => "kind.choice",
        Kind::Choices => "kind.choices",
        Kind::Group => "kind.group",
        Kind::List => "kind.list",
        _ => "kind.text",
    })
}

/// The labels of the least and the greatest value of a kind.
pub(crate) fn limit_names(language: Language, kind: Kind) -> (&'static str, &'static str) {
    let (least, most) = match kind {
        Kind::Text | Kind::LongText => ("editor.least.length", "editor.most.length"),
        Kind::Integer | Kind::Number => ("editor.least.number", "editor.most.number"),
        _ => ("editor.least.items", "editor.most.items"),
    };
    (language.say(least), language.say(most))
}
