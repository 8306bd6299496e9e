//! How much of the violations of a document is listed.
//!
//! A document of a megabyte can violate rules at a hundred thousand locations, and each location can be as long as the
//! document. What is listed is kept in memory, stored with rejected lines, and sent to clients, so it is bounded here.

use serde_json::{Map, Value};

use super::rejection::Violation;

/// The maximum number of violations in a list.
pub(super) const MAX_VIOLATIONS: usize = 64;

/// The maximum size of a list: pointers, messages and params as they are sent, in bytes of JSON.
pub const MAX_BYTES: usize = 64 * 1024;

/// The maximum length of a pointer, in bytes of JSON. A longer one is replaced by that of an enclosing value.
const MAX_POINTER: usize = 2 * 1024;

/// The maximum length of a message, in bytes of JSON. A longer one is cut off.
const MAX_MESSAGE: usize = 2 * 1024;

/// The maximum length of the params of a violation, in bytes of JSON. Longer ones are omitted.
const MAX_PARAMS: usize = 20 * 1024;

/// The maximum length of a pointer or message of a violation that stands for all others, and of a name in a message.
const BRIEF: usize = 240;

/// What a list of violations may still take up.
#[derive(Debug)]
pub struct Space {
    violations: usize,
    bytes: usize,
}

impl Default for Space {
    fn default() -> Self {
        Self {
            violations: MAX_VIOLATIONS,
            bytes: MAX_BYTES,
        }
    }
}

impl Space {
    /// Shortens the texts of a violation and takes the space for it; `false` if there is not enough. Then the list ends, so
    /// that it has the first violations.
    pub fn admits(&mut self, violation: &mut Violation) -> bool {
        if self.is_used_up() {
            return false;
        }
        shorten(violation);
        let Some(left) = self.bytes.checked_sub(size(violation)) else {
            self.violations = 0;
            return false;
        };
        self.bytes = left;
        self.violations -= 1;
        true
    }

    fn is_used_up(&self) -> bool {
        self.violations == 0
    }
}

/// Violations in their order, up to the limits.
#[derive(Debug, Default)]
pub(super) struct Listing {
    violations: Vec<Violation>,
    space: Space,
    omitted: usize,
}

impl Listing {
    /// Adds a violation if there is space for it, and otherwise counts it.
    pub(super) fn push(&mut self, mut violation: Violation) {
        if self.space.admits(&mut violation) {
            self.violations.push(violation);
        } else {
            self.omitted += 1;
        }
    }

    /// Whether another violation may be listed, so that it must be described.
    pub(super) fn has_room(&self) -> bool {
        !self.space.is_used_up()
    }

    /// Counts violations that need not be described.
    pub(super) fn omit(&mut self, number: usize) {
        self.omitted = self.omitted.saturating_add(number);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.violations.is_empty() && self.omitted == 0
    }

    /// The violations that are listed.
    pub(super) fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// The violations that are listed, and the number of others.
    pub(super) fn into_parts(self) -> (Vec<Violation>, usize) {
        (self.violations, self.omitted)
    }
}

impl Extend<Violation> for Listing {
    fn extend<T: IntoIterator<Item = Violation>>(&mut self, violations: T) {
        for violation in violations {
            self.push(violation);
        }
    }
}

impl FromIterator<Violation> for Listing {
    fn from_iter<T: IntoIterator<Item = Violation>>(violations: T) -> Self {
        let mut listing = Self::default();
        listing.extend(violations);
        listing
    }
}

impl From<Vec<Violation>> for Listing {
    fn from(violations: Vec<Violation>) -> Self {
        violations.into_iter().collect()
    }
}

/// Bounds the texts of a violation, each by itself.
pub(super) fn shorten(violation: &mut Violation) {
    bound(violation, MAX_POINTER, MAX_MESSAGE, MAX_PARAMS);
}

/// The same for a violation that stands for all others, which has no params.
pub fn shorten_to_one_line(violation: &mut Violation) {
    bound(violation, BRIEF, BRIEF, 0);
}

fn bound(violation: &mut Violation, pointer: usize, message: usize, params: usize) {
    enclose(&mut violation.instance_path, pointer);
    enclose(&mut violation.schema_path, pointer);
    cut(&mut violation.message, message);
    if size_of_params(&violation.params) > params {
        violation.params = Map::new();
    }
}

/// What a violation adds to a response: its location and message are there twice, once for people and once for programs.
pub fn size(violation: &Violation) -> usize {
    let texts = json_length(&violation.instance_path) + json_length(&violation.message);
    let params = size_of_params(&violation.params);
    texts * 2 + json_length(&violation.schema_path) + params
}

fn size_of_params(params: &Map<String, Value>) -> usize {
    let sizes = params
        .iter()
        .map(|(name, value)| json_length(name) + value.to_string().len() + 4);
    sizes.sum()
}

/// A JSON Pointer, or that of an enclosing value if it is too long for a list.
pub(super) fn enclosed(mut pointer: String) -> String {
    enclose(&mut pointer, MAX_POINTER);
    pointer
}

/// Shortens a JSON Pointer to that of an enclosing value.
fn enclose(pointer: &mut String, limit: usize) {
    let end = fitting(pointer, limit);
    if end < pointer.len() {
        // If the first byte that does not fit begins a token, the pointer before it is complete.
        let end = pointer
            .as_bytes()
            .get(..=end)
            .and_then(|kept| kept.iter().rposition(|byte| *byte == b'/'))
            .unwrap_or(0);
        pointer.truncate(end);
    }
}

/// Cuts off a text.
fn cut(text: &mut String, limit: usize) {
    let end = fitting(text, limit);
    if end < text.len() {
        text.truncate(end);
        text.push('\u{2026}');
    }
}

/// Cuts off a message that is too long.
pub(super) fn cut_message(message: &mut String) {
    cut(message, MAX_MESSAGE);
}

/// The part of a property name that a message quotes, with a mark if that is not the whole name.
pub fn abridged(name: &str) -> String {
    abridge(name.to_owned())
}

/// The beginning of a text, with a mark if that is not the whole text.
pub(super) fn abridge(mut text: String) -> String {
    cut(&mut text, BRIEF);
    text
}

/// How many bytes of a text take up at most `limit` bytes in JSON.
fn fitting(text: &str, limit: usize) -> usize {
    let mut length = 0;
    for (at, character) in text.char_indices() {
        length += json_width(character);
        if length > limit {
            return at;
        }
    }
    text.len()
}

/// The length of a text in JSON, without quotation marks.
fn json_length(text: &str) -> usize {
    text.chars().map(json_width).sum()
}

fn json_width(character: char) -> usize {
    match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        other => other.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(pointer: &str) -> Violation {
        Violation::of_keyword("type", pointer.to_owned(), "must be a string")
    }

    #[test]
    fn a_list_ends_after_so_many_violations_and_counts_the_others() {
        let listing: Listing = (0..100).map(|index| at(&format!("/{index}"))).collect();
        let (violations, omitted) = listing.into_parts();
        assert_eq!((violations.len(), omitted), (64, 36));
        assert_eq!(violations[63].instance_path, "/63");
    }

    #[test]
    fn a_list_is_bounded_as_it_is_sent() {
        let name = "\0".repeat(300);
        let listing: Listing = vec![at(&format!("/{name}")); 64].into();
        let (violations, omitted) = listing.into_parts();
        assert_eq!(violations.len() + omitted, 64);
        let sent: usize = violations.iter().map(size).sum();
        assert!((MAX_BYTES / 2..=MAX_BYTES).contains(&sent), "{sent}");
        assert!(json_length(&name) == 1_800 && serde_json::json!(name).to_string().len() == 1_802);
    }

    #[test]
    fn a_long_pointer_becomes_that_of_an_enclosing_value() {
        let long = "n".repeat(60_000);
        for (pointer, kept) in [
            (format!("/a/{long}/b"), "/a"),
            (format!("/{long}"), ""),
            (format!("/a/b/{long}"), "/a/b"),
            (format!("/a/{}", "ä".repeat(60_000)), "/a"),
        ] {
            let mut violation = at(&pointer);
            shorten(&mut violation);
            assert_eq!(violation.instance_path, kept);
        }
        let mut exact = format!("/{}", "a".repeat(MAX_POINTER - 1));
        enclose(&mut exact, MAX_POINTER);
        assert_eq!(exact.len(), MAX_POINTER);
        exact.push_str("/b");
        enclose(&mut exact, MAX_POINTER);
        assert_eq!(exact.len(), MAX_POINTER);
    }

    #[test]
    fn the_first_violation_always_fits() {
        let long = "\0".repeat(100_000);
        let mut violation = at(&format!("/{long}"));
        violation.message.clone_from(&long);
        violation.schema_path.clone_from(&violation.instance_path);
        violation.params.insert("pattern".to_owned(), long.into());
        let listing = Listing::from(vec![violation]);
        assert_eq!(listing.violations().len(), 1);
        assert!(listing.violations()[0].message.ends_with('\u{2026}'));
    }
}
