//! Character classes.

use std::fmt::Write;

/// Ranges of code points, in ascending order.
pub(super) type Ranges = &'static [(u32, u32)];

const DIGIT: Ranges = &[(0x30, 0x39)];
const WORD: Ranges = &[(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)];
const SPACE: Ranges = &[
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
];
/// The line terminators, which `.` does not match.
pub(super) const LINE_END: Ranges = &[(0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)];
/// All code points.
pub(super) const EVERYTHING: Ranges = &[(0, 0x10_FFFF)];

/// The weight of a Unicode property: the tables are long.
pub(super) const PROPERTY_WEIGHT: u64 = 300;

/// The class for a letter after a backslash, and whether it is negated.
pub(super) fn named(letter: char) -> Option<(Ranges, bool)> {
    let ranges = match letter.to_ascii_lowercase() {
        'd' => DIGIT,
        'w' => WORD,
        's' => SPACE,
        _ => return None,
    };
    Some((ranges, letter.is_ascii_uppercase()))
}

/// A character class under construction.
pub(super) struct Class {
    items: String,
    negated: bool,
    weight: u64,
}

impl Class {
    pub(super) fn new(negated: bool) -> Self {
        Self {
            items: String::new(),
            negated,
            // The complement of a few characters covers almost everything and takes several states.
            weight: if negated { 12 } else { 1 },
        }
    }

    /// Adds a range of code points, except surrogates, which are not characters.
    pub(super) fn add(&mut self, first: u32, last: u32) -> Option<()> {
        for (first, last) in [(first, last.min(0xD7FF)), (first.max(0xE000), last)] {
            if first <= last {
                write!(self.items, "\\u{{{first:X}}}-\\u{{{last:X}}}").ok()?;
                self.weight += if last < 0x80 { 1 } else { 6 };
            }
        }
        Some(())
    }

    pub(super) fn add_all(&mut self, ranges: Ranges, negated: bool) -> Option<()> {
        if !negated {
            return ranges
                .iter()
                .try_for_each(|(first, last)| self.add(*first, *last));
        }
        let mut next = 0;
        for (first, last) in ranges {
            if let Some(before) = first.checked_sub(1).filter(|before| *before >= next) {
                self.add(next, before)?;
            }
            next = last + 1;
        }
        self.add(next, 0x10_FFFF)
    }

    pub(super) fn add_property(&mut self, property: &str) {
        self.items.push_str(property);
        self.weight += PROPERTY_WEIGHT;
    }

    /// The approximate number of states of the class in an automaton.
    pub(super) fn weight(&self) -> u64 {
        self.weight
    }

    pub(super) fn finish(self) -> String {
        match (self.items.is_empty(), self.negated) {
            (true, false) => r"[^\u{0}-\u{10FFFF}]".to_owned(),
            (true, true) => r"[\u{0}-\u{10FFFF}]".to_owned(),
            (false, false) => format!("[{}]", self.items),
            (false, true) => format!("[^{}]", self.items),
        }
    }
}
