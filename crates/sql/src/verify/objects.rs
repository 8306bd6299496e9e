//! Compares the schema of a database with the one that the migrations create.
//!
//! The expected schema is a file for each kind of database, because creating one to compare with needs permissions that
//! a reader does not have. A test compares the files with what the migrations create.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use formalize_core::store::StoreResult;

use super::{Finding, FindingKind};
use crate::driver::{Transaction, sql};
use crate::record::Record;

/// What identifies a part of a schema. Tables, and their parts, are ordered by the name of the table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Object {
    /// The table, or what a view is called.
    owner: String,
    /// `table`, `column`, `index`, …
    kind: String,
    name: String,
}

const TABLE: &str = "table";
const COLUMN: &str = "column";
const VIEW: &str = "view";

impl fmt::Display for Object {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, name) = (&self.kind, &self.name);
        write!(formatter, "{kind} `{name}`")?;
        if *name == self.owner {
            return Ok(());
        }
        write!(formatter, " of table `{}`", self.owner)
    }
}

/// A schema: its objects with their definitions.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Objects(BTreeMap<Object, String>);

impl Objects {
    pub(super) async fn read(tx: &mut Transaction) -> StoreResult<Self> {
        let select = sql(tx.dialect().objects());
        let objects = tx.read_all(select, |row| {
            let record = Record::new("schema", row);
            let object = Object {
                owner: record.text("owner")?,
                kind: record.text("kind")?,
                name: record.text("name")?,
            };
            let definition = record.optional_text("definition")?.unwrap_or_default();
            Ok((object, normalized(&definition)))
        });
        Ok(Self(objects.await?.into_iter().collect()))
    }

    /// The objects in a text that [`Objects`] was displayed as.
    fn parse(text: &'static str) -> Self {
        let objects = text.lines().filter_map(|line| {
            let (owner, rest) = line.split_once('\t')?;
            let (kind, rest) = rest.split_once('\t')?;
            let (name, definition) = rest.split_once('\t')?;
            let object = Object {
                owner: owner.to_owned(),
                kind: kind.to_owned(),
                name: name.to_owned(),
            };
            Some((object, definition.to_owned()))
        });
        Self(objects.collect())
    }

    /// The names of the tables.
    fn tables(&self) -> BTreeSet<&str> {
        let tables = self.0.keys().filter(|object| object.kind == TABLE);
        tables.map(|table| table.owner.as_str()).collect()
    }
}

/// One object on each line.
impl fmt::Display for Objects {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (object, definition) in &self.0 {
            let Object { owner, kind, name } = object;
            writeln!(formatter, "{owner}\t{kind}\t{name}\t{definition}")?;
        }
        Ok(())
    }
}

/// SQLite returns the text by which a table was created, with its comments and line breaks.
fn normalized(definition: &str) -> String {
    let lines = definition.lines().map(|line| {
        let code = line.split_once("--").map_or(line, |(code, _)| code);
        code.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    let text = lines.collect::<Vec<_>>().join(" ");
    text.trim().replace("( ", "(").replace(" )", ")")
}

/// The result of a comparison.
pub(super) struct Comparison {
    pub(super) findings: Vec<Finding>,
    /// Whether all rows can be read: every table and column is as expected.
    pub(super) is_readable: bool,
}

/// Compares a schema with the text of the expected one.
pub(super) fn compare(found: &Objects, expected_text: &'static str) -> Comparison {
    let expected = Objects::parse(expected_text);
    let mut differences: Vec<(&Object, FindingKind, String)> = Vec::new();
    for (object, definition) in &expected.0 {
        match found.0.get(object) {
            Some(same) if same == definition => {}
            Some(other) => {
                let what = format!("{object} is `{other}` instead of `{definition}`");
                differences.push((object, FindingKind::ChangedObject, what));
            }
            None if object.kind == TABLE => {
                let what = format!("{object} is missing");
                differences.push((object, FindingKind::MissingObject, what));
            }
            None => {
                let what = format!("{object} is missing: `{definition}`");
                differences.push((object, FindingKind::MissingObject, what));
            }
        }
    }
    let unknown = found
        .0
        .keys()
        .filter(|object| !expected.0.contains_key(object));
    differences.extend(unknown.map(|object| {
        let what = format!("{object} was not created by formalize");
        (object, FindingKind::UnknownObject, what)
    }));

    // A table that is missing or unknown is one finding, without its parts. On SQLite, a changed column also changes the
    // text of the table.
    let (here, ours) = (found.tables(), expected.tables());
    let changed_columns: BTreeSet<&str> = differences
        .iter()
        .filter(|(object, ..)| object.kind == COLUMN)
        .map(|(object, ..)| object.owner.as_str())
        .collect();
    differences.retain(|(object, kind, _)| {
        let owner = object.owner.as_str();
        let is_part = object.kind != TABLE && object.kind != VIEW;
        let is_explained = object.kind == TABLE
            && *kind == FindingKind::ChangedObject
            && changed_columns.contains(owner);
        !is_explained && !(is_part && !(here.contains(owner) && ours.contains(owner)))
    });
    let is_readable = differences.iter().all(|(object, kind, _)| match kind {
        FindingKind::MissingObject => object.kind != TABLE && object.kind != COLUMN,
        FindingKind::ChangedObject => object.kind != COLUMN,
        _ => true,
    });
    let findings = differences.into_iter().map(|(object, kind, what)| {
        let table = table(expected_text, &object.owner);
        Finding::of(kind, table, None, what)
    });
    Comparison {
        findings: findings.collect(),
        is_readable,
    }
}

/// The name of an expected table.
fn table(expected: &'static str, name: &str) -> Option<&'static str> {
    let owners = expected.lines().filter_map(|line| line.split_once('\t'));
    owners.map(|(owner, _)| owner).find(|owner| *owner == name)
}
