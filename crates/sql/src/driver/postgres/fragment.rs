//! The SQL fragments for PostgreSQL.

use crate::DatabaseKind;
use crate::driver::fragment::{Dialect, Fragments, Lock, Range};

/// The dialect of PostgreSQL.
pub(super) const DIALECT: Dialect = Dialect::new(&Postgres);

struct Postgres;

/// The key of the advisory lock on memberships, which must differ from those of other programs in the database.
const MEMBERSHIPS_LOCK: i64 = i64::from_be_bytes(*b"fmlzmemb");

impl Fragments for Postgres {
    fn kind(&self) -> DatabaseKind {
        DatabaseKind::Postgres
    }

    fn takes_columns(&self) -> bool {
        true
    }

    fn texts(&self, name: &str, list: &str) -> String {
        format!("unnest({list}) AS {name}(value)")
    }

    fn any_text(&self, text: &str, list: &str) -> String {
        format!("{text} = ANY ({list})")
    }

    fn held(&self, value: &str, under: &str, [_, _, all]: [&str; 3]) -> String {
        // An array is looked up in an index. A subquery would be joined, which reads grants of other subjects
        // needlessly.
        format!(
            "(SELECT {value} FROM formalize_grants AS grants WHERE {under} AND grants.subject = ANY (ARRAY({all})))"
        )
    }

    fn uuid_text(&self, uuid: &str) -> String {
        format!("{uuid}::text")
    }

    fn json_rows(&self, uuid: &str, values: &[&str]) -> String {
        let values = values.join(", ");
        format!("coalesce(json_agg(json_build_array({uuid}, {values}))::text, '[]')")
    }

    fn insert_after(&self, first: &str, inserts: &[[&str; 3]], aside: Option<[&str; 3]>) -> String {
        let mut text = first.to_owned();
        let mut steps = Vec::new();
        for (number, [insert, rows, end]) in inserts.iter().enumerate() {
            steps.push(format!("step{number} AS ({text} RETURNING 1)"));
            text = format!("{insert} {rows} FROM step{number}{end}");
        }
        if let (Some([insert, rows, condition]), Some(last)) = (aside, inserts.len().checked_sub(1))
        {
            steps.push(format!(
                "aside AS ({insert} {rows} FROM step{last} WHERE {condition})"
            ));
        }
        format!("WITH {} {text}", steps.join(", "))
    }

    fn append_event(&self, columns: &str, values: &str) -> Vec<[String; 3]> {
        let insert = format!("INSERT INTO formalize_event_arrivals ({columns})");
        vec![[insert, format!("SELECT {values}"), String::new()]]
    }

    fn place_events(&self, columns: &str) -> Option<String> {
        Some(format!(
            "WITH arrived AS (DELETE FROM formalize_event_arrivals AS event_arrivals \
             WHERE ordinal <= (SELECT max(ordinal) FROM \
             (SELECT ordinal FROM formalize_event_arrivals AS event_arrivals ORDER BY ordinal \
             LIMIT $1) AS first) RETURNING *), \
             log AS (UPDATE formalize_event_log AS event_log SET last = last + (SELECT count(*) FROM arrived) \
             WHERE id = 1 RETURNING last - (SELECT count(*) FROM arrived) AS last) \
             INSERT INTO formalize_events (position, {columns}) \
             SELECT (SELECT last FROM log) + row_number() OVER (ORDER BY ordinal), {columns} FROM arrived"
        ))
    }

    fn together(&self, one: &str, other: &str) -> String {
        format!("WITH one AS ({one}) {other}")
    }

    fn any_uuid(&self, uuid: &str, list: &str) -> String {
        format!("{uuid} = ANY ({list})")
    }

    fn contains(&self, text: &str, part: &str) -> String {
        format!("strpos({text}, {part}) > 0")
    }

    fn behind(&self, columns: &[(&str, &str)], id: &str, range: &Range) -> String {
        let (names, values): (Vec<_>, Vec<_>) = columns.iter().copied().unzip();
        let direction = range.direction();
        let order = names.iter().chain([&id]);
        let order: Vec<_> = order.map(|name| format!("{name}{direction}")).collect();
        let (names, values, order) = (names.join(", "), values.join(", "), order.join(", "));
        let after = &range.after;
        let end = match &range.before {
            Some(before) => format!("({names}, {id}) < ({values}, {before})"),
            None => format!("({names}) <= ({values})"),
        };
        format!("({names}, {id}) > ({values}, {after}) AND {end} ORDER BY {order}")
    }

    fn of_each(&self, each: &str, query: &str) -> String {
        format!("SELECT found.id FROM {each} CROSS JOIN LATERAL ({query}) AS found")
    }

    fn looked_up(&self, page: &str, columns: &str, rest: &str) -> String {
        format!(
            "SELECT found.* FROM {page} CROSS JOIN LATERAL (SELECT {columns} FROM {rest} OFFSET 0) AS found"
        )
    }

    fn fenced(&self, query: &str) -> String {
        format!("{query} OFFSET 0")
    }

    fn joined_to_each(&self, each: &str, id: &str, rest: &str) -> String {
        format!(
            "SELECT DISTINCT found.id FROM {each} \
                 CROSS JOIN LATERAL (SELECT {id} AS id FROM {rest} OFFSET 0) AS found"
        )
    }

    fn lock(&self, lock: Option<Lock>) -> &'static str {
        match lock {
            None => "",
            Some(Lock::Shared) => " FOR SHARE",
            Some(Lock::Exclusive) => " FOR NO KEY UPDATE",
        }
    }

    fn lock_of(&self, lock: Lock, table: &str) -> String {
        format!("{} OF {table}", self.lock(Some(lock)))
    }

    fn lock_memberships(&self) -> String {
        format!("SELECT pg_advisory_xact_lock({MEMBERSHIPS_LOCK})")
    }

    fn announce(&self, channel: &str) -> String {
        format!("SELECT pg_notify('{channel}', '')")
    }

    fn damage(&self) -> String {
        // PostgreSQL verifies the data that it reads. It never reads an invalid index that a failed schema change left
        // behind.
        "SELECT 'index ' || relname || ' is invalid' AS found \
                 FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE NOT indisvalid"
            .to_owned()
    }

    fn objects(&self) -> &'static str {
        include_str!("objects.sql")
    }

    fn expected_objects(&self) -> &'static str {
        include_str!("objects.txt")
    }

    fn strangers(&self) -> String {
        "SELECT '' AS found WHERE FALSE".to_owned()
    }

    fn table_exists(&self) -> &'static str {
        "SELECT 1 WHERE to_regclass($1) IS NOT NULL"
    }
}
