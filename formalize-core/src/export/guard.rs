//! Texts that a spreadsheet program would run as a formula.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The characters that begin a formula, or that programs skip before one. The last four are full-width forms.
const TRIGGERS: [char; 12] = [
    '=', '+', '-', '@', '\t', '\r', '\n', '\0', '＝', '＋', '－', '＠',
];

/// Characters that end a cell in some program, whatever separates the cells of the file. A program that takes another separator
/// also takes the quotes of a cell for text, so that a line break ends it, too.
const SEPARATORS: [char; 6] = [',', ';', '\t', '|', '\n', '\r'];

/// Whether texts that a spreadsheet program would run as a formula get a `'` in front.
///
/// They are those that begin, after any number of `'` and `"`, with `=`, `+`, `-`, `@`, a tab, a line break, NUL or a full-width
/// form of these. The same holds for the rest of a text behind each comma, semicolon, tab, `|` and line break, which is a cell
/// of its own for a program that separates cells there. Readers remove one `'` from texts, and from rests, that begin so after
/// at least one `'`.
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
    /// assert_eq!(Guard::On.apply("x;=1+1"), "x;'=1+1");
    /// assert_eq!(Guard::On.apply("1+1"), "1+1");
    /// assert_eq!(Guard::Off.apply("=1+1"), "=1+1");
    /// ```
    pub fn apply(self, text: &str) -> Cow<'_, str> {
        if self == Self::Off || !cells(text).any(Piece::is_trigger) {
            return Cow::Borrowed(text);
        }
        let guarded = cells(text).flat_map(|cell| {
            let guard = if cell.is_trigger() { "'" } else { "" };
            [guard, cell.text]
        });
        Cow::Owned(guarded.collect())
    }

    /// The text that was written: without one `'`, if [`Guard::apply`] has put it there.
    ///
    /// ```
    /// use formalize_core::export::Guard;
    ///
    /// assert_eq!(Guard::On.undo("''=1+1"), "'=1+1");
    /// assert_eq!(Guard::On.undo("'tis"), "'tis");
    /// ```
    pub fn undo(self, text: &str) -> Cow<'_, str> {
        if self == Self::Off || !cells(text).any(Piece::is_guarded) {
            return Cow::Borrowed(text);
        }
        let unguarded = cells(text).map(|cell| match cell.text.strip_prefix('\'') {
            Some(unguarded) if cell.is_trigger() => unguarded,
            _ => cell.text,
        });
        Cow::Owned(unguarded.collect())
    }

    /// JSON in which no string has a formula behind a separator, nor something that readers would take for a guarded one: its
    /// first character is escaped. The value is the same. A text that is not JSON needs [`Guard::apply`].
    ///
    /// ```
    /// use formalize_core::export::Guard;
    ///
    /// assert_eq!(Guard::On.escape(r#"["x,=1", 1,-2]"#), r#"["x,\u003d1", 1,-2]"#);
    /// ```
    pub fn escape(self, json: &str) -> Cow<'_, str> {
        let is_fine = match self {
            Self::On => !json.contains(SEPARATORS),
            Self::Off => !cells(json).any(Piece::is_guarded),
        };
        if is_fine {
            return Cow::Borrowed(json);
        }
        let mut escaped = String::with_capacity(json.len());
        let (mut is_in_string, mut is_behind_escape, mut begins) = (false, false, false);
        for one in json.chars() {
            if begins && is_in_string && TRIGGERS.contains(&one) {
                // JSON has no control characters in strings, so that these are of at most four digits. Writing to a string
                // cannot fail.
                let _ = write!(escaped, "\\u{:04x}", u32::from(one));
            } else {
                escaped.push(one);
            }
            begins = SEPARATORS.contains(&one) || (begins && matches!(one, '\'' | '"' | '\\'));
            if one == '"' && !is_behind_escape {
                is_in_string = !is_in_string;
            }
            is_behind_escape = one == '\\' && !is_behind_escape;
        }
        Cow::Owned(escaped)
    }

    /// Whether a reader would take something away that was not added.
    pub(super) fn loses(self, text: &str) -> bool {
        self == Self::Off && cells(text).any(Piece::is_guarded)
    }
}

/// What could be a cell or the beginning of one.
#[derive(Debug, Clone, Copy)]
struct Piece<'t> {
    text: &'t str,
    /// Whether the text begins with it. A separator in front of another one begins no formula.
    is_first: bool,
}

/// The text in pieces. A separator belongs to the piece before it.
fn cells(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let pieces = text.split_inclusive(SEPARATORS).enumerate();
    pieces.map(|(index, text)| Piece {
        text,
        is_first: index == 0,
    })
}

impl Piece<'_> {
    fn is_trigger(self) -> bool {
        let first = self.text.trim_start_matches(['\'', '"']).chars().next();
        first.is_some_and(|first| {
            TRIGGERS.contains(&first) && (self.is_first || !SEPARATORS.contains(&first))
        })
    }

    fn is_guarded(self) -> bool {
        self.text.starts_with('\'') && self.is_trigger()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cells that a program finds that separates them elsewhere, or takes quotes for text.
    fn seen(text: &str) -> Vec<&str> {
        let cells = text.split(SEPARATORS);
        cells.map(|cell| cell.trim_start_matches('"')).collect()
    }

    #[test]
    fn no_separator_makes_a_formula() {
        for text in [
            "x;=1+1",
            "x,=1+1,y",
            "x\t=1+1",
            "x|@SUM(1)",
            "x\n-1+1",
            "x;\"=1+1",
            "a;'=1",
            "=1;=2",
            ";;=1",
            ";\t=1",
        ] {
            let guarded = Guard::On.apply(text);
            let formulas = ['=', '+', '-', '@'];
            let runs = seen(&guarded).iter().any(|cell| cell.starts_with(formulas));
            assert!(!runs, "{text}: {guarded}");
            assert_eq!(Guard::On.undo(&guarded), text);
            assert_eq!(Guard::Off.apply(text), text);
        }
        for text in [
            "",
            "a;b",
            "a; =1",
            "1;2",
            "x=1;y=2",
            "it's; 'tis",
            "a\r\n\r\n\tb",
        ] {
            assert_eq!(Guard::On.apply(text), text);
            assert_eq!(Guard::On.undo(text), text);
        }
    }

    #[test]
    fn strings_in_json_keep_their_value() {
        for json in [
            r#"["x;=1+1;y","=2","\",=3"]"#,
            r#"{"a;=b":"c\\;'=1","d":[1,-1]}"#,
            r#"["a",-1,"=1"]"#,
        ] {
            let escaped = Guard::On.escape(json);
            let value = |json: &str| serde_json::from_str::<serde_json::Value>(json).unwrap();
            assert_eq!(value(&escaped), value(json));
            let numbers = ["-1", "-1]"];
            let written = escaped.replace('"', "\"\"");
            let cells = seen(&written);
            let runs = |cell: &&&str| {
                cell.trim_start_matches(['"', '\\'])
                    .starts_with(['=', '+', '-', '@'])
                    && !numbers.iter().any(|number| cell.starts_with(number))
            };
            assert_eq!(cells.iter().find(runs), None, "{escaped}");
        }
        assert_eq!(Guard::Off.escape("[1,\"=\"]"), "[1,\"=\"]");
    }
}
