//! The types of values in a column.

use serde_json::Value;

/// A type of JSON Schema.
#[expect(missing_docs, reason = "the names are those of JSON Schema")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonType {
    String,
    Number,
    Integer,
    Boolean,
    Null,
    Object,
    Array,
}

impl JsonType {
    /// All types.
    ///
    /// ```
    /// assert_eq!(formalize_core::export::JsonType::ALL.len(), 7);
    /// ```
    pub const ALL: [Self; 7] = [
        Self::String,
        Self::Number,
        Self::Integer,
        Self::Boolean,
        Self::Null,
        Self::Object,
        Self::Array,
    ];

    fn of_word(word: &str) -> Option<Self> {
        Some(match word {
            "string" => Self::String,
            "number" => Self::Number,
            "integer" => Self::Integer,
            "boolean" => Self::Boolean,
            "null" => Self::Null,
            "object" => Self::Object,
            "array" => Self::Array,
            _ => return None,
        })
    }

    fn of_value(value: &Value) -> Self {
        match value {
            Value::String(_) => Self::String,
            Value::Number(_) => Self::Number,
            Value::Bool(_) => Self::Boolean,
            Value::Null => Self::Null,
            Value::Object(_) => Self::Object,
            Value::Array(_) => Self::Array,
        }
    }
}

/// A set of types, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Types(u8);

impl Types {
    pub(super) const NONE: Self = Self(0);
    pub(super) const ALL: Self = Self(0x7f);
    pub(super) const STRING: Self = Self::only(JsonType::String);
    pub(super) const OBJECT: Self = Self::only(JsonType::Object);

    const fn only(one: JsonType) -> Self {
        Self(1 << one as u8)
    }

    /// The types that `type` states.
    pub(super) fn stated(value: &Value) -> Self {
        let words = match value {
            Value::Array(words) => words.as_slice(),
            word => std::slice::from_ref(word),
        };
        let types = words.iter().filter_map(Value::as_str);
        types
            .filter_map(JsonType::of_word)
            .map(Self::with_integers)
            .fold(Self::NONE, Self::or)
    }

    /// The types of `enum` or `const`.
    pub(super) fn of_values<'v>(values: impl IntoIterator<Item = &'v Value>) -> Self {
        let types = values.into_iter().map(JsonType::of_value);
        types.map(Self::with_integers).fold(Self::NONE, Self::or)
    }

    /// Where numbers are allowed, integers are.
    fn with_integers(one: JsonType) -> Self {
        match one {
            JsonType::Number => Self::only(one).or(Self::only(JsonType::Integer)),
            one => Self::only(one),
        }
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) const fn has(self, one: JsonType) -> bool {
        self.0 & Self::only(one).0 != 0
    }
}
