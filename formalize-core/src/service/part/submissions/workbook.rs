//! A workbook that says which export it contains.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::export::Export;
use crate::export::{Headers, WorkbookWriter};
use crate::model::submission::{OutputValidation, SubmissionFilter};

impl Export {
    /// A writer for the submissions of this export, with temporary files in `folder`.
    ///
    /// # Errors
    ///
    /// If no file can be created in the folder.
    pub fn workbook(&self, headers: Headers, folder: &Path) -> io::Result<WorkbookWriter> {
        let columns = Arc::clone(&self.columns);
        WorkbookWriter::new(columns, headers, facts(self), self.began, folder)
    }
}

/// What the sheet `About` says of an export.
fn facts(export: &Export) -> Vec<(&'static str, String)> {
    let (id, form) = (export.form.id, export.form());
    let SubmissionFilter {
        creator,
        state,
        tag,
        created_from,
        created_before,
        output,
        newest_first: _,
    } = &export.filter;
    let reduced = (*output == OutputValidation::Keys).then(|| "KEYS".to_owned());
    let has_labels = export.columns.has_labels();
    let labels = has_labels.then(|| "in place of stored values".to_owned());
    let facts = [
        ("Form", form.map(|form| form.name.as_str().to_owned())),
        ("Form identifier", Some(id.to_string())),
        ("Time", Some(export.began.to_string())),
        ("Creator", creator.clone()),
        ("State", state.map(|state| state.as_str().to_owned())),
        ("Tag", tag.clone()),
        ("Created from", created_from.map(|time| time.to_string())),
        (
            "Created before",
            created_before.map(|time| time.to_string()),
        ),
        ("Output validation", reduced),
        ("Labels", labels),
    ];
    let facts = facts.into_iter();
    facts
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
}
