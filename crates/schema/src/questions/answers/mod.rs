//! From what a person has entered on a page to data.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde_json::Value;

use crate::questions::entries::Entries;
use crate::questions::files;
use crate::questions::walk::{Given, Tree, last_token};
use crate::questions::{Choice, Question, QuestionKind, Questions, TimeZone, Widget};
use crate::schema::{
    Budget, DataSchema, Rejection, SpelledMembers, Violation, parse_json, push_token,
};

/// The data that a page makes from what a person has entered.
#[derive(Debug, Clone)]
pub struct Answers {
    /// The data, as JSON.
    pub data: String,
    /// The questions for that data. Their problems are only those of `unreadable`.
    pub questions: Questions,
    /// Entries that should be JSON and are not, or that could not be assigned to questions in time. With these, the data is
    /// not what the person means.
    pub unreadable: Vec<Violation>,
}

impl Answers {
    /// The answers to the questions of a form.
    ///
    /// The entries replace the stored data. What the page did not show is kept, except that answers to questions that
    /// no longer apply are removed. An empty text, a group without answers and a list without items are absent unless
    /// they are required; empty items at the end of a list are dropped. A number that cannot be read stays a text, which
    /// the schema then rejects.
    ///
    /// If it depends on the answers which questions apply, the data is made several times, until it stays the same. If that
    /// takes too long, `unreadable` says so, because answers may be missing.
    ///
    /// # Errors
    ///
    /// A rejection without violations, if several answers were sent for a question that has one, if one choice was sent
    /// several times, or if the data is not JSON or too large.
    ///
    /// ```
    /// use formalize_schema::DataSchema;
    /// use formalize_schema::questions::{Answers, Entries};
    ///
    /// let schema = DataSchema::compile(r#"{
    ///     "properties": {"guests": {"type": "integer"}},
    ///     "if": {"properties": {"guests": {"minimum": 1}}, "required": ["guests"]},
    ///     "then": {"properties": {"firstGuest": {"type": "string"}}}
    /// }"#)?;
    /// let sent = [("/guests", "2"), ("/firstGuest", "Ada")];
    /// let entries = Entries::new(sent.map(|(name, text)| (name.into(), text.into()))).unwrap();
    /// let answers = Answers::of(Some(&schema), None, &entries, None)?;
    /// assert_eq!(answers.data, r#"{"guests":2,"firstGuest":"Ada"}"#);
    /// # Ok::<(), formalize_schema::Rejection>(())
    /// ```
    pub fn of(
        schema: Option<&DataSchema>,
        stored: Option<&str>,
        entries: &Entries,
        language: Option<&str>,
    ) -> Result<Self, Rejection> {
        let made = Self::made(schema, stored, entries, language, Budget::checking());
        made.map(|(answers, _)| answers)
    }

    /// The answers, if making them takes at most a few milliseconds; `None` otherwise.
    pub(crate) fn of_lightly(
        schema: Option<&DataSchema>,
        stored: Option<&str>,
        entries: &Entries,
        language: Option<&str>,
    ) -> Option<Result<Self, Rejection>> {
        let budget = Budget::checking().light();
        match Self::made(schema, stored, entries, language, budget) {
            Ok((answers, is_complete)) => is_complete.then_some(Ok(answers)),
            Err(rejection) => Some(Err(rejection)),
        }
    }

    /// The answers that can be made within a budget, and whether it was enough.
    fn made(
        schema: Option<&DataSchema>,
        stored: Option<&str>,
        entries: &Entries,
        language: Option<&str>,
        mut budget: Budget,
    ) -> Result<(Self, bool), Rejection> {
        let text = stored.unwrap_or("{}").trim();
        let value = parse_json(text)?;
        let raw = serde_json::from_str(text).ok();
        let given = stored.and(raw).map(|text| Given {
            value: &value,
            text,
        });
        let is_new = stored.is_none();
        // All rounds share the budget.
        let ask = |value: &Value, text: &str, budget: &mut Budget| {
            Questions::unjudged(schema, value, text, language, Some(entries), budget)
        };
        let first = ask(&value, text, &mut budget);
        let mut is_complete = first.is_some();
        let incomplete = || Tree {
            questions: Questions::incomplete(text),
            depends_on_data: true,
        };
        let mut tree = first.unwrap_or_else(incomplete);
        let mut data = text.to_owned();
        // Questions may appear and disappear by turns, if conditions contradict each other.
        let mut made_before = HashSet::new();
        loop {
            let (made, mut unreadable) = Reader::read(entries, &tree.questions, given, is_new)?;
            let is_final = made == data || !made_before.insert(made.clone());
            data = made;
            if !is_final {
                // It is made of JSON, so it is JSON; members of objects are unique.
                let value = parse_json(&data)?;
                let paid = budget.pay_for_reading(data.len());
                let is_filled = is_new && paid.is_some() && tree.fill(&value, &data);
                if !is_filled {
                    if let Some(next) = paid.and_then(|()| ask(&value, &data, &mut budget)) {
                        tree = next;
                        continue;
                    }
                    is_complete = false;
                    unreadable.push(takes_too_long());
                }
            }
            let mut questions = tree.questions;
            questions.files = files::questions(schema, language);
            questions.place(unreadable.clone());
            let answers = Self {
                data,
                questions,
                unreadable,
            };
            return Ok((answers, is_complete));
        }
    }
}

fn takes_too_long() -> Violation {
    let message = "takes too long: too many questions depend on other questions";
    Violation::of_keyword("", String::new(), message)
}

/// Reads the answers to questions.
struct Reader<'e> {
    entries: &'e Entries,
    /// Whether no data was stored.
    is_new: bool,
    /// The first question with several answers that may have one only.
    duplicate: Option<String>,
    /// The first question with more answers than choices.
    surplus: Option<String>,
    unreadable: Vec<Violation>,
}

/// The data for a question.
struct Answer {
    json: String,
    /// Whether a person has answered, in contrast to values that are sent for formal reasons.
    is_answered: bool,
}

impl Answer {
    fn of(json: String) -> Self {
        Self {
            json,
            is_answered: true,
        }
    }

    fn text(text: &str) -> Self {
        Self::of(quoted(text))
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

impl<'e> Reader<'e> {
    /// The data for these questions, and the entries that cannot be read.
    fn read(
        entries: &'e Entries,
        questions: &Questions,
        given: Option<Given<'_>>,
        is_new: bool,
    ) -> Result<(String, Vec<Violation>), Rejection> {
        let mut reader = Self {
            entries,
            is_new,
            duplicate: None,
            surplus: None,
            unreadable: Vec::new(),
        };
        let answer = reader.answer(&questions.root, given);
        if let Some(name) = reader.duplicate {
            let message = format!("`{name}` was sent more than once");
            return Err(Rejection::unreadable(message));
        }
        if let Some(name) = reader.surplus {
            let message = format!("`{name}` was sent more often than it has choices");
            return Err(Rejection::unreadable(message));
        }
        let data = answer.map_or_else(|| "{}".to_owned(), |answer| answer.json);
        Ok((data, reader.unreadable))
    }

    fn answer(&mut self, question: &Question, stored: Option<Given<'_>>) -> Option<Answer> {
        use QuestionKind as Kind;
        if question.kind != Kind::Group && !self.entries.cover(&question.pointer) {
            return self.not_shown(question, stored);
        }
        let answer = match question.kind {
            Kind::Group => self.group(question, stored),
            Kind::List => self.list(question, stored),
            Kind::Row => self.row(question, stored),
            Kind::Variant => self.variant(question, stored),
            Kind::Const | Kind::Shown | Kind::Rest => self.not_shown(question, stored),
            _ => self.leaf(question, stored),
        };
        let is_hidden = question.widget == Some(Widget::Hidden);
        answer.map(|answer| Answer {
            is_answered: answer.is_answered && !is_hidden,
            ..answer
        })
    }

    /// The answer to a question that the page did not show: the stored one.
    fn not_shown(&self, question: &Question, stored: Option<Given<'_>>) -> Option<Answer> {
        let is_constant = question.kind == QuestionKind::Const;
        let is_sent = match stored {
            Some(_) if !is_constant => return kept(stored),
            Some(_) => true,
            None if is_constant => question.is_required,
            None => self.entries.fills_defaults(),
        };
        let default = question.default.as_ref().filter(|_| is_sent)?;
        Some(Answer {
            json: default.to_string(),
            is_answered: stored.is_some(),
        })
    }

    /// A question with one input, or one group of check boxes or radio buttons.
    fn leaf(&mut self, question: &Question, stored: Option<Given<'_>>) -> Option<Answer> {
        use QuestionKind as Kind;
        let entries = self.entries;
        let Some(texts) = entries.texts(&question.pointer) else {
            return self.not_shown(question, stored);
        };
        if question.kind == Kind::Choices {
            if is_surplus(question, texts) {
                self.surplus.get_or_insert_with(|| question.pointer.clone());
                return None;
            }
            return choices(question, texts, stored);
        }
        // No person has ticked the box yet on a page that is shown for the first time.
        if question.kind == Kind::Consent && entries.fills_defaults() {
            return None;
        }
        let may_be_empty = matches!(question.kind, Kind::Boolean | Kind::Consent | Kind::Choice);
        let mut texts = texts
            .iter()
            .filter(|text| !(may_be_empty && text.is_empty()));
        let text = texts.next().map_or("", String::as_str);
        if texts.next().is_some() {
            self.duplicate
                .get_or_insert_with(|| question.pointer.clone());
        }
        match question.kind {
            Kind::Boolean if text.is_empty() => self.unticked(question, stored),
            _ if text.is_empty() => None,
            Kind::Boolean | Kind::Consent if matches!(text, "true" | "false") => {
                Some(Answer::of(text.to_owned()))
            }
            Kind::Integer | Kind::Number => number(text, entries.has_decimal_comma()),
            Kind::Choice => chosen(question, &[text]).pop().map(Answer::of),
            Kind::Time | Kind::DateTime => {
                let zone = entries.time_zone();
                Some(Answer::text(&with_offset(
                    text,
                    question.kind,
                    stored,
                    zone,
                )))
            }
            Kind::Json => self.json(question, text),
            _ => Some(Answer::text(text)),
        }
    }

    /// The answer of a check box that is not ticked: `false` if the question had an answer before, and none otherwise.
    fn unticked(&self, question: &Question, stored: Option<Given<'_>>) -> Option<Answer> {
        let was_boolean = stored.is_some_and(|stored| stored.value.is_boolean());
        let was_ticked = self.is_new && question.default == Some(Value::Bool(true));
        let says_no = !question.is_required && (was_boolean || was_ticked);
        says_no.then(|| Answer::of("false".to_owned()))
    }

    fn json(&mut self, question: &Question, text: &str) -> Option<Answer> {
        if text.trim().is_empty() {
            return None;
        }
        if let Err(rejection) = parse_json(text) {
            self.cannot_read(&question.pointer, &rejection);
            return Some(Answer::text(text));
        }
        Some(Answer::of(text.trim().to_owned()))
    }

    fn cannot_read(&mut self, pointer: &str, rejection: &Rejection) {
        let reason = rejection.messages().first().cloned().unwrap_or_default();
        let message = format!("must be JSON: {reason}");
        self.unreadable
            .push(Violation::of_keyword("json", pointer.to_owned(), message));
    }

    /// The data of a group. The group exists if one of its questions was answered, if it was stored, or if it is required.
    fn group(&mut self, group: &Question, stored: Option<Given<'_>>) -> Option<Answer> {
        let was_there = stored.is_some_and(|stored| stored.value.is_object());
        let mut kept = stored.map(Given::members).unwrap_or_default();
        let mut is_answered = false;
        let mut members: Vec<(String, String)> = Vec::new();
        for child in group
            .children
            .iter()
            .filter(|child| child.kind != QuestionKind::Rest)
        {
            let name = last_token(&child.pointer);
            let before = kept.remove(&name);
            if let Some(answer) = self.answer(child, before) {
                is_answered |= answer.is_answered;
                members.push((name, answer.json));
            }
        }
        let rest = self.rest(group, &kept, &members);
        is_answered |= !rest.is_empty();
        members.extend(rest);
        let exists = is_answered || was_there || group.is_required;
        let members = members
            .iter()
            .map(|(name, json)| format!("{}:{json}", quoted(name)));
        let members: Vec<_> = members.collect();
        exists.then(|| Answer {
            json: format!("{{{}}}", members.join(",")),
            is_answered: is_answered || was_there,
        })
    }

    /// The members of a group that have no question: those that were entered as JSON, or else those that were stored.
    ///
    /// A stored member is removed if the page had a question for it that no longer applies.
    fn rest(
        &mut self,
        group: &Question,
        kept: &BTreeMap<String, Given<'_>>,
        answered: &[(String, String)],
    ) -> BTreeMap<String, String> {
        let has_question = |name: &str| {
            let mut pointer = group.pointer.clone();
            push_token(&mut pointer, name);
            self.entries.cover(&pointer)
        };
        let stored = kept.iter().filter(|(name, _)| !has_question(name));
        let stored = || {
            stored
                .map(|(name, given)| (name.clone(), given.text.get().to_owned()))
                .collect()
        };
        let text = match self.entries.rest(&group.pointer).map(str::trim) {
            None => return stored(),
            Some("") => "{}",
            Some(text) => text,
        };
        let is_answered = |name: &str| answered.iter().any(|(answered, _)| answered == name);
        match parse_json(text).and_then(|_| members_of(text, is_answered)) {
            Ok(entered) => entered,
            Err(rejection) => {
                self.cannot_read(&group.pointer, &rejection);
                stored()
            }
        }
    }

    fn list(&mut self, list: &Question, stored: Option<Given<'_>>) -> Option<Answer> {
        let origins = self.entries.items(&list.pointer)?;
        self.items(list, origins.iter().copied(), stored)
    }

    fn row(&mut self, row: &Question, stored: Option<Given<'_>>) -> Option<Answer> {
        self.items(row, (0..row.children.len()).map(Some), stored)
    }

    /// The items of a list or row. `origins` are the positions of the items in the stored data.
    fn items(
        &mut self,
        list: &Question,
        origins: impl Iterator<Item = Option<usize>>,
        stored: Option<Given<'_>>,
    ) -> Option<Answer> {
        let before = stored.map(Given::items).unwrap_or_default();
        let mut items = Vec::new();
        // The number of items up to the last one that is not empty.
        let mut filled = 0;
        for (child, origin) in list.children.iter().zip(origins) {
            let stored = origin.and_then(|origin| before.get(origin).copied());
            let answer = self.answer(child, stored);
            // An item that was stored empty is not one that a person left empty.
            let was_empty = stored.is_some_and(|stored| is_empty(stored.value));
            let is_filled = answer.as_ref().is_some_and(|answer| {
                answer.is_answered
                    && !serde_json::from_str(&answer.json).is_ok_and(|value| is_empty(&value))
            });
            items.push(answer.map_or_else(|| empty(child.kind).to_owned(), |answer| answer.json));
            if is_filled || was_empty {
                filled = items.len();
            }
        }
        if list.kind == QuestionKind::Row {
            let more = before.get(items.len()..).unwrap_or_default();
            items.extend(more.iter().map(|given| given.text.get().to_owned()));
            filled = if more.is_empty() { filled } else { items.len() };
        }
        items.truncate(filled);
        let was_empty = stored.is_some_and(|stored| is_empty(stored.value));
        let exists = !items.is_empty() || list.is_required || was_empty;
        exists.then(|| Answer {
            is_answered: !items.is_empty(),
            json: format!("[{}]", items.join(",")),
        })
    }

    fn variant(&mut self, variant: &Question, stored: Option<Given<'_>>) -> Option<Answer> {
        let chosen = self.entries.variant(&variant.pointer);
        if chosen.is_none() && !self.entries.cover(&variant.pointer) {
            return kept(stored);
        }
        let child = variant.children.first()?;
        let answer = self.answer(child, stored)?;
        let is_answered = answer.is_answered || chosen.is_some_and(|chosen| !chosen.is_empty());
        Some(Answer {
            is_answered,
            ..answer
        })
    }
}

/// The stored data, unchanged.
fn kept(stored: Option<Given<'_>>) -> Option<Answer> {
    Some(Answer::of(stored?.text.get().to_owned()))
}

/// The JSON of an item without an answer.
fn empty(kind: QuestionKind) -> &'static str {
    use QuestionKind as Kind;
    match kind {
        Kind::Group => "{}",
        Kind::List | Kind::Row | Kind::Choices => "[]",
        Kind::Text | Kind::LongText | Kind::Email | Kind::Uri => "\"\"",
        _ => "null",
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.iter().all(is_empty),
        Value::Object(members) => members.values().all(is_empty),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Converts what was entered as a number to JSON. Other text becomes a JSON string, which the schema then rejects.
fn number(text: &str, has_decimal_comma: bool) -> Option<Answer> {
    let trimmed = text.trim();
    let is_number = |text: &str| {
        let starts = text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
        starts && serde_json::from_str::<serde_json::Number>(text).is_ok()
    };
    if trimmed.is_empty() {
        return None;
    }
    if is_number(trimmed) {
        return Some(Answer::of(trimmed.to_owned()));
    }
    let with_point = trimmed.replacen(',', ".", 1);
    if has_decimal_comma && !trimmed.contains('.') && is_number(&with_point) {
        return Some(Answer::of(with_point));
    }
    Some(Answer::text(text))
}

/// The value of a choice as browsers send it, which normalize line breaks.
fn normalized(value: &str) -> Cow<'_, str> {
    if value.contains('\r') {
        value.replace("\r\n", "\n").replace('\r', "\n").into()
    } else {
        value.into()
    }
}

/// Whether there are more answers than choices, and some are the same: no page sends these. There may be fewer choices than
/// answers because another answer has changed.
fn is_surplus(question: &Question, texts: &[String]) -> bool {
    let most = question.choices.len().saturating_add(1);
    texts.len() > most && texts.iter().collect::<HashSet<_>>().len() < texts.len()
}

/// The JSON of the answers of the choices with these values: first those that are exactly so, then those that browsers send
/// so. Other text becomes a JSON string, which the schema then rejects. There may be thousands of both.
fn chosen(question: &Question, values: &[&str]) -> Vec<String> {
    let mut by_value: HashMap<Cow<'_, str>, &Choice> = HashMap::new();
    for choice in &question.choices {
        by_value.entry(normalized(&choice.value)).or_insert(choice);
    }
    for choice in &question.choices {
        by_value.insert(choice.value.as_str().into(), choice);
    }
    let answer = |value: &&str| {
        let choice = by_value.get(*value);
        choice.map_or_else(|| quoted(value), |choice| choice.answer.to_string())
    };
    values.iter().map(answer).collect()
}

/// Converts the selected choices to JSON. They keep the stored order if they are the same as the stored ones.
fn choices(question: &Question, texts: &[String], stored: Option<Given<'_>>) -> Option<Answer> {
    let selected = texts.iter().map(String::as_str);
    let selected: Vec<&str> = selected.filter(|text| !text.is_empty()).collect();
    let selected = chosen(question, &selected);
    if selected.is_empty() && !question.is_required && stored.is_none_or(|one| !is_empty(one.value))
    {
        return None;
    }
    let as_set = |values: &[Value]| values.iter().map(Value::to_string).collect::<BTreeSet<_>>();
    let json = format!("[{}]", selected.join(","));
    let before = stored.and_then(|stored| stored.value.as_array());
    let now: Vec<Value> = serde_json::from_str(&json).unwrap_or_default();
    let is_same =
        before.is_some_and(|before| before.len() == now.len() && as_set(before) == as_set(&now));
    let json = match stored {
        Some(stored) if is_same => stored.text.get().to_owned(),
        _ => json,
    };
    Some(Answer {
        json,
        is_answered: !selected.is_empty(),
    })
}

/// Completes a time, or a date with a time. HTML inputs omit seconds that are zero, and have no offset from UTC.
fn with_offset(
    text: &str,
    kind: QuestionKind,
    stored: Option<Given<'_>>,
    zone: &TimeZone,
) -> String {
    let (date, time) = match kind {
        QuestionKind::DateTime => text.split_at(text.find(['T', 't']).unwrap_or(0)),
        _ => ("", text),
    };
    let separator = usize::from(kind == QuestionKind::DateTime);
    let digits = time.get(separator..).unwrap_or_default();
    let is_digits = digits
        .chars()
        .all(|one| one.is_ascii_digit() || matches!(one, ':' | '.'));
    let colons = digits.matches(':').count();
    let is_local =
        is_digits && matches!(colons, 1 | 2) && (kind == QuestionKind::Time || !date.is_empty());
    if !is_local {
        return text.to_owned();
    }
    let seconds = if colons == 1 { ":00" } else { "" };
    let stored = stored
        .and_then(|stored| stored.value.as_str())
        .unwrap_or_default();
    zone.complete(&format!("{text}{seconds}"), stored)
}

/// The members of an object, each as JSON.
fn members_of(
    text: &str,
    has_question: impl Fn(&str) -> bool,
) -> Result<BTreeMap<String, String>, Rejection> {
    let members: SpelledMembers<'_> =
        serde_json::from_str(text).map_err(|_| Rejection::unreadable("it is not an object"))?;
    let mut read = BTreeMap::new();
    for (name, json) in members.0 {
        let name: String = serde_json::from_str(name.get()).unwrap_or_default();
        if has_question(&name) {
            return Err(Rejection::unreadable(format!(
                "`{name}` has a question of its own"
            )));
        }
        read.insert(name, json.get().to_owned());
    }
    Ok(read)
}

#[cfg(test)]
mod tests;
