//! The columns of a table of submissions.

use std::collections::{HashMap, HashSet};

use formalize_schema::internals::{at_locations, outline};
use formalize_schema::questions::Question;
use formalize_schema::{DataSchema, FileRules};

use super::column::{Column, Columns, Members};
use super::walk;

/// The column with the identifier of a submission.
pub(super) const IDENTIFIER: &str = "_identifier";

/// The columns before those of the schema.
pub(super) const FIRST: [&str; 6] = [
    IDENTIFIER,
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

/// The last column of a table with labels. By it, an import recognizes that the cells are not the stored values.
pub(crate) const NOT_SHOWN: &str = "_notShown";

/// The column with the place of an item in its list.
pub(super) const POSITION: &str = "_position";

impl Columns {
    /// Whether cells have labels instead of stored values.
    #[cfg(feature = "xlsx")]
    pub(crate) fn has_labels(&self) -> bool {
        self.labels.is_some()
    }

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
        let Some(outline) = schema.and_then(outline) else {
            return Self {
                has_files,
                ..Self::default()
            };
        };
        let (leaves, root) = walk::columns(outline, language);
        Self {
            has_files,
            ..Self::with_leaves(leaves, root)
        }
    }

    /// Only columns for leaves, and the last one.
    pub(super) fn with_leaves(mut leaves: Vec<Column>, root: Members) -> Self {
        tell_apart(&mut leaves);
        Self {
            leaves,
            root,
            ..Self::default()
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

    /// The questions of the columns in these places, and if wanted those `within` them. `schema` is that of the columns. Returns
    /// none if that would take too long.
    pub(crate) fn questions(
        &self,
        schema: Option<&DataSchema>,
        language: Option<&str>,
        places: impl Iterator<Item = usize> + Send,
        within: bool,
    ) -> Vec<Question> {
        let Some(schema) = schema else {
            return Vec::new();
        };
        let leaves = places.filter_map(|place| self.leaves.get(place));
        let locations = leaves.map(|leaf| leaf.alternatives.as_slice());
        at_locations(schema, language, within, locations)
    }

    /// The columns for leaves of the schema.
    pub fn leaves(&self) -> &[Column] {
        &self.leaves
    }

    /// Whether there is a column with the names of files.
    #[cfg(any(feature = "csv", feature = "xlsx"))]
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
        let files = self.has_files.then_some(FILES);
        let tags = self.has_tags.then_some(TAGS);
        let first = FIRST.into_iter().chain(tags);
        let values = self.headers_of_values(headers);
        first.chain(values).chain(files).chain([self.last()])
    }

    /// The headers of the columns for values: those of leaves, each before those of its choices.
    pub(super) fn headers_of_values(&self, headers: Headers) -> impl Iterator<Item = &str> {
        let leaves = self.leaves.iter().enumerate();
        leaves.flat_map(move |(index, leaf)| {
            let labels = self.labels.as_ref();
            let choices = labels.map(|labels| labels.headers_of_choices(index, headers));
            let own = headers.of(leaf.name(), leaf.label());
            [own].into_iter().chain(choices.into_iter().flatten())
        })
    }

    /// The header of the last column.
    pub(super) fn last(&self) -> &'static str {
        if self.labels.is_some() {
            NOT_SHOWN
        } else {
            OTHER
        }
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

impl Headers {
    /// The one of two headers that is written.
    pub(super) fn of<'t>(self, path: &'t str, label: &'t str) -> &'t str {
        match self {
            Self::Path => path,
            Self::Label => label,
        }
    }
}

/// Adds names to labels that are equal, so that no two headers are.
fn tell_apart(leaves: &mut [Column]) {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for label in leaves
        .iter()
        .map(Column::label)
        .chain(FIRST)
        .chain([TAGS, FILES, OTHER, NOT_SHOWN, POSITION])
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
