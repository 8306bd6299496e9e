//! The columns of a table of submissions.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::walk;
use crate::questions::{Question, at_locations};
use crate::schema::{Budget, DataSchema, FileRules};

/// The columns before those of the schema.
pub(super) const FIRST: [&str; 6] = [
    "_identifier",
    "_submissionState",
    "_creatorId",
    "_dateCreated",
    "_lastModifiedById",
    "_dateLastModified",
];

/// The column with the tags, which only those get who may see them.
pub(super) const TAGS: &str = "_tags";

/// The column with the names of files, which only forms with rules about files have.
pub(super) const FILES: &str = "_submittedFiles";

/// The last column.
pub(super) const OTHER: &str = "_other";

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

/// A column for a leaf of a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub(super) pointer: String,
    pub(super) label: String,
    pub(super) types: Types,
    /// The sub-schemas that apply to the value together; several such sets if it depends on conditions.
    pub(super) alternatives: Vec<Vec<usize>>,
}

impl Column {
    /// The JSON Pointer of the value.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The header: the pointer, usually without its first slash.
    ///
    /// ```
    /// use formalize_core::{DataSchema, export::Columns};
    ///
    /// let schema = DataSchema::compile(r#"{"properties": {"a/b": {}, "_c": {}}}"#)?;
    /// let columns = Columns::of(Some(&schema), "en");
    /// let names: Vec<_> = columns.leaves().iter().map(|leaf| leaf.name()).collect();
    /// assert_eq!(names, ["a~1b", "/_c"]);
    /// # Ok::<(), formalize_core::Rejection>(())
    /// ```
    pub fn name(&self) -> &str {
        match self.pointer.strip_prefix('/') {
            Some(name) if !name.is_empty() && !name.starts_with(['_', '/']) => name,
            _ => &self.pointer,
        }
    }

    /// The header for people: a text of the schema, or the name.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Whether the schema allows values of a type here.
    ///
    /// ```
    /// use formalize_core::{DataSchema, export::{Columns, JsonType}};
    ///
    /// let schema = DataSchema::compile(r#"{"properties": {"age": {"type": ["integer", "null"]}}}"#)?;
    /// let columns = Columns::of(Some(&schema), "en");
    /// let age = &columns.leaves()[0];
    /// assert!(age.allows(JsonType::Integer) && age.allows(JsonType::Null));
    /// assert!(!age.allows(JsonType::Number) && !age.allows(JsonType::String));
    /// # Ok::<(), formalize_core::Rejection>(())
    /// ```
    pub fn allows(&self, one: JsonType) -> bool {
        self.types.has(one)
    }
}

/// The columns of a table of submissions to a form.
#[derive(Debug, Clone, Default)]
pub struct Columns {
    leaves: Vec<Column>,
    pub(super) root: Members,
    has_files: bool,
    has_tags: bool,
}

/// The members of an object that have columns.
#[derive(Debug, Clone, Default)]
pub(super) struct Members(pub(super) HashMap<String, Place>);

/// Where the value of a member goes.
#[derive(Debug, Clone)]
pub(super) enum Place {
    /// The column with this index.
    Leaf(usize),
    Opened(Members),
}

impl Columns {
    /// The maximum number of columns for leaves of a schema.
    pub const MAX: usize = 1_000;

    /// The maximum number of names in the pointer of a column.
    pub const MAX_DEPTH: usize = 8;

    /// The columns of a schema, with labels in a language, which is a key of `localizedName`.
    ///
    /// A form without a schema has no leaves. The first call for a schema takes as long as compiling it.
    ///
    /// ```
    /// use formalize_core::{DataSchema, export::Columns};
    ///
    /// let schema = DataSchema::compile(r#"{
    ///     "properties": {"email": {"title": "E-mail"}},
    ///     "anyOf": [{"properties": {"phone": {}}}, {"properties": {"email": {}, "fax": {}}}]
    /// }"#)?;
    /// let columns = Columns::of(Some(&schema), "en");
    /// let labels: Vec<_> = columns.leaves().iter().map(|leaf| leaf.label()).collect();
    /// assert_eq!(labels, ["E-mail", "phone", "fax"]);
    /// assert!(Columns::of(None, "en").leaves().is_empty());
    /// # Ok::<(), formalize_core::Rejection>(())
    /// ```
    pub fn of(schema: Option<&DataSchema>, language: &str) -> Self {
        let has_files = schema.is_some_and(|schema| *schema.file_rules() != FileRules::NO_FILES);
        let Some(outline) = schema.and_then(DataSchema::outline) else {
            return Self {
                has_files,
                ..Self::default()
            };
        };
        let (mut leaves, root) = walk::columns(outline, language);
        tell_apart(&mut leaves);
        Self {
            leaves,
            root,
            has_files,
            has_tags: false,
        }
    }

    /// Adds the column with the tags of submissions. Only callers who may see tags may have it.
    ///
    /// ```
    /// use formalize_core::export::{Columns, Headers};
    ///
    /// let columns = Columns::default().with_tags();
    /// assert_eq!(columns.headers(Headers::Path).nth(6), Some("_tags"));
    /// ```
    #[must_use]
    pub fn with_tags(self) -> Self {
        Self {
            has_tags: true,
            ..self
        }
    }

    /// The question of each column. `schema` is that of the columns. There are none if that takes too long.
    pub(crate) fn questions(
        &self,
        schema: Option<&DataSchema>,
        language: Option<&str>,
    ) -> Vec<Question> {
        let locations = self.leaves.iter().map(|leaf| leaf.alternatives.as_slice());
        questions(schema, language, false, locations)
    }

    /// The questions of the columns in these places, which must be those of leaves, with those within them.
    pub(crate) fn questions_within(
        &self,
        schema: Option<&DataSchema>,
        language: &str,
        places: &[usize],
    ) -> Vec<Question> {
        let leaves = places.iter().filter_map(|place| self.leaves.get(*place));
        let locations = leaves.map(|leaf| leaf.alternatives.as_slice());
        questions(schema, Some(language), true, locations)
    }

    /// The columns for leaves of the schema.
    pub fn leaves(&self) -> &[Column] {
        &self.leaves
    }

    /// Whether there is a column with the names of files.
    pub(super) fn has_files(&self) -> bool {
        self.has_files
    }

    /// Whether there is a column with the tags.
    pub(super) fn has_tags(&self) -> bool {
        self.has_tags
    }

    /// The headers of all columns.
    ///
    /// ```
    /// use formalize_core::export::{Columns, Headers};
    ///
    /// let columns = Columns::default();
    /// let headers: Vec<_> = columns.headers(Headers::Path).collect();
    /// assert_eq!((headers[0], headers[6]), ("_identifier", "_other"));
    /// ```
    pub fn headers(&self, headers: Headers) -> impl Iterator<Item = &str> {
        let leaves = self.leaves.iter().map(move |leaf| match headers {
            Headers::Path => leaf.name(),
            Headers::Label => leaf.label(),
        });
        let files = self.has_files.then_some(FILES);
        let tags = self.has_tags.then_some(TAGS);
        let first = FIRST.into_iter().chain(tags);
        first.chain(leaves).chain(files).chain([OTHER])
    }
}

/// The headers of the columns for leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Headers {
    /// [`Column::name`].
    #[default]
    Path,
    /// [`Column::label`].
    Label,
}

fn questions<'l>(
    schema: Option<&DataSchema>,
    language: Option<&str>,
    items: bool,
    locations: impl Iterator<Item = &'l [Vec<usize>]> + Send,
) -> Vec<Question> {
    let Some(schema) = schema else {
        return Vec::new();
    };
    let work = |outline| at_locations(outline, language, items, locations);
    let asked = schema.ask(&mut Budget::checking(), &Value::Null, work);
    asked.unwrap_or_default()
}

/// Adds names to labels that are equal, so that no two headers are.
fn tell_apart(leaves: &mut [Column]) {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for label in leaves
        .iter()
        .map(Column::label)
        .chain(FIRST)
        .chain([TAGS, FILES, OTHER])
    {
        *counts.entry(label).or_default() += 1;
    }
    let counts: HashMap<String, usize> = counts
        .into_iter()
        .map(|(label, count)| (label.to_owned(), count))
        .collect();
    let mut taken = HashSet::new();
    for leaf in leaves {
        if counts.get(&leaf.label).is_some_and(|count| *count > 1) {
            let name = leaf.name().to_owned();
            while counts.contains_key(&leaf.label) || taken.contains(&leaf.label) {
                leaf.label = format!("{} ({name})", leaf.label);
            }
            taken.insert(leaf.label.clone());
        }
    }
}
