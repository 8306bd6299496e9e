//! Finds steps of a query plan that read a growing table.

use std::collections::BTreeMap;

use serde_json::Value;

/// How much a step of a plan reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reading {
    /// The whole table, in any order.
    Scan,
    /// An index from a position onwards, until the reader has enough rows.
    Walk,
}

/// A step that reads more than it returns, with its table.
pub(super) type Finding = (Reading, String);

/// How statements call a table if they give it a name: its own one without the prefix.
fn short(table: &str) -> &str {
    table.strip_prefix("formalize_").unwrap_or(table)
}

/// Tables that do not grow with use.
const SMALL: [&str; 6] = [
    "event_log",
    "event_subscriptions",
    "file_holds",
    "settings",
    "migrations",
    "sqlite_master",
];

/// The index of the few forms that are being deleted.
const SMALL_INDEX: &str = "formalize_forms_deleted";

/// Names in statements that are not tables: common table expressions and lists of arguments.
const DERIVED: [&str; 16] = [
    "action", "ended", "form", "found", "merged", "own", "page", "reached", "resource", "shared",
    "sizes", "subject", "subjects", "waiting", "wanted", "CONSTANT",
];

/// Evaluates a SQLite plan. Plans name tables as the statement does, with or without the prefix.
pub(super) fn of_sqlite(steps: &str) -> Vec<Finding> {
    steps.lines().filter_map(of_line).collect()
}

fn of_line(line: &str) -> Option<Finding> {
    let (step, rest) = line.split_once(' ')?;
    let name = short(rest.split(' ').next()?);
    if SMALL.contains(&name)
        || DERIVED.contains(&name)
        || rest.contains(&format!("INDEX {SMALL_INDEX}"))
        || rest.contains("VIRTUAL TABLE")
        || rest.contains("VALUES CLAUSE")
        || name.starts_with("(subquery")
    {
        return None;
    }
    let reading = match step {
        "SCAN" => Reading::Scan,
        "SEARCH" if rest.contains("AUTOMATIC") => Reading::Scan,
        // The plan names the first column of the index first.
        "SEARCH" => {
            let (_, terms) = rest.split_once('(')?;
            let first = terms.split(" AND ").next()?;
            if first.contains("=?") || first.contains("rowid=") {
                return None;
            }
            Reading::Walk
        }
        _ => return None,
    };
    Some((reading, name.to_owned()))
}

/// The first column of every index, by the name of the index.
pub(super) type FirstColumns = BTreeMap<String, String>;

/// Evaluates a PostgreSQL plan.
pub(super) fn of_postgres(steps: &str, first_columns: &FirstColumns) -> Vec<Finding> {
    let plan: Value = serde_json::from_str(steps).unwrap();
    let mut found = Vec::new();
    of_node(&plan[0]["Plan"], "", first_columns, &mut found);
    found
}

/// A bitmap index scan does not name its table; the step above it does.
fn of_node(node: &Value, above: &str, first_columns: &FirstColumns, found: &mut Vec<Finding>) {
    let table = node["Relation Name"].as_str().map_or(above, short);
    let kind = node["Node Type"].as_str().unwrap();
    let reading = match kind {
        "Seq Scan" => Some(Reading::Scan),
        "Index Scan" | "Index Only Scan" | "Bitmap Index Scan" => {
            let first = &first_columns[node["Index Name"].as_str().unwrap()];
            let terms = node["Index Cond"].as_str().unwrap_or_default();
            (!is_given(first, terms)).then_some(Reading::Walk)
        }
        _ => None,
    };
    if let Some(reading) = reading
        && !SMALL.contains(&table)
        && node["Index Name"] != SMALL_INDEX
    {
        found.push((reading, table.to_owned()));
    }
    for below in node["Plans"].as_array().into_iter().flatten() {
        of_node(below, table, first_columns, found);
    }
}

/// The tables that a PostgreSQL plan scans once for each row of another growing table: those in a sub-plan whose result it does
/// not keep.
pub(super) fn repeated_scans(steps: &str) -> Vec<String> {
    let plan: Value = serde_json::from_str(steps).unwrap();
    let mut found = Vec::new();
    scans_below(&plan[0]["Plan"], false, steps, &mut found);
    found
}

fn scans_below(node: &Value, is_repeated: bool, steps: &str, found: &mut Vec<String>) {
    let table = node["Relation Name"].as_str().map_or("", short);
    let grows = !SMALL.contains(&table);
    if is_repeated && grows && node["Node Type"] == "Seq Scan" {
        found.push(table.to_owned());
    }
    for below in node["Plans"].as_array().into_iter().flatten() {
        let is_sub_plan = below["Parent Relationship"] == "SubPlan";
        let is_kept = || {
            let name = below["Subplan Name"].as_str().unwrap();
            steps.contains(&format!("hashed {name}"))
        };
        let is_repeated = is_repeated || grows && is_sub_plan && !is_kept();
        scans_below(below, is_repeated, steps, found);
    }
}

/// Whether the terms restrict a column to one of some values. Two bounds count as well, because statements use them
/// that way.
fn is_given(column: &str, terms: &str) -> bool {
    let has = |start: &str| terms.contains(&format!("({start}"));
    let bounds = terms.matches(&format!("(ROW({column}, ")).count();
    has(&format!("{column} = ")) || bounds > 1 || bounds == 1 && has(&format!("{column} <= "))
}

#[test]
fn excessive_reads_are_detected() {
    let walk = vec![(Reading::Walk, "forms".to_owned())];
    let scan = vec![(Reading::Scan, "held".to_owned())];
    assert_eq!(of_sqlite("SEARCH forms USING INDEX a (id>?)"), walk);
    assert_eq!(of_sqlite("SCAN held"), scan);
    assert_eq!(of_sqlite("SCAN held USING COVERING INDEX b"), scan);
    assert_eq!(
        of_sqlite("SEARCH held USING AUTOMATIC COVERING INDEX (id=?)"),
        scan
    );
    assert_eq!(
        of_sqlite("SEARCH forms USING INDEX a (id=? AND name>?)"),
        []
    );
    assert_eq!(of_sqlite("SCAN subject VIRTUAL TABLE INDEX 1:"), []);

    let first = FirstColumns::from([("a".to_owned(), "id".to_owned())]);
    let read = |terms: &str| {
        let node = format!(
            r#"[{{"Plan": {{"Node Type": "Limit", "Plans": [{{"Node Type": "Index Scan", "Index Name": "a",
                "Relation Name": "forms", "Index Cond": "{terms}"}}]}}}}]"#
        );
        of_postgres(&node, &first)
    };
    assert_eq!(read("((id = $1) AND (name > $2))"), []);
    assert_eq!(read("((ROW(id, name) > ROW($1, $2)) AND (id <= $1))"), []);
    let both = "((ROW(id, name) > ROW($1, $2)) AND (ROW(id, name) < ROW($1, $3)))";
    assert_eq!(read(both), []);
    assert_eq!(read("(ROW(id, name) > ROW($1, $2))"), walk);
    assert_eq!(read("((name = $1) AND (id > $2))"), walk);
    let bitmap = r#"[{"Plan": {"Node Type": "Bitmap Heap Scan", "Relation Name": "forms",
        "Plans": [{"Node Type": "Bitmap Index Scan", "Index Name": "a"}]}}]"#;
    assert_eq!(of_postgres(bitmap, &first), walk);
    let whole = r#"[{"Plan": {"Node Type": "Seq Scan", "Relation Name": "held"}}]"#;
    assert_eq!(of_postgres(whole, &first), scan);
}

#[test]
fn repeated_scans_are_detected() {
    let repeated = |outer: &str, filter: &str| {
        let node = format!(
            r#"[{{"Plan": {{"Node Type": "Seq Scan", "Relation Name": "{outer}", "Filter": "{filter}", "Plans": [
                {{"Node Type": "Materialize", "Parent Relationship": "SubPlan", "Subplan Name": "SubPlan 1", "Plans": [
                    {{"Node Type": "Seq Scan", "Relation Name": "held"}}]}}]}}}}]"#
        );
        repeated_scans(&node)
    };
    assert_eq!(repeated("forms", "(NOT (SubPlan 1))"), ["held"]);
    assert!(repeated("forms", "(NOT (hashed SubPlan 1))").is_empty());
    assert!(repeated("event_log", "(NOT (SubPlan 1))").is_empty());
}
