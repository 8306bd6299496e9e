//! The records of a file, and searches in them.

use std::{collections::HashMap, sync::Arc};

use icu_casemap::CaseMapper;
use serde_json::{Map, Value};

/// The records of a file, in the order of lists.
#[derive(Debug, Default)]
pub struct Records {
    records: Vec<Record>,
    by_identifier: HashMap<Arc<str>, usize>,
}

impl Records {
    /// These records, in this order. Their identifiers differ.
    pub(super) fn new(records: Vec<Record>) -> Self {
        let by_identifier = records.iter().enumerate();
        let by_identifier = by_identifier
            .map(|(index, record)| (Arc::clone(&record.identifier), index))
            .collect();
        Self {
            records,
            by_identifier,
        }
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are no records, as with an empty file or without a file.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The record with this identifier.
    pub fn get(&self, identifier: &str) -> Option<&Record> {
        let index = *self.by_identifier.get(identifier)?;
        self.records.get(index)
    }

    /// The records that a search finds, each with its index, beginning with this index.
    pub fn find<'r>(
        &'r self,
        search: &'r Search,
        begin: usize,
    ) -> impl Iterator<Item = (usize, &'r Record)> {
        let records = self.records.iter().enumerate().skip(begin);
        records.filter(|(_, record)| search.finds(record))
    }
}

/// A record of a person, an organization, a course or a room.
// Members are stored as text, which takes a fraction of the memory of parsed JSON.
#[derive(Debug)]
pub struct Record {
    identifier: Arc<str>,
    members: Box<str>,
    local_data: Option<Box<str>>,
    prepared_filters: Box<[String]>,
    folded_identifier: Box<str>,
    /// The words of the texts that are searched, folded and separated by spaces.
    words: Box<str>,
}

impl Record {
    /// A record whose members are public, and are found by the words of `texts`.
    pub(super) fn new<'t>(
        identifier: &str,
        members: Map<String, Value>,
        texts: impl IntoIterator<Item = &'t str>,
    ) -> Self {
        let words: Vec<String> = texts.into_iter().flat_map(words).collect();
        Self {
            identifier: identifier.into(),
            members: Value::Object(members).to_string().into(),
            local_data: None,
            prepared_filters: Box::default(),
            folded_identifier: fold(identifier).into(),
            words: words.join(" ").into(),
        }
    }

    /// Adds data that few may read, and the filters that find the record.
    pub(super) fn with_local_data(
        self,
        local_data: Option<Map<String, Value>>,
        prepared_filters: Vec<String>,
    ) -> Self {
        Self {
            local_data: local_data.map(|data| Value::Object(data).to_string().into()),
            prepared_filters: prepared_filters.into(),
            ..self
        }
    }

    /// The identifier.
    pub fn identifier(&self) -> &str {
        &self.identifier
    }

    /// The public members.
    pub fn members(&self) -> Map<String, Value> {
        parsed(&self.members)
    }

    /// The data that few may read.
    pub fn local_data(&self) -> Map<String, Value> {
        self.local_data.as_deref().map(parsed).unwrap_or_default()
    }
}

/// A member of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Member {
    /// A member that everybody may read.
    Public(String),
    /// A member of `localData`.
    OfLocalData(String),
}

/// The values of a member that are looked for: one of them.
#[derive(Debug, Clone)]
pub struct Wanted {
    member: Member,
    values: Vec<Value>,
    /// The member with each of the values, as texts of records contain it.
    written: Vec<String>,
}

impl Wanted {
    /// A member and its values. `None` if one of these is an array or an object, which are not compared.
    pub fn new(member: Member, values: Vec<Value>) -> Option<Self> {
        let is_compared = |value: &Value| !value.is_array() && !value.is_object();
        if !values.iter().all(is_compared) {
            return None;
        }
        let (Member::Public(name) | Member::OfLocalData(name)) = &member;
        let name = Value::from(name.as_str());
        let written = values.iter().map(|value| format!("{name}:{value}"));
        Some(Self {
            written: written.collect(),
            member,
            values,
        })
    }
}

impl Record {
    /// Whether a member that is looked for is data that few may read.
    pub fn keeps_privately(&self, wanted: &Wanted) -> bool {
        matches!(wanted.member, Member::OfLocalData(_)) && self.local_data.is_some()
    }

    /// Whether a member has one of the values that are looked for.
    pub fn has(&self, wanted: &Wanted) -> bool {
        let text = match (&wanted.member, &self.local_data) {
            (Member::OfLocalData(_), Some(local_data)) => local_data,
            _ => &self.members,
        };
        // Few records contain the text, so that few are parsed.
        if !wanted.written.iter().any(|written| text.contains(written)) {
            return false;
        }
        let members = parsed(text);
        let value = match (&wanted.member, &self.local_data) {
            (Member::OfLocalData(name), None) => members
                .get("localData")
                .and_then(|local_data| local_data.get(name)),
            (Member::Public(name) | Member::OfLocalData(name), _) => members.get(name),
        };
        value.is_some_and(|value| wanted.values.contains(value))
    }
}

/// An object that was written by [`Record::new`].
fn parsed(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).unwrap_or_default()
}

/// What a search looks for. The default finds all records.
#[derive(Debug, Clone, Default)]
pub struct Search {
    words: Vec<String>,
    prepared_filter: Option<String>,
}

impl Search {
    /// A search for records that have all words of a text, and are in a prepared filter. A record has a word if one of its
    /// own begins with it, or its identifier contains it. Case does not matter: `ß` is the same as `SS`.
    pub fn new(text: &str, prepared_filter: Option<&str>) -> Self {
        Self {
            words: words(text),
            prepared_filter: prepared_filter.map(str::to_owned),
        }
    }

    fn finds(&self, record: &Record) -> bool {
        let has_word = |word: &String| {
            let mut words = record.words.split(' ');
            words.any(|other| other.starts_with(word.as_str()))
                || record.folded_identifier.contains(word.as_str())
        };
        let has_filter = |filter: &String| record.prepared_filters.contains(filter);
        self.words.iter().all(has_word) && self.prepared_filter.iter().all(has_filter)
    }
}

/// Folds case by Unicode's full case folding, so that `Strauß` and `STRAUSS` become the same.
pub(super) fn fold(text: &str) -> String {
    CaseMapper::new().fold_string(text).into_owned()
}

fn words(text: &str) -> Vec<String> {
    let folded = fold(text);
    let words = folded.split(|letter: char| !letter.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}
