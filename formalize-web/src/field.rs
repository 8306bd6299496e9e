//! Questions as HTML.

use std::fmt::Write;

use formalize_core::questions::{Entries, Question, QuestionKind, Widget};
use maud::{Markup, html};
use serde_json::Value;

use crate::autocomplete::token_of;
use crate::choice::text_of_choice;
use crate::language::Language;
use crate::moment::{is_date, is_date_time, is_time, local, step};
use crate::notes::problems;

/// Renders questions.
pub(crate) struct Fields<'a> {
    pub(crate) language: Language,
    pub(crate) entries: Option<&'a Entries>,
    /// Whether questions without an answer are filled in with their defaults.
    pub(crate) is_new: bool,
    /// Whether browsers may complete what a person enters.
    pub(crate) completes: bool,
}

/// The `id` of the element for a question. Apart from letters, digits and a few signs, all characters are encoded: a list
/// of ids is separated by blanks.
pub(crate) fn id(pointer: &str) -> String {
    let mut id = String::from("q");
    for one in pointer.chars() {
        if one.is_ascii_alphanumeric() || matches!(one, '/' | '_' | '-') {
            id.push(one);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(id, ".{:x}.", u32::from(one));
        }
    }
    id
}

impl Fields<'_> {
    /// All questions.
    pub(crate) fn root(&self, root: &Question, form_name: &str) -> Markup {
        if root.kind != QuestionKind::Group {
            let label = match (root.label.as_str(), root.kind) {
                ("", QuestionKind::Json) => self.language.say("wholeAsJson"),
                ("", _) => form_name,
                (label, _) => label,
            };
            return self.field(root, label);
        }
        let notes = self.notes(root, None);
        html! {
            div id=(id(&root.pointer)) tabindex="-1" aria-describedby=[notes.ids] {
                (notes.markup)
                (self.children(root))
            }
        }
    }

    fn children(&self, parent: &Question) -> Markup {
        html! {
            @for (at, child) in parent.children.iter().enumerate() {
                (self.field(child, &item_label(parent, child, at)))
            }
        }
    }

    /// A question with a label.
    fn field(&self, question: &Question, label: &str) -> Markup {
        use QuestionKind as Kind;
        if is_hidden(question) {
            let value = match question.kind {
                Kind::Choice => self.selected(question).into_iter().next(),
                _ => Some(self.text(question)),
            };
            return html! {
                input type="hidden" name=(name(question)) value=(value.unwrap_or_default());
            };
        }
        let field = match question.kind {
            Kind::Const => return html! {},
            Kind::Shown => self.shown(question, label),
            Kind::Group | Kind::Row => self.set(question, label, None, &self.children(question)),
            Kind::List => self.list(question, label),
            Kind::Variant => self.variant(question, label),
            Kind::Boolean if question.is_required => self.yes_or_no(question, label),
            Kind::Boolean | Kind::Consent => self.tick(question, label),
            Kind::Choice => self.choice(question, label),
            Kind::Choices => self.choices(question, label),
            Kind::Rest => self.rest(question),
            _ => self.input(question, label),
        };
        html! {
            (field)
            @if question.drives {
                button.show data-key=(key(question)) type="submit" name="do" value="show" { (self.language.say("show")) }
            }
        }
    }

    /// A question with one control that a person types into.
    fn input(&self, question: &Question, label: &str) -> Markup {
        use QuestionKind as Kind;
        let text = self.text(question);
        let (input_type, mode) = match question.kind {
            Kind::Email => ("email", None),
            Kind::Uri => ("url", None),
            Kind::Date if is_date(&text) => ("date", None),
            Kind::Time if is_time(&text) => ("time", None),
            Kind::DateTime if is_date_time(&text) => ("datetime-local", None),
            Kind::Integer => ("text", Some("numeric")),
            Kind::Number => ("text", Some("decimal")),
            _ => ("text", None),
        };
        let is_time = matches!(input_type, "time" | "datetime-local");
        let explanation = match question.kind {
            Kind::Json => Some(self.language.say("asJson").to_owned()),
            _ if is_time => Some(self.time_zone(question)),
            _ => None,
        };
        let notes = self.notes(question, explanation);
        let is_long = matches!(question.kind, Kind::LongText | Kind::Json);
        let shown = if is_time { local(&text) } else { &text };
        let is_invalid = (!question.problems.is_empty()).then_some("true");
        let class = match question.kind {
            Kind::Integer | Kind::Number | Kind::Date | Kind::Time | Kind::DateTime => {
                Some("short")
            }
            Kind::Json => Some("code"),
            _ => None,
        };
        let (id, name) = (id(&question.pointer), name(question));
        let step = is_time.then(|| step(shown));
        let token = token_of(question).filter(|_| self.completes);
        let direction = (input_type == "text" || is_long).then_some("auto");
        html! {
            div.field.wrong[is_invalid.is_some()] data-key=(key(question)) {
                label for=(id) { (self.label(question, label)) }
                (notes.markup)
                @if is_long {
                    // HTML ignores the first line break of a text area.
                    textarea class=[class] id=(id) name=(name) rows="5" dir=[direction]
                        required[question.is_required] aria-invalid=[is_invalid]
                        aria-describedby=[notes.ids] { "\n" (shown) }
                } @else {
                    input type=(input_type) id=(id) name=(name) value=(shown) class=[class] dir=[direction]
                        inputmode=[mode] step=[step]
                        autocomplete=[token]
                        required[question.is_required] aria-invalid=[is_invalid]
                        aria-describedby=[notes.ids];
                }
            }
        }
    }

    /// A choice between variants, and the questions of the chosen one.
    fn variant(&self, question: &Question, label: &str) -> Markup {
        let choices: Vec<_> = question.choices.iter().map(text_of_choice).collect();
        let name = format!("variant:{}", question.pointer);
        let entered = self
            .entries
            .and_then(|entries| entries.variant(&question.pointer));
        let fitting = question.value.as_ref().map(|value| value.get());
        // An empty text means that no answer was chosen, which must stay so when the page is sent again.
        let chosen: Vec<_> = entered.or(fitting).map(str::to_owned).into_iter().collect();
        let content = html! {
            (self.buttons(question, &name, &chosen, &choices))
            @for child in &question.children {
                @if is_merged(question, child) {
                    (self.children(child))
                } @else {
                    (self.field(child, label))
                }
            }
        };
        self.set(question, label, None, &content)
    }

    fn list(&self, list: &Question, label: &str) -> Markup {
        let positions = match self
            .entries
            .and_then(|entries| entries.items(&list.pointer))
        {
            Some(items) => {
                let items = items.iter().take(list.children.len());
                let items = items.map(|item| item.map_or("-".to_owned(), |at| at.to_string()));
                items.collect::<Vec<_>>()
            }
            None => (0..list.children.len()).map(|at| at.to_string()).collect(),
        };
        let count = list.children.len();
        let is_below = |most| u64::try_from(count).is_ok_and(|count| count < most);
        let may_add = count < Entries::MAX_ITEMS && list.limits.max_items.is_none_or(is_below);
        let add = if list.children.is_empty() {
            "addFirst"
        } else {
            "add"
        };
        self.set(
            list,
            label,
            None,
            &html! {
                input type="hidden" name={ "items:" (list.pointer) } value=(positions.join(" "));
                @for (at, child) in list.children.iter().enumerate() {
                    @let item = item_label(list, child, at);
                    div.item {
                        (self.field(child, &item))
                        button type="submit" name="do" value={ "remove:" (child.pointer) } {
                            (self.language.say_with("remove", &[("item", &item)]))
                        }
                    }
                }
                @if may_add {
                    button type="submit" name="do" value={ "add:" (list.pointer) } {
                        (self.language.say_with(add, &[("list", label)]))
                    }
                }
            },
        )
    }

    /// The other members of a group, as JSON.
    fn rest(&self, question: &Question) -> Markup {
        let entered = self
            .entries
            .and_then(|entries| entries.rest(&question.pointer));
        let stored = question.value.as_ref().map(|value| value.get());
        let id = format!("{}.rest", id(&question.pointer));
        html! {
            div.field {
                label for=(id) { (self.language.say("others")) " " span.optional { (self.language.say("optional")) } }
                p.help id={ (id) ".help" } { (self.language.say("othersHint")) }
                textarea.code id=(id) name={ "rest:" (question.pointer) } rows="3"
                    aria-describedby={ (id) ".help" } { "\n" (entered.or(stored).unwrap_or_default()) }
            }
        }
    }

    /// A value that cannot be changed.
    fn shown(&self, question: &Question, label: &str) -> Markup {
        let notes = self.notes(question, None);
        html! {
            div.field data-key=(key(question)) {
                p.label id=(id(&question.pointer)) tabindex="-1" { bdi { (label) } }
                (notes.markup)
                p.value dir="auto" { (self.text(question)) }
            }
        }
    }

    /// Several controls under one label. `role` is that of the whole, unless they are only a group.
    pub(crate) fn set(
        &self,
        question: &Question,
        label: &str,
        role: Option<&str>,
        content: &Markup,
    ) -> Markup {
        let notes = self.notes(question, None);
        let is_wrong = problems(question).next().is_some();
        html! {
            fieldset.field.wrong[is_wrong].group[has_parts(question)] id=(set_id(question)) role=[role]
                data-key=(key(question)) tabindex="-1"
                aria-invalid=[is_wrong.then_some("true")] aria-describedby=[notes.ids] {
                legend { (self.label(question, label)) }
                (notes.markup)
                (content)
            }
        }
    }

    pub(crate) fn label(&self, question: &Question, label: &str) -> Markup {
        html! {
            bdi { (label) }
            @if !question.is_required {
                " " span.optional { (self.language.say("optional")) }
            }
        }
    }

    /// The text to show in a control: what a person has entered, else the data, else the default.
    pub(crate) fn text(&self, question: &Question) -> String {
        if let Some(entered) = self.entered(question) {
            return entered.first().cloned().unwrap_or_default();
        }
        text_of(&self.shown_value(question), question)
    }

    pub(crate) fn entered(&self, question: &Question) -> Option<&[String]> {
        self.entries?.texts(&question.pointer)
    }

    pub(crate) fn shown_value(&self, question: &Question) -> Value {
        match (&question.value, &question.default) {
            (None, Some(default)) if self.is_new => default.clone(),
            _ => value(question),
        }
    }
}

/// Whether a question is shown as part of the one above, which is about the same location.
pub(crate) fn is_merged(parent: &Question, child: &Question) -> bool {
    let is_set = matches!(child.kind, QuestionKind::Group | QuestionKind::Row);
    parent.kind == QuestionKind::Variant && is_set
}

/// The `id` of a question, or of the choice between its variants if one of them has the same location.
pub(crate) fn set_id(question: &Question) -> String {
    let id = id(&question.pointer);
    let is_variant = question.kind == QuestionKind::Variant;
    if is_variant
        && question
            .children
            .iter()
            .any(|child| !is_merged(question, child))
    {
        return format!("{id}.variant");
    }
    id
}

/// What tells a question from those beside it, for the script of the page.
pub(crate) fn key(question: &Question) -> &str {
    let (_, token) = question.pointer.rsplit_once('/').unwrap_or_default();
    token
}

/// The name of the input of a question.
pub(crate) fn name(question: &Question) -> String {
    if question.pointer.is_empty() {
        return "#".to_owned();
    }
    question.pointer.clone()
}

/// Whether a page shows a question at all.
pub(crate) fn is_visible(question: &Question) -> bool {
    question.kind != QuestionKind::Const && !is_hidden(question)
}

/// Whether a question is sent without being shown. Only questions with one text can be.
fn is_hidden(question: &Question) -> bool {
    use QuestionKind as Kind;
    let has_texts = has_parts(question) || matches!(question.kind, Kind::Rest | Kind::Choices);
    question.widget == Some(Widget::Hidden) && !has_texts
}

/// Whether a question consists of others.
pub(crate) fn has_parts(question: &Question) -> bool {
    use QuestionKind as Kind;
    matches!(
        question.kind,
        Kind::Group | Kind::List | Kind::Row | Kind::Variant
    )
}

pub(crate) fn value(question: &Question) -> Value {
    let json = question.value.as_ref().map_or("null", |value| value.get());
    serde_json::from_str(json).unwrap_or_default()
}

/// The text of data: a text as it is, another value as it was written.
fn text_of(shown: &Value, question: &Question) -> String {
    let as_written = || match &question.value {
        Some(written) => written.get().to_owned(),
        None => shown.to_string(),
    };
    match shown {
        Value::Null if question.kind != QuestionKind::Json => String::new(),
        Value::Null => question
            .value
            .as_ref()
            .map(|_| "null".to_owned())
            .unwrap_or_default(),
        Value::String(text) if question.kind != QuestionKind::Json => text.clone(),
        _ => as_written(),
    }
}

/// The label of an item is its position, which says little without the name of the list.
pub(crate) fn item_label(parent: &Question, child: &Question, at: usize) -> String {
    let number = at.saturating_add(1).to_string();
    let is_item = matches!(parent.kind, QuestionKind::List | QuestionKind::Row);
    if is_item && child.label == number {
        return format!("{} {number}", parent.label);
    }
    child.label.clone()
}
