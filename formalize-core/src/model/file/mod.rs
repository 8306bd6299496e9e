//! Files of submissions.

#[cfg(feature = "forms")]
mod detect;
#[cfg(feature = "forms")]
mod families;
pub(crate) mod hash;
pub(crate) mod mime_type;
pub(crate) mod name;
#[cfg(feature = "forms")]
pub(crate) mod new_file;
#[cfg(feature = "forms")]
pub(crate) mod rejection;

use crate::id::{FileHoldId, FileId, SubmissionId};
use crate::model::subject::UserId;
use crate::time::Timestamp;

use hash::ContentHash;
use mime_type::MimeType;
use name::FileName;

/// A file of a submission. It never changes: another content is another file.
#[derive(Debug, Clone, PartialEq, Eq)]
// Only code with the feature `forms` constructs files, so that enabling it elsewhere in a program breaks nothing.
#[cfg_attr(not(feature = "forms"), non_exhaustive)]
pub struct SubmittedFile {
    /// The identifier. Later files of a submission have later identifiers.
    pub id: FileId,
    /// The submission.
    pub submission: SubmissionId,
    /// The group of files that it belongs to.
    #[cfg(feature = "forms")]
    pub attribute: formalize_schema::FileAttributeName,
    /// The name, a label.
    pub name: FileName,
    /// The size of the content in bytes.
    pub size: u64,
    /// The type, found in the content.
    pub mime_type: MimeType,
    /// The hash of the content.
    pub sha256: ContentHash,
    /// The user who added the file.
    pub creator: UserId,
    /// The time at which it was added.
    pub date_created: Timestamp,
}

/// A hold on files: until it ends, no content of a file is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileHold {
    /// The identifier.
    pub id: FileHoldId,
    /// The time at which it ends, unless it is renewed.
    pub date_ends: Timestamp,
}
