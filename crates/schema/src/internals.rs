//! Items that the other packages of this project use. They are not part of the public interface and may change at any time.

pub use crate::questions::walk::at_locations;
pub use crate::schema::{
    Outline, Part, Role, SpelledMembers, SubSchema, abridged, compile_stored, judge, listing,
    misspelled, push_token, validate_briefly, validate_lightly, validate_without_schema,
};

use serde_json::value::RawValue;

use crate::questions::{Answers, Choice, Entries, Extent, Question, QuestionKind, ShownAnswer};
use crate::schema::{DataSchema, Rejection};

/// Whether the next call of [`outline`] takes no time.
pub fn is_outlined(schema: &DataSchema) -> bool {
    schema.is_outlined()
}

/// What the schema asks for. The first call takes as long as compiling the schema.
pub fn outline(schema: &DataSchema) -> Option<&Outline> {
    schema.outline()
}

/// [`Answers::of`], if that takes at most a few milliseconds; `None` otherwise.
///
/// # Errors
///
/// Those of [`Answers::of`].
pub fn answers_lightly(
    schema: Option<&DataSchema>,
    stored: Option<&str>,
    entries: &Entries,
    language: Option<&str>,
) -> Option<Result<Answers, Rejection>> {
    Answers::of_lightly(schema, stored, entries, language)
}

/// The size of all names and values of entries, in bytes.
pub fn size_of_entries(entries: &Entries) -> usize {
    entries.size()
}

/// A question for JSON, without texts and restrictions.
pub fn json_question() -> Question {
    Question::at(String::new(), QuestionKind::Json)
}

/// The answer to a question for a boolean.
pub fn choice_of_boolean(answer: bool) -> Choice {
    Choice::of_boolean(answer)
}

/// A value at the location of a question, as people read it, with about this number of characters. What is behind is left out.
pub fn answer_shown(question: &Question, value: &RawValue, characters: usize) -> ShownAnswer {
    question.answer_shown(value, characters)
}

/// The label of a value, if it is a choice to which the schema gives one.
pub fn label_of<'q>(question: &'q Question, json: &str) -> Option<&'q str> {
    question.label_of(json)
}

/// The extent of something as large as a question, with these texts.
pub fn extent_of_block<'t>(texts: impl IntoIterator<Item = &'t str>) -> Extent {
    Extent::of_block(texts)
}

/// The extent of something as large as a choice, such as a cell of a table, with this text.
pub fn extent_of_part(text: &str) -> Extent {
    Extent::of_part(text)
}
