//! The document of an export. The types describe it; the library writes the JSON.

use formalize_views::{Id, Instant, OrNull, form::SubmissionState};
use poem_openapi::Object;

/// The submissions of a form, as one document. This describes it; the library writes it.
#[derive(Debug, Object)]
pub struct ExportedSubmissions {
    /// The submissions, in the order of their creation.
    pub items: Vec<ExportedSubmission>,
    /// Number of submissions.
    pub count: u64,
}

/// A submission in a document.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExportedSubmission {
    /// Identifier of the submission.
    pub identifier: Id,
    /// Identifier of the form.
    pub form_identifier: Id,
    /// The data: a string containing JSON, exactly as it was sent.
    pub data_feed_element: OrNull<String>,
    /// Whether it is submitted or a draft.
    pub submission_state: SubmissionState,
    /// Identifier of the user who created it.
    pub creator_id: String,
    /// Identifier of the user who last changed it.
    pub last_modified_by_id: String,
    /// When it was created.
    pub date_created: Instant,
    /// When it was last changed.
    pub date_last_modified: Instant,
    /// The tags, in the order in which they were set; absent if the caller may not see them.
    #[oai(skip_serializing_if_is_none)]
    pub tags: Option<Vec<String>>,
    /// The files, in the order in which they were added, without their contents. Absent if there are none.
    #[oai(skip_serializing_if_is_none)]
    pub submitted_files: Option<Vec<ExportedFile>>,
}

/// A file of a submission in a document.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExportedFile {
    /// Identifier of the file.
    pub identifier: Id,
    /// Group of files of the form that it belongs to.
    pub file_attribute_name: String,
    /// Name of the file; a label that need not be unique.
    pub file_name: String,
    /// Size of the content in bytes.
    pub file_size: u64,
    /// Media type, found in the content.
    pub mime_type: String,
    /// SHA-256 of the content: 64 hexadecimal digits.
    pub sha256: String,
}
