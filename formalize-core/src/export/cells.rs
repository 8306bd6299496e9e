//! The cells of a row.

use std::borrow::Cow;

use formalize_schema::internals::{SpelledMembers, push_token};
use serde_json::value::RawValue;

use super::column::{Column, Columns, Labels, Members, Place};
use super::guard::Guard;
use super::types::{JsonType, Types};

/// The cell for a leaf of the schema.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Cell<'d> {
    /// The member is absent, or only `_other` can express its value.
    #[default]
    Empty,
    /// A string.
    Text(Cow<'d, str>),
    /// A number as it was written.
    Number(&'d str),
    /// Another value, as compact JSON.
    Json(Cow<'d, str>),
}

/// The cells for the data of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cells<'d> {
    /// One for each of [`Columns::leaves`]. In a table with labels, those for the choices of a leaf are behind it.
    pub leaves: Vec<Cell<'d>>,
    /// A JSON object from JSON Pointer to value of what these cannot give back; `None` if there is nothing.
    pub other: Option<String>,
}

impl Columns {
    /// The cells for data, which is the JSON of a submission.
    ///
    /// The texts are not guarded. Without a [`Guard`], those from which a reader would take a `'` away are in `_other`, too.
    ///
    /// ```
    /// use formalize_core::export::{Columns, Guard};
    ///
    /// // A form without a schema has no columns for values.
    /// let cells = Columns::default().cells(r#"{"a": [1.00]}"#, Guard::On);
    /// assert_eq!(cells.other.as_deref(), Some(r#"{"/a":[1.00]}"#));
    /// ```
    pub fn cells<'d>(&self, data: &'d str, guard: Guard) -> Cells<'d> {
        self.cells_for(Reader::Program(guard), data)
    }

    /// The cells of a table: with labels if the columns have them, and else for this reader.
    #[cfg(any(feature = "csv", feature = "xlsx"))]
    pub(super) fn cells_of_table<'d>(&self, reader: Reader<'_>, data: &'d str) -> Cells<'d> {
        let labels = self.labels.as_ref().map(Reader::OfLabels);
        self.cells_for(labels.unwrap_or(reader), data)
    }

    fn cells_for<'d>(&self, reader: Reader<'_>, data: &'d str) -> Cells<'d> {
        let width = if let Reader::OfLabels(labels) = reader {
            labels.width()
        } else {
            self.leaves().len()
        };
        let mut row = Row {
            columns: self.leaves(),
            leaves: vec![Cell::Empty; width],
            other: String::new(),
            reader,
        };
        match serde_json::from_str::<SpelledMembers<'d>>(data) {
            Ok(members) => row.fill(&self.root, members, &mut String::new()),
            Err(_) => row.add_other("", data),
        }
        let Row { leaves, other, .. } = row;
        let other = (!other.is_empty()).then(|| other + "}");
        Cells { leaves, other }
    }
}

impl Columns {
    /// The value for each of [`Columns::leaves`], as it was written.
    pub(crate) fn values<'d>(&self, data: &'d str) -> Vec<Option<&'d RawValue>> {
        let mut values = vec![None; self.leaves().len()];
        if let Ok(members) = serde_json::from_str(data) {
            find_values(&self.root, members, &mut values);
        }
        values
    }
}

fn find_values<'d>(
    places: &Members,
    members: SpelledMembers<'d>,
    values: &mut [Option<&'d RawValue>],
) {
    for (name, value) in members.0 {
        match places.0.get(&*unescaped(name.get())) {
            Some(Place::Leaf(index)) => {
                if let Some(place) = values.get_mut(*index) {
                    *place = Some(value);
                }
            }
            Some(Place::Opened(places)) => {
                if let Ok(members) = serde_json::from_str(value.get()) {
                    find_values(places, members, values);
                }
            }
            None => {}
        }
    }
}

/// Who reads the cells.
#[derive(Debug, Clone, Copy)]
pub(super) enum Reader<'c> {
    /// A program that restores the data.
    Program(Guard),
    /// A person, who does not. A text from which a program would read another type is in its cell as well as in `_other`.
    #[cfg(feature = "xlsx")]
    Person,
    /// A person who gets labels instead of stored values. The last column has only what no cell shows.
    #[cfg_attr(
        not(any(feature = "csv", feature = "xlsx")),
        expect(dead_code, reason = "only CSV and workbooks can have labels")
    )]
    OfLabels(&'c Labels),
}

impl Reader<'_> {
    /// Whether it gets a text that reads as JSON of another type.
    fn sees_ambiguous_texts(self) -> bool {
        !matches!(self, Self::Program(_))
    }

    /// Whether the last column must have a text, too.
    fn needs_again(self, types: Types, text: &str) -> bool {
        match self {
            Self::OfLabels(_) => false,
            Self::Program(guard) => guard.loses(text) || is_ambiguous(types, text),
            #[cfg(feature = "xlsx")]
            Self::Person => is_ambiguous(types, text),
        }
    }
}

struct Row<'c, 'd> {
    columns: &'c [Column],
    leaves: Vec<Cell<'d>>,
    /// A JSON object without its closing brace, if there is anything in it.
    other: String,
    reader: Reader<'c>,
}

impl<'d> Row<'_, 'd> {
    /// Puts the members of an object where they belong.
    fn fill(&mut self, places: &Members, members: SpelledMembers<'d>, pointer: &mut String) {
        for (name, value) in members.0 {
            let name = unescaped(name.get());
            let length = pointer.len();
            push_token(pointer, &name);
            match places.0.get(&*name) {
                Some(Place::Leaf(index)) => self.put(*index, value, pointer),
                Some(Place::Opened(places)) => self.open(places, value, pointer),
                None => self.add_other(pointer, value.get()),
            }
            pointer.truncate(length);
        }
    }

    fn open(&mut self, places: &Members, value: &'d RawValue, pointer: &mut String) {
        match serde_json::from_str::<SpelledMembers<'d>>(value.get()) {
            Ok(members) if !members.0.is_empty() => self.fill(places, members, pointer),
            // Empty cells would not give back an empty object.
            _ => self.add_other(pointer, value.get()),
        }
    }

    fn put(&mut self, index: usize, value: &'d RawValue, pointer: &str) {
        let mut place = index;
        if let Reader::OfLabels(labels) = self.reader {
            place = labels.place(index);
            if labels.show(index, value, self.leaves.get_mut(place..)) {
                return;
            }
        }
        let types = self.columns.get(index).map(|column| column.types);
        let cell = types.and_then(|types| cell(types, value.get(), self.reader));
        let is_restored = match (&cell, types) {
            (Some(Cell::Text(text)), Some(types)) => !self.reader.needs_again(types, text),
            (cell, _) => cell.is_some(),
        };
        if let (Some(cell), Some(place)) = (cell, self.leaves.get_mut(place)) {
            *place = cell;
        }
        if !is_restored {
            self.add_other(pointer, value.get());
        }
    }

    fn add_other(&mut self, pointer: &str, value: &str) {
        self.other
            .push(if self.other.is_empty() { '{' } else { ',' });
        // The `Display` of a string of `serde_json` is its JSON.
        self.other
            .push_str(&serde_json::Value::from(pointer).to_string());
        self.other.push(':');
        self.other.push_str(&compact(value));
    }
}

/// The cell that shows a value, if there is one.
fn cell<'d>(types: Types, value: &'d str, reader: Reader<'_>) -> Option<Cell<'d>> {
    let found = type_of(value)?;
    let is_allowed = types.has(found)
        || (found == JsonType::Number && types.has(JsonType::Integer) && is_whole(value));
    if !is_allowed {
        return None;
    }
    Some(match found {
        JsonType::String => {
            let text = unescaped(value);
            let is_shown = reader.sees_ambiguous_texts() || !is_ambiguous(types, &text);
            if text.is_empty() || !is_shown {
                return None;
            }
            Cell::Text(text)
        }
        JsonType::Number | JsonType::Integer => Cell::Number(value),
        _ => Cell::Json(compact(value)),
    })
}

/// The type of a JSON value, which for every number is `Number`.
fn type_of(value: &str) -> Option<JsonType> {
    Some(match value.as_bytes().first()? {
        b'"' => JsonType::String,
        b'{' => JsonType::Object,
        b'[' => JsonType::Array,
        b't' | b'f' => JsonType::Boolean,
        b'n' => JsonType::Null,
        _ => JsonType::Number,
    })
}

pub(crate) fn is_whole(number: &str) -> bool {
    let number: Option<f64> = number.parse().ok();
    number.is_some_and(|number| number.fract() == 0.0)
}

/// Whether a text that stands where other types are allowed, too, reads as one of them.
fn is_ambiguous(types: Types, text: &str) -> bool {
    types != Types::STRING && is_json_of(types, text)
}

/// Whether a text could be read as JSON of an allowed type other than string.
fn is_json_of(types: Types, text: &str) -> bool {
    let Ok(value) = serde_json::from_str::<&RawValue>(text) else {
        return false;
    };
    match type_of(value.get()) {
        None | Some(JsonType::String) => false,
        Some(JsonType::Number) => types.has(JsonType::Number) || types.has(JsonType::Integer),
        Some(other) => types.has(other),
    }
}

/// The string that a JSON string stands for.
fn unescaped(json: &str) -> Cow<'_, str> {
    match serde_json::from_str::<&str>(json) {
        Ok(plain) => Cow::Borrowed(plain),
        Err(_) => Cow::Owned(serde_json::from_str(json).unwrap_or_default()),
    }
}

/// JSON without the blanks between its tokens.
pub(super) fn compact(json: &str) -> Cow<'_, str> {
    let blanks = [' ', '\t', '\r', '\n'];
    if !json.contains(blanks) {
        return Cow::Borrowed(json);
    }
    let (mut is_text, mut is_escaped) = (false, false);
    let keeps = |letter: &char| {
        let is_kept = is_text || !blanks.contains(letter);
        if *letter == '"' && !is_escaped {
            is_text = !is_text;
        }
        is_escaped = is_text && *letter == '\\' && !is_escaped;
        is_kept
    };
    Cow::Owned(json.chars().filter(keeps).collect())
}
