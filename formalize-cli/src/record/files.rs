//! Files of submissions.

use formalize_views::{Id, View, field_names, file};
use serde::Serialize;

use crate::output::{Column, Fit, Record};

/// A file, and the submission that it belongs to.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SubmittedFile {
    #[serde(flatten)]
    file: file::SubmittedFile,
    submission_identifier: Id,
}

impl Record for SubmittedFile {
    const COLUMNS: &'static [Column] = &[
        Column::new("identifier", "identifier", Fit::Key),
        Column::new("attribute", "fileAttributeName", Fit::CutEnd),
        Column::new("name", "fileName", Fit::CutEnd),
        Column::new("bytes", "fileSize", Fit::Whole),
        Column::new("type", "mimeType", Fit::CutEnd),
        Column::new("submission", "submissionIdentifier", Fit::Whole),
        Column::new("created", "dateCreated", Fit::Date),
    ];
    const FIELDS: &'static [&'static str] = file::SubmittedFile::DECLARED;

    /// The command line reads contents from the store, so there are no URLs.
    fn fields() -> Vec<String> {
        let names = field_names(Self::FIELDS).filter(|name| name != "downloadUrl");
        names.chain(["submissionIdentifier".to_owned()]).collect()
    }
}

impl From<formalize_core::files::SubmittedFile> for SubmittedFile {
    fn from(file: formalize_core::files::SubmittedFile) -> Self {
        Self {
            file: file::SubmittedFile::new(&file, String::new()),
            submission_identifier: file.submission.into(),
        }
    }
}

/// A hold on files.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FileHold {
    identifier: String,
    date_ends: String,
}

impl Record for FileHold {
    const COLUMNS: &'static [Column] = &[
        Column::new("identifier", "identifier", Fit::Key),
        Column::new("ends", "dateEnds", Fit::Date),
    ];
    const FIELDS: &'static [&'static str] = &["identifier", "date_ends"];
}

impl From<formalize_core::files::FileHold> for FileHold {
    fn from(hold: formalize_core::files::FileHold) -> Self {
        Self {
            identifier: hold.id.to_string(),
            date_ends: hold.date_ends.to_string(),
        }
    }
}
