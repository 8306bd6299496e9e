//! How large a page with questions or answers becomes, and how long making it takes: an estimate, so that the same form is
//! treated alike on every machine.

use std::iter::Sum;

use super::{Question, QuestionKind, Questions, Widget};

/// What a page is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extent {
    /// The number of questions.
    pub questions: usize,
    /// The number of their choices.
    pub choices: usize,
    /// The size of the page, in bytes. It is rather too large than too small.
    pub bytes: usize,
}

// The times were fitted to pages with 1,000 questions, 2,000 radio buttons, 5,000 options and 1 MB of descriptions on a machine
// with two cores: each takes from a third of its estimate up to all of it. `cargo bench -- "large page"` measures them.

/// The time for a question, in nanoseconds on an ordinary machine.
const QUESTION: usize = 1_600;

/// The time for a choice, in nanoseconds.
const CHOICE: usize = 150;

/// The time for a thousand bytes, in nanoseconds. Descriptions take most, because addresses are looked for in them.
const KILOBYTE: usize = 2_100;

/// The time that a page may take on a thread that serves requests, in nanoseconds. Reading what was entered and compressing the
/// page take about as long again.
const LIGHT: usize = 2_000_000;

/// The size of the HTML around a question, without texts.
const OF_QUESTION: usize = 900;

/// The size of the HTML around a radio button or a check box.
const OF_BUTTON: usize = 200;

/// The size of the HTML around an option of a list.
const OF_OPTION: usize = 50;

/// How often a page has the identifier of a question, which is made of its pointer.
const IDENTIFIERS: usize = 9;

/// How often a page has the pointer of a question, and its label.
const NAMES: usize = 5;

/// With more choices, these are options of a list unless a widget says otherwise.
const MAX_BUTTONS: usize = 20;

impl Extent {
    /// Whether making the page takes no longer than the other parts of a request.
    pub fn is_light(self) -> bool {
        self.time() <= LIGHT
    }

    /// The time that making the page takes, in nanoseconds on an ordinary machine.
    fn time(self) -> usize {
        let of_bytes = self.bytes / 1_000 * KILOBYTE;
        self.questions
            .saturating_mul(QUESTION)
            .saturating_add(self.choices.saturating_mul(CHOICE))
            .saturating_add(of_bytes)
    }

    /// The extent of a single question, without its children.
    pub(super) fn of(question: &Question) -> Self {
        let (identifier, name) = (identifier(&question.pointer), escaped(&question.pointer));
        let texts = [&question.help, &question.hint, &question.limits.pattern];
        let texts: usize = texts.into_iter().flatten().map(|text| escaped(text)).sum();
        let default = question.default.as_ref();
        let default = default.map_or(0, |value| escaped(&value.to_string()));
        let value = question.value.as_ref();
        let value = value.map_or(0, |value| escaped(value.get()));
        let of_choice = if has_buttons(question) {
            OF_BUTTON + 3 * identifier + name
        } else {
            OF_OPTION
        };
        let choices = question.choices.iter();
        let choices: usize = choices
            .map(|one| of_choice + 2 * escaped(&one.value) + escaped(&one.label))
            .sum();
        Self {
            questions: 1,
            choices: question.choices.len(),
            bytes: OF_QUESTION
                + IDENTIFIERS * identifier
                + NAMES * (name + escaped(&question.label))
                + texts
                + default
                + value
                + choices,
        }
    }

    /// The extent of something as large as a question, with these texts.
    pub(crate) fn of_block<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let texts: usize = texts.into_iter().map(escaped).sum();
        Self {
            questions: 1,
            choices: 0,
            bytes: OF_QUESTION + NAMES * texts,
        }
    }

    /// The extent of something as large as a choice, such as a cell of a table, with this text.
    pub(crate) fn of_part(text: &str) -> Self {
        Self {
            questions: 0,
            choices: 1,
            bytes: OF_BUTTON + 2 * escaped(text),
        }
    }

    fn add(&mut self, other: Self) {
        self.questions += other.questions;
        self.choices += other.choices;
        self.bytes = self.bytes.saturating_add(other.bytes);
    }

    fn add_all(&mut self, question: &Question) {
        self.add(Self::of(question));
        for child in &question.children {
            self.add_all(child);
        }
    }
}

impl Sum for Extent {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        let mut whole = Self::default();
        parts.for_each(|part| whole.add(part));
        whole
    }
}

impl Questions {
    /// The extent of a page with these questions.
    ///
    /// ```
    /// use formalize_schema::DataSchema;
    /// use formalize_schema::questions::Questions;
    ///
    /// let schema = DataSchema::compile(r#"{"properties": {"a": {"enum": [1, 2, 3]}, "b": {"type": "string"}}}"#)?;
    /// let extent = Questions::of(Some(&schema), None, None)?.extent();
    /// assert_eq!((extent.questions, extent.choices), (3, 3));
    /// assert!(extent.is_light());
    /// # Ok::<(), formalize_schema::Rejection>(())
    /// ```
    pub fn extent(&self) -> Extent {
        let mut extent = Extent::default();
        extent.add_all(&self.root);
        extent.questions += self.files.len();
        extent
    }
}

/// Whether each choice has a button with names of its own.
fn has_buttons(question: &Question) -> bool {
    match question.kind {
        QuestionKind::Choice if question.widget == Some(Widget::Select) => false,
        QuestionKind::Choice if question.widget == Some(Widget::Radio) => true,
        QuestionKind::Variant => true,
        _ => question.choices.len() <= MAX_BUTTONS,
    }
}

/// The size of a text in HTML.
fn escaped(text: &str) -> usize {
    let width = |one: u8| match one {
        b'"' => 6,
        b'&' => 5,
        b'<' | b'>' => 4,
        _ => 1,
    };
    text.bytes().map(width).sum()
}

/// The size of the identifier of an element for a pointer, in which most characters other than letters and digits are written
/// as numbers.
fn identifier(pointer: &str) -> usize {
    let width = |one: char| {
        if one.is_ascii_alphanumeric() || matches!(one, '/' | '_' | '-') {
            1
        } else {
            // A dot, up to six digits, and another dot.
            one.len_utf8() + 4
        }
    };
    10 + pointer.chars().map(width).sum::<usize>()
}
