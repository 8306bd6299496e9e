//! Checks that every statement that services send is in the files that `tests/service/plans` writes. The plan of a statement that
//! is missing there has not been checked.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use formalize_sql::DatabaseKind;

/// The statements in the files, as [`parts`] of texts.
static LISTED: LazyLock<[BTreeSet<String>; 2]> =
    LazyLock::new(|| [DatabaseKind::Sqlite, DatabaseKind::Postgres].map(listed));

/// The statements that were sent, and those of them that are in no file.
static SENT: Mutex<(BTreeSet<String>, BTreeSet<String>)> =
    Mutex::new((BTreeSet::new(), BTreeSet::new()));

/// The file with the statements that are sent to a database.
pub fn file(kind: DatabaseKind) -> PathBuf {
    let name = match kind {
        DatabaseKind::Sqlite => "sqlite.sql",
        DatabaseKind::Postgres => "postgres.sql",
    };
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("service/plans/statements")
        .join(name)
}

/// Looks for a statement in the file of a database, the first time that it is sent.
pub(crate) fn look_up(kind: DatabaseKind, statement: &str) {
    let mut sent = SENT.lock().unwrap_or_else(PoisonError::into_inner);
    let (known, unlisted) = &mut *sent;
    if known.contains(statement) {
        return;
    }
    known.insert(statement.to_owned());
    let [sqlite, postgres] = &*LISTED;
    let listed = match kind {
        DatabaseKind::Sqlite => sqlite,
        DatabaseKind::Postgres => postgres,
    };
    if !parts(statement).all(|part| listed.contains(&part)) {
        unlisted.insert(statement.to_owned());
    }
}

/// Fails if a statement that was sent is not in its file.
pub(crate) fn assert_listed() {
    let sent = SENT.lock().unwrap_or_else(PoisonError::into_inner);
    let (_, unlisted) = &*sent;
    if !unlisted.is_empty() {
        let unlisted: Vec<_> = unlisted.iter().map(String::as_str).collect();
        panic!(
            "no operation of tests/service/plans sends: {}",
            unlisted.join("\n\n")
        );
    }
}

/// The statements of a file.
fn listed(kind: DatabaseKind) -> BTreeSet<String> {
    let text = fs::read_to_string(file(kind)).unwrap();
    // Without comments, and without the line `PREPARE` with the name of a statement and the types of its arguments.
    let is_sql = |line: &&str| !line.starts_with("--") && !line.starts_with("PREPARE ");
    let lines: Vec<_> = text.lines().filter(is_sql).collect();
    parts(&lines.join("\n")).collect()
}

/// The statements of a text, without white space, because the files have lines, and without the numbers of arguments, which do
/// not change a plan. The statement about classes has a part for each class, which do not depend on each other either.
fn parts(text: &str) -> impl Iterator<Item = String> {
    let mut compact: String = text.split_whitespace().collect();
    compact = compact.replace("UNIONALLSELECT$", ";SELECT$");
    let parts: Vec<String> = compact
        .split(';')
        .filter(|part| !part.is_empty())
        .map(|part| without_numbers(&with_one_row(part)))
        .collect();
    parts.into_iter()
}

/// The statement with `$` for each argument.
fn without_numbers(statement: &str) -> String {
    let mut parts = statement.split('$');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push('$');
        text.push_str(part.trim_start_matches(|one: char| one.is_ascii_digit()));
    }
    text
}

/// The statement with the first row of values alone, because the number of rows depends on what is inserted.
fn with_one_row(statement: &str) -> String {
    const NEXT: &str = "),($";
    let (Some((first, _)), Some((_, last))) =
        (statement.split_once(NEXT), statement.rsplit_once(NEXT))
    else {
        return statement.to_owned();
    };
    let rest = last.split_once(')').map_or("", |(_, rest)| rest);
    format!("{first}){rest}")
}

#[test]
fn a_statement_that_inserts_several_rows_is_that_of_one_row() {
    let several = "INSERT INTO t (a, b) VALUES ($1, $2), ($3, $4), ($5, $6) ON CONFLICT (a) DO NOTHING; SELECT 1";
    let one = "INSERT INTO t (a, b)\n  VALUES ($1, $2) ON CONFLICT (a) DO NOTHING";
    assert_eq!(parts(several).next(), parts(one).next());
    assert_eq!(parts(several).nth(1).as_deref(), Some("SELECT1"));
    assert_ne!(parts(several).next(), parts(several).nth(1));
}
