//! Lines of NDJSON.

use std::borrow::Cow;

use formalize_schema::internals::SpelledMembers;
use formalize_schema::{Rejection, Violation, parse_json};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::composition::quoted;
use super::{ERROR, ImportOptions, Keys, Row, unreadable};
use crate::export::Columns;
use crate::model::batch::BatchItem;

/// The member with a line that is no JSON object, in a file of rejected lines.
const LINE: &str = "_line";

const DATA: &str = "dataFeedElement";
const STATE: &str = "submissionState";
const TAGS: &str = "tags";
const IDENTIFIER: &str = "identifier";

/// The members of an export that are not read.
const UNREAD: [&str; 7] = [
    IDENTIFIER,
    "formIdentifier",
    "creatorId",
    "lastModifiedById",
    "dateCreated",
    "dateLastModified",
    "submittedFiles",
];

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineFormat {
    /// A submission, as an export writes it.
    Ndjson,
    /// The data of a submission. A last member [`ERROR`] is left out if it is a string and the schema does not describe it.
    Data,
}

/// Reads submissions from lines.
///
/// ```
/// use formalize_core::export::Columns;
/// use formalize_core::import::{ImportOptions, LineFormat, LineReader, Row};
///
/// let options = ImportOptions::default();
/// let reader = LineReader::new(LineFormat::Ndjson, &Columns::default(), options);
/// let row = reader.row(r#"{"dataFeedElement": "{\"a\": 1.00}", "submissionState": "submitted"}"#)?;
/// let Row::Submission(item) = row else { panic!() };
/// assert_eq!(item.data.as_deref(), Some(r#"{"a": 1.00}"#));
/// let refused = reader.row(r#"{"data": {"a": 1}}"#).unwrap_err();
/// assert_eq!(refused.messages(), ["unknown field `data`"]);
/// # Ok::<(), formalize_core::Rejection>(())
/// ```
#[derive(Debug, Clone)]
pub struct LineReader {
    format: LineFormat,
    options: ImportOptions,
    /// Whether the data of the form has a member with the name of [`ERROR`].
    describes_error: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EndMarker {
    end: End,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct End {
    rows: u64,
}

impl LineReader {
    /// A reader for a form with these columns.
    pub fn new(format: LineFormat, columns: &Columns, options: ImportOptions) -> Self {
        let is_error = |pointer: &str| {
            let name = pointer
                .strip_prefix('/')
                .and_then(|it| it.split('/').next());
            name == Some(ERROR)
        };
        let describes_error = columns.leaves().iter().any(|leaf| is_error(leaf.pointer()));
        Self {
            format,
            options,
            describes_error,
        }
    }

    /// Reads a line.
    ///
    /// # Errors
    ///
    /// A [`Rejection`] with everything that is wrong with the line. The data may still violate the schema.
    pub fn row(&self, line: &str) -> Result<Row, Rejection> {
        if rejected_line(line) {
            let message = format!("replace this line by the corrected text of `{LINE}`");
            return Err(unreadable(message));
        }
        match self.format {
            LineFormat::Ndjson => self.submission(line),
            LineFormat::Data => Ok(Row::Submission(BatchItem {
                state: self.options.state_of(None),
                ..BatchItem::new(self.without_error(line))
            })),
        }
    }

    /// A line for a file of rejected lines: the same with the reason as the last member, [`ERROR`].
    ///
    /// If the line has no room for it, it is a JSON string in an object: `{"_line": "…", "_error": "…"}`.
    ///
    /// ```
    /// # use formalize_core::export::Columns;
    /// # use formalize_core::import::{ImportOptions, LineFormat, LineReader};
    /// # let (columns, options) = (Columns::default(), ImportOptions::default());
    /// let reader = LineReader::new(LineFormat::Data, &columns, options);
    /// assert_eq!(reader.rejected(r#"{"a": 1}"#, "too old"), r#"{"a":1,"_error":"too old"}"#);
    /// assert_eq!(reader.rejected("{", "not JSON"), r#"{"_line":"{","_error":"not JSON"}"#);
    /// ```
    pub fn rejected(&self, line: &str, reason: &str) -> String {
        let reason = quoted(reason);
        let line = self.without_error(line);
        let has_room = !self.describes_error || self.format == LineFormat::Ndjson;
        let members = serde_json::from_str::<SpelledMembers<'_>>(&line);
        match members {
            Ok(SpelledMembers(members)) if has_room || rejected_line(&line) => {
                let kept = members
                    .into_iter()
                    .filter(|(name, _)| !is_named(name, ERROR));
                let kept = kept.map(|(name, value)| format!("{}:{},", name.get(), value.get()));
                format!("{{{}\"{ERROR}\":{reason}}}", kept.collect::<String>())
            }
            _ => format!("{{\"{LINE}\":{},\"{ERROR}\":{reason}}}", quoted(&line)),
        }
    }

    /// The data without the reason for which it was rejected before.
    fn without_error<'l>(&self, line: &'l str) -> Cow<'l, str> {
        if self.format == LineFormat::Ndjson || self.describes_error {
            return Cow::Borrowed(line);
        }
        let Ok(SpelledMembers(members)) = serde_json::from_str(line) else {
            return Cow::Borrowed(line);
        };
        match members.split_last() {
            Some(((name, value), rest)) if is_named(name, ERROR) && is_string(value) => {
                let rest = rest.iter();
                let rest = rest.map(|(name, value)| format!("{}:{}", name.get(), value.get()));
                Cow::Owned(format!("{{{}}}", rest.collect::<Vec<_>>().join(",")))
            }
            _ => Cow::Borrowed(line),
        }
    }

    /// Reads a submission as an export writes it.
    fn submission(&self, line: &str) -> Result<Row, Rejection> {
        if let Ok(marker) = serde_json::from_str::<EndMarker>(line) {
            return Ok(Row::End(marker.end.rows));
        }
        // Only this finds names that occur twice.
        parse_json(line)?;
        let Ok(SpelledMembers(members)) = serde_json::from_str(line) else {
            return Err(violation("", "must be an object").into());
        };
        let mut read = Read::default();
        for (name, value) in &members {
            let name: String = serde_json::from_str(name.get()).unwrap_or_default();
            self.member(&name, value, &mut read);
        }
        let key = match &read.key {
            None if read.is_key_invalid => None,
            key => {
                let key = self.options.key_of(key.as_deref(), IDENTIFIER);
                key.unwrap_or_else(|invalid| {
                    read.violations.push(invalid);
                    None
                })
            }
        };
        Rejection::if_any(read.violations)?;
        Ok(Row::Submission(BatchItem {
            data: read.data,
            state: self.options.state_of(read.state.as_deref()),
            tags: read.tags,
            key,
        }))
    }

    fn member(&self, name: &str, value: &RawValue, read: &mut Read) {
        let is_key = match &self.options.keys {
            Keys::Identifier => name == IDENTIFIER && !self.options.ignores(name),
            Keys::Named(key) => name == key,
            Keys::None => false,
        };
        if is_key {
            read.key = key_text(value);
            if read.key.is_none() {
                read.is_key_invalid = true;
                let message = "must be a string or a number, because it is the key";
                read.violations.push(violation(name, message));
            }
        }
        match name {
            _ if self.options.ignores(name) || UNREAD.contains(&name) => {}
            DATA => {
                if let Ok(data) = serde_json::from_str(value.get()) {
                    read.data = data;
                } else {
                    let message = "must be a string containing JSON, or null";
                    read.violations.push(violation(name, message));
                }
            }
            STATE => match serde_json::from_str(value.get()) {
                Ok(state) => read.state = Some(state),
                Err(_) => read.violations.push(violation(name, "must be a string")),
            },
            TAGS => match serde_json::from_str::<Option<Vec<String>>>(value.get()) {
                Ok(tags) => read.tags = tags.unwrap_or_default(),
                Err(_) => read
                    .violations
                    .push(violation(name, "must be an array of strings")),
            },
            _ if is_key || self.options.ignores_unknown => {}
            _ => {
                let message = format!("unknown field `{name}`");
                read.violations.push(violation("", &message));
            }
        }
    }
}

/// What was read of a line.
#[derive(Default)]
struct Read {
    data: Option<String>,
    state: Option<String>,
    tags: Vec<String>,
    key: Option<String>,
    is_key_invalid: bool,
    violations: Vec<Violation>,
}

/// The text of a key: a string, or the digits of a number.
fn key_text(value: &RawValue) -> Option<String> {
    if is_string(value) {
        return serde_json::from_str(value.get()).ok();
    }
    let is_number = serde_json::from_str::<serde_json::Number>(value.get()).is_ok();
    is_number.then(|| value.get().to_owned())
}

fn is_string(value: &RawValue) -> bool {
    value.get().starts_with('"')
}

/// Whether a name, spelled as JSON, is this one.
fn is_named(spelled: &RawValue, name: &str) -> bool {
    serde_json::from_str::<String>(spelled.get()).is_ok_and(|found| found == name)
}

/// Whether a line stands for a rejected one that is no JSON object.
fn rejected_line(line: &str) -> bool {
    let Ok(SpelledMembers(members)) = serde_json::from_str(line) else {
        return false;
    };
    let is_of = |(name, value): &(&RawValue, &RawValue), known: &str| {
        is_named(name, known) && is_string(value)
    };
    match members.as_slice() {
        [line, error] => is_of(line, LINE) && is_of(error, ERROR),
        _ => false,
    }
}

/// A violation by a member of a line; `""` is the whole line.
fn violation(member: &str, message: &str) -> Violation {
    let pointer = match member {
        "" => String::new(),
        member => format!("/{member}"),
    };
    Violation::of_keyword("", pointer, message)
}
