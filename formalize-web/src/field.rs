//! Questions as HTML.

use std::fmt::Write;

use formalize_core::Violation;
use formalize_core::questions::{Choice, Entries, Limits, Question, QuestionKind, Widget};
use maud::{Markup, html};
use serde_json::Value;

use crate::language::Language;
use crate::problem;

/// The number of choices up to which all are shown as radio buttons.
const MAX_RADIOS: usize = 5;
/// The number of choices up to which all are shown as check boxes.
const MAX_BOXES: usize = 20;

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

/// The texts of a question besides its label, with their ids.
struct Notes {
    markup: Markup,
    /// The ids of the texts, for `aria-describedby`.
    ids: Option<String>,
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
            let text = self.text(question);
            return html! { input type="hidden" name=(name(question)) value=(text); };
        }
        let field = match question.kind {
            Kind::Const => return html! {},
            Kind::Shown => self.shown(question, label),
            Kind::Group | Kind::Row => self.set(question, label, &self.children(question)),
            Kind::List => self.list(question, label),
            Kind::Variant => self.variant(question, label),
            Kind::Boolean if question.is_required => {
                self.radios(question, label, &self.yes_or_no())
            }
            Kind::Boolean | Kind::Consent => self.tick(question, label),
            Kind::Choice => self.choice(question, label),
            Kind::Choices => self.choices(question, label),
            Kind::Rest => self.rest(question),
            _ => self.input(question, label),
        };
        html! {
            (field)
            @if question.drives {
                button.show type="submit" name="do" value="show" { (self.language.say("show")) }
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
            Kind::Integer | Kind::Number | Kind::Date | Kind::Time | Kind::DateTime => "short",
            Kind::Json => "code",
            _ => "long",
        };
        let (id, name) = (id(&question.pointer), name(question));
        let direction = (input_type == "text" || is_long).then_some("auto");
        html! {
            div.field.wrong[is_invalid.is_some()] {
                label for=(id) { (self.label(question, label)) }
                (notes.markup)
                @if is_long {
                    // HTML ignores the first line break of a text area.
                    textarea class=(class) id=(id) name=(name) rows="5" dir=[direction]
                        required[question.is_required] aria-invalid=[is_invalid]
                        aria-describedby=[notes.ids] { "\n" (shown) }
                } @else {
                    input type=(input_type) id=(id) name=(name) value=(shown) class=(class) dir=[direction]
                        inputmode=[mode] step=[is_time.then_some("1")]
                        autocomplete=[self.autocomplete(question)]
                        required[question.is_required] aria-invalid=[is_invalid]
                        aria-describedby=[notes.ids];
                }
            }
        }
    }

    /// A check box.
    fn tick(&self, question: &Question, label: &str) -> Markup {
        let notes = self.notes(question, None);
        let is_ticked = self.selected(question).iter().any(|one| one == "true");
        let is_invalid = (!question.problems.is_empty()).then_some("true");
        let (id, name) = (id(&question.pointer), name(question));
        html! {
            div.field.wrong[is_invalid.is_some()] {
                (notes.markup)
                div.option {
                    input type="hidden" name=(name) value="";
                    input type="checkbox" id=(id) name=(name) value="true" checked[is_ticked]
                        required[question.kind == QuestionKind::Consent && question.is_required]
                        aria-invalid=[is_invalid] aria-describedby=[notes.ids];
                    label for=(id) { (self.label(question, label)) }
                }
            }
        }
    }

    fn choice(&self, question: &Question, label: &str) -> Markup {
        let has_radios = match question.widget {
            Some(Widget::Radio) => true,
            Some(Widget::Select) => false,
            _ => question.choices.len() <= MAX_RADIOS,
        };
        let choices: Vec<_> = question.choices.iter().map(text_of_choice).collect();
        if has_radios {
            return self.radios(question, label, &choices);
        }
        self.select(question, label, &name(question), &choices)
    }

    /// A group of radio buttons for pairs of value and label.
    fn radios(&self, question: &Question, label: &str, choices: &[(&str, &str)]) -> Markup {
        let name = name(question);
        let buttons = self.buttons(question, &name, &self.selected(question), choices);
        let content = html! {
            input type="hidden" name=(name) value="";
            (buttons)
        };
        self.set(question, label, &content)
    }

    /// Radio buttons, with one for no answer if none is required.
    fn buttons(
        &self,
        question: &Question,
        name: &str,
        selected: &[String],
        choices: &[(&str, &str)],
    ) -> Markup {
        let none = (!question.is_required).then(|| ("", self.language.say("noAnswer")));
        let choices: Vec<_> = choices.iter().copied().chain(none).collect();
        let none = [String::new()];
        let selected = if selected.is_empty() { &none } else { selected };
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
        let is_invalid = (!question.problems.is_empty()).then_some("true");
        let several = question.kind == QuestionKind::Choices;
        let id = id(&question.pointer);
        html! {
            div.field.wrong[is_invalid.is_some()] {
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
                        option value=(value) selected[selected.iter().any(|one| one == value)] { (label) }
                    }
                }
            }
        }
    }

    fn choices(&self, question: &Question, label: &str) -> Markup {
        let choices: Vec<_> = question.choices.iter().map(text_of_choice).collect();
        let name = name(question);
        if choices.len() > MAX_BOXES {
            return self.select(question, label, &name, &choices);
        }
        let content = html! {
            input type="hidden" name=(name) value="";
            (options("checkbox", question, &name, &self.selected(question), &choices))
        };
        self.set(question, label, &content)
    }

    /// A choice between variants, and the questions of the chosen one.
    fn variant(&self, question: &Question, label: &str) -> Markup {
        let choices: Vec<_> = question.choices.iter().map(text_of_choice).collect();
        let name = format!("variant:{}", question.pointer);
        let entered = self
            .entries
            .and_then(|entries| entries.variant(&question.pointer));
        let fitting = question.value.as_ref().map(|value| value.get());
        let chosen = entered.or(fitting).unwrap_or_default().to_owned();
        let content = html! {
            (self.buttons(question, &name, &[chosen], &choices))
            @for child in &question.children {
                @if is_merged(question, child) {
                    (self.children(child))
                } @else {
                    (self.field(child, label))
                }
            }
        };
        self.set(question, label, &content)
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
        let most = list.limits.max_items.unwrap_or(u64::MAX);
        let may_add = u64::try_from(list.children.len()).is_ok_and(|count| count < most);
        let add = if list.children.is_empty() {
            "addFirst"
        } else {
            "add"
        };
        self.set(
            list,
            label,
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
            div.field {
                p.label id=(id(&question.pointer)) tabindex="-1" { bdi { (label) } }
                (notes.markup)
                p.value dir="auto" { (self.text(question)) }
            }
        }
    }

    /// Several controls under one label.
    fn set(&self, question: &Question, label: &str, content: &Markup) -> Markup {
        let notes = self.notes(question, None);
        html! {
            fieldset.field.wrong[problems(question).next().is_some()].group[has_parts(question)] id=(set_id(question)) tabindex="-1"
                aria-describedby=[notes.ids] {
                legend { (self.label(question, label)) }
                (notes.markup)
                (content)
            }
        }
    }

    fn label(&self, question: &Question, label: &str) -> Markup {
        html! {
            bdi { (label) }
            @if !question.is_required {
                " " span.optional { (self.language.say("optional")) }
            }
        }
    }

    /// Help, hint and problems of a question.
    fn notes(&self, question: &Question, explanation: Option<String>) -> Notes {
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
        let values = values
            .each_ref()
            .map(|(name, value)| (*name, value.as_str()));
        Some(self.language.say_with(&format!("{key}.{ending}"), &values))
    }

    /// The time zone that is meant if an answer names none.
    fn time_zone(&self, question: &Question) -> String {
        let stored = value(question);
        let text = stored.as_str().unwrap_or_default();
        match text.strip_prefix(local(text)).unwrap_or_default() {
            "" | "Z" | "z" => self.language.say("timeZoneUtc").to_owned(),
            offset => self.language.say_with("timeZone", &[("offset", offset)]),
        }
    }

    /// The token of HTML for what a browser may complete.
    fn autocomplete<'q>(&self, question: &'q Question) -> Option<&'q str> {
        let stated = question
            .autocomplete
            .as_deref()
            .filter(|token| TOKENS.contains(token));
        let usual = || (question.kind == QuestionKind::Email).then_some("email");
        stated.or_else(usual).filter(|_| self.completes)
    }

    fn yes_or_no(&self) -> [(&'static str, &'static str); 2] {
        [
            ("true", self.language.say("yes")),
            ("false", self.language.say("no")),
        ]
    }

    /// The text to show in a control: what a person has entered, else the data, else the default.
    fn text(&self, question: &Question) -> String {
        if let Some(entered) = self.entered(question) {
            return entered.first().cloned().unwrap_or_default();
        }
        text_of(&self.shown_value(question), question)
    }

    /// The values of the selected choices.
    fn selected(&self, question: &Question) -> Vec<String> {
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
            (_, Value::Null) => &[],
            _ => std::slice::from_ref(&value),
        };
        if question.choices.is_empty() {
            return answers.iter().map(Value::to_string).collect();
        }
        let is_selected = |choice: &&Choice| answers.iter().any(|answer| choice.is(answer));
        let selected = question.choices.iter().filter(is_selected);
        selected.map(|choice| choice.value.clone()).collect()
    }

    fn entered(&self, question: &Question) -> Option<&[String]> {
        self.entries?.texts(&question.pointer)
    }

    fn shown_value(&self, question: &Question) -> Value {
        match (&question.value, &question.default) {
            (None, Some(default)) if self.is_new => default.clone(),
            _ => value(question),
        }
    }
}

/// The tokens of `autocomplete` in HTML that are names of fields of one text.
const TOKENS: [&str; 38] = [
    "additional-name",
    "address-level1",
    "address-level2",
    "address-level3",
    "address-level4",
    "address-line1",
    "address-line2",
    "address-line3",
    "bday",
    "bday-day",
    "bday-month",
    "bday-year",
    "country",
    "country-name",
    "email",
    "family-name",
    "given-name",
    "honorific-prefix",
    "honorific-suffix",
    "impp",
    "language",
    "name",
    "nickname",
    "off",
    "organization",
    "organization-title",
    "photo",
    "postal-code",
    "sex",
    "street-address",
    "tel",
    "tel-country-code",
    "tel-extension",
    "tel-local",
    "tel-national",
    "url",
    "username",
    "on",
];

/// The problems to show with a question. A variant also shows those of the group that it contains.
fn problems(question: &Question) -> impl Iterator<Item = &Violation> {
    let within = question
        .children
        .iter()
        .filter(|child| is_merged(question, child));
    question
        .problems
        .iter()
        .chain(within.flat_map(|child| &child.problems))
}

/// Whether a question is shown as part of the one above, which is about the same location.
fn is_merged(parent: &Question, child: &Question) -> bool {
    let is_set = matches!(child.kind, QuestionKind::Group | QuestionKind::Row);
    parent.kind == QuestionKind::Variant && is_set
}

/// The `id` of a question, or of the choice between its variants if one of them has the same location.
fn set_id(question: &Question) -> String {
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
    html! {
        @for (at, (value, label)) in choices.iter().enumerate() {
            @let id = format!("{id}.{at}");
            @let is_selected = selected.iter().any(|one| one == value);
            div.option {
                input type=(kind) id=(id) name=(name) value=(value) checked[is_selected]
                    required[is_required];
                label for=(id) dir="auto" { (label) }
            }
        }
    }
}

/// The name of the input of a question.
fn name(question: &Question) -> String {
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
fn has_parts(question: &Question) -> bool {
    use QuestionKind as Kind;
    matches!(
        question.kind,
        Kind::Group | Kind::List | Kind::Row | Kind::Variant
    )
}

fn value(question: &Question) -> Value {
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

fn text_of_choice(choice: &Choice) -> (&str, &str) {
    (&choice.value, &choice.label)
}

/// The label of an item is its position, which says little without the name of the list.
fn item_label(parent: &Question, child: &Question, at: usize) -> String {
    let number = at.saturating_add(1).to_string();
    let is_item = matches!(parent.kind, QuestionKind::List | QuestionKind::Row);
    if is_item && child.label == number {
        return format!("{} {number}", parent.label);
    }
    child.label.clone()
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
                @if trimmed.is_empty() {
                    "https://"
                } @else {
                    a href=(url) rel="noopener noreferrer nofollow" { (url) }
                }
                (marks) (behind)
            }
        }
    }
}

/// Whether a date input of HTML can show a text.
fn is_date(text: &str) -> bool {
    text.is_empty() || has_form(text, "dddd-dd-dd") && !text.starts_with("0000")
}

/// Whether a time input of HTML can show a text, apart from its offset.
fn is_time(text: &str) -> bool {
    let local = local(text);
    let is_leap_second = local.ends_with(":60");
    text.is_empty() || !is_leap_second && (has_form(local, "dd:dd:dd") || has_form(local, "dd:dd"))
}

/// Whether an input of HTML for a date and a time can show a text, apart from its offset.
fn is_date_time(text: &str) -> bool {
    text.is_empty()
        || text.split_once('T').is_some_and(|(date, time)| {
            !date.is_empty() && !time.is_empty() && is_date(date) && is_time(time)
        })
}

/// A time without its offset from UTC.
fn local(text: &str) -> &str {
    let begin = text.find('T').map_or(0, |at| at.saturating_add(1));
    let time = text.get(begin..).unwrap_or_default();
    let end = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
    text.get(..begin.saturating_add(end)).unwrap_or_default()
}

/// Whether a text has digits where the form has `d`, and else the same characters.
fn has_form(text: &str, form: &str) -> bool {
    let fits = |(one, wanted): (char, char)| match wanted {
        'd' => one.is_ascii_digit(),
        wanted => one == wanted,
    };
    text.chars().count() == form.chars().count() && text.chars().zip(form.chars()).all(fits)
}
