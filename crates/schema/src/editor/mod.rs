//! Editing the schema of a form as a list of cards, one for each question.
//!
//! [`SchemaText`] reads a JSON Schema into [`Card`]s and changes its text. A change rewrites only what it is about: the
//! order of members, numbers as they are written, unknown keywords and white space stay as they are everywhere else.
//!
//! # What has a card
//!
//! Every property of the root has a card, and every property of an object or of the items of a list at the root. A card
//! has [fields](CardFields) if the property is one of [`KINDS`] and nothing that the editor does not know decides about
//! it. All else has a card without fields: it is written by hand, and can only be moved, duplicated and deleted, or, if it
//! is not a property, not be edited at all.
//!
//! A question that is asked only for certain answers to another one is a property in an entry of `allOf`:
//!
//! ```json
//! {"if": {"properties": {"attends": {"const": true}}, "required": ["attends"]},
//!  "then": {"properties": {"menu": {"enum": ["meat", "vegetables"]}}}}
//! ```
//!
//! # Languages
//!
//! The texts of a card are in the languages that the caller names. Without languages they are `title` and `description`,
//! else members of `localizedName` and `localizedDescription`. A `title` counts as a text in the first language if there is
//! no `localizedName`.

mod choices;
mod conditions;
mod editing;
mod findings;
mod known;
mod property;
mod reading;
mod spelled;
mod texts;

use serde_json::Value;

use crate::questions::{Extent, QuestionKind, Questions};
use crate::schema::{Rejection, parse_json};

pub use findings::{Fault, Warning, WarningKind};
use spelled::Spelled;

/// The kinds of questions that have fields.
pub const KINDS: [QuestionKind; 15] = [
    QuestionKind::Text,
    QuestionKind::LongText,
    QuestionKind::Choice,
    QuestionKind::Choices,
    QuestionKind::Boolean,
    QuestionKind::Consent,
    QuestionKind::Integer,
    QuestionKind::Number,
    QuestionKind::Email,
    QuestionKind::Uri,
    QuestionKind::Date,
    QuestionKind::Time,
    QuestionKind::DateTime,
    QuestionKind::Group,
    QuestionKind::List,
];

/// The most cards that a schema has.
pub const MAX_CARDS: usize = 1_000;

/// The text of a schema, which is to be edited.
///
/// ```
/// use formalize_schema::editor::{CardFields, SchemaText};
/// use formalize_schema::questions::QuestionKind;
///
/// let schema = SchemaText::new(r#"{"properties": {"seats": {"type": "integer", "maximum": 1e2}}}"#)?;
/// let (schema, _) = schema.add(None, QuestionKind::Email, "Your address", &[])?;
/// let card = &schema.cards(&[])[0];
/// let fields = CardFields { is_required: true, ..card.fields.clone().unwrap() };
/// let schema = schema.change(&card.pointer, &[], &fields)?;
/// assert_eq!(
///     schema.text(),
///     r#"{"properties": {"seats": {"type": "integer", "maximum": 1e2}, "#.to_owned()
///         + r#""yourAddress": {"type": "string", "format": "email", "title": "Your address"}}, "required": ["seats"]}"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaText {
    spelled: Spelled,
    value: Value,
}

/// A property, or a part of the schema that is not about a single property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// The JSON Pointer of the answer, such as `/guests/name` for a question about each item of a list. A part that is
    /// no property has the JSON Pointer of the part in the schema, behind `#`.
    pub pointer: String,
    /// The name of the property, or the keyword of the part.
    pub name: String,
    /// What can be edited; `None` if the card is written by hand.
    pub fields: Option<CardFields>,
    /// The cards of the questions within a group or a list.
    pub children: Vec<Card>,
    /// Whether the card can be exchanged with the one before it.
    pub moves_up: bool,
    /// Whether the card can be exchanged with the one behind it.
    pub moves_down: bool,
}

impl Card {
    /// Whether this is a property, in contrast to another part of the schema.
    ///
    /// ```
    /// let schema = formalize_schema::editor::SchemaText::new(r#"{"oneOf": [{}], "properties": {"a": {}}}"#)?;
    /// let are_properties: Vec<_> = schema.cards(&[]).iter().map(|card| card.is_property()).collect();
    /// assert_eq!(are_properties, [true, false]);
    /// # Ok::<(), formalize_schema::Rejection>(())
    /// ```
    pub fn is_property(&self) -> bool {
        !self.pointer.starts_with('#')
    }

    fn extent(&self) -> Extent {
        let fields = self.fields.iter();
        let labels = fields.clone().flat_map(|fields| &fields.labels);
        let texts = [&self.pointer, &self.name].into_iter().chain(labels);
        let choices = fields.flat_map(|fields| &fields.choices);
        let choices = choices.map(|choice| Extent::of_part(&choice.value));
        let own = Extent::of_block(texts.map(String::as_str));
        let within = self.children.iter().map(Self::extent);
        [own].into_iter().chain(choices).chain(within).sum()
    }
}

/// The extent of a page on which a schema is edited, with its text, its cards, and the preview of its questions.
pub fn extent(text: &str, cards: &[Card], preview: Option<&Questions>) -> Extent {
    let cards = cards.iter().map(Card::extent);
    let preview = preview.map(Questions::extent);
    let text = Extent::of_part(text);
    cards.chain(preview).chain([text]).sum()
}

/// What can be edited of a question. Texts are in the languages for which the fields were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardFields {
    /// The kind of question, one of [`KINDS`].
    pub kind: QuestionKind,
    /// The label in each language, or one label.
    pub labels: Vec<String>,
    /// The explanation in each language, or one.
    pub helps: Vec<String>,
    /// Whether an answer is required.
    pub is_required: bool,
    /// The possible answers.
    pub choices: Vec<ChoiceFields>,
    /// The least length of a text, the least number, or the least number of items. It may be empty.
    pub least: String,
    /// The greatest length of a text, the greatest number, or the greatest number of items. It may be empty.
    pub most: String,
    /// The pattern of a text. It may be empty.
    pub pattern: String,
    /// The answer to another question for which this one is asked.
    pub condition: Option<CardCondition>,
}

impl CardFields {
    /// Whether other questions can depend on this one: it has few answers, and is itself always asked.
    ///
    /// ```
    /// let text = r#"{"properties": {"a": {"type": "boolean"}, "b": {"type": "string"}}}"#;
    /// let cards = formalize_schema::editor::SchemaText::new(text)?.cards(&[]);
    /// let can_drive: Vec<_> = cards.iter().map(|card| card.fields.as_ref().unwrap().can_drive()).collect();
    /// assert_eq!(can_drive, [true, false]);
    /// # Ok::<(), formalize_schema::Rejection>(())
    /// ```
    pub fn can_drive(&self) -> bool {
        known::drives(self.kind) && self.condition.is_none()
    }

    /// Whether questions of this kind have a least and a greatest value.
    ///
    /// ```
    /// # use formalize_schema::editor::CardFields;
    /// use formalize_schema::questions::QuestionKind;
    ///
    /// assert!(CardFields::has_limits(QuestionKind::Integer));
    /// assert!(!CardFields::has_limits(QuestionKind::Date));
    /// ```
    pub fn has_limits(kind: QuestionKind) -> bool {
        known::limits(kind).is_some()
    }
}

/// A possible answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceFields {
    /// The value in the data: a string as it is, or a number as JSON.
    pub value: String,
    /// The text to show in each language, or one. It is empty if it is the value.
    pub labels: Vec<String>,
}

/// The answers to another question for which a question is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardCondition {
    /// The name of the other question, which is at the root.
    pub question: String,
    /// The answers: values of choices, or `true` and `false`.
    pub answers: Vec<String>,
}

/// Where a card moves.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Up,
    Down,
}

/// Why an edit is not possible.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The card does not exist.
    #[error("question `{0}` not found")]
    UnknownCard(String),
    /// The card has no fields, or not of this kind.
    #[error("`{0}` is written by hand")]
    WrittenByHand(String),
    /// A question with choices needs at least one.
    #[error("enter at least one choice")]
    NoChoices,
    /// Two choices have the same value.
    #[error("the choice `{0}` occurs twice")]
    ChoiceTwice(String),
    /// The other choices are numbers.
    #[error("the choice `{0}` must be a number, as the other choices are")]
    ChoiceNotNumber(String),
    /// A limit is not a number of the kind that is needed.
    #[error("`{0}` must be a number")]
    LimitNotNumber(String),
    /// The least value is above the greatest.
    #[error("the least value is greater than the greatest")]
    LimitsCrossed,
    /// Other questions depend on this one.
    #[error("other questions are asked depending on this one")]
    HasDependents,
    /// The schema has no conditions: it is of a draft before 7, or does not allow other properties.
    #[error("the schema does not allow questions with conditions")]
    NoConditions,
    /// The other question is not there, or has no choices.
    #[error("no question can depend on `{0}`")]
    NotADriver(String),
}

impl SchemaText {
    /// Reads the text of a schema. It need not be a valid schema.
    ///
    /// # Errors
    ///
    /// A rejection if the text is not JSON.
    ///
    /// ```
    /// use formalize_schema::editor::SchemaText;
    ///
    /// assert!(SchemaText::new("{").is_err());
    /// assert!(SchemaText::new(r#"{"type": "nothing"}"#).is_ok());
    /// ```
    pub fn new(text: &str) -> Result<Self, Rejection> {
        Ok(Self {
            value: parse_json(text)?,
            spelled: Spelled::new(text)?,
        })
    }

    /// The text.
    ///
    /// ```
    /// let schema = formalize_schema::editor::SchemaText::new("{ }")?;
    /// assert_eq!(schema.text(), "{ }");
    /// # Ok::<(), formalize_schema::Rejection>(())
    /// ```
    pub fn text(&self) -> &str {
        self.spelled.text()
    }

    fn of(spelled: Spelled) -> Self {
        let value = serde_json::from_str(spelled.text()).unwrap_or_default();
        Self { spelled, value }
    }

    /// The value at a path.
    fn at(&self, path: &[String]) -> Option<&Value> {
        path.iter()
            .try_fold(&self.value, |value, token| match value {
                Value::Array(items) => items.get(token.parse::<usize>().ok()?),
                value => value.get(token),
            })
    }
}

/// A path with more tokens at its end.
fn below<const N: usize>(path: &[String], tokens: [&str; N]) -> Vec<String> {
    let mut path = path.to_vec();
    path.extend(tokens.map(str::to_owned));
    path
}

/// The JSON Pointer of a path.
fn pointer(path: &[String]) -> String {
    let mut pointer = String::new();
    for token in path {
        pointer.push('/');
        referencing::write_escaped_str(&mut pointer, token);
    }
    pointer
}

/// The path of a JSON Pointer.
fn path(pointer: &str) -> Vec<String> {
    let tokens = pointer.split('/').skip(1);
    tokens
        .map(|token| referencing::unescape_segment(token).into_owned())
        .collect()
}

#[cfg(test)]
mod tests;
