//! URLs of files of submissions.

use formalize_core::{
    SubmissionId,
    files::{FileId, SubmittedFile},
};
use formalize_http::contract::Operation;

/// The URL of the content of a file.
pub(crate) fn url_of_content(file: &SubmittedFile, base_url: &str) -> String {
    let operation = Operation::GetSubmittedFileContent;
    url_of(operation, file.submission, file.id, base_url)
}

/// The URL of an operation about a file.
pub(crate) fn url_of(
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
