//! What the columns of a table are: for the values of a schema, for its repeated groups, and for labels.

use std::collections::HashMap;

use formalize_schema::questions::Question;

use super::types::{JsonType, Types};

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

/// The columns of a table of submissions to a form.
#[derive(Debug, Clone, Default)]
pub struct Columns {
    pub(super) leaves: Vec<Column>,
    pub(super) root: Members,
    pub(super) has_files: bool,
    pub(super) has_tags: bool,
    /// The labels that cells have instead of stored values, if they do.
    pub(super) labels: Option<Labels>,
    /// The tables of repeated groups.
    #[cfg(feature = "xlsx")]
    pub(super) groups: Vec<Group>,
}

impl Columns {
    /// The maximum number of columns for leaves of a schema.
    pub const MAX: usize = 1_000;

    /// The maximum number of names in the pointer of a column.
    pub const MAX_DEPTH: usize = 8;

    /// The maximum number of repeated groups that have tables in a workbook. Each has an open file while that is written.
    #[cfg(feature = "xlsx")]
    pub const MAX_GROUPS: usize = 50;
}

/// The table of a repeated group.
#[cfg(feature = "xlsx")]
#[derive(Debug, Clone)]
pub(super) struct Group {
    /// The index of the leaf with the list.
    pub(super) leaf: usize,
    /// The columns of the items.
    pub(super) columns: Columns,
}

/// The labels for the leaves of a table, in their order.
#[derive(Debug, Clone)]
pub(super) struct Labels(pub(super) Vec<Labelled>);

/// The labels for a leaf.
#[derive(Debug, Clone)]
pub(super) struct Labelled {
    /// The place of its cell among those for values.
    pub(super) place: usize,
    /// The question with the choices.
    pub(super) question: Question,
    /// The headers of the columns behind it, one for each choice: by path and by label. Only those of a multiple choice have
    /// columns.
    pub(super) choices: Vec<[String; 2]>,
}
