//! Files of submissions.

use serde::Serialize;

use crate::output::{Column, Fit, Record};

/// A file of a submission.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SubmittedFile {
    identifier: String,
    submission_identifier: String,
    file_attribute_name: String,
    file_name: String,
    file_size: u64,
    mime_type: String,
    sha256: String,
    creator_id: String,
    date_created: String,
}

impl Record for SubmittedFile {
    const FIELDS: &'static [&'static str] = &[
        "identifier",
        "submissionIdentifier",
        "fileAttributeName",
        "fileName",
        "fileSize",
        "mimeType",
        "sha256",
        "creatorId",
        "dateCreated",
    ];
    const COLUMNS: &'static [Column] = &[
        Column::new("identifier", "identifier", Fit::Key),
        Column::new("attribute", "fileAttributeName", Fit::CutEnd),
        Column::new("name", "fileName", Fit::CutEnd),
        Column::new("bytes", "fileSize", Fit::Whole),
        Column::new("type", "mimeType", Fit::CutEnd),
        Column::new("submission", "submissionIdentifier", Fit::Whole),
        Column::new("created", "dateCreated", Fit::Date),
    ];
}

impl From<formalize_core::files::SubmittedFile> for SubmittedFile {
    fn from(file: formalize_core::files::SubmittedFile) -> Self {
        Self {
            identifier: file.id.to_string(),
            submission_identifier: file.submission.to_string(),
            file_attribute_name: file.attribute.as_str().to_owned(),
            file_name: file.name.as_str().to_owned(),
            file_size: file.size,
            mime_type: file.mime_type.as_str().to_owned(),
            sha256: file.sha256.to_string(),
            creator_id: file.creator.to_string(),
            date_created: file.date_created.to_string(),
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
    const FIELDS: &'static [&'static str] = &["identifier", "dateEnds"];
    const COLUMNS: &'static [Column] = &[
        Column::new("identifier", "identifier", Fit::Key),
        Column::new("ends", "dateEnds", Fit::Date),
    ];
}

impl From<formalize_core::files::FileHold> for FileHold {
    fn from(hold: formalize_core::files::FileHold) -> Self {
        Self {
            identifier: hold.id.to_string(),
            date_ends: hold.date_ends.to_string(),
        }
    }
}
