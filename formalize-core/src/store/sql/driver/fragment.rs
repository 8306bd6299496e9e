//! The fragments of SQL that differ between the databases.

use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use super::DatabaseKind;

/// How one kind of database spells what differs.
#[derive(Clone, Copy)]
pub(in crate::store::sql) struct Dialect(&'static dyn Fragments);

impl Dialect {
    pub(super) const fn new(fragments: &'static dyn Fragments) -> Self {
        Self(fragments)
    }
}

impl Deref for Dialect {
    type Target = dyn Fragments;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl fmt::Debug for Dialect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind().fmt(formatter)
    }
}

/// The text of a statement that is the same each time, put together once for each kind of database: a long text takes
/// longer to put together than to answer.
#[derive(Debug)]
pub(in crate::store::sql) struct FixedText {
    sqlite: OnceLock<String>,
    postgres: OnceLock<String>,
}

impl FixedText {
    pub(in crate::store::sql) const fn new() -> Self {
        Self {
            sqlite: OnceLock::new(),
            postgres: OnceLock::new(),
        }
    }

    /// The text for a kind of database; `text` makes it, and must make the same one each time.
    pub(in crate::store::sql) fn get(
        &'static self,
        dialect: Dialect,
        text: impl FnOnce() -> String,
    ) -> &'static str {
        let kept = match dialect.kind() {
            DatabaseKind::Sqlite => &self.sqlite,
            DatabaseKind::Postgres => &self.postgres,
        };
        kept.get_or_init(text)
    }
}

/// How a row is locked. SQLite needs nothing: its write transactions run one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store::sql) enum Lock {
    /// Others may lock it so too, and nobody may change or delete it.
    Shared,
    /// Others may only refer to it by a foreign key, which they do after having locked it.
    Exclusive,
}

/// The fragments, each spelled by `sqlite/fragment.rs` and `postgres/fragment.rs`.
pub(in crate::store::sql) trait Fragments: Sync {
    /// The kind of database that spells them so.
    fn kind(&self) -> DatabaseKind;

    /// A list argument as rows of a table `name` with the column `value`.
    fn texts(&self, name: &str, list: &str) -> String;

    /// Whether a text is in a list argument.
    fn any_text(&self, text: &str, list: &str) -> String;

    /// The `value` of the grants `under` some anchors that subjects hold: those that the query `own` gives and, where
    /// `in_groups` holds, those of the query `all` instead. Both have the one column `value`.
    fn held(&self, value: &str, under: &str, subjects: [&str; 3]) -> String;

    /// A UUID as the text that `Uuid` is displayed as.
    fn uuid_text(&self, uuid: &str) -> String;

    /// All rows as one JSON text: an array of arrays of a UUID and two texts.
    fn json_rows(&self, uuid: &str, texts: [&str; 2]) -> String;

    /// A statement that inserts what `rows` selects, `SELECT` without `FROM`, if another one that inserts or updates has
    /// written a row.
    fn insert_after(&self, other: &str, insert: &str, rows: &str) -> String;

    /// Whether a UUID is in a list argument.
    fn any_uuid(&self, uuid: &str, list: &str) -> String;

    /// Whether one text contains another, code point by code point.
    fn contains(&self, text: &str, part: &str) -> String;

    /// What follows `WHERE` for the rows with one value in a column, behind an identifier, in the order of identifiers:
    /// as an index of the column and the identifier has them.
    ///
    /// Where many rows have the value, PostgreSQL would rather walk along all identifiers and pass over the rest, of which
    /// there may be any number in front. So it is asked for an order that only that index has.
    fn behind(&self, column: (&str, &str), id: (&str, &str)) -> String;

    /// The rows that a query gives for each row of `each`, to whose columns it may refer. The query has one column `id`
    /// of UUIDs, and a limit: that is what makes it cheap to ask for the first rows of each of many ordered sets.
    ///
    /// SQLite has no lateral joins, but table-valued functions may refer to what stands before them; identifiers travel
    /// through JSON as hexadecimal digits.
    fn of_each(&self, each: &str, query: &str) -> String;

    /// All identifiers that tables give for each row of `each`, where `rest` is what follows `FROM` and may refer to
    /// that row. The rows are looked up one after the other: PostgreSQL thinks little of lists, and without the fence
    /// would read all that there is of one of them and join the others to it.
    fn joined_to_each(&self, each: &str, id: &str, rest: &str) -> String;

    /// Selects the row of a table whose identifier is the first argument, and locks it.
    fn select_one(&self, columns: &str, table: &str, lock: Option<Lock>) -> String {
        let lock = self.lock(lock);
        format!("SELECT {columns} FROM {table} WHERE {table}.id = $1{lock}")
    }

    /// What locks the rows that a query reads, at its end. In SQLite there is one writer at a time.
    fn lock(&self, lock: Option<Lock>) -> &'static str;

    /// Lets one transaction at a time go on. In SQLite nobody else is writing anyway.
    fn lock_memberships(&self) -> String;

    /// Tells those who listen on a channel, once the transaction is committed. With SQLite nobody does.
    fn announce(&self, channel: &str) -> String;

    /// Says what is wrong with the files of the database, in the column `found`.
    fn damage(&self) -> String;

    /// Says what is in the database that its schema does not allow, and that is not looked at row by row, in the column
    /// `found`.
    ///
    /// SQLite takes any value in any column; what is no identifier stands outside the order in which rows are read. And
    /// others may have made tables that refer to ours.
    fn strangers(&self) -> String;

    /// What to put in front of a statement to learn its plan.
    #[cfg(any(test, feature = "plans"))]
    fn explain(&self) -> &'static str;

    /// Gives a row if there is a table with the name that is the first argument.
    fn table_exists(&self) -> &'static str;
}
