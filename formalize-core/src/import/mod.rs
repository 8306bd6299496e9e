//! Submissions from documents: the reverse of [`export`](crate::export).
//!
//! A [`Table`] reads the rows of a table, such as CSV, and a [`LineReader`] reads lines of NDJSON. Each makes a
//! [`BatchItem`] of a row. [`SubmissionsService::import`](crate::SubmissionsService::import) creates the submissions, and
//! [`check_import`](crate::SubmissionsService::check_import) tells what it would do. Both apply all rules for
//! single submissions.
//!
//! # Columns
//!
//! The headers are those of an export: the names of [`Columns`](crate::export::Columns), `_submissionState`, `_other` and
//! so on. `_creatorId`, `_dateCreated`, `_lastModifiedById` and `_dateLastModified` are not read: the caller becomes the
//! creator. [`ImportOptions`] rename and ignore headers. Any other header is an error, and so are two headers for one
//! column. A table with [labels](crate::export#labels-in-cells) is refused: its cells are not the stored values.
//!
//! # Cells
//!
//! 1. An empty cell is an absent member.
//! 2. One `'` before a formula is taken away, see [`Guard`](crate::export::Guard).
//! 3. Where the schema allows only strings, the cell is the string. Where it allows none, the cell must be JSON of an allowed
//!    type. Where it allows both, the cell is JSON if it is JSON of an allowed type other than string, and otherwise the string.
//! 4. The values of `_other` are set afterwards, with the objects that contain them. `""` is the whole data.
//!
//! So data is the same after an export and an import.
//!
//! # Keys
//!
//! Each row can have a key, with which it is imported once: by default the identifier that it had when it was exported.
//!
//! ```
//! use std::sync::Arc;
//! use formalize_core::export::Columns;
//! use formalize_core::import::{ImportOptions, Row, Table};
//! use formalize_core::{DataSchema, submissions::BatchItem};
//!
//! let schema = DataSchema::compile(r#"{"properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}"#)?;
//! let columns = Arc::new(Columns::of(Some(&schema), "en"));
//! let mut options = ImportOptions::default();
//! options.renamed.insert("Years".to_owned(), "age".to_owned());
//!
//! let table = Table::new(Arc::clone(&columns), &["Years", "name"], &options)?;
//! let row = table.row(&["36", "Ada"])?;
//! assert_eq!(row, Row::Submission(BatchItem::new(r#"{"name":"Ada","age":36}"#)));
//! let refused = table.row(&["old", "Ada"]).unwrap_err();
//! assert_eq!(refused.messages(), ["/age: must be an integer"]);
//!
//! let refused = Table::new(columns, &["Age"], &options).unwrap_err();
//! assert!(refused.to_string().contains("`Age`"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod composition;
mod lines;
mod table;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

pub use lines::{LineFormat, LineReader};
pub use table::{HeaderProblem, InvalidHeaders, Table};

use formalize_schema::{Rejection, Violation};

use crate::model::batch::{BatchItem, ItemKey};
use crate::model::submission::RequestedState;
use crate::model::words::SubmissionState;

/// The column, or member, with the reasons why a row was rejected. It is not read.
pub const ERROR: &str = "_error";

/// How the headers of a table, or the members of lines, are read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportOptions {
    /// The names of columns by headers. Only tables use it.
    pub renamed: HashMap<String, String>,
    /// Headers, or members, that are not read.
    pub ignored: HashSet<String>,
    /// Whether unknown headers, or members, are not read instead of being an error.
    pub ignores_unknown: bool,
    /// The keys of rows.
    pub keys: Keys,
    /// The state of all submissions. By default, each row has its own; without one it is *submitted*.
    pub state: Option<SubmissionState>,
}

/// Where the keys of rows are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Keys {
    /// The identifiers of an export. A row without one has no key.
    #[default]
    Identifier,
    /// In the column with this header, or the member with this name. Each row must have one.
    Named(String),
    /// Rows have no keys.
    None,
}

/// What a row is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    /// A submission.
    Submission(BatchItem),
    /// The end marker of an export, with the number of rows before it.
    End(u64),
}

impl ImportOptions {
    fn ignores(&self, header: &str) -> bool {
        header == ERROR || self.ignored.contains(header)
    }

    /// The state of a row, whose own state is the word.
    fn state_of(&self, word: Option<&str>) -> RequestedState {
        match (self.state, word) {
            (Some(state), _) => state.into(),
            (None, None | Some("")) => RequestedState::default(),
            (None, Some(word)) => RequestedState::from_word(word),
        }
    }

    /// The key of a row with this text. `identifier` is the name of the default key.
    fn key_of(&self, text: Option<&str>, identifier: &str) -> Result<Option<ItemKey>, Violation> {
        let text = text.unwrap_or_default();
        let name = match &self.keys {
            Keys::None => return Ok(None),
            Keys::Identifier if text.is_empty() => return Ok(None),
            Keys::Identifier => identifier,
            Keys::Named(name) => name,
        };
        ItemKey::new(text).map(Some).map_err(|error| {
            let message = format!("`{name}` is the key and {error}");
            Violation::of_keyword("", String::new(), message)
        })
    }
}

/// A rejection without a place in the data.
fn unreadable(message: impl Into<String>) -> Rejection {
    Rejection::unreadable(message)
}
