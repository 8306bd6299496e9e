//! The fragments of SQL that differ between the databases.

use std::sync::OnceLock;

#[cfg(feature = "sqlite")]
use uuid::Uuid;

/// Which of two spellings a statement needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store::sql) enum Dialect {
    #[cfg(feature = "sqlite")]
    Sqlite,
    #[cfg(feature = "postgres")]
    Postgres,
}

/// The text of a statement that is the same each time, put together once for each kind of database: a long text takes
/// longer to put together than to answer.
#[derive(Debug)]
pub(in crate::store::sql) struct FixedText {
    #[cfg(feature = "sqlite")]
    sqlite: OnceLock<String>,
    #[cfg(feature = "postgres")]
    postgres: OnceLock<String>,
}

impl FixedText {
    pub(in crate::store::sql) const fn new() -> Self {
        Self {
            #[cfg(feature = "sqlite")]
            sqlite: OnceLock::new(),
            #[cfg(feature = "postgres")]
            postgres: OnceLock::new(),
        }
    }

    /// The text for a kind of database; `text` makes it, and must make the same one each time.
    pub(in crate::store::sql) fn get(
        &'static self,
        dialect: Dialect,
        text: impl FnOnce() -> String,
    ) -> &'static str {
        let kept = match dialect {
            #[cfg(feature = "sqlite")]
            Dialect::Sqlite => &self.sqlite,
            #[cfg(feature = "postgres")]
            Dialect::Postgres => &self.postgres,
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

/// The tables, each with the identifier by which its rows are found.
#[cfg(feature = "sqlite")]
const TABLES: [(&str, &str); 8] = [
    ("groups", "id"),
    ("memberships", "id"),
    ("resources", "id"),
    ("grants", "id"),
    ("forms", "id"),
    ("submissions", "id"),
    ("submission_places", "form_id"),
    ("api_tokens", "id"),
];

/// Keeps apart the advisory lock on memberships from those of other programs in the database.
#[cfg(feature = "postgres")]
const MEMBERSHIPS_LOCK: i64 = i64::from_be_bytes(*b"fmlzmemb");

impl Dialect {
    /// A list argument as rows of a table `name` with the column `value`.
    pub(in crate::store::sql) fn texts(self, name: &str, list: &str) -> String {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => format!("json_each({list}) AS {name}"),
            #[cfg(feature = "postgres")]
            Self::Postgres => format!("unnest({list}) AS {name}(value)"),
        }
    }

    /// Whether a text is in a list argument.
    pub(in crate::store::sql) fn any_text(self, text: &str, list: &str) -> String {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => format!("{text} IN (SELECT value FROM json_each({list}))"),
            #[cfg(feature = "postgres")]
            Self::Postgres => format!("{text} = ANY ({list})"),
        }
    }

    /// The `value` of the grants `under` some anchors that subjects hold: those that the query `own` gives and, where
    /// `in_groups` holds, those of the query `all` instead. Both have the one column `value`.
    #[cfg_attr(
        not(feature = "sqlite"),
        expect(
            unused_variables,
            reason = "PostgreSQL needs no case for those without groups"
        )
    )]
    pub(in crate::store::sql) fn held(
        self,
        value: &str,
        under: &str,
        [in_groups, own, all]: [&str; 3],
    ) -> String {
        match self {
            // For a set to look things up in, SQLite makes a table, which takes longer than all the rest. And most of what
            // remains is the search for groups.
            #[cfg(feature = "sqlite")]
            Self::Sqlite => {
                let of = |subjects| {
                    format!(
                        "(SELECT {value} FROM ({subjects}) AS subjects \
                         CROSS JOIN grants ON {under} AND grants.subject = subjects.value)"
                    )
                };
                format!(
                    "CASE WHEN {in_groups} THEN {} ELSE {} END",
                    of(all),
                    of(own)
                )
            }
            // An array is looked up in an index; a query would be joined, with rows of others read in vain.
            #[cfg(feature = "postgres")]
            Self::Postgres => format!(
                "(SELECT {value} FROM grants WHERE {under} AND grants.subject = ANY (ARRAY({all})))"
            ),
        }
    }

    /// A UUID as the text that `Uuid` is displayed as.
    pub(in crate::store::sql) fn uuid_text(self, uuid: &str) -> String {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => {
                let part = |from, length| format!("substr(lower(hex({uuid})), {from}, {length})");
                let parts = [
                    part(1, 8),
                    part(9, 4),
                    part(13, 4),
                    part(17, 4),
                    part(21, 12),
                ];
                parts.join(" || '-' || ")
            }
            #[cfg(feature = "postgres")]
            Self::Postgres => format!("{uuid}::text"),
        }
    }

    /// All rows as one JSON text: an array of arrays of a UUID and two texts.
    pub(in crate::store::sql) fn json_rows(self, uuid: &str, texts: [&str; 2]) -> String {
        let [first, second] = texts;
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => {
                format!("json_group_array(json_array(hex({uuid}), {first}, {second}))")
            }
            #[cfg(feature = "postgres")]
            Self::Postgres => format!(
                "coalesce(json_agg(json_build_array({uuid}, {first}, {second}))::text, '[]')"
            ),
        }
    }

    /// A statement that inserts what `rows` selects, `SELECT` without `FROM`, if another one that inserts or updates has
    /// written a row.
    pub(in crate::store::sql) fn insert_after(
        self,
        other: &str,
        insert: &str,
        rows: &str,
    ) -> String {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => format!("{other}; {insert} {rows} WHERE changes() > 0"),
            #[cfg(feature = "postgres")]
            Self::Postgres => {
                format!("WITH other AS ({other} RETURNING 1) {insert} {rows} FROM other")
            }
        }
    }

    /// Whether a UUID is in a list argument.
    pub(in crate::store::sql) fn any_uuid(self, uuid: &str, list: &str) -> String {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => format!("{uuid} IN (SELECT unhex(value) FROM json_each({list}))"),
            #[cfg(feature = "postgres")]
            Self::Postgres => format!("{uuid} = ANY ({list})"),
        }
    }

    /// Whether one text contains another, code point by code point.
    pub(in crate::store::sql) fn contains(self, text: &str, part: &str) -> String {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => format!("instr({text}, {part}) > 0"),
            #[cfg(feature = "postgres")]
            Self::Postgres => format!("strpos({text}, {part}) > 0"),
        }
    }

    /// What follows `WHERE` for the rows with one value in a column, behind an identifier, in the order of identifiers:
    /// as an index of the column and the identifier has them.
    ///
    /// Where many rows have the value, PostgreSQL would rather walk along all identifiers and pass over the rest, of which
    /// there may be any number in front. So it is asked for an order that only that index has.
    pub(in crate::store::sql) fn behind(
        self,
        (column, value): (&str, &str),
        (id, after): (&str, &str),
    ) -> String {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => format!("{column} = {value} AND {id} > {after} ORDER BY {id}"),
            #[cfg(feature = "postgres")]
            Self::Postgres => format!(
                "({column}, {id}) > ({value}, {after}) AND {column} <= {value} ORDER BY {column}, {id}"
            ),
        }
    }

    /// The rows that a query gives for each row of `each`, to whose columns it may refer. The query has one column `id`
    /// of UUIDs, and a limit: that is what makes it cheap to ask for the first rows of each of many ordered sets.
    ///
    /// SQLite has no lateral joins, but table-valued functions may refer to what stands before them; identifiers travel
    /// through JSON as hexadecimal digits.
    pub(in crate::store::sql) fn of_each(self, each: &str, query: &str) -> String {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => format!(
                "SELECT unhex(found.value) AS id FROM {each} CROSS JOIN \
                 json_each((SELECT json_group_array(hex(id)) FROM ({query}))) AS found"
            ),
            #[cfg(feature = "postgres")]
            Self::Postgres => {
                format!("SELECT found.id FROM {each} CROSS JOIN LATERAL ({query}) AS found")
            }
        }
    }

    /// All identifiers that tables give for each row of `each`, where `rest` is what follows `FROM` and may refer to
    /// that row. The rows are looked up one after the other: PostgreSQL thinks little of lists, and without the fence
    /// would read all that there is of one of them and join the others to it.
    pub(in crate::store::sql) fn joined_to_each(self, each: &str, id: &str, rest: &str) -> String {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => format!("SELECT DISTINCT {id} AS id FROM {each} CROSS JOIN {rest}"),
            #[cfg(feature = "postgres")]
            Self::Postgres => format!(
                "SELECT DISTINCT found.id FROM {each} \
                 CROSS JOIN LATERAL (SELECT {id} AS id FROM {rest} OFFSET 0) AS found"
            ),
        }
    }

    /// Selects the row of a table whose identifier is the first argument, and locks it.
    pub(in crate::store::sql) fn select_one(
        self,
        columns: &str,
        table: &str,
        lock: Option<Lock>,
    ) -> String {
        let lock = self.lock(lock);
        format!("SELECT {columns} FROM {table} WHERE {table}.id = $1{lock}")
    }

    /// What locks the rows that a query reads, at its end. In SQLite there is one writer at a time.
    pub(in crate::store::sql) fn lock(self, lock: Option<Lock>) -> &'static str {
        match (self, lock) {
            #[cfg(feature = "sqlite")]
            (Self::Sqlite, _) => "",
            #[cfg(feature = "postgres")]
            (Self::Postgres, None) => "",
            #[cfg(feature = "postgres")]
            (Self::Postgres, Some(Lock::Shared)) => " FOR SHARE",
            #[cfg(feature = "postgres")]
            (Self::Postgres, Some(Lock::Exclusive)) => " FOR NO KEY UPDATE",
        }
    }

    /// Lets one transaction at a time go on. In SQLite nobody else is writing anyway.
    pub(in crate::store::sql) fn lock_memberships(self) -> String {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => "SELECT 1".to_owned(),
            #[cfg(feature = "postgres")]
            Self::Postgres => format!("SELECT pg_advisory_xact_lock({MEMBERSHIPS_LOCK})"),
        }
    }

    /// Tells those who listen on a channel, once the transaction is committed. With SQLite nobody does.
    pub(in crate::store::sql) fn announce(self, channel: &str) -> String {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => format!("SELECT '{channel}'"),
            #[cfg(feature = "postgres")]
            Self::Postgres => format!("SELECT pg_notify('{channel}', '')"),
        }
    }

    /// Says what is wrong with the files of the database, in the column `found`.
    pub(super) fn damage(self) -> String {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => "SELECT integrity_check AS found FROM pragma_integrity_check \
                 WHERE integrity_check <> 'ok'"
                .to_owned(),
            // It checks what it reads. What is left of a failed change of the schema is not read.
            #[cfg(feature = "postgres")]
            Self::Postgres => "SELECT 'index ' || relname || ' cannot be used' AS found \
                 FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE NOT indisvalid"
                .to_owned(),
        }
    }

    /// Says what is in the database that its schema does not allow, and that is not looked at row by row, in the column
    /// `found`.
    ///
    /// SQLite takes any value in any column; what is no identifier stands outside the order in which rows are read. And
    /// others may have made tables that refer to ours.
    pub(super) fn strangers(self) -> String {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => {
                let unnamed = TABLES.map(|(table, id)| {
                    format!(
                        "SELECT count(*) || ' rows of table {table} have no identifier' AS found \
                         FROM {table} WHERE typeof({id}) <> 'blob' OR length({id}) <> 16 \
                         HAVING count(*) > 0 UNION ALL "
                    )
                });
                let ours = TABLES.map(|(table, _)| format!("'{table}'")).join(", ");
                format!(
                    "{} SELECT count(*) || ' rows of table ' || \"table\" || ' refer to rows of ' \
                     || parent || ' that are not there' AS found FROM pragma_foreign_key_check \
                     WHERE \"table\" NOT IN ({ours}) GROUP BY \"table\", parent",
                    unnamed.concat()
                )
            }
            #[cfg(feature = "postgres")]
            Self::Postgres => "SELECT '' AS found WHERE FALSE".to_owned(),
        }
    }

    /// What to put in front of a statement to learn its plan.
    #[cfg(any(test, feature = "plans"))]
    pub(super) fn explain(self) -> &'static str {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => "EXPLAIN QUERY PLAN",
            #[cfg(feature = "postgres")]
            Self::Postgres => "EXPLAIN (FORMAT JSON)",
        }
    }

    /// Gives a row if there is a table with the name that is the first argument.
    pub(super) fn table_exists(self) -> &'static str {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1",
            #[cfg(feature = "postgres")]
            Self::Postgres => "SELECT 1 WHERE to_regclass($1) IS NOT NULL",
        }
    }
}

/// A list argument for SQLite.
#[cfg(feature = "sqlite")]
pub(super) fn json_of_texts(texts: &[String]) -> String {
    serde_json::Value::from(texts).to_string()
}

/// A list argument for SQLite; JSON holds no bytes.
#[cfg(feature = "sqlite")]
pub(super) fn json_of_uuids(uuids: &[Uuid]) -> String {
    let digits: Vec<String> = uuids
        .iter()
        .map(|uuid| hex::encode(uuid.as_bytes()))
        .collect();
    json_of_texts(&digits)
}
