//! Rows of results.

use std::any::Any;

use uuid::Uuid;

/// A row of a result.
pub(crate) struct Row(pub(super) Box<dyn Columns>);

/// The column does not exist, or its value has another type.
#[derive(Debug)]
pub(crate) struct InvalidColumn;

pub(crate) type Column<T> = Result<T, InvalidColumn>;

/// The columns of a row. A value may be NULL.
pub(super) trait Columns: Any + Send + Sync {
    fn uuid(&self, column: &str) -> Column<Option<Uuid>>;
    fn text(&self, column: &str) -> Column<Option<String>>;
    fn int(&self, column: &str) -> Column<Option<i64>>;
    fn bool(&self, column: &str) -> Column<Option<bool>>;
}

impl Row {
    pub(super) fn new(columns: impl Columns) -> Self {
        Self(Box::new(columns))
    }

    pub(crate) fn uuid(&self, column: &str) -> Column<Uuid> {
        self.0.uuid(column)?.ok_or(InvalidColumn)
    }

    pub(crate) fn optional_uuid(&self, column: &str) -> Column<Option<Uuid>> {
        self.0.uuid(column)
    }

    pub(crate) fn text(&self, column: &str) -> Column<String> {
        self.0.text(column)?.ok_or(InvalidColumn)
    }

    pub(crate) fn optional_text(&self, column: &str) -> Column<Option<String>> {
        self.0.text(column)
    }

    pub(crate) fn int(&self, column: &str) -> Column<i64> {
        self.0.int(column)?.ok_or(InvalidColumn)
    }

    pub(crate) fn optional_int(&self, column: &str) -> Column<Option<i64>> {
        self.0.int(column)
    }

    pub(crate) fn bool(&self, column: &str) -> Column<bool> {
        self.0.bool(column)?.ok_or(InvalidColumn)
    }
}
