//! Submissions as documents: the columns of a table, its cells, and writers for NDJSON, JSON,
//! with the feature `csv` CSV, and with the feature `xlsx` workbooks of spreadsheet programs.
//!
//! [`SubmissionsService::export`](crate::SubmissionsService::export) reads the submissions of a form in one snapshot, and a
//! [`TextWriter`] turns them into a document, window by window, in memory that does not depend on their number.
//!
//! # Columns
//!
//! A table has the columns `_identifier`, `_submissionState`, `_creatorId`, `_dateCreated`, `_lastModifiedById` and
//! `_dateLastModified`, then `_tags` if the caller may see tags, then one for each leaf of the form's schema, then `_submittedFiles` if the schema has rules about files, then
//! `_other`. `_submittedFiles` has the names of files, separated by commas; their contents are in no document.
//!
//! - **Names.** The header is the JSON Pointer of the leaf without its first slash: `email`, `address/street`. A pointer
//!   keeps the slash if the header would be empty or begin with `_` or `/`, so no two columns have the same header.
//! - **Which.** Properties have the order of the schema's text. `$ref` is followed. The branches of `allOf`, `anyOf`, `oneOf`,
//!   `if`, `then`, `else` and `dependentSchemas` are united, and the first one that mentions a property gives its place. An
//!   object with `properties` is opened if its type is `object` or not stated, up to [`Columns::MAX_DEPTH`] levels.
//!   Everything else is a leaf, and so is a reference to a schema that contains it. There are at most [`Columns::MAX`] leaves.
//! - **Labels.** `localizedName` in the language, else in English, else `title`, else the name. If several are equal, the
//!   names follow in parentheses.
//!
//! # Cells
//!
//! A string is a cell as it is, a number has its own digits, and `true`, `false`, `null`, arrays and objects are compact
//! JSON. A member that is absent is an empty cell. `_other` is a JSON object from JSON Pointer to value of everything that
//! the cells cannot give back, by these rules for reading them:
//!
//! 1. An empty cell is an absent member.
//! 2. If [only strings are allowed](Column::allows), the cell is the string. If none is, the cell is JSON. If both are, it is
//!    JSON if it is JSON of another allowed type, and otherwise the string.
//! 3. The values of `_other` are set afterwards, with the objects that contain them. `""` is the whole data.
//!
//! Data that is absent reads as `{}`, which has the same meaning.
//!
//! # Labels in cells
//!
//! After [`Export::with_labels`](crate::submissions::Export::with_labels), tables are for people: the cell of a choice has
//! its label instead of the stored value. Each choice of a multiple choice has a column behind that of the question, with
//! `1` where it was chosen; the cell of the question has the items that are not among the choices. The header of such a
//! column is that of the question, a colon, and the label of the choice, or its stored value in [`Headers::Path`]. Values
//! within other lists and objects remain stored values. The last column is `_notShown` instead of `_other`, with everything
//! that no cell shows. Such a table cannot be imported.
//!
//! # Repeated groups
//!
//! After [`Export::with_groups`](crate::submissions::Export::with_groups), a workbook has a table for each leaf that is a
//! list of objects with properties. It has a row for each item: `_identifier` of the submission, `_position` in the list,
//! counted from 1, the leaves of the item, and `_other` with pointers in the item. A list within an item is one cell. There
//! are at most `Columns::MAX_GROUPS` such tables, with [`Columns::MAX`] leaves in all of them. The table of submissions
//! still has the whole lists.
//!
//! ```
//! use formalize_core::DataSchema;
//! use formalize_core::export::{Cell, Columns, Guard};
//!
//! let schema = DataSchema::compile(r#"{"properties": {
//!     "name": {"type": "string", "localizedName": {"en": "Name", "de": "Name der Person"}},
//!     "address": {"type": "object", "properties": {"zip": {"type": "integer"}}}
//! }}"#)?;
//! let columns = Columns::of(Some(&schema), "de");
//! let [name, zip] = columns.leaves() else { panic!() };
//! assert_eq!((name.name(), name.label()), ("name", "Name der Person"));
//! assert_eq!((zip.name(), zip.label()), ("address/zip", "address/zip"));
//!
//! let cells = columns.cells(r#"{"name": "Ada", "address": {"zip": 8010, "floor": 2}}"#, Guard::On);
//! assert_eq!(cells.leaves, [Cell::Text("Ada".into()), Cell::Number("8010")]);
//! assert_eq!(cells.other.as_deref(), Some(r#"{"/address/floor":2}"#));
//! # Ok::<(), formalize_core::Rejection>(())
//! ```

mod cells;
mod column;
mod columns;
#[cfg(feature = "csv")]
mod csv;
#[cfg(feature = "xlsx")]
mod groups;
mod guard;
mod labels;
#[cfg(any(feature = "csv", feature = "xlsx"))]
mod record;
#[cfg(feature = "xlsx")]
mod sheets;
#[cfg(test)]
pub(crate) mod tests;
mod text;
mod types;
mod walk;
#[cfg(feature = "xlsx")]
mod workbook;

pub(crate) use cells::is_whole;
pub use cells::{Cell, Cells};
pub use column::{Column, Columns};
pub use columns::Headers;
pub(crate) use columns::NOT_SHOWN;
#[cfg(feature = "csv")]
pub use csv::{CsvOptions, Separator};
pub use guard::Guard;
pub use text::{TextFormat, TextWriter};
pub use types::JsonType;
#[cfg(feature = "xlsx")]
pub use workbook::WorkbookWriter;
