//! Files of submissions.

use formalize_core as core;

use crate::{Id, Instant, view::view};

view! {
    /// A file of a submission. It never changes: to replace it, remove it and add another one.
    struct SubmittedFile {
        /// Identifier of the file.
        identifier: Id,
        /// Group of files of the form that it belongs to.
        file_attribute_name: String,
        /// Name of the file; a label that need not be unique.
        file_name: String,
        /// Size of the content in bytes.
        file_size: u64,
        /// Media type, found in the content.
        mime_type: String,
        /// SHA-256 of the content: 64 hexadecimal digits.
        sha256: String,
        /// Identifier of the user who added it.
        creator_id: String,
        /// When it was added.
        date_created: Instant,
        /// URL of the content. Reading it needs credentials and permission to read the submission.
        #[serde(skip_serializing_if = "String::is_empty")]
        download_url: String,
    }
}

impl SubmittedFile {
    /// The file with the URL of its content. Without a server, the URL is empty, and the record has none.
    pub fn new(file: &core::files::SubmittedFile, download_url: String) -> Self {
        Self {
            identifier: file.id.into(),
            file_attribute_name: file.attribute.to_string(),
            file_name: file.name.to_string(),
            file_size: file.size,
            mime_type: file.mime_type.to_string(),
            sha256: file.sha256.to_string(),
            creator_id: file.creator.to_string(),
            date_created: file.date_created.into(),
            download_url,
        }
    }
}
