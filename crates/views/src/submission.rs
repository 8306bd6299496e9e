//! Submissions.

use formalize_core::{
    self as core, Change, Error, FormId, Viewed,
    files::FileId,
    submissions::{MAX_DATA_BYTES, RequestedState},
};

use crate::{
    BadValue, Id, Instant, Members, OrNull,
    file::SubmittedFile,
    form::{SubmissionState, TagAction},
    names,
    request::{Clearable, LIGHT, Nullable, Optional, Required, request_body},
    value_types as values,
    view::view,
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
pub(crate) fn check_size(data: &str) -> Result<(), Error> {
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
        members.refuse(BadValue::NoSuchFiles(unknown));
    }
    texts.iter().filter_map(parsed).collect()
}

fn requested(state: Option<String>) -> RequestedState {
    state.map_or_else(RequestedState::default, |word| {
        RequestedState::from_word(&word)
    })
}

view! {
    /// A submission to a form.
    revised struct Submission {
        /// Identifier of the submission.
        identifier: Id,
        /// Identifier of the form.
        form_identifier: Id,
        /// The data: a string containing JSON, exactly as it was sent.
        data_feed_element: OrNull<String>,
        /// Whether it is submitted or a draft.
        submission_state: SubmissionState,
        /// Identifier of the user who created it.
        creator_id: String,
        /// Identifier of the user who last changed it.
        last_modified_by_id: String,
        /// When it was created.
        date_created: Instant,
        /// When it was last changed.
        date_last_modified: Instant,
        /// The files, in the order in which they were added.
        submitted_files: Vec<SubmittedFile>,
        /// The tags, in the order in which they were set; absent if the caller may not see them.
        #[serde(skip_serializing_if = "Option::is_none")]
        tags: Option<Vec<String>>,
        /// The caller's actions on the submission.
        granted_actions: Vec<String>,
        /// What the caller may do with its tags.
        granted_tag_actions: Vec<TagAction>,
    }
}

impl Submission {
    /// The submission; `url_of` is the URL of the content of a file.
    pub fn new(
        view: Viewed<core::Submission>,
        url_of: impl Fn(&core::files::SubmittedFile) -> String,
    ) -> Self {
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
                .map(|file| SubmittedFile::new(file, url_of(file)))
                .collect(),
            tags: sees_tags.then(|| item.tags.iter().map(str::to_owned).collect()),
            granted_actions: names(&view.granted_actions),
            granted_tag_actions: view.tag_actions.iter().map(Into::into).collect(),
            revision: item.revision.as_uuid(),
        }
    }
}
