//! Questions that are answered with a choice, as HTML.

use std::collections::HashSet;

use formalize_core::questions::{Choice, Entries, Question, QuestionKind, Widget};
use maud::{Markup, html};
use serde_json::Value;

use crate::field::{Fields, id, key, name, set_id};

/// The number of choices up to which all are shown as radio buttons.
const MAX_RADIOS: usize = 5;
/// The number of choices up to which all are shown as check boxes.
const MAX_BOXES: usize = 20;

impl Fields<'_> {
    /// A check box.
    pub(crate) fn tick(&self, question: &Question, label: &str) -> Markup {
        let notes = self.notes(question, None);
        // A box that is ticked in advance, by a default or by the address of the page, is not consent.
        let is_consent = question.kind == QuestionKind::Consent;
        let is_entered = self.entered(question).is_some();
        let is_addressed = self.entries.is_some_and(Entries::fills_defaults);
        let is_untouched = is_consent && self.is_new && (is_addressed || !is_entered);
        let is_ticked = !is_untouched && self.selected(question).iter().any(|one| one == "true");
        let is_invalid = (!question.problems.is_empty()).then_some("true");
        let (id, name) = (id(&question.pointer), name(question));
        html! {
            div.field.wrong[is_invalid.is_some()] data-key=(key(question)) {
                div.option {
                    input type="hidden" name=(name) value="";
                    input type="checkbox" id=(id) name=(name) value="true" checked[is_ticked]
                        required[is_consent && question.is_required]
                        aria-invalid=[is_invalid] aria-describedby=[notes.ids];
                    label for=(id) { (self.label(question, label)) }
                }
                (notes.markup)
            }
        }
    }

    pub(crate) fn choice(&self, question: &Question, label: &str) -> Markup {
        let has_radios = match question.widget {
            Some(Widget::Radio) => true,
            Some(Widget::Select) => false,
            _ => question.choices.len() <= MAX_RADIOS,
        };
        let choices = question.choices.iter().map(|choice| {
            let (value, label) = text_of_choice(choice);
            let is_none = choice.is(&Value::Null);
            (
                value,
                if is_none {
                    self.language.say("noAnswer")
                } else {
                    label
                },
            )
        });
        let choices: Vec<_> = choices.collect();
        if has_radios {
            return self.radios(question, label, &choices);
        }
        self.select(question, label, &name(question), &choices)
    }

    /// A group of radio buttons for pairs of value and label.
    fn radios(&self, question: &Question, label: &str, choices: &[(&str, &str)]) -> Markup {
        let name = name(question);
        let mut selected = self.selected(question);
        // Besides the hidden input, the button for no answer sends an empty text.
        let is_taken_back =
            |texts: &[String]| texts.len() > 1 && texts.iter().all(String::is_empty);
        if self.entered(question).is_some_and(is_taken_back) {
            selected.push(String::new());
        }
        let content = html! {
            input type="hidden" name=(name) value="";
            (self.buttons(question, &name, &selected, choices))
        };
        self.set(question, label, Some("radiogroup"), &content)
    }

    /// Radio buttons, with one for no answer if none is required. None is selected before somebody has chosen one.
    pub(crate) fn buttons(
        &self,
        question: &Question,
        name: &str,
        selected: &[String],
        choices: &[(&str, &str)],
    ) -> Markup {
        let none = (!question.is_required).then(|| ("", self.language.say("noAnswer")));
        let choices: Vec<_> = choices.iter().copied().chain(none).collect();
        options("radio", question, name, selected, &choices)
    }

    fn select(
        &self,
        question: &Question,
        label: &str,
        name: &str,
        choices: &[(&str, &str)],
    ) -> Markup {
        let notes = self.notes(question, None);
        let selected = self.selected(question);
        let selected: HashSet<&str> = selected.iter().map(String::as_str).collect();
        let is_invalid = (!question.problems.is_empty()).then_some("true");
        let several = question.kind == QuestionKind::Choices;
        let id = id(&question.pointer);
        html! {
            div.field.wrong[is_invalid.is_some()] data-key=(key(question)) {
                label for=(id) { (self.label(question, label)) }
                (notes.markup)
                @if several {
                    input type="hidden" name=(name) value="";
                }
                select id=(id) name=(name) multiple[several] required[question.is_required]
                    aria-invalid=[is_invalid] aria-describedby=[notes.ids] {
                    @if !several {
                        option value="" { (self.language.say(if question.is_required { "choose" } else { "noAnswer" })) }
                    }
                    @for (value, label) in choices {
                        option value=(value) selected[selected.contains(value)] { (label) }
                    }
                }
            }
        }
    }

    pub(crate) fn choices(&self, question: &Question, label: &str) -> Markup {
        let choices: Vec<_> = question.choices.iter().map(text_of_choice).collect();
        let name = name(question);
        if choices.len() > MAX_BOXES {
            return self.select(question, label, &name, &choices);
        }
        let content = html! {
            input type="hidden" name=(name) value="";
            (options("checkbox", question, &name, &self.selected(question), &choices))
        };
        self.set(question, label, None, &content)
    }

    /// Radio buttons for yes and no.
    pub(crate) fn yes_or_no(&self, question: &Question, label: &str) -> Markup {
        let choices = [
            ("true", self.language.say("yes")),
            ("false", self.language.say("no")),
        ];
        self.radios(question, label, &choices)
    }

    /// The values of the selected choices.
    pub(crate) fn selected(&self, question: &Question) -> Vec<String> {
        if let Some(entered) = self.entered(question) {
            return entered
                .iter()
                .filter(|text| !text.is_empty())
                .cloned()
                .collect();
        }
        let value = self.shown_value(question);
        let answers = match (question.kind, &value) {
            (QuestionKind::Choices, Value::Array(answers)) => answers.as_slice(),
            (_, Value::Null) if question.value.is_none() => &[],
            _ => std::slice::from_ref(&value),
        };
        if question.choices.is_empty() {
            return answers.iter().map(Value::to_string).collect();
        }
        // There can be thousands of both.
        let answers: HashSet<&Value> = answers.iter().collect();
        let is_selected = |choice: &&Choice| answers.contains(choice.answer());
        let selected = question.choices.iter().filter(is_selected);
        selected.map(|choice| choice.value.clone()).collect()
    }
}

/// Radio buttons or check boxes.
fn options(
    kind: &str,
    question: &Question,
    name: &str,
    selected: &[String],
    choices: &[(&str, &str)],
) -> Markup {
    let id = set_id(question);
    let is_required = kind == "radio" && question.is_required;
    // Radio buttons belong to a group that says it.
    let is_invalid = kind == "checkbox" && !question.problems.is_empty();
    let selected: HashSet<&str> = selected.iter().map(String::as_str).collect();
    html! {
        @for (at, (value, label)) in choices.iter().enumerate() {
            @let id = format!("{id}.{at}");
            @let is_selected = selected.contains(value);
            div.option data-key=(value) {
                input type=(kind) id=(id) name=(name) value=(value) checked[is_selected]
                    required[is_required] aria-invalid=[is_invalid.then_some("true")];
                label for=(id) dir="auto" { (label) }
            }
        }
    }
}

pub(crate) fn text_of_choice(choice: &Choice) -> (&str, &str) {
    (&choice.value, &choice.label)
}
