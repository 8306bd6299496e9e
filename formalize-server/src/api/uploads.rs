//! The content of a file as a parameter of handlers.

use formalize_core::Error;
use formalize_http::failure::Refusal;
use formalize_http::middleware::Streamed;
use poem::{
    Request, RequestBody, Result,
    http::{HeaderMap, header},
};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaMediaType, MetaRequest},
};

use super::reply::bytes;

/// The content of a file, which is read while it arrives.
pub struct SentFile {
    /// The body.
    pub(super) body: Streamed,
    /// The type that the client declares.
    pub(super) declared_type: Option<String>,
}

impl SentFile {
    /// Why storing the file failed. If the body ended early, the reason is that of the body.
    pub(super) fn refusal(&self, error: Error) -> Refusal {
        match (error, self.body.failure()) {
            (Error::UploadInterrupted, Some(failure)) => failure.into(),
            (error, _) => error.into(),
        }
    }
}

/// The media type that a request declares for its body.
fn declared_type(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::CONTENT_TYPE)?;
    value.to_str().ok().map(str::to_owned)
}

impl<'a> ApiExtractor<'a> for SentFile {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn request_meta() -> Option<MetaRequest> {
        Some(MetaRequest {
            description: Some(
                "The content of the file. `Content-Type` is what you declare it to be.",
            ),
            content: vec![MetaMediaType {
                content_type: "application/octet-stream",
                schema: bytes(),
            }],
            required: true,
        })
    }

    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> Result<Self> {
        let body = request.data::<Streamed>().cloned();
        let body = body.ok_or_else(|| {
            Refusal::unforeseen("the handler was called without a body that it can read")
        })?;
        Ok(Self {
            body,
            declared_type: declared_type(request.headers()),
        })
    }
}
