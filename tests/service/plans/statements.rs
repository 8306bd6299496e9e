//! The statements of each database in a file, as they are sent, for whoever reviews or tries them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use formalize_sql::{DatabaseKind, Plan};
use formalize_tests::statements::file;

use super::sources::normalized;

/// How many operations that send a statement are named.
const NAMED: usize = 3;

/// Words that begin a line.
const CLAUSES: [&str; 15] = [
    "CROSS",
    "EXCEPT",
    "FROM",
    "GROUP",
    "INNER",
    "JOIN",
    "LEFT",
    "LIMIT",
    "ORDER",
    "RETURNING",
    "SELECT",
    "UNION",
    "VALUES",
    "WHERE",
    "WITH",
];

/// What stands before a `JOIN` on its line.
const JOINS: [&str; 3] = ["CROSS ", "INNER ", "LEFT "];

/// Each statement, the types of its arguments in PostgreSQL, and the operations that send it.
type Statements = BTreeMap<(String, Vec<&'static str>), BTreeSet<String>>;

/// Fails if the file of a database is not what the operations send. With `FORMALIZE_UPDATE_STATEMENTS=1`, writes it instead.
pub(super) fn assert_listed(plans: &[(String, Plan)], kind: DatabaseKind) {
    let mut statements = Statements::new();
    let mut texts = BTreeMap::new();
    for (operation, plan) in plans {
        let text = texts.entry(&plan.statement);
        let text: &String = text.or_insert_with(|| normalized(&plan.statement));
        let statement = (text.clone(), plan.types.clone());
        let senders = statements.entry(statement).or_default();
        senders.insert(operation.clone());
    }
    let text = match kind {
        DatabaseKind::Sqlite => plain(&statements),
        DatabaseKind::Postgres => prepared(&statements),
    };
    let file = file(kind);
    if std::env::var_os("FORMALIZE_UPDATE_STATEMENTS").is_some() {
        fs::write(&file, text).unwrap();
        return;
    }
    let listed = fs::read_to_string(&file).unwrap();
    let mut lines = listed.lines().zip(text.lines());
    let differs = lines.find(|(old, new)| old != new);
    assert!(
        listed == text,
        "{} is not what is sent: {differs:?}; FORMALIZE_UPDATE_STATEMENTS=1 writes it",
        file.display()
    );
}

/// A statement, the types of its arguments, and the operations that send it.
type Listed<'s> = (&'s str, &'s [&'static str], &'s BTreeSet<String>);

/// The statements by the first operation that sends them.
fn in_order(statements: &Statements) -> Vec<Listed<'_>> {
    let listed = statements.iter();
    let listed = listed.map(|((text, types), senders)| (text.as_str(), types.as_slice(), senders));
    let mut listed: Vec<_> = listed.collect();
    listed.sort_by_key(|(text, types, senders)| (senders.first(), *text, *types));
    listed
}

fn plain(statements: &Statements) -> String {
    let mut text = "-- Every statement that is sent to SQLite, with operations that send it. A test writes this file.\n".to_owned();
    for (statement, _, senders) in in_order(statements) {
        let _ = write!(text, "\n{}\n{};\n", purpose(senders), lines(statement));
    }
    text
}

/// The statements with the types of their arguments. A generic plan does not depend on the arguments.
fn prepared(statements: &Statements) -> String {
    let mut text = "-- Every statement that is sent to PostgreSQL, with operations that send it. A test writes this file. Paste the line that\n\
         -- follows into psql, and then those whose plan you want to see.\n\nSET plan_cache_mode = force_generic_plan;\n"
        .to_owned();
    let list = |of: &[&str]| match of {
        [] => String::new(),
        of => format!(" ({})", of.join(", ")),
    };
    for (number, (statement, types, senders)) in in_order(statements).into_iter().enumerate() {
        let (name, nulls) = (
            format!("statement_{}", number + 1),
            vec!["NULL"; types.len()],
        );
        let _ = write!(
            text,
            "\n{}\nPREPARE {name}{} AS\n{};\nEXPLAIN EXECUTE {name}{};\n",
            purpose(senders),
            list(types),
            lines(statement),
            list(&nulls)
        );
    }
    text
}

/// A comment with operations that send a statement.
fn purpose(senders: &BTreeSet<String>) -> String {
    let named: Vec<_> = senders.iter().take(NAMED).map(String::as_str).collect();
    let more = if senders.len() > NAMED { ", ..." } else { "" };
    format!("-- {}{more}", named.join("; "))
}

/// A statement with a line for each clause, as deep as its parentheses are.
fn lines(statement: &str) -> String {
    let (mut text, mut depth, mut is_literal) = (String::new(), 0, false);
    for word in statement.split_inclusive([' ', '(', ')', '\'']) {
        let rest = word.trim_end_matches([' ', '(', ')', '\'']);
        let is_second = JOINS.iter().any(|join| text.ends_with(join));
        if !is_literal && !text.is_empty() && CLAUSES.contains(&rest) && !is_second {
            text.truncate(text.trim_end().len());
            text.push('\n');
            text.push_str(&"  ".repeat(depth));
        }
        text.push_str(word);
        match word.chars().last() {
            Some('\'') => is_literal = !is_literal,
            Some('(') if !is_literal => depth += 1,
            Some(')') if !is_literal => depth -= 1,
            _ => {}
        }
    }
    text
}

#[test]
fn clauses_are_lines() {
    let statement = "SELECT 'a FROM b' FROM c LEFT JOIN (SELECT d FROM e) AS f ON TRUE WHERE g";
    let expected =
        "SELECT 'a FROM b'\nFROM c\nLEFT JOIN (\n  SELECT d\n  FROM e) AS f ON TRUE\nWHERE g";
    assert_eq!(lines(statement), expected);
}
