//! Files that pages send, show and let people download.

use formalize_core::{
    Error, Submission, Viewed,
    files::{FileId, Upload},
};
use formalize_http::failure::Refusal;
use formalize_http::files::{FileContent, FormFile, FormParts, WantedContent};
use formalize_http::middleware::Streamed;
use formalize_web::{Notice, ShownFile};
use poem::{
    IntoResponse, Response,
    http::{HeaderMap, HeaderValue, StatusCode, header},
};

use super::{
    route::{self, submission_id},
    sent::{BUTTON, MAX_INPUTS, Sent},
    visit::Visit,
};

/// The files that a page sends. They arrive behind its other inputs.
#[derive(Default)]
pub(super) struct SentFiles {
    parts: Option<FormParts>,
    first: Option<FormFile>,
}

impl SentFiles {
    /// Reads what a page sends up to the first file. `reserve` refuses too many bytes. If the address does not name the button
    /// that was pressed, it is one that stores nothing, and the files are skipped: it follows them.
    ///
    /// # Errors
    ///
    /// A refusal if the body is not from a page.
    pub(super) async fn open(
        headers: &HeaderMap,
        body: Streamed,
        is_button_known: bool,
        reserve: impl FnMut(usize) -> Result<(), Refusal>,
    ) -> Result<(Sent, Self), Refusal> {
        let mut parts = FormParts::of_page(headers, body, MAX_INPUTS, BUTTON)?;
        let (mut inputs, mut first) = parts.inputs(reserve).await?;
        if !is_button_known && first.take().is_some() {
            while parts.next_file().await?.is_some() {}
            let pressed = parts.pressed().map(|button| (BUTTON.to_owned(), button));
            inputs.extend(pressed);
        }
        let parts = Some(parts);
        Ok((Sent::of(inputs)?, Self { parts, first }))
    }

    /// Whether no file was sent that could be stored.
    pub(super) fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// Stores the files with what an upload is for, which `begin` begins.
    ///
    /// # Errors
    ///
    /// Why nothing was stored.
    pub(super) async fn store<'u>(
        &mut self,
        visit: &Visit,
        begin: impl Future<Output = Result<Upload<'u>, Error>>,
    ) -> Result<Option<Viewed<Submission>>, NotStored> {
        let upload = begin.await?.sent_from(&visit.source.0);
        let (Some(parts), Some(first)) = (&mut self.parts, self.first.take()) else {
            return Ok(upload.finish().await?);
        };
        match parts.upload(upload, first).await {
            Ok(stored) => {
                let stored = stored?;
                self.parts = None;
                Ok(stored)
            }
            Err(refusal) => Err(NotStored::of_body(refusal)),
        }
    }

    /// Skips the files that are left, so that the client reads the response, and returns the groups in which there were
    /// files. Whatever is wrong with the rest of the body does not matter.
    pub(super) async fn skip(&mut self) -> Vec<String> {
        self.first = None;
        let Some(parts) = &mut self.parts else {
            return Vec::new();
        };
        while let Ok(Some(_)) = parts.next_file().await {}
        parts.groups().cloned().collect()
    }
}

/// Why answers were not stored.
pub(super) enum NotStored {
    /// The service refuses them.
    Error(Error),
    /// They are not read at all, for the reason that the notice gives.
    Because(StatusCode, Notice),
    /// The request is not from a page, or ended early.
    Refusal(Refusal),
}

impl NotStored {
    /// What a refusal of the body means.
    fn of_body(refusal: Refusal) -> Self {
        match refusal.reported(None) {
            status @ StatusCode::PAYLOAD_TOO_LARGE => Self::Because(status, Notice::FilesTooLarge),
            status @ (StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) => {
                Self::Because(status, Notice::FilesBusy)
            }
            _ => Self::Refusal(refusal),
        }
    }
}

impl From<Refusal> for NotStored {
    fn from(refusal: Refusal) -> Self {
        Self::Refusal(refusal)
    }
}

impl From<Error> for NotStored {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// The files of a submission, with those marked that are to be removed.
pub(super) fn shown(submission: &Submission, removed: &[FileId]) -> Vec<ShownFile> {
    let files = submission.files.iter().map(|file| ShownFile {
        id: file.id.to_string(),
        group: file.attribute.to_string(),
        name: file.name.to_string(),
        size: file.size,
        path: format!("/s/{}/files/{}", submission.id, file.id),
        is_removed: removed.contains(&file.id),
    });
    files.collect()
}

/// The content of a file, or a part of it.
pub(super) async fn download(
    visit: &Visit,
    submission: &str,
    file: &str,
    headers: &HeaderMap,
) -> Result<Response, Refusal> {
    let id = route::id(file, Error::SubmittedFileNotFound(Vec::new()))?;
    let (files, submission) = (visit.formalize().files(), submission_id(submission)?);
    let file = files.open(visit.caller()?, submission, id).await?;
    let wanted = WantedContent::unconditional(headers, visit.is_head);
    let content = FileContent::of(&file, &wanted, false).await?;
    let mut response = content.into_response();
    // Like all pages: somebody else may use the browser next.
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}
