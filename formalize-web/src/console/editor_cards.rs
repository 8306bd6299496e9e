//! The cards of the editor.

use formalize_core::editor::{Card, CardCondition, CardFields, ChoiceFields, KINDS};
use formalize_core::questions::QuestionKind as Kind;
use maud::{Markup, html};

use super::editor::{EditorPage, card_id};
use super::editor_words::{edit_problem, kind_name, limit_names};
use crate::field::id;
use crate::language::Language;

/// The value of the input for a condition.
fn condition_value(condition: &CardCondition) -> String {
    serde_json::json!([condition.question, condition.answers]).to_string()
}

/// The label of a card, or its name.
fn label_of(card: &Card) -> &str {
    let labels = card.fields.iter().flat_map(|fields| &fields.labels);
    let mut labels = labels.filter(|label| !label.is_empty());
    labels.next().unwrap_or(&card.name)
}

impl EditorPage<'_> {
    /// The questions, one of which may be open.
    pub(super) fn questions(&self, language: Language) -> Markup {
        html! {
            @if self.cards.is_empty() {
                p.empty { (language.say("editor.noQuestions")) }
            }
            ol.cards {
                @for card in self.cards { (self.card(language, card)) }
            }
            (self.adding(language, ""))
        }
    }

    fn card(&self, language: Language, card: &Card) -> Markup {
        let is_open = self.open == Some(card.pointer.as_str());
        let faults = self.trial.faults.iter();
        let faults: Vec<_> = faults
            .filter(|fault| fault.card.as_deref() == Some(&card.pointer))
            .collect();
        let condition = card
            .fields
            .as_ref()
            .and_then(|fields| fields.condition.as_ref());
        html! {
            li.question.open[is_open].wrong[!faults.is_empty()].then[condition.is_some()] id=(card_id(&card.pointer))
                tabindex="-1" data-card=(card.pointer) {
                div.line {
                    div.what {
                        p.label dir="auto" { (label_of(card)) }
                        p.facts { (self.facts(language, card)) }
                    }
                    @if card.is_property() { (self.tools(language, card, is_open)) }
                }
                @for fault in faults { p.problem lang="en" { (fault.message) } }
                @if let (Some(fields), true) = (&card.fields, is_open) {
                    (self.form(language, card, self.entered.unwrap_or(fields)))
                }
                @if !card.children.is_empty() {
                    ol.cards { @for child in &card.children { (self.card(language, child)) } }
                }
                @if is_open && card.fields.as_ref().is_some_and(|fields| matches!(fields.kind, Kind::Group | Kind::List)) {
                    (self.adding(language, &card.pointer))
                }
            }
        }
    }

    /// What there is to know about a card that is closed.
    fn facts(&self, language: Language, card: &Card) -> Markup {
        let Some(fields) = &card.fields else {
            return html! {
                span.badge { (language.say("editor.byHand")) } " "
                code { (card.name) }
            };
        };
        html! {
            span { (kind_name(language, fields.kind)) }
            span { (language.say(if fields.is_required { "editor.required" } else { "editor.optional" })) }
            @if let Some(condition) = &fields.condition {
                span.when { (language.say_with("editor.ifAnswer", &[("answer", &self.answer(language, condition))])) }
            }
        }
    }

    /// A condition in words: the question, and the answers to it.
    fn answer(&self, language: Language, condition: &CardCondition) -> String {
        let mut cards = self.cards.iter();
        let driver = cards.find(|card| card.name == condition.question);
        let fields = driver.and_then(|driver| driver.fields.as_ref());
        let answers = condition.answers.iter().map(|answer| {
            let choices = fields.iter().flat_map(|fields| &fields.choices);
            let mut choices = choices.filter(|choice| choice.value == *answer);
            let label = choices.next().and_then(|choice| choice.labels.first());
            match (label, answer.as_str()) {
                (Some(label), _) if !label.is_empty() => label.clone(),
                (None, "true") => language.say("yes").to_owned(),
                (None, "false") => language.say("no").to_owned(),
                _ => answer.clone(),
            }
        });
        let answers: Vec<String> = answers.collect();
        let question = driver.map_or(condition.question.as_str(), label_of);
        format!("{question} – {}", answers.join(", "))
    }

    fn tools(&self, language: Language, card: &Card, is_open: bool) -> Markup {
        let named = |key| language.say_with(key, &[("question", label_of(card))]);
        let tool = |verb: &str, key, is_possible: bool| {
            let value = format!("{verb}:{}", card.pointer);
            let has_focus = self.focus == Some(value.as_str());
            html! {
                button.tool.(verb) type="submit" name="do" value=(value) disabled[!is_possible] autofocus[has_focus && is_possible]
                    aria-keyshortcuts=[shortcut(verb)] aria-label=(named(key)) title=(named(key)) { (icon(verb)) }
            }
        };
        let (edit, key) = if is_open {
            ("close", "editor.close")
        } else {
            ("open", "editor.edit")
        };
        let value = format!("{edit}:{}", card.pointer);
        let has_focus = self.focus == Some(value.as_str());
        html! {
            div.tools role="group" aria-label=(label_of(card)) {
                (tool("up", "editor.up", card.moves_up))
                (tool("down", "editor.down", card.moves_down))
                (tool("copy", "editor.copy", true))
                (tool("delete", "editor.delete", true))
                @if card.fields.is_some() {
                    button.edit type="submit" name="do" value=(value) autofocus[has_focus]
                        aria-expanded=(if is_open { "true" } else { "false" }) {
                        (language.say(key)) span.hidden { " " (label_of(card)) }
                    }
                }
            }
        }
    }

    /// The inputs of an open card.
    fn form(&self, language: Language, card: &Card, fields: &CardFields) -> Markup {
        let is_nested = card.pointer.matches('/').count() > 1;
        let has_choices = matches!(fields.kind, Kind::Choice | Kind::Choices);
        let problem = self.problem.map(|problem| edit_problem(language, problem));
        html! {
            div.fields {
                @if let Some(problem) = problem {
                    p.problem role="alert" tabindex="-1" autofocus { (problem) }
                }
                (self.texts(language, "label", "editor.label", &fields.labels, false))
                (self.texts(language, "help", "editor.help", &fields.helps, true))
                div.pair {
                    (kind_of_answer(language, fields))
                    (self.condition(language, card, fields, is_nested))
                }
                div.option {
                    input type="checkbox" id="e-required" name="card.required" value="true" checked[fields.is_required];
                    label for="e-required" { (language.say("editor.isRequired")) }
                }
                @if has_choices { (self.choices(language, fields)) }
                (limits(language, fields))
                p.choices {
                    button type="submit" name="do" value="apply" { (language.say("editor.apply")) }
                }
            }
        }
    }

    /// A text in each language.
    fn texts(
        &self,
        language: Language,
        name: &str,
        key: &str,
        texts: &[String],
        is_long: bool,
    ) -> Markup {
        html! {
            @for (at, text) in texts.iter().enumerate() {
                @let tag = self.languages.get(at).map(String::as_str);
                @let id = format!("e-{name}-{at}");
                @let has_focus = self.focus == Some("card") && at == 0 && name == "label" && self.problem.is_none();
                div.field {
                    label for=(id) { (language.say(key)) (in_language(tag)) }
                    @if is_long {
                        textarea id=(id) name={ "card." (name) "." (at) } rows="2" dir="auto" lang=[tag] { "\n" (text) }
                    } @else {
                        input id=(id) name={ "card." (name) "." (at) } value=(text) dir="auto" lang=[tag]
                            autofocus[has_focus];
                    }
                }
            }
        }
    }

    /// The answer to another question for which this one is asked.
    fn condition(
        &self,
        language: Language,
        card: &Card,
        fields: &CardFields,
        is_nested: bool,
    ) -> Markup {
        if is_nested || !self.takes_conditions {
            return html! {};
        }
        let mut conditions = Vec::new();
        let others = self.cards.iter();
        for other in others.filter(|other| other.pointer != card.pointer) {
            let Some(driver) = other.fields.as_ref().filter(|fields| fields.can_drive()) else {
                continue;
            };
            let answers = match driver.kind {
                Kind::Boolean => vec!["true".to_owned(), "false".to_owned()],
                Kind::Consent => vec!["true".to_owned()],
                _ => driver
                    .choices
                    .iter()
                    .map(|choice| choice.value.clone())
                    .collect(),
            };
            conditions.extend(answers.into_iter().map(|answer| CardCondition {
                question: other.name.clone(),
                answers: vec![answer],
            }));
        }
        let stated = fields
            .condition
            .iter()
            .filter(|stated| !conditions.contains(stated));
        let stated: Vec<_> = stated.cloned().collect();
        html! {
            div.field {
                label for="e-condition" { (language.say("editor.condition")) }
                select id="e-condition" name="card.condition" {
                    option value="" { (language.say("editor.always")) }
                    @for condition in stated.iter().chain(&conditions) {
                        option value=(condition_value(condition)) selected[fields.condition.as_ref() == Some(condition)] {
                            (self.answer(language, condition))
                        }
                    }
                }
            }
        }
    }

    fn choices(&self, language: Language, fields: &CardFields) -> Markup {
        let mut lines = ChoiceFields::lines(&fields.choices);
        lines.resize(self.languages.len().max(1), String::new());
        html! {
            @for (at, lines) in lines.iter().enumerate() {
                @let tag = self.languages.get(at).map(String::as_str);
                @let id = format!("e-choices-{at}");
                @let key = if at == 0 { "editor.choices" } else { "editor.choices.labels" };
                div.field {
                    label for=(id) { (language.say(key)) (in_language(tag)) }
                    @if at == 0 {
                        p.hint id="e-choices.hint" { (language.say("editor.choices.help")) }
                    }
                    textarea id=(id) name={ "card.choices." (at) } rows="5" dir="auto" lang=[tag]
                        aria-describedby=[(at == 0).then_some("e-choices.hint")] { "\n" (lines) }
                }
            }
        }
    }

    /// The controls that add a question, at the end or in a group.
    fn adding(&self, language: Language, group: &str) -> Markup {
        let is_nested = !group.is_empty();
        let kinds = KINDS.into_iter();
        let kinds = kinds.filter(|kind| !is_nested || !matches!(kind, Kind::Group | Kind::List));
        let (label_id, kind_id) = (
            format!("e-new{}", id(group)),
            format!("e-new-kind{}", id(group)),
        );
        let value = format!("new:{group}");
        let has_focus = self.focus == Some(value.as_str());
        let key = if is_nested {
            "editor.addWithin"
        } else {
            "editor.add"
        };
        html! {
            fieldset.adding {
                legend { (language.say(key)) }
                div.field {
                    label for=(label_id) { (language.say("editor.label")) }
                    input id=(label_id) name={ "new.label:" (group) } dir="auto" autofocus[has_focus];
                }
                div.field {
                    label for=(kind_id) { (language.say("editor.kind")) }
                    select id=(kind_id) name={ "new.kind:" (group) } {
                        @for kind in kinds { option value=(kind.as_str()) { (kind_name(language, kind)) } }
                    }
                }
                button type="submit" name="do" value=(value) { (language.say("editor.addButton")) }
            }
        }
    }
}

/// The sign on a button. The button has a name in words.
fn icon(verb: &str) -> Markup {
    let lines = match verb {
        "up" => "M10 16V4M4.5 9.5 10 4l5.5 5.5",
        "down" => "M10 4v12M4.5 10.5 10 16l5.5-5.5",
        "copy" => "M7 7h9v9H7zM4 13V4h9",
        _ => "M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6",
    };
    html! {
        svg.icon viewBox="0 0 20 20" aria-hidden="true" focusable="false" { path d=(lines) {} }
    }
}

fn shortcut(verb: &str) -> Option<&'static str> {
    match verb {
        "up" => Some("Alt+ArrowUp"),
        "down" => Some("Alt+ArrowDown"),
        _ => None,
    }
}

fn in_language(tag: Option<&str>) -> Markup {
    html! { @if let Some(tag) = tag { " " span.optional { "(" (tag) ")" } } }
}

fn kind_of_answer(language: Language, fields: &CardFields) -> Markup {
    let is_group = |kind| matches!(kind, Kind::Group | Kind::List);
    let kinds = KINDS.into_iter();
    let kinds =
        kinds.filter(|kind| *kind == fields.kind || !is_group(*kind) && !is_group(fields.kind));
    html! {
        div.field {
            label for="e-kind" { (language.say("editor.kind")) }
            select id="e-kind" name="card.kind" data-apply {
                @for kind in kinds {
                    option value=(kind.as_str()) selected[kind == fields.kind] { (kind_name(language, kind)) }
                }
            }
        }
    }
}

fn limits(language: Language, fields: &CardFields) -> Markup {
    let (least, most) = limit_names(language, fields.kind);
    let is_group = fields.kind == Kind::Group;
    let number = |id: &str, name: &str, label: &str, value: &str| {
        html! {
            div.field {
                label for=(id) { (label) }
                input.short id=(id) name=(name) value=(value) inputmode="decimal";
            }
        }
    };
    html! {
        @if CardFields::has_limits(fields.kind) && !is_group {
            div.pair {
                (number("e-least", "card.least", least, &fields.least))
                (number("e-most", "card.most", most, &fields.most))
            }
        }
        @if fields.kind == Kind::Text {
            details.pattern open[!fields.pattern.is_empty()] {
                summary { (language.say("editor.pattern")) }
                div.field {
                    label for="e-pattern" { (language.say("editor.pattern.label")) }
                    p.hint id="e-pattern.hint" { (language.say("editor.pattern.help")) }
                    input.code id="e-pattern" name="card.pattern" value=(fields.pattern) spellcheck="false"
                        aria-describedby="e-pattern.hint";
                }
            }
        }
    }
}
