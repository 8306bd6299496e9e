//! Reads files: NDJSON, with one record on each line, or for people also CSV.

use std::{
    collections::HashSet,
    fs::File,
    io::{self, BufRead, BufReader},
    path::Path,
};

use formalize_core::UserId;
use serde_json::{Map, Value};

use super::{
    Kind,
    records::{Record, Records, fold},
};

/// The maximum number of records of a file.
const MAX_RECORDS: usize = 500_000;
/// The columns of people that are not local data.
const COLUMNS: [&str; 3] = ["identifier", "givenName", "familyName"];

/// Why a file cannot be used. It may name members and columns, but does not contain values, which are personal.
#[derive(Debug, thiserror::Error)]
pub enum FileProblem {
    /// The file cannot be read.
    #[error("cannot read the file: {0}")]
    Unreadable(#[from] io::Error),
    /// A line is invalid.
    #[error("line {line}: {problem}")]
    Line {
        /// The number of the line, from 1.
        line: u64,
        /// What is wrong.
        problem: String,
    },
}

/// Reads a file.
pub(super) fn read(kind: Kind, path: &Path) -> Result<Records, FileProblem> {
    let file = BufReader::new(File::open(path)?);
    let is_csv = path.extension().is_some_and(|end| end == "csv");
    let mut found = Found::new(kind);
    if is_csv && kind == Kind::People {
        read_csv(file, &mut found)?;
    } else {
        read_lines(file, &mut found)?;
    }
    Ok(found.into_records())
}

/// The records found so far.
struct Found {
    kind: Kind,
    /// Each record with the names that it is sorted by.
    records: Vec<(Names, Record)>,
    identifiers: HashSet<String>,
}

/// Family name and given name, folded.
type Names = (String, String);

impl Found {
    fn new(kind: Kind) -> Self {
        Self {
            kind,
            records: Vec::new(),
            identifiers: HashSet::new(),
        }
    }

    fn add(&mut self, object: Map<String, Value>) -> Result<(), String> {
        if self.records.len() == MAX_RECORDS {
            return Err(format!("a file has at most {MAX_RECORDS} records"));
        }
        let (names, record) = match self.kind {
            Kind::People => person(object)?,
            _ => (Names::default(), thing(object)?),
        };
        if !self.identifiers.insert(record.identifier().to_owned()) {
            return Err("another record has the same `identifier`".to_owned());
        }
        self.records.push((names, record));
        Ok(())
    }

    /// People by family name, given name and identifier; others in the order of the file.
    fn into_records(mut self) -> Records {
        if self.kind == Kind::People {
            self.records.sort_by(|(names, record), (others, other)| {
                (names, record.identifier()).cmp(&(others, other.identifier()))
            });
        }
        Records::new(self.records.into_iter().map(|(_, record)| record).collect())
    }
}

fn read_lines(file: impl BufRead, found: &mut Found) -> Result<(), FileProblem> {
    for (line, bytes) in (1..).zip(file.split(b'\n')) {
        let bytes = bytes?;
        let bytes = match line {
            1 => bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes),
            _ => &bytes,
        };
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        let added = object(bytes).and_then(|object| found.add(object));
        added.map_err(|problem| FileProblem::Line { line, problem })?;
    }
    Ok(())
}

fn object(line: &[u8]) -> Result<Map<String, Value>, String> {
    let text = str::from_utf8(line).map_err(|_| "the line is not UTF-8".to_owned())?;
    match formalize_core::parse_json(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err("the line must be a JSON object".to_owned()),
        Err(rejection) => Err(format!("the line {rejection}")),
    }
}

fn read_csv(file: impl BufRead, found: &mut Found) -> Result<(), FileProblem> {
    let mut reader = csv::Reader::from_reader(file);
    let header = reader.headers().map_err(csv_problem)?.clone();
    check_header(&header).map_err(|problem| FileProblem::Line { line: 1, problem })?;
    for record in reader.records() {
        let record = record.map_err(csv_problem)?;
        let line = record.position().map_or(0, csv::Position::line);
        let mut object = Map::new();
        let mut local_data = Map::new();
        for (column, cell) in header.iter().zip(&record) {
            let to = if COLUMNS.contains(&column) {
                &mut object
            } else {
                &mut local_data
            };
            if !cell.is_empty() {
                to.insert(column.to_owned(), cell.into());
            }
        }
        if !local_data.is_empty() {
            object.insert("localData".to_owned(), local_data.into());
        }
        let added = found.add(object);
        added.map_err(|problem| FileProblem::Line { line, problem })?;
    }
    Ok(())
}

fn check_header(header: &csv::StringRecord) -> Result<(), String> {
    if let Some(missing) = COLUMNS
        .iter()
        .find(|name| !header.iter().any(|column| column == **name))
    {
        return Err(format!(
            "the header has no column `{missing}`; columns are separated by commas"
        ));
    }
    let mut seen = HashSet::new();
    if !header.iter().all(|column| seen.insert(column)) {
        return Err("two columns have the same name".to_owned());
    }
    Ok(())
}

fn csv_problem(error: csv::Error) -> FileProblem {
    let line = error.position().map_or(1, csv::Position::line);
    let problem = match error.into_kind() {
        csv::ErrorKind::Io(error) => return FileProblem::Unreadable(error),
        csv::ErrorKind::Utf8 { .. } => "the line is not UTF-8".to_owned(),
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("the line has {len} fields, and the header {expected_len}"),
        _ => "the line is not CSV".to_owned(),
    };
    FileProblem::Line { line, problem }
}

fn person(mut object: Map<String, Value>) -> Result<(Names, Record), String> {
    let identifier = take_identifier(&mut object)?;
    let given = take_text(&mut object, "givenName")?.unwrap_or_default();
    let family = take_text(&mut object, "familyName")?.unwrap_or_default();
    let local_data = match object.remove("localData") {
        None => None,
        Some(Value::Object(local_data)) => Some(local_data),
        Some(_) => return Err("`localData` must be an object".to_owned()),
    };
    let filters = match object.remove("preparedFilters") {
        None => Some(Vec::new()),
        Some(Value::Array(names)) => names.into_iter().map(text).collect(),
        Some(_) => None,
    };
    let filters = filters.ok_or("`preparedFilters` must be an array of strings")?;
    if let Some(unknown) = object.keys().next() {
        return Err(format!(
            "people have no member `{unknown}`; put other data in `localData`"
        ));
    }
    let names = [&given, &family].map(String::as_str);
    let members = [
        ("identifier", &identifier),
        ("givenName", &given),
        ("familyName", &family),
    ];
    let members = members.map(|(name, text)| (name.to_owned(), text.as_str().into()));
    let record = Record::new(&identifier, members.into_iter().collect(), names)
        .with_local_data(local_data, filters);
    Ok(((fold(&family), fold(&given)), record))
}

/// An organization, a course or a room. All members are public.
fn thing(mut object: Map<String, Value>) -> Result<Record, String> {
    let identifier = take_identifier(&mut object)?;
    // The client takes a response with `error` for a failure.
    let is_reserved = |name: &&String| {
        name.starts_with('@') || name.starts_with("hydra:") || name.as_str() == "error"
    };
    if let Some(name) = object.keys().find(is_reserved) {
        return Err(format!("records must not have a member `{name}`"));
    }
    let texts: Vec<String> = object
        .values()
        .filter_map(|value| value.as_str().map(str::to_owned))
        .collect();
    object.insert("identifier".to_owned(), identifier.as_str().into());
    let texts = texts.iter().map(String::as_str);
    Ok(Record::new(&identifier, object, texts))
}

fn take_identifier(object: &mut Map<String, Value>) -> Result<String, String> {
    let identifier = take_text(object, "identifier")?.ok_or("`identifier` is missing")?;
    UserId::new(identifier.clone()).map_err(|error| format!("`identifier` {error}"))?;
    Ok(identifier)
}

fn take_text(object: &mut Map<String, Value>, name: &str) -> Result<Option<String>, String> {
    match object.remove(name) {
        None => Ok(None),
        Some(value) => match text(value) {
            Some(text) => Ok(Some(text)),
            None => Err(format!("`{name}` must be a string")),
        },
    }
}

fn text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}
