//! The SQL in the sources of the store.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use formalize_sql::DatabaseKind;

/// A string literal that contains SQL, and its file.
pub(super) type Literal = (String, String);

const FOLDER: &str = "crates/sql/src";

/// The folder of statements that only PostgreSQL receives.
const BATCH: &str = "batch/";

/// Its statements are sent only after a connection was lost during a COMMIT.
const OUTCOMES: &str = "outcomes.rs";

/// A condition that only SQLite receives, because PostgreSQL ignores that argument of `Fragments::held`.
const IS_MEMBER: &str =
    "EXISTS (SELECT 1 FROM formalize_memberships AS memberships WHERE user_id = {user})";

/// The words by which SQL is recognized, in capital letters.
const KEYWORDS: [&str; 22] = [
    "AND", "ANY", "AS", "CASE", "CROSS", "DELETE", "EXISTS", "FOR", "FROM", "HAVING", "IN",
    "INSERT", "JOIN", "LIMIT", "NULL", "ON", "OR", "ORDER", "SELECT", "UNION", "UPDATE", "WHERE",
];

/// Every literal with SQL for transactions on a kind of database.
pub(super) fn literals(kind: DatabaseKind) -> BTreeSet<Literal> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(FOLDER);
    let mut literals = BTreeSet::new();
    for path in files(&root) {
        let file = path.strip_prefix(&root).unwrap().display().to_string();
        if is_sent(&file, kind) {
            let text = fs::read_to_string(&path).unwrap();
            let sql = sql_in(&text)
                .into_iter()
                .filter_map(|sql| included(sql, &path));
            literals.extend(sql.map(|sql| (file.clone(), sql)));
        }
    }
    assert!(literals.len() > 100, "the sources are not recognized");
    if kind == DatabaseKind::Postgres {
        let is_member = ("memberships.rs".to_owned(), IS_MEMBER.to_owned());
        assert!(literals.remove(&is_member), "no SQL like {IS_MEMBER}");
    }
    literals
}

/// The content of a file of SQL that a literal names. `None` for other files, and the literal if it names none.
fn included(literal: String, source: &Path) -> Option<String> {
    match literal.rsplit_once('.') {
        Some((_, "sql")) => Some(fs::read_to_string(source.with_file_name(literal)).unwrap()),
        Some((_, "txt" | "md")) => None,
        _ => Some(literal),
    }
}

/// Whether transactions send the SQL of a file. The other files of a driver have statements that set up connections.
fn is_sent(file: &str, kind: DatabaseKind) -> bool {
    let (own, other) = match kind {
        DatabaseKind::Sqlite => ("driver/sqlite/", "driver/postgres/"),
        DatabaseKind::Postgres => ("driver/postgres/", "driver/sqlite/"),
    };
    let is_fragment = file.ends_with("/fragment.rs");
    let is_source = Path::new(file)
        .extension()
        .is_some_and(|extension| extension == "rs");
    let is_left_out = !is_source
        || file.ends_with("tests.rs")
        || file.ends_with("driver/explain.rs")
        || file == OUTCOMES
        || file.starts_with(other)
        || file.starts_with(own) && !is_fragment
        || kind == DatabaseKind::Sqlite && file.starts_with(BATCH);
    !is_left_out
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

/// The literals with SQL in product code, without comments.
fn sql_in(text: &str) -> Vec<String> {
    let product = text.split("\nmod tests {").next().unwrap();
    let lines = product.lines();
    let code = lines.filter(|line| !line.trim_start().starts_with("//"));
    let mut strings = strings(&code.collect::<Vec<_>>().join("\n"));
    strings.retain(|text| is_sql(text));
    strings
}

fn strings(code: &str) -> Vec<String> {
    // A quote as a character begins no string.
    let code = code.replace("'\"'", "");
    let mut letters = code.chars().peekable();
    let mut strings = Vec::new();
    while letters.any(|letter| letter == '"') {
        let mut string = String::new();
        while let Some(letter) = letters.next().filter(|letter| *letter != '"') {
            if letter != '\\' {
                string.push(letter);
            } else if letters.next_if_eq(&'\n').is_some() {
                while letters.next_if(|letter| letter.is_whitespace()).is_some() {}
            } else {
                string.extend(letters.next());
            }
        }
        strings.push(string);
    }
    strings
}

fn is_sql(text: &str) -> bool {
    let mut words = text.split(|letter: char| !letter.is_ascii_alphabetic());
    let is_column = |text: &str| {
        let parts = text.split_once('.');
        parts.is_some_and(|(table, column)| {
            table.ends_with(|letter: char| letter.is_ascii_lowercase())
                && column.starts_with(|letter: char| letter.is_ascii_lowercase() || letter == '{')
                && !column.contains('.')
        })
    };
    words.any(|word| KEYWORDS.contains(&word)) || text.split(' ').any(is_column)
}

/// Whether a statement contains the parts of a literal between its placeholders, in this order.
pub(super) fn occurs(literal: &str, statement: &str) -> bool {
    let mut rest = statement;
    let parts = literal.split('{').enumerate().map(|(index, text)| {
        let after = text.split_once('}').map_or(text, |(_, after)| after);
        normalized(if index == 0 { text } else { after })
    });
    for part in parts {
        match rest.find(&part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

/// A text with single blanks.
pub(super) fn normalized(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn sql_is_found_in_sources() {
    let source = r#"
/// Runs "SELECT 1".
const COLUMNS: &str = "groups.id";
fn select() {
    text.split('"');
    sql(format!("SELECT {id} \
        FROM \"table\""));
    panic!("no such row");
}
mod tests {
    const TEXT: &str = "SELECT 2";
}
"#;
    assert_eq!(sql_in(source), ["groups.id", "SELECT {id} FROM \"table\""]);
}

#[test]
fn statements_contain_the_parts_of_their_literals() {
    let statement = "SELECT groups.id FROM formalize_groups AS groups WHERE id = $1";
    assert!(occurs("SELECT {columns}  FROM {table} WHERE", statement));
    assert!(!occurs("SELECT {columns} FROM {table} LIMIT", statement));
    assert!(!occurs("WHERE {condition} FROM", statement));
}
