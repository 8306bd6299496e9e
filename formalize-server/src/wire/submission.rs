//! Submissions.

use formalize_core::{
    self as core, Change, Error, FormId, Viewed,
    files::FileId,
    submissions::{MAX_DATA_BYTES, RequestedState},
};
use formalize_http::contract::ErrorKey;
use formalize_http::failure::Refusal;
use poem_openapi::Object;
use serde::Serialize;
use uuid::Uuid;

use super::{
    Id, Instant, Members, OrNull,
    file::{SubmittedFile, WithBase},
    form::{SubmissionState, TagAction},
    located, names,
    request::{Clearable, LIGHT, Nullable, Optional, Required, request_body},
    value_types as values,
};

request_body! {
    "A submission to create."
    NewSubmission as "NewSubmission" {
        form: Required<values::Identifier> = FormIdentifier,
            "Identifier of the form.";
        data: Nullable<values::Json> = DataFeedElement,
            "The data: a string containing JSON, up to 1 MiB.";
        state: Optional<values::State> = SubmissionState,
            "Whether this is a draft; default: `submitted`.";
        tags: Optional<values::Tags> = Tags,
            "The tags, of those in `availableTags` of the form; duplicates are dropped.";
    }
    light up to LIGHT;
    build(self, members) -> core::NewSubmission {
        members.accept_some(self.data.as_deref().map(check_size));
        Some(core::NewSubmission {
            form: FormId::named(&self.form?),
            data: self.data,
            state: requested(self.state),
            tags: self.tags.unwrap_or_default(),
        })
    }
}

request_body! {
    "A change of a submission. Without `submissionState`, the change submits a draft."
    SubmissionChange as "SubmissionChange" {
        data: Clearable<values::Json> = DataFeedElement,
            "The new data: a string containing JSON, up to 1 MiB; null removes the data.";
        state: Optional<values::State> = SubmissionState,
            "The new state; default: `submitted`.";
        files: Optional<values::FileIdentifiers> = FilesToRemove,
            "Identifiers of files to remove.";
        tags: Optional<values::Tags> = Tags,
            "The tags afterwards, of those that the submission has or that are in `availableTags` of the form.";
    }
    light up to LIGHT;
    build(self, members) -> core::SubmissionChange {
        if let Change::Set(data) = &self.data {
            members.accept(check_size(data));
        }
        // Whether a file exists matters only if the rest of the body is valid.
        let files = file_ids(&self.files.unwrap_or_default(), members);
        Some(core::SubmissionChange {
            data: self.data,
            state: requested(self.state),
            files_to_remove: files,
            tags: self.tags,
            ignores_missing_files: false,
        })
    }
}

/// Rejects data above the limit before the referenced records are looked up.
pub(super) fn check_size(data: &str) -> Result<(), Error> {
    if data.len() > MAX_DATA_BYTES {
        return Err(Error::SubmissionDataTooLarge);
    }
    Ok(())
}

/// Parses identifiers of files. Text that is not a UUID is the identifier of no file.
fn file_ids(texts: &[String], members: &mut Members) -> Vec<FileId> {
    let parsed = |text: &String| text.parse::<FileId>().ok();
    let unknown = texts.iter().filter(|text| parsed(text).is_none());
    let unknown: Vec<String> = unknown.cloned().collect();
    if !unknown.is_empty() {
        members.refuse(Refusal::is(ErrorKey::SubmittedFilesNotFound).naming(unknown));
    }
    texts.iter().filter_map(parsed).collect()
}

fn requested(state: Option<String>) -> RequestedState {
    state.map_or_else(RequestedState::default, |word| {
        RequestedState::from_word(&word)
    })
}

/// A submission to a form.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct Submission {
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
    /// The files, in the order in which they were added.
    pub submitted_files: Vec<SubmittedFile>,
    /// The tags, in the order in which they were set; absent if the caller may not see them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    pub tags: Option<Vec<String>>,
    /// The caller's actions on the submission.
    pub granted_actions: Vec<String>,
    /// What the caller may do with its tags.
    pub granted_tag_actions: Vec<TagAction>,
    #[serde(skip)]
    #[oai(skip)]
    revision: Uuid,
}

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

impl Submission {
    /// The representation of a submission, for responses with URLs of this base.
    pub fn new(view: Viewed<core::Submission>, base_url: &str) -> Self {
        let sees_tags = view.sees_tags();
        let item = view.item;
        let files = item.files.iter();
        Self {
            identifier: item.id.into(),
            form_identifier: item.form.into(),
            data_feed_element: item.data.map(|text| text.to_string()).into(),
            submission_state: item.state.into(),
            creator_id: item.creator.to_string(),
            last_modified_by_id: item.last_modified_by.to_string(),
            date_created: item.date_created.into(),
            date_last_modified: item.date_last_modified.into(),
            submitted_files: files
                .map(|file| SubmittedFile::new(file, base_url))
                .collect(),
            tags: sees_tags.then(|| item.tags.iter().map(str::to_owned).collect()),
            granted_actions: names(&view.granted_actions),
            granted_tag_actions: view.tag_actions.iter().map(Into::into).collect(),
            revision: item.revision.as_uuid(),
        }
    }
}

impl From<WithBase<Viewed<core::Submission>>> for Submission {
    fn from(view: WithBase<Viewed<core::Submission>>) -> Self {
        Self::new(view.item, &view.base_url)
    }
}

located!(Submission, GetSubmission);
