//! Files of submissions.

use formalize_core::{
    Error,
    files::{FileId, SubmittedFile},
};
use formalize_http::failure::{Refusal, set};
use formalize_http::files::{FileContent, WantedContent};
use formalize_http::tag::EntityTag;
use poem::{
    IntoResponse, Response,
    http::{StatusCode, header},
};
use serde::Serialize;

use crate::{
    hydra::{Item, item},
    request::Visit,
};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(
    clippy::struct_field_names,
    reason = "the names are those of the members"
)]
pub(crate) struct File {
    identifier: String,
    file_attribute_name: String,
    file_name: String,
    file_size: u64,
    mime_type: String,
    download_url: String,
}

/// A file as an item, or as an element of a submission.
pub(crate) fn element(file: &SubmittedFile, base_url: &str) -> Item<File> {
    let path = format!("/formalize/submitted-files/{}", file.id);
    let members = File {
        identifier: file.id.to_string(),
        file_attribute_name: file.attribute.to_string(),
        file_name: file.name.to_string(),
        file_size: file.size,
        mime_type: file.mime_type.to_string(),
        download_url: format!("{base_url}{path}/content"),
    };
    Item::new(path, "https://schema.org/DigitalDocument", members)
}

/// The file in the path, if the caller may read it.
async fn find(visit: &Visit) -> Result<SubmittedFile, Error> {
    let id: FileId = visit.id(Error::SubmittedFileNotFound(Vec::new()))?;
    let found = visit.shared.core.files().find(&visit.caller, id).await;
    found.map_err(|error| match error {
        // The path names the file only.
        Error::SubmissionNotFound => Error::SubmittedFileNotFound(vec![id]),
        error => error,
    })
}

pub(crate) async fn get(visit: &Visit) -> Result<Response, Refusal> {
    let file = find(visit).await?;
    let base_url = &visit.shared.base_url;
    let mut response = item(StatusCode::OK, base_url, element(&file, base_url), None);
    // A file never changes.
    let tag = EntityTag::of_content(&file.sha256.to_string());
    set(&mut response, header::ETAG, tag.to_string());
    response.set_data(tag);
    Ok(response)
}

pub(crate) async fn download(visit: &Visit) -> Result<Response, Refusal> {
    let file = find(visit).await?;
    let files = visit.shared.core.files();
    let file = files.open(&visit.caller, file.submission, file.id).await?;
    let wanted = WantedContent::new(&visit.headers, visit.is_head, visit.conditions.clone());
    let inline = visit.query.text("disposition") == Some("inline");
    let content = FileContent::of(&file, &wanted, inline).await?;
    Ok(content.into_response())
}
