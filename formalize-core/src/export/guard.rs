//! Texts that a spreadsheet program would run as a formula.

use std::borrow::Cow;

/// The characters that begin a formula, or that programs skip before one. The last four are full-width forms.
const TRIGGERS: [char; 12] = [
    '=', '+', '-', '@', '\t', '\r', '\n', '\0', '＝', '＋', '－', '＠',
];

/// Whether texts that a spreadsheet program would run as a formula get a `'` in front.
///
/// They are those that begin, after any number of `'`, with `=`, `+`, `-`, `@`, a tab, a line break, NUL or a full-width
/// form of these. Readers remove one `'` from texts that begin so after at least one `'`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Guard {
    /// They do.
    #[default]
    On,
    /// Texts are written as they are.
    Off,
}

impl Guard {
    /// The text to write.
    ///
    /// ```
    /// use formalize_core::export::Guard;
    ///
    /// assert_eq!(Guard::On.apply("=1+1"), "'=1+1");
    /// assert_eq!(Guard::On.apply("1+1"), "1+1");
    /// assert_eq!(Guard::Off.apply("=1+1"), "=1+1");
    /// ```
    pub fn apply(self, text: &str) -> Cow<'_, str> {
        if self == Self::On && is_trigger(text) {
            Cow::Owned(format!("'{text}"))
        } else {
            Cow::Borrowed(text)
        }
    }

    /// The text that was written: without one `'`, if [`Guard::apply`] has put it there.
    ///
    /// ```
    /// use formalize_core::export::Guard;
    ///
    /// assert_eq!(Guard::On.undo("''=1+1"), "'=1+1");
    /// assert_eq!(Guard::On.undo("'tis"), "'tis");
    /// ```
    pub fn undo(self, text: &str) -> &str {
        match text.strip_prefix('\'') {
            Some(unguarded) if self == Self::On && is_trigger(text) => unguarded,
            _ => text,
        }
    }

    /// Whether a reader would take something away that was not added.
    pub(super) fn loses(self, text: &str) -> bool {
        self == Self::Off && text.starts_with('\'') && is_trigger(text)
    }
}

fn is_trigger(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(TRIGGERS)
}
