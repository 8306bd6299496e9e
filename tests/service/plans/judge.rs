//! Which steps of a plan read what grows.

use std::collections::BTreeMap;

use serde_json::Value;

/// How far a step of a plan reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reading {
    /// The whole table, in any order.
    Scan,
    /// An index from some place on, until whoever reads has enough.
    Walk,
}

/// A step that reads more than it finds, with the table.
pub(super) type Finding = (Reading, String);

/// Tables that do not grow with use.
const SMALL: [&str; 3] = ["settings", "formalize_migrations", "sqlite_master"];

/// What statements give names to that are not tables: lists that they are given, and rows found before.
const DERIVED: [&str; 13] = [
    "action", "form", "found", "merged", "own", "page", "reached", "resource", "shared", "subject",
    "subjects", "wanted", "CONSTANT",
];

/// What a plan of SQLite reads. It names tables as the statement does.
pub(super) fn of_sqlite(steps: &str) -> Vec<Finding> {
    steps.lines().filter_map(of_line).collect()
}

fn of_line(line: &str) -> Option<Finding> {
    let (step, rest) = line.split_once(' ')?;
    let name = rest.split(' ').next()?;
    if SMALL.contains(&name)
        || DERIVED.contains(&name)
        || rest.contains("VIRTUAL TABLE")
        || name.starts_with("(subquery")
    {
        return None;
    }
    let reading = match step {
        "SCAN" => Reading::Scan,
        "SEARCH" if rest.contains("AUTOMATIC") => Reading::Scan,
        // The first column of the index stands first.
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

/// The first column of every index, by its name.
pub(super) type FirstColumns = BTreeMap<String, String>;

/// What a plan of PostgreSQL reads.
pub(super) fn of_postgres(steps: &str, first_columns: &FirstColumns) -> Vec<Finding> {
    let plan: Value = serde_json::from_str(steps).unwrap();
    let mut found = Vec::new();
    of_node(&plan[0]["Plan"], "", first_columns, &mut found);
    found
}

/// What reads a bitmap of an index does not know the table, which stands in the step above.
fn of_node(node: &Value, above: &str, first_columns: &FirstColumns, found: &mut Vec<Finding>) {
    let table = node["Relation Name"].as_str().unwrap_or(above);
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
    {
        found.push((reading, table.to_owned()));
    }
    for below in node["Plans"].as_array().into_iter().flatten() {
        of_node(below, table, first_columns, found);
    }
}

/// Whether a column has one of some values; between two bounds it has one, too, as statements use that.
fn is_given(column: &str, terms: &str) -> bool {
    let has = |start: &str| terms.contains(&format!("({start}"));
    has(&format!("{column} = ")) || has(&format!("ROW({column}, ")) && has(&format!("{column} <= "))
}

#[test]
fn what_reads_too_much_is_found() {
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
    assert_eq!(read("((name = $1) AND (id > $2))"), walk);
    let bitmap = r#"[{"Plan": {"Node Type": "Bitmap Heap Scan", "Relation Name": "forms",
        "Plans": [{"Node Type": "Bitmap Index Scan", "Index Name": "a"}]}}]"#;
    assert_eq!(of_postgres(bitmap, &first), walk);
    let whole = r#"[{"Plan": {"Node Type": "Seq Scan", "Relation Name": "held"}}]"#;
    assert_eq!(of_postgres(whole, &first), scan);
}
