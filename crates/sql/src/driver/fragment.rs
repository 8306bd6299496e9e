//! The fragments of SQL that differ between the databases.

use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use super::DatabaseKind;

/// The SQL fragments of one kind of database.
#[derive(Clone, Copy)]
pub(crate) struct Dialect(&'static dyn Fragments);

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

/// The text of a statement that never varies, built once for each kind of database. Building a long text takes longer
/// than running the statement.
#[derive(Debug)]
pub(crate) struct FixedText {
    sqlite: OnceLock<String>,
    postgres: OnceLock<String>,
}

impl FixedText {
    pub(crate) const fn new() -> Self {
        Self {
            sqlite: OnceLock::new(),
            postgres: OnceLock::new(),
        }
    }

    /// The text for a kind of database. `text` builds it, and must always return the same one.
    pub(crate) fn get(
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

/// How a row is locked. Has no effect in SQLite, where write transactions run one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lock {
    /// Other transactions may take a shared lock too; none may change or delete the row.
    Shared,
    /// Other transactions may only reference the row by a foreign key, and they lock it before they do.
    Exclusive,
}

/// A range of identifiers, and the order in which they are read.
#[derive(Debug, Clone)]
pub(crate) struct Range {
    /// The placeholder of the identifier after which it begins.
    pub(crate) after: String,
    /// The placeholder of the identifier before which it ends.
    pub(crate) before: Option<String>,
    /// Whether the highest identifier comes first.
    pub(crate) newest_first: bool,
}

impl Range {
    /// All identifiers after one, in order.
    pub(crate) fn after(placeholder: &str) -> Self {
        Self {
            after: placeholder.to_owned(),
            before: None,
            newest_first: false,
        }
    }

    /// Whether an identifier is in the range.
    pub(crate) fn condition(&self, id: &str) -> String {
        let after = format!("{id} > {}", self.after);
        match &self.before {
            Some(before) => format!("{after} AND {id} < {before}"),
            None => after,
        }
    }

    /// The keyword after a column that rows are ordered by.
    pub(crate) const fn direction(&self) -> &'static str {
        if self.newest_first { " DESC" } else { "" }
    }
}

/// The fragments, implemented in `sqlite/fragment.rs` and `postgres/fragment.rs`.
pub(crate) trait Fragments: Sync {
    /// The kind of database that uses these fragments.
    fn kind(&self) -> DatabaseKind;

    /// Whether one statement can insert rows whose columns are list arguments (`unnest`).
    fn takes_columns(&self) -> bool;

    /// A list argument as rows of a table `name` with the column `value`.
    fn texts(&self, name: &str, list: &str) -> String;

    /// Whether a text is in a list argument.
    fn any_text(&self, text: &str, list: &str) -> String;

    /// The `value` of the grants that match the condition `under` and belong to one of the subjects. `subjects`
    /// consists of a condition `in_groups` and the queries `own` and `all`: the subjects are the rows of `all` if
    /// `in_groups` is true, and the rows of `own` otherwise. Both queries have the single column `value`.
    fn held(&self, value: &str, under: &str, subjects: [&str; 3]) -> String;

    /// A UUID as text, in the format of `Uuid`'s `Display`.
    fn uuid_text(&self, uuid: &str) -> String;

    /// All rows as one JSON text: an array of arrays, each of a UUID, and texts and integers.
    fn json_rows(&self, uuid: &str, values: &[&str]) -> String;

    /// A statement that runs `first`, which inserts or updates, and then each of the `inserts` if the one before wrote a
    /// row. An insert consists of the text up to its rows, the rows, which are a `SELECT` without `FROM`, and the text
    /// after them. `aside` is one more insert, with a condition instead of the last text, whose rows are not counted.
    fn insert_after(&self, first: &str, inserts: &[[&str; 3]], aside: Option<[&str; 3]>) -> String;

    /// The inserts for [`insert_after`](Fragments::insert_after) that append an event. `columns` of it have these `values`.
    ///
    /// SQLite runs write transactions one after the other, so that the event gets its position at once. In PostgreSQL it
    /// waits for [`place_events`](Fragments::place_events).
    fn append_event(&self, columns: &str, values: &str) -> Vec<[String; 3]>;

    /// A statement that gives positions to the first `$1` events that have none, in the order of their ordinals, and that
    /// writes as many rows. The row of the log is locked by the transaction. `columns` are those of an event. `None` for
    /// SQLite, which has no such events.
    fn place_events(&self, columns: &str) -> Option<String>;

    /// A statement that runs two statements, which write to different tables.
    fn together(&self, one: &str, other: &str) -> String;

    /// Whether a UUID is in a list argument.
    fn any_uuid(&self, uuid: &str, list: &str) -> String;

    /// Whether one text contains another, code point by code point.
    fn contains(&self, text: &str, part: &str) -> String;

    /// The text after `WHERE` that selects the rows with given values in some columns and an identifier in a range, in its
    /// order. An index on the columns and the identifier provides them in this order.
    ///
    /// If many rows have the values, PostgreSQL prefers to scan all identifiers in order and to skip the other rows,
    /// however many come first. The clause therefore requests an order that only this index provides.
    fn behind(&self, columns: &[(&str, &str)], id: &str, range: &Range) -> String;

    /// The rows that a query returns for each row of `each`, whose columns it may reference. The query has a single
    /// column `id` of UUIDs, and a limit, which makes it cheap to read the first rows of many ordered sets.
    ///
    /// SQLite has no lateral joins, but table-valued functions may reference preceding tables. Identifiers are passed
    /// through JSON in hexadecimal.
    fn of_each(&self, each: &str, query: &str) -> String;

    /// The `columns` of the one row of `rest` for each row of `page`. `rest` is the text after `FROM`, and may reference that
    /// row. PostgreSQL may not read the tables of `rest` in another way than row by row, whatever it expects of them.
    fn looked_up(&self, page: &str, columns: &str, rest: &str) -> String;

    /// A query whose rows are found before they are sorted. PostgreSQL would walk through another index that has their order, and
    /// look for each entry among the rows.
    fn fenced(&self, query: &str) -> String;

    /// The distinct identifiers in the tables of `rest` for each row of `each`. `rest` is the text after `FROM`, and
    /// may reference that row. The rows are looked up one after the other: PostgreSQL estimates lists poorly, and
    /// without the optimization fence it would read one of the tables completely and join the others to it.
    fn joined_to_each(&self, each: &str, id: &str, rest: &str) -> String;

    /// Selects the row of a table whose identifier is the first argument, if it meets a condition, and locks it.
    fn select_one(
        &self,
        columns: &str,
        table: &str,
        condition: &str,
        lock: Option<Lock>,
    ) -> String {
        let lock = self.lock(lock);
        format!(
            "SELECT {columns} FROM formalize_{table} AS {table} WHERE {table}.id = $1 AND {condition}{lock}"
        )
    }

    /// The clause at the end of a query that locks the rows it reads. Empty in SQLite, which has one writer at a time.
    fn lock(&self, lock: Option<Lock>) -> &'static str;

    /// The same for the rows of one table, if the query reads several. Rows are locked in the order of the clauses.
    fn lock_of(&self, lock: Lock, table: &str) -> String;

    /// Serializes the transactions that run it. SQLite has a single writer anyway.
    fn lock_memberships(&self) -> String;

    /// Notifies the listeners of a channel when the transaction is committed. SQLite has no listeners.
    fn announce(&self, channel: &str) -> String;

    /// Reports damage to the files of the database, in the column `found`.
    fn damage(&self) -> String;

    /// Describes the schema: the tables, columns, indexes, triggers and so on, in the columns `kind`, `owner` (the table),
    /// `name` and `definition`.
    fn objects(&self) -> &'static str;

    /// What the migrations create: the objects, one on each line, with tabs between owner, kind, name and definition.
    fn expected_objects(&self) -> &'static str;

    /// Reports violations of the schema that are not found by checking row by row, in the column `found`.
    ///
    /// SQLite accepts any value in any column, and a malformed identifier is outside the order in which rows are read.
    /// Other programs may also have created tables that reference the store's tables.
    fn strangers(&self) -> String;

    /// Returns a row if there is a table whose name is the first argument.
    fn table_exists(&self) -> &'static str;
}
