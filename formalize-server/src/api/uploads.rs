//! Requests that send files: how many there may be, and their bodies as parameters of handlers.

use formalize_core::{Caller, Error};
use poem::{
    Request, RequestBody, Result,
    http::{HeaderMap, header},
};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaMediaType, MetaRequest},
};

use super::reply::bytes;
use crate::{
    contract::ErrorKey,
    failure::Refusal,
    middleware::{Streamed, UploadLimits},
    rate::{Full, Place, Places},
};

/// The requests of a server that send files. Clones share them.
#[derive(Debug, Clone)]
pub struct Uploads {
    places: Places,
}

impl Default for Uploads {
    fn default() -> Self {
        Self::new(UploadLimits::default())
    }
}

impl Uploads {
    /// Requests within these limits.
    pub fn new(limits: UploadLimits) -> Self {
        let of_user = limits.at_once.div_ceil(4);
        Self {
            places: Places::new(limits.at_once, of_user),
        }
    }

    /// Begins to read the body of such a request.
    ///
    /// # Errors
    ///
    /// A refusal if the server or the user has too many of them.
    pub(crate) fn begin(&self, caller: &Caller) -> Result<Place, Refusal> {
        self.places.take(caller).map_err(|full| {
            let refusal = match full {
                Full::OfUser => Refusal::is(ErrorKey::TooManyRequests)
                    .saying("you are sending too many files at a time; wait until one is sent"),
                Full::Everywhere => Refusal::is(ErrorKey::ServiceUnavailable)
                    .saying("too many files are being sent to this server; try again later"),
            };
            refusal.with_header(header::RETRY_AFTER, "5".to_owned())
        })
    }
}

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
