//! Files of submissions.

use formalize_core::{
    Error, Field, InvalidFields, Page, SubmissionId,
    files::{FileAttributeName, FileId, FileName, NewFile},
};
use formalize_http::auth::Actor;
use formalize_http::contract::endpoint::{
    AddSubmittedFile, GetSubmittedFile, GetSubmittedFileContent, ListSubmittedFiles,
    RemoveSubmittedFile,
};
use formalize_http::contract::parameter::{
    DISPOSITION, FILE_ATTRIBUTE_EQUALS, FILE_ATTRIBUTE_NAME, FILE_NAME,
};
use formalize_http::contract::{ErrorKey, Operation};
use formalize_http::failure::{Answer, Refusal, set};
use formalize_http::files::{FileContent, WantedContent};
use formalize_views::file::SubmittedFile;
use formalize_views::submission::Submission;
use poem::{
    IntoResponse, Response,
    http::{StatusCode, header},
};
use poem_openapi::{
    ApiResponse, OpenApi,
    registry::{MetaResponses, Registry},
    types::Type,
};

use super::{
    Context, Deleted, Expectation, Found, Listed, Part, PathText, Query, SentContent, SentFile,
    parse_id,
    reply::{ETAG, Header, item_response, responses},
};
use crate::urls::{url_of, url_of_content};

pub(super) struct SubmittedFiles(pub(super) Context);

fn submission_id(text: &str) -> Result<SubmissionId, Error> {
    parse_id(text, Error::SubmissionNotFound)
}

fn file_id(text: &str) -> Result<FileId, Error> {
    parse_id(text, Error::SubmittedFileNotFound(Vec::new()))
}

/// The refusal of a request about the file in its path.
fn of_file(error: Error) -> Refusal {
    match error {
        Error::SubmittedFileNotFound(_) => Refusal::is(ErrorKey::SubmittedFileNotFound),
        error => error.into(),
    }
}

/// The file that a query describes.
///
/// # Errors
///
/// [`InvalidFields::SubmittedFile`] with everything that is invalid.
fn new_file(query: &Query) -> Result<NewFile, InvalidFields> {
    let attribute = query.text(&FILE_ATTRIBUTE_NAME).unwrap_or_default();
    let attribute = FileAttributeName::new(attribute);
    let name = FileName::clean(query.text(&FILE_NAME).unwrap_or_default());
    let mut at_fault = Vec::new();
    if attribute.is_err() {
        at_fault.push(Field::FileAttributeName);
    }
    if name.is_err() {
        at_fault.push(Field::FileName);
    }
    match (attribute, name) {
        (Ok(attribute), Ok(name)) => Ok(NewFile::new(attribute, name)),
        _ => Err(InvalidFields::SubmittedFile(at_fault)),
    }
}

#[OpenApi(prefix_path = "/formalize/submissions", tag = "Part::SubmittedFiles")]
impl SubmittedFiles {
    /// List the files of a submission.
    ///
    /// Requires `read` on the submission. The files are in the order in which they were added.
    #[oai(path = "/:identifier/files", method = "get")]
    async fn list(
        &self,
        Actor(caller): Actor,
        /// Identifier of the submission.
        identifier: PathText,
        query: Query,
    ) -> Answer<Listed<SubmittedFile>, ListSubmittedFiles> {
        let (id, files) = (submission_id(&identifier)?, self.0.core.files());
        let attribute = query.text(&FILE_ATTRIBUTE_EQUALS);
        let attribute = attribute.map(FileAttributeName::new).transpose();
        let page = if let Ok(attribute) = attribute {
            let attribute = attribute.as_ref();
            files.list(&caller, id, attribute, &query.page()).await?
        } else {
            // No file has such an attribute.
            files.list(&caller, id, None, &query.page()).await?;
            Page::default()
        };
        let items = page.items.into_iter();
        let page = Page {
            items: items.map(|file| self.0.links.with_base(file)).collect(),
            next: page.next,
        };
        Ok(Listed::compose(&caller, page, 0, &query, &self.0).await?)
    }

    /// Add a file to a submission.
    ///
    /// Requires `update` on the submission. The body is the content of the file. The state of the submission does not change;
    /// if it is submitted, the files must match the rules of the form. `If-Match` is about the submission, which changes. The
    /// response has no body if the caller may not read the submission.
    #[oai(path = "/:identifier/files", method = "post")]
    async fn add(
        &self,
        Actor(caller): Actor,
        /// Identifier of the submission.
        identifier: PathText,
        query: Query,
        expectation: Expectation,
        sent: SentFile,
    ) -> Answer<AddedFile, AddSubmittedFile> {
        let (id, files) = (submission_id(&identifier)?, self.0.core.files());
        let mut new = new_file(&query)?;
        new.declared_type.clone_from(&sent.declared_type);
        new.size = sent.body.announced();
        let begun = files.upload(&caller, expectation.of(id)).await;
        let current = self.0.submission(&caller, id);
        let mut upload = expectation
            .or_current_tag::<Submission, _, _>(begun, current)
            .await?;
        let added = upload.add(new, Box::pin(sent.body.read())).await;
        let file = added.map_err(|error| sent.refusal(error))?;
        let finished = upload.finish().await;
        let current = self.0.submission(&caller, id);
        let submission = expectation
            .or_current_tag::<Submission, _, _>(finished, current)
            .await?;
        let base_url = self.0.links.base_url();
        let operation = Operation::GetSubmittedFile;
        Ok(AddedFile {
            location: url_of(operation, id, file, &base_url),
            file: submission
                .into_iter()
                .flat_map(|submission| submission.item.files)
                .find(|one| one.id == file)
                .map(|file| SubmittedFile::new(&file, url_of_content(&file, &base_url))),
        })
    }

    /// Read what is known about a file.
    ///
    /// Requires `read` on the submission.
    #[oai(path = "/:identifier/files/:fileIdentifier", method = "get")]
    async fn get(
        &self,
        Actor(caller): Actor,
        /// Identifier of the submission.
        identifier: PathText,
        /// Identifier of the file.
        #[oai(name = "fileIdentifier")]
        PathText(file): PathText,
    ) -> Answer<Found<SubmittedFile>, GetSubmittedFile> {
        let id = submission_id(&identifier)?;
        let file = file_id(&file).map_err(of_file)?;
        let file = self.0.core.files().get(&caller, id, file).await;
        let file = file.map_err(of_file)?;
        Ok(Found(self.0.links.with_base(file).into()))
    }

    /// Read the content of a file.
    ///
    /// Requires `read` on the submission, when the response begins. One range of bytes can be requested with `Range`, and
    /// continued with `If-Range`. HTML, XML, scripts and style sheets are sent as `application/octet-stream`.
    #[oai(path = "/:identifier/files/:fileIdentifier/content", method = "get")]
    async fn content(
        &self,
        Actor(caller): Actor,
        /// Identifier of the submission.
        identifier: PathText,
        /// Identifier of the file.
        #[oai(name = "fileIdentifier")]
        PathText(file): PathText,
        query: Query,
        wanted: WantedContent,
    ) -> Answer<SentContent, GetSubmittedFileContent> {
        let id = submission_id(&identifier)?;
        let file = file_id(&file).map_err(of_file)?;
        let file = self.0.core.files().open(&caller, id, file).await;
        let file = file.map_err(of_file)?;
        let inline = query.text(&DISPOSITION) == Some("inline");
        let content = FileContent::of(&file, &wanted, inline).await?;
        Ok(SentContent(content))
    }

    /// Remove a file from a submission.
    ///
    /// Requires `update` on the submission. The state of the submission does not change; if it is submitted, the other files
    /// must match the rules of the form. `If-Match` is about the submission, which changes.
    #[oai(path = "/:identifier/files/:fileIdentifier", method = "delete")]
    async fn remove(
        &self,
        Actor(caller): Actor,
        /// Identifier of the submission.
        identifier: PathText,
        /// Identifier of the file.
        #[oai(name = "fileIdentifier")]
        PathText(file): PathText,
        expectation: Expectation,
    ) -> Answer<Deleted, RemoveSubmittedFile> {
        let id = submission_id(&identifier)?;
        let file = file_id(&file).map_err(of_file)?;
        let removed = self.0.core.files();
        let removed = removed.remove(&caller, expectation.of(id), file).await;
        if let Err(error @ Error::SubmittedFileNotFound(_)) = removed {
            return Err(of_file(error).into());
        }
        let current = self.0.submission(&caller, id);
        expectation
            .or_current_tag::<Submission, _, _>(removed, current)
            .await?;
        Ok(Deleted)
    }
}

/// A file that was added: 201, without a body if the caller may not read it.
pub struct AddedFile {
    location: String,
    file: Option<SubmittedFile>,
}

impl IntoResponse for AddedFile {
    fn into_response(self) -> Response {
        let status = StatusCode::CREATED;
        let mut response = match &self.file {
            Some(file) => item_response(status, file),
            None => status.into_response(),
        };
        set(&mut response, header::LOCATION, self.location);
        response
    }
}

const LOCATION: Header = ("Location", "URL of the file.");

impl ApiResponse for AddedFile {
    fn meta() -> MetaResponses {
        let (file, headers) = (Some(SubmittedFile::schema_ref()), [ETAG, LOCATION]);
        let added = "The new file. There is no body if the caller may not read the submission.";
        responses([(StatusCode::CREATED, added, file, &headers)])
    }

    fn register(registry: &mut Registry) {
        SubmittedFile::register(registry);
    }
}
