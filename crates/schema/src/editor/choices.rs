//! The possible answers to a question.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::spelled::{New, Spelled, quoted};
use super::texts::{self, LABEL};
use super::{CardFields, ChoiceFields, EditError};

/// The members of an entry of `oneOf` or `anyOf` that is a choice.
const OF_CHOICE: [&str; 8] = [
    "const",
    "enum",
    "type",
    "title",
    "description",
    "localizedName",
    "localizedDescription",
    "deprecated",
];

/// The separator of the value and the label of a choice in a line.
const IS_SHOWN_AS: &str = " = ";

/// The possible answers of a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choices {
    pub(super) keyword: &'static str,
    pub(super) are_numbers: bool,
    pub(super) fields: Vec<ChoiceFields>,
}

/// The possible answers of a property, if the editor knows them.
pub(super) fn choices_of(members: &Map<String, Value>, languages: &[String]) -> Option<Choices> {
    let keywords = ["enum", "oneOf", "anyOf"];
    let mut stated = keywords
        .into_iter()
        .filter(|keyword| members.contains_key(*keyword));
    let (keyword, None) = (stated.next()?, stated.next()) else {
        return None;
    };
    let entries = members.get(keyword)?.as_array()?;
    let is_titled = keyword != "enum";
    let values: Option<Vec<&Value>> = entries
        .iter()
        .map(|entry| {
            if is_titled {
                constant(entry)
            } else {
                Some(entry)
            }
        })
        .collect();
    let values = values.filter(|values| !values.is_empty())?;
    let are_numbers = values.iter().all(|value| value.is_number());
    if !are_numbers && !values.iter().all(|value| value.is_string()) {
        return None;
    }
    let fields = entries
        .iter()
        .zip(values)
        .map(|(entry, value)| ChoiceFields {
            value: text_of(value),
            labels: texts::read(entry, LABEL, languages),
        });
    let fields: Vec<ChoiceFields> = fields.collect();
    let is_said_plainly = ChoiceFields::of_lines(&ChoiceFields::lines(&fields)) == fields;
    is_said_plainly.then_some(Choices {
        keyword,
        are_numbers,
        fields,
    })
}

/// The value of an entry that allows a single one.
fn constant(entry: &Value) -> Option<&Value> {
    let members = entry.as_object()?;
    let is_choice = members.keys().all(|key| OF_CHOICE.contains(&key.as_str()));
    if !is_choice || !texts::are_texts(members) {
        return None;
    }
    match (members.get("const"), members.get("enum")) {
        (Some(value), None) => Some(value),
        (None, Some(Value::Array(values))) => match values.as_slice() {
            [only] => Some(only),
            _ => None,
        },
        _ => None,
    }
}

/// A string as it is, or another value as JSON.
pub(super) fn text_of(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

impl ChoiceFields {
    /// The choices as text, one a line: for the first language the value, and behind ` = ` the label if it is another
    /// one; for each other language the labels.
    ///
    /// ```
    /// use formalize_schema::editor::ChoiceFields;
    ///
    /// let lines = ["red\ng = green".to_owned(), "rot\ngrün".to_owned()];
    /// let choices = ChoiceFields::of_lines(&lines);
    /// assert_eq!(choices[1].value, "g");
    /// assert_eq!(choices[1].labels, ["green", "grün"]);
    /// assert_eq!(ChoiceFields::lines(&choices), lines);
    /// ```
    pub fn lines(choices: &[Self]) -> Vec<String> {
        let languages = choices.iter().map(|choice| choice.labels.len()).max();
        let line = |choice: &Self, at: usize| match choice.labels.get(at).map(String::as_str) {
            Some("") | None if at == 0 => choice.value.clone(),
            Some(label) if at == 0 => format!("{}{IS_SHOWN_AS}{label}", choice.value),
            label => label.unwrap_or_default().to_owned(),
        };
        let lines = (0..languages.unwrap_or(1)).map(|at| {
            let lines: Vec<String> = choices.iter().map(|choice| line(choice, at)).collect();
            lines.join("\n")
        });
        lines.collect()
    }

    /// The choices of such texts. Empty lines of the first text are ignored.
    ///
    /// ```
    /// let choices = formalize_schema::editor::ChoiceFields::of_lines(&["\nyes\n no ".to_owned()]);
    /// let values: Vec<_> = choices.iter().map(|choice| choice.value.as_str()).collect();
    /// assert_eq!(values, ["yes", "no"]);
    /// ```
    pub fn of_lines(lines: &[String]) -> Vec<Self> {
        let Some((first, others)) = lines.split_first() else {
            return Vec::new();
        };
        let others: Vec<Vec<&str>> = others
            .iter()
            .map(|text| text.split('\n').collect())
            .collect();
        let stated = first.lines().map(str::trim).filter(|line| !line.is_empty());
        let choices = stated.enumerate().map(|(at, line)| {
            let (value, label) = line.split_once(IS_SHOWN_AS).unwrap_or((line, ""));
            let label_in =
                |lines: &Vec<&str>| lines.get(at).map_or("", |label| label.trim()).to_owned();
            let mut labels = vec![label.trim().to_owned()];
            labels.extend(others.iter().map(label_in));
            Self {
                value: value.trim().to_owned(),
                labels,
            }
        });
        choices.collect()
    }
}

/// Checks the choices of a question.
pub(super) fn check(fields: &CardFields, are_numbers: bool) -> Result<(), EditError> {
    if fields.choices.is_empty() {
        return Err(EditError::NoChoices);
    }
    let mut earlier = HashSet::new();
    for choice in &fields.choices {
        if !earlier.insert(&choice.value) {
            return Err(EditError::ChoiceTwice(choice.value.clone()));
        }
        if are_numbers && !is_number(&choice.value) {
            return Err(EditError::ChoiceNotNumber(choice.value.clone()));
        }
    }
    Ok(())
}

/// Whether a text is a number of JSON.
pub(super) fn is_number(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|value| value.is_number())
}

/// The keyword for choices, and its value. Entries that stay are written as they were.
pub(super) fn written(
    new: &[ChoiceFields],
    old: Option<(&Choices, &[String])>,
    languages: &[String],
    has_const: bool,
) -> (&'static str, New) {
    let are_numbers = old.is_some_and(|(old, _)| old.are_numbers);
    let json = |value: &str| {
        if are_numbers {
            value.to_owned()
        } else {
            quoted(value)
        }
    };
    let has_labels = new
        .iter()
        .flat_map(|choice| &choice.labels)
        .any(|label| !label.is_empty());
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (at, known) in old
        .iter()
        .flat_map(|(old, _)| old.fields.iter().enumerate())
    {
        places.entry(&known.value).or_insert(at);
    }
    let was_titled = old.is_some_and(|(old, _)| old.keyword != "enum");
    if !has_labels && !was_titled {
        let known = |value: &str| {
            let (_, raw) = old?;
            raw.get(*places.get(value)?).cloned()
        };
        let values = new.iter().map(|choice| {
            let known = known(&choice.value);
            New::Raw(known.unwrap_or_else(|| json(&choice.value)))
        });
        return ("enum", New::Array(values.collect()));
    }
    let old = old.filter(|_| was_titled);
    let entries = new.iter().map(|choice| {
        let known = old.and_then(|(old, raw)| {
            let at = *places.get(choice.value.as_str())?;
            Some((old.fields.get(at)?, raw.get(at)?))
        });
        match known {
            Some((known, raw)) => relabelled(raw, known, choice, languages),
            None => entry(choice, &json(&choice.value), languages, has_const),
        }
    });
    let keyword = old.map_or("oneOf", |(old, _)| old.keyword);
    (keyword, New::Array(entries.collect()))
}

fn relabelled(raw: &str, old: &ChoiceFields, new: &ChoiceFields, languages: &[String]) -> New {
    let Ok(mut spelled) = Spelled::new(raw) else {
        return New::Raw(raw.to_owned());
    };
    texts::write(
        &mut spelled,
        &[],
        LABEL,
        languages,
        &old.labels,
        &new.labels,
    );
    New::Raw(spelled.text().to_owned())
}

fn entry(choice: &ChoiceFields, json: &str, languages: &[String], has_const: bool) -> New {
    let value = New::Raw(json.to_owned());
    let constant = if has_const {
        ("const".to_owned(), value)
    } else {
        ("enum".to_owned(), New::Array(vec![value]))
    };
    let mut members = vec![constant];
    members.extend(texts::new(LABEL, languages, &choice.labels));
    New::Object(members)
}
