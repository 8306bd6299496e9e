//! Files of submissions.

use std::sync::Arc;

use formalize_core::{self as core, SubmissionId, files::FileId};
use formalize_http::contract::Operation;
use formalize_http::tag::EntityTag;
use poem_openapi::Object;
use serde::Serialize;

use super::{Id, Instant, Item};

/// Something with files, together with the base of their URLs.
#[derive(Debug, Clone)]
pub struct WithBase<T> {
    /// What has the files.
    pub item: T,
    /// The base of URLs.
    pub base_url: Arc<str>,
}

/// A file of a submission. It never changes: to replace it, remove it and add another one.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct SubmittedFile {
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
    /// Identifier of the user who added it.
    pub creator_id: String,
    /// When it was added.
    pub date_created: Instant,
    /// URL of the content. Reading it needs credentials and permission to read the submission.
    pub download_url: String,
}

impl SubmittedFile {
    /// The representation of a file, for responses with URLs of this base.
    pub fn new(file: &core::files::SubmittedFile, base_url: &str) -> Self {
        let operation = Operation::GetSubmittedFileContent;
        let url = url_of(operation, file.submission, file.id, base_url);
        Self {
            identifier: file.id.into(),
            file_attribute_name: file.attribute.to_string(),
            file_name: file.name.to_string(),
            file_size: file.size,
            mime_type: file.mime_type.to_string(),
            sha256: file.sha256.to_string(),
            creator_id: file.creator.to_string(),
            date_created: file.date_created.into(),
            download_url: url,
        }
    }
}

/// The URL of an operation about a file.
pub fn url_of(
    operation: Operation,
    submission: SubmissionId,
    file: FileId,
    base_url: &str,
) -> String {
    let path = operation.spec().path;
    let path = path.replace("{identifier}", &submission.to_string());
    let path = path.replace("{fileIdentifier}", &file.to_string());
    format!("{base_url}{path}")
}

impl From<WithBase<core::files::SubmittedFile>> for SubmittedFile {
    fn from(file: WithBase<core::files::SubmittedFile>) -> Self {
        Self::new(&file.item, &file.base_url)
    }
}

impl Item for SubmittedFile {
    fn tag(&self, _json: &str) -> EntityTag {
        EntityTag::of_content(&self.sha256)
    }
}
