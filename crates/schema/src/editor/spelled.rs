//! Changes one part of a JSON text and keeps every other byte.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::value::RawValue;

use crate::schema::{Rejection, SpelledMembers, parse_json};

/// A new value, whose members have an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum New {
    /// JSON as it is to be written.
    Raw(String),
    Object(Vec<(String, New)>),
    Array(Vec<New>),
}

impl New {
    pub(super) fn text(text: &str) -> Self {
        Self::Raw(quoted(text))
    }

    pub(super) fn object<const N: usize>(members: [(&str, New); N]) -> Self {
        let members = members.into_iter();
        Self::Object(
            members
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        )
    }

    fn is_scalar(&self) -> bool {
        matches!(self, Self::Raw(json) if !json.starts_with('{'))
    }
}

/// A text as JSON.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A member of an object or an item of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Element {
    /// The name of the member; empty for an item.
    pub(super) name: String,
    /// Where it is, with its name.
    pub(super) whole: Range<usize>,
    /// Where its value is.
    pub(super) value: Range<usize>,
}

/// How a text is laid out.
#[derive(Debug, Clone)]
struct Layout {
    /// The line break and the indentation of one level; `None` if everything is on one line.
    lines: Option<(&'static str, String)>,
    colon: &'static str,
    comma: &'static str,
}

/// A JSON text that can be changed in places. A place is named by the names and indices that lead to it.
///
/// The members of a value are searched for once, until the text changes. So reading a whole schema takes time proportional
/// to its size, and not to its size for each property.
#[derive(Debug)]
pub(super) struct Spelled {
    text: String,
    known: Mutex<Known>,
}

/// What was already searched for in a text.
#[derive(Debug, Default)]
struct Known {
    /// The members and items of values, by where the value starts.
    levels: HashMap<usize, Arc<Level>>,
    /// Where lines start, once that was needed.
    lines: Option<Arc<Vec<usize>>>,
    /// The number of bytes that were read for this.
    #[cfg(test)]
    bytes: usize,
}

/// The members or items of a value.
#[derive(Debug)]
struct Level {
    elements: Vec<Element>,
    /// The positions of members; an array has none.
    by_name: HashMap<String, usize>,
}

impl Level {
    fn of(text: &str, place: &Range<usize>) -> Self {
        let elements = elements(text, place);
        let mut by_name = HashMap::new();
        let is_array = text.get(place.clone()).is_some_and(is_array);
        for (at, element) in elements.iter().enumerate().filter(|_| !is_array) {
            by_name.entry(element.name.clone()).or_insert(at);
        }
        Self { elements, by_name }
    }
}

impl Clone for Spelled {
    fn clone(&self) -> Self {
        Self::of(self.text.clone())
    }
}

impl PartialEq for Spelled {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Spelled {}

fn is_array(json: &str) -> bool {
    json.starts_with('[')
}

impl Spelled {
    /// Reads a text.
    ///
    /// # Errors
    ///
    /// A rejection if it is not JSON.
    pub(super) fn new(text: &str) -> Result<Self, Rejection> {
        parse_json(text)?;
        Ok(Self::of(text.to_owned()))
    }

    fn of(text: String) -> Self {
        let known = Mutex::default();
        Self { text, known }
    }

    /// Replaces a part of the text.
    fn replace(&mut self, place: Range<usize>, by: &str) {
        self.text.replace_range(place, by);
        self.known = Mutex::default();
    }

    /// The members or items of the value at a place.
    fn level(&self, place: &Range<usize>) -> Arc<Level> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(level) = known.levels.get(&place.start) {
            return Arc::clone(level);
        }
        let level = Arc::new(Level::of(&self.text, place));
        known.levels.insert(place.start, Arc::clone(&level));
        #[cfg(test)]
        {
            known.bytes += place.len();
        }
        level
    }

    /// The number of bytes that were read to find members and items.
    #[cfg(test)]
    pub(super) fn bytes_read(&self) -> usize {
        self.known.lock().unwrap().bytes
    }

    /// Where the line of a place starts, and its number from 1.
    fn line(&self, at: usize) -> (usize, usize) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = known.lines.get_or_insert_with(|| {
            let breaks = self.text.match_indices('\n');
            let starts = std::iter::once(0).chain(breaks.map(|(at, _)| at + 1));
            Arc::new(starts.collect())
        });
        let number = lines.partition_point(|start| *start <= at);
        let start = number.checked_sub(1).and_then(|line| lines.get(line));
        (start.copied().unwrap_or_default(), number)
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Where the value at a path is.
    pub(super) fn find(&self, path: &[String]) -> Option<Range<usize>> {
        let start = self.text.len() - self.text.trim_start().len();
        let whole = start..self.text.trim_end().len();
        path.iter().try_fold(whole, |place, token| {
            let level = self.level(&place);
            let at = if is_array(self.text.get(place)?) {
                token.parse().ok()?
            } else {
                *level.by_name.get(token)?
            };
            level.elements.get(at).map(|one| one.value.clone())
        })
    }

    /// The JSON at a path, as it is written.
    pub(super) fn raw(&self, path: &[String]) -> Option<&str> {
        self.text.get(self.find(path)?)
    }

    /// The JSON at a path, without the indentation of its line in front of the others.
    pub(super) fn dedented(&self, path: &[String]) -> String {
        let Some(place) = self.find(path) else {
            return String::new();
        };
        // Strings contain no line breaks.
        let raw = self.text.get(place.clone()).unwrap_or_default();
        if !raw.contains('\n') {
            return raw.to_owned();
        }
        let indentation = format!("\n{}", self.indentation(place.start));
        raw.replace(&indentation, "\n")
    }

    /// The members or items of the value at a path.
    pub(super) fn elements(&self, path: &[String]) -> Vec<Element> {
        let place = self.find(path);
        place.map_or_else(Vec::new, |place| self.level(&place).elements.clone())
    }

    /// The names of the members of the object at a path, in their order.
    pub(super) fn names(&self, path: &[String]) -> Vec<String> {
        let elements = self.elements(path).into_iter();
        elements.map(|element| element.name).collect()
    }

    /// Replaces the value at a path, or adds it as the last member. Missing objects on the way are created. Text that
    /// already means the same is kept.
    pub(super) fn set(&mut self, path: &[String], value: &New) {
        if let Some(place) = self.find(path) {
            let old = self.text.get(place.clone()).unwrap_or_default();
            let written = self.written(value, &self.indentation(place.start));
            if !means_the_same(old, &written) {
                self.replace(place, &written);
            }
            return;
        }
        let Some((name, parent)) = path.split_last() else {
            return;
        };
        if self.find(parent).is_some() {
            self.insert(parent, usize::MAX, name, value);
        } else {
            let value = New::Object(vec![(name.clone(), value.clone())]);
            self.set(parent, &value);
        }
    }

    /// Inserts a member or, with an empty name, an item at a position.
    pub(super) fn insert(&mut self, parent: &[String], at: usize, name: &str, value: &New) {
        let Some(place) = self.find(parent) else {
            return;
        };
        let (elements, layout) = (self.elements(parent), self.layout());
        let is_object = self
            .text
            .get(place.clone())
            .is_some_and(|text| text.starts_with('{'));
        let member = |written: String| {
            if is_object {
                format!("{}{}{written}", quoted(name), layout.colon)
            } else {
                written
            }
        };
        let Some(first) = elements.first() else {
            let outer = self.indentation(place.start);
            let between = place.start + 1..place.end - 1;
            let written = match &layout.lines {
                Some((newline, unit)) if is_object || !value.is_scalar() => {
                    let inner = format!("{outer}{unit}");
                    let written = member(self.written(value, &inner));
                    format!("{newline}{inner}{written}{newline}{outer}")
                }
                _ => member(self.written(value, &outer)),
            };
            self.replace(between, &written);
            return;
        };
        let written = member(self.written(value, &self.indentation(first.whole.start)));
        let separator = self.separator(&place, &elements, &layout);
        if let Some(next) = elements.get(at) {
            let added = format!("{written}{separator}");
            let start = next.whole.start;
            self.replace(start..start, &added);
        } else {
            let end = elements
                .last()
                .map_or(first.whole.end, |last| last.whole.end);
            self.replace(end..end, &format!("{separator}{written}"));
        }
    }

    /// Removes the member or item at a path.
    pub(super) fn remove(&mut self, path: &[String]) {
        let Some((token, parent)) = path.split_last() else {
            return;
        };
        let (Some(place), elements) = (self.find(parent), self.elements(parent)) else {
            return;
        };
        let is_array = self
            .text
            .get(place.clone())
            .is_some_and(|text| text.starts_with('['));
        let at = if is_array {
            token.parse().ok()
        } else {
            elements.iter().position(|one| one.name == *token)
        };
        let Some(at) = at else {
            return;
        };
        let Some(element) = elements.get(at) else {
            return;
        };
        let before = at.checked_sub(1).and_then(|at| elements.get(at));
        let removed = match (before, elements.get(at + 1)) {
            (_, Some(next)) => element.whole.start..next.whole.start,
            (Some(before), None) => before.whole.end..element.whole.end,
            (None, None) => place.start + 1..place.end - 1,
        };
        self.replace(removed, "");
    }

    /// Exchanges two members or items of the value at a path, by their positions.
    pub(super) fn swap(&mut self, parent: &[String], one: usize, other: usize) {
        let elements = self.elements(parent);
        let (Some(first), Some(second)) =
            (elements.get(one.min(other)), elements.get(one.max(other)))
        else {
            return;
        };
        let (first, second) = (first.whole.clone(), second.whole.clone());
        let (Some(early), Some(late)) = (
            self.text.get(first.clone()).map(str::to_owned),
            self.text.get(second.clone()).map(str::to_owned),
        ) else {
            return;
        };
        if first != second {
            self.replace(second, &early);
            self.replace(first, &late);
        }
    }

    /// The line and the column of a place, both from 1; columns count characters.
    pub(super) fn position(&self, at: usize) -> (usize, usize) {
        let (start, line) = self.line(at);
        let before = self.text.get(start..at).unwrap_or_default();
        (line, before.chars().count() + 1)
    }

    /// What stands between two elements.
    fn separator(&self, place: &Range<usize>, elements: &[Element], layout: &Layout) -> String {
        let text = |range: Range<usize>| self.text.get(range).unwrap_or_default();
        let Some(first) = elements.first() else {
            return layout.comma.to_owned();
        };
        let lead = text(place.start + 1..first.whole.start);
        if lead.contains('\n') {
            let newline = if lead.contains("\r\n") { "\r\n" } else { "\n" };
            return format!(",{newline}{}", self.indentation(first.whole.start));
        }
        match elements.get(1) {
            Some(second) => text(first.whole.end..second.whole.start).to_owned(),
            None => layout.comma.to_owned(),
        }
    }

    /// The white space at the beginning of the line of a place.
    fn indentation(&self, at: usize) -> String {
        let (start, _) = self.line(at);
        let line = self.text.get(start..).unwrap_or_default();
        let blanks = line.chars().take_while(|one| matches!(one, ' ' | '\t'));
        blanks.collect()
    }

    /// The layout of the text, by its first member.
    fn layout(&self) -> Layout {
        let elements = self.elements(&[]);
        let text = |range: Range<usize>| self.text.get(range).unwrap_or_default();
        let Some(first) = elements.first() else {
            return Layout {
                lines: Some(("\n", "  ".to_owned())),
                colon: ": ",
                comma: ", ",
            };
        };
        let start = self.find(&[]).map_or(0, |place| place.start + 1);
        let lead = text(start..first.whole.start);
        let newline = if lead.contains("\r\n") { "\r\n" } else { "\n" };
        let unit = self.indentation(first.whole.start);
        let lines = lead.contains('\n').then_some((newline, unit));
        let is_wide = text(first.whole.start..first.value.start).ends_with(' ');
        Layout {
            colon: if is_wide || lines.is_some() {
                ": "
            } else {
                ":"
            },
            comma: if is_wide || lines.is_some() {
                ", "
            } else {
                ","
            },
            lines,
        }
    }

    /// A new value as it is written in a line with this indentation.
    fn written(&self, value: &New, indentation: &str) -> String {
        write(value, &self.layout(), indentation)
    }
}

fn write(value: &New, layout: &Layout, indentation: &str) -> String {
    let inner = match &layout.lines {
        Some((_, unit)) => format!("{indentation}{unit}"),
        None => String::new(),
    };
    let (open, close, items, is_short) = match value {
        New::Raw(json) => return json.replace('\n', &format!("\n{indentation}")),
        New::Object(members) => {
            let member = |(name, value): &(String, New)| {
                let value = write(value, layout, &inner);
                format!("{}{}{value}", quoted(name), layout.colon)
            };
            (
                '{',
                '}',
                members.iter().map(member).collect::<Vec<_>>(),
                false,
            )
        }
        New::Array(items) => {
            let is_short = items.iter().all(New::is_scalar);
            let items = items.iter().map(|item| write(item, layout, &inner));
            ('[', ']', items.collect(), is_short)
        }
    };
    match &layout.lines {
        Some((newline, _)) if !is_short && !items.is_empty() => {
            let items = items.join(&format!(",{newline}{inner}"));
            format!("{open}{newline}{inner}{items}{newline}{indentation}{close}")
        }
        _ => format!("{open}{}{close}", items.join(layout.comma)),
    }
}

fn means_the_same(old: &str, new: &str) -> bool {
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    // Numbers are compared as they are written: 1.0 is not 1.
    let is_number = |text: &str| text.starts_with(|one: char| one.is_ascii_digit() || one == '-');
    if is_number(old) || is_number(new) {
        return old == new;
    }
    read(old) == read(new)
}

/// The members or items of the value at a place in a text.
fn elements(text: &str, place: &Range<usize>) -> Vec<Element> {
    let part = text.get(place.clone()).unwrap_or_default();
    let offset = |raw: &RawValue| {
        // The raw value borrows from the text.
        let distance = raw.get().as_ptr().addr() - part.as_ptr().addr();
        let start = place.start + distance;
        start..start + raw.get().len()
    };
    if part.starts_with('[') {
        let items: Vec<&RawValue> = serde_json::from_str(part).unwrap_or_default();
        let items = items.into_iter().map(|item| Element {
            name: String::new(),
            whole: offset(item),
            value: offset(item),
        });
        return items.collect();
    }
    let members = serde_json::from_str::<SpelledMembers<'_>>(part);
    let members = members.map(|members| members.0).unwrap_or_default();
    let members = members.into_iter().map(|(name, value)| Element {
        whole: offset(name).start..offset(value).end,
        value: offset(value),
        name: serde_json::from_str(name.get()).unwrap_or_default(),
    });
    members.collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn path(pointer: &str) -> Vec<String> {
        pointer.split('/').skip(1).map(str::to_owned).collect()
    }

    fn changed(text: &str, change: impl FnOnce(&mut Spelled)) -> String {
        let mut spelled = Spelled::new(text).unwrap();
        change(&mut spelled);
        spelled.text
    }

    #[test]
    fn a_member_is_added_in_the_layout_of_the_others() {
        for (before, after) in [
            ("{}", "{\n  \"b\": {\n    \"c\": [1, 2]\n  }\n}"),
            (r#"{"a":1}"#, r#"{"a":1,"b":{"c":[1,2]}}"#),
            (r#"{"a": 1 }"#, r#"{"a": 1, "b": {"c": [1, 2]} }"#),
            (
                "{\r\n\t\"a\": 1\r\n}",
                "{\r\n\t\"a\": 1,\r\n\t\"b\": {\r\n\t\t\"c\": [1, 2]\r\n\t}\r\n}",
            ),
            (
                "{\n    \"a\" : 1.0,\n\n    \"z\":2}",
                "{\n    \"a\" : 1.0,\n\n    \"z\":2,\n    \"b\": {\n        \"c\": [1, 2]\n    }}",
            ),
        ] {
            let numbers = New::Array(vec![New::Raw("1".to_owned()), New::Raw("2".to_owned())]);
            let value = New::object([("c", numbers)]);
            let text = changed(before, |spelled| spelled.set(&path("/b"), &value));
            assert_eq!(text, after);
        }
    }

    #[test]
    fn members_and_items_are_removed_with_their_commas() {
        for (before, pointer, after) in [
            (r#"{"a": 1, "b": 2, "c": 3}"#, "/a", r#"{"b": 2, "c": 3}"#),
            (r#"{"a": 1, "b": 2, "c": 3}"#, "/c", r#"{"a": 1, "b": 2}"#),
            ("{\n  \"a\": 1,\n  \"b\": 2\n}", "/b", "{\n  \"a\": 1\n}"),
            ("{ \"a\": [ 1 ] }", "/a/0", "{ \"a\": [] }"),
            (r#"{"a": [1, 2]}"#, "/a/0", r#"{"a": [2]}"#),
            (r#"{"a": 1}"#, "/b", r#"{"a": 1}"#),
        ] {
            let text = changed(before, |spelled| spelled.remove(&path(pointer)));
            assert_eq!(text, after);
        }
    }

    #[test]
    fn members_are_exchanged_with_their_spelling() {
        let text = changed("{\"\\u0061\" : 1.0,\n \"b\":[ ]}", |spelled| {
            spelled.swap(&[], 0, 1);
        });
        assert_eq!(text, "{\"b\":[ ],\n \"\\u0061\" : 1.0}");
    }

    #[test]
    fn positions_count_lines_and_characters() {
        let spelled = Spelled::new("{\n \"ä\": 1}").unwrap();
        let place = spelled.find(&path("/ä")).unwrap();
        assert_eq!(spelled.position(place.start), (2, 7));
    }

    /// A JSON text with white space in it.
    fn json() -> impl Strategy<Value = String> {
        let blank = || prop_oneof![Just(""), Just(" "), Just("\n  "), Just("\r\n\t")];
        let leaf = prop_oneof![
            Just("1.0".to_owned()),
            Just("1e2".to_owned()),
            Just("\"\\u00e9\"".to_owned()),
            Just("null".to_owned()),
            Just("{}".to_owned()),
            Just("[ ]".to_owned()),
        ];
        let value = leaf.prop_recursive(3, 24, 4, move |inner| {
            let spaced = (blank(), inner, blank()).prop_map(|(a, b, c)| format!("{a}{b}{c}"));
            let items = prop::collection::vec(spaced.clone(), 0..4);
            let members = prop::collection::vec((blank(), blank(), spaced), 0..4);
            prop_oneof![
                items.prop_map(|items| format!("[{}]", items.join(","))),
                members.prop_map(|members| {
                    let members =
                        members
                            .iter()
                            .enumerate()
                            .map(|(at, (before, behind, value))| {
                                format!("{before}\"m{at}\"{behind}:{value}")
                            });
                    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
                }),
            ]
        });
        (blank(), value, blank()).prop_map(|(a, b, c)| format!("{a}{b}{c}"))
    }

    /// The paths of all values.
    fn paths(spelled: &Spelled) -> Vec<Vec<String>> {
        let mut found = vec![Vec::new()];
        let mut at = 0;
        while let Some(parent) = found.get(at).cloned() {
            for (index, element) in spelled.elements(&parent).into_iter().enumerate() {
                let is_item = element.name.is_empty();
                let token = if is_item {
                    index.to_string()
                } else {
                    element.name
                };
                found.push([parent.clone(), vec![token]].concat());
            }
            at += 1;
        }
        found
    }

    proptest! {
        #[test]
        fn a_change_keeps_everything_else(text in json(), pick in any::<prop::sample::Index>()) {
            let before = Spelled::new(&text).unwrap();
            let paths = paths(&before);
            let path = &paths[pick.index(paths.len())];
            let place = before.find(path).unwrap();

            let mut set = before.clone();
            set.set(path, &New::text("new"));
            let (start, end) = (&text.get(..place.start).unwrap(), &text.get(place.end..).unwrap());
            let expected = format!("{start}\"new\"{end}");
            prop_assert_eq!(set.text(), expected);

            let mut same = before.clone();
            same.set(path, &New::Raw(before.raw(path).unwrap().to_owned()));
            prop_assert_eq!(same.text(), &text);

            // What was inserted and is removed again leaves no trace, but in what was empty.
            let elements = before.elements(path);
            for at in (0..=elements.len()).filter(|_| !elements.is_empty()) {
                let is_item = elements[0].name.is_empty();
                let name = if is_item { "" } else { "added" };
                let token = if is_item { at.to_string() } else { name.to_owned() };
                let mut inserted = before.clone();
                inserted.insert(path, at, name, &New::object([("x", New::text("y"))]));
                prop_assert!(parse_json(inserted.text()).is_ok(), "{}", inserted.text());
                inserted.remove(&[path.clone(), vec![token]].concat());
                prop_assert_eq!(inserted.text(), &text);
            }
            if elements.len() > 1 {
                let mut swapped = before.clone();
                swapped.swap(path, 0, elements.len() - 1);
                swapped.swap(path, elements.len() - 1, 0);
                prop_assert_eq!(swapped.text(), &text);
            }
        }
    }
}
