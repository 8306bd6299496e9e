//! Submissions that are sent as `multipart/form-data`, with fields and files in any order.

use formalize_core::{
    Error, Submission, SubmissionChange, SubmissionId, Viewed,
    files::{FileId, Upload},
    submissions::ChangedSubmission,
};
use formalize_http::contract::ErrorKey;
use formalize_http::failure::Refusal;
use formalize_http::files::{FormFile, FormParts, at_fault, may_change};
use formalize_http::middleware::Streamed;
use formalize_http::request::Part;

use crate::{request::Visit, submissions, tags};

/// The maximum size of the data, in bytes.
const DATA_BYTES: usize = formalize_core::submissions::MAX_DATA_BYTES;
/// The maximum size of all other texts together, in bytes.
const OTHER_BYTES: usize = 256 << 10;

/// The texts in a body.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fields {
    pub(crate) form: Option<String>,
    pub(crate) data: Option<String>,
    pub(crate) state: Option<String>,
    pub(crate) tags: Option<Vec<String>>,
    /// Files to remove.
    pub(crate) removed: Vec<FileId>,
}

/// A body that is read.
struct Body<'v> {
    visit: &'v Visit,
    parts: FormParts,
    fields: Fields,
    /// How many bytes the texts may still have.
    left: usize,
    /// The submission that is changed. No files can be removed from a new one.
    changed: Option<SubmissionId>,
}

/// Creates a submission.
///
/// # Errors
///
/// A refusal if the body is malformed, or the submission is refused.
pub(crate) async fn create(visit: &Visit, body: Streamed) -> Result<Viewed<Submission>, Refusal> {
    let mut body = Body::open(visit, body, None)?;
    let mut upload = None;
    if let Err(refusal) = body.read(&mut upload).await {
        give_up(upload).await;
        return Err(refusal);
    }
    let new = match body.fields.new_submission(&visit.shared.base_url) {
        Ok(new) => new,
        Err(refusal) => {
            give_up(upload).await;
            return Err(refusal);
        }
    };
    let created = match upload {
        None => {
            let submissions = visit.shared.core.submissions();
            submissions.create(&visit.caller, new).await
        }
        Some(upload) => upload.finish_new(&new).await,
    };
    created.map_err(|error| body.fields.refusal(error))
}

/// Changes a submission. What can be judged without the body is judged before it is read.
///
/// # Errors
///
/// A refusal if the body is malformed, or the change is refused.
pub(crate) async fn update(
    visit: &Visit,
    id: SubmissionId,
    body: Streamed,
) -> Result<ChangedSubmission, Refusal> {
    let (core, caller) = (&visit.shared.core, &visit.caller);
    let may = may_change(core, caller, visit.expect(id)).await;
    visit.or_current_tag(may, submissions::get(visit)).await?;
    let mut body = Body::open(visit, body, Some(id))?;
    let mut upload = None;
    if let Err(refusal) = body.read(&mut upload).await {
        give_up(upload).await;
        return Err(refusal);
    }
    let mut change: SubmissionChange = body.fields.change();
    let submissions = core.submissions();
    // The client always sends its tags, which are none where tags are hidden from it.
    if change.tags.as_ref().is_some_and(Vec::is_empty) {
        let seen = submissions.get(caller, id).await;
        if !seen.is_ok_and(|view| view.sees_tags()) {
            change.tags = None;
        }
    }
    let changed = match upload {
        None => {
            submissions
                .update_with_receipt(caller, visit.expect(id), change)
                .await
        }
        Some(upload) => upload.finish_change(visit.expect(id), change).await,
    };
    match changed {
        Err(error @ Error::SubmissionStateNotAllowed(_)) => Err(body.fields.refusal(error)),
        changed => {
            let current = submissions::get(visit);
            visit.or_current_tag(changed, current).await
        }
    }
}

/// Deletes what was stored for a request that is refused.
async fn give_up(upload: Option<Upload<'_>>) {
    if let Some(upload) = upload {
        upload.discard().await;
    }
}

impl<'v> Body<'v> {
    fn open(
        visit: &'v Visit,
        body: Streamed,
        changed: Option<SubmissionId>,
    ) -> Result<Self, Refusal> {
        Ok(Self {
            visit,
            parts: FormParts::open(&visit.headers, body)?,
            fields: Fields::default(),
            left: OTHER_BYTES,
            changed,
        })
    }

    /// Reads all fields, and stores all files.
    async fn read(&mut self, upload: &mut Option<Upload<'v>>) -> Result<(), Refusal> {
        while let Some(mut part) = self.parts.next().await? {
            let name = part.name.clone();
            if part.file_name.is_some() {
                let attribute = name.split('[').next().unwrap_or_default();
                if let Some(file) = self.parts.file_of(part, attribute).await? {
                    self.store(upload, file).await?;
                }
                continue;
            }
            match name.as_str() {
                "form" => {
                    let text = self.text(&mut part).await?;
                    once(&mut self.fields.form, text, &name)?;
                }
                "dataFeedElement" => {
                    let text = self.parts.text(&mut part, DATA_BYTES).await?;
                    let text = text.ok_or(Error::SubmissionDataTooLarge)?;
                    once(&mut self.fields.data, text, &name)?;
                }
                "submissionState" => {
                    let text = self.text(&mut part).await?;
                    once(&mut self.fields.state, text, &name)?;
                }
                "tags" => {
                    let text = self.text(&mut part).await?;
                    once(&mut self.fields.tags, tags::read(&text)?, &name)?;
                }
                other => match removed_file(other).filter(|_| self.changed.is_some()) {
                    Some(file) => {
                        if self.text(&mut part).await?.trim() != "null" {
                            return Err(at_fault(&name, "must be `null`, which removes the file"));
                        }
                        // Other texts are identifiers of no file.
                        self.fields.removed.extend(file.parse::<FileId>().ok());
                    }
                    None => self.ignore(&mut part).await?,
                },
            }
        }
        Ok(())
    }

    /// The text of a field other than the data.
    async fn text(&mut self, part: &mut Part) -> Result<String, Refusal> {
        let text = self.parts.text(part, self.left).await?;
        let text = text.ok_or_else(too_large)?;
        self.left -= text.len();
        Ok(text)
    }

    /// Reads a field that is not known. It counts like the others, whatever it contains.
    async fn ignore(&mut self, part: &mut Part) -> Result<(), Refusal> {
        let size = self.parts.skip(part, self.left).await?;
        self.left -= size.ok_or_else(too_large)?;
        Ok(())
    }

    /// Stores a file. If all that describes a new submission came before it, it is judged while it arrives.
    async fn store(
        &mut self,
        upload: &mut Option<Upload<'v>>,
        file: FormFile,
    ) -> Result<(), Refusal> {
        let Visit { shared, caller, .. } = self.visit;
        let submissions = shared.core.submissions();
        let uploading = if let Some(uploading) = upload {
            uploading
        } else {
            let fields = &self.fields;
            let is_complete =
                fields.form.is_some() && fields.data.is_some() && fields.state.is_some();
            let begun = match self.changed {
                Some(id) => {
                    let expected = self.visit.expect(id);
                    submissions.upload_unjudged_change(caller, expected).await
                }
                None if is_complete => {
                    let new = fields.new_submission(&shared.base_url)?;
                    submissions.upload_new(caller, new).await
                }
                None => submissions.upload_unjudged_new(caller).await,
            };
            upload.insert(begun.map_err(|error| fields.refusal(error))?)
        };
        Ok(self.parts.add(uploading, file).await??)
    }
}

fn too_large() -> Refusal {
    let sentence = "the fields other than dataFeedElement must not be larger than 256 KiB together";
    Refusal::is(ErrorKey::PayloadTooLarge).saying(sentence)
}

/// Sets a field that must not be repeated.
fn once<T>(field: &mut Option<T>, value: T, name: &str) -> Result<(), Refusal> {
    if field.replace(value).is_some() {
        return Err(at_fault(name, "must be sent once"));
    }
    Ok(())
}

/// The identifier in the name of a field that removes a file.
fn removed_file(name: &str) -> Option<&str> {
    name.strip_prefix("submittedFiles[")?.strip_suffix(']')
}
