//! Answers as people read them.

use std::collections::HashMap;
use std::ptr;

use serde_json::Value;
use serde_json::value::RawValue;

use super::words::spelled_out;
use super::{Choice, Question, QuestionKind};
use crate::schema::{SpelledMembers, push_token};

/// Values in more levels than this are shown as JSON: each level reads the text again.
const MAX_DEPTH: usize = 8;

/// An answer as people read it: the labels of what they chose, and values that a page writes in its language.
///
/// ```
/// use formalize_schema::DataSchema;
/// use formalize_schema::questions::{Questions, ShownAnswer};
///
/// let schema = DataSchema::compile(r#"{"properties": {"meal": {"oneOf": [{"const": "m", "title": "Meat"}]}}}"#)?;
/// let questions = Questions::of(Some(&schema), Some(r#"{"meal": "m"}"#), None)?;
/// assert_eq!(questions.root.children[0].shown_answer(), ShownAnswer::Text("Meat".to_owned()));
/// # Ok::<(), formalize_schema::Rejection>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShownAnswer {
    /// There is no answer.
    Nothing,
    /// A text, or the label of a choice.
    Text(String),
    /// Yes or no.
    Boolean(bool),
    /// A number, as JSON.
    Number(String),
    /// A date, such as `2026-01-31`.
    Date(String),
    /// A time with its offset from UTC, such as `08:30:00+02:00`.
    Time(String),
    /// A date and a time, such as `2026-01-31T08:30:00Z`.
    DateTime(String),
    /// Several answers: what was chosen, or the items of a list.
    Several(Vec<Self>),
    /// Answers with their labels.
    Named(Vec<(String, Self)>),
}

impl Question {
    /// The answer as people read it.
    ///
    /// ```
    /// use formalize_schema::DataSchema;
    /// use formalize_schema::questions::{Questions, ShownAnswer};
    ///
    /// let schema = DataSchema::compile(r#"{"properties": {"vegan": {"type": "boolean"}}}"#)?;
    /// let questions = Questions::of(Some(&schema), Some(r#"{"vegan": true}"#), None)?;
    /// assert_eq!(questions.root.children[0].shown_answer(), ShownAnswer::Boolean(true));
    /// # Ok::<(), formalize_schema::Rejection>(())
    /// ```
    pub fn shown_answer(&self) -> ShownAnswer {
        let value = self.value.as_deref();
        value.map_or(ShownAnswer::Nothing, |value| {
            self.answer_shown(value, usize::MAX)
        })
    }

    /// A value at the location of this question, as people read it, with about this number of characters. What is behind is
    /// left out.
    pub(crate) fn answer_shown(&self, value: &RawValue, characters: usize) -> ShownAnswer {
        let mut reader = Reader {
            left: characters,
            depth: 0,
            choices: HashMap::new(),
        };
        reader.answer(Some(self), value)
    }

    /// The label of a value, if it is a choice to which the schema gives one.
    pub(crate) fn label_of(&self, json: &str) -> Option<&str> {
        let value = self.chosen(json)?;
        let choice = self.choices.iter().find(|choice| choice.is(&value))?;
        choice.own_label()
    }

    /// The value, if this question has choices.
    fn chosen(&self, json: &str) -> Option<Value> {
        let is_choice = matches!(self.kind, QuestionKind::Choice | QuestionKind::Choices);
        is_choice.then(|| serde_json::from_str(json).ok())?
    }

    /// The question for a member of an object.
    fn member(&self, name: &str) -> Option<&Self> {
        let mut token = String::new();
        push_token(&mut token, name);
        let mut members = self
            .children
            .iter()
            .filter(|_| self.kind == QuestionKind::Group);
        members.find(|child| {
            child.kind != QuestionKind::Rest
                && child.pointer.strip_prefix(self.pointer.as_str()) == Some(token.as_str())
        })
    }

    /// The question for an item of an array. All items of a list have the same.
    fn item(&self, at: usize) -> Option<&Self> {
        match self.kind {
            QuestionKind::Choices => Some(self),
            QuestionKind::List => self.children.first(),
            QuestionKind::Row => self.children.get(at),
            _ => None,
        }
    }
}

struct Reader<'q> {
    /// The number of characters that may still be shown.
    left: usize,
    depth: usize,
    /// The choices of each question that was asked for several items, by their answers: there can be thousands of both.
    choices: HashMap<*const Question, HashMap<&'q Value, &'q Choice>>,
}

impl<'q> Reader<'q> {
    fn answer(&mut self, question: Option<&'q Question>, value: &RawValue) -> ShownAnswer {
        let json = value.get();
        if let Some(label) = question.and_then(|question| self.label_of(question, json)) {
            return ShownAnswer::Text(self.cut(label));
        }
        match json.as_bytes().first() {
            None | Some(b'n') => ShownAnswer::Nothing,
            Some(b't' | b'f') => ShownAnswer::Boolean(json == "true"),
            Some(b'"') => self.text(question, json),
            Some(b'[' | b'{') if self.depth >= MAX_DEPTH => ShownAnswer::Text(self.cut(json)),
            Some(b'[') => self.within(|reader| reader.items(question, json)),
            Some(b'{') => self.within(|reader| reader.members(question, json)),
            Some(_) => ShownAnswer::Number(self.cut(json)),
        }
    }

    /// The same as [`Question::label_of`], without comparing each of many items with each of many choices.
    fn label_of(&mut self, question: &'q Question, json: &str) -> Option<&'q str> {
        if self.depth == 0 {
            return question.label_of(json);
        }
        let value = question.chosen(json)?;
        let known = self.choices.entry(ptr::from_ref(question));
        // Of equal ones, the first counts.
        let choices = question.choices.iter().rev();
        let by_answer = || choices.map(|choice| (choice.answer(), choice)).collect();
        known.or_insert_with(by_answer).get(&value)?.own_label()
    }

    fn within(&mut self, read: impl FnOnce(&mut Self) -> ShownAnswer) -> ShownAnswer {
        self.depth = self.depth.saturating_add(1);
        let answer = read(self);
        self.depth = self.depth.saturating_sub(1);
        answer
    }

    fn text(&mut self, question: Option<&'q Question>, json: &str) -> ShownAnswer {
        let text: String = serde_json::from_str(json).unwrap_or_default();
        let is_whole = text.len() <= self.left;
        let text = self.cut(&text);
        match question.map(|question| question.kind) {
            Some(QuestionKind::Date) if is_whole => ShownAnswer::Date(text),
            Some(QuestionKind::Time) if is_whole => ShownAnswer::Time(text),
            Some(QuestionKind::DateTime) if is_whole => ShownAnswer::DateTime(text),
            _ => ShownAnswer::Text(text),
        }
    }

    fn items(&mut self, question: Option<&'q Question>, json: &str) -> ShownAnswer {
        let items: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
        let mut shown = Vec::new();
        for (at, item) in items.into_iter().enumerate() {
            if self.left == 0 {
                break;
            }
            let question = question.and_then(|question| question.item(at));
            shown.push(self.answer(question, item));
            // The sign between two items.
            self.left = self.left.saturating_sub(1);
        }
        ShownAnswer::Several(shown)
    }

    fn members(&mut self, question: Option<&'q Question>, json: &str) -> ShownAnswer {
        let members: Option<SpelledMembers<'_>> = serde_json::from_str(json).ok();
        let mut shown = Vec::new();
        for (name, value) in members.into_iter().flat_map(|members| members.0) {
            if self.left == 0 {
                break;
            }
            let name: String = serde_json::from_str(name.get()).unwrap_or_default();
            let question = question.and_then(|question| question.member(&name));
            let label = match question {
                Some(question) => self.cut(&question.label),
                None => self.cut(&spelled_out(&name)),
            };
            self.left = self.left.saturating_sub(1);
            shown.push((label, self.answer(question, value)));
        }
        ShownAnswer::Named(shown)
    }

    /// The beginning of a text, as far as it may be shown.
    fn cut(&mut self, text: &str) -> String {
        let end = text.char_indices().nth(self.left);
        let cut = end.and_then(|(end, _)| text.get(..end)).unwrap_or(text);
        self.left = self.left.saturating_sub(cut.chars().count());
        cut.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::questions::Questions;
    use crate::schema::DataSchema;

    fn text(text: &str) -> ShownAnswer {
        ShownAnswer::Text(text.to_owned())
    }

    /// The answer of the only question of a schema.
    fn shown(property: &Value, stored: &Value) -> ShownAnswer {
        let schema = json!({"properties": {"p": property}}).to_string();
        let (schema, data) = (DataSchema::compile(&schema).unwrap(), json!({"p": stored}));
        let data = data.to_string();
        let questions = Questions::of(Some(&schema), Some(&data), None).unwrap();
        let value = serde_json::value::to_raw_value(stored).unwrap();
        questions.root.children[0].answer_shown(&value, usize::MAX)
    }

    #[test]
    fn labels_are_shown_for_stored_values() {
        let choice = json!({"oneOf": [{"const": "m", "title": "Meat"}, {"const": 1, "title": "One"}, {"const": true}]});
        let choices = json!({"type": "array", "uniqueItems": true, "items": choice});
        for (property, stored, expected) in [
            (&choice, json!("m"), text("Meat")),
            (&choice, json!(1), text("One")),
            (&choice, json!(true), ShownAnswer::Boolean(true)),
            (&choice, json!("other"), text("other")),
            (&choice, json!(null), ShownAnswer::Nothing),
            (
                &choices,
                json!([1, "m", "x"]),
                ShownAnswer::Several(vec![text("One"), text("Meat"), text("x")]),
            ),
            (&json!({"type": "string"}), json!("m"), text("m")),
            (
                &json!({"format": "date"}),
                json!("2026-01-31"),
                ShownAnswer::Date("2026-01-31".to_owned()),
            ),
            (
                &json!({"format": "date"}),
                json!(7),
                ShownAnswer::Number("7".to_owned()),
            ),
            (
                &json!({}),
                json!({"firstName": "Ada"}),
                ShownAnswer::Named(vec![("First name".to_owned(), text("Ada"))]),
            ),
        ] {
            assert_eq!(shown(property, &stored), expected, "{property} {stored}");
        }
    }

    #[test]
    fn labels_of_items_are_those_of_the_first_equal_choice() {
        let choices = json!([
            {"const": 1, "title": "One"}, {"const": "1", "title": "Text"}, {"const": 1, "title": "Again"},
            {"const": 2}
        ]);
        let items = json!({"type": "array", "items": {"oneOf": choices}});
        let property = json!({"type": "array", "items": items});
        let number = |digits: &str| ShownAnswer::Number(digits.to_owned());
        let several = ShownAnswer::Several;
        assert_eq!(
            shown(&property, &json!([[1, "1"], [2, 3]])),
            several(vec![
                several(vec![text("One"), text("Text")]),
                several(vec![number("2"), number("3")]),
            ])
        );
    }

    #[test]
    fn what_is_behind_the_limit_is_left_out() {
        let question = Question::at(String::new(), QuestionKind::Json);
        let long = json!(vec!["äbc"; 1000]);
        let value = serde_json::value::to_raw_value(&long).unwrap();
        let expected = ShownAnswer::Several(vec![text("äbc"), text("äb")]);
        assert_eq!(question.answer_shown(&value, 6), expected);
        let mut deep = json!("x");
        for _ in 0..100 {
            deep = json!([deep]);
        }
        let value = serde_json::value::to_raw_value(&deep).unwrap();
        let mut levels = 0;
        let mut answer = question.answer_shown(&value, usize::MAX);
        while let ShownAnswer::Several(mut items) = answer {
            levels += 1;
            answer = items.remove(0);
        }
        assert_eq!(levels, MAX_DEPTH);
        assert!(matches!(answer, ShownAnswer::Text(json) if json.starts_with("[[")));
    }
}
