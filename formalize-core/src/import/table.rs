//! Rows of a table.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use formalize_schema::internals::{SpelledMembers, abridged};
use formalize_schema::{Rejection, Violation, parse_json};
use serde_json::Value;
use serde_json::value::RawValue;

use super::composition::{Composition, names, quoted};
use super::{ERROR, ImportOptions, Keys, Row, unreadable};
use crate::export::{Column, Columns, Guard, JsonType, NOT_SHOWN, is_whole};
use crate::model::batch::BatchItem;

const IDENTIFIER: &str = "_identifier";
const STATE: &str = "_submissionState";
const TAGS: &str = "_tags";
const OTHER: &str = "_other";

/// The columns of an export that are not read.
const UNREAD: [&str; 6] = [
    IDENTIFIER,
    "_creatorId",
    "_dateCreated",
    "_lastModifiedById",
    "_dateLastModified",
    "_submittedFiles",
];

/// A table whose headers are known.
#[derive(Debug, Clone)]
pub struct Table {
    columns: Arc<Columns>,
    options: ImportOptions,
    number_of_cells: usize,
    /// The cells with values, in the order of the columns, so that the order of headers does not change the data.
    leaves: Vec<Leaf>,
    state: Option<usize>,
    tags: Option<usize>,
    other: Option<usize>,
    key: Option<usize>,
    error: Option<usize>,
}

#[derive(Debug, Clone)]
struct Leaf {
    column: usize,
    cell: usize,
    /// The names of its pointer.
    names: Vec<String>,
}

/// What the headers of a table may be wrong about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderProblem {
    /// A header that the form has no column for. The number is its position, counted from 1.
    Unknown(String, usize),
    /// A column with two headers.
    Repeated(String),
    /// A header that the options name and the table does not have.
    Missing(String),
    /// A header is renamed to a column that does not exist.
    NoColumn {
        /// The header.
        header: String,
        /// The name that the form has no column for.
        name: String,
    },
    /// The table has labels instead of stored values.
    Labels,
}

/// Why a table cannot be read. All problems of its headers are listed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", texts(.0).join("; "))]
pub struct InvalidHeaders(pub Vec<HeaderProblem>);

fn texts(problems: &[HeaderProblem]) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}

impl fmt::Display for HeaderProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(header, position) if header.is_empty() => {
                write!(formatter, "column {position} has no header")
            }
            Self::Unknown(header, _) => {
                write!(formatter, "the form has no column `{header}`")
            }
            Self::Repeated(name) => write!(formatter, "two headers stand for the column `{name}`"),
            Self::Missing(header) => write!(formatter, "there is no header `{header}`"),
            Self::NoColumn { header, name } => write!(
                formatter,
                "the form has no column `{name}`, to which the header `{header}` is mapped"
            ),
            Self::Labels => write!(
                formatter,
                "the table has labels instead of stored values, as the column `{NOT_SHOWN}` tells, so it cannot be imported; \
                 export the submissions without labels"
            ),
        }
    }
}

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Use {
    Leaf(usize),
    State,
    Tags,
    Other,
    Error,
    Unread,
}

impl Table {
    /// Reads the headers of a table.
    ///
    /// # Errors
    ///
    /// [`InvalidHeaders`] with all headers that are unknown, missing, or given twice, or only with [`HeaderProblem::Labels`].
    pub fn new(
        columns: Arc<Columns>,
        headers: &[impl AsRef<str>],
        options: &ImportOptions,
    ) -> Result<Self, InvalidHeaders> {
        let headers: Vec<Cow<'_, str>> = headers
            .iter()
            .map(|header| unguarded(header.as_ref()))
            .collect();
        let headers: Vec<&str> = headers.iter().map(AsRef::as_ref).collect();
        let has_labels = headers.contains(&NOT_SHOWN);
        ensure!(!has_labels, InvalidHeaders(vec![HeaderProblem::Labels]));
        let mut problems = Vec::new();
        let key = key_cell(&headers, options, &mut problems);
        missing_renamed(&headers, options, &mut problems);
        let uses = uses(&columns, &headers, options, key, &mut problems);
        ensure!(problems.is_empty(), InvalidHeaders(problems));
        let cell_of = |wanted| uses.iter().position(|found| *found == wanted);
        let mut leaves: Vec<Leaf> = uses
            .iter()
            .enumerate()
            .filter_map(|(cell, found)| {
                let Use::Leaf(column) = *found else {
                    return None;
                };
                let names = names(columns.leaves().get(column)?.pointer()).ok()?;
                Some(Leaf {
                    column,
                    cell,
                    names,
                })
            })
            .collect();
        leaves.sort_by_key(|leaf| leaf.column);
        Ok(Self {
            number_of_cells: headers.len(),
            state: cell_of(Use::State),
            tags: cell_of(Use::Tags),
            other: cell_of(Use::Other),
            error: cell_of(Use::Error),
            leaves,
            key,
            options: options.clone(),
            columns,
        })
    }

    /// The position of the column [`ERROR`], counted from 0.
    pub fn error_column(&self) -> Option<usize> {
        self.error
    }

    /// Reads the cells of a row.
    ///
    /// # Errors
    ///
    /// A [`Rejection`] with all cells that do not fit. The data may still violate the schema.
    pub fn row(&self, cells: &[impl AsRef<str>]) -> Result<Row, Rejection> {
        let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
        if let Some(rows) = self.end(&cells) {
            return Ok(Row::End(rows));
        }
        if cells.len() != self.number_of_cells {
            let (number, expected) = (cells.len(), self.number_of_cells);
            let ending = if number == 1 { "" } else { "s" };
            let message = format!("has {number} cell{ending} instead of {expected}");
            return Err(unreadable(message));
        }
        let cell = |index: usize| cells.get(index).copied().unwrap_or_default();
        let mut violations = Vec::new();
        let mut data = Composition::default();
        for leaf in &self.leaves {
            let Some(column) = self.columns.leaves().get(leaf.column) else {
                continue;
            };
            match json_of(column, cell(leaf.cell)) {
                Ok(Some(json)) => {
                    data.set(leaf.names.iter().map(Cow::from), json);
                }
                Ok(None) => {}
                Err(message) => {
                    let pointer = column.pointer().to_owned();
                    violations.push(Violation::of_keyword("type", pointer, message));
                }
            }
        }
        if let Some(other) = self.other {
            violations.extend(set_other(&mut data, cell(other)));
        }
        let tags = self.tags.map_or(Ok(Vec::new()), |tags| tags_of(cell(tags)));
        let tags = tags.unwrap_or_else(|violation| {
            violations.push(violation);
            Vec::new()
        });
        let key_text = self.key.map(|key| unguarded(cell(key)));
        let key = self
            .options
            .key_of(key_text.as_deref(), IDENTIFIER)
            .unwrap_or_else(|violation| {
                violations.push(violation);
                None
            });
        Rejection::if_any(violations)?;
        let state = self.state.map(|state| unguarded(cell(state)));
        Ok(Row::Submission(BatchItem {
            data: Some(data.into_json()),
            state: self.options.state_of(state.as_deref()),
            tags,
            key,
        }))
    }

    /// The number in an end marker, `#end,rows=N`. Its comma does not depend on the separator, so it has one cell or two. In a
    /// table with as many columns it could be a row, and is one.
    fn end(&self, cells: &[&str]) -> Option<u64> {
        let rows = match cells {
            _ if cells.len() == self.number_of_cells => return None,
            ["#end", rows] => rows,
            [both] => both.strip_prefix("#end,")?,
            _ => return None,
        };
        rows.strip_prefix("rows=")?.parse().ok()
    }
}

/// The column with the keys of rows.
fn key_cell(
    headers: &[&str],
    options: &ImportOptions,
    problems: &mut Vec<HeaderProblem>,
) -> Option<usize> {
    match &options.keys {
        Keys::None => None,
        Keys::Identifier => headers.iter().position(|header| {
            let name = options.renamed.get(*header).map(String::as_str);
            name.unwrap_or(header) == IDENTIFIER && !options.ignores(header)
        }),
        Keys::Named(name) => {
            let key = headers.iter().position(|header| *header == name);
            if key.is_none() {
                problems.push(HeaderProblem::Missing(name.clone()));
            }
            key
        }
    }
}

fn missing_renamed(headers: &[&str], options: &ImportOptions, problems: &mut Vec<HeaderProblem>) {
    let mut missing: Vec<&String> = options.renamed.keys().collect();
    missing.retain(|header| !headers.contains(&header.as_str()));
    missing.sort_unstable();
    problems.extend(missing.into_iter().cloned().map(HeaderProblem::Missing));
}

/// What each column is.
fn uses(
    columns: &Columns,
    headers: &[&str],
    options: &ImportOptions,
    key: Option<usize>,
    problems: &mut Vec<HeaderProblem>,
) -> Vec<Use> {
    let mut known = HashMap::new();
    for (index, leaf) in columns.leaves().iter().enumerate() {
        known.insert(leaf.name(), Use::Leaf(index));
        known.insert(leaf.pointer(), Use::Leaf(index));
    }
    known.extend(UNREAD.map(|name| (name, Use::Unread)));
    known.extend([
        (STATE, Use::State),
        (TAGS, Use::Tags),
        (OTHER, Use::Other),
        (ERROR, Use::Error),
    ]);
    let mut seen = HashSet::new();
    let mut uses = Vec::with_capacity(headers.len());
    for (position, header) in headers.iter().enumerate() {
        let renamed = options.renamed.get(*header);
        let name = renamed.map_or(*header, String::as_str);
        let found = match known.get(name) {
            _ if *header != ERROR && options.ignores(header) => Use::Unread,
            Some(found) => *found,
            None if renamed.is_some() => {
                problems.push(HeaderProblem::NoColumn {
                    header: (*header).to_owned(),
                    name: name.to_owned(),
                });
                Use::Unread
            }
            None if options.ignores_unknown || key == Some(position) => Use::Unread,
            None => {
                let header = (*header).to_owned();
                problems.push(HeaderProblem::Unknown(header, position.saturating_add(1)));
                Use::Unread
            }
        };
        let is_repeated = found != Use::Unread && !seen.insert(found);
        if is_repeated {
            problems.push(HeaderProblem::Repeated(name.to_owned()));
        }
        uses.push(found);
    }
    uses
}

/// The text of a cell without the `'` that an export adds.
fn unguarded(text: &str) -> Cow<'_, str> {
    Guard::On.undo(text)
}

/// The JSON that a cell stands for; `None` if it is empty.
///
/// # Errors
///
/// What it must be, if it is not.
fn json_of<'c>(column: &Column, cell: &'c str) -> Result<Option<Cow<'c, str>>, String> {
    if cell.is_empty() {
        return Ok(None);
    }
    let text = unguarded(cell);
    let may_be_string = column.allows(JsonType::String);
    let may_be_other = JsonType::ALL
        .iter()
        .any(|one| *one != JsonType::String && column.allows(*one));
    if may_be_other && parse_json(&text).is_ok_and(|value| is_of_other_type(column, &text, &value))
    {
        return Ok(Some(match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim_ascii()),
            Cow::Owned(text) => Cow::Owned(text.trim_ascii().to_owned()),
        }));
    }
    if may_be_string {
        return Ok(Some(Cow::Owned(quoted(&text))));
    }
    Err(expected(column))
}

/// Whether the value that a text stands for is allowed and no string.
fn is_of_other_type(column: &Column, text: &str, value: &Value) -> bool {
    match value {
        Value::String(_) => false,
        Value::Number(_) => {
            column.allows(JsonType::Number)
                || (column.allows(JsonType::Integer) && is_whole(text.trim_ascii()))
        }
        Value::Bool(_) => column.allows(JsonType::Boolean),
        Value::Null => column.allows(JsonType::Null),
        Value::Object(_) => column.allows(JsonType::Object),
        Value::Array(_) => column.allows(JsonType::Array),
    }
}

/// What a cell must be.
fn expected(column: &Column) -> String {
    let name = |one: &JsonType| match one {
        JsonType::Integer if column.allows(JsonType::Number) => None,
        JsonType::String => None,
        JsonType::Number => Some("a number"),
        JsonType::Integer => Some("an integer"),
        JsonType::Boolean => Some("true or false"),
        JsonType::Null => Some("null"),
        JsonType::Object => Some("an object as JSON"),
        JsonType::Array => Some("an array as JSON"),
    };
    let allowed = JsonType::ALL.iter().filter(|one| column.allows(**one));
    let names: Vec<&str> = allowed.filter_map(name).collect();
    if names.is_empty() {
        "must be empty".to_owned()
    } else {
        format!("must be {}", names.join(" or "))
    }
}

/// The tags in a cell.
fn tags_of(cell: &str) -> Result<Vec<String>, Violation> {
    if cell.is_empty() {
        return Ok(Vec::new());
    }
    serde_json::from_str(cell).map_err(|_| {
        let message = format!("`{TAGS}` must be a JSON array of strings");
        Violation::of_keyword("", String::new(), message)
    })
}

/// Sets the values of `_other`, and returns what is wrong with them.
fn set_other<'c>(data: &mut Composition<'c>, cell: &'c str) -> Vec<Violation> {
    if cell.is_empty() {
        return Vec::new();
    }
    let violation = |message: String| Violation::of_keyword("", String::new(), message);
    // Only this finds names that occur twice.
    if let Err(rejection) = parse_json(cell) {
        return vec![violation(format!("`{OTHER}` {rejection}"))];
    }
    let Ok(SpelledMembers(members)) = serde_json::from_str(cell) else {
        return vec![violation(format!("`{OTHER}` must be a JSON object"))];
    };
    let mut violations = Vec::new();
    for (pointer, value) in members {
        let pointer: String = serde_json::from_str(pointer.get()).unwrap_or_default();
        let value: &'c RawValue = value;
        let set = names(&pointer).and_then(|names| {
            let is_set = data.set(names.into_iter().map(Cow::from), value.get().into());
            let problem = "is inside of a value that is not an object, or that is given as a whole";
            is_set.then_some(()).ok_or(problem)
        });
        if let Err(problem) = set {
            let pointer = abridged(&pointer);
            violations.push(violation(format!("`{OTHER}`: `{pointer}` {problem}")));
        }
    }
    violations
}
