//! Repeated groups: lists of objects, each of which has a table with a row for each item.

use formalize_schema::DataSchema;
use formalize_schema::internals::outline;

use super::column::{Columns, Group};
use super::columns::{Headers, IDENTIFIER, POSITION};
use super::walk;

impl Columns {
    /// The columns with those of tables for repeated groups: at most [`Columns::MAX`] in all of these. `schema` is that of the
    /// columns, and `language` that of labels.
    pub(crate) fn with_groups(mut self, schema: Option<&DataSchema>, language: &str) -> Self {
        let outline = schema.and_then(outline);
        let groups = outline.map(|outline| walk::groups(outline, language, self.leaves()));
        let groups = groups.into_iter().flatten();
        let groups = groups.map(|(leaf, leaves, root)| Group {
            leaf,
            columns: Self::with_leaves(leaves, root),
        });
        self.groups = groups.collect();
        if self.labels.is_some() {
            self.label_groups(schema, language);
        }
        self
    }

    pub(super) fn label_groups(&mut self, schema: Option<&DataSchema>, language: &str) {
        for group in &mut self.groups {
            let columns = std::mem::take(&mut group.columns);
            group.columns = columns.with_labels(schema, language);
        }
    }
}

impl Group {
    /// The headers of the table.
    pub(super) fn headers(&self, headers: Headers) -> impl Iterator<Item = &str> {
        let values = self.columns.headers_of_values(headers);
        let first = [IDENTIFIER, POSITION].into_iter();
        first.chain(values).chain([self.columns.last()])
    }
}
