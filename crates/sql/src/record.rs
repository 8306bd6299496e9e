//! Converts rows into records, and checks the results of writes. Errors name the table, column and identifier, and
//! never the content.

use formalize_core::store::{Inserted, StoreResult};
use formalize_core::{StoreError, Timestamp, UserId};
use uuid::Uuid;

use super::driver::{Row, Statement, Transaction};

/// A row, or the part of it that belongs to one table.
#[derive(Clone, Copy)]
pub(super) struct Record<'r> {
    table: &'static str,
    id: &'static str,
    row: &'r Row,
}

impl<'r> Record<'r> {
    pub(super) fn new(table: &'static str, row: &'r Row) -> Self {
        Self::joined(table, "id", row)
    }

    /// The part of a row that belongs to a table whose identifier is in the column `id`.
    pub(super) fn joined(table: &'static str, id: &'static str, row: &'r Row) -> Self {
        Self { table, id, row }
    }

    pub(super) fn id(self) -> StoreResult<Uuid> {
        self.uuid(self.id)
    }

    pub(super) fn uuid(self, column: &str) -> StoreResult<Uuid> {
        self.checked(column, self.row.uuid(column))
    }

    pub(super) fn optional_uuid(self, column: &str) -> StoreResult<Option<Uuid>> {
        self.checked(column, self.row.optional_uuid(column))
    }

    pub(super) fn text(self, column: &str) -> StoreResult<String> {
        self.checked(column, self.row.text(column))
    }

    pub(super) fn optional_text(self, column: &str) -> StoreResult<Option<String>> {
        self.checked(column, self.row.optional_text(column))
    }

    pub(super) fn int(self, column: &str) -> StoreResult<i64> {
        self.checked(column, self.row.int(column))
    }

    pub(super) fn optional_int(self, column: &str) -> StoreResult<Option<i64>> {
        self.checked(column, self.row.optional_int(column))
    }

    pub(super) fn bool(self, column: &str) -> StoreResult<bool> {
        self.checked(column, self.row.bool(column))
    }

    /// A set, stored as a number.
    pub(super) fn bits(self, column: &str) -> StoreResult<u8> {
        self.checked(column, u8::try_from(self.int(column)?))
    }

    pub(super) fn instant(self, column: &str) -> StoreResult<Timestamp> {
        self.checked(column, Timestamp::from_millis(self.int(column)?))
    }

    pub(super) fn optional_instant(self, column: &str) -> StoreResult<Option<Timestamp>> {
        let millis = self.optional_int(column)?;
        self.checked(column, millis.map(Timestamp::from_millis).transpose())
    }

    /// The author of a record; the empty text is the system.
    pub(super) fn author(self, column: &str) -> StoreResult<UserId> {
        self.parsed(column, |text| match text.as_str() {
            "" => Ok(UserId::SYSTEM),
            _ => UserId::new(text),
        })
    }

    /// A text that is parsed into a type.
    pub(super) fn parsed<T, E>(
        self,
        column: &str,
        parse: impl FnOnce(String) -> Result<T, E>,
    ) -> StoreResult<T> {
        self.checked(column, parse(self.text(column)?))
    }

    /// A value read from a column, or an error if it is invalid.
    pub(super) fn checked<T, E>(self, column: &str, value: Result<T, E>) -> StoreResult<T> {
        value.map_err(|_| {
            let table = self.table;
            let id = self
                .row
                .uuid(self.id)
                .map_or_else(|_| "without an identifier".to_owned(), |id| id.to_string());
            StoreError::Failed(format!(
                "table {table}, record {id}: the value of column {column} is invalid"
            ))
        })
    }
}

impl Transaction {
    /// The record in the first row that a statement returns, if any.
    pub(super) async fn read_one<T>(
        &mut self,
        select: Statement<'_>,
        read: fn(&Row) -> StoreResult<T>,
    ) -> StoreResult<Option<T>> {
        let row = self.optional(select).await?;
        row.as_ref().map(read).transpose()
    }

    /// The records in all rows that a statement returns.
    pub(super) async fn read_all<T>(
        &mut self,
        select: Statement<'_>,
        read: fn(&Row) -> StoreResult<T>,
    ) -> StoreResult<Vec<T>> {
        self.all(select).await?.iter().map(read).collect()
    }

    /// The same for a list, which is empty without a statement.
    pub(super) async fn read_list<T>(
        &mut self,
        select: Option<Statement<'_>>,
        read: fn(&Row) -> StoreResult<T>,
    ) -> StoreResult<Vec<T>> {
        match select {
            Some(select) => self.read_all(select, read).await,
            None => Ok(Vec::new()),
        }
    }

    /// The identifiers that a statement returns of records in a table.
    pub(super) async fn read_ids(
        &mut self,
        table: &'static str,
        select: Statement<'_>,
    ) -> StoreResult<Vec<Uuid>> {
        let rows = self.all(select).await?;
        let id = |row| Record::new(table, row).id();
        rows.iter().map(id).collect()
    }
}

/// The result of an insert that ignores conflicts.
pub(super) fn inserted(rows: u64) -> Inserted {
    if rows > 0 {
        Inserted::Done
    } else {
        Inserted::Exists
    }
}

/// Checks that an update found its record.
pub(super) fn written(rows: u64, what: &str) -> StoreResult<()> {
    if rows > 0 {
        Ok(())
    } else {
        Err(StoreError::Failed(format!(
            "cannot update the {what}: it does not exist"
        )))
    }
}
