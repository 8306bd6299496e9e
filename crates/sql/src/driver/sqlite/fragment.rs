//! The SQL fragments for SQLite.

use data_encoding::HEXLOWER;
use uuid::Uuid;

use crate::DatabaseKind;
use crate::driver::fragment::{Dialect, Fragments, Lock, Range};

/// The dialect of SQLite.
pub(super) const DIALECT: Dialect = Dialect::new(&Sqlite);

struct Sqlite;

/// The tables, each with the column that identifies its rows.
const TABLES: [(&str, &str); 18] = [
    ("formalize_groups", "id"),
    ("formalize_memberships", "id"),
    ("formalize_resources", "id"),
    ("formalize_grants", "id"),
    ("formalize_forms", "id"),
    ("formalize_submissions", "id"),
    ("formalize_submitted_files", "id"),
    ("formalize_submission_places", "form_id"),
    ("formalize_form_places", "form_id"),
    ("formalize_form_links", "id"),
    ("formalize_api_tokens", "id"),
    ("formalize_events", "id"),
    ("formalize_event_arrivals", "id"),
    ("formalize_event_audience", "event_id"),
    ("formalize_event_data", "event_id"),
    ("formalize_webhooks", "id"),
    ("formalize_webhook_deliveries", "id"),
    ("formalize_webhook_attempts", "delivery_id"),
];

impl Fragments for Sqlite {
    fn kind(&self) -> DatabaseKind {
        DatabaseKind::Sqlite
    }

    fn takes_columns(&self) -> bool {
        false
    }

    fn texts(&self, name: &str, list: &str) -> String {
        format!("json_each({list}) AS {name}")
    }

    fn any_text(&self, text: &str, list: &str) -> String {
        format!("{text} IN (SELECT value FROM json_each({list}))")
    }

    fn held(&self, value: &str, under: &str, [in_groups, own, all]: [&str; 3]) -> String {
        // For `IN`, SQLite would build a temporary table, which takes longer than the rest of the query. Most of the
        // remaining time is spent on finding groups, so they are skipped if possible.
        let of = |subjects| {
            format!(
                "(SELECT {value} FROM ({subjects}) AS subjects \
                         CROSS JOIN formalize_grants AS grants ON {under} AND grants.subject = subjects.value)"
            )
        };
        format!(
            "CASE WHEN {in_groups} THEN {} ELSE {} END",
            of(all),
            of(own)
        )
    }

    fn uuid_text(&self, uuid: &str) -> String {
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

    fn json_rows(&self, uuid: &str, values: &[&str]) -> String {
        let values = values.join(", ");
        format!("json_group_array(json_array(hex({uuid}), {values}))")
    }

    fn insert_after(&self, first: &str, inserts: &[[&str; 3]], aside: Option<[&str; 3]>) -> String {
        let inserts = inserts
            .iter()
            .map(|[insert, rows, end]| format!("; {insert} {rows} WHERE changes() > 0{end}"));
        let aside = aside.map(|[insert, rows, condition]| {
            format!("; {insert} {rows} WHERE changes() > 0 AND {condition}")
        });
        std::iter::once(first.to_owned())
            .chain(inserts)
            .chain(aside)
            .collect()
    }

    fn append_event(&self, columns: &str, values: &str) -> Vec<[String; 3]> {
        let insert = format!("INSERT INTO formalize_events (position, {columns})");
        let next = "SELECT (SELECT last + 1 FROM formalize_event_log WHERE id = 1)";
        // There is one row. A condition on it would have to come after that of `insert_after`.
        let count = "UPDATE formalize_event_log SET last = last + 1".to_owned();
        vec![
            [insert, format!("{next}, {values}"), String::new()],
            [count, String::new(), String::new()],
        ]
    }

    fn place_events(&self, _: &str) -> Option<String> {
        None
    }

    fn together(&self, one: &str, other: &str) -> String {
        format!("{one}; {other}")
    }

    fn any_uuid(&self, uuid: &str, list: &str) -> String {
        format!("{uuid} IN (SELECT unhex(value) FROM json_each({list}))")
    }

    fn contains(&self, text: &str, part: &str) -> String {
        format!("instr({text}, {part}) > 0")
    }

    fn behind(&self, columns: &[(&str, &str)], id: &str, range: &Range) -> String {
        let equal = |(column, value): &(&str, &str)| format!("{column} = {value}");
        let mut conditions: Vec<String> = columns.iter().map(equal).collect();
        conditions.push(range.condition(id));
        let (conditions, direction) = (conditions.join(" AND "), range.direction());
        format!("{conditions} ORDER BY {id}{direction}")
    }

    fn of_each(&self, each: &str, query: &str) -> String {
        format!(
            "SELECT unhex(found.value) AS id FROM {each} CROSS JOIN \
                 json_each((SELECT json_group_array(hex(id)) FROM ({query}))) AS found"
        )
    }

    fn looked_up(&self, page: &str, columns: &str, rest: &str) -> String {
        format!("SELECT {columns} FROM {page} CROSS JOIN {rest}")
    }

    fn fenced(&self, query: &str) -> String {
        query.to_owned()
    }

    fn joined_to_each(&self, each: &str, id: &str, rest: &str) -> String {
        format!("SELECT DISTINCT {id} AS id FROM {each} CROSS JOIN {rest}")
    }

    fn lock(&self, _: Option<Lock>) -> &'static str {
        ""
    }

    fn lock_of(&self, _: Lock, _: &str) -> String {
        String::new()
    }

    fn lock_memberships(&self) -> String {
        "SELECT 1".to_owned()
    }

    fn announce(&self, channel: &str) -> String {
        format!("SELECT '{channel}'")
    }

    fn damage(&self) -> String {
        "SELECT integrity_check AS found FROM pragma_integrity_check \
                 WHERE integrity_check <> 'ok'"
            .to_owned()
    }

    fn objects(&self) -> &'static str {
        include_str!("objects.sql")
    }

    fn expected_objects(&self) -> &'static str {
        include_str!("objects.txt")
    }

    fn strangers(&self) -> String {
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
                     || parent || ' that do not exist' AS found FROM pragma_foreign_key_check \
                     WHERE \"table\" NOT IN ({ours}) GROUP BY \"table\", parent",
            unnamed.concat()
        )
    }

    fn table_exists(&self) -> &'static str {
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1"
    }
}

/// A list argument for SQLite.
pub(super) fn json_of_texts(texts: &[String]) -> String {
    serde_json::Value::from(texts).to_string()
}

/// A list argument for SQLite, in hexadecimal because JSON cannot contain bytes.
pub(super) fn json_of_uuids(uuids: &[Uuid]) -> String {
    let digits: Vec<String> = uuids
        .iter()
        .map(|uuid| HEXLOWER.encode(uuid.as_bytes()))
        .collect();
    json_of_texts(&digits)
}
