//! Submissions as they were at an event, which stores keep for webhooks.

use std::fmt::Write;
use std::sync::Arc;

use crate::model::file::SubmittedFile;
use crate::model::subject::UserId;
use crate::model::submission::Submission;
use crate::time::Timestamp;

/// The data of a submission as it was at an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrozenSubmission {
    /// The data.
    pub data: Option<Arc<str>>,
    /// The user of the last change.
    pub last_modified_by: UserId,
    /// The time of creation.
    pub date_created: Timestamp,
    /// The time of the last change.
    pub date_last_modified: Timestamp,
    /// The tags and files as JSON: an object with the members `tags` and `submittedFiles`. `None` if an earlier version kept
    /// the data, without them.
    pub tags_and_files: Option<Arc<str>>,
}

impl FrozenSubmission {
    /// The maximum size of the data, in bytes. Larger data is not sent.
    pub const MAX_BYTES: usize = 256 * 1024;

    /// Whether the data of a submission is small enough to be sent.
    pub fn fits(submission: &Submission) -> bool {
        let data = submission.data.as_ref();
        data.is_none_or(|data| data.len() <= Self::MAX_BYTES)
    }

    /// The data of a submission as it is now, unless it is too large to be sent.
    pub fn of(submission: &Submission) -> Option<Self> {
        Self::fits(submission).then(|| Self {
            data: submission.data.clone(),
            last_modified_by: submission.last_modified_by.clone(),
            date_created: submission.date_created,
            date_last_modified: submission.date_last_modified,
            tags_and_files: Some(tags_and_files(submission).into()),
        })
    }
}

/// The tags and files of a submission, as an object. Members may be added at the end.
pub fn tags_and_files(submission: &Submission) -> String {
    let tags: Vec<&str> = submission.tags.iter().collect();
    let files: Vec<String> = submission.files.iter().map(file).collect();
    let mut text = String::new();
    let mut object = Object::begin(&mut text);
    object.raw("tags", &serde_json::Value::from(tags).to_string());
    object.raw("submittedFiles", &format!("[{}]", files.join(",")));
    object.end();
    text
}

/// A file as the REST interface shows it, without the URL of its content, which depends on the server.
fn file(file: &SubmittedFile) -> String {
    let mut text = String::new();
    let mut item = Object::begin(&mut text);
    item.text("identifier", &file.id.to_string());
    #[cfg(feature = "forms")]
    item.text("fileAttributeName", file.attribute.as_str());
    item.text("fileName", file.name.as_str());
    item.raw("fileSize", &file.size.to_string());
    item.text("mimeType", file.mime_type.as_str());
    item.text("sha256", &file.sha256.to_string());
    item.text("creatorId", file.creator.as_str());
    item.text("dateCreated", &file.date_created.to_string());
    item.end();
    text
}

/// A JSON object that is being written.
pub(super) struct Object<'a> {
    pub(super) text: &'a mut String,
    is_empty: bool,
}

impl<'a> Object<'a> {
    pub(super) fn begin(text: &'a mut String) -> Self {
        text.push('{');
        Self {
            text,
            is_empty: true,
        }
    }

    /// A member whose value is JSON.
    pub(super) fn raw(&mut self, name: &str, value: &str) {
        let comma = if self.is_empty { "" } else { "," };
        self.is_empty = false;
        // Writing to a text cannot fail.
        let _ = write!(self.text, "{comma}\"{name}\":{value}");
    }

    pub(super) fn text(&mut self, name: &str, value: &str) {
        self.raw(name, &serde_json::Value::from(value).to_string());
    }

    pub(super) fn end(self) {
        self.text.push('}');
    }
}
